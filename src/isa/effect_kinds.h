// SPDX-License-Identifier: MIT
// Operations whose effect the columns of their row do not say: by name of body, and waits by id of row. All
// others are what their operands are: lane n of the results depends on lane n of the sources.
#ifndef ISA_EFFECT_KINDS_H
#define ISA_EFFECT_KINDS_H

#include "isa/isa.h"

enum effect_kind {
    KIND_PLAIN,
    // Vectors.
    KIND_INSERT_ROUNDS,
    KIND_HALF_MATRIX,     // results of 16 bits are halves of registers, chosen by op_sel (but on GFX12)
    KIND_OF_SCALARS,      // a scalar operation in a vector encoding; of a vector register lane 0 counts
    KIND_READ_LANE,       // one lane of a vector register, whether it executes or not
    KIND_READ_FIRST_LANE, // the first that executes
    KIND_WRITE_LANE,      // one lane
    KIND_MATRIX,          // all lanes of all sources, whatever EXEC says
    KIND_PERMUTE_ROW,     // other lanes of src0; those that do not execute if op_sel says so
    KIND_PERMUTE_ALL,     // other lanes of src0, all of them; nothing in wave32
    KIND_EXCHANGE_ALL,    // other lanes of src0, whatever EXEC is
    KIND_OWN_NUMBER,      // the lane's number counts
    KIND_SWAP,
    KIND_SWAP_ROWS, // lanes of two registers change places
    KIND_SWAP_HALVES,
    KIND_EXCHANGE, // DS: lanes of the data, to where addresses say, or by a pattern
    KIND_PULL,     // from where a lane's address says
    KIND_PULL_ALL, // of lanes that do not execute as well
    KIND_RELATIVE_SOURCE,
    KIND_RELATIVE_TARGET,
    KIND_RELATIVE_BOTH,
    KIND_RELATIVE_SWAP,
    KIND_PAIR_MOVE,
    KIND_ROUNDS, // by MODE, though the row says nothing of it
    KIND_INSERT, // one byte, chosen by a source
    KIND_ILLEGAL,
    KIND_QUAD_FIRST, // src0 and src2 of other lanes of the quad
    KIND_QUAD,       // src0
    KIND_SCALES,     // src1 of other lanes, whether they execute or not; rounds
    // Scalars.
    KIND_ACCUMULATE, // reads its destination, which the row does not say
    KIND_IF_SCC,     // written if SCC is 1
    KIND_SET_BIT,
    KIND_SET_MODE, // four bits of it
    KIND_GET_HWREG,
    KIND_SET_HWREG,
    KIND_SET_INDEX,
    KIND_GET_PC,
    KIND_JUMP, // to an address in registers
    KIND_END,
    KIND_KILL,
    KIND_BARRIER,
    KIND_BARRIER_SIGNAL,
    KIND_BARRIER_WAIT,
    KIND_BARRIER_OTHER, // of barriers by number, which the wave does not wait for
    KIND_BARRIER_STATE,
    KIND_SLEEP,
    KIND_MESSAGE,
    KIND_MESSAGE_RETURN,
    KIND_TRAP,
    KIND_HALT,
    KIND_SEND_HALT,
    KIND_CLOCK,
    KIND_WAVE_NUMBER,
    KIND_LOOP_BEGIN, // over the halves of EXEC
    KIND_LOOP_END,
    KIND_FORK,
    KIND_JOIN,
    // Memory.
    KIND_NOTHING, // cache maintenance, prefetches, hints
    KIND_APPEND,
    KIND_THREAD,     // addresses by the lane's number
    KIND_TRANSPOSE,  // all lanes act if any does
    KIND_TILE,       // all lanes act whatever EXEC is
    KIND_PARAMETERS, // of attributes, in LDS: one for each lane of a quad
    KIND_P0_P10,     // those of the quad's primitive
    KIND_P10,
    KIND_P20,
    KIND_P20_HALF, // a result of 16 bits in a half of its register
    KIND_P_CHOSEN,
    KIND_DIRECT, // one value from LDS
    KIND_ARRIVE, // at a barrier in LDS, of 64 bits
    KIND_STACK,  // no record: where in LDS depends on what it reads there
    KIND_TWO,    // two addresses, in elements or in 64 of them
    KIND_TWO_64,
    KIND_TWO_APART,   // the second `offset` bytes behind the first
    KIND_CONDITIONAL, // two dwords, each exchanged if a bit of the data says so
    KIND_WRAP,
    KIND_BLOCK, // registers by the bits of M0
    KIND_FROM_LDS,
    KIND_HIGH, // typed data in upper halves
    KIND_TYPED,
    KIND_SCALAR_SCRATCH, // the scalar offset counts by 64 bytes (TRAP-091)
    KIND_GWS,
    KIND_GWS_DATA, // of the first lane that executes
};
enum effect_kind effect_kind_of(const struct row *row); // effect.c
bool effect_is_float_atomic(unsigned atomic);           // by MODE it flushes denormals and rounds

#define EFFECT_s_add_pc_i64                    ~, KIND_JUMP
#define EFFECT_s_get_shader_cycles_u64         ~, KIND_CLOCK
#define EFFECT_v_readlane_b32                  ~, KIND_READ_LANE
#define EFFECT_v_readfirstlane_b32             ~, KIND_READ_FIRST_LANE
#define EFFECT_v_writelane_b32                 ~, KIND_WRITE_LANE
#define EFFECT_v_permlane_bcast_b32            ~, KIND_EXCHANGE_ALL
#define EFFECT_v_permlane_up_b32               ~, KIND_EXCHANGE_ALL
#define EFFECT_v_permlane_down_b32             ~, KIND_EXCHANGE_ALL
#define EFFECT_v_permlane_xor_b32              ~, KIND_EXCHANGE_ALL
#define EFFECT_v_permlane_idx_gen_b32          ~, KIND_OWN_NUMBER
#define EFFECT_v_permlane16_b32                ~, KIND_PERMUTE_ROW
#define EFFECT_v_permlanex16_b32               ~, KIND_PERMUTE_ROW
#define EFFECT_v_permlane16_var_b32            ~, KIND_PERMUTE_ROW
#define EFFECT_v_permlanex16_var_b32           ~, KIND_PERMUTE_ROW
#define EFFECT_v_permlane64_b32                ~, KIND_PERMUTE_ALL
#define EFFECT_v_permlane16_swap_b32           ~, KIND_SWAP_ROWS
#define EFFECT_v_permlane32_swap_b32           ~, KIND_SWAP_ROWS
#define EFFECT_v_swap_b32                      ~, KIND_SWAP
#define EFFECT_v_swap_b16                      ~, KIND_SWAP_HALVES
#define EFFECT_ds_swizzle_b32                  ~, KIND_EXCHANGE
#define EFFECT_ds_permute_b32                  ~, KIND_EXCHANGE
#define EFFECT_ds_bpermute_b32                 ~, KIND_EXCHANGE
#define EFFECT_ds_bpermute_fi_b32              ~, KIND_PULL_ALL
#define EFFECT_v_movrels_b32                   ~, KIND_RELATIVE_SOURCE
#define EFFECT_v_movreld_b32                   ~, KIND_RELATIVE_TARGET
#define EFFECT_v_movrelsd_b32                  ~, KIND_RELATIVE_BOTH
#define EFFECT_v_movrelsd_2_b32                ~, KIND_RELATIVE_BOTH
#define EFFECT_v_swaprel_b32                   ~, KIND_RELATIVE_SWAP
#define EFFECT_s_movrels_b32                   ~, KIND_RELATIVE_SOURCE
#define EFFECT_s_movrels_b64                   ~, KIND_RELATIVE_SOURCE
#define EFFECT_s_movreld_b32                   ~, KIND_RELATIVE_TARGET
#define EFFECT_s_movreld_b64                   ~, KIND_RELATIVE_TARGET
#define EFFECT_s_movrelsd_2_b32                ~, KIND_RELATIVE_BOTH
#define EFFECT_v_cvt_pkaccum_u8_f32            ~, KIND_INSERT
#define EFFECT_v_cvt_nearest_i32_f32           ~, KIND_ROUNDS
#define EFFECT_v_pk_mov_b32                    ~, KIND_PAIR_MOVE
#define EFFECT_s_fmac_f32                      ~, KIND_ACCUMULATE
#define EFFECT_s_fmac_f16                      ~, KIND_ACCUMULATE
#define EFFECT_s_minimum_f32                   ~, KIND_ROUNDS
#define EFFECT_s_maximum_f32                   ~, KIND_ROUNDS
#define EFFECT_s_minimum_f16                   ~, KIND_ROUNDS
#define EFFECT_s_maximum_f16                   ~, KIND_ROUNDS
#define EFFECT_v_minimum3_f32                  ~, KIND_ROUNDS
#define EFFECT_v_maximum3_f32                  ~, KIND_ROUNDS
#define EFFECT_v_pk_minimum3_f16               ~, KIND_ROUNDS
#define EFFECT_v_pk_maximum3_f16               ~, KIND_ROUNDS
#define EFFECT_v_cvt_sr_pk_bf16_f32            ~, KIND_ROUNDS
#define EFFECT_v_cvt_sr_pk_f16_f32             ~, KIND_ROUNDS
#define EFFECT_v_cvt_pk_f16_f32                ~, KIND_ROUNDS
#define EFFECT_v_cvt_pk_bf16_f32               ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_pk8_fp4_f32      ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_pk8_fp4_f32   ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_pk16_fp6_f32     ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_pk16_bf6_f32     ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_pk16_fp6_f32  ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_pk16_bf6_f32  ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_pk8_fp8_bf16     ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_pk8_bf8_bf16     ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_pk8_fp8_bf16  ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_pk8_bf8_bf16  ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_pk8_fp8_f16      ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_pk8_bf8_f16      ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_pk8_fp8_f16   ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_pk8_bf8_f16   ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_pk8_fp8_f32      ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_pk8_bf8_f32      ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_pk8_fp8_f32   ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_pk8_bf8_f32   ~, KIND_ROUNDS
#define EFFECT_v_cvt_pk_fp8_f16                ~, KIND_ROUNDS
#define EFFECT_v_cvt_sr_fp8_f16                ~, KIND_INSERT_ROUNDS
#define EFFECT_v_cvt_pk_bf8_f16                ~, KIND_ROUNDS
#define EFFECT_v_cvt_sr_bf8_f16                ~, KIND_INSERT_ROUNDS
#define EFFECT_v_pk_add_bf16                   ~, KIND_ROUNDS
#define EFFECT_v_pk_mul_bf16                   ~, KIND_ROUNDS
#define EFFECT_v_pk_fma_bf16                   ~, KIND_ROUNDS
#define EFFECT_v_fma_mixlo_bf16                ~, KIND_ROUNDS
#define EFFECT_v_cvt_scalef32_pk_fp8_bf16      ~, KIND_INSERT_ROUNDS
#define EFFECT_v_cvt_scalef32_pk_fp8_f16       ~, KIND_INSERT_ROUNDS
#define EFFECT_v_cvt_scalef32_pk_fp8_f32       ~, KIND_INSERT_ROUNDS
#define EFFECT_v_cvt_scalef32_pk_bf8_bf16      ~, KIND_INSERT_ROUNDS
#define EFFECT_v_cvt_scalef32_pk_bf8_f16       ~, KIND_INSERT_ROUNDS
#define EFFECT_v_cvt_scalef32_pk_bf8_f32       ~, KIND_INSERT_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_fp8_bf16      ~, KIND_INSERT_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_fp8_f16       ~, KIND_INSERT_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_fp8_f32       ~, KIND_INSERT_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_bf8_bf16      ~, KIND_INSERT_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_bf8_f16       ~, KIND_INSERT_ROUNDS
#define EFFECT_v_cvt_scalef32_sr_bf8_f32       ~, KIND_INSERT_ROUNDS
#define EFFECT_v_cvt_scalef32_pk_fp4_bf16      ~, KIND_INSERT
#define EFFECT_v_cvt_scalef32_pk_fp4_f16       ~, KIND_INSERT
#define EFFECT_v_cvt_scalef32_pk_fp4_f32       ~, KIND_INSERT
#define EFFECT_v_cvt_scalef32_sr_pk_fp4_bf16   ~, KIND_INSERT
#define EFFECT_v_cvt_scalef32_sr_pk_fp4_f16    ~, KIND_INSERT
#define EFFECT_v_cvt_scalef32_sr_pk_fp4_f32    ~, KIND_INSERT
#define EFFECT_v_cvt_scalef32_f16_bf8          ~, KIND_INSERT
#define EFFECT_v_cvt_scalef32_f16_fp8          ~, KIND_INSERT
#define EFFECT_v_cvt_sr_f16_f32                ~, KIND_INSERT
#define EFFECT_v_cvt_sr_bf16_f32               ~, KIND_INSERT
#define EFFECT_v_cvt_floor_i32_f32             ~, KIND_ROUNDS
#define EFFECT_v_minimum3_f16                  ~, KIND_ROUNDS
#define EFFECT_v_maximum3_f16                  ~, KIND_ROUNDS
#define EFFECT_v_minimummaximum_f32            ~, KIND_ROUNDS
#define EFFECT_v_maximumminimum_f32            ~, KIND_ROUNDS
#define EFFECT_v_minimummaximum_f16            ~, KIND_ROUNDS
#define EFFECT_v_maximumminimum_f16            ~, KIND_ROUNDS
#define EFFECT_v_minimum_f64                   ~, KIND_ROUNDS
#define EFFECT_v_maximum_f64                   ~, KIND_ROUNDS
#define EFFECT_v_minimum_f32                   ~, KIND_ROUNDS
#define EFFECT_v_maximum_f32                   ~, KIND_ROUNDS
#define EFFECT_v_minimum_f16                   ~, KIND_ROUNDS
#define EFFECT_v_maximum_f16                   ~, KIND_ROUNDS
#define EFFECT_v_pk_minimum_f16                ~, KIND_ROUNDS
#define EFFECT_v_pk_maximum_f16                ~, KIND_ROUNDS
#define EFFECT_v_s_exp_f32                     ~, KIND_OF_SCALARS
#define EFFECT_v_s_exp_f16                     ~, KIND_OF_SCALARS
#define EFFECT_v_s_log_f32                     ~, KIND_OF_SCALARS
#define EFFECT_v_s_log_f16                     ~, KIND_OF_SCALARS
#define EFFECT_v_s_rcp_f32                     ~, KIND_OF_SCALARS
#define EFFECT_v_s_rcp_f16                     ~, KIND_OF_SCALARS
#define EFFECT_v_s_rsq_f32                     ~, KIND_OF_SCALARS
#define EFFECT_v_s_rsq_f16                     ~, KIND_OF_SCALARS
#define EFFECT_v_s_sqrt_f32                    ~, KIND_OF_SCALARS
#define EFFECT_v_s_sqrt_f16                    ~, KIND_OF_SCALARS
#define EFFECT_v_wmma_f16_16x16x16_f16         ~, KIND_HALF_MATRIX
#define EFFECT_v_wmma_bf16_16x16x16_bf16       ~, KIND_HALF_MATRIX
#define EFFECT_v_illegal                       ~, KIND_ILLEGAL
#define EFFECT_s_code_end                      ~, KIND_ILLEGAL
#define EFFECT_s_cmov_b32                      ~, KIND_IF_SCC
#define EFFECT_s_cmov_b64                      ~, KIND_IF_SCC
#define EFFECT_s_cmovk_i32                     ~, KIND_IF_SCC
#define EFFECT_s_bitset0_b32                   ~, KIND_SET_BIT
#define EFFECT_s_bitset0_b64                   ~, KIND_SET_BIT
#define EFFECT_s_bitset1_b32                   ~, KIND_SET_BIT
#define EFFECT_s_bitset1_b64                   ~, KIND_SET_BIT
#define EFFECT_s_round_mode                    ~, KIND_SET_MODE
#define EFFECT_s_setvskip                      ~, KIND_SET_MODE
#define EFFECT_s_denorm_mode                   ~, KIND_SET_MODE
#define EFFECT_s_getreg_b32                    ~, KIND_GET_HWREG
#define EFFECT_s_setreg_b32                    ~, KIND_SET_HWREG
#define EFFECT_s_set_gpr_idx                   ~, KIND_SET_INDEX
#define EFFECT_s_getpc_b64                     ~, KIND_GET_PC
#define EFFECT_s_setpc_b64                     ~, KIND_JUMP
#define EFFECT_s_swappc_b64                    ~, KIND_JUMP
#define EFFECT_s_endpgm                        ~, KIND_END
#define EFFECT_s_setkill                       ~, KIND_KILL
#define EFFECT_s_barrier                       ~, KIND_BARRIER
#define EFFECT_s_barrier_wait                  ~, KIND_BARRIER_WAIT
#define EFFECT_s_barrier_signal                ~, KIND_BARRIER_SIGNAL
#define EFFECT_s_barrier_init                  ~, KIND_BARRIER_OTHER
#define EFFECT_s_barrier_join                  ~, KIND_BARRIER_OTHER
#define EFFECT_s_barrier_leave                 ~, KIND_BARRIER_OTHER
#define EFFECT_s_barrier_signal_isfirst        ~, KIND_BARRIER_OTHER
#define EFFECT_s_get_barrier_state             ~, KIND_BARRIER_STATE
#define EFFECT_s_sleep                         ~, KIND_SLEEP
#define EFFECT_s_sendmsg                       ~, KIND_MESSAGE
#define EFFECT_s_sendmsg_rtn_b32               ~, KIND_MESSAGE_RETURN
#define EFFECT_s_trap                          ~, KIND_TRAP
#define EFFECT_s_sethalt                       ~, KIND_HALT
#define EFFECT_s_sendmsghalt                   ~, KIND_SEND_HALT
#define EFFECT_s_rfe_b64                       ~, KIND_ILLEGAL
#define EFFECT_s_subvector_loop_begin          ~, KIND_LOOP_BEGIN
#define EFFECT_s_subvector_loop_end            ~, KIND_LOOP_END
#define EFFECT_s_cbranch_g_fork                ~, KIND_FORK
#define EFFECT_s_cbranch_i_fork                ~, KIND_FORK
#define EFFECT_s_cbranch_join                  ~, KIND_JOIN
#define EFFECT_s_get_waveid_in_workgroup       ~, KIND_WAVE_NUMBER
#define EFFECT_v_cvt_scale_pk8_f32_fp8         ~, KIND_SCALES
#define EFFECT_v_cvt_scale_pk8_f16_fp8         ~, KIND_SCALES
#define EFFECT_v_cvt_scale_pk8_bf16_fp8        ~, KIND_SCALES
#define EFFECT_v_cvt_scale_pk8_f32_bf8         ~, KIND_SCALES
#define EFFECT_v_cvt_scale_pk8_f16_bf8         ~, KIND_SCALES
#define EFFECT_v_cvt_scale_pk8_bf16_bf8        ~, KIND_SCALES
#define EFFECT_v_cvt_scale_pk8_f32_fp4         ~, KIND_SCALES
#define EFFECT_v_cvt_scale_pk8_f16_fp4         ~, KIND_SCALES
#define EFFECT_v_cvt_scale_pk8_bf16_fp4        ~, KIND_SCALES
#define EFFECT_v_cvt_scale_pk16_f32_fp6        ~, KIND_SCALES
#define EFFECT_v_cvt_scale_pk16_f16_fp6        ~, KIND_SCALES
#define EFFECT_v_cvt_scale_pk16_bf16_fp6       ~, KIND_SCALES
#define EFFECT_v_cvt_scale_pk16_f32_bf6        ~, KIND_SCALES
#define EFFECT_v_cvt_scale_pk16_f16_bf6        ~, KIND_SCALES
#define EFFECT_v_cvt_scale_pk16_bf16_bf6       ~, KIND_SCALES
#define EFFECT_v_interp_p10_f32                ~, KIND_QUAD_FIRST
#define EFFECT_v_interp_p2_inreg_f32           ~, KIND_QUAD
#define EFFECT_v_interp_p10_f16_f32            ~, KIND_QUAD_FIRST
#define EFFECT_v_interp_p2_f16_f32             ~, KIND_QUAD
#define EFFECT_v_interp_p10_rtz_f16_f32        ~, KIND_QUAD_FIRST
#define EFFECT_v_interp_p2_rtz_f16_f32         ~, KIND_QUAD
#define EFFECT_v_interp_p1_f32                 ~, KIND_P0_P10
#define EFFECT_v_interp_p1lv_f16               ~, KIND_P10
#define EFFECT_v_interp_p2_f32                 ~, KIND_P20
#define EFFECT_v_interp_p2_f16                 ~, KIND_P20_HALF
#define EFFECT_v_interp_p2_legacy_f16          ~, KIND_P20
#define EFFECT_v_interp_mov_f32                ~, KIND_P_CHOSEN
#define EFFECT_ds_param_load                   ~, KIND_PARAMETERS
#define EFFECT_ds_direct_load                  ~, KIND_DIRECT
#define EFFECT_s_memtime                       ~, KIND_CLOCK
#define EFFECT_s_memrealtime                   ~, KIND_CLOCK
#define EFFECT_s_nop                           ~, KIND_NOTHING
#define EFFECT_v_nop                           ~, KIND_NOTHING
#define EFFECT_ds_append                       ~, KIND_APPEND
#define EFFECT_ds_consume                      ~, KIND_APPEND
#define EFFECT_ds_load_addtid                  ~, KIND_THREAD
#define EFFECT_ds_store_addtid                 ~, KIND_THREAD
#define EFFECT_global_load_addtid              ~, KIND_THREAD
#define EFFECT_global_store_addtid             ~, KIND_THREAD
#define EFFECT_ds_load_tr_b16                  ~, KIND_TRANSPOSE
#define EFFECT_ds_load_tr_b4                   ~, KIND_TRANSPOSE
#define EFFECT_ds_load_tr_b6                   ~, KIND_TRANSPOSE
#define EFFECT_ds_load_tr_b8                   ~, KIND_TRANSPOSE
#define EFFECT_ds_load_tr4_b64                 ~, KIND_TILE
#define EFFECT_ds_load_tr6_b96                 ~, KIND_TILE
#define EFFECT_ds_load_tr8_b64                 ~, KIND_TILE
#define EFFECT_ds_load_tr16_b128               ~, KIND_TILE
#define EFFECT_ds_bvh_stack_rtn_b32            ~, KIND_STACK
#define EFFECT_ds_bvh_stack_push4_pop1_rtn_b32 ~, KIND_STACK
#define EFFECT_ds_bvh_stack_push8_pop1_rtn_b32 ~, KIND_STACK
#define EFFECT_ds_bvh_stack_push8_pop2_rtn_b64 ~, KIND_STACK
#define EFFECT_ds_barrier_arrive_rtn           ~, KIND_ARRIVE
#define EFFECT_ds_barrier_arrive_async         ~, KIND_ARRIVE
#define EFFECT_global_load_tr4_b64             ~, KIND_TRANSPOSE
#define EFFECT_global_load_tr6_b96             ~, KIND_TRANSPOSE
#define EFFECT_global_load_tr_b128             ~, KIND_TRANSPOSE
#define EFFECT_global_load_tr_b64              ~, KIND_TRANSPOSE
#define EFFECT_ds_load_2addr                   ~, KIND_TWO
#define EFFECT_ds_store_2addr                  ~, KIND_TWO
#define EFFECT_ds_storexchg_2addr              ~, KIND_TWO
#define EFFECT_ds_load_2addr_stride64          ~, KIND_TWO_64
#define EFFECT_ds_store_2addr_stride64         ~, KIND_TWO_64
#define EFFECT_ds_storexchg_2addr_stride64     ~, KIND_TWO_64
#define EFFECT_ds_src2                         ~, KIND_TWO_APART
#define EFFECT_ds_condxchg32_rtn_b64           ~, KIND_CONDITIONAL
#define EFFECT_ds_wrap_rtn_b32                 ~, KIND_WRAP
#define EFFECT_buffer_store_lds                ~, KIND_FROM_LDS
#define EFFECT_global_load_block               ~, KIND_BLOCK
#define EFFECT_global_store_block              ~, KIND_BLOCK
#define EFFECT_scratch_load_block              ~, KIND_BLOCK
#define EFFECT_scratch_store_block             ~, KIND_BLOCK
#define EFFECT_format_load                     ~, KIND_TYPED
#define EFFECT_format_store                    ~, KIND_TYPED
#define EFFECT_format_load_high                ~, KIND_HIGH
#define EFFECT_format_store_high               ~, KIND_HIGH
#define EFFECT_s_scratch_load                  ~, KIND_SCALAR_SCRATCH
#define EFFECT_s_scratch_store                 ~, KIND_SCALAR_SCRATCH
#define EFFECT_ds_gws_init                     ~, KIND_GWS_DATA
#define EFFECT_ds_gws_barrier                  ~, KIND_GWS_DATA
#define EFFECT_ds_gws_sema_br                  ~, KIND_GWS_DATA
#define EFFECT_ds_gws_sema_v                   ~, KIND_GWS
#define EFFECT_ds_gws_sema_p                   ~, KIND_GWS
#define EFFECT_ds_gws_sema_release_all         ~, KIND_GWS

// What a row waits for: the counter in the low bits of its immediate, plus one; another one in bits 13:8.
#define WAITS_s_waitcnt_vmcnt       ~, COUNTER_VM + 1
#define WAITS_s_waitcnt_vscnt       ~, COUNTER_VS + 1
#define WAITS_s_waitcnt_expcnt      ~, COUNTER_EXP + 1
#define WAITS_s_waitcnt_lgkmcnt     ~, COUNTER_LGKM + 1
#define WAITS_s_wait_loadcnt        ~, COUNTER_VM + 1
#define WAITS_s_wait_storecnt       ~, COUNTER_VS + 1
#define WAITS_s_wait_samplecnt      ~, COUNTER_SAMPLE + 1
#define WAITS_s_wait_bvhcnt         ~, COUNTER_BVH + 1
#define WAITS_s_wait_expcnt         ~, COUNTER_EXP + 1
#define WAITS_s_wait_dscnt          ~, COUNTER_LGKM + 1
#define WAITS_s_wait_kmcnt          ~, COUNTER_KM + 1
#define WAITS_s_wait_asynccnt       ~, COUNTER_ASYNC + 1
#define WAITS_s_wait_tensorcnt      ~, COUNTER_TENSOR + 1
#define WAITS_s_wait_loadcnt_dscnt  ~, (COUNTER_LGKM + 1) | (COUNTER_VM + 1) << 4
#define WAITS_s_wait_storecnt_dscnt ~, (COUNTER_LGKM + 1) | (COUNTER_VS + 1) << 4
#define WAITS_s_wait_idle           ~, WAITS_ALL

enum { WAITS_ALL = 0xff };

#define EFFECT_SECOND_(a, b, ...) b
#define EFFECT_SECOND(...)        EFFECT_SECOND_(__VA_ARGS__)
#define EFFECT_KIND_OF(sem)       EFFECT_SECOND(EFFECT_##sem, 0, 0)
#define EFFECT_WAITS_OF(row)      EFFECT_SECOND(WAITS_##row, 0, 0)

#endif
