// SPDX-License-Identifier: MIT
// Lines of ALU slots: "x: MUL_e R0.x, -R1.y, (0x40000000).x VEC_120".
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "terascale/text/parse.h"

enum { ALU_SPACES = 1 << TS_OP2_SPACE | 1 << TS_OP3_SPACE | 1 << TS_LDS_SPACE };

static const struct {
    enum ts_field sel, chan, rel, neg, abs;
} fields[3] = {{TS_SRC0_SEL, TS_SRC0_CHAN, TS_SRC0_REL, TS_SRC0_NEG, TS_SRC0_ABS},
               {TS_SRC1_SEL, TS_SRC1_CHAN, TS_SRC1_REL, TS_SRC1_NEG, TS_SRC1_ABS},
               {TS_SRC2_SEL, TS_SRC2_CHAN, TS_SRC2_REL, TS_SRC2_NEG, TS_FIELDS}};

// ---- Operands ----

static bool parse_channel(struct ts_cursor *c, uint32_t *out) {
    const char *l = c->end - c->p > 1 && *c->p == '.' ? memchr("xyzw", c->p[1], 4) : NULL;
    if (!l) return ts_fail(c, "expected a channel: .x .y .z or .w");
    *out = (uint32_t)(l - "xyzw");
    c->p += 2;
    return true;
}

static bool set_index(struct ts_cursor *c, struct ts_insn *in, bool *indexed, uint32_t mode) {
    if (*indexed && ts_get(in, TS_INDEX_MODE) != mode)
        return ts_fail(c, "the relative operands of a slot share one index");
    *indexed = true;
    return ts_put(c, in, TS_INDEX_MODE, mode);
}

// "5", "[5]", "[AR.x+5]" or "[AL+5]".
static bool parse_subscript(struct ts_cursor *c, struct ts_insn *in, bool *indexed, uint32_t *number,
                            bool *rel) {
    static const char *const names[8] = {"AR.x+", "AR.y+",   "AR.z+",        "AR.w+",
                                         "AL+",   "GLOBAL+", "GLOBAL_AR.x+", "INDEX7+"};
    *rel = false;
    if (c->p < c->end && *c->p != '[') return ts_number(c, number);
    if (!ts_expect(c, "[")) return false;
    for (uint32_t i = 0; i < 8 && !*rel; i++)
        if (ts_accept(c, names[i])) {
            *rel = true;
            if (!set_index(c, in, indexed, i)) return false;
        }
    return ts_number(c, number) && ts_expect(c, "]");
}

// Arrays that operands name: the first selector and how many.
struct array {
    const char *name;
    uint16_t first, count;
    uint8_t from, to; // families
};
static const struct array arrays[] = {
    {"R", 0, 128, TS_R600, TS_CAYMAN},
    {"KC0", TS_SEL_KC0, 32, TS_R600, TS_CAYMAN},
    {"KC1", TS_SEL_KC1, 32, TS_R600, TS_CAYMAN},
    {"KC2", TS_SEL_KC2, 32, TS_EVERGREEN, TS_CAYMAN},
    {"KC3", TS_SEL_KC3, 32, TS_EVERGREEN, TS_CAYMAN},
    {"Param", TS_SEL_PARAM, 32, TS_EVERGREEN, TS_CAYMAN},
    {"C", TS_SEL_KC2, 256, TS_R600, TS_R700},
};

static const struct array *find_array(struct ts_cursor *c) {
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        const struct array *a = &arrays[i];
        const size_t n = strlen(a->name);
        if (c->family < a->from || c->family > a->to || (size_t)(c->end - c->p) <= n ||
            memcmp(c->p, a->name, n))
            continue;
        if (c->p[n] != '[' && !isdigit((unsigned char)c->p[n])) continue;
        c->p += n;
        return a;
    }
    return NULL;
}

// "(0x40000000, 2f).x", "(2.0f)", "(7)"
static bool parse_literal(struct ts_cursor *c, struct ts_slot_line *out, unsigned k) {
    ts_skip(c);
    char copy[48] = {0}, *end;
    size_t n = 0;
    while (c->p + n < c->end && n < sizeof copy - 1 && !strchr("),", c->p[n])) n++;
    memcpy(copy, c->p, n);
    const bool real = strpbrk(copy, ".fni") && strncmp(copy, "0x", 2);
    if (real) {
        const float f = strtof(copy, &end);
        if (end == copy || (*end && strcmp(end, "f"))) return ts_fail(c, "this is no number");
        memcpy(&out->literal[k].value, &f, sizeof f);
        c->p += n;
    } else if (!ts_number(c, &out->literal[k].value))
        return false;
    while (c->p < c->end && *c->p != ')') c->p++; // the number once more as a float
    if (!ts_expect(c, ")")) return false;
    out->literal[k].used = true;
    out->literal[k].chan = -1;
    uint32_t chan;
    if (c->p < c->end && *c->p == '.') {
        if (!parse_channel(c, &chan)) return false;
        out->literal[k].chan = (int)chan;
    }
    return true;
}

// Constants and what else a selector may name: the channel behind it only where it is not x.
static bool parse_named(struct ts_cursor *c, uint32_t *sel, uint32_t *chan) {
    const char *name = c->p;
    *chan = 0;
    if (ts_accept(c, "SEL(")) {
        if (!ts_number(c, sel) || !ts_expect(c, ")")) return false;
    } else if (ts_accept(c, "LITERAL"))
        *sel = TS_SEL_LITERAL;
    else {
        // The longest prefix that is a name: "1.0.y" is 1.0 in channel y.
        size_t n = c->p < c->end && *c->p == '-';
        while (c->p + n < c->end && (isalnum((unsigned char)c->p[n]) || c->p[n] == '_' || c->p[n] == '.'))
            n++;
        int number = -1;
        for (; n && number < 0; n--) number = ts_source_number(c->family, name, n);
        if (number < 0) return ts_fail(c, "no operand is called so");
        *sel = (uint32_t)number;
        c->p += n + 1;
        // "PV0.x": which group it was does not matter.
        if (*sel == TS_SEL_PV || *sel == TS_SEL_PS)
            while (c->p < c->end && isdigit((unsigned char)*c->p)) c->p++;
    }
    return c->p >= c->end || *c->p != '.' || parse_channel(c, chan);
}

static bool parse_source(struct ts_cursor *c, struct ts_slot_line *out, unsigned k, bool *indexed) {
    struct ts_insn *in = &out->insn;
    uint32_t sel, chan = 0, number;
    bool rel = false;
    ts_skip(c);
    const bool minus_one =
        c->end - c->p >= 2 && !memcmp(c->p, "-1", 2) && (c->end - c->p < 4 || memcmp(c->p, "-1.0", 4));
    const bool neg = !minus_one && ts_accept(c, "-");
    const bool brace = neg && ts_accept(c, "{"), abs = ts_accept(c, "|");
    const struct array *a = find_array(c);
    if (a) {
        if (!parse_subscript(c, in, indexed, &number, &rel)) return false;
        if (number >= a->count) return ts_fail(c, "%s goes up to %u", a->name, a->count - 1u);
        sel = a->first + number;
        if (!parse_channel(c, &chan)) return false;
    } else if (ts_accept(c, "(")) {
        sel = TS_SEL_LITERAL;
        if (!parse_literal(c, out, k)) return false;
        if (out->literal[k].chan > 0) chan = (uint32_t)out->literal[k].chan;
    } else if (!parse_named(c, &sel, &chan))
        return false;
    if (!a && ts_accept(c, "+REL")) rel = true;
    if ((abs && !ts_expect(c, "|")) || (brace && !ts_expect(c, "}"))) return false;
    if (abs && fields[k].abs == TS_FIELDS) return ts_fail(c, "this operand has no absolute value");
    if (neg && !ts_width(in, fields[k].neg)) return ts_fail(c, "this operand cannot be negated");
    return ts_put(c, in, fields[k].sel, sel) && ts_put(c, in, fields[k].chan, chan) &&
           ts_put(c, in, fields[k].rel, rel) && ts_put(c, in, fields[k].neg, neg) &&
           (!abs || ts_put(c, in, fields[k].abs, 1));
}

static bool parse_destination(struct ts_cursor *c, struct ts_slot_line *out, bool *indexed) {
    static const char *const mova[4] = {"AR", "PC", "CF_IDX0", "CF_IDX1"};
    struct ts_insn *in = &out->insn;
    const uint32_t plain = out->unit == 't' ? 0 : (uint32_t)(strchr("xyzw", out->unit) - "xyzw");
    const bool op3 = in->format->id == TSF_ALU_OP3;
    uint32_t number, chan;
    bool rel;
    ts_set(in, TS_DST_CHAN, plain);
    if (in->row && in->row->flags & TS_MOVA && c->family == TS_CAYMAN)
        for (uint32_t i = 4; i-- > 0;)
            if (ts_accept(c, mova[i])) return ts_put(c, in, TS_DST_GPR, i);
    if (ts_accept(c, "____")) {
        if (op3) return ts_fail(c, "an operation with three sources always writes");
        if (!ts_accept(c, ":")) return true;
    } else if (!op3)
        ts_set(in, TS_WRITE_MASK, 1);
    if (!ts_expect(c, "R") || !parse_subscript(c, in, indexed, &number, &rel) || !parse_channel(c, &chan))
        return false;
    return ts_put(c, in, TS_DST_GPR, number) && ts_put(c, in, TS_DST_REL, rel) &&
           ts_put(c, in, TS_DST_CHAN, chan);
}

// ---- Operation and flags ----

static bool begin_numbered(struct ts_cursor *c, struct ts_insn *in, enum ts_space space, uint32_t op) {
    static const uint8_t formats[TS_SPACES] = {
        [TS_OP2_SPACE] = TSF_ALU_OP2, [TS_OP3_SPACE] = TSF_ALU_OP3, [TS_LDS_SPACE] = TSF_LDS_IDX_OP};
    const struct ts_format *format = ts_isas[c->family].formats[formats[space]];
    if (!format) return ts_fail(c, "%s has no such instructions", c->chip->name);
    *in = (struct ts_insn){.family = c->family, .format = format};
    if (space == TS_LDS_SPACE) ts_set(in, TS_ALU_INST, TS_LDS_ALU_INST);
    return ts_put(c, in, space == TS_LDS_SPACE ? TS_LDS_OP : TS_ALU_INST, op);
}

static bool parse_operation(struct ts_cursor *c, struct ts_insn *in) {
    const char *name;
    const struct ts_row *other, *row;
    enum ts_space space;
    uint32_t op;
    size_t n = ts_word(c, &name);
    if (!n) return ts_fail(c, "expected an operation");
    bool omod = false, clamp = false;
    row = ts_find_row(c->family, ALU_SPACES, name, n, &other);
    // "_sat" behind the name, or behind the modifier of the output.
    if (!row && n > 4 && !memcmp(name + n - 4, "_sat", 4)) {
        clamp = true;
        n -= 4;
        row = ts_find_row(c->family, ALU_SPACES, name, n, &other);
    }
    if (row) {
        if (!ts_begin(c->family, row, in)) return ts_fail(c, "no such operation");
    } else if (ts_numbered(name, n, ALU_SPACES, &space, &op)) {
        if (!begin_numbered(c, in, space, op)) return false;
    } else {
        c->p = name;
        return other ? ts_fail(c, "%s has no %.*s", c->chip->name, (int)n, name)
                     : ts_fail(c, "no operation '%.*s'", (int)n, name);
    }
    static const char *const suffixes[4] = {"", "*2", "*4", "/2"};
    for (uint32_t i = 1; i < 4 && !omod; i++)
        if (c->end - c->p >= 2 && !memcmp(c->p, suffixes[i], 2)) {
            omod = true;
            c->p += 2;
            if (!ts_put(c, in, TS_OMOD, i)) return false;
        }
    if (omod && c->end - c->p >= 4 && !memcmp(c->p, "_sat", 4)) clamp = true, c->p += 4;
    return !clamp || ts_put(c, in, TS_CLAMP, 1);
}

static bool parse_swizzle_name(struct ts_cursor *c, struct ts_slot_line *out) {
    const char *const before = c->p, *name;
    const size_t n = ts_word(c, &name);
    for (unsigned unit = 0; unit <= TS_UNIT_T; unit += TS_UNIT_T)
        for (unsigned i = 0; i < 6; i++) {
            const char *text = ts_swizzle_name(unit, i);
            if (!text || strlen(text) != n || memcmp(text, name, n)) continue;
            if ((unit == TS_UNIT_T) != (out->unit == 't'))
                return ts_fail(c, out->unit == 't' ? "slot t takes SCL_ swizzles"
                                                   : "slots x to w take VEC_ swizzles");
            out->swizzled = true;
            return ts_put(c, &out->insn, TS_BANK_SWIZZLE, i);
        }
    c->p = before;
    return false;
}

static bool parse_flag(struct ts_cursor *c, struct ts_slot_line *out, bool *indexed) {
    static const char *const mask_ops[4] = {"(DEACTIVATE)", "(BREAK)", "(CONTINUE)", "(KILL)"};
    struct ts_insn *in = &out->insn;
    if (ts_accept(c, "EXECUTE_MASK_OP")) {
        for (uint32_t i = 0; i < 4; i++)
            if (ts_accept(c, mask_ops[i])) return ts_put(c, in, TS_OMOD, i);
        return ts_fail(c, "expected (DEACTIVATE), (BREAK), (CONTINUE) or (KILL)");
    }
    if (ts_accept(c, "PRED_SEL_ZERO")) return ts_put(c, in, TS_PRED_SEL, 2);
    if (ts_accept(c, "PRED_SEL_ONE")) return ts_put(c, in, TS_PRED_SEL, 3);
    if (ts_accept(c, "SRC")) {
        uint32_t k;
        if (!ts_number(c, &k)) return false;
        if (k > 2 || !ts_width(in, fields[k].sel)) return ts_fail(c, "this operation has no SRC%u", k);
        return ts_expect(c, "(") && parse_source(c, out, k, indexed) && ts_expect(c, ")");
    }
    if (parse_swizzle_name(c, out)) return true;
    if (*c->why) return false;
    if (ts_accept(c, "BANK_SWIZZLE")) {
        out->swizzled = true;
        c->p -= strlen("BANK_SWIZZLE");
    }
    return ts_parse_field(c, in);
}

bool ts_parse_slot(struct ts_cursor *c, struct ts_slot_line *out) {
    bool indexed = false;
    *out = (struct ts_slot_line){.unit = *c->p};
    c->p += 2; // "x:", which the caller has seen
    if (!parse_operation(c, &out->insn)) return false;
    const struct ts_insn *in = &out->insn;
    const bool lds = in->format->id == TSF_LDS_IDX_OP;
    const unsigned sources = in->row ? in->row->sources : in->format->id == TSF_ALU_OP2 ? 2 : 3;
    if (!lds && !parse_destination(c, out, &indexed)) return false;
    if (lds) {
        if (out->unit == 't') return ts_fail(c, "slot t has no access to LDS");
        ts_set(&out->insn, TS_DST_CHAN, (uint32_t)(strchr("xyzw", out->unit) - "xyzw"));
    }
    for (unsigned k = 0; k < sources; k++)
        if (((k || !lds) && !ts_expect(c, ",")) || !parse_source(c, out, k, &indexed)) return false;
    while (!ts_at_end(c))
        if (!parse_flag(c, out, &indexed)) return ts_fail(c, "this is no attribute of the operation");
    return !*c->why;
}
