// SPDX-License-Identifier: MIT
// Kernels in assembly, wave64 on every target: what compilers seldom write. assembly.c is the same for the host.
#if defined(__GFX12__)
#define LOAD_ARGUMENTS s_load_b128 s[4:7], s[0:1], 0x0
#define WAIT_SCALAR    s_wait_kmcnt 0x0
#define WAIT_VECTOR    s_wait_loadcnt 0x0
#define GROUP          ttmp9
#define LOAD           global_load_b32
#define STORE          global_store_b32
#define ADD            v_add_nc_u32
#define ANDN2          s_and_not1_b64
#define WAIT_VALU      s_wait_alu depctr_va_sdst(0)
#define WAIT_SALU      s_wait_alu depctr_sa_sdst(0)
#elif defined(__GFX11__)
#define LOAD_ARGUMENTS s_load_b128 s[4:7], s[0:1], 0x0
#define WAIT_SCALAR    s_waitcnt lgkmcnt(0)
#define WAIT_VECTOR    s_waitcnt vmcnt(0)
#define GROUP          s2
#define LOAD           global_load_b32
#define STORE          global_store_b32
#define ADD            v_add_nc_u32
#define ANDN2          s_and_not1_b64
#else
#define LOAD_ARGUMENTS s_load_dwordx4 s[4:7], s[0:1], 0x0
#define WAIT_SCALAR    s_waitcnt lgkmcnt(0)
#define WAIT_VECTOR    s_waitcnt vmcnt(0)
#define GROUP          s2
#define LOAD           global_load_dword
#define STORE          global_store_dword
#if defined(__GFX10__)
#define ADD            v_add_nc_u32
#else
#define ADD            v_add_u32
#endif
#define ANDN2          s_andn2_b64
#endif

#if !defined(WAIT_VALU)
#define WAIT_VALU
#define WAIT_SALU
#endif

// s[4:5] the result, s[6:7] the input, v1 the byte offset of this work-item, v2 its input.
.macro begin name
    .text
    .globl \name
    .p2align 8
    .type \name,@function
\name:
    LOAD_ARGUMENTS
    s_lshl_b32 s3, GROUP, 6
    v_and_b32 v0, 0x3ff, v0
    ADD v0, s3, v0
    v_lshlrev_b32 v1, 2, v0
    WAIT_SCALAR
    LOAD v2, v1, s[6:7]
    WAIT_VECTOR
.endm
.macro end name
    s_endpgm
    .size \name, .-\name
    .section .rodata,"a"
    .p2align 6
    .amdhsa_kernel \name
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_next_free_vgpr 32
        .amdhsa_next_free_sgpr 32
#if defined(__gfx90a__) || defined(__gfx942__)
        .amdhsa_accum_offset 32
#endif
#if !defined(__GFX9__)
        .amdhsa_wavefront_size32 0
#endif
    .end_amdhsa_kernel
.endm

// One round for each distinct value of the wave: value times the number of lanes that hold it.
begin waterfall
    s_mov_b64 s[8:9], exec
    v_mov_b32 v3, 0
1:
    v_readfirstlane_b32 s10, v2
    WAIT_VALU
    v_cmp_eq_u32 vcc, s10, v2
    s_and_saveexec_b64 s[12:13], vcc
    s_bcnt1_i32_b64 s11, exec
    WAIT_SALU
    s_mul_i32 s11, s11, s10
    WAIT_SALU
    ADD v3, s11, v3
    ANDN2 exec, s[12:13], exec
    s_cbranch_execnz 1b
    s_mov_b64 exec, s[8:9]
    STORE v1, v3, s[4:5]
end waterfall

// The same sum in the four rounding modes: nearest, up, down, to zero.
begin rounding
    v_lshlrev_b32 v4, 2, v1
    v_mul_f32 v3, 0x3eaaaaab, v2
    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0
    v_add_f32 v5, v2, v3
    STORE v4, v5, s[4:5]
    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1
    v_add_f32 v5, v2, v3
    STORE v4, v5, s[4:5] offset:4
    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 2
    v_add_f32 v5, v2, v3
    STORE v4, v5, s[4:5] offset:8
    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3
    v_add_f32 v5, v2, v3
    STORE v4, v5, s[4:5] offset:12
end rounding

// Scalar bit operations over a value of lane 5, and a loop counted down in SCC.
begin scalar
    v_readlane_b32 s8, v2, 5
    s_brev_b32 s9, s8
    s_bfe_u32 s10, s8, 0x90004
    s_bfm_b32 s11, 7, 12
    s_xor_b32 s9, s9, s11
    s_flbit_i32_b32 s11, s10
    s_add_u32 s9, s9, s11
    s_addc_u32 s9, s9, 0
    s_mov_b32 s12, 10
2:
    s_lshl_b32 s9, s9, 1
    s_cselect_b32 s13, 3, 5
    s_add_u32 s9, s9, s13
    s_sub_u32 s12, s12, 1
    s_cmp_lg_u32 s12, 0
    s_cbranch_scc1 2b
    s_sext_i32_i8 s10, s8
    s_mul_hi_u32 s14, s9, s8
    s_add_i32 s9, s9, s10
    s_xor_b32 s9, s9, s14
    v_xor_b32 v3, s9, v0
    STORE v1, v3, s[4:5]
end scalar

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: waterfall
    .symbol: waterfall.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 32
    .max_flat_workgroup_size: 64
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
  - .name: rounding
    .symbol: rounding.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 32
    .max_flat_workgroup_size: 64
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
  - .name: scalar
    .symbol: scalar.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 32
    .max_flat_workgroup_size: 64
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
