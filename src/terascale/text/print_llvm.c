// SPDX-License-Identifier: MIT
// llc's spelling, to compare with: it leaves out types, array bases and most of what fetches say.
#include <string.h>

#include "terascale/text/print.h"

static const char *llvm_name(const struct ts_insn *in) {
    return !in->row ? "unknown" : in->row->llvm ? in->row->llvm : in->row->id;
}

static const char letters[] = "XYZW01?_";

// ---- Control flow ----

static void llvm_kcache(struct text *t, unsigned set, unsigned mode, unsigned bank, unsigned line) {
    text_printf(t, ", KC%u[", set);
    if (mode) text_printf(t, "CB%u:%u-%u", bank, line * 16, line * 16 + (mode == 1 ? 16 : 32));
    text_puts(t, "]");
}

// "T5.XYZW" with what is written; a mask of none has no letters.
static void llvm_stored(struct text *t, const struct ts_insn *in) {
    static const char *const masks[16] = {"",  "X",  "Y",  "XY",  "Z",  "XZ",  "YZ",  "XYZ",
                                          "W", "XW", "YW", "XYW", "ZW", "XZW", "YZW", "XYZW"};
    const unsigned mask = ts_get(in, TS_COMP_MASK);
    text_printf(t, " T%u%s%s", ts_get(in, TS_RW_GPR), mask ? "." : "", masks[mask]);
}

static void llvm_rat(struct text *t, const struct ts_insn *in) {
    if (in->rat == &ts_rows[TS_RAT_STORE_TYPED]) {
        text_printf(t, " STORE_TYPED RAT(%u) T%u, T%u", ts_get(in, TS_RAT_ID), ts_get(in, TS_RW_GPR),
                    ts_get(in, TS_INDEX_GPR));
        if (ts_width(in, TS_END_OF_PROGRAM)) text_printf(t, ", %u", ts_get(in, TS_END_OF_PROGRAM));
        return;
    }
    text_printf(t, " %s", !in->rat ? "unknown" : in->rat->llvm ? in->rat->llvm : in->rat->id);
    if (in->rat == &ts_rows[TS_RAT_STORE_DWORD] && ts_get(in, TS_COMP_MASK) != 1)
        text_printf(t, " T%u", ts_get(in, TS_RW_GPR));
    else if (in->rat && in->rat->llvm) // atomics
        text_printf(t, " T%u", ts_get(in, TS_RW_GPR));
    else if (in->rat == &ts_rows[TS_RAT_MSKOR])
        text_printf(t, " T%u.XW", ts_get(in, TS_RW_GPR));
    else
        llvm_stored(t, in);
    text_printf(t, ", T%u.X", ts_get(in, TS_INDEX_GPR));
    if (ts_width(in, TS_END_OF_PROGRAM) && !ts_is(in, TS_EXP_MEM_RAT))
        text_printf(t, ", %u", ts_get(in, TS_END_OF_PROGRAM));
}

static void llvm_jump(struct text *t, const struct ts_insn *in, const char *name, bool pops) {
    text_printf(t, "%s @%u", name, ts_get(in, TS_ADDR));
    if (pops) text_printf(t, " POP:%u", ts_get(in, TS_POP_COUNT));
}

void ts_llvm_cf(struct text *t, const struct ts_insn *in) {
    if (in->format->id == TSF_CF_ALU) {
        text_printf(t, "%s %u, @%u", llvm_name(in), ts_get(in, TS_COUNT), ts_get(in, TS_ADDR));
        llvm_kcache(t, 0, ts_get(in, TS_KCACHE_MODE0), ts_get(in, TS_KCACHE_BANK0),
                    ts_get(in, TS_KCACHE_ADDR0));
        llvm_kcache(t, 1, ts_get(in, TS_KCACHE_MODE1), ts_get(in, TS_KCACHE_BANK1),
                    ts_get(in, TS_KCACHE_ADDR1));
        return;
    }
    if (in->format->id == TSF_CF_ALLOC_EXPORT_SWIZ) {
        text_printf(t, "EXPORT T%u.", ts_get(in, TS_RW_GPR));
        const enum ts_field sels[4] = {TS_SEL_X, TS_SEL_Y, TS_SEL_Z, TS_SEL_W};
        for (unsigned i = 0; i < 4; i++) text_add(t, &letters[ts_get(in, sels[i])], 1);
        return;
    }
    if (in->format->id == TSF_CF_ALLOC_EXPORT_RAT) {
        text_puts(t, ts_is(in, TS_EXP_MEM_RAT) ? "MEM_RAT" : "MEM_RAT_CACHELESS");
        llvm_rat(t, in);
        return;
    }
    if (in->format->id == TSF_CF_ALLOC_EXPORT_BUF) {
        text_printf(t, "EXPORT T%u", ts_get(in, TS_RW_GPR)); // so it calls all of them
        return;
    }
    switch (in->row ? (enum ts_op)ts_row_number(in->row) : TS_ROWS) {
    case TS_CF_TEX: text_printf(t, "TEX %u @%u", ts_get(in, TS_COUNT), ts_get(in, TS_ADDR)); break;
    case TS_CF_VTX: text_printf(t, "VTX %u @%u", ts_get(in, TS_COUNT), ts_get(in, TS_ADDR)); break;
    case TS_CF_JUMP: llvm_jump(t, in, "JUMP", true); break;
    case TS_CF_PUSH: llvm_jump(t, in, "PUSH", true); break;
    case TS_CF_ELSE: llvm_jump(t, in, "ELSE", true); break;
    case TS_CF_POP: llvm_jump(t, in, "POP", true); break;
    case TS_CF_LOOP_START_DX10: llvm_jump(t, in, "LOOP_START_DX10", false); break;
    case TS_CF_LOOP_END: llvm_jump(t, in, "END_LOOP", false); break;
    case TS_CF_LOOP_BREAK: llvm_jump(t, in, "LOOP_BREAK", false); break;
    case TS_CF_LOOP_CONTINUE: llvm_jump(t, in, "CONTINUE", false); break;
    case TS_CF_CALL_FS: text_puts(t, "CALL_FS"); break;
    case TS_CF_CF_END: text_puts(t, "CF_END"); break;
    case TS_CF_NOP: text_puts(t, ts_get(in, TS_END_OF_PROGRAM) ? "CF_END" : "PAD"); break;
    default: text_puts(t, llvm_name(in));
    }
}

// ---- Fetches ----

static void llvm_vertex(struct text *t, const struct ts_insn *in) {
    static const struct {
        uint8_t format, components;
        const char *name;
    } reads[] = {{1, 1, "VTX_READ_8"},
                 {5, 1, "VTX_READ_16"},
                 {13, 1, "VTX_READ_32"},
                 {29, 2, "VTX_READ_64"},
                 {34, 4, "VTX_READ_128"}};
    const char *name = "VTX_READ";
    unsigned components = 4;
    for (unsigned i = 0; i < sizeof reads / sizeof *reads; i++)
        if (reads[i].format == ts_get(in, TS_DATA_FORMAT))
            name = reads[i].name, components = reads[i].components;
    text_printf(t, "%s T%u.%.*s, T%u.%c, %u, #%u", name, ts_get(in, TS_DST_GPR), (int)components, "XYZW",
                ts_get(in, TS_SRC_GPR), letters[ts_get(in, TS_SRC_SEL_X)], ts_get(in, TS_OFFSET),
                ts_get(in, TS_BUFFER_ID));
}

static void llvm_texture(struct text *t, const struct ts_insn *in) {
    static const enum ts_field dst[4] = {TS_DST_SEL_X, TS_DST_SEL_Y, TS_DST_SEL_Z, TS_DST_SEL_W};
    static const enum ts_field src[4] = {TS_SRC_SEL_X, TS_SRC_SEL_Y, TS_SRC_SEL_Z, TS_SRC_SEL_W};
    static const enum ts_field types[4] = {TS_COORD_TYPE_X, TS_COORD_TYPE_Y, TS_COORD_TYPE_Z,
                                           TS_COORD_TYPE_W};
    text_printf(t, "TEX_%s T%u.",
                ts_is(in, TS_TEX_LDFPTR) ? "LDPTR"
                : in->row                ? in->row->id
                                         : "unknown",
                ts_get(in, TS_DST_GPR));
    for (unsigned i = 0; i < 4; i++) text_add(t, &letters[ts_get(in, dst[i])], 1);
    text_printf(t, ", T%u.", ts_get(in, TS_SRC_GPR));
    for (unsigned i = 0; i < 4; i++) text_add(t, &letters[ts_get(in, src[i])], 1);
    text_printf(t, " RID:%u SID:%u CT:", ts_get(in, TS_RESOURCE_ID), ts_get(in, TS_SAMPLER_ID));
    for (unsigned i = 0; i < 4; i++) text_puts(t, ts_get(in, types[i]) ? "N" : "U");
}

void ts_llvm_fetch(struct text *t, const struct ts_insn *in) {
    text_puts(t, "  ");
    if (in->format->id == TSF_TEX)
        llvm_texture(t, in);
    else if (in->format->id == TSF_VTX_GPR)
        llvm_vertex(t, in);
    else
        text_puts(t, llvm_name(in));
}

// ---- ALU ----

static void llvm_register(struct text *t, const struct ts_source *s, unsigned mode) {
    static const char *const names[5] = {"AR.x", "AR.y", "AR.z", "AR.w", "AL"};
    if (s->rel)
        text_printf(t, "T(%u + %s).%c+", s->sel, mode < 5 ? names[mode] : "?", letters[s->chan]);
    else
        text_printf(t, "T%u.%c", s->sel, letters[s->chan]);
}

static void llvm_source(struct text *t, const struct ts_slot *slot, const struct ts_source *s) {
    const enum ts_family f = slot->insn.family;
    const char c = letters[s->chan];
    text_puts(t, s->neg ? "-" : "");
    text_puts(t, s->abs ? "|" : "");
    if (s->sel < TS_SEL_KC0)
        llvm_register(t, s, slot->index_mode);
    else if (s->sel < TS_SEL_KC1)
        text_printf(t, "KC0[%u].%c", s->sel - TS_SEL_KC0, c);
    else if (s->sel < TS_SEL_KC1 + 32)
        text_printf(t, "KC1[%u].%c", s->sel - TS_SEL_KC1, c);
    else if (s->sel >= TS_SEL_PARAM)
        text_printf(t, "Param%u.%c", s->sel - TS_SEL_PARAM, c);
    else if (s->sel == TS_SEL_LITERAL)
        text_printf(t, "literal.%c", c | 32);
    else if (s->sel == TS_SEL_PV)
        text_printf(t, "PV.%c", c);
    else if (s->sel == TS_SEL_ZERO)
        text_puts(t, "0.0");
    else {
        const char *name = ts_source_name(f, s->sel);
        text_puts(t, s->sel == TS_SEL_LDS_OQ_A + 2 ? "OQAP" : name ? name : "?");
    }
    text_puts(t, s->abs ? "|" : "");
}

static void llvm_destination(struct text *t, const struct ts_slot *s) {
    if (s->insn.row && s->insn.row->flags & TS_MOVA)
        text_puts(t, "AR.x");
    else if (s->insn.row && s->insn.row->flags & TS_PRED && !s->write)
        text_puts(t, "PredicateBit");
    else if (s->dst_rel)
        text_printf(t, "T(%u + AR.x).%c+", s->dst_gpr, letters[s->dst_chan]);
    else
        text_printf(t, "T%u.%c", s->dst_gpr, letters[s->dst_chan]);
}

// The operand of PRED_SET* is called after what it updates.
static void llvm_updates(struct text *t, const struct ts_insn *in) {
    if (ts_get(in, TS_UPDATE_EXEC_MASK)) text_puts(t, "ExecMask,");
    if (ts_get(in, TS_UPDATE_PRED)) text_puts(t, "Pred,");
}

static void llvm_tail(struct text *t, const struct ts_slot *s) {
    static const char *const pred[4] = {"", "", ", Pred_sel_zero", ", Pred_sel_one"};
    static const char *const swizzles[6] = {"",
                                            ", BS:VEC_021/SCL_122",
                                            ", BS:VEC_120/SCL_212",
                                            ", BS:VEC_102/SCL_221",
                                            ", BS:VEC_201",
                                            ", BS:VEC_210"};
    const unsigned swizzle = s->swizzle < 6 ? s->swizzle : 0;
    text_puts(t, pred[ts_get(&s->insn, TS_PRED_SEL)]);
    // No comma between the two, with three sources nothing at all.
    text_puts(t, swizzles[swizzle] + (ts_get(&s->insn, TS_PRED_SEL) > 1 && swizzle ? (s->op3 ? 2 : 1) : 0));
}

static void llvm_lds(struct text *t, const struct ts_slot *s) {
    const bool returns = s->insn.row && s->insn.row->op[TS_EVERGREEN] > 32;
    text_printf(t, "  %s %s", llvm_name(&s->insn), s->last ? "* " : "  ");
    if (returns) text_puts(t, "OQAP, ");
    for (unsigned k = 0; k < s->used; k++) {
        if (k) text_puts(t, ", ");
        llvm_source(t, s, &s->src[k]);
    }
    const unsigned pred = ts_get(&s->insn, TS_PRED_SEL);
    const bool bare = returns && pred > 1; // no comma before it here
    if (bare) text_puts(t, pred == 2 ? " Pred_sel_zero" : " Pred_sel_one");
    if (!bare) llvm_tail(t, s);
}

void ts_llvm_slot(struct text *t, const struct ts_slot *s, const struct ts_literals *l) {
    static const char *const omod[4] = {"", " * 2.0", " * 4.0", " / 2.0"};
    const struct ts_insn *in = &s->insn;
    (void)l;
    if (s->lds) {
        llvm_lds(t, s);
        return;
    }
    text_printf(t, "  %s", llvm_name(in));
    if (!s->used) return;
    text_puts(t, ts_get(in, TS_CLAMP) ? "_SAT" : "");
    text_puts(t, s->last ? " * " : "   ");
    llvm_updates(t, in);
    llvm_destination(t, s);
    if (!s->write) text_puts(t, " (MASKED)");
    text_puts(t, omod[ts_get(in, TS_OMOD)]);
    for (unsigned k = 0; k < s->used; k++) {
        text_puts(t, ", ");
        llvm_source(t, s, &s->src[k]);
    }
    llvm_tail(t, s);
}
