// SPDX-License-Identifier: MIT
// What a program needs.
#ifndef TERASCALE_NEEDS_H
#define TERASCALE_NEEDS_H

#include "terascale/isa/table.h"

// GPRs, entries of the stack, whether it kills; which rows it uses.
struct ts_needs {
    unsigned gprs, stack;
    bool kills;
    bool uses[TS_ROWS];
};
// False: out of memory.
bool ts_program_needs(const struct ts_chip *chip, const uint32_t *code, uint32_t words, struct ts_needs *out);

#endif
