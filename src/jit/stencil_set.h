// SPDX-License-Identifier: MIT
// The stencils of a vector level, ready for use.
#ifndef JIT_STENCIL_SET_H
#define JIT_STENCIL_SET_H

#include "jit/stencil.h"
#include "exec/wave.h"

struct native_image {
    const struct stencil_set *set;
    const struct stencil *stencils;
    const struct stencil_place *places;
    const char **names; // of their functions, by which pieces of bitcode are found
    const uint8_t *code;
    const uint8_t *pool; // constants, within reach of code
    const struct stencil_key **by_handler;
    op_fn **handlers; // of the same places; a hash table
    uint32_t mask;
};

// Whether the build has stencils for the level.
bool native_image_exists(const char *level);
// Unpacked at the first call. NULL: there are none, or no memory.
const struct native_image *native_image_of(const char *level);
// NULL: the handler has no pieces.
const struct stencil_key *native_image_find(const struct native_image *image, op_fn *handler);

#endif
