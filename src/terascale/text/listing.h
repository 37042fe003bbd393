// SPDX-License-Identifier: MIT
// Programs as listings.
#ifndef TERASCALE_LISTING_H
#define TERASCALE_LISTING_H

#include "base/text.h"
#include "terascale/isa/table.h"

// Lists one program of `words` 64-bit words, in AMD's spelling, which assembles to the same words, or in
// llc's.
bool ts_list_program(struct text *t, const struct ts_chip *chip, const uint32_t *code, uint32_t words,
                     bool llvm);

#endif
