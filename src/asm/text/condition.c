// SPDX-License-Identifier: MIT
// .if and its kind, which alone are obeyed in text that is skipped.
#include <string.h>

#include "asm/text/unit.h"

static bool if_number(struct unit *u, struct slice name, const char *p, const char *end, bool *met) {
    static const char *const names[] = {".if", ".ifne", ".ifeq", ".iflt", ".ifle", ".ifgt", ".ifge"};
    int64_t v;
    unsigned which = 0;
    while (!slice_is(name, names[which])) which++;
    if (!unit_absolute(u, &p, end, &v) || !unit_end(u, p, end)) return false;
    const bool results[] = {v != 0, v != 0, v == 0, v<0, v <= 0, v> 0, v >= 0};
    *met = results[which];
    return true;
}

static bool if_defined(struct unit *u, const char *p, const char *end, bool wanted, bool *met) {
    struct slice name;
    if (!unit_name(u, &p, end, &name) || !unit_end(u, p, end)) return false;
    const struct symbol *s = symbol_find(&u->program->symbols, name.text, name.length);
    *met = (s && s->state != SYMBOL_UNDEFINED) == wanted;
    return true;
}

static bool if_blank(const char *p, const char *end, bool wanted, bool *met) {
    *met = (skip_space(p, end) == end) == wanted;
    return true;
}

static bool if_strings(struct unit *u, const char *p, const char *end, bool wanted, bool *met) {
    struct text a = {0}, b = {0};
    bool ok = unit_string(u, &p, end, &a);
    if (ok && !unit_comma(u, &p, end)) ok = unit_error(u, p, "expected comma after first string");
    ok = ok && unit_string(u, &p, end, &b) && unit_end(u, p, end);
    *met = ok && (a.length == b.length && (!a.length || !memcmp(a.data, b.data, a.length))) == wanted;
    text_free(&a);
    text_free(&b);
    return ok;
}

static struct slice trimmed(const char *p, const char *end) {
    p = skip_space(p, end);
    while (end > p && char_is(end[-1], CHAR_SPACE)) end--;
    return (struct slice){p, (size_t)(end - p)};
}

static bool if_text(struct unit *u, const char *p, const char *end, bool wanted, bool *met) {
    const char *comma = memchr(p, ',', (size_t)(end - p));
    if (!comma) return unit_error(u, end, "expected comma");
    struct slice a = trimmed(p, comma), b = trimmed(comma + 1, end);
    *met = (a.length == b.length && !memcmp(a.text, b.text, a.length)) == wanted;
    return true;
}

static bool begin_if(struct unit *u, struct slice name, const char *p, const char *end, bool *is_one,
                     bool *met, bool outer) {
    enum condition { NUMBER, DEFINED, BLANK, STRINGS, TEXT };
    static const struct {
        const char *name;
        enum condition kind;
        bool wanted;
    } ifs[] = {{".if", NUMBER, true},         {".ifne", NUMBER, true},    {".ifeq", NUMBER, true},
               {".iflt", NUMBER, true},       {".ifle", NUMBER, true},    {".ifgt", NUMBER, true},
               {".ifge", NUMBER, true},       {".ifdef", DEFINED, true},  {".ifndef", DEFINED, false},
               {".ifnotdef", DEFINED, false}, {".ifb", BLANK, true},      {".ifnb", BLANK, false},
               {".ifeqs", STRINGS, true},     {".ifnes", STRINGS, false}, {".ifc", TEXT, true},
               {".ifnc", TEXT, false}};
    *is_one = false;
    for (size_t i = 0; i < sizeof ifs / sizeof *ifs; i++) {
        if (!slice_is(name, ifs[i].name)) continue;
        *is_one = true;
        if (outer) return true;
        switch (ifs[i].kind) {
        case NUMBER: return if_number(u, name, p, end, met);
        case DEFINED: return if_defined(u, p, end, ifs[i].wanted, met);
        case BLANK: return if_blank(p, end, ifs[i].wanted, met);
        case STRINGS: return if_strings(u, p, end, ifs[i].wanted, met);
        case TEXT: return if_text(u, p, end, ifs[i].wanted, met);
        }
    }
    return true;
}

bool unit_condition(struct unit *u, struct slice name, const char *p, const char *end, bool *handled) {
    char second = name.text[1], third = name.text[2];
    if (!(second == 'i' && third == 'f') && !(second == 'e' && (third == 'l' || third == 'n'))) return true;
    struct conditional *top = u->conditions.count ? &u->conditions.items[u->conditions.count - 1] : NULL;
    bool met = false, is_if, outer = top && top->ignoring;
    bool ok = begin_if(u, name, p, end, &is_if, &met, outer);
    if (is_if) {
        *handled = true;
        struct conditional c = {.kind = COND_IF, .met = met, .ignoring = outer || !met, .outer = outer};
        return (array_push(&u->conditions, c) || program_no_memory(u->program)) && ok;
    }
    *handled = slice_is(name, ".else") || slice_is(name, ".elseif") || slice_is(name, ".endif");
    if (!*handled) return true;
    if (!top || (u->source && u->conditions.count <= u->source->conditions))
        return unit_error(u, name.text, "encountered %.*s that does not follow an .if", (int)name.length,
                          name.text);
    if (slice_is(name, ".endif")) {
        u->conditions.count--;
        return unit_end(u, p, end);
    }
    if (top->kind == COND_ELSE)
        return unit_error(u, name.text, "encountered %.*s behind .else", (int)name.length, name.text);
    top->ignoring = top->outer || top->met;
    if (slice_is(name, ".else")) {
        top->kind = COND_ELSE;
        top->met = true;
        return unit_end(u, p, end);
    }
    if (top->ignoring) return true;
    top->ignoring = false;
    ok = if_number(u, (struct slice){".if", 3}, p, end, &met);
    top->ignoring = !met;
    top->met |= met;
    return ok;
}
