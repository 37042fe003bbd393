#!/bin/sh
# Tests of devices once more with all code native, and compiled, before it runs, and what `run` says of tiers.
# tests/device/tiers.sh BINARY; BUILD is where the tests are.
export SOFTWAVE_CACHE= # compiled code is kept nowhere
softwave=${1:-build/softwave}
build=${BUILD:-build}
here=$(dirname "$0")
passed=0 failed=0 skipped=0
good() { passed=$((passed + 1)); }
bad() {
    echo "$1"
    failed=$((failed + 1))
}

for tier in 1 2; do
    for test in test_client test_gws test_lifetime test_queues test_events test_watch; do
        if [ ! -x "$build/tests/$test" ]; then skipped=$((skipped + 1))
        elif MISUSE_SECONDS=1 TEST_TIER=$tier "$build/tests/$test" >/dev/null 2>&1; then good
        else bad "$test fails at tier $tier"; fi
    done
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    printf '.globl k\n.p2align 8\n.type k,@function\nk:\n'
    printf ' s_load_dwordx2 s[2:3], s[0:1], 0x0\n v_lshlrev_b32 v1, 2, v0\n v_mul_lo_u32 v2, v0, v0\n s_waitcnt lgkmcnt(0)\n'
    printf ' global_store_dword v1, v2, s[2:3]\n s_endpgm\n'
    printf '.rodata\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n'
    printf '.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.end_amdhsa_kernel\n'
    printf '.amdgpu_metadata\namdhsa.version: [1, 2]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 8\n'
    printf '    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n'
    printf '    .sgpr_count: 16\n    .vgpr_count: 8\n    .max_flat_workgroup_size: 1024\n'
    printf '    .args:\n      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}\n.end_amdgpu_metadata\n'
} >"$work/k.s"
"$softwave" as -mcpu=gfx900 "$work/k.s" -o "$work/k.o" && "$softwave" ld -shared "$work/k.o" -o "$work/k.co" || bad "no kernel"
for tier in "" --tier=0 --tier=1 --tier=2; do
    out=$("$softwave" run $tier -j1 -k k -g 64 -b 64 "$work/k.co" buf:256,show=u32:4 2>&1)
    case $out in *"0 1 4 9"*) good ;; *) bad "run $tier: $out" ;; esac
done
for tier in 3 9; do
    "$softwave" run --tier=$tier -k k -g 64 "$work/k.co" buf:256 2>"$work/err"
    [ $? = 4 ] && grep -q "no tier $tier" "$work/err" && good || bad "--tier=$tier: $(cat "$work/err")"
done
"$softwave" run --tier=x -k k -g 64 "$work/k.co" buf:256 2>/dev/null
[ $? = 1 ] && good || bad "--tier=x is taken"
# What is short loads no LLVM; what is compiled is kept, and the next process takes it from there without LLVM.
run() { "$softwave" run "$@" -j1 -k k -g 64 -b 64 "$work/k.co" buf:256,show=u32:4 2>&1; }
loads() { echo "$(export LD_DEBUG=files; run "$@")" | grep -c libLLVM; }
kept() { ls "$work/cache" 2>/dev/null | wc -l; }
[ "$(loads)" = 0 ] && good || bad "a short run loads LLVM"
if [ "$(loads --tier=2 --no-cache)" = 0 ]; then skipped=$((skipped + 5)); else
    export SOFTWAVE_CACHE="$work/cache"
    run --tier=2 --no-cache >/dev/null
    [ "$(kept)" = 0 ] && good || bad "--no-cache keeps code"
    [ "$(loads --tier=2)" != 0 ] && [ "$(kept)" = 1 ] && good || bad "$(kept) files are kept"
    [ "$(loads --tier=2)" = 0 ] && [ "$(loads --tier=2 --no-cache)" != 0 ] && good || bad "LLVM is loaded for code that is kept"
    case $(run --tier=2) in *"0 1 4 9"*) good ;; *) bad "code that was kept: $(run --tier=2)" ;; esac
    want=$(run --tier=2 --no-cache)
    for place in "" /proc/softwave /dev/null/softwave; do
        got=$(export SOFTWAVE_CACHE=$place; run --tier=2)
        [ "$got" = "$want" ] && good || bad "with SOFTWAVE_CACHE=$place: $got"
    done
    export SOFTWAVE_CACHE=
fi
# Whoever counts instructions sees each of them: tier 0, with the reason.
"$softwave" run --tier=1 --stats -j1 -k k -g 64 "$work/k.co" buf:256 2>&1 | grep -q 'tier 0: ' && good || bad "--stats does not say the tier"
# What is compiled lacks pieces only of operations that choose registers while they run: a loop with a handler in it
# spends its time there.
for left in "$build"/fused_*.left; do
    [ -e "$left" ] || continue
    if out=$(grep -vE '^(s|v)_(movrel|swaprel)' "$left"); then bad "$left: $out"; else good; fi
done
# Handlers that must have pieces, of both wave sizes.
for names in "$build"/stencils_v*.names; do
    [ -e "$names" ] || continue
    for handler in s_cselect_b32_scalar s_cselect_b64_scalar v_readlane_b32_special v_readfirstlane_b32_special v_writelane_b32_special \
        v_permlane16_b32_special v_permlanex16_b32_special v_permlane64_b32_special ds_swizzle_b32_special ds_bpermute_b32_special \
        ds_permute_b32_special ds_atomic_inc_u32 ds_atomic_add_u32_rtn global_atomic_add_u32__saddr flat_atomic_swap_b64_rtn pk_select64 v_cndmask_b32_vv ds_load_B32 ds_store_B32 ds_load_2addr_B64 global_load_B32 global_store_B128 \
        flat_load_B32 flat_store_B32 scratch_load_B32__saddr scratch_store_B32__saddr s_load_B64 v_fma_f32_vvv v_fma_f64_vvv v_cmp_lt_f32_vv; do
        [ "$(grep -c " $handler\$" "$names")" = 2 ] && good || bad "$names: no piece of $handler"
    done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
