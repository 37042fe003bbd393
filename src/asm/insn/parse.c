// SPDX-License-Identifier: MIT
// A statement into operands and modifiers. No instruction is known here: a name that is a modifier's is one,
// a name that is a register's is one, anything else stays a word or becomes an expression of the host.
#include "asm/insn/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/insn/register.h"

static const uint8_t modifier_kinds[MODIFIERS] = {
#define MODIFIER(id, name, kind) kind,
#include "asm/insn/modifiers.def"
#undef MODIFIER
};
static const uint8_t modifier_lengths[MODIFIERS] = {
#define MODIFIER(id, name, kind) sizeof name - 1,
#include "asm/insn/modifiers.def"
#undef MODIFIER
};

// digits '.' digits, or an exponent: a floating-point number, with its sign.
static bool parse_float(const char **at, const char *end, struct parsed *out) {
    const char *p = *at;
    if (p < end && *p == '-') p++;
    if (p >= end || (!is_digit(*p) && *p != '.')) return false;
    if (end - p > 1 && *p == '0' && (p[1] | 32) == 'x') return false;
    const char *digits = p;
    while (p < end && is_digit(*p)) p++;
    bool real = false;
    if (p < end && *p == '.') {
        real = true;
        for (p++; p < end && is_digit(*p);) p++;
    }
    if (p < end && (*p | 32) == 'e') {
        const char *e = p + 1;
        if (e < end && (*e == '-' || *e == '+')) e++;
        if (e < end && is_digit(*e)) {
            real = true;
            for (p = e; p < end && is_digit(*p);) p++;
        }
    }
    if (!real || p - digits < 2 || p - *at > 120 || (p < end && is_name_char(*p))) return false;
    // Without its point, so that the host program's locale does not matter: 12.5e3 is 125e2.
    char copy[160];
    size_t n = 0;
    long fraction = 0, exponent = 0;
    bool behind_point = false;
    for (const char *c = *at; c < p; c++) {
        if ((*c | 32) == 'e') {
            const char *e = c + 1; // to p and no further: the text has no end of its own
            bool down = e < p && *e == '-';
            for (e += e < p && !is_digit(*e); e < p && exponent < 99999; e++)
                exponent = exponent * 10 + (*e - '0');
            if (down) exponent = -exponent;
            break;
        }
        if (*c == '.')
            behind_point = true;
        else
            copy[n++] = *c, fraction += behind_point;
    }
    snprintf(copy + n, sizeof copy - n, "e%ld",
             (exponent > 99999    ? 99999
              : exponent < -99999 ? -99999
                                  : exponent) -
                 fraction);
    double d = strtod(copy, NULL);
    memcpy(&out->number, &d, sizeof d);
    out->kind = PARSED_FLOAT;
    *at = p;
    return true;
}

// ---- Operands ----

static const char *closing(const char *p, const char *end) { // behind the parenthesis that p opens, or NULL
    int depth = 0;
    bool quoted = false;
    for (; p < end; p++) {
        if (*p == '"') quoted = !quoted;
        if (quoted) continue;
        if (*p == '(') depth++;
        if (*p == ')' && !--depth) return p + 1;
    }
    return NULL;
}

static bool parse_expression(struct statement *st, const char **at, struct parsed *out) {
    struct mc_value v;
    if (!st->host->expression(st->host->context, at, st->end, &v)) return false;
    out->kind = v.expr ? PARSED_EXPR : PARSED_NUMBER;
    out->number = v.number;
    out->expr = v.expr;
    out->label = v.label;
    return true;
}

// vmcnt(0) & lgkmcnt(0), hwreg(...): one operand, read later by what the instruction expects.
static bool parse_calls(struct statement *st, const char *name_end, const char **at, struct parsed *out) {
    out->kind = PARSED_CALL;
    for (;;) {
        const char *close = closing(name_end, st->end);
        if (!close) return asm_fail(st->host, name_end, "expected a closing parenthesis");
        *at = close;
        const char *p = skip_spaces(close, st->end);
        if (p < st->end && (*p == '&' || *p == ',' || *p == '|')) p = skip_spaces(p + 1, st->end);
        if (p >= st->end || !is_name_start(*p)) return true;
        name_end = skip_spaces(skip_name(p, st->end), st->end);
        if (name_end >= st->end || *name_end != '(') return true;
    }
}

// [v1, v2, s3]: consecutive registers are one tuple.
static bool parse_list(struct statement *st, const char **at, struct parsed *out) {
    const char *p = skip_spaces(*at + 1, st->end);
    unsigned first = st->listed, next = 0, dwords = 0;
    bool run = true;
    while (p < st->end && *p != ']') {
        struct parsed r = {0};
        int found = parse_register(st, p, st->end, &r);
        if (found < 0) return false;
        if (!found) return asm_fail(st->host, p, "expected a register");
        if (st->listed == MAX_LISTED) return asm_fail(st->host, p, "too many registers");
        if (!r.dwords) r.dwords = 1;
        run &= st->listed == first || r.code == next;
        next = r.code + r.dwords;
        dwords += r.dwords;
        st->list[st->listed].code = r.code;
        st->list[st->listed++].dwords = r.dwords;
        p = skip_spaces(r.end, st->end);
        if (p < st->end && *p == ',')
            p = skip_spaces(p + 1, st->end);
        else if (p >= st->end || *p != ']')
            return asm_fail(st->host, p, "expected a comma or a closing square bracket");
    }
    if (p >= st->end || st->listed == first) return asm_fail(st->host, p, "expected a register");
    *at = p + 1;
    out->first = (uint8_t)first;
    out->count = (uint8_t)(st->listed - first);
    out->kind = run && dwords <= 32 ? PARSED_REGISTER : PARSED_LIST;
    out->code = st->list[first].code;
    out->dwords = (uint8_t)dwords;
    return true;
}

static bool parse_plain(struct statement *st, const char **at, struct parsed *out) {
    const char *p = *at, *end = st->end;
    if (p >= end) return asm_fail(st->host, p, "expected an operand");
    if (*p == '[') return parse_list(st, at, out);
    if (*p == '{') { // {id: 1, offset: 2, size: 3}
        while (p < end && *p != '}') p++;
        if (p >= end) return asm_fail(st->host, p, "expected a closing brace");
        out->kind = PARSED_CALL;
        *at = p + 1;
        return true;
    }
    if (*p == '.' && end - p > 1 && is_digit(p[1]) && parse_float(at, end, out)) return true;
    if (is_name_start(*p)) {
        int found = parse_register(st, p, end, out);
        if (found < 0) return false;
        if (found) {
            *at = out->end;
            return true;
        }
        const char *name_end = skip_name(p, end), *q = skip_spaces(name_end, end);
        if (q < end && *q == '(') {
            bool wide = text_is(p, name_end, "lit64"); // which matters to numbers that only 64 bits can hold
            if (wide || text_is(p, name_end, "lit")) {
                *at = skip_spaces(q + 1, end);
                out->lit = true;
                out->lit64 = wide;
                if (!parse_float(at, end, out) && !parse_expression(st, at, out)) return false;
                *at = skip_spaces(*at, end);
                if (*at >= end || **at != ')')
                    return asm_fail(st->host, *at, "expected a closing parenthesis");
                ++*at;
                return true;
            }
            return parse_calls(st, q, at, out);
        }
        // '|' may be the end of an absolute value.
        if (q < end && (*q != '|' || !st->bars) && scan_operator(*q)) return parse_expression(st, at, out);
        out->kind = PARSED_WORD;
        *at = name_end;
        return true;
    }
    if (scan_integer(at, end, st->bars, &out->number)) {
        out->kind = PARSED_NUMBER;
        return true;
    }
    if (parse_float(at, end, out)) return true;
    return parse_expression(st, at, out);
}

static bool is_register_start(struct statement *st, const char *p) {
    struct parsed ignored;
    p = skip_spaces(p, st->end);
    if (p >= st->end) return false;
    if (*p == '|' || *p == '[') return true;
    const char *name_end = skip_name(p, st->end), *q = skip_spaces(name_end, st->end);
    if (q < st->end && *q == '(')
        return text_is(p, name_end, "abs") || text_is(p, name_end, "sext") || text_is(p, name_end, "neg") ||
               text_is(p, name_end, "lit"); // as disassemblers write it; llvm-mc reads neg(lit(..)) alone
    if (!is_name_start(*p)) return false;
    if (q < st->end && *q == '[') return true; // its index may be an expression: looked at once only
    st->trying = true;
    bool found = parse_register(st, p, st->end, &ignored) != 0;
    st->trying = false;
    return found;
}

static bool expect(struct statement *st, const char **at, char c, const char *what) {
    *at = skip_spaces(*at, st->end);
    if (*at >= st->end || **at != c) return asm_fail(st->host, *at, "expected %s", what);
    ++*at;
    return true;
}

static bool parse_operand(struct statement *st, const char **at, struct parsed *out) {
    *out = (struct parsed){.at = *at};
    const char *p = *at, *end = st->end;
    unsigned parentheses = 0;
    bool bar = false, minus = false;
    for (;;) { // modifiers outside in: neg( or -, then sext(, abs( or |
        p = skip_spaces(p, end);
        if (p < end && *p == '-' && !out->neg && is_register_start(st, p + 1)) {
            out->neg = minus = true;
            p++;
        } else if (p < end && *p == '|' && !bar && !out->abs) {
            out->abs = bar = st->bars = true;
            p++;
        } else if (p < end && is_name_start(*p)) {
            const char *name_end = skip_name(p, end), *q = skip_spaces(name_end, end);
            if (q >= end || *q != '(') break;
            bool *which = text_is(p, name_end, "neg")    ? &out->neg
                          : text_is(p, name_end, "abs")  ? &out->abs
                          : text_is(p, name_end, "sext") ? &out->sext
                                                         : NULL;
            if (!which) break;
            if (which == &out->neg && out->abs)
                return asm_fail(st->host, p, "neg stands outside of abs: expected a register or a number");
            if (*which)
                return asm_fail(st->host, p,
                                minus ? "expected register or immediate" : "a modifier may be given once");
            *which = true;
            parentheses++;
            p = q + 1;
        } else
            break;
    }
    p = skip_spaces(p, end);
    if (!parse_plain(st, &p, out)) return false;
    st->bars = false;
    if (bar && !expect(st, &p, '|', "a vertical bar")) return false;
    while (parentheses--)
        if (!expect(st, &p, ')', "a closing parenthesis")) return false;
    out->end = p;
    *at = p;
    return true;
}

// ---- Modifiers ----

static int find_modifier(const char *at, size_t length) {
    for (int i = 0; i < MODIFIERS; i++)
        if (modifier_lengths[i] == length && modifier_names[i][0] == *at &&
            !memcmp(modifier_names[i], at, length))
            return i;
    return -1;
}

static bool parse_elements(struct statement *st, const char **at, struct modifier *m, unsigned width) {
    if (!expect(st, at, '[', "an opening square bracket")) return false;
    for (;;) {
        int64_t v;
        const char *where = *at = skip_spaces(*at, st->end);
        if (!parse_absolute(st->host, at, st->end, &v)) return false;
        if (v < 0 || v >> width)
            return asm_fail(st->host, where, "%s: expected %s, found %lld", modifier_names[m->id],
                            width == 1   ? "0 or 1"
                            : width == 2 ? "a number from 0 to 3"
                                         : "a number from 0 to 7",
                            (long long)v);
        if (m->count >= 8) return asm_fail(st->host, where, "%s: too many elements", modifier_names[m->id]);
        m->value |= v << (width * m->count++);
        *at = skip_spaces(*at, st->end);
        if (*at < st->end && **at == ',')
            ++*at;
        else
            return expect(st, at, ']', "a comma or a closing square bracket");
    }
}

static bool parse_word_value(struct statement *st, const char **at, struct modifier *m) {
    const char *p = *at;
    m->is_text = true;
    if (p < st->end && *p == '[') {
        while (p < st->end && *p != ']') p++;
        if (p >= st->end) return asm_fail(st->host, p, "expected a closing square bracket");
        *at = p + 1;
        return true;
    }
    if (p < st->end && is_name_start(*p)) {
        const char *name_end = skip_name(p, st->end);
        *at = name_end;
        return true;
    }
    if (m->id == M_dim && p < st->end && is_digit(*p) && skip_name(p, st->end) > p) { // dim:2D
        *at = skip_name(p, st->end);
        return true;
    }
    m->is_text = false;
    return parse_absolute(st->host, at, st->end, &m->value);
}

static bool parse_modifier(struct statement *st, int id, const char *start, const char **at) {
    if (st->modifiers == MAX_MODIFIERS) return asm_fail(st->host, start, "too many modifiers");
    struct modifier *m = &st->modifier[st->modifiers++];
    *m = (struct modifier){.id = (uint8_t)id, .start = start, .value = 0};
    if (st->present[id >> 6] >> (id & 63) & 1)
        return asm_fail(st->host, start, "%s is given twice", modifier_names[id]);
    st->present[id >> 6] |= 1ull << (id & 63);
    *at = m->at = skip_spaces(*at, st->end);
    bool ok = true;
    switch (modifier_kinds[id]) {
    case MOD_INT:
        if (id == M_offset && st->end - *at > 8 && !memcmp(*at, "swizzle", 7)) {
            const char *open = skip_spaces(*at + 7, st->end);
            m->is_text = true;
            *at = open < st->end && *open == '(' ? closing(open, st->end) : NULL;
            if (!*at) return asm_fail(st->host, open, "expected a closing parenthesis");
        } else
            ok = parse_absolute(st->host, at, st->end, &m->value);
        break;
    case MOD_BITS: ok = parse_elements(st, at, m, 1); break;
    case MOD_PERM: ok = parse_elements(st, at, m, id == M_dpp8 ? 3 : 2); break;
    default: ok = parse_word_value(st, at, m); break;
    }
    m->end = *at;
    return ok;
}

static bool is_flag(const struct statement *st, const char *p) {
    int id = find_modifier(p, (size_t)(skip_name(p, st->end) - p));
    return id >= 0 && modifier_kinds[id] == MOD_FLAG;
}

// A name at `p` that is a modifier. 1: taken; 0: it is not; -1: reported.
static int try_modifier(struct statement *st, const char **at) {
    const char *p = *at, *name_end = skip_name(p, st->end), *q = skip_spaces(name_end, st->end);
    int id = find_modifier(p, (size_t)(name_end - p));
    bool colon = q < st->end && *q == ':' && !(st->end - q > 1 && q[1] == ':');
    if (id >= 0 && modifier_kinds[id] != MOD_FLAG) {
        if (!colon) return 0;
        *at = q + 1;
        return parse_modifier(st, id, p, at) ? 1 : -1;
    }
    bool off = id < 0 && name_end - p > 2 && p[0] == 'n' && p[1] == 'o';
    if (off) id = find_modifier(p + 2, (size_t)(name_end - p - 2));
    if (off &&
        (id == M_offen || id == M_idxen || id == M_addr64 || id == M_lds || id == M_done || id == M_row_en))
        id = -1; // which choose an encoding
    if (id < 0 || modifier_kinds[id] != MOD_FLAG) {
        if (!colon) return 0;
        asm_fail(st->host, p, "no modifier is called '%.*s'", (int)(name_end - p < 40 ? name_end - p : 40),
                 p);
        return -1;
    }
    if (st->modifiers == MAX_MODIFIERS || st->present[id >> 6] >> (id & 63) & 1) {
        asm_fail(st->host, p, "%s is given twice", modifier_names[id]);
        return -1;
    }
    st->present[id >> 6] |= 1ull << (id & 63);
    st->modifier[st->modifiers++] =
        (struct modifier){.id = (uint8_t)id, .value = !off, .start = p, .at = p, .end = name_end};
    *at = name_end;
    return 1;
}

bool parse_statement(struct statement *st, const struct mc_mode *mode, const struct asm_host *host,
                     const char *text, const char *end, bool words) {
    st->words = words;
    st->mode = mode;
    st->host = host;
    st->end = end;
    st->operands = st->modifiers = st->listed = 0;
    st->present[0] = st->present[1] = 0;
    st->second = NULL;
    st->trying = st->bars = st->flag_due = false;
    const char *p = skip_spaces(text, end);
    st->text = st->name = p;
    if (p >= end || !is_name_start(*p)) return asm_fail(host, p, "expected an instruction");
    p = skip_name(p, end);
    st->name_length = (size_t)(p - st->name);
    bool comma = false;
    for (;;) {
        p = skip_spaces(p, end);
        if (p >= end) break;
        if (*p == ':' && end - p > 1 && p[1] == ':') {
            st->second = p + 2;
            break;
        }
        // a16 and scc are registers where an operand is due, else modifiers.
        bool due = comma || !st->operands;
        bool flag = due && is_flag(st, p);
        st->flag_due |= flag;
        if (is_name_start(*p) && !(due && (is_register_start(st, p) || (words && flag)))) {
            int taken = try_modifier(st, &p);
            if (taken < 0) return false;
            if (taken) goto next;
        }
        if (st->operands == MAX_OPERANDS) return asm_fail(host, p, "too many operands");
        if (!parse_operand(st, &p, &st->operand[st->operands])) return false;
        st->operands++;
    next:
        p = skip_spaces(p, end);
        comma = p < end && *p == ',';
        if (comma) p++;
    }
    return true;
}
