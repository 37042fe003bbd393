; processors: gfx803 gfx900 gfx908 gfx90a gfx942 gfx1010 gfx1030 gfx1030:64 gfx1100 gfx1201 gfx1201:64 gfx1250
; What functions are given besides arguments (CALL-29 to CALL-33), variables of LDS in functions, addresses of functions that
; lanes have each their own, memory on the stack whose size the program decides (CALL-37), results of several values.
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
declare void @llvm.amdgcn.s.barrier()
declare ptr addrspace(5) @llvm.stacksave.p5()
declare void @llvm.stackrestore.p5(ptr addrspace(5))
@shared = internal addrspace(3) global [64 x i32] poison, align 16
@other = internal addrspace(3) global [3 x i64] poison, align 8
@own = internal addrspace(3) global [64 x i32] poison, align 4

define i32 @place(i32 %k) noinline {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %h = call i32 @llvm.amdgcn.workgroup.id.y()
  %d = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %dp = getelementptr i8, ptr addrspace(4) %d, i32 4
  %size = load i16, ptr addrspace(4) %dp
  %i = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %count = load i32, ptr addrspace(4) %i
  %s = zext i16 %size to i32
  %a = mul i32 %g, %s
  %b = add i32 %a, %x
  %c = shl i32 %count, 20
  %e = shl i32 %h, 8
  %f = or i32 %b, %c
  %f2 = or i32 %f, %e
  %r = xor i32 %f2, %k
  ret i32 %r
}
define i32 @further(i32 %k) noinline {
  %y = call i32 @llvm.amdgcn.workitem.id.y()
  %a = call i32 @place(i32 %k)
  %b = add i32 %a, %y
  %c = call i32 @place(i32 %b)
  %d = add i32 %c, %k
  ret i32 %d
}
define amdgpu_kernel void @inputs(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %v = call i32 @further(i32 %id)
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %v, ptr addrspace(1) %q
  ret void
}

define void @put(i32 %v) noinline {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(3) @shared, i32 %x
  store i32 %v, ptr addrspace(3) %p
  %c = icmp eq i32 %x, 5
  br i1 %c, label %one, label %end
one:
  store i64 77, ptr addrspace(3) getelementptr (i64, ptr addrspace(3) @other, i32 2)
  br label %end
end:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  ret void
}
define i32 @get(i32 %n) noinline {
  %m = and i32 %n, 63
  %p = getelementptr i32, ptr addrspace(3) @shared, i32 %m
  %v = load i32, ptr addrspace(3) %p
  %w = load i64, ptr addrspace(3) getelementptr (i64, ptr addrspace(3) @other, i32 2)
  %t = trunc i64 %w to i32
  %s = add i32 %v, %t
  ret i32 %s
}
define amdgpu_kernel void @lds(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %a
  %o = getelementptr i32, ptr addrspace(3) @own, i32 %id
  store i32 %id, ptr addrspace(3) %o
  call void @put(i32 %v)
  %n = sub i32 70, %id
  %w = call i32 @get(i32 %n)
  %u = load i32, ptr addrspace(3) %o
  %r = add i32 %u, %w
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %q
  ret void
}
define amdgpu_kernel void @lds_again(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %v = mul i32 %id, 3
  call void @put(i32 %v)
  %n = sub i32 99, %id
  %w = call i32 @get(i32 %n)
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %w, ptr addrspace(1) %q
  ret void
}

define i32 @twice(i32 %a, i32 %b) {
  %r = mul i32 %a, 2
  %s = add i32 %r, %b
  ret i32 %s
}
define i32 @thrice(i32 %a, i32 %b) {
  %r = mul i32 %a, 3
  %s = sub i32 %r, %b
  %t = call i32 @twice(i32 %s, i32 %a)
  ret i32 %t
}
define i32 @negated(i32 %a, i32 %b) {
  %r = sub i32 %b, %a
  ret i32 %r
}
define amdgpu_kernel void @through_addresses(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %m = urem i32 %id, 3
  %c0 = icmp eq i32 %m, 0
  %c1 = icmp eq i32 %m, 1
  %f1 = select i1 %c1, ptr @thrice, ptr @negated
  %f = select i1 %c0, ptr @twice, ptr %f1
  %a = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %a
  %r = call i32 %f(i32 %v, i32 %id)
  %big = icmp ugt i32 %id, 40
  br i1 %big, label %again, label %end
again:
  %r2 = call i32 %f(i32 %r, i32 %v)
  br label %end
end:
  %r3 = phi i32 [%r, %0], [%r2, %again]
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r3, ptr addrspace(1) %q
  ret void
}

define i32 @on_stack(i32 %n, i32 %x) noinline {
  %top = call ptr addrspace(5) @llvm.stacksave.p5()
  %p = alloca i32, i32 %n, align 4, addrspace(5)
  br label %loop
loop:
  %i = phi i32 [0, %0], [%j, %loop]
  %q = getelementptr i32, ptr addrspace(5) %p, i32 %i
  %v = mul i32 %i, %x
  store i32 %v, ptr addrspace(5) %q
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %sum
sum:
  %k = phi i32 [0, %loop], [%k1, %sum]
  %s = phi i32 [0, %loop], [%s1, %sum]
  %q2 = getelementptr i32, ptr addrspace(5) %p, i32 %k
  %v2 = load i32, ptr addrspace(5) %q2
  %s1 = add i32 %s, %v2
  %k1 = add i32 %k, 1
  %c2 = icmp ult i32 %k1, %n
  br i1 %c2, label %sum, label %done
done:
  call void @llvm.stackrestore.p5(ptr addrspace(5) %top)
  %again = alloca i32, i32 2, align 64, addrspace(5)
  %second = getelementptr i32, ptr addrspace(5) %again, i32 1
  store i32 %s1, ptr addrspace(5) %second
  %r = call i32 @twice(i32 %s1, i32 %x)
  %l = load i32, ptr addrspace(5) %second
  %t = add i32 %r, %l
  ret i32 %t
}
define amdgpu_kernel void @dynamic_stack(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %n0 = and i32 %id, 7
  %n = add i32 %n0, 1
  %a = alloca i32, i32 %n, align 32, addrspace(5)
  store i32 %id, ptr addrspace(5) %a
  %r = call i32 @on_stack(i32 %n, i32 %id)
  %r2 = call i32 @on_stack(i32 3, i32 %r)
  %b = load i32, ptr addrspace(5) %a
  %t = add i32 %r2, %b
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %t, ptr addrspace(1) %q
  ret void
}

define { i32, half, <3 x half>, i1, i48 } @several(i32 %a, half %h, <3 x half> %v, i48 %w, bfloat %b) noinline {
  %e = extractelement <3 x half> %v, i32 2
  %s = fadd half %e, %h
  %n = insertelement <3 x half> %v, half %s, i32 0
  %c = icmp sgt i32 %a, 31
  %bi = bitcast bfloat %b to i16
  %bz = zext i16 %bi to i48
  %x = xor i48 %w, %bz
  %r0 = insertvalue { i32, half, <3 x half>, i1, i48 } poison, i32 %a, 0
  %r1 = insertvalue { i32, half, <3 x half>, i1, i48 } %r0, half %e, 1
  %r2 = insertvalue { i32, half, <3 x half>, i1, i48 } %r1, <3 x half> %n, 2
  %r3 = insertvalue { i32, half, <3 x half>, i1, i48 } %r2, i1 %c, 3
  %r4 = insertvalue { i32, half, <3 x half>, i1, i48 } %r3, i48 %x, 4
  ret { i32, half, <3 x half>, i1, i48 } %r4
}
define amdgpu_kernel void @values(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %h = uitofp i32 %id to half
  %v0 = insertelement <3 x half> poison, half %h, i32 0
  %v1 = insertelement <3 x half> %v0, half 2.0, i32 1
  %h2 = fmul half %h, 0.5
  %v2 = insertelement <3 x half> %v1, half %h2, i32 2
  %w = zext i32 %id to i48
  %w2 = shl i48 %w, 33
  %t = trunc i32 %id to i16
  %b = bitcast i16 %t to bfloat
  %r = call { i32, half, <3 x half>, i1, i48 } @several(i32 %id, half %h, <3 x half> %v2, i48 %w2, bfloat %b)
  %r0 = extractvalue { i32, half, <3 x half>, i1, i48 } %r, 0
  %r1 = extractvalue { i32, half, <3 x half>, i1, i48 } %r, 1
  %r2 = extractvalue { i32, half, <3 x half>, i1, i48 } %r, 2
  %r3 = extractvalue { i32, half, <3 x half>, i1, i48 } %r, 3
  %r4 = extractvalue { i32, half, <3 x half>, i1, i48 } %r, 4
  %q = getelementptr [8 x i32], ptr addrspace(1) %out, i32 %id
  store i32 %r0, ptr addrspace(1) %q
  %q1 = getelementptr i32, ptr addrspace(1) %q, i32 1
  store half %r1, ptr addrspace(1) %q1
  %q2 = getelementptr i32, ptr addrspace(1) %q, i32 2
  store <3 x half> %r2, ptr addrspace(1) %q2
  %q4 = getelementptr i32, ptr addrspace(1) %q, i32 4
  %z = zext i1 %r3 to i32
  store i32 %z, ptr addrspace(1) %q4
  %q6 = getelementptr i32, ptr addrspace(1) %q, i32 6
  %z6 = zext i48 %r4 to i64
  store i64 %z6, ptr addrspace(1) %q6
  ret void
}

; Addresses in variables: of functions, of other variables, behind their beginning.
@table = internal addrspace(4) constant [3 x ptr] [ptr @twice, ptr @thrice, ptr @negated]
@numbers = internal addrspace(1) global [4 x i32] [i32 5, i32 7, i32 11, i32 13]
@places = addrspace(4) constant { i32, ptr addrspace(1), [2 x ptr addrspace(1)] } { i32 9, ptr addrspace(1) getelementptr (i32, ptr addrspace(1) @numbers, i32 2), [2 x ptr addrspace(1)] [ptr addrspace(1) @numbers, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @numbers, i32 12)] }
define amdgpu_kernel void @tables(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %m = urem i32 %id, 3
  %f0 = getelementptr [3 x ptr], ptr addrspace(4) @table, i32 0, i32 %m
  %f = load ptr, ptr addrspace(4) %f0
  %h = and i32 %id, 1
  %p0 = getelementptr { i32, ptr addrspace(1), [2 x ptr addrspace(1)] }, ptr addrspace(4) @places, i32 0, i32 2, i32 %h
  %p = load ptr addrspace(1), ptr addrspace(4) %p0
  %v = load i32, ptr addrspace(1) %p
  %p1 = load ptr addrspace(1), ptr addrspace(4) getelementptr ({ i32, ptr addrspace(1), [2 x ptr addrspace(1)] }, ptr addrspace(4) @places, i32 0, i32 1)
  %w = load i32, ptr addrspace(1) %p1
  %r = call i32 %f(i32 %v, i32 %id)
  %s = add i32 %r, %w
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %s, ptr addrspace(1) %q
  ret void
}
