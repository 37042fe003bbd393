; processors: gfx803 gfx90a gfx1100 gfx1201 gfx1250
; Products of 24 bits by 24 with all of their bits.
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.mul.u24.i64(i32, i32)
declare i64 @llvm.amdgcn.mul.i24.i64(i32, i32)
define amdgpu_kernel void @product(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %k = add i32 %id, 70
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %k
  %p2 = getelementptr i32, ptr addrspace(1) %p, i32 9
  %a = load i32, ptr addrspace(1) %p
  %b = load i32, ptr addrspace(1) %p2
  %x = call i64 @llvm.amdgcn.mul.u24.i64(i32 %a, i32 %b)
  %y = call i64 @llvm.amdgcn.mul.i24.i64(i32 %a, i32 %b)
  %q = getelementptr [2 x i64], ptr addrspace(1) %out, i32 %id
  %q1 = getelementptr i64, ptr addrspace(1) %q, i32 1
  store i64 %x, ptr addrspace(1) %q
  store i64 %y, ptr addrspace(1) %q1
  ret void
}
