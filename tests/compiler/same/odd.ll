; processors: gfx803 gfx90a gfx1030 gfx1201 gfx1250
; Vectors of integers that are no whole bytes, in memory. (llc-22 compares the third i7 wrongly on gfx701.)
declare i32 @llvm.amdgcn.workitem.id.x()

define amdgpu_kernel void @odd(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr [64 x i8], ptr addrspace(1) %in, i32 %id
  %q = getelementptr [64 x i8], ptr addrspace(1) %out, i32 %id
  %a = load <8 x i1>, ptr addrspace(1) %p
  %x = sext <8 x i1> %a to <8 x i8>
  store <8 x i8> %x, ptr addrspace(1) %q
  %p2 = getelementptr i8, ptr addrspace(1) %p, i32 8
  %q2 = getelementptr i8, ptr addrspace(1) %q, i32 8
  %b = load <8 x i4>, ptr addrspace(1) %p2
  %y = add <8 x i4> %b, <i4 1, i4 2, i4 3, i4 4, i4 5, i4 6, i4 7, i4 8>
  store <8 x i4> %y, ptr addrspace(1) %q2
  %p3 = getelementptr i8, ptr addrspace(1) %p, i32 16
  %q3 = getelementptr i8, ptr addrspace(1) %q, i32 16
  %c = load <3 x i7>, ptr addrspace(1) %p3, align 4
  %d = load <3 x i7>, ptr addrspace(1) %p, align 4
  %m = icmp ult <3 x i7> %c, %d
  store <3 x i1> %m, ptr addrspace(1) %q3
  %q4 = getelementptr i8, ptr addrspace(1) %q, i32 20
  %e = mul <3 x i7> %c, %d
  store <3 x i7> %e, ptr addrspace(1) %q4
  ret void
}
