// SPDX-License-Identifier: MIT
// What all of the legaliser uses: operands, emission of operations on dwords with constants folded, and the
// dwords of values.
#include "compiler/legal.h"

void legal_refuse(struct legal *g, const char *what) {
    if (g->c->status) return;
    // The old arrays hold the instruction that is printed.
    struct ir_inst copy = *g->i;
    if (!ir_set_operands(g->f, &copy, g->old.operands.items + copy.first_operand, copy.operands))
        copy.operands = 0;
    compiler_refuse(g->c, &copy, what);
}

ir_ref legal_operand(const struct legal *g, unsigned n) {
    return n < g->i->operands ? g->old.operands.items[g->i->first_operand + n] : IR_NOTHING;
}
const struct ir_type *legal_type(const struct legal *g, ir_ref r) {
    return ir_type_at(g->c->m, ir_ref_type(g->f, r));
}

bool legal_is_used(struct legal *g) {
    if (!g->i->results) return false;
    if (!g->used && !(g->used = calloc(g->f->values.count + 1, 1))) {
        compiler_no_memory(g->c);
        return true;
    }
    if (!g->used_known)
        for (size_t n = 0; n < g->old.operands.count; n++)
            if (ir_is(g->old.operands.items[n], IR_VALUE)) g->used[ir_index(g->old.operands.items[n])] = true;
    g->used_known = true;
    return g->used[g->i->first_result];
}

// ---- Emission ----

ir_ref legal_number(struct legal *g, uint32_t n) { return ir_constant_bits(g->f, g->i32, n, 0); }
bool legal_is_number(const struct legal *g, ir_ref r, uint32_t n) {
    const struct ir_constant *c = ir_constant_of(g->f, r);
    return c && !c->poison && (uint32_t)c->low == n;
}

// True if the operation gives the same again wherever it stands in a block. Sums are left alone: behind one
// that a carry belongs to, the carry has to stand.
static bool is_repeatable(unsigned op, enum ir_bank bank) {
    const unsigned bound = OPERATION_CONVERGENT | OPERATION_VARIES | OPERATION_READS | OPERATION_WRITES |
                           OPERATION_EFFECT | OPERATION_TERMINATOR;
    if (op == OP_p_tuple || op == OP_p_part) return true;
    return op < OPERATIONS && bank != IR_BANK_SCC && !(ir_op_properties(op) & bound) && op != OP_phi &&
           op != OP_copy && op != OP_freeze && op != OP_add && op != OP_sub && op != OP_addc &&
           op != OP_subb && op != OP_ucarry && op != OP_uborrow && op != OP_addc_carry &&
           op != OP_subb_borrow;
}

// The same computed a short while ago in this block; IR_NOTHING: it was not.
static ir_ref repeated(const struct legal *g, unsigned op, enum ir_bank bank, uint16_t type,
                       const ir_ref *operands, unsigned count) {
    enum { A_WHILE = 48 };
    const struct ir_block *b = &g->f->blocks.items[g->f->blocks.count - 1];
    const uint16_t flags = (uint16_t)(g->i->flags & (IR_FAST | IR_CONVERGENT));
    const uint32_t end = b->first + b->count, first = b->count > A_WHILE ? end - A_WHILE : b->first;
    for (uint32_t n = end; n-- > first;) {
        const struct ir_inst *i = &g->f->insts.items[n];
        if (i->op != op || i->operands != count || i->results != 1 || i->flags != flags) continue;
        const struct ir_value *v = &g->f->values.items[i->first_result];
        bool same = v->type == type && v->bank == bank;
        for (unsigned o = 0; o < count && same; o++) same = ir_operand(g->f, i, o) == operands[o];
        if (same) return ir_make(IR_VALUE, i->first_result);
    }
    return IR_NOTHING;
}

ir_ref legal_emit_as(struct legal *g, unsigned op, enum ir_bank bank, uint16_t type, const ir_ref *operands,
                     unsigned count) {
    if (!g->c->m->failed && is_repeatable(op, bank)) {
        const ir_ref known = repeated(g, op, bank, type, operands, count);
        if (!ir_is(known, IR_NONE)) return known;
    }
    struct ir_inst *i = ir_append(g->f, op, operands, count);
    i->location = g->i->location;
    i->flags = (uint16_t)(g->i->flags & (IR_FAST | IR_CONVERGENT));
    const ir_ref r = ir_result(g->f, type);
    struct ir_value *v = ir_value_of(g->f, r);
    if (v) v->bank = (uint8_t)bank;
    return r;
}

// The value of an operation on constants, or an operand that it leaves as it is. IR_NOTHING: it has to be
// computed.
static ir_ref fold(struct legal *g, unsigned op, const ir_ref *o, unsigned count) {
    op_bits values[3], out;
    struct value_type types[3], i32 = {VALUE_INT, 32};
    bool all = count <= 3 && op < OPERATIONS;
    for (unsigned n = 0; n < count && all; n++) {
        const struct ir_constant *k = ir_constant_of(g->f, o[n]);
        all = k && !k->poison && ir_type_at(g->c->m, k->type)->kind == IR_INT;
        if (all)
            values[n] = k->low,
            types[n] = (struct value_type){VALUE_INT, (uint8_t)ir_type_bits(g->c->m, k->type)};
    }
    const struct operation_mode mode = {0};
    if (all && operation_evaluate((enum operation)op, &mode, i32, types, values, count, &out))
        return legal_number(g, (uint32_t)out);
    if (op == OP_mul || op == OP_and || op == OP_mulhu)
        for (unsigned n = 0; n < 2; n++)
            if (legal_is_number(g, o[n], 0)) return legal_number(g, 0);
    if (op == OP_mul && legal_is_number(g, o[1], 1)) return o[0];
    if ((op == OP_add || op == OP_or || op == OP_xor) && legal_is_number(g, o[0], 0)) return o[1];
    const bool zero = op == OP_add || op == OP_sub || op == OP_or || op == OP_xor || op == OP_shl ||
                      op == OP_lshr || op == OP_ashr;
    return zero && legal_is_number(g, o[1], 0) ? o[0] : IR_NOTHING;
}

static bool is_in(const struct legal *g, ir_ref r, enum ir_bank bank) {
    const struct ir_value *v = ir_value_of(g->f, r);
    return v && v->bank == bank;
}

// An operation on dwords of integers. A scalar one that no scalar row computes, or that has vector operands,
// is computed in v; legal_set_parts reads it back.
ir_ref legal_emit(struct legal *g, unsigned op, enum ir_bank bank, const ir_ref *operands, unsigned count) {
    const ir_ref folded = fold(g, op, operands, count);
    if (!ir_is(folded, IR_NONE)) return folded;
    bool scalar = bank == IR_BANK_S && compiler_row(g->c, op, SELECT_S, 32, 0);
    for (unsigned n = 0; n < count; n++) scalar &= !is_in(g, operands[n], IR_BANK_V);
    return legal_emit_as(g, op, scalar ? IR_BANK_S : IR_BANK_V, g->i32, operands, count);
}

ir_ref legal_row(struct legal *g, const char *id, uint16_t type, const ir_ref *operands, unsigned count) {
    const struct row *row = compiler_named_row(g->c, id);
    if (!row) {
        legal_refuse(g, "an operation that no instruction computes");
        return legal_number(g, 0);
    }
    return legal_emit_as(g, ir_op_of_row(row), IR_BANK_V, type, operands, count);
}

// ---- Masks: a bit a lane ----

ir_ref legal_truth(struct legal *g, bool value) { return ir_constant_bits(g->f, g->i1, value, 0); }

ir_ref legal_test(struct legal *g, unsigned op, ir_ref a, ir_ref b) {
    const struct ir_constant *x = ir_constant_of(g->f, a), *y = ir_constant_of(g->f, b);
    if (x && y && ir_type_at(g->c->m, x->type)->kind == IR_INT) {
        const struct value_type types[] = {{VALUE_INT, 32}, {VALUE_INT, 32}}, bit = {VALUE_INT, 1};
        const op_bits values[] = {(uint32_t)x->low, (uint32_t)y->low};
        const struct operation_mode mode = {0};
        op_bits out;
        if (operation_evaluate((enum operation)op, &mode, bit, types, values, 2, &out))
            return legal_truth(g, out != 0);
    }
    return legal_emit_as(g, op, IR_BANK_M, g->i1, (const ir_ref[]){a, b}, 2);
}

ir_ref legal_mask(struct legal *g, unsigned op, ir_ref a, ir_ref b) {
    for (unsigned n = 0; n < 2; n++) {
        const ir_ref known = n ? b : a, other = n ? a : b;
        if (!ir_constant_of(g->f, known)) continue;
        const bool ones = legal_is_number(g, known, 1);
        if (op == OP_and) return ones ? other : known;
        if (op == OP_or) return ones ? known : other;
        if (op == OP_xor && !ones) return other;
        if (op == OP_xor && ir_constant_of(g->f, other)) return legal_truth(g, legal_is_number(g, other, 0));
    }
    if (a == b && op != OP_xor) return a;
    return legal_emit_as(g, op, IR_BANK_M, g->i1, (const ir_ref[]){a, b}, 2);
}

ir_ref legal_not(struct legal *g, ir_ref mask) { return legal_mask(g, OP_xor, mask, legal_truth(g, true)); }

ir_ref legal_choice(struct legal *g, ir_ref mask, ir_ref a, ir_ref b) {
    if (a == b || legal_is_number(g, mask, 1)) return a;
    if (legal_is_number(g, mask, 0)) return b;
    const struct ir_constant *x = ir_constant_of(g->f, a), *y = ir_constant_of(g->f, b);
    const uint16_t wanted = ir_ref_type(g->f, x ? b : a);
    // Rows choose between dwords, not between halves.
    const bool half = ir_type_bits(g->c->m, wanted) < 32;
    const uint16_t type = half ? g->i32 : wanted;
    if (half) a = legal_retype(g, type, a), b = legal_retype(g, type, b);
    if (x) a = ir_constant_bits(g->f, type, x->low, 0);
    if (y) b = ir_constant_bits(g->f, type, y->low, 0);
    const ir_ref r = legal_emit_as(g, OP_select, IR_BANK_V, type, (const ir_ref[]){mask, a, b}, 3);
    return legal_retype(g, wanted, r);
}

ir_ref legal_retype(struct legal *g, uint16_t type, ir_ref r) {
    const struct ir_constant *k = ir_constant_of(g->f, r);
    const struct ir_value *v = ir_value_of(g->f, r);
    if (ir_ref_type(g->f, r) == type) return r;
    if (k) return ir_constant_bits(g->f, type, k->low, 0);
    return legal_emit_as(g, OP_p_copy, v ? (enum ir_bank)v->bank : IR_BANK_V, type, &r, 1);
}

ir_ref legal_scalar(struct legal *g, ir_ref r) {
    if (!is_in(g, r, IR_BANK_V)) return r;
    return legal_emit_as(g, OP_readfirstlane, IR_BANK_S, ir_ref_type(g->f, r), &r, 1);
}

// ---- Parts of values ----

ir_ref legal_part(struct legal *g, ir_ref r, unsigned n) {
    const struct ir_constant *c = ir_constant_of(g->f, r);
    const struct ir_type *t = legal_type(g, r);
    if (c) {
        const uint16_t type = legal_dword_type(g, t);
        if (t->kind == IR_INT && t->bits == 1) return legal_truth(g, !c->poison && c->low);
        const uint64_t bits = n < 2 ? c->low >> n % 2 * 32 : c->high >> n % 2 * 32;
        return c->poison ? ir_constant_bits(g->f, type, 0, 0)
                         : ir_constant_bits(g->f, type, (uint32_t)bits, 0);
    }
    if (ir_is(r, IR_VALUE) && n < g->values[ir_index(r)].count)
        return g->parts.items[g->values[ir_index(r)].first + n];
    legal_refuse(g, "an operand of this kind");
    return legal_number(g, 0);
}

void legal_set_parts(struct legal *g, const ir_ref *parts, unsigned count) {
    struct value_parts *v = &g->values[g->i->first_result];
    *v = (struct value_parts){(uint32_t)g->parts.count, 0};
    const enum ir_bank bank = (enum ir_bank)g->f->values.items[g->i->first_result].bank;
    v->count = (uint16_t)count;
    for (unsigned n = 0; n < count && !g->c->status; n++) {
        ir_ref r = bank == IR_BANK_S ? legal_scalar(g, parts[n]) : parts[n];
        // What is in v belongs to each lane: one that left a loop keeps it, whatever later rounds bring.
        if (g->i->op == OP_intrinsic && bank == IR_BANK_V && is_in(g, r, IR_BANK_S))
            r = legal_emit_as(g, OP_copy, IR_BANK_V, ir_ref_type(g->f, r), &r, 1);
        if (!array_push(&g->parts, r)) compiler_no_memory(g->c);
    }
}

// A tuple of these dwords in a bank: the value that they are parts of, or a new one.
ir_ref legal_tuple(struct legal *g, enum ir_bank bank, uint16_t type, const ir_ref *parts, unsigned count) {
    const struct ir_inst *first = ir_def(g->f, parts[0]);
    if (count == 1) return parts[0];
    bool same = first && first->op == OP_p_part;
    for (unsigned n = 0; n < count && same; n++) {
        const struct ir_inst *d = ir_def(g->f, parts[n]);
        same = d && d->op == OP_p_part && ir_operand(g->f, d, 0) == ir_operand(g->f, first, 0) &&
               ir_number(ir_operand(g->f, d, 1)) == (int32_t)n;
    }
    if (same) {
        const ir_ref whole = ir_operand(g->f, first, 0);
        const uint16_t has_type = ir_ref_type(g->f, whole);
        if (ir_type_bits(g->c->m, has_type) == count * 32 && ir_value_of(g->f, whole)->bank == bank)
            return has_type == type ? whole : legal_emit_as(g, OP_bitcast, bank, type, &whole, 1);
    }
    return legal_emit_as(g, OP_p_tuple, bank, type, parts, count);
}

unsigned legal_parts_of(struct legal *g, ir_ref whole, unsigned count, uint16_t element, ir_ref *out) {
    const struct ir_value *v = ir_value_of(g->f, whole);
    const enum ir_bank bank = v ? (enum ir_bank)v->bank : IR_BANK_V;
    for (unsigned n = 0; n < count; n++)
        out[n] = count == 1 ? whole
                            : legal_emit_as(g, OP_p_part, bank, element,
                                            (ir_ref[]){whole, ir_immediate((int32_t)n)}, 2);
    return count;
}

// The dword's type for elements of a type.
uint16_t legal_dword_type(struct legal *g, const struct ir_type *t) {
    return t->kind == IR_F32 || t->kind == IR_F16 ? ir_type_of(g->c->m, (enum ir_kind)t->kind, t->bits, 1)
                                                  : g->i32;
}

// ---- Elements ----

struct element legal_element(struct legal *g, ir_ref r, unsigned n) {
    struct element e = {.type = *legal_type(g, r)};
    const unsigned dwords = legal_dwords(&e.type);
    e.type.count = 1;
    if (dwords > 4) legal_refuse(g, "an integer of this width");
    for (unsigned d = 0; d < 4; d++) e.d[d] = d < dwords ? legal_part(g, r, n * dwords + d) : IR_NOTHING;
    return e;
}

ir_ref legal_whole(struct legal *g, const struct element *e) {
    const unsigned dwords = legal_dwords(&e->type);
    if (dwords == 1) return e->d[0];
    const uint16_t type = ir_type_of(g->c->m, (enum ir_kind)e->type.kind, dwords * 32, 1);
    enum ir_bank bank = g->bank;
    for (unsigned d = 0; d < dwords; d++)
        if (is_in(g, e->d[d], IR_BANK_V)) bank = IR_BANK_V;
    return legal_tuple(g, bank, type, e->d, dwords);
}

struct element legal_taken_apart(struct legal *g, struct ir_type t, ir_ref whole) {
    struct element e = {.type = t};
    const unsigned dwords = legal_dwords(&t);
    e.type.count = 1;
    for (unsigned d = 0; d < 4; d++) e.d[d] = IR_NOTHING;
    legal_parts_of(g, whole, dwords, legal_dword_type(g, &t), e.d);
    return e;
}

struct element legal_of_dword(ir_ref dword) {
    return (struct element){{IR_INT, 32, 1}, {dword, IR_NOTHING, IR_NOTHING, IR_NOTHING}};
}
