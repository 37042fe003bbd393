; Functions of the graphics convention (CC-14) that kernels and each other call.
declare i32 @llvm.amdgcn.workitem.id.x()
define amdgpu_gfx i32 @leaf(i32 %a, i32 inreg %b, i64 inreg %c, i64 %d) noinline {
  call void asm sideeffect "v_mov_b32 v45, 0", "~{v45},~{s40}"()
  %t = trunc i64 %c to i32
  %u = trunc i64 %d to i32
  %x = mul i32 %a, %b
  %y = add i32 %x, %t
  %z = xor i32 %y, %u
  ret i32 %z
}
define amdgpu_gfx { i32, i64, float } @middle(i32 %a, i32 inreg %b, [3 x i32] inreg %s, float %f, <32 x i32> %many) noinline {
  %e = extractvalue [3 x i32] %s, 2
  %m = extractelement <32 x i32> %many, i32 30
  %n = extractelement <32 x i32> %many, i32 3
  %k = sext i32 %n to i64
  %r = call amdgpu_gfx i32 @leaf(i32 %a, i32 inreg %e, i64 inreg 123456789012, i64 %k)
  %q = call amdgpu_gfx i32 @leaf(i32 %r, i32 inreg %b, i64 inreg 77, i64 %k)
  %v = add i32 %q, %m
  %w = add i32 %v, %b
  %g = fadd float %f, 1.0
  %v0 = insertvalue { i32, i64, float } poison, i32 %w, 0
  %v1 = insertvalue { i32, i64, float } %v0, i64 %k, 1
  %v2 = insertvalue { i32, i64, float } %v1, float %g, 2
  ret { i32, i64, float } %v2
}
define amdgpu_kernel void @calls(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <32 x i32>, ptr addrspace(1) %in, i32 %id
  %many = load <32 x i32>, ptr addrspace(1) %p
  %u = load i32, ptr addrspace(1) %in
  %u1 = add i32 %u, 17
  %s0 = insertvalue [3 x i32] zeroinitializer, i32 %u1, 2
  %r = call amdgpu_gfx { i32, i64, float } @middle(i32 %id, i32 inreg %u1, [3 x i32] inreg %s0, float 2.5, <32 x i32> %many)
  %r0 = extractvalue { i32, i64, float } %r, 0
  %r1 = extractvalue { i32, i64, float } %r, 1
  %r2 = extractvalue { i32, i64, float } %r, 2
  %q = getelementptr { i32, float, i64 }, ptr addrspace(1) %out, i32 %id
  store i32 %r0, ptr addrspace(1) %q
  %q1 = getelementptr i8, ptr addrspace(1) %q, i32 4
  store float %r2, ptr addrspace(1) %q1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i32 8
  store i64 %r1, ptr addrspace(1) %q2
  ret void
}
