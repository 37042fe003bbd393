// SPDX-License-Identifier: MIT
// Waits, without counting: before an instruction that reads or writes a register of a pending load, for all
// loads of that kind. A p_wait says which counters: 1 vector memory, 2 scalar memory, 4 exports (GFX6).
// Requires: assign. Leaves: no register is used before what was asked for it has come.
#include "compiler/passes.h"

enum { WAIT_VECTOR = 1, WAIT_SCALAR = 2, WAIT_STORE_DATA = 4, REGISTERS = 512 };

struct waits {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    uint8_t pending[2][REGISTERS]; // SGPRs and VGPRs: what is to be waited for
};

static uint32_t register_of(const struct waits *w, ir_ref r) {
    return ir_is(r, IR_VALUE) ? w->f->registers[ir_index(r)] : ir_is(r, IR_REGISTER) ? ir_index(r) : 0;
}

static unsigned pending(const struct waits *w, uint32_t r) {
    const enum ir_register_class class = ir_register_class_of(r);
    unsigned all = 0;
    for (unsigned d = 0;
         class <= IR_VGPR && d < ir_register_dwords(r) && ir_register_first(r) + d < REGISTERS; d++)
        all |= w->pending[class][ir_register_first(r) + d];
    return all;
}

static void set_pending(struct waits *w, uint32_t r, unsigned what) {
    const enum ir_register_class class = ir_register_class_of(r);
    for (unsigned d = 0;
         class <= IR_VGPR && d < ir_register_dwords(r) && ir_register_first(r) + d < REGISTERS; d++)
        w->pending[class][ir_register_first(r) + d] |= (uint8_t)what;
}

// Names of registers use nothing.
static bool is_name(const struct waits *w, const struct ir_inst *i) {
    if (i->op == OP_p_copy)
        return register_of(w, w->old.operands.items[i->first_operand]) == w->f->registers[i->first_result];
    return i->op == OP_p_part || i->op == OP_phi;
}

// Nothing is outstanding where blocks begin.
static unsigned all_pending(const struct waits *w) {
    unsigned all = 0;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned r = 0; r < REGISTERS; r++) all |= w->pending[k][r];
    return all;
}

static void wait_for(struct waits *w, unsigned what, uint32_t location) {
    const ir_ref mask = ir_immediate((int32_t)what);
    for (unsigned k = 0; k < 2; k++)
        for (unsigned r = 0; r < REGISTERS; r++) w->pending[k][r] &= (uint8_t)~what;
    ir_append(w->f, OP_p_wait, &mask, 1)->location = location;
}

static void instruction(struct waits *w, const struct ir_inst *i) {
    const struct row *row = ir_is_row(i->op) ? ir_row(i->op) : NULL;
    unsigned what = 0;
    for (unsigned k = 0; k < i->operands && !is_name(w, i); k++)
        what |= pending(w, register_of(w, w->old.operands.items[i->first_operand + k])) &
                (WAIT_VECTOR | WAIT_SCALAR);
    for (unsigned r = 0; r < i->results && !is_name(w, i); r++)
        what |= pending(w, w->f->registers[i->first_result + r]);
    if (i->op == OP_jump || i->op == OP_branch || i->op == OP_p_moves) what = all_pending(w);
    if (what) wait_for(w, what, i->location);
    ir_copy(w->f, &w->old, i);
    if (!row) return;
    for (unsigned r = 0; r < i->results && row->flags & ROW_LOAD; r++) {
        const uint32_t to = w->f->registers[i->first_result + r];
        // Flat accesses count in both.
        set_pending(w, to,
                    ir_register_class_of(to) == IR_SGPR ? WAIT_SCALAR
                    : row->flags & ROW_LGKM_CNT         ? WAIT_VECTOR | WAIT_SCALAR
                                                        : WAIT_VECTOR);
    }
    if (row->flags & ROW_STORE && !has(w->c->processor, CAP_flat_address_space))
        for (unsigned k = 0; k < i->operands; k++)
            set_pending(w, register_of(w, w->old.operands.items[i->first_operand + k]), WAIT_STORE_DATA);
}

void compiler_waits(struct compiler *c) {
    struct waits w = {.c = c, .f = c->f};
    ir_take(c->f, &w.old);
    for (size_t b = 0; b < w.old.blocks.count && !c->m->failed; b++) {
        const struct ir_block *block = &w.old.blocks.items[b];
        ir_block_add(c->f);
        for (uint32_t n = 0; n < block->count && !c->m->failed; n++)
            instruction(&w, &w.old.insts.items[block->first + n]);
    }
    ir_old_free(&w.old);
}
