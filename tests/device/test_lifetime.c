// SPDX-License-Identifier: MIT
// What outlives what: executables that go while kernels of others are inside, jobs that are stopped, memory
// that stays flat however many launches, allocations and loads there are, calls while the device ends.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "piece.h"
#include "rig.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
// From the environment: MANY launches, MISUSE_SECONDS of calls from many threads.
static int setting(const char *name, int otherwise) {
    const char *given = getenv(name);
    return given && atoi(given) > 0 ? atoi(given) : otherwise;
}
#define MANY setting("MANY", SANITIZED ? 200 : 5000)

#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 32\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"

static long resident_kib(void) {
    long size = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f) {
        if (fscanf(f, "%ld %ld", &size, &resident) != 2) resident = 0;
        fclose(f);
    }
    return resident * 4;
}
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct code {
    uint8_t *image;
    sw_object *object;
};
static struct code code_of(const char *text) {
    char all[4096];
    struct code c;
    assert_true(rig_text(all, sizeof all, text, DESCRIPTOR));
    c.object = rig_object("gfx900", all, &c.image);
    assert_non_null(c.object);
    return c;
}
static void close_code(struct code *c) {
    sw_object_close(c->object);
    sw_free(c->image);
}
static sw_executable *load(sw_device *d, const struct code *c) {
    sw_executable *e;
    assert_int_equal(sw_device_load(d, c->object, NULL, NULL, &e, NULL), SW_OK);
    return e;
}
// Until a kernel has written there.
static void wait_for(const uint64_t *word) {
    while (!__atomic_load_n(word, __ATOMIC_ACQUIRE)) usleep(100);
}
static uint64_t entry(const struct code *c, const sw_executable *e) {
    return sw_executable_base(e) + sw_object_find_kernel(c->object, "k")->entry_offset;
}

// ---- Executables ----

// A branch that was found to end in another executable is not remembered once that one is gone.
static void branch_after_unload(void **state) {
    (void)state;
    struct code a = code_of("s_branch 0\n s_endpgm"), b = code_of("s_nop 0\n s_endpgm");
    sw_device *d = rig_device("gfx900", 1, NULL);
    sw_executable *ea = load(d, &a), *eb = load(d, &b);
    const int64_t dwords = (int64_t)(entry(&b, eb) - entry(&a, ea) - 4) / 4;
    sw_device_destroy(d);
    close_code(&a);
    char text[64];
    snprintf(text, sizeof text, ".long 0x%x\n s_endpgm", 0xbf820000u | (unsigned)(dwords & 0xffff));
    a = code_of(text);
    d = rig_device("gfx900", 1, NULL); // the same addresses
    ea = load(d, &a), eb = load(d, &b);
    sw_dispatch q = rig_dispatch(a.object, ea, "k", sw_device_alloc(d, 64), 64, 64);
    sw_fault fault = {.size = sizeof fault};
    assert_int_equal(sw_device_run(d, &q, &fault, NULL, NULL), SW_OK);
    const uint64_t gone = entry(&b, eb);
    assert_int_equal(sw_device_unload(d, eb, NULL), SW_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sw_device_run(d, &q, &fault, NULL, NULL), SW_FAULTED);
        assert_int_equal(fault.kind, SW_FAULT_JUMP);
        assert_true(fault.address == gone);
    }
    assert_int_equal(sw_device_unload(d, eb, NULL), SW_USAGE); // not loaded any more
    q.executable = eb;
    assert_int_equal(sw_device_run(d, &q, NULL, NULL, NULL), SW_USAGE);
    sw_device_destroy(d);
    close_code(&a);
    close_code(&b);
}

// One that a kernel of another runs in may go: the kernel faults at its next call. One whose own kernel runs
// stays.
static void unload_while_inside(void **state) {
    (void)state;
    struct code a = code_of("s_load_dwordx2 s[2:3], s[0:1], 0x0\n s_waitcnt lgkmcnt(0)\n"
                            "l: s_swappc_b64 s[4:5], s[2:3]\n s_branch l"),
                b = code_of("s_nop 0\n v_mov_b32 v1, 0\n v_mov_b32 v1, 0\n s_setpc_b64 s[4:5]");
    for (int i = 0; i < 5; i++) {
        sw_device *d = rig_device("gfx900", 2, NULL);
        sw_executable *ea = load(d, &a), *eb = load(d, &b);
        uint64_t *kernarg = sw_device_alloc(d, 64);
        kernarg[0] = entry(&b, eb);
        const sw_dispatch q = rig_dispatch(a.object, ea, "k", kernarg, 128, 64);
        sw_job *job;
        assert_int_equal(sw_device_submit(d, &q, NULL, &job, NULL), SW_OK);
        usleep(5000);
        assert_int_equal(sw_device_unload(d, ea, NULL), SW_USAGE);
        assert_int_equal(sw_device_unload(d, eb, NULL), SW_OK);
        sw_fault fault = {.size = sizeof fault};
        assert_int_equal(sw_job_finish(job, &fault, NULL, NULL), SW_FAULTED);
        assert_int_equal(fault.kind, SW_FAULT_JUMP);
        assert_int_equal(sw_device_unload(d, ea, NULL), SW_OK);
        sw_device_destroy(d);
    }
    close_code(&a);
    close_code(&b);
}

// A wave that waits at a barrier in code that goes meanwhile does not go on there.
static void unload_at_a_barrier(void **state) {
    (void)state;
    struct code
        a = code_of(PIECE("unload_at_a_barrier")),
        b = code_of(
            "v_mov_b32 v1, 0\n v_mov_b32 v2, 1\n global_store_dword v1, v2, s[0:1] offset:16\n s_barrier\n"
            "v_mov_b32 v1, 0\n s_setpc_b64 s[4:5]");
    for (int unload = 0; unload < 2; unload++) {
        sw_device *d = rig_device("gfx900", 1, NULL);
        sw_executable *ea = load(d, &a), *eb = load(d, &b);
        uint64_t *kernarg = sw_device_alloc(d, 64);
        kernarg[0] = entry(&b, eb);
        const sw_dispatch q = rig_dispatch(a.object, ea, "k", kernarg, 128, 128);
        sw_job *job;
        assert_int_equal(sw_device_submit(d, &q, NULL, &job, NULL), SW_OK);
        wait_for(&kernarg[2]); // it gives way at the barrier, not before
        const uint64_t barrier = entry(&b, eb) + 16;
        if (unload) assert_int_equal(sw_device_unload(d, eb, NULL), SW_OK);
        __atomic_store_n(&kernarg[1], 1, __ATOMIC_RELEASE);
        sw_fault fault = {.size = sizeof fault};
        assert_int_equal(sw_job_finish(job, &fault, NULL, NULL), unload ? SW_FAULTED : SW_OK);
        if (unload) assert_int_equal(fault.kind, SW_FAULT_JUMP), assert_true(fault.address == barrier);
        sw_device_destroy(d);
    }
    close_code(&a);
    close_code(&b);
}

// ---- Jobs ----

static void count_end(void *context, sw_job *job) {
    (void)job;
    __atomic_add_fetch((int *)context, 1, __ATOMIC_RELAXED);
}

// The end of a job is a place to free its memory, also for the worker that tells of it.
struct ending {
    sw_device *d;
    void *memory;
    sw_status freed;
};
static void free_at_end(void *context, sw_job *job) {
    struct ending *e = context;
    (void)job;
    e->freed = sw_device_free(e->d, e->memory);
}
static void freed_at_the_end(void **state) {
    (void)state;
    struct code quick = code_of("s_endpgm");
    sw_device *d = rig_device("gfx900", 2, NULL);
    sw_executable *e = load(d, &quick);
    for (int i = 0; i < 50; i++) {
        struct ending ending = {d, sw_device_alloc(d, 256), SW_FAULTED};
        const sw_submit_options listen = {.size = sizeof listen, .done = free_at_end, .context = &ending};
        const sw_dispatch q = rig_dispatch(quick.object, e, "k", ending.memory, 64 * 50, 64);
        sw_job *job;
        assert_int_equal(sw_device_submit(d, &q, &listen, &job, NULL), SW_OK);
        assert_int_equal(sw_job_finish(job, NULL, NULL, NULL), SW_OK);
        assert_int_equal(ending.freed, SW_OK);
    }
    sw_device_destroy(d);
    close_code(&quick);
}

static void stopped_jobs(void **state) {
    (void)state;
    struct code forever = code_of("l: s_branch l"), quick = code_of("s_endpgm");
    sw_device *d = rig_device("gfx900", 2, NULL);
    sw_executable *e = load(d, &forever), *f = load(d, &quick);
    sw_dispatch q = rig_dispatch(forever.object, e, "k", sw_device_alloc(d, 64), 64 << 10, 64);
    q.timeout = 0;
    int ended = 0;
    const sw_submit_options listen = {.size = sizeof listen, .done = count_end, .context = &ended};
    double slowest = 0;
    for (int i = 0; i < 20; i++) {
        sw_job *job;
        assert_int_equal(sw_device_submit(d, &q, &listen, &job, NULL), SW_OK);
        assert_false(sw_job_wait(job, i % 2 ? 0.005 : 0)); // at once, and in full swing
        const double start = now();
        sw_job_stop(job);
        sw_job_stop(job);
        sw_fault fault = {.size = sizeof fault};
        assert_int_equal(sw_job_finish(job, &fault, NULL, NULL), SW_FAULTED);
        if (now() - start > slowest) slowest = now() - start;
        assert_int_equal(fault.kind, SW_FAULT_STOPPED);
        assert_non_null(fault.reason);
    }
    assert_int_equal(ended, 20);
    if (!SANITIZED) assert_true(slowest < 0.5); // 10 ms on an idle machine
    const sw_dispatch short_one = rig_dispatch(quick.object, f, "k", sw_device_alloc(d, 64), 64, 64);
    sw_job *job;
    assert_int_equal(sw_device_submit(d, &short_one, NULL, &job, NULL), SW_OK);
    assert_true(sw_job_wait(job, -1));
    sw_job_stop(job); // too late: it ended well
    assert_int_equal(sw_job_finish(job, NULL, NULL, NULL), SW_OK);
    sw_dispatch old = short_one;
    old.size = 8;
    assert_int_equal(sw_device_submit(d, &old, NULL, &job, NULL), SW_USAGE);
    assert_null(job);
    sw_device_destroy(d);
    close_code(&forever);
    close_code(&quick);
}

// Two dispatches, each of which fills all workers and waits for a word that the other writes.
static void jobs_that_wait_for_each_other(void **state) {
    (void)state;
    struct code c = code_of(PIECE("jobs_that_wait_for_each_other"));
    static const unsigned threads[] = {1, 2, 4};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        sw_device *d[2] = {rig_device("gfx900", threads[t], NULL), rig_device("gfx900", threads[t], NULL)};
        for (int two = 0; two < 2; two++) { // on one device, and on two
            uint32_t *words = sw_device_alloc(d[0], 512);
            sw_executable *e[2];
            sw_job *jobs[2];
            assert_int_equal(sw_device_map(d[1], words, 512, SW_RIGHT_READ | SW_RIGHT_WRITE), SW_OK);
            memset(words, 0, 512);
            for (int i = 0; i < 2; i++) {
                sw_device *on = d[i & two];
                uint64_t *kernarg = sw_device_alloc(on, 64);
                kernarg[0] = (uint64_t)(uintptr_t)(words + 64 * i);
                kernarg[1] = (uint64_t)(uintptr_t)(words + 64 * !i);
                e[i] = load(on, &c);
                const sw_dispatch q = rig_dispatch(c.object, e[i], "k", kernarg, 64 * 5000, 64);
                assert_int_equal(sw_device_submit(on, &q, NULL, &jobs[i], NULL), SW_OK);
            }
            for (int i = 0; i < 2; i++) {
                sw_fault fault = {.size = sizeof fault};
                sw_counts counts = {.size = sizeof counts};
                const sw_status s = sw_job_finish(jobs[i], &fault, &counts, NULL);
                if (s != SW_OK) fail_msg("%u threads, job %d: fault %d", threads[t], i, fault.kind);
                assert_int_equal(counts.groups, 5000);
                assert_int_equal(sw_device_unload(d[i & two], e[i], NULL), SW_OK);
            }
            assert_int_equal(sw_device_map(d[1], words, 512, 0), SW_OK);
        }
        sw_device_destroy(d[0]);
        sw_device_destroy(d[1]);
    }
    close_code(&c);
}

// ---- Memory stays flat ----

// Grids whose last group has fewer waves, of several shapes, with scratch.
static void launches_of_any_shape(void **state) {
    (void)state;
    struct code c = code_of("v_mov_b32 v1, 1\n s_endpgm");
    sw_device *d = rig_device("gfx900", 2, NULL);
    sw_executable *e = load(d, &c);
    void *kernarg = sw_device_alloc(d, 64);
    long half = 0, later = 0;
    const int many = MANY;
    for (int i = 0; i < many; i++) {
        static const uint32_t blocks[] = {64, 128, 256, 1024};
        sw_dispatch q = rig_dispatch(c.object, e, "k", kernarg, 1 + (uint32_t)i * 37 % 3000, blocks[i & 3]);
        q.group_segment_size = (uint32_t)i * 52 % 65536;
        q.private_segment_size = (i & 4 ? 16u : 4096u) * ((unsigned)i / 64 % 4);
        assert_int_equal(sw_device_run(d, &q, NULL, NULL, NULL), SW_OK);
        if (i == many / 2) half = resident_kib();
        if (i == many * 3 / 4) later = resident_kib();
    }
    // A worker may come late to its first group with the largest stack: once, but what is lost is lost each
    // time.
    const long end = resident_kib();
    if (!SANITIZED && later - half > 4 << 10 && end - later > 4 << 10)
        fail_msg("%ld and %ld KiB more in the third and last quarter", later - half, end - later);
    sw_device_destroy(d);
    close_code(&c);
}

// Allocations that stay take memory in proportion, those that go leave nothing, and so do loads.
static void allocations_and_loads(void **state) {
    (void)state;
    sw_device *d = rig_device("gfx900", 1, NULL);
    const long start = resident_kib();
    static void *blocks[4000];
    for (int i = 0; i < 4000; i++) assert_non_null(blocks[i] = sw_device_alloc(d, 256));
    if (!SANITIZED) assert_true(resident_kib() - start < 40 << 10); // touched pages and the map
    for (int i = 0; i < 4000; i++) assert_int_equal(sw_device_free(d, blocks[i * 7 % 4000]), SW_OK);
    assert_int_equal(sw_device_free(d, blocks[0]), SW_USAGE);
    long before = 0;
    const int many = MANY;
    for (int i = 0; i < many; i++) {
        void *p = sw_device_alloc(d, 256 + (uint64_t)i % 9000);
        assert_non_null(p);
        assert_int_equal(sw_device_free(d, p), SW_OK);
        if (i == many / 2) before = resident_kib();
    }
    if (!SANITIZED) assert_true(resident_kib() - before < 4 << 10);
    struct code c = code_of("s_endpgm");
    for (int i = 0; i < many / 5; i++) {
        sw_executable *e = load(d, &c);
        const sw_dispatch q = rig_dispatch(c.object, e, "k", NULL, 64, 64);
        assert_int_equal(sw_device_run(d, &q, NULL, NULL, NULL), SW_OK);
        assert_int_equal(sw_device_unload(d, e, NULL), SW_OK);
        if (i == many / 10) before = resident_kib();
    }
    if (!SANITIZED) assert_true(resident_kib() - before < 4 << 10);
    sw_device_destroy(d);
    close_code(&c);
}

// ---- Misuse from many threads ----

struct misuse {
    sw_device *d;
    const struct code *codes;
    double until;
    unsigned seed;
    long runs;
};
static void *misuse(void *argument) {
    struct misuse *m = argument;
    unsigned s = m->seed;
    while (now() < m->until) {
        s = s * 1103515245 + 12345;
        const unsigned which = s >> 16 & 1;
        sw_executable *e;
        if (sw_device_load(m->d, m->codes[which].object, NULL, NULL, &e, NULL) != SW_OK) break;
        uint32_t *word = sw_device_alloc(m->d, 4096);
        uint64_t *kernarg = sw_device_alloc(m->d, 64);
        if (!word || !kernarg) break;
        kernarg[0] = (uint64_t)(uintptr_t)word;
        sw_dispatch q = rig_dispatch(m->codes[which].object, e, "k", kernarg, 64 * (1 + (s >> 18) % 200), 64);
        q.timeout = 0.02;
        sw_job *job = NULL;
        if (sw_device_submit(m->d, &q, NULL, &job, NULL) != SW_OK) break;
        m->runs++;
        switch (s >> 20 & 7) { // while it runs
        case 0: sw_device_free(m->d, word); break;
        case 1: sw_device_map(m->d, word, 4096, 0); break;
        case 2: sw_job_stop(job); break;
        case 3: sw_device_unload(m->d, e, NULL); break; // refused
        case 4: sw_job_wait(job, 0.001); break;
        case 5: sw_device_free(m->d, (char *)word + 8); break; // refused
        }
        sw_job_finish(job, NULL, NULL, NULL);
        sw_device_free(m->d, word);
        sw_device_free(m->d, kernarg);
        sw_device_unload(m->d, e, NULL);
    }
    return NULL;
}
static void misuse_from_threads(void **state) {
    (void)state;
    struct code codes[2] = {code_of(PIECE("misuse_from_threads")), code_of("l: s_branch l")};
    for (int round = 0; round < 3; round++) {
        struct misuse m[6];
        pthread_t threads[6];
        sw_device *d[2] = {rig_device("gfx900", 2, NULL), rig_device("gfx900", 1, NULL)};
        for (int i = 0; i < 6; i++) {
            m[i] = (struct misuse){d[i & 1], codes, now() + (double)setting("MISUSE_SECONDS", 3) / 3,
                                   (unsigned)(7919 * i + round), 0};
            assert_int_equal(pthread_create(&threads[i], NULL, misuse, &m[i]), 0);
        }
        for (int i = 0; i < 6; i++) {
            pthread_join(threads[i], NULL);
            assert_true(m[i].runs > 0);
        }
        for (int i = 0; i < 2; i++) sw_device_destroy(d[i]);
    }
    for (int i = 0; i < 2; i++) close_code(&codes[i]);
}

// Whoever destroys the device waits for a call that is under way, and later calls are refused until it is
// gone.
struct caller {
    sw_device *d;
    sw_dispatch q;
    sw_status status;
};
static void *call(void *argument) {
    struct caller *c = argument;
    c->status = sw_device_run(c->d, &c->q, NULL, NULL, NULL);
    return NULL;
}
static void destroy_during_a_call(void **state) {
    (void)state;
    struct code forever =
        code_of("v_mov_b32 v0, 0\n v_mov_b32 v1, 1\n global_store_dword v0, v1, s[0:1]\n l: s_branch l");
    for (int i = 0; i < 5; i++) {
        struct caller c = {.d = rig_device("gfx900", 2, NULL)};
        uint64_t *started = sw_device_alloc(c.d, 64);
        c.q = rig_dispatch(forever.object, load(c.d, &forever), "k", started, 640, 64);
        c.q.timeout = 0.05;
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, call, &c), 0);
        wait_for(started);
        sw_device_destroy(c.d);
        pthread_join(thread, NULL);
        assert_int_equal(c.status, SW_FAULTED);
    }
    close_code(&forever);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branch_after_unload),   cmocka_unit_test(unload_while_inside),
        cmocka_unit_test(unload_at_a_barrier),   cmocka_unit_test(freed_at_the_end),
        cmocka_unit_test(stopped_jobs),          cmocka_unit_test(jobs_that_wait_for_each_other),
        cmocka_unit_test(launches_of_any_shape), cmocka_unit_test(allocations_and_loads),
        cmocka_unit_test(misuse_from_threads),   cmocka_unit_test(destroy_during_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
