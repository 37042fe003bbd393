// SPDX-License-Identifier: MIT
// What matrix instructions of all generations are made of: A and B unpacked into planes, sparse A spread out,
// rows of D = A B + C.
//
// A plane has one element of every lane: a float as F32 bits, or two integers of 16 bits, of which K counts
// both. A row of D is a vector that takes products of one element of A with a row of B, K ascending, each
// product fused with its addition; integers wrap, in any order.
#ifndef EXEC_BODY_MATRIX_PARTS_H
#define EXEC_BODY_MATRIX_PARTS_H

#include "exec/body/element.h"

#define UNROLL _Pragma("GCC unroll 8")

// The registers that a call reads; constants have the same value in each.
INLINE u32v chunk_of(struct wave *w, const struct op *op, uint32_t offset, unsigned reg, unsigned i) {
    return is_constant(offset) ? splat32(get32(w, op, offset)) : reg_at(w, offset + reg * w->stride)[i];
}

// ---- Elements ----

// Planes of `stride` dwords each, and how many lanes are wanted. If `run` is not 0, they are sixteen lanes of
// a wave of 32, with K in order: a lane has `run` planes that follow each other (a power of two), then come
// those of the lane sixteen further.
struct planes {
    uint32_t *at;
    unsigned stride, lanes, run;
};
INLINE u32v *chunk_at(struct planes p, unsigned plane, unsigned i) {
    const unsigned lane = i * LANES;
    if (!p.run) return (u32v *)(p.at + (size_t)plane * p.stride + lane);
    const unsigned in_order = plane + (plane & ~(p.run - 1)) + lane / 16 * p.run;
    return (u32v *)(p.at + (size_t)in_order * p.stride + lane % 16);
}
// How they are read. Bits 0 and 1 of `negate`: the even, the odd ones change sign.
struct reading {
    bool is_signed, fnuz, flush;
    unsigned negate;
};

// `count` elements of every lane.
INLINE void unpack_kind(struct wave *w, const struct op *op, uint32_t offset, unsigned kind, unsigned count,
                        struct reading how, struct planes out) {
    const unsigned width = element_width[kind];
    for (unsigned j = 0; j < count; j++) {
        const unsigned at = j * width, reg = at / 32, shift = at % 32;
        const uint32_t flip = how.negate >> (j & 1) & 1 ? 0x80000000u : 0;
        for (unsigned i = 0; i < out.lanes / LANES; i++) {
            u32v x = chunk_of(w, op, offset, reg, i) >> shift;
            if (shift + width > 32) x |= chunk_of(w, op, offset, reg + 1, i) << (32 - shift);
            if (width < 32) x &= (1u << width) - 1;
            *chunk_at(out, j, i) = unpacked(x, kind, how.fnuz, how.is_signed, how.flush) ^ flip;
        }
    }
}
// The same where a register has two elements.
INLINE void unpack_pairs(struct wave *w, uint32_t offset, unsigned kind, unsigned count, struct reading how,
                         struct planes out) {
    const u32v flip[2] = {splat32(how.negate << 31), splat32(how.negate >> 1 << 31)};
    for (unsigned j = 0; j < count; j += 2)
        for (unsigned i = 0; i < out.lanes / LANES; i++) {
            const u32v x = reg_at(w, offset + j / 2 * w->stride)[i];
            *chunk_at(out, j, i) = unpacked(x & 0xffff, kind, false, true, false) ^ flip[0];
            *chunk_at(out, j + 1, i) = unpacked(x >> 16, kind, false, true, false) ^ flip[1];
        }
}
// Each kind has a loop of its own: what depends on it is outside.
#define UNPACK(kind)                                                                                         \
    case kind: unpack_kind(w, op, offset, kind, count, how, out); break;
static __attribute__((noinline)) void unpack_any(struct wave *w, const struct op *op, uint32_t offset,
                                                 unsigned kind, unsigned count, struct reading how,
                                                 struct planes out) {
    switch (kind) {
        UNPACK(E_F32)
        UNPACK(E_XF32)
        UNPACK(E_F16)
        UNPACK(E_BF16)
        UNPACK(E_FP8)
        UNPACK(E_BF8)
        UNPACK(E_FP6)
        UNPACK(E_BF6)
        UNPACK(E_FP4)
        UNPACK(E_IU4)
    default: unpack_kind(w, op, offset, E_I8, count, how, out); break;
    }
}
#undef UNPACK
INLINE void unpack_floats(struct wave *w, uint32_t offset, unsigned count, struct reading how,
                          struct planes out) {
    for (unsigned j = 0; j < count; j++)
        for (unsigned i = 0; i < out.lanes / LANES; i++) {
            const u32v x = reg_at(w, offset + j * w->stride)[i];
            *chunk_at(out, j, i) = unpacked(x, E_F32, false, true, how.flush) ^ how.negate >> (j & 1) << 31;
        }
}
// What programs use most is done without a call.
INLINE void unpack(struct wave *w, const struct op *op, uint32_t offset, unsigned kind, unsigned count,
                   struct reading how, struct planes out) {
    switch (is_constant(offset) ? E_F64 : kind) {
    case E_F32: unpack_floats(w, offset, count, how, out); break;
    case E_F16: unpack_pairs(w, offset, E_F16, count, how, out); break;
    case E_BF16: unpack_pairs(w, offset, E_BF16, count, how, out); break;
    default: unpack_any(w, op, offset, kind, count, how, out); break;
    }
}

// Sparse A: of each four elements two are there, and two bits of `where` tell the place of each. `count`
// elements in planes, of which `where` has 16 in each vector, become twice as many.
INLINE void spread_chunk(struct planes from, struct planes to, unsigned i, unsigned count,
                         const u32v *where) {
    for (unsigned j = 0; j < count; j += 2) {
        const u32v first = *chunk_at(from, j, i), second = *chunk_at(from, j + 1, i);
        const u32v bits = where[j / 16] >> j % 16 * 2;
        for (unsigned q = 0; q < 4; q++) {
            const u32v one = select32((i32v)((bits & 3) == q), first, splat32(0));
            *chunk_at(to, j * 2 + q, i) = select32((i32v)((bits >> 2 & 3) == q), second, one);
        }
    }
}

// What modifiers of source n ask for, as `negate`.
INLINE unsigned negation(const struct op *op, unsigned n) {
    return (op->e >> n & 1) | (op->e >> (MATRIX_NEG_HI_SHIFT + n) & 1) << 1;
}
// The formats of F8F6F4 (TRAP-208).
static const uint8_t format_by_number[8] = {E_FP8, E_BF8, E_FP6, E_BF6, E_FP4, E_FP8, E_FP8, E_FP8};
INLINE bool is_16(unsigned kind) { return kind == E_F16 || kind == E_BF16; }
// Whether `size` bytes of registers from `from` are those of D, or others.
INLINE bool same_or_apart(const struct op *op, uint32_t from, uint32_t size) {
    return from == op->d || from + size <= op->d || op->d + size <= from;
}

// ---- Integers, two in a dword ----

// Those of four elements 0 and 2, then 1 and 3; of eight 0 and 4, 1 and 5 and so on: how they are got from a
// register without moving them.
INLINE u32v pair_of_bytes(u32v x, bool odd, bool is_signed) {
    if (!is_signed) return (x >> 8 * odd) & 0x00ff00ff;
    return (u32v)((i16v)(x << (8 - 8 * odd)) >> 8);
}
INLINE u32v pair_of_nibbles(u32v x, unsigned n, bool is_signed) {
    if (!is_signed) return (x >> 4 * n) & 0x000f000f;
    return (u32v)((i16v)(x << (12 - 4 * n)) >> 12);
}
// Of elements in planes of their own. Four nibbles pair as bytes do: they take half a register.
static void pair_integers(unsigned kind, unsigned count, struct planes p) {
    const unsigned apart = kind == E_IU4 && count > 4 ? 4 : 2;
    for (unsigned j = 0; j < count / 2; j++) {
        const unsigned from = j / apart * 2 * apart + j % apart;
        for (unsigned i = 0; i < p.lanes / LANES; i++)
            *chunk_at(p, j, i) = (*chunk_at(p, from, i) & 0xffff) | *chunk_at(p, from + apart, i) << 16;
    }
}
// `count` elements of every lane, as half as many planes.
static void unpack_integers(struct wave *w, const struct op *op, uint32_t offset, unsigned kind,
                            unsigned count, bool is_signed, struct planes out) {
    const unsigned registers = count * element_width[kind] / 32, planes = kind == E_IU4 ? 4 : 2;
    if (!registers) {
        unpack(w, op, offset, kind, count, (struct reading){.is_signed = is_signed}, out);
        pair_integers(kind, count, out);
    }
    for (unsigned r = 0; r < registers; r++)
        for (unsigned i = 0; i < out.lanes / LANES; i++) {
            const u32v x = chunk_of(w, op, offset, r, i);
            for (unsigned n = 0; n < planes; n++)
                *chunk_at(out, planes * r + n, i) =
                    kind == E_IU4 ? pair_of_nibbles(x, n, is_signed) : pair_of_bytes(x, n, is_signed);
        }
}
INLINE u32v add_pairs(u32v a, u32v b, u32v c) { return c + dot_i16(a, b); }
// The same in one instruction, on hosts that have it.
#if defined(LEVEL_v4)
INLINE bool has_vnni(void) { return __builtin_cpu_supports("avx512vnni"); }
INLINE u32v add_pairs_vnni(u32v a, u32v b, u32v c) {
    __asm__("vpdpwssd %2, %1, %0" : "+v"(c) : "v"(a), "v"(b));
    return c;
}
#else
INLINE bool has_vnni(void) { return false; }
INLINE u32v add_pairs_vnni(u32v a, u32v b, u32v c) { return add_pairs(a, b, c); }
#endif

// ---- Rows ----

// Where elements of K stand, in planes: so many in a lane, in each of `groups` of lanes that are `step`
// apart.
struct places {
    unsigned groups, step, per_lane;
};
// Of C and of D, which stand in registers or planes of as many lanes as the wave has.
struct rows {
    const uint32_t *from;
    uint32_t *to;
};
// COUNT rows at a time, as many as keep sums in flight: those that begin at PLACES dwords, and behind each
// the next three in steps of STEP. a and b: those of the rows' first lane, in planes of STRIDE dwords. WIDE:
// vectors of a row.
#define ROWS(name, T, WIDE, COUNT, STRIDE, ADD)                                                              \
    INLINE void name(const uint32_t *first_a, const uint32_t *first_b, struct places p, struct rows rows,    \
                     const unsigned *places, unsigned step) {                                                \
        T acc[COUNT][WIDE];                                                                                  \
        UNROLL for (unsigned r = 0; r < COUNT; r++) {                                                        \
            const T *c = (const T *)(rows.from + places[r / 4] + r % 4 * step);                              \
            UNROLL for (unsigned i = 0; i < WIDE; i++) acc[r][i] = c[i];                                     \
        }                                                                                                    \
        for (unsigned g = 0; g < p.groups; g++) {                                                            \
            const uint32_t *a = first_a + p.step * g, *b = first_b + p.step * g;                             \
            unsigned left = p.per_lane;                                                                      \
            do {                                                                                             \
                UNROLL for (unsigned r = 0; r < COUNT; r++) {                                                \
                    const T x = (T)splat32(a[r]);                                                            \
                    UNROLL for (unsigned i = 0; i < WIDE; i++) acc[r][i] =                                   \
                        ADD(x, ((const T *)b)[i], acc[r][i]);                                                \
                }                                                                                            \
                a += STRIDE, b += STRIDE;                                                                    \
            } while (--left);                                                                                \
        }                                                                                                    \
        UNROLL for (unsigned r = 0; r < COUNT; r++) {                                                        \
            T *d = (T *)(rows.to + places[r / 4] + r % 4 * step);                                            \
            UNROLL for (unsigned i = 0; i < WIDE; i++) d[i] = acc[r][i];                                     \
        }                                                                                                    \
    }
// I32 results that saturate: the sum without C never overflows.
INLINE void add_saturating(uint32_t *sum, const uint32_t *c, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const int64_t s = (int64_t)(int32_t)sum[i] + (int32_t)c[i];
        sum[i] = (uint32_t)(s > INT32_MAX ? INT32_MAX : s < INT32_MIN ? INT32_MIN : s);
    }
}
enum { MOST_ROWS = LANES == 16 ? 8 : 4 };
// What rows are summed up with.
enum sums { SUMS_F32, SUMS_PAIRS, SUMS_VNNI };
INLINE enum sums sums_of(enum element d) {
    return d != E_I32 ? SUMS_F32 : has_vnni() ? SUMS_VNNI : SUMS_PAIRS;
}

#endif
