// SPDX-License-Identifier: MIT
// What check.c and check_memory.c share, which together are insn_is_canonical.
#ifndef ISA_CHECK_H
#define ISA_CHECK_H

#include "isa/kinds.h"
#include "isa/names.h"

static inline bool names_field(const struct row *row, enum field field) {
    for (int i = 0; i < ROW_DST; i++)
        if (row->dst[i].type && row->dst[i].field == field) return true;
    for (int i = 0; i < ROW_SRC; i++)
        if (row->src[i].type && row->src[i].field == field) return true;
    return false;
}

static inline bool exists(const struct isa *isa, const struct insn *in, const struct operand *o) {
    // Tuples of vector registers lie within the register file. Where VGPRs and AGPRs are one file, they begin
    // at an even number (TRAP-401).
    if (o->code >= SRC_VGPR0) {
        if (o->code % 256u + o->dwords > 256) return false;
        return !(isa->accvgpr_memory && o->dwords > 1 && o->code & 1);
    }
    if (o->code == SRC_LITERAL) return in->has_literal;
    if (o->code >= SRC_ZERO && o->code <= 208) return true;
    if (o->code >= 240 && o->code <= 248) return o->code < 248 || isa->inverse_two_pi;
    struct scalar s = isa_scalar(isa, o->code, o->dwords);
    unsigned between = o->dwords > 2    ? 3
                       : o->dwords == 2 ? 1
                                        : 0; // tuples start at even registers or fourth ones
    switch (s.kind) {
    case SCALAR_SGPR: return !(s.index & between) && s.index + o->dwords <= isa_sgprs(isa);
    case SCALAR_TTMP: return !(s.index & between) && o->code + o->dwords <= 124u;
    default:
        if (o->code == 124 + !isa_null_is_124(isa) && !isa_null_register(isa)) return false;
        return s.kind == SCALAR_SPECIAL && isa_has_special(isa, o->code);
    }
}

static inline bool is_constant(unsigned code) {
    return (code >= SRC_ZERO && code <= 208) || (code >= 240 && code <= 248) || code == SRC_LITERAL;
}

// The part for formats that reach memory, and exports.
bool check_memory(const struct isa *isa, const struct insn *in);

#endif
