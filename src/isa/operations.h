// SPDX-License-Identifier: MIT
// The operations by number (operations.def): their names, how their types belong together, their properties,
// and their value for constant operands. The compiler's programs consist of them; patterns of rows (select.h)
// do, too. Part of libsoftwave, not of libswisa.
#ifndef ISA_OPERATIONS_H
#define ISA_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum operation {
#define OP(name, operands, types, properties, evaluator) OP_##name,
#include "isa/operations.def"
    OPERATIONS
};

// How the types of operands and result belong together: X(name, shape). The shape has a letter for the
// result, then one for each operand: T the result's type, C one that the operands with C have in common, 1
// one bit, S what the instruction says, H half of its operand, P twice its operands, F an integer of any
// width, O anything.
#define OPERATION_TYPES(X)                                                                                   \
    X(INT, "TTTTF") /* integers; the fourth operand is a number */                                           \
    X(SHIFT, "TTF") /* a count */                                                                            \
    X(FUNNEL, "TTTF")                                                                                        \
    X(FIELD, "TTFF") /* first bit, bits */                                                                   \
    X(MASK, "SFF")                                                                                           \
    X(COUNT, "SO") /* of bits of an integer */                                                               \
    X(COMPARE, "1CC")                                                                                        \
    X(COMPARE3, "SCC")                                                                                       \
    X(CARRY_IN, "TTT1")                                                                                      \
    X(CARRY_BOTH, "1CC1")                                                                                    \
    X(SELECT, "T1TT")                                                                                        \
    X(SAME, "TT")  /* of any type */                                                                         \
    X(WIDEN, "SO") /* integers */                                                                            \
    X(NARROW, "SO")                                                                                          \
    X(BITS, "SO") /* as many bits on both sides */                                                           \
    X(HALF, "HO")                                                                                            \
    X(PAIR, "PCC")                                                                                           \
    X(VECTOR, "")    /* about elements of vectors */                                                         \
    X(FLOAT, "TTTT") /* floats; denormals by mode; NaN gives the first NaN, quiet */                         \
    X(FLOAT_ROUND, "TT")                                                                                     \
    X(FLOAT_OWN, "TTTT") /* the evaluator handles NaN and denormals itself and gives bits */                 \
    X(FLOAT_BITS, "TTT") /* bits of floats, about which nothing is special */                                \
    X(FLOAT_COMPARE, "1CC")                                                                                  \
    X(FLOAT_CLASS, "1OF")                                                                                    \
    X(FLOAT_INT, "TTF")                                                                                      \
    X(FLOAT_TO_INT, "SO")                                                                                    \
    X(INT_TO_FLOAT, "SO")                                                                                    \
    X(FLOAT_TO_FLOAT, "SO")     /* as FLOAT */                                                               \
    X(FLOAT_OWN_TO_FLOAT, "SO") /* as FLOAT_OWN */                                                           \
    X(LANE, "TTFT")             /* a lane's number */                                                        \
    X(FREE, "")                 /* result of the type that the instruction says */                           \
    X(VOID, "")                 /* no result */
enum operation_types {
#define X(name, shape) TYPES_##name,
    OPERATION_TYPES(X)
#undef X
};

enum operation_property {
    OPERATION_COMMUTES = 1 << 0,       // all operands may change places
    OPERATION_COMMUTES_FIRST = 1 << 1, // the first two may
    OPERATION_ASSOCIATES = 1 << 2,
    OPERATION_IDEMPOTENT = 1 << 3, // of a value with itself is that value
    OPERATION_CONVERGENT = 1 << 4, // depends on which lanes execute: stays under the control flow that it has
    OPERATION_UNIFORM = 1 << 5,    // the same result in all lanes
    OPERATION_VARIES = 1 << 6,     // may differ from lane to lane though its operands do not
    OPERATION_READS = 1 << 7,      // memory
    OPERATION_WRITES = 1 << 8,     // memory
    OPERATION_EFFECT = 1 << 9,     // never removed, never moved across another effect
    OPERATION_TERMINATOR = 1 << 10,
};

enum { OPERATION_ANY = 0xff }; // any number of operands

struct operation_info {
    const char *name;
    uint8_t operands;    // or OPERATION_ANY
    uint8_t types;       // enum operation_types
    uint16_t properties; // enum operation_property
    bool evaluates;
};
const struct operation_info *operation_info(enum operation op);
// The shape of its types; "" where nothing general can be said.
const char *operation_shape(enum operation op);
// Of comparisons: the one that holds with the operands exchanged, and the one that holds where `op` does not.
// Others have none: `op` itself.
enum operation operation_exchanged(enum operation op);
enum operation operation_inverse(enum operation op);
// The operation of that name, or OPERATIONS.
enum operation operation_named(const char *name, size_t length);

// ---- Values of constant operands ----

__extension__ typedef unsigned __int128 op_bits;
__extension__ typedef __int128 op_signed;

enum value_kind { VALUE_INT, VALUE_F16, VALUE_BF16, VALUE_F32, VALUE_F64 };
struct value_type {
    uint8_t kind; // enum value_kind
    uint8_t bits; // 1 to 128; of floats as they have
};
// What MODE says of the float operations. Rounding is to nearest even.
struct operation_mode {
    bool flush32;    // denormals of 32 bits count as zero, as operands and as results
    bool flush16_64; // those of 16 and 64 bits
    bool ieee;       // see minnum
};

// The result of one element, with zeros above its bits. False: the value is not known when all operands are,
// or the count of operands is wrong. Operands have zeros above their bits.
bool operation_evaluate(enum operation op, const struct operation_mode *mode, struct value_type result,
                        const struct value_type *types, const op_bits *values, unsigned count, op_bits *out);

#endif
