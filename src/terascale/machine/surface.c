// SPDX-License-Identifier: MIT
// The layout of textures: level 0 has the pitch of the resource, the others lie one behind the other at
// MIP_ADDRESS, of sizes that are powers of two.
#include "terascale/machine/surface.h"

#include "base/bytes.h"

enum { GROUP_BYTES = 256, TILE = 8 }; // of a pipe's interleave; texels along a micro tile

static uint32_t power_of_two(uint32_t v) {
    uint32_t p = 1;
    while (p < v) p *= 2;
    return p;
}

static uint32_t halved(uint32_t size, uint32_t level) { return size >> level ? size >> level : 1; }

static uint32_t in_elements(uint32_t texels, unsigned element) { return (texels + element - 1) / element; }

static uint32_t pitch_alignment(const struct ts_texture *t, unsigned bytes) {
    if (t->tiling == TS_LINEAR_GENERAL) return 1;
    const uint32_t least = t->tiling == TS_1D_THIN ? TILE : 64,
                   group = t->tiling == TS_1D_THIN ? GROUP_BYTES / (TILE * bytes) : GROUP_BYTES / bytes;
    return least > group ? least : group;
}

// Slices of a level: faces (R700 and later pad them to eight), layers, or what depth is left.
static uint32_t slices(const struct ts_texture *t, uint32_t level) {
    if (t->dim == TS_3D) return level ? power_of_two(halved(t->depth, level)) : t->depth;
    if (t->dim == TS_CUBE) return t->family == TS_R600 ? 6 : 8;
    return t->dim == TS_1D_ARRAY || t->dim == TS_2D_ARRAY ? t->depth : 1;
}

static void lay_out(const struct ts_texture *t, const struct ts_element *e, uint32_t level,
                    struct ts_level *out) {
    const uint32_t columns = level ? power_of_two(halved(t->width, level)) : t->pitch;
    const uint32_t lines = level ? power_of_two(halved(t->height, level)) : t->height;
    uint64_t pitch = in_elements(columns, e->width), rows = in_elements(lines, e->height);
    const uint32_t aligned = pitch_alignment(t, e->bytes);
    if (level) pitch = (pitch + aligned - 1) / aligned * aligned;
    if (t->tiling == TS_1D_THIN) rows = align_up(rows, TILE);
    out->width = halved(t->width, level);
    out->height = halved(t->height, level);
    out->depth = t->dim == TS_3D ? halved(t->depth, level) : 1;
    out->pitch = pitch;
    out->slice = pitch * rows * e->bytes;
}

void ts_level_of(const struct ts_texture *t, uint32_t level, struct ts_level *out) {
    const struct ts_element e = ts_element_of(t->conversion.format);
    const uint32_t wanted = t->base_level + level;
    uint64_t address = t->mips;
    for (uint32_t i = 1; i < wanted; i++) {
        lay_out(t, &e, i, out);
        address += out->slice * slices(t, i);
    }
    lay_out(t, &e, wanted, out);
    out->address = wanted ? address : t->base;
}

// ---- Micro tiles ----

// The order of the 64 texels of a micro tile: which bits of x (0 to 2) and y (3 to 5) make the number, from
// its lowest bit up. Surfaces that are not shown have the same order whatever the size of their texels.
static unsigned place_in_tile(const struct ts_texture *t, unsigned bytes, uint32_t x, uint32_t y) {
    static const uint8_t orders[6][6] = {
        {0, 3, 1, 4, 2, 5}, // of depth
        {0, 1, 2, 4, 3, 5}, // 1 byte
        {0, 1, 2, 3, 4, 5}, // 2
        {0, 1, 3, 2, 4, 5}, // 4
        {0, 3, 1, 2, 4, 5}, // 8
        {3, 0, 1, 2, 4, 5}, // 16
    };
    const unsigned row = t->depth_order ? 0
                         : bytes == 1   ? 1
                         : bytes == 2   ? 2
                         : bytes <= 4   ? 3
                         : bytes == 8   ? 4
                         : bytes == 16  ? 5
                                        : 3;
    const unsigned from = (x & 7) | (y & 7) << 3;
    unsigned place = 0;
    for (unsigned i = 0; i < 6; i++) place |= (from >> orders[row][i] & 1) << i;
    return place;
}

uint64_t ts_element_address(const struct ts_texture *t, const struct ts_level *l, uint32_t x, uint32_t y,
                            uint32_t slice) {
    const struct ts_element e = ts_element_of(t->conversion.format);
    const uint32_t column = x / e.width, row = y / e.height;
    const uint64_t at = l->address + slice * l->slice;
    if (t->tiling != TS_1D_THIN) return at + (row * l->pitch + column) * e.bytes;
    const uint64_t tile = row / TILE * (l->pitch / TILE) + column / TILE;
    return at + (tile * TILE * TILE + place_in_tile(t, e.bytes, column, row)) * e.bytes;
}
