// SPDX-License-Identifier: MIT
// Matrix instructions of CDNA5, for waves of 32 lanes: WMMA of dense matrices, with block scales or without,
// and SWMMAC, whose A is sparse. D = A B + C.
//
// A lane holds elements of one row of A (of one column of B): runs of so many that follow each other along K,
// then those of the other half of the wave (run_of). They are unpacked into planes of sixteen lanes in the
// order of K; rows of D are then summed up (matrix_parts.h). With scales, products of a block are summed in
// F64, then scaled, then added. All lanes take part whatever EXEC is; sums round to nearest and keep
// denormals. How hardware rounds inside a sum is not documented.
#include "exec/body/flags_cdna5.h"
#include "exec/body/matrix_parts.h"

#include <float.h>

enum { SIDE = 16, WAVE = 32, MOST_K = 128, MOST_PER_LANE = 64, MOST_RESULTS = 16 };
typedef uint32_t plane5[WAVE], row_of_k[SIDE];
struct operands5 {
    _Alignas(64) row_of_k a[2][MOST_K], b[MOST_K]; // A of sixteen rows, and sixteen more
    _Alignas(64) plane5 d[MOST_RESULTS];
};

struct matrix5 {
    uint8_t rows, k, a, b, c, d;
    bool sparse;
    uint8_t run; // elements that follow each other in a lane; 0: by the format
};

// What the fields ask for.
#define NEG             (op->e & 7)
#define NEG_HI          (op->e >> MATRIX_NEG_HI_SHIFT & 7)
#define FORMAT_A        (op->e >> MATRIX_OP_SEL_SHIFT & 7)
#define FORMAT_B        (op->e >> MATRIX_OP_SEL_HI_SHIFT & 7)
#define CLAMP           (op->e >> MATRIX_CLAMP_SHIFT & 1)
#define SCALED          (!!(op->e & MATRIX_SCALED))
#define SCALE_FORMAT(n) (op->e >> (MATRIX_SCALE_SHIFT + 2 * (n)) & 3)
#define SCALE_ROW(n)    (op->e >> (MATRIX_SCALE_ROW_SHIFT + (n)) & 1)
#define SCALE_BLOCK     (op->e & MATRIX_SCALE_16 ? 16 : 32)

// ---- Elements ----

INLINE unsigned run_of(const struct matrix5 *x, unsigned kind) {
    if (x->run) return x->run;
    return kind == E_F32 ? 2 : element_width[kind] == 16 ? 8 : element_width[kind] == 8 ? 16 : 32;
}
// Sparse A: two bits of the lane's own index for each element, sixteen in a register.
static void read_sparse(struct wave *w, const struct op *op, unsigned kind, unsigned stored,
                        struct reading how, bool whole, struct planes out) {
    _Alignas(64) plane5 few[MOST_PER_LANE / 2], dense[MOST_PER_LANE];
    const struct planes from = {few[0], WAVE, WAVE, 0}, to = {dense[0], WAVE, WAVE, 0};
    unsigned count = 2 * stored;
    unpack(w, op, op->a, kind, stored, how, from);
    for (unsigned i = 0; i < WAVE / LANES; i++) {
        u32v where[2] = {chunk_of(w, op, op->c, 0, i), splat32(0)};
        if (stored > 16) where[1] = chunk_of(w, op, op->c, 1, i);
        spread_chunk(from, to, i, stored, where);
    }
    if (whole) {
        pair_integers(kind, count, to);
        count /= 2;
    }
    for (unsigned j = 0; j < count; j++)
        for (unsigned i = 0; i < WAVE / LANES; i++) *chunk_at(out, j, i) = *chunk_at(to, j, i);
}
static void read_a_and_b5(struct wave *w, const struct op *op, const struct matrix5 *x, struct operands5 *o) {
    const bool any = x->a == E_F8F6F4, whole = x->d == E_I32;
    const unsigned kind_a = any ? format_by_number[FORMAT_A] : x->a,
                   kind_b = any ? format_by_number[FORMAT_B] : x->b;
    const unsigned per_lane = x->k / 2, in_a_plane = whole ? 2 : 1;
    const unsigned registers = per_lane * element_width[kind_a] / 32; // of sixteen rows
    struct reading how_a = {.is_signed = NEG & 1}, how_b = {.is_signed = NEG & 2};
    if (element_width[kind_a] > 8) {
        how_a.negate = negation(op, 0);
        how_b.negate = negation(op, 1);
    }
    for (unsigned half = 0; half < x->rows / SIDE; half++) {
        const struct planes to = {o->a[half][0], SIDE, WAVE, run_of(x, kind_a) / in_a_plane};
        const uint32_t from = op->a + half * registers * w->stride;
        if (x->sparse)
            read_sparse(w, op, kind_a, per_lane / 2, how_a, whole, to);
        else if (whole)
            unpack_integers(w, op, from, kind_a, per_lane, how_a.is_signed, to);
        else
            unpack(w, op, from, kind_a, per_lane, how_a, to);
    }
    const struct planes to = {o->b[0], SIDE, WAVE, run_of(x, kind_b) / in_a_plane};
    if (whole)
        unpack_integers(w, op, op->b, kind_b, per_lane, how_b.is_signed, to);
    else
        unpack(w, op, op->b, kind_b, per_lane, how_b, to);
}

// ---- Scales ----

static double power_of_two(int n) { // of a normal number
    const uint64_t bits = (uint64_t)(n + 1023) << 52;
    double d;
    memcpy(&d, &bits, 8);
    return d;
}
static double scale_value(uint32_t bits, unsigned format) {
    if (format == 0) return bits == 255 ? (double)NAN : power_of_two((int)bits - 127);
    const bool e5m3 = format == 1;
    const unsigned value = e5m3 ? bits : bits & 127;
    if (value == (e5m3 ? 255u : 127u)) return (double)NAN;
    const int bias = e5m3 ? 15 : 7, exponent = (int)(value >> 3);
    return exponent ? (8 + (value & 7)) * power_of_two(exponent - bias - 3)
                    : (value & 7) * power_of_two(1 - bias - 3);
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

// Where row m of D, or of C in as many registers, begins: rows 8 apart are in one register.
INLINE unsigned place_of_row(unsigned m) { return (m / SIDE * 8 + m % 8) * WAVE + m / 8 % 2 * SIDE; }
ROWS(rows_f32, f32v, SIDE / LANES, MOST_ROWS, SIDE, fma32)
ROWS(rows_i32, u32v, SIDE / LANES, MOST_ROWS, SIDE, add_pairs)
ROWS(rows_vnni, u32v, SIDE / LANES, MOST_ROWS, SIDE, add_pairs_vnni)
INLINE void multiply_rows(const struct matrix5 *x, const struct operands5 *o, struct rows rows,
                          enum sums sums) {
    const struct places p = {1, 0, sums == SUMS_F32 ? x->k : x->k / 2u};
    for (unsigned m = 0; m < x->rows; m += MOST_ROWS) {
        const unsigned places[2] = {place_of_row(m), place_of_row(m + 4)};
        (sums == SUMS_F32    ? rows_f32
         : sums == SUMS_VNNI ? rows_vnni
                             : rows_i32)(&o->a[m / SIDE][0][m % SIDE], o->b[0], p, rows, places, WAVE);
    }
}
static void multiply5(const struct matrix5 *x, const struct operands5 *o, struct rows rows) {
    switch (sums_of(x->d)) {
    case SUMS_F32: multiply_rows(x, o, rows, SUMS_F32); break;
    case SUMS_PAIRS: multiply_rows(x, o, rows, SUMS_PAIRS); break;
    case SUMS_VNNI: multiply_rows(x, o, rows, SUMS_VNNI); break;
    }
}

// Vectors of the sixteen columns as F64.
enum { WIDE64 = 2 * SIDE / LANES };
typedef float f32_half __attribute__((vector_size(VB / 2)));
INLINE void to_doubles(const uint32_t *row, f64v out[WIDE64]) {
    for (unsigned i = 0; i < WIDE64; i++) {
        f32_half v;
        memcpy(&v, row + i * (LANES / 2), sizeof v);
        out[i] = __builtin_convertvector(v, f64v);
    }
}
static float float_of(uint32_t bits) {
    float f;
    memcpy(&f, &bits, 4);
    return f;
}
// Adds the products of one block, K from `first` on, to rows m and so on of D: as many as keep sums in
// flight.
enum { ROWS64 = LANES == 16 ? 4 : 1 };
INLINE void add_block(struct operands5 *o, unsigned m, unsigned first, unsigned size, const f64v (*b)[WIDE64],
                      const double *by_row, const double *by_column) {
    f64v sum[ROWS64][WIDE64];
    for (unsigned r = 0; r < ROWS64; r++)
        for (unsigned i = 0; i < WIDE64; i++) sum[r][i] = splatd(0);
    for (unsigned k = 0; k < size; k++) UNROLL for (unsigned r = 0; r < ROWS64; r++) {
            const f64v a = splatd(float_of(o->a[m / SIDE][first + k][m % SIDE + r]));
            UNROLL for (unsigned i = 0; i < WIDE64; i++) sum[r][i] =
                fma64(a, b[k][i], sum[r][i]); // the product is exact in any case
        }
    UNROLL for (unsigned r = 0; r < ROWS64; r++) {
        uint32_t *row = &o->d[0][0] + place_of_row(m + r);
        f64v d[WIDE64];
        to_doubles(row, d);
        UNROLL for (unsigned i = 0; i < WIDE64; i++) {
            f64v by;
            memcpy(&by, by_column + i * (LANES / 2), sizeof by);
            const f32_half v = __builtin_convertvector(d[i] + sum[r][i] * (splatd(by_row[r]) * by), f32_half);
            memcpy(row + i * (LANES / 2), &v, sizeof v);
        }
    }
}
static void multiply_scaled(struct wave *w, const struct op *op, const struct matrix5 *x,
                            struct operands5 *o) {
    const unsigned size = SCALE_BLOCK;
    for (unsigned block = 0; block < x->k / size; block++) {
        double by_column[SIDE];
        f64v b[32][WIDE64];
        for (unsigned n = 0; n < SIDE; n++) by_column[n] = scale_of(w, op, 1, n, false, block);
        for (unsigned k = 0; k < size; k++) to_doubles(o->b[block * size + k], b[k]);
        for (unsigned m = 0; m < x->rows; m += ROWS64) {
            double by_row[ROWS64];
            for (unsigned r = 0; r < ROWS64; r++)
                by_row[r] = scale_of(w, op, 0, m + r, x->rows > SIDE, block);
            add_block(o, m, block * size, size, b, by_row, by_column);
        }
    }
}

// ---- C and D ----

static unsigned result_planes5(const struct matrix5 *x) { return x->rows / 2; }
// Whether rows of C and D can be read and written where they are: dwords, and the same registers or others.
static bool stands_ready5(const struct wave *w, const struct op *op, const struct matrix5 *x, uint32_t from) {
    const uint32_t size = result_planes5(x) * w->stride;
    if (is_16(x->c) || is_16(x->d) || is_constant(from) || SCALED) return false;
    if (x->d == E_I32 ? CLAMP || w->mode >> 23 & 1 : !x->sparse && (NEG_HI | NEG) & 4) return false;
    return same_or_apart(op, from, size);
}
static u32v constant_c(struct wave *w, const struct op *op, uint32_t from, unsigned kind) {
    if (!is_16(kind)) return splat32(get32(w, op, from));
    const uint32_t *table = kind == E_F16 ? w->constant16 : w->constant_bf16;
    if (from >= WAVE_OFFSET(constant32) && from < WAVE_OFFSET(constant32) + sizeof w->constant32)
        return splat32(table[(from - WAVE_OFFSET(constant32)) / 4] & 0xffff);
    return splat32(get32(w, op, from) & 0xffff);
}
// Of 16-bit kinds a register has rows m and m + 1.
static void read_c5(struct wave *w, const struct op *op, const struct matrix5 *x, uint32_t from,
                    plane5 *out) {
    const bool modified = !x->sparse && x->d != E_I32, is_short = is_16(x->c);
    const uint32_t keep = modified && NEG_HI & 4 ? 0x7fffffff : ~0u;
    const uint32_t flip = modified && NEG & 4 ? 0x80000000 : 0;
    for (unsigned v = 0; v < result_planes5(x); v++)
        for (unsigned i = 0; i < WAVE / LANES; i++) {
            u32v c;
            if (is_constant(from))
                c = constant_c(w, op, from, x->c);
            else
                c = reg_at(w, from + (is_short ? v / 2 : v) * w->stride)[i];
            if (is_short && !is_constant(from)) c = c >> 16 * (v & 1) & 0xffff;
            if (is_short) c = unpacked(c, x->c, false, false, false);
            *(u32v *)&out[v][i * LANES] = (c & keep) ^ flip;
        }
}
static u32v narrow_sum(const struct wave *w, unsigned kind, u32v bits) {
    const u32v h = (kind == E_F16 ? to_f16((f32v)bits) : to_bf16_nearest(bits)) & 0xffff;
    if (!(w->mode >> 23 & 1)) return h; // FP16_OVFL
    const u32v infinity = splat32(kind == E_F16 ? 0x7c00 : 0x7f80);
    const i32v over = (i32v)((h & 0x7fff) == infinity) & (i32v)((bits & 0x7fffffff) < 0x7f800000);
    return h + (u32v)over; // the largest finite number
}
static void write_d5(struct wave *w, const struct op *op, const struct matrix5 *x, const plane5 *d) {
    for (unsigned v = 0; v < result_planes5(x); v++)
        for (unsigned i = 0; i < WAVE / LANES; i++) {
            const u32v sum = *(const u32v *)&d[v][i * LANES];
            if (!is_16(x->d)) {
                reg_at(w, op->d + v * w->stride)[i] = sum;
                continue;
            }
            u32v *at = &reg_at(w, op->d + v / 2 * w->stride)[i];
            const u32v h = narrow_sum(w, x->d, sum);
            *at = v & 1 ? (*at & 0xffff) | h << 16 : (*at & 0xffff0000) | h;
        }
}

static __attribute__((noinline)) void run_matrix5(struct wave *w, const struct op *op,
                                                  const struct matrix5 *x) {
    struct operands5 o;
    plane5 c[MOST_RESULTS];
    const uint32_t from = x->sparse ? op->d : op->c;
    const bool saturate = x->d == E_I32 && (CLAMP || w->mode >> 23 & 1);
    read_a_and_b5(w, op, x, &o);
    if (stands_ready5(w, op, x, from)) {
        multiply5(x, &o, (struct rows){(const uint32_t *)reg_at(w, from), (uint32_t *)reg_at(w, op->d)});
        return;
    }
    read_c5(w, op, x, from, o.d);
    if (saturate) {
        memcpy(c, o.d, sizeof c);
        memset(o.d, 0, sizeof o.d);
    }
    if (SCALED)
        multiply_scaled(w, op, x, &o);
    else
        multiply5(x, &o, (struct rows){o.d[0], o.d[0]});
    if (saturate) add_saturating(o.d[0], c[0], result_planes5(x) * WAVE);
    write_d5(w, op, x, o.d);
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
