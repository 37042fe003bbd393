// SPDX-License-Identifier: MIT
// The data formats of the R600 family: which layout (src/texel) each number stands for, and what the fields
// of a fetch make of its components.
#include "terascale/body/texel.h"

#include <string.h>

#include "texel/texel.h"

enum { GAP_NONE, GAP_FLOAT_24, GAP_BITS, GAP_AS };
static const char gaps[][48] = {
    "no data format has this number",
    "what a float of 24 bits is made of is not known",
    "the order of bits in a byte is not known",
    "what formats read as others give is not known",
};

// By DATA_FORMAT.
struct format {
    uint8_t layout;
    bool real;   // its components are floats
    uint8_t gap; // why it is not executed
};
static const struct format formats[64] = {
    [1] = {LAYOUT_8},
    [2] = {LAYOUT_4_4},
    [3] = {LAYOUT_3_3_2},
    [5] = {LAYOUT_16},
    [6] = {LAYOUT_16, .real = true},
    [7] = {LAYOUT_8_8},
    [8] = {LAYOUT_5_6_5},
    [9] = {LAYOUT_6_5_5},
    [10] = {LAYOUT_1_5_5_5},
    [11] = {LAYOUT_4_4_4_4},
    [12] = {LAYOUT_5_5_5_1},
    [13] = {LAYOUT_32},
    [14] = {LAYOUT_32, .real = true},
    [15] = {LAYOUT_16_16},
    [16] = {LAYOUT_16_16, .real = true},
    [17] = {LAYOUT_8_24},
    [18] = {.gap = GAP_FLOAT_24},
    [19] = {LAYOUT_24_8},
    [20] = {.gap = GAP_FLOAT_24},
    [21] = {LAYOUT_10_11_11},
    [22] = {LAYOUT_10_11_11, .real = true},
    [23] = {LAYOUT_11_11_10},
    [24] = {LAYOUT_11_11_10, .real = true},
    [25] = {LAYOUT_2_10_10_10},
    [26] = {LAYOUT_8_8_8_8},
    [27] = {LAYOUT_10_10_10_2},
    [28] = {LAYOUT_X24_8_32},
    [29] = {LAYOUT_32_32},
    [30] = {LAYOUT_32_32, .real = true},
    [31] = {LAYOUT_16_16_16_16},
    [32] = {LAYOUT_16_16_16_16, .real = true},
    [34] = {LAYOUT_32_32_32_32},
    [35] = {LAYOUT_32_32_32_32, .real = true},
    [37] = {.gap = GAP_BITS},
    [38] = {.gap = GAP_BITS},
    [39] = {LAYOUT_GB_GR},
    [40] = {LAYOUT_BG_RG},
    [41] = {.gap = GAP_AS},
    [42] = {.gap = GAP_AS},
    [43] = {LAYOUT_5_9_9_9},
    [44] = {LAYOUT_8_8_8},
    [45] = {LAYOUT_16_16_16},
    [46] = {LAYOUT_16_16_16, .real = true},
    [47] = {LAYOUT_32_32_32},
    [48] = {LAYOUT_32_32_32, .real = true},
    [49] = {LAYOUT_BC1},
    [50] = {LAYOUT_BC2},
    [51] = {LAYOUT_BC3},
    [52] = {LAYOUT_BC4},
    [53] = {LAYOUT_BC5},
    [54] = {LAYOUT_BC6},
    [55] = {LAYOUT_BC7},
    [56] = {.gap = GAP_AS},
};
static const struct texel_layout *layout_of(unsigned format) {
    return &texel_layouts[formats[format & 63].layout];
}

struct ts_element ts_element_of(unsigned format) {
    const struct texel_layout *l = layout_of(format);
    if (l->kind == TEXEL_NONE) return (struct ts_element){0};
    return (struct ts_element){l->bytes, l->width, l->height, l->components};
}

const char *ts_conversion_problem(const struct ts_conversion *c, bool texture, bool wide) {
    const unsigned kind = layout_of(c->format)->kind;
    const struct ts_element e = ts_element_of(c->format);
    if (kind == TEXEL_NONE) return gaps[formats[c->format & 63].gap];
    if (c->format >= 54 && c->format <= 55 && !wide) return "BC6 and BC7 came with Evergreen";
    if (!texture && (kind == TEXEL_BLOCK || kind == TEXEL_PAIR))
        return "buffers do not hold blocks of texels";
    if (c->number > TS_NUM_SCALED) return "no number format has this number";
    if (c->number != TS_NUM_NORM && (kind == TEXEL_BLOCK || kind == TEXEL_PAIR))
        return "blocks of texels are normalised";
    for (unsigned i = 0; i < e.components; i++)
        if (c->comp[i] > TS_COMP_SIGNED) return "what UNSIGNED_BIASED components give is not known";
    if (c->endian == TS_ENDIAN_8IN64 && !wide) return "what the endian swap AUTO does is not known";
    if (c->endian && e.bytes % (1u << c->endian)) return "an endian swap is wider than the element";
    return NULL;
}

static void swap(uint8_t *p, unsigned bytes, unsigned endian) {
    const unsigned unit = 1u << endian;
    for (unsigned i = 0; i + unit <= bytes; i += unit)
        for (unsigned k = 0; k < unit / 2; k++) {
            const uint8_t first = p[i + k];
            p[i + k] = p[i + unit - 1 - k];
            p[i + unit - 1 - k] = first;
        }
}

// What the bits of a component mean.
static uint8_t number_of(const struct ts_conversion *c, unsigned i) {
    const struct format *f = &formats[c->format & 63];
    const unsigned kind = layout_of(c->format)->kind;
    const bool sign = c->comp[kind == TEXEL_BLOCK ? 0 : i] == TS_COMP_SIGNED;
    if (f->real) return NUMBER_FLOAT;
    if (c->number == TS_NUM_INT) return sign ? NUMBER_SINT : NUMBER_UINT;
    if (c->number == TS_NUM_SCALED) return sign ? NUMBER_SSCALED : NUMBER_USCALED;
    if (sign) return c->no_zero ? NUMBER_SNORM_OGL : NUMBER_SNORM;
    return c->degamma && i < 3 && kind != TEXEL_DEPTH ? NUMBER_SRGB : NUMBER_UNORM;
}

void ts_convert(const struct ts_conversion *c, const uint8_t *element, unsigned x, unsigned y,
                uint32_t out[4]) {
    const struct texel_layout *l = layout_of(c->format);
    uint8_t bytes[16] = {0}, numbers[4];
    memcpy(bytes, element, l->bytes);
    if (c->endian) swap(bytes, l->bytes, c->endian);
    for (unsigned i = 0; i < 4; i++) numbers[i] = number_of(c, i);
    out[0] = out[1] = out[2] = 0;
    out[3] = ts_one(c);
    texel_load(l, numbers, false, bytes, x, y, out);
}

bool ts_gives_integers(const struct ts_conversion *c) {
    const unsigned kind = layout_of(c->format)->kind;
    return c->number == TS_NUM_INT && !formats[c->format & 63].real &&
           (kind == TEXEL_COMPONENTS || kind == TEXEL_NONE);
}

uint32_t ts_one(const struct ts_conversion *c) { return ts_gives_integers(c) ? 1 : 0x3f800000u; }
