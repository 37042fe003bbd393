// Kernels whose waves wait at barriers, of two halves where SPLIT is 1. s[0:1] are the arguments, s2 the group; v0 is the
// work-item. Each item has 8 dwords of y.

// ---- prolog ----
 .macro below n, s
 .if WAVE32
 v_cmp_gt_u32 vcc_lo, \n, \s
 s_and_saveexec_b32 s30, vcc_lo
 .else
 v_cmp_gt_u32 vcc, \n, \s
 s_and_saveexec_b64 s[30:31], vcc
 .endif
 .endm
 .macro all_again
 .if WAVE32
 s_mov_b32 exec_lo, s30
 .else
 s_mov_b64 exec, s[30:31]
 .endif
 .endm
 .macro wait
 .if SPLIT
 s_wait_loadcnt_dscnt 0x0
 s_wait_kmcnt 0x0
 .else
 s_waitcnt vmcnt(0) lgkmcnt(0)
 .endif
 .endm
 .macro barrier
 .if SPLIT
 s_barrier_signal -1
 s_mov_b32 s26, exec_lo
 s_barrier_wait -1
 .else
 s_barrier
 .endif
 .endm
 .if SPLIT
 s_mov_b32 s2, ttmp9
 .endif
 s_load_dwordx2 s[4:5], s[0:1], 0x0
 s_load_dword s8, s[0:1], 0x8
 .if WAVE32 > SPLIT
 v_mov_b32 v10, v1
 .else
 v_bfe_u32 v10, v0, 10, 10
 v_and_b32 v0, 0x3ff, v0
 .endif
 v_lshlrev_b32 v1, 2, v0
 v_mov_b32 v2, 0
 v_mov_b32 v3, 0
 wait
 s_mul_i32 s9, s8, s2
 s_mul_i32 s9, s9, 32
 s_add_u32 s4, s4, s9
 s_addc_u32 s5, s5, 0
 ds_write_b32 v1, v2
 v_readfirstlane_b32 s10, v0
 v_lshlrev_b32 v9, 5, v0
 s_mov_b32 s11, 0

// ---- epilog ----
 wait
 global_store_dword v9, v2, s[4:5]
 global_store_dword v9, v3, s[4:5] offset:4
 global_store_dword v9, v1, s[4:5] offset:8
 s_endpgm

// ---- exchange ----
// In 6 rounds each item adds what another one left; those of one half of the waves wait elsewhere, some with lanes off,
// some with none. What only some lanes wrote stays across barriers.
round:
 v_lshl_add_u32 v4, v2, 1, v0
 ds_write_b32 v1, v4
 v_xor_b32 v5, 0x84, v1
 wait
 s_bitcmp1_b32 s10, 6
 s_cbranch_scc1 elsewhere
 below 20, v0
 v_lshl_add_u32 v3, v0, 2, v3
 barrier
 v_lshl_add_u32 v3, v3, 1, v0
 all_again
 s_branch met
elsewhere:
 below s11, v0
 barrier
 all_again
met:
 ds_read_b32 v6, v5
 wait
 v_lshl_add_u32 v2, v6, 0, v2
 barrier
 s_add_u32 s11, s11, 1
 s_cmp_lt_u32 s11, 6
 s_cbranch_scc1 round

// ---- replaced ----
// Behind a barrier v4 is replaced, v5 in some lanes alone, v6 on one of two ways, v7 in one lane; v8 is read and replaced.
through:
 v_lshl_add_u32 v4, v0, 1, v3
 v_lshl_add_u32 v5, v0, 2, v3
 v_lshl_add_u32 v6, v3, 1, v0
 v_lshl_add_u32 v7, v0, 3, v3
 v_lshl_add_u32 v8, v3, 2, v0
 barrier
 v_mov_b32 v4, s11
 below 20, v0
 v_mov_b32 v5, s11
 all_again
 s_bitcmp1_b32 s10, 6
 s_cbranch_scc1 kept
 v_mov_b32 v6, s11
kept:
 v_writelane_b32 v7, s11, 3
 v_lshl_add_u32 v8, v8, 1, v4
 v_lshl_add_u32 v2, v2, 1, v4
 v_lshl_add_u32 v2, v2, 1, v5
 v_lshl_add_u32 v2, v2, 1, v6
 v_lshl_add_u32 v2, v2, 1, v7
 v_lshl_add_u32 v2, v2, 1, v8
 v_lshl_add_u32 v3, v2, 1, v0
 barrier
 s_add_u32 s11, s11, 1
 s_cmp_lt_u32 s11, 6
 s_cbranch_scc1 through

// ---- scalars ----
// Behind a barrier s16 is replaced, s17 on one of two ways, s18 is read and replaced, of s[20:21] one half is replaced. The
// mask in VCC is read behind the first barrier, and replaced behind the second.
 .macro carries d, a, b
 .if WAVE32
 v_add_co_u32 \d, vcc_lo, \a, \b
 v_cndmask_b32 \d, \d, \a, vcc_lo
 .else
 v_add_co_u32 \d, vcc, \a, \b
 v_cndmask_b32 \d, \d, \a, vcc
 .endif
 .endm
 s_mov_b32 s19, 0x80000000
 v_mov_b32 v11, s19
scalars_round:
 s_lshl_b32 s16, s11, 3
 s_add_u32 s17, s10, s11
 s_lshl_b32 s18, s11, 2
 s_add_u32 s20, s10, 1
 s_add_u32 s21, s10, 2
 below 40, v0
 all_again
 barrier
 s_mov_b32 s16, s11
 s_bitcmp1_b32 s10, 6
 s_cbranch_scc1 scalars_kept
 s_mov_b32 s17, s11
scalars_kept:
 s_add_u32 s18, s18, s11
 s_mov_b32 s20, s11
 s_lshl_b64 s[22:23], s[20:21], 1
 .if WAVE32
 v_cndmask_b32 v4, v0, v3, vcc_lo
 .else
 v_cndmask_b32 v4, v0, v3, vcc
 .endif
 v_lshl_add_u32 v2, v2, 1, s16
 v_lshl_add_u32 v2, v2, 1, s17
 v_lshl_add_u32 v2, v2, 1, s18
 v_lshl_add_u32 v2, v2, 1, s22
 v_lshl_add_u32 v2, v2, 1, s23
 carries v5, v2, v11
 barrier
 v_lshl_add_u32 v3, v4, 1, v5
 carries v6, v3, v11
 v_lshl_add_u32 v3, v6, 1, v3
 s_add_u32 s11, s11, 1
 s_cmp_lt_u32 s11, 6
 s_cbranch_scc1 scalars_round

// ---- tile ----
// Rows of 1 << WIDE work-items: each adds up products of its row and its column, which all rows have in common. v10 comes to the
// loop on two ways.
 s_mov_b32 s12, WIDE
 v_lshl_add_u32 v11, v10, s12, v0
 v_lshlrev_b32 v9, 5, v11
 v_lshlrev_b32 v1, 2, v11
 v_lshlrev_b32 v4, 2, v0
 v_lshlrev_b32 v5, WIDE + 2, v10
 v_lshlrev_b32 v10, 1, v0
 s_bitcmp1_b32 s2, 0
 s_cbranch_scc1 tile_begin
 v_mov_b32 v10, 7
tile_begin:
 s_mov_b32 s24, 3
tile_round:
 v_lshl_add_u32 v6, v2, 1, v11
 ds_write_b32 v1, v6
 wait
 barrier
 ds_read2_b32 v[6:7], v4 offset1:1 << WIDE
 ds_read_b32 v8, v5 offset:8
 wait
 v_mad_u32_u24 v2, v6, v8, v2
 v_lshl_add_u32 v3, v7, 1, v3
 v_lshl_add_u32 v3, v10, 1, v3
 barrier
 s_add_u32 s11, s11, 1
 s_cmp_lt_u32 s11, s24
 s_cbranch_scc1 tile_round

// ---- far ----
// Rows of LDS by one address register, of which the last ends with LDS if BAD is 0, and one dword. What lies beyond is zero, and is
// not written.
 s_mov_b32 s13, BAD
far_round:
 v_lshl_add_u32 v4, v0, 2, s13
 v_mov_b32 v11, s13
 v_lshl_add_u32 v5, v0, 3, v3
 ds_write_b32 v4, v5
 ds_write_b32 v4, v0 offset:1024
 ds_write_b32 v4, v5 offset:2048
 ds_write_b32 v4, v3 offset:3072
 wait
 barrier
 ds_read_b32 v8, v4 offset:1024
 ds_read2st64_b32 v[6:7], v4 offset1:8
 ds_read_b32 v10, v11
 ds_read_b32 v5, v4 offset:3072
 ds_read_b32 v4, v4 offset:512
 ds_read_b32 v11, v11 offset:4092
 wait
 v_lshl_add_u32 v2, v2, 1, v4
 v_lshl_add_u32 v2, v2, 1, v5
 v_lshl_add_u32 v2, v2, 1, v6
 v_lshl_add_u32 v2, v2, 1, v7
 v_lshl_add_u32 v2, v2, 1, v8
 v_lshl_add_u32 v2, v2, 1, v10
 v_lshl_add_u32 v3, v3, 1, v11
 v_lshl_add_u32 v3, v2, 1, v3
 barrier
 s_add_u32 s11, s11, 1
 s_cmp_lt_u32 s11, 6
 s_cbranch_scc1 far_round

// ---- roots ----
// What follows from the root of a number that all lanes have: in every other round all waves have the same one, else two.
roots_round:
 s_mul_i32 s12, s11, 0x2f35acd1
 v_lshrrev_b32 v4, 7, v0
 v_mul_u32_u24 v4, v4, s11
 v_lshlrev_b32 v4, 21, v4
 v_lshl_add_u32 v4, v4, 0, s12
 ds_write_b32 v1, v4
 s_and_b32 s13, s11, 1
 s_mul_i32 s13, s13, s10
 s_lshl_b32 s13, s13, 2
 v_mov_b32 v5, s13
 wait
 barrier
 ds_read_b32 v6, v5
 wait
 v_sqrt_f32 v6, v6
 v_rcp_f32 v7, v6
 v_mul_f32 v7, 0x3fa00000, v7
 v_frexp_mant_f32 v8, v7
 v_add_f32 v8, v8, v6
 .if WAVE32
 v_cmp_lt_f32 vcc_lo, 1.0, v8
 v_cndmask_b32 v8, v6, v7, vcc_lo
 .else
 v_cmp_lt_f32 vcc, 1.0, v8
 v_cndmask_b32 v8, v6, v7, vcc
 .endif
 v_lshl_add_u32 v2, v2, 1, v8
 v_lshl_add_u32 v3, v3, 1, v7
 v_lshl_add_u32 v3, v3, 1, v0
 barrier
 s_add_u32 s11, s11, 1
 s_cmp_lt_u32 s11, 9
 s_cbranch_scc1 roots_round

// ---- ends ----
// Wave n ends behind n barriers (BAD is 1), behind 16 - n of them (2), or every other wave so (0). One ends without any barrier,
// while others wait, or before any other has come to the next one.
 s_lshr_b32 s12, s10, 5 + SHIFT
 .if BAD == 0
 s_bitcmp1_b32 s12, 0
 s_cbranch_scc1 counted
 .endif
 .if BAD != 1
 s_sub_u32 s12, 16, s12
 .endif
counted:
 v_mov_b32 v4, 1
 v_mov_b32 v5, 0
next:
 s_cmp_eq_u32 s11, s12
 s_cbranch_scc1 over
 below 1, v5
 ds_add_rtn_u32 v6, v5, v4
 all_again
 wait
 v_lshl_add_u32 v2, v2, 1, v6
 v_lshl_add_u32 v3, v0, 0, v3
 s_add_u32 s11, s11, 1
 barrier
 s_branch next
over:

// ---- bad ----
// Behind its third barrier, item BAD of group 1 reads where nothing is. Registers that are read later have what was computed before.
again:
 v_lshl_add_u32 v3, v0, 1, v3
 s_add_u32 s11, s11, 1
 barrier
 s_cmp_lt_u32 s11, 3
 s_cbranch_scc1 again
 v_mov_b32 v4, 0
 v_mov_b32 v6, BAD
 v_mov_b32 v7, 0x40000000
 s_cmp_eq_u32 s2, 1
 s_cselect_b32 s13, 1, 0
 v_mul_lo_u32 v7, v7, s13
 .if WAVE32
 v_cmp_eq_u32 vcc_lo, v0, v6
 v_cndmask_b32 v4, v4, v7, vcc_lo
 .else
 v_cmp_eq_u32 vcc, v0, v6
 v_cndmask_b32 v4, v4, v7, vcc
 .endif
 global_load_dword v5, v4, s[4:5]
 wait
 v_lshl_add_u32 v2, v5, 0, v3
 barrier
 v_lshl_add_u32 v3, v0, 0, v3

// ---- forever ----
// Barriers without an end; the flag says that they have begun.
 v_mov_b32 v4, 1
 barrier
 global_store_dword v2, v4, s[4:5]
on:
 v_lshl_add_u32 v3, v0, 1, v3
 barrier
 s_branch on

// ---- chain ----
// All waves of a group wait at barriers for the group behind it.
 v_mov_b32 v4, 1
 v_mov_b32 v5, 0
 s_sub_u32 s6, s4, s9
 s_subb_u32 s7, s5, 0
 s_cmp_eq_u32 s2, 3
 s_cbranch_scc1 tell
 s_mul_i32 s13, s8, 32
 s_add_u32 s12, s4, s13
 s_addc_u32 s13, s5, 0
look:
 barrier
 global_load_dword v6, v5, s[12:13] offset:28
 wait
 v_readfirstlane_b32 s14, v6
 s_cmp_eq_u32 s14, 1
 s_cbranch_scc0 look
tell:
 barrier
 v_mov_b32 v7, v4
 global_store_dword v5, v7, s[4:5] offset:28
 v_mov_b32 v2, 5

// ---- split ----
// What is done between the halves of a barrier, and before them, is there behind it.
split_round:
 v_lshl_add_u32 v4, v2, 1, v0
 ds_store_b32 v1, v4
 v_xor_b32 v5, 0x84, v1
 v_mov_b32 v6, v3
 wait
 s_barrier_signal -1
 v_lshl_add_u32 v2, v2, 1, v0
 v_lshl_add_u32 v6, v6, 1, v2
 s_add_u32 s12, s11, 3
 s_barrier_wait -1
 v_lshl_add_u32 v3, v6, 0, s12
 ds_load_b32 v6, v5
 wait
 v_lshl_add_u32 v2, v6, 0, v2
 s_barrier_signal -1
 s_barrier_wait -1
 s_add_u32 s11, s11, 1
 s_cmp_lt_u32 s11, 6
 s_cbranch_scc1 split_round

// ---- apart ----
// Halves that are no barrier for the loop, by BAD; 0 is one.
 s_mov_b32 s27, exec_lo
 s_mov_b32 m0, 0
 v_mov_b32 v6, 0
apart_round:
 v_lshl_add_u32 v4, v2, 1, v0
 ds_store_b32 v1, v4
 v_xor_b32 v5, 0x84, v1
 s_mov_b32 s26, s11
 s_cmp_eq_u32 s10, 32
 wait
 .if BAD < 6
 s_barrier_signal -1
 .endif
 .if BAD == 0
 s_mov_b32 s26, s10
 .elseif BAD == 1
 s_get_barrier_state s26, -1
 .elseif BAD == 2
 s_getreg_b32 s26, hwreg(HW_REG_STATE_PRIV, 0, 6)
 .elseif BAD == 3
 ds_store_b32 v1, v0 offset:1024
 .elseif BAD == 4
 s_mov_b32 exec_lo, s27
 .elseif BAD == 5
 s_cbranch_scc1 apart_wait
 v_lshl_add_u32 v2, v2, 1, v0
 .elseif BAD == 6
 s_barrier_signal_isfirst -1
 .elseif BAD == 7
 s_barrier_signal -2
 .elseif BAD == 8
 s_barrier_signal -3
 .elseif BAD == 9
 s_barrier_signal m0
 .endif
apart_wait:
 .if BAD < 11
 s_barrier_wait -1
 .elseif BAD == 11
 s_barrier_signal -1
 .else
 s_barrier_signal -1
 s_barrier_wait -2
 .endif
 ds_load_b32 v6, v5
 wait
 v_lshl_add_u32 v2, v6, 0, v2
 v_lshl_add_u32 v3, v3, 1, s26
 .if BAD != 11
 s_barrier_signal -1
 .endif
 s_barrier_wait -1
 s_add_u32 s11, s11, 1
 s_cmp_lt_u32 s11, 6
 s_cbranch_scc1 apart_round
