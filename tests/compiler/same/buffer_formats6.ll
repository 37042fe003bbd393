; processors: gfx600 gfx700
; The same conversions of format on the first processors, of 32-bit components alone: by the descriptor's format and by the instruction's (tbuffer), of one to four components
; (AS-26, AS-27).
; for gfx[6789]*: RAW=163756 BYTES=331692 FLOATS=126 HALVES=124 UNORM=10 SINT=90
; for gfx10*: RAW=805400492 BYTES=268668844 FLOATS=77 HALVES=71 UNORM=56 SINT=61
; for gfx1*: RAW=805400492 BYTES=268611500 FLOATS=63 HALVES=57 UNORM=42 SINT=47
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare float @llvm.amdgcn.struct.ptr.buffer.load.format.f32(ptr addrspace(8), i32, i32, i32, i32)
declare float @llvm.amdgcn.struct.buffer.load.format.f32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.format.f32(float, ptr addrspace(8), i32, i32, i32, i32)
declare <2 x float> @llvm.amdgcn.struct.ptr.buffer.load.format.v2f32(ptr addrspace(8), i32, i32, i32, i32)
declare <2 x float> @llvm.amdgcn.struct.buffer.load.format.v2f32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.format.v2f32(<2 x float>, ptr addrspace(8), i32, i32, i32, i32)
declare <3 x float> @llvm.amdgcn.struct.ptr.buffer.load.format.v3f32(ptr addrspace(8), i32, i32, i32, i32)
declare <3 x float> @llvm.amdgcn.struct.buffer.load.format.v3f32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.format.v3f32(<3 x float>, ptr addrspace(8), i32, i32, i32, i32)
declare <4 x float> @llvm.amdgcn.struct.ptr.buffer.load.format.v4f32(ptr addrspace(8), i32, i32, i32, i32)
declare <4 x float> @llvm.amdgcn.struct.buffer.load.format.v4f32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.format.v4f32(<4 x float>, ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.load.format.i32(ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.load.format.i32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.format.i32(i32, ptr addrspace(8), i32, i32, i32, i32)
declare <4 x i32> @llvm.amdgcn.struct.ptr.buffer.load.format.v4i32(ptr addrspace(8), i32, i32, i32, i32)
declare <4 x i32> @llvm.amdgcn.struct.buffer.load.format.v4i32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.format.v4i32(<4 x i32>, ptr addrspace(8), i32, i32, i32, i32)
declare float @llvm.amdgcn.raw.ptr.tbuffer.load.f32(ptr addrspace(8), i32, i32, i32, i32)
declare float @llvm.amdgcn.struct.tbuffer.load.f32(<4 x i32>, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.tbuffer.store.f32(float, <4 x i32>, i32, i32, i32, i32)
declare <2 x float> @llvm.amdgcn.raw.ptr.tbuffer.load.v2f32(ptr addrspace(8), i32, i32, i32, i32)
declare <2 x float> @llvm.amdgcn.struct.tbuffer.load.v2f32(<4 x i32>, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.tbuffer.store.v2f32(<2 x float>, <4 x i32>, i32, i32, i32, i32)
declare <3 x float> @llvm.amdgcn.raw.ptr.tbuffer.load.v3f32(ptr addrspace(8), i32, i32, i32, i32)
declare <3 x float> @llvm.amdgcn.struct.tbuffer.load.v3f32(<4 x i32>, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.tbuffer.store.v3f32(<3 x float>, <4 x i32>, i32, i32, i32, i32)
declare <4 x float> @llvm.amdgcn.raw.ptr.tbuffer.load.v4f32(ptr addrspace(8), i32, i32, i32, i32)
declare <4 x float> @llvm.amdgcn.struct.tbuffer.load.v4f32(<4 x i32>, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.tbuffer.store.v4f32(<4 x float>, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.tbuffer.load.i32(ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.tbuffer.load.i32(<4 x i32>, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.tbuffer.store.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare <4 x i32> @llvm.amdgcn.raw.ptr.tbuffer.load.v4i32(ptr addrspace(8), i32, i32, i32, i32)
declare <4 x i32> @llvm.amdgcn.struct.tbuffer.load.v4i32(<4 x i32>, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.tbuffer.store.v4i32(<4 x i32>, <4 x i32>, i32, i32, i32, i32)

define amdgpu_kernel void @format(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 16, i64 50, i32 BYTES)
  %to = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 16, i64 4000, i32 BYTES)
  %ri = ptrtoint ptr addrspace(8) %r to i128
  %v = bitcast i128 %ri to <4 x i32>
  %n = shl i32 %id, 4
  %o = getelementptr [512 x i8], ptr addrspace(1) %out, i32 %id
  %l0 = call float @llvm.amdgcn.struct.buffer.load.format.f32(<4 x i32> %v, i32 %id, i32 0, i32 0, i32 0)
  %p0 = getelementptr i8, ptr addrspace(1) %o, i32 0
  store float %l0, ptr addrspace(1) %p0
  %n0 = add i32 %n, 1024
  call void @llvm.amdgcn.struct.ptr.buffer.store.format.f32(float %l0, ptr addrspace(8) %to, i32 %n0, i32 0, i32 0, i32 0)
  %l1 = call <2 x float> @llvm.amdgcn.struct.ptr.buffer.load.format.v2f32(ptr addrspace(8) %r, i32 %id, i32 4, i32 0, i32 0)
  %p1 = getelementptr i8, ptr addrspace(1) %o, i32 16
  store <2 x float> %l1, ptr addrspace(1) %p1
  %n1 = add i32 %n, 1025
  call void @llvm.amdgcn.struct.ptr.buffer.store.format.v2f32(<2 x float> %l1, ptr addrspace(8) %to, i32 %n1, i32 4, i32 0, i32 0)
  %l2 = call <3 x float> @llvm.amdgcn.struct.buffer.load.format.v3f32(<4 x i32> %v, i32 %id, i32 8, i32 0, i32 0)
  %p2 = getelementptr i8, ptr addrspace(1) %o, i32 32
  store <3 x float> %l2, ptr addrspace(1) %p2
  %n2 = add i32 %n, 1026
  call void @llvm.amdgcn.struct.ptr.buffer.store.format.v3f32(<3 x float> %l2, ptr addrspace(8) %to, i32 %n2, i32 8, i32 0, i32 0)
  %l3 = call <4 x float> @llvm.amdgcn.struct.ptr.buffer.load.format.v4f32(ptr addrspace(8) %r, i32 %id, i32 0, i32 0, i32 0)
  %p3 = getelementptr i8, ptr addrspace(1) %o, i32 48
  store <4 x float> %l3, ptr addrspace(1) %p3
  %n3 = add i32 %n, 1027
  call void @llvm.amdgcn.struct.ptr.buffer.store.format.v4f32(<4 x float> %l3, ptr addrspace(8) %to, i32 %n3, i32 0, i32 0, i32 0)
  %l4 = call i32 @llvm.amdgcn.struct.buffer.load.format.i32(<4 x i32> %v, i32 %id, i32 4, i32 0, i32 0)
  %p4 = getelementptr i8, ptr addrspace(1) %o, i32 64
  store i32 %l4, ptr addrspace(1) %p4
  %n4 = add i32 %n, 1028
  call void @llvm.amdgcn.struct.ptr.buffer.store.format.i32(i32 %l4, ptr addrspace(8) %to, i32 %n4, i32 4, i32 0, i32 0)
  %l5 = call <4 x i32> @llvm.amdgcn.struct.ptr.buffer.load.format.v4i32(ptr addrspace(8) %r, i32 %id, i32 8, i32 0, i32 0)
  %p5 = getelementptr i8, ptr addrspace(1) %o, i32 80
  store <4 x i32> %l5, ptr addrspace(1) %p5
  %n5 = add i32 %n, 1029
  call void @llvm.amdgcn.struct.ptr.buffer.store.format.v4i32(<4 x i32> %l5, ptr addrspace(8) %to, i32 %n5, i32 8, i32 0, i32 0)
  ret void
}

define amdgpu_kernel void @typed(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 16, i64 50, i32 BYTES)
  %to = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 16, i64 4000, i32 BYTES)
  %ri = ptrtoint ptr addrspace(8) %r to i128
  %v = bitcast i128 %ri to <4 x i32>
  %n = shl i32 %id, 4
  %o = getelementptr [512 x i8], ptr addrspace(1) %out, i32 %id
  %raw = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 900, i32 RAW)
  %out1 = getelementptr i8, ptr addrspace(1) %out, i32 32768
  %torp = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out1, i16 0, i64 30000, i32 RAW)
  %toi = ptrtoint ptr addrspace(8) %torp to i128
  %tov = bitcast i128 %toi to <4 x i32>
  %n16 = mul i32 %id, 256
  %l0 = call float @llvm.amdgcn.raw.ptr.tbuffer.load.f32(ptr addrspace(8) %raw, i32 %n, i32 0, i32 FLOATS, i32 0)
  %p0 = getelementptr i8, ptr addrspace(1) %o, i32 0
  store float %l0, ptr addrspace(1) %p0
  %m0 = call float @llvm.amdgcn.struct.tbuffer.load.f32(<4 x i32> %v, i32 %id, i32 0, i32 0, i32 FLOATS, i32 0)
  %q0 = getelementptr i8, ptr addrspace(1) %o, i32 160
  store float %m0, ptr addrspace(1) %q0
  %n0 = add i32 %n16, 0
  call void @llvm.amdgcn.raw.tbuffer.store.f32(float %l0, <4 x i32> %tov, i32 %n0, i32 0, i32 FLOATS, i32 0)
  %l1 = call <2 x float> @llvm.amdgcn.raw.ptr.tbuffer.load.v2f32(ptr addrspace(8) %raw, i32 %n, i32 4, i32 HALVES, i32 0)
  %p1 = getelementptr i8, ptr addrspace(1) %o, i32 16
  store <2 x float> %l1, ptr addrspace(1) %p1
  %m1 = call <2 x float> @llvm.amdgcn.struct.tbuffer.load.v2f32(<4 x i32> %v, i32 %id, i32 0, i32 0, i32 HALVES, i32 0)
  %q1 = getelementptr i8, ptr addrspace(1) %o, i32 176
  store <2 x float> %m1, ptr addrspace(1) %q1
  %n1 = add i32 %n16, 16
  call void @llvm.amdgcn.raw.tbuffer.store.v2f32(<2 x float> %l1, <4 x i32> %tov, i32 %n1, i32 0, i32 HALVES, i32 0)
  %l2 = call <3 x float> @llvm.amdgcn.raw.ptr.tbuffer.load.v3f32(ptr addrspace(8) %raw, i32 %n, i32 8, i32 UNORM, i32 0)
  %p2 = getelementptr i8, ptr addrspace(1) %o, i32 32
  store <3 x float> %l2, ptr addrspace(1) %p2
  %m2 = call <3 x float> @llvm.amdgcn.struct.tbuffer.load.v3f32(<4 x i32> %v, i32 %id, i32 0, i32 0, i32 UNORM, i32 0)
  %q2 = getelementptr i8, ptr addrspace(1) %o, i32 192
  store <3 x float> %m2, ptr addrspace(1) %q2
  %n2 = add i32 %n16, 32
  call void @llvm.amdgcn.raw.tbuffer.store.v3f32(<3 x float> %l2, <4 x i32> %tov, i32 %n2, i32 0, i32 UNORM, i32 0)
  %l3 = call <4 x float> @llvm.amdgcn.raw.ptr.tbuffer.load.v4f32(ptr addrspace(8) %raw, i32 %n, i32 0, i32 UNORM, i32 0)
  %p3 = getelementptr i8, ptr addrspace(1) %o, i32 48
  store <4 x float> %l3, ptr addrspace(1) %p3
  %m3 = call <4 x float> @llvm.amdgcn.struct.tbuffer.load.v4f32(<4 x i32> %v, i32 %id, i32 0, i32 0, i32 UNORM, i32 0)
  %q3 = getelementptr i8, ptr addrspace(1) %o, i32 208
  store <4 x float> %m3, ptr addrspace(1) %q3
  %n3 = add i32 %n16, 48
  call void @llvm.amdgcn.raw.tbuffer.store.v4f32(<4 x float> %l3, <4 x i32> %tov, i32 %n3, i32 0, i32 UNORM, i32 0)
  %l4 = call i32 @llvm.amdgcn.raw.ptr.tbuffer.load.i32(ptr addrspace(8) %raw, i32 %n, i32 4, i32 SINT, i32 0)
  %p4 = getelementptr i8, ptr addrspace(1) %o, i32 64
  store i32 %l4, ptr addrspace(1) %p4
  %m4 = call i32 @llvm.amdgcn.struct.tbuffer.load.i32(<4 x i32> %v, i32 %id, i32 0, i32 0, i32 SINT, i32 0)
  %q4 = getelementptr i8, ptr addrspace(1) %o, i32 224
  store i32 %m4, ptr addrspace(1) %q4
  %n4 = add i32 %n16, 64
  call void @llvm.amdgcn.raw.tbuffer.store.i32(i32 %l4, <4 x i32> %tov, i32 %n4, i32 0, i32 SINT, i32 0)
  %l5 = call <4 x i32> @llvm.amdgcn.raw.ptr.tbuffer.load.v4i32(ptr addrspace(8) %raw, i32 %n, i32 8, i32 SINT, i32 0)
  %p5 = getelementptr i8, ptr addrspace(1) %o, i32 80
  store <4 x i32> %l5, ptr addrspace(1) %p5
  %m5 = call <4 x i32> @llvm.amdgcn.struct.tbuffer.load.v4i32(<4 x i32> %v, i32 %id, i32 0, i32 0, i32 SINT, i32 0)
  %q5 = getelementptr i8, ptr addrspace(1) %o, i32 240
  store <4 x i32> %m5, ptr addrspace(1) %q5
  %n5 = add i32 %n16, 80
  call void @llvm.amdgcn.raw.tbuffer.store.v4i32(<4 x i32> %l5, <4 x i32> %tov, i32 %n5, i32 0, i32 SINT, i32 0)
  ret void
}

define amdgpu_kernel void @lanes(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 16, i64 50, i32 BYTES)
  %to = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 16, i64 4000, i32 BYTES)
  %ri = ptrtoint ptr addrspace(8) %r to i128
  %v = bitcast i128 %ri to <4 x i32>
  %n = shl i32 %id, 4
  %o = getelementptr [512 x i8], ptr addrspace(1) %out, i32 %id
  %in2 = getelementptr i8, ptr addrspace(1) %in, i32 4096
  %r2 = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in2, i16 16, i64 20, i32 BYTES)
  %k = and i32 %id, 3
  %c = icmp eq i32 %k, 2
  %k4 = shl i32 %k, 2
  %s = select i1 %c, ptr addrspace(8) %r, ptr addrspace(8) %r2
  %l0 = call float @llvm.amdgcn.struct.ptr.buffer.load.format.f32(ptr addrspace(8) %s, i32 %id, i32 %k4, i32 0, i32 0)
  %p0 = getelementptr i8, ptr addrspace(1) %o, i32 0
  store float %l0, ptr addrspace(1) %p0
  %l1 = call <2 x float> @llvm.amdgcn.struct.ptr.buffer.load.format.v2f32(ptr addrspace(8) %s, i32 %id, i32 %k4, i32 0, i32 0)
  %p1 = getelementptr i8, ptr addrspace(1) %o, i32 16
  store <2 x float> %l1, ptr addrspace(1) %p1
  %l2 = call <3 x float> @llvm.amdgcn.struct.ptr.buffer.load.format.v3f32(ptr addrspace(8) %s, i32 %id, i32 %k4, i32 0, i32 0)
  %p2 = getelementptr i8, ptr addrspace(1) %o, i32 32
  store <3 x float> %l2, ptr addrspace(1) %p2
  %l3 = call <4 x float> @llvm.amdgcn.struct.ptr.buffer.load.format.v4f32(ptr addrspace(8) %s, i32 %id, i32 %k4, i32 0, i32 0)
  %p3 = getelementptr i8, ptr addrspace(1) %o, i32 48
  store <4 x float> %l3, ptr addrspace(1) %p3
  %l4 = call i32 @llvm.amdgcn.struct.ptr.buffer.load.format.i32(ptr addrspace(8) %s, i32 %id, i32 %k4, i32 0, i32 0)
  %p4 = getelementptr i8, ptr addrspace(1) %o, i32 64
  store i32 %l4, ptr addrspace(1) %p4
  %l5 = call <4 x i32> @llvm.amdgcn.struct.ptr.buffer.load.format.v4i32(ptr addrspace(8) %s, i32 %id, i32 %k4, i32 0, i32 0)
  %p5 = getelementptr i8, ptr addrspace(1) %o, i32 80
  store <4 x i32> %l5, ptr addrspace(1) %p5
  ret void
}
