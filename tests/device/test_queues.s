// Code that test_queues.c works on; see tests/piece.h.

// ---- counter ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_mov_b32 v0, 0
    v_mov_b32 v1, 1
    s_waitcnt lgkmcnt(0)
    s_mov_b64 exec, 1
    global_atomic_add v2, v0, v1, s[2:3] glc
    s_waitcnt vmcnt(0)
    v_add_u32 v2, 1, v2
    global_atomic_umax v0, v2, s[2:3] offset:4
l: s_sleep 1
    global_load_dword v3, v0, s[2:3] offset:8 glc
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s4, v3
    s_cmp_eq_u32 s4, 0
    s_cbranch_scc1 l
    v_mov_b32 v1, -1
    global_atomic_add v0, v1, s[2:3]
    s_endpgm

// ---- order ----
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_mov_b32 v0, 0
    v_mov_b32 v1, 1
    s_mov_b64 exec, 1
    s_waitcnt lgkmcnt(0)
    global_atomic_add v2, v0, v1, s[4:5] glc
    s_waitcnt vmcnt(0)
    v_lshlrev_b32 v2, 2, v2
    v_mov_b32 v3, s6
    global_store_dword v2, v3, s[4:5] offset:8
    s_endpgm

// ---- meeting ----
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
