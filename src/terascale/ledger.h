// SPDX-License-Identifier: MIT
// How sure each row's execution is.
#ifndef TERASCALE_LEDGER_H
#define TERASCALE_LEDGER_H

#include "terascale/isa/table.h"

// Why the body of a row is not sure to be right; NULL: it is, or there is none.
const char *ts_unsure(const struct ts_row *row);

#endif
