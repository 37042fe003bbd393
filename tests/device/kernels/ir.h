// SPDX-License-Identifier: MIT
// LLVM IR as clang prints it, read into a form that can be evaluated: as much of it as the kernels of bench/
// become. A function's values lie in one frame; constants are values that `initial` already holds.
#ifndef TESTS_KERNELS_IR_H
#define TESTS_KERNELS_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IR_LANES = 4, IR_OPERANDS = 3 };

enum ir_kind { IR_VOID, IR_INT, IR_FLOAT, IR_DOUBLE, IR_POINTER, IR_ARRAY };

struct ir_type {
    enum ir_kind kind;
    unsigned bits, lanes; // of an element; 1 lane: not a vector
    uint64_t size;        // bytes in memory
    const struct ir_type *element;
    uint64_t count; // of an array
};

// What is known of a value: each element lies from lo to hi, both as bits. They are equal where it is exact.
struct ir_value {
    uint64_t lo[IR_LANES], hi[IR_LANES];
};

enum ir_op {
    IR_ADD,
    IR_SUB,
    IR_MUL,
    IR_SHL,
    IR_LSHR,
    IR_ASHR,
    IR_AND,
    IR_OR,
    IR_XOR,
    IR_ZEXT,
    IR_SEXT,
    IR_TRUNC,
    IR_COPY, // addrspacecast, bitcast and others that keep the bits
    IR_ICMP,
    IR_FCMP,
    IR_SELECT,
    IR_FADD,
    IR_FSUB,
    IR_FMUL,
    IR_FDIV,
    IR_FNEG,
    IR_FMA,
    IR_FMULADD,
    IR_SQRT,
    IR_FABS,
    IR_FSHL,
    IR_SMAX,
    IR_ABS,
    IR_CTLZ,
    IR_LOAD,
    IR_STORE,
    IR_ALLOCA,
    IR_ADDRESS, // base + index * scale
    IR_EXTRACT,
    IR_INSERT,
    IR_SHUFFLE,
    IR_ATOMIC_ADD,
    IR_ATOMIC_WRAP,
    IR_CALL,
    IR_BRANCH, // to target[0], or to target[operand ? 0 : 1]
    IR_SWITCH,
    IR_RETURN,
    IR_BARRIER,
    IR_ITEM,  // workitem.id
    IR_GROUP, // workgroup.id
    IR_PACKET,
    IR_IMPLICIT,
    IR_UNREACHABLE,
};

enum ir_predicate { IR_EQ, IR_NE, IR_UGT, IR_UGE, IR_ULT, IR_ULE, IR_SGT, IR_SGE, IR_SLT, IR_SLE };
enum {
    IR_FCMP_ORDERED = 8,
    IR_FCMP_LESS = 4,
    IR_FCMP_EQUAL = 2,
    IR_FCMP_GREATER = 1
}; // `ordered`: NaN is false

struct ir_instruction {
    enum ir_op op;
    const struct ir_type *type; // of the result; of what a store writes
    const struct ir_type *from; // of the first operand
    uint32_t result, operands, operand[IR_OPERANDS];
    uint32_t target[2];
    int lane[IR_LANES]; // of a shuffle
    uint64_t scale;     // of an address; dimension of an id; bytes of an alloca
    unsigned predicate;
    double ulp; // allowed error, 0: correctly rounded
    struct ir_function *callee;
    uint32_t *list; // of a call: arguments; of a switch: value, block pairs
    uint32_t listed;
};

struct ir_phi {
    uint32_t result, incoming, *value, *from;
};
struct ir_block {
    uint32_t label; // index among the function's labels
    uint32_t first, count;
    struct ir_phi *phi;
    uint32_t phis;
};
struct ir_function {
    char name[64];
    bool parsed;
    uint32_t arguments, values, blocks, instructions;
    struct ir_value *initial;
    struct ir_block *block;
    struct ir_instruction *instruction;
    struct ir_function *next;
};

struct ir_module;
// Reads a file; NULL when it cannot be read. `place` gives the address of a __local variable.
struct ir_module *ir_open(const char *path, uint64_t (*place)(const char *name, uint64_t size));
// The function and all that it calls, or NULL with the reason in ir_error.
struct ir_function *ir_function(struct ir_module *m, const char *name);
extern char ir_error[200];

#endif
