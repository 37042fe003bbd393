; processors: gfx900 gfx90a gfx942 gfx1030:32 gfx1030:64 gfx1100:32 gfx1201:64 gfx1250
; Atomic operations of 64 bits in a function without a stack of its own, at addresses of which some are of its caller's. (Before
; GFX9, llc-22 alone does not give the function what it needs to ask that.)
; launch of called: -g 64 -b 64 --stack=16K
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()

define internal i64 @add(ptr %p, i64 %x) noinline {
  %1 = atomicrmw add ptr %p, i64 %x syncscope("agent") seq_cst
  %2 = cmpxchg ptr %p, i64 1000000000003, i64 4 syncscope("agent") acq_rel monotonic
  %3 = extractvalue { i64, i1 } %2, 0
  %4 = mul i64 %3, 3
  %5 = xor i64 %1, %4
  ret i64 %5
}
define amdgpu_kernel void @called(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %a = alloca i64, addrspace(5)
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  store i64 1000000000000, ptr addrspace(5) %a
  %q = getelementptr i64, ptr addrspace(1) %out, i32 %i
  store i64 5000000000, ptr addrspace(1) %q
  %pf = addrspacecast ptr addrspace(5) %a to ptr
  %qf = addrspacecast ptr addrspace(1) %q to ptr
  %odd = trunc i32 %i to i1
  %r = select i1 %odd, ptr %pf, ptr %qf
  %x = zext i32 %i to i64
  %s = call i64 @add(ptr %r, i64 %x)
  %own = load i64, ptr addrspace(5) %a
  %o = getelementptr [2 x i64], ptr addrspace(1) %out, i32 %i
  %o1 = getelementptr i8, ptr addrspace(1) %o, i32 4096
  store i64 %s, ptr addrspace(1) %o1
  %o2 = getelementptr i64, ptr addrspace(1) %o1, i32 1
  store i64 %own, ptr addrspace(1) %o2
  ret void
}
