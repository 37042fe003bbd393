// Code that test_client.c works on; see tests/piece.h.

// ---- caller ----
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    s_swappc_b64 s[30:31], s[4:5]
    v_mov_b32 v0, 0
    v_mov_b32 v1, s8
    global_store_dword v0, v1, s[6:7]
    s_endpgm

// ---- packets_and_queues: code ----
    s_load_dwordx2 s[6:7], s[4:5], 0x0
    s_load_dword s8, s[0:1], 0xc
    s_load_dword s9, s[2:3], 0x40
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v0, 0
    v_mov_b32 v1, s8
    v_mov_b32 v2, s9
    global_store_dwordx2 v0, v[1:2], s[6:7]
    s_endpgm
