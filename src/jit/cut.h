// SPDX-License-Identifier: MIT
// Plans that are cut into parts, each compiled by itself. LLVM's time grows faster than the code that it is
// given, and waves enter the first part while the others are compiled. From one part to the next a wave has
// its registers in memory.
#ifndef JIT_CUT_H
#define JIT_CUT_H

#include "jit/plan.h"

struct cut {
    uint32_t begin, end; // steps of the whole plan
    uint32_t depth;      // of the loops that some of them are in
};
struct cuts {
    ARRAY(struct cut) parts;
};

// Cuts a plan into parts of at most so many bytes of tier 1's code, but of one instruction at least: those in
// the innermost loops come first. False: no memory.
bool cut_plan(const struct plan *whole, uint32_t most, struct cuts *cuts);
// The steps where waves often come with some lanes alone, as branches say that ask EXEC. Elsewhere such a
// wave goes on at tier 1. NULL: no memory.
bool *cut_find_some(const struct plan *whole);
// The steps of a part; `some` is of the whole. Where they lead out of it, the wave goes on with the op's
// function: that of another part, or of the tier below. False: no memory.
bool cut_part(const struct plan *whole, const struct cut *cut, const bool *some, struct plan *part);
void cuts_free(struct cuts *cuts);

#endif
