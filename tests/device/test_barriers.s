// Code that test_barriers.c works on; see tests/piece.h. A group of waves of 32 lanes; each wave leaves what
// it found at 16 times its number in memory. s2: the wave's number in the group, v0: 4 times that in LDS.

// ---- begin ----
    s_load_b64 s[4:5], s[0:1], 0x0
    s_bfe_u32 s2, ttmp8, 0x50019
    s_lshl_b32 s3, s2, 4
    s_lshl_b32 s6, ttmp9, 6
    s_add_co_i32 s3, s3, s6
    v_mov_b32 v1, s3
    s_lshl_b32 s6, s2, 2
    v_mov_b32 v0, s6
    s_wait_kmcnt 0

// ---- all ----
    s_barrier_signal -1
    s_barrier_wait -1

// ---- store ----
    v_mov_b32 v2, s8
    v_mov_b32 v3, s9
    v_mov_b32 v4, s10
    v_mov_b32 v5, s11
    s_mov_b32 exec_lo, 1
    global_store_b128 v1, v[2:5], s[4:5]
    s_endpgm

// ---- pairs ----
// Waves 0 and 1 meet at barrier 1, waves 2 and 3 at barrier 2, five times: each adds what its partner left.
    s_mov_b32 m0, 0x20001
    s_barrier_init m0
    s_mov_b32 m0, 0x20002
    s_barrier_init m0
    s_barrier_signal -1
    s_barrier_wait -1
    s_lshr_b32 s7, s2, 1
    s_add_co_i32 s7, s7, 1
    s_mov_b32 m0, s7
    s_barrier_join m0
    v_xor_b32 v6, 4, v0
    s_mov_b32 s8, 0
    s_add_co_i32 s9, s2, 1
    s_mov_b32 s12, 5
round:
    v_mov_b32 v2, s9
    ds_store_b32 v0, v2
    s_wait_dscnt 0
    s_barrier_signal m0
    s_barrier_wait 1
    ds_load_b32 v3, v6
    s_wait_dscnt 0
    s_barrier_signal m0
    s_barrier_wait 1
    v_readfirstlane_b32 s10, v3
    s_add_co_i32 s8, s8, s10
    s_mul_i32 s9, s9, 3
    s_sub_co_i32 s12, s12, 1
    s_cmp_lg_u32 s12, 0
    s_cbranch_scc1 round
    s_getreg_b32 s11, hwreg(HW_REG_STATE_PRIV)
    s_and_b32 s11, s11, 0x1f8

// ---- leaves ----
// Waves 0 to 2 are the members of barrier 3. Wave 2 leaves instead of signalling, which lets the others pass;
// then they leave, too. s8: SCC of leaving, s9: the state behind the first round, s10: SCC of who is no member.
    s_mov_b32 s8, 0
    s_mov_b32 m0, 0x30003
    s_barrier_init m0
    s_cmp_eq_u32 s2, 3
    s_cbranch_scc1 outsider
    s_barrier_join 3
    s_barrier_signal -1
    s_barrier_wait -1
    s_cmp_eq_u32 s2, 2
    s_cbranch_scc1 away
    s_barrier_signal 3
    s_barrier_wait 3
    s_barrier_signal -1
    s_barrier_wait -1
    s_get_barrier_state s9, 3
    s_barrier_signal -1
    s_barrier_wait -1
    s_barrier_leave
    s_cselect_b32 s8, 1, 0
    s_branch done
outsider:
    s_barrier_signal -1
    s_barrier_wait -1
    s_branch behind
away:
    s_barrier_leave
    s_cselect_b32 s8, 1, 0
behind:
    s_barrier_signal -1
    s_barrier_wait -1
    s_get_barrier_state s9, 3
    s_barrier_signal -1
    s_barrier_wait -1
done:
    s_barrier_leave
    s_cselect_b32 s10, 1, 0
    s_mov_b32 s11, 0

// ---- counts ----
// Signals that bring the count of members; wave 3 signals no barrier of its own but two others'. Bits of s8:
// which signals were first. What is not allocated does nothing.
    s_mov_b32 s8, 0
    s_mov_b32 m0, 0x40004
    s_barrier_join 4
    s_barrier_signal -1
    s_barrier_wait -1
    s_mov_b32 exec_lo, 1
    s_barrier_signal_isfirst m0
    s_cselect_b32 s8, 1, 0
    s_barrier_wait 4
    s_barrier_signal_isfirst 0
    s_barrier_signal 16
    s_barrier_signal -2
    s_barrier_signal -3
    s_barrier_wait -3
    s_cmp_eq_u32 s2, 9
    s_barrier_signal_isfirst 16
    s_cselect_b32 s9, 1, 0
    s_barrier_signal -1
    s_barrier_wait -1
    s_get_barrier_state s10, -1
    s_and_b32 s10, s10, 0xff00ffff
    s_get_barrier_state s11, 4
    s_barrier_signal -1
    s_barrier_wait -1

// ---- stuck ----
    s_mov_b32 m0, 0x50001
    s_barrier_init m0
    s_barrier_join 1
    s_barrier_signal -1
    s_barrier_wait -1
    s_barrier_signal 1
    s_barrier_wait 1
