; Arithmetic on two inputs and two constants; a colour and a depth.
define amdgpu_ps void @mix(<4 x float> inreg %a, <4 x float> inreg %b) {
  %c = load <4 x float>, ptr addrspace(8) null
  %d = load <4 x float>, ptr addrspace(8) getelementptr ([1024 x <4 x float>], ptr addrspace(8) null, i64 0, i32 1)
  %p = fmul <4 x float> %a, %c
  %q = fadd <4 x float> %p, %b
  %less = fcmp olt <4 x float> %q, %d
  %r = select <4 x i1> %less, <4 x float> %d, <4 x float> %q
  %x = extractelement <4 x float> %r, i32 0
  %w = extractelement <4 x float> %a, i32 3
  %floor = call float @llvm.floor.f32(float %x)
  %s = fsub float %w, %floor
  %e = insertelement <4 x float> %r, float %s, i32 3
  call void @llvm.r600.store.swizzle(<4 x float> %e, i32 0, i32 0)
  call void @llvm.r600.store.swizzle(<4 x float> %q, i32 1, i32 0)
  ret void
}
declare float @llvm.floor.f32(float)
declare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)
