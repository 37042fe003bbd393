; processors: gfx803 gfx90a gfx942 gfx1030 gfx1100 gfx1201
; Results in memory that the caller gives (CALL-26), arguments in memory with a large alignment (CALL-25), other names of functions
; and variables, functions of all linkages.
declare i32 @llvm.amdgcn.workitem.id.x()
@table = internal addrspace(1) global [4 x i32] [i32 3, i32 5, i32 7, i32 11]
@other = internal alias i32, getelementptr ([4 x i32], ptr addrspace(1) @table, i64 0, i64 2)
@shown = alias i32 (i32), ptr @linked
@pointer = internal addrspace(1) global ptr @shown

define <40 x i32> @large(<4 x i32> %v, i32 %a) noinline {
  %s = shufflevector <4 x i32> %v, <4 x i32> poison, <40 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 3, i32 2, i32 1, i32 0>
  %r = insertelement <40 x i32> %s, i32 %a, i32 33
  ret <40 x i32> %r
}
define { [20 x i64], i8, double } @mixed(i32 %a) noinline {
  %w = zext i32 %a to i64
  %b = trunc i32 %a to i8
  %d = uitofp i32 %a to double
  %v = insertvalue { [20 x i64], i8, double } zeroinitializer, i64 %w, 0, 17
  %x = insertvalue { [20 x i64], i8, double } %v, i8 %b, 1
  %y = insertvalue { [20 x i64], i8, double } %x, double %d, 2
  ret { [20 x i64], i8, double } %y
}
define i32 @passed(i32 %i, ptr addrspace(5) byval([8 x i32]) align 64 %p) noinline {
  %q = getelementptr i32, ptr addrspace(5) %p, i32 %i
  %v = load i32, ptr addrspace(5) %q
  ret i32 %v
}
define weak_odr i32 @linked(i32 %x) noinline {
  %r = mul i32 %x, 13
  ret i32 %r
}
define linkonce_odr i32 @once(i32 %x) noinline {
  %r = add i32 %x, 13
  ret i32 %r
}
define amdgpu_kernel void @in_memory(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr [4 x i32], ptr addrspace(1) %in, i32 %id
  %v = load <4 x i32>, ptr addrspace(1) %p
  %r = call <40 x i32> @large(<4 x i32> %v, i32 %id)
  %q = getelementptr [64 x i32], ptr addrspace(1) %out, i32 %id
  store <40 x i32> %r, ptr addrspace(1) %q, align 4
  ret void
}
define amdgpu_kernel void @mixed_in_memory(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %r = call { [20 x i64], i8, double } @mixed(i32 %v)
  %a = extractvalue { [20 x i64], i8, double } %r, 0, 17
  %b = extractvalue { [20 x i64], i8, double } %r, 1
  %d = extractvalue { [20 x i64], i8, double } %r, 2
  %z = extractvalue { [20 x i64], i8, double } %r, 0, 3
  %w = zext i8 %b to i64
  %s = add i64 %a, %w
  %t = add i64 %s, %z
  %q = getelementptr [2 x i64], ptr addrspace(1) %out, i32 %id
  store i64 %t, ptr addrspace(1) %q
  %q1 = getelementptr i64, ptr addrspace(1) %q, i32 1
  store double %d, ptr addrspace(1) %q1
  ret void
}
define amdgpu_kernel void @aligned(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %m = alloca [8 x i32], addrspace(5)
  %k = and i32 %id, 7
  %f = getelementptr i32, ptr addrspace(5) %m, i32 %k
  store [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8], ptr addrspace(5) %m
  store i32 %id, ptr addrspace(5) %f
  %j = lshr i32 %id, 3
  %r = call i32 @passed(i32 %j, ptr addrspace(5) byval([8 x i32]) align 64 %m)
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %q
  ret void
}
define amdgpu_kernel void @named(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call i32 @shown(i32 %id)
  %b = call i32 @once(i32 %a)
  %t = load i32, ptr addrspace(1) @other
  %f = load ptr, ptr addrspace(1) @pointer
  %c = call i32 %f(i32 %t)
  %d = add i32 %b, %c
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %d, ptr addrspace(1) %q
  ret void
}
