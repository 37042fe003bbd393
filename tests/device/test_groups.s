// Code that test_groups.c works on; see tests/piece.h. Arguments: {words, block (3), items of the grid (2)}.

// ---- where ----
// Each work-item writes its group's id, a byte for each dimension, to its own word.
    s_load_dwordx4 s[8:11], s[0:1], 0x0
    s_load_dwordx4 s[12:15], s[0:1], 0x10
    s_waitcnt lgkmcnt(0)
    s_mul_i32 s5, s2, s10
    s_mul_i32 s6, s3, s11
    s_mul_i32 s7, s4, s12
    v_add_u32 v0, s5, v0
    v_add_u32 v1, s6, v1
    v_add_u32 v2, s7, v2
    v_mul_lo_u32 v2, v2, s14
    v_add_u32 v1, v1, v2
    v_mul_lo_u32 v1, v1, s13
    v_add_u32 v0, v0, v1
    v_lshlrev_b32 v0, 2, v0
    s_lshl_b32 s3, s3, 8
    s_lshl_b32 s4, s4, 16
    s_or_b32 s2, s2, s3
    s_or_b32 s2, s2, s4
    v_mov_b32 v3, s2
    global_store_dword v0, v3, s[8:9]
    s_endpgm
