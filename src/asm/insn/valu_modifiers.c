// SPDX-License-Identifier: MIT
// What follows the operands of vector ALU instructions: DPP and SDWA words, op_sel and its relatives, output
// modifiers, the controls of matrix operations.
#include "asm/insn/valu.h"

#include "isa/names.h"

static bool fit_dpp_control(struct fit *f) {
    static const struct {
        uint8_t id;
        uint16_t base;
        int8_t lo, hi;
        uint8_t needs; // 0: always, 1: before GFX10, 2: row_share, 3: row_newbcast
    } controls[] = {
        {M_row_shl, 0x100, 1, 15, 0},      {M_row_shr, 0x110, 1, 15, 0},   {M_row_ror, 0x120, 1, 15, 0},
        {M_wave_shl, 0x12f, 1, 1, 1},      {M_wave_rol, 0x133, 1, 1, 1},   {M_wave_shr, 0x137, 1, 1, 1},
        {M_wave_ror, 0x13b, 1, 1, 1},      {M_row_share, 0x150, 0, 15, 2}, {M_row_xmask, 0x160, 0, 15, 2},
        {M_row_newbcast, 0x150, 0, 15, 3},
    };
    const struct isa *isa = f->isa;
    int32_t *out = &f->in.f[F_dpp_ctrl];
    const struct modifier *m, *first = NULL;
    unsigned given = 0;
    if ((m = take_modifier(f, M_quad_perm))) {
        if (m->count != 4) return fit_refuse(f, m->at, "quad_perm must have 4 elements");
        *out = (int32_t)m->value;
        first = m, given++;
    }
    if ((m = take_modifier(f, M_row_mirror))) *out = 0x140, first = m, given++;
    if ((m = take_modifier(f, M_row_half_mirror))) *out = 0x141, first = m, given++;
    if ((m = take_modifier(f, M_row_bcast))) {
        if (isa->row_share || (m->value != 15 && m->value != 31))
            return fit_refuse(f, m->start,
                              isa->row_share ? "row_bcast is not supported on this GPU"
                                             : "row_bcast must be 15 or 31");
        *out = m->value == 15 ? 0x142 : 0x143;
        first = m, given++;
    }
    for (unsigned i = 0; i < sizeof controls / sizeof *controls; i++) {
        if (!(m = take_modifier(f, controls[i].id))) continue;
        bool ok = controls[i].needs == 0 || (controls[i].needs == 1 && !isa->row_share) ||
                  (controls[i].needs == 2 && isa->row_share) || (controls[i].needs == 3 && isa->row_newbcast);
        if (!ok)
            return fit_refuse(f, m->start, "%s is not supported on this GPU", modifier_names[controls[i].id]);
        int32_t n = 0;
        if (!fit_int(f, controls[i].id, controls[i].lo, controls[i].hi, &n)) return false;
        *out = controls[i].base + n;
        first = m, given++;
    }
    if (given > 1) return fit_refuse(f, first->start, "only one DPP control may be given");
    if (!given) return fit_refuse(f, f->st->end, "a DPP control is missing");
    if (f->row->flags & ROW_DPP64 && !(*out >= 0x150 && *out < 0x160) && isa->dpp64 == 2)
        return fit_refuse(f, first->start, "DP ALU dpp only supports row_newbcast");
    return true;
}

bool fit_dpp(struct fit *f) {
    int32_t bound = 0, fi = 0;
    bool has_fi = f->isa->formats[FMT_DPP16]->present[F_fi >> 6] >> (F_fi & 63) & 1;
    if (f->in.suffix == SUFFIX_DPP8) {
        const struct modifier *m = take_modifier(f, M_dpp8);
        if (!m || m->count != 8) return fit_refuse(f, m ? m->at : f->st->end, "dpp8 must have 8 elements");
        f->in.f[F_dpp8] = (int32_t)m->value;
        if (!fit_int(f, M_fi, 0, 1, &fi)) return false;
        f->in.dpp8_fi = fi;
        return true;
    }
    f->in.f[F_row_mask] = f->in.f[F_bank_mask] = 15;
    if (!fit_dpp_control(f) || !fit_int(f, M_row_mask, 0, 15, &f->in.f[F_row_mask]) ||
        !fit_int(f, M_bank_mask, 0, 15, &f->in.f[F_bank_mask]) || !fit_int(f, M_bound_ctrl, 0, 1, &bound))
        return false;
    // bound_ctrl:0 is the old spelling of the bit; from GFX11 on the number is the bit.
    if (take_modifier(f, M_bound_ctrl)) f->in.f[F_bound_ctrl] = bound || !f->isa->bound_ctrl_bit;
    return !has_fi || fit_int(f, M_fi, 0, 1, &f->in.f[F_fi]);
}

static bool fit_choice(struct fit *f, enum modifier_id id, const char *const *names, int count,
                       int32_t *out) {
    const struct modifier *m = take_modifier(f, id);
    if (!m) return true;
    if (!m->is_text) {
        if (m->value < 0 || m->value >= count)
            return fit_refuse(f, m->at, "invalid %s value", modifier_names[id]);
        *out = (int32_t)m->value;
        return true;
    }
    for (int i = 0; i < count; i++)
        if (text_is(m->at, m->end, names[i])) {
            *out = i;
            return true;
        }
    return fit_refuse(f, m->at, "invalid %s value", modifier_names[id]);
}

bool fit_sdwa(struct fit *f) {
    static const char *const selects[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                          "WORD_0", "WORD_1", "DWORD"};
    static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
    int32_t *v = f->in.f;
    bool second = insn_has(&f->in, F_src1), first = f->row->src[0].type;
    if (f->in.format->id != FMT_VOPC && (f->row->dst[0].type || f->row->dst[1].type)) {
        v[F_dst_sel] = 6, v[F_dst_unused] = f->row->flags & ROW_BYTE_SEL ? 0 : 2;
        if (!fit_choice(f, M_dst_sel, selects, 7, &v[F_dst_sel]) ||
            !fit_choice(f, M_dst_unused, unused, 3, &v[F_dst_unused]))
            return false;
    }
    if (first) v[F_src0_sel] = 6;
    if (second) v[F_src1_sel] = 6;
    return (!first || fit_choice(f, M_src0_sel, selects, 7, &v[F_src0_sel])) &&
           (!second || fit_choice(f, M_src1_sel, selects, 7, &v[F_src1_sel]));
}

static bool fit_omod(struct fit *f) {
    const struct modifier *mul = take_modifier(f, M_mul), *div = take_modifier(f, M_div);
    if (mul) {
        if (mul->value != 1 && mul->value != 2 && mul->value != 4)
            return fit_refuse(f, mul->at, "mul must be 1, 2 or 4");
        f->in.f[F_omod] = (int32_t)mul->value >> 1;
    }
    if (div) {
        if (div->value != 1 && div->value != 2) return fit_refuse(f, div->at, "div must be 1 or 2");
        f->in.f[F_omod] = div->value == 2 ? 3 : 0;
    }
    return true;
}

// A bit for each of n sources; LLVM passes over further ones, up to four.
static bool fit_sources(struct fit *f, enum modifier_id id, unsigned n, int32_t *out) {
    if (!fit_bits(f, id, 4, out)) return false;
    if (take_modifier(f, id)) *out &= (1 << n) - 1;
    return true;
}

// Halves that are named have said already what op_sel says: it has to say the same. It may say it alone.
static bool halves_agree(struct fit *f, int32_t sel, unsigned n) {
    for (unsigned bit = 0; bit < 4; bit++)
        if (f->half[bit] && f->half[bit]->half &&
            (sel >> (bit == 3 ? n : bit) & 1) != (f->in.f[F_op_sel] >> bit & 1))
            return refuse_operand(f, f->half_field[bit], f->half[bit], "the half that op_sel chooses");
    return true;
}

static bool fit_op_sel(struct fit *f) {
    uint64_t flags = f->row->flags;
    int32_t *sel = &f->in.f[F_op_sel], v = 0;
    unsigned n = source_count(f->row);
    if (flags & ROW_SCALE_SEL) return fit_int(f, M_scale_sel, 0, 15, sel);
    if (flags & ROW_SWAP_SEL) {
        int32_t fi = 0;
        if (!fit_int(f, M_bound_ctrl, 0, 1, &v) || !fit_int(f, M_fi, 0, 1, &fi)) return false;
        *sel = v << 1 | fi;
        return true;
    }
    if (flags & ROW_BYTE_SEL && f->isa->byte_sel) {
        if (!fit_int(f, M_byte_sel, 0, 3, &v)) return false;
        *sel |= (v & 1) << 1 | v >> 1;
        v = 0;
        if (operand_bits[f->row->dst[0].type] != 16)
            return true; // else op_sel chooses the half of the result
        if (!fit_sources(f, M_op_sel, 2, &v)) return false;
        if (v & 1) return fit_refuse(f, take_modifier(f, M_op_sel)->at, "op_sel: src0 must be 0");
        *sel |= v >> 1 << 3;
        return true;
    }
    if (flags & ROW_PAIR_SEL) {
        if (!fit_bits(f, M_op_sel, 2, &v)) return false;
        *sel |= v;
        return true;
    }
    bool halves = f->isa->halves_named && !f->plain, word = flags & ROW_WORD_SEL && f->isa->byte_sel;
    if (!word && !takes_op_sel(f->isa, f->row, f->in.two_forms, halves)) {
        if (!f->plain || !take_modifier(f, M_op_sel)) return true;
        unsigned bit = 0;
        while (bit < 3 && !f->half[bit]) bit++;
        if (!f->half[bit]) return true;
        return refuse_operand(f, f->half_field[bit], f->half[bit],
                              "a register with .l or .h where op_sel is given");
    }
    if (flags & ROW_SEL4 && f->isa->byte_sel) {
        if (!fit_int(f, M_byte_sel, 0, 3, &v)) return false;
        *sel |= v << 2;
        v = 0;
        if (operand_bits[f->row->src[0].type] != 16) return true;
        if (!fit_sources(f, M_op_sel, 1, &v)) return false;
        *sel |= v;
        return true;
    }
    if (flags & ROW_SEL4) {
        if (!fit_bits(f, M_op_sel, 4, &v)) return false;
        *sel |= v;
        return true;
    }
    if (!fit_sources(f, M_op_sel, n + 1, &v)) return false; // and the result
    if (flags & ROW_PACKED && v & 3)                        // which choose halves of what is read whole
        return fit_refuse(f, take_modifier(f, M_op_sel)->at, "op_sel: src0 and src1 must be 0");
    if (v && !halves_agree(f, v, n)) return false;
    *sel |= (v & ((1 << n) - 1)) | (v >> n & 1) << 3;
    return true;
}

static bool fit_vop3_modifiers(struct fit *f) {
    uint64_t flags = f->row->flags;
    if (flags & ROW_BITOP3) {
        int32_t table = 0;
        if (!fit_int(f, M_bitop3, 0, 255, &table)) return false;
        f->in.f[F_neg] = table & 7;
        f->in.f[F_abs] = table >> 3 & 7;
        f->in.f[F_omod] = table >> 6;
    }
    if (insn_has(&f->in, F_op_sel) && !fit_op_sel(f)) return false;
    bool sdwa = f->in.suffix == SUFFIX_SDWA;
    if (flags & ROW_E5M3 && takes_clamp(f->isa, f->row)) fit_flag(f, M_clamp, &f->in.f[F_clamp]);
    if (f->isa->byte_sel && flags & (ROW_BYTE_SEL | ROW_WORD_SEL)) return true;
    // SDWA has no omod before GFX9.
    bool clamp = sdwa ? flags & (ROW_CLAMP | ROW_SEXT | ROW_ABSNEG) && clamps(f->isa, f->row)
                      : insn_has(&f->in, F_clamp) && takes_clamp(f->isa, f->row);
    if (clamp) fit_flag(f, M_clamp, &f->in.f[F_clamp]);
    return !(flags & ROW_OMOD) || flags & ROW_BITOP3 || (sdwa && !f->isa->sdwa_omod) || fit_omod(f);
}

// ---- Matrices of GFX12.5 ----

static const char *const matrix_formats[] = {"MATRIX_FMT_FP8", "MATRIX_FMT_BF8", "MATRIX_FMT_FP6",
                                             "MATRIX_FMT_BF6", "MATRIX_FMT_FP4"};

bool fit_matrix_formats(struct fit *f) {
    return fit_choice(f, M_matrix_a_fmt, matrix_formats, 5, &f->in.f[F_op_sel]) &&
           fit_choice(f, M_matrix_b_fmt, matrix_formats, 5, &f->in.f[F_op_sel_hi]);
}

// The rows, formats and reuse of scales, in the fields that the prefix has for them.
static bool fit_scales(struct fit *f, int32_t *sel, int32_t *sel_hi, int32_t *fmt, int32_t *fmt_hi) {
    static const char *const rows[] = {"MATRIX_SCALE_ROW0", "MATRIX_SCALE_ROW1"};
    static const char *const formats[] = {"MATRIX_SCALE_FMT_E8", "MATRIX_SCALE_FMT_E5M3",
                                          "MATRIX_SCALE_FMT_E4M3"};
    int32_t a = 0, b = 0;
    if (!fit_choice(f, M_matrix_a_scale, rows, 2, sel) || !fit_choice(f, M_matrix_b_scale, rows, 2, sel_hi) ||
        !fit_choice(f, M_matrix_a_scale_fmt, formats, 3, fmt) ||
        !fit_choice(f, M_matrix_b_scale_fmt, formats, 3, fmt_hi))
        return false;
    fit_flag(f, M_matrix_a_reuse, &a);
    fit_flag(f, M_matrix_b_reuse, &b);
    *sel |= a << 2;
    *sel_hi |= b << 2;
    return true;
}

static bool fit_matrix_modifiers(struct fit *f) {
    int32_t *v = f->in.f, a = 0, b = 0;
    const struct row *row = f->row;
    bool formats = row->src[0].type == T_MATRIX, scaled = f->in.format->id != FMT_VOP3P;
    if (row->class == CLASS_LD_SCALE)
        return fit_scales(f, &v[F_op_sel], &v[F_op_sel_hi], &v[F_neg], &v[F_neg_hi]);
    if (scaled && !fit_scales(f, &v[F_scale_sel], &v[F_scale_sel_hi], &v[F_scale_fmt], &v[F_scale_fmt_hi]))
        return false;
    if (!formats && !scaled) v[F_op_sel_hi] = 3;
    if (row->src[0].type == T_B512 && row->class == CLASS_WMMA && operand_dwords[row->dst[0].type] == 16)
        v[F_op_sel_hi] = 7; // f4, whose operands nothing reads again
    else if (!formats) {
        fit_flag(f, M_matrix_a_reuse, &a);
        fit_flag(f, M_matrix_b_reuse, &b);
        if (row->class == CLASS_SWMMAC && row->key[0] && !fit_int(f, M_index_key, 0, 1, &v[F_op_sel]))
            return false;
        v[F_op_sel] |= a << 2;
        v[F_op_sel_hi] |= b << 2;
    }
    int lo, hi;
    reused_signs(row, &lo, &hi);
    if (!fit_sources(f, M_neg_lo, 3, &v[F_neg]) || !fit_sources(f, M_neg_hi, 3, &v[F_neg_hi])) return false;
    if (v[F_neg] & ~lo)
        return fit_refuse(f, take_modifier(f, M_neg_lo)->at, "neg_lo: not every operand takes it");
    if (v[F_neg_hi] & ~hi)
        return fit_refuse(f, take_modifier(f, M_neg_hi)->at, "neg_hi: not every operand takes it");
    if (row->flags & ROW_CLAMP) fit_flag(f, M_clamp, &v[F_clamp]);
    return true;
}

static bool fit_packed_modifiers(struct fit *f) {
    if (is_reusing(f->isa, f->row)) return fit_matrix_modifiers(f);
    int32_t *v = f->in.f;
    unsigned n = source_count(f->row);
    bool mix = is_mix(f->row->src[0].type);
    v[F_op_sel_hi] = mix ? 0 : 7; // also for sources that are not there
    if (f->row->class == CLASS_SWMMAC &&
        !fit_int(f, M_index_key, 0, (1 << f->row->key[!f->st->mode->wave32]) - 1, &v[F_op_sel]))
        return false;
    if (f->row->flags & ROW_OPSEL && !fit_sources(f, M_op_sel, n, &v[F_op_sel])) return false;
    if (f->row->flags & ROW_OPSEL_HI) {
        int32_t hi = v[F_op_sel_hi];
        if (!fit_sources(f, M_op_sel_hi, n, &hi)) return false;
        if (f->isa->dot2_whole && f->row->class == CLASS_DOT2 && (v[F_op_sel] || hi != 7))
            return fit_refuse(f, f->st->name, "op_sel and op_sel_hi are not supported");
        v[F_op_sel_hi] = (hi & ((1 << n) - 1)) | (mix ? 0 : 7 & ~((1 << n) - 1));
    }
    if (f->isa->vgpr_msb && f->row->src[0].type == T_V2F32)
        for (unsigned i = 0; i < n; i++) // one SGPR is both halves
            if (v[F_src0 + i] < SRC_ZERO && (v[F_op_sel] | v[F_op_sel_hi]) >> i & 1)
                return refuse_operand(f, (enum field)(F_src0 + i), &f->st->operand[i + 1],
                                      "a VGPR pair, or an SGPR pair without op_sel and op_sel_hi,");
    if (!mix && f->row->flags & ROW_PACKED &&
        (!fit_sources(f, M_neg_lo, n, &v[F_neg]) || !fit_sources(f, M_neg_hi, n, &v[F_neg_hi])))
        return false;
    int lo = 7, hi = 7;
    if (f->isa->matrix_signs) packed_signs(f->row, &lo, &hi);
    if (v[F_neg] & ~lo)
        return fit_refuse(f, take_modifier(f, M_neg_lo)->at, "neg_lo: not every operand takes it");
    if (v[F_neg_hi] & ~hi)
        return fit_refuse(f, take_modifier(f, M_neg_hi)->at, "neg_hi: not every operand takes it");
    bool matrix = f->row->class == CLASS_WMMA || f->row->class == CLASS_SWMMAC;
    if (f->row->flags & (matrix ? ROW_CLAMP : ROW_CLAMP | ROW_OPSEL)) fit_flag(f, M_clamp, &v[F_clamp]);
    return true;
}

static bool fit_mai_modifiers(struct fit *f) {
    int32_t *v = f->in.f;
    if (f->row->class == CLASS_ACC_MOVE) { // bits that LLVM sets
        v[F_abid] = 8;
        v[F_acc] |= 3;
        return true;
    }
    if (f->in.scaled) { // the prefix chooses bytes of the scales
        v[F_abid] = 1;
        if (!fit_bits(f, M_op_sel, 3, &v[F_scale_sel]) || !fit_bits(f, M_op_sel_hi, 3, &v[F_scale_sel_hi]))
            return false;
    } else if (!fit_int(f, M_abid, 0, 15, &v[F_abid]))
        return false;
    if (!fit_int(f, M_cbsz, 0, 7, &v[F_cbsz])) return false;
    if (f->row->src[2].type != f->row->dst[0].type) return true; // sparse: no blgp
    if (f->row->flags & ROW_NEG_BLGP && f->isa->mfma_negates) return fit_bits(f, M_neg, 3, &v[F_blgp]);
    return fit_int(f, M_blgp, 0, 7, &v[F_blgp]);
}

bool fit_modifiers(struct fit *f) {
    switch (f->in.format->id) {
    case FMT_VOP3:
    case FMT_VOP3B:
    case FMT_VOP3S: return fit_vop3_modifiers(f);
    case FMT_VOP3I: // halves of attributes, for results of 16 bits
        if (f->row->dst[0].type != T_F32 || f->row->src[2].type) fit_flag(f, M_high, &f->in.f[F_high]);
        return fit_vop3_modifiers(f);
    case FMT_VINTERP:
        fit_flag(f, M_clamp, &f->in.f[F_clamp]);
        return fit_op_sel(f) && fit_int(f, M_wait_exp, 0, 7, &f->in.f[F_waitexp]);
    case FMT_WMMA_SCALE:
    case FMT_WMMA_SCALE16:
    case FMT_VOP3P: return fit_packed_modifiers(f);
    case FMT_MAI: return fit_mai_modifiers(f);
    case FMT_LDSDIR:
        if (!insn_has(&f->in, F_waitvsrc)) return fit_int(f, M_wait_vdst, 0, 15, &f->in.f[F_waitvdst]);
        return fit_int(f, M_wait_va_vdst, 0, 15, &f->in.f[F_waitvdst]) &&
               fit_int(f, M_wait_vm_vsrc, 0, 1, &f->in.f[F_waitvsrc]);
    default: return f->in.suffix != SUFFIX_SDWA || fit_vop3_modifiers(f);
    }
}
