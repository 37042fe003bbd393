// SPDX-License-Identifier: MIT
// 16-bit floats without a type for them, which not every compiler has. A NaN becomes quiet and keeps its
// payload.
#ifndef TEXEL_HALF_H
#define TEXEL_HALF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t float_bits(float f) {
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}
static inline float bits_float(uint32_t u) {
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

// To nearest even.
static inline uint16_t half_of(float f) {
    const uint32_t v = float_bits(f), sign = v >> 16 & 0x8000, rest = v & 0x7fffffff;
    if (rest > 0x7f800000) return (uint16_t)(sign | 0x7e00 | (rest >> 13 & 0x1ff)); // NaN
    if (rest >= 0x477ff000) return (uint16_t)(sign | 0x7c00);                       // rounds beyond 65504
    if (rest < 0x38800000) // a multiple of 2^-24, which rounding to an integer finds
        return (uint16_t)(sign | (uint32_t)rintf(fabsf(f) * 16777216.0f));
    const uint32_t odd = rest >> 13 & 1;
    return (uint16_t)(sign | ((rest + 0xfff + odd - 0x38000000) >> 13));
}

static inline uint16_t half_toward_zero(float f) {
    const uint32_t v = float_bits(f), sign = v >> 16 & 0x8000, rest = v & 0x7fffffff, e = rest >> 23;
    if (rest > 0x7f800000) return (uint16_t)(sign | 0x7e00 | (rest >> 13 & 0x1ff)); // NaN
    if (rest == 0x7f800000) return (uint16_t)(sign | 0x7c00);
    if (rest >= 0x47800000) return (uint16_t)(sign | 0x7bff); // the largest
    if (e >= 113) return (uint16_t)(sign | (rest - (112u << 23)) >> 13);
    if (e < 102) return (uint16_t)sign;
    return (uint16_t)(sign | ((rest & 0x7fffff) | 0x800000) >> (126 - e));
}

static inline float of_half(uint16_t h) {
    const uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3ff;
    if (e == 31) return bits_float(sign | 0x7f800000 | m << 13 | (m ? 0x400000 : 0));
    if (e) return bits_float(sign | (e + 112) << 23 | m << 13);
    return bits_float(sign | float_bits((float)m * 0x1p-24f));
}

#endif
