// SPDX-License-Identifier: MIT
// Where the elements of transposed loads come from, and elements that dwords hold one behind the other.
#ifndef EXEC_BODY_TRANSPOSED_H
#define EXEC_BODY_TRANSPOSED_H

#include <stdint.h>

// CDNA5: the lane that loaded element n of lane l. Each lane loads 8 elements of a row, or 16 of 4 and 6
// bits, and gets one element, that with its number modulo 8 or 16, of as many lanes. Halves change places
// within 8 lanes; bytes within two fours of lanes, 8 apart; smaller ones within 16 lanes.
static inline unsigned transposed_lane(unsigned bits, unsigned l, unsigned n) {
    if (bits == 16) return (l & ~7u) | n;
    if (bits < 8) return (l & ~15u) | n;
    return (n & 3) | (l >> 3 & 1) << 2 | (n >> 2 & 1) << 3 | (l & 16);
}

// Element n of four dwords, of at most 16 bits.
static inline uint32_t element_at(const uint32_t from[4], unsigned n, unsigned bits) {
    const unsigned at = n * bits;
    const uint64_t two = from[at / 32] | (uint64_t)from[(at / 32 + 1) & 3] << 32;
    return (uint32_t)(two >> at % 32) & ((1u << bits) - 1);
}
static inline void put_element(uint32_t to[4], unsigned n, unsigned bits, uint32_t v) {
    const unsigned at = n * bits;
    const uint64_t two = (uint64_t)v << at % 32;
    to[at / 32] |= (uint32_t)two;
    if (two >> 32) to[at / 32 + 1] |= (uint32_t)(two >> 32);
}

#endif
