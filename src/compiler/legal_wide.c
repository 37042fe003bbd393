// SPDX-License-Identifier: MIT
// Integers of more than 32 bits, up to 128: dwords, the lowest first. Bits of the last one above the width
// are undefined; an operation extends an operand where they would reach its result.
#include "compiler/legal.h"

typedef const struct element *elements;
enum { MOST = 8 }; // dwords of a product

static unsigned dwords_of(const struct element *e) { return legal_dwords(&e->type); }

static void copy_dwords(ir_ref *to, const ir_ref *from, unsigned count) {
    for (unsigned d = 0; d < count; d++) to[d] = from[d];
}

static struct element new_element(struct ir_type t) {
    return (struct element){t, {IR_NOTHING, IR_NOTHING, IR_NOTHING, IR_NOTHING}};
}

static struct element constant(struct legal *g, struct ir_type t, uint64_t low, uint64_t high) {
    struct element e = new_element(t);
    for (unsigned d = 0; d < dwords_of(&e); d++) e.d[d] = N((uint32_t)((d < 2 ? low : high) >> d % 2 * 32));
    return e;
}

static bool is_scalar(const struct legal *g, const ir_ref *o, unsigned count) {
    bool all = g->bank == IR_BANK_S;
    for (unsigned n = 0; n < count; n++) {
        const struct ir_value *v = ir_value_of(g->f, o[n]);
        all &= !v || v->bank == IR_BANK_S;
    }
    return all;
}

// ---- Sums and products ----

// A carry stands directly behind its sum, so that one row makes both.
void legal_add(struct legal *g, bool subtract, const ir_ref *a, const ir_ref *b, ir_ref *out,
               unsigned dwords) {
    unsigned d = 0;
    ir_ref carry = IR_NOTHING;
    const bool scalar = is_scalar(g, a, dwords) && is_scalar(g, b, dwords);
    const enum ir_bank bank = scalar ? IR_BANK_S : IR_BANK_V, flag = scalar ? IR_BANK_SCC : IR_BANK_M;
    for (; d + 1 < dwords && legal_is_number(g, b[d], 0); d++) out[d] = a[d];
    if (d + 1 == dwords) {
        out[d] = EMIT(g, subtract ? OP_sub : OP_add, g->bank, a[d], b[d]);
        return;
    }
    for (const unsigned first = d; d < dwords; d++) {
        const ir_ref o[] = {a[d], b[d], carry};
        const unsigned count = d == first ? 2 : 3;
        const unsigned sum = d == first ? (subtract ? OP_sub : OP_add)
                             : subtract ? OP_subb
                                        : OP_addc,
                       over = d == first ? (subtract ? OP_uborrow : OP_ucarry)
                              : subtract ? OP_subb_borrow
                                         : OP_addc_carry;
        out[d] = legal_emit_as(g, sum, bank, g->i32, o, count);
        if (d + 1 < dwords) carry = legal_emit_as(g, over, flag, g->i1, o, count);
    }
}

// The lower `wanted` dwords of a product: for each dword of a, the lower halves of its products with b, then
// the upper ones, one dword further up.
static void product(struct legal *g, const ir_ref *a, const ir_ref *b, unsigned dwords, ir_ref *out,
                    unsigned wanted) {
    for (unsigned d = 0; d < wanted; d++) out[d] = N(0);
    for (unsigned i = 0; i < dwords; i++)
        for (unsigned half = 0; half < 2; half++) {
            ir_ref term[MOST];
            const unsigned at = i + half;
            if (at >= wanted) continue;
            for (unsigned j = 0; j < wanted - at; j++)
                term[j] = j < dwords ? EMIT(g, half ? OP_mulhu : OP_mul, g->bank, a[i], b[j]) : N(0);
            if (!i && !half)
                copy_dwords(out, term, wanted);
            else
                legal_add(g, false, out + at, term, out + at, wanted - at);
        }
}

// ---- Shifts ----

// Left by so many bits, below 32 for the last step; what comes in at the bottom are zeros.
static void shift_left(struct legal *g, const ir_ref *a, unsigned k, ir_ref *out, unsigned dwords) {
    ir_ref r[MOST];
    if (dwords == 2 && k < 32 && g->bank == IR_BANK_V && compiler_row(g->c, OP_shl, SELECT_V, 64, 0) &&
        !ir_constant_of(g->f, a[0]) && !ir_constant_of(g->f, a[1])) {
        const ir_ref whole[] = {legal_tuple(g, g->bank, g->i64, a, 2), N(k)};
        legal_parts_of(g, legal_emit_as(g, OP_shl, g->bank, g->i64, whole, 2), 2, g->i32, out);
        return;
    }
    for (unsigned d = 0; d < dwords; d++) {
        const ir_ref high = d >= k / 32 ? a[d - k / 32] : N(0), low = d > k / 32 ? a[d - k / 32 - 1] : N(0);
        r[d] = k % 32 ? DO(or, DO(shl, high, N(k % 32)), DO(lshr, low, N(32 - k % 32))) : high;
    }
    copy_dwords(out, r, dwords);
}
static void shift_right(struct legal *g, const ir_ref *a, unsigned k, ir_ref fill, ir_ref *out,
                        unsigned dwords) {
    ir_ref r[MOST];
    for (unsigned d = 0; d < dwords; d++) {
        const ir_ref low = d + k / 32 < dwords ? a[d + k / 32] : fill,
                     high = d + k / 32 + 1 < dwords ? a[d + k / 32 + 1] : fill;
        const bool is_top = d + k / 32 + 1 == dwords;
        if (!(k % 32))
            r[d] = low;
        else if (is_top) // the fill is the sign, or 0
            r[d] = EMIT(g, legal_is_number(g, fill, 0) ? OP_lshr : OP_ashr, g->bank, low, N(k % 32));
        else
            r[d] = DO(or, DO(lshr, low, N(k % 32)), DO(shl, high, N(32 - k % 32)));
    }
    copy_dwords(out, r, dwords);
}

static ir_ref fill_of(struct legal *g, unsigned op, const ir_ref *a, unsigned dwords) {
    return op == OP_ashr ? DO(ashr, a[dwords - 1], N(31)) : N(0);
}

// By a variable amount: by dwords where its upper bits say so, then by what is left in each pair of dwords.
static void shift_steps(struct legal *g, unsigned op, const ir_ref *a, ir_ref by, ir_ref *out,
                        unsigned dwords) {
    const ir_ref fill = fill_of(g, op, a, dwords), zero = N(0);
    ir_ref r[MOST], moved[MOST];
    copy_dwords(r, a, dwords);
    for (unsigned step = 2; step; step /= 2) {
        const ir_ref mask = legal_test(g, OP_ne, DO(and, by, N(step * 32)), zero);
        for (unsigned d = 0; d < dwords; d++) {
            const unsigned from = op == OP_shl ? d - step : d + step;
            moved[d] = from < dwords ? r[from] : op == OP_shl ? zero : fill;
        }
        for (unsigned d = 0; d < dwords; d++) r[d] = legal_choice(g, mask, moved[d], r[d]);
    }
    const ir_ref rest = DO(and, by, N(31));
    const struct ir_type t = {IR_INT, 32, 1};
    for (unsigned d = 0; d < dwords; d++) {
        const ir_ref x = op == OP_shl     ? r[d]
                         : d + 1 < dwords ? r[d + 1]
                                          : fill,
                     y = op == OP_shl ? (d ? r[d - 1] : zero) : r[d];
        out[d] = COMPUTE(g, op == OP_shl ? OP_fshl : OP_fshr, t, legal_of_dword(x), legal_of_dword(y),
                         legal_of_dword(rest))
                     .d[0];
    }
}

static ir_ref amount_of(struct legal *g, const struct element *e, unsigned bits) {
    if (!(bits & (bits - 1))) return DO(and, e->d[0], N(bits - 1));
    const struct element x = legal_extended(g, e, false);
    if (g->i->flags & IR_PARTIAL) return x.d[0];
    return COMPUTE(g, OP_urem, e->type, x, constant(g, e->type, bits, 0)).d[0];
}

static struct element shifted_by(struct legal *g, unsigned op, const struct element *x, ir_ref by) {
    struct element out = new_element(x->type);
    const unsigned dwords = dwords_of(x);
    const struct ir_constant *k = ir_constant_of(g->f, by);
    const struct element a = op == OP_shl ? *x : legal_extended(g, x, op == OP_ashr);
    if (k && op == OP_shl)
        shift_left(g, a.d, (unsigned)k->low, out.d, dwords);
    else if (k)
        shift_right(g, a.d, (unsigned)k->low, fill_of(g, op, a.d, dwords), out.d, dwords);
    else if (dwords == 2 && compiler_row(g->c, op, g->bank == IR_BANK_S ? SELECT_S : SELECT_V, 64, 0)) {
        const ir_ref whole = legal_whole(g, &a), o[] = {whole, by};
        const bool scalar = is_scalar(g, o, 2);
        const ir_ref r = legal_emit_as(g, op, scalar ? IR_BANK_S : IR_BANK_V, g->i64, o, 2);
        legal_parts_of(g, r, 2, g->i32, out.d);
    } else
        shift_steps(g, op, a.d, by, out.d, dwords);
    return out;
}

static struct element funnel(struct legal *g, bool left, elements o) {
    const unsigned bits = o->type.bits;
    const struct ir_constant *k = ir_constant_of(g->f, o[2].d[0]);
    if (k) {
        const unsigned by = (unsigned)(k->low % bits);
        if (!by) return o[left ? 0 : 1];
        const struct element high = shifted_by(g, OP_shl, &o[0], N(left ? by : bits - by)),
                             low = shifted_by(g, OP_lshr, &o[1], N(left ? bits - by : by));
        return COMPUTE(g, OP_or, o->type, high, low);
    }
    const ir_ref by = amount_of(g, &o[2], bits), rest = DO(sub, N(bits - 1), by);
    const struct element x = left ? o[0] : shifted_by(g, OP_shl, &o[0], N(1)),
                         y = left ? shifted_by(g, OP_lshr, &o[1], N(1)) : o[1];
    return COMPUTE(g, OP_or, o->type, shifted_by(g, OP_shl, &x, left ? by : rest),
                   shifted_by(g, OP_lshr, &y, left ? rest : by));
}

// ---- Bits ----

// The first one from below, or zeros above the last one: counts of upper (lower) dwords get 32, 64 or 96
// more, by or, which leaves the -1 of a dword without ones as it is.
static ir_ref first_one(struct legal *g, unsigned op, const struct element *x) {
    const unsigned dwords = dwords_of(x);
    ir_ref least = IR_NOTHING;
    for (unsigned d = 0; d < dwords; d++) {
        const ir_ref n = EMIT(g, op, g->bank, x->d[op == OP_ffs ? d : dwords - 1 - d]);
        const ir_ref here = d ? DO(or, n, N(32 * d)) : n;
        least = d ? DO(umin, least, here) : here;
    }
    return least;
}

static struct element counted(struct legal *g, unsigned op, elements o) {
    struct element out = new_element(o->type), x = *o;
    const unsigned dwords = dwords_of(o);
    const struct ir_type t = {IR_INT, 32, 1};
    ir_ref n = N(0);
    if (op == OP_fls)
        x = shifted_by(g, OP_shl, o, N(32 * dwords - o->type.bits));
    else
        x = legal_extended(g, o, false);
    for (unsigned d = 0; d < dwords && op == OP_ctpop; d++)
        n = DO(add, COMPUTE(g, OP_ctpop, t, legal_of_dword(x.d[d])).d[0], n);
    if (op != OP_ctpop) n = first_one(g, op, &x);
    out.d[0] = n;
    for (unsigned d = 1; d < dwords; d++) out.d[d] = op == OP_ctpop ? N(0) : DO(ashr, n, N(31));
    return out;
}

static struct element reversed(struct legal *g, unsigned op, elements o) {
    struct element out = new_element(o->type);
    const unsigned dwords = dwords_of(o);
    const struct ir_type t = {IR_INT, 32, 1};
    for (unsigned d = 0; d < dwords; d++)
        out.d[dwords - 1 - d] = COMPUTE(g, op, t, legal_of_dword(o->d[d])).d[0];
    const unsigned more = 32 * dwords - o->type.bits;
    if (more) shift_right(g, out.d, more, N(0), out.d, dwords);
    return out;
}

// ---- Saturation and overflow ----

static struct element least_of(struct legal *g, struct ir_type t) {
    return t.bits > 64 ? constant(g, t, 0, 1ull << (t.bits - 65)) : constant(g, t, 1ull << (t.bits - 1), 0);
}

static ir_ref is_negative(struct legal *g, const struct element *e) {
    const struct element x = legal_extended(g, e, true);
    return legal_test(g, OP_slt, x.d[dwords_of(e) - 1], N(0));
}

static struct element computed(struct legal *g, unsigned op, const struct element *a,
                               const struct element *b) {
    return COMPUTE(g, op, a->type, *a, *b);
}

static ir_ref product_overflows(struct legal *g, bool is_signed, elements o) {
    const unsigned bits = o->type.bits, dwords = dwords_of(o);
    const struct element a = legal_extended(g, &o[0], is_signed), b = legal_extended(g, &o[1], is_signed);
    ir_ref x[MOST], y[MOST], p[MOST], over = legal_truth(g, false);
    const ir_ref sign[] = {is_signed ? DO(ashr, a.d[dwords - 1], N(31)) : N(0),
                           is_signed ? DO(ashr, b.d[dwords - 1], N(31)) : N(0)};
    for (unsigned d = 0; d < 2 * dwords; d++)
        x[d] = d < dwords ? a.d[d] : sign[0], y[d] = d < dwords ? b.d[d] : sign[1];
    if (is_signed)
        product(g, x, y, 2 * dwords, p, 2 * dwords);
    else
        product(g, x, y, dwords, p, 2 * dwords);
    struct element low = new_element(o->type);
    copy_dwords(low.d, p, dwords);
    const struct element fits = legal_extended(g, &low, is_signed);
    const ir_ref upper = is_signed ? DO(ashr, fits.d[dwords - 1], N(31)) : N(0);
    if (bits % 32) over = legal_test(g, OP_ne, p[dwords - 1], fits.d[dwords - 1]);
    for (unsigned d = dwords; d < 2 * dwords; d++)
        over = legal_mask(g, OP_or, over, legal_test(g, OP_ne, p[d], upper));
    return over;
}

static ir_ref overflows(struct legal *g, unsigned op, elements o) {
    const struct element *a = &o[0], *b = &o[1];
    if (op == OP_umul_overflow || op == OP_smul_overflow)
        return product_overflows(g, op == OP_smul_overflow, o);
    if (op == OP_uborrow) return legal_compare(g, OP_ult, a, b);
    const struct element sum = computed(g, op == OP_soverflow_sub ? OP_sub : OP_add, a, b);
    if (op == OP_ucarry) return legal_compare(g, OP_ult, &sum, a);
    // The sign is wrong.
    const struct element x = computed(g, OP_xor, a, &sum),
                         y = op == OP_soverflow ? computed(g, OP_xor, b, &sum) : computed(g, OP_xor, a, b),
                         both = computed(g, OP_and, &x, &y);
    return is_negative(g, &both);
}

static struct element saturated(struct legal *g, unsigned op, elements o) {
    const struct ir_type t = o->type;
    const struct element none = constant(g, t, 0, 0), all = constant(g, t, ~0ull, ~0ull),
                         least = least_of(g, t);
    if (op == OP_usub_sat) {
        const struct element rest = computed(g, OP_sub, &o[0], &o[1]);
        return legal_either(g, legal_compare(g, OP_ult, &o[0], &o[1]), &none, &rest);
    }
    if (op == OP_uadd_sat) {
        const struct element sum = computed(g, OP_add, &o[0], &o[1]);
        return legal_either(g, legal_compare(g, OP_ult, &sum, &o[0]), &all, &sum);
    }
    const struct element most = computed(g, OP_xor, &least, &all);
    const struct element limit = legal_either(g, is_negative(g, &o[0]), &least, &most);
    if (op == OP_ushl_sat || op == OP_sshl_sat) {
        const ir_ref by = amount_of(g, &o[1], t.bits);
        const struct element moved = shifted_by(g, OP_shl, &o[0], by),
                             back = shifted_by(g, op == OP_sshl_sat ? OP_ashr : OP_lshr, &moved, by);
        return legal_either(g, legal_compare(g, OP_eq, &back, &o[0]), &moved,
                            op == OP_sshl_sat ? &limit : &all);
    }
    const struct element sum = computed(g, op == OP_sadd_sat ? OP_add : OP_sub, &o[0], &o[1]);
    return legal_either(g, overflows(g, op == OP_sadd_sat ? OP_soverflow : OP_soverflow_sub, o), &limit,
                        &sum);
}

// ---- Operations ----

static struct element compared(struct legal *g, unsigned op, struct ir_type t, elements o) {
    const ir_ref above = legal_compare(g, op == OP_ucmp ? OP_ugt : OP_sgt, &o[0], &o[1]),
                 below = legal_compare(g, op == OP_ucmp ? OP_ult : OP_slt, &o[0], &o[1]);
    struct element out = new_element(t);
    out.d[0] = legal_choice(g, above, N(1), legal_choice(g, below, N(0xffffffff), N(0)));
    for (unsigned d = 1; d < dwords_of(&out); d++) out.d[d] = DO(ashr, out.d[0], N(31));
    return out;
}

struct element legal_wide(struct legal *g, unsigned op, struct ir_type t, const struct element *o,
                          unsigned count) {
    struct element out = new_element(t);
    const unsigned dwords = dwords_of(&out);
    (void)count;
    switch (op) {
    case OP_add:
    case OP_sub: legal_add(g, op == OP_sub, o[0].d, o[1].d, out.d, dwords); return out;
    case OP_mul: product(g, o[0].d, o[1].d, dwords, out.d, dwords); return out;
    case OP_and:
    case OP_or:
    case OP_xor:
        for (unsigned d = 0; d < dwords; d++) out.d[d] = EMIT(g, op, g->bank, o[0].d[d], o[1].d[d]);
        return out;
    case OP_not:
        for (unsigned d = 0; d < dwords; d++) out.d[d] = DO(xor, o[0].d[d], N(0xffffffff));
        return out;
    case OP_shl:
    case OP_lshr:
    case OP_ashr: return shifted_by(g, op, o, amount_of(g, &o[1], t.bits));
    case OP_fshl:
    case OP_fshr: return funnel(g, op == OP_fshl, o);
    case OP_umin:
    case OP_umax:
    case OP_smin:
    case OP_smax: {
        const unsigned less = op == OP_umin   ? OP_ult
                              : op == OP_umax ? OP_ugt
                              : op == OP_smin ? OP_slt
                                              : OP_sgt;
        return legal_either(g, legal_compare(g, less, &o[0], &o[1]), &o[0], &o[1]);
    }
    case OP_abs: {
        const struct element x = legal_extended(g, o, true);
        struct element sign = new_element(t);
        for (unsigned d = 0; d < dwords; d++) sign.d[d] = DO(ashr, x.d[dwords - 1], N(31));
        const struct element turned = computed(g, OP_xor, &x, &sign);
        return computed(g, OP_sub, &turned, &sign);
    }
    case OP_uadd_sat:
    case OP_sadd_sat:
    case OP_usub_sat:
    case OP_ssub_sat:
    case OP_ushl_sat:
    case OP_sshl_sat: return saturated(g, op, o);
    case OP_ucarry:
    case OP_uborrow:
    case OP_soverflow:
    case OP_soverflow_sub:
    case OP_umul_overflow:
    case OP_smul_overflow: out.d[0] = overflows(g, op, o); return out;
    case OP_ctpop:
    case OP_ffs:
    case OP_fls: return counted(g, op, o);
    case OP_bitreverse:
    case OP_bswap: return reversed(g, op, o);
    case OP_ucmp:
    case OP_scmp: return compared(g, op, t, o);
    case OP_mulhu:
    case OP_mulhs: break;
    case OP_ubfe: // of the field's first bit and bits
    case OP_sbfe: break;
    default: break;
    }
    legal_refuse(g, "this operation on integers of this width");
    for (unsigned d = 0; d < dwords; d++) out.d[d] = N(0);
    return out;
}
