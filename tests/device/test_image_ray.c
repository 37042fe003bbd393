// SPDX-License-Identifier: MIT
// Rays against the boxes and triangles of BVH nodes: random nodes and rays against geometry in double
// precision, written in another way (planes and areas); the order of children, bounds, flags of pointers,
// what is refused. Facts shown: BUF-59.
#include "covered.h"
#include "image_rig.h"
#include "ray_geometry.h"

__attribute__((constructor)) static void cover(void) { covered("image_intersect_ray"); }

enum { FIRST = 4, NODES = 512, NONE = -1 };
struct shot {
    bool wide, half;
    uint64_t node[64];
    float extent[64], origin[64][3], direction[64][3];
};

// A number that F16 has.
static float short_number(double low, double high) { return (float)(round(chance(low, high) * 16) / 16); }

static uint16_t half_bits(float f) { // of short numbers
    const uint32_t v = bits_of(f);
    return f == 0 ? 0 : (uint16_t)((v >> 16 & 0x8000) | (((v >> 23 & 255) - 112) << 10) | (v >> 13 & 0x3ff));
}

// A tree's resource; `size` in nodes of 64 bytes.
static void make_tree(struct image_run *r, uint64_t size, unsigned order, bool flags) {
    const uint64_t base = (uint64_t)(uintptr_t)r->memory;
    r->t[0] = (uint32_t)(base >> 8);
    r->t[1] = (uint32_t)(base >> 40) | (order & 3) << 21 | (order < 4 ? 1u << 31 : 0);
    r->t[2] = (uint32_t)(size - 1);
    r->t[3] = (uint32_t)((size - 1) >> 32 & 0x3ff) | (uint32_t)flags << 23 | 1 << 24 | 8u << 28;
}

static sw_status shoot(struct image_run *r, const struct shot *s) {
    char text[160];
    const unsigned n = FIRST + 1 + s->wide, last = s->half ? 3 : 6;
    for (unsigned v = 0; v < IMG_REGISTERS; v++)
        for (unsigned l = 0; l < r->lanes; l++) r->before[v][l] = 0xabad0000 + v;
    for (unsigned l = 0; l < r->lanes; l++) {
        float inverse[3];
        for (unsigned i = 0; i < 3; i++) inverse[i] = 1 / s->direction[l][i];
        r->before[FIRST][l] = (uint32_t)s->node[l];
        if (s->wide) r->before[FIRST + 1][l] = (uint32_t)(s->node[l] >> 32);
        r->before[n][l] = bits_of(s->extent[l]);
        for (unsigned i = 0; i < 3; i++) r->before[n + 1 + i][l] = bits_of(s->origin[l][i]);
        for (unsigned i = 0; i < 3 && !s->half; i++) {
            r->before[n + 4 + i][l] = bits_of(s->direction[l][i]);
            r->before[n + 7 + i][l] = bits_of(inverse[i]);
        }
        if (!s->half) continue;
        const uint32_t d[3] = {half_bits(s->direction[l][0]), half_bits(s->direction[l][1]),
                               half_bits(s->direction[l][2])};
        const uint32_t v[3] = {half_bits(inverse[0]), half_bits(inverse[1]), half_bits(inverse[2])};
        const bool old = r->m->layout == L_GFX10_3;
        r->before[n + 4][l] = old ? d[0] | d[1] << 16 : d[0] | v[0] << 16;
        r->before[n + 5][l] = old ? d[2] | v[0] << 16 : d[1] | v[1] << 16;
        r->before[n + 6][l] = old ? v[1] | v[2] << 16 : d[2] | v[2] << 16;
    }
    if (r->m->layout == L_GFX10_3 && image_random() % 2) { // a list
        int at =
            snprintf(text, sizeof text, "image_bvh%s_intersect_ray v[0:3], [v%u", s->wide ? "64" : "", FIRST);
        for (unsigned v = FIRST + 1; v <= n + 3 + last; v++)
            at += snprintf(text + at, sizeof text - (size_t)at, ", v%u", v);
        snprintf(text + at, sizeof text - (size_t)at, "], s[8:11]%s", s->half ? " a16" : "");
    } else if (r->m->layout == L_GFX10_3)
        snprintf(text, sizeof text, "image_bvh%s_intersect_ray v[0:3], v[%u:%u], s[8:11]%s",
                 s->wide ? "64" : "", FIRST, n + 3 + last, s->half ? " a16" : "");
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

static bool has_rays(const struct machine_kind *m) { return m->layout >= L_GFX10_3; }

static void aim(struct shot *s, unsigned lanes, bool half) {
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

static unsigned compared, met;
static void boxes_on(struct image_run *r, bool half_node, bool half_ray, bool wide, unsigned order) {
    struct shot s;
    aim(&s, r->lanes, half_ray);
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
                    const uint16_t a = half_bits(low[l][c][i]), b = half_bits(high[l][c][i]);
                    memcpy(node + 16 + 12 * c + 2 * i, &a, 2);
                    memcpy(node + 16 + 12 * c + 6 + 2 * i, &b, 2);
                } else {
                    memcpy(node + 16 + 24 * c + 4 * i, &low[l][c][i], 4);
                    memcpy(node + 16 + 24 * c + 12 + 4 * i, &high[l][c][i], 4);
                }
            }
        }
    }
    make_tree(r, NODES, order, false);
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
            want[c] = line && from <= to ? l * 100 + c * 8 + 1 : (uint32_t)NONE;
            key[c] = order == 1 ? from - to : order == 2 ? in + out : from;
        }
        for (unsigned a = 0; a < 4 && order < 3; a++)
            for (unsigned b = a + 1; b < 4; b++) {
                const bool both = want[a] != (uint32_t)NONE && want[b] != (uint32_t)NONE;
                close_call |= both && fabs(key[a] - key[b]) < 1e-4; // any order
            }
        for (unsigned a = 0; a < 4 && order < 3; a++) // the best of the rest
            for (unsigned b = a + 1; b < 4; b++)
                if (want[b] != (uint32_t)NONE && (want[a] == (uint32_t)NONE || key[b] < key[a])) {
                    const uint32_t w = want[a];
                    const double k = key[a];
                    want[a] = want[b], key[a] = key[b];
                    want[b] = w, key[b] = k;
                }
        if (close_call) continue;
        for (unsigned i = 0; i < 4; i++) {
            compared++, met += want[i] != (uint32_t)NONE;
            if (r->after[i][l] != want[i])
                fail_msg("%s: boxes, order %u, lane %u: child %u is %u, not %u", r->m->name, order, l, i,
                         r->after[i][l], want[i]);
        }
    }
}

static void triangles_on(struct image_run *r, bool wide) {
    static const unsigned corners[2][3] = {{0, 1, 2}, {1, 3, 2}};
    struct shot s;
    aim(&s, r->lanes, false);
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
    make_tree(r, NODES, 0, false);
    r->exec = ~0ull;
    if (shoot(r, &s)) fail_msg("%s: triangles: %s", r->m->name, r->fault.reason ? r->fault.reason : "fault");
    for (unsigned l = 0; l < r->lanes; l++) {
        const float *a = v[l][corners[l % 2][0]], *b = v[l][corners[l % 2][1]], *c = v[l][corners[l % 2][2]];
        double t, u, w;
        if (!meets_triangle(s.origin[l], s.direction[l], a, b, c, &t, &u, &w)) continue;
        const bool hit = u > 0 && w > 0 && u + w < 1 && t > 0;
        const double by = (double)float_of(r->after[1][l]);
        compared++, met += hit;
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

static void boxes(void **state) {
    (void)state;
    for (unsigned n = 0; n < MACHINES; n++) {
        if (!has_rays(&machines[n])) continue;
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < 40; trial++)
            boxes_on(&r, trial & 1, trial & 2, trial & 4, trial / 8 % 5); // 3 and 4: not sorted
        image_close(&r);
    }
    print_message("boxes: %u children, %u met\n", compared, met);
    assert_true(met > 500 && compared > met + 500);
}
static void triangles(void **state) {
    (void)state;
    compared = met = 0;
    for (unsigned n = 0; n < MACHINES; n++) {
        if (!has_rays(&machines[n])) continue;
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < 20; trial++) triangles_on(&r, trial & 1);
        image_close(&r);
    }
    print_message("triangles: %u, %u met\n", compared, met);
    assert_true(met > 500 && compared > met + 300);
}

// One lane's node is `node`; what comes back.
static sw_status one(struct image_run *r, uint64_t node, bool wide, bool flags, uint64_t size) {
    struct shot s;
    aim(&s, r->lanes, false);
    s.wide = wide;
    for (unsigned l = 0; l < r->lanes; l++) {
        s.node[l] = node, s.extent[l] = 1000;
        for (unsigned i = 0; i < 3; i++) s.origin[l][i] = 0.25f, s.direction[l][i] = i == 2 ? 1 : 0.0625f;
    }
    make_tree(r, size, 0, flags);
    r->exec = 1;
    return shoot(r, &s);
}

static void bounds(void **state) {
    (void)state;
    for (unsigned n = 0; n < MACHINES; n++) {
        if (!has_rays(&machines[n])) continue;
        struct image_run r;
        image_open(&r, &machines[n]);
        memset(r.memory, 0, 4096);
        static const uint64_t beyond[] = {8 << 3 | 5, 7 << 3 | 5, 8 << 3 | 4, 6, 7, 0xffffffff, 0xfffffff8};
        for (unsigned i = 0; i < sizeof beyond / sizeof *beyond;
             i++) { // outside of eight nodes, or none at all
            assert_int_equal(one(&r, beyond[i], i % 2, false, 8), SW_OK);
            for (unsigned k = 0; k < 4; k++) assert_int_equal(r.after[k][0], (uint32_t)NONE);
        }
        // Inside the tree, but not the wave's: a fault of lane 0.
        const uint64_t far = (uint64_t)IMG_MEMORY * 16 / 64;
        assert_int_equal(one(&r, far << 3 | 5, true, false, far + 2), SW_FAULTED);
        assert_int_equal(r.fault.kind, SW_FAULT_READ);
        assert_int_equal(r.fault.lane, 0);
        assert_true(r.fault.address == (uint64_t)(uintptr_t)r.memory + far * 64);
        // What is not known is refused.
        assert_int_equal(one(&r, 2, false, false, 8), SW_UNSUPPORTED);
        assert_int_equal(r.fault.kind, SW_FAULT_UNSUPPORTED);
        assert_non_null(strstr(r.fault.reason, "third or fourth triangle"));
        // A resource of another kind: nothing happens (BUF-59).
        r.exec = 1;
        struct shot s;
        aim(&s, r.lanes, false);
        make_tree(&r, 8, 0, false);
        r.t[3] = (r.t[3] & 0x0fffffff) | 9u << 28;
        assert_int_equal(shoot(&r, &s), SW_OK);
        for (unsigned k = 0; k < 4; k++) assert_int_equal(r.after[k][0], r.before[k][0]);
        make_tree(&r, 8, 0, false);
        r.t[3] &= ~(1u << 24);
        assert_int_equal(shoot(&r, &s), SW_UNSUPPORTED);
        assert_non_null(strstr(r.fault.reason, "returned by number"));
        image_close(&r);
    }
}

// Flags in the pointer, on GFX11 and later: a triangle whose front is seen, which is opaque.
static void flags(void **state) {
    static const struct {
        unsigned flags; // from bit 54 on
        bool hit;
    } cases[] = {{0, true},
                 {1 << 4, true},
                 {1 << 5, false},
                 {1 << 6, false},
                 {1 << 7, true},
                 {1 << 8, false},
                 {1 << 9, true},
                 {1 << 5 | 1 << 2, true},
                 {1 << 5 | 1 << 3, true},
                 {1 << 4 | 1 << 3, false},
                 {1 << 6 | 1 << 1, true},
                 {1 << 7 | 1 << 1, false},
                 {1 << 7 | 1 << 0, true}};
    (void)state;
    for (unsigned n = 0; n < MACHINES; n++) {
        if (!has_rays(&machines[n])) continue;
        struct image_run r;
        image_open(&r, &machines[n]);
        static const float v[4][3] = {{-4, -4, 5}, {8, -4, 5}, {-4, 8, 5}, {8, 8, 5}};
        memset(r.memory, 0, 256);
        memcpy(r.memory, v, sizeof v);
        r.memory[60] = 1 << 7;
        uint32_t front = 0;
        assert_int_equal(one(&r, 0, true, false, 8), SW_OK);
        front = r.after[1][0];
        const bool is_back = float_of(front) < 0;
        for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
            unsigned says = cases[i].flags;
            if (is_back)
                says = (says & ~0x30u) | (says >> 1 & 0x10) | (says << 1 & 0x20); // the sides change places
            assert_int_equal(one(&r, (uint64_t)says << 54, true, r.m->layout >= L_GFX11, 8), SW_OK);
            const bool hit = isfinite(float_of(r.after[0][0])), far = r.m->layout < L_GFX11 && says;
            if (hit != (cases[i].hit && !far) && !far)
                fail_msg("%s: flags 0x%x: %s", r.m->name, says, hit ? "a hit" : "no hit");
            if (far) assert_int_equal(r.after[0][0], (uint32_t)NONE); // the bits are those of a far node
        }
        // Boxes that have triangles alone.
        float box[6] = {-1, -1, 1, 3, 3, 4};
        memset(r.memory, 0, 256);
        for (unsigned c = 0; c < 4; c++) {
            const uint32_t child = 8 + c;
            memcpy(r.memory + 4 * c, &child, 4);
            memcpy(r.memory + 16 + 24 * c, box, sizeof box);
            r.memory[112 + c] = (uint8_t)(1 << c);
        }
        if (r.m->layout >= L_GFX11)
            for (unsigned c = 0; c < 4; c++) { // cull opaque, non-opaque; skip triangles, procedural
                assert_int_equal(one(&r, 5 | 1ull << (60 + c), true, true, 8), SW_OK);
                unsigned came = 0; // in any order: all are equally far
                for (unsigned k = 0; k < 3; k++) came |= 1u << (r.after[k][0] - 8);
                assert_int_equal(came, 15 & ~(1u << c));
                assert_int_equal(r.after[3][0], (uint32_t)NONE);
            }
        image_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes), cmocka_unit_test(triangles),
                                       cmocka_unit_test(bounds), cmocka_unit_test(flags)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
