// SPDX-License-Identifier: MIT
// Affine vectors through loops. A vector that a loop carries from one iteration to the next is an affine
// vector in all of them if it is one where the loop begins and if an iteration makes an affine vector of the
// same step of it: then the loop carries its first lane alone. An iteration may do so under a condition only,
// such as that no carry goes out of the low half of an address. So each way into a loop asks first
// (`loops_ask`), and where the condition does not hold the wave leaves with the vectors that it has there.
//
// The same holds for what waves keep in memory while others run (group_loop.c): what comes back is an affine
// vector if what was kept is one, always, and then its first lane alone is loaded.
#ifndef JIT_LOOPS_H
#define JIT_LOOPS_H

#include "jit/affine.h"

// What stands for the question: a bit, whether the ways part. Each has a number of its own.
#define LOOPS_LOST "loops_lost"

// What stands for a vector that is kept, and for it where it comes back from its place; both have its number.
#define LOOPS_KEPT     "loops_kept"
#define LOOPS_RESTORED "loops_restored"

// A vector that a loop carries, or that comes back.
struct carried {
    llvm_ref value, head; // the phi, or what comes back, and its block
    llvm_ref kept;        // of what comes back: where it was kept; NULL: it is a phi
    struct affine affine; // what it is taken for
    unsigned way;         // by which it was found
    uint32_t number;      // of the first lane that comes in there
    uint32_t group;       // those of other groups have other first lanes in the next iteration
    uint64_t makes;       // a hash of all first lanes that come in
    bool is_assumed, is_none, has_lane;
};
// A way into a loop that asks.
struct gate {
    llvm_ref question, block, head;
    struct scalar sure;
};
struct loops {
    ARRAY(struct carried) carried;
    ARRAY(struct gate) gates;
    ARRAY(llvm_ref) firsts; // all phis that were made
    ARRAY(llvm_ref) questions;
    ARRAY(llvm_ref) kept, restored;
};

// The question, where the builder stands.
llvm_ref loops_ask(const struct fuse *f);
// A vector of the host's size is kept, with a number; comes back from where it was stored.
void loops_keep(const struct fuse *f, llvm_ref v, uint64_t number);
llvm_ref loops_restore(const struct fuse *f, llvm_ref from, uint64_t number);
// What comes back where nothing is kept any more, as LLVM has found that no wave gets there, is marked as
// code that is never reached (`any`: there was some). False: no memory.
bool loops_drop(const struct fuse *f, llvm_ref function, bool *any);
// Finds out which vectors of a function's loops are affine vectors, and lets `s` take them for that. False:
// no memory.
bool loops_find(struct lanes *s, llvm_ref function, struct loops *loops);
// Answers the questions, and takes the vectors out of the loops. No affine vectors are asked for behind it.
void loops_answer(struct lanes *s, struct loops *loops);
void loops_free(struct loops *loops);

#endif
