// SPDX-License-Identifier: MIT
// Operations that only CDNA5 has: sums with a bound, minima and maxima of three pairs, packing and tables of
// small elements, exchange in groups of lanes, functions and pairs of BF16, hyperbolic tangents. Rounding of
// BF16 is to nearest whatever MODE says, and denormals stay.
#define LONG_BODIES
#include "exec/body/element.h"
#include "exec/body/trans.h"

#define LOW(v)  ((u32v)(v)&0xffff)
#define SEXT(v) ((i32v)((u32v)(v) << 16) >> 16)
#define RELU    (op->e & BODY_CLAMP)

// ---- Sums with a bound: the sum saturates, and clamp then makes negative results 0 ----

INLINE u32v sum_i32(u32v a, u32v b) {
    const u32v r = a + b, limit = (u32v)((i32v)a >> 31) ^ 0x7fffffff;
    return select32((i32v)((a ^ r) & (b ^ r)) < 0, limit, r);
}
INLINE u32v sum_u32(u32v a, u32v b) { return (a + b) | (u32v)(a + b < a); }
INLINE u32v relu32(u32v r, bool relu) { return relu ? (u32v)max_i32((i32v)r, (i32v){0}) : r; }
TRIOP(v_add_max_i32, u32v, relu32((u32v)max_i32((i32v)sum_i32(a, b), (i32v)c), RELU))
TRIOP(v_add_min_i32, u32v, relu32((u32v)min_i32((i32v)sum_i32(a, b), (i32v)c), RELU))
TRIOP(v_add_max_u32, u32v, max_u32(sum_u32(a, b), c))
TRIOP(v_add_min_u32, u32v, min_u32(sum_u32(a, b), c))

// The same of both halves, and of three without a sum: expr of a, b, c as 32-bit values.
#define HALVES_I(name, expr)                                                                                 \
    INLINE u32v name##_half(u32v x, u32v y, u32v z, bool relu) {                                             \
        const i32v a = SEXT(x), b = SEXT(y), c = SEXT(z), r = (expr);                                        \
        return LOW(relu ? max_i32(r, (i32v){0}) : r);                                                        \
    }                                                                                                        \
    TRIOP(name, u32v, name##_half(a, b, c, RELU) | name##_half(a >> 16, b >> 16, c >> 16, RELU) << 16)
#define HALVES_U(name, expr)                                                                                 \
    INLINE u32v name##_half(u32v x, u32v y, u32v z) {                                                        \
        const u32v a = LOW(x), b = LOW(y), c = LOW(z);                                                       \
        return expr;                                                                                         \
    }                                                                                                        \
    TRIOP(name, u32v, name##_half(a, b, c) | name##_half(a >> 16, b >> 16, c >> 16) << 16)
INLINE i32v limit_i16(i32v v) {
    return min_i32(max_i32(v, (i32v)splat32((uint32_t)-0x8000)), (i32v)splat32(0x7fff));
}
INLINE u32v limit_u16(u32v v) { return min_u32(v, splat32(0xffff)); }
HALVES_I(v_pk_add_max_i16, max_i32(limit_i16(a + b), c))
HALVES_I(v_pk_add_min_i16, min_i32(limit_i16(a + b), c))
HALVES_U(v_pk_add_max_u16, max_u32(limit_u16(a + b), c))
HALVES_U(v_pk_add_min_u16, min_u32(limit_u16(a + b), c))
HALVES_I(v_pk_max3_i16, max_i32(max_i32(a, b), c))
HALVES_I(v_pk_min3_i16, min_i32(min_i32(a, b), c))
HALVES_U(v_pk_max3_u16, max_u32(max_u32(a, b), c))
HALVES_U(v_pk_min3_u16, min_u32(min_u32(a, b), c))

// ---- Small elements ----

INLINE u32v nibble_i(u32v a, unsigned at) {
    const i32v v = (i32v)(a << (24 - at)) >> 24;
    return (u32v)min_i32(max_i32(v, (i32v)splat32((uint32_t)-8)), (i32v)splat32(7)) & 15;
}
INLINE u32v nibble_u(u32v a, unsigned at) { return min_u32(a >> at & 255, splat32(15)); }
#define FOUR_NIBBLES(of) (of(a, 0) | of(a, 8) << 4 | of(a, 16) << 8 | of(a, 24) << 12)
UNOP(v_sat_pk4_i4_i8, u32v, FOUR_NIBBLES(nibble_i))
UNOP(v_sat_pk4_u4_u8, u32v, FOUR_NIBBLES(nibble_u))

// Sixteen indices of 4 bits choose elements of `bits` bits; the table's upper part is the first source.
INLINE void look_up(const uint32_t table[4], uint64_t indices, unsigned bits, uint32_t out[4]) {
    memset(out, 0, 4 * sizeof *out);
    for (unsigned n = 0; n < 16; n++) {
        const unsigned from = (unsigned)(indices >> 4 * n & 15) * bits, to = n * bits;
        uint64_t pair = table[from / 32];
        if (from / 32 < 3) pair |= (uint64_t)table[from / 32 + 1] << 32;
        const uint64_t placed = (pair >> from % 32 & ((1u << bits) - 1)) << to % 32;
        out[to / 32] |= (uint32_t)placed;
        if (placed >> 32) out[to / 32 + 1] |= (uint32_t)(placed >> 32);
    }
}
#define TABLE(name, bits, WIDE_A, WIDE_B)                                                                    \
    TEMPLATE(name) {                                                                                         \
        EACH_LANE(w, {                                                                                       \
            const uint64_t a = WIDE_A ? lane64(w, op, op->a, l, sa) : lane32(w, op, op->a, l, sa);           \
            const uint64_t b = WIDE_B ? lane64(w, op, op->b, l, sb) : lane32(w, op, op->b, l, sb);           \
            uint32_t table[4] = {(uint32_t)b}, out[4];                                                       \
            unsigned n = 1;                                                                                  \
            if (WIDE_B) table[n++] = (uint32_t)(b >> 32);                                                    \
            table[n++] = (uint32_t)a;                                                                        \
            if (WIDE_A) table[n++] = (uint32_t)(a >> 32);                                                    \
            look_up(table, lane64(w, op, op->c, l, sc), bits, out);                                          \
            for (unsigned r = 0; r < (bits) / 2; r++) put_lane32(w, op->d + r * wave_stride(w), l, out[r]);  \
        })                                                                                                   \
    }                                                                                                        \
    VECTOR3_(name, .cost = COST_LANE);
TABLE(v_perm_pk16_b4_u4, 4, 0, 0)
TABLE(v_perm_pk16_b6_u4, 6, 0, 1)
TABLE(v_perm_pk16_b8_u4, 8, 1, 1)

// ---- Exchange in groups of lanes: all lanes are read, those that execute are written ----
// Widths that are no power of two have no meaning; a lane that would read outside the wave reads itself.

enum exchange { BROADCAST, UP, DOWN, XOR };
INLINE unsigned partner(enum exchange how, unsigned lane, uint32_t by, uint32_t width, unsigned lanes) {
    const uint32_t mask = width - 1, base = lane & ~mask, at = lane & mask;
    const uint32_t delta = by < width ? by : width;
    uint32_t from = lane;
    switch (how) {
    case BROADCAST: from = base + (by & 63 & mask); break;
    case UP: from = at < delta ? lane : lane - delta; break;
    case DOWN: from = (uint64_t)at + delta < width ? lane + delta : lane; break;
    case XOR:
        from = by >= lanes || (lane ^ by) - base >= width ? lane : lane ^ by;
        if (by < lanes && (lane ^ by) < base) from = lane ^ by;
        break;
    }
    return from < lanes ? from : lane;
}
INLINE void exchange(struct wave *w, const struct op *op, bool sa, bool sb, bool sc, enum exchange how) {
    const uint32_t by = lane32(w, op, op->b, 0, sb), width = lane32(w, op, op->c, 0, sc);
    uint32_t old[MAX_LANES];
    for (unsigned l = 0; l < wave_lanes(w); l++) old[l] = lane32(w, op, op->a, l, sa);
    EACH_LANE(w, put_lane32(w, op->d, l, old[partner(how, l, by, width, wave_lanes(w))]))
}
#define EXCHANGE(name, how)                                                                                  \
    TEMPLATE(name) { exchange(w, op, sa, sb, sc, how); }                                                     \
    VECTOR3_(name, .cost = COST_LANE);
EXCHANGE(v_permlane_bcast_b32, BROADCAST)
EXCHANGE(v_permlane_up_b32, UP)
EXCHANGE(v_permlane_down_b32, DOWN)
EXCHANGE(v_permlane_xor_b32, XOR)
BINOP(v_permlane_idx_gen_b32, u32v,
      ((a & 63 & (b - 1)) + ((u32v)(LANE_INDEX + i * LANES) & ~(b - 1))) << 2)

// ---- Hyperbolic tangent: small arguments are their own, large ones give 1 ----

INLINE f32v tanh32(f32v a) {
    static const float c[] = { // of the series
        -0x1.555556p-2f, 0x1.111112p-3f, -0x1.ba1ba2p-5f, 0x1.664f48p-6f, -0x1.226e36p-7f, 0x1.d6d3d0p-9f,
        -0x1.7da36cp-10f, 0x1.355824p-11f,
    };
    const f32v x = fabs32(a), u = x * x;
    const f32v near = fma32(x * u, poly32(u, c, 8), x);
    const f32v far = 1.0f - 2.0f / (exp32(x * 0x1.715476p+1f) + 1.0f);
    f32v r = pick32(x < 0.5f, near, far);
    r = pick32(x < 0x1p-13f, x, r); // the cube is below a twelfth of the last place
    r = pick32(x >= 9.02f, splatf(1), r); // nearer to one than half the last place
    r = (f32v)((u32v)r | ((u32v)a & 0x80000000u));
    return pick32(is_nan32(a), a, r);
}
TEMPLATE(v_tanh_f32) {
    UNUSED_OPERANDS;
    const bool flushing = flushes32(w); // denormals are their own tangents
    EACH_CHUNK(w, f32v a = (f32v)A32; f32v r = tanh32(a); FIX_NAN32(r, a, a, a); D32(FLUSHED32(r)));
}
VECTOR1(v_tanh_f32)
TEMPLATE(v_tanh_f16) {
    UNUSED_OPERANDS;
    GUARD64(w, EACH_CHUNK(w, f32v a = half_in(w, A32); f32v r = tanh32(a); FIX_NAN32(r, a, a, a);
                          D32(half_out(w, r))));
}
VECTOR1(v_tanh_f16)

// ---- BF16 ----

#define BF16_TRANS(name, expr)                                                                         \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        GUARD_CSR(w, CSR_NEAREST, EACH_CHUNK(w, f32v a = (f32v)(A32 << 16); f32v r = (expr);                 \
                                             FIX_NAN32(r, a, a, a); D32(to_bf16_nearest((u32v)r))));         \
    }                                                                                                        \
    VECTOR1(name)
BF16_TRANS(v_tanh_bf16, tanh32(a))
BF16_TRANS(v_rcp_bf16, rcp32(a))
BF16_TRANS(v_sqrt_bf16, sqrt_flushed32(a))
BF16_TRANS(v_rsq_bf16, rsq32(a))
BF16_TRANS(v_log_bf16, log32(a))
BF16_TRANS(v_exp_bf16, exp32(a))
BF16_TRANS(v_sin_bf16, sin32(a))
BF16_TRANS(v_cos_bf16, cos32(a))

INLINE u32v bf16_out(const struct wave *w, f32v r, i32v infinite) {
    u32v h = to_bf16_nearest((u32v)r) & 0xffff;
    return UNLIKELY(w->mode & MODE_OVFL16) ? finite16(h, INFINITY_BF16, infinite) : h;
}
INLINE f32v upper(u32v h) { return (f32v)(h << 16); }
INLINE i32v is_infinite(f32v a) { return ((i32v)a & 0x7fffffff) == 0x7f800000; }
#define PAIR_BF16(name, expr)                                                                                \
    INLINE u32v name##_half(const struct wave *w, u32v x, u32v y) {                                          \
        const f32v a = upper(x), b = upper(y);                                                               \
        f32v r = (expr);                                                                                     \
        FIX_NAN32(r, a, b, b);                                                                               \
        return bf16_out(w, r, is_infinite(a) | is_infinite(b));                                              \
    }                                                                                                        \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        GUARD_CSR(w, CSR_NEAREST, EACH_CHUNK(w, const u32v a = A32; const u32v b = B32_;                     \
                                             D32(name##_half(w, a, b) |                                      \
                                                 name##_half(w, a >> 16, b >> 16) << 16)));                  \
    }                                                                                                        \
    VECTOR2(name)
PAIR_BF16(v_pk_add_bf16, a + b)
PAIR_BF16(v_pk_mul_bf16, a *b)
PAIR_BF16(v_pk_min_num_bf16, min_num32(a, b, 0))
PAIR_BF16(v_pk_max_num_bf16, max_num32(a, b, 0))

// F32 has too few bits to round the sum of a product twice: the sum in F64, which has its last bit set where
// it is not exact, then F32 the same way.
INLINE float fma_to_odd(float a, float b, float c) {
    const double p = (double)a * b, s = p + c, t = s - p, rest = (p - (s - t)) + (c - t);
    double odd = s;
    if (rest != 0 && isfinite(s)) {
        uint64_t bits;
        memcpy(&bits, &s, 8);
        if ((rest > 0) != (s > 0)) bits--;
        bits |= 1;
        memcpy(&odd, &bits, 8);
    }
    float f = (float)odd;
    if ((double)f != odd && isfinite(odd)) {
        uint32_t bits;
        memcpy(&bits, &f, 4);
        if (fabs((double)f) > fabs(odd)) bits--;
        bits |= 1;
        memcpy(&f, &bits, 4);
    }
    return f;
}
INLINE u32v fma_bf16(const struct wave *w, u32v x, u32v y, u32v z) {
    const f32v a = upper(x), b = upper(y), c = upper(z);
    f32v r;
    for (unsigned n = 0; n < LANES; n++) r[n] = fma_to_odd(a[n], b[n], c[n]);
    FIX_NAN32(r, a, b, c);
    return bf16_out(w, r, is_infinite(a) | is_infinite(b) | is_infinite(c));
}
TEMPLATE(v_pk_fma_bf16) {
    UNUSED_OPERANDS;
    GUARD_CSR(w, CSR_NEAREST, EACH_CHUNK(w, const u32v a = A32; const u32v b = B32_; const u32v c = C32;
                                         D32(fma_bf16(w, a, b, c) |
                                             fma_bf16(w, a >> 16, b >> 16, c >> 16) << 16)));
}
VECTOR3_(v_pk_fma_bf16, .cost = COST_LANE);
// An F32 result, rounded again.
TEMPLATE(v_fma_mixlo_bf16) {
    UNUSED_OPERANDS;
    EACH_CHUNK(w, f32v a = (f32v)A32; f32v b = (f32v)B32_; f32v c = (f32v)C32; f32v r = fma32(a, b, c);
               FIX_NAN32(r, a, b, c); D32(bf16_out(w, r, is_infinite(a) | is_infinite(b) | is_infinite(c))));
}
VECTOR3(v_fma_mixlo_bf16)

// ---- Two F32 to halves, rounded by random bits: the lower 16 for the first, the upper for the second ----

INLINE u32v below_infinity(u32v h) { return h - ((u32v)((i32v)((h & 0x7fff) == 0x7f80)) & 1); }

// What overflows becomes infinity, or the largest number with FP16_OVFL (CDNA5 7.6); NaN stays.
INLINE u32v random_bf16(const struct wave *w, u32v a, u32v random) {
    const u32v r = a + (random & 0xffff), h = (w->mode >> 23 & 1) == 0 ? r >> 16 : below_infinity(r >> 16);
    return select32((i32v)(a & 0x7fffffff) > 0x7f800000, (a >> 16) | 0x40,
                    select32((i32v)((a & 0x7f800000) == 0x7f800000), a >> 16, h));
}
TRIOP(v_cvt_sr_pk_bf16_f32, u32v, random_bf16(w, a, c) | random_bf16(w, b, c >> 16) << 16)
