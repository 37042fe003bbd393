// SPDX-License-Identifier: MIT
// Rays against the nodes that GFX12 alone has, and against two nodes at once (bvh8_trials.h); masks, order,
// bounds, what is refused.
#include "covered.h"
#include "bvh8_trials.h"

__attribute__((constructor)) static void cover(void) { covered("image_intersect_two"); }

static const struct machine_kind *machine(void) { return &machines[MACHINES - 1]; } // gfx1200

static void boxes_on_a_grid(void **state) {
    (void)state;
    struct image_run r;
    compared8 = met8 = 0;
    image_open(&r, machine());
    for (unsigned trial = 0; trial < 120; trial++) grid_on(&r, trial);
    image_close(&r);
    print_message("%u children, %u met\n", compared8, met8);
    assert_true(met8 > 1000 && compared8 > met8 + 1000);
}

// Who shares its node with the child before stands once.
static void shared_node(void **state) {
    (void)state;
    struct image_run r;
    struct shot8 s;
    aim8(&s);
    image_open(&r, machine());
    uint8_t *node = r.memory;
    memset(node, 0, 128);
    const uint32_t leaf = 7 << 4;
    memcpy(node + 4, &leaf, 4);
    put_bits(node, 192, 24, 0x868686), put_bits(node, 192 + 28, 3, 2),
        put_bits(node, 224, 7, 0x7f); // three of 128 on each side
    for (unsigned i = 0; i < 3; i++) {
        const float origin = -64;
        memcpy(node + 12 + 4 * i, &origin, 4);
        uint8_t *p = node + 32 + 12 * i;
        for (unsigned k = 0; k < 3; k++) put_bits(p, (unsigned[]){44, 64, 76}[k], 12, 0xfff);
        put_bits(p, 56, 8, 0xff), put_bits(p, 88, 4, 1),
            put_bits(p, 92, 4, i); // the second lies in the first one's node
    }
    s.node[0][0] = 5;
    make_tree8(&r, B8_NODES, 4, COMPRESSED);
    r.exec = 1;
    must_shoot8(&r, &s, false);
    assert_int_equal(r.after[B8_RESULT][0], 7 << 4 | 1);
    assert_int_equal(r.after[B8_RESULT + 1][0], (uint32_t)B8_NONE);
    assert_int_equal(r.after[B8_RESULT + 2][0], 8 << 4 | 1);
    image_close(&r);
}

static void instances(void **state) {
    (void)state;
    struct image_run r;
    compared8 = met8 = 0;
    image_open(&r, machine());
    for (unsigned trial = 0; trial < 60; trial++) instances_on(&r, trial);
    image_close(&r);
    print_message("%u children, %u met\n", compared8, met8);
    assert_true(met8 > 200 && compared8 > met8 + 200);
}

static void pairs(void **state) {
    (void)state;
    struct image_run r;
    compared8 = met8 = 0;
    image_open(&r, machine());
    for (unsigned trial = 0; trial < 64; trial++) pairs_on(&r, trial);
    image_close(&r);
    print_message("%u triangles, %u met\n", compared8, met8);
    assert_true(met8 > 300 && compared8 > met8 + 300);
}

static void two_nodes(void **state) {
    (void)state;
    struct image_run r;
    compared8 = met8 = 0;
    image_open(&r, machine());
    for (unsigned trial = 0; trial < 60; trial++) two_on(&r, trial, trial < 30);
    image_close(&r);
    print_message("%u children, %u met\n", compared8, met8);
    assert_true(met8 > 1000 && compared8 > met8 + 1000);
}

// Triangles have the numbers of their geometry in the last two words; boxes and triangles may come together.
static void triangles_of_two(void **state) {
    (void)state;
    struct image_run r;
    struct shot8 s;
    struct child c[4];
    aim8(&s);
    image_open(&r, machine());
    static const float v[4][3] = {{-9, -9, 1}, {9, -9, 1}, {-9, 9, 1}, {9, 9, 1}};
    const uint32_t geometry = 0x777;
    memset(r.memory, 0, 64);
    memcpy(r.memory, v, 48), memcpy(r.memory + 56, &geometry, 4);
    r.memory[60] = r.memory[61] = 1 | 2 << 2;
    box_node(r.memory + 64, c, 64);
    for (unsigned i = 0; i < 3; i++)
        s.origin[0][i] = i == 2 ? 0 : -1, s.direction[0][i] = i == 2 ? 1 : 0.0625f;
    for (unsigned one = 0; one < 2; one++) { // bvh8's pointer to the second triangle means both
        s.node[0][0] = one ? 1 : 0, s.node[0][1] = 1 << 3 | 5;
        make_tree8(&r, B8_NODES, 0, SORT_EIGHT);
        r.exec = 1;
        must_shoot8(&r, &s, !one);
        assert_true(
            fabs((double)(float_of(r.after[B8_RESULT][0]) / float_of(r.after[B8_RESULT + 1][0])) - 1) < 1e-5);
        assert_int_equal(r.after[B8_RESULT + 8][0], geometry);
        assert_int_equal(r.after[B8_RESULT + 9][0], one ? geometry : (uint32_t)B8_NONE);
        uint32_t want[8];
        if (one)
            assert_true(isinf(float_of(r.after[B8_RESULT + 4][0])));
        else if (children_are(c, 4, 4, s.origin[0], s.direction[0], s.extent, 0, false, 3, want))
            for (unsigned i = 0; i < 4; i++) assert_int_equal(r.after[B8_RESULT + 4 + i][0], want[i]);
    }
    image_close(&r);
}

static void bounds(void **state) {
    (void)state;
    struct image_run r;
    struct shot8 s;
    aim8(&s);
    image_open(&r, machine());
    memset(r.memory, 0, 4096);
    r.exec = 1;
    static const struct {
        uint32_t node;
        unsigned bits;
        const char *why; // NULL: all ones
    } cases[] = {
        {8 << 3 | 5, COMPRESSED, NULL},
        {7 << 3 | 5, COMPRESSED, NULL},
        {4 << 4 | 1, COMPRESSED, NULL},
        {6, COMPRESSED, NULL},
        {7, COMPRESSED, NULL},
        {0xffffffff, COMPRESSED, NULL},
        {8 << 3 | 6, COMPRESSED | INSTANCES, NULL},
        {0xffffffff, 0, NULL},
        {8 << 3 | 2, 0, NULL},
        {6, 0, NULL},
        {3, 0, "boxes of 64 bytes"},
        {4, BOXES_64, "boxes of 64 bytes"},
        {5, COMPRESSED, "boxes are rotated"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        s.node[0][0] = cases[i].node;
        make_tree8(&r, 8, 0, cases[i].bits);
        const sw_status status = shoot8(&r, &s, false);
        if (cases[i].why) {
            assert_int_equal(status, SW_UNSUPPORTED);
            assert_non_null(strstr(r.fault.reason, cases[i].why));
            continue;
        }
        if (status != SW_OK) fail_msg("case %u: %s", i, r.fault.reason ? r.fault.reason : "a fault");
        for (unsigned k = 0; k < 10; k++) assert_int_equal(r.after[B8_RESULT + k][0], (uint32_t)B8_NONE);
    }
    make_tree8(&r, 8, 0, COMPRESSED);
    assert_int_equal(shoot8(&r, &s, true), SW_UNSUPPORTED);
    assert_non_null(strstr(r.fault.reason, "packed formats"));
    const uint64_t far = (uint64_t)IMG_MEMORY * 16 / 64; // in the tree, but not the wave's
    s.node[0][0] = 5, s.base = far << 3;
    make_tree8(&r, far + 2, 0, COMPRESSED);
    assert_int_equal(shoot8(&r, &s, false), SW_FAULTED);
    assert_int_equal(r.fault.kind, SW_FAULT_READ);
    assert_true(r.fault.address == (uint64_t)(uintptr_t)r.memory + far * 64);
    image_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_on_a_grid), cmocka_unit_test(shared_node), cmocka_unit_test(instances),
        cmocka_unit_test(pairs),           cmocka_unit_test(two_nodes),   cmocka_unit_test(triangles_of_two),
        cmocka_unit_test(bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
