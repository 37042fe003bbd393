// SPDX-License-Identifier: MIT
// What two halves are together is read from the instructions that made them: a sum with its carry, a shift,
// a number that is extended, one of 64 bits that is cut. Other halves are put together where both are affine.
#include "jit/wide.h"

// They bound the time: a sum looks at its halves in two ways.
enum { DEEPEST = 8, MOST_LOOKED = 200 };

struct wide {
    struct lanes *s;
    const struct llvm *l;
    llvm_ref before;
    unsigned looked;
    bool is_strict; // halves that are affine each count only where they need no condition
};

static bool is_a(const struct wide *w, llvm_ref v, int op) {
    return w->l->IsAInstruction(v) && w->l->GetInstructionOpcode(v) == op;
}
static struct affine of_half(const struct wide *w, llvm_ref v) {
    const struct affine r = affine_of(w->s, v, 0);
    w->l->PositionBuilderBefore(w->s->builder, w->before); // looking moves the builder
    return r;
}
// The number that all lanes have.
static bool number(const struct wide *w, llvm_ref v, uint64_t *n) {
    const struct affine r = of_half(w, v);
    return affine_number(w->s, &r, n);
}
static bool is_number(const struct wide *w, llvm_ref v, uint64_t is) {
    uint64_t n;
    return number(w, v, &n) && n == is;
}
// Two vectors are the same, or one number in all lanes.
static bool alike(const struct wide *w, llvm_ref a, llvm_ref b) {
    if (a == b) return true;
    const struct affine x = of_half(w, a), y = of_half(w, b);
    return x.kind == AFFINE && y.kind == AFFINE && x.lane == ANY_LANE && y.lane == ANY_LANE &&
           x.first.number == y.first.number;
}
// `v` is OP of something and a number.
static bool is_by(const struct wide *w, llvm_ref v, int op, llvm_ref *of, uint64_t *n) {
    if (!is_a(w, v, op) || !number(w, w->l->GetOperand(v, 1), n)) return false;
    *of = w->l->GetOperand(v, 0);
    return true;
}

static struct affine look(struct wide *w, llvm_ref lo, llvm_ref hi, unsigned depth);

// ---- Halves that are affine each ----

static llvm_ref i64(const struct wide *w) { return w->s->f->i64; }

static struct affine extended(struct wide *w, llvm_ref v, bool is_signed) {
    struct affine r = of_half(w, v);
    if (r.kind != AFFINE || !affine_in_order(w->s, &r, is_signed)) return (struct affine){0};
    r.first = affine_cast(w->s, is_signed ? LLVM_SEXT : LLVM_ZEXT, r.first, i64(w));
    return r;
}
static struct affine shifted(struct wide *w, const struct affine *a, uint64_t n) {
    const struct affine by = {.kind = AFFINE, .lane = ANY_LANE, .first = affine_constant(w->s, i64(w), n)};
    return a->kind == AFFINE ? affine_shift(w->s, LLVM_SHL, a, &by, 64) : *a;
}
static struct affine put_together(struct wide *w, llvm_ref lo, llvm_ref hi) {
    struct affine above = of_half(w, hi);
    if (above.kind != AFFINE || above.step) return (struct affine){0};
    const struct affine low = extended(w, lo, false);
    if (low.kind != AFFINE) return low;
    above.first = affine_cast(w->s, LLVM_ZEXT, above.first, i64(w));
    above = shifted(w, &above, 32);
    const struct affine r = affine_sum(w->s, LLVM_ADD, &low, &above, 64);
    return w->is_strict && r.sure.value ? (struct affine){0} : r;
}

// ---- Sums ----

// The bit says that a + b = `low` has a carry.
static bool is_carry(const struct wide *w, llvm_ref bit, llvm_ref low, llvm_ref a, llvm_ref b) {
    if (!is_a(w, bit, LLVM_ICMP)) return false;
    llvm_ref left = w->l->GetOperand(bit, 0), right = w->l->GetOperand(bit, 1), of;
    const int predicate = w->l->GetICmpPredicate(bit);
    uint64_t n, than;
    if (predicate == LLVM_ULT) return left == low && (alike(w, right, a) || alike(w, right, b));
    if (predicate != LLVM_UGT) return false;
    if (right == low) return alike(w, left, a) || alike(w, left, b);
    for (unsigned i = 0; i < 2; i++) { // a term is greater than what the other one lacks to 2^32 - 1
        llvm_ref term = i ? b : a, other = i ? a : b;
        if (!alike(w, left, term)) continue;
        if (is_by(w, right, LLVM_XOR, &of, &n) && (uint32_t)n == UINT32_MAX && alike(w, of, other))
            return true;
        if (number(w, other, &n) && number(w, right, &than) && (uint32_t)than == ~(uint32_t)n) return true;
    }
    return false;
}

// Terms of the high half of low = a + b.
struct terms {
    llvm_ref low, a, b, of[2];
    unsigned count, carries;
};
// False: they are too many.
static bool find_terms(const struct wide *w, llvm_ref v, unsigned depth, struct terms *t) {
    const struct llvm *l = w->l;
    if (is_a(w, v, LLVM_ZEXT) && is_carry(w, l->GetOperand(v, 0), t->low, t->a, t->b)) {
        t->carries++;
        return true;
    }
    if (depth && is_a(w, v, LLVM_ADD))
        return find_terms(w, l->GetOperand(v, 0), depth - 1, t) &&
               find_terms(w, l->GetOperand(v, 1), depth - 1, t);
    if (t->count == 2) return false;
    t->of[t->count++] = v;
    return true;
}
static struct affine sum_of(struct wide *w, const struct terms *t, bool swap, unsigned depth) {
    const struct affine a = look(w, t->a, t->of[swap], depth + 1);
    if (a.kind != AFFINE) return a;
    const struct affine b = look(w, t->b, t->of[!swap], depth + 1);
    return b.kind == AFFINE ? affine_sum(w->s, LLVM_ADD, &a, &b, 64) : b;
}
// The two terms and the carry stand in one another's sums in any way. False: these are not all.
static bool sum_terms(const struct wide *w, llvm_ref lo, llvm_ref hi, struct terms *t) {
    static const unsigned deepest[] = {2, 1, 3};
    const struct terms none = {.low = lo, .a = w->l->GetOperand(lo, 0), .b = w->l->GetOperand(lo, 1)};
    for (size_t i = 0; i < sizeof deepest / sizeof *deepest; i++) {
        *t = none;
        if (find_terms(w, hi, deepest[i], t) && t->carries == 1) return true;
    }
    return false;
}
// A sum is right whichever low half a high half goes with: those are looked for that need no condition. NULL
// stands for zero.
static struct affine summed(struct wide *w, llvm_ref lo, llvm_ref hi, unsigned depth) {
    const struct llvm *l = w->l;
    const bool is_or = is_a(w, lo, LLVM_OR) && l->GetIsDisjoint(lo), was_strict = w->is_strict;
    struct affine r = {0};
    if (!is_or && !is_a(w, lo, LLVM_ADD)) return r;
    struct terms t = {
        .low = lo, .a = l->GetOperand(lo, 0), .b = l->GetOperand(lo, 1), .of = {hi}, .count = 1};
    if (!is_or && !sum_terms(w, lo, hi, &t)) return r; // what is OR has no carry
    for (unsigned i = was_strict ? 2 : 0; r.kind != AFFINE && i < 4; i++) {
        w->is_strict = was_strict || i < 2;
        r = sum_of(w, &t, i & 1, depth);
    }
    w->is_strict = was_strict;
    return r;
}

// ---- Forms ----

// `v` has the sign of x in all bits from bit `from` on.
static bool is_sign(const struct wide *w, llvm_ref v, llvm_ref x, unsigned from) {
    llvm_ref of;
    uint64_t n;
    return is_by(w, v, LLVM_ASHR, &of, &n) && of == x && n + from >= 31;
}
// A number before it was shifted to the left: its low half, and its high half, NULL for zero or the sign.
struct source {
    llvm_ref low, above;
    bool is_signed;
};
// `high` is that of a number shifted to the left by n, whose low half is x. LLVM writes that in many ways.
static bool moved_up(const struct wide *w, llvm_ref x, uint64_t n, llvm_ref high, struct source *of) {
    const struct llvm *l = w->l;
    llvm_ref from;
    uint64_t by;
    *of = (struct source){.low = x};
    if (is_by(w, high, LLVM_LSHR, &from, &by) && from == x && by == 32 - n) return true;
    if (is_call_of(l, high, "llvm.fshl.")) {
        of->above = l->GetOperand(high, 0);
        return l->GetOperand(high, 1) == x && is_number(w, l->GetOperand(high, 2), n);
    }
    of->is_signed = true;
    if (is_by(w, high, LLVM_ASHR, &from, &by) && from == x && by == 32 - n) return true;
    if (!is_a(w, high, LLVM_OR) && !is_a(w, high, LLVM_ADD)) return false;
    for (unsigned i = 0; i < 2; i++) { // bits of x that move up, and those above them
        llvm_ref up = l->GetOperand(high, i), above = l->GetOperand(high, 1 - i);
        if (!is_by(w, up, LLVM_LSHR, &from, &by) || from != x || by != 32 - n) continue;
        if (is_by(w, above, LLVM_AND, &from, &by) && (uint32_t)by == 0u - (1u << n) &&
            is_sign(w, from, x, (unsigned)n))
            return true;
        if (!is_by(w, above, LLVM_SHL, &from, &by) || by != n) continue;
        if (!is_sign(w, from, x, 0)) *of = (struct source){x, from, false};
        return true;
    }
    return false;
}
// Both are of one vector of 64-bit numbers.
static llvm_ref cut_from(const struct wide *w, llvm_ref lo, llvm_ref hi) {
    llvm_ref from;
    uint64_t n;
    if (!is_a(w, lo, LLVM_TRUNC) || !is_a(w, hi, LLVM_TRUNC)) return NULL;
    llvm_ref whole = w->l->GetOperand(lo, 0);
    const bool is = is_by(w, w->l->GetOperand(hi, 0), LLVM_LSHR, &from, &n) && from == whole && n == 32;
    return is && element_width(w->s, w->l->TypeOf(whole)) == 64 ? whole : NULL;
}
static struct affine look(struct wide *w, llvm_ref lo, llvm_ref hi, unsigned depth) {
    struct affine r = {0};
    struct source source;
    llvm_ref from;
    uint64_t n;
    if (depth > DEEPEST || ++w->looked > MOST_LOOKED) return r;
    w->l->PositionBuilderBefore(w->s->builder, w->before);
    if (!hi || is_number(w, hi, 0)) return extended(w, lo, false);
    if (is_sign(w, hi, lo, 0)) return extended(w, lo, true);
    if ((from = cut_from(w, lo, hi))) r = of_half(w, from);
    if (r.kind == AFFINE) return r;
    if (is_by(w, lo, LLVM_SHL, &from, &n) && n && n < 32 && moved_up(w, from, n, hi, &source)) {
        r = source.is_signed ? extended(w, from, true) : look(w, from, source.above, depth + 1);
        r = shifted(w, &r, n);
    } else
        r = summed(w, lo, hi, depth);
    return r.kind == AFFINE ? r : put_together(w, lo, hi);
}

struct affine wide_of(struct lanes *s, llvm_ref lo, llvm_ref hi, llvm_ref before) {
    struct wide w = {.s = s, .l = s->l, .before = before};
    return look(&w, lo, hi, 0);
}
