// Code that test_cache.c works on; see tests/piece.h.

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
