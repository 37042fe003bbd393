// SPDX-License-Identifier: MIT
// Chunks of vectors that are wider than a chunk. LLVM puts the chunks of a comparison together, as the lanes
// of VCC are one mask, and takes chunks of the result apart again; hosts without masks take them out of a
// number. Such a vector of a whole wave is no affine vector where each chunk has ids of its own
// (ROWS_CHUNKS), and such a number never is. Its chunks are.
#ifndef JIT_PARTS_H
#define JIT_PARTS_H

#include "jit/affine.h"

// Replaces the chunks that a function takes of such vectors by what is computed for these lanes alone. That
// gives the same bits. False: no memory.
bool parts_split(struct lanes *s, llvm_ref function);

#endif
