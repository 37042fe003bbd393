// Code that test_gws.c works on; see tests/piece.h.

// ---- grid_barriers: code ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_mov_b32 m0, 0x30000
    v_mov_b32 v0, 39
    v_mov_b32 v1, 1
    v_mov_b32 v4, 0
    s_movk_i32 s5, 8
    s_mov_b64 exec, 1
    s_waitcnt lgkmcnt(0)
l: global_atomic_add v4, v1, s[2:3]
    s_waitcnt vmcnt(0)
    ds_gws_barrier v0 offset:60 gds
    s_waitcnt 0
    global_load_dword v3, v4, s[2:3] glc
    s_waitcnt vmcnt(0)
    v_cmp_ne_u32 vcc, 40, v3
    s_cbranch_vccnz wrong
    v_add_u32 v4, 4, v4
    s_sub_u32 s5, s5, 1
    s_cmp_lg_u32 s5, 0
    s_cbranch_scc1 l
    s_endpgm
wrong: s_trap 2
    s_endpgm

// ---- give_three ----
// the first executing lane says how many
    s_mov_b32 m0, 0xff070000
    v_mov_b32 v0, 100
    s_mov_b64 exec, 4
    v_mov_b32 v0, 3
    s_mov_b64 exec, -4
    ds_gws_sema_br v0 gds
    s_waitcnt 0
    s_endpgm
