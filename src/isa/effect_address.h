// SPDX-License-Identifier: MIT
// The address that a lane's access has, by the record of its instruction and the registers of the wave.
#ifndef ISA_EFFECT_ADDRESS_H
#define ISA_EFFECT_ADDRESS_H

#include "isa/effect.h"

struct effect_place {
    uint8_t space;    // GLOBAL, LDS or SCRATCH
    uint64_t address; // in it; in SCRATCH of the lane's own
    bool any_scratch; // GLOBAL: it is scratch, of whichever lane
};

// What a scalar register or a lane's vector register holds, by its number among the sources.
typedef uint32_t effect_register(void *context, unsigned code, unsigned lane);

// Of element `element` (of effect_memory.elements). False: there is no access, or it is not known where: the
// descriptor of a buffer is swizzled, or has lanes' numbers in its index.
bool effect_address(const struct effect *e, const sw_processor *processor, unsigned lane, unsigned element,
                    effect_register *get, void *context, struct effect_place *out);

#endif
