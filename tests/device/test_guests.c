// SPDX-License-Identifier: MIT
// Callers of sw_device_run whose own thread runs work-groups: which do, what they see of it, and that a
// worker goes back to its own thread when anything else is to run.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "piece.h"
#include "rig.h"

enum { PAGE = 4096, TRIES = 2000 };

struct scene {
    struct rig rig;
    uint32_t *words; // {word, counter}
    uint64_t *kernarg;
    sw_dispatch dispatch;
};
static void open_scene(struct scene *s, const char *piece, unsigned threads) {
    char text[4096];
    assert_true(rig_text(text, sizeof text, piece,
                         ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n"
                         ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n"));
    assert_true(rig_open_text(&s->rig, "gfx900", text, rig_options(threads, NULL)));
    s->words = sw_device_alloc(s->rig.device, 64);
    s->kernarg = sw_device_alloc(s->rig.device, 64);
    s->kernarg[0] = (uint64_t)(uintptr_t)s->words;
    s->kernarg[1] = s->kernarg[0] + 4;
    s->dispatch = rig_dispatch(s->rig.object, s->rig.executable, "k", s->kernarg, 64, 64);
}
static uint32_t seen(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static sw_status run(struct scene *s) { return sw_device_run(s->rig.device, &s->dispatch, NULL, NULL, NULL); }

// ---- Whose thread it is ----

struct threads {
    pthread_mutex_t lock;
    pthread_t seen[16];
    unsigned count, groups; // of `seen`; told of
    struct scene *other;    // is run when a group is told of
};
static void note(void *context, const sw_atomic_event *e) {
    struct threads *t = context;
    (void)e;
    pthread_mutex_lock(&t->lock);
    unsigned i = 0;
    while (i < t->count && !pthread_equal(t->seen[i], pthread_self())) i++;
    if (i == t->count && i < 16) t->seen[t->count++] = pthread_self();
    t->groups++;
    pthread_mutex_unlock(&t->lock);
    if (t->other) assert_int_equal(run(t->other), SW_OK);
}
static bool has_me(const struct threads *t) {
    for (unsigned i = 0; i < t->count; i++)
        if (pthread_equal(t->seen[i], pthread_self())) return true;
    return false;
}
static void listen(struct scene *s, struct threads *t) {
    *t = (struct threads){.lock = PTHREAD_MUTEX_INITIALIZER};
    s->dispatch.atomic = note;
    s->dispatch.atomic_context = t;
}
// Runs it until this thread was a guest: the worker's own runs what comes before it rests. False: never.
static bool becomes_guest(struct scene *s, int tries) {
    struct threads t;
    for (int i = 0; i < tries; i++) {
        listen(s, &t);
        assert_int_equal(run(s), SW_OK);
        assert_int_equal(t.groups, s->dispatch.grid[0] / 64);
        s->dispatch.atomic = NULL;
        if (has_me(&t)) return true;
        usleep(1000);
    }
    return false;
}

static void in_the_callers_thread(void **state) {
    (void)state;
    struct scene s;
    struct threads t;
    open_scene(&s, PIECE("counts"), 1);
    assert_true(becomes_guest(&s, TRIES));
    listen(&s, &t);
    s.dispatch.grid[0] = 64 * 100;
    assert_int_equal(run(&s), SW_OK);
    assert_int_equal(t.groups, 100);
    assert_int_equal(t.count, 1);
    assert_true(has_me(&t));
    rig_close(&s.rig);
}

// Among workers it takes the place of one.
static void beside_other_workers(void **state) {
    (void)state;
    struct scene s;
    struct threads t;
    open_scene(&s, PIECE("counts"), 3);
    assert_true(becomes_guest(&s, TRIES));
    for (int i = 0; i < 100; i++) {
        s.words[1] = 0;
        listen(&s, &t);
        s.dispatch.grid[0] = 64 * 500;
        assert_int_equal(run(&s), SW_OK);
        assert_int_equal(t.groups, 500);
        assert_int_equal(s.words[1], 500);
        assert_in_range(t.count, 1, 4); // one at home before, one that took its place
    }
    rig_close(&s.rig);
}

static void *try_it(void *scene) { return becomes_guest(scene, 50) ? scene : NULL; }
static bool others_become_guest(struct scene *s, size_t stack) {
    pthread_attr_t a;
    pthread_t thread;
    void *was;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, stack);
    assert_int_equal(pthread_create(&thread, &a, try_it, s), 0);
    pthread_attr_destroy(&a);
    pthread_join(thread, &was);
    return was;
}

// Compiled code may need more than is there.
static void small_stacks(void **state) {
    (void)state;
    struct scene s;
    open_scene(&s, PIECE("counts"), 1);
    assert_true(becomes_guest(&s, TRIES)); // from here on the worker's own thread rests
    assert_true(others_become_guest(&s, 8 << 20));
    assert_false(others_become_guest(&s, 1 << 20));
    rig_close(&s.rig);
}

// Whoever keeps SIGSEGV away would end where a kernel faults.
static void blocked_signals(void **state) {
    (void)state;
    struct scene s;
    open_scene(&s, PIECE("counts"), 1);
    assert_true(becomes_guest(&s, TRIES));
    for (const int *number = (const int[]){SIGSEGV, SIGBUS, 0}; *number; number++) {
        sigset_t set, before;
        sigemptyset(&set);
        sigaddset(&set, *number);
        pthread_sigmask(SIG_BLOCK, &set, &before);
        const bool was = becomes_guest(&s, 50);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        assert_false(was);
    }
    rig_close(&s.rig);
}

// What a worker calls runs something on another device.
static void inside_of_another(void **state) {
    (void)state;
    struct scene s, other;
    struct threads outer, inner;
    open_scene(&s, PIECE("counts"), 1);
    open_scene(&other, PIECE("counts"), 1);
    assert_true(becomes_guest(&s, TRIES) && becomes_guest(&other, TRIES));
    listen(&other, &inner);
    listen(&s, &outer);
    outer.other = &other;
    assert_int_equal(run(&s), SW_OK);
    assert_true(has_me(&outer));
    assert_int_equal(inner.groups, 1);
    assert_false(has_me(&inner));
    rig_close(&s.rig);
    rig_close(&other.rig);
}

// ---- What a guest leaves ----

static void *run_it(void *scene) { return (void *)(uintptr_t)run(scene); }

// The guest's groups wait for what another thread submits.
static void waits_for_what_comes_later(void **state) {
    (void)state;
    struct scene s;
    open_scene(&s, PIECE("counts"), 1);
    assert_true(becomes_guest(&s, TRIES));
    struct scene waiter = s;
    char text[4096];
    assert_true(rig_text(text, sizeof text, PIECE("waits"),
                         ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n"
                         ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n"));
    waiter.rig.object = rig_object("gfx900", text, &waiter.rig.image);
    assert_int_equal(
        sw_device_load(s.rig.device, waiter.rig.object, NULL, NULL, &waiter.rig.executable, NULL), SW_OK);
    for (unsigned groups = 1; groups <= 40; groups += 13)
        for (int i = 0; i < 20; i++) {
            struct threads t;
            pthread_t thread;
            void *status;
            waiter.dispatch =
                rig_dispatch(waiter.rig.object, waiter.rig.executable, "k", s.kernarg, 64 * groups, 64);
            s.words[0] = s.words[1] = 0;
            listen(&waiter, &t);
            assert_int_equal(pthread_create(&thread, NULL, run_it, &waiter), 0);
            while (!seen(&s.words[1])) usleep(100);
            assert_int_equal(run(&s), SW_OK);
            pthread_join(thread, &status);
            assert_int_equal((uintptr_t)status, SW_OK);
            assert_int_equal(s.words[1], groups + 1);
        }
    sw_object_close(waiter.rig.object);
    sw_free(waiter.rig.image);
    rig_close(&s.rig);
}

static void out_of_time(void **state) {
    (void)state;
    struct scene s;
    open_scene(&s, PIECE("waits"), 1);
    s.words[0] = 1;
    assert_true(becomes_guest(&s, TRIES));
    s.words[0] = 0;
    s.dispatch.timeout = 0.05;
    sw_fault fault = {.size = sizeof fault};
    assert_int_equal(sw_device_run(s.rig.device, &s.dispatch, &fault, NULL, NULL), SW_FAULTED);
    assert_int_equal(fault.kind, SW_FAULT_TIMEOUT);
    s.words[0] = 1;
    s.dispatch.timeout = 120;
    assert_int_equal(run(&s), SW_OK);
    rig_close(&s.rig);
}

// One thread is the guest of two devices in turn, whose kernels fault where memory was unmapped.
static void faults(void **state) {
    (void)state;
    struct scene s[2];
    for (int i = 0; i < 2; i++) {
        open_scene(&s[i], PIECE("counts"), 1);
        void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(page != MAP_FAILED);
        assert_int_equal(sw_device_map(s[i].rig.device, page, PAGE, SW_RIGHT_READ | SW_RIGHT_WRITE), SW_OK);
        assert_int_equal(sw_device_guard_memory(s[i].rig.device), SW_OK);
        s[i].kernarg[0] = (uint64_t)(uintptr_t)page;
        assert_true(becomes_guest(&s[i], TRIES));
    }
    for (int i = 0; i < 2; i++) mprotect((void *)(uintptr_t)s[i].kernarg[0], PAGE, PROT_NONE);
    for (int round = 0; round < 6; round++) {
        struct scene *at = &s[round % 2];
        struct threads t;
        sw_fault fault = {.size = sizeof fault};
        listen(at, &t);
        assert_int_equal(sw_device_run(at->rig.device, &at->dispatch, &fault, NULL, NULL), SW_FAULTED);
        assert_true(has_me(&t));
        assert_int_equal(fault.kind, SW_FAULT_WRITE);
        assert_true(fault.address == at->kernarg[0]);
        assert_int_equal(fault.lane, 0);
    }
    for (int i = 0; i < 2; i++) {
        munmap((void *)(uintptr_t)s[i].kernarg[0], PAGE);
        rig_close(&s[i].rig);
    }
}

// Many callers of one device, each of which counts its groups.
enum { CALLERS = 4, LAUNCHES = 300 };
struct caller {
    struct scene *scene;
    unsigned seed, groups;
};
static void *call(void *argument) {
    struct caller *c = argument;
    struct scene s = *c->scene;
    unsigned state = c->seed;
    for (int i = 0; i < LAUNCHES; i++) {
        state = state * 1664525 + 1013904223;
        const unsigned groups = 1 + (state >> 24) % 9;
        s.dispatch.grid[0] = 64 * groups;
        if (run(&s) != SW_OK) return NULL;
        c->groups += groups;
        if (state >> 16 & 1) usleep(state >> 8 & 127);
    }
    return c;
}
static void many_callers(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct scene s;
        struct caller callers[CALLERS];
        pthread_t thread[CALLERS];
        uint32_t groups = 0;
        open_scene(&s, PIECE("counts"), threads);
        for (unsigned i = 0; i < CALLERS; i++) {
            callers[i] = (struct caller){.scene = &s, .seed = threads * CALLERS + i};
            assert_int_equal(pthread_create(&thread[i], NULL, call, &callers[i]), 0);
        }
        for (unsigned i = 0; i < CALLERS; i++) {
            void *done;
            pthread_join(thread[i], &done);
            assert_non_null(done);
            groups += callers[i].groups;
        }
        assert_int_equal(s.words[1], groups);
        rig_close(&s.rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_callers_thread), cmocka_unit_test(beside_other_workers),
        cmocka_unit_test(small_stacks),          cmocka_unit_test(blocked_signals),
        cmocka_unit_test(inside_of_another),     cmocka_unit_test(waits_for_what_comes_later),
        cmocka_unit_test(out_of_time),           cmocka_unit_test(faults),
        cmocka_unit_test(many_callers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
