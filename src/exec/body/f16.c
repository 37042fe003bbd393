// SPDX-License-Identifier: MIT
// F16 arithmetic, single and packed, mixed precision, and the dot products of F16 and BF16. F16 values are
// computed as F32 and rounded once more, which float.h shows to be exact. Rounding and denormals are MODE's
// for F16, except in dot products, which have their own. Transcendentals are in trans.c.
#define LONG_BODIES
#include "exec/body/float.h"

#define HIGH(v) ((v) >> 16)

// ---- One F16 a lane ----

#define HALF1(name, expr)                                                                                    \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        GUARD64(w, EACH_CHUNK(w, f32v a = half_in(w, A32); f32v r = (expr); FIX_NAN32(r, a, a, a);           \
                              D32(half_out(w, r))));                                                         \
    }                                                                                                        \
    VECTOR1(name)
#define HALF2(name, expr)                                                                                    \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        GUARD64(w, EACH_CHUNK(w, f32v a = half_in(w, A32); f32v b = half_in(w, B32_); f32v r = (expr);       \
                              FIX_NAN32(r, a, b, b); D32(half_out(w, r))));                                  \
    }                                                                                                        \
    VECTOR2(name)
HALF2(v_add_f16, a + b)
HALF2(v_sub_f16, a - b)
HALF2(v_subrev_f16, b - a)
HALF2(v_mul_f16, a *b)
HALF1(v_rndne_f16, ROUND32(a, 0))
HALF1(v_floor_f16, ROUND32(a, 1))
HALF1(v_ceil_f16, ROUND32(a, 2))
HALF1(v_trunc_f16, ROUND32(a, 3))

// Below 1 even where rounding gives 1 (TRAP-144).
INLINE f32v fract16(f32v a) {
    f32v r = a - ROUND32(a, 1);
    return pick32(r > 0x1.ffcp-1f, splatf(0x1.ffcp-1f), r);
}
HALF1(v_fract_f16, fract16(a))

ONCE u32v fused16(const struct wave *w, u32v x, u32v y, u32v z) {
    f32v a = half_in(w, x), b = half_in(w, y), c = half_in(w, z), r = fma_f16(w, a, b, c);
    FIX_NAN32(r, a, b, c);
    return half_out(w, r);
}
// MAD and MAC round twice and know no denormals, whatever MODE says.
INLINE u32v flushed_out(const struct wave *w, f32v r) { return flush16(half_out(w, r)); }
ONCE u32v unfused16(const struct wave *w, u32v x, u32v y, u32v z) {
    f32v a = from_f16(flush16(x)), b = from_f16(flush16(y)), c = from_f16(flush16(z));
    f32v r = from_f16(flushed_out(w, a * b)) + c;
    FIX_NAN32(r, a, b, c);
    return flushed_out(w, r);
}
TEMPLATE(v_fma_f16) {
    UNUSED_OPERANDS;
    GUARD64(w, EACH_CHUNK(w, D32(fused16(w, A32, B32_, C32))));
}
VECTOR3(v_fma_f16)
TEMPLATE(v_mad_f16) {
    UNUSED_OPERANDS;
    GUARD64(w, EACH_CHUNK(w, D32(unfused16(w, A32, B32_, C32))));
}
VECTOR3(v_mad_f16)

// ---- Minimum and maximum ----

#define ORDERED(v) half_order(UNLIKELY(flushing) ? flush16(v) : (v))
#define CHOOSE2(name, function)                                                                              \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const unsigned ieee = min_max_rules(w, op), flushing = min_max_flushes64(w, op);                     \
        EACH_CHUNK(w, f32v a = ORDERED(A32); f32v b = ORDERED(B32_);                                         \
                   D32(order_half(function##32(a, b, ieee))));                                               \
    }                                                                                                        \
    VECTOR2(name)
#define CHOOSE3(name, expr)                                                                                  \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const unsigned ieee = min_max_rules(w, op), flushing = min_max_flushes64(w, op);                     \
        EACH_CHUNK(w, f32v a = ORDERED(A32); f32v b = ORDERED(B32_); f32v c = ORDERED(C32);                  \
                   D32(order_half(expr)));                                                                   \
    }                                                                                                        \
    VECTOR3(name)
// As those of F32.
#define MIDDLE(name, function)                                                                               \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const unsigned ieee = min_max_rules(w, op), flushing = !(w->mode & MODE_IN64),                       \
                       flushes_result = !(op->e & BODY_KEEPS_RESULT) && !(w->mode & MODE_OUT64);             \
        EACH_CHUNK(w, f32v a = ORDERED(A32); f32v b = ORDERED(B32_); f32v c = ORDERED(C32);                  \
                   u32v h = order_half(function(a, b, c, ieee));                                             \
                   D32(UNLIKELY(flushes_result) ? flush16(h) : h));                                          \
    }                                                                                                        \
    VECTOR3(name)
#define TWICE(inner, outer) outer##32(inner##32(a, b, ieee), c, ieee)
CHOOSE2(v_min_f16, min_ieee)
CHOOSE2(v_max_f16, max_ieee)
CHOOSE2(v_min_num_f16, min_num)
CHOOSE2(v_max_num_f16, max_num)
CHOOSE2(v_minimum_f16, minimum)
CHOOSE2(v_maximum_f16, maximum)
CHOOSE3(v_min3_f16, TWICE(min_ieee, min_ieee))
CHOOSE3(v_max3_f16, TWICE(max_ieee, max_ieee))
MIDDLE(v_med3_f16, med3_ieee32)
CHOOSE3(v_minmax_f16, TWICE(min_ieee, max_ieee))
CHOOSE3(v_maxmin_f16, TWICE(max_ieee, min_ieee))
CHOOSE3(v_min3_num_f16, TWICE(min_num, min_num))
CHOOSE3(v_max3_num_f16, TWICE(max_num, max_num))
MIDDLE(v_med3_num_f16, med3_num32)
CHOOSE3(v_minmax_num_f16, TWICE(min_num, max_num))
CHOOSE3(v_maxmin_num_f16, TWICE(max_num, min_num))
CHOOSE3(v_minimum3_f16, TWICE(minimum, minimum))
CHOOSE3(v_maximum3_f16, TWICE(maximum, maximum))
CHOOSE3(v_minimummaximum_f16, TWICE(minimum, maximum))
CHOOSE3(v_maximumminimum_f16, TWICE(maximum, minimum))

// ---- Exponent and significand, scaling ----

INLINE u32v mantissa16(const struct wave *w, u32v h) {
    u32v r = to_f16((f32v)frexp_mant32(half_in(w, h)));
    return select32((i32v)(h & 0x7fff) > 0x7c00, h & 0xffff, r); // a NaN is returned as it is
}
TEMPLATE(v_frexp_mant_f16) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, u32v a = A32; D32(mantissa16(w, a)));
}
VECTOR1(v_frexp_mant_f16)
TEMPLATE(v_frexp_exp_i16_f16) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, u32v a = A32; D32((u32v)frexp_exp32(half_in(w, a)) & 0xffff));
}
VECTOR1(v_frexp_exp_i16_f16)

INLINE f32v ldexp16(f32v a, i32v e) {
    e = (i32v)select32(e < -80, splat32((uint32_t)-80), select32(e > 80, splat32(80), (u32v)e));
    return a * (f32v)((e + 127) << 23);
}
HALF2(v_ldexp_f16, ldexp16(a, (i32v)(B32_ << 16) >> 16))

// S0 the quotient so far, S1 the denominator, S2 the numerator.
INLINE f32v fixup16(f32v q, f32v den, f32v num) {
    u32v sign = ((u32v)den ^ (u32v)num) & 0x80000000u;
    u32v r = (u32v)fabs32(q) | sign;
    i32v inf_den = fabs32(den) == INFINITY, inf_num = fabs32(num) == INFINITY;
    i32v zero_den = den == 0, zero_num = num == 0;
    r = select32(inf_den | zero_num, sign, r);
    r = select32(zero_den | inf_num, sign | 0x7f800000, r);
    r = select32((inf_den & inf_num) | (zero_den & zero_num), splat32(0xffc00000u), r);
    r = select32(is_nan32(den), (u32v)den, r);
    return (f32v)select32(is_nan32(num), (u32v)num, r);
}
TEMPLATE(v_div_fixup_f16) {
    UNUSED_OPERANDS;
    GUARD64(w, EACH_CHUNK(w, D32(half_out(w, fixup16(half_in(w, A32), half_in(w, B32_), half_in(w, C32))))));
}
VECTOR3(v_div_fixup_f16)

// ---- Packed: both halves of a dword ----

#define FIX_NAN_PAIR(r, a, b, c)                                                                             \
    do {                                                                                                     \
        FIX_NAN32(r.x, a.x, b.x, c.x);                                                                       \
        FIX_NAN32(r.y, a.y, b.y, c.y);                                                                       \
    } while (0)
#define PACKED2(name, expr) /* of F32 values a, b */                                                         \
    INLINE f32v name##_half(f32v a, f32v b) { return expr; }                                                 \
    ONCE u32v name##_halves(const struct wave *w, u32v x, u32v y) {                                          \
        f32x2 a = halves_in(w, x), b = halves_in(w, y), r = {name##_half(a.x, b.x), name##_half(a.y, b.y)};  \
        FIX_NAN_PAIR(r, a, b, b);                                                                            \
        return halves_out(w, r);                                                                             \
    }                                                                                                        \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        GUARD64(w, EACH_CHUNK(w, D32(name##_halves(w, A32, B32_))));                                         \
    }                                                                                                        \
    VECTOR2(name)
PACKED2(v_pk_add_f16, a + b)
PACKED2(v_pk_mul_f16, a *b)

ONCE u32v fused16_pair(const struct wave *w, u32v x, u32v y, u32v z) {
    f32x2 a = halves_in(w, x), b = halves_in(w, y), c = halves_in(w, z);
    f32x2 r = {fma_f16(w, a.x, b.x, c.x), fma_f16(w, a.y, b.y, c.y)};
    FIX_NAN_PAIR(r, a, b, c);
    return halves_out(w, r);
}
TEMPLATE(v_pk_fma_f16) {
    UNUSED_OPERANDS;
    GUARD64(w, EACH_CHUNK(w, D32(fused16_pair(w, A32, B32_, C32))));
}
VECTOR3(v_pk_fma_f16)
TEMPLATE(v_pk_fmac_f16) { // to its own destination (TRAP-123)
    UNUSED_OPERANDS;
    GUARD64(w, EACH_CHUNK(w, D32(fused16_pair(w, A32, B32_, reg_at(w, op->d)[i]))));
}
VECTOR2(v_pk_fmac_f16)

#define PACKED_CHOOSE(name, function)                                                                        \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const unsigned ieee = min_max_rules(w, op), flushing = min_max_flushes64(w, op);                     \
        EACH_CHUNK(w, u32v a = A32; u32v b = B32_;                                                           \
                   u32v low = order_half(function##32(ORDERED(a), ORDERED(b), ieee));                        \
                   u32v high = order_half(function##32(ORDERED(HIGH(a)), ORDERED(HIGH(b)), ieee));           \
                   D32(low | high << 16));                                                                   \
    }                                                                                                        \
    VECTOR2(name)
#define PACKED_CHOOSE3(name, function)                                                                       \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const unsigned ieee = min_max_rules(w, op), flushing = min_max_flushes64(w, op);                     \
        EACH_CHUNK(w, u32v a = A32; u32v b = B32_; u32v c = C32;                                             \
                   f32v lo = function##32(ORDERED(a), ORDERED(b), ieee);                                     \
                   f32v hi = function##32(ORDERED(HIGH(a)), ORDERED(HIGH(b)), ieee);                         \
                   u32v low = order_half(function##32(lo, ORDERED(c), ieee));                                \
                   u32v high = order_half(function##32(hi, ORDERED(HIGH(c)), ieee)); D32(low | high << 16)); \
    }                                                                                                        \
    VECTOR3(name)
PACKED_CHOOSE3(v_pk_min3_num_f16, min_num)
PACKED_CHOOSE3(v_pk_max3_num_f16, max_num)
PACKED_CHOOSE3(v_pk_minimum3_f16, minimum)
PACKED_CHOOSE3(v_pk_maximum3_f16, maximum)
PACKED_CHOOSE(v_pk_min_f16, min_ieee)
PACKED_CHOOSE(v_pk_max_f16, max_ieee)
PACKED_CHOOSE(v_pk_min_num_f16, min_num)
PACKED_CHOOSE(v_pk_max_num_f16, max_num)
PACKED_CHOOSE(v_pk_minimum_f16, minimum)
PACKED_CHOOSE(v_pk_maximum_f16, maximum)

// ---- Mixed precision: an F32 result rounded again to F16, by MODE's rounding for F16 (TRAP-146) ----

// `csr` is in force around it.
INLINE u32v mix_out(const struct wave *w, f32v r, uint32_t csr) {
    if (LIKELY(csr == w->mxcsr64)) return half_out(w, r);
    PIN(r);
    SET_CSR(csr_f32_to_f16(w));
    PIN(r);
    u32v h = half_out(w, r);
    PIN(h);
    SET_CSR(csr);
    return h;
}
TEMPLATE(v_fma_mixlo_f16) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, f32v a = (f32v)A32; f32v b = (f32v)B32_; f32v c = (f32v)C32; f32v r = fma32(a, b, c);
               FIX_NAN32(r, a, b, c); D32(mix_out(w, r, w->mxcsr)));
}
VECTOR3(v_fma_mixlo_f16)
// No F32 denormals, as MAD. The host's control word is slow to change: all sums first, then all roundings.
TEMPLATE(v_mad_mixlo_f16) {
    UNUSED_OPERANDS;
    f32v sum[MAX_LANES / LANES];
    GUARD_CSR(w, w->mxcsr | CONTROL_DAZ | CONTROL_FTZ,
              EACH_BITS(w, f32v a = (f32v)A32; f32v b = (f32v)B32_; f32v c = (f32v)C32; f32v r = a * b + c;
                        FIX_NAN32(r, a, b, c); PIN(r); sum[i] = r));
    GUARD_CSR(w, csr_f32_to_f16(w), EACH_CHUNK(w, f32v r = sum[i]; PIN(r); D32(half_out(w, r))));
}
VECTOR3(v_mad_mixlo_f16)

// ---- Dot products: round to nearest, no denormals, whatever MODE says (TRAP-143) ----
// Products are exact in F32; they are added to S2 one after the other, or to each other
// first where the processor does (TRAP-194).

INLINE f32v dot2(f32v a0, f32v b0, f32v a1, f32v b1, f32v c, bool last) {
    f32v first = last ? (f32v)(a0 * b0 + a1 * b1) : (f32v)(c + a0 * b0);
    f32v r = last ? (f32v)(first + c) : (f32v)(first + a1 * b1);
    FIX_NAN32(r, c, first, first);
    return r;
}
INLINE f32v half_flushed(u32v h) { return from_f16(flush16(h)); }
INLINE f32v bf16(u32v h) { return flush32((f32v)(h << 16)); }
INLINE u32v to_bf16(f32v r) {
    u32v bits = (u32v)r, h = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return select32(is_nan32(r), (bits >> 16) | 0x40, h);
}
#define DOT2(name, in, acc, out)                                                                             \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const bool last = op->e & BODY_ADDS_LAST;                                                            \
        GUARD_CSR(w, CSR_NEAREST | CONTROL_DAZ | CONTROL_FTZ,                                                \
                  EACH_CHUNK(w, u32v a = A32; u32v b = B32_;                                                 \
                             D32(out(dot2(in(a), in(b), in(HIGH(a)), in(HIGH(b)), acc(C32), last)))));       \
    }                                                                                                        \
    VECTOR3(name)
#define AS_F32(v)          ((f32v)(v))
#define AS_BITS(v)         ((u32v)(v))
#define TO_HALF_FLUSHED(v) flush16(to_f16(v))
DOT2(v_dot2_f32_f16, half_flushed, AS_F32, AS_BITS)
DOT2(v_dot2c_f32_bf16, bf16, AS_F32, AS_BITS)
DOT2(v_dot2_f32_bf16, bf16, AS_F32, AS_BITS)
DOT2(v_dot2_f16_f16, half_flushed, half_flushed, TO_HALF_FLUSHED)
DOT2(v_dot2_bf16_bf16, bf16, bf16, to_bf16)
