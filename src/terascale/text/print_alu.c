// SPDX-License-Identifier: MIT
// Slots of ALU groups in AMD's spelling.
#include <string.h>

#include "terascale/text/print.h"

enum { R6 = 1 << TS_R600, R7 = 1 << TS_R700, EG = 1 << TS_EVERGREEN, CM = 1 << TS_CAYMAN };
static const struct {
    uint16_t sel;
    const char *name;
    uint8_t families;
} sources[] = {
#define SOURCE(sel, name, families) {sel, name, families},
#include "terascale/text/sources.def"
#undef SOURCE
};
enum { SOURCES = sizeof sources / sizeof *sources };

const char *ts_source_name(enum ts_family family, unsigned sel) {
    for (unsigned i = 0; i < SOURCES; i++)
        if (sources[i].sel == sel && sources[i].families >> family & 1) return sources[i].name;
    return NULL;
}

int ts_source_number(enum ts_family family, const char *name, size_t length) {
    for (unsigned i = 0; i < SOURCES; i++)
        if (sources[i].families >> family & 1 && strlen(sources[i].name) == length &&
            !memcmp(sources[i].name, name, length))
            return sources[i].sel;
    return -1;
}

// ---- Operands ----

// What a relative operand adds, by INDEX_MODE.
static const char *const index_names[8] = {"AR.x", "AR.y",   "AR.z",        "AR.w",
                                           "AL",   "GLOBAL", "GLOBAL_AR.x", "INDEX7"};

static void print_indexed(struct text *t, const char *base, unsigned number, bool array, bool rel,
                          unsigned mode) {
    if (rel)
        text_printf(t, "%s[%s+%u]", base, index_names[mode & 7], number);
    else
        text_printf(t, array ? "%s[%u]" : "%s%u", base, number);
}

static void print_literal(struct text *t, const struct ts_source *s, const struct ts_literals *l) {
    float f;
    if (s->chan >= l->count) {
        text_printf(t, "LITERAL.%c%s", ts_unit_letter[s->chan], s->rel ? "+REL" : "");
        return;
    }
    memcpy(&f, &l->dwords[s->chan], sizeof f);
    text_printf(t, "(0x%08x, %gf).%c%s", l->dwords[s->chan], (double)f, ts_unit_letter[s->chan],
                s->rel ? "+REL" : "");
}

// Selectors with an array behind them.
static bool print_array(struct text *t, enum ts_family family, const struct ts_source *s, unsigned mode) {
    const unsigned sel = s->sel;
    if (sel < TS_SEL_KC0)
        print_indexed(t, "R", sel, false, s->rel, mode);
    else if (sel < TS_SEL_KC1)
        print_indexed(t, "KC0", sel - TS_SEL_KC0, true, s->rel, mode);
    else if (sel < TS_SEL_KC1 + 32)
        print_indexed(t, "KC1", sel - TS_SEL_KC1, true, s->rel, mode);
    else if (sel < TS_SEL_KC2)
        return false;
    else if (family < TS_EVERGREEN)
        print_indexed(t, "C", sel - TS_SEL_KC2, false, s->rel, mode);
    else if (sel < TS_SEL_KC3)
        print_indexed(t, "KC2", sel - TS_SEL_KC2, true, s->rel, mode);
    else if (sel < TS_SEL_KC3 + 32)
        print_indexed(t, "KC3", sel - TS_SEL_KC3, true, s->rel, mode);
    else if (sel >= TS_SEL_PARAM && sel < TS_SEL_PARAM + 32)
        print_indexed(t, "Param", sel - TS_SEL_PARAM, false, s->rel, mode);
    else
        return false;
    text_printf(t, ".%c", ts_unit_letter[s->chan]);
    return true;
}

static void print_source(struct text *t, const struct ts_slot *slot, unsigned k,
                         const struct ts_literals *l) {
    const enum ts_family family = slot->insn.family;
    const struct ts_source *s = &slot->src[k];
    const bool brace = s->neg && !s->abs && s->sel == TS_SEL_ONE_INT; // "-1" is a constant of its own
    if (s->neg) text_puts(t, brace ? "-{" : "-");
    if (s->abs) text_puts(t, "|");
    const char *name = ts_source_name(family, s->sel);
    if (s->sel == TS_SEL_LITERAL)
        print_literal(t, s, l);
    else if (!print_array(t, family, s, slot->index_mode)) {
        if (name)
            text_puts(t, name);
        else
            text_printf(t, "SEL(%u)", s->sel);
        // Constants are the same in each channel.
        const bool letter = s->sel == TS_SEL_PV || s->chan;
        if (letter) text_printf(t, ".%c", ts_unit_letter[s->chan]);
        if (s->rel) text_puts(t, "+REL");
    }
    if (s->abs) text_puts(t, "|");
    if (brace) text_puts(t, "}");
}

static bool is_blank(const struct ts_source *s) { return !(s->sel || s->chan || s->rel || s->neg || s->abs); }

// ---- Destinations ----

static bool is_mova_cayman(const struct ts_slot *s) {
    return s->insn.family == TS_CAYMAN && s->insn.row && s->insn.row->flags & TS_MOVA;
}

static void print_destination(struct text *t, const struct ts_slot *s) {
    static const char *const mova[4] = {"AR", "PC", "CF_IDX0", "CF_IDX1"};
    const unsigned plain = s->unit == TS_UNIT_T ? 0 : s->unit; // the channel that "____" stands for
    if (is_mova_cayman(s) && !s->write && !s->dst_rel && s->dst_gpr < 4 && s->dst_chan == plain) {
        text_puts(t, mova[s->dst_gpr]);
        return;
    }
    if (!s->write) {
        text_puts(t, "____");
        if (!s->dst_gpr && !s->dst_rel && s->dst_chan == plain) return;
        text_puts(t, ":");
    }
    print_indexed(t, "R", s->dst_gpr, false, s->dst_rel, s->index_mode);
    text_printf(t, ".%c", ts_unit_letter[s->dst_chan]);
}

// ---- Slots ----

static void print_operation(struct text *t, const struct ts_slot *s, bool exec_op) {
    static const char *const omod[4] = {"", "*2", "*4", "/2"};
    const struct ts_insn *in = &s->insn;
    if (in->row)
        text_puts(t, ts_row_name(in->row));
    else
        text_printf(t, "%s0x%x",
                    ts_space_prefix[s->lds   ? TS_LDS_SPACE
                                    : s->op3 ? TS_OP3_SPACE
                                             : TS_OP2_SPACE],
                    ts_get(in, s->lds ? TS_LDS_OP : TS_ALU_INST));
    if (!exec_op) text_puts(t, omod[ts_get(in, TS_OMOD)]);
    if (ts_get(in, TS_CLAMP)) text_puts(t, "_sat");
}

static bool is_array(enum ts_family family, unsigned sel) {
    if (sel < TS_SEL_KC1 + 32) return true;
    if (sel < TS_SEL_KC2) return false;
    return family < TS_EVERGREEN || sel < TS_SEL_KC3 + 32 || (sel >= TS_SEL_PARAM && sel < TS_SEL_PARAM + 32);
}

// Whether an operand's text says INDEX_MODE.
static bool shows_index(const struct ts_slot *s) {
    bool shows = s->dst_rel;
    for (unsigned k = 0; k < s->sources; k++)
        shows |= s->src[k].rel && is_array(s->insn.family, s->src[k].sel);
    return shows;
}

static void print_flags(struct text *t, const struct ts_slot *s, bool exec_op) {
    static const char *const mask_ops[4] = {"DEACTIVATE", "BREAK", "CONTINUE", "KILL"};
    const struct ts_insn *in = &s->insn;
    static const enum ts_field bits[] = {TS_UPDATE_EXEC_MASK, TS_UPDATE_PRED, TS_FOG_MERGE};
    for (unsigned i = 0; i < sizeof bits / sizeof *bits; i++)
        if (ts_get(in, bits[i])) text_printf(t, " %s", ts_field_text[bits[i]]);
    if (exec_op && ts_get(in, TS_OMOD)) text_printf(t, " EXECUTE_MASK_OP(%s)", mask_ops[ts_get(in, TS_OMOD)]);
    const unsigned pred = ts_get(in, TS_PRED_SEL);
    if (pred > 1)
        text_puts(t, pred == 2 ? " PRED_SEL_ZERO" : " PRED_SEL_ONE");
    else if (pred)
        text_puts(t, " PRED_SEL(1)");
    if (s->index_mode && !shows_index(s)) text_printf(t, " INDEX_MODE(%u)", s->index_mode);
    if (s->lds && ts_get(in, TS_IDX_OFFSET)) text_printf(t, " IDX_OFFSET(%u)", ts_get(in, TS_IDX_OFFSET));
}

void ts_print_slot(struct text *t, const struct ts_slot *s, const struct ts_literals *l, bool swizzle) {
    const bool exec_op = s->insn.family == TS_CAYMAN && !s->op3 && !s->lds && s->insn.row &&
                         s->insn.row->flags & TS_PRED && ts_get(&s->insn, TS_UPDATE_EXEC_MASK);
    text_printf(t, "%c: ", ts_unit_letter[s->unit]);
    const size_t begin = t->length;
    print_operation(t, s, exec_op);
    while (!t->failed && t->length - begin < 14) text_puts(t, " ");
    text_puts(t, " ");
    if (!s->lds) print_destination(t, s);
    for (unsigned k = 0; k < s->used; k++) {
        if (k || !s->lds) text_puts(t, ", ");
        print_source(t, s, k, l);
    }
    for (unsigned k = s->used; k < s->sources; k++) {
        if (is_blank(&s->src[k])) continue;
        text_printf(t, " SRC%u(", k);
        print_source(t, s, k, l);
        text_puts(t, ")");
    }
    print_flags(t, s, exec_op);
    if (!swizzle) return;
    const char *name = ts_swizzle_name(s->unit, s->swizzle);
    if (name)
        text_printf(t, " %s", name);
    else
        text_printf(t, " BANK_SWIZZLE(%u)", s->swizzle);
}
