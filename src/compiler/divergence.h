// SPDX-License-Identifier: MIT
// What divergence.c finds out, for rounds.c, which works on it.
#ifndef COMPILER_DIVERGENCE_H
#define COMPILER_DIVERGENCE_H

#include "compiler/passes.h"
#include "ir/constraints.h"

struct lanes {
    struct compiler *c;
    struct ir_function *f;
    struct ir_graph forwards, backwards; // backwards from one node more, to which all ends go
    struct ir_loops loops;
    uint32_t *home; // by instruction: its block
    bool *uniform;  // by value
    bool *meets;    // by block: lanes come to it from different sides of a branch
    bool *leaks;    // by header: lanes leave the loop in different rounds
    uint32_t *side; // by block, while a branch is looked at
};

// True if a value is used in a block outside of a loop that lanes left in different rounds: each lane has
// that of its own last round.
bool compiler_is_of_round(const struct lanes *l, ir_ref r, uint32_t block);
// The block in which an operand is read: of a phi, that from which lanes come.
uint32_t compiler_place_of_use(const struct lanes *l, const struct ir_inst *i, unsigned n);
// Finds out which values are the same in all lanes, and which bank each has; as if nothing had been found
// out.
void compiler_find_lanes(struct lanes *l);
void compiler_forget_lanes(struct lanes *l);
// True if all lanes have the same in an operand, where it is read.
bool compiler_is_uniform(const struct lanes *l, const struct ir_inst *i, unsigned n);
// Copies such values within the loop (rounds.c).
void compiler_keep_rounds(struct lanes *l);

#endif
