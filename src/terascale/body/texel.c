// SPDX-License-Identifier: MIT
// Elements of memory to components of registers.
#include "terascale/body/texel.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "terascale/body/body.h"
#include "terascale/body/half.h"

enum kind { NONE, PLAIN, REAL, REAL_X, SMALL_REAL, SHARED, PAIR, BLOCK };

// Components from the least significant bit up, by DATA_FORMAT.
struct format {
    uint8_t kind, bits[4];
    uint8_t bytes, width, height; // where the element is not the sum of the bits
    const char *gap;
};
static const struct format formats[64] = {
    [1] = {PLAIN, {8}},
    [2] = {PLAIN, {4, 4}},
    [3] = {PLAIN, {2, 3, 3}},
    [5] = {PLAIN, {16}},
    [6] = {REAL, {16}},
    [7] = {PLAIN, {8, 8}},
    [8] = {PLAIN, {5, 6, 5}},
    [9] = {PLAIN, {5, 5, 6}},
    [10] = {PLAIN, {5, 5, 5, 1}},
    [11] = {PLAIN, {4, 4, 4, 4}},
    [12] = {PLAIN, {1, 5, 5, 5}},
    [13] = {PLAIN, {32}},
    [14] = {REAL, {32}},
    [15] = {PLAIN, {16, 16}},
    [16] = {REAL, {16, 16}},
    [17] = {PLAIN, {24, 8}},
    [18] = {.gap = "what a float of 24 bits is made of is not known"},
    [19] = {PLAIN, {8, 24}},
    [20] = {.gap = "what a float of 24 bits is made of is not known"},
    [21] = {PLAIN, {11, 11, 10}},
    [22] = {SMALL_REAL, {11, 11, 10}},
    [23] = {PLAIN, {10, 11, 11}},
    [24] = {SMALL_REAL, {10, 11, 11}},
    [25] = {PLAIN, {10, 10, 10, 2}},
    [26] = {PLAIN, {8, 8, 8, 8}},
    [27] = {PLAIN, {2, 10, 10, 10}},
    [28] = {REAL_X, {32, 8}, .bytes = 8},
    [29] = {PLAIN, {32, 32}},
    [30] = {REAL, {32, 32}},
    [31] = {PLAIN, {16, 16, 16, 16}},
    [32] = {REAL, {16, 16, 16, 16}},
    [34] = {PLAIN, {32, 32, 32, 32}},
    [35] = {REAL, {32, 32, 32, 32}},
    [37] = {.gap = "the order of bits in a byte is not known"},
    [38] = {.gap = "the order of bits in a byte is not known"},
    [39] = {PAIR, {8, 8, 8}, 4, 2, 1, NULL},
    [40] = {PAIR, {8, 8, 8}, 4, 2, 1, NULL},
    [41] = {.gap = "what formats read as others give is not known"},
    [42] = {.gap = "what formats read as others give is not known"},
    [43] = {SHARED, {9, 9, 9}, .bytes = 4},
    [44] = {PLAIN, {8, 8, 8}},
    [45] = {PLAIN, {16, 16, 16}},
    [46] = {REAL, {16, 16, 16}},
    [47] = {PLAIN, {32, 32, 32}},
    [48] = {REAL, {32, 32, 32}},
    [49] = {BLOCK, {8, 8, 8, 8}, 8, 4, 4, NULL},
    [50] = {BLOCK, {8, 8, 8, 8}, 16, 4, 4, NULL},
    [51] = {BLOCK, {8, 8, 8, 8}, 16, 4, 4, NULL},
    [52] = {BLOCK, {8}, 8, 4, 4, NULL},
    [53] = {BLOCK, {8, 8}, 16, 4, 4, NULL},
    [54] = {BLOCK, {16, 16, 16}, 16, 4, 4, NULL},
    [55] = {BLOCK, {8, 8, 8, 8}, 16, 4, 4, NULL},
    [56] = {.gap = "what formats read as others give is not known"},
};

struct ts_element ts_element_of(unsigned format) {
    const struct format *f = &formats[format & 63];
    struct ts_element e = {f->bytes, f->width ? f->width : 1, f->height ? f->height : 1, 0};
    unsigned bits = 0;
    if (f->kind == NONE) return (struct ts_element){0};
    while (e.components < 4 && f->bits[e.components]) bits += f->bits[e.components++];
    if (!e.bytes) e.bytes = (uint8_t)(bits / 8);
    return e;
}

const char *ts_conversion_problem(const struct ts_conversion *c, bool texture, bool wide) {
    const struct format *f = &formats[c->format & 63];
    const struct ts_element e = ts_element_of(c->format);
    if (f->kind == NONE) return f->gap ? f->gap : "no data format has this number";
    if (c->format >= 54 && c->format <= 55 && !wide) return "BC6 and BC7 came with Evergreen";
    if (!texture && (f->kind == BLOCK || f->kind == PAIR)) return "buffers do not hold blocks of texels";
    if (c->number > TS_NUM_SCALED) return "no number format has this number";
    if (c->number != TS_NUM_NORM && (f->kind == BLOCK || f->kind == PAIR))
        return "blocks of texels are normalised";
    for (unsigned i = 0; i < e.components; i++)
        if (c->comp[i] > TS_COMP_SIGNED) return "what UNSIGNED_BIASED components give is not known";
    if (c->endian == TS_ENDIAN_8IN64 && !wide) return "what the endian swap AUTO does is not known";
    if (c->endian && e.bytes % (1u << c->endian)) return "an endian swap is wider than the element";
    return NULL;
}

// ---- Components ----

// Floats of 10 or 11 bits: 5 of exponent, no sign.
static float small_real(uint32_t v, unsigned size) {
    const unsigned fraction_bits = size - 5, exponent = v >> fraction_bits;
    const uint32_t fraction = v & ((1u << fraction_bits) - 1);
    if (exponent == 31) return fraction ? NAN : INFINITY;
    const double d = (double)fraction / (1 << fraction_bits);
    return (float)(exponent ? ldexp(1 + d, (int)exponent - 15) : ldexp(d, -14));
}

static double linear_of_srgb(double s) { return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4); }

static uint32_t plain(uint32_t v, unsigned size, const struct ts_conversion *c, unsigned i) {
    const bool sign = c->comp[i] == TS_COMP_SIGNED;
    const int64_t s = sign ? sign_extend(v, size) : (int64_t)v;
    if (c->number == TS_NUM_INT) return (uint32_t)s;
    if (c->number == TS_NUM_SCALED) return ts_bits((float)s);
    const double most = (double)((1ull << size) - 1);
    if (!sign && c->degamma && i < 3) return ts_bits((float)linear_of_srgb((double)v / most));
    if (!sign) return ts_bits((float)((double)v / most));
    if (c->no_zero) return ts_bits((float)((2.0 * (double)s + 1.0) / most));
    const double d = size == 1 ? (double)s : (double)s / (double)((1ull << (size - 1)) - 1);
    return ts_bits((float)(d < -1 ? -1 : d));
}

// ---- Elements ----

static void swap(uint8_t *p, unsigned bytes, unsigned endian) {
    const unsigned unit = 1u << endian;
    for (unsigned i = 0; i + unit <= bytes; i += unit)
        for (unsigned k = 0; k < unit / 2; k++) {
            const uint8_t first = p[i + k];
            p[i + k] = p[i + unit - 1 - k];
            p[i + unit - 1 - k] = first;
        }
}

static uint32_t take_bits(const uint8_t *p, unsigned at, unsigned size) {
    uint64_t v;
    memcpy(&v, p + at / 32 * 4, sizeof v);
    return (uint32_t)(v >> at % 32 & (~0ull >> (64 - size)));
}

// Two texels of three components in four bytes: the middle one is each texel's own.
static void pair(const struct ts_conversion *c, const uint8_t *p, unsigned x, uint32_t out[4]) {
    static const uint8_t places[2][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}}; // red, green, blue, green
    const uint8_t *at = places[c->format == 40];
    out[0] = plain(p[at[0]], 8, c, 0);
    out[1] = plain(p[at[x ? 3 : 1]], 8, c, 1);
    out[2] = plain(p[at[2]], 8, c, 2);
}

static uint32_t component(const struct ts_conversion *c, const struct format *f, unsigned i, uint32_t v) {
    const unsigned size = f->bits[i];
    switch (f->kind) {
    case REAL: return size == 16 ? ts_bits(of_half((uint16_t)v)) : v;
    case REAL_X: { // depth, and a stencil that is no colour
        struct ts_conversion stencil = *c;
        stencil.degamma = false;
        return i ? plain(v, size, &stencil, i) : v;
    }
    case SMALL_REAL: return ts_bits(small_real(v, size));
    default: return plain(v, size, c, i);
    }
}

void ts_convert(const struct ts_conversion *c, const uint8_t *element, unsigned x, unsigned y,
                uint32_t out[4]) {
    const struct format *f = &formats[c->format & 63];
    const struct ts_element e = ts_element_of(c->format);
    uint8_t bytes[24] = {0};
    memcpy(bytes, element, e.bytes);
    if (c->endian) swap(bytes, e.bytes, c->endian);
    out[0] = out[1] = out[2] = 0;
    out[3] = ts_one(c);
    if (f->kind == BLOCK) {
        float texel[4] = {0};
        ts_convert_block(c->format, c->comp[0] == TS_COMP_SIGNED, bytes, x, y, texel);
        for (unsigned i = 0; i < e.components; i++) {
            const bool gamma = c->degamma && i < 3 && c->comp[0] == TS_COMP_UNSIGNED && c->format != 54;
            out[i] = ts_bits(gamma ? (float)linear_of_srgb((double)texel[i]) : texel[i]);
        }
    } else if (f->kind == PAIR)
        pair(c, bytes, x, out);
    else
        for (unsigned i = 0, at = 0; i < e.components; at += f->bits[i++]) {
            const uint32_t v = take_bits(bytes, at, f->bits[i]);
            out[i] = f->kind == SHARED
                         ? ts_bits((float)ldexp((double)v, (int)take_bits(bytes, 27, 5) - 15 - 9))
                         : component(c, f, i, v);
        }
}

bool ts_gives_integers(const struct ts_conversion *c) {
    const struct format *f = &formats[c->format & 63];
    return c->number == TS_NUM_INT && (f->kind == PLAIN || f->kind == NONE);
}

uint32_t ts_one(const struct ts_conversion *c) { return ts_gives_integers(c) ? 1 : 0x3f800000u; }
