; processors: gfx90a gfx942
; Inline assembly: operands in a vector register of either kind (VA).
declare i32 @llvm.amdgcn.workitem.id.x()

define amdgpu_kernel void @either(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i64, ptr addrspace(1) %in, i32 %id
  %q = getelementptr i64, ptr addrspace(1) %out, i32 %id
  %a = load i64, ptr addrspace(1) %p
  %x = call i64 asm "; $1 to $0", "=^VA,0"(i64 %a)
  %y = add i64 %x, 5
  call void asm sideeffect "; use $0", "^VA"(i64 %y)
  store i64 %y, ptr addrspace(1) %q
  ret void
}
