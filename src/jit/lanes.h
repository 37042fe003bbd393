// SPDX-License-Identifier: MIT
// Lanes that follow each other: where the work-item ids of a wave do, most addresses do, too, and what code
// computes and compares lane by lane is known from one of them.
#ifndef JIT_LANES_H
#define JIT_LANES_H

#include "jit/joining.h"

// What pieces ask of vectors (exec/body/access.h), and what stands for work-item ids. LANES_KNOWN: whether it
// is known how far the lanes are apart. LANES_UNSURE: whether to leave the access to others, as what is known
// of these lanes does not hold now. LANES_DIFFER: whether lanes are not first, first + step and so on; only
// asked where none was unsure. LANES_APART: whether it is known, and each chunk of the wave has a first lane
// of its own. LANES_AFFINE: first plus the number of the element plus a constant. LANES_STRIDED: whether
// lanes lie a step apart that may be known only when code runs (strides.h). LANES_INSIDE: whether their
// dwords are at places that may be accessed. LANES_TAKE: these dwords. LANES_WIDE: of addresses in two
// registers, the low halves of all chunks and then their high halves: whether it is known how far apart they
// are, whether that is unsure, the first one, and how far. LANES_WIDE_CHUNK: the same of one chunk.
#define LANES_KNOWN      "lanes_known"
#define LANES_APART      "lanes_apart"
#define LANES_UNSURE     "lanes_unsure"
#define LANES_DIFFER     "lanes_differ"
#define LANES_AFFINE     "lanes_affine"
#define LANES_STRIDED    "lanes_strided"
#define LANES_INSIDE     "lanes_inside"
#define LANES_TAKE       "lanes_take"
#define LANES_WIDE       "lanes_wide"
#define LANES_WIDE_CHUNK "lanes_wide_chunk"

// `first`, `first` + 1 and so on: `first` is a multiple of the wave size. The lanes from `lane` on.
llvm_ref lanes_affine(const struct fuse *f, llvm_ref first, unsigned lane, unsigned count);
// One value in all elements.
llvm_ref lanes_repeat(const struct fuse *f, llvm_ref builder, llvm_ref v, unsigned count);

// A function of that name that depends on its arguments alone, to stand for a question or an answer.
llvm_ref lanes_declare(const struct fuse *f, const char *name, llvm_ref type);

// Answers the questions in a function, which inlining and simplifying have left as they are: from what is
// known where there are affine vectors, else by comparing. Leaves none of these names.
bool lanes_resolve(const struct fuse *f, llvm_ref function);

#endif
