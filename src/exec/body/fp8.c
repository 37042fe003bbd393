// SPDX-License-Identifier: MIT
// Conversions to and from FP8, BF8, FP6, BF6 and FP4, with block scales and stochastic rounding, and the dot
// products of FP8 and BF8. Every conversion is a line of a table: elements of one format, in registers taken
// as a string of bits, become elements of another. op->e says which part of a register op_sel chose and
// whether FP8 is the first kind (see body_flags in decode/vector.c). In integer arithmetic on vectors.
#define LONG_BODIES
#include "exec/body/body.h"
#include "exec/body/float.h"
#include "exec/body/small.h"

enum { SCALE_NONE, SCALE_B, SCALE_C };
// What op_sel chooses: a byte or half of the source, a byte or half of the result.
enum {
    PICK_NOTHING,
    PICK_SOURCE_BYTE,
    PICK_SOURCE_HALF,
    PICK_RESULT_BYTE,
    PICK_RESULT_HALF,
    PICK_BYTE_TO_HALF
};
struct conversion {
    uint8_t from, to, count, pick, scale;
    bool two;        // elements alternate between sources a and b
    bool stochastic; // b holds random bits
    bool random_pairs;    // the lower 16 for an element, the upper for the next one, then come others
    bool infinity_is_nan; // where MODE has results saturate
    bool stays_below;     // what overflows is the largest number, by FP16_OVFL on some processors
};

// (-1)^sign m 2^e in every lane, m below 2^24, or no number: struct small_value of small.h.
struct smalls {
    u32v sign, m; // sign in bit 31
    i32v e, infinite, nan;
};
INLINE struct smalls decode(unsigned name, u32v code) {
    const struct small_format f = small_formats[name];
    const unsigned width = (unsigned)f.exponent + f.mantissa;
    const uint32_t all = (1u << width) - 1, top = (1u << f.exponent) - 1;
    const u32v magnitude = code & all, exponent = magnitude >> f.mantissa;
    const u32v fraction = magnitude & ((1u << f.mantissa) - 1);
    const i32v normal = (i32v)(exponent != 0);
    struct smalls v = {.sign = code >> width << 31,
                       .m = fraction | ((u32v)normal & 1u << f.mantissa),
                       .e = (i32v)exponent + normal + (1 - f.bias - f.mantissa)};
    if (f.kind == SMALL_IEEE) {
        v.infinite = (i32v)(magnitude == top << f.mantissa);
        v.nan = (i32v)magnitude > (int32_t)(top << f.mantissa);
    } else if (f.kind == SMALL_FN) {
        v.nan = (i32v)(magnitude == all);
    } else if (f.kind == SMALL_FNUZ) {
        v.nan = (i32v)((code & (all << 1 | 1)) == all + 1);
        v.sign &= ~(u32v)v.nan;
    }
    return v;
}
// As small_encode(). The significand becomes one of 24 bits by conversion to F32, which is exact.
INLINE u32v encode(unsigned name, struct smalls v, bool saturate, bool stochastic, u32v random) {
    const struct small_format f = small_formats[name];
    const unsigned width = (unsigned)f.exponent + f.mantissa, drop = 23u - f.mantissa;
    const uint32_t all = (1u << width) - 1, infinity = all & ~((1u << f.mantissa) - 1);
    const uint32_t most = f.kind == SMALL_IEEE ? infinity - 1 : f.kind == SMALL_FN ? all - 1 : all;
    const u32v number = (u32v) __builtin_convertvector((i32v)v.m, f32v);
    const u32v significand = (number & 0x7fffff) | 0x800000, nonzero = (u32v)(v.m != 0);
    const i32v top = (i32v)(number >> 23) - 127 + v.e;
    const i32v exponent = max_i32(top, (i32v)splat32((uint32_t)(1 - f.bias)));
    const i32v lost = min_i32(exponent - top, (i32v)splat32(31)); // places below the least exponent
    u32v steps;
    if (stochastic) {
        steps = significand >> (u32v)lost;
        if (drop) steps = (steps + (random >> (32 - drop))) >> drop;
    } else { // to nearest even: half a step less one, and one more where the step is odd
        const u32v twice = significand << 1, shift = min_u32((u32v)lost + (drop + 1), splat32(31));
        steps = (twice + (splat32(1) << (shift - 1)) - 1 + (twice >> shift & 1)) >> shift;
    }
    u32v code = (steps + ((u32v)(exponent + (f.bias - 1)) << f.mantissa)) & nonzero;
    const i32v overflow = (i32v)(code > most) | v.infinite;
    u32v sign = v.sign >> (31 - width);
    if (f.kind == SMALL_FINITE || saturate) {
        code = select32(overflow, splat32(most), code);
    } else if (f.kind == SMALL_FNUZ) {
        code = select32(overflow, splat32(all + 1), code);
        sign &= ~(u32v)overflow;
    } else {
        code = select32(overflow, splat32(f.kind == SMALL_IEEE ? infinity : all), code);
    }
    if (f.kind == SMALL_FNUZ) {
        sign &= (u32v)(code != 0) & ~(u32v)v.nan;
        return select32(v.nan, splat32(all + 1), code) | sign;
    }
    const uint32_t no_number = f.kind == SMALL_IEEE ? infinity | 1u << (f.mantissa - 1)
                               : f.kind == SMALL_FN ? all
                                                    : most;
    return select32(v.nan, splat32(no_number), code) | sign;
}

// Bits of a string of registers; those of the result are collected in `d`.
INLINE u32v bits_of(struct wave *w, const struct op *op, uint32_t offset, unsigned i, bool scalar,
                    unsigned at, unsigned bits) {
    const unsigned shift = at % 32;
    if (scalar) offset -= at / 32 * w->stride; // the same for all
    u32v v = load32(w, op, offset + at / 32 * w->stride, i, scalar) >> shift;
    if (shift + bits > 32)
        v |= load32(w, op, offset + (scalar ? at / 32 : at / 32 + 1) * w->stride, i, scalar) << (32 - shift);
    if (bits < 32) v &= (1u << bits) - 1;
    return v;
}
INLINE void put_bits(u32v *d, unsigned at, unsigned bits, u32v v) {
    const uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
    const unsigned shift = at % 32;
    d[at / 32] = (d[at / 32] & ~(mask << shift)) | v << shift;
    if (shift + bits > 32) d[at / 32 + 1] = (d[at / 32 + 1] & ~(mask >> (32 - shift))) | v >> (32 - shift);
}

INLINE void convert(struct wave *w, const struct op *op, bool sa, bool sb, bool sc, const struct conversion k,
                    unsigned other) {
    const unsigned from = k.from == FORMAT_FP8 || k.from == FORMAT_BF8 ? k.from + other : k.from;
    const unsigned to = k.to == FORMAT_FP8 || k.to == FORMAT_BF8 ? k.to + other : k.to;
    const unsigned in = small_bits(from), out = small_bits(to), sel = op->e >> BODY_OP_SEL_SHIFT & 15;
    unsigned source_at = 0, result_at = 0;
    switch (k.pick) {
    case PICK_SOURCE_BYTE: source_at = 8 * (sel & 3); break;
    case PICK_SOURCE_HALF: source_at = 16 * (sel & 1); break;
    case PICK_RESULT_BYTE: result_at = 8 * (sel >> 2); break;
    case PICK_RESULT_HALF: result_at = 16 * (sel >> 3); break;
    case PICK_BYTE_TO_HALF: source_at = 8 * (sel & 3), result_at = 16 * (sel >> 3); break;
    default: break;
    }
    const unsigned results = (result_at + k.count * out + 31) / 32;
    const bool saturate = to >= FORMAT_FP8 && w->mode & MODE_OVFL16;
    const bool stays_below = k.stays_below && op->e & BODY_OVERFLOW && w->mode & MODE_OVFL16;
    // With scales, F32 denormals are MODE's business, those of smaller formats are numbers (TRAP-172).
    const bool flush_in = k.scale && from == FORMAT_F32 && !(w->mode & MODE_IN32);
    const bool flush_out = k.scale && to == FORMAT_F32 && !(w->mode & MODE_OUT32);
    for (unsigned i = 0; i < w->lanes / LANES; i++) {
        const lmask m = (lmask)(w->exec >> (i * LANES)) & ALL_LANES;
        if (!m) continue;
        u32v d[34], random = splat32(0), scale = splat32(127);
        for (unsigned r = 0; r < results; r++) d[r] = reg_at(w, op->d + r * w->stride)[i];
        if (k.scale) scale = (k.scale == SCALE_B ? B32_ : C32) >> 23 & 255;
        if (k.stochastic) random = B32_;
        for (unsigned n = 0; n < k.count; n++) {
            const bool second = k.two && n & 1;
            u32v code = bits_of(w, op, second ? op->b : op->a, i, second ? sb : sa,
                                source_at + (k.two ? n / 2 : n) * in, in);
            if (flush_in) code = (u32v)flush32((f32v)code);
            struct smalls v = decode(from, code);
            if (k.scale) { // into fewer bits the scale divides, out of them it multiplies
                v.e += in > out ? 127 - (i32v)scale : (i32v)scale - 127;
                v.nan |= (i32v)(scale == 255);
            }
            if (k.infinity_is_nan && saturate) v.nan |= v.infinite;
            u32v noise = random;
            if (k.random_pairs) noise = n & 1 ? (u32v)(random & 0xffff0000) : (u32v)(random << 16);
            code = encode(to, v, saturate, k.stochastic, noise);
            if (stays_below)
                code = finite16(code, k.to == FORMAT_F16 ? INFINITY16 : INFINITY_BF16, v.infinite);
            if (flush_out) code = (u32v)flush32((f32v)code);
            put_bits(d, result_at + n * out, out, code);
            if (!k.random_pairs || n & 1) random = random << 1 ^ (-(random >> 31) & 197); // TRAP-117
        }
        for (unsigned r = 0; r < results; r++) store_masked(&reg_at(w, op->d + r * w->stride)[i], m, d[r]);
    }
}

// One function for all variants of a conversion; the first kind of FP8 has only those without a scale.
#define HALVES_OF(from)                                                                                      \
    ((from) == FORMAT_F16 ? F16_SOURCE : (from) == FORMAT_BF16 ? BF16_SOURCE : WHOLE_SOURCE)
#define CONVERT(shape, name, from, ...)                                                                      \
    static __attribute__((noinline)) void name##_all(struct wave *w, const struct op *op, bool sa, bool sb,  \
                                                     bool sc) {                                              \
        const struct conversion k = {from, __VA_ARGS__};                                                     \
        if (!k.scale && op->e & BODY_FNUZ)                                                                   \
            convert(w, op, sa, sb, sc, k, FORMAT_FP8_FNUZ - FORMAT_FP8);                                     \
        else                                                                                                 \
            convert(w, op, sa, sb, sc, k, 0);                                                                \
    }                                                                                                        \
    TEMPLATE(name) { name##_all(w, op, sa, sb, sc); }                                                        \
    shape##_(name, .cost = COST_SMALL, .half_source = HALVES_OF(from));
#define FORMATS_OF_8(X) X(fp8, FP8) X(bf8, BF8)
#define FORMATS_OF_6(X) X(fp6, FP6) X(bf6, BF6)

// ---- Plain ----
#define PLAIN(small, NAME)                                                                                   \
    CONVERT(VECTOR1, v_cvt_f32_##small, FORMAT_##NAME, FORMAT_F32, 1, PICK_SOURCE_BYTE)                      \
    CONVERT(VECTOR1, v_cvt_pk_f32_##small, FORMAT_##NAME, FORMAT_F32, 2, PICK_SOURCE_HALF)                   \
    /* a result of 16 bits: a step behind it chooses the half */                                             \
    CONVERT(VECTOR2, v_cvt_pk_##small##_f32, FORMAT_F32, FORMAT_##NAME, 2, PICK_NOTHING, .two = true)        \
    CONVERT(VECTOR2, v_cvt_sr_##small##_f32, FORMAT_F32, FORMAT_##NAME, 1, PICK_RESULT_BYTE,                 \
            .stochastic = true)
FORMATS_OF_8(PLAIN)
CONVERT(VECTOR2, v_cvt_sr_f16_f32, FORMAT_F32, FORMAT_F16, 1, PICK_RESULT_HALF, .stochastic = true)
CONVERT(VECTOR2, v_cvt_sr_bf16_f32, FORMAT_F32, FORMAT_BF16, 1, PICK_RESULT_HALF, .stochastic = true)
CONVERT(VECTOR2, v_cvt_pk_f16_f32, FORMAT_F32, FORMAT_F16, 2, .two = true, .stays_below = true)
CONVERT(VECTOR2, v_cvt_pk_bf16_f32, FORMAT_F32, FORMAT_BF16, 2, .two = true, .stays_below = true)
UNOP(v_cvt_f32_bf16, u32v,
     select32((i32v)(a & 0x7fff) > 0x7f80, (a << 16 & 0x80000000u) | WIDENED_NAN32, a << 16)) // one quiet NaN

// ---- With a scale ----
#define SCALED_8(small, NAME)                                                                                \
    CONVERT(VECTOR3, v_cvt_scalef32_pk_##small##_f32, FORMAT_F32, FORMAT_##NAME, 2, PICK_RESULT_HALF,        \
            SCALE_C, .two = true)                                                                            \
    CONVERT(VECTOR2, v_cvt_scalef32_pk_##small##_f16, FORMAT_F16, FORMAT_##NAME, 2, PICK_RESULT_HALF,        \
            SCALE_B)                                                                                         \
    CONVERT(VECTOR2, v_cvt_scalef32_pk_##small##_bf16, FORMAT_BF16, FORMAT_##NAME, 2, PICK_RESULT_HALF,      \
            SCALE_B)                                                                                         \
    CONVERT(VECTOR3, v_cvt_scalef32_sr_##small##_f32, FORMAT_F32, FORMAT_##NAME, 1, PICK_RESULT_BYTE,        \
            SCALE_C, .stochastic = true)                                                                     \
    CONVERT(VECTOR3, v_cvt_scalef32_sr_##small##_f16, FORMAT_F16, FORMAT_##NAME, 1, PICK_RESULT_BYTE,        \
            SCALE_C, .stochastic = true)                                                                     \
    CONVERT(VECTOR3, v_cvt_scalef32_sr_##small##_bf16, FORMAT_BF16, FORMAT_##NAME, 1, PICK_RESULT_BYTE,      \
            SCALE_C, .stochastic = true)                                                                     \
    CONVERT(VECTOR2, v_cvt_scalef32_f32_##small, FORMAT_##NAME, FORMAT_F32, 1, PICK_SOURCE_BYTE, SCALE_B)    \
    CONVERT(VECTOR2, v_cvt_scalef32_f16_##small, FORMAT_##NAME, FORMAT_F16, 1, PICK_BYTE_TO_HALF, SCALE_B)   \
    CONVERT(VECTOR2, v_cvt_scalef32_pk_f32_##small, FORMAT_##NAME, FORMAT_F32, 2, PICK_SOURCE_HALF, SCALE_B) \
    CONVERT(VECTOR2, v_cvt_scalef32_pk_f16_##small, FORMAT_##NAME, FORMAT_F16, 2, PICK_SOURCE_HALF, SCALE_B) \
    CONVERT(VECTOR2, v_cvt_scalef32_pk_bf16_##small, FORMAT_##NAME, FORMAT_BF16, 2, PICK_SOURCE_HALF, SCALE_B)
FORMATS_OF_8(SCALED_8)

CONVERT(VECTOR3, v_cvt_scalef32_pk_fp4_f32, FORMAT_F32, FORMAT_FP4, 2, PICK_RESULT_BYTE, SCALE_C, .two = true)
CONVERT(VECTOR2, v_cvt_scalef32_pk_fp4_f16, FORMAT_F16, FORMAT_FP4, 2, PICK_RESULT_BYTE, SCALE_B)
CONVERT(VECTOR2, v_cvt_scalef32_pk_fp4_bf16, FORMAT_BF16, FORMAT_FP4, 2, PICK_RESULT_BYTE, SCALE_B)
CONVERT(VECTOR3, v_cvt_scalef32_sr_pk_fp4_f32, FORMAT_F32, FORMAT_FP4, 2, PICK_RESULT_BYTE, SCALE_C,
        .stochastic = true)
CONVERT(VECTOR3, v_cvt_scalef32_sr_pk_fp4_f16, FORMAT_F16, FORMAT_FP4, 2, PICK_RESULT_BYTE, SCALE_C,
        .stochastic = true)
CONVERT(VECTOR3, v_cvt_scalef32_sr_pk_fp4_bf16, FORMAT_BF16, FORMAT_FP4, 2, PICK_RESULT_BYTE, SCALE_C,
        .stochastic = true)
CONVERT(VECTOR2, v_cvt_scalef32_pk_f32_fp4, FORMAT_FP4, FORMAT_F32, 2, PICK_SOURCE_BYTE, SCALE_B)
CONVERT(VECTOR2, v_cvt_scalef32_pk_f16_fp4, FORMAT_FP4, FORMAT_F16, 2, PICK_SOURCE_BYTE, SCALE_B)
CONVERT(VECTOR2, v_cvt_scalef32_pk_bf16_fp4, FORMAT_FP4, FORMAT_BF16, 2, PICK_SOURCE_BYTE, SCALE_B)

#define SCALED_6(small, NAME)                                                                                \
    CONVERT(VECTOR3, v_cvt_scalef32_2xpk16_##small##_f32, FORMAT_F32, FORMAT_##NAME, 32, PICK_NOTHING,       \
            SCALE_C, .two = true)                                                                            \
    CONVERT(VECTOR3, v_cvt_scalef32_sr_pk32_##small##_f32, FORMAT_F32, FORMAT_##NAME, 32, PICK_NOTHING,      \
            SCALE_C, .stochastic = true)                                                                     \
    CONVERT(VECTOR3, v_cvt_scalef32_sr_pk32_##small##_f16, FORMAT_F16, FORMAT_##NAME, 32, PICK_NOTHING,      \
            SCALE_C, .stochastic = true)                                                                     \
    CONVERT(VECTOR3, v_cvt_scalef32_sr_pk32_##small##_bf16, FORMAT_BF16, FORMAT_##NAME, 32, PICK_NOTHING,    \
            SCALE_C, .stochastic = true)                                                                     \
    CONVERT(VECTOR2, v_cvt_scalef32_pk32_##small##_f16, FORMAT_F16, FORMAT_##NAME, 32, PICK_NOTHING,         \
            SCALE_B)                                                                                         \
    CONVERT(VECTOR2, v_cvt_scalef32_pk32_##small##_bf16, FORMAT_BF16, FORMAT_##NAME, 32, PICK_NOTHING,       \
            SCALE_B)                                                                                         \
    CONVERT(VECTOR2, v_cvt_scalef32_pk32_f32_##small, FORMAT_##NAME, FORMAT_F32, 32, PICK_NOTHING, SCALE_B)  \
    CONVERT(VECTOR2, v_cvt_scalef32_pk32_f16_##small, FORMAT_##NAME, FORMAT_F16, 32, PICK_NOTHING, SCALE_B)  \
    CONVERT(VECTOR2, v_cvt_scalef32_pk32_bf16_##small, FORMAT_##NAME, FORMAT_BF16, 32, PICK_NOTHING, SCALE_B)
FORMATS_OF_6(SCALED_6)

// ---- CDNA5 ----
#define HALVES_OF_8(small, NAME)                                                                             \
    CONVERT(VECTOR1, v_cvt_f16_##small, FORMAT_##NAME, FORMAT_F16, 1, PICK_SOURCE_BYTE)                      \
    CONVERT(VECTOR1, v_cvt_pk_f16_##small, FORMAT_##NAME, FORMAT_F16, 2, PICK_SOURCE_HALF)                   \
    CONVERT(VECTOR1, v_cvt_pk_##small##_f16, FORMAT_F16, FORMAT_##NAME, 2, PICK_NOTHING)                     \
    CONVERT(VECTOR2, v_cvt_sr_##small##_f16, FORMAT_F16, FORMAT_##NAME, 1, PICK_RESULT_BYTE,                 \
            .stochastic = true)
FORMATS_OF_8(HALVES_OF_8)
#define SCALED_PK(count, small, NAME, wide, WIDE)                                                            \
    CONVERT(VECTOR2, v_cvt_scalef32_pk##count##_##small##_##wide, FORMAT_##WIDE, FORMAT_##NAME, count,       \
            PICK_NOTHING, SCALE_B, .infinity_is_nan = true)                                                  \
    CONVERT(VECTOR3, v_cvt_scalef32_sr_pk##count##_##small##_##wide, FORMAT_##WIDE, FORMAT_##NAME, count,    \
            PICK_NOTHING, SCALE_C, .stochastic = true, .random_pairs = true, .infinity_is_nan = true)
#define SCALED_PK_OF(count, small, NAME)                                                                     \
    SCALED_PK(count, small, NAME, f32, F32)                                                                  \
    SCALED_PK(count, small, NAME, f16, F16)                                                                  \
    SCALED_PK(count, small, NAME, bf16, BF16)
SCALED_PK_OF(8, fp8, FP8)
SCALED_PK_OF(8, bf8, BF8)
SCALED_PK_OF(8, fp4, FP4)
SCALED_PK_OF(16, fp6, FP6)
SCALED_PK_OF(16, bf6, BF6)
// Thirteen bits go; of the random bits each half has those above them.
INLINE u32v random_half(const struct wave *w, u32v a, u32v random) {
    const u32v h = encode(FORMAT_F16, decode(FORMAT_F32, a), false, true, random);
    if (!(w->mode & MODE_OVFL16)) return h;
    return finite16(h, INFINITY16, (i32v)((a & 0x7fffffff) == 0x7f800000)); // CDNA5 7.6
}
TRIOP(v_cvt_sr_pk_f16_f32, u32v, random_half(w, a, c << 16) | random_half(w, b, c & 0xffff0000) << 16)

// ---- Dot products: products are exact in F32 and added to S2 one after the other, to nearest even; MODE says what
// becomes of denormals (TRAP-191, TRAP-192) ----
INLINE f32v value(unsigned name, u32v code) {
    const struct smalls v = decode(name, code & 255);
    const f32v magnitude = __builtin_convertvector((i32v)v.m, f32v) * (f32v)((v.e + 127) << 23);
    u32v r = select32(v.infinite, splat32(0x7f800000), (u32v)magnitude);
    r = select32(v.nan, splat32(WIDENED_NAN32), r);
    return (f32v)(r | v.sign);
}
INLINE f32v dot4(u32v a, u32v b, f32v r, unsigned fa, unsigned fb) {
    for (unsigned n = 0; n < 32; n += 8) r += value(fa, a >> n) * value(fb, b >> n);
    return r;
}
#define DOT4(name, A, B)                                                                                     \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        const bool flushes_sum = !(w->mode & MODE_IN32), flushes_result = !(w->mode & MODE_OUT32);           \
        GUARD_CSR(w, CSR_NEAREST,                                                                            \
                  EACH_CHUNK(w, if (!m) continue; const u32v a = A32; const u32v b = B32_;                   \
                             f32v r = flushes_sum ? flush32((f32v)C32) : (f32v)C32;                          \
                             r = dot4(a, b, r, FORMAT_##A, FORMAT_##B);                                      \
                             if (flushes_result) r = flush32(r);                                             \
                             D32(select32(is_nan32(r), splat32(QNAN32), (u32v)r))));                         \
    }                                                                                                        \
    VECTOR3_(name, .cost = COST_SMALL);
DOT4(v_dot4_f32_fp8_bf8, FP8, BF8)
DOT4(v_dot4_f32_bf8_fp8, BF8, FP8)
DOT4(v_dot4_f32_fp8_fp8, FP8, FP8)
DOT4(v_dot4_f32_bf8_bf8, BF8, BF8)
