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

// ---- Emission ----

ir_ref legal_number(struct legal *g, uint32_t n) { return ir_constant_bits(g->f, g->i32, n, 0); }
bool legal_is_number(const struct legal *g, ir_ref r, uint32_t n) {
    const struct ir_constant *c = ir_constant_of(g->f, r);
    return c && !c->poison && (uint32_t)c->low == n;
}

ir_ref legal_emit_as(struct legal *g, unsigned op, enum ir_bank bank, uint16_t type, const ir_ref *operands,
                     unsigned count) {
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

// An operation on dwords of integers. A scalar one that no scalar row computes is computed in v and read
// back.
ir_ref legal_emit(struct legal *g, unsigned op, enum ir_bank bank, const ir_ref *operands, unsigned count) {
    const ir_ref folded = fold(g, op, operands, count);
    if (!ir_is(folded, IR_NONE)) return folded;
    if (bank != IR_BANK_S || compiler_row(g->c, op, SELECT_S, 32, 0))
        return legal_emit_as(g, op, bank, g->i32, operands, count);
    const ir_ref v = legal_emit_as(g, op, IR_BANK_V, g->i32, operands, count);
    return legal_emit_as(g, OP_readfirstlane, IR_BANK_S, g->i32, &v, 1);
}

// ---- Parts of values ----

ir_ref legal_part(struct legal *g, ir_ref r, unsigned n) {
    const struct ir_constant *c = ir_constant_of(g->f, r);
    const struct ir_type *t = legal_type(g, r);
    if (c) {
        const uint16_t type = t->kind == IR_F32 ? ir_ref_type(g->f, r) : g->i32;
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
    *v = (struct value_parts){(uint32_t)g->parts.count, (uint8_t)count};
    for (unsigned n = 0; n < count; n++)
        if (!array_push(&g->parts, parts[n])) compiler_no_memory(g->c);
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
    return t->kind == IR_F32 ? ir_type_of(g->c->m, IR_F32, 32, 1) : g->i32;
}
