// SPDX-License-Identifier: MIT
// Vector comparisons of integers: the result is a lane mask in a scalar register, 0 for inactive lanes
// (TRAP-110). v_cmpx rows share these bodies: a step behind copies the mask to EXEC (TRAP-250).
#include "exec/body/body.h"

#define CONSTANT(name, bits)                                                                                 \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        put_mask(w, op->d, bits);                                                                            \
    }                                                                                                        \
    COMPARE_(name)

// All from less and equal. Those of 64 bits need no pairs: the high halves decide, and
// the low ones where they are equal.
#define BITS(name, expr)                                                                                     \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        PUT_TRUTHS(w, op->d, const truth t = (expr));                                                        \
    }                                                                                                        \
    COMPARE_(name)
#define LESS_i32(x, y)          less_i32((i32v)(x), (i32v)(y))
#define LESS_u32(x, y)          less_u32(x, y)
#define HIGH_A                  load32(w, op, op->a + (sa ? 4 : wave_stride(w)), i, sa)
#define HIGH_B                  load32(w, op, op->b + (sb ? 4 : wave_stride(w)), i, sb)
#define LESS64(T, x, xh, y, yh) (LESS_##T(xh, yh) | (equal_and(less_u32(x, y), xh, yh)))
#define INTEGERS(suffix, less, more, equal)                                                                  \
    BITS(v_cmp_lt_##suffix, less)                                                                            \
    BITS(v_cmp_gt_##suffix, more)                                                                            \
    BITS(v_cmp_eq_##suffix, equal)                                                                           \
    BITS(v_cmp_ge_##suffix, ~(less))                                                                         \
    BITS(v_cmp_le_##suffix, ~(more))                                                                         \
    BITS(v_cmp_ne_##suffix, ~(equal)) CONSTANT(v_cmp_f_##suffix, 0) CONSTANT(v_cmp_tru_##suffix, ~0ull)
#define INTEGERS32(suffix, T) INTEGERS(suffix, LESS_##T(A32, B32_), LESS_##T(B32_, A32), equal_32(A32, B32_))
#define INTEGERS64(suffix, T)                                                                                \
    INTEGERS(suffix, LESS64(T, A32, HIGH_A, B32_, HIGH_B), LESS64(T, B32_, HIGH_B, A32, HIGH_A),             \
             equal_and(equal_32(HIGH_A, HIGH_B), A32, B32_))
INTEGERS32(i32, i32)
INTEGERS32(u32, u32)
INTEGERS64(i64, i32)
INTEGERS64(u64, u32)
// 16-bit operands count in bits 15:0 only: moved up, they keep their order.
#define A16 (A32 << 16)
#define B16 (B32_ << 16)
INTEGERS(i16, LESS_i32(A16, B16), LESS_i32(B16, A16), equal_32(A16, B16))
INTEGERS(u16, LESS_u32(A16, B16), LESS_u32(B16, A16), equal_32(A16, B16))
