// SPDX-License-Identifier: MIT
// The transcendental functions of the vector ALU on one chunk of F32 lanes, shared by the vector and the
// scalar forms. The hardware reads tables; how near these are to the exact values is in isa/fidelity.def;
// special values are exact (TRAP-163). They know no denormals: inputs and results are flushed,
// which is what the sequences that compilers emit around them assume.
#ifndef EXEC_BODY_TRANS_H
#define EXEC_BODY_TRANS_H

#include "exec/body/float.h"

INLINE f32v rcp32(f32v a) { return flush32(1.0f / flush32(a)); }
INLINE f32v sqrt_flushed32(f32v a) { return sqrt32(flush32(a)); }
// Two roundings would be off by up to 1.5 units; one Newton step on the exact residual 1 - a * r * r brings
// that to a half and a little.
INLINE f32v rsq32(f32v a) {
    a = flush32(a);
    f32v r = 1.0f / sqrt32(a);
    f32v x = a * r, low = fma32(a, r, neg32(x));
    f32v e = fma32(neg32(low), r, fma32(neg32(x), r, splatf(1)));
    return pick32(is_nan32(e), r, fma32(r * 0.5f, e, r)); // no residual at zero and infinity
}

INLINE f32v poly32(f32v x, const float *c, int n) {
    f32v r = splatf(c[n - 1]);
    UNROLL_BITS for (int k = n - 2; k >= 0; k--) r = fma32(r, x, splatf(c[k]));
    return r;
}

// 2^a: the integral part goes into the exponent, the rest is a polynomial on [-0.5, 0.5]. Results below the
// least normal are zero.
INLINE f32v exp32(f32v a) {
    static const float c[] = {
        0x1.62e43p-1f, 0x1.ebfbep-3f, 0x1.c6af6cp-5f, 0x1.3b2a54p-7f, 0x1.5f089p-10f, 0x1.44138ap-13f,
    };
    f32v x = pick32(a > 200, splatf(200), pick32(a < -200, splatf(-200), a));
    x = pick32(is_nan32(x), splatf(0), x);
    f32v n = ROUND32(x, 0), f = x - n;
    f32v p = fma32(f, poly32(f, c, 6), splatf(1)); // in [0.7, 1.42]
    u32v bits = (u32v)p + ((u32v) __builtin_convertvector(n, i32v) << 23);
    f32v r = (f32v)bits;
    // The sum of exponents is out of range where the result is.
    r = pick32(x < -126, splatf(0), r);
    r = pick32(x >= 128, splatf(INFINITY), r);
    return pick32(is_nan32(a), quiet32(a), r);
}

// log2(a) = n + log2(1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). The leading term f / ln 2 is kept in two
// parts, so that results near zero are as good as others.
INLINE f32v log32(f32v a) {
    static const float c[] = {
        -0x1.715476p-1f, 0x1.ec7094p-2f,  -0x1.71548p-2f, 0x1.277c3ep-2f,  -0x1.ec7732p-3f,
        0x1.a48380p-3f,  -0x1.6efd84p-3f, 0x1.5d018cp-3f, -0x1.5579e8p-3f, 0x1.900022p-4f,
    };
    a = flush32(a);
    i32v bits = (i32v)((u32v)a - 0x3f3504f3); // sqrt(1/2)
    i32v n = bits >> 23;
    f32v f = (f32v)((bits & 0x7fffff) + 0x3f3504f3) - 1.0f;
    f32v low = fma32(f * f, poly32(f, c, 10), f * 0x1.4ae0cp-26f);
    f32v r = fma32(f, splatf(0x1.715476p+0f), low);
    r = __builtin_convertvector(n, f32v) + r;
    r = pick32((i32v)a == 0x7f800000, a, r);
    r = pick32(a < 0, (f32v)splat32(QNAN32), r);
    r = pick32(a == 0, splatf(-INFINITY), r);
    return pick32(is_nan32(a), quiet32(a), r);
}

// Sine and cosine of at most an eighth of a revolution.
INLINE f32v sin_eighth(f32v x) {
    static const float c[] = {-0x1.4abbcep+5f, 0x1.466bc2p+6f, -0x1.32ce1ep+6f, 0x1.4cb762p+5f};
    f32v u = x * x, low = fma32(u * x, poly32(u, c, 4), x * -0x1.777a5cp-23f);
    return fma32(x, splatf(0x1.921fb6p+2f), low);
}
INLINE f32v cos_eighth(f32v x) {
    static const float c[] = {-0x1.3bd3ccp+4f, 0x1.03c1fp+6f, -0x1.55d3c2p+6f, 0x1.e1ec72p+5f,
                              -0x1.a1e852p+4f};
    f32v u = x * x;
    return fma32(u, poly32(u, c, 5), splatf(1));
}
// Arguments are in revolutions, so every step of the reduction is exact: `r` in [-0.5, 0.5], then the
// distance `x` from the nearest quarter, which is the odd one where `quarter` says so.
INLINE f32v turn32(f32v a, i32v *quarter, f32v *x) {
    a = flush32(a);
    f32v r = a - ROUND32(a, 0), m = fabs32(r);
    *quarter = (i32v)(m > 0.125f) & (i32v)(m < 0.375f);
    *x = pick32(*quarter, 0.25f - m, pick32(m < 0.375f, m, 0.5f - m));
    return r;
}
INLINE f32v sin32(f32v a) {
    i32v quarter;
    f32v x, r = turn32(a, &quarter, &x), s = pick32(quarter, cos_eighth(x), sin_eighth(x));
    s = (f32v)((u32v)s ^ ((u32v)r & 0x80000000u));
    s = pick32(a == 0, a, s);
    return flush32(pick32(is_nan32(r), (f32v)splat32(QNAN32), s));
}
INLINE f32v cos32(f32v a) {
    i32v quarter;
    f32v x, r = turn32(a, &quarter, &x), c = cos_eighth(x);
    c = pick32(fabs32(r) > 0.25f, -c, c);
    c = pick32(quarter, sin_eighth(x), c);
    return flush32(pick32(is_nan32(r), (f32v)splat32(QNAN32), c));
}
// GFX9 and before take at most 256 revolutions: beyond, the sine is 0 and the cosine 1, but for infinity.
INLINE f32v limit_turns(f32v a, f32v r, float beyond, bool limited) {
    const f32v turns = fabs32(a);
    return limited ? pick32((i32v)(turns > 256) & (i32v)(turns < INFINITY), splatf(beyond), r) : r;
}

#endif
