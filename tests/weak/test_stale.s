// Kernels of test_stale.c. kernarg: where results go, words to read. v30 has 4 times the number of the lane, v0 the number.
// The line marked `a` is just enough; the one for `b` in its place is too little.
// ---- begin ----
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_and_b32 v0, 63, v0
    v_lshlrev_b32 v30, 2, v0
    v_mov_b32 v31, 0
    v_mov_b32 v1, 5
    v_mov_b32 v2, 3
    v_mov_b32 v3, 2.0
    s_mov_b32 s8, 1
    s_mov_b32 m0, 0
    s_mov_b64 vcc, 0
    s_waitcnt lgkmcnt(0)
    ds_write_b32 v30, v0
    s_waitcnt lgkmcnt(0)
    s_nop 7
// ---- end ----
    s_nop 7
    s_nop 7
    s_mov_b64 exec, -1
    s_nop 7
    global_store_dword v30, v31, s[4:5]
    s_endpgm
// ---- dpp ----
    v_mov_b32 v1, 7
    s_nop 1 // a
    v_mov_b32_dpp v31, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf
// ---- dpp exec ----
    v_cmpx_gt_u32_e32 vcc, 32, v0
    s_nop 4 // a
    v_mov_b32_dpp v31, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf
// ---- same register ----
    v_mov_b32 v1, 7
    s_nop 1 // a
    v_mov_b32_dpp v1, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf bound_ctrl:0
    s_nop 7
    v_mov_b32 v31, v1
// The old value is there for one reader alone.
// ---- afterwards ----
    v_mov_b32 v1, 7
    s_nop 1 // a
    v_mov_b32_dpp v2, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf
    v_mov_b32 v31, v1
// ---- lane select ----
    v_readfirstlane_b32 s8, v2
    s_nop 3 // a
    v_readlane_b32 s9, v0, s8
    s_nop 7
    v_mov_b32 v31, s9
// ---- div_fmas ----
    v_cmp_eq_u32_e32 vcc, v0, v0
    s_nop 3 // a
    v_div_fmas_f32 v31, v3, v3, v3
// ---- address ----
    s_add_u32 s8, s6, 0x100
    v_mov_b32 v1, s8
    s_nop 7
    v_readfirstlane_b32 s6, v1
    s_nop 4 // a
    global_load_dword v31, v30, s[6:7]
    s_waitcnt vmcnt(0)
// ---- addtid ----
    v_mov_b32 v31, 0
    s_mov_b32 m0, 64
    s_nop 0 // a
    ds_read_addtid_b32 v31
    s_waitcnt lgkmcnt(0)
// ---- matrix ----
    v_accvgpr_write_b32 a0, 0
    v_accvgpr_write_b32 a1, 0
    v_accvgpr_write_b32 a2, 0
    v_accvgpr_write_b32 a3, 0
    s_nop 7
    v_mov_b32 v3, 1.0
    s_nop 1 // a
    v_mfma_f32_4x4x1f32 a[0:3], v3, v3, a[0:3]
    s_nop 7
    s_nop 7
    v_accvgpr_read_b32 v31, a0
// ---- dot ----
    v_dot4_i32_i8 v1, v2, v2, v2
    s_nop 2 // a
    v_mov_b32 v31, v1
// ---- data ----
    v_readfirstlane_b32 s8, v2
    s_nop 1 // a
    v_mov_b32 v31, s8
// ---- first lane ----
    v_cmpx_lt_u32_e32 vcc, 4, v0
    s_nop 3 // a
    v_readfirstlane_b32 s8, v0
    s_nop 7
    s_mov_b64 exec, -1
    v_mov_b32 v31, s8
// ---- lane ----
    v_mov_b32 v1, 7
    s_nop 0 // a
    v_readlane_b32 s8, v1, 0
    s_nop 7
    v_mov_b32 v31, s8
// ---- transcendental ----
    v_rcp_f32 v1, v3
    s_nop 0 // a
    v_mov_b32 v31, v1
