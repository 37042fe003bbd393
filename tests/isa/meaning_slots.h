// SPDX-License-Identifier: MIT
// Instructions that test_meaning.c tries: values for their sources, and encodings with registers filled in.
#ifndef TESTS_MEANING_SLOTS_H
#define TESTS_MEANING_SLOTS_H

#include "exec/body/body.h"
#include "isa/isa.h"
#include "isa/kinds.h"
#include "meaning_language.h"

// ---- Values ----

static uint64_t seed = 0x9e3779b97f4a7c15;
static uint64_t next64(void) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed * 0x2545f4914f6cdd1d;
}
// Each slot has numbers of its own, so that a new row changes nobody else's.
static void seed_for(const char *id, uint64_t n) {
    seed = 14695981039346656037u ^ n * 0x9e3779b97f4a7c15;
    for (const char *p = id; *p; p++) seed = (seed ^ (uint8_t)*p) * 1099511628211u;
    seed |= 1;
    for (int i = 0; i < 8; i++) next64();
}
static unsigned below(unsigned n) { return (unsigned)(next64() >> 33) % n; }
// Bits of one element: random, awkward, or a number of moderate size.
static uint64_t element(enum operand_type type) {
    static const uint32_t awkward[] = {
        0,          1,          2,          31,         32,         63,         0x7f,       0x80,
        0xff,       0x100,      0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffff,   0x800000,
        0xffffff,   0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x3f800000, 0xbf800000,
        0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x3f000000, 0x7f7fffff, 0x3c00,     0x7c00,
        0xfc00,     0x7e00,     0x7c01,     0x03ff,     0x0400,     0x7bff,     0x3c003c00};
    static const uint64_t doubles[] = {0x3ff0000000000000,
                                       0x7ff0000000000000,
                                       0xfff0000000000000,
                                       0x7ff8000000000000,
                                       0x7ff0000000000001,
                                       0x8000000000000000,
                                       1,
                                       0x000fffffffffffff,
                                       0x0010000000000000,
                                       0x7fefffffffffffff,
                                       0x4330000000000000,
                                       0xbfe0000000000000};
    const unsigned way = below(4);
    if (way == 0) return next64();
    if (way == 1 && type == T_F64) return doubles[below(12)];
    if (way == 1) return awkward[below(39)] | (uint64_t)awkward[below(39)] << 32;
    const double d = ((double)(int64_t)next64()) * ldexp(1, -63 + (int)below(24) - 8);
    switch (type) {
    case T_F64: return double_bits(d);
    case T_F16:
    case T_V2F16: return float_code(F16_, d, TO_EVEN, 0) | float_code(F16_, d * 0.75, TO_EVEN, 0) << 16;
    case T_BF16:
    case T_V2BF16: return float_code(BF16_, d, TO_EVEN, 0) | float_code(BF16_, d * 0.75, TO_EVEN, 0) << 16;
    case T_F32:
    case T_V2F32:
    case T_MIX: return float_code(F32_, d, TO_EVEN, 0);
    default: return below(2) ? below(64) : (uint64_t)(int64_t)(int32_t)next64();
    }
}

// ---- One instruction to be tried ----

struct slot {
    const struct row *row;
    struct insn in;
    uint8_t bytes[INSN_MAX_BYTES];
    unsigned size, format;
    bool jumps;
    uint64_t at;    // offset in the code
    unsigned first; // slot of its row
};
struct trial {
    const sw_processor *p;
    const struct isa *isa;
    struct slot *slots;
    unsigned count, capacity, current;
    bool pending, wave32, wanted[8192];
    uint64_t code, pc;
    uint8_t *memory;
    struct machine before, now, expected;
    struct run run;
    unsigned runs, failures;
};
static unsigned evaluated_by_row[8192], failures_by_row[8192];

static int scalar_field(struct trial *t, const struct row *row, enum field f, unsigned *next,
                        unsigned dwords) {
    (void)row, (void)f, (void)t;
    unsigned align = dwords > 8 ? 16 : dwords > 4 ? 8 : 4, at = (*next + align - 1) / align * align;
    *next = at + (dwords ? dwords : 2);
    return (int)at;
}
// Registers for the operands; everything else is zero or, where it makes a difference, random.
static bool fill(struct trial *t, struct slot *s) {
    const struct row *row = s->row;
    struct insn *in = &s->in;
    const unsigned format = s->format;
    const bool scalar_format = format <= FMT_SMEM;
    unsigned next_v = 4 + below(3) * 4, next_s = 8;
    bool set[FIELDS] = {false};
    for (unsigned i = 0; i < ROW_DST + ROW_SRC; i++) {
        const struct operand_spec o = i < ROW_DST ? row->dst[i] : row->src[i - ROW_DST];
        if (!o.type || set[o.field]) continue;
        unsigned dwords = operand_dwords[o.type];
        set[o.field] = true;
        switch (o.type) {
        case T_IMM16:
        case T_SMALL: in->f[o.field] = (int)below(0x10000); continue;
        case T_LABEL: in->f[o.field] = 1; continue;
        case T_SWIZZLE: continue;
        case T_MASK: dwords = 2; break;
        case T_ADDR: dwords = 2; break;
        case T_SADDR: continue;
        case T_BUFADDR: dwords = 1; break;
        default:
            if (!dwords) return false;
        }
        if (o.field == F_literal) {
            in->has_literal = true, in->suffix = SUFFIX_LITERAL;
            in->f[F_literal] = (int)((uint32_t)element((enum operand_type)o.type) &
                                     (operand_bits[o.type] == 16 ? 0xffff : ~0u));
            continue;
        }
        const bool source = i >= ROW_DST,
                   in_scalar = scalar_format || o.type == T_MASK || o.field == F_sdst || o.field == F_sbase ||
                               o.field == F_srsrc || o.field == F_soffset || o.field == F_ssrc0 ||
                               (source && row->scalars >> (i - ROW_DST) & 1);
        if (in_scalar && row->scalars == 3 && i > ROW_DST) // as many scalars as any processor reads at once
            in->f[o.field] = in->f[row->src[0].field];
        else if (in_scalar)
            in->f[o.field] = scalar_field(t, row, (enum field)o.field, &next_s, dwords);
        else {
            in->f[o.field] = SRC_VGPR0 + (int)next_v;
            next_v += (dwords + 3) / 4 * 4;
        }
    }
    if (next_v > 250 || next_s > 96) return false;
    if (row->flags & ROW_BITOP3)
        in->f[F_neg] = (int)below(8), in->f[F_abs] = (int)below(8), in->f[F_omod] = (int)below(4);
    const int none = t->isa->null_register ? t->isa->null_register : 0x7f;
    switch (format) {
    case FMT_VOP3P:
        in->f[F_op_sel_hi] =
            row->flags & ROW_OPSEL_HI && row->src[0].type != T_MIX && row->dst[0].type != T_B64 ? 7
            : row->flags & ROW_OPSEL_HI                                                         ? 0
                                                                                                : 0;
        if (row->src[0].type == T_V2F32 || row->src[0].type == T_V2B32) in->f[F_op_sel_hi] = 7;
        if (row->class == CLASS_WMMA || row->class == CLASS_SWMMAC || !(row->flags & ROW_OPSEL_HI))
            in->f[F_op_sel_hi] = 7;
        if (strstr(row_sem(row), "_iu")) in->f[F_neg] = (int)below(4);
        if (!strcmp(row_sem(row), "v_pk_mov_b32")) in->f[F_op_sel] = (int)below(4);
        break;
    case FMT_SMEM:
        if (t->isa->generation < GFX9) in->f[F_imm] = 1;
        if (t->isa->generation < GFX8)
            in->f[F_offset] = (int)below(16) * 4;
        else
            in->f[F_offset] = (int)below(16) * 16, in->f[F_imm] = 1;
        if (t->isa->null_register) in->f[F_soffset] = none;
        break;
    case FMT_DS:
        in->f[F_offset0] = (int)below(16) * (row->flags & ROW_TWO_OFFSETS ? 1 : 8);
        if (row->flags & ROW_TWO_OFFSETS) in->f[F_offset1] = 100 + (int)below(100);
        if (strstr(row_sem(row), "stride64"))
            in->f[F_offset0] = (int)below(2), in->f[F_offset1] = 3 + (int)below(3);
        if (!strcmp(row_sem(row), "ds_src2")) in->f[F_offset0] = 64 + 2 * (int)below(32);
        if (!strcmp(row_sem(row), "ds_swizzle_b32")) {
            const unsigned way = below(t->isa->swizzle_rotates ? 4 : 2);
            const unsigned pattern = way == 0   ? 0x8000 | below(256)
                                     : way == 1 ? below(0x8000)
                                     : way == 2 ? 0xc000 | below(0x800)
                                                : 0xe000 | below(32);
            in->f[F_offset0] = (int)(pattern & 255), in->f[F_offset1] = (int)(pattern >> 8);
        }
        break;
    case FMT_FLAT:
    case FMT_GLOBAL:
        in->f[F_saddr] = none;
        in->f[F_offset] = (int)below(32) * 8;
        if (format == FMT_FLAT && t->isa->generation < GFX9) in->f[F_offset] = 0;
        if (format == FMT_GLOBAL && (below(2) || strstr(row_id(row), "addtid"))) in->f[F_saddr] = 80;
        break;
    case FMT_MUBUF:
        in->f[F_offen] = 1;
        in->f[F_offset] = (int)below(64) * 8;
        break;
    default: break;
    }
    const bool floats_add = row->atomic == ATOMIC_add_f32 || row->atomic == ATOMIC_pk_add_f16;
    if (row->atomic && !scalar_format && row->dst[0].type && format != FMT_DS) {
        const bool returns = below(2) || row->atomic == ATOMIC_csub_u32;
        in->f[F_glc] = in->f[F_th] = returns && (!floats_add || t->isa->fadd_returns);
    }
    if (row->atomic && format == FMT_SMEM) in->f[F_glc] = 1;
    if (row->atomic && format == FMT_MUBUF) in->f[F_glc] = in->f[F_th] = !floats_add || t->isa->fadd_returns;
    return true;
}

static void add_slots(struct trial *t, const struct coding *c) {
    const struct row *row = &isa_rows[c->row];
    const bool matrix =
        row->enc[0].format == FMT_MAI || row->class == CLASS_WMMA || row->class == CLASS_SWMMAC;
    if (c->format == FMT_VOPDX || c->format == FMT_VOPDY) return;
    if (c->format == FMT_VOPD3X || c->format == FMT_VOPD3Y) return;
    if (t->isa->generation == GFX12_5 && (c->format == FMT_MUBUF || !strncmp(row_id(row), "s_buffer", 8)))
        return; // its buffers do not run yet
    const unsigned first = t->count;
    for (unsigned i = 0; i < (matrix ? 1u : !strcmp(row_sem(row), "ds_swizzle_b32") ? 20u : 3u); i++) {
        struct slot s = {.row = row,
                         .format = c->format,
                         .first = first,
                         .in = {.row = row, .format = t->isa->formats[c->format]}};
        seed_for(row_id(row), c->format * 100u + t->isa->generation * 10000u + i);
        if (!fill(t, &s)) {
            print_error("%s: no operands for %s\n", sw_processor_name(t->p), row_id(row));
            t->failures++;
            return;
        }
        s.size = insn_encode(t->isa, &s.in, c->op, s.bytes);
        struct insn again;
        if (c->format == FMT_FLAT && insn_decode(t->isa, s.bytes, s.size, &again) == DECODE_OK &&
            !insn_is_canonical(t->isa, &again, t->wave32)) {
            s.in.f[F_saddr] = 0; // where a flat address has no scalar part at all
            s.size = insn_encode(t->isa, &s.in, c->op, s.bytes);
        }
        if (insn_decode(t->isa, s.bytes, s.size, &again) != DECODE_OK || again.row != row ||
            (row->class != CLASS_HALF_MOVE && !insn_is_canonical(t->isa, &again, t->wave32))) {
            if (!strcmp(row_sem(row), "ds_swizzle_b32") && i < 40)
                continue; // some patterns have two spellings
            if (!i)
                print_error("%s: %s is not as an assembler writes it, %08x %08x\n", sw_processor_name(t->p),
                            row_id(row), *(uint32_t *)s.bytes, *(uint32_t *)(s.bytes + 4)),
                    t->failures++;
            continue;
        }
        s.in = again;
        s.jumps = row->flags & (ROW_BRANCH | ROW_CALL) || !strncmp(row_id(row), "s_setpc", 7) ||
                  !strncmp(row_id(row), "s_swappc", 8);
        if (t->count == t->capacity)
            t->slots = realloc(t->slots, (t->capacity = t->capacity * 2 + 256) * sizeof *t->slots);
        t->slots[t->count++] = s;
    }
}

#endif
