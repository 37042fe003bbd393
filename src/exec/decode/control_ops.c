// SPDX-License-Identifier: MIT
// Ops that belong to no row: faults that decoding found, and fillers.
#include "exec/decode/control_ops.h"

#include "exec/body/body.h"
#include "exec/body/flags.h"
#include "exec/machine.h"

const struct op *control_fault(struct wave *w, const struct op *op) {
    return wave_fault_because(w, op, (enum fault_kind)op->e, -1, w->code_base + op->pc, op->extra);
}

const struct op *control_skip(struct wave *w, const struct op *op) {
    NEXT_OP(w, op + 1 + (w->mode & MODE_VSKIP ? op->e : 0));
}

const struct op *control_nop(struct wave *w, const struct op *op) {
    (void)w;
    NEXT;
}
