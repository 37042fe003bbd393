// SPDX-License-Identifier: MIT
// Registers by name.
#ifndef ASM_REGISTER_H
#define ASM_REGISTER_H

#include "asm/insn/statement.h"

// A register at `at`: fills the register part of *out and its end. 0: no register; -1: reported.
int parse_register(struct statement *st, const char *at, const char *end, struct parsed *out);

#endif
