// SPDX-License-Identifier: MIT
// Loops of 3,200 matrix instructions each, of gfx90a, for bench/matrix.sh. Operands are 1 or near it: denormals cost
// the host more.
.macro KERNEL name, insn:vararg
.text
.globl \name
.p2align 8
.type \name,@function
\name:
    v_mov_b32 v0, 0x3f803f80
    v_mov_b32 v1, v0
    v_mov_b32 v2, v0
    v_mov_b32 v3, v0
    s_mov_b32 s20, 0
.Lagain\@:
    .rept 16
    \insn
    .endr
    s_add_u32 s20, s20, 1
    s_cmp_lg_u32 s20, 200
    s_cbranch_scc1 .Lagain\@
    s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel \name
    .amdhsa_next_free_vgpr 128
    .amdhsa_accum_offset 64
    .amdhsa_next_free_sgpr 32
.end_amdhsa_kernel
.endm
KERNEL f32_32x32x1, v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]
KERNEL f32_16x16x4, v_mfma_f32_16x16x4f32 a[0:3], v0, v1, a[0:3]
KERNEL f16_32x32x8, v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]
KERNEL f16_16x16x16, v_mfma_f32_16x16x16f16 a[0:3], v[0:1], v[2:3], a[0:3]
KERNEL bf16_32x32x8, v_mfma_f32_32x32x8bf16_1k a[0:15], v[0:1], v[2:3], a[0:15]
KERNEL f64_16x16x4, v_mfma_f64_16x16x4f64 a[0:7], v[0:1], v[2:3], a[0:7]
KERNEL i8_16x16x16, v_mfma_i32_16x16x16i8 a[0:3], v0, v1, a[0:3]
