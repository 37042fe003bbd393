// SPDX-License-Identifier: MIT
// The second tier: decoded blocks as native code, made of stencils. Only how control gets from one op to the
// next and where operands come from differs from the first: the bodies are the same.
//
// A program's blocks are joined when it is hot, all that are decoded by then, by the worker that finds out.
// Then each op's handler becomes the address of its piece: whoever goes on at an op by its handler enters
// native code there, and where native code has no piece for an op it goes on by its handler. So waves change
// between the tiers at any op, and nothing else knows which one they are in.
#ifndef JIT_NATIVE_H
#define JIT_NATIVE_H

#include "jit/hot.h"
#include "jit/wave_loop.h"
#include "exec/decode/program.h"

// Whether this build and host can; if not, `why` says so in a few words.
bool native_possible(const char *level, const char **why);

// Joins what is decoded and not joined yet, if the program is hot enough by now: called now and then by
// workers that run it. `looping`: a wave of it has used up its quantum.
void native_consider(struct program *p, const char *level, bool looping);

// Joins what is decoded now, however often it ran. `compiled`, unless NULL: and compiles what control gets to
// from `root`, for launches with such rows, too.
void native_at_once(struct program *p, const char *level, const struct op *root, struct tier_up *compiled,
                    enum wave_rows rows);

// Joins all that is decoded anew, so that it leads to what its ops lead to now; of a program that has much
// native code already, what is not joined yet. Lock: program.
void native_again(struct program *p, const char *level);

// The program's waves go on in the interpreter, soon: native code that they are in leads to native code until
// they pass a safe point.
void native_retire(struct program *p);

// Nobody runs the program any more.
void native_release(struct program *p);

#endif
