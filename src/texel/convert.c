// SPDX-License-Identifier: MIT
// Texels of surfaces to components of registers, and back.
#include <math.h>
#include <string.h>

#include "texel/half.h"
#include "texel/surface.h"

static uint32_t one_of(const struct texel_surface *s, bool half) {
    return number_is_int(s->number) ? 1 : half ? 0x3c00 : 0x3f800000;
}

void texel_surface_load(const struct texel_surface *s, const uint8_t *element, uint32_t x, uint32_t y,
                        bool half, uint32_t out[4]) {
    const struct texel_layout *l = &texel_layouts[s->layout];
    out[0] = out[1] = out[2] = 0;
    out[3] = one_of(s, half);
    texel_load(l, s->numbers, half, element, x % l->width, y % l->height, out);
}

bool texel_can_store(const struct texel_surface *s) {
    switch (texel_layouts[s->layout].kind) {
    case TEXEL_COMPONENTS: return s->number != NUMBER_SRGB;
    case TEXEL_DEPTH: return true;
    case TEXEL_SHARED: return s->kind >= RESOURCE_GFX103;
    default: return false;
    }
}

// Three floats with one exponent: the smallest that holds the largest, to nearest.
static uint32_t share_exponent(const uint32_t in[4], bool half) {
    double c[3], most = 0;
    for (unsigned i = 0; i < 3; i++) {
        const double v = half ? (double)of_half((uint16_t)in[i]) : (double)bits_float(in[i]);
        c[i] = v > 0 ? v < 65408 ? v : 65408 : 0; // NaN: 0
        if (c[i] > most) most = c[i];
    }
    int e = 0; // most < 2^(e - 15)
    while (e < 31 && (most >= ldexp(1, e - 15) || nearbyint(ldexp(most, 24 - e)) > 511)) e++;
    uint32_t bits = (uint32_t)e << 27;
    for (unsigned i = 0; i < 3; i++) bits |= (uint32_t)nearbyint(ldexp(c[i], 24 - e)) << 9 * i;
    return bits;
}

bool texel_surface_store(const struct texel_surface *s, const uint32_t in[4], bool half, uint8_t *element) {
    const struct texel_layout *l = &texel_layouts[s->layout];
    if (!texel_can_store(s)) return false;
    if (l->kind == TEXEL_SHARED) {
        const uint32_t bits = share_exponent(in, half);
        for (unsigned i = 0; i < 4; i++) element[i] = (uint8_t)(bits >> 8 * i);
    } else if (l->kind == TEXEL_DEPTH) {
        const uint32_t bits = texel_store_component(in[0], 32, NUMBER_FLOAT, half);
        memset(element, 0, l->bytes);
        for (unsigned i = 0; i < 4; i++) element[i] = (uint8_t)(bits >> 8 * i);
        element[4] = (uint8_t)texel_store_component(in[1], 8, NUMBER_UINT, half);
    } else
        texel_store(l, s->number, half, in, element);
    return true;
}

void texel_select(const struct texel_surface *s, const uint32_t in[4], bool half, uint32_t out[4]) {
    for (unsigned c = 0; c < 4; c++) {
        const unsigned from = s->select[c];
        out[c] = from >= TEXEL_SELECT_X   ? in[from - TEXEL_SELECT_X]
                 : from == TEXEL_SELECT_1 ? one_of(s, half)
                                          : 0;
    }
}

void texel_unselect(const struct texel_surface *s, const uint32_t in[4], uint32_t out[4]) {
    for (unsigned c = 0; c < 4; c++) {
        unsigned from = 0; // the first where none is selected for it, as stores to buffers do
        for (unsigned r = 4; r--;)
            if (s->select[r] == TEXEL_SELECT_X + c) from = r;
        out[c] = in[from];
    }
}
