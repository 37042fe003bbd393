// SPDX-License-Identifier: MIT
// Barriers that programs keep in LDS (CDNA5): 64 bits, the count of those who have yet to arrive, less one,
// in bits 28:0, the phase in 31:29, and in 47:32 the count that the next phase begins with. The manual leaves
// the width of the count to a register of the driver; 29 bits are what compilers and libraries for these
// processors assume (ERR-45).
#ifndef EXEC_LDS_BARRIER_H
#define EXEC_LDS_BARRIER_H

#include "exec/wave.h"

enum { LDS_BARRIER_WIDTH = 29 };

// So many arrive at the barrier at `a`. Below zero the phase counts down and the count begins anew: sleeping
// waves are awake by themselves, as sleeping here is giving way. Returns what the barrier was; outside of the
// work-group's LDS there is none, and it is 0.
static inline uint64_t lds_barrier_arrive(struct wave *w, uint32_t a, uint32_t arrived) {
    if (a > w->lds_limit || w->lds_limit - a < 8) return 0;
    const uint64_t old = rd64(w->lds + a);
    const uint32_t count_mask = (1u << LDS_BARRIER_WIDTH) - 1, state = (uint32_t)old - arrived;
    const bool complete = state >> (LDS_BARRIER_WIDTH - 1) & 1;
    wr32(w->lds + a, complete ? (state & ~count_mask) | (uint32_t)(old >> 32 & 0xffff) : state);
    return old;
}

#endif
