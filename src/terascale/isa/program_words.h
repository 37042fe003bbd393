// SPDX-License-Identifier: MIT
// What each word of a program is.
#ifndef TERASCALE_PROGRAM_WORDS_H
#define TERASCALE_PROGRAM_WORDS_H

#include "terascale/isa/clause.h"

// What each 64-bit word of a program is.
enum ts_word_kind { TS_WORD_DATA, TS_WORD_CF, TS_WORD_CLAUSE };
struct ts_map {
    uint8_t *kind;   // enum ts_word_kind
    uint32_t *owner; // of a clause's first word: one more than the CF word that it is listed under
};

// Finds the control-flow words that can be reached from the first, and the clauses that they name. `words`
// counts 64-bit words. False: no memory.
bool ts_map_program(enum ts_family family, const uint32_t *code, uint32_t words, struct ts_map *map);
void ts_map_free(struct ts_map *map);

#endif
