// SPDX-License-Identifier: MIT
// RATs: stores and atomics of memory by control-flow words.
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "texel/half.h"
#include "terascale/machine/step.h"

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
        {TS_RAT_MSKOR_RTN, TS_RAT_MSKOR_RTN, TS_LDS_MSKOR},
        {TS_RAT_CMPXCHG_FLT, TS_RAT_CMPXCHG_FLT_RTN, TS_LDS_CMP_STORE_SPF},
        {TS_RAT_CMPXCHG_FDENORM, TS_RAT_CMPXCHG_FDENORM_RTN, TS_LDS_CMP_STORE_SPF},
        {TS_RAT_XCHG_FDENORM_RTN, TS_RAT_XCHG_FDENORM_RTN, TS_LDS_WRITE},
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
    uint32_t gpr, index, number; // of the RAT
};

static uint32_t component(const struct store *s, unsigned c, unsigned lane) {
    return s->w->gpr[s->gpr][c][lane];
}

// A dword of the RAT; RAT 0 is the one space unless memory was given for it.
static uint32_t *rat_word(const struct store *s, unsigned lane, uint64_t dword) {
    const struct ts_area *rat = &s->m->spaces[TS_SPACE_RAT + s->number];
    uint8_t *p = NULL;
    if (rat->data)
        p = in_range(4 * dword, 4, rat->size) ? rat->data + 4 * dword : NULL;
    else if (!s->number)
        p = dword >> 30 ? NULL : ts_memory_at(s->m, (uint32_t)dword * 4, 4, true);
    else
        ts_fault(s->m, (int)lane, "RAT %u is not there", s->number);
    if (!p && (rat->data || !s->number))
        ts_fault(s->m, (int)lane, "a write at 0x%llx, outside of %s", 4ull * dword,
                 rat->data ? "the RAT" : "every buffer that may be written");
    return (uint32_t *)(void *)p;
}

// What is written where a name says FDENORM: whether denormals become zeros there is not known.
static bool check_denormal(const struct store *s, uint32_t v) {
    const bool asks = s->op == TS_RAT_STORE_RAW_FDENORM || s->op == TS_RAT_CMPXCHG_FDENORM ||
                      s->op == TS_RAT_CMPXCHG_FDENORM_RTN || s->op == TS_RAT_XCHG_FDENORM_RTN;
    if (!asks || v & 0x7f800000u || !(v & 0x7fffffu)) return true;
    return ts_refuse(s->m, "%s: what it makes of denormals is not known", ts_row_name(&ts_rows[s->op]));
}

static bool store_raw(const struct store *s, unsigned lane) {
    const uint32_t at = s->w->gpr[s->index][0][lane], mask = ts_get(s->in, TS_COMP_MASK);
    for (unsigned c = 0; c < 4; c++) {
        if (!(mask >> c & 1)) continue;
        if (!check_denormal(s, component(s, c, lane))) return false;
        uint32_t *word = rat_word(s, lane, (uint64_t)at + c);
        if (!word) return false;
        memcpy(word, &s->w->gpr[s->gpr][c][lane], 4);
    }
    return true;
}

// ---- Typed stores ----

// Components from the least significant bit up, by format: those of whole bytes, and the packed ones.
static const uint8_t widths[64][4] = {
    [1] = {8},
    [5] = {16},
    [6] = {16},
    [7] = {8, 8},
    [8] = {5, 6, 5},
    [13] = {32},
    [14] = {32},
    [15] = {16, 16},
    [16] = {16, 16},
    [25] = {10, 10, 10, 2},
    [26] = {8, 8, 8, 8},
    [27] = {2, 10, 10, 10},
    [29] = {32, 32},
    [30] = {32, 32},
    [31] = {16, 16, 16, 16},
    [32] = {16, 16, 16, 16},
    [34] = {32, 32, 32, 32},
    [35] = {32, 32, 32, 32},
};

static double limited(double v, double least, double most) {
    return isnan(v) ? 0 : v < least ? least : v > most ? most : v;
}

static uint32_t encode(uint32_t v, unsigned bits, unsigned type) {
    const double most = (double)((1ull << bits) - 1), half = (double)((1ull << (bits - 1)) - 1);
    const double f = (double)ts_float(v);
    switch (type) {
    case SW_TERASCALE_UNORM: return (uint32_t)rint(limited(f, 0, 1) * most);
    case SW_TERASCALE_SNORM: return (uint32_t)(int32_t)rint(limited(f, -1, 1) * half);
    case SW_TERASCALE_UINT: return (double)v > most ? (uint32_t)most : v;
    case SW_TERASCALE_SINT: return (uint32_t)(int32_t)limited((double)(int32_t)v, -half - 1, half);
    default: return bits == 16 ? half_of(ts_float(v)) : v;
    }
}

// The texel at coordinates X, Y and Z; outside of the surface nothing is written.
static bool store_typed(const struct store *s, unsigned lane) {
    const struct ts_area *rat = &s->m->spaces[TS_SPACE_RAT + s->number];
    const uint8_t *width = widths[rat->format];
    if (!rat->data || rat->type == SW_TERASCALE_RAW || rat->type > SW_TERASCALE_FLOAT || !width[0])
        return ts_refuse(s->m, "STORE_TYPED: RAT %u has no format that is known", s->number);
    unsigned total = 0;
    for (unsigned c = 0; c < 4; c++) total += width[c];
    if (rat->type == SW_TERASCALE_FLOAT)
        for (unsigned c = 0; c < 4; c++)
            if (width[c] && width[c] != 16 && width[c] != 32)
                return ts_refuse(s->m, "STORE_TYPED: floats of %u bits", width[c]);
    const uint32_t *at[3];
    for (unsigned c = 0; c < 3; c++) at[c] = &s->w->gpr[s->index][c][lane];
    if (rat->pitch && (*at[0] >= rat->pitch || (rat->rows && *at[1] >= rat->rows))) return true;
    const uint64_t texel = !rat->pitch  ? *at[0]
                           : !rat->rows ? *at[0] + (uint64_t)*at[1] * rat->pitch
                                        : *at[0] + (*at[1] + (uint64_t)*at[2] * rat->rows) * rat->pitch;
    if (texel >= rat->size / (total / 8)) return true;
    uint8_t bytes[16] = {0};
    unsigned from = 0;
    for (unsigned c = 0; c < 4 && width[c]; c++, from += width[c - 1]) {
        const uint32_t v = encode(component(s, c, lane), width[c], rat->type);
        for (unsigned b = 0; b < width[c]; b++)
            bytes[(from + b) / 8] |= (uint8_t)((v >> b & 1) << (from + b) % 8);
    }
    memcpy(rat->data + texel * (total / 8), bytes, total / 8);
    return true;
}

// ---- Atomics ----

// The value before goes to the RAT's return buffer, at the index in Y.
static bool give_back(const struct store *s, unsigned lane, uint32_t old) {
    const struct ts_area *r = &s->m->spaces[TS_SPACE_RETURN + s->number];
    const uint64_t at = 4ull * component(s, 1, lane);
    if (!r->data) return true;
    if (!in_range(at, 4, r->size)) return ts_fault(s->m, (int)lane, "outside of the return buffer");
    memcpy(r->data + at, &old, 4);
    return true;
}

// MSKOR has the value in X and the mask in W; comparisons are with W, on Cayman with Z.
static bool run_atomic(const struct store *s, unsigned lane) {
    const int op = atomic_of(s->op);
    if (op < 0) return ts_refuse(s->m, "%s is not executed", ts_row_name(&ts_rows[s->op]));
    uint32_t *word = rat_word(s, lane, s->w->gpr[s->index][0][lane]), old;
    if (!word) return false;
    const uint32_t value = component(s, 0, lane);
    const bool compares = op == TS_LDS_CMP_STORE || op == TS_LDS_CMP_STORE_SPF, masks = op == TS_LDS_MSKOR;
    const uint32_t other = component(s, compares && s->m->chip->family == TS_CAYMAN ? 2 : 3, lane);
    const bool swaps = compares || masks;
    if (!check_denormal(s, value) || !check_denormal(s, *word) || (compares && !check_denormal(s, other)))
        return false;
    ts_atomic((enum ts_op)op, word, swaps ? other : value, swaps ? value : 0, &old);
    const bool returns = s->in->rat->op[TS_EVERGREEN] > 32;
    return !returns || give_back(s, lane, old);
}

static bool run_lane(const struct store *s, unsigned lane) {
    switch (s->op) {
    case TS_RAT_NOP: return true;
    case TS_RAT_STORE_RAW:
    case TS_RAT_STORE_RAW_FDENORM:
    case TS_RAT_STORE_DWORD: return store_raw(s, lane);
    case TS_RAT_STORE_TYPED: return store_typed(s, lane);
    case TS_RAT_MSKOR: { // the value in X, the mask in W
        uint32_t *word = rat_word(s, lane, s->w->gpr[s->index][0][lane]);
        if (word) *word = (*word & ~component(s, 3, lane)) | component(s, 0, lane);
        return word != NULL;
    }
    default: return run_atomic(s, lane);
    }
}

bool ts_run_rat(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *cf, uint64_t lanes) {
    const unsigned by = ts_get(cf, TS_RAT_INDEX_MODE);
    uint32_t number = ts_get(cf, TS_RAT_ID);
    if (!cf->rat) return ts_refuse(m, "no RAT operation has this number");
    if (cf->rat->gap) return ts_refuse(m, "%s: %s", ts_row_name(cf->rat), cf->rat->gap);
    if (ts_get(cf, TS_BURST_COUNT) || ts_get(cf, TS_RW_REL))
        return ts_refuse(m, "what a burst to a RAT addresses is not known");
    if (by) number += w->cf_index[(by - 1) & 1];
    if (number >= TS_RATS) return ts_fault(m, -1, "RAT %u is not there", number);
    const struct store s = {
        m,     w, cf, (enum ts_op)ts_row_number(cf->rat), ts_get(cf, TS_RW_GPR), ts_get(cf, TS_INDEX_GPR),
        number};
    FOR_LANES(l, lanes) {
        if (!run_lane(&s, l)) return false;
    }
    return true;
}
