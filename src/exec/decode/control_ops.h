// SPDX-License-Identifier: MIT
// Ops that translation and programs need by name: control flow and state. They are the same at every level.
#ifndef EXEC_DECODE_CONTROL_OPS_H
#define EXEC_DECODE_CONTROL_OPS_H

#include "exec/body/flags.h"
#include "exec/decode/translate.h"

op_fn control_fault, control_nop, control_observe, control_weak;

// Continues behind the e ops behind it, those of a vector instruction, while MODE.VSKIP is set.
op_fn control_skip;
// True if the instruction that begins with this op is skipped now.
static inline bool op_is_skipped(const struct wave *w, const struct op *op) {
    return op->body == control_skip && w->mode & MODE_VSKIP;
}
// True if the instruction may set MODE.VSKIP.
bool may_skip_vectors(const struct code_facts *f, const struct insn *in);

// Scalar rows and control flow. Sources to a, b, c, destinations to d and e; see scalar.c.
bool translate_scalar(struct translator *t, const struct insn *in, const struct body *body);
// ds_swizzle, ds_permute, ds_bpermute.
bool translate_exchange(struct translator *t, const struct insn *in, const struct body *body);
// Whether the block must end behind this instruction although control continues there.
bool control_ends_block(const struct row *row);

// enum sw_insn_class of an instruction.
unsigned observed_class(const struct insn *in);

#endif
