// SPDX-License-Identifier: MIT
// Floating-point formats of few bits, and of many: any of them to any other, scaled by a power of two and
// rounded once, to nearest even or by random bits. Integers only, so that MODE and the host change nothing.
#ifndef EXEC_BODY_SMALL_H
#define EXEC_BODY_SMALL_H

#include <stdbool.h>
#include <stdint.h>

enum small_kind {
    SMALL_IEEE,   // the top exponent is infinity and NaN
    SMALL_FN,     // all ones is NaN; no infinity
    SMALL_FNUZ,   // the code of -0 is NaN; no infinity, no -0
    SMALL_FINITE, // neither NaN nor infinity
};
struct small_format {
    uint8_t exponent, mantissa, kind;
    int16_t bias;
};
enum small_name {
    FORMAT_F32,
    FORMAT_F16,
    FORMAT_BF16,
    FORMAT_FP8, // OCP (TRAP-166)
    FORMAT_BF8,
    FORMAT_FP8_FNUZ, // as FP8 and BF8 were first (TRAP-165)
    FORMAT_BF8_FNUZ,
    FORMAT_FP6, // TRAP-167
    FORMAT_BF6,
    FORMAT_FP4,
};
static const struct small_format small_formats[] = {
    [FORMAT_F32] = {8, 23, SMALL_IEEE, 127},    [FORMAT_F16] = {5, 10, SMALL_IEEE, 15},
    [FORMAT_BF16] = {8, 7, SMALL_IEEE, 127},    [FORMAT_FP8] = {4, 3, SMALL_FN, 7},
    [FORMAT_BF8] = {5, 2, SMALL_IEEE, 15},      [FORMAT_FP8_FNUZ] = {4, 3, SMALL_FNUZ, 8},
    [FORMAT_BF8_FNUZ] = {5, 2, SMALL_FNUZ, 16}, [FORMAT_FP6] = {2, 3, SMALL_FINITE, 1},
    [FORMAT_BF6] = {3, 2, SMALL_FINITE, 3},     [FORMAT_FP4] = {2, 1, SMALL_FINITE, 1},
};
static inline unsigned small_bits(unsigned name) {
    return 1u + small_formats[name].exponent + small_formats[name].mantissa;
}

// (-1)^sign m 2^e, or no number.
struct small_value {
    bool sign, infinite, nan;
    uint32_t m;
    int e;
};

static inline struct small_value small_decode(unsigned name, uint32_t code) {
    const struct small_format f = small_formats[name];
    const uint32_t magnitude = code & ((1u << (f.exponent + f.mantissa)) - 1);
    const uint32_t exponent = magnitude >> f.mantissa, fraction = magnitude & ((1u << f.mantissa) - 1);
    const uint32_t top = (1u << f.exponent) - 1, all = (1u << (f.exponent + f.mantissa)) - 1;
    struct small_value v = {.sign = code >> (f.exponent + f.mantissa) & 1};
    if (f.kind == SMALL_IEEE && exponent == top) {
        v.nan = fraction != 0;
        v.infinite = !fraction;
    } else if (f.kind == SMALL_FN && magnitude == all) {
        v.nan = true;
    } else if (f.kind == SMALL_FNUZ && v.sign && !magnitude) {
        v.nan = true;
        v.sign = false;
    } else {
        v.m = exponent ? fraction | 1u << f.mantissa : fraction;
        v.e = (int)(exponent ? exponent : 1) - f.bias - f.mantissa;
    }
    return v;
}

enum { SMALL_SATURATE = 1, SMALL_STOCHASTIC = 2 };
// `flags`: overflow gives the largest number (what has no other choice does so anyway); round by the top bits
// of `random` (TRAP-178), which are added below the last place.
static inline uint32_t small_encode(unsigned name, struct small_value v, unsigned flags, uint32_t random) {
    const struct small_format f = small_formats[name];
    const unsigned width = (unsigned)f.exponent + f.mantissa;
    const uint32_t sign = (uint32_t)v.sign << width, all = (1u << width) - 1;
    const uint32_t infinity = all & ~((1u << f.mantissa) - 1);
    const uint32_t most = f.kind == SMALL_IEEE ? infinity - 1 : f.kind == SMALL_FN ? all - 1 : all;
    if (v.nan) switch (f.kind) {
        case SMALL_IEEE: return sign | infinity | 1u << (f.mantissa - 1);
        case SMALL_FN: return sign | all;
        case SMALL_FNUZ: return 1u << width;
        default: return sign | most;
        }
    bool overflow = v.infinite;
    uint64_t code = 0;
    if (!overflow && v.m) {
        const int top = 31 - __builtin_clz(v.m) + v.e, least = 1 - f.bias;
        const int exponent = top < least ? least : top;
        const int shift = exponent - f.mantissa - v.e; // of the last place below bit 0 of m
        uint64_t steps = 0;
        if (flags & SMALL_STOCHASTIC) {
            const unsigned drop = 23u - f.mantissa;
            const uint64_t wide = (uint64_t)v.m << drop;
            uint64_t fixed = shift <= 0 ? wide << -shift : shift < 64 ? wide >> shift : 0;
            if (drop) fixed += random >> (32 - drop);
            steps = fixed >> drop;
        } else if (shift <= 0) {
            steps = (uint64_t)v.m << -shift;
        } else if (shift < 40) {
            const uint64_t half = 1ull << (shift - 1), rest = v.m & ((1ull << shift) - 1);
            steps = (uint64_t)v.m >> shift;
            if (rest > half || (rest == half && steps & 1)) steps++;
        }
        code = exponent > 1000 ? all + 1ull : steps + ((uint64_t)(exponent + f.bias - 1) << f.mantissa);
        overflow = code > most;
    }
    if (overflow) {
        if (f.kind == SMALL_FINITE || flags & SMALL_SATURATE) return sign | most;
        return f.kind == SMALL_IEEE ? sign | infinity : f.kind == SMALL_FN ? sign | all : 1u << width;
    }
    return f.kind == SMALL_FNUZ && !code ? 0 : sign | (uint32_t)code;
}

#endif
