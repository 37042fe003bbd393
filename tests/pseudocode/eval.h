// SPDX-License-Identifier: MIT
// Evaluates the manuals' pseudo-code: operators, expressions and statements.
#ifndef TESTS_PSEUDOCODE_EVAL_H
#define TESTS_PSEUDOCODE_EVAL_H

#include "state.h"

// ---- Operators ----

// Whether a number of f's precision, but without its least exponent, is below the normal ones. That such a
// result is flushed is not told; processors do so, and F16, which they compute with more bits, is rounded
// first.
static bool is_tiny(enum fmt f, real r, enum rounding mode) {
    enum { UP = 16 };
    const real least = real_power2(1 - fmt_facts[f].bias);
    if (f == F16 || real_is_nan(r) || r == 0 || real_abs(r) >= least) return false;
    return real_abs(fmt_number(f, fmt_code(f, r * real_power2(UP), mode))) < least * real_power2(UP);
}
static struct val arithmetic(struct env *e, enum operation op, const struct val *a, const struct val *b,
                             const struct val *c) {
    enum fmt f = F16;
    const struct val *all[] = {a, b, c};
    bool nan = false, inexact = false;
    for (unsigned i = 0; i < 3; i++) {
        if (!all[i]) continue;
        nan |= val_is_nan(all[i]), inexact |= all[i]->inexact != 0;
        if (!is_float(all[i])) continue;
        if (i == 0 || all[i]->fmt == REAL || fmt_facts[all[i]->fmt].bits > fmt_facts[f].bits ||
            (all[i]->fmt == BF16 && f == F16))
            if (f != REAL) f = (enum fmt)all[i]->fmt;
    }
    const real x = val_float(a), y = b ? val_float(b) : 0, z = c ? val_float(c) : 0;
    real r = to_odd(op, x, y, z);
    const enum rounding mode = rounding_of(e, f);
    if (!real_is_nan(r) && r == 0) {
        const bool left = op == OP_FMA ? real_sign(x) ^ real_sign(y) : real_sign(x),
                   right = op == OP_FMA ? real_sign(z) : real_sign(y) ^ (op == OP_SUB);
        if ((op == OP_ADD || op == OP_SUB || op == OP_FMA) && left != right)
            r = mode == DOWNWARDS ? -(real)0 : 0;
    }
    struct val out = f == REAL ? val_real(r) : val_code(f, code_of(e, f, r, mode));
    (void)nan;
    out.tiny = f != REAL && is_tiny(f, r, mode);
    if (real_is_nan(r)) out.any_nan = f == REAL ? 1 : val_parts(f), out.part_fmt = (uint8_t)f;
    if (inexact) out.inexact = f == REAL ? 1 : val_parts(f), out.part_fmt = (uint8_t)f;
    return out;
}
// An atomic operation reads and writes denormals as MODE says, but for sums of 64 bits (TRAP-278; CDNA3 table
// 52).
static struct val flushed(const struct env *e, struct val v, unsigned bit) {
    const bool small = v.fmt == BF16 && !(e->mode >> 6 >> bit & 1);
    if (v.fmt <= F64 && (small || flushes(e, (enum fmt)v.fmt, bit)) &&
        fmt_is_denormal((enum fmt)v.fmt, v.w[0]))
        v.w[0] &= fmt_sign((enum fmt)v.fmt);
    return v;
}
static struct val atomic_arithmetic(struct env *e, enum operation op, struct val a, struct val b) {
    if (a.fmt == F64) return arithmetic(e, op, &a, &b, NULL);
    a = flushed(e, a, 0), b = flushed(e, b, 0);
    return flushed(e, arithmetic(e, op, &a, &b, NULL), 1);
}
static bool equal(const struct val *a, const struct val *b) {
    for (unsigned k = 0; k < 2; k++) {
        const struct val *x = k ? b : a, *y = k ? a : b;
        if (y->special == ANY_DENORMAL) {
            const enum fmt f = (enum fmt)y->fmt;
            if (x->fmt == f && is_float(x)) return fmt_is_denormal(f, x->w[0]);
            const real r = real_abs(val_float(x));
            return r > 0 && r < real_power2(1 - fmt_facts[f].bias);
        }
    }
    if (is_float(a) || is_float(b)) {
        const real x = val_float(a), y = val_float(b);
        if ((a->special == SIGNED_ZERO || b->special == SIGNED_ZERO) && x == 0 && y == 0)
            return real_sign(x) == real_sign(y);
        return x == y;
    }
    if (a->width > 128 || b->width > 128) return !memcmp(a->w, b->w, sizeof a->w);
    return val_number(a) == val_number(b);
}
static struct val integers(struct env *e, const char *op, const struct val *a, const struct val *b) {
    const bool both_signed = a->kind == V_SINT && b->kind == V_SINT;
    unsigned width = a->width > b->width ? a->width : b->width;
    if (width < 32) width = 32;
    if (a->width > 128 || b->width > 128) { // the bits of 2/pi
        struct val out = *a;
        if (*op == '&') {
            for (unsigned i = 0; i < VALUE_WORDS; i++) out.w[i] = a->w[i] & b->w[i];
            return out;
        }
        if (strcmp(op, "<<") != 0) fail_with("%s of %u bits", op, width);
        const unsigned by = (unsigned)val_number(b);
        for (unsigned i = a->width; i-- > 0;) val_set_bit(&out, i, i >= by && val_bit(a, i - by));
        return out;
    }
    const swide x = val_number(a), y = val_number(b);
    wide r = 0;
    switch (*op) {
    case '+': r = (wide)x + (wide)y; break;
    case '-': r = (wide)x - (wide)y; break;
    case '*': r = (wide)x * (wide)y; break;
    case '/':
        if (!y) fail_with("a division by zero");
        r = (wide)(x / y);
        break;
    case '%':
        if (!y) fail_with("a division by zero");
        r = (wide)(x % y);
        break;
    case '<':
        if (e->integers_saturate && width < 64)
            width = 64;
        else
            width = a->width < 32 ? 32 : a->width;
        r = y < 0 || y >= width ? 0 : (wide)x << y;
        return val_int(a->kind == V_SINT ? V_SINT : V_UINT, width, r);
    case '>':
        r = y < 0 || y > 127 ? (x < 0 ? ~(wide)0 : 0) : (wide)(x >> y);
        return val_int(a->kind == V_SINT ? V_SINT : V_UINT, a->width < 32 ? 32 : a->width, r);
    default: fail_with("the operator %s", op);
    }
    if (e->integers_saturate && width <= 64) return val_int(V_SINT, 128, r); // exact until it is assigned
    return val_int(both_signed ? V_SINT : V_UINT, width, r);
}
static struct val binary(struct env *e, struct node *n) {
    const char *op = n->op;
    if (!strcmp(op, "&&") || !strcmp(op, "||")) {
        const struct val a = eval(e, n->kid[0]);
        if (val_true(&a) == (*op == '|')) return val_bool(*op == '|');
        const struct val b = eval(e, n->kid[1]);
        return val_bool(val_true(&b));
    }
    const struct val a = eval(e, n->kid[0]), b = eval(e, n->kid[1]);
    const bool f = is_float(&a) || is_float(&b);
    if (!strcmp(op, "==")) return val_bool(equal(&a, &b));
    if (!strcmp(op, "!=")) return val_bool(!equal(&a, &b));
    if (!strcmp(op, "<>"))
        return val_bool(!equal(&a, &b) && !val_is_nan(&a) && !val_is_nan(&b)); // less or greater
    if ((*op == '<' || *op == '>') && op[1] != *op) {
        if (f) {
            const real x = val_float(&a), y = val_float(&b);
            return val_bool(*op == '<' ? (op[1] ? x <= y : x < y) : (op[1] ? x >= y : x > y));
        }
        const swide x = val_number(&a), y = val_number(&b);
        return val_bool(*op == '<' ? (op[1] ? x <= y : x < y) : (op[1] ? x >= y : x > y));
    }
    if (!strcmp(op, "**")) {
        const swide y = val_number(&b);
        if (val_float(&a) != 2) fail_with("a power of another number than 2");
        if (y < -16000) return val_real(real_power2(-16000));
        return val_real(real_power2(y > 16000 ? 16000 : (int)y));
    }
    if (*op == '&' || *op == '|' || *op == '^') {
        if (a.width > 128 || b.width > 128) return integers(e, op, &a, &b);
        const unsigned width = a.width > b.width ? a.width : b.width;
        const swide x = is_float(&a) ? (swide)a.w[0] : val_number(&a),
                    y = is_float(&b) ? (swide)b.w[0] : val_number(&b);
        const wide r = *op == '&' ? (wide)(x & y) : *op == '|' ? (wide)(x | y) : (wide)(x ^ y);
        return val_int(a.kind == V_SINT && b.kind == V_SINT ? V_SINT : V_UINT, width, r);
    }
    if (f && op[1]) fail_with("a shift of a float");
    if (f) {
        const enum operation o = *op == '+' ? OP_ADD : *op == '-' ? OP_SUB : *op == '*' ? OP_MUL : OP_DIV;
        struct val r = e->memory.any ? atomic_arithmetic(e, o, a, b) : arithmetic(e, o, &a, &b, NULL);
        if (o == OP_DIV) r.inexact = r.fmt == REAL ? 1 : val_parts((enum fmt)r.fmt), r.part_fmt = r.fmt;
        return r;
    }
    return integers(e, op, &a, &b);
}
static struct val unary(struct env *e, struct node *n) {
    struct val v = eval(e, n->kid[0]);
    switch (*n->op) {
    case '!': return val_bool(!val_true(&v));
    case '~': {
        if (is_float(&v)) fail_with("~ of a float");
        for (unsigned i = 0; i < VALUE_WORDS; i++) v.w[i] = ~v.w[i];
        val_trim(&v);
        return v;
    }
    case '+':
        if (is_float(&v) && val_float(&v) == 0) v.special = SIGNED_ZERO;
        return v;
    default:
        if (!is_float(&v))
            return val_int(V_SINT,
                           e->integers_saturate ? 128
                           : v.width < 32       ? 32
                                                : v.width,
                           (wide)-val_number(&v));
        if (v.fmt == REAL)
            v.r = real_neg(v.r);
        else
            v.w[0] ^= fmt_sign((enum fmt)v.fmt);
        if (val_is_nan(&v))
            v.any_nan = v.fmt == REAL ? 1 : val_parts((enum fmt)v.fmt),
            v.part_fmt = v.fmt; // its sign is not told
        if (!val_is_nan(&v) && val_float(&v) == 0) v.special = SIGNED_ZERO;
        return v;
    }
}
static struct val convert(struct env *e, struct node *n) {
    const struct val v = eval(e, n->kid[0]);
    const unsigned width = n->width;
    if (!strcmp(n->name, "F") || !strcmp(n->name, "BF")) {
        const enum fmt f = n->name[1] ? BF16 : width == 16 ? F16 : width == 32 ? F32 : F64;
        if (is_float(&v)) {
            // A power of two before the product that uses it has no format.
            if (v.fmt == REAL && !v.special) return v;
            return to_fmt(e, &v, f);
        }
        if (v.width <= width) return val_code(f, v.w[0]);
        if (v.width > 128) {
            struct val low = val_slice(&v, 0, 64);
            low.kind = V_UINT;
            return to_fmt(e, &low, f);
        }
        return to_fmt(e, &v, f);
    }
    const enum kind kind = *n->name == 'U' ? V_UINT : *n->name == 'I' ? V_SINT : V_BITS;
    if (is_float(&v) && v.fmt == REAL) {
        if (width == 1201) fail_with("2/pi");
        fail_with("the bits of a number without a format");
    }
    if (e->integers_saturate && kind == V_BITS && width == 16 && v.width > 16)
        return saturated(v, (struct type){V_UINT, REAL, 16});
    return val_resized(&v, kind, width);
}
static struct val concat(struct env *e, struct node *n) {
    struct val out = val_int(V_BITS, 0, 0);
    for (unsigned i = n->kids; i-- > 0;) {
        struct val v = eval(e, n->kid[i]);
        if (is_float(&v) && v.fmt == REAL) fail_with("the bits of a number without a format");
        if (!v.part_fmt && is_float(&v)) v.part_fmt = v.fmt;
        val_put(&out, out.width, v.width, &v);
    }
    return out;
}
extern real acosf128(real);
static uint32_t register_of_lane(const struct env *e, const struct place *p) {
    return p->kind == P_VGPR ? e->m->v[p->index][e->lane] : p->kind == P_SGPR ? e->m->s[p->index] : 0;
}
static uint64_t pair_of(const struct env *e, const struct place *p, unsigned lane) {
    return p->kind == P_VGPR   ? e->m->v[p->index][lane] | (uint64_t)e->m->v[p->index + 1][lane] << 32
           : p->kind == P_SGPR ? e->m->s[p->index] | (uint64_t)e->m->s[p->index + 1] << 32
                               : 0;
}
// The chapters' sums: of a scalar and a vector address (CDNA3 10.2, RDNA3 11.2), of a buffer (CDNA3 9.1.5,
// RDNA3 9.4.1).
static uint64_t global_address(const struct env *e) {
    const struct memory_operands *o = &e->memory;
    if (o->resource.kind) {
        const uint32_t *word = &e->m->s[o->resource.index];
        const uint64_t base = word[0] | (uint64_t)(word[1] & (o->wide_base ? 0x1ffffff : 0xffff)) << 32;
        const unsigned reg = o->address.index;
        const uint32_t soffset = o->scalar.kind == P_CONSTANT ? (uint32_t)o->scalar.constant
                                                              : register_of_lane(e, &o->scalar),
                       index = o->index ? e->m->v[reg][e->lane] : 0,
                       offset = o->offen ? e->m->v[reg + o->index][e->lane] : 0,
                       stride = (o->wide_base ? word[3] >> 12 : word[1] >> 16) & 0x3fff;
        return base + soffset + (uint64_t)o->offset + offset + (uint64_t)stride * index;
    }
    if (o->swizzled) // CDNA3 10.4, RDNA3 11.3: a sum of 32 bits
        return (uint32_t)(register_of_lane(e, &o->address) + register_of_lane(e, &o->scalar) +
                          (uint32_t)o->offset);
    if (o->address64) return pair_of(e, &o->address, e->lane) + (uint64_t)o->offset;
    return pair_of(e, &o->scalar, 0) + (uint64_t)register_of_lane(e, &o->address) * (o->blocks ? 64 : 1) +
           (uint64_t)o->offset;
}
static bool memory_value(struct env *e, const char *name, struct val *out) {
    const struct memory_operands *o = &e->memory;
    const uint32_t vgpr = register_of_lane(e, &o->address);
    const uint64_t whole = o->resource.kind || o->scalar.kind || o->address64 || o->swizzled
                               ? global_address(e)
                               : (uint32_t)(vgpr + o->offset);
    const struct {
        const char *name;
        uint64_t value;
        unsigned width;
    } values[] = {{"ADDR",
                   o->between_lanes ? o->address.index
                   : o->whole       ? whole
                                    : vgpr,
                   o->whole ? 64 : 32},
                  {"SGPR_ADDR", pair_of(e, &o->scalar, 0), 64},
                  {"INST_OFFSET", (uint64_t)o->offset, 24},
                  {"ADDR_BASE", vgpr, 32},
                  {"vgpr_a", vgpr, 32},
                  {"OFFSET", (uint64_t)o->offset, 16},
                  {"offset", (uint64_t)o->offset, 16},
                  {"OFFSET0", o->offset0, 8},
                  {"OFFSET1", o->offset1, 8},
                  {"DATA0", o->data.index, 32},
                  {"laneID", e->lane, 32}};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        if (!strcmp(name, values[i].name)) {
            *out = val_int(V_UINT, values[i].width, values[i].value);
            return true;
        }
    return false;
}
static bool named_value(struct env *e, const char *name, struct val *out) {
    if (e->memory.any && memory_value(e, name, out)) return true;
    static const struct {
        const char *name;
        int fmt;
        uint64_t code;
    } floats[] = {{"INF", F64, 0x7ff0000000000000},
                  {"NAN", F64, 0x7ff8000000000000},
                  {"DENORM", F64, 1},
                  {"MAX_FLOAT_F32", F32, 0x7f7fffff},
                  {"UNDERFLOW_F32", F32, 0},
                  {"OVERFLOW_F32", F32, 0x7f800000},
                  {"UNDERFLOW_F64", F64, 0},
                  {"OVERFLOW_F64", F64, 0x7ff0000000000000}};
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++)
        if (!strcmp(name, floats[i].name)) {
            *out = val_code((enum fmt)floats[i].fmt, floats[i].code);
            if (!strcmp(name, "DENORM")) out->special = ANY_DENORMAL;
            return true;
        }
    const struct {
        const char *name;
        uint64_t value;
        unsigned width;
    } numbers[] = {{"laneId", e->lane, 32},
                   {"WAVE32", e->lanes == 32, 1},
                   {"WAVE64", e->lanes == 64, 1},
                   {"wave32", e->lanes == 32, 1},
                   {"SRC0", e->raw_src[0], 32},
                   {"SRC1", e->raw_src[1], 32},
                   {"SRC2", e->raw_src[2], 32},
                   {"VDST", e->raw_dst, 32},
                   {"DST", e->raw_dst, 32},
                   {"SIMM16", e->simm16, 16},
                   {"SIMM32", e->literal, 32},
                   {"OPSEL", e->op_sel, 4},
                   {"OPSEL_HI", e->op_sel_hi, 3},
                   {"NEG", e->neg, 3},
                   {"EXECZ", !(e->m->s[126] | (e->lanes == 64 ? e->m->s[127] : 0)), 1},
                   {"VCCZ", !(e->m->s[106] | (e->lanes == 64 ? e->m->s[107] : 0)), 1},
                   {"SDWA_SRC0_SEL", e->sdwa_sel, 3},
                   {"BYTE0", 0, 3},
                   {"BYTE1", 1, 3},
                   {"BYTE2", 2, 3},
                   {"BYTE3", 3, 3},
                   {"WORD1", 5, 3},
                   {"ROUND_NEAREST_EVEN", TO_EVEN, 32},
                   {"ROUND_TOWARD_ZERO", TO_ZERO, 32}};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(name, numbers[i].name)) {
            *out = val_int(V_UINT, numbers[i].width, numbers[i].value);
            return true;
        }
    if (!strcmp(name, "PI")) {
        *out = val_real(acosf128(-1)); // approximations use it
        return true;
    }
    return false;
}
static bool has_word(const char *text, const char *word) { return !strncmp(text, word, strlen(word)); }
static struct val named_part(struct env *e, struct node *n) { // WAVE_MODE.IEEE, INST.OMOD, INF.f16
    struct node *base = n->kid[0];
    if (base->kind == N_NAME && !strcmp(base->name, "WAVE_MODE") && !strcmp(n->name, "IEEE"))
        return val_bool(e->has_ieee && e->mode >> 9 & 1);
    if (base->kind == N_NAME && !strcmp(base->name, "WAVE_STATUS") &&
        (!strncmp(n->name, "COND_DBG", 8) || !strcmp(n->name, "PRIV")))
        return val_bool(false);
    if (base->kind == N_NAME && !strcmp(base->name, "INST")) {
        if (!strcmp(n->name, "NEG")) return val_int(V_UINT, 3, e->table & 7);
        if (!strcmp(n->name, "ABS")) return val_int(V_UINT, 3, e->table >> 3 & 7);
        if (!strcmp(n->name, "OMOD")) return val_int(V_UINT, 2, e->table >> 6 & 3);
    }
    struct val v = eval(e, base);
    const struct type t = type_of(e, n->name);
    if (base->kind == N_NAME && has_word(base->name, "SIMM") && t.kind == V_FLOAT) {
        v = typed(&v, t);
        if (flushes(e, t.fmt, 0) && fmt_is_denormal(t.fmt, v.w[0])) v.w[0] &= fmt_sign(t.fmt);
        return v;
    }
    if (is_float(&v) && t.kind == V_FLOAT && v.fmt != t.fmt) {
        const uint8_t special = v.special;
        v = to_fmt(e, &v, t.fmt);
        v.special = special;
        return v;
    }
    return typed(&v, t);
}
static struct val eval(struct env *e, struct node *n) {
    if (++e->steps > 2000000) fail_with("no end");
    struct ref r;
    switch (n->kind) {
    case N_NUMBER: return n->value;
    case N_NAME:
        if (resolve(e, n, &r)) return load(e, &r);
        {
            struct val v;
            if (named_value(e, n->name, &v)) return v;
        }
        fail_with("the name %s", n->name);
    case N_TYPE:
    case N_INDEX:
    case N_SLICE:
    case N_SLICE_UP:
        if (resolve(e, n, &r)) return load(e, &r);
        if (n->kind == N_TYPE) return named_part(e, n);
        {
            struct val v = eval(e, n->kid[0]);
            const unsigned a = small_number(e, n->kid[1]),
                           b = n->kind == N_INDEX ? a : small_number(e, n->kid[2]);
            if (is_float(&v) && v.fmt == REAL) fail_with("the bits of a number without a format");
            if (n->kind == N_SLICE_UP) return val_slice(&v, a, b);
            if (a < b) {
                struct val s = val_slice(&v, a, b - a + 1);
                return reversed(&s);
            }
            return val_slice(&v, b, a - b + 1);
        }
    case N_CONVERT: return convert(e, n);
    case N_CALL: return call(e, n);
    case N_CONCAT: return concat(e, n);
    case N_UNARY: return unary(e, n);
    case N_BINARY: return binary(e, n);
    case N_TERNARY: {
        const struct val c = eval(e, n->kid[0]);
        return eval(e, n->kid[val_true(&c) ? 1 : 2]);
    }
    default: fail_with("a statement where a value must be");
    }
}

// ---- Statements ----

static void assign(struct env *e, struct node *left, const struct val *v) {
    if (left->kind == N_CONCAT) { // the last is lowest
        unsigned lo = 0;
        for (unsigned i = left->kids; i-- > 0;) {
            struct ref r;
            if (!resolve(e, left->kid[i], &r)) fail_with("an assignment to something unknown");
            if (r.mask) r.sliced = r.has_type = false, r.width = 1; // D1.i1: this lane's bit
            struct val part = val_slice(v, lo, r.width);
            if (e->integers_saturate && r.dest) { // 64 bits of 65
                const bool carry = val_bit(v, 64), top = val_bit(v, 63);
                if (r.type.kind == V_UINT && carry) part = val_int(V_UINT, 64, ~(wide)0);
                if (r.type.kind == V_SINT && carry != top)
                    part = val_int(V_SINT, 64, carry ? (wide)1 << 63 : ((wide)1 << 63) - 1);
            }
            lo += r.width;
            store(e, &r, part);
        }
        return;
    }
    struct ref r;
    if (left->kind == N_NAME && !find_variable(e, left->name) && !state_name(e, left->name, &(struct ref){0}))
        make_variable(e, left->name);
    else { // tmp0.u32 = and tmp[31 : 16] = make a variable, too
        struct node *base = left;
        while (base->kind == N_TYPE || base->kind == N_INDEX || base->kind == N_SLICE ||
               base->kind == N_SLICE_UP)
            base = base->kid[0];
        if (base->kind == N_NAME && !find_variable(e, base->name) &&
            !state_name(e, base->name, &(struct ref){0}) && strcmp(base->name, "VGPR") != 0 &&
            strcmp(base->name, "SGPR") != 0 && strcmp(base->name, "TRAPSTS") != 0)
            make_variable(e, base->name)->value = val_int(V_BITS, 0, 0);
    }
    if (!resolve(e, left, &r)) fail_with("an assignment to something unknown");
    store(e, &r, *v);
}
static void run_assign(struct env *e, struct node *n, struct val *out) {
    struct node *left = n->kid[0], *right = n->kid[1];
    if (right->kind == N_LAMBDA) {
        struct variable *v = find_variable(e, left->name);
        (v ? v : make_variable(e, left->name))->lambda = right;
        return;
    }
    struct val v;
    if (right->kind == N_ASSIGN)
        run_assign(e, right, &v);
    else
        v = eval(e, right);
    if (n->op[0] != '=') { // += and -=
        const struct val old = eval(e, left);
        if (e->memory.any && is_float(&old) && is_float(&v))
            v = atomic_arithmetic(e, n->op[0] == '+' ? OP_ADD : OP_SUB, old, v);
        else if (is_float(&old) || is_float(&v))
            v = arithmetic(e, n->op[0] == '+' ? OP_ADD : OP_SUB, &old, &v, NULL);
        else {
            const char op[2] = {n->op[0], 0};
            v = integers(e, op, &old, &v);
            struct ref r;
            if (resolve(e, left, &r) && r.var && !r.sliced && !r.has_type && !e->integers_saturate)
                v = val_resized(&v, (enum kind)old.kind, old.width < 32 ? 32 : old.width);
        }
    }
    assign(e, left, &v);
    *out = v;
}
static enum flow run_statement(struct env *e, struct node *n, struct val *result) {
    if (++e->steps > 2000000) fail_with("no end");
    switch (n->kind) {
    case N_ASSIGN: {
        struct val v;
        run_assign(e, n, &v);
        return FLOW_ON;
    }
    case N_IF: {
        const struct val c = eval(e, n->kid[0]);
        if (val_true(&c)) return run_block(e, n->kid[1], result);
        if (n->kids < 3) return FLOW_ON;
        return n->kid[2]->kind == N_IF ? run_statement(e, n->kid[2], result)
                                       : run_block(e, n->kid[2], result);
    }
    case N_FOR: {
        const struct val from = eval(e, n->kid[0]), to = eval(e, n->kid[1]);
        struct variable *v = find_variable(e, n->name);
        if (!v) v = make_variable(e, n->name);
        const unsigned at = (unsigned)(v - e->var);
        for (swide i = val_number(&from); i <= val_number(&to); i++) {
            e->var[at].value = val_int((enum kind)from.kind, from.width < 32 ? 32 : from.width, (wide)i);
            const enum flow f = run_block(e, n->kid[0 + 2], result);
            if (f == FLOW_BREAK) break;
            if (f == FLOW_RETURN) return f;
        }
        return FLOW_ON;
    }
    case N_WHILE:
        for (;;) {
            const struct val c = eval(e, n->kid[0]);
            if (!val_true(&c)) return FLOW_ON;
            const enum flow f = run_block(e, n->kid[1], result);
            if (f == FLOW_BREAK) return FLOW_ON;
            if (f == FLOW_RETURN) return f;
        }
    case N_DECLARE: {
        struct val field;
        if (e->memory.any && (!strcmp(n->name, "VDST") || memory_value(e, n->name, &field))) return FLOW_ON;
        if (!strcmp(n->name, "S") || !strcmp(n->name, "CVT_OFF_TABLE")) {
            if (*n->name == 'C') { // -8 to 7, in 16ths, by a signed number of 4 bits
                struct variable *v = make_variable(e, n->name);
                v->count = n->count, v->elements = calloc(n->count, sizeof *v->elements);
                for (unsigned i = 0; i < n->count; i++)
                    v->elements[i] =
                        val_code(F32, fmt_code(F32, (i < 8 ? (int)i : (int)i - 16) / 16.0, TO_EVEN));
            }
            return FLOW_ON;
        }
        struct variable *v = make_variable(e, n->name);
        const bool f = *n->op == 'F';
        v->kind = f ? V_FLOAT : *n->op == 'U' ? V_UINT : *n->op == 'I' ? V_SINT : V_BITS;
        v->fmt = f ? (n->width == 16 ? F16 : n->width == 32 ? F32 : F64) : REAL;
        v->width = n->width;
        const struct val zero = f ? val_code((enum fmt)v->fmt, 0) : val_int((enum kind)v->kind, n->width, 0);
        v->value = zero, v->count = n->count;
        if (n->count) {
            v->elements = calloc(n->count, sizeof *v->elements);
            for (unsigned i = 0; i < n->count; i++) v->elements[i] = zero;
        }
        return FLOW_ON;
    }
    case N_BREAK: return FLOW_BREAK;
    case N_RETURN: *result = eval(e, n->kid[0]); return FLOW_RETURN;
    case N_BLOCK: return run_block(e, n, result);
    default: *result = eval(e, n); return FLOW_ON; // the value of a lambda that is one expression
    }
}
static enum flow run_block(struct env *e, struct node *block, struct val *result) {
    for (struct node *n = block->next; n; n = n->next) {
        const enum flow f = run_statement(e, n, result);
        if (f != FLOW_ON) return f;
    }
    return FLOW_ON;
}
static void forget_variables(struct env *e, unsigned keep) {
    while (e->vars > keep) free(e->var[--e->vars].elements);
}
// One run: of a lane, or of the wave. False: `problem` says why not.
static bool run_text(struct env *e, struct node *text) {
    struct val result;
    e->vars = e->steps = 0, e->round = -1;
    if (setjmp(problem_place)) {
        forget_variables(e, 0);
        return false;
    }
    run_block(e, text, &result);
    forget_variables(e, 0);
    return true;
}

#endif
