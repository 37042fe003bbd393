// SPDX-License-Identifier: MIT
// Control flow and fetches in AMD's spelling.
#include <string.h>

#include "terascale/text/print.h"

const char *const ts_space_prefix[TS_SPACES] = {"CF_",  "CFA_", "RAT_", "OP2_", "OP3_",
                                                "LDS_", "TEX_", "VTX_", "MEM_", "GDS_"};

static const char channel[] = "xyzw01?_";

// ---- Attributes ----

static void print_value(struct text *t, enum ts_field f, uint32_t value) {
    const char *name = ts_value_name(ts_field_values[f], value);
    if (name)
        text_printf(t, " %s(%s)", ts_field_text[f], name);
    else
        text_printf(t, " %s(%u)", ts_field_text[f], value);
}

// Every field that the syntax before has not said and that is not at its default.
static void print_rest(struct text *t, const struct ts_insn *in, const struct ts_field_set *said) {
    for (unsigned i = in->format->part_count; i-- > 0;) {
        const struct ts_part *p = &in->format->parts[i];
        const enum ts_field f = p->field;
        const uint32_t v = ts_get(in, f);
        if (p->at || ts_marked(said, f) || v == ts_default(f)) continue;
        if (in->format->width[f] == 1)
            text_printf(t, " %s", ts_field_text[f]);
        else
            print_value(t, f, v);
    }
    for (unsigned i = 0; i < in->format->words; i++)
        if (in->w[i] & in->format->reserved[i])
            text_printf(t, " RESERVED%u(0x%x)", i, in->w[i] & in->format->reserved[i]);
}

static void print_mnemonic(struct text *t, const struct ts_insn *in, enum ts_space space, unsigned op) {
    if (in->row)
        text_puts(t, ts_row_name(in->row));
    else
        text_printf(t, "%s0x%x", ts_space_prefix[space], op);
}

// ".xy__", or nothing for ".xyzw"
static void print_swizzle(struct text *t, const uint8_t sel[4]) {
    if (sel[0] == 0 && sel[1] == 1 && sel[2] == 2 && sel[3] == 3) return;
    text_puts(t, ".");
    for (unsigned i = 0; i < 4; i++) text_add(t, &"xyzw016_"[sel[i] & 7], 1);
}

static void take_swizzle(const struct ts_insn *in, const enum ts_field f[4], uint8_t sel[4],
                         struct ts_field_set *said) {
    for (unsigned i = 0; i < 4; i++) sel[i] = (uint8_t)ts_get(in, f[i]), ts_mark(said, f[i]);
}

static void print_register(struct text *t, unsigned gpr, bool relative) {
    text_printf(t, relative ? "R[AL+%u]" : "R%u", gpr);
}

// ---- Control flow ----

static const enum ts_field kcache_fields[4][3] = {
    {TS_KCACHE_MODE0, TS_KCACHE_BANK0, TS_KCACHE_ADDR0},
    {TS_KCACHE_MODE1, TS_KCACHE_BANK1, TS_KCACHE_ADDR1},
    {TS_KCACHE_MODE2, TS_KCACHE_BANK2, TS_KCACHE_ADDR2},
    {TS_KCACHE_MODE3, TS_KCACHE_BANK3, TS_KCACHE_ADDR3},
};

static void print_kcaches(struct text *t, const struct ts_insn *in, struct ts_field_set *said) {
    for (unsigned k = 0; k < 4; k++) {
        const enum ts_field *f = kcache_fields[k];
        const unsigned mode = ts_get(in, f[0]), bank = ts_get(in, f[1]), line = ts_get(in, f[2]);
        for (unsigned i = 0; i < 3; i++) ts_mark(said, f[i]);
        if (!(mode | bank | line)) continue;
        text_printf(t, " KCACHE%u(CB%u:%u-%u%s)", k, bank, line * 16, line * 16 + (mode == 2 ? 31 : 15),
                    mode == 0   ? ",OFF"
                    : mode == 3 ? ",AL"
                                : "");
    }
}

static void print_clause_place(struct text *t, const struct ts_insn *in, struct ts_field_set *said) {
    text_printf(t, ": ADDR(%u) CNT(%u)", ts_get(in, TS_ADDR), ts_get(in, TS_COUNT) + 1);
    ts_mark(said, TS_ADDR);
    ts_mark(said, TS_COUNT);
}

static void print_export_target(struct text *t, unsigned type, unsigned base) {
    static const char *const names[4] = {"PIX", "POS", "PARAM", "SX"};
    if (type == 0 && base == 61)
        text_puts(t, "PIXZ");
    else if (type == 1 && base >= 60 && base < 64)
        text_printf(t, "POS%u", base - 60);
    else if (type == 1)
        text_printf(t, "POS(%u)", base);
    else
        text_printf(t, "%s%u", names[type], base);
}

static void print_export(struct text *t, const struct ts_insn *in, struct ts_field_set *said) {
    static const enum ts_field sels[4] = {TS_SEL_X, TS_SEL_Y, TS_SEL_Z, TS_SEL_W};
    static const enum ts_field fields[] = {TS_TYPE, TS_ARRAY_BASE, TS_RW_GPR, TS_RW_REL};
    uint8_t sel[4];
    text_puts(t, ": ");
    print_export_target(t, ts_get(in, TS_TYPE), ts_get(in, TS_ARRAY_BASE));
    text_puts(t, ", ");
    print_register(t, ts_get(in, TS_RW_GPR), ts_get(in, TS_RW_REL));
    take_swizzle(in, sels, sel, said);
    print_swizzle(t, sel);
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) ts_mark(said, fields[i]);
}

static void print_written(struct text *t, const struct ts_insn *in, struct ts_field_set *said) {
    const unsigned mask = ts_get(in, TS_COMP_MASK);
    text_puts(t, ", ");
    print_register(t, ts_get(in, TS_RW_GPR), ts_get(in, TS_RW_REL));
    if (mask != 15) {
        text_puts(t, ".");
        for (unsigned i = 0; i < 4; i++) text_add(t, mask >> i & 1 ? &channel[i] : "_", 1);
    }
    ts_mark(said, TS_RW_GPR);
    ts_mark(said, TS_RW_REL);
    ts_mark(said, TS_COMP_MASK);
    ts_mark(said, TS_INDEX_GPR);
}

static void print_memory(struct text *t, const struct ts_insn *in, struct ts_field_set *said) {
    text_printf(t, ": [%u", ts_get(in, TS_ARRAY_BASE));
    if (ts_get(in, TS_TYPE) & 1 || ts_get(in, TS_INDEX_GPR)) text_printf(t, "+R%u", ts_get(in, TS_INDEX_GPR));
    text_puts(t, "]");
    print_written(t, in, said);
    ts_mark(said, TS_ARRAY_BASE);
}

static void print_rat(struct text *t, const struct ts_insn *in, struct ts_field_set *said) {
    if (in->rat)
        text_printf(t, ": %s", ts_row_name(in->rat));
    else
        text_printf(t, ": RAT_0x%x", ts_get(in, TS_RAT_INST));
    text_printf(t, ", RAT(%u)[R%u]", ts_get(in, TS_RAT_ID), ts_get(in, TS_INDEX_GPR));
    print_written(t, in, said);
    ts_mark(said, TS_RAT_ID);
    ts_mark(said, TS_RAT_INST);
}

void ts_print_cf(struct text *t, const struct ts_insn *in) {
    struct ts_field_set said = {{0}};
    const unsigned flags = in->row ? in->row->flags : 0;
    const bool alu = in->format->id == TSF_CF_ALU;
    print_mnemonic(t, in, alu ? TS_CFA_SPACE : TS_CF_SPACE, ts_get(in, TS_CF_INST));
    ts_mark(&said, TS_CF_INST);
    if (flags & TS_CLAUSE) print_clause_place(t, in, &said);
    if (flags & TS_BRANCH) text_printf(t, " ADDR(%u)", ts_get(in, TS_ADDR)), ts_mark(&said, TS_ADDR);
    switch (in->format->id) {
    case TSF_CF_ALU:
    case TSF_CF_ALU_EXT: print_kcaches(t, in, &said); break;
    case TSF_CF_ALLOC_EXPORT_SWIZ: print_export(t, in, &said); break;
    case TSF_CF_ALLOC_EXPORT_BUF: print_memory(t, in, &said); break;
    case TSF_CF_ALLOC_EXPORT_RAT: print_rat(t, in, &said); break;
    }
    print_rest(t, in, &said);
}

// ---- Fetches ----

static const enum ts_field dst_sels[4] = {TS_DST_SEL_X, TS_DST_SEL_Y, TS_DST_SEL_Z, TS_DST_SEL_W};
static const enum ts_field src_sels[4] = {TS_SRC_SEL_X, TS_SRC_SEL_Y, TS_SRC_SEL_Z, TS_SRC_SEL_W};

static void print_destination(struct text *t, const struct ts_insn *in, struct ts_field_set *said) {
    uint8_t sel[4];
    if (ts_width(in, TS_SEMANTIC_ID))
        text_printf(t, " SEM(%u)", ts_get(in, TS_SEMANTIC_ID));
    else {
        text_puts(t, " ");
        print_register(t, ts_get(in, TS_DST_GPR), ts_get(in, TS_DST_REL));
    }
    ts_mark(said, TS_SEMANTIC_ID);
    ts_mark(said, TS_DST_GPR);
    ts_mark(said, TS_DST_REL);
    if (!ts_width(in, TS_DST_SEL_X)) return;
    take_swizzle(in, dst_sels, sel, said);
    print_swizzle(t, sel);
}

static void print_index(struct text *t, const struct ts_insn *in, struct ts_field_set *said) {
    print_register(t, ts_get(in, TS_SRC_GPR), ts_get(in, TS_SRC_REL));
    text_printf(t, ".%c", channel[ts_get(in, TS_SRC_SEL_X) & 3]);
    ts_mark(said, TS_SRC_GPR);
    ts_mark(said, TS_SRC_REL);
    ts_mark(said, TS_SRC_SEL_X);
}

static void print_vertex(struct text *t, const struct ts_insn *in, struct ts_field_set *said) {
    print_destination(t, in, said);
    text_puts(t, ", ");
    print_index(t, in, said);
    text_printf(t, ", b%u", ts_get(in, TS_BUFFER_ID));
    ts_mark(said, TS_BUFFER_ID);
}

// Coordinates are normalised unless the text says UNNORM with their letters.
static void print_coordinates(struct text *t, const struct ts_insn *in, struct ts_field_set *said) {
    bool any = false;
    for (unsigned i = 0; i < 4; i++) {
        const enum ts_field f =
            (enum ts_field[]){TS_COORD_TYPE_X, TS_COORD_TYPE_Y, TS_COORD_TYPE_Z, TS_COORD_TYPE_W}[i];
        ts_mark(said, f);
        if (ts_get(in, f)) continue;
        text_printf(t, "%s%c", any ? "" : " UNNORM(", channel[i]);
        any = true;
    }
    if (any) text_puts(t, ")");
}

static void print_texture(struct text *t, const struct ts_insn *in, struct ts_field_set *said) {
    uint8_t sel[4];
    print_destination(t, in, said);
    text_puts(t, ", ");
    print_register(t, ts_get(in, TS_SRC_GPR), ts_get(in, TS_SRC_REL));
    take_swizzle(in, src_sels, sel, said);
    print_swizzle(t, sel);
    text_printf(t, ", t%u, s%u", ts_get(in, TS_RESOURCE_ID), ts_get(in, TS_SAMPLER_ID));
    print_coordinates(t, in, said);
    static const enum ts_field fields[] = {TS_SRC_GPR, TS_SRC_REL, TS_RESOURCE_ID, TS_SAMPLER_ID,
                                           TS_TEX_INST};
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) ts_mark(said, fields[i]);
    if (in->row && in->row->inst_mod == ts_get(in, TS_INST_MOD)) ts_mark(said, TS_INST_MOD);
}

// What an MEM or GDS instruction takes from a register: as many letters as the word has selectors.
static void print_data(struct text *t, const struct ts_insn *in, struct ts_field_set *said) {
    text_printf(t, " R%u", ts_get(in, TS_SRC_GPR));
    ts_mark(said, TS_SRC_GPR);
    if (!ts_width(in, TS_SRC_SEL_Z)) return;
    text_puts(t, ".");
    for (unsigned i = 0; i < 4 && ts_width(in, src_sels[i]); i++) {
        text_add(t, &"xyzw016_"[ts_get(in, src_sels[i]) & 7], 1);
        ts_mark(said, src_sels[i]);
    }
}

void ts_print_fetch(struct text *t, const struct ts_insn *in) {
    static const enum ts_field selectors[] = {TS_VC_INST, TS_MEM_INST, TS_MEM_OP, TS_GDS_OP};
    struct ts_field_set said = {{0}};
    const unsigned format = in->format->id;
    const bool gds = format == TSF_MEM_GDS && ts_get(in, TS_MEM_OP) == TS_GDS_MEM_OP;
    const enum ts_space space = format == TSF_TEX ? TS_TEX_SPACE : gds ? TS_GDS_SPACE : TS_MEM_SPACE;
    print_mnemonic(t, in, space,
                   ts_get(in, space == TS_TEX_SPACE ? TS_TEX_INST
                              : gds                 ? TS_GDS_OP
                                                    : TS_MEM_OP));
    for (unsigned i = 0; i < sizeof selectors / sizeof *selectors; i++)
        if (gds || selectors[i] != TS_GDS_OP) ts_mark(&said, selectors[i]);
    switch (format) {
    case TSF_VTX_GPR:
    case TSF_VTX_SEM: print_vertex(t, in, &said); break;
    case TSF_TEX: print_texture(t, in, &said); break;
    case TSF_MEM_RD:
        print_destination(t, in, &said);
        text_printf(t, ", [%u+", ts_get(in, TS_ARRAY_BASE));
        print_index(t, in, &said);
        text_puts(t, "]");
        ts_mark(&said, TS_ARRAY_BASE);
        break;
    case TSF_MEM_DSW: print_data(t, in, &said); break;
    default:
        print_destination(t, in, &said);
        text_puts(t, ",");
        print_data(t, in, &said);
    }
    print_rest(t, in, &said);
}
