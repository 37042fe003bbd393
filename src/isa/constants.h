// SPDX-License-Identifier: MIT
// Inline constants: the values that have numbers among the sources.
#ifndef ISA_CONSTANTS_H
#define ISA_CONSTANTS_H

#include <stdint.h>

// Integers have the numbers 128 (0) to 192 (64) and 193 (-1) to 208 (-16).
static inline int inline_integer(unsigned code) { return code <= 192 ? (int)code - 128 : 192 - (int)code; }

// Floating-point values have the numbers from 240 on; operands see those of their own format (TRAP-026). The
// last is 1/(2 pi), which some processors do not have (TRAP-027).
enum { INLINE_FLOATS = 9 };
static const struct inline_float {
    uint64_t f64;
    uint32_t f32;
    uint16_t f16, bf16;
    const char *text; // as LLVM prints it
} inline_floats[INLINE_FLOATS] = {
    {0x3fe0000000000000, 0x3f000000, 0x3800, 0x3f00, "0.5"},
    {0xbfe0000000000000, 0xbf000000, 0xb800, 0xbf00, "-0.5"},
    {0x3ff0000000000000, 0x3f800000, 0x3c00, 0x3f80, "1.0"},
    {0xbff0000000000000, 0xbf800000, 0xbc00, 0xbf80, "-1.0"},
    {0x4000000000000000, 0x40000000, 0x4000, 0x4000, "2.0"},
    {0xc000000000000000, 0xc0000000, 0xc000, 0xc000, "-2.0"},
    {0x4010000000000000, 0x40800000, 0x4400, 0x4080, "4.0"},
    {0xc010000000000000, 0xc0800000, 0xc400, 0xc080, "-4.0"},
    {0x3fc45f306dc9c882, 0x3e22f983, 0x3118, 0x3e22, "0.15915494"},
};

#endif
