// SPDX-License-Identifier: MIT
// Lanes that lie a step apart: first + lane * step, where the step may be known only when code runs, as that
// of a matrix's rows is. All numbers have 32 bits, and wrap. Such vectors are no affine vectors (affine.h):
// only what loads dwords lane by lane asks for them.
#ifndef JIT_STRIDES_H
#define JIT_STRIDES_H

#include "jit/affine.h"

// A value that was looked at.
struct strided {
    llvm_ref value;
    bool is_none, is_made;
    llvm_ref first, step; // what element 0 has, and how far apart elements are: once they are made
};
struct strides {
    struct lanes *lanes;
    ARRAY(struct strided) looked;
    bool has_changed; // what was taken for such a vector is none
};

// Whether the vector has such lanes always. Code for both numbers is put before it. False: not known.
bool stride_of(struct strides *t, llvm_ref v, llvm_ref *first, llvm_ref *step);
// The same of a vector that has been found to have such lanes; makes no code.
bool stride_known(struct strides *t, llvm_ref v, llvm_ref *first, llvm_ref *step);
void strides_free(struct strides *t);

#endif
