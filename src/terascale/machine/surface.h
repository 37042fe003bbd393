// SPDX-License-Identifier: MIT
// Where texels of a texture lie: levels, slices, linear and tiled.
#ifndef TERASCALE_SURFACE_H
#define TERASCALE_SURFACE_H

#include "terascale/state/state.h"

// A level's size in texels, and where its texels lie.
struct ts_level {
    uint32_t width, height, depth; // depth of 3D; else 1
    uint64_t address, slice;       // bytes
    uint64_t pitch;                // elements in a row
};
// `level` counts from the base level; it has to be one that the texture has.
void ts_level_of(const struct ts_texture *t, uint32_t level, struct ts_level *out);

// The element that holds texel x, y of a slice: its address, and the texel in it.
uint64_t ts_element_address(const struct ts_texture *t, const struct ts_level *l, uint32_t x, uint32_t y,
                            uint32_t slice);

#endif
