// SPDX-License-Identifier: MIT
// Takes affine vectors whose step is 0 without a condition (affine.h).
#include "jit/alike.h"

#include "jit/lanes.h"
#include "jit/verify.h"

struct alike {
    llvm_ref v;
    struct affine affine;
};
struct all_alike {
    ARRAY(struct alike) items;
    bool failed;
};

// What takes the host several instructions as a vector: products, numbers of 64 bits, and what is compared.
static bool is_dear(const struct lanes *s, llvm_ref v) {
    const struct llvm *l = s->l;
    const int op = l->GetInstructionOpcode(v);
    const unsigned width = element_width(s, l->TypeOf(v));
    switch (op) {
    case LLVM_MUL:
    case LLVM_ICMP: return true;
    case LLVM_SHUFFLE: return l->IsAInstruction(l->GetOperand(v, 0)) && is_dear(s, l->GetOperand(v, 0));
    case LLVM_TRUNC: return element_width(s, l->TypeOf(l->GetOperand(v, 0))) == 64;
    case LLVM_ADD:
    case LLVM_SUB:
    case LLVM_SHL:
    case LLVM_LSHR:
    case LLVM_ASHR:
    case LLVM_AND:
    case LLVM_OR:
    case LLVM_XOR:
    case LLVM_ZEXT:
    case LLVM_SEXT:
    case LLVM_SELECT: return width == 64 || width == 1;
    default: return false;
    }
}

// Vectors, and integers that have a bit of each lane.
static void find(struct lanes *s, llvm_ref function, struct all_alike *all) {
    const struct llvm *l = s->l;
    for (llvm_ref b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b))
        for (llvm_ref i = l->GetFirstInstruction(b), next; i; i = next) {
            next = l->GetNextInstruction(i);
            const bool is_vector = elements_of(s, l->TypeOf(i)) != 0,
                       is_mask = !is_vector && l->GetInstructionOpcode(i) == LLVM_BIT_CAST;
            if (!(is_vector && is_dear(s, i)) && !(is_mask && element_width(s, l->TypeOf(i)))) continue;
            const struct alike a = {i, affine_of(s, i, 0)};
            if (a.affine.kind != NOTHING && a.affine.lane == ANY_LANE && !array_push(&all->items, a))
                all->failed = true;
        }
}

static void replace(const struct lanes *s, const struct alike *a) {
    const struct llvm *l = s->l;
    const unsigned count = elements_of(s, l->TypeOf(a->v));
    llvm_ref is = a->affine.first.value;
    l->PositionBuilderBefore(s->builder, a->v);
    if (a->affine.kind == MASK && (count || element_width(s, l->TypeOf(a->v)) > 1))
        is = l->BuildCast(s->builder, LLVM_SEXT, is,
                          count ? l->GetElementType(l->TypeOf(a->v)) : l->TypeOf(a->v), "");
    l->ReplaceAllUsesWith(a->v, count ? lanes_repeat(s->f, s->builder, is, count) : is);
}

bool alike_make(const struct fuse *f, llvm_ref function) {
    struct lanes s;
    struct all_alike all = {0};
    if (!affine_begin(&s, f)) return false;
    find(&s, function, &all);
    for (size_t i = 0; i < all.items.count && !s.failed; i++) replace(&s, &all.items.items[i]);
    claim_affine_ones(&s); // of what had been there, which nothing else uses any more
    const bool ok = !s.failed && !all.failed;
    affine_end(&s);
    array_free(&all.items);
    return ok;
}
