// SPDX-License-Identifier: MIT
// Tilings: blocks of elements, and the equations that order the elements of a block. Private to src/texel.
#ifndef TEXEL_TILING_H
#define TEXEL_TILING_H

#include "texel/surface.h"

struct tile_block {
    uint32_t width, height, depth; // elements
    uint8_t log_bytes;             // of a block
    bool thick;                    // depth is more than a slice
};

// Which equation a surface has, counted from 1. 0: none. `log_bytes`: of an element.
unsigned tiling_find(const struct texel_surface *s, unsigned log_bytes);
struct tile_block tiling_block(unsigned equation, unsigned log_bytes);
// The first 256 bytes of a block.
struct tile_block tiling_micro(unsigned equation, unsigned log_bytes);
// Offset of an element in its block. Coordinates are those in the level: bits above the block take part.
uint32_t tiling_offset(unsigned equation, unsigned log_bytes, uint32_t x, uint32_t y, uint32_t z,
                       uint32_t sample);

#endif
