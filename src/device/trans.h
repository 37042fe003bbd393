// SPDX-License-Identifier: MIT
// The transcendental functions of the vector ALU on one chunk of F32 lanes, shared by the vector and the
// scalar forms. The hardware reads tables; these are within one unit in the last place, mostly correctly
// rounded, with exact special values (TRAP-163). They know no denormals: inputs and results are flushed,
// which is what the sequences that compilers emit around them assume.
#ifndef DEVICE_TRANS_H
#define DEVICE_TRANS_H

#include "device/float.h"

INLINE f32v rcp32(f32v a) { return flush32(1.0f / flush32(a)); }
INLINE f32v sqrt_flushed32(f32v a) { return sqrt32(flush32(a)); }
INLINE f32v rsq32(f32v a) { return 1.0f / sqrt32(flush32(a)); }

INLINE f32v poly32(f32v x, const float *c, int n) {
    f32v r = splatf(c[n - 1]);
    for (int k = n - 2; k >= 0; k--) r = fma32(r, x, splatf(c[k]));
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
    u32v bits = (u32v)p + ((u32v)__builtin_convertvector(n, i32v) << 23);
    f32v r = (f32v)bits;
    // The sum of exponents is out of range where the result is.
    r = pick32(x < -126, splatf(0), r);
    r = pick32(x >= 128, splatf(INFINITY), r);
    return pick32(is_nan32(a), a, r);
}

// log2(a) = n + log2(1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). The leading term f / ln 2 is kept in two
// parts, so that results near zero are as good as others.
INLINE f32v log32(f32v a) {
    static const float c[] = {
        -0x1.715476p-1f, 0x1.ec7094p-2f, -0x1.71548p-2f, 0x1.277c3ep-2f, -0x1.ec7732p-3f,
        0x1.a48380p-3f, -0x1.6efd84p-3f, 0x1.5d018cp-3f, -0x1.5579e8p-3f, 0x1.900022p-4f,
    };
    a = flush32(a);
    i32v bits = (i32v)a - 0x3f3504f3; // sqrt(1/2)
    i32v n = bits >> 23;
    f32v f = (f32v)((bits & 0x7fffff) + 0x3f3504f3) - 1.0f;
    f32v low = fma32(f * f, poly32(f, c, 10), f * 0x1.4ae0cp-26f);
    f32v r = fma32(f, splatf(0x1.715476p+0f), low);
    r = __builtin_convertvector(n, f32v) + r;
    r = pick32((i32v)a == 0x7f800000, a, r);
    r = pick32(a < 0, (f32v)splat32(QNAN32), r);
    r = pick32(a == 0, splatf(-INFINITY), r);
    return pick32(is_nan32(a), a, r);
}

// sin of revolutions in [-0.25, 0.25].
INLINE f32v sin_quarter(f32v r) {
    static const float c[] = {-0x1.4abbcep+5f, 0x1.466bc6p+6f, -0x1.32d214p+6f, 0x1.503704p+5f, -0x1.d04ap+3f};
    f32v u = r * r;
    f32v low = fma32(u * r, poly32(u, c, 5), r * -0x1.777a5cp-23f);
    return fma32(r, splatf(0x1.921fb6p+2f), low);
}
// Arguments are in revolutions, so reduction is exact.
INLINE f32v turn32(f32v a) { return a - ROUND32(a, 0); }
INLINE f32v sin32(f32v a) {
    a = flush32(a);
    f32v r = turn32(a), magnitude = fabs32(r);
    f32v folded = pick32(magnitude > 0.25f, 0.5f - magnitude, magnitude);
    f32v s = sin_quarter(folded);
    s = (f32v)((u32v)s | ((u32v)r & 0x80000000u));
    s = pick32(a == 0, a, s);
    return flush32(pick32(is_nan32(r), (f32v)splat32(QNAN32), s));
}
INLINE f32v cos32(f32v a) {
    f32v r = turn32(flush32(a));
    f32v s = sin_quarter(0.25f - fabs32(r));
    return flush32(pick32(is_nan32(r), (f32v)splat32(QNAN32), s));
}

#endif
