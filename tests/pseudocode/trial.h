// SPDX-License-Identifier: MIT
// Instructions to be tried: encodings of a row with registers and modifiers filled in, values for the
// registers, and the operands as the interpreter names them.
#ifndef TESTS_PSEUDOCODE_TRIAL_H
#define TESTS_PSEUDOCODE_TRIAL_H

#include "eval.h"
#include "isa/isa.h"
#include "target/target.h"
#include "slot_code.h"
#include "vector_line.h"

// ---- Random numbers, the same in every run ----

static uint64_t seed = 1;
static uint64_t next64(void) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed * 0x2545f4914f6cdd1d;
}
static void seed_for(const char *id, uint64_t n) {
    seed = 14695981039346656037u ^ n * 0x9e3779b97f4a7c15;
    for (const char *p = id; *p; p++) seed = (seed ^ (uint8_t)*p) * 1099511628211u;
    seed |= 1;
    for (int i = 0; i < 8; i++) next64();
}
static unsigned below(unsigned n) { return (unsigned)(next64() >> 33) % n; }

// ---- Values ----

// Bits of one element: a boundary, a random pattern, or a number of moderate size.
static uint64_t boundary(enum fmt f) {
    const uint64_t one = fmt_code(f, 1, TO_EVEN), inf = fmt_infinity(f);
    const uint64_t codes[] = {0,
                              1,
                              one,
                              one + 1,
                              one - 1,
                              inf,
                              inf - 1,
                              inf | 1,
                              inf | fmt_quiet_bit(f),
                              fmt_nan(f) + 5,
                              (1ull << fmt_facts[f].mantissa),
                              (1ull << fmt_facts[f].mantissa) - 1,
                              fmt_code(f, 0.5, TO_EVEN),
                              fmt_code(f, 0.5, TO_EVEN) - 1,
                              fmt_code(f, 1.5, TO_EVEN),
                              fmt_code(f, 2.5, TO_EVEN),
                              fmt_code(f, 2, TO_EVEN),
                              fmt_code(f, 3, TO_EVEN),
                              fmt_code(f, 255, TO_EVEN),
                              fmt_code(f, 255.5, TO_EVEN),
                              fmt_code(f, 32767, TO_EVEN),
                              fmt_code(f, 65504, TO_EVEN),
                              fmt_code(f, 2147483648.0, TO_EVEN),
                              fmt_code(f, 0.25, TO_EVEN)};
    return codes[below(sizeof codes / sizeof *codes)] | (below(2) ? fmt_sign(f) : 0);
}
static uint64_t element_float(enum fmt f) {
    switch (below(4)) {
    case 0: return next64() & fmt_mask(f);
    case 1: return boundary(f);
    case 2: { // near others: sums that cancel, quotients near 1
        const double d = (double)(below(64) + 1) / (1 << below(6));
        return fmt_code(f, below(2) ? d : -d, TO_EVEN) + (below(4) ? 0 : 1);
    }
    default: return fmt_code(f, (double)(int64_t)next64() * ldexp(1, -63 + (int)below(24) - 8), TO_EVEN);
    }
}
static uint64_t element(enum operand_type type) {
    static const uint32_t awkward[] = {0,          1,          2,          3,          7,         8,
                                       15,         16,         31,         32,         33,        63,
                                       64,         0x7f,       0x80,       0xff,       0x100,     0x7fff,
                                       0x8000,     0xffff,     0x10000,    0x7fffff,   0x800000,  0xffffff,
                                       0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe};
    switch (type) {
    case T_F64: return element_float(F64);
    case T_F16:
    case T_V2F16: return element_float(F16) | element_float(F16) << 16;
    case T_BF16:
    case T_V2BF16: return element_float(BF16) | element_float(BF16) << 16;
    case T_F32:
    case T_V2F32: return element_float(F32);
    case T_MIX: return below(2) ? element_float(F32) : element_float(F16) | element_float(F16) << 16;
    default: break;
    }
    const unsigned n = sizeof awkward / sizeof *awkward;
    switch (below(4)) {
    case 0: return next64();
    case 1: return awkward[below(n)] | (uint64_t)awkward[below(n)] << 32;
    case 2:
        return operand_bits[type] == 16 ? awkward[below(n)] << 16 | (awkward[below(n)] & 0xffff) : below(64);
    default: return (uint64_t)(int64_t)(int32_t)next64();
    }
}

#include "immediates.h"

// ---- An instruction ----

struct slot {
    const struct row *row;
    struct insn in;
    uint8_t bytes[INSN_MAX_BYTES];
    unsigned size, format, number; // of its row's trials
    uint32_t mode;
    uint64_t at; // offset in the code
    bool jumps;
};

static bool is_memory_format(unsigned f);
static bool is_scalar_format(unsigned format) { return format <= FMT_SOPP; }
static bool is_tried_format(unsigned f) {
    return f <= FMT_SOPP || f == FMT_VOP1 || f == FMT_VOP2 || f == FMT_VOPC || f == FMT_VOP3 ||
           f == FMT_VOP3B || f == FMT_VOP3S || f == FMT_VOP3P || f == FMT_VINTERP || is_memory_format(f);
}
static const char *kind_of_format(unsigned format) {
    switch (format) {
    case FMT_SOP1: return "SOP1Op";
    case FMT_SOP2: return "SOP2Op";
    case FMT_SOPC: return "SOPCOp";
    case FMT_SOPK: return "SOPKOp";
    case FMT_SOPP: return "SOPPOp";
    case FMT_VOP1: return "VOP1Op";
    case FMT_VOP2: return "VOP2Op";
    case FMT_VOPC: return "VOPCOp";
    case FMT_VOP3:
    case FMT_VOP3S: return "VOP3Op";
    case FMT_VOP3B: return "VOP3SDOp";
    case FMT_VOP3P: return "VOP3POp";
    case FMT_VINTERP: return "VINTERPOp";
    case FMT_DS: return "DSOp";
    case FMT_FLAT: return "FLATOp";
    case FMT_GLOBAL: return "GLOBALOp";
    case FMT_SMEM: return "SMEMOp";
    case FMT_SCRATCH: return "SCRATCHOp";
    case FMT_MUBUF: return "MUBUFOp";
    default: return "";
    }
}
// GFX12's names.
static const char *renamed_kind_of_format(unsigned format) {
    switch (format) {
    case FMT_FLAT: return "VFLATOp";
    case FMT_GLOBAL: return "VGLOBALOp";
    case FMT_SCRATCH: return "VSCRATCHOp";
    case FMT_MUBUF:
    case FMT_MTBUF: return "VBUFFEROp";
    default: return "";
    }
}
static bool has_prefix(const char *text, const char *prefix) {
    return !strncmp(text, prefix, strlen(prefix));
}

#include "memory_trial.h"

// Registers for the operands, disjoint and in order. False: it has operands that no register holds.
static bool fill_operands(struct slot *s) {
    const struct row *row = s->row;
    struct insn *in = &s->in;
    unsigned next_v = 2, next_s = 8;
    bool set[FIELDS] = {false};
    for (unsigned i = 0; i < ROW_DST + ROW_SRC; i++) {
        const struct operand_spec o = i < ROW_DST ? row->dst[i] : row->src[i - ROW_DST];
        if (!o.type || set[o.field]) continue;
        unsigned dwords = operand_dwords[o.type];
        set[o.field] = true;
        if (is_immediate(o.type)) {
            in->f[o.field] = immediate(row, o.type);
            continue;
        }
        if (o.type == T_SWIZZLE) continue; // offsets (fill_memory)
        if (o.type == T_LABEL) {
            in->f[o.field] = s->number % 2 ? LABEL_BACKWARDS : LABEL_FORWARDS;
            continue;
        }
        if (o.type == T_MASK || o.type == T_ADDR || o.type == T_SADDR || o.type == T_BUFADDR) dwords = 2;
        if (!dwords) {
            if (o.type != T_MIX) return false;
            dwords = 1;
        }
        if (o.field == F_literal) {
            in->has_literal = true, in->suffix = SUFFIX_LITERAL;
            in->f[F_literal] = (int)((uint32_t)element((enum operand_type)o.type) &
                                     (operand_bits[o.type] == 16 ? 0xffff : ~0u));
            continue;
        }
        const bool source = i >= ROW_DST, in_scalar = is_scalar_format(s->format) || s->format == FMT_SMEM ||
                                                      o.type == T_MASK || o.type == T_SADDR ||
                                                      o.field == F_srsrc || o.field == F_soffset ||
                                                      o.field == F_sdst || o.field == F_ssrc0 ||
                                                      (source && row->scalars >> (i - ROW_DST) & 1);
        if (in_scalar && row->scalars == 3 && i > ROW_DST)
            in->f[o.field] = in->f[row->src[0].field]; // as many scalars as any processor reads at once
        else if (in_scalar) {
            next_s = (next_s + 3) / 4 * 4;
            in->f[o.field] = (int)next_s, next_s += dwords;
        } else {
            in->f[o.field] = SRC_VGPR0 + (int)next_v;
            next_v += (dwords + 1) / 2 * 2 + 2;
        }
    }
    return next_v < MACHINE_VGPRS - 8 && next_s <= 80;
}
// The sources that are not results as well may be other things than vector registers.
static void vary_source(struct slot *s) {
    struct insn *in = &s->in;
    const enum field f = is_scalar_format(s->format) ? F_ssrc0 : F_src0;
    // Constants of 64-bit packed moves are not told; 8-bit floats and lanes are read from a vector register.
    if (s->row->dst[0].type == T_V2B32 || s->row->src[0].type == T_V2F32 ||
        has_prefix(row_id(s->row), "v_pk_mov") || strstr(row_id(s->row), "_fp8") ||
        strstr(row_id(s->row), "_bf8") || strstr(row_id(s->row), "_scalef32"))
        return;
    if (strstr(row_id(s->row), "rel") || strstr(row_id(s->row), "permlane") ||
        strstr(row_id(s->row), "lane_b32"))
        return;
    if (!insn_has(in, f) || s->row->flags & ROW_BARRIER || s->row->registers & 1 || in->has_literal ||
        in->f[f] == 0)
        return;
    switch (below(3)) {
    case 0: in->f[f] = 128 + (int)below(65); break;                             // 0 to 64
    case 1: in->f[f] = 193 + (int)below(16); break;                             // -1 to -16
    default: in->f[f] = is_scalar_format(s->format) ? 240 + (int)below(8) : 60; // floats, a scalar register
    }
}
static bool is_float_type(unsigned type) {
    return type == T_F16 || type == T_BF16 || type == T_F32 || type == T_F64 || type == T_V2F16 ||
           type == T_V2BF16 || type == T_V2F32 || type == T_MIX || type == T_MIXB;
}
// Source modifiers are for floats; of other types the manuals leave them undefined.
static int float_sources(const struct row *row) {
    int mask = 0;
    for (unsigned i = 0; i < ROW_SRC; i++) {
        const unsigned f = row->src[i].field;
        const int n = f == F_src0 ? 0 : f == F_src1 ? 1 : f == F_src2 ? 2 : -1;
        if (n == 1 && strstr(row_id(row), "ldexp")) continue;
        if (n >= 0 && (is_float_type(row->src[i].type) || (row->class == CLASS_SELECT && n < 2)))
            mask |= 1 << n;
    }
    return mask;
}
static void fill_modifiers(struct slot *s) {
    const struct row *row = s->row;
    struct insn *in = &s->in;
    const int floats = float_sources(row);
    if (s->format == FMT_VOP3P) {
        const bool mix = row->src[0].type == T_MIX || row->src[0].type == T_MIXB;
        in->f[F_op_sel_hi] = mix ? 0 : 7;
        if (s->number) {
            if (row->flags & ROW_OPSEL) in->f[F_op_sel] = (int)below(8);
            if (row->flags & ROW_OPSEL_HI) in->f[F_op_sel_hi] = (int)below(8);
            if (row->flags & ROW_PACKED || row->flags & ROW_ABSNEG)
                in->f[F_neg] = (int)below(8) & floats, in->f[F_neg_hi] = (int)below(8) & floats;
            if (strstr(row_id(row), "_iu")) in->f[F_neg] = (int)below(4);
        }
        if (s->number > 2 && row->flags & ROW_CLAMP) in->f[F_clamp] = (int)below(2);
        return;
    }
    if (row->flags & ROW_BITOP3) {
        in->f[F_neg] = (int)below(8), in->f[F_abs] = (int)below(8), in->f[F_omod] = (int)below(4);
        if (s->number && row->flags & ROW_OPSEL && operand_bits[row->dst[0].type] == 16)
            in->f[F_op_sel] = (int)below(16);
        return;
    }
    // What modifiers do to the halves of these is not told, and those of 8-bit floats have none.
    if (!s->number || has_prefix(row_id(row), "v_dot2") || row->class == CLASS_PK_FMAC) return;
    const bool small = strstr(row_id(row), "_fp8") || strstr(row_id(row), "_bf8") ||
                       strstr(row_id(row), "_scalef32") || has_prefix(row_id(row), "v_cvt_sr_pk_");
    const char *id = row_id(row);
    const bool modified =
        !small || (!strcmp(id + strlen(id) - 4, "_f32") && operand_dwords[row->src[0].type] == 1);
    if (row->flags & ROW_ABSNEG && insn_has(in, F_neg) && modified) {
        in->f[F_neg] = (int)below(8) & floats;
        if (insn_has(in, F_abs)) in->f[F_abs] = (int)below(8) & floats;
    }
    if (row->flags & ROW_OPSEL && insn_has(in, F_op_sel)) in->f[F_op_sel] = (int)below(16);
    if (strstr(id, "fmac") || strstr(id, "v_mac"))
        in->f[F_op_sel] = in->f[F_op_sel] >> 3 & 1 ? 12 | (in->f[F_op_sel] & 3)
                                                   : in->f[F_op_sel] & 3; // the sum is the result
    const bool long_integer = operand_bits[row->dst[0].type] == 64 && !is_float_type(row->dst[0].type);
    if (small || long_integer) return; // a clamp of 64 bits is refused
    if (s->number > 2 && row->flags & ROW_CLAMP && insn_has(in, F_clamp)) in->f[F_clamp] = (int)below(2);
    if (s->number > 3 && row->flags & ROW_OMOD && insn_has(in, F_omod)) in->f[F_omod] = (int)below(4);
}
// Clears what the encoding must not have, one after the other, until it is an instruction.
static bool settle(const struct isa *isa, struct slot *s, unsigned op, bool wave32) {
    static const enum field order[] = {F_op_sel, F_neg_hi, F_abs,       F_neg,
                                       F_omod,   F_clamp,  F_op_sel_hi, FIELDS};
    struct slot whole = *s;
    for (unsigned cleared = 0; cleared < 128; cleared++) {
        struct insn again;
        *s = whole;
        for (unsigned i = 0; order[i] != FIELDS; i++) {
            const bool src2 = i == 0; // fields of sources that it has not
            (void)src2;
            if (cleared >> i & 1) s->in.f[order[i]] = 0;
        }
        for (unsigned bits = 0; bits < 2; bits++) {
            if (bits)
                s->in.f[F_neg] &= 3, s->in.f[F_abs] &= 3, s->in.f[F_op_sel] &= 0xb, s->in.f[F_neg_hi] &= 3;
            s->size = insn_encode(isa, &s->in, op, s->bytes);
            if (insn_decode(isa, s->bytes, s->size, &again) == DECODE_OK && again.row == s->row &&
                insn_is_canonical(isa, &again, wave32)) {
                s->in = again;
                return true;
            }
            if (bits) {
                s->in.f[F_neg] &= 1, s->in.f[F_abs] &= 1, s->in.f[F_op_sel] &= 9, s->in.f[F_neg_hi] &= 1;
                s->size = insn_encode(isa, &s->in, op, s->bytes);
                if (insn_decode(isa, s->bytes, s->size, &again) == DECODE_OK && again.row == s->row &&
                    insn_is_canonical(isa, &again, wave32)) {
                    s->in = again;
                    return true;
                }
            }
        }
    }
    return false;
}
static uint32_t mode_of_trial(unsigned number) {
    // Rounding of F32 and of F64/F16, denormals of both, DX10_CLAMP, IEEE, FP16_OVFL.
    static const uint32_t first[] = {0x3f0, 0x3f0, 0x300, 0x2a3, 0x1c5, 0x0f0, 0x350};
    if (number < sizeof first / sizeof *first) return first[number];
    return (uint32_t)(next64() & 0x3ff) | below(2) << 23;
}
static bool make_slot(const struct isa *isa, const struct coding *c, unsigned number, bool wave32,
                      struct slot *s) {
    const struct row *row = &isa_rows[c->row];
    *s = (struct slot){.row = row,
                       .format = c->format,
                       .number = number,
                       .in = {.row = row, .format = isa->formats[c->format]}};
    seed_for(row_id(row), c->format * 1000u + number);
    if (!fill_operands(s)) return false;
    if (!is_memory_format(s->format)) fill_modifiers(s);
    s->mode = mode_of_trial(number) & (isa->fp16_overflow ? ~0u : 0x3ffu);
    const bool jumps = row_jumps(row);
    if (number % 3 == 2 && !jumps && !is_memory_format(s->format)) {
        struct slot plain = *s;
        vary_source(s);
        if (settle(isa, s, c->op, wave32)) goto done;
        *s = plain;
    }
    if (is_memory_format(s->format)) {
        const struct slot plain = *s;
        if (settle_memory(isa, s, c->op, wave32)) return true;
        *s = plain; // without an address
    }
    if (row->class == CLASS_WAIT && isa->null_waits) s->in.f[F_sdst] = (int)isa->null_register;
    if (row->flags & ROW_BARRIER && insn_has(&s->in, F_ssrc0))
        s->in.f[F_ssrc0] = row_begins(row, "s_barrier_signal") ? 193 : 129; // -1: the work-group's; 1
    if (!settle(isa, s, c->op, wave32)) return false;
done:
    s->jumps = jumps;
    return true;
}

// ---- Registers and operands ----

static struct place place_of(const struct isa *isa, const struct slot *s, struct operand_spec spec,
                             bool wave32) {
    const struct insn *in = &s->in;
    if (!spec.type) return (struct place){P_NOWHERE, 0, 0};
    if (is_immediate(spec.type))
        return (struct place){P_CONSTANT, (unsigned)in->f[spec.field], (uint64_t)(uint16_t)in->f[spec.field]};
    if (spec.field == F_literal) return (struct place){P_CONSTANT, 0, (uint32_t)in->f[F_literal]};
    if (spec.type == T_LABEL || spec.type == T_SWIZZLE) return (struct place){P_NOWHERE, 0, 0};
    const struct operand o = insn_operand(isa, in, spec, wave32);
    if (o.code >= SRC_VGPR0) return (struct place){P_VGPR, o.code - SRC_VGPR0, 0};
    if (o.code < 128) return (struct place){P_SGPR, o.code, 0};
    // Inline constants, by the type of the operand (TRAP-023 to TRAP-027).
    const char *id = row_id(s->row);
    const bool scalar_half = is_scalar_format(s->format) && !has_prefix(id, "s_cvt_hi") &&
                             (strstr(id, "_f16") || strstr(id, "f32_f16")) &&
                             !has_prefix(id, "s_cvt_f16_f32") && !has_prefix(id, "s_cvt_pk_rtz");
    const bool halves = scalar_half || spec.type == T_F16 || spec.type == T_V2F16;
    static const double floats[] = {0.5, -0.5, 1, -1, 2, -2, 4, -4};
    if (o.code <= 192) return (struct place){P_CONSTANT, 0, o.code - 128u};
    if (o.code <= 208) return (struct place){P_CONSTANT, 0, (uint64_t) - (int64_t)(o.code - 192)};
    if (o.code < 240 || o.code > 247) return (struct place){P_NOWHERE, 0, 0};
    const double d = floats[o.code - 240];
    const enum fmt f = halves                                         ? F16
                       : spec.type == T_BF16 || spec.type == T_V2BF16 ? BF16
                       : operand_dwords[spec.type] == 2               ? F64
                                                                      : F32;
    return (struct place){P_CONSTANT, 0, fmt_code(f, d, TO_EVEN)};
}
static void randomize(const struct isa *isa, const struct slot *s, struct machine *m, unsigned lanes) {
    const struct row *row = s->row;
    const uint64_t full = lanes == 64 ? ~0ull : 0xffffffff;
    const bool wave32 = lanes == 32;
    for (unsigned n = 0; n < MACHINE_VGPRS; n++)
        for (unsigned l = 0; l < lanes; l++) m->v[n][l] = 0x01010101u * n + l;
    for (unsigned i = 0; i < 104; i++) m->s[i] = (uint32_t)element(T_B32);
    m->scc = below(2);
    uint64_t vcc = next64() & full, exec = s->number < 2 ? full : next64() & full;
    if (s->number == 4) exec = 0;
    if (s->number == 5) exec = 1ull << below(lanes);
    if (row_begins(row, "s_cbranch_vcc") && below(2)) vcc = 0;
    if (row_begins(row, "s_subvector") && below(3)) exec = below(2) ? (uint32_t)exec : exec >> 32 << 32;
    m->s[106] = (uint32_t)vcc, m->s[107] = (uint32_t)(vcc >> 32);
    m->s[126] = (uint32_t)exec, m->s[127] = (uint32_t)(exec >> 32);
    for (unsigned i = 0; i < ROW_DST + ROW_SRC; i++) {
        const struct operand_spec spec = i < ROW_DST ? row->dst[i] : row->src[i - ROW_DST];
        const struct place w = place_of(isa, s, spec, wave32);
        if (w.kind != P_VGPR && w.kind != P_SGPR) continue;
        if (w.kind == P_SGPR && w.index >= 104) continue;
        const unsigned step = spec.type == T_F64 ? 2 : 1,
                       dwords = operand_dwords[spec.type] ? operand_dwords[spec.type] : 1;
        for (unsigned l = 0; l < (w.kind == P_VGPR ? lanes : 1); l++)
            for (unsigned n = 0; n < dwords; n += step) {
                const uint64_t v = element((enum operand_type)spec.type);
                uint32_t *at = w.kind == P_VGPR ? &m->v[w.index + n][l] : &m->s[w.index + n];
                *at = (uint32_t)v;
                if (n + 1 < dwords && (step == 2 || operand_bits[spec.type] == 64))
                    at[w.kind == P_VGPR ? 64 : 1] = (uint32_t)(v >> 32);
            }
    }
    if (has_prefix(row_id(row), "v_div_scale")) // what is scaled is the denominator or the numerator
        for (unsigned l = 0; l < lanes; l++) {
            const struct place a = place_of(isa, s, row->src[0], wave32),
                               b = place_of(isa, s, row->src[1 + below(2)], wave32);
            for (unsigned n = 0; n < operand_dwords[row->src[0].type] && a.kind == P_VGPR; n++)
                m->v[a.index + n][l] = m->v[b.index + n][l];
        }
    if (row_begins(row, "v_permlane_") && row->scalars == 6) { // a lane or a distance, and a group's lanes
        m->s[place_of(isa, s, row->src[1], wave32).index] = below(40);
        m->s[place_of(isa, s, row->src[2], wave32).index] = 1u << below(6);
    }
    m->s[isa->m0_register] =
        strstr(row_id(row), "rel")
            ? below(4) | (strstr(row_id(row), "_2_") || strstr(row_id(row), "swaprel") ? below(4) << 16 : 0)
            : (uint32_t)next64();
    memset(&bases, 0, sizeof bases);
    if (is_memory_format(s->format)) randomize_memory(isa, s, m, lanes);
}

#endif
