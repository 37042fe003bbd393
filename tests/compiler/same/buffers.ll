; processors: gfx803 gfx90a gfx942 gfx1030 gfx1100
; Loads and stores through buffer descriptors (AS-08, INT rows), with bounds: what lies outside reads 0 and is not written.
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32 immarg)
declare <4 x float> @llvm.amdgcn.raw.ptr.buffer.load.v4f32(ptr addrspace(8), i32, i32, i32 immarg)
declare <2 x i32> @llvm.amdgcn.raw.buffer.load.v2i32(<4 x i32>, i32, i32, i32 immarg)
declare i8 @llvm.amdgcn.raw.ptr.buffer.load.i8(ptr addrspace(8), i32, i32, i32 immarg)
declare half @llvm.amdgcn.raw.ptr.buffer.load.f16(ptr addrspace(8), i32, i32, i32 immarg)
declare <2 x half> @llvm.amdgcn.struct.ptr.buffer.load.v2f16(ptr addrspace(8), i32, i32, i32, i32 immarg)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32 immarg)
declare void @llvm.amdgcn.raw.ptr.buffer.store.v4f32(<4 x float>, ptr addrspace(8), i32, i32, i32 immarg)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i8(i8, ptr addrspace(8), i32, i32, i32 immarg)
declare void @llvm.amdgcn.struct.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32, i32 immarg)

define amdgpu_kernel void @raw(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %from = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 2000, i32 159744)
  %to = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 0, i64 3000, i32 159744)
  %at = mul i32 %id, 40
  %to.at = mul i32 %id, 64
  %a = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %from, i32 %at, i32 0, i32 0)
  %v = call <4 x float> @llvm.amdgcn.raw.ptr.buffer.load.v4f32(ptr addrspace(8) %from, i32 %at, i32 16, i32 1)
  %b = call i8 @llvm.amdgcn.raw.ptr.buffer.load.i8(ptr addrspace(8) %from, i32 %at, i32 123, i32 0)
  %h = call half @llvm.amdgcn.raw.ptr.buffer.load.f16(ptr addrspace(8) %from, i32 %at, i32 2, i32 2)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %a, ptr addrspace(8) %to, i32 %to.at, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.v4f32(<4 x float> %v, ptr addrspace(8) %to, i32 %to.at, i32 16, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i8(i8 %b, ptr addrspace(8) %to, i32 %to.at, i32 5, i32 0)
  %p = getelementptr [64 x i8], ptr addrspace(1) %out, i32 %id
  %p1 = getelementptr i8, ptr addrspace(1) %p, i32 40
  store half %h, ptr addrspace(1) %p1
  ret void
}

define amdgpu_kernel void @struct(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %from = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 12, i64 50, i32 159744)
  %to = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 16, i64 60, i32 159744)
  %a = call <2 x half> @llvm.amdgcn.struct.ptr.buffer.load.v2f16(ptr addrspace(8) %from, i32 %id, i32 4, i32 0, i32 0)
  %i = bitcast <2 x half> %a to i32
  call void @llvm.amdgcn.struct.ptr.buffer.store.i32(i32 %i, ptr addrspace(8) %to, i32 %id, i32 8, i32 0, i32 0)
  ret void
}

define amdgpu_kernel void @plain(ptr addrspace(1) %out, ptr addrspace(1) %in, <4 x i32> %unused) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %base = ptrtoint ptr addrspace(1) %in to i64
  %words = bitcast i64 %base to <2 x i32>
  %r0 = shufflevector <2 x i32> %words, <2 x i32> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>
  %r1 = insertelement <4 x i32> %r0, i32 1024, i32 2
  %r2 = insertelement <4 x i32> %r1, i32 159744, i32 3
  %at = shl i32 %id, 5
  %v = call <2 x i32> @llvm.amdgcn.raw.buffer.load.v2i32(<4 x i32> %r2, i32 %at, i32 0, i32 0)
  %q = getelementptr <2 x i32>, ptr addrspace(1) %out, i32 %id
  store <2 x i32> %v, ptr addrspace(1) %q
  ret void
}
; further arguments of plain: hex:00000000000000000000000000000000
