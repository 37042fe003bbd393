; SPDX-License-Identifier: MIT
; processors: gfx900 gfx90a gfx942 gfx1030:32 gfx1030:64 gfx1100:32 gfx1100:64 gfx1201:32 gfx1201:64 gfx1250
; Functions with a variable number of arguments: of all sizes, none at all, structures, copies of memory, lists that are copied
; and passed on, calls through pointers.
; launch of numbers: -g 64 -b 64 --stack=8K
; launch of sizes: -g 64 -b 64 --stack=8K
; launch of copies: -g 64 -b 64 --stack=8K
; launch of pointers: -g 64 -b 64 --stack=8K

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.va_start.p5(ptr addrspace(5))
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p5(ptr addrspace(5))
declare void @llvm.va_end.p0(ptr)
declare void @llvm.va_copy.p0.p0(ptr, ptr)
declare void @llvm.va_copy.p5.p5(ptr addrspace(5), ptr addrspace(5))

; The sum of so many numbers.
define i32 @sum(i32 %count, ...) noinline {
  %list = alloca ptr, addrspace(5)
  call void @llvm.va_start.p5(ptr addrspace(5) %list)
  %begin = load ptr, ptr addrspace(5) %list
  %any = icmp sgt i32 %count, 0
  br i1 %any, label %more, label %done
more:
  %n = phi i32 [ 0, %0 ], [ %n1, %more ]
  %at = phi ptr [ %begin, %0 ], [ %next, %more ]
  %s = phi i32 [ 0, %0 ], [ %s1, %more ]
  %v = load i32, ptr %at
  %next = getelementptr i8, ptr %at, i64 4
  %m = mul i32 %s, 3
  %s1 = add i32 %m, %v
  %n1 = add i32 %n, 1
  %again = icmp slt i32 %n1, %count
  br i1 %again, label %more, label %done
done:
  %r = phi i32 [ 7, %0 ], [ %s1, %more ]
  call void @llvm.va_end.p5(ptr addrspace(5) %list)
  ret i32 %r
}
; All bytes up to a length, four by four.
define i32 @bytes(i32 %length, ptr %list) noinline {
  br label %more
more:
  %n = phi i32 [ 0, %0 ], [ %n1, %more ]
  %s = phi i32 [ 1, %0 ], [ %s1, %more ]
  %p = getelementptr i8, ptr %list, i32 %n
  %v = load i32, ptr %p
  %m = mul i32 %s, 31
  %s1 = xor i32 %m, %v
  %n1 = add i32 %n, 4
  %again = icmp slt i32 %n1, %length
  br i1 %again, label %more, label %done
done:
  ret i32 %s1
}
define i32 @all(i32 %length, ...) noinline {
  %list = alloca ptr, addrspace(5)
  %other = alloca ptr, addrspace(5)
  %flat = addrspacecast ptr addrspace(5) %list to ptr
  %flat2 = addrspacecast ptr addrspace(5) %other to ptr
  call void @llvm.va_start.p0(ptr %flat)
  call void @llvm.va_copy.p0.p0(ptr %flat2, ptr %flat)
  %l = load ptr, ptr addrspace(5) %other
  %r = call i32 @bytes(i32 %length, ptr %l)
  call void @llvm.va_end.p0(ptr %flat2)
  call void @llvm.va_end.p0(ptr %flat)
  ret i32 %r
}
define i32 @twice(i32 %length, ...) noinline {
  %list = alloca ptr, addrspace(5)
  %other = alloca ptr, addrspace(5)
  call void @llvm.va_start.p5(ptr addrspace(5) %list)
  call void @llvm.va_copy.p5.p5(ptr addrspace(5) %other, ptr addrspace(5) %list)
  %a = load ptr, ptr addrspace(5) %list
  %b = load ptr, ptr addrspace(5) %other
  %r = call i32 @bytes(i32 %length, ptr %a)
  %s = call i32 @bytes(i32 4, ptr %b)
  %t = sub i32 %r, %s
  ret i32 %t
}
@table = internal addrspace(4) constant [2 x ptr] [ptr @all, ptr @twice]

define amdgpu_kernel void @numbers(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %a = call i32 (i32, ...) @sum(i32 3, i32 %v, i32 %id, i32 5)
  %b = call i32 (i32, ...) @sum(i32 0)
  %c = call i32 (i32, ...) @sum(i32 1, i32 %a)
  %r1 = mul i32 %b, %c
  %r = add i32 %r1, %a
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @sizes(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i64, ptr addrspace(1) %in, i32 %id
  %v = load i64, ptr addrspace(1) %p
  %d = bitcast i64 %v to double
  %x = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 %id, i32 2
  %s0 = insertvalue { i32, i64, float } { i32 9, i64 poison, float 2.5 }, i64 %v, 1
  %b = trunc i64 %v to i8
  %h = trunc i64 %v to i16
  %z = zext i8 %b to i32
  %y = zext i16 %h to i32
  %e = sext i64 %v to i128
  %r = call i32 (i32, ...) @all(i32 60, i32 %id, double %d, <4 x i32> %x, i64 %v, i32 %z, i128 %e)
  %q = call i32 (i32, ...) @twice(i32 20, i32 %y, i64 %v, i64 %v)
  %u = call i32 (i32, ...) @all(i32 4, { i32, i64, float } %s0, i32 7)
  %s1 = add i32 %r, %q
  %s = xor i32 %s1, %u
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %s, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @copies(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %m = alloca [5 x i32], addrspace(5)
  store i32 %v, ptr addrspace(5) %m
  %m1 = getelementptr i32, ptr addrspace(5) %m, i32 1
  store i32 %id, ptr addrspace(5) %m1
  %m2 = getelementptr i32, ptr addrspace(5) %m, i32 2
  store i32 77, ptr addrspace(5) %m2
  %m3 = getelementptr i32, ptr addrspace(5) %m, i32 3
  store i32 %v, ptr addrspace(5) %m3
  %m4 = getelementptr i32, ptr addrspace(5) %m, i32 4
  store i32 3, ptr addrspace(5) %m4
  %r = call i32 (i32, ...) @all(i32 28, i32 %id, ptr addrspace(5) byval([5 x i32]) %m, i32 %v)
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @pointers(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %n = and i32 %id, 1
  %e = getelementptr [2 x ptr], ptr addrspace(4) @table, i32 0, i32 %n
  %f = load ptr, ptr addrspace(4) %e
  %r = call i32 (i32, ...) %f(i32 12, i32 %id, i64 81985529216486895)
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %o
  ret void
}
