; processors: gfx803 gfx900 gfx90a gfx1030 gfx1100:64 gfx1201 gfx1250
; Parts of vectors (llvm.vector), and accesses to some elements alone (llvm.masked); notes on memory that nobody changes.
declare i32 @llvm.amdgcn.workitem.id.x()
declare <7 x i16> @llvm.vector.insert.v7i16.v2i16(<7 x i16>, <2 x i16>, i64)
declare <8 x i32> @llvm.vector.insert.v8i32.v4i32(<8 x i32>, <4 x i32>, i64)
declare <4 x i32> @llvm.vector.extract.v4i32.v8i32(<8 x i32>, i64)
declare <2 x i16> @llvm.vector.extract.v2i16.v7i16(<7 x i16>, i64)
declare <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1), <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p1(<4 x i32>, ptr addrspace(1), <4 x i1>)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)>, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v4i32.v4p1(<4 x i32>, <4 x ptr addrspace(1)>, <4 x i1>)
declare <4 x i32> @llvm.masked.expandload.v4i32(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.compressstore.v4i32(<4 x i32>, ptr, <4 x i1>)

@lds = internal addrspace(3) global [16 x i32] poison

; Constants that have to be computed.
define amdgpu_kernel void @constants(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %o = getelementptr [4 x i32], ptr addrspace(1) %out, i32 %id
  store volatile i32 7, ptr addrspace(3) @lds
  store i32 extractelement (<1 x i32> bitcast (i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @lds, i32 20) to i32) to <1 x i32>), i32 0), ptr addrspace(1) %o
  %o1 = getelementptr i32, ptr addrspace(1) %o, i32 1
  store i32 trunc (i64 ptrtoaddr (ptr addrspacecast (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @lds, i32 12) to ptr) to i64) to i32), ptr addrspace(1) %o1
  %o2 = getelementptr i32, ptr addrspace(1) %o, i32 2
  store <2 x i32> insertelement (<2 x i32> bitcast (i64 ptrtoint (ptr addrspacecast (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @lds, i32 8) to ptr) to i64) to <2 x i32>), i32 5, i32 1), ptr addrspace(1) %o2
  ret void
}

define amdgpu_kernel void @parts(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <8 x i32>, ptr addrspace(1) %in, i32 %id
  %v = load <8 x i32>, ptr addrspace(1) %p
  %high = call <4 x i32> @llvm.vector.extract.v4i32.v8i32(<8 x i32> %v, i64 4)
  %low = call <4 x i32> @llvm.vector.extract.v4i32.v8i32(<8 x i32> %v, i64 0)
  %turned = call <8 x i32> @llvm.vector.insert.v8i32.v4i32(<8 x i32> poison, <4 x i32> %high, i64 0)
  %x = call <8 x i32> @llvm.vector.insert.v8i32.v4i32(<8 x i32> %turned, <4 x i32> %low, i64 4)
  %h = load <7 x i16>, ptr addrspace(1) %p
  %two = call <2 x i16> @llvm.vector.extract.v2i16.v7i16(<7 x i16> %h, i64 4)
  %h1 = call <7 x i16> @llvm.vector.insert.v7i16.v2i16(<7 x i16> %h, <2 x i16> %two, i64 0)
  %h2 = call <7 x i16> @llvm.vector.insert.v7i16.v2i16(<7 x i16> %h1, <2 x i16> <i16 5, i16 6>, i64 4)
  %o = getelementptr <16 x i32>, ptr addrspace(1) %out, i32 %id
  store <8 x i32> %x, ptr addrspace(1) %o
  %o1 = getelementptr <8 x i32>, ptr addrspace(1) %o, i32 1
  store <7 x i16> %h2, ptr addrspace(1) %o1
  ret void
}

declare ptr @llvm.invariant.start.p1(i64, ptr addrspace(1))
declare void @llvm.invariant.end.p1(ptr, i64, ptr addrspace(1))

define amdgpu_kernel void @masked(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %id
  %inv = call ptr @llvm.invariant.start.p1(i64 16, ptr addrspace(1) %p)
  %n0 = insertelement <4 x i32> poison, i32 %id, i32 0
  %n = shufflevector <4 x i32> %n0, <4 x i32> poison, <4 x i32> zeroinitializer
  %b = and <4 x i32> %n, <i32 1, i32 2, i32 4, i32 8>
  %m = icmp ne <4 x i32> %b, zeroinitializer
  %v = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) align 4 %p, <4 x i1> %m, <4 x i32> <i32 1, i32 2, i32 3, i32 4>)
  %ps = getelementptr i32, ptr addrspace(1) %in, <4 x i32> %b
  %w = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 4 %ps, <4 x i1> %m, <4 x i32> %v)
  %flat = addrspacecast ptr addrspace(1) %p to ptr
  %e = call <4 x i32> @llvm.masked.expandload.v4i32(ptr align 4 %flat, <4 x i1> %m, <4 x i32> %w)
  %o = getelementptr [4 x <4 x i32>], ptr addrspace(1) %out, i32 %id
  store <4 x i32> %v, ptr addrspace(1) %o
  %o1 = getelementptr <4 x i32>, ptr addrspace(1) %o, i32 1
  call void @llvm.masked.store.v4i32.p1(<4 x i32> %w, ptr addrspace(1) align 4 %o1, <4 x i1> %m)
  %o2 = getelementptr <4 x i32>, ptr addrspace(1) %o, i32 2
  %flat2 = addrspacecast ptr addrspace(1) %o2 to ptr
  call void @llvm.masked.compressstore.v4i32(<4 x i32> %e, ptr align 4 %flat2, <4 x i1> %m)
  %o3 = getelementptr i32, ptr addrspace(1) %o2, <4 x i32> <i32 4, i32 6, i32 5, i32 7>
  call void @llvm.masked.scatter.v4i32.v4p1(<4 x i32> %e, <4 x ptr addrspace(1)> align 4 %o3, <4 x i1> %m)
  call void @llvm.invariant.end.p1(ptr %inv, i64 16, ptr addrspace(1) %p)
  ret void
}
