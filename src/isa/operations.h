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

// How the types of operands and result belong together. `i1` is one bit; what is not said is free.
enum operation_types {
    TYPES_INT,                // all the same integer type
    TYPES_SHIFT,              // result as the first operand; the second is a count of any width
    TYPES_FUNNEL,             // result as the first two; the third is a count
    TYPES_FIELD,              // result as the first; the others are numbers of bits
    TYPES_MASK,               // an integer, made of two numbers of bits
    TYPES_COUNT,              // an integer of any width, from an integer
    TYPES_COMPARE,            // two integers of one type: i1
    TYPES_COMPARE3,           // two integers of one type: an integer of any width
    TYPES_CARRY_IN,           // two integers and an i1: an integer
    TYPES_CARRY_BOTH,         // two integers and an i1: an i1
    TYPES_SELECT,             // i1, and two of the result's type
    TYPES_SAME,               // the result has the type of the first operand, whatever that is
    TYPES_WIDEN,              // an integer to one with more bits
    TYPES_NARROW,             // an integer to one with fewer
    TYPES_BITS,               // as many bits on both sides
    TYPES_HALF,               // half as many bits
    TYPES_PAIR,               // two of one width to one of twice the width
    TYPES_VECTOR,             // about elements of vectors
    TYPES_FLOAT,              // all the same float type; denormals by mode; NaN gives the first NaN, quiet
    TYPES_FLOAT_ROUND,        // the same, to a whole number
    TYPES_FLOAT_OWN,          // the same; the evaluator handles NaN and denormals itself and gives bits
    TYPES_FLOAT_BITS,         // the same; bits of floats, about which nothing is special
    TYPES_FLOAT_COMPARE,      // two floats of one type: i1
    TYPES_FLOAT_CLASS,        // a float and an integer: i1
    TYPES_FLOAT_INT,          // a float and an integer: a float as the first
    TYPES_FLOAT_TO_INT,       // a float: an integer
    TYPES_INT_TO_FLOAT,       // an integer: a float
    TYPES_FLOAT_TO_FLOAT,     // between float types, as TYPES_FLOAT
    TYPES_FLOAT_OWN_TO_FLOAT, // between float types; the evaluator gives bits
    TYPES_LANE,               // result as the first; the second numbers a lane
    TYPES_FREE,               // result of the type that the instruction says
    TYPES_VOID,               // no result
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
