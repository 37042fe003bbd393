// SPDX-License-Identifier: MIT
// Operands of the source space as byte offsets, and the translation of scalar rows and control flow.
//
// Conventions that the bodies rely on: d = first destination, a, b, c = sources in row order, a second
// destination in e. simm16 is a source at OP_IMM (op->imm zero-extended), a literal too. Branches and calls
// have the byte offset of their target in e, and d = 1 when it lies behind them.
#include "exec/body/body.h"
#include "exec/body/flags.h"
#include "exec/decode/control_ops.h"
#include "exec/machine.h"
#include "exec/body/steps.h"
#include "isa/names.h"

static bool register_range(const struct code_facts *f, unsigned code, unsigned dwords, uint32_t *index) {
    if (code >= SRC_AGPR0 && !f->isa->vgpr_msb) {
        *index = f->agpr_base + (code - SRC_AGPR0);
        return code - SRC_AGPR0 + dwords <= f->agprs;
    }
    *index = code - SRC_VGPR0;
    return *index + dwords <= f->vgprs;
}

static uint32_t constant_offset(unsigned code, unsigned type) {
    unsigned i = code - 128;
    if (operand_bits[type] == 64) return WAVE_OFFSET(constant64) + 8 * i;
    if (type == T_BF16 || type == T_V2BF16) return WAVE_OFFSET(constant_bf16) + 4 * i;
    // 16-bit integers read a real constant's pattern of 32 bits (TRAP-026).
    if (type == T_F16 || type == T_V2F16) return WAVE_OFFSET(constant16) + 4 * i;
    // A two-dword operand of 32-bit elements reads the constant into both.
    return WAVE_OFFSET(constant32) + 4 * i;
}

// Trap handlers' registers; before GFX9 the first of them are their addresses. Elsewhere writes to them are
// ignored, and some processors hide what they hold (TRAP-373).
static bool is_ttmp(unsigned code) { return code >= 108 && code < 124; }

uint32_t source_offset(const struct translator *t, unsigned code, unsigned type, unsigned dwords) {
    const struct code_facts *f = t->facts;
    if (is_vector(code)) {
        uint32_t index;
        if (register_range(f, code, dwords, &index)) return vgpr_offset(f, index);
        return vgpr_offset(f, dwords <= f->vgprs ? 0 : vector_registers(f)); // TRAP-394; or zeros
    }
    if (f->null && code == f->null) return WAVE_OFFSET(zeros);
    if (is_ttmp(code) && has(f->processor, CAP_ttmps_read_zero)) return WAVE_OFFSET(zeros);
    if (code < 128) return sgpr_offset(code);
    if (is_zero_flag(code)) return code == 251 ? WAVE_OFFSET(vccz) : WAVE_OFFSET(execz);
    if (code == 253) return WAVE_OFFSET(scc);
    if (code == SRC_LITERAL) return OP_IMM;
    return constant_offset(code, dwords == 2 && operand_bits[type] == 32 ? T_B64 : type);
}

uint32_t destination_offset(const struct translator *t, unsigned code, unsigned dwords) {
    const struct code_facts *f = t->facts;
    if (is_vector(code)) {
        uint32_t index;
        return register_range(f, code, dwords, &index) ? vgpr_offset(f, index) : UINT32_MAX; // TRAP-395
    }
    if ((f->null && code == f->null) || is_ttmp(code)) return WAVE_OFFSET(null_sink);
    return code + dwords <= 128 ? sgpr_offset(code) : WAVE_OFFSET(null_sink);
}

// The step puts it where VCCZ and EXECZ are found: one place each for who reads 64 bits, and their halves.
void emit_scratch_base(struct translator *t) { emit_op(t, t->facts->steps->scratch_base); }
uint32_t scratch_base_offset(unsigned code) { return WAVE_OFFSET(vccz) + (code == 231 ? 4 : 0); }

unsigned half_source_type(const struct body *body) {
    return body->half_source == F16_SOURCE ? T_F16 : T_BF16;
}

uint64_t literal_of(uint32_t literal, unsigned type) {
    switch (type) {
    case T_F64: return (uint64_t)literal << 32;
    case T_I64: return (uint64_t)(int64_t)(int32_t)literal;
    default: return literal;
    }
}

// ---- Scalar rows ----

// s_setpc and its kin.
static bool control_jumps(const struct row *row) {
    return row->flags & ROW_TERMINATOR && row->flags & ROW_NO_FALL_THROUGH && row->src[0].type &&
           operand_dwords[row->src[0].type] == 2;
}

bool control_ends_block(const struct row *row) { return row->flags & ROW_CALL; }

// Fills one source; false when it is something that cannot be executed.
static bool put_source(struct translator *t, const struct insn *in, struct operand_spec spec, struct op *op,
                       uint32_t *slot) {
    const struct code_facts *f = t->facts;
    if (spec.field == F_simm16) {
        op->imm = (uint16_t)in->f[F_simm16];
        *slot = OP_IMM;
        return true;
    }
    struct operand o = insn_operand(f->isa, in, spec, f->wave32);
    const bool wide = in->wide_literal && o.code == SRC_LITERAL64;
    if (wide) o.code = SRC_LITERAL;
    if (is_scratch_base(f->isa, o.code)) {
        *slot = scratch_base_offset(o.code);
        return true;
    }
    if (o.code == SRC_LDS_DIRECT) {
        t->gap = "LDS_DIRECT operand";
        return false;
    }
    if (o.code == SRC_LITERAL) op->imm = literal_of((uint32_t)in->f[F_literal], o.type);
    if (wide) op->imm = wide_literal_of(in);
    *slot = source_offset(t, o.code, o.type, o.dwords);
    return true;
}

// What a step before the instruction finds for it.
static void emit_found(struct translator *t, const struct insn *in) {
    const struct operand_spec *s = in->row->src;
    for (int i = 0; i < 3 && s[i].type; i++)
        if ((s[i].field == F_ssrc0 || s[i].field == F_ssrc1) && s[i].type != T_SENDMSG &&
            is_scratch_base(t->facts->isa, (unsigned)in->f[s[i].field])) {
            emit_scratch_base(t);
            return;
        }
    for (int i = 0; i < 3 && s[i].type; i++)
        if ((s[i].field == F_ssrc0 || s[i].field == F_ssrc1) && s[i].type != T_SENDMSG &&
            is_zero_flag((unsigned)in->f[s[i].field])) {
            emit_op(t, t->facts->steps->zero_flags);
            return;
        }
}

static bool translate_branch(struct translator *t, const struct insn *in, const struct body *body) {
    if (in->row->flags & ROW_CALL && t->vgpr_msb) {
        t->gap = "a call behind s_set_vgpr_msb";
        return false;
    }
    if (!keep_setting(t, t->pc + 4 + (uint64_t)((int64_t)(int16_t)in->f[F_simm16] * 4))) return false;
    struct op *op = emit_op(t, body->fn[0]);
    uint32_t target = t->pc + 4 + (uint32_t)((int32_t)(int16_t)in->f[F_simm16] * 4);
    op->e = target;
    op->d = target <= t->pc;
    if (in->row->flags & ROW_CALL) {
        struct operand o = insn_operand(t->facts->isa, in, in->row->dst[0], false);
        op->d = destination_offset(t, o.code, 2);
    }
    if (in->row->src[1].type == T_LABEL) { // a register that is read, written or both
        struct operand o = insn_operand(t->facts->isa, in, in->row->src[0], false);
        op->a = source_offset(t, o.code, o.type, o.dwords);
        op->b = destination_offset(t, o.code, o.dwords);
    }
    return true;
}

// Of MODE on processors whose VGPR numbers have upper bits, bits 19:12 are those, in another order:
// destination, src0, src1, src2 from bit 12 on. No wave has them in its MODE: decoding knows them.
enum { MODE_MSB_SHIFT = 12, MODE_MSBS = 0xff << MODE_MSB_SHIFT };
static uint32_t msb_to_mode(unsigned msb) { return ((msb << 2 & 0xfc) | msb >> 6) << MODE_MSB_SHIFT; }
static unsigned msb_of_mode(uint32_t mode) {
    const unsigned m = mode >> MODE_MSB_SHIFT & 255;
    return m >> 2 | (m & 3) << 6;
}
// The bits of a hardware register that s_setreg and s_getreg name.
struct mode_field {
    bool is_mode; // of MODE
    unsigned shift;
    uint32_t mask;
};
static struct mode_field mode_field_of(const struct insn *in) {
    enum { HWREG_NUMBER_OF_MODE = 1 };
    const unsigned simm = (unsigned)in->f[F_simm16], shift = simm >> 6 & 31, size = (simm >> 11 & 31) + 1;
    return (struct mode_field){.is_mode = (simm & 63) == HWREG_NUMBER_OF_MODE,
                               .shift = shift,
                               .mask = (uint32_t)(~0ull >> (64 - size) << shift)};
}
static bool is_mode(const struct translator *t, const struct insn *in) {
    return t->settings && mode_field_of(in).is_mode;
}
static bool set_mode_msbs(struct translator *t, const struct insn *in) {
    const unsigned shift = mode_field_of(in).shift;
    const uint32_t mask = mode_field_of(in).mask;
    if (!is_mode(t, in) || !(mask & MODE_MSBS)) return true;
    if (in->row->src[1].field != F_literal) {
        t->gap = "upper bits of VGPR numbers from a register";
        return false;
    }
    const uint32_t value = (uint32_t)in->f[F_literal] << shift;
    t->vgpr_msb = msb_of_mode((msb_to_mode(t->vgpr_msb) & ~mask) | (value & mask));
    return true;
}

bool may_skip_vectors(const struct code_facts *f, const struct insn *in) {
    const struct row *row = in->row;
    if (row->class == CLASS_SKIP) return true;
    if (row->src[0].type != T_HWREG || !row->src[1].type || !fact(f->processor, FACT_vector_skip))
        return false;
    const struct mode_field m = mode_field_of(in);
    return m.is_mode && m.mask & MODE_VSKIP &&
           (row->src[1].field != F_literal || (uint32_t)in->f[F_literal] << m.shift & MODE_VSKIP);
}

static bool translate_setreg(struct translator *t, const struct insn *in, const struct body *body) {
    if (!set_mode_msbs(t, in)) return false;
    struct op *op = emit_op(t, body->fn[0]);
    op->e = (uint16_t)in->f[F_simm16];
    return put_source(t, in, in->row->src[1], op, &op->a);
}

// s_set_gpr_idx_on/off/mode/idx: told apart by their operands.
static bool translate_gpr_index(struct translator *t, const struct insn *in, const struct body *body) {
    emit_found(t, in);
    struct op *op = emit_op(t, body->fn[0]);
    op->b = sgpr_offset(t->facts->m0);
    if (in->format->id == FMT_SOPC) { // source 1 is a raw field (TRAP-016)
        t->gpr_index = (unsigned)in->f[F_ssrc1] & 15;
        op->e = INDEX_VALUE | INDEX_MODE;
        op->imm = t->gpr_index;
        return put_source(t, in, in->row->src[0], op, &op->a);
    }
    if (in->format->id == FMT_SOP1) {
        op->e = INDEX_VALUE;
        return put_source(t, in, in->row->src[0], op, &op->a);
    }
    const bool mode = in->row->src[0].type == T_GPR_IDX;
    t->gpr_index = mode ? (unsigned)in->f[F_simm16] & 15 : 0;
    op->e = mode ? INDEX_MODE : 0;
    op->imm = t->gpr_index;
    return true;
}

static bool is_gpr_index(const struct insn *in) {
    return in->row->reads & R_MODE && !(in->row->dst[0].type) && !(in->row->flags & ROW_BRANCH) &&
           (in->row->src[0].type == T_GPR_IDX || in->row->writes & R_MODE) &&
           in->row->src[0].type != T_HWREG && in->row->src[0].type != T_IMM16 &&
           in->row->src[0].type != T_SMALL && in->row->class != CLASS_SKIP; // s_denorm_mode
}

// Nothing is left to do where the result goes to a TTMP and SCC is not written with it.
static bool is_without_effect(const struct translator *t, const struct insn *in) {
    const struct row *row = in->row;
    return row->dst[0].type && row->writes == R_SCC && has(t->facts->processor, CAP_ttmp_write_keeps_scc) &&
           is_ttmp(insn_operand(t->facts->isa, in, row->dst[0], t->facts->wave32).code);
}

static bool is_message_without_answer(const struct translator *t, const struct insn *in) {
    if (!in->row->dst[0].type || in->row->src[0].type != T_SENDMSG) return false;
    const unsigned id = (unsigned)in->f[F_ssrc0];
    return !message_has_answer(id) || !isa_name(t->facts->isa, NAME_MESSAGE, id);
}

bool translate_scalar(struct translator *t, const struct insn *in, const struct body *body) {
    const struct row *row = in->row;
    const struct code_facts *f = t->facts;
    if (row->src[0].type == T_LABEL || row->src[1].type == T_LABEL) return translate_branch(t, in, body);
    if (row->src[0].type == T_HWREG && row->src[1].type) return translate_setreg(t, in, body);
    if (body->shape == SHAPE_SPECIAL && is_gpr_index(in)) return translate_gpr_index(t, in, body);

    if (is_without_effect(t, in)) return true;
    if (row->flags & (ROW_BRANCH | ROW_CALL) || control_jumps(row)) {
        if (t->vgpr_msb) {
            t->gap = "a jump to an address in registers behind s_set_vgpr_msb";
            return false;
        }
    }
    if (is_message_without_answer(t, in)) {
        t->gap = "a message whose answer is not documented";
        return false;
    }
    emit_found(t, in);
    struct op *op = emit_op(t, body->fn[0]);
    op->imm = row->reads & R_M0 ? fact(f->processor, FACT_movrel_zero) // TRAP-393
                                : t->pc + in->size;
    op->e = row->flags & ROW_BRANCH ? t->pc + in->size : sgpr_offset(f->m0); // for movrel
    uint32_t *slots[] = {&op->a, &op->b, &op->c};
    for (int i = 0; i < 3 && row->src[i].type; i++) {
        if (row->src[i].type == T_SENDMSG && row->src[i].field == F_ssrc0)
            op->e = (uint32_t)in->f[F_ssrc0];
        else if (!put_source(t, in, row->src[i], op, slots[i]))
            return false;
    }
    if (body->half_source) {
        const struct operand o = insn_operand(f->isa, in, row->src[0], f->wave32);
        if (o.code >= 128 && o.code != SRC_LITERAL)
            op->a = source_offset(t, o.code, half_source_type(body), 1);
    }
    if (row->dst[0].type) {
        struct operand o = insn_operand(f->isa, in, row->dst[0], f->wave32);
        op->d = destination_offset(t, o.code, o.dwords);
        if (row->src[0].type == T_SENDMSG) op->b = o.dwords == 2;
        if (row->src[0].type == T_HWREG) op->e = is_mode(t, in) ? MODE_HAS_MSB | msb_to_mode(t->vgpr_msb) : 0;
        if (o.dwords == 1 && op->d == WAVE_OFFSET(exec)) emit_op(t, f->steps->exec_written);
    }
    return true;
}
