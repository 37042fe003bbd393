// SPDX-License-Identifier: MIT
// Where the elements of CDNA5's transposed loads come from: each lane loads 8 elements of a row, and lane n
// gets element n % 8 of 8 lanes.
#ifndef EXEC_BODY_TRANSPOSED_H
#define EXEC_BODY_TRANSPOSED_H

// The lane that loaded element n of lane l. Halves change places within 8 lanes; bytes within two fours of
// lanes, 8 apart.
static inline unsigned transposed_lane(unsigned bits, unsigned l, unsigned n) {
    if (bits == 16) return (l & ~7u) | n;
    return (n & 3) | (l >> 3 & 1) << 2 | (n >> 2 & 1) << 3 | (l & 16);
}

#endif
