// SPDX-License-Identifier: MIT
// The interface between the two halves of the assembler. The text half reads lines, symbols, expressions,
// directives and macros and keeps sections. It calls the instruction half, which turns one statement into
// bytes and is ignorant of all that: expressions in operands are read by the caller, through struct asm_host.
// constant_host.c is another such caller, whose expressions are numbers: it assembles single statements.
#ifndef ASM_ASM_H
#define ASM_ASM_H

#include "isa/isa.h"

struct expr; // of the text half: a tree that is not (yet) a number

// The value of an expression: `number`, unless it depends on something that is not known yet.
struct asm_value {
    int64_t number;
    const struct expr *expr; // NULL: the value is `number`
    bool label;              // the expression is a symbol by itself
};

struct asm_host {
    // Parses the expression at *at and moves *at behind it. On failure it reports an error and returns false.
    bool (*expression)(void *context, const char **at, const char *end, struct asm_value *out);
    // Reports an error, of one line, at `where` in the statement.
    void (*error)(void *context, const char *where, const char *message);
    void *context;
};

// How instructions are understood: the processor with its features switched as asked.
struct asm_mode {
    const sw_processor *processor;
    struct isa isa; // a copy of the processor's, with the features that options turned on or off
    bool wave32;
    bool any_wave; // both wave sizes are enabled: instructions of either are accepted
};

// A place in an instruction whose value is not known yet.
enum asm_fixup_kind {
    ASM_FIXUP_BRANCH, // simm16: (value - address of the next instruction) / 4
    ASM_FIXUP_DWORD,  // 32-bit literal
};
struct asm_fixup {
    uint8_t kind;   // enum asm_fixup_kind
    uint8_t offset; // bytes into the instruction
    const struct expr *expr;
};

struct asm_insn {
    uint8_t bytes[INSN_MAX_BYTES];
    uint8_t size;
    uint8_t fixup_count;
    struct asm_fixup fixup[2];
};

// The value of a name that all expressions know: those for s_version (UC_VERSION_GFX10 ...).
bool asm_predefined(const struct isa *isa, const char *name, size_t length, int64_t *out);

// Assembles the instruction in [text, end): one statement without comments, label or line end. Returns false
// after one error was reported to the host. Reads nothing beyond `end`.
bool asm_instruction(const struct asm_mode *mode, const struct asm_host *host, const char *text,
                     const char *end, struct asm_insn *out);

#endif
