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
; Lanes that the shader chooses: by a mask, and the first 16 or 32.
define amdgpu_cs float @mask(float %f) {
  call void @llvm.amdgcn.init.exec(i64 4042322160)
  %r = fadd float %f, 1.0
  ret float %r
}
define amdgpu_cs float @first([9 x i32] inreg %s, i32 inreg %e, float %f) {
  call void @llvm.amdgcn.init.exec.from.input(i32 %e, i32 2)
  %r = fadd float %f, 2.0
  ret float %r
}
define amdgpu_cs float @all([18 x i32] inreg %s, i32 inreg %e, float %f) {
  call void @llvm.amdgcn.init.exec.from.input(i32 %e, i32 2)
  %r = fadd float %f, 3.0
  ret float %r
}
declare void @llvm.amdgcn.init.exec(i64)
declare void @llvm.amdgcn.init.exec.from.input(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)
