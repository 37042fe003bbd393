// SPDX-License-Identifier: MIT
// Numbers of 64 bits whose halves are vectors, as addresses are: first + lane * step. Sums and shifts of such
// numbers are exact, as they wrap in all lanes alike. So they need no condition, where what stands in the
// halves needs one: that no lane's lower half wraps.
#ifndef JIT_WIDE_H
#define JIT_WIDE_H

#include "jit/affine.h"

// The affine vector of the numbers {hi, lo}, with a first lane of 64 bits. Code is put before `before`, which
// both halves are known at.
struct affine wide_of(struct lanes *s, llvm_ref lo, llvm_ref hi, llvm_ref before);

#endif
