// SPDX-License-Identifier: MIT
// Operations that have no pieces (wave/holes.h), so that these take less time to build and less room: kernels
// seldom have them in their loops, or what they compute takes much longer than to get from one op to the
// next.
#ifndef DEVICE_RARE_H
#define DEVICE_RARE_H

// NO_PIECE_name, by name of body.
#define NO_PIECE_v_cubeid_f32          ~, 1
#define NO_PIECE_v_cubesc_f32          ~, 1
#define NO_PIECE_v_cubetc_f32          ~, 1
#define NO_PIECE_v_cubema_f32          ~, 1
#define NO_PIECE_v_mullit_f32          ~, 1
#define NO_PIECE_v_mad_legacy_f32      ~, 1
#define NO_PIECE_v_fma_dx9_zero_f32    ~, 1
#define NO_PIECE_v_mul_dx9_zero_f32    ~, 1
#define NO_PIECE_v_min_legacy_f32      ~, 1
#define NO_PIECE_v_max_legacy_f32      ~, 1
#define NO_PIECE_v_med3_num_f32        ~, 1
#define NO_PIECE_v_maxmin_f32          ~, 1
#define NO_PIECE_v_minmax_f32          ~, 1
#define NO_PIECE_v_maximum3_f32        ~, 1
#define NO_PIECE_v_minimum3_f32        ~, 1
#define NO_PIECE_v_maximumminimum_f32  ~, 1
#define NO_PIECE_v_minimummaximum_f32  ~, 1
#define NO_PIECE_v_max3_num_f32        ~, 1
#define NO_PIECE_v_min3_num_f32        ~, 1
#define NO_PIECE_v_maxmin_num_f32      ~, 1
#define NO_PIECE_v_minmax_num_f32      ~, 1
#define NO_PIECE_v_maximum_f32         ~, 1
#define NO_PIECE_v_minimum_f32         ~, 1
#define NO_PIECE_v_frexp_mant_f32      ~, 1
#define NO_PIECE_v_frexp_exp_i32_f32   ~, 1
#define NO_PIECE_v_dot8_i32_iu4        ~, 1
#define NO_PIECE_v_dot8_i32_i4         ~, 1
#define NO_PIECE_v_dot8_u32_u4         ~, 1
#define NO_PIECE_v_dot2_u32_u16        ~, 1
#define NO_PIECE_v_dot2_i32_i16        ~, 1
#define NO_PIECE_v_mqsad_pk_u16_u8     ~, 1
#define NO_PIECE_v_qsad_pk_u16_u8      ~, 1
#define NO_PIECE_v_mqsad_u32_u8        ~, 1
#define NO_PIECE_v_msad_u8             ~, 1
#define NO_PIECE_v_sad_hi_u8           ~, 1
#define NO_PIECE_v_sad_u8              ~, 1
#define NO_PIECE_v_sad_u16             ~, 1
#define NO_PIECE_v_ashr_pk_i8_i32      ~, 1
#define NO_PIECE_v_ashr_pk_u8_i32      ~, 1
#define NO_PIECE_v_lerp_u8             ~, 1
#define NO_PIECE_v_bitop3_b16          ~, 1
#define NO_PIECE_v_cls_i32             ~, 1
#define NO_PIECE_v_clz_i32_u32         ~, 1
#define NO_PIECE_v_mad_u32_u16         ~, 1
#define NO_PIECE_v_mad_i32_i16         ~, 1
#define NO_PIECE_v_mul_hi_i32_i24      ~, 1
#define NO_PIECE_v_mul_hi_u32_u24      ~, 1
#define NO_PIECE_v_subrev_co_ci_u32    ~, 1
#define NO_PIECE_v_minmax_i32          ~, 1
#define NO_PIECE_v_maxmin_i32          ~, 1
#define NO_PIECE_v_minmax_u32          ~, 1
#define NO_PIECE_v_maxmin_u32          ~, 1
#define NO_PIECE_v_alignbyte_b32       ~, 1
#define NO_PIECE_v_mad_co_i64_i32      ~, 1
#define NO_PIECE_v_sad_u32             ~, 1
#define NO_PIECE_v_maximum_f64         ~, 1
#define NO_PIECE_v_minimum_f64         ~, 1
#define NO_PIECE_v_max_num_f64         ~, 1
#define NO_PIECE_v_min_num_f64         ~, 1
#define NO_PIECE_v_max_f64             ~, 1
#define NO_PIECE_v_min_f64             ~, 1
#define NO_PIECE_v_trig_preop_f64      ~, 1
#define NO_PIECE_v_frexp_mant_f64      ~, 1
#define NO_PIECE_v_frexp_exp_i32_f64   ~, 1
#define NO_PIECE_v_ldexp_f64           ~, 1
#define NO_PIECE_v_fract_f64           ~, 1
#define NO_PIECE_v_ceil_f64            ~, 1
#define NO_PIECE_v_floor_f64           ~, 1
#define NO_PIECE_v_rndne_f64           ~, 1
#define NO_PIECE_v_trunc_f64           ~, 1
#define NO_PIECE_v_cvt_pk_norm_u16_f16 ~, 1
#define NO_PIECE_v_cvt_pk_norm_i16_f16 ~, 1
#define NO_PIECE_v_cvt_pk_u8_f32       ~, 1
#define NO_PIECE_v_cvt_pk_i16_f32      ~, 1
#define NO_PIECE_v_cvt_f16_i16         ~, 1
#define NO_PIECE_v_cvt_i16_f16         ~, 1
#define NO_PIECE_v_cvt_f16_u16         ~, 1
#define NO_PIECE_v_cvt_pk_u16_f32      ~, 1
#define NO_PIECE_v_cvt_pk_norm_i16_f32 ~, 1
#define NO_PIECE_v_cvt_pk_norm_u16_f32 ~, 1
#define NO_PIECE_v_cvt_pkaccum_u8_f32  ~, 1
#define NO_PIECE_v_cvt_u16_f16         ~, 1
#define NO_PIECE_v_cvt_norm_u16_f16    ~, 1
#define NO_PIECE_v_cvt_norm_i16_f16    ~, 1
#define NO_PIECE_v_cvt_off_f32_i4      ~, 1
#define NO_PIECE_v_cvt_nearest_i32_f32 ~, 1
#define NO_PIECE_v_cvt_floor_i32_f32   ~, 1
#define NO_PIECE_v_sin_f16             ~, 1
#define NO_PIECE_v_cos_f16             ~, 1
#define NO_PIECE_v_log_f16             ~, 1
#define NO_PIECE_v_exp_f16             ~, 1
#define NO_PIECE_v_rsq_f16             ~, 1
#define NO_PIECE_v_rcp_f16             ~, 1
#define NO_PIECE_v_sqrt_f16            ~, 1
#define NO_PIECE_v_rsq_clamp_f64       ~, 1
#define NO_PIECE_v_rcp_clamp_f64       ~, 1
#define NO_PIECE_v_log_clamp_f32       ~, 1
#define NO_PIECE_v_rsq_clamp_f32       ~, 1
#define NO_PIECE_v_rcp_clamp_f32       ~, 1
#define NO_PIECE_v_rsq_legacy_f32      ~, 1
#define NO_PIECE_v_rcp_legacy_f32      ~, 1
#define NO_PIECE_v_rsq_f64             ~, 1
#define NO_PIECE_v_sqrt_f64            ~, 1
#define NO_PIECE_v_rcp_f64             ~, 1
#define NO_PIECE_v_s_log_f16           ~, 1
#define NO_PIECE_v_s_exp_f16           ~, 1
#define NO_PIECE_v_s_rsq_f16           ~, 1
#define NO_PIECE_v_s_rcp_f16           ~, 1
#define NO_PIECE_v_s_sqrt_f16          ~, 1
#define NO_PIECE_v_s_log_f32           ~, 1
#define NO_PIECE_v_s_exp_f32           ~, 1
#define NO_PIECE_v_s_rsq_f32           ~, 1
#define NO_PIECE_v_s_rcp_f32           ~, 1
#define NO_PIECE_v_s_sqrt_f32          ~, 1
#define NO_PIECE_v_cmp_class_f64       ~, 1
#define NO_PIECE_v_cmp_class_f16       ~, 1
#define NO_PIECE_v_cmp_eq_f16          ~, 1
#define NO_PIECE_v_cmp_f_f16           ~, 1
#define NO_PIECE_v_cmp_ge_f16          ~, 1
#define NO_PIECE_v_cmp_gt_f16          ~, 1
#define NO_PIECE_v_cmp_le_f16          ~, 1
#define NO_PIECE_v_cmp_lg_f16          ~, 1
#define NO_PIECE_v_cmp_lt_f16          ~, 1
#define NO_PIECE_v_cmp_neq_f16         ~, 1
#define NO_PIECE_v_cmp_nge_f16         ~, 1
#define NO_PIECE_v_cmp_ngt_f16         ~, 1
#define NO_PIECE_v_cmp_nle_f16         ~, 1
#define NO_PIECE_v_cmp_nlg_f16         ~, 1
#define NO_PIECE_v_cmp_nlt_f16         ~, 1
#define NO_PIECE_v_cmp_o_f16           ~, 1
#define NO_PIECE_v_cmp_tru_f16         ~, 1
#define NO_PIECE_v_cmp_u_f16           ~, 1
#define NO_PIECE_v_cmp_f_f64           ~, 1
#define NO_PIECE_v_cmp_tru_f64         ~, 1
#define NO_PIECE_v_cmp_f_f32           ~, 1
#define NO_PIECE_v_cmp_tru_f32         ~, 1

// 1 if the body's name is among these, else 0.
#define RARE_SECOND(a, b, ...) b
#define RARE_PICK(...)         RARE_SECOND(__VA_ARGS__, 0, 0)
#define IS_RARE(name)          RARE_PICK(NO_PIECE_##name)

#endif
