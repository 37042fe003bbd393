// SPDX-License-Identifier: MIT
// Tilings from GFX9 on. A tiled surface is made of blocks of 256 bytes to 256 KiB. In a block, each bit of an
// element's address is the XOR of some bits of its coordinates; equations*.def say which. A group is one mode
// of one kind of resource, with a row for each size of elements from 1 to 16 bytes.
//
// Where equations depend on the GPU's memory channels (GB_ADDR_CONFIG), the tables hold one configuration:
// doc/images.md says which.
#include "texel/tiling.h"

enum { MOST_BITS = 18, SIZES = 5 };

static const struct {
    uint8_t kind;
    uint8_t first, second; // numbers of the mode
    uint8_t log_bytes;     // of a block
    uint8_t thick, samples;
} groups[] = {
#define GROUP(kind, first, second, log_bytes, thick, samples)                                                \
    {kind, first, second, log_bytes, thick, samples},
#define ROW(...)
#include "texel/equations10.def"
#include "texel/equations103.def"
#include "texel/equations11.def"
#include "texel/equations12.def"
#include "texel/equations9.def"
#undef GROUP
#undef ROW
};
enum { GROUPS = sizeof groups / sizeof *groups };

// Bits of coordinates in one word: 11 of x, 11 of y, 7 of z, 3 of the sample. Without samples z has 8.
enum { Y_AT = 11, Z_AT = 22, SAMPLE_AT = 29 };
enum { x0 = 1, x1 = 2, x2 = 4, x3 = 8, x4 = 16, x5 = 32, x6 = 64, x7 = 128, x8 = 256, x9 = 512, x10 = 1024 };
#define Y(n) x##n << Y_AT
#define Z(n) x##n << Z_AT
enum { y0 = Y(0), y1 = Y(1), y2 = Y(2), y3 = Y(3), y4 = Y(4), y5 = Y(5), y6 = Y(6), y7 = Y(7) };
enum { y8 = Y(8), y9 = Y(9), y10 = Y(10), z0 = Z(0), z1 = Z(1), z2 = Z(2), z3 = Z(3), z4 = Z(4) };
enum { z5 = Z(5), z6 = Z(6), z7 = Z(7), s0 = 1 << SAMPLE_AT, s1 = 2 << SAMPLE_AT };
#define s2 (4u << SAMPLE_AT)

static const uint32_t rows[][MOST_BITS] = {
#define GROUP(kind, first, second, log_bytes, thick, samples)
#define ROW(...) {__VA_ARGS__},
#include "texel/equations10.def"
#include "texel/equations103.def"
#include "texel/equations11.def"
#include "texel/equations12.def"
#include "texel/equations9.def"
#undef GROUP
#undef ROW
};
_Static_assert(sizeof rows / sizeof *rows == GROUPS * SIZES, "a row for each size of elements");

unsigned tiling_find(const struct texel_surface *s, unsigned log_bytes) {
    const bool volume = s->dimension == SURFACE_3D;
    unsigned found = 0;
    for (unsigned g = 0; g < GROUPS; g++) {
        if (groups[g].kind != s->kind || groups[g].samples != s->samples) continue;
        if (groups[g].first != s->tiling && groups[g].second != s->tiling) continue;
        if (groups[g].thick && !volume) continue;
        if (!found || groups[g].thick) found = g + 1; // a volume has thick blocks where the mode has them
    }
    if (!found) return 0;
    const uint32_t *row = rows[(found - 1) * SIZES + log_bytes]; // all 0: not for elements of this size
    return row[log_bytes] ? found : 0;
}

struct tile_block tiling_micro(unsigned equation, unsigned log_bytes) {
    static const struct tile_block thin[SIZES] = {
        {16, 16, 1, 8, 0}, {16, 8, 1, 8, 0}, {8, 8, 1, 8, 0}, {8, 4, 1, 8, 0}, {4, 4, 1, 8, 0}};
    static const struct tile_block thick[SIZES] = {
        {8, 4, 8, 8, 1}, {4, 4, 8, 8, 1}, {4, 4, 4, 8, 1}, {4, 2, 4, 8, 1}, {2, 2, 4, 8, 1}};
    return groups[equation - 1].thick ? thick[log_bytes] : thin[log_bytes];
}

struct tile_block tiling_block(unsigned equation, unsigned log_bytes) {
    static const struct tile_block kib[SIZES] = {// thick blocks of 1 KiB
                                                 {16, 8, 8, 0, 1},
                                                 {8, 8, 8, 0, 1},
                                                 {8, 8, 4, 0, 1},
                                                 {8, 4, 4, 0, 1},
                                                 {4, 4, 4, 0, 1}};
    const unsigned log = groups[equation - 1].log_bytes;
    const unsigned samples = (unsigned)__builtin_ctz(groups[equation - 1].samples);
    struct tile_block b = tiling_micro(equation, log_bytes);
    if (b.thick) {
        const unsigned each = (log - 10) / 3, rest = (log - 10) % 3;
        b = kib[log_bytes];
        b.width <<= each, b.height <<= each + rest / 2, b.depth <<= each + (rest != 0);
    } else {
        const unsigned odd = samples & 1;
        // An odd power of two of samples halves the longer side: y, or, in blocks wider than high, x.
        const bool lower = groups[equation - 1].kind == RESOURCE_GFX12 ? !(log_bytes & 1) : log & 1;
        b.width <<= (log - 8) / 2, b.height <<= log - 8 - (log - 8) / 2;
        b.width >>= samples / 2 + (lower ? 0 : odd), b.height >>= samples / 2 + (lower ? odd : 0);
    }
    b.log_bytes = (uint8_t)log;
    return b;
}

uint32_t tiling_offset(unsigned equation, unsigned log_bytes, uint32_t x, uint32_t y, uint32_t z,
                       uint32_t sample) {
    const bool msaa = groups[equation - 1].samples > 1;
    const uint32_t *row = rows[(equation - 1) * SIZES + log_bytes];
    const uint32_t all = (x & 0x7ff) | (y & 0x7ff) << Y_AT | (z & (msaa ? 0x7f : 0xff)) << Z_AT |
                         (msaa ? (sample & 7) << SAMPLE_AT : 0);
    uint32_t offset = 0;
    for (unsigned bit = log_bytes; bit < groups[equation - 1].log_bytes; bit++)
        offset |= (uint32_t)__builtin_parity(all & row[bit]) << bit;
    return offset;
}
