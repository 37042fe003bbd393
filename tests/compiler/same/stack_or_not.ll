; processors: gfx700 gfx803 gfx900 gfx90a gfx942 gfx1030:32 gfx1030:64 gfx1100:32 gfx1201:64 gfx1250
; Atomic operations of 64 bits at flat addresses that are of the stack in some lanes (AS-17), where the hardware has none.
; launch of k: -g 64 -b 64 --stack=16K
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()

define amdgpu_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %a = alloca [4 x i64], addrspace(5)
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %n = and i32 %i, 3
  %p = getelementptr i64, ptr addrspace(5) %a, i32 %n
  store i64 1000000000000, ptr addrspace(5) %p
  %q = getelementptr i64, ptr addrspace(1) %out, i32 %i
  store i64 5000000000, ptr addrspace(1) %q
  %pf = addrspacecast ptr addrspace(5) %p to ptr
  %qf = addrspacecast ptr addrspace(1) %q to ptr
  %odd = trunc i32 %i to i1
  %r = select i1 %odd, ptr %pf, ptr %qf
  %x = zext i32 %i to i64
  %1 = atomicrmw add ptr %r, i64 %x syncscope("agent") seq_cst
  %2 = atomicrmw umax ptr %r, i64 6000000000 syncscope("agent") monotonic
  %3 = atomicrmw fadd ptr %r, double 1.5 syncscope("agent") acquire
  %f = bitcast double %3 to i64
  %4 = cmpxchg ptr %r, i64 %f, i64 9000000000 syncscope("agent") acq_rel monotonic
  %5 = extractvalue { i64, i1 } %4, 0
  %6 = atomicrmw xchg ptr %r, i64 77 syncscope("workgroup") release
  %s1 = xor i64 %1, %2
  %s2 = mul i64 %s1, 5
  %s3 = xor i64 %s2, %f
  %s4 = mul i64 %s3, 7
  %s5 = xor i64 %s4, %5
  %s6 = mul i64 %s5, 9
  %s7 = xor i64 %s6, %6
  %own = load i64, ptr addrspace(5) %p
  %o = getelementptr [4 x i64], ptr addrspace(1) %out, i32 %i
  %o1 = getelementptr i8, ptr addrspace(1) %o, i32 4096
  store i64 %s7, ptr addrspace(1) %o1
  %o2 = getelementptr i64, ptr addrspace(1) %o1, i32 1
  store i64 %own, ptr addrspace(1) %o2
  ret void
}
