// SPDX-License-Identifier: MIT
// From a row's columns and an instruction's fields to what the instruction touches (effect.h). Registers that
// swallow what is written to them (NULL, TTMPs outside trap handlers) and constants have no range.
#include "isa/effect_maker.h"
#include "isa/kinds.h"
#include "isa/names.h"

static const uint8_t kinds[] = {
#define I(row_id, sem, ...) EFFECT_KIND_OF(sem),
#include "isa/rows.def"
#undef I
};
static const uint8_t waits[] = {
#define I(row_id, sem, ...) EFFECT_WAITS_OF(row_id),
#include "isa/rows.def"
#undef I
};

enum effect_kind effect_kind_of(const struct row *row) { return (enum effect_kind)kinds[row - isa_rows]; }

// ---- What follows from the ranges ----

static bool has_result(const struct effect *e) {
    for (unsigned i = 0; i < e->count; i++)
        if (e->ranges[i].flags & EFFECT_WRITES) return true;
    return false;
}

static bool names(const struct effect_range *r, unsigned code, unsigned count) {
    return r->bank == BANK_SCALAR && r->first < code + count && code < r->first + r->count;
}

static void put_states(struct effect_maker *m) {
    struct effect *e = m->e;
    for (unsigned i = 0; i < e->count; i++) {
        const struct effect_range *r = &e->ranges[i];
        const unsigned state = (names(r, SRC_VCC_LO, 2) ? STATE_VCC : 0u) |
                               (names(r, SRC_EXEC_LO, 2) ? STATE_EXEC : 0u) |
                               (names(r, m->isa->m0_register, 1) ? STATE_M0 : 0u);
        *(r->flags & EFFECT_WRITES ? &e->writes : &e->reads) |= (uint16_t)state;
    }
}

static bool overlap(const struct effect_range *a, const struct effect_range *b) {
    return a->bank == b->bank && a->first < b->first + b->count && b->first < a->first + a->count;
}

static bool can_repeat(const struct effect *e) {
    enum { ONCE = CONTROL_BARRIER | CONTROL_MESSAGE | CONTROL_YIELD };
    if (e->reads & e->writes & ~(unsigned)STATE_FLAGS || e->reads & STATE_CLOCK || e->control & ONCE)
        return false;
    const unsigned both = MEMORY_READS | MEMORY_WRITES;
    if ((e->memory.access & both) == both || e->memory.access & (MEMORY_TO_LDS | MEMORY_FROM_LDS))
        return false;
    for (unsigned i = 0; i < e->count; i++)
        for (unsigned k = 0; k < e->count; k++)
            if (e->ranges[i].flags & EFFECT_WRITES && !(e->ranges[k].flags & EFFECT_WRITES) &&
                overlap(&e->ranges[i], &e->ranges[k]))
                return false;
    return true;
}

// ---- Counters ----

static enum counter counter_of_name(const char *name) {
    return !strcmp(name, "vmcnt") ? COUNTER_VM : !strcmp(name, "expcnt") ? COUNTER_EXP : COUNTER_LGKM;
}

static void put_wait(const struct effect_maker *m, unsigned counter, unsigned count) {
    const uint8_t most = isa_counters(m->isa)->most[counter];
    if (most && count < most) m->e->waits[counter] = (uint8_t)count;
}

static void put_waits(const struct effect_maker *m) {
    const unsigned what = waits[m->row - isa_rows], simm = (unsigned)m->in->f[F_simm16];
    memset(m->e->waits, EFFECT_NO_WAIT, sizeof m->e->waits);
    if (m->row->src[0].type == T_WAITCNT) {
        for (const struct counter_field *f = isa_waitcnt_fields(m->isa); f->name; f++)
            put_wait(m, counter_of_name(f->name),
                     (simm >> f->lo & ((1u << f->width) - 1)) | (simm >> f->lo2 & ((1u << f->width2) - 1))
                                                                    << f->width);
        return;
    }
    if (what == WAITS_ALL) {
        for (unsigned c = 0; c < COUNTERS; c++) put_wait(m, c, 0);
        return;
    }
    if (what & 15) put_wait(m, (what & 15) - 1, simm & 63);
    if (what >> 4) put_wait(m, (what >> 4) - 1, simm >> 8 & 63);
}

bool insn_effect(const struct effect_context *c, const struct insn *in, struct effect *out) {
    struct effect_maker m = {c, c->isa, in, in->row, effect_kind_of(in->row), out};
    const unsigned format = in->format->id;
    memset(out, 0, sizeof *out);
    out->memory.lds = out->memory.vaddr = out->memory.saddr = out->memory.srsrc = out->memory.soffset =
        EFFECT_NOWHERE;
    if (row_gap(in->row) || (in->row_y && row_gap(in->row_y))) return false;
    if (in->f[F_gds] && in->row->class != CLASS_GWS) return false; // the global data share
    if (m.kind == KIND_STACK) return false;
    if (effect_is_matrix(in->row, format)) m.kind = KIND_MATRIX;
    switch (format) {
    case FMT_SOP2:
    case FMT_SOPK:
    case FMT_SOP1:
    case FMT_SOPC:
    case FMT_SOPP: effect_scalar_insn(&m); break;
    case FMT_SMEM:
    case FMT_DS:
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_SCRATCH:
    case FMT_MUBUF:
    case FMT_MTBUF: effect_memory_insn(&m); break;
    case FMT_MIMG:
    case FMT_VIMAGE:
    case FMT_VSAMPLE: effect_image_insn(&m); break;
    case FMT_TENSOR: effect_tensor_insn(&m); break;
    case FMT_EXP: effect_export_insn(&m); break;
    default: effect_vector_insn(&m);
    }
    put_states(&m);
    isa_counts(c->isa, in->row, has_result(out), out->raises);
    isa_counts_copies(c->isa, in->row, out->raises);
    put_waits(&m);
    out->again = can_repeat(out);
    return true;
}
