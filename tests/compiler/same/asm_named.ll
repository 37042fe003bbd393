; SPDX-License-Identifier: MIT
; processors: gfx803 gfx900 gfx90a gfx1030:32 gfx1030:64 gfx1100:32 gfx1100:64 gfx1201:32 gfx1201:64 gfx1250
; Inline assembly with VCC and M0 as operands, with numbers of 16 bits and pairs of them, and in functions that have to keep
; what it changes.
; launch of kept: -g 64 -b 64 --stack=4K
; launch of kept_all: -g 64 -b 64 --stack=4K
; launch of kept_again: -g 64 -b 64 --stack=4K

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)

define amdgpu_kernel void @m0(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %s = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)
  %m = call i32 asm sideeffect "s_add_i32 m0, $1, 7", "={m0},s"(i32 %s)
  %n = call i32 asm sideeffect "s_mul_i32 $0, m0, 3", "=s,{m0}"(i32 %m)
  %r = add i32 %n, %id
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @vcc(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %s = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)
  %w = call i64 asm sideeffect "s_mov_b32 vcc_lo, $1\0As_not_b32 vcc_hi, $1", "={vcc},s"(i32 %s)
  %c = icmp ugt i32 %v, 5
  %d = select i1 %c, i32 %id, i32 9
  %lo = call i32 asm sideeffect "s_lshl_b32 vcc_lo, $1, 1", "={vcc_lo},s"(i32 %s)
  %q = call i64 asm sideeffect "s_not_b64 $0, vcc", "=s,{vcc}"(i64 %w)
  %hi = call i32 asm sideeffect "s_mov_b32 $0, vcc_hi", "=s,{vcc_hi}"(i32 %lo)
  %x = trunc i64 %q to i32
  %y = lshr i64 %q, 32
  %z = trunc i64 %y to i32
  %r1 = add i32 %x, %d
  %r2 = mul i32 %z, 5
  %r3 = add i32 %r1, %r2
  %r = add i32 %r3, %hi
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @numbers(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call i32 asm "v_mov_b32 $0, $1", "=v,I"(<2 x i16> <i16 -4, i16 -4>)
  %b = call i32 asm "v_mov_b32 $0, $1", "=v,A"(i16 63)
  %c = call i32 asm "v_mov_b32 $0, $1", "=v,^DA"(i16 -16)
  %d = call i32 asm "v_mov_b32 $0, $1", "=v,B"(i32 -305419896)
  %e = call i32 asm "v_mov_b32 $0, $1", "=v,C"(i32 -1)
  %f = call i32 asm "v_mov_b32 $0, $1", "=v,J"(<2 x i16> <i16 1000, i16 1000>)
  %s1 = add i32 %a, %b
  %s2 = xor i32 %s1, %c
  %s3 = add i32 %s2, %d
  %s4 = xor i32 %s3, %e
  %s5 = add i32 %s4, %f
  %r = mul i32 %s5, %id
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @many(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  call void asm sideeffect "s_mov_b32 s20, 1", "~{v0},~{v1},~{v2},~{v3},~{v4},~{v5},~{v6},~{v7},~{v8},~{v9},~{v10},~{v11},~{v12},~{v13},~{v14},~{v15},~{v16},~{v17},~{v18},~{v19},~{v20},~{v21},~{v22},~{v23},~{v24},~{v25},~{v26},~{v27},~{v28},~{v29},~{v30},~{v31},~{v32},~{v33},~{v34},~{v35},~{v36},~{v37},~{v38},~{v39},~{v40},~{v41},~{v42},~{v43},~{v44},~{v45},~{v46},~{v47},~{v48},~{v49},~{v50},~{v51},~{v52},~{v53},~{v54},~{v55},~{v56},~{v57},~{v58},~{v59},~{s20},~{s21},~{s22},~{s23},~{s24},~{s25},~{s26},~{s27},~{s28},~{s29},~{s34},~{s35},~{s36},~{s37},~{s38},~{s39},~{s40},~{s41},~{s42},~{s43},~{s44},~{s45},~{s46},~{s47},~{s48},~{s49},~{s50},~{s51},~{s52},~{s53},~{s54},~{s55},~{s56},~{s57},~{s58},~{s59},~{s60},~{s61},~{s62},~{s63},~{s64},~{s65},~{s66},~{s67},~{s68},~{s69},~{s70},~{s71},~{s72},~{s73},~{s74},~{s75},~{s76},~{s77},~{s78},~{s79},~{s80},~{s81},~{s82},~{s83},~{s84},~{s85},~{s86},~{s87},~{s88},~{s89},~{flat_scratch},~{memory}"()
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %id, ptr addrspace(1) %o
  ret void
}
define i32 @changes(i32 %x) noinline {
  %y = call i32 asm sideeffect "s_mov_b32 s34, 5\0As_mov_b32 s48, 6\0Av_lshlrev_b32 $0, 1, $1", "=v,v,~{s34},~{s48},~{vcc}"(i32 %x)
  ret i32 %y
}
define i32 @changes_return(i32 %x) noinline {
  call void asm sideeffect "s_mov_b32 s30, 5\0As_mov_b32 s31, 6", "~{s30},~{s31}"()
  %y = mul i32 %x, 3
  ret i32 %y
}
define i32 @changes_all(i32 %x) noinline {
  call void asm sideeffect "s_mov_b32 s34, 34\0As_mov_b32 s35, 35\0As_mov_b32 s36, 36\0As_mov_b32 s37, 37\0As_mov_b32 s38, 38\0As_mov_b32 s39, 39\0As_mov_b32 s48, 48\0As_mov_b32 s49, 49\0As_mov_b32 s50, 50\0As_mov_b32 s51, 51\0As_mov_b32 s52, 52\0As_mov_b32 s53, 53\0As_mov_b32 s54, 54\0As_mov_b32 s55, 55\0As_mov_b32 s64, 64\0As_mov_b32 s65, 65\0As_mov_b32 s66, 66\0As_mov_b32 s67, 67\0As_mov_b32 s68, 68\0As_mov_b32 s69, 69\0As_mov_b32 s70, 70\0As_mov_b32 s71, 71\0As_mov_b32 s80, 80\0As_mov_b32 s81, 81\0As_mov_b32 s82, 82\0As_mov_b32 s83, 83\0As_mov_b32 s84, 84\0As_mov_b32 s85, 85\0As_mov_b32 s86, 86\0As_mov_b32 s87, 87\0As_mov_b32 s96, 96\0As_mov_b32 s97, 97\0As_mov_b32 s98, 98\0As_mov_b32 s99, 99", "~{s34},~{s35},~{s36},~{s37},~{s38},~{s39},~{s48},~{s49},~{s50},~{s51},~{s52},~{s53},~{s54},~{s55},~{s64},~{s65},~{s66},~{s67},~{s68},~{s69},~{s70},~{s71},~{s80},~{s81},~{s82},~{s83},~{s84},~{s85},~{s86},~{s87},~{s96},~{s97},~{s98},~{s99}"()
  %y = add i32 %x, 3
  ret i32 %y
}
define i32 @between(i32 %x) noinline {
  %a = call i32 @changes(i32 %x)
  call void asm sideeffect "s_mov_b32 s35, 1\0As_mov_b32 s36, 1", "~{s35},~{s36}"()
  %b = call i32 @changes_return(i32 %x)
  %c = sub i32 %b, %a
  %d = call i32 @changes_all(i32 %c)
  ret i32 %d
}
define amdgpu_kernel void @kept(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %s = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)
  %a = call i32 @changes(i32 %v)
  %b = call i32 @changes_return(i32 %a)
  %r = xor i32 %b, %s
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @kept_all(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  call void asm sideeffect "s_mov_b32 s34, 238\0As_mov_b32 s35, 245\0As_mov_b32 s36, 252\0As_mov_b32 s37, 259\0As_mov_b32 s38, 266\0As_mov_b32 s39, 273\0As_mov_b32 s48, 336\0As_mov_b32 s49, 343\0As_mov_b32 s50, 350\0As_mov_b32 s51, 357\0As_mov_b32 s52, 364\0As_mov_b32 s53, 371\0As_mov_b32 s54, 378\0As_mov_b32 s55, 385\0As_mov_b32 s64, 448\0As_mov_b32 s65, 455\0As_mov_b32 s66, 462\0As_mov_b32 s67, 469\0As_mov_b32 s68, 476\0As_mov_b32 s69, 483\0As_mov_b32 s70, 490\0As_mov_b32 s71, 497\0As_mov_b32 s80, 560\0As_mov_b32 s81, 567\0As_mov_b32 s82, 574\0As_mov_b32 s83, 581\0As_mov_b32 s84, 588\0As_mov_b32 s85, 595\0As_mov_b32 s86, 602\0As_mov_b32 s87, 609\0As_mov_b32 s96, 672\0As_mov_b32 s97, 679\0As_mov_b32 s98, 686\0As_mov_b32 s99, 693", "~{s34},~{s35},~{s36},~{s37},~{s38},~{s39},~{s48},~{s49},~{s50},~{s51},~{s52},~{s53},~{s54},~{s55},~{s64},~{s65},~{s66},~{s67},~{s68},~{s69},~{s70},~{s71},~{s80},~{s81},~{s82},~{s83},~{s84},~{s85},~{s86},~{s87},~{s96},~{s97},~{s98},~{s99}"()
  %a = call i32 @changes_all(i32 %v)
  %k = call i32 asm sideeffect "s_mov_b32 $0, $1\0As_add_i32 $0, $0, s34\0As_add_i32 $0, $0, s35\0As_add_i32 $0, $0, s36\0As_add_i32 $0, $0, s37\0As_add_i32 $0, $0, s38\0As_add_i32 $0, $0, s39\0As_add_i32 $0, $0, s48\0As_add_i32 $0, $0, s49\0As_add_i32 $0, $0, s50\0As_add_i32 $0, $0, s51\0As_add_i32 $0, $0, s52\0As_add_i32 $0, $0, s53\0As_add_i32 $0, $0, s54\0As_add_i32 $0, $0, s55\0As_add_i32 $0, $0, s64\0As_add_i32 $0, $0, s65\0As_add_i32 $0, $0, s66\0As_add_i32 $0, $0, s67\0As_add_i32 $0, $0, s68\0As_add_i32 $0, $0, s69\0As_add_i32 $0, $0, s70\0As_add_i32 $0, $0, s71\0As_add_i32 $0, $0, s80\0As_add_i32 $0, $0, s81\0As_add_i32 $0, $0, s82\0As_add_i32 $0, $0, s83\0As_add_i32 $0, $0, s84\0As_add_i32 $0, $0, s85\0As_add_i32 $0, $0, s86\0As_add_i32 $0, $0, s87\0As_add_i32 $0, $0, s96\0As_add_i32 $0, $0, s97\0As_add_i32 $0, $0, s98\0As_add_i32 $0, $0, s99", "=s,s"(i32 1)
  %r = add i32 %a, %k
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @kept_again(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %s = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)
  %a = call i32 @between(i32 %v)
  %r = add i32 %a, %s
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %o
  ret void
}
