// Code that test_tiers.c works on; see tests/piece.h.

// ---- work ----
    s_mov_b32 s4, s2
    s_mov_b32 s5, 0x9e3779b1
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_load_dword s8, s[0:1], 0x8
    v_lshl_add_u32 v1, s4, 6, v0
    v_lshlrev_b32 v2, 2, v1
    v_mov_b32 v3, 0x3f8ccccd
    v_cvt_f32_u32 v4, v1
    s_waitcnt lgkmcnt(0)
    s_mov_b32 s9, s8
l: v_fma_f32 v4, v4, v3, 0.5
    v_mul_lo_u32 v5, v1, s5
    v_add_co_u32 v5, vcc, v5, v2
    v_addc_co_u32 v6, vcc, 0, v5, vcc
    v_xor_b32 v1, v5, v6
    v_and_b32 v7, 3, v1
    v_cmp_ne_u32 vcc, 0, v7
    s_and_saveexec_b64 s[10:11], vcc
    v_add_f32 v4, 1.0, v4
    v_cvt_f64_f32 v[8:9], v4
    v_mul_f64 v[8:9], v[8:9], 0.5
    v_cvt_f32_f64 v4, v[8:9]
    s_mov_b64 exec, s[10:11]
    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1
    v_mul_f32 v10, v4, v3
    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0
    v_add_f32 v4, v4, v10
    v_min_f32 v4, 0x501502f9, v4
    s_add_u32 s9, s9, -1
    s_cmp_lg_u32 s9, 0
    s_cbranch_scc1 l
    v_xor_b32 v4, v4, v1
    global_store_dword v2, v4, s[2:3]
    s_endpgm

// ---- fault ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_lshlrev_b32 v2, 2, v0
    v_mov_b32 v4, 7
    v_cmp_eq_u32 vcc, 37, v0
    v_mov_b32 v5, 0x100000
    v_cndmask_b32 v2, v2, v5, vcc
    s_movk_i32 s9, 50
    s_waitcnt lgkmcnt(0)
l: s_add_u32 s9, s9, -1
    s_cmp_lg_u32 s9, 0
    s_cbranch_scc1 l
    global_store_dword v2, v4, s[2:3]
    s_endpgm

// ---- upper ----
// Arguments: a table of 64 dwords, out, exec, and one lane with what is added to the upper dword of its address. A lane
// loads dword 7 * lane mod 64 of the table and stores it to the same place of out, the one lane in another 4 GiB.
    s_load_dwordx8 s[4:11], s[0:1], 0x0
    v_mul_u32_u24 v1, 7, v0
    v_and_b32 v1, 63, v1
    v_lshlrev_b32 v1, 2, v1
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v3, s5
    v_add_co_u32 v2, vcc, s4, v1
    v_addc_co_u32 v3, vcc, 0, v3, vcc
    v_mov_b32 v5, s7
    v_add_co_u32 v4, vcc, s6, v1
    v_addc_co_u32 v5, vcc, 0, v5, vcc
    v_mov_b32 v6, 0
    v_mov_b32 v7, s11
    v_cmp_eq_u32 vcc, s10, v0
    v_cndmask_b32 v7, 0, v7, vcc
    s_cmp_eq_u32 s11, 1
    s_cselect_b32 s12, -1, 0
    v_and_b32 v8, s12, v7
    v_add_u32 v3, v3, v8
    v_sub_u32 v9, v7, v8
    v_ashrrev_i32 v9, 1, v9
    v_add_u32 v5, v5, v9
    s_mov_b64 exec, s[8:9]
    global_load_dword v6, v[2:3], off
    s_waitcnt vmcnt(0)
    global_store_dword v[4:5], v6, off
    s_endpgm

// ---- spin ----
    s_mov_b32 s4, s2
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_mov_b32 v1, 0
    v_mov_b32 v2, 1
    s_waitcnt lgkmcnt(0)
    s_cmp_eq_u32 s4, 0
    s_cbranch_scc0 set
l: global_load_dword v3, v1, s[2:3] glc
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s8, v3
    s_cmp_eq_u32 s8, 0
    s_cbranch_scc1 l
    s_endpgm
set: global_store_dword v1, v2, s[2:3]
    s_endpgm

// ---- forever ----
l: s_branch l
    s_endpgm

// ---- lds ----
    s_mov_b32 s4, s2
    s_load_dwordx4 s[8:11], s[0:1], 0x0
    s_mov_b32 m0, -1
    v_lshlrev_b32 v1, 2, v0
    v_mul_u32_u24 v2, 0x10001, v0
    ds_write_b32 v1, v2
    ds_write_b32 v1, v1 offset:256
    ds_write_b32 v1, v0 offset:512
    ds_write2_b32 v1, v2, v1 offset0:192 offset1:128
    v_lshl_add_u32 v2, s4, 6, v0
    v_lshlrev_b32 v3, 3, v2
    v_mul_u32_u24 v2, 48, v2
    s_waitcnt lgkmcnt(0)
    global_load_dwordx2 v[0:1], v3, s[8:9]
    v_mov_b32 v3, 0
    v_mov_b32 v4, 0
    v_mov_b32 v5, 0
    v_mov_b32 v6, 0
    v_mov_b32 v7, 0
    v_mov_b32 v8, 0
    v_mov_b32 v9, 0
    s_waitcnt vmcnt(0)
    v_cmp_ne_u32 vcc, 0, v1
    s_and_saveexec_b64 s[6:7], vcc
    ds_read_b32 v3, v0 offset:8
    ds_read2_b32 v[4:5], v0 offset0:1 offset1:17
    ds_read_u8 v6, v0
    ds_read_b64 v[7:8], v0 offset:16
    ds_write_b32 v0, v3 offset:12
    ds_write2_b32 v0, v4, v5 offset0:3 offset1:33
    ds_write_b16 v0, v6 offset:100
    ds_write_b64 v0, v[7:8] offset:200
    v_mov_b32 v9, v0
    ds_read2_b32 v[9:10], v9 offset0:2 offset1:3
    s_mov_b64 exec, s[6:7]
    global_store_dwordx4 v2, v[3:6], s[10:11]
    global_store_dwordx3 v2, v[7:9], s[10:11] offset:16
    v_mbcnt_lo_u32_b32 v0, -1, 0
    v_mbcnt_hi_u32_b32 v0, -1, v0
    v_lshlrev_b32 v0, 2, v0
    ds_read_b32 v3, v0
    ds_read_b32 v4, v0 offset:256
    ds_read_b32 v5, v0 offset:512
    ds_read_b32 v6, v0 offset:768
    global_store_dwordx4 v2, v[3:6], s[10:11] offset:32
    s_endpgm

// ---- overlap ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_mov_b32 v1, 0
    v_lshlrev_b32 v2, 2, v0
.set n, 0
.rept 24
    v_cmp_lt_u32 vcc, n * 2, v0
    s_and_saveexec_b64 s[4:5], vcc
    s_cbranch_execz 1f
    v_add_u32 v1, v1, v0
1:  s_or_b64 exec, exec, s[4:5]
.set n, n + 1
.endr
    s_waitcnt lgkmcnt(0)
    global_store_dword v2, v1, s[2:3]
    s_endpgm

// ---- lanes ----
    s_mov_b32 s4, s2
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_mul_u32_u24 v1, 0x10305, v0
.irp n, 3, 4, 5, 6, 7, 8, 9
    v_mov_b32 v\n, \n
.endr
    v_lshlrev_b32 v2, 8, v0
    s_waitcnt lgkmcnt(0)
    s_and_b32 s5, s4, 3
    s_mul_i32 s6, s4, 0x4000
    s_add_u32 s2, s2, s6
    s_addc_u32 s3, s3, 0
    s_mul_i32 s7, s4, 7
    s_mov_b64 s[8:9], exec
    s_cmp_eq_u32 s5, 0
    s_cselect_b32 s10, s7, 0x55555
    s_cselect_b64 s[12:13], exec, s[6:7]
    s_cmp_eq_u32 s5, 2
    s_cselect_b64 s[12:13], 0, s[12:13]
    s_mov_b64 exec, s[12:13]
    v_readfirstlane_b32 s14, v1
    v_readlane_b32 s15, v1, s7
    v_readlane_b32 s16, v1, 63
    v_mov_b32 v3, v0
    s_mov_b32 m0, s7
    v_writelane_b32 v3, s10, m0
    v_writelane_b32 v3, 17, 40
    ds_swizzle_b32 v4, v1 offset:0x401f
    ds_swizzle_b32 v5, v1 offset:0x80d8
    ds_swizzle_b32 v6, v1 offset:0xc041
    ds_swizzle_b32 v7, v1 offset:0xe003
    ds_bpermute_b32 v8, v1, v1 offset:12
    ds_permute_b32 v9, v1, v0
    v_readlane_b32 s17, v8, s7
    s_mov_b64 exec, s[8:9]
    s_nop 4
    v_mov_b32 v10, s14
    v_add_u32 v10, s15, v10
    v_add_u32 v10, s16, v10
    v_add_u32 v10, s17, v10
    s_waitcnt lgkmcnt(0)
    global_store_dword v2, v3, s[2:3]
    global_store_dword v2, v4, s[2:3] offset:4
    global_store_dword v2, v5, s[2:3] offset:8
    global_store_dword v2, v6, s[2:3] offset:12
    global_store_dword v2, v7, s[2:3] offset:16
    global_store_dword v2, v8, s[2:3] offset:20
    global_store_dword v2, v9, s[2:3] offset:24
    global_store_dword v2, v10, s[2:3] offset:28
    s_endpgm

// ---- modes ----
    s_mov_b32 s4, s2
    s_load_dwordx4 s[8:11], s[0:1], 0x0
    v_lshlrev_b32 v1, 5, v0
    v_lshlrev_b32 v2, 5, v0
    s_waitcnt lgkmcnt(0)
    s_lshl_b32 s5, s4, 11
    s_add_u32 s8, s8, s5
    s_addc_u32 s9, s9, 0
    global_load_dwordx4 v[4:7], v1, s[10:11]
    global_load_dwordx4 v[8:11], v1, s[10:11] offset:16
    s_movk_i32 s6, 4
    s_waitcnt vmcnt(0)
    s_setreg_b32 hwreg(HW_REG_MODE, 0, 8), s4
l: v_fma_f32 v4, v4, v5, v6
    v_mul_f32 v5, v5, v4
    v_add_f32 v6, 0x00000005, v6
    v_fma_f64 v[8:9], v[8:9], v[10:11], v[8:9]
    v_mul_f64 v[10:11], v[10:11], v[8:9]
    v_fma_f16 v7, v7, v4, v7
    v_cvt_f32_f64 v3, v[8:9]
    v_xor_b32 v6, v3, v6
    v_cvt_f64_f32 v[2:3], v4
    v_add_f64 v[10:11], v[10:11], v[2:3]
    s_xor_b32 s7, s4, s6
    s_and_b32 s7, s7, 0xff
    s_setreg_b32 hwreg(HW_REG_MODE, 0, 8), s7
    s_sub_u32 s6, s6, 1
    s_cmp_lg_u32 s6, 0
    s_cbranch_scc1 l
    global_store_dwordx4 v1, v[4:7], s[8:9]
    global_store_dwordx4 v1, v[8:11], s[8:9] offset:16
    s_endpgm

// ---- skips ----
// Arguments: out, a pattern; in every turn a bit of the sum of it and the group says whether the next one skips.
    s_mov_b32 s4, s2
    s_load_dwordx2 s[8:9], s[0:1], 0x0
    s_load_dword s10, s[0:1], 0x8
    v_lshl_add_u32 v1, s4, 6, v0
    v_lshlrev_b32 v2, 3, v1
    v_lshlrev_b32 v4, 2, v0
    v_mov_b32 v3, 0
    s_movk_i32 s6, 100
    s_waitcnt lgkmcnt(0)
    s_add_u32 s10, s10, s4
    s_branch l
l: s_nop 0 // has no op: the block's first one stands behind it
    v_add_u32 v3, v3, v1
    ds_write_b32 v4, v3
    s_and_b32 s7, s6, 31
    s_branch m
m: s_setvskip s10, s7
    s_sub_u32 s6, s6, 1
    s_cmp_lg_u32 s6, 0
    s_cbranch_scc1 l
    s_setvskip 0, 0
    s_waitcnt lgkmcnt(0)
    ds_read_b32 v5, v4
    s_waitcnt lgkmcnt(0)
    global_store_dword v2, v3, s[8:9]
    global_store_dword v2, v5, s[8:9] offset:4
    s_endpgm

// ---- whole ----
// Arguments: place, out, how often: lanes of a wave all load 16 and 8 bytes there, and those but the first one 16
// bytes; what differed between their dwords goes to out[work-item].
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_load_dword s8, s[0:1], 0x10
    v_mov_b32 v1, 0
    v_mov_b32 v2, 0
    v_cmp_ne_u32 vcc, 0, v0
    s_waitcnt lgkmcnt(0)
whole_next:
    global_load_dwordx4 v[4:7], v1, s[4:5] glc
    global_load_dwordx2 v[8:9], v1, s[4:5] offset:16 glc
    s_waitcnt vmcnt(0)
    v_xor_b32 v5, v4, v5
    v_xor_b32 v6, v4, v6
    v_xor_b32 v7, v4, v7
    v_xor_b32 v9, v8, v9
    v_or_b32 v2, v2, v5
    v_or_b32 v2, v2, v6
    v_or_b32 v2, v2, v7
    v_or_b32 v2, v2, v9
    s_mov_b64 s[10:11], exec
    s_and_b64 exec, exec, vcc
    global_load_dwordx4 v[4:7], v1, s[4:5] glc
    s_waitcnt vmcnt(0)
    v_xor_b32 v5, v4, v5
    v_xor_b32 v7, v4, v7
    v_or_b32 v2, v2, v5
    v_or_b32 v2, v2, v7
    s_mov_b64 exec, s[10:11]
    s_sub_u32 s8, s8, 1
    s_cmp_lg_u32 s8, 0
    s_cbranch_scc1 whole_next
    v_lshlrev_b32 v0, 2, v0
    global_store_dword v0, v2, s[6:7]
    s_endpgm
