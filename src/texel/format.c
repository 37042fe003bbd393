// SPDX-License-Identifier: MIT
// Numbers of formats: which layout and which meaning of bits each is, for buffers and images.
#include <stddef.h>

#include "texel/surface.h"

enum { N = 1 << NUMBER_UNORM, U = 1 << NUMBER_UINT, S = 1 << NUMBER_SINT, F = 1 << NUMBER_FLOAT };
enum { G = 1 << NUMBER_SRGB, NORM = N | 1 << NUMBER_SNORM };
enum { SIX = NORM | 1 << NUMBER_USCALED | 1 << NUMBER_SSCALED | U | S, SEVEN = SIX | F };

static const struct {
    uint16_t gfx10, gfx10_set, gfx11, gfx11_set;
    uint8_t layout;
} groups[] = {
#define FORMATS(layout, gfx10, gfx10_set, gfx11, gfx11_set)                                                  \
    {gfx10, gfx10_set, gfx11, gfx11_set, LAYOUT_##layout},
#define REFUSED(name, first10, last10, first11, last11)
#define DATA(layout, number)
#define DATA_REFUSED(name, first6, last6, first9, last9)
#include "texel/formats.def"
#undef FORMATS
#undef REFUSED
#undef DATA
#undef DATA_REFUSED
};
enum { GROUPS = sizeof groups / sizeof *groups };

static const uint8_t data_layouts[64] = {
#define FORMATS(layout, gfx10, gfx10_set, gfx11, gfx11_set)
#define REFUSED(name, first10, last10, first11, last11)
#define DATA(layout, number) [number] = LAYOUT_##layout,
#define DATA_REFUSED(name, first6, last6, first9, last9)
#include "texel/formats.def"
#undef FORMATS
#undef REFUSED
#undef DATA
#undef DATA_REFUSED
};

// By the ways to number formats: GFX6 to GFX8, GFX9, GFX10, GFX11.
enum { WAY_GFX6, WAY_GFX9, WAY_GFX10, WAY_GFX11, WAYS };
static const struct {
    char name[32];
    uint16_t first[WAYS], last[WAYS];
} refused[] = {
#define FORMATS(layout, gfx10, gfx10_set, gfx11, gfx11_set)
#define REFUSED(name, first10, last10, first11, last11)                                                      \
    {"format " name, {0, 0, first10, first11}, {0, 0, last10, last11}},
#define DATA(layout, number)
#define DATA_REFUSED(name, first6, last6, first9, last9)                                                     \
    {"format " name, {first6, first9, 0, 0}, {last6, last9, 0, 0}},
#include "texel/formats.def"
#undef FORMATS
#undef REFUSED
#undef DATA
#undef DATA_REFUSED
};

static struct texel_format unified(unsigned number, bool gfx11) {
    for (unsigned g = 0; g < GROUPS; g++) {
        unsigned at = gfx11 ? groups[g].gfx11 : groups[g].gfx10;
        const unsigned set = gfx11 ? groups[g].gfx11_set : groups[g].gfx10_set;
        if (!at) continue;
        for (unsigned n = 0; set >> n; n++)
            if (set >> n & 1 && at++ == number) return (struct texel_format){groups[g].layout, (uint8_t)n};
    }
    return (struct texel_format){LAYOUT_INVALID, 0};
}

struct texel_format texel_unified(unsigned number, bool gfx11) {
    const struct texel_format f = unified(number, gfx11);
    const bool buffer = f.layout <= LAYOUT_32_32_32_32 && f.number != NUMBER_SRGB;
    return buffer ? f : (struct texel_format){LAYOUT_INVALID, 0};
}

// The other way; 0: there is none.
static unsigned unified_of(struct texel_format format, bool gfx11) {
    for (unsigned g = 0; g < GROUPS; g++) {
        const unsigned first = gfx11 ? groups[g].gfx11 : groups[g].gfx10;
        const unsigned set = gfx11 ? groups[g].gfx11_set : groups[g].gfx10_set;
        if (!first || groups[g].layout != format.layout || !(set >> format.number & 1)) continue;
        return first + (unsigned)__builtin_popcount(set & ((1u << format.number) - 1));
    }
    return 0;
}

// True if the layout comes with the number where both are said on their own.
static bool goes_with(enum resource_kind kind, unsigned layout, unsigned number) {
    unsigned set = 0;
    for (unsigned g = 0; g < GROUPS; g++)
        if (groups[g].layout == layout) set |= groups[g].gfx10_set;
    if (kind == RESOURCE_GFX6 && set >> NUMBER_SNORM & 1 && layout != LAYOUT_BC6)
        set |= 1 << NUMBER_SNORM_OGL;
    return set >> number & 1;
}

static unsigned data_layout(unsigned format) {
    return format <= LAYOUT_32_32_32_32 ? format : data_layouts[format & 63];
}

const char *texel_image_format(enum resource_kind kind, unsigned format, unsigned number,
                               struct texel_format *out) {
    const unsigned way = kind >= RESOURCE_GFX11   ? WAY_GFX11
                         : kind >= RESOURCE_GFX10 ? WAY_GFX10
                         : kind == RESOURCE_GFX9  ? WAY_GFX9
                                                  : WAY_GFX6;
    *out = (struct texel_format){LAYOUT_INVALID, 0};
    for (unsigned r = 0; r < sizeof refused / sizeof *refused; r++)
        if (refused[r].first[way] && format >= refused[r].first[way] && format <= refused[r].last[way])
            return refused[r].name;
    if (way >= WAY_GFX10) {
        *out = unified(format, way == WAY_GFX11);
        return out->layout || !format ? NULL : "a format number that names no format";
    }
    const unsigned layout = data_layout(format);
    if (!layout) return format ? "a data format number that names no format" : NULL;
    static const char none[16][48] = {
        [6] = "number format 6 (SNORM_OGL, UNORM_UINT)",
        [8] = "number format 8",
        [10] = "number format UBNORM",
        [11] = "number format UBNORM_OGL",
        [12] = "number format UBINT",
        [13] = "number format UBSCALED",
        [14] = "number format 14",
        [15] = "number format 15",
    };
    if (number > 15) return "a number format beyond 15";
    enum { SRGB_BITS = 9 }; // sRGB's number in a resource
    const unsigned means = number == SRGB_BITS ? NUMBER_SRGB : number;
    if (number != NUMBER_SRGB && goes_with(kind, layout, means)) {
        *out = (struct texel_format){(uint8_t)layout, (uint8_t)means};
        return NULL;
    }
    return none[number][0] ? none[number] : "a number format that the data format does not come with";
}

bool texel_image_number(enum resource_kind kind, struct texel_format format, unsigned *data,
                        unsigned *number) {
    *number = 0;
    if (kind >= RESOURCE_GFX10) return (*data = unified_of(format, kind >= RESOURCE_GFX11)) != 0;
    for (*data = 1; *data < 64; ++*data)
        if (data_layout(*data) == format.layout) {
            *number = format.number == NUMBER_SRGB ? 9 : format.number; // as a resource has it
            return goes_with(kind, format.layout, format.number);
        }
    return false;
}
