// SPDX-License-Identifier: MIT
// LLVM's own passes, of those that need no target, over a module that is ours to change: functions that ask
// for it are inlined, memory on the stack becomes values, loops get one entry each, and accesses to some
// elements of vectors (llvm.masked) are accesses to elements. Modules that have none of these are left as
// they are.
#include "reader/reader.h"

enum { WHOLE_FUNCTION = -1 };

static unsigned kind_of(const struct llvm *l, const char *name) {
    return l->GetEnumAttributeKindForName(name, strlen(name));
}

static bool is_wanted(const struct llvm *l, llvm_ref inst) {
    const int opcode = l->GetInstructionOpcode(inst);
    if (opcode == LLVM_ALLOCA) return true;
    if (opcode != LLVM_CALL) return false;
    const llvm_ref callee = l->GetCalledValue(inst);
    return callee && l->IsAFunction(callee) && !l->IsDeclaration(callee) &&
           l->GetEnumAttributeAtIndex(callee, (unsigned)WHOLE_FUNCTION, kind_of(l, "alwaysinline"));
}

static bool has_work(const struct llvm *l, llvm_ref module) {
    for (llvm_ref f = l->GetFirstFunction(module); f; f = l->GetNextFunction(f))
        for (llvm_ref b = l->GetFirstBasicBlock(f); b; b = l->GetNextBasicBlock(b))
            for (llvm_ref i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i))
                if (is_wanted(l, i)) return true;
    return false;
}

static bool has_masked(const struct llvm *l, llvm_ref module) {
    static const char masked[] = "llvm.masked.";
    for (llvm_ref f = l->GetFirstFunction(module); f; f = l->GetNextFunction(f)) {
        size_t length = 0;
        const char *name = l->GetValueName2(f, &length);
        if (length > sizeof masked - 1 && !memcmp(name, masked, sizeof masked - 1)) return true;
    }
    return false;
}

void reader_run(struct reader *r, const char *passes, sw_status otherwise) {
    const struct llvm *l = r->l;
    const llvm_ref options = l->CreatePassBuilderOptions();
    const llvm_ref error = l->RunPasses(r->module, passes, NULL, options);
    l->DisposePassBuilderOptions(options);
    if (!error) return;
    char *message = l->GetErrorMessage(error);
    r->status = diag_fail(r->sink, otherwise, &(sw_location){.file = r->name}, "LLVM's passes: %s", message);
    l->DisposeErrorMessage(message);
}
static void run(struct reader *r, const char *passes) { reader_run(r, passes, SW_UNSUPPORTED); }

void reader_prepare(struct reader *r) {
    const struct llvm *l = r->l;
    const unsigned against = kind_of(l, "optnone");
    if (has_masked(l, r->module)) run(r, "function(scalarize-masked-mem-intrin)");
    if (!r->status) run(r, "function(fix-irreducible)");
    if (r->status || !has_work(l, r->module)) return;
    for (llvm_ref f = l->GetFirstFunction(r->module); f; f = l->GetNextFunction(f)) {
        if (l->IsDeclaration(f)) continue;
        l->RemoveEnumAttributeAtIndex(f, (unsigned)WHOLE_FUNCTION, against);
    }
    run(r, "always-inline,function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg)");
}
