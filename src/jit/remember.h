// SPDX-License-Identifier: MIT
// What a wave computes at length from what all its lanes have, the waves of its group mostly compute, too: as
// the root of a sum that a group has in LDS. So loops over waves keep the last numbers that went in and what
// came out of them, and take that while the same go in. Processors guess that they do, and no longer wait for
// roots and quotients.
#ifndef JIT_REMEMBER_H
#define JIT_REMEMBER_H

#include "jit/joining.h"

// Requires: control_word_stays. `any`: there are functions to be inlined now. False: given up.
bool remember_alike(struct fuse *f, bool *any);

#endif
