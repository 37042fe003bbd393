; SPDX-License-Identifier: MIT
; processors: gfx701 gfx803 gfx90a gfx942 gfx1030:32 gfx1030:64 gfx1100:32 gfx1100:64 gfx1201:32 gfx1201:64 gfx1250
; Intrinsics that are no row of the table: the size of local memory, parts of divisions, lanes from a number, masks of
; quads, appending to a counter in local memory, lanes that end.

@some = internal addrspace(3) global [100 x i32] poison
@counter = internal addrspace(3) global i32 poison

define amdgpu_kernel void @group_size(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %s = getelementptr i32, ptr addrspace(3) @some, i32 %id
  store i32 %id, ptr addrspace(3) %s
  %v = load volatile i32, ptr addrspace(3) %s
  %n = call i32 @llvm.amdgcn.groupstaticsize()
  %r = add i32 %n, %v
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @no_group_size(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %n = call i32 @llvm.amdgcn.groupstaticsize()
  %r = sub i32 %id, %n
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @scale32(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr float, ptr addrspace(1) %in, i32 %far
  %q = getelementptr float, ptr addrspace(1) %p, i32 64
  %a = load float, ptr addrspace(1) %p
  %b = load float, ptr addrspace(1) %q
  %s = call { float, i1 } @llvm.amdgcn.div.scale.f32(float %a, float %b, i1 false)
  %t = call { float, i1 } @llvm.amdgcn.div.scale.f32(float %a, float %b, i1 true)
  %s0 = extractvalue { float, i1 } %s, 0
  %t0 = extractvalue { float, i1 } %t, 0
  %t1 = extractvalue { float, i1 } %t, 1
  %r = select i1 %t1, float %s0, float %t0
  %o = getelementptr float, ptr addrspace(1) %out, i32 %id
  %o2 = getelementptr float, ptr addrspace(1) %o, i32 64
  store float %r, ptr addrspace(1) %o
  store float %s0, ptr addrspace(1) %o2
  ret void
}
define amdgpu_kernel void @scale64(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr double, ptr addrspace(1) %in, i32 %far
  %q = getelementptr double, ptr addrspace(1) %p, i32 64
  %a = load double, ptr addrspace(1) %p
  %b = load double, ptr addrspace(1) %q
  %s = call { double, i1 } @llvm.amdgcn.div.scale.f64(double %a, double %b, i1 false)
  %t = call { double, i1 } @llvm.amdgcn.div.scale.f64(double %a, double %b, i1 true)
  %s0 = extractvalue { double, i1 } %s, 0
  %t0 = extractvalue { double, i1 } %t, 0
  %s1 = extractvalue { double, i1 } %s, 1
  %r = select i1 %s1, double %s0, double %t0
  %o = getelementptr double, ptr addrspace(1) %out, i32 %id
  %o2 = getelementptr double, ptr addrspace(1) %o, i32 64
  store double %r, ptr addrspace(1) %o
  store double %s0, ptr addrspace(1) %o2
  ret void
}
define amdgpu_kernel void @quads(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i64, ptr addrspace(1) %in, i32 100
  %l = load i64, ptr addrspace(1) %p
  %i = trunc i64 %l to i32
  %a = call i64 @llvm.amdgcn.s.quadmask.i64(i64 %l)
  %b = call i64 @llvm.amdgcn.s.wqm.i64(i64 %l)
  %c = call i32 @llvm.amdgcn.s.quadmask.i32(i32 %i)
  %d = call i32 @llvm.amdgcn.s.wqm.i32(i32 %i)
  store i64 %a, ptr addrspace(1) %out
  %o1 = getelementptr i64, ptr addrspace(1) %out, i32 1
  store i64 %b, ptr addrspace(1) %o1
  %o2 = getelementptr i64, ptr addrspace(1) %out, i32 2
  store i32 %c, ptr addrspace(1) %o2
  %o3 = getelementptr i64, ptr addrspace(1) %out, i32 3
  store i32 %d, ptr addrspace(1) %o3
  ret void
}
define amdgpu_kernel void @append(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  store volatile i32 1000, ptr addrspace(3) @counter
  call void @llvm.amdgcn.s.barrier()
  %odd = and i32 %id, 5
  %c = icmp eq i32 %odd, 1
  br i1 %c, label %some, label %all
some:
  %a = call i32 @llvm.amdgcn.ds.append.p3(ptr addrspace(3) @counter, i1 false)
  br label %all
all:
  %v = phi i32 [ %a, %some ], [ 7, %0 ]
  %d = call i32 @llvm.amdgcn.ds.consume.p3(ptr addrspace(3) @counter, i1 false)
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %o2 = getelementptr i32, ptr addrspace(1) %o, i32 64
  store i32 %v, ptr addrspace(1) %o
  store i32 %d, ptr addrspace(1) %o2
  ret void
}
define amdgpu_kernel void @remainder(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr <2 x float>, ptr addrspace(1) %in, i32 %far
  %q = getelementptr <2 x float>, ptr addrspace(1) %p, i32 64
  %a = load <2 x float>, ptr addrspace(1) %p
  %b = load <2 x float>, ptr addrspace(1) %q
  %r = frem <2 x float> %a, %b
  %s = fcmp uno <2 x float> %r, %r
  %t = select <2 x i1> %s, <2 x float> <float 7.0, float 7.0>, <2 x float> %r
  %o = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %id
  store <2 x float> %t, ptr addrspace(1) %o
  %ad = load double, ptr addrspace(1) %p
  %bd = load double, ptr addrspace(1) %q
  %rd = frem double %ad, %bd
  %sd = fcmp uno double %rd, %rd
  %td = select i1 %sd, double 7.0, double %rd
  %o2 = getelementptr double, ptr addrspace(1) %out, i32 %far
  store double %td, ptr addrspace(1) %o2
  ret void
}
define amdgpu_kernel void @halves(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr half, ptr addrspace(1) %in, i32 %far
  %q = getelementptr half, ptr addrspace(1) %p, i32 64
  %a = load half, ptr addrspace(1) %p
  %b = load half, ptr addrspace(1) %q
  %r = frem half %a, %b
  %s = fcmp uno half %r, %r
  %t = select i1 %s, half 7.0, half %r
  %o = getelementptr half, ptr addrspace(1) %out, i32 %id
  store half %t, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @powers(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %n = load i32, ptr addrspace(1) %p
  %k = and i32 %n, 15
  %f = uitofp i32 %n to float
  %x = fmul float %f, 0.0625
  %y = fsub float %x, 1.5
  %a = call float @llvm.pow.f32(float %x, float %y)
  %b = call float @llvm.powi.f32.i32(float %x, i32 %k)
  %xh = fptrunc float %x to half
  %yh = fptrunc float %y to half
  %c = call half @llvm.pow.f16(half %xh, half %yh)
  %o = getelementptr float, ptr addrspace(1) %out, i32 %id
  %o2 = getelementptr float, ptr addrspace(1) %o, i32 64
  %o3 = getelementptr float, ptr addrspace(1) %o, i32 128
  store float %a, ptr addrspace(1) %o
  store float %b, ptr addrspace(1) %o2
  store half %c, ptr addrspace(1) %o3
  ret void
}
define amdgpu_kernel void @ended(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 1, ptr addrspace(1) %o
  %k = and i32 %id, 9
  %c = icmp ne i32 %k, 8
  call void @llvm.amdgcn.kill(i1 %c)
  %h = icmp ult i32 %id, 40
  br i1 %h, label %some, label %all
some:
  %o2 = getelementptr i32, ptr addrspace(1) %o, i32 64
  store i32 %id, ptr addrspace(1) %o2
  br label %all
all:
  %o3 = getelementptr i32, ptr addrspace(1) %o, i32 128
  store i32 7, ptr addrspace(1) %o3
  ret void
}
define amdgpu_kernel void @all_ended(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 1, ptr addrspace(1) %o
  %c = icmp ugt i32 %id, 64
  call void @llvm.amdgcn.kill(i1 %c)
  %o3 = getelementptr i32, ptr addrspace(1) %o, i32 128
  store i32 7, ptr addrspace(1) %o3
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
