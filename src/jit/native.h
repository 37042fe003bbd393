// SPDX-License-Identifier: MIT
// Tier 1: decoded blocks as native code, made of stencils. The bodies are the same as in tier 0. Only two
// things differ: how control gets from one op to the next, and where operands come from.
//
// The worker that finds a program hot joins all blocks that are decoded by then. Then it sets each op's
// handler to the op's stencil. A wave that goes on at an op calls its handler, and so enters native code.
// Native code calls the former handler of an op without a stencil. So waves change tiers at any op, and
// nothing else knows which tier a wave is in.
#ifndef JIT_NATIVE_H
#define JIT_NATIVE_H

#include "jit/hot.h"
#include "jit/wave_loop.h"
#include "exec/decode/program.h"

// Whether this build and host can; if not, `why` says so in a few words.
bool native_possible(const char *level, const char **why);

// Joins blocks that are decoded and not joined yet, if the program is hot enough. Workers that run the
// program call it now and then. `looping`: a wave of it has used up its quantum.
void native_consider(struct program *p, const char *level, bool looping);

// Joins all decoded blocks, however often they ran. If `compiled` is not NULL, also compiles the code that
// control reaches from `root`, with code for linear launches of this kind.
void native_at_once(struct program *p, const char *level, const struct op *root, struct tier_up *compiled,
                    enum wave_rows rows);

// Joins all decoded blocks anew, so that native code leads where the ops lead now. A program that has much
// native code already gets its new blocks joined only. Lock: program.
void native_again(struct program *p, const char *level);

// Sends the program's waves back to the interpreter. A wave stays in native code until it passes a safe
// point.
void native_retire(struct program *p);

// Frees the native code. Requires: no wave runs the program.
void native_release(struct program *p);

#endif
