// SPDX-License-Identifier: MIT
#ifndef EXEC_DECODE_GDS_OPS_H
#define EXEC_DECODE_GDS_OPS_H

#include "exec/decode/translate.h"

// An access to the global data share; `fn` makes it in LDS. False with t->gap: there is none such.
bool emit_gds(struct translator *t, const struct insn *in, op_fn *fn, const struct mem_op *mo);
// Ordered counts, and the registers that count.
bool translate_gds_counter(struct translator *t, const struct insn *in, const struct body *body);

#endif
