// SPDX-License-Identifier: MIT
// Memory that work-items share: LDS with its queues, GDS, R700's LDS of owners.
#include <string.h>

#include "base/bytes.h"
#include "terascale/machine/step.h"

// ---- Atomics ----

static uint32_t increment(uint32_t v, uint32_t most) { return v >= most ? 0 : v + 1; }
static uint32_t decrement(uint32_t v, uint32_t most) { return !v || v > most ? most : v - 1; }

bool ts_atomic(enum ts_op op, uint32_t *word, uint32_t a, uint32_t b, uint32_t *old) {
    const uint32_t v = *old = *word;
    switch (op) {
    case TS_LDS_ADD:
    case TS_LDS_ADD_RET: *word = v + a; return true;
    case TS_LDS_SUB:
    case TS_LDS_SUB_RET: *word = v - a; return true;
    case TS_LDS_RSUB:
    case TS_LDS_RSUB_RET: *word = a - v; return true;
    case TS_LDS_INC:
    case TS_LDS_INC_RET: *word = increment(v, a); return true;
    case TS_LDS_DEC:
    case TS_LDS_DEC_RET: *word = decrement(v, a); return true;
    case TS_LDS_MIN_INT:
    case TS_LDS_MIN_INT_RET: *word = (int32_t)v < (int32_t)a ? v : a; return true;
    case TS_LDS_MAX_INT:
    case TS_LDS_MAX_INT_RET: *word = (int32_t)v > (int32_t)a ? v : a; return true;
    case TS_LDS_MIN_UINT:
    case TS_LDS_MIN_UINT_RET: *word = v < a ? v : a; return true;
    case TS_LDS_MAX_UINT:
    case TS_LDS_MAX_UINT_RET: *word = v > a ? v : a; return true;
    case TS_LDS_AND:
    case TS_LDS_AND_RET: *word = v & a; return true;
    case TS_LDS_OR:
    case TS_LDS_OR_RET: *word = v | a; return true;
    case TS_LDS_XOR:
    case TS_LDS_XOR_RET: *word = v ^ a; return true;
    case TS_LDS_MSKOR:
    case TS_LDS_MSKOR_RET: *word = (v & ~a) | b; return true;
    case TS_LDS_WRITE:
    case TS_LDS_XCHG_RET: *word = a; return true;
    case TS_LDS_CMP_STORE:
    case TS_LDS_CMP_XCHG_RET: *word = v == a ? b : v; return true;
    case TS_LDS_CMP_STORE_SPF: // single-precision floats
    case TS_LDS_CMP_XCHG_SPF_RET: *word = ts_float(v) == ts_float(a) ? b : v; return true;
    case TS_LDS_READ_RET: return true;
    default: return false;
    }
}

// ---- Shared memory ----

struct share {
    uint8_t *data;
    uint64_t size;
};

// Outside of it reads give 0 and writes are dropped.
static uint32_t *word_at(const struct share *s, uint32_t address, uint32_t *nowhere) {
    *nowhere = 0;
    address &= ~3u;
    return in_range(address, 4, s->size) ? (uint32_t *)(void *)(s->data + address) : nowhere;
}

static uint32_t read_part(const struct share *s, uint32_t address, unsigned size, bool sign) {
    uint32_t nowhere;
    const uint32_t v = *word_at(s, address, &nowhere) >> 8 * (address & (size == 1 ? 3 : 2));
    return sign ? (uint32_t)sign_extend(v, 8 * size) : (uint32_t)bits(v, 0, 8 * size);
}

static void write_part(const struct share *s, uint32_t address, unsigned size, uint32_t value) {
    uint32_t nowhere, *word = word_at(s, address, &nowhere);
    const unsigned shift = 8 * (address & (size == 1 ? 3 : 2));
    const uint32_t mask = (size == 1 ? 0xffu : 0xffffu) << shift;
    *word = (*word & ~mask) | (value << shift & mask);
}

// Bytes and shorts. False: the operation is another one.
static bool run_part(const struct share *s, enum ts_op op, const uint32_t v[3], uint32_t *out) {
    switch (op) {
    case TS_LDS_BYTE_WRITE: write_part(s, v[0], 1, v[1]); return true;
    case TS_LDS_SHORT_WRITE: write_part(s, v[0], 2, v[1]); return true;
    case TS_LDS_BYTE_READ_RET: *out = read_part(s, v[0], 1, true); return true;
    case TS_LDS_UBYTE_READ_RET: *out = read_part(s, v[0], 1, false); return true;
    case TS_LDS_SHORT_READ_RET: *out = read_part(s, v[0], 2, true); return true;
    case TS_LDS_USHORT_READ_RET: *out = read_part(s, v[0], 2, false); return true;
    default: return false;
    }
}

// What an operation of LDS does; `second` is the address of those that have two. `out` gets up to two values.
static bool run_share(const struct share *s, enum ts_op op, const uint32_t v[3], uint32_t second,
                      uint32_t out[2]) {
    uint32_t nowhere[2], *word = word_at(s, v[0], &nowhere[0]), *other = word_at(s, second, &nowhere[1]);
    if (run_part(s, op, v, out)) return true;
    switch (op) {
    case TS_LDS_WRITE_REL: *word = v[1], *other = v[2]; return true;
    case TS_LDS_READ_REL_RET: out[0] = *word, out[1] = *other; return true;
    case TS_LDS_READ2_RET:
        out[0] = *word;
        out[1] = *word_at(s, v[1], &nowhere[1]);
        return true;
    case TS_LDS_XCHG_REL_RET: // both words are read before they are written
        out[0] = *word, out[1] = *other;
        *word = v[1], *other = v[2];
        return true;
    default: return ts_atomic(op, word, v[1], v[2], &out[0]);
    }
}

// How many values an operation of LDS gives.
static unsigned returns(enum ts_op op) {
    if (op == TS_LDS_READ_REL_RET || op == TS_LDS_READ2_RET || op == TS_LDS_XCHG_REL_RET) return 2;
    return ts_rows[op].op[TS_EVERGREEN] > 32; // all from ADD_RET on
}

// ---- LDS ----

static bool enqueue(struct ts_machine *m, struct ts_wave *w, unsigned lane, unsigned which, uint32_t value) {
    struct ts_queue *q = &w->queue[lane][which];
    if (q->count == TS_QUEUE)
        return ts_fault(m, (int)lane, "a queue of LDS holds at most %d values", TS_QUEUE);
    q->value[(q->first + q->count++) % TS_QUEUE] = value;
    return true;
}

bool ts_run_lds(struct ts_machine *m, struct ts_wave *w, const struct ts_slot *s, uint32_t (*src)[TS_LANES],
                uint64_t lanes) {
    const struct ts_row *row = s->insn.row;
    const enum ts_op op = (enum ts_op)ts_row_number(row);
    const struct share lds = {m->lds, m->lds_size};
    if (row->gap) return ts_refuse(m, "%s: %s", ts_row_name(row), row->gap);
    FOR_LANES(l, lanes) {
        uint32_t v[3] = {0}, out[2] = {0};
        for (unsigned k = 0; k < s->used; k++) v[k] = src[k][l];
        if (!run_share(&lds, op, v, v[0] + 4 * ts_get(&s->insn, TS_IDX_OFFSET), out))
            return ts_refuse(m, "%s is not executed", ts_row_name(row));
        for (unsigned k = 0; k < returns(op); k++)
            if (!enqueue(m, w, l, k, out[k])) return false;
    }
    return true;
}

// ---- GDS ----

static uint32_t selected(const struct ts_wave *w, uint32_t gpr, unsigned sel, unsigned lane) {
    return sel < 4 ? w->gpr[gpr][sel][lane] : sel == 5;
}

static const char *unknown_form(const struct ts_insn *in) {
    if (ts_get(in, TS_SRC_REL_MODE) || ts_get(in, TS_DST_REL_MODE)) return "how its registers are relative";
    if (ts_get(in, TS_ALLOC_CONSUME)) return "where the counter of a UAV lies";
    if (ts_get(in, TS_BCAST_FIRST_REQ)) return "what is broadcast";
    if (ts_get(in, TS_SRC_GPR_1)) return "what its second register is for";
    return NULL;
}

// The operation is LDS's of the same number; address, first and second operand come from a GPR.
bool ts_run_gds(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes) {
    static const enum ts_field src[3] = {TS_SRC_SEL_X, TS_SRC_SEL_Y, TS_SRC_SEL_Z};
    static const enum ts_field dst[4] = {TS_DST_SEL_X, TS_DST_SEL_Y, TS_DST_SEL_Z, TS_DST_SEL_W};
    const unsigned number = ts_get(in, TS_GDS_OP);
    const struct ts_isa *isa = &ts_isas[in->family];
    const unsigned row = number < isa->count[TS_LDS_SPACE] ? isa->index[TS_LDS_SPACE][number] : 0;
    const struct share gds = {m->spaces[TS_SPACE_GDS].data, m->spaces[TS_SPACE_GDS].size};
    const char *unknown = unknown_form(in);
    if (in->row->gap) return ts_refuse(m, "%s: %s", ts_row_name(in->row), in->row->gap);
    if (unknown) return ts_refuse(m, "%s: %s is not known", ts_row_name(in->row), unknown);
    if (!row) return ts_refuse(m, "%s is not executed", ts_row_name(in->row));
    const enum ts_op op = (enum ts_op)(row - 1);
    FOR_LANES(l, lanes) {
        uint32_t v[3], out[2] = {0};
        for (unsigned i = 0; i < 3; i++) v[i] = selected(w, ts_get(in, TS_SRC_GPR), ts_get(in, src[i]), l);
        if (!run_share(&gds, op, v, v[0], out))
            return ts_refuse(m, "%s is not executed", ts_row_name(in->row));
        for (unsigned c = 0; c < 4 && returns(op); c++) {
            const unsigned sel = ts_get(in, dst[c]);
            if (sel < 6) w->gpr[ts_get(in, TS_DST_GPR)][c][l] = sel < 2 ? out[sel] : sel == 5;
        }
    }
    return true;
}

// Tessellation factors: the value in Y goes to the byte address in X.
bool ts_run_factors(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes) {
    const struct ts_area *s = &m->spaces[TS_SPACE_FACTORS];
    const char *unknown = unknown_form(in);
    if (unknown) return ts_refuse(m, "TF_WRITE: %s is not known", unknown);
    if (ts_get(in, TS_SRC_SEL_Z) < 4)
        return ts_refuse(m, "TF_WRITE: what a third component is for is not known");
    if (!s->data) return ts_refuse(m, "TF_WRITE: no memory for tessellation factors was given");
    FOR_LANES(l, lanes) {
        const uint32_t at = selected(w, ts_get(in, TS_SRC_GPR), ts_get(in, TS_SRC_SEL_X), l),
                       value = selected(w, ts_get(in, TS_SRC_GPR), ts_get(in, TS_SRC_SEL_Y), l);
        if (at & 3 || !in_range(at, 4, s->size))
            return ts_fault(m, (int)l, "a tessellation factor at 0x%x, outside of their memory", at);
        memcpy(s->data + at, &value, 4);
    }
    return true;
}

// ---- R700's LDS ----

// Four banks, one for each lane of a quad; what a thread owns in its bank it alone writes. Rows of the four
// banks lie behind each other, four dwords of each.
static uint32_t *bank_word(struct ts_machine *m, unsigned lane, uint32_t bank, uint64_t offset) {
    const uint64_t dword = offset / 4 * 16 + 4 * (bank & 3) + offset % 4;
    if (in_range(dword * 4, 4, m->lds_size)) return (uint32_t *)(void *)m->lds + dword;
    ts_fault(m, (int)lane, "bank %u of LDS is accessed at dword %llu, outside of its %u bytes", bank & 3,
             (unsigned long long)offset, m->lds_size);
    return NULL;
}

bool ts_run_owner_write(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes) {
    static const enum ts_field sels[4] = {TS_SRC_SEL_X, TS_SRC_SEL_Y, TS_SRC_SEL_Z, TS_SRC_SEL_W};
    const uint32_t stride = ts_get(in, TS_DST_STRIDE), index = ts_get(in, TS_DST_INDEX);
    if (ts_get(in, TS_SRC_REL_MODE))
        return ts_refuse(m, "DS_LOCAL_WRITE: how its register is relative is not known");
    if (ts_get(in, TS_DST_STRIDE_EXT) || ts_get(in, TS_DST_INDEX_EXT))
        return ts_refuse(m, "DS_LOCAL_WRITE: what extends its stride and index is not known");
    if (stride & 3 || stride > 64 || index & 3 || index > 60)
        return ts_fault(m, -1, "a stride of %u and an index of %u; multiples of 4 up to 64 and 60 are legal",
                        stride, index);
    // Absolute threads are counted from the wave's begin, others from the group's.
    const uint32_t first = ts_get(in, TS_SIMD_WAVE_REL) ? w->number * m->chip->wave : 0;
    FOR_LANES(l, lanes) {
        for (unsigned k = 0; k <= ts_get(in, TS_BURST_COUNT); k++)
            for (unsigned c = 0; c < 4; c++) {
                const unsigned sel = ts_get(in, sels[c]);
                const uint64_t offset = (uint64_t)((first + l) >> 2) * stride + index + 4 * k + c;
                uint32_t *to = sel < 6 ? bank_word(m, l, l, offset) : NULL;
                if (sel < 6 && !to) return false;
                if (to) *to = selected(w, (ts_get(in, TS_SRC_GPR) + k) % TS_GPRS, sel, l);
            }
    }
    return true;
}

// Component X is the bank, Y the dword in it; four dwords, aligned. A broadcast gives all lanes what the
// first one asks for.
bool ts_run_owner_read(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes) {
    static const enum ts_field writes[4] = {TS_DST_WRX, TS_DST_WRY, TS_DST_WRZ, TS_DST_WRW};
    const bool broadcast = ts_get(in, TS_BROADCAST);
    if (ts_get(in, TS_MUX_CNTL)) return ts_refuse(m, "DS_LOCAL_READ: the numbers of MUX_CNTL are not known");
    if (ts_get(in, TS_SRC_REL_MODE) || ts_get(in, TS_DST_REL_MODE))
        return ts_refuse(m, "DS_LOCAL_READ: how its registers are relative is not known");
    const uint32_t from = ts_get(in, TS_SRC_GPR);
    FOR_LANES(l, broadcast ? w->present : lanes) {
        const unsigned asks = broadcast ? (unsigned)__builtin_ctzll(lanes) : l;
        const uint32_t bank = selected(w, from, ts_get(in, TS_SRC_SEL_X), asks);
        const uint64_t offset =
            (selected(w, from, ts_get(in, TS_SRC_SEL_Y), asks) & ~3u) + 4ull * ts_get(in, TS_RD_OFFSET);
        uint32_t v[16][4];
        for (unsigned k = 0; k <= ts_get(in, TS_BURST_COUNT); k++)
            for (unsigned c = 0; c < 4; c++) {
                const uint32_t *word = bank_word(m, l, bank, offset + 4 * k + c);
                if (!word) return false;
                v[k][c] = *word;
            }
        for (unsigned k = 0; k <= ts_get(in, TS_BURST_COUNT); k++)
            for (unsigned c = 0; c < 4; c++)
                if (ts_get(in, writes[c])) w->gpr[(ts_get(in, TS_DST_GPR) + k) % TS_GPRS][c][l] = v[k][c];
    }
    return true;
}
