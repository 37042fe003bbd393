// SPDX-License-Identifier: MIT
// Phis that are not in registers: at the ends of the blocks before them, what they take is brought to their
// places, as if all at once. Part of the pass assign.
#include "compiler/spilling.h"

// One dword to the place of a phi: of a value that has a place, too, or of a value in registers or a
// constant.
struct move {
    uint32_t phi, to;
    ir_ref value;
    uint32_t from; // if the value has a place
    uint16_t n;    // which dword of the value
    bool from_place, done;
};
typedef ARRAY(struct move) moves;

// A place, while the moves of a block are made.
struct slot_use {
    uint32_t reads;  // moves to come that read it
    uint32_t writer; // the move to come that writes it, plus one
    bool is_saved;
    ir_ref saved; // what was in it before
};

static struct slot_use *use_of(const struct spilling *s, uint32_t value, uint32_t slot) {
    const struct spills *all = s->spills;
    if (!is_vector(&s->f->values.items[value]))
        return &s->uses[s->stack + s->accs + slot - (all->lane_dwords - s->scalars)];
    return &s->uses[slot < IN_ACCS ? slot : s->stack + slot - IN_ACCS - (all->accs - s->accs)];
}
static struct slot_use *target(const struct spilling *s, const struct move *m) {
    return use_of(s, m->phi, m->to);
}
static struct slot_use *source(const struct spilling *s, const struct move *m) {
    return use_of(s, ir_index(m->value), m->from);
}

// ---- Which moves ----

static void add(struct spilling *s, moves *all, uint32_t phi, ir_ref value) {
    const struct ir_constant *k = ir_constant_of(s->f, value);
    const unsigned dwords = k && k->poison ? 0 : live_dwords(s->f, phi);
    for (unsigned n = 0; n < dwords; n++) {
        struct move m = {.phi = phi, .to = s->slot[phi] + n, .value = value, .n = (uint16_t)n};
        m.from_place = is_spilled(s, value);
        if (m.from_place) m.from = s->slot[s->whole[ir_index(value)]] + s->offset[ir_index(value)] + n;
        if (m.from_place && source(s, &m) == target(s, &m)) continue;
        if (!array_push(all, m)) compiler_no_memory(s->c);
    }
}

static void collect(struct spilling *s, moves *all, uint32_t block, bool lanes) {
    const struct ir_block *blocks = s->old.blocks.items;
    for (uint32_t e = 0, to; (to = live_way(s->f, &blocks[block], lanes, e)) != NO_VALUE; e++) {
        uint32_t n = 0;
        for (const struct ir_inst *phi;
             (phi = live_next_phi(s->f, s->old.insts.items, &blocks[to], lanes, &n));)
            for (uint32_t o = phi->first_operand; o + 1 < phi->first_operand + phi->operands; o += 2)
                if (s->old.operands.items[o] == ir_make(IR_BLOCK, block) &&
                    s->spills->chosen[phi->first_result])
                    add(s, all, phi->first_result, s->old.operands.items[o + 1]);
    }
}

// ---- Making them ----

static ir_ref from_place(struct spilling *s, const struct move *m) {
    const struct ir_value v = s->f->values.items[ir_index(m->value)];
    const struct slot_use *u = source(s, m);
    return u->is_saved ? u->saved : spill_load(s, &v, m->from);
}

static void make(struct spilling *s, const struct move *m) {
    const struct ir_value phi = s->f->values.items[m->phi];
    const unsigned dwords = live_dwords(s->f, m->phi);
    const bool value = ir_is(m->value, IR_VALUE);
    const bool alike = value && is_vector(&s->f->values.items[ir_index(m->value)]) == is_vector(&phi);
    ir_ref dword = m->from_place ? from_place(s, m)
                   : value       ? spill_dword(s, ir_index(m->value), m->n)
                                 : live_dword_of_constant(s->c, m->value, dwords, m->n);
    if (!alike) dword = spill_as(s, dword, &phi);
    spill_store(s, &phi, dword, m->to);
}

// Makes a move whose target nobody reads any more, then the one that waited for its source, and so on.
static void make_chain(struct spilling *s, moves *all, uint32_t n) {
    struct move *m = &all->items[n];
    while (!m->done && !target(s, m)->reads && !s->c->status && !s->c->m->failed) {
        struct slot_use *u = source(s, m);
        make(s, m);
        m->done = true;
        if (u->is_saved || --u->reads || !u->writer) return;
        m = &all->items[u->writer - 1];
    }
}

// Moves that wait for each other in a circle: one place is saved in a register.
static void make_circle(struct spilling *s, moves *all, uint32_t n) {
    const struct move *m = &all->items[n];
    const struct ir_value phi = s->f->values.items[m->phi];
    if (m->done || s->c->status || s->c->m->failed) return;
    struct slot_use *u = target(s, m);
    u->saved = spill_load(s, &phi, m->to);
    u->is_saved = true;
    u->reads = 0;
    make_chain(s, all, n);
}

void spill_move_phis(struct spilling *s, uint32_t block, bool lanes) {
    moves all = {0};
    collect(s, &all, block, lanes);
    for (uint32_t n = 0; n < all.count; n++) {
        if (!all.items[n].from_place) continue;
        source(s, &all.items[n])->reads++;
        target(s, &all.items[n])->writer = n + 1;
    }
    for (uint32_t n = 0; n < all.count; n++)
        if (all.items[n].from_place) make_chain(s, &all, n);
    for (uint32_t n = 0; n < all.count; n++)
        if (all.items[n].from_place) make_circle(s, &all, n);
    for (uint32_t n = 0; n < all.count && !s->c->status && !s->c->m->failed; n++)
        if (!all.items[n].from_place) make(s, &all.items[n]);
    for (uint32_t n = 0; n < all.count; n++) {
        *target(s, &all.items[n]) = (struct slot_use){0};
        if (all.items[n].from_place) *source(s, &all.items[n]) = (struct slot_use){0};
    }
    array_free(&all);
}

bool spill_prepare_phis(struct spilling *s) {
    s->uses = calloc(s->stack + s->accs + s->scalars + 1, sizeof *s->uses);
    return s->uses != NULL;
}
