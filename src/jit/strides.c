// SPDX-License-Identifier: MIT
// Which vectors have lanes a step apart (strides.h). Vectors of loops are taken for some at first; those with
// which something else comes in are left out, and all is looked at again, until nothing changes. Only then
// code is made: a phi for the first lane and one for the step, so that each way brings its own.
#include "jit/strides.h"

// They bound the time, as few vectors are worth it.
enum { MOST_LOOKED = 400, MOST_ROUNDS = 8 };

static struct strided *find(struct strides *t, llvm_ref v) {
    for (size_t i = 0; i < t->looked.count; i++)
        if (t->looked.items[i].value == v) return &t->looked.items[i];
    return NULL;
}
static bool is_same(const struct strides *t, llvm_ref v) {
    const struct affine r = affine_of(t->lanes, v, 0);
    return r.kind == AFFINE && !r.step && !r.sure.value;
}
// The number of bits by which all lanes are shifted.
static bool is_shift(const struct strides *t, llvm_ref v, uint64_t *n) {
    const struct affine r = affine_of(t->lanes, v, 0);
    if (!is_same(t, v) || !t->lanes->l->IsAConstantInt(r.first.value)) return false;
    *n = t->lanes->l->ConstIntGetZExtValue(r.first.value);
    return *n < 32;
}

// ---- Whether ----

static bool may_be(struct strides *t, llvm_ref v);

static bool operands_may_be(struct strides *t, llvm_ref v) {
    const struct llvm *l = t->lanes->l;
    llvm_ref a = l->GetOperand(v, 0);
    uint64_t n;
    switch (l->GetInstructionOpcode(v)) {
    case LLVM_OR:
        if (!l->GetIsDisjoint(v)) return false;
        return may_be(t, a) && may_be(t, l->GetOperand(v, 1));
    case LLVM_ADD:
    case LLVM_SUB: return may_be(t, a) && may_be(t, l->GetOperand(v, 1));
    case LLVM_MUL:
        if (is_same(t, a)) return may_be(t, l->GetOperand(v, 1));
        return is_same(t, l->GetOperand(v, 1)) && may_be(t, a);
    case LLVM_SHL: return is_shift(t, l->GetOperand(v, 1), &n) && may_be(t, a);
    case LLVM_PHI:
        for (unsigned i = 0; i < l->CountIncoming(v); i++)
            if (!may_be(t, l->GetIncomingValue(v, i))) return false;
        return true;
    default: return false;
    }
}
static bool may_be(struct strides *t, llvm_ref v) {
    const struct llvm *l = t->lanes->l;
    llvm_ref type = l->TypeOf(v);
    if (!elements_of(t->lanes, type) || element_width(t->lanes, type) != 32) return false;
    const struct affine r = affine_of(t->lanes, v, 0);
    if (r.kind == AFFINE && !r.sure.value) return true;
    if (!l->IsAInstruction(v)) return false;
    const struct strided *has = find(t, v);
    if (has) return !has->is_none;
    const size_t at = t->looked.count;
    const struct strided looked = {.value = v};
    if (at == MOST_LOOKED || !array_push(&t->looked, looked)) return false;
    if (operands_may_be(t, v)) return true;
    t->looked.items[at].is_none = t->has_changed = true;
    return false;
}
// Forgets what was taken for such vectors, unless they were made: those are.
static void forget(struct strides *t) {
    size_t kept = 0;
    for (size_t i = 0; i < t->looked.count; i++)
        if (t->looked.items[i].is_none || t->looked.items[i].is_made)
            t->looked.items[kept++] = t->looked.items[i];
    t->looked.count = kept;
}

// ---- What they are ----

static void place_before(const struct strides *t, llvm_ref v) {
    const struct llvm *l = t->lanes->l;
    while (l->GetInstructionOpcode(v) == LLVM_PHI) v = l->GetNextInstruction(v);
    l->PositionBuilderBefore(t->lanes->builder, v);
}
static llvm_ref combine(const struct strides *t, int op, llvm_ref a, llvm_ref b) {
    return t->lanes->l->BuildBinOp(t->lanes->builder, op, a, b, "");
}

static bool make(struct strides *t, llvm_ref v, llvm_ref *first, llvm_ref *step);

static bool make_phi(struct strides *t, llvm_ref v, llvm_ref *first, llvm_ref *step) {
    const struct llvm *l = t->lanes->l;
    l->PositionBuilderBefore(t->lanes->builder, l->GetFirstInstruction(l->GetInstructionParent(v)));
    *first = l->BuildPhi(t->lanes->builder, t->lanes->f->i32, "");
    *step = l->BuildPhi(t->lanes->builder, t->lanes->f->i32, "");
    struct strided *of = find(t, v);
    of->first = *first, of->step = *step;
    of->is_made = true;
    bool ok = true;
    for (unsigned i = 0; i < l->CountIncoming(v); i++) {
        llvm_ref block = l->GetIncomingBlock(v, i), a = l->GetPoison(t->lanes->f->i32), b = a;
        ok = make(t, l->GetIncomingValue(v, i), &a, &b) && ok;
        l->AddIncoming(*first, &a, &block, 1);
        l->AddIncoming(*step, &b, &block, 1);
    }
    return ok;
}
static bool make_affine(struct strides *t, llvm_ref v, struct affine r, llvm_ref *first, llvm_ref *step) {
    const struct llvm *l = t->lanes->l;
    if (l->IsAInstruction(v)) place_before(t, v);
    *first = r.step && r.lane ? affine_step(t->lanes, &r, r.lane).value : r.first.value;
    *step = l->ConstInt(t->lanes->f->i32, (uint32_t)r.step, 0);
    return true;
}
static bool make_of_two(struct strides *t, llvm_ref v, llvm_ref *first, llvm_ref *step) {
    const struct llvm *l = t->lanes->l;
    const int op = l->GetInstructionOpcode(v);
    llvm_ref x = l->GetOperand(v, 0), y = l->GetOperand(v, 1), a[2], b[2];
    if (op == LLVM_MUL && is_same(t, x)) {
        llvm_ref other = x;
        x = y;
        y = other;
    }
    if (!make(t, x, &a[0], &a[1]) || !make(t, y, &b[0], &b[1])) return false;
    place_before(t, v);
    const bool is_sum = op == LLVM_ADD || op == LLVM_SUB || op == LLVM_OR;
    *first = combine(t, op == LLVM_OR ? LLVM_ADD : op, a[0], b[0]);
    *step = combine(t, op == LLVM_OR ? LLVM_ADD : op, a[1], is_sum ? b[1] : b[0]);
    return true;
}
static bool make(struct strides *t, llvm_ref v, llvm_ref *first, llvm_ref *step) {
    const struct affine r = affine_of(t->lanes, v, 0);
    if (r.kind == AFFINE && !r.sure.value) return make_affine(t, v, r, first, step);
    const struct strided *has = find(t, v);
    if (!has) return false;
    if (has->is_made) {
        *first = has->first, *step = has->step;
        return true;
    }
    if (t->lanes->l->GetInstructionOpcode(v) == LLVM_PHI) return make_phi(t, v, first, step);
    if (!make_of_two(t, v, first, step)) return false;
    struct strided *of = find(t, v);
    of->first = *first, of->step = *step;
    of->is_made = true;
    return true;
}

bool stride_of(struct strides *t, llvm_ref v, llvm_ref *first, llvm_ref *step) {
    bool is = false;
    unsigned round = 0;
    do {
        t->has_changed = false;
        is = may_be(t, v);
        if (t->has_changed) forget(t);
    } while (is && t->has_changed && ++round < MOST_ROUNDS);
    if (!is || t->has_changed) return false;
    if (make(t, v, first, step)) return true;
    t->lanes->failed = true; // phis may lack what comes in
    return false;
}
bool stride_known(struct strides *t, llvm_ref v, llvm_ref *first, llvm_ref *step) {
    const struct strided *has = find(t, v);
    if (!has || !has->is_made) return false;
    *first = has->first, *step = has->step;
    return true;
}
void strides_free(struct strides *t) { array_free(&t->looked); }
