; mandelbrot.cl as clang 22 compiles it for gfx1100, for machines without clang.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 6
	.text
	.protected	mandelbrot
	.globl	mandelbrot
	.p2align	8
	.type	mandelbrot,@function
mandelbrot:
	s_load_b128 s[4:7], s[0:1], 0x8
	v_and_b32_e32 v1, 0x3ff, v0
	v_bfe_u32 v2, v0, 10, 10
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_lshl_or_b32 v0, s14, 6, v1
	v_lshl_or_b32 v1, s15, 2, v2
	s_waitcnt lgkmcnt(0)
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_i32_e32 vcc_lo, s4, v0
	v_cmp_gt_i32_e64 s2, s5, v1
	s_and_b32 s2, vcc_lo, s2
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s3, s2
	s_cbranch_execz .LBB0_9
	s_cmp_lt_i32 s6, 1
	s_cbranch_scc1 .LBB0_7
	v_cvt_f32_i32_e32 v2, s4
	v_cvt_f32_i32_e32 v3, s5
	v_cvt_f32_i32_e32 v5, v1
	v_cvt_f32_i32_e32 v4, v0
	s_mov_b32 s3, 0
	v_frexp_mant_f32_e32 v6, v2
	v_frexp_mant_f32_e32 v7, v3
	v_frexp_exp_i32_f32_e32 v2, v2
	v_frexp_exp_i32_f32_e32 v3, v3
	s_mov_b32 s2, 0
	v_rcp_f32_e32 v6, v6
	v_mul_f32_e32 v5, 0x40200000, v5
	v_rcp_f32_e32 v7, v7
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_3)
	v_frexp_exp_i32_f32_e32 v9, v5
	v_frexp_mant_f32_e32 v5, v5
	v_mul_f32_e32 v4, 0x404ccccd, v4
	v_sub_nc_u32_e32 v3, v9, v3
	s_waitcnt_depctr depctr_va_vdst(0)
	v_mul_f32_e32 v5, v5, v7
	v_frexp_exp_i32_f32_e32 v8, v4
	v_frexp_mant_f32_e32 v4, v4
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_ldexp_f32 v3, v5, v3
	v_sub_nc_u32_e32 v2, v8, v2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_mul_f32_e32 v4, v4, v6
	v_dual_mov_b32 v6, 0 :: v_dual_add_f32 v3, 0xbfa00000, v3
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_ldexp_f32 v2, v4, v2
	v_mov_b32_e32 v4, 0
	v_add_f32_e32 v2, 0xc00ccccd, v2
	s_set_inst_prefetch_distance 0x1
	s_branch .LBB0_4
	.p2align	6
.LBB0_3:
	s_or_b32 exec_lo, exec_lo, s7
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_and_b32 s7, exec_lo, s5
	s_or_b32 s2, s7, s2
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_not1_b32 exec_lo, exec_lo, s2
	s_cbranch_execz .LBB0_6
.LBB0_4:
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	v_dual_mul_f32 v7, v6, v6 :: v_dual_mul_f32 v8, v4, v4
	s_or_b32 s5, s5, exec_lo
	v_add_f32_e32 v5, v7, v8
	s_delay_alu instid0(VALU_DEP_1)
	v_cmp_gt_f32_e32 vcc_lo, 4.0, v5
	v_mov_b32_e32 v5, s3
	s_and_saveexec_b32 s7, vcc_lo
	s_cbranch_execz .LBB0_3
	v_dual_add_f32 v5, v6, v6 :: v_dual_sub_f32 v6, v7, v8
	s_add_i32 s3, s3, 1
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	s_cmp_eq_u32 s6, s3
	v_dual_mul_f32 v4, v5, v4 :: v_dual_mov_b32 v5, s6
	s_cselect_b32 s8, -1, 0
	v_add_f32_e32 v6, v2, v6
	s_and_not1_b32 s5, s5, exec_lo
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_add_f32_e32 v4, v3, v4
	s_and_b32 s8, s8, exec_lo
	s_or_b32 s5, s5, s8
	s_branch .LBB0_3
.LBB0_6:
	s_set_inst_prefetch_distance 0x2
	s_or_b32 exec_lo, exec_lo, s2
	s_branch .LBB0_8
.LBB0_7:
	v_mov_b32_e32 v5, 0
.LBB0_8:
	s_load_b64 s[0:1], s[0:1], 0x0
	v_mad_u64_u32 v[2:3], null, s4, v1, v[0:1]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshlrev_b64 v[0:1], 2, v[2:3]
	s_waitcnt lgkmcnt(0)
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v0, vcc_lo, s0, v0
	v_add_co_ci_u32_e64 v1, null, s1, v1, vcc_lo
	global_store_b32 v[0:1], v5, off
.LBB0_9:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel mandelbrot
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
		.amdhsa_user_sgpr_count 14
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 16
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_shared_vgpr_count 0
		.amdhsa_inst_pref_size 4
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.size	mandelbrot, .Lfunc_end0-mandelbrot
	.set mandelbrot.num_vgpr, 10
	.set mandelbrot.num_agpr, 0
	.set mandelbrot.numbered_sgpr, 16
	.set mandelbrot.num_named_barrier, 0
	.set mandelbrot.private_seg_size, 0
	.set mandelbrot.uses_vcc, 1
	.set mandelbrot.uses_flat_scratch, 0
	.set mandelbrot.has_dyn_sized_stack, 0
	.set mandelbrot.has_recursion, 0
	.set mandelbrot.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.protected	__clang_ocl_kern_imp_mandelbrot
	.globl	__clang_ocl_kern_imp_mandelbrot
	.p2align	2
	.type	__clang_ocl_kern_imp_mandelbrot,@function
__clang_ocl_kern_imp_mandelbrot:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_and_b32_e32 v5, 0x3ff, v31
	v_bfe_u32 v6, v31, 10, 10
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_lshl_or_b32 v5, s12, 6, v5
	v_lshl_or_b32 v6, s13, 2, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_lt_i32_e32 vcc_lo, v5, v2
	v_cmp_lt_i32_e64 s0, v6, v3
	s_and_b32 s1, vcc_lo, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s0, s1
	s_cbranch_execz .LBB1_8
	v_mov_b32_e32 v8, 0
	s_mov_b32 s1, exec_lo
	v_cmpx_lt_i32_e32 0, v4
	s_cbranch_execz .LBB1_7
	v_cvt_f32_i32_e32 v7, v2
	v_cvt_f32_i32_e32 v3, v3
	v_cvt_f32_i32_e32 v9, v6
	v_cvt_f32_i32_e32 v8, v5
	s_mov_b32 s3, 0
	v_frexp_mant_f32_e32 v10, v7
	v_frexp_mant_f32_e32 v11, v3
	v_frexp_exp_i32_f32_e32 v7, v7
	v_frexp_exp_i32_f32_e32 v3, v3
	s_mov_b32 s2, 0
	v_rcp_f32_e32 v10, v10
	v_mul_f32_e32 v9, 0x40200000, v9
	v_rcp_f32_e32 v11, v11
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_3)
	v_frexp_exp_i32_f32_e32 v13, v9
	v_frexp_mant_f32_e32 v9, v9
	v_mul_f32_e32 v8, 0x404ccccd, v8
	v_sub_nc_u32_e32 v3, v13, v3
	s_waitcnt_depctr depctr_va_vdst(0)
	v_mul_f32_e32 v9, v9, v11
	v_frexp_exp_i32_f32_e32 v12, v8
	v_frexp_mant_f32_e32 v8, v8
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_sub_nc_u32_e32 v7, v12, v7
	v_mul_f32_e32 v8, v8, v10
	v_mov_b32_e32 v10, 0
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(VALU_DEP_3)
	v_ldexp_f32 v7, v8, v7
	v_ldexp_f32 v8, v9, v3
	v_mov_b32_e32 v9, 0
	v_add_f32_e32 v3, 0xc00ccccd, v7
	s_delay_alu instid0(VALU_DEP_3)
	v_add_f32_e32 v7, 0xbfa00000, v8
	s_set_inst_prefetch_distance 0x1
	s_branch .LBB1_4
	.p2align	6
.LBB1_3:
	s_or_b32 exec_lo, exec_lo, s5
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_and_b32 s5, exec_lo, s4
	s_or_b32 s2, s5, s2
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_not1_b32 exec_lo, exec_lo, s2
	s_cbranch_execz .LBB1_6
.LBB1_4:
	v_dual_mul_f32 v11, v9, v9 :: v_dual_mul_f32 v12, v10, v10
	s_or_b32 s4, s4, exec_lo
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_f32_e32 v8, v11, v12
	v_cmp_gt_f32_e32 vcc_lo, 4.0, v8
	v_mov_b32_e32 v8, s3
	s_and_saveexec_b32 s5, vcc_lo
	s_cbranch_execz .LBB1_3
	v_dual_add_f32 v8, v9, v9 :: v_dual_sub_f32 v9, v11, v12
	s_add_i32 s3, s3, 1
	s_and_not1_b32 s4, s4, exec_lo
	v_cmp_eq_u32_e32 vcc_lo, s3, v4
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(VALU_DEP_2)
	v_dual_mul_f32 v10, v8, v10 :: v_dual_add_f32 v9, v3, v9
	v_mov_b32_e32 v8, v4
	s_and_b32 s6, vcc_lo, exec_lo
	v_add_f32_e32 v10, v7, v10
	s_or_b32 s4, s4, s6
	s_branch .LBB1_3
.LBB1_6:
	s_set_inst_prefetch_distance 0x2
	s_or_b32 exec_lo, exec_lo, s2
.LBB1_7:
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	s_or_b32 exec_lo, exec_lo, s1
	v_mad_u64_u32 v[3:4], null, v2, v6, v[5:6]
	v_ashrrev_i32_e32 v4, 31, v3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshlrev_b64 v[2:3], 2, v[3:4]
	v_add_co_u32 v0, vcc_lo, v0, v2
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e64 v1, null, v1, v3, vcc_lo
	global_store_b32 v[0:1], v8, off
.LBB1_8:
	s_or_b32 exec_lo, exec_lo, s0
	s_setpc_b64 s[30:31]
.Lfunc_end1:
	.size	__clang_ocl_kern_imp_mandelbrot, .Lfunc_end1-__clang_ocl_kern_imp_mandelbrot
	.set __clang_ocl_kern_imp_mandelbrot.num_vgpr, 32
	.set __clang_ocl_kern_imp_mandelbrot.num_agpr, 0
	.set __clang_ocl_kern_imp_mandelbrot.numbered_sgpr, 32
	.set __clang_ocl_kern_imp_mandelbrot.num_named_barrier, 0
	.set __clang_ocl_kern_imp_mandelbrot.private_seg_size, 0
	.set __clang_ocl_kern_imp_mandelbrot.uses_vcc, 1
	.set __clang_ocl_kern_imp_mandelbrot.uses_flat_scratch, 0
	.set __clang_ocl_kern_imp_mandelbrot.has_dyn_sized_stack, 0
	.set __clang_ocl_kern_imp_mandelbrot.has_recursion, 0
	.set __clang_ocl_kern_imp_mandelbrot.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.p2alignl 7, 3214868480
	.fill 96, 4, 3214868480
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 32
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 32
	.set amdgpu.max_num_named_barrier, 0
	.text
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .type_name:      'int*'
        .value_kind:     global_buffer
      - .offset:         8
        .size:           4
        .type_name:      int
        .value_kind:     by_value
      - .offset:         12
        .size:           4
        .type_name:      int
        .value_kind:     by_value
      - .offset:         16
        .size:           4
        .type_name:      int
        .value_kind:     by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           mandelbrot
    .private_segment_fixed_size: 0
    .reqd_workgroup_size:
      - 64
      - 4
      - 1
    .sgpr_count:     18
    .sgpr_spill_count: 0
    .symbol:         mandelbrot.kd
    .uses_dynamic_stack: false
    .vgpr_count:     10
    .vgpr_spill_count: 0
    .wavefront_size: 32
    .workgroup_processor_mode: 1
amdhsa.target:   amdgcn-amd-amdhsa--gfx1100
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
