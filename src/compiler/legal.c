// SPDX-License-Identifier: MIT
// Takes values apart into dwords and makes operations that no row computes of ones that rows do. Vectors
// become their elements, 64-bit integers two dwords, smaller integers a dword whose upper bits are undefined.
// Requires: divergence. Leaves: integers of one dword, floats that rows take, tuples made of parts.
#include "compiler/legal.h"

// ---- The pass ----

static void instruction(struct legal *g) {
    const ir_ref result = ir_make(IR_VALUE, g->i->first_result);
    const struct ir_type t = g->i->results ? *legal_type(g, result) : (struct ir_type){0};
    const enum ir_bank bank = g->i->results ? (enum ir_bank)ir_value_of(g->f, result)->bank : IR_BANK_V;
    const unsigned op = g->i->op;
    if (ir_has_called(op))
        legal_call(g);
    else if (op == OP_p_moves)
        legal_moves(g);
    else if (op == OP_p_end_lanes)
        legal_jump(g);
    else if (op == OP_p_live)
        legal_live(g);
    else if (op >= OPERATIONS)
        legal_refuse(g, "this operation");
    else if (op == OP_load || op == OP_store || op == OP_atomic_load || op == OP_atomic_store)
        legal_access(g, op == OP_store || op == OP_atomic_store);
    else if (op >= OP_atomic_xchg && op <= OP_atomic_cmpxchg)
        legal_atomic(g);
    else if (op == OP_buffer_place)
        legal_place(g);
    else if (op == OP_aperture)
        legal_aperture(g);
    else if (op == OP_hardware_field)
        legal_hardware_field(g);
    else if (op == OP_fence || op == OP_barrier || op == OP_wave_barrier)
        legal_effect(g);
    else if (op == OP_trap || op == OP_debug_trap)
        legal_trap(g);
    else if (op == OP_cycle_counter || op == OP_real_time)
        legal_clock(g);
    else if (op == OP_readfirstlane || op == OP_readlane || op == OP_writelane || op == OP_ballot ||
             op == OP_inverse_ballot)
        legal_lane(g);
    else if (op == OP_keep)
        legal_keep(g);
    else if (op == OP_wave_size)
        legal_set_parts(g, (ir_ref[]){legal_number(g, g->f->facts.wave)}, 1);
    else if (op == OP_inline_asm)
        legal_inline_asm(g);
    else if (op == OP_intrinsic)
        legal_intrinsic(g);
    else if (op == OP_return && (!ir_is_entry(g->f) || g->i->operands))
        legal_return(g);
    else if (op == OP_return && !g->i->operands)
        ir_append(g->f, OP_end_program, NULL, 0)->location = g->i->location;
    else if (op == OP_jump || op == OP_branch || op == OP_unreachable)
        legal_jump(g);
    else if (op == OP_phi)
        legal_phi(g, bank, &t);
    else if (op == OP_copy)
        legal_copy(g, bank, &t);
    else if (op == OP_bitcast || op == OP_freeze)
        legal_rename(g, bank, &t);
    else if (op == OP_space_cast)
        legal_space_cast(g, bank, &t);
    else if (op == OP_vector || op == OP_extract || op == OP_insert || op == OP_shuffle)
        legal_gather(g, bank, &t);
    else if (g->i->results == 1 && !(ir_op_properties(op) & (OPERATION_EFFECT | OPERATION_READS |
                                                             OPERATION_WRITES | OPERATION_CONVERGENT)))
        legal_elementwise(g, bank, &t);
    else
        legal_refuse(g, "this operation");
}

void compiler_legal(struct compiler *c) {
    struct legal g = {
        .c = c, .f = c->f, .i1 = ir_int(c->m, 1), .i32 = ir_int(c->m, 32), .i64 = ir_int(c->m, 64)};
    g.values = calloc(c->f->values.count + 1, sizeof *g.values);
    if (!g.values) compiler_no_memory(c);
    ir_take(c->f, &g.old);
    if (!c->status) legal_find_quads(&g);
    for (uint32_t b = 0; b < g.old.blocks.count && !c->status; b++) {
        const struct ir_block *block = &g.old.blocks.items[b];
        g.block = ir_block_add(c->f);
        if (!b) legal_begin_quads(&g);
        if (!b) legal_begin_live(&g);
        for (uint32_t n = 0; n < block->count && !c->status && !c->m->failed; n++) {
            g.i = &g.old.insts.items[block->first + n];
            if (g.i->op != OP_phi) legal_end_phis(&g);
            instruction(&g);
            legal_end_quads(&g);
        }
    }
    if (!c->status) legal_fill_phis(&g);
    ir_old_free(&g.old);
    array_free(&g.phis);
    array_free(&g.bits);
    array_free(&g.parts);
    free(g.values);
    free(g.used);
}
