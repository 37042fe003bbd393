; Images of 64 by 64 texels with coordinates of 16 bits (A16): loads, samples, gathers (INT-12).
; processors: gfx900 gfx1010:64 gfx1030:32 gfx1100:64 gfx1200:64
; for gfx9*: W1=10485760 W1U=272629760 W2=1032255 W3=-1879044180 W4=516096 S1=15728640 W3V=-1610608724 W3A=-805302356 W4V=516099 W5A=0 W4A=516099
; for gfx10*: W1=-1015021568 W1U=-1052770304 W2=-2146451441 W3=-1879044180 W4=0 S1=15728640 W3V=-1610608724 W3A=-805302356 W4V=3 W5A=0 W4A=3
; for gfx11*: W1=-1029701632 W1U=-1052770304 W2=1032207 W3=-1879044180 W4=0 S1=15728640 W3V=-1610608724 W3A=-805302356 W4V=3 W5A=0 W4A=3
; for gfx12*: W1=-1068236800 W1U=-1071120384 W2=1032207 W3=-1879044180 W4=0 S1=31457280 W3V=-1610608724 W3A=-805302356 W4V=3 W5A=0 W4A=3

define amdgpu_kernel void @short(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %x = and i32 %id, 7
  %y = lshr i32 %id, 3
  %fx = uitofp i32 %x to float
  %fy = uitofp i32 %y to float
  %u = call float @llvm.fma.f32(float %fx, float 0x3FC3333340000000, float 0xBFA99999A0000000)
  %v = call float @llvm.fma.f32(float %fy, float 0x3FC1111120000000, float 0x3F9EB851E0000000)
  %r.a = ptrtoint ptr addrspace(1) %in to i64
  %r.b = lshr i64 %r.a, 8
  %r.lo = trunc i64 %r.b to i32
  %r.c = lshr i64 %r.a, 40
  %r.d = trunc i64 %r.c to i32
  %r.e = and i32 %r.d, 255
  %r.hi = or i32 %r.e, W1
  %r.0 = insertelement <8 x i32> <i32 0, i32 0, i32 W2, i32 W3, i32 W4, i32 0, i32 0, i32 0>, i32 %r.lo, i32 0
  %r = insertelement <8 x i32> %r.0, i32 %r.hi, i32 1
  %hx = trunc i32 %x to i16
  %hy = trunc i32 %y to i16
  %hu = fptrunc float %u to half
  %hv = fptrunc float %v to half
  %l4 = call <4 x float> @llvm.amdgcn.image.load.2d.v4f32.i16(i32 15, i16 %hx, i16 %hy, <8 x i32> %r, i32 0, i32 0)
  %o24 = mul i32 %id, 16
  %p24 = add i32 %o24, 16384
  %q24 = getelementptr i8, ptr addrspace(1) %out, i32 %p24
  store <4 x float> %l4, ptr addrspace(1) %q24
  %s0 = call <4 x float> @llvm.amdgcn.image.sample.lz.2d.v4f32.f16(i32 15, half %hu, half %hv, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o25 = mul i32 %id, 16
  %p25 = add i32 %o25, 17408
  %q25 = getelementptr i8, ptr addrspace(1) %out, i32 %p25
  store <4 x float> %s0, ptr addrspace(1) %q25
  %s1 = call <4 x half> @llvm.amdgcn.image.sample.l.2d.v4f16.f16(i32 15, half %hu, half %hv, half 0.0, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o26 = mul i32 %id, 16
  %p26 = add i32 %o26, 18432
  %q26 = getelementptr i8, ptr addrspace(1) %out, i32 %p26
  store <4 x half> %s1, ptr addrspace(1) %q26
  %s2 = call float @llvm.amdgcn.image.sample.c.lz.2d.f32.f16(i32 1, float 0.5, half %hu, half %hv, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o27 = mul i32 %id, 16
  %p27 = add i32 %o27, 19456
  %q27 = getelementptr i8, ptr addrspace(1) %out, i32 %p27
  store float %s2, ptr addrspace(1) %q27
  %s3 = call <4 x float> @llvm.amdgcn.image.gather4.lz.2d.v4f32.f16(i32 1, half %hu, half %hv, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o28 = mul i32 %id, 16
  %p28 = add i32 %o28, 20480
  %q28 = getelementptr i8, ptr addrspace(1) %out, i32 %p28
  store <4 x float> %s3, ptr addrspace(1) %q28
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare float @llvm.fma.f32(float, float, float)
declare <4 x float> @llvm.amdgcn.image.gather4.lz.2d.v4f32.f16(i32, half, half, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x float> @llvm.amdgcn.image.load.2d.v4f32.i16(i32, i16, i16, <8 x i32>, i32, i32)
declare <4 x float> @llvm.amdgcn.image.sample.lz.2d.v4f32.f16(i32, half, half, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x half> @llvm.amdgcn.image.sample.l.2d.v4f16.f16(i32, half, half, half, <8 x i32>, <4 x i32>, i1, i32, i32)
declare float @llvm.amdgcn.image.sample.c.lz.2d.f32.f16(i32, float, half, half, <8 x i32>, <4 x i32>, i1, i32, i32)
