// SPDX-License-Identifier: MIT
// What waves begin with (INIT-01 to INIT-21): work-item ids, SGPRs, the state that a launch leaves them.
#include <stdlib.h>
#include <string.h>

#include "exec/body/body.h"
#include "exec/body/steps.h"
#include "sched/pool.h"

uint64_t launch_ids(const struct launch *l, const uint32_t size[3], uint32_t wave,
                    uint32_t ids[3][MAX_LANES]) {
    uint32_t items = size[0] * size[1] * size[2];
    uint64_t exec = 0;
    for (uint32_t lane = 0; lane < l->lanes; lane++) {
        uint32_t n = wave * l->lanes + lane;
        if (n < items) exec |= 1ull << lane;
        uint32_t x = n % size[0], y = n / size[0] % size[1], z = n / size[0] / size[1] % size[2];
        if (l->packed_ids) {
            unsigned dims = l->descriptor.enable_vgpr_workitem_id;
            ids[0][lane] = x | (dims > 0 ? y << 10 : 0) | (dims > 1 ? z << 20 : 0); // INIT-15
            continue;
        }
        const uint32_t of[3] = {x, y, z};
        for (unsigned i = 0; i < l->id_registers; i++) ids[i][lane] = of[i];
    }
    return exec;
}

// ---- What waves begin with ----

// Private segment buffer: swizzled by dword over the lanes of the wave (CALL-04).
static void put_scratch_descriptor(const struct launch *l, uint64_t scratch, uint32_t *s) {
    s[0] = (uint32_t)scratch;
    s[1] = (uint32_t)(scratch >> 32) | 1u << 31;
    s[2] = l->scratch_bytes * l->lanes;
    s[3] = (l->lanes == 64 ? 3u : 2u) << 21 | 1u << 23;
    if (l->element_sizes) s[3] |= 1u << 19;                                // of 4 bytes
    if (l->gfx10_scratch) s[3] |= 1u << 24 | 2u << 28 | 20u << 12 | 0xfac; // 32_FLOAT, raw bounds
}

static unsigned put64_sgpr(uint32_t *s, unsigned n, uint64_t v) {
    s[n] = (uint32_t)v;
    s[n + 1] = (uint32_t)(v >> 32);
    return n + 2;
}

// SGPRs of any wave, with places for what is its own.
void launch_find_sgprs(struct launch *l) {
    const sw_kernel_descriptor *k = &l->descriptor;
    const sw_dispatch *q = l->dispatch;
    uint32_t *s = l->sgprs;
    unsigned n = 0;
    l->buffer_sgpr = l->scratch_sgpr = l->info_sgpr = l->zero_sgpr = NO_SGPR;
    for (int i = 0; i < 3; i++) l->id_sgpr[i] = NO_SGPR;
    if (k->enable_sgpr_private_segment_buffer) l->buffer_sgpr = (uint8_t)n, n += 4;
    if (k->enable_sgpr_dispatch_ptr) n = put64_sgpr(s, n, l->packet);
    if (k->enable_sgpr_queue_ptr) n = put64_sgpr(s, n, l->queue);
    if (k->enable_sgpr_kernarg_segment_ptr) n = put64_sgpr(s, n, q->kernarg);
    if (k->enable_sgpr_dispatch_id) n = put64_sgpr(s, n, q->dispatch_id);
    // The wave offset below is 0, so that the prolog's sum is the wave's own scratch.
    if (k->enable_sgpr_flat_scratch_init) l->scratch_sgpr = (uint8_t)n, n += 2;
    if (k->enable_sgpr_private_segment_size) s[n++] = l->private_bytes;
    for (unsigned i = 0; i < k->kernarg_preload_length && n < 32; i++) s[n++] = l->preload[i]; // INIT-19
    l->sgpr_count = n;
    if (n < k->user_sgpr_count) n = k->user_sgpr_count;
    if (l->architected_ids) return;
    if (k->enable_sgpr_workgroup_id_x) l->id_sgpr[0] = (uint8_t)n++;
    if (k->enable_sgpr_workgroup_id_y) l->id_sgpr[1] = (uint8_t)n++;
    if (k->enable_sgpr_workgroup_id_z) l->id_sgpr[2] = (uint8_t)n++;
    if (k->enable_sgpr_workgroup_info) l->info_sgpr = (uint8_t)n++;
    if (k->enable_private_segment && !l->architected_scratch) l->zero_sgpr = (uint8_t)n;
}

// ---- One wave ----

enum { TTMP_ID = 108 + 9 };

INLINE void put_own_sgprs(const struct launch *l, const struct group *g, struct wave *w) {
    uint32_t *s = w->s;
    if (l->buffer_sgpr != NO_SGPR) put_scratch_descriptor(l, w->scratch_base, s + l->buffer_sgpr);
    if (l->scratch_sgpr != NO_SGPR) put64_sgpr(s, l->scratch_sgpr, w->scratch_base);
    if (l->architected_ids) {
        s[TTMP_ID] = g->id[0];
        s[108 + 7] = (g->id[1] & 0xffff) | g->id[2] << 16;
        s[108 + 8] = w->wave_in_group << 25 | 1u << 30;
        return;
    }
    for (int i = 0; i < 3; i++)
        if (l->id_sgpr[i] != NO_SGPR) s[l->id_sgpr[i]] = g->id[i];
    if (l->info_sgpr != NO_SGPR)
        s[l->info_sgpr] = (w->wave_in_group == 0 ? 1u << 31 : 0) | w->wave_in_group << 20 | g->wave_count;
    if (l->zero_sgpr != NO_SGPR) s[l->zero_sgpr] = 0;
}

static void init_registers(struct worker *worker, const struct launch *l, struct wave *w) {
    size_t bytes = (size_t)(l->agpr_base + l->agprs) * w->stride;
    switch (worker->pool->options.init) {
    case SW_INIT_ZERO: return; // registers keep what the wave before left, which reads as any value
    case SW_INIT_PATTERN:
        memset(w->s, 0xd5, sizeof w->s);
        memset(w->v, 0xd5, bytes);
        break;
    case SW_INIT_RANDOM: {
        uint64_t x = worker->pool->options.seed * 0x9e3779b97f4a7c15ull + w->group->id[0] * 0x100000001b3ull +
                     w->wave_in_group + 1;
        for (size_t i = 0; i < bytes / 4; i++)
            x = x * 6364136223846793005ull + 1442695040888963407ull, w->v[i] = (uint32_t)(x >> 32);
        for (size_t i = 0; i < 106; i++)
            x = x * 6364136223846793005ull + 1442695040888963407ull, w->s[i] = (uint32_t)(x >> 32);
        break;
    }
    }
}

// What stays the same for all groups of the launch that the context serves.
static void prepare_context(const struct launch *l, struct worker *worker, struct group *g) {
    for (uint32_t i = 0; i < l->waves_per_group; i++) {
        struct wave *w = g->waves[i];
        w->group = g;
        w->wave_in_group = i;
        w->worker = worker;
        w->barrier = &g->barrier;
        w->ranges = worker->ranges;
        w->interrupt = &worker->interrupt;
        w->lds = g->lds;
        w->lds_size = w->lds_limit = l->lds_size;
        w->scratch_size = l->scratch_bytes;
        // A context may have scratch that the launch does not ask for.
        w->scratch_base = l->scratch_bytes ? (uint64_t)(uintptr_t)g->scratch + i * g->scratch_bytes : 0;
        w->status = WAVE_ENDED; // what runs in a wave loop keeps that
    }
    g->prepared = l->number;
    g->image_of = 0;
}

INLINE void begin_wave(const struct launch *l, struct group *g, struct wave *w, uint32_t number,
                       uint32_t (*ids)[MAX_LANES], const struct steps *steps, unsigned sgprs) {
    w->scc = 0;
    w->trap_status = 0;
    w->vcc = 0;
    if (UNLIKELY(w->mode != l->mode) || !w->mxcsr) wave_set_mode(w, l->mode); // as the wave before left it
    w->resume = l->entry;
    w->status = WAVE_RUNNING;
    w->barrier_signalled = 0;
    w->gws_kind = 0;
    w->pc = l->entry_address;
    w->code_base = l->program->base;
    const uint32_t left = g->items - number * l->lanes;
    w->exec = LIKELY(left >= l->lanes) ? w->all_lanes : (1ull << left) - 1;
    steps->begin(w, l->sgprs, sgprs, ids, l->id_registers);
    put_own_sgprs(l, g, w);
}

// SGPRs that nobody sets may have any value, so that whole vectors are copied.
static unsigned sgprs_at_once(const struct launch *l, const struct pool *pool) {
    return pool->options.init == SW_INIT_ZERO ? (l->sgpr_count + 15) & ~15u : l->sgpr_count;
}

void launch_waves(const struct launch *l, struct worker *worker, struct group *g, uint32_t first) {
    const struct pool *pool = worker->pool;
    const unsigned sgprs = sgprs_at_once(l, pool);
    if (UNLIKELY(g->prepared != l->number)) prepare_context(l, worker, g);
    if (first < g->wave_count) g->image_of = 0;
    const struct steps *const steps = pool->steps;
    if (LIKELY(!g->partial && pool->options.init == SW_INIT_ZERO)) {
        for (uint32_t i = first; i < g->wave_count; i++)
            begin_wave(l, g, g->waves[i], i, l->ids[i].lane, steps, sgprs);
        return;
    }
    for (uint32_t i = first; i < g->wave_count; i++) {
        uint32_t partial[3][MAX_LANES];
        if (g->partial) launch_ids(l, g->size, i, partial); // the hardware numbers the work-items that exist
        if (pool->options.init != SW_INIT_ZERO) init_registers(worker, l, g->waves[i]);
        begin_wave(l, g, g->waves[i], i, g->partial ? partial : l->ids[i].lane, steps, sgprs);
    }
}

struct wave *launch_wave(const struct launch *l, struct worker *worker, struct group *g, uint32_t number) {
    const struct pool *pool = worker->pool;
    struct wave *w = g->waves[number];
    if (number + 1 == g->wave_count) g->image_of = 0;
    begin_wave(l, g, w, number, l->ids[number].lane, pool->steps, sgprs_at_once(l, pool));
    return w;
}

uint32_t *launch_image_id(const struct launch *l, struct wave *image) {
    if (l->architected_ids) return &image->s[TTMP_ID];
    return l->id_sgpr[0] != NO_SGPR ? &image->s[l->id_sgpr[0]] : &image->s_beyond[0]; // which nobody reads
}
struct wave *launch_image(const struct launch *l, struct worker *worker, struct group *g) {
    if (UNLIKELY(g->prepared != l->number)) prepare_context(l, worker, g);
    struct wave *w = g->waves[g->wave_count - 1];
    if (g->image_of == l->number)
        put_own_sgprs(l, g, w);
    else {
        launch_wave(l, worker, g, g->wave_count - 1);
        w->status = WAVE_ENDED;
        g->image_of = l->number;
    }
    w->budget = group_quantum(worker);
    return w;
}
