// SPDX-License-Identifier: MIT
// Operands of what was issued and is not over: rules of hazards say which of them the hardware has not read
// yet, so that instructions behind change them. They count until some instruction ends them, and while the
// wave has its turn.
#include <string.h>

#include "weak/inside.h"

enum { DENORM_STATES = 3 };

static bool is_exposed(const struct weak *m, const struct wave *w, const struct late *l) {
    return l->w == w && l->op && !l->performed && l->turn == m->stale.turn && l->exposed;
}

bool expose_any(const struct weak *m, const struct wave *w) {
    const unsigned unit = weak_path((struct weak *)m, w).unit;
    for (size_t i = 0; i < m->pending[unit].count; i++)
        if (is_exposed(m, w, m->pending[unit].items[i])) return true;
    return false;
}

// ---- What is changed ----

static bool is_data(const struct late *l, const struct effect_range *g, unsigned number) {
    return g->bank == l->data.bank && number >= l->data.first && number < l->data.first + l->data.count;
}

static unsigned reasons(const struct weak *m, const struct late *l, const struct record *r,
                        const struct effect_range *g, unsigned number) {
    unsigned why = EXPOSED_TO_ALL;
    // LLVM has no wait before an instruction whose destination is not EXEC itself.
    const bool counts = number < SRC_EXEC_LO || !(r->is & NAMES_NO_EXEC);
    if (g->bank == BANK_SCALAR && r->is & IS_SALU && counts) why |= EXPOSED_TO_SALU;
    if (g->bank == BANK_SCALAR && r->is & IS_VALU)
        why |= number < SRC_EXEC_LO ? EXPOSED_TO_VALU : EXPOSED_TO_CMPX;
    if (g->bank != BANK_SCALAR && r->is & IS_VALU && is_data(l, g, number) &&
        l->states < m->rules.stale[WIDE_STORE][VALU_WRITES_VECTOR])
        why |= EXPOSED_DATA;
    return why & l->exposed;
}

static void change(struct late *l, struct wave *w, unsigned bank, unsigned number, bool *scalar) {
    uint32_t offset;
    if (!stale_find(w, bank, number, &offset)) return;
    if (bank == BANK_SCALAR && !(l->s_writes[number / 64] >> number % 64 & 1)) {
        l->s[number] = w->s[number];
        *scalar = true;
    }
    for (size_t i = 0; i < l->registers.count && bank != BANK_SCALAR; i++) {
        struct touched *t = &l->registers.items[i];
        if (t->offset != offset || !t->reads || t->writes) continue;
        memcpy(t->issued, (const char *)w->s + offset, w->stride);
        *scalar = true;
    }
}

static void change_all(const struct weak *m, struct late *l, struct wave *w, const struct record *r) {
    bool moves = false;
    for (unsigned i = 0; i < r->effect.count; i++) {
        const struct effect_range *g = &r->effect.ranges[i];
        for (unsigned n = g->first; g->flags & EFFECT_WRITES && n < (unsigned)g->first + g->count; n++)
            if (reasons(m, l, r, g, n)) change(l, w, g->bank, n, &moves);
    }
    if (r->is & IS_DENORM_MODE && l->exposed & EXPOSED_TO_DENORM_MODE && l->states < DENORM_STATES)
        l->mode = w->mode, l->mxcsr = w->mxcsr, l->mxcsr64 = w->mxcsr64, l->mixed = w->mixed;
    if (moves && !late_find_lines(m, l)) l->everywhere = true;
}

void expose_written(struct weak *m, struct wave *w, const struct record *r) {
    const unsigned unit = weak_path(m, w).unit;
    for (size_t i = 0; i < m->pending[unit].count; i++) {
        struct late *l = m->pending[unit].items[i];
        if (is_exposed(m, w, l)) change_all(m, l, w, r);
    }
}

// ---- What comes to an end, and begins ----

static unsigned ended_by(const struct record *r) {
    unsigned ends = 0;
    if (r->is & IS_VALU) ends |= EXPOSED_TO_SALU | EXPOSED_TO_DENORM_MODE;
    if (r->is & IS_VALU && r->is & WRITES_SCALAR) ends |= EXPOSED_TO_CMPX;
    if (r->is & IS_SALU) ends |= EXPOSED_TO_VALU;
    if (r->is & IS_WAIT) ends |= EXPOSED_TO_DENORM_MODE;
    if (r->is & IS_STORE_WAIT) ends |= EXPOSED_TO_ALL;
    if (r->unit_waits & WAITS_MEMORY_SOURCES) ends |= EXPOSED_TO_SALU | EXPOSED_TO_ALL;
    if (r->unit_waits & WAITS_SALU_SCALAR) ends |= EXPOSED_TO_CMPX;
    return ends;
}

// GFX10.1: of vector memory and LDS with a branch between, the first may find its registers written.
static unsigned meet_behind_branch(struct weak *m, const struct record *r) {
    struct stale *s = &m->stale;
    if (!(m->rules.events & LDS_BRANCH_VMEM)) return 0;
    if (r->is & IS_STORE_WAIT) s->saw_lds = s->saw_vmem = s->lds_branch = s->vmem_branch = false;
    if (r->is & IS_BRANCH) s->lds_branch |= s->saw_lds, s->vmem_branch |= s->saw_vmem;
    s->saw_lds |= (r->is & IS_LDS) != 0;
    s->saw_vmem |= (r->is & IS_VMEM) != 0;
    return (r->is & IS_LDS && s->vmem_branch ? IS_VMEM : 0) | (r->is & IS_VMEM && s->lds_branch ? IS_LDS : 0);
}

void expose_after(struct weak *m, struct wave *w, const struct record *r) {
    const unsigned unit = weak_path(m, w).unit, ends = ended_by(r), all = meet_behind_branch(m, r);
    for (size_t i = 0; i < m->pending[unit].count; i++) {
        struct late *l = m->pending[unit].items[i];
        if (l->w != w || l->turn != m->stale.turn) continue;
        const bool itself = i == m->pending[unit].count - 1 && r->defers && !l->states;
        l->exposed &= (uint8_t)~ends;
        if (l->is & all && !itself) l->exposed |= EXPOSED_TO_ALL;
        if (!itself) l->states = stale_add(l->states, r->states);
    }
}

// ---- Lanes that come back ----

static void hold_lanes(struct late *l, struct wave *w, uint32_t offset, uint64_t lanes) {
    for (size_t i = 0; i < l->registers.count; i++) {
        struct touched *t = &l->registers.items[i];
        if (t->offset != offset || !t->writes || t->reads || !t->of_exec) continue;
        const uint64_t back = lanes & ~late_exec(l) & ~t->back;
        for (unsigned n = 0; n < w->lanes; n++)
            if (back >> n & 1) t->issued[n] = ((const uint32_t *)((const char *)w->s + offset))[n];
        t->back |= back;
    }
}

void expose_lanes(struct weak *m, struct wave *w, const struct record *r) {
    const unsigned unit = weak_path(m, w).unit;
    if (!(m->rules.events & LANES_COME_BACK) || r->defers) return;
    for (unsigned i = 0; i < r->effect.count; i++) {
        const struct effect_range *g = &r->effect.ranges[i];
        if (!(g->flags & EFFECT_WRITES) || g->bank == BANK_SCALAR) continue;
        for (unsigned n = 0; n < g->count; n++) {
            uint32_t offset;
            if (!stale_find(w, g->bank, g->first + n, &offset)) continue;
            for (size_t k = 0; k < m->pending[unit].count; k++) {
                struct late *l = m->pending[unit].items[k];
                if (l->w == w && l->op)
                    hold_lanes(l, w, offset, g->flags & EFFECT_EXEC ? w->exec & w->all_lanes : w->all_lanes);
            }
        }
    }
}
