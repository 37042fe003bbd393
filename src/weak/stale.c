// SPDX-License-Identifier: MIT
// Hazards that software has to keep apart (STALE of isa/hazards.def): who reads a register too soon behind
// who wrote it gets the register as it was. What instructions of the running wave have written is kept for as
// many wait states as some rule has; a reader's registers hold the old values while it is carried out. A wave
// that gives way begins anew, so the machine does less than hardware may, never more.
#include <string.h>

#include "exec/body/steps.h"
#include "weak/inside.h"

enum { VCC = 106, ANY = 0xffff };
enum { NOT, BY_LANE, WHOLLY, IN_PART }; // overwritten

// ---- What an instruction is to the rules ----

static bool is_named(const struct row *row, const char *beginning) {
    return !strncmp(row_id(row), beginning, strlen(beginning));
}
static bool is_matrix(const struct insn *in) {
    return in->format->id == FMT_MAI && in->row->class != CLASS_ACC_MOVE;
}
static bool is_dpp(const struct insn *in) { return in->suffix == SUFFIX_DPP16 || in->suffix == SUFFIX_DPP8; }
static bool moves_lanes(const struct row *row) {
    return row->class == CLASS_READLANE || is_named(row, "v_writelane");
}

// As what it reads a range, a bit for each enum hazard_second.
static unsigned vector_uses(const struct insn *in, const struct effect *e) {
    const struct row *row = in->row;
    if (e->unit == UNIT_VMEM || e->unit == UNIT_FLAT || e->unit == UNIT_LDS) return 1u << ANY_READS_VECTOR;
    if (e->unit != UNIT_VALU) return 0;
    return (is_named(row, "v_dot") ? 0 : 1u << ANY_READS_VECTOR) |
           (row->flags & ROW_TRANS ? 0 : 1u << VALU_READS_VECTOR) |
           (row->class == CLASS_READLANE ? 1u << LANE_READS_VECTOR : 0) |
           (is_matrix(in) ? 1u << MATRIX_READS_VECTOR : 0);
}
static unsigned scalar_uses(const struct weak *m, const struct insn *in, const struct effect *e,
                            unsigned first) {
    const bool to_lds = e->memory.access & MEMORY_TO_LDS, addtid = is_named(in->row, "ds_") && !to_lds;
    if (first == m->pool->isa->m0_register)
        return to_lds || (addtid && e->memory.address == ADDRESS_THREAD) ? 1u << READS_M0 : 0;
    if (first == SRC_EXEC_LO) return 0;
    if (e->unit == UNIT_VMEM || e->unit == UNIT_FLAT) return 1u << VMEM_READS_SCALAR;
    if (e->unit == UNIT_SMEM) return 1u << SMEM_READS_SCALAR;
    return first == VCC && is_named(in->row, "v_div_fmas") ? 1u << DIV_FMAS : 0;
}

static void add_use(struct record *r, unsigned bank, unsigned first, unsigned count, unsigned seconds) {
    if (seconds && r->use_count < sizeof r->uses / sizeof *r->uses)
        r->uses[r->use_count++] =
            (struct stale_use){(uint8_t)bank, (uint16_t)first, (uint16_t)count, (uint16_t)seconds};
}

// Operands of the vector unit that the effect's ranges do not tell apart: data, a lane's number, what DPP
// moves.
static void add_operands(const struct weak *m, const struct insn *in, struct record *r) {
    const struct isa *isa = m->pool->isa;
    const bool lane = is_named(in->row, "v_readlane") || is_named(in->row, "v_writelane");
    for (unsigned n = 0; n < ROW_SRC && in->suffix != SUFFIX_SDWA; n++) {
        if (in->row->src[n].type == T_NO_OPERAND || in->row->src[n].type == T_MASK) continue;
        const struct operand o = insn_operand(isa, in, in->row->src[n], false);
        if (o.code < VCC + 2)
            add_use(r, BANK_SCALAR, o.code, o.dwords,
                    1u << (lane && n == 1 ? LANE_SELECT : VALU_READS_SCALAR));
        if (is_dpp(in) && !n && o.code >= SRC_VGPR0 && o.code < SRC_AGPR0)
            add_use(r, BANK_VECTOR, o.code - SRC_VGPR0, o.dwords, 1u << DPP_READS_VECTOR);
    }
}

void stale_describe(const struct weak *m, const struct insn *in, struct record *r) {
    const struct effect *e = &r->effect;
    const struct row *row = in->row;
    const bool valu = e->unit == UNIT_VALU;
    r->states = is_named(row, "s_nop") ? (uint8_t)(1 + ((unsigned)in->f[F_simm16] & 15)) : 1;
    r->indexes = is_named(row, "s_set_gpr_idx");
    r->forgets = e->control & ~(unsigned)(CONTROL_NEXT | CONTROL_TARGET) || is_named(row, "s_sleep");
    if (valu && !is_matrix(in))
        r->vector_writes = (uint16_t)(1u << VALU_VECTOR | (row->flags & ROW_TRANS ? 1u << TRANS_VECTOR : 0) |
                                      (is_named(row, "v_dot") ? 1u << DOT_VECTOR : 0));
    r->scalar_writes = valu ? 1u << VALU_SCALAR : e->unit == UNIT_SALU ? 1u << SALU_M0 : 0;
    if (valu && e->control == CONTROL_NEXT) add_operands(m, in, r);
    if (valu && e->control == CONTROL_NEXT && e->reads & STATE_EXEC)
        add_use(r, BANK_SCALAR, SRC_EXEC_LO, 2,
                (is_dpp(in) ? 1u << DPP_READS_EXEC : 0) | (moves_lanes(row) ? 1u << LANE_READS_EXEC : 0));
    for (unsigned i = 0; i < e->count && e->control == CONTROL_NEXT; i++) {
        const struct effect_range *g = &e->ranges[i];
        if (g->flags & EFFECT_WRITES) {
            r->forgets |= (g->flags & EFFECT_RELATIVE) != 0;
            continue;
        }
        if (g->flags & EFFECT_RELATIVE || g->bank == BANK_ACC) continue;
        add_use(r, g->bank, g->first, g->count,
                g->bank == BANK_SCALAR ? scalar_uses(m, in, e, g->first) : vector_uses(in, e));
    }
}

// ---- Values that registers had ----

static uint32_t *value_at(struct wave *w, const struct stale_value *v) {
    return (uint32_t *)((char *)w->s + v->offset);
}
static unsigned size_of(const struct wave *w, unsigned bank) { return bank == BANK_SCALAR ? 4 : w->stride; }

// Where the register is in the wave. False: it has none of that number.
static bool find_register(struct wave *w, unsigned bank, unsigned number, uint32_t *offset) {
    *offset = bank == BANK_SCALAR ? 4 * number : late_offset(w, bank, number);
    return bank == BANK_SCALAR ? number < 128 : *offset != 0;
}

static unsigned distance(const struct weak *m, unsigned firsts, unsigned seconds) {
    unsigned most = 0;
    for (unsigned f = 0; f < HAZARD_FIRSTS; f++)
        for (unsigned s = 0; firsts >> f & 1 && s < HAZARD_SECONDS; s++)
            if (seconds >> s & 1 && m->rules.stale[f][s] > most) most = m->rules.stale[f][s];
    return most;
}

static void drop(struct stale *s, size_t i) { s->values[i] = s->values[--s->count]; }

static void overwrite(struct stale_value *v, const struct effect_range *g) {
    const bool unclear = g->flags & EFFECT_MAY || (g->bank != BANK_SCALAR && g->bytes != 15);
    const uint8_t how = unclear ? IN_PART : g->flags & EFFECT_EXEC ? BY_LANE : WHOLLY;
    if (v->overwritten < how) v->overwritten = how;
}

// What the instruction is about to write, as it is.
static unsigned keep(struct weak *m, struct wave *w, const struct record *r) {
    const struct effect *e = &r->effect;
    unsigned count = 0;
    for (unsigned i = 0; i < e->count; i++) {
        const struct effect_range *g = &e->ranges[i];
        const bool scalar = g->bank == BANK_SCALAR;
        for (unsigned n = 0; g->flags & EFFECT_WRITES && n < g->count; n++) {
            const unsigned number = g->first + n;
            uint32_t offset;
            unsigned firsts = scalar ? r->scalar_writes : g->bank == BANK_VECTOR ? r->vector_writes : 0;
            if (!find_register(w, g->bank, number, &offset)) continue;
            if (scalar && number != m->pool->isa->m0_register) firsts &= ~(1u << SALU_M0);
            for (size_t k = m->stale.count; k--;)
                if (m->stale.values[k].offset == offset) overwrite(&m->stale.values[k], g);
            if (!distance(m, firsts, ANY) || count == STALE_NEW) continue;
            struct stale_value *v = &m->stale.news[count++];
            *v = (struct stale_value){
                .offset = offset, .firsts = (uint16_t)firsts, .bytes = size_of(w, g->bank)};
            memcpy(v->was, value_at(w, v), v->bytes);
        }
    }
    return count;
}

// Exchanges what a register holds for what it held. True if a register that is read too soon is there.
static bool exchange(struct weak *m, struct wave *w, const struct record *r) {
    bool any = false;
    for (unsigned u = 0; u < r->use_count; u++)
        for (unsigned n = 0; n < r->uses[u].count; n++) {
            uint32_t offset;
            if (!find_register(w, r->uses[u].bank, r->uses[u].first + n, &offset)) continue;
            for (size_t k = 0; k < m->stale.count; k++) {
                struct stale_value *v = &m->stale.values[k];
                if (v->offset != offset || v->shown || v->overwritten == IN_PART ||
                    distance(m, v->firsts, r->uses[u].seconds) <= v->states)
                    continue;
                memcpy(v->is, value_at(w, v), v->bytes);
                memcpy(value_at(w, v), v->was, v->bytes);
                v->shown = any = true;
            }
        }
    return any;
}

// Gives registers back what they hold, but what the instruction has written meanwhile, in these lanes.
static void restore(struct weak *m, struct wave *w, bool done, uint64_t exec) {
    for (size_t k = 0; k < m->stale.count; k++) {
        struct stale_value *v = &m->stale.values[k];
        for (unsigned i = 0; v->shown && i < v->bytes / 4; i++) {
            const bool written = v->overwritten == WHOLLY || (v->overwritten == BY_LANE && exec >> i & 1);
            if (!done || !written) value_at(w, v)[i] = v->is[i];
        }
        v->shown = false;
    }
}

static void run_now(struct weak *m, struct wave *w, const struct op *op) {
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

void stale_forget(struct weak *m) { m->stale.count = 0; }

const struct op *stale_carry_out(struct weak *m, struct wave *w, const struct op *op, const struct record *r,
                                 const struct op *behind) {
    struct stale *s = &m->stale;
    s->indexed |= r->indexes;
    if (r->forgets || s->indexed) {
        stale_forget(m);
        return r->defers && late_issue(m, w, op, r) ? behind : op;
    }
    const unsigned count = keep(m, w, r);
    const bool early = exchange(m, w, r);
    const uint64_t exec = w->exec;
    const bool late = r->defers && late_issue(m, w, op, r);
    if (early && !late) run_now(m, w, op);
    if (early) restore(m, w, !late, exec);
    for (size_t k = s->count; k--;) {
        s->values[k].states = (uint8_t)(s->values[k].states + r->states);
        if (s->values[k].overwritten || s->values[k].states >= HAZARD_MOST_STATES) drop(s, k);
    }
    for (unsigned k = 0; k < count && s->count < STALE_VALUES; k++) s->values[s->count++] = s->news[k];
    if (early && !late && w->status != WAVE_RUNNING) return NULL;
    return early || late ? behind : op;
}
