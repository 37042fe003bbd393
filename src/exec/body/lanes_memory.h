// SPDX-License-Identifier: MIT
// Lanes in memory: with lanes.h the only header with intrinsics. Compares of addresses; loads and stores of a
// chunk, whole or lane by lane, and of elements shorter than a lane; gathers and scatters. What a level
// lacks, its callers do without: MASKED_DWORDS, MASKED_SHORTS and the like say what there is.
#ifndef EXEC_BODY_LANES_MEMORY_H
#define EXEC_BODY_LANES_MEMORY_H

#include "base/bytes.h"
#include "exec/body/lanes.h"

#if defined(LEVEL_v4) || defined(LEVEL_v3)
#define MASKED_DWORDS 1 // loads and stores of some dwords of a chunk
#define GATHERS_FAST  1 // a gather costs less than its lanes one by one
#endif
#if defined(LEVEL_v4)
#define MASKED_SHORTS 1 // and of some of its bytes and 16-bit words
#define WIDE_GATHERS  1 // of 64 bits and more
#define SCATTERS      1
#endif

// ---- Compares ----
INLINE lmask differ32(u32v a, u32v b) {
#if defined(LEVEL_v4)
    return truth_bits(_mm512_cmpneq_epi32_mask((__m512i)a, (__m512i)b));
#else
    return lanes_mask((i32v)(a != b));
#endif
}
INLINE lmask above32(u32v a, u32v b) { // a > b, unsigned
#if defined(LEVEL_v4)
    return truth_bits(_mm512_cmpgt_epu32_mask((__m512i)a, (__m512i)b));
#else
    return lanes_mask((i32v)(a > b));
#endif
}
INLINE uint32_t lane_of(u32v v, unsigned lane) {
    uint32_t all[LANES];
    memcpy(all, &v, sizeof all);
    return all[lane];
}
#if defined(LEVEL_v4)
INLINE uint32_t first_of(u32v v, lmask m) { // of the lanes m, if there are any
    return (uint32_t)_mm512_cvtsi512_si32(_mm512_maskz_compress_epi32((__mmask16)m, (__m512i)v));
}
#elif defined(LEVEL_v3)
INLINE uint32_t first_of(u32v v, lmask m) {
    const __m256i lane = _mm256_set1_epi32(__builtin_ctz(m | 1u << (LANES - 1)));
    return (uint32_t)_mm256_cvtsi256_si32(_mm256_permutevar8x32_epi32((__m256i)v, lane));
}
#endif
INLINE unsigned first_lane(lmask m) { return (unsigned)__builtin_ctz(m); }
INLINE unsigned last_lane(lmask m) { return 31u - (unsigned)__builtin_clz(m); }

#define OVER_LANES(m, lane)                                                                                  \
    for (lmask rest_ = (m), more_ = rest_; more_; more_ = rest_ &= rest_ - 1)                                \
        for (unsigned lane = first_lane(rest_), once_ = 1; once_; once_ = 0)

// ---- Loads and stores of a chunk ----
INLINE u32v vector_at(const char *p) {
    u32v v;
    memcpy(&v, p, VB);
    return v;
}
INLINE u32v widen8(const char *p, bool is_signed) {
#if defined(LEVEL_v4)
    __m128i b = _mm_loadu_si128((const __m128i *)p);
    return (u32v)(is_signed ? _mm512_cvtepi8_epi32(b) : _mm512_cvtepu8_epi32(b));
#elif defined(LEVEL_v3)
    __m128i b = _mm_loadl_epi64((const __m128i *)p);
    return (u32v)(is_signed ? _mm256_cvtepi8_epi32(b) : _mm256_cvtepu8_epi32(b));
#elif defined(__SSE4_1__)
    __m128i b = _mm_cvtsi32_si128((int)rd32(p));
    return (u32v)(is_signed ? _mm_cvtepi8_epi32(b) : _mm_cvtepu8_epi32(b));
#else
    LANEWISE(u32v, LANES, is_signed ? (uint32_t)(int8_t)p[i] : (uint8_t)p[i]);
#endif
}
INLINE u32v widen16(const char *p, bool is_signed) {
#if defined(LEVEL_v4)
    __m256i b = _mm256_loadu_si256((const __m256i *)p);
    return (u32v)(is_signed ? _mm512_cvtepi16_epi32(b) : _mm512_cvtepu16_epi32(b));
#elif defined(LEVEL_v3)
    __m128i b = _mm_loadu_si128((const __m128i *)p);
    return (u32v)(is_signed ? _mm256_cvtepi16_epi32(b) : _mm256_cvtepu16_epi32(b));
#elif defined(__SSE4_1__)
    __m128i b = _mm_loadl_epi64((const __m128i *)p);
    return (u32v)(is_signed ? _mm_cvtepi16_epi32(b) : _mm_cvtepu16_epi32(b));
#else
    LANEWISE(u32v, LANES, is_signed ? (uint32_t)(int16_t)rd16(p + 2 * i) : rd16(p + 2 * i));
#endif
}
INLINE void narrow8(char *p, u32v v) {
#if defined(LEVEL_v4)
    _mm_storeu_si128((__m128i *)p, _mm512_cvtepi32_epi8((__m512i)v));
#else
    uint8_t b[LANES];
    for (int i = 0; i < LANES; i++) b[i] = (uint8_t)v[i];
    memcpy(p, b, sizeof b);
#endif
}
INLINE void narrow16(char *p, u32v v) {
#if defined(LEVEL_v4)
    _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi32_epi16((__m512i)v));
#else
    uint16_t h[LANES];
    for (int i = 0; i < LANES; i++) h[i] = (uint16_t)v[i];
    memcpy(p, h, sizeof h);
#endif
}

// The bits of m, each repeated n times.
INLINE uint64_t repeat_bits(lmask m, unsigned n) {
#if defined(LEVEL_v4) || defined(LEVEL_v3)
    switch (n) {
    case 1: return m;
    case 2: return _pdep_u64(m, 0x5555555555555555u) * 3;
    case 3: return _pdep_u64(m, 0x9249249249249249u) * 7;
    default: return _pdep_u64(m, 0x1111111111111111u) * 15;
    }
#else
    uint64_t r = 0;
    for (unsigned i = 0; i < LANES; i++)
        if (m >> i & 1) r |= ((1ull << n) - 1) << i * n;
    return r;
#endif
}

#if defined(MASKED_SHORTS)
INLINE u32v widen8_masked(const char *p, lmask m, bool is_signed) {
    __m128i b = _mm_maskz_loadu_epi8((__mmask16)m, p);
    return (u32v)(is_signed ? _mm512_cvtepi8_epi32(b) : _mm512_cvtepu8_epi32(b));
}
INLINE u32v widen16_masked(const char *p, lmask m, bool is_signed) {
    __m256i b = _mm256_maskz_loadu_epi16((__mmask16)m, p);
    return (u32v)(is_signed ? _mm512_cvtepi16_epi32(b) : _mm512_cvtepu16_epi32(b));
}
INLINE void narrow8_masked(char *p, lmask m, u32v v) {
    _mm_mask_storeu_epi8(p, (__mmask16)m, _mm512_cvtepi32_epi8((__m512i)v));
}
INLINE void narrow16_masked(char *p, lmask m, u32v v) {
    _mm256_mask_storeu_epi16(p, (__mmask16)m, _mm512_cvtepi32_epi16((__m512i)v));
}
#endif
#if defined(LEVEL_v4)
INLINE u32v vector_masked(const char *p, lmask m) { return (u32v)_mm512_maskz_loadu_epi32((__mmask16)m, p); }
INLINE void put_vector_masked(char *p, lmask m, u32v v) {
    _mm512_mask_storeu_epi32(p, (__mmask16)m, (__m512i)v);
}
#elif defined(LEVEL_v3)
INLINE u32v vector_masked(const char *p, lmask m) {
    return (u32v)_mm256_maskload_epi32((const int *)p, (__m256i)mask_lanes(m & ALL_LANES));
}
INLINE void put_vector_masked(char *p, lmask m, u32v v) {
    _mm256_maskstore_epi32((int *)p, (__m256i)mask_lanes(m & ALL_LANES), (__m256i)v);
}
#endif

#if defined(LEVEL_v4)
// Lane n gets the element that `from` says.
INLINE u32v pick_lanes(u32v v, u32v from) {
    return (u32v)_mm512_permutexvar_epi32((__m512i)from, (__m512i)v);
}
#endif

// ---- Gathers and scatters ----
// Host gathers take signed indices: unsigned offsets become signed around base + 2^31.
INLINE const char *middle(uint64_t base) { return (const char *)(uintptr_t)(base + 0x80000000u); }
INLINE u32v from_middle(u32v offset) { return offset ^ 0x80000000u; }

INLINE u32v gather32(uint64_t base, u32v offset, lmask m) {
#if defined(LEVEL_v4)
    return (u32v)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), (__mmask16)m,
                                             (__m512i)from_middle(offset), middle(base), 1);
#elif defined(LEVEL_v3)
    return (u32v)_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)middle(base),
                                             (__m256i)from_middle(offset), (__m256i)mask_lanes(m), 1);
#else
    uint32_t at[LANES], r[LANES] = {0};
    memcpy(at, &offset, sizeof at);
    OVER_LANES(m, lane) r[lane] = rd32((const char *)(uintptr_t)(base + at[lane]));
    return vector_at((const char *)r);
#endif
}

#if defined(WIDE_GATHERS)
// Two dwords for each lane, those of the lower lanes first.
INLINE void gather64(uint64_t base, u32v offset, lmask m, u32v q[2]) {
    __m512i at = (__m512i)from_middle(offset), zero = _mm512_setzero_si512();
    q[0] = (u32v)_mm512_mask_i32gather_epi64(zero, (__mmask8)m, _mm512_castsi512_si256(at), middle(base), 1);
    q[1] = (u32v)_mm512_mask_i32gather_epi64(zero, (__mmask8)(m >> 8), _mm512_extracti64x4_epi64(at, 1),
                                             middle(base), 1);
}
#endif
#if defined(WIDE_GATHERS)
// In each quarter of the lanes: dword d of each lane, from all dwords of lane d; and back.
INLINE void turn_rows(const u32v rows[4], u32v v[4]) {
    const __m512i a = _mm512_unpacklo_epi32((__m512i)rows[0], (__m512i)rows[1]);
    const __m512i b = _mm512_unpackhi_epi32((__m512i)rows[0], (__m512i)rows[1]);
    const __m512i c = _mm512_unpacklo_epi32((__m512i)rows[2], (__m512i)rows[3]);
    const __m512i d = _mm512_unpackhi_epi32((__m512i)rows[2], (__m512i)rows[3]);
    v[0] = (u32v)_mm512_unpacklo_epi64(a, c);
    v[1] = (u32v)_mm512_unpackhi_epi64(a, c);
    v[2] = (u32v)_mm512_unpacklo_epi64(b, d);
    v[3] = (u32v)_mm512_unpackhi_epi64(b, d);
}
// Three or four dwords for each lane, a load for each.
INLINE void gather_rows(uint64_t base, u32v offset, lmask m, unsigned dwords, u32v v[4]) {
    u32v rows[4];
    _Pragma("GCC unroll 4") for (unsigned r = 0; r < 4; r++) {
        __m128i four[4];
        _Pragma("GCC unroll 4") for (unsigned k = 0; k < 4; k++) {
            const unsigned lane = 4 * k + r;
            const unsigned mask = m >> lane & 1 ? (1u << dwords) - 1 : 0;
            four[k] = _mm_maskz_loadu_epi32((__mmask8)mask, (const char *)(uintptr_t)(base + offset[lane]));
        }
        const __m256i low = _mm256_set_m128i(four[1], four[0]), high = _mm256_set_m128i(four[3], four[2]);
        rows[r] = (u32v)_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    }
    turn_rows(rows, v);
}
// A store for each lane, from the lowest to the highest.
INLINE void scatter_rows(uint64_t base, u32v offset, lmask m, unsigned dwords, const u32v v[4]) {
    const u32v all[4] = {v[0], v[1], v[2], dwords == 4 ? v[3] : v[2]};
    u32v rows[4];
    __m128i lanes[4][4];
    turn_rows(all, rows);
    memcpy(lanes, rows, sizeof lanes);
    _Pragma("GCC unroll 16") for (unsigned lane = 0; lane < LANES; lane++) {
        const unsigned mask = m >> lane & 1 ? (1u << dwords) - 1 : 0;
        _mm_mask_storeu_epi32((char *)(uintptr_t)(base + offset[lane]), (__mmask8)mask,
                              lanes[lane % 4][lane / 4]);
    }
}
#endif
#if defined(SCATTERS)
INLINE void scatter32(uint64_t base, u32v offset, lmask m, u32v v) {
    _mm512_mask_i32scatter_epi32((char *)middle(base), (__mmask16)m, (__m512i)from_middle(offset), (__m512i)v,
                                 1);
}
INLINE void scatter64(uint64_t base, u32v offset, lmask m, const u32v q[2]) {
    __m512i at = (__m512i)from_middle(offset);
    _mm512_mask_i32scatter_epi64((char *)middle(base), (__mmask8)m, _mm512_castsi512_si256(at), (__m512i)q[0],
                                 1);
    _mm512_mask_i32scatter_epi64((char *)middle(base), (__mmask8)(m >> 8), _mm512_extracti64x4_epi64(at, 1),
                                 (__m512i)q[1], 1);
}
#endif

#endif
