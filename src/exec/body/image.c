// SPDX-License-Identifier: MIT
// Image instructions: the handlers. What they do is in exec/image.h; atomics are with the others (atomic.c).
#include "exec/image.h"
#include "exec/tensor.h"

#include "exec/body/access.h"

#define IMAGE_BODY(name, ...)                                                                                \
    static const struct op *name##_run(struct wave *w, const struct op *op) {                                \
        NOTE_ACCESS(w, op);                                                                                  \
        if (UNLIKELY(!OUT(name(w, op)))) return NULL;                                                        \
        NEXT;                                                                                                \
    }                                                                                                        \
    BODY(name, .shape = SHAPE_MEMORY, .fn = {name##_run}, __VA_ARGS__);

IMAGE_BODY(image_load, .approximate = 0)
IMAGE_BODY(image_store, .approximate = 0)
// The arithmetic of filters and of levels of detail is not published (texel/sample.h).
IMAGE_BODY(image_sample, .approximate = 1)
IMAGE_BODY(image_gather4, .approximate = 0)
IMAGE_BODY(image_get_lod, .approximate = 1)
IMAGE_BODY(image_get_resinfo, .approximate = 0)
IMAGE_BODY(image_intersect_ray, .approximate = 1)
IMAGE_BODY(image_intersect_two, .approximate = 1)
IMAGE_BODY(tensor_transfer, .approximate = 0)
