// SPDX-License-Identifier: MIT
// Whether a value of a program is what a row computes: a pattern (select.h) against the operations that make
// the value, and which of the program's values the row's sources then are. Knows nothing of programs but what
// it asks.
#ifndef ISA_SELECT_MATCH_H
#define ISA_SELECT_MATCH_H

#include "isa/select.h"

// What a program says of a value, which it numbers as it likes.
struct select_value {
    enum operation op; // OPERATIONS: nothing that may be looked into
    struct select_type type;
    unsigned count;
    uint32_t operands[4];
    bool is_constant;
    uint64_t number; // of a constant
};
struct select_program {
    void *context;
    // `inner`: the row would compute the value as well; it must have no other use, or it is nothing to look
    // into.
    void (*look)(void *context, uint32_t value, bool inner, struct select_value *out);
    uint64_t (*zeros)(void *context, uint32_t value); // bits that are known to be 0, above the type's as well
    unsigned (*signs)(void *context,
                      uint32_t value); // how many of its upper bits are known to equal the sign; at least 1
};

enum { SELECT_MOST_INNER = 16 };
enum select_binding { SELECT_UNBOUND, SELECT_VALUE, SELECT_CONSTANT };
struct select_match {
    struct {
        uint8_t binding; // enum select_binding
        uint32_t value;
        uint64_t number; // of a constant that is made of parts
    } source[ROW_SRC];
    // SCC, VCC, EXEC, M0, the first destination's old value: bound to a value where the pattern reads them.
    bool reads[SELECT_K + 1];
    uint32_t input[SELECT_K + 1];
    uint8_t k;     // the truth table, of SELECT_K
    uint8_t inner; // values besides the root that the row computes
    uint32_t values[SELECT_MOST_INNER];
};
// True if `value` is what the pattern computes. Operands change places where operations allow it; a mask in
// the pattern also matches a value that has no bits outside it.
bool select_match(const struct select_program *p, const struct select_node *pattern, uint32_t value,
                  struct select_match *out);

#endif
