// SPDX-License-Identifier: MIT
// Floating-point comparisons: the sixteen predicates and the class test in F16, F32 and F64. The result is a
// lane mask. Negated predicates are true for unordered operands (TRAP-158). Denormals compare as MODE says;
// the class test sees the bits (TRAP-157).
#include "exec/body/float.h"

// ---- Predicates ----
// X(name, host predicate, expression for hosts without a compare-to-mask instruction)
#define PREDICATES(X)                                                                                        \
    X(f, _CMP_FALSE_OQ, (a != a) & (a == a))                                                                 \
    X(lt, _CMP_LT_OQ, a < b)                                                                                 \
    X(eq, _CMP_EQ_OQ, a == b)                                                                                \
    X(le, _CMP_LE_OQ, a <= b)                                                                                \
    X(gt, _CMP_GT_OQ, a > b)                                                                                 \
    X(lg, _CMP_NEQ_OQ, (a < b) | (a > b))                                                                    \
    X(ge, _CMP_GE_OQ, a >= b)                                                                                \
    X(o, _CMP_ORD_Q, (a == a) & (b == b))                                                                    \
    X(u, _CMP_UNORD_Q, (a != a) | (b != b))                                                                  \
    X(nge, _CMP_NGE_UQ, ~(a >= b))                                                                           \
    X(nlg, _CMP_EQ_UQ, ~((a < b) | (a > b)))                                                                 \
    X(ngt, _CMP_NGT_UQ, ~(a > b))                                                                            \
    X(nle, _CMP_NLE_UQ, ~(a <= b)) X(neq, _CMP_NEQ_UQ, a != b) X(nlt, _CMP_NLT_UQ, ~(a < b))                 \
        X(tru, _CMP_TRUE_UQ, (a == a) | (a != a))

#if defined(LEVEL_v4)
#define TRUTH32(host, expr) _mm512_cmp_ps_mask((__m512)a, (__m512)b, host)
#define MASK64(host, expr)  truth_bits(_mm512_cmp_pd_mask((__m512d)a, (__m512d)b, host))
// The lanes of a pair of 64-bit vectors alternate by two.
INLINE lmask join_masks(lmask x, lmask y) { return _pdep_u32(x, 0x3333) | _pdep_u32(y, 0xcccc); }
#elif defined(LEVEL_v3)
#define TRUTH32(host, expr) ((truth)_mm256_cmp_ps((__m256)a, (__m256)b, host))
#define MASK64(host, expr)  ((lmask)_mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, host)))
INLINE lmask join_masks(lmask x, lmask y) { return (x & 3) | (y & 3) << 2 | (x & 12) << 2 | (y & 12) << 4; }
#else
#define TRUTH32(host, expr) ((truth)(i32v)(expr))
#define MASK64(host, expr)  mask_of64((i64v)(expr))
INLINE lmask mask_of64(i64v v) {
    lmask r = 0;
    for (int k = 0; k < HALF; k++) r |= (lmask)((uint64_t)v[k] >> 63) << k;
    return r;
}
INLINE lmask join_masks(lmask x, lmask y) { return (x & 3) | (y & 3) << 2; }
#endif
_Static_assert(HALF == 2 || HALF == 4 || HALF == 8, "join_masks knows the order of join64");

#define COMPARE_F32(predicate, host, expr)                                                                   \
    INLINE truth truth32_##predicate(f32v a, f32v b) {                                                       \
        (void)a, (void)b;                                                                                    \
        return TRUTH32(host, expr);                                                                          \
    }                                                                                                        \
    TEMPLATE(v_cmp_##predicate##_f32) {                                                                      \
        UNUSED_OPERANDS;                                                                                     \
        PUT_TRUTHS(w, op->d, const f32v a = (f32v)A32; const f32v b = (f32v)B32_;                            \
                   const truth t = truth32_##predicate(a, b));                                               \
    }                                                                                                        \
    COMPARE_(v_cmp_##predicate##_f32)
#define COMPARE_F16(predicate, host, expr)                                                                   \
    TEMPLATE(v_cmp_##predicate##_f16) {                                                                      \
        UNUSED_OPERANDS;                                                                                     \
        PUT_TRUTHS(w, op->d, const f32v a = half_in(w, A32); const f32v b = half_in(w, B32_);                \
                   const truth t = truth32_##predicate(a, b));                                               \
    }                                                                                                        \
    COMPARE_(v_cmp_##predicate##_f16)
#define COMPARE_F64(predicate, host, expr)                                                                   \
    INLINE lmask mask64_##predicate(f64v a, f64v b) {                                                        \
        (void)a, (void)b;                                                                                    \
        return MASK64(host, expr);                                                                           \
    }                                                                                                        \
    TEMPLATE(v_cmp_##predicate##_f64) {                                                                      \
        UNUSED_OPERANDS;                                                                                     \
        uint64_t bits = 0;                                                                                   \
        GUARD64(w, EACH_BITS(w, u64x2 a = A64; u64x2 b = B64_;                                               \
                             lmask k = join_masks(mask64_##predicate((f64v)a.x, (f64v)b.x),                  \
                                                  mask64_##predicate((f64v)a.y, (f64v)b.y));                 \
                             bits |= (uint64_t)k << (i * LANES)));                                           \
        put_mask(w, op->d, bits);                                                                            \
    }                                                                                                        \
    COMPARE_(v_cmp_##predicate##_f64)
PREDICATES(COMPARE_F32)
PREDICATES(COMPARE_F16)
PREDICATES(COMPARE_F64)

// ---- Class ----
// Bits of S1: 0 signalling NaN, 1 quiet NaN, 2 -infinity, 3 -normal, 4 -denormal, 5 -0, and from 6 the
// positive ones mirrored.

// Distance from zero (0 zero, 1 denormal, 2 normal, 3 infinity) to the number of the class.
INLINE u32v class_number(u32v distance, i32v negative) {
    return select32(negative, 5 - distance, 6 + distance);
}
INLINE u32v class32(u32v a) {
    i32v magnitude = (i32v)(a & 0x7fffffff);
    u32v distance = (u32v)(-(magnitude != 0) - (magnitude >= 0x800000) - (magnitude >= 0x7f800000));
    u32v r = class_number(distance, (i32v)a < 0);
    return select32(magnitude > 0x7f800000, a >> 22 & 1, r);
}
INLINE u32v class16(u32v a) {
    i32v magnitude = (i32v)(a & 0x7fff);
    u32v distance = (u32v)(-(magnitude != 0) - (magnitude >= 0x400) - (magnitude >= 0x7c00));
    u32v r = class_number(distance, (i32v)(a & 0x8000) != 0);
    return select32(magnitude > 0x7c00, a >> 9 & 1, r);
}
INLINE u32v class64(u32v lo, u32v hi) {
    i32v magnitude = (i32v)(hi & 0x7fffffff), low = lo != 0;
    u32v distance = (u32v)(-((magnitude != 0) | low) - (magnitude >= 0x100000) - (magnitude >= 0x7ff00000));
    u32v r = class_number(distance, (i32v)hi < 0);
    i32v nan = (magnitude > 0x7ff00000) | ((magnitude == 0x7ff00000) & low);
    return select32(nan, hi >> 19 & 1, r);
}
COMPARE(v_cmp_class_f32, u32v, -((b >> class32(a)) & 1))
COMPARE(v_cmp_class_f16, u32v, -((b >> class16(a)) & 1))
TEMPLATE(v_cmp_class_f64) {
    UNUSED_OPERANDS;
    uint64_t bits = 0;
    EACH_BITS(w, u64x2 a = A64; u32v b = B32_; u32v class = class64(split_lo(a), split_hi(a));
              bits |= CHUNK_BITS((i32v) - ((b >> class) & 1)));
    put_mask(w, op->d, bits);
}
COMPARE_(v_cmp_class_f64)
