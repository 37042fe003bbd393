// SPDX-License-Identifier: MIT
// Workers: threads that take work-groups of the submitted dispatches and run them to the end.
//
// A worker runs its oldest group until all its waves have ended. Only when every wave of all its groups has
// used up its quantum, sleeps or waits does it start another, in turn of each dispatch that has some left, up
// to the number that the device reports as resident: that is the forward progress that spinning kernels rely
// on, within a dispatch and between dispatches.
#include <sched.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "device/device.h"

enum {
    MAX_RESIDENT = 256, // groups of a dispatch that a worker holds at most
    SLICE = 16,         // groups of a dispatch that it runs before it looks at another
    CLOCK_EVERY = 64,   // groups between two looks at the clock
    SHORT_NS = 500,
    BATCH = 16,      // groups shorter than that are claimed by so many
    SPIN_NS = 20000, // how long it looks for work before it sleeps
};

void worker_safe_point(struct worker *k) {
    sw_device *d = k->device;
    if (__atomic_load_n(&d->map_version, __ATOMIC_ACQUIRE) == k->map_version) return;
    pthread_mutex_lock(&d->lock);
    worker_forget_ranges(k);
    pthread_cond_broadcast(&d->done);
    pthread_mutex_unlock(&d->lock);
}

// ---- Taking groups ----

// Claims up to `count` groups, the next in order.
static bool claim_groups(struct membership *m, uint64_t count) {
    struct dispatch *q = m->dispatch;
    if (dispatch_stopped(q)) return false;
    uint64_t n = dispatch_next(q);
    while (n < q->group_total) {
        const uint64_t end = q->group_total - n < count ? q->group_total : n + count;
        if (!__atomic_compare_exchange_n(&q->group_next, &n, end, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            continue;
        m->next = n;
        m->end = end;
        return true;
    }
    return false;
}

static unsigned resident_per_worker(const sw_device *d, const struct launch *l) {
    const sw_processor *p = d->options.target.processor;
    unsigned waves = p->waves_per_simd * p->simds_per_cu;
    unsigned groups = waves / l->waves_per_group;
    if (l->lds_size && p->lds_bytes / l->lds_size < groups) groups = p->lds_bytes / l->lds_size;
    uint64_t total = (uint64_t)(groups ? groups : 1) *
                     (d->options.compute_units ? d->options.compute_units : p->compute_units) /
                     d->thread_count;
    return total < 1 ? 1 : total > MAX_RESIDENT ? MAX_RESIDENT : (unsigned)total;
}
uint64_t resident_groups(const sw_device *d, const struct launch *l) {
    return (uint64_t)resident_per_worker(d, l) * d->thread_count;
}

static bool has_joined(const struct worker *k, const struct dispatch *q) {
    for (size_t i = 0; i < k->joined.count; i++)
        if (k->joined.items[i].dispatch == q) return true;
    return false;
}

// Joins every dispatch that still has a group for this worker. Called with the lock held.
static void join_all(struct worker *k) {
    sw_device *d = k->device;
    k->work_version = __atomic_load_n(&d->work_version, __ATOMIC_RELAXED);
    for (struct dispatch *q = d->dispatches; q; q = q->next) {
        struct membership m = {.dispatch = q};
        if (has_joined(k, q) || !array_reserve(&k->joined, 1) || !claim_groups(&m, 1)) continue;
        m.resident = q->transfer ? MAX_RESIDENT : resident_per_worker(d, q->launch);
        q->workers_in++;
        array_push(&k->joined, m);
    }
}

static void look_for_dispatches(struct worker *k) {
    if (__atomic_load_n(&k->device->work_version, __ATOMIC_RELAXED) == k->work_version) return;
    pthread_mutex_lock(&k->device->lock);
    join_all(k);
    pthread_mutex_unlock(&k->device->lock);
}

// Leaves dispatches that this worker has nothing more to do with.
static void leave_finished(struct worker *k) {
    for (size_t i = 0; i < k->joined.count;) {
        struct membership *m = &k->joined.items[i];
        if (m->held || !dispatch_exhausted(m->dispatch) ||
            (m->next < m->end && !dispatch_stopped(m->dispatch))) {
            i++;
            continue;
        }
        dispatch_leave(k, m->dispatch, m->ended);
        k->joined.items[i] = k->joined.items[--k->joined.count];
    }
}

// ---- Running groups ----

static struct membership *membership_of(struct worker *k, const struct dispatch *q) {
    size_t i = 0;
    while (k->joined.items[i].dispatch != q) i++;
    return &k->joined.items[i];
}

static void count_instructions(struct worker *k, struct dispatch *q) {
    if (!q->observed) return;
    for (int i = 0; i < SW_CLASSES; i++)
        if (k->counts[i]) __atomic_add_fetch(&q->counts.instructions[i], k->counts[i], __ATOMIC_RELAXED);
    memset(k->counts, 0, sizeof k->counts);
}

static void retire(struct worker *k, size_t at) {
    struct group *g = k->held.items[at];
    struct membership *m = membership_of(k, g->dispatch);
    m->held--;
    m->ended += !g->alive;
    memmove(&k->held.items[at], &k->held.items[at + 1], (--k->held.count - at) * sizeof g);
    context_give_back(k, g);
}

// Runs the groups that the worker holds, oldest first, until one ends. False: all wait.
static bool run_held(struct worker *k) {
    for (size_t i = 0; i < k->held.count; i++) {
        struct group *g = k->held.items[i];
        struct dispatch *q = g->dispatch;
        const enum progress p = group_run(k, g);
        count_instructions(k, q);
        if (p == GROUP_DEADLOCKED) {
            wave_fault(g->waves[0], NULL, FAULT_DEADLOCK, -1, 0);
            worker_tell_fault(k, q);
        }
        if (p != GROUP_ENDED && !dispatch_stopped(q)) {
            worker_check_deadline(k, q);
            continue;
        }
        if (dispatch_stopped(q)) snapshot_group(q, g);
        retire(k, i);
        return true;
    }
    return false;
}

// Which dispatch a group is started of next, in turn. NULL: none.
static struct membership *next_member(struct worker *k) {
    const size_t n = k->joined.count;
    if (++k->slice >= SLICE) k->slice = 0, k->turn++;
    for (size_t i = 0; i < n; i++) {
        struct membership *m = &k->joined.items[(k->turn + i) % n];
        if (m->held >= m->resident) continue;
        if (m->next < m->end || claim_groups(m, m->dispatch->transfer ? 1 : k->batch)) {
            k->turn = (unsigned)((k->turn + i) % n);
            return m;
        }
    }
    return NULL;
}

// Claiming is where workers meet: groups that take no time are claimed in batches. Others are not, as a group
// may wait for the one before it, which had better run elsewhere meanwhile.
static void look_at_clock(struct worker *k, struct dispatch *q) {
    const uint64_t now = monotonic_ns();
    k->batch = now - k->clock < CLOCK_EVERY * SHORT_NS ? BATCH : 1;
    k->clock = now;
    k->since_clock = 0;
    worker_check_deadline(k, q);
}

static void start_next(struct worker *k) {
    struct membership *m = next_member(k);
    if (!m) return;
    struct dispatch *q = m->dispatch;
    if (q->transfer) {
        if (!m->next) __atomic_store_n(&q->clock_zero, monotonic_ns(), __ATOMIC_RELAXED);
        worker_safe_point(k);
        transfer_piece(q->transfer, m->next++);
        return;
    }
    struct group *g = array_reserve(&k->held, 1) ? context_take(k, q->launch) : NULL;
    if (!g) {
        worker_stop(k, q, &(sw_fault){.kind = SW_FAULT_STOPPED, .lane = -1, .reason = "out of memory"});
        return;
    }
    if (++k->since_clock >= CLOCK_EVERY) look_at_clock(k, q);
    worker_safe_point(k);
    group_start(k, g, q, m->next++);
    m->held++;
    array_push(&k->held, g);
}

// Works until nothing is left of all dispatches that this worker has joined.
static void serve(struct worker *k) {
    while (k->joined.count) {
        const bool ended = run_held(k);
        leave_finished(k);
        look_for_dispatches(k);
        if (!ended) k->batch = 1;
        if (!ended || !k->held.count) start_next(k);
    }
}

// ---- The thread ----

static void look_out(struct worker *k) {
    sw_device *d = k->device;
    const uint64_t until = monotonic_ns() + SPIN_NS;
    do {
        for (int i = 0; i < 64; i++) {
            if (__atomic_load_n(&d->work_version, __ATOMIC_RELAXED) != k->work_version) return;
#if defined(__SSE2__)
            _mm_pause();
#endif
        }
        sched_yield();
    } while (monotonic_ns() < until);
}

static void sleep_until_work(struct worker *k) {
    sw_device *d = k->device;
    d->sleepers++;
    while (d->work_version == k->work_version && !d->quit) pthread_cond_wait(&d->work, &d->lock);
    d->sleepers--;
}

void *worker_main(void *argument) {
    struct worker *k = argument;
    sw_device *d = k->device;
    bool looked = true;
    pthread_mutex_lock(&d->lock);
    for (;;) {
        join_all(k);
        if (!k->joined.count) {
            if (d->quit) break;
            if (looked) {
                sleep_until_work(k);
                continue;
            }
            pthread_mutex_unlock(&d->lock);
            look_out(k);
            looked = true;
            pthread_mutex_lock(&d->lock);
            continue;
        }
        looked = false;
        k->busy = true;
        k->batch = 1;
        worker_forget_ranges(k);
        pthread_mutex_unlock(&d->lock);
#if defined(__SSE2__)
        const unsigned control = _mm_getcsr();
        k->control = 0;
#endif
        serve(k);
#if defined(__SSE2__)
        _mm_setcsr(control);
#endif
        pthread_mutex_lock(&d->lock);
        k->busy = false;
        pthread_cond_broadcast(&d->done);
    }
    pthread_mutex_unlock(&d->lock);
    return NULL;
}
