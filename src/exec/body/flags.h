// SPDX-License-Identifier: MIT
// Bits of op->e, as translation sets them and bodies and steps read them.
//
// Of vector bodies (body_flags in decode/vector.c): what the instruction asks, and facts of the processor
// in which generations differ. V_BITOP3 has its truth table there instead (TRAP-044), matrix operations have
// flags of their own.
#ifndef EXEC_BODY_FLAGS_H
#define EXEC_BODY_FLAGS_H

enum {
    BODY_CLAMP = 1 << 0,    // integers saturate (TRAP-109)
    BODY_SIGNED_A = 1 << 1, // of dot products of integers (TRAP-193)
    BODY_SIGNED_B = 1 << 2,
    BODY_FIRST_NAN = 1 << 3,    // minimum and maximum of two NaNs are the first (TRAP-125)
    BODY_ADDS_LAST = 1 << 4,    // dot products add their third source last (TRAP-194)
    BODY_LIMITS_TURNS = 1 << 5, // sine and cosine take 256 revolutions
    BODY_FNUZ = 1 << 6,         // FP8 and BF8 are the first kind (TRAP-165)
    BODY_KEEPS_RESULT = 1 << 7, // minimum and maximum keep denormals that MODE lets in (ERR-47)
    BODY_OP_SEL_SHIFT = 8,      // bits 11:8 are op_sel
    BODY_OMOD_SHIFT = 12,       // bits 13:12 are omod, of bodies with a scalar result
    BODY_OVERFLOW = 1 << 14,    // packed conversions to F16 and BF16 obey FP16_OVFL (ERR-39)
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

// Of steps (steps.h).
enum {
    SIGN_ABS = 1 << 0, // of sources: clears the sign
    SIGN_NEG = 1 << 1, // then flips it

    MIX_F16 = 1 << 0,  // a source of mixed precision is F16 (TRAP-147)
    MIX_HIGH = 1 << 1, // in the upper half
    MIX_ABS = 1 << 2,
    MIX_NEG = 1 << 3,
    MIX_BF16 = 1 << 4,

    PACKED_LOW_FROM_HIGH = 1 << 0, // of a packed source: the low result reads the upper half
    PACKED_HIGH_FROM_HIGH = 1 << 1,
    PACKED_NEG_LOW = 1 << 2,
    PACKED_NEG_HIGH = 1 << 3,

    SELECT_PART = 7, // enum sdwa_select
    SELECT_SIGNED = 1 << 3,
    SELECT_UNUSED_SHIFT = 4, // enum sdwa_unused, of results

    CLAMP_NAN = 1 << 0, // to 0 whatever MODE says
    OMOD_FACTOR = 3,
    OMOD_ALWAYS = 1 << 2, // MODE has no say

    LDS_REGISTERS = 255,   // of to_lds
    LDS_M0_BITS_SHIFT = 8, // so many bits of M0 are an address

    ALIGNED_KIND = 255, // enum aligned
    ALIGNED_BYTES_SHIFT = 8,
    ALIGNED_TO_SHIFT = 16,
};

// Of permlane*, as op_sel says it: inactive lanes are read; sources out of range read 0.
enum { PERMLANE_INACTIVE = 1 << 0, PERMLANE_BOUND = 1 << 1, PERMLANE_FLAGS = 3 };

// Of s_getreg: bits 19:12 of MODE are those of op->e.
enum { MODE_HAS_MSB = 1 << 0 };

// Of MODE: vector instructions are not issued (TRAP-079).
enum { MODE_VSKIP = 1 << 28 };

// Of s_set_gpr_idx_*: which parts of M0 are written.
enum { INDEX_VALUE = 1 << 0, INDEX_MODE = 1 << 1 };

#endif
