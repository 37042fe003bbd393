// SPDX-License-Identifier: MIT
// What p_wait's operands say: each a counter, how many operations may be outstanding, and whether the wait
// stays where nothing is. memory_model.c writes them, waits.c adds its own and drops what is not needed, the
// emitter prints them.
#ifndef COMPILER_WAITS_H
#define COMPILER_WAITS_H

#include "compiler/passes.h"
#include "isa/counters.h"

static inline uint32_t compiler_wait(unsigned counter, unsigned count, bool hard) {
    return counter | count << 4 | (uint32_t)hard << 12;
}
static inline unsigned compiler_wait_counter(uint32_t wait) { return wait & 15; }
static inline unsigned compiler_wait_count(uint32_t wait) { return wait >> 4 & 255; }
static inline bool compiler_wait_is_hard(uint32_t wait) { return wait >> 12 & 1; }

#endif
