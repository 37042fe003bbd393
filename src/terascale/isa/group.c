// SPDX-License-Identifier: MIT
// Groups: slots to units, and what a group may do only once.
#include <string.h>

#include "terascale/isa/alu.h"

const char ts_unit_letter[TS_UNITS] = {'x', 'y', 'z', 'w', 't'};

void ts_take_slot(const struct ts_insn *in, struct ts_slot *out) {
    static const struct {
        uint8_t sel, chan, rel, neg, abs;
    } fields[3] = {{TS_SRC0_SEL, TS_SRC0_CHAN, TS_SRC0_REL, TS_SRC0_NEG, TS_SRC0_ABS},
                   {TS_SRC1_SEL, TS_SRC1_CHAN, TS_SRC1_REL, TS_SRC1_NEG, TS_SRC1_ABS},
                   {TS_SRC2_SEL, TS_SRC2_CHAN, TS_SRC2_REL, TS_SRC2_NEG, TS_FIELDS}};
    *out = (struct ts_slot){.insn = *in, .unit = TS_NO_UNIT};
    out->lds = in->format->id == TSF_LDS_IDX_OP;
    out->op3 = in->format->id == TSF_ALU_OP3;
    out->sources = out->op3 || out->lds ? 3 : 2;
    out->used = in->row ? in->row->sources : out->sources;
    for (unsigned i = 0; i < out->sources; i++) {
        struct ts_source *s = &out->src[i];
        s->sel = (uint16_t)ts_get(in, fields[i].sel);
        s->chan = (uint8_t)ts_get(in, fields[i].chan);
        s->rel = ts_get(in, fields[i].rel);
        s->neg = ts_get(in, fields[i].neg);
        s->abs = fields[i].abs < TS_FIELDS && ts_get(in, fields[i].abs);
    }
    out->swizzle = (uint8_t)ts_get(in, TS_BANK_SWIZZLE);
    out->dst_gpr = (uint8_t)ts_get(in, TS_DST_GPR);
    out->dst_chan = (uint8_t)ts_get(in, TS_DST_CHAN);
    out->dst_rel = ts_get(in, TS_DST_REL);
    out->index_mode = (uint8_t)ts_get(in, TS_INDEX_MODE);
    out->last = ts_get(in, TS_LAST);
    out->write = out->op3 || (!out->lds && ts_get(in, TS_WRITE_MASK));
}

void ts_take_group(enum ts_family family, const uint32_t *words, unsigned most, struct ts_group *g) {
    memset(g, 0, sizeof *g);
    const unsigned room = sizeof g->slot / sizeof *g->slot;
    while (g->count < most && g->count < room && !g->ended) {
        struct ts_insn in;
        ts_decode_alu(family, words + 2 * g->count, &in);
        struct ts_slot *s = &g->slot[g->count++];
        ts_take_slot(&in, s);
        g->ended = s->last;
        for (unsigned i = 0; i < s->sources; i++) {
            const struct ts_source *o = &s->src[i];
            unsigned dwords = 0;
            if (o->sel == TS_SEL_LITERAL) dwords = o->chan < 2 ? 2 : 4;
            if ((o->sel == TS_SEL_LDS_DIRECT_A || o->sel == TS_SEL_LDS_DIRECT_B) && family >= TS_EVERGREEN)
                dwords = 2;
            if (dwords > g->literals) g->literals = dwords;
        }
    }
}

// ---- Units ----

static unsigned slots_of(const struct ts_slot *s) {
    if (s->lds) return TS_VEC;
    return s->insn.row ? s->insn.row->slots[s->insn.family] : TS_ANY;
}

// A slot goes to the unit of its channel; to t where it can only execute there, or where that unit is taken.
bool ts_place_units(struct ts_group *g) {
    bool taken[TS_UNITS] = {false}, good = true;
    for (unsigned i = 0; i < g->count; i++) {
        struct ts_slot *s = &g->slot[i];
        const bool has_t = s->insn.family != TS_CAYMAN;
        unsigned kind = slots_of(s), unit = s->dst_chan;
        if (kind == TS_TRANS || (kind == TS_ANY && taken[unit] && has_t)) unit = TS_UNIT_T;
        if (taken[unit] || (taken[TS_UNIT_T] && i) || (i && unit < TS_UNIT_T && g->slot[i - 1].unit > unit))
            good = false;
        taken[unit] = true;
        s->unit = (uint8_t)unit;
    }
    return good;
}

// ---- Once a group ----

// Operations of several slots at once: each of x, y, z (and w) has the same one.
static const char *check_spread(const struct ts_group *g, enum ts_slots kind, const char *message) {
    const struct ts_row *row = NULL;
    unsigned units = 0;
    for (unsigned i = 0; i < g->count; i++) {
        const struct ts_slot *s = &g->slot[i];
        if (slots_of(s) != kind) continue;
        if (row && row != s->insn.row) return message;
        row = s->insn.row;
        units |= 1u << s->unit;
    }
    const unsigned wanted = kind == TS_ALL ? 15 : 7;
    return units && (units & wanted) != wanted ? message : NULL;
}

static const char *check_once(const struct ts_group *g) {
    unsigned once = 0, movas = 0, relative = 0, queue[2] = {0}, pops[2] = {0};
    for (unsigned i = 0; i < g->count; i++) {
        const struct ts_slot *s = &g->slot[i];
        const unsigned flags = s->insn.row ? s->insn.row->flags : 0;
        const bool same_double = flags & TS_DOUBLE && i && g->slot[i - 1].insn.row == s->insn.row;
        once += (flags & (TS_KILL | TS_PRED)) && !same_double;
        movas += (flags & TS_MOVA) != 0;
        relative += s->dst_rel;
        bool reads[2] = {false};
        for (unsigned k = 0; k < s->used; k++) {
            const struct ts_source *o = &s->src[k];
            relative += o->rel;
            if (o->sel < TS_SEL_LDS_OQ_A || o->sel > TS_SEL_LDS_OQ_B_POP || s->insn.family < TS_EVERGREEN)
                continue;
            reads[(o->sel - TS_SEL_LDS_OQ_A) & 1] = true;
            pops[(o->sel - TS_SEL_LDS_OQ_A) & 1] += o->sel > TS_SEL_LDS_OQ_A + 1;
        }
        queue[0] += reads[0], queue[1] += reads[1];
    }
    if (once > 1) return "a group has one KILL or PRED_SET";
    if (movas && relative) return "a group with MOVA has no relative operands";
    if (queue[0] > 1 || queue[1] > 1) return "one slot of a group reads a queue of LDS";
    if (pops[0] > 1 || pops[1] > 1) return "a group pops a queue of LDS once";
    return NULL;
}

// What the processor has not.
const char *ts_check_facts(const struct ts_chip *chip, const struct ts_row *row) {
    if (!row) return NULL;
    const unsigned number = ts_row_number(row);
    if (row->flags & TS_DOUBLE && !(chip->facts & TS_FACT_DOUBLES)) return "this processor has no doubles";
    if (number == TS_OP3_FMA && !(chip->facts & TS_FACT_FMA)) return "this processor has no FMA";
    if (number == TS_OP2_MOVA_GPR_INT && !(chip->facts & TS_FACT_MOVA_GPR))
        return "this processor indexes registers by MOVA_INT";
    if ((number == TS_CF_VTX || number == TS_CF_VTX_ACK) && !(chip->facts & TS_FACT_VERTEX_CACHE))
        return "this processor has no vertex cache";
    return NULL;
}

// *_PREV takes the result of the slot after the next.
static bool has_chain(const struct ts_group *g, const struct ts_slot *s) {
    const unsigned op = ts_row_number(s->insn.row);
    if (!(s->insn.row->flags & TS_CHAIN) || s->insn.row->src != TS_F32 || op == TS_OP2_DOT ||
        op == TS_OP2_DOT_IEEE)
        return true;
    for (unsigned i = 0; i < g->count; i++)
        if (g->slot[i].unit == s->unit + 2 && g->slot[i].unit < TS_UNIT_T) return true;
    return false;
}

const char *ts_check_group(const struct ts_chip *chip, const struct ts_group *g) {
    if (!g->ended) return "the clause ends within a group";
    if (g->count > (chip->family == TS_CAYMAN ? 4u : 5u)) return "a group has too many slots";
    struct ts_group placed = *g;
    for (unsigned i = 0; i < g->count; i++) {
        const char *why = ts_check_facts(chip, g->slot[i].insn.row);
        if (why) return why;
    }
    if (!ts_place_units(&placed))
        return "two slots of a group want one unit, or their order is not x y z w t";
    for (unsigned i = 0; i < g->count; i++)
        if (placed.slot[i].insn.row && !has_chain(&placed, &placed.slot[i]))
            return "this operation takes the result of a slot that the group has not";
    const char *why = check_spread(&placed, TS_ALL, "this operation takes x, y, z and w together");
    if (!why) why = check_spread(&placed, TS_TRIPLE, "this operation takes x, y and z together");
    if (!why) why = check_once(&placed);
    if (!why) why = ts_check_ports(chip, &placed);
    return why;
}
