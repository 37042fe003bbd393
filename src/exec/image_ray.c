// SPDX-License-Identifier: MIT
// A ray against one node of a BVH tree: the boxes of an inner node, or a triangle. The node formats are those
// of GFX10.3 and GFX11, which GFX12 has, too.
#include "exec/image_ray.h"

#include <math.h>

#include "exec/image_operands.h"
#include "isa/isa.h"
#include "texel/half.h"

// ---- The resource and the operands ----

enum image_found ray_find_tree(struct wave *w, const struct op *op, bool wide, struct tree *out) {
    const struct image_op *o = image_op_of(op);
    enum { IS_TREE = 8, COMPRESSED = 1 << 19, BOXES_64 = 1 << 20, SORT_EIGHT = 1 << 21, INSTANCES = 1 << 22 };
    uint32_t words[4];
    for (unsigned i = 0; i < 4; i++) words[i] = rd32((const char *)wave_at(w, o->mem.srsrc) + 4 * i);
    if (words[3] >> 28 != IS_TREE) return IMAGE_NOTHING; // BUF-59
    const bool later = o->kind >= RESOURCE_GFX11, newest = o->kind >= RESOURCE_GFX12;
    const uint32_t formats = newest ? words[3] & (COMPRESSED | BOXES_64 | SORT_EIGHT | INSTANCES) : 0;
    *out = (struct tree){.base = (words[0] | (uint64_t)(words[1] & 255) << 32) << 8,
                         .last = words[2] | (uint64_t)(words[3] & 0x3ff) << 32,
                         .order = !(words[1] >> 31) ? UNSORTED
                                  : later           ? (enum heuristic)(words[1] >> 21 & 3)
                                                    : CLOSEST,
                         .grown = 1 + ldexpf((float)(words[1] >> 23 & 255), -24),
                         .has_flags = later && (wide || o->facts & IMAGE_NODE64) && words[3] >> 23 & 1,
                         .leaves_first = newest && words[1] >> 20 & 1,
                         .compressed = formats & COMPRESSED,
                         .sorts_eight = formats & SORT_EIGHT,
                         .has_instances = formats & INSTANCES};
    const char *why = wide      ? (formats & BOXES_64 ? "a BVH tree with boxes of 64 bytes" : NULL)
                      : formats ? "a BVH tree in GFX12's own formats"
                                : NULL;
    if (!why && !out->compressed && !(words[3] >> 24 & 1))
        why = "a BVH tree whose triangles are returned by number";
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

bool ray_meets(const struct tree *t, const struct ray *r, const struct box *b, float *key) {
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

bool ray_skips(const struct tree *t, const struct ray *r, unsigned says) {
    enum { ONLY_OPAQUE = 1, ONLY_NON_OPAQUE = 2, ONLY_TRIANGLES = 4, ONLY_PROCEDURAL = 8 };
    return (says & ONLY_OPAQUE && ray_has_flag(t, r, CULL_OPAQUE)) ||
           (says & ONLY_NON_OPAQUE && ray_has_flag(t, r, CULL_NON_OPAQUE)) ||
           (says & ONLY_TRIANGLES && ray_has_flag(t, r, SKIP_TRIANGLES)) ||
           (says & ONLY_PROCEDURAL && ray_has_flag(t, r, SKIP_PROCEDURAL));
}

// Exchanges that sort; the first rounds of eight are those of two fours.
void ray_sort(const struct tree *t, unsigned last_leaf, unsigned count, uint32_t *nodes, float *keys) {
    static const uint8_t four[][2] = {{0, 2}, {1, 3}, {0, 1}, {2, 3}, {1, 2}},
                         eight[][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 1}, {2, 3}, {4, 5},
                                       {6, 7}, {1, 2}, {5, 6}, {0, 4}, {1, 5}, {2, 6}, {3, 7},
                                       {2, 4}, {3, 5}, {1, 2}, {3, 4}, {5, 6}};
    const uint8_t(*network)[2] = count == 4 ? four : eight;
    const unsigned steps = count == 4 ? sizeof four / sizeof *four : sizeof eight / sizeof *eight;
    for (unsigned i = 0; t->order != UNSORTED && i < steps; i++) {
        const unsigned a = network[i][0], b = network[i][1];
        const bool boxes_a = t->leaves_first && (nodes[a] & 7) > last_leaf,
                   boxes_b = t->leaves_first && (nodes[b] & 7) > last_leaf;
        if (nodes[b] == NO_NODE) continue;
        if (nodes[a] != NO_NODE && (boxes_a != boxes_b ? !boxes_a : !(keys[b] < keys[a]))) continue;
        const uint32_t node = nodes[a];
        const float key = keys[a];
        nodes[a] = nodes[b], keys[a] = keys[b];
        nodes[b] = node, keys[b] = key;
    }
}

static void test_boxes(const struct tree *t, const struct ray *r, const uint8_t *node, bool half,
                       struct ray_result *out) {
    enum { CHILD_FLAGS = 112 };
    out->is_boxes = true;
    for (unsigned c = 0; c < 4; c++) {
        const struct box b = box_of(node, half, c);
        out->word[c] = rd32(node + 4 * c);
        if (out->word[c] == NO_NODE || (!half && ray_skips(t, r, node[CHILD_FLAGS + c])) ||
            !ray_meets(t, r, &b, &out->key[c]))
            out->word[c] = NO_NODE;
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

bool ray_sees_opaque(const struct tree *t, const struct ray *r, unsigned says) {
    return ray_has_flag(t, r, FORCE_OPAQUE)       ? true
           : ray_has_flag(t, r, FORCE_NON_OPAQUE) ? false
                                                  : says & TRIANGLE_OPAQUE;
}
static bool is_culled(const struct tree *t, const struct ray *r, unsigned says, bool back) {
    const bool sides = !(says & TRIANGLE_DOUBLE_SIDED) && !ray_has_flag(t, r, NO_CULLING);
    return ray_has_flag(t, r, SKIP_TRIANGLES) ||
           ray_has_flag(t, r, ray_sees_opaque(t, r, says) ? CULL_OPAQUE : CULL_NON_OPAQUE) ||
           (sides && ray_has_flag(t, r, back ? CULL_BACK : CULL_FRONT));
}

// Moeller and Trumbore.
struct ray_hit ray_meets_triangle(const struct tree *t, const struct ray *r, const float v[3][3],
                                  unsigned says) {
    float e1[3], e2[3], from[3], s1[3], s2[3];
    minus(v[1], v[0], e1);
    minus(v[2], v[0], e2);
    minus(r->origin, v[0], from);
    cross(r->direction, e2, s1);
    cross(from, e1, s2);
    struct ray_hit h = {
        .distance = dot(e2, s2), .denominator = dot(s1, e1), .i = dot(from, s1), .j = dot(r->direction, s2)};
    const float sign = h.denominator < 0 ? -1.0f : 1.0f, size = h.denominator * sign;
    h.hit = size > 0 && h.i * sign >= 0 && h.j * sign >= 0 && (h.i + h.j) * sign <= size &&
            h.distance * sign >= 0;
    h.back = (h.denominator < 0) ^ ray_has_flag(t, r, FLIP_FACE) ^ !!(says & TRIANGLE_FLIPPED);
    h.hit &= !is_culled(t, r, says, h.back);
    return h;
}

static void test_triangle(const struct tree *t, const struct ray *r, const uint8_t *node, bool second,
                          uint32_t out[4]) {
    static const uint8_t corners[2][3] = {{0, 1, 2}, {1, 3, 2}};
    enum { SAYS = 60, SOURCE_BITS = 2 };
    float v[3][3];
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++) v[i][k] = bits_float(rd32(node + 12 * corners[second][i] + 4 * k));
    const unsigned says = node[SAYS + second];
    const struct ray_hit h = ray_meets_triangle(t, r, (const float(*)[3])v, says);
    const float parts[4] = {h.denominator - h.i - h.j, h.i, h.j, 0};
    out[0] = float_bits(h.hit ? h.distance : INFINITY);
    out[1] = float_bits(h.hit ? h.denominator : 1.0f);
    out[2] = float_bits(h.hit ? parts[says & 3] : 0.0f);
    out[3] = float_bits(h.hit ? parts[says >> SOURCE_BITS & 3] : 0.0f);
}

// ---- The instruction ----

bool ray_test_node(struct wave *w, const struct op *op, const struct tree *t, const struct ray *r,
                   unsigned lane, struct ray_result *out) {
    const uint64_t place = ray_place(t, r), number = place >> 3;
    const unsigned type = place & 7, nodes = type == BOXES_F32 ? 2 : 1;
    uint8_t *node;
    *out = (struct ray_result){.word = {NO_NODE, NO_NODE, NO_NODE, NO_NODE}};
    if (type > BOXES_F32 || number > t->last || t->last - number < nodes - 1) return true;
    if (type == 2 || type == LAST_TRIANGLE)
        return image_refuse(w, op, "the third or fourth triangle of a BVH node");
    if (!image_bytes(w, op, lane, t->base + number * NODE_BYTES, nodes * NODE_BYTES, RIGHT_READ, &node))
        return false;
    if (type >= BOXES_F16)
        test_boxes(t, r, node, type == BOXES_F16, out);
    else
        test_triangle(t, r, node, type, out->word);
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
    struct ray_result result;
    if (!ray_test_node(s->w, s->op, &s->tree, &r, lane, &result)) return false;
    if (result.is_boxes) ray_sort(&s->tree, LAST_TRIANGLE, 4, result.word, result.key);
    memcpy(out, result.word, sizeof result.word);
    return true;
}

bool image_intersect_ray(struct wave *w, const struct op *op) {
    struct shooting s = {.w = w, .op = op};
    const enum image_found found = ray_find_tree(w, op, false, &s.tree);
    if (found != IMAGE_FOUND) return found == IMAGE_NOTHING;
    return image_each_lane(w, image_op_of(op), true, shoot, &s);
}
