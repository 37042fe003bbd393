// Code that test_guests.c works on; see tests/piece.h. Arguments: {word, counter}.

// ---- waits ----
// Each group adds one to the counter and waits until the word is not 0.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_mov_b32 v1, 1
    v_mov_b32 v2, 0
    s_waitcnt lgkmcnt(0)
    v_cmp_eq_u32 vcc, 0, v0
    s_and_saveexec_b64 s[8:9], vcc
    global_atomic_add v2, v1, s[6:7]
again:
    s_load_dword s10, s[4:5], 0x0 glc
    s_waitcnt lgkmcnt(0)
    s_cmp_eq_u32 s10, 0
    s_cbranch_scc1 again
    s_endpgm

// ---- counts ----
// Each group adds one to the counter and writes 1 to the word.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_mov_b32 v1, 1
    v_mov_b32 v2, 0
    s_waitcnt lgkmcnt(0)
    v_cmp_eq_u32 vcc, 0, v0
    s_and_saveexec_b64 s[8:9], vcc
    global_atomic_add v2, v1, s[6:7]
    global_store_dword v2, v1, s[4:5]
    s_endpgm
