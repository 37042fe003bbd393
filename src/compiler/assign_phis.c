// SPDX-License-Identifier: MIT
// Moves that fill phis: the last part of the pass assign. Requires: registers of all values. Leaves: each
// phi's register filled, all at once (p_moves), at the ends of the blocks from which lanes or the wave come.
#include "compiler/assignment.h"

static void add_moves(struct assignment *a, const struct ir_old *old, uint32_t block, bool lanes) {
    ARRAY(ir_ref) pairs = {0};
    const struct ir_function *f = a->f;
    bool whole = false;
    for (uint32_t e = 0, to; (to = live_way(f, &old->blocks.items[block], lanes, e)) != NO_VALUE; e++) {
        uint32_t n = 0;
        for (const struct ir_inst *phi;
             (phi = live_next_phi(f, old->insts.items, &old->blocks.items[to], lanes, &n));) {
            const uint32_t r = f->registers[phi->first_result];
            ir_ref value = IR_NOTHING;
            whole |= f->values.items[phi->first_result].bank == IR_BANK_W;
            for (uint32_t o = phi->first_operand; o + 1 < phi->first_operand + phi->operands; o += 2)
                if (old->operands.items[o] == ir_make(IR_BLOCK, block)) value = old->operands.items[o + 1];
            const struct ir_constant *k = ir_constant_of(f, value);
            for (unsigned d = 0; d < ir_register_dwords(r) && !(k && k->poison); d++) {
                ir_ref from = live_dword_of_constant(a->c, value, ir_register_dwords(r), d);
                if (ir_is(value, IR_VALUE))
                    from = ir_make(IR_REGISTER, ir_register_dword(f->registers[ir_index(value)], d));
                if (!array_push(&pairs, ir_make(IR_REGISTER, ir_register_dword(r, d))) ||
                    !array_push(&pairs, from))
                    compiler_no_memory(a->c);
            }
        }
    }
    if (pairs.count)
        ir_append(a->f, OP_p_moves, pairs.items, (unsigned)pairs.count)->lanes =
            whole ? IR_LANES_ALL : IR_LANES_OWN;
    array_free(&pairs);
}

// Vector registers are written before EXEC changes, scalar ones at the very end.
void assignment_fill_phis(struct assignment *a) {
    struct ir_old old = {0};
    ir_take(a->f, &old);
    for (uint32_t b = 0; b < old.blocks.count && !a->c->status && !a->c->m->failed; b++) {
        const struct ir_block *block = &old.blocks.items[b];
        bool vectors = false, scalars = false;
        ir_block_add(a->f);
        for (uint32_t n = 0; n < block->count && !a->c->m->failed; n++) {
            const struct ir_inst *i = &old.insts.items[block->first + n];
            const bool ends = ir_is_terminator(i);
            if (!vectors && (ends || i->op == OP_p_logical)) add_moves(a, &old, b, vectors = true);
            if (!scalars && ends) scalars = true, add_moves(a, &old, b, false);
            ir_copy(a->f, &old, i);
        }
    }
    ir_old_free(&old);
}
