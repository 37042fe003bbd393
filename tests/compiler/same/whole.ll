; processors: gfx803 gfx900 gfx908 gfx90a gfx942 gfx950 gfx1010:32 gfx1030:64 gfx1030:32 gfx1100:64 gfx1100:32 gfx1201:32 gfx1201:64 gfx1250
; Code of whole waves and of whole quads in branches and loops, beside values of lanes that wait (INT-46).
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.set.inactive.i32(i32, i32)
declare i64 @llvm.amdgcn.set.inactive.i64(i64, i64)
declare float @llvm.amdgcn.set.inactive.f32(float, float)
declare <2 x half> @llvm.amdgcn.set.inactive.v2f16(<2 x half>, <2 x half>)
declare i32 @llvm.amdgcn.strict.wwm.i32(i32)
declare i64 @llvm.amdgcn.strict.wwm.i64(i64)
declare float @llvm.amdgcn.strict.wwm.f32(float)
declare <2 x half> @llvm.amdgcn.strict.wwm.v2f16(<2 x half>)
declare i32 @llvm.amdgcn.wwm.i32(i32)
declare i32 @llvm.amdgcn.strict.wqm.i32(i32)
declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32, i32, i32, i1)
declare i32 @llvm.amdgcn.readlane.i32(i32, i32)
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i32 @llvm.amdgcn.ds.swizzle(i32, i32)
declare i64 @llvm.amdgcn.ballot.i64(i1)
declare i1 @llvm.amdgcn.wqm.vote(i1)

define internal i32 @at(ptr addrspace(1) %in, i32 %id, i32 %k) #1 {
  %n = mul i32 %k, 64
  %m = add i32 %n, %id
  %z = zext i32 %m to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %z
  %v = load volatile i32, ptr addrspace(1) %p
  ret i32 %v
}
; The sum of a row's lanes up to each, with 3 for those that are not there.
define internal i32 @sums(i32 %v) #1 {
  %a = call i32 @llvm.amdgcn.set.inactive.i32(i32 %v, i32 3)
  %a1 = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %a, i32 273, i32 15, i32 15, i1 false)
  %b = add i32 %a, %a1
  %b1 = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %b, i32 274, i32 15, i32 15, i1 false)
  %c = add i32 %b, %b1
  %c1 = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %c, i32 276, i32 15, i32 15, i1 false)
  %d = add i32 %c, %c1
  %d1 = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %d, i32 280, i32 15, i32 15, i1 false)
  %e = add i32 %d, %d1
  %last = call i32 @llvm.amdgcn.readlane.i32(i32 %e, i32 31)
  %f = xor i32 %e, %last
  %r = call i32 @llvm.amdgcn.strict.wwm.i32(i32 %f)
  ret i32 %r
}

define amdgpu_kernel void @branch(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %y0 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 0)
  %y1 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 1)
  %y2 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 2)
  %y3 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 3)
  %y4 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 4)
  %odd = and i32 %i, 5
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %then, label %else
then:
  %t0 = call i32 @sums(i32 %y0)
  %t1 = call i32 @sums(i32 %y1)
  %t = xor i32 %t0, %t1
  br label %join
else:
  %e0 = call i32 @sums(i32 %y2)
  %e1 = mul i32 %y3, %y4
  %e = xor i32 %e0, %e1
  br label %join
join:
  %r = phi i32 [ %t, %then ], [ %e, %else ]
  %s = add i32 %r, %y4
  %z = zext i32 %i to i64
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %z
  store i32 %s, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @rounds(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
entry:
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %most = and i32 %i, 7
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n1, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %loop ]
  %x = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 %n)
  %m = call i32 @sums(i32 %x)
  %sum1 = add i32 %sum, %m
  %n1 = add i32 %n, 1
  %u = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 %n1)
  %v = mul i32 %u, %u
  %c = icmp ule i32 %n1, %most
  br i1 %c, label %loop, label %exit
exit:
  %r = xor i32 %v, %sum1
  %z = zext i32 %i to i64
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %z
  store i32 %r, ptr addrspace(1) %o
  ret void
}
; What stands between set.inactive and strict.wwm is in other blocks.
define amdgpu_kernel void @far(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %more) #0 {
entry:
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %z = zext i32 %i to i64
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %z
  %x = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 0)
  %w = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 1)
  %low = icmp ult i32 %i, 23
  br i1 %low, label %whole, label %exit
whole:
  %a = call i32 @llvm.amdgcn.set.inactive.i32(i32 %x, i32 100)
  %uniform = icmp ugt i32 %more, 5
  br i1 %uniform, label %twice, label %on
twice:
  %b = mul i32 %a, 3
  br label %on
on:
  %y = phi i32 [ %a, %whole ], [ %b, %twice ]
  store volatile i32 %w, ptr addrspace(1) %o
  %y1 = call i32 @llvm.amdgcn.ds.swizzle(i32 %y, i32 31775)
  %y2 = add i32 %y, %y1
  %r = call i32 @llvm.amdgcn.strict.wwm.i32(i32 %y2)
  store i32 %r, ptr addrspace(1) %o
  br label %exit
exit:
  %s = phi i32 [ %w, %entry ], [ %r, %on ]
  %o1 = getelementptr i32, ptr addrspace(1) %o, i64 64
  store i32 %s, ptr addrspace(1) %o1
  ret void
}
; further arguments of far: i32:9
; A sum that all lanes have goes round a loop.
define amdgpu_kernel void @carried(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
entry:
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %z = zext i32 %i to i64
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %z
  %w = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 9)
  %some = icmp ugt i32 %i, 11
  br i1 %some, label %begin, label %exit
begin:
  %zero = call i32 @llvm.amdgcn.set.inactive.i32(i32 0, i32 0)
  br label %loop
loop:
  %n = phi i32 [ 0, %begin ], [ %n1, %loop ]
  %sum = phi i32 [ %zero, %begin ], [ %sum2, %loop ]
  %x = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 %n)
  %a = call i32 @llvm.amdgcn.set.inactive.i32(i32 %x, i32 1)
  %sum1 = add i32 %sum, %a
  %turned = call i32 @llvm.amdgcn.ds.swizzle(i32 %sum1, i32 1055)
  %sum2 = add i32 %sum1, %turned
  %n1 = add i32 %n, 1
  %c = icmp ult i32 %n1, 6
  br i1 %c, label %loop, label %done
done:
  %r = call i32 @llvm.amdgcn.strict.wwm.i32(i32 %sum2)
  store i32 %r, ptr addrspace(1) %o
  br label %exit
exit:
  %s = phi i32 [ %w, %entry ], [ %r, %done ]
  %o1 = getelementptr i32, ptr addrspace(1) %o, i64 64
  store i32 %s, ptr addrspace(1) %o1
  ret void
}
; Two values change places from round to round.
define amdgpu_kernel void @swapped(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
entry:
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %z = zext i32 %i to i64
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %z
  %w = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 9)
  %x = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 8)
  %some = icmp ugt i32 %i, 11
  br i1 %some, label %begin, label %exit
begin:
  %one = call i32 @llvm.amdgcn.set.inactive.i32(i32 %w, i32 1)
  %two = call i32 @llvm.amdgcn.set.inactive.i32(i32 %x, i32 2)
  br label %loop
loop:
  %n = phi i32 [ 0, %begin ], [ %n1, %loop ]
  %a = phi i32 [ %one, %begin ], [ %b, %loop ]
  %b = phi i32 [ %two, %begin ], [ %a2, %loop ]
  %a1 = mul i32 %a, 3
  %a2 = add i32 %a1, %b
  %n1 = add i32 %n, 1
  %c = icmp ult i32 %n1, 7
  br i1 %c, label %loop, label %done
done:
  %t = call i32 @llvm.amdgcn.ds.swizzle(i32 %a, i32 31775)
  %r = call i32 @llvm.amdgcn.strict.wwm.i32(i32 %t)
  br label %exit
exit:
  %s = phi i32 [ %w, %entry ], [ %r, %done ]
  store i32 %s, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @types(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %z = zext i32 %i to i64
  %o = getelementptr i64, ptr addrspace(1) %out, i64 %z
  %p = getelementptr i64, ptr addrspace(1) %in, i64 %z
  %v = load i64, ptr addrspace(1) %p
  %l = load <2 x half>, ptr addrspace(1) %p
  %c = icmp ult i32 %i, 40
  br i1 %c, label %then, label %exit
then:
  %a = call i64 @llvm.amdgcn.set.inactive.i64(i64 %v, i64 -7000000000)
  %a0 = trunc i64 %a to i32
  %h = lshr i64 %a, 32
  %a1 = trunc i64 %h to i32
  %b0 = call i32 @llvm.amdgcn.readlane.i32(i32 %a0, i32 41)
  %b1 = call i32 @llvm.amdgcn.readlane.i32(i32 %a1, i32 22)
  %c0 = zext i32 %b0 to i64
  %c1 = zext i32 %b1 to i64
  %s = add i64 %a, %c0
  %t = mul i64 %s, %c1
  %r = call i64 @llvm.amdgcn.strict.wwm.i64(i64 %t)
  store i64 %r, ptr addrspace(1) %o
  %d = call <2 x half> @llvm.amdgcn.set.inactive.v2f16(<2 x half> %l, <2 x half> <half 1.0, half 2.0>)
  %d1 = bitcast <2 x half> %d to i32
  %e1 = call i32 @llvm.amdgcn.ds.swizzle(i32 %d1, i32 1055)
  %e = bitcast i32 %e1 to <2 x half>
  %e2 = fadd <2 x half> %d, %e
  %f = call <2 x half> @llvm.amdgcn.strict.wwm.v2f16(<2 x half> %e2)
  %of = getelementptr i8, ptr addrspace(1) %o, i64 1024
  store <2 x half> %f, ptr addrspace(1) %of
  br label %exit
exit:
  ret void
}
; The value for lanes that are not there is not a constant, and is computed with all lanes as well.
define amdgpu_kernel void @others(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %z = zext i32 %i to i64
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %z
  %x = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 0)
  %c = icmp ult i32 %x, 20
  br i1 %c, label %then, label %exit
then:
  %i9 = mul i32 %i, 9
  %a = call i32 @llvm.amdgcn.set.inactive.i32(i32 %x, i32 %i9)
  %b = call i32 @llvm.amdgcn.ds.swizzle(i32 %a, i32 31775)
  %big = icmp ugt i32 %b, 77
  %s = select i1 %big, i32 %b, i32 %a
  %r = call i32 @llvm.amdgcn.wwm.i32(i32 %s)
  store i32 %r, ptr addrspace(1) %o
  br label %exit
exit:
  ret void
}
define amdgpu_kernel void @quads(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %z = zext i32 %i to i64
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %z
  %x = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 1)
  %five = urem i32 %i, 5
  %c = icmp eq i32 %five, 0
  br i1 %c, label %then, label %else
then:
  %n = xor i32 %i, 1
  %y = call i32 @at(ptr addrspace(1) %in, i32 %n, i32 2)
  %a = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %y, i32 177, i32 15, i32 15, i1 true)
  %b = mul i32 %a, 3
  %r = call i32 @llvm.amdgcn.strict.wqm.i32(i32 %b)
  br label %exit
else:
  %m = mul i32 %x, 5
  %k = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 3)
  %q = xor i32 %m, %k
  br label %exit
exit:
  %s = phi i32 [ %r, %then ], [ %q, %else ]
  store i32 %s, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @vote(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %z = zext i32 %i to i64
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %z
  %x = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 4)
  %five = urem i32 %i, 5
  %c = icmp ne i32 %five, 0
  br i1 %c, label %then, label %exit
then:
  %seven = urem i32 %i, 7
  %d = icmp eq i32 %seven, 0
  %v = call i1 @llvm.amdgcn.wqm.vote(i1 %d)
  %r = select i1 %v, i32 %x, i32 77
  store i32 %r, ptr addrspace(1) %o
  br label %exit
exit:
  ret void
}
; Functions leave lanes alone that do not execute them, whatever they compute with these.
define i32 @function(i32 %v, i32 %w) #3 {
  %a = call i32 @sums(i32 %v)
  %b = call i32 @sums(i32 %w)
  %c = mul i32 %a, %b
  ret i32 %c
}
define i32 @caller(i32 %v, i32 %w) #3 {
  %a = call i32 @llvm.amdgcn.set.inactive.i32(i32 %v, i32 5)
  %f = call i32 @function(i32 %v, i32 %w)
  %b = call i32 @llvm.amdgcn.ds.swizzle(i32 %a, i32 1055)
  %r = call i32 @llvm.amdgcn.strict.wwm.i32(i32 %b)
  %s = add i32 %r, %f
  ret i32 %s
}
define amdgpu_kernel void @called(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %z = zext i32 %i to i64
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %z
  %y0 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 0)
  %y1 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 1)
  %y2 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 2)
  %y3 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 3)
  %y4 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 4)
  %y5 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 5)
  %odd = and i32 %i, 5
  %c = icmp eq i32 %odd, 4
  br i1 %c, label %then, label %else
then:
  %t = call i32 @caller(i32 %y0, i32 %y1)
  br label %join
else:
  %e1 = mul i32 %y0, %y1
  %e2 = xor i32 %e1, %y2
  %e3 = mul i32 %e2, %y3
  %e4 = xor i32 %e3, %y4
  %e5 = mul i32 %e4, %y5
  br label %join
join:
  %s = phi i32 [ %t, %then ], [ %e5, %else ]
  %s1 = add i32 %s, %y3
  store i32 %s1, ptr addrspace(1) %o
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
attributes #1 = { alwaysinline convergent }
attributes #3 = { noinline convergent }
