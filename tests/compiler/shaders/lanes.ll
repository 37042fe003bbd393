; Shaders that say which lanes there are: by a number, by a count in an argument, of all lanes, of none.
define amdgpu_cs float @lanes_constant(i32 inreg %a, float %x) {
  call void @llvm.amdgcn.init.exec(i64 123456)
  %r = fadd float %x, 1.5
  ret float %r
}
define amdgpu_ps float @lanes_all(float %x, float %y) #0 {
  call void @llvm.amdgcn.init.exec(i64 -1)
  %r = fmul float %x, %y
  ret float %r
}
define amdgpu_gs float @lanes_counted(i32 inreg %a, i32 inreg %b, i32 inreg %c, float %x) {
  call void @llvm.amdgcn.init.exec.from.input(i32 %c, i32 0)
  %r = fadd float %x, 2.5
  ret float %r
}
define amdgpu_gs float @lanes_shifted(i32 inreg %a, i32 inreg %b, float %x) {
  call void @llvm.amdgcn.init.exec.from.input(i32 %b, i32 1)
  %f = fcmp ogt float %x, 2.0
  br i1 %f, label %more, label %done
more:
  %s = fmul float %x, 3.0
  br label %done
done:
  %r = phi float [ %x, %0 ], [ %s, %more ]
  ret float %r
}
declare void @llvm.amdgcn.init.exec(i64)
declare void @llvm.amdgcn.init.exec.from.input(i32, i32)
attributes #0 = { "InitialPSInputAddr"="0xffff" }
