; processors: gfx1030 gfx1100 gfx1100:64 gfx1201 gfx1250
; Exchanges between lanes of values of other widths than a dword (INT rows).
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.permlane16.i64(i64, i64, i32, i32, i1, i1)
declare double @llvm.amdgcn.permlanex16.f64(double, double, i32, i32, i1, i1)
declare half @llvm.amdgcn.permlane16.f16(half, half, i32, i32, i1, i1)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)

define amdgpu_kernel void @permlane(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %ps = getelementptr i32, ptr addrspace(1) %in, i32 100
  %s = load i32, ptr addrspace(1) %ps
  %p = getelementptr i64, ptr addrspace(1) %in, i32 %id
  %a = load i64, ptr addrspace(1) %p
  %d = load double, ptr addrspace(1) %p
  %h = load half, ptr addrspace(1) %p
  %x = call i64 @llvm.amdgcn.permlane16.i64(i64 1, i64 %a, i32 %s, i32 1985229328, i1 false, i1 true)
  %y = call double @llvm.amdgcn.permlanex16.f64(double 2.0, double %d, i32 %s, i32 5, i1 true, i1 false)
  %z = call half @llvm.amdgcn.permlane16.f16(half 2.0, half %h, i32 3, i32 %s, i1 true, i1 true)
  %q = getelementptr [4 x i64], ptr addrspace(1) %out, i32 %id
  %q1 = getelementptr i64, ptr addrspace(1) %q, i32 1
  %q2 = getelementptr i64, ptr addrspace(1) %q, i32 2
  store i64 %x, ptr addrspace(1) %q
  store double %y, ptr addrspace(1) %q1
  store half %z, ptr addrspace(1) %q2
  ret void
}

define amdgpu_kernel void @bpermute(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %ps = getelementptr i32, ptr addrspace(1) %in, i32 8
  %s = load i32, ptr addrspace(1) %ps
  %x = call i32 @llvm.amdgcn.ds.bpermute(i32 %s, i32 %id)
  %y = call i32 @llvm.amdgcn.ds.bpermute(i32 64, i32 %id)
  %z = call i32 @llvm.amdgcn.ds.bpermute(i32 %id, i32 %s)
  %q = getelementptr [4 x i32], ptr addrspace(1) %out, i32 %id
  %q1 = getelementptr i32, ptr addrspace(1) %q, i32 1
  %q2 = getelementptr i32, ptr addrspace(1) %q, i32 2
  store i32 %x, ptr addrspace(1) %q
  store i32 %y, ptr addrspace(1) %q1
  store i32 %z, ptr addrspace(1) %q2
  ret void
}
