// SPDX-License-Identifier: MIT
// What each operation does, in words and in code (meaning.def). The build finds the text of each row.
#ifndef ISA_MEANING_H
#define ISA_MEANING_H

#include "isa/isa.h"

struct meaning {
    const char *key, *sentence, *code;
};

#if defined(EXPAND)
extern const struct meaning meanings[];
extern const unsigned meaning_count;
// The number of the row's entry in `meanings`, or -1.
int meaning_of_row(const struct row *row);
// True if a row must need the entry. Others belong to a family of which some rows exist.
bool meaning_is_needed(const struct meaning *m);
#else
// Places in isa_meaning_texts, by row; expand.c writes both.
struct meaning_place {
    uint32_t sentence, code;
};
extern const struct meaning_place isa_meanings[];
extern const char isa_meaning_texts[];
#endif

#endif
