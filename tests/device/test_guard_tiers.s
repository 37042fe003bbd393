// Kernels for test_guard_tiers.c, of both wave sizes. Arguments: y, x, z, size of a group.
// v0: byte offset of the work-item's dword, v1 to v9 and s16 to s23 have values.

// ---- prolog ----
 s_load_dwordx4 s[4:7], s[0:1], 0x0
 s_load_dwordx4 s[8:11], s[0:1], 0x10
 s_mov_b32 s16, 16
 s_mov_b32 s17, 17
 s_waitcnt lgkmcnt(0)
 s_mul_i32 s12, s10, s2
 v_add_nc_u32 v0, s12, v0
 v_lshlrev_b32 v0, 2, v0
 v_mov_b32 v1, 1
 v_mov_b32 v2, 2
 v_mov_b32 v3, 3
 v_mov_b32 v4, 4
 v_mov_b32 v5, 5
 v_mov_b32 v6, 6
 v_mov_b32 v7, 7
 v_mov_b32 v8, 8
 v_mov_b32 v9, 9
 s_mov_b32 s18, 18
 s_mov_b32 s19, 19

// ---- line ----
// y = 3 x + y
 global_load_dword v1, v0, s[6:7]
 s_add_u32 s16, s16, 1
 global_load_dword v2, v0, s[4:5]
 s_waitcnt vmcnt(0)
 v_mul_lo_u32 v3, v1, 3
 v_add_nc_u32 v2, v3, v2
 v_cmp_gt_u32 vcc_lo, v2, v1
 global_store_dword v0, v2, s[4:5]
 v_mov_b32 v4, v3
 s_endpgm

// ---- shifted ----
// y = 5 x: where y is x, some work-items further on, a wave that began anew would read what it has written.
 global_load_dword v1, v0, s[6:7]
 s_waitcnt vmcnt(0)
 v_mul_lo_u32 v2, v1, 5
 s_add_u32 s17, s17, s16
 v_add_nc_u32 v3, 1, v2
 global_store_dword v0, v2, s[4:5]
 s_endpgm

// ---- twice ----
// y += 1, then z += 1 and y += 1, and then z and x are read.
 global_load_dword v1, v0, s[4:5]
 s_waitcnt vmcnt(0)
 v_add_nc_u32 v1, 1, v1
 global_store_dword v0, v1, s[4:5]
 v_add_nc_u32 v2, 7, v1
 s_add_u32 s16, s16, s17
 global_load_dword v3, v0, s[8:9]
 s_waitcnt vmcnt(0)
 v_add_nc_u32 v3, 1, v3
 global_store_dword v0, v3, s[8:9]
 global_load_dword v4, v0, s[4:5]
 s_waitcnt vmcnt(0)
 v_add_nc_u32 v4, 1, v4
 global_store_dword v0, v4, s[4:5]
 v_add_nc_u32 v5, v3, v2
 global_load_dword v8, v0, s[8:9]
 v_mov_b32 v9, v5
 global_load_dword v6, v0, s[6:7]
 s_waitcnt vmcnt(0)
 v_add_nc_u32 v7, 1, v6
 s_endpgm

// ---- maybe ----
// Waves of odd numbers add 1 to y, and all read x, then, and write z: those that wrote begin nothing anew.
 v_lshrrev_b32 v1, 2, v0
 v_lshrrev_b32 v1, 6, v1
 v_readfirstlane_b32 s16, v1
 s_and_b32 s17, s16, 1
 s_cbranch_scc0 maybe_read
 global_load_dword v2, v0, s[4:5]
 v_mov_b32 v8, v1
 s_add_u32 s2, s2, 0x100
 s_waitcnt vmcnt(0)
 v_add_nc_u32 v2, 1, v2
 global_store_dword v0, v2, s[4:5]
maybe_read:
 v_add_nc_u32 v9, 9, v1
 global_load_dword v3, v0, s[6:7]
 s_waitcnt vmcnt(0)
 v_add_nc_u32 v4, v3, v2
 global_store_dword v0, v4, s[8:9]
 s_endpgm

// ---- some ----
// y = x + 1 in lanes other than every fourth.
 v_and_b32 v1, 12, v0
 v_cmpx_ne_u32 v1, v4
 global_load_dword v2, v0, s[6:7]
 s_waitcnt vmcnt(0)
 v_add_nc_u32 v2, 1, v2
 v_mov_b32 v3, v2
 global_store_dword v0, v2, s[4:5]
 s_endpgm

// ---- scattered ----
// Lanes turned around in pairs: y = x + 1.
 v_xor_b32 v1, 4, v0
 global_load_dword v2, v1, s[6:7]
 s_waitcnt vmcnt(0)
 v_add_nc_u32 v2, 1, v2
 global_store_dword v1, v2, s[4:5]
 s_endpgm

// ---- unused ----
// What is loaded from x is used by nobody.
 global_load_dword v1, v0, s[6:7]
 s_waitcnt vmcnt(0)
 v_mov_b32 v1, v2
 v_add_nc_u32 v3, v1, v0
 global_store_dword v0, v3, s[4:5]
 s_endpgm

// ---- scalar ----
// y = x of the wave's first lane.
 v_readfirstlane_b32 s16, v0
 s_add_u32 s18, s6, s16
 s_addc_u32 s19, s7, 0
 s_load_dword s17, s[18:19], 0x0
 s_waitcnt lgkmcnt(0)
 v_add_nc_u32 v2, s17, v0
 global_store_dword v0, v2, s[4:5]
 s_endpgm

// ---- unused_scalars ----
// 16 bytes from x at the wave's first lane, used by nobody.
 v_readfirstlane_b32 s16, v0
 s_add_u32 s18, s6, s16
 s_addc_u32 s19, s7, 0
 s_and_b32 s18, s18, 0xfffffff0
 s_load_dwordx4 s[12:15], s[18:19], 0x0
 s_waitcnt lgkmcnt(0)
 s_mov_b32 s12, 12
 s_mov_b32 s13, 13
 s_mov_b64 s[14:15], 14
 v_add_nc_u32 v2, s12, v0
 global_store_dword v0, v2, s[4:5]
 s_endpgm

// ---- loop ----
// Four times y += x, x of the next group's work-items then.
 s_mov_b32 s16, 4
 s_lshl_b32 s17, s10, 2
 v_mov_b32 v1, v0
loop_next:
 global_load_dword v2, v1, s[6:7]
 v_add_nc_u32 v1, s17, v1
 s_waitcnt vmcnt(0)
 v_add_nc_u32 v3, v3, v2
 s_add_u32 s16, s16, -1
 s_cmp_lg_u32 s16, 0
 s_cbranch_scc1 loop_next
 global_store_dword v0, v3, s[4:5]
 s_endpgm

// ---- atomic ----
// The first dword at z counts lanes, then y = x.
 v_mov_b32 v1, 0
 global_atomic_add v1, v2, s[8:9]
 v_add_nc_u32 v3, v2, v0
 global_load_dword v4, v0, s[6:7]
 s_waitcnt vmcnt(0)
 v_add_nc_u32 v5, v4, v3
 global_store_dword v0, v5, s[4:5]
 s_endpgm

// ---- lds ----
// LDS counts, and lanes take what it had, then y = x.
 v_mov_b32 v1, 0
 s_mov_b32 m0, -1
 ds_add_rtn_u32 v3, v1, v2
 s_waitcnt lgkmcnt(0)
 global_load_dword v4, v0, s[6:7]
 s_waitcnt vmcnt(0)
 v_add_nc_u32 v5, v4, v3
 global_store_dword v0, v5, s[4:5]
 s_endpgm

// ---- sum ----
// A sum of the wave's x over LDS behind a barrier, to y.
 global_load_dword v1, v0, s[6:7]
 v_and_b32 v2, 0xff, v0
 s_waitcnt vmcnt(0)
 ds_write_b32 v2, v1
 s_waitcnt lgkmcnt(0)
 s_barrier
 v_xor_b32 v3, 4, v2
 ds_read_b32 v4, v3
 global_load_dword v5, v0, s[8:9]
 s_waitcnt vmcnt(0) lgkmcnt(0)
 v_add_nc_u32 v6, v4, v5
 global_store_dword v0, v6, s[4:5]
 s_endpgm
