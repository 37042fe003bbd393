// SPDX-License-Identifier: MIT
// Global wave sync. A device has 64 resources, which all its dispatches share. A resource counts the waves
// that wait. After a release, waves go on in the order in which they ask again. A wave of a stopped dispatch
// does not ask again; it is taken out of the count.
#include "sched/pool.h"
#include "exec/machine.h"

static void release(struct gws *r, uint32_t count) {
    const uint32_t waiting = r->queued - r->released, now = count < waiting ? count : waiting;
    r->released += now;
    r->counter += (int32_t)(count - now);
}

// Waves of the semaphore that arrive while others wait do not overtake them: there is no count to take then.
static bool take(struct wave *w, struct gws *r) {
    if (w->gws_kind == GWS_TAKE) {
        if (!r->released) return false;
        r->released--;
        r->queued--;
    } else if (r->counter > 0)
        r->counter--;
    else {
        r->queued++;
        return false;
    }
    return true;
}

// The wave that arrives at a counter of 0 is the last one. It releases all and sets the counter for the next
// barrier.
static bool meet(struct wave *w, struct gws *r, uint32_t count) {
    if (w->gws_kind == GWS_BARRIER) return r->phase != w->gws_phase;
    w->gws_phase = r->phase;
    if (r->counter > 0) {
        r->counter--;
        return false;
    }
    r->phase++;
    r->counter = (int32_t)count;
    return true;
}

bool gws_ask(struct wave *w, enum gws_kind kind, unsigned number, uint32_t count) {
    struct pool *pool = w->worker->pool;
    struct gws *r = &pool->gws[number];
    bool done = true;
    pthread_mutex_lock(&pool->gws_lock);
    switch (kind) {
    case GWS_INIT: r->counter = (int32_t)count; break;
    case GWS_RELEASE: release(r, count); break;
    case GWS_RELEASE_ALL: r->released = r->queued; break;
    case GWS_TAKE: done = take(w, r); break;
    default: done = meet(w, r, count);
    }
    pthread_mutex_unlock(&pool->gws_lock);
    w->gws_kind = done ? GWS_NONE : kind;
    w->gws_number = number;
    return done;
}

static void abandon(struct wave *w, struct gws *r) {
    if (w->gws_kind == GWS_BARRIER) {
        r->counter += r->phase == w->gws_phase;
        return;
    }
    r->queued--;
    if (r->released <= r->queued) return;
    r->released--; // it had been released already: another may have that
    r->counter++;
}

void gws_abandon(struct group *g) {
    for (uint32_t i = 0; i < g->wave_count; i++) {
        struct wave *w = g->waves[i];
        if (w->status != WAVE_SLEEPING || !w->gws_kind) continue;
        struct pool *pool = w->worker->pool;
        pthread_mutex_lock(&pool->gws_lock);
        abandon(w, &pool->gws[w->gws_number]);
        pthread_mutex_unlock(&pool->gws_lock);
    }
}
