// SPDX-License-Identifier: MIT
// Blocks in reverse postorder, switches as branches, and a block of its own on each edge from a block with
// several ways out to one with several ways in: there phis can be moved. Requires: address. Leaves: jumps and
// branches alone; definitions stand before their uses in the text.
#include "compiler/passes.h"

struct edge {
    uint32_t from, to, now; // old blocks; `now`: the new block from which the edge comes
};
struct control {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    ARRAY(uint32_t) order;
    ARRAY(struct edge) edges;
    ARRAY(uint32_t) phis; // instructions
    uint32_t *number;     // new number of an old block
    uint32_t old_block;   // the one at hand
};

static ir_ref operand(const struct control *k, const struct ir_inst *i, unsigned n) {
    return k->old.operands.items[i->first_operand + n];
}

static void add_edge(struct control *k, uint32_t to) {
    if (!array_push(&k->edges, (struct edge){k->old_block, to, (uint32_t)k->f->blocks.count - 1}))
        compiler_no_memory(k->c);
}

// Targets are old numbers until all blocks are numbered.
static void jump(struct control *k, uint32_t to, uint32_t location) {
    add_edge(k, to);
    ir_append(k->f, OP_jump, (ir_ref[]){ir_make(IR_BLOCK, to)}, 1)->location = location;
}

// Both ways go through a block of their own, which costs nothing where no phi is moved there: the emitter
// jumps over empty ones.
static void branch(struct control *k, ir_ref condition, uint32_t yes, uint32_t no, uint32_t location) {
    const uint32_t next = (uint32_t)k->f->blocks.count;
    const ir_ref new_blocks[] = {condition, ir_make(IR_BLOCK, next | 1u << 28),
                                 ir_make(IR_BLOCK, (next + 1) | 1u << 28)};
    ir_append(k->f, OP_branch, new_blocks, 3)->location = location;
    ir_block_add(k->f);
    jump(k, yes, location);
    ir_block_add(k->f);
    if (no != UINT32_MAX) jump(k, no, location);
}

static void lower_switch(struct control *k, const struct ir_inst *i) {
    const ir_ref value = operand(k, i, 0);
    const uint32_t otherwise = ir_index(operand(k, i, 1));
    if (i->operands == 2) jump(k, otherwise, i->location);
    for (unsigned n = 2; n + 1 < i->operands; n += 2) {
        const ir_ref same = ir_emit(k->f, OP_eq, ir_int(k->c->m, 1), (ir_ref[]){value, operand(k, i, n)}, 2);
        const bool last = n + 3 >= i->operands;
        // Of equal targets each has an edge; a phi has one value for both.
        branch(k, same, ir_index(operand(k, i, n + 1)), last ? otherwise : UINT32_MAX, i->location);
    }
}

static void block(struct control *k, uint32_t number) {
    const struct ir_block *b = &k->old.blocks.items[number];
    k->old_block = number;
    k->number[number] = ir_block_add(k->f);
    for (uint32_t n = 0; n < b->count && !k->c->status && !k->c->m->failed; n++) {
        const struct ir_inst *i = &k->old.insts.items[b->first + n];
        switch (i->op) {
        case OP_jump: jump(k, ir_index(operand(k, i, 0)), i->location); break;
        case OP_branch:
            branch(k, operand(k, i, 0), ir_index(operand(k, i, 1)), ir_index(operand(k, i, 2)), i->location);
            break;
        case OP_switch: lower_switch(k, i); break;
        case OP_phi:
            if (!array_push(&k->phis, (uint32_t)k->f->insts.count)) compiler_no_memory(k->c);
            ir_copy(k->f, &k->old, i);
            break;
        default: ir_copy(k->f, &k->old, i);
        }
    }
}

static void number_targets(struct control *k) {
    for (size_t n = 0; n < k->f->insts.count; n++) {
        const struct ir_inst *i = &k->f->insts.items[n];
        for (unsigned o = 0; o < i->operands && i->op != OP_phi; o++) {
            ir_ref *r = &k->f->operands.items[i->first_operand + o];
            if (!ir_is(*r, IR_BLOCK)) continue;
            const uint32_t at = ir_index(*r);
            *r = ir_make(IR_BLOCK, at >> 28 & 1 ? at & ~(1u << 28) : k->number[at]);
        }
    }
}

// A phi has a value for each edge into its block; a switch may come over several from one block.
static void renew_phi(struct control *k, struct ir_inst *i, uint32_t to) {
    ARRAY(ir_ref) operands = {0};
    for (unsigned n = 0; n + 1 < i->operands; n += 2) {
        const uint32_t from = ir_index(k->f->operands.items[i->first_operand + n]);
        for (size_t e = 0; e < k->edges.count; e++) {
            const struct edge *edge = &k->edges.items[e];
            if (edge->from != from || edge->to != to) continue;
            if (!array_push(&operands, ir_make(IR_BLOCK, edge->now)) ||
                !array_push(&operands, k->f->operands.items[i->first_operand + n + 1]))
                compiler_no_memory(k->c);
        }
    }
    if (!ir_set_operands(k->f, i, operands.items, operands.count)) compiler_no_memory(k->c);
    array_free(&operands);
}

void compiler_control(struct compiler *c) {
    struct control k = {.c = c, .f = c->f};
    if (c->f->blocks.count == 1) return;
    k.number = calloc(c->f->blocks.count, sizeof *k.number);
    if (!k.number || !ir_cfg(c->f)) compiler_no_memory(c);
    for (size_t n = 0; n < c->f->order.count && !c->status; n++)
        if (!array_push(&k.order, c->f->order.items[n])) compiler_no_memory(c);
    ir_take(c->f, &k.old);
    ARRAY(uint32_t) home = {0}; // old block of each phi
    for (size_t n = 0; n < k.order.count && !c->status; n++) {
        block(&k, k.order.items[n]);
        while (home.count < k.phis.count && !c->status)
            if (!array_push(&home, k.order.items[n])) compiler_no_memory(c);
    }
    if (!c->status) number_targets(&k);
    for (size_t n = 0; n < k.phis.count && !c->status; n++)
        renew_phi(&k, &c->f->insts.items[k.phis.items[n]], home.items[n]);
    array_free(&home);
    array_free(&k.order);
    array_free(&k.edges);
    array_free(&k.phis);
    free(k.number);
    ir_old_free(&k.old);
}
