// SPDX-License-Identifier: MIT
// Addresses of accesses, as passes in front of legal change them: numbers, or places in buffers. The place of
// an access stands in front of it, as a buffer_place whose parts are known.
#ifndef COMPILER_PLACE_H
#define COMPILER_PLACE_H

#include "compiler/split.h"

static inline bool place_is_in_buffer(unsigned space) { return space == IR_FAT || space == IR_STRIDED; }

// So many bytes further on; only the offset of a place in a buffer changes.
ir_ref place_moved(struct split *s, ir_ref address, ir_ref bytes);
// With the bits of the offset, or of the address, that a mask has.
ir_ref place_masked(struct split *s, ir_ref address, uint64_t mask);
// The lowest dword of an address, or the offset.
ir_ref place_low(struct split *s, ir_ref address);
// A number that tells which of two places lies above the other: of a buffer, its address in memory.
ir_ref place_number(struct split *s, ir_ref address);

#endif
