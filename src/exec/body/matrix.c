// SPDX-License-Identifier: MIT
// Matrix instructions: MFMA and SMFMAC of CDNA, WMMA and SWMMAC of RDNA. D = A B + C over square blocks.
//
// All work alike: the elements of A and B are unpacked into floats or integers by lane, sparse A is spread
// out, then each row of D is a vector that takes products of one element of A with a row of B, K ascending,
// each product fused with its addition. Only where an element stands differs (struct places). All lanes take
// part whatever EXEC is (TRAP-202). Floats round to nearest and keep denormals, but F32 A and B follow MODE
// (TRAP-212); products of shorter types are exact. How hardware rounds inside a sum is not documented.
#include "exec/body/element.h"

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

INLINE u32v chunk_of(struct wave *w, const struct op *op, uint32_t offset, unsigned reg, unsigned i) {
    return is_constant(offset) ? splat32(get32(w, op, offset)) : reg_at(w, offset + reg * w->stride)[i];
}

// `count` elements of every lane. Bits 0 and 1 of `negate`: the even, the odd ones change sign.
INLINE void unpack_kind(struct wave *w, const struct op *op, uint32_t offset, unsigned kind, unsigned count,
                        bool is_signed, unsigned negate, plane *out) {
    const unsigned width = element_width[kind], chunks = w->lanes / LANES;
    const bool flush = !(w->mode & 0x10), fnuz = FNUZ;
    for (unsigned j = 0; j < count; j++) {
        const unsigned at = j * width, reg = at / 32, shift = at % 32;
        const uint32_t flip = negate >> (j & 1) & 1 ? 0x80000000u : 0;
        for (unsigned i = 0; i < chunks; i++) {
            u32v x = chunk_of(w, op, offset, reg, i) >> shift;
            if (shift + width > 32) x |= chunk_of(w, op, offset, reg + 1, i) << (32 - shift);
            if (width < 32) x &= (1u << width) - 1;
            *(u32v *)&out[j][i * LANES] = unpacked(x, kind, fnuz, is_signed, flush) ^ flip;
        }
    }
}
// The same where a register has two elements.
INLINE void unpack_pairs(struct wave *w, uint32_t offset, unsigned kind, unsigned count, unsigned negate,
                         plane *out) {
    const unsigned chunks = w->lanes / LANES;
    const u32v flip[2] = {splat32(negate << 31), splat32(negate >> 1 << 31)};
    for (unsigned j = 0; j < count; j += 2)
        for (unsigned i = 0; i < chunks; i++) {
            const u32v x = reg_at(w, offset + j / 2 * w->stride)[i];
            *(u32v *)&out[j][i * LANES] = unpacked(x & 0xffff, kind, false, true, false) ^ flip[0];
            *(u32v *)&out[j + 1][i * LANES] = unpacked(x >> 16, kind, false, true, false) ^ flip[1];
        }
}
// Only waves of 64 lanes have matrices of F32.
INLINE void unpack_floats(struct wave *w, uint32_t offset, unsigned count, plane *out) {
    const u32v *in = reg_at(w, offset);
    u32v *to = (u32v *)out[0];
    const bool flush = !(w->mode & 0x10);
    for (unsigned i = 0; i < count * (MAX_LANES / LANES); i++)
        to[i] = flush ? (u32v)flush32((f32v)in[i]) : in[i];
}
static __attribute__((noinline)) void unpack_rare(struct wave *w, const struct op *op, uint32_t offset,
                                                  unsigned kind, unsigned count, bool is_signed,
                                                  unsigned negate, plane *out) {
    unpack_kind(w, op, offset, kind, count, is_signed, negate, out);
}
// The kinds that programs use most have loops of their own.
INLINE void unpack(struct wave *w, const struct op *op, uint32_t offset, unsigned kind, unsigned count,
                   bool is_signed, unsigned negate, plane *out) {
    switch (is_constant(offset) ? E_F64 : kind) {
    case E_F32: unpack_floats(w, offset, count, out); break;
    case E_F16: unpack_pairs(w, offset, E_F16, count, negate, out); break;
    case E_BF16: unpack_pairs(w, offset, E_BF16, count, negate, out); break;
    case E_I8: unpack_kind(w, op, offset, E_I8, count, true, negate, out); break;
    default: unpack_rare(w, op, offset, kind, count, is_signed, negate, out); break;
    }
}
// Sparse A: of each four elements two are there, and two bits of the index tell the place of each.
static void spread_out(struct wave *w, const struct op *op, unsigned set, unsigned count, plane *a) {
    plane dense[MOST_ELEMENTS];
    memset(dense, 0, 2 * count * sizeof *dense);
    for (unsigned l = 0; l < w->lanes; l++) {
        const uint32_t where = lane32(w, op, op->c, l, is_constant(op->c)) >> (2 * count * set & 31);
        for (unsigned j = 0; j < count; j++) dense[j / 2 * 4 + (where >> 2 * j & 3)][l] = a[j][l];
    }
    memcpy(a, dense, 2 * count * sizeof *dense);
}
// Every lane holds 32 elements of K, a block, and the exponent of its scale.
static void scale_block(struct wave *w, const struct op *op, unsigned which, plane *p) {
    const uint32_t offset = (uint32_t)(op->imm >> 32 * which);
    for (unsigned l = 0; l < MAX_LANES; l++) {
        const unsigned e = lane32(w, op, offset, l, is_constant(offset)) >> 8 * SCALE_BYTE(which) & 255;
        const float by = e == 255 ? NAN : (float)OUT(ldexp(1, (int)e - 127));
        for (unsigned j = 0; j < MOST_ELEMENTS; j++) {
            float f;
            memcpy(&f, &p[j][l], 4);
            f *= by;
            memcpy(&p[j][l], &f, 4);
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

// Where elements stand.
struct places {
    unsigned groups, per_lane; // groups of lanes over which K is spread; elements of K in a lane
    unsigned step;             // lanes from group to group
};
static struct places places_of(const struct wave *w, const struct op *op, const struct matrix *x) {
    const unsigned step = (unsigned)x->size * x->blocks;
    if (!IS_RDNA) return (struct places){x->groups, x->per_lane, step};
    const unsigned groups = !SPREAD ? 0 : w->lanes == 64 ? 2 : 1; // as a power of two
    return (struct places){1u << groups, x->k >> groups, step};
}
// Rows of D, and of C, which stand in registers or planes of as many lanes as the wave has.
struct rows {
    const uint32_t *from;
    uint32_t *to;
};

// COUNT rows at a time, as many as keep sums in flight: those that begin at PLACES dwords, and behind each
// the next three in steps of STEP. WIDE: vectors of a row.
#define ROWS(name, T, WIDE, COUNT, ADD)                                                                      \
    INLINE void name(const struct operands *o, struct places p, unsigned first_lane, struct rows rows,       \
                     const unsigned *places, unsigned step, unsigned first) {                                \
        T acc[COUNT][WIDE];                                                                                  \
        UNROLL for (unsigned r = 0; r < COUNT; r++) {                                                        \
            const T *c = (const T *)(rows.from + places[r / 4] + r % 4 * step);                              \
            UNROLL for (unsigned i = 0; i < WIDE; i++) acc[r][i] = c[i];                                     \
        }                                                                                                    \
        for (unsigned g = 0; g < p.groups; g++) {                                                            \
            const uint32_t *b = &o->b[0][first_lane + p.step * g],                                           \
                           *a = &o->a[0][first_lane + p.step * g + first];                                   \
            unsigned left = p.per_lane;                                                                      \
            do {                                                                                             \
                UNROLL for (unsigned r = 0; r < COUNT; r++) {                                                \
                    const T x = (T)splat32(a[r]);                                                            \
                    UNROLL for (unsigned i = 0; i < WIDE; i++) acc[r][i] =                                   \
                        ADD(x, ((const T *)b)[i], acc[r][i]);                                                \
                }                                                                                            \
                a += MAX_LANES, b += MAX_LANES;                                                              \
            } while (--left);                                                                                \
        }                                                                                                    \
        UNROLL for (unsigned r = 0; r < COUNT; r++) {                                                        \
            T *d = (T *)(rows.to + places[r / 4] + r % 4 * step);                                            \
            UNROLL for (unsigned i = 0; i < WIDE; i++) d[i] = acc[r][i];                                     \
        }                                                                                                    \
    }
#define UNROLL           _Pragma("GCC unroll 8")
#define ADD_I32(a, b, c) ((a) * (b) + (c))
enum { MOST_ROWS = LANES == 16 ? 8 : 4 };
ROWS(rows_f32_32, f32v, 32 / LANES, MOST_ROWS, fma32)
ROWS(rows_f32_16, f32v, 16 / LANES, MOST_ROWS, fma32)
ROWS(rows_i32_32, u32v, 32 / LANES, MOST_ROWS, ADD_I32)
ROWS(rows_i32_16, u32v, 16 / LANES, MOST_ROWS, ADD_I32)

static __attribute__((noinline)) void multiply_narrow(const struct operands *o, const struct matrix *x,
                                                      unsigned block, struct rows rows) {
    for (unsigned r = 0; r < 4; r++)
        for (unsigned c = 0; c < 4; c++) {
            const unsigned at = 4 * block + r * MAX_LANES + c;
            uint32_t sum = rows.from[at];
            for (unsigned j = 0; j < x->k; j++) {
                const uint32_t a = o->a[j][4 * block + r], b = o->b[j][4 * block + c];
                float fa, fb, fs;
                memcpy(&fa, &a, 4), memcpy(&fb, &b, 4), memcpy(&fs, &sum, 4);
                fs = fmaf(fa, fb, fs);
                if (x->d == E_I32)
                    sum += a * b;
                else
                    memcpy(&sum, &fs, 4);
            }
            rows.to[at] = sum;
        }
}

// Waves of 64 lanes: four rows are in as many registers.
INLINE void multiply_blocks(const struct operands *o, const struct matrix *x, struct places p,
                            struct rows rows, bool whole) {
    for (unsigned block = 0; block < x->blocks; block++)
        if (x->size == 4)
            multiply_narrow(o, x, block, rows);
        else if (x->size == 32)
            for (unsigned i = 0; i < 32; i += MOST_ROWS) {
                const unsigned place = (16 * block + i / 8 * 4) * MAX_LANES + i / 4 % 2 * 32,
                               places[2] = {place, place + 32};
                (whole ? rows_i32_32 : rows_f32_32)(o, p, 32 * block, rows, places, MAX_LANES, i);
            }
        else
            for (unsigned i = 0; i < 16; i += MOST_ROWS) {
                const unsigned place = 4 * block * MAX_LANES + 4 * i, places[2] = {place, place + 16};
                (whole ? rows_i32_16 : rows_f32_16)(o, p, 16 * block, rows, places, MAX_LANES, i);
            }
}
// Waves of RDNA have 2 or 4 groups of 16 lanes: a row in each group, then the next register; or, where K is
// spread over the groups, four rows are in as many registers.
INLINE void multiply_wmma(const struct operands *o, struct places p, struct rows rows, unsigned lanes,
                          bool spread, bool whole) {
    const unsigned groups = lanes / 16, step = spread ? lanes : 16;
    for (unsigned i = 0; i < 16; i += MOST_ROWS) {
        unsigned places[2];
        for (unsigned n = 0; n < 2; n++) {
            const unsigned row = i + 4 * n;
            places[n] = spread ? row % (16 / groups) * lanes + row / (16 / groups) * 16 : 16 * row;
        }
        (whole ? rows_i32_16 : rows_f32_16)(o, p, 0, rows, places, step, i);
    }
}
static __attribute__((noinline)) void multiply(struct wave *w, const struct op *op, const struct operands *o,
                                               const struct matrix *x, struct places p, struct rows rows) {
    if (IS_RDNA && x->d == E_I32)
        multiply_wmma(o, p, rows, w->lanes, SPREAD, true);
    else if (IS_RDNA)
        multiply_wmma(o, p, rows, w->lanes, SPREAD, false);
    else if (x->d == E_I32)
        multiply_blocks(o, x, p, rows, true);
    else
        multiply_blocks(o, x, p, rows, false);
}

// ---- C and D ----
INLINE bool is_half_result(const struct matrix *x) { return x->d == E_F16 || x->d == E_BF16; }
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
    return is_constant(from) || from == op->d || from + size <= op->d || op->d + size <= from;
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
// I32 results that saturate: the sum without C never overflows.
static void add_saturating(struct wave *w, const struct matrix *x, uint32_t *sum, const uint32_t *c) {
    for (unsigned i = 0; i < result_planes(w, x) * w->lanes; i++) {
        const int64_t s = (int64_t)(int32_t)sum[i] + (int32_t)c[i];
        sum[i] = (uint32_t)(s > INT32_MAX ? INT32_MAX : s < INT32_MIN ? INT32_MIN : s);
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

static __attribute__((noinline)) void matrix(struct wave *w, const struct op *op, const struct matrix *x) {
    struct operands o;
    plane c[8];
    const struct places p = places_of(w, op, x);
    const unsigned stored = x->sparse ? p.per_lane / 2 : p.per_lane;
    unsigned a = x->a, b = x->b, negate_a = 0, negate_b = 0;
    bool signed_a = true, signed_b = true;
    if (IS_RDNA && x->d == E_I32)
        signed_a = NEG & 1, signed_b = NEG >> 1 & 1; // TRAP-223
    else if (IS_RDNA)
        negate_a = (NEG & 1) | (NEG_HI & 1) << 1, negate_b = (NEG >> 1 & 1) | (NEG_HI >> 1 & 1)
                                                                                  << 1; // TRAP-224
    static const uint8_t by_number[8] = {E_FP8, E_BF8, E_FP6, E_BF6, E_FP4, E_FP8, E_FP8, E_FP8};
    if (a == E_F8F6F4) a = by_number[CBSZ], b = by_number[BLGP]; // TRAP-208
    unpack(w, op, op->a, a, stored, signed_a, negate_a, o.a);
    unpack(w, op, op->b, b, p.per_lane, signed_b, negate_b, o.b);
    if (x->sparse) {
        const unsigned sets = 32 / (2 * stored);
        const unsigned set = IS_RDNA ? OP_SEL : CBSZ ? 0 : ABID; // TRAP-217, TRAP-220
        spread_out(w, op, sets > 1 ? set % sets : 0, stored, o.a);
    } else if (SCALED) {
        scale_block(w, op, 0, o.a);
        scale_block(w, op, 1, o.b);
    } else if (!IS_RDNA && x->a != E_F8F6F4) {
        uint8_t from[MAX_LANES];
        if (CBSZ && CBSZ <= 4) {                      // TRAP-205
            const unsigned others = (1u << CBSZ) - 1; // of each so many blocks one is for all (ERR-44)
            for (unsigned l = 0; l < MAX_LANES; l++) {
                const unsigned block = l / x->size % x->blocks;
                const unsigned chosen = ((block & ~others) | (ABID & others)) % x->blocks;
                from[l] = (uint8_t)((l + (chosen - block) * x->size) & 63);
            }
            permute_lanes(o.a, stored, from);
        }
        if (BLGP) { // TRAP-206
            for (unsigned l = 0; l < MAX_LANES; l++)
                from[l] = (uint8_t)(BLGP == 1   ? l % 32
                                    : BLGP == 2 ? 32 + l % 32
                                    : BLGP == 3 ? (l + 16) % 64
                                                : l % 16 + 16 * (BLGP - 4));
            permute_lanes(o.b, p.per_lane, from);
        }
    }
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
    if (saturate) add_saturating(w, x, o.d[0], c[0]);
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
