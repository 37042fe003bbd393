// Kernels of test_copies.c. kernarg: words to read, where results go, two descriptors of tensors.
// Each lane has 4 times its number in v1 and its number and 100 in v3; 64 dwords of LDS are 0.
// ---- begin ----
    s_load_b128 s[4:7], s[0:1], 0x0
    s_load_b128 s[8:11], s[0:1], 0x10
    s_load_b256 s[12:19], s[0:1], 0x20
    s_load_b128 s[20:23], s[0:1], 0x40
    s_load_b256 s[24:31], s[0:1], 0x50
    v_and_b32 v0, 31, v0
    v_lshlrev_b32 v1, 2, v0
    v_mov_b32 v2, 0
    v_add_nc_u32 v3, 100, v0
    s_wait_kmcnt 0
    ds_store_b32 v1, v2
    ds_store_b32 v1, v2 offset:128
    s_wait_dscnt 0
// ---- end ----
    ds_load_b32 v4, v1
    s_wait_dscnt 0
    global_store_b32 v1, v4, s[6:7]
    s_endpgm
// ---- load ----
    global_load_async_to_lds_b32 v1, v1, s[4:5]
    s_wait_asynccnt 0 // a
// ---- idle ----
    global_load_async_to_lds_b32 v1, v1, s[4:5]
    s_wait_idle // a
// ---- two loads ----
    global_load_async_to_lds_b32 v1, v1, s[4:5]
    global_load_async_to_lds_b32 v1, v1, s[4:5] offset:128
    s_wait_asynccnt 1 // a
// ---- store, load ----
    global_store_async_from_lds_b32 v1, v1, s[6:7] offset:128
    global_load_async_to_lds_b32 v1, v1, s[4:5]
    s_wait_asynccnt 0 // a
// ---- load, store ----
    global_load_async_to_lds_b32 v1, v1, s[4:5]
    global_store_async_from_lds_b32 v1, v1, s[6:7] offset:128
    s_wait_asynccnt 0 // a
// ---- store ----
    ds_store_b32 v1, v3
    s_wait_dscnt 0 // a
    global_store_async_from_lds_b32 v1, v1, s[6:7]
    s_wait_asynccnt 0 // b
    ds_store_b32 v1, v2
    s_endpgm
// ---- tensor ----
    tensor_load_to_lds s[8:11], s[12:19]
    s_wait_tensorcnt 0 // a
// ---- two tensors ----
    tensor_load_to_lds s[8:11], s[12:19]
    tensor_load_to_lds s[20:23], s[24:31]
    s_wait_tensorcnt 1 // a
// ---- tensor store ----
    ds_store_b32 v1, v3
    s_wait_dscnt 0 // a
    tensor_store_from_lds s[8:11], s[12:19]
    s_wait_tensorcnt 0 // b
    global_load_b32 v4, v1, s[4:5]
    s_wait_loadcnt 0
    global_store_b32 v1, v4, s[6:7]
    s_endpgm
// The barrier in LDS is in phase 1 and waits for one arrival.
// ---- barrier ----
    v_mov_b32 v5, 0
    v_mov_b32 v4, 0x20000000
    s_mov_b32 exec_lo, 1
    ds_store_b64 v2, v[4:5] offset:256
// ---- arrive ----
    ds_atomic_async_barrier_arrive_b64 v2 offset:256
// ---- copy ----
    s_mov_b32 exec_lo, -1
    global_load_async_to_lds_b32 v1, v1, s[4:5]
    s_mov_b32 exec_lo, 1
// ---- until phase 0 ----
again:
    ds_load_b32 v6, v2 offset:256
    s_wait_dscnt 0
    v_readfirstlane_b32 s33, v6
    s_lshr_b32 s33, s33, 29
    s_cmp_eq_u32 s33, 0
    s_cbranch_scc0 again
    s_mov_b32 exec_lo, -1
// Work-group 0 stores from LDS, then a flag; work-group 1 waits for the flag.
// ---- message ----
    s_cmp_eq_u32 ttmp9, 0
    s_cbranch_scc0 reader
    ds_store_b32 v1, v3
    s_wait_dscnt 0
    global_store_async_from_lds_b32 v1, v1, s[4:5]
    s_wait_asynccnt 0 // a
    global_store_b32 v2, v3, s[4:5] offset:1024 scope:SCOPE_DEV
    s_endpgm
reader:
    global_load_b32 v6, v2, s[4:5] offset:1024 scope:SCOPE_DEV
    s_wait_loadcnt 0
    v_readfirstlane_b32 s33, v6
    s_cmp_lt_u32 s33, 100
    s_cbranch_scc1 reader
    global_load_b32 v4, v1, s[4:5] scope:SCOPE_DEV
    s_wait_loadcnt 0
    global_store_b32 v1, v4, s[6:7]
    s_endpgm
// A load to v260 from where v257 says, which changes behind it.
// ---- upper registers ----
    s_set_vgpr_msb 0x40
    v_mov_b32 v1, v1 // v257
    s_set_vgpr_msb 0x41
    global_load_b32 v4, v1, s[4:5]
    v_mov_b32 v1, 0 // v257
    s_wait_loadcnt 0 // a
    s_set_vgpr_msb 0x1
    v_mov_b32 v4, v4 // from v260
    s_set_vgpr_msb 0
    global_store_b32 v1, v4, s[6:7]
    s_endpgm
// On older GPUs. s[8:11] is a buffer of the words to read; s12 is the first lane's number in the work-group.
// ---- old begin ----
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_readfirstlane_b32 s12, v0
    v_and_b32 v0, 31, v0
    v_lshlrev_b32 v1, 2, v0
    v_mov_b32 v2, 0
    v_mov_b32 v3, 100
    v_mad_u32_u24 v3, v0, 1, v3
    s_mov_b32 m0, -1
    ds_write_b32 v1, v2
    ds_write_b32 v1, v2 offset:128
    s_waitcnt lgkmcnt(0)
    s_mov_b32 s8, s4
    s_mov_b32 s9, s5
    s_movk_i32 s10, 0x1000
    s_mov_b32 s11, buffer_word
    s_mov_b32 m0, lds_word
    s_mov_b64 exec, 0xffffffff
    s_nop 4
// ---- old end ----
    ds_read_b32 v4, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v4, s[6:7]
    s_endpgm
// ---- buffer to LDS ----
    buffer_load_dword v1, s[8:11], 0 offen lds
    s_waitcnt vmcnt(0) // a
// ---- two buffers to LDS ----
    buffer_load_dword v1, s[8:11], 0 offen lds
    s_mov_b32 m0, lds_word + 0x80
    s_nop 0
    buffer_load_dword v1, s[8:11], 0 offen lds
    s_waitcnt vmcnt(1) // a
// ---- load, buffer to LDS ----
    global_load_dword v4, v1, s[4:5]
    buffer_load_dword v1, s[8:11], 0 offen lds
    s_waitcnt vmcnt(0) // a
// The second wave loads, the first one reads.
// ---- for another wave ----
    s_barrier
    s_cmp_eq_u32 s12, 0
    s_cbranch_scc1 meet
    buffer_load_dword v1, s[8:11], 0 offen lds
    s_waitcnt vmcnt(0) // a
meet:
    s_barrier
    s_cmp_eq_u32 s12, 0
    s_cbranch_scc1 first
    s_endpgm
first:
// ---- global to LDS ----
    global_load_lds_dword v1, s[4:5]
    s_waitcnt vmcnt(0) // a
// ---- four dwords to LDS ----
    s_mov_b64 exec, 0xff
    v_lshlrev_b32 v5, 4, v0
    s_nop 0
    global_load_lds_dwordx4 v5, s[4:5]
    s_mov_b64 exec, 0xffffffff
    s_waitcnt vmcnt(0) // a
// The lane's number is in the address of the buffer, of dwords.
// ---- buffer from LDS ----
    s_mov_b32 s8, s6
    s_or_b32 s9, s7, 0x40000
    s_mov_b32 s11, 0x800000
    ds_write_b32 v1, v3
    s_waitcnt lgkmcnt(0) // a
    buffer_store_lds_dword s[8:11], 0 lds
    s_waitcnt vmcnt(0) // b
    ds_write_b32 v1, v2
    s_endpgm
