// SPDX-License-Identifier: MIT
// The global data share, of which a device has one: memory that all its waves share, the registers behind it,
// and counts in the order of waves. Its bytes are 0 at first and stay from one dispatch to the next.
#include <string.h>

#include "exec/body/steps.h"
#include "exec/gds.h"
#include "sched/pool.h"

// ---- DS instructions ----

// M0: where the program's part begins, and its bytes.
static void put_part(struct wave *w, uint32_t m0) {
    struct pool *pool = w->worker->pool;
    const uint32_t base = m0 >> 16 & ~3u, size = m0 & 0xffff;
    w->lds = pool->gds + base;
    w->lds_size = w->lds_limit = size < GDS_BYTES - base ? size : GDS_BYTES - base;
}

static void run_lanes(struct wave *w, const struct gds_op *g, uint32_t m0) {
    struct pool *pool = w->worker->pool;
    uint8_t *lds = w->lds;
    const uint32_t size = w->lds_size, limit = w->lds_limit;
    const uint64_t exec = w->exec;
    put_part(w, m0);
    if (g->one_lane) w->exec &= -(w->exec & w->all_lanes);
    pool->steps->enter(w, g->ops);
    w->exec = exec;
    w->lds = lds, w->lds_size = size, w->lds_limit = limit;
}

// ---- Values of one lane ----

static uint32_t *lanes_at(struct wave *w, uint32_t offset) { return (uint32_t *)((char *)w->s + offset); }
static uint64_t executing(const struct wave *w) { return w->exec & w->all_lanes; }
// Of the first lane that executes; without one it is 0.
static uint32_t first_value(struct wave *w, uint32_t offset) {
    const uint64_t exec = executing(w);
    return exec ? lanes_at(w, offset)[__builtin_ctzll(exec)] : 0;
}
static void put_all(struct wave *w, uint32_t offset, uint32_t v) {
    for (uint64_t left = executing(w); left; left &= left - 1) lanes_at(w, offset)[__builtin_ctzll(left)] = v;
}

// Registers of 32 bits, and behind them of 64.
static uint64_t change_register(struct pool *pool, unsigned number, int64_t by) {
    uint64_t *r = &pool->gds_registers[number], old = *r;
    *r += (uint64_t)by;
    if (number < GDS_FIRST_WIDE) *r = (uint32_t)*r;
    return old;
}
static void run_register(struct wave *w, const struct gds_op *g) {
    const int64_t by = first_value(w, g->data);
    const uint64_t old = change_register(w->worker->pool, g->number, g->kind == GDS_SUB_REGISTER ? -by : by);
    put_all(w, g->dst, (uint32_t)old);
    if (g->number >= GDS_FIRST_WIDE) put_all(w, g->dst + w->stride, (uint32_t)(old >> 32));
}

// ---- Counts in the order of waves ----

// The wave's number in its dispatch: in that order waves are made.
static uint64_t number_of(const struct wave *w) {
    return group_number(w->group) * w->group->dispatch->launch->waves_per_group + w->wave_in_group;
}
// Lane n has to do with the counter n places behind the first. Nobody says what it means that others execute,
// or that some of these do not.
static void run_several(struct wave *w, const struct op *op, const struct gds_op *g, uint32_t at) {
    uint8_t *gds = w->worker->pool->gds;
    const uint32_t *value = lanes_at(w, g->data);
    uint32_t *old = lanes_at(w, g->dst), was[GDS_MOST_COUNTERS] = {0};
    if (!executing(w)) return;
    if (executing(w) != (1u << g->dwords) - 1) {
        w->machine->fault(w, op, FAULT_UNSUPPORTED, -1, 0,
                          "an ordered count of several dwords by other lanes than the first ones");
        return;
    }
    for (uint32_t n = 0; n < g->dwords && at + 4 * n + 4 <= GDS_BYTES; n++) {
        was[n] = rd32(gds + at + 4 * n);
        wr32(gds + at + 4 * n, g->exchanges ? value[n] : was[n] + value[n]);
    }
    memcpy(old, was, 4 * g->dwords);
}
// False: an older wave has not let this one pass yet.
static bool run_ordered(struct wave *w, const struct op *op, const struct gds_op *g, uint32_t m0) {
    struct pool *pool = w->worker->pool;
    struct dispatch *q = w->group->dispatch;
    if (number_of(w) != q->ordered_turn) return false;
    const uint32_t value = first_value(w, g->data), at = (m0 >> 16 & ~3u) + 4 * g->number;
    uint64_t old = 0;
    if (g->dwords > 1) {
        run_several(w, op, g, at);
        if (g->releases) q->ordered_turn++;
        return true;
    }
    if (g->in_registers && !g->exchanges)
        old = change_register(pool, g->number, value);
    else if (g->in_registers)
        old = pool->gds_registers[g->number], pool->gds_registers[g->number] = value;
    else if (at + 4 <= GDS_BYTES) {
        old = rd32(pool->gds + at);
        wr32(pool->gds + at, g->exchanges ? value : (uint32_t)old + value);
    }
    put_all(w, g->dst, (uint32_t)old);
    if (g->releases) q->ordered_turn++;
    return true;
}

bool gds_run(struct wave *w, const struct op *op) {
    const struct gds_op *g = op->extra;
    struct pool *pool = w->worker->pool;
    const uint32_t m0 = w->s[g->m0 / 4];
    bool done = true;
    pool->steps->leave();
    pthread_mutex_lock(&pool->gds_lock);
    switch (g->kind) {
    case GDS_LANES: run_lanes(w, g, m0); break;
    case GDS_ORDERED: done = run_ordered(w, op, g, m0); break;
    default: run_register(w, g);
    }
    pthread_mutex_unlock(&pool->gds_lock);
    return done;
}
