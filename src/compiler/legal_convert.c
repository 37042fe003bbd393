// SPDX-License-Identifier: MIT
// Conversions: between widths of integers, between floats, and between the two.
#include "compiler/legal.h"

static const struct ir_type i32 = {IR_INT, 32, 1}, i64 = {IR_INT, 64, 1}, f32 = {IR_F32, 32, 1},
                            f64 = {IR_F64, 64, 1};

static uint16_t number_of(struct legal *g, struct ir_type t) {
    return ir_type_of(g->c->m, (enum ir_kind)t.kind, t.bits, 1);
}
static struct element of_type(struct legal *g, struct ir_type t, ir_ref dword) {
    struct element e = legal_of_dword(legal_retype(g, legal_dword_type(g, &t), dword));
    e.type = t;
    return e;
}
// A row's conversion of one value.
static struct element by_row(struct legal *g, unsigned op, struct ir_type t, const struct element *x) {
    const ir_ref whole = legal_whole(g, x);
    const struct ir_type to = t.kind == IR_INT ? i32 : t;
    if (!compiler_row(g->c, op, SELECT_V, to.bits,
                      x->type.bits < 32 && x->type.kind == IR_INT ? 32 : x->type.bits))
        legal_refuse(g, "an operation that no instruction computes");
    struct element out =
        legal_taken_apart(g, to, legal_emit_as(g, op, IR_BANK_V, number_of(g, to), &whole, 1));
    out.type = t;
    return out;
}
static struct element double_constant(struct legal *g, uint32_t high) {
    return (struct element){f64, {N(0), N(high), IR_NOTHING, IR_NOTHING}};
}
static ir_ref bits_of(struct legal *g, const struct element *x) { return legal_retype(g, g->i32, x->d[0]); }

// ---- Integers ----

static struct element resized(struct legal *g, unsigned op, struct ir_type t, const struct element *x) {
    struct element out = {t, {IR_NOTHING, IR_NOTHING, IR_NOTHING, IR_NOTHING}};
    if (t.bits == 1) {
        out.d[0] = x->type.bits == 1 ? x->d[0] : legal_test(g, OP_ne, DO(and, x->d[0], N(1)), N(0));
        return out;
    }
    const struct element e = op == OP_trunc ? *x : legal_extended(g, x, op == OP_sext);
    const unsigned have = legal_dwords(&x->type), want = legal_dwords(&t);
    for (unsigned d = 0; d < want; d++)
        out.d[d] = d < have            ? e.d[d]
                   : op == OP_zext     ? N(0)
                   : x->type.bits == 1 ? out.d[0]
                   : d == have         ? DO(ashr, e.d[have - 1], N(31))
                                       : out.d[have];
    return out;
}

// ---- Between floats ----

// Rounded to f32 so that rounding again to fewer bits gives what rounding once would: toward zero, with the
// last bit set where something was lost.
static struct element rounded_to_odd(struct legal *g, const struct element *x) {
    const struct element near = by_row(g, OP_fptrunc, f32, x), back = by_row(g, OP_fpext, f64, &near);
    const struct element sizes[] = {COMPUTE(g, OP_fabs, f64, back), COMPUTE(g, OP_fabs, f64, *x)};
    const ir_ref lost = legal_compare_floats(g, OP_fone, &back, x),
                 larger = legal_compare_floats(g, OP_fogt, &sizes[0], &sizes[1]);
    const ir_ref bits = bits_of(g, &near), down = DO(sub, bits, N(1));
    const ir_ref odd = DO(or, legal_choice(g, larger, down, bits), N(1));
    return of_type(g, f32, legal_choice(g, lost, odd, bits));
}

static struct element to_bf16(struct legal *g, struct ir_type t, const struct element *x) {
    const ir_ref bits = bits_of(g, x);
    const ir_ref last = DO(and, DO(lshr, bits, N(16)), N(1));
    const ir_ref near = DO(lshr, DO(add, DO(add, bits, last), N(0x7fff)), N(16));
    const ir_ref nan = DO(or, DO(lshr, bits, N(16)), N(0x40));
    return of_type(g, t, legal_choice(g, legal_compare_floats(g, OP_funo, x, x), nan, near));
}

static struct element between_floats(struct legal *g, unsigned op, struct ir_type t,
                                     const struct element *x) {
    if (x->type.kind == t.kind) return *x;
    if (x->type.kind == IR_BF16) {
        const struct element e = of_type(g, f32, DO(shl, x->d[0], N(16)));
        return t.kind == IR_F32 ? e : between_floats(g, t.bits > 32 ? OP_fpext : OP_fptrunc, t, &e);
    }
    if (x->type.kind == IR_F16 && t.kind != IR_F32) {
        const struct element e = by_row(g, OP_fpext, f32, x);
        return between_floats(g, t.bits > 32 ? OP_fpext : OP_fptrunc, t, &e);
    }
    if (x->type.kind == IR_F64 && t.bits == 16) {
        const struct element e = rounded_to_odd(g, x);
        return between_floats(g, OP_fptrunc, t, &e);
    }
    return t.kind == IR_BF16 ? to_bf16(g, t, x) : by_row(g, op, t, x);
}

// ---- From integers ----

static struct element powered(struct legal *g, struct ir_type t, const struct element *x, ir_ref n) {
    return COMPUTE(g, OP_ldexp, t, *x, legal_of_dword(n));
}

// Of 64 bits to f64: both halves are exact, and their sum is rounded once.
static struct element doubled(struct legal *g, const struct element *x, bool is_signed) {
    const struct element parts[] = {legal_of_dword(x->d[0]), legal_of_dword(x->d[1])};
    const struct element high = by_row(g, is_signed ? OP_sitofp : OP_uitofp, f64, &parts[1]),
                         low = by_row(g, OP_uitofp, f64, &parts[0]);
    return COMPUTE(g, OP_fadd, f64, powered(g, f64, &high, N(32)), low);
}

// An integer as a float by its highest bits, with one more bit that says whether others follow: whichever way
// floats are rounded, that is done once.
static struct element from_top(struct legal *g, bool is_signed, struct ir_type t, const struct element *x) {
    const unsigned dwords = legal_dwords(&x->type), keep = t.kind == IR_F64 ? 2 : 1;
    struct element ones = *x; // where bits differ from the sign
    const ir_ref sign = DO(ashr, x->d[dwords - 1], N(31));
    for (unsigned d = 0; d < dwords && is_signed; d++) ones.d[d] = DO(xor, x->d[d], sign);
    ir_ref by =
        DO(umin, COMPUTE(g, OP_fls, x->type, ones).d[0], N(is_signed ? 32 * dwords : 32 * dwords - 1));
    if (is_signed) by = DO(sub, by, N(1)); // one bit is the sign
    const struct element moved = COMPUTE(g, OP_shl, x->type, *x, legal_of_dword(by));
    ir_ref others = N(0);
    for (unsigned d = 0; d < dwords - keep; d++) others = DO(or, others, moved.d[d]);
    struct element top = {keep == 2 ? i64 : i32,
                          {moved.d[dwords - keep], moved.d[dwords - 1], IR_NOTHING, IR_NOTHING}};
    top.d[0] = DO(or, top.d[0], DO(umin, others, N(1)));
    const struct element f =
        keep == 2 ? doubled(g, &top, is_signed) : by_row(g, is_signed ? OP_sitofp : OP_uitofp, t, &top);
    return powered(g, t, &f, DO(sub, N(32 * (dwords - keep)), by));
}

static struct element from_integer(struct legal *g, bool is_signed, struct ir_type t,
                                   const struct element *x) {
    struct element e = legal_extended(g, x, is_signed);
    const unsigned dwords = legal_dwords(&x->type);
    e.type = (struct ir_type){IR_INT, (uint16_t)(32 * dwords), 1};
    if (t.kind == IR_F16 || t.kind == IR_BF16) {
        // f32 holds all that f16 does not turn to infinity; of bf16, f64 holds enough to be rounded once.
        const struct ir_type middle = t.kind == IR_F16 ? f32 : f64;
        const struct element f = from_integer(g, is_signed, dwords > 2 ? f32 : middle, x);
        return between_floats(g, OP_fptrunc, t, &f);
    }
    if (dwords == 1) return by_row(g, is_signed ? OP_sitofp : OP_uitofp, t, &e);
    if (dwords == 2 && t.kind == IR_F64) return doubled(g, &e, is_signed);
    return from_top(g, is_signed, t, &e);
}

// ---- To integers ----

// Of more than 32 bits, from f64: dword by dword from above, each the whole part of what is left.
static struct element to_wide(struct legal *g, bool is_signed, struct ir_type t, const struct element *x) {
    const unsigned dwords = legal_dwords(&t);
    struct element out = {t, {IR_NOTHING, IR_NOTHING, IR_NOTHING, IR_NOTHING}},
                   rest = COMPUTE(g, OP_ftrunc, f64, *x);
    for (unsigned d = dwords; d-- > 1;) {
        const struct element scale = double_constant(g, (1023 - 32 * d) << 20),
                             back = double_constant(g, 0x80000000u | (1023 + 32 * d) << 20);
        const struct element high = COMPUTE(g, OP_ffloor, f64, COMPUTE(g, OP_fmul, f64, rest, scale));
        out.d[d] = by_row(g, is_signed && d == dwords - 1 ? OP_fptosi : OP_fptoui, i32, &high).d[0];
        rest = COMPUTE(g, OP_fma, f64, high, back, rest);
    }
    out.d[0] = by_row(g, OP_fptoui, i32, &rest).d[0];
    return out;
}

static struct element power_of_two(struct legal *g, unsigned n, bool negative) {
    return double_constant(g, (negative ? 0x80000000u : 0) | (1023 + n) << 20);
}

// What does not fit becomes the nearest that does; NaN becomes 0.
static struct element saturated(struct legal *g, bool is_signed, struct ir_type t, const struct element *x,
                                struct element r) {
    const unsigned dwords = legal_dwords(&t), bits = t.bits, top = (bits - 1) % 32;
    struct element most = r, least = r, none = r;
    for (unsigned d = 0; d < dwords; d++) most.d[d] = N(0xffffffff), least.d[d] = none.d[d] = N(0);
    if (is_signed) most.d[dwords - 1] = N((1u << top) - 1), least.d[dwords - 1] = N(0u - (1u << top));
    const struct element end = power_of_two(g, is_signed ? bits - 1 : bits, false),
                         begin = is_signed ? power_of_two(g, bits - 1, true) : double_constant(g, 0);
    r = legal_either(g, legal_compare_floats(g, OP_foge, x, &end), &most, &r);
    r = legal_either(g, legal_compare_floats(g, OP_fole, x, &begin), &least, &r);
    return legal_either(g, legal_compare_floats(g, OP_funo, x, x), &none, &r);
}

static struct element to_integer(struct legal *g, bool is_signed, struct ir_type t, const struct element *x) {
    const unsigned op = is_signed ? OP_fptosi : OP_fptoui;
    const bool partial = g->i->flags & IR_PARTIAL;
    struct element from = *x;
    if (from.type.bits == 16) from = between_floats(g, OP_fpext, f32, x);
    if (t.bits > 32) {
        if (from.type.kind == IR_F32) from = by_row(g, OP_fpext, f64, &from);
        const struct element r = to_wide(g, is_signed, t, &from);
        return partial ? r : saturated(g, is_signed, t, &from, r);
    }
    struct element r = by_row(g, op, i32, &from);
    if (t.bits < 32 && !partial) {
        const uint32_t half = 1u << (t.bits - 1);
        r.d[0] = is_signed ? DO(smin, DO(smax, r.d[0], N(0u - half)), N(half - 1))
                           : DO(umin, r.d[0], N(2 * half - 1));
    }
    r.type = t;
    if (t.bits == 1) r.d[0] = legal_test(g, OP_ne, DO(and, r.d[0], N(1)), N(0));
    return r;
}

struct element legal_convert(struct legal *g, unsigned op, struct ir_type t, struct element from) {
    switch (op) {
    case OP_zext:
    case OP_sext:
    case OP_trunc: return resized(g, op, t, &from);
    case OP_fpext:
    case OP_fptrunc: return between_floats(g, op, t, &from);
    case OP_sitofp:
    case OP_uitofp: return from_integer(g, op == OP_sitofp, t, &from);
    default: return to_integer(g, op == OP_fptosi, t, &from);
    }
}
