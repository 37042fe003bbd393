// SPDX-License-Identifier: MIT
// Making and ending a pool, and the numbers of hardware registers.
#include "sched/pool.h"

#include <stdlib.h>
#include <string.h>

static void number_hwregs(struct pool *pool) {
    const sw_processor *p = pool->options.target.processor;
    uint8_t *h = pool->hwregs;
    h[1] = HWREG_MODE;
    h[2] = HWREG_STATUS;
    h[5] = HWREG_GPR_ALLOC;
    h[6] = HWREG_LDS_ALLOC;
    const enum hwreg_map map = fact(p, FACT_hwregs);
    if (map == HWREGS_GFX12) {
        h[4] = HWREG_STATE_PRIV;
        h[18] = HWREG_TRAPSTS; // the exception flags of the user are what is left of it
        h[20] = HWREG_SCRATCH_BASE_LO;
        h[21] = HWREG_SCRATCH_BASE_HI;
        h[23] = HWREG_HW_ID1;
        h[29] = HWREG_SHADER_CYCLES_LO;
        h[30] = HWREG_SHADER_CYCLES_HI;
        return;
    }
    h[3] = HWREG_TRAPSTS;
    h[4] = map == HWREGS_GFX10 ? HWREG_NONE : HWREG_HW_ID;
    h[15] = HWREG_SH_MEM_BASES;
    if (fact(p, FACT_xccs)) h[20] = HWREG_XCC_ID;
    if (map == HWREGS_GFX10) {
        h[20] = HWREG_FLAT_SCR_LO;
        h[21] = HWREG_FLAT_SCR_HI;
        h[23] = HWREG_HW_ID1;
        h[29] = HWREG_SHADER_CYCLES;
    }
}

bool pool_create(struct pool *pool, const sw_device_options *options, const sw_device_hooks *hooks,
                 unsigned threads) {
    struct worker *workers = NULL;
    if (posix_memalign((void **)&workers, _Alignof(struct worker), threads * sizeof *workers)) return false;
    memset(workers, 0, threads * sizeof *workers);
    pool->options = *options;
    pool->hooks = *hooks;
    pool->workers = workers;
    pool->map = (struct map){.host_memory = options->host_memory,
                             .closed_begin = options->closed_begin,
                             .closed_end = options->closed_end};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_mutex_init(&pool->observer_lock, NULL);
    pthread_mutex_init(&pool->gws_lock, NULL);
    pthread_mutex_init(&pool->gds_lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    number_hwregs(pool);
    for (unsigned i = 0; i < threads; i++) {
        struct worker *k = &workers[i];
        k->pool = pool;
        k->index = i;
        k->map = &pool->map;
        worker_drop_ranges(k);
        pthread_mutex_init(&k->map_lock, NULL);
    }
    workers_prepare(pool, threads);
    return true;
}

void contexts_free(struct pool *pool) {
    contexts_collect(pool);
    for (unsigned i = 0; i < pool->thread_count; i++) {
        struct worker *k = &pool->workers[i];
        for (struct group *g = k->idle, *next; g; g = next) {
            next = g->next;
            context_free(pool, g);
        }
        k->idle = NULL;
    }
}

void pool_destroy(struct pool *pool) {
    for (unsigned i = 0; i < pool->thread_count; i++) {
        struct worker *k = &pool->workers[i];
        array_free(&k->held);
        array_free(&k->joined);
        free(k->kept);
    }
    array_free(&pool->queues);
    free(pool->map.ranges);
    free(pool->workers);
    free(pool->tier_up.cache);
    free(pool->tier_up.dump.phases);
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->observer_lock);
    pthread_mutex_destroy(&pool->gws_lock);
    pthread_mutex_destroy(&pool->gds_lock);
    pthread_cond_destroy(&pool->work);
    pthread_cond_destroy(&pool->done);
}
