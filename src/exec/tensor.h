// SPDX-License-Identifier: MIT
// Transfers of tiles of tensors between memory and LDS (CDNA5): once for the wave, whatever EXEC is. They are
// long and rare, so there is one copy of the code for all vector levels, and they are over when they return.
#ifndef EXEC_TENSOR_H
#define EXEC_TENSOR_H

#include "exec/map.h"

enum { TENSOR_GROUPS = 4 };

#if !defined(STENCIL)
struct tensor_op {
    struct mem_op mem;             // of which the slot is used
    uint32_t group[TENSOR_GROUPS]; // where the dwords of each group of the descriptor are
    bool stores;
};
#endif

// Carries it out. False: it faulted, and the wave is stopped.
bool tensor_transfer(struct wave *w, const struct op *op);

#endif
