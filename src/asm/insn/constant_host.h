// SPDX-License-Identifier: MIT
// Expressions of integers alone, for assembling single statements: LLVM's operators with their precedence, no
// symbols but the predefined names of s_version, no memory. Depth is bounded.
#ifndef ASM_CONSTANT_HOST_H
#define ASM_CONSTANT_HOST_H

#include "asm/insn/asm.h"

// What a host of asm_instruction does for an expression; errors go to host->error.
bool constant_expression(const struct isa *isa, const struct asm_host *host, const char **at, const char *end,
                         struct mc_value *out);

#endif
