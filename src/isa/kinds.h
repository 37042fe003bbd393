// SPDX-License-Identifier: MIT
// Small questions about operands and formats that decoding, checking, printing and assembling all ask.
#ifndef ISA_KINDS_H
#define ISA_KINDS_H

#include "isa/isa.h"

static inline bool is_float(enum operand_type t) {
    switch (t) {
    case T_F16:
    case T_BF16:
    case T_F32:
    case T_F64:
    case T_MIX:
    case T_V2F16:
    case T_V2BF16:
    case T_V2F32: return true;
    default: return false;
    }
}

// One 16-bit value, which on some processors lies in a named half of a register.
static inline bool is_half(enum operand_type t) {
    return t == T_F16 || t == T_BF16 || t == T_I16 || t == T_U16 || t == T_B16;
}

static inline int source_number(enum field field) {
    return field == F_src0 ? 0 : field == F_src1 ? 1 : field == F_src2 ? 2 : -1;
}

// Numbered sources, which modifier lists span.
static inline unsigned source_count(const struct row *row) {
    unsigned n = 0;
    for (int i = 0; i < ROW_SRC; i++) {
        int k = row->src[i].type ? source_number(row->src[i].field) : -1;
        if (k >= 0 && (unsigned)k + 1 > n) n = (unsigned)k + 1;
    }
    return n;
}

// Which sources of a packed row take neg_lo and neg_hi on GFX12: integer ones say by neg_lo whether they are
// signed, 8-bit floats have no sign to change but that of C (TRAP-192, TRAP-223).
static inline void packed_signs(const struct row *row, int *lo, int *hi) {
    bool matrix = operand_dwords[row->dst[0].type] > 2 || row->dst[0].type == T_W64;
    bool bytes = row->needs[0] == CAP_fp8_matrix + 1 || row->needs[0] == CAP_dot11 + 1;
    bool wide = operand_bits[row->src[0].type] == 32 && row->flags & ROW_CLAMP;
    *lo = *hi = 7;
    if (!matrix && row->needs[0] != CAP_dot11 + 1) return;
    bool integers = row->flags & ROW_CLAMP;
    int c = row->flags & ROW_INDEX_KEY || (matrix && integers) ? 0 : 4, ab = bytes ? 0 : 3;
    *lo = wide ? 3 : ab | c;
    *hi = wide || (matrix && integers) ? 0 : ab | c;
}

static inline bool is_short(unsigned format) {
    return format == FMT_VOP1 || format == FMT_VOP2 || format == FMT_VOPC;
}

#endif
