// SPDX-License-Identifier: MIT
// What the two halves of the demangler share: demangle.c parses a name into nodes, demangled.c prints
// them.
#ifndef OBJECT_DEMANGLE_H
#define OBJECT_DEMANGLE_H

#include "softwave/base.h"

enum node_kind {
    N_NAME,      // text
    N_SCOPE,     // a::b
    N_TEMPLATE,  // a<b>
    N_LIST,      // a, then the list b
    N_PACK,      // list b of a template parameter pack
    N_EXPANSION, // a, for each element of the packs in it
    N_SUFFIX,    // type a with text behind: " const"
    N_QUALIFIED, // type a with b behind
    N_POINTER,   // to a, spelled text: *, &, &&
    N_FUNCTION,  // returns a, takes list b, text behind
    N_ARRAY,     // of a, dimension b or none
    N_MEMBER,    // pointer to b in class a
    N_VECTOR,    // of a, dimension b
    N_ENCODING,  // function named a of type b
    N_LOCAL,     // b within function a
    N_PREFIXED,  // text, then a
    N_TAGGED,    // a[abi:text]
    N_LAMBDA,    // number text, takes list b
    N_LITERAL,   // text of type a
    N_CALL,      // text(list b) or a(list b)
    N_UNARY,     // text a
    N_BINARY,    // a text b
    N_CAST,      // (a)(list b)
};

struct node {
    uint8_t kind;
    uint32_t length;
    const char *text;
    const struct node *a, *b;
};

struct demangle_output {
    char *text;
    size_t length, capacity;
    unsigned steps, depth;       // against what is small but says to print itself again and again
    uint32_t pack_at, pack_size; // of the expansion that is being printed
    bool failed;
};

// Prints a name or type into `out`; failed when it does not fit.
void demangle_print(struct demangle_output *out, const struct node *n);

#endif
