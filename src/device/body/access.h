// SPDX-License-Identifier: MIT
// Moving a chunk of lanes between registers and memory: what all memory bodies share.
//
// An access is {range, base, offset[lane], lanes m}: lane i touches base + offset[i], a 64-bit sum of a
// 32-bit unsigned offset. `load_inside` and `store_inside` do it if every byte lies in `range`, else they do
// nothing and return false; what then happens (another range, a fault, zeros) is the caller's business. They
// take the best of: consecutive elements, one address, gather or scatter. Bytes of inactive lanes are never
// touched. Registers stand in `u32v v[4]`, one per dword of the element; shorter elements are extended to 32
// bits.
#ifndef DEVICE_ACCESS_H
#define DEVICE_ACCESS_H

#include "device/body/body.h"
#include "device/memory/memory.h"

#define NOINLINE __attribute__((noinline))

INLINE unsigned access_bytes(enum access k) {
    switch (k) {
    case ACCESS_U8:
    case ACCESS_I8:
    case ACCESS_D16_U8:
    case ACCESS_D16_I8:
    case ACCESS_D16_HI_U8:
    case ACCESS_D16_HI_I8: return 1;
    case ACCESS_U16:
    case ACCESS_I16:
    case ACCESS_D16_B16:
    case ACCESS_D16_HI_B16: return 2;
    case ACCESS_B64: return 8;
    case ACCESS_B96: return 12;
    case ACCESS_B128: return 16;
    case ACCESS_B256: return 32;
    case ACCESS_B512: return 64;
    default: return 4;
    }
}
INLINE unsigned access_dwords(enum access k) { return (access_bytes(k) + 3) / 4; }
INLINE bool access_low_half(enum access k) {
    return k == ACCESS_D16_U8 || k == ACCESS_D16_I8 || k == ACCESS_D16_B16;
}
INLINE bool access_high_half(enum access k) {
    return k == ACCESS_D16_HI_U8 || k == ACCESS_D16_HI_I8 || k == ACCESS_D16_HI_B16;
}
INLINE bool access_signed(enum access k) {
    return k == ACCESS_I8 || k == ACCESS_I16 || k == ACCESS_D16_I8 || k == ACCESS_D16_HI_I8;
}
// The access without its place in the register.
INLINE enum access access_plain(enum access k) {
    switch (k) {
    case ACCESS_D16_U8:
    case ACCESS_D16_HI_U8: return ACCESS_U8;
    case ACCESS_D16_I8:
    case ACCESS_D16_HI_I8: return ACCESS_I8;
    case ACCESS_D16_B16:
    case ACCESS_D16_HI_B16: return ACCESS_U16;
    default: return k;
    }
}

// ---- Lane compares ----
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
INLINE unsigned first_lane(lmask m) { return (unsigned)__builtin_ctz(m); }
INLINE unsigned last_lane(lmask m) { return 31u - (unsigned)__builtin_clz(m); }

// ---- Ranges ----
// Whether n > 0 bytes at `a` lie in the range; no sum overflows.
INLINE bool in_cached(const struct range *r, uint64_t a, uint64_t n) {
    return a >= r->lo && a <= r->last && r->last - a >= n - 1;
}
// The same for every lane in m.
INLINE bool all_in_cached(const struct range *r, uint64_t base, u32v offset, unsigned n, lmask m) {
    uint64_t least = r->lo > base ? r->lo - base : 0;
    if (least > UINT32_MAX || base > r->last || r->last - base < n - 1) return false;
    uint64_t most = r->last - base - (n - 1);
    if (most > UINT32_MAX) most = UINT32_MAX;
    if (most < least) return false;
    return !(above32(offset - (uint32_t)least, splat32((uint32_t)(most - least))) & m);
}
// Lane i of a full chunk is at p + i * size, without wrapping in 32 bits.
INLINE bool full_run(u32v offset, unsigned size) {
    return !differ32(offset, splat32(offset[0]) + LANE_INDEX * size) && offset[0] <= 0u - LANES * size;
}

// Where GPU addresses of memory at this range are less than host addresses: what to take away from a base, of
// which offsets lead into the range.
INLINE uint64_t host_base(const struct range *r, uint64_t base) { return base - (r->lo & ALIAS_BIT); }
INLINE char *host_at(uint64_t address) { return (char *)(uintptr_t)host_address(address); }

// ---- Consecutive elements ----
#define EVEN_DWORDS (LANE_INDEX * 2)
#define ODD_DWORDS  (LANE_INDEX * 2 + 1)
#define ZIP_LO      ((LANE_INDEX & 1) * LANES + LANE_INDEX / 2)
#define ZIP_HI      (ZIP_LO + LANES / 2)

INLINE u32v vector_at(const char *p) {
    u32v v;
    memcpy(&v, p, VB);
    return v;
}
// Dwords of consecutive elements, in `n` vectors, into one vector per dword of an element; and back.
INLINE void unzip(unsigned n, const u32v q[4], u32v v[4]) {
    switch (n) {
    case 1: v[0] = q[0]; break;
    case 2:
        v[0] = SHUFFLE(q[0], q[1], EVEN_DWORDS);
        v[1] = SHUFFLE(q[0], q[1], ODD_DWORDS);
        break;
    case 3:
#define UNZIP3(c)                                                                                            \
    v[c] = SHUFFLE(                                                                                \
        SHUFFLE(q[0], q[1], LANE_INDEX * 3 + c), q[2],                                             \
        select32((i32v)(LANE_INDEX * 3 + c >= 2 * LANES), LANE_INDEX * 3 + c - LANES, LANE_INDEX))
        UNZIP3(0);
        UNZIP3(1);
        UNZIP3(2);
        break;
    default: {
        u32v e0 = SHUFFLE(q[0], q[1], EVEN_DWORDS), o0 = SHUFFLE(q[0], q[1], ODD_DWORDS);
        u32v e1 = SHUFFLE(q[2], q[3], EVEN_DWORDS), o1 = SHUFFLE(q[2], q[3], ODD_DWORDS);
        v[0] = SHUFFLE(e0, e1, EVEN_DWORDS);
        v[2] = SHUFFLE(e0, e1, ODD_DWORDS);
        v[1] = SHUFFLE(o0, o1, EVEN_DWORDS);
        v[3] = SHUFFLE(o0, o1, ODD_DWORDS);
    }
    }
}
INLINE void zip(unsigned n, const u32v v[4], u32v q[4]) {
    switch (n) {
    case 1: q[0] = v[0]; break;
    case 2:
        q[0] = SHUFFLE(v[0], v[1], ZIP_LO);
        q[1] = SHUFFLE(v[0], v[1], ZIP_HI);
        break;
    case 3:
#define ZIP3(c)                                                                                              \
    do {                                                                                                     \
        const u32v at = LANE_INDEX + (c)*LANES, lane = at / 3, which = at % 3;                               \
        q[c] = SHUFFLE(SHUFFLE(v[0], v[1], lane + (which & 1) * LANES), v[2],            \
                                 select32((i32v)(which == 2), lane + LANES, LANE_INDEX));                    \
    } while (0)
        ZIP3(0);
        ZIP3(1);
        ZIP3(2);
        break;
    default: {
        u32v a0 = SHUFFLE(v[0], v[2], ZIP_LO), a1 = SHUFFLE(v[0], v[2], ZIP_HI);
        u32v b0 = SHUFFLE(v[1], v[3], ZIP_LO), b1 = SHUFFLE(v[1], v[3], ZIP_HI);
        q[0] = SHUFFLE(a0, b0, ZIP_LO);
        q[1] = SHUFFLE(a0, b0, ZIP_HI);
        q[2] = SHUFFLE(a1, b1, ZIP_LO);
        q[3] = SHUFFLE(a1, b1, ZIP_HI);
    }
    }
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

// A full chunk of elements at p.
INLINE void take(enum access k, const char *p, u32v v[4]) {
    unsigned size = access_bytes(k);
    if (size == 1)
        v[0] = widen8(p, access_signed(k));
    else if (size == 2)
        v[0] = widen16(p, access_signed(k));
    else {
        u32v q[4];
        for (unsigned d = 0; d < size / 4; d++) q[d] = vector_at(p + d * VB);
        unzip(size / 4, q, v);
    }
}
INLINE void give(enum access k, char *p, const u32v v[4]) {
    unsigned size = access_bytes(k);
    if (size == 1)
        narrow8(p, v[0]);
    else if (size == 2)
        narrow16(p, v[0]);
    else {
        u32v q[4];
        zip(size / 4, v, q);
        for (unsigned d = 0; d < size / 4; d++) memcpy(p + d * VB, &q[d], VB);
    }
}

// One element for every lane.
INLINE void take_one(enum access k, const char *p, u32v v[4]) {
    const unsigned size = access_bytes(k);
    if (size == 1)
        v[0] = splat32(access_signed(k) ? (uint32_t)(int8_t)*p : (uint8_t)*p);
    else if (size == 2)
        v[0] = splat32(access_signed(k) ? (uint32_t)(int16_t)rd16(p) : rd16(p));
    else
        for (unsigned d = 0; d < size / 4; d++) v[d] = splat32(rd32(p + 4 * d));
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

#define OVER_LANES(m, lane)                                                                                  \
    for (lmask rest_ = (m), more_ = rest_; more_; more_ = rest_ &= rest_ - 1)                                \
        for (unsigned lane = first_lane(rest_), once_ = 1; once_; once_ = 0)

// The lanes m of a chunk of elements; p is where lane 0 is or would be.
INLINE void take_lanes(enum access k, const char *p, lmask m, u32v v[4]) {
    const unsigned size = access_bytes(k);
#if defined(LEVEL_v4)
    if (size == 1) {
        __m128i b = _mm_maskz_loadu_epi8((__mmask16)m, p);
        v[0] = (u32v)(access_signed(k) ? _mm512_cvtepi8_epi32(b) : _mm512_cvtepu8_epi32(b));
        return;
    }
    if (size == 2) {
        __m256i b = _mm256_maskz_loadu_epi16((__mmask16)m, p);
        v[0] = (u32v)(access_signed(k) ? _mm512_cvtepi16_epi32(b) : _mm512_cvtepu16_epi32(b));
        return;
    }
    uint64_t dwords = repeat_bits(m, size / 4);
    u32v q[4];
    for (unsigned d = 0; d < size / 4; d++)
        q[d] = (u32v)_mm512_maskz_loadu_epi32((__mmask16)(dwords >> d * LANES), p + d * VB);
    unzip(size / 4, q, v);
    return;
#elif defined(LEVEL_v3)
    if (size >= 4) {
        uint64_t dwords = repeat_bits(m, size / 4);
        u32v q[4];
        for (unsigned d = 0; d < size / 4; d++)
            q[d] = (u32v)_mm256_maskload_epi32((const int *)(p + d * VB),
                                               (__m256i)mask_lanes((lmask)(dwords >> d * LANES) & ALL_LANES));
        unzip(size / 4, q, v);
        return;
    }
#endif
    char bounce[LANES * 16];
    memset(bounce, 0, LANES * size);
    OVER_LANES(m, lane) memcpy(bounce + lane * size, p + lane * size, size);
    take(k, bounce, v);
}
INLINE void give_lanes(enum access k, char *p, lmask m, const u32v v[4]) {
    const unsigned size = access_bytes(k);
#if defined(LEVEL_v4)
    if (size == 1) {
        _mm_mask_storeu_epi8(p, (__mmask16)m, _mm512_cvtepi32_epi8((__m512i)v[0]));
        return;
    }
    if (size == 2) {
        _mm256_mask_storeu_epi16(p, (__mmask16)m, _mm512_cvtepi32_epi16((__m512i)v[0]));
        return;
    }
    uint64_t dwords = repeat_bits(m, size / 4);
    u32v q[4];
    zip(size / 4, v, q);
    for (unsigned d = 0; d < size / 4; d++)
        _mm512_mask_storeu_epi32(p + d * VB, (__mmask16)(dwords >> d * LANES), (__m512i)q[d]);
    return;
#elif defined(LEVEL_v3)
    if (size >= 4) {
        uint64_t dwords = repeat_bits(m, size / 4);
        u32v q[4];
        zip(size / 4, v, q);
        for (unsigned d = 0; d < size / 4; d++)
            _mm256_maskstore_epi32((int *)(p + d * VB),
                                   (__m256i)mask_lanes((lmask)(dwords >> d * LANES) & ALL_LANES),
                                   (__m256i)q[d]);
        return;
    }
#endif
    char bounce[LANES * 16];
    give(k, bounce, v);
    OVER_LANES(m, lane) memcpy(p + lane * size, bounce + lane * size, size);
}

// ---- Scattered elements ----
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

INLINE void gather(enum access k, const struct range *range, uint64_t base, u32v offset, lmask m, u32v v[4]) {
    const unsigned size = access_bytes(k);
    const uint64_t host = host_base(range, base);
    if (size == 4) {
        v[0] = gather32(host, offset, m);
        return;
    }
#if defined(LEVEL_v4)
    if (size == 8) {
        __m512i at = (__m512i)from_middle(offset), zero = _mm512_setzero_si512();
        u32v q[4];
        q[0] =
            (u32v)_mm512_mask_i32gather_epi64(zero, (__mmask8)m, _mm512_castsi512_si256(at), middle(host), 1);
        q[1] = (u32v)_mm512_mask_i32gather_epi64(zero, (__mmask8)(m >> 8), _mm512_extracti64x4_epi64(at, 1),
                                                 middle(host), 1);
        unzip(2, q, v);
        return;
    }
#endif
#if defined(LEVEL_v4) || defined(LEVEL_v3)
    if (size < 4) {
        // The dword around each element, if it too may be read and holds the whole element.
        u32v byte = (offset + (uint32_t)base) & 3;
        struct range whole = {(range->lo + 3) & ~3ull, range->last - 3};
        whole.last |= 3; // the last byte of the last aligned dword
        if (range->last >= 7 && all_in_cached(&whole, base, offset, size, m) &&
            !(above32(byte, splat32(4 - size)) & m)) {
            // An offset below its byte number wraps; such an element cannot be told from one 4 GiB up.
            if (!(above32(byte, offset) & m)) {
                u32v d = gather32(host, offset - byte, m) >> byte * 8;
                if (access_signed(k))
                    d = (u32v)((i32v)(d << (32 - 8 * size)) >> (32 - 8 * size));
                else
                    d &= size == 1 ? 0xff : 0xffff;
                v[0] = d;
                return;
            }
        }
    }
#endif
    uint32_t at[LANES];
    char bounce[LANES * 16];
    memcpy(at, &offset, sizeof at);
    memset(bounce, 0, LANES * size);
    OVER_LANES(m, lane) memcpy(bounce + lane * size, (const char *)(uintptr_t)(host + at[lane]), size);
    take(k, bounce, v);
}
// The highest of lanes with one address wins.
INLINE void scatter(enum access k, uint64_t base, u32v offset, lmask m, const u32v v[4]) {
    const unsigned size = access_bytes(k);
#if defined(LEVEL_v4)
    if (size == 4) {
        _mm512_mask_i32scatter_epi32((char *)middle(base), (__mmask16)m, (__m512i)from_middle(offset),
                                     (__m512i)v[0], 1);
        return;
    }
    if (size == 8) {
        __m512i at = (__m512i)from_middle(offset);
        u32v q[4];
        zip(2, v, q);
        _mm512_mask_i32scatter_epi64((char *)middle(base), (__mmask8)m, _mm512_castsi512_si256(at),
                                     (__m512i)q[0], 1);
        _mm512_mask_i32scatter_epi64((char *)middle(base), (__mmask8)(m >> 8),
                                     _mm512_extracti64x4_epi64(at, 1), (__m512i)q[1], 1);
        return;
    }
#endif
    uint32_t at[LANES];
    char bounce[LANES * 16];
    memcpy(at, &offset, sizeof at);
    give(k, bounce, v);
    OVER_LANES(m, lane) memcpy((char *)(uintptr_t)(base + at[lane]), bounce + lane * size, size);
}

// ---- The shared cores, compiled once per level in memory.c ----
typedef bool load_fn(const struct range *range, uint64_t base, u32v offset, lmask m, u32v v[4]);
typedef bool store_fn(const struct range *range, uint64_t base, u32v offset, lmask m, const u32v v[4]);
#define LOAD_CORES  PASTE(load, cores, LEVEL) // by plain enum access
#define STORE_CORES PASTE(store, cores, LEVEL)
extern load_fn *const LOAD_CORES[ACCESS_B128 + 1];
extern store_fn *const STORE_CORES[ACCESS_B128 + 1];

INLINE bool load_inside(enum access k, const struct range *range, uint64_t base, u32v offset, lmask m,
                        u32v v[4]) {
    const unsigned size = access_bytes(k);
    if (LIKELY(m == ALL_LANES && full_run(offset, size) &&
               in_cached(range, base + offset[0], LANES * size))) {
        take(k, host_at(base + offset[0]), v);
        return true;
    }
    // Lanes a dword apart read overlapping elements: a stencil's neighbours.
    if (size > 4 && m == ALL_LANES && full_run(offset, 4) &&
        in_cached(range, base + offset[0], LANES * 4 + size - 4)) {
        for (unsigned d = 0; d < size / 4; d++)
            v[d] = vector_at(host_at(base + offset[0]) + 4 * d);
        return true;
    }
    return LOAD_CORES[access_plain(k)](range, base, offset, m, v);
}
INLINE bool store_inside(enum access k, const struct range *range, uint64_t base, u32v offset, lmask m,
                         const u32v v[4]) {
    const unsigned size = access_bytes(k);
    if (LIKELY(m == ALL_LANES && full_run(offset, size) &&
               in_cached(range, base + offset[0], LANES * size))) {
        give(k, host_at(base + offset[0]), v);
        return true;
    }
    return STORE_CORES[access_plain(k)](range, base, offset, m, v);
}

// The same in global memory through the cache slot of the instruction: faults and returns false when a lane
// of chunk i has no right there. Nothing is stored by the faulting lane; lanes before it may have stored.
#define LOAD_GLOBAL  PASTE(load, global, LEVEL)
#define STORE_GLOBAL PASTE(store, global, LEVEL)
bool LOAD_GLOBAL(struct wave *w, const struct op *op, enum access k, uint64_t base, u32v offset, lmask m,
                 unsigned i, u32v v[4]);
bool STORE_GLOBAL(struct wave *w, const struct op *op, enum access k, uint64_t base, u32v offset, lmask m,
                  unsigned i, const u32v v[4]);

INLINE const struct mem_op *mem_op_of(const struct op *op) { return op->extra; }

INLINE bool load_global(struct wave *w, const struct op *op, enum access k, uint64_t base, u32v offset,
                        lmask m, unsigned i, u32v v[4]) {
    if (LIKELY(load_inside(k, &w->ranges[mem_op_of(op)->slot], base, offset, m, v))) return true;
    return LOAD_GLOBAL(w, op, access_plain(k), base, offset, m, i, v);
}
INLINE bool store_global(struct wave *w, const struct op *op, enum access k, uint64_t base, u32v offset,
                         lmask m, unsigned i, const u32v v[4]) {
    if (LIKELY(store_inside(k, &w->ranges[mem_op_of(op)->slot], base, offset, m, v))) return true;
    return STORE_GLOBAL(w, op, access_plain(k), base, offset, m, i, v);
}
// Whether n bytes at `a` may be accessed; refreshes the slot.
INLINE bool global_right(struct wave *w, unsigned slot, uint64_t a, uint64_t n, uint32_t rights) {
    struct range *cached = &w->ranges[slot], found;
    if (LIKELY(in_cached(cached, a, n))) return true;
    if (!OUT(wave_find_range(w, a, rights, &found))) return false;
    *cached = found;
    return in_cached(&found, a, n);
}

// LDS: offset is the byte number in the work-group's allocation. Out of range, loads give 0 and stores are
// dropped, dword by dword and byte by byte (TRAP-261, TRAP-262).
#define LOAD_LDS  PASTE(load, lds, LEVEL)
#define STORE_LDS PASTE(store, lds, LEVEL)
void LOAD_LDS(struct wave *w, enum access k, u32v offset, lmask m, u32v v[4]);
void STORE_LDS(struct wave *w, enum access k, u32v offset, lmask m, const u32v v[4]);

INLINE struct range lds_range(const struct wave *w) {
    uint64_t lo = (uint64_t)(uintptr_t)w->lds;
    return w->lds_size ? (struct range){lo, lo + w->lds_size - 1} : (struct range){1, 0};
}
INLINE void load_lds(struct wave *w, enum access k, u32v offset, lmask m, u32v v[4]) {
    struct range r = lds_range(w);
    if (m == ALL_LANES && !differ32(offset, splat32(offset[0])) &&
        in_cached(&r, r.lo + offset[0], access_bytes(k)))
        take_one(k, (const char *)w->lds + offset[0], v);
    else if (UNLIKELY(!load_inside(k, &r, r.lo, offset, m, v)))
        LOAD_LDS(w, access_plain(k), offset, m, v);
}
INLINE void store_lds(struct wave *w, enum access k, u32v offset, lmask m, const u32v v[4]) {
    struct range r = lds_range(w);
    if (UNLIKELY(!store_inside(k, &r, r.lo, offset, m, v))) STORE_LDS(w, access_plain(k), offset, m, v);
}

// Scratch: offset is the byte number in the lane's private segment, i the chunk. False after a fault.
#define LOAD_SCRATCH  PASTE(load, scratch, LEVEL)
#define STORE_SCRATCH PASTE(store, scratch, LEVEL)
bool LOAD_SCRATCH(struct wave *w, const struct op *op, enum access k, u32v offset, lmask m, unsigned i,
                  u32v v[4]);
bool STORE_SCRATCH(struct wave *w, const struct op *op, enum access k, u32v offset, lmask m, unsigned i,
                   const u32v v[4]);

// Buffers: the address of each lane and which dwords of the element are in range (bit 0 for shorter
// elements).
struct buffer_lanes {
    uint64_t at[LANES];
    uint8_t inside[LANES];
};
#define BUFFER_LANES PASTE(buffer, lanes, LEVEL)
// False: the descriptor is of another kind, so that the instruction does nothing (TRAP-311).
bool BUFFER_LANES(struct wave *w, const struct op *op, unsigned size, lmask m, unsigned i,
                  struct buffer_lanes *out);
// How far apart the dwords of an element are.
#define BUFFER_STEP PASTE(buffer, step, LEVEL)
uint64_t BUFFER_STEP(struct wave *w, const struct op *op);

// Records a fault of lane `lane` of chunk i.
INLINE bool lane_fault(struct wave *w, const struct op *op, enum fault_kind kind, unsigned i, unsigned lane,
                       uint64_t a) {
    wave_fault(w, op, kind, (int)(i * LANES + lane), a);
    return false;
}

// ---- Registers ----
INLINE void put_loaded(struct wave *w, uint32_t dst, unsigned i, lmask m, enum access k, const u32v v[4]) {
    u32v first = v[0], old = reg_at(w, dst)[i];
    if (access_low_half(k)) first = (old & 0xffff0000u) | (first & 0xffff);
    if (access_high_half(k)) first = (old & 0xffff) | first << 16;
    for (unsigned d = 0; d < access_dwords(k); d++) {
        u32v *at = &reg_at(w, dst + d * w->stride)[i];
        if (LIKELY(m == ALL_LANES))
            *at = d ? v[d] : first;
        else
            store_masked(at, m, d ? v[d] : first);
    }
}
INLINE void get_stored(struct wave *w, uint32_t data, unsigned i, enum access k, u32v v[4]) {
    for (unsigned d = 0; d < access_dwords(k); d++) v[d] = reg_at(w, data + d * w->stride)[i];
    if (access_high_half(k)) v[0] = v[0] >> 16;
}

// ---- A whole wave at once: every lane executes and consecutive lanes take consecutive elements ----
// `lo`, and `hi` unless NULL, are the lanes' address registers; sets the first address less its upper dword.
INLINE bool wave_run(const struct wave *w, const u32v *lo, const u32v *hi, unsigned size, uint32_t *first) {
    const unsigned chunks = w->lanes / LANES;
    const uint32_t o = lo[0][0];
    if (!exec_full(w) || o > 0u - 64 * size) return false;
    u32v expected = splat32(o) + LANE_INDEX * size, different = splat32(0);
    const u32v high = hi ? splat32(hi[0][0]) : splat32(0);
    for (unsigned i = 0; i < chunks; i++, expected += LANES * size) {
        different |= lo[i] ^ expected;
        if (hi) different |= hi[i] ^ high;
    }
    *first = o;
    return !differ32(different, splat32(0));
}
// Every lane executes and has the same address.
INLINE bool wave_same(const struct wave *w, const u32v *lo, const u32v *hi) {
    const unsigned chunks = w->lanes / LANES;
    if (!exec_full(w) || lo[0][0] != lo[0][1]) return false;
    u32v different = splat32(0);
    const u32v low = splat32(lo[0][0]), high = hi ? splat32(hi[0][0]) : low;
    for (unsigned i = 0; i < chunks; i++) {
        different |= lo[i] ^ low;
        if (hi) different |= hi[i] ^ high;
    }
    return !differ32(different, splat32(0));
}
INLINE void load_same(struct wave *w, enum access k, uint32_t dst, uint64_t a) {
    const unsigned chunks = w->lanes / LANES;
    u32v v[4];
    take_one(k, host_at(a), v);
    for (unsigned i = 0; i < chunks; i++) put_loaded(w, dst, i, ALL_LANES, k, v);
}
INLINE void load_run(struct wave *w, enum access k, uint32_t dst, uint64_t a) {
    const unsigned chunks = w->lanes / LANES;
    const char *p = host_at(a);
    for (unsigned i = 0; i < chunks; i++, p += LANES * access_bytes(k)) {
        u32v v[4];
        take(k, p, v);
        put_loaded(w, dst, i, ALL_LANES, k, v);
    }
}
INLINE void store_run(struct wave *w, enum access k, uint32_t data, uint64_t a) {
    const unsigned chunks = w->lanes / LANES;
    char *p = host_at(a);
    for (unsigned i = 0; i < chunks; i++, p += LANES * access_bytes(k)) {
        u32v v[4];
        get_stored(w, data, i, k, v);
        give(k, p, v);
    }
}

// Runs the statement for chunks with executing lanes; i is the chunk, m its lanes.
#define EACH_ACTIVE(w, ...)                                                                                  \
    do {                                                                                                     \
        uint64_t exec_ = exec_of(w);                                                                         \
        for (unsigned i = 0; exec_; i++, exec_ >>= LANES) {                                                  \
            const lmask m = (lmask)exec_ & ALL_LANES;                                                        \
            if (m) { __VA_ARGS__; }                                                                          \
        }                                                                                                    \
    } while (0)

// Splits the lanes m with 64-bit addresses {hi, lo} by upper dword: runs the statement for lanes g with
// `high`.
#define EACH_HIGH(hi, m, ...)                                                                                \
    for (lmask left_ = (m); left_;) {                                                                        \
        const uint32_t high = LIKELY(left_ & 1) ? (hi)[0] : lane_of(hi, first_lane(left_));                  \
        const lmask g = left_ & ~differ32(hi, splat32(high));                                                \
        left_ &= ~g;                                                                                         \
        __VA_ARGS__;                                                                                         \
    }

// ---- Tables of handlers ----
// run(w, op, k) does the instruction and returns false after a fault. A handler is not inlined into others,
// so that its locals are dead at the jump to the next op.
#define ACCESS_HANDLER(run, k)                                                                               \
    static const struct op *run##_##k(struct wave *w, const struct op *op) {                                 \
        if (UNLIKELY(!run(w, op, ACCESS_##k))) return NULL;                                                  \
        NEXT;                                                                                                \
    }
#define LOAD_HANDLERS(run)                                                                                   \
    ACCESS_HANDLER(run, U8)                                                                                  \
    ACCESS_HANDLER(run, I8)                                                                                  \
    ACCESS_HANDLER(run, U16)                                                                                 \
    ACCESS_HANDLER(run, I16)                                                                                 \
    ACCESS_HANDLER(run, B32)                                                                                 \
    ACCESS_HANDLER(run, B64)                                                                                 \
    ACCESS_HANDLER(run, B96)                                                                                 \
    ACCESS_HANDLER(run, B128)                                                                                \
    ACCESS_HANDLER(run, D16_U8)                                                                              \
    ACCESS_HANDLER(run, D16_I8) ACCESS_HANDLER(run, D16_B16) ACCESS_HANDLER(run, D16_HI_U8)                  \
        ACCESS_HANDLER(run, D16_HI_I8)                                                                       \
            ACCESS_HANDLER(run, D16_HI_B16) static op_fn *const run##_table[ACCESS_D16_HI_B16 + 1] = {       \
                [ACCESS_U8] = run##_U8,                                                                      \
                [ACCESS_I8] = run##_I8,                                                                      \
                [ACCESS_U16] = run##_U16,                                                                    \
                [ACCESS_I16] = run##_I16,                                                                    \
                [ACCESS_B32] = run##_B32,                                                                    \
                [ACCESS_B64] = run##_B64,                                                                    \
                [ACCESS_B96] = run##_B96,                                                                    \
                [ACCESS_B128] = run##_B128,                                                                  \
                [ACCESS_D16_U8] = run##_D16_U8,                                                              \
                [ACCESS_D16_I8] = run##_D16_I8,                                                              \
                [ACCESS_D16_B16] = run##_D16_B16,                                                            \
                [ACCESS_D16_HI_U8] = run##_D16_HI_U8,                                                        \
                [ACCESS_D16_HI_I8] = run##_D16_HI_I8,                                                        \
                [ACCESS_D16_HI_B16] = run##_D16_HI_B16,                                                      \
    };
#define STORE_HANDLERS(run)                                                                                  \
    ACCESS_HANDLER(run, U8)                                                                                  \
    ACCESS_HANDLER(run, U16)                                                                                 \
    ACCESS_HANDLER(run, B32)                                                                                 \
    ACCESS_HANDLER(run, B64)                                                                                 \
    ACCESS_HANDLER(run, B96)                                                                                 \
    ACCESS_HANDLER(run, B128)                                                                                \
    ACCESS_HANDLER(run, D16_HI_U8)                                                                           \
    ACCESS_HANDLER(run, D16_HI_B16)                                                                          \
    static op_fn *const run##_table[ACCESS_D16_HI_B16 + 1] = {                                               \
        [ACCESS_U8] = run##_U8,                                                                              \
        [ACCESS_U16] = run##_U16,                                                                            \
        [ACCESS_B32] = run##_B32,                                                                            \
        [ACCESS_B64] = run##_B64,                                                                            \
        [ACCESS_B96] = run##_B96,                                                                            \
        [ACCESS_B128] = run##_B128,                                                                          \
        [ACCESS_D16_HI_U8] = run##_D16_HI_U8,                                                                \
        [ACCESS_D16_HI_B16] = run##_D16_HI_B16,                                                              \
    };
#define MEMORY_BODY(name) BODY(name, .shape = SHAPE_MEMORY, .table = name##_table);

#endif
