; processors: gfx600 gfx700 gfx803 gfx900 gfx90a gfx942 gfx1010 gfx1030 gfx1030:64 gfx1100 gfx1100:64 gfx1201 gfx1201:64 gfx1250
; Pointers into buffers (AS-12, AS-24, AS-25, AS-26, AS-27): what makes and moves them, in phis, choices, comparisons and
; memory; loads and stores of all types through them, up to the buffer's bounds. The descriptors' last words check offsets
; as bytes on every generation.
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1), i16, i64, i32)
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare ptr addrspace(7) @llvm.ptrmask.p7.i32(ptr addrspace(7), i32)
declare void @llvm.memcpy.p7.p7.i32(ptr addrspace(7), ptr addrspace(7), i32, i1)
declare void @llvm.memcpy.p1.p7.i64(ptr addrspace(1), ptr addrspace(7), i64, i1)
declare void @llvm.memset.p7.i32(ptr addrspace(7), i8, i32, i1)

define amdgpu_kernel void @casts(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 400, i32 805466112)
  %i = ptrtoint ptr addrspace(8) %r to i128
  %r2 = inttoptr i128 %i to ptr addrspace(8)
  %p = addrspacecast ptr addrspace(8) %r2 to ptr addrspace(7)
  %to = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %out, i16 0, i64 4000, i32 805466112)
  %q = getelementptr i32, ptr addrspace(7) %p, i32 %id
  %v = load i32, ptr addrspace(7) %q
  %q1 = getelementptr inbounds { i32, [3 x i16], i8 }, ptr addrspace(7) %p, i32 %id, i32 1, i32 2
  %w = load i16, ptr addrspace(7) %q1
  %w32 = zext i16 %w to i32
  %masked = call ptr addrspace(7) @llvm.ptrmask.p7.i32(ptr addrspace(7) %q1, i32 -32)
  %m = load i32, ptr addrspace(7) %masked
  %n = ptrtoint ptr addrspace(7) %q1 to i32
  %o = getelementptr <4 x i32>, ptr addrspace(7) %to, i32 %id
  store i32 %v, ptr addrspace(7) %o
  %o1 = getelementptr i8, ptr addrspace(7) %o, i32 4
  store i32 %w32, ptr addrspace(7) %o1
  %o2 = getelementptr i8, ptr addrspace(7) %o, i32 8
  store i32 %m, ptr addrspace(7) %o2
  %o3 = getelementptr i8, ptr addrspace(7) %o, i32 12
  store i32 %n, ptr addrspace(7) %o3
  ret void
}

define amdgpu_kernel void @numbers(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %base = inttoptr i64 123456789012345 to ptr addrspace(1)
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %base, i16 0, i64 400, i32 805466112)
  %p = getelementptr i8, ptr addrspace(7) %a, i32 %id
  %q = getelementptr i8, ptr addrspace(7) %a, i32 7
  %eq = icmp eq ptr addrspace(7) %p, %q
  %ne = icmp ne ptr addrspace(7) %p, %a
  %null = icmp eq ptr addrspace(7) %p, null
  %l = ptrtoint ptr addrspace(7) %p to i64
  %below = icmp ult ptr addrspace(7) %q, %p
  %b64 = zext i1 %below to i64
  %x = xor i64 %l, %b64
  %1 = zext i1 %eq to i64
  %2 = zext i1 %ne to i64
  %3 = zext i1 %null to i64
  %4 = shl i64 %2, 1
  %5 = shl i64 %3, 2
  %6 = or i64 %1, %4
  %7 = or i64 %6, %5
  %o = getelementptr <2 x i64>, ptr addrspace(1) %out, i32 %id
  store i64 %x, ptr addrspace(1) %o
  %o1 = getelementptr i64, ptr addrspace(1) %o, i32 1
  store i64 %7, ptr addrspace(1) %o1
  ret void
}

; One descriptor; the offset goes round, and lanes leave at different times.
define amdgpu_kernel void @loop(ptr addrspace(1) %out, ptr addrspace(1) %in) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in, i16 0, i64 600, i32 805466112)
  %end = getelementptr i8, ptr addrspace(7) %a, i32 800
  %first = getelementptr i32, ptr addrspace(7) %a, i32 %id
  br label %body
body:
  %p = phi ptr addrspace(7) [ %first, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %n = phi i32 [ 0, %entry ], [ %n1, %body ]
  %v = load i32, ptr addrspace(7) %p
  %more = add i32 %sum, %v
  %next = getelementptr i8, ptr addrspace(7) %p, i32 20
  %n1 = add i32 %n, 1
  %done = icmp ugt i32 %n1, %id
  br i1 %done, label %out.block, label %body
out.block:
  %o = getelementptr <2 x i32>, ptr addrspace(1) %out, i32 %id
  store i32 %more, ptr addrspace(1) %o
  %k = ptrtoint ptr addrspace(7) %next to i32
  %o1 = getelementptr i8, ptr addrspace(1) %o, i32 4
  store i32 %k, ptr addrspace(1) %o1
  ret void
}

; Descriptors that differ by lane: chosen, from a phi, from memory.
define amdgpu_kernel void @chosen(ptr addrspace(1) %out, ptr addrspace(1) %in) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %in2 = getelementptr i8, ptr addrspace(1) %in, i32 4096
  %in3 = getelementptr i8, ptr addrspace(1) %in, i32 8192
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in, i16 0, i64 100, i32 805466112)
  %b = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in2, i16 0, i64 200, i32 805466112)
  %c = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in3, i16 0, i64 300, i32 805466112)
  %to = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %out, i16 0, i64 4096, i32 805466112)
  %out2 = getelementptr i8, ptr addrspace(1) %out, i32 8192
  %to2 = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %out2, i16 0, i64 4096, i32 805466112)
  %bit = and i32 %id, 1
  %odd = icmp eq i32 %bit, 1
  %s = select i1 %odd, ptr addrspace(7) %a, ptr addrspace(7) %b
  %bit2 = and i32 %id, 4
  %four = icmp eq i32 %bit2, 4
  br i1 %four, label %yes, label %join
yes:
  %moved = getelementptr i8, ptr addrspace(7) %c, i32 8
  br label %join
join:
  %p = phi ptr addrspace(7) [ %s, %entry ], [ %moved, %yes ]
  %q = getelementptr i32, ptr addrspace(7) %p, i32 %id
  %v = load i32, ptr addrspace(7) %q
  %w = load <4 x float>, ptr addrspace(7) %q, align 4
  %o = select i1 %odd, ptr addrspace(7) %to, ptr addrspace(7) %to2
  %o1 = getelementptr [8 x i32], ptr addrspace(7) %o, i32 %id
  store i32 %v, ptr addrspace(7) %o1
  %o2 = getelementptr i8, ptr addrspace(7) %o1, i32 16
  store <4 x float> %w, ptr addrspace(7) %o2, align 4
  ret void
}

define amdgpu_kernel void @memory(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %stack = alloca [4 x ptr addrspace(7)], addrspace(5)
  %in2 = getelementptr i8, ptr addrspace(1) %in, i32 4096
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in, i16 0, i64 100, i32 805466112)
  %b = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in2, i16 0, i64 200, i32 805466112)
  %a1 = getelementptr i8, ptr addrspace(7) %a, i32 12
  %k = and i32 %id, 1
  %s1 = getelementptr [4 x ptr addrspace(7)], ptr addrspace(5) %stack, i32 0, i32 1
  store volatile ptr addrspace(7) %a1, ptr addrspace(5) %stack
  store volatile ptr addrspace(7) %b, ptr addrspace(5) %s1
  %sk = getelementptr [4 x ptr addrspace(7)], ptr addrspace(5) %stack, i32 0, i32 %k
  %p = load volatile ptr addrspace(7), ptr addrspace(5) %sk
  %q = getelementptr i32, ptr addrspace(7) %p, i32 %id
  %v = load i32, ptr addrspace(7) %q
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %v, ptr addrspace(1) %o
  ret void
}

define amdgpu_kernel void @types(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in, i16 0, i64 3000, i32 805466112)
  %to = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %out, i16 0, i64 60000, i32 805466112)
  %p = getelementptr [64 x i8], ptr addrspace(7) %a, i32 %id
  %o = getelementptr [256 x i8], ptr addrspace(7) %to, i32 %id
  %v0 = load i8, ptr addrspace(7) %p
  %p1 = getelementptr i8, ptr addrspace(7) %p, i32 3
  %v1 = load i8, ptr addrspace(7) %p1
  %p2 = getelementptr i8, ptr addrspace(7) %p, i32 6
  %v2 = load i16, ptr addrspace(7) %p2
  %v3 = load half, ptr addrspace(7) %p2
  %v4 = load <2 x i16>, ptr addrspace(7) %p, align 4
  %p4 = getelementptr i8, ptr addrspace(7) %p, i32 4
  %v5 = load i64, ptr addrspace(7) %p, align 8
  %v6 = load <3 x i32>, ptr addrspace(7) %p, align 16
  %v7 = load <4 x i32>, ptr addrspace(7) %p, align 16
  %v8 = load <8 x i32>, ptr addrspace(7) %p, align 32
  %v9 = load i128, ptr addrspace(7) %p, align 16
  %v10 = load <4 x half>, ptr addrspace(7) %p4, align 4
  %v11 = load <3 x i16>, ptr addrspace(7) %p, align 8
  %v12 = load double, ptr addrspace(7) %p, align 8
  %v13 = load <5 x float>, ptr addrspace(7) %p, align 32
  %v14 = load <4 x i8>, ptr addrspace(7) %p, align 4
  %v15 = load i1, ptr addrspace(7) %p2
  %v16 = load { i32, half, i8 }, ptr addrspace(7) %p, align 4
  store i8 %v0, ptr addrspace(7) %o
  %o1 = getelementptr i8, ptr addrspace(7) %o, i32 1
  store i8 %v1, ptr addrspace(7) %o1
  %o2 = getelementptr i8, ptr addrspace(7) %o, i32 2
  store i16 %v2, ptr addrspace(7) %o2
  %o3 = getelementptr i8, ptr addrspace(7) %o, i32 6
  store half %v3, ptr addrspace(7) %o3
  %o4 = getelementptr i8, ptr addrspace(7) %o, i32 8
  store <2 x i16> %v4, ptr addrspace(7) %o4
  %o5 = getelementptr i8, ptr addrspace(7) %o, i32 16
  store i64 %v5, ptr addrspace(7) %o5
  %o6 = getelementptr i8, ptr addrspace(7) %o, i32 32
  store <3 x i32> %v6, ptr addrspace(7) %o6
  %o7 = getelementptr i8, ptr addrspace(7) %o, i32 48
  store <4 x i32> %v7, ptr addrspace(7) %o7
  %o8 = getelementptr i8, ptr addrspace(7) %o, i32 64
  store <8 x i32> %v8, ptr addrspace(7) %o8
  %o9 = getelementptr i8, ptr addrspace(7) %o, i32 96
  store i128 %v9, ptr addrspace(7) %o9
  %o10 = getelementptr i8, ptr addrspace(7) %o, i32 112
  store <4 x half> %v10, ptr addrspace(7) %o10
  %o11 = getelementptr i8, ptr addrspace(7) %o, i32 120
  store <3 x i16> %v11, ptr addrspace(7) %o11
  %o12 = getelementptr i8, ptr addrspace(7) %o, i32 128
  store double %v12, ptr addrspace(7) %o12
  %o13 = getelementptr i8, ptr addrspace(7) %o, i32 160
  store <5 x float> %v13, ptr addrspace(7) %o13
  %o14 = getelementptr i8, ptr addrspace(7) %o, i32 192
  store <4 x i8> %v14, ptr addrspace(7) %o14
  %o15 = getelementptr i8, ptr addrspace(7) %o, i32 196
  %b15 = zext i1 %v15 to i8
  store i8 %b15, ptr addrspace(7) %o15
  %o16 = getelementptr i8, ptr addrspace(7) %o, i32 200
  store { i32, half, i8 } %v16, ptr addrspace(7) %o16, align 4
  ret void
}

define amdgpu_kernel void @volatile(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in, i16 0, i64 3000, i32 805466112)
  %to = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %out, i16 0, i64 60000, i32 805466112)
  %p = getelementptr i32, ptr addrspace(7) %a, i32 %id
  %o = getelementptr i32, ptr addrspace(7) %to, i32 %id
  %v = load volatile i32, ptr addrspace(7) %p
  %w = load i32, ptr addrspace(7) %p, !nontemporal !0
  %s = add i32 %v, %w
  store volatile i32 %s, ptr addrspace(7) %o
  %o1 = getelementptr i8, ptr addrspace(7) %o, i32 4096
  store i32 %v, ptr addrspace(7) %o1, !nontemporal !0
  ret void
}

define amdgpu_kernel void @copies(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in, i16 0, i64 60000, i32 805466112)
  %to = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %out, i16 0, i64 60000, i32 805466112)
  %p = getelementptr [64 x i8], ptr addrspace(7) %a, i32 %id
  %o = getelementptr [512 x i8], ptr addrspace(7) %to, i32 %id
  call void @llvm.memcpy.p7.p7.i32(ptr addrspace(7) align 4 %o, ptr addrspace(7) align 4 %p, i32 23, i1 false)
  %o1 = getelementptr i8, ptr addrspace(7) %o, i32 64
  %n = and i32 %id, 31
  call void @llvm.memcpy.p7.p7.i32(ptr addrspace(7) align 4 %o1, ptr addrspace(7) align 4 %p, i32 %n, i1 false)
  %o2 = getelementptr i8, ptr addrspace(7) %o, i32 128
  call void @llvm.memset.p7.i32(ptr addrspace(7) align 4 %o2, i8 77, i32 21, i1 false)
  %flat = getelementptr [512 x i8], ptr addrspace(1) %out, i32 %id
  %flat1 = getelementptr i8, ptr addrspace(1) %flat, i32 192
  call void @llvm.memcpy.p1.p7.i64(ptr addrspace(1) align 4 %flat1, ptr addrspace(7) align 4 %p, i64 40, i1 false)
  ret void
}
!0 = !{i32 1}

define internal ptr addrspace(7) @callee(i32 %k, ptr addrspace(7) %p, i32 %n) noinline {
  %q = getelementptr i32, ptr addrspace(7) %p, i32 %n
  %v = load i32, ptr addrspace(7) %q
  %s = getelementptr i8, ptr addrspace(7) %q, i32 %k
  %t = getelementptr i32, ptr addrspace(7) %s, i32 1
  ret ptr addrspace(7) %t
}
define amdgpu_kernel void @arguments(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %a, ptr addrspace(7) %p, ptr addrspace(8) %r, i32 %b) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %n = ptrtoint ptr addrspace(7) %p to i128
  %m = ptrtoint ptr addrspace(8) %r to i128
  %o = getelementptr <4 x i128>, ptr addrspace(1) %out, i32 %id
  store i128 %n, ptr addrspace(1) %o
  %o1 = getelementptr i8, ptr addrspace(1) %o, i32 16
  store i128 %m, ptr addrspace(1) %o1
  %o2 = getelementptr i8, ptr addrspace(1) %o, i32 32
  store ptr addrspace(7) %p, ptr addrspace(1) %o2, align 4
  %s = add i32 %a, %b
  %o3 = getelementptr i8, ptr addrspace(1) %o, i32 60
  store i32 %s, ptr addrspace(1) %o3
  ret void
}
; further arguments of arguments: u32:7 hex:000102030405060708090a0b0c0d0e0f10111213000000000000000000000000 hex:55667788aabbccdd0011223344556677 u32:9
define amdgpu_kernel void @calls(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in, i16 0, i64 60000, i32 805466112)
  %q = call ptr addrspace(7) @callee(i32 8, ptr addrspace(7) %a, i32 %id)
  %v = load i32, ptr addrspace(7) %q
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %v, ptr addrspace(1) %o
  ret void
}
