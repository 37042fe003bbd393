#!/bin/sh
# SPDX-License-Identifier: MIT
# Matrix instructions on one thread: billions of operations a second (a multiplication and an addition are two) and
# nanoseconds each, the best of eight runs of loops of 3,200 each. Operands are near 1: denormals cost the host more.
# usage: matrix.sh BUILD-DIR
build=$1
file=$(mktemp --suffix=.s) || exit 1
trap 'rm -f "$file"' EXIT

kernel() { # GPU INSTRUCTION
    case $1 in gfx9*) more=".amdhsa_accum_offset 64" add=s_add_u32 ;; gfx11*) more='' add=s_add_u32 ;; *) more='' add=s_add_co_u32 ;; esac
    cat <<END
.amdgcn_target "amdgcn-amd-amdhsa--$1"
.text
.globl k
.p2align 8
.type k,@function
k:
.irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    v_mov_b32 v\\r, 0x3f803f80
.endr
    s_mov_b32 s20, 0
again:
.rept 16
    $2
.endr
    $add s20, s20, 1
    s_cmp_lg_u32 s20, 200
    s_cbranch_scc1 again
    s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel k
    .amdhsa_next_free_vgpr 128
    .amdhsa_next_free_sgpr 32
    $more
.end_amdhsa_kernel
END
}

while read -r gpu name lanes operations instruction; do
    kernel "$gpu" "$instruction" >"$file"
    for run in 1 2 3 4 5 6 7 8; do
        "$build/softwave" run -j1 --stats -g $((10 * lanes)) -b "$lanes" "$file"
    done | awk -v name="$gpu $name" -v operations="$operations" '
        /^ *time/ {if (!best || $2 < best) best = $2}
        END {printf "  %-26s %6.1f G/s  %6.0f ns\n", name, 10 * 3200 * operations / best / 1e9, best / (10 * 3200) * 1e9}'
done <<'END'
gfx90a f32_32x32x1 64 4096 v_mfma_f32_32x32x1f32 v[32:63], v0, v1, v[32:63]
gfx90a f32_16x16x4 64 2048 v_mfma_f32_16x16x4f32 v[32:35], v0, v1, v[32:35]
gfx90a f16_32x32x8 64 16384 v_mfma_f32_32x32x8f16 v[32:47], v[0:1], v[2:3], v[32:47]
gfx90a f16_16x16x16 64 8192 v_mfma_f32_16x16x16f16 v[32:35], v[0:1], v[2:3], v[32:35]
gfx90a bf16_32x32x8 64 16384 v_mfma_f32_32x32x8bf16_1k v[32:47], v[0:1], v[2:3], v[32:47]
gfx90a f64_16x16x4 64 2048 v_mfma_f64_16x16x4f64 v[32:39], v[0:1], v[2:3], v[32:39]
gfx90a i8_16x16x16 64 8192 v_mfma_i32_16x16x16i8 v[32:35], v0, v1, v[32:35]
gfx942 fp8_32x32x16 64 32768 v_mfma_f32_32x32x16_fp8_fp8 v[32:47], v[0:1], v[2:3], v[32:47]
gfx942 sparse_f16_16x16x32 64 16384 v_smfmac_f32_16x16x32_f16 v[32:35], v[0:1], v[2:5], v6
gfx950 i8_16x16x64 64 32768 v_mfma_i32_16x16x64_i8 v[32:35], v[0:3], v[4:7], v[32:35]
gfx950 scaled_16x16x128 64 65536 v_mfma_scale_f32_16x16x128_f8f6f4 v[32:35], v[0:7], v[8:15], v[32:35], v20, v21
gfx1100 f16_16x16x16 32 8192 v_wmma_f32_16x16x16_f16 v[32:39], v[0:7], v[8:15], v[32:39]
gfx1100 iu8_16x16x16 32 8192 v_wmma_i32_16x16x16_iu8 v[32:39], v[0:3], v[4:7], v[32:39]
gfx1201 f16_16x16x16 32 8192 v_wmma_f32_16x16x16_f16 v[32:39], v[0:3], v[4:7], v[32:39]
gfx1201 fp8_16x16x16 32 8192 v_wmma_f32_16x16x16_fp8_fp8 v[32:39], v[0:1], v[2:3], v[32:39]
gfx1250 f16_16x16x32 32 16384 v_wmma_f32_16x16x32_f16 v[32:39], v[0:7], v[8:15], v[32:39]
gfx1250 iu8_16x16x64 32 32768 v_wmma_i32_16x16x64_iu8 v[32:39], v[0:7], v[8:15], v[32:39]
gfx1250 fp8_16x16x64 32 32768 v_wmma_f32_16x16x64_fp8_fp8 v[32:39], v[0:7], v[8:15], v[32:39]
gfx1250 scaled_16x16x128 32 65536 v_wmma_scale_f32_16x16x128_f8f6f4 v[32:39], v[0:15], v[16:31], v[32:39], v1, v2
END
