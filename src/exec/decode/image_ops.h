// SPDX-License-Identifier: MIT
#ifndef EXEC_DECODE_IMAGE_OPS_H
#define EXEC_DECODE_IMAGE_OPS_H

#include "exec/decode/translate.h"

struct image_op;

// Appends the op of an image instruction; false with t->gap when it cannot be executed.
bool translate_image(struct translator *t, const struct insn *in, const struct body *body);
// The same of a transfer of tensors.
bool translate_tensor(struct translator *t, const struct insn *in, const struct body *body);
bool image_op_in_bounds(const struct code_facts *f, const struct image_op *o);

#endif
