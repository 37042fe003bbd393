// SPDX-License-Identifier: MIT
#ifndef EXEC_DECODE_ATTRIBUTE_OPS_H
#define EXEC_DECODE_ATTRIBUTE_OPS_H

#include "exec/decode/translate.h"

// Append the ops of an interpolation, and of a load of parameters or of one value; false with t->gap when it
// cannot be executed.
bool translate_interpolation(struct translator *t, const struct insn *in, const struct body *body);
bool translate_parameter_load(struct translator *t, const struct insn *in, const struct body *body);

#endif
