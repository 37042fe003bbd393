// SPDX-License-Identifier: MIT
// Transcendental operations: reciprocal, square roots, base-2 exponent and logarithm, sine and cosine of
// revolutions, in F32, F16 and F64, the clamped and legacy forms of early generations, and the pseudo-scalar
// forms. All are approximations in hardware (isa/fidelity.def); see trans.h for what is promised.
#define LONG_BODIES
#include "exec/body/trans.h"

FUNOP_HOST_NAN(v_rcp_f32, rcp32(a))
FUNOP_HOST_NAN(v_rsq_f32, rsq32(a))
FUNOP_HOST_NAN(v_sqrt_f32, sqrt_flushed32(a))
UNOP(v_exp_f32, f32v, exp32(a))
UNOP(v_log_f32, f32v, log32(a))
FUNOP(v_sin_f32, limit_turns(a, sin32(a), 0, op->e &BODY_LIMITS_TURNS))
FUNOP(v_cos_f32, limit_turns(a, cos32(a), 1, op->e &BODY_LIMITS_TURNS))

// Early generations: an infinite result becomes the largest number (clamp) or zero (legacy), sign kept.
INLINE f32v finite_or(f32v r, uint32_t instead) {
    u32v magnitude = (u32v)r & 0x7fffffff;
    return (f32v)select32(magnitude == 0x7f800000, ((u32v)r & 0x80000000u) | instead, (u32v)r);
}
#define LARGEST32 0x7f7fffff
FUNOP_HOST_NAN(v_rcp_clamp_f32, finite_or(rcp32(a), LARGEST32))
FUNOP_HOST_NAN(v_rsq_clamp_f32, finite_or(rsq32(a), LARGEST32))
FUNOP(v_log_clamp_f32, finite_or(log32(a), LARGEST32))
FUNOP_HOST_NAN(v_rcp_legacy_f32, finite_or(rcp32(a), 0))
FUNOP_HOST_NAN(v_rsq_legacy_f32, finite_or(rsq32(a), 0))

// ---- F64 ----

#define F64_TRANS(name, expr)                                                                                \
    INLINE u64v name##_eval(u64v a_) {                                                                       \
        f64v a = (f64v)a_;                                                                                   \
        f64v r = (expr);                                                                                     \
        FIX_NAN64(r, a, a, a);                                                                               \
        return (u64v)r;                                                                                      \
    }                                                                                                        \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        GUARD64(w, EACH_CHUNK(w, u64x2 a = A64; D64(((u64x2){name##_eval(a.x), name##_eval(a.y)}))));        \
    }                                                                                                        \
    VECTOR1(name)
INLINE f64v finite64(f64v r) {
    u64v magnitude = (u64v)r & 0x7fffffffffffffff;
    u64v most = ((u64v)r & 0x8000000000000000u) | 0x7fefffffffffffff;
    return (f64v)select64(magnitude == 0x7ff0000000000000, most, (u64v)r);
}
// One Newton step, as for F32.
#if defined(LEVEL_v3) || defined(LEVEL_v4)
INLINE f64v rsq64(f64v a) {
    f64v r = 1.0 / sqrt64(a), x = a * r, low = fma64(a, r, -x);
    f64v e = fma64(-low, r, fma64(-x, r, splatd(1)));
    return pick64(is_nan64(e), r, fma64(r * 0.5, e, r));
}
#else
// a * r - p exactly, where p is the product rounded in any direction: of halves of 26 and 27 bits, and of 26
// bits with a sign, so that no step rounds.
INLINE f64v product_rest(f64v a, f64v r, f64v p) {
    const u64v upper = splat64(~((1ull << 27) - 1));
    const f64v ah = (f64v)((u64v)a & upper), al = a - ah;
    const f64v rh = (f64v)(((u64v)r + (1ull << 26)) & upper), rl = r - rh;
    return al * rl - (((p - ah * rh) - al * rh) - ah * rl);
}
// The same bits as above: where hosts fuse lane by lane, half of that is done without. The residual does not
// change with a scale, and none of its parts is denormal then.
INLINE f64v rsq64(f64v a) {
    const f64v r = 1.0 / sqrt64(a);
    const i64v small = a < 0x1p-900;
    const f64v b = pick64(small, a * 0x1p600, a), s = pick64(small, r * 0x1p-300, r);
    const f64v x = b * s, low = product_rest(b, s, x), q = x * s;
    const f64v e = fma64(-low, s, (1.0 - q) - product_rest(x, s, q));
    return pick64(is_nan64(e), r, fma64(r * 0.5, e, r));
}
#endif
F64_TRANS(v_rcp_f64, 1.0 / a)
F64_TRANS(v_rsq_f64, rsq64(a))
F64_TRANS(v_sqrt_f64, sqrt64(a))
F64_TRANS(v_rcp_clamp_f64, finite64(1.0 / a))
F64_TRANS(v_rsq_clamp_f64, finite64(rsq64(a)))

// ---- F16: computed in F32, whose denormals lie below anything that F16 holds ----

// What is too large for F32 has overflowed in F16 as well, which an infinity would not tell.
INLINE f32v exp_half(f32v a) {
    const f32v r = exp32(a);
    return pick32((i32v)(r == INFINITY) & (i32v)(a < INFINITY), splatf(0x1p127f), r);
}
#define HALF_TRANS(name, expr)                                                                               \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        GUARD64(w, EACH_CHUNK(w, f32v a = half_in(w, A32); f32v r = (expr); FIX_NAN32(r, a, a, a);           \
                              D32(half_out(w, r))));                                                         \
    }                                                                                                        \
    VECTOR1(name)
HALF_TRANS(v_rcp_f16, rcp32(a))
HALF_TRANS(v_rsq_f16, rsq32(a))
HALF_TRANS(v_sqrt_f16, sqrt32(a))
HALF_TRANS(v_exp_f16, exp_half(a))
HALF_TRANS(v_log_f16, log32(a))
HALF_TRANS(v_sin_f16, limit_turns(a, sin32(a), 0, op->e &BODY_LIMITS_TURNS))
HALF_TRANS(v_cos_f16, limit_turns(a, cos32(a), 1, op->e &BODY_LIMITS_TURNS))

// ---- Pseudo-scalar: one value in scalar registers, whatever EXEC is (TRAP-160) ----
// omod and clamp are the body's, as steps act on lanes. These processors have no IEEE bit: both work in every
// mode, omod leaves no denormal and no -0, and clamp makes a NaN zero.
INLINE f32v scalar_result(const struct op *op, f32v r, float least) {
    const unsigned omod = op->e >> BODY_OMOD_SHIFT & 3;
    if (omod) {
        r = r * (omod == 1 ? 2.0f : omod == 2 ? 4.0f : 0.5f);
        r = pick32(fabs32(r) < least, splatf(0), r);
    }
    if (op->e & BODY_CLAMP) r = pick32(~(i32v)(r > 0), splatf(0), pick32(r > 1, splatf(1), r));
    return r;
}

#define SCALAR_TRANS(name, expr)                                                                             \
    HANDLER(name##_scalar) {                                                                                 \
        f32v a = (f32v)splat32(S0), r = (expr);                                                              \
        FIX_NAN32(r, a, a, a);                                                                               \
        DS32(((u32v)scalar_result(op, r, 0x1p-126f))[0]);                                                    \
        NEXT;                                                                                                \
    }                                                                                                        \
    BODY(name, .shape = SHAPE_SCALAR, .fn = {name##_scalar});
// OMOD and clamp are of the result that has been rounded and flushed.
INLINE u32v scalar_half(const struct wave *w, const struct op *op, f32v r) {
    const u32v h = half_out(w, r);
    if (!(op->e & (3u << BODY_OMOD_SHIFT | BODY_CLAMP))) return h;
    return half_out(w, scalar_result(op, from_f16(h), 0x1p-14f));
}
#define SCALAR_TRANS16(name, expr)                                                                           \
    HANDLER(name##_scalar) {                                                                                 \
        GUARD64(w, f32v a = half_in(w, splat32(S0)); f32v r = (expr); FIX_NAN32(r, a, a, a);                 \
                DS32(scalar_half(w, op, r)[0]));                                                             \
        NEXT;                                                                                                \
    }                                                                                                        \
    BODY(name, .shape = SHAPE_SCALAR, .fn = {name##_scalar});
SCALAR_TRANS(v_s_rcp_f32, rcp32(a))
SCALAR_TRANS(v_s_rsq_f32, rsq32(a))
SCALAR_TRANS(v_s_sqrt_f32, sqrt_flushed32(a))
SCALAR_TRANS(v_s_exp_f32, exp32(a))
SCALAR_TRANS(v_s_log_f32, log32(a))
SCALAR_TRANS16(v_s_rcp_f16, rcp32(a))
SCALAR_TRANS16(v_s_rsq_f16, rsq32(a))
SCALAR_TRANS16(v_s_sqrt_f16, sqrt32(a))
SCALAR_TRANS16(v_s_exp_f16, exp_half(a))
SCALAR_TRANS16(v_s_log_f16, log32(a))
