; Pixel shaders that begin with some lanes of their quads: functions are called by live lanes, between what wants quads.
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
define amdgpu_gfx i32 @function(i32 %v, ptr addrspace(1) %p) noinline {
  call void asm sideeffect "s_mov_b32 s44, 0\0As_mov_b32 s45, 0\0As_mov_b32 s46, 0\0As_mov_b32 s47, 0", "~{s44},~{s45},~{s46},~{s47}"()
  %old = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic
  %r = mul i32 %v, 3
  ret i32 %r
}
define amdgpu_ps float @calls([10 x i32] inreg %s, ptr addrspace(1) inreg %p) {
entry:
  %l = call i32 @lane()
  %b = and i32 %l, 8
  %c = icmp eq i32 %b, 0
  br i1 %c, label %then, label %join
then:
  %n = call i32 @next(i32 %l)
  %q = getelementptr i32, ptr addrspace(1) %p, i32 2048
  %m = call amdgpu_gfx i32 @function(i32 %n, ptr addrspace(1) %q)
  br label %join
join:
  %r = phi i32 [ %l, %entry ], [ %m, %then ]
  call void @put(ptr addrspace(1) %p, i32 %l, i32 %r)
  %n2 = call i32 @next(i32 %l)
  %x = add i32 %n2, %r
  %f = bitcast i32 %x to float
  ret float %f
}
