#!/bin/sh
# SPDX-License-Identifier: MIT
# From assembly text to a result with no other tool, on every GCN, CDNA and RDNA processor and every generic one:
# loop.sh SOFTWAVE. The same kernel, in the words of each generation, goes through `softwave as`, `ld` and `run`, and in
# one step through `run`; wave32 and wave64 where both exist. A processor that cannot run is a failure.
export SOFTWAVE_CACHE= # compiled code is kept nowhere
softwave=$(realpath "${1:?usage: loop.sh SOFTWAVE}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0

# processor, words that load an address, wait, and store v0 at it and the offset v1
kernel() {
    cat << S
    .amdgcn_target "amdgcn-amd-amdhsa--$1"
    .text
    .globl square
    .p2align 8
    .type square,@function
square:
    $2 s[0:1], s[0:1], 0x0
    s_mov_b32 s2, -1
    s_mov_b32 s3, 0x27000
    v_lshlrev_b32_e32 v1, 2, v0
    v_mul_lo_u32 v0, v0, v0
    $3
    $4
    s_endpgm
    .size square, .-square
    .section .rodata,"a",@progbits
    .p2align 6
    .amdhsa_kernel square
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_kernarg_size 8
        .amdhsa_next_free_vgpr 4
        .amdhsa_next_free_sgpr 8
        $5
    .end_amdhsa_kernel
S
}

try() { # processor, wave size or nothing
    options="--target=$1 ${2:+--mattr=+wavefrontsize$2}"
    "$softwave" as $options -o k.o k.s > log 2>&1 && "$softwave" ld -shared -o k.co k.o >> log 2>&1 &&
        "$softwave" run -g 64 -b 64 k.co buf:256,show=u32:8 > linked 2>> log &&
        "$softwave" run $options -g 64 -b 64 k.s buf:256,show=u32:8 > direct 2>> log
    if [ "$(cat linked 2> /dev/null)" = '@0: 0 1 4 9 16 25 36 49 ...' ] && cmp -s linked direct; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1 ${2:+wave$2}: $(head -3 log)"
    fi
    rm -f linked direct
}

for gpu in $("$softwave" targets | awk '$1 ~ /^gfx/ { print $1 }'); do
    load=s_load_dwordx2 wait='s_waitcnt lgkmcnt(0)' store='global_store_dword v1, v0, s[0:1]' more=
    case $gpu in
    gfx6* | gfx7* | gfx8*) store='buffer_store_dword v0, v1, s[0:3], 0 offen' ;;
    gfx90a | gfx942 | gfx950 | gfx9-4-generic) more='.amdhsa_accum_offset 4' ;;
    gfx11*) load=s_load_b64 store='global_store_b32 v1, v0, s[0:1]' ;;
    gfx12*) load=s_load_b64 wait='s_wait_kmcnt 0x0' store='global_store_b32 v1, v0, s[0:1]' ;;
    esac
    kernel $gpu "$load" "$wait" "$store" "$more" > k.s
    case $gpu in
    gfx1[0-2]*) for wave in 32 64; do try $gpu $wave; done ;;
    *) try $gpu ;;
    esac
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 70 ]
