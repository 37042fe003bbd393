// SPDX-License-Identifier: MIT
// Affine vectors: the element of lane n is first + n * step, in numbers of the element's width. `step` is a
// constant; 0 means that all lanes are equal. Whether a vector is affine may depend on a condition that is
// known only when code runs (`sure`). `first` is exact for the first lane in any case.
#ifndef JIT_AFFINE_H
#define JIT_AFFINE_H

#include "jit/joining.h"

// A scalar and its number: values that are computed alike have one number.
struct scalar {
    llvm_ref value;
    uint32_t number;
};
enum kind { NOTHING, AFFINE, MASK };
enum { ANY_LANE = 0xffff }; // the lane of what all lanes have without a condition
struct affine {
    uint8_t kind;
    uint16_t lane;       // the lane of the first element, or of a mask's lowest bit
    int64_t step;        // as a number of the elements' width
    struct scalar first; // the first lane's element; of a mask, the bit that all lanes have
    struct scalar sure;  // the condition under which the vector is affine; value NULL: always
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
    bool is_old; // must be computed again
};

// The analysis of one function.
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
// The affine vector of an integer, a vector of integers or a mask. Code for its scalars is put before `v`.
struct affine affine_of(struct lanes *s, llvm_ref v, unsigned depth);
// True if the affine vector of the value `v` is what its readers rely on:
// - `first` is one element, and `step` is a number of its width;
// - a bit has step 0 (lanes alternate otherwise), so that the bits of all lanes are one bit;
// - what all lanes have always (ANY_LANE) has step 0 and no condition.
// affine_of gives no other affine vector. verify.c checks against the lanes themselves when code runs.
bool affine_is_sound(const struct lanes *s, llvm_ref v, const struct affine *r);
// True if `first` is that element of the vector, whatever `sure` says.
bool affine_has(const struct affine *r, uint64_t element);
// Takes the value `v` for that affine vector from now on.
void affine_assume(struct lanes *s, llvm_ref v, struct affine affine);
// Gives what is known of `v` so far. False: nothing.
bool affine_seen(const struct lanes *s, llvm_ref v, struct affine *out);
// Forgets all results, so that everything is computed again; assumptions must be made anew.
void affine_forget(struct lanes *s);
// A scalar with a number of its own.
struct scalar affine_leaf(struct lanes *s, llvm_ref v);
// Logical AND of two conditions; a NULL value means true. Put where the builder stands.
struct scalar affine_both(struct lanes *s, struct scalar a, struct scalar b);
// The element `lanes` lanes behind the first.
struct scalar affine_step(struct lanes *s, const struct affine *r, uint64_t lanes);

// Put where the builder stands: a number, an operation on two, a cast.
struct scalar affine_constant(struct lanes *s, llvm_ref type, uint64_t n);
struct scalar affine_combine(struct lanes *s, unsigned op, struct scalar a, struct scalar b);
struct scalar affine_cast(struct lanes *s, unsigned op, struct scalar a, llvm_ref type);
// The sum or difference, or one shifted by the other, of elements that wide. Kind NOTHING: it is not affine.
struct affine affine_sum(struct lanes *s, unsigned op, const struct affine *a, const struct affine *b,
                         unsigned width);
struct affine affine_shift(struct lanes *s, unsigned op, const struct affine *a, const struct affine *b,
                           unsigned width);
// Makes it part of `sure` that lanes are in order as unsigned numbers, or as signed ones. False: they may
// never be.
bool affine_in_order(struct lanes *s, struct affine *r, bool is_signed);
// Gives the number that all lanes have, if it is a constant.
bool affine_number(const struct lanes *s, const struct affine *r, uint64_t *n);

// The number cut to `width` bits, sign-extended.
int64_t affine_narrow(int64_t n, unsigned width);
// The number of elements of a vector type; 0: it is no vector.
unsigned elements_of(const struct lanes *s, llvm_ref type);
// Bits of a vector's elements, or of an integer; 0: they are none.
unsigned element_width(const struct lanes *s, llvm_ref type);
bool is_call_of(const struct llvm *l, llvm_ref v, const char *name);
// Whether an instruction repeats the first element of a vector.
bool is_repeated(const struct llvm *l, llvm_ref v);

#endif
