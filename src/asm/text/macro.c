// SPDX-License-Identifier: MIT
// Macros and repetitions. A body is text; using it pushes a source with the arguments put in. All text made
// so is charged against one limit, and the stack of sources is bounded, so recursion ends.
#include <stdlib.h>
#include <string.h>

#include "asm/text/unit.h"

static struct slice first_word(struct slice line) {
    const char *p = skip_space(line.text, line.text + line.length), *end = line.text + line.length;
    struct slice word = {p, 0};
    lex_name(&p, end, &word);
    return word;
}

static bool opens(struct slice word, bool macro) {
    return macro ? slice_is(word, ".macro")
                 : slice_is(word, ".rept") || slice_is(word, ".rep") || slice_is(word, ".irp") ||
                       slice_is(word, ".irpc");
}
static bool closes(struct slice word, bool macro) {
    return macro ? slice_is(word, ".endm") || slice_is(word, ".endmacro") : slice_is(word, ".endr");
}

// Lines up to the directive that ends what was just begun.
static bool take_body(struct unit *u, const char *where, bool macro, struct slice *out) {
    struct source *s = u->source;
    out->text = s->p;
    for (size_t depth = 1; s->p < s->end;) {
        const char *begin = s->p;
        struct slice word = first_word(unit_raw_line(u));
        if (opens(word, macro)) depth++;
        if (closes(word, macro) && !--depth) {
            out->length = (size_t)(begin - out->text);
            return true;
        }
    }
    return unit_error(u, where,
                      macro ? "no matching '.endmacro' in definition" : "no matching '.endr' directive");
}

static struct macro **bucket_of(struct unit *u, struct slice name) {
    uint32_t h = (uint32_t)name.length;
    for (size_t i = 0; i < name.length; i++) h = (h ^ (uint8_t)name.text[i]) * 0x01000193;
    return &u->macros[(h ^ h >> 16) % MACRO_BUCKETS];
}

struct macro *unit_find_macro(struct unit *u, struct slice name) {
    for (struct macro *m = *bucket_of(u, name); m; m = m->next)
        if (m->name.length == name.length && !memcmp(m->name.text, name.text, name.length)) return m;
    return NULL;
}

static struct slice keep(struct unit *u, struct slice s) {
    return (struct slice){arena_copy(&u->program->arena, s.text, s.length), s.length};
}

// Without the blanks around operators.
static struct slice without_blanks(struct unit *u, struct slice s) {
    char *copy = arena_alloc(&u->program->arena, s.length + 1);
    const char *p = s.text, *end = s.text + s.length;
    size_t n = 0;
    unsigned depth = 0;
    if (!copy) return program_no_memory(u->program), s;
    while (p < end) {
        const char *from = p;
        if (*p == '"' && lex_skip_string(&p, end)) {
            memcpy(copy + n, from, (size_t)(p - from));
            n += (size_t)(p - from);
            continue;
        }
        if (*p == '(') depth++;
        if (*p == ')' && depth) depth--;
        if (depth || !char_is(*p, CHAR_SPACE)) copy[n++] = *p;
        p++;
    }
    return (struct slice){copy, n};
}

// An argument: text up to a comma or a blank that no operator joins; commas within parentheses belong to it.
static struct slice take_argument(struct unit *u, const char **at, const char *end) {
    const char *p = *at = skip_space(*at, end), *last = p;
    unsigned depth = 0;
    bool blanks = false;
    while (p < end) {
        if (*p == '"') {
            if (!lex_skip_string(&p, end)) p = end;
            last = p;
            continue;
        }
        if (*p == '(') depth++;
        if (*p == ')' && depth) depth--;
        if (!depth && *p == ',') break;
        if (char_is(*p, CHAR_SPACE)) {
            const char *next = skip_space(p, end);
            bool joined = next < end && (strchr("+-~/*.=|^&!<>", *next) ||
                                         (last > *at && strchr("+-~/*=|^&!<>", last[-1])));
            if (!depth && !joined) break;
            blanks |= !depth;
            p = next;
            continue;
        }
        last = ++p;
    }
    struct slice s = {*at, (size_t)(last - *at)};
    *at = p;
    return blanks ? without_blanks(u, s) : s;
}

static struct slice unquoted(struct slice s) {
    if (s.length >= 2 && s.text[0] == '"' && s.text[s.length - 1] == '"')
        return (struct slice){s.text + 1, s.length - 2};
    return s;
}

// ---- .macro ----

static bool take_param(struct unit *u, const char **at, const char *end, struct macro_param *out) {
    *out = (struct macro_param){0};
    struct slice word;
    if (!unit_name(u, at, end, &out->name)) return false;
    if (*at < end && **at == ':') {
        ++*at;
        if (!unit_name(u, at, end, &word)) return false;
        out->required = slice_is(word, "req");
        out->vararg = slice_is(word, "vararg");
        if (!out->required && !out->vararg)
            return unit_error(u, word.text, "'%.*s' is not a valid parameter qualifier", (int)word.length,
                              word.text);
    }
    const char *p = skip_space(*at, end);
    if (p < end && *p == '=') {
        p++;
        out->value = take_argument(u, &p, end);
        *at = p;
    }
    out->name = keep(u, out->name);
    out->value = keep(u, out->value);
    return (out->name.text && out->value.text) || program_no_memory(u->program);
}

bool dir_macro(struct unit *u, struct slice directive, const char *p, const char *end, unsigned arg) {
    (void)arg;
    struct macro m = {.line = u->statement_line};
    ARRAY(struct macro_param) params = {0};
    bool ok = unit_name(u, &p, end, &m.name);
    unit_comma(u, &p, end);
    while (ok && skip_space(p, end) < end) {
        struct macro_param param;
        const char *where = skip_space(p, end);
        ok = take_param(u, &p, end, &param);
        if (ok && params.count && params.items[params.count - 1].vararg)
            ok = unit_error(u, where, "the vararg parameter must be the last one");
        for (size_t i = 0; ok && i < params.count; i++)
            if (params.items[i].name.length == param.name.length &&
                !memcmp(params.items[i].name.text, param.name.text, param.name.length))
                ok = unit_error(u, where, "macro '%.*s' has multiple parameters named '%.*s'",
                                (int)m.name.length, m.name.text, (int)param.name.length, param.name.text);
        if (ok && params.count >= 1000) ok = unit_error(u, where, "too many parameters");
        if (ok && !array_push(&params, param)) ok = program_no_memory(u->program);
        unit_comma(u, &p, end);
    }
    m.name = keep(u, m.name.text ? m.name : (struct slice){"", 0});
    bool body = take_body(u, directive.text, true, &m.body);
    if (ok && body && unit_find_macro(u, m.name))
        ok =
            unit_error(u, directive.text, "macro '%.*s' is already defined", (int)m.name.length, m.name.text);
    struct macro *kept = ok && body ? arena_alloc(&u->program->arena, sizeof *kept) : NULL;
    if (kept) {
        m.params = arena_alloc(&u->program->arena, (params.count + 1) * sizeof *m.params);
        if (u->source->parent) m.body = keep(u, m.body);
        if (!m.params || !m.body.text) ok = program_no_memory(u->program);
        if (ok && params.count) memcpy(m.params, params.items, params.count * sizeof *m.params);
        m.param_count = params.count;
        struct macro **bucket = bucket_of(u, m.name);
        m.next = *bucket;
        *kept = m;
        if (ok) *bucket = kept, u->has_macros = true;
        if (unit_shows(u)) unit_show(u, "\n"); // as an empty line
    }
    array_free(&params);
    return ok && body;
}

bool dir_purgem(struct unit *u, struct slice directive, const char *p, const char *end, unsigned arg) {
    (void)arg;
    struct slice name;
    if (!unit_name(u, &p, end, &name) || !unit_end(u, p, end)) return false;
    for (struct macro **m = bucket_of(u, name); *m; m = &(*m)->next)
        if ((*m)->name.length == name.length && !memcmp((*m)->name.text, name.text, name.length)) {
            *m = (*m)->next;
            return true;
        }
    return unit_error(u, directive.text, "macro '%.*s' is not defined", (int)name.length, name.text);
}

bool dir_end_macro(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)p, (void)end, (void)arg;
    return unit_error(u, name.text, "unexpected '%.*s' in file, no current macro definition",
                      (int)name.length, name.text);
}

bool dir_exit_macro(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    if (!unit_end(u, p, end)) return false;
    // Out of repetitions within the macro, up to the macro itself.
    struct source *s = u->source;
    while (s && !s->is_macro) s = s->parent;
    if (!s) return unit_error(u, name.text, "unexpected '.exitm' in file, no current macro definition");
    for (struct source *t = u->source;; t = t->parent) {
        t->p = t->end;
        t->repeats = 0;
        if (u->conditions.count > s->conditions) u->conditions.count = s->conditions;
        if (t == s) return true;
    }
}

// ---- Using a body ----

// The body with parameters replaced: \name, \@ the number of expansions so far, \() nothing, \+ the round.
static bool substitute(struct unit *u, struct text *out, struct slice body, const struct macro_param *params,
                       const struct slice *values, size_t count, uint64_t round) {
    const char *p = body.text, *end = p + body.length;
    const uint64_t most = unit_expansion_left(u);
    uint64_t compared = 0; // names of parameters; their work counts as well as the text that comes of it
    while (p < end) {
        const char *q = memchr(p, '\\', (size_t)(end - p));
        if (!q) q = end;
        text_add(out, p, (size_t)(q - p));
        if (out->length + compared / 8 > most) return unit_charge(u, most + 1);
        if (q == end) break;
        p = q + 1;
        if (p < end && *p == '@') {
            text_printf(out, "%llu", (unsigned long long)u->macro_count);
            p++;
        } else if (p < end && *p == '+') {
            text_printf(out, "%llu", (unsigned long long)round);
            p++;
        } else if (p + 1 < end && p[0] == '(' && p[1] == ')')
            p += 2;
        else {
            const char *start = p;
            while (p < end && char_is(*p, CHAR_NAME)) p++;
            size_t i = 0, length = (size_t)(p - start);
            while (i < count &&
                   !(params[i].name.length == length && !memcmp(params[i].name.text, start, length)))
                i++;
            compared += i;
            if (i < count)
                text_add(out, values[i].text, values[i].length);
            else
                text_add(out, start - 1, length + 1);
        }
    }
    return out->failed ? program_no_memory(u->program) : unit_charge(u, compared / 8);
}

static bool push_text(struct unit *u, struct text *t, const char *name, bool is_macro) {
    if (!unit_charge(u, t->length + 16)) {
        text_free(t);
        return false;
    }
    if (!t->length) {
        text_free(t);
        return true;
    }
    return unit_push(u, (struct source){.name = name,
                                        .text = t->data,
                                        .end = t->data + t->length,
                                        .is_macro = is_macro,
                                        .owned = t->data});
}

bool unit_expand(struct unit *u, struct macro *m, const char *p, const char *end, const char *where) {
    struct slice fixed[16], *values = fixed;
    if (m->param_count > 16 && !(values = calloc(m->param_count, sizeof *values)))
        return program_no_memory(u->program);
    for (size_t i = 0; i < m->param_count; i++) values[i] = (struct slice){NULL, 0};
    bool ok = true;
    for (size_t next = 0; ok && (p = skip_space(p, end)) < end;) {
        const char *q = p;
        struct slice name;
        size_t i = next;
        if (lex_name(&q, end, &name) && (q = skip_space(q, end)) < end && *q == '=' &&
            !(q + 1 < end && q[1] == '=')) {
            for (i = 0; i < m->param_count; i++)
                if (m->params[i].name.length == name.length &&
                    !memcmp(m->params[i].name.text, name.text, name.length))
                    break;
            if (i == m->param_count) {
                ok = unit_error(u, p, "parameter named '%.*s' does not exist for macro '%.*s'",
                                (int)name.length, name.text, (int)m->name.length, m->name.text);
                break;
            }
            p = q + 1;
        }
        if (i >= m->param_count) {
            ok = unit_error(u, p, "too many positional arguments");
            break;
        }
        if (m->params[i].vararg) {
            p = skip_space(p, end);
            values[i] = (struct slice){p, (size_t)(end - p)};
            p = end;
        } else {
            values[i] = unquoted(take_argument(u, &p, end));
            unit_comma(u, &p, end);
        }
        next = i + 1;
    }
    for (size_t i = 0; ok && i < m->param_count; i++) {
        if (values[i].length) continue;
        if (m->params[i].required)
            ok = unit_error(u, where, "missing value for required parameter '%.*s' in macro '%.*s'",
                            (int)m->params[i].name.length, m->params[i].name.text, (int)m->name.length,
                            m->name.text);
        values[i] = unquoted(m->params[i].value);
    }
    struct text t = {0};
    ok = ok && substitute(u, &t, m->body, m->params, values, m->param_count, 0);
    if (ok) {
        u->macro_count++;
        ok = push_text(u, &t, m->name.text, true);
    } else
        text_free(&t);
    if (values != fixed) free(values);
    return ok;
}

// ---- Repetitions ----

// Whether the text of the rounds so far is within the limit.
static bool has_room(struct unit *u, const struct text *t) {
    uint64_t left = unit_expansion_left(u);
    return t->length <= left || unit_charge(u, left + 1);
}

bool dir_rept(struct unit *u, struct slice directive, const char *p, const char *end, unsigned arg) {
    (void)arg;
    const char *where = skip_space(p, end);
    int64_t count = 0;
    struct slice body;
    bool ok = unit_absolute(u, &p, end, &count) && unit_end(u, p, end);
    if (!take_body(u, directive.text, false, &body) || !ok) return false;
    if (count < 0) return unit_error(u, where, "the count is negative");
    if (!count || !body.length) return true;
    if (!memchr(body.text, '\\', body.length)) // read in place, again and again
        return unit_charge(u, body.length + 16) &&
               unit_push(u, (struct source){.name = u->source->name,
                                            .text = body.text,
                                            .end = body.text + body.length,
                                            .repeats = (uint64_t)count});
    struct text t = {0};
    for (int64_t i = 0; ok && i < count; i++) {
        ok = substitute(u, &t, body, NULL, NULL, 0, (uint64_t)i);
        ok = ok && has_room(u, &t);
    }
    if (ok) return push_text(u, &t, u->source->name, false);
    text_free(&t);
    return false;
}

// arg: .irpc, a round for each character.
bool dir_irp(struct unit *u, struct slice directive, const char *p, const char *end, unsigned each) {
    struct macro_param param = {0};
    struct slice body, value;
    struct text t = {0};
    bool ok = unit_name(u, &p, end, &param.name);
    if (ok && !unit_comma(u, &p, end)) ok = unit_error(u, p, "expected comma");
    if (!take_body(u, directive.text, false, &body) || !ok) return false;
    p = skip_space(p, end);
    uint64_t round = 0;
    if (each) {
        struct slice all = unquoted((struct slice){p, (size_t)(end - p)});
        for (size_t i = 0; ok && i < all.length && !char_is(all.text[i], CHAR_SPACE); i++) {
            value = (struct slice){all.text + i, 1};
            ok = substitute(u, &t, body, &param, &value, 1, round++);
            ok = ok && has_room(u, &t);
        }
    } else
        do {
            value = unquoted(take_argument(u, &p, end));
            ok = substitute(u, &t, body, &param, &value, 1, round++);
            ok = ok && has_room(u, &t);
            const char *before = p = skip_space(p, end);
            if (!unit_comma(u, &p, end) && p == end) break;
            if (p == before && p == end) break;
        } while (ok);
    if (ok) return push_text(u, &t, u->source->name, false);
    text_free(&t);
    return false;
}

bool dir_end_repeat(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)p, (void)end, (void)arg;
    return unit_error(u, name.text, "unmatched '.endr' directive");
}
