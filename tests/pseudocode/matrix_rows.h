// SPDX-License-Identifier: MIT
// Which rows are matrix instructions, whose second statement is a reference of the tests (matrices.h,
// matrices5.h).
#ifndef TESTS_PSEUDOCODE_MATRIX_ROWS_H
#define TESTS_PSEUDOCODE_MATRIX_ROWS_H

#include "isa/isa.h"

static bool matrix_is_row(const struct row *row) {
    return !row_gap(row) && ((row->enc[0].format == FMT_MAI && row->class != CLASS_ACC_MOVE) ||
                             row->class == CLASS_WMMA || row->class == CLASS_SWMMAC);
}
// Those that matrices_of and matrices5_of run.
static bool has_matrix_row(const struct isa *isa, unsigned row) {
    return isa->row_codings[row] != isa->row_codings[row + 1] && matrix_is_row(&isa_rows[row]);
}
// Prefixes with scales, which are part of what these run.
static bool has_scale_row(const struct isa *isa, unsigned row) {
    const unsigned class = isa_rows[row].class;
    return isa->row_codings[row] != isa->row_codings[row + 1] &&
           (class == CLASS_SCALE || class == CLASS_LD_SCALE);
}

#endif
