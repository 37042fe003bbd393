; A chain in which waves become whole (INT-46, CC-08): what lanes hold that do not execute comes from the one before.
declare void @llvm.amdgcn.cs.chain.p0.iWAVE.s.s(ptr, iWAVE, [12 x i32], { i32, i32, i32 }, i32 immarg, ...)
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)
declare i1 @llvm.amdgcn.init.whole.wave()
declare i32 @llvm.amdgcn.set.inactive.chain.arg.i32(i32, i32)
declare i32 @llvm.amdgcn.strict.wwm.i32(i32)
declare i32 @llvm.amdgcn.ds.swizzle(i32, i32)
define amdgpu_cs_chain void @start([12 x i32] inreg %s, i32 %v, i32 %w, i32 %d) {
  %i = insertvalue { i32, i32, i32 } poison, i32 %w, 0
  %j = insertvalue { i32, i32, i32 } %i, i32 %v, 1
  %k = insertvalue { i32, i32, i32 } %j, i32 %d, 2
  call void (ptr, iWAVE, [12 x i32], { i32, i32, i32 }, i32, ...) @llvm.amdgcn.cs.chain.p0.iWAVE.s.s(ptr @middle, iWAVE 15794959, [12 x i32] inreg %s, { i32, i32, i32 } %k, i32 0)
  unreachable
}
define amdgpu_cs_chain void @middle([12 x i32] inreg %s, i32 %v, i32 %w, i32 %d) {
  %m = mul i32 %v, %w
  %t = call i32 @llvm.amdgcn.set.inactive.chain.arg.i32(i32 %m, i32 %d)
  %u = call i32 @llvm.amdgcn.ds.swizzle(i32 %t, i32 31775)
  %r = call i32 @llvm.amdgcn.strict.wwm.i32(i32 %u)
  %i = insertvalue { i32, i32, i32 } poison, i32 %r, 0
  %j = insertvalue { i32, i32, i32 } %i, i32 %v, 1
  %k = insertvalue { i32, i32, i32 } %j, i32 %d, 2
  call void (ptr, iWAVE, [12 x i32], { i32, i32, i32 }, i32, ...) @llvm.amdgcn.cs.chain.p0.iWAVE.s.s(ptr @whole, iWAVE 15729423, [12 x i32] inreg %s, { i32, i32, i32 } %k, i32 0)
  unreachable
}
define amdgpu_cs_chain void @whole([12 x i32] inreg %s, i32 %v, i32 %w, i32 %d) {
entry:
  %active = call i1 @llvm.amdgcn.init.whole.wave()
  br i1 %active, label %some, label %end
some:
  %a = mul i32 %w, 3
  %b = xor i32 %a, %v
  %odd = and i32 %b, 32
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %more, label %on
more:
  %e = add i32 %b, 77
  br label %on
on:
  %f = phi i32 [ %b, %some ], [ %e, %more ]
  br label %end
end:
  %x = phi i32 [ 71, %entry ], [ %f, %on ]
  %z = phi i32 [ %d, %entry ], [ %f, %on ]
  %y = call i32 @llvm.amdgcn.ds.swizzle(i32 %x, i32 1055)
  %i = insertvalue { i32, i32, i32 } poison, i32 %y, 0
  %j = insertvalue { i32, i32, i32 } %i, i32 %x, 1
  %k = insertvalue { i32, i32, i32 } %j, i32 %z, 2
  call void (ptr, iWAVE, [12 x i32], { i32, i32, i32 }, i32, ...) @llvm.amdgcn.cs.chain.p0.iWAVE.s.s(ptr @last, iWAVE -1, [12 x i32] inreg %s, { i32, i32, i32 } %k, i32 0)
  unreachable
}
define amdgpu_cs_chain void @last([12 x i32] inreg %s, i32 %v, i32 %w, i32 %d) {
  %l0 = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %l = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %l0)
  %a = extractvalue [12 x i32] %s, 10
  %b = extractvalue [12 x i32] %s, 11
  %az = zext i32 %a to i64
  %bz = zext i32 %b to i64
  %bs = shl i64 %bz, 32
  %ab = or i64 %az, %bs
  %p = inttoptr i64 %ab to ptr addrspace(1)
  %q = getelementptr [4 x i32], ptr addrspace(1) %p, i32 %l
  store i32 %v, ptr addrspace(1) %q
  %q1 = getelementptr i32, ptr addrspace(1) %q, i32 1
  store i32 %w, ptr addrspace(1) %q1
  %q2 = getelementptr i32, ptr addrspace(1) %q, i32 2
  store i32 %d, ptr addrspace(1) %q2, align 4
  ret void
}
