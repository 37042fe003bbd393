// SPDX-License-Identifier: MIT
// Remainders of floats, exactly: significands are divided some bits at a time, in a loop, as many times as
// exponents differ. Part of the pass atomic. Requires: SSA of LLVM's types. Leaves: no frem.
#include "compiler/split.h"

// Each round makes so many bits of the quotient. A reciprocal a little above the exact one gives the right
// number or one more; with that, what is left is exact, whichever way floats are rounded.
struct kind {
    uint8_t bits;
    uint64_t above; // 1 + 2^-20
    uint64_t infinity, nan;
};
static const struct kind single = {12, 0x3f800008, 0x7f800000, 0x7fc00000},
                         wide = {16, 0x3ff0000100000000, 0x7ff0000000000000, 0x7ff8000000000000};

static bool is_remainder(struct split *s) { return s->i->op == OP_frem; }

// r * 2^n modulo m, of which `inverse` is the reciprocal. r and m are below 1, n not above the bits of a
// round.
static ir_ref step(struct split *s, uint16_t type, ir_ref r, ir_ref n, ir_ref m, ir_ref inverse) {
    const uint16_t i1 = ir_int(s->c->m, 1);
    const ir_ref large = SPLIT_EMIT(s, OP_ldexp, type, r, n);
    const ir_ref q = SPLIT_EMIT(s, OP_ffloor, type, SPLIT_EMIT(s, OP_fmul, type, large, inverse));
    const ir_ref left = SPLIT_EMIT(s, OP_fma, type, SPLIT_EMIT(s, OP_fneg, type, q), m, large);
    const ir_ref below = SPLIT_EMIT(s, OP_folt, i1, left, ir_constant_bits(s->f, type, 0, 0));
    return SPLIT_EMIT(s, OP_select, type, below, SPLIT_EMIT(s, OP_fadd, type, left, m), left);
}

static ir_ref remainder_of(struct split *s, uint16_t type, const struct kind *k, ir_ref a, ir_ref b) {
    const uint16_t i1 = ir_int(s->c->m, 1), i32 = ir_int(s->c->m, 32);
    const ir_ref round = ir_constant_bits(s->f, i32, k->bits, 0);
    const ir_ref x = SPLIT_EMIT(s, OP_fabs, type, a), y = SPLIT_EMIT(s, OP_fabs, type, b);
    const ir_ref xm = SPLIT_EMIT(s, OP_frexp_mant, type, x), ym = SPLIT_EMIT(s, OP_frexp_mant, type, y),
                 ye = SPLIT_EMIT(s, OP_frexp_exp, i32, y),
                 bits = SPLIT_EMIT(s, OP_sub, i32, SPLIT_EMIT(s, OP_frexp_exp, i32, x), ye);
    const ir_ref inverse = SPLIT_EMIT(s, OP_fmul, type, SPLIT_EMIT(s, OP_rcp, type, ym),
                                      ir_constant_bits(s->f, type, k->above, 0));
    const ir_ref many = SPLIT_EMIT(s, OP_sge, i1, bits, round);
    const uint32_t before = split_here(s), body = before + 1, done = before + 2;
    uint32_t r_phi, n_phi, r_end, n_end;
    split_branch(s, many, body, done);
    ir_block_add(s->f);
    const ir_ref r = split_phi(s, type, before, xm, body, &r_phi),
                 n = split_phi(s, i32, before, bits, body, &n_phi);
    const ir_ref next = step(s, type, r, round, ym, inverse), rest = SPLIT_EMIT(s, OP_sub, i32, n, round);
    split_branch(s, SPLIT_EMIT(s, OP_sge, i1, rest, round), body, done);
    split_fill(s, r_phi, next);
    split_fill(s, n_phi, rest);
    ir_block_add(s->f);
    const ir_ref last = split_phi(s, type, before, xm, body, &r_end),
                 few = split_phi(s, i32, before, bits, body, &n_end);
    split_fill(s, r_end, next);
    split_fill(s, n_end, rest);
    const ir_ref left = step(s, type, last, few, ym, inverse),
                 scaled = SPLIT_EMIT(s, OP_ldexp, type, left, ye),
                 exact = SPLIT_EMIT(s, OP_fcopysign, type, scaled, a);
    const ir_ref small = SPLIT_EMIT(s, OP_folt, i1, x, y),
                 number = SPLIT_EMIT(s, OP_folt, i1, x, ir_constant_bits(s->f, type, k->infinity, 0)),
                 divides = SPLIT_EMIT(s, OP_fogt, i1, y, ir_constant_bits(s->f, type, 0, 0)),
                 valid = SPLIT_EMIT(s, OP_and, i1, number, divides);
    return SPLIT_EMIT(s, OP_select, type, valid, SPLIT_EMIT(s, OP_select, type, small, a, exact),
                      ir_constant_bits(s->f, type, k->nan, 0));
}

// Of 16 bits: f32 holds all of them, and the remainder is one of them.
static ir_ref of_element(struct split *s, struct ir_type t, ir_ref a, ir_ref b) {
    const uint16_t type = ir_type_of(s->c->m, (enum ir_kind)t.kind, t.bits, 1),
                   f32 = ir_type_of(s->c->m, IR_F32, 32, 1);
    if (t.bits != 16) return remainder_of(s, type, t.bits == 32 ? &single : &wide, a, b);
    const ir_ref x = SPLIT_EMIT(s, OP_fpext, f32, a), y = SPLIT_EMIT(s, OP_fpext, f32, b);
    return SPLIT_EMIT(s, OP_fptrunc, type, remainder_of(s, f32, &single, x, y));
}

static void expand(struct split *s) {
    const uint32_t result = s->i->first_result;
    const uint16_t type = s->f->values.items[result].type, i32 = ir_int(s->c->m, 32);
    const struct ir_type t = *ir_type_at(s->c->m, type);
    const ir_ref a = split_operand(s, 0), b = split_operand(s, 1);
    const uint16_t one = ir_type_of(s->c->m, (enum ir_kind)t.kind, t.bits, 1);
    ir_ref parts[IR_MOST_ELEMENTS];
    for (unsigned n = 0; n < t.count && !s->c->status; n++) {
        const ir_ref index = ir_constant_bits(s->f, i32, n, 0);
        const ir_ref x = t.count == 1 ? a : SPLIT_EMIT(s, OP_extract, one, a, index),
                     y = t.count == 1 ? b : SPLIT_EMIT(s, OP_extract, one, b, index);
        parts[n] = of_element(s, t, x, y);
    }
    ir_append(s->f, t.count == 1 ? OP_copy : OP_vector, parts, t.count)->location = s->i->location;
    ir_define(s->f, result);
}

void compiler_remainder(struct compiler *c) { compiler_split(c, NULL, is_remainder, expand); }
