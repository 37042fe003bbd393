// SPDX-License-Identifier: MIT
// What a device tells while dispatches run: each fault, before its job ends, with other dispatches going on;
// and what one dispatch asks for alone: counts, an observer, times (DISP-13).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "piece.h"
#include "rig.h"

#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// ---- Faults ----

struct told {
    pthread_mutex_t lock;
    sw_device *device;
    void *release; // memory to be freed by whoever tells first
    unsigned count, first, done, after_done;
    sw_fault fault; // the first one
    uint64_t dispatch_id, queue;
    sw_job *job;
};
static void faulted(void *context, const sw_fault_event *event) {
    struct told *t = context;
    pthread_mutex_lock(&t->lock);
    t->count++;
    t->after_done += t->done;
    if (event->first) {
        t->first++;
        t->fault = *event->fault;
        t->dispatch_id = event->dispatch_id;
        t->queue = event->queue;
        t->job = event->job;
    }
    void *memory = t->release;
    t->release = NULL;
    pthread_mutex_unlock(&t->lock);
    if (memory) assert_int_equal(sw_device_free(t->device, memory), SW_OK);
}
static void done(void *context, sw_job *job) {
    struct told *t = context;
    (void)job;
    pthread_mutex_lock(&t->lock);
    t->done++;
    pthread_mutex_unlock(&t->lock);
}
static struct rig open_rig(const char *code, unsigned threads, struct told *told) {
    struct rig r = {0};
    char text[4096];
    assert_true(rig_text(text, sizeof text, code, DESCRIPTOR));
    r.object = rig_object("gfx900", text, &r.image);
    assert_non_null(r.object);
    const sw_device_options o = {
        .size = sizeof o,
        .tier = rig_tier(),
        .threads = threads,
        .target = *sw_object_target(r.object),
        .hooks = &(sw_device_hooks){.size = sizeof(sw_device_hooks), .context = told, .faulted = faulted}};
    assert_int_equal(sw_device_create(&o, &r.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL), SW_OK);
    *told = (struct told){.device = r.device};
    pthread_mutex_init(&told->lock, NULL);
    return r;
}

static void kinds(void **state) {
    (void)state;
    static const struct {
        const char *code;
        sw_fault_kind kind;
    } cases[] = {
        {"v_mov_b32 v0, 0\n v_mov_b32 v1, 0\n global_store_dword v[0:1], v0, off\n s_endpgm", SW_FAULT_WRITE},
        {"v_mov_b32 v0, 8\n v_mov_b32 v1, 0\n global_load_dword v2, v[0:1], off\n s_endpgm", SW_FAULT_READ},
        {"s_trap 2\n s_endpgm", SW_FAULT_TRAP},
        {".long 0xffffffff\n s_endpgm", SW_FAULT_ILLEGAL},
        {"s_mov_b64 s[2:3], 0\n s_setpc_b64 s[2:3]", SW_FAULT_JUMP},
        {"l: s_branch l", SW_FAULT_TIMEOUT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct told told;
        struct rig r = open_rig(cases[i].code, 1, &told);
        uint8_t *packet = sw_device_alloc(r.device, 64), *queue = sw_device_alloc(r.device, 256);
        told.release = sw_device_alloc(r.device, 4096);
        sw_dispatch q = rig_dispatch(r.object, r.executable, "k", NULL, 64 * 20, 64);
        q.packet = (uint64_t)(uintptr_t)packet, q.queue = (uint64_t)(uintptr_t)queue;
        q.dispatch_id = 40 + i;
        if (cases[i].kind == SW_FAULT_TIMEOUT) q.timeout = 0.01;
        const sw_submit_options o = {.size = sizeof o, .done = done, .context = &told};
        sw_job *job;
        sw_fault fault = {.size = sizeof fault};
        assert_int_equal(sw_device_submit(r.device, &q, &o, &job, NULL), SW_OK);
        assert_true(sw_job_wait(job, 20));
        assert_true(told.job == job);
        assert_int_equal(sw_job_finish(job, &fault, NULL, NULL), SW_FAULTED);
        assert_int_equal(fault.kind, cases[i].kind);
        assert_true(told.count == 1 && told.first == 1 && told.done == 1 && !told.after_done);
        assert_int_equal(told.fault.kind, fault.kind);
        assert_true(told.fault.pc == fault.pc && told.fault.address == fault.address &&
                    told.fault.lane == fault.lane && told.fault.size == sizeof fault);
        assert_int_equal(told.dispatch_id, 40 + i);
        assert_true(told.queue == q.queue);
        rig_close(&r);
    }
}

// Of all the waves that fault at once one is the first. Its caller's stop is no event.
static void many_faults(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        struct told told;
        struct rig r = open_rig("s_trap 2\n s_endpgm", 4, &told);
        const sw_dispatch q = rig_dispatch(r.object, r.executable, "k", NULL, 64 * 200, 64);
        assert_int_equal(sw_device_run(r.device, &q, NULL, NULL, NULL), SW_FAULTED);
        assert_int_equal(told.first, 1);
        assert_true(told.count >= 1 && told.count <= 4 && told.fault.kind == SW_FAULT_TRAP);
        rig_close(&r);
        r = open_rig("l: s_branch l", 2, &told);
        sw_job *job;
        const sw_dispatch endless = rig_dispatch(r.object, r.executable, "k", NULL, 64 * 200, 64);
        assert_int_equal(sw_device_submit(r.device, &endless, NULL, &job, NULL), SW_OK);
        sw_job_stop(job);
        assert_int_equal(sw_job_finish(job, NULL, NULL, NULL), SW_FAULTED);
        assert_int_equal(told.count, 0);
        rig_close(&r);
    }
}

// Faults of one dispatch, told by a hook that frees memory, leave the other alone.
static void others_run_on(void **state) {
    (void)state;
    const char *code = PIECE("others_run_on: code");
    struct told told;
    struct rig r = open_rig(code, 2, &told);
    uint64_t *kernarg = sw_device_alloc(r.device, 128), *word = sw_device_alloc(r.device, 64);
    kernarg[0] = (uint64_t)(uintptr_t)word;
    const sw_dispatch waits = rig_dispatch(r.object, r.executable, "k", kernarg, 64 * 8, 64),
                      faults = rig_dispatch(r.object, r.executable, "k", kernarg + 8, 64 * 8, 64);
    sw_job *job;
    assert_int_equal(sw_device_submit(r.device, &waits, NULL, &job, NULL), SW_OK);
    for (unsigned i = 0; i < 20; i++) {
        told.release = sw_device_alloc(r.device, 64);
        assert_int_equal(sw_device_run(r.device, &faults, NULL, NULL, NULL), SW_FAULTED);
        assert_null(told.release);
        assert_int_equal(told.first, i + 1);
        assert_false(sw_job_wait(job, 0));
    }
    __atomic_store_n(word, 1, __ATOMIC_RELEASE);
    assert_int_equal(sw_job_finish(job, NULL, NULL, NULL), SW_OK);
    rig_close(&r);
}

// ---- One dispatch asks ----

static void watch(void *context, const sw_step *step) {
    uint64_t *steps = context;
    ++*steps;
    assert_true(step->lanes == 64);
}
static uint64_t sum(const sw_counts *c) {
    uint64_t all = 0;
    for (int i = 0; i < SW_CLASSES; i++) all += c->instructions[i];
    return all;
}

static void counts_and_observers(void **state) {
    (void)state;
    struct told told;
    struct rig r =
        open_rig("s_movk_i32 s4, 10\nl: v_mov_b32 v1, 1\n s_sub_u32 s4, s4, 1\n s_cmp_lg_u32 s4, 0\n"
                 " s_cbranch_scc1 l\n s_endpgm",
                 2, &told);
    enum { STEPS = 1 + 4 * 10 + 1, WAVES = 12 };
    uint64_t seen[2] = {0};
    for (int mix = 0; mix < 8; mix++) { // plain, counted and observed ones side by side
        sw_job *jobs[8];
        seen[0] = seen[1] = 0;
        const uint64_t before = now_ns();
        for (int i = 0; i < 8; i++) {
            sw_dispatch q = rig_dispatch(r.object, r.executable, "k", NULL, 64 * WAVES, 64);
            q.count = (mix ^ i) & 1;
            if (i == 2 || i == 5) q.observe = watch, q.observe_context = &seen[i == 5];
            assert_int_equal(sw_device_submit(r.device, &q, NULL, &jobs[i], NULL), SW_OK);
        }
        for (int i = 0; i < 8; i++) {
            sw_counts counts = {.size = sizeof counts};
            assert_int_equal(sw_job_finish(jobs[i], NULL, &counts, NULL), SW_OK);
            const bool asked = (mix ^ i) & 1 || i == 2 || i == 5;
            assert_int_equal(sum(&counts), asked ? STEPS * WAVES : 0);
            assert_int_equal(counts.instructions[SW_CLASS_VALU], asked ? 10 * WAVES : 0);
            assert_int_equal(counts.waves, WAVES);
            assert_true(counts.begin_ns >= before && counts.end_ns >= counts.begin_ns &&
                        counts.end_ns <= now_ns());
        }
        assert_int_equal(seen[0], STEPS * WAVES);
        assert_int_equal(seen[1], STEPS * WAVES);
    }
    // A caller of before these members.
    sw_dispatch old = rig_dispatch(r.object, r.executable, "k", NULL, 64, 64);
    old.size = offsetof(sw_dispatch, count);
    old.count = true;
    sw_counts counts = {.size = sizeof counts};
    assert_int_equal(sw_device_run(r.device, &old, NULL, &counts, NULL), SW_OK);
    assert_int_equal(sum(&counts), 0);
    rig_close(&r);
}

// The device's observer hears of what has none of its own.
static void observer_of_the_device(void **state) {
    (void)state;
    struct rig r = {0};
    char text[1024];
    uint64_t all = 0, own = 0;
    rig_text(text, sizeof text, "s_nop 0\n s_endpgm", DESCRIPTOR);
    r.object = rig_object("gfx900", text, &r.image);
    const sw_device_options o = {
        .size = sizeof o,
        .tier = rig_tier(),
        .threads = 2,
        .target = *sw_object_target(r.object),
        .hooks = &(sw_device_hooks){.size = sizeof(sw_device_hooks), .context = &all, .observe = watch}};
    assert_int_equal(sw_device_create(&o, &r.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL), SW_OK);
    sw_dispatch q = rig_dispatch(r.object, r.executable, "k", NULL, 640, 64);
    assert_int_equal(sw_device_run(r.device, &q, NULL, NULL, NULL), SW_OK);
    assert_int_equal(all, 20);
    q.observe = watch, q.observe_context = &own;
    assert_int_equal(sw_device_run(r.device, &q, NULL, NULL, NULL), SW_OK);
    assert_int_equal(all, 20);
    assert_int_equal(own, 20);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),
        cmocka_unit_test(many_faults),
        cmocka_unit_test(others_run_on),
        cmocka_unit_test(counts_and_observers),
        cmocka_unit_test(observer_of_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
