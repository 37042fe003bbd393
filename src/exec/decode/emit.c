// SPDX-License-Identifier: MIT
// Appending to the block that is being translated.
#include "exec/decode/translate.h"

struct op *emit_op(struct translator *t, op_fn *fn) {
    if (!array_reserve(&t->ops, 1)) {
        t->failed = true;
        static _Thread_local struct op scratch; // keeps callers free of checks until the block is given up
        return &scratch;
    }
    struct op *op = &t->ops.items[t->ops.count++];
    *op = (struct op){.fn = fn, .body = fn, .pc = t->pc};
    return op;
}
