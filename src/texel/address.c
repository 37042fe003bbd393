// SPDX-License-Identifier: MIT
// Where texels lie: levels in a slice, rows or blocks in a level, elements in a row or block.
//
// GFX6 to GFX8    level after level, each with all its slices; linear, or micro tiles of 8 by 8 ("1D thin")
// GFX9            a slice has all levels: one grid of rows or blocks, the levels beside each other
// GFX10 and later a slice has all levels, the smallest first
//
// The smallest levels of a tiled surface share one block, the tail. Elements of 12 bytes are linear.
#include "texel/address.h"

#include <stddef.h>

#include "texel/tiling.h"

static uint32_t at_least_one(uint32_t v) { return v ? v : 1; }
static uint32_t up(uint32_t v, uint32_t by) { return v / by + (v % by != 0); }
static uint32_t shift_up(uint32_t v, unsigned by) {
    return (uint32_t)(((uint64_t)v + (1ull << by) - 1) >> by);
}
static uint64_t align_to(uint64_t v, uint64_t by) { return (v + by - 1) / by * by; }
static uint32_t pow2(uint32_t v) { return v <= 1 ? 1 : 1u << (32 - __builtin_clz(v - 1)); }

static const struct texel_layout *layout_of(const struct texel_surface *s) {
    return &texel_layouts[s->layout];
}

void texel_level_size(const struct texel_surface *s, unsigned level, uint32_t size[3]) {
    size[0] = size[1] = size[2] = 0;
    if (!s->bound || level > 31u || s->first_level + level > s->last_level) return;
    const unsigned l = s->first_level + level;
    size[0] = at_least_one(s->width >> l);
    size[1] = at_least_one(s->height >> l);
    if (s->dimension == SURFACE_3D && !s->layered)
        size[2] = at_least_one(s->depth >> l);
    else
        size[2] = s->last_slice < s->first_slice ? 0 : s->last_slice - s->first_slice + 1;
}

// TILING_INDEX of GFX6 to GFX8, as kernels set the table of tilings.
enum { TILE_DEPTH_GFX8 = 5, TILE_LINEAR = 8, TILE_DISPLAY = 9, TILE_THIN = 13 };

static bool is_linear(const struct texel_surface *s) {
    return s->kind <= RESOURCE_GFX8 ? s->tiling == TILE_LINEAR : s->tiling == 0;
}

// ---- Levels ----

struct level_place {
    uint64_t offset;    // of the level, or of the tail, in its slice
    uint64_t slice;     // bytes from slice to slice, or from thick block to thick block
    uint64_t row;       // bytes from row to row of a linear level
    uint32_t pitch;     // blocks from row to row of a tiled level
    uint32_t left, top; // of the level in the tail, in elements; of GFX9 in its grid, in blocks
    uint32_t tail;      // bytes that GFX9 adds in the tail
};

// Elements of a level: those of level 0, halved up.
static uint32_t level_width(const struct texel_surface *s, unsigned l) {
    return at_least_one(shift_up(up(s->width, layout_of(s)->width), l));
}
static uint32_t level_height(const struct texel_surface *s, unsigned l) {
    return at_least_one(shift_up(up(s->height, layout_of(s)->height), l));
}

// GFX6 to GFX8. Levels above 0 have the sizes of powers of two.
static uint32_t padded(const struct texel_surface *s, uint32_t texels, uint32_t block, unsigned l) {
    const uint32_t size = l && s->pow2_pad ? pow2(texels) : texels;
    return up(at_least_one(size >> l), block);
}
static void old_level(const struct texel_surface *s, unsigned level, struct level_place *p) {
    const struct texel_layout *e = layout_of(s);
    const bool linear = is_linear(s);
    for (unsigned l = 0; l <= level; l++) {
        const uint32_t columns = linear ? (256u / e->bytes > 64 ? 256u / e->bytes : 64) : 8;
        const uint32_t pitch =
            l || !s->pitch ? (uint32_t)align_to(padded(s, s->width, e->width, l), columns) : s->pitch;
        const uint32_t rows = (uint32_t)align_to(padded(s, s->height, e->height, l), linear ? 1 : 8);
        const uint32_t slices = s->dimension == SURFACE_3D ? at_least_one(s->depth >> l) : s->last_slice + 1;
        p->row = (uint64_t)pitch * e->bytes;
        p->pitch = pitch / 8;
        p->slice = align_to(p->row * rows * s->samples, linear ? 1 : 256);
        if (l < level) p->offset += align_to(p->slice * slices, 256);
    }
}

static void linear_gfx9(const struct texel_surface *s, unsigned level, struct level_place *p) {
    uint64_t rows = 0;
    p->row = s->pitch ? (uint64_t)s->pitch * layout_of(s)->bytes
                      : align_to((uint64_t)level_width(s, 0) * layout_of(s)->bytes, 256);
    for (unsigned l = 0; l < s->levels; l++) {
        if (l == level) p->offset = rows * p->row;
        rows += level_height(s, l);
    }
    p->slice = rows * p->row;
}

static void linear_gfx10(const struct texel_surface *s, unsigned level, struct level_place *p) {
    const unsigned bytes = layout_of(s)->bytes;
    for (unsigned l = s->levels; l--;) {
        const uint64_t plain = (uint64_t)level_width(s, l) * bytes;
        const uint64_t wide = s->pitch ? (uint64_t)s->pitch * bytes : plain;
        if (l == level) {
            p->offset = p->slice;
            p->row = s->pitch ? wide : align_to(plain, s->kind >= RESOURCE_GFX12 ? 128 : 256);
        }
        p->slice += (s->pitch ? wide : align_to(plain, 256)) * level_height(s, l);
    }
}

// The tail of a chain of levels: its largest level fits into half a block.
static bool fits_tail(const struct texel_surface *s, struct tile_block b, unsigned l) {
    uint32_t width = b.width, height = b.height;
    if (b.log_bytes <= 8 || s->levels <= 1) return false;
    if (b.thick) {
        if (b.log_bytes % 3 == 0) height /= 2;
        if (b.log_bytes % 3 == 1) width /= 2;
    } else if (b.log_bytes & 1)
        height /= 2;
    else
        width /= 2;
    return level_width(s, l) <= width && level_height(s, l) <= height;
}

static void tiled_gfx10(const struct texel_surface *s, unsigned equation, unsigned log_bytes, unsigned level,
                        struct level_place *p) {
    const struct tile_block b = tiling_block(equation, log_bytes);
    const unsigned effective = b.thick ? b.log_bytes - (b.log_bytes - 8u) / 3 : b.log_bytes;
    const unsigned most = effective <= 8 ? 1 : effective <= 11 ? 1 + (1u << (effective - 9)) : effective - 4;
    unsigned tail = s->levels;
    for (unsigned l = s->levels; l--;)
        if (fits_tail(s, b, l) && s->levels - l <= most) tail = l;
    if (tail < s->levels) p->slice = 1ull << b.log_bytes;
    for (unsigned l = tail; l--;) {
        const uint32_t columns = up(level_width(s, l), b.width);
        if (l == level) p->offset = p->slice, p->pitch = columns;
        p->slice += (uint64_t)columns * up(level_height(s, l), b.height) << b.log_bytes;
    }
    if (level < tail) return;
    // The place in the tail: bits of an offset take turns between y and x, from 256 bytes on.
    const struct tile_block micro = tiling_micro(equation, log_bytes);
    const unsigned m = most - 1 - (level - tail);
    const uint32_t offset = m > 6 ? 16u << m : m << 8;
    uint32_t x = 0, y = 0;
    for (unsigned bit = 0; bit < 6; bit++) {
        y |= (offset >> (8 + 2 * bit) & 1) << bit;
        x |= (offset >> (9 + 2 * bit) & 1) << bit;
    }
    p->pitch = 1;
    p->left = x * micro.width, p->top = y * micro.height;
}

// Levels of GFX9 lie in one grid of blocks: level 1 below level 0 if that is wider than high, else to the
// right of it; level 2 goes the other way, 3 as 1, all others as 2.
static void tiled_gfx9(const struct texel_surface *s, unsigned equation, unsigned log_bytes, unsigned level,
                       struct level_place *p) {
    static const uint16_t tails[16] = {2048, 1024, 512, 256, 128, 64, 32, 16, 8, 6, 5, 4, 3, 2, 1, 0};
    const struct tile_block b = tiling_block(equation, log_bytes);
    const uint32_t width = up(level_width(s, 0), b.width), height = up(level_height(s, 0), b.height);
    const bool down = width >= height;
    uint32_t x = 0, y = 0, right = width, bottom = height, w = width, h = height;
    for (unsigned l = 0; l < s->levels; l++) {
        const bool tail = fits_tail(s, b, l);
        if (tail) w = h = 1;
        if (x + w > right) right = x + w;
        if (y + h > bottom) bottom = y + h;
        if (l == level || (tail && level > l)) {
            p->left = x, p->top = y;
            if (tail)
                p->tail =
                    tails[level - l + 20u - b.log_bytes < 15 ? level - l + 20u - b.log_bytes : 15] * 256u;
        }
        if (tail) break;
        if (down == (l == 0 || l == 2)) // levels 1 and 3 turn, all others go on
            y += h;
        else
            x += w;
        w = up(w, 2), h = up(h, 2);
    }
    if (s->levels == 1 && s->pitch / b.width > right) right = s->pitch / b.width;
    p->pitch = right;
    p->slice = (uint64_t)right * bottom << b.log_bytes;
}

static struct level_place place_level(const struct texel_surface *s, unsigned level) {
    struct level_place p = {0};
    const unsigned log_bytes = (unsigned)__builtin_ctz(layout_of(s)->bytes);
    if (s->kind <= RESOURCE_GFX8)
        old_level(s, level, &p);
    else if (is_linear(s) && s->kind == RESOURCE_GFX9)
        linear_gfx9(s, level, &p);
    else if (is_linear(s))
        linear_gfx10(s, level, &p);
    else if (s->kind == RESOURCE_GFX9)
        tiled_gfx9(s, s->equation, log_bytes, level, &p);
    else
        tiled_gfx10(s, s->equation, log_bytes, level, &p);
    return p;
}

// ---- Elements ----

// Offset in a micro tile of 8 by 8 elements, in elements. Each nibble is a bit of the element's number, from
// the lowest: 0 to 2 are bits of x, 4 to 6 of y.
static uint32_t micro_offset(const struct texel_surface *s, uint32_t x, uint32_t y) {
    static const uint32_t display[5] = {0x645210, 0x654210, 0x652410, 0x652140, 0x652104};
    const unsigned log_bytes = (unsigned)__builtin_ctz(layout_of(s)->bytes);
    const uint32_t order = s->tiling == TILE_DISPLAY ? display[log_bytes] : 0x625140;
    uint32_t offset = 0;
    for (unsigned bit = 0; bit < 6; bit++) {
        const unsigned from = order >> 4 * bit & 15;
        offset |= (from & 4 ? y >> (from & 3) & 1 : x >> from & 1) << bit;
    }
    return offset;
}

static uint64_t tiled_offset(const struct texel_surface *s, const struct level_place *p, uint32_t x,
                             uint32_t y, uint32_t z, uint32_t sample) {
    const unsigned log_bytes = (unsigned)__builtin_ctz(layout_of(s)->bytes);
    const struct tile_block b = tiling_block(s->equation, log_bytes);
    const bool grid = s->kind == RESOURCE_GFX9;
    const uint32_t column = x / b.width + (grid ? p->left : 0), line = y / b.height + (grid ? p->top : 0);
    if (!grid) x += p->left, y += p->top;
    uint64_t offset = p->offset + z / b.depth * p->slice;
    offset += ((uint64_t)line * p->pitch + column) << b.log_bytes;
    if (!p->tail) return offset + tiling_offset(s->equation, log_bytes, x, y, z, sample);
    // The place in the tail is added before the slice is XORed.
    const uint32_t slice = tiling_offset(s->equation, log_bytes, 0, 0, z, 0);
    return offset + ((tiling_offset(s->equation, log_bytes, x, y, 0, 0) + p->tail) ^ slice);
}

bool texel_address(const struct texel_surface *s, unsigned level, uint32_t x, uint32_t y, uint32_t z,
                   uint32_t sample, uint64_t *address, unsigned *bytes) {
    const struct texel_layout *e = layout_of(s);
    uint32_t size[3];
    texel_level_size(s, level, size);
    if (x >= size[0] || y >= size[1] || z >= size[2] || sample >= s->samples) return false;
    x /= e->width, y /= e->height, z += s->first_slice;
    *bytes = e->bytes;
    const struct level_place p = place_level(s, s->first_level + level);
    if (is_linear(s)) {
        *address = s->base + p.offset + z * p.slice + y * p.row + (uint64_t)x * e->bytes;
        return true;
    }
    if (s->kind <= RESOURCE_GFX8) {
        const uint64_t tile = (uint64_t)(y / 8) * p.pitch + x / 8;
        *address = s->base + p.offset + z * p.slice + (tile * 64 + micro_offset(s, x, y)) * e->bytes;
        return true;
    }
    // The base's bits below a block are exchanged with those of the offset.
    const uint64_t offset = tiled_offset(s, &p, x, y, z, sample);
    const uint64_t below =
        ((1ull << tiling_block(s->equation, (unsigned)__builtin_ctz(e->bytes)).log_bytes) - 1);
    *address = (s->base & ~below) + (offset ^ (s->base & below & ~255ull));
    return true;
}

// ---- Surfaces ----

static const char *tiled_problem(struct texel_surface *s) {
    static const char modes[32][20] = {
#define MODE(n) "tiling mode " #n
        MODE(0),  MODE(1),  MODE(2),  MODE(3),  MODE(4),  MODE(5),  MODE(6),  MODE(7),
        MODE(8),  MODE(9),  MODE(10), MODE(11), MODE(12), MODE(13), MODE(14), MODE(15),
        MODE(16), MODE(17), MODE(18), MODE(19), MODE(20), MODE(21), MODE(22), MODE(23),
        MODE(24), MODE(25), MODE(26), MODE(27), MODE(28), MODE(29), MODE(30), MODE(31),
#undef MODE
    };
    const unsigned bytes = layout_of(s)->bytes;
    if (bytes == 12) return "tiled elements of 12 bytes";
    if (s->kind <= RESOURCE_GFX8) {
        const bool depth = s->kind == RESOURCE_GFX8 && s->tiling == TILE_DEPTH_GFX8; // GFX6 and GFX7 differ
        return depth || s->tiling == TILE_DISPLAY || s->tiling == TILE_THIN ? NULL : modes[s->tiling & 31];
    }
    s->equation = (uint8_t)tiling_find(s, (unsigned)__builtin_ctz(bytes));
    if (!s->equation) return modes[s->tiling & 31];
    if (s->kind == RESOURCE_GFX9 && s->levels > 1) {
        if (tiling_block(s->equation, (unsigned)__builtin_ctz(bytes)).thick)
            return "levels of a thick tiling (GFX9)";
    }
    return NULL;
}

const char *texel_tiling_problem(struct texel_surface *s) {
    if (!is_linear(s)) {
        const char *why = tiled_problem(s);
        if (why) return why;
    }
    if (s->samples > 1 && (is_linear(s) || s->kind <= RESOURCE_GFX8))
        return "a multisampled image that is linear";
    return NULL;
}

bool texel_surface_bytes(const struct texel_surface *s, uint64_t *bytes, uint64_t *alignment) {
    *bytes = 0, *alignment = 256;
    if (!s->bound) return false;
    struct level_place p = place_level(s, s->kind <= RESOURCE_GFX8 ? s->levels - 1u : 0);
    uint64_t slices = s->dimension == SURFACE_3D && !s->layered ? s->depth : (uint64_t)s->last_slice + 1;
    if (s->kind <= RESOURCE_GFX8 && s->dimension == SURFACE_3D)
        slices = at_least_one(s->depth >> (s->levels - 1u));
    if (!is_linear(s) && s->kind >= RESOURCE_GFX9) {
        const struct tile_block b = tiling_block(s->equation, (unsigned)__builtin_ctz(layout_of(s)->bytes));
        *alignment = 1ull << b.log_bytes;
        slices = (slices + b.depth - 1) / b.depth;
    }
    *bytes = (s->kind <= RESOURCE_GFX8 ? p.offset : 0) + p.slice * slices;
    return true;
}
