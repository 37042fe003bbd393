; processors: gfx908 gfx90a gfx942
; Matrix operations whose operands and results fill the registers of a large work-group: a result is added to where it stands.
declare <32 x float> @llvm.amdgcn.mfma.f32.32x32x1f32(float, float, <32 x float>, i32, i32, i32)
declare i32 @llvm.amdgcn.workitem.id.x()

define amdgpu_kernel void @text(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %v = load <32 x i32>, ptr addrspace(1) %in
  %r = call <32 x i32> asm "v_mfma_f32_32x32x1f32 $0, $1, $2, $3\0As_nop 15\0As_nop 15", "=a,v,a,a"(float 1.0, float 2.0, <32 x i32> %v)
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %o = getelementptr <32 x i32>, ptr addrspace(1) %out, i32 %id
  store <32 x i32> %r, ptr addrspace(1) %o
  ret void
}

define amdgpu_kernel void @named(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %a = call i32 asm sideeffect "v_accvgpr_write_b32 a0, 5", "={a0}"()
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <32 x float>, ptr addrspace(1) %in, i32 %id
  %v = load <32 x float>, ptr addrspace(1) %p
  %r = call <32 x float> @llvm.amdgcn.mfma.f32.32x32x1f32(float 1.0, float 2.0, <32 x float> %v, i32 0, i32 0, i32 0)
  %s = call <32 x float> @llvm.amdgcn.mfma.f32.32x32x1f32(float 3.0, float 2.0, <32 x float> %v, i32 0, i32 0, i32 0)
  %o = getelementptr [2 x <32 x float>], ptr addrspace(1) %out, i32 %id
  store <32 x float> %r, ptr addrspace(1) %o
  %o1 = getelementptr <32 x float>, ptr addrspace(1) %o, i32 1
  store <32 x float> %s, ptr addrspace(1) %o1
  ret void
}
