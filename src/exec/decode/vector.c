// SPDX-License-Identifier: MIT
// Vector ALU instructions to ops: steps that prepare each source, the body in the variant for where scalar
// operands stand, steps that finish the result. Nothing here knows an operation; the row's operand types and
// flags and the encoding's fields say it all.
#include "exec/body/body.h"
#include "exec/body/flags.h"
#include "exec/body/flags_cdna5.h"
#include "exec/decode/control_ops.h"
#include "exec/body/steps.h"
#include "isa/constants.h"
#include "isa/kinds.h"

enum { MAX_SOURCES = 4 };

// Where a source has got to on its way into the body.
struct source {
    struct operand o;
    uint32_t at; // byte offset
    bool scalar; // S operand: spread by the body
    bool mask;   // lane mask in scalar registers
    uint64_t literal;
};

// Registers that the other half of a VOPD has written already, and where their old values are.
struct moved {
    unsigned code, count;
    uint32_t at;
};

struct vector_op {
    struct translator *t;
    const struct insn *in;
    const struct row *row;
    const struct body *body;
    struct source src[MAX_SOURCES];
    unsigned count;
    unsigned next_temp;
    bool is_vop3, is_packed; // VOP3 modifiers; VOP3P modifiers
    bool dpp;                // EXEC is narrowed until dpp_end
    bool out_of_temps;
    const struct moved *moved; // of half of a VOPD: registers whose old values lie elsewhere
};

static uint32_t take_temp(struct vector_op *v, unsigned dwords) {
    // Temporaries are MAX_LANES dwords apart, registers of a tuple `stride` apart: a pair fits in two of
    // them at either wave size.
    if (v->next_temp + dwords > TEMP_REGISTERS) {
        v->out_of_temps = true;
        return temp_offset(0);
    }
    uint32_t at = temp_offset(v->next_temp);
    v->next_temp += dwords;
    return at;
}

static unsigned register_dwords(const struct operand *o) { return o->dwords ? o->dwords : 1; }
static bool is_pair(const struct operand *o) { return o->dwords == 2; }

static struct op *step(struct vector_op *v, op_fn *fn, uint32_t d, uint32_t a) {
    struct op *op = emit_op(v->t, fn);
    op->d = d;
    op->a = a;
    return op;
}

// ---- VGPR index mode (TRAP-118): registers named relative to M0, for GFX8 and GFX9 ----

// op->imm is the register that the instruction names, as an offset before M0 is added; op->c is where the
// VGPRs end; op->e are the registers of the operand, which must all be there, and for results perhaps
// EVERY_LANE.
enum { EVERY_LANE = 0x100 };

static uint32_t indexed(struct wave *w, const struct op *op) {
    return (uint32_t)op->imm + (get32(w, op, op->b) & 0xff) * w->stride;
}

static const struct op *index_source(struct wave *w, const struct op *op) {
    uint32_t at = indexed(w, op);
    if (at + op->e * w->stride > op->c) at = op->a; // TRAP-394
    memcpy(wave_at(w, op->d), wave_at(w, at), (size_t)op->e * w->stride);
    NEXT;
}

static const struct op *index_result(struct wave *w, const struct op *op) {
    const uint32_t at = indexed(w, op), count = op->e & 0xff;
    const uint64_t lanes = op->e & EVERY_LANE ? w->all_lanes : w->exec;
    if (at + count * w->stride <= op->c) // TRAP-395
        for (uint32_t r = 0; r < count; r++)
            for (uint32_t l = 0; l < w->lanes; l++)
                if (lanes >> l & 1)
                    put32(w, at + r * w->stride + 4 * l, get32(w, op, op->a + r * w->stride + 4 * l));
    NEXT;
}

static struct op *index_step(struct vector_op *v, op_fn *fn, unsigned code, unsigned dwords) {
    const struct code_facts *f = v->t->facts;
    struct op *op = emit_op(v->t, fn);
    op->b = sgpr_offset(f->m0);
    op->c = vgpr_offset(f, f->vgprs);
    op->e = dwords;
    op->imm = vgpr_offset(f, code - SRC_VGPR0);
    return op;
}

// An operand that M0 moves, in a temporary.
static uint32_t index_operand(struct vector_op *v, unsigned code, unsigned dwords) {
    const uint32_t d = take_temp(v, dwords);
    struct op *op = index_step(v, index_source, code, dwords);
    op->d = d;
    op->a = source_offset(v->t, SRC_VGPR0, T_B32, dwords); // when it is not there
    return d;
}

// ---- Sources ----

// Makes the source a vector in a temporary or register.
static void spread(struct vector_op *v, struct source *s) {
    if (!s->scalar) return;
    const struct steps *steps = v->t->facts->steps;
    uint32_t d = take_temp(v, register_dwords(&s->o));
    struct op *op = step(v, is_pair(&s->o) ? steps->splat64 : steps->splat32, d, s->at);
    op->imm = s->literal;
    s->at = d;
    s->scalar = false;
}

static struct op *source_step(struct vector_op *v, struct source *s, op_fn *fn) {
    spread(v, s);
    uint32_t d = take_temp(v, register_dwords(&s->o));
    struct op *op = step(v, fn, d, s->at);
    s->at = d;
    return op;
}

// Pairs of 32-bit elements read an inline constant of 32 bits in each, which no constant of 64 bits is.
static bool pair_constant(unsigned code, uint64_t *out) {
    uint32_t x;
    if (code >= 128 && code <= 208)
        x = (uint32_t)inline_integer(code);
    else if (code >= 240 && code <= 248)
        x = inline_floats[code - 240].f32;
    else
        return false;
    *out = x | (uint64_t)x << 32;
    return true;
}

static bool load_source(struct vector_op *v, unsigned i) {
    const struct code_facts *f = v->t->facts;
    struct source *s = &v->src[i];
    s->o = insn_operand(f->isa, v->in, v->row->src[i], f->wave32);
    unsigned code = s->o.code;
    if (code == SRC_LITERAL64 && v->in->wide_literal)
        code = SRC_LITERAL;
    else if (code == SRC_LDS_DIRECT) {
        if (register_dwords(&s->o) > 1) {
            v->t->gap = "64 bits of an LDS_DIRECT operand";
            return false;
        }
        s->at = take_temp(v, 1);
        step(v, f->steps->lds_direct, s->at, sgpr_offset(f->m0));
        return true;
    }
    const bool scratch_base = is_scratch_base(f->isa, code);
    if (scratch_base) emit_scratch_base(v->t);
    if (is_zero_flag(code)) emit_op(v->t, f->steps->zero_flags);
    s->mask = s->o.type == T_MASK;
    s->scalar = !is_vector(code) && !s->mask;
    const unsigned type = is_mix((enum operand_type)s->o.type) ? T_F32
                          : i == 0 && v->body->half_source     ? half_source_type(v->body)
                                                               : s->o.type;
    s->at = source_offset(v->t, code, type, register_dwords(&s->o));
    if (v->moved && code >= v->moved->code && code < v->moved->code + v->moved->count)
        s->at = v->moved->at + (code - v->moved->code) * f->stride;
    if (scratch_base) s->at = scratch_base_offset(code);
    if (code == SRC_LITERAL) s->literal = literal_of((uint32_t)v->in->f[F_literal], s->o.type);
    if (v->in->wide_literal) s->literal = wide_literal_of(v->in);
    if ((s->o.type == T_V2F32 || s->o.type == T_V2B32) && pair_constant(code, &s->literal)) s->at = OP_IMM;
    // A destination that is read as well moves with the destination (TRAP-119).
    const unsigned role = v->row->src[i].field == F_vdst ? 3 : i;
    if (role < 4 && v->t->gpr_index >> role & 1 && is_vgpr(code))
        s->at = index_operand(v, code, register_dwords(&s->o));
    return true;
}

static void dpp_step(struct vector_op *v, op_fn *fn, struct dpp dpp, uint32_t d, uint32_t a) {
    struct op *op = step(v, fn, d, a);
    op->e = dpp.e, op->imm = dpp.imm;
}
static void apply_dpp(struct vector_op *v, struct source *s) {
    const struct insn *in = v->in;
    const struct steps *steps = v->t->facts->steps;
    const struct dpp dpp = in->suffix == SUFFIX_DPP16
                               ? dpp16((unsigned)in->f[F_dpp_ctrl], (unsigned)in->f[F_row_mask],
                                       (unsigned)in->f[F_bank_mask], in->f[F_bound_ctrl], in->f[F_fi])
                               : dpp8((unsigned)in->f[F_dpp8], in->dpp8_fi);
    spread(v, s);
    const uint32_t from = s->at;
    s->at = take_temp(v, register_dwords(&s->o));
    for (unsigned r = 0; r < register_dwords(&s->o); r++) {
        const uint32_t at = r * v->t->facts->stride;
        dpp_step(v, dpp.e & DPP_ACROSS ? steps->dpp_across : steps->dpp_rows, dpp, s->at + at, from + at);
    }
    if (!dpp_narrows(dpp)) return;
    dpp_step(v, steps->dpp_narrow, dpp, 0, 0);
    v->dpp = true;
}

// Where registers have halves, op_sel chooses that of a scalar or literal as well.
static void apply_half(struct vector_op *v, struct source *s, unsigned i) {
    if (!is_half(s->o.type)) return;
    const bool chooses = v->row->flags & ROW_OPSEL || v->t->facts->isa->true16;
    bool high = s->o.half ? s->o.high
                          : v->is_vop3 && chooses && insn_has(v->in, F_op_sel) && v->in->f[F_op_sel] >> i & 1;
    if (high) source_step(v, s, v->t->facts->steps->shift_high);
}

static void apply_float_modifiers(struct vector_op *v, struct source *s, unsigned absolute, unsigned negate) {
    if (!absolute && !negate) return;
    const struct steps *steps = v->t->facts->steps;
    op_fn *fn = is_pair(&s->o)       ? steps->modify_f64
                : is_half(s->o.type) ? steps->modify_f16
                                     : steps->modify_f32;
    source_step(v, s, fn)->e = (absolute ? SIGN_ABS : 0) | (negate ? SIGN_NEG : 0);
}

// VOP3P: which half (or dword of a pair) feeds which half of the result, each negated or not.
static void apply_packed(struct vector_op *v, struct source *s, unsigned i) {
    const struct insn *in = v->in;
    const struct steps *steps = v->t->facts->steps;
    unsigned lo = (unsigned)in->f[F_op_sel] >> i & 1, hi = (unsigned)in->f[F_op_sel_hi] >> i & 1;
    unsigned neg_lo = (unsigned)in->f[F_neg] >> i & 1, neg_hi = (unsigned)in->f[F_neg_hi] >> i & 1;
    switch (s->o.type) {
    case T_MIX:
    case T_MIXB:
        source_step(v, s, steps->mix_source)->e = (hi ? s->o.type == T_MIX ? MIX_F16 : MIX_BF16 : 0) |
                                                  (lo ? MIX_HIGH : 0) | (neg_hi ? MIX_ABS : 0) |
                                                  (neg_lo ? MIX_NEG : 0);
        return; // TRAP-147
    case T_V2F16:
    case T_V2B16:
    case T_V2BF16:
    case T_V2F32:
    case T_V2B32:
        if (!(v->row->flags & ROW_OPSEL_HI)) lo = 0, hi = 1;
        if (!lo && hi && !neg_lo && !neg_hi) return;
        source_step(v, s, is_pair(&s->o) ? steps->pk_select64 : steps->pk_select)->imm =
            (lo ? PACKED_LOW_FROM_HIGH : 0) | (hi ? PACKED_HIGH_FROM_HIGH : 0) |
            (neg_lo ? PACKED_NEG_LOW : 0) | (neg_hi ? PACKED_NEG_HIGH : 0);
        return;
    case T_F32: apply_float_modifiers(v, s, neg_hi, neg_lo); return; // the accumulator of a dot product
    case T_F16:
    case T_BF16:
        if (lo) source_step(v, s, steps->shift_high);
        apply_float_modifiers(v, s, neg_hi, neg_lo);
        return;
    default: return; // integer dot products: neg is signedness, see body_flags
    }
}

static bool prepare_source(struct vector_op *v, unsigned i) {
    const struct insn *in = v->in;
    struct source *s = &v->src[i];
    if (!load_source(v, i)) return false;
    if (s->mask) return true;
    if (i == 0 && (in->suffix == SUFFIX_DPP16 || in->suffix == SUFFIX_DPP8)) apply_dpp(v, s);
    unsigned absolute = 0, negate = 0;
    if (in->suffix == SUFFIX_SDWA && i < 2) {
        unsigned sel = (unsigned)in->f[i ? F_src1_sel : F_src0_sel], sext = (unsigned)in->f[F_sext] >> i & 1;
        if (sel != SDWA_DWORD)
            source_step(v, s, v->t->facts->steps->select)->e = sel | (sext ? SELECT_SIGNED : 0);
        absolute = (unsigned)in->f[F_sdwa_abs] >> i & 1, negate = (unsigned)in->f[F_sdwa_neg] >> i & 1;
    } else if (v->is_packed) {
        apply_packed(v, s, i);
        return true;
    } else if (in->format->id == FMT_VOPD3) {
        const int number = source_number((enum field)v->row->src[i].field);
        negate = number >= 0 ? (unsigned)in->f[F_negx] >> number & 1 : 0;
    } else if (v->is_vop3) {
        apply_half(v, s, i);
        negate = (unsigned)in->f[F_neg] >> i & 1;
        absolute = insn_has(in, F_abs) ? (unsigned)in->f[F_abs] >> i & 1 : 0;
    } else {
        apply_half(v, s, i);
        if (in->suffix == SUFFIX_DPP16 && i < 2)
            absolute = (unsigned)in->f[F_dpp_abs] >> i & 1, negate = (unsigned)in->f[F_dpp_neg] >> i & 1;
    }
    if (v->row->flags & ROW_ABSNEG) apply_float_modifiers(v, s, absolute, negate);
    return true;
}

// ---- The body ----

// The variant for the places of scalar operands; spreads those for which there is none.
static op_fn *choose_variant(struct vector_op *v) {
    unsigned vectors = v->body->shape == SHAPE_VECTOR1 ? 1 : v->body->shape == SHAPE_VECTOR3 ? 3 : 2;
    unsigned chosen = 0;
    if (v->body->shape == SHAPE_VECTOR2 && v->count >= 2 && v->src[0].scalar && v->src[1].scalar &&
        v->body->fn[3])
        return v->body->fn[3];
    for (unsigned i = 0; i < v->count && i < vectors; i++) {
        if (!v->src[i].scalar) continue;
        if (chosen)
            spread(v, &v->src[i]);
        else
            chosen = i + 1;
    }
    return v->body->fn[chosen];
}

static bool is_float_type(unsigned type) {
    return type == T_F32 || type == T_F64 || type == T_F16 || type == T_BF16;
}

static bool has_clamp(const struct vector_op *v) {
    return insn_has(v->in, F_clamp) ? v->in->f[F_clamp] : v->in->suffix == SUFFIX_SDWA && v->in->f[F_clamp];
}

// The truth table of half of a VOPD of three dwords stands where a third source would; that is 0.
static uint32_t vopd_table(const struct insn *in) { return (uint32_t)in->f[F_src2x] & 0xff; }

// What a body may ask in op->e: BODY_*, or the truth table of V_BITOP3.
static uint32_t body_flags(const struct vector_op *v) {
    const struct insn *in = v->in;
    if (v->row->flags & ROW_BITOP3 && in->format->id == FMT_VOPD3) return vopd_table(in);
    if (v->row->flags & ROW_BITOP3)
        return (uint32_t)(in->f[F_omod] << 6 | in->f[F_abs] << 3 | in->f[F_neg]) & 0xff;
    const sw_processor *p = v->t->facts->processor;
    uint32_t e = v->row->flags & ROW_CLAMP && has_clamp(v) ? BODY_CLAMP : 0;
    if (v->is_packed && in->f[F_neg] & 1) e |= BODY_SIGNED_A;
    if (v->is_packed && in->f[F_neg] & 2) e |= BODY_SIGNED_B;
    uint32_t sel = v->is_vop3 && insn_has(in, F_op_sel) ? (uint32_t)in->f[F_op_sel] & 15 : 0;
    if (v->row->flags & ROW_BYTE_SEL) sel = (sel & 1) << 1 | (sel >> 1 & 1); // TRAP-175
    e |= sel << BODY_OP_SEL_SHIFT;
    if (v->body->shape == SHAPE_SCALAR && v->row->flags & ROW_OMOD && insn_has(in, F_omod))
        e |= (uint32_t)(in->f[F_omod] & 3) << BODY_OMOD_SHIFT; // no step behind the body does it
    if (fact(p, FACT_fp8_fnuz)) e |= BODY_FNUZ;
    if (has(p, CAP_agprs)) e |= BODY_ADDS_LAST;
    if (fact(p, FACT_first_nan)) e |= BODY_FIRST_NAN;
    if (fact(p, FACT_min_max_keeps)) e |= BODY_KEEPS_RESULT;
    if (fact(p, FACT_packed_overflow)) e |= BODY_OVERFLOW;
    return fact(p, FACT_limits_turns) ? e | BODY_LIMITS_TURNS : e;
}

static struct op *emit_body(struct vector_op *v, op_fn *fn, uint32_t d) {
    struct op *op = emit_op(v->t, fn);
    op->d = d;
    uint32_t *slots[] = {&op->a, &op->b, &op->c};
    for (unsigned i = 0; i < v->count && i < 3; i++) {
        *slots[i] = v->src[i].at;
        if (v->src[i].scalar && v->src[i].at == OP_IMM) op->imm = v->src[i].literal;
    }
    return op;
}

// ---- Results ----

// Where results of 16 bits clear the other half, operations that exist in VOP3 only keep it all the same, and
// the others when they write the upper half (TRAP-148 to TRAP-150).
static bool keeps_other_half(const struct vector_op *v) {
    if (has(v->t->facts->processor, CAP_hi16_preserved) || is_mix((enum operand_type)v->src[0].o.type))
        return true;
    if (!v->is_vop3 || !insn_has(v->in, F_op_sel) || !(v->row->flags & ROW_OPSEL)) return false;
    return !v->in->two_forms || v->in->f[F_op_sel] >> 3 & 1;
}

// What omod and clamp take the result for. Operations of GFX8 that write a half and clear the other one have
// a whole register as destination (TRAP-148, TRAP-149).
static unsigned finished_type(const struct vector_op *v, unsigned type) {
    const bool clears =
        v->row->flags & ROW_OMOD && !(v->row->flags & ROW_OPSEL) && v->row->src[0].type == T_F16;
    return clears && type == T_B32 ? T_F16 : type;
}
// omod and clamp act on the executing lanes of the result in place.
static void finish_float(struct vector_op *v, uint32_t d, unsigned type) {
    const struct steps *steps = v->t->facts->steps;
    bool ieee = has(v->t->facts->processor, CAP_ieee_mode);
    bool pair = type == T_F64, half = type == T_F16 || type == T_BF16;
    unsigned omod = v->row->flags & ROW_OMOD && insn_has(v->in, F_omod) ? (unsigned)v->in->f[F_omod]
                    : v->in->suffix == SUFFIX_SDWA                      ? (unsigned)v->in->f[F_omod]
                                                                        : 0;
    if (omod)
        step(v,
             pair   ? steps->omod_f64
             : half ? steps->omod_f16
                    : steps->omod_f32,
             d, d)
            ->e = omod | (ieee ? 0u : (uint32_t)OMOD_ALWAYS);
    if (has_clamp(v))
        step(v,
             pair             ? steps->clamp_f64
             : type == T_BF16 ? steps->clamp_bf16
             : half           ? steps->clamp_f16
                              : steps->clamp_f32,
             d, d)
            ->e = ieee ? 0 : CLAMP_NAN;
}

static void finish_pair_of_floats(struct vector_op *v, uint32_t d) {
    const struct steps *steps = v->t->facts->steps;
    if (!has_clamp(v)) return;
    uint32_t nan = has(v->t->facts->processor, CAP_ieee_mode) ? 0 : CLAMP_NAN;
    if (v->src[0].o.type == T_V2F16)
        step(v, steps->clamp_pk_f16, d, d)->e = nan;
    else if (v->src[0].o.type == T_V2BF16)
        step(v, steps->clamp_pk_bf16, d, d)->e = nan;
    else if (v->src[0].o.type == T_V2F32)
        for (unsigned r = 0; r < 2; r++)
            step(v, steps->clamp_f32, d + r * v->t->facts->stride, d + r * v->t->facts->stride)->e = nan;
}

// The vector destination: emits the body and what follows it.
static void emit_with_result(struct vector_op *v, op_fn *fn, const struct operand *dst, uint32_t second) {
    const struct code_facts *f = v->t->facts;
    const struct steps *steps = f->steps;
    unsigned dwords = register_dwords(dst);
    const bool moves = v->t->gpr_index >> 3 & 1 && is_vgpr(dst->code);
    bool sdwa = v->in->suffix == SUFFIX_SDWA && v->in->f[F_dst_sel] != SDWA_DWORD;
    bool half = is_half(dst->type) && !sdwa && keeps_other_half(v);
    uint32_t final = moves && (half || sdwa) ? index_operand(v, dst->code, dwords) // with what it holds
                     : moves                 ? take_temp(v, dwords)
                                             : destination_offset(v->t, dst->code, dwords);
    if (final == UINT32_MAX) return; // TRAP-395: a destination out of range cancels the instruction
    uint32_t d = half || sdwa ? take_temp(v, dwords) : final;

    struct op *op = emit_body(v, fn, d);
    // A lane mask lies at a multiple of four: bit 0 is free for BODY_CLAMP (TRAP-463).
    op->e = second == UINT32_MAX
                ? body_flags(v)
                : second | (!is_float_type(dst->type) && has_clamp(v) ? (uint32_t)BODY_CLAMP : 0u);
    const unsigned type = finished_type(v, dst->type);
    if (is_float_type(type))
        finish_float(v, d, type);
    else
        finish_pair_of_floats(v, d);

    if (sdwa)
        step(v, steps->sdwa_merge, final, d)->e =
            (uint32_t)v->in->f[F_dst_sel] | (uint32_t)v->in->f[F_dst_unused] << SELECT_UNUSED_SHIFT;
    else if (half) {
        bool high = dst->half ? dst->high
                              : v->row->flags & ROW_DST_HIGH ||
                                    (v->is_vop3 && v->row->flags & ROW_OPSEL && v->in->f[F_op_sel] >> 3 & 1);
        step(v, high ? steps->merge_high : steps->merge_low, final, d);
    }
    if (moves) index_step(v, index_result, dst->code, dwords)->a = final;
}

static void emit_compare(struct vector_op *v) {
    const struct code_facts *f = v->t->facts;
    struct operand dst = insn_operand(f->isa, v->in, v->row->dst[0], f->wave32);
    bool cmpx = v->row->writes & R_EXEC;
    uint32_t d =
        dst.type == T_NO_OPERAND ? WAVE_OFFSET(exec) : destination_offset(v->t, dst.code, dst.dwords);
    op_fn *fn = choose_variant(v);
    emit_body(v, fn, d);
    if (cmpx && d != WAVE_OFFSET(exec)) step(v, f->steps->cmpx, 0, d); // TRAP-250
    if (cmpx && d == WAVE_OFFSET(exec) && f->wave32) step(v, f->steps->exec_written, 0, 0);
    if (cmpx) v->dpp = false;
}

static bool has_scale_operands(const struct insn *in) {
    return in->format->id == FMT_WMMA_SCALE || in->format->id == FMT_WMMA_SCALE16;
}

// What the fields of a matrix instruction ask for, as exec/body/matrix.c reads it.
static uint32_t matrix_flags(const struct vector_op *v) {
    const struct insn *in = v->in;
    const sw_processor *p = v->t->facts->processor;
    uint32_t e = fact(p, FACT_fp8_fnuz) ? MATRIX_FNUZ : 0;
    if (in->scaled)
        for (int n = 0; n < 2; n++) // a bit of the low and one of the high choice make a scale's byte
            e |= MATRIX_SCALED | (uint32_t)(in->f[F_scale_sel] >> n & 1) << (MATRIX_SCALE_SHIFT + 2 * n) |
                 (uint32_t)(in->f[F_scale_sel_hi] >> n & 1) << (MATRIX_SCALE_SHIFT + 2 * n + 1);
    if (!v->is_packed)
        return e | (uint32_t)(in->f[F_cbsz] | in->f[F_abid] << MATRIX_ABID_SHIFT |
                              in->f[F_blgp] << MATRIX_BLGP_SHIFT);
    e |= (uint32_t)(in->f[F_neg] | in->f[F_neg_hi] << MATRIX_NEG_HI_SHIFT |
                    in->f[F_op_sel] << MATRIX_OP_SEL_SHIFT | in->f[F_clamp] << MATRIX_CLAMP_SHIFT);
    e |= (uint32_t)in->f[F_op_sel_hi] << MATRIX_OP_SEL_HI_SHIFT;
    if (has_scale_operands(in))
        e |= MATRIX_SCALED | ((uint32_t)in->f[F_scale_sel] & 1) << MATRIX_SCALE_ROW_SHIFT |
             ((uint32_t)in->f[F_scale_sel_hi] & 1) << (MATRIX_SCALE_ROW_SHIFT + 1) |
             ((uint32_t)in->f[F_scale_fmt] & 3) << MATRIX_SCALE_SHIFT |
             ((uint32_t)in->f[F_scale_fmt_hi] & 3) << (MATRIX_SCALE_SHIFT + 2) |
             (in->format->id == FMT_WMMA_SCALE16 ? (uint32_t)MATRIX_SCALE_16 : 0u);
    return e | MATRIX_RDNA | (fact(p, FACT_wmma_spread) ? MATRIX_SPREAD : 0);
}

static void emit_special(struct vector_op *v) {
    const struct code_facts *f = v->t->facts;
    uint32_t d = 0;
    if (v->row->dst[0].type) {
        struct operand dst = insn_operand(f->isa, v->in, v->row->dst[0], f->wave32);
        const unsigned dwords = register_dwords(&dst);
        if (v->t->gpr_index >> 3 & 1 && is_vgpr(dst.code)) { // v_writelane and matrices, which know no EXEC
            d = index_operand(v, dst.code, dwords);
            emit_body(v, v->body->fn[0], d)->e = v->body->shape == SHAPE_MATRIX ? matrix_flags(v) : 0;
            struct op *result = index_step(v, index_result, dst.code, dwords);
            result->a = d;
            result->e |= EVERY_LANE;
            return;
        }
        d = destination_offset(v->t, dst.code, dwords);
        if (d == UINT32_MAX) return;
    }
    for (unsigned n = 0; n < v->count && v->body->shape == SHAPE_SPECIAL; n++) // encodings may say otherwise
        if (v->row->registers >> n & 1) spread(v, &v->src[n]);
    struct op *op = emit_body(v, v->body->fn[0], d);
    if (v->body->shape == SHAPE_MATRIX) {
        op->e = matrix_flags(v);
        if (has_scale_operands(v->in)) {
            uint32_t at[2];
            for (int n = 0; n < 2; n++) {
                const struct operand o = insn_operand(f->isa, v->in, v->row->src[3 + n], true);
                at[n] = source_offset(v->t, o.code, T_B32, is_vector(o.code) ? o.dwords : 1);
            }
            op->imm = at[0] | (uint64_t)at[1] << 32;
        } else if (v->in->scaled)
            op->imm = source_offset(v->t, (unsigned)v->in->f[F_scale0], T_B32, 1) |
                      (uint64_t)source_offset(v->t, (unsigned)v->in->f[F_scale1], T_B32, 1) << 32;
    } else if (v->row->flags & ROW_PAIR_SEL)
        op->e = (uint32_t)v->in->f[F_op_sel] & PERMLANE_FLAGS;
    else if (v->body->shape == SHAPE_SCALAR)
        op->e = body_flags(v);
    else if (v->row->reads & R_M0) { // VGPRs named relative to it
        op->e = sgpr_offset(f->m0);
        op->c = vgpr_offset(f, f->vgprs);
    }
}

// The half of a register that the operand names, in the low half of a temporary.
static uint32_t take_half(struct vector_op *v, const struct operand *o, uint32_t at) {
    const uint32_t d = take_temp(v, 1);
    const struct steps *steps = v->t->facts->steps;
    step(v, o->high ? steps->shift_high : steps->modify_f32, d, at); // which modifies nothing
    return d;
}
// v_swap_b16 has no body: it is made of steps.
static bool swap_halves(struct vector_op *v) {
    const struct code_facts *f = v->t->facts;
    const struct operand to = insn_operand(f->isa, v->in, v->row->dst[0], f->wave32);
    const struct operand from = insn_operand(f->isa, v->in, v->row->src[0], f->wave32);
    const uint32_t d = destination_offset(v->t, to.code, 1), a = destination_offset(v->t, from.code, 1);
    if (d == UINT32_MAX || a == UINT32_MAX) return true;
    const uint32_t source = take_half(v, &from, a), destination = take_half(v, &to, d);
    step(v, to.high ? f->steps->merge_high : f->steps->merge_low, d, source);
    step(v, from.high ? f->steps->merge_high : f->steps->merge_low, a, destination);
    return true;
}

// Of 8-bit numbers in blocks of 16 the manual says only where the first scales are.
static bool reserved_scale(const struct insn *in) {
    enum { BLOCKS_OF_16 = 8 };
    return in->row->flags & ROW_SCALE_SEL && operand_dwords[in->row->src[0].type] == 2 &&
           in->f[F_op_sel] > BLOCKS_OF_16;
}

static bool translate_operation(struct translator *t, const struct insn *in, const struct row *row,
                                const struct moved *moved) {
    struct vector_op v = {
        .t = t, .in = in, .row = row, .body = t->facts->bodies[row - isa_rows], .moved = moved};
    unsigned format = in->format->id;
    v.is_packed = is_packed_format(format);
    v.is_vop3 = format == FMT_VOP3 || format == FMT_VOP3B || format == FMT_VOP3S || format == FMT_VINTERP;
    if (reserved_scale(in)) {
        t->gap = "scales of a selection that is not documented";
        return false;
    }
    if (v.body->shape == SHAPE_NONE || v.body->shape == SHAPE_MEMORY) {
        t->gap = row_gap(row) ? row_gap(row) : "not executable";
        return false;
    }
    if (row->flags & ROW_E5M3 && t->facts->isa->e5m3 && insn_has(in, F_clamp) && in->f[F_clamp]) {
        t->gap = "8-bit floats without a sign (E5M3)";
        return false;
    }
    const bool wide_integer = row->dst[0].type == T_U64 || row->dst[0].type == T_I64;
    if (wide_integer && !row->dst[1].type && insn_has(in, F_clamp) && in->f[F_clamp]) {
        t->gap = "clamp of 64-bit integers";
        return false;
    }
    const bool swaps = row->flags & ROW_SWAPS;
    if (swaps && !is_vector(insn_operand(t->facts->isa, in, row->src[0], t->facts->wave32).code)) {
        t->gap = "src0 must be a VGPR";
        t->illegal = true;
        return false;
    }
    if (v.body->shape == SHAPE_SPECIAL && !v.body->fn[0]) return swap_halves(&v);
    // Scales are the business of the matrix operation.
    for (; v.count < MAX_SOURCES && row->src[v.count].type && row->src[v.count].field != F_scale0; v.count++)
        if (!prepare_source(&v, v.count)) return false;
    if (swaps) v.src[0].at = destination_offset(t, v.src[0].o.code, register_dwords(&v.src[0].o));
    if (v.src[0].at == UINT32_MAX) return true; // TRAP-395
    if (v.body->shape == SHAPE_COMPARE)
        emit_compare(&v);
    else if (v.body->shape == SHAPE_SPECIAL || v.body->shape == SHAPE_SCALAR || v.body->shape == SHAPE_MATRIX)
        emit_special(&v);
    else {
        const struct code_facts *f = t->facts;
        struct operand dst = insn_operand(f->isa, in, row->dst[0], f->wave32);
        uint32_t second = UINT32_MAX;
        if (row->dst[1].type) {
            struct operand mask = insn_operand(f->isa, in, row->dst[1], f->wave32);
            second = destination_offset(t, mask.code, mask.dwords);
        }
        emit_with_result(&v, choose_variant(&v), &dst, second);
    }
    if (v.dpp) step(&v, t->facts->steps->dpp_end, 0, 0);
    if (v.out_of_temps) t->gap = "VGPR indexing of operands that wide";
    return !v.out_of_temps;
}

// ---- VOPD ----

// Whether this half reads registers that the other one writes.
static bool overlaps(const struct translator *t, const struct insn *in, const struct moved *written) {
    for (int i = 0; i < ROW_SRC && in->row->src[i].type; i++) {
        const struct operand o = insn_operand(t->facts->isa, in, in->row->src[i], true);
        if (o.code < written->code + written->count && written->code < o.code + register_dwords(&o))
            return true;
    }
    return false;
}

static struct moved written_by(const struct translator *t, const struct insn *half) {
    const struct operand o = insn_operand(t->facts->isa, half, half->row->dst[0], true);
    return (struct moved){o.code, register_dwords(&o), 0};
}

// Sources out of range: the remainder modulo 4 (TRAP-397).
static void fold_sources(const struct translator *t, struct insn *half) {
    static const enum field sources[] = {F_src0x, F_src1x};
    for (int i = 0; i < 2; i++) {
        const unsigned code = insn_vgpr(half, sources[i]);
        if (code >= SRC_VGPR0 && code - SRC_VGPR0 >= t->facts->vgprs)
            half->f[sources[i]] = SRC_VGPR0 + (half->f[sources[i]] & 3);
    }
}

// Temporaries for old values: the last ones, which no half of a VOPD comes near.
static uint32_t keep_old(struct translator *t, const struct moved *written) {
    const uint32_t at = temp_offset(TEMP_REGISTERS - 4);
    for (unsigned i = 0; i < written->count; i++) {
        const uint32_t from = source_offset(t, written->code + i, T_B32, 1);
        struct op *op = emit_op(t, t->facts->steps->modify_f32); // which modifies nothing
        op->d = at + i * t->facts->stride, op->a = from;
    }
    return at;
}

// Both halves read the state from before (TRAP-161). X goes first unless Y reads what X writes; where each
// reads what the other writes, what X writes over is kept for Y.
static bool translate_dual(struct translator *t, const struct insn *in) {
    struct insn x = *in, y = *in;
    y.row = in->row_y;
    y.row_y = NULL;
    y.f[F_src0x] = in->f[F_src0y];
    y.f[F_src1x] = in->f[F_src1y];
    y.f[F_vdstx] = in->f[F_vdsty];
    y.f[F_src2x] = in->f[F_src2y];
    y.f[F_negx] = in->f[F_negy];
    fold_sources(t, &x);
    fold_sources(t, &y);
    struct moved by_x = written_by(t, &x), by_y = written_by(t, &y);
    if (!overlaps(t, &y, &by_x))
        return translate_operation(t, &x, x.row, NULL) && translate_operation(t, &y, y.row, NULL);
    if (!overlaps(t, &x, &by_y))
        return translate_operation(t, &y, y.row, NULL) && translate_operation(t, &x, x.row, NULL);
    by_x.at = keep_old(t, &by_x);
    return translate_operation(t, &x, x.row, NULL) && translate_operation(t, &y, y.row, &by_x);
}

bool translate_vector(struct translator *t, const struct insn *in) {
    return is_vopd(in->format->id) ? translate_dual(t, in) : translate_operation(t, in, in->row, NULL);
}

// ---- DS operations that exchange lanes without memory ----

bool translate_exchange(struct translator *t, const struct insn *in, const struct body *body) {
    const struct code_facts *f = t->facts;
    struct operand dst = insn_operand(f->isa, in, in->row->dst[0], f->wave32);
    uint32_t d = destination_offset(t, dst.code, 1);
    if (d == UINT32_MAX) return true;
    struct op *op = emit_op(t, body->fn[0]);
    op->d = d;
    uint32_t *slots[] = {&op->a, &op->b};
    for (int i = 0; i < 2 && in->row->src[i].type; i++) {
        struct operand o = insn_operand(f->isa, in, in->row->src[i], f->wave32);
        *slots[i] = source_offset(t, o.code, T_B32, 1);
    }
    op->e = (uint32_t)(in->f[F_offset0] | in->f[F_offset1] << 8) & 0xffff;
    op->imm = has(f->processor, CAP_permute_32) && !f->wave32; // TRAP-244 to TRAP-246
    return true;
}
