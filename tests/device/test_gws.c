// SPDX-License-Identifier: MIT
// Global wave sync and global data share: barriers across work-groups, semaphores across dispatches, and what
// stays of waves that are stopped while they wait (RDNA2 and CDNA3, chapters on data share: DS_GWS_*).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "piece.h"
#include "rig.h"

#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"

static const char *const processors[] = {"gfx700", "gfx803", "gfx906", "gfx1030", "gfx1100"};
enum { PROCESSORS = sizeof processors / sizeof *processors };

// Kernels of one device, each of one piece of code.
struct scene {
    sw_device *device;
    struct {
        sw_object *object;
        uint8_t *image;
        sw_executable *executable;
    } kernels[8];
    unsigned count;
    uint32_t *words;
    uint64_t *kernarg; // {words}
};
static void open_scene(struct scene *s, const char *processor, unsigned threads) {
    *s = (struct scene){.device = rig_device(processor, threads, NULL)};
    assert_non_null(s->device);
    s->words = sw_device_alloc(s->device, 256);
    s->kernarg = sw_device_alloc(s->device, 64);
    *s->kernarg = (uint64_t)(uintptr_t)s->words;
}
static unsigned add_kernel(struct scene *s, const char *processor, const char *code) {
    char text[4096];
    const unsigned n = s->count++;
    assert_true(rig_text(text, sizeof text, code, DESCRIPTOR));
    s->kernels[n].object = rig_object(processor, text, &s->kernels[n].image);
    if (!s->kernels[n].object) fail_msg("%s: %s", processor, code);
    assert_int_equal(
        sw_device_load(s->device, s->kernels[n].object, NULL, NULL, &s->kernels[n].executable, NULL), SW_OK);
    return n;
}
static sw_job *start(struct scene *s, unsigned kernel, unsigned groups) {
    sw_job *job;
    const sw_dispatch q = rig_dispatch(s->kernels[kernel].object, s->kernels[kernel].executable, "k",
                                       s->kernarg, 32 * groups, 32);
    assert_int_equal(sw_device_submit(s->device, &q, NULL, &job, NULL), SW_OK);
    return job;
}
static void finish(sw_job *job) {
    sw_fault fault = {.size = sizeof fault};
    if (sw_job_finish(job, &fault, NULL, NULL) != SW_OK) fail_msg("fault %d: %s", fault.kind, fault.reason);
}
static void run(struct scene *s, unsigned kernel, unsigned groups) { finish(start(s, kernel, groups)); }
// Whether exactly so many of the jobs have ended.
static unsigned ended(sw_job **jobs, unsigned count) {
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++) n += sw_job_wait(jobs[i], 0);
    return n;
}
static void expect_ended(sw_job **jobs, unsigned count, unsigned expected) {
    for (int i = 0; i < 10000 && ended(jobs, count) < expected; i++) usleep(1000);
    usleep(5000);
    assert_int_equal(ended(jobs, count), expected);
}
static void close_scene(struct scene *s) {
    sw_device_destroy(s->device);
    for (unsigned i = 0; i < s->count; i++) {
        sw_object_close(s->kernels[i].object);
        sw_free(s->kernels[i].image);
    }
}

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

static const char take_one[] = "s_mov_b32 m0, 0x20000\n ds_gws_sema_p offset:5 gds\n s_waitcnt 0\n s_endpgm";
static const char give_one[] = "s_mov_b32 m0, 0\n ds_gws_sema_v offset:7 gds\n s_waitcnt 0\n s_endpgm";
static const char *give_three(void) { return PIECE("give_three"); }
static const char give_all[] = "s_mov_b32 m0, 0x70000\n ds_gws_sema_release_all gds\n s_waitcnt 0\n s_endpgm";
static const char none[] =
    "s_mov_b32 m0, 0x70000\n v_mov_b32 v0, 0\n ds_gws_init v0 gds\n s_waitcnt 0\n s_endpgm";

static void semaphores(void **state) {
    (void)state;
    for (size_t p = 0; p < PROCESSORS; p++) {
        struct scene s;
        open_scene(&s, processors[p], 1 + p % 3);
        const unsigned take = add_kernel(&s, processors[p], take_one),
                       one = add_kernel(&s, processors[p], give_one),
                       three = add_kernel(&s, processors[p], give_three()),
                       all = add_kernel(&s, processors[p], give_all),
                       reset = add_kernel(&s, processors[p], none);
        sw_job *jobs[12];
        run(&s, reset, 1);
        run(&s, one, 2); // for those who come later
        for (int i = 0; i < 12; i++) jobs[i] = start(&s, take, 1);
        expect_ended(jobs, 12, 2);
        run(&s, one, 1);
        expect_ended(jobs, 12, 3);
        run(&s, three, 1);
        expect_ended(jobs, 12, 6);
        run(&s, all, 1);
        expect_ended(jobs, 12, 12);
        for (int i = 0; i < 12; i++) finish(jobs[i]);
        run(&s, all, 1); // nobody waits: no effect
        jobs[0] = start(&s, take, 1);
        expect_ended(jobs, 1, 0);
        run(&s, one, 1);
        finish(jobs[0]);
        close_scene(&s);
    }
}

// What is stopped while it waits was never there.
static void stopped(void **state) {
    (void)state;
    static const char init[] =
        "s_mov_b32 m0, 0\n v_mov_b32 v0, 3\n ds_gws_init v0 gds\n s_waitcnt 0\n s_endpgm";
    static const char meet[] =
        "s_mov_b32 m0, 0\n v_mov_b32 v0, 3\n ds_gws_barrier v0 gds\n s_waitcnt 0\n s_endpgm";
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct scene s;
        open_scene(&s, "gfx1030", threads);
        const unsigned prepare = add_kernel(&s, "gfx1030", init), barrier = add_kernel(&s, "gfx1030", meet),
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
