; processors: gfx701 gfx803 gfx90a gfx1030 gfx1100 gfx1201 gfx1250
; Vectors of addresses: one base or several, indices that are the same for all or not, of any width, fields of structs,
; casts between address spaces, comparisons, addresses in memory.
declare i32 @llvm.amdgcn.workitem.id.x()
%pair = type { i16, [3 x i64], <2 x i32> }
@lds = internal addrspace(3) global [64 x i32] poison

define amdgpu_kernel void @base_for_all(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %several = getelementptr i32, ptr addrspace(1) %at, <4 x i16> <i16 0, i16 64, i16 640, i16 2>
  %back = getelementptr inbounds i8, <4 x ptr addrspace(1)> %several, i32 4
  %a = extractelement <4 x ptr addrspace(1)> %back, i32 0
  %b = extractelement <4 x ptr addrspace(1)> %back, i32 1
  %c = extractelement <4 x ptr addrspace(1)> %several, i32 2
  %which = and i32 %id, 3
  %d = extractelement <4 x ptr addrspace(1)> %several, i32 %which
  %va = load i32, ptr addrspace(1) %a
  %vb = load i32, ptr addrspace(1) %b
  %vc = load i32, ptr addrspace(1) %c
  %vd = load i32, ptr addrspace(1) %d
  %v0 = insertelement <4 x i32> poison, i32 %va, i32 0
  %v1 = insertelement <4 x i32> %v0, i32 %vb, i32 1
  %v2 = insertelement <4 x i32> %v1, i32 %vc, i32 2
  %v3 = insertelement <4 x i32> %v2, i32 %vd, i32 3
  %to = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %id
  store <4 x i32> %v3, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @fields(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %two = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %in, i32 0
  %further = getelementptr i8, ptr addrspace(1) %in, i64 8192
  %bases = insertelement <2 x ptr addrspace(1)> %two, ptr addrspace(1) %further, i32 1
  %i0 = insertelement <2 x i32> poison, i32 %id, i32 0
  %mirror = xor i32 %id, 63
  %i1 = insertelement <2 x i32> %i0, i32 %mirror, i32 1
  %f = getelementptr %pair, <2 x ptr addrspace(1)> %bases, <2 x i32> %i1, <2 x i32> <i32 1, i32 1>, <2 x i32> <i32 2, i32 1>
  %f2 = getelementptr %pair, <2 x ptr addrspace(1)> %bases, i32 %id, i32 2, i64 1
  %a = extractelement <2 x ptr addrspace(1)> %f, i32 0
  %b = extractelement <2 x ptr addrspace(1)> %f, i32 1
  %c = extractelement <2 x ptr addrspace(1)> %f2, i32 1
  %va = load i32, ptr addrspace(1) %a
  %vb = load i32, ptr addrspace(1) %b
  %vc = load i32, ptr addrspace(1) %c
  %v0 = insertelement <4 x i32> zeroinitializer, i32 %va, i32 0
  %v1 = insertelement <4 x i32> %v0, i32 %vb, i32 1
  %v2 = insertelement <4 x i32> %v1, i32 %vc, i32 2
  %to = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %id
  store <4 x i32> %v2, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @in_lds(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %i0 = insertelement <2 x i32> poison, i32 %id, i32 0
  %other = mul i32 %id, 9
  %mod = and i32 %other, 63
  %i1 = insertelement <2 x i32> %i0, i32 %mod, i32 1
  %at = getelementptr i32, ptr addrspace(3) @lds, <2 x i32> %i1
  %flat = addrspacecast <2 x ptr addrspace(3)> %at to <2 x ptr>
  %same = addrspacecast <2 x ptr> %flat to <2 x ptr addrspace(3)>
  %a = extractelement <2 x ptr addrspace(3)> %at, i32 0
  %b = extractelement <2 x ptr> %flat, i32 0
  %c = extractelement <2 x ptr addrspace(3)> %same, i32 1
  %equal = icmp eq <2 x ptr addrspace(3)> %at, %same
  %e0 = extractelement <2 x i1> %equal, i32 1
  store i32 %other, ptr addrspace(3) %a
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %vb = load i32, ptr %b
  %vc = load i32, ptr addrspace(3) %c
  %ve = zext i1 %e0 to i32
  %v0 = insertelement <4 x i32> zeroinitializer, i32 %vb, i32 0
  %v1 = insertelement <4 x i32> %v0, i32 %vc, i32 1
  %v2 = insertelement <4 x i32> %v1, i32 %ve, i32 2
  %to = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %id
  store <4 x i32> %v2, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @in_memory(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr <2 x i64>, ptr addrspace(1) %in, i32 %id
  %two = load <2 x ptr addrspace(1)>, ptr addrspace(1) %at
  %wide = zext i32 %id to i64
  %further = getelementptr [3 x i16], <2 x ptr addrspace(1)> %two, i64 %wide
  %none = icmp ult <2 x ptr addrspace(1)> %further, splat (ptr addrspace(1) null)
  %chosen = select <2 x i1> %none, <2 x ptr addrspace(1)> %two, <2 x ptr addrspace(1)> %further
  %n = ptrtoint <2 x ptr addrspace(1)> %chosen to <2 x i64>
  %again = inttoptr <2 x i64> %n to <2 x ptr addrspace(1)>
  %to = getelementptr <2 x i64>, ptr addrspace(1) %out, i32 %id
  store <2 x ptr addrspace(1)> %again, ptr addrspace(1) %to
  ret void
}
declare void @llvm.amdgcn.s.barrier()
