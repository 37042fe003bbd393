// SPDX-License-Identifier: MIT
// What has one number in all lanes. Rows of a work-group give whole chunks one id, so that much of what
// kernels compute of it is the same in all lanes of a chunk, and so are scalar operands, on their way through
// vector instructions. As vectors, such numbers take several instructions of the host each, more than one
// port of it, and 64-bit products and carries by dwords.
#ifndef JIT_ALIKE_H
#define JIT_ALIKE_H

#include "jit/joining.h"

// Replaces, in a function, each vector of integers of which that is certain by a scalar that is repeated, and
// each mask by a bit that is. False: no memory.
bool alike_make(const struct fuse *f, llvm_ref function);

#endif
