// SPDX-License-Identifier: MIT
// Version scripts and dynamic lists: which symbols leave the object. A script without version names,
// `{ global: a; b*; local: *; };`, makes symbols local; named versions have no meaning to GPU loaders and are
// refused. A dynamic list, `{ a; b*; };`, exports symbols and lets others replace them.
#include <ctype.h>
#include <string.h>

#include "link/link.h"

struct pattern {
    const char *text;
    size_t length;
    bool wild, local;
};

struct reader {
    struct link *l;
    const sw_link_text *file;
    size_t at;
    ARRAY(struct pattern) patterns;
};

static void reader_error(struct reader *r, const char *what) {
    sw_location place = {.file = r->file->name, .line = 1};
    for (size_t i = 0; i < r->at && i < r->file->length; i++) place.line += r->file->text[i] == '\n';
    r->l->errors++;
    diag_fail(r->l->sink, SW_BAD_INPUT, &place, "%s", what);
}

static void skip_blank(struct reader *r) {
    const char *t = r->file->text;
    size_t n = r->file->length;
    for (;;) {
        while (r->at < n && isspace((unsigned char)t[r->at])) r->at++;
        if (r->at < n && t[r->at] == '#')
            while (r->at < n && t[r->at] != '\n') r->at++;
        else if (r->at + 1 < n && t[r->at] == '/' && t[r->at + 1] == '*') {
            const char *end = memmem(t + r->at + 2, n - r->at - 2, "*/", 2);
            r->at = end ? (size_t)(end - t) + 2 : n;
        } else
            return;
    }
}

// The next word or punctuation; false at the end.
static bool next(struct reader *r, const char **text, size_t *length) {
    skip_blank(r);
    const char *t = r->file->text;
    size_t start = r->at, n = r->file->length;
    if (r->at >= n) return false;
    *text = t + start;
    if (strchr("{};:", t[r->at])) {
        r->at++;
    } else if (t[r->at] == '"') {
        const char *end = memchr(t + start + 1, '"', n - start - 1);
        *text = t + start + 1;
        *length = end ? (size_t)(end - *text) : n - start - 1;
        r->at = end ? (size_t)(end - t) + 1 : n;
        return true;
    } else
        while (r->at < n && !isspace((unsigned char)t[r->at]) && !strchr("{};:", t[r->at])) r->at++;
    *length = r->at - start;
    return true;
}

static bool is(const char *text, size_t length, const char *word) {
    return strlen(word) == length && !memcmp(text, word, length);
}

static void read_patterns(struct reader *r, bool dynamic) {
    const char *t;
    size_t n;
    if (!next(r, &t, &n) || !is(t, n, "{")) {
        reader_error(r, dynamic ? "a dynamic list begins with '{'"
                                : "a version script for GPU code has no version names and begins with '{'");
        return;
    }
    bool local = false;
    while (next(r, &t, &n)) {
        if (is(t, n, "}")) {
            if (!next(r, &t, &n) || !is(t, n, ";"))
                reader_error(r, "expected ';' behind '}'");
            else if (next(r, &t, &n))
                reader_error(r, "nothing may follow the list");
            return;
        }
        if (is(t, n, ";")) continue;
        size_t before = r->at;
        const char *colon;
        size_t colon_length;
        bool label = next(r, &colon, &colon_length) && is(colon, colon_length, ":");
        if (label && !dynamic && (is(t, n, "local") || is(t, n, "global"))) {
            local = is(t, n, "local");
            continue;
        }
        r->at = before;
        if (label || is(t, n, "{") || is(t, n, "extern")) {
            reader_error(r, "expected a name or pattern and ';'");
            return;
        }
        bool wild = memchr(t, '*', n) || memchr(t, '?', n) || memchr(t, '[', n);
        if (!next(r, &colon, &colon_length) ||
            !(is(colon, colon_length, ";") || is(colon, colon_length, "}"))) {
            reader_error(r, "expected ';' behind a name or pattern");
            return;
        }
        if (is(colon, colon_length, "}")) r->at--;
        if (!link_push(r->l, &r->patterns, (struct pattern){t, n, wild, local})) return;
    }
    reader_error(r, "'}' is missing");
}

// Whether the character belongs to the class at *p ("[a-z]", "[!x]"); *p moves behind it.
static bool in_class(const char **p, const char *end, char c) {
    const char *q = *p + 1;
    bool inverted = q < end && (*q == '!' || *q == '^'), found = false;
    if (inverted) q++;
    for (const char *first = q; q < end && (*q != ']' || q == first); q++) {
        if (q + 2 < end && q[1] == '-' && q[2] != ']') {
            found |= (unsigned char)c >= (unsigned char)q[0] && (unsigned char)c <= (unsigned char)q[2];
            q += 2;
        } else
            found |= *q == c;
    }
    *p = q < end ? q + 1 : end;
    return found != inverted;
}

static bool matches(const struct pattern *pattern, const char *name) {
    const char *p = pattern->text, *end = p + pattern->length, *star = NULL, *retry = NULL;
    while (*name) {
        const char *q = p;
        bool ok = false;
        if (p < end && *p == '*') {
            star = ++p;
            retry = name;
            continue;
        }
        if (p < end && *p == '[')
            ok = in_class(&q, end, *name);
        else if (p < end)
            ok = *p == '?' || *p == *name, q = p + 1;
        if (ok) {
            p = q;
            name++;
        } else if (star) {
            p = star;
            name = ++retry;
        } else
            return false;
    }
    while (p < end && *p == '*') p++;
    return p == end;
}

static bool may_have_version(const struct link_symbol *s) {
    return s->kind == SYMBOL_DEFINED || s->kind == SYMBOL_COMMON || s->kind == SYMBOL_LAZY;
}

static void assign(struct link_symbol *s, const struct pattern *p, bool dynamic) {
    if (!may_have_version(s)) return;
    if (dynamic) {
        s->in_dynamic_list = true;
    } else if (!s->version_assigned) {
        s->version_assigned = true;
        s->version_local = p->local;
    }
}

// Exact names win over patterns, patterns over "*".
static void apply(struct link *l, struct reader *r, bool dynamic) {
    for (int pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < r->patterns.count; i++) {
            const struct pattern *p = &r->patterns.items[i];
            bool all = p->length == 1 && *p->text == '*';
            if (pass != (all ? 2 : p->wild ? 1 : 0)) continue;
            if (!p->wild) {
                struct link_symbol *s = global_find(l, p->text, p->length);
                if (s) assign(s, p, dynamic);
                continue;
            }
            for (size_t n = 0; n < l->symbols.count; n++) {
                struct link_symbol *s = l->symbols.items[n];
                if (may_have_version(s) && (all || matches(p, s->name))) assign(s, p, dynamic);
            }
        }
}

void versions_apply(struct link *l) {
    const sw_link_text *texts[2] = {&l->options->version_script, &l->options->dynamic_list};
    for (int dynamic = 0; dynamic < 2; dynamic++) {
        if (!texts[dynamic]->text) continue;
        struct reader r = {.l = l, .file = texts[dynamic]};
        read_patterns(&r, dynamic);
        if (!link_failed(l)) apply(l, &r, dynamic);
        array_free(&r.patterns);
    }
}
