// SPDX-License-Identifier: MIT
// The pseudo-code of the manuals, read from a folder: isa-pseudocode-NAME.json, objects of objects
// {"VOP1Op": {"V_MOV_B32_E32": {"op": 1, "pseudocode": "..."}}}.
#ifndef TESTS_PSEUDOCODE_LIBRARY_H
#define TESTS_PSEUDOCODE_LIBRARY_H

#include <strings.h>

#include "eval.h"

struct entry_text {
    char name[48], kind[16]; // in lower case, without _e32 and _e64; VOP1Op and so on
    unsigned op;
    char *text;
    struct node *tree; // NULL: `why` it cannot be read
    char why[160];
    unsigned used, failed;
    bool fixed;         // by fixes.def
    struct node *other; // a second statement that may hold instead
    const char *other_text;
};
struct library {
    const char *name;
    struct entry_text *entries;
    unsigned count, capacity;
};
static struct library *current_library, all_libraries[4];
static unsigned library_count;

static char *read_all(const char *path) {
    FILE *f = fopen(path, "r");
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    const long size = ftell(f);
    rewind(f);
    char *text = malloc((size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, f) != (size_t)size) abort();
    text[size] = 0;
    fclose(f);
    return text;
}
static char *json_string(const char **at) {
    const char *p = *at;
    while (*p && *p != '"') p++;
    if (!*p) return NULL;
    const char *end = ++p;
    while (*end && *end != '"') end += *end == '\\' && end[1] ? 2 : 1;
    char *out = malloc((size_t)(end - p) + 1), *q = out;
    if (!out) abort();
    for (; p < end; p++)
        if (*p != '\\')
            *q++ = *p;
        else if (*++p == 'u')
            *q++ = '?', p += 4;
        else
            *q++ = *p == 'n' ? '\n' : *p == 't' ? ' ' : *p;
    *q = 0;
    *at = *end ? end + 1 : end;
    return out;
}
static const struct {
    const char *row, *text, *reason;
    bool second; // holds as well
} fixes[] = {
#include "fixes.def"
#include "fixes5.def"
#undef FIX
#undef FIX2
};
enum { FIXES = sizeof fixes / sizeof *fixes };
static void add_entry(struct library *l, const char *kind, const char *name, unsigned op, char *text) {
    if (l->count == l->capacity) {
        l->entries = realloc(l->entries, (l->capacity = l->capacity * 2 + 256) * sizeof *l->entries);
        if (!l->entries) abort();
    }
    struct entry_text *e = &l->entries[l->count++];
    memset(e, 0, sizeof *e);
    snprintf(e->kind, sizeof e->kind, "%.15s", kind);
    snprintf(e->name, sizeof e->name, "%.47s", name);
    for (char *p = e->name; *p; p++) *p = (char)tolower((unsigned char)*p);
    const size_t n = strlen(e->name);
    if (n > 4 && (!strcmp(e->name + n - 4, "_e32") || !strcmp(e->name + n - 4, "_e64"))) e->name[n - 4] = 0;
    e->op = op, e->text = text;
    for (unsigned i = 0; i < FIXES; i++) {
        const char *row = fixes[i].row, *colon = strchr(row, ':');
        if (colon && strncmp(row, l->name, (size_t)(colon - row)) != 0) continue;
        if (strcmp(colon ? colon + 1 : row, e->name) != 0) continue;
        if (fixes[i].second)
            e->other_text = fixes[i].text;
        else
            e->text = strdup(fixes[i].text), e->fixed = true;
    }
    if (setjmp(problem_place))
        snprintf(e->why, sizeof e->why, "%s", problem);
    else {
        e->tree = parse_text(e->text);
        if (e->other_text) e->other = parse_text(e->other_text);
    }
}
static bool read_library(struct library *l, const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/isa-pseudocode-%s.json", folder, name);
    char *all = read_all(path), *kind = NULL, *instruction = NULL;
    *l = (struct library){.name = name};
    if (!all) return false;
    unsigned depth = 0, op = 0;
    for (const char *p = all; *p;) {
        if (*p == '{') depth++;
        if (*p == '}') depth--;
        if (*p != '"') {
            p++;
            continue;
        }
        char *key = json_string(&p);
        if (depth == 1)
            free(kind), kind = key;
        else if (depth == 2)
            free(instruction), instruction = key;
        else {
            if (!strcmp(key, "op")) op = (unsigned)strtoul(strchr(p, ':') + 1, NULL, 10);
            if (!strcmp(key, "pseudocode")) add_entry(l, kind, instruction, op, json_string(&p));
            free(key);
        }
    }
    free(kind), free(instruction), free(all);
    return true;
}
static struct entry_text *find_text(struct library *l, const char *kind, const char *name) {
    for (unsigned i = 0; i < l->count; i++)
        if ((!kind || !strcmp(l->entries[i].kind, kind)) && !strcmp(l->entries[i].name, name))
            return &l->entries[i];
    return NULL;
}
static struct node *text_named(const char *name) {
    struct entry_text *e = find_text(current_library, NULL, name);
    if (!e && !strcmp(name, "v_cvt_i16_f32")) return text_named("v_cvt_i32_f32"); // of which there is none
    if (!e && !strcmp(name, "v_cvt_u16_f32")) return text_named("v_cvt_u32_f32");
    for (unsigned i = 0; !e && i < library_count; i++) e = find_text(&all_libraries[i], NULL, name);
    return e ? e->tree : NULL;
}

#endif
