; SPDX-License-Identifier: MIT
; processors: gfx803 gfx90a gfx1030 gfx1100 gfx1201 gfx1250
; Assembly in the module: a function that kernels call, and numbers that they read. Where functions return to.
; launch of called: -g 64 -b 64 --stack=4K
; launch of returned: -g 64 -b 64 --stack=4K

module asm ".type eor_five,@function"
module asm ".globl eor_five"
module asm "eor_five:"
module asm "  v_xor_b32 v0, 5, v0"
module asm "  s_setpc_b64 s[30:31]"
module asm ".size eor_five, .-eor_five"
module asm ".section .rodata, \22a\22"
module asm ".globl numbers"
module asm "numbers: .long 77, 88"

declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr @llvm.returnaddress(i32)
declare i32 @eor_five(i32)
@numbers = external addrspace(4) constant [2 x i32]
@other = internal addrspace(999) global i32 99

define amdgpu_kernel void @called(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %w = call i32 @eor_five(i32 %v)
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %w, ptr addrspace(1) %q
  ret void
}
define amdgpu_kernel void @read(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %one = and i32 %id, 1
  %n = getelementptr i32, ptr addrspace(4) @numbers, i32 %one
  %v = load i32, ptr addrspace(4) %n
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %v, ptr addrspace(1) %q
  ret void
}
; The address of a variable in a space of unknown number.
define amdgpu_kernel void @unknown_space(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %a = ptrtoint ptr addrspace(999) @other to i64
  %p = inttoptr i64 %a to ptr addrspace(1)
  %v = load volatile i32, ptr addrspace(1) %p
  store i32 %v, ptr addrspace(1) %out
  ret void
}
; Code at the address to which a function returns is that behind the call: three dwords differ between compilers, not that the
; address is the same in all lanes, nor that it is one of code.
define i64 @first() noinline {
  %r = call ptr @llvm.returnaddress(i32 0)
  %n = ptrtoint ptr %r to i64
  ret i64 %n
}
define i64 @inner(ptr addrspace(1) %in) noinline {
  %r = call ptr @llvm.returnaddress(i32 0)
  %up = call ptr @llvm.returnaddress(i32 1)
  %n = ptrtoint ptr %r to i64
  %m = ptrtoint ptr %up to i64
  %v = load i32, ptr addrspace(1) %in
  %w = call i32 @eor_five(i32 %v)
  %w64 = zext i32 %w to i64
  %again = call ptr @llvm.returnaddress(i32 0)
  %k = ptrtoint ptr %again to i64
  %d = sub i64 %k, %n
  %x = add i64 %d, %m
  %y = add i64 %x, %w64
  ret i64 %y
}
define amdgpu_kernel void @returned(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %none = call ptr @llvm.returnaddress(i32 0)
  %z = ptrtoint ptr %none to i64
  %a = call i64 @first()
  %b = call i64 @first()
  %c = icmp ugt i64 %b, %a
  %d = zext i1 %c to i64
  %e = call i64 @inner(ptr addrspace(1) %in)
  %f = add i64 %e, %d
  %g = add i64 %f, %z
  %q = getelementptr i64, ptr addrspace(1) %out, i32 %id
  store i64 %g, ptr addrspace(1) %q
  ret void
}
