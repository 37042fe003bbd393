// SPDX-License-Identifier: MIT
// The compiler's program: one representation, and one text (.swir), from the reader to the emitter.
//
// An instruction is an operation (isa/operations.def, independent of the target) or a row (src/isa). Values
// are in SSA form. A function owns growable arrays and everything refers to their elements by number, so that
// an instruction is 24 bytes and a whole function is freed at once. Uses are not stored.
//
// Terms: ref, an operand: a kind and a number. Bank, the kind of register that a value needs. Facts, what is
// known of a function by number (kernarg size, wave size).
#ifndef IR_IR_H
#define IR_IR_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/text.h"
#include "ir/graph.h"
#include "isa/isa.h"
#include "isa/operations.h"

// ---- Types ----

enum ir_kind { // the first five are those of enum value_kind
    IR_INT,
    IR_F16,
    IR_BF16,
    IR_F32,
    IR_F64,
    IR_BITS, // so many bits in registers, whatever they mean: after legalisation
    IR_VOID,
    IR_KINDS
};
struct ir_type {
    uint8_t kind;
    uint16_t bits;  // of one element
    uint16_t count; // elements of a vector; 1: no vector
};
enum { IR_MOST_ELEMENTS = 1024, IR_MOST_BITS = 1024, IR_MOST_BYTES = 1024 /* of an access */ };

// ---- Operands ----

enum ir_ref_kind {
    IR_VALUE,
    IR_CONSTANT,
    IR_REGISTER, // a fixed register: enum ir_register_class, first, dwords
    IR_SYMBOL,   // of the module
    IR_BLOCK,
    IR_OBJECT,    // on the stack
    IR_IMMEDIATE, // a small signed number that belongs to the instruction
    IR_NONE,
    IR_REF_KINDS
};
typedef uint32_t ir_ref;
enum { IR_INDEX_BITS = 29, IR_INDEX_MASK = (1 << IR_INDEX_BITS) - 1 };
static inline ir_ref ir_make(enum ir_ref_kind kind, uint32_t index) {
    return (uint32_t)kind << IR_INDEX_BITS | (index & IR_INDEX_MASK);
}
static inline enum ir_ref_kind ir_kind(ir_ref r) { return (enum ir_ref_kind)(r >> IR_INDEX_BITS); }
static inline uint32_t ir_index(ir_ref r) { return r & IR_INDEX_MASK; }
static inline ir_ref ir_immediate(int32_t n) { return ir_make(IR_IMMEDIATE, (uint32_t)n); }
static inline int32_t ir_number(ir_ref r) { return (int32_t)(r << 3) >> 3; }
static inline bool ir_is(ir_ref r, enum ir_ref_kind kind) { return ir_kind(r) == kind; }
#define IR_NOTHING ir_make(IR_NONE, 0)

enum ir_register_class {
    IR_SGPR,
    IR_VGPR,
    IR_AGPR,
    IR_TTMP,
    IR_VCC,
    IR_EXEC,
    IR_M0,
    IR_SCC,
    IR_NULL,
    IR_APERTURE, // where LDS (first 0) and scratch (1) lie among flat addresses: the upper dword; 2: what is
                 // added to addresses of scratch
    IR_REGISTERS
};
enum { IR_APERTURES = 3 };
// A register's number is that in a ref of kind IR_REGISTER, and in ir_function.registers.
static inline uint32_t ir_register(enum ir_register_class c, unsigned first, unsigned dwords) {
    return (uint32_t)c << 20 | dwords << 12 | first;
}
static inline enum ir_register_class ir_register_class_of(uint32_t r) {
    return (enum ir_register_class)(r >> 20 & 15);
}
static inline unsigned ir_register_first(uint32_t r) { return r & 0xfff; }
static inline unsigned ir_register_dwords(uint32_t r) { return r >> 12 & 0xff; }
static inline uint32_t ir_register_dword(uint32_t r, unsigned n) {
    return ir_register(ir_register_class_of(r), ir_register_first(r) + n, 1);
}

// ---- Values and instructions ----

enum ir_bank {
    IR_BANK_ANY, // before divergence.c
    IR_BANK_S,   // the same in all lanes: SGPRs
    IR_BANK_V,   // VGPRs
    IR_BANK_A,   // AGPRs
    IR_BANK_VA,  // either of these
    IR_BANK_M,   // a bit a lane: an SGPR of the wave's size, meaningful in active lanes
    IR_BANK_SCC, // one bit, until the next instruction that writes SCC
    IR_BANK_X,   // a link of the chain of EXEC's values
    IR_BANK_W,   // VGPRs, meaningful in lanes that do not execute, too
    IR_BANKS
};
// What lanes have in vector registers lives along their ways; all else along those of the wave.
static inline bool ir_is_of_lanes(enum ir_bank bank) {
    return bank == IR_BANK_V || bank == IR_BANK_A || bank == IR_BANK_VA;
}
enum { IR_NO_DEF = 0xffffffff, IR_ARGUMENT_DEF = 0xfffffffe };

struct ir_value {
    uint32_t def;  // the instruction; IR_ARGUMENT_DEF, or IR_NO_DEF: it is gone
    uint16_t type; // of the module's types
    uint8_t bank, flags;
};
_Static_assert(sizeof(struct ir_value) == 8, "values are small");

// Flags of an instruction. Those of floats are LLVM's bits, moved up.
enum ir_flag {
    IR_NUW = 1 << 0,
    IR_NSW = 1 << 1,
    IR_EXACT = 1 << 2,
    IR_DISJOINT = 1 << 3,
    IR_NNEG = 1 << 4,
    IR_PARTIAL = 1 << 5, // operands that LLVM leaves undefined do not occur
    IR_CONVERGENT = 1 << 6,
    IR_DIVERGENT = 1 << 7, // of branches: lanes may go both ways
    IR_REASSOC = 1 << 8,
    IR_NNAN = 1 << 9,
    IR_NINF = 1 << 10,
    IR_NSZ = 1 << 11,
    IR_ARCP = 1 << 12,
    IR_CONTRACT = 1 << 13,
    IR_AFN = 1 << 14,
};
enum { IR_FLAGS = 15, IR_FAST_SHIFT = 8, IR_FAST = 0x7f00 };
extern const char *const ir_flag_names[IR_FLAGS];

// Lanes that execute an instruction, if not those of its block.
enum ir_lanes {
    IR_LANES_OWN,
    IR_LANES_ALL,
    IR_LANES_QUADS, // all of quads in which one executes
    IR_LANES_LIVE,  // of a pixel shader: without those that are there for their quads alone
    IR_LANES
};
extern const char *const ir_lanes_names[IR_LANES]; // NULL: not printed

struct ir_inst {
    uint16_t op; // enum operation, then pseudo operations, then rows (ir_op_of_row)
    uint16_t operands;
    uint8_t results, lanes; // enum ir_lanes
    uint16_t modifiers;     // of rows: IR_NEG and so on
    uint32_t first_result, first_operand;
    uint32_t location; // of the function's locations plus one; 0: unknown
    uint16_t memory;   // of the function's memory plus one; 0: none
    uint16_t flags;    // enum ir_flag
};
_Static_assert(sizeof(struct ir_inst) == 24, "instructions are small");

// Modifiers of rows, a bit a source where there are several.
// Attributes of pixel shaders, as operands of rows: this times the attribute's number, and its channel; the
// last corner of a triangle.
enum { IR_ATTRIBUTE = 4, IR_CORNER_P0 = 2 };
enum { IR_NEG = 1 << 0, IR_ABS = 1 << 4, IR_CLAMP = 1 << 8, IR_OMOD = 1 << 9 /* two bits */ };
enum {
    IR_TIED = 1 << 11,   // the first operand, which is no source: what the destination held
    IR_OP_SEL = 1 << 12, // two bits, of the first sources; both, of WMMA: the third source alone;
                         // of ROW_SWAPS: fi, bound_ctrl
    IR_DPP =
        1 << 14, // numbers behind the sources: control, rows, banks, whether lanes without a source give 0
    IR_EARLY = 1 << 15, // sources are still read when the result is written
};

// Of pseudo operations that write a scalar register and read it next: between both they wait until it is
// there.
enum { IR_SETTLES = 1 << 0 };

// The number behind the sources of a row of FMT_MAI that is no move.
enum {
    IR_CBSZ = 1 << 0,     // three bits
    IR_ABID = 1 << 3,     // four
    IR_BLGP = 1 << 7,     // three
    IR_SCALE_A = 1 << 10, // two: which byte of the fourth source has the scales of A
    IR_SCALE_B = 1 << 12, // of the fifth, those of B
    IR_SCALED = 1 << 14   // there are these sources
};

// The number behind the sources of a matrix operation from GFX12.5 on. Other rows whose modifiers hold a
// number have it there as it is.
enum {
    IR_MATRIX_FORMAT_A = 1 << 0, // three bits
    IR_MATRIX_FORMAT_B = 1 << 3,
    IR_MATRIX_LANES_A = 1 << 6, // one: the upper lanes have the scales
    IR_MATRIX_LANES_B = 1 << 7,
    IR_MATRIX_SCALE_A = 1 << 8, // two: the scales' format
    IR_MATRIX_SCALE_B = 1 << 10,
    IR_MATRIX_AGAIN_A = 1 << 12, // the register will be read again
    IR_MATRIX_AGAIN_B = 1 << 13,
    IR_MATRIX_HIGH = 1 << 14 // three bits: signs of upper halves; of the third source, its magnitude is taken
};

// The number in front of the four sources of an export.
enum {
    IR_EXPORT_TO = 1 << 0,   // six bits: the target
    IR_EXPORT_PART = 1 << 6, // four: a bit for each source that there is
    IR_EXPORT_DONE = 1 << 10,
    IR_EXPORT_VALID = 1 << 11, // EXEC says which pixels there are
    IR_EXPORT_PAIRS = 1 << 12, // sources are pairs of halves
    IR_EXPORT_ROW = 1 << 13    // M0 has the row
};

// Operations that passes use among themselves, between operations and rows: X(name, operands, text)
#define IR_PSEUDOS(X)                                                                                        \
    X(p_copy, 1)                /* a register or value to another bank or register */                        \
    X(p_tuple, OPERATION_ANY)   /* neighbouring registers from their parts */                                \
    X(p_part, 2)                /* one dword of a tuple: tuple, which */                                     \
    X(p_moves, OPERATION_ANY)   /* at once: pairs of a register and a dword */                               \
    X(p_wait, OPERATION_ANY)    /* until so few operations are outstanding (compiler/waits.h) */             \
    X(p_write_lane, 3)          /* a lane of a vector register: register, dword, lane */                     \
    X(p_address, 1)             /* of a variable or function */                                              \
    X(p_logical, OPERATION_ANY) /* the blocks to which lanes go from here, if not those of the terminator */ \
    X(p_skip, 2)                /* to the first block if no lane is active, else to the second */            \
    X(p_call, OPERATION_ANY) /* a function, or nothing: its address is in VCC; pairs of a register and what  \
                                it holds then; results in v0 and so on */                                    \
    X(p_tail_call, OPERATION_ANY) /* the same as a jump, behind the end of the function's own frame */       \
    X(p_chain, OPERATION_ANY)     /* a jump; the lanes that go on stand in fixed registers */                \
    X(p_return, OPERATION_ANY)    /* pairs of a register and what it holds then */                           \
    X(p_exit, 0)                  /* ends the wave where no lane is left */                                  \
    X(p_end_lanes, 0)             /* its lanes end, the others of the wave go on */                          \
    X(p_live, 0)                  /* whether a lane is there for more than its quad */                       \
    X(p_whole, 1)                 /* a value that is computed with all lanes */                              \
    X(p_quads, 1)                 /* one that is computed with whole quads */                                \
    X(p_set_inactive, 2)          /* of lanes that execute, and of the others */                             \
    X(p_enter, OPERATION_ANY)     /* makes a function's frame (compiler/frame.h) */                          \
    X(p_leave, OPERATION_ANY)     /* takes it down again: the same operands */
enum ir_pseudo {
    IR_PSEUDO_BEFORE = OPERATIONS - 1,
#define X(name, operands) OP_##name,
    IR_PSEUDOS(X)
#undef X
        IR_ROWS
};
static inline bool ir_is_row(unsigned op) { return op >= IR_ROWS; }
static inline const struct row *ir_row(unsigned op) { return &isa_rows[op - IR_ROWS]; }
static inline uint16_t ir_op_of_row(const struct row *row) { return (uint16_t)(IR_ROWS + (row - isa_rows)); }
// The name of an operation or row; its operand count (OPERATION_ANY: any); enum operation_property.
const char *ir_op_name(unsigned op);
unsigned ir_op_operands(unsigned op);
unsigned ir_op_properties(unsigned op);
// The operation or row of that name; IR_ROWS + isa_row_count: none.
unsigned ir_op_named(const char *name, size_t length);
static inline bool ir_is_terminator(const struct ir_inst *i) {
    return ir_is_row(i->op) ? (ir_row(i->op)->flags & ROW_TERMINATOR) != 0
                            : (ir_op_properties(i->op) & OPERATION_TERMINATOR) != 0;
}

// What a memory access does besides its operands.
enum ir_space {
    IR_GENERIC,
    IR_GLOBAL,
    IR_REGION,
    IR_LOCAL,
    IR_CONSTANT_SPACE,
    IR_PRIVATE,
    IR_CONSTANT32,
    IR_FAT,
    IR_RESOURCE,
    IR_STRIDED,
    IR_SPACES
};
extern const char *const ir_space_names[IR_SPACES];
enum ir_order {
    IR_PLAIN,
    IR_UNORDERED,
    IR_MONOTONIC,
    IR_ACQUIRE = 4,
    IR_RELEASE,
    IR_ACQ_REL,
    IR_SEQ_CST,
    IR_ORDERS
};
extern const char *const ir_order_names[IR_ORDERS]; // NULL: no such order
enum ir_scope { IR_SYSTEM, IR_SINGLE_THREAD, IR_WAVEFRONT, IR_WORKGROUP, IR_CLUSTER, IR_AGENT, IR_SCOPES };
extern const char *const ir_scope_names[IR_SCOPES];
enum ir_memory_flag {
    IR_VOLATILE = 1 << 0,
    IR_NONTEMPORAL = 1 << 1,
    IR_LAST_USE = 1 << 2,
    IR_INVARIANT = 1 << 3, // nobody writes it while the kernel runs
    IR_NOCLOBBER = 1 << 4, // not written between the kernel's beginning and here
    IR_DEREFERENCEABLE = 1 << 5,
    IR_NO_REMOTE = 1 << 6,
    IR_NO_FINE = 1 << 7,
    IR_ONE_AS = 1 << 8,
    IR_WEAK = 1 << 9,           // a cmpxchg that may fail though the values are equal
    IR_ANY_DENORMALS = 1 << 10, // an addition of floats may treat denormals as it likes
    IR_NOT_STACK = 1 << 11,     // a flat address is none of the stack
};
enum { IR_MEMORY_FLAGS = 12 };
extern const char *const ir_memory_flag_names[IR_MEMORY_FLAGS];
struct ir_memory {
    uint8_t space, spaces_fenced, scope, order, failure_order;
    uint8_t align_log2, cache;
    uint16_t bytes; // 0: of an operation that says so otherwise
    uint16_t flags; // enum ir_memory_flag
};

struct ir_block {
    uint32_t first, count; // its instructions follow each other
    uint32_t predecessors, predecessor_count, successors, successor_count; // in edges; ir_cfg sets them
    uint32_t logical, logical_count; // the blocks to which lanes go, in edges; ir_cfg sets them
    uint32_t dominator; // its immediate one; of the entry, itself; IR_NO_DEF: unreachable. ir_cfg sets it
};

struct ir_constant {
    uint64_t low, high; // bits of a scalar; zeros above its width
    uint16_t type;
    bool poison; // of any type
};

struct ir_location {
    uint32_t file, line, column; // file: of the module
};

// ---- Functions and modules ----

// Hidden arguments that attributes can rule out.
enum ir_without {
    WITHOUT_ALL,
    WITHOUT_HOSTCALL,
    WITHOUT_MULTIGRID,
    WITHOUT_HEAP,
    WITHOUT_DEFAULT_QUEUE,
    WITHOUT_COMPLETION,
    WITHOUT_QUEUE
};

// What is known of a function by number: X(name, default). All are printed where not the default.
#define IR_FACTS(X)                                                                                          \
    X(wave, 0)                                                                                               \
    X(block_min, 1)                                                                                          \
    X(block_max, 1024)                                                                                       \
    X(reqd_x, 0)                                                                                             \
    X(reqd_y, 0)                                                                                             \
    X(reqd_z, 0)                                                                                             \
    X(kernarg_bytes, 0)                                                                                      \
    X(kernarg_align, 0)                                                                                      \
    X(hidden_bytes, 0)   /* of hidden arguments; 0: as the code object's version has them */                 \
    X(hidden_offset, 0)  /* of the hidden arguments in the kernarg segment */                                \
    X(without, 0)        /* hidden arguments that are not wanted: enum ir_without, a bit each */             \
    X(dynamic_lds, 0)    /* LDS whose size the launch decides is used */                                     \
    X(language_major, 0) /* of OpenCL C, as metadata says it */                                              \
    X(language_minor, 0)                                                                                     \
    X(hint_x, 0) /* work_group_size_hint */                                                                  \
    X(hint_y, 0)                                                                                             \
    X(hint_z, 0)                                                                                             \
    X(groups_x, 0) /* the most work-groups of a launch */                                                    \
    X(groups_y, 0)                                                                                           \
    X(groups_z, 0)                                                                                           \
    X(kind, 0)       /* 1: runs when the program is loaded, 2: when it is unloaded */                        \
    X(denormal32, 3) /* as MODE has it: 3 keeps them, 0 flushes */                                           \
    X(denormal64, 3)                                                                                         \
    X(ieee, 1)                                                                                               \
    X(dx10_clamp, 1)                                                                                         \
    X(waves_min, 0)                                                                                          \
    X(no_hazard_waits, 0) /* between units that write and read scalar registers: only to measure */          \
    X(waves_max, 0)                                                                                          \
    X(most_vgprs, 0)                                                                                         \
    X(most_sgprs, 0)                                                                                         \
    X(uniform_groups, 0)                                                                                     \
    X(lds, 0)                                                                                                \
    X(barriers, 0)      /* the greatest number of a barrier that is a variable, and */                       \
    X(all_barriers, 0)  /* with all that it calls */                                                         \
    X(gds, 0)           /* bytes of the region, as an attribute says */                                      \
    X(high32, 0)        /* the upper half of addresses of constant32 */                                      \
    X(cumode, 0)        /* work-groups stay on one compute unit of two */                                    \
    X(tgsplit, 0)       /* waves of a work-group may be on different compute units */                        \
    X(stack, 0)         /* bytes of a lane */                                                                \
    X(result, 0)        /* how what it gives back is passed: enum ir_passed */                               \
    X(incoming, 0)      /* bytes of the stack with which the function begins: its arguments */               \
    X(convention, 0)    /* enum ir_convention */                                                             \
    X(callees, 0)       /* the conventions of what it calls, a bit each */                                   \
    X(pixel_inputs, 0)  /* of a pixel shader: those that have registers, and */                              \
    X(pixel_used, 0)    /* those that it uses */                                                             \
    X(whole, 0)         /* all lanes execute it: 1 as a shader of a chain decides, 2 as it is called */      \
    X(live, 0)          /* of a pixel shader: a scalar register has the lanes that are live */               \
    X(exports, 0)       /* of a pixel shader: what it exports to, 1 colours, 2 depth */                      \
    X(calls, 0)         /* it calls functions, or decides how much stack it takes */                         \
    X(dynamic_stack, 0) /* nobody knows how much stack it and what it calls take */                          \
    X(recursive, 0)     /* it, or what it calls, may call itself */                                          \
    X(agprs, 0)         /* used, after assign */                                                             \
    X(all_agprs, 0)                                                                                          \
    X(all_vgprs, 0) /* with all that it calls, before emit */                                                \
    X(all_sgprs, 0)                                                                                          \
    X(all_stack, 0)                                                                                          \
    X(frame, 0)        /* bytes of a lane that it takes, after assign; 16 and their multiples */             \
    X(stack_buffer, 0) /* s[0:3] describe the stack's memory */                                              \
    X(flat_stack, 0)   /* the SGPRs of which FLAT_SCRATCH is made at the beginning, plus one */              \
    X(stack_offset, 0) /* the SGPR with the place of the wave's part in it, plus one */                      \
    X(inputs, 0)       /* what the hardware is asked for: enum ir_input */                                   \
    X(user_sgprs, 0)   /* of a shader: SGPRs with which it begins */                                         \
    X(stage, 0)        /* of a shader: enum ir_stage */                                                      \
    X(table_high, ~0u) /* the upper half of the address of amdpal's table; ~0: the program's */              \
    X(vgprs, 0)        /* used, after assign */                                                              \
    X(sgprs, 0)                                                                                              \
    X(spilled, 0)      /* dwords that did not fit into registers */                                          \
    X(instructions, 0) /* after emit */                                                                      \
    X(uses_vcc, 0)
struct ir_facts {
#define X(name, standard) uint32_t name;
    IR_FACTS(X)
#undef X
};

// How functions are called.
enum ir_convention {
    IR_OWN,          // as C has it; kernels, too
    IR_GFX,          // functions that shaders call
    IR_SHADER,       // waves begin with it: arguments in registers
    IR_PIXEL_SHADER, // the same, without arguments that nobody uses
    IR_CHAIN,        // another shader goes on with it
    IR_CHAIN_KEEP    // the same, and what is in vector registers is kept
};

// What makes a difference for where a shader finds its stack: GFX9 joined some stages with the ones before.
enum ir_stage { IR_STAGE_OTHER, IR_STAGE_COMPUTE, IR_STAGE_MERGED };

// How an argument of a function is passed. In a call, each argument has such a number in front of it.
enum ir_passed {
    IR_IN_SGPR = 1 << 0,
    IR_BY_VALUE = 1 << 1, // a pointer to a copy on the stack: log2 of its alignment, then its size, above
    IR_SIGN_EXTENDED = 1 << 2,
    IR_ZERO_EXTENDED = 1 << 3
};
enum { IR_MOST_BY_VALUE = 1 << 19 };
static inline uint32_t ir_passed_by_value(uint32_t size, unsigned align_log2) {
    return IR_BY_VALUE | align_log2 << 4 | size << 8;
}
static inline uint32_t ir_passed_size(uint32_t passed) { return passed >> 8; }
static inline unsigned ir_passed_align(uint32_t passed) { return passed >> 4 & 15; }

// An argument as the caller passes it. Texts may be NULL.
struct ir_argument {
    uint32_t value;
    uint32_t offset, size, align; // in the kernarg segment
    uint32_t space, pointee_align;
    uint32_t passed;  // to functions: enum ir_passed, with size and alignment (ir_passed_by_value)
    const char *kind; // as metadata calls it: "by_value"
    const char *name, *type_name, *access, *actual_access;
    bool is_const, is_restrict, is_volatile, is_pipe;
};

struct ir_function {
    struct ir_module *module;
    struct arena arena; // of constants
    const char *name;
    uint32_t symbol;
    bool is_kernel;
    struct ir_facts facts;
    ARRAY(struct ir_argument) arguments;
    ARRAY(struct ir_value) values;
    ARRAY(struct ir_inst) insts;
    ARRAY(ir_ref) operands;
    ARRAY(struct ir_block) blocks;
    ARRAY(uint32_t) edges;
    ARRAY(uint32_t) order; // reachable blocks in reverse postorder; ir_cfg sets it
    ARRAY(struct ir_memory) memory;
    ARRAY(struct ir_constant *) constants; // each stays where it is, in the arena
    ARRAY(struct ir_location) locations;
    uint32_t location;   // of these, plus one: where the function begins; 0: unknown
    uint32_t *registers; // by value, after assign (0: none); else NULL
    struct ir_function *next;
};

// True if nobody waits for it to return: it has all registers, and a stack that begins with it.
static inline bool ir_is_entry(const struct ir_function *f) {
    return f->is_kernel || f->facts.convention >= IR_SHADER;
}
static inline bool ir_is_chain(const struct ir_function *f) { return f->facts.convention >= IR_CHAIN; }
// True of operations that call or jump to functions; of those whose arguments are in fixed registers.
static inline bool ir_calls(unsigned op) { return op >= OP_call && op <= OP_chain; }
static inline bool ir_has_called(unsigned op) { return op >= OP_p_call && op <= OP_p_chain; }

// What a wave begins with, and functions are given by those that call them. User SGPRs come first, in the
// order of the descriptor's bits.
enum ir_input {
    INPUT_DISPATCH_POINTER,
    INPUT_QUEUE_POINTER,
    INPUT_KERNARG,
    INPUT_DISPATCH_ID,
    INPUT_FLAT_SCRATCH, // from which FLAT_SCRATCH is made
    INPUT_GROUP_X,
    INPUT_GROUP_Y,
    INPUT_GROUP_Z,
    INPUT_ITEM_X,
    INPUT_ITEM_Y,
    INPUT_ITEM_Z,
    INPUT_HIDDEN, // the hidden arguments behind the explicit ones
    INPUTS
};

enum ir_symbol_kind { IR_FUNCTION_SYMBOL, IR_VARIABLE_SYMBOL };
struct ir_address { // bytes of a variable that are the address of something: eight, of LDS four
    uint64_t offset;
    uint32_t symbol;
    int64_t addend;
};
enum { IR_BARRIER_BYTES = 16 }; // from one barrier of an array to the next, as addresses count
enum ir_visibility { IR_SEEN, IR_HIDDEN, IR_PROTECTED, IR_VISIBILITIES };
extern const char *const ir_visibility_names[IR_VISIBILITIES];

struct ir_symbol {
    const char *name;
    uint8_t kind, space, visibility;
    bool defined, constant, local; // local: not visible outside of the object
    bool weak;                     // other objects may define it, too; if it is not defined, nobody has to
    bool replaceable;              // as something else, then
    bool barrier; // of a variable: it is one, or an array of them, and has no place in memory
    uint64_t size, align;
    const uint8_t *bytes;         // of a variable; NULL: zero or undefined
    struct ir_address *addresses; // in the variable, in order; in the module's arena
    size_t address_count;
    uint32_t without;             // of a function: inputs that it does not need (bits of enum ir_input)
    struct ir_function *function; // its code, if that is in this module
};

// Another name of a function or variable, or of a place in one, for other objects.
struct ir_alias {
    const char *name;
    uint8_t visibility;
    bool weak;
    uint32_t symbol;
    int64_t addend;
};

struct ir_file {
    const char *directory, *name;
};

struct ir_module {
    struct arena arena; // of texts
    const char *triple;
    const char *assembly;          // of the module, or NULL
    const sw_processor *processor; // NULL: not said
    sw_target target;
    unsigned code_object_version; // 2 to 6
    // Types are added by several threads at once: array and elements stay where they are.
    struct ir_type **types;
    atomic_size_t type_count;
    pthread_mutex_t adding;
    ARRAY(struct ir_symbol) symbols;
    uint32_t *names; // the symbols' numbers plus one, by the hash of their names; 0: free
    size_t name_room;
    ARRAY(struct ir_alias) aliases;
    ARRAY(struct ir_file) files;
    ARRAY(const char *) formats; // of printf, for metadata; not kept by text
    struct ir_function *functions, **last;
    const char *stage;  // behind which pass the module stands
    atomic_bool failed; // memory was missing somewhere: whoever looks first reports it
    bool refused;       // functions that cannot be compiled were reported and are gone
};

struct ir_module *ir_module_create(void);
void ir_module_free(struct ir_module *m);
struct ir_function *ir_function_add(struct ir_module *m, const char *name, bool is_kernel);
void ir_function_take_out(struct ir_function *f); // of the module
void ir_function_free(struct ir_function *f);     // after taking it out
uint32_t ir_symbol_add(struct ir_module *m, const char *name, enum ir_symbol_kind kind);
// The number of the symbol of a name; IR_NO_DEF: there is none.
uint32_t ir_symbol_named(const struct ir_module *m, const char *name, size_t length);
// An address in a variable, behind those that it has.
void ir_address_add(struct ir_module *m, uint32_t variable, const struct ir_address *address);
// True if the module's processor has the row of that name.
bool ir_has_row(const struct ir_module *m, const char *id);
// The number of a type, which is added if it is new.
uint16_t ir_type_of(struct ir_module *m, enum ir_kind kind, unsigned bits, unsigned count);
uint16_t ir_int(struct ir_module *m, unsigned bits);
// Total bits of a type.
unsigned ir_type_bits(const struct ir_module *m, uint16_t type);

// ---- Building (build.c) ----
// All append to the last block. Where memory is missing, module->failed is set and the result may be used.

uint32_t ir_block_add(struct ir_function *f);
uint32_t ir_value_add(struct ir_function *f, uint16_t type);
ir_ref ir_constant_bits(struct ir_function *f, uint16_t type, uint64_t low, uint64_t high);
ir_ref ir_poison(struct ir_function *f, uint16_t type);
uint16_t ir_memory_add(struct ir_function *f, const struct ir_memory *memory);
uint32_t ir_location_add(struct ir_function *f, uint32_t file, uint32_t line, uint32_t column);
// Appends an instruction with new results of these types, or with `count` results to come. Returns it.
struct ir_inst *ir_append(struct ir_function *f, unsigned op, const ir_ref *operands, unsigned count);
// Gives the last instruction another result.
ir_ref ir_result(struct ir_function *f, uint16_t type);
// Gives an instruction other operands, which are not in the function's own array. False: no memory, and it
// has those of before.
bool ir_set_operands(struct ir_function *f, struct ir_inst *i, const ir_ref *operands, size_t count);
// Makes an existing value the (only) result of the last instruction.
void ir_define(struct ir_function *f, uint32_t value);
// An instruction with one result.
ir_ref ir_emit(struct ir_function *f, unsigned op, uint16_t type, const ir_ref *operands, unsigned count);

static inline const struct ir_type *ir_type_at(const struct ir_module *m, uint16_t type) {
    return m->types[type];
}
uint16_t ir_ref_type(const struct ir_function *f, ir_ref r); // of values and constants; else void
static inline ir_ref ir_operand(const struct ir_function *f, const struct ir_inst *i, unsigned n) {
    return n < i->operands ? f->operands.items[i->first_operand + n] : IR_NOTHING;
}
static inline struct ir_value *ir_value_of(const struct ir_function *f, ir_ref r) {
    return ir_is(r, IR_VALUE) ? &f->values.items[ir_index(r)] : NULL;
}
static inline struct ir_constant *ir_constant_of(const struct ir_function *f, ir_ref r) {
    return ir_is(r, IR_CONSTANT) ? f->constants.items[ir_index(r)] : NULL;
}
// The instruction that defines a value; NULL: an argument, or no value.
static inline struct ir_inst *ir_def(const struct ir_function *f, ir_ref r) {
    const struct ir_value *v = ir_value_of(f, r);
    return v && v->def < f->insts.count ? &f->insts.items[v->def] : NULL;
}
static inline const struct ir_memory *ir_memory_of(const struct ir_function *f, const struct ir_inst *i) {
    return i->memory ? &f->memory.items[i->memory - 1] : NULL;
}

// A pass that inserts instructions writes them anew: it takes the old ones, walks over them in order, and
// appends. Values keep their numbers; ir_define keeps who defines them.
struct ir_old {
    ARRAY(struct ir_inst) insts;
    ARRAY(ir_ref) operands;
    ARRAY(struct ir_block) blocks;
};
void ir_take(struct ir_function *f, struct ir_old *old);
void ir_old_free(struct ir_old *old);
// Appends a copy of an old instruction, which defines the same values.
struct ir_inst *ir_copy(struct ir_function *f, const struct ir_old *old, const struct ir_inst *i);

// ---- Control flow (cfg.c) ----

// Sets edges, order and dominators from the terminators. False: memory is missing.
bool ir_cfg(struct ir_function *f);
// The ways of the wave, or of its lanes, as ir_cfg set them: for ir_graph_make. False: memory is missing.
struct ir_edges {
    struct ir_edge *items;
    size_t count, capacity;
};
bool ir_block_edges(const struct ir_function *f, bool lanes, struct ir_edges *edges);
// After ir_cfg: the ways of lanes forwards from the entry; backwards from a node behind the blocks, to which
// all ends go; loops. Where `backwards` or `loops` is NULL, without these. False: memory is missing; all are
// freed by their functions in either case.
bool ir_lane_graphs(struct ir_function *f, struct ir_graph *forwards, struct ir_graph *backwards,
                    struct ir_loops *loops);
bool ir_dominates(const struct ir_function *f, uint32_t above, uint32_t below);

// ---- Text and checks ----

void ir_print(struct text *t, const struct ir_module *m);
void ir_print_inst(struct text *t, const struct ir_function *f, const struct ir_inst *i);
void ir_print_ref(struct text *t, const struct ir_function *f, ir_ref r);
// The name of a register (ir_register), as assembly texts have it.
void ir_put_register(struct text *t, uint32_t reg);
// Parses .swir text. NULL: an error was reported with its line and column (*status says which kind).
struct ir_module *ir_parse(const char *name, const char *text, size_t length, const sw_sink *sink,
                           sw_status *status);
// Checks what every stage keeps true. False: the first violation was reported as an error of `stage`.
bool ir_verify(const struct ir_module *m, const char *stage, const sw_sink *sink);

#endif
