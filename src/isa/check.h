// SPDX-License-Identifier: MIT
// What check.c and check_memory.c share, which together are insn_is_canonical.
#ifndef ISA_CHECK_H
#define ISA_CHECK_H

#include "isa/kinds.h"
#include "isa/names.h"
#include "isa/rules.h"

static inline bool names_field(const struct row *row, enum field field) {
    for (int i = 0; i < ROW_DST; i++)
        if (row->dst[i].type && row->dst[i].field == field) return true;
    for (int i = 0; i < ROW_SRC; i++)
        if (row->src[i].type && row->src[i].field == field) return true;
    return false;
}

// The part for formats that reach memory, and exports.
bool check_memory(const struct isa *isa, const struct insn *in);

#endif
