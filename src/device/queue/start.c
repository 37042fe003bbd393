// SPDX-License-Identifier: MIT
// Threads of workers begin when there is something for them: a process that runs one work-group has one, and
// one that runs nothing has none. They run where they would had they begun with the device, whoever submits.
#include <signal.h>

#include "base/diag.h"
#include "device/device.h"

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
    take_processors(&((struct worker *)worker)->device->crew);
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

void workers_prepare(sw_device *d, unsigned count) {
    d->thread_count = count;
    pthread_mutex_init(&d->crew.lock, NULL);
    keep_processors(&d->crew);
}

// Returns how many there are to be.
static unsigned promise(sw_device *d, unsigned count) {
    pthread_mutex_lock(&d->lock);
    if (count > d->thread_count) count = d->thread_count;
    if (count > d->crew.promised) d->crew.promised = count;
    pthread_mutex_unlock(&d->lock);
    return count;
}

// If the host gives no more threads, those that there are share what there is.
static void give_up_others(sw_device *d) {
    pthread_mutex_lock(&d->lock);
    d->crew.promised = d->crew.started;
    if (d->crew.started) __atomic_store_n(&d->thread_count, d->crew.started, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&d->lock);
}

static bool start(struct worker *k) { return !pthread_create(&k->thread, NULL, begin, k); }

bool workers_start(sw_device *d, unsigned count) {
    struct crew *c = &d->crew;
    sigset_t before;
    block_signals(&before);
    pthread_mutex_lock(&c->lock);
    count = promise(d, count);
    while (c->started < count && start(&d->workers[c->started])) c->started++;
    if (c->started < count) give_up_others(d);
    const bool has_some = c->started;
    pthread_mutex_unlock(&c->lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return has_some;
}

sw_status workers_begin(sw_device *d, const sw_sink *sink) {
    pthread_mutex_lock(&d->lock);
    const bool has_some = d->crew.arrived;
    pthread_mutex_unlock(&d->lock);
    if (has_some || workers_start(d, 1)) return SW_OK;
    return diag_fail(sink, SW_NO_MEMORY, NULL, "cannot start a thread");
}

// Work-groups that nobody has claimed, as far as there are threads for them.
static uint64_t unclaimed(const sw_device *d) {
    uint64_t groups = 0;
    for (const struct dispatch *q = d->dispatches; q && groups < d->thread_count; q = q->next) {
        const uint64_t next = dispatch_next(q);
        if (next < q->group_total) groups += q->group_total - next;
    }
    return groups;
}

unsigned workers_wanted(sw_device *d, uint64_t coming) {
    struct crew *c = &d->crew;
    const uint64_t groups = unclaimed(d) + (coming < d->thread_count ? coming : d->thread_count);
    const unsigned idle = d->sleepers + d->lookouts + (c->promised - c->arrived);
    const uint64_t more = groups > idle ? groups - idle : 0, left = d->thread_count - c->promised;
    if (!more || !left) return 0;
    return c->promised += more < left ? (unsigned)more : (unsigned)left;
}

void workers_join(sw_device *d) {
    for (unsigned i = 0; i < d->crew.started; i++) pthread_join(d->workers[i].thread, NULL);
    pthread_mutex_destroy(&d->crew.lock);
}
