// SPDX-License-Identifier: MIT
// Phis dword by dword, and the ends of blocks. A lane mask has bits of active lanes alone, and lanes come to
// a phi from different blocks: a phi of bits becomes one of a dword a lane, 0 or 1, which is compared behind
// it.
#include "compiler/legal.h"

void legal_phi(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const bool is_bit = t->kind == IR_INT && t->bits == 1;
    const unsigned count = legal_dwords(t) * t->count;
    ir_ref out[MOST_PARTS];
    if (count > MOST_PARTS) {
        legal_refuse(g, "a phi of this type");
        return;
    }
    for (unsigned n = 0; n < count; n++) {
        const struct phi_part part = {g->i, (uint32_t)g->f->values.count, n, is_bit};
        out[n] = legal_emit_as(g, OP_phi, is_bit ? IR_BANK_V : bank, legal_dword_type(g, t), NULL, 0);
        if (!array_push(&g->phis, part)) compiler_no_memory(g->c);
    }
    legal_set_parts(g, out, count);
}

void legal_end_phis(struct legal *g) {
    const struct ir_inst *i = g->i;
    ir_ref bits[MOST_PARTS];
    for (; g->ended < g->phis.count && !g->c->status; g->ended++) {
        const struct phi_part *p = &g->phis.items[g->ended];
        if (!p->is_bit) continue;
        g->i = p->old;
        const ir_ref o[] = {ir_make(IR_VALUE, p->value), legal_number(g, 0)};
        bits[p->part] = legal_emit_as(g, OP_ne, IR_BANK_M, g->i1, o, 2);
        if (g->ended + 1 == g->phis.count || g->phis.items[g->ended + 1].old != p->old)
            legal_set_parts(g, bits, p->part + 1);
    }
    g->i = i;
}

// In front of a block's end: bits that phis take from here.
static void make_bits(struct legal *g, uint32_t to) {
    const struct ir_block *b = &g->old.blocks.items[to];
    for (uint32_t n = b->first; n < b->first + b->count && g->old.insts.items[n].op == OP_phi; n++) {
        const struct ir_inst *phi = &g->old.insts.items[n];
        const struct ir_type *t = legal_type(g, ir_make(IR_VALUE, phi->first_result));
        for (uint32_t o = phi->first_operand; o + 1 < phi->first_operand + phi->operands; o += 2) {
            const ir_ref bits = g->old.operands.items[o + 1];
            if (g->old.operands.items[o] != ir_make(IR_BLOCK, g->block)) continue;
            for (unsigned part = 0; part < t->count && t->kind == IR_INT && t->bits == 1; part++) {
                const ir_ref bit = legal_part(g, bits, part);
                const struct ir_constant *k = ir_constant_of(g->f, bit);
                const ir_ref choice[] = {bit, legal_number(g, 1), legal_number(g, 0)};
                const ir_ref now = k ? legal_number(g, !k->poison && k->low)
                                     : legal_emit_as(g, OP_select, IR_BANK_V, g->i32, choice, 3);
                if (!array_push(&g->bits, (struct phi_bit){g->block, bits, part, now}))
                    compiler_no_memory(g->c);
            }
        }
    }
}

static ir_ref bit_from(struct legal *g, ir_ref block, ir_ref bits, unsigned part) {
    for (size_t n = 0; n < g->bits.count; n++) {
        const struct phi_bit *b = &g->bits.items[n];
        if (b->old == bits && b->part == part && ir_make(IR_BLOCK, b->block) == block) return b->now;
    }
    legal_refuse(g, "a phi of a bit that is nowhere");
    return IR_NOTHING;
}

static void fill_phi(struct legal *g, const struct phi_part *p) {
    const uint32_t first = (uint32_t)g->f->operands.count;
    g->i = p->old;
    for (unsigned n = 0; n + 1 < p->old->operands && !g->c->status; n += 2) {
        const ir_ref from = legal_operand(g, n), old = legal_operand(g, n + 1);
        const ir_ref value = p->is_bit ? bit_from(g, from, old, p->part) : legal_part(g, old, p->part);
        if (!array_push(&g->f->operands, from) || !array_push(&g->f->operands, value))
            compiler_no_memory(g->c);
    }
    struct ir_inst *i = ir_def(g->f, ir_make(IR_VALUE, p->value));
    if (g->c->status || !i) return;
    i->first_operand = first;
    i->operands = (uint16_t)(g->f->operands.count - first);
}

void legal_fill_phis(struct legal *g) {
    for (size_t n = 0; n < g->phis.count && !g->c->status; n++) fill_phi(g, &g->phis.items[n]);
}

// Registers and what they hold, dword by dword.
void legal_call(struct legal *g) {
    ARRAY(ir_ref) o = {0};
    ir_ref out[MOST_PARTS];
    bool done = array_push(&o, legal_operand(g, 0));
    for (unsigned n = 1; n + 1 < g->i->operands; n += 2) {
        const uint32_t r = ir_index(legal_operand(g, n));
        for (unsigned d = 0; d < ir_register_dwords(r) && !g->c->status; d++) {
            const ir_ref v = legal_part(g, legal_operand(g, n + 1), d);
            const bool scalar = ir_register_class_of(r) != IR_VGPR;
            done &= array_push(&o, ir_make(IR_REGISTER, ir_register_dword(r, d))) &&
                    array_push(&o, scalar ? legal_scalar(g, v) : v);
        }
    }
    if (!done || o.count > UINT16_MAX) compiler_no_memory(g->c);
    if (!g->c->status) {
        struct ir_inst *i = ir_append(g->f, g->i->op, o.items, (unsigned)o.count);
        i->location = g->i->location;
        i->flags = IR_CONVERGENT;
        for (unsigned n = 0; n < g->i->results && n < MOST_PARTS; n++) {
            out[n] = ir_result(g->f, g->i32);
            if (ir_value_of(g->f, out[n])) ir_value_of(g->f, out[n])->bank = IR_BANK_V;
        }
        // Each result is one dword.
        const struct ir_inst *old = g->i;
        struct ir_inst one = *old;
        for (unsigned n = 0; n < old->results && n < MOST_PARTS; n++) {
            one.first_result = old->first_result + n;
            g->i = &one;
            legal_set_parts(g, &out[n], 1);
        }
        g->i = old;
    }
    array_free(&o);
}

// Each dword, but constants.
void legal_keep(struct legal *g) {
    const struct ir_type *t = legal_type(g, legal_operand(g, 0));
    for (unsigned n = 0; n < legal_dwords(t) * t->count && !g->c->status; n++) {
        const ir_ref part = legal_part(g, legal_operand(g, 0), n);
        if (ir_is(part, IR_VALUE)) ir_append(g->f, OP_keep, &part, 1)->location = g->i->location;
    }
}

// Scalar registers.
void legal_moves(struct legal *g) {
    for (unsigned n = 0; n + 1 < g->i->operands && !g->c->status; n += 2) {
        const ir_ref v = legal_scalar(g, legal_part(g, legal_operand(g, n + 1), 0));
        ir_append(g->f, OP_p_moves, (ir_ref[]){legal_operand(g, n), v}, 2)->location = g->i->location;
    }
}

void legal_return(struct legal *g) {
    ARRAY(ir_ref) o = {0};
    bool done = true;
    unsigned next[2] = {0};
    for (unsigned n = 0; n < g->i->operands && !g->c->status; n++) {
        const ir_ref v = legal_part(g, legal_operand(g, n), 0);
        const bool vector = !ir_is_entry(g->f) || legal_type(g, legal_operand(g, n))->kind == IR_F32;
        const unsigned r = next[vector]++;
        done &= array_push(&o, ir_make(IR_REGISTER, ir_register(vector ? IR_VGPR : IR_SGPR, r, 1))) &&
                array_push(&o, vector ? v : legal_scalar(g, v));
    }
    if (!done) compiler_no_memory(g->c);
    legal_end_whole(g);
    if (!g->c->status) ir_append(g->f, OP_p_return, o.items, (unsigned)o.count)->location = g->i->location;
    array_free(&o);
}

void legal_jump(struct legal *g) {
    ir_ref o[3];
    for (unsigned n = 0; n < g->i->operands; n++)
        if (ir_is(legal_operand(g, n), IR_BLOCK)) make_bits(g, ir_index(legal_operand(g, n)));
    for (unsigned n = 0; n < g->i->operands; n++)
        o[n] = ir_is(legal_operand(g, n), IR_BLOCK) ? legal_operand(g, n)
                                                    : legal_part(g, legal_operand(g, n), 0);
    struct ir_inst *i = ir_append(g->f, g->i->op, o, g->i->operands);
    i->location = g->i->location;
    i->flags = (uint16_t)(g->i->flags & IR_DIVERGENT);
}
