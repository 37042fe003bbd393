// SPDX-License-Identifier: MIT
// What instructions of memory touch: registers of addresses and data, and the memory itself.
#include "isa/effect_maker.h"
#include "isa/kinds.h"

static const uint8_t atomic_bytes[] = {
#define ATOMIC(name, bytes, traits) [ATOMIC_##name] = bytes,
#include "isa/atomics.def"
#undef ATOMIC
};

static const uint8_t atomic_traits[] = {
#define ATOMIC(name, bytes, traits) [ATOMIC_##name] = traits,
#include "isa/atomics.def"
#undef ATOMIC
};

bool effect_is_float_atomic(unsigned atomic) { return atomic_traits[atomic] & IS_FLOAT; }

void effect_put_policy(struct effect_maker *m) {
    const int32_t *f = m->in->f;
    struct effect_memory *x = &m->e->memory;
    x->policy =
        (uint8_t)((f[F_glc] ? POLICY_GLC : 0) | (f[F_slc] ? POLICY_SLC : 0) | (f[F_dlc] ? POLICY_DLC : 0) |
                  (f[F_scc] ? POLICY_SCC : 0) | (f[F_nv] ? POLICY_NV : 0));
    x->th = (uint8_t)f[F_th];
    x->scope = (uint8_t)f[F_scope];
}

// TH bit 0, SC0 or GLC (TRAP-344, TRAP-345).
bool insn_asks_for_old(const struct insn *in) { return insn_has(in, F_th) ? in->f[F_th] & 1 : in->f[F_glc]; }

struct operand effect_operand_in(const struct effect_maker *m, enum field field, bool dst) {
    const struct operand_spec *specs = dst ? m->row->dst : m->row->src;
    for (int i = 0; i < (dst ? ROW_DST : ROW_SRC); i++)
        if (specs[i].type && specs[i].field == field)
            return insn_operand(m->isa, m->in, specs[i], m->c->wave32);
    return (struct operand){.type = T_NO_OPERAND};
}

static bool is_off(const struct effect_maker *m, unsigned code) {
    enum { NO_SADDR = 0x7f };
    return code == NO_SADDR || (m->isa->null_register && code == m->isa->null_register);
}

static void flat_address(struct effect_maker *m) {
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
    x->vaddr64 = !scratch && has_vaddr && (off || (format == FMT_FLAT && !m->isa->flat_saddr));
    if (has_vaddr) x->vaddr = (uint16_t)insn_vgpr(in, F_vaddr);
    if (!off && (format != FMT_FLAT || m->isa->flat_saddr)) x->saddr = (uint16_t)saddr;
    if (in->f[F_scale_offset]) x->scale = x->bytes;
    if (has_vaddr) effect_put_code(m, x->vaddr, x->vaddr64 ? 2 : 1, WHOLE, PER_LANE);
    if (x->saddr != EFFECT_NOWHERE) effect_put_code(m, x->saddr, scratch ? 1 : 2, WHOLE, 0);
    if (scratch || format == FMT_FLAT) {
        if (fact(m->c->processor, FACT_flat_scratch_sgprs))
            effect_put_scalars(m, SRC_FLAT_SCRATCH_LO, 2, 0);
        else
            m->e->reads |= STATE_SCRATCH;
    }
}

// Between lanes.
static bool moves_elements(const struct effect_maker *m) {
    return m->kind == KIND_TRANSPOSE || m->kind == KIND_TILE;
}

static void lds_address(struct effect_maker *m) {
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
    const struct operand a = effect_operand_in(m, F_addr, false);
    if (a.type != T_NO_OPERAND) {
        x->vaddr = a.code;
        effect_put_code(m, a.code, 1, WHOLE, moves_elements(m) ? 0 : PER_LANE);
    }
    if (m->isa->m0_limits_lds || m->kind == KIND_THREAD) effect_put_m0(m, 0);
}

static void buffer_address(struct effect_maker *m) {
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
        x->vaddr = (uint16_t)insn_vgpr(m->in, F_vaddr);
        effect_put_code(m, x->vaddr, vgprs, WHOLE, PER_LANE);
    }
    effect_put_code(m, x->srsrc, 4, WHOLE, 0);
    effect_put_code(m, x->soffset, 1, WHOLE, 0);
    if (fact(m->c->processor, FACT_srd) >= SRD_GFX10) m->e->writes |= STATE_FLAGS; // out of range (BUF-74)
}

// The register that is added to a scalar address; -1: none.
static int scalar_offset(const struct effect_maker *m, int64_t *offset) {
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
static void scalar_address_registers(struct effect_maker *m) {
    int64_t offset;
    if (m->row->src[0].type == T_NO_OPERAND) return; // all of the cache
    const struct operand base = effect_operand_in(m, F_sbase, false);
    if (base.type != T_NO_OPERAND) effect_put_code(m, base.code, base.dwords, WHOLE, 0);
    const int reg = scalar_offset(m, &offset);
    if (reg >= 0 && !is_off(m, (unsigned)reg)) effect_put_code(m, (unsigned)reg, 1, WHOLE, 0);
}

static void lanes_address_registers(struct effect_maker *m) {
    const struct insn *in = m->in;
    if (m->row->src[0].type == T_NO_OPERAND) return;
    const unsigned saddr = (unsigned)in->f[F_saddr];
    const bool off = is_off(m, saddr);
    effect_put_code(m, (unsigned)insn_vgpr(in, F_vaddr), off ? 2 : 1, WHOLE, PER_LANE);
    if (!off) effect_put_code(m, saddr, 2, WHOLE, 0);
    m->e->reads |= STATE_EXEC;
}

static void scalar_address(struct effect_maker *m) {
    struct effect_memory *x = &m->e->memory;
    const struct operand base = effect_operand_in(m, F_sbase, false);
    x->space = SPACE_GLOBAL;
    x->address = base.dwords == 4 ? ADDRESS_SCALAR_BUFFER : ADDRESS_SCALAR;
    x->access |= MEMORY_WAVE;
    x->scale = m->kind == KIND_SCALAR_SCRATCH ? 64 : 1;
    x->saddr = base.code;
    effect_put_code(m, base.code, base.dwords, WHOLE, 0);
    const int reg = scalar_offset(m, &x->offset);
    if (reg >= 0 && !is_off(m, (unsigned)reg)) {
        x->soffset = (uint16_t)reg;
        effect_put_code(m, (unsigned)reg, 1, WHOLE, 0);
    }
}

// Bytes of a register that a load into a part of it writes, or a store reads.
static unsigned part_bytes(const struct effect_maker *m, bool load) {
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
static void put_typed(struct effect_maker *m, const struct operand *o, unsigned flags) {
    const bool writes = flags & EFFECT_WRITES, clears = writes && m->c->clears_halves;
    const struct operand_spec spec = m->row->dst[0].type ? m->row->dst[0] : m->row->src[0];
    if (m->kind == KIND_HIGH) {
        effect_put_code(m, o->code, 1, clears ? WHOLE : 12, flags);
        return;
    }
    const bool halves = m->row->flags & ROW_D16;
    const unsigned count = spec.type == T_D16_XY     ? 2
                           : spec.type == T_D16_XYZ  ? 3
                           : spec.type == T_D16_XYZW ? 4
                                                     : 1;
    if (!halves)
        effect_put_code(m, o->code, o->dwords, WHOLE, flags);
    else if (!m->isa->packed_d16)
        effect_put_code(m, o->code, o->dwords, 3, flags);
    else {
        effect_put_code(m, o->code, count / 2, WHOLE, flags);
        effect_put_code(m, o->code + count / 2, count % 2, clears ? WHOLE : 3, flags);
    }
}

static void put_data(struct effect_maker *m, const struct operand *o, unsigned flags) {
    const bool writes = flags & EFFECT_WRITES;
    if (m->kind == KIND_TYPED || m->kind == KIND_HIGH)
        put_typed(m, o, flags);
    else
        effect_put_code(m, o->code, o->dwords ? o->dwords : 1, part_bytes(m, writes), flags);
}

static unsigned element_bytes(const struct effect_maker *m) {
    const struct row *row = m->row;
    if (row->atomic) return atomic_bytes[row->atomic];
    if (row->access) return access_size(row->access);
    if (m->kind == KIND_TYPED || m->kind == KIND_HIGH) return 16;
    if (moves_elements(m)) return 4u * operand_dwords[row->dst[0].type];
    if (m->kind == KIND_ARRIVE) return 8;
    return 4;
}

static void lane_data(struct effect_maker *m) {
    const struct row *row = m->row;
    const struct insn *in = m->in;
    struct effect_memory *x = &m->e->memory;
    static const uint8_t fields[] = {F_vdata, F_data0, F_data1};
    const bool loads = row->dst[0].type != T_NO_OPERAND;
    const bool block = m->kind == KIND_BLOCK;
    const unsigned flags = moves_elements(m) ? 0 : PER_LANE;
    if (row->flags & ROW_ASYNC_CNT && in->format->id != FMT_DS) { // a register has the address in LDS
        const struct operand o = effect_operand_in(m, row->flags & ROW_LOAD ? F_vdst : F_vdata, false);
        x->access |= row->flags & ROW_LOAD ? MEMORY_TO_LDS : MEMORY_FROM_LDS;
        x->lds = o.code;
        effect_put_code(m, o.code, 1, WHOLE, PER_LANE);
        return;
    }
    const bool to_lds = in->f[F_lds] || (!loads && row->flags & ROW_LOAD && row->reads & R_M0 &&
                                         !row->atomic && in->format->id != FMT_DS);
    const bool from_lds = m->kind == KIND_FROM_LDS;
    if (from_lds || to_lds) {
        x->access |= from_lds ? MEMORY_FROM_LDS : MEMORY_TO_LDS;
        effect_put_m0(m, 0);
        return;
    }
    if (block) effect_put_m0(m, 0);
    for (unsigned i = 0; i < sizeof fields; i++) {
        const struct operand o = effect_operand_in(m, (enum field)fields[i], false);
        if (o.type != T_NO_OPERAND) put_data(m, &o, flags);
    }
    if (row->atomic ? !(x->access & MEMORY_RETURNS) : !loads) return;
    struct operand o = effect_operand_in(m, loads ? (enum field)row->dst[0].field : F_vdata, loads);
    if (row->atomic) o.dwords = (uint8_t)(atomic_bytes[row->atomic] / 4);
    // What one lane writes another may read.
    const unsigned both = x->access & (MEMORY_READS | MEMORY_WRITES);
    put_data(
        m, &o,
        EFFECT_WRITES | (block || m->kind == KIND_TRANSPOSE ? EFFECT_MAY : 0u) |
            (m->kind == KIND_APPEND || both == (MEMORY_READS | MEMORY_WRITES) ? flags & EFFECT_EXEC : flags));
    if (in->f[F_tfe]) effect_put_code(m, o.code + o.dwords, 1, WHOLE, EFFECT_WRITES | PER_LANE);
}

static void wave_data(struct effect_maker *m) {
    const struct row *row = m->row;
    struct effect_memory *x = &m->e->memory;
    const struct operand data = effect_operand_in(m, F_sdata, false);
    struct operand result = effect_operand_in(m, F_sdata, true);
    if (data.type != T_NO_OPERAND) effect_put_code(m, data.code, data.dwords, WHOLE, 0);
    if (row->atomic) effect_put_code(m, result.code, result.dwords, WHOLE, 0);
    if (result.type == T_NO_OPERAND || (row->atomic && !(x->access & MEMORY_RETURNS))) return;
    if (row->atomic) result.dwords = (uint8_t)(atomic_bytes[row->atomic] / 4);
    if (result.code + result.dwords <= SRC_VCC_HI + 1)
        effect_put_scalars(m, result.code, result.dwords, EFFECT_WRITES);
}

static void gws_insn(struct effect_maker *m) {
    m->e->control = CONTROL_NEXT | CONTROL_BARRIER | CONTROL_YIELD;
    m->e->unit = UNIT_LDS;
    effect_put_m0(m, 0);
    if (m->kind == KIND_GWS) return;
    const struct operand o = effect_operand_in(m, F_addr, false);
    effect_put_code(m, o.code, 1, WHOLE, EFFECT_EXEC);
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

void effect_memory_insn(struct effect_maker *m) {
    const struct row *row = m->row;
    const struct insn *in = m->in;
    const unsigned format = in->format->id;
    struct effect *e = m->e;
    struct effect_memory *x = &e->memory;
    e->control = CONTROL_NEXT;
    e->unit = (uint8_t)memory_unit(format);
    if (m->kind == KIND_NOTHING) {
        if (format == FMT_SMEM) scalar_address_registers(m);
        if (format == FMT_FLAT || format == FMT_GLOBAL) lanes_address_registers(m);
        return;
    }
    if (m->kind == KIND_GWS || m->kind == KIND_GWS_DATA) {
        gws_insn(m);
        return;
    }
    if (m->kind == KIND_EXCHANGE || m->kind == KIND_PULL || m->kind == KIND_PULL_ALL) {
        e->unit = UNIT_LDS;
        effect_vector_row(m);
        return;
    }
    if (m->kind == KIND_CLOCK) {
        e->reads |= STATE_CLOCK;
        effect_scalar_result(m);
        return;
    }
    if (m->kind == KIND_WAVE_NUMBER) {
        e->reads |= STATE_OTHER;
        effect_scalar_result(m);
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
        x->access =
            m->kind != KIND_FROM_LDS && (loads || row->flags & ROW_LOAD) ? MEMORY_READS : MEMORY_WRITES;

    if (row->atomic) {
        x->access |= MEMORY_READS | MEMORY_WRITES | MEMORY_ATOMIC;
        if (format == FMT_DS ? loads : insn_asks_for_old(in)) x->access |= MEMORY_RETURNS;
        const bool swaps = row->atomic == ATOMIC_swap_b32 || row->atomic == ATOMIC_swap_b64;
        if (swaps && m->kind != KIND_TWO_APART && !(x->access & MEMORY_RETURNS))
            x->access &= (uint8_t)~MEMORY_READS;
        if (effect_is_float_atomic(row->atomic)) e->reads |= STATE_MODE;
    }
    if (m->kind == KIND_TYPED || m->kind == KIND_HIGH) x->access |= MEMORY_TYPED;
    effect_put_policy(m);
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
    if (m->kind != KIND_TILE) e->reads |= STATE_EXEC;
}
