// SPDX-License-Identifier: MIT
// How affine vectors (affine.h) come about. Sums of affine vectors, and their products with constants, are
// affine. A carry, a comparison or a right shift of affine vectors is the same in all lanes if the first and
// the last lane agree and the vector does not wrap between them. Code asks that when it runs, once for the
// wave instead of once a lane; the answer is the condition `sure`.
#include "jit/affine.h"

#include <stdlib.h>
#include <string.h>

#include "jit/lanes.h"
#include "jit/wave_loop.h"

enum { DEEPEST = 400 };

// ---- Tables ----

static size_t hash_of(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t h = (a * 0x9e3779b97f4a7c15 + b) * 0xff51afd7ed558ccd + c;
    h ^= h >> 29;
    h *= 0xc4ceb9fe1a85ec53;
    return (size_t)(h ^ h >> 32);
}

static struct known *known_at(const struct lanes *s, llvm_ref value) {
    size_t i = hash_of((uintptr_t)value, 0, 0) & (s->known_room - 1);
    while (s->known[i].value && s->known[i].value != value) i = (i + 1) & (s->known_room - 1);
    return &s->known[i];
}
void affine_assume(struct lanes *s, llvm_ref value, struct affine affine) {
    if (2 * s->known_count >= s->known_room) {
        struct lanes bigger = *s;
        bigger.known_room = 2 * s->known_room;
        bigger.known = calloc(bigger.known_room, sizeof *bigger.known);
        if (!bigger.known) {
            s->failed = true;
            return;
        }
        for (size_t i = 0; i < s->known_room; i++)
            if (s->known[i].value) *known_at(&bigger, s->known[i].value) = s->known[i];
        free(s->known);
        s->known = bigger.known;
        s->known_room = bigger.known_room;
    }
    struct known *k = known_at(s, value);
    s->known_count += !k->value;
    *k = (struct known){value, affine, false};
}
bool affine_seen(const struct lanes *s, llvm_ref value, struct affine *out) {
    const struct known *k = known_at(s, value);
    if (!k->value || k->is_old || k->affine.kind == NOTHING) return false;
    *out = k->affine;
    return true;
}
void affine_forget(struct lanes *s) {
    for (size_t i = 0; i < s->known_room; i++) s->known[i].is_old = true;
}

// Where the number of what is computed so stands, or will.
static uint32_t *made_at(const struct lanes *s, const struct made *m) {
    size_t i = hash_of((uint64_t)m->op << 32 | m->a, m->b, (uintptr_t)m->type) & (s->index_room - 1);
    for (;; i = (i + 1) & (s->index_room - 1)) {
        const uint32_t number = s->index[i];
        const struct made *has = number ? &s->made.items[number - 1] : NULL;
        if (!has || (has->op == m->op && has->a == m->a && has->b == m->b && has->type == m->type))
            return &s->index[i];
    }
}
static bool make_index(struct lanes *s, size_t room) {
    uint32_t *index = calloc(room, sizeof *index);
    if (!index) return false;
    free(s->index);
    s->index = index;
    s->index_room = room;
    for (uint32_t i = 0; i < s->made.count; i++) *made_at(s, &s->made.items[i]) = i + 1;
    return true;
}
static uint32_t number_of(struct lanes *s, uint32_t op, uint32_t a, uint32_t b, const void *type) {
    const struct made m = {op, a, b, type};
    uint32_t *at = made_at(s, &m);
    if (*at) return *at;
    if (!array_push(&s->made, m) ||
        (2 * s->made.count >= s->index_room && !make_index(s, 2 * s->index_room))) {
        s->failed = true;
        return 1;
    }
    *made_at(s, &m) = (uint32_t)s->made.count;
    return (uint32_t)s->made.count;
}

// ---- Scalars ----

enum { LEAF = 1000, ELEMENT, COMPARE, CHOICE = COMPARE + 64 };

static unsigned width_of(const struct lanes *s, llvm_ref type) {
    return s->l->GetTypeKind(type) == LLVM_INTEGER ? s->l->GetIntTypeWidth(type) : 0;
}
unsigned elements_of(const struct lanes *s, llvm_ref type) {
    return s->l->GetTypeKind(type) == LLVM_VECTOR ? s->l->GetVectorSize(type) : 0;
}
unsigned element_width(const struct lanes *s, llvm_ref type) {
    return width_of(s, elements_of(s, type) ? s->l->GetElementType(type) : type);
}

struct scalar affine_leaf(struct lanes *s, llvm_ref v) {
    return (struct scalar){v, number_of(s, LEAF, 0, 0, v)};
}
struct scalar affine_constant(struct lanes *s, llvm_ref type, uint64_t n) {
    return affine_leaf(s, s->l->ConstInt(type, n, 0));
}
// Of what another mask has left nothing, a mask leaves nothing, so that all know it.
static bool is_masked_out(const struct lanes *s, unsigned op, struct scalar a, struct scalar b) {
    const struct llvm *l = s->l;
    if (op != LLVM_AND || !l->IsAConstantInt(b.value) || !l->IsAInstruction(a.value) ||
        l->GetInstructionOpcode(a.value) != LLVM_AND)
        return false;
    llvm_ref by = l->GetOperand(a.value, 1);
    return l->IsAConstantInt(by) && !(l->ConstIntGetZExtValue(by) & l->ConstIntGetZExtValue(b.value));
}
struct scalar affine_combine(struct lanes *s, unsigned op, struct scalar a, struct scalar b) {
    if (is_masked_out(s, op, a, b)) return affine_constant(s, s->l->TypeOf(a.value), 0);
    llvm_ref v = s->l->BuildBinOp(s->builder, (int)op, a.value, b.value, "");
    if (s->l->IsAConstantInt(v)) return affine_leaf(s, v);
    return (struct scalar){v, number_of(s, op, a.number, b.number, NULL)};
}
struct scalar affine_cast(struct lanes *s, unsigned op, struct scalar a, llvm_ref type) {
    llvm_ref v = s->l->BuildCast(s->builder, (int)op, a.value, type, "");
    if (s->l->IsAConstantInt(v)) return affine_leaf(s, v);
    return (struct scalar){v, number_of(s, op, a.number, 0, type)};
}
static struct scalar compare(struct lanes *s, int predicate, struct scalar a, struct scalar b) {
    llvm_ref v = s->l->BuildICmp(s->builder, predicate, a.value, b.value, "");
    if (s->l->IsAConstantInt(v)) return affine_leaf(s, v);
    return (struct scalar){v, number_of(s, COMPARE + (unsigned)predicate, a.number, b.number, NULL)};
}

struct scalar affine_both(struct lanes *s, struct scalar a, struct scalar b) {
    if (!a.value || a.number == b.number) return b;
    if (!b.value) return a;
    return affine_combine(s, LLVM_AND, a, b);
}

// ---- Rows ----

int64_t affine_narrow(int64_t n, unsigned width) {
    return width >= 64 ? n : (int64_t)((uint64_t)n << (64 - width)) >> (64 - width);
}
static struct affine same(struct scalar v) {
    return (struct affine){.kind = AFFINE, .lane = ANY_LANE, .first = v};
}

// Whether two can be put together lane by lane; `of` has their lanes then, and is sure if both are.
static bool join(struct lanes *s, const struct affine *a, const struct affine *b, struct affine *of) {
    if (a->kind != AFFINE || b->kind != AFFINE) return false;
    if (a->lane != b->lane && a->lane != ANY_LANE && b->lane != ANY_LANE) return false;
    *of = (struct affine){.kind = AFFINE, .lane = a->lane == ANY_LANE ? b->lane : a->lane};
    of->sure = affine_both(s, a->sure, b->sure);
    return true;
}
struct scalar affine_step(struct lanes *s, const struct affine *r, uint64_t lanes) {
    llvm_ref type = s->l->TypeOf(r->first.value);
    return affine_combine(s, LLVM_ADD, r->first, affine_constant(s, type, (uint64_t)r->step * lanes));
}
static struct scalar last_of(struct lanes *s, const struct affine *r) {
    return affine_step(s, r, s->count - 1);
}
// True if the affine vector spans less than half the number range: it wraps at most once, signed or unsigned.
static bool is_short(const struct lanes *s, const struct affine *r, unsigned width) {
    const uint64_t step = r->step < 0 ? 0 - (uint64_t)r->step : (uint64_t)r->step;
    return step < 1ull << 32 && step * (s->count - 1) < 1ull << (width - 1);
}
static unsigned trailing(uint64_t n) { return n ? (unsigned)__builtin_ctzll(n) : 64; }
// How many of the lowest bits of a scalar are zero, as far as the instructions say that made it.
static unsigned zeros_of(const struct lanes *s, llvm_ref v, unsigned depth) {
    enum { DEEP = 4 };
    const struct llvm *l = s->l;
    if (l->IsAConstantInt(v)) return trailing(l->ConstIntGetZExtValue(v));
    if (depth == DEEP || !l->IsAInstruction(v)) return 0;
    const int op = l->GetInstructionOpcode(v);
    if (op != LLVM_AND && op != LLVM_SHL && op != LLVM_ADD && op != LLVM_MUL) return 0;
    const unsigned a = zeros_of(s, l->GetOperand(v, 0), depth + 1);
    if (op == LLVM_SHL) {
        llvm_ref by = l->GetOperand(v, 1);
        return l->IsAConstantInt(by) ? a + (unsigned)l->ConstIntGetZExtValue(by) : a;
    }
    const unsigned b = zeros_of(s, l->GetOperand(v, 1), depth + 1);
    return op == LLVM_AND ? (a > b ? a : b) : op == LLVM_MUL ? a + b : a < b ? a : b;
}
// True if lanes can differ in their lowest `bits` only: those bits are zero in the first lane, which is at a
// multiple of the wave size or of a chunk's, and count up.
static bool is_aligned(const struct lanes *s, const struct affine *r, unsigned bits) {
    unsigned zeros = zeros_of(s, r->first.value, 0);
    if (zeros > bits) zeros = bits;
    if (r->step < 0 || r->step >= 1ll << 32) return false;
    return zeros >= 64 || (uint64_t)r->step * (s->count - 1) < 1ull << zeros;
}
// As long as lanes differ in their lowest `bits` only: so the first and the last one do, which would not if
// they wrapped between.
static bool in_block(struct lanes *s, struct affine *r, unsigned bits) {
    llvm_ref type = s->l->TypeOf(r->first.value);
    const unsigned width = width_of(s, type);
    if (!r->step) return true;
    if (bits < width && is_aligned(s, r, bits)) return true;
    if (bits >= width || !is_short(s, r, width)) return false;
    struct scalar differ = affine_combine(s, LLVM_XOR, r->first, last_of(s, r));
    differ = affine_combine(s, LLVM_LSHR, differ, affine_constant(s, type, bits));
    r->sure = affine_both(s, r->sure, compare(s, LLVM_EQ, differ, affine_constant(s, type, 0)));
    return true;
}
// As long as lanes are in order as unsigned numbers, or as signed ones.
bool affine_in_order(struct lanes *s, struct affine *r, bool is_signed) {
    const unsigned width = width_of(s, s->l->TypeOf(r->first.value));
    if (!r->step) return true;
    if (width >= 2 && is_aligned(s, r, width - 1)) return true;
    if (width < 2 || !is_short(s, r, width)) return false;
    const int up = is_signed ? LLVM_SGE : LLVM_UGE, down = is_signed ? LLVM_SLE : LLVM_ULE;
    r->sure = affine_both(s, r->sure, compare(s, r->step > 0 ? up : down, last_of(s, r), r->first));
    return true;
}
// The operands of a scalar that was made by this operation.
static bool made_by(const struct lanes *s, struct scalar v, int op, struct scalar operand[2]) {
    const struct llvm *l = s->l;
    if (s->failed) return false; // numbers may be none
    const struct made *m = &s->made.items[v.number - 1];
    if (m->op != (uint32_t)op || !l->IsAInstruction(v.value) || l->GetInstructionOpcode(v.value) != op)
        return false;
    operand[0] = (struct scalar){l->GetOperand(v.value, 0), m->a};
    operand[1] = (struct scalar){l->GetOperand(v.value, 1), m->b};
    return true;
}
// The same for what was shifted to the left, by what was shifted: which often is asked for anyway.
static bool shifted_in_order(struct lanes *s, struct affine *r) {
    struct scalar shifted[2];
    const unsigned width = width_of(s, s->l->TypeOf(r->first.value));
    if (!made_by(s, r->first, LLVM_SHL, shifted) || !s->l->IsAConstantInt(shifted[1].value)) return false;
    const uint64_t n = s->l->ConstIntGetZExtValue(shifted[1].value);
    if (n >= width || (uint64_t)r->step & ((1ull << n) - 1)) return false;
    struct affine from = {.kind = AFFINE, .lane = r->lane, .step = r->step >> n, .first = shifted[0]};
    if (!in_block(s, &from, width - (unsigned)n)) return false;
    r->sure = affine_both(s, r->sure, from.sure);
    return true;
}
// A sum less than one of its terms has a carry. Where neither the sum nor the other term wraps, all lanes
// carry alike.
static bool carries_alike(struct lanes *s, struct affine *a, const struct affine *b) {
    struct scalar term[2];
    if (b->step || !made_by(s, a->first, LLVM_ADD, term)) return false;
    if (term[1].number != b->first.number) {
        if (term[0].number != b->first.number) return false;
        term[0] = term[1];
    }
    struct affine other = {.kind = AFFINE, .lane = a->lane, .step = a->step, .first = term[0]};
    if (!shifted_in_order(s, &other) && !affine_in_order(s, &other, false)) return false;
    a->sure = affine_both(s, a->sure, other.sure);
    return affine_in_order(s, a, false);
}
bool affine_number(const struct lanes *s, const struct affine *r, uint64_t *n) {
    if (r->kind != AFFINE || r->step || r->sure.value || !s->l->IsAConstantInt(r->first.value)) return false;
    *n = s->l->ConstIntGetZExtValue(r->first.value);
    return true;
}

// ---- Arithmetic ----

struct affine affine_sum(struct lanes *s, unsigned op, const struct affine *a, const struct affine *b,
                         unsigned width) {
    struct affine r = {0};
    if (!join(s, a, b, &r)) return (struct affine){0};
    r.first = affine_combine(s, op, a->first, b->first);
    const uint64_t step = (uint64_t)b->step;
    r.step = affine_narrow((int64_t)((uint64_t)a->step + (op == LLVM_SUB ? 0 - step : step)), width);
    return r;
}
static struct affine product(struct lanes *s, const struct affine *a, const struct affine *b,
                             unsigned width) {
    struct affine r = {0};
    uint64_t n = 0;
    if (!join(s, a, b, &r)) return r;
    if (a->step || b->step) {
        if (!affine_number(s, b, &n)) {
            const struct affine *other = a;
            a = b;
            b = other;
        }
        if (!affine_number(s, b, &n)) return (struct affine){0};
        r.step = affine_narrow((int64_t)((uint64_t)a->step * n), width);
    }
    r.first = affine_combine(s, LLVM_MUL, a->first, b->first);
    return r;
}
struct affine affine_shift(struct lanes *s, unsigned op, const struct affine *a, const struct affine *b,
                           unsigned width) {
    struct affine r = {0}, from = *a;
    uint64_t n = 0;
    const bool is_known = affine_number(s, b, &n);
    if (b->step || (is_known && n >= width) || (a->step && !is_known)) return r;
    if (op != LLVM_SHL && a->kind == AFFINE && !in_block(s, &from, (unsigned)n)) return r;
    if (!join(s, &from, b, &r)) return (struct affine){0};
    r.first = affine_combine(s, op, a->first, b->first);
    if (op == LLVM_SHL && a->step) r.step = affine_narrow((int64_t)((uint64_t)a->step << n), width);
    return r;
}
// A mask keeps what differs between lanes, or drops it: bits that lie below those that it keeps have to be
// the same, and so have those above.
static struct affine masked(struct lanes *s, const struct affine *a, const struct affine *b, unsigned width) {
    struct affine r = {0}, from = *a;
    uint64_t n = 0;
    int64_t step = 0;
    if (a->kind != AFFINE || b->kind != AFFINE || b->step || (a->step && !affine_number(s, b, &n)))
        return (struct affine){0};
    if (a->step) {
        const unsigned dropped = trailing(n), kept = dropped < 64 ? trailing(~(n >> dropped)) : 0;
        const bool keeps = dropped < width && !((uint64_t)a->step & ((1ull << dropped) - 1));
        const unsigned bits = keeps ? dropped + kept : dropped;
        if (bits < width && !in_block(s, &from, bits)) return (struct affine){0};
        step = keeps ? a->step : 0;
    }
    if (!join(s, &from, b, &r)) return (struct affine){0};
    r.first = affine_combine(s, LLVM_AND, a->first, b->first);
    r.step = step;
    return r;
}

static struct affine arithmetic(struct lanes *s, llvm_ref v, unsigned op, unsigned depth) {
    const unsigned width = element_width(s, s->l->TypeOf(v));
    if (!width || width > 64) return (struct affine){0};
    struct affine a = affine_of(s, s->l->GetOperand(v, 0), depth),
                  b = affine_of(s, s->l->GetOperand(v, 1), depth);
    if (a.kind != AFFINE || b.kind != AFFINE) return (struct affine){0};
    s->l->PositionBuilderBefore(s->builder, v);
    switch (op) {
    case LLVM_ADD:
    case LLVM_SUB: return affine_sum(s, op, &a, &b, width);
    case LLVM_MUL: return product(s, &a, &b, width);
    case LLVM_SHL:
    case LLVM_LSHR:
    case LLVM_ASHR: return affine_shift(s, op, &a, &b, width);
    case LLVM_AND: return b.step ? masked(s, &b, &a, width) : masked(s, &a, &b, width);
    case LLVM_OR:
        if ((a.step || b.step) && s->l->GetIsDisjoint(v)) return affine_sum(s, LLVM_ADD, &a, &b, width);
        break;
    default: break;
    }
    if (a.step || b.step) return (struct affine){0};
    struct affine r = {0};
    if (!join(s, &a, &b, &r)) return (struct affine){0};
    r.first = affine_combine(s, op, a.first, b.first);
    return r;
}

// Of the same step: what holds for one lane holds for all, as the difference is the same. Else one is the
// same for all lanes, and the order can only change once.
static struct affine comparison(struct lanes *s, llvm_ref v, unsigned depth) {
    struct affine a = affine_of(s, s->l->GetOperand(v, 0), depth),
                  b = affine_of(s, s->l->GetOperand(v, 1), depth);
    const int predicate = s->l->GetICmpPredicate(v);
    const bool is_signed = predicate >= LLVM_SGT, is_equality = predicate < LLVM_UGT;
    struct affine r = {0};
    s->l->PositionBuilderBefore(s->builder, v);
    if (a.kind != AFFINE || b.kind != AFFINE) return r;
    if (a.step != b.step && (is_equality || (a.step && b.step))) return r;
    const bool is_carry = predicate == LLVM_ULT && carries_alike(s, &a, &b);
    if (!is_equality && !is_carry &&
        (!affine_in_order(s, &a, is_signed) || !affine_in_order(s, &b, is_signed)))
        return r;
    if (!join(s, &a, &b, &r)) return (struct affine){0};
    r.first = compare(s, predicate, a.first, b.first);
    if (a.step != b.step && !is_carry) {
        const struct scalar last =
            compare(s, predicate, a.step ? last_of(s, &a) : a.first, b.step ? last_of(s, &b) : b.first);
        r.sure = affine_both(s, r.sure, compare(s, LLVM_EQ, r.first, last));
    }
    return r;
}

static struct affine conversion(struct lanes *s, llvm_ref v, unsigned op, unsigned depth) {
    llvm_ref to = s->l->TypeOf(v);
    const bool is_vector = elements_of(s, to) != 0;
    const unsigned width = element_width(s, to);
    struct affine r = affine_of(s, s->l->GetOperand(v, 0), depth);
    if (!width || width > 64 || r.kind == NOTHING) return (struct affine){0};
    if (r.kind == MASK) return op == LLVM_TRUNC && !is_vector ? r : (struct affine){0};
    s->l->PositionBuilderBefore(s->builder, v);
    if (op != LLVM_TRUNC && !affine_in_order(s, &r, op == LLVM_SEXT)) return (struct affine){0};
    r.step = affine_narrow(r.step, width);
    if (width == 1 && r.step) return (struct affine){0}; // lanes alternate: not what is_sound asks of bits
    r.first = affine_cast(s, op, r.first, is_vector ? s->l->GetElementType(to) : to);
    return r;
}

// ---- Moves ----

// Bits for lanes, and back.
static struct affine bits_as(struct lanes *s, llvm_ref v, unsigned depth) {
    llvm_ref operand = s->l->GetOperand(v, 0), from = s->l->TypeOf(operand), to = s->l->TypeOf(v);
    struct affine r = affine_of(s, operand, depth);
    const bool was_bits = elements_of(s, from) && element_width(s, from) == 1,
               is_bits = elements_of(s, to) && element_width(s, to) == 1;
    if (r.kind == NOTHING || !element_width(s, from) || !element_width(s, to)) return (struct affine){0};
    if (r.kind == MASK) {
        if (is_bits) r.kind = AFFINE;
        return r;
    }
    if (was_bits && is_bits) return r;
    if (was_bits) {
        r.kind = MASK;
        return r;
    }
    const bool is_alike =
        elements_of(s, from) == elements_of(s, to) && element_width(s, from) == element_width(s, to);
    return is_alike ? r : (struct affine){0};
}

bool affine_has(const struct affine *r, uint64_t element) {
    return r->kind == AFFINE && (r->lane == ANY_LANE || (!r->lane && !element));
}
static struct scalar scalar_of(struct lanes *s, llvm_ref v, unsigned depth);
// Where LLVM computes with vectors of which only that element is used, it does not know better. `left`: so
// many values are looked at, as there may be many ways to one of them.
static bool element_made(struct lanes *s, llvm_ref vector, unsigned i, llvm_ref before, unsigned depth,
                         unsigned *left, struct scalar *out) {
    const struct llvm *l = s->l;
    struct scalar by[2];
    if (s->failed || depth > DEEPEST || !*left) return false;
    --*left;
    if (l->IsAConstant(vector)) {
        llvm_ref one = l->GetAggregateElement(vector, i);
        if (!one || !l->IsAConstantInt(one)) return false;
        *out = affine_leaf(s, one);
        return true;
    }
    if (!l->IsAInstruction(vector)) return false;
    const int op = l->GetInstructionOpcode(vector);
    switch (op) {
    case LLVM_INSERT_ELEMENT: {
        llvm_ref at = l->GetOperand(vector, 2);
        if (!l->IsAConstantInt(at) || l->ConstIntGetZExtValue(at) != i) return false;
        *out = scalar_of(s, l->GetOperand(vector, 1), depth + 1);
        return true;
    }
    case LLVM_ADD:
    case LLVM_SUB:
    case LLVM_MUL:
    case LLVM_AND:
    case LLVM_OR:
    case LLVM_XOR:
    case LLVM_SHL:
    case LLVM_LSHR:
    case LLVM_ASHR:
        for (unsigned n = 0; n < 2; n++)
            if (!element_made(s, l->GetOperand(vector, n), i, before, depth + 1, left, &by[n])) return false;
        l->PositionBuilderBefore(s->builder, before);
        *out = affine_combine(s, (unsigned)op, by[0], by[1]);
        return true;
    case LLVM_TRUNC:
    case LLVM_ZEXT:
    case LLVM_SEXT:
        if (!element_made(s, l->GetOperand(vector, 0), i, before, depth + 1, left, &by[0])) return false;
        l->PositionBuilderBefore(s->builder, before);
        *out = affine_cast(s, (unsigned)op, by[0], l->GetElementType(l->TypeOf(vector)));
        return true;
    default: return false;
    }
}
static struct scalar element_of(struct lanes *s, llvm_ref vector, unsigned i, llvm_ref before,
                                unsigned depth) {
    enum { MOST_VALUES = 32 };
    const struct affine r = affine_of(s, vector, depth);
    unsigned left = MOST_VALUES;
    struct scalar made;
    if (affine_has(&r, i)) return r.first;
    if (element_made(s, vector, i, before, depth, &left, &made)) return made;
    s->l->PositionBuilderBefore(s->builder, before);
    llvm_ref index = s->l->ConstInt(s->f->i32, i, 0);
    return (struct scalar){s->l->BuildExtractElement(s->builder, vector, index, ""),
                           number_of(s, ELEMENT, i, 0, vector)};
}
static struct scalar scalar_of(struct lanes *s, llvm_ref v, unsigned depth) {
    const bool is_element = s->l->IsAInstruction(v) &&
                            s->l->GetInstructionOpcode(v) == LLVM_EXTRACT_ELEMENT &&
                            s->l->IsAConstantInt(s->l->GetOperand(v, 1));
    if (is_element) {
        const struct affine r = affine_of(s, s->l->GetOperand(v, 0), depth);
        if (affine_has(&r, s->l->ConstIntGetZExtValue(s->l->GetOperand(v, 1)))) return r.first;
    }
    return affine_leaf(s, v);
}

// A whole vector of one of its elements.
static struct affine repeated(struct lanes *s, llvm_ref v, unsigned i, unsigned depth) {
    llvm_ref from = s->l->GetOperand(v, 0);
    const bool is_inserted = s->l->IsAInstruction(from) &&
                             s->l->GetInstructionOpcode(from) == LLVM_INSERT_ELEMENT &&
                             s->l->IsAConstantInt(s->l->GetOperand(from, 2));
    if (is_inserted && s->l->ConstIntGetZExtValue(s->l->GetOperand(from, 2)) == i) {
        return same(scalar_of(s, s->l->GetOperand(from, 1), depth));
    }
    if (!element_width(s, s->l->TypeOf(from))) return (struct affine){0};
    const struct affine r = affine_of(s, from, depth);
    if (r.kind == AFFINE && !r.step && r.lane == ANY_LANE) return r;
    return same(element_of(s, from, i, v, depth));
}

static struct affine shuffled(struct lanes *s, llvm_ref v, unsigned depth) {
    const unsigned count = s->l->GetNumMaskElements(v);
    llvm_ref from = s->l->GetOperand(v, 0), other = s->l->GetOperand(v, 1);
    const unsigned size = elements_of(s, s->l->TypeOf(from));
    const int begin = s->l->GetMaskValue(v, 0);
    bool is_one = true, follows = true;
    for (unsigned i = 0; i < count; i++) {
        const int m = s->l->GetMaskValue(v, i);
        if (m < 0) return (struct affine){0};
        is_one &= m == begin;
        follows &= m == begin + (int)i;
    }
    if (is_one && begin < (int)size && count > 1) return repeated(s, v, (unsigned)begin, depth);
    struct affine a = affine_of(s, from, depth);
    if (!follows || a.kind != AFFINE) return (struct affine){0};
    if (begin + count > size) { // two behind each other
        const struct affine b = affine_of(s, other, depth);
        if (b.kind != AFFINE || a.first.number != b.first.number || a.step != b.step ||
            a.sure.number != b.sure.number)
            return (struct affine){0};
        if (b.lane != a.lane && b.lane != a.lane + size) return (struct affine){0};
        if ((a.lane == ANY_LANE) != (b.lane == ANY_LANE) || (a.lane != ANY_LANE && a.lane == b.lane))
            return (struct affine){0};
    }
    if (a.lane != ANY_LANE) a.lane = (uint16_t)(a.lane + begin);
    return a;
}

static struct affine chosen(struct lanes *s, llvm_ref v, unsigned depth) {
    llvm_ref condition = s->l->GetOperand(v, 0);
    const bool is_vector = elements_of(s, s->l->TypeOf(condition)) != 0;
    const struct affine a = affine_of(s, s->l->GetOperand(v, 1), depth),
                        b = affine_of(s, s->l->GetOperand(v, 2), depth),
                        c = is_vector ? affine_of(s, condition, depth) : same(affine_leaf(s, condition));
    struct affine ab = {0}, r = {0};
    s->l->PositionBuilderBefore(s->builder, v);
    if (a.step != b.step || !join(s, &a, &b, &ab) || !join(s, &ab, &c, &r)) return (struct affine){0};
    r.first.value = s->l->BuildSelect(s->builder, c.first.value, a.first.value, b.first.value, "");
    r.first.number = number_of(s, CHOICE, c.first.number, a.first.number, (void *)(uintptr_t)b.first.number);
    r.step = a.step;
    return r;
}

static struct affine element(struct lanes *s, llvm_ref v, unsigned depth) {
    llvm_ref from = s->l->GetOperand(v, 0), index = s->l->GetOperand(v, 1);
    if (!s->l->IsAConstantInt(index)) return (struct affine){0};
    struct affine r = affine_of(s, from, depth);
    if (r.kind != MASK) return (struct affine){0};
    const uint64_t at = s->l->ConstIntGetZExtValue(index) * element_width(s, s->l->TypeOf(from));
    if (r.lane != ANY_LANE) r.lane = (uint16_t)(r.lane + at);
    return r;
}

// ---- Calls ----

bool is_call_of(const struct llvm *l, llvm_ref v, const char *name) {
    if (!l->IsAInstruction(v) || l->GetInstructionOpcode(v) != LLVM_CALL) return false;
    llvm_ref to = l->GetCalledValue(v);
    size_t length;
    if (!to || !l->IsAFunction(to)) return false;
    const char *has = l->GetValueName2(to, &length);
    return length >= strlen(name) && !memcmp(has, name, strlen(name));
}

bool is_repeated(const struct llvm *l, llvm_ref v) {
    if (l->GetInstructionOpcode(v) != LLVM_SHUFFLE) return false;
    for (unsigned i = 0; i < l->GetNumMaskElements(v); i++)
        if (l->GetMaskValue(v, i)) return false;
    return true;
}

// A funnel shift by a constant is two shifts.
static struct affine funnel(struct lanes *s, llvm_ref v, bool left, unsigned depth) {
    struct affine high = affine_of(s, s->l->GetOperand(v, 0), depth),
                  low = affine_of(s, s->l->GetOperand(v, 1), depth),
                  by = affine_of(s, s->l->GetOperand(v, 2), depth);
    const unsigned width = element_width(s, s->l->TypeOf(v));
    uint64_t n;
    if (!affine_number(s, &by, &n) || !(n %= width) || high.kind != AFFINE || low.kind != AFFINE)
        return (struct affine){0};
    if (!left) n = width - n;
    s->l->PositionBuilderBefore(s->builder, v);
    llvm_ref type = s->l->TypeOf(high.first.value);
    const struct affine up = same(affine_constant(s, type, n)),
                        down = same(affine_constant(s, type, width - n));
    const struct affine a = affine_shift(s, LLVM_SHL, &high, &up, width),
                        b = affine_shift(s, LLVM_LSHR, &low, &down, width);
    if (a.kind != AFFINE || b.kind != AFFINE) return (struct affine){0};
    return affine_sum(s, LLVM_ADD, &a, &b, width);
}

static struct affine called(struct lanes *s, llvm_ref v, unsigned depth) {
    if (is_call_of(s->l, v, LANES_AFFINE)) {
        struct affine r = {.kind = AFFINE, .step = 1};
        r.lane = (uint16_t)s->l->ConstIntGetZExtValue(s->l->GetOperand(v, 1));
        s->l->PositionBuilderBefore(s->builder, v);
        r.first = affine_leaf(s, s->l->GetOperand(v, 0));
        return r;
    }
    if (is_call_of(s->l, v, "llvm.fshl.")) return funnel(s, v, true, depth);
    if (is_call_of(s->l, v, "llvm.fshr.")) return funnel(s, v, false, depth);
    return (struct affine){0};
}

// ---- Values ----

static struct affine look(struct lanes *s, llvm_ref v, unsigned depth) {
    const int op = s->l->GetInstructionOpcode(v);
    switch (op) {
    case LLVM_ADD:
    case LLVM_SUB:
    case LLVM_MUL:
    case LLVM_SHL:
    case LLVM_LSHR:
    case LLVM_ASHR:
    case LLVM_AND:
    case LLVM_OR:
    case LLVM_XOR: return arithmetic(s, v, (unsigned)op, depth);
    case LLVM_TRUNC:
    case LLVM_ZEXT:
    case LLVM_SEXT: return conversion(s, v, (unsigned)op, depth);
    case LLVM_BIT_CAST: return bits_as(s, v, depth);
    case LLVM_ICMP: return comparison(s, v, depth);
    case LLVM_SELECT: return chosen(s, v, depth);
    case LLVM_SHUFFLE: return shuffled(s, v, depth);
    case LLVM_EXTRACT_ELEMENT: return element(s, v, depth);
    case LLVM_CALL: return called(s, v, depth);
    default: return (struct affine){0};
    }
}

static struct affine constants(struct lanes *s, llvm_ref v, unsigned count) {
    llvm_ref one = s->l->GetAggregateElement(v, 0);
    if (!one || !s->l->IsAConstantInt(one)) return (struct affine){0};
    for (unsigned i = 1; i < count; i++)
        if (s->l->GetAggregateElement(v, i) != one) return (struct affine){0};
    return same(affine_leaf(s, one));
}

bool affine_is_sound(const struct lanes *s, llvm_ref v, const struct affine *r) {
    const struct llvm *l = s->l;
    if (r->kind == NOTHING) return true;
    const unsigned width = r->kind == MASK ? 1 : element_width(s, l->TypeOf(v));
    return width_of(s, l->TypeOf(r->first.value)) == width && r->step == affine_narrow(r->step, width) &&
           (width > 1 || !r->step) && (r->lane != ANY_LANE || (!r->step && !r->sure.value)) &&
           (!r->sure.value || width_of(s, l->TypeOf(r->sure.value)) == 1);
}

struct affine affine_of(struct lanes *s, llvm_ref v, unsigned depth) {
    llvm_ref type = s->l->TypeOf(v);
    const unsigned count = elements_of(s, type);
    if (s->failed || depth > DEEPEST) return (struct affine){0};
    if (s->l->IsAConstant(v)) return count ? constants(s, v, count) : (struct affine){0};
    if (!s->l->IsAInstruction(v)) return (struct affine){0};
    const struct known *k = known_at(s, v);
    if (k->value && !k->is_old) return k->affine;
    affine_assume(s, v, (struct affine){0}); // while it is looked at, and if it leads back to itself
    struct affine r = look(s, v, depth + 1);
    if (!s->failed && !affine_is_sound(s, v, &r)) r = (struct affine){0};
    affine_assume(s, v, r);
    return r;
}

bool affine_begin(struct lanes *s, const struct fuse *f) {
    *s = (struct lanes){.f = f, .l = f->l, .count = f->plan->wave32 ? 32 : 64, .known_room = 1024};
    if (rows_in_chunks(f->plan->rows))
        s->count = f->vector_bytes / 4; // each chunk has a first lane of its own
    s->known = calloc(s->known_room, sizeof *s->known);
    s->builder = f->l->CreateBuilderInContext(f->context);
    s->failed = !s->known || !make_index(s, 1024);
    return !s->failed;
}
void affine_end(struct lanes *s) {
    s->l->DisposeBuilder(s->builder);
    free(s->known);
    free(s->index);
    array_free(&s->made);
}
