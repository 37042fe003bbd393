// SPDX-License-Identifier: MIT
// 16-bit integers of the vector ALU, single and packed.
// Single operands stand in bits 15:0 with anything above; results have zeros above. Packed operands arrive as
// {high, low} with their halves already selected, so a packed operation is one on u16v, twice the lanes.
// BODY_CLAMP is integer clamp: saturation of each result, by lane because it is rare (TRAP-109, TRAP-190).
#include "exec/body/body.h"
#include "exec/body/flags.h"

#define LOW(x)  ((x)&0xffff)
#define SEXT(x) ((i32v)((u32v)(x) << 16) >> 16)

// ---- Saturation by lane: `exact` over int64_t a, b, c, which are the operands extended as type says ----
INLINE uint32_t saturate_u16(int64_t v) { return v < 0 ? 0 : v > 0xffff ? 0xffff : (uint32_t)v; }
INLINE uint32_t saturate_i16(int64_t v) {
    return (uint32_t)(v < -0x8000 ? -0x8000 : v > 0x7fff ? 0x7fff : v) & 0xffff;
}
typedef int16_t i16_t;
typedef uint16_t u16_t;
#define HALF_OF(x, shift, type) (int64_t)(type##_t)((x) >> (shift))
#if defined(STENCIL)
#define CLAMPED(name, type, exact, shifts, third) RARE_BITS(name, BODY_CLAMP)
#define FIRST_CLAMPED(name)
#else
#define CLAMPED(name, type, exact, shifts, third)                                                            \
    static __attribute__((noinline)) void name##_clamped(struct wave *w, const struct op *op, bool sa,       \
                                                         bool sb, bool sc) {                                 \
        (void)sc;                                                                                            \
        EACH_LANE(                                                                                           \
            w, const uint32_t va = lane32(w, op, op->a, l, sa);                                              \
            const uint32_t vb = lane32(w, op, op->b, l, sb); const uint32_t vc = third; uint32_t r = 0;      \
            for (unsigned s = 0; s < (shifts); s += 16) {                                                    \
                const int64_t a = HALF_OF(va, s, type);                                                      \
                const int64_t b = HALF_OF(vb, s, type);                                                      \
                const int64_t c = HALF_OF(vc, s, type);                                                      \
                (void)c;                                                                                     \
                r |= saturate_##type(exact) << s;                                                            \
            } put_lane32(w, op->d, l, r));                                                                   \
    }
#define FIRST_CLAMPED(name)                                                                                  \
    if (UNLIKELY(op->e & BODY_CLAMP)) {                                                                      \
        name##_clamped(w, op, sa, sb, sc);                                                                   \
        return;                                                                                              \
    }
#endif
// Vector operands are extended for type i16 and zero-extended for u16.
#define EXTEND_i16(x) SEXT(x)
#define EXTEND_u16(x) LOW(x)
#define TYPE_i16      i32v
#define TYPE_u16      u32v
#define BINOP16(name, type, expr)                                                                            \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK(w, const TYPE_##type a = EXTEND_##type(A32); const TYPE_##type b = EXTEND_##type(B32_);   \
                   D32(LOW((u32v)(expr))));                                                                  \
    }                                                                                                        \
    VECTOR2(name)
#define TRIOP16(name, type, expr)                                                                            \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK(w, const TYPE_##type a = EXTEND_##type(A32); const TYPE_##type b = EXTEND_##type(B32_);   \
                   const TYPE_##type c = EXTEND_##type(C32); D32(LOW((u32v)(expr))));                        \
    }                                                                                                        \
    VECTOR3(name)
#define BINOP16_CLAMP(name, type, expr)                                                                      \
    CLAMPED(name, type, expr, 16, 0)                                                                         \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        FIRST_CLAMPED(name)                                                                                  \
        EACH_CHUNK(w, const u32v a = A32; const u32v b = B32_; D32(LOW(expr)));                              \
    }                                                                                                        \
    VECTOR2(name)
#define TRIOP16_CLAMP(name, type, expr)                                                                      \
    CLAMPED(name, type, expr, 16, lane32(w, op, op->c, l, sc))                                               \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        FIRST_CLAMPED(name)                                                                                  \
        EACH_CHUNK(w, const u32v a = A32; const u32v b = B32_; const u32v c = C32; D32(LOW(expr)));          \
    }                                                                                                        \
    VECTOR3(name)

// ---- Single ----
BINOP16_CLAMP(v_add_nc_u16, u16, a + b)
BINOP16_CLAMP(v_sub_nc_u16, u16, a - b)
BINOP16_CLAMP(v_subrev_u16, u16, b - a)
BINOP16_CLAMP(v_add_nc_i16, i16, a + b)
BINOP16_CLAMP(v_sub_nc_i16, i16, a - b)
BINOP16(v_mul_lo_u16, u16, a *b)
TRIOP16_CLAMP(v_mad_u16, u16, a *b + c)
TRIOP16_CLAMP(v_mad_i16, i16, a *b + c)
BINOP16(v_lshlrev_b16, u16, b << (a & 15))
BINOP16(v_lshrrev_b16, u16, b >> (a & 15))
BINOP16(v_ashrrev_i16, i16, b >> (a & 15))
BINOP16(v_min_u16, u16, min_u32(a, b))
BINOP16(v_max_u16, u16, max_u32(a, b))
BINOP16(v_min_i16, i16, min_i32(a, b))
BINOP16(v_max_i16, i16, max_i32(a, b))
TRIOP16(v_min3_u16, u16, min_u32(min_u32(a, b), c))
TRIOP16(v_max3_u16, u16, max_u32(max_u32(a, b), c))
TRIOP16(v_med3_u16, u16, max_u32(min_u32(a, b), min_u32(max_u32(a, b), c)))
TRIOP16(v_min3_i16, i16, min_i32(min_i32(a, b), c))
TRIOP16(v_max3_i16, i16, max_i32(max_i32(a, b), c))
TRIOP16(v_med3_i16, i16, max_i32(min_i32(a, b), min_i32(max_i32(a, b), c)))
UNOP(v_mov_b16, u32v, LOW(a))
UNOP(v_not_b16, u32v, LOW(~a))
BINOP(v_and_b16, u32v, LOW(a &b))
BINOP(v_or_b16, u32v, LOW(a | b))
BINOP(v_xor_b16, u32v, LOW(a ^ b))
// The third operand is a lane mask.
TEMPLATE(v_cndmask_b16) {
    UNUSED_OPERANDS;
    const uint64_t mask = get_mask(w, op, op->c);
    EACH_CHUNK(w, const u32v a = A32; const u32v b = B32_;
               D32(LOW(blend32((lmask)(mask >> (i * LANES)) & ALL_LANES, b, a))));
}
VECTOR2(v_cndmask_b16)
// Both halves of a dword to bytes 0 and 1.
INLINE u32v saturate_u8(i32v v) { return (u32v)min_i32(max_i32(v, (i32v){0}), (i32v)splat32(255)); }
UNOP(v_sat_pk_u8_i16, u32v, saturate_u8(SEXT(a)) | saturate_u8((i32v)a >> 16) << 8)

// Changes of width: extension, and saturation of two dwords to the halves of one.
UNOP(v_cvt_i32_i16, u32v, SEXT(a))
UNOP(v_cvt_u32_u16, u32v, LOW(a))
INLINE u32v narrow_i16(u32v v) {
    return LOW((u32v)min_i32(max_i32((i32v)v, (i32v)splat32((uint32_t)-0x8000)), (i32v)splat32(0x7fff)));
}
INLINE u32v narrow_u16(u32v v) { return min_u32(v, splat32(0xffff)); }
BINOP(v_cvt_pk_i16_i32, u32v, narrow_i16(a) | narrow_i16(b) << 16)
BINOP(v_cvt_pk_u16_u32, u32v, narrow_u16(a) | narrow_u16(b) << 16)

// ---- Packed ----
#define BINOP_PK(name, T, expr)                                                                              \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK(w, const T a = (T)A32; const T b = (T)B32_; D32(expr));                                   \
    }                                                                                                        \
    VECTOR2(name)
#define BINOP_PK_CLAMP(name, type, expr)                                                                     \
    CLAMPED(name, type, expr, 32, 0)                                                                         \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        FIRST_CLAMPED(name)                                                                                  \
        EACH_CHUNK(w, const u16v a = (u16v)A32; const u16v b = (u16v)B32_; D32(expr));                       \
    }                                                                                                        \
    VECTOR2(name)
#define TRIOP_PK_CLAMP(name, type, expr)                                                                     \
    CLAMPED(name, type, expr, 32, lane32(w, op, op->c, l, sc))                                               \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        FIRST_CLAMPED(name)                                                                                  \
        EACH_CHUNK(w, const u16v a = (u16v)A32; const u16v b = (u16v)B32_; const u16v c = (u16v)C32;         \
                   D32(expr));                                                                               \
    }                                                                                                        \
    VECTOR3(name)
BINOP_PK_CLAMP(v_pk_add_u16, u16, a + b)
BINOP_PK_CLAMP(v_pk_sub_u16, u16, a - b)
BINOP_PK_CLAMP(v_pk_add_i16, i16, a + b)
BINOP_PK_CLAMP(v_pk_sub_i16, i16, a - b)
BINOP_PK_CLAMP(v_pk_mul_lo_u16, u16, a *b)
TRIOP_PK_CLAMP(v_pk_mad_u16, u16, a *b + c)
TRIOP_PK_CLAMP(v_pk_mad_i16, i16, a *b + c)
BINOP_PK(v_pk_min_u16, u16v, min_u16(a, b))
BINOP_PK(v_pk_max_u16, u16v, max_u16(a, b))
BINOP_PK(v_pk_min_i16, i16v, min_i16(a, b))
BINOP_PK(v_pk_max_i16, i16v, max_i16(a, b))
// Shifts as two of 32 bits: hosts below x86-64-v4 cannot shift 16-bit lanes by different counts.
#define HIGH(x) ((x)&0xffff0000)
BINOP_PK(v_pk_lshlrev_b16, u32v, LOW(b << (a & 15)) | HIGH(b) << (a >> 16 & 15))
BINOP_PK(v_pk_lshrrev_b16, u32v, LOW(b) >> (a & 15) | HIGH(b >> (a >> 16 & 15)))
BINOP_PK(v_pk_ashrrev_i16, u32v, LOW((u32v)(SEXT(b) >> (a & 15))) | HIGH((u32v)((i32v)b >> (a >> 16 & 15))))
