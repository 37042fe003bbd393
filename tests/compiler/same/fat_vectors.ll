; processors: gfx600 gfx803 gfx900 gfx90a gfx942 gfx1030 gfx1100:64 gfx1201 gfx1250
; Vectors of pointers into buffers (AS-12): what makes, moves, compares and chooses them, in phis, memory and calls; numbers
; and constants of them.
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1), i16, i64, i32)
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)

define amdgpu_kernel void @elements(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %from = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in, i16 0, i64 400, i32 805466112)
  %to = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %out, i16 0, i64 4000, i32 805466112)
  %v0 = insertelement <2 x ptr addrspace(7)> poison, ptr addrspace(7) %from, i32 0
  %v1 = shufflevector <2 x ptr addrspace(7)> %v0, <2 x ptr addrspace(7)> poison, <2 x i32> zeroinitializer
  %i0 = insertelement <2 x i32> <i32 poison, i32 3>, i32 %id, i32 0
  %v2 = getelementptr i32, <2 x ptr addrspace(7)> %v1, <2 x i32> %i0
  %v3 = getelementptr {i32, [4 x i32]}, <2 x ptr addrspace(7)> %v2, i64 1, i32 1, i32 2
  %bit = and i32 %id, 1
  %p = extractelement <2 x ptr addrspace(7)> %v3, i32 %bit
  %a = load i32, ptr addrspace(7) %p
  %w = getelementptr i8, ptr addrspace(7) %from, <4 x i32> <i32 0, i32 4, i32 16, i32 40>
  %x = shufflevector <4 x ptr addrspace(7)> %w, <4 x ptr addrspace(7)> poison, <2 x i32> <i32 2, i32 3>
  %y = insertelement <2 x ptr addrspace(7)> %x, ptr addrspace(7) %p, i32 %bit
  %p0 = extractelement <2 x ptr addrspace(7)> %y, i32 0
  %p1 = extractelement <2 x ptr addrspace(7)> %y, i32 1
  %b = load i32, ptr addrspace(7) %p0
  %c = load i32, ptr addrspace(7) %p1
  %o = getelementptr <4 x i32>, ptr addrspace(7) %to, i32 %id
  %os = getelementptr i32, ptr addrspace(7) %o, <2 x i64> <i64 0, i64 1>
  %o0 = extractelement <2 x ptr addrspace(7)> %os, i64 0
  %o1 = extractelement <2 x ptr addrspace(7)> %os, i64 1
  %o2 = getelementptr i32, ptr addrspace(7) %o1, i32 1
  store i32 %a, ptr addrspace(7) %o0
  store i32 %b, ptr addrspace(7) %o1
  store i32 %c, ptr addrspace(7) %o2
  ret void
}

define amdgpu_kernel void @choices(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %from = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in, i16 0, i64 4000, i32 805466112)
  %i0 = insertelement <2 x i32> <i32 poison, i32 7>, i32 %id, i32 0
  %i1 = insertelement <2 x i32> <i32 5, i32 poison>, i32 %id, i32 1
  %a = getelementptr i32, ptr addrspace(7) %from, <2 x i32> %i0
  %b0 = getelementptr i32, ptr addrspace(7) %from, <2 x i32> %i1
  %b = freeze <2 x ptr addrspace(7)> %b0
  %eq = icmp eq <2 x ptr addrspace(7)> %a, %b
  %ne = icmp ne <2 x ptr addrspace(7)> %a, %b
  %null = icmp eq <2 x ptr addrspace(7)> %a, zeroinitializer
  %bits = zext <2 x i1> %eq to <2 x i32>
  %more = zext <2 x i1> %ne to <2 x i32>
  %nulls = zext <2 x i1> %null to <2 x i32>
  %t0 = shl <2 x i32> %more, <i32 1, i32 1>
  %t1 = shl <2 x i32> %nulls, <i32 2, i32 2>
  %t2 = or <2 x i32> %bits, %t0
  %t3 = or <2 x i32> %t2, %t1
  %low = icmp ult i32 %id, 20
  %m0 = insertelement <2 x i1> <i1 poison, i1 true>, i1 %low, i32 0
  %s = select <2 x i1> %m0, <2 x ptr addrspace(7)> %a, <2 x ptr addrspace(7)> %b
  %t = select i1 %low, <2 x ptr addrspace(7)> %s, <2 x ptr addrspace(7)> %b
  %p0 = extractelement <2 x ptr addrspace(7)> %t, i32 0
  %p1 = extractelement <2 x ptr addrspace(7)> %t, i32 1
  %v0 = load i32, ptr addrspace(7) %p0
  %v1 = load i32, ptr addrspace(7) %p1
  %o = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %id
  store <2 x i32> %t3, ptr addrspace(1) %o
  %o2 = getelementptr i32, ptr addrspace(1) %o, i32 2
  store i32 %v0, ptr addrspace(1) %o2
  %o3 = getelementptr i32, ptr addrspace(1) %o, i32 3
  store i32 %v1, ptr addrspace(1) %o3
  ret void
}

; The bytes in memory, and what comes from there.
define amdgpu_kernel void @memory(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %stack = alloca <2 x ptr addrspace(7)>, addrspace(5)
  %base = inttoptr i64 123456789012345 to ptr addrspace(1)
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %base, i16 3, i64 400, i32 805466112)
  %i0 = insertelement <2 x i32> <i32 poison, i32 7>, i32 %id, i32 0
  %p = getelementptr i32, ptr addrspace(7) %a, <2 x i32> %i0
  %o = getelementptr [128 x i8], ptr addrspace(1) %out, i32 %id
  store <2 x ptr addrspace(7)> %p, ptr addrspace(1) %o
  %again = load volatile <2 x ptr addrspace(7)>, ptr addrspace(1) %o
  store volatile <2 x ptr addrspace(7)> %again, ptr addrspace(5) %stack
  %q0 = load volatile <2 x ptr addrspace(7)>, ptr addrspace(5) %stack
  %q = getelementptr i8, <2 x ptr addrspace(7)> %q0, i32 %id
  %o1 = getelementptr i8, ptr addrspace(1) %o, i32 64
  %l = insertvalue { i32, <2 x ptr addrspace(7)> } { i32 9, <2 x ptr addrspace(7)> poison }, <2 x ptr addrspace(7)> %q, 1
  store <2 x ptr addrspace(7)> %q, ptr addrspace(1) %o1, align 16
  %pair = extractvalue { i32, <2 x ptr addrspace(7)> } %l, 1
  %e = extractelement <2 x ptr addrspace(7)> %pair, i32 1
  %n = ptrtoint ptr addrspace(7) %e to i32
  %o2 = getelementptr i8, ptr addrspace(1) %o, i32 112
  store i32 %n, ptr addrspace(1) %o2
  ret void
}

define amdgpu_kernel void @loop(ptr addrspace(1) %out, ptr addrspace(1) %in) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in, i16 0, i64 600, i32 805466112)
  %i0 = insertelement <2 x i32> <i32 poison, i32 7>, i32 %id, i32 0
  %first = getelementptr i32, ptr addrspace(7) %a, <2 x i32> %i0
  br label %body
body:
  %p = phi <2 x ptr addrspace(7)> [ %first, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %n = phi i32 [ 0, %entry ], [ %n1, %body ]
  %p0 = extractelement <2 x ptr addrspace(7)> %p, i32 0
  %p1 = extractelement <2 x ptr addrspace(7)> %p, i32 1
  %v = load i32, ptr addrspace(7) %p0
  %w = load i32, ptr addrspace(7) %p1
  %s0 = add i32 %sum, %v
  %s1 = mul i32 %s0, 5
  %more = xor i32 %s1, %w
  %moved = getelementptr i8, <2 x ptr addrspace(7)> %p, <2 x i32> <i32 4, i32 12>
  %next = shufflevector <2 x ptr addrspace(7)> %moved, <2 x ptr addrspace(7)> poison, <2 x i32> <i32 1, i32 0>
  %n1 = add i32 %n, 1
  %bound = and i32 %id, 7
  %again = icmp ult i32 %n, %bound
  br i1 %again, label %body, label %end
end:
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %more, ptr addrspace(1) %o
  ret void
}

define amdgpu_kernel void @numbers(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %base = inttoptr i64 123456789012345 to ptr addrspace(1)
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %base, i16 0, i64 400, i32 805466112)
  %r0 = insertelement <2 x ptr addrspace(8)> zeroinitializer, ptr addrspace(8) %r, i32 1
  %a = addrspacecast <2 x ptr addrspace(8)> %r0 to <2 x ptr addrspace(7)>
  %p = getelementptr i8, <2 x ptr addrspace(7)> %a, i32 %id
  %l = ptrtoint <2 x ptr addrspace(7)> %p to <2 x i64>
  %n = ptrtoint <2 x ptr addrspace(7)> %p to <2 x i32>
  %whole = ptrtoint <2 x ptr addrspace(7)> %p to <2 x i160>
  %q = inttoptr <2 x i160> %whole to <2 x ptr addrspace(7)>
  %q1 = getelementptr i8, <2 x ptr addrspace(7)> %q, <2 x i32> <i32 1, i32 2>
  %m = ptrtoint <2 x ptr addrspace(7)> %q1 to <2 x i64>
  %small = inttoptr <2 x i64> %m to <2 x ptr addrspace(7)>
  %k = ptrtoint <2 x ptr addrspace(7)> %small to <2 x i64>
  %o = getelementptr [4 x <2 x i64>], ptr addrspace(1) %out, i32 %id
  store <2 x i64> %l, ptr addrspace(1) %o
  %o1 = getelementptr <2 x i64>, ptr addrspace(1) %o, i32 1
  store <2 x i64> %m, ptr addrspace(1) %o1
  %o2 = getelementptr <2 x i64>, ptr addrspace(1) %o, i32 2
  store <2 x i64> %k, ptr addrspace(1) %o2
  %o3 = getelementptr <2 x i64>, ptr addrspace(1) %o, i32 3
  store <2 x i32> %n, ptr addrspace(1) %o3
  ret void
}

define amdgpu_kernel void @constants(ptr addrspace(1) %out, ptr addrspace(1) %in) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %o = getelementptr [256 x i8], ptr addrspace(1) %out, i32 %id
  store <2 x ptr addrspace(7)> zeroinitializer, ptr addrspace(1) %o
  %o1 = getelementptr i8, ptr addrspace(1) %o, i32 64
  store <2 x ptr addrspace(7)> <ptr addrspace(7) getelementptr (i8, ptr addrspace(7) null, i32 123), ptr addrspace(7) inttoptr (i160 -5 to ptr addrspace(7))>, ptr addrspace(1) %o1
  %o2 = getelementptr i8, ptr addrspace(1) %o, i32 128
  store ptr addrspace(7) inttoptr (i160 1234567890123456789012345678901234567890 to ptr addrspace(7)), ptr addrspace(1) %o2
  %low = icmp ult i32 %id, 20
  br i1 %low, label %one, label %two
one:
  br label %end
two:
  br label %end
end:
  %p = phi <2 x ptr addrspace(7)> [ zeroinitializer, %one ], [ <ptr addrspace(7) inttoptr (i160 7 to ptr addrspace(7)), ptr addrspace(7) inttoptr (i160 -9 to ptr addrspace(7))>, %two ]
  %q = phi ptr addrspace(7) [ getelementptr (i8, ptr addrspace(7) null, i32 77), %one ], [ addrspacecast (ptr addrspace(8) null to ptr addrspace(7)), %two ]
  %o3 = getelementptr i8, ptr addrspace(1) %o, i32 192
  store <2 x ptr addrspace(7)> %p, ptr addrspace(1) %o3
  %n = ptrtoint ptr addrspace(7) %q to i32
  %o4 = getelementptr i8, ptr addrspace(1) %o, i32 240
  store i32 %n, ptr addrspace(1) %o4
  store i64 ptrtoint (ptr addrspace(7) getelementptr (i32, ptr addrspace(7) addrspacecast (ptr addrspace(8) null to ptr addrspace(7)), i32 3) to i64), ptr addrspace(1) %o1, align 32
  ret void
}

define <2 x ptr addrspace(7)> @swapped(<2 x ptr addrspace(7)> %p, i32 %n) noinline {
  %q = getelementptr i32, <2 x ptr addrspace(7)> %p, i32 %n
  %r = shufflevector <2 x ptr addrspace(7)> %q, <2 x ptr addrspace(7)> poison, <2 x i32> <i32 1, i32 0>
  ret <2 x ptr addrspace(7)> %r
}

define amdgpu_kernel void @call(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in, i16 0, i64 600, i32 805466112)
  %p = getelementptr i32, ptr addrspace(7) %a, <2 x i32> <i32 1, i32 6>
  %q = call <2 x ptr addrspace(7)> @swapped(<2 x ptr addrspace(7)> %p, i32 %id)
  %p0 = extractelement <2 x ptr addrspace(7)> %q, i32 0
  %p1 = extractelement <2 x ptr addrspace(7)> %q, i32 1
  %v = load i32, ptr addrspace(7) %p0
  %w = load i32, ptr addrspace(7) %p1
  %o = getelementptr <2 x i32>, ptr addrspace(1) %out, i32 %id
  store i32 %v, ptr addrspace(1) %o
  %o1 = getelementptr i32, ptr addrspace(1) %o, i32 1
  store i32 %w, ptr addrspace(1) %o1
  ret void
}
