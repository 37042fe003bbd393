// SPDX-License-Identifier: MIT
// Hashes for tables, and random bits. They are the same on every host. Who chooses the keys can make them
// collide: tables whose keys come from outside have bounded chains, or their input is bounded.
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

// Of a number or an address. The upper half is mixed best.
static inline uint64_t hash_number(uint64_t key) { return key * 0x9e3779b97f4a7c15ull; }
static inline uint64_t hash_pointer(const void *key) { return hash_number((uint64_t)(uintptr_t)key); }

// Of bytes, one after the other, from HASH_BEGIN (FNV-1a).
#define HASH_BEGIN 0xcbf29ce484222325ull
static inline uint64_t hash_byte(uint64_t hash, uint8_t byte) { return (hash ^ byte) * 0x100000001b3ull; }
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    for (const uint8_t *p = bytes, *end = p + count; p < end; p++) hash = hash_byte(hash, *p);
    return hash;
}

// The next 64 random bits; any state may begin (splitmix64).
static inline uint64_t random_bits(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

#endif
