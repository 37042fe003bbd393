// SPDX-License-Identifier: MIT
// The smallest parts of statements: expressions, names, strings, commas; and numbered labels.
#include "asm/text/unit.h"

#include <stdio.h>
#include <string.h>

// ---- Expressions ----

static void on_error(void *context, const char *where, const char *message) {
    unit_error(context, where, "%s", message);
}

static struct symbol *here(void *context) {
    struct unit *u = context;
    struct symbol *s = symbol_make(&u->program->symbols);
    struct place p = program_here(u->program);
    if (s) {
        s->state = SYMBOL_LABEL, s->temporary = true;
        s->section = p.section, s->offset = p.offset, s->piece = p.piece;
    }
    if (s && unit_shows(u)) {
        if (!unit_show_temporary(u, s)) return NULL;
        unit_show_symbol(u, "", (struct slice){s->name, s->length}, ":\n");
    }
    return s;
}

// Labels 1: of which the last and the next are meant by 1b and 1f.
static struct symbol *local_name(struct unit *u, uint64_t number) {
    char name[24];
    int n = snprintf(name, sizeof name, "\1%llu", (unsigned long long)number);
    return symbol_get(&u->program->symbols, name, (size_t)n);
}
static bool predefined(void *context, const char *name, size_t length, int64_t *out) {
    const struct unit *u = context;
    return asm_predefined(&u->program->mode.isa, name, length, out);
}

static struct symbol *local_label(void *context, uint64_t number, bool ahead) {
    struct unit *u = context;
    struct symbol *y = local_name(u, number);
    if (!y) return NULL;
    if (!ahead) return y->label_last;
    if (!y->label_next && (y->label_next = symbol_make(&u->program->symbols))) {
        y->label_next->temporary = true;
        y->label_next->name = y->name + 1;
        y->label_next->length = y->length - 1;
        if (unit_shows(u) && !unit_show_temporary(u, y->label_next)) return NULL;
    }
    return y->label_next;
}
bool unit_define_local(struct unit *u, uint64_t number, const char *where) {
    struct symbol *y = local_name(u, number);
    struct symbol *label = y ? local_label(u, number, true) : NULL;
    if (!label) return program_no_memory(u->program);
    y->label_last = label;
    y->label_next = NULL;
    if (unit_shows(u)) unit_show_symbol(u, "", (struct slice){label->name, label->length}, ":\n");
    return program_define_label(u->program, label, where);
}

static bool host_expression(void *context, const char **at, const char *end, struct mc_value *out) {
    struct unit *u = context;
    const char *where = skip_space(*at, end);
    if (!expr_parse(&u->reader, at, end, out)) return false;
    struct relocatable r;
    if (out->expr && !expr_evaluate(out->expr, NULL, &r) && !r.add && !r.sub)
        *out = (struct mc_value){.number = r.number};
    out->label = out->expr && out->expr->kind == EXPR_SYMBOL;
    if (out->expr) u->expression = where;
    return true;
}

bool unit_expression(struct unit *u, const char **at, const char *end, struct mc_value *out) {
    const char *where = skip_space(*at, end);
    if (!expr_parse(&u->reader, at, end, out)) return false;
    if (out->expr) u->expression = where;
    return true;
}

bool unit_absolute(struct unit *u, const char **at, const char *end, int64_t *out) {
    const char *where = skip_space(*at, end);
    struct mc_value v;
    if (!unit_expression(u, at, end, &v)) return false;
    enum expr_status s = expr_absolute(&v, &u->program->layout, out);
    return !s || unit_error(u, where, "%s", expr_status_text(s));
}

// ---- Small pieces of statements ----

bool unit_end(struct unit *u, const char *p, const char *end) {
    p = skip_space(p, end);
    return p == end || unit_error(u, p, "unexpected text at the end of the statement");
}

bool unit_comma(struct unit *u, const char **at, const char *end) {
    (void)u;
    const char *p = skip_space(*at, end);
    if (p == end || *p != ',') return false;
    *at = skip_space(p + 1, end);
    return true;
}

bool unit_string(struct unit *u, const char **at, const char *end, struct text *out) {
    const char *p = *at = skip_space(*at, end), *error = NULL;
    if (p == end || *p != '"') return unit_error(u, p, "expected string");
    return lex_string(at, end, out, &error) || unit_error(u, *at, "%s", error);
}

bool unit_name(struct unit *u, const char **at, const char *end, struct slice *out) {
    const char *p = *at = skip_space(*at, end);
    if (p < end && *p == '"') {
        struct text t = {0};
        bool ok = unit_string(u, at, end, &t);
        *out = (struct slice){arena_copy(&u->program->arena, t.data ? t.data : "", t.length), t.length};
        text_free(&t);
        return ok && (out->text || program_no_memory(u->program));
    }
    return lex_name(at, end, out) || unit_error(u, p, "expected identifier");
}

void unit_init(struct unit *u) {
    u->host = (struct asm_host){.expression = host_expression, .error = on_error, .context = u};
    u->reader = (struct expr_reader){.arena = &u->program->arena,
                                     .symbols = &u->program->symbols,
                                     .here = here,
                                     .label = local_label,
                                     .predefined = predefined,
                                     .error = on_error,
                                     .context = u};
}
