; Shaders that end: what they do is seen in memory, whose address is in s[10:11].
define amdgpu_cs void @stores([10 x i32] inreg %s, ptr addrspace(1) inreg %p, i32 %v, float %f) {
  %e = extractvalue [10 x i32] %s, 7
  %lane = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %l = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %lane)
  %x = add i32 %v, %e
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %l
  store i32 %x, ptr addrspace(1) %q
  %c = icmp ugt i32 %l, 20
  br i1 %c, label %more, label %end
more:
  %q2 = getelementptr float, ptr addrspace(1) %q, i32 64
  store float %f, ptr addrspace(1) %q2
  br label %end
end:
  ret void
}
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)
