// SPDX-License-Identifier: MIT
// The names of modifiers.
#include "asm/insn/statement.h"

const char *const modifier_names[MODIFIERS] = {
#define MODIFIER(id, name, kind) name,
#include "asm/insn/modifiers.def"
#undef MODIFIER
};
