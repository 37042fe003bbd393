// SPDX-License-Identifier: MIT
// CDNA5's conversions of 8 or 16 numbers of few bits to wider ones, with a scale E8M0 from another lane's
// register: the layouts of matrices put the scales of 16 rows into one half of the wave.
#define LONG_BODIES
#include "exec/body/body.h"
#include "exec/body/flags.h"
#include "exec/body/small.h"

enum { HALF_WAVE = 16, SCALE_BIAS = 127, SCALE_NAN = 255, MOST_DWORDS = 16 };

// The lane and the byte with the scale of lane l. Of 8-bit numbers a lane has 16 of one block, of others 32
// of one or 16 each of two. Selection: bit 0 is the half of the wave that has the scales, then follows which
// of them.
struct scale_place {
    unsigned lane, byte;
};
INLINE struct scale_place scale_of(unsigned l, unsigned sel, bool bytes) {
    const unsigned half = l / HALF_WAVE % 2, low = sel >> 1 & 1, high = sel >> 2 & 1;
    const bool blocks_of_16 = bytes ? sel & 8 : sel & 4;
    unsigned byte;
    if (bytes)
        byte = blocks_of_16 ? half : 2 * low + high;
    else
        byte = blocks_of_16 ? low + 2 * half : 2 * low + half;
    return (struct scale_place){l % HALF_WAVE + HALF_WAVE * (sel & 1), byte};
}

INLINE uint32_t number_of_few_bits(const uint32_t *from, unsigned at, unsigned bits) {
    const uint64_t two = from[at / 32] | (uint64_t)from[at / 32 + 1] << 32;
    return (uint32_t)(two >> at % 32) & ((1u << bits) - 1);
}

static __attribute__((noinline)) void unpack_scaled(struct wave *w, const struct op *op, bool sb,
                                                    unsigned count, unsigned from, unsigned to) {
    const unsigned bits = small_bits(from), wide = small_bits(to), sel = op->e >> BODY_OP_SEL_SHIFT & 15;
    const unsigned sources = count * bits / 32, results = count * wide / 32;
    uint32_t scales[MAX_LANES];
    for (unsigned l = 0; l < wave_lanes(w); l++) scales[l] = lane32(w, op, op->b, l, sb);
    EACH_LANE(w, {
        const struct scale_place place = scale_of(l, sel, bits == 8);
        const uint32_t scale = scales[place.lane] >> 8 * place.byte & 255;
        uint32_t in[5] = {0};
        uint32_t out[MOST_DWORDS] = {0};
        for (unsigned r = 0; r < sources; r++) in[r] = lane32(w, op, op->a + r * wave_stride(w), l, false);
        for (unsigned n = 0; n < count; n++) {
            struct small_value v = small_decode(from, number_of_few_bits(in, n * bits, bits));
            v.e += (int)scale - SCALE_BIAS;
            v.nan |= scale == SCALE_NAN;
            const bool saturates = wide == 16 && w->mode >> 23 & 1 && !v.infinite; // FP16_OVFL: CDNA5 7.6
            out[n * wide / 32] |= small_encode(to, v, saturates ? SMALL_SATURATE : 0, 0) << n * wide % 32;
        }
        for (unsigned r = 0; r < results; r++) put_lane32(w, op->d + r * wave_stride(w), l, out[r]);
    })
}
#define UNPACK(count, wide, WIDE, small, NAME)                                                               \
    TEMPLATE(v_cvt_scale_pk##count##_##wide##_##small) {                                                     \
        UNUSED_OPERANDS;                                                                                     \
        unpack_scaled(w, op, sb, count, FORMAT_##NAME, FORMAT_##WIDE);                                       \
    }                                                                                                        \
    VECTOR2_(v_cvt_scale_pk##count##_##wide##_##small, .cost = COST_LANE);
#define UNPACK_ALL(count, small, NAME)                                                                       \
    UNPACK(count, f32, F32, small, NAME)                                                                     \
    UNPACK(count, f16, F16, small, NAME)                                                                     \
    UNPACK(count, bf16, BF16, small, NAME)
UNPACK_ALL(8, fp8, FP8)
UNPACK_ALL(8, bf8, BF8)
UNPACK_ALL(8, fp4, FP4)
UNPACK_ALL(16, fp6, FP6)
UNPACK_ALL(16, bf6, BF6)
