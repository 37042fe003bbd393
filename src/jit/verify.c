// SPDX-License-Identifier: MIT
// Claims as code (verify.h): each value is frozen and compared with what its affine vector says of every
// lane.
#include "jit/verify.h"

#include "jit/lanes.h"

void verify_claim(const struct fuse *f, llvm_ref builder, llvm_ref holds) {
    static const char code[] = "testl $0, $0\n\tjne 1f\n\tud2\n1:", operands[] = "r,~{flags}";
    const struct llvm *l = f->l;
    llvm_ref parameters[] = {f->i32}, type = l->FunctionType(f->void_type, parameters, 1, 0);
    if (!VERIFIES) return;
    llvm_ref flag = l->BuildCast(builder, LLVM_ZEXT, holds, f->i32, "");
    llvm_ref test = l->GetInlineAsm(type, code, sizeof code - 1, operands, sizeof operands - 1, 1, 0, 0, 0);
    l->BuildCall2(builder, type, test, &flag, 1, "");
}

// A bit: two numbers are equal, or all lanes of two vectors.
static llvm_ref all_equal(const struct fuse *f, llvm_ref builder, llvm_ref a, llvm_ref b) {
    const struct llvm *l = f->l;
    llvm_ref equal = l->BuildICmp(builder, LLVM_EQ, a, b, "");
    if (l->GetTypeKind(l->TypeOf(a)) != LLVM_VECTOR) return equal;
    llvm_ref bits = l->IntTypeInContext(f->context, l->GetVectorSize(l->TypeOf(a)));
    equal = l->BuildCast(builder, LLVM_BIT_CAST, equal, bits, "");
    return l->BuildICmp(builder, LLVM_EQ, equal, l->ConstInt(bits, ~0ull, 1), "");
}
void claim_equal(const struct fuse *f, llvm_ref builder, llvm_ref a, llvm_ref b) {
    if (VERIFIES) verify_claim(f, builder, all_equal(f, builder, a, b));
}

// What the vector is by its affine vector.
static llvm_ref lanes_of(const struct lanes *s, const struct affine *r, llvm_ref element, unsigned count) {
    const struct llvm *l = s->l;
    llvm_ref steps[MAX_LANES];
    if (count > MAX_LANES) return NULL;
    const uint64_t lane = r->lane == ANY_LANE ? 0 : r->lane;
    const unsigned width = l->GetIntTypeWidth(element);
    const uint64_t bits = width < 64 ? (1ull << width) - 1 : ~0ull;
    for (unsigned i = 0; i < count; i++)
        steps[i] = l->ConstInt(element, (uint64_t)r->step * (lane + i) & bits, 0);
    return l->BuildBinOp(s->builder, LLVM_ADD, lanes_repeat(s->f, s->builder, r->first.value, count),
                         l->ConstVector(steps, count), "");
}

// `equal` where the affine vector is sure.
static void claim_if_sure(struct lanes *s, const struct affine *r, llvm_ref equal) {
    const struct llvm *l = s->l;
    if (r->sure.value) {
        llvm_ref yes = l->ConstInt(l->TypeOf(r->sure.value), 1, 0);
        llvm_ref unsure = l->BuildBinOp(s->builder, LLVM_XOR, r->sure.value, yes, "");
        equal = l->BuildBinOp(s->builder, LLVM_OR, equal, unsure, "");
    }
    verify_claim(s->f, s->builder, equal);
}
void claim_lanes(struct lanes *s, llvm_ref is, const struct affine *r) {
    llvm_ref type = s->l->TypeOf(is);
    if (!VERIFIES) return;
    llvm_ref lanes = lanes_of(s, r, s->l->GetElementType(type), s->l->GetVectorSize(type));
    if (lanes) claim_if_sure(s, r, all_equal(s->f, s->builder, is, lanes));
}

static void claim_affine(struct lanes *s, llvm_ref v, const struct affine *r) {
    const struct llvm *l = s->l;
    llvm_ref type = l->TypeOf(v), next = l->GetNextInstruction(v);
    const unsigned count = elements_of(s, type);
    if (!next || !element_width(s, type)) return;
    if (l->GetInstructionOpcode(v) == LLVM_PHI) return; // loops.c claims that itself
    l->PositionBuilderBefore(s->builder, next);
    llvm_ref is = l->BuildFreeze(s->builder, v, "");
    if (r->kind == MASK) { // a bit, in every place
        llvm_ref element = count ? l->GetElementType(type) : type;
        llvm_ref all = element_width(s, type) == 1
                           ? r->first.value
                           : l->BuildCast(s->builder, LLVM_SEXT, r->first.value, element, "");
        all = count ? lanes_repeat(s->f, s->builder, all, count) : all;
        claim_if_sure(s, r, all_equal(s->f, s->builder, is, all));
    } else if (count) {
        claim_lanes(s, is, r);
        if (!affine_has(r, 0)) return;
        llvm_ref first = l->BuildExtractElement(s->builder, is, l->ConstInt(s->f->i32, 0, 0), "");
        claim_equal(s->f, s->builder, first, r->first.value); // whatever the condition says
    }
}

void claim_affine_ones(struct lanes *s) {
    if (!VERIFIES || s->failed) return;
    for (size_t i = 0; i < s->known_room; i++)
        if (s->known[i].value && !s->known[i].is_old && s->known[i].affine.kind != NOTHING)
            claim_affine(s, s->known[i].value, &s->known[i].affine);
}
