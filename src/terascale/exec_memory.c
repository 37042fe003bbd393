// SPDX-License-Identifier: MIT
// Memory: LDS with its queues, stores and atomics of RATs.
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "terascale/machine.h"
#include "terascale/print.h"

#define FOR_LANES(l, set)                                                                                    \
    for (uint64_t left_##l = (set); left_##l; left_##l &= left_##l - 1)                                      \
        for (unsigned l = (unsigned)__builtin_ctzll(left_##l), once_##l = 1; once_##l; once_##l = 0)

uint8_t *ts_memory_at(const struct ts_machine *m, uint32_t address, uint32_t size, bool write) {
    for (size_t i = 0; i < m->memory_count; i++) {
        const struct ts_memory *b = &m->memory[i];
        if (address < b->address || !in_range(address - b->address, size, b->size)) continue;
        return !write || b->writable ? b->data + (address - b->address) : NULL;
    }
    return NULL;
}

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
    case TS_LDS_READ_RET: return true;
    default: return false;
    }
}

// ---- LDS ----

static bool enqueue(struct ts_machine *m, struct ts_wave *w, unsigned lane, unsigned which, uint32_t value) {
    struct ts_queue *q = &w->queue[lane][which];
    if (q->count == TS_QUEUE)
        return ts_fault(m, (int)lane, "a queue of LDS holds at most %d values", TS_QUEUE);
    q->value[(q->first + q->count++) % TS_QUEUE] = value;
    return true;
}

// Outside of the group's LDS reads give 0 and writes are dropped.
static uint32_t *lds_word(struct ts_machine *m, uint32_t address, uint32_t *nowhere) {
    *nowhere = 0;
    address &= ~3u;
    return in_range(address, 4, m->lds_size) ? (uint32_t *)(void *)(m->lds + address) : nowhere;
}

static uint32_t lds_part(struct ts_machine *m, uint32_t address, unsigned size, bool sign) {
    uint32_t nowhere;
    const uint32_t v = *lds_word(m, address, &nowhere) >> 8 * (address & (size == 1 ? 3 : 2));
    return sign ? (uint32_t)sign_extend(v, 8 * size) : (uint32_t)bits(v, 0, 8 * size);
}

static void lds_put_part(struct ts_machine *m, uint32_t address, unsigned size, uint32_t value) {
    uint32_t nowhere, *word = lds_word(m, address, &nowhere);
    const unsigned shift = 8 * (address & (size == 1 ? 3 : 2));
    const uint32_t mask = (size == 1 ? 0xffu : 0xffffu) << shift;
    *word = (*word & ~mask) | (value << shift & mask);
}

static bool lds_lane(struct ts_machine *m, struct ts_wave *w, const struct ts_slot *s, unsigned lane,
                     const uint32_t v[3]) {
    const enum ts_op op = (enum ts_op)ts_row_number(s->insn.row);
    const uint32_t second = v[0] + 4 * ts_get(&s->insn, TS_IDX_OFFSET);
    uint32_t nowhere, old;
    switch (op) {
    case TS_LDS_BYTE_WRITE: lds_put_part(m, v[0], 1, v[1]); return true;
    case TS_LDS_SHORT_WRITE: lds_put_part(m, v[0], 2, v[1]); return true;
    case TS_LDS_BYTE_READ_RET: return enqueue(m, w, lane, 0, lds_part(m, v[0], 1, true));
    case TS_LDS_UBYTE_READ_RET: return enqueue(m, w, lane, 0, lds_part(m, v[0], 1, false));
    case TS_LDS_SHORT_READ_RET: return enqueue(m, w, lane, 0, lds_part(m, v[0], 2, true));
    case TS_LDS_USHORT_READ_RET: return enqueue(m, w, lane, 0, lds_part(m, v[0], 2, false));
    case TS_LDS_WRITE_REL:
        *lds_word(m, v[0], &nowhere) = v[1];
        *lds_word(m, second, &nowhere) = v[2];
        return true;
    case TS_LDS_READ_REL_RET:
        return enqueue(m, w, lane, 0, *lds_word(m, v[0], &nowhere)) &&
               enqueue(m, w, lane, 1, *lds_word(m, second, &nowhere));
    case TS_LDS_READ2_RET:
        return enqueue(m, w, lane, 0, *lds_word(m, v[0], &nowhere)) &&
               enqueue(m, w, lane, 1, *lds_word(m, v[1], &nowhere));
    default: break;
    }
    if (!ts_atomic(op, lds_word(m, v[0], &nowhere), v[1], v[2], &old))
        return ts_refuse(m, "%s: what its operands mean is not known", ts_row_name(s->insn.row));
    const bool returns = s->insn.row->op[TS_EVERGREEN] > 32; // all from ADD_RET on
    return !returns || enqueue(m, w, lane, 0, old);
}

bool ts_run_lds(struct ts_machine *m, struct ts_wave *w, const struct ts_slot *s, uint32_t (*src)[TS_LANES],
                uint64_t lanes) {
    FOR_LANES(l, lanes) {
        uint32_t v[3] = {0};
        for (unsigned k = 0; k < s->used; k++) v[k] = src[k][l];
        if (!lds_lane(m, w, s, l, v)) return false;
    }
    return true;
}

// ---- RATs ----

// The operation of LDS that a RAT's atomic is.
static int atomic_of(enum ts_op op) {
    static const struct {
        uint16_t rat, rat_return, lds;
    } pairs[] = {
        {TS_RAT_ADD, TS_RAT_ADD_RTN, TS_LDS_ADD},
        {TS_RAT_SUB, TS_RAT_SUB_RTN, TS_LDS_SUB},
        {TS_RAT_RSUB, TS_RAT_RSUB_RTN, TS_LDS_RSUB},
        {TS_RAT_MIN_INT, TS_RAT_MIN_INT_RTN, TS_LDS_MIN_INT},
        {TS_RAT_MIN_UINT, TS_RAT_MIN_UINT_RTN, TS_LDS_MIN_UINT},
        {TS_RAT_MAX_INT, TS_RAT_MAX_INT_RTN, TS_LDS_MAX_INT},
        {TS_RAT_MAX_UINT, TS_RAT_MAX_UINT_RTN, TS_LDS_MAX_UINT},
        {TS_RAT_AND, TS_RAT_AND_RTN, TS_LDS_AND},
        {TS_RAT_OR, TS_RAT_OR_RTN, TS_LDS_OR},
        {TS_RAT_XOR, TS_RAT_XOR_RTN, TS_LDS_XOR},
        {TS_RAT_INC_UINT, TS_RAT_INC_UINT_RTN, TS_LDS_INC},
        {TS_RAT_DEC_UINT, TS_RAT_DEC_UINT_RTN, TS_LDS_DEC},
        {TS_RAT_CMPXCHG_INT, TS_RAT_CMPXCHG_INT_RTN, TS_LDS_CMP_STORE},
        {TS_RAT_XCHG_RTN, TS_RAT_XCHG_RTN, TS_LDS_WRITE},
        {TS_RAT_NOP_RTN, TS_RAT_NOP_RTN, TS_LDS_READ_RET},
    };
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].rat == op || pairs[i].rat_return == op) return pairs[i].lds;
    return -1;
}

struct store {
    struct ts_machine *m;
    const struct ts_wave *w;
    const struct ts_insn *in;
    enum ts_op op;
    uint32_t gpr, index;
};

static uint32_t *rat_word(const struct store *s, unsigned lane, uint32_t dword) {
    uint8_t *p = dword >> 30 ? NULL : ts_memory_at(s->m, dword * 4, 4, true);
    if (!p)
        ts_fault(s->m, (int)lane, "a write at 0x%llx, outside of every buffer that may be written",
                 4ull * dword);
    return (uint32_t *)(void *)p;
}

static bool store_raw(const struct store *s, unsigned lane) {
    const uint32_t at = s->w->gpr[s->index][0][lane], mask = ts_get(s->in, TS_COMP_MASK);
    for (unsigned c = 0; c < 4; c++) {
        if (!(mask >> c & 1)) continue;
        uint32_t *word = rat_word(s, lane, at + c);
        if (!word) return false;
        memcpy(word, &s->w->gpr[s->gpr][c][lane], 4);
    }
    return true;
}

// The value before goes to the return buffer, at the index in Y.
static bool give_back(const struct store *s, unsigned lane, uint32_t old) {
    const uint64_t at = 4ull * s->w->gpr[s->gpr][1][lane];
    if (!s->m->returns.data) return true;
    if (!in_range(at, 4, s->m->returns.size))
        return ts_fault(s->m, (int)lane, "outside of the return buffer");
    memcpy(s->m->returns.data + at, &old, 4);
    return true;
}

static bool run_atomic(const struct store *s, unsigned lane) {
    const int op = atomic_of(s->op);
    if (op < 0) return ts_refuse(s->m, "%s is not executed", ts_row_name(&ts_rows[s->op]));
    uint32_t *word = rat_word(s, lane, s->w->gpr[s->index][0][lane]), old;
    if (!word) return false;
    const uint32_t value = s->w->gpr[s->gpr][0][lane];
    const bool compares = op == TS_LDS_CMP_STORE;
    const uint32_t other = s->w->gpr[s->gpr][s->m->chip->family == TS_CAYMAN ? 2 : 3][lane];
    ts_atomic((enum ts_op)op, word, compares ? other : value, compares ? value : 0, &old);
    const bool returns = s->in->rat->op[TS_EVERGREEN] > 32;
    return !returns || give_back(s, lane, old);
}

static bool run_rat(const struct store *s, unsigned lane) {
    uint32_t *word, at = s->w->gpr[s->index][0][lane];
    switch (s->op) {
    case TS_RAT_NOP: return true;
    case TS_RAT_STORE_RAW:
    case TS_RAT_STORE_RAW_FDENORM:
    case TS_RAT_STORE_DWORD: return store_raw(s, lane);
    case TS_RAT_MSKOR: // the value in X, the mask in W
        if (!(word = rat_word(s, lane, at))) return false;
        *word = (*word & ~s->w->gpr[s->gpr][3][lane]) | s->w->gpr[s->gpr][0][lane];
        return true;
    default: return run_atomic(s, lane);
    }
}

// ---- Scratch ----

// A lane's element: ELEM_SIZE + 1 dwords each. Outside of the memory there is none.
static uint32_t *scratch_at(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, unsigned lane,
                            uint64_t index) {
    const uint64_t size = ts_get(in, TS_ELEM_SIZE) + 1, at = (ts_get(in, TS_ARRAY_BASE) + index) * size;
    if (!w->scratch) w->scratch = calloc((size_t)TS_LANES * TS_SCRATCH, sizeof *w->scratch);
    if (!w->scratch) {
        m->status = diag_fail(m->sink, SW_NO_MEMORY, NULL, "out of memory");
        return NULL;
    }
    if (index < 1u << 30 && at + 4 <= TS_SCRATCH) return w->scratch + (size_t)lane * TS_SCRATCH + at;
    ts_fault(m, (int)lane, "scratch memory is accessed at dword %llu of %d", (unsigned long long)at,
             TS_SCRATCH);
    return NULL;
}

// MEM_SCRATCH: registers to consecutive elements, up to ARRAY_BASE + ARRAY_SIZE; on R600 also back.
static bool run_scratch(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes) {
    const unsigned type = ts_get(in, TS_TYPE), mask = ts_get(in, TS_COMP_MASK);
    const bool reads = m->chip->family == TS_R600 && type > 1;
    if (ts_get(in, TS_RW_REL)) return ts_refuse(m, "relative registers of scratch memory are not executed");
    FOR_LANES(l, lanes) {
        for (unsigned k = 0; k <= ts_get(in, TS_BURST_COUNT); k++) {
            const uint64_t index = k + (type & 1 ? (uint64_t)w->gpr[ts_get(in, TS_INDEX_GPR)][0][l] : 0);
            if (index > ts_get(in, TS_ARR_SIZE)) continue;
            uint32_t *element = scratch_at(m, w, in, l, index);
            if (!element) return false;
            for (unsigned c = 0; c < 4; c++) {
                uint32_t *value = &w->gpr[(ts_get(in, TS_RW_GPR) + k) % TS_GPRS][c][l];
                if (mask >> c & 1) *(reads ? value : &element[c]) = *(reads ? &element[c] : value);
            }
        }
    }
    return true;
}

// READ_SCRATCH: dwords as they are.
bool ts_run_scratch_read(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes) {
    static const enum ts_field sels[4] = {TS_DST_SEL_X, TS_DST_SEL_Y, TS_DST_SEL_Z, TS_DST_SEL_W};
    if (ts_get(in, TS_SRC_REL) || ts_get(in, TS_DST_REL))
        return ts_refuse(m, "relative registers of scratch memory are not executed");
    FOR_LANES(l, lanes) {
        const uint64_t first =
            ts_get(in, TS_INDEXED) ? w->gpr[ts_get(in, TS_SRC_GPR)][ts_get(in, TS_SRC_SEL_X)][l] : 0;
        for (unsigned k = 0; k <= ts_get(in, TS_BURST_COUNT); k++) {
            const uint32_t *element = scratch_at(m, w, in, l, first + k);
            if (!element) return false;
            for (unsigned c = 0; c < 4; c++) {
                const unsigned sel = ts_get(in, sels[c]);
                if (sel > 5) continue;
                w->gpr[(ts_get(in, TS_DST_GPR) + k) % TS_GPRS][c][l] = sel < 4 ? element[sel] : sel == 5;
            }
        }
    }
    return true;
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
        const uint32_t gpr = ts_get(cf, TS_RW_GPR) + k + (ts_get(cf, TS_RW_REL) ? (uint32_t)w->index : 0);
        sw_terascale_export e = {.size = sizeof e,
                                 .type = ts_get(cf, TS_TYPE),
                                 .base = ts_get(cf, TS_ARRAY_BASE) + k,
                                 .lanes = lanes & w->valid};
        for (unsigned c = 0; c < 4; c++) {
            const unsigned sel = ts_get(cf, sels[c]);
            if (sel < 4) e.values[c] = w->gpr[gpr % TS_GPRS][sel];
            if (sel == 4) e.values[c] = zeros;
            if (sel == 5) e.values[c] = ones;
        }
        m->exported(m->context, &e);
    }
    return true;
}

bool ts_run_memory_write(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *cf, uint64_t lanes) {
    if (cf->format->id == TSF_CF_ALLOC_EXPORT_SWIZ) return run_export(m, w, cf, lanes);
    if (ts_is(cf, TS_EXP_MEM_SCRATCH)) return run_scratch(m, w, cf, lanes);
    if (cf->format->id != TSF_CF_ALLOC_EXPORT_RAT)
        return ts_refuse(m, "%s is not executed", ts_row_name(cf->row));
    if (!cf->rat) return ts_refuse(m, "no RAT operation has this number");
    if (ts_get(cf, TS_RAT_ID) || ts_get(cf, TS_RAT_INDEX_MODE))
        return ts_refuse(m, "RATs other than 0 are not executed");
    if (ts_get(cf, TS_BURST_COUNT) || ts_get(cf, TS_RW_REL))
        return ts_refuse(m, "bursts to a RAT are not executed");
    const struct store s = {
        m, w, cf, (enum ts_op)ts_row_number(cf->rat), ts_get(cf, TS_RW_GPR), ts_get(cf, TS_INDEX_GPR)};
    FOR_LANES(l, lanes) {
        if (!run_rat(&s, l)) return false;
    }
    return true;
}
