// SPDX-License-Identifier: MIT
// 16-bit floats, to nearest even, without a type for them, which not every compiler has.
#ifndef TERASCALE_HALF_H
#define TERASCALE_HALF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t half_of(float f) {
    uint32_t v;
    memcpy(&v, &f, sizeof v);
    const uint32_t sign = v >> 16 & 0x8000, rest = v & 0x7fffffff;
    if (rest > 0x7f800000) return (uint16_t)(sign | 0x7e00 | (rest >> 13 & 0x1ff)); // NaN, made quiet
    if (rest >= 0x477ff000) return (uint16_t)(sign | 0x7c00);                       // rounds beyond 65504
    if (rest < 0x38800000) // a multiple of 2^-24, which rounding to an integer finds
        return (uint16_t)(sign | (uint32_t)rintf(fabsf(f) * 16777216.0f));
    const uint32_t odd = rest >> 13 & 1;
    return (uint16_t)(sign | ((rest + 0xfff + odd - 0x38000000) >> 13));
}

static inline float of_half(uint16_t h) {
    const int exponent = h >> 10 & 31, mantissa = h & 0x3ff;
    const float f = exponent == 31 ? mantissa ? NAN : INFINITY
                    : exponent     ? ldexpf((float)(mantissa | 0x400), exponent - 25)
                                   : ldexpf((float)mantissa, -24);
    uint32_t v = (uint32_t)h << 13 | 0x7fc00000; // a NaN keeps its payload
    float nan;
    v &= 0x7fffffff;
    memcpy(&nan, &v, sizeof nan);
    return copysignf(exponent == 31 && mantissa ? nan : f, h & 0x8000 ? -1.0f : 1.0f);
}

#endif
