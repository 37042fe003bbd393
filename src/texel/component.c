// SPDX-License-Identifier: MIT
// One component between memory and a register.
#include <math.h>

#include "texel/half.h"
#include "texel/texel.h"

static uint32_t all_of(unsigned bits) { return bits == 32 ? ~0u : (1u << bits) - 1; }
double texel_linear_of_srgb(double s) { return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4); }

// Toward zero with a sticky last bit, so that rounding once more is rounding once.
static float narrow_to_odd(double d) {
    const float f = (float)d;
    if ((double)f == d || f != f) return f;
    uint32_t u = float_bits(f);
    if (fabs((double)f) > fabs(d)) u--;
    return bits_float(u | 1);
}

uint32_t texel_float(double d, bool half) { return half ? half_of(narrow_to_odd(d)) : float_bits((float)d); }

static uint32_t load_float(uint32_t raw, unsigned bits, bool half) {
    if (bits == 32) return half ? half_toward_zero(bits_float(raw)) : raw;
    if (bits != 16 && bits != 10 && bits != 11) return 0;
    if (bits < 16) raw <<= 15 - bits; // no sign, five bits of exponent as F16 has
    return half ? raw : float_bits(of_half((uint16_t)raw));
}

uint32_t texel_load_component(uint32_t raw, unsigned bits, unsigned number, bool half) {
    const uint32_t all = all_of(bits);
    raw &= all;
    const int32_t value = (int32_t)(raw << (32 - bits)) >> (32 - bits);
    double d;
    switch (number) {
    case NUMBER_UINT: return raw;
    case NUMBER_SINT: return (uint32_t)value;
    case NUMBER_FLOAT: return load_float(raw, bits, half);
    case NUMBER_UNORM: d = (double)raw / all; break;
    case NUMBER_SRGB: d = texel_linear_of_srgb((double)raw / all); break;
    case NUMBER_SNORM:
        d = bits == 1 ? value : (double)value / (all >> 1);
        if (d < -1) d = -1;
        break;
    case NUMBER_SNORM_OGL: d = (2.0 * value + 1) / all; break;
    case NUMBER_USCALED: d = raw; break;
    default: d = value;
    }
    return texel_float(d, half);
}

static uint32_t store_float(uint32_t value, float f, unsigned bits, bool half) {
    if (bits == 32) return float_bits(f);
    if (bits == 16) return half ? value & 0xffff : half_toward_zero(f);
    if (bits != 10 && bits != 11) return 0;
    const uint32_t all = all_of(bits);
    const unsigned drop = 15 - bits; // mantissa bits of F16 that are not kept
    if (f != f) return all;
    if (f <= 0) return 0;
    if (!half) return (uint32_t)half_toward_zero(f) >> drop;
    if (f >= 0x1p16f) return all & (0x7c00u >> drop); // infinity, for which frexp gives no exponent
    // To nearest: exponent 15 of five bits is 1.0, below 2^-14 the steps are those of 2^-14.
    int e;
    const double m = frexp((double)f, &e); // f = m 2^e, m in [0.5, 1)
    const int mantissa = (int)bits - 5, least = e - 1 < -14 ? -14 : e - 1;
    const double steps = nearbyint(ldexp(m, e - least + mantissa));
    return (uint32_t)steps + ((uint32_t)(least + 14) << mantissa);
}

uint32_t texel_store_component(uint32_t value, unsigned bits, unsigned number, bool half) {
    const uint32_t all = all_of(bits);
    if (number == NUMBER_UINT) { // integers are clamped (ERR-31)
        const uint32_t v = half ? value & 0xffff : value;
        return v < all ? v : all;
    }
    if (number == NUMBER_SINT) {
        const int32_t v = half ? (int16_t)value : (int32_t)value, most = (int32_t)(all >> 1);
        return (uint32_t)(v > most ? most : v < -most - 1 ? -most - 1 : v) & all;
    }
    const float f = half ? of_half((uint16_t)value) : bits_float(value);
    if (number == NUMBER_FLOAT) return store_float(value, f, bits, half);
    double d = f == f ? (double)f : 0, lo = 0, hi = 1, scale = all;
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
