; SPDX-License-Identifier: MIT
; processors: gfx1030:32 gfx1030:64 gfx1100:32 gfx1100:64 gfx1201:32 gfx1201:64
; Rays (llvm.amdgcn.image.bvh.intersect.ray) with nodes of 32 and 64 bits, directions of 32 and 16 bits, in nodes of
; boxes and triangles that each lane writes first, behind its result; descriptors that differ by lane.

declare i32 @llvm.amdgcn.workitem.id.x()
define internal float @number(ptr addrspace(1) %in, i32 %n) alwaysinline {
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %n
  %v = load i32, ptr addrspace(1) %p
  %mantissa = and i32 %v, -1887436801
  %small = or i32 %mantissa, 1056964608
  %f = bitcast i32 %small to float
  ret float %f
}
define internal <3 x float> @three(ptr addrspace(1) %in, i32 %n) alwaysinline {
  %n1 = add i32 %n, 100
  %n2 = add i32 %n, 200
  %a = call float @number(ptr addrspace(1) %in, i32 %n)
  %b = call float @number(ptr addrspace(1) %in, i32 %n1)
  %c = call float @number(ptr addrspace(1) %in, i32 %n2)
  %x = insertelement <3 x float> poison, float %a, i32 0
  %y = insertelement <3 x float> %x, float %b, i32 1
  %z = insertelement <3 x float> %y, float %c, i32 2
  ret <3 x float> %z
}
define internal <4 x i32> @tree(ptr addrspace(1) %in, i32 %last) alwaysinline {
  %a = ptrtoint ptr addrspace(1) %in to i64
  %base = lshr i64 %a, 8
  %low = trunc i64 %base to i32
  %h = lshr i64 %base, 32
  %upper = trunc i64 %h to i32
  %high = or i32 %upper, -2147483648
  %x = insertelement <4 x i32> poison, i32 %low, i32 0
  %y = insertelement <4 x i32> %x, i32 %high, i32 1
  %z = insertelement <4 x i32> %y, i32 %last, i32 2
  %t = insertelement <4 x i32> %z, i32 -2130706432, i32 3
  ret <4 x i32> %t
}

define internal void @put(ptr addrspace(1) %node, i32 %n, float %f) alwaysinline {
  %p = getelementptr float, ptr addrspace(1) %node, i32 %n
  store float %f, ptr addrspace(1) %p
  ret void
}
define internal void @box(ptr addrspace(1) %in, i32 %id, ptr addrspace(1) %node, i32 %n, i32 %seed) alwaysinline {
  %child = getelementptr i32, ptr addrspace(1) %node, i32 %n
  %number = add i32 %n, 77
  store i32 %number, ptr addrspace(1) %child
  %six = mul i32 %n, 6
  %at = add i32 %six, 4
  %from = add i32 %id, %seed
  %a = call <3 x float> @three(ptr addrspace(1) %in, i32 %from)
  %b = fadd <3 x float> %a, <float 1.5, float 1.75, float 1.25>
  %a0 = extractelement <3 x float> %a, i32 0
  %b0 = extractelement <3 x float> %b, i32 0
  %m0 = add i32 %at, 0
  %n0 = add i32 %at, 3
  call void @put(ptr addrspace(1) %node, i32 %m0, float %a0)
  call void @put(ptr addrspace(1) %node, i32 %n0, float %b0)
  %a1 = extractelement <3 x float> %a, i32 1
  %b1 = extractelement <3 x float> %b, i32 1
  %m1 = add i32 %at, 1
  %n1 = add i32 %at, 4
  call void @put(ptr addrspace(1) %node, i32 %m1, float %a1)
  call void @put(ptr addrspace(1) %node, i32 %n1, float %b1)
  %a2 = extractelement <3 x float> %a, i32 2
  %b2 = extractelement <3 x float> %b, i32 2
  %m2 = add i32 %at, 2
  %n2 = add i32 %at, 5
  call void @put(ptr addrspace(1) %node, i32 %m2, float %a2)
  call void @put(ptr addrspace(1) %node, i32 %n2, float %b2)
  ret void
}
define internal i32 @node(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %id) alwaysinline {
  %slot = mul i32 %id, 64
  %at = add i32 %slot, 4096
  %node = getelementptr i32, ptr addrspace(1) %out, i32 %at
  call void @box(ptr addrspace(1) %in, i32 %id, ptr addrspace(1) %node, i32 0, i32 400)
  call void @box(ptr addrspace(1) %in, i32 %id, ptr addrspace(1) %node, i32 1, i32 1400)
  call void @box(ptr addrspace(1) %in, i32 %id, ptr addrspace(1) %node, i32 2, i32 2400)
  call void @box(ptr addrspace(1) %in, i32 %id, ptr addrspace(1) %node, i32 3, i32 3400)
  %corners = getelementptr i32, ptr addrspace(1) %node, i32 32
  %far = add i32 %id, 9000
  %z = call <3 x float> @three(ptr addrspace(1) %in, i32 %far)
  %z0 = extractelement <3 x float> %z, i32 0
  %z1 = extractelement <3 x float> %z, i32 1
  %z2 = extractelement <3 x float> %z, i32 2
  call void @put(ptr addrspace(1) %corners, i32 0, float -100.0)
  call void @put(ptr addrspace(1) %corners, i32 1, float -100.0)
  call void @put(ptr addrspace(1) %corners, i32 2, float %z0)
  call void @put(ptr addrspace(1) %corners, i32 3, float 200.0)
  call void @put(ptr addrspace(1) %corners, i32 4, float -100.0)
  call void @put(ptr addrspace(1) %corners, i32 5, float %z1)
  call void @put(ptr addrspace(1) %corners, i32 6, float -100.0)
  call void @put(ptr addrspace(1) %corners, i32 7, float 200.0)
  call void @put(ptr addrspace(1) %corners, i32 8, float %z2)
  fence syncscope("agent") seq_cst
  %byte = mul i32 %at, 4
  %unit = lshr i32 %byte, 6
  %triangle = and i32 %id, 1
  %behind = mul i32 %triangle, 2
  %unit2 = add i32 %unit, %behind
  %moved = shl i32 %unit2, 3
  %is = icmp eq i32 %triangle, 0
  %kind = select i1 %is, i32 5, i32 0
  %r = or i32 %moved, %kind
  ret i32 %r
}
define amdgpu_kernel void @plain(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %n = add i32 %id, 64
  %n2 = add i32 %id, 3000
  %n3 = add i32 %id, 7000
  %node = call i32 @node(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %id)
  %pointer = or i32 %node, 0
  %extent = fadd float 0.0, 20.0
  %origin0 = call <3 x float> @three(ptr addrspace(1) %in, i32 %n)
  %origin = fmul <3 x float> %origin0, <float 0.5, float 0.25, float 0.125>
  %d = call <3 x float> @three(ptr addrspace(1) %in, i32 %n2)
  %i = call <3 x float> @three(ptr addrspace(1) %in, i32 %n3)
  %direction = fadd <3 x float> %d, zeroinitializer
  %inverse = fadd <3 x float> %i, zeroinitializer
  %odd = and i32 %id, 3
  %part = mul i32 %odd, 300
  %last = add i32 1023, 0
  %t = call <4 x i32> @tree(ptr addrspace(1) %out, i32 %last)
  %v = call <4 x i32> @llvm.amdgcn.image.bvh.intersect.ray.i32.v3f32(i32 %pointer, float %extent, <3 x float> %origin, <3 x float> %direction, <3 x float> %inverse, <4 x i32> %t)
  %o = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %id
  store <4 x i32> %v, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @wide(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %n = add i32 %id, 64
  %n2 = add i32 %id, 3000
  %n3 = add i32 %id, 7000
  %node = call i32 @node(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %id)
  %pointer = zext i32 %node to i64
  %extent = fadd float 0.0, 20.0
  %origin0 = call <3 x float> @three(ptr addrspace(1) %in, i32 %n)
  %origin = fmul <3 x float> %origin0, <float 0.5, float 0.25, float 0.125>
  %d = call <3 x float> @three(ptr addrspace(1) %in, i32 %n2)
  %i = call <3 x float> @three(ptr addrspace(1) %in, i32 %n3)
  %direction = fadd <3 x float> %d, zeroinitializer
  %inverse = fadd <3 x float> %i, zeroinitializer
  %odd = and i32 %id, 3
  %part = mul i32 %odd, 300
  %last = add i32 1023, 0
  %t = call <4 x i32> @tree(ptr addrspace(1) %out, i32 %last)
  %v = call <4 x i32> @llvm.amdgcn.image.bvh.intersect.ray.i64.v3f32(i64 %pointer, float %extent, <3 x float> %origin, <3 x float> %direction, <3 x float> %inverse, <4 x i32> %t)
  %o = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %id
  store <4 x i32> %v, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @half(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %n = add i32 %id, 64
  %n2 = add i32 %id, 3000
  %n3 = add i32 %id, 7000
  %node = call i32 @node(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %id)
  %pointer = or i32 %node, 0
  %extent = fadd float 0.0, 20.0
  %origin0 = call <3 x float> @three(ptr addrspace(1) %in, i32 %n)
  %origin = fmul <3 x float> %origin0, <float 0.5, float 0.25, float 0.125>
  %d = call <3 x float> @three(ptr addrspace(1) %in, i32 %n2)
  %i = call <3 x float> @three(ptr addrspace(1) %in, i32 %n3)
  %direction = fptrunc <3 x float> %d to <3 x half>
  %inverse = fptrunc <3 x float> %i to <3 x half>
  %odd = and i32 %id, 3
  %part = mul i32 %odd, 300
  %last = add i32 1023, 0
  %t = call <4 x i32> @tree(ptr addrspace(1) %out, i32 %last)
  %v = call <4 x i32> @llvm.amdgcn.image.bvh.intersect.ray.i32.v3f16(i32 %pointer, float %extent, <3 x float> %origin, <3 x half> %direction, <3 x half> %inverse, <4 x i32> %t)
  %o = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %id
  store <4 x i32> %v, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @wide_half(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %n = add i32 %id, 64
  %n2 = add i32 %id, 3000
  %n3 = add i32 %id, 7000
  %node = call i32 @node(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %id)
  %pointer = zext i32 %node to i64
  %extent = fadd float 0.0, 20.0
  %origin0 = call <3 x float> @three(ptr addrspace(1) %in, i32 %n)
  %origin = fmul <3 x float> %origin0, <float 0.5, float 0.25, float 0.125>
  %d = call <3 x float> @three(ptr addrspace(1) %in, i32 %n2)
  %i = call <3 x float> @three(ptr addrspace(1) %in, i32 %n3)
  %direction = fptrunc <3 x float> %d to <3 x half>
  %inverse = fptrunc <3 x float> %i to <3 x half>
  %odd = and i32 %id, 3
  %part = mul i32 %odd, 300
  %last = add i32 1023, 0
  %t = call <4 x i32> @tree(ptr addrspace(1) %out, i32 %last)
  %v = call <4 x i32> @llvm.amdgcn.image.bvh.intersect.ray.i64.v3f16(i64 %pointer, float %extent, <3 x float> %origin, <3 x half> %direction, <3 x half> %inverse, <4 x i32> %t)
  %o = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %id
  store <4 x i32> %v, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @loop(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %n = add i32 %id, 64
  %n2 = add i32 %id, 3000
  %n3 = add i32 %id, 7000
  %node = call i32 @node(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %id)
  %pointer = or i32 %node, 0
  %extent = fadd float 0.0, 20.0
  %origin0 = call <3 x float> @three(ptr addrspace(1) %in, i32 %n)
  %origin = fmul <3 x float> %origin0, <float 0.5, float 0.25, float 0.125>
  %d = call <3 x float> @three(ptr addrspace(1) %in, i32 %n2)
  %i = call <3 x float> @three(ptr addrspace(1) %in, i32 %n3)
  %direction = fadd <3 x float> %d, zeroinitializer
  %inverse = fadd <3 x float> %i, zeroinitializer
  %odd = and i32 %id, 3
  %part = mul i32 %odd, 300
  %last = add i32 %part, 100
  %t = call <4 x i32> @tree(ptr addrspace(1) %out, i32 %last)
  %v = call <4 x i32> @llvm.amdgcn.image.bvh.intersect.ray.i32.v3f32(i32 %pointer, float %extent, <3 x float> %origin, <3 x float> %direction, <3 x float> %inverse, <4 x i32> %t)
  %o = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %id
  store <4 x i32> %v, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @wide_half_loop(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %n = add i32 %id, 64
  %n2 = add i32 %id, 3000
  %n3 = add i32 %id, 7000
  %node = call i32 @node(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %id)
  %pointer = zext i32 %node to i64
  %extent = fadd float 0.0, 20.0
  %origin0 = call <3 x float> @three(ptr addrspace(1) %in, i32 %n)
  %origin = fmul <3 x float> %origin0, <float 0.5, float 0.25, float 0.125>
  %d = call <3 x float> @three(ptr addrspace(1) %in, i32 %n2)
  %i = call <3 x float> @three(ptr addrspace(1) %in, i32 %n3)
  %direction = fptrunc <3 x float> %d to <3 x half>
  %inverse = fptrunc <3 x float> %i to <3 x half>
  %odd = and i32 %id, 3
  %part = mul i32 %odd, 300
  %last = add i32 %part, 100
  %t = call <4 x i32> @tree(ptr addrspace(1) %out, i32 %last)
  %v = call <4 x i32> @llvm.amdgcn.image.bvh.intersect.ray.i64.v3f16(i64 %pointer, float %extent, <3 x float> %origin, <3 x half> %direction, <3 x half> %inverse, <4 x i32> %t)
  %o = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %id
  store <4 x i32> %v, ptr addrspace(1) %o
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
