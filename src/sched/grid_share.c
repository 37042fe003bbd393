// SPDX-License-Identifier: MIT
// Dispatches that run a share of their grid: telling a listener of atomic operations, and refusing what would
// need work-groups that run elsewhere.
//
// A wave that waits for a flag of another share would spin for ever. It is found because nothing changes: at
// its back-edges its registers and the LDS of its group are the same as some time ago. If that holds for all
// groups in flight, and none begins or ends, nothing can change any more. A wave that counts its rounds or
// reads the time is not found; it ends by a timeout.
#include <string.h>

#include "base/clock.h"
#include "exec/machine.h"
#include "sched/pool.h"

// ---- Atomic operations ----

// SW_ATOMIC_ORDERED where nothing is said. Increment and decrement are looked at one by one.
#define BOTH(name, what) [ATOMIC_##name##32] = SW_ATOMIC_##what, [ATOMIC_##name##64] = SW_ATOMIC_##what
static const uint8_t kinds[256] = {
    BOTH(add_u, ADD),          BOTH(sub_u, ADD),        BOTH(inc_u, ADD),          BOTH(dec_u, ADD),
    BOTH(and_b, AND),          BOTH(or_b, OR),          BOTH(xor_b, XOR),          BOTH(min_i, MIN_SIGNED),
    BOTH(min_u, MIN_UNSIGNED), BOTH(max_i, MAX_SIGNED), BOTH(max_u, MAX_UNSIGNED),
};
#undef BOTH

static bool is_wide(unsigned operation) {
    static const uint8_t bytes[256] = {
#define ATOMIC(name, size, traits) [ATOMIC_##name] = size,
#include "isa/atomics.def"
#undef ATOMIC
    };
    return bytes[operation] == 8;
}

static bool wraps_early(unsigned operation) {
    return operation == ATOMIC_inc_u32 || operation == ATOMIC_inc_u64 || operation == ATOMIC_dec_u32 ||
           operation == ATOMIC_dec_u64;
}

static void tell(const sw_dispatch *q, sw_atomic_event *e, sw_atomic_kind kind, uint64_t lanes) {
    e->kind = kind;
    e->lanes = lanes;
    if (lanes) q->atomic(q->atomic_context, e);
}

void share_tell_atomic(struct wave *w, unsigned operation, bool returns, const uint64_t *at,
                       const uint64_t *src, uint64_t m) {
    const sw_dispatch *q = w->group->dispatch->launch->dispatch;
    if (!q->atomic) return;
    const bool wide = is_wide(operation);
    const uint64_t most = wide ? UINT64_MAX : UINT32_MAX;
    sw_atomic_event e = {.size = sizeof e, .bytes = wide ? 8 : 4, .addresses = at};
    const sw_atomic_kind kind = returns ? SW_ATOMIC_ORDERED : (sw_atomic_kind)kinds[operation];
    uint64_t ordered = 0; // lanes whose limit lies within the range
    if (kind == SW_ATOMIC_ADD && wraps_early(operation))
        for (uint64_t left = m; left; left &= left - 1) {
            const unsigned l = (unsigned)__builtin_ctzll(left);
            if ((src[l] & most) != most) ordered |= 1ull << l;
        }
    tell(q, &e, kind, m & ~ordered);
    tell(q, &e, SW_ATOMIC_ORDERED, ordered);
}

// ---- Other shares ----

bool share_allows_gws(struct wave *w, const struct op *op) {
    if (!w->group->dispatch->share.is_one) return true;
    wave_fault_because(
        w, op, FAULT_UNSUPPORTED, -1, 0,
        "global wave sync and data share reach the work-groups of other shares, which run elsewhere");
    return false;
}

static void add(uint64_t *number, uint64_t change, struct grid_share *s) {
    __atomic_add_fetch(number, change, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&s->changes, 1, __ATOMIC_SEQ_CST);
}

// Whether nothing changes in the group any more. That something does again is news to others.
static void count_as(struct group *g, bool still) {
    struct grid_share *s = &g->dispatch->share;
    if (g->standstill.counted && !still) __atomic_add_fetch(&s->changes, 1, __ATOMIC_SEQ_CST);
    g->standstill.counted = still;
}

// Counts the group among those that have looked often enough since the last change, and returns how many
// there are: a worker that the host has kept from running has not looked.
static uint64_t agree(struct grid_share *s, uint64_t changes) {
    const uint64_t now = changes << 32;
    uint64_t old = __atomic_load_n(&s->agreed, __ATOMIC_SEQ_CST), new;
    do new = (old >> 32 << 32 == now ? old : now) + 1;
    while (!__atomic_compare_exchange_n(&s->agreed, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return (uint32_t) new;
}

void share_begin(struct group *g) {
    struct grid_share *s = &g->dispatch->share;
    if (!s->is_one) return;
    g->standstill = (struct standstill){.looked = 0};
    add(&s->live, 1, s);
}

void share_end(struct group *g) {
    struct grid_share *s = &g->dispatch->share;
    if (!s->is_one) return;
    count_as(g, false);
    add(&s->live, (uint64_t)-1, s);
}

static uint64_t mix(uint64_t h, const void *from, size_t bytes) {
    const uint8_t *p = from;
    for (; bytes >= 8; p += 8, bytes -= 8) h = (h ^ rd64(p)) * 0xff51afd7ed558ccdull, h ^= h >> 32;
    for (; bytes; p++, bytes--) h = (h ^ *p) * 0xff51afd7ed558ccdull;
    return h;
}

// Registers of its waves, where they are, and LDS.
static uint64_t state_of(const struct group *g) {
    uint64_t h = mix(1, g->lds, g->dispatch->launch->lds_size);
    for (uint32_t i = 0; i < g->wave_count; i++) {
        const struct wave *w = g->waves[i];
        h = mix(h, &w->status, sizeof w->status);
        if (w->status == WAVE_ENDED) continue;
        h = mix(h, &w->pc, sizeof w->pc);
        h = mix(h, w->s, sizeof w->s);
        h = mix(h, &w->scc, sizeof w->scc);
        h = mix(h, w->v, (size_t)(w->end - WAVE_OFFSET(v)));
    }
    return h;
}

enum { LOOK_NS = 50000000, SAME_LOOKS = 6 };

bool share_waits_for_others(struct group *g) {
    struct grid_share *s = &g->dispatch->share;
    struct standstill *t = &g->standstill;
    const uint64_t now = monotonic_ns();
    if (now - t->looked < LOOK_NS) return false;
    const uint64_t state = state_of(g), changes = __atomic_load_n(&s->changes, __ATOMIC_SEQ_CST);
    const bool same = t->looked && state == t->state;
    const bool calm = same && changes == t->changes;
    count_as(g, same);
    t->same = calm ? t->same + 1 : 0;
    t->looked = now;
    t->state = state;
    t->changes = __atomic_load_n(&s->changes, __ATOMIC_SEQ_CST);
    return t->same == SAME_LOOKS && t->changes == changes &&
           agree(s, changes) == __atomic_load_n(&s->live, __ATOMIC_SEQ_CST);
}

void share_fault(struct group *g) {
    uint32_t i = 0;
    while (i + 1 < g->wave_count && g->waves[i]->status == WAVE_ENDED) i++;
    wave_fault_because(g->waves[i], NULL, FAULT_UNSUPPORTED, -1, 0,
                       "all work-groups of this share wait in loops in which nothing changes any more: what "
                       "they wait for must come from another share");
}
