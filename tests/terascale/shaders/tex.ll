; A texture sampled in three ways, with an offset, and compared.
define amdgpu_ps void @tex(<4 x float> inreg %a, <4 x float> inreg %b) {
  %t = call <4 x float> @llvm.r600.tex(<4 x float> %a, i32 0, i32 0, i32 0, i32 3, i32 1, i32 1, i32 1, i32 1, i32 1)
  %l = call <4 x float> @llvm.r600.tex(<4 x float> %b, i32 1, i32 -1, i32 0, i32 3, i32 1, i32 1, i32 1, i32 1, i32 1)
  %c = call <4 x float> @llvm.r600.texc(<4 x float> %b, i32 0, i32 0, i32 0, i32 3, i32 1, i32 1, i32 1, i32 1, i32 1)
  call void @llvm.r600.store.swizzle(<4 x float> %t, i32 0, i32 0)
  %x = extractelement <4 x float> %l, i32 0
  %y = extractelement <4 x float> %c, i32 0
  %p = insertelement <4 x float> %a, float %x, i32 2
  %q = insertelement <4 x float> %p, float %y, i32 3
  call void @llvm.r600.store.swizzle(<4 x float> %q, i32 1, i32 0)
  ret void
}
declare <4 x float> @llvm.r600.tex(<4 x float>, i32, i32, i32, i32, i32, i32, i32, i32, i32)
declare <4 x float> @llvm.r600.texc(<4 x float>, i32, i32, i32, i32, i32, i32, i32, i32, i32)
declare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)
