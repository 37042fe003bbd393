// SPDX-License-Identifier: MIT
// Instructions and values that test_is.c tries: an instruction a row and encoding with registers of its own
// for each operand, and numbers that are easily got wrong.
#ifndef TESTS_IS_SLOTS_H
#define TESTS_IS_SLOTS_H

#include "isa/isa.h"
#include "isa/kinds.h"
#include "isa/select.h"

// ---- Values ----

static uint64_t is_seed = 1;
static uint64_t is_random(void) {
    is_seed ^= is_seed << 13, is_seed ^= is_seed >> 7, is_seed ^= is_seed << 17;
    return is_seed * 0x2545f4914f6cdd1d;
}
static unsigned is_below(unsigned n) { return (unsigned)(is_random() >> 33) % n; }
// Each row has numbers of its own in each pass, so that a new row changes nobody else's.
static void is_seed_for(const char *id, uint64_t n) {
    is_seed = 14695981039346656037u ^ n * 0x9e3779b97f4a7c15;
    for (; *id; id++) is_seed = (is_seed ^ (uint8_t)*id) * 1099511628211u;
    is_seed |= 1;
    for (int i = 0; i < 4; i++) is_random();
}

static uint64_t is_integer(unsigned bits) {
    const uint64_t one = (uint64_t)1 << is_below(bits);
    switch (is_below(6)) {
    case 0: return is_below(72);
    case 1: return one;
    case 2: return one - 1;
    case 3: return -one;
    case 4: return (uint64_t)((int64_t)is_random() >> is_below(63));
    default: return is_random();
    }
}
static uint64_t is_float_value(unsigned exponent, unsigned fraction) {
    const uint64_t top = ((uint64_t)1 << exponent) - 1, bias = top >> 1, all = ((uint64_t)1 << fraction) - 1;
    const uint64_t ends[] = {0, 0, 1, 2, bias - 1, bias, bias + 1, top - 1, top, top};
    const uint64_t e = is_below(2)   ? ends[is_below(10)]
                       : is_below(4) ? bias - 12 + is_below(36)
                                     : is_random() & top;
    const uint64_t place = (uint64_t)1 << is_below(fraction);
    const uint64_t fractions[] = {0, 0, 1, all, all - 1, (all >> 1) + 1, place, place - 1};
    const uint64_t f = is_below(2) ? fractions[is_below(8)] : is_random() & all;
    return (is_random() & 1) << (exponent + fraction) | (e & top) << fraction | f;
}
static uint64_t is_value(struct select_type t) {
    static const uint8_t exponent[] = {[VALUE_F16] = 5, [VALUE_BF16] = 8, [VALUE_F32] = 8, [VALUE_F64] = 11};
    uint64_t v = 0;
    for (unsigned i = 0; i < t.elements; i++) {
        const uint64_t one = t.kind == VALUE_INT
                                 ? is_integer(t.bits)
                                 : is_float_value(exponent[t.kind], t.bits - 1u - exponent[t.kind]);
        v |= (t.bits == 64 ? one : one & (((uint64_t)1 << t.bits) - 1)) << t.bits * i % 64;
    }
    return v;
}

// The value that registers hold, for its random numbers.
static struct select_type is_type(enum operand_type t) {
    const uint8_t bits = operand_bits[t], halves = t >= T_V2B16 && t <= T_V2BF16;
    const uint8_t kind = t == T_F16 || t == T_V2F16                 ? VALUE_F16
                         : t == T_BF16 || t == T_V2BF16             ? VALUE_BF16
                         : t == T_F32 || t == T_V2F32 || t == T_MIX ? VALUE_F32
                         : t == T_F64                               ? VALUE_F64
                                                                    : VALUE_INT;
    if (t == T_MIX) return (struct select_type){VALUE_F32, 32, 1};
    return (struct select_type){kind, bits, halves || t == T_V2F32 || t == T_V2B32 ? 2 : 1};
}

// ---- Instructions ----

enum is_kind { NOWHERE, IN_VGPR, IN_SGPR, IS_NUMBER };
struct is_where {
    enum is_kind kind;
    unsigned code, dwords, type;
    uint64_t number;
};
struct is_slot {
    const struct row *row;
    struct insn in;
    uint8_t bytes[INSN_MAX_BYTES];
    unsigned size, format, places;
    uint64_t at; // offset in the code
    struct is_where dst[ROW_DST], src[ROW_SRC];
    unsigned k;
};

static struct is_where is_where_of(const struct isa *isa, const struct insn *in, struct operand_spec spec,
                                   bool wave32) {
    struct is_where w = {.type = spec.type};
    if (!spec.type) return w;
    if (spec.type == T_IMM16 || spec.field == F_literal) {
        w.kind = IS_NUMBER;
        w.number = (uint32_t)in->f[spec.field] &
                   (spec.type == T_IMM16 || operand_bits[spec.type] == 16 ? 0xffff : ~0u);
        if (in->wide_literal) w.number |= (uint64_t)(uint32_t)in->f[F_literal_hi] << 32;
        return w;
    }
    const struct operand o = insn_operand(isa, in, spec, wave32);
    w.kind = o.code >= SRC_VGPR0 ? IN_VGPR : IN_SGPR;
    w.code = o.code, w.dwords = o.dwords;
    return w;
}

// Gives each operand its own registers: scalars from s8 up, vectors from v8 up.
static void is_fill(struct is_slot *s, const struct isa *isa) {
    const struct row *row = s->row;
    struct insn *in = &s->in;
    unsigned next_v = 8, next_s = 8;
    bool set[FIELDS] = {false};
    for (unsigned i = 0; i < ROW_DST + ROW_SRC; i++) {
        const struct operand_spec o = i < ROW_DST ? row->dst[i] : row->src[i - ROW_DST];
        if (!o.type || set[o.field]) continue;
        set[o.field] = true;
        const bool scalar = s->format <= FMT_SMEM || o.type == T_MASK || o.field == F_sdst ||
                            (i >= ROW_DST && row->scalars >> (i - ROW_DST) & 1);
        if (o.type == T_IMM16)
            in->f[o.field] = (int32_t)(is_integer(16) & 0xffff);
        else if (o.field == F_literal) {
            in->has_literal = true, in->suffix = SUFFIX_LITERAL;
            const uint64_t value = (uint64_t)is_value(is_type((enum operand_type)o.type));
            in->f[F_literal] = (int32_t)value;
            in->wide_literal = operand_bits[o.type] == 64;
            if (in->wide_literal) in->f[F_literal_hi] = (int32_t)(value >> 32);
        } else if (scalar && row->scalars == 3 && i > ROW_DST && isa->scalar_values < 2) // one scalar at once
            in->f[o.field] = in->f[row->src[0].field];
        else if (scalar)
            in->f[o.field] = (int32_t)next_s, next_s += 4;
        else
            in->f[o.field] = (int32_t)(SRC_VGPR0 + next_v), next_v += 4;
    }
    if (row->flags & ROW_BITOP3)
        in->f[F_neg] = (int)is_below(8), in->f[F_abs] = (int)is_below(8), in->f[F_omod] = (int)is_below(4);
    s->k =
        (unsigned)(in->f[F_neg] & 7) | (unsigned)(in->f[F_abs] & 7) << 3 | (unsigned)(in->f[F_omod] & 3) << 6;
    if (s->format == FMT_VOP3P && row->src[0].type != T_MIX) in->f[F_op_sel_hi] = 7;
}

// The encoding `c` of a row as an instruction; the n-th one has other constants. False: it does not decode to
// itself.
static bool is_make(struct is_slot *s, const struct isa *isa, const struct coding *c, unsigned n,
                    bool wave32) {
    struct insn again;
    *s = (struct is_slot){.row = &isa_rows[c->row], .format = c->format};
    s->in = (struct insn){.row = s->row, .format = isa->formats[c->format]};
    is_seed_for(row_id(s->row), c->format * 100u + n);
    is_fill(s, isa);
    s->size = insn_encode(isa, &s->in, c->op, s->bytes);
    if (insn_decode(isa, s->bytes, s->size, &again) != DECODE_OK || again.row != s->row) return false;
    s->in = again;
    for (unsigned i = 0; i < ROW_DST; i++) s->dst[i] = is_where_of(isa, &s->in, s->row->dst[i], wave32);
    for (unsigned i = 0; i < ROW_SRC; i++) s->src[i] = is_where_of(isa, &s->in, s->row->src[i], wave32);
    return true;
}

#endif
