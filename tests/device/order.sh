#!/bin/sh
# Waves of a group behind a barrier, as cards run them: at the same time. What all of them read is read before the first
# work-item replaces it (rocSOLVER's potf2_kernel_small), and an item sums up what those before it left before these
# replace it (its stebz_splitting_kernel). Libraries rely on both.
# tests/device/order.sh BINARY
export SOFTWAVE_CACHE=
softwave=${1:-build/softwave}
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

kernel() { # NAME BODY: v0 is the item, v3 its result, LDS is zero
    {
        printf '.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"\n.globl k\n.p2align 8\n.type k,@function\nk:\n'
        printf ' s_load_b64 s[2:3], s[0:1], 0x0\n v_and_b32 v0, 0x3ff, v0\n v_mov_b32 v1, 0\n v_mov_b32 v2, 0\n v_mov_b32 v3, 0\n'
        printf ' v_lshlrev_b32 v6, 2, v0\n ds_store_b32 v6, v2\n s_mov_b32 s4, 0\n s_waitcnt lgkmcnt(0)\n s_barrier\n%s\n' "$2"
        printf ' global_store_b32 v6, v3, s[2:3]\n s_endpgm\n'
        printf '.rodata\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 16\n.amdhsa_next_free_sgpr 16\n.amdhsa_group_segment_fixed_size 4096\n'
        printf '.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_wavefront_size32 1\n.end_amdhsa_kernel\n'
        printf '.amdgpu_metadata\namdhsa.version: [1, 2]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 8\n'
        printf '    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 4096\n    .private_segment_fixed_size: 0\n    .wavefront_size: 32\n'
        printf '    .sgpr_count: 16\n    .vgpr_count: 16\n    .max_flat_workgroup_size: 1024\n'
        printf '    .args:\n      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}\n.end_amdgpu_metadata\n'
    } >"$work/$1.s"
    "$softwave" as -mcpu=gfx1100 "$work/$1.s" -o "$work/$1.o" && "$softwave" ld -shared "$work/$1.o" -o "$work/$1.co" || failed=$((failed + 1))
}
# In each of 8 rounds all work-items read a value of LDS, and item 0 adds 1 to it before the next barrier. The sum of
# what an item has read is 0 + 1 + ... + 7 = 28.
kernel all_read ' again:
 ds_load_b32 v4, v1
 s_waitcnt lgkmcnt(0)
 v_add_nc_u32 v3, v3, v4
 v_add_nc_u32 v5, 1, v4
 v_cmp_eq_u32 vcc_lo, 0, v0
 s_and_saveexec_b32 s5, vcc_lo
 ds_store_b32 v1, v5
 s_mov_b32 exec_lo, s5
 s_waitcnt lgkmcnt(0)
 s_barrier
 s_add_i32 s4, s4, 1
 s_cmp_lt_u32 s4, 8
 s_cbranch_scc1 again'
# In each of 8 rounds an item sums up the words of those before it, then adds 1 to its own. In round r it finds r in each;
# the sums of all rounds are 28 for each item before it.
kernel sums ' v_mov_b32 v9, 0
round:
 v_mov_b32 v7, 0
 s_mov_b32 s5, exec_lo
next:
 v_cmp_lt_u32 vcc_lo, v7, v0
 s_and_b32 exec_lo, s5, vcc_lo
 s_cbranch_execz summed
 v_lshlrev_b32 v8, 2, v7
 ds_load_b32 v4, v8
 s_waitcnt lgkmcnt(0)
 v_add_nc_u32 v3, v3, v4
 v_add_nc_u32 v7, 1, v7
 s_branch next
summed:
 s_mov_b32 exec_lo, s5
 v_add_nc_u32 v9, 1, v9
 ds_store_b32 v6, v9
 s_waitcnt lgkmcnt(0)
 s_barrier
 s_add_i32 s4, s4, 1
 s_cmp_lt_u32 s4, 8
 s_cbranch_scc1 round'

# Waves write down in which order they run: each takes a number before the barrier and puts its name and its round there, 16 rounds long. One
# ends early, one sleeps, one loops for longer than it may at once, one has rounding modes of its own, one meets the others
# elsewhere. With counts, each wave stops at a barrier and the scheduler chooses; without, waves hand over to each other.
kernel turns ' s_mov_b32 exec_lo, 1
 v_readfirstlane_b32 s6, v0
 v_mov_b32 v7, 1
turn:
 s_lshl_b32 s7, s4, 16
 s_or_b32 s7, s7, s6
 s_cmp_eq_u32 s7, 0xc0040
 s_cbranch_scc1 over
 s_cmp_lg_u32 s7, 0x50020
 s_cbranch_scc1 awake
 s_sleep 1
awake:
 s_cmp_lg_u32 s7, 0x700a0
 s_cbranch_scc1 fast
 s_movk_i32 s8, 25000
slow:
 s_sub_u32 s8, s8, 1
 s_cmp_lg_u32 s8, 0
 s_cbranch_scc1 slow
fast:
 s_cmp_lg_u32 s7, 0x900c0
 s_cbranch_scc1 near
 s_round_mode 3
near:
 ds_add_rtn_u32 v4, v1, v7
 s_waitcnt lgkmcnt(0)
 v_lshlrev_b32 v4, 2, v4
 v_mov_b32 v5, s7
 global_store_b32 v4, v5, s[2:3]
 s_bitcmp1_b32 s6, 5
 s_cbranch_scc1 elsewhere
 s_barrier
 s_branch met
elsewhere:
 s_barrier
met:
 s_add_i32 s4, s4, 1
 s_cmp_lt_u32 s4, 16
 s_cbranch_scc1 turn
over:
 s_endpgm'
same_order() {
    for items in 64 160 256 1024; do
        "$softwave" run --stats -g $((4 * items)) -b "$items" "$work/turns.co" buf:65536,out="$work/alone" >/dev/null 2>&1 || failed=$((failed + 1))
        for tier in 0 1 2; do
            "$softwave" run --tier=$tier --threads=1 -g $((4 * items)) -b "$items" "$work/turns.co" buf:65536,out="$work/handed" >/dev/null 2>&1
            if cmp -s "$work/alone" "$work/handed"; then passed=$((passed + 1)); else
                failed=$((failed + 1))
                echo "turns, tier $tier, $items work-items: waves run in another order"
            fi
        done
    done
}
check() { # KERNEL EXPECTED: awk's expression for item i
    for tier in 0 1 2; do
        for items in 32 64 96 256 1024; do
            out=$("$softwave" run --tier=$tier -g "$items" -b "$items" "$work/$1.co" buf:$((items * 4)),show=u32:"$items" 2>&1)
            right=$(echo "$out" | sed 's/^[^:]*://' | tr -s ' ' '\n' | awk "/^[0-9]+\$/ {right += \$1 == ($2); i++} END {print right + 0}")
            if [ "$right" -eq "$items" ]; then passed=$((passed + 1)); else
                failed=$((failed + 1))
                echo "$1, tier $tier, $items work-items: $right are right"
            fi
        done
    done
}
check all_read 28
check sums 'i * 28'
same_order
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
