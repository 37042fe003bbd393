// SPDX-License-Identifier: MIT
// Each instruction of a weak program comes here first: other operations go on, the wave gives way, or the
// instruction waits, or is issued and carried out later. All choices come from the seed.
#include <stdlib.h>
#include <string.h>

#include "exec/body/steps.h"
#include "exec/decode/control_ops.h"
#include "weak/inside.h"

// ---- The machine ----

static void choose_policy(struct weak *m) {
    static const unsigned eager[] = {0, 4, 32, 128}, patience[] = {0, 160, 240}, turns[] = {2, 8, 32, 200};
    m->random = m->seed;
    const uint64_t r = weak_random(m);
    m->policy = (struct policy){.eager = eager[r & 3],
                                .patience = patience[(r >> 8 & 0xff) % 3],
                                .order = r >> 16 & 2 ? 0 : 1 + (r >> 16 & 1),
                                .turn = turns[r >> 24 & 3],
                                .stale = r >> 32 & 1,
                                .scrambles = r >> 40 & 1};
}

static void share_out(struct line **from, struct cache *caches, unsigned count, unsigned lines) {
    for (unsigned i = 0; i < count; i++, *from += lines) caches[i] = (struct cache){*from, lines};
}

struct weak *weak_create(const struct pool *pool, uint64_t seed, bool hazards) {
    struct weak *m = calloc(1, sizeof *m);
    const size_t lines = (UNITS * HALVES + UNITS + ARRAYS) * NEAR_LINES + L2S * L2_LINES;
    if (m) m->lines = calloc(lines, sizeof *m->lines);
    if (!m || !m->lines) {
        free(m);
        return NULL;
    }
    m->pool = pool;
    m->seed = seed;
    m->caches = isa_caches(pool->isa);
    m->counters = isa_counters(pool->isa);
    m->hazards = hazards;
    isa_hazards(pool->isa, &m->rules);
    choose_policy(m);
    struct line *next = m->lines;
    share_out(&next, m->near, UNITS * HALVES, NEAR_LINES);
    share_out(&next, m->scalar, UNITS, NEAR_LINES);
    share_out(&next, m->middle, ARRAYS, NEAR_LINES);
    share_out(&next, m->l2, L2S, L2_LINES);
    return m;
}

void weak_destroy(struct weak *m) {
    if (!m) return;
    for (unsigned u = 0; u < UNITS; u++) array_free(&m->pending[u]);
    array_free(&m->patched);
    free(m->lines);
    free(m);
}

// ---- Places ----

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t z = (a ^ b) * 0xbf58476d1ce4e5b9ull;
    return (z ^ z >> 31) * 0x94d049bb133111ebull >> 24;
}

// The waves of a group share an L2; with threadgroup split they are on any of its compute units.
struct path weak_path(struct weak *m, const struct wave *w) {
    const struct group *g = w->group;
    const struct launch *l = g->dispatch->launch;
    const uint64_t where = mix(mix(m->seed, l->number), group_number(g));
    unsigned unit = where % UNITS;
    if (l->descriptor.tg_split)
        unit = unit / (UNITS / L2S) * (UNITS / L2S) + mix(where, w->wave_in_group) % (UNITS / L2S);
    const unsigned half = l->descriptor.wgp_mode ? w->wave_in_group % HALVES : 0;
    return (struct path){.near = &m->near[unit * HALVES + half],
                         .middle = m->caches->middle ? &m->middle[unit / (UNITS / ARRAYS)] : NULL,
                         .l2 = m->caches->several_l2 ? &m->l2[unit / (UNITS / L2S)] : NULL,
                         .scalar = &m->scalar[unit],
                         .unit = unit,
                         .number = unit * HALVES + half};
}

// ---- An instruction ----

// The packet processor drops what caches have before a dispatch begins, and L2 goes to memory.
static void begin_launch(struct weak *m, const struct wave *w) {
    const uint64_t number = w->group->dispatch->launch->number;
    if (number <= m->launch) return;
    m->launch = number;
    for (unsigned i = 0; i < UNITS * HALVES; i++) cache_drop_clean(&m->near[i]);
    for (unsigned i = 0; i < UNITS; i++) cache_drop_clean(&m->scalar[i]);
    for (unsigned i = 0; i < ARRAYS; i++) cache_drop_clean(&m->middle[i]);
    for (unsigned i = 0; i < L2S; i++) {
        cache_write_back(m, &m->l2[i]);
        cache_drop_clean(&m->l2[i]);
    }
}

static const struct op *give_way(struct weak *m, struct wave *w, const struct op *op) {
    m->current = NULL;
    w->status = WAVE_YIELDED;
    w->pc = w->loop_end = w->code_base + op->pc;
    w->resume = op;
    return NULL;
}

static bool is_stopped(const struct wave *w) { return dispatch_stopped(w->group->dispatch); }

// Waits until each counter is down to that. False: the wave gives way, so often of 256 times. Who waits for
// all of its stores waits for those that its work-group issued before as well: what another wave released to
// the work-group, without waiting for its own stores, is released to the device by this wave.
static bool wait_for(struct weak *m, const struct wave *w, unsigned unit, const uint8_t most[COUNTERS],
                     unsigned patience) {
    for (unsigned k = 0; k < COUNTERS; k++)
        while (most[k] != EFFECT_NO_WAIT && late_count(m, w, unit, k) > most[k]) {
            if (weak_chance(m, patience) || is_stopped(w)) return false;
            late_advance(m, unit);
        }
    while (!most[m->counters->stores] && late_group_stores(m, w, unit)) {
        if (weak_chance(m, patience) || is_stopped(w)) return false;
        late_advance(m, unit);
    }
    return true;
}

// A counter that is full waits. What counts but is carried out at once, as an exchange between lanes, comes
// back behind all that was begun before.
static bool has_room(struct weak *m, const struct wave *w, unsigned unit, const struct record *r) {
    uint8_t most[COUNTERS];
    for (unsigned k = 0; k < COUNTERS; k++) {
        const bool counts = r->effect.raises[k] && m->counters->most[k];
        most[k] = !counts ? EFFECT_NO_WAIT : r->defers ? m->counters->most[k] - 1 : 0;
    }
    return wait_for(m, w, unit, most, m->policy.patience);
}

static void use_caches(struct weak *m, struct wave *w, const struct path *p, unsigned actions) {
    if (actions & CACHE_DROP_NEAR) cache_drop_clean(p->near);
    if (actions & CACHE_DROP_MIDDLE && p->middle) cache_drop_clean(p->middle);
    if (actions & CACHE_DROP_SCALAR) cache_drop_clean(p->scalar);
    if (actions & CACHE_DROP_L2 && p->l2) cache_drop_clean(p->l2);
    if (actions & CACHE_WRITE_L2 && p->l2 && !late_write_back(m, w)) cache_write_back(m, p->l2);
}

// The op behind the instruction.
static const struct op *behind(const struct op *op) {
    const struct op *next = op + 1;
    while (next->pc == op->pc && !next->first) next++;
    return next;
}

static void go_on(struct weak *m, unsigned unit) {
    if (!weak_chance(m, m->policy.eager)) return;
    late_advance(m, weak_chance(m, 128) ? unit : weak_random(m) % UNITS);
}

enum { LEAVES = 248 };
static bool has_record(const struct op *op) {
    return op->class != SW_CLASS_VALU && op->class != SW_CLASS_MATRIX && op->class != SW_CLASS_BRANCH;
}

static const struct op *step(struct weak *m, struct wave *w, const struct op *op) {
    static const uint8_t none[COUNTERS] = {0};
    const struct record *r = has_record(op) || m->hazards ? weak_record(m, w, op) : NULL;
    const struct path p = weak_path(m, w);
    m->pool->steps->leave();
    go_on(m, p.unit);
    if (is_stopped(w)) return give_way(m, w, op);
    if (!r || !r->known) stale_forget(m);
    if (r) use_caches(m, w, &p, r->actions);
    if (!r || !r->known) return op;
    if (r->waits && !wait_for(m, w, p.unit, r->effect.waits, m->policy.patience)) return give_way(m, w, op);
    // Nobody waits for what a wave that ends has left: it stays for long.
    if (r->ends && !wait_for(m, w, p.unit, none, LEAVES)) return give_way(m, w, op);
    if (!has_room(m, w, p.unit, r)) return give_way(m, w, op);
    if (m->hazards) return stale_carry_out(m, w, op, r, behind(op));
    return r->defers && late_issue(m, w, op, r) ? behind(op) : op;
}

const struct op *weak_step(struct wave *w, const struct op *op) {
    struct weak *m = w->worker->pool->weak;
    if (m->delivered) { // the ops of one instruction, and no more
        const bool same = op->pc == m->delivered->op->pc && (op == m->delivered->op || !op->first);
        return same ? op : NULL;
    }
    if (!op->first || op_is_skipped(w, op)) return op;
    if (m->current != w) {
        m->current = w;
        stale_forget(m);
        m->left = 1 + weak_random(m) % m->policy.turn;
        begin_launch(m, w);
    }
    if (!m->left--) return give_way(m, w, op);
    const struct op *next = step(m, w, op);
    if (next) w->machine->observe(w, op);
    return next;
}
