// Code that test_profile.c works on; see tests/piece.h.

// ---- code ----
    s_load_dwordx2 s[2:3], s[0:1], 0x0  // 0
    v_lshlrev_b32 v1, 7, v0  // 8: lane * 128
    v_lshlrev_b32 v2, 2, v0  // 12
    v_lshlrev_b32 v3, 6, v0  // 16
    s_mov_b32 m0, -1  // 20
    s_waitcnt lgkmcnt(0)  // 24
    ds_write_b32 v1, v0  // 28
    ds_write_b32 v2, v0  // 36
    s_barrier  // 44
    global_load_dword v4, v3, s[2:3]  // 48
    s_waitcnt vmcnt(0)  // 56
    global_store_dword v2, v0, s[2:3]  // 60
    s_mov_b32 s4, 5  // 68
    s_mov_b64 s[6:7], exec  // 72
    s_mov_b32 exec_hi, 0xff  // 76: 8 + 32 lanes
l: v_add_u32 v4, 1, v4  // 84
    s_sub_u32 s4, s4, 1  // 88
    s_cmp_lg_u32 s4, 0  // 92
    s_cbranch_scc1 l  // 96
    s_mov_b64 exec, s[6:7]  // 100
    s_getpc_b64 s[8:9]  // 104
    s_add_u32 s8, s8, 16  // 108: from 108 to 124
    s_addc_u32 s9, s9, 0  // 112
    s_swappc_b64 s[10:11], s[8:9]  // 116
    s_endpgm  // 120
.type f,@function
f:
    s_nop 3  // 124
    ds_read2_b32 v[5:6], v1 offset1:1  // 128
    s_setpc_b64 s[10:11]
