; SPDX-License-Identifier: MIT
; processors: gfx803 gfx900 gfx90a gfx1030:32 gfx1030:64 gfx1100:32 gfx1100:64 gfx1201:32 gfx1201:64 gfx1250
; Conversions to smaller floats with a rounding of their own (llvm.fptrunc.round), of bits of all kinds; the rounding of the
; kernel is what it was behind them.

define amdgpu_kernel void @half_tonearest(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr float, ptr addrspace(1) %in, i32 %far
  %a = load float, ptr addrspace(1) %p
  %bits = bitcast float %a to i32
  %mantissa = and i32 %bits, -1879048193
  %small = or i32 %mantissa, 939524096
  %b = bitcast i32 %small to float
  %t = call half @llvm.fptrunc.round.f16.f32(float %b, metadata !"round.tonearest")
  %whole = call half @llvm.fptrunc.round.f16.f32(float %a, metadata !"round.tonearest")
  %plain = fptrunc float %b to half
  %o = getelementptr <4 x half>, ptr addrspace(1) %out, i32 %id
  %v0 = insertelement <4 x half> poison, half %t, i32 0
  %v1 = insertelement <4 x half> %v0, half %plain, i32 1
  %v2 = insertelement <4 x half> %v1, half %whole, i32 2
  %v3 = insertelement <4 x half> %v2, half 0.0, i32 3
  store <4 x half> %v3, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @float_tonearest(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr double, ptr addrspace(1) %in, i32 %far
  %a = load i64, ptr addrspace(1) %p
  %mantissa = and i64 %a, -8070450532247928833
  %small = or i64 %mantissa, 4035225266123964416
  %b = bitcast i64 %small to double
  %t = call float @llvm.fptrunc.round.f32.f64(double %b, metadata !"round.tonearest")
  %o = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %id
  %v0 = insertelement <2 x float> poison, float %t, i32 0
  %v1 = insertelement <2 x float> %v0, float 1.0, i32 1
  store <2 x float> %v1, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @pair_tonearest(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr <2 x float>, ptr addrspace(1) %in, i32 %far
  %a = load <2 x float>, ptr addrspace(1) %p
  %t = call <2 x half> @llvm.fptrunc.round.v2f16.v2f32(<2 x float> %a, metadata !"round.tonearest")
  %o = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %id
  store <2 x half> %t, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @uniform_tonearest(ptr addrspace(1) %out, ptr addrspace(1) %in, float %a) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %t = call half @llvm.fptrunc.round.f16.f32(float %a, metadata !"round.tonearest")
  %plain = fptrunc float %a to half
  %o = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %id
  %v0 = insertelement <2 x half> poison, half %t, i32 0
  %v1 = insertelement <2 x half> %v0, half %plain, i32 1
  store <2 x half> %v1, ptr addrspace(1) %o
  ret void
}
; further arguments of uniform_tonearest: f32:1.0001

define amdgpu_kernel void @half_upward(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr float, ptr addrspace(1) %in, i32 %far
  %a = load float, ptr addrspace(1) %p
  %bits = bitcast float %a to i32
  %mantissa = and i32 %bits, -1879048193
  %small = or i32 %mantissa, 939524096
  %b = bitcast i32 %small to float
  %t = call half @llvm.fptrunc.round.f16.f32(float %b, metadata !"round.upward")
  %whole = call half @llvm.fptrunc.round.f16.f32(float %a, metadata !"round.upward")
  %plain = fptrunc float %b to half
  %o = getelementptr <4 x half>, ptr addrspace(1) %out, i32 %id
  %v0 = insertelement <4 x half> poison, half %t, i32 0
  %v1 = insertelement <4 x half> %v0, half %plain, i32 1
  %v2 = insertelement <4 x half> %v1, half %whole, i32 2
  %v3 = insertelement <4 x half> %v2, half 0.0, i32 3
  store <4 x half> %v3, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @float_upward(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr double, ptr addrspace(1) %in, i32 %far
  %a = load i64, ptr addrspace(1) %p
  %mantissa = and i64 %a, -8070450532247928833
  %small = or i64 %mantissa, 4035225266123964416
  %b = bitcast i64 %small to double
  %t = call float @llvm.fptrunc.round.f32.f64(double %b, metadata !"round.upward")
  %o = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %id
  %v0 = insertelement <2 x float> poison, float %t, i32 0
  %v1 = insertelement <2 x float> %v0, float 1.0, i32 1
  store <2 x float> %v1, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @pair_upward(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr <2 x float>, ptr addrspace(1) %in, i32 %far
  %a = load <2 x float>, ptr addrspace(1) %p
  %t = call <2 x half> @llvm.fptrunc.round.v2f16.v2f32(<2 x float> %a, metadata !"round.upward")
  %o = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %id
  store <2 x half> %t, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @uniform_upward(ptr addrspace(1) %out, ptr addrspace(1) %in, float %a) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %t = call half @llvm.fptrunc.round.f16.f32(float %a, metadata !"round.upward")
  %plain = fptrunc float %a to half
  %o = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %id
  %v0 = insertelement <2 x half> poison, half %t, i32 0
  %v1 = insertelement <2 x half> %v0, half %plain, i32 1
  store <2 x half> %v1, ptr addrspace(1) %o
  ret void
}
; further arguments of uniform_upward: f32:1.0001

define amdgpu_kernel void @half_downward(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr float, ptr addrspace(1) %in, i32 %far
  %a = load float, ptr addrspace(1) %p
  %bits = bitcast float %a to i32
  %mantissa = and i32 %bits, -1879048193
  %small = or i32 %mantissa, 939524096
  %b = bitcast i32 %small to float
  %t = call half @llvm.fptrunc.round.f16.f32(float %b, metadata !"round.downward")
  %whole = call half @llvm.fptrunc.round.f16.f32(float %a, metadata !"round.downward")
  %plain = fptrunc float %b to half
  %o = getelementptr <4 x half>, ptr addrspace(1) %out, i32 %id
  %v0 = insertelement <4 x half> poison, half %t, i32 0
  %v1 = insertelement <4 x half> %v0, half %plain, i32 1
  %v2 = insertelement <4 x half> %v1, half %whole, i32 2
  %v3 = insertelement <4 x half> %v2, half 0.0, i32 3
  store <4 x half> %v3, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @float_downward(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr double, ptr addrspace(1) %in, i32 %far
  %a = load i64, ptr addrspace(1) %p
  %mantissa = and i64 %a, -8070450532247928833
  %small = or i64 %mantissa, 4035225266123964416
  %b = bitcast i64 %small to double
  %t = call float @llvm.fptrunc.round.f32.f64(double %b, metadata !"round.downward")
  %o = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %id
  %v0 = insertelement <2 x float> poison, float %t, i32 0
  %v1 = insertelement <2 x float> %v0, float 1.0, i32 1
  store <2 x float> %v1, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @pair_downward(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr <2 x float>, ptr addrspace(1) %in, i32 %far
  %a = load <2 x float>, ptr addrspace(1) %p
  %t = call <2 x half> @llvm.fptrunc.round.v2f16.v2f32(<2 x float> %a, metadata !"round.downward")
  %o = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %id
  store <2 x half> %t, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @uniform_downward(ptr addrspace(1) %out, ptr addrspace(1) %in, float %a) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %t = call half @llvm.fptrunc.round.f16.f32(float %a, metadata !"round.downward")
  %plain = fptrunc float %a to half
  %o = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %id
  %v0 = insertelement <2 x half> poison, half %t, i32 0
  %v1 = insertelement <2 x half> %v0, half %plain, i32 1
  store <2 x half> %v1, ptr addrspace(1) %o
  ret void
}
; further arguments of uniform_downward: f32:1.0001

define amdgpu_kernel void @half_towardzero(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr float, ptr addrspace(1) %in, i32 %far
  %a = load float, ptr addrspace(1) %p
  %bits = bitcast float %a to i32
  %mantissa = and i32 %bits, -1879048193
  %small = or i32 %mantissa, 939524096
  %b = bitcast i32 %small to float
  %t = call half @llvm.fptrunc.round.f16.f32(float %b, metadata !"round.towardzero")
  %whole = call half @llvm.fptrunc.round.f16.f32(float %a, metadata !"round.towardzero")
  %plain = fptrunc float %b to half
  %o = getelementptr <4 x half>, ptr addrspace(1) %out, i32 %id
  %v0 = insertelement <4 x half> poison, half %t, i32 0
  %v1 = insertelement <4 x half> %v0, half %plain, i32 1
  %v2 = insertelement <4 x half> %v1, half %whole, i32 2
  %v3 = insertelement <4 x half> %v2, half 0.0, i32 3
  store <4 x half> %v3, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @float_towardzero(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr double, ptr addrspace(1) %in, i32 %far
  %a = load i64, ptr addrspace(1) %p
  %mantissa = and i64 %a, -8070450532247928833
  %small = or i64 %mantissa, 4035225266123964416
  %b = bitcast i64 %small to double
  %t = call float @llvm.fptrunc.round.f32.f64(double %b, metadata !"round.towardzero")
  %o = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %id
  %v0 = insertelement <2 x float> poison, float %t, i32 0
  %v1 = insertelement <2 x float> %v0, float 1.0, i32 1
  store <2 x float> %v1, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @pair_towardzero(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr <2 x float>, ptr addrspace(1) %in, i32 %far
  %a = load <2 x float>, ptr addrspace(1) %p
  %t = call <2 x half> @llvm.fptrunc.round.v2f16.v2f32(<2 x float> %a, metadata !"round.towardzero")
  %o = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %id
  store <2 x half> %t, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @uniform_towardzero(ptr addrspace(1) %out, ptr addrspace(1) %in, float %a) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %t = call half @llvm.fptrunc.round.f16.f32(float %a, metadata !"round.towardzero")
  %plain = fptrunc float %a to half
  %o = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %id
  %v0 = insertelement <2 x half> poison, half %t, i32 0
  %v1 = insertelement <2 x half> %v0, half %plain, i32 1
  store <2 x half> %v1, ptr addrspace(1) %o
  ret void
}
; further arguments of uniform_towardzero: f32:1.0001

declare i32 @llvm.amdgcn.workitem.id.x()
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
