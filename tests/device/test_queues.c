// SPDX-License-Identifier: MIT
// How dispatches share workers: waves in flight by queue, priorities, small dispatches beside large ones,
// stopping, and dispatches that wait for each other.
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
    ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"         \
    ".amdhsa_system_sgpr_workgroup_id_x 1\n"

// The first lane adds to a counter of groups that have begun, notes the highest, spins until the flag is set
// and subtracts again. {counter, highest, flag}
static const char *counter(void) { return PIECE("counter"); }

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static struct rig open_rig(const char *processor, const char *code, unsigned threads) {
    struct rig r = {0};
    char text[4096];
    assert_true(rig_text(text, sizeof text, code, DESCRIPTOR));
    r.object = rig_object(processor, text, &r.image);
    assert_non_null(r.object);
    r.device = rig_device(processor, threads, NULL);
    assert_int_equal(sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL), SW_OK);
    return r;
}
static uint32_t *words(struct rig *r, uint64_t **kernarg) {
    uint32_t *w = sw_device_alloc(r->device, 64);
    *kernarg = sw_device_alloc(r->device, 64);
    **kernarg = (uint64_t)(uintptr_t)w;
    return w;
}
static uint32_t seen(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
// Until the word holds still at what it has to reach.
static void settle(const uint32_t *word, uint32_t value) {
    for (int i = 0; i < 20000 && seen(word) != value; i++) usleep(1000);
    assert_int_equal(seen(word), value);
    usleep(20000);
    assert_int_equal(seen(word), value);
}

// Groups in flight of all dispatches of a queue are as many as the limit says, whatever the number of threads
// and however many dispatches there are; other queues have their own.
static void waves_of_a_queue(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads += 3)
        for (unsigned jobs = 1; jobs <= 3; jobs++) {
            struct rig r = open_rig("gfx900", counter(), threads);
            uint64_t *kernarg[2];
            uint32_t *w[2] = {words(&r, &kernarg[0]), words(&r, &kernarg[1])};
            sw_job *job[2][3];
            for (int queue = 0; queue < 2; queue++)
                for (unsigned j = 0; j < jobs; j++) {
                    sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg[queue], 128 * 50, 128);
                    q.queue = (uint64_t)(uintptr_t)kernarg[queue];
                    q.wave_limit = 13; // six groups of two waves
                    assert_int_equal(sw_device_submit(r.device, &q, NULL, &job[queue][j], NULL), SW_OK);
                }
            for (int queue = 0; queue < 2; queue++) settle(&w[queue][0], 2 * 6);
            for (int queue = 0; queue < 2; queue++) {
                __atomic_store_n(&w[queue][2], 1, __ATOMIC_RELEASE);
                for (unsigned j = 0; j < jobs; j++)
                    assert_int_equal(sw_job_finish(job[queue][j], NULL, NULL, NULL), SW_OK);
                assert_int_equal(w[queue][0], 0);
                assert_true(w[queue][1] <= 2 * 6);
            }
            rig_close(&r);
        }
}

// Without a limit of its own a queue has the device's compute units: all groups that a cooperative launch may
// have are in flight at once, at any number of threads, and no wave more (DISP-13).
static void a_full_device(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct rig r = {0};
        char text[4096];
        assert_true(rig_text(text, sizeof text, counter(), DESCRIPTOR));
        r.object = rig_object("gfx900", text, &r.image);
        assert_non_null(r.object);
        const sw_device_options o = {.size = sizeof o,
                                     .tier = rig_tier(),
                                     .threads = threads,
                                     .compute_units = 5,
                                     .target = *sw_object_target(r.object)};
        assert_int_equal(sw_device_create(&o, &r.device, NULL), SW_OK);
        assert_int_equal(sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL), SW_OK);
        uint64_t *kernarg;
        uint32_t *w = words(&r, &kernarg);
        sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, 128 * 400, 128);
        q.queue = (uint64_t)(uintptr_t)kernarg;
        assert_true(sw_device_resident_groups(r.device, &q) >= 100);
        sw_job *job;
        assert_int_equal(sw_device_submit(r.device, &q, NULL, &job, NULL), SW_OK);
        settle(w, 2 * 100); // 5 x 40 waves
        __atomic_store_n(&w[2], 1, __ATOMIC_RELEASE);
        assert_int_equal(sw_job_finish(job, NULL, NULL, NULL), SW_OK);
        rig_close(&r);
    }
}

// A group with more waves than the limit runs alone; a dispatch that found no room is stopped, or its turn
// comes.
static void no_room(void **state) {
    (void)state;
    for (int stop = 0; stop < 2; stop++) {
        struct rig r = open_rig("gfx900", counter(), 2);
        uint64_t *kernarg;
        uint32_t *w = words(&r, &kernarg);
        sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, 256 * 3, 256);
        q.queue = (uint64_t)(uintptr_t)kernarg;
        q.wave_limit = 1;
        sw_job *first, *second;
        assert_int_equal(sw_device_submit(r.device, &q, NULL, &first, NULL), SW_OK);
        settle(w, 4);
        assert_int_equal(sw_device_submit(r.device, &q, NULL, &second, NULL), SW_OK);
        settle(w, 4);
        if (stop) {
            sw_job_stop(second);
            assert_true(sw_job_wait(second, 20));
            assert_false(sw_job_wait(first, 0));
        }
        __atomic_store_n(&w[2], 1, __ATOMIC_RELEASE);
        assert_int_equal(sw_job_finish(first, NULL, NULL, NULL), SW_OK);
        assert_int_equal(sw_job_finish(second, NULL, NULL, NULL), stop ? SW_FAULTED : SW_OK);
        rig_close(&r);
    }
}

// ---- Order ----

// Groups note in which order they begin: {next, of which dispatch each was}.
static const char *order(void) { return PIECE("order"); }

// The only worker is in a callback until all dispatches are there.
struct door {
    int reached, open;
};
static void hold_worker(void *context, sw_job *job) {
    struct door *door = context;
    (void)job;
    __atomic_store_n(&door->reached, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&door->open, __ATOMIC_ACQUIRE)) usleep(100);
}
enum { EACH = 320, JOBS = 3 };
// Three dispatches that a worker joins at once. Returns of which each group was, in the order in which they
// began.
static const uint32_t *run_three(struct rig *r, const int priority[JOBS]) {
    uint32_t *log = sw_device_alloc(r->device, 4 * (2 + (JOBS + 1) * EACH));
    uint64_t *kernarg[JOBS];
    for (unsigned i = 0; i < JOBS; i++) {
        kernarg[i] = sw_device_alloc(r->device, 64);
        kernarg[i][0] = (uint64_t)(uintptr_t)log, kernarg[i][1] = i;
    }
    struct door door = {0};
    const sw_submit_options hold = {.size = sizeof hold, .done = hold_worker, .context = &door};
    sw_job *jobs[JOBS], *first;
    sw_dispatch q = rig_dispatch(r->object, r->executable, "k", kernarg[0], 64, 64);
    assert_int_equal(sw_device_submit(r->device, &q, &hold, &first, NULL), SW_OK);
    while (!__atomic_load_n(&door.reached, __ATOMIC_ACQUIRE)) usleep(100);
    for (int i = 0; i < JOBS; i++) {
        q = rig_dispatch(r->object, r->executable, "k", kernarg[i], 64 * EACH, 64);
        q.priority = priority[i];
        assert_int_equal(sw_device_submit(r->device, &q, NULL, &jobs[i], NULL), SW_OK);
    }
    __atomic_store_n(&door.open, 1, __ATOMIC_RELEASE);
    assert_int_equal(sw_job_finish(first, NULL, NULL, NULL), SW_OK);
    for (int i = 0; i < JOBS; i++) assert_int_equal(sw_job_finish(jobs[i], NULL, NULL, NULL), SW_OK);
    assert_int_equal(log[0], 1 + JOBS * EACH);
    return log + 3;
}
static void priorities(void **state) {
    (void)state;
    struct rig r = open_rig("gfx900", order(), 1);
    unsigned begun[JOBS] = {0}; // when the highest has begun all of its groups
    for (const uint32_t *at = run_three(&r, (const int[]){-1, 0, 7}); begun[2] < EACH; at++) begun[*at]++;
    assert_true(begun[0] + begun[1] <= EACH / 8);
    assert_true(begun[0] && begun[1]); // nobody starves
    rig_close(&r);
}
// Of equals each has its turn, whose groups may follow each other at once.
static void turns(void **state) {
    (void)state;
    struct rig r = open_rig("gfx900", order(), 1);
    const uint32_t *at = run_three(&r, (const int[]){0, 0, 0});
    unsigned begun[JOBS] = {0}, row = 0, longest = 0;
    while (begun[*at] + 1 < EACH) { // while each has some left
        row = begun[*at] && at[-1] == *at ? row + 1 : 1;
        if (row > longest) longest = row;
        begun[*at++]++;
    }
    assert_in_range(longest, 4, 2 * 16);
    rig_close(&r);
}

// ---- Dispatches that wait for each other ----

// Stores to one word and spins until the other is set.
static const char *meeting(void) { return PIECE("meeting"); }

struct half {
    struct rig *rig;
    sw_device *device;
    sw_executable *executable;
    uint64_t *kernarg;
    sw_status status;
};
static void *run_half(void *argument) {
    struct half *h = argument;
    const sw_dispatch q = rig_dispatch(h->rig->object, h->executable, "k", h->kernarg, 64 * 2000, 64);
    h->status = sw_device_run(h->device, &q, NULL, NULL, NULL);
    return NULL;
}
// From two threads, each in the simple call, on one device of one thread and on two.
static void from_two_threads(void **state) {
    (void)state;
    for (int devices = 1; devices <= 2; devices++)
        for (int round = 0; round < 5; round++) {
            struct rig r = open_rig("gfx900", meeting(), 1);
            sw_device *other = devices == 2 ? rig_device("gfx900", 1, NULL) : r.device;
            sw_executable *e = r.executable;
            if (devices == 2) assert_int_equal(sw_device_load(other, r.object, NULL, NULL, &e, NULL), SW_OK);
            uint32_t *w[2] = {sw_device_alloc(r.device, 64), sw_device_alloc(r.device, 64)};
            struct half halves[2] = {{&r, r.device, r.executable, NULL, 0}, {&r, other, e, NULL, 0}};
            pthread_t threads[2];
            for (int i = 0; i < 2; i++) {
                if (devices == 2)
                    assert_int_equal(sw_device_share(r.device, w[i], other, SW_RIGHT_READ | SW_RIGHT_WRITE),
                                     SW_OK);
                halves[i].kernarg = sw_device_alloc(halves[i].device, 64);
                halves[i].kernarg[0] = (uint64_t)(uintptr_t)w[i];
                halves[i].kernarg[1] = (uint64_t)(uintptr_t)w[!i];
            }
            for (int i = 0; i < 2; i++)
                assert_int_equal(pthread_create(&threads[i], NULL, run_half, &halves[i]), 0);
            for (int i = 0; i < 2; i++) {
                pthread_join(threads[i], NULL);
                assert_int_equal(halves[i].status, SW_OK);
            }
            if (devices == 2) sw_device_destroy(other);
            rig_close(&r);
        }
}

// ---- Not waiting for long loops ----

// A loop whose body takes long: 20000 rounds of it, which a wave may run through, would take more than a
// second.
static const char *heavy(void) {
    static char text[4096];
    int n = snprintf(text, sizeof text,
                     "s_movk_i32 s4, 0\nl:\n.rept 3000\n v_sqrt_f64 v[2:3], v[2:3]\n.endr\n s_branch l");
    assert_true(n > 0 && (size_t)n < sizeof text);
    return text;
}
static void stop_and_free(void **state) {
    (void)state;
    struct rig r = open_rig("gfx900", heavy(), 2);
    const sw_dispatch q = rig_dispatch(r.object, r.executable, "k", NULL, 1024 * 100, 1024);
    double worst_stop = 0, worst_free = 0;
    for (int i = 0; i < 10; i++) {
        sw_job *job;
        assert_int_equal(sw_device_submit(r.device, &q, NULL, &job, NULL), SW_OK);
        void *memory = sw_device_alloc(r.device, 64);
        usleep(5000);
        double start = now();
        assert_int_equal(sw_device_free(r.device, memory), SW_OK);
        if (now() - start > worst_free) worst_free = now() - start;
        start = now();
        sw_job_stop(job);
        assert_true(sw_job_wait(job, 60));
        if (now() - start > worst_stop) worst_stop = now() - start;
        assert_int_equal(sw_job_finish(job, NULL, NULL, NULL), SW_FAULTED);
    }
    // A quantum without interruption takes seconds; with it, milliseconds (bench/dispatch.c).
    print_message("stop %.1f ms, free %.1f ms\n", 1e3 * worst_stop, 1e3 * worst_free);
    rig_close(&r);
}

// Loops that begin with what has no compiled code, whatever their length. Where such a handler is called, the
// wave has everything that is newer; how often it jumped back is too.
static void loops_give_way(void **state) {
    (void)state;
    static const char *const loops[] = {
        "l:\n v_sqrt_f64 v[2:3], v[2:3]\n s_branch l",
        "l:\n v_sqrt_f64 v[2:3], v[2:3]\n v_add_u32 v4, v4, v4\n s_cmp_eq_u32 s4, s4\n s_cbranch_scc1 l\n "
        "s_endpgm",
        "l:\n v_add_u32 v4, v4, v4\n v_sqrt_f64 v[2:3], v[2:3]\n s_branch l",
        "l:\n s_nop 0\n m:\n v_add_u32 v4, v4, v4\n s_branch m",
    };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        struct rig r = open_rig("gfx900", loops[i], 2);
        const sw_dispatch q = rig_dispatch(r.object, r.executable, "k", NULL, 1024 * 100, 1024);
        sw_job *job;
        assert_int_equal(sw_device_submit(r.device, &q, NULL, &job, NULL), SW_OK);
        usleep(5000);
        sw_job_stop(job);
        assert_true(sw_job_wait(job, 60));
        assert_int_equal(sw_job_finish(job, NULL, NULL, NULL), SW_FAULTED);
        rig_close(&r);
    }
}

// Two dispatches that a worker joins at once: what it claims of the second is run by nobody else, and the
// first would take minutes to give way by itself.
static void joined_at_once(void **state) {
    (void)state;
    struct rig r = open_rig("gfx900", heavy(), 1), s = open_rig("gfx900", "s_endpgm", 1);
    sw_executable *small;
    assert_int_equal(sw_device_load(r.device, s.object, NULL, NULL, &small, NULL), SW_OK);
    const sw_dispatch q = rig_dispatch(r.object, r.executable, "k", NULL, 1024 * 100, 1024),
                      tiny = rig_dispatch(s.object, small, "k", NULL, 64, 64);
    for (int i = 0; i < 20; i++) {
        sw_job *large, *job;
        assert_int_equal(sw_device_submit(r.device, &q, NULL, &large, NULL), SW_OK);
        assert_int_equal(sw_device_submit(r.device, &tiny, NULL, &job, NULL), SW_OK);
        assert_true(sw_job_wait(job, 20));
        assert_int_equal(sw_job_finish(job, NULL, NULL, NULL), SW_OK);
        sw_job_stop(large);
        assert_int_equal(sw_job_finish(large, NULL, NULL, NULL), SW_FAULTED);
    }
    rig_close(&r);
    rig_close(&s);
}

// A small dispatch ends beside groups that have every worker and never give way by themselves for so long.
static void small_beside_large(void **state) {
    (void)state;
    struct rig r = open_rig("gfx900", heavy(), 2), s = open_rig("gfx900", "s_endpgm", 1);
    sw_executable *small;
    assert_int_equal(sw_device_load(r.device, s.object, NULL, NULL, &small, NULL), SW_OK);
    const sw_dispatch q = rig_dispatch(r.object, r.executable, "k", NULL, 1024 * 100, 1024),
                      tiny = rig_dispatch(s.object, small, "k", NULL, 64, 64);
    sw_job *job;
    assert_int_equal(sw_device_submit(r.device, &q, NULL, &job, NULL), SW_OK);
    usleep(5000);
    const double start = now();
    for (int i = 0; i < 20; i++) assert_int_equal(sw_device_run(r.device, &tiny, NULL, NULL, NULL), SW_OK);
    print_message("a small one takes %.3f ms\n", 1e3 * (now() - start) / 20);
    assert_false(sw_job_wait(job, 0)); // the large one has not ended
    sw_job_stop(job);
    assert_int_equal(sw_job_finish(job, NULL, NULL, NULL), SW_FAULTED);
    rig_close(&r);
    rig_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_of_a_queue),
        cmocka_unit_test(a_full_device),
        cmocka_unit_test(no_room),
        cmocka_unit_test(priorities),
        cmocka_unit_test(turns),
        cmocka_unit_test(from_two_threads),
        cmocka_unit_test(stop_and_free),
        cmocka_unit_test(loops_give_way),
        cmocka_unit_test(joined_at_once),
        cmocka_unit_test(small_beside_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
