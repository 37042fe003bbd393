// SPDX-License-Identifier: MIT
// F32 arithmetic: sums and products, fused and unfused, the DX9 forms where zero times anything is zero,
// minimum and maximum, rounding to integral values, splitting and scaling by powers of two, cube maps.
// Rounding and denormals are the host's, set from MODE; what works on bits flushes by MODE itself.
// Division by steps is in div.c, conversions in convert.c.
#include "exec/body/float.h"

// ---- Sums and products ----

#define A32F ((f32v)A32)
#define B32F ((f32v)B32_)
#define C32F ((f32v)C32)
FBINOP(v_add_f32, a + b, add_in_order(A32F, B32F))
FBINOP(v_sub_f32, a - b, sub_in_order(A32F, B32F))
FBINOP(v_subrev_f32, b - a, subrev_in_order(A32F, B32F))
FBINOP(v_mul_f32, a *b, mul_in_order(A32F, B32F))
FMA_OP(v_fma_f32, fma32(a, b, c), fma_in_order(A32F, B32F, C32F))

// MAD and MAC round twice and know no denormals, whatever MODE says.
#define MAD(name, expr)                                                                                      \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        GUARD_CSR(w, w->mxcsr | CONTROL_DAZ | CONTROL_FTZ,                                                   \
                  EACH_CHUNK(w, f32v a = (f32v)A32; f32v b = (f32v)B32_; f32v c = (f32v)C32;                 \
                             f32v r = (expr); FIX_NAN32(r, a, b, c); D32(r)));                               \
    }                                                                                                        \
    VECTOR3(name)

// Zero times anything is +0 (TRAP-156).
INLINE f32v mul_dx9(f32v a, f32v b) { return pick32((i32v)(a == 0) | (i32v)(b == 0), splatf(0), a * b); }

MAD(v_mad_f32, a *b + c)
TEMPLATE(v_mad_legacy_f32) {
    UNUSED_OPERANDS;
    GUARD_CSR(w, w->mxcsr | CONTROL_DAZ | CONTROL_FTZ,
              EACH_CHUNK(w, f32v a = (f32v)A32; f32v b = (f32v)B32_; f32v c = (f32v)C32;
                         f32v p = mul_dx9(a, b); FIX_NAN32(p, a, b, b); f32v r = p + c; FIX_NAN32(r, p, c, c);
                         D32(r)));
}
VECTOR3(v_mad_legacy_f32)
TEMPLATE(v_mul_dx9_zero_f32) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, f32v a = (f32v)A32; f32v b = (f32v)B32_; f32v r = mul_dx9(a, b); FIX_NAN32(r, a, b, b);
               D32(r));
}
VECTOR2(v_mul_dx9_zero_f32)
TEMPLATE(v_fma_dx9_zero_f32) {
    UNUSED_OPERANDS;
    const bool flushing = flushes32(w); // where the sum is the third source, which nothing else flushes
    EACH_CHUNK(w, f32v a = (f32v)A32; f32v b = (f32v)B32_; f32v c = (f32v)C32; f32v r = fma32(a, b, c);
               FIX_NAN32(r, a, b, c); FIX_NAN32(c, c, c, c);
               D32(pick32((i32v)(a == 0) | (i32v)(b == 0), FLUSHED32(c), r)));
}
VECTOR3(v_fma_dx9_zero_f32)

// Part of the lighting of fixed-function pipelines: no product where the power or the base rules it out
// (TRAP-154).
INLINE f32v mullit(f32v a, f32v b, f32v c) {
    i32v none = (i32v)(b <= -0x1.fffffep127f) | is_nan32(b) | (i32v)(c <= 0) | is_nan32(c);
    return pick32(none, splatf(-0x1.fffffep127f), a * b);
}
FTRIOP(v_mullit_f32, mullit(a, b, c))

// ---- Minimum and maximum ----

#define CHOOSE2(name, function)                                                                              \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const unsigned ieee = min_max_rules(w, op), flushing = min_max_flushes32(w, op);                     \
        EACH_CHUNK(w, f32v a = FLUSHED32(A32); f32v b = FLUSHED32(B32_); D32(function##32(a, b, ieee)));     \
    }                                                                                                        \
    VECTOR2(name)
#define CHOOSE3(name, expr)                                                                                  \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const unsigned ieee = min_max_rules(w, op), flushing = min_max_flushes32(w, op);                     \
        EACH_CHUNK(w, f32v a = FLUSHED32(A32); f32v b = FLUSHED32(B32_); f32v c = FLUSHED32(C32);            \
                   D32(expr));                                                                               \
    }                                                                                                        \
    VECTOR3(name)
// Which of three is in the middle depends on the signs of zeros: operands are flushed where MODE flushes
// operands, and the result where it flushes results.
#define MIDDLE(name, function)                                                                               \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const unsigned ieee = min_max_rules(w, op), flushing = !(w->mode & MODE_IN32),                       \
                       flushes_result = !(op->e & BODY_KEEPS_RESULT) && !(w->mode & MODE_OUT32);             \
        EACH_CHUNK(w, f32v a = FLUSHED32(A32); f32v b = FLUSHED32(B32_); f32v c = FLUSHED32(C32);            \
                   f32v r = function(a, b, c, ieee); D32(UNLIKELY(flushes_result) ? flush32(r) : r));        \
    }                                                                                                        \
    VECTOR3(name)
#define TWICE(inner, outer) outer##32(inner##32(a, b, ieee), c, ieee)

CHOOSE2(v_min_f32, min_ieee)
CHOOSE2(v_max_f32, max_ieee)
CHOOSE2(v_min_num_f32, min_num)
CHOOSE2(v_max_num_f32, max_num)
CHOOSE2(v_minimum_f32, minimum)
CHOOSE2(v_maximum_f32, maximum)
CHOOSE3(v_min3_f32, TWICE(min_ieee, min_ieee))
CHOOSE3(v_max3_f32, TWICE(max_ieee, max_ieee))
MIDDLE(v_med3_f32, med3_ieee32)
CHOOSE3(v_minmax_f32, TWICE(min_ieee, max_ieee))
CHOOSE3(v_maxmin_f32, TWICE(max_ieee, min_ieee))
CHOOSE3(v_min3_num_f32, TWICE(min_num, min_num))
CHOOSE3(v_max3_num_f32, TWICE(max_num, max_num))
MIDDLE(v_med3_num_f32, med3_num32)
CHOOSE3(v_minmax_num_f32, TWICE(min_num, max_num))
CHOOSE3(v_maxmin_num_f32, TWICE(max_num, min_num))
CHOOSE3(v_minimum3_f32, TWICE(minimum, minimum))
CHOOSE3(v_maximum3_f32, TWICE(maximum, maximum))
CHOOSE3(v_minimummaximum_f32, TWICE(minimum, maximum))
CHOOSE3(v_maximumminimum_f32, TWICE(maximum, minimum))

// The DX9 forms are one comparison: a NaN makes it false.
BINOP(v_min_legacy_f32, f32v, pick32(a < b, a, b))
BINOP(v_max_legacy_f32, f32v, pick32(a >= b, a, b))

// ---- Rounding to integral values ----

FUNOP_HOST_NAN(v_rndne_f32, ROUND32(a, 0))
FUNOP_HOST_NAN(v_floor_f32, ROUND32(a, 1))
FUNOP_HOST_NAN(v_ceil_f32, ROUND32(a, 2))
FUNOP_HOST_NAN(v_trunc_f32, ROUND32(a, 3))

// Below 1 even where the subtraction rounds to 1 (TRAP-144).
INLINE f32v fract32(f32v a) {
    f32v r = a - ROUND32(a, 1);
    return pick32(r > 0x1.fffffep-1f, splatf(0x1.fffffep-1f), r);
}
FUNOP_HOST_NAN(v_fract_f32, fract32(a))

// ---- Exponent and significand (TRAP-159) ----

UNOP(v_frexp_exp_i32_f32, f32v, frexp_exp32(a))
UNOP(v_frexp_mant_f32, f32v, frexp_mant32(a))

// The product in F64 is exact, so its narrowing is the only rounding.
INLINE f32v ldexp32(f32v a, i32v e) {
#if defined(LEVEL_v4)
    return (f32v)_mm512_scalef_ps((__m512)a, (__m512)from_i32(e));
#else
    e = (i32v)select32(e < -400, splat32((uint32_t)-400), select32(e > 400, splat32(400), (u32v)e));
    u64x2 power = join64(splat32(0), (u32v)(e + 1023) << 20);
    f64x2 wide = widen_f32(a);
    return narrow_f64((f64x2){wide.x * (f64v)power.x, wide.y * (f64v)power.y});
#endif
}
TEMPLATE(v_ldexp_f32) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, f32v a = (f32v)A32; f32v r = ldexp32(a, (i32v)B32_); FIX_HOST_NAN32(r, a); D32(r));
}
VECTOR2(v_ldexp_f32)

// ---- Cube maps: face, coordinates on it and major axis of the direction (a, b, c) ----

INLINE i32v z_major(f32v a, f32v b, f32v c) {
    return (i32v)(fabs32(c) >= fabs32(a)) & (i32v)(fabs32(c) >= fabs32(b));
}
INLINE f32v negative_or(f32v v, f32v yes, f32v no) { return pick32(v < 0, yes, no); }
INLINE f32v cube_id(f32v a, f32v b, f32v c) {
    f32v x = negative_or(a, splatf(1), splatf(0)), y = negative_or(b, splatf(3), splatf(2));
    f32v r = pick32(fabs32(b) >= fabs32(a), y, x);
    return pick32(z_major(a, b, c), negative_or(c, splatf(5), splatf(4)), r);
}
INLINE f32v cube_sc(f32v a, f32v b, f32v c) {
    f32v r = pick32(fabs32(b) >= fabs32(a), a, negative_or(a, c, neg32(c)));
    return pick32(z_major(a, b, c), negative_or(c, neg32(a), a), r);
}
INLINE f32v cube_tc(f32v a, f32v b, f32v c) {
    f32v r = pick32(fabs32(b) >= fabs32(a), negative_or(b, neg32(c), c), neg32(b));
    return pick32(z_major(a, b, c), neg32(b), r);
}
INLINE f32v cube_ma(f32v a, f32v b, f32v c) {
    return pick32(z_major(a, b, c), c, pick32(fabs32(b) >= fabs32(a), b, a)) * 2;
}
FTRIOP(v_cubeid_f32, cube_id(a, b, c))
// A coordinate is chosen, not computed, so that nothing but this flushes it.
#define CHOSEN(name, expr)                                                                                   \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const bool flushing = flushes32(w);                                                                  \
        EACH_CHUNK(w, f32v a = (f32v)A32; f32v b = (f32v)B32_; f32v c = (f32v)C32; f32v r = FLUSHED32(expr); \
                   FIX_NAN32(r, a, b, c); D32(r));                                                           \
    }                                                                                                        \
    VECTOR3(name)
CHOSEN(v_cubesc_f32, cube_sc(a, b, c))
CHOSEN(v_cubetc_f32, cube_tc(a, b, c))
FTRIOP(v_cubema_f32, cube_ma(a, b, c))

// ---- Packed F32: two registers a lane, each half for itself (TRAP-198) ----

#define PACKED(name, SHAPE, expr)                                                                            \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const uint32_t next_a = sa ? 4 : wave_stride(w), next_b = sb ? 4 : wave_stride(w);                   \
        const uint32_t next_c = sc ? 4 : wave_stride(w);                                                     \
        (void)next_c;                                                                                        \
        EACH_CHUNK(                                                                                          \
            w, f32v low; f32v high; {                                                                        \
                f32v a = (f32v)load32(w, op, op->a, i, sa);                                                  \
                f32v b = (f32v)load32(w, op, op->b, i, sb);                                                  \
                low = (expr(op->c, a, b));                                                                   \
            } {                                                                                              \
                f32v a = (f32v)load32(w, op, op->a + next_a, i, sa);                                         \
                f32v b = (f32v)load32(w, op, op->b + next_b, i, sb);                                         \
                high = (expr(op->c + next_c, a, b));                                                         \
            } D32(low);                                                                                      \
            store32(w, op->d + wave_stride(w), i, m, FULL, (u32v)high));                                     \
    }                                                                                                        \
    SHAPE(name)
#if !defined(STENCIL)
INLINE f32v fixed32(f32v r, f32v a, f32v b, f32v c) {
    FIX_NAN32(r, a, b, c);
    return r;
}
INLINE f32v add_in_order(f32v a, f32v b) { return fixed32(a + b, a, b, b); }
INLINE f32v mul_in_order(f32v a, f32v b) { return fixed32(a * b, a, b, b); }
INLINE f32v fma_in_order(f32v a, f32v b, f32v c) { return fixed32(fma32(a, b, c), a, b, c); }
#endif
#define PACKED_ADD(c, a, b)  add_in_order(a, b)
#define PACKED_MUL(c, a, b)  mul_in_order(a, b)
#define PACKED_FMA(at, a, b) fma_in_order(a, b, (f32v)load32(w, op, at, i, sc))
PACKED(v_pk_add_f32, VECTOR2, PACKED_ADD)
PACKED(v_pk_mul_f32, VECTOR2, PACKED_MUL)
PACKED(v_pk_fma_f32, VECTOR3, PACKED_FMA)

// The low dwords of two pairs; op_sel has already chosen what stands there.
TEMPLATE(v_pk_mov_b32) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, u32v a = A32; u32v b = B32_; D32(a); store32(w, op->d + wave_stride(w), i, m, FULL, b));
}
VECTOR2(v_pk_mov_b32)
