// SPDX-License-Identifier: MIT
// Division, square roots and functions of floats, from the rows that approximate them. Those rows take f32
// denormals for zero, so that operands are scaled where denormals count.
#include "compiler/legal.h"

#include <stdio.h>

typedef const struct element *elements;
static const struct ir_type f32 = {IR_F32, 32, 1}, f64 = {IR_F64, 64, 1}, i32 = {IR_INT, 32, 1};

static uint16_t number_of(struct legal *g, struct ir_type t) {
    return ir_type_of(g->c->m, (enum ir_kind)t.kind, t.bits, 1);
}
static struct element constant(struct legal *g, struct ir_type t, uint32_t top) {
    struct element e = {t, {IR_NOTHING, IR_NOTHING, IR_NOTHING, IR_NOTHING}};
    e.d[t.bits == 64] = ir_constant_bits(g->f, legal_dword_type(g, &t), top, 0);
    if (t.bits == 64) e.d[0] = N(0);
    return e;
}
static struct element single(struct legal *g, uint32_t bits) { return constant(g, f32, bits); }

static struct element by_row(struct legal *g, const char *id, struct ir_type t, const struct element *x) {
    const ir_ref whole = legal_whole(g, x);
    return legal_taken_apart(g, t, legal_row(g, id, number_of(g, t), &whole, 1));
}
static struct element computed(struct legal *g, unsigned op, const struct element *a,
                               const struct element *b) {
    return COMPUTE(g, op, a->type, *a, *b);
}
static struct element fused(struct legal *g, struct element a, struct element b, struct element c) {
    return COMPUTE(g, OP_fma, a.type, a, b, c);
}
static struct element negated(struct legal *g, struct element x) { return COMPUTE(g, OP_fneg, x.type, x); }
static struct element scaled(struct legal *g, struct element x, ir_ref by) {
    return COMPUTE(g, OP_ldexp, x.type, x, legal_of_dword(by));
}
static ir_ref bits_of(struct legal *g, const struct element *x) { return legal_retype(g, g->i32, x->d[0]); }

// True if denormals of this type are numbers.
static bool keeps(const struct legal *g, struct ir_type t) {
    return (t.bits == 32 ? g->f->facts.denormal32 : g->f->facts.denormal64) == 3;
}

// ---- Division ----

// MODE's field of f32 denormals: they are kept while a quotient is made exact.
static void set_denormals(struct legal *g, unsigned f32_field) {
    const unsigned field = f32_field | g->f->facts.denormal64 << 2;
    const struct row *row = compiler_named_row(g->c, "s_denorm_mode");
    struct ir_inst *i;
    if (row) {
        i = ir_append(g->f, ir_op_of_row(row), (ir_ref[]){ir_immediate((int32_t)field)}, 1);
    } else if ((row = compiler_named_row(g->c, "s_setreg_imm32_b32"))) {
        enum { MODE_DENORMALS = 1 | 4 << 6 | 3 << 11 }; // register 1, from bit 4, four bits
        i = ir_append(g->f, ir_op_of_row(row), (ir_ref[]){ir_immediate(MODE_DENORMALS), N(field)}, 2);
    } else {
        legal_refuse(g, "a change of the mode of floats");
        return;
    }
    i->location = g->i->location;
}

static struct element div_scale(struct legal *g, const struct element *x, elements o, ir_ref *flags) {
    const struct ir_type t = x->type;
    const struct row *row = compiler_named_row(g->c, t.bits == 64 ? "v_div_scale_f64" : "v_div_scale_f32");
    const ir_ref operands[] = {legal_whole(g, x), legal_whole(g, &o[1]), legal_whole(g, &o[0])};
    if (!row) {
        legal_refuse(g, "an operation that no instruction computes");
        return *x;
    }
    const ir_ref r = legal_emit_as(g, ir_op_of_row(row), IR_BANK_V, number_of(g, t), operands, 3);
    const ir_ref mask = ir_result(g->f, g->i1);
    struct ir_value *v = ir_value_of(g->f, mask);
    if (v) v->bank = IR_BANK_M;
    *flags = mask;
    return legal_taken_apart(g, t, r);
}

// On GFX6 the flags are wrong: a numerator was scaled if its upper half changed, and so was a denominator.
static ir_ref flags_of(struct legal *g, elements o, const struct element *den, const struct element *num,
                       ir_ref flags) {
    if (compiler_named_row(g->c, "flat_load_b32")) return flags;
    const unsigned top = den->type.bits == 64;
    const ir_ref same_num = legal_test(g, OP_eq, legal_retype(g, g->i32, o[0].d[top]),
                                       legal_retype(g, g->i32, num->d[top])),
                 same_den = legal_test(g, OP_eq, legal_retype(g, g->i32, o[1].d[top]),
                                       legal_retype(g, g->i32, den->d[top]));
    return legal_mask(g, OP_xor, same_num, same_den);
}

static struct element div_fmas(struct legal *g, struct element a, struct element b, struct element c,
                               ir_ref flags) {
    const bool wave64 = g->f->facts.wave == 64;
    const struct row *move = compiler_named_row(g->c, wave64 ? "s_mov_b64" : "s_mov_b32");
    const ir_ref vcc = ir_make(IR_REGISTER, ir_register(IR_VCC, 0, wave64 ? 2 : 1));
    if (move) ir_append(g->f, ir_op_of_row(move), (ir_ref[]){vcc, flags}, 2)->location = g->i->location;
    g->f->facts.uses_vcc = 1;
    const ir_ref all[] = {legal_whole(g, &a), legal_whole(g, &b), legal_whole(g, &c)};
    const char *id = a.type.bits == 64 ? "v_div_fmas_f64" : "v_div_fmas_f32";
    return legal_taken_apart(g, a.type, legal_row(g, id, number_of(g, a.type), all, 3));
}

static struct element div_fixup(struct legal *g, struct element q, elements o) {
    const ir_ref all[] = {legal_whole(g, &q), legal_whole(g, &o[1]), legal_whole(g, &o[0])};
    const char *id = q.type.bits == 64 ? "v_div_fixup_f64" : "v_div_fixup_f32";
    return legal_taken_apart(g, q.type, legal_row(g, id, number_of(g, q.type), all, 3));
}

// By MODE: the last step alone is rounded so, from a quotient that is the nearest one.
static struct element divide32(struct legal *g, elements o, bool by_mode) {
    const struct element one = single(g, 0x3f800000);
    ir_ref unused, flags;
    const ir_ref held = by_mode ? legal_round_to_nearest(g) : IR_NOTHING;
    const struct element den = div_scale(g, &o[1], o, &unused), num = div_scale(g, &o[0], o, &flags);
    const struct element about = by_row(g, "v_rcp_f32", f32, &den), minus = negated(g, den);
    if (!keeps(g, f32)) set_denormals(g, 3);
    const struct element r = fused(g, fused(g, minus, about, one), about, about);
    const struct element q = computed(g, OP_fmul, &num, &r);
    const struct element q1 = fused(g, fused(g, minus, q, num), r, q);
    const struct element rest = fused(g, minus, q1, num);
    if (!keeps(g, f32)) set_denormals(g, g->f->facts.denormal32);
    legal_round_as(g, held);
    return div_fixup(g, div_fmas(g, rest, r, q1, flags), o);
}

static struct element divide64(struct legal *g, elements o, bool by_mode) {
    const struct element one = constant(g, f64, 0x3ff00000);
    ir_ref unused, flags;
    const ir_ref held = by_mode ? legal_round_to_nearest(g) : IR_NOTHING;
    const struct element den = div_scale(g, &o[1], o, &unused), num = div_scale(g, &o[0], o, &flags);
    const struct element about = by_row(g, "v_rcp_f64", f64, &den), minus = negated(g, den);
    const struct element r = fused(g, about, fused(g, minus, about, one), about);
    const struct element r1 = fused(g, r, fused(g, minus, r, one), r);
    const struct element q = computed(g, OP_fmul, &num, &r1);
    const struct element rest = fused(g, minus, q, num);
    legal_round_as(g, held);
    return div_fixup(g, div_fmas(g, rest, r1, q, flags_of(g, o, &den, &num, flags)), o);
}

// Within 2.5 units in the last place: significands are divided, exponents subtracted.
static struct element divide_rough(struct legal *g, elements o) {
    const bool is_one = ir_constant_of(g->f, o[0].d[0]) && legal_is_number(g, o[0].d[0], 0x3f800000);
    if (g->i->flags & IR_AFN) {
        const struct ir_inst *root = ir_def(g->f, o[1].d[0]);
        if (is_one && root && ir_is_row(root->op) && !strcmp(row_id(ir_row(root->op)), "v_sqrt_f32")) {
            const struct element x = {f32, {ir_operand(g->f, root, 0), IR_NOTHING, IR_NOTHING, IR_NOTHING}};
            return by_row(g, "v_rsq_f32", f32, &x);
        }
        const struct element r = by_row(g, "v_rcp_f32", f32, &o[1]);
        return is_one ? r : computed(g, OP_fmul, &o[0], &r);
    }
    const struct element n = COMPUTE(g, OP_frexp_mant, f32, o[0]), d = COMPUTE(g, OP_frexp_mant, f32, o[1]);
    const ir_ref en = COMPUTE(g, OP_frexp_exp, i32, o[0]).d[0], ed = COMPUTE(g, OP_frexp_exp, i32, o[1]).d[0];
    const struct element r = by_row(g, "v_rcp_f32", f32, &d);
    return scaled(g, computed(g, OP_fmul, &n, &r), DO(sub, en, ed));
}

// Quotients of halves are made exact without scaling: nothing between leaves the range of f32.
static struct element divide16(struct legal *g, struct ir_type t, elements o) {
    const struct element wide[] = {legal_convert(g, OP_fpext, f32, o[0]),
                                   legal_convert(g, OP_fpext, f32, o[1])};
    const struct element r = by_row(g, "v_rcp_f32", f32, &wide[1]), q = computed(g, OP_fmul, &wide[0], &r);
    const struct element q1 = fused(g, fused(g, negated(g, wide[1]), q, wide[0]), r, q);
    return legal_convert(g, OP_fptrunc, t, div_fixup(g, g->i->flags & IR_AFN ? q : q1, wide));
}

// ---- Square roots ----

// By MODE: what the nearest root's square lacks is added in a last step, which is rounded so.
static struct element root32(struct legal *g, elements o, bool by_mode) {
    const struct element limit = single(g, 0x0f800000), up = single(g, 0x4f800000),
                         back = single(g, 0x37800000);
    if (g->i->flags & IR_AFN && !by_mode) return by_row(g, "v_sqrt_f32", f32, o);
    const ir_ref held = by_mode ? legal_round_to_nearest(g) : IR_NOTHING;
    const ir_ref small = legal_compare_floats(g, OP_folt, o, &limit);
    const struct element larger = computed(g, OP_fmul, o, &up);
    const struct element x = legal_either(g, small, &larger, o), none = single(g, 0);
    struct element s = by_row(g, "v_sqrt_f32", f32, &x), below = s, above = s;
    if (g->i->flags & IR_ARCP && !by_mode) { // near is enough
        const struct element rough = computed(g, OP_fmul, &s, &back);
        return legal_either(g, small, &rough, &s);
    }
    // The neighbours are taken where the square says so.
    below.d[0] = legal_retype(g, number_of(g, f32), DO(sub, bits_of(g, &s), N(1)));
    above.d[0] = legal_retype(g, number_of(g, f32), DO(add, bits_of(g, &s), N(1)));
    const struct element p = fused(g, negated(g, below), s, x), q = fused(g, negated(g, above), s, x);
    const ir_ref less = legal_compare_floats(g, OP_fole, &p, &none),
                 more = legal_compare_floats(g, OP_fogt, &q, &none);
    s = legal_either(g, less, &below, &s);
    s = legal_either(g, more, &above, &s);
    if (by_mode) {
        const struct element half = single(g, 0x3f000000), r = by_row(g, "v_rcp_f32", f32, &s);
        const struct element lacks = fused(g, negated(g, s), s, x), slope = computed(g, OP_fmul, &r, &half);
        legal_round_as(g, held);
        s = fused(g, lacks, slope, s);
    }
    const struct element smaller = computed(g, OP_fmul, &s, &back);
    s = legal_either(g, small, &smaller, &s);
    const struct element special = legal_of_dword(N(0x260)); // zeros and infinity
    return legal_either(g, legal_compare_floats(g, OP_fpclass, &x, &special), &x, &s);
}

static struct element root64(struct legal *g, elements o, bool by_mode) {
    const struct element limit = constant(g, f64, 0x10000000), half = constant(g, f64, 0x3fe00000);
    const ir_ref small = legal_compare_floats(g, OP_folt, o, &limit);
    const struct element x = scaled(g, *o, legal_choice(g, small, N(256), N(0)));
    const ir_ref held = by_mode ? legal_round_to_nearest(g) : IR_NOTHING;
    const struct element y = by_row(g, "v_rsq_f64", f64, &x);
    const struct element s = computed(g, OP_fmul, &x, &y), h = computed(g, OP_fmul, &y, &half);
    const struct element r = fused(g, negated(g, h), s, half);
    const struct element h1 = fused(g, h, r, h), s1 = fused(g, s, r, s);
    const struct element s2 = fused(g, fused(g, negated(g, s1), s1, x), h1, s1);
    const struct element lacks = fused(g, negated(g, s2), s2, x);
    legal_round_as(g, held);
    const struct element s3 = fused(g, lacks, h1, s2);
    const struct element back = scaled(g, s3, legal_choice(g, small, N(0xffffff80), N(0)));
    const struct element special = legal_of_dword(N(0x260));
    return legal_either(g, legal_compare_floats(g, OP_fpclass, &x, &special), &x, &back);
}

// ---- Powers and logarithms ----

static struct element power_of_two(struct legal *g, elements x) {
    if (g->i->flags & IR_AFN || !keeps(g, f32)) return by_row(g, "v_exp_f32", f32, x);
    const struct element limit = single(g, 0xc2fc0000), up = single(g, 0x42800000),
                         down = single(g, 0x1f800000);
    const struct element none = single(g, 0), one = single(g, 0x3f800000);
    const ir_ref small = legal_compare_floats(g, OP_folt, x, &limit);
    const struct element more = legal_either(g, small, &up, &none), moved = computed(g, OP_fadd, x, &more);
    const struct element r = by_row(g, "v_exp_f32", f32, &moved),
                         factor = legal_either(g, small, &down, &one);
    return computed(g, OP_fmul, &r, &factor);
}

// The logarithm of a number that was multiplied by 2^32 where it is too small; `small`: where that was.
static struct element logarithm(struct legal *g, elements x, ir_ref *small) {
    *small = legal_truth(g, false);
    if (g->i->flags & IR_AFN || !keeps(g, f32)) return by_row(g, "v_log_f32", f32, x);
    const struct element limit = single(g, 0x00800000), up = single(g, 0x4f800000),
                         one = single(g, 0x3f800000);
    *small = legal_compare_floats(g, OP_folt, x, &limit);
    const struct element factor = legal_either(g, *small, &up, &one),
                         moved = computed(g, OP_fmul, x, &factor);
    return by_row(g, "v_log_f32", f32, &moved);
}

// log2 times a constant, which has two parts, less what scaling added.
static struct element log_of(struct legal *g, unsigned op, elements x) {
    const bool ten = op == OP_flog10;
    const struct element none = single(g, 0), c = single(g, ten ? 0x3e9a209a : 0x3f317217),
                         low = single(g, ten ? 0x3284fbcf : 0x3377d1cf), infinity = single(g, 0x7f800000);
    const struct element moved = single(g, op == OP_log2 ? 0x42000000 : ten ? 0x411a209b : 0x41b17218);
    ir_ref small;
    const struct element y = logarithm(g, x, &small);
    struct element r = y;
    if (op != OP_log2) {
        const struct element p = computed(g, OP_fmul, &y, &c);
        const struct element rest = fused(g, y, low, fused(g, y, c, negated(g, p)));
        const struct element sum = computed(g, OP_fadd, &p, &rest), size = COMPUTE(g, OP_fabs, f32, y);
        r = legal_either(g, legal_compare_floats(g, OP_folt, &size, &infinity), &sum, &y);
    }
    if (legal_is_number(g, small, 0)) return r;
    const struct element less = legal_either(g, small, &moved, &none);
    return computed(g, OP_fsub, &r, &less);
}

static struct element exp_of(struct legal *g, bool ten, elements x) {
    const struct element c = single(g, ten ? 0x40549a78 : 0x3fb8aa3b),
                         low = single(g, ten ? 0x33979a37 : 0x32a5705f),
                         first = single(g, ten ? 0xc23369f4 : 0xc2ce8ed0),
                         last = single(g, ten ? 0x421a209b : 0x42b17218), none = single(g, 0),
                         infinity = single(g, 0x7f800000);
    const struct element p = computed(g, OP_fmul, x, &c);
    const struct element rest = fused(g, *x, low, fused(g, *x, c, negated(g, p)));
    const struct element whole = COMPUTE(g, OP_frint, f32, p), fraction = computed(g, OP_fsub, &p, &whole);
    const struct element sum = computed(g, OP_fadd, &fraction, &rest);
    const struct element power = by_row(g, "v_exp_f32", f32, &sum);
    struct element r = scaled(g, power, COMPUTE(g, OP_fptosi, i32, whole).d[0]);
    r = legal_either(g, legal_compare_floats(g, OP_folt, x, &first), &none, &r);
    return legal_either(g, legal_compare_floats(g, OP_fogt, x, &last), &infinity, &r);
}

static struct element wave_of(struct legal *g, const char *id, elements x) {
    const struct element turns = single(g, 0x3e22f983), t = computed(g, OP_fmul, x, &turns);
    const struct element fraction = COMPUTE(g, OP_fract, f32, t);
    return by_row(g, id, f32, &fraction);
}

static struct element power(struct legal *g, struct ir_type t, const struct element *x,
                            const struct element *y) {
    if (t.kind == IR_F64) legal_refuse(g, "a power of this type");
    const struct element base = legal_convert(g, OP_fpext, f32, *x),
                         by = y->type.kind == IR_INT ? legal_convert(g, OP_sitofp, f32, *y)
                                                     : legal_convert(g, OP_fpext, f32, *y);
    const struct element log = by_row(g, "v_log_f32", f32, &base),
                         all = COMPUTE(g, OP_fmul_legacy, f32, by, log);
    return legal_convert(g, OP_fptrunc, t, by_row(g, "v_exp_f32", f32, &all));
}

// A power by a constant: squares, and their products where the exponent has bits.
static struct element powered(struct legal *g, struct ir_type t, elements o) {
    const struct ir_constant *k = ir_constant_of(g->f, o[1].d[0]);
    struct element square = o[0], r = constant(g, t,
                                               t.bits == 64       ? 0x3ff00000
                                               : t.kind == IR_F32 ? 0x3f800000
                                               : t.kind == IR_F16 ? 0x3c00
                                                                  : 0x3f80);
    const struct element one = r;
    if (!k) return power(g, t, &o[0], &o[1]);
    const int32_t n = (int32_t)k->low;
    for (uint32_t left = n < 0 ? 0u - (uint32_t)n : (uint32_t)n; left; left /= 2) {
        if (left & 1) r = computed(g, OP_fmul, &r, &square);
        if (left > 1) square = computed(g, OP_fmul, &square, &square);
    }
    return n < 0 ? computed(g, OP_fdiv, &one, &r) : r;
}

// ---- Operations ----

static struct element as_f32(struct legal *g, unsigned op, struct ir_type t, elements o, unsigned count) {
    const struct element wide[] = {legal_convert(g, OP_fpext, f32, o[0]),
                                   legal_convert(g, OP_fpext, f32, o[count > 1])};
    return legal_convert(g, OP_fptrunc, t, legal_compute(g, op, f32, wide, count));
}

struct element legal_math(struct legal *g, unsigned op, struct ir_type t, const struct element *o,
                          unsigned count) {
    if (op == OP_fpowi) return powered(g, t, o);
    if (op == OP_fpow) return power(g, t, &o[0], &o[1]);
    if (op == OP_fdiv)
        return t.bits == 16                       ? divide16(g, t, o)
               : t.bits == 64                     ? divide64(g, o, false)
               : g->i->flags & (IR_ARCP | IR_AFN) ? divide_rough(g, o)
                                                  : divide32(g, o, false);
    if ((op == OP_fdiv_mode || op == OP_sqrt_mode) && t.bits == 16) return as_f32(g, op, t, o, count);
    if (op == OP_fdiv_mode) return t.bits == 64 ? divide64(g, o, true) : divide32(g, o, true);
    if (op == OP_sqrt_mode) return t.bits == 64 ? root64(g, o, true) : root32(g, o, true);
    if (op == OP_rcp || op == OP_rsq) {
        char id[16];
        snprintf(id, sizeof id, "v_%s_f%u", op == OP_rcp ? "rcp" : "rsq", t.bits);
        if (t.bits != 16 || compiler_named_row(g->c, id)) return by_row(g, id, t, o);
    }
    if (t.bits == 16 && op == OP_sqrt) { // exact enough to be rounded
        const struct element x = legal_convert(g, OP_fpext, f32, o[0]);
        return legal_convert(g, OP_fptrunc, t, by_row(g, "v_sqrt_f32", f32, &x));
    }
    if (t.bits == 16) return as_f32(g, op, t, o, count);
    if (t.bits == 64 && op == OP_sqrt) return root64(g, o, false);
    if (t.kind == IR_F32) switch (op) {
        case OP_sqrt: return root32(g, o, false);
        case OP_exp2: return power_of_two(g, o);
        case OP_log2:
        case OP_flog:
        case OP_flog10: return log_of(g, op, o);
        case OP_fexp: return exp_of(g, false, o);
        case OP_fexp10: return exp_of(g, true, o);
        case OP_fsin: return wave_of(g, "v_sin_f32", o);
        case OP_fcos: return wave_of(g, "v_cos_f32", o);
        default: break;
        }
    legal_refuse(g, "this function of floats");
    return o[0];
}
