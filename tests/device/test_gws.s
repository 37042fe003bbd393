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

// ---- share ----
// Every wave adds its work-items to the first two counters of its part of the global data share, 16 bytes at 0x100,
// and one past its end; the sum before goes to words[16 + 2 group], and 0 behind it.
    s_mov_b32 s4, s2
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_mov_b32 m0, 0x01000010
    v_mov_b32 v1, 4
    v_mov_b32 v2, 3
    v_mov_b32 v5, 16
    ds_append v3 gds
    s_mov_b64 s[6:7], exec
    s_mov_b64 exec, 1
    ds_add_rtn_u32 v6, v1, v2 gds
    ds_add_rtn_u32 v4, v5, v2 gds
    s_lshl_b32 s4, s4, 3
    s_add_u32 s4, s4, 64
    s_waitcnt lgkmcnt(0)
    s_add_u32 s2, s2, s4
    s_addc_u32 s3, s3, 0
    v_mov_b32 v0, 0
    global_store_dword v0, v3, s[2:3]
    global_store_dword v0, v4, s[2:3] offset:4
    s_endpgm

// ---- share: sums ----
// The counters of that part, of one that begins with the second of them, and the word behind it.
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_mov_b32 m0, 0x01000010
    s_mov_b64 exec, 1
    v_mov_b32 v0, 0
    v_mov_b32 v1, 4
    ds_read_b32 v2, v0 gds
    s_waitcnt lgkmcnt(0)
    ds_read_b32 v3, v1 gds
    s_waitcnt lgkmcnt(0)
    s_mov_b32 m0, 0x0104ffff
    ds_read_b32 v4, v0 gds
    ds_read_b32 v5, v1 offset:8 gds
    s_waitcnt lgkmcnt(0)
    global_store_dword v0, v2, s[2:3]
    global_store_dword v0, v3, s[2:3] offset:4
    global_store_dword v0, v4, s[2:3] offset:8
    global_store_dword v0, v5, s[2:3] offset:12
    s_endpgm

// ---- ordered ----
// Waves of four a group add 3 to counter 2 at 0x40, in their order; what it was goes to words[wave]. The younger a
// wave, the sooner it asks.
    s_mov_b32 s4, s2
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_readfirstlane_b32 s5, v0
    s_lshr_b32 s5, s5, 6
    s_lshl_b32 s6, s4, 2
    s_add_u32 s5, s5, s6
    s_sub_u32 s6, 0x40, s5
    s_lshl_b32 s6, s6, 4
    s_max_i32 s6, s6, 1
l: s_sub_u32 s6, s6, 1
    s_cmp_lg_u32 s6, 0
    s_cbranch_scc1 l
    s_mov_b32 m0, 0x00400000
    v_mov_b32 v1, 3
    ds_ordered_count v2, v1 offset:776 gds
    s_lshl_b32 s5, s5, 2
    v_mov_b32 v3, s5
    s_waitcnt lgkmcnt(0)
    s_mov_b64 exec, 1
    global_store_dword v3, v2, s[2:3]
    s_endpgm
