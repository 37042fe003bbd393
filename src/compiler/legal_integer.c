// SPDX-License-Identifier: MIT
// Integers of up to 32 bits, in a dword whose upper bits are undefined: an operation extends an operand where
// those bits would reach its result. Single bits are lane masks.
#include "compiler/legal.h"

typedef const struct element *elements;

static struct element of_type(struct ir_type t, ir_ref dword) {
    struct element e = legal_of_dword(dword);
    e.type = t;
    return e;
}

static ir_ref extended(struct legal *g, ir_ref v, unsigned bits, bool is_signed) {
    if (bits >= 32) return v;
    if (!is_signed) return DO(and, v, N((1u << bits) - 1));
    return DO(ashr, DO(shl, v, N(32 - bits)), N(32 - bits));
}

struct element legal_extended(struct legal *g, const struct element *e, bool is_signed) {
    struct element out = *e;
    const unsigned dwords = legal_dwords(&e->type), top = (e->type.bits - 1) % 32 + 1;
    if (e->type.bits == 1)
        out.d[0] = legal_choice(g, e->d[0], N(is_signed ? 0xffffffff : 1), N(0));
    else
        out.d[dwords - 1] = extended(g, e->d[dwords - 1], top, is_signed);
    return out;
}
static ir_ref unsigned_of(struct legal *g, const struct element *e) {
    return legal_extended(g, e, false).d[0];
}
static ir_ref signed_of(struct legal *g, const struct element *e) { return legal_extended(g, e, true).d[0]; }

static bool has_row(const struct legal *g, unsigned op) {
    return compiler_row(g->c, op, g->bank == IR_BANK_S ? SELECT_S : SELECT_V, 32, 0) ||
           compiler_row(g->c, op, SELECT_V, 32, 0);
}

// ---- Shifts ----

// An amount below the width. LLVM's own shifts have no other.
static ir_ref amount_of(struct legal *g, const struct element *e, unsigned bits) {
    const struct ir_constant *k = ir_constant_of(g->f, e->d[0]);
    if (k) return N((uint32_t)(k->low % bits));
    if (!(bits & (bits - 1))) return bits == 32 ? e->d[0] : DO(and, e->d[0], N(bits - 1));
    const ir_ref amount = unsigned_of(g, e);
    if (g->i->flags & IR_PARTIAL) return amount;
    const struct ir_type t = {IR_INT, 32, 1};
    return COMPUTE(g, OP_urem, t, of_type(t, amount), legal_of_dword(N(bits))).d[0];
}

static ir_ref shifted(struct legal *g, unsigned op, elements o, unsigned bits) {
    const ir_ref by = amount_of(g, &o[1], bits);
    const ir_ref a = op == OP_shl ? o[0].d[0] : op == OP_lshr ? unsigned_of(g, &o[0]) : signed_of(g, &o[0]);
    return EMIT(g, op, g->bank, a, by);
}

// Of x:y the upper half, moved left, or the lower half, moved right. By no bits, a half comes out as it was:
// hence two shifts, by 1 and by what is left.
static ir_ref funnel(struct legal *g, bool left, elements o, unsigned bits) {
    const ir_ref x = o[0].d[0];
    const struct ir_constant *k = ir_constant_of(g->f, o[2].d[0]);
    const bool aligns = bits == 32 && g->bank != IR_BANK_S && compiler_row(g->c, OP_fshr, SELECT_V, 32, 0);
    if (aligns && !left) return DO(fshr, x, o[1].d[0], o[2].d[0]);
    if (aligns && k) return k->low % 32 ? DO(fshr, x, o[1].d[0], N(32 - k->low % 32)) : x;
    if (aligns) return DO(fshr, DO(lshr, x, N(1)), DO(fshr, x, o[1].d[0], N(1)), DO(not, o[2].d[0]));
    const ir_ref y = unsigned_of(g, &o[1]), by = amount_of(g, &o[2], bits);
    const ir_ref rest = k ? N((uint32_t)(bits - 1 - k->low % bits)) : DO(sub, N(bits - 1), by);
    if (k && !(k->low % bits)) return left ? x : y;
    if (left) return DO(or, DO(shl, x, by), DO(lshr, DO(lshr, y, N(1)), rest));
    return DO(or, DO(lshr, y, by), DO(shl, DO(shl, x, N(1)), rest));
}

// ---- Bits ----

static ir_ref count_ones(struct legal *g, ir_ref v) {
    if (g->bank == IR_BANK_S && compiler_row(g->c, OP_ctpop, SELECT_S, 32, 0)) return DO(ctpop, v);
    return ROW(g, "v_bcnt_u32_b32", g->i32, v, N(0));
}

static ir_ref bytes_swapped(struct legal *g, ir_ref v) {
    if (g->bank != IR_BANK_S && compiler_row(g->c, OP_perm, SELECT_V, 32, 0))
        return DO(perm, v, v, N(0x00010203));
    const struct element o[] = {legal_of_dword(v), legal_of_dword(v), legal_of_dword(N(8))},
                         p[] = {o[0], o[0], legal_of_dword(N(24))};
    return DO(or, DO(and, funnel(g, false, o, 32), N(0xff00ff00)),
              DO(and, funnel(g, false, p, 32), N(0x00ff00ff)));
}

static ir_ref bits_counted(struct legal *g, unsigned op, elements o, unsigned bits) {
    switch (op) {
    case OP_ctpop: return count_ones(g, unsigned_of(g, o));
    case OP_ffs: return DO(ffs, unsigned_of(g, o));
    case OP_fls: return DO(fls, DO(shl, o->d[0], N(32 - bits)));
    default: { // of a number that is all sign bits, -1
        const ir_ref n = DO(fls_signed, signed_of(g, o));
        return bits == 32 ? n : legal_choice(g, legal_test(g, OP_slt, n, N(0)), n, DO(sub, n, N(32 - bits)));
    }
    }
}

// ---- Saturation and overflow ----

static ir_ref saturated(struct legal *g, unsigned op, elements o, unsigned bits) {
    const bool is_signed = op == OP_sadd_sat || op == OP_ssub_sat || op == OP_sshl_sat;
    const ir_ref a = legal_extended(g, &o[0], is_signed).d[0], b = legal_extended(g, &o[1], is_signed).d[0];
    const uint32_t most = bits < 32 ? (1u << bits) - 1 : 0xffffffff, least = (uint32_t) - (1ll << (bits - 1));
    switch (op) {
    case OP_uadd_sat:
        return bits < 32 ? DO(umin, DO(add, a, b), N(most)) : DO(add, DO(umin, a, DO(not, b)), b);
    case OP_usub_sat: return DO(sub, DO(umax, a, b), b);
    case OP_ushl_sat:
    case OP_sshl_sat: {
        const ir_ref by = amount_of(g, &o[1], bits);
        const struct element moved = of_type((struct ir_type){IR_INT, (uint16_t)bits, 1}, DO(shl, a, by));
        const ir_ref whole = legal_extended(g, &moved, is_signed).d[0];
        const ir_ref back = EMIT(g, is_signed ? OP_ashr : OP_lshr, g->bank, whole, by);
        const ir_ref limit = is_signed ? DO(xor, DO(ashr, a, N(31)), N(~least)) : N(most);
        return legal_choice(g, legal_test(g, OP_eq, back, a), moved.d[0], limit);
    }
    default: break;
    }
    const ir_ref sum = EMIT(g, op == OP_sadd_sat ? OP_add : OP_sub, g->bank, a, b);
    if (bits < 32) return DO(smin, DO(smax, sum, N(least)), N(~least));
    // The sign of the sum is wrong exactly where it overflows.
    const ir_ref over = op == OP_sadd_sat ? DO(and, DO(xor, a, sum), DO(xor, b, sum))
                                          : DO(and, DO(xor, a, b), DO(xor, a, sum));
    return legal_choice(g, legal_test(g, OP_slt, over, N(0)), DO(xor, DO(ashr, sum, N(31)), N(0x80000000)),
                        sum);
}

static ir_ref overflows(struct legal *g, unsigned op, elements o) {
    const unsigned bits = o->type.bits;
    const uint32_t most = bits < 32 ? (1u << bits) - 1 : 0xffffffff;
    const bool is_signed = op == OP_soverflow || op == OP_soverflow_sub || op == OP_smul_overflow;
    const ir_ref a = legal_extended(g, &o[0], is_signed).d[0], b = legal_extended(g, &o[1], is_signed).d[0];
    switch (op) {
    case OP_ucarry:
        return bits < 32 ? legal_test(g, OP_ugt, DO(add, a, b), N(most))
                         : legal_test(g, OP_ult, DO(add, a, b), a);
    case OP_uborrow: return legal_test(g, OP_ult, a, b);
    case OP_soverflow:
    case OP_soverflow_sub: {
        const ir_ref sum = EMIT(g, op == OP_soverflow ? OP_add : OP_sub, g->bank, a, b);
        if (bits < 32) return legal_test(g, OP_ne, sum, extended(g, sum, bits, true));
        return legal_test(g, OP_slt,
                          op == OP_soverflow ? DO(and, DO(xor, a, sum), DO(xor, b, sum))
                                             : DO(and, DO(xor, a, b), DO(xor, a, sum)),
                          N(0));
    }
    case OP_umul_overflow: {
        const ir_ref high = legal_test(g, OP_ne, DO(mulhu, a, b), N(0));
        return bits == 32 ? high : legal_mask(g, OP_or, high, legal_test(g, OP_ugt, DO(mul, a, b), N(most)));
    }
    default: {
        const ir_ref low = DO(mul, a, b), high = DO(mulhs, a, b);
        const ir_ref more = legal_test(g, OP_ne, high, DO(ashr, low, N(31)));
        return bits == 32
                   ? more
                   : legal_mask(g, OP_or, more, legal_test(g, OP_ne, low, extended(g, low, bits, true)));
    }
    }
}

// ---- Comparisons ----

static bool is_signed_comparison(unsigned op) { return (op >= OP_slt && op <= OP_sge) || op == OP_scmp; }

// Of single bits: true is 1, or -1 where signs count.
static ir_ref compare_masks(struct legal *g, unsigned op, ir_ref a, ir_ref b) {
    const ir_ref differ = legal_mask(g, OP_xor, a, b);
    switch (op) {
    case OP_eq: return legal_not(g, differ);
    case OP_ne: return differ;
    case OP_ult:
    case OP_sgt: return legal_mask(g, OP_and, differ, b);
    case OP_ugt:
    case OP_slt: return legal_mask(g, OP_and, differ, a);
    case OP_ule:
    case OP_sge: return legal_not(g, legal_mask(g, OP_and, differ, a));
    default: return legal_not(g, legal_mask(g, OP_and, differ, b));
    }
}

// Of three or four dwords, the two upper ones decide unless they are equal.
static ir_ref compare_wide(struct legal *g, unsigned op, const struct element *a, const struct element *b) {
    const unsigned dwords = legal_dwords(&a->type);
    struct element high[2], low[2];
    for (unsigned n = 0; n < 2; n++) {
        const struct element *e = n ? b : a;
        high[n] = low[n] = *e;
        high[n].type.bits = dwords == 3 ? 32 : 64;
        low[n].type.bits = 64;
        high[n].d[0] = e->d[2];
        high[n].d[1] = e->d[3];
    }
    const ir_ref same = legal_compare(g, OP_eq, &high[0], &high[1]);
    if (op == OP_eq || op == OP_ne) {
        const ir_ref all = legal_mask(g, OP_and, same, legal_compare(g, OP_eq, &low[0], &low[1]));
        return op == OP_eq ? all : legal_not(g, all);
    }
    static const uint16_t unsigned_form[] = {OP_ult, OP_ule, OP_ugt, OP_uge};
    const unsigned below = op >= OP_slt ? unsigned_form[op - OP_slt] : op;
    const ir_ref first = legal_compare(g, op, &high[0], &high[1]),
                 second = legal_compare(g, below, &low[0], &low[1]);
    const ir_ref strict = legal_mask(g, OP_and, first, legal_not(g, same));
    return legal_mask(g, OP_or, strict, legal_mask(g, OP_and, same, second));
}

ir_ref legal_compare(struct legal *g, unsigned op, const struct element *x, const struct element *y) {
    const enum operation_types types = (enum operation_types)operation_info((enum operation)op)->types;
    if (types == TYPES_FLOAT_COMPARE || types == TYPES_FLOAT_CLASS) return legal_compare_floats(g, op, x, y);
    if (op < OP_eq || op > OP_sge) {
        const struct element o[] = {*x, *y};
        return x->type.bits > 32 ? legal_wide(g, op, (struct ir_type){IR_INT, 1, 1}, o, 2).d[0]
                                 : overflows(g, op, o);
    }
    if (x->type.bits == 1) return compare_masks(g, op, x->d[0], y->d[0]);
    const struct element a = legal_extended(g, x, is_signed_comparison(op)),
                         b = legal_extended(g, y, is_signed_comparison(op));
    if (x->type.bits <= 32) return legal_test(g, op, a.d[0], b.d[0]);
    if (x->type.bits > 64) return compare_wide(g, op, &a, &b);
    return legal_emit_as(g, op, IR_BANK_M, g->i1, (const ir_ref[]){legal_whole(g, &a), legal_whole(g, &b)},
                         2);
}

struct element legal_either(struct legal *g, ir_ref mask, const struct element *a, const struct element *b) {
    struct element out = *a;
    if (a->type.kind == IR_INT && a->type.bits == 1) {
        out.d[0] = legal_mask(g, OP_or, legal_mask(g, OP_and, mask, a->d[0]),
                              legal_mask(g, OP_and, legal_not(g, mask), b->d[0]));
        return out;
    }
    for (unsigned d = 0; d < legal_dwords(&a->type); d++) out.d[d] = legal_choice(g, mask, a->d[d], b->d[d]);
    return out;
}

// ---- Operations ----

// Operations on single bits that are logic. IR_NOTHING: others.
static ir_ref logic(struct legal *g, unsigned op, elements o, unsigned count) {
    const ir_ref a = o[0].d[0], b = count > 1 ? o[1].d[0] : IR_NOTHING;
    switch (op) {
    case OP_and:
    case OP_mul:
    case OP_umin:
    case OP_smax: return legal_mask(g, OP_and, a, b);
    case OP_or:
    case OP_umax:
    case OP_smin:
    case OP_uadd_sat:
    case OP_sadd_sat: return legal_mask(g, OP_or, a, b);
    case OP_xor:
    case OP_add:
    case OP_sub: return legal_mask(g, OP_xor, a, b);
    case OP_usub_sat:
    case OP_ssub_sat: return legal_mask(g, OP_and, a, legal_not(g, b));
    case OP_ffs:
    case OP_fls:
    case OP_not: return legal_not(g, a);
    case OP_fshr: return b;
    case OP_fshl:
    case OP_shl:
    case OP_lshr:
    case OP_ashr:
    case OP_udiv:
    case OP_sdiv:
    case OP_abs:
    case OP_bitreverse:
    case OP_ctpop: return a;
    default: return IR_NOTHING;
    }
}

static ir_ref dword(struct legal *g, unsigned op, struct ir_type t, elements o, unsigned count) {
    const unsigned bits = o->type.bits;
    const ir_ref a = o[0].d[0], b = count > 1 ? o[1].d[0] : IR_NOTHING;
    switch (op) {
    case OP_shl:
    case OP_lshr:
    case OP_ashr: return shifted(g, op, o, bits);
    case OP_fshl:
    case OP_fshr: return funnel(g, op == OP_fshl, o, bits);
    case OP_umin:
    case OP_umax: return EMIT(g, op, g->bank, unsigned_of(g, &o[0]), unsigned_of(g, &o[1]));
    case OP_smin:
    case OP_smax: return EMIT(g, op, g->bank, signed_of(g, &o[0]), signed_of(g, &o[1]));
    case OP_mulhu:
    case OP_mulhs: {
        const bool is_signed = op == OP_mulhs;
        const ir_ref x = legal_extended(g, &o[0], is_signed).d[0],
                     y = legal_extended(g, &o[1], is_signed).d[0];
        const ir_ref high = EMIT(g, op, g->bank, x, y);
        if (bits == 32) return high;
        return DO(or, DO(shl, high, N(32 - bits)), DO(lshr, DO(mul, x, y), N(bits)));
    }
    case OP_abs: {
        const ir_ref x = signed_of(g, o);
        return DO(smax, x, DO(sub, N(0), x));
    }
    case OP_uadd_sat:
    case OP_sadd_sat:
    case OP_usub_sat:
    case OP_ssub_sat:
    case OP_ushl_sat:
    case OP_sshl_sat: return saturated(g, op, o, bits);
    case OP_ctpop:
    case OP_ffs:
    case OP_fls:
    case OP_fls_signed: return bits_counted(g, op, o, bits);
    case OP_bitreverse: return DO(lshr, DO(bitreverse, a), N(32 - bits));
    case OP_bswap: return DO(lshr, bytes_swapped(g, a), N(32 - bits));
    case OP_ucmp:
    case OP_scmp: {
        const ir_ref above = legal_compare(g, op == OP_ucmp ? OP_ugt : OP_sgt, &o[0], &o[1]),
                     below = legal_compare(g, op == OP_ucmp ? OP_ult : OP_slt, &o[0], &o[1]);
        return legal_choice(g, above, N(1), legal_choice(g, below, N(0xffffffff), N(0)));
    }
    case OP_ubfe:
    case OP_sbfe:
        if (bits == 32) return ROW(g, op == OP_ubfe ? "v_bfe_u32" : "v_bfe_i32", g->i32, a, b, o[2].d[0]);
        break;
    case OP_umed3:
    case OP_smed3:
        if (bits == 32) return EMIT(g, op, g->bank, a, b, o[2].d[0]);
        break;
    case OP_not: return has_row(g, OP_not) ? DO(not, a) : DO(xor, a, N(0xffffffff));
    case OP_add:
    case OP_sub:
    case OP_mul:
    case OP_and:
    case OP_or:
    case OP_xor: return EMIT(g, op, g->bank, a, b);
    default: break;
    }
    if (bits != 32 || t.bits != 32 || !has_row(g, op)) {
        legal_refuse(g, "an operation that no instruction computes");
        return N(0);
    }
    const ir_ref all[] = {a, b, count > 2 ? o[2].d[0] : IR_NOTHING};
    return legal_emit(g, op, g->bank, all, count > 3 ? 3 : count);
}

struct element legal_integer(struct legal *g, unsigned op, struct ir_type t, const struct element *o,
                             unsigned count) {
    if (op == OP_udiv || op == OP_sdiv || op == OP_urem || op == OP_srem) {
        if (t.bits > 1) return legal_divide(g, op, t, o);
        if (op == OP_urem || op == OP_srem) return of_type(t, legal_truth(g, false));
    }
    if (o->type.bits > 32 || t.bits > 32) return legal_wide(g, op, t, o, count);
    if (t.bits > 1 || o->type.bits > 1) return of_type(t, dword(g, op, t, o, count));
    const ir_ref mask = logic(g, op, o, count);
    if (!ir_is(mask, IR_NONE)) return of_type(t, mask);
    legal_refuse(g, "this operation on single bits");
    return of_type(t, N(0));
}
