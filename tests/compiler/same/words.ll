; processors: gfx803 gfx90a gfx1030 gfx1201 gfx1250
; Numbers of 160 and 192 bits and vectors of as many.
declare i32 @llvm.amdgcn.workitem.id.x()

define amdgpu_kernel void @words(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <6 x i32>, ptr addrspace(1) %in, i32 %id
  %a = load <6 x i32>, ptr addrspace(1) %p, align 8
  %b = load <10 x i16>, ptr addrspace(1) %p, align 8
  %x = bitcast <6 x i32> %a to i192
  %y = bitcast <10 x i16> %b to i160
  %c = icmp ugt i32 %id, 20
  br i1 %c, label %one, label %two
one:
  br label %two
two:
  %x1 = phi i192 [ %x, %0 ], [ 0, %one ]
  %y1 = phi i160 [ 0, %0 ], [ %y, %one ]
  %x2 = bitcast i192 %x1 to <3 x i64>
  %y2 = bitcast i160 %y1 to <5 x float>
  %q = getelementptr [12 x i32], ptr addrspace(1) %out, i32 %id
  %q2 = getelementptr [12 x i32], ptr addrspace(1) %out, i32 %id, i32 6
  store <3 x i64> %x2, ptr addrspace(1) %q, align 8
  store <5 x float> %y2, ptr addrspace(1) %q2, align 8
  ret void
}
