// Kernels whose waves run in a row (src/jit/series.h). s[0:1] are the arguments, s2 the group; v0 is the
// work-item.

// ---- line ----
// Arguments: y, x, size of a group: y[i] += 3 x[i].
 s_load_dwordx4 s[4:7], s[0:1], 0x0
 s_load_dword s8, s[0:1], 0x10
 s_waitcnt lgkmcnt(0)
 s_mul_i32 s8, s8, s2
 v_add_u32 v0, s8, v0
 v_lshlrev_b32 v0, 2, v0
 global_load_dword v1, v0, s[6:7]
 global_load_dword v2, v0, s[4:5]
 s_waitcnt vmcnt(0)
 v_mul_lo_u32 v1, v1, 3
 v_add_u32 v1, v1, v2
 global_store_dword v0, v1, s[4:5]
 s_endpgm

// ---- line32 ----
 s_load_b128 s[4:7], s[0:1], 0x0
 s_load_b32 s8, s[0:1], 0x10
 s_waitcnt lgkmcnt(0)
 s_mul_i32 s8, s8, s2
 v_add_nc_u32 v0, s8, v0
 v_lshlrev_b32 v0, 2, v0
 global_load_b32 v1, v0, s[6:7]
 global_load_b32 v2, v0, s[4:5]
 s_waitcnt vmcnt(0)
 v_mul_lo_u32 v1, v1, 3
 v_add_nc_u32 v1, v1, v2
 global_store_b32 v0, v1, s[4:5]
 s_endpgm

// ---- strides ----
// Arguments: y, x, size of a group, n, stride, start: for each i from the work-item on, by strides, below n:
// y[i] = 3 x[i] + h, where {h, l} counts up in bytes from {7, start + 4 work-item}.
 s_load_dwordx4 s[4:7], s[0:1], 0x0
 s_load_dwordx4 s[8:11], s[0:1], 0x10
 v_mov_b32 v3, 7
 s_waitcnt lgkmcnt(0)
 s_mul_i32 s12, s8, s2
 s_lshl_b32 s13, s10, 2
 v_add_u32 v1, s12, v0
 v_lshlrev_b32 v2, 2, v1
 v_add_u32 v2, s11, v2
 v_cmp_gt_u32 vcc, s9, v1
 s_and_saveexec_b64 s[14:15], vcc
 s_cbranch_execz strides_end
strides_next:
 v_lshlrev_b32 v4, 2, v1
 global_load_dword v5, v4, s[6:7]
 s_waitcnt vmcnt(0)
 v_mul_lo_u32 v5, v5, 3
 v_add_u32 v5, v5, v3
 global_store_dword v4, v5, s[4:5]
 v_add_u32 v1, s10, v1
 v_add_co_u32 v2, vcc, s13, v2
 v_addc_co_u32 v3, vcc, 0, v3, vcc
 v_cmp_gt_u32 vcc, s9, v1
 s_and_b64 exec, exec, vcc
 s_cbranch_execnz strides_next
strides_end:
 s_endpgm

// ---- strides32 ----
 s_load_b128 s[4:7], s[0:1], 0x0
 s_load_b128 s[8:11], s[0:1], 0x10
 v_mov_b32 v3, 7
 s_waitcnt lgkmcnt(0)
 s_mul_i32 s12, s8, s2
 s_lshl_b32 s13, s10, 2
 v_add_nc_u32 v1, s12, v0
 v_lshlrev_b32 v2, 2, v1
 v_add_nc_u32 v2, s11, v2
 v_cmp_gt_u32 vcc_lo, s9, v1
 s_and_saveexec_b32 s14, vcc_lo
 s_cbranch_execz strides32_end
strides32_next:
 v_lshlrev_b32 v4, 2, v1
 global_load_b32 v5, v4, s[6:7]
 s_waitcnt vmcnt(0)
 v_mul_lo_u32 v5, v5, 3
 v_add_nc_u32 v5, v5, v3
 global_store_b32 v4, v5, s[4:5]
 v_add_nc_u32 v1, s10, v1
 v_add_co_u32 v2, vcc_lo, s13, v2
 v_add_co_ci_u32 v3, vcc_lo, 0, v3, vcc_lo
 v_cmp_gt_u32 vcc_lo, s9, v1
 s_and_b32 exec_lo, exec_lo, vcc_lo
 s_cbranch_execnz strides32_next
strides32_end:
 s_endpgm

// ---- long ----
// As strides, with a long loop that stores nothing: behind it y[work-item] is 160 times the sum of these x[i],
// and y[work-item + stride] is h, in all lanes.
 s_load_dwordx4 s[4:7], s[0:1], 0x0
 s_load_dwordx4 s[8:11], s[0:1], 0x10
 v_mov_b32 v3, 7
 v_mov_b32 v6, 0
 s_waitcnt lgkmcnt(0)
 s_mul_i32 s12, s8, s2
 s_lshl_b32 s13, s10, 2
 v_add_u32 v1, s12, v0
 v_lshlrev_b32 v2, 2, v1
 v_mov_b32 v7, v2
 v_add_u32 v2, s11, v2
 v_cmp_gt_u32 vcc, s9, v1
 s_and_saveexec_b64 s[14:15], vcc
 s_cbranch_execz long_end
long_next:
 v_lshlrev_b32 v4, 2, v1
 global_load_dword v5, v4, s[6:7]
 s_waitcnt vmcnt(0)
 .rept 160
 v_add_u32 v6, v6, v5
 .endr
 v_add_u32 v1, s10, v1
 v_add_co_u32 v2, vcc, s13, v2
 v_addc_co_u32 v3, vcc, 0, v3, vcc
 v_cmp_gt_u32 vcc, s9, v1
 s_and_b64 exec, exec, vcc
 s_cbranch_execnz long_next
long_end:
 s_mov_b64 exec, s[14:15]
 global_store_dword v7, v6, s[4:5]
 v_add_u32 v7, s13, v7
 global_store_dword v7, v3, s[4:5]
 s_endpgm

// ---- long32 ----
 s_load_b128 s[4:7], s[0:1], 0x0
 s_load_b128 s[8:11], s[0:1], 0x10
 v_mov_b32 v3, 7
 v_mov_b32 v6, 0
 s_waitcnt lgkmcnt(0)
 s_mul_i32 s12, s8, s2
 s_lshl_b32 s13, s10, 2
 v_add_nc_u32 v1, s12, v0
 v_lshlrev_b32 v2, 2, v1
 v_mov_b32 v7, v2
 v_add_nc_u32 v2, s11, v2
 v_cmp_gt_u32 vcc_lo, s9, v1
 s_and_saveexec_b32 s14, vcc_lo
 s_cbranch_execz long32_end
long32_next:
 v_lshlrev_b32 v4, 2, v1
 global_load_b32 v5, v4, s[6:7]
 s_waitcnt vmcnt(0)
 .rept 160
 v_add_nc_u32 v6, v6, v5
 .endr
 v_add_nc_u32 v1, s10, v1
 v_add_co_u32 v2, vcc_lo, s13, v2
 v_add_co_ci_u32 v3, vcc_lo, 0, v3, vcc_lo
 v_cmp_gt_u32 vcc_lo, s9, v1
 s_and_b32 exec_lo, exec_lo, vcc_lo
 s_cbranch_execnz long32_next
long32_end:
 s_mov_b32 exec_lo, s14
 global_store_b32 v7, v6, s[4:5]
 v_add_nc_u32 v7, s13, v7
 global_store_b32 v7, v3, s[4:5]
 s_endpgm

// ---- picture ----
// Arguments: y, width, height; groups of 16 by 8 work-items, s2 and s3: y[row][column] says both, and lanes in odd
// columns also the group.
 s_load_dwordx4 s[4:7], s[0:1], 0x0
 s_lshl_b32 s8, s2, 4
 s_lshl_b32 s9, s3, 3
 v_add_u32 v2, s8, v0
 v_add_u32 v3, s9, v1
 s_waitcnt lgkmcnt(0)
 v_cmp_gt_u32 vcc, s6, v2
 s_and_saveexec_b64 s[10:11], vcc
 s_cbranch_execz picture_end
 v_mul_lo_u32 v4, v3, s6
 v_add_u32 v4, v4, v2
 v_lshlrev_b32 v4, 2, v4
 v_lshlrev_b32 v5, 12, v3
 v_or_b32 v5, v5, v2
 v_and_b32 v6, 1, v2
 v_cmp_ne_u32 vcc, 0, v6
 s_and_saveexec_b64 s[12:13], vcc
 s_lshl_b32 s14, s2, 24
 v_add_u32 v5, s14, v5
 s_mov_b64 exec, s[12:13]
 global_store_dword v4, v5, s[4:5]
picture_end:
 s_endpgm

// ---- pointers ----
// Arguments: table of pointers: dwords at the group's += 1, and then those at the next group's.
 s_load_dwordx2 s[4:5], s[0:1], 0x0
 s_lshl_b32 s8, s2, 3
 s_waitcnt lgkmcnt(0)
 s_add_u32 s4, s4, s8
 s_addc_u32 s5, s5, 0
 s_load_dwordx4 s[4:7], s[4:5], 0x0
 v_lshlrev_b32 v0, 2, v0
 s_waitcnt lgkmcnt(0)
 global_load_dword v1, v0, s[4:5]
 s_waitcnt vmcnt(0)
 v_add_u32 v1, 1, v1
 global_store_dword v0, v1, s[4:5]
 s_waitcnt vmcnt(0)
 global_load_dword v1, v0, s[6:7]
 s_waitcnt vmcnt(0)
 v_add_u32 v1, 1, v1
 global_store_dword v0, v1, s[6:7]
 s_endpgm

// ---- bad ----
// Arguments: y, index, size of a group: y[i] = 5 i, and then another load from y[index[i]].
 s_load_dwordx4 s[4:7], s[0:1], 0x0
 s_load_dword s8, s[0:1], 0x10
 s_waitcnt lgkmcnt(0)
 s_mul_i32 s8, s8, s2
 v_add_u32 v3, s8, v0
 v_lshlrev_b32 v0, 2, v3
 v_mul_lo_u32 v1, v3, 5
 global_load_dword v2, v0, s[6:7]
 s_waitcnt vmcnt(0)
 v_cmp_lt_u32 vcc, v2, v1
 v_cndmask_b32 v4, 1, 2, vcc
 global_store_dword v0, v1, s[4:5]
 v_lshlrev_b32 v2, 2, v2
 s_add_u32 s9, s8, 7
 global_load_dword v5, v2, s[4:5]
 s_waitcnt vmcnt(0)
 v_add_u32 v5, 1, v5
 s_endpgm

// ---- bad_at_once ----
// The same without the store.
 s_load_dwordx4 s[4:7], s[0:1], 0x0
 s_load_dword s8, s[0:1], 0x10
 s_waitcnt lgkmcnt(0)
 s_mul_i32 s8, s8, s2
 v_add_u32 v3, s8, v0
 v_lshlrev_b32 v0, 2, v3
 v_mul_lo_u32 v1, v3, 5
 global_load_dword v2, v0, s[6:7]
 s_waitcnt vmcnt(0)
 v_cmp_lt_u32 vcc, v2, v1
 v_cndmask_b32 v4, 1, 2, vcc
 v_lshlrev_b32 v2, 2, v2
 s_add_u32 s9, s8, 7
 global_load_dword v5, v2, s[4:5]
 s_waitcnt vmcnt(0)
 v_add_u32 v5, 1, v5
 s_endpgm

// ---- wait ----
// Arguments: flags, 64 bytes a group. The group's first wave counts in v5 while it waits for the last one, of
// work-items from 192 on, whose s0 is another at its end.
 s_load_dwordx2 s[4:5], s[0:1], 0x0
 s_lshl_b32 s6, s2, 6
 v_mov_b32 v1, 0
 v_mov_b32 v2, 1
 v_mov_b32 v5, 0
 v_cmp_gt_u32 vcc, 64, v0
 s_waitcnt lgkmcnt(0)
 s_add_u32 s4, s4, s6
 s_addc_u32 s5, s5, 0
 s_mov_b32 s0, 0
 s_cbranch_vccz wait_other
wait_loop:
 v_add_u32 v5, 1, v5
 global_load_dword v3, v1, s[4:5] glc
 s_waitcnt vmcnt(0)
 v_cmp_eq_u32 vcc, 0, v3
 s_cbranch_vccnz wait_loop
 global_store_dword v1, v5, s[4:5] offset:8
 s_endpgm
wait_other:
 v_cmp_le_u32 vcc, 192, v0
 s_cbranch_vccz wait_end
 global_store_dword v1, v2, s[4:5]
wait_end:
 s_endpgm

// ---- forever ----
// Arguments: flag. Each wave says that it is there, and stays.
 s_load_dwordx2 s[4:5], s[0:1], 0x0
 v_mov_b32 v1, 0
 v_mov_b32 v2, 1
 s_waitcnt lgkmcnt(0)
 global_store_dword v1, v2, s[4:5]
forever_loop:
 v_add_u32 v2, 1, v2
 s_branch forever_loop

// ---- changing ----
// Arguments: y, a number. Each wave stores the number plus one in all of y[0] to y[63].
 s_load_dwordx2 s[4:5], s[0:1], 0x0
 s_load_dword s8, s[0:1], 0x8
 s_waitcnt lgkmcnt(0)
 s_add_u32 s9, s8, 1
 v_and_b32 v0, 63, v0
 v_lshlrev_b32 v0, 2, v0
 v_mov_b32 v1, s9
 global_store_dword v0, v1, s[4:5]
 s_endpgm

// ---- unset ----
// Arguments: y, in which each wave stores what it finds in v1.
 s_load_dwordx2 s[4:5], s[0:1], 0x0
 s_waitcnt lgkmcnt(0)
 v_lshlrev_b32 v0, 2, v0
 global_store_dword v0, v1, s[4:5]
 s_endpgm

// ---- chosen ----
// Arguments: table, out. LO and HI are a mask of lanes, ODD a number. In lanes of the mask whose id * ODD is odd the
// work-item takes table[9], elsewhere table[5].
 s_load_dwordx4 s[4:7], s[0:1], 0x0
 v_mul_u32_u24 v1, ODD, v0
 v_and_b32 v1, 1, v1
 v_cmp_ne_u32 vcc, 0, v1
 s_mov_b32 s20, LO
 s_mov_b32 s21, HI
 s_and_b64 vcc, vcc, s[20:21]
 v_mov_b32 v3, 36
 v_mov_b32 v2, 20
 v_cndmask_b32 v2, v2, v3, vcc
 s_lshl_b32 s8, s2, 10
 v_lshlrev_b32 v4, 2, v0
 v_add_u32 v4, s8, v4
 s_waitcnt lgkmcnt(0)
 global_load_dword v5, v2, s[4:5]
 s_waitcnt vmcnt(0)
 global_store_dword v4, v5, s[6:7]
 s_endpgm

// ---- chosen32 ----
 s_load_b128 s[4:7], s[0:1], 0x0
 v_mul_u32_u24 v1, ODD, v0
 v_and_b32 v1, 1, v1
 v_cmp_ne_u32 vcc_lo, 0, v1
 s_and_b32 vcc_lo, vcc_lo, LO
 v_mov_b32 v3, 36
 v_mov_b32 v2, 20
 v_cndmask_b32 v2, v2, v3, vcc_lo
 s_lshl_b32 s8, s2, 10
 v_lshlrev_b32 v4, 2, v0
 v_add_nc_u32 v4, s8, v4
 s_waitcnt lgkmcnt(0)
 global_load_b32 v5, v2, s[4:5]
 s_waitcnt vmcnt(0)
 global_store_b32 v4, v5, s[6:7]
 s_endpgm

// ---- own_lds ----
// Arguments: areas, two for each group; x, a dword for each work-item. LDS: a dword for each work-item of the
// group, and behind them a counter, which the first wave sets to 0. Each work-item takes its neighbour's dword and
// a number of the counter; what comes of that goes to the area of its wave, which may leave there.
 s_load_dwordx4 s[4:7], s[0:1], 0x0
 v_lshrrev_b32 v1, 6, v0
 v_readfirstlane_b32 s12, v1
 s_lshl_b32 s8, s2, 4
 s_lshl_b32 s12, s12, 3
 s_add_u32 s8, s8, s12
 v_lshlrev_b32 v1, 2, v0
 v_add_u32 v2, s2, v0
 v_mov_b32 v3, 0
 v_mov_b32 v4, 1
 s_waitcnt lgkmcnt(0)
 s_add_u32 s8, s4, s8
 s_addc_u32 s9, s5, 0
 s_load_dwordx2 s[8:9], s[8:9], 0x0
 ds_write_b32 v1, v2
 v_cmp_gt_u32 vcc, 64, v0
 s_and_saveexec_b64 s[10:11], vcc
 ds_write_b32 v3, v3 offset:1024
 s_mov_b64 exec, s[10:11]
 v_xor_b32 v5, 4, v1
 ds_read_b32 v6, v5
 ds_add_rtn_u32 v7, v3, v4 offset:1024
 s_waitcnt lgkmcnt(0)
 ds_add_u32 v1, v6
 v_lshlrev_b32 v7, 16, v7
 ds_read_b32 v8, v1
 s_waitcnt lgkmcnt(0)
 v_add_u32 v8, v8, v7
 global_store_dword v1, v8, s[8:9]
 s_endpgm

// ---- counted_lds ----
// The same, where x of the work-item has been counted up before: by waves of 64 in groups of 64.
 s_load_dwordx4 s[4:7], s[0:1], 0x0
 s_lshl_b32 s8, s2, 4
 s_lshl_b32 s12, s2, 8
 v_lshlrev_b32 v1, 2, v0
 v_add_u32 v2, s12, v1
 s_waitcnt lgkmcnt(0)
 s_add_u32 s8, s4, s8
 s_addc_u32 s9, s5, 0
 s_load_dwordx2 s[8:9], s[8:9], 0x0
 global_load_dword v3, v2, s[6:7]
 s_waitcnt vmcnt(0)
 v_add_u32 v4, 1, v3
 ds_write_b32 v1, v4
 global_store_dword v2, v4, s[6:7]
 v_xor_b32 v5, 4, v1
 ds_read_b32 v6, v5
 s_waitcnt lgkmcnt(0)
 v_add_u32 v7, v6, v4
 global_store_dword v1, v7, s[8:9]
 s_endpgm
