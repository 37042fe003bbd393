// SPDX-License-Identifier: MIT
// Fetch clauses: vertex fetches with every data format of up to 128 bits, and what is asked of GDS.
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "terascale/half.h"
#include "terascale/machine.h"
#include "terascale/print.h"

#define FOR_LANES(l, set)                                                                                    \
    for (uint64_t left_##l = (set); left_##l; left_##l &= left_##l - 1)                                      \
        for (unsigned l = (unsigned)__builtin_ctzll(left_##l), once_##l = 1; once_##l; once_##l = 0)

// ---- Formats ----

// Components from the least significant bit up, by DATA_FORMAT.
struct format {
    uint8_t bits[4];
    bool real;
};
static const struct format formats[64] = {
    [1] = {{8}, false},
    [2] = {{4, 4}, false},
    [3] = {{2, 3, 3}, false},
    [5] = {{16}, false},
    [6] = {{16}, true},
    [7] = {{8, 8}, false},
    [8] = {{5, 6, 5}, false},
    [9] = {{5, 5, 6}, false},
    [10] = {{5, 5, 5, 1}, false},
    [11] = {{4, 4, 4, 4}, false},
    [12] = {{1, 5, 5, 5}, false},
    [13] = {{32}, false},
    [14] = {{32}, true},
    [15] = {{16, 16}, false},
    [16] = {{16, 16}, true},
    [17] = {{24, 8}, false},
    [19] = {{8, 24}, false},
    [21] = {{11, 11, 10}, false},
    [23] = {{10, 11, 11}, false},
    [25] = {{10, 10, 10, 2}, false},
    [26] = {{8, 8, 8, 8}, false},
    [27] = {{2, 10, 10, 10}, false},
    [29] = {{32, 32}, false},
    [30] = {{32, 32}, true},
    [31] = {{16, 16, 16, 16}, false},
    [32] = {{16, 16, 16, 16}, true},
    [34] = {{32, 32, 32, 32}, false},
    [35] = {{32, 32, 32, 32}, true},
    [44] = {{8, 8, 8}, false},
    [45] = {{16, 16, 16}, false},
    [46] = {{16, 16, 16}, true},
    [47] = {{32, 32, 32}, false},
    [48] = {{32, 32, 32}, true},
};

enum { NUM_NORM, NUM_INT, NUM_SCALED };

// One component as a register holds it.
static uint32_t component(uint32_t v, unsigned bits, bool real, unsigned number, bool sign, bool no_zero) {
    if (real) return bits == 16 ? ts_bits(of_half((uint16_t)v)) : v;
    const int64_t s = sign ? sign_extend(v, bits) : (int64_t)v;
    if (number == NUM_INT) return (uint32_t)s;
    if (number == NUM_SCALED) return ts_bits((float)s);
    if (!sign) return ts_bits((float)((double)v / (double)((1ull << bits) - 1)));
    if (no_zero) return ts_bits((float)((2.0 * (double)s + 1.0) / (double)((1ull << bits) - 1)));
    const double d = (double)s / (double)((1ull << (bits - 1)) - 1);
    return ts_bits((float)(d < -1 ? -1 : d));
}

static uint32_t swap(uint32_t v, unsigned endian) {
    if (endian == 1) return (v & 0x00ff00ffu) << 8 | (v >> 8 & 0x00ff00ffu);
    return endian == 2 ? __builtin_bswap32(v) : v;
}

struct fetch {
    const struct ts_insn *in;
    const struct format *format;
    unsigned bytes, components, number, endian;
    bool sign, no_zero;
};

static void convert(const struct fetch *f, const uint8_t *data, uint32_t out[4]) {
    uint32_t dwords[5] = {0};
    memcpy(dwords, data, f->bytes);
    for (unsigned i = 0; i < 4 && f->endian; i++) dwords[i] = swap(dwords[i], f->endian);
    unsigned at = 0;
    for (unsigned i = 0; i < f->components; i++) {
        const unsigned bits = f->format->bits[i];
        uint64_t pair;
        memcpy(&pair, &dwords[at / 32], sizeof pair);
        const uint32_t v = (uint32_t)(pair >> at % 32 & (~0ull >> (64 - bits)));
        out[i] = component(v, bits, f->format->real, f->number, f->sign, f->no_zero);
        at += bits;
    }
}

// ---- Vertex fetches ----

static bool take(struct ts_machine *m, const struct ts_insn *in, struct fetch *f) {
    *f = (struct fetch){.in = in,
                        .format = &formats[ts_get(in, TS_DATA_FORMAT)],
                        .number = ts_get(in, TS_NUM_FORMAT_ALL),
                        .endian = ts_get(in, TS_ENDIAN_SWAP),
                        .sign = ts_get(in, TS_FORMAT_COMP_ALL),
                        .no_zero = ts_get(in, TS_SRF_MODE_ALL)};
    unsigned bits = 0;
    while (f->components < 4 && f->format->bits[f->components]) bits += f->format->bits[f->components++];
    f->bytes = bits / 8;
    if (!f->components) return ts_refuse(m, "data format %u is not executed", ts_get(in, TS_DATA_FORMAT));
    if (f->number > NUM_SCALED || f->endian > 2)
        return ts_refuse(m, "this number format or endian swap is not executed");
    if (ts_get(in, TS_USE_CONST_FIELDS)) return ts_refuse(m, "formats of resources are not executed");
    if (ts_get(in, TS_STRUCTURED_READ) || ts_get(in, TS_LDS_REQ) || ts_get(in, TS_COALESCED_READ))
        return ts_refuse(m, "structured and coalesced reads are not executed");
    return true;
}

// A buffer's resource, or the one space of memory: outside of a resource 0 is read, outside of memory is a
// fault.
static bool fetch_lane(struct ts_machine *m, const struct fetch *f, unsigned buffer, unsigned lane,
                       uint32_t index, uint32_t out[4]) {
    const uint32_t stride = ts_get(f->in, TS_CONST_BUF_NO_STRIDE) ? 1 : m->stride[buffer];
    const uint64_t at = (uint64_t)index * stride + ts_get(f->in, TS_OFFSET);
    const uint8_t *data;
    uint8_t copy[16] = {0};
    for (unsigned i = 0; i < 4; i++) out[i] = 0;
    if (m->flat[buffer]) {
        data = ts_memory_at(m, (uint32_t)at, f->bytes, false);
        if (!data)
            return ts_fault(m, (int)lane, "a fetch of %u bytes at 0x%x, outside of every buffer", f->bytes,
                            (uint32_t)at);
    } else {
        const struct ts_memory *b = &m->buffers[buffer];
        if (!b->data) return ts_fault(m, (int)lane, "vertex buffer %u is not there", buffer);
        data = in_range(at, f->bytes, b->size) ? b->data + at : copy;
    }
    convert(f, data, out);
    if (f->components < 4) out[3] = f->number == NUM_INT && !f->format->real ? 1 : 0x3f800000u;
    return true;
}

static bool run_vertex(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes) {
    static const enum ts_field sels[4] = {TS_DST_SEL_X, TS_DST_SEL_Y, TS_DST_SEL_Z, TS_DST_SEL_W};
    struct fetch f;
    if (!take(m, in, &f)) return false;
    uint32_t results[4][TS_LANES];
    unsigned buffer = ts_get(in, TS_BUFFER_ID);
    const unsigned by = ts_get(in, TS_BUFFER_INDEX_MODE);
    if (by) buffer += w->cf_index[(by - 1) & 1];
    if (buffer > 255) return ts_fault(m, -1, "vertex buffer %u is not there", buffer);
    FOR_LANES(l, lanes) {
        uint32_t v[4];
        const uint32_t src = ts_get(in, TS_SRC_GPR) + (ts_get(in, TS_SRC_REL) ? (uint32_t)w->index : 0);
        const uint32_t index = w->gpr[src % TS_GPRS][ts_get(in, TS_SRC_SEL_X)][l];
        if (!fetch_lane(m, &f, buffer, l, index, v)) return false;
        for (unsigned i = 0; i < 4; i++) results[i][l] = v[i];
    }
    const uint32_t one = f.number == NUM_INT && !f.format->real ? 1 : 0x3f800000u;
    const uint32_t gpr = ts_get(in, TS_DST_GPR) + (ts_get(in, TS_DST_REL) ? (uint32_t)w->index : 0);
    for (unsigned c = 0; c < 4; c++) {
        const unsigned sel = ts_get(in, sels[c]);
        if (sel > 5 || gpr >= TS_GPRS) continue; // masked
        FOR_LANES(l, lanes) { w->gpr[gpr][c][l] = sel == 4 ? 0 : sel == 5 ? one : results[sel][l]; }
    }
    return true;
}

// ---- GDS ----

// The operation is LDS's of the same number; address, first and second operand come from a GPR.
static bool run_gds(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes) {
    static const enum ts_field src[3] = {TS_SRC_SEL_X, TS_SRC_SEL_Y, TS_SRC_SEL_Z};
    static const enum ts_field dst[4] = {TS_DST_SEL_X, TS_DST_SEL_Y, TS_DST_SEL_Z, TS_DST_SEL_W};
    const unsigned number = ts_get(in, TS_GDS_OP);
    const struct ts_isa *isa = &ts_isas[in->family];
    const unsigned row = number < isa->count[TS_LDS_SPACE] ? isa->index[TS_LDS_SPACE][number] : 0;
    if (!row || ts_get(in, TS_SRC_REL_MODE) || ts_get(in, TS_DST_REL_MODE) || ts_get(in, TS_ALLOC_CONSUME))
        return ts_refuse(m, "%s is not executed in this form", ts_row_name(in->row));
    FOR_LANES(l, lanes) {
        uint32_t v[3], old = 0;
        for (unsigned i = 0; i < 3; i++) {
            const unsigned sel = ts_get(in, src[i]);
            v[i] = sel < 4 ? w->gpr[ts_get(in, TS_SRC_GPR)][sel][l] : sel == 5 ? 1 : 0;
        }
        uint32_t *word =
            in_range(v[0] & ~3u, 4, m->gds_size) ? (uint32_t *)(void *)(m->gds + (v[0] & ~3u)) : NULL;
        uint32_t nowhere = 0;
        if (!ts_atomic((enum ts_op)(row - 1), word ? word : &nowhere, v[1], v[2], &old))
            return ts_refuse(m, "%s is not executed", ts_row_name(in->row));
        for (unsigned c = 0; c < 4 && in->row->returns; c++) {
            const unsigned sel = ts_get(in, dst[c]);
            if (sel < 6) w->gpr[ts_get(in, TS_DST_GPR)][c][l] = sel == 0 ? (word ? old : 0) : sel == 5;
        }
    }
    return true;
}

bool ts_run_fetches(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *cf, uint64_t lanes) {
    const struct ts_clause c = ts_clause_of(cf);
    if (c.begin >= m->words || c.words > m->words - c.begin)
        return ts_fault(m, -1, "the clause is outside of the program");
    for (uint32_t i = 0; i < c.words; i += 2) {
        struct ts_insn in;
        ts_decode_fetch(m->chip->family, m->code + 2 * (size_t)(c.begin + i), &in);
        bool good;
        if (in.row && in.format->id == TSF_VTX_GPR && ts_is(&in, TS_VTX_VFETCH))
            good = run_vertex(m, w, &in, lanes);
        else if (in.row && in.row->space == TS_GDS_SPACE)
            good = run_gds(m, w, &in, lanes);
        else if (ts_is(&in, TS_MEM_READ_SCRATCH))
            good = ts_run_scratch_read(m, w, &in, lanes);
        else
            good =
                ts_refuse(m, "%s is not executed", in.row ? ts_row_name(in.row) : "a fetch without a name");
        if (!good) return false;
    }
    return true;
}
