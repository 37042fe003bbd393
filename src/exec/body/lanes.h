// SPDX-License-Identifier: MIT
// Vectors of the build level: the only header with intrinsics. A chunk is VB bytes of a vector register,
// LANES lanes. Everything is GNU vector C; a level overrides what C cannot say fast. Lane masks are plain
// integers with bit i for lane i of the chunk.
#ifndef EXEC_BODY_LANES_H
#define EXEC_BODY_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(LEVEL_v4)
#define VB 64
#elif defined(LEVEL_v3)
#define VB 32
#else
#define VB 16
#endif
#define LANES (VB / 4)
#define HALF  (LANES / 2)

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Before control leaves vector code: what is compiled for any x86-64 has older encodings of vector
// instructions, and these take up to 190 ns each on some hosts while upper halves of the first sixteen
// registers are in use.
static inline __attribute__((always_inline)) void clean_uppers(void) {
#if VB > 16
    __asm__ volatile("vzeroupper" ::
                         : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                           "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
#endif
}
// A call of code that is not compiled for this level (tests/device/uppers.sh finds those without).
#define OUT(call) (clean_uppers(), call)

#define VECTOR(type, name) typedef type name __attribute__((vector_size(VB), may_alias))
VECTOR(uint32_t, u32v);
VECTOR(int32_t, i32v);
VECTOR(float, f32v);
VECTOR(uint64_t, u64v);
VECTOR(int64_t, i64v);
VECTOR(double, f64v);
VECTOR(uint16_t, u16v);
VECTOR(int16_t, i16v);
VECTOR(uint8_t, u8v);

typedef uint32_t lmask; // one bit a lane of a chunk
#define ALL_LANES ((lmask)((1ull << LANES) - 1))

#define INLINE      static inline __attribute__((always_inline))
#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

// Lanes of a, then of b, by number: constants, of which clang makes the same instructions.
INLINE u32v shuffle32(u32v a, u32v b, u32v numbers) {
#if defined(__clang__) && defined(LEVEL_v4)
    return (u32v)_mm512_permutex2var_epi32((__m512i)a, (__m512i)numbers, (__m512i)b);
#elif defined(__clang__) && defined(LEVEL_v3)
    const u32v from_a = (u32v)_mm256_permutevar8x32_epi32((__m256i)a, (__m256i)numbers);
    const u32v from_b = (u32v)_mm256_permutevar8x32_epi32((__m256i)b, (__m256i)numbers);
    const u32v is_a = (u32v)(numbers < LANES);
    return (from_a & is_a) | (from_b & ~is_a);
#elif defined(__clang__)
    u32v r = a;
    for (unsigned i = 0; i < LANES; i++)
        r[i] = numbers[i] < LANES ? a[numbers[i] % LANES] : b[numbers[i] % LANES];
    return r;
#else
    return __builtin_shuffle(a, b, numbers);
#endif
}
#define SHUFFLE(a, b, numbers) shuffle32((u32v)(a), (u32v)(b), (u32v)(numbers))

INLINE u32v splat32(uint32_t v) { return v - (u32v){0}; }
INLINE u64v splat64(uint64_t v) { return v - (u64v){0}; }
// By their bits: where the host rounds down, 0 - 0 is -0.
INLINE f32v splatf(float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return (f32v)splat32(bits);
}
INLINE f64v splatd(double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return (f64v)splat64(bits);
}
#if VB == 64
#define LANE_INDEX ((u32v){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
#elif VB == 32
#define LANE_INDEX ((u32v){0, 1, 2, 3, 4, 5, 6, 7})
#else
#define LANE_INDEX ((u32v){0, 1, 2, 3})
#endif

// ---- Masks ----

// All-ones lanes where the bit is set.
INLINE i32v mask_lanes(lmask m) {
#if defined(LEVEL_v4)
    return (i32v)_mm512_movm_epi32((__mmask16)m);
#else
    u32v bit = (u32v){1} - (u32v){1} + 1;
    bit = bit << LANE_INDEX;
    return (i32v)((splat32(m) & bit) != 0);
#endif
}
// Whether something holds for each lane of a chunk: bits where the host compares to bits, else lanes of all
// ones. &, | and ~ work on both; bits above the chunk mean nothing.
#if defined(LEVEL_v4)
typedef uint32_t truth;
#else
typedef i32v truth;
#endif
// As bits with nothing above. gcc 12 spills a widened mask register as 16 bits and reloads 32 or 64, so
// widening is left to an instruction that it does not know.
INLINE lmask truth_bits(truth t) {
#if defined(LEVEL_v4) && defined(FUSED)
    return (lmask)(__mmask16)t;
#elif defined(LEVEL_v4)
    uint32_t r;
    __asm__("kmovw %1, %0" : "=r"(r) : "k"((__mmask16)t));
    return r;
#elif defined(LEVEL_v3)
    return (lmask)_mm256_movemask_ps((__m256)t);
#elif defined(__SSE2__)
    return (lmask)_mm_movemask_ps((__m128)t);
#else
    lmask m = 0;
    for (int i = 0; i < LANES; i++) m |= (lmask)((uint32_t)t[i] >> 31) << i;
    return m;
#endif
}
// Those of all chunks of a wave, in a piece: put together where they are, as ways out of there are few. A
// compiler that joins pieces knows each chunk's, as long as nobody asks for all.
#if defined(LEVEL_v4) && defined(STENCIL) && !defined(FUSED)
#define JOINED_TRUTHS 1
INLINE uint64_t join_truths(const truth *t) {
    uint64_t r;
    __mmask32 low;
    __asm__("kunpckwd %2, %1, %0" : "=k"(low) : "k"((__mmask16)t[1]), "k"((__mmask16)t[0]));
#if STENCIL == 64
    __mmask32 high;
    __mmask64 all;
    __asm__("kunpckwd %2, %1, %0" : "=k"(high) : "k"((__mmask16)t[3]), "k"((__mmask16)t[2]));
    __asm__("kunpckdq %2, %1, %0" : "=k"(all) : "k"(high), "k"(low));
    __asm__("kmovq %1, %0" : "=r"(r) : "k"(all));
#else
    __asm__("kmovd %1, %k0" : "=r"(r) : "k"(low));
#endif
    return r;
}
#endif
INLINE truth truth_of(lmask m) {
#if defined(LEVEL_v4)
    return m;
#else
    return mask_lanes(m);
#endif
}
// The sign bit of each lane.
INLINE lmask lanes_mask(i32v v) {
#if defined(LEVEL_v4)
    return truth_bits(_mm512_movepi32_mask((__m512i)v));
#else
    return truth_bits(v);
#endif
}
INLINE u32v select32(i32v m, u32v yes, u32v no) { return ((u32v)m & yes) | (~(u32v)m & no); }
INLINE u64v select64(i64v m, u64v yes, u64v no) { return ((u64v)m & yes) | (~(u64v)m & no); }
INLINE u32v blend32(lmask m, u32v yes, u32v no) {
#if defined(LEVEL_v4)
    return (u32v)_mm512_mask_blend_epi32((__mmask16)m, (__m512i)no, (__m512i)yes);
#else
    return select32(mask_lanes(m), yes, no);
#endif
}
INLINE void store_masked(u32v *at, lmask m, u32v v) {
#if defined(LEVEL_v4) && defined(FUSED)
    *at = blend32(m, v, *at);
#elif defined(LEVEL_v4)
    _mm512_mask_store_epi32(at, (__mmask16)m, (__m512i)v);
#else
    *at = select32(mask_lanes(m), v, *at);
#endif
}

// ---- 64-bit lanes ----
// A chunk of 64-bit values is two vectors in an order of lanes that only split and join know.

typedef struct {
    u64v x, y;
} u64x2;
typedef struct {
    f64v x, y;
} f64x2;

// PICK_WIDEN puts the lanes of the first vector of a 64-bit pair into the lower half; PICK_NARROW undoes it.
#if VB == 64
#define PICK_WIDEN                                                                                           \
    (i32v) { 0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15 }
#define PICK_NARROW                                                                                          \
    (i32v) { 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15 }
#elif VB == 32
#define PICK_WIDEN                                                                                           \
    (i32v) { 0, 1, 4, 5, 2, 3, 6, 7 }
#define PICK_NARROW                                                                                          \
    (i32v) { 0, 1, 4, 5, 2, 3, 6, 7 }
#else
#define PICK_WIDEN                                                                                           \
    (i32v) { 0, 1, 2, 3 }
#define PICK_NARROW                                                                                          \
    (i32v) { 0, 1, 2, 3 }
#endif
#if VB == 64
#define UNPACK_LO                                                                                            \
    (i32v) { 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29 }
#define UNPACK_HI                                                                                            \
    (i32v) { 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31 }
#define PICK_EVEN                                                                                            \
    (i32v) { 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30 }
#define PICK_ODD                                                                                             \
    (i32v) { 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31 }
#elif VB == 32
#define UNPACK_LO                                                                                            \
    (i32v) { 0, 8, 1, 9, 4, 12, 5, 13 }
#define UNPACK_HI                                                                                            \
    (i32v) { 2, 10, 3, 11, 6, 14, 7, 15 }
#define PICK_EVEN                                                                                            \
    (i32v) { 0, 2, 8, 10, 4, 6, 12, 14 }
#define PICK_ODD                                                                                             \
    (i32v) { 1, 3, 9, 11, 5, 7, 13, 15 }
#else
#define UNPACK_LO                                                                                            \
    (i32v) { 0, 4, 1, 5 }
#define UNPACK_HI                                                                                            \
    (i32v) { 2, 6, 3, 7 }
#define PICK_EVEN                                                                                            \
    (i32v) { 0, 2, 4, 6 }
#define PICK_ODD                                                                                             \
    (i32v) { 1, 3, 5, 7 }
#endif

INLINE u64x2 join64(u32v lo, u32v hi) {
    return (u64x2){(u64v)SHUFFLE(lo, hi, UNPACK_LO), (u64v)SHUFFLE(lo, hi, UNPACK_HI)};
}
INLINE u32v split_lo(u64x2 v) { return SHUFFLE(v.x, v.y, PICK_EVEN); }
INLINE u32v split_hi(u64x2 v) { return SHUFFLE(v.x, v.y, PICK_ODD); }

// ---- Floating point that C cannot vectorise under every flag ----

#define LANEWISE(type, count, expression)                                                                    \
    type r = {0};                                                                                            \
    for (int i = 0; i < (count); i++) r[i] = (expression);                                                   \
    return r

INLINE f32v fma32(f32v a, f32v b, f32v c) {
#if defined(LEVEL_v4)
    return (f32v)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(LEVEL_v3)
    return (f32v)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    LANEWISE(f32v, LANES, fmaf(a[i], b[i], c[i]));
#endif
}
INLINE f64v fma64(f64v a, f64v b, f64v c) {
#if defined(LEVEL_v4)
    return (f64v)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(LEVEL_v3)
    return (f64v)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
    LANEWISE(f64v, HALF, fma(a[i], b[i], c[i]));
#endif
}
INLINE f32v sqrt32(f32v a) {
#if defined(LEVEL_v4)
    return (f32v)_mm512_sqrt_ps((__m512)a);
#elif defined(LEVEL_v3)
    return (f32v)_mm256_sqrt_ps((__m256)a);
#elif defined(__SSE2__)
    return (f32v)_mm_sqrt_ps((__m128)a);
#else
    LANEWISE(f32v, LANES, sqrtf(a[i]));
#endif
}
INLINE f64v sqrt64(f64v a) {
#if defined(LEVEL_v4)
    return (f64v)_mm512_sqrt_pd((__m512d)a);
#elif defined(LEVEL_v3)
    return (f64v)_mm256_sqrt_pd((__m256d)a);
#elif defined(__SSE2__)
    return (f64v)_mm_sqrt_pd((__m128d)a);
#else
    LANEWISE(f64v, HALF, sqrt(a[i]));
#endif
}

// Rounding to integral values in a fixed direction, whatever MODE says. 0 nearest even, 1 down, 2 up, 3 to
// zero.
#if defined(LEVEL_v4)
#define ROUND32(a, how) ((f32v)_mm512_roundscale_ps((__m512)(a), (how) | 8))
#define ROUND64(a, how) ((f64v)_mm512_roundscale_pd((__m512d)(a), (how) | 8))
#elif defined(LEVEL_v3)
#define ROUND32(a, how) ((f32v)_mm256_round_ps((__m256)(a), (how) | 8))
#define ROUND64(a, how) ((f64v)_mm256_round_pd((__m256d)(a), (how) | 8))
#elif defined(__SSE4_1__)
#define ROUND32(a, how) ((f32v)_mm_round_ps((__m128)(a), (how) | 8))
#define ROUND64(a, how) ((f64v)_mm_round_pd((__m128d)(a), (how) | 8))
#else
INLINE double round_how(double a, int how) {
    return how == 0 ? __builtin_roundeven(a) : how == 1 ? floor(a) : how == 2 ? ceil(a) : trunc(a);
}
INLINE f32v round32_(f32v a, int how) { LANEWISE(f32v, LANES, (float)round_how(a[i], how)); }
INLINE f64v round64_(f64v a, int how) { LANEWISE(f64v, HALF, round_how(a[i], how)); }
#define ROUND32(a, how) round32_(a, how)
#define ROUND64(a, how) round64_(a, how)
#endif

INLINE i32v is_nan32(f32v a) { return (i32v)(a != a); }
INLINE i64v is_nan64(f64v a) { return (i64v)(a != a); }
INLINE bool any32(i32v m) { return lanes_mask(m) != 0; }
INLINE bool any64(i64v m) { return lanes_mask((i32v)m) != 0; }

INLINE bool any_nan32(f32v a) {
#if defined(LEVEL_v4)
    return _mm512_cmp_ps_mask((__m512)a, (__m512)a, _CMP_UNORD_Q) != 0;
#else
    return any32(is_nan32(a));
#endif
}
INLINE bool any_nan64(f64v a) {
#if defined(LEVEL_v4)
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)a, _CMP_UNORD_Q) != 0;
#else
    return any64(is_nan64(a));
#endif
}

// F32 <-> F64 for a chunk, lanes in the order of join64.
INLINE f64x2 widen_f32(f32v a) {
    f32v o = (f32v)SHUFFLE(a, a, PICK_WIDEN);
#if defined(LEVEL_v4)
    return (f64x2){(f64v)_mm512_cvtps_pd(_mm512_castps512_ps256((__m512)o)),
                   (f64v)_mm512_cvtps_pd(_mm512_extractf32x8_ps((__m512)o, 1))};
#elif defined(LEVEL_v3)
    return (f64x2){(f64v)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)o)),
                   (f64v)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)o, 1))};
#elif defined(__SSE2__)
    return (f64x2){(f64v)_mm_cvtps_pd((__m128)o), (f64v)_mm_cvtps_pd(_mm_movehl_ps((__m128)o, (__m128)o))};
#else
    f64x2 r;
    for (int i = 0; i < HALF; i++) r.x[i] = o[i], r.y[i] = o[i + HALF];
    return r;
#endif
}
INLINE f32v narrow_f64(f64x2 a) {
    f32v r;
#if defined(LEVEL_v4)
    r = (f32v)_mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)a.x)),
                                 _mm512_cvtpd_ps((__m512d)a.y), 1);
#elif defined(LEVEL_v3)
    r = (f32v)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps((__m256d)a.x)),
                                   _mm256_cvtpd_ps((__m256d)a.y), 1);
#elif defined(__SSE2__)
    r = (f32v)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)a.x), _mm_cvtpd_ps((__m128d)a.y));
#else
    for (int i = 0; i < HALF; i++) r[i] = (float)a.x[i], r[i + HALF] = (float)a.y[i];
#endif
    return (f32v)SHUFFLE(r, r, PICK_NARROW);
}
INLINE f64x2 widen_i32(i32v a) {
    typedef int32_t half __attribute__((vector_size(VB / 2)));
    i32v o = (i32v)SHUFFLE(a, a, PICK_WIDEN);
    half h[2];
    memcpy(h, &o, sizeof o);
    return (f64x2){__builtin_convertvector(h[0], f64v), __builtin_convertvector(h[1], f64v)};
}
INLINE f64x2 widen_u32(u32v a) {
    typedef uint32_t half __attribute__((vector_size(VB / 2)));
    u32v o = SHUFFLE(a, a, PICK_WIDEN);
    half h[2];
    memcpy(h, &o, sizeof o);
    return (f64x2){__builtin_convertvector(h[0], f64v), __builtin_convertvector(h[1], f64v)};
}

// Scalar F16 conversions for hosts without them. f32_to_f16 rounds by the host's rounding mode.
INLINE float f16_to_f32(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3ff, r;
    if (e == 31)
        r = sign | 0x7f800000 | m << 13 | (m ? 0x400000 : 0);
    else if (e)
        r = sign | (e + 112) << 23 | m << 13;
    else {
        float v = (float)m * 0x1p-24f;
        memcpy(&r, &v, 4);
        r |= sign;
    }
    float f;
    memcpy(&f, &r, 4);
    return f;
}
INLINE uint16_t f32_to_f16(float f) {
    uint32_t x;
    memcpy(&x, &f, 4);
    uint16_t sign = (uint16_t)(x >> 16 & 0x8000);
    x &= 0x7fffffff;
    if (x > 0x7f800000) return (uint16_t)(sign | 0x7e00 | (x >> 13 & 0x1ff));
    if (x == 0x7f800000) return sign | 0x7c00;
    float g, one = 1.0f;
    memcpy(&g, &x, 4);
    // Adding a power of two whose last place is the last place of the result makes the host round there.
    int e = (int)(x >> 23) - 127;
    if (e > 15) e = 15;
    if (e < -14) e = -14;
    float big = OUT(ldexpf(one, e + 13));
    float signed_big = sign ? -big : big, signed_g = sign ? -g : g;
    volatile float sum = signed_big + signed_g;
    float r = sum - signed_big;
    if (sign) r = -r;
    if (r >= 65536.0f) {
        volatile float probe = signed_big * 0x1p127f; // infinity or the largest finite, by direction
        return (uint16_t)(sign | (__builtin_isinf(probe) ? 0x7c00 : 0x7bff));
    }
    if (r < 0x1p-14f) return (uint16_t)(sign | (uint16_t)(r * 0x1p24f));
    uint32_t y;
    memcpy(&y, &r, 4);
    return (uint16_t)(sign | ((y >> 23) - 112) << 10 | (y >> 13 & 0x3ff));
}

// F16 in bits 15:0 of each lane <-> F32. Narrowing rounds by the host control word.
INLINE f32v from_f16(u32v a) {
#if defined(LEVEL_v4)
    return (f32v)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)a));
#elif defined(LEVEL_v3)
    __m256i p = _mm256_packus_epi32((__m256i)(a & 0xffff), _mm256_setzero_si256());
    return (f32v)_mm256_cvtph_ps(_mm256_castsi256_si128(_mm256_permute4x64_epi64(p, 0xd8)));
#else
    // Exponent and fraction as those of a number 2^112 times smaller; denormals are integers times 2^-24.
    const u32v magnitude = a & 0x7fff;
    const u32v tiny = (u32v)(__builtin_convertvector((i32v)magnitude, f32v) * 0x1p-24f);
    u32v r = (magnitude << 13) + 0x38000000;
    r += (u32v)((i32v)magnitude > 0x7bff) & 0x38000000;
    r |= (u32v)((i32v)magnitude > 0x7c00) & 0x400000;
    r = select32((i32v)magnitude < 0x400, tiny, r);
    return (f32v)(r | (a & 0x8000) << 16);
#endif
}
INLINE u32v to_f16(f32v a) {
#if defined(LEVEL_v4)
    return (u32v)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)a, _MM_FROUND_CUR_DIRECTION));
#elif defined(LEVEL_v3)
    return (u32v)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)a, _MM_FROUND_CUR_DIRECTION));
#else
    // Adding a power of two whose last place is the last place of the result makes the host round there.
    const u32v sign = (u32v)a & 0x80000000u, magnitude = (u32v)a & 0x7fffffff;
    i32v e = (i32v)(magnitude >> 23);
    e = (i32v)select32(e > 127 + 15, splat32(127 + 15), (u32v)e);
    e = (i32v)select32(e < 127 - 14, splat32(127 - 14), (u32v)e);
    const f32v big = (f32v)((u32v)((e + 13) << 23) | sign);
    const u32v r = (u32v)((a + big) - big) & 0x7fffffff;
    u32v h = (r >> 13) - (112 << 10);
    h = select32((i32v)r < 0x38800000, (u32v) __builtin_convertvector((f32v)r * 0x1p24f, i32v), h);
    // Infinity or the largest number, as the host overflows in this direction.
    const u32v over = (u32v)(((u32v)(big * 0x1p127f) & 0x7fffffff) == 0x7f800000);
    h = select32((i32v)r >= 0x47800000, (over & 1) + 0x7bff, h);
    h = select32((i32v)magnitude >= 0x7f800000, splat32(0x7c00), h);
    h = select32((i32v)magnitude > 0x7f800000, (magnitude >> 13 & 0x1ff) | 0x7e00, h);
    return h | sign >> 16;
#endif
}

// Both F16 of each dword <-> F32, in an order of the host's own.
typedef struct {
    f32v x, y;
} f32x2;
INLINE f32x2 from_f16_pair(u32v a) {
#if defined(LEVEL_v4)
    return (f32x2){(f32v)_mm512_cvtph_ps(_mm512_castsi512_si256((__m512i)a)),
                   (f32v)_mm512_cvtph_ps(_mm512_extracti64x4_epi64((__m512i)a, 1))};
#elif defined(LEVEL_v3)
    return (f32x2){(f32v)_mm256_cvtph_ps(_mm256_castsi256_si128((__m256i)a)),
                   (f32v)_mm256_cvtph_ps(_mm256_extracti128_si256((__m256i)a, 1))};
#else
    return (f32x2){from_f16(a), from_f16(a >> 16)};
#endif
}
INLINE u32v to_f16_pair(f32x2 a) {
#if defined(LEVEL_v4)
    return (u32v)_mm512_inserti64x4(
        _mm512_castsi256_si512(_mm512_cvtps_ph((__m512)a.x, _MM_FROUND_CUR_DIRECTION)),
        _mm512_cvtps_ph((__m512)a.y, _MM_FROUND_CUR_DIRECTION), 1);
#elif defined(LEVEL_v3)
    return (u32v)_mm256_set_m128i(_mm256_cvtps_ph((__m256)a.y, _MM_FROUND_CUR_DIRECTION),
                                  _mm256_cvtps_ph((__m256)a.x, _MM_FROUND_CUR_DIRECTION));
#else
    return to_f16(a.x) | to_f16(a.y) << 16;
#endif
}

// ---- Integers that C cannot say in one instruction ----

#if defined(LEVEL_v4)
#define LANE_OP(name, T, v4, v3, v2)                                                                         \
    INLINE T name(T a, T b) { return (T)v4((__m512i)a, (__m512i)b); }
#elif defined(LEVEL_v3)
#define LANE_OP(name, T, v4, v3, v2)                                                                         \
    INLINE T name(T a, T b) { return (T)v3((__m256i)a, (__m256i)b); }
#elif defined(__SSE4_1__)
#define LANE_OP(name, T, v4, v3, v2)                                                                         \
    INLINE T name(T a, T b) { return (T)v2((__m128i)a, (__m128i)b); }
#endif
#if defined(LANE_OP)
LANE_OP(min_i32, i32v, _mm512_min_epi32, _mm256_min_epi32, _mm_min_epi32)
LANE_OP(max_i32, i32v, _mm512_max_epi32, _mm256_max_epi32, _mm_max_epi32)
LANE_OP(min_u32, u32v, _mm512_min_epu32, _mm256_min_epu32, _mm_min_epu32)
LANE_OP(max_u32, u32v, _mm512_max_epu32, _mm256_max_epu32, _mm_max_epu32)
LANE_OP(min_i16, i16v, _mm512_min_epi16, _mm256_min_epi16, _mm_min_epi16)
LANE_OP(max_i16, i16v, _mm512_max_epi16, _mm256_max_epi16, _mm_max_epi16)
LANE_OP(min_u16, u16v, _mm512_min_epu16, _mm256_min_epu16, _mm_min_epu16)
LANE_OP(max_u16, u16v, _mm512_max_epu16, _mm256_max_epu16, _mm_max_epu16)
LANE_OP(min_u8, u8v, _mm512_min_epu8, _mm256_min_epu8, _mm_min_epu8)
LANE_OP(max_u8, u8v, _mm512_max_epu8, _mm256_max_epu8, _mm_max_epu8)
#undef LANE_OP
#else
#define LANE_OP(name, T, op_)                                                                                \
    INLINE T name(T a, T b) {                                                                                \
        T m = (T)(a op_ b);                                                                                  \
        return (a & m) | (b & ~m);                                                                           \
    }
LANE_OP(min_i32, i32v, <)
LANE_OP(max_i32, i32v, >)
LANE_OP(min_u32, u32v, <)
LANE_OP(max_u32, u32v, >)
LANE_OP(min_i16, i16v, <)
LANE_OP(max_i16, i16v, >)
LANE_OP(min_u16, u16v, <)
LANE_OP(max_u16, u16v, >)
LANE_OP(min_u8, u8v, <)
LANE_OP(max_u8, u8v, >)
#undef LANE_OP
#endif

// Full products of 32-bit lanes, in the order of join64.
INLINE u64v product_u32(u64v a, u64v b) { // of the low halves
#if defined(LEVEL_v4)
    return (u64v)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(LEVEL_v3)
    return (u64v)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (u64v)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
    return (a & 0xffffffff) * (b & 0xffffffff);
#endif
}
INLINE u64v product_i32(u64v a, u64v b) {
#if defined(LEVEL_v4)
    return (u64v)_mm512_mul_epi32((__m512i)a, (__m512i)b);
#elif defined(LEVEL_v3)
    return (u64v)_mm256_mul_epi32((__m256i)a, (__m256i)b);
#elif defined(__SSE4_1__)
    return (u64v)_mm_mul_epi32((__m128i)a, (__m128i)b);
#else
    return (u64v)(((i64v)(a << 32) >> 32) * ((i64v)(b << 32) >> 32));
#endif
}
// Both halves of the products of all lanes: those of even and of odd lanes, put together.
typedef struct {
    u32v lo, hi;
} u32x2;
INLINE u32x2 halves_of(u64v even, u64v odd) {
    const u64v low = splat64(0xffffffff);
    return (u32x2){(u32v)((even & low) | odd << 32), (u32v)(even >> 32 | (odd & ~low))};
}
#if defined(FUSED) // in the words of the lanes, which compilers follow
INLINE u32x2 wide_u32(u32v a, u32v b) {
    typedef uint64_t wide __attribute__((vector_size(8 * LANES)));
    const wide v = __builtin_convertvector(a, wide) * __builtin_convertvector(b, wide);
    return (u32x2){__builtin_convertvector(v, u32v), __builtin_convertvector(v >> 32, u32v)};
}
#else
INLINE u32x2 wide_u32(u32v a, u32v b) {
    return halves_of(product_u32((u64v)a, (u64v)b), product_u32((u64v)a >> 32, (u64v)b >> 32));
}
#endif
INLINE u32x2 wide_i32(i32v a, i32v b) {
    return halves_of(product_i32((u64v)a, (u64v)b), product_i32((u64v)a >> 32, (u64v)b >> 32));
}
// Sum of the products of the two signed halves of each lane.
INLINE u32v dot_i16(u32v a, u32v b) {
#if defined(LEVEL_v4)
    return (u32v)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(LEVEL_v3)
    return (u32v)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (u32v)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    return (u32v)((i32v)(a << 16) >> 16) * (u32v)((i32v)(b << 16) >> 16) +
           (u32v)((i32v)a >> 16) * (u32v)((i32v)b >> 16);
#endif
}
// Bytes of each 16-byte block by the low four bits of the selector, 0 where its top bit is set.
#if defined(__SSSE3__)
#define HAVE_PICK_BYTES 1
INLINE u8v pick_bytes(u8v from, u8v by) {
#if defined(LEVEL_v4)
    return (u8v)_mm512_shuffle_epi8((__m512i)from, (__m512i)by);
#elif defined(LEVEL_v3)
    return (u8v)_mm256_shuffle_epi8((__m256i)from, (__m256i)by);
#else
    return (u8v)_mm_shuffle_epi8((__m128i)from, (__m128i)by);
#endif
}
#endif

#if defined(LEVEL_v4)
INLINE truth less_u32(u32v a, u32v b) { return _mm512_cmplt_epu32_mask((__m512i)a, (__m512i)b); }
INLINE truth less_i32(i32v a, i32v b) { return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b); }
INLINE truth equal_32(u32v a, u32v b) { return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b); }
INLINE truth equal_and(truth t, u32v a, u32v b) {
    return _mm512_mask_cmpeq_epi32_mask((__mmask16)t, (__m512i)a, (__m512i)b);
}
// a plus or minus one where it holds
INLINE u32v add_truth(u32v a, truth t) {
    return (u32v)_mm512_mask_add_epi32((__m512i)a, (__mmask16)t, (__m512i)a, (__m512i)splat32(1));
}
INLINE u32v sub_truth(u32v a, truth t) {
    return (u32v)_mm512_mask_sub_epi32((__m512i)a, (__mmask16)t, (__m512i)a, (__m512i)splat32(1));
}
#else
INLINE truth less_u32(u32v a, u32v b) { return (truth)(a < b); }
INLINE truth less_i32(i32v a, i32v b) { return (truth)(a < b); }
INLINE truth equal_32(u32v a, u32v b) { return (truth)(a == b); }
INLINE truth equal_and(truth t, u32v a, u32v b) { return equal_32(a, b) & t; }
INLINE u32v add_truth(u32v a, truth t) { return a - (u32v)t; }
INLINE u32v sub_truth(u32v a, truth t) { return a + (u32v)t; }
#endif

INLINE u32v popcount32(u32v v) {
#if defined(HAVE_PICK_BYTES)
    // Bits of each four by table: bytes 0-15 of every block hold 0 1 1 2 1 2 2 3 1 2 2 3 2 3 3 4.
    const i32v quarter = (i32v)(LANE_INDEX & 3);
    const u32v table = 0x02010100 + ((u32v)(quarter != 0) & 0x01010101) + ((u32v)(quarter == 3) & 0x01010101);
    const u8v bytes =
        pick_bytes((u8v)table, (u8v)(v & 0x0f0f0f0f)) + pick_bytes((u8v)table, (u8v)(v >> 4 & 0x0f0f0f0f));
    v = (u32v)bytes;
#else
    v = v - (v >> 1 & 0x55555555);
    v = (v & 0x33333333) + (v >> 2 & 0x33333333);
    v = (v + (v >> 4)) & 0x0f0f0f0f;
#endif
    v += v >> 8;
    return (v + (v >> 16)) & 63;
}
// Number of leading zeros, 32 for zero.
INLINE u32v leading_zeros32(u32v v) {
#if defined(LEVEL_v4)
    return (u32v)_mm512_lzcnt_epi32((__m512i)v);
#else
    v |= v >> 1, v |= v >> 2, v |= v >> 4, v |= v >> 8, v |= v >> 16;
    return 32 - popcount32(v);
#endif
}

// F32 to F16 toward zero, whatever the host control word says.
INLINE uint16_t f32_to_f16_toward_zero(float f) {
    uint32_t x;
    memcpy(&x, &f, 4);
    uint16_t sign = (uint16_t)(x >> 16 & 0x8000);
    x &= 0x7fffffff;
    if (x > 0x7f800000) return (uint16_t)(sign | 0x7e00 | (x >> 13 & 0x1ff));
    if (x == 0x7f800000) return sign | 0x7c00;
    if (x >= 0x47800000) return sign | 0x7bff;
    uint32_t e = x >> 23;
    if (e >= 113) return (uint16_t)(sign | (x - (112u << 23)) >> 13);
    if (e < 102) return sign;
    return (uint16_t)(sign | ((x & 0x7fffff) | 0x800000) >> (126 - e));
}
INLINE u32v to_f16_toward_zero(f32v a) {
#if defined(LEVEL_v4)
    return (u32v)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)a, _MM_FROUND_TO_ZERO));
#elif defined(LEVEL_v3)
    return (u32v)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)a, _MM_FROUND_TO_ZERO));
#else
    LANEWISE(u32v, LANES, f32_to_f16_toward_zero(a[i]));
#endif
}

#endif
