// SPDX-License-Identifier: MIT
// Text into statements: a stack of files, expansions and repetitions, read once, in place. A statement ends
// at a newline; ";" and "//" begin a comment to the end of the line, "#" does where a statement could begin.
#include <stdlib.h>
#include <string.h>

#include "asm/text/unit.h"
#include "base/diag.h"

enum { MAX_SOURCES = 64, MAX_WARNINGS = 1000, DEFAULT_EXPANSION = 1 << 28 };

static uint32_t lines_between(const char *p, const char *end) {
    uint32_t n = 0;
    while ((p = memchr(p, '\n', (size_t)(end - p)))) n++, p++;
    return n;
}

// `where` in the text of the source, if it points into the statement or a copy of it, else the statement's
// begin; NULL when that is elsewhere.
static const char *in_source(const struct unit *u, const char *where) {
    const struct source *s = u->source;
    if (u->scratch.data && where >= u->scratch.data && where <= u->scratch.data + u->scratch.length)
        where = u->statement_origin + (where - u->scratch.data);
    if (!where || where < s->text || where > s->end) where = u->statement_origin;
    return where && where >= s->text && where <= s->end ? where : NULL;
}

static uint32_t line_of(const struct unit *u, const char *where) {
    bool behind = u->statement_origin >= u->source->text && u->statement_origin < where;
    return u->statement_line + (behind ? lines_between(u->statement_origin, where) : 0);
}

static void point_to(sw_location *at, const char *where, const char *text, const char *text_end) {
    const char *line = where, *end = where;
    while (line > text && line[-1] != '\n') line--;
    while (end < text_end && *end != '\n') end++;
    at->column = (uint32_t)(where - line) + 1;
    at->line_text = line;
    at->line_length = (size_t)(end - line);
}

// The place of `where` in the text that is being read.
static sw_location locate(const struct unit *u, const char *where) {
    const struct source *s = u->source;
    if (!s) return (sw_location){.file = u->program->options->name};
    sw_location at = {.file = s->name, .line = u->statement_line};
    where = in_source(u, where);
    if (!where) return at;
    at.line = line_of(u, where);
    point_to(&at, where, s->text, s->end);
    return at;
}

static void report(struct unit *u, sw_severity severity, const sw_location *at, const char *format,
                   va_list args) {
    diag_reportv(u->program->sink, severity, at, format, args);
    for (const struct source *s = u->source; s && s->parent; s = s->parent)
        if (s->parent->name)
            diag_note(u->program->sink, &(sw_location){.file = s->parent->name, .line = s->parent->line},
                      "read from here");
    // A listing shows every line that it can; an object that cannot be written needs no more messages.
    if (severity == SW_SEVERITY_ERROR && ++u->program->errors >= 1000 && !u->program->ended &&
        !u->program->options->listing) {
        u->program->ended = true;
        diag_note(u->program->sink, at, "too many errors");
    }
}

bool unit_error(struct unit *u, const char *where, const char *format, ...) {
    va_list args;
    va_start(args, format);
    sw_location at = locate(u, where);
    report(u, SW_SEVERITY_ERROR, &at, format, args);
    va_end(args);
    return false;
}

void unit_warn(struct unit *u, const char *where, const char *format, ...) {
    va_list args;
    if (u->warnings >= MAX_WARNINGS) return;
    if (++u->warnings == MAX_WARNINGS)
        diag_note(u->program->sink, &(sw_location){.file = u->program->options->name},
                  "too many warnings: the rest is not shown");
    va_start(args, format);
    sw_location at = locate(u, where);
    report(u, SW_SEVERITY_WARNING, &at, format, args);
    va_end(args);
}

struct late unit_late(const void *unit) {
    const struct unit *u = unit;
    struct late at = {.line = u->statement_line};
    for (const struct source *s = u->source; s && s->parent; s = s->parent) at.line = s->called_line;
    if (!u->source || u->source->parent) return at;
    at.where = in_source(u, u->expression);
    if (at.where) at.line = line_of(u, at.where);
    return at;
}

void unit_message(void *unit, sw_severity severity, struct message_place place, const char *format,
                  va_list args) {
    struct unit *u = unit;
    sw_location at;
    if (place.at)
        at = *place.at;
    else if (place.late) {
        at = (sw_location){.file = u->program->options->name, .line = place.late->line};
        if (place.late->where) point_to(&at, place.late->where, u->text, u->text_end);
    } else
        at = locate(u, place.where);
    report(u, severity, &at, format, args);
}

sw_location unit_place_of(const struct unit *u, const char *where) { return locate(u, where); }

sw_location *unit_keep_place(struct unit *u, const char *where) {
    enum { MAX_LINE = 1024 };
    sw_location *at = arena_alloc(&u->program->arena, sizeof *at);
    if (!at) return program_no_memory(u->program), NULL;
    *at = locate(u, where);
    // The text of an expansion goes before the message comes.
    if (u->source && u->source->parent && at->line_text)
        at->line_text = at->line_length < MAX_LINE
                            ? arena_copy(&u->program->arena, at->line_text, at->line_length)
                            : NULL;
    return at;
}

uint64_t unit_expansion_left(const struct unit *u) {
    uint64_t most =
        u->program->options->max_expansion ? u->program->options->max_expansion : DEFAULT_EXPANSION;
    return most - u->expansion;
}

bool unit_charge(struct unit *u, uint64_t bytes) {
    uint64_t most =
        u->program->options->max_expansion ? u->program->options->max_expansion : DEFAULT_EXPANSION;
    if (bytes > most || u->expansion > most - bytes) {
        if (!u->program->ended)
            unit_error(u, u->statement, "macros, repetitions and included files exceed %llu bytes of text",
                       (unsigned long long)most);
        u->program->ended = true;
        return false;
    }
    u->expansion += bytes;
    return true;
}

bool unit_push(struct unit *u, struct source s) {
    if (u->source_depth >= MAX_SOURCES) {
        unit_error(u, u->statement, "macros and files are nested more than %d levels deep", MAX_SOURCES);
        free(s.owned);
        if (s.file.data) file_close(&s.file);
        return false;
    }
    struct source *p = malloc(sizeof *p);
    if (!p) {
        free(s.owned);
        if (s.file.data) file_close(&s.file);
        return program_no_memory(u->program);
    }
    *p = s;
    p->parent = u->source;
    p->called_line = u->statement_line;
    p->p = p->text;
    p->conditions = u->conditions.count;
    if (!p->line) p->line = 1;
    u->source = p;
    u->source_depth++;
    return true;
}

void unit_pop(struct unit *u) {
    struct source *s = u->source;
    if (u->conditions.count > s->conditions) {
        unit_error(u, NULL, "unmatched .if: an .endif is missing");
        u->conditions.count = s->conditions;
    }
    u->source = s->parent;
    u->source_depth--;
    if (s->file.data || s->file.mapped) file_close(&s->file);
    free(s->owned);
    free(s);
}

struct slice unit_raw_line(struct unit *u) {
    struct source *s = u->source;
    const char *newline = memchr(s->p, '\n', (size_t)(s->end - s->p));
    struct slice line = {s->p, (size_t)((newline ? newline : s->end) - s->p)};
    s->p = newline ? newline + 1 : s->end;
    s->line++;
    return line;
}

// A block comment at p: replaced by blanks in the scratch copy of the statement, so that columns stay.
static const char *copy_comment(struct unit *u, const char *start, const char *kept, const char *p,
                                const char *end) {
    (void)start;
    text_add(&u->scratch, kept, (size_t)(p - kept));
    const char *close = p + 2;
    while (close + 1 < end && !(close[0] == '*' && close[1] == '/')) close++;
    if (close + 1 >= end) {
        unit_error(u, p, "unterminated comment");
        close = end;
    } else
        close += 2;
    for (const char *q = p; q < close; q++) {
        if (*q == '\n') u->source->line++;
        text_add(&u->scratch, " ", 1);
    }
    return close;
}

bool unit_next_statement(struct unit *u, const char **start, const char **end) {
    struct source *s;
    for (;;) {
        s = u->source;
        if (!s) return false;
        if (s->p < s->end) break;
        if (s->repeats > 1 && unit_charge(u, (uint64_t)(s->end - s->text) + 16)) {
            s->repeats--;
            s->p = s->text;
            s->line = 1;
            break;
        }
        if (!s->parent) return false;
        unit_pop(u);
    }
    const char *p = s->p, *limit = s->end, *begin = p, *kept = p;
    u->scratch.length = 0;
    u->statement = u->statement_origin = begin;
    u->expression = NULL;
    u->statement_line = s->line;
    bool copied = false;
    const char *stop = NULL;
    const char *first = skip_space(p, limit);
    if (first < limit && *first == '#') {
        stop = first;
        p = memchr(first, '\n', (size_t)(limit - first));
        if (!p) p = limit;
        if (u->marker) u->marker(u, first, p);
    }
    while (!stop) {
        while (p < limit && !char_is(*p, CHAR_STOP)) p++;
        if (p == limit || *p == '\n')
            stop = p;
        else if (*p == ';' || (*p == '/' && p + 1 < limit && p[1] == '/')) {
            stop = p;
            p = memchr(p, '\n', (size_t)(limit - p));
            if (!p) p = limit;
        } else if (*p == '/' && p + 1 < limit && p[1] == '*') {
            p = kept = copy_comment(u, begin, kept, p, limit);
            copied = true;
        } else if (*p == '"') {
            const char *open = p;
            if (!lex_skip_string(&p, limit)) {
                unit_error(u, open, "unterminated string constant");
                const char *newline = memchr(open, '\n', (size_t)(limit - open));
                p = stop = newline ? newline : limit;
                s->p = p < limit ? p + 1 : p;
                s->line++;
                *start = *end = p;
                return true;
            }
            s->line += lines_between(open, p);
        } else if (*p == '\'' && p + 2 < limit) {
            const char *close = p + (p[1] == '\\' ? 3 : 2);
            p = p[1] != '\n' && close < limit && *close == '\'' ? close + 1 : p + 1;
        } else
            p++;
    }
    s->p = p < limit ? p + 1 : limit;
    s->line++;
    if (copied) {
        text_add(&u->scratch, kept, (size_t)(stop - kept));
        if (u->scratch.failed) return program_no_memory(u->program);
        begin = u->scratch.data;
        stop = begin + u->scratch.length;
    }
    while (stop > begin && char_is(stop[-1], CHAR_SPACE)) stop--;
    *start = u->statement = begin;
    *end = u->statement_end = stop;
    return true;
}
