; Shaders that waves begin with, each followed by what takes its results: floats in v0 and so on, all else in s0 and so on.
; CC-03, CC-13, CC-15, CC-16, CC-18, CC-19, CC-20; ATT-29.
define amdgpu_cs <4 x float> @cs(float %a, i32 inreg %b, <4 x i32> inreg %r, i32 %c) {
  %x = sitofp i32 %b to float
  %y = fadd float %x, %a
  %e = extractelement <4 x i32> %r, i32 2
  %s = add i32 %e, %c
  %f = bitcast i32 %s to float
  %v = insertelement <4 x float> zeroinitializer, float %y, i32 1
  %w = insertelement <4 x float> %v, float %f, i32 3
  ret <4 x float> %w
}
define amdgpu_es { i32, float, i64, float, <2 x i16>, double, ptr addrspace(3) } @es(float %a, i32 inreg %b, i64 inreg %q, half %h, <2 x i16> %i2, double %d, ptr addrspace(3) inreg %p) {
  %b1 = add i32 %b, 5
  %hf = fpext half %h to float
  %r0 = insertvalue { i32, float, i64, float, <2 x i16>, double, ptr addrspace(3) } poison, i32 %b1, 0
  %r1 = insertvalue { i32, float, i64, float, <2 x i16>, double, ptr addrspace(3) } %r0, float %a, 1
  %r2 = insertvalue { i32, float, i64, float, <2 x i16>, double, ptr addrspace(3) } %r1, i64 %q, 2
  %r3 = insertvalue { i32, float, i64, float, <2 x i16>, double, ptr addrspace(3) } %r2, float %hf, 3
  %r4 = insertvalue { i32, float, i64, float, <2 x i16>, double, ptr addrspace(3) } %r3, <2 x i16> %i2, 4
  %r5 = insertvalue { i32, float, i64, float, <2 x i16>, double, ptr addrspace(3) } %r4, double %d, 5
  %r6 = insertvalue { i32, float, i64, float, <2 x i16>, double, ptr addrspace(3) } %r5, ptr addrspace(3) %p, 6
  ret { i32, float, i64, float, <2 x i16>, double, ptr addrspace(3) } %r6
}
define amdgpu_gs { i32, float } @gs(i32 inreg %a, i32 inreg %b, float %x, float %y) {
  %c = icmp ult i32 %a, %b
  br i1 %c, label %less, label %more
less:
  %m = fmul float %x, %y
  br label %end
more:
  %s = fsub float %x, %y
  br label %end
end:
  %f = phi float [ %m, %less ], [ %s, %more ]
  %n = phi i32 [ %a, %less ], [ 17, %more ]
  %r0 = insertvalue { i32, float } poison, i32 %n, 0
  %r1 = insertvalue { i32, float } %r0, float %f, 1
  ret { i32, float } %r1
}
define amdgpu_hs float @hs(i32 %v, i32 inreg %b, float %x) {
  %bit = and i32 %v, 4096
  %c = icmp eq i32 %bit, 0
  br i1 %c, label %one, label %other
one:
  %m = fmul float %x, 3.0
  ret float %m
other:
  %k = sitofp i32 %b to float
  ret float %k
}
define amdgpu_ls <3 x float> @ls([3 x i32] inreg %s, <2 x float> %v, i32 %i) {
  %e = extractvalue [3 x i32] %s, 2
  %f = bitcast i32 %e to float
  %a = extractelement <2 x float> %v, i32 1
  %b = bitcast i32 %i to float
  %r0 = insertelement <3 x float> poison, float %f, i32 0
  %r1 = insertelement <3 x float> %r0, float %a, i32 1
  %r2 = insertelement <3 x float> %r1, float %b, i32 2
  ret <3 x float> %r2
}
define amdgpu_vs i32 @vs(i32 inreg %a, i8 inreg %b, i1 inreg %c) {
  %z = zext i8 %b to i32
  %s = add i32 %z, %a
  %r = select i1 %c, i32 %s, i32 %z
  ret i32 %r
}
define amdgpu_ps { float, float } @ps(i32 inreg %m, <2 x float> %sample, <2 x float> %center, <2 x float> %centroid, float %x, float %y) {
  %a = extractelement <2 x float> %center, i32 1
  %b = fadd float %a, %y
  %r0 = insertvalue { float, float } poison, float %a, 0
  %r1 = insertvalue { float, float } %r0, float %b, 1
  ret { float, float } %r1
}
define amdgpu_ps { float, float } @ps_no_location(i32 inreg %m, <2 x float> %a1, <2 x float> %a2, <2 x float> %a3, <3 x float> %a4, <2 x float> %a5, <2 x float> %a6, <2 x float> %a7, float %stipple, float %x, float %y) {
  %b = fadd float %x, %y
  %r0 = insertvalue { float, float } poison, float %x, 0
  %r1 = insertvalue { float, float } %r0, float %b, 1
  ret { float, float } %r1
}
define amdgpu_ps { float, float } @ps_initial(<2 x float> %sample, <2 x float> %center, <2 x float> %centroid, float %x, float %y) #0 {
  %a = extractelement <2 x float> %center, i32 1
  %b = fadd float %a, %y
  %r0 = insertvalue { float, float } poison, float %a, 0
  %r1 = insertvalue { float, float } %r0, float %b, 1
  ret { float, float } %r1
}
attributes #0 = { "InitialPSInputAddr"="5" }
