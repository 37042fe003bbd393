// SPDX-License-Identifier: MIT
// Formats of typed buffers: how the components of an element lie in memory and convert to registers.
//
// A format is a data format (which bits) and a number format (what they mean), as GFX6 to GFX9 name them;
// later processors number the pairs, which format_of_number turns back. Names list components from the
// highest bits down: in 2_10_10_10, X is the low ten bits. Conversions expect the host to round to nearest
// and to keep denormals; F32 to shorter floats truncates whatever the host does (BUF-20, ERR-31).
#ifndef EXEC_BODY_FORMAT_H
#define EXEC_BODY_FORMAT_H

#include "exec/body/lanes.h"

enum number_format {
    NUMBER_UNORM,
    NUMBER_SNORM,
    NUMBER_USCALED,
    NUMBER_SSCALED,
    NUMBER_UINT,
    NUMBER_SINT,
    NUMBER_SNORM_OGL,
    NUMBER_FLOAT,
};
enum { DATA_INVALID = 0, DATA_8 = 1, DATA_32 = 4, DATA_FORMATS = 16 };

struct element_format {
    uint8_t data, number; // DATA_INVALID: there is no such format
};

// Component widths, X first.
static const uint8_t component_bits[DATA_FORMATS][4] = {
    {0},
    {8},
    {16},
    {8, 8},
    {32},
    {16, 16},
    {11, 11, 10},
    {10, 11, 11},
    {2, 10, 10, 10},
    {10, 10, 10, 2},
    {8, 8, 8, 8},
    {32, 32},
    {16, 16, 16, 16},
    {32, 32, 32},
    {32, 32, 32, 32},
    {0},
};
static inline unsigned element_bytes(unsigned data) {
    const uint8_t *b = component_bits[data];
    return (b[0] + b[1] + b[2] + b[3]) / 8u;
}

// Unified numbers: for each data format in turn, the number formats it comes in.
static inline struct element_format format_of_number(unsigned number, bool gfx11) {
    enum { U = 1 << NUMBER_UINT, S = 1 << NUMBER_SINT, F = 1 << NUMBER_FLOAT };
    enum { NORM = 1 << NUMBER_UNORM | 1 << NUMBER_SNORM };
    enum { SIX = NORM | 1 << NUMBER_USCALED | 1 << NUMBER_SSCALED | U | S, SEVEN = SIX | F };
    static const struct {
        uint8_t data, gfx10, gfx11;
    } groups[] = {
        {1, SIX, SIX},
        {2, SEVEN, SEVEN},
        {3, SIX, SIX},
        {4, U | S | F, U | S | F},
        {5, SEVEN, SEVEN},
        {6, SEVEN, F},
        {7, SEVEN, F},
        {8, SIX, NORM | U | S},
        {9, SIX, SIX},
        {10, SIX, SIX},
        {11, U | S | F, U | S | F},
        {12, SEVEN, SEVEN},
        {13, U | S | F, U | S | F},
        {14, U | S | F, U | S | F},
    };
    unsigned at = 1;
    for (unsigned g = 0; g < sizeof groups / sizeof *groups; g++)
        for (unsigned n = 0; n < 8; n++)
            if ((gfx11 ? groups[g].gfx11 : groups[g].gfx10) >> n & 1 && at++ == number)
                return (struct element_format){groups[g].data, (uint8_t)n};
    return (struct element_format){DATA_INVALID, 0};
}

static inline bool number_is_int(unsigned number) { return number == NUMBER_UINT || number == NUMBER_SINT; }
static inline uint32_t float_bits(float f) {
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}
static inline float bits_float(uint32_t u) {
    float f;
    memcpy(&f, &u, 4);
    return f;
}
// Toward zero with a sticky last bit, so that rounding once more is rounding once.
static inline float narrow_to_odd(double d) {
    float f = (float)d;
    if ((double)f == d || f != f) return f;
    uint32_t u = float_bits(f);
    if ((f < 0 ? -(double)f : (double)f) > (d < 0 ? -d : d)) u--;
    return bits_float(u | 1);
}

// The component as a register holds it: an integer, or F32, or, if `half`, F16.
static inline uint32_t load_component(uint32_t raw, unsigned bits, unsigned number, bool half) {
    const uint32_t all = bits == 32 ? ~0u : (1u << bits) - 1;
    raw &= all;
    const int32_t value = (int32_t)(raw << (32 - bits)) >> (32 - bits);
    double d;
    switch (number) {
    case NUMBER_UINT: return raw;
    case NUMBER_SINT: return (uint32_t)value;
    case NUMBER_FLOAT:
        if (bits == 32) return half ? f32_to_f16_toward_zero(bits_float(raw)) : raw;
        if (bits == 16) return half ? raw : float_bits(f16_to_f32((uint16_t)raw));
        if (bits != 10 && bits != 11) return 0;
        raw <<= 15 - bits; // no sign, five bits of exponent as F16 has
        return half ? raw : float_bits(f16_to_f32((uint16_t)raw));
    case NUMBER_UNORM: d = (double)raw / all; break;
    case NUMBER_SNORM:
        d = (double)value / (all >> 1);
        if (d < -1) d = -1;
        break;
    case NUMBER_SNORM_OGL: d = (2.0 * value + 1) / all; break;
    case NUMBER_USCALED: d = raw; break;
    default: d = value;
    }
    return half ? f32_to_f16(narrow_to_odd(d)) : float_bits((float)d);
}

// The other way: `reg` is an integer or F32, or F16 or a 16-bit integer if `half`.
static inline uint32_t store_component(uint32_t reg, unsigned bits, unsigned number, bool half) {
    const uint32_t all = bits == 32 ? ~0u : (1u << bits) - 1;
    if (number == NUMBER_UINT) { // integers are clamped (ERR-31)
        const uint32_t v = half ? reg & 0xffff : reg;
        return v < all ? v : all;
    }
    if (number == NUMBER_SINT) {
        const int32_t v = half ? (int16_t)reg : (int32_t)reg, most = (int32_t)(all >> 1);
        return (uint32_t)(v > most ? most : v < -most - 1 ? -most - 1 : v) & all;
    }
    const float f = half ? f16_to_f32((uint16_t)reg) : bits_float(reg);
    if (number == NUMBER_FLOAT) {
        if (bits == 32) return float_bits(f);
        if (bits == 16) return half ? reg & 0xffff : f32_to_f16_toward_zero(f);
        if (bits != 10 && bits != 11) return 0;
        const unsigned drop = 15 - bits; // mantissa bits of F16 that are not kept
        if (f != f) return all;
        if (f <= 0) return 0;
        if (!half) return (uint32_t)f32_to_f16_toward_zero(f) >> drop;
        if (f >= 0x1p16f) return all & (0x7c00u >> drop); // infinity, for which frexp gives no exponent
        // To nearest: exponent 15 of five bits is 1.0, below 2^-14 the steps are those of 2^-14.
        int e;
        double m = OUT(frexp((double)f, &e)); // f = m 2^e, m in [0.5, 1)
        const int mantissa = (int)bits - 5, least = e - 1 < -14 ? -14 : e - 1;
        double steps = nearbyint(OUT(ldexp(m, e - least + mantissa)));
        return (uint32_t)steps + ((uint32_t)(least + 14) << mantissa);
    }
    double d = f == f ? (double)f : 0;
    double lo = 0, hi = 1, scale = all;
    switch (number) {
    case NUMBER_UNORM: break;
    case NUMBER_SNORM: lo = -1, scale = all >> 1; break;
    case NUMBER_SNORM_OGL:
        d = d < -1 ? -1 : d > 1 ? 1 : d;
        return (uint32_t)(int64_t)nearbyint((d * all - 1) / 2) & all;
    case NUMBER_USCALED: hi = all, scale = 1; break;
    default: lo = -(double)(all >> 1) - 1, hi = all >> 1, scale = 1;
    }
    d = d < lo ? lo : d > hi ? hi : d;
    return (uint32_t)(int64_t)nearbyint(d * scale) & all;
}

#endif
