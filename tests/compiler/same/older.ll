; SPDX-License-Identifier: MIT
; processors: gfx701 gfx803 gfx90a gfx942 gfx1030:32 gfx1030:64 gfx1100:32 gfx1100:64 gfx1201:32 gfx1201:64 gfx1250
; Intrinsics that LLVM reads as something newer: llvm.amdgcn.atomic.cond.sub.u32 (INT-37) subtracts where memory holds at
; least as much.
@cell = internal addrspace(3) global [64 x i32] poison

define amdgpu_kernel void @cond_sub_global(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %k = mul i32 %id, 7
  %v = and i32 %k, 15
  store i32 9, ptr addrspace(1) %o
  %a = call i32 @llvm.amdgcn.atomic.cond.sub.u32.p1(ptr addrspace(1) %o, i32 %v)
  %o2 = getelementptr i32, ptr addrspace(1) %o, i32 64
  store i32 %a, ptr addrspace(1) %o2
  ret void
}
define amdgpu_kernel void @cond_sub_flat(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %f = addrspacecast ptr addrspace(1) %o to ptr
  %k = mul i32 %id, 11
  %v = and i32 %k, 15
  store i32 8, ptr %f
  %a = call i32 @llvm.amdgcn.atomic.cond.sub.u32.p0(ptr %f, i32 %v)
  %o2 = getelementptr i32, ptr addrspace(1) %o, i32 64
  store i32 %a, ptr addrspace(1) %o2
  ret void
}
define amdgpu_kernel void @cond_sub_local(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %l = getelementptr i32, ptr addrspace(3) @cell, i32 %id
  %k = mul i32 %id, 13
  %v = and i32 %k, 15
  store i32 7, ptr addrspace(3) %l
  %a = call i32 @llvm.amdgcn.atomic.cond.sub.u32.p3(ptr addrspace(3) %l, i32 %v)
  %b = load i32, ptr addrspace(3) %l
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %o2 = getelementptr i32, ptr addrspace(1) %o, i32 64
  store i32 %a, ptr addrspace(1) %o
  store i32 %b, ptr addrspace(1) %o2
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
