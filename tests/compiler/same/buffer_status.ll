; processors: gfx803 gfx900 gfx1010 gfx1030 gfx1030:64 gfx1100 gfx1100:64 gfx1201 gfx1201:64
; Loads that say whether memory was missing (AS-26, AS-27).
; for gfx[6789]*: RAW=163756 BYTES=331692 FLOATS=126 HALVES=124 UNORM=10 SINT=90
; for gfx10*: RAW=805400492 BYTES=268668844 FLOATS=77 HALVES=71 UNORM=56 SINT=61
; for gfx1*: RAW=805400492 BYTES=268611500 FLOATS=63 HALVES=57 UNORM=42 SINT=47
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare { i8, i32 } @llvm.amdgcn.struct.ptr.buffer.load.sl_i8i32s(ptr addrspace(8), i32, i32, i32, i32)
declare { i16, i32 } @llvm.amdgcn.struct.ptr.buffer.load.sl_i16i32s(ptr addrspace(8), i32, i32, i32, i32)
declare { half, i32 } @llvm.amdgcn.struct.ptr.buffer.load.sl_f16i32s(ptr addrspace(8), i32, i32, i32, i32)
declare { i32, i32 } @llvm.amdgcn.struct.ptr.buffer.load.sl_i32i32s(ptr addrspace(8), i32, i32, i32, i32)
declare { <2 x float>, i32 } @llvm.amdgcn.struct.ptr.buffer.load.sl_v2f32i32s(ptr addrspace(8), i32, i32, i32, i32)
declare { <3 x float>, i32 } @llvm.amdgcn.struct.ptr.buffer.load.sl_v3f32i32s(ptr addrspace(8), i32, i32, i32, i32)
declare { <4 x i32>, i32 } @llvm.amdgcn.struct.ptr.buffer.load.sl_v4i32i32s(ptr addrspace(8), i32, i32, i32, i32)
declare { <2 x float>, i32 } @llvm.amdgcn.struct.ptr.buffer.load.format.sl_v2f32i32s(ptr addrspace(8), i32, i32, i32, i32)
declare { <4 x float>, i32 } @llvm.amdgcn.struct.ptr.buffer.load.format.sl_v4f32i32s(ptr addrspace(8), i32, i32, i32, i32)

define amdgpu_kernel void @status(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 16, i64 50, i32 BYTES)
  %to = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 16, i64 4000, i32 BYTES)
  %ri = ptrtoint ptr addrspace(8) %r to i128
  %v = bitcast i128 %ri to <4 x i32>
  %n = shl i32 %id, 4
  %o = getelementptr [512 x i8], ptr addrspace(1) %out, i32 %id
  %l0 = call { i8, i32 } @llvm.amdgcn.struct.ptr.buffer.load.sl_i8i32s(ptr addrspace(8) %r, i32 %id, i32 0, i32 0, i32 0)
  %v0 = extractvalue { i8, i32 } %l0, 0
  %s0 = extractvalue { i8, i32 } %l0, 1
  %p0 = getelementptr i8, ptr addrspace(1) %o, i32 0
  store i8 %v0, ptr addrspace(1) %p0
  %q0 = getelementptr i8, ptr addrspace(1) %o, i32 256
  store i32 %s0, ptr addrspace(1) %q0
  %l1 = call { i16, i32 } @llvm.amdgcn.struct.ptr.buffer.load.sl_i16i32s(ptr addrspace(8) %r, i32 %id, i32 4, i32 0, i32 0)
  %v1 = extractvalue { i16, i32 } %l1, 0
  %s1 = extractvalue { i16, i32 } %l1, 1
  %p1 = getelementptr i8, ptr addrspace(1) %o, i32 16
  store i16 %v1, ptr addrspace(1) %p1
  %q1 = getelementptr i8, ptr addrspace(1) %o, i32 260
  store i32 %s1, ptr addrspace(1) %q1
  %l2 = call { half, i32 } @llvm.amdgcn.struct.ptr.buffer.load.sl_f16i32s(ptr addrspace(8) %r, i32 %id, i32 8, i32 0, i32 0)
  %v2 = extractvalue { half, i32 } %l2, 0
  %s2 = extractvalue { half, i32 } %l2, 1
  %p2 = getelementptr i8, ptr addrspace(1) %o, i32 32
  store half %v2, ptr addrspace(1) %p2
  %q2 = getelementptr i8, ptr addrspace(1) %o, i32 264
  store i32 %s2, ptr addrspace(1) %q2
  %l3 = call { i32, i32 } @llvm.amdgcn.struct.ptr.buffer.load.sl_i32i32s(ptr addrspace(8) %r, i32 %id, i32 0, i32 0, i32 0)
  %v3 = extractvalue { i32, i32 } %l3, 0
  %s3 = extractvalue { i32, i32 } %l3, 1
  %p3 = getelementptr i8, ptr addrspace(1) %o, i32 48
  store i32 %v3, ptr addrspace(1) %p3
  %q3 = getelementptr i8, ptr addrspace(1) %o, i32 268
  store i32 %s3, ptr addrspace(1) %q3
  %l4 = call { <2 x float>, i32 } @llvm.amdgcn.struct.ptr.buffer.load.sl_v2f32i32s(ptr addrspace(8) %r, i32 %id, i32 4, i32 0, i32 0)
  %v4 = extractvalue { <2 x float>, i32 } %l4, 0
  %s4 = extractvalue { <2 x float>, i32 } %l4, 1
  %p4 = getelementptr i8, ptr addrspace(1) %o, i32 64
  store <2 x float> %v4, ptr addrspace(1) %p4
  %q4 = getelementptr i8, ptr addrspace(1) %o, i32 272
  store i32 %s4, ptr addrspace(1) %q4
  %l5 = call { <3 x float>, i32 } @llvm.amdgcn.struct.ptr.buffer.load.sl_v3f32i32s(ptr addrspace(8) %r, i32 %id, i32 8, i32 0, i32 0)
  %v5 = extractvalue { <3 x float>, i32 } %l5, 0
  %s5 = extractvalue { <3 x float>, i32 } %l5, 1
  %p5 = getelementptr i8, ptr addrspace(1) %o, i32 80
  store <3 x float> %v5, ptr addrspace(1) %p5
  %q5 = getelementptr i8, ptr addrspace(1) %o, i32 276
  store i32 %s5, ptr addrspace(1) %q5
  %l6 = call { <4 x i32>, i32 } @llvm.amdgcn.struct.ptr.buffer.load.sl_v4i32i32s(ptr addrspace(8) %r, i32 %id, i32 0, i32 0, i32 0)
  %v6 = extractvalue { <4 x i32>, i32 } %l6, 0
  %s6 = extractvalue { <4 x i32>, i32 } %l6, 1
  %p6 = getelementptr i8, ptr addrspace(1) %o, i32 96
  store <4 x i32> %v6, ptr addrspace(1) %p6
  %q6 = getelementptr i8, ptr addrspace(1) %o, i32 280
  store i32 %s6, ptr addrspace(1) %q6
  %l7 = call { <2 x float>, i32 } @llvm.amdgcn.struct.ptr.buffer.load.format.sl_v2f32i32s(ptr addrspace(8) %r, i32 %id, i32 4, i32 0, i32 0)
  %v7 = extractvalue { <2 x float>, i32 } %l7, 0
  %s7 = extractvalue { <2 x float>, i32 } %l7, 1
  %p7 = getelementptr i8, ptr addrspace(1) %o, i32 112
  store <2 x float> %v7, ptr addrspace(1) %p7
  %q7 = getelementptr i8, ptr addrspace(1) %o, i32 284
  store i32 %s7, ptr addrspace(1) %q7
  %l8 = call { <4 x float>, i32 } @llvm.amdgcn.struct.ptr.buffer.load.format.sl_v4f32i32s(ptr addrspace(8) %r, i32 %id, i32 8, i32 0, i32 0)
  %v8 = extractvalue { <4 x float>, i32 } %l8, 0
  %s8 = extractvalue { <4 x float>, i32 } %l8, 1
  %p8 = getelementptr i8, ptr addrspace(1) %o, i32 128
  store <4 x float> %v8, ptr addrspace(1) %p8
  %q8 = getelementptr i8, ptr addrspace(1) %o, i32 288
  store i32 %s8, ptr addrspace(1) %q8
  ret void
}
