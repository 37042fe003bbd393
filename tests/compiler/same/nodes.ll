; processors: gfx1100:32 gfx1100:64 gfx1201:32 gfx1201:64
; Stacks of nodes in LDS: the row changes where the stack is, and says which node is next.
target triple = "amdgcn-amd-amdhsa"
@stack = internal addrspace(3) global [4096 x i32] poison, align 16
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
declare { i32, i32 } @llvm.amdgcn.ds.bvh.stack.rtn(i32, i32, <4 x i32>, i32 immarg)
define amdgpu_kernel void @nodes(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  br label %clear
clear:
  %n = phi i32 [ 0, %0 ], [ %n1, %clear ]
  %s = shl i32 %n, 6
  %a = add i32 %s, %i
  %p = getelementptr i32, ptr addrspace(3) @stack, i32 %a
  store i32 %a, ptr addrspace(3) %p
  %n1 = add i32 %n, 1
  %done = icmp eq i32 %n1, 64
  br i1 %done, label %next, label %clear
next:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %k = shl i32 %i, 4
  %q = getelementptr i32, ptr addrspace(1) %in, i32 %k
  %v = load <4 x i32>, ptr addrspace(1) %q
  %half = and <4 x i32> %v, <i32 -1, i32 63, i32 -1, i32 31>
  %place = shl i32 %i, 2
  %r = call { i32, i32 } @llvm.amdgcn.ds.bvh.stack.rtn(i32 %place, i32 %i, <4 x i32> %half, i32 0)
  %node = extractvalue { i32, i32 } %r, 0
  %top = extractvalue { i32, i32 } %r, 1
  %r2 = call { i32, i32 } @llvm.amdgcn.ds.bvh.stack.rtn(i32 %top, i32 %node, <4 x i32> <i32 -1, i32 -1, i32 -1, i32 -1>, i32 0)
  %node2 = extractvalue { i32, i32 } %r2, 0
  %top2 = extractvalue { i32, i32 } %r2, 1
  %j = shl i32 %i, 2
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %j
  %w0 = insertelement <4 x i32> poison, i32 %node, i32 0
  %w1 = insertelement <4 x i32> %w0, i32 %top, i32 1
  %w2 = insertelement <4 x i32> %w1, i32 %node2, i32 2
  %w3 = insertelement <4 x i32> %w2, i32 %top2, i32 3
  store <4 x i32> %w3, ptr addrspace(1) %o
  ret void
}
