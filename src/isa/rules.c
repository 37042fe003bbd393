// SPDX-License-Identifier: MIT
// What may stand where, by kind of format. See rules.h.
#include "isa/rules.h"

#include "isa/kinds.h"
#include "isa/names.h"

static bool has_field(const struct format *format, enum field field) {
    return format && format->present[field >> 6] >> (field & 63) & 1;
}

static bool is_tied(const struct row *row, struct operand_spec s) {
    return row->dst[0].type &&
           (s.field == row->dst[0].field || (row->dst[1].type && s.field == row->dst[1].field));
}

// ---- Scalar instructions ----

static unsigned scalar_source(const struct isa *isa, const struct insn *in, struct operand_spec s,
                              unsigned dwords, bool only_register) {
    const struct row *row = in->row;
    if (row->flags & ROW_BARRIER) return ALLOW_M0 | ALLOW_CONSTANT;
    // From GFX11 on the counters are compared with the immediate alone.
    if (row->class == CLASS_WAIT && isa->null_waits) return ALLOW_NULL;
    if (only_register || (s.field != F_ssrc0 && s.field != F_ssrc1))
        return ALLOW_REGISTERS | (dwords == 1 ? (unsigned)ALLOW_FLAG : 0u);
    return ALLOW_SCALAR | ALLOW_CONSTANT | ALLOW_LITERAL;
}

static unsigned scalar_memory_operand(struct operand_spec s) {
    if (s.field == F_sdata) return ALLOW_SGPR | ALLOW_NULL;
    return operand_dwords[s.type] > 2 ? ALLOW_SGPR : ALLOW_REGISTERS;
}

// ---- Vector instructions ----

static unsigned vector_destination(const struct isa *isa, const struct insn *in, struct operand_spec s) {
    const struct row *row = in->row;
    if (s.field == F_sdst && row->class == CLASS_READLANE)
        return (ALLOW_SCALAR & ~ALLOW_APERTURE) & ~ALLOW_M0;
    if (s.field == F_sdst) return s.type == T_MASK ? ALLOW_SCALAR : ALLOW_SCALAR & ~ALLOW_APERTURE;
    if (s.type == T_AGPR) return ALLOW_AGPR;
    if (in->format->id != FMT_MAI || row->src[0].type == T_AGPR) return ALLOW_VGPR;
    return isa->accvgpr_memory ? ALLOW_VGPR | ALLOW_AGPR : ALLOW_AGPR;
}

static unsigned matrix_source(const struct isa *isa, const struct row *row, struct operand_spec s) {
    if (row->class == CLASS_ACC_MOVE) // v_accvgpr_write
        return isa->accvgpr_memory ? ALLOW_SOURCE : ALLOW_VGPR | ALLOW_CONSTANT;
    if (s.field != F_src2) return ALLOW_VGPR | ALLOW_AGPR;
    if (s.type != row->dst[0].type) return ALLOW_VGPR; // the index of sparse operations
    return isa->accvgpr_memory ? ALLOW_VGPR | ALLOW_AGPR | ALLOW_CONSTANT : ALLOW_AGPR;
}

// Behind DPP and SDWA words, in which src0 is.
static unsigned suffixed_source(const struct isa *isa, const struct insn *in, struct operand_spec s) {
    if (in->suffix == SUFFIX_SDWA)
        return has_field(isa->formats[FMT_SDWA], F_src0_s) ? ALLOW_SOURCE : ALLOW_VGPR;
    if (s.field == F_src0 || is_short(in->format->id)) return ALLOW_VGPR;
    if (s.field == F_src1 && (is_mix(s.type) || !isa->dpp_src1_sgpr)) return ALLOW_VGPR;
    return in->row->class == CLASS_DOT4_FP8 ? ALLOW_VGPR : ALLOW_SOURCE;
}

static unsigned plain_source(const struct isa *isa, const struct insn *in, struct operand_spec s,
                             unsigned dwords) {
    const struct row *row = in->row;
    unsigned format = in->format->id;
    switch (format) {
    case FMT_VOP1:
    case FMT_VOP2:
    case FMT_VOPC: return s.field == F_src0 ? ALLOW_SOURCE | ALLOW_LITERAL : ALLOW_VGPR;
    case FMT_VOPD: return s.field == F_src0 ? ALLOW_SOURCE | ALLOW_LITERAL : ALLOW_VGPR;
    case FMT_VOPD3: return s.field == F_src0 ? ALLOW_SOURCE : ALLOW_VGPR;
    case FMT_VINTERP:
    case FMT_VINTRP:
    case FMT_VOP3I: return ALLOW_VGPR;
    case FMT_MAI: return matrix_source(isa, row, s);
    default: break;
    }
    if (s.field == F_scale0 || s.field == F_scale1 || row->class == CLASS_LD_SCALE)
        return ALLOW_SCALAR | ALLOW_VGPR | ALLOW_CONSTANT;
    if (row->class == CLASS_SWMMAC) return ALLOW_VGPR;
    if (row->class == CLASS_WMMA) // two matrices of VGPRs; the third may be a constant
        return s.field == F_src2 ? ALLOW_VGPR | ALLOW_CONSTANT : ALLOW_VGPR;
    if (dwords > 2) return ALLOW_VGPR;
    // A literal is a second scalar value, which GFX950 decodes but does not allow.
    return ALLOW_SOURCE | (isa->vop3_literal && isa->scalar_values > 1 ? ALLOW_LITERAL : 0u);
}

// LDS as src0 of plain instructions.
static bool takes_lds(const struct isa *isa, const struct insn *in, struct operand_spec s, bool scalar) {
    unsigned format = in->format->id;
    if (s.field != F_src0 || in->suffix > SUFFIX_LITERAL || in->row->flags & (ROW_REVERSED | ROW_PAIR_SEL))
        return false;
    if (is_vopd(format) || format == FMT_MAI || format == FMT_VOP3I || format == FMT_VINTERP) return false;
    return !scalar || isa->scalar_values > 1 || is_short(format);
}

static unsigned vector_source(const struct isa *isa, const struct insn *in, unsigned n, unsigned dwords) {
    const struct row *row = in->row;
    struct operand_spec s = row->src[n];
    bool scalar = row->scalars >> n & 1, is_long = !is_short(in->format->id);
    if (s.type == T_AGPR) return ALLOW_AGPR;
    if (s.type == T_MASK) return ALLOW_SCALAR;
    if (s.field == F_vdst) return vector_destination(isa, in, s); // its old value
    unsigned allow =
        in->suffix > SUFFIX_LITERAL ? suffixed_source(isa, in, s) : plain_source(isa, in, s, dwords);
    bool lane = scalar && n == 1 && s.field == F_src1 && row->scalars < 4; // of readlane and writelane
    if (scalar)
        allow = ALLOW_SCALAR | ALLOW_CONSTANT |
                (!lane && (isa->scalar_values > 1 || !is_long) ? (unsigned)ALLOW_LITERAL : 0u);
    else if (row->registers >> n & 1)
        allow &= ALLOW_VGPR | ALLOW_AGPR;
    return takes_lds(isa, in, s, scalar) ? allow | ALLOW_LDS : allow;
}

// Short encodings name halves, and some 8-bit floats, with the top bit of a register's number.
static bool is_half_file(const struct isa *isa, const struct insn *in, struct operand_spec s, bool source) {
    if (!is_short(in->format->id) || in->suffix == SUFFIX_SDWA) return false;
    if (isa->true16 && is_half(s.type)) return true;
    return source && in->row->flags & ROW_WORD_SEL && isa->byte_sel;
}

// ---- Memory ----

// "No address" is NULL or EXEC_HI: neither is a pair, and beside a vector address NULL is no register.
static unsigned scalar_address(const struct insn *in) {
    if (in->format->id == FMT_SCRATCH) return ALLOW_REGISTERS;
    for (unsigned i = 0; i < ROW_SRC; i++)
        if (in->row->src[i].type == T_ADDR) return ALLOW_SGPR | ALLOW_M0;
    return ALLOW_SGPR | ALLOW_M0 | ALLOW_NULL;
}

static unsigned vector_memory_operand(const struct insn *in, struct operand_spec s) {
    switch (s.field) {
    case F_vaddr0:
    case F_vaddr1:
    case F_vaddr2:
    case F_vaddr3:
        if (in->format->id == FMT_TENSOR) return s.field < F_vaddr2 ? ALLOW_SGPR : ALLOW_SGPR | ALLOW_NULL;
        break;
    case F_srsrc:
    case F_ssamp: return ALLOW_SGPR;
    case F_saddr: return scalar_address(in);
    case F_soffset: {
        bool wide = false; // whether the field holds constants
        for (unsigned i = 0; i < in->format->part_count; i++)
            wide |= in->format->parts[i].field == F_soffset && in->format->parts[i].width > 7;
        return wide ? ALLOW_SCALAR | ALLOW_CONSTANT : ALLOW_REGISTERS;
    }
    default: break;
    }
    bool address = s.type == T_ADDR || s.type == T_BUFADDR || s.type == T_IMGADDR ||
                   (s.field == F_addr && in->row->class != CLASS_GWS);
    return has_field(in->format, F_acc) && !address ? ALLOW_VGPR | ALLOW_AGPR : ALLOW_VGPR;
}

// ---- Questions ----

static bool is_immediate(unsigned type) {
    return !operand_dwords[type] && type != T_MASK && type != T_ADDR && type != T_SADDR &&
           type != T_BUFADDR && type != T_IMGADDR && type != T_DMASK;
}

// Whether the encoding has a place for it. Scalar results of short encodings lie in the place of VGPRs.
static bool is_encoded(const struct isa *isa, const struct insn *in, struct operand_spec s) {
    unsigned format = in->format->id;
    if (insn_has(in, s.field) || s.field == F_literal || is_vopd(format)) return true;
    if (s.field == F_src1 && format == FMT_VINTRP) return true;
    if (s.field == F_src0 && in->suffix > SUFFIX_LITERAL) return true;
    if (s.field != F_sdst) return false;
    return s.type != T_MASK ? is_short(format)
                            : in->suffix == SUFFIX_SDWA && format == FMT_VOPC &&
                                  has_field(isa->formats[FMT_SDWAB], F_sdst);
}

struct rule rule_of(const struct isa *isa, const struct insn *in, unsigned place, bool wave32) {
    const struct row *row = in->row;
    struct operand_spec s = row_operand(row, place);
    struct rule r = {.align = 1, .vgprs = 255};
    bool source = place >= RULE_SRC;
    unsigned format = in->format->id, n = place - RULE_SRC;
    if (!s.type) return r;
    if (s.type == T_LABEL || is_immediate(s.type)) {
        r.allow = s.type == T_LABEL ? ALLOW_LABEL : ALLOW_NUMBER;
        return r;
    }
    r.tied = source && is_tied(row, s);
    if (s.field == F_literal) {
        r.allow = ALLOW_LITERAL;
        return r;
    }
    r.dwords = (uint8_t)operand_width(isa, in, s, wave32);
    if (!is_encoded(isa, in, s)) {
        r.implied = s.type == T_MASK;
        return r;
    }
    unsigned allow;
    if (format <= FMT_SOPP)
        allow = source ? scalar_source(isa, in, s, r.dwords, row->registers >> n & 1) : ALLOW_REGISTERS;
    else if (format == FMT_SMEM)
        allow = scalar_memory_operand(s);
    else if (format < FMT_DS)
        allow = source ? vector_source(isa, in, n, r.dwords) : vector_destination(isa, in, s);
    else
        allow = vector_memory_operand(in, s);
    r.allow = (uint16_t)allow;
    r.with_dst = source && format == FMT_MAI && s.field == F_src2 && s.type == row->dst[0].type;
    if (r.dwords > 1 && isa->even_tuples) r.align = 2; // TRAP-401
    if (is_half_file(isa, in, s, source)) r.vgprs = 127;
    return r;
}

struct rule rule_of_field(const struct isa *isa, const struct insn *in, enum field field, unsigned dwords) {
    bool pair = in->format->id == FMT_GLOBAL || in->format->id == FMT_FLAT;
    struct rule r = {.allow = ALLOW_VGPR, .dwords = (uint8_t)dwords, .align = 1, .vgprs = 255};
    if (field == F_saddr)
        r.allow = (uint16_t)scalar_address(in), r.dwords = pair ? 2 : 1;
    else if (field == F_soffset || field == F_offset) // of scalar memory
        r.allow = ALLOW_REGISTERS;
    else if (dwords > 1 && isa->even_tuples)
        r.align = 2; // TRAP-401
    return r;
}

unsigned rule_kind(const struct isa *isa, unsigned code) {
    unsigned m0 = isa->m0_register;
    if (code >= SRC_AGPR0) return ALLOW_AGPR;
    if (code >= SRC_VGPR0) return ALLOW_VGPR;
    if (is_inline_constant(code)) return ALLOW_CONSTANT;
    if (code == m0) return ALLOW_M0;
    switch (code) {
    case 124:
    case 125: return ALLOW_NULL;
    case SRC_EXEC_LO:
    case SRC_EXEC_HI: return ALLOW_EXEC;
    case 251:
    case 252:
    case 253: return ALLOW_FLAG;
    case SRC_LDS_DIRECT: return isa->literal64 ? ALLOW_LITERAL : ALLOW_LDS;
    case SRC_LITERAL: return ALLOW_LITERAL;
    case 230:
    case 231: return isa->flat_scratch_base ? ALLOW_APERTURE : 0;
    default: return code < SRC_ZERO ? ALLOW_SGPR : is_aperture(code) ? ALLOW_APERTURE : 0;
    }
}

bool registers_exist(const struct isa *isa, unsigned code, unsigned dwords) {
    // Tuples of vector registers lie within the register file. Where VGPRs and AGPRs are one file, they begin
    // at an even number (TRAP-401).
    if (code >= SRC_VGPR0) return code % 256 + dwords <= 256 && !(isa->even_tuples && dwords > 1 && code & 1);
    struct scalar s = isa_scalar(isa, code, dwords);
    unsigned between = dwords > 2 ? 3 : dwords == 2 ? 1 : 0; // tuples start at even registers or fourth ones
    switch (s.kind) {
    case SCALAR_SGPR: return !(s.index & between) && s.index + dwords <= isa->sgprs;
    case SCALAR_TTMP: return !(s.index & between) && code + dwords <= 124u;
    default:
        if (code == 249u - isa->m0_register && !isa->null_register) return false;
        return s.kind == SCALAR_SPECIAL && isa_has_special(isa, code);
    }
}

bool rule_admits(const struct isa *isa, const struct rule *rule, unsigned code) {
    unsigned kind = rule_kind(isa, code);
    if (!(rule->allow & kind)) return false;
    if (kind == ALLOW_CONSTANT) return code < 248 || isa->inverse_two_pi;
    if (kind == ALLOW_LITERAL) return true;
    if (code >= SRC_VGPR0 && (code & 255) > rule->vgprs) return false;
    return registers_exist(isa, code, rule->dwords);
}
