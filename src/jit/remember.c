// SPDX-License-Identifier: MIT
// In a block, what follows from a root or a quotient that all lanes have, and what that is made of, goes into
// a function that looks whether the same go in as the last time, and is inlined.
#include "jit/remember.h"

#include <stdlib.h>
#include <string.h>

#include "jit/affine.h"
#include "jit/verify.h"

#define CONSTRAINED "llvm.experimental.constrained."
enum { MOST_INSTRUCTIONS = 4000, MOST_LOOKS = 300, MOST_IN = 6, MOST_OUT = 12, LEAST = 8 };
enum { PLACE = 64 }; // bytes of a number that is kept

// An instruction of the block. `alike`: all lanes have it, and nothing but its operands says what it is.
// `first`: the first element of a vector that is about to be repeated. `follows`: it follows from a root or a
// quotient. `is_part`: it does, or is needed for that.
struct own {
    llvm_ref v, copy;
    bool alike, first, follows, is_part;
};
struct by_address {
    llvm_ref v;
    uint32_t at;
};
struct chain {
    struct fuse *f;
    const struct llvm *l;
    llvm_ref function, builder;
    struct own own[MOST_INSTRUCTIONS];
    struct by_address sorted[MOST_INSTRUCTIONS];
    uint32_t count, looks;
    llvm_ref in[MOST_IN], out[MOST_OUT];
    uint32_t in_count, out_count, at; // where it stands: behind what goes in, before what uses what comes out
};

// ---- Which ----

static bool is_wide(const struct llvm *l, llvm_ref type) { return l->GetTypeKind(type) == LLVM_VECTOR; }
static bool is_number(const struct llvm *l, llvm_ref type) {
    return l->GetTypeKind(type) == LLVM_INTEGER && l->GetIntTypeWidth(type) <= 64;
}
static bool is_root(const struct llvm *l, llvm_ref v) {
    return is_call_of(l, v, CONSTRAINED "sqrt.") || is_call_of(l, v, CONSTRAINED "fdiv.");
}
static bool is_first(const struct llvm *l, llvm_ref v) {
    return l->GetInstructionOpcode(v) == LLVM_INSERT_ELEMENT && l->IsAConstant(l->GetOperand(v, 0)) &&
           l->IsAConstantInt(l->GetOperand(v, 2)) && !l->ConstIntGetZExtValue(l->GetOperand(v, 2));
}
static bool has_bits(const struct llvm *l, llvm_ref type) { // one for each lane
    llvm_ref element = l->GetElementType(type);
    return l->GetTypeKind(element) == LLVM_INTEGER && l->GetIntTypeWidth(element) == 1;
}
// Whether it can be kept.
static bool is_keepable(const struct chain *p, llvm_ref type) {
    if (!is_wide(p->l, type)) return is_number(p->l, type);
    const unsigned long long size = p->l->StoreSizeOfType(p->f->layout, type);
    return size <= PLACE && (has_bits(p->l, type) || size % 4 == 0);
}
// Without the function that a call names, which is the last one.
static unsigned operands_of(const struct llvm *l, llvm_ref v) {
    return (unsigned)l->GetNumOperands(v) - (l->GetInstructionOpcode(v) == LLVM_CALL);
}
// Whether its operands alone say what it is, and the control word.
static bool is_pure(const struct llvm *l, llvm_ref v) {
    const llvm_ref type = l->TypeOf(v);
    if (!is_wide(l, type) && !is_number(l, type)) return false;
    for (unsigned i = 0; i < operands_of(l, v); i++) {
        const int kind = l->GetTypeKind(l->TypeOf(l->GetOperand(v, i)));
        if (kind != LLVM_VECTOR && kind != LLVM_INTEGER && kind != LLVM_METADATA) return false;
    }
    const int op = l->GetInstructionOpcode(v);
    switch (op) {
    case LLVM_ADD:
    case LLVM_SUB:
    case LLVM_MUL:
    case LLVM_SHL:
    case LLVM_LSHR:
    case LLVM_ASHR:
    case LLVM_AND:
    case LLVM_OR:
    case LLVM_XOR:
    case LLVM_TRUNC:
    case LLVM_ZEXT:
    case LLVM_SEXT:
    case LLVM_BIT_CAST:
    case LLVM_ICMP:
    case LLVM_SELECT:
    case LLVM_SHUFFLE:
    case LLVM_INSERT_ELEMENT:
    case LLVM_EXTRACT_ELEMENT: return true;
    case LLVM_CALL:
        return piece_is_written_out(l, v) || is_call_of(l, v, CONSTRAINED) ||
               is_call_of(l, v, "llvm.x86.avx512.fpclass.") ||
               is_call_of(l, v, "llvm.x86.avx512.mask.scalef.") ||
               is_call_of(l, v, "llvm.x86.avx512.mask.cmp.") || is_call_of(l, v, "llvm.x86.avx512.mask.cvt");
    default: return false;
    }
}
// Whether a vector seems to be the same in all lanes. It does no harm if it is not.
static bool seems_alike(struct chain *p, llvm_ref v) {
    const struct llvm *l = p->l;
    if (l->IsAConstant(v) || !is_wide(l, l->TypeOf(v))) return true;
    if (!l->IsAInstruction(v) || ++p->looks > MOST_LOOKS || !is_pure(l, v)) return false;
    if (is_repeated(l, v)) return true;
    if (l->GetInstructionOpcode(v) == LLVM_INSERT_ELEMENT) return false;
    for (unsigned i = 0; i < operands_of(l, v); i++)
        if (!seems_alike(p, l->GetOperand(v, i))) return false;
    return true;
}

// ---- The block ----

static int by_value(const void *a, const void *b) {
    const struct by_address *x = a, *y = b;
    return (uintptr_t)x->v < (uintptr_t)y->v ? -1 : (uintptr_t)x->v > (uintptr_t)y->v;
}
// NULL: it is in another block, or no instruction.
static struct own *own_of(struct chain *p, llvm_ref v) {
    const struct by_address key = {v, 0},
                            *found = bsearch(&key, p->sorted, p->count, sizeof *p->sorted, by_value);
    return found ? &p->own[found->at] : NULL;
}

static void look_at(struct chain *p, struct own *o) {
    const struct llvm *l = p->l;
    const bool repeats = is_repeated(l, o->v);
    bool any = is_wide(l, l->TypeOf(o->v));
    o->first = is_first(l, o->v);
    o->alike = is_pure(l, o->v);
    for (unsigned i = 0; i < operands_of(l, o->v) && o->alike; i++) {
        llvm_ref v = l->GetOperand(o->v, i);
        const struct own *from = own_of(p, v);
        if (l->IsAConstant(v) || l->GetTypeKind(l->TypeOf(v)) == LLVM_METADATA) continue;
        any |= from && from->alike;
        o->follows |= from && from->follows;
        if (!is_wide(l, l->TypeOf(v)))
            o->alike = is_number(l, l->TypeOf(v));
        else if (from)
            o->alike = from->alike && (!from->first || (repeats && !i));
        else
            p->looks = 0, o->alike = seems_alike(p, v);
    }
    if (l->GetInstructionOpcode(o->v) == LLVM_INSERT_ELEMENT) o->alike &= o->first;
    o->alike &= any;
    o->follows = o->alike && (o->follows || is_root(l, o->v));
    o->is_part = o->follows;
}
// False: there is nothing in it, or too much.
static bool look_at_block(struct chain *p, llvm_ref block) {
    const struct llvm *l = p->l;
    bool any = false;
    p->count = p->in_count = p->out_count = 0;
    for (llvm_ref v = l->GetFirstInstruction(block); v; v = l->GetNextInstruction(v)) any |= is_root(l, v);
    if (!any) return false;
    for (llvm_ref v = l->GetFirstInstruction(block); v; v = l->GetNextInstruction(v)) {
        if (p->count == MOST_INSTRUCTIONS) return false;
        p->own[p->count] = (struct own){.v = v};
        p->sorted[p->count] = (struct by_address){v, p->count};
        p->count++;
    }
    qsort(p->sorted, p->count, sizeof *p->sorted, by_value);
    for (uint32_t i = 0; i < p->count; i++) look_at(p, &p->own[i]);
    uint32_t parts = 0;
    for (uint32_t i = p->count; i--;) {
        if (!p->own[i].is_part) continue;
        parts++;
        for (unsigned k = 0; k < operands_of(l, p->own[i].v); k++) {
            struct own *from = own_of(p, l->GetOperand(p->own[i].v, k));
            if (from && from->alike) from->is_part = true;
        }
    }
    return parts >= LEAST;
}
// What goes in, and what others use of what comes out.
static bool find_ends(struct chain *p) {
    const struct llvm *l = p->l;
    uint32_t behind = 0, before = p->count - 1;
    for (uint32_t i = 0; i < p->count; i++) {
        bool is_out = false;
        const struct own *o = &p->own[i];
        for (unsigned k = 0; k < operands_of(l, o->v) && o->is_part; k++) {
            llvm_ref v = l->GetOperand(o->v, k);
            const struct own *from = own_of(p, v);
            bool is_new = !l->IsAConstant(v) && l->GetTypeKind(l->TypeOf(v)) != LLVM_METADATA &&
                          !(from && from->is_part);
            for (uint32_t n = 0; n < p->in_count; n++) is_new &= p->in[n] != v;
            if (!is_new) continue;
            if (p->in_count == MOST_IN || !is_keepable(p, l->TypeOf(v))) return false;
            p->in[p->in_count++] = v;
            if (from && from - p->own >= behind) behind = (uint32_t)(from - p->own) + 1;
        }
        for (llvm_ref use = o->follows ? l->GetFirstUse(o->v) : NULL; use; use = l->GetNextUse(use)) {
            const struct own *user = own_of(p, l->GetUser(use));
            if (user && user->follows) continue;
            const bool is_phi = user && l->GetInstructionOpcode(user->v) == LLVM_PHI; // the next time
            if (user && !is_phi && user - p->own < before) before = (uint32_t)(user - p->own);
            is_out = true;
        }
        if (!is_out) continue;
        if (p->out_count == MOST_OUT || o->first || !is_keepable(p, l->TypeOf(o->v))) return false;
        p->out[p->out_count++] = o->v;
    }
    while (behind < p->count && l->GetInstructionOpcode(p->own[behind].v) == LLVM_PHI) behind++;
    p->at = before;
    return behind <= before && p->in_count && p->out_count;
}

// ---- The function ----

// As it is kept: bits as whole bytes.
static llvm_ref kept_type(const struct chain *p, llvm_ref type) {
    const struct llvm *l = p->l;
    if (!is_wide(l, type)) return l->GetIntTypeWidth(type) == 1 ? p->f->i8 : type;
    if (has_bits(l, type)) return l->IntTypeInContext(p->f->context, l->GetVectorSize(type));
    return l->VectorType(p->f->i32, (unsigned)l->StoreSizeOfType(p->f->layout, type) / 4);
}
static llvm_ref to_kept(const struct chain *p, llvm_ref v) {
    llvm_ref type = p->l->TypeOf(v), kept = kept_type(p, type);
    if (type == kept) return v;
    return p->l->BuildCast(p->builder, is_wide(p->l, type) ? LLVM_BIT_CAST : LLVM_ZEXT, v, kept, "");
}
static llvm_ref from_kept(const struct chain *p, llvm_ref v, llvm_ref type) {
    if (type == p->l->TypeOf(v)) return v;
    return p->l->BuildCast(p->builder, is_wide(p->l, type) ? LLVM_BIT_CAST : LLVM_TRUNC, v, type, "");
}
static llvm_ref place(const struct chain *p, llvm_ref base, uint32_t n) {
    llvm_ref offset = fuse_number(p->f, (uint64_t)n * PLACE);
    return p->l->BuildGEP2(p->builder, p->f->i8, base, &offset, 1, "");
}
static llvm_ref load(const struct chain *p, llvm_ref base, uint32_t n, llvm_ref type) {
    llvm_ref v = p->l->BuildLoad2(p->builder, kept_type(p, type), place(p, base, n), "");
    p->l->SetAlignment(v, 4);
    return v;
}
static void store(const struct chain *p, llvm_ref base, uint32_t n, llvm_ref kept) {
    p->l->SetAlignment(p->l->BuildStore(p->builder, kept, place(p, base, n)), 4);
}
// A bit: two kept numbers differ.
static llvm_ref differ(const struct chain *p, llvm_ref a, llvm_ref b) {
    const struct llvm *l = p->l;
    llvm_ref is = l->BuildICmp(p->builder, LLVM_NE, a, b, "");
    if (!is_wide(l, l->TypeOf(a))) return is;
    llvm_ref bits = l->IntTypeInContext(p->f->context, l->GetVectorSize(l->TypeOf(a)));
    is = l->BuildCast(p->builder, LLVM_BIT_CAST, is, bits, "");
    return l->BuildICmp(p->builder, LLVM_NE, is, l->ConstNull(bits), "");
}
static llvm_ref copy_of(struct chain *p, llvm_ref v) {
    const struct own *o = own_of(p, v);
    return o ? o->copy : NULL;
}
static void copy_parts(struct chain *p, llvm_ref function) {
    const struct llvm *l = p->l;
    for (uint32_t i = 0; i < p->count; i++) {
        struct own *o = &p->own[i];
        if (!o->is_part) continue;
        l->InsertIntoBuilder(p->builder, o->copy = l->InstructionClone(o->v));
        for (unsigned k = 0; k < operands_of(l, o->v); k++) {
            llvm_ref v = l->GetOperand(o->v, k), by = copy_of(p, v);
            for (uint32_t n = 0; n < p->in_count; n++)
                if (p->in[n] == v) by = l->GetParam(function, n);
            if (by) l->SetOperand(o->copy, k, by);
        }
    }
}
// function(numbers that go in, where they are kept). The first place says whether there are any.
static llvm_ref make_remembering(struct chain *p) {
    const struct llvm *l = p->l;
    const unsigned index = (unsigned)LLVM_FUNCTION_INDEX, n = l->GetAttributeCountAtIndex(p->function, index);
    llvm_ref parameters[MOST_IN + 1], *attributes = calloc(n + 1, sizeof *attributes);
    for (uint32_t i = 0; i < p->in_count; i++) parameters[i] = l->TypeOf(p->in[i]);
    parameters[p->in_count] = p->f->pointer;
    llvm_ref type = l->FunctionType(p->f->void_type, parameters, p->in_count + 1, 0),
             made = l->AddFunction(p->f->module, "remembered", type);
    l->SetLinkage(made, LLVM_INTERNAL);
    if (attributes) l->GetAttributesAtIndex(p->function, index, attributes);
    for (unsigned i = 0; attributes && i < n; i++) l->AddAttributeAtIndex(made, index, attributes[i]);
    const unsigned inlined = l->GetEnumAttributeKindForName("alwaysinline", 12);
    l->AddAttributeAtIndex(made, index, l->CreateEnumAttribute(p->f->context, inlined, 0));
    p->f->failed |= !attributes;
    free(attributes);

    llvm_ref asks = l->AppendBasicBlockInContext(p->f->context, made, ""),
             anew = l->AppendBasicBlockInContext(p->f->context, made, ""),
             same = l->AppendBasicBlockInContext(p->f->context, made, ""),
             base = l->GetParam(made, p->in_count);
    l->PositionBuilderAtEnd(p->builder, asks);
    if (VERIFIES) copy_parts(p, made);
    llvm_ref any = load(p, base, 0, p->f->i32);
    llvm_ref is_new = l->BuildICmp(p->builder, LLVM_EQ, any, l->ConstNull(p->f->i32), "");
    for (uint32_t i = 0; i < p->in_count; i++) {
        llvm_ref is = differ(p, to_kept(p, l->GetParam(made, i)), load(p, base, 1 + i, parameters[i]));
        is_new = l->BuildBinOp(p->builder, LLVM_OR, is_new, is, "");
    }
    l->BuildCondBr(p->builder, is_new, anew, same);
    l->PositionBuilderAtEnd(p->builder, anew);
    if (!VERIFIES) copy_parts(p, made);
    for (uint32_t i = 0; i < p->in_count; i++) store(p, base, 1 + i, to_kept(p, l->GetParam(made, i)));
    for (uint32_t i = 0; i < p->out_count; i++)
        store(p, base, 1 + p->in_count + i, to_kept(p, copy_of(p, p->out[i])));
    store(p, base, 0, l->ConstInt(p->f->i32, 1, 0));
    l->BuildRetVoid(p->builder);
    l->PositionBuilderAtEnd(p->builder, same);
    for (uint32_t i = 0; i < p->out_count && VERIFIES; i++) {
        llvm_ref kept = load(p, base, 1 + p->in_count + i, l->TypeOf(p->out[i]));
        claim_equal(p->f, p->builder, to_kept(p, copy_of(p, p->out[i])), kept);
    }
    l->BuildRetVoid(p->builder);
    return made;
}

// ---- The whole ----

static llvm_ref make_places(const struct chain *p) {
    const struct llvm *l = p->l;
    const uint32_t places = 1 + p->in_count + p->out_count;
    l->PositionBuilderBefore(p->builder, l->GetFirstInstruction(l->GetFirstBasicBlock(p->function)));
    llvm_ref base = l->BuildAlloca(p->builder, l->ArrayType2(p->f->i8, (uint64_t)places * PLACE), "");
    l->SetAlignment(base, PLACE);
    store(p, base, 0, l->ConstNull(p->f->i32));
    return base;
}
static void replace_by_call(struct chain *p) {
    const struct llvm *l = p->l;
    llvm_ref made = make_remembering(p), base = make_places(p), arguments[MOST_IN + 1], types[MOST_IN + 1];
    l->PositionBuilderBefore(p->builder, p->own[p->at].v);
    for (uint32_t i = 0; i < p->in_count; i++) {
        arguments[i] = l->BuildFreeze(p->builder, p->in[i], "");
        types[i] = l->TypeOf(p->in[i]);
    }
    arguments[p->in_count] = base;
    types[p->in_count] = p->f->pointer;
    l->BuildCall2(p->builder, l->FunctionType(p->f->void_type, types, p->in_count + 1, 0), made, arguments,
                  p->in_count + 1, "");
    for (uint32_t i = 0; i < p->out_count; i++) {
        llvm_ref type = l->TypeOf(p->out[i]);
        l->ReplaceAllUsesWith(p->out[i], from_kept(p, load(p, base, 1 + p->in_count + i, type), type));
    }
    for (uint32_t i = p->count; i--;)
        if (p->own[i].follows) l->InstructionEraseFromParent(p->own[i].v);
}

bool remember_alike(struct fuse *f, bool *any) {
    static const char *const loops[] = {FUSED_GROUP, FUSED_ROWS, FUSED_WAVE_LOOP};
    const struct llvm *l = f->l;
    struct chain *p = malloc(sizeof *p);
    *any = false;
    if (!p) return false;
    p->f = f, p->l = l;
    p->builder = l->CreateBuilderInContext(f->context);
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        p->function = l->GetNamedFunction(f->module, loops[i]);
        if (!p->function || l->IsDeclaration(p->function)) continue;
        for (llvm_ref b = l->GetFirstBasicBlock(p->function); b; b = l->GetNextBasicBlock(b)) {
            if (!look_at_block(p, b) || !find_ends(p)) continue;
            replace_by_call(p);
            *any = true;
        }
    }
    l->DisposeBuilder(p->builder);
    free(p);
    return !f->failed;
}
