// SPDX-License-Identifier: MIT
// Vectors from their elements and elements of them; the same dwords under another type.
#include "compiler/legal.h"

void legal_gather(struct legal *g, const struct ir_type *t) {
    const unsigned each = legal_dwords(t);
    const struct ir_constant *index = ir_constant_of(g->f, legal_operand(g, g->i->op == OP_insert ? 2 : 1));
    const struct ir_type from = *legal_type(g, legal_operand(g, 0));
    ir_ref out[MOST_PARTS];
    if (each * t->count > MOST_PARTS ||
        ((g->i->op == OP_extract || g->i->op == OP_insert) && (!index || index->low >= from.count))) {
        legal_refuse(g, "a vector of this kind, or an element at a variable index");
        return;
    }
    for (unsigned n = 0; n < t->count && !g->c->status; n++)
        for (unsigned d = 0; d < each; d++) {
            ir_ref source = legal_operand(g, 0);
            unsigned element = n;
            if (g->i->op == OP_vector) source = legal_operand(g, n), element = 0;
            if (g->i->op == OP_extract) element = (unsigned)index->low;
            if (g->i->op == OP_insert && n == index->low) source = legal_operand(g, 1), element = 0;
            if (g->i->op == OP_shuffle) {
                const int32_t k = ir_number(legal_operand(g, n + 2));
                element = k < 0 ? 0 : (unsigned)k;
                if (element >= from.count) source = legal_operand(g, 1), element -= from.count;
            }
            out[n * each + d] = legal_part(g, source, element * each + d);
        }
    legal_set_parts(g, out, each * t->count);
}

// The same dwords under another type.
void legal_rename(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const struct ir_type from = *legal_type(g, legal_operand(g, 0));
    const unsigned count = legal_dwords(t) * t->count;
    ir_ref out[MOST_PARTS];
    if (count > MOST_PARTS || legal_dwords(&from) * from.count != count ||
        (from.bits < 32 && from.bits != t->bits)) {
        legal_refuse(g, "a change of type of this kind");
        return;
    }
    for (unsigned n = 0; n < count; n++) {
        out[n] = legal_part(g, legal_operand(g, 0), n);
        if (!g->c->status && ir_ref_type(g->f, out[n]) != legal_dword_type(g, t))
            out[n] = legal_emit_as(g, OP_bitcast, bank, legal_dword_type(g, t), &out[n], 1);
    }
    legal_set_parts(g, out, count);
}

void legal_copy(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const ir_ref from = legal_operand(g, 0);
    ir_ref out[MOST_PARTS];
    if (ir_is(from, IR_SYMBOL))
        legal_refuse(g, "the address of a variable or function");
    else if (ir_is(from, IR_REGISTER)) {
        const ir_ref v = legal_emit_as(
            g, OP_copy, bank, ir_value_of(g->f, ir_make(IR_VALUE, g->i->first_result))->type, &from, 1);
        legal_set_parts(g, out, legal_parts_of(g, v, legal_dwords(t), g->i32, out));
    } else
        legal_rename(g, bank, t);
}
