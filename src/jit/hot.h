// SPDX-License-Identifier: MIT
// Which kernels are worth compiling. Workers weigh each kernel that they run, by back-edges and by waves. A
// thread of the process compiles a kernel that is heavy enough (compiler.c), while the kernel goes on
// running.
#ifndef JIT_HOT_H
#define JIT_HOT_H

#include "exec/decode/program.h"
#include "jit/trial.h"

enum {
    TIER_UP_SHARES = 256, // workers report the weight in this many parts, or more
    WAVE_WEIGHT = 8,      // a wave without back-edges weighs as much as this many
    // The weight at which a kernel is compiled. A longer kernel takes longer to compile, and its waves run
    // longer.
    TIER_UP_WEIGHT = 200000,
    TIER_UP_FULL = 10,        // times TIER_UP_WEIGHT: its loops over waves
    TIER_UP_USUAL = 40,       // times TIER_UP_WEIGHT: full code for waves that run by themselves
    TIER_UP_LOOP = 8,         // times TIER_UP_WEIGHT: one loop of a kernel that is too long
    TIER_UP_MOST_STEPS = 600, // plan_make; fuse.c has a limit for what LLVM makes of them
    TIER_UP_PART = 50000,     // bytes of tier 1's code in a part of the quick configuration (cut.h)
    TIER_UP_CUT_STEPS = 6000, // most steps of a kernel that is compiled in parts
    TIER_UP_LONG = 20,        // times TIER_UP_WEIGHT: a longer kernel as a whole, in the full configuration
    TIER_UP_LONG_STEPS = 1000,
    TIER_UP_FULL_STEPS = 160, // most steps of a kernel that gets full code after its quick code was slower
    TIER_UP_TIMES = 4,        // compilations of a kernel, as more of its code is decoded
    TIER_UP_CALLS = 16,       // functions that it calls by registers and that are compiled beside it
};

// Which phases of fuse.c are shown, and to whom. `phases`: names with commas between, or "all".
struct jit_dump {
    char *phases;
    void (*put)(void *context, const char *phase, const char *text, size_t length);
    void *context;
};

// What kernels of a device need to get compiled code by themselves.
struct tier_up {
    bool on;           // atomic
    bool keeps;        // compiled code is not timed, and kept
    unsigned compiled; // pieces of compiled code that waves enter; atomic
    const char *why; // atomic: why the last kernel that has none has none; NULL: nothing is known against it
    const char *level;
    unsigned chunk;       // lanes of the level\'s widest vector
    char *cache;          // folder of compiled code (cache.h), or NULL
    struct jit_dump dump; // of what is compiled at once
    unsigned most;        // plan.h; 0 but in tests
    unsigned part;        // instead of TIER_UP_PART, if not 0: code that is compiled at once is cut too
    uint64_t threshold;
    uint64_t share; // that a worker tells of at once
};

// A kernel of a program, by its first op.
struct hot_kernel {
    struct hot_kernel *next;
    const struct op *entry;
    _Alignas(64) uint64_t weight; // atomic
    uint64_t due;                 // weight at which the compiler looks at it; all ones: not now; atomic
    unsigned compiled;            // compilations so far; the compiler's
    unsigned calls;               // tries to compile functions that it calls; the compiler's
    unsigned rows;                // enum wave_rows, of its last launch; atomic
    size_t steps, full_steps;     // of its last plan, and of its last full one; the compiler's
    size_t usual_steps; // of the last full one with what waves enter that run by themselves; likewise
    struct trial trial;
};

// Whether kernels of this level may get compiled code by themselves; if not, `why` says so.
bool tier_up_is_possible(const char *level, const char **why);
// The weight of a kernel that is due: TIER_UP_WEIGHT, or what SOFTWAVE_TIER_UP says.
uint64_t tier_up_threshold(void);

// The kernel's record; `threshold` is the first weight at which it is due. NULL: no memory.
struct hot_kernel *hot_kernel_of(struct program *p, const struct op *entry, uint64_t threshold);

// Adds `weight` to the kernel's heat and queues the kernel for compilation when due. `loop`: where a wave
// that used up its quantum goes on, or NULL.
void hot_add(struct tier_up *t, struct program *p, struct hot_kernel *h, uint64_t weight,
             const struct op *loop);

#endif
