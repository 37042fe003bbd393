// SPDX-License-Identifier: MIT
// Places of the wave that a piece names: sums of the wave, at most one parameter and a constant. Others, like
// the lane that a register says, cannot be in host registers while code runs.
#include "jit/pieces.h"

#include <string.h>

struct look {
    const struct llvm *l;
    llvm_ref layout, function;
    struct piece_facts *facts;
    bool in_any_case; // control comes to where it looks
};

struct sum {
    bool wave, known;
    uint32_t parameter;
    int64_t offset;
};
enum { DEEPEST = 40 };

static bool constant(const struct look *k, llvm_ref v, int64_t *n) {
    if (!k->l->IsAConstantInt(v)) return false;
    *n = k->l->ConstIntGetSExtValue(v);
    return true;
}

static struct sum sum_of(const struct look *k, llvm_ref v, unsigned depth);

static void add(struct sum *to, struct sum other) {
    to->known = to->known && other.known && !(to->parameter && other.parameter) && !(to->wave && other.wave);
    to->wave |= other.wave;
    to->parameter |= other.parameter;
    to->offset += other.offset;
}

static struct sum sum_of_element(const struct look *k, llvm_ref v, unsigned depth) {
    const struct llvm *l = k->l;
    struct sum s = sum_of(k, l->GetOperand(v, 0), depth);
    const uint64_t size = l->ABISizeOfType(k->layout, l->GetGEPSourceElementType(v));
    struct sum index = {0};
    if (l->GetNumOperands(v) == 2) index = sum_of(k, l->GetOperand(v, 1), depth);
    if (index.known && size != 1) {
        index.known = !index.parameter && !index.wave;
        index.offset *= (int64_t)size;
    }
    add(&s, index);
    return s;
}

static struct sum sum_of(const struct look *k, llvm_ref v, unsigned depth) {
    const struct llvm *l = k->l;
    struct sum s = {0};
    if (v == l->GetParam(k->function, PIECE_WAVE)) return (struct sum){.wave = true, .known = true};
    if (constant(k, v, &s.offset)) {
        s.known = true;
        return s;
    }
    if (l->IsAArgument(v)) {
        for (unsigned i = 1; i < PIECE_PARAMETER_COUNT; i++)
            if (v == l->GetParam(k->function, i)) return (struct sum){.known = true, .parameter = i};
        return s;
    }
    if (depth > DEEPEST) return (struct sum){.wave = true};
    if (!l->IsAInstruction(v)) return s;
    switch (l->GetInstructionOpcode(v)) {
    case LLVM_GEP: return sum_of_element(k, v, depth + 1);
    case LLVM_ZEXT: return sum_of(k, l->GetOperand(v, 0), depth + 1);
    case LLVM_ADD:
        s = sum_of(k, l->GetOperand(v, 0), depth + 1);
        add(&s, sum_of(k, l->GetOperand(v, 1), depth + 1));
        return s;
    case LLVM_PHI:
    case LLVM_SELECT: // which of several: never known, and of the wave if one is
        for (int i = 0; i < l->GetNumOperands(v); i++)
            if (l->GetTypeKind(l->TypeOf(l->GetOperand(v, (unsigned)i))) == LLVM_POINTER)
                s.wave |= sum_of(k, l->GetOperand(v, (unsigned)i), depth + 8).wave;
        return s;
    default: return s;
    }
}

static bool is_pointer(const struct look *k, llvm_ref v) {
    return k->l->GetTypeKind(k->l->TypeOf(v)) == LLVM_POINTER;
}

// Of the piece itself: nobody else sees it. So is what the host's control word is set from.
static bool is_own(const struct look *k, llvm_ref v) {
    const struct llvm *l = k->l;
    for (unsigned i = 0; i < DEEPEST && l->IsAInstruction(v) && l->GetInstructionOpcode(v) == LLVM_GEP; i++)
        v = l->GetOperand(v, 0);
    return l->IsAInstruction(v) && l->GetInstructionOpcode(v) == LLVM_ALLOCA;
}

// Compilers join loads and stores of several places into one that is told where: any of them it can be.
enum { MOST_JOINED = 4 };
static bool note(struct look *k, llvm_ref pointer, uint64_t size, bool writes, unsigned joined) {
    const struct llvm *l = k->l;
    const struct sum s = sum_of(k, pointer, 0);
    if (!s.wave) return true;
    const bool is_choice = l->IsAInstruction(pointer) && (l->GetInstructionOpcode(pointer) == LLVM_PHI ||
                                                          l->GetInstructionOpcode(pointer) == LLVM_SELECT);
    if (is_choice && joined < MOST_JOINED) {
        for (int i = 0; i < l->GetNumOperands(pointer); i++) {
            llvm_ref one = l->GetOperand(pointer, (unsigned)i);
            if (is_pointer(k, one) && !note(k, one, size, writes, joined + 1)) return false;
        }
        return true;
    }
    if (!s.known || s.offset < 0 || s.offset > 1 << 20 || !size || size > 4096) return false;
    return array_push(&k->facts->accesses,
                      ((struct piece_access){s.parameter, (int32_t)s.offset, (uint32_t)size, writes,
                                             writes && k->in_any_case && !joined}));
}

static bool has_part(const char *name, size_t length, const char *part) {
    const size_t n = strlen(part);
    for (size_t i = 0; i + n <= length; i++)
        if (!memcmp(name + i, part, n)) return true;
    return false;
}
// Intrinsics that are given a pointer, or lanes of them, and are not known to only read.
static bool may_store(const char *name, size_t length, bool has_pointer) {
    if (has_part(name, length, "scatter")) return true;
    return has_pointer && !has_part(name, length, "load") && !has_part(name, length, "gather") &&
           !has_part(name, length, "prefetch");
}

static bool look_at_call(struct look *k, llvm_ref call) {
    const struct llvm *l = k->l;
    llvm_ref to = l->GetCalledValue(call);
    const unsigned count = (unsigned)l->GetNumOperands(call) - 1;
    if (l->IsAFunction(to)) {
        size_t length;
        const char *name = l->GetValueName2(to, &length);
        if (length > 6 && !memcmp(name, "lanes_", 6)) return true; // answered by lanes.c
        if (length < 5 || memcmp(name, "llvm.", 5)) return false;
        if (!memcmp(name, "llvm.memcpy.", length < 12 ? length : 12)) {
            int64_t size;
            if (!sum_of(k, l->GetOperand(call, 0), 0).wave && !is_own(k, l->GetOperand(call, 0)))
                k->facts->stores = true;
            return constant(k, l->GetOperand(call, 2), &size) &&
                   note(k, l->GetOperand(call, 0), (uint64_t)size, true, 0) &&
                   note(k, l->GetOperand(call, 1), (uint64_t)size, false, 0);
        }
        if (length > 14 && !memcmp(name, "llvm.lifetime.", 14)) return true;
        bool has_pointer = false;
        for (unsigned i = 0; i < count; i++)
            has_pointer |= is_pointer(k, l->GetOperand(call, i)) && !is_own(k, l->GetOperand(call, i));
        k->facts->stores |= may_store(name, length, has_pointer);
    } else if (!l->IsAInlineAsm(to))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (is_pointer(k, l->GetOperand(call, i))) {
            if (sum_of(k, l->GetOperand(call, i), 0).wave) return false;
            if (!l->IsAFunction(to) && !is_own(k, l->GetOperand(call, i))) k->facts->stores = true;
        }
    return true;
}

// What pieces return (exec/holes.h).
enum { NEXT_FOLLOWS = 1, HANDLER_COMES_BACK = 2 };
// Whether the result is that, or may be.
static bool may_be(const struct look *k, llvm_ref v, int64_t result, unsigned depth) {
    const struct llvm *l = k->l;
    int64_t n;
    if (l->IsNull(v)) return !result;
    if (l->IsAConstantExpr(v) && l->GetConstOpcode(v) == LLVM_INT_TO_PTR)
        return !constant(k, l->GetOperand(v, 0), &n) || n == result;
    if (depth > DEEPEST || !l->IsAInstruction(v)) return true;
    const bool is_select = l->GetInstructionOpcode(v) == LLVM_SELECT;
    if (!is_select && l->GetInstructionOpcode(v) != LLVM_PHI) return true;
    for (int i = is_select; i < l->GetNumOperands(v); i++)
        if (may_be(k, l->GetOperand(v, (unsigned)i), result, depth + 8)) return true;
    return false;
}

static bool look_at(struct look *k, llvm_ref i) {
    const struct llvm *l = k->l;
    switch (l->GetInstructionOpcode(i)) {
    case LLVM_LOAD:
        return note(k, l->GetOperand(i, 0), l->StoreSizeOfType(k->layout, l->TypeOf(i)), false, 0);
    case LLVM_STORE:
        if (is_pointer(k, l->GetOperand(i, 0)) && sum_of(k, l->GetOperand(i, 0), 0).wave) return false;
        if (!sum_of(k, l->GetOperand(i, 1), 0).wave && !is_own(k, l->GetOperand(i, 1)))
            k->facts->stores = true;
        return note(k, l->GetOperand(i, 1), l->StoreSizeOfType(k->layout, l->TypeOf(l->GetOperand(i, 0))),
                    true, 0);
    case LLVM_COMPARE_EXCHANGE:
    case LLVM_ATOMIC: k->facts->stores = true; return true;
    case LLVM_CALL: return look_at_call(k, i);
    case LLVM_RET: {
        llvm_ref v = l->GetOperand(i, 0);
        int64_t n;
        if (!l->IsAConstantExpr(v) || l->GetConstOpcode(v) != LLVM_INT_TO_PTR ||
            !constant(k, l->GetOperand(v, 0), &n) || n != NEXT_FOLLOWS)
            k->facts->only_next = false;
        k->facts->comes_back |= may_be(k, v, HANDLER_COMES_BACK, 0);
        k->facts->only_ends &= l->IsNull(v);
        return true;
    }
    default: return true;
    }
}

bool piece_look(const struct llvm *l, llvm_ref layout, llvm_ref function, struct piece_facts *facts) {
    struct look k = {l, layout, function, facts, false};
    unsigned returns = 0;
    facts->only_next = facts->only_ends = true;
    for (llvm_ref b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b))
        returns += l->GetInstructionOpcode(l->GetBasicBlockTerminator(b)) == LLVM_RET;
    for (llvm_ref b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b)) {
        k.in_any_case = returns == 1 && l->GetInstructionOpcode(l->GetBasicBlockTerminator(b)) == LLVM_RET;
        for (llvm_ref i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i))
            if (!look_at(&k, i)) return false;
    }
    return true;
}

bool piece_is_written_out(const struct llvm *l, llvm_ref instruction) {
    return l->GetInstructionOpcode(instruction) == LLVM_CALL &&
           l->IsAInlineAsm(l->GetCalledValue(instruction)) &&
           l->GetTypeKind(l->TypeOf(instruction)) == LLVM_VECTOR;
}
