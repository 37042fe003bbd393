// SPDX-License-Identifier: MIT
// Trials of rays against the boxes and triangles of BVH nodes: random nodes and rays against geometry in
// double precision, written in another way (planes and areas).
#ifndef TESTS_RAY_TRIALS_H
#define TESTS_RAY_TRIALS_H

#include "ray_geometry.h"

enum { RAY_AT = 4, TREE_NODES = 512, NO_CHILD = -1 };
struct shot {
    bool wide, half;
    uint64_t node[64];
    float extent[64], origin[64][3], direction[64][3];
};

// A number that F16 has.
static inline float short_number(double low, double high) {
    return (float)(round(chance(low, high) * 16) / 16);
}

static inline uint16_t short_bits(float f) { // of short numbers
    const uint32_t v = bits_of(f);
    return f == 0 ? 0 : (uint16_t)((v >> 16 & 0x8000) | (((v >> 23 & 255) - 112) << 10) | (v >> 13 & 0x3ff));
}

// A tree's resource; `size` in nodes of 64 bytes.
static inline void make_ray_tree(struct image_run *r, uint64_t size, unsigned order, bool flags) {
    const uint64_t base = (uint64_t)(uintptr_t)r->memory;
    r->t[0] = (uint32_t)(base >> 8);
    r->t[1] = (uint32_t)(base >> 40) | (order & 3) << 21 | (order < 4 ? 1u << 31 : 0);
    r->t[2] = (uint32_t)(size - 1);
    r->t[3] = (uint32_t)((size - 1) >> 32 & 0x3ff) | (uint32_t)flags << 23 | 1 << 24 | 8u << 28;
}

static inline sw_status shoot(struct image_run *r, const struct shot *s) {
    char text[160];
    const unsigned n = RAY_AT + 1 + s->wide, last = s->half ? 3 : 6;
    for (unsigned v = 0; v < IMG_REGISTERS; v++)
        for (unsigned l = 0; l < r->lanes; l++) r->before[v][l] = 0xabad0000 + v;
    for (unsigned l = 0; l < r->lanes; l++) {
        float inverse[3];
        for (unsigned i = 0; i < 3; i++) inverse[i] = 1 / s->direction[l][i];
        r->before[RAY_AT][l] = (uint32_t)s->node[l];
        if (s->wide) r->before[RAY_AT + 1][l] = (uint32_t)(s->node[l] >> 32);
        r->before[n][l] = bits_of(s->extent[l]);
        for (unsigned i = 0; i < 3; i++) r->before[n + 1 + i][l] = bits_of(s->origin[l][i]);
        for (unsigned i = 0; i < 3 && !s->half; i++) {
            r->before[n + 4 + i][l] = bits_of(s->direction[l][i]);
            r->before[n + 7 + i][l] = bits_of(inverse[i]);
        }
        if (!s->half) continue;
        const uint32_t d[3] = {short_bits(s->direction[l][0]), short_bits(s->direction[l][1]),
                               short_bits(s->direction[l][2])};
        const uint32_t v[3] = {short_bits(inverse[0]), short_bits(inverse[1]), short_bits(inverse[2])};
        const bool old = r->m->layout == L_GFX10_3;
        r->before[n + 4][l] = old ? d[0] | d[1] << 16 : d[0] | v[0] << 16;
        r->before[n + 5][l] = old ? d[2] | v[0] << 16 : d[1] | v[1] << 16;
        r->before[n + 6][l] = old ? v[1] | v[2] << 16 : d[2] | v[2] << 16;
    }
    if (r->m->layout == L_GFX10_3 && !r->m->no_list && image_random() % 2) { // a list
        int at = snprintf(text, sizeof text, "image_bvh%s_intersect_ray v[0:3], [v%u", s->wide ? "64" : "",
                          RAY_AT);
        for (unsigned v = RAY_AT + 1; v <= n + 3 + last; v++)
            at += snprintf(text + at, sizeof text - (size_t)at, ", v%u", v);
        snprintf(text + at, sizeof text - (size_t)at, "], s[8:11]%s", s->half ? " a16" : "");
    } else if (r->m->layout == L_GFX10_3)
        snprintf(text, sizeof text, "image_bvh%s_intersect_ray v[0:3], v[%u:%u], s[8:11]%s",
                 s->wide ? "64" : "", RAY_AT, n + 3 + last, s->half ? " a16" : "");
    else if (s->half)
        snprintf(text, sizeof text,
                 "image_bvh%s_intersect_ray v[0:3], [%s, v%u, v[%u:%u], v[%u:%u]], s[8:11] a16",
                 s->wide ? "64" : "", s->wide ? "v[4:5]" : "v4", n, n + 1, n + 3, n + 4, n + 6);
    else
        snprintf(text, sizeof text,
                 "image_bvh%s_intersect_ray v[0:3], [%s, v%u, v[%u:%u], v[%u:%u], v[%u:%u]], s[8:11]",
                 s->wide ? "64" : "", s->wide ? "v[4:5]" : "v4", n, n + 1, n + 3, n + 4, n + 6, n + 7, n + 9);
    return image_run(r, text);
}

static inline bool has_rays(const struct machine_kind *m) { return m->layout >= L_GFX10_3; }

static inline void aim_rays(struct shot *s, unsigned lanes, bool half) {
    *s = (struct shot){.half = half};
    for (unsigned l = 0; l < lanes; l++) {
        s->extent[l] = image_random() % 4 ? 1000 : (float)chance(1, 20);
        for (unsigned i = 0; i < 3; i++) {
            s->origin[l][i] = (float)chance(-9, 9);
            const bool falls =
                image_random() % 8 ? s->origin[l][i] > 0 : image_random() % 2; // mostly inwards
            // Powers of two have inverses of 16 bits.
            const double size = half ? ldexp(1, (int)(image_random() % 3) - 1) : chance(0.3, 1);
            s->direction[l][i] = (float)(falls ? -size : size);
        }
    }
}

static unsigned ray_compared, met;
static inline void boxes_on(struct image_run *r, bool half_node, bool half_ray, bool wide, unsigned order) {
    struct shot s;
    aim_rays(&s, r->lanes, half_ray);
    s.wide = wide;
    float low[64][4][3], high[64][4][3];
    for (unsigned l = 0; l < r->lanes; l++) {
        uint8_t *node = r->memory + 128 * l;
        memset(node, 0, 128);
        s.node[l] = (uint64_t)(2 * l) << 3 | (half_node ? 4 : 5);
        for (unsigned c = 0; c < 4; c++) {
            const uint32_t child = l * 100 + c * 8 + 1;
            memcpy(node + 4 * c, &child, 4);
            for (unsigned i = 0; i < 3; i++) {
                low[l][c][i] = short_number(-8, 2), high[l][c][i] = low[l][c][i] + short_number(3, 8);
                if (half_node) {
                    const uint16_t a = short_bits(low[l][c][i]), b = short_bits(high[l][c][i]);
                    memcpy(node + 16 + 12 * c + 2 * i, &a, 2);
                    memcpy(node + 16 + 12 * c + 6 + 2 * i, &b, 2);
                } else {
                    memcpy(node + 16 + 24 * c + 4 * i, &low[l][c][i], 4);
                    memcpy(node + 16 + 24 * c + 12 + 4 * i, &high[l][c][i], 4);
                }
            }
        }
    }
    make_ray_tree(r, TREE_NODES, order, false);
    r->exec = image_random() | 1;
    if (shoot(r, &s)) fail_msg("%s: boxes: %s", r->m->name, r->fault.reason ? r->fault.reason : "fault");
    if (r->m->layout == L_GFX10_3 && order < 4) order = 0; // it has no other
    for (unsigned l = 0; l < r->lanes; l++) {
        if (!(r->exec >> l & 1)) {
            for (unsigned i = 0; i < 4; i++) assert_int_equal(r->after[i][l], r->before[i][l]);
            continue;
        }
        double key[4];
        uint32_t want[4];
        bool close_call = false;
        for (unsigned c = 0; c < 4; c++) {
            double in, out;
            const bool line = crosses(s.origin[l], s.direction[l], low[l][c], high[l][c], &in, &out);
            const double from = in > 0 ? in : 0, to = out < (double)s.extent[l] ? out : (double)s.extent[l];
            close_call |= fabs(from - to) < 1e-3 || fabs(in - out) < 1e-3;
            want[c] = line && from <= to ? l * 100 + c * 8 + 1 : (uint32_t)NO_CHILD;
            key[c] = order == 1 ? from - to : order == 2 ? in + out : from;
        }
        for (unsigned a = 0; a < 4 && order < 3; a++)
            for (unsigned b = a + 1; b < 4; b++) {
                const bool both = want[a] != (uint32_t)NO_CHILD && want[b] != (uint32_t)NO_CHILD;
                close_call |= both && fabs(key[a] - key[b]) < 1e-4; // any order
            }
        for (unsigned a = 0; a < 4 && order < 3; a++) // the best of the rest
            for (unsigned b = a + 1; b < 4; b++)
                if (want[b] != (uint32_t)NO_CHILD && (want[a] == (uint32_t)NO_CHILD || key[b] < key[a])) {
                    const uint32_t w = want[a];
                    const double k = key[a];
                    want[a] = want[b], key[a] = key[b];
                    want[b] = w, key[b] = k;
                }
        if (close_call) continue;
        for (unsigned i = 0; i < 4; i++) {
            ray_compared++, met += want[i] != (uint32_t)NO_CHILD;
            if (r->after[i][l] != want[i])
                fail_msg("%s: boxes, order %u, lane %u: child %u is %u, not %u", r->m->name, order, l, i,
                         r->after[i][l], want[i]);
        }
    }
}

static inline void triangles_on(struct image_run *r, bool wide) {
    static const unsigned corners[2][3] = {{0, 1, 2}, {1, 3, 2}};
    struct shot s;
    aim_rays(&s, r->lanes, false);
    s.wide = wide;
    float v[64][4][3];
    for (unsigned l = 0; l < r->lanes; l++) {
        uint8_t *node = r->memory + 64 * l;
        memset(node, 0, 64);
        s.node[l] = (uint64_t)l << 3 | l % 2;
        for (unsigned k = 0; k < 4; k++)
            for (unsigned i = 0; i < 3; i++) v[l][k][i] = (float)chance(-6, 6);
        memcpy(node, v[l], 48);
        // Towards a point of the triangle's plane, mostly inside.
        const float *a = v[l][corners[l % 2][0]], *b = v[l][corners[l % 2][1]], *c = v[l][corners[l % 2][2]];
        const double x = chance(-0.2, 0.9), y = chance(-0.2, 0.9);
        for (unsigned i = 0; i < 3; i++) {
            const double p =
                (double)a[i] + x * ((double)b[i] - (double)a[i]) + y * ((double)c[i] - (double)a[i]);
            s.direction[l][i] = (float)((p - (double)s.origin[l][i]) * (l % 8 == 7 ? -0.5 : 0.5));
        }
        node[60 + l % 2] = 1 | 2 << 2; // the second and the third coordinate
    }
    make_ray_tree(r, TREE_NODES, 0, false);
    r->exec = ~0ull;
    if (shoot(r, &s)) fail_msg("%s: triangles: %s", r->m->name, r->fault.reason ? r->fault.reason : "fault");
    for (unsigned l = 0; l < r->lanes; l++) {
        const float *a = v[l][corners[l % 2][0]], *b = v[l][corners[l % 2][1]], *c = v[l][corners[l % 2][2]];
        double t, u, w;
        if (!meets_triangle(s.origin[l], s.direction[l], a, b, c, &t, &u, &w)) continue;
        const bool hit = u > 0 && w > 0 && u + w < 1 && t > 0;
        const double by = (double)float_of(r->after[1][l]);
        ray_compared++, met += hit;
        if (hit != isfinite(float_of(r->after[0][l])))
            fail_msg("%s: triangle, lane %u: %s a hit", r->m->name, l, hit ? "is" : "is not");
        if (!hit) {
            assert_true(by == 1);
            continue;
        }
        const double got[3] = {(double)float_of(r->after[0][l]) / by, (double)float_of(r->after[2][l]) / by,
                               (double)float_of(r->after[3][l]) / by},
                     want[3] = {t, u, w};
        for (unsigned i = 0; i < 3; i++)
            if (fabs(got[i] - want[i]) > 1e-3 * (1 + fabs(want[i])))
                fail_msg("%s: triangle, lane %u: number %u is %g, not %g", r->m->name, l, i, got[i], want[i]);
    }
}

#endif
