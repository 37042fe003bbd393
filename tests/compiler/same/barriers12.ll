; processors: gfx1200 gfx1201
; launch of halves: -g 256 -b 64
; Barriers in two halves: a wave says that it has come, goes on, and waits later.
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
@shared = internal addrspace(3) global [64 x i32] poison, align 4

define amdgpu_kernel void @halves(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %from
  %mine = getelementptr i32, ptr addrspace(3) @shared, i32 %id
  store i32 %v, ptr addrspace(3) %mine
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  %other = xor i32 %id, 63
  %theirs = getelementptr i32, ptr addrspace(3) @shared, i32 %other
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  fence syncscope("workgroup") acquire
  %w = load i32, ptr addrspace(3) %theirs
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %w, ptr addrspace(1) %o
  ret void
}
