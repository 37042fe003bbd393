// SPDX-License-Identifier: MIT
// Text to a statement (statement.h).
#ifndef ASM_PARSE_H
#define ASM_PARSE_H

#include "asm/insn/statement.h"

// Takes [text, end) apart into *st. Reports and returns false when it is not of that shape.
bool parse_statement(struct statement *st, const struct mc_mode *mode, const struct asm_host *host,
                     const char *text, const char *end, bool words);

#endif
