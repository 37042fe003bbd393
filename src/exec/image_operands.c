// SPDX-License-Identifier: MIT
#include "exec/image_operands.h"

#include "isa/isa.h"
#include "texel/half.h"
#include "texel/surface.h"

// Without DA no slice is sent; with it one is, whether the resource has slices or not.
unsigned image_dim_of(const struct image_op *o, unsigned resource) {
    if (o->has_dim) return o->dim;
    switch (resource) {
    case SURFACE_1D:
    case SURFACE_1D_ARRAY: return o->array ? SURFACE_1D_ARRAY : SURFACE_1D;
    case SURFACE_2D:
    case SURFACE_2D_ARRAY: return o->array ? SURFACE_2D_ARRAY : SURFACE_2D;
    case SURFACE_2D_MSAA:
    case SURFACE_2D_MSAA_ARRAY: return o->array ? SURFACE_2D_MSAA_ARRAY : SURFACE_2D_MSAA;
    default: return resource;
    }
}

// Where the next operand of so many halves of a dword stands.
static uint8_t take(unsigned *next, bool half) {
    if (!half) *next = (*next + 1) & ~1u;
    const unsigned at = *next;
    *next += half ? 1 : 2;
    return (uint8_t)at;
}

struct image_places image_places_of(const struct image_op *o, unsigned dim) {
    static const uint8_t space[] = {1, 2, 3, 2, 1, 2, 2, 2};
    struct image_places p;
    unsigned next = 0;
    memset(&p, NO_PLACE, sizeof p);
    p.coordinates = space[dim & 7];
    if (o->facts & IMAGE_OFFSET) p.offset = take(&next, false);
    if (o->facts & IMAGE_BIAS) p.bias = take(&next, false); // alone in its dword, if short in the low half
    if (o->facts & IMAGE_COMPARE) p.reference = take(&next, false);
    if (o->facts & IMAGE_GRADIENTS)
        for (unsigned d = 0; d < 2; d++) {
            next = (next + 1) & ~1u; // each direction begins a dword
            for (unsigned i = 0; i < p.coordinates; i++) p.gradient[d][i] = take(&next, o->half_gradients);
        }
    next = (next + 1) & ~1u;
    if (!(o->facts & IMAGE_QUERY)) {
        for (unsigned i = 0; i < p.coordinates; i++) p.at[i] = take(&next, o->half);
        if (dim == SURFACE_CUBE || dim == SURFACE_1D_ARRAY || dim == SURFACE_2D_ARRAY ||
            dim == SURFACE_2D_MSAA_ARRAY)
            p.slice = take(&next, o->half);
        if (dim == SURFACE_2D_MSAA || dim == SURFACE_2D_MSAA_ARRAY) p.sample = take(&next, o->half);
    }
    if (o->facts & IMAGE_LEVEL) p.level = take(&next, o->half);
    return p;
}

uint32_t image_dword(struct wave *w, const struct image_op *o, unsigned place, unsigned lane) {
    const unsigned n = place / 2;
    return n < o->words ? rd32((const char *)wave_at(w, o->address[n]) + 4 * lane) : 0;
}
uint32_t image_integer(struct wave *w, const struct image_op *o, unsigned place, unsigned lane) {
    if (place == NO_PLACE) return 0;
    const uint32_t v = image_dword(w, o, place, lane);
    return !o->half ? v : place & 1 ? v >> 16 : v & 0xffff;
}
float image_float(struct wave *w, const struct image_op *o, unsigned place, unsigned lane, bool half) {
    if (place == NO_PLACE) return 0;
    const uint32_t v = image_dword(w, o, place, lane);
    return half ? of_half((uint16_t)(place & 1 ? v >> 16 : v)) : bits_float(v);
}

// Components are packed two to a register, or have one each.
static uint32_t data_place(const struct wave *w, const struct mem_op *mo, uint32_t first, unsigned n,
                           unsigned lane) {
    return first + (mo->d16 == D16_PACKED ? n / 2 : n) * w->stride + 4 * lane;
}

struct image_results {
    uint32_t value[4][MAX_LANES];
    uint64_t lanes; // those that have one
};
static void keep(const struct image_op *o, const uint32_t in[4], bool all, struct image_results *r,
                 unsigned lane) {
    const unsigned mask = all ? 15 : image_mask(o);
    for (unsigned c = 0, n = 0; c < 4; c++)
        if (mask >> c & 1) r->value[n++][lane] = all || o->dmask ? in[c] : 0;
    r->lanes |= 1ull << lane;
}

static void put(struct wave *w, const struct image_op *o, const struct image_results *r, unsigned count) {
    const struct mem_op *mo = &o->mem;
    for (uint64_t left = r->lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(left);
        for (unsigned n = 0; n < count; n++) {
            const uint32_t at = data_place(w, mo, mo->dst, n, lane);
            uint32_t v = r->value[n][lane];
            if (mo->d16) {
                const bool high = mo->d16 == D16_PACKED && n & 1;
                const uint32_t old = o->clears_halves && !high ? 0 : rd32(wave_at(w, at));
                v = high ? (old & 0xffff) | v << 16 : (old & 0xffff0000) | (v & 0xffff);
            }
            put32(w, at, v);
        }
        if (o->status) put32(w, o->status + 4 * lane, 0); // nothing was missing
    }
}
bool image_each_lane(struct wave *w, const struct image_op *o, bool all, image_lane *one, void *context) {
    struct image_results r = {.lanes = 0};
    image_round_plainly();
    EACH_LANE_ON(w, l) {
        uint32_t out[4] = {0};
        if (!one(context, l, out)) return image_end(w, false);
        keep(o, out, all, &r, l);
    }
    put(w, o, &r, all ? 4 : (unsigned)__builtin_popcount(image_mask(o)));
    return image_end(w, true);
}
uint32_t image_data(struct wave *w, const struct image_op *o, unsigned n, unsigned lane) {
    const uint32_t v = rd32(wave_at(w, data_place(w, &o->mem, o->mem.data, n, lane)));
    return o->mem.d16 == D16_PACKED && n & 1 ? v >> 16 : v;
}
