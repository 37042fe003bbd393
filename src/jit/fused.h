// SPDX-License-Identifier: MIT
// Tier 2: hot kernels, each as one function that LLVM has made (fuse.h).
#ifndef JIT_FUSED_H
#define JIT_FUSED_H

#include "jit/hot.h"
#include "jit/plan.h"
#include "jit/wave_loop.h"

// Whether this build can; if not, `why` says so in a few words. The second tier must be there.
bool fused_built(const char *level, const char **why);
// Whether there is an LLVM library for it, too, which is loaded to find out.
bool fused_possible(const char *level, const char **why);

// Decodes what branches lead to: waves do so when they get there, which is later than now.
void fused_decode(struct program *p);
// Compiles what control gets to from the first op of a block, as far as it is decoded, and lets waves enter
// it. Without the program's lock. What could not be compiled is not tried again before more is decoded.
bool fused_at_once(struct program *p, struct tier_up *t, const struct op *root, enum wave_rows rows);
// Ends with the program.
void fused_forget(struct program *p);

// The same in three parts. What is to be compiled, with the program's lock (plan_make):
bool fused_plan(struct plan *plan, struct program *p, const char *level, const struct op *root, size_t most,
                bool partial);
// The code, without it, whatever becomes of the program.
struct fused_code {
    uint8_t *object; // NULL: there is none
    size_t size;
    const char *why;     // there never is any; or NULL
    const char *refused; // there is none of this plan; or NULL
    bool full;           // it is that of the full configuration
    bool kept;           // it was in the cache
};
// For plans of one program.
struct fused_maker {
    const char *level;
    const char *cache;           // a folder where code may have been kept, and is; NULL: none
    bool behind;                 // nobody waits for it, so the process may end meanwhile
    const struct jit_dump *dump; // what its phases are to be shown to, or NULL
    uint32_t part;               // bytes of tier 1's code that a part may have (cut.h)
    uint8_t *bitcode;            // unpacked for the first plan that needs it; NULL at first
    size_t bitcode_bytes;
};
void fused_compile(struct fused_maker *maker, struct plan *plan, struct fused_code *code);
// Code of the full configuration, with these functions alone, for the same steps, if it was kept.
void fused_find(const struct fused_maker *maker, const struct plan *plan, enum plan_functions functions,
                struct fused_code *code);
void fused_maker_end(struct fused_maker *maker);
// Cuts the plan into parts (cut.h), often one, and compiles each. `take` is given each, and whether it is the
// last; false ends it. `code` is that of the last one.
typedef bool fused_take(void *context, const struct plan *part, const struct fused_code *code, bool is_last);
void fused_in_parts(struct fused_maker *maker, const struct plan *whole, struct fused_code *code,
                    fused_take *take, void *context);
void fused_code_free(struct fused_code *code);
// Lets waves enter it, with the lock.
bool fused_publish(struct program *p, const char *level, const struct plan *plan,
                   const struct fused_code *code);
// What runs waves of a launch with such rows from the op to their end one after the other; NULL: nothing.
// And what restores one of them.
struct wave_loop_choice fused_wave_loop(struct program *p, const struct op *op, enum wave_rows rows);
// Lanes of the widest vector of the level's compiled code; 0: there is none.
unsigned fused_chunk(const char *level);

// Whether waves that go on at the op enter compiled code. With the program's lock.
bool fused_has(const struct program *p, const struct op *op);
// The code that was published last, to be asked for under the same lock.
struct native_region *fused_newest(const struct program *p);
// Makes the newest code go together with other code, or NULL: they are entered, left and refused as one.
// Returns the newest.
struct native_region *fused_beside(const struct program *p, struct native_region *other);
// Whether there is compiled code for what begins at the op, be it refused. Lock: program.
bool fused_was_made(const struct program *p, const struct op *op);

// For trials (trial.h), all with the program's lock. Lets waves enter the code, or where its entries led
// before. False: nothing enters it.
bool fused_enter(struct native_region *region, bool enter);
// The code will not be entered any more.
void fused_refuse(struct native_region *region);
// True if the op is the first of what the code was made of.
bool fused_is_of(const struct native_region *region, const struct op *op);

#endif
