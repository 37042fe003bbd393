; mandelbrot.cl as clang 22 compiles it for gfx90a, for machines without clang.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.amdhsa_code_object_version 6
	.text
	.protected	mandelbrot
	.globl	mandelbrot
	.p2align	8
	.type	mandelbrot,@function
mandelbrot:
	s_load_dwordx4 s[8:11], s[4:5], 0x8
	v_bfe_u32 v1, v0, 10, 10
	v_and_b32_e32 v0, 0x3ff, v0
	v_lshl_or_b32 v2, s7, 2, v1
	v_lshl_or_b32 v1, s6, 6, v0
	s_waitcnt lgkmcnt(0)
	v_cmp_gt_i32_e32 vcc, s8, v1
	v_cmp_gt_i32_e64 s[0:1], s9, v2
	s_and_b64 s[0:1], vcc, s[0:1]
	s_and_saveexec_b64 s[2:3], s[0:1]
	s_cbranch_execz .LBB0_8
	s_cmp_lt_i32 s10, 1
	v_mov_b32_e32 v0, 0
	s_cbranch_scc1 .LBB0_7
	v_cvt_f32_i32_e32 v3, s9
	v_cvt_f32_i32_e32 v5, v1
	v_cvt_f32_i32_e32 v4, v2
	s_mov_b32 s0, 0x40200000
	v_frexp_mant_f32_e32 v6, v3
	v_rcp_f32_e32 v6, v6
	v_cvt_f32_i32_e32 v0, s8
	s_mov_b32 s1, 0x404ccccd
	v_pk_mul_f32 v[4:5], v[4:5], s[0:1]
	v_frexp_exp_i32_f32_e32 v3, v3
	v_frexp_exp_i32_f32_e32 v7, v4
	v_frexp_mant_f32_e32 v4, v4
	v_mul_f32_e32 v4, v4, v6
	v_sub_u32_e32 v3, v7, v3
	v_ldexp_f32 v4, v4, v3
	v_frexp_mant_f32_e32 v3, v0
	v_rcp_f32_e32 v3, v3
	v_frexp_exp_i32_f32_e32 v0, v0
	v_frexp_exp_i32_f32_e32 v6, v5
	v_frexp_mant_f32_e32 v5, v5
	v_mul_f32_e32 v3, v5, v3
	v_sub_u32_e32 v0, v6, v0
	s_mov_b32 s0, 0xbfa00000
	v_ldexp_f32 v5, v3, v0
	s_mov_b32 s1, 0xc00ccccd
	v_pk_add_f32 v[4:5], v[4:5], s[0:1]
	s_mov_b32 s9, 0
	s_mov_b64 s[0:1], 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v7, 0
	s_branch .LBB0_4
.LBB0_3:
	s_or_b64 exec, exec, s[6:7]
	s_and_b64 s[6:7], exec, s[2:3]
	s_or_b64 s[0:1], s[6:7], s[0:1]
	s_andn2_b64 exec, exec, s[0:1]
	s_cbranch_execz .LBB0_6
.LBB0_4:
	v_pk_mul_f32 v[8:9], v[6:7], v[6:7]
	v_add_f32_e32 v0, v9, v8
	v_cmp_gt_f32_e32 vcc, 4.0, v0
	v_mov_b32_e32 v0, s9
	s_or_b64 s[2:3], s[2:3], exec
	s_and_saveexec_b64 s[6:7], vcc
	s_cbranch_execz .LBB0_3
	s_add_i32 s9, s9, 1
	s_cmp_eq_u32 s10, s9
	v_pk_add_f32 v[8:9], v[8:9], v[8:9] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1]
	v_add_f32_e32 v0, v7, v7
	s_cselect_b64 s[12:13], -1, 0
	v_mul_f32_e32 v8, v0, v6
	s_andn2_b64 s[2:3], s[2:3], exec
	s_and_b64 s[12:13], s[12:13], exec
	v_pk_add_f32 v[6:7], v[4:5], v[8:9]
	v_mov_b32_e32 v0, s10
	s_or_b64 s[2:3], s[2:3], s[12:13]
	s_branch .LBB0_3
.LBB0_6:
	s_or_b64 exec, exec, s[0:1]
.LBB0_7:
	s_load_dwordx2 s[0:1], s[4:5], 0x0
	v_mov_b32_e32 v4, v1
	v_mad_u64_u32 v[2:3], s[2:3], s8, v2, v[4:5]
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshlrev_b64 v[2:3], 2, v[2:3]
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v1, s1
	v_add_co_u32_e32 v2, vcc, s0, v2
	v_addc_co_u32_e32 v3, vcc, v1, v3, vcc
	global_store_dword v[2:3], v0, off
.LBB0_8:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel mandelbrot
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
		.amdhsa_user_sgpr_count 6
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_flat_scratch_init 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 14
		.amdhsa_accum_offset 12
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_flat_scratch 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
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
	.set mandelbrot.numbered_sgpr, 14
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
	v_bfe_u32 v5, v31, 10, 10
	v_lshl_or_b32 v6, s13, 2, v5
	v_and_b32_e32 v5, 0x3ff, v31
	v_lshl_or_b32 v5, s12, 6, v5
	v_cmp_lt_i32_e32 vcc, v5, v2
	v_cmp_lt_i32_e64 s[4:5], v6, v3
	s_and_b64 s[6:7], vcc, s[4:5]
	s_and_saveexec_b64 s[4:5], s[6:7]
	s_cbranch_execz .LBB1_8
	v_cmp_lt_i32_e32 vcc, 0, v4
	v_mov_b32_e32 v7, 0
	s_and_saveexec_b64 s[6:7], vcc
	s_cbranch_execz .LBB1_7
	v_cvt_f32_i32_e32 v3, v3
	v_cvt_f32_i32_e32 v9, v5
	v_cvt_f32_i32_e32 v8, v6
	s_mov_b32 s8, 0x40200000
	v_frexp_mant_f32_e32 v10, v3
	v_rcp_f32_e32 v10, v10
	v_cvt_f32_i32_e32 v7, v2
	s_mov_b32 s9, 0x404ccccd
	v_pk_mul_f32 v[8:9], v[8:9], s[8:9]
	v_frexp_exp_i32_f32_e32 v3, v3
	v_frexp_exp_i32_f32_e32 v11, v8
	v_frexp_mant_f32_e32 v8, v8
	v_mul_f32_e32 v8, v8, v10
	v_sub_u32_e32 v3, v11, v3
	v_ldexp_f32 v8, v8, v3
	v_frexp_mant_f32_e32 v3, v7
	v_rcp_f32_e32 v3, v3
	v_frexp_exp_i32_f32_e32 v7, v7
	v_frexp_exp_i32_f32_e32 v10, v9
	v_frexp_mant_f32_e32 v9, v9
	v_mul_f32_e32 v3, v9, v3
	v_sub_u32_e32 v7, v10, v7
	s_mov_b32 s8, 0xbfa00000
	v_ldexp_f32 v9, v3, v7
	s_mov_b32 s9, 0xc00ccccd
	v_pk_add_f32 v[8:9], v[8:9], s[8:9]
	s_mov_b32 s14, 0
	s_mov_b64 s[8:9], 0
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v11, 0
	s_branch .LBB1_4
.LBB1_3:
	s_or_b64 exec, exec, s[12:13]
	s_and_b64 s[12:13], exec, s[10:11]
	s_or_b64 s[8:9], s[12:13], s[8:9]
	s_andn2_b64 exec, exec, s[8:9]
	s_cbranch_execz .LBB1_6
.LBB1_4:
	v_pk_mul_f32 v[12:13], v[10:11], v[10:11]
	v_add_f32_e32 v3, v13, v12
	v_cmp_gt_f32_e32 vcc, 4.0, v3
	v_mov_b32_e32 v7, s14
	s_or_b64 s[10:11], s[10:11], exec
	s_and_saveexec_b64 s[12:13], vcc
	s_cbranch_execz .LBB1_3
	s_add_i32 s14, s14, 1
	v_pk_add_f32 v[12:13], v[12:13], v[12:13] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1]
	v_add_f32_e32 v3, v11, v11
	v_cmp_eq_u32_e32 vcc, s14, v4
	v_mul_f32_e32 v12, v3, v10
	s_andn2_b64 s[10:11], s[10:11], exec
	s_and_b64 s[16:17], vcc, exec
	v_pk_add_f32 v[10:11], v[8:9], v[12:13]
	s_or_b64 s[10:11], s[10:11], s[16:17]
	v_mov_b32_e32 v7, v4
	s_branch .LBB1_3
.LBB1_6:
	s_or_b64 exec, exec, s[8:9]
.LBB1_7:
	s_or_b64 exec, exec, s[6:7]
	v_mov_b32_e32 v4, v5
	v_mad_u64_u32 v[2:3], s[6:7], v2, v6, v[4:5]
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshlrev_b64 v[2:3], 2, v[2:3]
	v_add_co_u32_e32 v0, vcc, v0, v2
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	global_store_dword v[0:1], v7, off
.LBB1_8:
	s_or_b64 exec, exec, s[4:5]
	s_waitcnt vmcnt(0)
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
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 32
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 32
	.set amdgpu.max_num_named_barrier, 0
	.text
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
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
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx90a
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
