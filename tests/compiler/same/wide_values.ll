; processors: gfx90a gfx942 gfx950
; Functions whose values need more neighbouring registers than lie between those that functions keep: those are used as
; well, and kept for the caller.
declare i32 @llvm.amdgcn.workitem.id.x()
declare <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half>, <4 x half>, <16 x float>, i32, i32, i32)

define <16 x float> @product(<8 x half> %a, <8 x half> %b, <16 x float> %c, <4 x i32> %more) #0 {
  %a0 = shufflevector <8 x half> %a, <8 x half> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %a1 = shufflevector <8 x half> %a, <8 x half> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %b0 = shufflevector <8 x half> %b, <8 x half> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %b1 = shufflevector <8 x half> %b, <8 x half> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %x = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half> %a0, <4 x half> %b0, <16 x float> %c, i32 0, i32 0, i32 0)
  %y = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half> %a1, <4 x half> %b1, <16 x float> %c, i32 0, i32 0, i32 0)
  %z = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half> %a1, <4 x half> %b0, <16 x float> zeroinitializer, i32 0, i32 0, i32 0)
  %s = shufflevector <16 x float> %x, <16 x float> %y, <16 x i32> <i32 0, i32 17, i32 2, i32 19, i32 4, i32 21, i32 6, i32 23, i32 8, i32 25, i32 10, i32 27, i32 12, i32 29, i32 14, i32 31>
  %t = shufflevector <16 x float> %s, <16 x float> %z, <16 x i32> <i32 0, i32 1, i32 18, i32 3, i32 4, i32 5, i32 22, i32 7, i32 8, i32 9, i32 26, i32 11, i32 12, i32 13, i32 30, i32 15>
  %m0 = extractelement <4 x i32> %more, i32 3
  %odd = trunc i32 %m0 to i1
  %r = select i1 %odd, <16 x float> %t, <16 x float> %x
  ret <16 x float> %r
}

define amdgpu_kernel void @through_registers(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %w = getelementptr <16 x i32>, ptr addrspace(1) %in, i32 %id
  %kept = load <16 x i32>, ptr addrspace(1) %w, align 4
  %kept.w = uitofp <16 x i32> %kept to <16 x float>
  %h = and <16 x i32> %kept, splat (i32 7)
  %f = uitofp <16 x i32> %h to <16 x half>
  %a = shufflevector <16 x half> %f, <16 x half> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %b = shufflevector <16 x half> %f, <16 x half> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %cs = uitofp <16 x i32> %h to <16 x float>
  %more = shufflevector <16 x i32> %kept, <16 x i32> poison, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %r = call <16 x float> @product(<8 x half> %a, <8 x half> %b, <16 x float> %cs, <4 x i32> %more)
  %r2 = call <16 x float> @product(<8 x half> %b, <8 x half> %a, <16 x float> %cs, <4 x i32> %more)
  %sum = fadd <16 x float> %r, %kept.w
  %sum2 = fadd <16 x float> %r2, %sum
  %o = getelementptr <16 x float>, ptr addrspace(1) %out, i32 %id
  store <16 x float> %sum2, ptr addrspace(1) %o, align 4
  ret void
}
attributes #0 = { noinline }
