// SPDX-License-Identifier: MIT
// The host's control word of floating-point arithmetic, on every host in the form of x86's MXCSR: bits 13 and
// 14 say how to round (0 to nearest even, 1 down, 2 up, 3 to zero), bit 6 that denormal inputs count as zero,
// bit 15 that denormal results become zero. The thread that sets it has it until it sets another.
#ifndef EXEC_HOST_CONTROL_H
#define EXEC_HOST_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CONTROL_DAZ = 1 << 6,
    CONTROL_ROUND = 3 << 13,
    CONTROL_FTZ = 1 << 15,
    CONTROL_MASKED = 0x1f80, // no exception traps: x86 wants it set
};

#if defined(__SSE2__)
#include <immintrin.h>
enum { HOST_FLUSHES_ONE_SIDE = true }; // inputs alone, or results alone
static inline void host_control_set(uint32_t control) { _mm_setcsr(control); }
static inline uint32_t host_control(void) { return _mm_getcsr(); }

#elif defined(__aarch64__)
// FPCR rounds by bits 22 and 23, where up and down have changed places; bit 24 flushes inputs and results.
enum { HOST_FLUSHES_ONE_SIDE = false };
static inline uint64_t swapped_rounding(uint64_t two_bits) { return two_bits >> 1 | (two_bits & 1) << 1; }
static inline void host_control_set(uint32_t control) {
    const bool flushes = (control & CONTROL_DAZ) && (control & CONTROL_FTZ);
    const uint64_t fpcr = swapped_rounding(control >> 13 & 3) << 22 | (uint64_t)flushes << 24;
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr) : "memory");
}
static inline uint32_t host_control(void) {
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    return CONTROL_MASKED | (uint32_t)swapped_rounding(fpcr >> 22 & 3) << 13 |
           (fpcr >> 24 & 1 ? CONTROL_DAZ | CONTROL_FTZ : 0);
}

#else
#error "this host's control word of floating-point arithmetic is not known"
#endif

#define HOST_LACKS_MODE                                                                                      \
    "processors of this host flush denormal numbers on both sides of an operation or on none"
// Whether the host can do what MODE says of denormals: fields of two bits for F32, and for F64 and F16, of
// which the lower allows them as inputs, the upper as results (TRAP-141).
static inline bool host_has_mode(uint32_t mode) {
    return HOST_FLUSHES_ONE_SIDE || !((mode ^ mode >> 1) & 0x50);
}

#endif
