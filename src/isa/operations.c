// SPDX-License-Identifier: MIT
// The operations: their table, and their evaluator. A value is a number of bits, of floats those of their
// format. Floats are computed in double and rounded once to their format by integer arithmetic (float_bits),
// so that nothing depends on whether the host flushes denormals of its shorter formats. Requires: the host
// rounds to nearest.
#include "isa/operations.h"

#include <math.h>
#include <string.h>

// ---- The table ----

enum {
    COMMUTES = OPERATION_COMMUTES,
    COMMUTES_FIRST = OPERATION_COMMUTES_FIRST,
    ASSOCIATES = OPERATION_ASSOCIATES,
    IDEMPOTENT = OPERATION_IDEMPOTENT,
    CONVERGENT = OPERATION_CONVERGENT,
    UNIFORM = OPERATION_UNIFORM,
    VARIES = OPERATION_VARIES,
    READS = OPERATION_READS,
    WRITES = OPERATION_WRITES,
    EFFECT = OPERATION_EFFECT,
    TERMINATOR = OPERATION_TERMINATOR,
    ANY = OPERATION_ANY,
};

static const struct operation_info table[] = {
#define OP(name, operands, types, properties, evaluator)                                                     \
    {#name, operands, TYPES_##types, properties, sizeof #evaluator != sizeof "NONE" || #evaluator[0] != 'N'},
#include "isa/operations.def"
};

const struct operation_info *operation_info(enum operation op) { return &table[op]; }

const char *operation_shape(enum operation op) {
    static const char *const shapes[] = {
#define X(name, shape) shape,
        OPERATION_TYPES(X)
#undef X
    };
    return shapes[table[op].types];
}

enum operation operation_named(const char *name, size_t length) {
    unsigned i = 0;
    while (i < OPERATIONS && (strlen(table[i].name) != length || memcmp(table[i].name, name, length))) i++;
    return (enum operation)i;
}

// The comparisons, each plus one, by operation; 0: none.
static const uint16_t exchanged_of[OPERATIONS] = {
#define COMPARISON(name, exchanged, inverse) [OP_##name] = OP_##exchanged + 1,
#include "isa/operations.def"
};
static const uint16_t inverse_of[OPERATIONS] = {
#define COMPARISON(name, exchanged, inverse) [OP_##name] = OP_##inverse + 1,
#include "isa/operations.def"
};
enum operation operation_exchanged(enum operation op) {
    return exchanged_of[op] ? (enum operation)(exchanged_of[op] - 1) : op;
}
enum operation operation_inverse(enum operation op) {
    return inverse_of[op] ? (enum operation)(inverse_of[op] - 1) : op;
}

// ---- Bits ----

struct evaluation {
    enum operation op;
    const struct operation_mode *mode;
    struct value_type result;
    const struct value_type *types;
    op_bits values[4];
};

static op_bits low_bits(op_bits v, unsigned bits) { return bits < 128 ? v & (((op_bits)1 << bits) - 1) : v; }
static op_signed signed_bits(op_bits v, unsigned bits) {
    return bits && bits < 128 ? (op_signed)(v << (128 - bits)) >> (128 - bits) : (op_signed)v;
}
static op_bits most_signed(unsigned bits) { return low_bits(~(op_bits)0, bits - 1); }
static unsigned ones(op_bits v) {
    return (unsigned)(__builtin_popcountll((uint64_t)v) + __builtin_popcountll((uint64_t)(v >> 64)));
}
static op_bits lowest_one(op_bits v) {
    if (!v) return ~(op_bits)0;
    return (uint64_t)v ? (unsigned)__builtin_ctzll((uint64_t)v)
                       : 64u + (unsigned)__builtin_ctzll((uint64_t)(v >> 64));
}
static int top_of(op_bits v) {
    return (uint64_t)(v >> 64) ? 127 - __builtin_clzll((uint64_t)(v >> 64))
                               : 63 - __builtin_clzll((uint64_t)v);
}
static op_bits highest_one(op_bits v, unsigned bits) {
    return v ? (op_bits)(bits - 1 - (unsigned)top_of(v)) : ~(op_bits)0;
}
// The order of groups of so many bits turned around.
static op_bits reversed(op_bits v, unsigned bits, unsigned group) {
    op_bits result = 0;
    for (unsigned i = 0; i + group <= bits; i += group)
        result |= low_bits(v >> i, group) << (bits - group - i);
    return result;
}
static bool carry_of(const struct evaluation *e, op_bits x, op_bits y, op_bits carry) {
    const unsigned w = e->types[0].bits;
    const op_bits sum = low_bits(x + y + carry, w);
    return carry ? sum <= x : sum < x;
}
static bool overflow_of_sum(const struct evaluation *e) {
    const unsigned w = e->types[0].bits;
    const op_bits x = e->values[0], y = e->values[1], sum = x + y;
    return (~(x ^ y) & (x ^ sum)) >> (w - 1) & 1;
}
static bool overflow_of_difference(const struct evaluation *e) {
    const unsigned w = e->types[0].bits;
    const op_bits x = e->values[0], y = e->values[1], difference = x - y;
    return ((x ^ y) & (x ^ difference)) >> (w - 1) & 1;
}
// The upper half of the product of two values of w bits.
static op_bits high_product(const struct evaluation *e, bool is_signed) {
    const unsigned w = e->types[0].bits;
    const op_bits x = e->values[0], y = e->values[1];
    op_bits high;
    if (w <= 64)
        high = (op_bits)((op_bits)x * y) >> w;
    else {
        const op_bits a = (uint64_t)x, b = x >> 64, c = (uint64_t)y, d = y >> 64;
        const op_bits middle = (a * c >> 64) + (uint64_t)(a * d),
                      middle2 = (op_bits)(uint64_t)(b * c) + (uint64_t)middle;
        const op_bits top = b * d + (a * d >> 64) + (b * c >> 64) + (middle >> 64) + (middle2 >> 64);
        const op_bits bottom = x * y;
        high = w == 128 ? top : top << (128 - w) | bottom >> w;
    }
    if (is_signed && x >> (w - 1)) high -= y;
    if (is_signed && y >> (w - 1)) high -= x;
    return low_bits(high, w);
}
static op_bits table_of_bits(const struct evaluation *e) {
    op_bits result = 0;
    for (unsigned i = 0; i < e->types[0].bits; i++) {
        const unsigned at = (unsigned)(e->values[0] >> i & 1) << 2 | (unsigned)(e->values[1] >> i & 1) << 1 |
                            (unsigned)(e->values[2] >> i & 1);
        result |= (e->values[3] >> at & 1) << i;
    }
    return result;
}
static op_bits bytes_chosen(const struct evaluation *e) {
    const op_bits from = e->values[0] << 32 | e->values[1];
    op_bits result = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned n = (unsigned)(e->values[2] >> 8 * i) & 255;
        const unsigned byte = n < 8    ? (unsigned)(from >> 8 * n) & 255
                              : n < 12 ? (from >> (16 * (n - 8) + 15) & 1 ? 255 : 0)
                              : n > 12 ? 255
                                       : 0;
        result |= (op_bits)byte << 8 * i;
    }
    return result;
}

// ---- Formats of floats ----

static const struct format {
    uint8_t exponent, fraction; // bits
} formats[] = {[VALUE_F16] = {5, 10}, [VALUE_BF16] = {8, 7}, [VALUE_F32] = {8, 23}, [VALUE_F64] = {11, 52}};

static bool flushes(const struct evaluation *e, unsigned kind) {
    return kind == VALUE_F32 ? e->mode->flush32 : kind != VALUE_BF16 && e->mode->flush16_64;
}
static op_bits infinity_of(unsigned kind) {
    return (((op_bits)1 << formats[kind].exponent) - 1) << formats[kind].fraction;
}
static op_bits quiet_bit(unsigned kind) { return (op_bits)1 << (formats[kind].fraction - 1); }
static op_bits sign_bit(unsigned kind) {
    return (op_bits)1 << (formats[kind].exponent + formats[kind].fraction);
}
static op_bits magnitude_of(unsigned kind, op_bits v) { return v & (sign_bit(kind) - 1); }
static bool is_nan(unsigned kind, op_bits v) { return magnitude_of(kind, v) > infinity_of(kind); }
static bool is_signalling(unsigned kind, op_bits v) { return is_nan(kind, v) && !(v & quiet_bit(kind)); }
static bool is_denormal(unsigned kind, op_bits v) {
    return magnitude_of(kind, v) && !(v & infinity_of(kind));
}
static op_bits flushed(const struct evaluation *e, unsigned kind, op_bits v) {
    return flushes(e, kind) && is_denormal(kind, v) ? v & sign_bit(kind) : v;
}

static double double_of(unsigned kind, op_bits v) {
    const struct format f = formats[kind];
    const op_bits fraction = low_bits(v, f.fraction);
    const int exponent = (int)low_bits(v >> f.fraction, f.exponent), bias = (1 << (f.exponent - 1)) - 1;
    double d;
    if (is_nan(kind, v))
        d = NAN;
    else if (magnitude_of(kind, v) == infinity_of(kind))
        d = INFINITY;
    else
        d = ldexp((double)(uint64_t)(exponent ? fraction | (op_bits)1 << f.fraction : fraction),
                  (exponent ? exponent : 1) - bias - f.fraction);
    return v & sign_bit(kind) ? -d : d;
}
enum rounding { NEAREST, NEAREST_FLUSHED, TOWARD_ZERO };

// The float next to magnitude * 2^scale: to nearest even, or toward zero. NEAREST_FLUSHED gives zero for what
// is below the least normal number when it is rounded as if exponents had no lower limit.
static op_bits float_of(unsigned kind, bool negative, op_bits magnitude, int scale, enum rounding rounding) {
    const struct format f = formats[kind];
    const op_bits sign = negative ? sign_bit(kind) : 0;
    if (!magnitude) return sign;
    const int bias = (1 << (f.exponent - 1)) - 1, top = top_of(magnitude) + scale;
    int exponent = top < 1 - bias && rounding != NEAREST_FLUSHED ? 1 - bias : top;
    const int drop = exponent - f.fraction - scale; // bits of the magnitude below the last place
    op_bits kept, rest = 0, half = 1;
    if (drop <= 0)
        kept = magnitude << -drop;
    else if (drop > 127)
        kept = 0, rest = 1, half = 2;
    else {
        kept = magnitude >> drop;
        rest = low_bits(magnitude, (unsigned)drop);
        half = (op_bits)1 << (drop - 1);
    }
    if (rounding != TOWARD_ZERO && (rest > half || (rest == half && kept & 1))) kept++;
    if (kept >> (f.fraction + 1)) kept >>= 1, exponent++;
    if (exponent < 1 - bias) return sign;
    if (exponent > bias) return sign | (rounding == TOWARD_ZERO ? infinity_of(kind) - 1 : infinity_of(kind));
    return sign | (kept >> f.fraction ? ((op_bits)(exponent + bias - 1) << f.fraction) + kept : kept);
}
static op_bits float_rounded(unsigned kind, double d, enum rounding rounding) {
    if (isnan(d)) return infinity_of(kind) | quiet_bit(kind);
    if (isinf(d)) return (signbit(d) ? sign_bit(kind) : 0) | infinity_of(kind);
    int scale;
    const double fraction = frexp(fabs(d), &scale);
    return float_of(kind, signbit(d), (op_bits)ldexp(fraction, 53), scale - 53, rounding);
}
static op_bits float_bits(unsigned kind, double d) { return float_rounded(kind, d, NEAREST); }
// A NaN in another format: its upper bits, quiet.
static op_bits nan_as(unsigned from, unsigned to, op_bits v) {
    const int shift = formats[to].fraction - formats[from].fraction;
    const op_bits fraction = low_bits(v, formats[from].fraction);
    return (v & sign_bit(from) ? sign_bit(to) : 0) | infinity_of(to) | quiet_bit(to) |
           (shift < 0 ? fraction >> -shift : fraction << shift);
}

// ---- Operations on floats that are more than an expression ----

static unsigned kind_of(const struct evaluation *e) { return e->types[0].kind; }
static double number(const struct evaluation *e, unsigned n) {
    return double_of(e->types[n].kind, flushed(e, e->types[n].kind, e->values[n]));
}
// Rounded to odd in double, so that rounding it once more gives the float next to the exact sum.
static double fused(const struct evaluation *e, double a, double b, double c) {
    if (kind_of(e) == VALUE_F64) return fma(a, b, c);
    const double product = a * b; // exact: significands have at most 24 bits
    const double sum = product + c;
    if (!isfinite(sum) || product == 0 || c == 0 || sum == 0) return sum;
    const double part = sum - product, lost = (product - (sum - part)) + (c - part);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (lost != 0 && !(bits & 1)) bits += (lost > 0) == (sum > 0) ? 1 : -1ull;
    double odd;
    memcpy(&odd, &bits, sizeof odd);
    return odd;
}
// A result, exact or rounded to odd. Denormals of 16 bits become zero after rounding, others as
// NEAREST_FLUSHED says.
static op_bits finished(const struct evaluation *e, unsigned kind, double exact) {
    const bool before = flushes(e, kind) && kind != VALUE_F16;
    return flushed(e, kind, float_rounded(kind, exact, before ? NEAREST_FLUSHED : NEAREST));
}
// The first NaN of so many operands, quiet, or 0.
static op_bits first_nan(const struct evaluation *e, unsigned count, unsigned to) {
    for (unsigned i = 0; i < count; i++)
        if (is_nan(e->types[i].kind, e->values[i])) return nan_as(e->types[i].kind, to, e->values[i]);
    return 0;
}
static op_bits legacy_product(const struct evaluation *e) {
    const double a = number(e, 0), b = number(e, 1);
    const op_bits nan = first_nan(e, 2, kind_of(e));
    if (a == 0 || b == 0) return 0;
    return nan ? nan : finished(e, kind_of(e), a * b);
}
static op_bits legacy_fma(const struct evaluation *e) {
    const double a = number(e, 0), b = number(e, 1), c = number(e, 2);
    const unsigned kind = kind_of(e);
    const op_bits nan = first_nan(e, 3, kind);
    if ((a == 0 || b == 0) && !isnan(c)) return finished(e, kind, c);
    return nan ? nan : finished(e, kind, fused(e, a, b, c));
}

enum nan_rule { NAN_BY_KIND, NAN_LOSES, NAN_WINS };
static op_bits lesser_of(const struct evaluation *e, op_bits x, op_bits y, enum nan_rule rule, bool greater) {
    const unsigned kind = kind_of(e);
    const bool signalling = is_signalling(kind, x) || is_signalling(kind, y);
    const bool x_nan = is_nan(kind, x), y_nan = is_nan(kind, y);
    if ((x_nan || y_nan) && (rule == NAN_WINS || (rule == NAN_BY_KIND && signalling) || (x_nan && y_nan)))
        return (x_nan ? x : y) | quiet_bit(kind);
    if (x_nan) return y;
    if (y_nan) return x;
    const double a = double_of(kind, x), b = double_of(kind, y);
    const bool first = a < b || (a == b && signbit(a));
    return first != greater ? x : y;
}
static op_bits lesser(const struct evaluation *e, enum nan_rule rule, bool greater) {
    const unsigned kind = kind_of(e);
    return lesser_of(e, flushed(e, kind, e->values[0]), flushed(e, kind, e->values[1]), rule, greater);
}
static op_bits middle(const struct evaluation *e) {
    const unsigned kind = kind_of(e);
    const enum nan_rule rule = e->mode->ieee ? NAN_BY_KIND : NAN_LOSES;
    const op_bits x = flushed(e, kind, e->values[0]), y = flushed(e, kind, e->values[1]),
                  z = flushed(e, kind, e->values[2]), least = lesser_of(e, x, y, rule, false);
    if (is_nan(kind, x) || is_nan(kind, y) || is_nan(kind, z)) return lesser_of(e, least, z, rule, false);
    return lesser_of(e, least, lesser_of(e, lesser_of(e, x, y, rule, true), z, rule, false), rule, true);
}
static op_bits fraction_of(const struct evaluation *e) {
    const unsigned kind = kind_of(e);
    const double x = number(e, 0),
                 below = double_of(kind, float_of(kind, false, ~(op_bits)0, -128, TOWARD_ZERO));
    const op_bits nan = first_nan(e, 1, kind);
    if (nan) return nan;
    const double fraction = x - floor(x);
    return finished(e, kind, fraction > below ? below : fraction);
}
static op_bits significand_of(const struct evaluation *e) {
    const unsigned kind = kind_of(e);
    const double x = number(e, 0);
    int exponent;
    if (!isfinite(x) || x == 0) return flushed(e, kind, e->values[0]); // a NaN stays as it is
    return float_bits(kind, frexp(x, &exponent));
}
static op_bits exponent_of(const struct evaluation *e) {
    const double x = number(e, 0);
    int exponent = 0;
    if (isfinite(x) && x != 0) (void)frexp(x, &exponent);
    return (op_bits)(op_signed)exponent;
}
static op_bits scaled(const struct evaluation *e) {
    const unsigned kind = kind_of(e);
    const op_signed by = signed_bits(e->values[1], e->types[1].bits);
    const op_bits nan = first_nan(e, 1, kind);
    if (nan) return nan;
    const int places = by < -4000 ? -4000 : by > 4000 ? 4000 : (int)by;
    int exponent;
    const double x = number(e, 0), fraction = frexp(x, &exponent);
    const bool tiny = kind == VALUE_F64 && flushes(e, kind) && isfinite(x) && exponent + places < -1021;
    return finished(e, kind, tiny ? copysign(0, fraction) : ldexp(x, places));
}
static double to_even(double x) { return nearbyint(x); }
// Bit numbers of v_cmp_class_f32.
static unsigned class_of(const struct evaluation *e) {
    const unsigned kind = kind_of(e);
    const op_bits v = e->values[0];
    const bool negative = v & sign_bit(kind);
    if (is_nan(kind, v)) return is_signalling(kind, v) ? 0 : 1;
    const unsigned size = magnitude_of(kind, v) == infinity_of(kind) ? 0
                          : !magnitude_of(kind, v)                   ? 3
                          : is_denormal(kind, v)                     ? 2
                                                                     : 1;
    return negative ? 2 + size : 9 - size;
}
static op_bits to_integer(const struct evaluation *e, bool is_signed) {
    const double x = trunc(number(e, 0));
    const unsigned r = e->result.bits;
    if (isnan(x)) return 0;
    if (x < (is_signed ? -ldexp(1, (int)r - 1) : 0)) return is_signed ? (op_bits)1 << (r - 1) : 0;
    if (x >= ldexp(1, (int)r - is_signed)) return is_signed ? most_signed(r) : ~(op_bits)0;
    return x < 0 ? -(op_bits)-x : (op_bits)x;
}
static op_bits from_integer(const struct evaluation *e, bool is_signed) {
    const op_bits v = e->values[0];
    const bool negative = is_signed && v >> (e->types[0].bits - 1) & 1;
    return float_of(e->result.kind, negative, negative ? low_bits(-v, e->types[0].bits) : v, 0, NEAREST);
}
static op_bits toward_zero(const struct evaluation *e) {
    const double x = number(e, 0);
    const unsigned kind = e->result.kind;
    const op_bits nan = first_nan(e, 1, kind);
    if (nan) return nan;
    return flushed(e, kind, float_rounded(kind, x, TOWARD_ZERO));
}
static op_bits normalized(const struct evaluation *e, bool is_signed) {
    const double x = number(e, 0), most = ldexp(1, (int)e->result.bits - is_signed) - 1;
    if (isnan(x)) return 0;
    const double limited = x > 1 ? 1 : x < (is_signed ? -1 : 0) ? (is_signed ? -1 : 0) : x;
    return (op_bits)(op_signed)nearbyint(limited * most);
}

// ---- One operation ----

// True if a result of 64 bits, which the host rounded to the least normal number, is below it when exponents
// have no lower limit. One operand is moved up, so that nothing is lost.
static bool was_tiny(const struct evaluation *e) {
    const double up = 0x1p100, least = 0x1p-1022 * up, x = number(e, 0);
    const double y = e->op == OP_fmul || e->op == OP_fdiv || e->op == OP_fma ? number(e, 1) : 1;
    const bool first = fabs(x) < 1;
    switch ((int)e->op) {
    case OP_fmul: return fabs(first ? x * up * y : x * (y * up)) < least;
    case OP_fdiv: return fabs(first ? x * up / y : x / (y / up)) < least;
    case OP_fma: return fabs(fma(first ? x * up : x, first ? y : y * up, number(e, 2) * up)) < least;
    default: return false;
    }
}
// What FLOAT types have in common: NaN of operands, and rounding.
static op_bits rounded(const struct evaluation *e, unsigned count, double exact) {
    const unsigned kind = e->result.kind;
    const op_bits nan = first_nan(e, count, kind);
    if (nan) return nan;
    if (kind == VALUE_F64 && flushes(e, kind) && fabs(exact) == 0x1p-1022 && was_tiny(e))
        exact = copysign(0, exact);
    return finished(e, kind, exact);
}
static bool is_float_type(struct value_type t) { return t.kind != VALUE_INT; }

bool operation_evaluate(enum operation op, const struct operation_mode *mode, struct value_type result,
                        const struct value_type *types, const op_bits *values, unsigned count, op_bits *out) {
    const struct operation_info *info = &table[op];
    if (!info->evaluates || count != info->operands) return false;
    struct evaluation evaluation = {op, mode, result, types, {0}}, *e = &evaluation;
    for (unsigned i = 0; i < count; i++) e->values[i] = values[i];
    const op_bits x = e->values[0], y = e->values[1], z = e->values[2];
    const unsigned w = types[0].bits, r = result.bits;
    const op_signed sx = signed_bits(x, w), sy = count > 1 ? signed_bits(y, types[1].bits) : 0,
                    sz = count > 2 ? signed_bits(z, types[2].bits) : 0;
    const double fx = is_float_type(types[0]) ? number(e, 0) : 0,
                 fy = count > 1 && is_float_type(types[1]) ? number(e, 1) : 0,
                 fz = count > 2 && is_float_type(types[2]) ? number(e, 2) : 0;
    const bool rounds =
        info->types == TYPES_FLOAT || info->types == TYPES_FLOAT_ROUND || info->types == TYPES_FLOAT_TO_FLOAT;
    op_bits bits = 0;
    double exact = 0;
    // An expression is the result's bits, or a float to be rounded to them.
    switch (op) {
#define NONE 0
#define OP(name, operands, types, properties, evaluator)                                                     \
    case OP_##name:                                                                                          \
        if (TYPES_##types == TYPES_FLOAT || TYPES_##types == TYPES_FLOAT_ROUND ||                            \
            TYPES_##types == TYPES_FLOAT_TO_FLOAT)                                                           \
            exact = (double)(evaluator);                                                                     \
        else                                                                                                 \
            bits = (op_bits)(evaluator);                                                                     \
        break;
#include "isa/operations.def"
    case OPERATIONS: return false;
    }
    *out = low_bits(rounds ? rounded(e, count, exact) : bits, r);
    return true;
}
