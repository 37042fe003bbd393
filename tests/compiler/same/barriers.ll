; SPDX-License-Identifier: MIT
; processors: gfx1250
; Variables that are barriers: of kernels, of functions, in arrays. Two waves hand numbers over by LDS.
; launch of handed: -g 64 -b 64
; launch of both: -g 64 -b 64 --stack=4K
; launch of indexed: -g 64 -b 64
@bar = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison
@row = internal addrspace(3) global [3 x target("amdgcn.named.barrier", 0)] poison
@inner = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison
@data = internal addrspace(3) global [64 x i32] poison
@more = internal addrspace(3) global [64 x i32] poison

declare i32 @llvm.amdgcn.workitem.id.x()

define amdgpu_kernel void @handed(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @bar, i32 2)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @bar)
  %d = getelementptr i32, ptr addrspace(3) @data, i32 %id
  store i32 %v, ptr addrspace(3) %d
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @bar, i32 2)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  fence syncscope("workgroup") acquire
  %other = xor i32 %id, 33
  %o = getelementptr i32, ptr addrspace(3) @data, i32 %other
  %w = load i32, ptr addrspace(3) %o
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %w, ptr addrspace(1) %q
  ret void
}

define void @exchange(ptr addrspace(3) %d, ptr addrspace(3) %o, ptr addrspace(1) %q, i32 %v) noinline {
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @inner, i32 2)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @inner)
  store i32 %v, ptr addrspace(3) %d
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @inner, i32 2)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  fence syncscope("workgroup") acquire
  %w = load i32, ptr addrspace(3) %o
  store i32 %w, ptr addrspace(1) %q
  ret void
}
define amdgpu_kernel void @both(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %d = getelementptr i32, ptr addrspace(3) @more, i32 %id
  %other = xor i32 %id, 35
  %o = getelementptr i32, ptr addrspace(3) @more, i32 %other
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  call void @exchange(ptr addrspace(3) %d, ptr addrspace(3) %o, ptr addrspace(1) %q, i32 %v)
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @bar, i32 2)
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @bar)
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @bar, i32 2)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  %s = call i32 @llvm.amdgcn.s.get.named.barrier.state(ptr addrspace(3) @inner)
  %t = call i32 @llvm.amdgcn.s.get.named.barrier.state(ptr addrspace(3) @bar)
  %st = shl i32 %t, 8
  %both = or i32 %st, %s
  %q2 = getelementptr i32, ptr addrspace(1) %q, i32 64
  store i32 %both, ptr addrspace(1) %q2
  ret void
}

define amdgpu_kernel void @indexed(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %v = load i32, ptr addrspace(1) %in
  %i = and i32 %v, 1
  %next = add i32 %i, 1
  %b = getelementptr target("amdgcn.named.barrier", 0), ptr addrspace(3) @row, i32 %next
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) %b, i32 2)
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) %b)
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) %b, i32 2)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  %s = call i32 @llvm.amdgcn.s.get.named.barrier.state(ptr addrspace(3) %b)
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %s, ptr addrspace(1) %q
  ret void
}
