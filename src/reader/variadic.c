// SPDX-License-Identifier: MIT
// Functions with a variable number of arguments, as LLVM's expand-variadics has them for amdgcn: further
// arguments stand on the caller's stack, each at a multiple of 4 bytes, without any other alignment. The
// function is given their flat address as its last argument; a va_list is that address.
#include "reader/reader.h"

enum { SLOT = 4, MOST_BYTES = 1 << 16 };

bool reader_is_variadic(struct reader *r, llvm_ref function_type) {
    return r->l->IsFunctionVarArg(function_type);
}

void reader_variadic_parameter(struct reader *r) {
    const struct ir_argument a = {.value = ir_value_add(r->f, ir_int(r->m, 64))};
    if (r->m->failed || !array_push(&r->f->arguments, a)) {
        reader_no_memory(r);
        return;
    }
    r->f->values.items[a.value].def = IR_ARGUMENT_DEF;
    r->variadic = ir_make(IR_VALUE, a.value);
}

static void with_memory(struct reader *r, const struct ir_memory *m) {
    if (!r->status && !r->m->failed && r->f->insts.count)
        r->f->insts.items[r->f->insts.count - 1].memory = ir_memory_add(r->f, m);
}

// An argument that is a copy of memory on the stack.
static void copy_memory(struct reader *r, ir_ref from, ir_ref frame, uint64_t offset, uint64_t bytes) {
    const uint16_t i32 = ir_int(r->m, 32);
    const struct ir_memory m = {.space = IR_PRIVATE, .cache = IR_PRIVATE, .align_log2 = 2};
    if (!r->status && ir_ref_type(r->f, from) != i32)
        reader_refuse(r, "an argument by value that is not on the stack");
    if (r->status || !bytes) return;
    const ir_ref to = READER_EMIT(r, OP_add, i32, 0, frame, ir_constant_bits(r->f, i32, offset, 0));
    reader_append(r, OP_memory_copy, (const ir_ref[]){to, from, ir_constant_bits(r->f, i32, bytes, 0)}, 3);
    with_memory(r, &m);
}

static llvm_ref copied_type(struct reader *r, llvm_ref call, unsigned n) {
    const llvm_ref attribute =
        r->l->GetCallSiteEnumAttribute(call, n + 1, r->l->GetEnumAttributeKindForName("byval", 5));
    return attribute ? r->l->GetTypeAttributeValue(attribute) : NULL;
}

ir_ref reader_variadic_frame(struct reader *r, llvm_ref call, unsigned first, bool forwards) {
    const struct llvm *l = r->l;
    const unsigned count = (unsigned)l->GetNumArgOperands(call);
    const struct ir_memory flat = {.space = IR_GENERIC, .cache = IR_PRIVATE};
    uint64_t size = 0;
    // A call that has to be a jump passes on what the function was given.
    if (forwards && first == count && !ir_is(r->variadic, IR_NONE)) return r->variadic;
    for (unsigned pass = 0; pass < 2 && !r->status; pass++) {
        const ir_ref frame = pass ? reader_take_memory(r, size ? size : 1) : IR_NOTHING;
        uint64_t at = 0;
        for (unsigned n = first; n < count && !r->status; n++) {
            const llvm_ref argument = l->GetOperand(call, n), copied = copied_type(r, call, n);
            const uint64_t bytes = reader_size(r, copied ? copied : l->TypeOf(argument));
            at = (at + SLOT - 1) / SLOT * SLOT;
            if (at > MOST_BYTES || bytes > MOST_BYTES) {
                reader_refuse(r, "so many bytes of further arguments");
                return IR_NOTHING;
            }
            if (pass && copied)
                copy_memory(r, reader_value_of(r, argument), frame, at, bytes);
            else if (pass)
                reader_store_at(r, argument, frame, at);
            at += bytes;
        }
        size = at;
        if (!pass || r->status) continue;
        const ir_ref address = READER_EMIT(r, OP_space_cast, ir_int(r->m, 64), 0, frame);
        with_memory(r, &flat);
        return address;
    }
    return IR_NOTHING;
}

// ---- Lists ----

static struct ir_memory of_list(struct reader *r, llvm_ref pointer) {
    const unsigned space = r->l->GetPointerAddressSpace(r->l->TypeOf(pointer));
    if (space != IR_GENERIC && space != IR_PRIVATE)
        reader_refuse(r, "a list of arguments in this address space");
    return (struct ir_memory){.space = (uint8_t)space, .bytes = 8, .align_log2 = 3};
}

static void store_list(struct reader *r, llvm_ref pointer, ir_ref list) {
    const struct ir_memory m = of_list(r, pointer);
    const ir_ref address = reader_access_address(r, pointer);
    if (r->status) return;
    reader_append(r, OP_store, (const ir_ref[]){list, address, ir_immediate(0)}, 3);
    with_memory(r, &m);
}

void reader_variadic_start(struct reader *r, llvm_ref call) {
    if (ir_is(r->variadic, IR_NONE))
        reader_refuse(r, "va_start in a function with a known number of arguments");
    else
        store_list(r, r->l->GetOperand(call, 0), r->variadic);
}

void reader_variadic_copy(struct reader *r, llvm_ref call) {
    const llvm_ref from = r->l->GetOperand(call, 1);
    const struct ir_memory m = of_list(r, from);
    const ir_ref address = reader_access_address(r, from);
    if (r->status) return;
    const ir_ref list = READER_EMIT(r, OP_load, ir_int(r->m, 64), 0, address, ir_immediate(0));
    with_memory(r, &m);
    store_list(r, r->l->GetOperand(call, 0), list);
}
