// SPDX-License-Identifier: MIT
// What vector instructions touch.
#include "isa/effect_maker.h"
#include "isa/kinds.h"
#include "isa/names.h"

bool effect_is_matrix(const struct row *row, unsigned format) {
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
static void put_pair(struct effect_maker *m, const struct operand *o, unsigned i, unsigned flags) {
    if (m->kind == KIND_PAIR_MOVE) { // a dword of each
        effect_put_code(m, o->code + ((unsigned)m->in->f[F_op_sel] >> i & 1), 1, WHOLE, flags);
        return;
    }
    const unsigned halves = effect_packed_bytes(m, i);
    effect_put_code(m, o->code + ((halves & 3) ? 0 : 1), halves == WHOLE ? 2 : 1, WHOLE, flags);
}

// One value from LDS, where M0 says.
static void direct_value(struct effect_maker *m) {
    struct effect_memory *x = &m->e->memory;
    x->space = SPACE_LDS;
    x->access = MEMORY_READS | MEMORY_WAVE;
    x->address = ADDRESS_DIRECT;
    x->bytes = 4, x->elements = 1;
    effect_put_m0(m, 0);
}

static void vector_source(struct effect_maker *m, unsigned i) {
    const struct insn *in = m->in;
    const struct operand o = insn_operand(m->isa, in, m->row->src[i], m->c->wave32);
    unsigned flags = PER_LANE;
    if (o.type == T_NO_OPERAND || o.type == T_SWIZZLE || o.type == T_ATTR || o.type == T_INTERP) return;
    if (o.type == T_MASK) {
        effect_put_scalars(m, o.code, o.dwords, PER_LANE);
        return;
    }
    if (o.code == SRC_LDS_DIRECT && !in->wide_literal) {
        direct_value(m);
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
    case KIND_EXCHANGE_ALL:
    case KIND_SWAP_ROWS: flags = 0; break;
    case KIND_QUAD_FIRST:
    case KIND_QUAD:
        if (first || (m->row->src[i].field == F_src2 && m->kind == KIND_QUAD_FIRST)) flags = 0;
        break;
    case KIND_SCALES:
        if (!first) flags = 0;
        break;
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
        effect_put(m, BANK_VECTOR, 0, 256, effect_source_bytes(m, i, &o), flags | EFFECT_RELATIVE);
        effect_put_m0(m, 0);
    } else if (in->format->id == FMT_VOP3P && (o.type == T_V2F32 || o.type == T_V2B32))
        put_pair(m, &o, i, flags);
    else
        effect_put_code(m, o.code, o.dwords ? o.dwords : 1, effect_source_bytes(m, i, &o), flags);
}

static void vector_result(struct effect_maker *m, unsigned i) {
    const struct operand o = insn_operand(m->isa, m->in, m->row->dst[i], m->c->wave32);
    unsigned flags = EFFECT_WRITES | PER_LANE;
    if (o.type == T_NO_OPERAND) return;
    if (o.type == T_MASK) { // lanes that do not execute get 0
        effect_put_scalars(m, o.code, o.dwords, EFFECT_WRITES | EFFECT_OWN_LANE);
        m->e->reads |= STATE_EXEC;
        return;
    }
    switch (m->kind) {
    case KIND_MATRIX:
        flags = EFFECT_WRITES;
        if (effect_kind_of(m->row) == KIND_HALF_MATRIX && !m->isa->wmma_spread) flags |= EFFECT_MAY;
        break;
    case KIND_WRITE_LANE: flags = EFFECT_WRITES | EFFECT_MAY; break;
    case KIND_PERMUTE_ROW:
        if (!(m->in->f[F_op_sel] & 3)) flags |= EFFECT_MAY;
        break;
    case KIND_PERMUTE_ALL:
        if (m->c->wave32) return;
        break;
    case KIND_PARAMETERS: // of quads of which a lane executes
    case KIND_DIRECT: flags = EFFECT_WRITES | EFFECT_MAY; break;
    case KIND_INSERT:
    case KIND_INSERT_ROUNDS: flags |= EFFECT_MAY; break;
    default: break;
    }
    if (has_dpp(m->in) && dpp_may_skip(m->in)) flags |= EFFECT_MAY;
    const bool half = m->kind == KIND_P20_HALF && insn_has(m->in, F_op_sel);
    const bool indexed = m->c->index >> ROLE_TARGET & 1 && o.code >= SRC_VGPR0 && o.code < SRC_AGPR0;
    if (indexed || m->kind == KIND_RELATIVE_TARGET || m->kind == KIND_RELATIVE_BOTH) {
        effect_put(m, BANK_VECTOR, 0, 256, effect_result_bytes(m, &o), flags | EFFECT_MAY | EFFECT_RELATIVE);
        effect_put_m0(m, 0);
    } else
        effect_put_code(m, o.code, o.dwords ? o.dwords : 1, half ? 3 : effect_result_bytes(m, &o), flags);
}

// Both operands are read and written.
static void vector_swap(struct effect_maker *m) {
    for (unsigned k = 0; k < 2; k++) {
        const struct operand_spec spec = k ? m->row->src[0] : m->row->dst[0];
        const struct operand o = insn_operand(m->isa, m->in, spec, m->c->wave32);
        const unsigned bytes = m->kind == KIND_SWAP_HALVES ? o.high ? 12 : 3 : WHOLE;
        if (m->kind == KIND_RELATIVE_SWAP) {
            if (k) continue;
            effect_put(m, BANK_VECTOR, 0, 256, WHOLE, PER_LANE | EFFECT_RELATIVE);
            effect_put(m, BANK_VECTOR, 0, 256, WHOLE,
                       PER_LANE | EFFECT_RELATIVE | EFFECT_WRITES | EFFECT_MAY);
            effect_put_m0(m, 0);
            continue;
        }
        const bool rows = m->kind == KIND_SWAP_ROWS;
        effect_put_code(m, o.code, 1, bytes, rows ? 0 : PER_LANE);
        effect_put_code(m, o.code, 1, bytes, EFFECT_WRITES | (rows ? EFFECT_EXEC | EFFECT_MAY : PER_LANE));
    }
}

// Modifiers of results that ask MODE.
static bool finishes_by_mode(const struct effect_maker *m) {
    const struct insn *in = m->in;
    const unsigned type = m->row->dst[0].type;
    if (!has(m->c->processor, CAP_ieee_mode)) return false;
    const bool clamp = insn_has(in, F_clamp) || in->suffix == SUFFIX_SDWA ? in->f[F_clamp] : false;
    const bool omod = m->row->flags & ROW_OMOD && in->f[F_omod];
    return is_float(type) && (clamp || omod);
}

// Parameters of an attribute: P0 at 0, P10 at 16, P20 at 32.
static void parameters(struct effect_maker *m) {
    static const uint8_t chosen[] = {16, 32, 0, 0};
    const int32_t *f = m->in->f;
    struct effect_memory *x = &m->e->memory;
    const bool short_form = m->in->format->id == FMT_VINTRP;
    x->space = SPACE_LDS;
    x->access = MEMORY_READS;
    x->address = m->kind == KIND_PARAMETERS ? ADDRESS_LANE_PARAMETERS : ADDRESS_PARAMETERS;
    x->bytes = 4, x->elements = m->kind == KIND_P0_P10 ? 2 : 1;
    x->quads = m->c->wave32 ? 8 : 16;
    x->scale = (uint8_t)f[F_attr];
    x->offset = 4 * f[F_attrchan];
    x->offset2 = x->offset + 16;
    if (m->kind == KIND_P10) x->offset += 16;
    if (m->kind == KIND_P20 || m->kind == KIND_P20_HALF) x->offset += 32;
    if (m->kind == KIND_P_CHOSEN) x->offset += chosen[f[short_form ? F_vsrc : F_src1] & 3];
    if (m->row->dst[0].type != T_F32 && m->kind != KIND_PARAMETERS) { // one half of each
        x->bytes = 2;
        x->offset += f[F_high] ? 2 : 0, x->offset2 += f[F_high] ? 2 : 0;
    }
    effect_put_m0(m, 0);
}
static bool reads_parameters(const struct effect_maker *m) {
    return m->kind == KIND_P0_P10 || m->kind == KIND_P10 || m->kind == KIND_P20 || m->kind == KIND_P20_HALF ||
           m->kind == KIND_P_CHOSEN || m->kind == KIND_PARAMETERS;
}

void effect_vector_row(struct effect_maker *m) {
    const struct row *row = m->row;
    if (m->kind == KIND_NOTHING) return;
    if (reads_parameters(m)) parameters(m);
    if (m->kind == KIND_DIRECT) direct_value(m);
    if (row->flags & ROW_SWAPS)
        vector_swap(m);
    else {
        for (unsigned i = 0; i < ROW_SRC && row->src[i].type; i++) vector_source(m, i);
        for (unsigned i = 0; i < ROW_DST && row->dst[i].type; i++) vector_result(m, i);
    }
    if (m->kind == KIND_ILLEGAL) return;
    if (row->reads & R_VCC) effect_put_vcc(m, PER_LANE);
    if (row->writes & R_VCC) effect_put_vcc(m, EFFECT_WRITES | EFFECT_OWN_LANE);
    if (row->writes & R_EXEC) effect_put_exec(m, effect_mask_dwords(m), EFFECT_WRITES | EFFECT_OWN_LANE);
    if (row->reads & R_MODE || m->kind == KIND_ROUNDS || m->kind == KIND_QUAD || m->kind == KIND_QUAD_FIRST ||
        m->kind == KIND_INSERT_ROUNDS || m->kind == KIND_SCALES || finishes_by_mode(m))
        m->e->reads |= STATE_MODE;
    if (m->kind != KIND_MATRIX && m->kind != KIND_WRITE_LANE && m->kind != KIND_READ_LANE &&
        m->kind != KIND_OF_SCALARS)
        m->e->reads |= STATE_EXEC;
}

void effect_vector_insn(struct effect_maker *m) {
    const struct insn *in = m->in;
    m->e->unit = UNIT_VALU;
    m->e->control = m->kind == KIND_ILLEGAL ? CONTROL_TRAP : CONTROL_NEXT;
    if (in->scaled) {
        effect_put_code(m, (unsigned)in->f[F_scale0], 1, WHOLE, 0);
        effect_put_code(m, (unsigned)in->f[F_scale1], 1, WHOLE, 0);
    }
    effect_vector_row(m);
    if (!in->row_y) return;
    struct insn y = *in;
    y.row = in->row_y;
    y.row_y = NULL;
    y.f[F_vdstx] = in->f[F_vdsty];
    y.f[F_src0x] = in->f[F_src0y];
    y.f[F_src1x] = in->f[F_src1y];
    y.f[F_src2x] = in->f[F_src2y];
    struct effect_maker second = *m;
    second.in = &y;
    second.row = y.row;
    second.kind = effect_kind_of(y.row);
    effect_vector_row(&second);
}

void effect_export_insn(struct effect_maker *m) {
    m->e->unit = UNIT_NONE;
    m->e->control = CONTROL_NEXT | CONTROL_MESSAGE;
    for (unsigned i = 0; i < 4; i++)
        if (insn_exports(m->in, i)) vector_source(m, 1 + i);
    if (m->in->f[F_row]) effect_put_m0(m, 0);
    m->e->reads |= STATE_EXEC;
}
