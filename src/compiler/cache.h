// SPDX-License-Identifier: MIT
// The cache policy of an access or of cache maintenance, as ir_memory.cache holds it: memory_model.c chooses
// the bits, the emitter spells them. Encodings before GFX12 have single bits, which gfx942 names otherwise;
// GFX12 has a scope and a temporal hint.
#ifndef COMPILER_CACHE_H
#define COMPILER_CACHE_H

enum cache_bit {
    CACHE_GLC = 1,
    CACHE_SLC = 2,
    CACHE_DLC = 4,
    CACHE_SC0 = 1, // gfx942
    CACHE_NT = 2,
    CACHE_SC1 = 4,
    CACHE_RETURN = 8, // of an atomic: the old value comes back
    // GFX12
    CACHE_SCOPE_SHIFT = 0, // two bits: CU, SE, DEV, SYS
    CACHE_HINT_NT = 4,
    CACHE_HINT_LAST_USE = 16,
    CACHE_TH_SHIFT = 5, // three bits: the hint that an intrinsic asks for
};

#endif
