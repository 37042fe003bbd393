// SPDX-License-Identifier: MIT
// Constants that are added to an address move into the access, as far as every form of it can hold them.
// Requires: abi. Leaves: the same operations.
#include "compiler/compiler.h"
#include "compiler/passes.h"

static void fold(struct compiler *c, struct ir_inst *i, unsigned address) {
    struct ir_function *f = c->f;
    const struct ir_memory *m = ir_memory_of(f, i);
    ir_ref *at = &f->operands.items[i->first_operand + address];
    for (;;) {
        const struct ir_inst *sum = ir_def(f, *at);
        const struct ir_constant *n =
            sum && sum->op == OP_add ? ir_constant_of(f, ir_operand(f, sum, 1)) : NULL;
        const uint64_t offset = n ? (uint64_t)ir_number(at[1]) + n->low : 0;
        if (!n || n->poison || offset > compiler_greatest_offset(c, m)) return;
        *at = ir_operand(f, sum, 0);
        at[1] = ir_immediate((int32_t)offset);
    }
}

// Numbers that are added to the offsets of places in buffers, where the sum does not wrap: all accesses by a
// place get its number. What an access cannot hold is added again by legal.
static void fold_places(struct compiler *c) {
    struct ir_function *f = c->f;
    uint32_t *numbers = NULL;
    for (size_t n = 0; n < f->insts.count; n++) {
        const struct ir_inst *place = &f->insts.items[n];
        if (place->op != OP_buffer_place) continue;
        ir_ref *offset = &f->operands.items[place->first_operand + 1];
        const struct ir_inst *sum = ir_def(f, *offset);
        const struct ir_constant *k =
            sum && sum->op == OP_add && sum->flags & IR_NUW ? ir_constant_of(f, ir_operand(f, sum, 1)) : NULL;
        if (!k || k->poison || k->low >= 1 << 24) continue;
        if (!numbers && !(numbers = calloc(f->values.count + 1, sizeof *numbers))) {
            compiler_no_memory(c);
            return;
        }
        numbers[place->first_result] = (uint32_t)k->low;
        *offset = ir_operand(f, sum, 0);
    }
    for (size_t n = 0; n < f->insts.count && numbers; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        const struct ir_memory *m = ir_memory_of(f, i);
        if (i->op < OP_load || i->op > OP_atomic_cmpxchg || !m || m->space < IR_FAT) continue;
        ir_ref *at = &f->operands.items[i->first_operand + i->operands - 2];
        at[1] = ir_immediate(ir_number(at[1]) + (int32_t)numbers[ir_index(*at)]);
    }
    free(numbers);
}

void compiler_address(struct compiler *c) {
    fold_places(c);
    for (size_t n = 0; n < c->f->insts.count; n++) {
        struct ir_inst *i = &c->f->insts.items[n];
        if (i->op == OP_load || i->op == OP_atomic_load) fold(c, i, 0);
        if (i->op == OP_store || i->op == OP_atomic_store) fold(c, i, 1);
        if (i->op >= OP_atomic_xchg && i->op <= OP_atomic_cmpxchg) fold(c, i, i->operands - 2u);
    }
}
