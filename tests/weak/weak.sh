#!/bin/sh
# SPDX-License-Identifier: MIT
# `run --weak` from the outside: a kernel that lacks a wait or a cache operation goes wrong for some seeds, for the same
# ones each time; with it, it is right for all; what --weak takes.
# usage: weak.sh [path of softwave]
softwave=${1:-${SOFTWAVE:-build/softwave}}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
check() { # check WHAT GOT EXPECTED
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$1: got '$2', expected '$3'"; fi
}

# Work-group 0 writes data, then a flag. Work-group 1 has read the data before, waits for the flag, then reads again.
# $1: what is between data and flag; $2: what is between flag and data.
message() {
    cat >"$scratch/k.s" <<END
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_mov_b32 v0, 0
  v_mov_b32 v1, 7
  s_waitcnt lgkmcnt(0)
  s_mov_b64 exec, 1
  s_cmp_eq_u32 s2, 0
  s_cbranch_scc0 reader
  global_store_dword v0, v1, s[4:5]
  $1
  global_store_dword v0, v1, s[4:5] offset:1024
  s_endpgm
reader:
  global_load_dword v2, v0, s[4:5]
again:
  global_load_dword v2, v0, s[4:5] offset:1024 glc
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s8, v2
  s_cmp_eq_u32 s8, 0
  s_cbranch_scc1 again
  $2
  global_load_dword v3, v0, s[4:5]
  s_waitcnt vmcnt(0)
  global_store_dword v0, v3, s[6:7]
  s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx906
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
.end_amdgpu_metadata
END
    "$softwave" as --target=gfx906 -o "$scratch/k.o" "$scratch/k.s" && "$softwave" ld "$scratch/k.o" -o "$scratch/k.co"
}
# So many of 200 seeds leave something else than 7.
wrong_seeds() {
    wrong=0 seed=1
    while [ $seed -le 200 ]; do
        "$softwave" run --weak=$seed -g 128 -b 64 "$scratch/k.co" buf:4K buf:4,expect="$scratch/seven" >/dev/null 2>&1 || wrong=$((wrong + 1))
        seed=$((seed + 1))
    done
    echo $wrong
}
some() { [ "$1" -gt 0 ] && echo some; }

printf '\007\000\000\000' >"$scratch/seven"
message 's_waitcnt vmcnt(0)' buffer_wbinvl1_vol
check "a complete message" "$(wrong_seeds)" 0
check "memory as it is without --weak" "$("$softwave" run -g 128 -b 64 "$scratch/k.co" buf:4K buf:4,show=u32)" '@1: 7'
message '' buffer_wbinvl1_vol
first=$(wrong_seeds)
check "no wait before the flag" "$(some "$first")" some
check "the same seeds go wrong again" "$(wrong_seeds)" "$first"
check "no matter how many threads are asked for" "$("$softwave" run -j 4 --weak=3 -g 128 -b 64 "$scratch/k.co" buf:4K buf:4,show=u32)" "$("$softwave" run --weak=3 -g 128 -b 64 "$scratch/k.co" buf:4K buf:4,show=u32)"
message 's_waitcnt vmcnt(0)' ''
check "old lines in the reader's cache" "$(some "$(wrong_seeds)")" some

# A range of seeds: the first that leaves other values, or none.
range() { "$softwave" run --weak=$1 -g 128 -b 64 "$scratch/k.co" buf:4K buf:4,show=u32 2>&1; }
message '' buffer_wbinvl1_vol
check "a range that finds a seed" "$(range 1..200 | grep -c '^seed [0-9]*: @1 differs from the plain run in 1 of 1 values; the first is \[0\]: 0, without --weak 7$')" 1
range 1..200 >/dev/null
check "its exit code" $? 5
seed=$(range 1..200 | sed -n 's/^seed \([0-9]*\):.*/\1/p')
check "that seed alone" "$("$softwave" run --weak=${seed:-1} -g 128 -b 64 "$scratch/k.co" buf:4K buf:4,show=u32)" '@1: 0'
message 's_waitcnt vmcnt(0)' buffer_wbinvl1_vol
check "a range that finds none" "$(range 1..50)" "@1: 7
seeds 1 to 50: every buffer is as without --weak"
check "a range from above" "$("$softwave" run --weak=5..2 "$scratch/k.co" 2>&1 | head -n 1)" "softwave run: --weak takes a number from 1 on or FIRST..LAST, with ',hazards' behind it if wanted, not '5..2'"
check "a range and a trace" "$("$softwave" run --weak=1..2 --trace "$scratch/k.co" 2>&1 | head -n 1)" "softwave run: --weak=FIRST..LAST excludes --trace, --profile, --exports and --shard"

check "--weak=0" "$("$softwave" run --weak=0 "$scratch/k.co" 2>&1 | head -n 1)" "softwave run: --weak takes a number from 1 on or FIRST..LAST, with ',hazards' behind it if wanted, not '0'"
check "--weak=x" "$("$softwave" run --weak=x "$scratch/k.co" 2>&1 | head -n 1)" "softwave run: --weak takes a number from 1 on or FIRST..LAST, with ',hazards' behind it if wanted, not 'x'"
check "--stats tells why nothing is compiled" "$("$softwave" run --weak --stats -g 64 "$scratch/k.co" buf:4K buf:4 2>&1 | grep -c 'memory is weak')" 1

# Hazards: a register that is read too soon holds what it held before.
for nop in 1 0; do
    cat >"$scratch/h.s" <<EOF
.amdgcn_target "amdgcn-amd-amdhsa--gfx906"
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_and_b32 v0, 63, v0
  v_lshlrev_b32 v3, 2, v0
  v_mov_b32 v1, 5
  s_waitcnt lgkmcnt(0)
  s_nop 7
  v_mov_b32 v1, 7
  s_nop $nop
  v_mov_b32_dpp v2, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf
  global_store_dword v3, v2, s[4:5]
  s_endpgm
EOF
    "$softwave" run --weak=1..30,hazards -g 64 "$scratch/h.s" buf:256 >"$scratch/h.txt" 2>&1
    check "hazards with s_nop $nop" $? $((nop ? 0 : 5))
    check "what is told with s_nop $nop" "$(grep -c 'seed [0-9]*: @. differs from the plain run in 64 of' "$scratch/h.txt")" $((1 - nop))
    "$softwave" run --weak=1..30 -g 64 "$scratch/h.s" buf:256 >/dev/null 2>&1
    check "no hazards unless asked for, s_nop $nop" $? 0
done
# What nobody knows is a fault that names its instruction, on its own and with a range of seeds.
cat >"$scratch/e.s" <<'EOF'
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
  v_cmpx_eq_u32_e32 vcc, v0, v0
  v_mfma_f32_4x4x1f32 a[0:3], v1, v1, a[0:3]
  s_endpgm
EOF
for seeds in 3 1..30; do
    "$softwave" run --weak=$seeds,hazards -g 64 "$scratch/e.s" >"$scratch/e.txt" 2>&1
    check "exit code of what is undefined, seeds $seeds" $? 3
    check "what is undefined, seeds $seeds" "$(grep -c 'EXEC was written too soon before' "$scratch/e.txt") $(grep -c 'v_mfma_f32_4x4x1f32' "$scratch/e.txt")" "1 1"
done
check "hazards alone" "$("$softwave" run --weak=,hazards "$scratch/h.s" 2>&1 | head -n 1)" "softwave run: --weak takes a number from 1 on or FIRST..LAST, with ',hazards' behind it if wanted, not ',hazards'"

# A fault in an access that is carried out late names its own instruction.
cat >"$scratch/f.s" <<'END'
.amdgcn_target "amdgcn-amd-amdhsa--gfx906"
  v_mov_b32 v0, 0x10000
  v_mov_b32 v1, 0
  global_load_dword v2, v[0:1], off
  v_mov_b32 v3, 5
  v_mov_b32 v4, 6
  s_waitcnt vmcnt(0)
  s_endpgm
END
for seed in 1 2 3 4 5 6; do
    check "the pc of a fault, seed $seed" "$("$softwave" run --weak=$seed -g 64 "$scratch/f.s" 2>&1 | grep -c 'global_load_dword v2')" 1
done

echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
