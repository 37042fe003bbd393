// SPDX-License-Identifier: MIT
// Runs a work-group by a wave loop (jit/wave_loop.h). A wave that leaves the loop runs like any other wave.
// If it ends, the loop goes on with the next wave. If it waits, or the worker has other work, all remaining
// waves begin without the loop: outside of this file, every wave of a running group has begun.
#include "jit/wave_loop.h"

#include <stdlib.h>

#include "exec/body/steps.h"
#include "sched/pool.h"

// A wave that leaves costs what it did in the wave loop, or more. Where one in so many does, there are none
// any more in this launch: each of the worker's first ones may, and those of the groups at the edges of a
// picture's rows.
enum { LEAVES_COST = 16, MOST_COST = 1024 };

// Room to keep a wave of the launch, where memory may be missing.
static bool make_room(struct worker *k, const struct wave *w) {
    if (k->kept_bytes >= w->end) return true;
    free(k->kept);
    k->kept = NULL;
    k->kept_bytes = posix_memalign((void **)&k->kept, _Alignof(struct wave), w->end) ? 0 : w->end;
    return k->kept_bytes;
}

// Waves are kept where some of the ranges that the worker has found may be unmapped.
static const struct wave_loop_code *code_for(const struct worker *k, const struct launch *l) {
    return l->program->guarded && k->careful ? &l->wave_loop.careful : &l->wave_loop.usual;
}

bool wave_loop_begins(struct worker *k, const struct group *g) {
    const struct launch *l = g->dispatch->launch;
    if (!code_for(k, l)->run || g->partial || l->group_items < l->lanes) return false;
    if (code_for(k, l)->is_group_loop && (g->wave_count > GROUP_LOOP_WAVES || l->group_items % l->lanes))
        return false;
    if (l->hot && __atomic_load_n(&l->hot->trial.without, __ATOMIC_RELAXED)) return false;
    if (k->wave_loop_of != l->number) {
        k->wave_loop_of = l->number, k->wave_loop_cost = 0;
        if (k->careful) worker_drop_ranges(k); // which other kernels may have found
    }
    if (k->wave_loop_cost >= MOST_COST) return false;
    return l->program->guarded ? make_room(k, g->waves[0])
                               : !__atomic_load_n(&k->pool->guarded, __ATOMIC_RELAXED);
}

// Takes note of the groups that followed.
static void note_groups(struct wave_loop *s) {
    if (s->follow == s->given) return;
    worker_followed(s->worker, s->group, s->given - s->follow);
    s->given = s->follow;
}
struct wave *wave_loop_begin_next(struct wave_loop *s) {
    note_groups(s);
    return launch_wave(s->launch, s->worker, s->group, (uint32_t)(s->next - s->launch->ids));
}
static struct wave *begin_next(struct wave_loop *s) {
    s->worker->pool->steps->leave();
    return wave_loop_begin_next(s);
}

// Runs waves until one is to go on by itself, which is returned, or there is none.
static struct wave *run(struct worker *k, struct group *g, struct wave_loop *s) {
    const struct launch *l = s->launch;
    struct wave *image = launch_image(l, k, g);
    const struct wave_ids *first = s->next;
    const uint32_t given = s->given;
    s->id = launch_image_id(l, image);
    s->kept_at = 0;
    if (k->control != image->mxcsr) wave_load_control(image);
    const struct wave_loop_code *code = code_for(k, l);
    struct wave *w = l->program->guarded ? guard_wave_loop(k, image, s, code) : code->run(image, s);
    k->pool->steps->leave();
    k->control = image->mxcsr;
    note_groups(s);
    const unsigned before = (given - s->follow) * g->wave_count, ended = (unsigned)(s->next - first);
    g->barrier.alive -= ended;
    k->wave_loop_cost = k->wave_loop_cost > before + ended ? k->wave_loop_cost - before - ended : 0;
    if (s->next == s->end || dispatch_stopped(g->dispatch)) return NULL;
    k->wave_loop_cost += LEAVES_COST;
    return w ? w : wave_loop_begin_next(s);
}

// The waves of a group loop that wait do so as if each had come to its barrier by itself. Those behind the
// one that ran last have come to the next one already, in the order in which they run.
static void let_wait(struct group *g, const struct wave_loop *s, const struct wave *running) {
    struct barrier *b = &g->barrier;
    for (uint32_t i = 0; i < s->count && s->ended < s->count; i++) {
        struct wave *w = g->waves[i];
        const bool has_come = s->phase ? i > s->at : i < s->at;
        if (w->status == WAVE_ENDED || (!s->phase && !has_come && w != running)) continue;
        if (w->status == WAVE_RUNNING) w->pc = w->code_base + w->resume->pc;
        if (w == running) continue;
        w->status = WAVE_AT_BARRIER;
        w->barrier_signalled = 1;
        w->barrier_phase = has_come ? s->phase : s->phase - 1;
    }
    b->phase = s->phase;
    b->arrived = s->arrived;
    b->alive = s->count - s->ended;
    if (b->alive && b->arrived >= b->alive) b->arrived = 0, b->phase++;
}

// All waves, as far as they get.
static void run_group(struct worker *k, struct group *g, struct wave_loop *s) {
    const struct launch *l = s->launch;
    struct wave *image = g->waves[0];
    launch_waves(l, k, g, 0);
    s->waves = g->waves;
    s->count = g->wave_count;
    s->at = s->phase = s->arrived = s->ended = 0;
    s->most_phases = (uint32_t)group_quantum(k);
    image->budget = group_quantum(k);
    if (k->control != image->mxcsr) wave_load_control(image);
    const struct wave_loop_code *code = code_for(k, l);
    struct wave *w = l->program->guarded ? guard_wave_loop(k, image, s, code) : code->run(image, s);
    k->pool->steps->leave();
    k->control = image->mxcsr;
    let_wait(g, s, w);
    k->wave_loop_cost = k->wave_loop_cost > s->ended ? k->wave_loop_cost - s->ended : 0;
    if (s->ended < s->count) k->wave_loop_cost += LEAVES_COST * (s->count - s->ended);
    if (w && w->status == WAVE_FAULTED) worker_tell_fault(k, g->dispatch);
    g->unborn = false;
}

void wave_loop_run(struct worker *k, struct group *g) {
    const struct launch *l = g->dispatch->launch;
    struct wave_loop s; // member by member: to clear it takes as long as a short wave
    s.next = s.first = l->ids;
    s.end = l->ids + l->group_items / l->lanes;
    s.stop = &g->dispatch->stop;
    s.interrupt = &k->interrupt;
    s.begin = begin_next;
    s.kept = k->kept;
    s.kept_at = s.follow = s.given = 0;
    s.launch = l;
    s.group = g;
    s.worker = k;
    if (code_for(k, l)->is_group_loop) {
        run_group(k, g, &s);
        return;
    }
    if (!(l->group_items % l->lanes)) s.follow = s.given = worker_may_follow(k, g);
    while (s.next < s.end && code_for(k, l)->run && !dispatch_stopped(g->dispatch)) {
        struct wave *w = run(k, g, &s);
        if (!w) break;
        s.next++;
        s.follow = s.given = 0;
        if (w->status == WAVE_RUNNING)
            group_run_wave(k, g, w);
        else if (w->status == WAVE_FAULTED)
            worker_tell_fault(k, g->dispatch);
        if (w->status == WAVE_ENDED) g->barrier.alive--;
        if (w->status != WAVE_ENDED || worker_looks_around(k)) break;
    }
    g->unborn = false;
    launch_waves(l, k, g, (uint32_t)(s.next - l->ids));
}
