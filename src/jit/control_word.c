// SPDX-License-Identifier: MIT
#include "jit/control_word.h"

#include <stdio.h>
#include <string.h>

#include "jit/affine.h"
#include "jit/lanes.h"

#define CONSTRAINED "llvm.experimental.constrained."
enum { MOST_OPERANDS = 6 };

bool control_word_stays(const struct fuse *f) {
    llvm_ref writes = f->l->GetNamedFunction(f->module, "llvm.x86.sse.ldmxcsr");
    return !writes || !f->l->GetFirstUse(writes);
}

static bool is_metadata(const struct llvm *l, llvm_ref v) {
    return l->GetTypeKind(l->TypeOf(v)) == LLVM_METADATA;
}
static unsigned arguments_of(const struct llvm *l, llvm_ref call) {
    return (unsigned)l->GetNumOperands(call) - 1; // the last one is what is called
}
// The function of as many operands of the call.
static llvm_ref type_of(const struct fuse *f, llvm_ref call, unsigned count) {
    llvm_ref types[MOST_OPERANDS];
    for (unsigned i = 0; i < count; i++) types[i] = f->l->TypeOf(f->l->GetOperand(call, i));
    return f->l->FunctionType(f->l->TypeOf(call), types, count, 0);
}
static void replace(const struct llvm *l, llvm_ref call, llvm_ref by) {
    l->ReplaceAllUsesWith(call, by);
    l->InstructionEraseFromParent(call);
}

static llvm_ref find_or_make(const struct fuse *f, struct all_held *held, llvm_ref call, unsigned count) {
    const struct llvm *l = f->l;
    struct held h = {.function = l->GetCalledValue(call), .last_count = arguments_of(l, call) - count};
    for (unsigned i = 0; i < h.last_count; i++) h.last[i] = l->GetOperand(call, count + i);
    for (size_t i = 0; i < held->items.count; i++) {
        const struct held *o = &held->items.items[i];
        if (o->function == h.function && o->last_count == h.last_count && o->last[0] == h.last[0] &&
            o->last[1] == h.last[1])
            return o->stands_for_it;
    }
    char name[32];
    snprintf(name, sizeof name, "held.%zu", held->items.count);
    h.stands_for_it = lanes_declare(f, name, type_of(f, call, count));
    const unsigned convergent = l->GetEnumAttributeKindForName("convergent", 10);
    l->AddAttributeAtIndex(h.stands_for_it, (unsigned)LLVM_FUNCTION_INDEX,
                           l->CreateEnumAttribute(f->context, convergent, 0)); // joined in one block alone
    if (!array_push(&held->items, h)) held->failed = true;
    return held->failed ? NULL : h.stands_for_it;
}
static void hold(const struct fuse *f, struct all_held *held, llvm_ref builder, llvm_ref call) {
    const struct llvm *l = f->l;
    const unsigned all = arguments_of(l, call);
    unsigned count = 0;
    llvm_ref arguments[MOST_OPERANDS], stands_for_it;
    for (; count < all && count < MOST_OPERANDS && !is_metadata(l, l->GetOperand(call, count)); count++)
        arguments[count] = l->GetOperand(call, count);
    if (all - count > 2 || !(stands_for_it = find_or_make(f, held, call, count))) return;
    l->PositionBuilderBefore(builder, call);
    replace(l, call, l->BuildCall2(builder, type_of(f, call, count), stands_for_it, arguments, count, ""));
}
void hold_operations(const struct fuse *f, struct all_held *held) {
    const struct llvm *l = f->l;
    llvm_ref builder = l->CreateBuilderInContext(f->context);
    for (llvm_ref i = l->GetFirstFunction(f->module); i; i = l->GetNextFunction(i))
        for (llvm_ref b = l->IsDeclaration(i) ? NULL : l->GetFirstBasicBlock(i); b;
             b = l->GetNextBasicBlock(b))
            for (llvm_ref k = l->GetFirstInstruction(b), next; k; k = next) {
                next = l->GetNextInstruction(k);
                if (is_call_of(l, k, CONSTRAINED)) hold(f, held, builder, k);
            }
    l->DisposeBuilder(builder);
}
void release_operations(const struct fuse *f, struct all_held *held) {
    const struct llvm *l = f->l;
    llvm_ref builder = l->CreateBuilderInContext(f->context);
    const unsigned strict = l->GetEnumAttributeKindForName("strictfp", 8);
    for (size_t i = 0; i < held->items.count; i++) {
        const struct held *h = &held->items.items[i];
        for (llvm_ref use; (use = l->GetFirstUse(h->stands_for_it));) {
            llvm_ref call = l->GetUser(use), arguments[MOST_OPERANDS + 2], types[MOST_OPERANDS + 2];
            const unsigned own = arguments_of(l, call), count = own + h->last_count;
            for (unsigned n = 0; n < count; n++) {
                arguments[n] = n < own ? l->GetOperand(call, n) : h->last[n - own];
                types[n] = l->TypeOf(arguments[n]);
            }
            l->PositionBuilderBefore(builder, call);
            llvm_ref is = l->BuildCall2(builder, l->FunctionType(l->TypeOf(call), types, count, 0),
                                        h->function, arguments, count, "");
            l->AddCallSiteAttribute(is, (unsigned)LLVM_FUNCTION_INDEX,
                                    l->CreateEnumAttribute(f->context, strict, 0));
            replace(l, call, is);
        }
    }
    l->DisposeBuilder(builder);
    array_free(&held->items);
}

static void let_move(const struct fuse *f, llvm_ref call) {
    const struct llvm *l = f->l;
    llvm_ref is = l->GetCalledValue(call);
    const unsigned count = arguments_of(l, call);
    size_t code_length, length;
    if (count > MOST_OPERANDS) return;
    const char *code = l->GetInlineAsmAsmString(is, &code_length),
               *operands = l->GetInlineAsmConstraintString(is, &length);
    l->SetOperand(call, count,
                  l->GetInlineAsm(type_of(f, call, count), code, code_length, operands, length, 0, 0, 0, 0));
}
void let_written_out_move(const struct fuse *f) {
    const struct llvm *l = f->l;
    for (llvm_ref i = l->GetFirstFunction(f->module); i; i = l->GetNextFunction(i))
        for (llvm_ref b = l->IsDeclaration(i) ? NULL : l->GetFirstBasicBlock(i); b;
             b = l->GetNextBasicBlock(b))
            for (llvm_ref k = l->GetFirstInstruction(b); k; k = l->GetNextInstruction(k))
                if (piece_is_written_out(l, k)) let_move(f, k);
}
