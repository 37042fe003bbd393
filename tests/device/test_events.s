// Code that test_events.c works on; see tests/piece.h.

// ---- others_run_on: code ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_mov_b32 v0, 0
    s_waitcnt lgkmcnt(0)
    s_cmp_eq_u64 s[2:3], 0
    s_cbranch_scc1 fault
l: global_load_dword v1, v0, s[2:3] glc
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s4, v1
    s_cmp_eq_u32 s4, 0
    s_cbranch_scc1 l
    s_endpgm
fault: global_load_dword v1, v0, s[2:3]
    s_endpgm
