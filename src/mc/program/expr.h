// SPDX-License-Identifier: MIT
// Expressions that are not (yet) numbers: trees over symbols, and their values. Numbers are 64 bits and wrap
// around. text/read_expr.c makes them of text.
#ifndef MC_EXPR_H
#define MC_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct symbol;
struct mc_value;

enum expr_kind { EXPR_NUMBER, EXPR_SYMBOL, EXPR_UNARY, EXPR_BINARY, EXPR_CALL };

enum expr_op {
    OP_NONE,
    OP_NEG,
    OP_NOT,
    OP_LNOT,
    OP_PLUS,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_SHL,
    OP_SHR,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_ORNOT,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_LAND,
    OP_LOR,
};

// What a symbol with @suffix stands for (OBJ-53).
enum variant {
    VARIANT_NONE,
    VARIANT_GOTPCREL,
    VARIANT_GOTPCREL32_LO,
    VARIANT_GOTPCREL32_HI,
    VARIANT_REL32_LO,
    VARIANT_REL32_HI,
    VARIANT_REL64,
    VARIANT_ABS32_LO,
    VARIANT_ABS32_HI,
    VARIANT_ABS64,
};

// Functions over expressions (MCX-01, MCX-02 and what LLVM 22 prints in resource expressions).
enum call {
    CALL_MAX,
    CALL_OR,
    CALL_EXTRA_SGPRS,
    CALL_TOTAL_VGPRS,
    CALL_ALIGN_TO,
    CALL_OCCUPANCY,
    CALL_PREFETCH
};

struct expr {
    uint8_t kind, op; // op: enum expr_op, or enum call
    uint8_t variant;
    uint16_t depth;
    uint32_t count; // of a call's arguments
    union {
        int64_t number;
        struct symbol *symbol;
        const struct expr *left;
        const struct expr *const *args;
    };
    const struct expr *right;
};

// A literal that names a symbol means its distance, unless it asks for the address or is a difference.
bool expr_is_relative(const struct expr *e);

// number + add - sub, the form that a relocation can hold.
struct relocatable {
    int64_t number;
    const struct symbol *add, *sub;
    uint8_t variant;
};

// What evaluation needs to know of the layout; NULL: nothing is laid out, labels are unknown.
struct expr_layout {
    // The distance a - b of two labels when it is known.
    bool (*distance)(void *context, const struct symbol *a, const struct symbol *b, int64_t *out);
    // call on absolute arguments that depend on the processor; false: not such a call
    bool (*call)(void *context, enum call call, const int64_t *args, unsigned count, int64_t *out);
    void *context;
    bool final; // nothing is defined or moved any more: symbols keep the numbers that they are found to be
};
enum expr_status { EXPR_OK, EXPR_UNKNOWN, EXPR_DIVISION, EXPR_CIRCULAR, EXPR_TOO_LONG };
enum expr_status expr_evaluate(const struct expr *e, const struct expr_layout *layout,
                               struct relocatable *out);
const char *expr_status_text(enum expr_status s);
// A number, when it is one.
enum expr_status expr_absolute(const struct mc_value *v, const struct expr_layout *layout, int64_t *out);

// How deep a tree may be, and how many arguments a call may have.
enum { EXPR_DEPTH = 400, EXPR_ARGS = 4096 };

// Builds nodes; NULL: out of memory. Numbers fold.
const struct expr *expr_number(struct arena *arena, int64_t number);
const struct expr *expr_unary(struct arena *arena, enum expr_op op, const struct expr *a);
const struct expr *expr_binary(struct arena *arena, enum expr_op op, const struct expr *a,
                               const struct expr *b);
// a op b; false: it has no value (a division by zero).
bool expr_fold(enum expr_op op, int64_t a, int64_t b, int64_t *out);
int64_t expr_fold_unary(enum expr_op op, int64_t a);

#endif
