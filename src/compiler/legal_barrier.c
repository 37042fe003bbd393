// SPDX-License-Identifier: MIT
// Barriers that have a number, which the program gives or which stands in the address of a variable
// (llvm.amdgcn.s.barrier.*, s.get.*barrier.state, s.wakeup.barrier). A number that is not known is in M0.
#include "compiler/legal.h"

enum { NUMBER_SHIFT = 4, MOST = 63, COUNT_SHIFT = 16 };

// The number of a barrier: where it is a constant, that; else M0, which gets it.
static ir_ref barrier_of(struct legal *g, ir_ref number, ir_ref count) {
    const struct ir_constant *k = ir_constant_of(g->f, number);
    if (k && ir_is(count, IR_NONE)) return number;
    const ir_ref all =
        ir_is(count, IR_NONE)
            ? number
            : EMIT(g, OP_or, IR_BANK_S, number,
                   EMIT(g, OP_shl, IR_BANK_S, EMIT(g, OP_and, IR_BANK_S, count, N(MOST)), N(COUNT_SHIFT)));
    legal_fix_m0(g, all);
    return ir_make(IR_REGISTER, ir_register(IR_M0, 0, 1));
}

// The number in a variable's address.
static ir_ref number_of(struct legal *g) {
    const ir_ref at = legal_scalar(g, legal_part(g, legal_operand(g, 1), 0));
    return EMIT(g, OP_and, IR_BANK_S, EMIT(g, OP_lshr, IR_BANK_S, at, N(NUMBER_SHIFT)), N(MOST));
}

// Signals, and says whether this is the first wave to come, in SCC.
static void signal_first(struct legal *g, const struct row *row) {
    const bool wide = g->f->facts.wave == 64;
    const struct row *choose = compiler_named_row(g->c, wide ? "s_cselect_b64" : "s_cselect_b32");
    const uint16_t mask = wide ? g->i64 : g->i32;
    const ir_ref number = legal_part(g, legal_operand(g, 1), 0);
    const ir_ref first = legal_emit_as(g, ir_op_of_row(row), IR_BANK_SCC, g->i1, &number, 1);
    struct ir_inst *i = ir_def(g->f, first);
    if (i) i->flags |= IR_CONVERGENT;
    const ir_ref o[] = {ir_constant_bits(g->f, mask, ~0ull, 0), ir_constant_bits(g->f, mask, 0, 0), first};
    const ir_ref lanes = legal_emit_as(g, ir_op_of_row(choose), IR_BANK_M, g->i1, o, 3);
    if (!g->c->status) legal_set_parts(g, &lanes, 1);
}

static void append(struct legal *g, const struct row *row, ir_ref barrier, bool none) {
    struct ir_inst *i = ir_append(g->f, ir_op_of_row(row), &barrier, none ? 0 : 1);
    i->location = g->i->location;
    i->flags |= IR_CONVERGENT;
}

static void state(struct legal *g, const struct row *row, ir_ref barrier) {
    const ir_ref r = legal_emit_as(g, ir_op_of_row(row), IR_BANK_S, g->i32, &barrier, 1);
    struct ir_inst *i = ir_def(g->f, r);
    if (i) i->flags |= IR_CONVERGENT;
    if (!g->c->status) legal_set_parts(g, &r, 1);
}

bool legal_barrier(struct legal *g, const char *name) {
    static const struct {
        char name[26], row[26];
        bool by_address, counts;
    } all[] = {{"s.barrier.init", "s_barrier_init", true, true},
               {"s.barrier.join", "s_barrier_join", true, false},
               {"s.barrier.signal.var", "s_barrier_signal", true, true},
               {"s.wakeup.barrier", "s_wakeup_barrier", true, false},
               {"s.get.named.barrier.state", "s_get_barrier_state", true, false},
               {"s.get.barrier.state", "s_get_barrier_state", false, false},
               {"s.barrier.signal.isfirst", "s_barrier_signal_isfirst", false, false},
               {"s.barrier.leave", "s_barrier_leave", false, false}};
    enum { COUNT = sizeof all / sizeof *all, FIRST = COUNT - 2, LEAVE = COUNT - 1 };
    size_t n = 0;
    while (n < COUNT && strcmp(name, all[n].name)) n++;
    const struct row *row = n < COUNT ? compiler_named_row(g->c, all[n].row) : NULL;
    if (!row) return false;
    if (n == FIRST) {
        signal_first(g, row);
        return true;
    }
    if (n == LEAVE) {
        append(g, row, IR_NOTHING, true);
        return true;
    }
    const ir_ref number =
        all[n].by_address ? number_of(g) : legal_scalar(g, legal_part(g, legal_operand(g, 1), 0));
    const ir_ref count = all[n].counts ? legal_scalar(g, legal_part(g, legal_operand(g, 2), 0)) : IR_NOTHING;
    const ir_ref barrier = g->c->status ? IR_NOTHING : barrier_of(g, number, count);
    if (g->c->status) return true;
    if (g->i->results)
        state(g, row, barrier);
    else
        append(g, row, barrier, false);
    return true;
}
