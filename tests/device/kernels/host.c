// SPDX-License-Identifier: MIT
// Work-items as coroutines. Items of a group take turns; an item gives up its turn at a barrier, at an
// exchange across its wave, and when it ends. Groups follow one another unless they shall run together.
#include "host.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK = 128 << 10 };
enum state { READY, AT_BARRIER, AT_EXCHANGE, ENDED };

struct item {
    struct host_item public;
    ucontext_t context;
    enum state state;
    struct wave *wave;
    struct group *group;
};
struct wave {
    uint64_t values[2][64]; // of this exchange and of the one before, which slow items still read
    unsigned turn, live, arrived;
    struct item *items[64];
};
struct group {
    unsigned count, live, arrived;
    struct item *items;
    struct wave *waves;
};

static const struct host_call *current;
static struct item *running;
static ucontext_t scheduler;

const struct host_item *host_item(void) { return &running->public; }
const struct host_call *host_current(void) { return current; }

void host_yield(void) { swapcontext(&running->context, &scheduler); }

static void release_barrier(struct group *g) {
    if (!g->live || g->arrived < g->live) return;
    g->arrived = 0;
    for (unsigned i = 0; i < g->count; i++)
        if (g->items[i].state == AT_BARRIER) g->items[i].state = READY;
}

static void release_exchange(struct wave *w) {
    if (!w->live || w->arrived < w->live) return;
    w->arrived = 0;
    w->turn ^= 1;
    for (unsigned i = 0; i < 64; i++)
        if (w->items[i] && w->items[i]->state == AT_EXCHANGE) w->items[i]->state = READY;
}

void host_barrier(void) {
    struct group *g = running->group;
    running->state = AT_BARRIER;
    g->arrived++;
    release_barrier(g);
    if (running->state == AT_BARRIER) host_yield();
}

const uint64_t *host_exchange(uint64_t value) {
    struct wave *w = running->wave;
    unsigned turn = w->turn;
    if (!w->arrived)
        for (unsigned i = 0; i < 64; i++) w->values[turn][i] = 0;
    w->values[turn][running->public.lane] = value;
    running->state = AT_EXCHANGE;
    w->arrived++;
    release_exchange(w);
    if (running->state == AT_EXCHANGE) host_yield();
    return w->values[turn];
}

uint64_t host_live_lanes(void) {
    uint64_t mask = 0;
    for (unsigned i = 0; i < 64; i++)
        if (running->wave->items[i] && running->wave->items[i]->state != ENDED) mask |= 1ull << i;
    return mask;
}

static void entry(void) {
    const struct host_call *c = current;
    const uint64_t *i = c->integers;
    const double *r = c->reals;
    // Registers are filled in order within each class, whatever the order of the parameters.
    ((void (*)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, double, double, double, double,
               double, double, double, double, uint64_t, uint64_t, uint64_t, uint64_t))c->kernel)(
        i[0], i[1], i[2], i[3], i[4], i[5], r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], i[6], i[7], i[8],
        i[9]);
    struct group *g = running->group;
    struct wave *w = running->wave;
    g->live--, w->live--;
    running->state = ENDED;
    release_barrier(g);
    release_exchange(w);
    host_yield();
}

static void set_up(struct group *g, const struct host_call *c, const uint32_t id[3], char *stacks) {
    uint32_t size[3];
    for (int d = 0; d < 3; d++) {
        uint32_t left = c->grid[d] - id[d] * c->block[d];
        size[d] = left < c->block[d] ? left : c->block[d];
    }
    g->count = g->live = size[0] * size[1] * size[2];
    g->arrived = 0;
    for (unsigned i = 0; i < g->count; i++) {
        struct item *it = &g->items[i];
        uint32_t local[3] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
        for (int d = 0; d < 3; d++)
            it->public.group[d] = id[d], it->public.local[d] = local[d], it->public.size[d] = size[d];
        it->public.index = i;
        it->public.lane = i % c->wave;
        it->group = g;
        it->wave = &g->waves[i / c->wave];
        if (i % c->wave == 0) *it->wave = (struct wave){0};
        it->wave->live++;
        it->wave->items[i % c->wave] = it;
        it->state = READY;
        getcontext(&it->context);
        it->context.uc_stack.ss_sp = stacks + (size_t)i * STACK;
        it->context.uc_stack.ss_size = STACK;
        it->context.uc_link = NULL;
        makecontext(&it->context, entry, 0);
    }
}

// One turn for every item that can go on; whether any could.
static bool turn(struct group *g) {
    bool moved = false;
    for (unsigned i = 0; i < g->count; i++) {
        struct item *it = &g->items[i];
        if (it->state != READY) continue;
        running = it;
        swapcontext(&scheduler, &it->context);
        moved = true;
    }
    return moved;
}

int host_run(const struct host_call *c, int together) {
    uint32_t groups[3];
    for (int d = 0; d < 3; d++) groups[d] = (c->grid[d] + c->block[d] - 1) / c->block[d];
    size_t most = (size_t)c->block[0] * c->block[1] * c->block[2], waves = most / c->wave + 1;
    size_t total = (size_t)groups[0] * groups[1] * groups[2], slots = together ? total : 1;
    char *stacks = mmap(NULL, slots * most * STACK, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct group *all = calloc(slots, sizeof *all);
    int result = stacks == MAP_FAILED || !all ? -1 : 0;
    for (size_t i = 0; !result && i < slots; i++) {
        all[i].items = calloc(most, sizeof(struct item));
        all[i].waves = calloc(waves, sizeof(struct wave));
        if (!all[i].items || !all[i].waves) result = -1;
    }
    current = c;
    size_t next = 0;
    for (uint32_t z = 0; !result && z < groups[2]; z++)
        for (uint32_t y = 0; y < groups[1]; y++)
            for (uint32_t x = 0; x < groups[0]; x++) {
                size_t slot = together ? next++ : 0;
                struct group *g = &all[slot];
                set_up(g, c, (uint32_t[3]){x, y, z}, stacks + slot * most * STACK);
                if (together) continue;
                while (g->live)
                    if (!turn(g)) return -1;
            }
    for (bool live = together && !result; live;) {
        bool moved = false;
        live = false;
        for (size_t i = 0; i < slots; i++) moved |= turn(&all[i]), live |= all[i].live != 0;
        if (live && !moved) return -1;
    }
    for (size_t i = 0; all && i < slots; i++) free(all[i].items), free(all[i].waves);
    free(all);
    if (stacks != MAP_FAILED) munmap(stacks, slots * most * STACK);
    return result;
}
