// Code that test_tier_up.c and test_cache.c work on; see tests/piece.h. s[0:1]: two pointers or numbers.

// ---- work ----
    s_mov_b32 s4, s2
    s_load_dwordx4 s[8:11], s[0:1], 0x0
    v_lshl_add_u32 v1, s4, 6, v0
    v_lshlrev_b32 v2, 2, v1
    v_cvt_f32_u32 v4, v1
    v_mov_b32 v3, 0x3f8ccccd
    s_waitcnt lgkmcnt(0)
l: v_fma_f32 v4, v4, v3, 0.5
    v_min_f32 v4, 0x501502f9, v4
    v_xor_b32 v1, v4, v1
    v_mul_lo_u32 v1, v1, v1
    v_and_b32 v7, 3, v1
    v_cmp_ne_u32 vcc, 0, v7
    s_and_saveexec_b64 s[6:7], vcc
    v_add_f32 v4, 1.0, v4
    s_mov_b64 exec, s[6:7]
    s_sub_u32 s10, s10, 1
    s_cmp_lg_u32 s10, 0
    s_cbranch_scc1 l
    v_xor_b32 v4, v4, v1
    global_store_dword v2, v4, s[8:9]
    s_endpgm

// ---- plain ----
    s_mov_b32 s4, s2
    s_load_dwordx4 s[8:11], s[0:1], 0x0
    v_lshl_add_u32 v1, s4, 6, v0
    v_lshlrev_b32 v2, 2, v1
    v_mad_u32_u24 v1, v1, 17, 5
    v_xor_b32 v4, 0x5555, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v2, v4, s[8:9]
    s_endpgm

// ---- poll ----
    s_load_dwordx4 s[8:11], s[0:1], 0x0
    v_mov_b32 v1, 0
    v_mov_b32 v5, 0
    v_lshlrev_b32 v2, 2, v0
    s_waitcnt lgkmcnt(0)
l: v_add_u32 v5, 3, v5
    v_xor_b32 v5, v5, v0
    global_load_dword v3, v1, s[10:11] glc
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s6, v3
    s_cmp_eq_u32 s6, 0
    s_cbranch_scc1 l
    v_mov_b32 v5, 7
    global_store_dword v2, v5, s[8:9]
    s_endpgm

// ---- paths ----
    s_mov_b32 s4, s2
    s_load_dwordx4 s[8:11], s[0:1], 0x0
    v_lshl_add_u32 v1, s4, 6, v0
    v_lshlrev_b32 v2, 2, v1
    s_movk_i32 s6, 100
    s_waitcnt lgkmcnt(0)
l: s_cmp_eq_u32 s10, 0
    s_cbranch_scc1 other
    v_add_u32 v1, 3, v1
    s_branch next
other: v_mul_u32_u24 v1, 5, v1
    v_xor_b32 v1, 0x77, v1
next: s_sub_u32 s6, s6, 1
    s_cmp_lg_u32 s6, 0
    s_cbranch_scc1 l
    global_store_dword v2, v1, s[8:9]
    s_endpgm

// ---- call ----
// Calls what lies at a distance that is an argument, and returns.
    s_mov_b32 s4, s2
    s_load_dwordx4 s[8:11], s[0:1], 0x0
    v_lshl_add_u32 v1, s4, 6, v0
    v_lshlrev_b32 v2, 2, v1
    s_branch start
    .p2align 8
function:
    v_mov_b32 v3, 10
    s_movk_i32 s6, 10
more:
    v_mad_u32_u24 v1, v1, 17, v3
    s_sub_u32 s6, s6, 1
    s_cmp_lg_u32 s6, 0
    s_cbranch_scc1 more
    s_setpc_b64 s[30:31]
    .p2align 8
start:
    s_getpc_b64 s[12:13]
    s_waitcnt lgkmcnt(0)
    s_add_u32 s12, s12, s10
    s_addc_u32 s13, s13, s11
    s_swappc_b64 s[30:31], s[12:13]
    v_xor_b32 v4, 0x5555, v1
    global_store_dword v2, v4, s[8:9]
    s_endpgm

// ---- long ----
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshl_add_u32 v1, s2, 6, v0
    v_lshlrev_b32 v1, 2, v1
    v_mov_b32 v2, 0
    .rept 200
    v_add_u32 v2, v2, v0
    .endr
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[4:5]
    s_endpgm
