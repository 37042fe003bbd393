; processors: gfx700 gfx803 gfx900 gfx90a gfx942 gfx1030:32 gfx1030:64 gfx1100:32 gfx1201:64 gfx1250
; A loop that no lane enters, while lanes wait for a block behind it; its phis share registers with their mask.
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare float @llvm.fabs.f32(float)

define amdgpu_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in) {
entry:
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %x = load i32, ptr addrspace(1) %q
  %f = uitofp i32 %x to float
  %odd = or i32 %x, 1
  %d = udiv i32 30705, %odd
  %zero = and i32 %d, 0
  %low = and i32 %x, 7
  switch i32 %low, label %end [
    i32 6, label %mid
    i32 4, label %ask
  ]
ask:
  %never = icmp eq i32 %zero, 0
  br i1 %never, label %mid, label %loop
loop:
  %n = phi i32 [ 0, %again ], [ %zero, %ask ]
  %v = phi float [ 0.0, %again ], [ %f, %ask ]
  %t = icmp eq i64 0, 0
  br i1 %t, label %body, label %out1
out1:
  %m = mul i32 %n, 0
  %s = icmp slt i32 %m, 0
  br i1 %s, label %back, label %mid
body:
  %a = fadd float %v, 4.5
  %b = call float @llvm.fabs.f32(float %a)
  %c = fpext float %b to double
  %l = fcmp olt double %c, 1.0e+15
  %p = select i1 %l, i64 0, i64 77
  %o = or i64 %p, 1
  %r = urem i64 0, %o
  %w = trunc i64 %r to i32
  %w7 = and i32 %w, 7
  switch i32 %w7, label %last [
    i32 0, label %one
    i32 2, label %two
  ]
one:
  br label %two
two:
  br label %again
last:
  br label %again
back:
  br label %again
again:
  br label %loop
mid:
  br label %end
end:
  %res = phi i32 [ 1, %entry ], [ 2, %mid ]
  %sum = mul i32 %res, 13
  %z = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %sum, ptr addrspace(1) %z
  ret void
}
