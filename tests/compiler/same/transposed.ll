; processors: gfx950
; Transposed loads from LDS.
@lds = internal addrspace(3) global [2048 x i32] poison, align 16
declare <4 x i16> @llvm.amdgcn.ds.read.tr16.b64.v4i16(ptr addrspace(3))
declare <2 x i32> @llvm.amdgcn.ds.read.tr4.b64.v2i32(ptr addrspace(3))
declare <3 x i32> @llvm.amdgcn.ds.read.tr6.b96.v3i32(ptr addrspace(3))
declare i32 @llvm.amdgcn.workitem.id.x()

define amdgpu_kernel void @local(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %id
  %v = load <4 x i32>, ptr addrspace(1) %p
  %l = getelementptr <4 x i32>, ptr addrspace(3) @lds, i32 %id
  store <4 x i32> %v, ptr addrspace(3) %l
  %a = call <4 x i16> @llvm.amdgcn.ds.read.tr16.b64.v4i16(ptr addrspace(3) %l)
  %b = call <2 x i32> @llvm.amdgcn.ds.read.tr4.b64.v2i32(ptr addrspace(3) %l)
  %c = call <3 x i32> @llvm.amdgcn.ds.read.tr6.b96.v3i32(ptr addrspace(3) %l)
  %o = getelementptr [8 x i32], ptr addrspace(1) %out, i32 %id
  store <4 x i16> %a, ptr addrspace(1) %o
  %o1 = getelementptr i8, ptr addrspace(1) %o, i32 8
  store <2 x i32> %b, ptr addrspace(1) %o1
  %o2 = getelementptr i8, ptr addrspace(1) %o, i32 16
  store <3 x i32> %c, ptr addrspace(1) %o2, align 16
  ret void
}
