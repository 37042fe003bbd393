; Functions that all lanes of a wave execute (INT-46), behind a branch; results and what others have are as they were.
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.ds.swizzle(i32, i32)
declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32, i32, i32, i1)
define amdgpu_gfx_whole_wave i32 @sum(i1 %active, i32 %v, i32 inreg %w) noinline {
  %x = select i1 %active, i32 %v, i32 100
  %y = call i32 @llvm.amdgcn.ds.swizzle(i32 %x, i32 1055)
  %z = add i32 %y, %x
  %a = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %z, i32 273, i32 15, i32 15, i1 false)
  %b = mul i32 %a, %w
  call void asm sideeffect "v_mov_b32 v41, 0\0Av_mov_b32 v60, 0", "~{v41},~{v60}"()
  ret i32 %b
}
define amdgpu_gfx i32 @plain(i32 %v) noinline {
  call void asm sideeffect "v_mov_b32 v1, 0\0Av_mov_b32 v2, 0\0Av_mov_b32 v3, 0\0Av_mov_b32 v4, 0\0Av_mov_b32 v5, 0\0Av_mov_b32 v30, 0", "~{v1},~{v2},~{v3},~{v4},~{v5},~{v30}"()
  %r = mul i32 %v, 9
  ret i32 %r
}
define amdgpu_gfx_whole_wave { i32, i32 } @other(i1 %active, i32 %v, i32 %k) noinline {
  %x = select i1 %active, i32 %v, i32 %k
  br i1 %active, label %some, label %end
some:
  %m = mul i32 %v, %v
  br label %end
end:
  %y = phi i32 [ %m, %some ], [ 9, %0 ]
  %t = call i32 @llvm.amdgcn.ds.swizzle(i32 %y, i32 31775)
  %s = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr @sum, i32 %t, i32 inreg 5)
  %u = call amdgpu_gfx i32 @plain(i32 %t)
  %r = insertvalue { i32, i32 } poison, i32 %s, 0
  %r1 = insertvalue { i32, i32 } %r, i32 %u, 1
  ret { i32, i32 } %r1
}
define amdgpu_gfx i32 @outer(i32 %v, i32 %keep) noinline {
  %r = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr @sum, i32 %v, i32 inreg 3)
  %p = call { i32, i32 } (ptr, ...) @llvm.amdgcn.call.whole.wave.sl_i32i32s.p0(ptr @other, i32 %r, i32 44)
  %a = extractvalue { i32, i32 } %p, 0
  %b = extractvalue { i32, i32 } %p, 1
  %c = xor i32 %a, %b
  %d = add i32 %c, %keep
  ret i32 %d
}
define amdgpu_kernel void @calls(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %p1 = getelementptr i32, ptr addrspace(1) %in, i32 64
  %p2 = getelementptr i32, ptr addrspace(1) %p1, i32 %i
  %w = load i32, ptr addrspace(1) %p2
  %p3 = getelementptr i32, ptr addrspace(1) %p2, i32 64
  %x = load i32, ptr addrspace(1) %p3
  %five = urem i32 %i, 5
  %c = icmp ne i32 %five, 2
  br i1 %c, label %then, label %else
then:
  %r = call amdgpu_gfx i32 @outer(i32 %v, i32 %w)
  br label %end
else:
  %m = mul i32 %w, %x
  br label %end
end:
  %s = phi i32 [ %r, %then ], [ %m, %else ]
  %t = xor i32 %s, %v
  store i32 %t, ptr addrspace(1) %q
  ret void
}
