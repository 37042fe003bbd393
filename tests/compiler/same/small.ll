; processors: gfx803 gfx90a gfx1030 gfx1100 gfx1201 gfx1250
; Intrinsics that are little more than another operation.
declare i32 @llvm.amdgcn.workitem.id.x()
declare float @llvm.amdgcn.rsq.clamp.f32(float)
declare double @llvm.amdgcn.rsq.clamp.f64(double)
declare float @llvm.convert.from.fp16.f32(i16)
declare i16 @llvm.convert.to.fp16.f32(float)
declare i1 @llvm.allow.runtime.check(metadata)
declare i1 @llvm.allow.ubsan.check(i8)
declare void @llvm.amdgcn.endpgm()
define amdgpu_kernel void @root(ptr addrspace(1) %o, ptr addrspace(1) %in) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %i
  %x = load float, ptr addrspace(1) %p
  %z = icmp ult i32 %i, 5
  %y = select i1 %z, float 0.0, float %x
  %r = call float @llvm.amdgcn.rsq.clamp.f32(float %y)
  %q = getelementptr float, ptr addrspace(1) %o, i32 %i
  store float %r, ptr addrspace(1) %q
  ret void
}
define amdgpu_kernel void @root64(ptr addrspace(1) %o, ptr addrspace(1) %in) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %i
  %x = load float, ptr addrspace(1) %p
  %z = icmp ult i32 %i, 5
  %y = select i1 %z, float 0.0, float %x
  %w = fpext float %y to double
  %r = call double @llvm.amdgcn.rsq.clamp.f64(double %w)
  %q = getelementptr double, ptr addrspace(1) %o, i32 %i
  store double %r, ptr addrspace(1) %q
  ret void
}
define amdgpu_kernel void @halves(ptr addrspace(1) %o, ptr addrspace(1) %in) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i16, ptr addrspace(1) %in, i32 %i
  %x = load i16, ptr addrspace(1) %p
  %f = call float @llvm.convert.from.fp16.f32(i16 %x)
  %g = fmul float %f, 1.5
  %h = call i16 @llvm.convert.to.fp16.f32(float %g)
  %q = getelementptr i16, ptr addrspace(1) %o, i32 %i
  store i16 %h, ptr addrspace(1) %q
  ret void
}
define amdgpu_kernel void @allowed(ptr addrspace(1) %o, ptr addrspace(1) %in) {
  %a = call i1 @llvm.allow.runtime.check(metadata !"test")
  %b = call i1 @llvm.allow.ubsan.check(i8 7)
  %x = zext i1 %a to i32
  %y = zext i1 %b to i32
  %z = shl i32 %x, 4
  %w = or i32 %y, %z
  store i32 %w, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @ended(ptr addrspace(1) %o, ptr addrspace(1) %in) {
  store i32 1, ptr addrspace(1) %o
  %x = load volatile i32, ptr addrspace(1) %in
  %c = icmp eq i32 %x, 305419896
  br i1 %c, label %go, label %end
end:
  store i32 2, ptr addrspace(1) %o
  call void @llvm.amdgcn.endpgm()
  unreachable
go:
  store i32 3, ptr addrspace(1) %o
  ret void
}
