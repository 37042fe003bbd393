// SPDX-License-Identifier: MIT
// Bits of op->e of CDNA5's matrix operations, beside those of flags.h that RDNA's have.
#ifndef EXEC_BODY_FLAGS_CDNA5_H
#define EXEC_BODY_FLAGS_CDNA5_H

enum {
    MATRIX_OP_SEL_HI_SHIFT = 10,
    MATRIX_SCALE_ROW_SHIFT = 13, // which half of the wave has the scales, a bit each for A and B
    MATRIX_SCALE_16 = 1 << 15,   // blocks of 16; where CDNA4 has a scale's byte stand the scales' formats
};

#endif
