// SPDX-License-Identifier: MIT
#ifndef EXEC_DECODE_EXPORT_OPS_H
#define EXEC_DECODE_EXPORT_OPS_H

#include "exec/decode/translate.h"

// Appends the op of an export; false with t->gap when it cannot be executed.
bool translate_export(struct translator *t, const struct insn *in);

#endif
