// SPDX-License-Identifier: MIT
// A ray against two nodes of a BVH tree, or one node of GFX12: eight boxes on a grid, an instance that
// carries the ray into a tree of its own, a pair of triangles of a packed structure. The formats are those
// that AMD's ray tracing library writes; results are approximate, as in image_ray.c.
#include <math.h>

#include "exec/image_operands.h"
#include "exec/image_ray.h"
#include "isa/isa.h"
#include "texel/half.h"

// Dwords of the address.
enum { AT_BASE = 0, AT_EXTENT = 2, AT_MASK, AT_ORIGIN, AT_DIRECTION = 7, AT_NODE = 10, ADDRESS_DWORDS = 12 };
enum { RESULTS = 10, SECOND = 4, GEOMETRY = 8 }; // words of the result

struct shot {
    struct wave *w;
    const struct op *op;
    const struct tree *tree;
    unsigned lane;
    struct ray ray;      // whose node is the tree's base
    uint32_t mask;       // of instances
    uint32_t pointer[2]; // of nodes
    uint32_t out[RESULTS];
    bool moved; // the ray was carried into an instance
};

static float dword_float(const uint8_t *at) { return bits_float(rd32(at)); }

// ---- Boxes on a grid ----

// One child: three dwords of {low x, low y, flags 4}, {low z, high x, mask 8}, {high y, high z, type 4, how
// many nodes of 128 bytes 4}, in steps of 12 bits.
struct grid {
    float origin[3], step[3];
};
static struct grid grid_of(const uint8_t *origin, uint32_t exponents) {
    enum { BIAS = 127, STEP_BITS = 12 };
    struct grid g;
    for (unsigned i = 0; i < 3; i++) {
        g.origin[i] = dword_float(origin + 4 * i);
        g.step[i] = ldexpf(1, (int)(exponents >> 8 * i & 255) - BIAS - STEP_BITS);
    }
    return g;
}
static struct box grid_box(const struct grid *g, const uint8_t *child) {
    const uint32_t a = rd32(child), b = rd32(child + 4), c = rd32(child + 8);
    const uint32_t low[3] = {a & 0xfff, a >> 12 & 0xfff, b & 0xfff},
                   high[3] = {b >> 12 & 0xfff, c & 0xfff, c >> 12 & 0xfff};
    struct box out;
    for (unsigned i = 0; i < 3; i++) {
        out.low[i] = g->origin[i] + (float)low[i] * g->step[i];
        out.high[i] = g->origin[i] + (float)(high[i] + 1) * g->step[i];
    }
    return out;
}

// Of `count` children those that the ray meets, in order. Nodes of boxes and leaves lie each in a row from
// their first on; who shares its node with the child before stands once.
struct grid_children {
    const uint8_t *child;
    struct grid grid;
    unsigned count;
    uint32_t inner, leaf;
    bool masked; // by which instances a child has
};
static void meet_grid(const struct shot *s, const struct ray *r, struct grid_children *c, uint32_t nodes[8],
                      float keys[8]) {
    enum { CHILD_BYTES = 12, BOXES_GRID = 5 };
    uint32_t before = NO_NODE;
    for (unsigned i = 0; i < 8; i++) nodes[i] = NO_NODE, keys[i] = 0;
    for (unsigned i = 0; i < c->count; i++) {
        const uint8_t *at = c->child + CHILD_BYTES * i;
        const uint32_t says = rd32(at) >> 24 & 15, mask = rd32(at + 4) >> 24, last = rd32(at + 8) >> 24;
        uint32_t *run = (last & 15) == BOXES_GRID ? &c->inner : &c->leaf;
        const uint32_t pointer = *run | (last & 15);
        const struct box b = grid_box(&c->grid, at);
        *run += (last >> 4) << 4;
        if (ray_skips(s->tree, &s->ray, says) || (c->masked && !(mask & s->mask))) continue;
        if (!ray_meets(s->tree, r, &b, &keys[i]) || pointer == before) continue;
        nodes[i] = before = pointer;
    }
}

static void sort_children(const struct tree *t, unsigned last_leaf, uint32_t nodes[8], float keys[8]) {
    if (t->sorts_eight) {
        ray_sort(t, last_leaf, 8, nodes, keys);
        return;
    }
    ray_sort(t, last_leaf, 4, nodes, keys);
    ray_sort(t, last_leaf, 4, nodes + 4, keys + 4);
}

// n nodes of the pointer's kind at `offset` in bytes from the base; *out NULL: outside of the tree. False: a
// fault.
static bool fetch(struct shot *s, uint64_t offset, unsigned nodes, uint8_t **out) {
    const uint64_t number = ray_place(s->tree, &s->ray) >> 3;
    const uint64_t first = number + offset / NODE_BYTES;
    *out = NULL;
    if (first > s->tree->last || s->tree->last - first < nodes - 1) return true;
    return image_bytes(s->w, s->op, s->lane, s->tree->base + first * NODE_BYTES, nodes * NODE_BYTES,
                       RIGHT_READ, out);
}

// Base of inner nodes, base of leaves, parent, origin, {exponents 8 each, no sorting 1, place in the parent
// 3, children less one 3}, number of a rotation, children.
static bool test_grid(struct shot *s) {
    enum {
        INNER = 0,
        LEAF = 4,
        ORIGIN = 12,
        EXPONENTS = 24,
        ROTATION = 28,
        CHILDREN = 32,
        NO_ROTATION = 0x7f
    };
    uint8_t *node;
    float keys[8];
    if (!fetch(s, (uint64_t)(s->pointer[0] & ~7u) << 3, 2, &node)) return false;
    if (!node) return true;
    if ((rd32(node + ROTATION) & 0x7f) != NO_ROTATION)
        return image_refuse(s->w, s->op, "a BVH node whose boxes are rotated");
    const uint32_t packed = rd32(node + EXPONENTS);
    struct grid_children c = {.child = node + CHILDREN,
                              .grid = grid_of(node + ORIGIN, packed),
                              .count = 1 + (packed >> 28 & 7),
                              .inner = rd32(node + INNER),
                              .leaf = rd32(node + LEAF),
                              .masked = true};
    meet_grid(s, &s->ray, &c, s->out, keys);
    if (!(packed >> 24 & 1)) sort_children(s->tree, LAST_TRIANGLE, s->out, keys);
    return true;
}

// ---- Instances ----

static float row_times(const uint8_t *row, const float v[3], float last) {
    float sum = v[2] * dword_float(row + 8) + last;
    sum = v[1] * dword_float(row + 4) + sum;
    return v[0] * dword_float(row) + sum;
}
static struct ray carried(const uint8_t *node, const struct ray *r) {
    struct ray to = *r;
    for (unsigned i = 0; i < 3; i++) {
        const uint8_t *row = node + 16 * i;
        to.origin[i] = row_times(row, r->origin, dword_float(row + 12));
        to.direction[i] = row_times(row, r->direction, 0);
    }
    for (unsigned i = 0; i < 3; i++) to.inverse[i] = 1 / to.direction[i];
    return to;
}

// The base of the instance's tree, with the flags of both; what forces opacity replaces the instance's word
// on it.
static uint64_t child_base(uint64_t base, uint64_t child) {
    const uint64_t forces = 3ull << FIRST_FLAG, flags = ~0ull << FIRST_FLAG;
    if (base & forces) child &= ~forces;
    return (child & ~7ull) | (base & flags);
}

// World to object, 3 rows of 4; base of the tree 64; root or parent; {user data 24, mask 8}; behind that a
// node of four boxes without bases, whose pointers of 8 bits the instruction returns.
static bool test_instance(struct shot *s) {
    enum { BASE = 48, ROOT = 56, SAYS = 60, GRID = 64, EXPONENTS = 12, CHILDREN = 16 };
    const struct tree *t = s->tree;
    uint8_t *node;
    if (!t->has_instances) return true;
    if (!fetch(s, (uint64_t)(s->pointer[0] & ~7u) << 3, 2, &node)) return false;
    if (!node) return true;
    const uint64_t base = rd64(node + BASE);
    const uint32_t says = rd32(node + SAYS);
    const bool procedural = base >> 62 & 1;
    const bool culled =
        !(says >> 24 & s->mask) || ray_has_flag(t, &s->ray, procedural ? SKIP_PROCEDURAL : SKIP_TRIANGLES);
    const uint64_t to = child_base(s->ray.node, base);
    s->out[2] = (uint32_t)to, s->out[3] = (uint32_t)(to >> 32);
    s->out[6] = says & 0xffffff;
    if (culled) return true;
    s->ray = carried(node, &s->ray);
    s->moved = true;
    if (!t->compressed) {
        s->out[7] = rd32(node + ROOT);
        return true;
    }
    const uint32_t packed = rd32(node + GRID + EXPONENTS);
    struct grid_children c = {.child = node + GRID + CHILDREN,
                              .grid = grid_of(node + GRID, packed),
                              .count = 1 + (packed >> 28 & 3)};
    uint32_t nodes[8];
    float keys[8];
    meet_grid(s, &s->ray, &c, nodes, keys);
    if (!(packed >> 24 & 1)) ray_sort(t, LAST_TRIANGLE, 4, nodes, keys);
    s->out[7] = (nodes[0] & 255) | (nodes[1] & 255) << 8 | (nodes[2] & 255) << 16 | nodes[3] << 24;
    return true;
}

// ---- Pairs of triangles ----

enum { STRUCTURE_BITS = 1024, HEADER_BITS = 52, PAIR_BITS = 29 };
static uint32_t bits_at(const uint8_t *node, unsigned at, unsigned count) {
    uint64_t v = 0;
    for (unsigned n = 0; n < count && at + n < STRUCTURE_BITS; n++) // few, and anywhere
        v |= (uint64_t)(node[(at + n) / 8] >> (at + n) % 8 & 1) << n;
    return (uint32_t)v;
}

// Vertices share their upper bits by component; and trailing zeros, which are not kept.
struct packing {
    unsigned zeros, payload[3], prefix[3];
};
static struct packing packing_of(const uint8_t *node) {
    struct packing p = {.zeros = bits_at(node, 15, 5)};
    for (unsigned i = 0; i < 3; i++) {
        p.payload[i] = bits_at(node, 5 * i, 5) + 1;
        p.prefix[i] = p.zeros + p.payload[i] < 32 ? 32 - p.zeros - p.payload[i] : 0;
    }
    return p;
}
static void read_vertex(const uint8_t *node, const struct packing *p, unsigned number, float out[3]) {
    unsigned prefix_at = HEADER_BITS, at = HEADER_BITS + p->prefix[0] + p->prefix[1] + p->prefix[2] +
                                           number * (p->payload[0] + p->payload[1] + p->payload[2]);
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t high =
            p->prefix[i] ? bits_at(node, prefix_at, p->prefix[i]) << (32 - p->prefix[i]) : 0;
        out[i] = bits_float(high | bits_at(node, at, p->payload[i]) << p->zeros);
        prefix_at += p->prefix[i];
        at += p->payload[i];
    }
}

// Numbers of triangles: the first one's as the anchor, those of the others with its upper bits or as they
// are.
static uint32_t number_of(const uint8_t *node, unsigned triangle, unsigned anchor_at, unsigned anchor_bits,
                          unsigned own_at, unsigned own_bits) {
    const uint32_t anchor = bits_at(node, anchor_at, anchor_bits);
    if (!triangle) return anchor;
    const uint32_t own = bits_at(node, own_at, own_bits);
    return own_bits >= anchor_bits ? own : (anchor & ~((1u << own_bits) - 1)) | own;
}
static uint32_t primitive_of(const uint8_t *node, unsigned triangle) {
    const unsigned middle = bits_at(node, 42, 10), anchor = bits_at(node, 32, 5), own = bits_at(node, 37, 5);
    return number_of(node, triangle, middle, anchor, middle + anchor + (triangle - 1) * own, own);
}
static uint32_t geometry_of(const uint8_t *node, unsigned triangle) {
    const unsigned middle = bits_at(node, 42, 10), anchor = 2 * bits_at(node, 20, 4),
                   own = 2 * bits_at(node, 24, 4);
    return number_of(node, triangle, middle - anchor, anchor, middle - anchor - triangle * own, own);
}

// One triangle of a pair: {third, second, first vertex 4 each, opaque, double sided}, the first one above.
static void test_packed(const struct shot *s, const uint8_t *node, uint32_t pair, bool second,
                        unsigned triangle, uint32_t out[4]) {
    enum { NO_VERTEX = 15, SIGN = 1u << 31 };
    const unsigned at = second ? 1 : 15;
    const unsigned corner[3] = {pair >> (at + 2) & 15, pair >> (at + 6) & 15, pair >> (at + 10) & 15};
    const unsigned says =
        (pair >> at & 1 ? TRIANGLE_DOUBLE_SIDED : 0u) | (pair >> (at + 1) & 1 ? TRIANGLE_OPAQUE : 0u);
    const bool opaque = ray_sees_opaque(s->tree, &s->ray, says);
    const struct packing p = packing_of(node);
    float v[3][3];
    out[0] = float_bits(INFINITY), out[1] = out[2] = 0;
    out[3] = primitive_of(node, triangle) << 1;
    if (corner[0] == NO_VERTEX && corner[1] == NO_VERTEX) { // what the program tests itself
        const bool culled = ray_has_flag(s->tree, &s->ray, SKIP_PROCEDURAL) ||
                            ray_has_flag(s->tree, &s->ray, opaque ? CULL_OPAQUE : CULL_NON_OPAQUE);
        if (!culled) out[0] = 0;
        out[1] |= SIGN;
    } else {
        for (unsigned i = 0; i < 3; i++) read_vertex(node, &p, corner[i], v[i]);
        const struct ray_hit h = ray_meets_triangle(s->tree, &s->ray, (const float(*)[3])v, says);
        out[3] |= h.back;
        if (h.hit) {
            out[0] = float_bits(h.distance / h.denominator);
            out[1] = float_bits(fabsf(h.i / h.denominator));
            out[2] = float_bits(fabsf(h.j / h.denominator));
        }
    }
    if (!opaque) out[2] |= SIGN;
}

static bool test_pair(struct shot *s) {
    enum { END_OF_PAIR, END_OF_NODE, END_OF_RANGE = 3 };
    const unsigned number = (s->pointer[0] & 3) | (s->pointer[0] & 8) >> 1;
    uint8_t *node;
    if (!fetch(s, (uint64_t)(s->pointer[0] & ~15u) << 3, 2, &node)) return false;
    if (!node) return true;
    const uint32_t pair = bits_at(node, STRUCTURE_BITS - PAIR_BITS * (number + 1), PAIR_BITS);
    const unsigned pairs = bits_at(node, 28, 3) + 1;
    const unsigned onward = pair & 1 ? END_OF_RANGE : number == pairs - 1 ? END_OF_NODE : END_OF_PAIR;
    test_packed(s, node, pair, false, 2 * number, s->out);
    if (pair >> 3 & 0xfff)
        test_packed(s, node, pair, true, 2 * number + 1, s->out + SECOND);
    else {
        s->out[SECOND] = float_bits(INFINITY);
        s->out[SECOND + 1] = s->out[SECOND + 2] = float_bits(1);
        s->out[SECOND + 3] = 0;
    }
    for (unsigned i = 0; i < 2; i++) s->out[GEOMETRY + i] = geometry_of(node, 2 * number + i) << 2 | onward;
    return true;
}

// ---- Two nodes ----

static bool test_two(struct shot *s, uint32_t first, uint32_t second, unsigned last_leaf) {
    enum { GEOMETRY_AT = 56 };
    const uint32_t pointer[2] = {first, second};
    struct ray_result result[2];
    uint32_t *out = s->out;
    float keys[8];
    if ((first & 7) == INSTANCE && s->tree->has_instances) {
        if ((second & 7) == INSTANCE) return true; // one at a time
        s->pointer[0] = first;
        return test_instance(s);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct ray r = s->ray;
        uint8_t *node;
        if (pointer[i] == NO_NODE) {
            result[i] = (struct ray_result){.word = {NO_NODE, NO_NODE, NO_NODE, NO_NODE}};
            continue;
        }
        r.node += pointer[i];
        if (!ray_test_node(s->w, s->op, s->tree, &r, s->lane, &result[i])) return false;
        if ((pointer[i] & 7) > LAST_TRIANGLE) continue;
        if (!fetch(s, (uint64_t)(pointer[i] & ~7u) << 3, 1, &node)) return false;
        if (node) out[GEOMETRY + i] = rd32(node + GEOMETRY_AT);
    }
    for (unsigned i = 0; i < 8; i++) out[i] = result[i / 4].word[i % 4], keys[i] = result[i / 4].key[i % 4];
    if (result[0].is_boxes && result[1].is_boxes && s->tree->sorts_eight)
        ray_sort(s->tree, last_leaf, 8, out, keys);
    else
        for (unsigned i = 0; i < 2; i++)
            if (result[i].is_boxes) ray_sort(s->tree, last_leaf, 4, out + 4 * i, keys + 4 * i);
    return true;
}

// ---- The instructions ----

static bool test(struct shot *s, bool eight) {
    enum { PAIR_OF_F32 = 2, PAIR_OF_64 = 3, BOXES_GRID = 5 };
    const uint32_t p = s->pointer[0];
    const unsigned type = p & 7;
    if (!eight) {
        if (s->tree->compressed)
            return image_refuse(s->w, s->op, "two nodes of a BVH tree in packed formats");
        return test_two(s, p, s->pointer[1], LAST_TRIANGLE);
    }
    if (p == NO_NODE) return true;
    if (!s->tree->compressed) {
        if (type == PAIR_OF_64) return image_refuse(s->w, s->op, "a BVH tree with boxes of 64 bytes");
        if (type == PAIR_OF_F32) {
            const uint32_t first = (p & ~7u) | BOXES_F32;
            return test_two(s, first, first + (128 >> 3), 1);
        }
        return type == 1 ? test_two(s, p - 1, p, 1) : test_two(s, p, NO_NODE, 1);
    }
    if (type <= LAST_TRIANGLE) return test_pair(s);
    if (type == BOXES_GRID) return test_grid(s);
    return type != INSTANCE || test_instance(s);
}

static struct shot shot_of(struct wave *w, const struct op *op, const struct tree *t, unsigned lane) {
    const struct image_op *o = image_op_of(op);
    uint32_t d[ADDRESS_DWORDS];
    for (unsigned i = 0; i < ADDRESS_DWORDS; i++) d[i] = image_dword(w, o, 2 * i, lane);
    struct shot s = {.w = w, .op = op, .tree = t, .lane = lane, .mask = d[AT_MASK] & 255};
    s.ray.node = (d[AT_BASE] | (uint64_t)d[AT_BASE + 1] << 32) & ~7ull;
    s.ray.extent = bits_float(d[AT_EXTENT]);
    for (unsigned i = 0; i < 3; i++) {
        s.ray.origin[i] = bits_float(d[AT_ORIGIN + i]);
        s.ray.direction[i] = bits_float(d[AT_DIRECTION + i]);
        s.ray.inverse[i] = 1 / s.ray.direction[i];
    }
    s.pointer[0] = d[AT_NODE], s.pointer[1] = d[AT_NODE + 1];
    memset(s.out, 0xff, sizeof s.out);
    return s;
}

// Registers are written when all lanes have read theirs, which may be the same.
struct shots {
    uint32_t out[RESULTS][MAX_LANES];
    float moved[6][MAX_LANES]; // origin and direction
};
static void put_shots(struct wave *w, const struct image_op *o, const struct shots *all, uint64_t moved) {
    EACH_LANE_ON(w, l) {
        for (unsigned n = 0; n < RESULTS; n++) put32(w, o->mem.dst + n * w->stride + 4 * l, all->out[n][l]);
        for (unsigned i = 0; i < 6 && moved >> l & 1; i++)
            put32(w, o->address[AT_ORIGIN + i] + 4 * l, float_bits(all->moved[i][l]));
    }
}

bool image_intersect_two(struct wave *w, const struct op *op) {
    const struct image_op *o = image_op_of(op);
    struct tree tree;
    struct shots all;
    uint64_t moved = 0;
    const enum image_found found = ray_find_tree(w, op, true, &tree);
    if (found != IMAGE_FOUND) return found == IMAGE_NOTHING;
    image_round_plainly();
    EACH_LANE_ON(w, l) {
        struct shot s = shot_of(w, op, &tree, l);
        if (!test(&s, o->facts & IMAGE_GATHER)) return image_end(w, false);
        for (unsigned n = 0; n < RESULTS; n++) all.out[n][l] = s.out[n];
        for (unsigned i = 0; i < 3; i++)
            all.moved[i][l] = s.ray.origin[i], all.moved[3 + i][l] = s.ray.direction[i];
        if (s.moved) moved |= 1ull << l;
    }
    put_shots(w, o, &all, moved);
    return image_end(w, true);
}
