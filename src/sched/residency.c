// SPDX-License-Identifier: MIT
// Wave slots. The dispatches of one queue have no more waves in flight than the compute units hold, as on
// hardware. Runtimes rely on that: they allocate scratch for this number of waves.
#include <stdlib.h>

#include "sched/pool.h"

// At least one: with none no group would ever be resident.
unsigned pool_compute_units(const struct pool *pool) {
    const unsigned own = pool->options.target.processor->compute_units;
    return pool->options.compute_units ? pool->options.compute_units : own ? own : 1;
}

static uint64_t limit_of(const struct pool *pool, const struct launch *l, const sw_dispatch *request) {
    const sw_processor *p = pool->options.target.processor;
    const uint64_t all =
        (uint64_t)fact(p, FACT_waves_per_simd) * fact(p, FACT_simds_per_cu) * place_units(pool, l);
    return request->wave_limit && request->wave_limit < all ? request->wave_limit : all;
}

// Called with the lock held.
static struct residency *find_or_make(struct pool *pool, uint64_t queue) {
    for (size_t i = 0; i < pool->queues.count; i++)
        if (pool->queues.items[i]->queue == queue) return pool->queues.items[i];
    struct residency *r = NULL;
    if (posix_memalign((void **)&r, 64, sizeof *r)) return NULL;
    *r = (struct residency){.queue = queue};
    if (array_push(&pool->queues, r)) return r;
    free(r);
    return NULL;
}

bool residency_enter(struct dispatch *q, const sw_dispatch *request) {
    struct pool *pool = q->pool;
    if (!request->queue) return true;
    q->wave_limit = limit_of(pool, q->launch, request);
    pthread_mutex_lock(&pool->lock);
    q->residency = find_or_make(pool, request->queue);
    if (q->residency) q->residency->users++;
    pthread_mutex_unlock(&pool->lock);
    return q->residency;
}

void residency_leave(struct dispatch *q) {
    struct pool *pool = q->pool;
    if (!q->residency) return;
    pthread_mutex_lock(&pool->lock);
    if (!--q->residency->users) {
        size_t at = 0;
        while (pool->queues.items[at] != q->residency) at++;
        pool->queues.items[at] = pool->queues.items[--pool->queues.count];
        free(q->residency);
    }
    pthread_mutex_unlock(&pool->lock);
    q->residency = NULL;
}

// Adds to what is in flight, if it stays within the limit or nothing else is.
static bool add(struct dispatch *q, uint64_t groups) {
    const uint64_t waves = groups * q->launch->waves_per_group;
    uint64_t n = __atomic_load_n(&q->residency->waves, __ATOMIC_SEQ_CST);
    while (n + waves <= q->wave_limit || (!n && groups == 1))
        if (__atomic_compare_exchange_n(&q->residency->waves, &n, n + waves, true, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            return true;
    return false;
}

// Whoever gives room after the last look finds that somebody was refused.
uint64_t room_take(struct dispatch *q, uint64_t groups) {
    if (!q->residency || add(q, groups)) return groups;
    if (groups > 1 && add(q, 1)) return 1;
    __atomic_store_n(&q->residency->refused, true, __ATOMIC_SEQ_CST);
    return add(q, 1);
}

bool room_is_wanted(const struct dispatch *q) {
    return q->residency && __atomic_load_n(&q->residency->refused, __ATOMIC_SEQ_CST);
}

void room_give(struct dispatch *q, uint64_t groups, bool locked) {
    struct pool *pool = q->pool;
    if (!q->residency || !groups) return;
    __atomic_sub_fetch(&q->residency->waves, groups * q->launch->waves_per_group, __ATOMIC_SEQ_CST);
    if (!room_is_wanted(q) || !__atomic_exchange_n(&q->residency->refused, false, __ATOMIC_SEQ_CST)) return;
    if (!locked) pthread_mutex_lock(&pool->lock);
    pool_has_news(pool, pool->thread_count);
    if (!locked) pthread_mutex_unlock(&pool->lock);
}
