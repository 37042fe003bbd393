// SPDX-License-Identifier: MIT
// Operations that are not over. An instruction is issued: its operands are kept, its addresses are found. It
// is performed: it runs on memory with these operands, and its results are kept. It returns: the results are
// written to registers, and its counters count down.
//
// Order: operations of one compute unit that touch the same line are performed in the order of their issue,
// and so are a wave's own in LDS and in scratch; scalar loads know no order. What a load to LDS brings is
// behind what its wave did there before, and in no order with what it does there later (before vmcnt says
// so). Asynchronous copies know no order in LDS, transfers of tensors none but their wave's own. They return
// in the order that their counters have.
#include <stdlib.h>
#include <string.h>

#include "exec/body/steps.h"
#include "base/hash.h"
#include "isa/effect_address.h"
#include "weak/inside.h"

// ---- Issue ----

static uint32_t *lanes_at(struct wave *w, uint32_t offset) { return (uint32_t *)((char *)w->s + offset); }

// The offset of a vector register, or 0 where the wave has none of that number.
uint32_t late_offset(const struct wave *w, unsigned bank, unsigned number) {
    const struct launch *l = w->group->dispatch->launch;
    if (number >= (bank == BANK_ACC ? l->agprs : l->vgprs)) return 0;
    return WAVE_OFFSET(v) + (number + (bank == BANK_ACC ? l->agpr_base : 0)) * w->stride;
}

static bool touch(struct late *l, struct wave *w, const struct effect_range *r) {
    for (unsigned i = 0; i < r->count; i++) {
        const uint32_t offset = late_offset(w, r->bank, r->first + i);
        if (!offset) continue;
        size_t at = 0;
        while (at < l->registers.count && l->registers.items[at].offset != offset) at++;
        if (at == l->registers.count) {
            if (!array_push(&l->registers, (struct touched){.offset = offset})) return false;
            memcpy(l->registers.items[at].issued, lanes_at(w, offset), w->stride);
        }
        struct touched *t = &l->registers.items[at];
        if (r->flags & EFFECT_WRITES) {
            t->writes = true;
            t->bytes |= r->bytes;
            t->of_exec |= (r->flags & EFFECT_EXEC) != 0;
        } else
            t->reads = true;
    }
    return true;
}

static bool find_registers(struct late *l, struct wave *w, const struct effect *e) {
    for (unsigned i = 0; i < e->count; i++) {
        const struct effect_range *r = &e->ranges[i];
        if (r->bank != BANK_SCALAR) {
            if (!touch(l, w, r)) return false;
        } else
            for (unsigned n = r->first; r->flags & EFFECT_WRITES && n < r->first + r->count && n < 128u; n++)
                l->s_writes[n / 64] |= 1ull << n % 64;
    }
    return true;
}

// As it was when the operation was issued.
static uint32_t register_of(void *operation, unsigned code, unsigned lane) {
    const struct late *l = operation;
    if (code < 128) return l->s[code];
    const bool acc = code >= SRC_AGPR0 && !l->w->worker->pool->isa->vgpr_msb;
    const uint32_t offset =
        late_offset(l->w, acc ? BANK_ACC : BANK_VECTOR, code - (acc ? SRC_AGPR0 : SRC_VGPR0));
    for (size_t i = 0; i < l->registers.count && code >= SRC_VGPR0; i++)
        if (l->registers.items[i].offset == offset) return l->registers.items[i].issued[lane];
    return 0;
}

static uint64_t bit_of(uint64_t address) { return 1ull << (hash_number(address / 64) >> 58); }

// Takes note of the bytes [address, address + bytes).
static bool add_bytes(const struct weak *m, struct late *l, uint64_t address, uint64_t bytes, bool writes) {
    for (uint64_t at = host_address(address), end = at + bytes; at < end;) {
        const uint64_t base = at & ~(uint64_t)(m->caches->line - 1);
        size_t i = l->lines.count;
        while (i && l->lines.items[i - 1].address != base) i--; // neighbours mostly have the last one
        if (!i) {
            if (!array_push(&l->lines, (struct touched_line){.address = base})) return false;
            i = l->lines.count;
            l->signature |= bit_of(base);
        }
        struct touched_line *t = &l->lines.items[i - 1];
        for (; at < end && at - base < m->caches->line; at++)
            if (writes) t->written[(at - base) / 64] |= 1ull << (at - base) % 64;
    }
    return true;
}

// The lines of memory that lanes touch.
bool late_find_lines(const struct weak *m, struct late *l) {
    const struct effect *e = &l->effect;
    const struct wave *w = l->w;
    const struct effect_memory *x = &e->memory;
    const uint64_t lanes = x->access & MEMORY_WAVE ? 1 : late_exec(l) & w->all_lanes;
    l->lines.count = 0;
    l->signature = 0;
    l->everywhere = false;
    const bool writes = x->access & MEMORY_WRITES;
    l->lds = x->space == SPACE_LDS || x->access & MEMORY_TO_LDS;
    l->scratch = x->space == SPACE_SCRATCH;
    l->whole_lines = !(x->access & MEMORY_TYPED);
    if (x->space == SPACE_LDS || x->space == SPACE_SCRATCH) return true;
    for (unsigned lane = 0; lane < w->lanes; lane++)
        for (unsigned n = 0; lanes >> lane & 1 && n < x->elements; n++) {
            struct effect_place p;
            if (!effect_address(e, m->pool->options.target.processor, lane, n, register_of, l, &p)) {
                l->everywhere = true;
                return true;
            }
            l->lds |= p.space == SPACE_LDS;
            l->scratch |= p.space == SPACE_SCRATCH || p.any_scratch;
            if (p.space == SPACE_GLOBAL && !p.any_scratch && !add_bytes(m, l, p.address, x->bytes, writes))
                return false;
        }
    return true;
}

// FLAT operations come back in the order of vector memory if no lane is in LDS, and in that of LDS if all
// are: compilers rely on it.
static void sort_flat(const struct weak *m, struct late *l) {
    const bool only_lds = l->lds && !l->scratch && !l->everywhere && !l->lines.count;
    for (unsigned k = 0; k < COUNTERS; k++)
        if (l->raises[k] == COUNT_FLAT && !l->lds && k != m->counters->lds)
            l->raises[k] = COUNT_VECTOR;
        else if (l->raises[k] == COUNT_FLAT && only_lds && k == m->counters->lds)
            l->raises[k] = COUNT_LDS;
}

static void free_late(struct late *l) {
    array_free(&l->registers);
    array_free(&l->lines);
    free(l);
}

// Until the results come, registers hold neither the old value nor the new one.
static void scramble(struct weak *m, struct late *l) {
    struct wave *w = l->w;
    const uint32_t mask = (uint32_t)weak_random(m) | 1;
    for (size_t i = 0; i < l->registers.count; i++) {
        const struct touched *t = &l->registers.items[i];
        for (unsigned lane = 0; t->writes && t->bytes == 15 && lane < w->lanes; lane++)
            if (!t->of_exec || w->exec >> lane & 1) lanes_at(w, t->offset)[lane] ^= mask;
    }
    for (unsigned n = 0; n < 106; n++)
        if (l->s_writes[n / 64] >> n % 64 & 1) w->s[n] ^= mask;
}

bool late_issue(struct weak *m, struct wave *w, const struct op *op, const struct record *r) {
    const struct effect *e = &r->effect;
    struct late *l = calloc(1, sizeof *l);
    if (!l) return false;
    l->w = w;
    l->op = op;
    l->path = weak_path(m, w);
    l->effect = *e;
    l->turn = m->stale.turn;
    l->exposed = r->exposed, l->is = r->is, l->data = r->data;
    memcpy(l->raises, e->raises, sizeof l->raises);
    l->access = e->memory.access;
    l->scalar = e->unit == UNIT_SMEM;
    l->arrives = e->raises[COUNTER_ASYNC] && e->memory.space == SPACE_LDS;
    l->reach = isa_cache_reach(m->pool->isa, &e->memory, w->group->dispatch->launch->descriptor.tg_split);
    l->mode = w->mode, l->lds_limit = w->lds_limit;
    l->mxcsr = w->mxcsr, l->mxcsr64 = w->mxcsr64, l->mixed = w->mixed;
    memcpy(l->s, w->s, sizeof l->s);
    if (!find_registers(l, w, e) || !late_find_lines(m, l) || !array_push(&m->pending[l->path.unit], l)) {
        free_late(l);
        return false;
    }
    sort_flat(m, l);
    if (m->policy.scrambles) scramble(m, l);
    return true;
}

bool late_write_back(struct weak *m, struct wave *w) {
    struct late *l = calloc(1, sizeof *l);
    if (!l) return false;
    l->w = w;
    l->path = weak_path(m, w);
    l->raises[m->counters->stores] = COUNT_VECTOR;
    l->everywhere = true;
    if (array_push(&m->pending[l->path.unit], l)) return true;
    free(l);
    return false;
}

unsigned late_count(const struct weak *m, const struct wave *w, unsigned unit, unsigned counter) {
    unsigned n = 0;
    for (size_t i = 0; i < m->pending[unit].count; i++) {
        const struct late *l = m->pending[unit].items[i];
        n += l->w == w && l->raises[counter];
    }
    return n;
}

static bool is_copy(const struct late *l) { return l->raises[COUNTER_ASYNC] || l->raises[COUNTER_TENSOR]; }

bool late_group_stores(const struct weak *m, const struct wave *w, unsigned unit) {
    for (size_t i = 0; i < m->pending[unit].count; i++) {
        const struct late *l = m->pending[unit].items[i];
        const bool far = l->raises[m->counters->stores] | l->raises[m->counters->loads]; // than LDS
        if (l->w->group == w->group && !l->performed && l->access & MEMORY_WRITES && far) return true;
    }
    return false;
}

// ---- Performing ----

static bool share_a_line(const struct late *a, const struct late *b) {
    if (!(a->signature & b->signature)) return false;
    for (size_t i = 0; i < a->lines.count; i++)
        for (size_t j = 0; j < b->lines.count; j++)
            if (a->lines.items[i].address == b->lines.items[j].address) return true;
    return false;
}

// The order of a wave's operations where one is no access as others are: transfers of tensors are in order
// among themselves; arrivals come behind accesses to LDS, copies to LDS and other arrivals.
static bool copy_goes_first(const struct late *a, const struct late *b) {
    if (a->w != b->w) return false;
    const bool behind = a->raises[COUNTER_ASYNC] & COUNT_VECTOR || (a->lds && !is_copy(a));
    return b->arrives ? behind : a->raises[COUNTER_TENSOR] && b->raises[COUNTER_TENSOR];
}

// Whether a wave's two operations are in order in LDS. Loads to LDS come with vector memory.
static bool in_order_in_lds(const struct late *a, const struct late *b) {
    if (!a->lds || !b->lds || is_copy(a) || is_copy(b)) return false;
    return !(a->access & MEMORY_TO_LDS) || b->access & MEMORY_TO_LDS;
}

// Whether b, which was issued later, cannot be performed before a. Two reads of a line have an order, too:
// what a wave has seen it does not unsee.
static bool goes_first(const struct late *a, const struct late *b) {
    if (a->scalar || b->scalar) return false;
    const bool tensor = a->raises[COUNTER_TENSOR] || b->raises[COUNTER_TENSOR];
    if (tensor || a->arrives || b->arrives) return copy_goes_first(a, b);
    if (a->w == b->w && (in_order_in_lds(a, b) || (a->scratch && b->scratch))) return true;
    if (a->path.number != b->path.number) return false;
    if (a->everywhere || b->everywhere) return !(a->lds && !a->signature) && !(b->lds && !b->signature);
    return share_a_line(a, b);
}

// Notes what memory has in the line, until restore(). False: out of memory.
static bool hold_line(struct weak *m, uint64_t address) {
    for (size_t i = 0; i < m->patched.count; i++)
        if (m->patched.items[i].address == address) return true;
    struct line old = {.address = address};
    memcpy(old.data, (const void *)(uintptr_t)address, m->caches->line);
    return array_push(&m->patched, old);
}
static void restore(struct weak *m) {
    for (size_t i = 0; i < m->patched.count; i++)
        memcpy((void *)(uintptr_t)m->patched.items[i].address, m->patched.items[i].data, m->caches->line);
    m->patched.count = 0;
}

// Puts what waves of this path see into memory, until restore().
static void show_line(struct weak *m, const struct late *l, uint64_t address) {
    const unsigned bytes = m->caches->line;
    const struct path *p = &l->path;
    struct cache *const caches[] = {l->scalar ? p->scalar : p->near, l->scalar ? NULL : p->middle, p->l2};
    const enum cache_reach of[] = {REACH_NEAR, REACH_MIDDLE, REACH_L2};
    uint8_t *memory = (uint8_t *)(uintptr_t)address;
    if (!cache_may(m, address, RIGHT_READ)) return;
    const struct line *from = NULL;
    for (unsigned i = 0; i < 3; i++) {
        if (l->reach > of[i] && caches[i]) cache_drop(m, caches[i], address);
        if (!from) from = cache_find(caches[i], address);
    }
    uint8_t seen[LINE];
    memcpy(seen, from ? from->data : memory, bytes);
    for (unsigned i = 0; i < 3; i++) {
        if (l->reach > of[i] || !caches[i]) continue;
        if (cache_find(caches[i], address)) break;
        memcpy(cache_take(m, caches[i], address)->data, seen, bytes);
    }
    if (memcmp(seen, memory, bytes) && hold_line(m, address)) memcpy(memory, seen, bytes);
}

// Other caches may hold the line as it was before this write, since somebody there read what is beside it.
static void leave_stale(struct weak *m, const struct late *l, struct cache *c, uint64_t address) {
    const struct path *p = &l->path;
    if (c == p->near || c == p->middle || c == p->l2 || cache_find(c, address) || !weak_chance(m, 96)) return;
    memcpy(cache_take(m, c, address)->data, (const void *)(uintptr_t)address, m->caches->line);
}
static void leave_stale_lines(struct weak *m, const struct late *l, uint64_t address) {
    for (unsigned i = 0; i < UNITS * HALVES; i++) leave_stale(m, l, &m->near[i], address);
    for (unsigned i = 0; i < UNITS; i++) leave_stale(m, l, &m->scalar[i], address);
    for (unsigned i = 0; m->caches->middle && i < ARRAYS; i++) leave_stale(m, l, &m->middle[i], address);
    for (unsigned i = 0; m->caches->several_l2 && i < L2S; i++) leave_stale(m, l, &m->l2[i], address);
}

// Runs its ops on the wave as it was when it was issued. Its results are kept.
static void run(struct weak *m, struct late *l) {
    struct wave *w = l->w;
    uint32_t s[128], now[MAX_LANES];
    const uint32_t mode = w->mode, limit = w->lds_limit, status = w->status;
    const uint32_t mxcsr = w->mxcsr, mxcsr64 = w->mxcsr64, mixed = w->mixed;
    const uint64_t pc = w->pc;
    const struct op *resume = w->resume;
    memcpy(s, w->s, sizeof s);
    memcpy(w->s, l->s, sizeof s);
    w->mode = l->mode, w->lds_limit = l->lds_limit;
    w->mxcsr = l->mxcsr, w->mxcsr64 = l->mxcsr64, w->mixed = l->mixed;
    for (size_t i = 0; i < l->registers.count; i++) {
        struct touched *t = &l->registers.items[i];
        memcpy(now, lanes_at(w, t->offset), w->stride);
        memcpy(lanes_at(w, t->offset), t->issued, w->stride);
        memcpy(t->result, now, w->stride);
    }
    m->delivered = l;
    w->status = WAVE_RUNNING;
    wave_load_control(w);
    m->pool->steps->enter(w, l->op);
    m->delivered = NULL;
    const bool faulted = w->status == WAVE_FAULTED;
    for (size_t i = 0; i < l->registers.count; i++) {
        struct touched *t = &l->registers.items[i];
        memcpy(now, t->result, w->stride);
        memcpy(t->result, lanes_at(w, t->offset), w->stride);
        memcpy(lanes_at(w, t->offset), now, w->stride);
    }
    memcpy(l->s_result, w->s, sizeof s);
    memcpy(w->s, s, sizeof s);
    w->mode = mode, w->lds_limit = limit;
    w->mxcsr = mxcsr, w->mxcsr64 = mxcsr64, w->mixed = mixed;
    if (!faulted) w->status = status, w->pc = pc, w->resume = resume;
    wave_load_control(m->current);
}

// Whether what it writes stays in its L2: then memory has the lines as L2 has them, until restore().
static bool begin_in_l2(struct weak *m, const struct late *l) {
    if (!l->path.l2 || l->reach != REACH_L2 || l->everywhere || !l->whole_lines) return false;
    for (size_t i = 0; i < l->lines.count; i++)
        if (!cache_may(m, l->lines.items[i].address, RIGHT_READ | RIGHT_WRITE)) return false;
    for (size_t i = 0; i < l->lines.count; i++) show_line(m, l, l->lines.items[i].address);
    // Two lines of one store may have one place in the cache.
    bool keeps = true;
    for (size_t i = 0; keeps && i < l->lines.count; i++) {
        const uint64_t address = l->lines.items[i].address;
        keeps = cache_find(l->path.l2, address) && hold_line(m, address);
    }
    if (!keeps) restore(m);
    return keeps;
}
static void end_in_l2(struct weak *m, const struct late *l) {
    for (size_t i = 0; i < l->lines.count; i++) {
        const struct touched_line *t = &l->lines.items[i];
        struct line *line = cache_find(l->path.l2, t->address);
        memcpy(line->data, (const void *)(uintptr_t)t->address, m->caches->line);
        line->dirty[0] |= t->written[0], line->dirty[1] |= t->written[1];
    }
    restore(m);
}

static void perform_write(struct weak *m, struct late *l) {
    for (size_t i = 0; i < l->lines.count; i++) {
        const uint64_t address = l->lines.items[i].address;
        if (!cache_may(m, address, RIGHT_READ)) continue;
        for (unsigned n = 0; l->access & MEMORY_ATOMIC && m->caches->several_l2 && n < L2S; n++)
            cache_drop(m, &m->l2[n], address);
        if (m->policy.stale) leave_stale_lines(m, l, address);
        cache_drop(m, l->path.near, address);
        if (l->path.middle) cache_drop(m, l->path.middle, address);
    }
    const bool keeps = begin_in_l2(m, l);
    for (size_t i = 0; !keeps && l->path.l2 && i < l->lines.count; i++)
        cache_drop(m, l->path.l2, l->lines.items[i].address);
    run(m, l);
    if (keeps) end_in_l2(m, l);
}

static void perform(struct weak *m, struct late *l) {
    m->pool->steps->leave();
    l->performed = true;
    if (!l->op) {
        if (l->path.l2) cache_write_back(m, l->path.l2);
        return;
    }
    if (l->everywhere) {
        for (unsigned i = 0; m->caches->several_l2 && i < L2S; i++) {
            cache_write_back(m, &m->l2[i]);
            cache_drop_clean(&m->l2[i]);
        }
        cache_drop_clean(l->path.near);
        if (l->path.middle) cache_drop_clean(l->path.middle);
    }
    if (l->access & MEMORY_WRITES) {
        perform_write(m, l);
        return;
    }
    for (size_t i = 0; i < l->lines.count; i++) show_line(m, l, l->lines.items[i].address);
    run(m, l);
    restore(m);
}

// ---- Returning ----

static bool comes_behind(const struct late *a, const struct late *b) {
    if (a->w != b->w) return false;
    for (unsigned k = 0; k < COUNTERS; k++)
        if (a->raises[k] & b->raises[k] & COUNT_IN_ORDER) return true;
    return false;
}

static void put_results(struct late *l) {
    struct wave *w = l->w;
    const uint64_t exec = late_exec(l);
    for (size_t i = 0; i < l->registers.count; i++) {
        const struct touched *t = &l->registers.items[i];
        uint32_t mask = 0;
        for (unsigned b = 0; b < 4; b++) mask |= t->bytes >> b & 1 ? 0xffu << 8 * b : 0;
        uint32_t *v = lanes_at(w, t->offset);
        for (unsigned lane = 0; t->writes && lane < w->lanes; lane++)
            if (!t->of_exec || exec >> lane & 1)
                v[lane] = (v[lane] & ~mask) | (t->result[lane] & mask);
            else if (t->back >> lane & 1)
                v[lane] = t->issued[lane];
    }
    for (unsigned n = 0; n < 128; n++)
        if (l->s_writes[n / 64] >> n % 64 & 1) w->s[n] = l->s_result[n];
}

// ---- Choosing ----

static bool may_perform(const struct weak *m, unsigned unit, size_t i) {
    struct late *const *all = m->pending[unit].items;
    for (size_t j = 0; j < i; j++)
        if (!all[j]->performed && goes_first(all[j], all[i])) return false;
    return true;
}
static bool may_return(const struct weak *m, unsigned unit, size_t i) {
    struct late *const *all = m->pending[unit].items;
    for (size_t j = 0; j < i; j++)
        if (comes_behind(all[j], all[i])) return false;
    return true;
}

static bool advance(struct weak *m, unsigned unit, size_t i) {
    struct late *l = m->pending[unit].items[i];
    if (!l->performed) {
        if (!may_perform(m, unit, i)) return false;
        perform(m, l);
        return true;
    }
    if (!may_return(m, unit, i)) return false;
    put_results(l);
    memmove(&m->pending[unit].items[i], &m->pending[unit].items[i + 1],
            (--m->pending[unit].count - i) * sizeof l);
    free_late(l);
    return true;
}

bool late_advance(struct weak *m, unsigned unit) {
    enum {
        PATIENCE = 1000
    }; // who begins operations again and again does not keep others from theirs for ever
    const size_t n = m->pending[unit].count;
    if (!n) return false;
    const size_t from = weak_random(m) % n;
    const unsigned order = m->pending[unit].items[0]->passed++ < PATIENCE ? m->policy.order : 1;
    for (size_t i = 0; i < n; i++) {
        const size_t at = order == 1 ? i : order == 2 ? n - 1 - i : (from + i) % n;
        if (advance(m, unit, at)) return true;
    }
    return false;
}

void weak_forget(struct group *g) {
    struct weak *m = g->dispatch->pool->weak;
    m->current = g->waves[0];
    for (unsigned u = 0; u < UNITS; u++) {
        size_t left = 0;
        for (size_t i = 0; i < m->pending[u].count; i++) {
            struct late *l = m->pending[u].items[i];
            if (l->w->group == g)
                free_late(l);
            else
                m->pending[u].items[left++] = l;
        }
        m->pending[u].count = left;
    }
    for (unsigned i = 0; m->caches->several_l2 && i < L2S; i++) cache_write_back(m, &m->l2[i]);
    m->current = NULL;
}
