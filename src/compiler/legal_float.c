// SPDX-License-Identifier: MIT
// Floats: by rows where the processor has them for the type, those of 16 bits else as f32, whose rounding to
// the type is then the one that counts. Comparisons, minima, rounding to whole numbers.
#include "compiler/legal.h"

typedef const struct element *elements;

static uint16_t type_number(struct legal *g, unsigned kind) {
    static const uint8_t bits[] = {[IR_F16] = 16, [IR_BF16] = 16, [IR_F32] = 32, [IR_F64] = 64};
    return ir_type_of(g->c->m, (enum ir_kind)kind, bits[kind], 1);
}
static struct ir_type float_type(unsigned kind) {
    static const uint8_t bits[] = {[IR_F16] = 16, [IR_BF16] = 16, [IR_F32] = 32, [IR_F64] = 64};
    return (struct ir_type){(uint8_t)kind, bits[kind], 1};
}

static struct element of_type(struct legal *g, struct ir_type t, ir_ref dword) {
    struct element e = legal_of_dword(legal_retype(g, legal_dword_type(g, &t), dword));
    e.type = t;
    return e;
}

// A constant by its upper dword, or, of 16 bits, by all.
static struct element constant(struct legal *g, struct ir_type t, uint32_t top) {
    struct element e = {t, {IR_NOTHING, IR_NOTHING, IR_NOTHING, IR_NOTHING}};
    e.d[t.bits == 64] = ir_constant_bits(g->f, legal_dword_type(g, &t), top, 0);
    if (t.bits == 64) e.d[0] = N(0);
    return e;
}
static uint32_t pick(struct ir_type t, uint32_t f16, uint32_t bf16, uint32_t f32, uint32_t f64) {
    return t.kind == IR_F16 ? f16 : t.kind == IR_BF16 ? bf16 : t.kind == IR_F32 ? f32 : f64;
}
static struct element one(struct legal *g, struct ir_type t) {
    return constant(g, t, pick(t, 0x3c00, 0x3f80, 0x3f800000, 0x3ff00000));
}

static bool has_row(const struct legal *g, unsigned op, struct ir_type t) {
    return compiler_row(g->c, op, SELECT_V, t.bits, t.bits) != NULL;
}

static struct element by_row(struct legal *g, unsigned op, struct ir_type t, elements o, unsigned count) {
    ir_ref operands[3];
    if (!has_row(g, op, t)) legal_refuse(g, "an operation that no instruction computes");
    for (unsigned n = 0; n < count && n < 3; n++) operands[n] = legal_whole(g, &o[n]);
    const ir_ref r = legal_emit_as(g, op, IR_BANK_V, type_number(g, t.kind), operands, count < 3 ? count : 3);
    return legal_taken_apart(g, t, r);
}

// ---- Bits of floats ----

static struct element with_top(struct legal *g, elements x, unsigned op, ir_ref mask) {
    struct element out = *x;
    const unsigned top = legal_dwords(&x->type) - 1;
    const ir_ref bits = legal_retype(g, g->i32, x->d[top]);
    out.d[top] = legal_retype(g, legal_dword_type(g, &x->type), EMIT(g, op, g->bank, bits, mask));
    return out;
}

static struct element of_bits(struct legal *g, unsigned op, elements o) {
    const uint32_t sign = o->type.bits == 16 ? 0x8000 : 0x80000000;
    if (op == OP_fneg) return with_top(g, &o[0], OP_xor, N(sign));
    if (op == OP_fabs) return with_top(g, &o[0], OP_and, N(o->type.bits == 16 ? 0x7fff : 0x7fffffff));
    // The sign may come from a float of another width.
    const struct ir_type from = o[1].type;
    ir_ref other = legal_retype(g, g->i32, o[1].d[legal_dwords(&from) - 1]);
    if (from.bits == 16 && o->type.bits != 16) other = DO(shl, other, N(16));
    if (from.bits != 16 && o->type.bits == 16) other = DO(lshr, other, N(16));
    const struct element size = of_bits(g, OP_fabs, o);
    return with_top(g, &size, OP_or, DO(and, other, N(sign)));
}

// ---- Comparisons ----

// Classes of a float of 16 bits, as v_cmp_class_f32 numbers them, by its bits.
static ir_ref class_of_bits(struct legal *g, const struct element *x, uint32_t classes) {
    const uint32_t infinity = x->type.kind == IR_F16 ? 0x7c00 : 0x7f80,
                   quiet = x->type.kind == IR_F16 ? 0x7e00 : 0x7fc0;
    const uint32_t least = x->type.kind == IR_F16 ? 0x400 : 0x80;
    const ir_ref bits = legal_retype(g, g->i32, x->d[0]), size = DO(and, bits, N(0x7fff));
    const ir_ref negative = legal_test(g, OP_ne, DO(and, bits, N(0x8000)), N(0));
    ir_ref all = legal_truth(g, false);
    // Each class is a range of sizes, by its first and the one behind its last.
    const struct {
        uint32_t first, end;
        uint8_t minus, plus; // bits of the classes
    } ranges[] = {{0, 1, 5, 6},
                  {1, least, 4, 7},
                  {least, infinity, 3, 8},
                  {infinity, infinity + 1, 2, 9},
                  {infinity + 1, quiet, 0, 0},
                  {quiet, 0x8000, 1, 1}};
    for (size_t n = 0; n < sizeof ranges / sizeof *ranges; n++) {
        const bool minus = classes >> ranges[n].minus & 1, plus = classes >> ranges[n].plus & 1;
        if (!minus && !plus) continue;
        ir_ref in =
            legal_test(g, OP_ult, DO(sub, size, N(ranges[n].first)), N(ranges[n].end - ranges[n].first));
        if (!plus) in = legal_mask(g, OP_and, in, negative);
        if (!minus) in = legal_mask(g, OP_and, in, legal_not(g, negative));
        all = legal_mask(g, OP_or, all, in);
    }
    return all;
}

ir_ref legal_compare_floats(struct legal *g, unsigned op, const struct element *a, const struct element *b) {
    struct element x = *a, y = *b;
    const bool row = compiler_row(g->c, op, SELECT_M, 0, x.type.bits) && x.type.kind != IR_BF16;
    if (op == OP_fpclass && !row) {
        const struct ir_constant *k = ir_constant_of(g->f, b->d[0]);
        if (k) return class_of_bits(g, a, (uint32_t)k->low);
        legal_refuse(g, "a set of classes that is no constant");
        return legal_truth(g, false);
    }
    if (!row && x.type.bits == 16) {
        x = legal_convert(g, OP_fpext, float_type(IR_F32), x);
        y = legal_convert(g, OP_fpext, float_type(IR_F32), y);
    }
    return legal_emit_as(g, op, IR_BANK_M, g->i1, (const ir_ref[]){legal_whole(g, &x), legal_whole(g, &y)},
                         2);
}

static ir_ref compared(struct legal *g, unsigned op, const struct element *a, const struct element *b) {
    return legal_compare_floats(g, op, a, b);
}

// ---- Minimum and maximum ----

static struct element least(struct legal *g, unsigned op, struct ir_type t, elements o) {
    const bool max = op == OP_maxnum || op == OP_maximumnum || op == OP_maximum;
    const unsigned num = max ? OP_maxnum : OP_minnum, number = max ? OP_maximumnum : OP_minimumnum;
    const bool nans = !(g->i->flags & IR_NNAN);
    if (has_row(g, op, t)) return by_row(g, op, t, o, 2);
    // Of minnum, LLVM leaves open what a signalling NaN does.
    if (op == num) return by_row(g, number, t, o, 2);
    if (op == number) {
        const struct element quiet[] = {nans ? COMPUTE(g, OP_fcanonicalize, t, o[0]) : o[0],
                                        nans ? COMPUTE(g, OP_fcanonicalize, t, o[1]) : o[1]};
        return by_row(g, num, t, quiet, 2);
    }
    const struct element r = least(g, has_row(g, num, t) ? num : number, t, o);
    if (!nans) return r;
    const struct element nan = constant(g, t, pick(t, 0x7e00, 0x7fc0, 0x7fc00000, 0x7ff80000));
    return legal_either(g, compared(g, OP_funo, &o[0], &o[1]), &nan, &r);
}

// ---- Whole numbers ----

static struct element negated(struct legal *g, struct element x) { return of_bits(g, OP_fneg, &x); }

// Doubles where no row rounds them: bits of the fraction behind the point are cleared.
static struct element truncated64(struct legal *g, struct ir_type t, elements x) {
    const struct ir_type i64 = {IR_INT, 64, 1};
    const ir_ref high = x->d[1];
    const ir_ref exponent = DO(sub, ROW(g, "v_bfe_u32", g->i32, high, N(20), N(11)), N(1023));
    struct element mask = {i64, {N(0xffffffff), N(0x000fffff), IR_NOTHING, IR_NOTHING}}, bits = *x, none = *x;
    mask = COMPUTE(g, OP_lshr, i64, mask, legal_of_dword(exponent));
    mask.d[0] = DO(xor, mask.d[0], N(0xffffffff));
    mask.d[1] = DO(xor, mask.d[1], N(0xffffffff));
    bits.d[0] = DO(and, x->d[0], mask.d[0]);
    bits.d[1] = DO(and, x->d[1], mask.d[1]);
    none.d[0] = N(0);
    none.d[1] = DO(and, high, N(0x80000000));
    const struct element r = legal_either(g, legal_test(g, OP_slt, exponent, N(0)), &none, &bits);
    struct element out = legal_either(g, legal_test(g, OP_sgt, exponent, N(51)), x, &r);
    out.type = t;
    return out;
}

static struct element rounded64(struct legal *g, unsigned op, struct ir_type t, elements x) {
    const struct element whole = truncated64(g, t, x), none = constant(g, t, 0), up = one(g, t);
    if (op == OP_ftrunc) return whole;
    if (op == OP_frint) { // half-way cases go up where the whole number below is odd
        const struct element half = constant(g, t, 0x3fe00000);
        const struct element rest = COMPUTE(g, OP_fabs, t, COMPUTE(g, OP_fsub, t, *x, whole));
        const struct element pairs = COMPUTE(g, OP_fmul, t, whole, half);
        const struct element even = truncated64(g, t, &pairs);
        ir_ref more =
            legal_mask(g, OP_and, compared(g, OP_foeq, &rest, &half), compared(g, OP_fune, &pairs, &even));
        more = legal_mask(g, OP_or, more, compared(g, OP_fogt, &rest, &half));
        const struct element step = legal_either(g, more, &up, &none);
        return COMPUTE(g, OP_fadd, t, whole, COMPUTE(g, OP_fcopysign, t, step, *x));
    }
    // One more, or less, where cutting off went the wrong way.
    const struct element step = op == OP_ffloor ? negated(g, up) : up;
    ir_ref wrong = compared(g, op == OP_ffloor ? OP_folt : OP_fogt, x, &whole);
    const struct element sum = COMPUTE(g, OP_fadd, t, whole, step);
    (void)none;
    const struct element r = legal_either(g, wrong, &sum, &whole);
    return COMPUTE(g, OP_fcopysign, t, r, *x);
}

// As MODE says: numbers that have a fraction lose it when a number is added whose last bit is 1.
static struct element rounded_by_mode(struct legal *g, struct ir_type t, elements x) {
    const struct element large = constant(g, t, pick(t, 0x6400, 0, 0x4b000000, 0x43300000)),
                         signed_large = COMPUTE(g, OP_fcopysign, t, large, *x);
    const struct element sum = COMPUTE(g, OP_fadd, t, *x, signed_large), size = COMPUTE(g, OP_fabs, t, *x);
    const struct element r = COMPUTE(g, OP_fcopysign, t, COMPUTE(g, OP_fsub, t, sum, signed_large), *x);
    return legal_either(g, compared(g, OP_foge, &size, &large), x, &r);
}

// To nearest, half-way cases away from zero.
static struct element rounded(struct legal *g, struct ir_type t, elements x) {
    const struct element whole = COMPUTE(g, OP_ftrunc, t, *x), up = one(g, t), none = constant(g, t, 0),
                         half = constant(g, t, pick(t, 0x3800, 0x3f00, 0x3f000000, 0x3fe00000));
    const struct element rest = COMPUTE(g, OP_fabs, t, COMPUTE(g, OP_fsub, t, *x, whole));
    const struct element step = legal_either(g, compared(g, OP_foge, &rest, &half), &up, &none);
    return COMPUTE(g, OP_fadd, t, whole, COMPUTE(g, OP_fcopysign, t, step, *x));
}

// ---- Scale ----

static struct element scaled(struct legal *g, struct ir_type t, elements o) {
    const struct element by =
        legal_convert(g, o[1].type.bits < 32 ? OP_sext : OP_trunc, (struct ir_type){IR_INT, 32, 1}, o[1]);
    ir_ref n = o[1].type.bits == 32 ? o[1].d[0] : by.d[0];
    if (o[1].type.bits > 32) { // what does not fit 32 bits is as good as the largest
        const struct element low = {o[1].type, {N(0x80000000), N(0xffffffff), N(0xffffffff), N(0xffffffff)}},
                             high = {o[1].type, {N(0x7fffffff), N(0), N(0), N(0)}};
        const struct element k =
            COMPUTE(g, OP_smin, o[1].type, COMPUTE(g, OP_smax, o[1].type, o[1], low), high);
        n = k.d[0];
    }
    if (t.bits == 16) n = DO(smin, DO(smax, n, N(0xffff8000)), N(0x7fff));
    const ir_ref operands[] = {legal_whole(g, o), n};
    return legal_taken_apart(g, t,
                             legal_emit_as(g, OP_ldexp, IR_BANK_V, type_number(g, t.kind), operands, 2));
}

static struct element exponent(struct legal *g, struct ir_type t, elements x) {
    const struct element wide = x->type.bits == 16 ? legal_convert(g, OP_fpext, float_type(IR_F32), *x) : *x;
    const ir_ref whole = legal_whole(g, &wide);
    struct element e = legal_of_dword(legal_emit_as(g, OP_frexp_exp, IR_BANK_V, g->i32, &whole, 1));
    if (t.bits > 32) return legal_convert(g, OP_sext, t, e);
    e.type = t;
    return e;
}

// ---- Operations ----

// True if FMA is as fast as a multiplication: it is from GFX9 on, which is also where global instructions
// come.
static bool fuses(const struct legal *g) { return compiler_named_row(g->c, "global_load_b32") != NULL; }

static struct element as_f32(struct legal *g, unsigned op, struct ir_type t, elements o, unsigned count) {
    // Of f16, f64 holds every sum of a product; f32 would round it once more.
    const struct ir_type f32 = float_type(op == OP_fma && t.kind == IR_F16 ? IR_F64 : IR_F32);
    struct element wide[3];
    for (unsigned n = 0; n < count && n < 3; n++)
        wide[n] = o[n].type.kind == IR_INT ? o[n] : legal_convert(g, OP_fpext, f32, o[n]);
    const struct element r = legal_compute(g, op, f32, wide, count < 3 ? count : 3);
    return legal_convert(g, OP_fptrunc, t, r);
}

struct element legal_float(struct legal *g, unsigned op, struct ir_type t, const struct element *o,
                           unsigned count) {
    const bool halves = t.kind == IR_F16 && has_row(g, OP_fadd, t);
    if (op == OP_fneg || op == OP_fabs || op == OP_fcopysign) return of_bits(g, op, o);
    if (op == OP_frexp_exp) return exponent(g, t, o);
    if (op == OP_fmuladd && !(fuses(g) || t.kind == IR_F64))
        return COMPUTE(g, OP_fadd, t, COMPUTE(g, OP_fmul, t, o[0], o[1]), o[2]);
    if (op == OP_fmuladd) return legal_float(g, OP_fma, t, o, 3);
    if (op == OP_frint_mode && t.kind == IR_F16) return rounded_by_mode(g, t, o);
    if (t.bits == 16 && !halves) return as_f32(g, op, t, o, count);
    switch (op) {
    case OP_fsub:
        if (has_row(g, op, t)) break;
        return COMPUTE(g, OP_fadd, t, o[0], negated(g, o[1]));
    case OP_fcanonicalize: return COMPUTE(g, OP_fmul, t, one(g, t), o[0]);
    case OP_minnum:
    case OP_maxnum:
    case OP_minimumnum:
    case OP_maximumnum:
    case OP_minimum:
    case OP_maximum: return least(g, op, t, o);
    case OP_ffloor:
    case OP_fceil:
    case OP_ftrunc:
    case OP_frint: return has_row(g, op, t) ? by_row(g, op, t, o, 1) : rounded64(g, op, t, o);
    case OP_frint_mode: return rounded_by_mode(g, t, o);
    case OP_fround: return rounded(g, t, o);
    case OP_ldexp: return scaled(g, t, o);
    case OP_fmed3: {
        const ir_ref all[] = {o[0].d[0], o[1].d[0], o[2].d[0]};
        const char *id = t.kind == IR_F32 ? "v_med3_f32" : "v_med3_f16";
        if (t.kind == IR_F16 && !compiler_named_row(g->c, id)) return as_f32(g, op, t, o, count);
        if (t.kind == IR_F64) break;
        return of_type(g, t,
                       legal_row(g, compiler_named_row(g->c, id) ? id : "v_med3_num_f32",
                                 type_number(g, t.kind), all, 3));
    }
    case OP_fma:
    case OP_fadd:
    case OP_fmul:
    case OP_fract:
    case OP_frexp_mant:
    case OP_fmul_legacy:
    case OP_fma_legacy:
        if (t.kind == IR_F16 && !has_row(g, op, t)) return as_f32(g, op, t, o, count);
        break;
    default: return legal_math(g, op, t, o, count);
    }
    return by_row(g, op, t, o, count);
}
