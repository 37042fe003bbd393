// SPDX-License-Identifier: MIT
// Reading lines: words, numbers, names of operations, attributes.
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "terascale/text/parse.h"

bool ts_fail(struct ts_cursor *c, const char *format, ...) {
    if (*c->why) return false;
    va_list args;
    va_start(args, format);
    vsnprintf(c->why, sizeof c->why, format, args);
    va_end(args);
    c->at = c->p;
    return false;
}

void ts_skip(struct ts_cursor *c) {
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\t' || *c->p == '\r')) c->p++;
}

bool ts_at_end(struct ts_cursor *c) {
    ts_skip(c);
    return c->p == c->end;
}

bool ts_accept(struct ts_cursor *c, const char *text) {
    const size_t n = strlen(text);
    ts_skip(c);
    if ((size_t)(c->end - c->p) < n || memcmp(c->p, text, n)) return false;
    c->p += n;
    return true;
}

bool ts_expect(struct ts_cursor *c, const char *text) {
    return ts_accept(c, text) || ts_fail(c, "expected '%s'", text);
}

size_t ts_word(struct ts_cursor *c, const char **begin) {
    ts_skip(c);
    *begin = c->p;
    while (c->p < c->end && (isalnum((unsigned char)*c->p) || *c->p == '_' || *c->p == '.')) c->p++;
    return (size_t)(c->p - *begin);
}

static int digit(char ch) {
    if (ch >= '0' && ch <= '9') return ch - '0';
    ch |= 32;
    return ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : 99;
}

bool ts_number(struct ts_cursor *c, uint32_t *out) {
    ts_skip(c);
    const char *p = c->p;
    const bool negative = p < c->end && *p == '-';
    p += negative;
    const bool hex = c->end - p > 1 && p[0] == '0' && (p[1] | 32) == 'x';
    if (hex) p += 2;
    const char *first = p;
    uint64_t v = 0;
    for (; p < c->end && digit(*p) < (hex ? 16 : 10); p++) {
        v = v * (hex ? 16 : 10) + (unsigned)digit(*p);
        if (v > 0xffffffffu) return ts_fail(c, "a number over 32 bits");
    }
    if (p == first) return ts_fail(c, "expected a number");
    *out = (uint32_t)(negative ? -v : v);
    c->p = p;
    return true;
}

bool ts_put(struct ts_cursor *c, struct ts_insn *in, enum ts_field f, uint32_t value) {
    const unsigned width = ts_width(in, f);
    if (!width)
        return value == ts_default(f) || ts_fail(c, "%s is no field of this instruction", ts_field_text[f]);
    if (width < 32 && value >> width)
        return ts_fail(c, "%s is %u, and goes up to %u", ts_field_text[f], value, (1u << width) - 1);
    ts_set(in, f, value);
    return true;
}

// ---- Operations ----

static bool is(const char *name, const char *text, size_t length) {
    return name && strlen(name) == length && !memcmp(name, text, length);
}

const struct ts_row *ts_find_row(enum ts_family family, unsigned spaces, const char *name, size_t length,
                                 const struct ts_row **other) {
    const struct ts_row *found = NULL;
    *other = NULL;
    for (unsigned pass = 0; pass < 2; pass++) // AMD's names first: one may be another operation's in Mesa
        for (unsigned i = 0; i < TS_ROWS && !found; i++) {
            const struct ts_row *r = &ts_rows[i];
            if (!(spaces >> r->space & 1) || !is(pass ? r->id : ts_row_name(r), name, length)) continue;
            if (r->op[family])
                found = r;
            else
                *other = r;
        }
    return found;
}

bool ts_numbered(const char *name, size_t length, unsigned spaces, enum ts_space *space, uint32_t *op) {
    for (unsigned s = 0; s < TS_SPACES; s++) {
        const char *prefix = ts_space_prefix[s];
        const size_t n = strlen(prefix);
        if (!(spaces >> s & 1) || length < n + 3 || length > n + 6 || memcmp(name, prefix, n) ||
            memcmp(name + n, "0x", 2))
            continue;
        uint32_t v = 0;
        for (size_t i = n + 2; i < length; i++) {
            if (digit(name[i]) > 15) return false;
            v = v << 4 | (unsigned)digit(name[i]);
        }
        *space = (enum ts_space)s;
        *op = v;
        return true;
    }
    return false;
}

bool ts_known_name(const struct ts_cursor *c, unsigned spaces) {
    struct ts_cursor copy = *c;
    const char *name;
    const struct ts_row *other;
    enum ts_space space;
    uint32_t op;
    const size_t n = ts_word(&copy, &name);
    return ts_find_row(c->family, spaces, name, n, &other) || other ||
           ts_numbered(name, n, spaces, &space, &op);
}

// ---- Attributes ----

bool ts_parse_value(struct ts_cursor *c, enum ts_field f, uint32_t *out) {
    if (!ts_expect(c, "(")) return false;
    const char *const begin = c->p, *name;
    const size_t n = ts_word(c, &name);
    const int number = n ? ts_value_number(ts_field_values[f], name, n) : -1;
    if (number >= 0)
        *out = (uint32_t)number;
    else {
        c->p = begin;
        if (!ts_number(c, out)) return false;
    }
    return ts_expect(c, ")");
}

static bool parse_reserved(struct ts_cursor *c, struct ts_insn *in, unsigned word) {
    uint32_t v;
    if (!ts_expect(c, "(") || !ts_number(c, &v) || !ts_expect(c, ")")) return false;
    if (word >= in->format->words || v & ~in->format->reserved[word])
        return ts_fail(c, "these are no reserved bits of dword %u", word);
    in->w[word] |= v;
    return true;
}

bool ts_parse_field(struct ts_cursor *c, struct ts_insn *in) {
    const char *const before = c->p, *name;
    const size_t n = ts_word(c, &name);
    if (n == 9 && !memcmp(name, "RESERVED", 8) && isdigit((unsigned char)name[8]))
        return parse_reserved(c, in, (unsigned)(name[8] - '0'));
    for (unsigned f = 0; f < TS_FIELDS && n; f++) {
        if (!ts_width(in, f) || !is(ts_field_text[f], name, n)) continue;
        uint32_t v = !ts_default(f);
        ts_skip(c);
        if (c->p < c->end && *c->p == '(' && !ts_parse_value(c, f, &v)) return false;
        return ts_put(c, in, f, v);
    }
    c->p = before;
    return false;
}

bool ts_parse_swizzle(struct ts_cursor *c, unsigned count, uint8_t sel[4]) {
    static const char letters[] = "xyzw016_";
    for (unsigned i = 0; i < count; i++) sel[i] = (uint8_t)i;
    if (c->p >= c->end || *c->p != '.') return true;
    c->p++;
    for (unsigned i = 0; i < count; i++) {
        const char *l = c->p < c->end ? memchr(letters, *c->p, 8) : NULL;
        if (!l) return ts_fail(c, "expected %u of the letters x y z w 0 1 _", count);
        sel[i] = (uint8_t)(l - letters);
        c->p++;
    }
    return true;
}

bool ts_parse_register(struct ts_cursor *c, uint32_t *gpr, bool *relative) {
    if (!ts_accept(c, "R")) return ts_fail(c, "expected a register");
    *relative = c->p < c->end && *c->p == '[';
    if (!*relative) {
        if (c->p >= c->end || !isdigit((unsigned char)*c->p))
            return ts_fail(c, "expected the register's number");
        return ts_number(c, gpr);
    }
    return ts_expect(c, "[AL+") && ts_number(c, gpr) && ts_expect(c, "]");
}
