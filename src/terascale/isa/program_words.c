// SPDX-License-Identifier: MIT
// What each word of a program is: whatever control flow reaches, the clauses that it names, and data.
#include "terascale/isa/program_words.h"

#include <stdlib.h>
#include <string.h>

static void take(uint32_t *stack, uint32_t *depth, struct ts_map *m, uint64_t at, uint32_t words) {
    if (at >= words || m->kind[at] != TS_WORD_DATA) return;
    m->kind[at] = TS_WORD_CF;
    stack[(*depth)++] = (uint32_t)at;
}

static void claim(struct ts_map *m, const struct ts_clause *c, uint32_t owner, uint32_t words) {
    if (!c->kind || c->begin >= words || c->words > words - c->begin) return;
    for (uint32_t i = 0; i < c->words; i++)
        if (m->kind[c->begin + i] != TS_WORD_DATA) return;
    memset(m->kind + c->begin, TS_WORD_CLAUSE, c->words);
    m->owner[c->begin] = owner + 1;
}

bool ts_map_program(enum ts_family family, const uint32_t *code, uint32_t words, struct ts_map *m) {
    uint32_t *stack = malloc(4u * ((size_t)words + 2)), depth = 0;
    m->kind = calloc((size_t)words + 1, 1);
    m->owner = calloc((size_t)words + 1, sizeof *m->owner);
    if (!stack || !m->kind || !m->owner) {
        free(stack);
        ts_map_free(m);
        return false;
    }
    take(stack, &depth, m, 0, words);
    while (depth) {
        const uint32_t at = stack[--depth];
        struct ts_insn in;
        ts_decode_cf(family, code + 2 * (size_t)at, &in);
        if (ts_falls_through(&in)) take(stack, &depth, m, (uint64_t)at + 1, words);
        if (in.row && in.row->flags & TS_BRANCH) take(stack, &depth, m, ts_get(&in, TS_ADDR), words);
    }
    for (uint32_t i = 0; i < words; i++) {
        if (m->kind[i] != TS_WORD_CF) continue;
        struct ts_insn in;
        ts_decode_cf(family, code + 2 * (size_t)i, &in);
        const struct ts_clause c = ts_clause_of(&in);
        claim(m, &c, i, words);
    }
    free(stack);
    return true;
}

void ts_map_free(struct ts_map *m) {
    free(m->kind);
    free(m->owner);
    *m = (struct ts_map){0};
}
