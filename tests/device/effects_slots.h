// SPDX-License-Identifier: MIT
// Instructions that test_effects.c tries: a row in one of its encodings, with registers, modifiers and bits
// by chance, as an assembler would write it.
#ifndef TESTS_EFFECTS_SLOTS_H
#define TESTS_EFFECTS_SLOTS_H

#include "effects_rig.h"

static uint64_t chance = 0x9e3779b97f4a7c15;
static inline uint64_t random_dwords(void) {
    chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
    return chance * 0x2545f4914f6cdd1d;
}
static inline uint32_t random_dword(void) { return (uint32_t)(random_dwords() >> 32); }
static inline unsigned below(unsigned n) { return (unsigned)(random_dwords() >> 33) % n; }
static inline bool once_in(unsigned n) { return below(n) == 0; }
// Each row, encoding and variant has numbers of its own, so that a new row changes nobody else's.
static inline void begin_chance(const char *id, uint64_t n) {
    chance = 14695981039346656037u ^ n * 0x9e3779b97f4a7c15;
    for (; *id; id++) chance = (chance ^ (uint8_t)*id) * 1099511628211u;
    chance |= 1;
    for (int i = 0; i < 4; i++) random_dwords();
}

struct slot {
    const struct row *row;
    struct insn in;
    uint8_t bytes[INSN_MAX_BYTES];
    unsigned size, variant;
};

enum { S_OPERANDS = 8, S_ADDRESS = 80, S_DESCRIPTOR = 84, S_OFFSET = 90 };

static inline bool is_memory_format(unsigned f) { return f == FMT_SMEM || (f >= FMT_DS && f <= FMT_MTBUF); }

static inline int free_vector(const struct subject *m, unsigned *next, unsigned dwords) {
    const unsigned at = *next;
    (void)m;
    *next = at + (dwords + 1) / 2 * 2;
    return (int)(SRC_VGPR0 + at);
}
static inline int free_scalar(unsigned *next, unsigned dwords) {
    const unsigned align = dwords > 2 ? 4 : dwords == 2 ? 2 : 1, at = (*next + align - 1) / align * align;
    *next = at + dwords;
    return (int)at;
}

// A source that need not be a vector register, in place of one.
static inline int other_source(const struct subject *m, unsigned dwords) {
    switch (below(6)) {
    case 0: return SRC_ZERO + (int)below(70);
    case 1: return 240 + (int)below(8);
    case 2: return SRC_VCC_LO;
    case 3: return dwords == 1 ? (int)m->isa->m0_register : SRC_EXEC_LO;
    case 4: return SRC_EXEC_LO;
    default: return S_OPERANDS + 2 * (int)below(20);
    }
}

static inline bool operands_of(const struct subject *m, const struct row *row, struct insn *in,
                               unsigned format, unsigned variant, bool second) {
    const bool scalars = format <= FMT_SMEM;
    unsigned next_v = second ? 41 : 1 + below(3), next_s = S_OPERANDS;
    bool set[FIELDS] = {false};
    const bool same = variant > 2 && once_in(4); // the destination is a source as well
    for (unsigned i = 0; i < ROW_DST + ROW_SRC; i++) {
        const struct operand_spec o = i < ROW_DST ? row->dst[i] : row->src[i - ROW_DST];
        const bool source = i >= ROW_DST;
        unsigned dwords = operand_dwords[o.type];
        if (!o.type || set[o.field]) continue;
        set[o.field] = true;
        switch (o.type) {
        case T_IMM16:
        case T_SMALL:
        case T_WAITCNT:
        case T_DEPCTR:
        case T_DELAY:
        case T_VERSION:
        case T_ENDPGM: in->f[o.field] = (int)below(0x10000); continue;
        case T_GPR_IDX: in->f[o.field] = (int)below(16); continue;
        case T_HWREG: in->f[o.field] = (int)(below(26) | below(4) << 6 | below(32) << 11); continue;
        case T_SENDMSG: // those with an answer: whose wave it is, and where trap handlers are
            in->f[o.field] = (int)(row->dst[0].type ? 0x80 + below(3) : below(4));
            continue;
        case T_LABEL: in->f[o.field] = once_in(2) ? 2 : -4; continue;
        case T_ATTR: in->f[F_attr] = (int)below(3), in->f[F_attrchan] = (int)below(4); continue;
        case T_EXPTGT:
            in->f[F_tgt] = (int)below(9);
            in->f[F_en] = variant ? (int)below(16) : 15;
            in->f[F_done] = (int)below(2);
            if (insn_has(in, F_compr) && once_in(3)) in->f[F_compr] = 1, in->f[F_en] = 3 << 2 * below(2);
            if (insn_has(in, F_row)) in->f[F_row] = (int)below(2);
            continue;
        case T_INTERP: in->f[format == FMT_VINTRP ? F_vsrc : F_src1] = SRC_VGPR0 + (int)below(3); continue;
        case T_SWIZZLE: continue;
        case T_SADDR: continue;
        case T_MASK: dwords = m->wave32 ? 1 : 2; break;
        case T_ADDR: dwords = 2; break;
        case T_BUFADDR: dwords = 2; break;
        default:
            if (!dwords) return false;
        }
        if (o.field == F_literal) {
            in->has_literal = true, in->suffix = SUFFIX_LITERAL;
            in->f[F_literal] = (int)random_dword();
            if (operand_bits[o.type] == 16) in->f[F_literal] &= 0xffff;
            continue;
        }
        if (o.field == F_src1 && format == FMT_VINTRP) {
            in->f[F_vsrc] = free_vector(m, &next_v, 1);
            continue;
        }
        if (o.field == F_soffset) {
            in->f[F_soffset] = S_OFFSET;
            continue;
        }
        if (o.field == F_sbase || o.field == F_srsrc) {
            in->f[o.field] = S_DESCRIPTOR;
            continue;
        }
        const bool scalar = scalars || o.type == T_MASK || o.field == F_sdst || o.field == F_ssrc0 ||
                            (source && row->scalars >> (i - ROW_DST) & 1);
        if (scalar && row->scalars == 3 && i > ROW_DST)
            in->f[o.field] = in->f[row->src[0].field];
        else if (scalar)
            in->f[o.field] = free_scalar(&next_s, dwords ? dwords : 1);
        else
            in->f[o.field] = free_vector(m, &next_v, dwords ? dwords : 1);
        const bool any =
            source && !scalar && !(row->registers >> (i - ROW_DST) & 1) && !is_memory_format(format);
        if (any && variant && once_in(4)) in->f[o.field] = other_source(m, dwords);
        if (row->flags & ROW_BARRIER)
            in->f[o.field] = once_in(2) ? 193 : m->isa->m0_register;
        else if (source && scalar && variant && once_in(4) && !is_memory_format(format) && o.type != T_MASK &&
                 !strstr(row_id(row), "pc_b64"))
            in->f[o.field] = other_source(m, dwords);
        if (!source && scalar && variant > 1 && once_in(6) && format < FMT_SOPC)
            in->f[o.field] =
                dwords <= 2 ? (int[]){SRC_VCC_LO, SRC_EXEC_LO, SRC_VCC_LO}[below(3)] : in->f[o.field];
        if (source && same && !scalar && row->dst[0].type && row->dst[0].field == F_vdst &&
            operand_dwords[row->dst[0].type] == dwords && in->f[o.field] >= SRC_VGPR0)
            in->f[o.field] = in->f[F_vdst];
    }
    return next_v < VECTORS - 4 && next_s < S_ADDRESS;
}

static inline void modifiers(const struct subject *m, const struct row *row, struct insn *in,
                             unsigned format) {
    (void)m;
    int32_t *f = in->f;
    if (row->flags & ROW_BITOP3) {
        f[F_neg] = (int)below(8), f[F_abs] = (int)below(8), f[F_omod] = (int)below(4);
        return;
    }
    if (once_in(2)) f[F_clamp] = 1;
    if (once_in(2)) f[F_omod] = (int)below(4);
    if (once_in(2)) f[F_neg] = (int)below(8);
    if (once_in(2)) f[F_abs] = (int)below(8);
    if (once_in(2)) f[F_op_sel] = (int)below(16);
    if (format == FMT_VOP3P && once_in(2)) f[F_op_sel_hi] = (int)below(8);
    if (format == FMT_VOP3P && once_in(2)) f[F_neg_hi] = (int)below(8);
    if (format == FMT_MAI && once_in(2)) {
        f[F_acc] = (int)below(4), f[F_acc_cd] = (int)below(2);
        if (once_in(3)) f[F_cbsz] = (int)below(4), f[F_abid] = (int)below(4), f[F_blgp] = (int)below(8);
    }
}

static inline void suffix_of(const struct subject *m, struct insn *in, unsigned variant) {
    int32_t *f = in->f;
    if (in->suffix != SUFFIX_NONE || !insn_has(in, F_src0)) return;
    const bool vector = f[F_src0] >= SRC_VGPR0;
    switch (variant % 5) {
    case 2:
        if (!vector) return;
        in->suffix = SUFFIX_DPP16;
        f[F_dpp_ctrl] = (int[]){0x1b, 0x101, 0x112, 0x121, 0x140, 0x141, 0x130, 0x151, 0x163}[below(9)];
        f[F_row_mask] = once_in(2) ? 15 : (int)below(16), f[F_bank_mask] = once_in(2) ? 15 : (int)below(16);
        f[F_bound_ctrl] = (int)below(2), f[F_fi] = (int)below(2);
        if (once_in(2) && is_short(in->format->id))
            f[F_dpp_neg] = (int)below(4), f[F_dpp_abs] = (int)below(4);
        return;
    case 3:
        if (!vector) return;
        if (once_in(2)) {
            in->suffix = SUFFIX_DPP8;
            f[F_dpp8] = (int)below(1 << 24), in->dpp8_fi = once_in(2);
            return;
        }
        // fallthrough
    case 4:
        if (once_in(3)) {
            in->suffix = SUFFIX_LITERAL, in->has_literal = true;
            f[F_literal] = (int)random_dword();
            f[F_src0] = SRC_LITERAL;
            return;
        }
        in->suffix = SUFFIX_SDWA;
        f[F_src0_s] = !vector, f[F_src1_s] = f[F_src1] && f[F_src1] < SRC_VGPR0;
        f[F_dst_sel] = once_in(3) ? 6 : (int)below(7), f[F_dst_unused] = (int)below(3);
        f[F_src0_sel] = (int)below(7), f[F_src1_sel] = (int)below(7);
        f[F_sext] = once_in(2) ? (int)below(4) : 0;
        if (once_in(2)) f[F_sdwa_neg] = (int)below(4);
        if (once_in(2)) f[F_sdwa_abs] = (int)below(4);
        if (in->format->id == FMT_VOPC && m->isa->generation >= GFX9 && once_in(2))
            f[F_sd] = 1, f[F_sdst] = 20, in->sdwa_sdst = true;
        else
            f[F_sdst] = SRC_VCC_LO;
        return;
    default: return;
    }
}

// The number of four dwords as a buffer's format.
static inline int typed_format(const struct subject *m) {
    return !m->isa->unified_format ? 14 | 4 << 4 : m->isa->generation >= GFX11 ? 61 : 75;
}

static inline void memory_fields(const struct subject *m, const struct row *row, struct insn *in,
                                 unsigned format, unsigned variant) {
    int32_t *f = in->f;
    const int none = m->isa->null_register ? m->isa->null_register : 0x7f;
    if (variant && insn_has(in, F_acc) && m->agprs && once_in(3)) f[F_acc] = 1;
    f[F_glc] = (int)below(2), f[F_slc] = (int)below(2), f[F_dlc] = (int)below(2), f[F_scc] = once_in(4);
    f[F_th] = once_in(2) ? (int)below(2) : 0, f[F_scope] = (int)below(4);
    switch (format) {
    case FMT_SMEM:
        if (in->format->words == 1) { // immediates count dwords
            f[F_imm] = variant % 2 == 0;
            f[F_offset] = f[F_imm] ? (int)below(8) * 2 : S_OFFSET;
        } else if (!insn_has(in, F_imm)) {
            f[F_offset] = (int)below(8) * 8;
            f[F_soffset] = variant % 2 ? S_OFFSET : none;
        } else {
            f[F_imm] = variant % 2 == 0 || !insn_has(in, F_soe);
            f[F_soe] = variant % 2 && insn_has(in, F_soe);
            f[F_offset] = f[F_imm] ? (int)below(8) * 8 : 0;
            f[F_soffset] = f[F_soe] ? S_OFFSET : 0;
            if (!insn_has(in, F_soe) && variant % 2) f[F_imm] = 0, f[F_offset] = S_OFFSET;
        }
        break;
    case FMT_DS:
        f[F_offset0] = (int)below(16) * (row->flags & ROW_TWO_OFFSETS ? 1 : 8);
        if (row->flags & ROW_TWO_OFFSETS) f[F_offset1] = f[F_offset0] ^ (1 + (int)below(3));
        if (strstr(row_sem(row), "stride64")) f[F_offset0] = (int)below(2), f[F_offset1] = 2 + (int)below(2);
        if (!strcmp(row_sem(row), "ds_src2")) f[F_offset0] = 64 + (int)below(64);
        if (!strcmp(row_sem(row), "ds_swizzle_b32"))
            f[F_offset0] = (int)below(256), f[F_offset1] = (int)below(256);
        break;
    case FMT_FLAT:
        f[F_saddr] = none;
        if (m->isa->generation >= GFX9 && m->isa->generation != GFX10) f[F_offset] = (int)below(8) * 8;
        if (m->isa->generation < GFX9) f[F_offset] = 0, f[F_saddr] = 0;
        break;
    case FMT_GLOBAL:
        f[F_saddr] = variant % 2 || strstr(row_id(row), "addtid") ? S_ADDRESS : none;
        f[F_offset] = (int)below(32) * 8 - 128;
        break;
    case FMT_SCRATCH:
        f[F_saddr] = variant % 2 ? S_ADDRESS : variant % 4 == 0 ? none : 0x7f;
        if (insn_has(in, F_sve)) f[F_sve] = (int)below(2);
        f[F_offset] = (int)below(4) * 4;
        break;
    case FMT_MUBUF:
    case FMT_MTBUF:
        f[F_offen] = variant != 1, f[F_idxen] = variant > 1 && once_in(2);
        f[F_offset] = (int)below(64) * 8;
        if (variant == 3 && insn_has(in, F_addr64)) f[F_addr64] = 1, f[F_offen] = f[F_idxen] = 0;
        if (insn_has(in, F_tfe)) f[F_tfe] = variant > 1 && once_in(3);
        if (insn_has(in, F_lds)) f[F_lds] = variant > 1 && once_in(3);
        if (!strcmp(row_sem(row), "buffer_store_lds")) // its data is in LDS, and no register an address
            f[F_lds] = 1, f[F_tfe] = f[F_offen] = f[F_idxen] = 0;
        if (format == FMT_MTBUF) f[F_format] = typed_format(m);
        break;
    default: break;
    }
}

// Variant n of the row in an encoding. False: it has none such.
static inline bool make_slot(const struct subject *m, const struct coding *c, unsigned variant,
                             struct slot *s) {
    const struct row *row = &isa_rows[c->row];
    if (!m->isa->formats[c->format] || c->format == FMT_VOPDX || c->format == FMT_VOPDY) return false;
    for (unsigned attempt = 0; attempt < 12; attempt++) {
        memset(s, 0, sizeof *s);
        s->row = row;
        s->variant = variant;
        struct insn *in = &s->in;
        in->row = row, in->format = m->isa->formats[c->format];
        if (!operands_of(m, row, in, c->format, variant, false)) return false;
        if (c->format == FMT_VOP3P) {
            const bool chooses = row->flags & ROW_OPSEL_HI;
            in->f[F_op_sel_hi] = !chooses || row->src[0].type != T_MIX ? 7 : 0;
        }
        if (is_memory_format(c->format))
            memory_fields(m, row, in, c->format, variant);
        else if (variant > 1) {
            modifiers(m, row, in, c->format);
            suffix_of(m, in, variant);
        }
        s->size = insn_encode(m->isa, in, c->op, s->bytes);
        struct insn again;
        if (insn_decode(m->isa, s->bytes, s->size, &again) != DECODE_OK || again.row != row) continue;
        if (row->class != CLASS_HALF_MOVE && !insn_is_canonical(m->isa, &again, m->wave32)) {
            // Modifiers that it does not take, one by one.
            continue;
        }
        s->in = again;
        return true;
    }
    return false;
}

#endif
