// SPDX-License-Identifier: MIT
// Whether a decoded instruction is canonical: whether its text, assembled, gives its bytes again, but for
// bits that belong to no field. Decoding is more lenient, as hardware is. Not canonical are operands that do
// not exist, fields that are not zero though the operation does not use them, modifiers that it does not
// take, and more scalar values than it may read. This file checks ALU instructions, check_memory.c the
// others.
#include "isa/check.h"

#include "isa/constants.h"
#include "isa/rules.h"

// Whether a 16-bit literal has a value that an inline constant of the type has, too.
static bool is_inline(const struct isa *isa, enum operand_type type, int32_t literal) {
    int16_t v = (int16_t)literal;
    if (v >= -16 && v <= 64) return true;
    for (int i = 0; i < 8 + isa->inverse_two_pi; i++)
        if ((type == T_F16 || type == T_MIX) && (uint16_t)v == inline_floats[i].f16) return true;
    for (int i = 0; i < 8 + isa->inverse_two_pi; i++)
        if (type == T_MIXB && (uint16_t)v == inline_floats[i].bf16) return true;
    return false;
}

// Whether it is an integer operand of 16 bits. V_ALIGNBIT's shift count is none before
// GFX11: it reads 16 bits of a dword.
static bool half_integer(const struct isa *isa, const struct row *row, enum operand_type type) {
    return is_half(type) && !is_float(type) &&
           (type != T_B16 || isa->b16_integers || operand_bits[row->dst[0].type] == 16);
}

// A literal of 64 bits is written where one of 32 bits does not do; listings say lit64() where it would.
static bool wide_has_text(const struct insn *in, struct operand_spec spec) {
    const struct row *row = in->row;
    const bool fixed = row->src[1].field == F_literal || row->src[2].field == F_literal;
    const uint32_t high = (uint32_t)in->f[F_literal_hi], low = (uint32_t)in->f[F_literal];
    if (!fixed) return operand_bits[spec.type] == 64;
    // Beside a constant of its own the number is written alone, and small ones are inline constants.
    return spec.field == F_literal || (low ? high || low > 64 : high > 64);
}

// Whether the text of a constant assembles to it. LLVM's does not always; what it would be assembled to
// another encoding is no instruction.
static bool constant_has_text(const struct isa *isa, const struct insn *in, struct operand_spec spec,
                              const struct operand *o) {
    const struct row *row = in->row;
    bool inline_float = o->code >= 240 && o->code <= 248, literal = o->code == SRC_LITERAL;
    if (in->wide_literal && (literal || o->code == SRC_LITERAL64)) return wide_has_text(in, spec);
    if (!inline_float && !literal) return true;
    // Inline constants of scalar F16 compares are printed so that they assemble to a literal. An instruction
    // has room for one, so the other source can be neither such a constant nor a literal.
    if (in->format->id == FMT_SOPC && spec.type == T_F16 && spec.field == F_ssrc1 &&
        (in->f[F_ssrc0] == SRC_LITERAL || (in->f[F_ssrc0] >= 240 && in->f[F_ssrc0] <= 248)))
        return false;
    if (literal && isa->literal64 && operand_bits[spec.type] == 64 && !is_float(spec.type) &&
        (is_short(in->format->id) || in->format->id <= FMT_SOPC) && in->f[F_literal] < 0)
        return false; // the number alone is a literal of 64 bits
    if (literal) {
        // The low 16 bits of a literal are printed for 16 bits. Where these are an inline constant's, the
        // text would assemble to that constant.
        int32_t v = in->f[F_literal];
        if (is_class_set(isa, row, source_number(spec.field))) return true;
        if (spec.field == F_literal) return operand_bits[spec.type] != 16 || !((uint32_t)v >> 16);
        return !((is_half(spec.type) || is_mix(spec.type)) && (uint32_t)v >> 16 &&
                 is_inline(isa, spec.type, v));
    }
    // Inline floats that are 16-bit integer operands are printed as integers, which assemble to literals: not
    // where the encoding has no room for one.
    bool integer = half_integer(isa, row, spec.type);
    bool literals = in->suffix <= SUFFIX_LITERAL &&
                    (is_short(in->format->id) || (isa->vop3_literal && isa->scalar_values > 1));
    bool pair = row->class == CLASS_PK_FMAC && in->format->id == FMT_VOP2 && isa->packed_constants;
    if (pair || (integer && !literals)) return false;
    return !(integer && source_number(spec.field) >= 0 &&
             (in->f[F_neg] | in->f[F_abs]) >> source_number(spec.field) & 1);
}

// A quick yes for the operands that most instructions have: VGPRs, and SGPRs and small integers where nothing
// restricts them. False means nothing: operands_exist then looks closer.
static bool plainly_stands(const struct isa *isa, const struct insn *in, struct operand_spec spec,
                           bool source) {
    const struct row *row = in->row;
    if (!operand_is_plain(in, spec) || spec.field == F_srsrc || spec.field == F_sbase) return false;
    unsigned code = (unsigned)in->f[spec.field] & 0xffff, dwords = operand_dwords[spec.type];
    if (code >= SRC_VGPR0)
        return code % 256 + dwords <= 256 && !(isa->even_tuples && dwords > 1 && code & 1) &&
               !(row->flags & ROW_WORD_SEL);
    bool sgpr = code < 102 && !(dwords == 2 && code & 1),
         integer = source && is_inline_constant(code) && code < 240;
    return (sgpr || integer) && dwords <= 2 && !row->registers && !(row->flags & ROW_BARRIER) &&
           in->suffix <= SUFFIX_LITERAL && row->dst[0].type != T_AGPR && in->format->id != FMT_VOP3P;
}

static bool operands_exist(const struct isa *isa, const struct insn *in, const struct row *row, bool wave32) {
    for (unsigned place = 0; place < RULE_PLACES; place++) {
        struct operand_spec spec = row_operand(row, place);
        if (!spec.type || (!operand_dwords[spec.type] && spec.type != T_MASK)) continue;
        if (plainly_stands(isa, in, spec, place >= RULE_SRC)) continue;
        struct operand o = insn_operand(isa, in, spec, wave32);
        if (!o.type) continue;
        struct rule rule = rule_of(isa, in, place, wave32);
        if (rule.implied) continue;
        if (!rule_admits(isa, &rule, o.code) || (o.code == SRC_LITERAL && !in->has_literal)) return false;
        if (isa->literal64 && o.code == SRC_LITERAL64 && !(in->wide_literal && operand_bits[spec.type] == 64))
            return false;
        if (place >= RULE_SRC && !constant_has_text(isa, in, spec, &o)) return false;
        // The upper half of a register has no spelling here.
        if (o.high && !isa->halves_named && in->format->id <= FMT_VOPC) return false;
    }
    return true;
}

static int numbered_sources(const struct row *row) {
    return (names_field(row, F_src0) ? 1 : 0) | (names_field(row, F_src1) ? 2 : 0) |
           (names_field(row, F_src2) ? 4 : 0);
}

// Whether source n is an integer, though its inline constants are spelled as those of F16 (TRAP-465).
static bool second_is_integer(const struct row *row, int n) {
    return n == 1 && (row->class == CLASS_LDEXP16 || row->class == CLASS_CLASSIFY);
}

// Which sources have bits for neg and abs: bit n for source n. A source may have them without effect, because
// another one has them.
static int signed_sources(const struct isa *isa, const struct row *row) {
    if (row->flags & ROW_ABSNEG) {
        int all = row->flags & ROW_SEL4 ? 7 : numbered_sources(row);
        // v_cmp_class: the second source is a set of classes
        bool set = (second_is_integer(row, 1) && !isa->true16) ||
                   (row->class == CLASS_CLASSIFY && row->src[1].type == T_B32);
        return set ? all & ~2 : all;
    }
    bool half = row->dst[0].type && operand_bits[row->dst[0].type] == 16;
    for (int i = 0; i < ROW_SRC; i++) half |= row->src[i].type && operand_bits[row->src[i].type] == 16;
    return half && isa->halves_named ? numbered_sources(row) : 0; // operations on named halves have them, too
}

static int integer_sources(const struct row *row) {
    int mask = 0;
    for (int i = 0; i < ROW_SRC; i++) {
        int n = row->src[i].type ? source_number(row->src[i].field) : -1;
        if (n >= 0 && row->flags & ROW_SEXT && (!is_float(row->src[i].type) || second_is_integer(row, n)))
            mask |= 1 << n;
    }
    return mask;
}

// DPP controls that have a meaning.
static bool dpp_control(const struct isa *isa, const struct row *row, unsigned c) {
    if (row->flags & ROW_DPP64 && isa->dpp64 == 2) return c >= 0x150 && c < 0x160;
    if (c < 0x100) return true;
    if (c < 0x130) return c & 15;
    if (c == 0x140 || c == 0x141) return true;
    if (isa->row_share) return c >= 0x150 && c < 0x170;
    return c == 0x130 || c == 0x134 || c == 0x138 || c == 0x13c || c == 0x142 || c == 0x143 ||
           (isa->row_newbcast && c >= 0x150 && c < 0x160);
}

static bool check_suffix(const struct isa *isa, const struct insn *in) {
    if (in->suffix <= SUFFIX_LITERAL) return true;
    const struct row *row = in->row;
    if (is_short(in->format->id) && loses_dpp(isa, row)) return false;
    const int32_t *f = in->f;
    int sign = signed_sources(isa, row);
    bool second = insn_has(in, F_src1);
    if (row->reads & R_M0 && !isa->movrel_dpp) return false; // relative moves
    if (in->suffix == SUFFIX_DPP16 && operand_bits[row->src[0].type] == 64 && isa->dpp64 < 2) return false;
    switch (in->suffix) {
    case SUFFIX_DPP16:
        if (!dpp_control(isa, row, (unsigned)f[F_dpp_ctrl])) return false;
        return is_long(in->format->id) || !((f[F_dpp_abs] | f[F_dpp_neg]) & ~sign);
    case SUFFIX_SDWA:
        if ((f[F_sdwa_abs] | f[F_sdwa_neg]) & ~sign || f[F_sext] & ~integer_sources(row)) return false;
        if (f[F_clamp] && !(row->flags & (ROW_CLAMP | ROW_SEXT | ROW_ABSNEG))) return false;
        if (f[F_omod] && !(row->flags & ROW_OMOD)) return false;
        if (f[F_src0_sel] == 7 || f[F_src1_sel] == 7 || f[F_dst_sel] == 7 || f[F_dst_unused] == 3)
            return false;
        if (row->src[2].field == F_vdst && row->src[2].type && !isa->sdwa_adds) return false;
        return second || !(f[F_src1_sel] | f[F_src1_s]);
    default: return true;
    }
}

// Whether a vector instruction reads no more different scalar registers and literals than it may (TRAP-028,
// TRAP-029).
static bool check_constant_bus(const struct isa *isa, const struct insn *in, bool wave32) {
    const struct row *row = in->row;
    unsigned scalars = !!(row->reads & (R_M0 | R_VCC)); // at most, as most instructions show at a glance
    for (int i = 0; i < ROW_SRC && row->src[i].type; i++) {
        int32_t code = in->f[row->src[i].field];
        scalars += code < SRC_ZERO || (code > 208 && code < SRC_VGPR0);
    }
    if (scalars < 2 && !row->scalars && !in->has_literal && in->suffix != SUFFIX_SDWA) return true;
    uint32_t seen[ROW_SRC + 2];
    unsigned count = 0, limit = isa->scalar_values;
    if (row->class == CLASS_SHIFT64) limit = 1;
    for (int i = -2; i < ROW_SRC; i++) {
        uint32_t key = 0;
        if (i == -2 && row->reads & R_M0) key = (isa->m0_register) | 1 << 10;
        if (i == -1 && row->reads & R_VCC) key = SRC_VCC_LO | 2 << 10;
        if (i >= 0 && row->src[i].type) {
            struct operand o = insn_operand(isa, in, row->src[i], wave32);
            if (!o.type || !o.dwords || o.code >= SRC_VGPR0) continue;
            if (o.code >= SRC_ZERO && o.code <= 208) continue;
            if (o.code >= 240 && o.code <= 248) continue;
            if (o.code == SRC_LDS_DIRECT || (isa->cmpx_exec_only && o.code == isa->null_register)) continue;
            if (row->scalars >> i & 1 && i == 1 && o.code == isa->m0_register) continue;
            bool fixed = row->src[i].field == F_literal;
            unsigned dwords = o.dwords;
            if (o.code == SRC_LITERAL && !fixed) dwords = 1u + (operand_bits[row->src[i].type] == 64);
            if (o.code >= 230 && o.code < SRC_LITERAL) dwords = 0; // the same value, however wide
            key = o.code | dwords << 10;
            if (row->src[i].type == T_MASK && !insn_has(in, row->src[i].field)) key = SRC_VCC_LO | 2 << 10;
        }
        if (!key) continue;
        unsigned k = 0;
        while (k < count && seen[k] != key) k++;
        if (k == count) seen[count++] = key;
    }
    if (count > limit) return false;
    // Literals, and constants that LLVM prints as literals, must be one and the same value.
    bool literal = false, half = false;
    unsigned shown = 0, value = 0;
    for (int i = 0; i < ROW_SRC; i++) {
        struct operand_spec s = row->src[i];
        if (!s.type || source_number(s.field) < 0) continue;
        struct operand o = insn_operand(isa, in, s, wave32);
        bool integer = half_integer(isa, row, s.type);
        if (integer && o.code >= 240 && o.code <= 248 && o.code != value) shown++, value = o.code;
        bool whole = !is_half(s.type) || is_class_set(isa, row, source_number(s.field)); // is what is printed
        if (o.code == SRC_LITERAL) *(whole ? &literal : &half) = true;
    }
    if (half && literal && (uint32_t)in->f[F_literal] >> 16) return false;
    if (shown && count >= limit) return false; // such a constant becomes one more scalar value
    return shown + (literal || half) < 2;
}

static bool check_long(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    if (!(f[F_neg] | f[F_abs] | f[F_op_sel] | f[F_clamp] | f[F_omod])) return true;
    int sign = signed_sources(isa, row);
    if (row->flags & ROW_BITOP3) return !f[F_clamp];
    if ((f[F_neg] | f[F_abs]) & ~sign) return false;
    bool selects = row->flags & ROW_OPSEL && !(row->flags & ROW_SEL4) &&
                   takes_op_sel(isa, row, in->two_forms, isa->halves_named);
    bool halves = isa->halves_named &&
                  !(row->flags & (ROW_SEL4 | ROW_OPSEL | ROW_BYTE_SEL | ROW_PAIR_SEL | ROW_SWAP_SEL)) &&
                  (operand_bits[row->dst[0].type] == 16 || operand_bits[row->src[0].type] == 16);
    if ((selects || halves) && f[F_op_sel] & 7 & ~numbered_sources(row)) return false;
    if (halves && in->format->id == FMT_VOP3S && row->dst[0].type == T_MASK && f[F_op_sel] & 8) return false;
    if (f[F_clamp] && !takes_clamp(isa, row)) return false;
    int below = operand_bits[row->src[0].type] == 16 ? 2 : 3; // of 16 bits, op_sel chooses a half
    if (row->flags & ROW_SEL4 && isa->byte_sel && f[F_op_sel] & below) return false;
    bool e5m3 = row->flags & ROW_E5M3 && isa->e5m3;
    if (row->flags & (ROW_BYTE_SEL | ROW_WORD_SEL) && isa->byte_sel && ((f[F_clamp] && !e5m3) || f[F_omod]))
        return false;
    if (in->format->id == FMT_VOP3S && f[F_clamp] && !isa->compares_clamp) return false;
    return !f[F_omod] || row->flags & ROW_OMOD;
}

static bool is_register(const struct insn *in, enum field field) { return in->f[field] >= SRC_VGPR0; }

static bool is_scale(const struct isa *isa, const struct insn *in, enum field field) {
    struct rule rule = rule_of_field(isa, in, field, 1);
    return rule_admits(isa, &rule, (unsigned)in->f[field]);
}

static bool check_matrix(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    if (row->class == CLASS_ACC_MOVE) return !(f[F_src1] | f[F_cbsz]) && !(f[F_src2] & 255);
    if (row->src[3].type && f[F_blgp]) return false;
    if (matrix_overlap(in)) return false;
    if (row->src[0].type == T_F8F6F4) {
        if (f[F_abid] && !in->scaled) return false;
        if (in->scaled) return is_scale(isa, in, F_scale0) && is_scale(isa, in, F_scale1);
    }
    return true;
}

static bool check_interpolation(const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    int sources = numbered_sources(row);
    bool parameter = row->src[0].type == T_INTERP, halves = row->dst[0].type == T_F16 ||
                                                            row->src[2].field == F_src2 ||
                                                            operand_bits[row->dst[0].type] == 16;
    if (parameter)
        return !((f[F_neg] | f[F_abs]) || (f[F_src1] & 255) > 2 || f[F_src1] > 2 + SRC_VGPR0 || f[F_high]);
    if (f[F_high] && row->dst[0].type == T_F32 && !halves) return false;
    if ((f[F_omod] && !(row->flags & ROW_OMOD)) || (f[F_clamp] && !(row->flags & ROW_CLAMP))) return false;
    return !((f[F_neg] | f[F_abs]) & ~sources) && !f[F_op_sel];
}

// What dot products and matrix operations of VOP3P ask for (TRAP-192, TRAP-223 to TRAP-225).
static bool check_packed(const struct isa *isa, const struct insn *in, bool wave32) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    int sources = numbered_sources(row);
    bool keyed = row->class == CLASS_SWMMAC, matrix = keyed || row->class == CLASS_WMMA;
    if (isa->vgpr_msb && row->src[0].type == T_V2F32)
        for (int n = 0; n < 3; n++)
            if (sources >> n & 1 && f[F_src0 + n] < SRC_ZERO && (f[F_op_sel] | f[F_op_sel_hi]) >> n & 1)
                return false;
    bool dot = operand_dwords[row->dst[0].type] == 1 && sources == 7;
    if (matrix && f[F_clamp] && !(row->flags & ROW_CLAMP)) return false;
    if (keyed && f[F_op_sel] >> row->key[!wave32]) return false;
    if (dot && isa->matrix_signs && !(row->flags & (ROW_CLAMP | ROW_OPSEL | ROW_OPSEL_HI)) && f[F_clamp])
        return false;
    if ((matrix || dot) && !keyed && !(row->flags & ROW_OPSEL) && f[F_op_sel]) return false;
    if (isa->dot2_whole && row->class == CLASS_DOT2 && row->flags & ROW_OPSEL_HI &&
        (f[F_op_sel] || f[F_op_sel_hi] != 7))
        return false;
    if (!isa->matrix_signs) return true;
    if ((matrix || dot) && !(row->flags & ROW_OPSEL_HI) && f[F_op_sel_hi] != 7) return false;
    int lo, hi;
    packed_signs(row, &lo, &hi);
    if (f[F_neg] & ~lo || f[F_neg_hi] & ~hi) return false;
    return true;
}

static bool check_reused(const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    if (f[F_clamp] && !(row->flags & ROW_CLAMP)) return false;
    if (row->class == CLASS_LD_SCALE)
        return !(f[F_op_sel] & 2 || f[F_op_sel_hi] & 2 || f[F_neg] > 2 || f[F_neg_hi] > 2) &&
               f[F_src2] == SRC_VGPR0;
    bool scaled = in->format->id != FMT_VOP3P;
    if (scaled &&
        (f[F_scale_sel] & 2 || f[F_scale_sel_hi] & 2 || f[F_scale_fmt] > 2 || f[F_scale_fmt_hi] > 2))
        return false;
    int lo, hi;
    reused_signs(row, &lo, &hi);
    if (f[F_neg] & ~lo || f[F_neg_hi] & ~hi) return false;
    if (row->src[0].type == T_MATRIX) return f[F_op_sel] < 5 && f[F_op_sel_hi] < 5;
    int key = row->class == CLASS_SWMMAC && row->key[0] ? 1 : 0;
    if (scaled || row->src[0].type == T_B512) return true;
    return !(f[F_op_sel] & 3 & ~key) && (f[F_op_sel_hi] & 3) == 3;
}

// What a scalar value is to the constant bus: a register and a pair that holds it are two.
static uint32_t bus_value(unsigned code, unsigned dwords) { return code | dwords << 10; }

// The third operand of half of a VOPD3, and its signs.
static bool check_third(const struct insn *half, bool second) {
    const struct row *row = half->row;
    int signs = half->f[second ? F_negy : F_negx], allowed = vopd_signs(row);
    if (!names_field(row, F_src2) && !(row->flags & ROW_BITOP3) && half->f[F_src2x]) return false;
    return !(signs & ~allowed);
}

static bool check_vopd(const struct isa *isa, const struct insn *in) {
    uint32_t seen[6];
    unsigned count = 0;
    if (vopd_clash(isa, in) >= 0) return false;
    for (int second = 0; second < 2; second++) {
        struct insn half = *in;
        const struct row *row = half.row = second ? in->row_y : in->row;
        if (second) {
            half.f[F_vdstx] = in->f[F_vdsty];
            half.f[F_src0x] = in->f[F_src0y];
            half.f[F_src1x] = in->f[F_src1y];
            half.f[F_src2x] = in->f[F_src2y];
        }
        if (in->format->id == FMT_VOPD3 && !check_third(&half, second)) return false;
        if (!operands_exist(isa, &half, row, true)) return false;
        if (!names_field(row, F_src1) && half.f[F_src1x] & 255) return false;
        unsigned code = (unsigned)half.f[F_src0x];
        bool scalar = code < SRC_VGPR0 && !is_inline_constant(code) && code != isa->null_register;
        unsigned mask = in->format->id == FMT_VOPD3 && row->src[2].type == T_MASK ? (unsigned)half.f[F_src2x]
                                                                                  : SRC_VCC_LO;
        uint32_t values[3] = {scalar ? bus_value(code, 1) : 0,
                              names_field(row, F_literal) ? bus_value(SRC_LITERAL, 1) : 0,
                              row->reads & R_VCC || row->src[2].type == T_MASK ? bus_value(mask, 2) : 0};
        for (int i = 0; i < 3; i++) {
            unsigned k = 0;
            while (k < count && seen[k] != values[i]) k++;
            if (k == count && values[i]) seen[count++] = values[i];
        }
    }
    return count <= 2;
}

bool insn_is_canonical(const struct isa *isa, const struct insn *in, bool wave32) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    if (is_vopd(in->format->id)) return wave32 && check_vopd(isa, in);
    if (!isa->halves_named && row->class == CLASS_HALF_MOVE) return false;
    if (!operands_exist(isa, in, row, wave32) || !check_suffix(isa, in)) return false;
    // Code is padded with words of zeros, which decode as V_CNDMASK with one scalar value too many; LLVM
    // prints that instruction all the same.
    bool padding = in->format->id == FMT_VOP2 && row->class == CLASS_SELECT && !f[F_src0] &&
                   f[F_src1] == SRC_VGPR0 && f[F_vdst] == SRC_VGPR0;
    if (in->format->id >= FMT_VOP2 && in->format->id <= FMT_MAI && !padding &&
        !check_constant_bus(isa, in, wave32))
        return false;
    for (int i = 0; i < ROW_SRC; i++) {
        int v = f[row->src[i].field];
        if (row->src[i].type == T_GPR_IDX && v > 15) return false;
        if (row->src[i].type == T_ATTR && v > 32) return false;
        if (row->src[i].type == T_INTERP && ((in->format->id == FMT_VINTRP ? f[F_vsrc] : v) & 255) > 2)
            return false;
    }
    switch (in->format->id) {
    case FMT_SOPP:
        if (row->src[0].type == T_DELAY &&
            ((f[F_simm16] >> 4 & 7) > 5 || (f[F_simm16] & 15) > 11 || (f[F_simm16] >> 7 & 15) > 11))
            return false;
        return names_field(row, F_simm16) || !f[F_simm16];
    case FMT_VOP1:
    case FMT_VOP2: return row->src[0].type || row->dst[0].type || (!(f[F_vdst] & 255) && !(f[F_src1] & 255));
    case FMT_VOP3S: return check_long(isa, in);
    case FMT_VOP3:
    case FMT_VOP3B: return (row->dst[0].type || !(f[F_vdst] & 255)) && check_long(isa, in);
    case FMT_WMMA_SCALE:
    case FMT_WMMA_SCALE16:
    case FMT_VOP3P: {
        if (row->class == CLASS_SCALE && (f[F_neg] || f[F_neg_hi] || f[F_clamp] || f[F_src2] & 255))
            return false;
        if (is_reusing(isa, row)) return check_reused(in);
        if (!(row->flags & (ROW_PACKED | ROW_ABSNEG)) && (f[F_neg] | f[F_neg_hi])) return false;
        int sources = numbered_sources(row);
        if (!check_packed(isa, in, wave32)) return false;
        return !((f[F_neg] | f[F_neg_hi] | f[F_op_sel]) & ~sources);
    }
    case FMT_VOPC:
        return in->suffix == SUFFIX_NONE || in->suffix == SUFFIX_LITERAL || in->suffix == SUFFIX_SDWA ||
               isa->vopc_dpp;
    case FMT_MAI: return check_matrix(isa, in);
    case FMT_VOP3I: return check_interpolation(in);
    case FMT_VINTERP: // whose F16 sources are printed as VGPRs whatever the top bit says
        return is_register(in, F_src0) && is_register(in, F_src1) && is_register(in, F_src2);
    default: return check_memory(isa, in);
    }
}
