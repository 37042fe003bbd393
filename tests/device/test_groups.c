// SPDX-License-Identifier: MIT
// Which group a work-item is of, and which work-items there are: grids of one, two and three dimensions,
// whose last groups are smaller in some; one grid after another, whole and from any group on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "piece.h"
#include "rig.h"

#define NOTHING UINT32_MAX
enum { MOST = 1 << 13 };

struct grid {
    uint32_t items[3], block[3];
};
static const struct grid grids[] = {
    {{640, 1, 1}, {64, 1, 1}}, {{100, 1, 1}, {64, 1, 1}},  {{13, 7, 5}, {4, 3, 2}},
    {{12, 6, 4}, {4, 3, 2}},   {{12, 7, 5}, {4, 3, 2}},    {{3, 5, 70}, {1, 1, 1}},
    {{9, 9, 9}, {9, 2, 3}},    {{40, 40, 1}, {16, 16, 1}}, {{48, 48, 1}, {16, 16, 1}},
    {{1, 30, 1}, {1, 4, 1}},   {{1, 1, 30}, {1, 1, 7}},    {{7, 3, 2}, {8, 4, 3}},
    {{255, 3, 2}, {16, 2, 2}},
};
enum { GRIDS = sizeof grids / sizeof *grids };

struct scene {
    struct rig rig;
    uint32_t *words;
    struct arguments {
        uint32_t *words;
        uint32_t block[3], items[2];
    } * arguments;
};
static void open_scene(struct scene *s, unsigned threads) {
    char text[4096];
    assert_true(rig_text(text, sizeof text, PIECE("where"),
                         ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n"
                         ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_system_sgpr_workgroup_id_x 1\n"
                         ".amdhsa_system_sgpr_workgroup_id_y 1\n.amdhsa_system_sgpr_workgroup_id_z 1\n"
                         ".amdhsa_system_vgpr_workitem_id 2\n"));
    assert_true(rig_open_text(&s->rig, "gfx900", text, rig_options(threads, NULL)));
    s->words = sw_device_alloc(s->rig.device, MOST * 4);
    s->arguments = sw_device_alloc(s->rig.device, 64);
}
static uint32_t groups_of(const struct grid *g) {
    uint32_t n = 1;
    for (int i = 0; i < 3; i++) n *= (g->items[i] + g->block[i] - 1) / g->block[i];
    return n;
}

// `count` groups of the grid from number `first` on; 0: all.
static void check(struct scene *s, const struct grid *g, uint32_t first, uint32_t count) {
    const uint32_t *n = g->items, all = n[0] * n[1] * n[2], end = count ? first + count : groups_of(g);
    sw_dispatch q = rig_dispatch(s->rig.object, s->rig.executable, "k", s->arguments, 1, 1);
    memcpy(q.grid, g->items, sizeof q.grid);
    memcpy(q.block, g->block, sizeof q.block);
    q.first_group = first, q.group_count = count;
    s->arguments->words = s->words;
    memcpy(s->arguments->block, g->block, sizeof g->block);
    memcpy(s->arguments->items, g->items, sizeof s->arguments->items);
    memset(s->words, 0xff, MOST * 4);
    assert_int_equal(sw_device_run(s->rig.device, &q, NULL, NULL, NULL), SW_OK);
    for (uint32_t i = 0; i < MOST; i++) {
        uint32_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]}, want = 0, number = 0;
        for (int d = 2; d >= 0; d--) {
            const uint32_t id = at[d] / g->block[d];
            want = want << 8 | id;
            number = number * ((n[d] + g->block[d] - 1) / g->block[d]) + id;
        }
        if (i >= all || number < first || number >= end) want = NOTHING;
        if (s->words[i] != want)
            fail_msg("grid %u %u %u, groups of %u %u %u from %u, %u of them: item %u has %#x, not %#x", n[0],
                     n[1], n[2], g->block[0], g->block[1], g->block[2], first, count, i, s->words[i], want);
    }
}

static void whole_grids(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        struct scene s;
        open_scene(&s, threads);
        for (int round = 0; round < 3; round++)
            for (size_t i = 0; i < GRIDS; i++) check(&s, &grids[i], 0, 0);
        rig_close(&s.rig);
    }
}

// Behind some groups of one grid those of another, from the number on where the first ended.
static void parts(void **state) {
    (void)state;
    struct scene s;
    open_scene(&s, 1);
    for (size_t i = 0; i < GRIDS; i++)
        for (size_t j = 0; j < GRIDS; j++)
            for (uint32_t n = 1; n < groups_of(&grids[i]) && n < groups_of(&grids[j]) && n < 60; n += 7) {
                check(&s, &grids[i], 0, n);
                check(&s, &grids[j], n, 1);
                check(&s, &grids[j], n - 1, groups_of(&grids[j]) - n + 1);
            }
    rig_close(&s.rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_grids),
        cmocka_unit_test(parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
