// SPDX-License-Identifier: MIT
// Values of the registers that an instruction reads or writes.
#ifndef CLI_RUN_REGISTERS_H
#define CLI_RUN_REGISTERS_H

#include "cli/run/run.h"
#include "softwave/isa.h"

// Appends `before` and " NAME=VALUE" for each operand with this access: hexadecimal, and as a number where it
// is one. Of vectors the lanes in `lanes`: one value with "*" when all hold it, else the first few.
void values_put(struct text *t, const char *before, const sw_step *step, const sw_operand *operands,
                size_t count, unsigned access, uint64_t lanes);
// Whether values_put would append anything.
bool values_any(const sw_operand *operands, size_t count, unsigned access);

#endif
