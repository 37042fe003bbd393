// SPDX-License-Identifier: MIT
// Running the waves of one work-group.
#include <string.h>

#include "exec/body/body.h"
#include "sched/pool.h"
#include "exec/body/steps.h"
#include "jit/native.h"

// Where in the grid the group is. Mostly it follows the one that its context served before.
static void find_id(const struct launch *l, struct group *g, uint64_t number) {
    const uint32_t *groups = l->groups;
    if (g->placed == l->number && number == g->number + 1) {
        if (++g->id[0] < groups[0]) return;
        g->id[0] = 0;
        if (++g->id[1] < groups[1]) return;
        g->id[1] = 0;
        g->id[2]++;
        return;
    }
    const uint64_t row = number / groups[0];
    g->id[0] = (uint32_t)(number % groups[0]);
    g->id[1] = (uint32_t)(row % groups[1]);
    g->id[2] = (uint32_t)(row / groups[1]);
}

// And how many work-items it has there.
static void find_place(const struct launch *l, struct group *g, uint64_t number) {
    find_id(l, g, number);
    g->placed = l->number;
    g->number = number;
    memcpy(g->size, l->dispatch->block, sizeof g->size);
    g->items = l->group_items;
    g->wave_count = l->waves_per_group;
    g->partial = (g->id[0] >= l->whole[0]) | (g->id[1] >= l->whole[1]) | (g->id[2] >= l->whole[2]);
    if (LIKELY(!g->partial)) return;
    g->items = 1;
    for (int i = 0; i < 3; i++) {
        if (g->id[i] >= l->whole[i]) g->size[i] = l->dispatch->grid[i] - g->id[i] * g->size[i];
        g->items *= g->size[i];
    }
    g->wave_count = (g->items + l->lanes - 1) / l->lanes;
}

void group_start(struct worker *k, struct group *g, struct dispatch *q, uint64_t number) {
    const struct launch *l = q->launch;
    if (number == q->first_group) __atomic_store_n(&q->clock_zero, monotonic_ns(), __ATOMIC_RELAXED);
    g->dispatch = q;
    find_place(l, g, number);
    barrier_begin(&g->barrier, g->wave_count, l->named_barriers);
    if (!l->program->facts.observed) {
        g->barrier.wave = g->waves;
        g->barrier.code_base = l->program->base;
    }
    g->turn = 0;
    g->phase = l->hot ? __atomic_load_n(&l->hot->trial.phase, __ATOMIC_ACQUIRE) : 0;
    g->spent = 0;
    if (k->pool->options.init != SW_INIT_ZERO && l->lds_size) memset(g->lds, 0xd5, l->lds_size);
    g->unborn = wave_loop_begins(k, g);
    if (!g->unborn) launch_waves(l, k, g, 0);
}

// So many waves run between two looks at whether their program is hot, which takes no time of waves that are
// short; one that loops is hot when its quantum is used up.
enum { LOOK_EVERY = 16 };
static void look_for_hot_code(struct worker *k, const struct wave *w, int64_t back_edges) {
    const bool looping = w->status == WAVE_YIELDED && w->budget <= 0;
    k->weight += (uint64_t)back_edges + WAVE_WEIGHT;
    if (!looping && ++k->waves_run < LOOK_EVERY) return;
    const struct launch *l = w->group->dispatch->launch;
    if (k->pool->native) native_consider(l->program, k->pool->level, looping);
    if (looping || k->weight >= k->pool->tier_up.share)
        worker_tell_weight(k, looping && w->code_base == l->program->base ? w->resume : NULL);
    k->waves_run = 0;
}

// All workers write the sum: each adds up what it ran, and tells of it now and then.
void worker_tell_weight(struct worker *k, const struct op *loop) {
    const struct launch *l = k->weighed;
    if (l && l->hot && k->weight) hot_add(&k->pool->tier_up, l->program, l->hot, k->weight, loop);
    k->weight = 0;
}
static void weigh_for(struct worker *k, const struct launch *l) {
    if (k->weighed == l) return;
    worker_tell_weight(k, NULL);
    k->weighed = l;
}

// Whether the wave still waits at its barrier. One that does not goes on behind it: looking there itself
// would find the same.
static bool waits_at_barrier(const struct group *g, struct wave *w) {
    if (UNLIKELY(barrier_is_named(w))) return barrier_named_waits(w);
    if (w->barrier_phase == g->barrier.phase && w->barrier_signalled) return true;
    if (w->resume && w->code_base == g->dispatch->launch->program->base) {
        w->barrier_signalled = 0;
        w->resume++;
    }
    return false;
}

bool worker_looks_around(struct worker *k) {
    const struct pool *pool = k->pool;
    worker_heard(k);
    if (UNLIKELY(__atomic_load_n(&pool->map_version, __ATOMIC_ACQUIRE) != k->map_version))
        worker_safe_point(k);
    return UNLIKELY(worker_has_news(k));
}

static inline const struct wave *run_wave(struct worker *k, struct wave *w, const struct program *p) {
    // Other programs than the kernel's own may have gone since.
    const struct op *op = w->code_base == p->base ? w->resume : NULL;
    bool own;
    if (!op) op = w->machine->block(w, w->pc, &own);
    w->status = WAVE_RUNNING;
    const int given = group_quantum(k);
    w->budget = given;
    w->resume = NULL;
    struct barrier *b = w->barrier;
    b->running = w;
    b->running_phase = b->phase;
    b->quantum = b->left = given;
    if (!op) {
        wave_fault(w, NULL, FAULT_JUMP, -1, w->pc);
        return w;
    }
    if (k->control != w->mxcsr) wave_load_control(w);
    if (UNLIKELY(__atomic_load_n(&k->pool->guarded, __ATOMIC_RELAXED)))
        guard_enter(k, w, op);
    else
        k->pool->steps->enter(w, op);
    w = b->running;
    k->control = w->mxcsr;
    if (k->touched_count) worker_tell(k);
    look_for_hot_code(k, w, given - b->left + given - w->budget);
    return w;
}

const struct wave *group_run_wave(struct worker *k, struct group *g, struct wave *w) {
    const struct wave *last = run_wave(k, w, g->dispatch->launch->program);
    if (last->status == WAVE_FAULTED) worker_tell_fault(k, g->dispatch);
    return last;
}

// The wave whose turn is the i-th. Behind a barrier the last wave of the group runs first. Cards run the
// waves at the same time, so they read soon behind a barrier what others replace later without another one,
// and libraries rely on that: work-item 0 replaces what all have read; each sums up what those before it
// left, then leaves its own.
static struct wave *wave_of_turn(const struct group *g, uint32_t i) {
    return g->waves[g->barrier.phase ? g->wave_count - 1 - i : i];
}
// Whose turn it is behind the wave that ran last. A completed barrier begins anew.
static uint32_t turn_behind(const struct group *g, const struct wave *w) {
    const struct barrier *b = &g->barrier;
    const uint32_t turn = b->phase ? g->wave_count - 1 - w->wave_in_group : w->wave_in_group;
    return b->phase == b->running_phase && turn + 1 < g->wave_count ? turn + 1 : 0;
}

enum progress group_run(struct worker *k, struct group *g) {
    const struct dispatch *q = g->dispatch;
    weigh_for(k, q->launch);
    if (g->unborn) wave_loop_run(k, g);
    const uint32_t begun = g->barrier.phase, most = (uint32_t)group_quantum(k);
    while (g->barrier.alive && !dispatch_stopped(q)) {
        bool moved = false, may_wait = false;
        const uint32_t phase = g->barrier.phase, first = g->turn;
        g->turn = 0;
        for (uint32_t i = 0; i < g->wave_count && g->barrier.phase == phase && !dispatch_stopped(q); i++) {
            struct wave *w =
                wave_of_turn(g, first + i < g->wave_count ? first + i : first + i - g->wave_count);
            if (w->status == WAVE_ENDED) continue;
            if (w->status == WAVE_AT_BARRIER && waits_at_barrier(g, w)) continue;
            const struct wave *last = group_run_wave(k, g, w);
            const bool hopped = g->barrier.left != g->barrier.quantum; // perhaps to the same one again
            if (last->status == WAVE_ENDED) {
                moved = true;
                barrier_lose(&g->barrier);
            } else if (last->status == WAVE_AT_BARRIER || hopped)
                moved = true;
            else
                may_wait = true;
            const bool leaves = worker_looks_around(k) && g->barrier.alive;
            if (leaves || hopped) g->turn = turn_behind(g, last);
            if (leaves) return GROUP_WAITS;
            if (hopped) break; // waves between them ran
        }
        // At so many barriers, it may wait for another group, or for ever.
        if (moved && g->barrier.phase - begun >= most) return GROUP_WAITS;
        if (moved || dispatch_stopped(g->dispatch)) continue; // one that is stopped is not deadlocked
        if (may_wait && q->share.is_one && share_waits_for_others(g)) return GROUP_STANDS_STILL;
        return may_wait ? GROUP_WAITS : GROUP_DEADLOCKED;
    }
    return GROUP_ENDED;
}
