// SPDX-License-Identifier: MIT
// From a row's columns and an instruction's fields to what the instruction touches (effect.h). Registers that
// swallow what is written to them (NULL, TTMPs outside trap handlers) and constants have no range.
#include "isa/effect.h"

#include "isa/effect_kinds.h"
#include "isa/kinds.h"
#include "isa/names.h"

static const uint8_t kinds[] = {
#define I(row_id, sem, ...) EFFECT_KIND_OF(sem),
#include "isa/rows.def"
#undef I
};
static const uint8_t waits[] = {
#define I(row_id, sem, ...) EFFECT_WAITS_OF(row_id),
#include "isa/rows.def"
#undef I
};
static const uint8_t atomic_bytes[] = {
#define ATOMIC(name, bytes) [ATOMIC_##name] = bytes,
#include "isa/atomics.def"
#undef ATOMIC
};

struct maker {
    const struct effect_context *c;
    const struct isa *isa;
    const struct insn *in;
    const struct row *row;
    enum effect_kind kind;
    struct effect *e;
};

enum {
    VCCZ = 251,
    EXECZ = 252,
    SCC_SOURCE = 253,
    SCALARS = 128,
    FIRST_TTMP = 108,
    TTMPS_END = 124,
    WHOLE = 15
};
enum { PER_LANE = EFFECT_EXEC | EFFECT_OWN_LANE };
enum { RELATIVE_SCALARS = 108, ROLE_TARGET = 3 };

// ---- Ranges ----

static unsigned mask_dwords(const struct maker *m) { return m->c->wave32 ? 1 : 2; }

static void put(struct maker *m, unsigned bank, unsigned first, unsigned count, unsigned bytes,
                unsigned flags) {
    struct effect *e = m->e;
    if (!count || e->count == EFFECT_RANGES) return;
    e->ranges[e->count++] = (struct effect_range){(uint8_t)bank, (uint8_t)flags, (uint8_t)bytes,
                                                  (uint16_t)first, (uint16_t)count};
}

static void put_scalars(struct maker *m, unsigned code, unsigned count, unsigned flags) {
    const bool writes = flags & EFFECT_WRITES, is_ttmp = code >= FIRST_TTMP && code < TTMPS_END;
    if (m->isa->null_register && code == m->isa->null_register) return;
    if (is_ttmp && (writes || has(m->c->processor, CAP_ttmps_read_zero))) return;
    if (writes && code + count > SCALARS) return;
    put(m, BANK_SCALAR, code, code + count > SCALARS ? SCALARS - code : count, WHOLE, flags);
}

static void put_vcc(struct maker *m, unsigned flags) { put_scalars(m, SRC_VCC_LO, mask_dwords(m), flags); }
static void put_exec(struct maker *m, unsigned count, unsigned flags) {
    put_scalars(m, SRC_EXEC_LO, count, flags);
}
static void put_m0(struct maker *m, unsigned flags) { put_scalars(m, m->isa->m0_register, 1, flags); }

// Registers by the number that an operand has.
static void put_code(struct maker *m, unsigned code, unsigned count, unsigned bytes, unsigned flags) {
    if (code >= SRC_AGPR0)
        put(m, BANK_ACC, code - SRC_AGPR0, count, bytes, flags);
    else if (code >= SRC_VGPR0)
        put(m, BANK_VECTOR, code - SRC_VGPR0, count, bytes, flags);
    else if (code < SCALARS) {
        const unsigned before = m->e->count;
        put_scalars(m, code, count, flags & ~(unsigned)(PER_LANE | EFFECT_RELATIVE));
        if (m->e->count > before) m->e->ranges[before].bytes = (uint8_t)bytes;
    } else if (code == VCCZ)
        put_vcc(m, 0);
    else if (code == EXECZ)
        put_exec(m, mask_dwords(m), 0);
    else if (code == SCC_SOURCE)
        m->e->reads |= STATE_SCC;
}

// ---- Parts of registers ----

static bool is_long_vector(const struct maker *m) {
    const unsigned f = m->in->format->id;
    return f == FMT_VOP3 || f == FMT_VOP3B || f == FMT_VOP3S;
}

static unsigned selected_bytes(unsigned select) { // SDWA
    return select < 4 ? 1u << select : select == 4 ? 3 : select == 5 ? 12 : WHOLE;
}

// The halves that both halves of a packed operation take.
static unsigned packed_bytes(const struct maker *m, unsigned i) {
    const int32_t *f = m->in->f;
    const bool chooses = m->row->flags & ROW_OPSEL_HI;
    const unsigned low = chooses ? (unsigned)f[F_op_sel] >> i & 1 : 0;
    const unsigned high = chooses ? (unsigned)f[F_op_sel_hi] >> i & 1 : 1;
    return (low ? 12 : 3) | (high ? 12 : 3);
}

static unsigned source_bytes(const struct maker *m, unsigned i, const struct operand *o) {
    const struct insn *in = m->in;
    if (in->suffix == SUFFIX_SDWA && i < 2) {
        const unsigned bytes = selected_bytes((unsigned)in->f[i ? F_src1_sel : F_src0_sel]);
        return bytes == WHOLE && is_half(o->type) ? 3 : bytes;
    }
    if (in->format->id == FMT_VOP3P) {
        const bool low = in->f[F_op_sel] >> i & 1, high = in->f[F_op_sel_hi] >> i & 1;
        switch (o->type) {
        case T_MIX: return !high ? WHOLE : low ? 12 : 3;
        case T_V2F16:
        case T_V2B16:
        case T_V2BF16: return packed_bytes(m, i);
        case T_F16:
        case T_BF16: return low ? 12 : 3;
        default: return WHOLE;
        }
    }
    if (!is_half(o->type)) return WHOLE;
    const bool high = o->half ? o->high
                              : is_long_vector(m) && m->row->flags & ROW_OPSEL && insn_has(in, F_op_sel) &&
                                    in->f[F_op_sel] >> i & 1;
    return high ? 12 : 3;
}

// Where results of 16 bits clear the other half, operations that exist in VOP3 only keep it all the same, and
// the others when they write the upper half (TRAP-148 to TRAP-150).
static bool keeps_other_half(const struct maker *m) {
    if (has(m->c->processor, CAP_hi16_preserved) || m->row->src[0].type == T_MIX) return true;
    if (!is_long_vector(m) || !insn_has(m->in, F_op_sel) || !(m->row->flags & ROW_OPSEL)) return false;
    return !m->in->two_forms || m->in->f[F_op_sel] >> 3 & 1;
}

static unsigned result_bytes(const struct maker *m, const struct operand *o) {
    enum { PRESERVE = 2 };
    const struct insn *in = m->in;
    const unsigned whole_select = 6;
    if (in->suffix == SUFFIX_SDWA && (unsigned)in->f[F_dst_sel] != whole_select)
        return in->f[F_dst_unused] == PRESERVE ? selected_bytes((unsigned)in->f[F_dst_sel]) : WHOLE;
    if (!is_half(o->type) || !keeps_other_half(m)) return WHOLE;
    const bool high = o->half
                          ? o->high
                          : m->row->flags & ROW_DST_HIGH ||
                                (is_long_vector(m) && m->row->flags & ROW_OPSEL && in->f[F_op_sel] >> 3 & 1);
    return high ? 12 : 3;
}

// ---- Vector instructions ----

static bool is_matrix(const struct row *row, unsigned format) {
    return (format == FMT_MAI && row->class != CLASS_ACC_MOVE) || row->class == CLASS_WMMA ||
           row->class == CLASS_SWMMAC;
}

static bool has_dpp(const struct insn *in) { return in->suffix == SUFFIX_DPP16 || in->suffix == SUFFIX_DPP8; }
static bool dpp_reads_all(const struct insn *in) {
    return in->suffix == SUFFIX_DPP8 ? in->dpp8_fi : in->f[F_fi];
}
// Some executing lanes may stay as they are: by the masks of rows and banks, or without a source.
static bool dpp_may_skip(const struct insn *in) {
    return in->suffix == SUFFIX_DPP16 &&
           (!in->f[F_bound_ctrl] || (in->f[F_row_mask] & 15) != 15 || (in->f[F_bank_mask] & 15) != 15);
}

// Pairs of dwords of which op_sel chooses (v_pk_*_f32).
static void put_pair(struct maker *m, const struct operand *o, unsigned i, unsigned flags) {
    if (m->kind == KIND_PAIR_MOVE) { // a dword of each
        put_code(m, o->code + ((unsigned)m->in->f[F_op_sel] >> i & 1), 1, WHOLE, flags);
        return;
    }
    const unsigned halves = packed_bytes(m, i);
    put_code(m, o->code + ((halves & 3) ? 0 : 1), halves == WHOLE ? 2 : 1, WHOLE, flags);
}

static void vector_source(struct maker *m, unsigned i) {
    const struct insn *in = m->in;
    const struct operand o = insn_operand(m->isa, in, m->row->src[i], m->c->wave32);
    unsigned flags = PER_LANE;
    if (o.type == T_NO_OPERAND || o.type == T_SWIZZLE) return;
    if (o.type == T_MASK) {
        put_scalars(m, o.code, o.dwords, PER_LANE);
        return;
    }
    const bool first = m->row->src[i].field == F_src0;
    switch (m->kind) {
    case KIND_OF_SCALARS:
    case KIND_READ_LANE: flags = 0; break;
    case KIND_READ_FIRST_LANE: flags = 0; break;
    case KIND_MATRIX: flags = 0; break;
    case KIND_PERMUTE_ROW:
        if (first) flags = in->f[F_op_sel] & 1 ? 0 : EFFECT_EXEC;
        break;
    case KIND_PERMUTE_ALL:
        if (m->c->wave32) return;
        flags = 0;
        break;
    case KIND_SWAP_ROWS: flags = 0; break;
    case KIND_EXCHANGE: flags = EFFECT_EXEC; break;
    case KIND_PULL: flags = m->row->src[i].field == F_addr ? PER_LANE : EFFECT_EXEC; break;
    case KIND_PULL_ALL: flags = m->row->src[i].field == F_addr ? PER_LANE : 0; break;
    default: break;
    }
    if (has_dpp(in) && first) flags = dpp_reads_all(in) ? 0 : EFFECT_EXEC;
    const unsigned role = m->row->src[i].field == F_vdst ? ROLE_TARGET : i;
    const bool indexed =
        role <= ROLE_TARGET && m->c->index >> role & 1 && o.code >= SRC_VGPR0 && o.code < SRC_AGPR0;
    const bool relative =
        (m->kind == KIND_RELATIVE_SOURCE || m->kind == KIND_RELATIVE_BOTH || m->kind == KIND_RELATIVE_SWAP) &&
        first;
    if (indexed || relative) {
        put(m, BANK_VECTOR, 0, 256, source_bytes(m, i, &o), flags | EFFECT_RELATIVE);
        put_m0(m, 0);
    } else if (in->format->id == FMT_VOP3P && (o.type == T_V2F32 || o.type == T_V2B32))
        put_pair(m, &o, i, flags);
    else
        put_code(m, o.code, o.dwords ? o.dwords : 1, source_bytes(m, i, &o), flags);
}

static void vector_result(struct maker *m, unsigned i) {
    const struct operand o = insn_operand(m->isa, m->in, m->row->dst[i], m->c->wave32);
    unsigned flags = EFFECT_WRITES | PER_LANE;
    if (o.type == T_NO_OPERAND) return;
    if (o.type == T_MASK) { // lanes that do not execute get 0
        put_scalars(m, o.code, o.dwords, EFFECT_WRITES | EFFECT_OWN_LANE);
        m->e->reads |= STATE_EXEC;
        return;
    }
    switch (m->kind) {
    case KIND_MATRIX:
        flags = EFFECT_WRITES;
        if (kinds[m->row - isa_rows] == KIND_HALF_MATRIX && !m->isa->wmma_spread) flags |= EFFECT_MAY;
        break;
    case KIND_WRITE_LANE: flags = EFFECT_WRITES | EFFECT_MAY; break;
    case KIND_PERMUTE_ROW:
        if (!(m->in->f[F_op_sel] & 3)) flags |= EFFECT_MAY;
        break;
    case KIND_PERMUTE_ALL:
        if (m->c->wave32) return;
        break;
    case KIND_INSERT:
    case KIND_INSERT_ROUNDS: flags |= EFFECT_MAY; break;
    default: break;
    }
    if (has_dpp(m->in) && dpp_may_skip(m->in)) flags |= EFFECT_MAY;
    const bool indexed = m->c->index >> ROLE_TARGET & 1 && o.code >= SRC_VGPR0 && o.code < SRC_AGPR0;
    if (indexed || m->kind == KIND_RELATIVE_TARGET || m->kind == KIND_RELATIVE_BOTH) {
        put(m, BANK_VECTOR, 0, 256, result_bytes(m, &o), flags | EFFECT_MAY | EFFECT_RELATIVE);
        put_m0(m, 0);
    } else
        put_code(m, o.code, o.dwords ? o.dwords : 1, result_bytes(m, &o), flags);
}

// Both operands are read and written.
static void vector_swap(struct maker *m) {
    for (unsigned k = 0; k < 2; k++) {
        const struct operand_spec spec = k ? m->row->src[0] : m->row->dst[0];
        const struct operand o = insn_operand(m->isa, m->in, spec, m->c->wave32);
        const unsigned bytes = m->kind == KIND_SWAP_HALVES ? o.high ? 12 : 3 : WHOLE;
        if (m->kind == KIND_RELATIVE_SWAP) {
            if (k) continue;
            put(m, BANK_VECTOR, 0, 256, WHOLE, PER_LANE | EFFECT_RELATIVE);
            put(m, BANK_VECTOR, 0, 256, WHOLE, PER_LANE | EFFECT_RELATIVE | EFFECT_WRITES | EFFECT_MAY);
            put_m0(m, 0);
            continue;
        }
        const bool rows = m->kind == KIND_SWAP_ROWS;
        put_code(m, o.code, 1, bytes, rows ? 0 : PER_LANE);
        put_code(m, o.code, 1, bytes, EFFECT_WRITES | (rows ? EFFECT_EXEC | EFFECT_MAY : PER_LANE));
    }
}

// Modifiers of results that ask MODE.
static bool finishes_by_mode(const struct maker *m) {
    const struct insn *in = m->in;
    const unsigned type = m->row->dst[0].type;
    if (!has(m->c->processor, CAP_ieee_mode)) return false;
    const bool clamp = insn_has(in, F_clamp) || in->suffix == SUFFIX_SDWA ? in->f[F_clamp] : false;
    const bool omod = m->row->flags & ROW_OMOD && in->f[F_omod];
    return is_float(type) && (clamp || omod);
}

static void vector_row(struct maker *m) {
    const struct row *row = m->row;
    if (m->kind == KIND_NOTHING) return;
    if (row->flags & ROW_SWAPS)
        vector_swap(m);
    else {
        for (unsigned i = 0; i < ROW_SRC && row->src[i].type; i++) vector_source(m, i);
        for (unsigned i = 0; i < ROW_DST && row->dst[i].type; i++) vector_result(m, i);
    }
    if (m->kind == KIND_ILLEGAL) return;
    if (row->reads & R_VCC) put_vcc(m, PER_LANE);
    if (row->writes & R_VCC) put_vcc(m, EFFECT_WRITES | EFFECT_OWN_LANE);
    if (row->writes & R_EXEC) put_exec(m, mask_dwords(m), EFFECT_WRITES | EFFECT_OWN_LANE);
    if (row->reads & R_MODE || m->kind == KIND_ROUNDS || m->kind == KIND_INSERT_ROUNDS || finishes_by_mode(m))
        m->e->reads |= STATE_MODE;
    if (m->kind != KIND_MATRIX && m->kind != KIND_WRITE_LANE && m->kind != KIND_READ_LANE &&
        m->kind != KIND_OF_SCALARS)
        m->e->reads |= STATE_EXEC;
}

static void vector_insn(struct maker *m) {
    const struct insn *in = m->in;
    m->e->unit = UNIT_VALU;
    m->e->control = m->kind == KIND_ILLEGAL ? CONTROL_TRAP : CONTROL_NEXT;
    if (in->scaled) {
        put_code(m, (unsigned)in->f[F_scale0], 1, WHOLE, 0);
        put_code(m, (unsigned)in->f[F_scale1], 1, WHOLE, 0);
    }
    vector_row(m);
    if (!in->row_y) return;
    struct insn y = *in;
    y.row = in->row_y;
    y.row_y = NULL;
    y.f[F_vdstx] = in->f[F_vdsty];
    y.f[F_src0x] = in->f[F_src0y];
    y.f[F_src1x] = in->f[F_src1y];
    struct maker second = *m;
    second.in = &y;
    second.row = y.row;
    second.kind = kinds[y.row - isa_rows];
    vector_row(&second);
}

// ---- Scalar instructions ----

static const char *hwreg_name(const struct maker *m) {
    const char *name = isa_name(m->isa, NAME_HWREG, (unsigned)m->in->f[F_simm16] & 63);
    return name ? name : "";
}
static bool ends_with(const char *text, const char *end) {
    const size_t n = strlen(text), k = strlen(end);
    return n >= k && !strcmp(text + n - k, end);
}

// GFX12 has a mode of scheduling, too.
static bool is_mode(const char *name) { return ends_with(name, "_MODE") && !ends_with(name, "_SCHED_MODE"); }

static void get_hwreg(struct maker *m) {
    const char *name = hwreg_name(m);
    struct effect *e = m->e;
    if (is_mode(name))
        e->reads |= STATE_MODE;
    else if (ends_with(name, "_TRAPSTS") || ends_with(name, "EXCP_FLAG_USER"))
        e->reads |= STATE_FLAGS;
    else if (ends_with(name, "_STATE_PRIV"))
        e->reads |= STATE_SCC;
    else if (ends_with(name, "_STATUS")) {
        e->reads |= STATE_SCC;
        put_vcc(m, 0);
        put_exec(m, mask_dwords(m), 0);
    } else if (ends_with(name, "FLAT_SCR_LO") || ends_with(name, "FLAT_SCR_HI") ||
               ends_with(name, "SCRATCH_BASE_LO") || ends_with(name, "SCRATCH_BASE_HI"))
        e->reads |= STATE_SCRATCH;
    else if (ends_with(name, "SHADER_CYCLES") || ends_with(name, "SHADER_CYCLES_LO") ||
             ends_with(name, "SHADER_CYCLES_HI"))
        e->reads |= STATE_CLOCK;
    else
        e->reads |= STATE_OTHER;
}

static void set_hwreg(struct maker *m) {
    const char *name = hwreg_name(m);
    unsigned state = 0;
    if (is_mode(name)) state = STATE_MODE;
    if (ends_with(name, "_TRAPSTS") || ends_with(name, "EXCP_FLAG_USER")) state = STATE_FLAGS;
    if (ends_with(name, "FLAT_SCR_LO") || ends_with(name, "FLAT_SCR_HI")) state = STATE_SCRATCH;
    m->e->writes |= (uint16_t)state;
    m->e->reads |= (uint16_t)state; // the other bits of it stay
}

static void scalar_source(struct maker *m, unsigned i) {
    const struct operand_spec spec = m->row->src[i];
    if (spec.field == F_simm16 || spec.type == T_LABEL) return;
    if (spec.type == T_SENDMSG || spec.type == T_GPR_IDX) return;
    const struct operand o = insn_operand(m->isa, m->in, spec, m->c->wave32);
    if (o.type == T_NO_OPERAND) return;
    const bool relative = m->kind == KIND_RELATIVE_SOURCE || m->kind == KIND_RELATIVE_BOTH;
    if (relative)
        put(m, BANK_SCALAR, 0, RELATIVE_SCALARS, WHOLE, EFFECT_RELATIVE);
    else
        put_code(m, o.code, o.dwords ? o.dwords : 1, WHOLE, 0);
}

static void scalar_result(struct maker *m) {
    if (!m->row->dst[0].type) return;
    const struct operand o = insn_operand(m->isa, m->in, m->row->dst[0], m->c->wave32);
    const bool relative = m->kind == KIND_RELATIVE_TARGET || m->kind == KIND_RELATIVE_BOTH;
    const bool partly = m->kind == KIND_IF_SCC || m->kind == KIND_SET_BIT;
    if (m->kind == KIND_ACCUMULATE) put_scalars(m, o.code, o.dwords, 0);
    if (relative)
        put(m, BANK_SCALAR, 0, RELATIVE_SCALARS, WHOLE, EFFECT_WRITES | EFFECT_MAY | EFFECT_RELATIVE);
    else
        put_scalars(m, o.code, o.dwords, EFFECT_WRITES | (partly ? EFFECT_MAY : 0u));
}

// Nothing is left to do where the result goes to a TTMP and SCC is not written with it.
static bool is_without_effect(const struct maker *m) {
    const struct row *row = m->row;
    if (!row->dst[0].type || row->writes != R_SCC || !has(m->c->processor, CAP_ttmp_write_keeps_scc))
        return false;
    const unsigned code = insn_operand(m->isa, m->in, row->dst[0], m->c->wave32).code;
    return code >= FIRST_TTMP && code < TTMPS_END;
}

static unsigned scalar_control(const struct maker *m) {
    const uint64_t flags = m->row->flags;
    const int32_t simm = m->in->f[F_simm16];
    switch (m->kind) {
    case KIND_ILLEGAL: return CONTROL_TRAP;
    case KIND_JUMP: return CONTROL_REGISTER | CONTROL_YIELD | (m->row->dst[0].type ? CONTROL_CALL : 0u);
    case KIND_END: return CONTROL_END;
    case KIND_KILL: return simm & 1 ? CONTROL_END : CONTROL_NEXT;
    case KIND_BARRIER: return CONTROL_NEXT | CONTROL_BARRIER | CONTROL_YIELD;
    case KIND_BARRIER_SIGNAL: return CONTROL_NEXT | CONTROL_BARRIER;
    case KIND_SLEEP: return CONTROL_NEXT | CONTROL_YIELD;
    case KIND_MESSAGE:
    case KIND_MESSAGE_RETURN: return CONTROL_NEXT | CONTROL_MESSAGE;

    case KIND_HALT: return simm & 5 ? CONTROL_TRAP : CONTROL_NEXT;
    case KIND_TRAP: return CONTROL_NEXT | CONTROL_TRAP;
    default: break;
    }
    if (m->kind == KIND_NOTHING) return CONTROL_NEXT; // debug branches, never taken
    if (flags & ROW_CALL) return CONTROL_TARGET | CONTROL_CALL | CONTROL_YIELD;
    if (!(flags & ROW_BRANCH)) return CONTROL_NEXT;
    return CONTROL_TARGET | (flags & ROW_NO_FALL_THROUGH ? 0u : CONTROL_NEXT) |
           ((int16_t)simm < 0 ? CONTROL_YIELD : 0u);
}

static void scalar_insn(struct maker *m) {
    const struct row *row = m->row;
    struct effect *e = m->e;
    e->control = (uint16_t)scalar_control(m);
    e->unit = m->in->format->id == FMT_SOPP || e->control & (CONTROL_TARGET | CONTROL_REGISTER) ? UNIT_BRANCH
                                                                                                : UNIT_SALU;
    if (m->kind == KIND_NOTHING && m->in->format->id == FMT_SOPP) e->unit = UNIT_NONE;
    if (e->control & CONTROL_TARGET) e->target = 4 + 4 * (int32_t)(int16_t)m->in->f[F_simm16];
    if (is_without_effect(m)) return;
    for (unsigned i = 0; i < ROW_SRC && row->src[i].type; i++) scalar_source(m, i);
    const unsigned exec_dwords = e->control & CONTROL_TARGET ? mask_dwords(m)
                                 : row->dst[0].type          ? operand_dwords[row->dst[0].type]
                                                             : 2;
    if (row->reads & R_VCC) put_vcc(m, 0);
    if (row->reads & R_EXEC && m->kind != KIND_MESSAGE) put_exec(m, exec_dwords, 0);
    if (row->reads & R_M0 && !(row->flags & ROW_BARRIER)) put_m0(m, 0);
    scalar_result(m);
    if (row->writes & R_VCC) put_vcc(m, EFFECT_WRITES);
    if (row->writes & R_EXEC) put_exec(m, exec_dwords, EFFECT_WRITES);
    if (row->writes & R_M0) put_m0(m, EFFECT_WRITES | EFFECT_MAY);
    if (row->reads & R_SCC) e->reads |= STATE_SCC;
    if (row->writes & R_SCC) e->writes |= STATE_SCC;
    switch (m->kind) {
    case KIND_GET_HWREG: get_hwreg(m); return;
    case KIND_SET_HWREG: set_hwreg(m); return;
    case KIND_SET_MODE:
        e->reads |= STATE_MODE;
        e->writes |= STATE_MODE;
        return;
    case KIND_JUMP:
        if (row->dst[0].type) e->reads |= STATE_PC;
        return;
    case KIND_GET_PC: e->reads |= STATE_PC; return;
    case KIND_MESSAGE_RETURN:
    case KIND_BARRIER_STATE: e->reads |= STATE_OTHER; return;
    default: break;
    }
    if (row->flags & ROW_CALL) e->reads |= STATE_PC;
    if (row->reads & R_MODE || m->kind == KIND_ROUNDS) e->reads |= STATE_MODE;
}

// ---- Memory ----

// Floats flush denormals by MODE, and round by it.
static bool is_float_atomic(unsigned atomic) {
    switch (atomic) {
    case ATOMIC_add_f32:
    case ATOMIC_add_f64:
    case ATOMIC_min_f32:
    case ATOMIC_max_f32:
    case ATOMIC_min_f64:
    case ATOMIC_max_f64:
    case ATOMIC_cmpswap_f32:
    case ATOMIC_cmpswap_f64:
    case ATOMIC_cmpst_f32:
    case ATOMIC_cmpst_f64:
    case ATOMIC_cmpstore_f32:
    case ATOMIC_cmpstore_f64:
    case ATOMIC_min_num_f32:
    case ATOMIC_min_num_f64:
    case ATOMIC_max_num_f32:
    case ATOMIC_max_num_f64:
    case ATOMIC_pk_add_f16:
    case ATOMIC_pk_add_bf16: return true;
    default: return false;
    }
}

static void put_policy(struct maker *m) {
    const int32_t *f = m->in->f;
    struct effect_memory *x = &m->e->memory;
    x->policy =
        (uint8_t)((f[F_glc] ? POLICY_GLC : 0) | (f[F_slc] ? POLICY_SLC : 0) | (f[F_dlc] ? POLICY_DLC : 0) |
                  (f[F_scc] ? POLICY_SCC : 0) | (f[F_nv] ? POLICY_NV : 0));
    x->th = (uint8_t)f[F_th];
    x->scope = (uint8_t)f[F_scope];
}

// TH bit 0, SC0 or GLC (TRAP-344, TRAP-345).
static bool asks_for_old(const struct insn *in) {
    return insn_has(in, F_th) ? in->f[F_th] & 1 : in->f[F_glc];
}

static struct operand operand_in(const struct maker *m, enum field field, bool dst) {
    const struct operand_spec *specs = dst ? m->row->dst : m->row->src;
    for (int i = 0; i < (dst ? ROW_DST : ROW_SRC); i++)
        if (specs[i].type && specs[i].field == field)
            return insn_operand(m->isa, m->in, specs[i], m->c->wave32);
    return (struct operand){.type = T_NO_OPERAND};
}

static bool is_off(const struct maker *m, unsigned code) {
    enum { NO_SADDR = 0x7f };
    return code == NO_SADDR || (m->isa->null_register && code == m->isa->null_register);
}

static void flat_address(struct maker *m) {
    const struct insn *in = m->in;
    struct effect_memory *x = &m->e->memory;
    const unsigned format = in->format->id, saddr = (unsigned)in->f[F_saddr];
    const bool off = !insn_has(in, F_saddr) || is_off(m, saddr), scratch = format == FMT_SCRATCH;
    bool has_vaddr = true;
    x->space = format == FMT_FLAT ? SPACE_FLAT : scratch ? SPACE_SCRATCH : SPACE_GLOBAL;
    x->address = m->kind == KIND_THREAD ? ADDRESS_THREAD : ADDRESS_LANES;
    x->offset = in->f[F_offset];
    if (scratch)
        has_vaddr = insn_has(in, F_sve)     ? in->f[F_sve]
                    : m->isa->null_register ? saddr == m->isa->null_register
                                            : off;
    if (m->kind == KIND_THREAD) has_vaddr = false;
    x->vaddr64 = !scratch && has_vaddr && (format == FMT_FLAT || off);
    if (has_vaddr) x->vaddr = (uint16_t)in->f[F_vaddr];
    if (!off && format != FMT_FLAT) x->saddr = (uint16_t)saddr;
    if (has_vaddr) put_code(m, x->vaddr, x->vaddr64 ? 2 : 1, WHOLE, PER_LANE);
    if (x->saddr != EFFECT_NOWHERE) put_code(m, x->saddr, scratch ? 1 : 2, WHOLE, 0);
    if (scratch || format == FMT_FLAT) {
        if (fact(m->c->processor, FACT_flat_scratch_sgprs))
            put_scalars(m, SRC_FLAT_SCRATCH_LO, 2, 0);
        else
            m->e->reads |= STATE_SCRATCH;
    }
}

static void lds_address(struct maker *m) {
    const struct insn *in = m->in;
    struct effect_memory *x = &m->e->memory;
    const int64_t unit = access_size(m->row->access) * (m->kind == KIND_TWO_64 ? 64 : 1);
    x->space = SPACE_LDS;
    x->address = m->kind == KIND_THREAD   ? ADDRESS_THREAD
                 : m->kind == KIND_APPEND ? ADDRESS_OFFSET
                                          : ADDRESS_LANES;
    if (m->kind == KIND_TWO || m->kind == KIND_TWO_64) {
        x->elements = 2;
        x->offset = in->f[F_offset0] * unit;
        x->offset2 = in->f[F_offset1] * unit;
    } else
        x->offset = in->f[F_offset0] | in->f[F_offset1] << 8;
    if (m->kind == KIND_TWO_APART) { // 15 bits with a sign, in dwords
        x->elements = 2;
        x->offset2 = 4 * (int64_t)((int32_t)((uint32_t)x->offset << 17) >> 17);
        x->offset = 0;
    }
    if (m->kind == KIND_CONDITIONAL) x->address = ADDRESS_LANES_8, x->bytes = 8;
    const struct operand a = operand_in(m, F_addr, false);
    if (a.type != T_NO_OPERAND) {
        x->vaddr = a.code;
        put_code(m, a.code, 1, WHOLE, m->kind == KIND_TRANSPOSE ? 0 : PER_LANE);
    }
    if (m->isa->m0_limits_lds || m->kind == KIND_THREAD) put_m0(m, 0);
}

static void buffer_address(struct maker *m) {
    const int32_t *f = m->in->f;
    struct effect_memory *x = &m->e->memory;
    x->space = SPACE_GLOBAL;
    x->address = ADDRESS_BUFFER;
    x->idxen = f[F_idxen], x->offen = f[F_offen], x->addr64 = f[F_addr64];
    x->offset = f[F_offset];
    x->srsrc = (uint16_t)f[F_srsrc];
    x->soffset = (uint16_t)f[F_soffset];
    const unsigned vgprs = x->addr64 ? 2 : (unsigned)x->idxen + x->offen;
    if (vgprs) {
        x->vaddr = (uint16_t)f[F_vaddr];
        put_code(m, x->vaddr, vgprs, WHOLE, PER_LANE);
    }
    put_code(m, x->srsrc, 4, WHOLE, 0);
    put_code(m, x->soffset, 1, WHOLE, 0);
    if (fact(m->c->processor, FACT_srd) >= SRD_GFX10) m->e->writes |= STATE_FLAGS; // out of range (BUF-74)
}

// The register that is added to a scalar address; -1: none.
static int scalar_offset(const struct maker *m, int64_t *offset) {
    const struct insn *in = m->in;
    const int32_t immediate = in->f[F_offset];
    *offset = 0;
    if (in->format->words == 1) { // immediates count dwords
        if (!in->has_literal && !in->f[F_imm]) return immediate;
        *offset = 4 * (in->has_literal ? (int64_t)(uint32_t)in->f[F_literal] : immediate);
        return -1;
    }
    if (!insn_has(in, F_imm)) {
        *offset = immediate;
        return in->f[F_soffset];
    }
    if (in->f[F_imm]) *offset = immediate; // TRAP-091
    return in->f[F_soe] ? in->f[F_soffset] : in->f[F_imm] ? -1 : immediate & 0x7f;
}

// Prefetches and the like access nothing, but the hardware reads the registers of the address.
static void scalar_address_registers(struct maker *m) {
    int64_t offset;
    if (m->row->src[0].type == T_NO_OPERAND) return; // all of the cache
    const struct operand base = operand_in(m, F_sbase, false);
    if (base.type != T_NO_OPERAND) put_code(m, base.code, base.dwords, WHOLE, 0);
    const int reg = scalar_offset(m, &offset);
    if (reg >= 0 && !is_off(m, (unsigned)reg)) put_code(m, (unsigned)reg, 1, WHOLE, 0);
}

static void scalar_address(struct maker *m) {
    struct effect_memory *x = &m->e->memory;
    const struct operand base = operand_in(m, F_sbase, false);
    x->space = SPACE_GLOBAL;
    x->address = base.dwords == 4 ? ADDRESS_SCALAR_BUFFER : ADDRESS_SCALAR;
    x->access |= MEMORY_WAVE;
    x->scale = m->kind == KIND_SCALAR_SCRATCH ? 64 : 1;
    x->saddr = base.code;
    put_code(m, base.code, base.dwords, WHOLE, 0);
    const int reg = scalar_offset(m, &x->offset);
    if (reg >= 0 && !is_off(m, (unsigned)reg)) {
        x->soffset = (uint16_t)reg;
        put_code(m, (unsigned)reg, 1, WHOLE, 0);
    }
}

// Bytes of a register that a load into a part of it writes, or a store reads.
static unsigned part_bytes(const struct maker *m, bool load) {
    switch (m->row->access) {
    case ACCESS_U8:
    case ACCESS_I8: return load ? WHOLE : 1;
    case ACCESS_U16:
    case ACCESS_I16: return load ? WHOLE : 3;
    case ACCESS_D16_U8:
    case ACCESS_D16_I8:
    case ACCESS_D16_B16: return load && m->c->clears_halves ? WHOLE : 3;
    case ACCESS_D16_HI_U8:
    case ACCESS_D16_HI_I8: return load && m->c->clears_halves ? WHOLE : load ? 12 : 4;
    case ACCESS_D16_HI_B16: return load && m->c->clears_halves ? WHOLE : 12;
    default: return WHOLE;
    }
}

// Formatted data: registers of two components, or of one each.
static void put_typed(struct maker *m, const struct operand *o, unsigned flags) {
    const bool writes = flags & EFFECT_WRITES, clears = writes && m->c->clears_halves;
    const struct operand_spec spec = m->row->dst[0].type ? m->row->dst[0] : m->row->src[0];
    if (m->kind == KIND_HIGH) {
        put_code(m, o->code, 1, clears ? WHOLE : 12, flags);
        return;
    }
    const bool halves = m->row->flags & ROW_D16;
    const unsigned count = spec.type == T_D16_XY     ? 2
                           : spec.type == T_D16_XYZ  ? 3
                           : spec.type == T_D16_XYZW ? 4
                                                     : 1;
    if (!halves)
        put_code(m, o->code, o->dwords, WHOLE, flags);
    else if (!m->isa->packed_d16)
        put_code(m, o->code, o->dwords, 3, flags);
    else {
        put_code(m, o->code, count / 2, WHOLE, flags);
        put_code(m, o->code + count / 2, count % 2, clears ? WHOLE : 3, flags);
    }
}

static void put_data(struct maker *m, const struct operand *o, unsigned flags) {
    const bool writes = flags & EFFECT_WRITES;
    if (m->kind == KIND_TYPED || m->kind == KIND_HIGH)
        put_typed(m, o, flags);
    else
        put_code(m, o->code, o->dwords ? o->dwords : 1, part_bytes(m, writes), flags);
}

static unsigned element_bytes(const struct maker *m) {
    const struct row *row = m->row;
    if (row->atomic) return atomic_bytes[row->atomic];
    if (row->access) return access_size(row->access);
    if (m->kind == KIND_TYPED || m->kind == KIND_HIGH) return 16;
    if (m->kind == KIND_TRANSPOSE) return 4u * operand_dwords[row->dst[0].type];
    return 4;
}

static void lane_data(struct maker *m) {
    const struct row *row = m->row;
    const struct insn *in = m->in;
    struct effect_memory *x = &m->e->memory;
    static const uint8_t fields[] = {F_vdata, F_data0, F_data1};
    const bool loads = row->dst[0].type != T_NO_OPERAND;
    const bool block = m->kind == KIND_BLOCK;
    const unsigned flags = m->kind == KIND_TRANSPOSE ? 0 : PER_LANE;
    const bool to_lds = in->f[F_lds] || (!loads && row->flags & ROW_LOAD && row->reads & R_M0 &&
                                         !row->atomic && in->format->id != FMT_DS);
    if (to_lds) {
        x->access |= MEMORY_TO_LDS;
        put_m0(m, 0);
        return;
    }
    if (block) put_m0(m, 0);
    for (unsigned i = 0; i < sizeof fields; i++) {
        const struct operand o = operand_in(m, (enum field)fields[i], false);
        if (o.type != T_NO_OPERAND) put_data(m, &o, flags);
    }
    if (row->atomic ? !(x->access & MEMORY_RETURNS) : !loads) return;
    struct operand o = operand_in(m, loads ? (enum field)row->dst[0].field : F_vdata, loads);
    if (row->atomic) o.dwords = (uint8_t)(atomic_bytes[row->atomic] / 4);
    // What one lane writes another may read.
    const unsigned both = x->access & (MEMORY_READS | MEMORY_WRITES);
    put_data(
        m, &o,
        EFFECT_WRITES | (block || m->kind == KIND_TRANSPOSE ? EFFECT_MAY : 0u) |
            (m->kind == KIND_APPEND || both == (MEMORY_READS | MEMORY_WRITES) ? flags & EFFECT_EXEC : flags));
    if (in->f[F_tfe]) put_code(m, o.code + o.dwords, 1, WHOLE, EFFECT_WRITES | PER_LANE);
}

static void wave_data(struct maker *m) {
    const struct row *row = m->row;
    struct effect_memory *x = &m->e->memory;
    const struct operand data = operand_in(m, F_sdata, false);
    struct operand result = operand_in(m, F_sdata, true);
    if (data.type != T_NO_OPERAND) put_code(m, data.code, data.dwords, WHOLE, 0);
    if (row->atomic) put_code(m, result.code, result.dwords, WHOLE, 0);
    if (result.type == T_NO_OPERAND || (row->atomic && !(x->access & MEMORY_RETURNS))) return;
    if (row->atomic) result.dwords = (uint8_t)(atomic_bytes[row->atomic] / 4);
    if (result.code + result.dwords <= SRC_VCC_HI + 1)
        put_scalars(m, result.code, result.dwords, EFFECT_WRITES);
}

static void gws_insn(struct maker *m) {
    m->e->control = CONTROL_NEXT | CONTROL_BARRIER | CONTROL_YIELD;
    m->e->unit = UNIT_LDS;
    put_m0(m, 0);
    if (m->kind == KIND_GWS) return;
    const struct operand o = operand_in(m, F_addr, false);
    put_code(m, o.code, 1, WHOLE, EFFECT_EXEC);
    m->e->reads |= STATE_EXEC;
}

static unsigned memory_unit(unsigned format) {
    switch (format) {
    case FMT_SMEM: return UNIT_SMEM;
    case FMT_DS: return UNIT_LDS;
    case FMT_FLAT: return UNIT_FLAT;
    default: return UNIT_VMEM;
    }
}

static void memory_insn(struct maker *m) {
    const struct row *row = m->row;
    const struct insn *in = m->in;
    const unsigned format = in->format->id;
    struct effect *e = m->e;
    struct effect_memory *x = &e->memory;
    e->control = CONTROL_NEXT;
    e->unit = (uint8_t)memory_unit(format);
    if (m->kind == KIND_NOTHING) {
        if (format == FMT_SMEM) scalar_address_registers(m);
        return;
    }
    if (m->kind == KIND_GWS || m->kind == KIND_GWS_DATA) {
        gws_insn(m);
        return;
    }
    if (m->kind == KIND_EXCHANGE || m->kind == KIND_PULL || m->kind == KIND_PULL_ALL) {
        e->unit = UNIT_LDS;
        vector_row(m);
        return;
    }
    if (m->kind == KIND_CLOCK) {
        e->reads |= STATE_CLOCK;
        scalar_result(m);
        return;
    }
    const bool loads = row->dst[0].type != T_NO_OPERAND;
    x->bytes = (uint8_t)element_bytes(m);
    x->elements = 1;
    // Rows that may go to LDS are marked as stores.
    if (format == FMT_DS)
        x->access = (uint8_t)((row->flags & ROW_LOAD ? MEMORY_READS : 0) |
                              (row->flags & ROW_STORE ? MEMORY_WRITES : 0));
    else
        x->access = loads || row->flags & ROW_LOAD ? MEMORY_READS : MEMORY_WRITES;

    if (row->atomic) {
        x->access |= MEMORY_READS | MEMORY_WRITES | MEMORY_ATOMIC;
        if (format == FMT_DS ? loads : asks_for_old(in)) x->access |= MEMORY_RETURNS;
        const bool swaps = row->atomic == ATOMIC_swap_b32 || row->atomic == ATOMIC_swap_b64;
        if (swaps && m->kind != KIND_TWO_APART && !(x->access & MEMORY_RETURNS))
            x->access &= (uint8_t)~MEMORY_READS;
        if (is_float_atomic(row->atomic)) e->reads |= STATE_MODE;
    }
    if (m->kind == KIND_TYPED || m->kind == KIND_HIGH) x->access |= MEMORY_TYPED;
    put_policy(m);
    if (m->kind == KIND_BLOCK) x->elements = 32;
    switch (format) {
    case FMT_SMEM: scalar_address(m); break;
    case FMT_DS: lds_address(m); break;
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_SCRATCH: flat_address(m); break;
    default: buffer_address(m);
    }
    if (format == FMT_SMEM) {
        wave_data(m);
        return;
    }
    lane_data(m);
    e->reads |= STATE_EXEC;
}

// ---- Images ----

// Where the resource says the dimension, as many dwords as any has.
static void image_address(struct maker *m) {
    const struct insn *in = m->in;
    const uint32_t facts = m->row->image;
    struct image_address a;
    if (!isa_image_address(m->isa, in, &a)) return;
    if (!insn_has(in, F_dim)) a.dwords[0] = (uint8_t)isa_image_most(m->row);
    // Levels of detail come from differences between the lanes of four, whether they execute or not.
    enum { LEVEL_SAID = IMAGE_GRADIENTS | IMAGE_LEVEL_ZERO };
    const bool samples = operand_in(m, F_ssamp, false).type != T_NO_OPERAND;
    const bool level_said = facts & LEVEL_SAID || (facts & IMAGE_LEVEL && !(facts & IMAGE_LIMIT));
    for (unsigned i = 0; i < a.count; i++) {
        const unsigned end = a.code[i] + a.dwords[i] < SRC_AGPR0 ? a.code[i] + a.dwords[i] : SRC_AGPR0;
        put_code(m, a.code[i], end - a.code[i], WHOLE, samples && !level_said ? 0 : PER_LANE);
    }
}

// Registers of two halves each, of one low half each, or whole.
static void image_data(struct maker *m, unsigned code, unsigned dwords, unsigned flags) {
    const struct insn *in = m->in;
    const unsigned mask = (unsigned)in->f[F_dmask] & 15;
    const unsigned count = m->row->image & IMAGE_GATHER ? 4 : mask ? (unsigned)__builtin_popcount(mask) : 1;
    const unsigned half = flags & EFFECT_WRITES && m->c->clears_halves ? WHOLE : 3;
    if (!in->f[F_d16])
        put_code(m, code, dwords, WHOLE, flags);
    else if (!m->isa->packed_d16)
        put_code(m, code, dwords, 3, flags);
    else {
        put_code(m, code, count / 2, WHOLE, flags);
        put_code(m, code + count / 2, count % 2, half, flags);
    }
}

static void image_insn(struct maker *m) {
    const struct row *row = m->row;
    const struct insn *in = m->in;
    struct effect *e = m->e;
    struct effect_memory *x = &e->memory;
    const bool loads = row->dst[0].type != T_NO_OPERAND;
    const unsigned code = (unsigned)in->f[F_vdata] + (in->f[F_acc] ? SRC_AGPR0 - SRC_VGPR0 : 0);
    unsigned dwords = isa_image_data(m->isa, in, true);
    e->control = CONTROL_NEXT;
    e->unit = UNIT_VMEM;
    if (row->flags & (ROW_LOAD | ROW_STORE)) {
        x->space = SPACE_GLOBAL;
        x->elements = 1;
        x->access = (uint8_t)(loads ? MEMORY_READS : MEMORY_WRITES);
        x->bytes = 16;
        if (!row->atomic) x->access |= MEMORY_TYPED;
    }
    put_policy(m);
    if (in->f[F_tfe] && dwords) dwords--;
    if (row->atomic) {
        const unsigned values = row->image & IMAGE_TWO_DATA ? 2 : 1;
        x->access |= MEMORY_WRITES | MEMORY_ATOMIC;
        if (asks_for_old(in))
            x->access |= MEMORY_RETURNS;
        else if (row->atomic == ATOMIC_swap_b32)
            x->access &= (uint8_t)~MEMORY_READS;
        x->bytes = (uint8_t)(dwords / values * 4);
        put_code(m, code, dwords, WHOLE, PER_LANE);
        dwords /= values;
    } else if (!loads)
        image_data(m, code, dwords, PER_LANE);
    image_address(m);
    put_code(m, (unsigned)in->f[F_srsrc], 8, WHOLE, 0); // as the text says, though r128 makes it four
    const struct operand sampler = operand_in(m, F_ssamp, false);
    if (sampler.type != T_NO_OPERAND) put_code(m, sampler.code, 4, WHOLE, 0);
    e->reads |= STATE_EXEC;
    if (row->atomic ? !(x->access & MEMORY_RETURNS) : !loads) return;
    // Nothing is written where the resource is none of an image.
    const unsigned flags = EFFECT_WRITES | EFFECT_MAY | (row->atomic ? EFFECT_EXEC : PER_LANE);
    image_data(m, code, dwords, flags);
    if (in->f[F_tfe]) put_code(m, code + dwords, 1, WHOLE, flags);
}

// ---- What follows from the ranges ----

static bool has_result(const struct effect *e) {
    for (unsigned i = 0; i < e->count; i++)
        if (e->ranges[i].flags & EFFECT_WRITES) return true;
    return false;
}

static bool names(const struct effect_range *r, unsigned code, unsigned count) {
    return r->bank == BANK_SCALAR && r->first < code + count && code < r->first + r->count;
}

static void put_states(struct maker *m) {
    struct effect *e = m->e;
    for (unsigned i = 0; i < e->count; i++) {
        const struct effect_range *r = &e->ranges[i];
        const unsigned state = (names(r, SRC_VCC_LO, 2) ? STATE_VCC : 0u) |
                               (names(r, SRC_EXEC_LO, 2) ? STATE_EXEC : 0u) |
                               (names(r, m->isa->m0_register, 1) ? STATE_M0 : 0u);
        *(r->flags & EFFECT_WRITES ? &e->writes : &e->reads) |= (uint16_t)state;
    }
}

static bool overlap(const struct effect_range *a, const struct effect_range *b) {
    return a->bank == b->bank && a->first < b->first + b->count && b->first < a->first + a->count;
}

static bool can_repeat(const struct effect *e) {
    enum { ONCE = CONTROL_BARRIER | CONTROL_MESSAGE | CONTROL_YIELD };
    if (e->reads & e->writes & ~(unsigned)STATE_FLAGS || e->reads & STATE_CLOCK || e->control & ONCE)
        return false;
    const unsigned both = MEMORY_READS | MEMORY_WRITES;
    if ((e->memory.access & both) == both || e->memory.access & MEMORY_TO_LDS) return false;
    for (unsigned i = 0; i < e->count; i++)
        for (unsigned k = 0; k < e->count; k++)
            if (e->ranges[i].flags & EFFECT_WRITES && !(e->ranges[k].flags & EFFECT_WRITES) &&
                overlap(&e->ranges[i], &e->ranges[k]))
                return false;
    return true;
}

// ---- Counters ----

static enum counter counter_of_name(const char *name) {
    return !strcmp(name, "vmcnt") ? COUNTER_VM : !strcmp(name, "expcnt") ? COUNTER_EXP : COUNTER_LGKM;
}

static void put_wait(const struct maker *m, unsigned counter, unsigned count) {
    const uint8_t most = isa_counters(m->isa)->most[counter];
    if (most && count < most) m->e->waits[counter] = (uint8_t)count;
}

static void put_waits(const struct maker *m) {
    const unsigned what = waits[m->row - isa_rows], simm = (unsigned)m->in->f[F_simm16];
    memset(m->e->waits, EFFECT_NO_WAIT, sizeof m->e->waits);
    if (m->row->src[0].type == T_WAITCNT) {
        for (const struct counter_field *f = isa_waitcnt_fields(m->isa); f->name; f++)
            put_wait(m, counter_of_name(f->name),
                     (simm >> f->lo & ((1u << f->width) - 1)) | (simm >> f->lo2 & ((1u << f->width2) - 1))
                                                                    << f->width);
        return;
    }
    if (what == WAITS_ALL) {
        for (unsigned c = 0; c < COUNTERS; c++) put_wait(m, c, 0);
        return;
    }
    if (what & 15) put_wait(m, (what & 15) - 1, simm & 63);
    if (what >> 4) put_wait(m, (what >> 4) - 1, simm >> 8 & 63);
}

bool insn_effect(const struct effect_context *c, const struct insn *in, struct effect *out) {
    struct maker m = {c, c->isa, in, in->row, kinds[in->row - isa_rows], out};
    const unsigned format = in->format->id;
    memset(out, 0, sizeof *out);
    out->memory.vaddr = out->memory.saddr = out->memory.srsrc = out->memory.soffset = EFFECT_NOWHERE;
    if (row_gap(in->row) || (in->row_y && row_gap(in->row_y))) return false;
    if (in->f[F_gds] && in->row->class != CLASS_GWS) return false; // the global data share
    if (is_matrix(in->row, format)) m.kind = KIND_MATRIX;
    switch (format) {
    case FMT_SOP2:
    case FMT_SOPK:
    case FMT_SOP1:
    case FMT_SOPC:
    case FMT_SOPP: scalar_insn(&m); break;
    case FMT_SMEM:
    case FMT_DS:
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_SCRATCH:
    case FMT_MUBUF:
    case FMT_MTBUF: memory_insn(&m); break;
    case FMT_MIMG:
    case FMT_VIMAGE:
    case FMT_VSAMPLE: image_insn(&m); break;
    default: vector_insn(&m);
    }
    put_states(&m);
    isa_counts(c->isa, in->row, has_result(out), out->raises);
    put_waits(&m);
    out->again = can_repeat(out);
    return true;
}
