// SPDX-License-Identifier: MIT
// The plan of a function of tier 2: blocks of a program as steps, with the values of their operands. Nothing
// in a plan depends on addresses, so equal plans give equal code.
#ifndef JIT_PLAN_H
#define JIT_PLAN_H

#include "base/array.h"
#include "jit/stencil_set.h"
#include "jit/pieces.h"
#include "exec/decode/program.h"

enum step_kind {
    STEP_PIECE,
    STEP_CALL,  // the op's handler is called and comes back
    STEP_LEAVE, // compiled code ends here, and the op's handler goes on
    STEP_GO_TO
};

struct step {
    uint8_t kind;      // enum step_kind
    uint8_t otherwise; // of a piece: what the step is without it
    bool is_first;     // of the ops of an instruction: no temporaries are live before it
    bool joins;        // it goes to the block that begins at its op's instruction
    bool may_leave;    // of a piece: it may leave all to the handler, as if it had not begun
    bool is_memory;    // of a piece: it does so unless its access lies in the range of its instruction
    bool has_literal;  // of a piece
    bool is_entry;     // waves may come from elsewhere
    bool asks_exec;    // of a branch: where it leads depends on EXEC
    bool takes_some;   // of an entry: also where not all lanes execute
    bool writes_exec;  // of a step that is called: it may
    bool replaces;     // where all lanes execute, nothing is left or read of the vectors that it writes
    bool is_own;       // of its wave alone (FLOW_OWN)
    // Where all waves of the group wait for each other. One that arrives alone is followed by one that waits,
    // and only pieces that are their wave's own stand between them.
    bool arrives, waits;
    bool goes_on;   // the wave leaves for its op's function, which another part may have (cut.h)
    uint8_t class;  // of the instruction, enum sw_insn_class
    uint16_t piece; // of the image's stencils
    int32_t target; // the step where the branch leads; -1: unknown, or no branch
    uint64_t arguments[PIECE_PARAMETER_COUNT];
    uint64_t literal;
};

// Which functions the code has (fuse.h): the one that waves enter; the loops over waves, without which there
// is no code; all of them.
enum plan_functions { FUNCTIONS_USUAL, FUNCTIONS_LOOPS, FUNCTIONS_ALL };

struct plan {
    ARRAY(struct step) steps;
    const struct native_image *image;
    ARRAY(const struct op *) ops; // by step. Lock: program, which may go away
    // plan_put has all members on which code depends.
    bool wave32;
    bool guarded;       // accesses may fail in the host: dirty slots are stored before each (guard.c)
    uint8_t rows;       // enum wave_rows: of the launches that there is code for besides the usual one
    uint8_t functions;  // enum plan_functions
    uint32_t blocks;    // of straight code
    uint32_t loops_end; // the step behind the last branch that leads back; what stands behind it runs once
    bool quick;         // compiled in the configuration that takes half as long (fuse.c)
    bool too_large;     // LLVM's joined function is too large to compile (fuse.c)
    unsigned most;      // instructions of LLVM that it may have; 0: as many as fuse.c says
    bool failed;
};

// The name of the step's piece: the body and its variant. Numbers of stencils differ from build to build.
static inline const char *plan_piece(const struct plan *p, size_t step) {
    return p->image->names[p->steps.items[step].piece];
}

// Makes the plan of all decoded blocks that control reaches from `root`, the first op of a block. `partial`:
// only the nearest blocks, up to max_steps. False: too many steps, or no memory. Lock: program.
bool plan_make(struct plan *plan, const struct program *p, const struct native_image *image,
               const struct op *root, size_t max_steps, bool partial);
// Whether plan_make would refuse it with this limit.
bool plan_is_longer(const struct plan *plan, size_t max_steps);
void plan_free(struct plan *plan);
// True if waves of the plan can be expected to run in a row up to each barrier, so that a group loop pays.
bool plan_has_group_loop(const struct plan *plan);
struct plan_bytes {
    ARRAY(uint8_t) all;
};
// Appends the bytes of the plan. Plans with equal bytes give equal code. False: no memory.
bool plan_put(const struct plan *plan, struct plan_bytes *to);
bool plan_put_bytes(struct plan_bytes *to, const void *bytes, size_t count);

#endif
