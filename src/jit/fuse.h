// SPDX-License-Identifier: MIT
// The code of tier 2: a plan as one function, with the wave's registers in registers of the host.
//
// The function works on a copy of the wave. Every access to the copy has a known offset, so LLVM splits the
// copy into host registers. Each entry fills the copy from the wave. Changed slots are stored to the wave
// before anybody may look at it: before a handler, before an access to memory (guard.c), at the end. There
// are two versions of the code, for all lanes and for some. Control changes between them where EXEC is
// written.
//
// The function takes the wave and the number of an entry. It returns the op whose handler goes on, or NULL
// when the wave has stopped.
#ifndef JIT_FUSE_H
#define JIT_FUSE_H

#include "llvm/llvm.h"
#include "jit/plan.h"

#define FUSED_FUNCTION  "fused"
#define FUSED_WAVE_LOOP "wave_loop"   // the function of wave_loop.h; not in every object
#define FUSED_RESTORE   "restore"     // that which puts back what it kept of a wave; likewise
#define FUSED_ROWS      "rows"        // the same for launches in rows (wave_loop.h)
#define FUSED_GROUP     "group_loop"  // likewise, across barriers
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
