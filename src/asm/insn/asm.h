// SPDX-License-Identifier: MIT
// The interface between the two halves of the assembler. The text half reads lines, symbols, expressions,
// directives and macros and keeps sections. It calls the instruction half, which turns one statement into
// bytes and is ignorant of all that: expressions in operands are read by the caller, through struct asm_host.
// constant_host.c is another such caller, whose expressions are numbers: it assembles single statements.
#ifndef ASM_ASM_H
#define ASM_ASM_H

#include "mc/mc.h"

struct asm_host {
    // Parses the expression at *at and moves *at behind it. On failure it reports an error and returns false.
    bool (*expression)(void *context, const char **at, const char *end, struct mc_value *out);
    // Reports an error, of one line, at `where` in the statement.
    void (*error)(void *context, const char *where, const char *message);
    void *context;
};

struct asm_insn {
    uint8_t bytes[INSN_MAX_BYTES];
    uint8_t size;
    uint8_t fixup_count;
    struct mc_fixup fixup[2];
};

// The value of a name that all expressions know: those for s_version (UC_VERSION_GFX10 ...).
bool asm_predefined(const struct isa *isa, const char *name, size_t length, int64_t *out);

// Assembles the instruction in [text, end): one statement without comments, label or line end. Returns false
// after one error was reported to the host. Reads nothing beyond `end`.
bool asm_instruction(const struct mc_mode *mode, const struct asm_host *host, const char *text,
                     const char *end, struct asm_insn *out);

#endif
