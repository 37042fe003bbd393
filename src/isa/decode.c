// SPDX-License-Identifier: MIT
// Bytes to instruction: choose the opcode space by the top nine bits, index the opcode, extract the fields
// of the row's format, then read the literal or the DPP, DPP8 or SDWA word that a source value calls for.
#include "isa/isa.h"

#include <stddef.h>
#include <string.h>

#include "base/bytes.h"
#include "isa/kinds.h"

extern const struct isa *const isa_by_processor[];

const struct isa *isa_of(const sw_processor *p) {
    size_t i = (size_t)(p - sw_processor_at(0)); // processors are one array
    return i < sw_processor_count() ? isa_by_processor[i] : NULL;
}

static void extract(const struct format *format, const uint32_t *words, int32_t *f) {
    for (unsigned i = 0; i < format->part_count; i++) {
        const struct part *p = &format->parts[i];
        uint32_t v = (uint32_t)bits(words[p->word], p->lo, p->width) << p->at;
        uint32_t sum = (uint32_t)f[p->field] | v;
        if (p->sign && p->at + p->width == p->sign) sum = (uint32_t)sign_extend(sum, p->sign);
        f[p->field] = (int32_t)(sum | p->bias);
    }
}

static unsigned opcode_of(const struct format *format, const uint32_t *words) {
    unsigned op = 0;
    for (unsigned i = 0; i < format->op_parts; i++) {
        const struct part *p = &format->parts[i];
        op |= (unsigned)bits(words[p->word], p->lo, p->width) << p->at;
    }
    return op;
}

static bool takes_literal(const struct insn *in) {
    for (int i = 0; i < ROW_SRC; i++)
        if (in->row->src[i].field == F_literal && in->row->src[i].type) return true;
    return false;
}

// Whether the row reads this field as a source (unused VOP3 source fields hold anything).
static bool reads(const struct row *row, enum field field) {
    for (int i = 0; i < ROW_SRC; i++)
        if (row->src[i].type && row->src[i].type != T_SENDMSG && row->src[i].type != T_GPR_IDX &&
            row->src[i].field == field)
            return true;
    return false;
}

// Whether the row has a literal in this field: 0, or its dwords.
static unsigned literal_in(const struct isa *isa, const struct insn *in, enum field field) {
    if (!insn_has(in, field) || !reads(in->row, field)) return 0;
    if (in->f[field] == SRC_LITERAL) return 1;
    if (!isa->literal64 || in->f[field] != SRC_LITERAL64 || field == F_src1 || field == F_src2) return 0;
    for (int i = 0; i < ROW_SRC; i++) // of operands of 64 bits alone
        if (in->row->src[i].field == field && operand_bits[in->row->src[i].type] == 64) return 2;
    return 0;
}

static unsigned wants_literal(const struct isa *isa, const struct insn *in) {
    if (takes_literal(in)) return operand_bits[in->row->dst[0].type] == 64 ? 2 : 1;
    unsigned first, second;
    switch (in->format->id) {
    case FMT_SOP2:
    case FMT_SOP1:
    case FMT_SOPC:
        first = literal_in(isa, in, F_ssrc0), second = literal_in(isa, in, F_ssrc1);
        return first > second ? first : second;
    case FMT_VOP1:
    case FMT_VOP2:
    case FMT_VOPC: return literal_in(isa, in, F_src0);
    case FMT_VOP3:
    case FMT_VOP3B:
    case FMT_VOP3S:
    case FMT_VOP3P:
    case FMT_MAI:
        return isa->vop3_literal && (literal_in(isa, in, F_src0) == 1 || literal_in(isa, in, F_src1) ||
                                     literal_in(isa, in, F_src2));
    case FMT_SMEM:
        return insn_has(in, F_imm) && !in->f[F_imm] && in->f[F_offset] == SRC_LITERAL &&
               in->format->words == 1;
    default: return 0;
    }
}

// The format of the word that src0 calls for, or NULL when there is none or the row does not take it.
static const struct format *suffix_format(const struct isa *isa, struct insn *in, bool *bad) {
    unsigned id = in->format->id;
    const struct row *row = in->row;
    bool short_form = is_short(id);
    if (!short_form && !(isa->vop3_dpp && is_long(id))) return NULL;
    bool empty = row->class == CLASS_NOP && short_form && row->flags & ROW_SDWA;
    if (!reads(row, F_src0) && !(empty && isa->nop_dpp)) return NULL;
    const struct format *s = NULL;
    bool allowed = true;
    switch (in->f[F_src0]) {
    case SRC_SDWA:
        if (!short_form) return NULL;
        in->suffix = SUFFIX_SDWA;
        s = isa->formats[id == FMT_VOPC ? FMT_SDWAB : FMT_SDWA];
        allowed = row->flags & ROW_SDWA;
        break;
    case SRC_DPP16:
        in->suffix = SUFFIX_DPP16;
        s = isa->formats[FMT_DPP16];
        allowed = row->flags & (!short_form ? ROW_E64_DPP : isa->dpp64 ? ROW_DPP | ROW_DPP64 : ROW_DPP);
        break;
    case SRC_DPP8:
    case SRC_DPP8_FI:
        in->suffix = SUFFIX_DPP8;
        in->dpp8_fi = in->f[F_src0] == SRC_DPP8_FI;
        s = isa->formats[FMT_DPP8];
        allowed = row->flags & (short_form ? ROW_DPP : ROW_E64_DPP);
        break;
    default: return NULL;
    }
    *bad = !s || !allowed;
    return s;
}

static enum decode_status decode_vopd(const struct isa *isa, struct insn *in, unsigned y) {
    bool wide = in->format->id == FMT_VOPD3;
    const struct entry *x = &isa->vopd[wide][0][in->f[F_opx] & 63], *e = &isa->vopd[wide][1][y & 63];
    if (!x->row || !e->row) return DECODE_UNKNOWN;
    in->row = &isa_rows[x->row - 1];
    in->row_y = &isa_rows[e->row - 1];
    if (wide) return DECODE_OK;
    in->f[F_vdsty] |= ~in->f[F_vdstx] & 1; // opposite parity (TRAP-019)
    in->f[F_vdsty] |= SRC_VGPR0;
    return DECODE_OK;
}

static bool has_tail(const struct format *format, const uint32_t *words) {
    for (unsigned i = 1; i < format->words; i++)
        if ((words[i] ^ format->tail_match[i - 1]) & format->tail_mask[i - 1]) return false;
    return true;
}

static enum decode_status decode_one(const struct isa *isa, const uint8_t *bytes, size_t available,
                                     struct insn *out) {
    memset(out, 0, sizeof *out);
    out->size = available < 4 ? (uint8_t)available : 4;
    if (available < 4) return DECODE_TRUNCATED;
    uint32_t words[5] = {rd32(bytes)};
    size_t have = available / 4 < 5 ? available / 4 : 5;
    for (size_t i = 1; i < have; i++) words[i] = rd32(bytes + 4 * i);

    for (unsigned s = isa->top[words[0] >> 23]; s; s = isa->spaces[s - 1].next) {
        const struct space *space = &isa->spaces[s - 1];
        if ((words[0] & space->mask) != space->match) continue;
        if (have < space->format->words) {
            if (space->next) continue; // a longer one than what is there
            return DECODE_TRUNCATED;
        }
        if (!has_tail(space->format, words)) continue;
        unsigned op = opcode_of(space->format, words);
        bool vopd = space->format->id == FMT_VOPD || space->format->id == FMT_VOPD3;
        const struct entry *e = op < space->count ? &space->index[op] : NULL;
        if (!vopd && (!e || !e->row)) return DECODE_UNKNOWN;
        out->format = vopd ? space->format : isa->formats[e->format];
        unsigned size = out->format->words;
        if (have < size) return DECODE_TRUNCATED;
        extract(out->format, words, out->f);
        if (vopd) {
            if (decode_vopd(isa, out, op) != DECODE_OK) return DECODE_UNKNOWN;
        } else {
            out->row = &isa_rows[e->row - 1];
            out->two_forms = e->two_forms;
        }

        bool bad = false;
        const struct format *suffix = suffix_format(isa, out, &bad);
        if (bad) return DECODE_BAD_OPERAND;
        if (suffix) {
            if (have < size + 1) return DECODE_TRUNCATED;
            out->f[F_src0] = 0;
            extract(suffix, words + size, out->f);
            out->sdwa_sdst = suffix->id == FMT_SDWAB && suffix->present[F_sdst >> 6] >> (F_sdst & 63) & 1;
            size++;
        } else {
            unsigned literal = vopd ? 0 : wants_literal(isa, out);
            if (space->format->id == FMT_VOPD) {
                struct insn y = {.row = out->row_y};
                literal = takes_literal(out) || takes_literal(&y) || out->f[F_src0x] == SRC_LITERAL ||
                          out->f[F_src0y] == SRC_LITERAL;
            }
            if (literal) {
                if (have < size + literal) return DECODE_TRUNCATED;
                out->suffix = SUFFIX_LITERAL;
                out->has_literal = true;
                out->f[F_literal] = (int32_t)words[size++];
                out->wide_literal = literal == 2;
                if (literal == 2) out->f[F_literal_hi] = (int32_t)words[size++];
            }
        }
        // A buffer offset is a register or an inline constant.
        if ((out->format->id == FMT_MUBUF || out->format->id == FMT_MTBUF) &&
            out->f[F_soffset] == SRC_LITERAL)
            return DECODE_BAD_OPERAND;
        if (out->format->id == FMT_MIMG && insn_has(out, F_nsa)) { // four address registers a word
            unsigned nsa = (unsigned)out->f[F_nsa];
            if (have < size + nsa) return DECODE_TRUNCATED;
            for (unsigned i = 0; i < 4 * nsa; i++)
                out->f[F_vaddr1 + i] = SRC_VGPR0 + (int32_t)(words[size + i / 4] >> 8 * (i & 3) & 255);
            size += nsa;
        }
        out->size = (uint8_t)(4 * size);
        return DECODE_OK;
    }
    return DECODE_UNKNOWN;
}

// v_mfma_ld_scale_b32 and a matrix instruction that asks for scales (abid 1) are one instruction (TRAP-210).
static void join_scales(const struct isa *isa, const uint8_t *bytes, size_t available, struct insn *out) {
    struct insn next;
    if (available < 16 || decode_one(isa, bytes + 8, available - 8, &next) != DECODE_OK) return;
    if (next.format->id != FMT_MAI || next.row->src[0].type != T_F8F6F4 || next.f[F_abid] != 1) return;
    next.f[F_scale0] = out->f[F_src0];
    next.f[F_scale1] = out->f[F_src1];
    next.f[F_scale_sel] = out->f[F_op_sel] & 3;
    next.f[F_scale_sel_hi] = out->f[F_op_sel_hi] & 3;
    next.scaled = true;
    next.size = 16;
    *out = next;
}

enum decode_status insn_decode(const struct isa *isa, const uint8_t *bytes, size_t available,
                               struct insn *out) {
    enum decode_status status = decode_one(isa, bytes, available, out);
    if (isa->scale_prefix && status == DECODE_OK && out->row->class == CLASS_SCALE)
        join_scales(isa, bytes, available, out);
    return status;
}

unsigned operand_width(const struct isa *isa, const struct insn *in, struct operand_spec spec, bool wave32) {
    unsigned dwords = operand_dwords[spec.type];
    switch (spec.type) {
    case T_MASK: return wave32 ? 1 : 2;
    case T_W64:
    case T_W128:
    case T_W256: return wave32 ? dwords : dwords / 2;
    case T_F8F6F4: {
        int format = in->f[spec.field == F_src0 ? F_cbsz : F_blgp];
        return format < 2 || format > 4 ? 8 : format < 4 ? 6 : 4;
    }
    case T_MATRIX: {
        int format = in->f[spec.field == F_src0 ? F_op_sel : F_op_sel_hi];
        return format < 2 || format > 4 ? 16 : format < 4 ? 12 : 8;
    }
    case T_D16_XY:
    case T_D16_XYZ:
    case T_D16_XYZW: return isa->packed_d16 ? dwords : spec.type - T_D16_XY + 2u;
    default: return dwords;
    }
}

// ---- Where an operand is, by kind of format ----

// No field of the encoding holds it: a mask is VCC then, anything else is not there.
static struct operand absent(struct operand_spec s, unsigned dwords) {
    return s.type == T_MASK ? pack_operand(SRC_VCC_LO, s.type, dwords, false, false)
                            : pack_operand(0, T_NO_OPERAND, dwords, false, false);
}

static struct operand in_field(const struct insn *in, enum field field, struct operand_spec s,
                               unsigned dwords) {
    if (!insn_has(in, field)) return absent(s, dwords);
    return pack_operand((unsigned)in->f[field] & 0xffff, s.type, dwords, false, false);
}

// What v_cmpx writes beside EXEC, where it writes nothing else.
static bool is_exec_only(const struct isa *isa, const struct insn *in, struct operand_spec s) {
    return s.type == T_MASK && s.field == F_sdst && isa->cmpx_exec_only && in->row->writes & R_EXEC;
}

static struct operand in_short(const struct isa *isa, const struct insn *in, struct operand_spec s,
                               unsigned dwords) {
    bool sdwa = in->suffix == SUFFIX_SDWA;
    if (s.field == F_sdst && s.type != T_MASK) // readlane: a scalar register in the VGPR's field
        return pack_operand((unsigned)in->f[F_vdst] & 255, s.type, dwords, false, false);
    if (!insn_has(in, s.field) && !(sdwa && s.field == F_sdst && in->f[F_sd])) return absent(s, dwords);
    unsigned code = (unsigned)in->f[s.field] & 0xffff;
    if (s.field == F_src1 && in->row->scalars & 2) code &= 255; // GFX6: lane number
    // SDWA names VGPRs with 8 bits and, from GFX9, SGPRs when its s bit is set.
    if (sdwa && (s.field == F_src0 || s.field == F_src1))
        code = (code & 255) + (in->f[s.field == F_src0 ? F_src0_s : F_src1_s] ? 0 : SRC_VGPR0);
    if (s.type == T_AGPR && code >= SRC_VGPR0) code += SRC_AGPR0 - SRC_VGPR0; // v_accvgpr_mov
    if (code < SRC_VGPR0 || !isa->true16 || !is_half(s.type))
        return pack_operand(code, s.type, dwords, false, false);
    return pack_operand(code & ~128u, s.type, dwords, true, code & 128); // the top bit chooses the half
}

static struct operand in_long(const struct isa *isa, const struct insn *in, struct operand_spec s,
                              unsigned dwords) {
    if (!insn_has(in, s.field)) return absent(s, dwords);
    unsigned code = (unsigned)in->f[s.field] & 0xffff;
    if (in->format->id == FMT_VINTERP && is_half(s.type)) code |= SRC_VGPR0;
    if (code < SRC_VGPR0 || !isa->true16 || !is_half(s.type))
        return pack_operand(code, s.type, dwords, false, false);
    int bit = source_number(s.field) >= 0 ? source_number(s.field) : 3; // op_sel chooses the half
    return pack_operand(code, s.type, dwords, true, in->f[F_op_sel] >> bit & 1);
}

// Both halves read like the first: whoever asks for the second puts its fields there.
static struct operand in_vopd(const struct insn *in, struct operand_spec s, unsigned dwords) {
    enum field field = s.field == F_vdst   ? F_vdstx
                       : s.field == F_src0 ? F_src0x
                       : s.field == F_src1 ? F_src1x
                       : s.field == F_src2 ? F_src2x
                                           : s.field;
    struct operand o = in_field(in, field, s, dwords);
    if (field == F_src2x && o.type && s.type != T_MASK) o.code |= SRC_VGPR0; // of masks it holds SGPRs
    return o;
}

// A and B have a bit each that says that they are AGPRs; C and D share one, and before gfx90a are AGPRs.
static struct operand in_matrix(const struct isa *isa, const struct insn *in, struct operand_spec s,
                                unsigned dwords) {
    struct operand o = in_field(in, s.field, s, dwords);
    if (!o.type || o.code < SRC_VGPR0) return o;
    bool sum = s.field == F_vdst || (s.field == F_src2 && s.type == in->row->dst[0].type), agpr;
    if (in->row->class == CLASS_ACC_MOVE) // says itself which operand is one
        agpr = s.type == T_AGPR;
    else if (sum)
        agpr = in->f[F_acc_cd] || !isa->accvgpr_memory;
    else
        agpr = s.field != F_src2 && in->f[F_acc] >> (s.field == F_src1) & 1;
    if (agpr) o.code += SRC_AGPR0 - SRC_VGPR0;
    return o;
}

// One bit makes AGPRs of all data; GWS has data in the place of an address.
static struct operand in_memory(const struct insn *in, struct operand_spec s, unsigned dwords) {
    struct operand o = in_field(in, s.field, s, dwords);
    bool data = s.field == F_vdst || s.field == F_vdata || s.field == F_data0 || s.field == F_data1 ||
                (s.field == F_addr && in->row->class == CLASS_GWS);
    if (data && o.code >= SRC_VGPR0 && insn_has(in, F_acc) && in->f[F_acc]) o.code += SRC_AGPR0 - SRC_VGPR0;
    return o;
}

// Which of the four pairs of bits in vgpr_msb is for the register in a field.
static unsigned msb_role(const struct insn *in, enum field field) {
    enum { SOURCE_0, SOURCE_1, SOURCE_2, DESTINATION };
    const unsigned format = in->format->id;
    switch ((unsigned)field) {
    case F_src1:
    case F_src1x:
    case F_src1y: // FMAMK reads its second register where others read their third
        return in->row->src[1].field == F_literal ? SOURCE_2 : SOURCE_1;
    case F_src2:
    case F_src2x:
    case F_src2y:
    case F_data1: return SOURCE_2;
    case F_vdst:
    case F_vdstx:
    case F_vdsty: return DESTINATION;
    case F_vdata: return format == FMT_MUBUF ? DESTINATION : SOURCE_1;
    case F_data0: return SOURCE_1;
    default: return SOURCE_0; // src0, addresses
    }
}

static unsigned with_msb(const struct insn *in, enum field field, unsigned code) {
    if (code < SRC_VGPR0 || field == F_scale0 || field == F_scale1) return code;
    return code + ((unsigned)in->vgpr_msb >> 2 * msb_role(in, field) & 3) * 256;
}

unsigned insn_vgpr(const struct insn *in, enum field field) {
    return with_msb(in, field, (unsigned)in->f[field] & 0xffff);
}

static struct operand operand_by_format(const struct isa *isa, const struct insn *in,
                                        struct operand_spec spec, bool wave32) {
    unsigned dwords = operand_width(isa, in, spec, wave32), format = in->format->id;
    if (spec.field == F_literal) return pack_operand(SRC_LITERAL, spec.type, dwords, false, false);
    if (is_exec_only(isa, in, spec)) return pack_operand(0, T_NO_OPERAND, dwords, false, false);
    switch (format) {
    case FMT_VOP1:
    case FMT_VOP2:
    case FMT_VOPC: return in_short(isa, in, spec, dwords);
    case FMT_VOP3:
    case FMT_VOP3S:
    case FMT_VINTERP: return in_long(isa, in, spec, dwords);
    case FMT_VOPD:
    case FMT_VOPD3: return in_vopd(in, spec, dwords);
    case FMT_VINTRP: return in_field(in, spec.field == F_src1 ? F_vsrc : spec.field, spec, dwords);
    case FMT_MAI: return in_matrix(isa, in, spec, dwords);
    default: return format < FMT_DS ? in_field(in, spec.field, spec, dwords) : in_memory(in, spec, dwords);
    }
}

struct operand insn_operand_at_length(const struct isa *isa, const struct insn *in, struct operand_spec spec,
                                      bool wave32) {
    struct operand o = operand_by_format(isa, in, spec, wave32);
    if (in->vgpr_msb) o.code = (uint16_t)with_msb(in, (enum field)spec.field, o.code);
    return o;
}
