; processors: gfx803 gfx900 gfx90a gfx942 gfx1010 gfx1030 gfx1030:64 gfx1100 gfx1100:64 gfx1201 gfx1201:64
; Conversions of format in buffers: by the descriptor's format and by the instruction's (tbuffer), of one to four components
; of 32 and of 16 bits, packed or not (AS-26, AS-27).
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
declare half @llvm.amdgcn.struct.ptr.buffer.load.format.f16(ptr addrspace(8), i32, i32, i32, i32)
declare half @llvm.amdgcn.struct.buffer.load.format.f16(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.format.f16(half, ptr addrspace(8), i32, i32, i32, i32)
declare <2 x half> @llvm.amdgcn.struct.ptr.buffer.load.format.v2f16(ptr addrspace(8), i32, i32, i32, i32)
declare <2 x half> @llvm.amdgcn.struct.buffer.load.format.v2f16(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.format.v2f16(<2 x half>, ptr addrspace(8), i32, i32, i32, i32)
declare <3 x half> @llvm.amdgcn.struct.ptr.buffer.load.format.v3f16(ptr addrspace(8), i32, i32, i32, i32)
declare <3 x half> @llvm.amdgcn.struct.buffer.load.format.v3f16(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.format.v3f16(<3 x half>, ptr addrspace(8), i32, i32, i32, i32)
declare <4 x half> @llvm.amdgcn.struct.ptr.buffer.load.format.v4f16(ptr addrspace(8), i32, i32, i32, i32)
declare <4 x half> @llvm.amdgcn.struct.buffer.load.format.v4f16(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.format.v4f16(<4 x half>, ptr addrspace(8), i32, i32, i32, i32)
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
declare half @llvm.amdgcn.raw.ptr.tbuffer.load.f16(ptr addrspace(8), i32, i32, i32, i32)
declare half @llvm.amdgcn.struct.tbuffer.load.f16(<4 x i32>, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.tbuffer.store.f16(half, <4 x i32>, i32, i32, i32, i32)
declare <2 x half> @llvm.amdgcn.raw.ptr.tbuffer.load.v2f16(ptr addrspace(8), i32, i32, i32, i32)
declare <2 x half> @llvm.amdgcn.struct.tbuffer.load.v2f16(<4 x i32>, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.tbuffer.store.v2f16(<2 x half>, <4 x i32>, i32, i32, i32, i32)
declare <3 x half> @llvm.amdgcn.raw.ptr.tbuffer.load.v3f16(ptr addrspace(8), i32, i32, i32, i32)
declare <3 x half> @llvm.amdgcn.struct.tbuffer.load.v3f16(<4 x i32>, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.tbuffer.store.v3f16(<3 x half>, <4 x i32>, i32, i32, i32, i32)
declare <4 x half> @llvm.amdgcn.raw.ptr.tbuffer.load.v4f16(ptr addrspace(8), i32, i32, i32, i32)
declare <4 x half> @llvm.amdgcn.struct.tbuffer.load.v4f16(<4 x i32>, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.tbuffer.store.v4f16(<4 x half>, <4 x i32>, i32, i32, i32, i32)

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
  %l6 = call half @llvm.amdgcn.struct.buffer.load.format.f16(<4 x i32> %v, i32 %id, i32 0, i32 0, i32 0)
  %p6 = getelementptr i8, ptr addrspace(1) %o, i32 96
  store half %l6, ptr addrspace(1) %p6
  %n6 = add i32 %n, 1030
  call void @llvm.amdgcn.struct.ptr.buffer.store.format.f16(half %l6, ptr addrspace(8) %to, i32 %n6, i32 0, i32 0, i32 0)
  %l7 = call <2 x half> @llvm.amdgcn.struct.ptr.buffer.load.format.v2f16(ptr addrspace(8) %r, i32 %id, i32 4, i32 0, i32 0)
  %p7 = getelementptr i8, ptr addrspace(1) %o, i32 112
  store <2 x half> %l7, ptr addrspace(1) %p7
  %n7 = add i32 %n, 1031
  call void @llvm.amdgcn.struct.ptr.buffer.store.format.v2f16(<2 x half> %l7, ptr addrspace(8) %to, i32 %n7, i32 4, i32 0, i32 0)
  %l8 = call <3 x half> @llvm.amdgcn.struct.buffer.load.format.v3f16(<4 x i32> %v, i32 %id, i32 8, i32 0, i32 0)
  %p8 = getelementptr i8, ptr addrspace(1) %o, i32 128
  store <3 x half> %l8, ptr addrspace(1) %p8
  %n8 = add i32 %n, 1032
  call void @llvm.amdgcn.struct.ptr.buffer.store.format.v3f16(<3 x half> %l8, ptr addrspace(8) %to, i32 %n8, i32 8, i32 0, i32 0)
  %l9 = call <4 x half> @llvm.amdgcn.struct.ptr.buffer.load.format.v4f16(ptr addrspace(8) %r, i32 %id, i32 0, i32 0, i32 0)
  %p9 = getelementptr i8, ptr addrspace(1) %o, i32 144
  store <4 x half> %l9, ptr addrspace(1) %p9
  %n9 = add i32 %n, 1033
  call void @llvm.amdgcn.struct.ptr.buffer.store.format.v4f16(<4 x half> %l9, ptr addrspace(8) %to, i32 %n9, i32 0, i32 0, i32 0)
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
  %l6 = call half @llvm.amdgcn.raw.ptr.tbuffer.load.f16(ptr addrspace(8) %raw, i32 %n, i32 0, i32 UNORM, i32 0)
  %p6 = getelementptr i8, ptr addrspace(1) %o, i32 96
  store half %l6, ptr addrspace(1) %p6
  %m6 = call half @llvm.amdgcn.struct.tbuffer.load.f16(<4 x i32> %v, i32 %id, i32 0, i32 0, i32 UNORM, i32 0)
  %q6 = getelementptr i8, ptr addrspace(1) %o, i32 256
  store half %m6, ptr addrspace(1) %q6
  %n6 = add i32 %n16, 96
  call void @llvm.amdgcn.raw.tbuffer.store.f16(half %l6, <4 x i32> %tov, i32 %n6, i32 0, i32 UNORM, i32 0)
  %l7 = call <2 x half> @llvm.amdgcn.raw.ptr.tbuffer.load.v2f16(ptr addrspace(8) %raw, i32 %n, i32 4, i32 UNORM, i32 0)
  %p7 = getelementptr i8, ptr addrspace(1) %o, i32 112
  store <2 x half> %l7, ptr addrspace(1) %p7
  %m7 = call <2 x half> @llvm.amdgcn.struct.tbuffer.load.v2f16(<4 x i32> %v, i32 %id, i32 0, i32 0, i32 UNORM, i32 0)
  %q7 = getelementptr i8, ptr addrspace(1) %o, i32 272
  store <2 x half> %m7, ptr addrspace(1) %q7
  %n7 = add i32 %n16, 112
  call void @llvm.amdgcn.raw.tbuffer.store.v2f16(<2 x half> %l7, <4 x i32> %tov, i32 %n7, i32 0, i32 UNORM, i32 0)
  %l8 = call <3 x half> @llvm.amdgcn.raw.ptr.tbuffer.load.v3f16(ptr addrspace(8) %raw, i32 %n, i32 8, i32 FLOATS, i32 0)
  %p8 = getelementptr i8, ptr addrspace(1) %o, i32 128
  store <3 x half> %l8, ptr addrspace(1) %p8
  %m8 = call <3 x half> @llvm.amdgcn.struct.tbuffer.load.v3f16(<4 x i32> %v, i32 %id, i32 0, i32 0, i32 FLOATS, i32 0)
  %q8 = getelementptr i8, ptr addrspace(1) %o, i32 288
  store <3 x half> %m8, ptr addrspace(1) %q8
  %n8 = add i32 %n16, 128
  call void @llvm.amdgcn.raw.tbuffer.store.v3f16(<3 x half> %l8, <4 x i32> %tov, i32 %n8, i32 0, i32 FLOATS, i32 0)
  %l9 = call <4 x half> @llvm.amdgcn.raw.ptr.tbuffer.load.v4f16(ptr addrspace(8) %raw, i32 %n, i32 0, i32 HALVES, i32 0)
  %p9 = getelementptr i8, ptr addrspace(1) %o, i32 144
  store <4 x half> %l9, ptr addrspace(1) %p9
  %m9 = call <4 x half> @llvm.amdgcn.struct.tbuffer.load.v4f16(<4 x i32> %v, i32 %id, i32 0, i32 0, i32 HALVES, i32 0)
  %q9 = getelementptr i8, ptr addrspace(1) %o, i32 304
  store <4 x half> %m9, ptr addrspace(1) %q9
  %n9 = add i32 %n16, 144
  call void @llvm.amdgcn.raw.tbuffer.store.v4f16(<4 x half> %l9, <4 x i32> %tov, i32 %n9, i32 0, i32 HALVES, i32 0)
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
