// SPDX-License-Identifier: MIT
// Kernels of one device that meet at global wave sync, for tests: what barriers and semaphores do by the
// manuals' text (Vega 12.13, DS_GWS_*), across work-groups and dispatches.
#ifndef TESTS_GWS_SCENE_H
#define TESTS_GWS_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "rig.h"
#include "target/target.h"

#define SCENE_DESCRIPTOR                                                                                     \
    ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"

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
static inline void open_scene(struct scene *s, const char *processor, unsigned threads) {
    *s = (struct scene){.device = rig_device(processor, threads, NULL)};
    assert_non_null(s->device);
    s->words = sw_device_alloc(s->device, 256);
    s->kernarg = sw_device_alloc(s->device, 64);
    *s->kernarg = (uint64_t)(uintptr_t)s->words;
}
static inline unsigned add_kernel(struct scene *s, const char *processor, const char *code) {
    char text[4096], directives[256];
    const unsigned n = s->count++;
    const sw_processor *p = sw_processor_find(processor, strlen(processor));
    snprintf(directives, sizeof directives, "%s%s", SCENE_DESCRIPTOR,
             has(p, CAP_unified_vgprs) ? ".amdhsa_accum_offset 8\n" : "");
    assert_true(rig_text(text, sizeof text, code, directives));
    s->kernels[n].object = rig_object(processor, text, &s->kernels[n].image);
    if (!s->kernels[n].object) fail_msg("%s: %s", processor, code);
    assert_int_equal(
        sw_device_load(s->device, s->kernels[n].object, NULL, NULL, &s->kernels[n].executable, NULL), SW_OK);
    return n;
}
static inline sw_job *start(struct scene *s, unsigned kernel, unsigned groups) {
    sw_job *job;
    const sw_dispatch q = rig_dispatch(s->kernels[kernel].object, s->kernels[kernel].executable, "k",
                                       s->kernarg, 32 * groups, 32);
    assert_int_equal(sw_device_submit(s->device, &q, NULL, &job, NULL), SW_OK);
    return job;
}
static inline void finish(sw_job *job) {
    sw_fault fault = {.size = sizeof fault};
    if (sw_job_finish(job, &fault, NULL, NULL) != SW_OK) fail_msg("fault %d: %s", fault.kind, fault.reason);
}
static inline void run(struct scene *s, unsigned kernel, unsigned groups) {
    finish(start(s, kernel, groups));
}
// Whether exactly so many of the jobs have ended.
static inline unsigned ended(sw_job **jobs, unsigned count) {
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++) n += sw_job_wait(jobs[i], 0);
    return n;
}
static inline void expect_ended(sw_job **jobs, unsigned count, unsigned expected) {
    for (int i = 0; i < 10000 && ended(jobs, count) < expected; i++) usleep(1000);
    usleep(5000);
    assert_int_equal(ended(jobs, count), expected);
}
static inline void close_scene(struct scene *s) {
    sw_device_destroy(s->device);
    for (unsigned i = 0; i < s->count; i++) {
        sw_object_close(s->kernels[i].object);
        sw_free(s->kernels[i].image);
    }
}

static const char take_one[] = "s_mov_b32 m0, 0x20000\n ds_gws_sema_p offset:5 gds\n s_waitcnt 0\n s_endpgm";
static const char give_one[] = "s_mov_b32 m0, 0\n ds_gws_sema_v offset:7 gds\n s_waitcnt 0\n s_endpgm";
// The first executing lane says how many.
static const char give_three[] =
    "s_mov_b32 m0, 0xff070000\n v_mov_b32 v0, 100\n s_mov_b64 exec, 4\n v_mov_b32 v0, 3\n"
    " s_mov_b64 exec, -4\n ds_gws_sema_br v0 gds\n s_waitcnt 0\n s_endpgm";
static const char give_all[] = "s_mov_b32 m0, 0x70000\n ds_gws_sema_release_all gds\n s_waitcnt 0\n s_endpgm";
static const char take_all_away[] =
    "s_mov_b32 m0, 0x70000\n v_mov_b32 v0, 0\n ds_gws_init v0 gds\n s_waitcnt 0\n s_endpgm";

static const char init_four[] =
    "s_mov_b32 m0, 0\n v_mov_b32 v0, 3\n ds_gws_init v0 gds\n s_waitcnt 0\n s_endpgm";
static const char meet_four[] =
    "s_mov_b32 m0, 0\n v_mov_b32 v0, 3\n ds_gws_barrier v0 gds\n s_waitcnt 0\n s_endpgm";

// Waves take from a semaphore that others give to: one, three, or to all that wait, where the processor has
// that.
static inline void try_semaphores(const char *processor, unsigned threads, bool releases_all) {
    struct scene s;
    open_scene(&s, processor, threads);
    const unsigned take = add_kernel(&s, processor, take_one), one = add_kernel(&s, processor, give_one),
                   three = add_kernel(&s, processor, give_three),
                   reset = add_kernel(&s, processor, take_all_away),
                   all = releases_all ? add_kernel(&s, processor, give_all) : one;
    sw_job *jobs[12];
    run(&s, reset, 1);
    run(&s, one, 2); // for those who come later
    for (int i = 0; i < 12; i++) jobs[i] = start(&s, take, 1);
    expect_ended(jobs, 12, 2);
    run(&s, one, 1);
    expect_ended(jobs, 12, 3);
    run(&s, three, 1);
    expect_ended(jobs, 12, 6);
    run(&s, all, releases_all ? 1 : 6);
    expect_ended(jobs, 12, 12);
    for (int i = 0; i < 12; i++) finish(jobs[i]);
    if (releases_all) run(&s, all, 1); // nobody waits: no effect
    jobs[0] = start(&s, take, 1);
    expect_ended(jobs, 1, 0);
    run(&s, one, 1);
    finish(jobs[0]);
    close_scene(&s);
}
// Four waves meet, in two dispatches, and so do the next four.
static inline void try_barrier(const char *processor, unsigned threads) {
    struct scene s;
    open_scene(&s, processor, threads);
    const unsigned init = add_kernel(&s, processor, init_four), meet = add_kernel(&s, processor, meet_four);
    run(&s, init, 1);
    for (unsigned turn = 0; turn < 2; turn++) {
        sw_job *jobs[2] = {start(&s, meet, 3)};
        expect_ended(jobs, 1, 0);
        jobs[1] = start(&s, meet, 1);
        expect_ended(jobs, 2, 2);
        finish(jobs[0]), finish(jobs[1]);
    }
    close_scene(&s);
}

#endif
