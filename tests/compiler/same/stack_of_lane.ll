; processors: gfx600 gfx803 gfx900 gfx90a gfx942 gfx1030:32 gfx1030:64 gfx1100:32 gfx1201:64 gfx1250
; What lies on the stack at an address that all lanes share is another matter in each lane: branches, scalar operands and
; indices that depend on it differ.
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
define amdgpu_kernel void @branches(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %a = alloca [17 x i32], addrspace(5)
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %many = load i32, ptr addrspace(1) %in
  %most = add i32 %many, 17
  br label %fill
fill:
  %k = phi i32 [ 0, %0 ], [ %k1, %fill ]
  %p = getelementptr i32, ptr addrspace(5) %a, i32 %k
  %h = lshr i32 %i, %k
  %b = and i32 %h, 1
  store volatile i32 %b, ptr addrspace(5) %p
  %k1 = add i32 %k, 1
  %d = icmp eq i32 %k1, %most
  br i1 %d, label %use, label %fill
use:
  %k2 = phi i32 [ 0, %fill ], [ %k3, %end ]
  %s = phi i32 [ 1, %fill ], [ %s3, %end ]
  %p2 = getelementptr i32, ptr addrspace(5) %a, i32 %k2
  %v = load i32, ptr addrspace(5) %p2
  %c = icmp eq i32 %v, 0
  br i1 %c, label %yes, label %no
yes:
  %g = getelementptr i32, ptr addrspace(1) %in, i32 %k2
  %m = load volatile i32, ptr addrspace(1) %g
  %s1 = add i32 %s, %m
  br label %end
no:
  %s2 = mul i32 %s, 3
  br label %end
end:
  %s3 = phi i32 [ %s1, %yes ], [ %s2, %no ]
  %k3 = add i32 %k2, 1
  %d2 = icmp eq i32 %k3, %most
  br i1 %d2, label %last, label %use
last:
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %s3, ptr addrspace(1) %q
  ret void
}
define amdgpu_kernel void @index(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %a = alloca i32, addrspace(5)
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  store volatile i32 %i, ptr addrspace(5) %a
  %v = load volatile i32, ptr addrspace(5) %a
  %g = getelementptr i32, ptr addrspace(1) %in, i32 %v
  %m = load i32, ptr addrspace(1) %g, !invariant.load !0
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %m, ptr addrspace(1) %q
  ret void
}
!0 = !{}

; Atomic accesses to more than instructions move at once.
define amdgpu_kernel void @atomic(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %a = alloca [8 x i64], addrspace(5)
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i64, ptr addrspace(1) %in, i32 %i
  %v = load i64, ptr addrspace(1) %p
  %k = and i32 %i, 7
  %q = getelementptr i64, ptr addrspace(5) %a, i32 %k
  store atomic i64 %v, ptr addrspace(5) %q syncscope("agent") seq_cst, align 8
  %other = sub i32 7, %k
  %r = getelementptr i64, ptr addrspace(5) %a, i32 %other
  store atomic double 3.5, ptr addrspace(5) %r release, align 8
  %w = load atomic i64, ptr addrspace(5) %q acquire, align 8
  %x = load atomic double, ptr addrspace(5) %r syncscope("workgroup") monotonic, align 8
  %y = bitcast double %x to i64
  %old = load i64, ptr addrspace(5) %q
  %z = load atomic i64, ptr addrspace(5) %q seq_cst, align 8
  %s1 = add i64 %w, %y
  %s2 = xor i64 %s1, %old
  %s3 = mul i64 %s2, %z
  %o = getelementptr i64, ptr addrspace(1) %out, i32 %i
  store i64 %s3, ptr addrspace(1) %o
  ret void
}
