// SPDX-License-Identifier: MIT
// Calls of functions: what is called, then each argument, taken apart into scalars and vectors, behind a
// number that says how it is passed (enum ir_passed). And which functions a module needs.
#include "reader/reader.h"

#include <stdio.h>

// ---- How arguments are passed ----

typedef llvm_ref attribute_getter(struct reader *r, llvm_ref of, unsigned index, const char *name);

static llvm_ref of_call(struct reader *r, llvm_ref call, unsigned index, const char *name) {
    return r->l->GetCallSiteEnumAttribute(call, index, r->l->GetEnumAttributeKindForName(name, strlen(name)));
}
static llvm_ref of_function(struct reader *r, llvm_ref function, unsigned index, const char *name) {
    return r->l->GetEnumAttributeAtIndex(function, index,
                                         r->l->GetEnumAttributeKindForName(name, strlen(name)));
}

static uint32_t by_value(struct reader *r, attribute_getter *get, llvm_ref of, unsigned index,
                         llvm_ref attribute) {
    const llvm_ref type = r->l->GetTypeAttributeValue(attribute), stated = get(r, of, index, "align");
    const uint64_t size = reader_size(r, type),
                   align = stated ? r->l->GetEnumAttributeValue(stated) : reader_align(r, type);
    unsigned log2 = 0;
    while (log2 < 15 && 1ull << log2 < align) log2++;
    if (size >= IR_MOST_BY_VALUE || log2 > 14) reader_refuse(r, "an argument of this size or alignment");
    return ir_passed_by_value((uint32_t)size, log2);
}

static uint32_t passed(struct reader *r, attribute_getter *get, llvm_ref of, unsigned index) {
    static const char *const never[] = {"inalloca", "preallocated", "swiftself", "swifterror", "nest"};
    const llvm_ref value = get(r, of, index, "byval");
    for (size_t n = 0; n < sizeof never / sizeof *never; n++)
        if (get(r, of, index, never[n])) reader_refuse(r, "an argument that is passed in this way");
    if (value) return by_value(r, get, of, index, value);
    return (get(r, of, index, "inreg") ? IR_IN_SGPR : 0u) |
           (get(r, of, index, "signext") ? IR_SIGN_EXTENDED : 0u) |
           (get(r, of, index, "zeroext") ? IR_ZERO_EXTENDED : 0u);
}

uint32_t reader_parameter_passed(struct reader *r, llvm_ref function, unsigned n) {
    return passed(r, of_function, function, n + 1);
}

uint32_t reader_result_passed(struct reader *r, llvm_ref function) {
    return passed(r, of_function, function, 0);
}

// ---- Results ----

// There is no scalar register for a result: with the convention of C, one that asks for such is where others
// are, with that of graphics it is in memory.
bool reader_is_in_memory(struct reader *r, llvm_ref type, enum ir_convention convention, uint32_t how) {
    enum { OWN_RESULTS = 32, GFX_RESULTS = 136 };
    const unsigned leaves =
        reader_is_aggregate(r, type) || reader_type(r, type) ? reader_leaf_count(r, type) : 0;
    uint32_t dwords = 0;
    for (unsigned n = 0; n < leaves && !r->status; n++) {
        const struct ir_type t = *ir_type_at(r->m, reader_leaf_type(r, type, n));
        const bool packs = t.bits == 16 && t.count > 1 && ir_has_row(r->m, "v_add_f16");
        dwords += packs ? (t.count + 1u) / 2 : (t.bits + 31u) / 32 * t.count;
    }
    if (convention == IR_GFX && dwords && how & IR_IN_SGPR) return true;
    return convention <= IR_GFX && dwords > (convention == IR_GFX ? GFX_RESULTS : OWN_RESULTS);
}

// Memory of this function's frame.
ir_ref reader_take_memory(struct reader *r, uint64_t size) {
    enum { ALIGN = 16 };
    const uint16_t i32 = ir_int(r->m, 32);
    const uint32_t at = (r->f->facts.stack + ALIGN - 1) / ALIGN * ALIGN;
    r->f->facts.stack = at + (uint32_t)((size + 3) / 4 * 4);
    const ir_ref place = ir_constant_bits(r->f, i32, at, 0);
    return ir_is_entry(r->f)
               ? place
               : READER_EMIT(r, OP_add, i32, 0, reader_emit(r, OP_frame_base, i32, 0, NULL, 0), place);
}

// ---- Calls ----

static ir_ref callee_of(struct reader *r, llvm_ref callee) {
    size_t length;
    callee = reader_aliased(r, callee);
    if (!r->l->IsAFunction(callee)) return reader_value_of(r, callee);
    const char *name = r->l->GetValueName2(callee, &length);
    const uint32_t n = ir_symbol_named(r->m, name, length);
    if (n != IR_NO_DEF) return ir_make(IR_SYMBOL, n);
    reader_refuse(r, "a call of a function without a name");
    return IR_NOTHING;
}

// The operation that a call is.
static unsigned call_of(struct reader *r, llvm_ref call) {
    enum { MUST_TAIL = 2 };
    const unsigned number = r->l->GetInstructionCallConv(call);
    enum ir_convention convention = IR_OWN;
    char what[64];
    if (!reader_convention(number, &convention) || convention > IR_GFX) {
        snprintf(what, sizeof what, "a call by calling convention %u", number);
        reader_refuse(r, what);
    }
    return r->l->GetTailCallKind(call) == MUST_TAIL ? OP_tail_call
           : convention == IR_GFX                   ? OP_call_gfx
                                                    : OP_call;
}

// A call by this operation, whose arguments are operands from a number on.
static void call_by(struct reader *r, llvm_ref call, llvm_ref callee, unsigned op,
                    enum ir_convention convention, unsigned first) {
    const struct llvm *l = r->l;
    const llvm_ref type = l->TypeOf(call);
    const bool is_void = !reader_is_aggregate(r, type) && !reader_type(r, type);
    const unsigned count = (unsigned)l->GetNumArgOperands(call),
                   leaves_given = is_void ? 0 : reader_leaf_count(r, type);
    ARRAY(ir_ref) operands = {0};
    ARRAY(ir_ref) values = {0};
    const uint32_t result = first ? 0 : passed(r, of_call, call, 0);
    const bool in_memory = !r->status && reader_is_in_memory(r, type, convention, result);
    const unsigned results = in_memory ? 0 : leaves_given;
    ir_ref memory = IR_NOTHING;
    if (!array_push(&operands, callee_of(r, callee))) reader_no_memory(r);
    if (in_memory) {
        memory = reader_take_memory(r, reader_size(r, type));
        if (!array_push(&operands, ir_immediate(0)) || !array_push(&operands, memory)) reader_no_memory(r);
        if (op == OP_tail_call) op = convention == IR_GFX ? OP_call_gfx : OP_call; // it needs this frame
    }
    const llvm_ref function_type = l->GetCalledFunctionType(call);
    const bool variadic = !first && reader_is_variadic(r, function_type), jumps = op == OP_tail_call;
    const unsigned named = variadic ? l->CountParamTypes(function_type) : count;
    if (variadic && jumps && named < count) op = convention == IR_GFX ? OP_call_gfx : OP_call;
    for (unsigned n = first; n < named && n < count && !r->status; n++) {
        const llvm_ref argument = l->GetOperand(call, n);
        const ir_ref how = ir_immediate((int32_t)passed(r, of_call, call, n + 1));
        const unsigned leaves = reader_leaf_count(r, l->TypeOf(argument));
        for (unsigned k = 0; k < leaves && !r->status; k++)
            if (!array_push(&operands, how) || !array_push(&operands, reader_leaf(r, argument, k)))
                reader_no_memory(r);
    }
    if (variadic && !r->status &&
        (!array_push(&operands, ir_immediate(0)) ||
         !array_push(&operands, reader_variadic_frame(r, call, named, jumps))))
        reader_no_memory(r);
    if (!r->status && (operands.count > 2000 || results > 64)) reader_refuse(r, "a call with so many values");
    if (!r->status) {
        reader_append(r, op, operands.items, (unsigned)operands.count)->flags = IR_CONVERGENT;
        for (unsigned k = 0; k < results; k++) {
            const ir_ref v = ir_result(r->f, reader_leaf_type(r, type, k));
            if (!array_push(&values, v)) reader_no_memory(r);
        }
        if (!r->status && results && reader_is_aggregate(r, type))
            reader_set_parts(r, call, values.items, results);
        else if (!r->status && results)
            reader_set(r, call, values.items[0]);
        if (in_memory) reader_load_from(r, call, memory);
    }
    array_free(&operands);
    array_free(&values);
}

void reader_call_function(struct reader *r, llvm_ref call, llvm_ref callee) {
    const unsigned op = call_of(r, call);
    enum ir_convention convention = IR_OWN;
    reader_convention(r->l->GetInstructionCallConv(call), &convention);
    call_by(r, call, callee, op, convention, 0);
}

// llvm.amdgcn.call.whole.wave: the function, then what it is passed. It finds by itself which lanes call it.
void reader_call_whole(struct reader *r, llvm_ref call) {
    call_by(r, call, r->l->GetOperand(call, 0), OP_call_gfx, IR_GFX, 1);
}

// llvm.amdgcn.cs.chain: the next shader, the lanes with which it goes on, what is in scalar registers, what
// is in vector registers, flags.
void reader_chain(struct reader *r, llvm_ref call) {
    enum { CALLEE, LANES, SCALARS, VECTORS, FLAGS, COUNT };
    const struct llvm *l = r->l;
    ARRAY(ir_ref) operands = {0};
    if (l->GetNumArgOperands(call) != COUNT || l->ConstIntGetZExtValue(l->GetOperand(call, FLAGS)))
        reader_refuse(r, "a chain with vector registers that are allocated anew");
    if (!r->status && (!array_push(&operands, callee_of(r, l->GetOperand(call, CALLEE))) ||
                       !array_push(&operands, reader_value_of(r, l->GetOperand(call, LANES)))))
        reader_no_memory(r);
    for (unsigned n = SCALARS; n <= VECTORS && !r->status; n++) {
        const llvm_ref argument = l->GetOperand(call, n);
        const ir_ref how = ir_immediate(n == SCALARS ? IR_IN_SGPR : 0);
        const unsigned leaves = reader_leaf_count(r, l->TypeOf(argument));
        for (unsigned k = 0; k < leaves && !r->status; k++)
            if (!array_push(&operands, how) || !array_push(&operands, reader_leaf(r, argument, k)))
                reader_no_memory(r);
    }
    if (!r->status)
        reader_append(r, OP_chain, operands.items, (unsigned)operands.count)->flags = IR_CONVERGENT;
    array_free(&operands);
}

// ---- Which functions are needed ----

static void find_in(struct reader *r, llvm_ref value);

static void add(struct reader *r, llvm_ref function) {
    if (r->l->IsDeclaration(function) || !reader_mark(r, function)) return;
    if (!array_push(&r->reached, function)) reader_no_memory(r);
}

// Functions in a constant: itself, or what it is made of.
static void find_in(struct reader *r, llvm_ref value) {
    const struct llvm *l = r->l;
    if (!value || !l->IsAConstant(value) || r->status) return;
    value = reader_aliased(r, value);
    if (l->IsAFunction(value)) {
        add(r, value);
    } else if (l->IsAGlobalVariable(value)) {
        if (reader_mark(r, value) && !l->IsDeclaration(value)) find_in(r, l->GetInitializer(value));
    } else {
        const int count = l->GetNumOperands(value);
        for (int n = 0; n < count; n++) find_in(r, l->GetOperand(value, (unsigned)n));
    }
}

void reader_reach(struct reader *r, llvm_ref constant) {
    const struct llvm *l = r->l;
    size_t next = r->reached.count;
    find_in(r, constant);
    for (; next < r->reached.count && !r->status; next++)
        for (llvm_ref b = l->GetFirstBasicBlock(r->reached.items[next]); b; b = l->GetNextBasicBlock(b))
            for (llvm_ref i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i)) {
                const int count = l->GetNumOperands(i);
                for (int n = 0; n < count; n++) find_in(r, l->GetOperand(i, (unsigned)n));
            }
}
