// SPDX-License-Identifier: MIT
// What the two halves of the assembler share. The text half (lines, symbols, expressions, directives, macros,
// sections) drives; the instruction half turns one statement into bytes and knows nothing of the rest: it
// asks its host for expressions. Alone, with a host that knows no symbols, it is single-statement assembly.
#ifndef ASM_ASM_H
#define ASM_ASM_H

#include "isa/isa.h"

struct expr; // of the text half: a tree that is not (yet) a number

// The value of an expression: a number, or `expr` when it depends on what is not known yet.
struct asm_value {
    int64_t number;
    const struct expr *expr; // NULL: absolute
    bool label;              // expr is a symbol and nothing else
};

struct asm_host {
    // Parses the expression at *at and leaves *at behind it. On failure reports and returns false.
    bool (*expression)(void *context, const char **at, const char *end, struct asm_value *out);
    // Takes an error found at `where` in the statement; the message is one line.
    void (*error)(void *context, const char *where, const char *message);
    void *context;
};

// How instructions are understood: the processor with its features switched as asked.
struct asm_mode {
    const sw_processor *processor;
    struct isa isa; // a copy, in which features may differ from the processor's defaults
    bool wave32;
    bool any_wave; // both wave sizes were asked for: what fits either is accepted
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

// Names that every host's expressions know: those of s_version (UC_VERSION_GFX10 ...).
bool asm_predefined(const struct isa *isa, const char *name, size_t length, int64_t *out);

// Assembles the instruction in [text, end): one statement without comments, label or line end. Returns false
// after one error was reported to the host. Reads nothing beyond `end`.
bool asm_instruction(const struct asm_mode *mode, const struct asm_host *host, const char *text,
                     const char *end, struct asm_insn *out);

#endif
