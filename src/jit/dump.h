// SPDX-License-Identifier: MIT
// The work of the LLVM tier as text: what a phase of fuse.c leaves. Each line stands for itself, so that
// tests can search for it; doc/tiers.md has the syntax.
#ifndef JIT_DUMP_H
#define JIT_DUMP_H

#include "base/text.h"
#include "jit/affine.h"
#include "jit/hot.h"

// Whether the list names the phase.
bool dump_names(const struct jit_dump *d, const char *phase);
// Gives the text to its reader, and empties it.
void dump_put(const struct jit_dump *d, const char *phase, struct text *t);

// ---- What phases leave ----

// Steps, one a line: kind, places of the wave that it reads and writes, where it leads.
void dump_plan(const struct fuse *f, struct text *t);
// Places that the code keeps in its copy of the wave.
void dump_slots(const struct fuse *f, struct text *t);
// Segments of the function that is being made, and what is newer in the copy where each begins.
void dump_segments(const struct fuse *f, struct text *t);
// Values of a function that are affine vectors, and when.
void dump_affine(const struct lanes *s, llvm_ref function, struct text *t);
void dump_addresses(const struct lanes *s, llvm_ref question, const struct affine *is, struct text *t);
// What puts two halves together, and the number that takes its place.
void dump_whole(const struct fuse *f, llvm_ref halves, llvm_ref whole, struct text *t);
// The module in LLVM's own syntax.
void dump_module(const struct fuse *f, struct text *t);

#endif
