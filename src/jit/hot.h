// SPDX-License-Identifier: MIT
// Which kernels are worth compiling: workers weigh what runs, by back-edges and by waves, and those behind
// which enough is are compiled by a thread of the process (compiler.c) while they go on running.
#ifndef JIT_HOT_H
#define JIT_HOT_H

#include "exec/decode/program.h"
#include "jit/trial.h"

enum {
    TIER_UP_SHARES = 256, // in how many parts, or more, workers tell of it
    WAVE_WEIGHT = 8,      // back-edges that a wave without any counts for
    // What a kernel is compiled for. Longer ones take longer to compile, and so do their waves.
    TIER_UP_WEIGHT = 200000,
    TIER_UP_FULL = 10,        // so many times that: again, in the full configuration
    TIER_UP_LOOP = 8,         // so many times that: one loop of what is too long
    TIER_UP_MOST_STEPS = 600, // plan_make; fuse.c has a limit for what LLVM makes of them
    TIER_UP_FULL_STEPS = 160, // what was slower is tried in the full configuration only up to here
    TIER_UP_TIMES = 4,        // a kernel is compiled at the most, as code of it is decoded later
    TIER_UP_CALLS = 16,       // so much of what it jumps to by addresses in registers is compiled beside it
};

// What is shown, and to whom. `phases`: names with commas between, or "all".
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
    uint64_t threshold;
    uint64_t share; // that a worker tells of at once
};

// A kernel of a program, by its first op.
struct hot_kernel {
    struct hot_kernel *next;
    const struct op *entry;
    _Alignas(64) uint64_t weight; // atomic
    uint64_t due;                 // what it is looked at for; all ones: not now; atomic
    unsigned compiled;            // how often; the compiler's
    unsigned calls;               // what was compiled that jumps lead to, in tries; likewise
    unsigned rows;                // enum wave_rows, of its last launch; atomic
    size_t steps, full_steps;     // of what was compiled from its entry last, and in full; the compiler's
    struct trial trial;
};

// Whether kernels of this level may get compiled code by themselves; if not, `why` says so.
bool tier_up_is_possible(const char *level, const char **why);
// What is behind a kernel that is due: TIER_UP_WEIGHT, or what SOFTWAVE_TIER_UP says.
uint64_t tier_up_threshold(void);

// NULL: no memory. `threshold`: when it is due first.
struct hot_kernel *hot_kernel_of(struct program *p, const struct op *entry, uint64_t threshold);

// So much more of the kernel ran. `loop`: where a wave of it goes on that used up its quantum, or NULL.
void hot_add(struct tier_up *t, struct program *p, struct hot_kernel *h, uint64_t weight,
             const struct op *loop);

#endif
