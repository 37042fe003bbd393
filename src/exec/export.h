// SPDX-License-Identifier: MIT
// An export, decoded (decode/export_ops.c), for who takes it (sched/state.c).
#ifndef EXEC_EXPORT_H
#define EXEC_EXPORT_H

#include "exec/wave.h"

enum { EXPORT_VALUES = 4 };

struct export_op {
    const char *name; // of the target
    uint8_t target;
    uint8_t enabled; // a bit for each value
    bool compressed, done, valid_mask;
    bool by_row;                  // M0 has a row
    uint32_t m0;                  // where that register is
    uint32_t data[EXPORT_VALUES]; // registers; of compressed ones the first two
};

#endif
