// SPDX-License-Identifier: MIT
// Ranges of registers, and which bytes of them an operand means.
#include "isa/effect_maker.h"
#include "isa/kinds.h"

// ---- Ranges ----

unsigned effect_mask_dwords(const struct effect_maker *m) { return m->c->wave32 ? 1 : 2; }

void effect_put(struct effect_maker *m, unsigned bank, unsigned first, unsigned count, unsigned bytes,
                unsigned flags) {
    struct effect *e = m->e;
    if (!count || e->count == EFFECT_RANGES) return;
    e->ranges[e->count++] = (struct effect_range){(uint8_t)bank, (uint8_t)flags, (uint8_t)bytes,
                                                  (uint16_t)first, (uint16_t)count};
}

void effect_put_scalars(struct effect_maker *m, unsigned code, unsigned count, unsigned flags) {
    const bool writes = flags & EFFECT_WRITES, is_ttmp = code >= FIRST_TTMP && code < TTMPS_END;
    if (m->isa->null_register && code == m->isa->null_register) return;
    if (is_ttmp && (writes || has(m->c->processor, CAP_ttmps_read_zero))) return;
    if (writes && code + count > SCALARS) return;
    effect_put(m, BANK_SCALAR, code, code + count > SCALARS ? SCALARS - code : count, WHOLE, flags);
}

void effect_put_vcc(struct effect_maker *m, unsigned flags) {
    effect_put_scalars(m, SRC_VCC_LO, effect_mask_dwords(m), flags);
}
void effect_put_exec(struct effect_maker *m, unsigned count, unsigned flags) {
    effect_put_scalars(m, SRC_EXEC_LO, count, flags);
}
void effect_put_m0(struct effect_maker *m, unsigned flags) {
    effect_put_scalars(m, m->isa->m0_register, 1, flags);
}

// Registers by the number that an operand has.
void effect_put_code(struct effect_maker *m, unsigned code, unsigned count, unsigned bytes, unsigned flags) {
    if (code >= SRC_AGPR0 && !m->isa->vgpr_msb)
        effect_put(m, BANK_ACC, code - SRC_AGPR0, count, bytes, flags);
    else if (code >= SRC_VGPR0)
        effect_put(m, BANK_VECTOR, code - SRC_VGPR0, count, bytes, flags);
    else if (code < SCALARS) {
        const unsigned before = m->e->count;
        effect_put_scalars(m, code, count, flags & ~(unsigned)(PER_LANE | EFFECT_RELATIVE));
        if (m->e->count > before) m->e->ranges[before].bytes = (uint8_t)bytes;
    } else if (code == VCCZ)
        effect_put_vcc(m, 0);
    else if (code == EXECZ)
        effect_put_exec(m, effect_mask_dwords(m), 0);
    else if (code == SCC_SOURCE)
        m->e->reads |= STATE_SCC;
}

// ---- Parts of registers ----

static bool is_long_vector(const struct effect_maker *m) {
    const unsigned f = m->in->format->id;
    return f == FMT_VOP3 || f == FMT_VOP3B || f == FMT_VOP3S || f == FMT_VINTERP;
}

static unsigned selected_bytes(unsigned select) { // SDWA
    return select < 4 ? 1u << select : select == 4 ? 3 : select == 5 ? 12 : WHOLE;
}

// The halves that both halves of a packed operation take.
unsigned effect_packed_bytes(const struct effect_maker *m, unsigned i) {
    const int32_t *f = m->in->f;
    const bool chooses = m->row->flags & ROW_OPSEL_HI;
    const unsigned low = chooses ? (unsigned)f[F_op_sel] >> i & 1 : 0;
    const unsigned high = chooses ? (unsigned)f[F_op_sel_hi] >> i & 1 : 1;
    return (low ? 12 : 3) | (high ? 12 : 3);
}

unsigned effect_source_bytes(const struct effect_maker *m, unsigned i, const struct operand *o) {
    const struct insn *in = m->in;
    if (in->suffix == SUFFIX_SDWA && i < 2) {
        const unsigned bytes = selected_bytes((unsigned)in->f[i ? F_src1_sel : F_src0_sel]);
        return bytes == WHOLE && is_half(o->type) ? 3 : bytes;
    }
    if (in->format->id == FMT_VOP3P) {
        const bool low = in->f[F_op_sel] >> i & 1, high = in->f[F_op_sel_hi] >> i & 1;
        switch (o->type) {
        case T_MIX:
        case T_MIXB: return !high ? WHOLE : low ? 12 : 3;
        case T_V2F16:
        case T_V2B16:
        case T_V2BF16: return effect_packed_bytes(m, i);
        case T_F16:
        case T_BF16: return low ? 12 : 3;
        default: return WHOLE;
        }
    }
    if (!is_half(o->type)) return WHOLE;
    const bool chooses = m->row->flags & ROW_OPSEL || m->isa->true16; // of scalars as well
    const bool high =
        o->half ? o->high
                : is_long_vector(m) && chooses && insn_has(in, F_op_sel) && in->f[F_op_sel] >> i & 1;
    return high ? 12 : 3;
}

// Where results of 16 bits clear the other half, operations that exist in VOP3 only keep it all the same, and
// the others when they write the upper half (TRAP-148 to TRAP-150).
static bool keeps_other_half(const struct effect_maker *m) {
    if (has(m->c->processor, CAP_hi16_preserved) || is_mix(m->row->src[0].type)) return true;
    if (!is_long_vector(m) || !insn_has(m->in, F_op_sel) || !(m->row->flags & ROW_OPSEL)) return false;
    return !m->in->two_forms || m->in->f[F_op_sel] >> 3 & 1;
}

unsigned effect_result_bytes(const struct effect_maker *m, const struct operand *o) {
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
