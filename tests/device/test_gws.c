// SPDX-License-Identifier: MIT
// Global wave sync and global data share: barriers across work-groups, semaphores across dispatches, and what
// stays of waves that are stopped while they wait (RDNA2 and CDNA3, chapters on data share: DS_GWS_*).
#include "gws_scene.h"
#include "piece.h"

static const char *const processors[] = {"gfx700", "gfx803", "gfx906", "gfx1030", "gfx1100"};
enum { PROCESSORS = sizeof processors / sizeof *processors };

// Every group adds to a word, meets the others, and finds that all have; several times, where each barrier
// says how many come to the next.
static void grid_barriers(void **state) {
    (void)state;
    const char *code = PIECE("grid_barriers: code");
    static const char init[] =
        "v_mov_b32 v0, 39\n s_mov_b32 m0, 0x3f0000\n ds_gws_init v0 gds\n s_waitcnt 0\n s_endpgm";
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct scene s;
        open_scene(&s, "gfx906", threads);
        const unsigned prepare = add_kernel(&s, "gfx906", init), meet = add_kernel(&s, "gfx906", code);
        for (int round = 0; round < 10; round++) {
            memset(s.words, 0, 256);
            run(&s, prepare, 1);
            run(&s, meet, 40);
            for (int i = 0; i < 8; i++) assert_int_equal(s.words[i], 40);
        }
        close_scene(&s);
    }
}

static void semaphores(void **state) {
    (void)state;
    for (unsigned p = 0; p < PROCESSORS; p++) try_semaphores(processors[p], 1 + p % 3, true);
}

// What is stopped while it waits was never there.
static void stopped(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct scene s;
        open_scene(&s, "gfx1030", threads);
        const unsigned prepare = add_kernel(&s, "gfx1030", init_four),
                       barrier = add_kernel(&s, "gfx1030", meet_four),
                       take = add_kernel(&s, "gfx1030", take_one), one = add_kernel(&s, "gfx1030", give_one);
        run(&s, prepare, 1);
        for (int round = 0; round < 5; round++) {
            sw_job *waits = start(&s, barrier, 3), *takes[2] = {start(&s, take, 4), start(&s, take, 1)};
            usleep(2000);
            assert_false(sw_job_wait(waits, 0));
            sw_job_stop(waits);
            assert_int_equal(sw_job_finish(waits, NULL, NULL, NULL), SW_FAULTED);
            run(&s, barrier, 4);
            run(&s, barrier, 8);
            sw_job_stop(takes[0]);
            assert_int_equal(sw_job_finish(takes[0], NULL, NULL, NULL), SW_FAULTED);
            assert_false(sw_job_wait(takes[1], 0));
            run(&s, one, 1);
            finish(takes[1]);
        }
        close_scene(&s);
    }
}

// Waves of all groups count in one memory, which outlives their dispatch; M0 says which part of it is theirs.
static void shared_data(void **state) {
    (void)state;
    enum { GROUPS = 20 };
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct scene s;
        open_scene(&s, "gfx906", threads);
        const unsigned share = add_kernel(&s, "gfx906", PIECE("share")),
                       sums = add_kernel(&s, "gfx906", PIECE("share: sums"));
        for (unsigned turn = 0; turn < 2; turn++) {
            bool seen[2 * GROUPS] = {false};
            memset(s.words, 0xa5, 256);
            run(&s, share, GROUPS);
            run(&s, sums, 1);
            const unsigned waves = GROUPS * (turn + 1);
            const uint32_t want[] = {32 * waves, 3 * waves, 3 * waves, 0};
            for (unsigned i = 0; i < 4; i++) assert_int_equal(s.words[i], want[i]);
            for (unsigned g = 0; g < GROUPS; g++) {
                const uint32_t before = s.words[16 + 2 * g];
                assert_true(before % 32 == 0 && before / 32 - GROUPS * turn < GROUPS);
                assert_false(seen[before / 32]);
                seen[before / 32] = true;
                assert_int_equal(s.words[17 + 2 * g], 0);
            }
        }
        close_scene(&s);
    }
}

static void ordered_counts(void **state) {
    (void)state;
    enum { GROUPS = 16, WAVES = 4 * GROUPS };
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct scene s;
        open_scene(&s, "gfx906", threads);
        const unsigned k = add_kernel(&s, "gfx906", PIECE("ordered"));
        for (unsigned turn = 0; turn < 2; turn++) {
            memset(s.words, 0xa5, 256);
            sw_job *job;
            const sw_dispatch q =
                rig_dispatch(s.kernels[k].object, s.kernels[k].executable, "k", s.kernarg, 64 * WAVES, 256);
            assert_int_equal(sw_device_submit(s.device, &q, NULL, &job, NULL), SW_OK);
            finish(job);
            for (unsigned w = 0; w < WAVES; w++) assert_int_equal(s.words[w], 3 * (WAVES * turn + w));
        }
        close_scene(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_data), cmocka_unit_test(ordered_counts), cmocka_unit_test(grid_barriers),
        cmocka_unit_test(semaphores),  cmocka_unit_test(stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
