// Kernels of test_stale.c. kernarg: where results go, words to read. v30 has 4 times the number of the lane, v0 the number.
// The line marked `a` is just enough; the one for `b` in its place is too little.
// `wait` is a macro of test_stale.c.
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
    wait
    ds_write_b32 v30, v0
    wait
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
// A jump back is one wait state.
// ---- dpp, back ----
    s_branch 2f
1:
    v_mov_b32_dpp v31, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf
    s_branch 3f
2:
    v_mov_b32 v1, 7
    s_nop 0 // a
    s_branch 1b
3:
// Behind a jump to an address in registers no wait states are left.
// ---- dpp, called ----
    s_getpc_b64 s[10:11]
1:
    s_add_u32 s10, s10, 2f-1b
    s_addc_u32 s11, s11, 0
    v_mov_b32 v1, 7
    s_nop 1 // a
    s_setpc_b64 s[10:11]
2:
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
    wait
// ---- addtid ----
    v_mov_b32 v31, 0
    s_mov_b32 m0, 64
    s_nop 0 // a
    ds_read_addtid_b32 v31
    wait
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
// Up to GFX8 there are no global instructions, and M0 says how far LDS reaches.
// ---- begin 6 ----
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_and_b32 v0, 63, v0
    v_lshlrev_b32 v30, 2, v0
    v_mov_b32 v31, 0
    v_mov_b32 v1, 5
    v_mov_b32 v2, 3
    v_mov_b32 v3, 2.0
    s_mov_b32 s8, 1
    s_mov_b32 m0, -1
    s_mov_b64 vcc, 0
    wait
    s_mov_b32 s20, s4
    s_and_b32 s21, s5, 0xffff
    s_mov_b32 s22, -1
    s_mov_b32 s23, 0xf000
    s_mov_b32 s24, s6
    s_and_b32 s25, s7, 0xffff
    s_mov_b32 s26, -1
    s_mov_b32 s27, 0xf000
    s_nop 7
// ---- end 6 ----
    s_nop 7
    s_nop 7
    s_mov_b64 exec, -1
    s_nop 7
    buffer_store_dword v31, v30, s[20:23], 0 offen
    s_endpgm
// ---- begin 32 ----
    s_load_b128 s[4:7], s[0:1], 0x0
    v_and_b32 v0, 31, v0
    v_lshlrev_b32 v30, 2, v0
    v_mov_b32 v31, 0
    v_mov_b32 v1, 5
    v_mov_b32 v2, 3
    v_mov_b32 v3, 2.0
    s_mov_b32 s8, 1
    s_mov_b32 vcc_lo, 0
    wait
    s_nop 7
// ---- end 32 ----
    s_mov_b32 exec_lo, -1
    v_nop
    v_nop
    v_nop
    v_nop
    v_nop
    v_nop
    v_nop
    v_nop
    v_nop
    global_store_b32 v30, v31, s[4:5]
    s_endpgm
// ---- scalar load ----
    s_add_u32 s8, s6, 0x100
    v_mov_b32 v1, s8
    s_nop 7
    v_readfirstlane_b32 s6, v1
    s_nop 3 // a
    s_load_dword s9, s[6:7], 0x0
    wait
    v_mov_b32 v31, s9
// ---- buffer offset ----
    v_mov_b32 v1, 64
    s_nop 7
    v_readfirstlane_b32 s8, v1
    s_nop 4 // a
    buffer_load_dword v31, v30, s[24:27], s8 offen
    wait
// ---- wide store 6 ----
    v_lshlrev_b32 v9, 4, v0
    v_mov_b32 v8, 9
    v_mov_b32 v4, 1
    v_mov_b32 v5, 1
    v_mov_b32 v6, 1
    v_mov_b32 v7, 1
    s_nop 7
    buffer_store_dwordx4 v[4:7], v9, s[24:27], 0 offen
    s_nop 0 // a
    v_mov_b32 v4, 9
    wait
    buffer_load_dword v31, v9, s[24:27], 0 offen
    wait
// ---- wide store ----
    v_lshlrev_b32 v9, 4, v0
    v_mov_b32 v4, 1
    v_mov_b32 v5, 1
    v_mov_b32 v6, 1
    v_mov_b32 v7, 1
    s_nop 7
    global_store_dwordx4 v9, v[4:7], s[6:7]
    s_nop 0 // a
    v_mov_b32 v7, 9
    wait
    global_load_dword v31, v9, s[6:7] offset:12
    wait
// ---- wide store 942 ----
    v_lshlrev_b32 v9, 4, v0
    v_mov_b32 v4, 1
    v_mov_b32 v5, 1
    v_mov_b32 v6, 1
    v_mov_b32 v7, 1
    s_nop 7
    global_store_dwordx4 v9, v[4:7], s[6:7]
    s_nop 1 // a
    v_mov_b32 v7, 9
    wait
    global_load_dword v31, v9, s[6:7] offset:12
    wait
// The address of a store is read at once, as are two words.
// ---- narrow store ----
    v_lshlrev_b32 v9, 4, v0
    v_mov_b32 v4, 1
    v_mov_b32 v5, 1
    s_nop 7
    global_store_dwordx2 v9, v[4:5], s[6:7]
    s_nop 0 // a
    v_mov_b32 v4, 9
    v_mov_b32 v10, v9
    v_mov_b32 v9, 0
    wait
    global_load_dword v31, v10, s[6:7]
    wait
// ---- dot written ----
    v_dot4_i32_i8 v1, v2, v2, v2
    s_nop 2 // a
    v_mov_b32 v1, 8
    s_nop 7
    v_mov_b32 v31, v1
// ---- acc written, read ----
    v_accvgpr_write_b32 a0, v2
    s_nop 7
    v_accvgpr_write_b32 a0, v1
    s_nop 2 // a
    v_accvgpr_read_b32 v31, a0
// ---- acc written, added ----
    v_accvgpr_write_b32 a0, 0
    v_accvgpr_write_b32 a1, 0
    v_accvgpr_write_b32 a2, 0
    v_accvgpr_write_b32 a3, 0
    s_nop 7
    v_accvgpr_write_b32 a0, 1.0
    s_nop 0 // a
    v_mfma_f32_4x4x1f32 a[0:3], v3, v3, a[0:3]
    s_nop 7
    s_nop 7
    v_accvgpr_read_b32 v31, a0
// ---- acc written, multiplied ----
    v_accvgpr_write_b32 a0, 0
    v_accvgpr_write_b32 a1, 0
    v_accvgpr_write_b32 a2, 0
    v_accvgpr_write_b32 a3, 0
    v_accvgpr_write_b32 a4, 0
    s_nop 7
    v_accvgpr_write_b32 a4, 1.0
    s_nop 2 // a
    v_mfma_f32_4x4x1f32 a[0:3], a4, v3, a[0:3]
    s_nop 7
    s_nop 7
    v_accvgpr_read_b32 v31, a0
// ---- acc read, stored ----
    v_accvgpr_write_b32 a0, v1
    s_nop 7
    v_accvgpr_read_b32 v4, a0
    s_nop 1 // a
    ds_write_b32 v30, v4
    wait
    ds_read_b32 v31, v30
    wait
// ---- acc exec ----
    v_accvgpr_write_b32 a0, v2
    s_nop 7
    v_cmpx_gt_u32_e32 vcc, 32, v0
    s_nop 3 // a
    v_accvgpr_write_b32 a0, v1
    s_nop 7
    s_mov_b64 exec, -1
    v_accvgpr_read_b32 v31, a0
// ---- matrix exec ----
    v_cmpx_gt_u32_e32 vcc, 65, v0
    s_nop 3 // a
    v_mfma_f32_4x4x1f32 a[0:3], v3, v3, a[0:3]
// ---- trans ----
    v_rcp_f32 v1, v3
    v_nop
    v_nop
    v_nop
    v_nop
    v_nop
    v_nop // a
    v_mov_b32 v31, v1
// ---- trans, trans ----
    v_rcp_f32 v1, v3
    v_rcp_f32 v4, v3
    v_rcp_f32 v5, v3 // a
    v_mov_b32 v31, v1
// ---- trans, waited ----
    v_rcp_f32 v1, v3
    s_waitcnt_depctr 0xfff // a
    v_mov_b32 v31, v1
// ---- trans, memory ----
    v_rcp_f32 v1, v3
    ds_read_b32 v4, v30 // a
    v_mov_b32 v31, v1
// ---- partial ----
    v_mov_b32 v1, 7
    s_mov_b64 exec, 1
    v_mov_b32 v2, 9
    s_mov_b64 exec, -1
    v_nop
    v_nop
    v_nop
    v_nop
    v_nop // a
    v_add_nc_u32 v31, v1, v2
// ---- partial, between ----
    v_mov_b32 v1, 7
    s_mov_b64 exec, 1
    v_nop
    v_nop
    v_nop // a
    v_mov_b32 v2, 9
    s_mov_b64 exec, -1
    v_add_nc_u32 v31, v1, v2
// ---- partial, waited ----
    v_mov_b32 v1, 7
    s_mov_b64 exec, 1
    s_waitcnt_depctr 0xfff // a
    v_mov_b32 v2, 9
    s_mov_b64 exec, -1
    v_add_nc_u32 v31, v1, v2
// ---- mask ----
    s_mov_b64 s[8:9], 0
    v_cndmask_b32_e64 v4, v2, v3, s[8:9]
    s_mov_b64 s[8:9], -1
    s_waitcnt_depctr 0xfffe // a
    v_cndmask_b32_e64 v31, v2, v3, s[8:9]
// ---- mask, counted ----
    s_mov_b64 s[8:9], 0
    v_cndmask_b32_e64 v4, v2, v3, s[8:9]
    s_mov_b64 s[8:9], -1
    s_mov_b32 s10, 0
    s_mov_b32 s11, 0
    s_mov_b32 s12, 0
    s_mov_b32 s13, 0
    s_mov_b32 s14, 0
    s_mov_b32 s15, 0 // a
    v_cndmask_b32_e64 v31, v2, v3, s[8:9]
// ---- mask, called ----
    s_getpc_b64 s[10:11]
1:
    s_add_u32 s10, s10, 2f-1b
    s_addc_u32 s11, s11, 0
    s_mov_b64 s[8:9], 0
    v_cndmask_b32_e64 v4, v2, v3, s[8:9]
    s_mov_b64 s[8:9], -1
    s_waitcnt_depctr 0xfffe // a
    s_setpc_b64 s[10:11]
2:
    v_cndmask_b32_e64 v31, v2, v3, s[8:9]
// ---- mask, scalar ----
    s_mov_b64 s[8:9], 0
    v_cndmask_b32_e64 v4, v2, v3, s[8:9]
    s_mov_b64 s[8:9], -1
    s_waitcnt_depctr 0xfffe // a
    s_mov_b32 s20, s8
    s_nop 7
    v_mov_b32 v31, s20
// ---- mask, vector ----
    s_mov_b64 s[8:9], 0
    v_cndmask_b32_e64 v4, v2, v3, s[8:9]
    v_cmp_eq_u32_e64 s[8:9], v0, v0
    s_waitcnt_depctr 0xf1ff // a
    v_cndmask_b32_e64 v31, v2, v3, s[8:9]
// ---- mask, vcc ----
    v_cndmask_b32_e32 v4, v2, v3, vcc
    v_cmp_eq_u32_e32 vcc, v0, v0
    s_waitcnt_depctr 0xfffd // a
    v_cndmask_b32_e32 v31, v2, v3, vcc
// ---- mask, other read ----
    s_mov_b64 s[8:9], 0
    v_cndmask_b32_e64 v4, v2, v3, s[8:9]
    v_mov_b32 v4, s20 // a
    s_mov_b64 s[8:9], -1
    v_cndmask_b32_e64 v31, v2, v3, s[8:9]
// ---- scalar, vector ----
    v_mov_b32 v4, s8
    s_mov_b32 s9, 77
    s_wait_alu 0xfffe // a
    v_mov_b32 v31, s9
// Across a call.
// ---- scalar, called ----
    s_getpc_b64 s[10:11]
1:
    s_add_co_u32 s10, s10, 2f-1b
    s_add_co_ci_u32 s11, s11, 0
    v_mov_b32 v4, s8
    s_mov_b32 s9, 77
    s_wait_alu 0xfffe // a
    s_swappc_b64 s[12:13], s[10:11]
    s_nop 0
2:
    v_mov_b32 v31, s9
// ---- scalar, scalar ----
    v_mov_b32 v4, s8
    s_mov_b32 s8, 77
    s_wait_alu 0xfffe // a
    s_mov_b32 s12, s8
    v_mov_b32 v31, s12
// ---- scalar, counted ----
    v_mov_b32 v4, s8
    s_mov_b32 s9, 77
    s_mov_b32 s12, 0
    s_mov_b32 s13, 0
    s_mov_b32 s14, 0
    s_mov_b32 s15, 0
    s_mov_b32 s16, 0
    s_mov_b32 s17, 0
    s_mov_b32 s18, 0
    s_mov_b32 s19, 0
    s_mov_b32 s20, 0
    s_mov_b32 s21, 0 // a
    v_mov_b32 v31, s9
// ---- vector, vector ----
    v_mov_b32 v4, s8
    v_readfirstlane_b32 s8, v2
    s_wait_alu 0xf1ff // a
    v_mov_b32 v31, s8
// ---- vector, vector, scalar ----
    v_mov_b32 v4, s8
    v_readfirstlane_b32 s8, v2
    s_mov_b32 s12, s14 // a
    v_mov_b32 v31, s8
// ---- vcc ----
    v_cndmask_b32_e32 v4, v2, v3, vcc
    v_cmp_eq_u32_e32 vcc, v0, v0
    s_wait_alu 0xfffd // a
    v_cndmask_b32_e32 v31, v2, v3, vcc
// ---- permlane ----
    v_cmpx_gt_u32_e32 16, v0
    v_mov_b32 v4, 0 // a
    v_permlane16_b32 v31, v0, s8, s8
// ---- memory, scalar ----
    global_load_dword v31, v30, s[6:7]
    v_nop // a
    s_add_u32 s6, s6, 0x100
    wait
// ---- memory, scalar, waited ----
    global_load_dword v31, v30, s[6:7]
    s_waitcnt_depctr 0xffe3 // a
    s_add_u32 s6, s6, 0x100
    wait
// ---- memory, exec ----
    global_load_dword v31, v30, s[6:7]
    v_nop // a
    s_mov_b64 exec, 1
    wait
// ---- memory, exec saved ----
    global_load_dword v31, v30, s[6:7]
    v_nop // a
    s_and_saveexec_b64 s[12:13], 1
    wait
// ---- scalar memory ----
    s_add_u32 s20, s6, 0x100
    v_mov_b32 v4, s20
    s_load_dword s10, s[6:7], 0x0
    s_mov_b32 s12, 0 // a
    v_readfirstlane_b32 s6, v4
    wait
    v_mov_b32 v31, s10
// ---- cmpx ----
    global_load_dword v31, v30, s[6:7]
    v_readfirstlane_b32 s12, v2 // a
    v_cmpx_gt_u32_e32 32, v0
    wait
// ---- branch ----
    v_mov_b32 v9, v30
    global_load_dword v31, v9, s[6:7]
    s_branch 1f
1:
    s_waitcnt_vscnt null, 0 // a
    ds_read_b32 v4, v30
    v_add_nc_u32 v9, 64, v9
    wait
// In LDS alone MODE has a say.
// ---- denormals ----
    s_mov_b64 s[20:21], src_shared_base
    v_mov_b32 v10, v30
    v_mov_b32 v11, s21
    v_mov_b32 v4, 1
    flat_atomic_fmin v[10:11], v4
    s_nop 2 // a
    s_denorm_mode 15
    wait
    ds_read_b32 v31, v30
    wait
// ---- astray ----
    .long 0xbf82003e // a
    .fill 63, 4, 0xbf800000
// ---- given back ----
    global_store_b32 v30, v2, s[4:5]
    s_nop 0 // a
    s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
    s_endpgm
// ---- lanes ----
    s_mov_b64 exec, 1
    global_load_dword v31, v30, s[6:7]
    s_mov_b64 exec, -2
    wait // a
    v_mov_b32 v31, 7
    s_mov_b64 exec, -1
    wait
// ---- wmma 11 ----
    v_mov_b32 v8, 0
    v_mov_b32 v9, 0
    v_mov_b32 v10, 0
    v_mov_b32 v11, 0
    v_mov_b32 v12, 0
    v_mov_b32 v13, 0
    v_mov_b32 v14, 0
    v_mov_b32 v15, 0
    v_mov_b32 v16, 0x3c003c00
    v_mov_b32 v17, 0x3c003c00
    v_mov_b32 v18, 0x3c003c00
    v_mov_b32 v19, 0x3c003c00
    v_mov_b32 v20, 0x3c003c00
    v_mov_b32 v21, 0x3c003c00
    v_mov_b32 v22, 0x3c003c00
    v_mov_b32 v23, 0x3c003c00
    v_wmma_f16_16x16x16_f16 v[8:11], v[16:23], v[16:23], v[12:15]
    v_nop // a
    v_wmma_f32_16x16x16_f16 v[32:35], v[8:15], v[16:23], v[12:15]
    v_nop
    v_mov_b32 v31, v32
// ---- wmma 12 ----
    v_mov_b32 v8, 0
    v_mov_b32 v9, 0
    v_mov_b32 v12, 0
    v_mov_b32 v13, 0
    v_mov_b32 v14, 0
    v_mov_b32 v15, 0
    v_mov_b32 v16, 0x3c003c00
    v_mov_b32 v17, 0x3c003c00
    v_wmma_f16_16x16x16_f16 v[8:9], v[16:17], v[16:17], v[12:13]
    v_nop // a
    v_wmma_f32_16x16x16_f16 v[32:35], v[8:9], v[16:17], v[12:15]
    v_nop
    v_mov_b32 v31, v32
// ---- 1250 ----
    v_mov_b32 v8, 0
    v_mov_b32 v9, 0
    v_mov_b32 v10, 0
    v_mov_b32 v11, 0
    v_mov_b32 v12, 0
    v_mov_b32 v13, 0
    v_mov_b32 v14, 0
    v_mov_b32 v15, 0
    v_mov_b32 v32, 0x3c003c00
    v_mov_b32 v33, 0x3c003c00
    v_mov_b32 v34, 0x3c003c00
    v_mov_b32 v35, 0x3c003c00
    v_mov_b32 v36, 0x3c003c00
    v_mov_b32 v37, 0x3c003c00
    v_mov_b32 v38, 0x3c003c00
    v_mov_b32 v39, 0x3c003c00
    v_nop
    v_nop
    v_wmma_f32_16x16x32_f16 v[8:15], v[32:39], v[32:39], v[8:15]
// ---- 1250 multiplied ----
    v_nop
    v_nop
    v_nop
    v_nop
    v_nop // a
    v_wmma_f32_16x16x32_f16 v[16:23], v[8:15], v[32:39], v[16:23]
    v_nop
    v_nop
    v_nop
    v_nop
    v_nop
    v_mov_b32 v31, v16
// ---- 1250 read ----
    v_nop
    v_nop
    v_nop
    v_nop // a
    v_mov_b32 v31, v8
// ---- 1250 written ----
    v_nop
    v_nop
    v_nop
    v_nop // a
    v_mov_b32 v8, 5
    v_nop
    v_nop
    v_nop
    v_nop
    v_nop
    v_mov_b32 v31, v8
// ---- beside ----
    v_rcp_f32 v1, v3
    v_nop // a
    v_mov_b32 v31, v1
