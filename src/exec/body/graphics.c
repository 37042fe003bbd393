// SPDX-License-Identifier: MIT
// What only graphics has use for: interpolation of attributes whose parameters lie in the lanes of a quad, or
// in LDS, and the parts of the screen that shader engines have.
#define LONG_BODIES
#include "exec/body/body.h"
#include "exec/body/access.h"
#include "exec/body/float.h"
#include "exec/body/steps.h"

// ---- Interpolation: parameters come from other lanes of the quad, whether they execute or not ----

enum { P0, P10, P20 }; // by lane
INLINE u32v of_quad(u32v v, unsigned lane) {
    u32v r;
    for (unsigned n = 0; n < LANES; n++) r[n] = v[(n & ~3u) + lane];
    return r;
}
INLINE f32v interpolate(f32v a, f32v b, f32v c) {
    f32v r = fma32(a, b, c);
    FIX_NAN32(r, a, b, c);
    return r;
}
#define INTERP(name, csr, A, C, out)                                                                         \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        GUARD_CSR(w, csr, EACH_CHUNK(w, f32v r = interpolate((A), (f32v)B32_, (C)); D32(out)));              \
    }                                                                                                        \
    VECTOR3(name)
#define TO_ZERO           (w->mxcsr | CONTROL_ROUND)
#define WHOLE_OF(v, lane) ((f32v)of_quad(v, lane))
#define HALF_OF(v, lane)  half_in(w, of_quad(v, lane))
INTERP(v_interp_p10_f32, w->mxcsr, WHOLE_OF(A32, P10), WHOLE_OF(C32, P0), r)
INTERP(v_interp_p2_inreg_f32, w->mxcsr, WHOLE_OF(A32, P20), (f32v)C32, r)
INTERP(v_interp_p10_f16_f32, w->mxcsr, HALF_OF(A32, P10), HALF_OF(C32, P0), r)
INTERP(v_interp_p10_rtz_f16_f32, TO_ZERO, HALF_OF(A32, P10), HALF_OF(C32, P0), r)
INTERP(v_interp_p2_rtz_f16_f32, TO_ZERO, HALF_OF(A32, P20), (f32v)C32, half_out(w, r))
// Rounded again to F16: all sums first, as the control word may change in between.
TEMPLATE(v_interp_p2_f16_f32) {
    UNUSED_OPERANDS;
    f32v sum[MAX_LANES / LANES];
    EACH_BITS(w, f32v r = interpolate(HALF_OF(A32, P20), (f32v)B32_, (f32v)C32); PIN(r); sum[i] = r);
    GUARD_CSR(w, csr_f32_to_f16(w), EACH_CHUNK(w, f32v r = sum[i]; PIN(r); D32(half_out(w, r))));
}
VECTOR3(v_interp_p2_f16_f32)

// ---- Parameters in LDS: 48 bytes for each primitive, four components of P0, of P10 and of P20 ----

enum { PARAMETERS = 3, PARAMETER_BYTES = 16, PRIMITIVE_BYTES = PARAMETERS * PARAMETER_BYTES };

// What M0 and an attribute's number and component (PARAMETER_*) say.
struct primitives {
    uint32_t begins; // a bit for each quad but the first that begins a primitive
    uint64_t at;     // of the first primitive's P0
};
INLINE struct primitives primitives_of(const struct wave *w, uint32_t m0, uint32_t e) {
    const uint32_t begins = m0 >> 16 & ((1u << (wave_lanes(w) / 4 - 1)) - 1);
    const uint32_t count = 1 + (uint32_t)__builtin_popcount(begins), attribute = e & PARAMETER_ATTRIBUTE;
    return (struct primitives){begins, (m0 & 0xffff) + (uint64_t)attribute * count * PRIMITIVE_BYTES +
                                           4 * (e >> PARAMETER_CHANNEL_SHIFT & 3)};
}
INLINE uint32_t parameter(const struct wave *w, const struct primitives *p, unsigned lane, unsigned which) {
    const uint32_t primitive = (uint32_t)__builtin_popcount(p->begins & ((1u << lane / 4) - 1));
    const uint64_t at = p->at + primitive * PRIMITIVE_BYTES + which * PARAMETER_BYTES;
    return at <= w->lds_size && w->lds_size - at >= 4 ? rd32(w->lds + at) : 0;
}
#define TEMP_AT(op, base, n) ((base) + (n) * (uint32_t)sizeof(uint32_t[MAX_LANES]))

static NOINLINE void load_parameters(struct wave *w, const struct op *op) {
    const struct primitives p = primitives_of(w, get32(w, op, op->a), op->e);
    for (unsigned n = 0; n < PARAMETERS; n++) {
        const uint32_t to = TEMP_AT(op, op->d, n);
        for (unsigned l = 0; l < wave_lanes(w); l++) {
            const uint32_t v = parameter(w, &p, l, n);
            put_lane32(w, to, l, op->e & PARAMETER_HIGH ? v >> 16 : op->e & PARAMETER_HALF ? v & 0xffff : v);
        }
        if (op->e & PARAMETER_HALF) EACH_BITS(w, reg_at(w, to)[i] = (u32v)half_in(w, reg_at(w, to)[i]));
    }
}
const struct op *PASTE(step_, parameters, LEVEL)(struct wave *w, const struct op *op);
const struct op *PASTE(step_, parameters, LEVEL)(struct wave *w, const struct op *op) {
    load_parameters(w, op);
    NEXT;
}

// The manual says the operation, not whether it rounds once or twice. a: I or J, b: the parameters, c: what
// is added.
#define PARAMETER(n) ((f32v)reg_at(w, TEMP_AT(op, op->b, n))[i])
#define INTERPOLATED(name, csr, P, ADDED, out)                                                               \
    static const struct op *name##_run(struct wave *w, const struct op *op) {                                \
        const bool sa = false, sc = false;                                                                   \
        (void)sc;                                                                                            \
        GUARD_CSR(w, csr, EACH_CHUNK(w, f32v r = interpolate(P, (f32v)A32, ADDED); D32(out)));               \
        NEXT;                                                                                                \
    }                                                                                                        \
    BODY(name, .shape = SHAPE_SPECIAL, .fn = {name##_run})
INTERPOLATED(v_interp_p1_f32, w->mxcsr, PARAMETER(P10), PARAMETER(P0), r);
INTERPOLATED(v_interp_p1lv_f16, w->mxcsr, PARAMETER(P10), half_in(w, C32 & 0xffff), r);
INTERPOLATED(v_interp_p2_f32, w->mxcsr, PARAMETER(P20), (f32v)C32, r);
static const struct op *interp_p2_half(struct wave *w, const struct op *op) {
    const bool sa = false, sc = false;
    f32v sum[MAX_LANES / LANES];
    EACH_BITS(w, f32v r = interpolate(PARAMETER(P20), (f32v)A32, (f32v)C32); PIN(r); sum[i] = r);
    GUARD_CSR(w, csr_f32_to_f16(w), EACH_CHUNK(w, f32v r = sum[i]; PIN(r); D32(half_out(w, r))));
    NEXT;
}
BODY(v_interp_p2_f16, .shape = SHAPE_SPECIAL, .pair = HALF_INTO_REGISTER,
     .fn = {interp_p2_half});
BODY(v_interp_p2_legacy_f16, .shape = SHAPE_SPECIAL, .pair = HALF_AND_ZEROS,
     .fn = {interp_p2_half});
static const struct op *interp_mov(struct wave *w, const struct op *op) { // e: which
    EACH_CHUNK(w, D32((u32v)PARAMETER(op->e)));
    NEXT;
}
BODY(v_interp_mov_f32, .shape = SHAPE_SPECIAL, .fn = {interp_mov});

// Lanes 0 to 2 of each quad get P0, P10 and P20, lane 3 gets 0: of quads of which a lane executes. a is M0.
INLINE uint64_t lanes_of_quads(uint64_t exec) {
    exec |= exec >> 1 & 0x5555555555555555, exec |= exec >> 2;
    return (exec & 0x1111111111111111) * 15;
}
static NOINLINE void spread_parameters(struct wave *w, const struct op *op) {
    const struct primitives p = primitives_of(w, get32(w, op, op->a), op->e);
    const uint64_t lanes = lanes_of_quads(exec_of(w));
    for (unsigned l = 0; l < wave_lanes(w); l++)
        if (lanes >> l & 1) put_lane32(w, op->d, l, l % 4 < PARAMETERS ? parameter(w, &p, l, l % 4) : 0);
}
SPECIAL(ds_param_load) {
    spread_parameters(w, op);
    NEXT;
}

// Bits 18:16 of M0 say what is read at the address below them.
INLINE uint32_t direct_value(const struct wave *w, uint32_t m0) {
    enum { U8, U16, I8 = 4, I16 };
    const uint32_t type = m0 >> 16 & 7, bytes = (type & 3) == U8 ? 1 : (type & 3) == U16 ? 2 : 4;
    const uint32_t at = m0 & 0xffff & ~(bytes - 1);
    if (at > w->lds_size || w->lds_size - at < bytes) return 0;
    const uint8_t *p = w->lds + at;
    switch (type) {
    case U8: return p[0];
    case U16: return p[0] | (uint32_t)p[1] << 8;
    case I8: return (uint32_t)(int8_t)p[0];
    case I16: return (uint32_t)(int16_t)(p[0] | p[1] << 8);
    default: return rd32(p);
    }
}
SPECIAL(ds_direct_load) {
    const uint32_t v = direct_value(w, get32(w, op, op->a));
    const uint64_t lanes = lanes_of_quads(exec_of(w));
    for (unsigned l = 0; l < wave_lanes(w); l++)
        if (lanes >> l & 1) put_lane32(w, op->d, l, v);
    NEXT;
}
const struct op *PASTE(step_, lds_direct, LEVEL)(struct wave *w, const struct op *op);
const struct op *PASTE(step_, lds_direct, LEVEL)(struct wave *w, const struct op *op) {
    const uint32_t v = direct_value(w, get32(w, op, op->a));
    EACH_BITS(w, reg_at(w, op->d)[i] = splat32(v));
    NEXT;
}

BODY(export, .shape = SHAPE_SPECIAL); // decode/export_ops.c

// ---- The screen ----

// Which of four shader engines have part of a rectangle of the screen: four bits for each of 256 positions
// and sizes.
static const uint64_t screen_partition[16] = {
    0xfffffff7fff5f731, 0xffffffbfffafe62f, 0xfffffdfff5ffc4fd, 0xffffefffafff8fb9,
    0xfffefff6fdc4ffff, 0xffdff99fb98fffff, 0xfbfff9ff31f7ffff, 0x7fff6ff62fe6ffff,
    0xfffafb32fffffffb, 0xff5fd91fffffff7f, 0xfaffc8fefffffeff, 0x5fff4f76ffffdfff,
    0xfec8fffffffdfff9, 0x764fffffffeff66f, 0x32fbfffff7fff6ff, 0x1fd9ffffbfff9ff9,
};
INLINE u32v screen_engines(u32v a) {
    u32v r;
    for (unsigned n = 0; n < LANES; n++) r[n] = screen_partition[a[n] >> 4 & 15] >> 4 * (a[n] & 15) & 15;
    return r;
}
UNOP(v_screen_partition_4se_b32, u32v, screen_engines(a))

// ---- The wave ----

SPECIAL(s_get_waveid_in_workgroup) {
    put32(w, op->d, w->wave_in_group);
    NEXT;
}
