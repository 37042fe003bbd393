// SPDX-License-Identifier: MIT
// Submission: a dispatch becomes a job, which workers run and its caller waits for, stops and finishes.
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "base/diag.h"
#include "device/device.h"

enum {
    SPIN_NS = 30000,       // how long a caller looks at a job before it sleeps,
    LONG_SPIN_NS = 200000, // and once more when the job is about to end
};

// ---- Submission ----

static sw_status adopt_request(struct sw_job *job, const sw_dispatch *q, const sw_sink *sink) {
    sw_status status = sized_take(dispatch_kind, &job->request, q, sink);
    if (!status && job->request.waves && job->request.wave_capacity)
        status = sized_check(wave_state_kind, job->request.waves, sink);
    return status;
}

// The groups to run. False: the grid does not have them.
static bool choose_groups(struct dispatch *q, const sw_dispatch *r) {
    const uint32_t *groups = q->launch->groups;
    const uint64_t all = (uint64_t)groups[0] * groups[1] * groups[2];
    const uint64_t count = r->group_count ? r->group_count : all;
    if (!in_range(r->first_group, count, all)) return false;
    q->first_group = q->group_next = r->first_group;
    q->group_total = r->first_group + count;
    q->share.is_one = count < all;
    return true;
}

static sw_status prepare(struct sw_job *job, sw_device *d, const sw_sink *sink) {
    struct dispatch *q = &job->dispatch;
    const sw_status status = launch_prepare(&job->launch, d, &job->request, sink);
    if (status != SW_OK) return status;
    const sw_dispatch *r = &job->request;
    q->launch = &job->launch;
    q->observed = job->launch.program->facts.observed;
    q->observe = r->observe ? r->observe : d->pool.hooks.observe;
    q->observe_context = r->observe ? r->observe_context : d->pool.hooks.context;
    if (!choose_groups(q, r))
        return diag_fail(sink, SW_USAGE, NULL, "the grid does not have all work-groups of the share");
    q->priority = r->priority;
    if (!residency_enter(q, r)) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    const double timeout = r->timeout;
    if (timeout > 0) q->deadline = q->started + (uint64_t)((timeout < 1e9 ? timeout : 1e9) * 1e9) + 1;
    return SW_OK;
}

static void tell_owner(struct dispatch *q) {
    struct sw_job *job = (struct sw_job *)q;
    job->options.done(job->options.context, job);
}

sw_status job_create(sw_device *d, const sw_submit_options *options, struct sw_job **out,
                     const sw_sink *sink) {
    struct sw_job *job = NULL;
    if (posix_memalign((void **)&job, 64, sizeof *job))
        return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    memset(job, 0, sizeof *job);
    const sw_status status = sized_take(SIZED(sw_submit_options, context), &job->options, options, sink);
    if (status != SW_OK) {
        free(job);
        return status;
    }
    pthread_mutex_init(&job->dispatch.fault_lock, NULL);
    job->dispatch.pool = &d->pool;
    if (job->options.done) job->dispatch.done = tell_owner;
    job->dispatch.started = job->dispatch.clock_zero = monotonic_ns();
    *out = job;
    return SW_OK;
}

void job_discard(struct sw_job *job) {
    residency_leave(&job->dispatch);
    launch_release(&job->launch, device_of(job->dispatch.pool));
    pthread_mutex_destroy(&job->dispatch.fault_lock);
    free(job);
}

void job_run_here(struct sw_job *job) {
    struct dispatch *q = &job->dispatch;
    for (uint64_t i = 0; i < q->group_total; i++) transfer_piece(q->transfer, i);
    q->completing = true;
    dispatch_take_end(q);
    if (q->done) q->done(q);
    __atomic_store_n(&q->finished, true, __ATOMIC_RELEASE);
}

// With `guest` the calling thread may become that of a worker (dispatch_enqueue).
static sw_status submit(sw_device *d, const sw_dispatch *dispatch, const sw_submit_options *options,
                        struct sw_job **out, struct worker **guest, const sw_sink *sink) {
    *out = NULL;
    if (!device_enter(d)) return diag_fail(sink, SW_USAGE, NULL, "the device is being destroyed");
    struct sw_job *job = NULL;
    sw_status status = workers_begin(&d->pool, sink); // which comes while the launch is prepared
    if (status == SW_OK) status = job_create(d, options, &job, sink);
    if (status != SW_OK) {
        device_leave(d);
        return status;
    }
    status = adopt_request(job, dispatch, sink);
    sw_executable *e = job->request.executable;
    if (status == SW_OK) status = executable_use(d, e, sink);
    if (status == SW_OK) {
        contexts_collect(&d->pool);
        guard_look(&d->pool);
        status = prepare(job, d, sink);
        if (status != SW_OK) executable_unuse(d, e);
    }
    if (status == SW_OK) {
        printf_begin(d, e);
        *out = job; // before `done` may ask for it
        struct worker *k = dispatch_enqueue(&job->dispatch, guest);
        if (guest) *guest = k;
    } else
        job_discard(job);
    device_leave(d);
    return status;
}

sw_status sw_device_submit(sw_device *d, const sw_dispatch *dispatch, const sw_submit_options *options,
                           sw_job **out, const sw_sink *sink) {
    return submit(d, dispatch, options, out, NULL, sink);
}

// ---- What a caller does with a job ----

void sw_job_stop(sw_job *job) {
    struct dispatch *q = &job->dispatch;
    pthread_mutex_lock(&q->pool->lock);
    if (!q->completing) {
        dispatch_stop(q,
                      &(sw_fault){.kind = SW_FAULT_STOPPED, .lane = -1, .reason = "stopped by its caller"});
        workers_interrupt(q->pool);
        if (!q->workers_in) dispatch_complete(q);
    }
    pthread_mutex_unlock(&q->pool->lock);
}

// Spins until the dispatch has finished or `until` has passed. True if it finished.
static bool sees_end(const struct dispatch *q, uint64_t from, uint64_t until) {
    for (uint64_t now = from; now < until; now = monotonic_ns()) {
        for (int i = 0; i < 16; i++) {
            if (__atomic_load_n(&q->finished, __ATOMIC_ACQUIRE)) return true;
#if defined(__SSE2__)
            _mm_pause();
#endif
        }
        sched_yield();
    }
    return false;
}

// Whoever sleeps is told some time before the end (worker.c), as waking takes that, and looks for it then.
// Called with the lock held.
static bool sleeps_until_end(struct dispatch *q, uint64_t limit) {
    sw_device *d = device_of(q->pool);
    const struct timespec until = {(time_t)(limit / 1000000000), (long)(limit % 1000000000)};
    bool looked = false;
    while (!q->finished) {
        if (q->ends_soon && !looked) {
            const uint64_t now = monotonic_ns(), most = now + LONG_SPIN_NS;
            pthread_mutex_unlock(&d->pool.lock);
            looked = true;
            sees_end(q, now, most < limit ? most : limit);
            pthread_mutex_lock(&d->pool.lock);
            continue; // it may have ended since it was looked at
        }
        if (!q->ends_soon) __atomic_store_n(&q->waited_for, true, __ATOMIC_RELAXED);
        if (limit == UINT64_MAX)
            pthread_cond_wait(&d->pool.done, &d->pool.lock);
        else if (pthread_cond_clockwait(&d->pool.done, &d->pool.lock, CLOCK_MONOTONIC, &until) == ETIMEDOUT)
            break;
    }
    return q->finished;
}

bool sw_job_wait(sw_job *job, double seconds) {
    struct dispatch *q = &job->dispatch;
    sw_device *d = device_of(q->pool);
    const uint64_t start = monotonic_ns();
    uint64_t limit = UINT64_MAX;
    if (seconds >= 0 && seconds < 1e9) limit = start + (uint64_t)(seconds * 1e9);
    if (sees_end(q, start, limit - start < SPIN_NS ? limit : start + SPIN_NS)) return true;
    pthread_mutex_lock(&d->pool.lock);
    const bool finished = sleeps_until_end(q, limit);
    pthread_mutex_unlock(&d->pool.lock);
    return finished;
}

static const struct sized fault_kind = SIZED(sw_fault, reason), counts_kind = SIZED(sw_counts, seconds);

static sw_status check_results(const sw_fault *fault, const sw_counts *counts, const sw_sink *sink) {
    sw_status status = fault ? sized_check(fault_kind, fault, sink) : SW_OK;
    if (!status && counts) status = sized_check(counts_kind, counts, sink);
    return status;
}

static void fill_results(sw_fault *fault, sw_counts *counts, const sw_fault *from_fault,
                         const sw_counts *from_counts) {
    if (fault) sized_fill(fault_kind, fault, from_fault);
    if (counts) sized_fill(counts_kind, counts, from_counts);
}

// Workers count while it runs.
static sw_counts counts_now(const struct dispatch *q) {
    sw_counts now = {.waves = q->counts.waves,
                     .seconds = q->counts.seconds,
                     .begin_ns = q->counts.begin_ns,
                     .end_ns = q->counts.end_ns};
    now.groups = __atomic_load_n(&q->groups_ended, __ATOMIC_RELAXED);
    for (int i = 0; i < SW_CLASSES; i++)
        now.instructions[i] = __atomic_load_n(&q->counts.instructions[i], __ATOMIC_RELAXED);
    return now;
}

sw_status sw_job_look(sw_job *job, sw_fault *fault, sw_counts *counts) {
    struct dispatch *q = &job->dispatch;
    const sw_status status = check_results(fault, counts, NULL);
    if (status) return status;
    pthread_mutex_lock(&q->pool->lock);
    pthread_mutex_lock(&q->fault_lock);
    const sw_counts now = counts_now(q);
    fill_results(fault, counts, &q->fault, &now);
    pthread_mutex_unlock(&q->fault_lock);
    pthread_mutex_unlock(&q->pool->lock);
    return SW_OK;
}

sw_status sw_job_finish(sw_job *job, sw_fault *fault, sw_counts *counts, const sw_sink *sink) {
    struct dispatch *q = &job->dispatch;
    sw_device *d = device_of(q->pool);
    sw_status status = check_results(fault, counts, sink);
    if (status) return status;
    sw_job_wait(job, -1);
    if (q->launch) status = printf_end(d, &job->request, q->deadline, &q->fault, sink);
    if (q->fault.kind) status = q->fault.kind == SW_FAULT_UNSUPPORTED ? SW_UNSUPPORTED : SW_FAULTED;
    fill_results(fault, counts, &q->fault, &q->counts);
    if (q->launch) executable_unuse(d, job->request.executable);
    job_discard(job);
    return status;
}

sw_status sw_device_run(sw_device *d, const sw_dispatch *dispatch, sw_fault *fault, sw_counts *counts,
                        const sw_sink *sink) {
    sw_status status = check_results(fault, counts, sink);
    if (status) return status;
    fill_results(fault, counts, &(sw_fault){0}, &(sw_counts){0});
    if (!device_enter(d)) return diag_fail(sink, SW_USAGE, NULL, "the device is being destroyed");
    sw_job *job;
    struct worker *guest = NULL;
    status = submit(d, dispatch, NULL, &job, guest_is_possible() ? &guest : NULL, sink);
    if (guest) guest_work(guest);
    if (status == SW_OK) status = sw_job_finish(job, fault, counts, sink);
    device_leave(d);
    return status;
}

uint64_t sw_device_resident_groups(sw_device *d, const sw_dispatch *dispatch) {
    struct launch l = {0};
    uint64_t groups = 0;
    sw_dispatch q;
    if (sized_take(dispatch_kind, &q, dispatch, NULL) || !device_enter(d)) return 0;
    if (executable_use(d, q.executable, NULL) == SW_OK) {
        if (launch_prepare(&l, d, &q, NULL) == SW_OK) groups = resident_groups(&d->pool, &l);
        launch_release(&l, d);
        executable_unuse(d, q.executable);
    }
    device_leave(d);
    return groups;
}
