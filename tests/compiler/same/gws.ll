; processors: gfx600 gfx700 gfx803 gfx900 gfx90a gfx942 gfx1010 gfx1030 gfx1030:64 gfx1100
; Semaphores and barriers of the whole device (ds_gws_*): each wave passes.
declare void @llvm.amdgcn.ds.gws.init(i32, i32)
declare void @llvm.amdgcn.ds.gws.barrier(i32, i32)
declare void @llvm.amdgcn.ds.gws.sema.v(i32)
declare void @llvm.amdgcn.ds.gws.sema.br(i32, i32)
declare void @llvm.amdgcn.ds.gws.sema.p(i32)
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
@x = internal addrspace(3) global [64 x i32] poison, align 4

define amdgpu_kernel void @semaphore(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %l = getelementptr i32, ptr addrspace(3) @x, i32 %id
  store i32 %id, ptr addrspace(3) %l
  %n = load i32, ptr addrspace(1) %in
  %m = and i32 %n, 3
  call void @llvm.amdgcn.ds.gws.init(i32 5, i32 2)
  call void @llvm.amdgcn.ds.gws.sema.v(i32 2)
  call void @llvm.amdgcn.ds.gws.sema.p(i32 2)
  call void @llvm.amdgcn.ds.gws.sema.br(i32 1, i32 %m)
  call void @llvm.amdgcn.ds.gws.sema.p(i32 %m)
  %v = load i32, ptr addrspace(3) %l
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %v, ptr addrspace(1) %o
  ret void
}
