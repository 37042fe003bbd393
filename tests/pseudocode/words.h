// SPDX-License-Identifier: MIT
// Rows that manuals describe in words, or in text that is no pseudo-code: words.def has their meaning in the
// manuals' notation, written from those words.
#ifndef TESTS_PSEUDOCODE_WORDS_H
#define TESTS_PSEUDOCODE_WORDS_H

#include "library.h"

static const struct {
    const char *rows, *text, *source; // rows: one, or the beginning of several and *
} words[] = {
#define WORDS(rows, text, source) {rows, text, source},
#include "words.def"
#undef WORDS
};
enum { WORDS_COUNT = sizeof words / sizeof *words };

static bool fits(const char *key, const char *name) {
    const size_t n = strlen(key);
    return key[n - 1] == '*' ? !strncmp(key, name, n - 1) : !strcmp(key, name);
}
static struct entry_text *entry_of_words(unsigned i) {
    struct entry_text *e = calloc(1, sizeof *e);
    if (!e) abort();
    snprintf(e->name, sizeof e->name, "%.47s", words[i].rows);
    e->text = strdup(words[i].text);
    if (setjmp(problem_place)) fprintf(stderr, "words.def: %s: %s\n", e->name, problem), abort();
    e->tree = parse_text(e->text);
    return e;
}
// The first that fits. One entry serves all its rows.
static struct entry_text *words_for(const char *row) {
    static struct entry_text *made[WORDS_COUNT];
    for (unsigned i = 0; i < WORDS_COUNT; i++)
        if (fits(words[i].rows, row)) return made[i] = made[i] ? made[i] : entry_of_words(i);
    return NULL;
}

#endif
