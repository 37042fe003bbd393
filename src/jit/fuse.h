// SPDX-License-Identifier: MIT
// The third tier's code: a plan as one function, with registers of the wave in registers of the host.
//
// The function works on a copy of the wave, of which it knows every place that it names, so that LLVM takes
// the copy apart. It fills that from the wave where it is entered, and writes back what changed before
// whatever may look at the wave: handlers, accesses to memory (guard.c), where it ends. Code is made twice,
// for all lanes and for some, and goes from one to the other where EXEC is written.
//
// It is called with the wave and the number of an entry, and returns the op whose handler is to go on, or
// NULL when the wave has stopped.
#ifndef JIT_FUSE_H
#define JIT_FUSE_H

#include "llvm/llvm.h"
#include "jit/plan.h"

#define FUSED_FUNCTION  "fused"
#define FUSED_WAVE_LOOP "wave_loop"   // the function of wave_loop.h; not in every object
#define FUSED_RESTORE   "restore"     // that which puts back what it kept of a wave; likewise
#define FUSED_ROWS      "rows"        // the same for launches in rows (wave_loop.h)
#define FUSED_TABLE     "fused_table" // of pointers; what stands where is said below

// For step i: [2 i] the op, [2 i + 1] a copy of it that can be called, behind which stands one that comes
// back. Then the function that gives way.
static inline size_t fused_table_size(const struct plan *plan) { return 2 * plan->steps.count + 1; }

struct jit_dump;
struct fuse_job {
    const struct llvm *llvm;
    struct plan *plan;
    const uint8_t *bitcode; // of the level and wave size
    size_t bitcode_bytes;
    unsigned vector_bytes;       // of the level's widest registers
    const struct jit_dump *dump; // what is to be shown (dump.h), or NULL
};
// An object file of *size bytes, to be freed. NULL: no.
uint8_t *fuse(const struct fuse_job *job, size_t *size);

// Names of phases that can be shown, in order; NULL behind the last.
const char *fuse_phase_name(size_t n);

#endif
