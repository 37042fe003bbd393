// SPDX-License-Identifier: MIT
// Wholes of halves (wholes.h). What two halves come from is read from the instructions that made them
// (`split_of`). The whole is made where it is wanted, as all that it needs is known there; LLVM joins what is
// made twice. The whole of two phis is made once, in their block.
#include "jit/wholes.h"

#include "jit/dump.h"
#include "jit/verify.h"

// They bound the time: a sum asks for two wholes, a phi for as many as ways lead to it.
enum { MOST_PHIS = 200, DEEPEST_PHI = 12, DEEPEST = 5 };

// A number of 64 bits. `high` is NULL where it has zeros there, or the sign of `low`.
struct number {
    llvm_ref low, high;
    bool is_signed;
};
enum form {
    NO_FORM,
    NUMBER,   // a constant
    CUT,      // from `cut`
    CARRIED,  // phis of one block
    EXTENDED, // from its low half
    SHIFTED,  // of[0] << by
    SUM,      // of[0] + of[1]
};
struct split {
    enum form form;
    unsigned by;
    llvm_ref cut;
    struct number of[2];
};

// Two phis of one block and their whole; NULL where there is none.
struct pair {
    llvm_ref low, high, whole;
    bool is_asked; // by what comes into it
};
struct wholes {
    const struct llvm *l;
    llvm_ref builder, i32, i64;
    ARRAY(struct pair) pairs;
    unsigned phis; // in the making
    bool failed;
};

// ---- What halves come from ----

static bool is(const struct wholes *w, llvm_ref v, int op) {
    return w->l->IsAInstruction(v) && w->l->GetInstructionOpcode(v) == op;
}
static bool known(const struct wholes *w, llvm_ref v, uint64_t *n) {
    if (!w->l->IsAConstantInt(v)) return false;
    *n = w->l->ConstIntGetZExtValue(v);
    return true;
}
// `v` is OP of something and a constant.
static bool is_by(const struct wholes *w, llvm_ref v, int op, llvm_ref *of, uint64_t *n) {
    if (!is(w, v, op) || !known(w, w->l->GetOperand(v, 1), n)) return false;
    *of = w->l->GetOperand(v, 0);
    return true;
}
// `v` has the sign of x in all bits from bit `from` on.
static bool is_sign(const struct wholes *w, llvm_ref v, llvm_ref x, unsigned from) {
    llvm_ref of;
    uint64_t n;
    return is_by(w, v, LLVM_ASHR, &of, &n) && of == x && n + from >= 31;
}

// `high` is that of a number shifted to the left by `by`, whose low half is x.
static bool shifted(const struct wholes *w, llvm_ref x, unsigned by, llvm_ref high, struct number *of) {
    llvm_ref from;
    uint64_t n;
    *of = (struct number){.low = x};
    if (is_by(w, high, LLVM_LSHR, &from, &n) && from == x && n == 32 - by) return true;
    if (is_call_of(w->l, high, "llvm.fshl.")) { // bits of x that move up, below those of another half
        llvm_ref above = w->l->GetOperand(high, 0);
        *of = (struct number){x, above, false};
        return w->l->GetOperand(high, 1) == x && known(w, w->l->GetOperand(high, 2), &n) && n == by;
    }
    of->is_signed = true;
    if (is_by(w, high, LLVM_ASHR, &from, &n) && from == x && n == 32 - by) return true;
    if (!is(w, high, LLVM_OR) && !is(w, high, LLVM_ADD)) return false;
    for (unsigned i = 0; i < 2; i++) { // bits of x that move up, and those above them
        llvm_ref up = w->l->GetOperand(high, i), above = w->l->GetOperand(high, 1 - i);
        if (!is_by(w, up, LLVM_LSHR, &from, &n) || from != x || n != 32 - by) continue;
        if (is_by(w, above, LLVM_AND, &from, &n) && (uint32_t)n == 0u - (1u << by) && is_sign(w, from, x, by))
            return true;
        if (!is_by(w, above, LLVM_SHL, &from, &n) || n != by) continue;
        if (!is_sign(w, from, x, 0)) *of = (struct number){x, from, false};
        return true;
    }
    return false;
}

// The bit says that a + b = `low` has a carry.
static bool is_carry(const struct wholes *w, llvm_ref bit, llvm_ref low, llvm_ref a, llvm_ref b) {
    uint64_t n, than;
    if (!is(w, bit, LLVM_ICMP)) return false;
    llvm_ref left = w->l->GetOperand(bit, 0), right = w->l->GetOperand(bit, 1);
    const int predicate = w->l->GetICmpPredicate(bit);
    if (predicate == LLVM_ULT) return left == low && (right == a || right == b);
    if (predicate != LLVM_UGT) return false;
    if (right == low) return left == a || left == b;
    if (left != a && left != b) return false; // a term is greater than what the other one lacks to 2^32 - 1
    llvm_ref other = left == a ? b : a, of;
    if (is_by(w, right, LLVM_XOR, &of, &n)) return of == other && (uint32_t)n == UINT32_MAX;
    return known(w, other, &n) && known(w, right, &than) && (uint32_t)than == ~(uint32_t)n;
}

// Terms of the high half of low = a + b.
struct terms {
    llvm_ref low, a, b, of[2];
    unsigned count, carries;
};
// False: they are too many.
static bool find_terms(const struct wholes *w, llvm_ref v, unsigned depth, struct terms *t) {
    const struct llvm *l = w->l;
    if (is(w, v, LLVM_ZEXT) && is_carry(w, l->GetOperand(v, 0), t->low, t->a, t->b)) {
        t->carries++;
        return true;
    }
    if (depth && is(w, v, LLVM_ADD))
        return find_terms(w, l->GetOperand(v, 0), depth - 1, t) &&
               find_terms(w, l->GetOperand(v, 1), depth - 1, t);
    if (t->count == 2) return false;
    t->of[t->count++] = v;
    return true;
}

static struct split split_of(const struct wholes *w, struct number v, unsigned depth);
static bool has_form(const struct wholes *w, llvm_ref low, llvm_ref high, unsigned depth) {
    return split_of(w, (struct number){low, high, false}, depth - 1).form != NO_FORM;
}
// A sum is right whichever low half a high half goes with. Those are taken that are halves of something.
static bool summed(const struct wholes *w, struct number v, unsigned depth, struct split *of) {
    const struct llvm *l = w->l;
    const bool is_or = is(w, v.low, LLVM_OR) && l->GetIsDisjoint(v.low);
    if (!depth || (!is_or && !is(w, v.low, LLVM_ADD))) return false;
    struct terms t = {.low = v.low, .a = l->GetOperand(v.low, 0), .b = l->GetOperand(v.low, 1)};
    if (is_or) // it has no carry
        t.of[t.count++] = v.high;
    else if (!find_terms(w, v.high, 2, &t) || t.carries != 1)
        return false;
    const bool is_straight = !t.count || has_form(w, t.a, t.of[0], depth) ||
                             (t.of[1] && has_form(w, t.b, t.of[1], depth)),
               swap = !is_straight && has_form(w, t.b, t.of[0], depth);
    *of = (struct split){.form = SUM, .of = {{t.a, t.of[swap], false}, {t.b, t.of[!swap], false}}};
    return true;
}

static struct split split_of(const struct wholes *w, struct number v, unsigned depth) {
    const struct llvm *l = w->l;
    struct split of = {.form = EXTENDED, .of = {v}};
    llvm_ref from;
    uint64_t n, high;
    if (!v.high) return of;
    if (known(w, v.low, &n) && known(w, v.high, &high)) return (struct split){.form = NUMBER};
    of.of[0] = (struct number){v.low, NULL, is_sign(w, v.high, v.low, 0)};
    if (of.of[0].is_signed || (known(w, v.high, &high) && !high)) return of;
    if (is(w, v.low, LLVM_PHI) && is(w, v.high, LLVM_PHI) &&
        l->GetInstructionParent(v.low) == l->GetInstructionParent(v.high))
        return (struct split){.form = CARRIED};
    if (is(w, v.low, LLVM_TRUNC) && is(w, v.high, LLVM_TRUNC)) {
        of = (struct split){.form = CUT, .cut = l->GetOperand(v.low, 0)};
        if (l->TypeOf(of.cut) == w->i64 && is_by(w, l->GetOperand(v.high, 0), LLVM_LSHR, &from, &n) &&
            from == of.cut && n == 32)
            return of;
    }
    of = (struct split){.form = SHIFTED};
    if (is_by(w, v.low, LLVM_SHL, &from, &n) && n && n < 32 &&
        shifted(w, from, (unsigned)n, v.high, &of.of[0])) {
        of.by = (unsigned)n;
        return of;
    }
    return summed(w, v, depth, &of) ? of : (struct split){.form = NO_FORM};
}

// ---- Wholes ----

static llvm_ref widened(const struct wholes *w, llvm_ref v, bool is_signed) {
    return w->l->BuildCast(w->builder, is_signed ? LLVM_SEXT : LLVM_ZEXT, v, w->i64, "");
}
static llvm_ref by_number(const struct wholes *w, int op, llvm_ref v, uint64_t n) {
    return w->l->BuildBinOp(w->builder, op, v, w->l->ConstInt(w->i64, n, 0), "");
}
static llvm_ref put_together(const struct wholes *w, struct number v) {
    llvm_ref low = widened(w, v.low, v.is_signed);
    if (!v.high) return low;
    return w->l->BuildBinOp(w->builder, LLVM_OR, by_number(w, LLVM_SHL, widened(w, v.high, false), 32), low,
                            "");
}

static llvm_ref whole_phi(struct wholes *w, struct number v);
// The whole, made before an instruction. `is_whole`: it was not just put together of its halves.
static llvm_ref whole_of(struct wholes *w, struct number v, llvm_ref before, unsigned depth, bool *is_whole) {
    const struct llvm *l = w->l;
    const struct split s = split_of(w, v, depth);
    llvm_ref made = s.form == CARRIED ? whole_phi(w, v) : s.form == CUT ? s.cut : NULL;
    bool ignored;
    *is_whole = s.form != NO_FORM && (s.form != CARRIED || made);
    if (made) return made;
    if (s.form == SHIFTED) made = whole_of(w, s.of[0], before, depth ? depth - 1 : 0, &ignored);
    if (s.form == SUM) {
        made = whole_of(w, s.of[0], before, depth - 1, &ignored);
        llvm_ref other = whole_of(w, s.of[1], before, depth - 1, &ignored);
        l->PositionBuilderBefore(w->builder, before);
        return l->BuildBinOp(w->builder, LLVM_ADD, made, other, "");
    }
    l->PositionBuilderBefore(w->builder, before);
    if (s.form == SHIFTED) return by_number(w, LLVM_SHL, made, s.by);
    return put_together(w, s.form == EXTENDED ? s.of[0] : v);
}

static struct pair *pair_of(struct wholes *w, struct number v) {
    for (size_t i = 0; i < w->pairs.count; i++)
        if (w->pairs.items[i].low == v.low && w->pairs.items[i].high == v.high) return &w->pairs.items[i];
    return NULL;
}
// What comes into a phi from a block, among its first `count` ways.
static llvm_ref comes_from(const struct llvm *l, llvm_ref phi, unsigned count, llvm_ref block) {
    for (unsigned i = 0; i < count; i++)
        if (l->GetIncomingBlock(phi, i) == block) return l->GetIncomingValue(phi, i);
    return NULL;
}
// It is worth it where something that comes in is more than two halves, such as a sum of the phi itself.
static llvm_ref whole_phi(struct wholes *w, struct number v) {
    const struct llvm *l = w->l;
    struct pair *p = pair_of(w, v);
    if (p) p->is_asked = true;
    if (p || w->pairs.count == MOST_PHIS || w->phis == DEEPEST_PHI) return p ? p->whole : NULL;
    const size_t at = w->pairs.count;
    l->PositionBuilderBefore(w->builder, l->GetFirstInstruction(l->GetInstructionParent(v.low)));
    llvm_ref phi = l->BuildPhi(w->builder, w->i64, "");
    if (!array_push(&w->pairs, (struct pair){v.low, v.high, phi, false})) {
        w->failed = true;
        return NULL;
    }
    bool is_worth = false;
    w->phis++;
    for (unsigned i = 0; i < l->CountIncoming(v.low); i++) {
        llvm_ref block = l->GetIncomingBlock(v.low, i), whole = comes_from(l, phi, i, block);
        const struct number in = {l->GetIncomingValue(v.low, i),
                                  comes_from(l, v.high, l->CountIncoming(v.high), block), false};
        bool is_whole = false;
        if (!whole) whole = whole_of(w, in, l->GetBasicBlockTerminator(block), DEEPEST, &is_whole);
        l->AddIncoming(phi, &whole, &block, 1);
        is_worth |= is_whole;
    }
    w->phis--;
    if (is_worth || w->pairs.items[at].is_asked) return phi;
    w->pairs.items[at].whole = NULL;
    l->InstructionEraseFromParent(phi);
    return NULL;
}

// ---- A function ----

// A number that puts two halves together, and adds to them.
struct joint {
    llvm_ref value;
    struct number halves;
    uint64_t add;
};
static bool is_joint(const struct wholes *w, llvm_ref v, struct joint *of) {
    const struct llvm *l = w->l;
    const bool adds = is(w, v, LLVM_ADD);
    if ((!adds && !is(w, v, LLVM_OR)) || l->TypeOf(v) != w->i64) return false;
    for (unsigned i = 0; i < 2; i++) {
        llvm_ref high = l->GetOperand(v, i), low = l->GetOperand(v, 1 - i), from;
        uint64_t n;
        *of = (struct joint){.value = v};
        if (!is_by(w, high, LLVM_SHL, &from, &n) || n != 32 || !is(w, from, LLVM_ZEXT)) continue;
        if (adds) is_by(w, low, LLVM_ADD, &low, &of->add);
        if (!is(w, low, LLVM_ZEXT)) continue;
        of->halves = (struct number){l->GetOperand(low, 0), l->GetOperand(from, 0), false};
        return l->TypeOf(of->halves.low) == w->i32 && l->TypeOf(of->halves.high) == w->i32;
    }
    return false;
}

// Halves that are phis are cut from their whole from now on.
static void cut(const struct wholes *w, const struct pair *p) {
    const struct llvm *l = w->l;
    llvm_ref behind = p->whole;
    while (l->GetInstructionOpcode(behind) == LLVM_PHI) behind = l->GetNextInstruction(behind);
    l->PositionBuilderBefore(w->builder, behind);
    llvm_ref low = l->BuildCast(w->builder, LLVM_TRUNC, p->whole, w->i32, "");
    llvm_ref high = by_number(w, LLVM_LSHR, p->whole, 32);
    l->ReplaceAllUsesWith(p->low, low);
    l->ReplaceAllUsesWith(p->high, l->BuildCast(w->builder, LLVM_TRUNC, high, w->i32, ""));
}

static void make_whole(struct wholes *w, const struct fuse *f, const struct joint *j, struct text *shown) {
    const struct llvm *l = f->l;
    bool is_whole;
    llvm_ref whole = whole_of(w, j->halves, j->value, DEEPEST, &is_whole);
    if (!is_whole) return; // what was made has no users: LLVM drops it
    l->PositionBuilderBefore(w->builder, j->value);
    if (j->add) whole = by_number(w, LLVM_ADD, whole, j->add);
    if (shown) dump_whole(f, j->value, whole, shown);
    l->ReplaceAllUsesWith(j->value, whole);
    if (!VERIFIES) return;
    l->PositionBuilderBefore(w->builder, l->GetNextInstruction(j->value));
    llvm_ref is = l->BuildFreeze(w->builder, j->value, "");
    verify_claim(f, w->builder, l->BuildICmp(w->builder, LLVM_EQ, is, whole, ""));
}

bool wholes_make(const struct fuse *f, llvm_ref function, struct text *shown) {
    const struct llvm *l = f->l;
    struct wholes w = {.l = l, .i32 = f->i32, .i64 = f->i64};
    ARRAY(struct joint) joints = {0};
    struct joint j;
    for (llvm_ref b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b))
        for (llvm_ref i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i))
            if (is_joint(&w, i, &j)) w.failed |= !array_push(&joints, j);
    w.builder = l->CreateBuilderInContext(f->context);
    for (size_t i = 0; i < joints.count && !w.failed; i++) make_whole(&w, f, &joints.items[i], shown);
    // Claims compare wholes with halves that are made as they were.
    for (size_t i = 0; i < w.pairs.count && !VERIFIES; i++)
        if (w.pairs.items[i].whole) cut(&w, &w.pairs.items[i]);
    l->DisposeBuilder(w.builder);
    array_free(&joints);
    array_free(&w.pairs);
    return !w.failed;
}
