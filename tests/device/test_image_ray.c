// SPDX-License-Identifier: MIT
// Rays against the boxes and triangles of BVH nodes: random nodes and rays against geometry in double
// precision, written in another way (planes and areas); the order of children, bounds, flags of pointers,
// what is refused. Facts shown: BUF-59.
#include "covered.h"
#include "ray_trials.h"

__attribute__((constructor)) static void cover(void) { covered("image_intersect_ray"); }

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
    print_message("boxes: %u children, %u met\n", ray_compared, met);
    assert_true(met > 500 && ray_compared > met + 500);
}
static void triangles(void **state) {
    (void)state;
    ray_compared = met = 0;
    for (unsigned n = 0; n < MACHINES; n++) {
        if (!has_rays(&machines[n])) continue;
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < 20; trial++) triangles_on(&r, trial & 1);
        image_close(&r);
    }
    print_message("triangles: %u, %u met\n", ray_compared, met);
    assert_true(met > 500 && ray_compared > met + 300);
}

// One lane's node is `node`; what comes back.
static sw_status one(struct image_run *r, uint64_t node, bool wide, bool flags, uint64_t size) {
    struct shot s;
    aim_rays(&s, r->lanes, false);
    s.wide = wide;
    for (unsigned l = 0; l < r->lanes; l++) {
        s.node[l] = node, s.extent[l] = 1000;
        for (unsigned i = 0; i < 3; i++) s.origin[l][i] = 0.25f, s.direction[l][i] = i == 2 ? 1 : 0.0625f;
    }
    make_ray_tree(r, size, 0, flags);
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
            for (unsigned k = 0; k < 4; k++) assert_int_equal(r.after[k][0], (uint32_t)NO_CHILD);
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
        aim_rays(&s, r.lanes, false);
        make_ray_tree(&r, 8, 0, false);
        r.t[3] = (r.t[3] & 0x0fffffff) | 9u << 28;
        assert_int_equal(shoot(&r, &s), SW_OK);
        for (unsigned k = 0; k < 4; k++) assert_int_equal(r.after[k][0], r.before[k][0]);
        make_ray_tree(&r, 8, 0, false);
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
            if (far) assert_int_equal(r.after[0][0], (uint32_t)NO_CHILD); // the bits are those of a far node
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
                assert_int_equal(r.after[3][0], (uint32_t)NO_CHILD);
            }
        image_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes), cmocka_unit_test(triangles),
                                       cmocka_unit_test(bounds), cmocka_unit_test(flags)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
