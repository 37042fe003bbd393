#!/bin/sh
# Waves of a group behind a barrier: what all of them read is read before the first work-item replaces it, as on cards,
# where they run at the same time. Libraries rely on it (rocSOLVER's potf2_kernel_small).
# tests/device/order.sh BINARY
export SOFTWAVE_CACHE=
softwave=${1:-build/softwave}
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# In each of 8 rounds all work-items read a value of LDS, and item 0 adds 1 to it before the next barrier. The sum of
# what an item has read is 0 + 1 + ... + 7 = 28.
kernel() { # TARGET LANES
    printf '.amdgcn_target "amdgcn-amd-amdhsa--%s"\n.globl k\n.p2align 8\n.type k,@function\nk:\n' "$1"
    printf ' s_load_b64 s[2:3], s[0:1], 0x0\n v_and_b32 v0, 0x3ff, v0\n v_mov_b32 v1, 0\n v_mov_b32 v2, 0\n v_mov_b32 v3, 0\n ds_store_b32 v1, v2\n s_mov_b32 s4, 0\n'
    printf ' s_waitcnt lgkmcnt(0)\n s_barrier\n'
    printf 'again:\n ds_load_b32 v4, v1\n s_waitcnt lgkmcnt(0)\n v_add_nc_u32 v3, v3, v4\n v_add_nc_u32 v5, 1, v4\n'
    printf ' v_cmp_eq_u32 vcc_lo, 0, v0\n s_and_saveexec_b32 s5, vcc_lo\n ds_store_b32 v1, v5\n s_mov_b32 exec_lo, s5\n'
    printf ' s_waitcnt lgkmcnt(0)\n s_barrier\n s_add_i32 s4, s4, 1\n s_cmp_lt_u32 s4, 8\n s_cbranch_scc1 again\n'
    printf ' v_lshlrev_b32 v6, 2, v0\n global_store_b32 v6, v3, s[2:3]\n s_endpgm\n'
    printf '.rodata\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n.amdhsa_group_segment_fixed_size 4\n'
    printf '.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_wavefront_size32 1\n.end_amdhsa_kernel\n'
    printf '.amdgpu_metadata\namdhsa.version: [1, 2]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 8\n'
    printf '    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 4\n    .private_segment_fixed_size: 0\n    .wavefront_size: 32\n'
    printf '    .sgpr_count: 16\n    .vgpr_count: 8\n    .max_flat_workgroup_size: 1024\n'
    printf '    .args:\n      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}\n.end_amdgpu_metadata\n'
}
kernel gfx1100 >"$work/k.s"
"$softwave" as -mcpu=gfx1100 "$work/k.s" -o "$work/k.o" && "$softwave" ld -shared "$work/k.o" -o "$work/k.co" || failed=1

for tier in 0 1 2; do
    for items in 32 64 96 256 1024; do
        out=$("$softwave" run --tier=$tier -g "$items" -b "$items" "$work/k.co" buf:$((items * 4)),show=u32:"$items" 2>&1)
        sums=$(echo "$out" | sed 's/^[^:]*://' | tr -s ' ' '\n' | grep -cx 28)
        if [ "$sums" -eq "$items" ]; then passed=$((passed + 1)); else
            failed=$((failed + 1))
            echo "tier $tier, $items work-items: $sums have 28"
        fi
    done
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
