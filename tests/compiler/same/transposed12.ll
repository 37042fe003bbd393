; processors: gfx1201 gfx1250
; Transposed loads from memory.
declare <8 x i16> @llvm.amdgcn.global.load.tr.b128.v8i16(ptr addrspace(1))
declare i32 @llvm.amdgcn.workitem.id.x()

define amdgpu_kernel void @memory(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %id
  %v = call <8 x i16> @llvm.amdgcn.global.load.tr.b128.v8i16(ptr addrspace(1) %p)
  %o = getelementptr [8 x i32], ptr addrspace(1) %out, i32 %id
  store <8 x i16> %v, ptr addrspace(1) %o
  ret void
}
