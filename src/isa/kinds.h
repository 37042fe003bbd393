// SPDX-License-Identifier: MIT
// Small questions about operands and formats that decoding, checking, printing and assembling all ask.
#ifndef ISA_KINDS_H
#define ISA_KINDS_H

#include "isa/isa.h"

static inline bool is_float(enum operand_type t) {
    switch (t) {
    case T_F16:
    case T_BF16:
    case T_F32:
    case T_F64:
    case T_MIX:
    case T_MIXB:
    case T_V2F16:
    case T_V2BF16:
    case T_V2F32: return true;
    default: return false;
    }
}

// Whether a source takes neg and abs where its encoding has them: floats, and both choices of v_cndmask.
static inline bool takes_sign(const struct row *row, enum operand_type t) {
    return is_float(t) || (row->class == CLASS_SELECT && t != T_MASK);
}

// One 16-bit value, which on some processors lies in a named half of a register.
static inline bool is_half(enum operand_type t) {
    return t == T_F16 || t == T_BF16 || t == T_I16 || t == T_U16 || t == T_B16;
}

// Bytes of a plain memory access.
static inline unsigned access_size(enum access access) {
    static const uint8_t bytes[] = {
        [ACCESS_U8] = 1,      [ACCESS_I8] = 1,        [ACCESS_U16] = 2,       [ACCESS_I16] = 2,
        [ACCESS_B32] = 4,     [ACCESS_B64] = 8,       [ACCESS_B96] = 12,      [ACCESS_B128] = 16,
        [ACCESS_B256] = 32,   [ACCESS_B512] = 64,     [ACCESS_D16_U8] = 1,    [ACCESS_D16_I8] = 1,
        [ACCESS_D16_B16] = 2, [ACCESS_D16_HI_U8] = 1, [ACCESS_D16_HI_I8] = 1, [ACCESS_D16_HI_B16] = 2,
    };
    return access < sizeof bytes ? bytes[access] : 0;
}

// SRC_SHARED_BASE and its kin: numbers that are read, not registers.
static inline bool is_aperture(unsigned code) { return code >= 235 && code < 240; }

// F32, or a half that op_sel chooses.
static inline bool is_mix(enum operand_type t) { return t == T_MIX || t == T_MIXB; }

// Matrices, with the scales that an instruction of twice the length names, or without.
static inline bool is_packed_format(unsigned format) {
    return format == FMT_VOP3P || format == FMT_WMMA_SCALE || format == FMT_WMMA_SCALE16;
}

static inline bool is_vopd(unsigned format) { return format == FMT_VOPD || format == FMT_VOPD3; }

// Whether the operation clamps here, if it does at all.
static inline bool clamps(const struct isa *isa, const struct row *row) {
    enum operand_type result = row->dst[0].type;
    return isa->integers_clamp || is_float(result) ||
           (row->flags & ROW_OMOD && result != T_I32 && result != T_U32);
}

// Whether source n is the set of classes of V_CMP_CLASS_F16 where registers have no halves: an operand of 32
// bits, though its inline constants are spelled as those of F16 (TRAP-465).
static inline bool is_class_set(const struct isa *isa, const struct row *row, int n) {
    return n == 1 && row->class == CLASS_CLASSIFY && row->src[1].type == T_F16 && !isa->true16;
}

// Whether it takes no DPP here, though it does elsewhere.
static inline bool loses_dpp(const struct isa *isa, const struct row *row) {
    if (isa->vgpr_msb && operand_bits[row->src[0].type] == 64) return true; // v_fmac_f64
    return !isa->nop_dpp && (row->class == CLASS_PK_FMAC || row->class == CLASS_NOP);
}

// `halves`: names of halves are used.
static inline bool takes_op_sel(const struct isa *isa, const struct row *row, bool two_forms, bool halves) {
    if (row->flags & ROW_OPSEL && !(two_forms && !halves))
        return halves || isa->small_integers_select ||
               row->class != CLASS_SMALL_INTEGER;            // but names of halves set it
    if (!halves || row->class == CLASS_SELECT) return false; // v_cndmask_b16: .l and .h say it
    for (int i = 0; i < ROW_SRC; i++)
        if (row->src[i].type && operand_bits[row->src[i].type] == 16) return true;
    return operand_bits[row->dst[0].type] == 16;
}

// In a long encoding.
static inline bool takes_clamp(const struct isa *isa, const struct row *row) {
    if (row->class == CLASS_SMALL_INTEGER) return isa->small_integers_clamp;
    if (row->flags & ROW_E5M3 && isa->byte_sel) return isa->e5m3;
    bool has_op_sel = isa->formats[FMT_VOP3]->present[F_op_sel >> 6] >> (F_op_sel & 63) & 1;
    return row->flags & ROW_CLAMP && clamps(isa, row) && (has_op_sel || row->class != CLASS_ALIGN);
}

// A large accumulator is the result's registers or lies apart from them.
static inline bool matrix_overlap(const struct insn *in) {
    const struct row *row = in->row;
    int d = in->f[F_vdst] & 255, s = in->f[F_src2], n = operand_dwords[row->dst[0].type];
    if (row->src[2].type != row->dst[0].type || row->src[0].type == T_F8F6F4 || n <= 4 || s < SRC_VGPR0)
        return false;
    s &= 255;
    return s != d && s < d + n && d < s + n;
}

static inline int source_number(enum field field) {
    return field == F_src0 ? 0 : field == F_src1 ? 1 : field == F_src2 ? 2 : -1;
}

// Numbered sources, which modifier lists span.
static inline unsigned source_count(const struct row *row) {
    unsigned n = 0;
    for (int i = 0; i < ROW_SRC; i++) {
        int k = row->src[i].type ? source_number(row->src[i].field) : -1;
        if (k >= 0 && (unsigned)k + 1 > n) n = (unsigned)k + 1;
    }
    return n;
}

// Which sources of a packed row take neg_lo and neg_hi on GFX12: integer ones say by neg_lo whether they are
// signed, 8-bit floats have no sign to change but that of C (TRAP-192, TRAP-223).
static inline void packed_signs(const struct row *row, int *lo, int *hi) {
    bool matrix = row->class == CLASS_WMMA || row->class == CLASS_SWMMAC, bytes = row->flags & ROW_FP8;
    bool wide = operand_bits[row->src[0].type] == 32 && row->flags & ROW_CLAMP;
    *lo = *hi = 7;
    if (!matrix && row->class != CLASS_DOT4_FP8) return;
    bool integers = row->flags & ROW_CLAMP;
    int c = row->class == CLASS_SWMMAC || (matrix && integers) ? 0 : 4, ab = bytes ? 0 : 3;
    *lo = wide ? 3 : ab | c;
    *hi = wide || (matrix && integers) ? 0 : ab | c;
}

// The same on GFX12.5: of floats wider than 8 bits all have a sign; of the others that of C alone.
static inline void reused_signs(const struct row *row, int *lo, int *hi) {
    bool sparse = row->class == CLASS_SWMMAC;
    if (row->flags & ROW_CLAMP) {
        *lo = 3, *hi = 0;
        return;
    }
    *lo = *hi = (row->flags & ROW_FP8 ? 0 : 3) | (sparse ? 0 : 4);
}

// Which sources of half of a VOPD of three dwords take neg.
static inline int vopd_signs(const struct row *row) {
    int signs = 0;
    for (int i = 0; i < ROW_SRC; i++) {
        int n = row->src[i].type ? source_number(row->src[i].field) : -1;
        if (n >= 0 && takes_sign(row, row->src[i].type) && row->flags & ROW_ABSNEG) signs |= 1 << n;
    }
    return signs;
}

// The VGPR that half of a VOPD reads at a place: src0, what follows it, or a third source, which may be the
// destination's old value. 0: none.
static inline int vopd_vgpr(const struct row *row, const int32_t *f, int place, bool second) {
    int n = 0;
    for (int i = 0; i < ROW_SRC && row->src[i].type; i++) {
        struct operand_spec s = row->src[i];
        if (s.type == T_MASK || n++ != place) continue;
        enum field field = s.field == row->dst[0].field ? second ? F_vdsty : F_vdstx
                           : s.field == F_src0          ? second ? F_src0y : F_src0x
                           : s.field == F_src1          ? second ? F_src1y : F_src1x
                           : s.field == F_src2          ? second ? F_src2y : F_src2x
                                                        : F_literal;
        if (s.field == F_src2) return f[field] | SRC_VGPR0;
        return field != F_literal && f[field] >= SRC_VGPR0 ? f[field] : 0;
    }
    return 0;
}

// The dwords of the operand at that place of half of a VOPD.
static inline unsigned vopd_dwords(const struct row *row) { return operand_dwords[row->dst[0].type]; }

static inline bool vopd_same_bank(int a, unsigned wide_a, int b, unsigned wide_b, int mask) {
    return !((a ^ b) & mask) || (wide_a > 1 && !(((a + 1) ^ b) & mask)) ||
           (wide_b > 1 && !((a ^ (b + 1)) & mask));
}

// The first source for which the halves of a VOPD need the same bank of registers, or -1 (TRAP-019).
static inline int vopd_clash(const struct isa *isa, const struct insn *in) {
    const struct row *x = in->row, *y = in->row_y;
    bool same_allowed = isa->vopd_shared_reads, wide = in->format->id == FMT_VOPD3;
    bool moves = same_allowed && !x->src[1].type && !y->src[1].type;
    for (int i = moves ? 1 : 0; i < 3; i++) {
        int a = vopd_vgpr(x, in->f, i, false), b = vopd_vgpr(y, in->f, i, true);
        bool same =
            same_allowed && a == b && (i < 2 || isa->vgpr_msb) && (!wide || vopd_dwords(x) == vopd_dwords(y));
        if (a && b &&
            vopd_same_bank(a, wide ? vopd_dwords(x) : 1, b, wide ? vopd_dwords(y) : 1,
                           i == 2 && !wide ? 1 : 3) &&
            !same)
            return i;
    }
    return -1;
}

// Vector encodings of two dwords, which on some processors take DPP and literals.
static inline bool is_long(unsigned format) {
    return format == FMT_VOP3 || format == FMT_VOP3B || format == FMT_VOP3S || format == FMT_VOP3P;
}

static inline bool is_short(unsigned format) {
    return format == FMT_VOP1 || format == FMT_VOP2 || format == FMT_VOPC;
}

#endif
