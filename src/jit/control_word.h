// SPDX-License-Identifier: MIT
// Floating point computes under the host's control word, whose rounding the compiler does not know. LLVM
// takes such operations for ones that may differ each time. They do not where nothing writes the control
// word: in functions of which no piece switches it (F64 and F16 do, where MODE has another rounding for
// them), within one block, as a call of a handler ends its block.
#ifndef JIT_CONTROL_WORD_H
#define JIT_CONTROL_WORD_H

#include "jit/joining.h"

// An operation under the control word, and what stands for it.
struct held {
    llvm_ref function, last[2]; // with its last operands, which say how it rounds
    unsigned last_count;
    llvm_ref stands_for_it;
};
struct all_held {
    ARRAY(struct held) items;
    bool failed;
};

// True if no code of the module writes the control word, but handlers.
bool control_word_stays(const struct fuse *f);
// Lets functions stand for the operations, of which LLVM may join those of one block that have the same
// operands: as each chunk computes what all lanes have. And gives them back.
void hold_operations(const struct fuse *f, struct all_held *held);
void release_operations(const struct fuse *f, struct all_held *held);
// Instructions that bodies write out are volatile, so that they keep their order with what writes the control
// word. Loads may be moved over them then, to where they are wanted.
void let_written_out_move(const struct fuse *f);

#endif
