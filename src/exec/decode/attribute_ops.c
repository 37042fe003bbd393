// SPDX-License-Identifier: MIT
// Interpolation of attributes whose parameters are in LDS, and loads of those: M0 says where.
#include "exec/decode/attribute_ops.h"

#include "exec/body/body.h"
#include "exec/body/flags.h"
#include "exec/body/steps.h"

enum { PARAMETERS_AT, FACTOR_AT = 3, ADDEND_AT, RESULT_AT }; // temporaries

static uint32_t attribute(const struct insn *in) {
    return ((uint32_t)in->f[F_attr] & PARAMETER_ATTRIBUTE) | ((uint32_t)in->f[F_attrchan] & 3)
                                                                 << PARAMETER_CHANNEL_SHIFT;
}

bool translate_parameter_load(struct translator *t, const struct insn *in, const struct body *body) {
    const uint32_t d = destination_offset(t, insn_vgpr(in, F_vdst), 1);
    struct op *op = d != UINT32_MAX ? emit_op(t, body->fn[0]) : NULL;
    if (!op) return true;
    op->d = d;
    op->a = sgpr_offset(t->facts->m0);
    op->e = in->row->src[0].type == T_ATTR ? attribute(in) : 0;
    return true;
}

// Source number n of the long form, with its sign bits.
static uint32_t source(struct translator *t, const struct insn *in, unsigned code, unsigned n, bool half,
                       unsigned temp) {
    const struct steps *steps = t->facts->steps;
    const bool is_long = in->format->id == FMT_VOP3I;
    const unsigned absolute = is_long ? (unsigned)in->f[F_abs] >> n & 1 : 0,
                   negate = is_long ? (unsigned)in->f[F_neg] >> n & 1 : 0;
    uint32_t at = source_offset(t, code, T_B32, 1);
    if (half && in->f[F_high]) {
        struct op *op = emit_op(t, steps->shift_high);
        if (op) op->a = at, op->d = at = temp_offset(temp);
    }
    if (!absolute && !negate) return at;
    struct op *op = emit_op(t, half ? steps->modify_f16 : steps->modify_f32);
    if (!op) return at;
    op->a = at, op->d = temp_offset(temp);
    op->e = (absolute ? SIGN_ABS : 0) | (negate ? SIGN_NEG : 0);
    return op->d;
}

static void finish(struct translator *t, const struct insn *in, uint32_t d, bool half) {
    const struct steps *steps = t->facts->steps;
    const bool ieee = has(t->facts->processor, CAP_ieee_mode);
    if (in->format->id != FMT_VOP3I) return;
    if (in->f[F_omod] && in->row->flags & ROW_OMOD) {
        struct op *op = emit_op(t, half ? steps->omod_f16 : steps->omod_f32);
        if (op) op->a = op->d = d, op->e = (uint32_t)in->f[F_omod] | (ieee ? 0u : (uint32_t)OMOD_ALWAYS);
    }
    if (!in->f[F_clamp]) return;
    struct op *op = emit_op(t, half ? steps->clamp_f16 : steps->clamp_f32);
    if (op) op->a = op->d = d, op->e = ieee ? 0 : CLAMP_NAN;
}

bool translate_interpolation(struct translator *t, const struct insn *in, const struct body *body) {
    const struct row *row = in->row;
    static const uint8_t chosen[] = {1, 2, 0, 0}; // P10, P20, P0
    const bool is_short = in->format->id == FMT_VINTRP, halves = row->dst[0].type != T_F32;
    const bool moves = row->src[0].type == T_INTERP, adds = row->src[2].field == F_src2 && row->src[2].type;
    const bool half_result = body->pair;
    if (t->gpr_index) {
        t->gap = "attributes where VGPRs are named relative to M0";
        return false;
    }
    const uint32_t final = destination_offset(t, insn_vgpr(in, F_vdst), 1);
    if (final == UINT32_MAX) return true;
    struct op *op = emit_op(t, t->facts->steps->parameters);
    if (!op) return true;
    op->a = sgpr_offset(t->facts->m0);
    op->d = temp_offset(PARAMETERS_AT);
    op->e = attribute(in) | (halves ? PARAMETER_HALF | (in->f[F_high] ? PARAMETER_HIGH : 0) : 0);
    const unsigned code = (unsigned)in->f[is_short ? F_vsrc : F_src1];
    const uint32_t factor = moves ? 0 : source(t, in, code, 1, false, FACTOR_AT);
    const uint32_t added = adds ? source(t, in, (unsigned)in->f[F_src2], 2, !half_result, ADDEND_AT) : final;
    const bool merges = body->pair == HALF_INTO_REGISTER && insn_has(in, F_op_sel);
    const uint32_t d = merges ? temp_offset(RESULT_AT) : final;
    if (!(op = emit_op(t, body->fn[0]))) return true;
    op->a = factor, op->b = temp_offset(PARAMETERS_AT), op->c = added, op->d = d;
    op->e = moves ? chosen[code & 3] : 0;
    finish(t, in, d, half_result);
    if (merges && (op = emit_op(t, t->facts->steps->merge_low))) op->a = d, op->d = final;
    return true;
}
