// SPDX-License-Identifier: MIT
// A chunk of elements in memory and in registers: how wide elements are and how they are extended;
// consecutive ones, one for all lanes, scattered ones. Registers stand in `u32v v[4]`, one per dword of the
// element; shorter elements are extended to 32 bits. Addresses are checked already: access.h does that.
#ifndef EXEC_BODY_ELEMENTS_H
#define EXEC_BODY_ELEMENTS_H

#include "exec/body/body.h"
#include "exec/body/lanes_memory.h"
#include "exec/map.h"
#include "isa/kinds.h"

INLINE unsigned access_bytes(enum access k) { return access_size(k); }
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

// ---- Ranges ----
// Whether n > 0 bytes at `a` lie in the range; no sum overflows.
INLINE bool in_cached(const struct range *r, uint64_t a, uint64_t n) {
    return a >= r->lo && a <= r->last && r->last - a >= n - 1;
}
// At how many addresses n > 0 bytes lie in the range: the first of them is r->lo. Of all memory there are
// none.
INLINE uint64_t places_in(const struct range *r, uint64_t n) {
#if defined(FUSED) // as one value: compilers make more branches of what chooses
    return __builtin_elementwise_sub_sat(r->last + 1, r->lo + (n - 1));
#else
    return r->lo <= r->last && r->last - r->lo >= n - 1 ? r->last - r->lo - (n - 1) + 1 : 0;
#endif
}
// in_cached() with all but one comparison left to what does not change with `a`: loops ask that once.
INLINE bool in_cached_fixed(const struct range *r, uint64_t a, uint64_t n) {
    return a - r->lo < places_in(r, n);
}
// The offsets from `base` at which n bytes lie in the range: from `least` to `least + more`. False: none.
INLINE bool offsets_in_cached(const struct range *r, uint64_t base, unsigned n, uint32_t *least,
                              uint32_t *more) {
    const uint64_t from = r->lo > base ? r->lo - base : 0;
    if (from > UINT32_MAX || base > r->last || r->last - base < n - 1) return false;
    uint64_t most = r->last - base - (n - 1);
    if (most > UINT32_MAX) most = UINT32_MAX;
    *least = (uint32_t)from, *more = (uint32_t)(most - from);
    return most >= from;
}
// in_cached() for every lane in m.
INLINE bool all_in_cached(const struct range *r, uint64_t base, u32v offset, unsigned n, lmask m) {
    uint32_t least, more;
    return offsets_in_cached(r, base, n, &least, &more) && !(above32(offset - least, splat32(more)) & m);
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
    v[c] =                                                                                                   \
        SHUFFLE(SHUFFLE(q[0], q[1], LANE_INDEX * 3 + c), q[2],                                               \
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
        q[c] = SHUFFLE(SHUFFLE(v[0], v[1], lane + (which & 1) * LANES), v[2],                                \
                       select32((i32v)(which == 2), lane + LANES, LANE_INDEX));                              \
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

typedef uint64_t unaligned64 __attribute__((aligned(1), may_alias));
typedef uint32_t unaligned128 __attribute__((vector_size(16), aligned(1), may_alias));
// One element for every lane.
INLINE void take_one(enum access k, const char *p, u32v v[4]) {
    const unsigned size = access_bytes(k);
    if (size == 1)
        v[0] = splat32(access_signed(k) ? (uint32_t)(int8_t)*p : (uint8_t)*p);
    else if (size == 2)
        v[0] = splat32(access_signed(k) ? (uint32_t)(int16_t)rd16(p) : rd16(p));
    else if (size == 4)
        v[0] = splat32(rd32(p));
    else {
        // In one access of the host: others may write the element meanwhile, which is never seen half-way.
        uint32_t whole[4] = {0};
        if (size == 8) {
            const uint64_t two = *(const volatile unaligned64 *)p;
            memcpy(whole, &two, sizeof two);
        } else if (size == 16) {
            const unaligned128 four = *(const volatile unaligned128 *)p;
            memcpy(whole, &four, sizeof four);
        } else
            memcpy(whole, p, size);
        for (unsigned d = 0; d < size / 4; d++) v[d] = splat32(whole[d]);
    }
}
// Of LDS, which one worker alone writes: compilers may join what each chunk takes from the same place.
INLINE void take_one_own(enum access k, const char *p, u32v v[4]) {
    uint32_t whole[4] = {0};
    if (access_bytes(k) <= 4) {
        take_one(k, p, v);
        return;
    }
    memcpy(whole, p, access_bytes(k));
    for (unsigned d = 0; d < access_dwords(k); d++) v[d] = splat32(whole[d]);
}

// The lanes m of a chunk of elements; p is where lane 0 is or would be.
INLINE void take_lanes(enum access k, const char *p, lmask m, u32v v[4]) {
    const unsigned size = access_bytes(k);
#if defined(MASKED_SHORTS)
    if (size < 4) {
        v[0] = size == 1 ? widen8_masked(p, m, access_signed(k)) : widen16_masked(p, m, access_signed(k));
        return;
    }
#endif
#if defined(MASKED_DWORDS)
    if (size >= 4) {
        uint64_t dwords = repeat_bits(m, size / 4);
        u32v q[4];
        for (unsigned d = 0; d < size / 4; d++)
            q[d] = vector_masked(p + d * VB, (lmask)(dwords >> d * LANES));
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
#if defined(MASKED_SHORTS)
    if (size == 1) {
        narrow8_masked(p, m, v[0]);
        return;
    }
    if (size == 2) {
        narrow16_masked(p, m, v[0]);
        return;
    }
#endif
#if defined(MASKED_DWORDS)
    if (size >= 4) {
        uint64_t dwords = repeat_bits(m, size / 4);
        u32v q[4];
        zip(size / 4, v, q);
        for (unsigned d = 0; d < size / 4; d++)
            put_vector_masked(p + d * VB, (lmask)(dwords >> d * LANES), q[d]);
        return;
    }
#endif
    char bounce[LANES * 16];
    give(k, bounce, v);
    OVER_LANES(m, lane) memcpy(p + lane * size, bounce + lane * size, size);
}

// ---- Scattered elements ----
#if defined(GATHERS_FAST)
// The low bits of a dword as an element of fewer bytes than 4.
INLINE u32v extend_short(enum access k, u32v dword) {
    const unsigned unused = 32 - 8 * access_bytes(k);
    if (access_signed(k)) return (u32v)((i32v)(dword << unused) >> unused);
    return dword & (~0u >> unused);
}
// Whether each element of fewer bytes than 4 is in one aligned dword of the range, which then may be read for
// it. An offset that wraps where the base is made a dword's address counts as outside.
INLINE bool all_in_dwords(const struct range *r, uint64_t base, u32v offset, unsigned size, lmask m) {
    const u32v byte = (offset + ((uint32_t)base & 3)) & 3;
    struct range whole = {(r->lo + 3) & ~3ull, r->last - 3};
    whole.last |= 3; // the last byte of the last aligned dword
    return r->last >= 7 && all_in_cached(&whole, base, offset, size, m) &&
           !((above32(byte, splat32(4 - size)) | above32(offset, splat32(0u - 4))) & m);
}
INLINE u32v gather_short(enum access k, uint64_t host, u32v offset, lmask m) {
    const uint32_t skew = host & 3;
    const u32v from = offset + skew, byte = from & 3;
    return extend_short(k, gather32(host - skew, from - byte, m) >> byte * 8);
}
#endif
INLINE void gather(enum access k, const struct range *range, uint64_t base, u32v offset, lmask m, u32v v[4]) {
    const unsigned size = access_bytes(k);
    const uint64_t host = host_base(range, base);
    if (size == 4) {
        v[0] = gather32(host, offset, m);
        return;
    }
#if defined(WIDE_GATHERS)
    if (size == 8) {
        u32v q[4];
        gather64(host, offset, m, q);
        unzip(2, q, v);
        return;
    }
    if (size > 8) {
        gather_rows(host, offset, m, size / 4, v);
        return;
    }
#endif
#if defined(GATHERS_FAST)
    if (size < 4 && all_in_dwords(range, base, offset, size, m)) {
        v[0] = gather_short(k, host, offset, m);
        return;
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
#if defined(SCATTERS)
    if (size == 4) {
        scatter32(base, offset, m, v[0]);
        return;
    }
    if (size == 8) {
        u32v q[4];
        zip(2, v, q);
        scatter64(base, offset, m, q);
        return;
    }
    if (size > 8) {
        scatter_rows(base, offset, m, size / 4, v);
        return;
    }
#endif
    uint32_t at[LANES];
    char bounce[LANES * 16];
    memcpy(at, &offset, sizeof at);
    give(k, bounce, v);
    OVER_LANES(m, lane) memcpy((char *)(uintptr_t)(base + at[lane]), bounce + lane * size, size);
}

#endif
