// SPDX-License-Identifier: MIT
// The caches of each generation: which of them an access may be answered by, and what instructions do with
// them. Sources: the memory models of LLVM's AMDGPU manual.
#ifndef ISA_CACHES_H
#define ISA_CACHES_H

#include "isa/effect.h"

struct cache_facts {
    unsigned line;   // bytes of a line of the vector caches
    bool middle;     // the compute units of a shader array share a cache before L2
    bool several_l2; // a device has several L2 caches, which hold what was written
};
const struct cache_facts *isa_caches(const struct isa *isa);

// Where an access is done: in the cache of its compute unit, or only behind that.
enum cache_reach { REACH_NEAR, REACH_MIDDLE, REACH_L2, REACH_MEMORY };
// `split`: the waves of a work-group are on several compute units (threadgroup split mode).
enum cache_reach isa_cache_reach(const struct isa *isa, const struct effect_memory *m, bool split);

// What an instruction does with the caches that its wave uses.
enum cache_action {
    CACHE_DROP_NEAR = 1 << 0, // of its compute unit
    CACHE_DROP_MIDDLE = 1 << 1,
    CACHE_DROP_L2 = 1 << 2,     // what is clean, which others may have written meanwhile
    CACHE_DROP_SCALAR = 1 << 3, // the scalar cache
    CACHE_WRITE_L2 = 1 << 4,    // what was written goes to memory
};
unsigned isa_cache_actions(const struct isa *isa, const struct insn *in);

#endif
