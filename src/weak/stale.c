// SPDX-License-Identifier: MIT
// Hazards that software has to keep apart (isa/hazards.def): who reads a register too soon behind who wrote
// it gets the register as it was. What instructions of the running wave have written is kept for as long as
// some rule asks; a reader's registers hold the old values while it is carried out. What may change the
// operands of what was issued before is in expose.c and matrix.c. A wave that gives way begins anew, so the
// machine does less than hardware may, never more.
#include <string.h>

#include "exec/body/steps.h"
#include "softwave/device.h"
#include "weak/inside.h"

enum { VCC = 106, SCALARS = 108 }; // registers that programs number, and VCC
// A kind of fault behind those of wave.h, as no body of an instruction has it.
enum { FAULT_HAZARD = SW_FAULT_HAZARD };
enum { NOT, BY_LANE, WHOLLY, IN_PART }; // overwritten
enum { PARTIAL_BETWEEN = 2, PARTIAL_BEHIND = 4, MANY = 9 };

static uint32_t *value_at(struct wave *w, const struct stale_value *v) {
    return (uint32_t *)((char *)w->s + v->offset);
}
static unsigned size_of(const struct wave *w, unsigned bank) { return bank == BANK_SCALAR ? 4 : w->stride; }

bool stale_find(const struct wave *w, unsigned bank, unsigned number, uint32_t *offset) {
    *offset = bank == BANK_SCALAR ? 4 * number : late_offset(w, bank, number);
    return bank == BANK_SCALAR ? number < 128 : *offset != 0;
}

// The registers that an instruction reads, one after the other. Begins with {0}.
struct use_walk {
    const struct stale_use *use; // as what it reads this one
    uint32_t offset;             // in the wave
    unsigned next_use, next_register;
};
static bool walk(const struct wave *w, const struct record *r, struct use_walk *at) {
    while (at->next_use < r->use_count) {
        at->use = &r->uses[at->next_use];
        if (at->next_register == at->use->count) {
            at->next_use++, at->next_register = 0;
            continue;
        }
        const unsigned number = at->use->first + at->next_register++;
        if (stale_find(w, at->use->bank, number, &at->offset)) return true;
    }
    return false;
}

// ---- Rules ----

static unsigned distance(const uint8_t rules[HAZARD_FIRSTS][HAZARD_SECONDS], uint32_t firsts,
                         uint32_t seconds) {
    unsigned most = 0;
    for (unsigned f = 0; f < HAZARD_FIRSTS; f++)
        for (unsigned s = 0; firsts >> f & 1 && s < HAZARD_SECONDS; s++)
            if (seconds >> s & 1 && rules[f][s] > most) most = rules[f][s];
    return most;
}
static bool has_rule(const struct weak *m, uint32_t firsts) {
    return distance(m->rules.stale, firsts, ~0u) || distance(m->rules.soon, firsts, ~0u) ||
           distance(m->rules.undefined, firsts, ~0u);
}
static bool forwards(const struct weak *m, const struct wave *w) {
    return m->rules.events & EXEC_BETWEEN_WRITES && w->lanes == 64;
}
// Reads of scalar registers by the vector unit have to do with who writes them later: of masks alone, or of
// all of an even pair.
static bool reads_count(const struct weak *m, const struct wave *w) {
    return m->rules.events & SCALAR_READ_THEN_WRITTEN ||
           (m->rules.events & MASK_READ_THEN_WRITTEN && w->lanes == 64);
}

static unsigned matrix_states(const struct weak *m, const struct stale_value *v, const struct record *r,
                              const struct stale_use *u) {
    unsigned use = u->matrix - 1u;
    if (use == MATRIX_TO_SAME_C) {
        const bool same = u->bank == v->bank && u->first == v->first && u->count == v->count;
        if (same && r->matrix.passes != v->matrix.passes) return 0; // what manuals and compilers say differs
        if (!same)
            use = r->matrix.kind == MATRIX_XDL   ? MATRIX_TO_XDL_C
                  : r->matrix.kind == MATRIX_F32 ? MATRIX_TO_F32_C
                                                 : MATRIX_TO_F64_C;
    }
    return m->rules.matrix[v->matrix.kind][use][v->matrix.passes];
}

// A transcendental result is there behind another two transcendental instructions.
static bool comes_soon(const struct weak *m, const struct stale_value *v, uint32_t seconds) {
    const uint32_t firsts =
        v->forwarded || v->transcendental >= 2 ? v->firsts & ~(1u << TRANS_VECTOR) : v->firsts;
    return distance(m->rules.soon, firsts, seconds) > v->vector;
}
static bool awaits(const struct weak *m, const struct stale_value *v, const struct record *r) {
    if (v->by == IS_SALU) return r->is & (IS_VALU | IS_SALU) && v->scalar < m->rules.salu_states;
    return v->by == IS_VALU &&
           r->is & (m->rules.events & MASK_READ_THEN_WRITTEN ? IS_VALU | IS_SALU : IS_VALU);
}
static bool is_too_soon(const struct weak *m, const struct stale_value *v, const struct record *r,
                        const struct stale_use *u) {
    return distance(m->rules.stale, v->firsts, u->seconds) > v->states || comes_soon(m, v, u->seconds) ||
           (v->matrix.kind && u->matrix && matrix_states(m, v, r, u) > v->states) ||
           (u->seconds >> UNIT_READS_SCALAR & 1 && awaits(m, v, r));
}

// Why nobody knows what the instruction does; NULL: it is known.
static const char *undefined(const struct weak *m, struct wave *w, const struct record *r) {
    if (r->is & IS_ASTRAY) return "a branch over 63 words goes astray";
    if (r->is & IS_DEALLOC && m->rules.events & DEALLOC_BEHIND_NOP && m->stale.knows_last &&
        !m->stale.last_was_nop)
        return "there is no s_nop before registers are given back";
    for (struct use_walk at = {0}; walk(w, r, &at);)
        for (size_t k = 0; k < m->stale.count; k++) {
            const struct stale_value *v = &m->stale.values[k];
            if (v->offset == at.offset &&
                distance(m->rules.undefined, v->firsts, at.use->seconds) > v->states)
                return "EXEC was written too soon before";
        }
    return NULL;
}

// ---- Values that registers had ----

static void drop(struct stale *s, size_t i) { s->values[i] = s->values[--s->count]; }

static void overwrite(struct stale_value *v, const struct effect_range *g) {
    const bool unclear = g->flags & EFFECT_MAY || (g->bank != BANK_SCALAR && g->bytes != 15);
    const uint8_t how = unclear ? IN_PART : g->flags & EFFECT_EXEC ? BY_LANE : WHOLLY;
    if (v->overwritten < how) v->overwritten = how;
}

// Results of matrix operations come behind what the vector unit writes too soon.
static bool is_undone(const struct weak *m, const struct stale_value *v, const struct record *r) {
    const bool other = r->is & IS_VALU && !r->matrix.kind && !(r->is & (IS_WMMA | IS_DOT));
    if (!other) return false;
    return distance(m->rules.stale, v->firsts & ~(1u << WIDE_STORE), 1u << VALU_WRITES_VECTOR) > v->states ||
           comes_soon(m, v, 1u << VALU_WRITES_VECTOR) ||
           (v->matrix.kind &&
            m->rules.matrix[v->matrix.kind][MATRIX_OVERWRITTEN][v->matrix.passes] > v->states);
}

static uint32_t firsts_of(const struct weak *m, const struct record *r, unsigned bank, unsigned number) {
    if (bank == BANK_VECTOR) return r->vector_writes;
    if (bank == BANK_ACC) return r->acc_writes;
    return number == m->pool->isa->m0_register ? r->scalar_writes : r->scalar_writes & ~(1u << SALU_M0);
}

// By whom a scalar register is written that the vector unit has read; 0: it has not.
static uint8_t written_by(const struct weak *m, const struct wave *w, const struct record *r, unsigned bank,
                          unsigned number) {
    if (bank != BANK_SCALAR || number >= SCALARS || !m->stale.read[number] || !reads_count(m, w)) return 0;
    return r->is & IS_SALU ? IS_SALU : r->is & IS_VALU ? (uint8_t)IS_VALU : 0;
}

// What the instruction is about to write, as it is.
static unsigned keep(struct weak *m, struct wave *w, const struct record *r, bool *undoes) {
    const struct effect *e = &r->effect;
    unsigned count = 0;
    for (unsigned i = 0; i < e->count; i++) {
        const struct effect_range *g = &e->ranges[i];
        for (unsigned n = 0; g->flags & EFFECT_WRITES && n < g->count; n++) {
            const unsigned number = g->first + n;
            uint32_t offset;
            const uint32_t firsts = firsts_of(m, r, g->bank, number);
            if (!stale_find(w, g->bank, number, &offset)) continue;
            for (size_t k = m->stale.count; k--;) {
                struct stale_value *v = &m->stale.values[k];
                if (v->offset != offset) continue;
                overwrite(v, g);
                v->undone = is_undone(m, v, r);
                *undoes |= v->undone;
            }
            const bool vector = g->bank == BANK_VECTOR && r->is & IS_VALU && forwards(m, w);
            const uint8_t by = written_by(m, w, r, g->bank, number);
            if ((!has_rule(m, firsts) && !vector && !by && !r->matrix.kind) || count == STALE_NEW) continue;
            struct stale_value *v = &m->stale.news[count++];
            *v = (struct stale_value){.offset = offset,
                                      .firsts = firsts,
                                      .bytes = size_of(w, g->bank),
                                      .by = by,
                                      .matrix = r->matrix,
                                      .bank = g->bank,
                                      .first = g->first,
                                      .count = g->count,
                                      .execs = m->stale.execs,
                                      .exec = w->exec};
            memcpy(v->was, value_at(w, v), v->bytes);
        }
    }
    return count;
}

static void show(struct wave *w, struct stale_value *v, uint64_t lanes) {
    memcpy(v->is, value_at(w, v), v->bytes);
    for (unsigned i = 0; i < v->bytes / 4; i++)
        if (lanes >> i & 1) value_at(w, v)[i] = v->was[i];
    v->lanes = lanes;
    v->shown = true;
}

static struct stale_value *value_of(struct weak *m, uint32_t offset) {
    for (size_t k = m->stale.count; k--;)
        if (m->stale.values[k].offset == offset && m->stale.values[k].overwritten != IN_PART)
            return &m->stale.values[k];
    return NULL;
}

// Of two registers, written before and behind a write of EXEC by the scalar unit, that are read together, one
// is passed on in lanes of the other.
static bool exchange_parts(struct weak *m, struct wave *w, const struct record *r) {
    struct stale_value *read[48];
    unsigned count = 0;
    bool any = false;
    for (struct use_walk at = {0}; walk(w, r, &at);) {
        struct stale_value *v = at.use->bank == BANK_VECTOR ? value_of(m, at.offset) : NULL;
        if (v && !v->forwarded && !v->shown && count < 48) read[count++] = v;
    }
    for (unsigned a = 0; a < count; a++)
        for (unsigned b = 0; b < count; b++) {
            struct stale_value *x = read[a], *y = read[b];
            if (x->execs >= y->execs || x->shown || y->shown || y->vector > PARTIAL_BEHIND ||
                x->vector > y->vector + 1u + PARTIAL_BETWEEN)
                continue;
            const uint64_t lost = x->exec & ~y->exec;
            if (lost)
                show(w, x, lost);
            else
                show(w, y, y->exec & ~x->exec);
            any = true;
        }
    return any;
}

// Exchanges what a register holds for what it held. True if a register that is read too soon is there.
static bool exchange(struct weak *m, struct wave *w, const struct record *r) {
    bool any = false;
    for (struct use_walk at = {0}; walk(w, r, &at);)
        for (size_t k = 0; k < m->stale.count; k++) {
            struct stale_value *v = &m->stale.values[k];
            if (v->offset != at.offset || v->shown || v->overwritten == IN_PART ||
                !is_too_soon(m, v, r, at.use))
                continue;
            show(w, v, ~0ull);
            any = true;
        }
    if (r->is & IS_VALU && forwards(m, w)) any |= exchange_parts(m, w, r);
    return any;
}

// Gives registers back what they hold, but what the instruction has written meanwhile, in these lanes.
static void restore(struct weak *m, struct wave *w, bool done, uint64_t exec) {
    for (size_t k = 0; k < m->stale.count; k++) {
        struct stale_value *v = &m->stale.values[k];
        for (unsigned i = 0; v->shown && i < v->bytes / 4; i++) {
            const bool written = v->overwritten == WHOLLY || (v->overwritten == BY_LANE && exec >> i & 1);
            if (v->lanes >> i & 1 && (!done || !written)) value_at(w, v)[i] = v->is[i];
        }
        v->shown = false;
    }
}

// What was written in vain: `is` has what the register held before.
static void hold_undone(struct weak *m, struct wave *w) {
    for (size_t k = 0; k < m->stale.count; k++) {
        struct stale_value *v = &m->stale.values[k];
        if (v->undone && !v->shown) memcpy(v->is, value_at(w, v), v->bytes);
    }
}
static void undo(struct weak *m, struct wave *w) {
    for (size_t k = 0; k < m->stale.count; k++) {
        struct stale_value *v = &m->stale.values[k];
        if (v->undone) memcpy(value_at(w, v), v->is, v->bytes);
        if (v->undone) v->overwritten = NOT; // the older result is still the newest
        v->undone = false;
    }
}

void stale_run(struct weak *m, struct wave *w, const struct op *op) {
    struct late l = {.w = w, .op = op};
    const uint64_t pc = w->pc;
    const struct op *resume = w->resume;
    m->pool->steps->leave();
    m->delivered = &l;
    wave_load_control(w);
    m->pool->steps->enter(w, op);
    m->delivered = NULL;
    if (w->status != WAVE_FAULTED) w->pc = pc, w->resume = resume;
    wave_load_control(w);
}

// ---- Time ----

// Instructions that the reader need not fear any more.
static void end_waited(struct weak *m, const struct record *r, struct stale_value *v) {
    const bool memory = r->is & (IS_VMEM | IS_FLAT | IS_LDS | IS_SMEM);
    const bool vcc = v->offset >= 4 * VCC && v->offset < 4 * SCALARS;
    if ((r->is & (IS_VMEM | IS_FLAT | IS_LDS)) || v->vector >= r->vector_wait) v->forwarded = true;
    const bool all = m->rules.events & SCALAR_READ_THEN_WRITTEN && memory;
    if (v->by == IS_SALU && (all || r->unit_waits & WAITS_SALU_SCALAR)) v->by = 0;
    if (v->by == IS_VALU && (all || r->unit_waits & (vcc ? WAITS_VALU_VCC : WAITS_VALU_SCALAR))) v->by = 0;
    if (v->by != IS_VALU || !(r->is & IS_SALU) || !(m->rules.events & SCALAR_READ_THEN_WRITTEN)) return;
    for (unsigned i = 0; i < r->effect.count; i++) { // the scalar unit waits for the other one
        const struct effect_range *g = &r->effect.ranges[i];
        if (g->bank == BANK_SCALAR && !(g->flags & EFFECT_WRITES) && g->first < SCALARS &&
            (g->first >= VCC) == vcc)
            v->by = 0;
    }
}

// A jump to an address in registers fetches instructions anew, which takes longer than results that are
// counted in instructions. What nothing but a wait ends is still there: LLVM waits for scalar registers of
// GFX12 before calls.
static void end_at_jump(const struct weak *m, struct stale_value *v) {
    v->forwarded = true;
    v->vector = MANY;
    if (!(m->rules.events & SCALAR_READ_THEN_WRITTEN)) v->by = 0;
}

static void age(struct weak *m, const struct record *r) {
    struct stale *s = &m->stale;
    for (size_t k = s->count; k--;) {
        struct stale_value *v = &s->values[k];
        end_waited(m, r, v);
        if (r->is & IS_JUMP) end_at_jump(m, v);
        v->states = stale_add(v->states, r->states);
        if (r->is & IS_VALU) v->vector = stale_add(v->vector, 1);
        if (r->is & IS_VALU && r->is & IS_TRANS) v->transcendental = stale_add(v->transcendental, 1);
        if (r->is & IS_SALU) v->scalar = stale_add(v->scalar, 1);
        if (v->by == IS_SALU && v->scalar >= m->rules.salu_states) v->by = 0;
        const bool over = v->states > HAZARD_MOST_STATES && v->vector >= MANY && !v->by;
        if (v->overwritten || over) drop(s, k);
    }
}

static void keep_new(struct stale *s, unsigned count) {
    for (unsigned k = 0; k < count; k++) {
        size_t at = s->count < STALE_VALUES ? s->count++ : 0;
        for (size_t i = 1; at == 0 && s->count == STALE_VALUES && i < STALE_VALUES; i++)
            if (s->values[i].states > s->values[at].states) at = i;
        s->values[at] = s->news[k];
    }
}

// Scalar registers that the vector unit reads.
static void note_reads(struct weak *m, const struct wave *w, const struct record *r) {
    struct stale *s = &m->stale;
    const bool masks = !(m->rules.events & SCALAR_READ_THEN_WRITTEN);
    if (masks &&
        (r->is & IS_JUMP || r->unit_waits & (WAITS_VALU_SCALAR | WAITS_VALU_VCC | WAITS_SALU_SCALAR)))
        memset(s->read, 0, sizeof s->read);
    if (!(r->is & IS_VALU) || !reads_count(m, w)) return;
    bool others = r->is & HAS_LITERAL;
    for (unsigned i = 0; i < r->effect.count; i++) {
        const struct effect_range *g = &r->effect.ranges[i];
        if (g->bank == BANK_SCALAR && !(g->flags & (EFFECT_WRITES | EFFECT_OWN_LANE)) && g->first < SCALARS)
            others = true;
    }
    if (masks && others) memset(s->read, 0, sizeof s->read);
    for (unsigned i = 0; i < r->effect.count; i++) {
        const struct effect_range *g = &r->effect.ranges[i];
        if (g->bank != BANK_SCALAR || g->flags & EFFECT_WRITES || (masks && !(g->flags & EFFECT_OWN_LANE)))
            continue;
        for (unsigned n = g->first; n < g->first + g->count && n < SCALARS; n++)
            s->read[n] = s->read[masks ? n : n ^ 1] = true;
    }
}

void stale_forget(struct weak *m) {
    struct stale *s = &m->stale;
    s->count = 0;
    s->turn++;
    s->knows_last = s->saw_lds = s->saw_vmem = s->lds_branch = s->vmem_branch = false;
    memset(s->read, 0, sizeof s->read);
    for (unsigned i = 0; i < STALE_MATRICES; i++) s->matrices[i].op = NULL;
}

const struct op *stale_carry_out(struct weak *m, struct wave *w, const struct op *op, const struct record *r,
                                 const struct op *behind) {
    struct stale *s = &m->stale;
    const char *why = undefined(m, w, r);
    if (why) return w->machine->fault(w, op, (enum fault_kind)FAULT_HAZARD, -1, 0, why);
    s->indexed |= r->indexes;
    if (r->forgets || s->indexed) {
        stale_forget(m);
        return r->defers && late_issue(m, w, op, r) ? behind : op;
    }
    bool undoes = false;
    const unsigned count = keep(m, w, r, &undoes);
    const bool early = exchange(m, w, r);
    const uint64_t exec = w->exec;
    expose_lanes(m, w, r);
    const bool late = r->defers && late_issue(m, w, op, r);
    const bool next = r->effect.control == CONTROL_NEXT;
    const bool hit = !late && matrix_is_hit(m, w, r), exposes = !late && next && expose_any(m, w);
    const bool now = !late && next && (early || undoes || hit || exposes);
    if (undoes) hold_undone(m, w);
    if (!late && r->matrix.kind) matrix_issue(m, w, op, r);
    if (now) stale_run(m, w, op);
    if (early) restore(m, w, now, exec);
    if (undoes) undo(m, w);
    if (!late) matrix_after(m, w, r);
    if (exposes) expose_written(m, w, r);
    expose_after(m, w, r);
    note_reads(m, w, r);
    age(m, r);
    keep_new(s, count);
    if (r->is & IS_SALU && r->is & WRITES_EXEC) s->execs++;
    s->knows_last = true, s->last_was_nop = r->is & IS_NOP;
    if (now && w->status != WAVE_RUNNING) return NULL;
    return now || late ? behind : op;
}
