// SPDX-License-Identifier: MIT
// MD5 as RFC 1321 defines it. The round constants are the sines of 1 to 64, reckoned on use: a file is hashed
// once in an assembly.
#include "asm/md5.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"

static uint32_t rotate(uint32_t v, unsigned n) { return v << n | v >> (32 - n); }

static void block(uint32_t state[4], const uint8_t *p, const uint32_t sines[64]) {
    static const uint8_t shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (unsigned i = 0; i < 64; i++) {
        uint32_t f;
        unsigned word;
        switch (i / 16) {
        case 0: f = (b & c) | (~b & d), word = i; break;
        case 1: f = (d & b) | (~d & c), word = 5 * i + 1; break;
        case 2: f = b ^ c ^ d, word = 3 * i + 5; break;
        default: f = c ^ (b | ~d), word = 7 * i; break;
        }
        uint32_t next = b + rotate(a + f + sines[i] + rd32(p + 4 * (word & 15)), shifts[i / 16][i & 3]);
        a = d, d = c, c = b, b = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

void md5(const void *data, size_t size, uint8_t out[16]) {
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}, sines[64];
    for (unsigned i = 0; i < 64; i++) sines[i] = (uint32_t)(fabs(sin(i + 1.0)) * 4294967296.0);
    const uint8_t *p = data;
    size_t left = size;
    for (; left >= 64; p += 64, left -= 64) block(state, p, sines);
    // The rest, a one bit, zeros, and the length in bits.
    uint8_t tail[128] = {0};
    size_t length = left < 56 ? 64 : 128;
    if (left) memcpy(tail, p, left);
    tail[left] = 0x80;
    wr64(tail + length - 8, (uint64_t)size * 8);
    for (size_t i = 0; i < length; i += 64) block(state, tail + i, sines);
    memcpy(out, state, 16);
}
