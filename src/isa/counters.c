// SPDX-License-Identifier: MIT
#include "isa/counters.h"

enum { ANCIENT, GFX9_COUNTERS, WITH_VS, SPLIT, REPLAYING };

static const struct counters all[] = {
    [ANCIENT] = {.most = {[COUNTER_VM] = 15, [COUNTER_LGKM] = 15, [COUNTER_EXP] = 7},
                 .wait = {[COUNTER_VM] = "vmcnt", [COUNTER_LGKM] = "lgkmcnt", [COUNTER_EXP] = "expcnt"},
                 .loads = COUNTER_VM,
                 .stores = COUNTER_VM,
                 .lds = COUNTER_LGKM,
                 .scalar = COUNTER_LGKM},
    [GFX9_COUNTERS] = {.most = {[COUNTER_VM] = 63, [COUNTER_LGKM] = 15, [COUNTER_EXP] = 7},
                       .wait = {[COUNTER_VM] = "vmcnt", [COUNTER_LGKM] = "lgkmcnt", [COUNTER_EXP] = "expcnt"},
                       .loads = COUNTER_VM,
                       .stores = COUNTER_VM,
                       .lds = COUNTER_LGKM,
                       .scalar = COUNTER_LGKM},
    [WITH_VS] = {.most = {[COUNTER_VM] = 63, [COUNTER_VS] = 63, [COUNTER_LGKM] = 63, [COUNTER_EXP] = 7},
                 .wait = {[COUNTER_VM] = "vmcnt",
                          [COUNTER_VS] = "s_waitcnt_vscnt",
                          [COUNTER_LGKM] = "lgkmcnt",
                          [COUNTER_EXP] = "expcnt"},
                 .loads = COUNTER_VM,
                 .stores = COUNTER_VS,
                 .lds = COUNTER_LGKM,
                 .scalar = COUNTER_LGKM},
    [SPLIT] = {.most = {[COUNTER_VM] = 63,
                        [COUNTER_VS] = 63,
                        [COUNTER_LGKM] = 63,
                        [COUNTER_EXP] = 7,
                        [COUNTER_KM] = 31,
                        [COUNTER_SAMPLE] = 63,
                        [COUNTER_BVH] = 7},
               .wait = {[COUNTER_VM] = "s_wait_loadcnt",
                        [COUNTER_VS] = "s_wait_storecnt",
                        [COUNTER_LGKM] = "s_wait_dscnt",
                        [COUNTER_EXP] = "s_wait_expcnt",
                        [COUNTER_KM] = "s_wait_kmcnt",
                        [COUNTER_SAMPLE] = "s_wait_samplecnt",
                        [COUNTER_BVH] = "s_wait_bvhcnt"},
               .split = true,
               .loads = COUNTER_VM,
               .stores = COUNTER_VS,
               .lds = COUNTER_LGKM,
               .scalar = COUNTER_KM},
    [REPLAYING] = {.most = {[COUNTER_VM] = 63,
                            [COUNTER_VS] = 63,
                            [COUNTER_LGKM] = 63,
                            [COUNTER_KM] = 31,
                            [COUNTER_X] = 63,
                            [COUNTER_ASYNC] = 63,
                            [COUNTER_TENSOR] = 63},
                   .wait = {[COUNTER_VM] = "s_wait_loadcnt",
                            [COUNTER_VS] = "s_wait_storecnt",
                            [COUNTER_LGKM] = "s_wait_dscnt",
                            [COUNTER_KM] = "s_wait_kmcnt",
                            [COUNTER_X] = "s_wait_xcnt",
                            [COUNTER_ASYNC] = "s_wait_asynccnt",
                            [COUNTER_TENSOR] = "s_wait_tensorcnt"},
                   .split = true,
                   .loads = COUNTER_VM,
                   .stores = COUNTER_VS,
                   .lds = COUNTER_LGKM,
                   .scalar = COUNTER_KM},
};
static const struct counters gfx6 = {
    .most = {[COUNTER_VM] = 15, [COUNTER_LGKM] = 15, [COUNTER_EXP] = 7},
    .wait = {[COUNTER_VM] = "vmcnt", [COUNTER_LGKM] = "lgkmcnt", [COUNTER_EXP] = "expcnt"},
    .loads = COUNTER_VM,
    .stores = COUNTER_VM,
    .lds = COUNTER_LGKM,
    .scalar = COUNTER_LGKM,
    .store_data = true};

const struct counters *isa_counters(const struct isa *isa) {
    const enum generation g = isa->generation;
    return generation_within(g, GFX12_5) ? &all[REPLAYING]
           : generation_within(g, GFX12) ? &all[SPLIT]
           : generation_within(g, GFX10) ? &all[WITH_VS]
           : generation_within(g, GFX9)  ? &all[GFX9_COUNTERS]
           : generation_within(g, GFX7)  ? &all[ANCIENT]
                                         : &gfx6;
}

static bool reads_sampler(const struct row *row) {
    for (unsigned n = 0; n < ROW_SRC; n++)
        if (row->src[n].type != T_NO_OPERAND && row->src[n].field == F_ssamp) return true;
    return false;
}

void isa_counts(const struct isa *isa, const struct row *row, bool result, uint8_t kinds[COUNTERS]) {
    const struct counters *k = isa_counters(isa);
    const bool vector = row->flags & ROW_VM_CNT, other = row->flags & ROW_LGKM_CNT;
    memset(kinds, 0, COUNTERS);
    const unsigned format = isa->codings[isa->row_codings[row - isa_rows]].format;
    if (format == FMT_EXP) kinds[COUNTER_EXP] = COUNT_EXPORT;
    if (!vector && !other) return;
    if (format == FMT_SMEM) {
        kinds[k->scalar] = COUNT_SCALAR;
        return;
    }
    const bool image = format == FMT_MIMG || format == FMT_VIMAGE || format == FMT_VSAMPLE;
    if (vector && !(row->flags & (ROW_LOAD | ROW_STORE)) && !image) return; // queries of images count
    const bool stores = (row->flags & ROW_STORE) && !result;
    if (vector) kinds[stores ? k->stores : k->loads] = other ? COUNT_FLAT : COUNT_VECTOR;
    if (other) kinds[k->lds] = vector ? COUNT_FLAT : COUNT_LDS;
    if (image && !stores && k->stores != k->loads) { // samples and rays come in an order of their own
        const unsigned kind = row->image & IMAGE_RAY                        ? COUNT_RAY
                              : format == FMT_VSAMPLE || reads_sampler(row) ? COUNT_SAMPLE
                                                                            : COUNT_VECTOR;
        kinds[k->loads] = 0;
        kinds[!k->split || kind == COUNT_VECTOR ? k->loads
              : kind == COUNT_RAY               ? COUNTER_BVH
                                                : COUNTER_SAMPLE] = (uint8_t)kind;
    }
    if (k->store_data && row->flags & ROW_STORE && vector) kinds[COUNTER_EXP] = COUNT_DATA;
}

uint8_t isa_counts_translation(const struct isa *isa, const struct row *row) {
    const unsigned format = isa->codings[isa->row_codings[row - isa_rows]].format;
    if (!isa_counters(isa)->most[COUNTER_X] || !(row->flags & (ROW_LOAD | ROW_STORE))) return 0;
    if (row->flags & (ROW_ASYNC_CNT | ROW_TENSOR_CNT)) return COUNT_DATA;
    return format == FMT_SMEM ? COUNT_SCALAR : row->flags & ROW_VM_CNT ? COUNT_VECTOR : 0;
}

void isa_counts_copies(const struct isa *isa, const struct row *row, uint8_t kinds[COUNTERS]) {
    const struct counters *k = isa_counters(isa);
    if (row->flags & ROW_ASYNC_CNT && k->most[COUNTER_ASYNC])
        kinds[COUNTER_ASYNC] = row->flags & ROW_LOAD ? COUNT_VECTOR : COUNT_DATA;
    if (row->flags & ROW_TENSOR_CNT && k->most[COUNTER_TENSOR]) kinds[COUNTER_TENSOR] = COUNT_VECTOR;
}

enum memory_family isa_memory_family(const struct isa *isa) {
    const enum generation g = isa->generation;
    return generation_within(g, GFX12_5)  ? MEMORY_GFX125
           : generation_within(g, GFX12)  ? MEMORY_GFX12
           : generation_within(g, GFX10)  ? MEMORY_GFX10
           : generation_within(g, GFX942) ? MEMORY_GFX942
           : generation_within(g, GFX90A) ? MEMORY_GFX90A
                                          : MEMORY_GFX6;
}

bool isa_dlc_is_policy(const struct isa *isa) { return generation_within(isa->generation, GFX11); }

bool isa_lds_unaligned(const struct isa *isa) {
    const enum generation g = isa->generation;
    // GFX10.1 goes astray in WGP mode.
    return generation_within(g, GFX9) && (!generation_within(g, GFX10) || generation_within(g, GFX10_3));
}

bool isa_ordered_counts_dwords(const struct isa *isa) { return generation_within(isa->generation, GFX10); }
bool isa_ordered_names_stage(const struct isa *isa) { return !generation_within(isa->generation, GFX11); }

unsigned isa_greatest_offset(const struct isa *isa, enum format_id format) {
    const enum generation g = isa->generation;
    switch (format) {
    case FMT_DS: return generation_within(g, GFX7) ? 65535 : 0; // GFX6 adds wrongly to negative addresses
    case FMT_GLOBAL:
        return generation_within(g, GFX12)   ? 8388607
               : generation_within(g, GFX11) ? 4095
               : generation_within(g, GFX10) ? 2047
               : generation_within(g, GFX9)  ? 4095
                                             : 0;
    case FMT_MUBUF: return 4095;
    default: return 0; // flat offsets of GFX10.1 go astray
    }
}
