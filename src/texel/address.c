// SPDX-License-Identifier: MIT
// Where texels lie.
#include "texel/address.h"

#include <stddef.h>

static uint32_t at_least_one(uint32_t v) { return v ? v : 1; }
static uint32_t up(uint32_t v, uint32_t by) { return v / by + (v % by != 0); }
static uint64_t align_to(uint64_t v, uint64_t by) { return (v + by - 1) / by * by; }

void texel_level_size(const struct texel_surface *s, unsigned level, uint32_t size[3]) {
    size[0] = size[1] = size[2] = 0;
    if (!s->bound || level > 31u || s->first_level + level > s->last_level) return;
    const unsigned l = s->first_level + level;
    const bool msaa = s->samples > 1;
    size[0] = at_least_one(s->width >> (msaa ? 0 : l));
    size[1] = at_least_one(s->height >> (msaa ? 0 : l));
    if (s->dimension == SURFACE_3D && !s->layered)
        size[2] = at_least_one(s->depth >> l);
    else
        size[2] = s->last_slice < s->first_slice ? 0 : s->last_slice - s->first_slice + 1;
}

// Bytes of a row of elements.
static uint64_t row_bytes(const struct texel_surface *s, uint32_t elements) {
    const unsigned bytes = texel_layouts[s->layout].bytes;
    if (s->pitch) return (uint64_t)s->pitch * bytes;
    return align_to((uint64_t)elements * bytes, s->kind >= RESOURCE_GFX12 ? 128 : 256);
}

const char *texel_tiling_problem(const struct texel_surface *s) {
    if (s->kind <= RESOURCE_GFX8 ? s->tiling != 8 : s->tiling != 0) return "a tiled image";
    if (s->levels > 1) return "mip";
    return NULL;
}

bool texel_address(const struct texel_surface *s, unsigned level, uint32_t x, uint32_t y, uint32_t z,
                   uint32_t sample, uint64_t *address, unsigned *bytes) {
    const struct texel_layout *l = &texel_layouts[s->layout];
    uint32_t size[3];
    texel_level_size(s, level, size);
    if (x >= size[0] || y >= size[1] || z >= size[2] || sample >= s->samples) return false;
    const uint64_t row = row_bytes(s, up(s->width, l->width));
    const uint64_t slice = row * up(s->height, l->height);
    *bytes = l->bytes;
    *address = s->base + (z + s->first_slice) * slice + y / l->height * row + x / l->width * l->bytes;
    return true;
}
