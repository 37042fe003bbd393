// SPDX-License-Identifier: MIT
// In programs built for observation every op runs through here first: the wave's machine is told of each
// instruction. Of the ops of one instruction only the first counts.
#include "exec/decode/control_ops.h"
#include "exec/machine.h"
#include "softwave/device.h"

const struct op *control_observe(struct wave *w, const struct op *op) {
    if (op->first && !op_is_skipped(w, op)) w->machine->observe(w, op);
    return op->body(w, op);
}

// In weak programs (src/weak) every op asks first whether it runs now.
const struct op *control_weak(struct wave *w, const struct op *op) {
    const struct op *next = w->machine->weak(w, op);
    if (next == op) return op->body(w, op);
    if (!next) return NULL;
    NEXT_OP(w, next);
}

unsigned observed_class(const struct insn *in) {
    uint64_t flags = in->row->flags;
    switch (in->format->id) {
    case FMT_SMEM: return SW_CLASS_SMEM;
    case FMT_DS: return SW_CLASS_LDS;
    case FMT_SCRATCH: return SW_CLASS_SCRATCH;
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_MUBUF:
    case FMT_MTBUF:
    case FMT_MIMG:
    case FMT_VIMAGE:
    case FMT_VSAMPLE:
    case FMT_TENSOR: return SW_CLASS_GLOBAL;
    case FMT_MAI: return SW_CLASS_MATRIX;
    case FMT_SOPP:
        return flags & ROW_BRANCH ? SW_CLASS_BRANCH : flags & ROW_TERMINATOR ? SW_CLASS_OTHER : SW_CLASS_WAIT;
    case FMT_SOP1:
    case FMT_SOP2:
    case FMT_SOPC:
    case FMT_SOPK: return flags & (ROW_BRANCH | ROW_CALL) ? SW_CLASS_BRANCH : SW_CLASS_SALU;
    default: return SW_CLASS_VALU;
    }
}
