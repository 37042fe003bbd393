// SPDX-License-Identifier: MIT
// Expressions from text: folded to a number at once where possible, otherwise kept as a tree until the
// symbols in it are known.
#ifndef ASM_READ_EXPR_H
#define ASM_READ_EXPR_H

#include "mc/program/expr.h"

struct symbol_table;

// What surrounds an expression. `here` makes the symbol of the current place for "."; `label` that of 1b or
// 1f; these and `predefined` may be NULL.
struct expr_reader {
    struct arena *arena;
    struct symbol_table *symbols; // NULL: a name is an error
    struct symbol *(*here)(void *context);
    struct symbol *(*label)(void *context, uint64_t number, bool ahead);
    bool (*predefined)(void *context, const char *name, size_t length, int64_t *out); // a number's name
    void (*used)(void *context, struct symbol *s);
    void (*error)(void *context, const char *where, const char *message);
    void *context;
};

// Parses the expression at *at. False: one error was reported.
bool expr_parse(const struct expr_reader *r, const char **at, const char *end, struct mc_value *out);

// How a variant stands behind a symbol ("" for none), and the name of a function over expressions.
const char *expr_variant_name(enum variant v);
const char *expr_call_name(enum call c);

#endif
