// SPDX-License-Identifier: MIT
// Which vectors of loops are affine vectors (loops.h). All that may be are taken for affine vectors at first,
// of the step with which they come into the loop. What an iteration makes of them then has to agree. Those
// with which it does not are left out, and the others are looked at again, until nothing changes: then what
// was taken for granted holds for the first iteration, and in each for the next one. Everything is bounded by
// numbers below, as one round looks at the whole function.
#include "jit/loops.h"
#include "base/hash.h"

#include <stdio.h>
#include <string.h>

#include "jit/lanes.h"
#include "jit/verify.h"

// The second number of each: where something is kept, and so nearly all is carried by the loop over waves.
enum { MOST_CARRIED = 400, MOST_CARRIED_KEPT = 1500 };
enum { MOST_ROUNDS = 8, MOST_ROUNDS_KEPT = 60, MOST_LOOKS = 4, MOST_LOOKS_KEPT = 60 };
static size_t most_carried(const struct loops *loops) {
    return loops->restored.count ? MOST_CARRIED_KEPT : MOST_CARRIED;
}

// ---- Questions ----

llvm_ref loops_ask(const struct fuse *f) {
    const struct llvm *l = f->l;
    llvm_ref parameters[] = {f->i32};
    llvm_ref type = l->FunctionType(l->Int1TypeInContext(f->context), parameters, 1, 0);
    llvm_ref function = l->GetNamedFunction(f->module, LOOPS_LOST);
    if (!function) function = lanes_declare(f, LOOPS_LOST, type);
    uint64_t number = 0;
    for (llvm_ref use = l->GetFirstUse(function); use; use = l->GetNextUse(use)) number++;
    llvm_ref argument = l->ConstInt(f->i32, number, 0);
    return l->BuildCall2(f->builder, type, function, &argument, 1, "");
}

// The way into a loop that the question guards, where LLVM has left it as it was: its answer alone decides.
static bool is_gate(const struct llvm *l, llvm_ref question, struct gate *g) {
    llvm_ref block = l->GetInstructionParent(question), end = l->GetBasicBlockTerminator(block),
             use = l->GetFirstUse(question);
    if (!end || l->GetInstructionOpcode(end) != LLVM_BR || l->GetNumOperands(end) != 3) return false;
    if (!use || l->GetUser(use) != end || l->GetNextUse(use)) return false;
    *g = (struct gate){question, block, l->GetSuccessor(end, 1)};
    return l->GetSuccessor(end, 0) != g->head;
}

static bool find_gates(const struct llvm *l, llvm_ref function, struct loops *loops) {
    bool ok = true;
    for (llvm_ref b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b))
        for (llvm_ref i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i)) {
            struct gate g;
            if (!is_call_of(l, i, LOOPS_LOST)) continue;
            ok = ok && array_push(&loops->questions, i);
            if (is_gate(l, i, &g)) ok = ok && array_push(&loops->gates, g);
        }
    return ok;
}
static bool has_gate(const struct loops *loops, llvm_ref block, llvm_ref head) {
    for (size_t i = 0; i < loops->gates.count; i++)
        if (loops->gates.items[i].block == block && loops->gates.items[i].head == head) return true;
    return false;
}

// ---- What is kept ----

// These stay where they are, in order: they change what nobody else sees.
enum { OWN_MEMORY = 3 << 2, READS_ARGUMENT = 1 };
static llvm_ref own_function(const struct fuse *f, const char *name, llvm_ref type, unsigned memory) {
    const struct llvm *l = f->l;
    llvm_ref function = l->GetNamedFunction(f->module, name);
    if (function) return function;
    function = l->AddFunction(f->module, name, type);
    const struct {
        const char *name;
        uint64_t value;
    } own[] = {{"memory", memory}, {"nounwind", 0}, {"willreturn", 0}, {"noduplicate", 0}, {"nomerge", 0}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const unsigned kind = l->GetEnumAttributeKindForName(own[i].name, strlen(own[i].name));
        llvm_ref attribute = l->CreateEnumAttribute(f->context, kind, own[i].value);
        l->AddAttributeAtIndex(function, (unsigned)LLVM_FUNCTION_INDEX, attribute);
    }
    return function;
}
void loops_keep(const struct fuse *f, llvm_ref v, uint64_t number) {
    const struct llvm *l = f->l;
    llvm_ref parameters[] = {l->TypeOf(v), f->i32}, arguments[] = {v, l->ConstInt(f->i32, number, 0)};
    llvm_ref type = l->FunctionType(f->void_type, parameters, 2, 0);
    l->BuildCall2(f->builder, type, own_function(f, LOOPS_KEPT, type, OWN_MEMORY), arguments, 2, "");
}
llvm_ref loops_restore(const struct fuse *f, llvm_ref from, uint64_t number) {
    const struct llvm *l = f->l;
    llvm_ref parameters[] = {f->pointer, f->i32}, arguments[] = {from, l->ConstInt(f->i32, number, 0)};
    llvm_ref type = l->FunctionType(l->VectorType(f->i32, f->vector_bytes / 4), parameters, 2, 0);
    llvm_ref function = own_function(f, LOOPS_RESTORED, type, OWN_MEMORY | READS_ARGUMENT);
    return l->BuildCall2(f->builder, type, function, arguments, 2, "");
}

static bool find_kept(const struct llvm *l, llvm_ref function, struct loops *loops) {
    bool ok = true;
    for (llvm_ref b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b))
        for (llvm_ref i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i)) {
            if (is_call_of(l, i, LOOPS_KEPT)) ok = ok && array_push(&loops->kept, i);
            if (is_call_of(l, i, LOOPS_RESTORED)) ok = ok && array_push(&loops->restored, i);
        }
    return ok;
}
static uint64_t number_of(const struct llvm *l, llvm_ref call) {
    return l->ConstIntGetZExtValue(l->GetOperand(call, 1));
}
// What was kept under that number, if that is at one place of the code.
static llvm_ref kept_as(const struct llvm *l, const struct loops *loops, uint64_t number) {
    llvm_ref found = NULL;
    for (size_t i = 0; i < loops->kept.count; i++) {
        if (number_of(l, loops->kept.items[i]) != number) continue;
        if (found) return NULL;
        found = loops->kept.items[i];
    }
    return found;
}
static bool is_kept(const struct llvm *l, const struct loops *loops, uint64_t number) {
    for (size_t i = 0; i < loops->kept.count; i++)
        if (number_of(l, loops->kept.items[i]) == number) return true;
    return false;
}
bool loops_drop(const struct fuse *f, llvm_ref function, bool *any) {
    const struct llvm *l = f->l;
    struct loops loops = {0};
    llvm_ref builder = l->CreateBuilderInContext(f->context), block = NULL;
    const bool ok = find_kept(l, function, &loops);
    *any = false;
    for (size_t i = 0; ok && i < loops.restored.count; i++) {
        llvm_ref call = loops.restored.items[i];
        if (l->GetInstructionParent(call) == block || is_kept(l, &loops, number_of(l, call))) continue;
        block = l->GetInstructionParent(call);
        l->PositionBuilderBefore(builder, call);
        l->BuildStore(builder, l->ConstInt(f->i32, 0, 0), l->GetPoison(f->pointer)); // cannot be reached
        *any = true;
    }
    l->DisposeBuilder(builder);
    loops_free(&loops);
    return ok;
}
static bool find_restored(const struct lanes *s, struct loops *loops) {
    const struct llvm *l = s->l;
    bool ok = true;
    for (size_t i = 0; i < loops->restored.count && loops->carried.count < MOST_CARRIED_KEPT; i++) {
        llvm_ref call = loops->restored.items[i];
        struct carried c = {.value = call, .head = l->GetInstructionParent(call)};
        if ((c.kept = kept_as(l, loops, number_of(l, call)))) ok = ok && array_push(&loops->carried, c);
    }
    return ok;
}

// ---- What loops carry ----

static bool add_phis(const struct lanes *s, struct loops *loops, llvm_ref head) {
    const struct llvm *l = s->l;
    bool ok = true;
    llvm_ref i = l->GetFirstInstruction(head);
    for (; i && l->GetInstructionOpcode(i) == LLVM_PHI; i = l->GetNextInstruction(i)) {
        const unsigned width = element_width(s, l->TypeOf(i));
        if (!elements_of(s, l->TypeOf(i)) || width < 2 || width > 64) continue;
        if (loops->carried.count == most_carried(loops)) return ok;
        struct carried c = {.value = i, .head = head};
        ok = ok && array_push(&loops->carried, c);
    }
    return ok;
}
static bool is_head(const struct loops *loops, llvm_ref block, size_t gates) {
    for (size_t g = 0; g < gates; g++)
        if (loops->gates.items[g].head == block) return true;
    return false;
}
// Where something comes back, all places where ways meet count: nearly all lies in the loop over waves.
static bool find_carried(const struct lanes *s, llvm_ref function, struct loops *loops) {
    const struct llvm *l = s->l;
    bool ok = true;
    for (size_t g = 0; g < loops->gates.count; g++)
        if (!is_head(loops, loops->gates.items[g].head, g))
            ok = ok && add_phis(s, loops, loops->gates.items[g].head);
    for (llvm_ref b = loops->restored.count ? l->GetFirstBasicBlock(function) : NULL; b && ok;
         b = l->GetNextBasicBlock(b))
        if (!is_head(loops, b, loops->gates.count)) ok = add_phis(s, loops, b);
    return ok;
}

static unsigned ways_of(const struct lanes *s, const struct carried *c) {
    return c->kept ? 1 : s->l->CountIncoming(c->value);
}
static struct affine comes_in(struct lanes *s, const struct carried *c, unsigned way) {
    llvm_ref v = c->kept ? s->l->GetOperand(c->kept, 0) : s->l->GetIncomingValue(c->value, way);
    return affine_of(s, v, 0);
}

// The wave's first lane, from the first one that is kept there.
static llvm_ref load_first(struct lanes *s, const struct carried *c, const struct affine *r) {
    const struct llvm *l = s->l;
    l->PositionBuilderBefore(s->builder, c->value);
    llvm_ref v = l->BuildLoad2(s->builder, s->f->i32, l->GetOperand(c->value, 0), "");
    if (r->lane == ANY_LANE || !r->step) return v;
    llvm_ref before = l->ConstInt(s->f->i32, (uint32_t)(0 - (uint64_t)r->step * r->lane), 0);
    return l->BuildBinOp(s->builder, LLVM_ADD, v, before, "");
}
// A new phi for the first lane, before the others of its block.
static llvm_ref make_first(struct lanes *s, struct loops *loops, const struct carried *c,
                           const struct affine *r) {
    const struct llvm *l = s->l;
    if (c->kept) return load_first(s, c, r);
    l->PositionBuilderBefore(s->builder, l->GetFirstInstruction(c->head));
    llvm_ref phi = l->BuildPhi(s->builder, l->GetElementType(l->TypeOf(c->value)), "");
    if (!array_push(&loops->firsts, phi)) s->failed = true;
    return phi;
}

// Those of one loop that come in alike have one first lane, as long as iterations make the same of them.
static void assume(struct lanes *s, struct loops *loops, size_t at, struct affine r, unsigned way) {
    struct carried *c = &loops->carried.items[at];
    const struct carried *alike = NULL;
    if (c->is_assumed || c->is_none) return;
    c->way = way;
    c->number = r.first.number;
    for (size_t i = 0; i < loops->carried.count && !alike; i++) {
        const struct carried *o = &loops->carried.items[i];
        if (o->is_assumed && o->head == c->head && o->group == c->group && o->way == way &&
            o->number == c->number && o->affine.step == r.step &&
            s->l->TypeOf(o->affine.first.value) == s->l->TypeOf(r.first.value))
            alike = o;
    }
    const uint16_t lane = c->has_lane ? c->affine.lane : r.lane;
    c->affine = (struct affine){.kind = AFFINE, .lane = lane, .step = r.step};
    c->affine.first = alike ? alike->affine.first : affine_leaf(s, make_first(s, loops, c, &c->affine));
    c->is_assumed = true;
    affine_assume(s, c->value, c->affine);
}

// Takes for affine vectors what comes in as one anywhere, while that is found of more of them.
static void assume_all(struct lanes *s, struct loops *loops) {
    const size_t count = loops->carried.count;
    const unsigned most = loops->restored.count ? MOST_LOOKS_KEPT : MOST_LOOKS;
    for (unsigned looks = 0; looks < most; looks++) {
        bool is_more = false;
        for (size_t i = 0; i < count && !s->failed; i++) {
            struct carried *c = &loops->carried.items[i];
            const unsigned ways = ways_of(s, c);
            for (unsigned k = 0; k < ways && !c->is_assumed && !c->is_none; k++) {
                const struct affine r = comes_in(s, c, k);
                if (r.kind != AFFINE) continue;
                assume(s, loops, i, r, k);
                is_more = true;
            }
        }
        if (!is_more) return;
        affine_forget(s); // what was none may be one now
        for (size_t i = 0; i < count; i++)
            if (loops->carried.items[i].is_assumed)
                affine_assume(s, loops->carried.items[i].value, loops->carried.items[i].affine);
    }
}

// Whether all that comes in is the affine vector that was assumed, or can be where the question lets it in.
// Of lanes that all have the same it is found here which they are.
static bool holds(struct lanes *s, const struct loops *loops, struct carried *c) {
    const unsigned ways = ways_of(s, c);
    for (unsigned k = 0; k < ways; k++) {
        const struct affine r = comes_in(s, c, k);
        if (r.kind != AFFINE || r.step != c->affine.step ||
            (r.sure.value && (c->kept || !has_gate(loops, s->l->GetIncomingBlock(c->value, k), c->head)))) {
            c->is_none = true;
            return false;
        }
        if (r.lane == c->affine.lane || r.lane == ANY_LANE) continue;
        c->is_none |= c->affine.lane != ANY_LANE;
        c->affine.lane = r.lane;
        c->has_lane = true;
        return false;
    }
    return true;
}
static bool comes_in_alike(struct lanes *s, const struct carried *a, const struct carried *b) {
    const unsigned ways = ways_of(s, a);
    if (a->makes != b->makes) return false;
    for (unsigned k = 0; k < ways; k++)
        if (comes_in(s, a, k).first.number != comes_in(s, b, k).first.number) return false;
    return true;
}
static uint64_t what_comes_in(struct lanes *s, const struct carried *c) {
    const unsigned ways = ways_of(s, c);
    uint64_t hash = 0;
    for (unsigned k = 0; k < ways; k++) hash = hash_number(hash ^ comes_in(s, c, k).first.number);
    return hash;
}
// Whether those that have one first lane have one in the next iteration, too; those that have not are parted.
static bool agree(struct lanes *s, struct loops *loops) {
    struct carried *all = loops->carried.items;
    bool agree = true;
    for (uint32_t i = 0; i < loops->carried.count; i++) {
        struct carried *c = &all[i];
        if (!c->is_assumed) continue;
        const struct carried *first = NULL, *alike = NULL;
        c->makes = what_comes_in(s, c);
        for (uint32_t k = 0; k < i && !alike; k++) {
            if (!all[k].is_assumed || all[k].affine.first.number != c->affine.first.number) continue;
            if (!first) first = &all[k];
            if (comes_in_alike(s, &all[k], c)) alike = &all[k];
        }
        c->group = alike ? alike->group : i + 1;
        agree &= alike == first;
    }
    return agree;
}

// ---- The whole ----

static void give_up(struct lanes *s, struct loops *loops) {
    for (size_t i = 0; i < loops->carried.count; i++) loops->carried.items[i].is_assumed = false;
    affine_forget(s);
}
static bool try(struct lanes *s, struct loops *loops) {
    bool ok = true;
    give_up(s, loops);
    assume_all(s, loops);
    for (size_t i = 0; i < loops->carried.count; i++)
        if (loops->carried.items[i].is_assumed) ok &= holds(s, loops, &loops->carried.items[i]);
    return ok && agree(s, loops) && !s->failed;
}

// The first lanes of what comes in go into the phis, and the questions get what they ask for.
static void connect(struct lanes *s, struct loops *loops) {
    const struct llvm *l = s->l;
    for (size_t i = 0; i < loops->carried.count; i++) {
        const struct carried *c = &loops->carried.items[i];
        llvm_ref phi = c->affine.first.value;
        if (!c->is_assumed || c->kept) continue;
        const bool is_filled = l->CountIncoming(phi) != 0;
        const unsigned ways = l->CountIncoming(c->value);
        for (unsigned k = 0; k < ways; k++) {
            const struct affine r = comes_in(s, c, k);
            llvm_ref block = l->GetIncomingBlock(c->value, k), first = r.first.value;
            if (!is_filled) l->AddIncoming(phi, &first, &block, 1);
            for (size_t g = 0; g < loops->gates.count; g++) {
                struct gate *gate = &loops->gates.items[g];
                if (gate->block != block || gate->head != c->head) continue;
                l->PositionBuilderBefore(s->builder, gate->question);
                gate->sure = affine_both(s, gate->sure, r.sure);
            }
        }
    }
}

bool loops_find(struct lanes *s, llvm_ref function, struct loops *loops) {
    *loops = (struct loops){0};
    if (!find_gates(s->l, function, loops) || !find_kept(s->l, function, loops)) return false;
    if (!find_restored(s, loops) || !find_carried(s, function, loops)) return false;
    const unsigned most = loops->restored.count ? MOST_ROUNDS_KEPT : MOST_ROUNDS;
    for (unsigned round = 0; round < most && loops->carried.count && !s->failed; round++) {
        if (!try(s, loops)) continue;
        connect(s, loops);
        return !s->failed;
    }
    give_up(s, loops);
    return !s->failed;
}

// The vector that the first lane says.
static llvm_ref vector_of(const struct lanes *s, const struct carried *c) {
    const struct llvm *l = s->l;
    llvm_ref type = l->TypeOf(c->value), element = l->GetElementType(type), steps[MAX_LANES];
    const unsigned count = l->GetVectorSize(type);
    llvm_ref all = lanes_repeat(s->f, s->builder, c->affine.first.value, count);
    if (!c->affine.step) return all;
    for (unsigned i = 0; i < count; i++)
        steps[i] = l->ConstInt(
            element,
            (uint64_t)affine_narrow(c->affine.step * (c->affine.lane + (int64_t)i), element_width(s, type)),
            1);
    return l->BuildBinOp(s->builder, LLVM_ADD, all, l->ConstVector(steps, count), "");
}
static void take_out(const struct lanes *s, const struct carried *c) {
    const struct llvm *l = s->l;
    llvm_ref behind = l->GetFirstInstruction(c->head);
    while (l->GetInstructionOpcode(behind) == LLVM_PHI) behind = l->GetNextInstruction(behind);
    l->PositionBuilderBefore(s->builder, behind);
    llvm_ref vector = vector_of(s, c);
    l->ReplaceAllUsesWith(c->value, vector);
    claim_equal(s->f, s->builder, c->value, vector);
}
// What comes back is loaded, or follows from its first lane.
static void bring_back(const struct lanes *s, llvm_ref call, const struct carried *c) {
    const struct llvm *l = s->l;
    l->PositionBuilderBefore(s->builder, call);
    llvm_ref vector = l->BuildLoad2(s->builder, l->TypeOf(call), l->GetOperand(call, 0), "");
    l->SetAlignment(vector, s->f->vector_bytes);
    if (c) {
        llvm_ref follows = vector_of(s, c);
        claim_equal(s->f, s->builder, vector, follows);
        vector = follows;
    }
    l->ReplaceAllUsesWith(call, vector);
    l->InstructionEraseFromParent(call);
}
static void answer_kept(const struct lanes *s, struct loops *loops) {
    for (size_t i = 0; i < loops->restored.count; i++) {
        const struct carried *of = NULL;
        for (size_t k = 0; k < loops->carried.count && !of; k++) {
            const struct carried *c = &loops->carried.items[k];
            if (c->is_assumed && c->value == loops->restored.items[i]) of = c;
        }
        bring_back(s, loops->restored.items[i], of);
    }
    for (size_t i = 0; i < loops->kept.count; i++) s->l->InstructionEraseFromParent(loops->kept.items[i]);
}
static void answer(const struct lanes *s, llvm_ref question, llvm_ref lost) {
    s->l->ReplaceAllUsesWith(question, lost);
    s->l->InstructionEraseFromParent(question);
}
void loops_answer(struct lanes *s, struct loops *loops) {
    const struct llvm *l = s->l;
    for (size_t i = 0; i < loops->gates.count; i++) {
        const struct gate *g = &loops->gates.items[i];
        if (!g->sure.value) continue;
        l->PositionBuilderBefore(s->builder, g->question);
        llvm_ref yes = l->ConstInt(l->TypeOf(g->question), 1, 0);
        answer(s, g->question, l->BuildBinOp(s->builder, LLVM_XOR, g->sure.value, yes, ""));
        for (size_t k = 0; k < loops->questions.count; k++)
            if (loops->questions.items[k] == g->question) loops->questions.items[k] = NULL;
    }
    for (size_t i = 0; i < loops->questions.count; i++) {
        llvm_ref question = loops->questions.items[i];
        if (question) answer(s, question, l->ConstNull(l->TypeOf(question)));
    }
    for (size_t i = 0; i < loops->carried.count; i++)
        if (loops->carried.items[i].is_assumed && !loops->carried.items[i].kept)
            take_out(s, &loops->carried.items[i]);
    answer_kept(s, loops);
    for (size_t i = 0; i < loops->firsts.count; i++) { // of what was given up
        llvm_ref phi = loops->firsts.items[i];
        if (l->CountIncoming(phi)) continue;
        l->ReplaceAllUsesWith(phi, l->GetPoison(l->TypeOf(phi)));
        l->InstructionEraseFromParent(phi);
    }
}
void loops_free(struct loops *loops) {
    array_free(&loops->carried);
    array_free(&loops->gates);
    array_free(&loops->firsts);
    array_free(&loops->questions);
    array_free(&loops->kept);
    array_free(&loops->restored);
}
