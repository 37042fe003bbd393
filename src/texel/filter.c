// SPDX-License-Identifier: MIT
// One coordinate to texels and their weights. Coordinates are rounded to 1/256 of a texel, as graphics
// interfaces ask for and the hardware's register of precision says.
#include <math.h>

#include "texel/sample.h"

enum { PARTS = 256 };

static int64_t modulo(int64_t a, int64_t n) {
    const int64_t r = a % n;
    return r < 0 ? r + n : r;
}
static int32_t limited(int64_t i, uint32_t size) {
    return i < 0 ? 0 : i >= size ? (int32_t)size - 1 : (int32_t)i;
}

bool sample_clamp_index(unsigned clamp, int64_t i, uint32_t size, int32_t *out) {
    const int64_t n = size, mirrored = i < 0 ? -1 - i : i;
    switch (clamp) {
    case CLAMP_WRAP: *out = (int32_t)modulo(i, n); return true;
    case CLAMP_MIRROR: {
        const int64_t at = modulo(i, 2 * n);
        *out = (int32_t)(at < n ? at : 2 * n - 1 - at);
        return true;
    }
    case CLAMP_LAST_TEXEL: *out = limited(i, size); return true;
    case CLAMP_MIRROR_ONCE_LAST: *out = limited(mirrored, size); return true;
    case CLAMP_HALF_BORDER:
    case CLAMP_BORDER: *out = limited(i, size); return i >= 0 && i < n;
    default: *out = limited(mirrored, size); return mirrored < n;
    }
}

// Texels from the left edge. What a period takes away is taken before rounding, so that large coordinates
// keep their fractions, and the rest is limited, so that it is a number.
static double texels(unsigned clamp, float coordinate, uint32_t size, bool counts_texels) {
    const double s = (double)coordinate, n = size, one = counts_texels ? n : 1,
                 most = 4 * n + 128; // offsets bring back up to 32
    if (!(s == s)) return 0;
    double periods = 0;
    if (clamp == CLAMP_WRAP) periods = floor(s / one);
    if (clamp == CLAMP_MIRROR) periods = 2 * floor(s / (2 * one));
    double u = fabs(s) <= 0x1p60 ? s - periods * one : clamp <= CLAMP_MIRROR ? 0 : s;
    if (!counts_texels) u *= n;
    if (clamp == CLAMP_HALF_BORDER) u = u < 0 ? 0 : u > n ? n : u;
    if (clamp == CLAMP_MIRROR_ONCE_HALF_BORDER) u = u < -n ? -n : u > n ? n : u;
    return u < -most ? -most : u > most ? most : u;
}

struct sample_axis sample_axis_of(const struct sample_filter *f, unsigned axis, float coordinate,
                                  uint32_t size, int offset, unsigned flags) {
    const bool linear = flags & AXIS_LINEAR, is_free = flags & AXIS_FREE;
    const unsigned clamp = is_free ? CLAMP_LAST_TEXEL : f->clamp[axis] & 7u;
    const double u = texels(clamp, coordinate, size, flags & AXIS_UNNORMALIZED);
    int64_t parts = (int64_t)floor(u * PARTS + (f->truncates ? 0 : 0.5));
    if (linear) parts -= PARTS / 2;
    const int64_t first = parts >> 8;
    struct sample_axis a = {.count = linear ? 2 : 1, .weight = linear ? (uint16_t)(parts & 255) : 0};
    if (f->halves) a.weight &= 128;
    for (unsigned i = 0; i < a.count; i++) {
        const int64_t index = first + i + offset;
        if (is_free)
            a.index[i] = (int32_t)index;
        else
            a.border[i] = !sample_clamp_index(clamp, index, size, &a.index[i]);
    }
    return a;
}
