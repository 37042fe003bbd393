// Code that test_lifetime.c works on; see tests/piece.h.

// ---- unload_at_a_barrier ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_readfirstlane_b32 s6, v0
    s_waitcnt lgkmcnt(0)
    s_cmp_eq_u32 s6, 0
    s_cbranch_scc0 l
    s_swappc_b64 s[4:5], s[2:3]
    s_endpgm
l: s_load_dword s7, s[0:1], 0x8
    s_waitcnt lgkmcnt(0)
    s_cmp_eq_u32 s7, 0
    s_cbranch_scc1 l
    s_barrier
    s_endpgm

// ---- jobs_that_wait_for_each_other ----
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_mov_b32 v1, 0
    v_mov_b32 v2, 1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[4:5]
l: global_load_dword v3, v1, s[6:7] glc
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s8, v3
    s_cmp_eq_u32 s8, 0
    s_cbranch_scc1 l
    s_endpgm

// ---- misuse_from_threads ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    s_movk_i32 s4, 200
l: global_atomic_add v1, v0, s[2:3]
    s_sub_u32 s4, s4, 1
    s_cbranch_scc0 l
    s_endpgm
