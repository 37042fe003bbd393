; processors: gfx701 gfx803 gfx90a gfx1030 gfx1100 gfx1201 gfx1250
; Small modules of LLVM's tests on which the compiler went wrong once: branches on constants, names that are no
; identifiers or look like truth values, scalar operands of rows that read VCC.
declare i32 @llvm.amdgcn.workitem.id.x()
declare double @llvm.amdgcn.div.fmas.f64(double, double, double, i1)
declare float @llvm.amdgcn.div.fmas.f32(float, float, float, i1)
declare double @llvm.amdgcn.writelane.f64(double, i32, double)

define amdgpu_kernel void @known(ptr addrspace(1) %out, ptr addrspace(1) %in) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = load i32, ptr addrspace(1) %in
  %s = ashr i32 %a, 3
  br i1 true, label %one, label %two
one:
  %x = and i32 %s, 255
  br label %end
two:
  %y = and i32 %s, 127
  br label %end
end:
  %v = phi i32 [ %x, %one ], [ %y, %two ]
  switch i32 7, label %other [ i32 3, label %three
                               i32 7, label %seven ]
three:
  br label %last
seven:
  br label %last
other:
  br label %last
last:
  %w = phi i32 [ 1, %three ], [ 2, %seven ], [ 3, %other ]
  %sum = add i32 %v, %w
  %sum2 = add i32 %sum, %id
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %sum2, ptr addrspace(1) %p
  ret void
}

define amdgpu_kernel void @"a-b"(ptr addrspace(1) %true, ptr addrspace(1) %0) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ugt i32 %id, 20
  br i1 %c, label %one, label %two
one:
  %a = load volatile i32, ptr addrspace(1) %0
  br label %two
two:
  %v = phi i32 [ %id, %entry ], [ %a, %one ]
  %p = getelementptr i32, ptr addrspace(1) %true, i32 %id
  store i32 %v, ptr addrspace(1) %p
  ret void
}

define amdgpu_kernel void @fmas(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ugt i32 %id, 20
  %p2 = getelementptr double, ptr addrspace(1) %in, i32 17
  %p3 = getelementptr double, ptr addrspace(1) %in, i32 40
  %a = load double, ptr addrspace(1) %in
  %b = load double, ptr addrspace(1) %p2
  %d = load double, ptr addrspace(1) %p3
  %r = call double @llvm.amdgcn.div.fmas.f64(double %a, double %b, double %d, i1 %c)
  %fa = load float, ptr addrspace(1) %in
  %fb = load float, ptr addrspace(1) %p2
  %fr = call float @llvm.amdgcn.div.fmas.f32(float %fa, float %fb, float 3.0, i1 %c)
  %wide = fpext float %fr to double
  %q = getelementptr <2 x double>, ptr addrspace(1) %out, i32 %id
  %v0 = insertelement <2 x double> poison, double %r, i32 0
  %v1 = insertelement <2 x double> %v0, double %wide, i32 1
  store <2 x double> %v1, ptr addrspace(1) %q
  ret void
}

define amdgpu_kernel void @writelane(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p3 = getelementptr i32, ptr addrspace(1) %in, i32 5
  %lane = load i32, ptr addrspace(1) %p3
  %p = getelementptr double, ptr addrspace(1) %in, i32 %id
  %q = getelementptr double, ptr addrspace(1) %out, i32 %id
  %old = load double, ptr addrspace(1) %p
  %v = call double @llvm.amdgcn.writelane.f64(double 32.0, i32 %lane, double %old)
  store double %v, ptr addrspace(1) %q
  ret void
}
