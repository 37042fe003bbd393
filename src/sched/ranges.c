// SPDX-License-Identifier: MIT
// Ranges of memory that workers remember. A worker keeps a range that it found in the map until its next safe
// point (between groups, and when a wave gives way). Taking rights away waits until every running worker has
// passed one.
#include "sched/pool.h"

bool worker_find_range(struct wave *w, uint64_t address, uint32_t rights, struct range *out) {
    struct worker *k = w->worker;
    if (rights & RIGHT_ALONE && worker_count(k->pool) > 1) return false;
    pthread_mutex_lock(&k->map_lock);
    bool found = map_find(k->map, address, rights, out) || map_find_host(k->map, address, rights, out);
    if (found && k->gone.last) {
        const uint64_t alias = address & ALIAS_BIT;
        found = range_keep_out(out, address, k->gone.lo | alias, (k->gone.last | alias) + 1);
    }
    if (found && !map_stays(k->map, out)) k->careful = true;
    struct range range;
    const bool watched =
        found && rights & RIGHT_WRITE && map_find(k->map, address, rights | RIGHT_WATCH, &range);
    pthread_mutex_unlock(&k->map_lock);
    if (rights & RIGHT_ALONE) return found && !watched;
    if (watched && k->touched_count <= TOUCHED_BLOCKS) {
        if (k->touched_count < TOUCHED_BLOCKS) k->touched[k->touched_count] = *out;
        k->touched_count++; // one more than there is room for: anything may have been written
    }
    return found;
}

void worker_tell(struct worker *k) {
    const sw_device_hooks *h = &k->pool->hooks;
    const unsigned count = k->touched_count;
    k->touched_count = 0;
    worker_drop_ranges(k);
    if (count > TOUCHED_BLOCKS && h->written) h->written(h->context, 0, UINT64_MAX);
    for (unsigned i = 0; count <= TOUCHED_BLOCKS && h->written && i < count; i++)
        h->written(h->context, host_address(k->touched[i].lo), host_address(k->touched[i].last));
}

sw_status pool_set_rights(struct pool *pool, uint64_t lo, uint64_t hi, unsigned rights) {
    if (lo >= hi) return SW_OK;
    for (unsigned i = 0; i < pool->thread_count; i++) pthread_mutex_lock(&pool->workers[i].map_lock);
    const bool set = map_set(&pool->map, lo, hi, rights);
    for (unsigned i = 0; i < pool->thread_count; i++) pthread_mutex_unlock(&pool->workers[i].map_lock);
    return set ? SW_OK : SW_NO_MEMORY;
}

bool pool_take_right(struct pool *pool, uint64_t lo, uint64_t hi, uint32_t right) {
    for (unsigned i = 0; i < pool->thread_count; i++) pthread_mutex_lock(&pool->workers[i].map_lock);
    const bool had = map_take(&pool->map, lo, hi, right);
    for (unsigned i = 0; i < pool->thread_count; i++) pthread_mutex_unlock(&pool->workers[i].map_lock);
    return had;
}

void worker_drop_ranges(struct worker *k) {
    for (int i = 0; i < RANGE_SLOTS; i++) k->ranges[i] = (struct range){1, 0};
    k->careful = false;
}

void worker_forget_ranges(struct worker *k) {
    if (k->map_version == k->pool->map_version) return;
    k->map_version = k->pool->map_version;
    worker_drop_ranges(k);
}

void rights_settle(struct pool *pool) {
    const uint64_t version = __atomic_add_fetch(&pool->map_version, 1, __ATOMIC_RELEASE);
    workers_interrupt(pool);
    for (unsigned i = 0; i < pool->thread_count; i++) {
        struct worker *k = &pool->workers[i];
        while (k->busy && k->map_version < version) pthread_cond_wait(&pool->done, &pool->lock);
    }
}

void worker_rest(struct worker *k) {
    k->busy = false;
    pthread_cond_broadcast(&k->pool->done);
}

void worker_resume(struct worker *k) {
    k->busy = true;
    worker_forget_ranges(k);
}
