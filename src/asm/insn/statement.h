// SPDX-License-Identifier: MIT
// A statement taken apart before any instruction is considered: positional operands and named modifiers, each
// with its place in the text. What they mean is for the encodings that are tried on them (fit.h).
#ifndef ASM_STATEMENT_H
#define ASM_STATEMENT_H

#include "asm/insn/scan.h"

enum parsed_kind {
    PARSED_REGISTER,
    PARSED_NUMBER, // an absolute integer
    PARSED_FLOAT,  // `number` holds the bits of a double
    PARSED_EXPR,   // depends on symbols
    PARSED_WORD,   // an identifier that is no register: off, mrt0, attr0.x, a symbol
    PARSED_CALL,   // name(...), possibly several of them: counters, hwreg, sendmsg
    PARSED_LIST,   // [v1, v5, ...] of registers that do not follow each other
};
enum half { HALF_NONE, HALF_LOW, HALF_HIGH };

struct parsed {
    const char *at, *end;
    uint8_t kind;
    bool neg, abs, sext, lit, lit64;
    uint8_t half;         // .l or .h
    uint8_t dwords;       // of a register; 0: as many as asked for (null, src_shared_base)
    uint16_t code;        // of a register, in the source number space
    uint8_t first, count; // elements of a list, also of one whose registers follow each other
    bool special;         // a named register
    int64_t number;
    const struct expr *expr;
    bool label; // expr is a symbol and nothing else
};

enum modifier_kind {
    MOD_FLAG, // name, or its negation
    MOD_INT,  // name:integer
    MOD_BITS, // name:[0,1,...]: bit n is element n
    MOD_PERM, // name:[..] of wider elements
    MOD_WORD, // name:WORD or name:integer or name:[WORD,...]
};
enum modifier_id {
#define MODIFIER(id, name, kind) M_##id,
#include "asm/insn/modifiers.def"
#undef MODIFIER
    MODIFIERS
};
extern const char *const modifier_names[MODIFIERS];

struct modifier {
    uint8_t id;
    uint8_t count; // elements of a list
    bool is_text;  // a MOD_WORD that is not a number: [at, end)
    int64_t value;
    const char *start;    // of the name
    const char *at, *end; // of the value
};

enum { MAX_OPERANDS = 16, MAX_MODIFIERS = 24, MAX_LISTED = 20 };

struct statement {
    const struct mc_mode *mode;
    const struct asm_host *host;
    const char *text, *end;
    const char *name; // mnemonic, with its suffix
    size_t name_length;
    struct parsed operand[MAX_OPERANDS];
    struct modifier modifier[MAX_MODIFIERS];
    unsigned operands, modifiers;
    uint64_t present[2]; // modifiers by id
    struct {
        uint16_t code;
        uint8_t dwords;
    } list[MAX_LISTED]; // registers of lists
    unsigned listed;
    bool bars;          // between the bars of an absolute value
    bool trying;        // looking ahead: nothing is reported
    bool words;         // names of flags that stand in an operand's place are symbols
    bool flag_due;      // there is such a name
    const char *second; // behind "::", the other half of a VOPD; or NULL
};

#endif
