// SPDX-License-Identifier: MIT
// Image instructions: what one is, decoded, and what it does. They are rare and long, so there is one copy of
// the code for all vector levels, lane by lane; the bodies (exec/body/image.c) only lead here.
//
// The resource (T#) and the sampler (S#) are read from scalar registers when the instruction runs, and any
// bits may stand there. src/texel says what they mean and where a texel lies; each access to memory is
// checked here as any other access of a lane is.
#ifndef EXEC_IMAGE_H
#define EXEC_IMAGE_H

#include "exec/map.h"

enum { IMAGE_ADDRESS_WORDS = 13, IMAGE_DATA_WORDS = 5 };

#if !defined(STENCIL)
// As struct mem_op, which is its beginning: srsrc, data, dst, slot, atomic, returns, d16.
struct image_op {
    struct mem_op mem;
    uint32_t ssamp;                        // the sampler; 0 without one
    uint32_t address[IMAGE_ADDRESS_WORDS]; // where each dword of the address is
    uint32_t status;                       // the register behind the data (TFE), or 0
    uint32_t facts;                        // enum image_fact
    uint8_t words;                         // of the address
    uint8_t kind;                          // layout of resources and samplers of this processor
    uint8_t dmask, dim;
    bool has_dim;        // else the resource says the dimension, and `array` whether slices are sent
    bool array;          // DA
    bool half;           // A16: coordinates, levels and biases of 16 bits
    bool half_gradients; // G16, or A16 where that counts for gradients as well
    bool small;          // R128: a resource of four dwords
    bool unnormalized;   // UNRM
    bool clears_halves;  // a load into half of a register clears the other half
};
#endif

static inline const struct image_op *image_op_of(const struct op *op) { return op->extra; }

// Each carries the instruction out for all executing lanes. False: it faulted, and the wave is stopped.
bool image_load(struct wave *w, const struct op *op);
bool image_store(struct wave *w, const struct op *op);
bool image_sample(struct wave *w, const struct op *op);
bool image_gather4(struct wave *w, const struct op *op);
bool image_get_lod(struct wave *w, const struct op *op);
bool image_get_resinfo(struct wave *w, const struct op *op);
bool image_intersect_ray(struct wave *w, const struct op *op);
bool image_intersect_two(struct wave *w, const struct op *op);

// Host addresses of the texels that an atomic of `bytes` changes, and which lanes have one: the others are
// out of range. False: a fault, or *ignored: nothing is to be done, and no register written.
bool image_aim(struct wave *w, const struct op *op, unsigned bytes, uint64_t at[MAX_LANES], uint64_t *inside,
               bool *ignored);

#endif
