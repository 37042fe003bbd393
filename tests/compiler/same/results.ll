; processors: gfx803 gfx90a gfx942 gfx1030 gfx1100 gfx1201 gfx1250
; Results in memory that the caller gives (CALL-26), arguments in memory with a large alignment (CALL-25), other names of functions
; and variables, functions of all linkages; frames and values on the stack that are further away than offsets reach (CALL-41).
declare i32 @llvm.amdgcn.workitem.id.x()
@table = internal addrspace(1) global [4 x i32] [i32 3, i32 5, i32 7, i32 11]
@other = internal alias i32, getelementptr ([4 x i32], ptr addrspace(1) @table, i64 0, i64 2)
@shown = alias i32 (i32), ptr @linked
@pointer = internal addrspace(1) global ptr @shown

define <40 x i32> @large(<4 x i32> %v, i32 %a) noinline {
  %s = shufflevector <4 x i32> %v, <4 x i32> poison, <40 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 3, i32 2, i32 1, i32 0>
  %r = insertelement <40 x i32> %s, i32 %a, i32 33
  ret <40 x i32> %r
}
define { [20 x i64], i8, double } @mixed(i32 %a) noinline {
  %w = zext i32 %a to i64
  %b = trunc i32 %a to i8
  %d = uitofp i32 %a to double
  %v = insertvalue { [20 x i64], i8, double } zeroinitializer, i64 %w, 0, 17
  %x = insertvalue { [20 x i64], i8, double } %v, i8 %b, 1
  %y = insertvalue { [20 x i64], i8, double } %x, double %d, 2
  ret { [20 x i64], i8, double } %y
}
define i32 @passed(i32 %i, ptr addrspace(5) byval([8 x i32]) align 64 %p) noinline {
  %q = getelementptr i32, ptr addrspace(5) %p, i32 %i
  %v = load i32, ptr addrspace(5) %q
  ret i32 %v
}
define weak_odr i32 @linked(i32 %x) noinline {
  %r = mul i32 %x, 13
  ret i32 %r
}
define linkonce_odr i32 @once(i32 %x) noinline {
  %r = add i32 %x, 13
  ret i32 %r
}
define amdgpu_kernel void @in_memory(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr [4 x i32], ptr addrspace(1) %in, i32 %id
  %v = load <4 x i32>, ptr addrspace(1) %p
  %r = call <40 x i32> @large(<4 x i32> %v, i32 %id)
  %q = getelementptr [64 x i32], ptr addrspace(1) %out, i32 %id
  store <40 x i32> %r, ptr addrspace(1) %q, align 4
  ret void
}
define amdgpu_kernel void @mixed_in_memory(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %r = call { [20 x i64], i8, double } @mixed(i32 %v)
  %a = extractvalue { [20 x i64], i8, double } %r, 0, 17
  %b = extractvalue { [20 x i64], i8, double } %r, 1
  %d = extractvalue { [20 x i64], i8, double } %r, 2
  %z = extractvalue { [20 x i64], i8, double } %r, 0, 3
  %w = zext i8 %b to i64
  %s = add i64 %a, %w
  %t = add i64 %s, %z
  %q = getelementptr [2 x i64], ptr addrspace(1) %out, i32 %id
  store i64 %t, ptr addrspace(1) %q
  %q1 = getelementptr i64, ptr addrspace(1) %q, i32 1
  store double %d, ptr addrspace(1) %q1
  ret void
}
define amdgpu_kernel void @aligned(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %m = alloca [8 x i32], addrspace(5)
  %k = and i32 %id, 7
  %f = getelementptr i32, ptr addrspace(5) %m, i32 %k
  store [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8], ptr addrspace(5) %m
  store i32 %id, ptr addrspace(5) %f
  %j = lshr i32 %id, 3
  %r = call i32 @passed(i32 %j, ptr addrspace(5) byval([8 x i32]) align 64 %m)
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %q
  ret void
}
define amdgpu_kernel void @named(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call i32 @shown(i32 %id)
  %b = call i32 @once(i32 %a)
  %t = load i32, ptr addrspace(1) @other
  %f = load ptr, ptr addrspace(1) @pointer
  %c = call i32 %f(i32 %t)
  %d = add i32 %b, %c
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %d, ptr addrspace(1) %q
  ret void
}
define i32 @far(i32 %x, i32 %y) noinline {
  %p = alloca [3000 x i32], addrspace(5)
  %i = and i32 %x, 2047
  %q = getelementptr i32, ptr addrspace(5) %p, i32 %i
  store volatile i32 %y, ptr addrspace(5) %q
  %a = call i32 @once(i32 %x)
  %l = getelementptr i32, ptr addrspace(5) %p, i32 2999
  store volatile i32 %a, ptr addrspace(5) %l
  %b = call i32 @linked(i32 %a)
  %v = load volatile i32, ptr addrspace(5) %q
  %w = load volatile i32, ptr addrspace(5) %l
  %s = add i32 %v, %w
  %t = xor i32 %s, %b
  %u = add i32 %t, %y
  ret i32 %u
}
define amdgpu_kernel void @large_frame(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %r = call i32 @far(i32 %id, i32 %v)
  %k = call i32 @far(i32 %r, i32 %id)
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %k, ptr addrspace(1) %q
  ret void
}
define amdgpu_kernel void @large_spills(ptr addrspace(1) %out, ptr addrspace(1) %in) "amdgpu-num-vgpr"="24" {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %m = alloca [3000 x i32], addrspace(5)
  %mi = getelementptr i32, ptr addrspace(5) %m, i32 %id
  store volatile i32 %id, ptr addrspace(5) %mi
  %o0 = add i32 %id, 0
  %p0 = getelementptr i32, ptr addrspace(1) %in, i32 %o0
  %v0 = load volatile i32, ptr addrspace(1) %p0
  %o1 = add i32 %id, 64
  %p1 = getelementptr i32, ptr addrspace(1) %in, i32 %o1
  %v1 = load volatile i32, ptr addrspace(1) %p1
  %o2 = add i32 %id, 128
  %p2 = getelementptr i32, ptr addrspace(1) %in, i32 %o2
  %v2 = load volatile i32, ptr addrspace(1) %p2
  %o3 = add i32 %id, 192
  %p3 = getelementptr i32, ptr addrspace(1) %in, i32 %o3
  %v3 = load volatile i32, ptr addrspace(1) %p3
  %o4 = add i32 %id, 256
  %p4 = getelementptr i32, ptr addrspace(1) %in, i32 %o4
  %v4 = load volatile i32, ptr addrspace(1) %p4
  %o5 = add i32 %id, 320
  %p5 = getelementptr i32, ptr addrspace(1) %in, i32 %o5
  %v5 = load volatile i32, ptr addrspace(1) %p5
  %o6 = add i32 %id, 384
  %p6 = getelementptr i32, ptr addrspace(1) %in, i32 %o6
  %v6 = load volatile i32, ptr addrspace(1) %p6
  %o7 = add i32 %id, 448
  %p7 = getelementptr i32, ptr addrspace(1) %in, i32 %o7
  %v7 = load volatile i32, ptr addrspace(1) %p7
  %o8 = add i32 %id, 512
  %p8 = getelementptr i32, ptr addrspace(1) %in, i32 %o8
  %v8 = load volatile i32, ptr addrspace(1) %p8
  %o9 = add i32 %id, 576
  %p9 = getelementptr i32, ptr addrspace(1) %in, i32 %o9
  %v9 = load volatile i32, ptr addrspace(1) %p9
  %o10 = add i32 %id, 640
  %p10 = getelementptr i32, ptr addrspace(1) %in, i32 %o10
  %v10 = load volatile i32, ptr addrspace(1) %p10
  %o11 = add i32 %id, 704
  %p11 = getelementptr i32, ptr addrspace(1) %in, i32 %o11
  %v11 = load volatile i32, ptr addrspace(1) %p11
  %o12 = add i32 %id, 768
  %p12 = getelementptr i32, ptr addrspace(1) %in, i32 %o12
  %v12 = load volatile i32, ptr addrspace(1) %p12
  %o13 = add i32 %id, 832
  %p13 = getelementptr i32, ptr addrspace(1) %in, i32 %o13
  %v13 = load volatile i32, ptr addrspace(1) %p13
  %o14 = add i32 %id, 896
  %p14 = getelementptr i32, ptr addrspace(1) %in, i32 %o14
  %v14 = load volatile i32, ptr addrspace(1) %p14
  %o15 = add i32 %id, 960
  %p15 = getelementptr i32, ptr addrspace(1) %in, i32 %o15
  %v15 = load volatile i32, ptr addrspace(1) %p15
  %o16 = add i32 %id, 1024
  %p16 = getelementptr i32, ptr addrspace(1) %in, i32 %o16
  %v16 = load volatile i32, ptr addrspace(1) %p16
  %o17 = add i32 %id, 1088
  %p17 = getelementptr i32, ptr addrspace(1) %in, i32 %o17
  %v17 = load volatile i32, ptr addrspace(1) %p17
  %o18 = add i32 %id, 1152
  %p18 = getelementptr i32, ptr addrspace(1) %in, i32 %o18
  %v18 = load volatile i32, ptr addrspace(1) %p18
  %o19 = add i32 %id, 1216
  %p19 = getelementptr i32, ptr addrspace(1) %in, i32 %o19
  %v19 = load volatile i32, ptr addrspace(1) %p19
  %o20 = add i32 %id, 1280
  %p20 = getelementptr i32, ptr addrspace(1) %in, i32 %o20
  %v20 = load volatile i32, ptr addrspace(1) %p20
  %o21 = add i32 %id, 1344
  %p21 = getelementptr i32, ptr addrspace(1) %in, i32 %o21
  %v21 = load volatile i32, ptr addrspace(1) %p21
  %o22 = add i32 %id, 1408
  %p22 = getelementptr i32, ptr addrspace(1) %in, i32 %o22
  %v22 = load volatile i32, ptr addrspace(1) %p22
  %o23 = add i32 %id, 1472
  %p23 = getelementptr i32, ptr addrspace(1) %in, i32 %o23
  %v23 = load volatile i32, ptr addrspace(1) %p23
  %o24 = add i32 %id, 1536
  %p24 = getelementptr i32, ptr addrspace(1) %in, i32 %o24
  %v24 = load volatile i32, ptr addrspace(1) %p24
  %o25 = add i32 %id, 1600
  %p25 = getelementptr i32, ptr addrspace(1) %in, i32 %o25
  %v25 = load volatile i32, ptr addrspace(1) %p25
  %o26 = add i32 %id, 1664
  %p26 = getelementptr i32, ptr addrspace(1) %in, i32 %o26
  %v26 = load volatile i32, ptr addrspace(1) %p26
  %o27 = add i32 %id, 1728
  %p27 = getelementptr i32, ptr addrspace(1) %in, i32 %o27
  %v27 = load volatile i32, ptr addrspace(1) %p27
  %o28 = add i32 %id, 1792
  %p28 = getelementptr i32, ptr addrspace(1) %in, i32 %o28
  %v28 = load volatile i32, ptr addrspace(1) %p28
  %o29 = add i32 %id, 1856
  %p29 = getelementptr i32, ptr addrspace(1) %in, i32 %o29
  %v29 = load volatile i32, ptr addrspace(1) %p29
  %o30 = add i32 %id, 1920
  %p30 = getelementptr i32, ptr addrspace(1) %in, i32 %o30
  %v30 = load volatile i32, ptr addrspace(1) %p30
  %o31 = add i32 %id, 1984
  %p31 = getelementptr i32, ptr addrspace(1) %in, i32 %o31
  %v31 = load volatile i32, ptr addrspace(1) %p31
  %o32 = add i32 %id, 2048
  %p32 = getelementptr i32, ptr addrspace(1) %in, i32 %o32
  %v32 = load volatile i32, ptr addrspace(1) %p32
  %o33 = add i32 %id, 2112
  %p33 = getelementptr i32, ptr addrspace(1) %in, i32 %o33
  %v33 = load volatile i32, ptr addrspace(1) %p33
  %o34 = add i32 %id, 2176
  %p34 = getelementptr i32, ptr addrspace(1) %in, i32 %o34
  %v34 = load volatile i32, ptr addrspace(1) %p34
  %o35 = add i32 %id, 2240
  %p35 = getelementptr i32, ptr addrspace(1) %in, i32 %o35
  %v35 = load volatile i32, ptr addrspace(1) %p35
  %o36 = add i32 %id, 2304
  %p36 = getelementptr i32, ptr addrspace(1) %in, i32 %o36
  %v36 = load volatile i32, ptr addrspace(1) %p36
  %o37 = add i32 %id, 2368
  %p37 = getelementptr i32, ptr addrspace(1) %in, i32 %o37
  %v37 = load volatile i32, ptr addrspace(1) %p37
  %o38 = add i32 %id, 2432
  %p38 = getelementptr i32, ptr addrspace(1) %in, i32 %o38
  %v38 = load volatile i32, ptr addrspace(1) %p38
  %o39 = add i32 %id, 2496
  %p39 = getelementptr i32, ptr addrspace(1) %in, i32 %o39
  %v39 = load volatile i32, ptr addrspace(1) %p39
  %s0 = load volatile i32, ptr addrspace(5) %mi
  %m0 = mul i32 %s0, 3
  %s1 = add i32 %m0, %v39
  %m1 = mul i32 %s1, 3
  %s2 = add i32 %m1, %v38
  %m2 = mul i32 %s2, 3
  %s3 = add i32 %m2, %v37
  %m3 = mul i32 %s3, 3
  %s4 = add i32 %m3, %v36
  %m4 = mul i32 %s4, 3
  %s5 = add i32 %m4, %v35
  %m5 = mul i32 %s5, 3
  %s6 = add i32 %m5, %v34
  %m6 = mul i32 %s6, 3
  %s7 = add i32 %m6, %v33
  %m7 = mul i32 %s7, 3
  %s8 = add i32 %m7, %v32
  %m8 = mul i32 %s8, 3
  %s9 = add i32 %m8, %v31
  %m9 = mul i32 %s9, 3
  %s10 = add i32 %m9, %v30
  %m10 = mul i32 %s10, 3
  %s11 = add i32 %m10, %v29
  %m11 = mul i32 %s11, 3
  %s12 = add i32 %m11, %v28
  %m12 = mul i32 %s12, 3
  %s13 = add i32 %m12, %v27
  %m13 = mul i32 %s13, 3
  %s14 = add i32 %m13, %v26
  %m14 = mul i32 %s14, 3
  %s15 = add i32 %m14, %v25
  %m15 = mul i32 %s15, 3
  %s16 = add i32 %m15, %v24
  %m16 = mul i32 %s16, 3
  %s17 = add i32 %m16, %v23
  %m17 = mul i32 %s17, 3
  %s18 = add i32 %m17, %v22
  %m18 = mul i32 %s18, 3
  %s19 = add i32 %m18, %v21
  %m19 = mul i32 %s19, 3
  %s20 = add i32 %m19, %v20
  %m20 = mul i32 %s20, 3
  %s21 = add i32 %m20, %v19
  %m21 = mul i32 %s21, 3
  %s22 = add i32 %m21, %v18
  %m22 = mul i32 %s22, 3
  %s23 = add i32 %m22, %v17
  %m23 = mul i32 %s23, 3
  %s24 = add i32 %m23, %v16
  %m24 = mul i32 %s24, 3
  %s25 = add i32 %m24, %v15
  %m25 = mul i32 %s25, 3
  %s26 = add i32 %m25, %v14
  %m26 = mul i32 %s26, 3
  %s27 = add i32 %m26, %v13
  %m27 = mul i32 %s27, 3
  %s28 = add i32 %m27, %v12
  %m28 = mul i32 %s28, 3
  %s29 = add i32 %m28, %v11
  %m29 = mul i32 %s29, 3
  %s30 = add i32 %m29, %v10
  %m30 = mul i32 %s30, 3
  %s31 = add i32 %m30, %v9
  %m31 = mul i32 %s31, 3
  %s32 = add i32 %m31, %v8
  %m32 = mul i32 %s32, 3
  %s33 = add i32 %m32, %v7
  %m33 = mul i32 %s33, 3
  %s34 = add i32 %m33, %v6
  %m34 = mul i32 %s34, 3
  %s35 = add i32 %m34, %v5
  %m35 = mul i32 %s35, 3
  %s36 = add i32 %m35, %v4
  %m36 = mul i32 %s36, 3
  %s37 = add i32 %m36, %v3
  %m37 = mul i32 %s37, 3
  %s38 = add i32 %m37, %v2
  %m38 = mul i32 %s38, 3
  %s39 = add i32 %m38, %v1
  %m39 = mul i32 %s39, 3
  %s40 = add i32 %m39, %v0
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %s40, ptr addrspace(1) %q
  ret void
}
