// SPDX-License-Identifier: MIT
// Answers to what pieces ask of lanes (lanes.h), from what is known of affine vectors (affine.h): what makes
// them sure is part of what `lanes_unsure` says.
#include "jit/lanes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jit/dump.h"
#include "jit/loops.h"
#include "jit/parts.h"
#include "jit/strides.h"
#include "jit/verify.h"
#include "jit/wave_loop.h"
#include "jit/wide.h"

// What was asked of addresses of 64 bits, and the answer.
struct wide_question {
    llvm_ref call;
    struct affine is;
    bool is_looked_at;
};
struct questions {
    ARRAY(struct wide_question) wide;
    ARRAY(llvm_ref) known;
    ARRAY(llvm_ref) apart;
    ARRAY(llvm_ref) unsure;
    ARRAY(llvm_ref) differ;
    ARRAY(llvm_ref) affines;
    ARRAY(llvm_ref) elements; // taken from vectors at constant places
    ARRAY(llvm_ref) strided;  // likewise what follows from it
    struct strides strides;
};

static bool find_questions(const struct llvm *l, llvm_ref function, struct questions *q) {
    bool ok = true;
    for (llvm_ref b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b))
        for (llvm_ref i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i)) {
            if (is_call_of(l, i, LANES_KNOWN)) ok = ok && array_push(&q->known, i);
            if (is_call_of(l, i, LANES_APART)) ok = ok && array_push(&q->apart, i);
            if (is_call_of(l, i, LANES_UNSURE)) ok = ok && array_push(&q->unsure, i);
            if (is_call_of(l, i, LANES_DIFFER)) ok = ok && array_push(&q->differ, i);
            if (is_call_of(l, i, LANES_AFFINE)) ok = ok && array_push(&q->affines, i);
            if (is_call_of(l, i, LANES_WIDE))
                ok = ok && array_push(&q->wide, (struct wide_question){.call = i});
            if (is_call_of(l, i, LANES_STRIDED) || is_call_of(l, i, LANES_INSIDE) ||
                is_call_of(l, i, LANES_TAKE))
                ok = ok && array_push(&q->strided, i);
            if (l->GetInstructionOpcode(i) == LLVM_EXTRACT_ELEMENT && l->IsAConstantInt(l->GetOperand(i, 1)))
                ok = ok && array_push(&q->elements, i);
        }
    return ok;
}

static void replace(const struct lanes *s, llvm_ref v, llvm_ref by) {
    s->l->ReplaceAllUsesWith(v, by);
    s->l->InstructionEraseFromParent(v);
}

llvm_ref lanes_repeat(const struct fuse *f, llvm_ref builder, llvm_ref v, unsigned count) {
    const struct llvm *l = f->l;
    llvm_ref none = l->GetPoison(l->VectorType(l->TypeOf(v), count)), zero = l->ConstInt(f->i32, 0, 0);
    llvm_ref one = l->BuildInsertElement(builder, none, v, zero, "");
    return l->BuildShuffleVector(builder, one, none, l->ConstNull(l->VectorType(f->i32, count)), "");
}
static llvm_ref repeat(const struct lanes *s, llvm_ref v, unsigned count) {
    return lanes_repeat(s->f, s->builder, v, count);
}
// first, first + step and so on.
static llvm_ref make_vector(const struct lanes *s, llvm_ref first, uint64_t add, uint64_t step,
                            unsigned count) {
    llvm_ref steps[MAX_LANES];
    for (unsigned i = 0; i < count; i++) steps[i] = s->l->ConstInt(s->f->i32, (uint32_t)(add + step * i), 0);
    return s->l->BuildBinOp(s->builder, LLVM_ADD, repeat(s, first, count), s->l->ConstVector(steps, count),
                            "");
}

static void answer_differ(struct lanes *s, llvm_ref call) {
    const struct llvm *l = s->l;
    llvm_ref vector = l->GetOperand(call, 0), first = l->GetOperand(call, 1), by = l->GetOperand(call, 2);
    const unsigned count = elements_of(s, l->TypeOf(vector));
    const struct affine r = affine_of(s, vector, 0);
    const bool is_known = l->IsAConstantInt(by);
    l->PositionBuilderBefore(s->builder, call);
    if (r.kind == AFFINE && is_known) {
        const bool alike = r.step == affine_narrow(l->ConstIntGetSExtValue(by), 32);
        llvm_ref is = r.step ? affine_step(s, &r, r.lane).value : r.first.value;
        llvm_ref differ = l->BuildICmp(s->builder, LLVM_NE, is, first, "");
        replace(s, call, alike ? differ : l->ConstInt(l->TypeOf(call), 1, 0));
        return;
    }
    llvm_ref expected = NULL;
    if (is_known)
        expected = make_vector(s, first, 0, l->ConstIntGetZExtValue(by), count);
    else { // no compiler has a reason for that
        llvm_ref numbers = make_vector(s, l->ConstNull(s->f->i32), 0, 1, count);
        expected = l->BuildBinOp(s->builder, LLVM_MUL, numbers, repeat(s, by, count), "");
        expected = l->BuildBinOp(s->builder, LLVM_ADD, expected, repeat(s, first, count), "");
    }
    llvm_ref differ = l->BuildICmp(s->builder, LLVM_NE, vector, expected, "");
    llvm_ref bits =
        l->BuildCast(s->builder, LLVM_BIT_CAST, differ, l->IntTypeInContext(s->f->context, count), "");
    replace(s, call, l->BuildICmp(s->builder, LLVM_NE, bits, l->ConstNull(l->TypeOf(bits)), ""));
}

static void answer_known(struct lanes *s, llvm_ref call) {
    const bool is_affine = affine_of(s, s->l->GetOperand(call, 0), 0).kind == AFFINE;
    replace(s, call, s->l->ConstInt(s->l->TypeOf(call), is_affine, 0));
}
static void answer_apart(struct lanes *s, llvm_ref call) {
    const bool is_affine = affine_of(s, s->l->GetOperand(call, 0), 0).kind == AFFINE;
    const bool is_apart = is_affine && rows_in_chunks(s->f->plan->rows);
    replace(s, call, s->l->ConstInt(s->l->TypeOf(call), is_apart, 0));
}
static void answer_unsure(struct lanes *s, llvm_ref call) {
    const struct llvm *l = s->l;
    const struct affine r = affine_of(s, l->GetOperand(call, 0), 0);
    llvm_ref no = l->ConstInt(l->TypeOf(call), 0, 0), yes = l->ConstInt(l->TypeOf(call), 1, 0);
    l->PositionBuilderBefore(s->builder, call);
    if (r.kind != AFFINE || !r.sure.value)
        replace(s, call, no);
    else
        replace(s, call, l->BuildBinOp(s->builder, LLVM_XOR, r.sure.value, yes, ""));
}

// The wave's first lane has what is said whether the vector is an affine vector or not, others if it always
// is.
static void answer_element(struct lanes *s, struct strides *t, llvm_ref v) {
    llvm_ref vector = s->l->GetOperand(v, 0), first, step;
    if (!element_width(s, s->l->TypeOf(vector))) return;
    const struct affine r = affine_of(s, vector, 0);
    const uint64_t n = s->l->ConstIntGetZExtValue(s->l->GetOperand(v, 1));
    if (affine_has(&r, n)) {
        replace(s, v, r.first.value);
        return;
    }
    if (!n && stride_known(t, vector, &first, &step)) {
        replace(s, v, first);
        return;
    }
    if (r.kind != AFFINE || r.sure.value || n >= elements_of(s, s->l->TypeOf(vector))) return;
    s->l->PositionBuilderBefore(s->builder, v);
    replace(s, v, affine_step(s, &r, r.lane + n).value);
}

// ---- Lanes a step apart ----

// Dwords from p on, one after the other: hosts take longer for a gather of so many.
static llvm_ref take(const struct lanes *s, llvm_ref call, llvm_ref step) {
    const struct llvm *l = s->l;
    llvm_ref type = l->TypeOf(call), at = l->GetOperand(call, 1), v = l->GetPoison(type);
    step = l->BuildCast(s->builder, LLVM_SEXT, step, s->f->i64, "");
    for (unsigned i = 0; i < elements_of(s, type); i++) {
        llvm_ref by = l->BuildBinOp(s->builder, LLVM_MUL, step, l->ConstInt(s->f->i64, i, 0), "");
        llvm_ref from = l->BuildGEP2(s->builder, s->f->i8, at, &by, 1, "");
        llvm_ref dword = l->BuildLoad2(s->builder, s->f->i32, from, "");
        l->SetAlignment(dword, 1);
        v = l->BuildInsertElement(s->builder, v, dword, l->ConstInt(s->f->i32, i, 0), "");
    }
    return v;
}
// The first and the last lane are, and then those between them, as no offset wraps.
static llvm_ref inside(const struct lanes *s, llvm_ref call, llvm_ref first, llvm_ref step) {
    const struct llvm *l = s->l;
    const unsigned count = elements_of(s, l->TypeOf(l->GetOperand(call, 0)));
    llvm_ref base = l->GetOperand(call, 1), from = l->GetOperand(call, 2), places = l->GetOperand(call, 3);
    base = l->BuildBinOp(s->builder, LLVM_SUB, base, from, "");
    first = l->BuildCast(s->builder, LLVM_ZEXT, first, s->f->i64, "");
    step = l->BuildCast(s->builder, LLVM_SEXT, step, s->f->i64, "");
    llvm_ref far = l->BuildBinOp(s->builder, LLVM_MUL, step, l->ConstInt(s->f->i64, count - 1, 0), "");
    llvm_ref last = l->BuildBinOp(s->builder, LLVM_ADD, first, far, "");
    llvm_ref limit = l->ConstInt(s->f->i64, 1ull << 32, 0);
    llvm_ref all = l->BuildICmp(s->builder, LLVM_ULT, last, limit, "");
    for (unsigned i = 0; i < 2; i++) {
        llvm_ref at = l->BuildBinOp(s->builder, LLVM_ADD, base, i ? last : first, "");
        at = l->BuildICmp(s->builder, LLVM_ULT, at, places, "");
        all = l->BuildBinOp(s->builder, LLVM_AND, all, at, "");
    }
    return all;
}
static void claim_strided(const struct lanes *s, llvm_ref v, llvm_ref first, llvm_ref step) {
    const unsigned count = elements_of(s, s->l->TypeOf(v));
    if (!VERIFIES) return;
    llvm_ref numbers = make_vector(s, s->l->ConstNull(s->f->i32), 0, 1, count);
    llvm_ref is = s->l->BuildBinOp(s->builder, LLVM_MUL, numbers, repeat(s, step, count), "");
    is = s->l->BuildBinOp(s->builder, LLVM_ADD, is, repeat(s, first, count), "");
    claim_equal(s->f, s->builder, s->l->BuildFreeze(s->builder, v, ""), is);
}
static void answer_strided(struct lanes *s, struct strides *t, llvm_ref call) {
    const struct llvm *l = s->l;
    llvm_ref v = l->GetOperand(call, 0), type = l->TypeOf(call), first = NULL, step = NULL;
    const bool is = stride_of(t, v, &first, &step), asks = is_call_of(l, call, LANES_STRIDED);
    l->PositionBuilderBefore(s->builder, call);
    if (is && asks) claim_strided(s, v, first, step);
    if (!is || asks)
        replace(s, call, asks ? l->ConstInt(type, is, 0) : l->ConstNull(type));
    else
        replace(s, call,
                is_call_of(l, call, LANES_TAKE) ? take(s, call, step) : inside(s, call, first, step));
}
static void ask_strided(struct questions *q) {
    llvm_ref first, step;
    for (size_t i = 0; i < q->strided.count; i++)
        stride_of(&q->strides, q->strides.lanes->l->GetOperand(q->strided.items[i], 0), &first, &step);
}

// ---- Addresses of 64 bits ----

// All chunks lie on the line of the first one.
static struct affine wide_answer(struct lanes *s, llvm_ref call) {
    const unsigned chunks = ((unsigned)s->l->GetNumOperands(call) - 1) / 2;
    struct affine first = {0};
    for (unsigned i = 0; i < chunks; i++) {
        const struct affine r =
            wide_of(s, s->l->GetOperand(call, i), s->l->GetOperand(call, chunks + i), call);
        const unsigned lane = elements_of(s, s->l->TypeOf(s->l->GetOperand(call, i))) * i;
        if (r.kind != AFFINE || (i && (r.step != first.step || r.first.number != first.first.number)))
            return (struct affine){0};
        if (r.step && chunks > 1 && r.lane != lane) return (struct affine){0};
        if (!i) first = r;
        first.sure = affine_both(s, first.sure, r.sure);
    }
    return first;
}
// Each lane's two halves are what is said of them, if that is sure.
static void claim_wide(struct lanes *s, llvm_ref call, const struct affine *r) {
    const struct llvm *l = s->l;
    const unsigned chunks = ((unsigned)l->GetNumOperands(call) - 1) / 2;
    for (unsigned i = 0; VERIFIES && i < chunks; i++) {
        llvm_ref lo = l->GetOperand(call, i), hi = l->GetOperand(call, chunks + i);
        const unsigned count = elements_of(s, l->TypeOf(lo));
        llvm_ref type = l->VectorType(s->f->i64, count);
        lo = l->BuildCast(s->builder, LLVM_ZEXT, l->BuildFreeze(s->builder, lo, ""), type, "");
        hi = l->BuildCast(s->builder, LLVM_ZEXT, l->BuildFreeze(s->builder, hi, ""), type, "");
        llvm_ref up = lanes_repeat(s->f, s->builder, l->ConstInt(s->f->i64, 32, 0), count);
        hi = l->BuildBinOp(s->builder, LLVM_SHL, hi, up, "");
        struct affine chunk = *r;
        if (chunk.lane != ANY_LANE) chunk.lane = (uint16_t)(chunk.lane + i * count);
        claim_lanes(s, l->BuildBinOp(s->builder, LLVM_OR, hi, lo, ""), &chunk);
    }
}
static void answer_wide(struct lanes *s, const struct wide_question *q) {
    const struct llvm *l = s->l;
    const struct affine *r = &q->is;
    llvm_ref type = l->TypeOf(q->call);
    if (r->kind != AFFINE) {
        replace(s, q->call, l->ConstNull(type));
        return;
    }
    l->PositionBuilderBefore(s->builder, q->call);
    claim_wide(s, q->call, r);
    llvm_ref yes = l->ConstInt(s->f->i64, 1, 0), unsure = l->ConstNull(s->f->i64), v = l->GetPoison(type);
    if (r->sure.value) {
        unsure = l->BuildCast(s->builder, LLVM_ZEXT, r->sure.value, s->f->i64, "");
        unsure = l->BuildBinOp(s->builder, LLVM_XOR, unsure, yes, "");
    }
    const struct scalar first = r->step && r->lane ? affine_step(s, r, r->lane) : r->first;
    llvm_ref elements[] = {yes, unsure, first.value, l->ConstInt(s->f->i64, (uint64_t)r->step, 0)};
    for (unsigned i = 0; i < 4; i++)
        v = l->BuildInsertElement(s->builder, v, elements[i], l->ConstInt(s->f->i32, i, 0), "");
    replace(s, q->call, v);
}

// All is looked at before anything of it goes.
static void look_at(struct lanes *s, const llvm_ref *items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        llvm_ref vector = s->l->GetOperand(items[i], 0);
        if (element_width(s, s->l->TypeOf(vector))) affine_of(s, vector, 0);
    }
}
static void ask(struct lanes *s, struct questions *q) {
    look_at(s, q->known.items, q->known.count);
    look_at(s, q->apart.items, q->apart.count);
    look_at(s, q->unsure.items, q->unsure.count);
    look_at(s, q->differ.items, q->differ.count);
    look_at(s, q->elements.items, q->elements.count);
    ask_strided(q);
    for (size_t i = 0; i < q->wide.count; i++) {
        struct wide_question *one = &q->wide.items[i];
        if (!one->is_looked_at) one->is = wide_answer(s, one->call);
        one->is_looked_at = true;
    }
}
static void answer(struct lanes *s, struct questions *q) {
    ask(s, q);
    claim_affine_ones(s);
    for (size_t i = 0; i < q->known.count; i++) answer_known(s, q->known.items[i]);
    for (size_t i = 0; i < q->apart.count; i++) answer_apart(s, q->apart.items[i]);
    for (size_t i = 0; i < q->unsure.count; i++) answer_unsure(s, q->unsure.items[i]);
    for (size_t i = 0; i < q->differ.count; i++) answer_differ(s, q->differ.items[i]);
    for (size_t i = 0; i < q->wide.count; i++) answer_wide(s, &q->wide.items[i]);
    for (size_t i = 0; i < q->strided.count; i++) answer_strided(s, &q->strides, q->strided.items[i]);
    for (size_t i = 0; i < q->elements.count; i++) answer_element(s, &q->strides, q->elements.items[i]);
    for (size_t i = 0; i < q->affines.count; i++) {
        llvm_ref call = q->affines.items[i];
        const uint64_t lane = s->l->ConstIntGetZExtValue(s->l->GetOperand(call, 1));
        s->l->PositionBuilderBefore(s->builder, call);
        replace(s, call,
                make_vector(s, s->l->GetOperand(call, 0), lane, 1, elements_of(s, s->l->TypeOf(call))));
    }
}

bool lanes_resolve(const struct fuse *f, llvm_ref function) {
    struct lanes s;
    struct questions q = {.strides.lanes = &s};
    struct loops loops = {0};
    bool ok = affine_begin(&s, f) && find_questions(f->l, function, &q);
    if (q.affines.count) ok = ok && parts_split(&s, function);
    ok = ok && loops_find(&s, function, &loops);
    if (ok) {
        if (f->affine) {
            ask(&s, &q);
            dump_affine(&s, function, f->affine);
            for (size_t i = 0; i < q.wide.count; i++)
                dump_addresses(&s, q.wide.items[i].call, &q.wide.items[i].is, f->affine);
        }
        answer(&s, &q);
        loops_answer(&s, &loops);
    }
    affine_end(&s);
    loops_free(&loops);
    array_free(&q.wide);
    array_free(&q.known);
    array_free(&q.apart);
    array_free(&q.unsure);
    array_free(&q.differ);
    array_free(&q.affines);
    array_free(&q.elements);
    array_free(&q.strided);
    strides_free(&q.strides);
    return ok && !s.failed;
}

llvm_ref lanes_declare(const struct fuse *f, const char *name, llvm_ref type) {
    static const char *const pure[] = {"memory", "nounwind", "willreturn"};
    const struct llvm *l = f->l;
    llvm_ref function = l->AddFunction(f->module, name, type);
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++) {
        const unsigned kind = l->GetEnumAttributeKindForName(pure[i], strlen(pure[i]));
        llvm_ref attribute = l->CreateEnumAttribute(f->context, kind, 0);
        l->AddAttributeAtIndex(function, (unsigned)LLVM_FUNCTION_INDEX, attribute);
    }
    return function;
}

llvm_ref lanes_affine(const struct fuse *f, llvm_ref first, unsigned lane, unsigned count) {
    const struct llvm *l = f->l;
    char name[32];
    snprintf(name, sizeof name, LANES_AFFINE ".%u", count);
    llvm_ref parameters[] = {f->i32, f->i32}, arguments[] = {first, l->ConstInt(f->i32, lane, 0)};
    llvm_ref type = l->FunctionType(l->VectorType(f->i32, count), parameters, 2, 0);
    llvm_ref function = l->GetNamedFunction(f->module, name);
    if (!function) function = lanes_declare(f, name, type);
    return l->BuildCall2(f->builder, type, function, arguments, 2, "");
}
