; SPDX-License-Identifier: MIT
; processors: gfx1250
; launch of memory4: -g 32 -b 32
; launch of memory6: -g 32 -b 32
; launch of lds: -g 32 -b 32
; launch of arrive: -g 32 -b 32
; Transposed loads of 4, 6, 8 and 16 bits from memory and LDS, and barriers that lie in LDS.
@data = internal addrspace(3) global [1024 x i32] poison, align 16
@bar = internal addrspace(3) global i64 poison, align 8
declare i32 @llvm.amdgcn.workitem.id.x()
declare <2 x i32> @llvm.amdgcn.global.load.tr4.b64.v2i32(ptr addrspace(1))
declare <3 x i32> @llvm.amdgcn.global.load.tr6.b96.v3i32(ptr addrspace(1))
declare <2 x i32> @llvm.amdgcn.ds.load.tr4.b64.v2i32(ptr addrspace(3))
declare <3 x i32> @llvm.amdgcn.ds.load.tr6.b96.v3i32(ptr addrspace(3))
declare <2 x i32> @llvm.amdgcn.ds.load.tr8.b64.v2i32(ptr addrspace(3))
declare <8 x i16> @llvm.amdgcn.ds.load.tr16.b128.v8i16(ptr addrspace(3))
declare i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3), i64)

define amdgpu_kernel void @memory4(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <2 x i32>, ptr addrspace(1) %in, i32 %id
  %v = call <2 x i32> @llvm.amdgcn.global.load.tr4.b64.v2i32(ptr addrspace(1) %p)
  %o = getelementptr [8 x i32], ptr addrspace(1) %out, i32 %id
  store <2 x i32> %v, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @memory6(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr [3 x i32], ptr addrspace(1) %in, i32 %id
  %v = call <3 x i32> @llvm.amdgcn.global.load.tr6.b96.v3i32(ptr addrspace(1) %p)
  %o = getelementptr [8 x i32], ptr addrspace(1) %out, i32 %id
  store <3 x i32> %v, ptr addrspace(1) %o, align 4
  ret void
}
define amdgpu_kernel void @lds(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr [16 x i32], ptr addrspace(1) %in, i32 %id
  %v = load <16 x i32>, ptr addrspace(1) %p
  %d = getelementptr [16 x i32], ptr addrspace(3) @data, i32 %id
  store <16 x i32> %v, ptr addrspace(3) %d
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %o = getelementptr [16 x i32], ptr addrspace(1) %out, i32 %id
  %p4 = getelementptr [2 x i32], ptr addrspace(3) @data, i32 %id
  %v4 = call <2 x i32> @llvm.amdgcn.ds.load.tr4.b64.v2i32(ptr addrspace(3) %p4)
  store <2 x i32> %v4, ptr addrspace(1) %o
  %p6 = getelementptr [3 x i32], ptr addrspace(3) @data, i32 %id
  %v6 = call <3 x i32> @llvm.amdgcn.ds.load.tr6.b96.v3i32(ptr addrspace(3) %p6)
  %o6 = getelementptr i32, ptr addrspace(1) %o, i32 2
  store <3 x i32> %v6, ptr addrspace(1) %o6, align 4
  %v8 = call <2 x i32> @llvm.amdgcn.ds.load.tr8.b64.v2i32(ptr addrspace(3) %p4)
  %o8 = getelementptr i32, ptr addrspace(1) %o, i32 5
  store <2 x i32> %v8, ptr addrspace(1) %o8, align 4
  %p16 = getelementptr [4 x i32], ptr addrspace(3) @data, i32 %id
  %v16 = call <8 x i16> @llvm.amdgcn.ds.load.tr16.b128.v8i16(ptr addrspace(3) %p16)
  %o16 = getelementptr i32, ptr addrspace(1) %o, i32 8
  store <8 x i16> %v16, ptr addrspace(1) %o16, align 4
  ret void
}
define amdgpu_kernel void @arrive(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  store i64 4294967298, ptr addrspace(3) @bar
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %first = icmp eq i32 %id, 0
  br i1 %first, label %one, label %end
one:
  %a = call i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3) @bar, i64 1)
  %b = call i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3) @bar, i64 1)
  %c = call i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3) @bar, i64 1)
  store i64 %a, ptr addrspace(1) %out
  %q = getelementptr i64, ptr addrspace(1) %out, i32 1
  store i64 %b, ptr addrspace(1) %q
  %q2 = getelementptr i64, ptr addrspace(1) %out, i32 2
  store i64 %c, ptr addrspace(1) %q2
  %l = load i64, ptr addrspace(3) @bar
  %q3 = getelementptr i64, ptr addrspace(1) %out, i32 3
  store i64 %l, ptr addrspace(1) %q3
  br label %end
end:
  ret void
}
