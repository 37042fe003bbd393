// SPDX-License-Identifier: MIT
// 32- and 64-bit integer and bit operations of the vector ALU, and the moves.
// Lane masks (carries, selectors) are scalar registers; the mask that an operation writes has 0 for inactive
// lanes (TRAP-110). Shift counts are masked to the operand's width (TRAP-107). Integer clamp, where an
// encoding has it, is BODY_CLAMP and saturates the exact result (TRAP-109); it is rare and runs by lane.
#include "exec/body/body.h"
#include "exec/body/flags.h"

// ---- Saturation ----
// `exact` is the result over 64-bit integers a, b, c.
#define SATURATE_i32(v) ((v) < INT32_MIN ? INT32_MIN : (v) > INT32_MAX ? INT32_MAX : (v))
#define SATURATE_u32(v) ((v) < 0 ? 0 : (v) > UINT32_MAX ? UINT32_MAX : (v))
#if defined(STENCIL)
#define CLAMPED(name, T, exact, third) RARE_BITS(name, BODY_CLAMP)
#define CLAMP_LANES(...)               (void)0
#else
#define CLAMP_LANES(name, ...) name##_clamped(__VA_ARGS__)
#define CLAMPED(name, T, exact, third)                                                                       \
    static __attribute__((noinline)) void name##_clamped(struct wave *w, const struct op *op, bool sa,       \
                                                         bool sb, bool sc) {                                 \
        (void)sc;                                                                                            \
        EACH_LANE(w, const int64_t a = (T##_t)lane32(w, op, op->a, l, sa);                                   \
                  const int64_t b = (T##_t)lane32(w, op, op->b, l, sb); const int64_t c = third; (void)c;    \
                  const int64_t v = (exact); put_lane32(w, op->d, l, (uint32_t)(SATURATE_##T(v))));          \
    }
#endif
typedef int32_t i32_t;
typedef uint32_t u32_t;
// T is i32 or u32: the vector expression, and the exact scalar one for clamp.
#define BINOP_CLAMP(name, T, expr, exact)                                                                    \
    CLAMPED(name, T, exact, 0)                                                                               \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        if (UNLIKELY(RARE(op, BODY_CLAMP)))                                                                  \
            CLAMP_LANES(name, w, op, sa, sb, sc);                                                            \
        else                                                                                                 \
            EACH_CHUNK(w, T##v a = (T##v)A32; T##v b = (T##v)B32_; D32(expr));                               \
    }                                                                                                        \
    VECTOR2(name)
#define TRIOP_CLAMP(name, T, expr, exact)                                                                    \
    CLAMPED(name, T, exact, (T##_t)lane32(w, op, op->c, l, sc))                                              \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        if (UNLIKELY(RARE(op, BODY_CLAMP)))                                                                  \
            CLAMP_LANES(name, w, op, sa, sb, sc);                                                            \
        else                                                                                                 \
            EACH_CHUNK(w, T##v a = (T##v)A32; T##v b = (T##v)B32_; T##v c = (T##v)C32; D32(expr));           \
    }                                                                                                        \
    VECTOR3(name)

// ---- Moves ----
UNOP(v_mov_b32, u32v, a)
UNOP64(v_mov_b64, u64v, a)
// The third operand is a lane mask. Two scalar sources are frequent here, so there is a variant for them.
TEMPLATE(v_cndmask_b32) {
    UNUSED_OPERANDS;
    uint64_t mask = get_mask(w, op, op->c);
    EACH_CHUNK(w, const u32v a = A32; const u32v b = B32_;
               D32(blend32((lmask)(mask >> (i * LANES)) & ALL_LANES, b, a)));
}
VARIANT(v_cndmask_b32, vv, 0, 0, 0)
VARIANT(v_cndmask_b32, sv, 1, 0, 0)
VARIANT(v_cndmask_b32, vs, 0, 1, 0)
VARIANT(v_cndmask_b32, ss, 1, 1, 0)
BODY(v_cndmask_b32, .shape = SHAPE_VECTOR2,
     .fn = {v_cndmask_b32_vv, v_cndmask_b32_sv, v_cndmask_b32_vs, v_cndmask_b32_ss});

// ---- Addition and subtraction ----
BINOP_CLAMP(v_add_nc_u32, u32, a + b, a + b)
BINOP_CLAMP(v_sub_nc_u32, u32, a - b, a - b)
BINOP_CLAMP(v_subrev_nc_u32, u32, b - a, b - a)
BINOP_CLAMP(v_add_nc_i32, i32, (u32v)a + (u32v)b, a + b)
BINOP_CLAMP(v_sub_nc_i32, i32, (u32v)a - (u32v)b, a - b)
TRIOP(v_add3_u32, u32v, a + b + c)
TRIOP(v_lshl_add_u32, u32v, (a << (b & 31)) + c)
TRIOP(v_add_lshl_u32, u32v, (a + b) << (c & 31))
TRIOP(v_xad_u32, u32v, (a ^ b) + c)

// With carry: r is the result, k the bits carried in, `carry` those carried or borrowed out. op->e is the
// lane mask to write with BODY_CLAMP in its free bit 0: lanes that carry take `limit`, the carry stays as it
// is (TRAP-463).
#define CLAMPS RARE(op, BODY_CLAMP)
#if !defined(STENCIL)
#define CARRIED (op->e & ~(uint32_t)BODY_CLAMP)
#else
#define CARRIED op->e
#endif
#define LIMITED(r, t, l) (UNLIKELY(CLAMPS) ? blend32(truth_bits(t), splat32(l), (r)) : (r))
#define CARRY_OUT(name, result, carry, limit)                                                                \
    RARE_BITS(name, BODY_CLAMP)                                                                              \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK_TRUTH(w, CARRIED, const u32v a = A32; const u32v b = B32_; const u32v r = (result);       \
                         const truth t = (carry); D32(LIMITED(r, t, limit)));                                \
    }                                                                                                        \
    VECTOR2(name)
CARRY_OUT(v_add_co_u32, a + b, less_u32(r, a), ~0u)
CARRY_OUT(v_sub_co_u32, a - b, less_u32(a, b), 0)
CARRY_OUT(v_subrev_co_u32, b - a, less_u32(b, a), 0)
#if defined(JOINED_TRUTHS)
#define CARRY_IN    (void)0
#define CARRY_OF(i) mask_part(w, op, op->c, i)
#else
#define CARRY_IN    const uint64_t in = get_mask(w, op, op->c)
#define CARRY_OF(i) truth_of((lmask)(in >> (i * LANES)) & ALL_LANES)
#endif
#define CARRY_IN_OUT(name, result, carry, limit)                                                             \
    RARE_BITS(name, BODY_CLAMP)                                                                              \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        CARRY_IN;                                                                                            \
        EACH_CHUNK_TRUTH(w, CARRIED, const u32v a = A32; const u32v b = B32_; const truth k = CARRY_OF(i);   \
                         const u32v r = (result); const truth t = (carry); D32(LIMITED(r, t, limit)));       \
    }                                                                                                        \
    VECTOR2(name)
CARRY_IN_OUT(v_add_co_ci_u32, add_truth(a + b, k), less_u32(r, a) | equal_and(k, r, a), ~0u)
CARRY_IN_OUT(v_sub_co_ci_u32, sub_truth(a - b, k), less_u32(a, b) | equal_and(k, a, b), 0)
CARRY_IN_OUT(v_subrev_co_ci_u32, sub_truth(b - a, k), less_u32(b, a) | equal_and(k, a, b), 0)

// ---- Multiplication ----
BINOP(v_mul_lo_u32, u32v, a *b)
BINOP(v_mul_hi_u32, u32v, wide_u32(a, b).hi)
BINOP(v_mul_hi_i32, i32v, wide_i32(a, b).hi)
// Only bits 23:0 of the sources count (TRAP-114).
#define U24(x)       ((x)&0xffffff)
#define I24(x)       ((i32v)((u32v)(x) << 8) >> 8)
#define EXACT_I24(x) ((int64_t)((uint64_t)(x) << 40) >> 40)
BINOP_CLAMP(v_mul_u32_u24, u32, U24(a) * U24(b), U24(a) * U24(b))
BINOP_CLAMP(v_mul_i32_i24, i32, (u32v)I24(a) * (u32v)I24(b), EXACT_I24(a) * EXACT_I24(b))
BINOP(v_mul_hi_u32_u24, u32v, wide_u32(U24(a), U24(b)).hi)
BINOP(v_mul_hi_i32_i24, i32v, wide_i32(I24(a), I24(b)).hi)
TRIOP_CLAMP(v_mad_u32_u24, u32, U24(a) * U24(b) + c, U24(a) * U24(b) + c)
TRIOP_CLAMP(v_mad_i32_i24, i32, (u32v)I24(a) * (u32v)I24(b) + (u32v)c, EXACT_I24(a) * EXACT_I24(b) + c)
#define U16(x)       ((x)&0xffff)
#define I16(x)       ((i32v)((u32v)(x) << 16) >> 16)
#define EXACT_I16(x) ((int64_t)(int16_t)(x))
TRIOP_CLAMP(v_mad_u32_u16, u32, U16(a) * U16(b) + c, U16(a) * U16(b) + c)
TRIOP_CLAMP(v_mad_i32_i16, i32, (u32v)(I16(a) * I16(b)) + (u32v)c, EXACT_I16(a) * EXACT_I16(b) + c)

// 65-bit results: the top bit goes to the lane mask (TRAP-112). Sums of halves, so that nothing is
// rearranged; with signs, the top bit is the sum of both signs and the carry out of bit 63.
#define C_HIGH load32(w, op, op->c + (sc ? 4 : wave_stride(w)), i, sc)
// Clamp saturates to 64 bits; nothing that compiles to it is known, so it runs by lane.
#if !defined(STENCIL)
static __attribute__((noinline)) void mad64_clamped(struct wave *w, const struct op *op, bool sa, bool sb,
                                                    bool sc, bool is_signed) {
    uint64_t bits = 0;
    EACH_LANE(w, const uint32_t a = lane32(w, op, op->a, l, sa);
              const uint32_t b = lane32(w, op, op->b, l, sb); const uint64_t c = lane64(w, op, op->c, l, sc);
              const __int128 exact = is_signed ? (__int128)((int64_t)(int32_t)a * (int32_t)b) + (int64_t)c
                                               : (__int128)((uint64_t)a * b) + c;
              const __int128 least = is_signed ? INT64_MIN : 0;
              const __int128 most = is_signed ? INT64_MAX : (__int128)UINT64_MAX;
              bits |= (uint64_t)((uint64_t)(exact >> 64) & 1) << l;
              put_lane64(w, op->d, l,
                         (uint64_t)(exact < least  ? least
                                    : exact > most ? most
                                                   : exact)));
    put_mask(w, CARRIED, bits);
}
#else
#define mad64_clamped(...) (void)0
#endif
#define MAD64(name, T, product, top, is_signed)                                                              \
    RARE_BITS(name, BODY_CLAMP)                                                                              \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        if (UNLIKELY(CLAMPS)) {                                                                              \
            mad64_clamped(w, op, sa, sb, sc, is_signed);                                                     \
            return;                                                                                          \
        }                                                                                                    \
        EACH_CHUNK_TRUTH(w, CARRIED, const u32x2 p = product((T)A32, (T)B32_); const u32v lo = p.lo + C32;   \
                         const u32v c = C_HIGH; const truth k = less_u32(lo, p.lo);                          \
                         const u32v hi = add_truth(p.hi + c, k);                                             \
                         const truth carry = less_u32(hi, c) | equal_and(k, hi, c); const truth t = (top);   \
                         D32(lo); store32(w, op->d + wave_stride(w), i, m, FULL, hi));                       \
    }                                                                                                        \
    VECTOR3(name)
MAD64(v_mad_co_u64_u32, u32v, wide_u32, carry, false)
MAD64(v_mad_co_i64_i32, i32v, wide_i32, carry ^ less_i32((i32v)(p.hi ^ c), (i32v){0}), true)
// The same without a carry out.
#define MAD64_NC(name, T, product)                                                                           \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK(w, const u32x2 p = product((T)A32, (T)B32_); const u32v lo = p.lo + C32;                  \
                   const u32v hi = add_truth(p.hi + C_HIGH, less_u32(lo, p.lo)); D32(lo);                    \
                   store32(w, op->d + wave_stride(w), i, m, FULL, hi));                                      \
    }                                                                                                        \
    VECTOR3(name)
MAD64_NC(v_mad_nc_u64_u32, u32v, wide_u32)
MAD64_NC(v_mad_nc_i64_i32, i32v, wide_i32)
TRIOP(v_mad_u32, u32v, a *b + c)
// ---- Logic ----
UNOP(v_not_b32, u32v, ~a)
BINOP(v_and_b32, u32v, a &b)
BINOP(v_or_b32, u32v, a | b)
BINOP(v_xor_b32, u32v, a ^ b)
BINOP(v_xnor_b32, u32v, ~(a ^ b))
TRIOP(v_and_or_b32, u32v, (a & b) | c)
TRIOP(v_or3_b32, u32v, a | b | c)
TRIOP(v_xor3_b32, u32v, a ^ b ^ c)
TRIOP(v_lshl_or_b32, u32v, (a << (b & 31)) | c)
TRIOP(v_bfi_b32, u32v, (a & b) | (~a & c))

// ---- Shifts and bit fields ----
BINOP(v_lshlrev_b32, u32v, b << (a & 31))
BINOP(v_lshrrev_b32, u32v, b >> (a & 31))
BINOP(v_ashrrev_i32, i32v, b >> (a & 31))
BINOP(v_lshl_b32, u32v, a << (b & 31))
BINOP(v_lshr_b32, u32v, a >> (b & 31))
BINOP(v_ashr_i32, i32v, a >> (b & 31))
#if defined(FUSED) // where the count is often known: halves by themselves, as hosts give 0 for counts above
                   // 31
#if VB == 64
#define SHIFT_LEFT(v, n)  ((u32v)_mm512_sllv_epi32((__m512i)(v), (__m512i)(n)))
#define SHIFT_RIGHT(v, n) ((u32v)_mm512_srlv_epi32((__m512i)(v), (__m512i)(n)))
#else
#define SHIFT_LEFT(v, n)  ((u32v)_mm256_sllv_epi32((__m256i)(v), (__m256i)(n)))
#define SHIFT_RIGHT(v, n) ((u32v)_mm256_srlv_epi32((__m256i)(v), (__m256i)(n)))
#endif
INLINE u64x2 shift_left64(u64x2 v, u32v n) {
    const u32v lo = split_lo(v), hi = split_hi(v);
    return join64(SHIFT_LEFT(lo, n), SHIFT_LEFT(hi, n) | SHIFT_RIGHT(lo, 32 - n) | SHIFT_LEFT(lo, n - 32));
}
INLINE u64x2 shift_right64(u64x2 v, u32v n) {
    const u32v lo = split_lo(v), hi = split_hi(v);
    return join64(SHIFT_RIGHT(lo, n) | SHIFT_LEFT(hi, 32 - n) | SHIFT_RIGHT(hi, n - 32), SHIFT_RIGHT(hi, n));
}
#define SHIFT_HALVES(name, value, count, shift)                                                              \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK(w, D64(shift(value, (count)&63)));                                                        \
    }                                                                                                        \
    VECTOR2(name)
#endif
#define SHIFT64(name, value, count, T, op_)                                                                  \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK(w, const u64x2 v = value; const u64x2 n = join64((count)&63, splat32(0));                 \
                   D64(((u64x2){(u64v)((T)v.x op_ n.x), (u64v)((T)v.y op_ n.y)})));                          \
    }                                                                                                        \
    VECTOR2(name)
#if defined(FUSED)
SHIFT_HALVES(v_lshlrev_b64, B64_, A32, shift_left64)
SHIFT_HALVES(v_lshrrev_b64, B64_, A32, shift_right64)
#else
SHIFT64(v_lshlrev_b64, B64_, A32, u64v, <<)
SHIFT64(v_lshrrev_b64, B64_, A32, u64v, >>)
#endif
SHIFT64(v_ashrrev_i64, B64_, A32, i64v, >>)
SHIFT64(v_lshl_b64, A64, B32_, u64v, <<)
SHIFT64(v_lshr_b64, A64, B32_, u64v, >>)
SHIFT64(v_ashr_i64, A64, B32_, i64v, >>)

// Three bits of the count are used (TRAP-108).
#if defined(FUSED)
INLINE u64x2 add64(u64x2 a, u64x2 b) {
    const u32v lo = split_lo(a) + split_lo(b);
    return join64(lo, add_truth(split_hi(a) + split_hi(b), less_u32(lo, split_lo(a))));
}
INLINE u64x2 shifted_sum(u64x2 a, u32v n, u64x2 c) { return add64(shift_left64(a, n), c); }
#else
INLINE u64x2 shifted_sum(u64x2 a, u32v count, u64x2 c) {
    const u64x2 n = join64(count, splat32(0));
    return (u64x2){(a.x << n.x) + c.x, (a.y << n.y) + c.y};
}
#endif
BINOP64(v_add_nc_u64, u64v, a + b)
BINOP64(v_sub_nc_u64, u64v, a - b)
BINOP64(v_mul_u64, u64v, a *b)
#define CHOOSE64(first, a, b) (((u64v)(first) & (u64v)(a)) | (~(u64v)(first) & (u64v)(b)))
BINOP64(v_min_u64, u64v, CHOOSE64(a < b, a, b))
BINOP64(v_max_u64, u64v, CHOOSE64(a > b, a, b))
BINOP64(v_min_i64, i64v, CHOOSE64(a < b, a, b))
BINOP64(v_max_i64, i64v, CHOOSE64(a > b, a, b))
TEMPLATE(v_lshl_add_u64) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, D64(shifted_sum(A64, B32_ & 7, C64)));
}
VECTOR3(v_lshl_add_u64)
// Offset and width have five bits each (TRAP-106).
#define ONES(n) ((splat32(1) << (n)) - 1)
TRIOP(v_bfe_u32, u32v, a >> (b & 31) & ONES(c & 31))
INLINE u32v field_i32(i32v a, u32v offset, u32v width) {
    const u32v off = -width & 31; // what stands above the field
    return (u32v)((i32v)((u32v)(a >> offset) << off) >> off) & (u32v)(width != 0);
}
TRIOP(v_bfe_i32, u32v, field_i32((i32v)a, b & 31, c & 31))
BINOP(v_bfm_b32, u32v, ONES(a & 31) << (b & 31))
// {a, b} >> n for n below 32; the high part is shifted twice so that n = 0 stays defined (TRAP-104).
INLINE u32v funnel(u32v high, u32v low, u32v n) { return (high << 1 << (31 - n)) | low >> n; }
TRIOP(v_alignbit_b32, u32v, funnel(a, b, c & 31))
TRIOP(v_alignbyte_b32, u32v, funnel(a, b, (c & 3) << 3))

// ---- Bit counts and permutations ----
BINOP(v_bcnt_u32_b32, u32v, popcount32(a) + b)
// Bits of the lanes below each lane, among the 32 lanes from `first`; the chunk begins at lane `base`.
INLINE u32v lanes_below(unsigned base, unsigned first) {
    if (base >= first + 32) return splat32(~0u);
    if (base + LANES <= first) return splat32(0);
    return ONES(LANE_INDEX + (base - first));
}
BINOP(v_mbcnt_lo_u32_b32, u32v, popcount32(a &lanes_below(i *LANES, 0)) + b)
BINOP(v_mbcnt_hi_u32_b32, u32v, popcount32(a &lanes_below(i *LANES, 32)) + b)
// Searches give -1 when nothing is found (TRAP-057).
INLINE u32v or_none(u32v count) { return count | (u32v)(count == 32); }
UNOP(v_clz_i32_u32, u32v, or_none(leading_zeros32(a)))
UNOP(v_cls_i32, u32v, or_none(leading_zeros32(a ^ (u32v)((i32v)a >> 31))))
UNOP(v_ctz_i32_b32, u32v, or_none(popcount32(~a &(a - 1))))
INLINE u32v reverse_bits(u32v v) {
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    v = (v >> 8 & 0x00ff00ff) | (v & 0x00ff00ff) << 8;
    return v >> 16 | v << 16;
}
UNOP(v_bfrev_b32, u32v, reverse_bits(a))
// Bytes of {a, b} by selector: 0-7 a byte with b low, 8-11 the sign of bytes 1, 3, 5, 7, 12 zero, above 0xff
// (TRAP-105).
INLINE u8v signs(u8v v) { return (u8v)(v > 127); }
#if defined(HAVE_PICK_BYTES)
INLINE u32v permuted(u32v a, u32v b, u32v c) {
    // Bytes are picked within blocks of four lanes, and are zero where the index has its upper bit set. Most
    // selectors are constants: of these, compilers leave the two picks and a join.
    const u8v sel = (u8v)c, known = (u8v)(sel >= 12), sign = (u8v)(sel >= 8) & ~known;
    const u8v first = (u8v)((LANE_INDEX & 3) * 0x04040404);
    const u8v byte = first | (sel & 3 & ~sign) | (((sel + sel) | 1) & 3 & sign);
    const u8v in_a = (u8v)((sel & ((4 & ~sign) | (2 & sign))) != 0);
    const u8v r = pick_bytes((u8v)b, byte | in_a | known) | pick_bytes((u8v)a, byte | ~in_a | known);
    return (u32v)((r & ~sign) | (signs(r) & sign) | (u8v)(sel > 12));
}
#else
INLINE u32v permuted(u32v a, u32v b, u32v c) {
    u32v d;
    for (int l = 0; l < LANES; l++) {
        const uint64_t in = (uint64_t)a[l] << 32 | b[l];
        uint32_t r = 0;
        for (int k = 0; k < 32; k += 8) {
            const uint32_t sel = c[l] >> k & 0xff;
            const uint32_t byte = sel < 8    ? (uint32_t)(in >> (8 * sel)) & 0xff
                                  : sel < 12 ? (uint32_t)(in >> (16 * (sel - 8) + 15) & 1) * 0xff
                                             : (sel > 12) * 0xffu;
            r |= byte << k;
        }
        d[l] = r;
    }
    return d;
}
#endif
TRIOP(v_perm_b32, u32v, permuted(a, b, c))
// One step of a random sequence (TRAP-117).
UNOP(v_prng_b32, u32v, a << 1 ^ ((u32v)((i32v)a >> 31) & 197))
// Two shifted values to signed or unsigned bytes, into the lower half (TRAP-115).
INLINE u32v shifted_byte(u32v v, u32v by, int32_t lo, int32_t hi) {
    const i32v s = (i32v)v >> (i32v)(by & 31);
    return (u32v)min_i32(max_i32(s, (i32v)splat32((uint32_t)lo)), (i32v)splat32((uint32_t)hi)) & 0xff;
}
TRIOP(v_ashr_pk_i8_i32, u32v, shifted_byte(a, c, -128, 127) | shifted_byte(b, c, -128, 127) << 8)
TRIOP(v_ashr_pk_u8_i32, u32v, shifted_byte(a, c, 0, 255) | shifted_byte(b, c, 0, 255) << 8)
// Any function of three bits: op->e is its truth table, indexed by {a, b, c} (TRAP-044). Such a function is a
// sum without carries of products of its arguments; FACTOR tells whether a product is in it, from the rows
// whose bits are among the product's.
#define FACTOR(rows) splat32(-(uint32_t)__builtin_parity(op->e &(uint32_t)(rows)))
#define BITOP3_HALF(with)                                                                                    \
    (FACTOR(0x01 * with) ^ (a & FACTOR(0x11 * with)) ^ (b & FACTOR(0x05 * with)) ^                           \
     (a & b & FACTOR(0x55 * with)))
enum { WITHOUT_C = 1, WITH_C = 3 };
#define BITOP3 (BITOP3_HALF(WITHOUT_C) ^ (c & BITOP3_HALF(WITH_C)))
TRIOP(v_bitop3_b32, u32v, BITOP3)
BINOP(v_bitop2_b32, u32v, BITOP3_HALF(WITHOUT_C)) // its third source is 0
TRIOP(v_bitop3_b16, u32v, BITOP3 & 0xffff)

// ---- Minimum, maximum, median ----
BINOP(v_min_i32, i32v, min_i32(a, b))
BINOP(v_max_i32, i32v, max_i32(a, b))
BINOP(v_min_u32, u32v, min_u32(a, b))
BINOP(v_max_u32, u32v, max_u32(a, b))
TRIOP(v_min3_i32, i32v, min_i32(min_i32(a, b), c))
TRIOP(v_max3_i32, i32v, max_i32(max_i32(a, b), c))
TRIOP(v_min3_u32, u32v, min_u32(min_u32(a, b), c))
TRIOP(v_max3_u32, u32v, max_u32(max_u32(a, b), c))
TRIOP(v_med3_i32, i32v, max_i32(min_i32(a, b), min_i32(max_i32(a, b), c)))
TRIOP(v_med3_u32, u32v, max_u32(min_u32(a, b), min_u32(max_u32(a, b), c)))
TRIOP(v_minmax_i32, i32v, max_i32(min_i32(a, b), c))
TRIOP(v_maxmin_i32, i32v, min_i32(max_i32(a, b), c))
TRIOP(v_minmax_u32, u32v, max_u32(min_u32(a, b), c))
TRIOP(v_maxmin_u32, u32v, min_u32(max_u32(a, b), c))

// ---- Bytes: sums of absolute differences, averages ----
INLINE u32v byte_distances(u32v a, u32v b) { return (u32v)(max_u8((u8v)a, (u8v)b) - min_u8((u8v)a, (u8v)b)); }
INLINE u32v sum_bytes(u32v v) {
    v = (v & 0x00ff00ff) + (v >> 8 & 0x00ff00ff);
    return (v + (v >> 16)) & 0xffff;
}
// Distances where the byte of b, the reference, is not zero (TRAP-103).
INLINE u32v masked_distances(u32v a, u32v b) { return byte_distances(a, b) & ~(u32v)((u8v)b == 0); }
INLINE int64_t scalar_sad(uint32_t a, uint32_t b, bool masked) {
    int64_t sum = 0;
    for (int k = 0; k < 32; k += 8) {
        const int x = a >> k & 0xff, y = b >> k & 0xff;
        if (!masked || y) sum += x > y ? x - y : y - x;
    }
    return sum;
}
#define FAR(x, y) ((x) > (y) ? (x) - (y) : (y) - (x))
TRIOP_CLAMP(v_sad_u8, u32, sum_bytes(byte_distances(a, b)) + c,
            scalar_sad((uint32_t)a, (uint32_t)b, false) + c)
TRIOP_CLAMP(v_sad_hi_u8, u32, (sum_bytes(byte_distances(a, b)) << 16) + c,
            (scalar_sad((uint32_t)a, (uint32_t)b, false) << 16) + c)
TRIOP_CLAMP(v_msad_u8, u32, sum_bytes(masked_distances(a, b)) + c,
            scalar_sad((uint32_t)a, (uint32_t)b, true) + c)
INLINE u32v word_distances(u32v a, u32v b) {
    return (u32v)(max_u16((u16v)a, (u16v)b) - min_u16((u16v)a, (u16v)b));
}
INLINE u32v sum_words(u32v v) { return (v & 0xffff) + (v >> 16); }
TRIOP_CLAMP(v_sad_u16, u32, sum_words(word_distances(a, b)) + c,
            FAR(a & 0xffff, b & 0xffff) + FAR(a >> 16, b >> 16) + c)
TRIOP_CLAMP(v_sad_u32, u32, max_u32(a, b) - min_u32(a, b) + c, FAR(a, b) + c)
// Average of bytes, rounded up where bit 0 of the byte of c is set: carries cannot cross as the halves are
// summed.
TRIOP(v_lerp_u8, u32v,
      (a >> 1 & 0x7f7f7f7f) + (b >> 1 & 0x7f7f7f7f) + (((a & b) | ((a | b) & c)) & 0x01010101))

// A window of four bytes slides over eight of S0 (TRAP-116).
INLINE u32v window(u32v low, u32v high, unsigned k) {
    if (k) low = low >> (8 * k) | high << (32 - 8 * k);
    return low;
}
INLINE u32v window_sad(u32v low, u32v high, unsigned k, u32v reference, bool masked) {
    const u32v bytes = window(low, high, k);
    return sum_bytes(masked ? masked_distances(bytes, reference) : byte_distances(bytes, reference));
}
#define UPPER(x, scalar) load32(w, op, op->x + (scalar ? 4 : wave_stride(w)), i, scalar)
// Two sums of 16 bits, for the windows at k and k + 1, and their accumulators.
INLINE u32v two_sads(u32v low, u32v high, unsigned k, u32v reference, u32v sums, bool masked, bool clamp) {
    u32v x = window_sad(low, high, k, reference, masked) + (sums & 0xffff);
    u32v y = window_sad(low, high, k + 1, reference, masked) + (sums >> 16);
    if (UNLIKELY(clamp)) {
        x = min_u32(x, splat32(0xffff));
        y = min_u32(y, splat32(0xffff));
    }
    return (x & 0xffff) | y << 16;
}
#define QUAD_SAD(name, masked)                                                                               \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const bool clamp = op->e & BODY_CLAMP;                                                               \
        EACH_CHUNK(w, const u32v low = A32; const u32v high = UPPER(a, sa); const u32v b = B32_;             \
                   const u32v x = two_sads(low, high, 0, b, C32, masked, clamp);                             \
                   const u32v y = two_sads(low, high, 2, b, UPPER(c, sc), masked, clamp); D32(x);            \
                   store32(w, op->d + wave_stride(w), i, m, FULL, y));                                       \
    }                                                                                                        \
    VECTOR3(name)
QUAD_SAD(v_qsad_pk_u16_u8, false)
QUAD_SAD(v_mqsad_pk_u16_u8, true)
// Four accumulators of 32 bits; a scalar one, which can only be a constant, stands for all four.
TEMPLATE(v_mqsad_u32_u8) {
    UNUSED_OPERANDS;
    const bool clamp = op->e & BODY_CLAMP;
    EACH_CHUNK(
        w, const u32v low = A32; const u32v high = UPPER(a, sa); const u32v b = B32_; u32v r[4];
        for (unsigned k = 0; k < 4; k++) {
            const u32v c = load32(w, op, sc ? op->c : op->c + k * wave_stride(w), i, sc);
            r[k] = window_sad(low, high, k, b, true) + c;
            if (UNLIKELY(clamp)) r[k] |= (u32v)(r[k] < c);
        } for (unsigned k = 0; k < 4; k++) store32(w, op->d + k * wave_stride(w), i, m, FULL, r[k]));
}
VECTOR3(v_mqsad_u32_u8)

// ---- Dot products ----
// Element k of each lane, extended by its sign or by zeros.
#define ELEMENT_I(x, k, bits)          ((i32v)((u32v)(x) << (32 - (bits) * ((k) + 1))) >> (32 - (bits)))
#define ELEMENT_U(x, k, bits)          ((u32v)(x) << (32 - (bits) * ((k) + 1)) >> (32 - (bits)))
#define ELEMENT(x, k, bits, is_signed) ((is_signed) ? (u32v)ELEMENT_I(x, k, bits) : ELEMENT_U(x, k, bits))
INLINE int64_t element(uint32_t x, unsigned k, unsigned bits, bool is_signed) {
    const uint32_t top = x << (32 - bits * (k + 1));
    return is_signed ? (int32_t)top >> (32 - bits) : (int64_t)(top >> (32 - bits));
}
INLINE int64_t exact_dot(uint32_t a, uint32_t b, unsigned bits, bool signed_a, bool signed_b) {
    int64_t sum = 0;
    for (unsigned k = 0; k < 32 / bits; k++)
        sum += element(a, k, bits, signed_a) * element(b, k, bits, signed_b);
    return sum;
}
// Bytes as halves: the even and the odd ones.
INLINE u32v even_bytes(u32v x, bool is_signed) {
    if (is_signed) return (u32v)((i16v)((u16v)x << 8) >> 8);
    return x & 0x00ff00ff;
}
INLINE u32v odd_bytes(u32v x, bool is_signed) {
    if (is_signed) return (u32v)((i16v)x >> 8);
    return x >> 8 & 0x00ff00ff;
}
INLINE u32v dot_bytes(u32v a, u32v b, bool signed_a, bool signed_b) {
    return dot_i16(even_bytes(a, signed_a), even_bytes(b, signed_b)) +
           dot_i16(odd_bytes(a, signed_a), odd_bytes(b, signed_b));
}
// Elements of four bits as bytes.
INLINE u32v even_nibbles(u32v x, bool is_signed) {
    x &= 0x0f0f0f0f;
    if (is_signed) x = (u32v)((u8v)(x ^ 0x08080808) - (u8v)splat32(0x08080808));
    return x;
}
INLINE u32v odd_nibbles(u32v x, bool is_signed) { return even_nibbles(x >> 4, is_signed); }
INLINE u32v dot(u32v a, u32v b, unsigned bits, bool signed_a, bool signed_b) {
    if (bits == 16 && signed_a && signed_b) return dot_i16(a, b);
    if (bits == 8) return dot_bytes(a, b, signed_a, signed_b);
    if (bits == 4)
        return dot_bytes(even_nibbles(a, signed_a), even_nibbles(b, signed_b), signed_a, signed_b) +
               dot_bytes(odd_nibbles(a, signed_a), odd_nibbles(b, signed_b), signed_a, signed_b);
    u32v sum = ELEMENT(a, 0, bits, signed_a) * ELEMENT(b, 0, bits, signed_b);
    for (unsigned k = 1; k < 32 / bits; k++)
        sum += ELEMENT(a, k, bits, signed_a) * ELEMENT(b, k, bits, signed_b);
    return sum;
}
#define DOT(name, T, bits, signed_a, signed_b)                                                               \
    TRIOP_CLAMP(name, T, dot((u32v)a, (u32v)b, bits, signed_a, signed_b) + (u32v)c,                          \
                exact_dot((uint32_t)a, (uint32_t)b, bits, signed_a, signed_b) + c)
DOT(v_dot2_i32_i16, i32, 16, true, true)
DOT(v_dot2_u32_u16, u32, 16, false, false)
DOT(v_dot4_i32_i8, i32, 8, true, true)
DOT(v_dot4_u32_u8, u32, 8, false, false)
DOT(v_dot8_i32_i4, i32, 4, true, true)
DOT(v_dot8_u32_u4, u32, 4, false, false)
// The instruction's neg bits say which sources are signed (TRAP-193).
#if defined(FUSED) // which the compiler knows
#define DOT_CHUNKS(bits) EACH_CHUNK(w, D32(dot(A32, B32_, bits, is_signed & 1, is_signed >> 1) + C32))
#else
#define DOT_CHUNKS(bits)                                                                                     \
    if (is_signed == 3)                                                                                      \
        EACH_CHUNK(w, D32(dot(A32, B32_, bits, true, true) + C32));                                          \
    else if (is_signed == 1)                                                                                 \
        EACH_CHUNK(w, D32(dot(A32, B32_, bits, true, false) + C32));                                         \
    else if (is_signed == 2)                                                                                 \
        EACH_CHUNK(w, D32(dot(A32, B32_, bits, false, true) + C32));                                         \
    else                                                                                                     \
        EACH_CHUNK(w, D32(dot(A32, B32_, bits, false, false) + C32))
#endif
#define DOT_IU(name, bits)                                                                                   \
    CLAMPED(name, i32,                                                                                       \
            exact_dot((uint32_t)a, (uint32_t)b, bits, op->e &BODY_SIGNED_A, op->e &BODY_SIGNED_B) + c,       \
            (i32_t)lane32(w, op, op->c, l, sc))                                                              \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const unsigned is_signed = op->e / BODY_SIGNED_A & 3;                                                \
        if (UNLIKELY(RARE(op, BODY_CLAMP)))                                                                  \
            CLAMP_LANES(name, w, op, sa, sb, sc);                                                            \
        else                                                                                                 \
            DOT_CHUNKS(bits);                                                                                \
    }                                                                                                        \
    VECTOR3(name)
DOT_IU(v_dot4_i32_iu8, 8)
DOT_IU(v_dot8_i32_iu4, 4)
