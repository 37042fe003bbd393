; Images of 64 by 64 texels, of which the kernels make the resource and the sampler themselves: loads, samples, gathers,
; stores, atomics, queries, and resources that differ from lane to lane (INT-12).
; processors: gfx803 gfx900 gfx1010:32 gfx1030:64 gfx1100:32 gfx1200:32
; for gfx803: W1=10485760 W1U=272629760 W2=1032255 W3=-1870655572 W4=516096 S1=15728640 W3V=-1602220116 W3A=-796913748 W4V=516099 W5A=24576 W4A=516096
; for gfx9*: W1=10485760 W1U=272629760 W2=1032255 W3=-1879044180 W4=516096 S1=15728640 W3V=-1610608724 W3A=-805302356 W4V=516099 W5A=0 W4A=516099
; for gfx10*: W1=-1015021568 W1U=-1052770304 W2=-2146451441 W3=-1879044180 W4=0 S1=15728640 W3V=-1610608724 W3A=-805302356 W4V=3 W5A=0 W4A=3
; for gfx11*: W1=-1029701632 W1U=-1052770304 W2=1032207 W3=-1879044180 W4=0 S1=15728640 W3V=-1610608724 W3A=-805302356 W4V=3 W5A=0 W4A=3
; for gfx12*: W1=-1068236800 W1U=-1071120384 W2=1032207 W3=-1879044180 W4=0 S1=31457280 W3V=-1610608724 W3A=-805302356 W4V=3 W5A=0 W4A=3

define amdgpu_kernel void @loads(ptr addrspace(1) %out, ptr addrspace(1) %in) {
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
  %l4 = call <4 x float> @llvm.amdgcn.image.load.2d.v4f32.i32(i32 15, i32 %x, i32 %y, <8 x i32> %r, i32 0, i32 0)
  %o1 = mul i32 %id, 16
  %p1 = add i32 %o1, 16384
  %q1 = getelementptr i8, ptr addrspace(1) %out, i32 %p1
  store <4 x float> %l4, ptr addrspace(1) %q1
  %l2 = call <2 x float> @llvm.amdgcn.image.load.2d.v2f32.i32(i32 10, i32 %y, i32 %x, <8 x i32> %r, i32 0, i32 0)
  %o2 = mul i32 %id, 16
  %p2 = add i32 %o2, 17408
  %q2 = getelementptr i8, ptr addrspace(1) %out, i32 %p2
  store <2 x float> %l2, ptr addrspace(1) %q2
  %lm = call float @llvm.amdgcn.image.load.mip.2d.f32.i32(i32 4, i32 %x, i32 %y, i32 0, <8 x i32> %r, i32 0, i32 0)
  %o3 = mul i32 %id, 16
  %p3 = add i32 %o3, 18432
  %q3 = getelementptr i8, ptr addrspace(1) %out, i32 %p3
  store float %lm, ptr addrspace(1) %q3
  %far = mul i32 %x, 11
  %lf = call <4 x float> @llvm.amdgcn.image.load.2d.v4f32.i32(i32 15, i32 %far, i32 %y, <8 x i32> %r, i32 0, i32 0)
  %o4 = mul i32 %id, 16
  %p4 = add i32 %o4, 19456
  %q4 = getelementptr i8, ptr addrspace(1) %out, i32 %p4
  store <4 x float> %lf, ptr addrspace(1) %q4
  ret void
}

define amdgpu_kernel void @halves(ptr addrspace(1) %out, ptr addrspace(1) %in) {
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
  %lh = call <4 x half> @llvm.amdgcn.image.load.2d.v4f16.i32(i32 15, i32 %x, i32 %y, <8 x i32> %r, i32 0, i32 0)
  %o5 = mul i32 %id, 16
  %p5 = add i32 %o5, 16384
  %q5 = getelementptr i8, ptr addrspace(1) %out, i32 %p5
  store <4 x half> %lh, ptr addrspace(1) %q5
  ret void
}

define amdgpu_kernel void @samples(ptr addrspace(1) %out, ptr addrspace(1) %in) {
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
  %s0 = call <4 x float> @llvm.amdgcn.image.sample.lz.2d.v4f32.f32(i32 15, float %u, float %v, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o6 = mul i32 %id, 16
  %p6 = add i32 %o6, 16384
  %q6 = getelementptr i8, ptr addrspace(1) %out, i32 %p6
  store <4 x float> %s0, ptr addrspace(1) %q6
  %s1 = call <4 x float> @llvm.amdgcn.image.sample.l.2d.v4f32.f32(i32 15, float %v, float %u, float 1.0, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o7 = mul i32 %id, 16
  %p7 = add i32 %o7, 17408
  %q7 = getelementptr i8, ptr addrspace(1) %out, i32 %p7
  store <4 x float> %s1, ptr addrspace(1) %q7
  %s2 = call <2 x float> @llvm.amdgcn.image.sample.d.2d.v2f32.f32.f32(i32 9, float %u, float 0.0, float 0.0, float %v, float %v, float %u, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o8 = mul i32 %id, 16
  %p8 = add i32 %o8, 18432
  %q8 = getelementptr i8, ptr addrspace(1) %out, i32 %p8
  store <2 x float> %s2, ptr addrspace(1) %q8
  %s3 = call float @llvm.amdgcn.image.sample.c.lz.2d.f32.f32(i32 1, float 0.5, float %u, float %v, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o9 = mul i32 %id, 16
  %p9 = add i32 %o9, 19456
  %q9 = getelementptr i8, ptr addrspace(1) %out, i32 %p9
  store float %s3, ptr addrspace(1) %q9
  %s4 = call <4 x float> @llvm.amdgcn.image.sample.lz.o.2d.v4f32.f32(i32 15, i32 65281, float %u, float %v, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o10 = mul i32 %id, 16
  %p10 = add i32 %o10, 20480
  %q10 = getelementptr i8, ptr addrspace(1) %out, i32 %p10
  store <4 x float> %s4, ptr addrspace(1) %q10
  %s5 = call <4 x float> @llvm.amdgcn.image.gather4.lz.2d.v4f32.f32(i32 2, float %u, float %v, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o11 = mul i32 %id, 16
  %p11 = add i32 %o11, 21504
  %q11 = getelementptr i8, ptr addrspace(1) %out, i32 %p11
  store <4 x float> %s5, ptr addrspace(1) %q11
  ret void
}

define amdgpu_kernel void @stores(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %x = and i32 %id, 7
  %y = lshr i32 %id, 3
  %fx = uitofp i32 %x to float
  %fy = uitofp i32 %y to float
  %u = call float @llvm.fma.f32(float %fx, float 0x3FC3333340000000, float 0xBFA99999A0000000)
  %v = call float @llvm.fma.f32(float %fy, float 0x3FC1111120000000, float 0x3F9EB851E0000000)
  %r.a = ptrtoint ptr addrspace(1) %out to i64
  %r.b = lshr i64 %r.a, 8
  %r.lo = trunc i64 %r.b to i32
  %r.c = lshr i64 %r.a, 40
  %r.d = trunc i64 %r.c to i32
  %r.e = and i32 %r.d, 255
  %r.hi = or i32 %r.e, W1
  %r.0 = insertelement <8 x i32> <i32 0, i32 0, i32 W2, i32 W3, i32 W4, i32 0, i32 0, i32 0>, i32 %r.lo, i32 0
  %r = insertelement <8 x i32> %r.0, i32 %r.hi, i32 1
  %a0 = insertelement <4 x float> <float 0.0, float 0.0, float 0.25, float 1.0>, float %u, i32 0
  %a1 = insertelement <4 x float> %a0, float %v, i32 1
  call void @llvm.amdgcn.image.store.2d.v4f32.i32(<4 x float> %a1, i32 15, i32 %x, i32 %y, <8 x i32> %r, i32 0, i32 0)
  %xx = add i32 %x, 16
  call void @llvm.amdgcn.image.store.mip.2d.f32.i32(float %v, i32 1, i32 %xx, i32 %y, i32 0, <8 x i32> %r, i32 0, i32 0)
  ret void
}

define amdgpu_kernel void @status(ptr addrspace(1) %out, ptr addrspace(1) %in) {
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
  %st = call { <4 x float>, i32 } @llvm.amdgcn.image.load.2d.sl_v4f32i32s.i32(i32 15, i32 %x, i32 %y, <8 x i32> %r, i32 1, i32 0)
  %st.v = extractvalue { <4 x float>, i32 } %st, 0
  %st.s = extractvalue { <4 x float>, i32 } %st, 1
  %o12 = mul i32 %id, 16
  %p12 = add i32 %o12, 16384
  %q12 = getelementptr i8, ptr addrspace(1) %out, i32 %p12
  store <4 x float> %st.v, ptr addrspace(1) %q12
  %o13 = mul i32 %id, 16
  %p13 = add i32 %o13, 17408
  %q13 = getelementptr i8, ptr addrspace(1) %out, i32 %p13
  store i32 %st.s, ptr addrspace(1) %q13
  ret void
}

define amdgpu_kernel void @stored_halves(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %x = and i32 %id, 7
  %y = lshr i32 %id, 3
  %fx = uitofp i32 %x to float
  %fy = uitofp i32 %y to float
  %u = call float @llvm.fma.f32(float %fx, float 0x3FC3333340000000, float 0xBFA99999A0000000)
  %v = call float @llvm.fma.f32(float %fy, float 0x3FC1111120000000, float 0x3F9EB851E0000000)
  %r.a = ptrtoint ptr addrspace(1) %out to i64
  %r.b = lshr i64 %r.a, 8
  %r.lo = trunc i64 %r.b to i32
  %r.c = lshr i64 %r.a, 40
  %r.d = trunc i64 %r.c to i32
  %r.e = and i32 %r.d, 255
  %r.hi = or i32 %r.e, W1
  %r.0 = insertelement <8 x i32> <i32 0, i32 0, i32 W2, i32 W3, i32 W4, i32 0, i32 0, i32 0>, i32 %r.lo, i32 0
  %r = insertelement <8 x i32> %r.0, i32 %r.hi, i32 1
  %h0 = fptrunc float %u to half
  %h1 = fptrunc float %v to half
  %a0 = insertelement <4 x half> <half 0.0, half 0.0, half 0.25, half 1.0>, half %h0, i32 0
  %a1 = insertelement <4 x half> %a0, half %h1, i32 1
  call void @llvm.amdgcn.image.store.2d.v4f16.i32(<4 x half> %a1, i32 15, i32 %x, i32 %y, <8 x i32> %r, i32 0, i32 0)
  ret void
}

define amdgpu_kernel void @volumes(ptr addrspace(1) %out, ptr addrspace(1) %in) {
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
  %r.0 = insertelement <8 x i32> <i32 0, i32 0, i32 W2, i32 W3V, i32 W4V, i32 0, i32 0, i32 0>, i32 %r.lo, i32 0
  %r = insertelement <8 x i32> %r.0, i32 %r.hi, i32 1
  %z = and i32 %id, 3
  %fz = uitofp i32 %z to float
  %w = fmul float %fz, 0.25
  %v0 = call <4 x float> @llvm.amdgcn.image.load.3d.v4f32.i32(i32 15, i32 %x, i32 %y, i32 %z, <8 x i32> %r, i32 0, i32 0)
  %o14 = mul i32 %id, 16
  %p14 = add i32 %o14, 16384
  %q14 = getelementptr i8, ptr addrspace(1) %out, i32 %p14
  store <4 x float> %v0, ptr addrspace(1) %q14
  %v1 = call <4 x float> @llvm.amdgcn.image.sample.lz.3d.v4f32.f32(i32 15, float %u, float %v, float %w, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o15 = mul i32 %id, 16
  %p15 = add i32 %o15, 17408
  %q15 = getelementptr i8, ptr addrspace(1) %out, i32 %p15
  store <4 x float> %v1, ptr addrspace(1) %q15
  %v2 = call <2 x float> @llvm.amdgcn.image.sample.d.3d.v2f32.f32.f32(i32 3, float %u, float 0.0, float 0.0, float %v, float 0.0, float %w, float %v, float %u, float %w, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o16 = mul i32 %id, 16
  %p16 = add i32 %o16, 18432
  %q16 = getelementptr i8, ptr addrspace(1) %out, i32 %p16
  store <2 x float> %v2, ptr addrspace(1) %q16
  ret void
}

define amdgpu_kernel void @layers(ptr addrspace(1) %out, ptr addrspace(1) %in) {
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
  %r.0 = insertelement <8 x i32> <i32 0, i32 0, i32 W2, i32 W3A, i32 W4A, i32 W5A, i32 0, i32 0>, i32 %r.lo, i32 0
  %r = insertelement <8 x i32> %r.0, i32 %r.hi, i32 1
  %z = and i32 %id, 3
  %fz = uitofp i32 %z to float
  %y0 = call <4 x float> @llvm.amdgcn.image.load.2darray.v4f32.i32(i32 15, i32 %x, i32 %y, i32 %z, <8 x i32> %r, i32 0, i32 0)
  %o17 = mul i32 %id, 16
  %p17 = add i32 %o17, 16384
  %q17 = getelementptr i8, ptr addrspace(1) %out, i32 %p17
  store <4 x float> %y0, ptr addrspace(1) %q17
  %y1 = call <4 x float> @llvm.amdgcn.image.sample.l.2darray.v4f32.f32(i32 15, float %u, float %v, float %fz, float 0.0, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o18 = mul i32 %id, 16
  %p18 = add i32 %o18, 17408
  %q18 = getelementptr i8, ptr addrspace(1) %out, i32 %p18
  store <4 x float> %y1, ptr addrspace(1) %q18
  %y2 = call <4 x float> @llvm.amdgcn.image.gather4.lz.2darray.v4f32.f32(i32 8, float %u, float %v, float %fz, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o19 = mul i32 %id, 16
  %p19 = add i32 %o19, 18432
  %q19 = getelementptr i8, ptr addrspace(1) %out, i32 %p19
  store <4 x float> %y2, ptr addrspace(1) %q19
  %y3 = call float @llvm.amdgcn.image.sample.c.l.o.2darray.f32.f32(i32 1, i32 257, float 0.25, float %u, float %v, float %fz, float 0.0, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o20 = mul i32 %id, 16
  %p20 = add i32 %o20, 19456
  %q20 = getelementptr i8, ptr addrspace(1) %out, i32 %p20
  store float %y3, ptr addrspace(1) %q20
  ret void
}

define amdgpu_kernel void @atomics(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %x = and i32 %id, 7
  %y = lshr i32 %id, 3
  %fx = uitofp i32 %x to float
  %fy = uitofp i32 %y to float
  %u = call float @llvm.fma.f32(float %fx, float 0x3FC3333340000000, float 0xBFA99999A0000000)
  %v = call float @llvm.fma.f32(float %fy, float 0x3FC1111120000000, float 0x3F9EB851E0000000)
  %r.a = ptrtoint ptr addrspace(1) %out to i64
  %r.b = lshr i64 %r.a, 8
  %r.lo = trunc i64 %r.b to i32
  %r.c = lshr i64 %r.a, 40
  %r.d = trunc i64 %r.c to i32
  %r.e = and i32 %r.d, 255
  %r.hi = or i32 %r.e, W1U
  %r.0 = insertelement <8 x i32> <i32 0, i32 0, i32 W2, i32 W3, i32 W4, i32 0, i32 0, i32 0>, i32 %r.lo, i32 0
  %r = insertelement <8 x i32> %r.0, i32 %r.hi, i32 1
  %half = lshr i32 %x, 1
  %y0 = add i32 %y, 0
  %t0 = call i32 @llvm.amdgcn.image.atomic.add.2d.i32.i32(i32 %id, i32 %half, i32 %y0, <8 x i32> %r, i32 0, i32 0)
  %y1 = add i32 %y, 8
  %t1 = call i32 @llvm.amdgcn.image.atomic.umax.2d.i32.i32(i32 %id, i32 %half, i32 %y1, <8 x i32> %r, i32 0, i32 0)
  %y2 = add i32 %y, 16
  %t2 = call i32 @llvm.amdgcn.image.atomic.xor.2d.i32.i32(i32 %id, i32 %half, i32 %y2, <8 x i32> %r, i32 0, i32 0)
  %y3 = add i32 %y, 24
  %t3 = call i32 @llvm.amdgcn.image.atomic.or.2d.i32.i32(i32 %id, i32 %half, i32 %y3, <8 x i32> %r, i32 0, i32 0)
  %cs = call i32 @llvm.amdgcn.image.atomic.cmpswap.2d.i32.i32(i32 %id, i32 0, i32 %x, i32 40, <8 x i32> %r, i32 0, i32 0)
  ret void
}

define amdgpu_kernel void @sizes(ptr addrspace(1) %out, ptr addrspace(1) %in) {
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
  %ri = call <4 x float> @llvm.amdgcn.image.getresinfo.2d.v4f32.i32(i32 15, i32 0, <8 x i32> %r, i32 0, i32 0)
  %o21 = mul i32 %id, 16
  %p21 = add i32 %o21, 16384
  %q21 = getelementptr i8, ptr addrspace(1) %out, i32 %p21
  store <4 x float> %ri, ptr addrspace(1) %q21
  ret void
}

define amdgpu_kernel void @differing(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %x = and i32 %id, 7
  %y = lshr i32 %id, 3
  %fx = uitofp i32 %x to float
  %fy = uitofp i32 %y to float
  %u = call float @llvm.fma.f32(float %fx, float 0x3FC3333340000000, float 0xBFA99999A0000000)
  %v = call float @llvm.fma.f32(float %fy, float 0x3FC1111120000000, float 0x3F9EB851E0000000)
  %odd = and i32 %id, 3
  %step = mul i32 %odd, 256
  %mine = getelementptr i8, ptr addrspace(1) %in, i32 %step
  %r.a = ptrtoint ptr addrspace(1) %mine to i64
  %r.b = lshr i64 %r.a, 8
  %r.lo = trunc i64 %r.b to i32
  %r.c = lshr i64 %r.a, 40
  %r.d = trunc i64 %r.c to i32
  %r.e = and i32 %r.d, 255
  %r.hi = or i32 %r.e, W1
  %r.0 = insertelement <8 x i32> <i32 0, i32 0, i32 W2, i32 W3, i32 W4, i32 0, i32 0, i32 0>, i32 %r.lo, i32 0
  %r = insertelement <8 x i32> %r.0, i32 %r.hi, i32 1
  %w4 = call <4 x float> @llvm.amdgcn.image.load.2d.v4f32.i32(i32 15, i32 %x, i32 %y, <8 x i32> %r, i32 0, i32 0)
  %o22 = mul i32 %id, 16
  %p22 = add i32 %o22, 16384
  %q22 = getelementptr i8, ptr addrspace(1) %out, i32 %p22
  store <4 x float> %w4, ptr addrspace(1) %q22
  %w5 = call <4 x float> @llvm.amdgcn.image.sample.lz.2d.v4f32.f32(i32 15, float %u, float %v, <8 x i32> %r, <4 x i32> <i32 54, i32 S1, i32 5242880, i32 1073741824>, i1 false, i32 0, i32 0)
  %o23 = mul i32 %id, 16
  %p23 = add i32 %o23, 17408
  %q23 = getelementptr i8, ptr addrspace(1) %out, i32 %p23
  store <4 x float> %w5, ptr addrspace(1) %q23
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare float @llvm.fma.f32(float, float, float)
declare <2 x float> @llvm.amdgcn.image.load.2d.v2f32.i32(i32, i32, i32, <8 x i32>, i32, i32)
declare <2 x float> @llvm.amdgcn.image.sample.d.2d.v2f32.f32.f32(i32, float, float, float, float, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <2 x float> @llvm.amdgcn.image.sample.d.3d.v2f32.f32.f32(i32, float, float, float, float, float, float, float, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x float> @llvm.amdgcn.image.gather4.lz.2d.v4f32.f32(i32, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x float> @llvm.amdgcn.image.gather4.lz.2darray.v4f32.f32(i32, float, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x float> @llvm.amdgcn.image.getresinfo.2d.v4f32.i32(i32, i32, <8 x i32>, i32, i32)
declare <4 x float> @llvm.amdgcn.image.load.2d.v4f32.i32(i32, i32, i32, <8 x i32>, i32, i32)
declare <4 x float> @llvm.amdgcn.image.load.2darray.v4f32.i32(i32, i32, i32, i32, <8 x i32>, i32, i32)
declare <4 x float> @llvm.amdgcn.image.load.3d.v4f32.i32(i32, i32, i32, i32, <8 x i32>, i32, i32)
declare <4 x float> @llvm.amdgcn.image.sample.l.2d.v4f32.f32(i32, float, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x float> @llvm.amdgcn.image.sample.l.2darray.v4f32.f32(i32, float, float, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x float> @llvm.amdgcn.image.sample.lz.2d.v4f32.f32(i32, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x float> @llvm.amdgcn.image.sample.lz.3d.v4f32.f32(i32, float, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x float> @llvm.amdgcn.image.sample.lz.o.2d.v4f32.f32(i32, i32, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x half> @llvm.amdgcn.image.load.2d.v4f16.i32(i32, i32, i32, <8 x i32>, i32, i32)
declare float @llvm.amdgcn.image.load.mip.2d.f32.i32(i32, i32, i32, i32, <8 x i32>, i32, i32)
declare float @llvm.amdgcn.image.sample.c.l.o.2darray.f32.f32(i32, i32, float, float, float, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare float @llvm.amdgcn.image.sample.c.lz.2d.f32.f32(i32, float, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare i32 @llvm.amdgcn.image.atomic.add.2d.i32.i32(i32, i32, i32, <8 x i32>, i32, i32)
declare i32 @llvm.amdgcn.image.atomic.cmpswap.2d.i32.i32(i32, i32, i32, i32, <8 x i32>, i32, i32)
declare i32 @llvm.amdgcn.image.atomic.or.2d.i32.i32(i32, i32, i32, <8 x i32>, i32, i32)
declare i32 @llvm.amdgcn.image.atomic.umax.2d.i32.i32(i32, i32, i32, <8 x i32>, i32, i32)
declare i32 @llvm.amdgcn.image.atomic.xor.2d.i32.i32(i32, i32, i32, <8 x i32>, i32, i32)
declare void @llvm.amdgcn.image.store.2d.v4f16.i32(<4 x half>, i32, i32, i32, <8 x i32>, i32, i32)
declare void @llvm.amdgcn.image.store.2d.v4f32.i32(<4 x float>, i32, i32, i32, <8 x i32>, i32, i32)
declare void @llvm.amdgcn.image.store.mip.2d.f32.i32(float, i32, i32, i32, i32, <8 x i32>, i32, i32)
declare { <4 x float>, i32 } @llvm.amdgcn.image.load.2d.sl_v4f32i32s.i32(i32, i32, i32, <8 x i32>, i32, i32)
