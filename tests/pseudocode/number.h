// SPDX-License-Identifier: MIT
// Floating-point numbers of the interpreter of the manuals' pseudo-code. Every operation is computed in 113
// bits with the last bit standing for all that was cut off ("round to odd"), and then rounded once to its
// format. Formats have at most 53 bits, so the result is the correctly rounded one (Boldo and Melquiond,
// 2008).
#ifndef TESTS_PSEUDOCODE_NUMBER_H
#define TESTS_PSEUDOCODE_NUMBER_H

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__clang__)
typedef __float128 real;
#else
typedef _Float128 real;
#endif
typedef unsigned __int128 wide;
typedef __int128 swide;

enum fmt { F16, BF16, F32, F64, FP8, BF8, FNUZ8, BFNUZ8, FP6, BF6, FP4, REAL, FMTS };
enum rounding { TO_EVEN, UPWARDS, DOWNWARDS, TO_ZERO };

// How a format treats its largest exponent: IEEE; one NaN with all ones; no NaN at all; the code of -0 is
// NaN.
enum top { TOP_IEEE, TOP_ONE_NAN, TOP_NUMBERS, TOP_MINUS_ZERO };
static const struct {
    uint8_t bits, exponent, mantissa;
    int16_t bias;
    enum top top;
} fmt_facts[FMTS] = {
    [F16] = {16, 5, 10, 15, TOP_IEEE},      [BF16] = {16, 8, 7, 127, TOP_IEEE},
    [F32] = {32, 8, 23, 127, TOP_IEEE},     [F64] = {64, 11, 52, 1023, TOP_IEEE},
    [FP8] = {8, 4, 3, 7, TOP_ONE_NAN},      [BF8] = {8, 5, 2, 15, TOP_IEEE},
    [FNUZ8] = {8, 4, 3, 8, TOP_MINUS_ZERO}, [BFNUZ8] = {8, 5, 2, 16, TOP_MINUS_ZERO},
    [FP6] = {6, 2, 3, 1, TOP_NUMBERS},      [BF6] = {6, 3, 2, 3, TOP_NUMBERS},
    [FP4] = {4, 2, 1, 1, TOP_NUMBERS},      [REAL] = {128, 15, 112, 16383, TOP_IEEE},
};

static inline wide real_bits(real x) {
    wide b;
    memcpy(&b, &x, sizeof b);
    return b;
}
static inline real bits_real(wide b) {
    real x;
    memcpy(&x, &b, sizeof x);
    return x;
}
static inline bool real_is_nan(real x) { return x != x; }
static inline bool real_is_inf(real x) { return (real_bits(x) << 1) == (wide)0x7fff << 113; }
static inline bool real_sign(real x) { return real_bits(x) >> 127; }
static inline real real_abs(real x) { return bits_real(real_bits(x) << 1 >> 1); }
static inline real real_neg(real x) { return bits_real(real_bits(x) ^ (wide)1 << 127); }
static inline real real_infinity(bool minus) { return bits_real(((wide)minus << 127) | (wide)0x7fff << 112); }
// 2 to a power that is a normal number of 15 exponent bits.
static inline real real_power2(int n) { return bits_real((wide)(n + 16383) << 112); }

// ---- One operation, rounded to odd ----

enum operation { OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_FMA, OP_SQRT };
extern real sqrtf128(real);
__attribute__((noinline, unused)) static real to_odd(enum operation op, real a, real b, real c) {
    const int mode = fegetround();
    volatile real x = a, y = b, z = c, result = 0;
    fesetround(FE_TOWARDZERO);
    feclearexcept(FE_ALL_EXCEPT);
    switch (op) {
    case OP_ADD: result = x + y; break;
    case OP_SUB: result = x - y; break;
    case OP_MUL: result = x * y; break;
    case OP_DIV: result = x / y; break;
    case OP_SQRT: result = sqrtf128(x); break;
    case OP_FMA: result = x * y; break; // of at most 53 bits each: exact
    }
    bool inexact = fetestexcept(FE_INEXACT);
    if (op == OP_FMA) {
        feclearexcept(FE_ALL_EXCEPT);
        result = result + z;
        inexact |= fetestexcept(FE_INEXACT) != 0;
    }
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(mode);
    real out = result;
    if (inexact && !real_is_nan(out) && !real_is_inf(out)) out = bits_real(real_bits(out) | 1);
    // A sum of opposite numbers is +0 but for rounding downwards; the caller knows the mode.
    return out;
}

// ---- Between codes and numbers ----

static inline uint64_t fmt_mask(enum fmt f) {
    return fmt_facts[f].bits == 64 ? ~0ull : (1ull << fmt_facts[f].bits) - 1;
}
static inline uint64_t fmt_sign(enum fmt f) { return 1ull << (fmt_facts[f].bits - 1); }
static inline unsigned fmt_exponent(enum fmt f, uint64_t code) {
    return (unsigned)(code >> fmt_facts[f].mantissa) & ((1u << fmt_facts[f].exponent) - 1);
}
static inline uint64_t fmt_mantissa(enum fmt f, uint64_t code) {
    return code & ((1ull << fmt_facts[f].mantissa) - 1);
}
static inline bool fmt_is_nan(enum fmt f, uint64_t code) {
    const unsigned top = (1u << fmt_facts[f].exponent) - 1;
    switch (fmt_facts[f].top) {
    case TOP_IEEE: return fmt_exponent(f, code) == top && fmt_mantissa(f, code);
    case TOP_ONE_NAN: return (code & ~fmt_sign(f) & fmt_mask(f)) == (fmt_mask(f) >> 1);
    case TOP_MINUS_ZERO: return (code & fmt_mask(f)) == fmt_sign(f);
    case TOP_NUMBERS: return false;
    }
    return false;
}
static inline bool fmt_is_inf(enum fmt f, uint64_t code) {
    return fmt_facts[f].top == TOP_IEEE && fmt_exponent(f, code) == (1u << fmt_facts[f].exponent) - 1 &&
           !fmt_mantissa(f, code);
}
static inline bool fmt_is_denormal(enum fmt f, uint64_t code) {
    return !fmt_exponent(f, code) && fmt_mantissa(f, code);
}
static inline uint64_t fmt_quiet_bit(enum fmt f) { return 1ull << (fmt_facts[f].mantissa - 1); }
static inline uint64_t fmt_infinity(enum fmt f) {
    return (uint64_t)((1u << fmt_facts[f].exponent) - 1) << fmt_facts[f].mantissa;
}
static inline uint64_t fmt_nan(enum fmt f) {
    if (fmt_facts[f].top == TOP_MINUS_ZERO) return fmt_sign(f);
    return fmt_facts[f].top == TOP_ONE_NAN ? fmt_mask(f) >> 1 : fmt_infinity(f) | fmt_quiet_bit(f);
}
static inline uint64_t fmt_largest(enum fmt f) {
    switch (fmt_facts[f].top) {
    case TOP_IEEE: return fmt_infinity(f) - 1;
    case TOP_ONE_NAN: return (fmt_mask(f) >> 1) - 1;
    default: return fmt_mask(f) >> 1;
    }
}
static inline real fmt_number(enum fmt f, uint64_t code) {
    const bool minus = code & fmt_sign(f);
    const int e = (int)fmt_exponent(f, code), m = fmt_facts[f].mantissa;
    real x;
    if (fmt_is_nan(f, code)) return bits_real((wide)0x7fff8 << 108);
    if (fmt_is_inf(f, code)) return real_infinity(minus);
    if (e)
        x = (real)(fmt_mantissa(f, code) | 1ull << m) * real_power2(e - fmt_facts[f].bias - m);
    else
        x = (real)fmt_mantissa(f, code) * real_power2(1 - fmt_facts[f].bias - m);
    return minus ? real_neg(x) : x;
}
static inline bool rounds_up(enum rounding mode, bool minus, bool odd,
                             int half) { // half: -1 below, 0 at, 1 above
    switch (mode) {
    case TO_EVEN: return half > 0 || (half == 0 && odd);
    case UPWARDS: return !minus;
    case DOWNWARDS: return minus;
    case TO_ZERO: return false;
    }
    return false;
}
// The code of a number, rounded; denormal results stay. What exceeds the format is infinity, or the largest
// number where the rounding says so; in formats without infinity it is `fmt_largest`.
static inline uint64_t fmt_code(enum fmt f, real x, enum rounding mode) {
    const bool minus = real_sign(x);
    const uint64_t sign = minus ? fmt_sign(f) : 0;
    if (real_is_nan(x)) return fmt_nan(f);
    const bool ieee = fmt_facts[f].top == TOP_IEEE;
    if (real_is_inf(x)) return sign | (ieee ? fmt_infinity(f) : fmt_largest(f));
    const wide b = real_bits(x);
    int e = (int)(uint32_t)(b >> 112 & 0x7fff);
    wide m = b & (((wide)1 << 112) - 1);
    if (!e && !m) return fmt_facts[f].top == TOP_MINUS_ZERO ? 0 : sign;
    if (e) m |= (wide)1 << 112;
    e = (e ? e : 1) - 16383 + fmt_facts[f].bias; // biased exponent in the format
    unsigned cut = 112 - fmt_facts[f].mantissa;
    if (e > 1 << fmt_facts[f].exponent) e = 1 << fmt_facts[f].exponent; // beyond any number
    if (e < 1) cut += (unsigned)(1 - e < 120 ? 1 - e : 120), e = 1;
    if (cut > 127) cut = 127;
    wide kept = m >> cut;
    const wide rest = m & (((wide)1 << cut) - 1), middle = (wide)1 << (cut - 1);
    if (rest && rounds_up(mode, minus, kept & 1, rest > middle ? 1 : rest == middle ? 0 : -1)) kept++;
    // The hidden bit of a normal number adds one to the exponent, and so does a carry out of the mantissa.
    const uint64_t code = ((uint64_t)(e - 1) << fmt_facts[f].mantissa) + (uint64_t)kept;
    if (code > fmt_largest(f)) {
        if (!ieee) return sign | fmt_largest(f);
        return sign | (mode == TO_EVEN || (mode == UPWARDS && !minus) || (mode == DOWNWARDS && minus)
                           ? fmt_infinity(f)
                           : fmt_largest(f));
    }
    return !code && fmt_facts[f].top == TOP_MINUS_ZERO ? 0 : sign | code;
}
// A NaN in another format keeps its sign and the bits of its payload from the top down, and whether it
// signals.
static inline uint64_t fmt_nan_as(enum fmt to, enum fmt from, uint64_t code) {
    if (fmt_facts[to].top != TOP_IEEE || fmt_facts[from].top != TOP_IEEE) return fmt_nan(to);
    const int shift = fmt_facts[to].mantissa - fmt_facts[from].mantissa;
    const uint64_t m = fmt_mantissa(from, code);
    uint64_t n = shift >= 0 ? m << shift : m >> -shift;
    if (!n) n = 1;
    return (code & fmt_sign(from) ? fmt_sign(to) : 0) | fmt_infinity(to) | n;
}

#endif
