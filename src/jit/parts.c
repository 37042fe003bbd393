// SPDX-License-Identifier: MIT
// What is computed lane by lane from chunks that are put together gives, of one chunk, what is computed from
// that chunk. So it is made anew from the parts, from constants and shuffles up.
#include "jit/parts.h"

enum { DEEPEST = 8 };

static llvm_ref part_of(const struct lanes *s, llvm_ref v, unsigned begin, unsigned depth);

static unsigned chunk_of(const struct lanes *s) { return s->f->vector_bytes / 4; }
static bool is_a(const struct lanes *s, llvm_ref v, int op) {
    return s->l->IsAInstruction(v) && s->l->GetInstructionOpcode(v) == op;
}

static llvm_ref constant_part(const struct lanes *s, llvm_ref v, unsigned begin) {
    llvm_ref elements[MAX_LANES];
    for (unsigned i = 0; i < chunk_of(s); i++)
        if (!(elements[i] = s->l->GetAggregateElement(v, begin + i))) return NULL;
    return s->l->ConstVector(elements, chunk_of(s));
}

// Lanes of an operand that follow each other, or one element of it in all lanes.
static llvm_ref shuffled_part(const struct lanes *s, llvm_ref v, unsigned begin, unsigned depth) {
    const struct llvm *l = s->l;
    const unsigned size = elements_of(s, l->TypeOf(l->GetOperand(v, 0)));
    const int first = l->GetMaskValue(v, begin);
    bool is_one = true, follows = true;
    if (first < 0 || !size) return NULL;
    for (unsigned i = 1; i < chunk_of(s); i++) {
        const int m = l->GetMaskValue(v, begin + i);
        is_one &= m == first;
        follows &= m == first + (int)i;
    }
    llvm_ref from = l->GetOperand(v, (unsigned)first >= size);
    const unsigned at = (unsigned)first % size;
    if (follows && at + chunk_of(s) <= size) return part_of(s, from, at, depth);
    if (!is_one) return NULL;
    llvm_ref lanes[MAX_LANES];
    for (unsigned i = 0; i < chunk_of(s); i++) lanes[i] = l->ConstInt(s->f->i32, at, 0);
    llvm_ref none = l->GetPoison(l->TypeOf(from));
    return l->BuildShuffleVector(s->builder, from, none, l->ConstVector(lanes, chunk_of(s)), "");
}

static llvm_ref computed_part(const struct lanes *s, llvm_ref v, int op, unsigned begin, unsigned depth) {
    const struct llvm *l = s->l;
    llvm_ref a = part_of(s, l->GetOperand(v, 0), begin, depth);
    llvm_ref b = a ? part_of(s, l->GetOperand(v, 1), begin, depth) : NULL;
    if (!b) return NULL;
    if (op == LLVM_ICMP) return l->BuildICmp(s->builder, l->GetICmpPredicate(v), a, b, "");
    return l->BuildBinOp(s->builder, op, a, b, "");
}

// The lanes of a chunk from element `begin` on. NULL: they cannot be had without the others.
static llvm_ref part_of(const struct lanes *s, llvm_ref v, unsigned begin, unsigned depth) {
    const struct llvm *l = s->l;
    if (elements_of(s, l->TypeOf(v)) == chunk_of(s)) return begin ? NULL : v;
    if (depth > DEEPEST) return NULL;
    if (l->IsAConstant(v)) return constant_part(s, v, begin);
    if (!l->IsAInstruction(v)) return NULL;
    const int op = l->GetInstructionOpcode(v);
    switch (op) {
    case LLVM_SHUFFLE: return shuffled_part(s, v, begin, depth + 1);
    case LLVM_ICMP:
    case LLVM_AND:
    case LLVM_OR:
    case LLVM_XOR: return computed_part(s, v, op, begin, depth + 1);
    default: return NULL;
    }
}

// ---- Masks that are numbers ----

static llvm_ref bits_of(const struct lanes *s, llvm_ref v, uint64_t begin, unsigned depth);

static llvm_ref constant_bits(const struct lanes *s, uint64_t n) {
    llvm_ref bit = s->l->Int1TypeInContext(s->f->context), bits[MAX_LANES];
    for (unsigned i = 0; i < chunk_of(s); i++) bits[i] = s->l->ConstInt(bit, n >> i & 1, 0);
    return s->l->ConstVector(bits, chunk_of(s));
}
static llvm_ref shifted_bits(const struct lanes *s, llvm_ref v, int op, uint64_t begin, unsigned depth) {
    llvm_ref by = s->l->GetOperand(v, 1);
    if (!s->l->IsAConstantInt(by)) return NULL;
    const uint64_t n = s->l->ConstIntGetZExtValue(by), width = element_width(s, s->l->TypeOf(v));
    if (n >= width) return NULL;
    if (op == LLVM_LSHR)
        return begin + n >= width ? constant_bits(s, 0)
                                  : bits_of(s, s->l->GetOperand(v, 0), begin + n, depth);
    if (begin + chunk_of(s) <= n) return constant_bits(s, 0);
    return begin < n ? NULL : bits_of(s, s->l->GetOperand(v, 0), begin - n, depth);
}
static llvm_ref cast_bits(const struct lanes *s, llvm_ref v, int op, uint64_t begin, unsigned depth) {
    llvm_ref from = s->l->GetOperand(v, 0), type = s->l->TypeOf(from);
    if (op == LLVM_BIT_CAST) {
        const bool is_mask = elements_of(s, type) && element_width(s, type) == 1;
        return is_mask ? part_of(s, from, (unsigned)begin, depth) : NULL;
    }
    if (op == LLVM_ZEXT && begin >= element_width(s, type)) return constant_bits(s, 0);
    return bits_of(s, from, begin, depth);
}
static llvm_ref combined_bits(const struct lanes *s, llvm_ref v, int op, uint64_t begin, unsigned depth) {
    llvm_ref a = bits_of(s, s->l->GetOperand(v, 0), begin, depth);
    llvm_ref b = a ? bits_of(s, s->l->GetOperand(v, 1), begin, depth) : NULL;
    if (!b) return NULL;
    if (op == LLVM_OR && s->l->IsNull(a)) return b;
    if (op == LLVM_OR && s->l->IsNull(b)) return a;
    return s->l->BuildBinOp(s->builder, op, a, b, "");
}
// As many bits of a number as a chunk has lanes, from bit `begin` on. NULL: they cannot be had alone.
static llvm_ref bits_of(const struct lanes *s, llvm_ref v, uint64_t begin, unsigned depth) {
    const unsigned width = element_width(s, s->l->TypeOf(v));
    if (elements_of(s, s->l->TypeOf(v)) || depth > DEEPEST || begin + chunk_of(s) > width) return NULL;
    if (s->l->IsAConstantInt(v)) return constant_bits(s, s->l->ConstIntGetZExtValue(v) >> begin);
    if (!s->l->IsAInstruction(v)) return NULL;
    const int op = s->l->GetInstructionOpcode(v);
    switch (op) {
    case LLVM_SHL:
    case LLVM_LSHR: return shifted_bits(s, v, op, begin, depth + 1);
    case LLVM_ZEXT:
    case LLVM_TRUNC:
    case LLVM_BIT_CAST: return cast_bits(s, v, op, begin, depth + 1);
    case LLVM_AND:
    case LLVM_OR:
    case LLVM_XOR: return combined_bits(s, v, op, begin, depth + 1);
    default: return NULL;
    }
}

// ---- Where chunks are taken ----

// A mask of one chunk as bits: an element of a mask of more that is looked at as numbers.
static llvm_ref mask_part(const struct lanes *s, llvm_ref v) {
    const struct llvm *l = s->l;
    llvm_ref element = l->GetOperand(v, 0);
    if (!is_a(s, element, LLVM_EXTRACT_ELEMENT) || !l->IsAConstantInt(l->GetOperand(element, 1))) return NULL;
    llvm_ref numbers = l->GetOperand(element, 0);
    if (!is_a(s, numbers, LLVM_BIT_CAST)) return NULL;
    llvm_ref all = l->GetOperand(numbers, 0), type = l->TypeOf(all);
    if (elements_of(s, type) <= chunk_of(s) || element_width(s, type) != 1) return NULL;
    const uint64_t n = l->ConstIntGetZExtValue(l->GetOperand(element, 1));
    return part_of(s, all, (unsigned)n * chunk_of(s), 0);
}
// Whether lane i of the vector is 1 << i.
static bool is_bit_of_lane(const struct lanes *s, llvm_ref v) {
    for (unsigned i = 0; i < chunk_of(s); i++) {
        llvm_ref one = s->l->IsAConstant(v) ? s->l->GetAggregateElement(v, i) : NULL;
        if (!one || !s->l->IsAConstantInt(one) || s->l->ConstIntGetZExtValue(one) != 1ull << i) return false;
    }
    return true;
}
// A bit for each lane, by hosts without masks: one number in all lanes of which each looks at its bit.
static llvm_ref asked_part(const struct lanes *s, llvm_ref v) {
    const struct llvm *l = s->l;
    llvm_ref bits = l->GetOperand(v, 0);
    if (l->GetICmpPredicate(v) != LLVM_NE || !l->IsNull(l->GetOperand(v, 1)) || !is_a(s, bits, LLVM_AND))
        return NULL;
    llvm_ref all = l->GetOperand(bits, 0);
    if (!is_bit_of_lane(s, l->GetOperand(bits, 1)) || !l->IsAInstruction(all) || !is_repeated(l, all))
        return NULL;
    llvm_ref one = l->GetOperand(all, 0);
    const bool is_first = is_a(s, one, LLVM_INSERT_ELEMENT) && l->IsNull(l->GetOperand(one, 2));
    return is_first ? bits_of(s, l->GetOperand(one, 1), 0, 0) : NULL;
}
static llvm_ref part_for(const struct lanes *s, llvm_ref v) {
    switch (s->l->GetInstructionOpcode(v)) {
    case LLVM_BIT_CAST: return mask_part(s, v);
    case LLVM_ICMP: return asked_part(s, v);
    default: return shuffled_part(s, v, 0, 0);
    }
}

// Masks of one chunk that come from others.
static bool is_chunk(const struct lanes *s, llvm_ref v) {
    const int op = s->l->GetInstructionOpcode(v);
    llvm_ref type = s->l->TypeOf(v);
    if (op != LLVM_SHUFFLE && op != LLVM_BIT_CAST && op != LLVM_ICMP) return false;
    return elements_of(s, type) == chunk_of(s) && element_width(s, type) == 1;
}

bool parts_split(struct lanes *s, llvm_ref function) {
    const struct llvm *l = s->l;
    ARRAY(llvm_ref) chunks = {0};
    bool ok = true;
    for (llvm_ref b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b))
        for (llvm_ref i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i))
            if (is_chunk(s, i)) ok = ok && array_push(&chunks, i);
    for (size_t i = 0; i < chunks.count && ok; i++) {
        llvm_ref v = chunks.items[i];
        l->PositionBuilderBefore(s->builder, v);
        llvm_ref part = part_for(s, v);
        if (!part || part == v) continue;
        l->ReplaceAllUsesWith(v, part);
        l->InstructionEraseFromParent(v);
    }
    array_free(&chunks);
    return ok;
}
