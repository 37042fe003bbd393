; SPDX-License-Identifier: MIT
; processors: gfx803 gfx90a gfx942 gfx1030:32 gfx1030:64 gfx1100:32 gfx1100:64 gfx1201:32 gfx1201:64 gfx1250
; Constrained floating point as far as llc-22 takes it, with its named roundings, which change nothing.

define amdgpu_kernel void @single(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %i0 = add i32 %id, 64
  %p0 = getelementptr float, ptr addrspace(1) %in, i32 %i0
  %v0 = load float, ptr addrspace(1) %p0
  %i1 = add i32 %id, 128
  %p1 = getelementptr float, ptr addrspace(1) %in, i32 %i1
  %v1 = load float, ptr addrspace(1) %p1
  %i2 = add i32 %id, 192
  %p2 = getelementptr float, ptr addrspace(1) %in, i32 %i2
  %v2 = load float, ptr addrspace(1) %p2
  %r0 = call float @llvm.experimental.constrained.fadd.f32(float %v0, float %v1, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %n0 = add i32 %id, 0
  %o0 = getelementptr float, ptr addrspace(1) %out, i32 %n0
  store float %r0, ptr addrspace(1) %o0
  %r1 = call float @llvm.experimental.constrained.fadd.f32(float %v0, float %v1, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %n1 = add i32 %id, 64
  %o1 = getelementptr float, ptr addrspace(1) %out, i32 %n1
  store float %r1, ptr addrspace(1) %o1
  %r2 = call float @llvm.experimental.constrained.fsub.f32(float %v0, float %v1, metadata !"round.tonearest", metadata !"fpexcept.maytrap") strictfp
  %n2 = add i32 %id, 128
  %o2 = getelementptr float, ptr addrspace(1) %out, i32 %n2
  store float %r2, ptr addrspace(1) %o2
  %r3 = call float @llvm.experimental.constrained.fmul.f32(float %v0, float %v1, metadata !"round.downward", metadata !"fpexcept.strict") strictfp
  %n3 = add i32 %id, 192
  %o3 = getelementptr float, ptr addrspace(1) %out, i32 %n3
  store float %r3, ptr addrspace(1) %o3
  %r4 = call float @llvm.experimental.constrained.fma.f32(float %v0, float %v1, float %v2, metadata !"round.towardzero", metadata !"fpexcept.maytrap") strictfp
  %n4 = add i32 %id, 256
  %o4 = getelementptr float, ptr addrspace(1) %out, i32 %n4
  store float %r4, ptr addrspace(1) %o4
  %r5 = call float @llvm.experimental.constrained.fmul.f32(float %v1, float %v2, metadata !"round.tonearestaway", metadata !"fpexcept.ignore") strictfp
  %n5 = add i32 %id, 320
  %o5 = getelementptr float, ptr addrspace(1) %out, i32 %n5
  store float %r5, ptr addrspace(1) %o5
  %r6 = call float @llvm.experimental.constrained.ceil.f32(float %v0, metadata !"fpexcept.strict") strictfp
  %n6 = add i32 %id, 384
  %o6 = getelementptr float, ptr addrspace(1) %out, i32 %n6
  store float %r6, ptr addrspace(1) %o6
  %r7 = call float @llvm.experimental.constrained.trunc.f32(float %v0, metadata !"fpexcept.maytrap") strictfp
  %n7 = add i32 %id, 448
  %o7 = getelementptr float, ptr addrspace(1) %out, i32 %n7
  store float %r7, ptr addrspace(1) %o7
  %r8 = call float @llvm.experimental.constrained.roundeven.f32(float %v0, metadata !"fpexcept.ignore") strictfp
  %n8 = add i32 %id, 512
  %o8 = getelementptr float, ptr addrspace(1) %out, i32 %n8
  store float %r8, ptr addrspace(1) %o8
  ret void
}
define amdgpu_kernel void @wide(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %i0 = add i32 %id, 64
  %p0 = getelementptr double, ptr addrspace(1) %in, i32 %i0
  %v0 = load double, ptr addrspace(1) %p0
  %i1 = add i32 %id, 128
  %p1 = getelementptr double, ptr addrspace(1) %in, i32 %i1
  %v1 = load double, ptr addrspace(1) %p1
  %i2 = add i32 %id, 192
  %p2 = getelementptr double, ptr addrspace(1) %in, i32 %i2
  %v2 = load double, ptr addrspace(1) %p2
  %r0 = call double @llvm.experimental.constrained.fadd.f64(double %v0, double %v1, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %n0 = add i32 %id, 0
  %o0 = getelementptr double, ptr addrspace(1) %out, i32 %n0
  store double %r0, ptr addrspace(1) %o0
  %r1 = call double @llvm.experimental.constrained.fadd.f64(double %v0, double %v1, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %n1 = add i32 %id, 64
  %o1 = getelementptr double, ptr addrspace(1) %out, i32 %n1
  store double %r1, ptr addrspace(1) %o1
  %r2 = call double @llvm.experimental.constrained.fsub.f64(double %v0, double %v1, metadata !"round.tonearest", metadata !"fpexcept.maytrap") strictfp
  %n2 = add i32 %id, 128
  %o2 = getelementptr double, ptr addrspace(1) %out, i32 %n2
  store double %r2, ptr addrspace(1) %o2
  %r3 = call double @llvm.experimental.constrained.fmul.f64(double %v0, double %v1, metadata !"round.downward", metadata !"fpexcept.strict") strictfp
  %n3 = add i32 %id, 192
  %o3 = getelementptr double, ptr addrspace(1) %out, i32 %n3
  store double %r3, ptr addrspace(1) %o3
  %r4 = call double @llvm.experimental.constrained.fma.f64(double %v0, double %v1, double %v2, metadata !"round.towardzero", metadata !"fpexcept.maytrap") strictfp
  %n4 = add i32 %id, 256
  %o4 = getelementptr double, ptr addrspace(1) %out, i32 %n4
  store double %r4, ptr addrspace(1) %o4
  %r5 = call double @llvm.experimental.constrained.fmul.f64(double %v1, double %v2, metadata !"round.tonearestaway", metadata !"fpexcept.ignore") strictfp
  %n5 = add i32 %id, 320
  %o5 = getelementptr double, ptr addrspace(1) %out, i32 %n5
  store double %r5, ptr addrspace(1) %o5
  %r6 = call double @llvm.experimental.constrained.ceil.f64(double %v0, metadata !"fpexcept.strict") strictfp
  %n6 = add i32 %id, 384
  %o6 = getelementptr double, ptr addrspace(1) %out, i32 %n6
  store double %r6, ptr addrspace(1) %o6
  %r7 = call double @llvm.experimental.constrained.trunc.f64(double %v0, metadata !"fpexcept.maytrap") strictfp
  %n7 = add i32 %id, 448
  %o7 = getelementptr double, ptr addrspace(1) %out, i32 %n7
  store double %r7, ptr addrspace(1) %o7
  %r8 = call double @llvm.experimental.constrained.roundeven.f64(double %v0, metadata !"fpexcept.ignore") strictfp
  %n8 = add i32 %id, 512
  %o8 = getelementptr double, ptr addrspace(1) %out, i32 %n8
  store double %r8, ptr addrspace(1) %o8
  ret void
}
define amdgpu_kernel void @halves(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %i0 = add i32 %id, 64
  %p0 = getelementptr half, ptr addrspace(1) %in, i32 %i0
  %v0 = load half, ptr addrspace(1) %p0
  %i1 = add i32 %id, 128
  %p1 = getelementptr half, ptr addrspace(1) %in, i32 %i1
  %v1 = load half, ptr addrspace(1) %p1
  %i2 = add i32 %id, 192
  %p2 = getelementptr half, ptr addrspace(1) %in, i32 %i2
  %v2 = load half, ptr addrspace(1) %p2
  %r0 = call half @llvm.experimental.constrained.fadd.f16(half %v0, half %v1, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %n0 = add i32 %id, 0
  %o0 = getelementptr half, ptr addrspace(1) %out, i32 %n0
  store half %r0, ptr addrspace(1) %o0
  %r1 = call half @llvm.experimental.constrained.fadd.f16(half %v0, half %v1, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %n1 = add i32 %id, 64
  %o1 = getelementptr half, ptr addrspace(1) %out, i32 %n1
  store half %r1, ptr addrspace(1) %o1
  %r2 = call half @llvm.experimental.constrained.fsub.f16(half %v0, half %v1, metadata !"round.tonearest", metadata !"fpexcept.maytrap") strictfp
  %n2 = add i32 %id, 128
  %o2 = getelementptr half, ptr addrspace(1) %out, i32 %n2
  store half %r2, ptr addrspace(1) %o2
  %r3 = call half @llvm.experimental.constrained.fmul.f16(half %v0, half %v1, metadata !"round.downward", metadata !"fpexcept.strict") strictfp
  %n3 = add i32 %id, 192
  %o3 = getelementptr half, ptr addrspace(1) %out, i32 %n3
  store half %r3, ptr addrspace(1) %o3
  %r4 = call half @llvm.experimental.constrained.fma.f16(half %v0, half %v1, half %v2, metadata !"round.towardzero", metadata !"fpexcept.maytrap") strictfp
  %n4 = add i32 %id, 256
  %o4 = getelementptr half, ptr addrspace(1) %out, i32 %n4
  store half %r4, ptr addrspace(1) %o4
  %r5 = call half @llvm.experimental.constrained.fmul.f16(half %v1, half %v2, metadata !"round.tonearestaway", metadata !"fpexcept.ignore") strictfp
  %n5 = add i32 %id, 320
  %o5 = getelementptr half, ptr addrspace(1) %out, i32 %n5
  store half %r5, ptr addrspace(1) %o5
  ret void
}
define amdgpu_kernel void @two(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %i0 = add i32 %id, 64
  %p0 = getelementptr <2 x float>, ptr addrspace(1) %in, i32 %i0
  %v0 = load <2 x float>, ptr addrspace(1) %p0
  %i1 = add i32 %id, 128
  %p1 = getelementptr <2 x float>, ptr addrspace(1) %in, i32 %i1
  %v1 = load <2 x float>, ptr addrspace(1) %p1
  %i2 = add i32 %id, 192
  %p2 = getelementptr <2 x float>, ptr addrspace(1) %in, i32 %i2
  %v2 = load <2 x float>, ptr addrspace(1) %p2
  %r0 = call <2 x float> @llvm.experimental.constrained.fadd.v2f32(<2 x float> %v0, <2 x float> %v1, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %n0 = add i32 %id, 0
  %o0 = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %n0
  store <2 x float> %r0, ptr addrspace(1) %o0
  %r1 = call <2 x float> @llvm.experimental.constrained.fadd.v2f32(<2 x float> %v0, <2 x float> %v1, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %n1 = add i32 %id, 64
  %o1 = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %n1
  store <2 x float> %r1, ptr addrspace(1) %o1
  %r2 = call <2 x float> @llvm.experimental.constrained.fsub.v2f32(<2 x float> %v0, <2 x float> %v1, metadata !"round.tonearest", metadata !"fpexcept.maytrap") strictfp
  %n2 = add i32 %id, 128
  %o2 = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %n2
  store <2 x float> %r2, ptr addrspace(1) %o2
  %r3 = call <2 x float> @llvm.experimental.constrained.fmul.v2f32(<2 x float> %v0, <2 x float> %v1, metadata !"round.downward", metadata !"fpexcept.strict") strictfp
  %n3 = add i32 %id, 192
  %o3 = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %n3
  store <2 x float> %r3, ptr addrspace(1) %o3
  %r4 = call <2 x float> @llvm.experimental.constrained.fma.v2f32(<2 x float> %v0, <2 x float> %v1, <2 x float> %v2, metadata !"round.towardzero", metadata !"fpexcept.maytrap") strictfp
  %n4 = add i32 %id, 256
  %o4 = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %n4
  store <2 x float> %r4, ptr addrspace(1) %o4
  %r5 = call <2 x float> @llvm.experimental.constrained.fmul.v2f32(<2 x float> %v1, <2 x float> %v2, metadata !"round.tonearestaway", metadata !"fpexcept.ignore") strictfp
  %n5 = add i32 %id, 320
  %o5 = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %n5
  store <2 x float> %r5, ptr addrspace(1) %o5
  ret void
}
define amdgpu_kernel void @three(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %i0 = add i32 %id, 64
  %p0 = getelementptr <3 x float>, ptr addrspace(1) %in, i32 %i0
  %v0 = load <3 x float>, ptr addrspace(1) %p0
  %i1 = add i32 %id, 128
  %p1 = getelementptr <3 x float>, ptr addrspace(1) %in, i32 %i1
  %v1 = load <3 x float>, ptr addrspace(1) %p1
  %i2 = add i32 %id, 192
  %p2 = getelementptr <3 x float>, ptr addrspace(1) %in, i32 %i2
  %v2 = load <3 x float>, ptr addrspace(1) %p2
  %r0 = call <3 x float> @llvm.experimental.constrained.fadd.v3f32(<3 x float> %v0, <3 x float> %v1, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %n0 = add i32 %id, 0
  %o0 = getelementptr <3 x float>, ptr addrspace(1) %out, i32 %n0
  store <3 x float> %r0, ptr addrspace(1) %o0
  %r1 = call <3 x float> @llvm.experimental.constrained.fadd.v3f32(<3 x float> %v0, <3 x float> %v1, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %n1 = add i32 %id, 64
  %o1 = getelementptr <3 x float>, ptr addrspace(1) %out, i32 %n1
  store <3 x float> %r1, ptr addrspace(1) %o1
  %r2 = call <3 x float> @llvm.experimental.constrained.fsub.v3f32(<3 x float> %v0, <3 x float> %v1, metadata !"round.tonearest", metadata !"fpexcept.maytrap") strictfp
  %n2 = add i32 %id, 128
  %o2 = getelementptr <3 x float>, ptr addrspace(1) %out, i32 %n2
  store <3 x float> %r2, ptr addrspace(1) %o2
  %r3 = call <3 x float> @llvm.experimental.constrained.fmul.v3f32(<3 x float> %v0, <3 x float> %v1, metadata !"round.downward", metadata !"fpexcept.strict") strictfp
  %n3 = add i32 %id, 192
  %o3 = getelementptr <3 x float>, ptr addrspace(1) %out, i32 %n3
  store <3 x float> %r3, ptr addrspace(1) %o3
  %r4 = call <3 x float> @llvm.experimental.constrained.fma.v3f32(<3 x float> %v0, <3 x float> %v1, <3 x float> %v2, metadata !"round.towardzero", metadata !"fpexcept.maytrap") strictfp
  %n4 = add i32 %id, 256
  %o4 = getelementptr <3 x float>, ptr addrspace(1) %out, i32 %n4
  store <3 x float> %r4, ptr addrspace(1) %o4
  %r5 = call <3 x float> @llvm.experimental.constrained.fmul.v3f32(<3 x float> %v1, <3 x float> %v2, metadata !"round.tonearestaway", metadata !"fpexcept.ignore") strictfp
  %n5 = add i32 %id, 320
  %o5 = getelementptr <3 x float>, ptr addrspace(1) %out, i32 %n5
  store <3 x float> %r5, ptr addrspace(1) %o5
  ret void
}
define amdgpu_kernel void @narrow(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %i0 = add i32 %id, 64
  %p0 = getelementptr double, ptr addrspace(1) %in, i32 %i0
  %v0 = load double, ptr addrspace(1) %p0
  %i1 = add i32 %id, 128
  %p1 = getelementptr double, ptr addrspace(1) %in, i32 %i1
  %v1 = load double, ptr addrspace(1) %p1
  %i2 = add i32 %id, 192
  %p2 = getelementptr double, ptr addrspace(1) %in, i32 %i2
  %v2 = load double, ptr addrspace(1) %p2
  %r0 = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %v0, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %n0 = add i32 %id, 0
  %o0 = getelementptr float, ptr addrspace(1) %out, i32 %n0
  store float %r0, ptr addrspace(1) %o0
  %r1 = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %v0, metadata !"round.tonearest", metadata !"fpexcept.maytrap") strictfp
  %n1 = add i32 %id, 64
  %o1 = getelementptr float, ptr addrspace(1) %out, i32 %n1
  store float %r1, ptr addrspace(1) %o1
  %r2 = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %v0, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %n2 = add i32 %id, 128
  %o2 = getelementptr float, ptr addrspace(1) %out, i32 %n2
  store float %r2, ptr addrspace(1) %o2
  %r3 = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %v0, metadata !"round.downward", metadata !"fpexcept.strict") strictfp
  %n3 = add i32 %id, 192
  %o3 = getelementptr float, ptr addrspace(1) %out, i32 %n3
  store float %r3, ptr addrspace(1) %o3
  %r4 = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %v0, metadata !"round.towardzero", metadata !"fpexcept.maytrap") strictfp
  %n4 = add i32 %id, 256
  %o4 = getelementptr float, ptr addrspace(1) %out, i32 %n4
  store float %r4, ptr addrspace(1) %o4
  %r5 = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %v0, metadata !"round.tonearestaway", metadata !"fpexcept.ignore") strictfp
  %n5 = add i32 %id, 320
  %o5 = getelementptr float, ptr addrspace(1) %out, i32 %n5
  store float %r5, ptr addrspace(1) %o5
  ret void
}
define amdgpu_kernel void @widen(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %i0 = add i32 %id, 64
  %p0 = getelementptr float, ptr addrspace(1) %in, i32 %i0
  %v0 = load float, ptr addrspace(1) %p0
  %i1 = add i32 %id, 128
  %p1 = getelementptr float, ptr addrspace(1) %in, i32 %i1
  %v1 = load float, ptr addrspace(1) %p1
  %i2 = add i32 %id, 192
  %p2 = getelementptr float, ptr addrspace(1) %in, i32 %i2
  %v2 = load float, ptr addrspace(1) %p2
  %r0 = call double @llvm.experimental.constrained.fpext.f64.f32(float %v1, metadata !"fpexcept.strict") strictfp
  %n0 = add i32 %id, 0
  %o0 = getelementptr double, ptr addrspace(1) %out, i32 %n0
  store double %r0, ptr addrspace(1) %o0
  ret void
}
attributes #0 = { strictfp "amdgpu-flat-work-group-size"="64,64" }
