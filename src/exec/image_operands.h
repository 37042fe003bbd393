// SPDX-License-Identifier: MIT
// Which dword of an image instruction's address is what, and what a lane has there. The order is always
// offset, bias, reference, gradients, coordinates, level.
#ifndef EXEC_IMAGE_OPERANDS_H
#define EXEC_IMAGE_OPERANDS_H

#include "exec/host_control.h"
#include "exec/image.h"

// Places in half dwords from the first; NO_PLACE: the instruction has no such operand.
enum { NO_PLACE = 255 };
struct image_places {
    uint8_t coordinates; // of space: 1 to 3
    uint8_t offset, bias, reference, slice, sample, level;
    uint8_t gradient[2][3], at[3];
};

// The dimension (enum surface_dimension) that the instruction says, or that the resource's and DA say.
unsigned image_dim_of(const struct image_op *o, unsigned resource_dimension);
struct image_places image_places_of(const struct image_op *o, unsigned dim);

// One dword of a lane's address, and 16 bits or a dword of it.
uint32_t image_dword(struct wave *w, const struct image_op *o, unsigned place, unsigned lane);
uint32_t image_integer(struct wave *w, const struct image_op *o, unsigned place, unsigned lane);
float image_float(struct wave *w, const struct image_op *o, unsigned place, unsigned lane, bool half);

// Which components lanes get: those that dmask names (none: one, which is 0).
static inline unsigned image_mask(const struct image_op *o) { return o->dmask ? o->dmask : 1; }
// What a lane gets, four components, 0 at first. False: it faulted.
typedef bool image_lane(void *context, unsigned lane, uint32_t out[4]);
// Asks each executing lane, and when all have read their addresses, which may lie in the same registers,
// writes the components in a row, or `all` four, and the status dword if there is one. False: a lane faulted.
bool image_each_lane(struct wave *w, const struct image_op *o, bool all, image_lane *one, void *context);
// Component n of the data that a store has.
uint32_t image_data(struct wave *w, const struct image_op *o, unsigned n, unsigned lane);

// Runs the statement for every executing lane l.
#define EACH_LANE_ON(w, l)                                                                                   \
    for (uint64_t left_ = exec_of(w); left_; left_ &= left_ - 1)                                             \
        for (unsigned l = (unsigned)__builtin_ctzll(left_), once_ = 1; once_; once_ = 0)

// Conversions round to nearest and keep denormals whatever MODE says, until the end.
static inline void image_round_plainly(void) { host_control_set(CONTROL_MASKED); }
static inline bool image_end(const struct wave *w, bool result) {
    host_control_set(w->mxcsr);
    return result;
}

#endif
