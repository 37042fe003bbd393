// SPDX-License-Identifier: MIT
// Tables of handlers of memory atomics: by enum atomic, those that return the old value ATOMIC_RETURNS
// further on. ATOMIC_NONE stands for any of them, where none is to be compiled.
#ifndef EXEC_BODY_ATOMICS_H
#define EXEC_BODY_ATOMICS_H

enum {
    ATOMIC_COUNT = 1 // ATOMIC_NONE
#define ATOMIC(name, bytes, traits) +1
#include "isa/atomics.def"
#undef ATOMIC
    ,
    ATOMIC_RETURNS = ATOMIC_COUNT
};
// Of body->fn: the handler of every atomic, where there is no table of them.
enum { ATOMIC_ANY_FN = 1 };
// Of op->e: F32 denormals are flushed (TRAP-348).
enum { ATOMIC_FLUSHES_F32 = 1 << 0 };

#endif
