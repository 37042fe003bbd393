// SPDX-License-Identifier: MIT
// A reference of formatted buffers, for tests: reads widths off the names of formats and rounds long doubles.
#ifndef TESTS_FORMAT_REFERENCE_H
#define TESTS_FORMAT_REFERENCE_H

#include <math.h>
#include <stdlib.h>

#include "texel/half.h"
#include "texel/texel.h"

static const char *const data_names[] = {"INVALID", "8",        "16",          "8_8",        "32",
                                         "16_16",   "10_11_11", "11_11_10",    "10_10_10_2", "2_10_10_10",
                                         "8_8_8_8", "32_32",    "16_16_16_16", "32_32_32",   "32_32_32_32"};
static const char *const number_names[] = {"UNORM", "SNORM", "USCALED",   "SSCALED",
                                           "UINT",  "SINT",  "SNORM_OGL", "FLOAT"};

static inline unsigned widths(unsigned data, unsigned out[4]) { // X first; returns how many
    unsigned n = 0, reversed[4];
    for (const char *s = data_names[data]; *s && n < 4; s += *s == '_') {
        reversed[n++] = (unsigned)strtoul(s, (char **)&s, 10);
    }
    for (unsigned c = 0; c < n; c++) out[c] = reversed[n - 1 - c];
    return n;
}
static inline uint32_t take_bits(const uint8_t *bytes, unsigned at, unsigned bits) {
    uint32_t v = 0;
    for (unsigned b = 0; b < bits; b++) v |= (uint32_t)(bytes[(at + b) / 8] >> (at + b) % 8 & 1) << b;
    return v;
}
// A float of e exponent and m mantissa bits, without sign.
static inline long double make_small_float(uint32_t v, unsigned m) {
    uint32_t e = v >> m, f = v & ((1u << m) - 1);
    if (e == 31) return f ? (long double)NAN : (long double)INFINITY;
    return ldexpl((long double)f + (e ? 1u << m : 0), (int)(e ? e : 1) - 15 - (int)m);
}
static inline long double small_float(uint32_t v, unsigned m) {
    static long double values[11][1 << 15];
    static bool made[11];
    for (uint32_t k = 0; !made[m] && k < 32u << m; k++) values[m][k] = make_small_float(k, m);
    made[m] = true;
    return values[m][v];
}
static inline long double meaning(uint32_t raw, unsigned bits, unsigned number) {
    const long double all = (long double)(UINT64_MAX >> (64 - bits)),
                      half = (long double)(UINT64_MAX >> (64 - bits) >> 1);
    const long double s = raw >> (bits - 1) ? (long double)raw - all - 1 : (long double)raw;
    switch (number) {
    case NUMBER_UNORM: return raw / all;
    case NUMBER_SNORM: return fmaxl(s / half, -1);
    case NUMBER_SNORM_OGL: return (2 * s + 1) / all;
    case NUMBER_USCALED:
    case NUMBER_UINT: return raw;
    case NUMBER_SSCALED:
    case NUMBER_SINT: return s;
    default:
        if (bits == 32) return bits_float(raw);
        if (bits == 16) {
            long double v = small_float(raw & 0x7fff, 10);
            return raw >> 15 ? -v : v;
        }
        return bits == 10 || bits == 11 ? small_float(raw, bits - 5) : 0;
    }
}
static inline bool is_int(unsigned number) { return number == NUMBER_UINT || number == NUMBER_SINT; }
// The register for a value; half by searching the F16 values around it.
static inline uint32_t as_half(long double v, bool truncate) {
    if (v != v) return 0x7e00;
    const uint32_t sign = signbit(v) ? 0x8000 : 0;
    v = fabsl(v);
    uint32_t h = 0;
    for (uint32_t step = 0x4000; step; step >>= 1)
        if (h + step <= 0x7c00 && small_float(h + step, 10) <= v) h += step;
    if (h < 0x7c00 && !truncate) {
        const long double lo = small_float(h, 10), hi = h == 0x7bff ? 65536 : small_float(h + 1, 10);
        if (v - lo > hi - v || (v - lo == hi - v && h & 1)) h++;
    }
    return sign | h;
}
static inline uint32_t expected_register(uint32_t raw, unsigned bits, unsigned number, bool half) {
    if (is_int(number)) return (uint32_t)(int64_t)meaning(raw, bits, number) & (half ? 0xffff : ~0u);
    const long double v = meaning(raw, bits, number);
    if (half) return as_half(v, number == NUMBER_FLOAT && bits == 32);
    return float_bits((float)v);
}
static inline bool same_register(uint32_t a, uint32_t b, bool whole, bool half) {
    if (half) {
        a &= 0xffff, b &= 0xffff;
        if (!whole && (a & 0x7fff) > 0x7c00 && (b & 0x7fff) > 0x7c00) return true;
        return a == b;
    }
    if (!whole && (a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000) return true;
    return a == b;
}
static inline bool exists(unsigned data, unsigned number) {
    unsigned width[4];
    if (!data || data > 14) return false;
    widths(data, width);
    if (number == NUMBER_FLOAT) return width[0] > 8 && data != 9;
    return width[0] < 32 || is_int(number);
}

// A store then means, to the reference, the nearest value of the format; F32 to shorter floats truncates.
static inline bool nearest(uint32_t raw, unsigned bits, unsigned number, long double v, bool truncates) {
    const uint32_t all = bits == 32 ? ~0u : (1u << bits) - 1;
    if (number != NUMBER_FLOAT) v = v > 1e6L ? 1e6L : v < -1e6L ? -1e6L : v; // all are saturated
    if (number == NUMBER_FLOAT && bits == 32) return meaning(raw, 32, number) == v || v != v;
    if (v != v)
        return number == NUMBER_FLOAT
                   ? isnan(meaning(raw, bits, number))
                   : (meaning(raw, bits, number) == 0 || (raw == 0 && number == NUMBER_SNORM_OGL));
    if (bits == 16 && number == NUMBER_FLOAT)
        return truncates ? raw == as_half(v, true) || (fabsl(v) > 65504 && (raw & 0x7fff) >= 0x7bff)
                         : meaning(raw, 16, number) == v;
    if (number == NUMBER_FLOAT && v < 0) v = 0;
    if (number == NUMBER_FLOAT && meaning(raw, bits, number) == v) return true;
    if (number == NUMBER_FLOAT && truncates) // the next is above, or infinity
        return meaning(raw, bits, number) <= v && meaning(raw + 1, bits, number) > v;
    long double mine = fabsl(meaning(raw, bits, number) - v);
    if (number == NUMBER_FLOAT && isinf(meaning(raw, bits, number))) return v > 64000;
    for (uint32_t other = 0; other <= all; other++) {
        const long double m = meaning(other, bits, number);
        if (m != m || isinf(m)) continue;
        const long double d = fabsl(m - v);
        if (d < mine - (number == NUMBER_SNORM_OGL ? 1e-12L : 1e-16L) ||
            (d == mine && other % 2 == 0 && raw % 2 && number != NUMBER_SNORM && number != NUMBER_SNORM_OGL))
            return false;
    }
    return true;
}
#endif
