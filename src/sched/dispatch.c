// SPDX-License-Identifier: MIT
// Dispatches come to the workers and end: the last worker to leave one completes it.
#include "sched/pool.h"

void dispatch_take_end(struct dispatch *q) {
    q->ended = monotonic_ns();
    q->counts.seconds = 1e-9 * (double)(q->ended - q->started);
    q->counts.begin_ns = __atomic_load_n(&q->clock_zero, __ATOMIC_RELAXED);
    q->counts.end_ns = q->ended;
}

// Called with the lock held, by whoever finds nothing more to be done: the last worker to leave, or (NULL)
// who stops a job that none has joined.
static void complete(struct worker *k, struct dispatch *q) {
    struct pool *pool = q->pool;
    q->completing = true;
    struct dispatch **at = &pool->dispatches;
    while (*at != q) at = &(*at)->next;
    *at = q->next;
    q->counts.groups = q->groups_ended;
    if (q->launch) q->counts.waves = q->counts.groups * q->launch->waves_per_group;
    dispatch_take_end(q);
    if (q->done) { // may take its time, and call the device
        if (k) worker_rest(k);
        pthread_mutex_unlock(&pool->lock);
        q->done(q);
        pthread_mutex_lock(&pool->lock);
        if (k) worker_resume(k);
    }
    __atomic_store_n(&q->finished, true, __ATOMIC_RELEASE); // from here on the caller may free it
    pthread_cond_broadcast(&pool->done);
}

void dispatch_leave(struct worker *k, struct dispatch *q) {
    struct pool *pool = q->pool;
    pthread_mutex_lock(&pool->lock);
    if (--q->workers_in == 0 && dispatch_exhausted(q)) complete(k, q);
    pthread_mutex_unlock(&pool->lock);
}

void dispatch_complete(struct dispatch *q) { complete(NULL, q); }

// Those who look out come first, no more than are wanted, as each takes the lock; only then others are woken.
void pool_has_news(struct pool *pool, uint64_t groups) {
    __atomic_add_fetch(&pool->work_version, 1, __ATOMIC_RELEASE);
    if (pool->sleepers + pool->lookouts < pool->crew.arrived) workers_interrupt(pool);
    unsigned wanted = __atomic_load_n(&pool->wanted, __ATOMIC_RELAXED), come;
    do come = groups + wanted < pool->lookouts ? wanted + (unsigned)groups : pool->lookouts;
    while (wanted < come && !__atomic_compare_exchange_n(&pool->wanted, &wanted, come, true, __ATOMIC_RELEASE,
                                                         __ATOMIC_RELAXED));
    if (groups <= pool->lookouts || !pool->sleepers) return;
    if (groups - pool->lookouts == 1 && !pool->guests) // whose workers' threads sleep there, too
        pthread_cond_signal(&pool->work);
    else
        pthread_cond_broadcast(&pool->work);
}

struct worker *dispatch_enqueue(struct dispatch *q, bool by_guest) {
    struct pool *pool = q->pool;
    const uint64_t groups = q->group_total - q->first_group;
    pthread_mutex_lock(&pool->lock);
    const unsigned workers = workers_wanted(pool, groups);
    if (workers) { // first, as what each may hold of it depends on how many there are
        pthread_mutex_unlock(&pool->lock);
        workers_start(pool, workers);
        pthread_mutex_lock(&pool->lock);
    }
    struct dispatch **at = &pool->dispatches;
    while (*at) at = &(*at)->next;
    *at = q;
    struct worker *guest = by_guest && pool->dispatches == q ? guest_begin(pool) : NULL;
    pool_has_news(pool, groups - (guest ? 1 : 0));
    if (guest) guest->work_version = pool->work_version;
    pthread_mutex_unlock(&pool->lock);
    return guest;
}
