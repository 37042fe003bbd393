// SPDX-License-Identifier: MIT
// From LLVM's module to ours. The only code of the compiler that sees LLVM: it reads a module at once, and
// LLVM is not asked again. What it cannot express is refused with function, instruction and source line.
// LLVM is not trusted: types, counts and numbers are checked again.
#ifndef READER_READER_H
#define READER_READER_H

#include "ir/ir.h"
#include "llvm/llvm.h"

struct reader_options {
    const sw_target *target;      // NULL: what the functions' "target-cpu" says
    const char *triple;           // NULL: the module's
    const char *features;         // "+wavefrontsize64", as -mattr; NULL: none
    const char *passes;           // of LLVM, to run first; NULL: none
    unsigned code_object_version; // 0: the module's, else 6
    unsigned level;               // of optimisation, 0 to 3
    const char *const *kernels;   // these alone; count 0: all
    size_t kernel_count;
    bool only_reached; // functions that no kernel reaches are left out, with a note
    bool names_only;   // symbols without bodies
};

// Reads .ll or .bc. *out is NULL unless the result is SW_OK. SW_BAD_INPUT: LLVM refuses it;
// SW_UNSUPPORTED: valid, but it cannot be expressed.
sw_status reader_read(const struct llvm *l, const char *name, const void *bytes, size_t length,
                      const struct reader_options *options, const sw_sink *sink, struct ir_module **out);
// The same of a module that is LLVM's already, which is not changed.
sw_status reader_read_module(const struct llvm *l, const char *name, llvm_ref module,
                             const struct reader_options *options, const sw_sink *sink,
                             struct ir_module **out);

// ---- Shared by the reader's files ----

enum reader_kind {
    KIND_INVARIANT,
    KIND_NONTEMPORAL,
    KIND_LAST_USE,
    KIND_NOCLOBBER,
    KIND_NO_REMOTE,
    KIND_NO_FINE,
    KIND_ANY_DENORMALS,
    KIND_MMRA,
    KIND_FPMATH,
    KIND_NOT_IN_SPACE,
    KINDS
};

// What an LLVM value is here: one ref, or the parts of an aggregate.
struct reader_value {
    llvm_ref key;
    ir_ref ref;
    uint32_t parts, part_count; // in `parts` of the reader; count 0: `ref`
};
struct reader_parameter {
    llvm_ref value;
    uint64_t offset;
    bool by_reference;
};
struct reader {
    const struct llvm *l;
    const char *name;
    llvm_ref context, module, function, inst; // inst: the one being read, for messages
    const struct reader_options *options;
    const sw_sink *sink;
    sw_status status; // of the first error
    struct ir_module *m;
    struct ir_function *f;
    ir_ref result_place;         // where the function's result belongs, if it is in memory
    ir_ref variadic;             // where further arguments stand; nothing: there are none
    struct reader_value *values; // a hash table of the function's values
    size_t value_room, value_count;
    ARRAY(ir_ref) parts;
    ARRAY(struct reader_parameter) parameters; // of the kernel, which reader_kernarg has to make
    ARRAY(llvm_ref) blocks;                    // by number
    ARRAY(uint32_t) block_numbers;             // hash table: number plus one
    uint32_t location;
    unsigned scopes[2 * IR_SCOPES]; // LLVM's ids of the known scopes, then of their -one-as forms
    unsigned kinds[KINDS];          // ids of metadata kinds, enum reader_kind
    unsigned data_layout_i128;      // alignment of i128 in bytes
    uint32_t variable;              // whose initial value is being read
    ARRAY(llvm_ref) reached;        // functions that are read
};

// Refuses the instruction that is being read (or the function): `what` it has that is not possible.
void reader_refuse(struct reader *r, const char *what);
void reader_no_memory(struct reader *r);

// type.c
// The type of a scalar, pointer or vector. Refuses others.
uint16_t reader_type(struct reader *r, llvm_ref type);
uint64_t reader_size(struct reader *r, llvm_ref type);       // bytes in memory, with padding behind
uint64_t reader_store_size(struct reader *r, llvm_ref type); // without
uint64_t reader_align(struct reader *r, llvm_ref type);      // bytes
uint64_t reader_field_offset(struct reader *r, llvm_ref type, unsigned field);
unsigned reader_pointer_bits(unsigned space);
bool reader_is_aggregate(struct reader *r, llvm_ref type);

// constant.c
ir_ref reader_constant(struct reader *r, llvm_ref value);
// The bits of a scalar constant. False: it is none.
bool reader_bits(struct reader *r, llvm_ref value, uint64_t out[2]);
// Bytes of an initialiser. NULL: it is zero or undefined, or was refused.
const uint8_t *reader_initialiser(struct reader *r, llvm_ref value, uint64_t size);

// function.c
void reader_body(struct reader *r, llvm_ref function);
ir_ref reader_value_of(struct reader *r, llvm_ref value); // of anything that may be an operand
uint16_t reader_type_of(struct reader *r, llvm_ref value);
void reader_set(struct reader *r, llvm_ref key, ir_ref ref);
void reader_set_parts(struct reader *r, llvm_ref key, const ir_ref *refs, unsigned count);
bool reader_has_parts(struct reader *r, llvm_ref key);
ir_ref reader_part(struct reader *r, llvm_ref value, unsigned part);
bool reader_mark(struct reader *r, llvm_ref key); // true for the first time
void reader_forget(struct reader *r);             // all values and marks
uint32_t reader_block(struct reader *r, llvm_ref block);
struct ir_inst *reader_append(struct reader *r, unsigned op, const ir_ref *operands, unsigned count);
ir_ref reader_emit(struct reader *r, unsigned op, uint16_t type, unsigned flags, const ir_ref *operands,
                   unsigned count);
#define READER_EMIT(r, op, type, flags, ...)                                                                 \
    reader_emit(r, op, type, flags, (const ir_ref[]){__VA_ARGS__},                                           \
                sizeof((const ir_ref[]){__VA_ARGS__}) / sizeof(ir_ref))

// instruction.c, load_store.c, call.c
void reader_instruction(struct reader *r, llvm_ref inst);
void reader_load(struct reader *r, llvm_ref inst);
void reader_store(struct reader *r, llvm_ref inst);
void reader_cooperative(struct reader *r, llvm_ref inst,
                        bool store); // atomic accesses of neighbouring lanes at once
void reader_move(struct reader *r, llvm_ref call, unsigned op, const ir_ref operands[3]);
// Makes the value of a kernel's parameter from the kernarg segment: what is not one value of whole dwords.
void reader_kernarg(struct reader *r, llvm_ref parameter, uint64_t offset, bool by_reference);
void reader_fence(struct reader *r, llvm_ref inst);
void reader_atomic(struct reader *r, llvm_ref inst);
void reader_cmpxchg(struct reader *r, llvm_ref inst);
ir_ref reader_address(struct reader *r, llvm_ref gep);
// The address of an access as an operand: a number, or a place in a buffer.
ir_ref reader_access_address(struct reader *r, llvm_ref value);
// The same, beginning with what is here the base, of this type.
ir_ref reader_address_from(struct reader *r, llvm_ref gep, ir_ref base, uint16_t type);
// An address in another space, by the types of a cast and its operand.
// How other objects may name it, and whether they may define it, too.
void reader_linkage(struct reader *r, llvm_ref global, uint8_t *visibility, bool *weak);
bool reader_is_barrier(struct reader *r, llvm_ref type); // or an array of such
ir_ref reader_space_cast(struct reader *r, llvm_ref cast, ir_ref address);
void reader_call(struct reader *r, llvm_ref inst);
ir_ref reader_symbol(struct reader *r, const char *name, size_t length); // of an intrinsic, or a text
// special.c: an intrinsic that is no single operation. False: it is another one.
bool reader_special(struct reader *r, llvm_ref inst, const char *name, size_t length);

// fat.c: pointers into buffers, which are aggregates of a descriptor, an offset and, in address space 9, an
// index. A vector of them is an aggregate of as many vectors.
bool reader_is_fat(struct reader *r, llvm_ref type);
unsigned reader_fat_parts(struct reader *r, llvm_ref type);
uint64_t reader_fat_offset(struct reader *r, llvm_ref type, unsigned part); // in memory
uint16_t reader_fat_part_type(struct reader *r, llvm_ref type, unsigned part);
ir_ref reader_fat_place(struct reader *r, llvm_ref pointer); // as the address of an access
void reader_fat_begin(struct reader *r, llvm_ref pointer, ir_ref descriptor, ir_ref *parts);
void reader_fat_move(struct reader *r, llvm_ref gep, ir_ref *parts);
void reader_fat_constant(struct reader *r, llvm_ref value, ir_ref *parts);
ir_ref reader_descriptor(struct reader *r, llvm_ref call); // that llvm.amdgcn.make.buffer.rsrc makes
// llvm.amdgcn.s.buffer.load: a load from memory that nobody writes, by scalar instructions where all lanes
// agree.
void reader_scalar_buffer_load(struct reader *r, llvm_ref call);
// Reads a call of an intrinsic, of this operation, that gives such a pointer. False: it gives none.
bool reader_fat_intrinsic(struct reader *r, llvm_ref call, unsigned op);
// Reads an instruction that computes or compares such pointers. False: it is none.
bool reader_fat(struct reader *r, llvm_ref inst);
// Of a constant expression: what is no such pointer, but comes from one. False: it does not.
bool reader_fat_expression(struct reader *r, llvm_ref expression, ir_ref *out);

// constrained.c: an intrinsic llvm.experimental.constrained.`name`
// Word `n` of a call's arguments behind its point: "round.upward" is upward.
void reader_word(struct reader *r, llvm_ref inst, unsigned n, char *out, size_t room);
void reader_constrained(struct reader *r, llvm_ref inst, const char *name, size_t length);

// asm.c
void reader_asm(struct reader *r, llvm_ref inst);
void reader_asm_text(struct reader *r, const char *text); // which takes nothing, and changes SCC alone

// callee.c
void reader_call_function(struct reader *r, llvm_ref call, llvm_ref callee);
// What an alias stands for, or the value itself.
llvm_ref reader_aliased(struct reader *r, llvm_ref value);
void reader_aliases(struct reader *r);
// LLVM's number of a calling convention. False: it is not known here.
bool reader_convention(unsigned number, enum ir_convention *out);
void reader_call_whole(struct reader *r, llvm_ref call); // llvm.amdgcn.call.whole.wave
// The lanes with which a function of a whole wave is called, which are its first argument.
void reader_begin_whole(struct reader *r, llvm_ref function);
void reader_chain(struct reader *r, llvm_ref call);
// True if a result of this type is in more registers than there are for it: the caller gives memory for it,
// as the first argument. how: enum ir_passed.
bool reader_is_in_memory(struct reader *r, llvm_ref type, enum ir_convention convention, uint32_t how);
// Loads what is in such memory, or stores it.
void reader_load_from(struct reader *r, llvm_ref value, ir_ref address);
void reader_store_to(struct reader *r, llvm_ref value, ir_ref address);
void reader_store_at(struct reader *r, llvm_ref value, ir_ref address, uint64_t offset);
// callee.c: memory of the function's frame; its place.
ir_ref reader_take_memory(struct reader *r, uint64_t size);

// ---- variadic.c ----

bool reader_is_variadic(struct reader *r, llvm_ref function_type);
void reader_variadic_parameter(struct reader *r); // behind the others
// The address of a call's arguments from `first` on. forwards: the call has to be a jump.
ir_ref reader_variadic_frame(struct reader *r, llvm_ref call, unsigned first, bool forwards);
void reader_variadic_start(struct reader *r, llvm_ref call);                       // llvm.va_start
void reader_variadic_copy(struct reader *r, llvm_ref call);                        // llvm.va_copy
uint32_t reader_parameter_passed(struct reader *r, llvm_ref function, unsigned n); // enum ir_passed
uint32_t reader_result_passed(struct reader *r, llvm_ref function);
// Adds a function, or those in a constant, and those that they need, to `reached`.
void reader_reach(struct reader *r, llvm_ref constant);

// prepare.c
void reader_prepare(struct reader *r);
// LLVM's passes of these names. SW_USAGE where it knows none of them.
void reader_run(struct reader *r, const char *passes, sw_status otherwise);

// aggregate.c
// Where the leaves of an aggregate lie in memory. Returns their count, 0 where there are too many.
enum { READER_LEAVES = 256 };
struct reader_place {
    uint16_t type;
    uint64_t offset, bytes;
    uint64_t stride; // 0, or how far the vector's elements, of so many bytes each, lie apart
};
unsigned reader_places(struct reader *r, llvm_ref type, struct reader_place *out);
void reader_extract_value(struct reader *r, llvm_ref inst);
void reader_insert_value(struct reader *r, llvm_ref inst);
void reader_aggregate(struct reader *r, llvm_ref inst, unsigned op); // select or freeze of one
void reader_begin_aggregate_phi(struct reader *r, llvm_ref inst);
// The members of a type at its ends, one behind the other; of a scalar or vector, itself.
unsigned reader_leaf_count(struct reader *r, llvm_ref type);
uint16_t reader_leaf_type(struct reader *r, llvm_ref type, unsigned n);
ir_ref reader_leaf(struct reader *r, llvm_ref value, unsigned n); // of a value or constant
void reader_set_leaves(struct reader *r, llvm_ref key, const ir_ref *leaves, unsigned count);

// vector.c
void reader_shuffle(struct reader *r, llvm_ref inst);
void reader_element(struct reader *r, llvm_ref inst, unsigned op); // OP_extract or OP_insert
// llvm.vector.insert and llvm.vector.extract: elements of a vector that lie one behind the other.
void reader_subvector(struct reader *r, llvm_ref call, bool insert);
// A vector of so many times one value, if `type` is one of vectors and the value is none.
ir_ref reader_splat(struct reader *r, ir_ref one, uint16_t type);
ir_ref reader_number(struct reader *r, uint64_t n, uint16_t type); // of a type of integers or vectors of them

// attribute.c
void reader_attributes(struct reader *r, llvm_ref function);
// Explicit arguments of a kernel, with what metadata says of them.
void reader_arguments(struct reader *r, llvm_ref function);
bool reader_string_attribute(struct reader *r, llvm_ref function, const char *name, char *out, size_t room);

// metadata.c
// Operand `n` of a node of the function's metadata of that kind, as a string or number. False: not there.
bool reader_node_text(struct reader *r, llvm_ref node, unsigned n, char *out, size_t room);
bool reader_node_number(struct reader *r, llvm_ref node, unsigned n, uint64_t *out);
llvm_ref reader_named_node(struct reader *r, const char *name, unsigned n); // of the module; NULL: none
llvm_ref reader_function_node(struct reader *r, llvm_ref function, const char *kind); // NULL: none
llvm_ref reader_instruction_node(struct reader *r, llvm_ref inst, enum reader_kind kind);
// True if a result may be 2.5 units in the last place away (fpmath).
bool reader_is_rough(struct reader *r, llvm_ref inst);
// Whether the metadata noalias.addrspace of an access says that its address is none of the stack.
bool reader_is_not_stack(struct reader *r, llvm_ref inst);
void reader_begins(struct reader *r, llvm_ref function); // where the function at hand begins
void reader_location(struct reader *r, llvm_ref inst);

#endif
