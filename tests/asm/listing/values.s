s_mov_b32 s0, k@rel32@lo+4
s_add_u32 s0, s0, k@abs32@lo
s_mov_b32 s0, k-a
s_cbranch_scc0 k
s_call_b64 s[2:3], k
s_mov_b32 s1, a
a=5
s_mov_b32 s1, a
v_add_f32 v0, k, v1
s_load_dword s0, s[2:3], 16
v_fma_f32 v0, v1, v2, v3
s_getpc_b64 s[4:5]
1: s_branch 1b
s_branch 1f
1: s_nop 0
s_setprio 0 // x
