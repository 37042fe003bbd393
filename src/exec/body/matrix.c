// SPDX-License-Identifier: MIT
// Matrix instructions: MFMA and SMFMAC of CDNA, WMMA and SWMMAC of RDNA. D = A B + C over square blocks.
//
// All work alike: the elements of A and B are unpacked, sparse A is spread out, then rows of D are summed up
// (matrix_parts.h). Only where an element stands differs (places_of). All lanes take part whatever EXEC is
// (TRAP-202). Floats round to nearest and keep denormals, but F32 A and B follow MODE (TRAP-212); products of
// shorter types are exact. How hardware rounds inside a sum is not documented.
#include "exec/body/matrix_parts.h"

struct matrix {
    uint8_t size, k, blocks, a, b, d;
    bool sparse;
    uint8_t groups, per_lane; // of waves of 64 lanes, see places_of
};

#define CBSZ    (op->e & 7)
#define ABID    (op->e >> MATRIX_ABID_SHIFT & 15)
#define BLGP    (op->e >> MATRIX_BLGP_SHIFT & 7)
#define FNUZ    (!!(op->e & MATRIX_FNUZ))
#define IS_RDNA (!!(op->e & MATRIX_RDNA))
#define SPREAD  (!!(op->e & MATRIX_SPREAD))
#define NEG     (op->e & 7)
#define NEG_HI  (op->e >> MATRIX_NEG_HI_SHIFT & 7)
#define OP_SEL  (op->e >> MATRIX_OP_SEL_SHIFT & 7)
#define CLAMP   (op->e >> MATRIX_CLAMP_SHIFT & 1)
// The registers of block scales are in op->imm.
#define SCALED        (!!(op->e & MATRIX_SCALED))
#define SCALE_BYTE(n) (op->e >> (MATRIX_SCALE_SHIFT + 2 * (n)) & 3)

enum { MOST_ELEMENTS = 32, MOST_REGISTERS = 32 };
typedef uint32_t plane[MAX_LANES]; // one element of every lane
struct operands {
    _Alignas(64) plane a[MOST_ELEMENTS], b[MOST_ELEMENTS], d[MOST_REGISTERS];
};

// Every lane holds 32 elements of K, a block, and the exponent of its scale: 2^-127 to 2^127, or NaN.
static void scale_block(struct wave *w, const struct op *op, unsigned which, plane *p) {
    const uint32_t offset = (uint32_t)(op->imm >> 32 * which);
    for (unsigned i = 0; i < MAX_LANES / LANES; i++) {
        const u32v e = chunk_of(w, op, offset, 0, i) >> 8 * SCALE_BYTE(which) & 255;
        u32v by = select32((i32v)(e == 0), splat32(0x00400000), e << 23);
        by = select32((i32v)(e == 255), splat32(0x7fc00000), by);
        for (unsigned j = 0; j < MOST_ELEMENTS; j++) {
            f32v *at = (f32v *)&p[j][i * LANES];
            *at = *at * (f32v)by;
        }
    }
}
// lane l of every plane becomes lane from[l].
static void permute_lanes(plane *p, unsigned count, const uint8_t *from) {
    for (unsigned j = 0; j < count; j++) {
        plane old;
        memcpy(old, p[j], sizeof old);
        for (unsigned l = 0; l < MAX_LANES; l++) p[j][l] = old[from[l]];
    }
}

INLINE struct places places_of(const struct wave *w, const struct op *op, const struct matrix *x) {
    const bool pairs = x->d == E_I32;
    const unsigned step = (unsigned)x->size * x->blocks;
    if (!IS_RDNA) return (struct places){x->groups, step, x->per_lane >> pairs};
    const unsigned groups = !SPREAD ? 0 : w->lanes == 64 ? 2 : 1; // as a power of two
    return (struct places){1u << groups, step, x->k >> groups >> pairs};
}
ROWS(rows_f32_32, f32v, 32 / LANES, MOST_ROWS, MAX_LANES, fma32)
ROWS(rows_f32_16, f32v, 16 / LANES, MOST_ROWS, MAX_LANES, fma32)
ROWS(rows_i32_32, u32v, 32 / LANES, MOST_ROWS, MAX_LANES, add_pairs)
ROWS(rows_i32_16, u32v, 16 / LANES, MOST_ROWS, MAX_LANES, add_pairs)
ROWS(rows_vnni_32, u32v, 32 / LANES, MOST_ROWS, MAX_LANES, add_pairs_vnni)
ROWS(rows_vnni_16, u32v, 16 / LANES, MOST_ROWS, MAX_LANES, add_pairs_vnni)
#define ROWS_OF(size, sums)                                                                                  \
    ((sums) == SUMS_F32 ? rows_f32_##size : (sums) == SUMS_VNNI ? rows_vnni_##size : rows_i32_##size)

static __attribute__((noinline)) void multiply_narrow(const struct operands *o, const struct matrix *x,
                                                      unsigned block, struct rows rows) {
    for (unsigned r = 0; r < 4; r++)
        for (unsigned c = 0; c < 4; c++) {
            const unsigned at = 4 * block + r * MAX_LANES + c;
            uint32_t sum = rows.from[at];
            for (unsigned j = 0; j < (x->d == E_I32 ? x->k / 2u : x->k); j++) {
                const uint32_t a = o->a[j][4 * block + r], b = o->b[j][4 * block + c];
                float fa, fb, fs;
                memcpy(&fa, &a, 4), memcpy(&fb, &b, 4), memcpy(&fs, &sum, 4);
                fs = fmaf(fa, fb, fs);
                if (x->d == E_I32)
                    sum += (uint32_t)((int16_t)a * (int16_t)b + (int16_t)(a >> 16) * (int16_t)(b >> 16));
                else
                    memcpy(&sum, &fs, 4);
            }
            rows.to[at] = sum;
        }
}

// Waves of 64 lanes: four rows are in as many registers.
INLINE void multiply_blocks(const struct operands *o, const struct matrix *x, struct places p,
                            struct rows rows, enum sums sums) {
    for (unsigned block = 0; block < x->blocks; block++)
        if (x->size == 4)
            multiply_narrow(o, x, block, rows);
        else if (x->size == 32)
            for (unsigned i = 0; i < 32; i += MOST_ROWS) {
                const unsigned place = (16 * block + i / 8 * 4) * MAX_LANES + i / 4 % 2 * 32,
                               places[2] = {place, place + 32};
                ROWS_OF(32, sums)(&o->a[0][32 * block + i], &o->b[0][32 * block], p, rows, places, MAX_LANES);
            }
        else
            for (unsigned i = 0; i < 16; i += MOST_ROWS) {
                const unsigned place = 4 * block * MAX_LANES + 4 * i, places[2] = {place, place + 16};
                ROWS_OF(16, sums)(&o->a[0][16 * block + i], &o->b[0][16 * block], p, rows, places, MAX_LANES);
            }
}
// Waves of RDNA have 2 or 4 groups of 16 lanes: a row in each group, then the next register; or, where K is
// spread over the groups, four rows are in as many registers.
INLINE void multiply_wmma(const struct operands *o, struct places p, struct rows rows, unsigned lanes,
                          bool spread, enum sums sums) {
    const unsigned groups = lanes / 16, step = spread ? lanes : 16;
    for (unsigned i = 0; i < 16; i += MOST_ROWS) {
        unsigned places[2];
        for (unsigned n = 0; n < 2; n++) {
            const unsigned row = i + 4 * n;
            places[n] = spread ? row % (16 / groups) * lanes + row / (16 / groups) * 16 : 16 * row;
        }
        ROWS_OF(16, sums)(&o->a[0][i], o->b[0], p, rows, places, step);
    }
}
#define MULTIPLY(sums)                                                                                       \
    case sums:                                                                                               \
        if (IS_RDNA)                                                                                         \
            multiply_wmma(o, p, rows, w->lanes, SPREAD, sums);                                               \
        else                                                                                                 \
            multiply_blocks(o, x, p, rows, sums);                                                            \
        break;
static __attribute__((noinline)) void multiply(struct wave *w, const struct op *op, const struct operands *o,
                                               const struct matrix *x, struct places p, struct rows rows) {
    switch (sums_of(x->d)) {
        MULTIPLY(SUMS_F32)
        MULTIPLY(SUMS_PAIRS)
        MULTIPLY(SUMS_VNNI)
    }
}

// ---- C and D ----
INLINE bool is_half_result(const struct matrix *x) { return is_16(x->d); }
// Of C and D: one register of all lanes that the wave has.
INLINE uint32_t *plane_of(const struct wave *w, struct operands *o, unsigned v) {
    return &o->d[0][0] + (size_t)v * w->lanes;
}
static unsigned result_planes(const struct wave *w, const struct matrix *x) {
    return ((unsigned)x->size * x->size * x->blocks) >> (w->lanes == 64 ? 6 : 5);
}
INLINE bool has_modified_c(const struct op *op, const struct matrix *x) {
    return IS_RDNA && !x->sparse && x->d != E_I32 && (NEG_HI | NEG) & 4;
}
// Whether rows of C and D can be read and written where they are: dwords, and the same registers or others.
static bool stands_ready(const struct wave *w, const struct op *op, const struct matrix *x, uint32_t from) {
    const uint32_t size = result_planes(w, x) * w->stride;
    if (is_half_result(x) || has_modified_c(op, x)) return false;
    return is_constant(from) || same_or_apart(op, from, size);
}
static void fill_registers(struct wave *w, uint32_t offset, unsigned count, u32v with) {
    for (unsigned v = 0; v < count; v++)
        for (unsigned i = 0; i < w->lanes / LANES; i++) reg_at(w, offset + v * w->stride)[i] = with;
}
static __attribute__((noinline)) void read_c(struct wave *w, const struct op *op, const struct matrix *x,
                                             uint32_t from, struct operands *o) {
    const unsigned planes = result_planes(w, x), chunks = w->lanes / LANES;
    const bool modified = has_modified_c(op, x);
    const uint32_t keep = modified && NEG_HI & 4 ? 0x7fffffff : ~0u;
    const uint32_t flip = modified && NEG & 4 ? 0x80000000 : 0;
    for (unsigned v = 0; v < planes; v++)
        for (unsigned i = 0; i < chunks; i++) {
            u32v c;
            if (is_half_result(x)) {
                const bool high = SPREAD ? v & 1 : OP_SEL >> 2 & 1;
                c = chunk_of(w, op, from, SPREAD ? v / 2 : v, i);
                if (!is_constant(from) && high) c = c >> 16;
                if (from >= WAVE_OFFSET(constant32) && from < WAVE_OFFSET(constant32) + 512)
                    c = splat32((x->d == E_F16 ? w->constant16
                                               : w->constant_bf16)[(from - WAVE_OFFSET(constant32)) / 4]);
                c = unpacked(c & 0xffff, x->d, false, false, false);
            } else
                c = chunk_of(w, op, from, v, i);
            *(u32v *)&plane_of(w, o, v)[i * LANES] = (c & keep) ^ flip;
        }
}
static __attribute__((noinline)) void write_d(struct wave *w, const struct op *op, const struct matrix *x,
                                              struct operands *o) {
    const unsigned planes = result_planes(w, x), chunks = w->lanes / LANES;
    for (unsigned v = 0; v < planes; v++)
        for (unsigned i = 0; i < chunks; i++) {
            u32v d = *(const u32v *)&plane_of(w, o, v)[i * LANES];
            u32v *at = &reg_at(w, op->d + v * w->stride)[i];
            if (is_half_result(x)) {
                const bool high = SPREAD ? v & 1 : OP_SEL >> 2 & 1;
                d = x->d == E_F16 ? to_f16((f32v)d) : to_bf16_nearest(d);
                at = &reg_at(w, op->d + (SPREAD ? v / 2 : v) * w->stride)[i];
                d = high ? (*at & 0xffff) | d << 16 : (*at & 0xffff0000) | d;
            }
            *at = d;
        }
}
// ---- F64 ----
// One value of every lane, with its sign changed or not. Constants are of 64 bits here.
INLINE void read_doubles(struct wave *w, const struct op *op, uint32_t offset, bool negate, double *out) {
    const uint64_t flip = negate ? 1ull << 63 : 0;
    for (unsigned i = 0; i < MAX_LANES / LANES; i++) {
        u64x2 v;
        if (is_constant(offset))
            v = load64(w, op, offset, i, true);
        else { // in the order of lanes, which join64 does not keep
            const u32v lo = reg_at(w, offset)[i], hi = reg_at(w, offset + w->stride)[i];
            v = join64(SHUFFLE(lo, lo, PICK_NARROW), SHUFFLE(hi, hi, PICK_NARROW));
        }
        if (offset >= WAVE_OFFSET(constant32) && offset < WAVE_OFFSET(constant32) + 512) {
            const u64v constant = splat64(w->constant64[(offset - WAVE_OFFSET(constant32)) / 4]);
            v = (u64x2){constant, constant};
        }
        ((u64v *)&out[i * LANES])[0] = v.x ^ flip;
        ((u64v *)&out[i * LANES])[1] = v.y ^ flip;
    }
}
INLINE void write_doubles(struct wave *w, uint32_t offset, const double *from) {
    for (unsigned i = 0; i < MAX_LANES / LANES; i++) {
        const u64v *pair = (const u64v *)&from[i * LANES];
        const u64x2 v = {pair[0], pair[1]};
        reg_at(w, offset)[i] = SHUFFLE(split_lo(v), split_lo(v), PICK_WIDEN);
        reg_at(w, offset + w->stride)[i] = SHUFFLE(split_hi(v), split_hi(v), PICK_WIDEN);
    }
}
// The rows of a 16 by 16 matrix, four lanes' values of K each.
static void rows_f64_16(const double *a, const double *b, double d[4][MAX_LANES]) {
    enum { WIDE = 32 / LANES };
    for (unsigned i = 0; i < 16; i++) {
        f64v *row = (f64v *)&d[i / 4][16 * (i % 4)];
        for (unsigned g = 0; g < 4; g++)
            UNROLL for (unsigned c = 0; c < WIDE; c++) row[c] =
                fma64(splatd(a[16 * g + i]), ((const f64v *)&b[16 * g])[c], row[c]);
    }
}
static __attribute__((noinline)) void matrix_f64(struct wave *w, const struct op *op,
                                                 const struct matrix *x) {
    _Alignas(64) double a[MAX_LANES], b[MAX_LANES], d[4][MAX_LANES];
    const unsigned results = x->size == 16 ? 4 : 1;
    read_doubles(w, op, op->a, BLGP & 1, a);
    read_doubles(w, op, op->b, BLGP & 2, b);
    for (unsigned v = 0; v < results; v++)
        read_doubles(w, op, is_constant(op->c) ? op->c : op->c + 2 * v * w->stride, BLGP & 4, d[v]);
    if (x->size == 16) rows_f64_16(a, b, d);
    for (unsigned block = 0; x->size == 4 && block < x->blocks; block++)
        for (unsigned i = 0; i < 4; i++)
            for (unsigned g = 0; g < 4; g++)
                for (unsigned j = 0; j < 4; j++) {
                    double *sum = &d[0][16 * i + 4 * block + j];
                    *sum = fma(a[16 * g + 4 * block + i], b[16 * g + 4 * block + j], *sum);
                }
    for (unsigned v = 0; v < results; v++) write_doubles(w, op->d + 2 * v * w->stride, d[v]);
}

// Of CBSZ and BLGP of CDNA, of matrices that have no other use for them: which lanes stand for which.
static void rearrange(const struct op *op, const struct matrix *x, unsigned count, struct operands *o) {
    uint8_t from[MAX_LANES];
    if (CBSZ && CBSZ <= 4) {                      // TRAP-205
        const unsigned others = (1u << CBSZ) - 1; // of each so many blocks one is for all (ERR-44)
        for (unsigned l = 0; l < MAX_LANES; l++) {
            const unsigned block = l / x->size % x->blocks;
            const unsigned chosen = ((block & ~others) | (ABID & others)) % x->blocks;
            from[l] = (uint8_t)((l + (chosen - block) * x->size) & 63);
        }
        permute_lanes(o->a, count, from);
    }
    if (BLGP) { // TRAP-206
        for (unsigned l = 0; l < MAX_LANES; l++)
            from[l] = (uint8_t)(BLGP == 1   ? l % 32
                                : BLGP == 2 ? 32 + l % 32
                                : BLGP == 3 ? (l + 16) % 64
                                            : l % 16 + 16 * (BLGP - 4));
        permute_lanes(o->b, count, from);
    }
}
static void spread_out(struct wave *w, const struct op *op, unsigned stored, struct planes from,
                       struct planes to) {
    const unsigned sets = 32 / (2 * stored);
    const unsigned set = IS_RDNA ? OP_SEL : CBSZ ? 0 : ABID; // TRAP-217, TRAP-220
    for (unsigned i = 0; i < to.lanes / LANES; i++) {
        const u32v where = chunk_of(w, op, op->c, 0, i) >> (2 * stored * (sets > 1 ? set % sets : 0));
        spread_chunk(from, to, i, stored, &where);
    }
}
// `count`: elements of K in a lane.
INLINE void read_integers(struct wave *w, const struct op *op, const struct matrix *x, unsigned count,
                          struct planes sparse, struct planes a, struct planes b) {
    const bool signed_a = !IS_RDNA || NEG & 1, signed_b = !IS_RDNA || NEG & 2; // TRAP-223
    if (x->sparse) {
        unpack(w, op, op->a, x->a, count / 2, (struct reading){.is_signed = signed_a}, sparse);
        spread_out(w, op, count / 2, sparse, a);
        pair_integers(x->a, count, a);
    } else
        unpack_integers(w, op, op->a, x->a, count, signed_a, a);
    unpack_integers(w, op, op->b, x->b, count, signed_b, b);
}
INLINE void read_floats(struct wave *w, const struct op *op, const struct matrix *x, unsigned count,
                        struct planes sparse, struct planes a, struct planes b) {
    const bool any = x->a == E_F8F6F4;
    struct reading how_a = {.fnuz = FNUZ, .flush = !(w->mode & 0x10)}, how_b = how_a;
    if (IS_RDNA) { // TRAP-224
        how_a.negate = negation(op, 0);
        how_b.negate = negation(op, 1);
    }
    const unsigned kind_a = any ? format_by_number[CBSZ] : x->a, kind_b = any ? format_by_number[BLGP] : x->b;
    if (x->sparse) {
        unpack(w, op, op->a, kind_a, count / 2, how_a, sparse);
        spread_out(w, op, count / 2, sparse, a);
    } else
        unpack(w, op, op->a, kind_a, count, how_a, a);
    unpack(w, op, op->b, kind_b, count, how_b, b);
}
// What the operands are, as the rows of D need them.
INLINE void read_a_and_b(struct wave *w, const struct op *op, const struct matrix *x, struct places p,
                         struct operands *o) {
    _Alignas(64) plane sparse[MOST_ELEMENTS / 2];
    const unsigned lanes = p.groups * p.step;
    const struct planes few = {sparse[0], MAX_LANES, lanes, 0}, a = {o->a[0], MAX_LANES, lanes, 0},
                        b = {o->b[0], MAX_LANES, lanes, 0};
    if (x->d == E_I32)
        read_integers(w, op, x, 2 * p.per_lane, few, a, b);
    else
        read_floats(w, op, x, p.per_lane, few, a, b);
    if (SCALED) {
        scale_block(w, op, 0, o->a);
        scale_block(w, op, 1, o->b);
    } else if (!x->sparse && !IS_RDNA && x->a != E_F8F6F4)
        rearrange(op, x, p.per_lane, o);
}

static __attribute__((noinline)) void matrix(struct wave *w, const struct op *op, const struct matrix *x) {
    struct operands o;
    plane c[8];
    const struct places p = places_of(w, op, x);
    read_a_and_b(w, op, x, p, &o);
    const uint32_t from = x->sparse ? op->d : op->c;
    const bool saturate = IS_RDNA && x->d == E_I32 && CLAMP;
    if (!saturate && stands_ready(w, op, x, from)) {
        struct rows rows = {.to = (uint32_t *)reg_at(w, op->d)};
        rows.from = is_constant(from) ? rows.to : (const uint32_t *)reg_at(w, from);
        if (is_constant(from)) fill_registers(w, op->d, result_planes(w, x), splat32(get32(w, op, from)));
        multiply(w, op, &o, x, p, rows);
        return;
    }
    read_c(w, op, x, from, &o);
    if (saturate) {
        memcpy(c, o.d, sizeof c);
        memset(o.d, 0, sizeof c);
    }
    multiply(w, op, &o, x, p, (struct rows){o.d[0], o.d[0]});
    if (saturate) add_saturating(o.d[0], c[0], result_planes(w, x) * w->lanes);
    write_d(w, op, x, &o);
}

static __attribute__((noinline)) void run_matrix(struct wave *w, const struct op *op,
                                                 const struct matrix *x) {
    GUARD_CSR(w, CSR_NEAREST, if (x->d == E_F64) matrix_f64(w, op, x); else matrix(w, op, x));
}

#define MATRIX(name, size, k, blocks, a, b, d, sparse)                                                       \
    static const struct op *name##_matrix(struct wave *w, const struct op *op) {                             \
        enum { GROUPS = MAX_LANES / (size * blocks) };                                                       \
        static const struct matrix x = {size, k, blocks, a, b, d, sparse, GROUPS, k / GROUPS};               \
        run_matrix(w, op, &x);                                                                               \
        NEXT;                                                                                                \
    }                                                                                                        \
    BODY(name, .shape = SHAPE_MATRIX, .fn = {name##_matrix});
MATRIX(v_mfma_f32_16x16x8_1b_xf32, 16, 8, 1, E_XF32, E_XF32, E_F32, false)
MATRIX(v_mfma_f32_32x32x4_1b_xf32, 32, 4, 1, E_XF32, E_XF32, E_F32, false)
MATRIX(v_mfma_f32_32x32x1_2b_f32, 32, 1, 2, E_F32, E_F32, E_F32, false)
MATRIX(v_mfma_f32_16x16x1_4b_f32, 16, 1, 4, E_F32, E_F32, E_F32, false)
MATRIX(v_mfma_f32_4x4x1_16b_f32, 4, 1, 16, E_F32, E_F32, E_F32, false)
MATRIX(v_mfma_f32_32x32x2_1b_f32, 32, 2, 1, E_F32, E_F32, E_F32, false)
MATRIX(v_mfma_f32_16x16x4_1b_f32, 16, 4, 1, E_F32, E_F32, E_F32, false)
MATRIX(v_mfma_f32_32x32x4_2b_f16, 32, 4, 2, E_F16, E_F16, E_F32, false)
MATRIX(v_mfma_f32_16x16x4_4b_f16, 16, 4, 4, E_F16, E_F16, E_F32, false)
MATRIX(v_mfma_f32_4x4x4_16b_f16, 4, 4, 16, E_F16, E_F16, E_F32, false)
MATRIX(v_mfma_f32_32x32x8_1b_f16, 32, 8, 1, E_F16, E_F16, E_F32, false)
MATRIX(v_mfma_f32_16x16x16_1b_f16, 16, 16, 1, E_F16, E_F16, E_F32, false)
MATRIX(v_mfma_i32_32x32x4_2b_i8, 32, 4, 2, E_I8, E_I8, E_I32, false)
MATRIX(v_mfma_i32_16x16x4_4b_i8, 16, 4, 4, E_I8, E_I8, E_I32, false)
MATRIX(v_mfma_i32_4x4x4_16b_i8, 4, 4, 16, E_I8, E_I8, E_I32, false)
MATRIX(v_mfma_i32_32x32x8_1b_i8, 32, 8, 1, E_I8, E_I8, E_I32, false)
MATRIX(v_mfma_i32_16x16x16_1b_i8, 16, 16, 1, E_I8, E_I8, E_I32, false)
MATRIX(v_mfma_i32_32x32x16_1b_i8, 32, 16, 1, E_I8, E_I8, E_I32, false)
MATRIX(v_mfma_i32_16x16x32_1b_i8, 16, 32, 1, E_I8, E_I8, E_I32, false)
MATRIX(v_mfma_f32_32x32x4_2b_bf16, 32, 4, 2, E_BF16, E_BF16, E_F32, false)
MATRIX(v_mfma_f32_16x16x4_4b_bf16, 16, 4, 4, E_BF16, E_BF16, E_F32, false)
MATRIX(v_mfma_f32_4x4x4_16b_bf16, 4, 4, 16, E_BF16, E_BF16, E_F32, false)
MATRIX(v_mfma_f32_32x32x8_1b_bf16, 32, 8, 1, E_BF16, E_BF16, E_F32, false)
MATRIX(v_mfma_f32_16x16x16_1b_bf16, 16, 16, 1, E_BF16, E_BF16, E_F32, false)
MATRIX(v_smfmac_f32_16x16x32_1b_f16, 16, 32, 1, E_F16, E_F16, E_F32, true)
MATRIX(v_smfmac_f32_32x32x16_1b_f16, 32, 16, 1, E_F16, E_F16, E_F32, true)
MATRIX(v_smfmac_f32_16x16x32_1b_bf16, 16, 32, 1, E_BF16, E_BF16, E_F32, true)
MATRIX(v_mfma_f32_32x32x2_2b_bf16, 32, 2, 2, E_BF16, E_BF16, E_F32, false)
MATRIX(v_smfmac_f32_32x32x16_1b_bf16, 32, 16, 1, E_BF16, E_BF16, E_F32, true)
MATRIX(v_mfma_f32_16x16x2_4b_bf16, 16, 2, 4, E_BF16, E_BF16, E_F32, false)
MATRIX(v_smfmac_i32_16x16x64_1b_i8, 16, 64, 1, E_I8, E_I8, E_I32, true)
MATRIX(v_mfma_f32_4x4x2_16b_bf16, 4, 2, 16, E_BF16, E_BF16, E_F32, false)
MATRIX(v_mfma_f32_32x32x4_1b_bf16, 32, 4, 1, E_BF16, E_BF16, E_F32, false)
MATRIX(v_smfmac_i32_32x32x32_1b_i8, 32, 32, 1, E_I8, E_I8, E_I32, true)
MATRIX(v_mfma_f32_16x16x8_1b_bf16, 16, 8, 1, E_BF16, E_BF16, E_F32, false)
MATRIX(v_mfma_f64_16x16x4_1b_f64, 16, 4, 1, E_F64, E_F64, E_F64, false)
MATRIX(v_mfma_f64_4x4x4_4b_f64, 4, 4, 4, E_F64, E_F64, E_F64, false)
MATRIX(v_mfma_f32_16x16x32_1b_bf8, 16, 32, 1, E_BF8, E_BF8, E_F32, false)
MATRIX(v_mfma_f32_16x16x32_1b_bf8_fp8, 16, 32, 1, E_BF8, E_FP8, E_F32, false)
MATRIX(v_mfma_f32_16x16x32_1b_fp8_bf8, 16, 32, 1, E_FP8, E_BF8, E_F32, false)
MATRIX(v_mfma_f32_16x16x32_1b_fp8, 16, 32, 1, E_FP8, E_FP8, E_F32, false)
MATRIX(v_mfma_f32_32x32x16_1b_bf8, 32, 16, 1, E_BF8, E_BF8, E_F32, false)
MATRIX(v_mfma_f32_32x32x16_1b_bf8_fp8, 32, 16, 1, E_BF8, E_FP8, E_F32, false)
MATRIX(v_mfma_f32_32x32x16_1b_fp8_bf8, 32, 16, 1, E_FP8, E_BF8, E_F32, false)
MATRIX(v_mfma_f32_32x32x16_1b_fp8, 32, 16, 1, E_FP8, E_FP8, E_F32, false)
MATRIX(v_smfmac_f32_16x16x64_1b_bf8, 16, 64, 1, E_BF8, E_BF8, E_F32, true)
MATRIX(v_smfmac_f32_16x16x64_1b_bf8_fp8, 16, 64, 1, E_BF8, E_FP8, E_F32, true)
MATRIX(v_smfmac_f32_16x16x64_1b_fp8_bf8, 16, 64, 1, E_FP8, E_BF8, E_F32, true)
MATRIX(v_smfmac_f32_16x16x64_1b_fp8, 16, 64, 1, E_FP8, E_FP8, E_F32, true)
MATRIX(v_smfmac_f32_32x32x32_1b_bf8, 32, 32, 1, E_BF8, E_BF8, E_F32, true)
MATRIX(v_smfmac_f32_32x32x32_1b_bf8_fp8, 32, 32, 1, E_BF8, E_FP8, E_F32, true)
MATRIX(v_smfmac_f32_32x32x32_1b_fp8_bf8, 32, 32, 1, E_FP8, E_BF8, E_F32, true)
MATRIX(v_smfmac_f32_32x32x32_1b_fp8, 32, 32, 1, E_FP8, E_FP8, E_F32, true)
MATRIX(v_mfma_f32_16x16x128_1b_f8f6f4, 16, 128, 1, E_F8F6F4, E_F8F6F4, E_F32, false)
MATRIX(v_mfma_f32_32x32x64_1b_f8f6f4, 32, 64, 1, E_F8F6F4, E_F8F6F4, E_F32, false)
MATRIX(v_mfma_f32_16x16x32_1b_bf16, 16, 32, 1, E_BF16, E_BF16, E_F32, false)
MATRIX(v_mfma_i32_16x16x64_1b_i8, 16, 64, 1, E_I8, E_I8, E_I32, false)
MATRIX(v_mfma_f32_32x32x16_1b_bf16, 32, 16, 1, E_BF16, E_BF16, E_F32, false)
MATRIX(v_mfma_i32_32x32x32_1b_i8, 32, 32, 1, E_I8, E_I8, E_I32, false)
MATRIX(v_smfmac_f32_16x16x64_1b_bf16, 16, 64, 1, E_BF16, E_BF16, E_F32, true)
MATRIX(v_smfmac_i32_16x16x128_1b_i8, 16, 128, 1, E_I8, E_I8, E_I32, true)
MATRIX(v_smfmac_f32_16x16x128_1b_bf8, 16, 128, 1, E_BF8, E_BF8, E_F32, true)
MATRIX(v_smfmac_f32_16x16x128_1b_bf8_fp8, 16, 128, 1, E_BF8, E_FP8, E_F32, true)
MATRIX(v_smfmac_f32_16x16x128_1b_fp8_bf8, 16, 128, 1, E_FP8, E_BF8, E_F32, true)
MATRIX(v_smfmac_f32_16x16x128_1b_fp8, 16, 128, 1, E_FP8, E_FP8, E_F32, true)
MATRIX(v_smfmac_f32_32x32x32_1b_bf16, 32, 32, 1, E_BF16, E_BF16, E_F32, true)
MATRIX(v_smfmac_i32_32x32x64_1b_i8, 32, 64, 1, E_I8, E_I8, E_I32, true)
MATRIX(v_smfmac_f32_32x32x64_1b_bf8, 32, 64, 1, E_BF8, E_BF8, E_F32, true)
MATRIX(v_smfmac_f32_32x32x64_1b_bf8_fp8, 32, 64, 1, E_BF8, E_FP8, E_F32, true)
MATRIX(v_smfmac_f32_32x32x64_1b_fp8_bf8, 32, 64, 1, E_FP8, E_BF8, E_F32, true)
MATRIX(v_smfmac_f32_32x32x64_1b_fp8, 32, 64, 1, E_FP8, E_FP8, E_F32, true)
MATRIX(v_mfma_f32_16x16x32_1b_f16, 16, 32, 1, E_F16, E_F16, E_F32, false)
MATRIX(v_mfma_f32_32x32x16_1b_f16, 32, 16, 1, E_F16, E_F16, E_F32, false)
MATRIX(v_smfmac_f32_16x16x64_1b_f16, 16, 64, 1, E_F16, E_F16, E_F32, true)
MATRIX(v_smfmac_f32_32x32x32_1b_f16, 32, 32, 1, E_F16, E_F16, E_F32, true)
MATRIX(v_wmma_f32_16x16x16_f16, 16, 16, 1, E_F16, E_F16, E_F32, false)
MATRIX(v_wmma_f32_16x16x16_bf16, 16, 16, 1, E_BF16, E_BF16, E_F32, false)
MATRIX(v_wmma_f16_16x16x16_f16, 16, 16, 1, E_F16, E_F16, E_F16, false)
MATRIX(v_wmma_bf16_16x16x16_bf16, 16, 16, 1, E_BF16, E_BF16, E_BF16, false)
MATRIX(v_wmma_i32_16x16x16_iu8, 16, 16, 1, E_IU8, E_IU8, E_I32, false)
MATRIX(v_wmma_i32_16x16x16_iu4, 16, 16, 1, E_IU4, E_IU4, E_I32, false)
MATRIX(v_wmma_f32_16x16x16_fp8_fp8, 16, 16, 1, E_FP8, E_FP8, E_F32, false)
MATRIX(v_wmma_f32_16x16x16_fp8_bf8, 16, 16, 1, E_FP8, E_BF8, E_F32, false)
MATRIX(v_wmma_f32_16x16x16_bf8_fp8, 16, 16, 1, E_BF8, E_FP8, E_F32, false)
MATRIX(v_wmma_f32_16x16x16_bf8_bf8, 16, 16, 1, E_BF8, E_BF8, E_F32, false)
MATRIX(v_wmma_i32_16x16x32_iu4, 16, 32, 1, E_IU4, E_IU4, E_I32, false)
MATRIX(v_swmmac_f32_16x16x32_f16, 16, 32, 1, E_F16, E_F16, E_F32, true)
MATRIX(v_swmmac_f32_16x16x32_bf16, 16, 32, 1, E_BF16, E_BF16, E_F32, true)
MATRIX(v_swmmac_f16_16x16x32_f16, 16, 32, 1, E_F16, E_F16, E_F16, true)
MATRIX(v_swmmac_bf16_16x16x32_bf16, 16, 32, 1, E_BF16, E_BF16, E_BF16, true)
MATRIX(v_swmmac_i32_16x16x32_iu8, 16, 32, 1, E_IU8, E_IU8, E_I32, true)
MATRIX(v_swmmac_i32_16x16x32_iu4, 16, 32, 1, E_IU4, E_IU4, E_I32, true)
MATRIX(v_swmmac_i32_16x16x64_iu4, 16, 64, 1, E_IU4, E_IU4, E_I32, true)
MATRIX(v_swmmac_f32_16x16x32_fp8_fp8, 16, 32, 1, E_FP8, E_FP8, E_F32, true)
MATRIX(v_swmmac_f32_16x16x32_fp8_bf8, 16, 32, 1, E_FP8, E_BF8, E_F32, true)
MATRIX(v_swmmac_f32_16x16x32_bf8_fp8, 16, 32, 1, E_BF8, E_FP8, E_F32, true)
MATRIX(v_swmmac_f32_16x16x32_bf8_bf8, 16, 32, 1, E_BF8, E_BF8, E_F32, true)
