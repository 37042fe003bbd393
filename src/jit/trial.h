// SPDX-License-Identifier: MIT
// Keeps the faster tier. When compiled code of a kernel is handed over, work-groups run in phases with and
// without it, in an order that repeats nowhere, and workers time them by the CPU time of their thread.
// Compiled code that is not faster is left for good: its entries lead again where they led before. All tiers
// give the same bits, so only the time differs.
#ifndef JIT_TRIAL_H
#define JIT_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

enum { TRIAL_PHASES = 16 };

struct hot_kernel;
struct native_region;
struct program;
struct tier_up;

struct trial {
    uint32_t phase;               // that groups run in; 0: none; no two of a kernel have one number; atomic
    bool paused;                  // the phase is one without the code; atomic
    bool without;                 // groups begin without the kernel's loops over waves; atomic
    _Alignas(64) uint64_t ns;     // CPU time of the groups that began and ended in this phase; atomic
    uint64_t waves;               // of these groups; atomic
    uint64_t unfinished;          // ns of groups that did not end, in phases without the code; atomic
    struct native_region *region; // under the program's lock, like what follows
    uint32_t last_phase;          // the highest number given so far
    unsigned done;                // phases of this trial
    double rates[TRIAL_PHASES];   // ns for a wave in each
};

// True if the i-th phase runs without the code.
bool trial_is_without(unsigned i);
// What the rates of the first phases say.
enum verdict { VERDICT_UNKNOWN, VERDICT_KEEP, VERDICT_REFUSE };
enum verdict trial_verdict(const double *rates, unsigned count);

// Begins with code that has just been published; one that runs for the kernel ends, and its code is kept.
// Lock: program.
void trial_begin(struct tier_up *t, struct program *p, struct hot_kernel *h, struct native_region *region);

// Adds a group that began and ended in the phase.
void trial_add(struct tier_up *t, struct program *p, struct hot_kernel *h, uint32_t phase, uint64_t ns,
               unsigned waves);
// Adds time of a group that goes on. Groups that do not end for long in a phase without the code end the
// trial: the code is kept.
void trial_add_unfinished(struct tier_up *t, struct program *p, struct hot_kernel *h, uint64_t ns);

#endif
