// SPDX-License-Identifier: MIT
// Elements of memory to components of registers, and back.
#include "texel/texel.h"

#include <math.h>
#include <string.h>

#include "texel/half.h"

#define FIRST(a, ...)              a
#define COUNT_(a, b, c, d, n, ...) n
#define COUNT(...)                 COUNT_(__VA_ARGS__, 4, 3, 2, 1, 0)
#define SUM_(a, b, c, d, ...)      ((a) + (b) + (c) + (d))
#define SUM(...)                   SUM_(__VA_ARGS__, 0, 0, 0, 0)
#define UNPACK(...)                __VA_ARGS__
#define LAYOUT(name, kind, bits, bytes, width, height)                                                       \
    {TEXEL_##kind, TEXEL_##kind ? COUNT bits : 0, {UNPACK bits}, (bytes) ? (bytes) : SUM bits / 8, width,    \
     height},
const struct texel_layout texel_layouts[LAYOUTS] = {
#include "texel/layouts.def"
};
#undef LAYOUT

// ---- Elements ----

static uint32_t take_bits(const uint8_t *p, unsigned at, unsigned bits) {
    uint64_t v = 0;
    const unsigned first = at / 8, bytes = (at + bits + 7) / 8 - first;
    for (unsigned i = 0; i < bytes; i++) v |= (uint64_t)p[first + i] << 8 * i;
    return (uint32_t)(v >> at % 8 & (~0ull >> (64 - bits)));
}

static uint32_t of_double(double d, bool half) { return half ? half_of((float)d) : float_bits((float)d); }

// Two texels of three components in four bytes: the middle one is each texel's own.
static void load_pair(const struct texel_layout *l, const uint8_t numbers[4], bool half, const uint8_t *p,
                      unsigned x, uint32_t out[4]) {
    static const uint8_t places[2][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}}; // red, green, blue, green
    const uint8_t *at = places[l == &texel_layouts[LAYOUT_BG_RG]];
    const uint8_t of[3] = {at[0], at[x ? 3 : 1], at[2]};
    for (unsigned c = 0; c < 3; c++) out[c] = texel_load_component(p[of[c]], 8, numbers[c], half);
}

static void load_block(const struct texel_layout *l, const uint8_t numbers[4], bool half, const uint8_t *p,
                       unsigned x, unsigned y, uint32_t out[4]) {
    const enum texel_layout_id id = (enum texel_layout_id)(l - texel_layouts);
    const bool sign = numbers[0] == NUMBER_SNORM || numbers[0] == NUMBER_SNORM_OGL;
    float texel[4] = {0};
    texel_load_block(id, sign, p, x, y, texel);
    for (unsigned c = 0; c < l->components; c++) {
        const double s = (double)texel[c];
        const bool gamma = numbers[c] == NUMBER_SRGB && id != LAYOUT_BC6;
        out[c] = of_double(gamma ? texel_linear_of_srgb(s) : s, half);
    }
}

void texel_load(const struct texel_layout *l, const uint8_t numbers[4], bool half, const uint8_t *element,
                unsigned x, unsigned y, uint32_t out[4]) {
    switch (l->kind) {
    case TEXEL_BLOCK: load_block(l, numbers, half, element, x, y, out); return;
    case TEXEL_PAIR: load_pair(l, numbers, half, element, x, out); return;
    case TEXEL_SHARED:
        for (unsigned c = 0; c < 3; c++)
            out[c] =
                of_double(ldexp(take_bits(element, 9 * c, 9), (int)take_bits(element, 27, 5) - 24), half);
        return;
    default: break;
    }
    for (unsigned c = 0, at = 0; c < l->components; at += l->bits[c++]) {
        const bool depth = l->kind == TEXEL_DEPTH && !c;
        out[c] = texel_load_component(take_bits(element, at, l->bits[c]), l->bits[c],
                                      depth ? NUMBER_FLOAT : numbers[c], half);
    }
}

void texel_store(const struct texel_layout *l, unsigned number, bool half, const uint32_t in[4],
                 uint8_t *element) {
    uint64_t pending = 0;
    unsigned held = 0; // bits
    for (unsigned c = 0; c < l->components; c++) {
        pending |= (uint64_t)texel_store_component(in[c], l->bits[c], number, half) << held;
        for (held += l->bits[c]; held >= 8; held -= 8, pending >>= 8) *element++ = (uint8_t)pending;
    }
}
