// SPDX-License-Identifier: MIT
// The image that an instruction names, read from its scalar registers, and its texels in the memory that the
// wave may use.
#ifndef EXEC_IMAGE_SURFACE_H
#define EXEC_IMAGE_SURFACE_H

#include "exec/image.h"
#include "texel/surface.h"

enum image_found {
    IMAGE_FOUND,
    IMAGE_NOTHING, // a resource of another kind: the instruction does nothing
    IMAGE_FAULTED, // what it asks for cannot be done, or memory that it may not use; the wave is stopped
};
struct image_surface {
    struct wave *w;
    const struct op *op;
    const struct image_op *o;
    unsigned lane; // that acts now: faults name it
    bool is_integer;
    struct texel_surface t;
};
// Levels and slices count from the first of the view.
struct image_texel {
    uint32_t x, y, z, sample, level;
};

enum image_found image_surface_find(struct wave *w, const struct op *op, struct image_surface *out);
// Stops the wave: what the image or the sampler asks for is not supported.
bool image_refuse(struct wave *w, const struct op *op, const char *why);

// n bytes at `a` in host memory, which a lane may use by `right`. False: a fault.
bool image_bytes(struct wave *w, const struct op *op, unsigned lane, uint64_t a, uint64_t n, uint32_t right,
                 uint8_t **out);

// The bytes of the element that holds a texel, which the wave may use by `right`, in host memory. *inside:
// there is such a texel. False: a fault.
bool image_element(struct image_surface *s, const struct image_texel *at, uint32_t right, bool *inside,
                   uint8_t **element, unsigned *bytes);

#endif
