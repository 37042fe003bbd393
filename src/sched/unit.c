// SPDX-License-Identifier: MIT
// The compute unit of a wave, for kernels that ask (TRAP-388). All waves of a work-group are on one unit.
// Groups go in turn to all units that the dispatch may use. Consecutive numbers lie on different dies, then
// on different shader engines and halves of these, like the bits of a queue's mask.
#include "sched/pool.h"

unsigned place_units(const struct pool *pool, const struct launch *l) {
    const unsigned all = pool_compute_units(pool);
    if (!l->unit_words) return all;
    unsigned count = 0;
    for (unsigned i = 0; i < all && i < 32 * l->unit_words; i++) count += l->unit_mask[i / 32] >> i % 32 & 1;
    return count;
}

static unsigned unit_of(const struct wave *w) {
    const struct group *g = w->group;
    const struct launch *l = g->dispatch->launch;
    unsigned left = (unsigned)(group_number(g) % place_units(w->worker->pool, l)), unit = 0;
    if (!l->unit_words) return left;
    for (;; unit++)
        if (l->unit_mask[unit / 32] >> unit % 32 & 1 && !left--) return unit;
}

static unsigned dies(const struct wave *w) {
    const unsigned n = (unsigned)fact(w->worker->pool->options.target.processor, FACT_xccs);
    return n ? n : 1;
}

uint32_t place_xcc_id(const struct wave *w) { return unit_of(w) % dies(w); }

// Wave 3:0, SIMD 5:4, compute unit 11:8, shader engine 15:13.
uint32_t place_hw_id(const struct wave *w) {
    const struct pool *pool = w->worker->pool;
    const unsigned simds = (unsigned)fact(pool->options.target.processor, FACT_simds_per_cu);
    const unsigned unit = unit_of(w) / dies(w), engines = pool_compute_units(pool) / dies(w) > 64 ? 8 : 4;
    return (w->wave_in_group / simds & 15) | w->wave_in_group % simds << 4 | (unit / engines & 15) << 8 |
           unit % engines << 13;
}

// Wave 4:0, SIMD 9:8, work-group processor 13:10, half of the engine 16, shader engine 20:18. The two units
// of a work-group processor have two of its SIMDs each.
uint32_t place_hw_id1(const struct wave *w) {
    const unsigned unit = unit_of(w), processor = unit / 2, engines = 4, simd = w->wave_in_group % 2;
    return (w->wave_in_group / 2 & 31) | (simd + 2 * (unit % 2)) << 8 | (processor / engines / 2 & 15) << 10 |
           (processor / engines % 2) << 16 | (processor % engines) << 18;
}
