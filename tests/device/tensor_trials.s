// Pieces of tensor_trials.h: LDS from memory, a transfer, LDS to memory.
// kernarg: where LDS comes from, where it goes to, then the groups of the descriptor.
// ---- fill ----
    s_load_b128 s[4:7], s[0:1], 0x0
    s_load_b128 s[8:11], s[0:1], 0x10
    s_load_b256 s[12:19], s[0:1], 0x20
    s_load_b128 s[20:23], s[0:1], 0x40
    s_load_b128 s[24:27], s[0:1], 0x50
    v_and_b32 v0, 31, v0
    v_lshlrev_b32 v1, 2, v0
    v_mov_b32 v3, v1
    s_movk_i32 s28, 32
    s_wait_kmcnt 0
fill:
    global_load_b32 v2, v1, s[4:5]
    s_wait_loadcnt 0
    ds_store_b32 v1, v2
    v_add_nc_u32 v1, 0x80, v1
    s_sub_co_u32 s28, s28, 1
    s_cmp_lg_u32 s28, 0
    s_cbranch_scc1 fill
    s_wait_dscnt 0
// ---- load ----
    tensor_load_to_lds s[8:11], s[12:19], s[20:23], s[24:27]
// ---- load_two_groups ----
    tensor_load_to_lds s[8:11], s[12:19]
// ---- load_without_lanes ----
    s_mov_b32 exec_lo, 0
    tensor_load_to_lds s[8:11], s[12:19], s[20:23], s[24:27]
    s_mov_b32 exec_lo, -1
// ---- store ----
    tensor_store_from_lds s[8:11], s[12:19], s[20:23], s[24:27]
// ---- keep ----
    s_wait_tensorcnt 0
    s_movk_i32 s28, 32
keep:
    ds_load_b32 v2, v3
    s_wait_dscnt 0
    global_store_b32 v3, v2, s[6:7]
    v_add_nc_u32 v3, 0x80, v3
    s_sub_co_u32 s28, s28, 1
    s_cmp_lg_u32 s28, 0
    s_cbranch_scc1 keep
    s_endpgm
