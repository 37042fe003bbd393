// SPDX-License-Identifier: MIT
// The third tier: hot programs, each as one function that LLVM has made (fuse.h).
#ifndef DEVICE_NATIVE_FUSED_H
#define DEVICE_NATIVE_FUSED_H

#include "device/translate/program.h"

// Whether this build and host can; if not, `why` says so in a few words. The second tier must be there.
bool fused_possible(const char *level, const char **why);

// Decodes what branches lead to: waves do so when they get there, which is later than now.
void fused_decode(struct program *p);
// Compiles what control gets to from the first op of a block, as far as it is decoded, and lets waves enter
// it. Without the program's lock.
bool fused_at_once(struct program *p, const char *level, const struct op *root);

// Whether waves that go on at the op enter compiled code. With the program's lock.
bool fused_has(const struct program *p, const struct op *op);

#endif
