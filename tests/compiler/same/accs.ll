; SPDX-License-Identifier: MIT
; processors: gfx908 gfx90a gfx942 gfx950
; Sums of matrices that are needed behind a call stand in accumulation registers, which functions keep.
; launch of k: -g 64 -b 64 --stack=4K
declare i32 @llvm.amdgcn.workitem.id.x()
declare <16 x float> @llvm.amdgcn.mfma.f32.16x16x1f32(float, float, <16 x float>, i32, i32, i32)
define void @other(ptr addrspace(1) %p) noinline {
  call void asm sideeffect "v_mov_b32 v0, 7\0As_nop 7\0Av_accvgpr_write_b32 a0, v0\0Av_accvgpr_write_b32 a5, v0\0Av_accvgpr_write_b32 a40, v0", "~{v0},~{a0},~{a5},~{a40}"()
  ret void
}
define void @work(ptr addrspace(1) %q) noinline {
  %a = load <16 x float>, ptr addrspace(1) %q
  %r = call <16 x float> @llvm.amdgcn.mfma.f32.16x16x1f32(float 1.0, float 2.0, <16 x float> %a, i32 0, i32 0, i32 0)
  call void @other(ptr addrspace(1) %q)
  %s = call <16 x float> @llvm.amdgcn.mfma.f32.16x16x1f32(float 3.0, float 2.0, <16 x float> %r, i32 0, i32 0, i32 0)
  store <16 x float> %s, ptr addrspace(1) %q
  ret void
}
define amdgpu_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <16 x float>, ptr addrspace(1) %in, i32 %id
  %q = getelementptr <16 x float>, ptr addrspace(1) %out, i32 %id
  %v = load <16 x i32>, ptr addrspace(1) %p
  %w = and <16 x i32> %v, splat (i32 1023)
  %f = uitofp <16 x i32> %w to <16 x float>
  store <16 x float> %f, ptr addrspace(1) %q
  call void @work(ptr addrspace(1) %q)
  ret void
}
