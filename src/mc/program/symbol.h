// SPDX-License-Identifier: MIT
// Symbols and the table that finds them by name. A symbol begins undefined; a label places it in a section,
// an assignment gives it a number or an expression.
#ifndef MC_SYMBOL_H
#define MC_SYMBOL_H

#include "base/arena.h"
#include "base/text.h"
#include "mc/program/expr.h"

struct section;

enum symbol_state {
    SYMBOL_UNDEFINED,
    SYMBOL_LABEL,    // section and offset
    SYMBOL_NUMBER,   // offset holds the value
    SYMBOL_VARIABLE, // value
    SYMBOL_COMMON,   // offset holds the alignment
    SYMBOL_LDS,      // likewise, of a variable in LDS
};

struct symbol {
    struct expr reference; // the expression that just names it
    const char *name;      // NULL: made by the assembler
    uint32_t length, hash;
    struct section *section;
    uint64_t offset;
    uint32_t piece; // of a label: how many pieces of its section stand before it
    const struct expr *value;
    const struct expr *size;
    struct symbol *next; // in order of registration, which is that of the object's table
    uint32_t index;      // in the object's table
    uint32_t order;      // of registration, or of the last assignment
    uint32_t group;      // of the signature of a section group: its number from 1 on
    uint32_t name_at;    // in its string table
    uint8_t state;
    uint8_t binding, visibility, type; // as ELF numbers them
    bool has_binding, registered, relocated, temporary, used;
    bool signature;        // of a section group
    bool weakref;          // a name for another symbol whose use does not demand that there be one
    bool weakly;           // relocated, but only through such names
    bool fixed;            // .equiv: may not be given another value
    bool counter;          // .amdgcn.next_free_*: raised by the instructions
    struct symbol *rename; // .symver: what relocations name instead
    bool evaluating;       // guards against definitions in a circle
    bool settled;          // a variable whose value, `offset`, nothing changes any more
    struct symbol *label_last, *label_next; // of the name of a local label: 1b and 1f
};

struct symbol_table {
    struct arena *arena;
    struct symbol **slots;
    size_t capacity, count;
};

// The symbol of that name, made when there is none yet. NULL: out of memory.
struct symbol *symbol_get(struct symbol_table *t, const char *name, size_t length);
// NULL when there is none.
struct symbol *symbol_find(const struct symbol_table *t, const char *name, size_t length);
// One without a name.
struct symbol *symbol_make(struct symbol_table *t);

#endif
