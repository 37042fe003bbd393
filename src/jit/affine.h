// SPDX-License-Identifier: MIT
// Vectors whose lanes follow from the wave's first one: the element for lane n is first + n * step, as
// numbers of its width, where `step` is a constant, 0 if all lanes have the same. Whether that holds may
// depend on what is known when code runs only. What the scalars compute is exact for the first lane in any
// case.
#ifndef JIT_AFFINE_H
#define JIT_AFFINE_H

#include "jit/joining.h"

// A scalar and its number: values that are computed alike have one number.
struct scalar {
    llvm_ref value;
    uint32_t number;
};
enum kind { NOTHING, AFFINE, MASK };
enum { ANY_LANE = 0xffff }; // of what all lanes have, always
struct affine {
    uint8_t kind;
    uint16_t lane;       // of the first element, or of the lowest bit of a mask
    int64_t step;        // as a number of the elements' width
    struct scalar first; // of the wave's first lane; of masks: the bit that all lanes have
    struct scalar sure;  // whether it is one; value NULL: always
};

// How a scalar is computed.
struct made {
    uint32_t op, a, b; // the numbers of its operands
    const void *type;  // or the leaf
};

// A value that was looked at.
struct known {
    llvm_ref value;
    struct affine affine;
    bool is_old; // it has to be looked at again
};

// What was found in a function so far.
struct lanes {
    const struct fuse *f;
    const struct llvm *l;
    llvm_ref builder;
    unsigned count;      // lanes that follow each other: of the wave, or of a chunk
    struct known *known; // by hash of the value
    size_t known_room, known_count;
    ARRAY(struct made) made; // scalars by number - 1
    uint32_t *index;         // numbers by hash
    size_t index_room;
    bool failed;
};

bool affine_begin(struct lanes *s, const struct fuse *f);
void affine_end(struct lanes *s);
// Of an integer, a vector of them or a mask. What its scalars need is put before the value.
struct affine affine_of(struct lanes *s, llvm_ref v, unsigned depth);
// True if the affine vector of the value `v` is what its readers rely on:
// - `first` is one element, and `step` is a number of its width;
// - a bit has step 0 (lanes alternate otherwise), so that the bits of all lanes are one bit;
// - what all lanes have always (ANY_LANE) has step 0 and no condition.
// affine_of gives no other affine vector. verify.c checks against the lanes themselves when code runs.
bool affine_is_sound(const struct lanes *s, llvm_ref v, const struct affine *r);
// Whether its `first` is that element of the vector, sure or not.
bool affine_has(const struct affine *r, uint64_t element);
// It is taken for that affine vector from now on.
void affine_assume(struct lanes *s, llvm_ref v, struct affine affine);
// What is known of it so far. False: nothing.
bool affine_seen(const struct lanes *s, llvm_ref v, struct affine *out);
// Everything is looked at again, but for what is assumed anew.
void affine_forget(struct lanes *s);
// A scalar that is computed like no other.
struct scalar affine_leaf(struct lanes *s, llvm_ref v);
// Both bits, where no value is "always". Put where the builder stands.
struct scalar affine_both(struct lanes *s, struct scalar a, struct scalar b);
// What the lane that many behind the first one has.
struct scalar affine_step(struct lanes *s, const struct affine *r, uint64_t lanes);

// As a number of that many bits, with its sign.
int64_t affine_narrow(int64_t n, unsigned width);
// 0: it is no vector.
unsigned elements_of(const struct lanes *s, llvm_ref type);
// Bits of a vector's elements, or of an integer; 0: they are none.
unsigned element_width(const struct lanes *s, llvm_ref type);
bool is_call_of(const struct llvm *l, llvm_ref v, const char *name);

#endif
