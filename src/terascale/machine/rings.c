// SPDX-License-Identifier: MIT
// Memory that control-flow words write and memory fetches read: scratch, rings, streams, reduction and
// scatter memory; exports.
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "terascale/text/print.h"
#include "terascale/machine/step.h"

// ---- Places ----

// What a word of memory names: elements of ELEM_SIZE + 1 dwords, from ARRAY_BASE on.
struct place {
    const struct ts_area *space; // NULL: scratch, of each lane its own
    const char *name;
    bool ring; // ARRAY_BASE counts dwords, and each lane has a part of its own
};

static bool find_place(struct ts_machine *m, const struct ts_insn *in, struct place *p) {
    const enum ts_op op = (enum ts_op)ts_row_number(in->row);
    *p = (struct place){.name = ts_row_name(in->row)};
    int space = -1;
    if (op == TS_EXP_MEM_SCRATCH || op == TS_MEM_READ_SCRATCH) return true;
    if (op == TS_EXP_MEM_REDUCT || op == TS_MEM_READ_REDUCT) space = TS_SPACE_REDUCTION;
    if (op == TS_EXP_MEM_EXPORT || op == TS_MEM_READ_MEM) space = TS_SPACE_SCATTER;
    if (op == TS_EXP_MEM_RING) space = TS_SPACE_RING;
    if (op >= TS_EXP_MEM_RING1 && op <= TS_EXP_MEM_RING3)
        space = TS_SPACE_RING + 1 + (int)(op - TS_EXP_MEM_RING1);
    if (op >= TS_EXP_MEM_STREAM0 && op <= TS_EXP_MEM_STREAM3)
        space = TS_SPACE_STREAM + (int)(op - TS_EXP_MEM_STREAM0);
    if (op >= TS_EXP_MEM_STREAM0_BUF0 && op <= TS_EXP_MEM_STREAM3_BUF3)
        space = TS_SPACE_STREAM + (int)(op - TS_EXP_MEM_STREAM0_BUF0);
    if (space < 0) return ts_refuse(m, "%s is not executed", p->name);
    p->space = &m->spaces[space];
    p->ring = space >= TS_SPACE_RING && space < TS_SPACE_REDUCTION;
    return p->space->data || ts_refuse(m, "%s: no memory was given for it", p->name);
}

// Dwords of a lane's element, from component 0 on, as far as `mask` asks for them. NULL: outside.
static uint32_t *element(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in,
                         const struct place *p, unsigned lane, uint64_t index, unsigned mask) {
    const uint64_t size = ts_get(in, TS_ELEM_SIZE) + 1;
    const uint64_t at =
        (p->ring ? ts_get(in, TS_ARRAY_BASE) : ts_get(in, TS_ARRAY_BASE) * size) + index * size;
    const unsigned last = mask ? 31 - (unsigned)__builtin_clz(mask) : 0;
    if (p->space) {
        const uint64_t byte = 4 * at + (p->ring ? (uint64_t)lane * p->space->stride : 0);
        if (in_range(byte, 4 * (last + 1), p->space->size))
            return (uint32_t *)(void *)(p->space->data + byte);
        ts_fault(m, (int)lane, "%s accesses dword %llu, outside of its memory", p->name,
                 (unsigned long long)(byte / 4));
        return NULL;
    }
    if (!w->scratch) w->scratch = calloc((size_t)TS_LANES * TS_SCRATCH, sizeof *w->scratch);
    if (!w->scratch) {
        m->status = diag_fail(m->sink, SW_NO_MEMORY, NULL, "out of memory");
        return NULL;
    }
    if (index < 1u << 30 && at + last < TS_SCRATCH) return w->scratch + (size_t)lane * TS_SCRATCH + at;
    ts_fault(m, (int)lane, "scratch memory is accessed at dword %llu of %d", (unsigned long long)at,
             TS_SCRATCH);
    return NULL;
}

// A register that may be relative to aL. Outside of the file GPR 0 is read, nothing written.
static uint32_t register_of(const struct ts_wave *w, const struct ts_insn *in, enum ts_field gpr,
                            enum ts_field rel, unsigned k) {
    return ts_get(in, gpr) + k + (ts_get(in, rel) ? (uint32_t)w->index : 0);
}

// ---- Writes ----

// MEM_*: registers to consecutive elements, up to ARRAY_BASE + ARRAY_SIZE; on R600 also back.
static bool run_buffer(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes) {
    const unsigned type = ts_get(in, TS_TYPE), mask = ts_get(in, TS_COMP_MASK);
    const bool reads = m->chip->family == TS_R600 && type > 1;
    struct place p;
    if (!find_place(m, in, &p)) return false;
    FOR_LANES(l, lanes) {
        for (unsigned k = 0; k <= ts_get(in, TS_BURST_COUNT); k++) {
            const uint64_t index = k + (type & 1 ? (uint64_t)w->gpr[ts_get(in, TS_INDEX_GPR)][0][l] : 0);
            const uint32_t gpr = register_of(w, in, TS_RW_GPR, TS_RW_REL, k);
            if (index > ts_get(in, TS_ARR_SIZE) || (reads && gpr >= TS_GPRS)) continue;
            uint32_t *to = element(m, w, in, &p, l, index, mask);
            if (!to) return false;
            for (unsigned c = 0; c < 4; c++) {
                uint32_t *value = &w->gpr[gpr < TS_GPRS ? gpr : 0][c][l];
                if (mask >> c & 1) *(reads ? value : &to[c]) = *(reads ? &to[c] : value);
            }
        }
    }
    return true;
}

// ---- Reads ----

// READ_SCRATCH, READ_REDUCT, READ_MEM: dwords as they are.
static bool run_read(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes) {
    static const enum ts_field sels[4] = {TS_DST_SEL_X, TS_DST_SEL_Y, TS_DST_SEL_Z, TS_DST_SEL_W};
    struct place p;
    unsigned mask = 0;
    if (!find_place(m, in, &p)) return false;
    for (unsigned c = 0; c < 4; c++)
        if (ts_get(in, sels[c]) < 4) mask |= 1u << ts_get(in, sels[c]);
    const uint32_t src = register_of(w, in, TS_SRC_GPR, TS_SRC_REL, 0);
    FOR_LANES(l, lanes) {
        const uint64_t first =
            ts_get(in, TS_INDEXED) ? w->gpr[src < TS_GPRS ? src : 0][ts_get(in, TS_SRC_SEL_X)][l] : 0;
        for (unsigned k = 0; k <= ts_get(in, TS_BURST_COUNT); k++) {
            const uint32_t gpr = register_of(w, in, TS_DST_GPR, TS_DST_REL, k);
            const uint32_t *from = element(m, w, in, &p, l, first + k, mask);
            if (!from) return false;
            for (unsigned c = 0; c < 4 && gpr < TS_GPRS; c++) {
                const unsigned sel = ts_get(in, sels[c]);
                if (sel < 6) w->gpr[gpr][c][l] = sel < 4 ? from[sel] : sel == 5;
            }
        }
    }
    return true;
}

bool ts_run_memory_fetch(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes) {
    if (in->row->gap) return ts_refuse(m, "%s: %s", ts_row_name(in->row), in->row->gap);
    if (in->row->space == TS_GDS_SPACE) return ts_run_gds(m, w, in, lanes);
    switch ((enum ts_op)ts_row_number(in->row)) {
    case TS_MEM_DS_LOCAL_WRITE: return ts_run_owner_write(m, w, in, lanes);
    case TS_MEM_DS_LOCAL_READ: return ts_run_owner_read(m, w, in, lanes);
    case TS_MEM_TF_WRITE: return ts_run_factors(m, w, in, lanes);
    default: return run_read(m, w, in, lanes);
    }
}

// ---- Exports ----

static bool run_export(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *cf, uint64_t lanes) {
    static const enum ts_field sels[4] = {TS_SEL_X, TS_SEL_Y, TS_SEL_Z, TS_SEL_W};
    static const uint32_t zeros[TS_LANES];
    uint32_t ones[TS_LANES];
    if (!m->exported) return ts_refuse(m, "a compute program has no exports");
    if (ts_get(cf, TS_TYPE) > 2) return ts_refuse(m, "exports to SX are not executed");
    for (unsigned l = 0; l < TS_LANES; l++) ones[l] = 0x3f800000;
    for (unsigned k = 0; k <= ts_get(cf, TS_BURST_COUNT); k++) {
        const uint32_t gpr = register_of(w, cf, TS_RW_GPR, TS_RW_REL, k);
        sw_terascale_export e = {.size = sizeof e,
                                 .type = ts_get(cf, TS_TYPE),
                                 .base = ts_get(cf, TS_ARRAY_BASE) + k,
                                 .lanes = lanes & w->valid};
        for (unsigned c = 0; c < 4; c++) {
            const unsigned sel = ts_get(cf, sels[c]);
            if (sel < 4) e.values[c] = w->gpr[gpr < TS_GPRS ? gpr : 0][sel];
            if (sel == 4) e.values[c] = zeros;
            if (sel == 5) e.values[c] = ones;
        }
        m->exported(m->context, &e);
    }
    return true;
}

bool ts_run_memory_write(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *cf, uint64_t lanes) {
    if (cf->row->gap) return ts_refuse(m, "%s: %s", ts_row_name(cf->row), cf->row->gap);
    if (cf->format->id == TSF_CF_ALLOC_EXPORT_SWIZ) return run_export(m, w, cf, lanes);
    if (cf->format->id == TSF_CF_ALLOC_EXPORT_RAT) return ts_run_rat(m, w, cf, lanes);
    return run_buffer(m, w, cf, lanes);
}
