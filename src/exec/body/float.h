// SPDX-License-Identifier: MIT
// Floating-point building blocks that several body files share, on one chunk of lanes: denormal flushing by
// MODE, the host control word of an operation, the three families of minimum and maximum, and F16 as F32.
// Nothing here knows about registers; body files turn these into handlers.
#ifndef EXEC_BODY_FLOAT_H
#define EXEC_BODY_FLOAT_H

#include "exec/body/body.h"
#include "exec/body/flags.h"

// Bits of MODE. Of a pair for denormals the lower allows them as inputs, the upper as results (TRAP-141).
enum {
    MODE_IN32 = 1 << 4,
    MODE_OUT32 = 1 << 5,
    MODE_IN64 = 1 << 6,
    MODE_OUT64 = 1 << 7,
    MODE_IEEE = 1 << 9,
    MODE_OVFL16 = 1 << 23, // an F16 result that overflows is the largest finite number
};
enum { CSR_NEAREST = CONTROL_MASKED, CSR_TO_ZERO = CONTROL_MASKED | CONTROL_ROUND };

// Runs the statement under another host control word. Operands are loaded and results stored inside it, so
// the memory barriers keep the arithmetic there.
#define FENCE __asm__ volatile("" ::: "memory")
#define SET_CSR(csr)                                                                                         \
    do {                                                                                                     \
        FENCE;                                                                                               \
        host_control_set(csr);                                                                               \
        FENCE;                                                                                               \
    } while (0)
#define GUARD_CSR(w, csr, ...)                                                                               \
    do {                                                                                                     \
        const uint32_t csr_ = (csr);                                                                         \
        const bool other_ = csr_ != (w)->mxcsr;                                                              \
        if (UNLIKELY(other_)) SET_CSR(csr_);                                                                 \
        __VA_ARGS__;                                                                                         \
        if (UNLIKELY(other_)) SET_CSR((w)->mxcsr);                                                           \
    } while (0)
// Forces a value into a register between two control words, so that arithmetic on it stays between them.
#define PIN(v) __asm__ volatile("" : "+m"(v))

// Narrowing conversions round by MODE's field for F64 and F16; denormals count by the types themselves.
INLINE uint32_t csr_f32_to_f16(const struct wave *w) {
    return (w->mxcsr & ~(uint32_t)CONTROL_ROUND) | (w->mxcsr64 & CONTROL_ROUND);
}
INLINE uint32_t csr_f64_to_f32(const struct wave *w) {
    return (w->mxcsr64 & ~(uint32_t)CONTROL_FTZ) | (w->mxcsr & CONTROL_FTZ);
}

// ---- Denormals, where the host's own flushing does not reach ----

#if defined(LEVEL_v4)
// Zeros as well, as denormals are taken for some where the control word flushes them.
INLINE f32v flush32(f32v a) {
    const __mmask16 small = _mm512_fpclass_ps_mask((__m512)a, CLASS_ZERO | CLASS_DENORMAL);
    return (f32v)_mm512_mask_and_epi32((__m512i)a, small, (__m512i)a, (__m512i)splat32(0x80000000u));
}
#else
INLINE f32v flush32(f32v a) {
    u32v magnitude = (u32v)a & 0x7fffffff;
    return (f32v)select32((i32v)magnitude < 0x800000, (u32v)a & 0x80000000u, (u32v)a);
}
#endif
INLINE f64v flush64(f64v a) {
    u64v magnitude = (u64v)a & 0x7fffffffffffffff;
    return (f64v)select64((i64v)magnitude < 0x10000000000000, (u64v)a & 0x8000000000000000u, (u64v)a);
}
// Results under a control word that flushes these alone, on hosts that cannot.
INLINE f32v flush_result32(uint32_t control, f32v r) {
    return !HOST_FLUSHES_ONE_SIDE && (control & CONTROL_FTZ) ? flush32(r) : r;
}
INLINE f64v flush_result64(uint32_t control, f64v r) {
    return !HOST_FLUSHES_ONE_SIDE && (control & CONTROL_FTZ) ? flush64(r) : r;
}
INLINE u32v flush16(u32v h) { return select32((i32v)(h & 0x7c00) == 0, h & 0x8000, h & 0xffff); }

INLINE f32v fabs32(f32v a) { return (f32v)((u32v)a & 0x7fffffff); }
INLINE f64v fabs64(f64v a) { return (f64v)((u64v)a & 0x7fffffffffffffff); }
INLINE f32v neg32(f32v a) { return (f32v)((u32v)a ^ 0x80000000u); }
INLINE f32v pick32(i32v m, f32v yes, f32v no) { return (f32v)select32(m, (u32v)yes, (u32v)no); }
INLINE f64v pick64(i64v m, f64v yes, f64v no) { return (f64v)select64(m, (u64v)yes, (u64v)no); }

INLINE bool any_unordered32(f32v a, f32v b) {
#if defined(LEVEL_v4)
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_UNORD_Q) != 0;
#else
    return any32(is_nan32(a) | is_nan32(b));
#endif
}
INLINE bool any_unordered64(f64v a, f64v b) {
#if defined(LEVEL_v4)
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_UNORD_Q) != 0;
#else
    return any64(is_nan64(a) | is_nan64(b));
#endif
}

// Of operations on one operand these hosts make the NaN that FIX_NAN32 asks for: the operand's, quieted, else
// the default NaN. To look for it would part code at each of them.
#if defined(__SSE4_1__)
#define FIX_HOST_NAN32(r, a) (void)0
#else
#define FIX_HOST_NAN32(r, a) FIX_NAN32(r, a, a, a)
#endif
#define FUNOP_HOST_NAN(name, expr)                                                                           \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK(w, f32v a = (f32v)A32; f32v r = (expr); FIX_HOST_NAN32(r, a); D32(r));                    \
    }                                                                                                        \
    VECTOR1(name)

// ---- Minimum and maximum ----
// One set of functions for each width, from a template on the lane type. All order -0 below +0 (TRAP-127).
// The flavours differ in what NaN operands give:
//   min_ieee  the instructions of GFX6 to GFX11: with MODE.IEEE a signalling NaN is returned quieted, else a
//             number beats a NaN and two NaNs give the second operand, unchanged (TRAP-124), or from
//             GFX10 on the first (TRAP-125). `ieee` is min_max_rules().
//   min_num   a number beats any NaN, two NaNs give the first, quieted (TRAP-126)
//   minimum   any NaN wins, quieted; signalling before quiet, first operand before second (TRAP-128)

#if defined(LEVEL_v4)
#define RANGE32(a, b, how)     _mm512_range_ps((__m512)(a), (__m512)(b), how)
#define RANGE64(a, b, how)     _mm512_range_pd((__m512d)(a), (__m512d)(b), how)
#define SMALLER(W, F, U, a, b) ((F)RANGE##W(a, b, 4))
#define LARGER(W, F, U, a, b)  ((F)RANGE##W(a, b, 5))
#else
#define SMALLER(W, F, U, a, b) ((F)select##W(a == b, (U)a | (U)b, select##W(a < b, (U)a, (U)b)))
#define LARGER(W, F, U, a, b)  ((F)select##W(a == b, (U)a & (U)b, select##W(a > b, (U)a, (U)b)))
#endif
enum { RULE_IEEE = 1, RULE_FIRST = 2 };
INLINE unsigned min_max_rules(const struct wave *w, const struct op *op) {
    return (w->mode & MODE_IEEE ? RULE_IEEE : 0u) | (op->e & BODY_FIRST_NAN ? RULE_FIRST : 0u);
}
#define MIN_MAX(W, F, U, I, QUIET)                                                                           \
    INLINE I signalling##W(F a) { return is_nan##W(a) & ((((U)a & QUIET) == 0)); }                           \
    INLINE F quiet##W(F a) { return (F)((U)a | QUIET); }                                                     \
    /* Numbers only. Operands must be flushed where denormals count as zero. */                              \
    INLINE F smaller##W(F a, F b) { return SMALLER(W, F, U, a, b); }                                         \
    INLINE F larger##W(F a, F b) { return LARGER(W, F, U, a, b); }                                           \
    INLINE F nan_ieee##W(F r, F a, F b, unsigned ieee) {                                                     \
        r = pick##W(is_nan##W(b), a, r);                                                                     \
        r = pick##W(is_nan##W(a), b, r);                                                                     \
        if (ieee & RULE_FIRST) r = pick##W(is_nan##W(a) & is_nan##W(b), a, r);                               \
        if (ieee & RULE_IEEE) {                                                                              \
            r = pick##W(signalling##W(b), quiet##W(b), r);                                                   \
            r = pick##W(signalling##W(a), quiet##W(a), r);                                                   \
        }                                                                                                    \
        return r;                                                                                            \
    }                                                                                                        \
    INLINE F nan_num##W(F r, F a, F b) {                                                                     \
        r = pick##W(is_nan##W(a), b, r);                                                                     \
        r = pick##W(is_nan##W(b), a, r);                                                                     \
        return pick##W(is_nan##W(a) & is_nan##W(b), quiet##W(a), r);                                         \
    }                                                                                                        \
    INLINE F nan_wins##W(F r, F a, F b) {                                                                    \
        r = pick##W(is_nan##W(b), b, r);                                                                     \
        r = pick##W(is_nan##W(a), a, r);                                                                     \
        r = pick##W(signalling##W(b), quiet##W(b), r);                                                       \
        return pick##W(signalling##W(a), quiet##W(a), r);                                                    \
    }                                                                                                        \
    INLINE F min_ieee##W(F a, F b, unsigned ieee) {                                                          \
        F r = smaller##W(a, b);                                                                              \
        return UNLIKELY(any_unordered##W(a, b)) ? nan_ieee##W(r, a, b, ieee) : r;                            \
    }                                                                                                        \
    INLINE F max_ieee##W(F a, F b, unsigned ieee) {                                                          \
        F r = larger##W(a, b);                                                                               \
        return UNLIKELY(any_unordered##W(a, b)) ? nan_ieee##W(r, a, b, ieee) : r;                            \
    }                                                                                                        \
    INLINE F min_num##W(F a, F b, unsigned ieee) {                                                           \
        (void)ieee;                                                                                          \
        F r = smaller##W(a, b);                                                                              \
        return UNLIKELY(any_unordered##W(a, b)) ? nan_num##W(r, a, b) : r;                                   \
    }                                                                                                        \
    INLINE F max_num##W(F a, F b, unsigned ieee) {                                                           \
        (void)ieee;                                                                                          \
        F r = larger##W(a, b);                                                                               \
        return UNLIKELY(any_unordered##W(a, b)) ? nan_num##W(r, a, b) : r;                                   \
    }                                                                                                        \
    INLINE F minimum##W(F a, F b, unsigned ieee) {                                                           \
        (void)ieee;                                                                                          \
        F r = smaller##W(a, b);                                                                              \
        return UNLIKELY(any_unordered##W(a, b)) ? nan_wins##W(r, a, b) : r;                                  \
    }                                                                                                        \
    INLINE F maximum##W(F a, F b, unsigned ieee) {                                                           \
        (void)ieee;                                                                                          \
        F r = larger##W(a, b);                                                                               \
        return UNLIKELY(any_unordered##W(a, b)) ? nan_wins##W(r, a, b) : r;                                  \
    }
MIN_MAX(32, f32v, u32v, i32v, 0x400000u)
MIN_MAX(64, f64v, u64v, i64v, 0x8000000000000u)

// The middle of three; with a NaN among them the minimum of three (TRAP-130).
#define MED3(name, min)                                                                                      \
    INLINE f32v name(f32v a, f32v b, f32v c, unsigned ieee) {                                                \
        f32v r = larger32(a, b), top = larger32(r, c);                                                       \
        r = pick32(top == b, larger32(a, c), r);                                                             \
        r = pick32(top == a, larger32(b, c), r);                                                             \
        if (UNLIKELY(any_unordered32(a, b) || any_unordered32(c, c))) {                                      \
            i32v nan = is_nan32(a) | is_nan32(b) | is_nan32(c);                                              \
            r = pick32(nan, min(min(a, b, ieee), c, ieee), r);                                               \
        }                                                                                                    \
        return r;                                                                                            \
    }
MED3(med3_ieee32, min_ieee32)
MED3(med3_num32, min_num32)

// Operands of F32 operations that never meet host arithmetic which flushes them.
INLINE bool flushes32(const struct wave *w) { return (~w->mode & (MODE_IN32 | MODE_OUT32)) != 0; }
INLINE bool flushes64(const struct wave *w) { return (~w->mode & (MODE_IN64 | MODE_OUT64)) != 0; }
// Of minimum and maximum: what MODE lets in may come out where they keep their results.
INLINE bool min_max_flushes32(const struct wave *w, const struct op *op) {
    return (~w->mode & (op->e & BODY_KEEPS_RESULT ? MODE_IN32 : MODE_IN32 | MODE_OUT32)) != 0;
}
INLINE bool min_max_flushes64(const struct wave *w, const struct op *op) {
    return (~w->mode & (op->e & BODY_KEEPS_RESULT ? MODE_IN64 : MODE_IN64 | MODE_OUT64)) != 0;
}
#define FLUSHED32(v) (UNLIKELY(flushing) ? flush32((f32v)(v)) : (f32v)(v))
#define FLUSHED64(v) (UNLIKELY(flushing) ? flush64((f64v)(v)) : (f64v)(v))

// ---- F32 and integers ----

INLINE i32v to_i32(f32v a) { // the host gives 0x80000000 for everything out of range
    i32v r = __builtin_convertvector(a, i32v);
    r = (i32v)select32(a >= 0x1p31f, splat32(0x7fffffff), (u32v)r);
    return r & ~is_nan32(a);
}
INLINE u32v to_u32(f32v a) {
    f32v low = pick32(a > 0, a, splatf(0)); // NaN too
    i32v big = low >= 0x1p31f;
    u32v r = (u32v) __builtin_convertvector(pick32(big, low - 0x1p31f, low), i32v);
    r ^= (u32v)big & 0x80000000u;
    return select32(low >= 0x1p32f, splat32(~0u), r);
}
INLINE f32v from_i32(i32v a) { return __builtin_convertvector(a, f32v); }
INLINE f32v from_u32(u32v a) { // halves convert exactly, so their sum rounds once
    return from_i32((i32v)(a >> 16)) * 65536.0f + from_i32((i32v)(a & 0xffff));
}

// ---- Exponent and significand of F32 ----

#if defined(LEVEL_v4)
// The host has both parts of numbers. Denormals are zeros to it where MODE flushes inputs, and the exponent
// of zero is -infinity; that of an infinity or a NaN is no number either.
INLINE i32v frexp_exp32(f32v a) {
    const i32v e = (i32v)_mm512_cvtps_epi32((__m512)exponent_of(a));
    const __mmask16 number = _mm512_cmpneq_epi32_mask((__m512i)e, (__m512i)splat32(0x80000000u));
    return (i32v)_mm512_maskz_add_epi32(number, (__m512i)e, (__m512i)splat32(1));
}
INLINE u32v frexp_mant32(f32v a) {
    const __mmask16 zero = _mm512_fpclass_ps_mask((__m512)exponent_of(a), CLASS_BELOW),
                    infinite = _mm512_fpclass_ps_mask((__m512)a, CLASS_INFINITE | CLASS_NAN);
    __m512i r = (__m512i)significand_of(a);
    r = _mm512_mask_and_epi32(r, zero, (__m512i)a, (__m512i)splat32(0x80000000u));
    return (u32v)_mm512_mask_mov_epi32(r, infinite, (__m512i)a);
}
#else
// A denormal is scaled up by 2^32 first; the host makes it zero where MODE flushes inputs.
INLINE u32v frexp_bits32(f32v a, i32v *scaled, i32v *finite) {
    u32v magnitude = (u32v)a & 0x7fffffff;
    *scaled = (i32v)magnitude < 0x800000;
    *finite = (i32v)magnitude < 0x7f800000;
    return select32(*scaled, (u32v)(a * 0x1p32f), (u32v)a);
}
INLINE i32v frexp_exp32(f32v a) {
    i32v scaled, finite;
    u32v bits = frexp_bits32(a, &scaled, &finite);
    i32v e = (i32v)(bits >> 23 & 0xff) - 126 - (scaled & 32);
    return e & finite & ((i32v)(bits & 0x7fffffff) != 0);
}
INLINE u32v frexp_mant32(f32v a) {
    i32v scaled, finite;
    u32v bits = frexp_bits32(a, &scaled, &finite);
    u32v r = (bits & 0x807fffff) | 0x3f000000;
    r = select32((i32v)(bits & 0x7fffffff) == 0, bits, r);
    return select32(finite, r, (u32v)a);
}
#endif

// ---- F16 as F32 ----
// F32 has more than twice the bits of F16, so add, subtract, multiply, divide and square root in F32 and one
// more rounding give the F16 result; fused operations need fma_f16. Under GUARD64: rounding is MODE's for
// F16.

INLINE f32v half_in(const struct wave *w, u32v h) {
    if (UNLIKELY(!(w->mode & MODE_IN64))) h = flush16(h);
    return from_f16(h);
}
// The largest number of its sign instead of infinity, in F16 or BF16; infinities of infinite operands stay.
enum { INFINITY16 = 0x7c00, INFINITY_BF16 = 0x7f80 };
INLINE u32v finite16(u32v h, uint32_t infinity, i32v infinite) {
    return h + (u32v)((i32v)((h & 0x7fff) == infinity) & ~infinite);
}
// The lowest level converts by arithmetic: once a file, not in every handler.
#if VB == 16
#define ONCE static __attribute__((noinline, unused))
#else
#define ONCE INLINE
#endif
ONCE u32v half_out(const struct wave *w, f32v r) {
    u32v h = to_f16(r);
    if (UNLIKELY((w->mode & (MODE_OUT64 | MODE_OVFL16)) != MODE_OUT64)) {
        if (!(w->mode & MODE_OUT64)) h = flush16(h);
        if (w->mode & MODE_OVFL16) h = finite16(h, INFINITY16, ~(i32v)(fabs32(r) < INFINITY));
    }
    return h;
}
// Both F16 of each dword, in the order of from_f16_pair.
INLINE u32v flush16_pair(u32v h) { return flush16(h) | flush16(h >> 16) << 16; }
INLINE f32x2 halves_in(const struct wave *w, u32v h) {
    if (UNLIKELY(!(w->mode & MODE_IN64))) h = flush16_pair(h);
    return from_f16_pair(h);
}
INLINE f32v below_overflow16(f32v r) { // infinities from infinite operands stay
    const f32v size = fabs32(r);
    const i32v over = (i32v)(size > 65504.0f) & (i32v)(size < INFINITY);
    return (f32v)select32(over, (u32v)splatf(65504.0f) | ((u32v)r & 0x80000000u), (u32v)r);
}
INLINE u32v halves_out(const struct wave *w, f32x2 r) {
    const bool rare = (w->mode & (MODE_OUT64 | MODE_OVFL16)) != MODE_OUT64;
    if (UNLIKELY(rare && w->mode & MODE_OVFL16)) r = (f32x2){below_overflow16(r.x), below_overflow16(r.y)};
    u32v h = to_f16_pair(r);
    if (UNLIKELY(rare && !(w->mode & MODE_OUT64))) h = flush16_pair(h);
    return h;
}
INLINE u32v toward_zero(const struct wave *w, f32v a) {
    u32v h = to_f16_toward_zero(a);
    return UNLIKELY(!(w->mode & MODE_OUT64)) ? flush16(h) : h;
}

// a * b + c of F16 values with one rounding left to do: what the F32 result cannot hold sets its last bit
// (round to odd), so that the rounding to F16 is the only one that shows. The product is exact in F32.
INLINE f64v odd24(f64v v) {
    u64v bits = (u64v)v, rest = bits & 0x1fffffff;
    u64v sticky = (u64v)(rest != 0) & 0x20000000;
    return (f64v)((bits & ~(u64v)splat64(0x1fffffff)) | sticky);
}
// The sum in F64 is exact or so far from a rounding boundary of F16 that its own rounding cannot matter.
static __attribute__((noinline, unused)) f32v sum_to_odd(f32v p, f32v c) {
    f64x2 x = widen_f32(p), y = widen_f32(c);
    return narrow_f64((f64x2){odd24(x.x + y.x), odd24(x.y + y.y)});
}
#if !defined(LEVEL_v4)
// To nearest the error of a sum is itself a sum; an even inexact result moves toward it.
static __attribute__((noinline, unused)) f32v near_to_odd(f32v p, f32v c, f32v s) {
    f32v part = s - p, error = (p - (s - part)) + (c - part);
    i32v inexact = (i32v)(error < 0) | (i32v)(error > 0), away = ((i32v)error ^ (i32v)s) >> 31;
    u32v step = (u32v)(away | 1) & (u32v)inexact & ~-((u32v)s & 1);
    return (f32v)((u32v)s + step);
}
#endif
INLINE f32v fma_f16(const struct wave *w, f32v a, f32v b, f32v c) {
    f32v p = a * b;
    if (UNLIKELY(w->mode & 0xc)) return sum_to_odd(p, c);
#if defined(LEVEL_v4)
    // Of an inexact sum one neighbour is odd. Both are even only where they are equal, or the zeros of p - p.
    const __m512 down = _mm512_add_round_ps((__m512)p, (__m512)c, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    const __m512 up = _mm512_add_round_ps((__m512)p, (__m512)c, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
    const __mmask16 odd = _mm512_test_epi32_mask((__m512i)down, _mm512_set1_epi32(1));
    return (f32v)_mm512_mask_mov_ps(up, odd, down);
#else
    // The rounding to F32 shows only where it has put the sum between two neighbours of F16, or where the
    // result has fewer bits than F16 has otherwise.
    f32v s = p + c;
    u32v magnitude = (u32v)s & 0x7fffffff;
    i32v between = (i32v)(((u32v)s & 0x1fff) == 0x1000) | (i32v)(magnitude - 1 < 0x38800000 - 1);
    return UNLIKELY(any32(between)) ? near_to_odd(p, c, s) : s;
#endif
}

// ---- F16 by its bits ----
// An F32 with the order, the zeros and the NaNs of an F16 but none of its denormals: minimum and maximum work
// on it, and coming back is exact.
INLINE f32v half_order(u32v h) {
    u32v magnitude = h & 0x7fff;
    u32v r = select32((i32v)magnitude == 0, splat32(0), (magnitude << 13) + 0x38000000);
    r |= (u32v)((i32v)magnitude > 0x7c00) & 0x7f800000;
    return (f32v)(r | (h & 0x8000) << 16);
}
INLINE u32v order_half(f32v r) {
    u32v bits = (u32v)r, magnitude = bits & 0x7fffffff;
    u32v h = (magnitude >> 13) - 0x1c000;
    h = select32((i32v)magnitude == 0, splat32(0), h);
    h = select32(is_nan32(r), (bits >> 13 & 0x3ff) | 0x7c00, h);
    return (h & 0x7fff) | (bits >> 16 & 0x8000);
}

#endif
