// SPDX-License-Identifier: MIT
// Trials of rays against the nodes that GFX12 alone has, and against two nodes at once: boxes on a grid,
// instances, pairs of triangles of packed structures, written here bit by bit from the published layouts,
// against geometry in double precision.
#ifndef TESTS_BVH8_TRIALS_H
#define TESTS_BVH8_TRIALS_H

#include "ray_geometry.h"

enum { B8_NODES = 512, B8_NONE = -1, B8_LANES = 32 };
enum {
    B8_BASE = 4,
    B8_EXTENT = 6,
    B8_ORIGIN = 8,
    B8_DIRECTION = 11,
    B8_NODE = 14,
    B8_RESULT = 20
}; // registers

struct shot8 {
    uint32_t node[B8_LANES][2], mask;
    uint64_t base; // in units of 8 bytes, with flags
    float extent, origin[B8_LANES][3], direction[B8_LANES][3];
};
enum tree_bits {
    B8_FLAGS = 1,
    COMPRESSED = 2,
    SORT_EIGHT = 4,
    INSTANCES = 8,
    LEAVES_FIRST = 16,
    BOXES_64 = 32
};

static inline void make_tree8(struct image_run *r, uint64_t size, unsigned order, unsigned bits) {
    const uint64_t base = (uint64_t)(uintptr_t)r->memory;
    r->t[0] = (uint32_t)(base >> 8);
    r->t[1] = (uint32_t)(base >> 40) | (bits & LEAVES_FIRST ? 1u << 20 : 0) | (order & 3) << 21 |
              (order < 4 ? 1u << 31 : 0);
    r->t[2] = (uint32_t)(size - 1);
    r->t[3] = (uint32_t)((size - 1) >> 32 & 0x3ff) | (bits & COMPRESSED ? 1u << 19 : 0) |
              (bits & BOXES_64 ? 1u << 20 : 0) | (bits & SORT_EIGHT ? 1u << 21 : 0) |
              (bits & INSTANCES ? 1u << 22 : 0) | (bits & B8_FLAGS ? 1u << 23 : 0) | 1 << 24 | 8u << 28;
}
static inline sw_status shoot8(struct image_run *r, const struct shot8 *s, bool two) {
    for (unsigned v = 0; v < IMG_REGISTERS; v++)
        for (unsigned l = 0; l < r->lanes; l++) r->before[v][l] = 0xabad0000 + v;
    for (unsigned l = 0; l < r->lanes; l++) {
        r->before[B8_BASE][l] = (uint32_t)s->base, r->before[B8_BASE + 1][l] = (uint32_t)(s->base >> 32);
        r->before[B8_EXTENT][l] = bits_of(s->extent), r->before[B8_EXTENT + 1][l] = s->mask;
        for (unsigned i = 0; i < 3; i++) {
            r->before[B8_ORIGIN + i][l] = bits_of(s->origin[l][i]);
            r->before[B8_DIRECTION + i][l] = bits_of(s->direction[l][i]);
        }
        r->before[B8_NODE][l] = s->node[l][0], r->before[B8_NODE + 1][l] = s->node[l][1];
    }
    return image_run(
        r,
        two ? "image_bvh_dual_intersect_ray v[20:29], [v[4:5], v[6:7], v[8:10], v[11:13], v[14:15]], s[8:11]"
            : "image_bvh8_intersect_ray v[20:29], [v[4:5], v[6:7], v[8:10], v[11:13], v14], s[8:11]");
}
static inline void must_shoot8(struct image_run *r, const struct shot8 *s, bool two) {
    if (shoot8(r, s, two)) fail_msg("%s", r->fault.reason ? r->fault.reason : "a fault");
}
static inline void aim8(struct shot8 *s) {
    *s = (struct shot8){.mask = 0xff, .extent = 1000};
    for (unsigned l = 0; l < B8_LANES; l++)
        for (unsigned i = 0; i < 3; i++) {
            s->origin[l][i] = (float)chance(-9, 9);
            const bool falls = image_random() % 8 ? s->origin[l][i] > 0 : image_random() % 2;
            s->direction[l][i] = (float)(falls ? -chance(0.3, 1) : chance(0.3, 1));
        }
}
static inline void put_bits(uint8_t *node, unsigned at, unsigned width, uint64_t v) {
    for (unsigned i = 0; i < width; i++) {
        node[(at + i) / 8] &= (uint8_t) ~(1u << (at + i) % 8);
        if (v >> i & 1) node[(at + i) / 8] |= (uint8_t)(1u << (at + i) % 8);
    }
}

// ---- Children ----

struct child {
    float low[3], high[3];
    uint32_t pointer;
    bool there; // by masks and flags
};
static unsigned compared8, met8;
// Of `count` children the pointers that come back, sorted in groups of `group`. False: too close to tell.
static inline bool children_are(const struct child *c, unsigned count, unsigned group, const float origin[3],
                                const float direction[3], float extent, unsigned order, bool leaves_first,
                                unsigned last_leaf, uint32_t want[8]) {
    double key[8];
    for (unsigned i = 0; i < 8; i++) {
        double in, out;
        want[i] = (uint32_t)B8_NONE, key[i] = 0;
        if (i >= count || !c[i].there) continue;
        const bool line = crosses(origin, direction, c[i].low, c[i].high, &in, &out);
        const double from = in > 0 ? in : 0, to = out < (double)extent ? out : (double)extent;
        if (fabs(from - to) < 1e-3 || fabs(in - out) < 1e-3) return false;
        if (line && from <= to) want[i] = c[i].pointer;
        key[i] = order == 1 ? from - to : order == 2 ? in + out : from;
    }
    for (unsigned first = 0; first < 8 && order < 3; first += group)
        for (unsigned a = first; a < first + group; a++)
            for (unsigned b = a + 1; b < first + group; b++) {
                if (want[b] == (uint32_t)B8_NONE) continue;
                const bool box_a = leaves_first && (want[a] & 7) > last_leaf,
                           box_b = leaves_first && (want[b] & 7) > last_leaf;
                if (want[a] != (uint32_t)B8_NONE && box_a == box_b && fabs(key[a] - key[b]) < 1e-4)
                    return false;
                if (want[a] != (uint32_t)B8_NONE && (box_a != box_b ? box_b : key[a] <= key[b])) continue;
                const uint32_t w = want[a];
                const double k = key[a];
                want[a] = want[b], key[a] = key[b];
                want[b] = w, key[b] = k;
            }
    return true;
}

// ---- Boxes on a grid ----

// Children from `at` on, with bounds on the grid of these exponents; boxes and leaves in rows from their
// first on.
static inline void grid_children(uint8_t *at, unsigned count, const float origin[3],
                                 const unsigned exponent[3], uint32_t inner, uint32_t leaf, uint32_t mask,
                                 struct child *c) {
    for (unsigned i = 0; i < count; i++) {
        const bool box = image_random() % 2;
        const unsigned type = box ? 5 : (unsigned[]){0, 1, 3, 8, 6}[image_random() % 5],
                       nodes = 1 + image_random() % 3;
        const uint32_t instances = image_random() % 4 ? 0xff : 0x0f;
        uint8_t *p = at + 12 * i;
        memset(p, 0, 12);
        for (unsigned k = 0; k < 3; k++) {
            const unsigned low = image_random() % 3000, high = low + 500 + image_random() % (3500 - low);
            static const unsigned low_at[] = {0, 12, 32}, high_at[] = {44, 64, 76};
            put_bits(p, low_at[k], 12, low), put_bits(p, high_at[k], 12, high);
            c[i].low[k] = (float)((double)origin[k] + ldexp(low, (int)exponent[k] - 127 - 12));
            c[i].high[k] = (float)((double)origin[k] + ldexp(high + 1, (int)exponent[k] - 127 - 12));
        }
        put_bits(p, 56, 8, instances), put_bits(p, 88, 4, type), put_bits(p, 92, 4, nodes);
        c[i].pointer = (box ? inner : leaf) | type;
        *(box ? &inner : &leaf) += nodes << 4;
        c[i].there = instances & mask;
    }
}
static inline void grid_on(struct image_run *r, unsigned trial) {
    const unsigned order = trial % 5,
                   bits = COMPRESSED | (trial % 2 ? SORT_EIGHT : 0) | (trial % 3 ? LEAVES_FIRST : 0);
    struct shot8 s;
    struct child c[B8_LANES][8];
    unsigned count[B8_LANES];
    aim8(&s);
    s.mask = trial % 4 ? 0x3c : 0xf0;
    s.extent = trial % 7 ? 1000 : 12;
    memset(r->memory, 0, (size_t)B8_LANES * 128 + 4096);
    s.base = 64 / 8; // the tree begins at the second node
    for (unsigned l = 0; l < B8_LANES; l++) {
        uint8_t *node = r->memory + 64 + 128 * l;
        float origin[3];
        unsigned exponent[3];
        count[l] = 1 + image_random() % 8;
        for (unsigned i = 0; i < 3; i++) {
            origin[i] = (float)chance(-8, -4), exponent[i] = 130 + image_random() % 2;
            memcpy(node + 12 + 4 * i, &origin[i], 4);
            put_bits(node, 192 + 8 * i, 8, exponent[i]);
        }
        const uint32_t inner = (100 + l) << 4, leaf = (300 + l) << 4;
        memcpy(node, &inner, 4), memcpy(node + 4, &leaf, 4);
        put_bits(node, 192 + 28, 3, count[l] - 1), put_bits(node, 224, 7, 0x7f);
        grid_children(node + 32, count[l], origin, exponent, inner, leaf, s.mask, c[l]);
        s.node[l][0] = (uint32_t)(2 * l) << 3 | 5;
    }
    make_tree8(r, B8_NODES, order, bits);
    r->exec = image_random() | 1;
    must_shoot8(r, &s, false);
    for (unsigned l = 0; l < B8_LANES; l++) {
        uint32_t want[8];
        for (unsigned i = 0; i < 6; i++)
            assert_int_equal(r->after[B8_ORIGIN + i][l], r->before[B8_ORIGIN + i][l]);
        if (!(r->exec >> l & 1)) {
            for (unsigned i = 0; i < 10; i++)
                assert_int_equal(r->after[B8_RESULT + i][l], r->before[B8_RESULT + i][l]);
            continue;
        }
        if (!children_are(c[l], count[l], bits & SORT_EIGHT ? 8 : 4, s.origin[l], s.direction[l], s.extent,
                          order, bits & LEAVES_FIRST, 3, want))
            continue;
        for (unsigned i = 0; i < 8; i++) {
            compared8++, met8 += want[i] != (uint32_t)B8_NONE;
            if (r->after[B8_RESULT + i][l] != want[i])
                fail_msg("trial %u, lane %u: child %u is %x, not %x", trial, l, i, r->after[B8_RESULT + i][l],
                         want[i]);
        }
        for (unsigned i = 8; i < 10; i++) assert_int_equal(r->after[B8_RESULT + i][l], (uint32_t)B8_NONE);
    }
}
// ---- Instances ----
static inline void instances_on(struct image_run *r, unsigned trial) {
    const unsigned bits = COMPRESSED | INSTANCES | B8_FLAGS | SORT_EIGHT | LEAVES_FIRST;
    struct shot8 s;
    struct child c[B8_LANES][8];
    unsigned count[B8_LANES];
    float rows[B8_LANES][3][4], origin[B8_LANES][3], direction[B8_LANES][3];
    aim8(&s);
    s.mask = 0x3c;
    memset(r->memory, 0, (size_t)B8_LANES * 128);
    const uint64_t base_flags = trial % 3 == 1   ? 1ull << 54
                                : trial % 3 == 2 ? 1ull << 62
                                                 : 0; // opaque; no triangles
    s.base = base_flags;
    for (unsigned l = 0; l < B8_LANES; l++) {
        uint8_t *node = r->memory + 128 * l;
        unsigned exponent[3];
        float corner[3];
        for (unsigned i = 0; i < 3; i++) {
            for (unsigned k = 0; k < 4; k++) rows[l][i][k] = (float)chance(-1, 1) + (k == i ? 2 : 0);
            double o = (double)rows[l][i][3], d = 0;
            for (unsigned k = 0; k < 3; k++) {
                o += (double)rows[l][i][k] * (double)s.origin[l][k];
                d += (double)rows[l][i][k] * (double)s.direction[l][k];
            }
            origin[l][i] = (float)o, direction[l][i] = (float)d;
        }
        memcpy(node, rows[l], 48);
        const uint64_t child = (uint64_t)(1000 + 8 * l) << 3 | 1ull << 55 | (l % 4 == 1 ? 1ull << 62 : 0);
        memcpy(node + 48, &child, 8);
        put_bits(node, 480, 24, 0x123400 + l), put_bits(node, 504, 8, l % 8 == 7 ? 0x43 : 0x04);
        count[l] = 1 + image_random() % 4;
        for (unsigned i = 0; i < 3; i++) {
            corner[i] = (float)chance(-12, -8), exponent[i] = 131;
            memcpy(node + 64 + 4 * i, &corner[i], 4);
            put_bits(node, 608 + 8 * i, 8, exponent[i]);
        }
        put_bits(node, 608 + 28, 2, count[l] - 1);
        grid_children(node + 80, count[l], corner, exponent, 0, 0, s.mask, c[l]);
        for (unsigned i = 0; i < count[l]; i++)
            c[l][i].there = true; // masks of an instance's children are its own
        s.node[l][0] = (uint32_t)(2 * l) << 3 | 6;
    }
    make_tree8(r, B8_NODES, 0, bits);
    r->exec = ~0ull;
    must_shoot8(r, &s, false);
    for (unsigned l = 0; l < B8_LANES; l++) {
        uint32_t want[8];
        const bool procedural = l % 4 == 1, culled = l % 8 == 7 || (trial % 3 == 2 && !procedural);
        uint64_t child = (uint64_t)(1000 + 8 * l) << 3 | 1ull << 55 | (procedural ? 1ull << 62 : 0);
        if (base_flags >> 54 & 1) child &= ~(1ull << 55);
        child |= base_flags;
        assert_int_equal(r->after[B8_RESULT + 2][l], (uint32_t)child);
        assert_int_equal(r->after[B8_RESULT + 3][l], (uint32_t)(child >> 32));
        assert_int_equal(r->after[B8_RESULT + 6][l], 0x123400 + l);
        for (unsigned i = 0; i < 3; i++) {
            const double o = (double)(culled ? s.origin[l][i] : origin[l][i]);
            assert_true(fabs((double)float_of(r->after[B8_ORIGIN + i][l]) - o) < 1e-4);
            const double d = (double)(culled ? s.direction[l][i] : direction[l][i]);
            assert_true(fabs((double)float_of(r->after[B8_DIRECTION + i][l]) - d) < 1e-4);
        }
        if (culled) {
            assert_int_equal(r->after[B8_RESULT + 7][l], (uint32_t)B8_NONE);
            continue;
        }
        if (!children_are(c[l], count[l], 4, origin[l], direction[l], s.extent, 0, true, 3, want)) continue;
        for (unsigned i = 0; i < 4; i++) {
            compared8++, met8 += want[i] != (uint32_t)B8_NONE;
            assert_int_equal(r->after[B8_RESULT + 7][l] >> 8 * i & 255, want[i] & 255);
        }
    }
}
// ---- Pairs of triangles ----

// Vertices with the upper bits that all have in common kept once, and trailing zeros dropped; numbers with
// what differs from the first; descriptors of pairs from the end on.
struct packed {
    float v[16][3];
    unsigned vertices, pairs;
    unsigned corner[8][2][3], primitive[16], geometry[16];
    bool opaque[16], both_sides[16], stop[8];
};
static inline void pack_triangles(const struct packed *p, uint8_t node[128], unsigned own_bits, bool share) {
    unsigned zeros = 32, length[3], prefix[3], at = 52;
    memset(node, 0, 128);
    for (unsigned i = 0; i < p->vertices; i++)
        for (unsigned k = 0; k < 3; k++)
            while (zeros && bits_of(p->v[i][k]) & (zeros == 32 ? ~0u : (1u << zeros) - 1)) zeros--;
    if (zeros > 31) zeros = 31;
    for (unsigned k = 0; k < 3; k++) {
        unsigned common = share ? 32 - zeros - 1 : 0;
        for (unsigned i = 1; i < p->vertices; i++)
            while (common && (bits_of(p->v[i][k]) ^ bits_of(p->v[0][k])) >> (32 - common)) common--;
        prefix[k] = common, length[k] = 32 - zeros - common;
        put_bits(node, 5 * k, 5, length[k] - 1);
    }
    put_bits(node, 15, 5, zeros), put_bits(node, 28, 3, p->pairs - 1);
    for (unsigned k = 0; k < 3; k++) {
        if (prefix[k]) put_bits(node, at, prefix[k], bits_of(p->v[0][k]) >> (32 - prefix[k]));
        at += prefix[k];
    }
    for (unsigned i = 0; i < p->vertices; i++)
        for (unsigned k = 0; k < 3; k++) {
            put_bits(node, at, length[k], bits_of(p->v[i][k]) >> zeros);
            at += length[k];
        }
    enum { ANCHOR = 20 };
    const unsigned middle = 1024 - p->pairs * 29 - (2 * p->pairs - 1) * own_bits - ANCHOR;
    put_bits(node, 20, 4, ANCHOR / 2), put_bits(node, 24, 4, own_bits / 2); // of geometries, in twos
    put_bits(node, 32, 5, ANCHOR), put_bits(node, 37, 5, own_bits), put_bits(node, 42, 10, middle);
    put_bits(node, middle, ANCHOR, p->primitive[0]), put_bits(node, middle - ANCHOR, ANCHOR, p->geometry[0]);
    for (unsigned n = 1; n < 2 * p->pairs; n++) {
        put_bits(node, middle + ANCHOR + (n - 1) * own_bits, own_bits, p->primitive[n]);
        put_bits(node, middle - ANCHOR - n * own_bits, own_bits, p->geometry[n]);
    }
    for (unsigned n = 0; n < p->pairs; n++) {
        const unsigned d = 1024 - 29 * (n + 1);
        put_bits(node, d, 1, p->stop[n]);
        for (unsigned second = 0; second < 2; second++) {
            const unsigned from = d + (second ? 1 : 15);
            put_bits(node, from, 1, p->both_sides[2 * n + second]),
                put_bits(node, from + 1, 1, p->opaque[2 * n + second]);
            for (unsigned k = 0; k < 3; k++) put_bits(node, from + 2 + 4 * k, 4, p->corner[n][second][k]);
        }
    }
}

static inline void pairs_on(struct image_run *r, unsigned trial) {
    struct shot8 s;
    struct packed p[B8_LANES];
    unsigned pair[B8_LANES];
    aim8(&s);
    static const uint64_t flags[] = {
        0, 1ull << 54, 1ull << 55, 1ull << 58, 1ull << 59, 1ull << 57 | 1ull << 58, 1ull << 60, 1ull << 62};
    s.base = flags[trial % 8];
    for (unsigned l = 0; l < B8_LANES; l++) {
        struct packed *q = &p[l];
        const bool full = trial % 3 == 0; // all bits of six vertices
        *q = (struct packed){.vertices = full ? 6 : 8, .pairs = full ? 1 : 1 + image_random() % 3};
        for (unsigned i = 0; i < q->vertices; i++)
            for (unsigned k = 0; k < 3; k++) {
                const double x = full ? chance(-6, 6) : round(chance(4.1, 7.9) * 16) / 16;
                q->v[i][k] = (float)x;
            }
        for (unsigned n = 0; n < 2 * q->pairs; n++) {
            unsigned *c = q->corner[n / 2][n % 2];
            c[0] = image_random() % q->vertices;
            do c[1] = image_random() % q->vertices;
            while (c[1] == c[0]);
            do c[2] = image_random() % q->vertices;
            while (c[2] == c[0] || c[2] == c[1]);
            q->primitive[n] = 0x4a000 | image_random() % 0x100,
            q->geometry[n] = 0x51000 | image_random() % 0x100;
            q->opaque[n] = image_random() % 2, q->both_sides[n] = image_random() % 2;
        }
        for (unsigned n = 0; n < q->pairs; n++) q->stop[n] = image_random() % 2;
        pair[l] = image_random() % q->pairs;
        if (l % 5 == 4) memset(q->corner[pair[l]][1], 0, sizeof q->corner[0][1]); // no second triangle
        if (l % 7 == 6) q->corner[pair[l]][0][0] = q->corner[pair[l]][0][1] = 15; // not a triangle
        pack_triangles(q, r->memory + 128 * l, full ? 20 : 8, !full);
        s.node[l][0] = (uint32_t)l << 4 | (pair[l] & 3) | (pair[l] & 4) << 1;
        const unsigned *c = q->corner[pair[l]][l % 2 && l % 5 != 4];
        const double x = chance(-0.2, 0.9), y = chance(-0.2, 0.9);
        for (unsigned i = 0; i < 3 && c[0] != 15; i++) {
            const double a = (double)q->v[c[0]][i], b = (double)q->v[c[1]][i], e = (double)q->v[c[2]][i];
            s.direction[l][i] = (float)((a + x * (b - a) + y * (e - a) - (double)s.origin[l][i]) * 0.5);
        }
    }
    make_tree8(r, B8_NODES, 0, COMPRESSED | B8_FLAGS);
    r->exec = ~0ull;
    must_shoot8(r, &s, false);
    for (unsigned l = 0; l < B8_LANES; l++)
        for (unsigned second = 0; second < 2; second++) {
            const struct packed *q = &p[l];
            const unsigned n = 2 * pair[l] + second, *c = q->corner[pair[l]][second];
            const uint32_t got[4] = {
                r->after[B8_RESULT + 4 * second][l], r->after[B8_RESULT + 4 * second + 1][l],
                r->after[B8_RESULT + 4 * second + 2][l], r->after[B8_RESULT + 4 * second + 3][l]};
            const unsigned onward = q->stop[pair[l]] ? 3 : pair[l] == q->pairs - 1 ? 1 : 0;
            if (trial < 100 && got[3] >> 1 != q->primitive[n] && !(second && l % 5 == 4))
                fail_msg("trial %u, lane %u: number %x, not %x", trial, l, got[3] >> 1, q->primitive[n]);
            assert_int_equal(r->after[B8_RESULT + 8 + second][l], q->geometry[n] << 2 | onward);
            const bool opaque = s.base >> 54 & 1 ? true : s.base >> 55 & 1 ? false : q->opaque[n];
            const bool flag_culled = s.base >> 60 & 1 && opaque;
            if (second && l % 5 == 4) {
                assert_true(isinf(float_of(got[0])));
                continue;
            }
            assert_int_equal(got[2] >> 31, !opaque);
            if (!second && l % 7 == 6) {
                assert_int_equal(got[1] >> 31, 1);
                assert_int_equal(isinf(float_of(got[0])), flag_culled);
                continue;
            }
            assert_int_equal(got[1] >> 31, 0);
            double t, u, w;
            if (!meets_triangle(s.origin[l], s.direction[l], q->v[c[0]], q->v[c[1]], q->v[c[2]], &t, &u, &w))
                continue;
            // Seen from the front, the corners turn against the clock: their normal looks along the ray... or
            // not.
            double normal[3], along = 0;
            for (unsigned i = 0; i < 3; i++) {
                const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
                const float *a = q->v[c[0]], *b = q->v[c[1]], *e = q->v[c[2]];
                normal[i] = ((double)b[j] - (double)a[j]) * ((double)e[k] - (double)a[k]) -
                            ((double)b[k] - (double)a[k]) * ((double)e[j] - (double)a[j]);
                along += normal[i] * (double)s.direction[l][i];
            }
            const bool back = (along > 0) ^ (s.base >> 57 & 1);
            bool hit = u > 0 && w > 0 && u + w < 1 && t > 0;
            const bool face_culled = !q->both_sides[n] && s.base >> (back ? 58 : 59) & 1;
            hit &= !face_culled && !flag_culled && !(s.base >> 62 & 1);
            compared8++, met8 += hit;
            if (hit != isfinite(float_of(got[0])))
                fail_msg("trial %u, lane %u: %s a hit", trial, l, hit ? "is" : "is not");
            if (!hit) continue;
            assert_int_equal(got[3] & 1, back);
            const double is[3] = {(double)float_of(got[0]), fabs((double)float_of(got[1])),
                                  fabs((double)float_of(got[2]))};
            const double want[3] = {t, u, w};
            for (unsigned i = 0; i < 3; i++)
                if (fabs(is[i] - want[i]) > 2e-3 * (1 + fabs(want[i])))
                    fail_msg("trial %u, lane %u: number %u is %g, not %g", trial, l, i, is[i], want[i]);
        }
}
// ---- Two nodes ----

static inline void box_node(uint8_t *node, struct child *c, uint32_t first) {
    memset(node, 0, 128);
    for (unsigned i = 0; i < 4; i++) {
        c[i].pointer = first + 8 * i + (image_random() % 2 ? 5 : 1), c[i].there = true;
        memcpy(node + 4 * i, &c[i].pointer, 4);
        for (unsigned k = 0; k < 3; k++)
            c[i].low[k] = (float)chance(-8, 2), c[i].high[k] = c[i].low[k] + (float)chance(3, 8);
        memcpy(node + 16 + 24 * i, c[i].low, 12), memcpy(node + 28 + 24 * i, c[i].high, 12);
    }
}
// `two`: as two pointers, else as one to a pair.
static inline void two_on(struct image_run *r, unsigned trial, bool two) {
    const unsigned order = trial % 5, bits = (trial % 2 ? SORT_EIGHT : 0) | (trial % 3 ? LEAVES_FIRST : 0);
    struct shot8 s;
    struct child c[B8_LANES][8];
    aim8(&s);
    for (unsigned l = 0; l < B8_LANES; l++) {
        box_node(r->memory + 256 * l, c[l], 0x1000 * l),
            box_node(r->memory + 256 * l + 128, c[l] + 4, 0x1000 * l + 0x400);
        s.node[l][0] = (uint32_t)(4 * l) << 3 | (two ? 5 : 2), s.node[l][1] = (uint32_t)(4 * l + 2) << 3 | 5;
    }
    make_tree8(r, B8_NODES, order, bits);
    r->exec = ~0ull;
    must_shoot8(r, &s, two);
    for (unsigned l = 0; l < B8_LANES; l++) {
        uint32_t want[8];
        if (!children_are(c[l], 8, bits & SORT_EIGHT ? 8 : 4, s.origin[l], s.direction[l], s.extent, order,
                          bits & LEAVES_FIRST, two ? 3 : 1, want))
            continue;
        for (unsigned i = 0; i < 8; i++) {
            compared8++, met8 += want[i] != (uint32_t)B8_NONE;
            if (r->after[B8_RESULT + i][l] != want[i])
                fail_msg("trial %u, lane %u: child %u is %x, not %x", trial, l, i, r->after[B8_RESULT + i][l],
                         want[i]);
        }
    }
}

#endif
