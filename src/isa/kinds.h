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

static inline bool is_short(unsigned format) {
    return format == FMT_VOP1 || format == FMT_VOP2 || format == FMT_VOPC;
}

#endif
