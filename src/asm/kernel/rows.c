// SPDX-License-Identifier: MIT
// The fields of a kernel descriptor as directives name them, and which processors have them.
#include "asm/kernel/kernel.h"

const struct field_row kernel_rows[] = {
    [GROUP_SIZE] = {"group_segment_fixed_size", 0, 32, ALL, 0, 0, false},
    [PRIVATE_SIZE] = {"private_segment_fixed_size", 32, 32, ALL, 0, 0, false},
    [KERNARG_SIZE] = {"kernarg_size", 64, 32, ALL, 0, 0, true},
    [USER_COUNT] = {"user_sgpr_count", 417, 5, ALL, 0, 0, true},
    [NEXT_VGPR] = {"next_free_vgpr", 0, 0, ALL, 0, 0, false},
    [NEXT_SGPR] = {"next_free_sgpr", 0, 0, ALL, 0, 0, false},
    [ACCUM_OFFSET] = {"accum_offset", 0, 0, UNIFIED, 0, 0, false},
    [RESERVE_VCC] = {"reserve_vcc", 0, 0, ALL, 0, 1, false},
    [RESERVE_FLAT] = {"reserve_flat_scratch", 0, 0, FLAT, 0, 1, false},
    [RESERVE_XNACK] = {"reserve_xnack_mask", 0, 0, XNACK, 0, 0, false},
    [PRELOAD_LENGTH] = {"user_sgpr_kernarg_preload_length", 464, 7, PRELOAD, 0, 0, true},
    [PRELOAD_OFFSET] = {"user_sgpr_kernarg_preload_offset", 471, 9, PRELOAD, 0, 0, true},
    [WAVE32] = {"wavefront_size32", 458, 1, WAVES, 0, 0, true},
    [SHARED_COUNT] = {"shared_vgpr_count", 352, 4, SHARED, 0, 0, true},
    [PREFETCH_SIZE] = {"inst_pref_size", 356, 6, PREFETCH, 0, 0, false},
    [WGP_MODE] = {"workgroup_processor_mode", 413, 1, WGP, 0, 0, false},
    [MEMORY_ORDERED] = {"memory_ordered", 414, 1, WAVES, 0, 1, false},
    [FORWARD] = {"forward_progress", 415, 1, WAVES, 0, 1, false},
    [TG_SPLIT] = {"tg_split", 368, 1, UNIFIED, 0, 0, false},
    [FIRST_PLAIN] = {"user_sgpr_private_segment_buffer", 448, 1, SCRATCH_SETUP, 4, 0, true},
    {"user_sgpr_dispatch_ptr", 449, 1, ALL, 2, 0, true},
    {"user_sgpr_queue_ptr", 450, 1, ALL, 2, 0, true},
    {"user_sgpr_kernarg_segment_ptr", 451, 1, ALL, 2, 0, true},
    {"user_sgpr_dispatch_id", 452, 1, ALL, 2, 0, true},
    {"user_sgpr_flat_scratch_init", 453, 1, SCRATCH_SETUP, 2, 0, true},
    {"user_sgpr_private_segment_size", 454, 1, ALL, 1, 0, true},
    {"uses_dynamic_stack", 459, 1, ALL, 0, 0, false},
    {"system_sgpr_private_segment_wavefront_offset", 416, 1, SCRATCH_SETUP, 0, 0, false},
    {"enable_private_segment", 416, 1, ARCHITECTED, 0, 0, false},
    {"system_sgpr_workgroup_id_x", 423, 1, ALL, 0, 1, false},
    {"system_sgpr_workgroup_id_y", 424, 1, ALL, 0, 0, false},
    {"system_sgpr_workgroup_id_z", 425, 1, ALL, 0, 0, false},
    {"system_sgpr_workgroup_info", 426, 1, ALL, 0, 0, false},
    {"system_vgpr_workitem_id", 427, 2, ALL, 0, 0, false},
    {"float_round_mode_32", 396, 2, ALL, 0, 0, false},
    {"float_round_mode_16_64", 398, 2, ALL, 0, 0, false},
    {"float_denorm_mode_32", 400, 2, ALL, 0, 0, false},
    {"float_denorm_mode_16_64", 402, 2, ALL, 0, 3, false},
    {"dx10_clamp", 405, 1, IEEE, 0, 1, false},
    {"ieee_mode", 407, 1, IEEE, 0, 1, false},
    {"round_robin_scheduling", 405, 1, NO_IEEE, 0, 0, false},
    {"fp16_overflow", 410, 1, CLAMP16, 0, 0, false},
    {"named_barrier_count", 366, 3, BARRIERS, 0, 0, false},
    {"exception_fp_ieee_invalid_op", 440, 1, ALL, 0, 0, false},
    {"exception_fp_denorm_src", 441, 1, ALL, 0, 0, false},
    {"exception_fp_ieee_div_zero", 442, 1, ALL, 0, 0, false},
    {"exception_fp_ieee_overflow", 443, 1, ALL, 0, 0, false},
    {"exception_fp_ieee_underflow", 444, 1, ALL, 0, 0, false},
    {"exception_fp_ieee_inexact", 445, 1, ALL, 0, 0, false},
    {"exception_int_div_zero", 446, 1, ALL, 0, 0, false},
};
_Static_assert(sizeof kernel_rows / sizeof *kernel_rows == ROWS, "the rows are counted in kernel.h");

bool kernel_has(const struct program *program, enum need need) {
    const struct sw_processor *p = program->mode.processor;
    bool ieee = has(p, CAP_ieee_mode), architected = has(p, CAP_architected_flat_scratch),
         waves = has(p, CAP_wave32);
    switch (need) {
    case SCRATCH_SETUP: return !architected;
    case ARCHITECTED: return architected;
    case FLAT: return has(p, CAP_flat_address_space) && !architected;
    case XNACK: return fact(p, FACT_xnack_mask);
    case UNIFIED: return has(p, CAP_unified_vgprs);
    case PRELOAD: return has(p, CAP_kernarg_preload);
    case WAVES: return waves;
    case WGP: return has(p, CAP_cumode);
    case BARRIERS: return fact(p, FACT_user_sgprs);
    case IEEE: return ieee;
    case NO_IEEE: return !ieee;
    case CLAMP16: return fact(p, FACT_fp16_overflow);
    case SHARED: return fact(p, FACT_shared_vgprs);
    case PREFETCH: return fact(p, FACT_inst_prefetch);
    default: return true;
    }
}
