; Pixel shaders that begin with some lanes of their quads: quads behind branches and in loops, lanes that are killed there or
; stay for their quads alone, and memory that only live lanes write. The address of memory is in s[10:11].
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)
declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32, i32, i32, i1)
declare i32 @llvm.amdgcn.wqm.i32(i32)
declare i32 @llvm.amdgcn.softwqm.i32(i32)
declare i32 @llvm.amdgcn.strict.wwm.i32(i32)
declare i32 @llvm.amdgcn.set.inactive.i32(i32, i32)
declare i32 @llvm.amdgcn.ds.swizzle(i32, i32)
declare void @llvm.amdgcn.kill(i1)
declare void @llvm.amdgcn.wqm.demote(i1)
declare i1 @llvm.amdgcn.live.mask()
declare i1 @llvm.amdgcn.ps.live()
declare i64 @llvm.amdgcn.ballot.i64(i1)
; (llc-22 lets all lanes of quads execute plain stores, but not those to buffers.)
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32)
define internal void @put(ptr addrspace(1) %p, i32 %n, i32 %v) alwaysinline {
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %p, i16 0, i64 16384, i32 FLAGS)
  %o = shl i32 %n, 2
  %o1 = add i32 %o, 8192
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %v, ptr addrspace(8) %r, i32 %o1, i32 0, i32 0)
  ret void
}
define internal i32 @lane() alwaysinline {
  %a = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %l = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %a)
  ret i32 %l
}
; What the neighbour has.
define internal i32 @next(i32 %v) alwaysinline convergent {
  %n = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %v, i32 177, i32 15, i32 15, i1 true)
  %w = call i32 @llvm.amdgcn.wqm.i32(i32 %n)
  ret i32 %w
}
define amdgpu_ps float @branch([10 x i32] inreg %s, ptr addrspace(1) inreg %p) {
entry:
  %l = call i32 @lane()
  %v = mul i32 %l, 3
  %q = getelementptr i32, ptr addrspace(1) %p, i32 2048
  call void @put(ptr addrspace(1) %p, i32 %l, i32 %v)
  %b = and i32 %l, 8
  %c = icmp eq i32 %b, 0
  br i1 %c, label %then, label %else
then:
  %n = call i32 @next(i32 %v)
  %old = atomicrmw add ptr addrspace(1) %q, i32 %l monotonic
  br label %join
else:
  %m = mul i32 %l, %l
  br label %join
join:
  %r = phi i32 [ %n, %then ], [ %m, %else ]
  %l64 = add i32 %l, 64
  call void @put(ptr addrspace(1) %p, i32 %l64, i32 %r)
  %f = bitcast i32 %r to float
  ret float %f
}
define amdgpu_ps float @rounds([10 x i32] inreg %s, ptr addrspace(1) inreg %p) {
entry:
  %l = call i32 @lane()
  %quad = lshr i32 %l, 2
  %most = and i32 %quad, 3
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n1, %loop ]
  %sum = phi i32 [ %l, %entry ], [ %sum1, %loop ]
  %x = call i32 @next(i32 %sum)
  %y = mul i32 %sum, 5
  %sum1 = add i32 %x, %y
  %o = mul i32 %n, 64
  %o1 = add i32 %o, %l
  call void @put(ptr addrspace(1) %p, i32 %o1, i32 %sum1)
  %n1 = add i32 %n, 1
  %c = icmp ule i32 %n1, %most
  br i1 %c, label %loop, label %exit
exit:
  %f = bitcast i32 %sum1 to float
  ret float %f
}
define amdgpu_ps float @kill_branch([10 x i32] inreg %s, ptr addrspace(1) inreg %p) {
entry:
  %l = call i32 @lane()
  %c = icmp ugt i32 %l, 10
  br i1 %c, label %then, label %join
then:
  %b = and i32 %l, 3
  %d = icmp ne i32 %b, 0
  call void @llvm.amdgcn.kill(i1 %d)
  %m = mul i32 %l, %l
  br label %join
join:
  %r = phi i32 [ %l, %entry ], [ %m, %then ]
  call void @put(ptr addrspace(1) %p, i32 %l, i32 %r)
  %f = bitcast i32 %r to float
  ret float %f
}
define amdgpu_cs float @kill_all([10 x i32] inreg %s, ptr addrspace(1) inreg %p) {
entry:
  %l = call i32 @lane()
  %q = getelementptr i32, ptr addrspace(1) %p, i32 2048
  %q1 = getelementptr i32, ptr addrspace(1) %q, i32 %l
  %e = extractvalue [10 x i32] %s, 1
  store i32 %e, ptr addrspace(1) %q1
  %c = icmp ugt i32 %l, 10
  br i1 %c, label %then, label %else
then:
  call void @llvm.amdgcn.kill(i1 false)
  br label %join
else:
  %e9 = extractvalue [10 x i32] %s, 9
  %d = icmp eq i32 %l, %e9
  call void @llvm.amdgcn.kill(i1 %d)
  br label %join
join: ; nobody comes here: a wave without lanes would stay
  %all = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %some = icmp ugt i64 %all, 3
  br i1 %some, label %exit, label %join
exit:
  store i32 5, ptr addrspace(1) %q1
  ret float 1.0
}
define amdgpu_ps float @kill_rounds([10 x i32] inreg %s, ptr addrspace(1) inreg %p) {
entry:
  %l = call i32 @lane()
  %most = and i32 %l, 7
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n1, %on ]
  %sum = phi i32 [ %l, %entry ], [ %sum2, %on ]
  %sum1 = mul i32 %sum, 3
  %odd = and i32 %n, 1
  %o = icmp eq i32 %odd, 0
  br i1 %o, label %may, label %on
may:
  %d = icmp ne i32 %n, %most
  call void @llvm.amdgcn.kill(i1 %d)
  %m = add i32 %sum1, %n
  br label %on
on:
  %sum2 = phi i32 [ %sum1, %loop ], [ %m, %may ]
  %n1 = add i32 %n, 1
  %quarter = lshr i32 %l, 3
  %c = icmp ule i32 %n1, %quarter
  br i1 %c, label %loop, label %exit
exit:
  call void @put(ptr addrspace(1) %p, i32 %l, i32 %sum2)
  %f = bitcast i32 %sum2 to float
  ret float %f
}
define amdgpu_ps float @kill_quads([10 x i32] inreg %s, ptr addrspace(1) inreg %p) {
entry:
  %l = call i32 @lane()
  %b = and i32 %l, 16
  %c = icmp eq i32 %b, 0
  br i1 %c, label %then, label %join
then:
  %a = and i32 %l, 12
  %d = icmp ne i32 %a, 4
  call void @llvm.amdgcn.kill(i1 %d)
  %v = mul i32 %l, 7
  %n = call i32 @next(i32 %v)
  br label %join
join:
  %r = phi i32 [ %l, %entry ], [ %n, %then ]
  %n2 = call i32 @next(i32 %r)
  call void @put(ptr addrspace(1) %p, i32 %l, i32 %n2)
  %f = bitcast i32 %n2 to float
  ret float %f
}
define amdgpu_ps { float, float } @demote([10 x i32] inreg %s, ptr addrspace(1) inreg %p) {
entry:
  %l = call i32 @lane()
  %q = getelementptr i32, ptr addrspace(1) %p, i32 2048
  %b = and i32 %l, 8
  %c = icmp eq i32 %b, 0
  br i1 %c, label %then, label %join
then:
  %three = urem i32 %l, 3
  %d = icmp ne i32 %three, 0
  call void @llvm.amdgcn.wqm.demote(i1 %d)
  %v = mul i32 %l, 7
  %n = call i32 @next(i32 %v)
  br label %join
join:
  %r = phi i32 [ %l, %entry ], [ %n, %then ]
  %live = call i1 @llvm.amdgcn.live.mask()
  %k = select i1 %live, i32 %r, i32 99
  %n2 = call i32 @next(i32 %k)
  call void @put(ptr addrspace(1) %p, i32 %l, i32 %n2)
  %old = atomicrmw add ptr addrspace(1) %q, i32 %l monotonic
  %f = bitcast i32 %n2 to float
  %g = bitcast i32 %k to float
  %r0 = insertvalue { float, float } poison, float %f, 0
  %r1 = insertvalue { float, float } %r0, float %g, 1
  ret { float, float } %r1
}
define amdgpu_ps float @demote_alone([10 x i32] inreg %s, ptr addrspace(1) inreg %p) {
  %l = call i32 @lane()
  %three = urem i32 %l, 3
  %d = icmp ne i32 %three, 0
  call void @llvm.amdgcn.wqm.demote(i1 %d)
  %live = call i1 @llvm.amdgcn.live.mask()
  %k = select i1 %live, i32 %l, i32 99
  call void @put(ptr addrspace(1) %p, i32 %l, i32 %k)
  %f = bitcast i32 %k to float
  ret float %f
}
define amdgpu_ps float @live([10 x i32] inreg %s, ptr addrspace(1) inreg %p) {
  %l = call i32 @lane()
  %live = call i1 @llvm.amdgcn.ps.live()
  %k = select i1 %live, i32 %l, i32 99
  %n = call i32 @next(i32 %k)
  %soft = call i32 @llvm.amdgcn.softwqm.i32(i32 %n)
  %f = bitcast i32 %soft to float
  ret float %f
}
define amdgpu_ps float @both([10 x i32] inreg %s, ptr addrspace(1) inreg %p) {
entry:
  %l = call i32 @lane()
  %b = and i32 %l, 8
  %c = icmp eq i32 %b, 0
  br i1 %c, label %then, label %join
then:
  %n = call i32 @next(i32 %l)
  %a = call i32 @llvm.amdgcn.set.inactive.i32(i32 %n, i32 1000)
  %t = call i32 @llvm.amdgcn.ds.swizzle(i32 %a, i32 8223)
  %u = call i32 @llvm.amdgcn.strict.wwm.i32(i32 %t)
  br label %join
join:
  %r = phi i32 [ %l, %entry ], [ %u, %then ]
  %r1 = add i32 %r, 5
  %n2 = call i32 @next(i32 %r1)
  %f = bitcast i32 %n2 to float
  ret float %f
}
; An atomic operation that is a loop on most processors.
define amdgpu_ps float @loop([10 x i32] inreg %s, ptr addrspace(1) inreg %p) {
entry:
  %l = call i32 @lane()
  %b = and i32 %l, 8
  %c = icmp eq i32 %b, 0
  br i1 %c, label %then, label %join
then:
  %q = getelementptr i32, ptr addrspace(1) %p, i32 2048
  %old = atomicrmw nand ptr addrspace(1) %q, i32 255 monotonic
  br label %join
join:
  %r = phi i32 [ %l, %entry ], [ 3, %then ]
  %n2 = call i32 @next(i32 %r)
  %f = bitcast i32 %n2 to float
  ret float %f
}
