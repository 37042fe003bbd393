; processors: gfx600 gfx700 gfx803 gfx900 gfx908 gfx90a gfx942 gfx1010 gfx1030 gfx1030:64 gfx1100 gfx1100:64 gfx1201 gfx1201:64
; Atomic operations through pointers into buffers (AS-12, AS-28), at different orders and scopes, native ones and loops;
; of descriptors that differ by lane, too.
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1), i16, i64, i32)

define amdgpu_kernel void @integers(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %out, i16 0, i64 30000, i32 805466112)
  %k = and i32 %id, 7
  %p = getelementptr i32, ptr addrspace(7) %a, i32 %k
  %x = mul i32 %id, 77
  %1 = atomicrmw add ptr addrspace(7) %p, i32 %x syncscope("agent") seq_cst
  %p2 = getelementptr i8, ptr addrspace(7) %p, i32 64
  %2 = atomicrmw umax ptr addrspace(7) %p2, i32 %x syncscope("agent") monotonic
  %p3 = getelementptr i8, ptr addrspace(7) %p, i32 128
  %3 = atomicrmw nand ptr addrspace(7) %p3, i32 %x syncscope("workgroup") acq_rel
  %p4 = getelementptr i8, ptr addrspace(7) %p, i32 192
  %4 = atomicrmw or ptr addrspace(7) %p4, i32 %x seq_cst
  %p5 = getelementptr i8, ptr addrspace(7) %p, i32 256
  %5 = atomicrmw uinc_wrap ptr addrspace(7) %p5, i32 5 release
  %p6 = getelementptr i16, ptr addrspace(7) %a, i32 %id
  %p7 = getelementptr i8, ptr addrspace(7) %p6, i32 512
  %x16 = trunc i32 %x to i16
  %6 = atomicrmw add ptr addrspace(7) %p7, i16 %x16 syncscope("agent") acquire
  %7 = atomicrmw xchg ptr addrspace(7) %p7, i16 %x16 syncscope("agent") acquire
  %q = getelementptr i64, ptr addrspace(7) %a, i32 %id
  %q1 = getelementptr i8, ptr addrspace(7) %q, i32 1024
  %x64 = sext i32 %x to i64
  %8 = atomicrmw add ptr addrspace(7) %q1, i64 %x64 syncscope("agent") seq_cst
  %9 = atomicrmw xor ptr addrspace(7) %q1, i64 -1 syncscope("agent") seq_cst
  %o = getelementptr [4 x i64], ptr addrspace(1) %out, i32 %id
  %o1 = getelementptr i8, ptr addrspace(1) %o, i32 4096
  %r16 = zext i16 %7 to i64
  store i64 %r16, ptr addrspace(1) %o1
  %o2 = getelementptr i8, ptr addrspace(1) %o1, i32 8
  store i64 %9, ptr addrspace(1) %o2
  ret void
}

define amdgpu_kernel void @returned(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %out, i16 0, i64 8000, i32 805466112)
  %p = getelementptr i32, ptr addrspace(7) %a, i32 %id
  store atomic i32 %id, ptr addrspace(7) %p syncscope("agent") release, align 4
  %1 = atomicrmw sub ptr addrspace(7) %p, i32 3 syncscope("agent") monotonic
  %2 = atomicrmw min ptr addrspace(7) %p, i32 10 syncscope("agent") acquire
  %3 = atomicrmw xchg ptr addrspace(7) %p, i32 %2 syncscope("agent") acq_rel
  %4 = load atomic i32, ptr addrspace(7) %p syncscope("agent") acquire, align 4
  %5 = cmpxchg ptr addrspace(7) %p, i32 %2, i32 99 syncscope("agent") acq_rel monotonic
  %old = extractvalue { i32, i1 } %5, 0
  %bit = extractvalue { i32, i1 } %5, 1
  %b = zext i1 %bit to i32
  %6 = cmpxchg weak ptr addrspace(7) %p, i32 98, i32 97 syncscope("workgroup") seq_cst seq_cst
  %old2 = extractvalue { i32, i1 } %6, 0
  %q = getelementptr i64, ptr addrspace(7) %a, i32 %id
  %q1 = getelementptr i8, ptr addrspace(7) %q, i32 1024
  %7 = cmpxchg ptr addrspace(7) %q1, i64 0, i64 12345678901234 syncscope("agent") seq_cst seq_cst
  %old64 = extractvalue { i64, i1 } %7, 0
  %8 = cmpxchg ptr addrspace(7) %q1, i64 12345678901234, i64 -7 syncscope("agent") seq_cst seq_cst
  %old65 = extractvalue { i64, i1 } %8, 0
  %s1 = mul i32 %1, 3
  %s2 = xor i32 %s1, %2
  %s3 = mul i32 %s2, 5
  %s4 = xor i32 %s3, %3
  %s5 = mul i32 %s4, 7
  %s6 = xor i32 %s5, %4
  %s7 = mul i32 %s6, 9
  %s8 = xor i32 %s7, %old
  %s9 = mul i32 %s8, 11
  %s10 = xor i32 %s9, %b
  %s11 = add i32 %s10, %old2
  %t = xor i64 %old64, %old65
  %o = getelementptr [4 x i64], ptr addrspace(1) %out, i32 %id
  %o1 = getelementptr i8, ptr addrspace(1) %o, i32 8192
  store i32 %s11, ptr addrspace(1) %o1
  %o2 = getelementptr i8, ptr addrspace(1) %o1, i32 8
  store i64 %t, ptr addrspace(1) %o2
  ret void
}

define amdgpu_kernel void @floats(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %out, i16 0, i64 30000, i32 805466112)
  %k = and i32 %id, 3
  %p = getelementptr i32, ptr addrspace(7) %a, i32 %k
  %x = uitofp i32 %id to float
  %1 = atomicrmw fadd ptr addrspace(7) %p, float %x syncscope("agent") monotonic, !amdgpu.no.fine.grained.memory !0, !amdgpu.ignore.denormal.mode !0
  %p2 = getelementptr i8, ptr addrspace(7) %p, i32 64
  %2 = atomicrmw fmax ptr addrspace(7) %p2, float %x syncscope("agent") monotonic, !amdgpu.no.fine.grained.memory !0
  %p3 = getelementptr i8, ptr addrspace(7) %p, i32 128
  %3 = atomicrmw fadd ptr addrspace(7) %p3, float %x syncscope("agent") monotonic
  %q = getelementptr double, ptr addrspace(7) %a, i32 %k
  %q1 = getelementptr i8, ptr addrspace(7) %q, i32 256
  %d = uitofp i32 %id to double
  %4 = atomicrmw fadd ptr addrspace(7) %q1, double %d syncscope("agent") monotonic, !amdgpu.no.fine.grained.memory !0
  %p5 = getelementptr i8, ptr addrspace(7) %p, i32 512
  %h = fptrunc float %x to half
  %h2 = insertelement <2 x half> splat (half 1.0), half %h, i32 0
  %5 = atomicrmw fadd ptr addrspace(7) %p5, <2 x half> %h2 syncscope("agent") monotonic, !amdgpu.no.fine.grained.memory !0
  ret void
}

define amdgpu_kernel void @chosen(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %out2 = getelementptr i8, ptr addrspace(1) %out, i32 4096
  %a = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %out, i16 0, i64 64, i32 805466112)
  %b = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %out2, i16 0, i64 128, i32 805466112)
  %bit = and i32 %id, 1
  %odd = icmp eq i32 %bit, 1
  %s = select i1 %odd, ptr addrspace(7) %a, ptr addrspace(7) %b
  %p = getelementptr i32, ptr addrspace(7) %s, i32 %id
  %1 = atomicrmw add ptr addrspace(7) %p, i32 %id syncscope("agent") monotonic
  %2 = atomicrmw add ptr addrspace(7) %p, i32 5 syncscope("agent") monotonic
  %3 = atomicrmw sub ptr addrspace(7) %p, i32 5 seq_cst
  %4 = cmpxchg ptr addrspace(7) %p, i32 %2, i32 99 syncscope("agent") acq_rel monotonic
  %old = extractvalue { i32, i1 } %4, 0
  %r = xor i32 %old, %3
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %o1 = getelementptr i8, ptr addrspace(1) %o, i32 8192
  store i32 %r, ptr addrspace(1) %o1
  ret void
}
!0 = !{}
