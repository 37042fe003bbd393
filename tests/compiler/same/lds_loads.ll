; processors: gfx900 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1030:64
; Loads from memory to LDS, of buffers, by pointers into buffers and by addresses: what is read of LDS behind them has come.
; Addresses in LDS are those of the wave, to which each lane's place is added.
@lds = internal addrspace(3) global [1024 x i32] poison, align 16
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
declare ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1), i16, i64, i32)
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8), ptr addrspace(3), i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.load.lds(<4 x i32>, ptr addrspace(3), i32, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.global.load.lds(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare void @llvm.amdgcn.load.to.lds.p1(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare void @llvm.amdgcn.load.to.lds.p7(ptr addrspace(7), ptr addrspace(3), i32, i32, i32)
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)

define amdgpu_kernel void @buffers(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %id)
  %wave = getelementptr i32, ptr addrspace(3) @lds, i32 %first
  %mine = getelementptr i32, ptr addrspace(3) @lds, i32 %id
  store i32 -1, ptr addrspace(3) %mine
  %mine2 = getelementptr i8, ptr addrspace(3) %mine, i32 512
  store i32 -1, ptr addrspace(3) %mine2
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 600, i32 805466112)
  %at = mul i32 %id, 12
  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %r, ptr addrspace(3) %wave, i32 4, i32 %at, i32 4, i32 8, i32 0)
  %a = load i32, ptr addrspace(3) %mine
  %s = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 20, i64 50, i32 268595200)
  %si = ptrtoint ptr addrspace(8) %s to i128
  %sv = bitcast i128 %si to <4 x i32>
  %wave2 = getelementptr i8, ptr addrspace(3) %wave, i32 512
  call void @llvm.amdgcn.struct.buffer.load.lds(<4 x i32> %sv, ptr addrspace(3) %wave2, i32 4, i32 %id, i32 4, i32 0, i32 0, i32 0)
  %b = load i32, ptr addrspace(3) %mine2
  %o = getelementptr <2 x i32>, ptr addrspace(1) %out, i32 %id
  store i32 %a, ptr addrspace(1) %o
  %o1 = getelementptr i8, ptr addrspace(1) %o, i32 4
  store i32 %b, ptr addrspace(1) %o1
  ret void
}

define amdgpu_kernel void @pointers(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %id)
  %wave = getelementptr i32, ptr addrspace(3) @lds, i32 %first
  %wave2 = getelementptr i8, ptr addrspace(3) %wave, i32 512
  %wave3 = getelementptr i8, ptr addrspace(3) %wave, i32 1024
  %mine = getelementptr i32, ptr addrspace(3) @lds, i32 %id
  %mine2 = getelementptr i8, ptr addrspace(3) %mine, i32 512
  %mine3 = getelementptr i8, ptr addrspace(3) %mine, i32 1024
  %p = getelementptr [20 x i8], ptr addrspace(1) %in, i32 %id
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) %wave, i32 4, i32 16, i32 0)
  %x = mul i32 %id, 5
  call void @llvm.amdgcn.load.to.lds.p1(ptr addrspace(1) %p, ptr addrspace(3) %wave2, i32 4, i32 0, i32 1)
  %f = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in, i16 0, i64 600, i32 805466112)
  %q = getelementptr i32, ptr addrspace(7) %f, i32 %x
  call void @llvm.amdgcn.load.to.lds.p7(ptr addrspace(7) %q, ptr addrspace(3) %wave3, i32 4, i32 8, i32 0)
  %a = load i32, ptr addrspace(3) %mine
  %b = load i32, ptr addrspace(3) %mine2
  %c = load i32, ptr addrspace(3) %mine3
  %o = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %id
  store i32 %a, ptr addrspace(1) %o
  %o1 = getelementptr i8, ptr addrspace(1) %o, i32 4
  store i32 %b, ptr addrspace(1) %o1
  %o2 = getelementptr i8, ptr addrspace(1) %o, i32 8
  store i32 %c, ptr addrspace(1) %o2
  ret void
}
