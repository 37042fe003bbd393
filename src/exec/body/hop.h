// SPDX-License-Identifier: MIT
// What a wave does at a barrier that has not completed, or whose completion lets others go first: it stops,
// or the wave whose turn is next goes on in its place (barrier_hop).
#ifndef EXEC_BODY_HOP_H
#define EXEC_BODY_HOP_H

#include "exec/body/body.h"
#include "exec/machine.h"

#if !defined(STENCIL)
INLINE const struct op *wait_at_barrier(struct wave *w, const struct op *op) {
    w->status = WAVE_AT_BARRIER;
    w->pc = w->code_base + op->pc;
    w->resume = op;
    struct wave *next = barrier_hop(w);
    if (!next) return NULL;
    const struct op *at = next->resume + 1;
    next->resume = NULL;
    NEXT_OP(next, at);
}
#endif

#endif
