; processors: gfx600 gfx700 gfx803 gfx900 gfx90a gfx942 gfx1010 gfx1030 gfx1030:64 gfx1100 gfx1100:64 gfx1201 gfx1201:64 gfx1250
; The intrinsics of buffers: raw and struct, with descriptors as pointers and as vectors, plain loads and stores, s.buffer.load,
; atomic operations with and without a result, cache policies, scalar offsets, offsets beyond what instructions hold,
; descriptors, scalar offsets and indices that differ by lane (AS-26, AS-27).
declare i8 @llvm.amdgcn.raw.ptr.buffer.load.i8(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i8(i8, ptr addrspace(8), i32, i32, i32)
declare i16 @llvm.amdgcn.raw.buffer.load.i16(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.i16(i16, <4 x i32>, i32, i32, i32)
declare half @llvm.amdgcn.raw.ptr.buffer.load.f16(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.f16(half, ptr addrspace(8), i32, i32, i32)
declare bfloat @llvm.amdgcn.raw.buffer.load.bf16(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.bf16(bfloat, <4 x i32>, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32)
declare float @llvm.amdgcn.raw.buffer.load.f32(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.f32(float, <4 x i32>, i32, i32, i32)
declare <2 x half> @llvm.amdgcn.raw.ptr.buffer.load.v2f16(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.v2f16(<2 x half>, ptr addrspace(8), i32, i32, i32)
declare <2 x i16> @llvm.amdgcn.raw.buffer.load.v2i16(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.v2i16(<2 x i16>, <4 x i32>, i32, i32, i32)
declare i64 @llvm.amdgcn.raw.ptr.buffer.load.i64(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i64(i64, ptr addrspace(8), i32, i32, i32)
declare double @llvm.amdgcn.raw.buffer.load.f64(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.f64(double, <4 x i32>, i32, i32, i32)
declare <2 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v2i32(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.v2i32(<2 x i32>, ptr addrspace(8), i32, i32, i32)
declare <4 x i16> @llvm.amdgcn.raw.buffer.load.v4i16(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.v4i16(<4 x i16>, <4 x i32>, i32, i32, i32)
declare <4 x half> @llvm.amdgcn.raw.ptr.buffer.load.v4f16(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.v4f16(<4 x half>, ptr addrspace(8), i32, i32, i32)
declare <3 x float> @llvm.amdgcn.raw.buffer.load.v3f32(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.v3f32(<3 x float>, <4 x i32>, i32, i32, i32)
declare <3 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v3i32(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.v3i32(<3 x i32>, ptr addrspace(8), i32, i32, i32)
declare <4 x float> @llvm.amdgcn.raw.buffer.load.v4f32(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.v4f32(<4 x float>, <4 x i32>, i32, i32, i32)
declare <4 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v4i32(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.v4i32(<4 x i32>, ptr addrspace(8), i32, i32, i32)
declare <8 x half> @llvm.amdgcn.raw.buffer.load.v8f16(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.v8f16(<8 x half>, <4 x i32>, i32, i32, i32)
declare <2 x double> @llvm.amdgcn.raw.ptr.buffer.load.v2f64(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.v2f64(<2 x double>, ptr addrspace(8), i32, i32, i32)
declare <2 x i64> @llvm.amdgcn.raw.buffer.load.v2i64(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.v2i64(<2 x i64>, <4 x i32>, i32, i32, i32)
declare i8 @llvm.amdgcn.struct.buffer.load.i8(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.i8(i8, <4 x i32>, i32, i32, i32, i32)
declare i16 @llvm.amdgcn.struct.ptr.buffer.load.i16(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.i16(i16, ptr addrspace(8), i32, i32, i32, i32)
declare half @llvm.amdgcn.struct.buffer.load.f16(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.f16(half, <4 x i32>, i32, i32, i32, i32)
declare bfloat @llvm.amdgcn.struct.ptr.buffer.load.bf16(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.bf16(bfloat, ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.load.i32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare float @llvm.amdgcn.struct.ptr.buffer.load.f32(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.f32(float, ptr addrspace(8), i32, i32, i32, i32)
declare <2 x half> @llvm.amdgcn.struct.buffer.load.v2f16(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.v2f16(<2 x half>, <4 x i32>, i32, i32, i32, i32)
declare <2 x i16> @llvm.amdgcn.struct.ptr.buffer.load.v2i16(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.v2i16(<2 x i16>, ptr addrspace(8), i32, i32, i32, i32)
declare i64 @llvm.amdgcn.struct.buffer.load.i64(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.i64(i64, <4 x i32>, i32, i32, i32, i32)
declare double @llvm.amdgcn.struct.ptr.buffer.load.f64(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.f64(double, ptr addrspace(8), i32, i32, i32, i32)
declare <2 x i32> @llvm.amdgcn.struct.buffer.load.v2i32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.v2i32(<2 x i32>, <4 x i32>, i32, i32, i32, i32)
declare <4 x i16> @llvm.amdgcn.struct.ptr.buffer.load.v4i16(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.v4i16(<4 x i16>, ptr addrspace(8), i32, i32, i32, i32)
declare <4 x half> @llvm.amdgcn.struct.buffer.load.v4f16(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.v4f16(<4 x half>, <4 x i32>, i32, i32, i32, i32)
declare <3 x float> @llvm.amdgcn.struct.ptr.buffer.load.v3f32(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.v3f32(<3 x float>, ptr addrspace(8), i32, i32, i32, i32)
declare <3 x i32> @llvm.amdgcn.struct.buffer.load.v3i32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.v3i32(<3 x i32>, <4 x i32>, i32, i32, i32, i32)
declare <4 x float> @llvm.amdgcn.struct.ptr.buffer.load.v4f32(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.v4f32(<4 x float>, ptr addrspace(8), i32, i32, i32, i32)
declare <4 x i32> @llvm.amdgcn.struct.buffer.load.v4i32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.v4i32(<4 x i32>, <4 x i32>, i32, i32, i32, i32)
declare <8 x half> @llvm.amdgcn.struct.ptr.buffer.load.v8f16(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.v8f16(<8 x half>, ptr addrspace(8), i32, i32, i32, i32)
declare <2 x double> @llvm.amdgcn.struct.buffer.load.v2f64(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.v2f64(<2 x double>, <4 x i32>, i32, i32, i32, i32)
declare <2 x i64> @llvm.amdgcn.struct.ptr.buffer.load.v2i64(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.v2i64(<2 x i64>, ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.atomic.buffer.load.i32(ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32>, i32, i32)
declare float @llvm.amdgcn.s.buffer.load.f32(<4 x i32>, i32, i32)
declare <2 x i32> @llvm.amdgcn.s.buffer.load.v2i32(<4 x i32>, i32, i32)
declare <3 x i32> @llvm.amdgcn.s.buffer.load.v3i32(<4 x i32>, i32, i32)
declare <4 x float> @llvm.amdgcn.s.buffer.load.v4f32(<4 x i32>, i32, i32)
declare <8 x i32> @llvm.amdgcn.s.buffer.load.v8i32(<4 x i32>, i32, i32)
declare <16 x i32> @llvm.amdgcn.s.buffer.load.v16i32(<4 x i32>, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.swap.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.swap.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i64 @llvm.amdgcn.raw.ptr.buffer.atomic.swap.i64(i64, ptr addrspace(8), i32, i32, i32)
declare i64 @llvm.amdgcn.struct.buffer.atomic.swap.i64(i64, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.add.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i64 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i64(i64, ptr addrspace(8), i32, i32, i32)
declare i64 @llvm.amdgcn.struct.buffer.atomic.add.i64(i64, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.sub.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.sub.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i64 @llvm.amdgcn.raw.ptr.buffer.atomic.sub.i64(i64, ptr addrspace(8), i32, i32, i32)
declare i64 @llvm.amdgcn.struct.buffer.atomic.sub.i64(i64, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.smin.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.smin.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i64 @llvm.amdgcn.raw.ptr.buffer.atomic.smin.i64(i64, ptr addrspace(8), i32, i32, i32)
declare i64 @llvm.amdgcn.struct.buffer.atomic.smin.i64(i64, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.umin.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.umin.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i64 @llvm.amdgcn.raw.ptr.buffer.atomic.umin.i64(i64, ptr addrspace(8), i32, i32, i32)
declare i64 @llvm.amdgcn.struct.buffer.atomic.umin.i64(i64, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.smax.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.smax.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i64 @llvm.amdgcn.raw.ptr.buffer.atomic.smax.i64(i64, ptr addrspace(8), i32, i32, i32)
declare i64 @llvm.amdgcn.struct.buffer.atomic.smax.i64(i64, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.umax.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.umax.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i64 @llvm.amdgcn.raw.ptr.buffer.atomic.umax.i64(i64, ptr addrspace(8), i32, i32, i32)
declare i64 @llvm.amdgcn.struct.buffer.atomic.umax.i64(i64, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.and.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.and.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i64 @llvm.amdgcn.raw.ptr.buffer.atomic.and.i64(i64, ptr addrspace(8), i32, i32, i32)
declare i64 @llvm.amdgcn.struct.buffer.atomic.and.i64(i64, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.or.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.or.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i64 @llvm.amdgcn.raw.ptr.buffer.atomic.or.i64(i64, ptr addrspace(8), i32, i32, i32)
declare i64 @llvm.amdgcn.struct.buffer.atomic.or.i64(i64, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.xor.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.xor.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i64 @llvm.amdgcn.raw.ptr.buffer.atomic.xor.i64(i64, ptr addrspace(8), i32, i32, i32)
declare i64 @llvm.amdgcn.struct.buffer.atomic.xor.i64(i64, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.inc.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.inc.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i64 @llvm.amdgcn.raw.ptr.buffer.atomic.inc.i64(i64, ptr addrspace(8), i32, i32, i32)
declare i64 @llvm.amdgcn.struct.buffer.atomic.inc.i64(i64, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.dec.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.dec.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i64 @llvm.amdgcn.raw.ptr.buffer.atomic.dec.i64(i64, ptr addrspace(8), i32, i32, i32)
declare i64 @llvm.amdgcn.struct.buffer.atomic.dec.i64(i64, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i32(i32, i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.atomic.cmpswap.i32(i32, i32, ptr addrspace(8), i32, i32, i32, i32)
declare i64 @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i64(i64, i64, ptr addrspace(8), i32, i32, i32)
declare i64 @llvm.amdgcn.struct.ptr.buffer.atomic.cmpswap.i64(i64, i64, ptr addrspace(8), i32, i32, i32, i32)
declare <4 x float> @llvm.amdgcn.raw.ptr.buffer.load.v4f32(ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)

define amdgpu_kernel void @raw(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 3000, i32 805466112)
  %to = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 0, i64 60000, i32 805466112)
  %sr = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 24, i64 50, i32 268595200)
  %sto = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 256, i64 60, i32 268595200)
  %ri = ptrtoint ptr addrspace(8) %r to i128
  %v = bitcast i128 %ri to <4 x i32>
  %toi = ptrtoint ptr addrspace(8) %to to i128
  %tov = bitcast i128 %toi to <4 x i32>
  %at = shl i32 %id, 6
  %to.at = shl i32 %id, 8
  %a0 = add i32 %at, 0
  %l0 = call i8 @llvm.amdgcn.raw.ptr.buffer.load.i8(ptr addrspace(8) %r, i32 %a0, i32 0, i32 0)
  %b0 = add nuw i32 %to.at, 0
  call void @llvm.amdgcn.raw.ptr.buffer.store.i8(i8 %l0, ptr addrspace(8) %to, i32 %b0, i32 0, i32 0)
  %a1 = add i32 %at, 2
  %l1 = call i16 @llvm.amdgcn.raw.buffer.load.i16(<4 x i32> %v, i32 %a1, i32 4, i32 1)
  %b1 = add nuw i32 %to.at, 16
  call void @llvm.amdgcn.raw.buffer.store.i16(i16 %l1, <4 x i32> %tov, i32 %b1, i32 0, i32 0)
  %a2 = add i32 %at, 4
  %l2 = call half @llvm.amdgcn.raw.ptr.buffer.load.f16(ptr addrspace(8) %r, i32 %a2, i32 8, i32 2)
  %b2 = add nuw i32 %to.at, 32
  call void @llvm.amdgcn.raw.ptr.buffer.store.f16(half %l2, ptr addrspace(8) %to, i32 %b2, i32 0, i32 0)
  %a3 = add i32 %at, 6
  %l3 = call bfloat @llvm.amdgcn.raw.buffer.load.bf16(<4 x i32> %v, i32 %a3, i32 12, i32 0)
  %b3 = add nuw i32 %to.at, 48
  call void @llvm.amdgcn.raw.buffer.store.bf16(bfloat %l3, <4 x i32> %tov, i32 %b3, i32 0, i32 0)
  %a4 = add i32 %at, 16
  %l4 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %a4, i32 16, i32 1)
  %b4 = add nuw i32 %to.at, 64
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %l4, ptr addrspace(8) %to, i32 %b4, i32 0, i32 0)
  %a5 = add i32 %at, 20
  %l5 = call float @llvm.amdgcn.raw.buffer.load.f32(<4 x i32> %v, i32 %a5, i32 0, i32 2)
  %b5 = add nuw i32 %to.at, 80
  call void @llvm.amdgcn.raw.buffer.store.f32(float %l5, <4 x i32> %tov, i32 %b5, i32 0, i32 0)
  %a6 = add i32 %at, 24
  %l6 = call <2 x half> @llvm.amdgcn.raw.ptr.buffer.load.v2f16(ptr addrspace(8) %r, i32 %a6, i32 4, i32 0)
  %b6 = add nuw i32 %to.at, 96
  call void @llvm.amdgcn.raw.ptr.buffer.store.v2f16(<2 x half> %l6, ptr addrspace(8) %to, i32 %b6, i32 0, i32 0)
  %a7 = add i32 %at, 28
  %l7 = call <2 x i16> @llvm.amdgcn.raw.buffer.load.v2i16(<4 x i32> %v, i32 %a7, i32 8, i32 1)
  %b7 = add nuw i32 %to.at, 112
  call void @llvm.amdgcn.raw.buffer.store.v2i16(<2 x i16> %l7, <4 x i32> %tov, i32 %b7, i32 0, i32 0)
  %a8 = add i32 %at, 32
  %l8 = call i64 @llvm.amdgcn.raw.ptr.buffer.load.i64(ptr addrspace(8) %r, i32 %a8, i32 12, i32 2)
  %b8 = add nuw i32 %to.at, 128
  call void @llvm.amdgcn.raw.ptr.buffer.store.i64(i64 %l8, ptr addrspace(8) %to, i32 %b8, i32 0, i32 0)
  %a9 = add i32 %at, 36
  %l9 = call double @llvm.amdgcn.raw.buffer.load.f64(<4 x i32> %v, i32 %a9, i32 16, i32 0)
  %b9 = add nuw i32 %to.at, 144
  call void @llvm.amdgcn.raw.buffer.store.f64(double %l9, <4 x i32> %tov, i32 %b9, i32 0, i32 0)
  %a10 = add i32 %at, 40
  %l10 = call <2 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v2i32(ptr addrspace(8) %r, i32 %a10, i32 0, i32 1)
  %b10 = add nuw i32 %to.at, 160
  call void @llvm.amdgcn.raw.ptr.buffer.store.v2i32(<2 x i32> %l10, ptr addrspace(8) %to, i32 %b10, i32 0, i32 0)
  %a11 = add i32 %at, 44
  %l11 = call <4 x i16> @llvm.amdgcn.raw.buffer.load.v4i16(<4 x i32> %v, i32 %a11, i32 4, i32 2)
  %b11 = add nuw i32 %to.at, 176
  call void @llvm.amdgcn.raw.buffer.store.v4i16(<4 x i16> %l11, <4 x i32> %tov, i32 %b11, i32 0, i32 0)
  %a12 = add i32 %at, 48
  %l12 = call <4 x half> @llvm.amdgcn.raw.ptr.buffer.load.v4f16(ptr addrspace(8) %r, i32 %a12, i32 8, i32 0)
  %b12 = add nuw i32 %to.at, 192
  call void @llvm.amdgcn.raw.ptr.buffer.store.v4f16(<4 x half> %l12, ptr addrspace(8) %to, i32 %b12, i32 0, i32 0)
  %a13 = add i32 %at, 52
  %l13 = call <3 x float> @llvm.amdgcn.raw.buffer.load.v3f32(<4 x i32> %v, i32 %a13, i32 12, i32 1)
  %b13 = add nuw i32 %to.at, 208
  call void @llvm.amdgcn.raw.buffer.store.v3f32(<3 x float> %l13, <4 x i32> %tov, i32 %b13, i32 0, i32 0)
  %a14 = add i32 %at, 56
  %l14 = call <3 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v3i32(ptr addrspace(8) %r, i32 %a14, i32 16, i32 2)
  %b14 = add nuw i32 %to.at, 224
  call void @llvm.amdgcn.raw.ptr.buffer.store.v3i32(<3 x i32> %l14, ptr addrspace(8) %to, i32 %b14, i32 0, i32 0)
  %a15 = add i32 %at, 60
  %l15 = call <4 x float> @llvm.amdgcn.raw.buffer.load.v4f32(<4 x i32> %v, i32 %a15, i32 0, i32 0)
  %b15 = add nuw i32 %to.at, 240
  call void @llvm.amdgcn.raw.buffer.store.v4f32(<4 x float> %l15, <4 x i32> %tov, i32 %b15, i32 0, i32 0)
  %a16 = add i32 %at, 64
  %l16 = call <4 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v4i32(ptr addrspace(8) %r, i32 %a16, i32 4, i32 1)
  %b16 = add nuw i32 %to.at, 0
  call void @llvm.amdgcn.raw.ptr.buffer.store.v4i32(<4 x i32> %l16, ptr addrspace(8) %to, i32 %b16, i32 16384, i32 0)
  %a17 = add i32 %at, 68
  %l17 = call <8 x half> @llvm.amdgcn.raw.buffer.load.v8f16(<4 x i32> %v, i32 %a17, i32 8, i32 2)
  %b17 = add nuw i32 %to.at, 16
  call void @llvm.amdgcn.raw.buffer.store.v8f16(<8 x half> %l17, <4 x i32> %tov, i32 %b17, i32 16384, i32 0)
  %a18 = add i32 %at, 72
  %l18 = call <2 x double> @llvm.amdgcn.raw.ptr.buffer.load.v2f64(ptr addrspace(8) %r, i32 %a18, i32 12, i32 0)
  %b18 = add nuw i32 %to.at, 32
  call void @llvm.amdgcn.raw.ptr.buffer.store.v2f64(<2 x double> %l18, ptr addrspace(8) %to, i32 %b18, i32 16384, i32 0)
  %a19 = add i32 %at, 76
  %l19 = call <2 x i64> @llvm.amdgcn.raw.buffer.load.v2i64(<4 x i32> %v, i32 %a19, i32 16, i32 1)
  %b19 = add nuw i32 %to.at, 48
  call void @llvm.amdgcn.raw.buffer.store.v2i64(<2 x i64> %l19, <4 x i32> %tov, i32 %b19, i32 16384, i32 0)
  ret void
}

define amdgpu_kernel void @struct(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 3000, i32 805466112)
  %to = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 0, i64 60000, i32 805466112)
  %sr = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 24, i64 50, i32 268595200)
  %sto = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 256, i64 60, i32 268595200)
  %ri = ptrtoint ptr addrspace(8) %r to i128
  %v = bitcast i128 %ri to <4 x i32>
  %toi = ptrtoint ptr addrspace(8) %to to i128
  %tov = bitcast i128 %toi to <4 x i32>
  %at = shl i32 %id, 6
  %to.at = shl i32 %id, 8
  %sri = ptrtoint ptr addrspace(8) %sr to i128
  %srv = bitcast i128 %sri to <4 x i32>
  %stoi = ptrtoint ptr addrspace(8) %sto to i128
  %stov = bitcast i128 %stoi to <4 x i32>
  %l0 = call i8 @llvm.amdgcn.struct.buffer.load.i8(<4 x i32> %srv, i32 %id, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.struct.buffer.store.i8(i8 %l0, <4 x i32> %stov, i32 %id, i32 0, i32 0, i32 0)
  %l1 = call i16 @llvm.amdgcn.struct.ptr.buffer.load.i16(ptr addrspace(8) %sr, i32 %id, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.i16(i16 %l1, ptr addrspace(8) %sto, i32 %id, i32 16, i32 0, i32 0)
  %l2 = call half @llvm.amdgcn.struct.buffer.load.f16(<4 x i32> %srv, i32 %id, i32 8, i32 0, i32 0)
  call void @llvm.amdgcn.struct.buffer.store.f16(half %l2, <4 x i32> %stov, i32 %id, i32 32, i32 0, i32 0)
  %l3 = call bfloat @llvm.amdgcn.struct.ptr.buffer.load.bf16(ptr addrspace(8) %sr, i32 %id, i32 12, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.bf16(bfloat %l3, ptr addrspace(8) %sto, i32 %id, i32 48, i32 0, i32 0)
  %l4 = call i32 @llvm.amdgcn.struct.buffer.load.i32(<4 x i32> %srv, i32 %id, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.struct.buffer.store.i32(i32 %l4, <4 x i32> %stov, i32 %id, i32 64, i32 0, i32 0)
  %l5 = call float @llvm.amdgcn.struct.ptr.buffer.load.f32(ptr addrspace(8) %sr, i32 %id, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.f32(float %l5, ptr addrspace(8) %sto, i32 %id, i32 80, i32 0, i32 0)
  %l6 = call <2 x half> @llvm.amdgcn.struct.buffer.load.v2f16(<4 x i32> %srv, i32 %id, i32 8, i32 0, i32 0)
  call void @llvm.amdgcn.struct.buffer.store.v2f16(<2 x half> %l6, <4 x i32> %stov, i32 %id, i32 96, i32 0, i32 0)
  %l7 = call <2 x i16> @llvm.amdgcn.struct.ptr.buffer.load.v2i16(ptr addrspace(8) %sr, i32 %id, i32 12, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.v2i16(<2 x i16> %l7, ptr addrspace(8) %sto, i32 %id, i32 112, i32 0, i32 0)
  %l8 = call i64 @llvm.amdgcn.struct.buffer.load.i64(<4 x i32> %srv, i32 %id, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.struct.buffer.store.i64(i64 %l8, <4 x i32> %stov, i32 %id, i32 128, i32 0, i32 0)
  %l9 = call double @llvm.amdgcn.struct.ptr.buffer.load.f64(ptr addrspace(8) %sr, i32 %id, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.f64(double %l9, ptr addrspace(8) %sto, i32 %id, i32 144, i32 0, i32 0)
  %l10 = call <2 x i32> @llvm.amdgcn.struct.buffer.load.v2i32(<4 x i32> %srv, i32 %id, i32 8, i32 0, i32 0)
  call void @llvm.amdgcn.struct.buffer.store.v2i32(<2 x i32> %l10, <4 x i32> %stov, i32 %id, i32 160, i32 0, i32 0)
  %l11 = call <4 x i16> @llvm.amdgcn.struct.ptr.buffer.load.v4i16(ptr addrspace(8) %sr, i32 %id, i32 12, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.v4i16(<4 x i16> %l11, ptr addrspace(8) %sto, i32 %id, i32 176, i32 0, i32 0)
  %l12 = call <4 x half> @llvm.amdgcn.struct.buffer.load.v4f16(<4 x i32> %srv, i32 %id, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.struct.buffer.store.v4f16(<4 x half> %l12, <4 x i32> %stov, i32 %id, i32 192, i32 0, i32 0)
  %l13 = call <3 x float> @llvm.amdgcn.struct.ptr.buffer.load.v3f32(ptr addrspace(8) %sr, i32 %id, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.v3f32(<3 x float> %l13, ptr addrspace(8) %sto, i32 %id, i32 208, i32 0, i32 0)
  %l14 = call <3 x i32> @llvm.amdgcn.struct.buffer.load.v3i32(<4 x i32> %srv, i32 %id, i32 8, i32 0, i32 0)
  call void @llvm.amdgcn.struct.buffer.store.v3i32(<3 x i32> %l14, <4 x i32> %stov, i32 %id, i32 224, i32 0, i32 0)
  %l15 = call <4 x float> @llvm.amdgcn.struct.ptr.buffer.load.v4f32(ptr addrspace(8) %sr, i32 %id, i32 12, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.v4f32(<4 x float> %l15, ptr addrspace(8) %sto, i32 %id, i32 240, i32 0, i32 0)
  %l16 = call <4 x i32> @llvm.amdgcn.struct.buffer.load.v4i32(<4 x i32> %srv, i32 %id, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.struct.buffer.store.v4i32(<4 x i32> %l16, <4 x i32> %stov, i32 %id, i32 0, i32 16384, i32 0)
  %l17 = call <8 x half> @llvm.amdgcn.struct.ptr.buffer.load.v8f16(ptr addrspace(8) %sr, i32 %id, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.v8f16(<8 x half> %l17, ptr addrspace(8) %sto, i32 %id, i32 16, i32 16384, i32 0)
  %l18 = call <2 x double> @llvm.amdgcn.struct.buffer.load.v2f64(<4 x i32> %srv, i32 %id, i32 8, i32 0, i32 0)
  call void @llvm.amdgcn.struct.buffer.store.v2f64(<2 x double> %l18, <4 x i32> %stov, i32 %id, i32 32, i32 16384, i32 0)
  %l19 = call <2 x i64> @llvm.amdgcn.struct.ptr.buffer.load.v2i64(ptr addrspace(8) %sr, i32 %id, i32 12, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.v2i64(<2 x i64> %l19, ptr addrspace(8) %sto, i32 %id, i32 48, i32 16384, i32 0)
  ret void
}

define amdgpu_kernel void @offsets(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 3000, i32 805466112)
  %to = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 0, i64 60000, i32 805466112)
  %sr = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 24, i64 50, i32 268595200)
  %sto = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 256, i64 60, i32 268595200)
  %ri = ptrtoint ptr addrspace(8) %r to i128
  %v = bitcast i128 %ri to <4 x i32>
  %toi = ptrtoint ptr addrspace(8) %to to i128
  %tov = bitcast i128 %toi to <4 x i32>
  %at = shl i32 %id, 6
  %to.at = shl i32 %id, 8
  %u = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %at)
  %w0 = load i32, ptr addrspace(1) %in
  %w2 = and i32 %w0, 12
  %w1 = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %w2)
  %w = and i32 %id, 12
  %l0 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %l0, ptr addrspace(8) %to, i32 %to.at, i32 0, i32 0)
  %l1 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 16, i32 4, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %l1, ptr addrspace(8) %to, i32 %to.at, i32 4, i32 0)
  %l2 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 4092, i32 64, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %l2, ptr addrspace(8) %to, i32 %to.at, i32 8, i32 0)
  %l3 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 4095, i32 100, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %l3, ptr addrspace(8) %to, i32 %to.at, i32 12, i32 0)
  %l4 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 4096, i32 4096, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %l4, ptr addrspace(8) %to, i32 %to.at, i32 16, i32 0)
  %l5 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 5000, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %l5, ptr addrspace(8) %to, i32 %to.at, i32 20, i32 0)
  %l6 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 70000, i32 4, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %l6, ptr addrspace(8) %to, i32 %to.at, i32 24, i32 0)
  %l7 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %id, i32 64, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %l7, ptr addrspace(8) %to, i32 %to.at, i32 28, i32 0)
  %l8 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %at, i32 100, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %l8, ptr addrspace(8) %to, i32 %to.at, i32 32, i32 0)
  %l9 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %u, i32 4096, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %l9, ptr addrspace(8) %to, i32 %to.at, i32 36, i32 0)
  %m0 = call i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8) %sr, i32 5, i32 8, i32 0, i32 0)
  %m1 = call i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8) %sr, i32 %id, i32 %w, i32 0, i32 0)
  %m2 = call i32 @llvm.amdgcn.raw.ptr.atomic.buffer.load.i32(ptr addrspace(8) %r, i32 %at, i32 0, i32 1)
  %m3 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %at, i32 0, i32 -2147483648)
  %m4 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %at, i32 %w1, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %m0, ptr addrspace(8) %to, i32 %to.at, i32 64, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %m1, ptr addrspace(8) %to, i32 %to.at, i32 68, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %m2, ptr addrspace(8) %to, i32 %to.at, i32 72, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %m3, ptr addrspace(8) %to, i32 %to.at, i32 76, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %m4, ptr addrspace(8) %to, i32 %to.at, i32 80, i32 -2147483648)
  ret void
}

define amdgpu_kernel void @scalar(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 3000, i32 805466112)
  %to = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 0, i64 60000, i32 805466112)
  %sr = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 24, i64 50, i32 268595200)
  %sto = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 256, i64 60, i32 268595200)
  %ri = ptrtoint ptr addrspace(8) %r to i128
  %v = bitcast i128 %ri to <4 x i32>
  %toi = ptrtoint ptr addrspace(8) %to to i128
  %tov = bitcast i128 %toi to <4 x i32>
  %at = shl i32 %id, 6
  %to.at = shl i32 %id, 8
  %w0 = load i32, ptr addrspace(1) %in
  %w2 = and i32 %w0, 12
  %w1 = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %w2)
  %o = getelementptr [2560 x i8], ptr addrspace(1) %out, i32 %id
  %c = icmp ult i32 %id, 24
  %at4 = mul i32 %id, 132
  br i1 %c, label %some, label %none
some:
  %s0.0 = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %v, i32 16, i32 0)
  %p0.0 = getelementptr i8, ptr addrspace(1) %o, i32 0
  store i32 %s0.0, ptr addrspace(1) %p0.0, align 4
  %s0.1 = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %v, i32 %w1, i32 0)
  %p0.1 = getelementptr i8, ptr addrspace(1) %o, i32 64
  store i32 %s0.1, ptr addrspace(1) %p0.1, align 4
  %s0.2 = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %v, i32 2960, i32 0)
  %p0.2 = getelementptr i8, ptr addrspace(1) %o, i32 128
  store i32 %s0.2, ptr addrspace(1) %p0.2, align 4
  %s0.3 = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %v, i32 5000, i32 0)
  %p0.3 = getelementptr i8, ptr addrspace(1) %o, i32 192
  store i32 %s0.3, ptr addrspace(1) %p0.3, align 4
  %s0.4 = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %v, i32 %at4, i32 0)
  %p0.4 = getelementptr i8, ptr addrspace(1) %o, i32 256
  store i32 %s0.4, ptr addrspace(1) %p0.4, align 4
  %s1.0 = call float @llvm.amdgcn.s.buffer.load.f32(<4 x i32> %v, i32 16, i32 0)
  %p1.0 = getelementptr i8, ptr addrspace(1) %o, i32 320
  store float %s1.0, ptr addrspace(1) %p1.0, align 4
  %s1.1 = call float @llvm.amdgcn.s.buffer.load.f32(<4 x i32> %v, i32 %w1, i32 0)
  %p1.1 = getelementptr i8, ptr addrspace(1) %o, i32 384
  store float %s1.1, ptr addrspace(1) %p1.1, align 4
  %s1.2 = call float @llvm.amdgcn.s.buffer.load.f32(<4 x i32> %v, i32 2960, i32 0)
  %p1.2 = getelementptr i8, ptr addrspace(1) %o, i32 448
  store float %s1.2, ptr addrspace(1) %p1.2, align 4
  %s1.3 = call float @llvm.amdgcn.s.buffer.load.f32(<4 x i32> %v, i32 5000, i32 0)
  %p1.3 = getelementptr i8, ptr addrspace(1) %o, i32 512
  store float %s1.3, ptr addrspace(1) %p1.3, align 4
  %s1.4 = call float @llvm.amdgcn.s.buffer.load.f32(<4 x i32> %v, i32 %at4, i32 0)
  %p1.4 = getelementptr i8, ptr addrspace(1) %o, i32 576
  store float %s1.4, ptr addrspace(1) %p1.4, align 4
  %s2.0 = call <2 x i32> @llvm.amdgcn.s.buffer.load.v2i32(<4 x i32> %v, i32 16, i32 0)
  %p2.0 = getelementptr i8, ptr addrspace(1) %o, i32 640
  store <2 x i32> %s2.0, ptr addrspace(1) %p2.0, align 4
  %s2.1 = call <2 x i32> @llvm.amdgcn.s.buffer.load.v2i32(<4 x i32> %v, i32 %w1, i32 0)
  %p2.1 = getelementptr i8, ptr addrspace(1) %o, i32 704
  store <2 x i32> %s2.1, ptr addrspace(1) %p2.1, align 4
  %s2.2 = call <2 x i32> @llvm.amdgcn.s.buffer.load.v2i32(<4 x i32> %v, i32 2960, i32 0)
  %p2.2 = getelementptr i8, ptr addrspace(1) %o, i32 768
  store <2 x i32> %s2.2, ptr addrspace(1) %p2.2, align 4
  %s2.3 = call <2 x i32> @llvm.amdgcn.s.buffer.load.v2i32(<4 x i32> %v, i32 5000, i32 0)
  %p2.3 = getelementptr i8, ptr addrspace(1) %o, i32 832
  store <2 x i32> %s2.3, ptr addrspace(1) %p2.3, align 4
  %s2.4 = call <2 x i32> @llvm.amdgcn.s.buffer.load.v2i32(<4 x i32> %v, i32 %at4, i32 0)
  %p2.4 = getelementptr i8, ptr addrspace(1) %o, i32 896
  store <2 x i32> %s2.4, ptr addrspace(1) %p2.4, align 4
  %s3.0 = call <3 x i32> @llvm.amdgcn.s.buffer.load.v3i32(<4 x i32> %v, i32 16, i32 0)
  %p3.0 = getelementptr i8, ptr addrspace(1) %o, i32 960
  store <3 x i32> %s3.0, ptr addrspace(1) %p3.0, align 4
  %s3.1 = call <3 x i32> @llvm.amdgcn.s.buffer.load.v3i32(<4 x i32> %v, i32 %w1, i32 0)
  %p3.1 = getelementptr i8, ptr addrspace(1) %o, i32 1024
  store <3 x i32> %s3.1, ptr addrspace(1) %p3.1, align 4
  %s3.2 = call <3 x i32> @llvm.amdgcn.s.buffer.load.v3i32(<4 x i32> %v, i32 2960, i32 0)
  %p3.2 = getelementptr i8, ptr addrspace(1) %o, i32 1088
  store <3 x i32> %s3.2, ptr addrspace(1) %p3.2, align 4
  %s3.3 = call <3 x i32> @llvm.amdgcn.s.buffer.load.v3i32(<4 x i32> %v, i32 5000, i32 0)
  %p3.3 = getelementptr i8, ptr addrspace(1) %o, i32 1152
  store <3 x i32> %s3.3, ptr addrspace(1) %p3.3, align 4
  %s3.4 = call <3 x i32> @llvm.amdgcn.s.buffer.load.v3i32(<4 x i32> %v, i32 %at4, i32 0)
  %p3.4 = getelementptr i8, ptr addrspace(1) %o, i32 1216
  store <3 x i32> %s3.4, ptr addrspace(1) %p3.4, align 4
  %s4.0 = call <4 x float> @llvm.amdgcn.s.buffer.load.v4f32(<4 x i32> %v, i32 16, i32 0)
  %p4.0 = getelementptr i8, ptr addrspace(1) %o, i32 1280
  store <4 x float> %s4.0, ptr addrspace(1) %p4.0, align 4
  %s4.1 = call <4 x float> @llvm.amdgcn.s.buffer.load.v4f32(<4 x i32> %v, i32 %w1, i32 0)
  %p4.1 = getelementptr i8, ptr addrspace(1) %o, i32 1344
  store <4 x float> %s4.1, ptr addrspace(1) %p4.1, align 4
  %s4.2 = call <4 x float> @llvm.amdgcn.s.buffer.load.v4f32(<4 x i32> %v, i32 2960, i32 0)
  %p4.2 = getelementptr i8, ptr addrspace(1) %o, i32 1408
  store <4 x float> %s4.2, ptr addrspace(1) %p4.2, align 4
  %s4.3 = call <4 x float> @llvm.amdgcn.s.buffer.load.v4f32(<4 x i32> %v, i32 5000, i32 0)
  %p4.3 = getelementptr i8, ptr addrspace(1) %o, i32 1472
  store <4 x float> %s4.3, ptr addrspace(1) %p4.3, align 4
  %s4.4 = call <4 x float> @llvm.amdgcn.s.buffer.load.v4f32(<4 x i32> %v, i32 %at4, i32 0)
  %p4.4 = getelementptr i8, ptr addrspace(1) %o, i32 1536
  store <4 x float> %s4.4, ptr addrspace(1) %p4.4, align 4
  %s5.0 = call <8 x i32> @llvm.amdgcn.s.buffer.load.v8i32(<4 x i32> %v, i32 16, i32 0)
  %p5.0 = getelementptr i8, ptr addrspace(1) %o, i32 1600
  store <8 x i32> %s5.0, ptr addrspace(1) %p5.0, align 4
  %s5.1 = call <8 x i32> @llvm.amdgcn.s.buffer.load.v8i32(<4 x i32> %v, i32 %w1, i32 0)
  %p5.1 = getelementptr i8, ptr addrspace(1) %o, i32 1664
  store <8 x i32> %s5.1, ptr addrspace(1) %p5.1, align 4
  %s5.2 = call <8 x i32> @llvm.amdgcn.s.buffer.load.v8i32(<4 x i32> %v, i32 2960, i32 0)
  %p5.2 = getelementptr i8, ptr addrspace(1) %o, i32 1728
  store <8 x i32> %s5.2, ptr addrspace(1) %p5.2, align 4
  %s5.3 = call <8 x i32> @llvm.amdgcn.s.buffer.load.v8i32(<4 x i32> %v, i32 5000, i32 0)
  %p5.3 = getelementptr i8, ptr addrspace(1) %o, i32 1792
  store <8 x i32> %s5.3, ptr addrspace(1) %p5.3, align 4
  %s5.4 = call <8 x i32> @llvm.amdgcn.s.buffer.load.v8i32(<4 x i32> %v, i32 %at4, i32 0)
  %p5.4 = getelementptr i8, ptr addrspace(1) %o, i32 1856
  store <8 x i32> %s5.4, ptr addrspace(1) %p5.4, align 4
  %s6.0 = call <16 x i32> @llvm.amdgcn.s.buffer.load.v16i32(<4 x i32> %v, i32 16, i32 0)
  %p6.0 = getelementptr i8, ptr addrspace(1) %o, i32 1920
  store <16 x i32> %s6.0, ptr addrspace(1) %p6.0, align 4
  %s6.1 = call <16 x i32> @llvm.amdgcn.s.buffer.load.v16i32(<4 x i32> %v, i32 %w1, i32 0)
  %p6.1 = getelementptr i8, ptr addrspace(1) %o, i32 1984
  store <16 x i32> %s6.1, ptr addrspace(1) %p6.1, align 4
  %s6.2 = call <16 x i32> @llvm.amdgcn.s.buffer.load.v16i32(<4 x i32> %v, i32 2960, i32 0)
  %p6.2 = getelementptr i8, ptr addrspace(1) %o, i32 2048
  store <16 x i32> %s6.2, ptr addrspace(1) %p6.2, align 4
  %s6.3 = call <16 x i32> @llvm.amdgcn.s.buffer.load.v16i32(<4 x i32> %v, i32 5000, i32 0)
  %p6.3 = getelementptr i8, ptr addrspace(1) %o, i32 2112
  store <16 x i32> %s6.3, ptr addrspace(1) %p6.3, align 4
  %s6.4 = call <16 x i32> @llvm.amdgcn.s.buffer.load.v16i32(<4 x i32> %v, i32 %at4, i32 0)
  %p6.4 = getelementptr i8, ptr addrspace(1) %o, i32 2176
  store <16 x i32> %s6.4, ptr addrspace(1) %p6.4, align 4
  br label %none
none:
  ret void
}

define amdgpu_kernel void @atomics(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 3000, i32 805466112)
  %to = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 0, i64 60000, i32 805466112)
  %sr = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 24, i64 50, i32 268595200)
  %sto = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 256, i64 60, i32 268595200)
  %ri = ptrtoint ptr addrspace(8) %r to i128
  %v = bitcast i128 %ri to <4 x i32>
  %toi = ptrtoint ptr addrspace(8) %to to i128
  %tov = bitcast i128 %toi to <4 x i32>
  %at = shl i32 %id, 6
  %to.at = shl i32 %id, 8
  %id64 = zext i32 %id to i64
  %stoi = ptrtoint ptr addrspace(8) %sto to i128
  %stov = bitcast i128 %stoi to <4 x i32>
  %out1 = getelementptr i8, ptr addrspace(1) %out, i32 16384
  %o = getelementptr [256 x i8], ptr addrspace(1) %out1, i32 %id
  %x0.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.swap.i32(i32 %id, ptr addrspace(8) %to, i32 %to.at, i32 0, i32 0)
  %y0.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.swap.i32(i32 7, ptr addrspace(8) %to, i32 %to.at, i32 0, i32 2)
  %z0.32 = call i32 @llvm.amdgcn.struct.buffer.atomic.swap.i32(i32 3, <4 x i32> %stov, i32 %id, i32 0, i32 0, i32 0)
  %o0.32 = getelementptr i8, ptr addrspace(1) %o, i32 0
  store i32 %y0.32, ptr addrspace(1) %o0.32
  %x0.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.swap.i64(i64 %id64, ptr addrspace(8) %to, i32 %to.at, i32 8, i32 0)
  %y0.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.swap.i64(i64 7, ptr addrspace(8) %to, i32 %to.at, i32 8, i32 2)
  %z0.64 = call i64 @llvm.amdgcn.struct.buffer.atomic.swap.i64(i64 3, <4 x i32> %stov, i32 %id, i32 8, i32 0, i32 0)
  %o0.64 = getelementptr i8, ptr addrspace(1) %o, i32 8
  store i64 %y0.64, ptr addrspace(1) %o0.64
  %x1.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32 %id, ptr addrspace(8) %to, i32 %to.at, i32 16, i32 0)
  %y1.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32 8, ptr addrspace(8) %to, i32 %to.at, i32 16, i32 2)
  %z1.32 = call i32 @llvm.amdgcn.struct.buffer.atomic.add.i32(i32 3, <4 x i32> %stov, i32 %id, i32 16, i32 0, i32 0)
  %o1.32 = getelementptr i8, ptr addrspace(1) %o, i32 16
  store i32 %y1.32, ptr addrspace(1) %o1.32
  %x1.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i64(i64 %id64, ptr addrspace(8) %to, i32 %to.at, i32 24, i32 0)
  %y1.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i64(i64 8, ptr addrspace(8) %to, i32 %to.at, i32 24, i32 2)
  %z1.64 = call i64 @llvm.amdgcn.struct.buffer.atomic.add.i64(i64 3, <4 x i32> %stov, i32 %id, i32 24, i32 0, i32 0)
  %o1.64 = getelementptr i8, ptr addrspace(1) %o, i32 24
  store i64 %y1.64, ptr addrspace(1) %o1.64
  %x2.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.sub.i32(i32 %id, ptr addrspace(8) %to, i32 %to.at, i32 32, i32 0)
  %y2.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.sub.i32(i32 9, ptr addrspace(8) %to, i32 %to.at, i32 32, i32 2)
  %z2.32 = call i32 @llvm.amdgcn.struct.buffer.atomic.sub.i32(i32 3, <4 x i32> %stov, i32 %id, i32 32, i32 0, i32 0)
  %o2.32 = getelementptr i8, ptr addrspace(1) %o, i32 32
  store i32 %y2.32, ptr addrspace(1) %o2.32
  %x2.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.sub.i64(i64 %id64, ptr addrspace(8) %to, i32 %to.at, i32 40, i32 0)
  %y2.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.sub.i64(i64 9, ptr addrspace(8) %to, i32 %to.at, i32 40, i32 2)
  %z2.64 = call i64 @llvm.amdgcn.struct.buffer.atomic.sub.i64(i64 3, <4 x i32> %stov, i32 %id, i32 40, i32 0, i32 0)
  %o2.64 = getelementptr i8, ptr addrspace(1) %o, i32 40
  store i64 %y2.64, ptr addrspace(1) %o2.64
  %x3.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.smin.i32(i32 %id, ptr addrspace(8) %to, i32 %to.at, i32 48, i32 0)
  %y3.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.smin.i32(i32 10, ptr addrspace(8) %to, i32 %to.at, i32 48, i32 2)
  %z3.32 = call i32 @llvm.amdgcn.struct.buffer.atomic.smin.i32(i32 3, <4 x i32> %stov, i32 %id, i32 48, i32 0, i32 0)
  %o3.32 = getelementptr i8, ptr addrspace(1) %o, i32 48
  store i32 %y3.32, ptr addrspace(1) %o3.32
  %x3.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.smin.i64(i64 %id64, ptr addrspace(8) %to, i32 %to.at, i32 56, i32 0)
  %y3.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.smin.i64(i64 10, ptr addrspace(8) %to, i32 %to.at, i32 56, i32 2)
  %z3.64 = call i64 @llvm.amdgcn.struct.buffer.atomic.smin.i64(i64 3, <4 x i32> %stov, i32 %id, i32 56, i32 0, i32 0)
  %o3.64 = getelementptr i8, ptr addrspace(1) %o, i32 56
  store i64 %y3.64, ptr addrspace(1) %o3.64
  %x4.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.umin.i32(i32 %id, ptr addrspace(8) %to, i32 %to.at, i32 64, i32 0)
  %y4.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.umin.i32(i32 11, ptr addrspace(8) %to, i32 %to.at, i32 64, i32 2)
  %z4.32 = call i32 @llvm.amdgcn.struct.buffer.atomic.umin.i32(i32 3, <4 x i32> %stov, i32 %id, i32 64, i32 0, i32 0)
  %o4.32 = getelementptr i8, ptr addrspace(1) %o, i32 64
  store i32 %y4.32, ptr addrspace(1) %o4.32
  %x4.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.umin.i64(i64 %id64, ptr addrspace(8) %to, i32 %to.at, i32 72, i32 0)
  %y4.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.umin.i64(i64 11, ptr addrspace(8) %to, i32 %to.at, i32 72, i32 2)
  %z4.64 = call i64 @llvm.amdgcn.struct.buffer.atomic.umin.i64(i64 3, <4 x i32> %stov, i32 %id, i32 72, i32 0, i32 0)
  %o4.64 = getelementptr i8, ptr addrspace(1) %o, i32 72
  store i64 %y4.64, ptr addrspace(1) %o4.64
  %x5.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.smax.i32(i32 %id, ptr addrspace(8) %to, i32 %to.at, i32 80, i32 0)
  %y5.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.smax.i32(i32 12, ptr addrspace(8) %to, i32 %to.at, i32 80, i32 2)
  %z5.32 = call i32 @llvm.amdgcn.struct.buffer.atomic.smax.i32(i32 3, <4 x i32> %stov, i32 %id, i32 80, i32 0, i32 0)
  %o5.32 = getelementptr i8, ptr addrspace(1) %o, i32 80
  store i32 %y5.32, ptr addrspace(1) %o5.32
  %x5.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.smax.i64(i64 %id64, ptr addrspace(8) %to, i32 %to.at, i32 88, i32 0)
  %y5.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.smax.i64(i64 12, ptr addrspace(8) %to, i32 %to.at, i32 88, i32 2)
  %z5.64 = call i64 @llvm.amdgcn.struct.buffer.atomic.smax.i64(i64 3, <4 x i32> %stov, i32 %id, i32 88, i32 0, i32 0)
  %o5.64 = getelementptr i8, ptr addrspace(1) %o, i32 88
  store i64 %y5.64, ptr addrspace(1) %o5.64
  %x6.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.umax.i32(i32 %id, ptr addrspace(8) %to, i32 %to.at, i32 96, i32 0)
  %y6.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.umax.i32(i32 13, ptr addrspace(8) %to, i32 %to.at, i32 96, i32 2)
  %z6.32 = call i32 @llvm.amdgcn.struct.buffer.atomic.umax.i32(i32 3, <4 x i32> %stov, i32 %id, i32 96, i32 0, i32 0)
  %o6.32 = getelementptr i8, ptr addrspace(1) %o, i32 96
  store i32 %y6.32, ptr addrspace(1) %o6.32
  %x6.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.umax.i64(i64 %id64, ptr addrspace(8) %to, i32 %to.at, i32 104, i32 0)
  %y6.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.umax.i64(i64 13, ptr addrspace(8) %to, i32 %to.at, i32 104, i32 2)
  %z6.64 = call i64 @llvm.amdgcn.struct.buffer.atomic.umax.i64(i64 3, <4 x i32> %stov, i32 %id, i32 104, i32 0, i32 0)
  %o6.64 = getelementptr i8, ptr addrspace(1) %o, i32 104
  store i64 %y6.64, ptr addrspace(1) %o6.64
  %x7.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.and.i32(i32 %id, ptr addrspace(8) %to, i32 %to.at, i32 112, i32 0)
  %y7.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.and.i32(i32 14, ptr addrspace(8) %to, i32 %to.at, i32 112, i32 2)
  %z7.32 = call i32 @llvm.amdgcn.struct.buffer.atomic.and.i32(i32 3, <4 x i32> %stov, i32 %id, i32 112, i32 0, i32 0)
  %o7.32 = getelementptr i8, ptr addrspace(1) %o, i32 112
  store i32 %y7.32, ptr addrspace(1) %o7.32
  %x7.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.and.i64(i64 %id64, ptr addrspace(8) %to, i32 %to.at, i32 120, i32 0)
  %y7.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.and.i64(i64 14, ptr addrspace(8) %to, i32 %to.at, i32 120, i32 2)
  %z7.64 = call i64 @llvm.amdgcn.struct.buffer.atomic.and.i64(i64 3, <4 x i32> %stov, i32 %id, i32 120, i32 0, i32 0)
  %o7.64 = getelementptr i8, ptr addrspace(1) %o, i32 120
  store i64 %y7.64, ptr addrspace(1) %o7.64
  %x8.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.or.i32(i32 %id, ptr addrspace(8) %to, i32 %to.at, i32 128, i32 0)
  %y8.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.or.i32(i32 15, ptr addrspace(8) %to, i32 %to.at, i32 128, i32 2)
  %z8.32 = call i32 @llvm.amdgcn.struct.buffer.atomic.or.i32(i32 3, <4 x i32> %stov, i32 %id, i32 128, i32 0, i32 0)
  %o8.32 = getelementptr i8, ptr addrspace(1) %o, i32 128
  store i32 %y8.32, ptr addrspace(1) %o8.32
  %x8.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.or.i64(i64 %id64, ptr addrspace(8) %to, i32 %to.at, i32 136, i32 0)
  %y8.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.or.i64(i64 15, ptr addrspace(8) %to, i32 %to.at, i32 136, i32 2)
  %z8.64 = call i64 @llvm.amdgcn.struct.buffer.atomic.or.i64(i64 3, <4 x i32> %stov, i32 %id, i32 136, i32 0, i32 0)
  %o8.64 = getelementptr i8, ptr addrspace(1) %o, i32 136
  store i64 %y8.64, ptr addrspace(1) %o8.64
  %x9.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.xor.i32(i32 %id, ptr addrspace(8) %to, i32 %to.at, i32 144, i32 0)
  %y9.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.xor.i32(i32 16, ptr addrspace(8) %to, i32 %to.at, i32 144, i32 2)
  %z9.32 = call i32 @llvm.amdgcn.struct.buffer.atomic.xor.i32(i32 3, <4 x i32> %stov, i32 %id, i32 144, i32 0, i32 0)
  %o9.32 = getelementptr i8, ptr addrspace(1) %o, i32 144
  store i32 %y9.32, ptr addrspace(1) %o9.32
  %x9.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.xor.i64(i64 %id64, ptr addrspace(8) %to, i32 %to.at, i32 152, i32 0)
  %y9.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.xor.i64(i64 16, ptr addrspace(8) %to, i32 %to.at, i32 152, i32 2)
  %z9.64 = call i64 @llvm.amdgcn.struct.buffer.atomic.xor.i64(i64 3, <4 x i32> %stov, i32 %id, i32 152, i32 0, i32 0)
  %o9.64 = getelementptr i8, ptr addrspace(1) %o, i32 152
  store i64 %y9.64, ptr addrspace(1) %o9.64
  %x10.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.inc.i32(i32 %id, ptr addrspace(8) %to, i32 %to.at, i32 160, i32 0)
  %y10.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.inc.i32(i32 17, ptr addrspace(8) %to, i32 %to.at, i32 160, i32 2)
  %z10.32 = call i32 @llvm.amdgcn.struct.buffer.atomic.inc.i32(i32 3, <4 x i32> %stov, i32 %id, i32 160, i32 0, i32 0)
  %o10.32 = getelementptr i8, ptr addrspace(1) %o, i32 160
  store i32 %y10.32, ptr addrspace(1) %o10.32
  %x10.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.inc.i64(i64 %id64, ptr addrspace(8) %to, i32 %to.at, i32 168, i32 0)
  %y10.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.inc.i64(i64 17, ptr addrspace(8) %to, i32 %to.at, i32 168, i32 2)
  %z10.64 = call i64 @llvm.amdgcn.struct.buffer.atomic.inc.i64(i64 3, <4 x i32> %stov, i32 %id, i32 168, i32 0, i32 0)
  %o10.64 = getelementptr i8, ptr addrspace(1) %o, i32 168
  store i64 %y10.64, ptr addrspace(1) %o10.64
  %x11.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.dec.i32(i32 %id, ptr addrspace(8) %to, i32 %to.at, i32 176, i32 0)
  %y11.32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.dec.i32(i32 18, ptr addrspace(8) %to, i32 %to.at, i32 176, i32 2)
  %z11.32 = call i32 @llvm.amdgcn.struct.buffer.atomic.dec.i32(i32 3, <4 x i32> %stov, i32 %id, i32 176, i32 0, i32 0)
  %o11.32 = getelementptr i8, ptr addrspace(1) %o, i32 176
  store i32 %y11.32, ptr addrspace(1) %o11.32
  %x11.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.dec.i64(i64 %id64, ptr addrspace(8) %to, i32 %to.at, i32 184, i32 0)
  %y11.64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.dec.i64(i64 18, ptr addrspace(8) %to, i32 %to.at, i32 184, i32 2)
  %z11.64 = call i64 @llvm.amdgcn.struct.buffer.atomic.dec.i64(i64 3, <4 x i32> %stov, i32 %id, i32 184, i32 0, i32 0)
  %o11.64 = getelementptr i8, ptr addrspace(1) %o, i32 184
  store i64 %y11.64, ptr addrspace(1) %o11.64
  %c32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i32(i32 5, i32 0, ptr addrspace(8) %to, i32 %to.at, i32 200, i32 0)
  %e32 = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i32(i32 6, i32 %c32, ptr addrspace(8) %to, i32 %to.at, i32 200, i32 0)
  %h32 = call i32 @llvm.amdgcn.struct.ptr.buffer.atomic.cmpswap.i32(i32 9, i32 5, ptr addrspace(8) %sto, i32 %id, i32 200, i32 0, i32 0)
  %oc32 = getelementptr i8, ptr addrspace(1) %o, i32 200
  store i32 %h32, ptr addrspace(1) %oc32
  %c64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i64(i64 5, i64 0, ptr addrspace(8) %to, i32 %to.at, i32 208, i32 0)
  %e64 = call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i64(i64 6, i64 %c64, ptr addrspace(8) %to, i32 %to.at, i32 208, i32 0)
  %h64 = call i64 @llvm.amdgcn.struct.ptr.buffer.atomic.cmpswap.i64(i64 9, i64 5, ptr addrspace(8) %sto, i32 %id, i32 208, i32 0, i32 0)
  %oc64 = getelementptr i8, ptr addrspace(1) %o, i32 208
  store i64 %h64, ptr addrspace(1) %oc64
  ret void
}

define amdgpu_kernel void @lanes(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 3000, i32 805466112)
  %to = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 0, i64 60000, i32 805466112)
  %sr = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 24, i64 50, i32 268595200)
  %sto = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 256, i64 60, i32 268595200)
  %ri = ptrtoint ptr addrspace(8) %r to i128
  %v = bitcast i128 %ri to <4 x i32>
  %toi = ptrtoint ptr addrspace(8) %to to i128
  %tov = bitcast i128 %toi to <4 x i32>
  %at = shl i32 %id, 6
  %to.at = shl i32 %id, 8
  %in2 = getelementptr i8, ptr addrspace(1) %in, i32 4096
  %r2 = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in2, i16 0, i64 2000, i32 805466112)
  %k = and i32 %id, 3
  %c = icmp eq i32 %k, 2
  %s = select i1 %c, ptr addrspace(8) %r, ptr addrspace(8) %r2
  %k4 = shl i32 %k, 2
  %a = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %s, i32 %at, i32 0, i32 0)
  %b = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %at, i32 %k4, i32 0)
  %d = call <4 x float> @llvm.amdgcn.raw.ptr.buffer.load.v4f32(ptr addrspace(8) %s, i32 %at, i32 %k4, i32 0)
  %si = ptrtoint ptr addrspace(8) %s to i128
  %sv = bitcast i128 %si to <4 x i32>
  %e = call <2 x i32> @llvm.amdgcn.s.buffer.load.v2i32(<4 x i32> %sv, i32 %at, i32 0)
  %out2 = getelementptr i8, ptr addrspace(1) %out, i32 32768
  %to2 = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out2, i16 0, i64 20000, i32 805466112)
  %t = select i1 %c, ptr addrspace(8) %to, ptr addrspace(8) %to2
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %a, ptr addrspace(8) %t, i32 %to.at, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %b, ptr addrspace(8) %t, i32 %to.at, i32 4, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.v4f32(<4 x float> %d, ptr addrspace(8) %sto, i32 %id, i32 16, i32 %k4, i32 0)
  %e0 = extractelement <2 x i32> %e, i32 0
  %e1 = extractelement <2 x i32> %e, i32 1
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %e0, ptr addrspace(8) %to, i32 %to.at, i32 64, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %e1, ptr addrspace(8) %to, i32 %to.at, i32 68, i32 0)
  %f = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32 %id, ptr addrspace(8) %t, i32 %to.at, i32 128, i32 0)
  %g = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32 %id, ptr addrspace(8) %t, i32 %to.at, i32 128, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %g, ptr addrspace(8) %to, i32 %to.at, i32 72, i32 0)
  %m = icmp ult i32 %id, 9
  br i1 %m, label %few, label %rest
few:
  %n = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %s, i32 %at, i32 %k4, i32 0)
  br label %rest
rest:
  %q = phi i32 [ 77, %0 ], [ %n, %few ]
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %q, ptr addrspace(8) %to, i32 %to.at, i32 76, i32 0)
  ret void
}
