// SPDX-License-Identifier: MIT
// The steps of steps.h at this vector level; those of DPP are in dpp.h.
// Clamps compare bit patterns as integers, so that host denormal control cannot change them.
#include "exec/body/body.h"
#include "exec/body/steps.h"
#include "exec/machine.h"
#include "exec/map.h"

#define STEP(name, ...)                                                                                      \
    HANDLER(name) {                                                                                          \
        __VA_ARGS__;                                                                                         \
        NEXT;                                                                                                \
    }
#define SOURCE(offset) reg_at(w, offset)[i]
#define RESULT(v)      reg_at(w, op->d)[i] = (u32v)(v)
#define HIGH(offset)   ((offset) + wave_stride(w))

// ---- Before a body: every lane of a temporary ----
STEP(splat_32, const u32v a = splat32(get32(w, op, op->a)); EACH_BITS(w, RESULT(a)))
STEP(splat_64, const uint64_t a = get64(w, op, op->a); const u32v lo = splat32((uint32_t)a);
     const u32v hi = splat32((uint32_t)(a >> 32)); EACH_BITS(w, RESULT(lo); reg_at(w, HIGH(op->d))[i] = hi))

// abs clears the sign, neg then flips it: one AND and one XOR.
#define SIGN_AND(sign) (op->e & SIGN_ABS ? ~(sign) : ~0u)
#define SIGN_XOR(sign) (op->e & SIGN_NEG ? (sign) : 0u)
STEP(modify_f32, const uint32_t keep = SIGN_AND(0x80000000u); const uint32_t flip = SIGN_XOR(0x80000000u);
     EACH_BITS(w, RESULT((SOURCE(op->a) & keep) ^ flip)))
STEP(modify_f16, const uint32_t keep = SIGN_AND(0x8000u); const uint32_t flip = SIGN_XOR(0x8000u);
     EACH_BITS(w, RESULT((SOURCE(op->a) & keep) ^ flip)))
STEP(modify_f64, const uint32_t keep = SIGN_AND(0x80000000u); const uint32_t flip = SIGN_XOR(0x80000000u);
     EACH_BITS(w, const u32v lo = SOURCE(op->a); const u32v hi = SOURCE(HIGH(op->a)); RESULT(lo);
               reg_at(w, HIGH(op->d))[i] = (hi & keep) ^ flip))
STEP(xor_bits, const uint32_t flip = (uint32_t)op->imm; EACH_BITS(w, RESULT(SOURCE(op->a) ^ flip)))
STEP(shift_high, EACH_BITS(w, RESULT(SOURCE(op->a) >> 16)))

// Position and width of an SDWA selection.
INLINE unsigned select_shift(unsigned select) {
    return select <= SDWA_BYTE_3 ? 8 * select : select == SDWA_WORD_1 ? 16 : 0;
}
INLINE unsigned select_bits(unsigned select) {
    return select <= SDWA_BYTE_3 ? 8 : select <= SDWA_WORD_1 ? 16 : 32;
}
STEP(select_part, const unsigned bits = select_bits(op->e & SELECT_PART);
     const unsigned left = 32 - bits - select_shift(op->e & SELECT_PART);
     if (op->e & SELECT_SIGNED) EACH_BITS(w, RESULT((i32v)(SOURCE(op->a) << left) >> (32 - bits)));
     else EACH_BITS(w, RESULT(SOURCE(op->a) << left >> (32 - bits))))

INLINE uint32_t pk_flip(uint64_t imm) {
    return (imm & PACKED_NEG_LOW ? 0x8000u : 0) | (imm & PACKED_NEG_HIGH ? 0x80000000u : 0);
}
STEP(pk_select, const unsigned lo = op->imm & PACKED_LOW_FROM_HIGH ? 16 : 0;
     const unsigned hi = op->imm & PACKED_HIGH_FROM_HIGH ? 0 : 16; const uint32_t flip = pk_flip(op->imm);
     EACH_BITS(w, const u32v a = SOURCE(op->a); RESULT(((a >> lo & 0xffff) | (a << hi & 0xffff0000)) ^ flip)))
STEP(pk_select64, const bool lo_high = op->imm & PACKED_LOW_FROM_HIGH;
     const bool hi_high = op->imm & PACKED_HIGH_FROM_HIGH;
     const uint32_t flip_lo = op->imm & PACKED_NEG_LOW ? 0x80000000u : 0;
     const uint32_t flip_hi = op->imm & PACKED_NEG_HIGH ? 0x80000000u : 0;
     EACH_BITS(w, const u32v x = SOURCE(op->a); const u32v y = SOURCE(HIGH(op->a));
               RESULT((lo_high ? y : x) ^ flip_lo); reg_at(w, HIGH(op->d))[i] = (hi_high ? y : x) ^ flip_hi))

// F16 denormals count as zero where MODE says so for F16 inputs.
INLINE u32v widened(u32v a, bool denormals) {
    if (!denormals) a = select32((i32v)((a & 0x7c00) == 0), a & 0x8000, a);
    return (u32v)from_f16(a);
}
INLINE u32v mix_operand(u32v a, const struct op *op, unsigned shift, bool denormals) {
    if (op->e & MIX_F16) return widened(a >> shift & 0xffff, denormals);
    return op->e & MIX_BF16 ? a >> shift << 16 : a;
}
STEP(mix_source, const uint32_t keep = op->e & MIX_ABS ? 0x7fffffffu : ~0u;
     const uint32_t flip = op->e & MIX_NEG ? 0x80000000u : 0;
     const unsigned shift = op->e & MIX_HIGH ? 16 : 0; const bool denormals = w->mode & 0x40;
     EACH_BITS(w, RESULT((mix_operand(SOURCE(op->a), op, shift, denormals) & keep) ^ flip)))

// ---- Behind a body: executing lanes of the result ----

// As integers: below zero or -0 gives 0, above 1.0 gives 1.0, and NaN is decided apart.
INLINE bool nan_to_zero(const struct wave *w, const struct op *op) {
    return op->e & CLAMP_NAN || w->mode >> 8 & 1;
}
STEP(clamp_f32, const bool zero = nan_to_zero(w, op);
     EACH_CHUNK(w, const i32v a = (i32v)SOURCE(op->a);
                const i32v r = min_i32(max_i32(a, (i32v){0}), (i32v)splat32(0x3f800000));
                const i32v nan = (i32v)((a & 0x7fffffff) > 0x7f800000);
                D32(select32(nan, zero ? splat32(0) : (u32v)a, (u32v)r))))
INLINE u64v clamp64(u64v a, bool zero) {
    const i64v v = (i64v)a;
    u64v r = select64((i64v)(v < 0), splat64(0), a);
    r = select64((i64v)((i64v)r > 0x3ff0000000000000), splat64(0x3ff0000000000000), r);
    return select64((i64v)((v & 0x7fffffffffffffff) > 0x7ff0000000000000), zero ? splat64(0) : a, r);
}
STEP(clamp_f64, const bool zero = nan_to_zero(w, op);
     EACH_CHUNK(w, const u64x2 a = join64(SOURCE(op->a), SOURCE(HIGH(op->a)));
                D64(((u64x2){clamp64(a.x, zero), clamp64(a.y, zero)}))))
INLINE u32v clamp_halves(u32v a, bool zero, uint32_t one, int16_t infinity) {
    const i16v v = (i16v)a;
    const i16v r = min_i16(max_i16(v, (i16v){0}), (i16v)splat32(one << 16 | one));
    const i32v nan = (i32v)((v & 0x7fff) > infinity);
    return select32(nan, zero ? splat32(0) : a, (u32v)r);
}
INLINE u32v clamp16(u32v a, bool zero) { return clamp_halves(a, zero, 0x3c00, 0x7c00); }
INLINE u32v clamp_b16(u32v a, bool zero) { return clamp_halves(a, zero, 0x3f80, 0x7f80); }
STEP(clamp_f16, const bool zero = nan_to_zero(w, op);
     EACH_CHUNK(w, const u32v a = SOURCE(op->a); D32((clamp16(a, zero) & 0xffff) | (a & 0xffff0000))))
STEP(clamp_pk_f16, const bool zero = nan_to_zero(w, op); EACH_CHUNK(w, D32(clamp16(SOURCE(op->a), zero))))
STEP(clamp_bf16, const bool zero = nan_to_zero(w, op);
     EACH_CHUNK(w, const u32v a = SOURCE(op->a); D32((clamp_b16(a, zero) & 0xffff) | (a & 0xffff0000))))
STEP(clamp_pk_bf16, const bool zero = nan_to_zero(w, op); EACH_CHUNK(w, D32(clamp_b16(SOURCE(op->a), zero))))

// Output modifiers are ignored under IEEE rules and with denormal results, where MODE has an IEEE bit; they
// leave no denormal and no -0 (TRAP-134).
enum { MODE_IEEE = 1 << 9, MODE_DENORM_OUT_32 = 1 << 5, MODE_DENORM_OUT_64 = 1 << 7 };
INLINE bool omod_works(const struct wave *w, const struct op *op, uint32_t denormals) {
    return op->e & OMOD_ALWAYS || !(w->mode & (MODE_IEEE | denormals));
}
INLINE float omod_factor(const struct op *op) {
    const unsigned omod = op->e & OMOD_FACTOR;
    return omod == 1 ? 2.0f : omod == 2 ? 4.0f : 0.5f;
}
INLINE void copy_result(struct wave *w, const struct op *op) {
    if (op->d == op->a) return;
    EACH_CHUNK(w, store32(w, op->d, i, m, FULL, SOURCE(op->a)));
}
INLINE u32v no_denormal32(u32v r) {
    r = select32((i32v)((r & 0x7f800000) == 0), r & 0x80000000, r);
    return select32((i32v)(r == 0x80000000), splat32(0), r);
}
INLINE u64v no_denormal64(u64v r) {
    r = select64((i64v)((r & 0x7ff0000000000000) == 0), r & 0x8000000000000000, r);
    return select64((i64v)(r == 0x8000000000000000), splat64(0), r);
}
INLINE u32v no_denormal16(u32v r) {
    r = select32((i32v)((r & 0x7c00) == 0), r & 0x8000, r);
    return select32((i32v)(r == 0x8000), splat32(0), r);
}
STEP(
    omod_f32, if (!omod_works(w, op, MODE_DENORM_OUT_32)) copy_result(w, op); else {
        const f32v k = splatf(omod_factor(op));
        EACH_CHUNK(w, D32(no_denormal32((u32v)((f32v)no_denormal32(SOURCE(op->a)) * k))));
    })
// One statement for both cases, so that compiled code knows the places.
INLINE u64v omod64(u64v a, f64v k, bool works) {
    return works ? no_denormal64((u64v)((f64v)no_denormal64(a) * k)) : a;
}
STEP(omod_f64, const bool works = omod_works(w, op, MODE_DENORM_OUT_64);
     const f64v k = splatd(omod_factor(op));
     GUARD64(w, EACH_CHUNK(w, const u64x2 a = join64(SOURCE(op->a), SOURCE(HIGH(op->a)));
                           D64(((u64x2){omod64(a.x, k, works), omod64(a.y, k, works)})))))
// The product is exact in F32 unless it overflows, which rounding by MODE decides, and MODE.FP16_OVFL.
enum { MODE_FP16_OVFL = 1 << 23 };
INLINE u32v finite16(u32v h, f32v r, bool saturate) {
    if (UNLIKELY(saturate))
        h += (u32v)(((i32v)(h & 0x7fff) == 0x7c00) & (i32v)(((u32v)r & 0x7fffffff) < 0x7f800000));
    return h;
}
STEP(
    omod_f16, if (!omod_works(w, op, MODE_DENORM_OUT_64)) copy_result(w, op); else {
        const f32v k = splatf(omod_factor(op));
        const bool saturate = w->mode & MODE_FP16_OVFL;
        GUARD64(w, EACH_CHUNK(w, const u32v a = SOURCE(op->a);
                              const f32v r = from_f16(no_denormal16(a & 0xffff)) * k;
                              D32(no_denormal16(finite16(to_f16(r), r, saturate)) | (a & 0xffff0000))));
    })

STEP(merge_low, EACH_CHUNK(w, D32((SOURCE(op->d) & 0xffff0000) | (SOURCE(op->a) & 0xffff))))
STEP(merge_high, EACH_CHUNK(w, D32((SOURCE(op->d) & 0xffff) | SOURCE(op->a) << 16)))
STEP(sdwa_merge, const unsigned select = op->e & SELECT_PART;
     const unsigned unused = op->e >> SELECT_UNUSED_SHIFT & 3; const unsigned bits = select_bits(select);
     const unsigned shift = select_shift(select); const unsigned left = 32 - bits;
     const uint32_t place = ~0u >> left << shift; if (unused == SDWA_PRESERVE)
         EACH_CHUNK(w, D32((SOURCE(op->d) & ~place) | (SOURCE(op->a) << shift & place)));
     else if (unused == SDWA_SEXT) EACH_CHUNK(w, D32((u32v)((i32v)(SOURCE(op->a) << left) >> left) << shift));
     else EACH_CHUNK(w, D32(SOURCE(op->a) << shift & place)))

STEP(cmpx, if (wave_lanes(w) == 64) w->exec = get64(w, op, op->a); else widen_exec(w, get32(w, op, op->a)))
STEP(exec_written, widen_exec(w, low_half(&w->exec)))
STEP(zero_flags, w->vccz = !any_lane_of(w, &w->vcc); w->execz = !any_lane_of(w, &w->exec))
STEP(scale_scalar, put64(w, op->d, get64(w, op, op->b) + (uint64_t)get32(w, op, op->a) * op->e))
#if !defined(STENCIL)
STEP(scratch_base, w->vccz = spread_base(w->scratch_base))
#endif
STEP(limit_lds, const uint32_t most = get32(w, op, op->a);
     w->lds_limit = most < w->lds_size ? most : w->lds_size)

#include "exec/body/dpp.h"

// ---- The table ----
op_fn PASTE(step_, to_lds, LEVEL), PASTE(step_, from_lds, LEVEL), PASTE(step_, lds_lanes, LEVEL); // lds.c
op_fn PASTE(step_, parameters, LEVEL), PASTE(step_, lds_direct, LEVEL); // graphics.c
op_fn PASTE(step_, check_alignment, LEVEL);                             // align.c
op_fn PASTE(step_, go_to, LEVEL);                                       // control.c
#if !defined(STENCIL)
// Of all lanes; who reads the result knows which count.
static const struct op *scale_address(struct wave *w, const struct op *op) {
    const uint32_t *offset = (const uint32_t *)reg_at(w, op->a);
    uint32_t *low = (uint32_t *)reg_at(w, op->d), *high = (uint32_t *)reg_at(w, op->d + w->stride);
    const uint64_t base = get64(w, op, op->b);
    for (uint32_t lane = 0; lane < w->lanes; lane++) {
        const uint64_t sum = base + (uint64_t)offset[lane] * op->e;
        low[lane] = (uint32_t)sum;
        high[lane] = (uint32_t)(sum >> 32);
    }
    NEXT_OP(w, op + 1);
}
static const struct op *if_bit(struct wave *w, const struct op *op) {
    NEXT_OP(w, op + (get32(w, op, op->a) >> op->e & 1 ? 1 : 2));
}
#endif
STEP(put_masked, const u32v v = splat32((uint32_t)op->imm); EACH_CHUNK(w, D32(v)))

#if !defined(STENCIL)
static void enter(struct wave *w, const struct op *op) {
#if TAIL_DISPATCH
    op->fn(w, op);
#else
    while (op) { // behind a barrier another wave may go on (barrier_hop)
        op = op->fn(w, op);
        if (w->barrier && w->barrier->wave) w = w->barrier->running;
    }
#endif
    clean_uppers();
}
static void leave(void) { clean_uppers(); }
// Kernels read their first registers at once, in wider pieces than stores of bytes could forward.
static void begin(struct wave *w, const uint32_t *sgprs, unsigned count, const uint32_t (*ids)[MAX_LANES],
                  unsigned registers) {
    unsigned n = 0;
    for (; n + LANES <= count; n += LANES) memcpy(w->s + n, sgprs + n, VB);
    for (; n < count; n++) w->s[n] = sgprs[n];
    for (unsigned r = 0; r < registers; r++) {
        u32v *v = (u32v *)((char *)w->v + r * wave_stride(w));
        for (unsigned i = 0; i < wave_lanes(w) / LANES; i++) memcpy(&v[i], ids[r] + i * LANES, VB);
    }
    clean_uppers();
}
#endif

const struct steps PASTE(device_, steps, LEVEL) = {
    .splat32 = splat_32,
    .splat64 = splat_64,
    .modify_f32 = modify_f32,
    .modify_f64 = modify_f64,
    .modify_f16 = modify_f16,
    .xor_bits = xor_bits,
    .shift_high = shift_high,
    .select = select_part,
    .pk_select = pk_select,
    .pk_select64 = pk_select64,
    .mix_source = mix_source,
    .clamp_f32 = clamp_f32,
    .clamp_f64 = clamp_f64,
    .clamp_f16 = clamp_f16,
    .clamp_pk_f16 = clamp_pk_f16,
    .clamp_bf16 = clamp_bf16,
    .clamp_pk_bf16 = clamp_pk_bf16,
    .omod_f32 = omod_f32,
    .omod_f64 = omod_f64,
    .omod_f16 = omod_f16,
    .merge_low = merge_low,
    .merge_high = merge_high,
    .sdwa_merge = sdwa_merge,
    .parameters = PASTE(step_, parameters, LEVEL),
    .lds_direct = PASTE(step_, lds_direct, LEVEL),
    .to_lds = PASTE(step_, to_lds, LEVEL),
    .from_lds = PASTE(step_, from_lds, LEVEL),
    .lds_lanes = PASTE(step_, lds_lanes, LEVEL),
    .check_alignment = PASTE(step_, check_alignment, LEVEL),
    .put_masked = put_masked,
    .dpp_rows = dpp_rows,
    .dpp_across = dpp_across,
    .dpp_narrow = dpp_narrow,
    .dpp_end = dpp_end,
    .cmpx = cmpx,
    .exec_written = exec_written,
    .zero_flags = zero_flags,
    .limit_lds = limit_lds,
    .scale_scalar = scale_scalar,
    .go_to = PASTE(step_, go_to, LEVEL),
#if !defined(STENCIL)
    .if_bit = if_bit,
    .scale_address = scale_address,
    .scratch_base = scratch_base,
    .enter = enter,
    .leave = leave,
    .begin = begin,
#endif
};
