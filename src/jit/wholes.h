// SPDX-License-Identifier: MIT
// Numbers of 64 bits that a wave keeps in two registers, as addresses of global memory are. Pieces compute
// their halves: an addition is two with a carry between, and a pointer that a loop moves is two phis. Here
// such numbers become one of 64 bits, with one addition and one phi; halves that are still needed are cut
// from it.
#ifndef JIT_WHOLES_H
#define JIT_WHOLES_H

#include "jit/joining.h"

// Replaces, in a function, each 64-bit number that is put together of two halves where it is known what whole
// number they are halves of. That gives the same bits. `shown`, unless NULL, gets a line for each. False: no
// memory.
bool wholes_make(const struct fuse *f, llvm_ref function, struct text *shown);

#endif
