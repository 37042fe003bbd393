// SPDX-License-Identifier: MIT
// Clauses of a program: where they are, and the rules that they keep.
#ifndef TERASCALE_CLAUSE_H
#define TERASCALE_CLAUSE_H

#include "terascale/isa/alu.h"

enum ts_clause_kind { TS_NO_CLAUSE, TS_ALU_CLAUSE, TS_FETCH_CLAUSE };

struct ts_clause {
    enum ts_clause_kind kind;
    uint32_t begin, words; // in 64-bit words from the program's start
};
struct ts_clause ts_clause_of(const struct ts_insn *cf);

// What the clause breaks as a whole, or NULL: length, alignment, kcache locks, fetches that wait for each
// other. `ext` is the ALU_EXT word in front of an ALU clause, or NULL; `code` holds the clause's words.
const char *ts_check_clause(const struct ts_chip *chip, const struct ts_insn *cf, const struct ts_insn *ext,
                            const uint32_t *code);

// Whether the program ends with this word; whether the word behind it may be executed.
bool ts_ends_program(const struct ts_insn *cf);
bool ts_falls_through(const struct ts_insn *cf);

#endif
