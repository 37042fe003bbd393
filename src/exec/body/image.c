// SPDX-License-Identifier: MIT
// Image instructions: the handlers. What they do is in exec/image.h; atomics are with the others (atomic.c).
#include "exec/image.h"
#include "exec/tensor.h"

#include "exec/body/access.h"

#define IMAGE_BODY(name)                                                                                     \
    static const struct op *name##_run(struct wave *w, const struct op *op) {                                \
        NOTE_ACCESS(w, op);                                                                                  \
        if (UNLIKELY(!OUT(name(w, op)))) return NULL;                                                        \
        NEXT;                                                                                                \
    }                                                                                                        \
    BODY(name, .shape = SHAPE_MEMORY, .fn = {name##_run});

IMAGE_BODY(image_load)
IMAGE_BODY(image_store)
IMAGE_BODY(image_sample)
IMAGE_BODY(image_gather4)
IMAGE_BODY(image_get_lod)
IMAGE_BODY(image_get_resinfo)
IMAGE_BODY(image_intersect_ray)
IMAGE_BODY(image_intersect_two)
IMAGE_BODY(tensor_transfer)
