// SPDX-License-Identifier: MIT
// Vector ALU instructions: sources with their modifiers, and what follows the operands.
#include "dis/print.h"
#include "isa/kinds.h"
#include "isa/rules.h"

static bool is_packed(enum operand_type t) { return t == T_V2F16 || t == T_V2B16 || t == T_V2BF16; }

// Whether the source is the destination's old value and so not written out.
static bool is_tied(const struct row *row, struct operand_spec s) {
    return s.type && (s.field == row->dst[0].field || (row->dst[1].type && s.field == row->dst[1].field)) &&
           row->dst[0].type;
}

struct modifiers {
    bool neg, abs, sext;
};

static struct modifiers modifiers_of(const struct printer *p, struct operand_spec s) {
    struct modifiers m = {0};
    const int32_t *f = p->in->f;
    int n = source_number(s.field);
    if (n < 0) return m;
    bool sign = takes_sign(p->row, s.type);
    unsigned format = p->in->format->id;
    if (p->row->flags & ROW_BITOP3) return m;
    bool words = format == FMT_VOP3 || format == FMT_VOP3B || format == FMT_VOP3S || format == FMT_VOP3I ||
                 format == FMT_VINTERP;
    if (p->in->suffix == SUFFIX_SDWA) {
        bool integer = !is_float(s.type) || (n == 1 && p->row->flags & ROW_ABSNEG); // v_ldexp_f16
        if (p->row->flags & ROW_SEXT && integer) m.sext = f[F_sext] >> n & 1;
        m.neg = sign && f[F_sdwa_neg] >> n & 1;
        m.abs = sign && f[F_sdwa_abs] >> n & 1;
    } else if (format == FMT_VOP3P) {
        if (is_mix(s.type)) {
            m.neg = f[F_neg] >> n & 1;
            m.abs = f[F_neg_hi] >> n & 1;
        }
    } else if (words) {
        m.neg = sign && f[F_neg] >> n & 1;
        m.abs = sign && f[F_abs] >> n & 1;
    } else if (p->in->suffix == SUFFIX_DPP16) {
        m.neg = sign && f[F_dpp_neg] >> n & 1;
        m.abs = sign && f[F_dpp_abs] >> n & 1;
    }
    return m;
}

static void put_valu_source(struct printer *p, struct operand_spec s) {
    struct operand o = insn_operand(p->isa, p->in, s, p->wave32);
    if (!o.type) return;
    struct modifiers m = modifiers_of(p, s);
    next_operand(p);
    bool constant = o.code >= SRC_ZERO && o.code < SRC_VGPR0 && !(o.code >= 230 && o.code < 240) &&
                    (o.code < 249 || o.code == SRC_LITERAL);
    bool negate_constant =
        m.neg && constant && !m.abs && !needs_lit(p, &o); // -(1.0), since -1.0 is another constant
    if (negate_constant)
        printer_put(p, "neg(");
    else if (m.neg)
        put_char(p, '-');
    if (m.abs) put_char(p, '|');
    if (m.sext) printer_put(p, "sext(");
    put_msb(p, s.field);
    if (o.code == SRC_LITERAL && is_class_set(p->isa, p->row, source_number(s.field))) o.type = T_B32;
    put_source(p, &o);
    if (m.sext) put_char(p, ')');
    if (m.abs) put_char(p, '|');
    if (negate_constant) put_char(p, ')');
}

static void put_op_sel(struct printer *p) {
    const int32_t *f = p->in->f;
    unsigned n = source_count(p->row), sel = (unsigned)f[F_op_sel];
    if (p->row->flags & ROW_SCALE_SEL) {
        if (sel) put_field(p, "scale_sel", sel);
    } else if (p->row->flags & ROW_SWAP_SEL) {
        if (sel & 2) printer_put(p, " bound_ctrl:1");
        if (sel & 1) printer_put(p, " fi:1");
    } else if (p->row->flags & ROW_BYTE_SEL && p->isa->byte_sel) {
        if (sel & 8 && operand_bits[p->row->dst[0].type] == 16) put_list(p, "op_sel", 2, 2);
        if (sel & 3) put_field(p, "byte_sel", (sel & 1) << 1 | (sel >> 1 & 1));
    } else if (p->row->flags & ROW_PAIR_SEL) {
        if (sel & 3) put_list(p, "op_sel", sel, 2);
    } else if (takes_op_sel(p->isa, p->row, p->in->two_forms, p->isa->halves_named) ||
               (p->row->flags & ROW_WORD_SEL && p->isa->byte_sel)) {
        for (int i = 0; i < ROW_SRC; i++) { // packed sources are read whole
            int k = source_number(p->row->src[i].field);
            if (k >= 0 && is_packed(p->row->src[i].type)) sel &= ~(1u << k);
        }
        if (p->row->flags & ROW_WORD_SEL && p->isa->byte_sel) {
            if (sel & 1) put_list(p, "op_sel", 1, 2);
        } else if (p->row->flags & ROW_SEL4 && sel && p->isa->byte_sel) {
            if (sel & 1) put_list(p, "op_sel", 1, 3);
            if (sel >> 2) put_field(p, "byte_sel", sel >> 2);
        } else if (p->row->flags & ROW_SEL4 && sel)
            put_list(p, "op_sel", sel, 4);
        else if (sel)
            put_list(p, "op_sel", (sel & 7) | (sel >> 3) << n, n + 1);
    }
}

static void put_table(struct printer *p, int table) {
    if (!table) return;
    printer_put(p, " bitop3:");
    if (table < 10)
        put_dec(p, table);
    else
        put_hex(p, (uint64_t)table);
}

static void put_truth_table(struct printer *p) {
    put_table(p, p->in->f[F_neg] | p->in->f[F_abs] << 3 | p->in->f[F_omod] << 6);
}

static void put_vop3_modifiers(struct printer *p) {
    if (p->row->flags & ROW_BITOP3) put_truth_table(p);
    put_op_sel(p);
    put_flag(p, F_clamp, "clamp");
    if (p->row->flags & ROW_BITOP3) return;
    static const char *const omod[] = {"", " mul:2", " mul:4", " div:2"};
    printer_put(p, omod[p->in->f[F_omod] & 3]);
}

// ---- Matrices of GFX12.5 ----

static void put_choice(struct printer *p, const char *label, const char *const *names, int value) {
    if (!value) return;
    put_char(p, ' ');
    printer_put(p, label);
    printer_put(p, names[value]);
}

static void put_reuse(struct printer *p, int sel, int sel_hi) {
    if (sel & 4) printer_put(p, " matrix_a_reuse");
    if (sel_hi & 4) printer_put(p, " matrix_b_reuse");
}

static void put_scales(struct printer *p, int sel, int sel_hi, int fmt, int fmt_hi) {
    static const char *const rows[] = {"ROW0", "ROW1", "ROW2", "ROW3"}, *const formats[] = {"E8", "E5M3",
                                                                                            "E4M3", "3"};
    put_choice(p, "matrix_a_scale:MATRIX_SCALE_", rows, sel & 3);
    put_choice(p, "matrix_b_scale:MATRIX_SCALE_", rows, sel_hi & 3);
    put_choice(p, "matrix_a_scale_fmt:MATRIX_SCALE_FMT_", formats, fmt & 3);
    put_choice(p, "matrix_b_scale_fmt:MATRIX_SCALE_FMT_", formats, fmt_hi & 3);
    put_reuse(p, sel, sel_hi);
}

static void put_matrix_modifiers(struct printer *p) {
    static const char *const formats[] = {"FP8", "BF8", "FP6", "BF6", "FP4", "5", "6", "7"};
    const int32_t *f = p->in->f;
    const struct row *row = p->row;
    if (row->class == CLASS_LD_SCALE) {
        put_scales(p, f[F_op_sel], f[F_op_sel_hi], f[F_neg], f[F_neg_hi]);
        return;
    }
    bool with_formats = row->src[0].type == T_MATRIX, scaled = p->in->format->id != FMT_VOP3P;
    if (with_formats) {
        put_choice(p, "matrix_a_fmt:MATRIX_FMT_", formats, f[F_op_sel]);
        put_choice(p, "matrix_b_fmt:MATRIX_FMT_", formats, f[F_op_sel_hi]);
    }
    if (scaled) put_scales(p, f[F_scale_sel], f[F_scale_sel_hi], f[F_scale_fmt], f[F_scale_fmt_hi]);
    if (row->class == CLASS_SWMMAC && row->key[0] && f[F_op_sel] & 1) put_field(p, "index_key", 1);
    if (!with_formats && !scaled && row->src[0].type != T_B512) put_reuse(p, f[F_op_sel], f[F_op_sel_hi]);
    if (row->src[0].type == T_B512 && operand_dwords[row->dst[0].type] < 16)
        put_reuse(p, f[F_op_sel], f[F_op_sel_hi]);
    if (f[F_neg]) put_list(p, "neg_lo", (unsigned)f[F_neg], 3);
    if (f[F_neg_hi]) put_list(p, "neg_hi", (unsigned)f[F_neg_hi], 3);
    put_flag(p, F_clamp, "clamp");
}

static void put_packed_modifiers(struct printer *p) {
    if (is_reusing(p->isa, p->row)) {
        put_matrix_modifiers(p);
        return;
    }
    const int32_t *f = p->in->f;
    unsigned n = source_count(p->row), all = (1u << n) - 1;
    bool mix = is_mix(p->row->src[0].type);
    unsigned sel = (unsigned)f[F_op_sel] & all, sel_hi = (unsigned)f[F_op_sel_hi] & all;
    if (p->row->class == CLASS_SWMMAC) {
        sel &= (1u << p->row->key[!p->wave32]) - 1;
        if (sel) put_field(p, "index_key", sel);
        sel = 0;
        sel_hi = all;
    }
    if (sel && p->row->flags & ROW_OPSEL) put_list(p, "op_sel", sel, n);
    if (p->row->flags & ROW_OPSEL_HI && sel_hi != (mix ? 0 : all)) put_list(p, "op_sel_hi", sel_hi, n);
    if (!mix) {
        if (f[F_neg] & (int)all) put_list(p, "neg_lo", (unsigned)f[F_neg], n);
        if (f[F_neg_hi] & (int)all) put_list(p, "neg_hi", (unsigned)f[F_neg_hi], n);
    }
    put_flag(p, F_clamp, "clamp");
}

static void put_mai_modifiers(struct printer *p) {
    const int32_t *f = p->in->f;
    if (p->row->class == CLASS_ACC_MOVE) return;
    if (p->in->scaled) {
        next_operand(p);
        put_register(p, (unsigned)f[F_scale0], 1);
        next_operand(p);
        put_register(p, (unsigned)f[F_scale1], 1);
        if (f[F_scale_sel]) put_list(p, "op_sel", (unsigned)f[F_scale_sel], 3);
        put_list(p, "op_sel_hi", (unsigned)f[F_scale_sel_hi], 3);
    }
    if (f[F_cbsz]) put_field(p, "cbsz", f[F_cbsz]);
    if (f[F_abid] && !p->in->scaled) put_field(p, "abid", f[F_abid]);
    if (!f[F_blgp]) return;
    if (p->row->flags & ROW_NEG_BLGP && p->isa->mfma_negates)
        put_list(p, "neg", (unsigned)f[F_blgp], 3);
    else
        put_field(p, "blgp", f[F_blgp]);
}

void print_valu(struct printer *p) {
    const struct row *row = p->row;
    for (int i = 0; i < ROW_DST; i++) {
        struct operand o =
            row->dst[i].type ? insn_operand(p->isa, p->in, row->dst[i], p->wave32) : (struct operand){0};
        if (!o.type) continue;
        next_operand(p);
        put_msb(p, row->dst[i].field);
        put_source(p, &o);
    }
    for (int i = 0; i < ROW_SRC; i++) {
        struct operand_spec s = row->src[i];
        if (!s.type || is_tied(row, s)) continue;
        if (s.field == F_literal) {
            next_operand(p);
            put_operand(p, s);
        } else if (s.type == T_ATTR || s.type == T_INTERP || s.field == F_simm16) {
            next_operand(p);
            put_immediate(
                p, s.type,
                (uint32_t)p->in->f[s.field == F_src1 && p->in->format->id == FMT_VINTRP ? F_vsrc : s.field]);
        } else
            put_valu_source(p, s);
    }
    switch (p->in->format->id) {
    case FMT_VOP3:
    case FMT_VOP3B:
    case FMT_VOP3S: put_vop3_modifiers(p); break;
    case FMT_VOP3I:
        put_flag(p, F_high, "high");
        put_vop3_modifiers(p);
        break;
    case FMT_VINTERP:
        put_flag(p, F_clamp, "clamp");
        put_op_sel(p);
        put_field(p, "wait_exp", p->in->f[F_waitexp]);
        break;
    case FMT_WMMA_SCALE:
    case FMT_WMMA_SCALE16:
    case FMT_VOP3P: put_packed_modifiers(p); break;
    case FMT_MAI: put_mai_modifiers(p); break;
    case FMT_LDSDIR:
        put_field(p, insn_has(p->in, F_waitvsrc) ? "wait_va_vdst" : "wait_vdst", p->in->f[F_waitvdst]);
        if (insn_has(p->in, F_waitvsrc)) put_field(p, "wait_vm_vsrc", p->in->f[F_waitvsrc]);
        break;
    case FMT_VOP1:
    case FMT_VOP2:
    case FMT_VOPC:
        if (p->in->suffix == SUFFIX_SDWA) put_vop3_modifiers(p);
        break;
    default: break;
    }
    put_dpp(p);
    put_sdwa(p);
}

// One half of a VOPD: its operands sit in fields of their own.
static void print_half(struct printer *p, const struct row *row, bool second) {
    printer_put(p, row_dual(row) ? row_dual(row) : row_id(row));
    p->row = row;
    p->later = false;
    struct insn half = *p->in;
    half.row = row;
    if (second) {
        half.f[F_vdstx] = half.f[F_vdsty];
        half.f[F_src0x] = half.f[F_src0y];
        half.f[F_src1x] = half.f[F_src1y];
        half.f[F_src2x] = half.f[F_src2y];
        half.f[F_negx] = half.f[F_negy];
    }
    bool wide = p->in->format->id == FMT_VOPD3;
    const struct insn *whole = p->in;
    p->in = &half;
    next_operand(p);
    put_operand(p, row->dst[0]);
    for (int i = 0; i < ROW_SRC; i++) {
        struct operand_spec s = row->src[i];
        if (!s.type || is_tied(row, s) || (s.type == T_MASK && !wide)) continue;
        if (s.field == F_literal) {
            next_operand(p);
            put_operand(p, s);
            continue;
        }
        struct operand o = insn_operand(p->isa, p->in, s, p->wave32);
        if (!o.type) continue;
        next_operand(p);
        int n = source_number(s.field);
        bool neg = wide && n >= 0 && half.f[F_negx] >> n & 1;
        bool constant = is_inline_constant(o.code) && o.code < SRC_VGPR0;
        if (neg) printer_put(p, constant ? "neg(" : "-");
        put_msb(p, s.field);
        put_source(p, &o);
        if (neg && constant) put_char(p, ')');
    }
    if (wide && row->flags & ROW_BITOP3) put_table(p, half.f[F_src2x]);
    p->in = whole;
}

void print_vopd(struct printer *p) {
    print_half(p, p->in->row, false);
    printer_put(p, " :: ");
    print_half(p, p->in->row_y, true);
}
