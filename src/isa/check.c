// SPDX-License-Identifier: MIT
// What decoding lets pass because hardware ignores it, and no assembler writes: operands that do not exist,
// fields that the operation does not use but that are not zero, modifiers that it does not take.
#include "isa/kinds.h"
#include "isa/names.h"

#include <string.h>

static bool names_field(const struct row *row, enum field field) {
    for (int i = 0; i < ROW_DST; i++)
        if (row->dst[i].type && row->dst[i].field == field) return true;
    for (int i = 0; i < ROW_SRC; i++)
        if (row->src[i].type && row->src[i].field == field) return true;
    return false;
}

static bool exists(const struct isa *isa, const struct insn *in, const struct operand *o) {
    // Tuples of vector registers end within the file and start at an even one where it is unified.
    if (o->code >= SRC_VGPR0) {
        if (o->code % 256u + o->dwords > 256) return false;
        return !(isa->accvgpr_memory && o->dwords > 1 && o->code & 1);
    }
    if (o->code == SRC_LITERAL) return in->has_literal;
    if (o->code >= SRC_ZERO && o->code <= 208) return true;
    if (o->code >= 240 && o->code <= 248) return o->code < 248 || isa_inline_inverse_2pi(isa);
    struct scalar s = isa_scalar(isa, o->code, o->dwords);
    unsigned align = o->dwords > 2 ? ~3u : o->dwords == 2 ? ~1u : ~0u;
    switch (s.kind) {
    case SCALAR_SGPR: return (s.index & align) + o->dwords <= (o->dwords > 2 ? 104 : isa_sgprs(isa));
    case SCALAR_TTMP: return (s.index & align) + o->dwords <= 16;
    default: return s.kind == SCALAR_SPECIAL;
    }
}

static bool is_constant(unsigned code) {
    return (code >= SRC_ZERO && code <= 208) || (code >= 240 && code <= 248) || code == SRC_LITERAL;
}

static bool is_long_format(const struct insn *in) {
    unsigned id = in->format->id;
    return id == FMT_VOP3 || id == FMT_VOP3B || id == FMT_VOP3S || id == FMT_VOP3P;
}

static bool operands_exist(const struct isa *isa, const struct insn *in, const struct row *row, bool wave32) {
    for (int i = 0; i < ROW_DST + ROW_SRC; i++) {
        struct operand_spec spec = i < ROW_DST ? row->dst[i] : row->src[i - ROW_DST];
        if (!spec.type || (!operand_dwords[spec.type] && spec.type != T_MASK)) continue;
        if (spec.type == T_AGPR) {
            if (in->f[spec.field] < SRC_VGPR0 && i >= ROW_DST) return false;
            continue;
        }
        struct operand o = insn_operand(isa, in, spec, wave32);
        if (!o.type) continue;
        if (!exists(isa, in, &o)) return false;
        if ((spec.field == F_srsrc || spec.field == F_ssamp) && o.code >= SRC_ZERO) return false;
        bool m0 = o.code == (isa_null_register(isa) == 124 ? 125 : 124);
        if (i < ROW_DST && m0 && spec.field == F_sdst && spec.type != T_MASK && in->format->id >= FMT_VOP2)
            return false;
        if (i >= ROW_DST && spec.type == T_MASK && is_constant(o.code)) return false;
        // So many dwords are only in vector registers, or the same constant in all (C of matrix operations).
        if (i >= ROW_DST && is_long_format(in) && in->format->id != FMT_VOP3P && o.dwords > 2 &&
            o.code < SRC_VGPR0)
            return false;
        if (i >= ROW_DST && row->registers >> (i - ROW_DST) & 1 && in->suffix <= SUFFIX_LITERAL &&
            (in->format->id <= FMT_SOPP ? is_constant(o.code)
                                        : o.code < SRC_VGPR0 && o.code != SRC_LDS_DIRECT))
            return false;
        // The upper half of a register has no spelling here.
        if (o.high && !isa->halves_named && in->format->id <= FMT_VOPC) return false;
        // Only sources can be constants or read-only registers.
        if (i < ROW_DST && ((o.code >= SRC_ZERO && o.code <= 208) || (o.code >= 240 && o.code <= 248)))
            return false;
    }
    return true;
}

static int numbered_sources(const struct row *row) {
    return (names_field(row, F_src0) ? 1 : 0) | (names_field(row, F_src1) ? 2 : 0) |
           (names_field(row, F_src2) ? 4 : 0);
}

// v_ldexp_f16 and v_cmp_class_f16: an integer whose constants are spelled as halves.
static bool second_is_integer(const struct row *row, int n) {
    return n == 1 && row->flags & ROW_SEXT && row->flags & ROW_ABSNEG;
}

// Which sources take a sign: bit n for source n. Where one does, the others carry the bits without effect.
static int signed_sources(const struct isa *isa, const struct row *row) {
    if (row->flags & ROW_ABSNEG) {
        int all = row->flags & ROW_SEL4 ? 7 : numbered_sources(row);
        // v_cmp_class: the second source is a set of classes
        bool set = (second_is_integer(row, 1) && !isa->true16) ||
                   (row->dst[0].type == T_MASK && row->src[1].type == T_B32);
        return set ? all & ~2 : all;
    }
    bool half = row->dst[0].type && operand_bits[row->dst[0].type] == 16;
    for (int i = 0; i < ROW_SRC; i++) half |= row->src[i].type && operand_bits[row->src[i].type] == 16;
    return half && isa->halves_named ? numbered_sources(row) : 0; // so do operations on halves
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

static bool unused_register(const struct insn *in, enum field field) {
    return insn_has(in, field) && !names_field(in->row, field) && (in->f[field] & 255);
}

// DPP controls that have a meaning.
static bool dpp_control(const struct isa *isa, const struct row *row, unsigned c) {
    if (row->flags & ROW_DPP64 && isa->row_newbcast) return c >= 0x150 && c < 0x160;
    if (c < 0x100) return true;
    if (c < 0x130) return c & 15;
    if (c == 0x140 || c == 0x141) return true;
    if (isa->row_share) return c >= 0x150 && c < 0x170;
    return c == 0x130 || c == 0x134 || c == 0x138 || c == 0x13c || c == 0x142 || c == 0x143 ||
           (isa->row_newbcast && c >= 0x150 && c < 0x160);
}

static bool check_suffix(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    int sign = signed_sources(isa, row);
    bool second = insn_has(in, F_src1);
    bool moved = row->reads & R_M0 && in->suffix >= SUFFIX_DPP16; // relative moves: from GFX10 on
    if (moved && !isa->row_share) return false;
    switch (in->suffix) {
    case SUFFIX_DPP16:
        if (!dpp_control(isa, row, (unsigned)f[F_dpp_ctrl])) return false;
        return is_long_format(in) || !((f[F_dpp_abs] | f[F_dpp_neg]) & ~sign);
    case SUFFIX_SDWA:
        if ((f[F_sdwa_abs] | f[F_sdwa_neg]) & ~sign || f[F_sext] & ~integer_sources(row)) return false;
        if (f[F_clamp] && !(row->flags & (ROW_CLAMP | ROW_SEXT | ROW_ABSNEG))) return false;
        if (f[F_omod] && !(row->flags & ROW_OMOD)) return false;
        if (f[F_src0_sel] == 7 || f[F_src1_sel] == 7 || f[F_dst_sel] == 7 || f[F_dst_unused] == 3)
            return false;
        // From GFX9 on an operation that adds to its destination has no SDWA form.
        if (row->src[2].field == F_vdst && row->src[2].type && isa_swizzle_rotates(isa)) return false;
        return second || !(f[F_src1_sel] | f[F_src1_s]);
    default: return true;
    }
}

static bool check_long(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    int sign = signed_sources(isa, row);
    if (row->flags & ROW_BITOP3) return true;
    if ((f[F_neg] | f[F_abs]) & ~sign) return false;
    bool selects =
        row->flags & ROW_OPSEL && !(row->flags & ROW_SEL4) && (!in->two_forms || isa->halves_named);
    bool halves = isa->halves_named &&
                  !(row->flags & (ROW_SEL4 | ROW_OPSEL | ROW_BYTE_SEL | ROW_PAIR_SEL | ROW_SWAP_SEL)) &&
                  (operand_bits[row->dst[0].type] == 16 || operand_bits[row->src[0].type] == 16);
    if ((selects || halves) && f[F_op_sel] & 7 & ~numbered_sources(row)) return false;
    if (halves && in->format->id == FMT_VOP3S && row->dst[0].type == T_MASK && f[F_op_sel] & 8) return false;
    if (f[F_clamp] && !(row->flags & ROW_CLAMP)) return false;
    if (row->flags & ROW_BYTE_SEL && isa->byte_sel && (f[F_clamp] || f[F_omod])) return false;
    if (in->format->id == FMT_VOP3S && f[F_clamp] && !isa_inline_inverse_2pi(isa)) return false; // GFX6, GFX7
    return !f[F_omod] || row->flags & ROW_OMOD;
}

static bool is_register(const struct insn *in, enum field field) { return in->f[field] >= SRC_VGPR0; }

// Cache maintenance has no operands; nothing but its opcode and cache policy may be set.
static bool all_zero(const struct isa *isa, const struct insn *in) {
    static const uint8_t policy[] = {F_op, F_glc, F_slc, F_scc, F_dlc, F_th, F_scope};
    for (unsigned i = 0; i < in->format->part_count; i++) {
        const struct part *p = &in->format->parts[i];
        int32_t empty = p->field == F_saddr ? (int32_t)isa_null_register(isa) : 0;
        if (memchr(policy, p->field, sizeof policy)) continue;
        if ((in->f[p->field] ^ empty) & (p->bias ? p->bias - 1 : -1)) return false;
    }
    return true;
}

static bool check_buffer(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    if (!row->src[0].type) return all_zero(isa, in);
    if (f[F_offset] < 0) return false;
    struct operand at = {.code = (uint16_t)f[F_vaddr], .dwords = 2};
    if (f[F_idxen] && f[F_offen] && !exists(isa, in, &at)) return false;
    if (in->format->id == FMT_MTBUF) return !f[F_tfe];
    if (row->atomic || row->flags & ROW_ATOMIC)
        return !f[F_tfe] && !f[F_lds] && !(f[F_dlc] && !isa->null_saddr);
    if (f[F_lds] && f[F_tfe]) return false;
    if (row->flags & ROW_STORE && !names_field(row, F_vdata)) return f[F_lds]; // the data is in LDS
    bool to_lds = row->flags & ROW_LOAD && !(row->flags & ROW_D16) &&
                  (row->access ? row->access <= ACCESS_B32 : operand_dwords[row->dst[0].type] == 1);
    return !f[F_lds] || !(names_field(row, F_vdata)) || to_lds;
}

// A and B are registers, C may be an inline constant; sparse operations read their index from a register.
static bool check_matrix(const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    if (!row->src[1].type) return !(f[F_src1] | f[F_cbsz]) && !(f[F_src2] & 255);
    if (!is_register(in, F_src0) || !is_register(in, F_src1)) return false;
    if (row->src[3].type && f[F_blgp]) return false;
    if (!is_register(in, F_src2) && (row->src[3].type || f[F_src2] < SRC_ZERO)) return false;
    if (row->src[0].type == T_F8F6F4) {
        if (f[F_abid] && !in->scaled) return false;
        if (in->scaled) return is_register(in, F_scale0) && is_register(in, F_scale1);
    }
    return true;
}

static bool check_interpolation(const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    int sources = numbered_sources(row);
    bool parameter = row->src[0].type == T_INTERP,
         halves = row->dst[0].type == T_F16 || row->src[2].type || operand_bits[row->dst[0].type] == 16;
    if (parameter)
        return !((f[F_neg] | f[F_abs]) || (f[F_src1] & 255) > 2 || f[F_src1] > 2 + SRC_VGPR0 || f[F_high]);
    if (!is_register(in, F_src1) || (sources & 4 && !is_register(in, F_src2))) return false;
    if (f[F_high] && row->dst[0].type == T_F32 && !halves) return false;
    return !((f[F_neg] | f[F_abs]) & ~sources) && !f[F_op_sel];
}

static bool check_image(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    if (row->image & IMAGE_NO_D16 && f[F_d16]) return false;
    if (row->image & IMAGE_RAY) { // everything but the registers and a16 is fixed
        bool mimg = in->format->id == FMT_MIMG;
        struct image_address a;
        if (f[F_dmask] != 15 || !f[F_r128] || (mimg && !f[F_unorm])) return false;
        if (f[F_dim] || f[F_d16] || f[F_tfe] || f[F_lwe] || f[F_glc] || f[F_slc] || f[F_dlc] || f[F_th] ||
            f[F_scope] || f[F_ssamp])
            return false;
        return isa_image_address(isa, in, &a);
    }
    struct operand data = {.code = (uint16_t)f[F_vdata], .dwords = 2};
    if (row->image & IMAGE_TWO_DATA && !exists(isa, in, &data)) return false;
    if (in->format->id == FMT_VIMAGE) return !(f[F_vaddr4] & 255);
    // As many words of registers as some dimension of the operation has use for.
    static const uint8_t fewest[] = {0, 2, 6, 10};
    return f[F_nsa] < 2 || (isa_image_most(row) >= fewest[f[F_nsa]] && !isa->partial_nsa);
}

static bool check_scalar_memory(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    int data = in->f[F_sdata], m0 = isa_null_register(isa) == 124 ? 125 : 124;
    if (!row->src[0].type && !row->dst[0].type) return all_zero(isa, in);
    if (names_field(row, F_soffset)) return data < 32; // prefetches: a length
    for (int i = 0; i < ROW_SRC; i++)                  // offsets into buffers count from their start
        if (row->src[i].type == T_B128 && row->src[i].field == F_sbase && insn_has(in, F_th) &&
            in->f[F_offset] < 0)
            return false;
    bool number = row->src[0].type == T_SMALL; // probes
    return number || (data != m0 && data != SRC_EXEC_LO && data != SRC_EXEC_HI);
}

// What dot products and matrix operations of VOP3P ask for (TRAP-192, TRAP-223 to TRAP-225).
static bool check_packed(const struct isa *isa, const struct insn *in, bool wave32) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    int sources = numbered_sources(row);
    bool matrix = operand_dwords[row->dst[0].type] > 2 || row->dst[0].type == T_W64;
    bool keyed = row->flags & ROW_INDEX_KEY, dot = operand_dwords[row->dst[0].type] == 1 && sources == 7;
    if (matrix) {
        if (!is_register(in, F_src0) || !is_register(in, F_src1)) return false;
        if (!is_register(in, F_src2) && (keyed || f[F_src2] < SRC_ZERO)) return false;
        if (f[F_clamp] && !(row->flags & ROW_CLAMP)) return false;
    }
    if (keyed && f[F_op_sel] >> row->key[!wave32]) return false;
    if (dot && isa->byte_sel && !(row->flags & (ROW_CLAMP | ROW_OPSEL | ROW_OPSEL_HI)) && f[F_clamp])
        return false;
    if ((matrix || dot) && !keyed && !(row->flags & ROW_OPSEL) && f[F_op_sel]) return false;
    if (!isa->byte_sel) return true;
    if ((matrix || dot) && !(row->flags & ROW_OPSEL_HI) && f[F_op_sel_hi] != 7) return false;
    int lo, hi;
    packed_signs(row, &lo, &hi);
    if (f[F_neg] & ~lo || f[F_neg_hi] & ~hi) return false;
    return true;
}

// v_mov_b16 and v_swap_b16 move named halves; without names for them they do not exist.
static bool moves_halves(const struct row *row) {
    return row->dst[0].type == T_B16 && row->src[0].type == T_B16 && !row->src[1].type &&
           (row->flags & ROW_OPSEL || !row->flags);
}

bool insn_is_canonical(const struct isa *isa, const struct insn *in, bool wave32) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    if (in->format->id == FMT_VOPD) {
        if (!wave32) return false;
        return (names_field(row, F_src1) || !(f[F_src1x] & 255)) &&
               (names_field(in->row_y, F_src1) || !(f[F_src1y] & 255));
    }
    if (!isa->halves_named && moves_halves(row)) return false;
    if (!operands_exist(isa, in, row, wave32) || !check_suffix(isa, in)) return false;
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
    case FMT_VOP3P: {
        if (!row->dst[0].type && (f[F_neg] || f[F_neg_hi] || f[F_clamp] || f[F_src2] & 255)) return false;
        int sources = numbered_sources(row);
        if (!check_packed(isa, in, wave32)) return false;
        return !((f[F_neg] | f[F_neg_hi] | f[F_op_sel]) & ~sources);
    }
    case FMT_VOPC:
        return in->suffix == SUFFIX_NONE || in->suffix == SUFFIX_LITERAL || in->suffix == SUFFIX_SDWA ||
               isa->e64_dpp;
    case FMT_MAI: return check_matrix(in);
    case FMT_VOP3I: return check_interpolation(in);
    case FMT_VINTERP: return is_register(in, F_src0) && is_register(in, F_src1) && is_register(in, F_src2);
    case FMT_MUBUF:
    case FMT_MTBUF: return check_buffer(isa, in);
    case FMT_SMEM: return check_scalar_memory(isa, in);
    case FMT_VIMAGE:
    case FMT_MIMG:
        if (!check_image(isa, in)) return false; // fall through
    case FMT_VSAMPLE:
        if (in->format->id == FMT_VSAMPLE && isa_image_most(row) < 4 && f[F_vaddr3] & 255) return false;
        return names_field(row, F_ssamp) || !f[F_ssamp];
    case FMT_DS:
        if (f[F_gds] && isa->byte_sel) return false; // no GDS
        if (isa_is_gws(row) && !f[F_gds]) return false;
        return !unused_register(in, F_addr) && !unused_register(in, F_data0) &&
               !unused_register(in, F_data1) && !unused_register(in, F_vdst);
    case FMT_FLAT:
        if (f[F_tfe] || f[F_nv]) return false;
        if (row->src[0].type &&
            !exists(isa, in, &(struct operand){.code = (uint16_t)f[F_vaddr], .dwords = 2}))
            return false;
        if (insn_has(in, F_sve) && f[F_sve]) return false;
        if (insn_has(in, F_saddr) && f[F_saddr] != (int)isa_null_register(isa)) return false;
        return !f[F_lds];
    case FMT_GLOBAL:
    case FMT_SCRATCH: {
        if (f[F_nv]) return false;
        if (!row->dst[0].type && !row->src[0].type) return all_zero(isa, in);
        struct operand at = {.code = (uint16_t)f[F_vaddr], .dwords = 2};
        int null = (int)isa_null_register(isa);
        bool pair = in->format->id == FMT_GLOBAL && (f[F_saddr] == 127 || (null && f[F_saddr] == null));
        if (!row->dst[0].type && !names_field(row, F_vdata) && f[F_acc]) return false;
        if (pair && row->src[0].type && !exists(isa, in, &at)) return false;
        struct operand base = {.code = (uint16_t)f[F_saddr], .dwords = in->format->id == FMT_GLOBAL ? 2 : 1};
        if (f[F_saddr] != 127 && !exists(isa, in, &base)) return false;
        bool off = !isa_null_register(isa) ||
                   (in->format->id == FMT_SCRATCH && (isa_scratch_alone(isa) || f[F_lds]));
        if (f[F_saddr] == 127 && !off) return false;
        if (f[F_saddr] == SRC_EXEC_LO && in->format->id == FMT_GLOBAL) return false;
        if (in->format->id == FMT_GLOBAL && f[F_sve]) return false;
        return !f[F_lds] || (row->access >= ACCESS_U8 && row->access <= ACCESS_B32 && row->flags & ROW_LOAD);
    }
    default: return true;
    }
}
