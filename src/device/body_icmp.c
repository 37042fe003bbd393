// SPDX-License-Identifier: MIT
// Vector comparisons of integers: the result is a lane mask in a scalar register, 0 for inactive lanes
// (TRAP-110). v_cmpx rows share these bodies: a step behind copies the mask to EXEC (TRAP-250).
#include "device/body.h"

// 16-bit operands count in bits 15:0 only.
INLINE u32v low_u16(u32v v) { return v & 0xffff; }
INLINE i32v low_i16(u32v v) { return (i32v)(v << 16); } // keeps the order, which is all that is asked

#define COMPARE16(name, extend, op_)                                                                         \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        uint64_t bits = 0;                                                                                   \
        EACH_BITS(w, bits |= (uint64_t)lanes_mask((i32v)(extend(A32) op_ extend(B32_))) << (i * LANES));     \
        put_mask(w, op->d, bits);                                                                            \
    }                                                                                                        \
    COMPARE_(name)
#define CONSTANT(name, bits)                                                                                 \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        put_mask(w, op->d, bits);                                                                            \
    }                                                                                                        \
    COMPARE_(name)

#define RELATIONS(X, suffix, T)                                                                              \
    X(v_cmp_lt_##suffix, T, <) X(v_cmp_eq_##suffix, T, ==) X(v_cmp_le_##suffix, T, <=)                       \
    X(v_cmp_gt_##suffix, T, >) X(v_cmp_ne_##suffix, T, !=) X(v_cmp_ge_##suffix, T, >=)                       \
    CONSTANT(v_cmp_f_##suffix, 0) CONSTANT(v_cmp_tru_##suffix, ~0ull)

#define COMPARE_32(name, T, op_) COMPARE(name, T, a op_ b)
#define COMPARE_64(name, T, op_) COMPARE64(name, T, a op_ b)
RELATIONS(COMPARE16, i16, low_i16)
RELATIONS(COMPARE16, u16, low_u16)
RELATIONS(COMPARE_32, i32, i32v)
RELATIONS(COMPARE_32, u32, u32v)
RELATIONS(COMPARE_64, i64, i64v)
RELATIONS(COMPARE_64, u64, u64v)
