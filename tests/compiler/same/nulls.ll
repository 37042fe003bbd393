; processors: gfx701 gfx803 gfx90a gfx1030 gfx1100 gfx1201 gfx1250
; LLVM's null is 0 in all address spaces; what a cast makes of the flat null is no address of LDS or the stack.
@addresses = addrspace(4) constant [4 x ptr addrspace(3)] [ptr addrspace(3) null, ptr addrspace(3) inttoptr (i32 12 to ptr addrspace(3)), ptr addrspace(3) null, ptr addrspace(3) zeroinitializer]
declare i32 @llvm.amdgcn.workitem.id.x()

define amdgpu_kernel void @null(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %n = load i32, ptr addrspace(1) %p
  %l = inttoptr i32 %n to ptr addrspace(3)
  %s = inttoptr i32 %n to ptr addrspace(5)
  %is_l = icmp eq ptr addrspace(3) %l, null
  %is_s = icmp ugt ptr addrspace(5) %s, null
  %lz = zext i1 %is_l to i32
  %sz = select i1 %is_s, ptr addrspace(5) %s, ptr addrspace(5) null
  %szn = ptrtoint ptr addrspace(5) %sz to i32
  %flat = inttoptr i64 0 to ptr
  %cast = addrspacecast ptr %flat to ptr addrspace(3)
  %castn = ptrtoint ptr addrspace(3) %cast to i32
  %back = addrspacecast ptr addrspace(5) inttoptr (i32 -1 to ptr addrspace(5)) to ptr
  %backn = ptrtoint ptr %back to i64
  %backl = trunc i64 %backn to i32
  %which = and i32 %id, 3
  %ap = getelementptr ptr addrspace(3), ptr addrspace(4) @addresses, i32 %which
  %a = load i32, ptr addrspace(4) %ap
  %mask = ptrtoint ptr addrspace(5) null to i32
  %v0 = insertelement <6 x i32> poison, i32 %lz, i32 0
  %v1 = insertelement <6 x i32> %v0, i32 %szn, i32 1
  %v2 = insertelement <6 x i32> %v1, i32 %castn, i32 2
  %v3 = insertelement <6 x i32> %v2, i32 %backl, i32 3
  %v4 = insertelement <6 x i32> %v3, i32 %a, i32 4
  %v5 = insertelement <6 x i32> %v4, i32 %mask, i32 5
  %to = getelementptr [6 x i32], ptr addrspace(1) %out, i32 %id
  store <6 x i32> %v5, ptr addrspace(1) %to, align 4
  ret void
}
