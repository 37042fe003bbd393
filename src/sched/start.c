// SPDX-License-Identifier: MIT
// Starts the threads of workers when there are groups for them: a process that runs one work-group has one
// thread, a process that runs nothing has none. A thread gets the processors that the process had when the
// device was created, whichever thread submits.
#include <signal.h>

#include "base/diag.h"
#include "sched/pool.h"

// ---- One thread ----

static void keep_processors(struct crew *c) {
#if defined(__linux__)
    c->has_processors = !sched_getaffinity(0, sizeof c->processors, &c->processors);
#else
    (void)c;
#endif
}

// Who submits may be bound to a processor of its own. Done by the thread itself, which need not wait then for
// who begins it; what cannot be set stays.
static void take_processors(const struct crew *c) {
#if defined(__linux__)
    cpu_set_t now;
    if (!c->has_processors || sched_getaffinity(0, sizeof now, &now) || CPU_EQUAL(&now, &c->processors))
        return;
    sched_setaffinity(0, sizeof c->processors, &c->processors);
#else
    (void)c;
#endif
}

static void *begin(void *worker) {
    take_processors(&((struct worker *)worker)->pool->crew);
    return worker_main(worker);
}

// Signals are for the threads of the program, not for workers.
static void block_signals(sigset_t *before) {
    sigset_t all;
    sigfillset(&all);
    for (const int *s = (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF, 0}; *s; s++)
        sigdelset(&all, *s);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

// ---- All of them ----

void workers_prepare(struct pool *pool, unsigned count) {
    pool->thread_count = count;
    pthread_mutex_init(&pool->crew.lock, NULL);
    keep_processors(&pool->crew);
}

// Returns how many there are to be.
static unsigned promise(struct pool *pool, unsigned count) {
    pthread_mutex_lock(&pool->lock);
    if (count > pool->thread_count) count = pool->thread_count;
    if (count > pool->crew.promised) pool->crew.promised = count;
    pthread_mutex_unlock(&pool->lock);
    return count;
}

// If the host gives no more threads, those that there are share what there is.
static void give_up_others(struct pool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->crew.promised = pool->crew.started;
    if (pool->crew.started) __atomic_store_n(&pool->thread_count, pool->crew.started, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&pool->lock);
}

static bool start(struct worker *k) { return !pthread_create(&k->thread, NULL, begin, k); }

bool workers_start(struct pool *pool, unsigned count) {
    struct crew *c = &pool->crew;
    sigset_t before;
    block_signals(&before);
    pthread_mutex_lock(&c->lock);
    count = promise(pool, count);
    while (c->started < count && start(&pool->workers[c->started])) c->started++;
    if (c->started < count) give_up_others(pool);
    const bool has_some = c->started;
    pthread_mutex_unlock(&c->lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return has_some;
}

sw_status workers_begin(struct pool *pool, const sw_sink *sink) {
    pthread_mutex_lock(&pool->lock);
    const bool has_some = pool->crew.arrived;
    pthread_mutex_unlock(&pool->lock);
    if (has_some || workers_start(pool, 1)) return SW_OK;
    return diag_fail(sink, SW_NO_MEMORY, NULL, "cannot start a thread");
}

// Work-groups that nobody has claimed, as far as there are threads for them.
static uint64_t unclaimed(const struct pool *pool) {
    uint64_t groups = 0;
    for (const struct dispatch *q = pool->dispatches; q && groups < pool->thread_count; q = q->next) {
        const uint64_t next = dispatch_next(q);
        if (next < q->group_total) groups += q->group_total - next;
    }
    return groups;
}

unsigned workers_wanted(struct pool *pool, uint64_t coming) {
    struct crew *c = &pool->crew;
    const uint64_t groups = unclaimed(pool) + (coming < pool->thread_count ? coming : pool->thread_count);
    const unsigned idle = pool->sleepers + pool->lookouts + (c->promised - c->arrived);
    const uint64_t more = groups > idle ? groups - idle : 0, left = pool->thread_count - c->promised;
    if (!more || !left) return 0;
    return c->promised += more < left ? (unsigned)more : (unsigned)left;
}

void workers_join(struct pool *pool) {
    for (unsigned i = 0; i < pool->crew.started; i++) pthread_join(pool->workers[i].thread, NULL);
    pthread_mutex_destroy(&pool->crew.lock);
}
