// SPDX-License-Identifier: MIT
// Programs as listings.
#ifndef TERASCALE_LISTING_H
#define TERASCALE_LISTING_H

#include "base/text.h"
#include "terascale/clause.h"

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

// Lists one program of `words` 64-bit words, in AMD's spelling, which assembles to the same words, or in
// llc's.
bool ts_list_program(struct text *t, const struct ts_chip *chip, const uint32_t *code, uint32_t words,
                     bool llvm);

#endif
