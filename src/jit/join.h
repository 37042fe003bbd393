// SPDX-License-Identifier: MIT
// Putting pieces behind each other.
#ifndef JIT_JOIN_H
#define JIT_JOIN_H

#include "jit/stencil_set.h"
#include "jit/wave_loop.h"
#include "exec/decode/program.h"

// An op where waves enter compiled code.
struct native_entry {
    const struct op *op;
    op_fn *own, *former; // its handler now, and where it leads without the code
};

// Code that stays where it is until nobody runs the program any more.
struct native_region {
    struct native_region *next;
    void *code; // or the records of a stand-in
    size_t bytes;
    size_t records;
    struct op *copies; // of compiled code (fused.h): ops that it calls
    bool stands_in_for_compiled;
    bool refused;                 // it was slower (trial.h)
    struct native_entry *entries; // of compiled code
    size_t entry_count;
    struct native_region *beside; // another part of the same kernel (cut.h), which goes with it; or NULL
    // Of compiled code that waves can run through one after the other from this op on: that of any launch,
    // and that of one in rows.
    const struct op *root;
    struct wave_loop_code wave_loop, rows, group;
    unsigned rows_kind; // enum wave_rows
};

// Native code for blocks [first, count) of the program, and handlers that lead there. Called with the
// program's lock held. False: no memory for it, or the host forbids it; nothing changed.
bool native_join(struct program *p, const struct native_image *image, size_t first, size_t count);

// What it is made of. Where a branch of the program's own code leads, as far as that is decoded.
const struct op *native_target(const struct program *p, const struct op *op);
// The piece for an op, and its memory instruction or NULL; NULL: there is none.
const struct stencil *native_choose(const struct program *p, const struct native_image *image,
                                    const struct op *op, const struct mem_op **memory);
// The value of a hole (enum stencil_kind), with 64 bits. False: pieces cannot have it. `literal` becomes true
// where the op's imm must be in the wave.
bool native_value(unsigned kind, const struct op *op, const struct mem_op *mo, uint64_t *v, bool *literal);

// The same where sanitizers look: a record for each op instead of code, and a handler that finds it.
bool native_stand_in(struct program *p, size_t first, size_t count);
// Instead of compiled code.
bool native_stand_in_compiled(struct program *p, const struct op *const *ops, size_t count);

#endif
