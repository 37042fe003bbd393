// SPDX-License-Identifier: MIT
// Taking a profile down: a record an instruction, found by its address; what each wave did last, for branches
// and calls.
#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/sized.h"

static size_t slot_of(uint64_t key, size_t slots) { return (size_t)(hash_number(key) >> 32) & (slots - 1); }

// ---- Sites ----

static bool grow(sw_profile *p) {
    const size_t slots = p->slots ? p->slots * 2 : 1024;
    struct site **table = calloc(slots, sizeof *table);
    if (!table) return false;
    for (size_t i = 0; i < p->slots; i++) {
        if (!p->table[i]) continue;
        size_t at = slot_of(p->table[i]->counts.pc, slots);
        while (table[at]) at = (at + 1) & (slots - 1);
        table[at] = p->table[i];
    }
    free(p->table);
    p->table = table;
    p->slots = slots;
    return true;
}

static struct site *make_site(sw_profile *p, const sw_step *step) {
    struct site *s = arena_alloc(&p->arena, sizeof *s);
    if (!s) return NULL;
    *s =
        (struct site){.counts = {.size = sizeof s->counts, .pc = step->pc}, .insn = {.size = sizeof s->insn}};
    sw_insn_facts facts = {.size = sizeof facts};
    p->mode.wave32 = step->lanes == 32, p->mode.vgpr_msb = step->vgpr_msb;
    s->known = sw_insn_decode(&p->mode, step->bytes, SW_INSN_MAX_BYTES, &s->insn) == SW_DECODED;
    if (!s->known) return s;
    sw_insn_get_facts(s->insn.info, &facts);
    s->flags = facts.flags;
    s->access.size = sizeof s->access;
    s->has_access = sw_insn_get_access(&p->mode, &s->insn, &s->access) && !s->access.once;
    return s;
}

static struct site *site_at(sw_profile *p, const sw_step *step) {
    if (p->count * 2 >= p->slots && !grow(p)) return NULL;
    size_t at = slot_of(step->pc, p->slots);
    while (p->table[at] && p->table[at]->counts.pc != step->pc) at = (at + 1) & (p->slots - 1);
    if (!p->table[at] && (p->table[at] = make_site(p, step))) p->count++;
    return p->table[at];
}

// ---- Loops and calls ----

static bool count_loop(sw_profile *p, uint64_t head, uint64_t tail) {
    for (size_t i = 0; i < p->loops.count; i++)
        if (p->loops.items[i].head == head && p->loops.items[i].tail == tail)
            return ++p->loops.items[i].times;
    return array_push(&p->loops, ((struct loop){head, tail, 1}));
}

static bool same_stack(const struct stack *a, const struct stack *b) {
    return a->depth == b->depth && !memcmp(a->calls, b->calls, a->depth * sizeof *a->calls);
}

static uint64_t stack_hash(const struct stack *s, const struct site *site) {
    uint64_t h = site->counts.pc;
    for (unsigned i = 0; i < s->depth; i++) h = h * 0x100000001b3u ^ s->calls[i];
    return h;
}

static bool grow_stacks(sw_profile *p) {
    const size_t slots = p->stack_slots ? p->stack_slots * 2 : 1024;
    uint32_t *table = calloc(slots, sizeof *table);
    if (!table) return false;
    for (size_t i = 0; i < p->stacks.count; i++) {
        const struct stack_count *c = &p->stacks.items[i];
        size_t at = slot_of(stack_hash(&c->stack, c->site), slots);
        while (table[at]) at = (at + 1) & (slots - 1);
        table[at] = (uint32_t)i + 1;
    }
    free(p->stack_table);
    p->stack_table = table;
    p->stack_slots = slots;
    return true;
}

static bool count_stack(sw_profile *p, const struct stack *stack, struct site *site) {
    if (p->stacks.count * 2 >= p->stack_slots && !grow_stacks(p)) return false;
    size_t at = slot_of(stack_hash(stack, site), p->stack_slots);
    for (; p->stack_table[at]; at = (at + 1) & (p->stack_slots - 1)) {
        struct stack_count *c = &p->stacks.items[p->stack_table[at] - 1];
        if (c->site == site && same_stack(&c->stack, stack)) return ++c->executions;
    }
    if (p->stacks.count >= UINT32_MAX || !array_push(&p->stacks, ((struct stack_count){*stack, site, 1})))
        return false;
    p->stack_table[at] = (uint32_t)p->stacks.count;
    return true;
}

static struct wave_track *track(sw_profile *p, const sw_step *step) {
    struct wave_track **bucket = &p->waves[slot_of((uintptr_t)step->state >> 6, WAVE_BUCKETS)], *w = *bucket;
    while (w && w->state != step->state) w = w->next;
    const bool is_new =
        !w || w->wave != step->wave || memcmp(w->group, step->group, sizeof w->group) || !w->last;
    if (!w) {
        w = arena_alloc(&p->arena, sizeof *w);
        if (!w) return NULL;
        *w = (struct wave_track){.state = step->state, .next = *bucket};
        *bucket = w;
    }
    if (is_new) { // the memory of a wave serves one after the other
        memcpy(w->group, step->group, sizeof w->group);
        w->wave = step->wave;
        w->last = NULL;
        w->stack.depth = 0;
        p->waves_seen++;
    }
    return w;
}

// What the wave's last instruction turns out to have done.
static bool follow(sw_profile *p, struct wave_track *w, uint64_t pc) {
    struct site *last = w->last;
    if (!last) return true;
    const uint64_t behind = last->counts.pc + last->insn.length;
    if (pc == behind) return true;
    last->counts.taken++;
    if (w->stack.depth && pc == w->stack.calls[w->stack.depth - 1]) {
        w->stack.depth--;
        return true;
    }
    if (last->flags & SW_INSN_CALL) {
        if (w->stack.depth < MAX_STACK) w->stack.calls[w->stack.depth++] = behind;
        return true;
    }
    return pc > last->counts.pc || !(last->flags & SW_INSN_BRANCH) || count_loop(p, pc, last->counts.pc);
}

// ---- The observer ----

static void stop_clock(sw_profile *p) {
    if (!p->timed) return;
    const uint64_t spent = monotonic_ns() - p->since;
    p->timed->counts.seconds += (double)spent * 1e-9;
    if (spent < p->least) p->least = spent;
}

void sw_profile_step(void *profile, const sw_step *step) {
    sw_profile *p = profile;
    stop_clock(p);
    struct wave_track *w = p->failed ? NULL : track(p, step);
    struct site *s = w ? site_at(p, step) : NULL;
    const bool again =
        s && w->last == s && !(s->flags & SW_INSN_BRANCH); // it waits: at a barrier, for a counter
    if (again) {
        p->timed = NULL;
        return;
    }
    if (s && follow(p, w, step->pc) && count_stack(p, &w->stack, s)) {
        const uint64_t all = step->lanes == 64 ? UINT64_MAX : UINT32_MAX;
        s->counts.executions++;
        s->counts.lanes += (unsigned)__builtin_popcountll(step->exec & all);
        s->counts.partial += (step->exec & all) != all;
        if (s->has_access) memory_count(s, step);
        w->last = s->flags & SW_INSN_TERMINATOR && !(s->flags & SW_INSN_BRANCH) ? NULL : s;
    } else
        p->failed = true;
    p->timed = s;
    p->since = monotonic_ns();
}

// ---- Public ----

sw_status sw_profile_create(const sw_processor *processor, sw_profile **out, const sw_sink *sink) {
    sw_profile *p = *out = calloc(1, sizeof *p);
    if (!p) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    p->mode.size = sizeof p->mode;
    p->least = UINT64_MAX;
    if (sw_isa_mode_init(&p->mode, processor) == SW_OK) return SW_OK;
    free(p);
    *out = NULL;
    return diag_fail(sink, SW_UNSUPPORTED, NULL, "%s has no instructions to profile",
                     processor ? sw_processor_name(processor) : "nothing");
}

void sw_profile_clear(sw_profile *p) {
    free(p->table);
    free(p->stack_table);
    array_free(&p->loops);
    array_free(&p->stacks);
    arena_free(&p->arena);
    *p = (sw_profile){.mode = p->mode, .least = UINT64_MAX};
}

void sw_profile_destroy(sw_profile *p) {
    if (!p) return;
    sw_profile_clear(p);
    free(p);
}

static int by_address(const void *a, const void *b) {
    const struct site *const *x = a, *const *y = b;
    return ((*x)->counts.pc > (*y)->counts.pc) - ((*x)->counts.pc < (*y)->counts.pc);
}

struct site **profile_sorted(const sw_profile *p) {
    struct site **all = malloc((p->count + 1) * sizeof(struct site *));
    size_t n = 0;
    for (size_t i = 0; all && i < p->slots; i++)
        if (p->table[i]) all[n++] = p->table[i];
    if (all) qsort(all, n, sizeof(struct site *), by_address);
    return all;
}

size_t sw_profile_sites(const sw_profile *p, sw_profile_site *out, size_t capacity) {
    const struct sized kind = SIZED(sw_profile_site, taken);
    if (!out || !capacity) return p->count;
    struct site **all = profile_sorted(p);
    if (!all || sized_check(kind, out, NULL)) return free(all), 0;
    for (size_t i = 0; i < p->count && i < capacity; i++) {
        sw_profile_site s = all[i]->counts;
        s.seconds = profile_seconds(p, all[i]);
        sized_put(kind, out, i, &s);
    }
    free(all);
    return p->count;
}
