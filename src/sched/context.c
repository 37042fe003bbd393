// SPDX-License-Identifier: MIT
// Contexts: the memory that the waves of a work-group live in, with its LDS and scratch. A worker keeps those
// that are idle and uses them again for launches of the same shape, up to a number of bytes.
#include <string.h>
#include <sys/mman.h>

#include "exec/body/body.h"
#include "sched/pool.h"

enum { PAGE = 4096 };
// Bytes of idle contexts that a worker keeps. Each guard page is a mapping, of which a process has only so
// many.
#if defined(SW_GUARD)
#define KEPT_BYTES ((size_t)1 << 20)
#else
#define KEPT_BYTES ((size_t)256 << 20)
#endif

// ---- Layout ----
// Waves follow each other, LDS stands behind the last. In builds for testing registers and LDS end at pages
// without rights, and what nobody may write cannot be written.

static size_t head_bytes(const struct launch *l) {
    return sizeof(struct wave) + (size_t)(l->agpr_base + l->agprs) * 4 * l->lanes;
}
static size_t slack_bytes(const struct launch *l) { return (size_t)VECTOR_TUPLE * 4 * l->lanes; }

#if defined(SW_GUARD)
static size_t wave_room(const struct launch *l) {
    return align_up(head_bytes(l), PAGE) + align_up(slack_bytes(l), PAGE) + PAGE;
}
static size_t lds_room(const struct launch *l) { return align_up(l->lds_size + 16, PAGE) + PAGE; }
static bool same_lds(const struct group *g, const struct launch *l) { return g->lds_capacity == l->lds_size; }
static uint8_t *place_wave(const struct launch *l, uint8_t *at) {
    uint8_t *slack = at + align_up(head_bytes(l), PAGE), *guard = slack + align_up(slack_bytes(l), PAGE);
    mprotect(slack, (size_t)(guard - slack), PROT_READ);
    mprotect(guard, PAGE, PROT_NONE);
    return slack - head_bytes(l);
}
static uint8_t *place_lds(const struct launch *l, uint8_t *at) {
    uint8_t *guard = at + lds_room(l) - PAGE;
    mprotect(guard, PAGE, PROT_NONE);
    return guard - align_up(l->lds_size, 16);
}
static uint32_t lds_capacity(const struct launch *l) { return l->lds_size; }
#else
static size_t wave_room(const struct launch *l) {
    return align_up(head_bytes(l) + slack_bytes(l), PAGE) + 192; // no two waves alias in the cache
}
static size_t lds_room(const struct launch *l) { return align_up(l->lds_size + 64, PAGE); }
static bool same_lds(const struct group *g, const struct launch *l) { return g->lds_capacity >= l->lds_size; }
static uint8_t *place_wave(const struct launch *l, uint8_t *at) {
    (void)l;
    return at;
}
static uint8_t *place_lds(const struct launch *l, uint8_t *at) {
    (void)l;
    return at;
}
static uint32_t lds_capacity(const struct launch *l) { return (uint32_t)lds_room(l) - 64; }
#endif

static uint64_t scratch_of_wave(const struct launch *l) {
    return align_up((uint64_t)l->scratch_bytes * l->lanes, PAGE);
}

static struct wave *make_wave(struct pool *pool, const struct launch *l, uint8_t *at) {
    struct wave *w = (struct wave *)place_wave(l, at);
    w->lanes = l->lanes;
    w->stride = 4 * l->lanes;
    w->end = WAVE_OFFSET(v) + (l->agpr_base + l->agprs + VECTOR_TUPLE) * w->stride;
    w->all_lanes = l->lanes == 64 ? ~0ull : 0xffffffffull;
    w->not_lanes = ~w->all_lanes;
    w->hwregs = pool->hwregs;
    w->machine = pool->machine;
    wave_fill_constants(w);
    return w;
}

static struct group *context_create(struct pool *pool, const struct launch *l) {
    const size_t head = align_up(sizeof(struct group) + l->waves_per_group * sizeof(struct wave *), PAGE);
    const size_t total = head + l->waves_per_group * wave_room(l) + lds_room(l);
    uint8_t *memory =
        mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    struct group *g = (struct group *)memory;
    *g = (struct group){.memory = memory,
                        .memory_bytes = total,
                        .wave_capacity = l->waves_per_group,
                        .lanes = l->lanes,
                        .registers = l->agpr_base + l->agprs,
                        .lds_capacity = lds_capacity(l),
                        .scratch_bytes = scratch_of_wave(l),
                        .waves = (struct wave **)(g + 1)};
    for (uint32_t i = 0; i < l->waves_per_group; i++)
        g->waves[i] = make_wave(pool, l, memory + head + i * wave_room(l));
    g->lds = place_lds(l, memory + head + l->waves_per_group * wave_room(l));
    if (!g->scratch_bytes) return g;
    g->scratch = pool->reserve(pool, g->scratch_bytes * g->wave_capacity);
    if (g->scratch) return g;
    munmap(memory, total);
    return NULL;
}

void context_free(struct pool *pool, struct group *g) {
    if (g->scratch) pool->release(pool, g->scratch);
    munmap(g->memory, g->memory_bytes);
}

// ---- Idle contexts ----

static size_t context_bytes(const struct group *g) {
    return g->memory_bytes + g->scratch_bytes * g->wave_capacity;
}

static bool fits(const struct group *g, const struct launch *l) {
    return g->registers == l->agpr_base + l->agprs && g->lanes == l->lanes &&
           g->wave_capacity >= l->waves_per_group && same_lds(g, l) && g->scratch_bytes >= scratch_of_wave(l);
}

// Scratch is memory that kernels may touch: giving it up waits for all workers, which a worker must not.
static void give_up(struct worker *k, struct group *g) {
    if (!g->scratch) {
        context_free(k->pool, g);
        return;
    }
    struct pool *pool = k->pool;
    pthread_mutex_lock(&pool->lock);
    g->next = pool->retired;
    pool->retired = g;
    pthread_mutex_unlock(&pool->lock);
}

void contexts_collect(struct pool *pool) {
    pthread_mutex_lock(&pool->lock);
    struct group *g = pool->retired;
    pool->retired = NULL;
    pthread_mutex_unlock(&pool->lock);
    while (g) {
        struct group *next = g->next;
        context_free(pool, g);
        g = next;
    }
}

static void keep_at_most(struct worker *k, size_t bytes) {
    while (k->idle && k->idle_bytes > bytes) { // those not used for longest go first
        struct group **at = &k->idle;
        while ((*at)->next) at = &(*at)->next;
        struct group *g = *at;
        *at = NULL;
        k->idle_bytes -= context_bytes(g);
        give_up(k, g);
    }
}

struct group *context_take(struct worker *k, const struct launch *l) {
    for (struct group **at = &k->idle; *at; at = &(*at)->next) {
        struct group *g = *at;
        if (!fits(g, l)) continue;
        *at = g->next;
        k->idle_bytes -= context_bytes(g);
        return g;
    }
    return context_create(k->pool, l);
}

void context_give_back(struct worker *k, struct group *g) {
    g->next = k->idle;
    k->idle = g;
    k->idle_bytes += context_bytes(g);
    if (k->idle_bytes > KEPT_BYTES) keep_at_most(k, KEPT_BYTES);
}
