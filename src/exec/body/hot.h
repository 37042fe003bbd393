// SPDX-License-Identifier: MIT
// Vector operations that have stencils (exec/holes.h): those that the kernels of bench/ execute. Other vector
// operations call their handler at tier 1. Compiled code (tier 2) has pieces of all but those of rare.h.
#ifndef EXEC_BODY_HOT_H
#define EXEC_BODY_HOT_H

// HAS_STENCIL_name, by name of body.
#define HAS_STENCIL_v_add3_u32          ~, 1
#define HAS_STENCIL_v_add_co_ci_u32     ~, 1
#define HAS_STENCIL_v_add_co_u32        ~, 1
#define HAS_STENCIL_v_add_f32           ~, 1
#define HAS_STENCIL_v_add_nc_u32        ~, 1
#define HAS_STENCIL_v_alignbit_b32      ~, 1
#define HAS_STENCIL_v_and_b32           ~, 1
#define HAS_STENCIL_v_and_or_b32        ~, 1
#define HAS_STENCIL_v_ashrrev_i32       ~, 1
#define HAS_STENCIL_v_ashrrev_i64       ~, 1
#define HAS_STENCIL_v_bfe_i32           ~, 1
#define HAS_STENCIL_v_bfe_u32           ~, 1
#define HAS_STENCIL_v_bfi_b32           ~, 1
#define HAS_STENCIL_v_clz_i32_u32       ~, 1
#define HAS_STENCIL_v_cmp_class_f32     ~, 1
#define HAS_STENCIL_v_cmp_eq_f32        ~, 1
#define HAS_STENCIL_v_cmp_eq_u16        ~, 1
#define HAS_STENCIL_v_cmp_eq_u32        ~, 1
#define HAS_STENCIL_v_cmp_ge_i32        ~, 1
#define HAS_STENCIL_v_cmp_gt_f32        ~, 1
#define HAS_STENCIL_v_cmp_gt_i32        ~, 1
#define HAS_STENCIL_v_cmp_gt_i64        ~, 1
#define HAS_STENCIL_v_cmp_gt_u32        ~, 1
#define HAS_STENCIL_v_cmp_le_i32        ~, 1
#define HAS_STENCIL_v_cmp_le_u32        ~, 1
#define HAS_STENCIL_v_cmp_lt_f32        ~, 1
#define HAS_STENCIL_v_cmp_lt_i32        ~, 1
#define HAS_STENCIL_v_cmp_lt_u32        ~, 1
#define HAS_STENCIL_v_cmp_ne_u16        ~, 1
#define HAS_STENCIL_v_cmp_ne_u32        ~, 1
#define HAS_STENCIL_v_cmp_ngt_f32       ~, 1
#define HAS_STENCIL_v_cmp_nlt_f32       ~, 1
#define HAS_STENCIL_v_cmp_o_f32         ~, 1
#define HAS_STENCIL_v_cmp_u_f32         ~, 1
#define HAS_STENCIL_v_cndmask_b32       ~, 1
#define HAS_STENCIL_v_cvt_f16_f32       ~, 1
#define HAS_STENCIL_v_cvt_f32_i32       ~, 1
#define HAS_STENCIL_v_cvt_f32_u32       ~, 1
#define HAS_STENCIL_v_cvt_i32_f32       ~, 1
#define HAS_STENCIL_v_cvt_u32_f32       ~, 1
#define HAS_STENCIL_v_dot4_i32_i8       ~, 1
#define HAS_STENCIL_v_dot4_i32_iu8      ~, 1
#define HAS_STENCIL_v_exp_f32           ~, 1
#define HAS_STENCIL_v_floor_f32         ~, 1
#define HAS_STENCIL_v_fma_f32           ~, 1
#define HAS_STENCIL_v_fma_f64           ~, 1
#define HAS_STENCIL_v_frexp_exp_i32_f32 ~, 1
#define HAS_STENCIL_v_frexp_mant_f32    ~, 1
#define HAS_STENCIL_v_ldexp_f32         ~, 1
#define HAS_STENCIL_v_lshl_add_u32      ~, 1
#define HAS_STENCIL_v_lshl_add_u64      ~, 1
#define HAS_STENCIL_v_lshl_or_b32       ~, 1
#define HAS_STENCIL_v_lshlrev_b16       ~, 1
#define HAS_STENCIL_v_lshlrev_b32       ~, 1
#define HAS_STENCIL_v_lshlrev_b64       ~, 1
#define HAS_STENCIL_v_lshrrev_b32       ~, 1
#define HAS_STENCIL_v_mad_co_u64_u32    ~, 1
#define HAS_STENCIL_v_mad_i32_i24       ~, 1
#define HAS_STENCIL_v_max3_f32          ~, 1
#define HAS_STENCIL_v_max_f32           ~, 1
#define HAS_STENCIL_v_max_i32           ~, 1
#define HAS_STENCIL_v_max_num_f32       ~, 1
#define HAS_STENCIL_v_min_i32           ~, 1
#define HAS_STENCIL_v_min_u32           ~, 1
#define HAS_STENCIL_v_mov_b16           ~, 1
#define HAS_STENCIL_v_mov_b32           ~, 1
#define HAS_STENCIL_v_mov_b64           ~, 1
#define HAS_STENCIL_v_mul_f32           ~, 1
#define HAS_STENCIL_v_mul_f64           ~, 1
#define HAS_STENCIL_v_mul_hi_u32        ~, 1
#define HAS_STENCIL_v_mul_lo_u32        ~, 1
#define HAS_STENCIL_v_mul_u32_u24       ~, 1
#define HAS_STENCIL_v_not_b32           ~, 1
#define HAS_STENCIL_v_or_b32            ~, 1
#define HAS_STENCIL_v_pack_b32_f16      ~, 1
#define HAS_STENCIL_v_perm_b32          ~, 1
#define HAS_STENCIL_v_pk_add_f32        ~, 1
#define HAS_STENCIL_v_pk_fma_f32        ~, 1
#define HAS_STENCIL_v_pk_mov_b32        ~, 1
#define HAS_STENCIL_v_pk_mul_f32        ~, 1
#define HAS_STENCIL_v_rcp_f32           ~, 1
#define HAS_STENCIL_v_rndne_f32         ~, 1
#define HAS_STENCIL_v_rsq_f32           ~, 1
#define HAS_STENCIL_v_sqrt_f32          ~, 1
#define HAS_STENCIL_v_sub_co_u32        ~, 1
#define HAS_STENCIL_v_sub_f32           ~, 1
#define HAS_STENCIL_v_sub_nc_u32        ~, 1
#define HAS_STENCIL_v_subrev_co_u32     ~, 1
#define HAS_STENCIL_v_subrev_nc_u32     ~, 1
#define HAS_STENCIL_v_trunc_f32         ~, 1
#define HAS_STENCIL_v_xad_u32           ~, 1
#define HAS_STENCIL_v_xor3_b32          ~, 1
#define HAS_STENCIL_v_xor_b32           ~, 1

// 1 if the body's name is among these, else 0.
#define IS_HOT(name) RARE_PICK(HAS_STENCIL_##name)

#endif
