// SPDX-License-Identifier: MIT
// Operations that look at other lanes or choose registers at run time, and those that do nothing.
// Operand conventions beyond the usual, all offsets:
//   v_readlane, v_readfirstlane   d scalar, a vector register, b scalar lane number
//   v_writelane                   d vector register, a scalar value, b scalar lane number
//   v_permlane*                   a vector register, b and c scalar selectors (var: b a vector register);
//                                 e bit 0: fetch inactive lanes, bit 1: bound control
//   *movrel*, v_swaprel           e is the offset of M0, c that of the first register behind the VGPRs
//   ds_swizzle                    a data, e the 16-bit offset
//   ds_permute, ds_bpermute       a addresses, b data, e the 16-bit offset, imm 1: lanes are counted in
//                                 halves of 32 (TRAP-246)
// Where a vector register is due, an encoding may still name a scalar or a constant: it counts in every lane.
#include "exec/body/body.h"
#include "exec/body/flags.h"

// Never in compiled code: translation spreads such operands.
INLINE bool is_scalar(uint32_t offset) {
#if defined(FUSED)
    (void)offset;
    return false;
#else
    return offset < WAVE_OFFSET(temp) || offset & OP_RELATIVE;
#endif
}
INLINE uint32_t any_lane(struct wave *w, const struct op *op, uint32_t offset, unsigned lane) {
    return lane32(w, op, offset, lane, is_scalar(offset));
}

#define SPECIAL_BODY(name, ...)                                                                              \
    SPECIAL(name) {                                                                                          \
        __VA_ARGS__;                                                                                         \
        NEXT;                                                                                                \
    }
SPECIAL_BODY(v_nop, (void)w)
SPECIAL_BODY(v_swap_b32, EACH_CHUNK(w, const u32v a = reg_at(w, op->a)[i]; const u32v d = reg_at(w, op->d)[i];
                                    store32(w, op->d, i, m, FULL, a); store32(w, op->a, i, m, FULL, d)))

// ---- One lane (TRAP-228, TRAP-229) ----
// Of a register, whichever: compiled code takes it from a copy, as what it works on has no addresses, and
// translation gives it vector registers only.
INLINE uint32_t chosen_lane(struct wave *w, const struct op *op, wave_place offset, unsigned lane) {
#if defined(FUSED)
    uint32_t copy[STENCIL];
    (void)op;
    memcpy(copy, reg_at(w, offset), sizeof copy);
    return copy[lane];
#else
    return any_lane(w, op, offset, lane);
#endif
}
INLINE void put_chosen_lane(struct wave *w, wave_place offset, unsigned lane, uint32_t v) {
#if defined(FUSED)
    EACH_BITS(w, u32v *r = &reg_at(w, offset)[i];
              *r = select32((i32v)(LANE_INDEX + i * LANES == splat32(lane)), splat32(v), *r));
#else
    put_lane32(w, offset, lane, v);
#endif
}
// An EXEC of zero reads lane 0.
SPECIAL_BODY(v_readfirstlane_b32, const uint64_t exec = exec_of(w);
             put32(w, op->d, chosen_lane(w, op, op->a, exec ? (unsigned)__builtin_ctzll(exec) : 0)))
SPECIAL_BODY(v_readlane_b32, put32(w, op->d, chosen_lane(w, op, op->a, S1 &(wave_lanes(w) - 1))))
SPECIAL_BODY(v_writelane_b32, put_chosen_lane(w, op->d, S1 &(wave_lanes(w) - 1), S0))

// ---- Permutations of lanes ----
enum { COPY_CHUNKS = MAX_LANES / LANES };
INLINE void copy_lanes(struct wave *w, const struct op *op, u32v to[COPY_CHUNKS], wave_place offset) {
    if (is_scalar(offset)) {
        for (unsigned i = 0; i < COPY_CHUNKS; i++) to[i] = splat32(get32(w, op, offset));
        return;
    }
    EACH_BITS(w, to[i] = reg_at(w, offset)[i]);
}
// Inactive lanes read as zero (TRAP-242, TRAP-248).
INLINE void copy_active(struct wave *w, const struct op *op, u32v to[COPY_CHUNKS], wave_place offset) {
    copy_lanes(w, op, to, offset);
    if (exec_full(w)) return;
    const uint64_t exec = exec_of(w);
    EACH_BITS(w, to[i] = blend32((lmask)(exec >> (i * LANES)) & ALL_LANES, to[i], splat32(0)));
}
// Each lane's pick, below wave_lanes(w), among the lanes of the copy.
INLINE u32v pick_lanes(const struct wave *w, const u32v copy[COPY_CHUNKS], u32v pick) {
#if defined(LEVEL_v4)
    const __m512i *from = (const __m512i *)copy, by = (__m512i)pick;
    const u32v low = (u32v)_mm512_permutex2var_epi32(from[0], by, from[1]);
    if (wave_lanes(w) == 32) return low;
    return select32((i32v)((pick & 32) != 0), (u32v)_mm512_permutex2var_epi32(from[2], by, from[3]), low);
#elif defined(LEVEL_v3)
    (void)w;
    return (u32v)_mm256_i32gather_epi32((const int *)copy, (__m256i)pick, 4);
#else
    u32v r;
    (void)w;
    for (int l = 0; l < LANES; l++) r[l] = ((const uint32_t *)copy)[pick[l]];
    return r;
#endif
}
// Each lane's source by a vector expression over its lane number n, with inactive sources as zero or as they
// are. Apart from the handlers, because a handler whose local memory escapes is not left by a tail call; in
// pieces the copy is in registers.
#if defined(STENCIL)
#define PICKS_FUNCTION INLINE
#else
#define PICKS_FUNCTION static __attribute__((noinline))
#endif
#define PICKS(name, copy_function, ...)                                                                      \
    PICKS_FUNCTION void name(struct wave *w, const struct op *op) {                                          \
        u32v copy[COPY_CHUNKS];                                                                              \
        copy_function;                                                                                       \
        EACH_CHUNK(w, const u32v n = LANE_INDEX + i * LANES; D32(pick_lanes(w, copy, (__VA_ARGS__))));       \
    }
// Within a row of 16, or from the other row of a pair (flip 16), by 4 bits for each lane (TRAP-237,
// TRAP-239). Without flags a lane whose source is inactive keeps its value.
INLINE u32v selected(struct wave *w, const struct op *op, u32v n, unsigned i, bool var) {
    if (var) return load32(w, op, op->b, i, is_scalar(op->b)) & 15;
    return select32((i32v)((n & 8) != 0), splat32(S2), splat32(S1)) >> ((n & 7) << 2) & 15;
}
#define PERMLANE16(name, flip, var)                                                                          \
    PICKS(name##_picks, if (op->e & PERMLANE_INACTIVE) copy_lanes(w, op, copy, op->a);                       \
          else copy_active(w, op, copy, op->a), ((n & 48) ^ (flip)) | selected(w, op, n, i, var))            \
    PICKS_FUNCTION void name##_keeping(struct wave *w, const struct op *op) {                                \
        u32v copy[COPY_CHUNKS], active[COPY_CHUNKS];                                                         \
        copy_lanes(w, op, copy, op->a);                                                                      \
        const uint64_t exec = exec_of(w);                                                                    \
        EACH_BITS(w, active[i] = (u32v)mask_lanes((lmask)(exec >> (i * LANES)) & ALL_LANES));                \
        EACH_CHUNK(w, const u32v n = LANE_INDEX + i * LANES;                                                 \
                   const u32v from = ((n & 48) ^ (flip)) | selected(w, op, n, i, var); D32(select32(         \
                       (i32v)pick_lanes(w, active, from), pick_lanes(w, copy, from), reg_at(w, op->d)[i]))); \
    }                                                                                                        \
    SPECIAL_BODY(name, if (op->e & PERMLANE_FLAGS || exec_full(w)) name##_picks(w, op);                      \
                 else name##_keeping(w, op))
PERMLANE16(v_permlane16_b32, 0, false)
PERMLANE16(v_permlanex16_b32, 16, false)
PERMLANE16(v_permlane16_var_b32, 0, true)
PERMLANE16(v_permlanex16_var_b32, 16, true)
// The halves of a wave64; nothing in wave32 (TRAP-238).
SPECIAL_BODY(
    v_permlane64_b32, if (wave_lanes(w) == 64) {
        u32v copy[COPY_CHUNKS];
        copy_lanes(w, op, copy, op->a);
        EACH_CHUNK(w, D32(copy[i ^ 32 / LANES]));
    })

// ---- LDS permutations, which use no memory ----
INLINE u32v reverse5(u32v n) { return (n & 1) << 4 | (n & 2) << 2 | (n & 4) | (n >> 2 & 2) | (n >> 4 & 1); }
// The lanes that lanes l read, within their 32 (TRAP-241).
INLINE u32v swizzled(unsigned offset, u32v l) {
    const u32v n = l & 31;
    const unsigned mask = offset & 31, by = offset >> 5 & 31;
    u32v from;
    if (offset >= 0xe000) // FFT
        from = reverse5(n) >> (unsigned)__builtin_popcount(mask) | (n & mask);
    else if (offset >= 0xc000) // rotation
        from = (n & mask) | ((offset & 0x400 ? n - by : n + by) & ~mask & 31);
    else if (offset & 0x8000)
        from = (n & ~3u) | (splat32(offset) >> ((n & 3) << 1) & 3);
    else
        from = ((n & mask) | by) ^ (offset >> 10 & 31);
    return (l & 32) | from;
}
PICKS(swizzle, copy_active(w, op, copy, op->a), swizzled(op->e & 0xffff, n))
SPECIAL_BODY(ds_swizzle_b32, swizzle(w, op))
// The lanes that addresses name, seen from lanes n (TRAP-244 to TRAP-246).
INLINE u32v addressed(const struct wave *w, const struct op *op, u32v address, u32v n) {
    const u32v lane = (address + op->e) >> 2;
    return op->imm ? (n & 32) | (lane & 31) : lane & (wave_lanes(w) - 1);
}
#define ADDRESSED addressed(w, op, load32(w, op, op->a, i, is_scalar(op->a)), n)
PICKS(bpermute, copy_active(w, op, copy, op->b), ADDRESSED)
SPECIAL_BODY(ds_bpermute_b32, bpermute(w, op))
// The same from lanes that do not execute, too.
PICKS(bpermute_any, copy_lanes(w, op, copy, op->b), ADDRESSED)
SPECIAL_BODY(ds_bpermute_fi_b32, bpermute_any(w, op))
// The highest lane that writes to a place wins; places without a writer get zero (TRAP-247).
SPECIAL_BODY(ds_permute_b32, uint32_t to[MAX_LANES]; uint32_t from[MAX_LANES]; uint32_t out[MAX_LANES] = {0};
             EACH_BITS(w, const u32v n = LANE_INDEX + i * LANES; const u32v lanes = ADDRESSED;
                       memcpy(to + i * LANES, &lanes, VB);
                       memcpy(from + i * LANES, &reg_at(w, op->b)[i], VB));
             EACH_LANE(w, out[to[l]] = from[l]);
             EACH_CHUNK(w, u32v v; memcpy(&v, out + i * LANES, VB); D32(v)))

// ---- Registers chosen by M0 (TRAP-120, TRAP-121) ----
// A source outside the wave's registers reads v0; a destination outside makes the operation nothing.
#define NOWHERE UINT32_MAX
INLINE uint32_t moved(const struct wave *w, const struct op *op, uint32_t offset, uint32_t by) {
    if (offset < WAVE_OFFSET(v) || offset & OP_RELATIVE) return NOWHERE;
    const uint64_t at = offset + (uint64_t)by * wave_stride(w);
    return at < op->c ? (uint32_t)at : NOWHERE;
}
INLINE uint32_t moved_source(const struct wave *w, const struct op *op, uint32_t by) {
    const uint32_t at = moved(w, op, op->a, by);
    return at == NOWHERE ? WAVE_OFFSET(v) : at;
}
INLINE void move_register(struct wave *w, uint32_t to, uint32_t from) {
    if (to == NOWHERE) return;
    EACH_CHUNK(w, store32(w, to, i, m, FULL, reg_at(w, from)[i]));
}
#define M0        get32(w, op, op->e)
#define M0_SOURCE (M0 & 0x3ff)
#define M0_TARGET (M0 >> 16 & 0x3ff)
SPECIAL_BODY(v_movrels_b32, move_register(w, op->d, moved_source(w, op, M0)))
SPECIAL_BODY(v_movrelsd_b32, move_register(w, moved(w, op, op->d, M0), moved_source(w, op, M0)))
SPECIAL_BODY(v_movrelsd_2_b32,
             move_register(w, moved(w, op, op->d, M0_TARGET), moved_source(w, op, M0_SOURCE)))
SPECIAL_BODY(v_movreld_b32, const uint32_t to = moved(w, op, op->d, M0); const bool sa = is_scalar(op->a);
             if (to != NOWHERE) EACH_CHUNK(w, store32(w, to, i, m, FULL, A32)))
SPECIAL_BODY(v_swaprel_b32, const uint32_t from = moved(w, op, op->a, M0_SOURCE);
             const uint32_t to = moved(w, op, op->d, M0_TARGET); if (from != NOWHERE && to != NOWHERE)
                 EACH_CHUNK(w, const u32v x = reg_at(w, from)[i]; const u32v y = reg_at(w, to)[i];
                            store32(w, to, i, m, FULL, x); store32(w, from, i, m, FULL, y)))

// Two registers exchange groups of lanes: the odd groups of the destination with the even ones of the source.
// Only executing lanes are written.
INLINE void swap_groups(struct wave *w, const struct op *op, unsigned size) {
    const unsigned chunks = size / LANES;
    const uint64_t exec = exec_of(w);
    if (wave_lanes(w) < 2 * size) return;
    EACH_BITS(w, if (i & chunks) continue; u32v *a = &reg_at(w, op->a)[i];
              u32v *d = &reg_at(w, op->d)[i + chunks]; const u32v x = *a; const u32v y = *d;
              store_masked(a, (lmask)(exec >> (i * LANES)) & ALL_LANES, y);
              store_masked(d, (lmask)(exec >> ((i + chunks) * LANES)) & ALL_LANES, x));
}
SPECIAL_BODY(v_permlane16_swap_b32, swap_groups(w, op, 16))
SPECIAL_BODY(v_permlane32_swap_b32, swap_groups(w, op, 32))
BODY(v_swap_b16, .shape = SHAPE_SPECIAL); // steps alone (decode/vector.c)
