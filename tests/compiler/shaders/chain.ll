; Chains: CC-04, CC-05, CC-07, CC-08, CC-10 to CC-12. The last function stores what it is given; those lanes go on that the
; jump says.
declare void @llvm.amdgcn.cs.chain.p0.iWAVE.s.s(ptr, iWAVE, [12 x i32], { i32, float, i64 }, i32 immarg, ...)
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)
define amdgpu_cs_chain void @start([12 x i32] inreg %s, i32 %v, float %w, i64 %d) {
  %e = extractvalue [12 x i32] %s, 3
  %c = icmp eq i32 %e, 24
  %x = add i32 %v, %e
  %i = insertvalue { i32, float, i64 } poison, i32 %x, 0
  %j = insertvalue { i32, float, i64 } %i, float %w, 1
  %k = insertvalue { i32, float, i64 } %j, i64 %d, 2
  br i1 %c, label %a, label %b
a:
  call void (ptr, iWAVE, [12 x i32], { i32, float, i64 }, i32, ...) @llvm.amdgcn.cs.chain.p0.iWAVE.s.s(ptr @next, iWAVE 16777087, [12 x i32] inreg %s, { i32, float, i64 } %k, i32 0)
  unreachable
b:
  %t = insertvalue [12 x i32] %s, i32 99, 0
  call void (ptr, iWAVE, [12 x i32], { i32, float, i64 }, i32, ...) @llvm.amdgcn.cs.chain.p0.iWAVE.s.s(ptr @last, iWAVE 255, [12 x i32] inreg %t, { i32, float, i64 } %k, i32 0)
  unreachable
}
define amdgpu_cs_chain_preserve void @next([12 x i32] inreg %s, i32 %v, float %w, i64 %d) {
  %e = extractvalue [12 x i32] %s, 4
  %f = extractvalue [12 x i32] %s, 5
  %m = mul i32 %e, %v
  %n = add i32 %m, %f
  %t = insertvalue [12 x i32] %s, i32 %e, 1
  %i = insertvalue { i32, float, i64 } poison, i32 %n, 0
  %j = insertvalue { i32, float, i64 } %i, float %w, 1
  %k = insertvalue { i32, float, i64 } %j, i64 %d, 2
  call void (ptr, iWAVE, [12 x i32], { i32, float, i64 }, i32, ...) @llvm.amdgcn.cs.chain.p0.iWAVE.s.s(ptr @last, iWAVE 1048560, [12 x i32] inreg %t, { i32, float, i64 } %k, i32 0)
  unreachable
}
define amdgpu_cs_chain void @last([12 x i32] inreg %s, i32 %v, float %w, i64 %d) {
  %l0 = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %l = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %l0)
  %a = extractvalue [12 x i32] %s, 10
  %b = extractvalue [12 x i32] %s, 11
  %az = zext i32 %a to i64
  %bz = zext i32 %b to i64
  %bs = shl i64 %bz, 32
  %ab = or i64 %az, %bs
  %p = inttoptr i64 %ab to ptr addrspace(1)
  %e = extractvalue [12 x i32] %s, 0
  %f = extractvalue [12 x i32] %s, 1
  %g = xor i32 %e, %f
  %n = add i32 %v, %g
  %q = getelementptr [4 x i32], ptr addrspace(1) %p, i32 %l
  store i32 %n, ptr addrspace(1) %q
  %q1 = getelementptr i32, ptr addrspace(1) %q, i32 1
  store float %w, ptr addrspace(1) %q1
  %q2 = getelementptr i32, ptr addrspace(1) %q, i32 2
  store i64 %d, ptr addrspace(1) %q2, align 4
  ret void
}
