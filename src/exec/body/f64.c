// SPDX-License-Identifier: MIT
// F64 arithmetic: sums and products, minimum and maximum, rounding to integral values, splitting and scaling
// by powers of two. Everything runs under MODE's rounding and denormals for F64. Division by steps is in
// div.c, reciprocals and roots in trans.c.
#include "exec/body/float.h"

FBINOP64(v_add_f64, a + b)
FBINOP64(v_mul_f64, a *b)
FTRIOP64(v_fma_f64, fma64(a, b, c))

#define CHOOSE64(name, function)                                                                             \
    INLINE u64v name##_eval(u64v a, u64v b, unsigned ieee, bool flushing) {                                  \
        return (u64v)function##64(FLUSHED64(a), FLUSHED64(b), ieee);                                         \
    }                                                                                                        \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const unsigned ieee = min_max_rules(w, op), flushing = min_max_flushes64(w, op);                     \
        GUARD64(w, EACH_CHUNK(w, u64x2 a = A64; u64x2 b = B64_; D64(((u64x2){                                \
                       name##_eval(a.x, b.x, ieee, flushing), name##_eval(a.y, b.y, ieee, flushing)}))));    \
    }                                                                                                        \
    VECTOR2(name)
CHOOSE64(v_min_f64, min_ieee)
CHOOSE64(v_max_f64, max_ieee)
CHOOSE64(v_min_num_f64, min_num)
CHOOSE64(v_max_num_f64, max_num)
CHOOSE64(v_minimum_f64, minimum)
CHOOSE64(v_maximum_f64, maximum)

FUNOP64(v_rndne_f64, ROUND64(a, 0))
FUNOP64(v_floor_f64, ROUND64(a, 1))
FUNOP64(v_ceil_f64, ROUND64(a, 2))
FUNOP64(v_trunc_f64, ROUND64(a, 3))

// Below 1 even where the subtraction rounds to 1 (TRAP-144).
INLINE f64v fract64(f64v a) {
    f64v r = a - ROUND64(a, 1);
    return pick64(r > 0x1.fffffffffffffp-1, splatd(0x1.fffffffffffffp-1), r);
}
FUNOP64(v_fract_f64, fract64(a))

// ---- Exponent and significand (TRAP-159): as for F32, a denormal is scaled up first ----

INLINE u64v frexp_bits64(f64v a, i64v *scaled, i64v *finite) {
    u64v magnitude = (u64v)a & 0x7fffffffffffffff;
    *scaled = (i64v)magnitude < 0x10000000000000;
    *finite = (i64v)magnitude < 0x7ff0000000000000;
    return select64(*scaled, (u64v)(a * 0x1p64), (u64v)a);
}
INLINE u64v frexp_exp64(f64v a) {
    i64v scaled, finite;
    u64v bits = frexp_bits64(a, &scaled, &finite);
    i64v e = (i64v)(bits >> 52 & 0x7ff) - 1022 - (scaled & 64);
    return (u64v)(e & finite & ((i64v)(bits & 0x7fffffffffffffff) != 0));
}
INLINE u64v frexp_mant64(f64v a) {
    i64v scaled, finite;
    u64v bits = frexp_bits64(a, &scaled, &finite);
    u64v r = (bits & 0x800fffffffffffff) | 0x3fe0000000000000;
    r = select64((i64v)(bits & 0x7fffffffffffffff) == 0, bits, r);
    return select64(finite, r, (u64v)a);
}
TEMPLATE(v_frexp_exp_i32_f64) {
    UNUSED_OPERANDS;
    GUARD64(w, EACH_CHUNK(w, u64x2 a = A64;
                          D32(split_lo((u64x2){frexp_exp64((f64v)a.x), frexp_exp64((f64v)a.y)}))));
}
VECTOR1(v_frexp_exp_i32_f64)
TEMPLATE(v_frexp_mant_f64) {
    UNUSED_OPERANDS;
    GUARD64(w,
            EACH_CHUNK(w, u64x2 a = A64; D64(((u64x2){frexp_mant64((f64v)a.x), frexp_mant64((f64v)a.y)}))));
}
VECTOR1(v_frexp_mant_f64)

#if !defined(LEVEL_v4)
// 2^e for e of -1022 to 1023.
INLINE f64v power64(i64v e) { return (f64v)((u64v)(e + 1023) << 52); }
INLINE i64v clamp64(i64v v, int64_t lo, int64_t hi) {
    v = (i64v)select64(v < lo, splat64((uint64_t)lo), (u64v)v);
    return (i64v)select64(v > hi, splat64((uint64_t)hi), (u64v)v);
}
#endif
// Only the last multiplication rounds: the value is brought to [0.5, 1) first, so the product with as much of
// the power as keeps it normal is exact.
INLINE f64v ldexp64(f64v a, i64v e) {
#if defined(LEVEL_v4)
    return (f64v)_mm512_scalef_pd((__m512d)a, _mm512_cvtepi64_pd((__m512i)e));
#else
    // Beyond 2^1100 and 2^-1100 nothing changes any more; half of the power is rounded down.
    const i64v total = clamp64((i64v)frexp_exp64(a) + e, -1100, 1100);
    const i64v first = (i64v)((u64v)(total + 2048) >> 1) - 1024;
    return (f64v)frexp_mant64(a) * power64(first) * power64(total - first);
#endif
}
TEMPLATE(v_ldexp_f64) {
    UNUSED_OPERANDS;
    GUARD64(w, EACH_CHUNK(
                   w, u64x2 a = A64;
                   i32v e = min_i32(max_i32((i32v)B32_, (i32v)splat32((uint32_t)-4000)), (i32v)splat32(4000));
                   u64x2 wide = join64((u32v)e, (u32v)(e >> 31)); f64v ax = (f64v)a.x; f64v ay = (f64v)a.y;
                   f64v x = ldexp64(ax, (i64v)wide.x); f64v y = ldexp64(ay, (i64v)wide.y);
                   FIX_NAN64(x, ax, ax, ax); FIX_NAN64(y, ay, ay, ay); D64(((u64x2){(u64v)x, (u64v)y}))));
}
VECTOR2(v_ldexp_f64)

// ---- The bits of 2/pi that argument reduction needs ----

// 2/pi after the binary point, 64 bits a word, highest first; bits after the 1201st are 0 (TRAP-153).
static const uint64_t two_over_pi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b0000,
};
// The 53 bits of segment S1[4:0], further right for large arguments, as an F64 of that weight.
static double trig_preop(uint64_t a, uint32_t segment) {
    enum { WORDS = sizeof two_over_pi / sizeof *two_over_pi };
    unsigned e = a >> 52 & 0x7ff;
    unsigned shift = (segment & 31) * 53 + (e > 1077 ? e - 1077 : 0);
    unsigned word = shift / 64, bit = shift % 64;
    uint64_t hi = word < WORDS ? two_over_pi[word] : 0, lo = word + 1 < WORDS ? two_over_pi[word + 1] : 0;
    uint64_t bits = (bit ? hi << bit | lo >> (64 - bit) : hi) >> 11;
    return OUT(ldexp((double)bits, -53 - (int)shift + (e >= 1968 ? 128 : 0)));
}
static __attribute__((noinline)) u64v trig_preop_lanes(u64v a, u64v segment) {
    f64v r;
    for (int k = 0; k < HALF; k++) r[k] = trig_preop(a[k], (uint32_t)segment[k]);
    return (u64v)r;
}
TEMPLATE(v_trig_preop_f64) {
    UNUSED_OPERANDS;
    GUARD64(w, EACH_CHUNK(w, u64x2 a = A64; u32v s = B32_; u64x2 wide = join64(s, s);
                          D64(((u64x2){trig_preop_lanes(a.x, wide.x), trig_preop_lanes(a.y, wide.y)}))));
}
VECTOR2_(v_trig_preop_f64, .cost = COST_LANE);
