// SPDX-License-Identifier: MIT
// XXH3, 64 bits, seed 0, as its specification gives it. It decides where ld.lld puts a merged string, and is
// the build id.
#include "link/link.h"

static const uint8_t secret[192] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

static const uint64_t P32_1 = 0x9e3779b1, P32_2 = 0x85ebca77, P32_3 = 0xc2b2ae3d;
static const uint64_t P64_1 = 0x9e3779b185ebca87, P64_2 = 0xc2b2ae3d27d4eb4f, P64_3 = 0x165667b19e3779f9;
static const uint64_t P64_4 = 0x85ebca77c2b2ae63, P64_5 = 0x27d4eb2f165667c5;

static uint64_t rotate(uint64_t v, unsigned by) { return v << by | v >> (64 - by); }

static uint64_t avalanche(uint64_t h) {
    h ^= h >> 37;
    h *= 0x165667919e3779f9;
    return h ^ h >> 32;
}

static uint64_t avalanche_64(uint64_t h) {
    h ^= h >> 33;
    h *= P64_2;
    h ^= h >> 29;
    h *= P64_3;
    return h ^ h >> 32;
}

static uint64_t up_to_16(const uint8_t *p, size_t n) {
    if (n > 8) {
        uint64_t low = rd64(secret + 24) ^ rd64(secret + 32) ^ rd64(p);
        uint64_t high = rd64(secret + 40) ^ rd64(secret + 48) ^ rd64(p + n - 8);
        return avalanche(n + __builtin_bswap64(low) + high + multiply_fold(low, high));
    }
    if (n >= 4) {
        uint64_t h = rd64(secret + 8) ^ rd64(secret + 16) ^ (rd32(p + n - 4) | (uint64_t)rd32(p) << 32);
        h ^= rotate(h, 49) ^ rotate(h, 24);
        h *= 0x9fb21c651e98df25;
        h ^= (h >> 35) + n;
        h *= 0x9fb21c651e98df25;
        return h ^ h >> 28;
    }
    if (n) {
        uint32_t all = (uint32_t)p[0] << 16 | (uint32_t)p[n >> 1] << 24 | p[n - 1] | (uint32_t)n << 8;
        return avalanche_64(all ^ (uint64_t)(rd32(secret) ^ rd32(secret + 4)));
    }
    return avalanche_64(rd64(secret + 56) ^ rd64(secret + 64));
}

static uint64_t mix(const uint8_t *p, const uint8_t *key) {
    return multiply_fold(rd64(key) ^ rd64(p), rd64(key + 8) ^ rd64(p + 8));
}

static uint64_t up_to_240(const uint8_t *p, size_t n) {
    uint64_t h = n * P64_1;
    if (n <= 128) {
        for (size_t i = (n - 1) / 32 + 1; i-- > 0;)
            h += mix(p + 16 * i, secret + 32 * i) + mix(p + n - 16 * (i + 1), secret + 32 * i + 16);
        return avalanche(h);
    }
    for (size_t i = 0; i < 8; i++) h += mix(p + 16 * i, secret + 16 * i);
    h = avalanche(h);
    for (size_t i = 8; i < n / 16; i++) h += mix(p + 16 * i, secret + 16 * (i - 8) + 3);
    return avalanche(h + mix(p + n - 16, secret + 136 - 17));
}

static void accumulate(uint64_t acc[8], const uint8_t *p, const uint8_t *key) {
    for (int i = 0; i < 8; i++) {
        uint64_t v = rd64(p + 8 * i), k = v ^ rd64(key + 8 * i);
        acc[i ^ 1] += v;
        acc[i] += (k & 0xffffffff) * (k >> 32);
    }
}

static uint64_t longer(const uint8_t *p, size_t n) {
    enum { STRIPE = 64, STRIPES = 16, BLOCK = STRIPE * STRIPES };
    uint64_t acc[8] = {P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1};
    size_t blocks = (n - 1) / BLOCK, rest = (n - 1 - blocks * BLOCK) / STRIPE;
    for (size_t b = 0; b < blocks; b++) {
        for (size_t s = 0; s < STRIPES; s++) accumulate(acc, p + b * BLOCK + s * STRIPE, secret + 8 * s);
        for (int i = 0; i < 8; i++)
            acc[i] = (acc[i] ^ acc[i] >> 47 ^ rd64(secret + sizeof secret - STRIPE + 8 * i)) * P32_1;
    }
    for (size_t s = 0; s < rest; s++) accumulate(acc, p + blocks * BLOCK + s * STRIPE, secret + 8 * s);
    accumulate(acc, p + n - STRIPE, secret + sizeof secret - STRIPE - 7);
    uint64_t h = n * P64_1;
    for (int i = 0; i < 4; i++)
        h += multiply_fold(acc[2 * i] ^ rd64(secret + 11 + 16 * i),
                           acc[2 * i + 1] ^ rd64(secret + 19 + 16 * i));
    return avalanche(h);
}

uint64_t hash64(const uint8_t *data, size_t length) {
    return length <= 16    ? up_to_16(data, length)
           : length <= 240 ? up_to_240(data, length)
                           : longer(data, length);
}
