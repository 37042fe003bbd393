// SPDX-License-Identifier: MIT
// Little-endian loads and stores at any alignment, bit fields, and bounded sub-ranges of a byte array.
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Softwave runs GPU memory in place and so needs a little-endian host"
#endif

static inline uint16_t rd16(const void *p) {
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline uint32_t rd32(const void *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline uint64_t rd64(const void *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void wr16(void *p, uint16_t v) { memcpy(p, &v, sizeof v); }
static inline void wr32(void *p, uint32_t v) { memcpy(p, &v, sizeof v); }
static inline void wr64(void *p, uint64_t v) { memcpy(p, &v, sizeof v); }

// Bits lo .. lo+width-1 of v, width 1..64.
static inline uint64_t bits(uint64_t v, unsigned lo, unsigned width) {
    return (v >> lo) & (~0ull >> (64 - width));
}
// The low `width` bits of v as a two's complement number, width 1..64.
static inline int64_t sign_extend(uint64_t v, unsigned width) {
    return (int64_t)(v << (64 - width)) >> (64 - width);
}
// Whether [offset, offset+length) lies inside a range of `size` bytes; never overflows.
static inline bool in_range(uint64_t offset, uint64_t length, uint64_t size) {
    return offset <= size && length <= size - offset;
}
static inline uint64_t align_up(uint64_t v, uint64_t power_of_two) {
    return (v + power_of_two - 1) & ~(power_of_two - 1);
}

#endif
