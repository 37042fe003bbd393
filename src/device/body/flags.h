// SPDX-License-Identifier: MIT
// Bits of op->e of vector bodies, as body_flags in translate_vector.c sets them: what the instruction asks,
// and facts of the processor in which generations differ. V_BITOP3 has its truth table there instead
// (TRAP-044), matrix operations have flags of their own (matrix.c).
#ifndef DEVICE_BODY_FLAGS_H
#define DEVICE_BODY_FLAGS_H

enum {
    BODY_CLAMP = 1 << 0,    // integers saturate (TRAP-109)
    BODY_SIGNED_A = 1 << 1, // of dot products of integers (TRAP-193)
    BODY_SIGNED_B = 1 << 2,
    BODY_FIRST_NAN = 1 << 3,    // minimum and maximum of two NaNs are the first (TRAP-125)
    BODY_ADDS_LAST = 1 << 4,    // dot products add their third source last (TRAP-194)
    BODY_LIMITS_TURNS = 1 << 5, // sine and cosine take 256 revolutions
    BODY_FNUZ = 1 << 6,         // FP8 and BF8 are the first kind (TRAP-165)
    BODY_OP_SEL_SHIFT = 8,      // bits 11:8 are op_sel
};

#endif
