// SPDX-License-Identifier: MIT
// Matrix operations read what they add to late: the vector unit that writes it too soon has its value added
// instead. The operation is carried out once more then, with its other operands as they were.
#include <string.h>

#include "weak/inside.h"

static uint32_t *lanes_at(struct wave *w, uint32_t offset) { return (uint32_t *)((char *)w->s + offset); }

static unsigned states_of(const struct weak *m, struct matrix_of matrix) {
    return m->rules.matrix[matrix.kind][MATRIX_C_WRITTEN][matrix.passes];
}

static bool is_within(const struct stale_matrix *x, unsigned bank, unsigned number) {
    return bank == x->added.bank && number >= x->added.first && number < x->added.first + x->added.count;
}

static void add_register(struct stale_matrix *x, struct wave *w, uint32_t offset, bool written) {
    unsigned i = 0;
    while (i < x->count && x->registers[i].offset != offset) i++;
    if (i == sizeof x->registers / sizeof *x->registers) return;
    if (i == x->count) {
        x->count++;
        x->registers[i].offset = offset;
        x->registers[i].written = x->registers[i].overwritten = false;
        memcpy(x->registers[i].input, lanes_at(w, offset), w->stride);
    }
    x->registers[i].written |= written;
}

void matrix_issue(struct weak *m, struct wave *w, const struct op *op, const struct record *r) {
    if (!states_of(m, r->matrix)) return;
    struct stale_matrix *x = &m->stale.matrices[m->stale.next_matrix++ % STALE_MATRICES];
    x->op = op;
    x->matrix = r->matrix;
    x->states = 0;
    x->fresh = true;
    x->added = r->added;
    x->count = 0;
    for (unsigned i = 0; i < r->effect.count; i++) {
        const struct effect_range *g = &r->effect.ranges[i];
        for (unsigned n = 0; g->bank != BANK_SCALAR && n < g->count; n++) {
            uint32_t offset;
            if (stale_find(w, g->bank, g->first + n, &offset))
                add_register(x, w, offset, g->flags & EFFECT_WRITES);
        }
    }
}

// Of what the vector unit writes: NULL if the operation does not mind.
static bool hits(const struct weak *m, const struct wave *w, const struct stale_matrix *x,
                 const struct record *r) {
    if (!x->op || !(r->is & IS_VALU) || r->matrix.kind || x->states >= states_of(m, x->matrix)) return false;
    for (unsigned i = 0; i < r->effect.count; i++) {
        const struct effect_range *g = &r->effect.ranges[i];
        for (unsigned n = 0; g->flags & EFFECT_WRITES && g->bank != BANK_SCALAR && n < g->count; n++) {
            uint32_t offset;
            if (!is_within(x, g->bank, g->first + n) || !stale_find(w, g->bank, g->first + n, &offset))
                continue;
            for (unsigned k = 0; k < x->count; k++)
                if (x->registers[k].offset == offset && !x->registers[k].written) return true;
        }
    }
    return false;
}

bool matrix_is_hit(const struct weak *m, const struct wave *w, const struct record *r) {
    for (unsigned i = 0; i < STALE_MATRICES; i++)
        if (hits(m, w, &m->stale.matrices[i], r)) return true;
    return false;
}

// What the instruction has written: results are not the operation's any more, and what it adds to is another.
static void note_written(struct stale_matrix *x, struct wave *w, const struct record *r, bool hit) {
    for (unsigned i = 0; i < r->effect.count; i++) {
        const struct effect_range *g = &r->effect.ranges[i];
        for (unsigned n = 0; g->flags & EFFECT_WRITES && g->bank != BANK_SCALAR && n < g->count; n++) {
            uint32_t offset;
            if (!stale_find(w, g->bank, g->first + n, &offset)) continue;
            for (unsigned k = 0; k < x->count; k++) {
                if (x->registers[k].offset != offset) continue;
                x->registers[k].overwritten = true;
                if (hit && !x->registers[k].written && is_within(x, g->bank, g->first + n))
                    memcpy(x->registers[k].input, lanes_at(w, offset), w->stride);
            }
        }
    }
}

static void carry_out_again(struct weak *m, struct wave *w, struct stale_matrix *x) {
    for (unsigned k = 0; k < x->count; k++) {
        memcpy(x->registers[k].now, lanes_at(w, x->registers[k].offset), w->stride);
        memcpy(lanes_at(w, x->registers[k].offset), x->registers[k].input, w->stride);
    }
    stale_run(m, w, x->op);
    for (unsigned k = 0; k < x->count; k++)
        if (!x->registers[k].written || x->registers[k].overwritten)
            memcpy(lanes_at(w, x->registers[k].offset), x->registers[k].now, w->stride);
}

void matrix_after(struct weak *m, struct wave *w, const struct record *r) {
    for (unsigned i = 0; i < STALE_MATRICES; i++) {
        struct stale_matrix *x = &m->stale.matrices[i];
        const bool itself = x->fresh;
        x->fresh = false;
        if (!x->op || itself) continue;
        const bool hit = hits(m, w, x, r);
        note_written(x, w, r, hit);
        if (hit && w->status == WAVE_RUNNING) carry_out_again(m, w, x);
        x->states = stale_add(x->states, r->states);
        if (x->states >= states_of(m, x->matrix)) x->op = NULL;
    }
}
