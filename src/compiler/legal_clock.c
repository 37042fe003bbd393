// SPDX-License-Identifier: MIT
// Clocks: how many cycles went by, and a time that goes on at the same pace. Which instruction reads them is
// a matter of the processor; where there is no steady time, it stands still, as with LLVM.
#include "compiler/legal.h"
#include "isa/names.h"

enum { REAL_TIME = 131, CYCLES = 29, CYCLES_HIGH = 30, CYCLE_BITS = 20 }; // a message, hardware registers

static ir_ref read_register(struct legal *g, unsigned number, unsigned bits) {
    const ir_ref which = ir_immediate((int32_t)(number | (bits - 1) << 11));
    const struct row *row = compiler_named_row(g->c, "s_getreg_b32");
    return legal_emit_as(g, ir_op_of_row(row), IR_BANK_S, g->i32, &which, 1);
}

static void set_whole(struct legal *g, const struct row *row, const ir_ref *operands, unsigned count) {
    const ir_ref whole = legal_emit_as(g, ir_op_of_row(row), IR_BANK_S, g->i64, operands, count);
    ir_ref parts[2];
    legal_set_parts(g, parts, legal_parts_of(g, whole, 2, g->i32, parts));
}

// The halves are two registers. Where the upper one changed meanwhile, the lower one was 0 in between.
static void set_halves(struct legal *g) {
    const ir_ref before = read_register(g, CYCLES_HIGH, 32), low = read_register(g, CYCLES, 32),
                 after = read_register(g, CYCLES_HIGH, 32);
    g->bank = IR_BANK_S;
    const ir_ref same = legal_test(g, OP_eq, before, after);
    legal_set_parts(g, (ir_ref[]){legal_scalar(g, legal_choice(g, same, low, N(0))), after}, 2);
}

void legal_clock(struct legal *g) {
    const bool cycles = g->i->op == OP_cycle_counter;
    const struct row *row = compiler_named_row(g->c, cycles ? "s_memtime" : "s_memrealtime");
    if (!row && cycles) row = compiler_named_row(g->c, "s_get_shader_cycles_u64");
    if (row) {
        set_whole(g, row, NULL, 0);
    } else if (!cycles && (row = compiler_named_row(g->c, "s_sendmsg_rtn_b64"))) {
        set_whole(g, row, (ir_ref[]){ir_immediate(REAL_TIME)}, 1);
    } else if (!cycles) {
        legal_set_parts(g, (ir_ref[]){N(0), N(0)}, 2);
    } else if (isa_name(g->c->isa, NAME_HWREG, CYCLES_HIGH)) {
        set_halves(g);
    } else if (isa_name(g->c->isa, NAME_HWREG, CYCLES)) {
        legal_set_parts(g, (ir_ref[]){read_register(g, CYCLES, CYCLE_BITS), N(0)}, 2);
    } else
        legal_refuse(g, "a clock on this processor");
}
