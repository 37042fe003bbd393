// SPDX-License-Identifier: MIT
// The three steps of division: V_DIV_SCALE brings numerator and denominator into a range where Newton
// iterations are exact enough, V_DIV_FMAS does the last one and takes the scale back, V_DIV_FIXUP puts in the
// special cases. Together with the sequence that compilers emit they give the correctly rounded quotient in
// every denormal mode. The manuals' pseudo-code cannot be followed to the letter for that: undoing a scale of
// 2^64 takes 2^64 or 2^-64, not 2^32; a denominator whose reciprocal is denormal must be scaled down; and the
// overflow case of FIXUP is that of an infinite or NaN quotient (TRAP-151, TRAP-152).
#define LONG_BODIES
#include "exec/body/float.h"

// Compiled code has what is frequent of the three steps: the operands of all lanes are far from the limits of
// exponents, or the numerator is zero. Other operands, of one lane that executes, leave the step to its
// handler. `name_frequent` does the step and returns true, or does nothing.
#if defined(FUSED)
#define FREQUENT(name)                                                                                       \
    INLINE bool name##_frequent(struct wave *w, const struct op *op, const bool sa, const bool sb,           \
                                const bool sc)
#define FREQUENT_VARIANT(name, suffix, sa, sb, sc)                                                           \
    HANDLER(name##_##suffix) {                                                                               \
        if (UNLIKELY(!name##_frequent(w, op, sa, sb, sc))) return hole_plain(w, REAL_OP);                    \
        NEXT;                                                                                                \
    }
#define DIVISION(name)                                                                                       \
    FREQUENT_VARIANT(name, vvv, 0, 0, 0)                                                                     \
    FREQUENT_VARIANT(name, svv, 1, 0, 0)                                                                     \
    FREQUENT_VARIANT(name, vsv, 0, 1, 0)                                                                     \
    FREQUENT_VARIANT(name, vvs, 0, 0, 1)
#else
#define DIVISION(name) VECTOR3(name)
#endif
#define CHUNK_BITS64(lx, ly) CHUNK_BITS((i32v)split_hi((u64x2){(u64v)(lx), (u64v)(ly)}))

// ---- V_DIV_SCALE ----
// S0 is what is scaled: equal to S1, the denominator, or to S2, the numerator. The lane mask tells FMAS that
// the quotient is scaled; it is set for a zero operand too, whose NaN V_DIV_FIXUP replaces. Cards of RDNA3
// tell the same (ERR-19).

#define DIV_SCALE(W, F, U, I, FRACTION, BIAS, FAR, TINY, SCALE, UP, DOWN, QNAN)                              \
    INLINE I exponent##W(F v) { return (I)((U)fabs##W(v) >> FRACTION); }                                     \
    INLINE I unscaled_den##W(F den) {                                                                        \
        return (exponent##W(den) > TINY) & (exponent##W(den) < 2 * BIAS - 1);                                \
    }                                                                                                        \
    INLINE I unscaled##W(F den, F num) {                                                                     \
        I exp_den = exponent##W(den), exp_num = exponent##W(num);                                            \
        return unscaled_den##W(den) & (exp_num > TINY) & (exp_num <= 2 * BIAS) & (exp_num - exp_den < FAR) & \
               (exp_den - exp_num < FAR);                                                                    \
    }                                                                                                        \
    INLINE F div_scale##W(F s, F den, F num, I *scaled) {                                                    \
        I exp_den = exponent##W(den), exp_num = exponent##W(num);                                            \
        if (LIKELY(!any##W(~unscaled##W(den, num)))) {                                                       \
            *scaled = (I){0};                                                                                \
            return s;                                                                                        \
        }                                                                                                    \
        I is_den = s == den, is_num = s == num;                                                              \
        /* 1/den is denormal from just above the power of two whose reciprocal is the least normal */        \
        I rcp = ((I)fabs##W(den) > (I)((U){0} + (((uint64_t)(2 * BIAS - 1)) << FRACTION))) &                 \
                (exp_den <= 2 * BIAS);                                                                       \
        /* the quotient is denormal, or may be by its exponent; by infinity it is zero */                    \
        I quotient = (fabs##W(num) * UP < fabs##W(den) * DOWN) | (exp_den - exp_num >= BIAS - 1);            \
        quotient &= exp_den <= 2 * BIAS;                                                                     \
        F r = s * SCALE, one = s;                                                                            \
        F down = s * (1 / SCALE);                                                                            \
        F out = pick##W(exp_num <= TINY, r, one);                                                            \
        I mask = quotient;                                                                                   \
        out = pick##W(quotient, pick##W(is_num, r, one), out);                                               \
        out = pick##W(rcp, down, out);                                                                       \
        mask &= ~rcp;                                                                                        \
        out = pick##W(rcp & quotient, pick##W(is_den, down, one), out);                                      \
        mask |= rcp & quotient;                                                                              \
        I denormal = exp_den == 0;                                                                           \
        out = pick##W(denormal, r, out);                                                                     \
        mask &= ~denormal;                                                                                   \
        I far = exp_num - exp_den >= FAR;                                                                    \
        out = pick##W(far, pick##W(is_den, r, one), out);                                                    \
        mask |= far;                                                                                         \
        I zero = (num == 0) | (den == 0);                                                                    \
        *scaled = mask | zero;                                                                               \
        return (F)select##W(zero, (U){0} + QNAN, (U)out);                                                    \
    }
DIV_SCALE(32, f32v, u32v, i32v, 23, 127, 96, 23, 0x1p64f, 0x1p64f, 0x1p-62f, QNAN32)
DIV_SCALE(64, f64v, u64v, i64v, 52, 1023, 768, 53, 0x1p128, 0x1p512, 0x1p-510, QNAN64)

#if !defined(FUSED)
// What is not scaled is passed on, not computed: nothing else flushes it.
TEMPLATE(v_div_scale_f32) {
    UNUSED_OPERANDS;
    const bool flushing = !(w->mode & MODE_IN32), keeps = w->mode & MODE_OUT32;
    uint64_t bits = 0;
    EACH_CHUNK(w, f32v a = FLUSHED32(A32); f32v b = FLUSHED32(B32_); f32v c = FLUSHED32(C32); i32v scaled;
               f32v r = div_scale32(a, b, c, &scaled); FIX_NAN32(r, a, a, a);
               D32(LIKELY(keeps) ? r : flush32(r)); bits |= CHUNK_BITS(scaled));
    put_mask(w, op->e, bits);
}

TEMPLATE(v_div_scale_f64) {
    UNUSED_OPERANDS;
    const bool flushing = !(w->mode & MODE_IN64), keeps = w->mode & MODE_OUT64;
    uint64_t bits = 0;
    GUARD_CSR(
        w, w->mxcsr64,
        EACH_CHUNK(w, u64x2 a = A64; u64x2 b = B64_; u64x2 c = C64; i64v x; i64v y; f64v ax = FLUSHED64(a.x);
                   f64v ay = FLUSHED64(a.y); f64v rx = div_scale64(ax, FLUSHED64(b.x), FLUSHED64(c.x), &x);
                   FIX_NAN64(rx, ax, ax, ax); f64v ry = div_scale64(ay, FLUSHED64(b.y), FLUSHED64(c.y), &y);
                   FIX_NAN64(ry, ay, ay, ay); if (UNLIKELY(!keeps)) rx = flush64(rx), ry = flush64(ry);
                   D64(((u64x2){(u64v)rx, (u64v)ry})); bits |= CHUNK_BITS64(x, y)));
    put_mask(w, op->e, bits);
}
#else
// A quotient of zero is told like a scaled one.
#define FREQUENT_SCALE(W, F, U, I, QNAN)                                                                     \
    INLINE I is_zero##W(F v) { return (I)((U)fabs##W(v) == 0); }                                             \
    INLINE I unscaled_or_zero##W(U s, U den, U num) {                                                        \
        return ((I)(s == den) | (I)(s == num)) &                                                             \
               (unscaled##W((F)den, (F)num) | (unscaled_den##W((F)den) & is_zero##W((F)num)));               \
    }                                                                                                        \
    INLINE U scaled_zero##W(U s, U num) { return select##W(is_zero##W((F)num), (U){0} + QNAN, s); }
FREQUENT_SCALE(32, f32v, u32v, i32v, QNAN32)
FREQUENT_SCALE(64, f64v, u64v, i64v, QNAN64)

FREQUENT(v_div_scale_f32) {
    uint64_t frequent = 0, zero = 0;
    EACH_CHUNK(w, u32v c = C32; frequent |= CHUNK_BITS(unscaled_or_zero32(A32, B32_, c));
               zero |= CHUNK_BITS(is_zero32((f32v)c)));
    if (UNLIKELY(exec_of(w) & ~frequent)) return false;
    EACH_CHUNK(w, D32(scaled_zero32(A32, C32)));
    put_mask(w, op->e, zero);
    return true;
}
FREQUENT(v_div_scale_f64) {
    uint64_t frequent = 0, zero = 0;
    EACH_CHUNK(w, u64x2 a = A64; u64x2 b = B64_; u64x2 c = C64;
               frequent |= CHUNK_BITS64(unscaled_or_zero64(a.x, b.x, c.x), unscaled_or_zero64(a.y, b.y, c.y));
               zero |= CHUNK_BITS64(is_zero64((f64v)c.x), is_zero64((f64v)c.y)));
    if (UNLIKELY(exec_of(w) & ~frequent)) return false;
    EACH_CHUNK(w, u64x2 a = A64; u64x2 c = C64;
               D64(((u64x2){scaled_zero64(a.x, c.x), scaled_zero64(a.y, c.y)})));
    put_mask(w, op->e, zero);
    return true;
}
#endif
DIVISION(v_div_scale_f32)
DIVISION(v_div_scale_f64)

// ---- V_DIV_FMAS ----

// a * b + c and the scale taken back with one rounding: the sum is formed with its inexact rest kept in the
// last bit (round to odd), scaled exactly, and rounded as MODE says.
static __attribute__((noinline)) void scaled_fma32(uint32_t csr, f32v *r, f32v a, f32v b, f32v c) {
    f64x2 p = widen_f32(a), q = widen_f32(b), s = widen_f32(c);
    i32v up = (i32v)((u32v)c & 0x7f800000) > 0x3f800000;
    u32v power = select32(up, splat32((1023 + 64) << 20), splat32((1023 - 64) << 20));
    u64x2 scale = join64(splat32(0), power);
    SET_CSR(CSR_TO_ZERO);
    PIN(p);
    PIN(q);
    PIN(s);
#define ODD_SUM(half)                                                                                        \
    do {                                                                                                     \
        f64v product = p.half * q.half, sum = product + s.half;                                              \
        i64v inexact = (i64v)(sum - product != s.half) | (i64v)(sum - s.half != product);                    \
        inexact &= (i64v)(fabs64(sum) < (double)INFINITY);                                                   \
        p.half = (f64v)((u64v)sum | ((u64v)inexact & 1));                                                    \
    } while (0)
    ODD_SUM(x);
    ODD_SUM(y);
    PIN(p);
    SET_CSR(csr);
    PIN(p);
    *r = flush_result32(csr, narrow_f64((f64x2){p.x * (f64v)scale.x, p.y * (f64v)scale.y}));
}

// The residual S0 may be denormal where the quotient is not, so denormal inputs count even where MODE
// flushes.
#if !defined(FUSED)
TEMPLATE(v_div_fmas_f32) {
    UNUSED_OPERANDS;
    const uint64_t vcc = w->vcc & w->all_lanes;
    const uint32_t csr = w->mxcsr & ~(uint32_t)CONTROL_DAZ;
    GUARD_CSR(w, csr,
              EACH_CHUNK(
                  w, f32v a = (f32v)A32; f32v b = (f32v)B32_; f32v c = (f32v)C32;
                  f32v r = flush_result32(csr, fma32(a, b, c));
                  const lmask scaled = (lmask)(vcc >> (i * LANES)) & ALL_LANES; if (UNLIKELY(scaled & m)) {
                      f32v s;
                      scaled_fma32(csr, &s, a, b, c);
                      r = (f32v)blend32(scaled, (u32v)s, (u32v)r);
                  } FIX_NAN32(r, a, b, c);
                  D32(r)));
}
#else
FREQUENT(v_div_fmas_f32) {
    const uint64_t scaled = get_mask(w, op, WAVE_OFFSET(vcc)) & exec_of(w);
    uint64_t nan = 0;
    f32v r[STENCIL / LANES];
    GUARD_CSR(w, w->mxcsr & ~(uint32_t)CONTROL_DAZ,
              EACH_CHUNK(w, r[i] = fma_in_order((f32v)A32, (f32v)B32_, (f32v)C32)));
    EACH_CHUNK(w, nan |= CHUNK_BITS(is_nan32(r[i])));
    if (UNLIKELY(scaled & ~nan)) return false; // a NaN has no scale
    EACH_CHUNK(w, D32(r[i]));
    return true;
}
#endif
DIVISION(v_div_fmas_f32)

// The same for one F64 lane, by 128-bit integers: value = (-1)^sign * hi:lo * 2^exponent.
struct wide {
    unsigned __int128 m;
    int e;
    bool negative;
};

INLINE int top_bit(unsigned __int128 m) {
    return (uint64_t)(m >> 64) ? 127 - __builtin_clzll((uint64_t)(m >> 64))
                               : 63 - __builtin_clzll((uint64_t)m | 1);
}
// Shifts right, keeping what falls out in the last bit.
INLINE unsigned __int128 shift_sticky(unsigned __int128 m, int n) {
    if (n <= 0) return m;
    if (n > 127) return m != 0;
    return m >> n | ((m & (((unsigned __int128)1 << n) - 1)) != 0);
}
static struct wide wide_of(double v) {
    uint64_t bits;
    memcpy(&bits, &v, 8);
    int e = (int)(bits >> 52 & 0x7ff);
    uint64_t f = bits & 0xfffffffffffff;
    return (struct wide){e ? f | 0x10000000000000 : f, (e ? e : 1) - 1075, bits >> 63};
}
// Rounds to F64 by two bits of MODE (0 nearest even, 1 up, 2 down, 3 to zero).
static double round_wide(struct wide v, unsigned how) {
    uint64_t bits = (uint64_t)v.negative << 63;
    if (v.m) {
        int e = v.e + top_bit(v.m) - 52; // weight of the last place
        if (e < -1074) e = -1074;
        // Two bits below the last place: half and rest.
        unsigned __int128 q = e - 2 >= v.e ? shift_sticky(v.m, e - 2 - v.e) : v.m << (v.e - (e - 2));
        uint64_t f = (uint64_t)(q >> 2);
        unsigned rest = (unsigned)q & 3;
        bool more = how == 0   ? rest == 3 || (rest == 2 && (f & 1))
                    : how == 1 ? rest && !v.negative
                    : how == 2 ? rest && v.negative
                               : false;
        f += more;
        if (f >> 53) f >>= 1, e++;
        if (f >> 52) {
            if (e + 1075 >= 2047) {
                bool infinite = how == 0 || (how == 1 && !v.negative) || (how == 2 && v.negative);
                bits |= infinite ? 0x7ff0000000000000 : 0x7fefffffffffffff;
            } else
                bits |= (uint64_t)(e + 1075) << 52 | (f & 0xfffffffffffff);
        } else
            bits |= f;
    }
    double r;
    memcpy(&r, &bits, 8);
    return r;
}
static double scaled_fma64(const struct wave *w, double a, double b, double c) {
    if (!isfinite(a) || !isfinite(b) || !isfinite(c) || (c == 0 && (a == 0 || b == 0))) return fma(a, b, c);
    struct wide x = wide_of(a), y = wide_of(b), z = wide_of(c);
    int scale = fabs(c) >= 2 ? 128 : -128;
    struct wide p = {x.m * y.m, x.e + y.e, x.negative != y.negative}, *big = &p, *small = &z;
    if (!p.m) p.e = z.e;
    if (!z.m) z.e = p.e;
    // Align to the operand that reaches higher, with 20 or more bits of room above and the rest sticky below.
    if (z.m && (!p.m || z.e + top_bit(z.m) > p.e + top_bit(p.m))) big = &z, small = &p;
    int room = 126 - 1 - top_bit(big->m);
    big->m <<= room;
    big->e -= room;
    if (small->e > big->e)
        small->m <<= small->e - big->e;
    else
        small->m = shift_sticky(small->m, big->e - small->e);
    struct wide s = {0, big->e + scale, big->negative};
    if (big->negative == small->negative)
        s.m = big->m + small->m;
    else if (big->m >= small->m)
        s.m = big->m - small->m;
    else
        s.m = small->m - big->m, s.negative = small->negative;
    unsigned how = w->mode >> 2 & 3;
    if (!s.m) s.negative = how == 2;
    if (!(w->mode & MODE_OUT64)) { // as the host: what is below the least normal when rounded to 53 bits
        struct wide far = {s.m, s.e + 512, s.negative};
        if (fabs(round_wide(far, how)) < 0x1p-510) return s.negative ? -0.0 : 0.0;
    }
    return round_wide(s, how);
}
static __attribute__((noinline)) void scaled_fma64_lanes(const struct wave *w, u64x2 *r, u64x2 a, u64x2 b,
                                                         u64x2 c) {
    f64v x = (f64v)a.x, y = (f64v)b.x, z = (f64v)c.x;
    for (int k = 0; k < HALF; k++) x[k] = scaled_fma64(w, x[k], y[k], z[k]);
    r->x = (u64v)x;
    x = (f64v)a.y, y = (f64v)b.y, z = (f64v)c.y;
    for (int k = 0; k < HALF; k++) x[k] = scaled_fma64(w, x[k], y[k], z[k]);
    r->y = (u64v)x;
}

#if !defined(FUSED)
TEMPLATE(v_div_fmas_f64) {
    UNUSED_OPERANDS;
    const uint64_t vcc = w->vcc & w->all_lanes;
    const uint32_t csr = w->mxcsr64 & ~(uint32_t)CONTROL_DAZ;
    GUARD_CSR(w, csr,
              EACH_CHUNK(
                  w, u64x2 a = A64; u64x2 b = B64_; u64x2 c = C64;
                  f64v rx = flush_result64(csr, fma64((f64v)a.x, (f64v)b.x, (f64v)c.x));
                  f64v ry = flush_result64(csr, fma64((f64v)a.y, (f64v)b.y, (f64v)c.y));
                  const lmask scaled = (lmask)(vcc >> (i * LANES)) & ALL_LANES; if (UNLIKELY(scaled & m)) {
                      u64x2 s;
                      scaled_fma64_lanes(w, &s, a, b, c);
                      u32v lanes = (u32v)mask_lanes(scaled);
                      u64x2 which = join64(lanes, lanes);
                      rx = (f64v)select64((i64v)which.x, s.x, (u64v)rx);
                      ry = (f64v)select64((i64v)which.y, s.y, (u64v)ry);
                  } FIX_NAN64(rx, (f64v)a.x, (f64v)b.x, (f64v)c.x);
                  FIX_NAN64(ry, (f64v)a.y, (f64v)b.y, (f64v)c.y); D64(((u64x2){(u64v)rx, (u64v)ry}))));
}
#else
FREQUENT(v_div_fmas_f64) {
    const uint64_t scaled = get_mask(w, op, WAVE_OFFSET(vcc)) & exec_of(w);
    uint64_t nan = 0;
    u64x2 r[STENCIL / LANES];
    GUARD_CSR(w, w->mxcsr64 & ~(uint32_t)CONTROL_DAZ,
              EACH_CHUNK(w, u64x2 a = A64; u64x2 b = B64_; u64x2 c = C64;
                         f64v x = fma64((f64v)a.x, (f64v)b.x, (f64v)c.x);
                         f64v y = fma64((f64v)a.y, (f64v)b.y, (f64v)c.y);
                         FIX_NAN64(x, (f64v)a.x, (f64v)b.x, (f64v)c.x);
                         FIX_NAN64(y, (f64v)a.y, (f64v)b.y, (f64v)c.y); r[i] = ((u64x2){(u64v)x, (u64v)y})));
    EACH_CHUNK(w, nan |= CHUNK_BITS64(is_nan64((f64v)r[i].x), is_nan64((f64v)r[i].y)));
    if (UNLIKELY(scaled & ~nan)) return false;
    EACH_CHUNK(w, D64(r[i]));
    return true;
}
#endif
DIVISION(v_div_fmas_f64)

// ---- V_DIV_FIXUP ----
// S0 the quotient so far, S1 the denominator, S2 the numerator.

#define DIV_FIXUP(W, F, U, I, FRACTION, TOP, BELOW, BIG, SMALL, QUIET, BAD)                                  \
    INLINE U quotient_sign##W(F den, F num) { return ((U)den ^ (U)num) & (((U){0} + 1) << (W - 1)); }        \
    INLINE I normal##W(F v) { return (exponent##W(v) > 0) & (exponent##W(v) < TOP); }                        \
    INLINE I needs_no_fixup##W(F q, F den, F num) {                                                          \
        return normal##W(den) & normal##W(num) & (exponent##W(num) - exponent##W(den) >= BELOW) &            \
               (exponent##W(q) < TOP);                                                                       \
    }                                                                                                        \
    INLINE F div_fixup##W(F q, F den, F num) {                                                               \
        U sign = quotient_sign##W(den, num);                                                                 \
        F one = (F)(sign | (U)((F){0} + 1));                                                                 \
        U r = (U)fabs##W(q) | sign;                                                                          \
        if (LIKELY(!any##W(~needs_no_fixup##W(q, den, num)))) return (F)r;                                   \
        U over = (U)(one * BIG * BIG), under = (U)(one * SMALL * SMALL);                                     \
        r = select##W(exponent##W(q) == TOP, over, r);                                                       \
        r = select##W(exponent##W(num) - exponent##W(den) < BELOW, under, r);                                \
        I inf_den = fabs##W(den) == (F){0} + INFINITY, inf_num = fabs##W(num) == (F){0} + INFINITY;          \
        I zero_den = den == 0, zero_num = num == 0;                                                          \
        r = select##W(inf_den | zero_num, sign, r);                                                          \
        r = select##W(zero_den | inf_num, sign | (U)((F){0} + INFINITY), r);                                 \
        r = select##W((inf_den & inf_num) | (zero_den & zero_num), (U){0} + BAD, r);                         \
        r = select##W(is_nan##W(den), (U)den | QUIET, r);                                                    \
        return (F)select##W(is_nan##W(num), (U)num | QUIET, r);                                              \
    }
DIV_FIXUP(32, f32v, u32v, i32v, 23, 255, -150, 0x1p100f, 0x1p-100f, 0x400000u, 0xffc00000u)
DIV_FIXUP(64, f64v, u64v, i64v, 52, 2047, -1075, 0x1p1000, 0x1p-1000, 0x8000000000000u, 0xfff8000000000000u)

#if !defined(FUSED)
TEMPLATE(v_div_fixup_f32) {
    UNUSED_OPERANDS;
    const bool flushing = !(w->mode & MODE_IN32);
    const bool keeps =
        w->mode & MODE_OUT32; // the quotient is passed on, not computed: nothing else flushes it
    EACH_CHUNK(w, f32v a = FLUSHED32(A32); f32v b = FLUSHED32(B32_); f32v c = FLUSHED32(C32);
               f32v r = div_fixup32(a, b, c); D32(LIKELY(keeps) ? r : flush32(r)));
}

TEMPLATE(v_div_fixup_f64) {
    UNUSED_OPERANDS;
    const bool flushing = !(w->mode & MODE_IN64), keeps = w->mode & MODE_OUT64;
    GUARD_CSR(w, w->mxcsr64,
              EACH_CHUNK(w, u64x2 a = A64; u64x2 b = B64_; u64x2 c = C64;
                         f64v x = div_fixup64(FLUSHED64(a.x), FLUSHED64(b.x), FLUSHED64(c.x));
                         f64v y = div_fixup64(FLUSHED64(a.y), FLUSHED64(b.y), FLUSHED64(c.y));
                         if (UNLIKELY(!keeps)) x = flush64(x), y = flush64(y);
                         D64(((u64x2){(u64v)x, (u64v)y}))));
}
#else
// What MODE flushes is neither normal nor zero.
#define FREQUENT_FIXUP(W, F, U, I)                                                                           \
    INLINE I fixed_or_zero##W(U q, U den, U num) {                                                           \
        return (needs_no_fixup##W((F)q, (F)den, (F)num) & normal##W((F)q)) |                                 \
               (normal##W((F)den) & is_zero##W((F)num));                                                     \
    }                                                                                                        \
    INLINE U fixed_zero##W(U q, U den, U num) {                                                              \
        return select##W(is_zero##W((F)num), (U){0}, (U)fabs##W((F)q)) | quotient_sign##W((F)den, (F)num);   \
    }
FREQUENT_FIXUP(32, f32v, u32v, i32v)
FREQUENT_FIXUP(64, f64v, u64v, i64v)

FREQUENT(v_div_fixup_f32) {
    uint64_t frequent = 0;
    EACH_CHUNK(w, frequent |= CHUNK_BITS(fixed_or_zero32(A32, B32_, C32)));
    if (UNLIKELY(exec_of(w) & ~frequent)) return false;
    EACH_CHUNK(w, D32(fixed_zero32(A32, B32_, C32)));
    return true;
}
FREQUENT(v_div_fixup_f64) {
    uint64_t frequent = 0;
    EACH_CHUNK(w, u64x2 a = A64; u64x2 b = B64_; u64x2 c = C64;
               frequent |= CHUNK_BITS64(fixed_or_zero64(a.x, b.x, c.x), fixed_or_zero64(a.y, b.y, c.y)));
    if (UNLIKELY(exec_of(w) & ~frequent)) return false;
    EACH_CHUNK(w, u64x2 a = A64; u64x2 b = B64_; u64x2 c = C64;
               D64(((u64x2){fixed_zero64(a.x, b.x, c.x), fixed_zero64(a.y, b.y, c.y)})));
    return true;
}
#endif
DIVISION(v_div_fixup_f32)
DIVISION(v_div_fixup_f64)
