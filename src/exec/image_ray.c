// SPDX-License-Identifier: MIT
// A ray against one node of a BVH tree: the boxes of an inner node, or a triangle. The node formats are those
// of GFX10.3 and GFX11, which GFX12 has, too. AMD does not publish the order of the roundings, so results are
// approximate: those of float arithmetic as written here.
#include <math.h>

#include "exec/image.h"
#include "exec/image_operands.h"
#include "exec/image_surface.h"
#include "isa/isa.h"
#include "texel/half.h"

enum { NODE_BYTES = 64 };
enum node_type { TRIANGLE_0, TRIANGLE_1, TRIANGLE_2, TRIANGLE_3, BOXES_F16, BOXES_F32 }; // others: nothing
enum { NO_NODE = 0xffffffff };

// What the resource says.
enum heuristic { CLOSEST, LARGEST, MIDPOINT, UNSORTED };
struct tree {
    uint64_t base, last; // the last node's number, in units of NODE_BYTES
    enum heuristic order;
    float grown; // what the far end of a box counts more
    bool has_flags;
};

struct ray {
    uint64_t node;
    float extent, origin[3], direction[3], inverse[3];
};

// Flags in the pointer to a node, of 64-bit pointers.
enum pointer_flag {
    FORCE_OPAQUE,
    FORCE_NON_OPAQUE,
    NO_CULLING,
    FLIP_FACE,
    CULL_BACK,
    CULL_FRONT,
    CULL_OPAQUE,
    CULL_NON_OPAQUE,
    SKIP_TRIANGLES,
    SKIP_PROCEDURAL,
    FIRST_FLAG = 54
};
static bool has_flag(const struct tree *t, const struct ray *r, enum pointer_flag flag) {
    return t->has_flags && r->node >> (FIRST_FLAG + flag) & 1;
}
static uint64_t place_of(const struct tree *t, const struct ray *r) {
    return t->has_flags ? r->node & ((1ull << FIRST_FLAG) - 1) : r->node;
}

// ---- The resource and the operands ----

static enum image_found find_tree(struct wave *w, const struct op *op, struct tree *out) {
    const struct image_op *o = image_op_of(op);
    enum { IS_TREE = 8 };
    uint32_t words[4];
    for (unsigned i = 0; i < 4; i++) words[i] = rd32((const char *)wave_at(w, o->mem.srsrc) + 4 * i);
    if (words[3] >> 28 != IS_TREE) return IMAGE_NOTHING; // BUF-59
    const bool later = o->kind >= RESOURCE_GFX11, newest = o->kind >= RESOURCE_GFX12;
    *out = (struct tree){.base = (words[0] | (uint64_t)(words[1] & 255) << 32) << 8,
                         .last = words[2] | (uint64_t)(words[3] & 0x3ff) << 32,
                         .order = !(words[1] >> 31) ? UNSORTED
                                  : later           ? (enum heuristic)(words[1] >> 21 & 3)
                                                    : CLOSEST,
                         .grown = 1 + ldexpf((float)(words[1] >> 23 & 255), -24),
                         .has_flags = later && o->facts & IMAGE_NODE64 && words[3] >> 23 & 1};
    const char *why = newest && words[3] >> 19 & 15 ? "a BVH tree in GFX12's own formats"
                      : !(words[3] >> 24 & 1)       ? "a BVH tree whose triangles are returned by number"
                                                    : NULL;
    if (!why) return IMAGE_FOUND;
    return image_refuse(w, op, why), IMAGE_FAULTED;
}

static struct ray ray_of(struct wave *w, const struct image_op *o, unsigned lane) {
    // Halves of direction and inverse, by the dword they stand in: each kind packs them in its own way.
    static const uint8_t packed[2][6] = {{0, 1, 2, 3, 4, 5}, {0, 2, 4, 1, 3, 5}};
    const bool wide = o->facts & IMAGE_NODE64;
    const uint8_t *at = packed[o->kind >= RESOURCE_GFX11];
    unsigned next = 2u * (wide ? 2 : 1);
    struct ray r = {.node = image_dword(w, o, 0, lane)};
    if (wide) r.node |= (uint64_t)image_dword(w, o, 2, lane) << 32;
    r.extent = image_float(w, o, next, lane, false);
    for (unsigned i = 0; i < 3; i++) r.origin[i] = image_float(w, o, next += 2, lane, false);
    next += 2;
    for (unsigned i = 0; i < 3; i++) {
        r.direction[i] = image_float(w, o, o->half ? next + at[i] : next + 2 * i, lane, o->half);
        r.inverse[i] = image_float(w, o, o->half ? next + at[3 + i] : next + 6 + 2 * i, lane, o->half);
    }
    return r;
}

// ---- Boxes ----

struct box {
    float low[3], high[3];
};
static struct box box_of(const uint8_t *node, bool half, unsigned child) {
    struct box b;
    for (unsigned i = 0; i < 3; i++)
        if (half) { // {low x, low y}, {low z, high x}, {high y, high z}
            const uint8_t *at = node + 16 + 12 * child;
            b.low[i] = of_half((uint16_t)(at[2 * i] | at[2 * i + 1] << 8));
            b.high[i] = of_half((uint16_t)(at[6 + 2 * i] | at[7 + 2 * i] << 8));
        } else {
            const uint8_t *at = node + 16 + 24 * child;
            b.low[i] = bits_float(rd32(at + 4 * i));
            b.high[i] = bits_float(rd32(at + 12 + 4 * i));
        }
    return b;
}

// Whether the ray meets the box, and by what the child is sorted.
static bool meets(const struct tree *t, const struct ray *r, const struct box *b, float *key) {
    float begin = -INFINITY, end = INFINITY;
    for (unsigned i = 0; i < 3; i++) {
        const float low = (b->low[i] - r->origin[i]) * r->inverse[i],
                    high = (b->high[i] - r->origin[i]) * r->inverse[i];
        if (low != low || high != high) return false;
        const bool falls = signbit(r->inverse[i]);
        begin = fmaxf(begin, falls ? high : low);
        end = fminf(end, falls ? low : high);
    }
    const float from = fmaxf(begin, 0), to = fminf(end, r->extent);
    *key = t->order == LARGEST ? from - to : t->order == MIDPOINT ? begin + end : from;
    return from <= to * t->grown; // false for an extent that is no number
}

// Children that hold nothing that the ray asks for, as the node says of each.
static bool is_skipped(const struct tree *t, const struct ray *r, unsigned says) {
    enum { ONLY_OPAQUE = 1, ONLY_NON_OPAQUE = 2, ONLY_TRIANGLES = 4, ONLY_PROCEDURAL = 8 };
    return (says & ONLY_OPAQUE && has_flag(t, r, CULL_OPAQUE)) ||
           (says & ONLY_NON_OPAQUE && has_flag(t, r, CULL_NON_OPAQUE)) ||
           (says & ONLY_TRIANGLES && has_flag(t, r, SKIP_TRIANGLES)) ||
           (says & ONLY_PROCEDURAL && has_flag(t, r, SKIP_PROCEDURAL));
}

static void test_boxes(const struct tree *t, const struct ray *r, const uint8_t *node, bool half,
                       uint32_t out[4]) {
    static const uint8_t network[][2] = {{0, 2}, {1, 3}, {0, 1}, {2, 3}, {1, 2}};
    enum { CHILD_FLAGS = 112 };
    float keys[4];
    for (unsigned c = 0; c < 4; c++) {
        const struct box b = box_of(node, half, c);
        out[c] = rd32(node + 4 * c);
        if (out[c] == NO_NODE || (!half && is_skipped(t, r, node[CHILD_FLAGS + c])) ||
            !meets(t, r, &b, &keys[c]))
            out[c] = NO_NODE;
    }
    for (unsigned i = 0; t->order != UNSORTED && i < sizeof network / sizeof *network; i++) {
        const unsigned a = network[i][0], b = network[i][1];
        if (out[b] == NO_NODE || (out[a] != NO_NODE && !(keys[b] < keys[a]))) continue;
        const uint32_t child = out[a];
        const float key = keys[a];
        out[a] = out[b], keys[a] = keys[b];
        out[b] = child, keys[b] = key;
    }
}

// ---- Triangles ----

static void minus(const float a[3], const float b[3], float out[3]) {
    for (unsigned i = 0; i < 3; i++) out[i] = a[i] - b[i];
}
static void cross(const float a[3], const float b[3], float out[3]) {
    for (unsigned i = 0; i < 3; i++) {
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}
static float dot(const float a[3], const float b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// What the node says of a triangle.
enum { SOURCE_BITS = 2, FLIPPED = 1 << 5, OPAQUE = 1 << 7, DOUBLE_SIDED = 1 << 4 };

static bool is_culled(const struct tree *t, const struct ray *r, unsigned says, float denominator) {
    const bool opaque = has_flag(t, r, FORCE_OPAQUE)       ? true
                        : has_flag(t, r, FORCE_NON_OPAQUE) ? false
                                                           : says & OPAQUE;
    const bool back = (denominator < 0) ^ has_flag(t, r, FLIP_FACE) ^ !!(says & FLIPPED);
    const bool sides = !(says & DOUBLE_SIDED) && !has_flag(t, r, NO_CULLING);
    return has_flag(t, r, SKIP_TRIANGLES) || has_flag(t, r, opaque ? CULL_OPAQUE : CULL_NON_OPAQUE) ||
           (sides && has_flag(t, r, back ? CULL_BACK : CULL_FRONT));
}

// Distance and barycentric coordinates, each to be divided by the second number (Moeller and Trumbore).
static void test_triangle(const struct tree *t, const struct ray *r, const uint8_t *node, bool second,
                          uint32_t out[4]) {
    static const uint8_t corners[2][3] = {{0, 1, 2}, {1, 3, 2}};
    enum { SAYS = 60 };
    float v[3][3], e1[3], e2[3], from[3], s1[3], s2[3];
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++) v[i][k] = bits_float(rd32(node + 12 * corners[second][i] + 4 * k));
    minus(v[1], v[0], e1);
    minus(v[2], v[0], e2);
    minus(r->origin, v[0], from);
    cross(r->direction, e2, s1);
    cross(from, e1, s2);
    const float distance = dot(e2, s2), denominator = dot(s1, e1), i = dot(from, s1),
                j = dot(r->direction, s2);
    const unsigned says = node[SAYS + second];
    const float sign = denominator < 0 ? -1.0f : 1.0f, size = denominator * sign;
    const bool inside =
        size > 0 && i * sign >= 0 && j * sign >= 0 && (i + j) * sign <= size && distance * sign >= 0;
    const float parts[4] = {denominator - i - j, i, j, 0};
    const bool hit = inside && !is_culled(t, r, says, denominator);
    out[0] = float_bits(hit ? distance : INFINITY);
    out[1] = float_bits(hit ? denominator : 1.0f);
    out[2] = float_bits(hit ? parts[says & 3] : 0.0f);
    out[3] = float_bits(hit ? parts[says >> SOURCE_BITS & 3] : 0.0f);
}

// ---- The instruction ----

static bool test_node(struct wave *w, const struct op *op, const struct tree *t, const struct ray *r,
                      unsigned lane, uint32_t out[4]) {
    const uint64_t place = place_of(t, r), number = place >> 3;
    const unsigned type = place & 7, nodes = type == BOXES_F32 ? 2 : 1;
    uint8_t *node;
    for (unsigned i = 0; i < 4; i++) out[i] = NO_NODE;
    if (type > BOXES_F32 || number > t->last || t->last - number < nodes - 1) return true;
    if (type == TRIANGLE_2 || type == TRIANGLE_3)
        return image_refuse(w, op, "the third or fourth triangle of a BVH node");
    if (!image_bytes(w, op, lane, t->base + number * NODE_BYTES, nodes * NODE_BYTES, RIGHT_READ, &node))
        return false;
    if (type >= BOXES_F16)
        test_boxes(t, r, node, type == BOXES_F16, out);
    else
        test_triangle(t, r, node, type == TRIANGLE_1, out);
    return true;
}

struct shooting {
    struct wave *w;
    const struct op *op;
    struct tree tree;
};
static bool shoot(void *shooting, unsigned lane, uint32_t out[4]) {
    const struct shooting *s = shooting;
    const struct ray r = ray_of(s->w, image_op_of(s->op), lane);
    return test_node(s->w, s->op, &s->tree, &r, lane, out);
}

bool image_intersect_ray(struct wave *w, const struct op *op) {
    struct shooting s = {.w = w, .op = op};
    const enum image_found found = find_tree(w, op, &s.tree);
    if (found != IMAGE_FOUND) return found == IMAGE_NOTHING;
    return image_each_lane(w, image_op_of(op), true, shoot, &s);
}
