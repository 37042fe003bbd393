// Code that test_safety.c works on; see tests/piece.h.

// ---- registers_of_this_kernel: text ----
.text
.globl ka
.p2align 8
.type ka,@function
ka: s_endpgm
.globl kb
.p2align 8
.type kb,@function
kb: s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_mov_b32 v23, 42
    v_mov_b32 v0, 7
    s_mov_b32 m0, 22
    v_movrels_b32 v2, v1
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v4, s2
    v_mov_b32 v5, s3
    flat_store_dword v[4:5], v2
    s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel ka
.amdhsa_next_free_vgpr 16
.amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.p2align 6
.amdhsa_kernel kb
.amdhsa_next_free_vgpr 24
.amdhsa_next_free_sgpr 8
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel

// ---- block_store: code ----
    s_load_b64 s[2:3], s[0:1], 0x0
    s_mov_b32 m0, -1
    v_mov_b32 v1, 0x11
    v_mov_b32 v2, 0x22
    v_mov_b32 v0, 0
    s_mov_b32 exec_lo, 1
    s_wait_kmcnt 0x0
    global_store_block v0, v[200:231], s[2:3]
    s_endpgm

// ---- status_of_nothing: code ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v1, s2
    v_mov_b32 v2, s3
    v_mov_b32 v3, 5
    s_mov_b32 s20, 77
    s_mov_b64 exec, 1
.long 0xdcc80000
.long 0x00800301  // flat_atomic_add v[1:2], v3 tfe
    s_mov_b64 exec, 1
    v_mov_b32 v3, s20
    v_add_i32 v1, vcc, 4, v1
    v_addc_u32 v2, vcc, 0, v2, vcc
    flat_store_dword v[1:2], v3
    s_endpgm

// ---- indexed_halves: out_of_range ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v1, 1
    v_mov_b32 v2, 2
    v_mov_b32 v3, 3
    s_movk_i32 s6, 250
    s_set_gpr_idx_on s6, 0x8
    v_mad_u16 v5, v1, v2, v3
    v_mad_u16 v255, v1, v2, v3
    v_mad_legacy_u16 v0, v1, v2, v3
    s_set_gpr_idx_off
    s_mov_b64 exec, 1
    v_mov_b32 v0, 0
    global_store_dword v0, v1, s[2:3]
    global_store_dword v0, v2, s[2:3] offset:4
    global_store_dword v0, v3, s[2:3] offset:8
    s_endpgm

// ---- indexed_halves: within ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v1, 0x50001
    v_mov_b32 v2, 0x60002
    v_mov_b32 v3, 0x70003
    s_mov_b32 s6, 1
    s_set_gpr_idx_on s6, 0x8
    v_add_u16_e64 v2, v1, v2
    v_add_f16_e64 v1, 1.0, 1.0
    v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:DWORD
    s_set_gpr_idx_off
    s_mov_b64 exec, 1
    v_mov_b32 v0, 0
    global_store_dword v0, v1, s[2:3]
    global_store_dword v0, v2, s[2:3] offset:4
    global_store_dword v0, v3, s[2:3] offset:8
    s_endpgm

// ---- indexed_accumulator: code ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v1, 2.0
    v_mov_b32 v2, 1.0
    v_mov_b32 v3, 4.0
    s_mov_b32 s6, 2
    s_set_gpr_idx_on s6, 0x8
    v_mac_f32 v1, v1, v1
    s_set_gpr_idx_off
    s_mov_b64 exec, 1
    v_mov_b32 v0, 0
    global_store_dword v0, v1, s[2:3]
    global_store_dword v0, v2, s[2:3] offset:4
    global_store_dword v0, v3, s[2:3] offset:8
    s_endpgm

// ---- indexed_accumulator: lane ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v1, 1
    v_mov_b32 v2, 2
    v_mov_b32 v3, 3
    s_mov_b32 s6, 2
    s_mov_b32 s7, 99
    s_set_gpr_idx_on s6, 0x8
    s_mov_b64 exec, 2
    v_writelane_b32 v1, s7, 0
    s_set_gpr_idx_off
    s_mov_b64 exec, 1
    v_mov_b32 v0, 0
    global_store_dword v0, v1, s[2:3]
    global_store_dword v0, v2, s[2:3] offset:4
    global_store_dword v0, v3, s[2:3] offset:8
    s_endpgm

// ---- indexed_tuples: accumulators ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)  // which M0 does not move
    s_movk_i32 s6, 40
    s_set_gpr_idx_on s6, 0xf
    v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]
    s_set_gpr_idx_off
    s_mov_b64 exec, 1
    v_mov_b32 v1, 1
    v_mov_b32 v2, 2
    v_mov_b32 v3, 3
    v_mov_b32 v0, 0
    global_store_dword v0, v1, s[2:3]
    global_store_dword v0, v2, s[2:3] offset:4
    global_store_dword v0, v3, s[2:3] offset:8
    s_endpgm

// ---- indexed_tuples: code ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    s_movk_i32 s6, 200
    v_mov_b32 v4, 1.0
    v_mov_b32 v5, 1.0
    s_set_gpr_idx_on s6, 0x4
    v_mfma_f32_16x16x1_4b_f32 v[0:15], v4, v5, v[0:15]
    s_set_gpr_idx_off
    v_mov_b32 v2, 0
    v_mov_b32 v3, 0
    v_mov_b32 v1, 0
    s_mov_b64 exec, 1
    v_mov_b32 v0, 0
    global_store_dword v0, v1, s[2:3]
    global_store_dword v0, v2, s[2:3] offset:4
    global_store_dword v0, v3, s[2:3] offset:8
    s_endpgm

// ---- last_scalar_register: code ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    s_cmp_eq_u32 s2, s2
.long 0xd051af7f
.long 0x031325d0
    s_cselect_b32 s6, 1, 2
    s_mov_b64 exec, 1
    v_mov_b32 v1, s6
    v_mov_b32 v2, 0
    v_mov_b32 v3, 0
    v_mov_b32 v0, 0
    global_store_dword v0, v1, s[2:3]
    global_store_dword v0, v2, s[2:3] offset:4
    global_store_dword v0, v3, s[2:3] offset:8
    s_endpgm

// ---- misaligned_lds_exchange: code ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v0, 4
    v_mov_b32 v2, 17
    v_mov_b32 v3, 18
    s_mov_b32 m0, -1
    s_mov_b64 exec, 1
    ds_write_b64 v0, v[2:3]
    ds_wrxchg2_rtn_b64 v[4:7], v0, v[0:1], v[2:3] offset1:2
    ds_read_b32 v1, v0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v2, v4
    v_mov_b32 v3, v5
    v_mov_b32 v0, 0
    global_store_dword v0, v1, s[2:3]
    global_store_dword v0, v2, s[2:3] offset:4
    global_store_dword v0, v3, s[2:3] offset:8
    s_endpgm

// ---- loads_to_no_lds: code ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v4, s2
    v_mov_b32 v5, s3
    v_mov_b32 v6, 0
    v_mov_b32 v7, 9
    v_cmp_lt_u32 vcc, 0, v0
    v_cndmask_b32 v4, v4, v6, vcc
    v_cndmask_b32 v5, v5, v6, vcc
    s_mov_b64 s[10:11], exec
    s_mov_b64 exec, 1
    global_store_dword v[4:5], v7, off
    s_mov_b64 exec, s[10:11]
    s_mov_b32 m0, 60
    global_load_lds_dword v[4:5], off
    s_mov_b32 m0, 64
    v_mov_b32 v4, 0
    v_mov_b32 v5, 0
    global_load_lds_dword v[4:5], off
    s_waitcnt vmcnt(0)
    s_mov_b64 exec, 1
    v_mov_b32 v6, 60
    ds_read_b32 v1, v6
    v_mov_b32 v2, 2
    v_mov_b32 v3, 3
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v0, 0
    global_store_dword v0, v1, s[2:3]
    global_store_dword v0, v2, s[2:3] offset:4
    global_store_dword v0, v3, s[2:3] offset:8
    s_endpgm

// ---- fourth_workitem_id: code ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v4, v3
    v_mov_b32 v3, v2
    v_mov_b32 v2, v1
    v_mov_b32 v1, v0
    s_mov_b64 exec, 1
    v_mov_b32 v0, 0
    global_store_dword v0, v1, s[2:3]
    global_store_dword v0, v2, s[2:3] offset:4
    global_store_dword v0, v3, s[2:3] offset:8
    s_endpgm
