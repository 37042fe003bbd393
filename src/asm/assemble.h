// SPDX-License-Identifier: MIT
// The whole assembler: statements to what they do, and listings of them.
#ifndef ASM_ASSEMBLE_H
#define ASM_ASSEMBLE_H

#include "asm/directive/directive.h"

// Obeys one statement: labels, an assignment, a directive, a macro or an instruction (statement.c).
bool unit_statement(struct unit *u, const char *p, const char *end);

// --show-encoding (listing.c).
void list_label(struct unit *u, const struct symbol *s);
void list_instruction(struct unit *u, const struct asm_insn *in, const char *p, const char *end);

#endif
