; A dot product, which takes all vector slots, and integers.
define amdgpu_ps void @dot(<4 x float> inreg %a, <4 x float> inreg %b) {
  %d = call float @llvm.r600.dot4(<4 x float> %a, <4 x float> %b)
  %x = extractelement <4 x float> %a, i32 0
  %y = extractelement <4 x float> %b, i32 1
  %i = fptosi float %x to i32
  %j = fptosi float %y to i32
  %s = add i32 %i, %j
  %t = mul i32 %s, %i
  %n = xor i32 %t, 85
  %c = icmp sgt i32 %n, %j
  %m = select i1 %c, i32 %n, i32 %s
  %f = sitofp i32 %m to float
  %u = insertelement <4 x float> %a, float %d, i32 0
  %v = insertelement <4 x float> %u, float %f, i32 1
  call void @llvm.r600.store.swizzle(<4 x float> %v, i32 0, i32 0)
  ret void
}
declare float @llvm.r600.dot4(<4 x float>, <4 x float>)
declare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)
