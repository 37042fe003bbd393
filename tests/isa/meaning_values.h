// SPDX-License-Identifier: MIT
// Values of the meaning language (src/isa/meaning_rules.def): exact integers, and floats of any format.
// Written apart from the software GPU's own arithmetic, in doubles and 128-bit integers.
#ifndef TESTS_MEANING_VALUES_H
#define TESTS_MEANING_VALUES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 wide;

enum float_format { NO_FLOAT, F16_, BF16_, F32_, F64_, FP8_, BF8_, FP6_, BF6_, FP4_, XF32_, EXACT_ };
// `special`: 0 infinity and NaN at the top, 1 all ones is NaN, 2 the code of -0 is NaN, 3 neither.
static const struct float_shape {
    int exponent, mantissa, bias, special;
} float_shapes[] = {[F16_] = {5, 10, 15, 0},    [BF16_] = {8, 7, 127, 0},    [F32_] = {8, 23, 127, 0},
                    [F64_] = {11, 52, 1023, 0}, [FP8_] = {4, 3, 7, 1},       [BF8_] = {5, 2, 15, 0},
                    [FP6_] = {2, 3, 1, 3},      [BF6_] = {3, 2, 3, 3},       [FP4_] = {2, 1, 1, 3},
                    [XF32_] = {8, 10, 127, 0},  [EXACT_] = {11, 52, 1023, 0}};
// The first kind of 8-bit floats, of some processors.
static const struct float_shape fnuz_shapes[] = {[FP8_] = {4, 3, 8, 2}, [BF8_] = {5, 2, 16, 2}};
static bool meaning_fnuz;

static inline struct float_shape shape_of(enum float_format f) {
    return meaning_fnuz && (f == FP8_ || f == BF8_) ? fnuz_shapes[f] : float_shapes[f];
}
static inline int float_bits(enum float_format f) {
    return 1 + float_shapes[f].exponent + float_shapes[f].mantissa;
}

struct value {
    enum float_format f; // NO_FLOAT: an integer
    wide i;
    double d;        // every format's numbers are doubles
    bool signalling; // of a NaN
    bool has_code;   // the bits that the value came from; they tell NaNs apart
    uint64_t code;
    bool tiny; // of 32 bits: below the least normal number before it was rounded to that
};
static inline struct value integer(wide i) { return (struct value){.i = i}; }
static inline double as_double(uint64_t bits) {
    double d;
    memcpy(&d, &bits, 8);
    return d;
}
static inline uint64_t double_bits(double d) {
    uint64_t bits;
    memcpy(&bits, &d, 8);
    return bits;
}

static inline struct value float_of_bits(enum float_format f, uint64_t code) {
    const struct float_shape s = shape_of(f);
    const uint64_t fraction = code & ((1ull << s.mantissa) - 1), top = (1ull << s.exponent) - 1;
    const uint64_t exponent = code >> s.mantissa & top;
    const bool negative = code >> (s.exponent + s.mantissa) & 1;
    struct value v = {.f = f, .has_code = true, .code = code};
    if ((s.special == 0 && exponent == top && fraction) ||
        (s.special == 1 && exponent == top && fraction == (1ull << s.mantissa) - 1) ||
        (s.special == 2 && negative && !exponent && !fraction)) {
        v.d = negative ? -NAN : NAN;
        v.signalling = s.special == 0 && !(fraction >> (s.mantissa - 1) & 1);
        return v;
    }
    if (s.special == 0 && exponent == top)
        v.d = INFINITY;
    else
        v.d = ldexp((double)(exponent ? fraction | 1ull << s.mantissa : fraction),
                    (int)(exponent ? exponent : 1) - s.bias - s.mantissa);
    if (negative) v.d = -v.d;
    return v;
}

enum rounding { TO_EVEN, TO_ZERO, BY_RANDOM };
// (-1)^negative m 2^e, not zero, to the format: a rule of its own for every rounding.
static inline uint64_t round_exact(enum float_format f, bool negative, unsigned __int128 m, int e,
                                   enum rounding how, uint32_t random) {
    const struct float_shape s = shape_of(f);
    const uint64_t all = (1ull << (s.exponent + s.mantissa)) - 1, infinity = all >> s.mantissa << s.mantissa;
    const uint64_t most = s.special == 0 ? infinity - 1 : s.special == 1 ? all - 1 : all;
    const uint64_t sign = (uint64_t)negative << (s.exponent + s.mantissa);
    int top = 127;
    while (!(m >> top & 1)) top--;
    int exponent = top + e < 1 - s.bias ? 1 - s.bias : top + e; // of the result's leading place
    const int drop = exponent - s.mantissa - e;                 // places of m below the last
    unsigned __int128 steps, rest = 0, half = 1;
    if (how == BY_RANDOM) {
        const int extra = 23 - s.mantissa; // further places that random bits are added to
        unsigned __int128 fine = drop - extra <= 0    ? m << (extra - drop)
                                 : drop - extra < 128 ? m >> (drop - extra)
                                                      : 0;
        if (extra > 0) fine += random >> (32 - extra);
        steps = fine >> extra;
    } else if (drop <= 0)
        steps = m << -drop;
    else if (drop > 127)
        steps = 0, rest = 1, half = 2;
    else {
        steps = m >> drop;
        rest = m & (((unsigned __int128)1 << drop) - 1);
        half = (unsigned __int128)1 << (drop - 1);
    }
    if (how == TO_EVEN && (rest > half || (rest == half && steps & 1))) steps++;
    if (steps >> (s.mantissa + 1)) steps >>= 1, exponent++;
    const uint64_t code = steps >> s.mantissa ? ((uint64_t)(exponent + s.bias) << s.mantissa) +
                                                    (uint64_t)(steps - ((unsigned __int128)1 << s.mantissa))
                                              : (uint64_t)steps;
    if (exponent + s.bias > 1 << s.exponent || code > most) {
        if (s.special == 3 || how == TO_ZERO) return sign | most;
        return s.special == 0 ? sign | infinity : s.special == 1 ? sign | all : all + 1;
    }
    return s.special == 2 && !code ? 0 : sign | code;
}
static inline uint64_t float_code(enum float_format f, double d, enum rounding how, uint32_t random) {
    const struct float_shape s = shape_of(f);
    const int width = s.exponent + s.mantissa;
    const uint64_t all = (1ull << width) - 1, infinity = all >> s.mantissa << s.mantissa;
    const uint64_t sign = (uint64_t)(signbit(d) != 0) << width;
    if (isnan(d))
        return s.special == 0   ? infinity | 1ull << (s.mantissa - 1)
               : s.special == 1 ? all
               : s.special == 2 ? all + 1
                                : sign | all;
    if (isinf(d))
        return s.special == 0   ? sign | infinity
               : s.special == 1 ? sign | all
               : s.special == 2 ? all + 1
                                : sign | all;
    if (d == 0) return s.special == 2 ? 0 : sign;
    int e;
    const double fraction = frexp(fabs(d), &e);
    return round_exact(f, signbit(d), (unsigned __int128)ldexp(fraction, 53), e - 53, how, random);
}
static inline struct value to_float(enum float_format f, double d) {
    if (f == EXACT_) return (struct value){.f = f, .d = d};
    return float_of_bits(f, float_code(f, d, TO_EVEN, 0));
}
// a * b + c in the format, rounded once. Exact by 128-bit integers where that fits; else what is far below
// the rest is only a sticky bit.
static inline struct value rounded(enum float_format f, double exact) {
    struct value v = to_float(f, exact);
    const double least = 0x1p-126;
    v.tiny = f == F32_ && fabs(exact) < least * (1 - 0x1p-25);
    return v;
}
static inline struct value fused(enum float_format f, double a, double b, double c) {
    if (f == F64_) return (struct value){.f = f, .d = fma(a, b, c)};
    const double p = a * b; // exact: the significands have at most 24 bits
    if (!isfinite(p) || !isfinite(c) || p == 0 || c == 0) return rounded(f, p + c);
    const double sum = p + c;
    if (sum == 0) return to_float(f, sum);
    // TwoSum: what the rounding of the sum lost becomes its last bit (round to odd).
    const double part = sum - p, lost = (p - (sum - part)) + (c - part);
    uint64_t bits = double_bits(sum);
    if (lost != 0 && !(bits & 1)) bits += (lost > 0) == (sum > 0) ? 1 : -1ull;
    return rounded(f, as_double(bits));
}
static bool meaning_flushes; // additions take and give zero for denormals
// Correctly rounded for floats up to 32 bits, and the host's own for 64.
static inline struct value added(enum float_format f, double a, double b) {
    if (!meaning_flushes) return fused(f, a, 1, b);
    const double least = ldexp(1, 1 - float_shapes[f].bias);
    struct value v = fused(f, fabs(a) < least ? copysign(0, a) : a, 1, fabs(b) < least ? copysign(0, b) : b);
    return fabs(v.d) < least ? (struct value){.f = f, .d = copysign(0, v.d)} : v;
}

#endif
