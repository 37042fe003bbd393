// SPDX-License-Identifier: MIT
// Bits of op->e of vector bodies, as body_flags in translate_vector.c sets them: what the instruction asks,
// and facts of the processor in which generations differ. V_BITOP3 has its truth table there instead
// (TRAP-044), matrix operations have flags of their own.
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

// Of matrix operations. Those of CDNA have cbsz, abid and blgp in the low bits, those of RDNA signs and
// halves.
enum {
    MATRIX_ABID_SHIFT = 3,
    MATRIX_BLGP_SHIFT = 7,
    MATRIX_NEG_HI_SHIFT = 3,
    MATRIX_OP_SEL_SHIFT = 6,
    MATRIX_CLAMP_SHIFT = 9,
    MATRIX_FNUZ = 1 << 16,   // the first kind of FP8 (TRAP-165)
    MATRIX_RDNA = 1 << 17,   // WMMA and SWMMAC
    MATRIX_SPREAD = 1 << 18, // K is spread over groups of lanes (TRAP-227)
    MATRIX_SCALED = 1 << 19, // block scales: which byte of each, two bits a scale from here on (TRAP-210)
    MATRIX_SCALE_SHIFT = 20,
};

#endif
