// SPDX-License-Identifier: MIT
// Constants: which number of the source space an integer or floating-point operand becomes. A value that is
// none of the inline constants of the operand's type needs a literal, where the encoding has room for one.
#include "asm/insn/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "isa/constants.h"
#include "target/target.h"

enum reading { INT16, HALF, BFLOAT, WORD, LONG, DOUBLE };

static enum reading reading_of(const struct fit *f, enum operand_type t) {
    switch (t) {
    case T_F16:
    case T_MIX:
    case T_V2F16: return HALF;
    case T_BF16:
    case T_MIXB:
    case T_V2BF16: return BFLOAT;
    case T_I16:
    case T_U16:
    case T_V2B16: return INT16;
    case T_B16: return f->isa->b16_integers || operand_bits[f->row->dst[0].type] == 16 ? INT16 : WORD;
    case T_F64: return DOUBLE;
    default: return operand_bits[t] == 64 ? LONG : WORD;
    }
}

static int number_of_integer(int64_t v) { // its number, or 0
    return v >= 0 && v <= 64 ? (int)v + 128 : v < 0 && v >= -16 ? 192 - (int)v : 0;
}

static int number_of_float(const struct fit *f, enum reading r, uint64_t v) {
    if (r == INT16) return 0;
    for (int i = 0; i < 8 + f->isa->inverse_two_pi; i++) {
        const struct inline_float *c = &inline_floats[i];
        if (v == (r == HALF ? c->f16 : r == BFLOAT ? c->bf16 : r == WORD ? c->f32 : c->f64)) return 240 + i;
    }
    return 0;
}

uint16_t half_of_double(double d, bool *fits) { // round to nearest even; false: overflow, or nothing is left
    uint64_t b;
    memcpy(&b, &d, sizeof b);
    uint16_t sign = (uint16_t)(b >> 48 & 0x8000);
    double a = fabs(d);
    *fits = true;
    if (isnan(d)) return sign | 0x7e00;
    if (isinf(d)) return sign | 0x7c00;
    if (a == 0) return sign;
    int exponent;
    frexp(a, &exponent); // a = m * 2^exponent, m in [0.5, 1)
    int unit = exponent - 11 < -24 ? -24 : exponent - 11;
    double n = ldexp(a, -unit) + 0x1p52 - 0x1p52; // to the nearest integer
    if (n >= 2048) n /= 2, unit++;
    if (unit > 5 || n == 0 || (unit == -24 && n != ldexp(a, 24) && n < 1024)) *fits = false;
    if (unit > 5) return sign | 0x7c00;
    return n < 1024 ? (uint16_t)(sign | (uint16_t)n)
                    : (uint16_t)(sign | ((unit + 25) << 10) | ((unsigned)n & 0x3ff));
}

static uint32_t float_bits(double d, bool *fits) {
    float s = (float)d;
    uint32_t v;
    memcpy(&v, &s, sizeof v);
    *fits = !(isinf(s) && !isinf(d)) && !(fabsf(s) < 0x1p-126f && (double)s != d);
    return v;
}

// The bits that a floating-point number has in the operand's format.
static bool float_value(enum reading r, double d, uint64_t *out) {
    bool fits = true;
    switch (r) {
    case HALF: *out = half_of_double(d, &fits); break;
    case BFLOAT: {
        uint32_t v = float_bits(d, &fits);
        *out = (v + 0x7fff + (v >> 16 & 1)) >> 16;
        break;
    }
    case INT16: // integers read the constants of 32-bit floats
    case WORD: *out = float_bits(d, &fits); break;
    default: memcpy(out, &d, sizeof d);
    }
    return fits;
}

// -n and |n| of a constant where the instruction itself has no such modifiers.
static uint64_t apply_sign(const struct parsed *p, enum reading r, uint64_t v) {
    static const uint8_t bits[] = {16, 16, 16, 32, 64, 64};
    uint64_t sign = 1ull << (bits[r] - 1);
    if (p->abs) v &= ~sign;
    return p->neg ? v ^ sign : v;
}

static bool literal(struct fit *f, const struct parsed *p, enum field field, unsigned allowed, uint32_t v,
                    const struct expr *expr, int32_t *code) {
    if (!(allowed & ALLOW_LITERAL) || !f->literals)
        return refuse_operand(f, field, p,
                              allowed & ALLOW_VGPR ? "a register or an inline constant"
                                                   : "an SGPR or an inline constant");
    if (f->literal_given && ((uint32_t)f->in.f[F_literal] != v || f->literal_expr || expr))
        return refuse_operand(f, field, p, "the literal given before, since an instruction holds one,");
    f->literal_given = f->in.has_literal = true;
    if (f->in.suffix == SUFFIX_NONE) f->in.suffix = SUFFIX_LITERAL;
    f->in.f[F_literal] = (int32_t)v;
    f->literal_expr = expr;
    *code = SRC_LITERAL;
    return true;
}

// A literal of 64 bits.
static bool wide_literal(struct fit *f, const struct parsed *p, enum field field, uint64_t v,
                         const struct expr *expr, int32_t *code) {
    const bool other = f->in.f[F_literal] != (int32_t)v || f->in.f[F_literal_hi] != (int32_t)(v >> 32) ||
                       f->literal_expr || expr;
    if (f->literal_given && (other || !f->in.wide_literal))
        return refuse_operand(f, field, p, "the literal given before, since an instruction holds one,");
    f->literal_given = f->in.has_literal = f->in.wide_literal = true;
    if (f->in.suffix == SUFFIX_NONE) f->in.suffix = SUFFIX_LITERAL;
    f->in.f[F_literal] = (int32_t)v;
    f->in.f[F_literal_hi] = (int32_t)(v >> 32);
    f->literal_expr = expr;
    *code = SRC_LITERAL64;
    return true;
}

static bool has_fixed_literal(const struct row *row) {
    return row->src[1].field == F_literal || row->src[2].field == F_literal;
}

// Words that turn out to be symbols.
static bool evaluate(struct fit *f, enum field field, const struct parsed *p, struct mc_value *v) {
    const char *at = p->at;
    if (text_is(p->at, p->end, "off")) return refuse_operand(f, field, p, "a register or a constant");
    if (text_is(p->at, p->end, "null"))
        return fit_refuse(f, p->at, "null does not exist on %s", f->st->mode->processor->name);
    if (!f->st->host->expression(f->st->host->context, &at, f->st->end, v)) {
        f->where = p->at;
        return false;
    }
    return skip_spaces(at, p->end) == p->end || refuse_operand(f, field, p, "a register or a constant");
}

bool fit_constant(struct fit *f, const struct parsed *p, enum field field, enum operand_type type,
                  unsigned allowed, int32_t *code) {
    bool set = is_class_set(f->isa, f->row, source_number(field)) && is_half(type);
    enum reading r = set ? WORD : reading_of(f, type);
    int64_t n = p->number;
    const struct expr *expr = p->expr;
    if (p->kind == PARSED_WORD || p->kind == PARSED_CALL) {
        struct mc_value v;
        if (!(allowed & ALLOW_LITERAL) || !f->literals)
            return refuse_operand(f, field, p, "a register or an inline constant");
        if (!evaluate(f, field, p, &v)) return false;
        n = v.number;
        expr = v.expr;
    }
    uint64_t v;
    // Scalar compares of halves read floating-point numbers as 32 bits.
    bool compare = type == T_F16 && f->in.format->id == FMT_SOPC;
    bool packed = type == T_V2F16 || type == T_V2BF16 || type == T_V2B16;
    // Inline floats are in both halves.
    bool both = f->row->class == CLASS_PK_FMAC && f->in.format->id == FMT_VOP2 && f->isa->packed_constants;
    const unsigned format = f->in.format->id;
    // Where literals of 64 bits may stand.
    const bool has_wide =
        f->isa->literal64 && r >= LONG && allowed & ALLOW_LITERAL && f->literals &&
        (format == FMT_VOP1 || format == FMT_VOP2 || format == FMT_VOPC || format <= FMT_SOPC);
    if (expr) { // relocations fill 32 bits, and are read as such, or 64
        if (has_wide && field != F_literal && !packed && !p->lit)
            return wide_literal(f, p, field, 0, expr, code);
        if (field == F_literal || packed || operand_bits[type] != 32 || p->lit)
            return refuse_operand(f, field, p, "a value that is known here");
        return literal(f, p, field, allowed, 0, expr, code);
    }
    int number = 0;
    if (p->kind == PARSED_FLOAT) {
        double d;
        memcpy(&d, &n, sizeof d);
        bool inverse = r == BFLOAT && (float)d == 0.15915494f && f->isa->inverse_two_pi && !p->neg; // cut off
        if (!float_value(compare ? WORD : r, d, &v))
            return refuse_operand(f, field, p, "a number that its type can represent");
        v = apply_sign(p, r, v);
        if (!both) number = inverse ? 248 : number_of_float(f, r == INT16 || compare ? WORD : r, v);
        if (!number && v == 0) number = 128;
    } else {
        // Packed operands are 32 bits of which an integer fills all and the half constants the lower half.
        bool fits16 = n >= -0x8000 && n <= 0xffff, fits32 = n >= INT32_MIN && n <= (int64_t)UINT32_MAX;
        if (packed || r == WORD ? !fits32 : r <= BFLOAT ? !fits16 : false)
            return refuse_operand(f, field, p,
                                  r <= BFLOAT && !packed ? "a value of 16 bits" : "a value of 32 bits");
        v = packed || r == WORD ? (uint32_t)n : r <= BFLOAT ? (uint16_t)n : (uint64_t)n;
        if (p->neg || p->abs) v = apply_sign(p, r, v), n = (int64_t)v;
        number = number_of_integer(packed || r == WORD ? (int32_t)v : r <= BFLOAT ? (int16_t)v : (int64_t)v);
        bool one = !both || v >> 16 == (v & 0xffff);
        if (!number && !compare && one)
            number = number_of_float(f, packed && r == INT16 ? WORD : r, both ? v & 0xffff : v);
        if (!packed && (r == INT16 || compare || (r == HALF && field == F_literal)))
            v = (uint32_t)n; // it keeps its sign
    }
    if (p->lit64 && is_float(type) && f->in.format->id > FMT_SOPP && !f->isa->literal64)
        return refuse_operand(f, field, p, "a number that is no lit64()");
    if (number && !p->lit) {
        *code = number;
        return true;
    }
    if (has_wide && !(r == LONG && p->kind == PARSED_FLOAT)) {
        const bool fixed = has_fixed_literal(f->row), half = p->kind == PARSED_FLOAT;
        const bool narrow = r == LONG ? n >= 0 && n <= INT32_MAX
                            : half    ? !(uint32_t)v
                                      : n >= INT32_MIN && n <= (int64_t)UINT32_MAX;
        const bool upper = r == DOUBLE && !half && !narrow && !(uint32_t)v && !p->lit64;
        if (fixed && narrow && r == DOUBLE && !half && !p->lit64) v <<= 32;
        if (upper && !fixed) return literal(f, p, field, allowed, (uint32_t)(v >> 32), NULL, code);
        if (fixed || !narrow || p->lit64 || (p->lit && half)) return wide_literal(f, p, field, v, NULL, code);
    }
    if (r == LONG && p->kind == PARSED_FLOAT)
        return refuse_operand(f, field, p, "an integer, or a float that is an inline constant,");
    if (r == DOUBLE && p->kind == PARSED_FLOAT)
        v >>= 32; // the low half is zero
    else if (r >= LONG && !(n >= INT32_MIN && n <= (int64_t)UINT32_MAX)) {
        return refuse_operand(f, field, p, "a value of 32 bits");
    }
    return literal(f, p, field, allowed, (uint32_t)v, NULL, code);
}

bool fit_fixed_literal(struct fit *f, const struct parsed *p, enum operand_type type) {
    int32_t ignored;
    struct parsed forced = *p;
    forced.lit = true;
    f->literals = true;
    if (p->kind == PARSED_REGISTER || p->kind == PARSED_LIST)
        return refuse_operand(f, F_literal, p, "a 32-bit constant");
    return fit_constant(f, &forced, F_literal, type, ALLOW_CONSTANT | ALLOW_LITERAL, &ignored);
}

static bool refuse_range(struct fit *f, enum field field, const struct parsed *p, int64_t lo, int64_t hi) {
    char allowed[64];
    snprintf(allowed, sizeof allowed, "from %lld to %lld", (long long)lo, (long long)hi);
    return refuse_operand(f, field, p, allowed);
}

bool fit_number(struct fit *f, const struct parsed *p, enum field field, int64_t lo, int64_t hi,
                int32_t *out) {
    struct mc_value v = {.number = p->number, .expr = p->expr};
    if (p->neg || p->abs || p->sext) return refuse_operand(f, field, p, "a number");
    if (p->kind == PARSED_WORD || p->kind == PARSED_CALL) {
        if (!evaluate(f, field, p, &v)) return false;
    } else if (p->kind != PARSED_NUMBER && p->kind != PARSED_EXPR)
        return refuse_operand(f, field, p, "a number");
    if (v.expr) return refuse_operand(f, field, p, "an absolute expression");
    if (v.number < lo || v.number > hi) return refuse_range(f, field, p, lo, hi);
    *out = (int32_t)v.number;
    return true;
}
