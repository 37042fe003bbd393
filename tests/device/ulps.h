// SPDX-License-Identifier: MIT
// Transcendental operations of one operand, the exact function of each, and how far a result is from it, for
// the test that samples and the bench that measures all inputs. Exact values are the host's double functions,
// whose own error is below 2^-28 units of an F32.
#ifndef TESTS_ULPS_H
#define TESTS_ULPS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef double exact_fn(double);
static inline double exact_rcp(double v) { return 1 / v; }
static inline double exact_rsq(double v) { return 1 / sqrt(v); }
// Of turns. The reduction is exact, and symmetric, so that zeros are zeros.
static const double exact_turn = 6.283185307179586;
static inline double exact_sin(double v) {
    double r = v - rint(v);
    if (fabs(r) > 0.25) r = copysign(0.5, r) - r;
    return sin(r * exact_turn);
}
static inline double exact_cos(double v) {
    const double r = fabs(v - rint(v));
    return r > 0.125 && r < 0.375 ? sin((0.25 - r) * exact_turn)
           : r <= 0.125           ? cos(r * exact_turn)
                                  : -cos((0.5 - r) * exact_turn);
}

struct ulp_format {
    int bits, least; // of the significand, with the hidden one; the exponent of the last place of denormals
    double normal, largest, beyond; // the least normal number, the largest, and what would follow it
    bool flushes;                   // operations of it know no denormals
};
static const struct ulp_format ulp_f32 = {24, -149, 0x1p-126, 0x1.fffffep127, 0x1p128, true},
                               ulp_f16 = {11, -24, 0x1p-14, 65504, 65536, false},
                               ulp_bf16 = {8, -133, 0x1p-126, 0x1.fep127, 0x1p128, true},
                               ulp_f32_kept = {24, -149, 0x1p-126, 0x1.fffffep127, 0x1p128, false},
                               ulp_bf16_kept = {8, -133, 0x1p-126, 0x1.fep127, 0x1p128, false};

struct ulp_operation {
    const char *name; // of v_NAME_f32, v_NAME_f16 and v_NAME_bf16
    exact_fn *fn;
    bool keeps; // denormals
};
static const struct ulp_operation ulp_operations[] = {
    {"rcp", exact_rcp}, {"rsq", exact_rsq}, {"sqrt", sqrt},     {"exp", exp2},
    {"log", log2},      {"sin", exact_sin}, {"cos", exact_cos}, {"tanh", tanh, true},
};
enum { ULP_OPERATIONS = sizeof ulp_operations / sizeof *ulp_operations };

// The format as the operation sees it.
static inline const struct ulp_format *ulp_format_of(const struct ulp_operation *o,
                                                     const struct ulp_format *f) {
    return !o->keeps || !f->flushes ? f : f == &ulp_f32 ? &ulp_f32_kept : &ulp_bf16_kept;
}
static inline double ulp_value(const struct ulp_format *f, uint32_t bits) {
    const int exponents = f->bits == 11 ? 5 : 8, fraction = f->bits - 1;
    const uint32_t e = bits >> fraction & ((1u << exponents) - 1), m = bits & ((1u << fraction) - 1);
    double v;
    if (f->bits == 24) {
        float x;
        memcpy(&x, &bits, 4);
        v = x;
    } else
        v = e == (1u << exponents) - 1 ? (m ? NAN : INFINITY)
            : e                        ? ldexp(m + (1u << fraction), (int)e - 1 + f->least)
                                       : ldexp(m, f->least);
    if (f->bits != 24 && bits >> (fraction + exponents) & 1) v = -v;
    return v;
}
// What the operation sees of an operand.
static inline double ulp_operand(const struct ulp_format *f, uint32_t bits) {
    const double v = ulp_value(f, bits);
    return f->flushes && fabs(v) < f->normal ? copysign(0, v) : v;
}
// Units in the last place between a result and the exact value. Zero is right where the exact value is
// smaller than the least normal number of a format that is flushed, and infinity where rounding overflows.
static inline double ulp_distance(const struct ulp_format *f, double got, double want) {
    if (isnan(got) || isnan(want)) return isnan(got) && isnan(want) ? 0 : INFINITY;
    if (got == want) return 0;
    if (isinf(want)) return INFINITY;
    if (f->flushes && got == 0 && fabs(want) < f->normal) return 0;
    if (isinf(got) && fabs(want) >= (f->largest + f->beyond) / 2 && (got > 0) == (want > 0)) return 0;
    if (isinf(got)) got = copysign(f->beyond, got);
    uint64_t bits; // the exponent of `want`, which is no denormal of a double
    memcpy(&bits, &want, 8);
    int e = (int)(bits >> 52 & 2047) - 1022 - f->bits;
    if (e < f->least) e = f->least;
    bits = (uint64_t)(1023 - e) << 52;
    double scale;
    memcpy(&scale, &bits, 8);
    return fabs(got - want) * scale;
}

#endif
