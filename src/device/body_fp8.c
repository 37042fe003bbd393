// SPDX-License-Identifier: MIT
// Conversions to and from FP8, BF8, FP6, BF6 and FP4, with block scales and stochastic rounding, and the dot
// products of FP8 and BF8. Every conversion is a line of a table: elements of one format, in registers taken
// as a string of bits, become elements of another. op->e says which part of a register op_sel chose and
// whether FP8 is the first kind (see body_flags in translate_vector.c). By lane: they are rare.
#include "device/body.h"
#include "device/float.h"
#include "device/small.h"

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
};

INLINE unsigned kind_here(unsigned name, uint32_t e) {
    return e & 64 && (name == FORMAT_FP8 || name == FORMAT_BF8) ? name + 2 : name;
}
static uint32_t bits_of(const uint32_t *words, unsigned at, unsigned bits) {
    const uint64_t two = words[at / 32] | (uint64_t)words[at / 32 + 1] << 32;
    return (uint32_t)(two >> at % 32 & ((1ull << bits) - 1));
}
static void put_bits(uint32_t *words, unsigned at, unsigned bits, uint32_t v) {
    const uint64_t mask = ((1ull << bits) - 1) << at % 32;
    uint64_t two = words[at / 32] | (uint64_t)words[at / 32 + 1] << 32;
    two = (two & ~mask) | (uint64_t)v << at % 32;
    words[at / 32] = (uint32_t)two;
    words[at / 32 + 1] = (uint32_t)(two >> 32);
}

static __attribute__((noinline)) void convert(struct wave *w, const struct op *op, bool sa, bool sb, bool sc,
                                              const struct conversion *k) {
    const unsigned from = kind_here(k->from, op->e), to = kind_here(k->to, op->e), sel = op->e >> 8 & 15;
    const unsigned in = small_bits(from), out = small_bits(to);
    unsigned source_at = 0, result_at = 0;
    switch (k->pick) {
    case PICK_SOURCE_BYTE: source_at = 8 * (sel & 3); break;
    case PICK_SOURCE_HALF: source_at = 16 * (sel & 1); break;
    case PICK_RESULT_BYTE: result_at = 8 * (sel >> 2); break;
    case PICK_RESULT_HALF: result_at = 16 * (sel >> 3); break;
    case PICK_BYTE_TO_HALF: source_at = 8 * (sel & 3), result_at = 16 * (sel >> 3); break;
    default: break;
    }
    const unsigned sources = (source_at + k->count / (k->two ? 2u : 1u) * in + 31) / 32;
    const unsigned results = (result_at + k->count * out + 31) / 32;
    const unsigned flags = (w->mode >> 23 & 1 ? SMALL_SATURATE : 0) | (k->stochastic ? SMALL_STOCHASTIC : 0);
    EACH_LANE(
        w, uint32_t a[34] = {0}; uint32_t b[34] = {0}; uint32_t d[34] = {0};
        for (unsigned i = 0; i < sources; i++) {
            a[i] = sa ? get32(w, op, op->a) : lane32(w, op, op->a + i * w->stride, l, false);
            if (k->two) b[i] = sb ? get32(w, op, op->b) : lane32(w, op, op->b + i * w->stride, l, false);
        } for (unsigned i = 0; i < results; i++) d[i] = lane32(w, op, op->d + i * w->stride, l, false);
        int scale = 127; bool no_number = false; uint32_t random = 0; if (k->scale) {
            const uint32_t s =
                k->scale == SCALE_B ? lane32(w, op, op->b, l, sb) : lane32(w, op, op->c, l, sc);
            scale = s >> 23 & 255;
            no_number = scale == 255;
        } if (k->stochastic) random = lane32(w, op, op->b, l, sb);
        for (unsigned i = 0; i < k->count; i++) {
            const uint32_t code = bits_of(k->two && i & 1 ? b : a, source_at + (k->two ? i / 2 : i) * in, in);
            struct small_value v = small_decode(from, code);
            // Into fewer bits the scale divides, out of them it multiplies.
            v.e += in > out ? 127 - scale : scale - 127;
            v.nan |= no_number;
            put_bits(d, result_at + i * out, out,
                     small_encode(to, v, to >= FORMAT_FP8 ? flags : flags & ~1u, random));
            random = random << 1 ^ (random >> 31 ? 197 : 0); // TRAP-117
        } for (unsigned i = 0; i < results; i++) put_lane32(w, op->d + i * w->stride, l, d[i]));
}

#define CONVERT(shape, name, ...)                                                                            \
    TEMPLATE(name) {                                                                                         \
        static const struct conversion k = {__VA_ARGS__};                                                    \
        convert(w, op, sa, sb, sc, &k);                                                                      \
    }                                                                                                        \
    shape(name)
#define FORMATS_OF_8(X) X(fp8, FP8) X(bf8, BF8)
#define FORMATS_OF_6(X) X(fp6, FP6) X(bf6, BF6)

// ---- Plain ----
#define PLAIN(small, NAME)                                                                                   \
    CONVERT(VECTOR1, v_cvt_f32_##small, FORMAT_##NAME, FORMAT_F32, 1, PICK_SOURCE_BYTE)                      \
    CONVERT(VECTOR1, v_cvt_pk_f32_##small, FORMAT_##NAME, FORMAT_F32, 2, PICK_SOURCE_HALF)                   \
    CONVERT(VECTOR2, v_cvt_pk_##small##_f32, FORMAT_F32, FORMAT_##NAME, 2, PICK_RESULT_HALF, .two = true)    \
    CONVERT(VECTOR2, v_cvt_sr_##small##_f32, FORMAT_F32, FORMAT_##NAME, 1, PICK_RESULT_BYTE,                 \
            .stochastic = true)
FORMATS_OF_8(PLAIN)
CONVERT(VECTOR2, v_cvt_sr_f16_f32, FORMAT_F32, FORMAT_F16, 1, PICK_RESULT_HALF, .stochastic = true)
CONVERT(VECTOR2, v_cvt_sr_bf16_f32, FORMAT_F32, FORMAT_BF16, 1, PICK_RESULT_HALF, .stochastic = true)
CONVERT(VECTOR2, v_cvt_pk_f16_f32, FORMAT_F32, FORMAT_F16, 2, .two = true)
CONVERT(VECTOR2, v_cvt_pk_bf16_f32, FORMAT_F32, FORMAT_BF16, 2, .two = true)
CONVERT(VECTOR1, v_cvt_f32_bf16, FORMAT_BF16, FORMAT_F32, 1)

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

// ---- Dot products: products are exact in F32 and added to S2 one after the other (TRAP-191, TRAP-192) ----
static float small_float(unsigned name, uint32_t code) {
    const uint32_t bits = small_encode(FORMAT_F32, small_decode(name, code), 0, 0);
    float f;
    memcpy(&f, &bits, 4);
    return f;
}
static __attribute__((noinline)) void dot4(struct wave *w, const struct op *op, bool sa, bool sb, bool sc,
                                           unsigned fa, unsigned fb) {
    GUARD_CSR(w, CSR_NEAREST,
              EACH_LANE(w, const uint32_t a = lane32(w, op, op->a, l, sa);
                        const uint32_t b = lane32(w, op, op->b, l, sb);
                        uint32_t c = lane32(w, op, op->c, l, sc); float r; memcpy(&r, &c, 4);
                        for (unsigned i = 0; i < 4; i++) r +=
                        small_float(fa, a >> 8 * i & 255) * small_float(fb, b >> 8 * i & 255);
                        memcpy(&c, &r, 4); if (r != r) c = QNAN32; put_lane32(w, op->d, l, c)));
}
#define DOT4(name, A, B)                                                                                     \
    TEMPLATE(name) { dot4(w, op, sa, sb, sc, FORMAT_##A, FORMAT_##B); }                                      \
    VECTOR3(name)
DOT4(v_dot4_f32_fp8_bf8, FP8, BF8)
DOT4(v_dot4_f32_bf8_fp8, BF8, FP8)
DOT4(v_dot4_f32_fp8_fp8, FP8, FP8)
DOT4(v_dot4_f32_bf8_bf8, BF8, BF8)
