; processors: gfx701 gfx803 gfx90a gfx1030 gfx1100 gfx1201 gfx1250
; Variables of the local data share that are declared with a size, as those of other modules: each kernel has its own.
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
@here = internal addrspace(3) global [16 x i32] poison, align 4
@elsewhere = external addrspace(3) global [64 x i32], align 16

define amdgpu_kernel void @declared(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %from
  %mine = getelementptr i32, ptr addrspace(3) @elsewhere, i32 %id
  %low = and i32 %id, 15
  %little = getelementptr i32, ptr addrspace(3) @here, i32 %low
  %first = icmp ult i32 %id, 16
  store i32 %v, ptr addrspace(3) %mine
  br i1 %first, label %fill, label %on
fill:
  store i32 %id, ptr addrspace(3) %little
  br label %on
on:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %other = xor i32 %id, 63
  %theirs = getelementptr i32, ptr addrspace(3) @elsewhere, i32 %other
  %w = load i32, ptr addrspace(3) %theirs
  %x = load i32, ptr addrspace(3) %little
  %sum = add i32 %w, %x
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %sum, ptr addrspace(1) %to
  ret void
}
