// SPDX-License-Identifier: MIT
// Floating-point operations of the scalar ALU (GFX11.5, GFX12): the vector expressions of float.h on one
// value. Rounding and denormals are MODE's (TRAP-071). F16 results are zero above.
#define LONG_BODIES
#include "exec/body/float.h"

#define X0       ((f32v)splat32(S0))
#define X1       ((f32v)splat32(S1))
#define X2       ((f32v)splat32(S2))
#define FIRST(v) (((u32v)(v))[0])

#define SCALAR1(name, expr) /* of F32 a */                                                                   \
    SCALAR(name, f32v a = X0; f32v r = (expr); FIX_NAN32(r, a, a, a); DS32(FIRST(r)))
#define SCALAR2(name, expr)                                                                                  \
    SCALAR(name, f32v a = X0; f32v b = X1; f32v r = (expr); FIX_NAN32(r, a, b, b); DS32(FIRST(r)))
#define SCALAR_FMA(name, third)                                                                              \
    SCALAR(name, f32v a = X0; f32v b = X1; f32v c = (third); f32v r = fma32(a, b, c); FIX_NAN32(r, a, b, c); \
           DS32(FIRST(r)))
SCALAR2(s_add_f32, a + b)
SCALAR2(s_sub_f32, a - b)
SCALAR2(s_mul_f32, a *b)
SCALAR_FMA(s_fmaak_f32, X2)
SCALAR_FMA(s_fmac_f32, (f32v)splat32(get32(w, op, op->d)))
SCALAR1(s_rndne_f32, ROUND32(a, 0))
SCALAR1(s_floor_f32, ROUND32(a, 1))
SCALAR1(s_ceil_f32, ROUND32(a, 2))
SCALAR1(s_trunc_f32, ROUND32(a, 3))

#define HALF_A half_in(w, splat32(S0))
#define HALF_B half_in(w, splat32(S1))
#define SCALAR1_F16(name, expr)                                                                              \
    SCALAR_(                                                                                                 \
        name, .half_source = F16_SOURCE,                                                                     \
        GUARD64(w, f32v a = HALF_A; f32v r = (expr); FIX_NAN32(r, a, a, a); DS32(FIRST(half_out(w, r)))))
#define SCALAR2_F16(name, expr)                                                                              \
    SCALAR(name, GUARD64(w, f32v a = HALF_A; f32v b = HALF_B; f32v r = (expr); FIX_NAN32(r, a, b, b);        \
                         DS32(FIRST(half_out(w, r)))))
SCALAR2_F16(s_add_f16, a + b)
SCALAR2_F16(s_sub_f16, a - b)
SCALAR2_F16(s_mul_f16, a *b)
SCALAR(s_fmac_f16,
       GUARD64(w, f32v a = HALF_A; f32v b = HALF_B; f32v c = half_in(w, splat32(get32(w, op, op->d)));
               f32v r = fma_f16(w, a, b, c); FIX_NAN32(r, a, b, c); DS32(FIRST(half_out(w, r)))))
SCALAR1_F16(s_rndne_f16, ROUND32(a, 0))
SCALAR1_F16(s_floor_f16, ROUND32(a, 1))
SCALAR1_F16(s_ceil_f16, ROUND32(a, 2))
SCALAR1_F16(s_trunc_f16, ROUND32(a, 3))

// ---- Minimum and maximum ----

// Two NaNs give the first, as in vector instructions of these processors (TRAP-125).
INLINE unsigned scalar_rules(const struct wave *w) { return (w->mode & MODE_IEEE ? RULE_IEEE : 0u) | RULE_FIRST; }
#define CHOOSE(type, function)                                                                               \
    SCALAR(s_##type##_f32, const unsigned ieee = scalar_rules(w), flushing = flushes32(w);                   \
           f32v a = FLUSHED32(X0); f32v b = FLUSHED32(X1); DS32(FIRST(function##32(a, b, ieee))))            \
    SCALAR(s_##type##_f16, const unsigned ieee = scalar_rules(w), flushing = flushes64(w);                   \
           f32v a = half_order(flushing ? flush16(splat32(S0)) : splat32(S0));                               \
           f32v b = half_order(flushing ? flush16(splat32(S1)) : splat32(S1));                               \
           DS32(FIRST(order_half(function##32(a, b, ieee)))))
CHOOSE(min, min_ieee)
CHOOSE(max, max_ieee)
CHOOSE(min_num, min_num)
CHOOSE(max_num, max_num)
CHOOSE(minimum, minimum)
CHOOSE(maximum, maximum)

// ---- Conversions ----

SCALAR(s_cvt_f32_i32, DS32(FIRST(from_i32((i32v)splat32(S0)))))
SCALAR(s_cvt_f32_u32, DS32(FIRST(from_u32(splat32(S0)))))
SCALAR(s_cvt_i32_f32, DS32(FIRST(to_i32(X0))))
SCALAR(s_cvt_u32_f32, DS32(FIRST(to_u32(X0))))
SCALAR(s_cvt_f16_f32, GUARD_CSR(w, csr_f32_to_f16(w), DS32(FIRST(half_out(w, X0)))))
SCALAR_(s_cvt_f32_f16, .half_source = F16_SOURCE, DS32(FIRST(half_in(w, splat32(S0)))))
SCALAR(s_cvt_hi_f32_f16, DS32(FIRST(half_in(w, splat32(S0) >> 16))))
SCALAR(s_cvt_pk_rtz_f16_f32, DS32(FIRST(toward_zero(w, X0)) | FIRST(toward_zero(w, X1)) << 16))

// ---- Comparisons ----

#define COMPARES(X)                                                                                          \
    X(lt, a < b)                                                                                             \
    X(eq, a == b)                                                                                            \
    X(le, a <= b)                                                                                            \
    X(gt, a > b)                                                                                             \
    X(lg, a<b || a> b)                                                                                       \
    X(ge, a >= b)                                                                                            \
    X(o, a == a && b == b)                                                                                   \
    X(u, a != a || b != b)                                                                                   \
    X(nge, !(a >= b))                                                                                        \
    X(nlg, !(a < b || a > b)) X(ngt, !(a > b)) X(nle, !(a <= b)) X(neq, a != b) X(nlt, !(a < b))
#define COMPARE_SCALAR(predicate, expr)                                                                      \
    SCALAR(s_cmp_##predicate##_f32, float a = X0[0]; float b = X1[0]; w->scc = (expr))                       \
    SCALAR(s_cmp_##predicate##_f16, float a = HALF_A[0]; float b = HALF_B[0]; w->scc = (expr))
COMPARES(COMPARE_SCALAR)
