// SPDX-License-Identifier: MIT
// LLVM's C interface, for the LLVM tier and for the reader of IR. A library is loaded when it is first wanted
// and stays loaded. Nothing is linked with it and none of its headers are needed: the declarations are our
// own (functions.def).
#ifndef LLVM_LLVM_H
#define LLVM_LLVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One incomplete type is enough: contexts, modules, types, values, blocks, builders, buffers, attributes,
// targets.
typedef struct llvm_opaque *llvm_ref;
typedef int llvm_bool;

// What of their enumerations is used.
enum {
    LLVM_RET = 1,
    LLVM_BR = 2,
    LLVM_ADD = 8,
    LLVM_SUB = 10,
    LLVM_MUL = 12,
    LLVM_SHL = 20,
    LLVM_LSHR = 21,
    LLVM_ASHR = 22,
    LLVM_AND = 23,
    LLVM_OR = 24,
    LLVM_XOR = 25,
    LLVM_ALLOCA = 26,
    LLVM_LOAD = 27,
    LLVM_STORE = 28,
    LLVM_GEP = 29,
    LLVM_TRUNC = 30,
    LLVM_ZEXT = 31,
    LLVM_SEXT = 32,
    LLVM_PTR_TO_INT = 39,
    LLVM_INT_TO_PTR = 40,
    LLVM_BIT_CAST = 41,
    LLVM_ICMP = 42,
    LLVM_PHI = 44,
    LLVM_CALL = 45,
    LLVM_SELECT = 46,
    LLVM_EXTRACT_ELEMENT = 50,
    LLVM_INSERT_ELEMENT = 51,
    LLVM_SHUFFLE = 52,
    LLVM_COMPARE_EXCHANGE = 56,
    LLVM_ATOMIC = 57, // that reads, changes and writes
    LLVM_SPACE_CAST = 60,
    LLVM_PTR_TO_ADDRESS = 69
};
enum { LLVM_EXTERNAL = 0, LLVM_LINK_ONCE_ODR = 3, LLVM_INTERNAL = 8, LLVM_HIDDEN = 1 };
enum { LLVM_INTEGER = 8, LLVM_POINTER = 12, LLVM_VECTOR = 13, LLVM_METADATA = 14 }; // kinds of types
enum {
    LLVM_EQ = 32,
    LLVM_NE,
    LLVM_UGT,
    LLVM_UGE,
    LLVM_ULT,
    LLVM_ULE,
    LLVM_SGT,
    LLVM_SGE,
    LLVM_SLT,
    LLVM_SLE
};
enum { LLVM_FUNCTION_INDEX = -1 };

// A loaded library. The functions of a list may be called once the load function for that list has returned.
struct llvm {
    void *library;
    unsigned major;
#define LLVM_FIELD(result, name, parameters) result(*name) parameters;
#define LLVM_COMMON                          LLVM_FIELD
#define LLVM_NATIVE                          LLVM_FIELD
#define LLVM_READING                         LLVM_FIELD
#include "llvm/functions.def"
#undef LLVM_FIELD
};

// A library without content but a __cxa_atexit that does nothing. LLVM's library is opened by way of it, so
// that exit does not destroy what a thread of ours still uses inside LLVM: the destructors that LLVM's C++
// registers are never registered.
struct llvm_stub {
    const uint8_t *begin, *end;
    unsigned major; // the version that it names
};

// ---- Loading ----
// Libraries are kept by version: a process may have one that compiles kernels and another one that reads IR.
// SOFTWAVE_LLVM names a library that is tried before those of the system.

// The library of that version with LLVM_COMMON and LLVM_NATIVE, loaded at the first call; without the stub
// where `stub` is NULL. NULL: there is none, or it gave up.
const struct llvm *llvm_load(unsigned major, const struct llvm_stub *stub);
// True if the process had this library without us, or opened it without the stub, and ends it at exit: only
// threads that the exit waits for may work with it.
bool llvm_is_others(const struct llvm *l);
// The library's path; NULL: not known.
const char *llvm_file(const struct llvm *l);
// Why llvm_load returned NULL.
const char *llvm_why_not(void);

// The oldest version whose modules are read: others have other instructions and records.
enum { LLVM_READS_FROM = 22, LLVM_READS_UNTIL = 29, LLVM_WHY = 512 };
// A library with LLVM_COMMON and LLVM_READING: `path` (NULL: what SOFTWAVE_LLVM names, else the oldest of the
// system's from LLVM_READS_FROM on). NULL: none; `why` says in one line what is missing.
const struct llvm *llvm_load_to_read(const char *path, const struct llvm_stub *stub, char why[LLVM_WHY]);

// ---- Working with it ----

// A context in which error diagnostics end llvm_try.
llvm_ref llvm_context(const struct llvm *l);
// A context whose error diagnostics are counted and leave LLVM usable. `messages` outlives it.
struct llvm_messages {
    const struct llvm *l;
    unsigned errors;
    char first[LLVM_WHY];
};
llvm_ref llvm_context_with(struct llvm_messages *messages);

// Runs work(context), which may call LLVM. False: LLVM met what it ends processes for; the work was left at
// that point, what it had allocated stays, and LLVM is not asked again in this process.
bool llvm_try(void (*work)(void *context), void *context);
// The same; `why` becomes LLVM's reason.
bool llvm_try_why(void (*work)(void *context), void *context, char why[LLVM_WHY]);

#endif
