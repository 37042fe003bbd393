// SPDX-License-Identifier: MIT
// What each operation does, in words.
#ifndef TERASCALE_MEANING_H
#define TERASCALE_MEANING_H

#include "terascale/isa/table.h"

// One sentence or a few; every row has them.
const char *ts_sentence(const struct ts_row *row);

#endif
