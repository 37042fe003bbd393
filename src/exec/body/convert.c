// SPDX-License-Identifier: MIT
// Conversions between F16, F32, F64 and integers. To integers: toward zero, saturating, NaN is 0, whatever
// MODE says (TRAP-186). Between floats: narrowing rounds as MODE says for F64 and F16. FP8 and BF8 are not
// here.
#include "exec/body/float.h"

// ---- F32 to integers ----

INLINE f32v clamp32(f32v a, float lo, float hi) {
    f32v r = pick32(a > lo, a, splatf(lo));
    r = pick32(r < hi, r, splatf(hi));
    return pick32(is_nan32(a), splatf(0), r);
}
UNOP(v_cvt_i32_f32, f32v, to_i32(a))
UNOP(v_cvt_u32_f32, f32v, to_u32(a))
UNOP(v_cvt_floor_i32_f32, f32v, to_i32(ROUND32(a, 1)))
UNOP(v_cvt_nearest_i32_f32, f32v, to_i32(ROUND32(a + 0.5f, 1))) // not to nearest even (TRAP-164)

INLINE u32v to_i16(f32v a) {
    return (u32v) __builtin_convertvector(clamp32(a, -32768, 32767), i32v) & 0xffff;
}
INLINE u32v to_u16(f32v a) { return (u32v) __builtin_convertvector(clamp32(a, 0, 65535), i32v); }
// F64 holding integers of 32 bits, as such, in lane order.
INLINE u32v narrow_i32(f64x2 a) {
    u32v r;
#if defined(LEVEL_v3)
    r = (u32v)_mm256_set_m128i(_mm256_cvttpd_epi32((__m256d)a.y), _mm256_cvttpd_epi32((__m256d)a.x));
#elif defined(__SSE2__) && !defined(LEVEL_v4)
    r = (u32v)_mm_unpacklo_epi64(_mm_cvttpd_epi32((__m128d)a.x), _mm_cvttpd_epi32((__m128d)a.y));
#else
    typedef int32_t half __attribute__((vector_size(VB / 2)));
    half h[2] = {__builtin_convertvector(a.x, half), __builtin_convertvector(a.y, half)};
    memcpy(&r, h, sizeof r);
#endif
    return SHUFFLE(r, r, PICK_NARROW);
}
// [lo, 1] to [lo * scale, scale], to nearest even whatever MODE says: under NEAREST.
#define NEAREST(...) GUARD_CSR(w, CSR_NEAREST, EACH_CHUNK(w, __VA_ARGS__))
INLINE u32v to_norm(f32v a, float lo, double scale) {
#if defined(LEVEL_v3) || defined(LEVEL_v4)
    // Added to 1.5 2^23, the exact product is rounded once, to an integer in the low bits.
    const f32v x = smaller32(larger32(a, splatf(lo)), splatf(1));
    const u32v number = (u32v)x & ~(u32v)is_nan32(a);
    return (u32v)fma32((f32v)number, splatf((float)scale), splatf(0x1.8p23f)) & 0xffff;
#endif
    // The product is exact in F64.
    f64x2 v = widen_f32(clamp32(a, lo, 1));
    return narrow_i32((f64x2){ROUND64(v.x * scale, 0), ROUND64(v.y * scale, 0)}) & 0xffff;
}
INLINE u32v to_snorm(f32v a) { return to_norm(a, -1, 32767); }
INLINE u32v to_unorm(f32v a) { return to_norm(a, 0, 65535); }
// By the rounding of F32 in MODE (TRAP-185).
INLINE u32v to_u8(f32v a) { return (u32v) __builtin_convertvector(ROUND32(clamp32(a, 0, 255), 4), i32v); }

BINOP(v_cvt_pk_i16_f32, f32v, to_i16(a) | to_i16(b) << 16)
BINOP(v_cvt_pk_u16_f32, f32v, to_u16(a) | to_u16(b) << 16)
#define PACK_NORM(name, in, function)                                                                        \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        NEAREST(const f32v a = in(A32); const f32v b = in(B32_); D32(function(a) | function(b) << 16));      \
    }                                                                                                        \
    VECTOR2(name)
PACK_NORM(v_cvt_pk_norm_i16_f32, (f32v), to_snorm)
PACK_NORM(v_cvt_pk_norm_u16_f32, (f32v), to_unorm)

// Byte b[1:0] of c becomes the value.
INLINE u32v insert_u8(u32v value, u32v byte, u32v into) {
    u32v shift = (byte & 3) * 8;
    return (into & ~(splat32(0xff) << shift)) | value << shift;
}
TRIOP(v_cvt_pk_u8_f32, u32v, insert_u8(to_u8((f32v)a), b, c))
TEMPLATE(v_cvt_pkaccum_u8_f32) { // of its own destination (TRAP-123)
    UNUSED_OPERANDS;
    EACH_CHUNK(w, f32v a = (f32v)A32; u32v b = B32_; D32(insert_u8(to_u8(a), b, reg_at(w, op->d)[i])));
}
VECTOR2(v_cvt_pkaccum_u8_f32)

// ---- Integers to F32 ----

UNOP(v_cvt_f32_i32, i32v, from_i32(a))
UNOP(v_cvt_f32_u32, u32v, from_u32(a))
UNOP(v_cvt_f32_ubyte0, u32v, from_i32((i32v)(a & 0xff)))
UNOP(v_cvt_f32_ubyte1, u32v, from_i32((i32v)(a >> 8 & 0xff)))
UNOP(v_cvt_f32_ubyte2, u32v, from_i32((i32v)(a >> 16 & 0xff)))
UNOP(v_cvt_f32_ubyte3, u32v, from_i32((i32v)(a >> 24)))
UNOP(v_cvt_off_f32_i4, u32v, from_i32((i32v)(a << 28) >> 28) * 0.0625f) // TRAP-122

// ---- F64 ----

INLINE f64v clamp_f64(u64v bits, double lo, double hi) {
    f64v a = (f64v)bits, r = pick64(a > lo, a, splatd(lo));
    r = pick64(r < hi, r, splatd(hi));
    return pick64(is_nan64(a), splatd(0), r);
}
TEMPLATE(v_cvt_i32_f64) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, u64x2 a = A64; D32(narrow_i32(
        (f64x2){clamp_f64(a.x, -0x1p31, 0x1p31 - 1), clamp_f64(a.y, -0x1p31, 0x1p31 - 1)})));
}
VECTOR1(v_cvt_i32_f64)
INLINE f64v biased_u32(u64v a) { return ROUND64(clamp_f64(a, 0, 0x1p32 - 1), 3) - 0x1p31; }
TEMPLATE(v_cvt_u32_f64) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, u64x2 a = A64; D32(narrow_i32((f64x2){biased_u32(a.x), biased_u32(a.y)}) ^ 0x80000000u));
}
VECTOR1(v_cvt_u32_f64)

#define D_F64X2(v)                                                                                           \
    do {                                                                                                     \
        f64x2 v_ = (v);                                                                                      \
        D64(((u64x2){(u64v)v_.x, (u64v)v_.y}));                                                              \
    } while (0)
// 2^52 + u has u in its low dword; taking 2^52 away is exact. Zero would be -0 when rounding down.
INLINE f64x2 from_biased(u32v u, double bias) {
    u64x2 v = join64(u, splat32(0x43300000));
    f64v x = (f64v)v.x - bias, y = (f64v)v.y - bias;
    return (f64x2){(f64v)((u64v)x & (u64v)(x != 0)), (f64v)((u64v)y & (u64v)(y != 0))};
}
TEMPLATE(v_cvt_f64_i32) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, u32v a = A32; D_F64X2(from_biased(a ^ 0x80000000u, 0x1p52 + 0x1p31)));
}
VECTOR1(v_cvt_f64_i32)
TEMPLATE(v_cvt_f64_u32) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, u32v a = A32; D_F64X2(from_biased(a, 0x1p52)));
}
VECTOR1(v_cvt_f64_u32)
TEMPLATE(v_cvt_f64_f32) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, f32v a = (f32v)A32; D_F64X2(widen_f32(a)));
}
VECTOR1(v_cvt_f64_f32)
TEMPLATE(v_cvt_f32_f64) {
    UNUSED_OPERANDS;
    GUARD_CSR(w, csr_f64_to_f32(w),
              EACH_CHUNK(w, u64x2 a = A64;
                         D32(flush_result32(csr_f64_to_f32(w), narrow_f64((f64x2){(f64v)a.x, (f64v)a.y})))));
}
VECTOR1(v_cvt_f32_f64)

// ---- F16 ----

TEMPLATE(v_cvt_f16_f32) {
    UNUSED_OPERANDS;
    GUARD_CSR(w, csr_f32_to_f16(w), EACH_CHUNK(w, f32v a = (f32v)A32; D32(half_out(w, a))));
}
VECTOR1(v_cvt_f16_f32)
TEMPLATE(v_cvt_f32_f16) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, D32(half_in(w, A32)));
}
VECTOR1(v_cvt_f32_f16)

TEMPLATE(v_cvt_pk_rtz_f16_f32) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, f32v a = (f32v)A32; f32v b = (f32v)B32_; D32(toward_zero(w, a) | toward_zero(w, b) << 16));
}
VECTOR2(v_cvt_pk_rtz_f16_f32)

#define FROM_HALF(name, expr)                                                                                \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK(w, f32v a = half_in(w, A32); D32(expr));                                                  \
    }                                                                                                        \
    VECTOR1(name)
#define TO_HALF(name, expr)                                                                                  \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        GUARD64(w, EACH_CHUNK(w, u32v a = A32; D32(half_out(w, expr))));                                     \
    }                                                                                                        \
    VECTOR1(name)
FROM_HALF(v_cvt_i16_f16, to_i16(a))
FROM_HALF(v_cvt_u16_f16, to_u16(a))
#define HALF_NORM(name, function)                                                                            \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        NEAREST(D32(function(half_in(w, A32))));                                                             \
    }                                                                                                        \
    VECTOR1(name)
HALF_NORM(v_cvt_norm_i16_f16, to_snorm)
HALF_NORM(v_cvt_norm_u16_f16, to_unorm)
TO_HALF(v_cvt_f16_i16, from_i32((i32v)(a << 16) >> 16))
TO_HALF(v_cvt_f16_u16, from_i32((i32v)(a & 0xffff)))

#define FROM_HALF_BITS(v) half_in(w, v)
PACK_NORM(v_cvt_pk_norm_i16_f16, FROM_HALF_BITS, to_snorm)
PACK_NORM(v_cvt_pk_norm_u16_f16, FROM_HALF_BITS, to_unorm)

BINOP(v_pack_b32_f16, u32v, (a & 0xffff) | b << 16)
