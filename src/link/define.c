// SPDX-License-Identifier: MIT
// Symbols that the caller defines, NAME=EXPRESSION: sums and differences of numbers and symbols. A symbol
// that goes into the sum once makes the new one lie in its section; otherwise it is a number.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "link/link.h"

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("_.$@", c));
}

static const char *skip(const char *p) { return p + strspn(p, " \t"); }

static const char *bad(struct link *l, const char *text, const char *why) {
    link_error(l, NULL, NULL, "definition '%s': %s", text, why);
    return NULL;
}

// Names of symbols are kept, as strings.
static struct link_symbol *symbol_named(struct link *l, const char *name, size_t length) {
    struct link_symbol *known = global_find(l, name, length);
    if (known) return known;
    const char *copy = arena_copy(&l->arena, name, length);
    if (!copy) return link_no_memory(l), NULL;
    return global_insert(l, copy, length);
}

// A number or a symbol; returns what follows it, NULL after an error.
static const char *read_term(struct link *l, struct definition *d, const char *p, bool minus) {
    const char *start = p;
    while (is_name(*p)) p++;
    if (p == start) return bad(l, d->text, "expected a number or a symbol");
    if (*start >= '0' && *start <= '9') {
        char *end;
        errno = 0;
        uint64_t n = strtoull(start, &end, 0);
        if (end != p || errno) return bad(l, d->text, "not a number");
        d->number += minus ? -n : n;
        return p;
    }
    if (d->term_count == DEFINITION_TERMS) return bad(l, d->text, "too many symbols");
    struct link_symbol *s = symbol_named(l, start, (size_t)(p - start));
    if (!s) return NULL;
    d->terms[d->term_count].symbol = s;
    d->terms[d->term_count++].minus = minus;
    return p;
}

static void read_definition(struct link *l, struct definition *d) {
    const char *p = skip(d->text), *name = p;
    while (is_name(*p)) p++;
    size_t length = (size_t)(p - name);
    p = skip(p);
    if (!length || (*name >= '0' && *name <= '9') || *p != '=') {
        bad(l, d->text, "expected NAME=EXPRESSION");
        return;
    }
    d->name = name;
    d->name_length = length;
    bool minus = false;
    for (p = skip(p + 1);; p = skip(p + 1)) {
        while (*p == '-' || *p == '+') minus ^= *p == '-', p = skip(p + 1);
        if (!(p = read_term(l, d, p, minus))) return;
        p = skip(p);
        minus = *p == '-';
        if (!*p) return;
        if (*p != '+' && *p != '-') {
            bad(l, d->text, "only sums and differences are taken");
            return;
        }
    }
}

// What definitions refer to is asked for, also from archives.
void definitions_read(struct link *l) {
    for (size_t i = 0; i < l->options->definition_count && !link_failed(l); i++) {
        struct definition d = {.text = l->options->definitions[i]};
        read_definition(l, &d);
        if (!link_push(l, &l->definitions, d)) return;
    }
}

void definitions_declare(struct link *l) {
    for (size_t i = 0; i < l->definitions.count; i++) {
        struct definition *d = &l->definitions.items[i];
        if (!(d->symbol = symbol_named(l, d->name, d->name_length))) return;
        symbol_define(l, d->symbol);
    }
}

// Relative to a section when exactly one symbol in one stays after differences within sections.
void definitions_place(struct link *l) {
    for (size_t i = 0; i < l->definitions.count; i++) {
        struct definition *d = &l->definitions.items[i];
        struct link_symbol *s = d->symbol;
        size_t in_sections = 0;
        const struct link_symbol *base = NULL;
        for (size_t t = 0; t < d->term_count; t++) {
            const struct link_symbol *y = d->terms[t].symbol;
            if (y->kind != SYMBOL_DEFINED) {
                link_error(l, NULL, NULL, "definition '%s': symbol not found: %s", d->text, y->name);
                return;
            }
            if (!y->section && !y->out) continue;
            in_sections++;
            base = d->terms[t].minus ? base : y;
        }
        d->late = in_sections > 1 || (in_sections == 1 && !base);
        s->value = d->number;
        for (size_t t = 0; t < d->term_count && !d->late; t++) {
            const struct link_symbol *y = d->terms[t].symbol;
            s->value += d->terms[t].minus ? -y->value : y->value;
        }
        if (d->late || !base) continue;
        s->section = base->section;
        s->out = base->out;
        if (d->term_count == 1 && !d->number) s->type = base->type;
    }
}

// Differences between sections are known when these have addresses.
void definitions_finish(struct link *l) {
    for (size_t i = 0; i < l->definitions.count; i++) {
        struct definition *d = &l->definitions.items[i];
        if (!d->late) continue;
        d->symbol->value = d->number;
        for (size_t t = 0; t < d->term_count; t++) {
            uint64_t a = symbol_address(d->terms[t].symbol, 0);
            d->symbol->value += d->terms[t].minus ? -a : a;
        }
    }
}
