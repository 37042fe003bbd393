; SPDX-License-Identifier: MIT
; processors: gfx701 gfx803 gfx90a gfx942 gfx1030:32 gfx1030:64 gfx1100:32 gfx1100:64 gfx1201:32 gfx1201:64 gfx1250
; What a wave begins with, an intrinsic each (INT-46; llvm.amdgcn.make.buffer.rsrc is in buffers.ll, llvm.amdgcn.cs.chain in
; shaders/chain.ll, llvm.trap and llvm.debugtrap in traps.sh; llvm.amdgcn.init.whole.wave is refused: cc.sh).
; launch of item_x: -g 16,6,4 -b 8,3,2
; launch of group_x: -g 16,6,4 -b 8,3,2
; launch of item_y: -g 16,6,4 -b 8,3,2
; launch of group_y: -g 16,6,4 -b 8,3,2
; launch of item_z: -g 16,6,4 -b 8,3,2
; launch of group_z: -g 16,6,4 -b 8,3,2
; launch of dispatch: -g 16,6,4 -b 8,3,2
; launch of queue: -g 16,6,4 -b 8,3,2
; launch of dispatch_number: -g 16,6,4 -b 8,3,2
; launch of hidden: -g 16,6,4 -b 8,3,2
; launch of spaces: -g 16,6,4 -b 8,3,2
@cell = internal addrspace(3) global [512 x i32] poison

define internal i32 @place() alwaysinline {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %y = call i32 @llvm.amdgcn.workitem.id.y()
  %z = call i32 @llvm.amdgcn.workitem.id.z()
  %gx = call i32 @llvm.amdgcn.workgroup.id.x()
  %gy = call i32 @llvm.amdgcn.workgroup.id.y()
  %gz = call i32 @llvm.amdgcn.workgroup.id.z()
  %a = mul i32 %gz, 2
  %b = add i32 %a, %gy
  %c = mul i32 %b, 2
  %d = add i32 %c, %gx
  %e = mul i32 %d, 2
  %f = add i32 %e, %z
  %g = mul i32 %f, 3
  %h = add i32 %g, %y
  %i = mul i32 %h, 8
  %j = add i32 %i, %x
  ret i32 %j
}
define amdgpu_kernel void @item_x(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %place = call i32 @place()
  %r = call i32 @llvm.amdgcn.workitem.id.x()
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %place
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @group_x(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %place = call i32 @place()
  %r = call i32 @llvm.amdgcn.workgroup.id.x()
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %place
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @item_y(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %place = call i32 @place()
  %r = call i32 @llvm.amdgcn.workitem.id.y()
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %place
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @group_y(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %place = call i32 @place()
  %r = call i32 @llvm.amdgcn.workgroup.id.y()
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %place
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @item_z(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %place = call i32 @place()
  %r = call i32 @llvm.amdgcn.workitem.id.z()
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %place
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @group_z(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %place = call i32 @place()
  %r = call i32 @llvm.amdgcn.workgroup.id.z()
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %place
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @dispatch(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %place = call i32 @place()
  %p = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %i = and i32 %place, 7
  %j = add i32 %i, 0
  %q = getelementptr i32, ptr addrspace(4) %p, i32 %j
  %r = load i32, ptr addrspace(4) %q
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %place
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @queue(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %place = call i32 @place()
  %p = call ptr addrspace(4) @llvm.amdgcn.queue.ptr()
  %r = load i32, ptr addrspace(4) %p
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %place
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @dispatch_number(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %place = call i32 @place()
  %r = call i64 @llvm.amdgcn.dispatch.id()
  %o = getelementptr i64, ptr addrspace(1) %out, i32 %place
  store i64 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @hidden(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %place = call i32 @place()
  %p = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %i = urem i32 %place, 6
  %q = getelementptr i32, ptr addrspace(4) %p, i32 %i
  %r = load i32, ptr addrspace(4) %q
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %place
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @spaces(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %place = call i32 @place()
  %m = alloca i32, addrspace(5)
  store volatile i32 3, ptr addrspace(5) %m
  %lds = getelementptr i32, ptr addrspace(3) @cell, i32 %place
  store volatile i32 4, ptr addrspace(3) %lds
  %a = addrspacecast ptr addrspace(5) %m to ptr
  %b = addrspacecast ptr addrspace(3) %lds to ptr
  %c = addrspacecast ptr addrspace(1) %in to ptr
  %odd = and i32 %place, 1
  %is = icmp eq i32 %odd, 1
  %two = and i32 %place, 2
  %more = icmp eq i32 %two, 2
  %ab = select i1 %is, ptr %a, ptr %b
  %f = select i1 %more, ptr %ab, ptr %c
  %s = call i1 @llvm.amdgcn.is.shared(ptr %f)
  %t = call i1 @llvm.amdgcn.is.private(ptr %f)
  %u = zext i1 %s to i32
  %v = zext i1 %t to i32
  %w = mul i32 %v, 16
  %x = add i32 %w, %u
  %y = load i32, ptr %f
  %z = mul i32 %y, 256
  %r = add i32 %x, %z
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %place
  store i32 %r, ptr addrspace(1) %o
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="48,48" }
