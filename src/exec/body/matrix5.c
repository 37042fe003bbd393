// SPDX-License-Identifier: MIT
// Matrix instructions of CDNA5, for waves of 32 lanes: WMMA of dense matrices, with block scales or without,
// and SWMMAC, whose A is sparse. D = A B + C.
//
// A lane holds elements of one row of A (of one column of B): runs of so many that follow each other along K,
// then those of the other half of the wave (struct runs). Elements are unpacked into planes of 32 lanes; a
// row of D is then a vector that takes products with K ascending, each fused with its addition. With scales,
// products of a block are summed exactly, then scaled, then added. All lanes take part whatever EXEC is; sums
// round to nearest and keep denormals. How hardware rounds inside a sum is not documented.
#include "exec/body/element.h"
#include "exec/body/flags_cdna5.h"

#include <float.h>

enum { SIDE = 16, WAVE = 32, MOST_PER_LANE = 64, MOST_RESULTS = 16 };
typedef uint32_t plane5[WAVE];

struct matrix5 {
    uint8_t rows, k, a, b, c, d;
    bool sparse;
    uint8_t run; // elements that follow each other in a lane; 0: by the format
};

// What the fields ask for.
#define NEG      (op->e & 7)
#define NEG_HI   (op->e >> MATRIX_NEG_HI_SHIFT & 7)
#define FORMAT_A (op->e >> MATRIX_OP_SEL_SHIFT & 7)
#define FORMAT_B (op->e >> MATRIX_OP_SEL_HI_SHIFT & 7)
#define CLAMP    (op->e >> MATRIX_CLAMP_SHIFT & 1)
#define SCALED   (!!(op->e & MATRIX_SCALED))
#define SCALE_FORMAT(n) (op->e >> (MATRIX_SCALE_SHIFT + 2 * (n)) & 3)
#define SCALE_ROW(n)    (op->e >> (MATRIX_SCALE_ROW_SHIFT + (n)) & 1)
#define SCALE_BLOCK     (op->e & MATRIX_SCALE_16 ? 16 : 32)

// ---- Elements ----

INLINE unsigned run_of(const struct matrix5 *x, unsigned kind) {
    if (x->run) return x->run;
    return kind == E_F32 ? 2 : element_width[kind] == 16 ? 8 : element_width[kind] == 8 ? 16 : 32;
}
// Bits 0 and 1 of `negate`: the even, the odd elements change sign.
static void unpack5(struct wave *w, uint32_t offset, unsigned kind, unsigned count, bool is_signed,
                    unsigned negate, plane5 *out) {
    const unsigned width = element_width[kind];
    for (unsigned j = 0; j < count; j++) {
        const unsigned at = j * width, reg = at / 32, shift = at % 32;
        const uint32_t flip = negate >> (j & 1) & 1 ? 0x80000000u : 0;
        for (unsigned i = 0; i < WAVE / LANES; i++) {
            u32v v = reg_at(w, offset + reg * w->stride)[i] >> shift;
            if (shift + width > 32) v |= reg_at(w, offset + (reg + 1) * w->stride)[i] << (32 - shift);
            if (width < 32) v &= (1u << width) - 1;
            v = unpacked(v, kind, false, is_signed, false) ^ flip;
            memcpy(&out[j][i * LANES], &v, VB);
        }
    }
}
// Sparse A: of each four elements two are there; two bits of the lane's own index tell the place of each.
static void spread5(struct wave *w, const struct op *op, unsigned stored, plane5 *a) {
    plane5 dense[MOST_PER_LANE];
    memset(dense, 0, sizeof dense);
    for (unsigned l = 0; l < WAVE; l++)
        for (unsigned j = 0; j < stored; j++) {
            const uint32_t at = op->c + j / 16 * w->stride;
            const uint32_t index = lane32(w, op, is_constant(op->c) ? op->c : at, l, is_constant(op->c));
            dense[j / 2 * 4 + (index >> 2 * (j % 16) & 3)][l] = a[j][l];
        }
    memcpy(a, dense, sizeof dense);
}
// Where element k of a row stands: the plane, and the first lane of its half of the wave.
struct place5 {
    unsigned plane, lane;
};
INLINE struct place5 place5(unsigned k, unsigned run) {
    return (struct place5){k / (2 * run) * run + k % run, k / run % 2 * SIDE};
}

// ---- Scales ----

static double scale_value(uint32_t bits, unsigned format) {
    if (format == 0) return bits == 255 ? (double)NAN : OUT(ldexp(1, (int)bits - 127));
    const bool e5m3 = format == 1;
    const unsigned value = e5m3 ? bits : bits & 127;
    if (value == (e5m3 ? 255u : 127u)) return (double)NAN;
    const int bias = e5m3 ? 15 : 7, exponent = (int)(value >> 3);
    return exponent ? OUT(ldexp(8 + (value & 7), exponent - bias - 3)) : OUT(ldexp(value & 7, 1 - bias - 3));
}
// The scale of block `block` of row (of A) or column `r`. Scalars have one for all; constant 0 is 1.0.
static double scale_of(struct wave *w, const struct op *op, unsigned which, unsigned r, bool both_rows,
                       unsigned block) {
    const uint32_t offset = (uint32_t)(op->imm >> 32 * which);
    const unsigned lane = both_rows ? r : r % SIDE + SIDE * SCALE_ROW(which);
    uint32_t bits;
    if (offset == WAVE_OFFSET(constant32))
        bits = 127;
    else if (is_constant(offset))
        bits = get32(w, op, offset) & 255;
    else
        bits = lane32(w, op, offset + block / 4 * w->stride, lane, false) >> 8 * (block % 4) & 255;
    return scale_value(bits, offset == WAVE_OFFSET(constant32) ? 0 : SCALE_FORMAT(which));
}

// ---- Sums ----

struct sums5 {
    float f[2 * SIDE][SIDE];
    int32_t i[2 * SIDE][SIDE];
};
static void multiply5(const struct matrix5 *x, const plane5 *a, const plane5 *b, unsigned run_a,
                      unsigned run_b, struct sums5 *s) {
    for (unsigned m = 0; m < x->rows; m++) {
        const plane5 *rows = a + m / SIDE * MOST_PER_LANE;
        for (unsigned k = 0; k < x->k; k++) {
            const struct place5 pa = place5(k, run_a), pb = place5(k, run_b);
            const uint32_t *column = &b[pb.plane][pb.lane], value = rows[pa.plane][pa.lane + m % SIDE];
            if (x->d == E_I32)
                for (unsigned n = 0; n < SIDE; n++) s->i[m][n] += (int32_t)(value * column[n]);
            else
                for (unsigned n = 0; n < SIDE; n += LANES) {
                    u32v v;
                    f32v sum;
                    memcpy(&v, column + n, VB), memcpy(&sum, &s->f[m][n], VB);
                    sum = fma32((f32v)splat32(value), (f32v)v, sum);
                    memcpy(&s->f[m][n], &sum, VB);
                }
        }
    }
}
static float float_of(uint32_t bits) {
    float f;
    memcpy(&f, &bits, 4);
    return f;
}
static void multiply_scaled(struct wave *w, const struct op *op, const struct matrix5 *x, const plane5 *a,
                            const plane5 *b, unsigned run_a, unsigned run_b, struct sums5 *s) {
    const unsigned size = SCALE_BLOCK;
    double by_column[SIDE][8];
    for (unsigned n = 0; n < SIDE; n++)
        for (unsigned block = 0; block < x->k / size; block++)
            by_column[n][block] = scale_of(w, op, 1, n, false, block);
    for (unsigned m = 0; m < x->rows; m++)
        for (unsigned block = 0; block < x->k / size; block++) {
            const double by_row = scale_of(w, op, 0, m, x->rows > SIDE, block);
            double sum[SIDE] = {0};
            for (unsigned k = block * size; k < (block + 1) * size; k++) {
                const struct place5 pa = place5(k, run_a), pb = place5(k, run_b);
                const double value = float_of(a[m / SIDE * MOST_PER_LANE + pa.plane][pa.lane + m % SIDE]);
                for (unsigned n = 0; n < SIDE; n++) sum[n] += value * float_of(b[pb.plane][pb.lane + n]);
            }
            for (unsigned n = 0; n < SIDE; n++)
                s->f[m][n] = (float)(s->f[m][n] + sum[n] * (by_row * by_column[n][block]));
        }
}

// ---- C and D ----

INLINE bool is_16(unsigned kind) { return kind == E_F16 || kind == E_BF16; }
// Element (m, n) of C or D: its register, its lane, and for 16 bits whether it is the upper half.
struct result_place {
    unsigned reg, lane;
    bool high;
};
INLINE struct result_place result_place(unsigned kind, unsigned m, unsigned n) {
    const unsigned row = m % 8;
    return (struct result_place){(is_16(kind) ? row / 2 : row) + m / SIDE * 8, n + m / 8 % 2 * SIDE, row & 1};
}
static uint32_t one_of_c(struct wave *w, const struct op *op, uint32_t from, unsigned kind, unsigned m,
                         unsigned n) {
    const struct result_place p = result_place(kind, m, n);
    if (is_constant(from)) {
        if (!is_16(kind)) return get32(w, op, from);
        const uint32_t *table = kind == E_F16 ? w->constant16 : w->constant_bf16;
        if (from >= WAVE_OFFSET(constant32) && from < WAVE_OFFSET(constant32) + sizeof w->constant32)
            return table[(from - WAVE_OFFSET(constant32)) / 4] & 0xffff;
        return get32(w, op, from) & 0xffff;
    }
    const uint32_t v = lane32(w, op, from + p.reg * w->stride, p.lane, false);
    return is_16(kind) ? v >> 16 * p.high & 0xffff : v;
}
static void read_c5(struct wave *w, const struct op *op, const struct matrix5 *x, uint32_t from,
                    struct sums5 *s) {
    const bool modified = !x->sparse && x->d != E_I32;
    const uint32_t keep = modified && NEG_HI & 4 ? 0x7fffffff : ~0u;
    const uint32_t flip = modified && NEG & 4 ? 0x80000000 : 0;
    for (unsigned m = 0; m < x->rows; m++)
        for (unsigned n = 0; n < SIDE; n++) {
            uint32_t c = one_of_c(w, op, from, x->c, m, n);
            if (is_16(x->c)) c = unpacked(splat32(c), x->c, false, false, false)[0];
            s->i[m][n] = (int32_t)c;
            s->f[m][n] = float_of((c & keep) ^ flip);
        }
}
static uint32_t narrow_sum(const struct wave *w, unsigned kind, float sum) {
    const u32v bits = (u32v)splatf(sum);
    uint32_t h = (kind == E_F16 ? to_f16((f32v)bits) : to_bf16_nearest(bits))[0] & 0xffff;
    const uint32_t infinity = kind == E_F16 ? 0x7c00 : 0x7f80;
    if (w->mode >> 23 & 1 && (h & 0x7fff) == infinity && fabsf(sum) <= FLT_MAX) h--; // FP16_OVFL
    return h;
}
static void write_d5(struct wave *w, const struct op *op, const struct matrix5 *x, const struct sums5 *s) {
    for (unsigned m = 0; m < x->rows; m++)
        for (unsigned n = 0; n < SIDE; n++) {
            const struct result_place p = result_place(x->d, m, n);
            const uint32_t at = op->d + p.reg * w->stride;
            uint32_t v;
            memcpy(&v, &s->f[m][n], 4);
            if (x->d == E_I32) v = (uint32_t)s->i[m][n];
            if (is_16(x->d)) {
                const uint32_t old = lane32(w, op, at, p.lane, false);
                v = narrow_sum(w, x->d, s->f[m][n]) << 16 * p.high | (old & (p.high ? 0xffff : 0xffff0000));
            }
            put_lane32(w, at, p.lane, v);
        }
}
static void add_c(struct wave *w, const struct op *op, const struct matrix5 *x, const struct sums5 *c,
                  struct sums5 *s) {
    const bool saturate = CLAMP || w->mode >> 23 & 1;
    for (unsigned m = 0; m < x->rows; m++)
        for (unsigned n = 0; n < SIDE; n++) {
            const int64_t sum = (int64_t)s->i[m][n] + c->i[m][n];
            s->i[m][n] = saturate && sum > INT32_MAX   ? INT32_MAX
                         : saturate && sum < INT32_MIN ? INT32_MIN
                                                       : (int32_t)(uint32_t)sum;
        }
}

static __attribute__((noinline)) void run_matrix5(struct wave *w, const struct op *op,
                                                  const struct matrix5 *x) {
    static const uint8_t by_number[8] = {E_FP8, E_BF8, E_FP6, E_BF6, E_FP4, E_FP8, E_FP8, E_FP8};
    _Alignas(64) plane5 a[2 * MOST_PER_LANE], b[MOST_PER_LANE];
    struct sums5 s, c;
    const bool any = x->a == E_F8F6F4, whole = x->d == E_I32;
    const unsigned kind_a = any ? by_number[FORMAT_A] : x->a, kind_b = any ? by_number[FORMAT_B] : x->b;
    const unsigned per_lane = x->k / 2, stored = x->sparse ? per_lane / 2 : per_lane;
    const bool bytes = element_width[kind_a] <= 8;
    const unsigned negate_a = bytes ? 0 : (NEG & 1) | (NEG_HI & 1) << 1;
    const unsigned negate_b = bytes ? 0 : (NEG >> 1 & 1) | (NEG_HI >> 1 & 1) << 1;
    const bool signed_a = !whole || NEG & 1, signed_b = !whole || NEG & 2;
    const unsigned registers = stored * element_width[kind_a] / 32; // of sixteen rows
    for (unsigned half = 0; half < x->rows / SIDE; half++)
        unpack5(w, op->a + half * registers * w->stride, kind_a, stored, signed_a, negate_a,
                a + half * MOST_PER_LANE);
    unpack5(w, op->b, kind_b, per_lane, signed_b, negate_b, b);
    if (x->sparse) spread5(w, op, stored, a);
    read_c5(w, op, x, x->sparse ? op->d : op->c, &s);
    if (whole) c = s, memset(s.i, 0, sizeof s.i);
    if (SCALED)
        multiply_scaled(w, op, x, a, b, run_of(x, kind_a), run_of(x, kind_b), &s);
    else
        multiply5(x, a, b, run_of(x, kind_a), run_of(x, kind_b), &s);
    if (whole) add_c(w, op, x, &c, &s);
    write_d5(w, op, x, &s);
}

#define MATRIX5(name, ...)                                                                                   \
    static const struct op *name##_matrix(struct wave *w, const struct op *op) {                             \
        static const struct matrix5 x = {__VA_ARGS__};                                                       \
        GUARD_CSR(w, CSR_NEAREST, run_matrix5(w, op, &x));                                                   \
        NEXT;                                                                                                \
    }                                                                                                        \
    BODY(name, .shape = SHAPE_MATRIX, .fn = {name##_matrix});
MATRIX5(v_wmma_f32_16x16x4_f32, 16, 4, E_F32, E_F32, E_F32, E_F32, false, 0)
MATRIX5(v_wmma_f32_16x16x32_f16, 16, 32, E_F16, E_F16, E_F32, E_F32, false, 0)
MATRIX5(v_wmma_f32_16x16x32_bf16, 16, 32, E_BF16, E_BF16, E_F32, E_F32, false, 0)
MATRIX5(v_wmma_f16_16x16x32_f16, 16, 32, E_F16, E_F16, E_F16, E_F16, false, 0)
MATRIX5(v_wmma_bf16_16x16x32_bf16, 16, 32, E_BF16, E_BF16, E_BF16, E_BF16, false, 0)
MATRIX5(v_wmma_bf16f32_16x16x32_bf16, 16, 32, E_BF16, E_BF16, E_F32, E_BF16, false, 0)
MATRIX5(v_wmma_i32_16x16x64_iu8, 16, 64, E_IU8, E_IU8, E_I32, E_I32, false, 8)
MATRIX5(v_wmma_f32_16x16x128_f8f6f4, 16, 128, E_F8F6F4, E_F8F6F4, E_F32, E_F32, false, 0)
MATRIX5(v_wmma_f32_32x16x128_f4, 32, 128, E_FP4, E_FP4, E_F32, E_F32, false, 0)
MATRIX5(v_swmmac_f32_16x16x64_f16, 16, 64, E_F16, E_F16, E_F32, E_F32, true, 16)
MATRIX5(v_swmmac_f32_16x16x64_bf16, 16, 64, E_BF16, E_BF16, E_F32, E_F32, true, 16)
MATRIX5(v_swmmac_f16_16x16x64_f16, 16, 64, E_F16, E_F16, E_F16, E_F16, true, 16)
MATRIX5(v_swmmac_bf16_16x16x64_bf16, 16, 64, E_BF16, E_BF16, E_BF16, E_BF16, true, 16)
MATRIX5(v_swmmac_bf16f32_16x16x64_bf16, 16, 64, E_BF16, E_BF16, E_F32, E_BF16, true, 16)
MATRIX5(v_swmmac_i32_16x16x128_iu8, 16, 128, E_IU8, E_IU8, E_I32, E_I32, true, 16)
#define MATRICES_OF_BYTES(a, b, A, B)                                                                        \
    MATRIX5(v_wmma_f32_16x16x64_##a##_##b, 16, 64, E_##A, E_##B, E_F32, E_F32, false, 8)                     \
    MATRIX5(v_wmma_f16_16x16x64_##a##_##b, 16, 64, E_##A, E_##B, E_F16, E_F16, false, 8)                     \
    MATRIX5(v_wmma_f32_16x16x128_##a##_##b, 16, 128, E_##A, E_##B, E_F32, E_F32, false, 8)                   \
    MATRIX5(v_wmma_f16_16x16x128_##a##_##b, 16, 128, E_##A, E_##B, E_F16, E_F16, false, 8)                   \
    MATRIX5(v_swmmac_f32_16x16x128_##a##_##b, 16, 128, E_##A, E_##B, E_F32, E_F32, true, 16)                 \
    MATRIX5(v_swmmac_f16_16x16x128_##a##_##b, 16, 128, E_##A, E_##B, E_F16, E_F16, true, 16)
MATRICES_OF_BYTES(fp8, fp8, FP8, FP8)
MATRICES_OF_BYTES(fp8, bf8, FP8, BF8)
MATRICES_OF_BYTES(bf8, fp8, BF8, FP8)
MATRICES_OF_BYTES(bf8, bf8, BF8, BF8)
