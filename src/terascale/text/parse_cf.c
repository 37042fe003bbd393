// SPDX-License-Identifier: MIT
// Lines of control flow and of fetches.
#include <ctype.h>
#include <string.h>

#include "terascale/text/parse.h"

enum { CF_SPACES = 1 << TS_CF_SPACE | 1 << TS_CFA_SPACE };
enum { FETCH_SPACES = 1 << TS_TEX_SPACE | 1 << TS_VTX_SPACE | 1 << TS_MEM_SPACE | 1 << TS_GDS_SPACE };

// The mnemonic at the cursor: an instruction with its operation's number and all else zero.
static bool parse_mnemonic(struct ts_cursor *c, unsigned spaces, struct ts_insn *in) {
    const char *name;
    const struct ts_row *other;
    enum ts_space space;
    uint32_t op;
    ts_skip(c);
    const char *const before = c->p;
    const size_t n = ts_word(c, &name);
    if (!n) return ts_fail(c, "expected an instruction");
    const struct ts_row *row = ts_find_row(c->family, spaces, name, n, &other);
    if (row) return ts_begin(c->family, row, in);
    c->p = before;
    if (other) return ts_fail(c, "%s has no %.*s", c->chip->name, (int)n, name);
    if (!ts_numbered(name, n, spaces, &space, &op)) return ts_fail(c, "no instruction '%.*s'", (int)n, name);
    static const struct {
        uint8_t space, format, field;
    } raw[] = {{TS_CF_SPACE, TSF_CF, TS_CF_INST},
               {TS_CFA_SPACE, TSF_CF_ALU, TS_CF_INST},
               {TS_TEX_SPACE, TSF_TEX, TS_TEX_INST},
               {TS_MEM_SPACE, TSF_MEM_RD, TS_MEM_OP},
               {TS_GDS_SPACE, TSF_MEM_GDS, TS_GDS_OP}};
    for (unsigned i = 0; i < sizeof raw / sizeof *raw; i++) {
        if (raw[i].space != space || !ts_isas[c->family].formats[raw[i].format]) continue;
        *in = (struct ts_insn){.family = c->family, .format = ts_isas[c->family].formats[raw[i].format]};
        if (space == TS_MEM_SPACE || space == TS_GDS_SPACE) ts_set(in, TS_MEM_INST, TS_MEM_INST_NUMBER);
        if (space == TS_GDS_SPACE) ts_set(in, TS_MEM_OP, TS_GDS_MEM_OP);
        if (!ts_put(c, in, raw[i].field, op)) return false;
        c->p += n;
        return true;
    }
    return ts_fail(c, "%s has no such instructions", c->chip->name);
}

// ---- Control flow ----

static bool parse_kcache(struct ts_cursor *c, struct ts_insn *in) {
    static const enum ts_field fields[4][3] = {{TS_KCACHE_MODE0, TS_KCACHE_BANK0, TS_KCACHE_ADDR0},
                                               {TS_KCACHE_MODE1, TS_KCACHE_BANK1, TS_KCACHE_ADDR1},
                                               {TS_KCACHE_MODE2, TS_KCACHE_BANK2, TS_KCACHE_ADDR2},
                                               {TS_KCACHE_MODE3, TS_KCACHE_BANK3, TS_KCACHE_ADDR3}};
    uint32_t set, bank, first, last, mode;
    if (!ts_number(c, &set)) return false;
    if (set > 3 || !ts_width(in, fields[set][0])) return ts_fail(c, "this word locks no KCACHE%u", set);
    if (!ts_expect(c, "(CB") || !ts_number(c, &bank) || !ts_expect(c, ":") || !ts_number(c, &first) ||
        !ts_expect(c, "-") || !ts_number(c, &last))
        return false;
    if (first % 16 || (last != first + 15 && last != first + 31))
        return ts_fail(c, "a lock takes one or two lines of 16 constants");
    mode = last == first + 31 ? 2 : 1;
    if (mode == 1 && ts_accept(c, ",OFF"))
        mode = 0;
    else if (mode == 1 && ts_accept(c, ",AL"))
        mode = 3;
    return ts_put(c, in, fields[set][0], mode) && ts_put(c, in, fields[set][1], bank) &&
           ts_put(c, in, fields[set][2], first / 16) && ts_expect(c, ")");
}

static bool parse_addr(struct ts_cursor *c, struct ts_cf_line *out) {
    uint32_t v;
    if (!ts_expect(c, "(")) return false;
    ts_skip(c);
    out->has_addr = true;
    if (c->p < c->end && !isdigit((unsigned char)*c->p)) {
        out->label_length = ts_word(c, &out->label);
        if (!out->label_length) return ts_fail(c, "expected a label or a number");
        return ts_expect(c, ")");
    }
    return ts_number(c, &v) && ts_put(c, &out->insn, TS_ADDR, v) && ts_expect(c, ")");
}

static bool parse_cf_attribute(struct ts_cursor *c, struct ts_cf_line *out) {
    const bool clause = out->insn.row && out->insn.row->flags & TS_CLAUSE;
    if (ts_width(&out->insn, TS_ADDR) && ts_accept(c, "ADDR")) return parse_addr(c, out);
    if (clause && ts_accept(c, "CNT")) {
        out->has_count = true;
        return ts_expect(c, "(") && ts_number(c, &out->count) && ts_expect(c, ")");
    }
    if (ts_accept(c, "KCACHE_BANK")) {
        c->p -= strlen("KCACHE_BANK");
        return ts_parse_field(c, &out->insn);
    }
    if (ts_accept(c, "KCACHE")) return parse_kcache(c, &out->insn);
    if (ts_accept(c, "UNCHECKED")) return out->unchecked = true;
    return ts_parse_field(c, &out->insn);
}

static bool parse_export_target(struct ts_cursor *c, struct ts_insn *in) {
    uint32_t type, base;
    if (ts_accept(c, "PIXZ")) return ts_put(c, in, TS_ARRAY_BASE, 61);
    if (ts_accept(c, "PIX"))
        type = 0;
    else if (ts_accept(c, "POS(")) {
        return ts_number(c, &base) && ts_put(c, in, TS_TYPE, 1) && ts_put(c, in, TS_ARRAY_BASE, base) &&
               ts_expect(c, ")");
    } else if (ts_accept(c, "POS"))
        return ts_number(c, &base) &&
               (base < 4 || ts_fail(c, "positions are POS0 to POS3; others are written POS(n)")) &&
               ts_put(c, in, TS_TYPE, 1) && ts_put(c, in, TS_ARRAY_BASE, 60 + base);
    else if (ts_accept(c, "PARAM"))
        type = 2;
    else if (ts_accept(c, "SX"))
        type = 3;
    else
        return ts_fail(c, "expected PIXn, POSn, PARAMn or SXn");
    return ts_number(c, &base) && ts_put(c, in, TS_TYPE, type) && ts_put(c, in, TS_ARRAY_BASE, base);
}

static bool parse_stored(struct ts_cursor *c, struct ts_insn *in) {
    uint32_t gpr;
    bool relative;
    if (!ts_parse_register(c, &gpr, &relative)) return false;
    return ts_put(c, in, TS_RW_GPR, gpr) && ts_put(c, in, TS_RW_REL, relative);
}

static bool parse_export(struct ts_cursor *c, struct ts_insn *in) {
    uint8_t sel[4];
    if (!ts_expect(c, ":") || !parse_export_target(c, in) || !ts_expect(c, ",") || !parse_stored(c, in) ||
        !ts_parse_swizzle(c, 4, sel))
        return false;
    return ts_put(c, in, TS_SEL_X, sel[0]) && ts_put(c, in, TS_SEL_Y, sel[1]) &&
           ts_put(c, in, TS_SEL_Z, sel[2]) && ts_put(c, in, TS_SEL_W, sel[3]);
}

static bool parse_masked(struct ts_cursor *c, struct ts_insn *in) {
    uint8_t sel[4];
    uint32_t mask = 0;
    if (!parse_stored(c, in) || !ts_parse_swizzle(c, 4, sel)) return false;
    for (unsigned i = 0; i < 4; i++) {
        if (sel[i] != i && sel[i] != 7)
            return ts_fail(c, "components are written in their own places: x y z w or _");
        mask |= (sel[i] == i) << i;
    }
    return ts_put(c, in, TS_COMP_MASK, mask);
}

static bool parse_memory(struct ts_cursor *c, struct ts_insn *in) {
    uint32_t base, index;
    if (!ts_expect(c, ":") || !ts_expect(c, "[") || !ts_number(c, &base) ||
        !ts_put(c, in, TS_ARRAY_BASE, base))
        return false;
    if (ts_accept(c, "+R") && !(ts_number(c, &index) && ts_put(c, in, TS_INDEX_GPR, index))) return false;
    return ts_expect(c, "]") && ts_expect(c, ",") && parse_masked(c, in);
}

static bool parse_rat(struct ts_cursor *c, struct ts_insn *in) {
    const char *name;
    const struct ts_row *other;
    enum ts_space space;
    uint32_t op, id, index;
    if (!ts_expect(c, ":")) return false;
    const size_t n = ts_word(c, &name);
    const struct ts_row *row = ts_find_row(c->family, 1 << TS_RAT_SPACE, name, n, &other);
    if (row)
        op = row->op[c->family] - 1u;
    else if (!ts_numbered(name, n, 1 << TS_RAT_SPACE, &space, &op))
        return ts_fail(c, "%s has no RAT operation '%.*s'", c->chip->name, (int)n, name);
    return ts_put(c, in, TS_RAT_INST, op) && ts_expect(c, ",") && ts_expect(c, "RAT(") && ts_number(c, &id) &&
           ts_put(c, in, TS_RAT_ID, id) && ts_expect(c, ")[R") && ts_number(c, &index) &&
           ts_put(c, in, TS_INDEX_GPR, index) && ts_expect(c, "]") && ts_expect(c, ",") &&
           parse_masked(c, in);
}

static bool parse_operands(struct ts_cursor *c, struct ts_insn *in) {
    switch (in->format->id) {
    case TSF_CF_ALLOC_EXPORT_SWIZ: return parse_export(c, in);
    case TSF_CF_ALLOC_EXPORT_BUF: return parse_memory(c, in);
    case TSF_CF_ALLOC_EXPORT_RAT: return parse_rat(c, in);
    default: ts_accept(c, ":"); return true;
    }
}

bool ts_parse_cf(struct ts_cursor *c, struct ts_cf_line *out) {
    *out = (struct ts_cf_line){.count = 0};
    const struct ts_row *other;
    // As LLVM calls a NOP that ends the program.
    if (c->family != TS_CAYMAN && ts_accept(c, "CF_END")) {
        ts_begin(c->family, ts_find_row(c->family, CF_SPACES, "NOP", 3, &other), &out->insn);
        ts_set(&out->insn, TS_END_OF_PROGRAM, 1);
    } else if (!parse_mnemonic(c, CF_SPACES, &out->insn))
        return false;
    ts_set(&out->insn, TS_BARRIER, 1);
    if (!parse_operands(c, &out->insn)) return false;
    while (!ts_at_end(c))
        if (!parse_cf_attribute(c, out)) return ts_fail(c, "this is no attribute of the instruction");
    return !*c->why;
}

// ---- Fetches ----

static bool parse_destination(struct ts_cursor *c, struct ts_insn *in) {
    uint32_t n;
    bool relative = false;
    uint8_t sel[4];
    if (ts_width(in, TS_SEMANTIC_ID)) {
        if (!ts_expect(c, "SEM(") || !ts_number(c, &n) || !ts_put(c, in, TS_SEMANTIC_ID, n) ||
            !ts_expect(c, ")"))
            return false;
    } else if (!ts_parse_register(c, &n, &relative) || !ts_put(c, in, TS_DST_GPR, n) ||
               (relative && !ts_put(c, in, TS_DST_REL, 1)))
        return false;
    if (!ts_width(in, TS_DST_SEL_X)) return true;
    return ts_parse_swizzle(c, 4, sel) && ts_put(c, in, TS_DST_SEL_X, sel[0]) &&
           ts_put(c, in, TS_DST_SEL_Y, sel[1]) && ts_put(c, in, TS_DST_SEL_Z, sel[2]) &&
           ts_put(c, in, TS_DST_SEL_W, sel[3]);
}

static bool parse_index(struct ts_cursor *c, struct ts_insn *in) {
    uint32_t gpr;
    bool relative;
    uint8_t sel[4] = {0};
    if (!ts_parse_register(c, &gpr, &relative) || !ts_put(c, in, TS_SRC_GPR, gpr) ||
        !ts_put(c, in, TS_SRC_REL, relative) || !ts_parse_swizzle(c, 1, sel))
        return false;
    return ts_put(c, in, TS_SRC_SEL_X, sel[0]);
}

static bool parse_vertex(struct ts_cursor *c, struct ts_insn *in) {
    uint32_t buffer;
    return parse_destination(c, in) && ts_expect(c, ",") && parse_index(c, in) && ts_expect(c, ",") &&
           ts_expect(c, "b") && ts_number(c, &buffer) && ts_put(c, in, TS_BUFFER_ID, buffer);
}

static bool parse_texture(struct ts_cursor *c, struct ts_insn *in) {
    uint32_t gpr, resource, sampler;
    bool relative;
    uint8_t sel[4];
    for (unsigned i = 0; i < 4; i++)
        ts_set(in, (enum ts_field[]){TS_COORD_TYPE_X, TS_COORD_TYPE_Y, TS_COORD_TYPE_Z, TS_COORD_TYPE_W}[i],
               1);
    return parse_destination(c, in) && ts_expect(c, ",") && ts_parse_register(c, &gpr, &relative) &&
           ts_put(c, in, TS_SRC_GPR, gpr) && ts_put(c, in, TS_SRC_REL, relative) &&
           ts_parse_swizzle(c, 4, sel) && ts_put(c, in, TS_SRC_SEL_X, sel[0]) &&
           ts_put(c, in, TS_SRC_SEL_Y, sel[1]) && ts_put(c, in, TS_SRC_SEL_Z, sel[2]) &&
           ts_put(c, in, TS_SRC_SEL_W, sel[3]) && ts_expect(c, ",") && ts_expect(c, "t") &&
           ts_number(c, &resource) && ts_put(c, in, TS_RESOURCE_ID, resource) && ts_expect(c, ",") &&
           ts_expect(c, "s") && ts_number(c, &sampler) && ts_put(c, in, TS_SAMPLER_ID, sampler);
}

static bool parse_unnormalised(struct ts_cursor *c, struct ts_insn *in) {
    static const enum ts_field types[4] = {TS_COORD_TYPE_X, TS_COORD_TYPE_Y, TS_COORD_TYPE_Z,
                                           TS_COORD_TYPE_W};
    for (; c->p < c->end && *c->p != ')'; c->p++) {
        const char *l = memchr("xyzw", *c->p, 4);
        if (!l) return ts_fail(c, "expected letters of coordinates: x y z w");
        ts_set(in, types[l - "xyzw"], 0);
    }
    return ts_expect(c, ")");
}

static bool parse_memory_read(struct ts_cursor *c, struct ts_insn *in) {
    uint32_t base;
    return parse_destination(c, in) && ts_expect(c, ",") && ts_expect(c, "[") && ts_number(c, &base) &&
           ts_put(c, in, TS_ARRAY_BASE, base) && ts_expect(c, "+") && parse_index(c, in) && ts_expect(c, "]");
}

static bool parse_data(struct ts_cursor *c, struct ts_insn *in) {
    static const enum ts_field fields[4] = {TS_SRC_SEL_X, TS_SRC_SEL_Y, TS_SRC_SEL_Z, TS_SRC_SEL_W};
    uint32_t gpr;
    bool relative;
    uint8_t sel[4];
    if (!ts_parse_register(c, &gpr, &relative) || !ts_put(c, in, TS_SRC_GPR, gpr)) return false;
    if (relative) return ts_fail(c, "this register is not relative");
    if (!ts_width(in, TS_SRC_SEL_Z)) return true;
    unsigned count = 0;
    while (count < 4 && ts_width(in, fields[count])) count++;
    if (!ts_parse_swizzle(c, count, sel)) return false;
    for (unsigned i = 0; i < count; i++)
        if (!ts_put(c, in, fields[i], sel[i])) return false;
    return true;
}

static bool parse_fetch_operands(struct ts_cursor *c, struct ts_insn *in) {
    switch (in->format->id) {
    case TSF_VTX_GPR:
    case TSF_VTX_SEM: return parse_vertex(c, in);
    case TSF_TEX: return parse_texture(c, in);
    case TSF_MEM_RD: return parse_memory_read(c, in);
    case TSF_MEM_DSW: return parse_data(c, in);
    default: return parse_destination(c, in) && ts_expect(c, ",") && parse_data(c, in);
    }
}

bool ts_parse_fetch(struct ts_cursor *c, struct ts_insn *out) {
    if (!parse_mnemonic(c, FETCH_SPACES, out) || !parse_fetch_operands(c, out)) return false;
    while (!ts_at_end(c)) {
        if (ts_accept(c, "UNNORM(")) {
            if (!parse_unnormalised(c, out)) return false;
        } else if (!ts_parse_field(c, out))
            return ts_fail(c, "this is no attribute of the instruction");
    }
    return true;
}
