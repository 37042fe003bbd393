; processors: gfx803 gfx900 gfx90a gfx942 gfx1030 gfx1100 gfx1100:64 gfx1201
; Inline assembly that names so many registers that values beside it have to be elsewhere: those are in them where nothing of the
; assembly is needed, and leave registers altogether where it names all.
; launch of late: -g 64 -b 64 --weak=1..5
declare i32 @llvm.amdgcn.workitem.id.x()

; Nearly all vector registers of a large work-group; what was loaded into them has to come before.
define amdgpu_kernel void @vectors(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <16 x i32>, ptr addrspace(1) %in, i32 %id
  %v = load <16 x i32>, ptr addrspace(1) %p
  %p1 = getelementptr <16 x i32>, ptr addrspace(1) %in, i32 80
  %w = load volatile <16 x i32>, ptr addrspace(1) %p1
  %unused = load volatile <16 x i32>, ptr addrspace(1) %p
  call void asm sideeffect "v_mov_b32 v0, 0x1000\0Av_mov_b32 v1, 0x1001\0Av_mov_b32 v2, 0x1002\0Av_mov_b32 v3, 0x1003\0Av_mov_b32 v4, 0x1004\0Av_mov_b32 v5, 0x1005\0Av_mov_b32 v6, 0x1006\0Av_mov_b32 v7, 0x1007\0Av_mov_b32 v8, 0x1008\0Av_mov_b32 v9, 0x1009\0Av_mov_b32 v10, 0x100a\0Av_mov_b32 v11, 0x100b\0Av_mov_b32 v12, 0x100c\0Av_mov_b32 v13, 0x100d\0Av_mov_b32 v14, 0x100e\0Av_mov_b32 v15, 0x100f\0Av_mov_b32 v16, 0x1010\0Av_mov_b32 v17, 0x1011\0Av_mov_b32 v18, 0x1012\0Av_mov_b32 v19, 0x1013\0Av_mov_b32 v20, 0x1014\0Av_mov_b32 v21, 0x1015\0Av_mov_b32 v22, 0x1016\0Av_mov_b32 v23, 0x1017\0Av_mov_b32 v24, 0x1018\0Av_mov_b32 v25, 0x1019\0Av_mov_b32 v26, 0x101a\0Av_mov_b32 v27, 0x101b\0Av_mov_b32 v28, 0x101c\0Av_mov_b32 v29, 0x101d\0Av_mov_b32 v30, 0x101e", "~{v0},~{v1},~{v2},~{v3},~{v4},~{v5},~{v6},~{v7},~{v8},~{v9},~{v10},~{v11},~{v12},~{v13},~{v14},~{v15},~{v16},~{v17},~{v18},~{v19},~{v20},~{v21},~{v22},~{v23},~{v24},~{v25},~{v26},~{v27},~{v28},~{v29},~{v30}"()
  call void asm sideeffect "v_mov_b32 v31, 0x101f\0Av_mov_b32 v32, 0x1020\0Av_mov_b32 v33, 0x1021\0Av_mov_b32 v34, 0x1022\0Av_mov_b32 v35, 0x1023\0Av_mov_b32 v36, 0x1024\0Av_mov_b32 v37, 0x1025\0Av_mov_b32 v38, 0x1026\0Av_mov_b32 v39, 0x1027\0Av_mov_b32 v40, 0x1028\0Av_mov_b32 v41, 0x1029\0Av_mov_b32 v42, 0x102a\0Av_mov_b32 v43, 0x102b\0Av_mov_b32 v44, 0x102c\0Av_mov_b32 v45, 0x102d\0Av_mov_b32 v46, 0x102e\0Av_mov_b32 v47, 0x102f\0Av_mov_b32 v48, 0x1030\0Av_mov_b32 v49, 0x1031\0Av_mov_b32 v50, 0x1032\0Av_mov_b32 v51, 0x1033\0Av_mov_b32 v52, 0x1034\0Av_mov_b32 v53, 0x1035\0Av_mov_b32 v54, 0x1036\0Av_mov_b32 v55, 0x1037\0Av_mov_b32 v56, 0x1038\0Av_mov_b32 v57, 0x1039\0Av_mov_b32 v58, 0x103a\0Av_mov_b32 v59, 0x103b\0Av_mov_b32 v60, 0x103c\0Av_mov_b32 v61, 0x103d", "~{v31},~{v32},~{v33},~{v34},~{v35},~{v36},~{v37},~{v38},~{v39},~{v40},~{v41},~{v42},~{v43},~{v44},~{v45},~{v46},~{v47},~{v48},~{v49},~{v50},~{v51},~{v52},~{v53},~{v54},~{v55},~{v56},~{v57},~{v58},~{v59},~{v60},~{v61}"()
  %s = xor <16 x i32> %v, %w
  %o = getelementptr <16 x i32>, ptr addrspace(1) %out, i32 %id
  store <16 x i32> %s, ptr addrspace(1) %o
  call void asm sideeffect "v_mov_b32 v0, 0x1000\0Av_mov_b32 v1, 0x1001\0Av_mov_b32 v2, 0x1002\0Av_mov_b32 v3, 0x1003\0Av_mov_b32 v4, 0x1004\0Av_mov_b32 v5, 0x1005\0Av_mov_b32 v6, 0x1006\0Av_mov_b32 v7, 0x1007\0Av_mov_b32 v8, 0x1008\0Av_mov_b32 v9, 0x1009\0Av_mov_b32 v10, 0x100a\0Av_mov_b32 v11, 0x100b\0Av_mov_b32 v12, 0x100c\0Av_mov_b32 v13, 0x100d\0Av_mov_b32 v14, 0x100e\0Av_mov_b32 v15, 0x100f\0Av_mov_b32 v16, 0x1010\0Av_mov_b32 v17, 0x1011\0Av_mov_b32 v18, 0x1012\0Av_mov_b32 v19, 0x1013\0Av_mov_b32 v20, 0x1014\0Av_mov_b32 v21, 0x1015\0Av_mov_b32 v22, 0x1016\0Av_mov_b32 v23, 0x1017\0Av_mov_b32 v24, 0x1018\0Av_mov_b32 v25, 0x1019\0Av_mov_b32 v26, 0x101a\0Av_mov_b32 v27, 0x101b\0Av_mov_b32 v28, 0x101c\0Av_mov_b32 v29, 0x101d\0Av_mov_b32 v30, 0x101e", "~{v0},~{v1},~{v2},~{v3},~{v4},~{v5},~{v6},~{v7},~{v8},~{v9},~{v10},~{v11},~{v12},~{v13},~{v14},~{v15},~{v16},~{v17},~{v18},~{v19},~{v20},~{v21},~{v22},~{v23},~{v24},~{v25},~{v26},~{v27},~{v28},~{v29},~{v30}"()
  call void asm sideeffect "v_mov_b32 v31, 0x101f\0Av_mov_b32 v32, 0x1020\0Av_mov_b32 v33, 0x1021\0Av_mov_b32 v34, 0x1022\0Av_mov_b32 v35, 0x1023\0Av_mov_b32 v36, 0x1024\0Av_mov_b32 v37, 0x1025\0Av_mov_b32 v38, 0x1026\0Av_mov_b32 v39, 0x1027\0Av_mov_b32 v40, 0x1028\0Av_mov_b32 v41, 0x1029\0Av_mov_b32 v42, 0x102a\0Av_mov_b32 v43, 0x102b\0Av_mov_b32 v44, 0x102c\0Av_mov_b32 v45, 0x102d\0Av_mov_b32 v46, 0x102e\0Av_mov_b32 v47, 0x102f\0Av_mov_b32 v48, 0x1030\0Av_mov_b32 v49, 0x1031\0Av_mov_b32 v50, 0x1032\0Av_mov_b32 v51, 0x1033\0Av_mov_b32 v52, 0x1034\0Av_mov_b32 v53, 0x1035\0Av_mov_b32 v54, 0x1036\0Av_mov_b32 v55, 0x1037\0Av_mov_b32 v56, 0x1038\0Av_mov_b32 v57, 0x1039\0Av_mov_b32 v58, 0x103a\0Av_mov_b32 v59, 0x103b\0Av_mov_b32 v60, 0x103c\0Av_mov_b32 v61, 0x103d", "~{v31},~{v32},~{v33},~{v34},~{v35},~{v36},~{v37},~{v38},~{v39},~{v40},~{v41},~{v42},~{v43},~{v44},~{v45},~{v46},~{v47},~{v48},~{v49},~{v50},~{v51},~{v52},~{v53},~{v54},~{v55},~{v56},~{v57},~{v58},~{v59},~{v60},~{v61}"()
  %q = getelementptr <16 x i32>, ptr addrspace(1) %o, i32 64
  store <16 x i32> %v, ptr addrspace(1) %q
  ret void
}

; Results and operands in named registers, more than there are beside them; some lanes alone come to the second ones.
define amdgpu_kernel void @defined(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %n = load i32, ptr addrspace(1) %p
  %a = call <16 x i32> asm sideeffect "v_mov_b32 v0, $1\0Av_mov_b32 v7, 7\0Av_mov_b32 v15, 15", "=&{v[0:15]},v"(i32 %n)
  %b = call <16 x i32> asm sideeffect "v_mov_b32 v16, $1\0Av_mov_b32 v23, 23\0Av_mov_b32 v31, 31", "=&{v[16:31]},v"(i32 %n)
  %c = call <16 x i32> asm sideeffect "v_mov_b32 v32, $1\0Av_mov_b32 v39, 39\0Av_mov_b32 v47, 47", "=&{v[32:47]},v"(i32 %n)
  %some = icmp ult i32 %id, 20
  br i1 %some, label %one, label %two
one:
  call void asm sideeffect "v_mov_b32 v20, 0\0Av_mov_b32 v40, 0\0Av_mov_b32 v5, 0", "~{v0},~{v1},~{v2},~{v3},~{v4},~{v5},~{v6},~{v7},~{v8},~{v9},~{v10},~{v11},~{v12},~{v13},~{v14},~{v15},~{v16},~{v17},~{v18},~{v19},~{v20},~{v21},~{v22},~{v23},~{v24},~{v25},~{v26},~{v27},~{v28},~{v29},~{v30},~{v31},~{v32},~{v33},~{v34},~{v35},~{v36},~{v37},~{v38},~{v39},~{v40},~{v41},~{v42},~{v43},~{v44},~{v45},~{v46},~{v47}"()
  br label %two
two:
  %x = call i32 asm sideeffect "v_xor_b32 $0, v32, v39\0Av_xor_b32 $0, $0, v47", "=&v,{v[32:47]}"(<16 x i32> %c)
  %y = call i32 asm sideeffect "v_xor_b32 $0, v16, v23\0Av_xor_b32 $0, $0, v31", "=&v,{v[16:31]}"(<16 x i32> %b)
  %z = call i32 asm sideeffect "v_xor_b32 $0, v0, v7\0Av_xor_b32 $0, $0, v15", "=&v,{v[0:15]}"(<16 x i32> %a)
  %o = getelementptr [4 x i32], ptr addrspace(1) %out, i32 %id
  store i32 %x, ptr addrspace(1) %o
  %o1 = getelementptr i32, ptr addrspace(1) %o, i32 1
  store i32 %y, ptr addrspace(1) %o1
  %o2 = getelementptr i32, ptr addrspace(1) %o, i32 2
  store i32 %z, ptr addrspace(1) %o2
  %o3 = getelementptr i32, ptr addrspace(1) %o, i32 3
  store i32 %n, ptr addrspace(1) %o3
  ret void
}

; All scalar registers, a few at a time, but those by which the stack is found.
define amdgpu_kernel void @scalars(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %n = load i32, ptr addrspace(1) %in
  %m = call i32 asm sideeffect "s_mov_b32 $0, 77", "=s"()
  call void asm sideeffect "s_mov_b32 s4, 0x1004\0As_mov_b32 s5, 0x1005\0As_mov_b32 s6, 0x1006\0As_mov_b32 s7, 0x1007\0As_mov_b32 s8, 0x1008\0As_mov_b32 s9, 0x1009\0As_mov_b32 s10, 0x100a\0As_mov_b32 s11, 0x100b", "~{s4},~{s5},~{s6},~{s7},~{s8},~{s9},~{s10},~{s11}"()
  call void asm sideeffect "s_mov_b32 s12, 0x100c\0As_mov_b32 s13, 0x100d\0As_mov_b32 s14, 0x100e\0As_mov_b32 s15, 0x100f\0As_mov_b32 s16, 0x1010\0As_mov_b32 s17, 0x1011\0As_mov_b32 s18, 0x1012\0As_mov_b32 s19, 0x1013", "~{s12},~{s13},~{s14},~{s15},~{s16},~{s17},~{s18},~{s19}"()
  call void asm sideeffect "s_mov_b32 s20, 0x1014\0As_mov_b32 s21, 0x1015\0As_mov_b32 s22, 0x1016\0As_mov_b32 s23, 0x1017\0As_mov_b32 s24, 0x1018\0As_mov_b32 s25, 0x1019\0As_mov_b32 s26, 0x101a\0As_mov_b32 s27, 0x101b", "~{s20},~{s21},~{s22},~{s23},~{s24},~{s25},~{s26},~{s27}"()
  call void asm sideeffect "s_mov_b32 s28, 0x101c\0As_mov_b32 s29, 0x101d", "~{s28},~{s29}"()
  call void asm sideeffect "s_mov_b32 s34, 0x1022\0As_mov_b32 s35, 0x1023\0As_mov_b32 s36, 0x1024\0As_mov_b32 s37, 0x1025\0As_mov_b32 s38, 0x1026\0As_mov_b32 s39, 0x1027\0As_mov_b32 s40, 0x1028\0As_mov_b32 s41, 0x1029\0As_mov_b32 s42, 0x102a\0As_mov_b32 s43, 0x102b\0As_mov_b32 s44, 0x102c\0As_mov_b32 s45, 0x102d\0As_mov_b32 s46, 0x102e\0As_mov_b32 s47, 0x102f", "~{s34},~{s35},~{s36},~{s37},~{s38},~{s39},~{s40},~{s41},~{s42},~{s43},~{s44},~{s45},~{s46},~{s47}"()
  call void asm sideeffect "s_mov_b32 s48, 0x1030\0As_mov_b32 s49, 0x1031\0As_mov_b32 s50, 0x1032\0As_mov_b32 s51, 0x1033\0As_mov_b32 s52, 0x1034\0As_mov_b32 s53, 0x1035\0As_mov_b32 s54, 0x1036\0As_mov_b32 s55, 0x1037\0As_mov_b32 s56, 0x1038\0As_mov_b32 s57, 0x1039\0As_mov_b32 s58, 0x103a\0As_mov_b32 s59, 0x103b\0As_mov_b32 s60, 0x103c\0As_mov_b32 s61, 0x103d", "~{s48},~{s49},~{s50},~{s51},~{s52},~{s53},~{s54},~{s55},~{s56},~{s57},~{s58},~{s59},~{s60},~{s61}"()
  call void asm sideeffect "s_mov_b32 s62, 0x103e\0As_mov_b32 s63, 0x103f\0As_mov_b32 s64, 0x1040\0As_mov_b32 s65, 0x1041\0As_mov_b32 s66, 0x1042\0As_mov_b32 s67, 0x1043\0As_mov_b32 s68, 0x1044\0As_mov_b32 s69, 0x1045\0As_mov_b32 s70, 0x1046\0As_mov_b32 s71, 0x1047\0As_mov_b32 s72, 0x1048\0As_mov_b32 s73, 0x1049\0As_mov_b32 s74, 0x104a\0As_mov_b32 s75, 0x104b", "~{s62},~{s63},~{s64},~{s65},~{s66},~{s67},~{s68},~{s69},~{s70},~{s71},~{s72},~{s73},~{s74},~{s75}"()
  call void asm sideeffect "s_mov_b32 s76, 0x104c\0As_mov_b32 s77, 0x104d\0As_mov_b32 s78, 0x104e\0As_mov_b32 s79, 0x104f\0As_mov_b32 s80, 0x1050\0As_mov_b32 s81, 0x1051\0As_mov_b32 s82, 0x1052\0As_mov_b32 s83, 0x1053\0As_mov_b32 s84, 0x1054\0As_mov_b32 s85, 0x1055\0As_mov_b32 s86, 0x1056\0As_mov_b32 s87, 0x1057\0As_mov_b32 s88, 0x1058\0As_mov_b32 s89, 0x1059", "~{s76},~{s77},~{s78},~{s79},~{s80},~{s81},~{s82},~{s83},~{s84},~{s85},~{s86},~{s87},~{s88},~{s89}"()
  %k = mul i32 %n, %m
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %s = add i32 %v, %k
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %s, ptr addrspace(1) %o
  ret void
}

; The lanes in which scalar values are kept are beyond what the kernel asks for.
define amdgpu_kernel void @few(ptr addrspace(1) %out, ptr addrspace(1) %in) "amdgpu-num-vgpr"="8" "amdgpu-num-sgpr"="32" {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %n = load i32, ptr addrspace(1) %in
  %m = call i32 asm sideeffect "s_mov_b32 $0, 78", "=s"()
  call void asm sideeffect "v_mov_b32 v0, 0x1000\0Av_mov_b32 v1, 0x1001\0Av_mov_b32 v2, 0x1002\0Av_mov_b32 v3, 0x1003\0Av_mov_b32 v4, 0x1004\0Av_mov_b32 v5, 0x1005\0Av_mov_b32 v6, 0x1006\0Av_mov_b32 v7, 0x1007", "~{v0},~{v1},~{v2},~{v3},~{v4},~{v5},~{v6},~{v7}"()
  call void asm sideeffect "s_mov_b32 s4, 0x1004\0As_mov_b32 s5, 0x1005\0As_mov_b32 s6, 0x1006\0As_mov_b32 s7, 0x1007\0As_mov_b32 s8, 0x1008\0As_mov_b32 s9, 0x1009\0As_mov_b32 s10, 0x100a\0As_mov_b32 s11, 0x100b\0As_mov_b32 s12, 0x100c\0As_mov_b32 s13, 0x100d\0As_mov_b32 s14, 0x100e\0As_mov_b32 s15, 0x100f\0As_mov_b32 s16, 0x1010\0As_mov_b32 s17, 0x1011\0As_mov_b32 s18, 0x1012\0As_mov_b32 s19, 0x1013\0As_mov_b32 s20, 0x1014\0As_mov_b32 s21, 0x1015\0As_mov_b32 s22, 0x1016\0As_mov_b32 s23, 0x1017\0As_mov_b32 s24, 0x1018\0As_mov_b32 s25, 0x1019\0As_mov_b32 s26, 0x101a\0As_mov_b32 s27, 0x101b\0As_mov_b32 s28, 0x101c\0As_mov_b32 s29, 0x101d", "~{s4},~{s5},~{s6},~{s7},~{s8},~{s9},~{s10},~{s11},~{s12},~{s13},~{s14},~{s15},~{s16},~{s17},~{s18},~{s19},~{s20},~{s21},~{s22},~{s23},~{s24},~{s25},~{s26},~{s27},~{s28},~{s29}"()
  call void asm sideeffect "v_mov_b32 v0, 0x1000\0Av_mov_b32 v1, 0x1001\0Av_mov_b32 v2, 0x1002\0Av_mov_b32 v3, 0x1003", "~{v0},~{v1},~{v2},~{v3}"()
  call void asm sideeffect "v_mov_b32 v4, 0x1004\0Av_mov_b32 v5, 0x1005\0Av_mov_b32 v6, 0x1006\0Av_mov_b32 v7, 0x1007", "~{v4},~{v5},~{v6},~{v7}"()
  call void asm sideeffect "s_mov_b32 s34, 0x1022\0As_mov_b32 s35, 0x1023\0As_mov_b32 s36, 0x1024\0As_mov_b32 s37, 0x1025\0As_mov_b32 s38, 0x1026\0As_mov_b32 s39, 0x1027\0As_mov_b32 s40, 0x1028\0As_mov_b32 s41, 0x1029\0As_mov_b32 s42, 0x102a\0As_mov_b32 s43, 0x102b\0As_mov_b32 s44, 0x102c\0As_mov_b32 s45, 0x102d\0As_mov_b32 s46, 0x102e\0As_mov_b32 s47, 0x102f\0As_mov_b32 s48, 0x1030\0As_mov_b32 s49, 0x1031\0As_mov_b32 s50, 0x1032\0As_mov_b32 s51, 0x1033\0As_mov_b32 s52, 0x1034\0As_mov_b32 s53, 0x1035\0As_mov_b32 s54, 0x1036\0As_mov_b32 s55, 0x1037\0As_mov_b32 s56, 0x1038\0As_mov_b32 s57, 0x1039\0As_mov_b32 s58, 0x103a\0As_mov_b32 s59, 0x103b\0As_mov_b32 s60, 0x103c\0As_mov_b32 s61, 0x103d\0As_mov_b32 s62, 0x103e\0As_mov_b32 s63, 0x103f\0As_mov_b32 s64, 0x1040\0As_mov_b32 s65, 0x1041\0As_mov_b32 s66, 0x1042\0As_mov_b32 s67, 0x1043\0As_mov_b32 s68, 0x1044\0As_mov_b32 s69, 0x1045\0As_mov_b32 s70, 0x1046\0As_mov_b32 s71, 0x1047\0As_mov_b32 s72, 0x1048\0As_mov_b32 s73, 0x1049\0As_mov_b32 s74, 0x104a\0As_mov_b32 s75, 0x104b\0As_mov_b32 s76, 0x104c\0As_mov_b32 s77, 0x104d\0As_mov_b32 s78, 0x104e\0As_mov_b32 s79, 0x104f\0As_mov_b32 s80, 0x1050\0As_mov_b32 s81, 0x1051\0As_mov_b32 s82, 0x1052\0As_mov_b32 s83, 0x1053\0As_mov_b32 s84, 0x1054\0As_mov_b32 s85, 0x1055\0As_mov_b32 s86, 0x1056\0As_mov_b32 s87, 0x1057\0As_mov_b32 s88, 0x1058\0As_mov_b32 s89, 0x1059", "~{s34},~{s35},~{s36},~{s37},~{s38},~{s39},~{s40},~{s41},~{s42},~{s43},~{s44},~{s45},~{s46},~{s47},~{s48},~{s49},~{s50},~{s51},~{s52},~{s53},~{s54},~{s55},~{s56},~{s57},~{s58},~{s59},~{s60},~{s61},~{s62},~{s63},~{s64},~{s65},~{s66},~{s67},~{s68},~{s69},~{s70},~{s71},~{s72},~{s73},~{s74},~{s75},~{s76},~{s77},~{s78},~{s79},~{s80},~{s81},~{s82},~{s83},~{s84},~{s85},~{s86},~{s87},~{s88},~{s89}"()
  %k = mul i32 %n, %m
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %k, ptr addrspace(1) %o
  ret void
}

; What is loaded is not needed on this way, and comes late.
define amdgpu_kernel void @late(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %n = load i32, ptr addrspace(1) %in
  %p = getelementptr <16 x i32>, ptr addrspace(1) %in, i32 %id
  %v = load <16 x i32>, ptr addrspace(1) %p
  %p1 = getelementptr <16 x i32>, ptr addrspace(1) %in, i32 80
  %w = load <16 x i32>, ptr addrspace(1) %p1
  %some = icmp eq i32 %n, 77
  %o = getelementptr <16 x i32>, ptr addrspace(1) %out, i32 %id
  br i1 %some, label %one, label %two
one:
  %s = xor <16 x i32> %v, %w
  store <16 x i32> %s, ptr addrspace(1) %o
  ret void
two:
  %x = call i32 asm sideeffect "v_mov_b32 v0, 0x2000\0Av_mov_b32 v1, 0x2001\0Av_mov_b32 v2, 0x2002\0Av_mov_b32 v3, 0x2003\0Av_mov_b32 v4, 0x2004\0Av_mov_b32 v5, 0x2005\0Av_mov_b32 v6, 0x2006\0Av_mov_b32 v7, 0x2007\0Av_mov_b32 v8, 0x2008\0Av_mov_b32 v9, 0x2009\0Av_mov_b32 v10, 0x200a\0Av_mov_b32 v11, 0x200b\0Av_mov_b32 v12, 0x200c\0Av_mov_b32 v13, 0x200d\0Av_mov_b32 v14, 0x200e\0Av_mov_b32 v15, 0x200f\0Av_mov_b32 v16, 0x2010\0Av_mov_b32 v17, 0x2011\0Av_mov_b32 v18, 0x2012\0Av_mov_b32 v19, 0x2013\0Av_mov_b32 v20, 0x2014\0Av_mov_b32 v21, 0x2015\0Av_mov_b32 v22, 0x2016\0Av_mov_b32 v23, 0x2017\0Av_mov_b32 v24, 0x2018\0Av_mov_b32 v25, 0x2019\0Av_mov_b32 v26, 0x201a\0Av_mov_b32 v27, 0x201b\0Av_mov_b32 v28, 0x201c\0Av_mov_b32 v29, 0x201d\0Av_mov_b32 v30, 0x201e\0Av_mov_b32 v31, 0x201f\0Av_mov_b32 v32, 0x2020\0Av_mov_b32 v33, 0x2021\0Av_mov_b32 v34, 0x2022\0Av_mov_b32 v35, 0x2023\0Av_mov_b32 v36, 0x2024\0Av_mov_b32 v37, 0x2025\0Av_mov_b32 v38, 0x2026\0Av_mov_b32 v39, 0x2027\0Av_mov_b32 v40, 0x2028\0Av_mov_b32 v41, 0x2029\0Av_mov_b32 v42, 0x202a\0Av_mov_b32 v43, 0x202b\0Av_mov_b32 v44, 0x202c\0Av_mov_b32 v45, 0x202d\0Av_mov_b32 v46, 0x202e\0Av_mov_b32 v47, 0x202f\0Av_mov_b32 v48, 0x2030\0Av_mov_b32 v49, 0x2031\0Av_mov_b32 v50, 0x2032\0Av_mov_b32 v51, 0x2033\0Av_mov_b32 v52, 0x2034\0Av_mov_b32 v53, 0x2035\0Av_mov_b32 v54, 0x2036\0Av_mov_b32 v55, 0x2037\0Av_mov_b32 v56, 0x2038\0Av_mov_b32 v57, 0x2039\0Av_mov_b32 v58, 0x203a\0Av_mov_b32 v59, 0x203b\0Av_mov_b32 v60, 0x203c\0Av_mov_b32 v61, 0x203d\0Av_mov_b32 v63, 0\0As_nop 15\0As_nop 15\0As_nop 15\0Av_xor_b32 v63, v63, v0\0Av_xor_b32 v63, v63, v1\0Av_xor_b32 v63, v63, v2\0Av_xor_b32 v63, v63, v3\0Av_xor_b32 v63, v63, v4\0Av_xor_b32 v63, v63, v5\0Av_xor_b32 v63, v63, v6\0Av_xor_b32 v63, v63, v7\0Av_xor_b32 v63, v63, v8\0Av_xor_b32 v63, v63, v9\0Av_xor_b32 v63, v63, v10\0Av_xor_b32 v63, v63, v11\0Av_xor_b32 v63, v63, v12\0Av_xor_b32 v63, v63, v13\0Av_xor_b32 v63, v63, v14\0Av_xor_b32 v63, v63, v15\0Av_xor_b32 v63, v63, v16\0Av_xor_b32 v63, v63, v17\0Av_xor_b32 v63, v63, v18\0Av_xor_b32 v63, v63, v19\0Av_xor_b32 v63, v63, v20\0Av_xor_b32 v63, v63, v21\0Av_xor_b32 v63, v63, v22\0Av_xor_b32 v63, v63, v23\0Av_xor_b32 v63, v63, v24\0Av_xor_b32 v63, v63, v25\0Av_xor_b32 v63, v63, v26\0Av_xor_b32 v63, v63, v27\0Av_xor_b32 v63, v63, v28\0Av_xor_b32 v63, v63, v29\0Av_xor_b32 v63, v63, v30\0Av_xor_b32 v63, v63, v31\0Av_xor_b32 v63, v63, v32\0Av_xor_b32 v63, v63, v33\0Av_xor_b32 v63, v63, v34\0Av_xor_b32 v63, v63, v35\0Av_xor_b32 v63, v63, v36\0Av_xor_b32 v63, v63, v37\0Av_xor_b32 v63, v63, v38\0Av_xor_b32 v63, v63, v39\0Av_xor_b32 v63, v63, v40\0Av_xor_b32 v63, v63, v41\0Av_xor_b32 v63, v63, v42\0Av_xor_b32 v63, v63, v43\0Av_xor_b32 v63, v63, v44\0Av_xor_b32 v63, v63, v45\0Av_xor_b32 v63, v63, v46\0Av_xor_b32 v63, v63, v47\0Av_xor_b32 v63, v63, v48\0Av_xor_b32 v63, v63, v49\0Av_xor_b32 v63, v63, v50\0Av_xor_b32 v63, v63, v51\0Av_xor_b32 v63, v63, v52\0Av_xor_b32 v63, v63, v53\0Av_xor_b32 v63, v63, v54\0Av_xor_b32 v63, v63, v55\0Av_xor_b32 v63, v63, v56\0Av_xor_b32 v63, v63, v57\0Av_xor_b32 v63, v63, v58\0Av_xor_b32 v63, v63, v59\0Av_xor_b32 v63, v63, v60\0Av_xor_b32 v63, v63, v61\0Av_mov_b32 $0, v63", "=v,~{v0},~{v1},~{v2},~{v3},~{v4},~{v5},~{v6},~{v7},~{v8},~{v9},~{v10},~{v11},~{v12},~{v13},~{v14},~{v15},~{v16},~{v17},~{v18},~{v19},~{v20},~{v21},~{v22},~{v23},~{v24},~{v25},~{v26},~{v27},~{v28},~{v29},~{v30},~{v31},~{v32},~{v33},~{v34},~{v35},~{v36},~{v37},~{v38},~{v39},~{v40},~{v41},~{v42},~{v43},~{v44},~{v45},~{v46},~{v47},~{v48},~{v49},~{v50},~{v51},~{v52},~{v53},~{v54},~{v55},~{v56},~{v57},~{v58},~{v59},~{v60},~{v61},~{v63}"()
  store i32 %x, ptr addrspace(1) %o
  ret void
}
