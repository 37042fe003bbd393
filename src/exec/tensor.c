// SPDX-License-Identifier: MIT
// Tiles of tensors. The descriptor says where the tile begins and how large tile and tensor are from there
// on; elements outside of the tensor are loaded as zeros and not stored. In LDS elements lie one behind the
// other, with gaps after so many bytes if the descriptor asks a load for them. Rows may be named one by one,
// and one descriptor may move several tiles.
#include "exec/tensor.h"

#include <string.h>

#include "exec/image_surface.h"
#include "exec/lds_barrier.h"

enum { DIMENSIONS = 5, ROW_NUMBERS = 16, NO_LANE = -1 };
enum { DESCRIPTOR_VALID = 1, DESCRIPTOR_IMAGE = 2, MOST_TILES = 256 };

struct tile {
    uint64_t memory;             // its first element
    uint32_t lds;                // and that in LDS, in bytes
    unsigned size;               // bytes of an element
    uint32_t extent[DIMENSIONS]; // elements of the tile; 1 in dimensions that it does not have
    uint32_t bound[DIMENSIONS];  // of the tensor from the first element on
    uint64_t stride[DIMENSIONS]; // elements from one to the next
    uint32_t gap_after, gap;     // of loads: bytes; 0: no gaps
    bool named;                  // the second dimension counts these rows
    uint32_t rows[ROW_NUMBERS];
    unsigned count; // tiles that are moved, each so many elements behind the one before
    uint64_t memory_step;
    uint32_t lds_step;
    bool arrives; // at the barrier there
    uint32_t barrier;
};

// ---- The descriptor: four groups of dwords, 128 and 256 bits, then 128 and 128 ----

enum { GROUP_DWORDS = 8 };
typedef uint32_t groups[TENSOR_GROUPS][GROUP_DWORDS];

static uint64_t field_of(const uint32_t *words, unsigned low, unsigned count) {
    uint64_t v = 0;
    for (unsigned n = 0; n < count; n += 32 - (low + n) % 32)
        v |= (uint64_t)(words[(low + n) / 32] >> (low + n) % 32) << n;
    return v & ~0ull >> (64 - count);
}

static void put_rows(const groups g, bool wide, struct tile *t) {
    t->named = true;
    for (unsigned i = 0; i < ROW_NUMBERS; i++)
        t->rows[i] = wide ? g[2 + i / 4 % 2][i % 4] : (uint32_t)field_of(g[2 + i / 8], i % 8 * 16, 16);
    for (unsigned d = 2; d < DIMENSIONS; d++) t->extent[d] = t->bound[d] = 1;
}

static void put_dimensions(const groups g, struct tile *t) {
    const uint32_t extents[] = {(uint32_t)field_of(g[1], 112, 16), (uint32_t)field_of(g[1], 128, 16),
                                (uint32_t)field_of(g[1], 144, 16), (uint32_t)field_of(g[2], 112, 16),
                                (uint32_t)field_of(g[3], 80, 16)};
    const uint32_t bounds[] = {(uint32_t)field_of(g[1], 48, 32), (uint32_t)field_of(g[1], 80, 32), g[2][0],
                               g[2][1], (uint32_t)field_of(g[3], 48, 32)};
    const uint64_t strides[] = {1, field_of(g[1], 160, 48), field_of(g[1], 208, 48), field_of(g[2], 64, 48),
                                field_of(g[3], 0, 48)};
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        const bool has = d == 0 || extents[d];
        t->extent[d] = has ? extents[d] : 1;
        t->bound[d] = has ? bounds[d] : 1;
        t->stride[d] = strides[d];
    }
}

// With iteration the fields of the fourth dimension say how the tiles follow each other.
static void put_iteration(const groups g, struct tile *t) {
    t->count = (unsigned)field_of(g[2], 112, 16) + 1;
    t->memory_step = field_of(g[2], 64, 48);
    t->lds_step = g[2][1];
    t->extent[3] = t->bound[3] = t->extent[4] = t->bound[4] = 1;
}

// NULL, or why the descriptor is refused.
static const char *decode(const groups g, bool stores, struct tile *t) {
    const bool named = g[0][0] >> 31, wide = g[0][0] >> 30 & 1;
    *t = (struct tile){.memory = field_of(g[0], 64, 57),
                       .lds = g[0][1],
                       .size = 1u << field_of(g[1], 16, 2),
                       .count = 1,
                       .arrives = field_of(g[1], 18, 1),
                       .barrier = (uint32_t)field_of(g[1], 32, 16) << 3};
    if (g[0][0] & 6 || (g[0][0] & 3) > DESCRIPTOR_VALID) return "a tensor descriptor of a context switch";
    if (field_of(g[0], 126, 2) != DESCRIPTOR_IMAGE) return "a tensor descriptor whose type is not 2";
    put_dimensions(g, t);
    if (named) {
        put_rows(g, wide, t);
        t->extent[1] = (uint32_t)field_of(g[1], 128, 16);
        t->bound[1] = (uint32_t)field_of(g[1], 80, 32);
        if (t->extent[1] > (wide ? ROW_NUMBERS / 2 : ROW_NUMBERS))
            return "more rows of a tensor than numbers of them";
    } else if (field_of(g[1], 19, 1))
        put_iteration(g, t);
    if (t->count > MOST_TILES) return "more than 256 tiles of one tensor descriptor";
    if (!stores && field_of(g[1], 20, 1)) {
        t->gap_after = 8u << field_of(g[1], 22, 3);
        t->gap = 4 * ((uint32_t)field_of(g[1], 25, 7) + 1);
    }
    return NULL;
}

// ---- Moving ----

struct transfer {
    struct wave *w;
    const struct op *op;
    const struct tile *t;
    bool stores;
    uint64_t lds; // the next byte there
    uint32_t run; // bytes since the last gap
};

// How many of n bytes from `a` on in memory are the wave's in one piece, and where; 0: a fault.
static uint64_t reach(const struct transfer *x, uint64_t a, uint64_t n, uint8_t **out) {
    const uint32_t right = x->stores ? RIGHT_WRITE : RIGHT_READ;
    if (!image_bytes(x->w, x->op, (unsigned)NO_LANE, a, 1, right, out)) return 0;
    const uint64_t left = x->w->ranges[((const struct tensor_op *)x->op->extra)->mem.slot].last - a + 1;
    return left && left < n ? left : n;
}

// How many of n bytes stand at the place in LDS before the next gap, and how many of these are the
// work-group's; goes on behind them.
static uint64_t pass(struct transfer *x, uint64_t n, uint8_t **out, uint64_t *inside) {
    const struct tile *t = x->t;
    if (t->gap_after && n > t->gap_after - x->run) n = t->gap_after - x->run;
    const uint64_t limit = x->w->lds_limit;
    *out = x->w->lds + x->lds;
    *inside = x->lds >= limit ? 0 : limit - x->lds < n ? limit - x->lds : n;
    x->lds += n;
    x->run += (uint32_t)n;
    if (t->gap_after && x->run >= t->gap_after) x->run = 0, x->lds += t->gap;
    return n;
}

// Bytes that are in the tensor. What lies outside of LDS is neither loaded nor stored.
static bool move_bytes(struct transfer *x, uint64_t a, uint64_t n) {
    while (n) {
        uint8_t *memory, *lds;
        uint64_t inside;
        const uint64_t piece = pass(x, n, &lds, &inside);
        for (uint64_t at = 0, some; at < inside; at += some) {
            some = reach(x, a + at, inside - at, &memory);
            if (!some) return false;
            memcpy(x->stores ? memory : lds + at, x->stores ? lds + at : memory, some);
        }
        a += piece, n -= piece;
    }
    return true;
}
static void skip_bytes(struct transfer *x, uint64_t n) {
    while (n) {
        uint8_t *lds;
        uint64_t inside;
        n -= pass(x, n, &lds, &inside);
        if (inside && !x->stores) memset(lds, 0, inside);
    }
}

static bool move_row(struct transfer *x, uint64_t a, bool is_inside) {
    const struct tile *t = x->t;
    const uint32_t valid = !is_inside ? 0 : t->bound[0] < t->extent[0] ? t->bound[0] : t->extent[0];
    if (!move_bytes(x, a, (uint64_t)valid * t->size)) return false;
    skip_bytes(x, (uint64_t)(t->extent[0] - valid) * t->size);
    return true;
}

// Rows are moved in order, until one begins behind the LDS that there is.
static bool move_tile(struct transfer *x, uint64_t memory, uint64_t lds) {
    const struct tile *t = x->t;
    uint32_t at[DIMENSIONS] = {0};
    unsigned d;
    x->lds = lds;
    x->run = 0;
    do {
        uint64_t element = 0;
        bool inside = true;
        for (d = 1; d < DIMENSIONS; d++) {
            const uint32_t place = d == 1 && t->named ? t->rows[at[1]] : at[d];
            inside &= place < t->bound[d];
            element += place * t->stride[d];
        }
        if (x->lds >= x->w->lds_limit) break;
        if (!move_row(x, memory + element * t->size, inside)) return false;
        for (d = 1; d < DIMENSIONS && ++at[d] >= t->extent[d]; d++) at[d] = 0;
    } while (d < DIMENSIONS);
    return true;
}

bool tensor_transfer(struct wave *w, const struct op *op) {
    const struct tensor_op *o = op->extra;
    groups g = {{0}};
    struct tile t;
    for (unsigned i = 0; i < TENSOR_GROUPS; i++)
        memcpy(g[i], wave_at(w, o->group[i]), i == 1 ? sizeof g[i] : sizeof g[i] / 2);
    if (!(g[0][0] & 3)) return true; // no descriptor: nothing is moved, and nobody told
    const char *why = decode(g, o->stores, &t);
    if (why) return image_refuse(w, op, why);
    if (!t.extent[0]) return true;
    struct transfer x = {.w = w, .op = op, .t = &t, .stores = o->stores};
    for (unsigned n = 0; n < t.count && t.extent[1]; n++)
        if (!move_tile(&x, t.memory + n * t.memory_step * t.size,
                       (uint64_t)t.lds + (uint64_t)n * t.lds_step * t.size))
            return false;
    if (t.arrives) lds_barrier_arrive(w, t.barrier, 1);
    return true;
}
