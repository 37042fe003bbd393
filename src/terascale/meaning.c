// SPDX-License-Identifier: MIT
// What each operation does, in words. A row without a sentence, or with two, does not build.
#include "terascale/meaning.h"

enum {
    SAID = 0
#define SAY(row, text) +1
#include "terascale/meaning_alu.def"
#include "terascale/meaning_flow.def"
#include "terascale/meaning_memory.def"
#undef SAY
};
_Static_assert((int)SAID == (int)TS_ROWS, "every row has one sentence");

static const char *const sentences[TS_ROWS] = {
#define SAY(row, text) [TS_##row] = text,
#include "terascale/meaning_alu.def"
#include "terascale/meaning_flow.def"
#include "terascale/meaning_memory.def"
#undef SAY
};

const char *ts_sentence(const struct ts_row *row) { return sentences[ts_row_number(row)]; }
