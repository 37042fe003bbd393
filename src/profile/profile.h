// SPDX-License-Identifier: MIT
// The parts of a profile (softwave/profile.h).
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "base/arena.h"
#include "base/array.h"
#include "base/text.h"
#include "softwave/isa.h"
#include "softwave/profile.h"

struct site {
    sw_profile_site counts;
    sw_insn insn;
    uint32_t flags; // sw_insn_flag
    bool known;
    sw_insn_access access; // if has_access, of lanes
    bool has_access;
};

// A back-edge that was taken.
struct loop {
    uint64_t head, tail; // first instruction, and the branch
    uint64_t times;
};

// Instructions executed under a call stack.
enum { MAX_STACK = 32 };
struct stack {
    uint64_t calls[MAX_STACK]; // addresses behind the calls, outermost first
    unsigned depth;
};
struct stack_count {
    struct stack stack;
    struct site *site;
    uint64_t executions;
};

// A wave that runs.
struct wave_track {
    void *state;
    uint32_t group[3], wave;
    struct site *last;
    struct stack stack;
    struct wave_track *next;
};

enum { WAVE_BUCKETS = 256 };
struct sw_profile {
    sw_isa_mode mode;
    struct arena arena;
    struct site **table; // by address
    size_t slots, count;
    ARRAY(struct loop) loops;
    ARRAY(struct stack_count) stacks;
    uint32_t *stack_table; // index + 1 into stacks
    size_t stack_slots;
    struct wave_track *waves[WAVE_BUCKETS], *spare;
    struct site *timed; // whose body runs, since `since`
    uint64_t since, least;
    uint64_t waves_seen;
    bool failed; // out of memory: what follows was not taken down
};

// Takes down one execution.
void memory_count(struct site *site, const sw_step *step);

// All sites by address, to be freed; NULL: out of memory.
struct site **profile_sorted(const sw_profile *p);
static inline double profile_seconds(const sw_profile *p, const struct site *s) {
    const double least = (double)p->least * 1e-9 * (double)s->counts.executions;
    return s->counts.seconds > least ? s->counts.seconds - least : 0;
}

#endif
