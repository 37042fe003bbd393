; SPDX-License-Identifier: MIT
; processors: gfx90a gfx1030:32 gfx1030:64 gfx1100:32 gfx1100:64 gfx1201:32 gfx1201:64 gfx1250
; A subtraction that stops at 0 (usub_sat), whose old value is wanted: a row does it where there is one.

define amdgpu_kernel void @stops(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %far = add i32 %id, 64
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %far
  %a = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %p, i32 64
  %b = load i32, ptr addrspace(1) %q
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %o2 = getelementptr i32, ptr addrspace(1) %o, i32 64
  store i32 %a, ptr addrspace(1) %o
  %old = atomicrmw usub_sat ptr addrspace(1) %o, i32 %b syncscope("agent") monotonic
  store i32 %old, ptr addrspace(1) %o2
  ret void
}
define amdgpu_kernel void @offset(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %o2 = getelementptr i32, ptr addrspace(1) %o, i32 64
  store i32 %id, ptr addrspace(1) %o2
  %old = atomicrmw usub_sat ptr addrspace(1) %o2, i32 20 syncscope("agent") monotonic
  store i32 %old, ptr addrspace(1) %o
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
