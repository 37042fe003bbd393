// SPDX-License-Identifier: MIT
// The threads that workers run in. Each worker has one of its own, which looks for work before it sleeps. A
// caller that submits a dispatch to an idle device and waits for it takes the place of such a thread
// meanwhile (a *guest*): no thread has to be woken, and none waits. As soon as anything else is submitted,
// the worker goes back to its own thread, with all groups that it holds.
#include <sched.h>
#include <signal.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "exec/host_control.h"
#include "sched/pool.h"

enum {
    SPIN_NS = 20000,       // how long a thread looks for work before it sleeps
    LONG_SPIN_NS = 200000, // the same where work came soon after it had gone to sleep
    GUEST_STACK = 1 << 20, // bytes that a guest has left on its stack, as compiled code may need many
};

// ---- Resting ----

// Threads whose worker is with a guest do not count. Lock: pool.
static void count_resting(struct worker *k, int change) {
    struct pool *pool = k->pool;
    if (k->rests == WORKER_LOOKS) pool->lookouts += (unsigned)change;
    if (k->rests == WORKER_SLEEPS) pool->sleepers += (unsigned)change;
}
static void rest(struct worker *k, enum worker_rests how) {
    if (!k->lent) count_resting(k, -1);
    k->rests = how;
    if (!k->lent) count_resting(k, 1);
}

// Whether this one is to come.
static bool is_wanted(struct pool *pool) {
    unsigned wanted = __atomic_load_n(&pool->wanted, __ATOMIC_RELAXED);
    while (wanted)
        if (__atomic_compare_exchange_n(&pool->wanted, &wanted, wanted - 1, true, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            return true;
    return false;
}

// True: there is something to do. Called without the lock.
static bool look_out(const struct worker *k) {
    const uint64_t until = monotonic_ns() + (k->hurries ? LONG_SPIN_NS : SPIN_NS);
    do {
        for (int i = 0; i < 64; i++) {
            if (__atomic_load_n(&k->lent, __ATOMIC_RELAXED)) return false;
            if (is_wanted(k->pool)) return true;
#if defined(__SSE2__)
            _mm_pause();
#endif
        }
        sched_yield();
    } while (monotonic_ns() < until);
    return false;
}

// Being woken takes up to 0.1 ms: of dispatches that follow each other, each would wait for that.
static void sleep_until_work(struct worker *k) {
    struct pool *pool = k->pool;
    const uint64_t since = monotonic_ns();
    rest(k, WORKER_SLEEPS);
    while (k->lent || (!k->joined.count && pool->work_version == k->work_version && !pool->quit))
        pthread_cond_wait(&pool->work, &pool->lock);
    rest(k, WORKER_AWAKE);
    k->hurries = monotonic_ns() - since < LONG_SPIN_NS;
}

// ---- Working ----

static _Thread_local bool works; // a program that a worker calls may run something on another device

// The calling thread is the worker's, until nothing is left of what it has joined or a guest is to go. Called
// with the lock held.
static void work(struct worker *k) {
    struct pool *pool = k->pool;
    k->busy = true;
    k->batch = 1;
    k->each = 0;
    k->clock = monotonic_ns();
    k->since_clock = 0;
    worker_heard(k);
    worker_forget_ranges(k);
    pthread_mutex_unlock(&pool->lock);
    if (!pthread_equal(k->self, pthread_self())) guard_begin(k);
    const uint32_t control = host_control();
    k->control = 0;
    works = true;
    worker_serve(k);
    works = false;
    host_control_set(control);
    pthread_mutex_lock(&pool->lock);
    k->busy = false;
    pthread_cond_broadcast(&pool->done);
}

void *worker_main(void *argument) {
    struct worker *k = argument;
    struct pool *pool = k->pool;
    bool looked = false;
    guard_begin(k);
    k->hurries = true; // it was begun for what is about to come
    pthread_mutex_lock(&pool->lock);
    pool->crew.arrived++;
    for (;;) {
        if (!k->lent) worker_join(k);
        if (!k->lent && k->joined.count) {
            looked = false;
            work(k);
        } else if (pool->quit)
            break;
        else if (looked || k->lent)
            sleep_until_work(k);
        else {
            rest(k, WORKER_LOOKS);
            pthread_mutex_unlock(&pool->lock);
            looked = !look_out(k);
            pthread_mutex_lock(&pool->lock);
            rest(k, WORKER_AWAKE);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

// ---- Guests ----

bool guest_is_possible(void) {
#if defined(__linux__)
    if (works) return false;
    static _Thread_local uintptr_t low, high; // of its stack: asking takes longer than a short dispatch
    if (!high) {
        pthread_attr_t a;
        void *stack;
        size_t size;
        high = 1;
        if (pthread_getattr_np(pthread_self(), &a)) return false;
        if (!pthread_attr_getstack(&a, &stack, &size)) low = (uintptr_t)stack, high = low + size;
        pthread_attr_destroy(&a);
    }
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (here >= high || here < low || here - low < GUEST_STACK) return false;
    sigset_t blocked;
    return !pthread_sigmask(SIG_BLOCK, NULL, &blocked) && !sigismember(&blocked, SIGSEGV) &&
           !sigismember(&blocked, SIGBUS);
#else
    return false;
#endif
}

struct worker *guest_begin(struct pool *pool) {
    for (unsigned i = 0; i < pool->thread_count; i++) {
        struct worker *k = &pool->workers[i];
        if (k->rests == WORKER_AWAKE || k->lent) continue;
        worker_join(k);
        if (!k->joined.count) return NULL;
        count_resting(k, -1);
        __atomic_store_n(&k->lent, true, __ATOMIC_RELAXED);
        pool->guests++;
        return k;
    }
    return NULL;
}

void guest_work(struct worker *k) {
    struct pool *pool = k->pool;
    pthread_mutex_lock(&pool->lock);
    work(k);
    pool->guests--;
    __atomic_store_n(&k->lent, false, __ATOMIC_RELAXED);
    count_resting(k, 1);
    if (k->joined.count || pool->work_version != k->work_version) {
        if (k->rests == WORKER_LOOKS) __atomic_add_fetch(&pool->wanted, 1, __ATOMIC_RELEASE);
        pthread_cond_broadcast(&pool->work);
    }
    pthread_mutex_unlock(&pool->lock);
}
