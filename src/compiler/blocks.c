// SPDX-License-Identifier: MIT
// Blocks in the order in which the wave will visit them, and in a shape that control.c can work on: jumps and
// branches instead of switches; one return, at the end; loops that are contiguous, with one jump back each,
// from the last block. Requires: abi. Leaves: this, and definitions before their uses in the text.
#include "compiler/passes.h"

struct edge {
    uint32_t from, to, now; // old blocks; `now`: the new block from which the edge comes
};
struct blocks {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    ARRAY(struct edge) edges;
    ARRAY(struct ir_inst) returns; // old instructions
    ARRAY(uint32_t) return_blocks; // new blocks
    uint32_t *number;              // new number of an old block
    uint32_t old_block;            // the one at hand
};

static void no_memory(struct blocks *k, bool done) {
    if (!done) compiler_no_memory(k->c);
}
static ir_ref operand(const struct blocks *k, const struct ir_inst *i, unsigned n) {
    return n < i->operands ? k->old.operands.items[i->first_operand + n] : IR_NOTHING;
}

// ---- Jumps, branches, switches ----
// Targets are old numbers until all blocks are numbered; those of blocks that are new have a mark.

enum { NEW_BLOCK = 1 << 28 };

static void add_edge(struct blocks *k, uint32_t to) {
    no_memory(k, array_push(&k->edges, (struct edge){k->old_block, to, (uint32_t)k->f->blocks.count - 1}));
}

static void jump(struct blocks *k, uint32_t to, uint32_t location) {
    add_edge(k, to);
    ir_append(k->f, OP_jump, (ir_ref[]){ir_make(IR_BLOCK, to)}, 1)->location = location;
}

static void branch(struct blocks *k, ir_ref condition, uint32_t yes, uint32_t no, uint32_t location) {
    if (yes == no) {
        jump(k, yes, location);
        return;
    }
    add_edge(k, yes);
    if (!(no & NEW_BLOCK)) add_edge(k, no);
    ir_append(k->f, OP_branch, (ir_ref[]){condition, ir_make(IR_BLOCK, yes), ir_make(IR_BLOCK, no)}, 3)
        ->location = location;
}

static void lower_switch(struct blocks *k, const struct ir_inst *i) {
    const ir_ref value = operand(k, i, 0);
    const uint32_t otherwise = ir_index(operand(k, i, 1));
    if (i->operands == 2) jump(k, otherwise, i->location);
    for (unsigned n = 2; n + 1 < i->operands; n += 2) {
        const ir_ref same = ir_emit(k->f, OP_eq, ir_int(k->c->m, 1), (ir_ref[]){value, operand(k, i, n)}, 2);
        const bool last = n + 3 >= i->operands;
        branch(k, same, ir_index(operand(k, i, n + 1)),
               last ? otherwise : (uint32_t)k->f->blocks.count | NEW_BLOCK, i->location);
        if (!last) ir_block_add(k->f);
    }
}

static void lower_block(struct blocks *k, uint32_t number) {
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
        case OP_return:
            no_memory(k, array_push(&k->returns, *i));
            no_memory(k, array_push(&k->return_blocks, (uint32_t)k->f->blocks.count - 1));
            ir_copy(k->f, &k->old, i);
            break;
        default: ir_copy(k->f, &k->old, i);
        }
    }
}

// A phi has a value for each edge into its block; a switch may come over several from one block.
static void renew_phi(struct blocks *k, struct ir_inst *i, uint32_t to) {
    ARRAY(ir_ref) operands = {0};
    for (unsigned n = 0; n + 1 < i->operands; n += 2) {
        const uint32_t from = ir_index(ir_operand(k->f, i, n));
        for (size_t e = 0; e < k->edges.count; e++) {
            const struct edge *edge = &k->edges.items[e];
            if (edge->from != from || edge->to != to) continue;
            no_memory(k, array_push(&operands, ir_make(IR_BLOCK, edge->now)) &&
                             array_push(&operands, ir_operand(k->f, i, n + 1)));
        }
    }
    no_memory(k, ir_set_operands(k->f, i, operands.items, operands.count));
    array_free(&operands);
}

static void renew_targets(struct blocks *k, struct ir_inst *i) {
    for (unsigned o = 0; o < i->operands; o++) {
        ir_ref *r = &k->f->operands.items[i->first_operand + o];
        if (!ir_is(*r, IR_BLOCK)) continue;
        const uint32_t at = ir_index(*r);
        *r = ir_make(IR_BLOCK, at & NEW_BLOCK ? at & ~(uint32_t)NEW_BLOCK : k->number[at]);
    }
}

static void renew_blocks(struct blocks *k) {
    uint32_t *home =
        calloc(k->f->blocks.count + 1, sizeof *home); // one more than the old block of this number
    uint32_t old = 0;
    no_memory(k, home != NULL);
    for (uint32_t n = 0; n < k->old.blocks.count && home; n++)
        if (k->number[n] != IR_NO_DEF) home[k->number[n]] = n + 1;
    for (uint32_t b = 0; b < k->f->blocks.count && !k->c->status; b++) {
        if (home[b]) old = home[b] - 1;
        const struct ir_block *block = &k->f->blocks.items[b];
        for (uint32_t n = block->first; n < block->first + block->count && !k->c->status; n++)
            if (k->f->insts.items[n].op == OP_phi)
                renew_phi(k, &k->f->insts.items[n], old);
            else
                renew_targets(k, &k->f->insts.items[n]);
    }
    free(home);
}

// Several returns become jumps to one.
static void join_returns(struct blocks *k) {
    if (k->returns.count < 2) return;
    const struct ir_inst first = k->returns.items[0];
    const uint32_t end = ir_block_add(k->f);
    ARRAY(ir_ref) values = {0};
    for (unsigned o = 0; o < first.operands && !k->c->status; o++) {
        ARRAY(ir_ref) in = {0};
        for (size_t n = 0; n < k->returns.count; n++)
            no_memory(k, array_push(&in, ir_make(IR_BLOCK, k->return_blocks.items[n])) &&
                             array_push(&in, operand(k, &k->returns.items[n], o)));
        const uint16_t type = ir_ref_type(k->f, operand(k, &first, o));
        no_memory(k, array_push(&values, ir_emit(k->f, OP_phi, type, in.items, (unsigned)in.count)));
        array_free(&in);
    }
    ir_append(k->f, OP_return, values.items, (unsigned)values.count)->location = first.location;
    array_free(&values);
    for (size_t n = 0; n < k->return_blocks.count && !k->c->status && !k->c->m->failed; n++) {
        const struct ir_block *b = &k->f->blocks.items[k->return_blocks.items[n]];
        struct ir_inst *i = &k->f->insts.items[b->first + b->count - 1];
        const ir_ref to = ir_make(IR_BLOCK, end);
        i->op = OP_jump;
        no_memory(k, ir_set_operands(k->f, i, &to, 1));
    }
}

// Branches and switches on constants are jumps: what only they reached is not reached.
static void decide(struct blocks *k) {
    for (size_t n = 0; n < k->f->insts.count && !k->c->m->failed; n++) {
        struct ir_inst *i = &k->f->insts.items[n];
        if (i->op != OP_branch && i->op != OP_switch) continue;
        const struct ir_constant *known = ir_constant_of(k->f, ir_operand(k->f, i, 0));
        if (!known) continue;
        ir_ref to = ir_operand(k->f, i, i->op == OP_branch && !known->low ? 2 : 1);
        for (unsigned o = 2; i->op == OP_switch && o + 1 < i->operands; o += 2) {
            const struct ir_constant *c = ir_constant_of(k->f, ir_operand(k->f, i, o));
            if (c && c->low == known->low && c->high == known->high) to = ir_operand(k->f, i, o + 1);
        }
        i->op = OP_jump;
        no_memory(k, ir_set_operands(k->f, i, &to, 1));
    }
}

static void lower(struct blocks *k) {
    ARRAY(uint32_t) order = {0};
    decide(k);
    k->number = calloc(k->f->blocks.count + 1, sizeof *k->number);
    no_memory(k, k->number && ir_cfg(k->f));
    for (size_t n = 0; n < k->f->order.count && !k->c->status; n++)
        no_memory(k, array_push(&order, k->f->order.items[n]));
    ir_take(k->f, &k->old);
    for (size_t n = 0; n < k->old.blocks.count && k->number; n++) k->number[n] = IR_NO_DEF;
    for (size_t n = 0; n < order.count && !k->c->status; n++) lower_block(k, order.items[n]);
    if (!k->c->status && !k->c->m->failed) renew_blocks(k);
    if (!k->c->status && !k->c->m->failed) join_returns(k);
    array_free(&order);
    ir_old_free(&k->old);
}

// ---- Loops ----

static bool is_plain_latch(const struct blocks *k, uint32_t block) {
    const struct ir_block *b = &k->f->blocks.items[block];
    return k->f->insts.items[b->first + b->count - 1].op == OP_jump;
}

static void retarget(struct blocks *k, uint32_t block, uint32_t from, uint32_t to) {
    const struct ir_block *b = &k->f->blocks.items[block];
    struct ir_inst *i = &k->f->insts.items[b->first + b->count - 1];
    for (unsigned n = 0; n < i->operands; n++) {
        ir_ref *r = &k->f->operands.items[i->first_operand + n];
        if (*r == ir_make(IR_BLOCK, from)) *r = ir_make(IR_BLOCK, to);
    }
}

static bool is_listed(const uint32_t *list, size_t count, uint32_t block) {
    for (size_t n = 0; n < count; n++)
        if (list[n] == block) return true;
    return false;
}

// A header's phi takes what comes over the ways back from the new latch, which has a phi of its own for them.
static void split_phi(struct blocks *k, uint32_t number, uint32_t latch, const uint32_t *from, size_t count) {
    ARRAY(ir_ref) stay = {0}, back = {0};
    const struct ir_inst phi = k->f->insts.items[number];
    for (unsigned n = 0; n + 1 < phi.operands; n += 2) {
        const ir_ref block = ir_operand(k->f, &phi, n), value = ir_operand(k->f, &phi, n + 1);
        const bool is_back = is_listed(from, count, ir_index(block));
        no_memory(k, is_back ? array_push(&back, block) && array_push(&back, value)
                             : array_push(&stay, block) && array_push(&stay, value));
    }
    const uint16_t type = k->f->values.items[phi.first_result].type;
    ir_ref value = back.count > 1 ? back.items[1] : IR_NOTHING;
    if (back.count > 2) value = ir_emit(k->f, OP_phi, type, back.items, (unsigned)back.count);
    no_memory(k, array_push(&stay, ir_make(IR_BLOCK, latch)) && array_push(&stay, value));
    if (!k->c->m->failed && !k->c->status)
        no_memory(k, ir_set_operands(k->f, &k->f->insts.items[number], stay.items, stay.count));
    array_free(&stay);
    array_free(&back);
}

static void join_latches(struct blocks *k, uint32_t header, const uint32_t *from, size_t count) {
    const uint32_t latch = ir_block_add(k->f);
    const struct ir_block b = k->f->blocks.items[header];
    for (uint32_t n = b.first; n < b.first + b.count && k->f->insts.items[n].op == OP_phi; n++)
        split_phi(k, n, latch, from, count);
    const ir_ref to = ir_make(IR_BLOCK, header);
    ir_append(k->f, OP_jump, &to, 1);
    for (size_t n = 0; n < count && !k->c->m->failed; n++) retarget(k, from[n], header, latch);
}

static bool make_graph(struct blocks *k, struct ir_graph *g, struct ir_loops *l) {
    const bool done = ir_lane_graphs(k->f, g, NULL, l);
    no_memory(k, done);
    return done;
}

static void shape_loops(struct blocks *k) {
    struct ir_graph g = {0};
    struct ir_loops l = {0};
    ARRAY(uint32_t) from = {0};
    if (make_graph(k, &g, &l) && l.irreducible != IR_NOWHERE)
        compiler_refuse(k->c, NULL, "a loop with several entries");
    for (uint32_t h = 0; h < g.nodes && !k->c->status && !k->c->m->failed; h++) {
        if (l.loop[h] != h) continue;
        from.count = 0;
        for (uint32_t e = g.in_first[h]; e < g.in_first[h + 1]; e++)
            if (ir_in_loop(&l, g.in[e], h)) no_memory(k, array_push(&from, g.in[e]));
        if (from.count > 1 || (from.count && !is_plain_latch(k, from.items[0])))
            join_latches(k, h, from.items, from.count);
    }
    array_free(&from);
    ir_graph_free(&g);
    ir_loops_free(&l);
}

// ---- Order ----
// Each block behind those from which lanes come to it, except over ways back; a loop without gaps. Of blocks
// that may be next, that one is taken that became so last: so one side of a branch stands before the other.

struct order {
    const struct ir_graph *g;
    const struct ir_loops *l;
    uint32_t *missing; // by block: edges into it from blocks that have no place yet
    uint32_t *waiting,
        *below; // by loop (the last: none): the block that is next; by block: the one behind it
    ARRAY(uint32_t) done;
};

// Where a block is looked for: in the loop around it.
static uint32_t shelf(const struct order *o, uint32_t block) {
    const uint32_t loop = o->l->loop[block] == block ? o->l->outer[block] : o->l->loop[block];
    return loop == IR_NOWHERE ? o->g->nodes : loop;
}

static void make_ready(struct order *o, uint32_t block) {
    const uint32_t s = shelf(o, block);
    o->below[block] = o->waiting[s];
    o->waiting[s] = block;
}

static bool put_in_order(struct order *o) {
    const struct ir_graph *g = o->g;
    uint32_t loop = g->nodes; // in which blocks are being placed
    for (uint32_t k = 0; k < g->reached; k++) {
        const uint32_t b = g->order[k];
        for (uint32_t e = g->in_first[b]; e < g->in_first[b + 1]; e++)
            o->missing[b] += g->place[g->in[e]] < k;
    }
    make_ready(o, 0);
    for (;;) {
        const uint32_t block = o->waiting[loop];
        if (block == IR_NOWHERE) {
            if (loop == g->nodes) return true;
            loop = o->l->outer[loop] == IR_NOWHERE ? g->nodes : o->l->outer[loop];
            continue;
        }
        o->waiting[loop] = o->below[block];
        if (!array_push(&o->done, block)) return false;
        if (o->l->loop[block] == block) loop = block;
        for (uint32_t e = g->out_first[block + 1]; e-- > g->out_first[block];)
            if (g->place[g->out[e]] > g->place[block] && !--o->missing[g->out[e]]) make_ready(o, g->out[e]);
    }
}

// Writes the function anew with its blocks in this order.
static void renumber(struct blocks *k, const uint32_t *order, size_t count) {
    struct ir_old old = {0};
    uint32_t *number = calloc(k->f->blocks.count + 1, sizeof *number);
    no_memory(k, number != NULL);
    for (size_t n = 0; n < count && number; n++) number[order[n]] = (uint32_t)n;
    ir_take(k->f, &old);
    for (size_t n = 0; n < count && !k->c->status && !k->c->m->failed; n++) {
        const struct ir_block *b = &old.blocks.items[order[n]];
        ir_block_add(k->f);
        for (uint32_t i = b->first; i < b->first + b->count && !k->c->m->failed; i++)
            ir_copy(k->f, &old, &old.insts.items[i]);
    }
    for (size_t n = 0; n < k->f->operands.count && number; n++) {
        ir_ref *r = &k->f->operands.items[n];
        if (ir_is(*r, IR_BLOCK)) *r = ir_make(IR_BLOCK, number[ir_index(*r)]);
    }
    free(number);
    ir_old_free(&old);
}

static void order_blocks(struct blocks *k) {
    struct ir_graph g = {0};
    struct ir_loops l = {0};
    struct order o = {.g = &g, .l = &l};
    if (make_graph(k, &g, &l)) {
        o.missing = calloc(g.nodes + 1, sizeof *o.missing);
        o.waiting = malloc((g.nodes + 1) * sizeof *o.waiting);
        o.below = malloc((g.nodes + 1) * sizeof *o.below);
        for (uint32_t n = 0; n <= g.nodes && o.waiting; n++) o.waiting[n] = IR_NOWHERE;
        no_memory(k, o.missing && o.waiting && o.below && put_in_order(&o));
    }
    // The return stands at the end, whatever else never comes back.
    for (size_t n = 0; n + 1 < o.done.count; n++) {
        const struct ir_block *b = &k->f->blocks.items[o.done.items[n]];
        const uint32_t block = o.done.items[n];
        if (k->f->insts.items[b->first + b->count - 1].op != OP_return) continue;
        memmove(&o.done.items[n], &o.done.items[n + 1], (o.done.count - n - 1) * sizeof block);
        o.done.items[o.done.count - 1] = block;
        break;
    }
    if (!k->c->status) renumber(k, o.done.items, o.done.count);
    free(o.missing);
    free(o.waiting);
    free(o.below);
    array_free(&o.done);
    ir_graph_free(&g);
    ir_loops_free(&l);
}

// Whether a phi is one constant whatever way is taken. Conditions are left alone.
static bool always(const struct ir_function *f, const struct ir_inst *phi, ir_ref *out) {
    const ir_ref first = ir_operand(f, phi, 1);
    const struct ir_constant *k = ir_constant_of(f, first);
    for (unsigned n = 1; n < phi->operands; n += 2)
        if (ir_operand(f, phi, n) != first) return false;
    if (!k || k->poison || ir_type_bits(f->module, k->type) <= 1) return false;
    *out = first;
    return true;
}

// Phis that are one constant are that from here on, so that rows are chosen for it; then others may be, too.
static void fold_phis(struct blocks *k) {
    struct ir_function *f = k->f;
    ir_ref *is = calloc(f->values.count + 1, sizeof *is); // by value: a constant, or 0
    no_memory(k, is);
    for (bool any = is; any;) {
        any = false;
        for (uint32_t n = 0; n < f->insts.count; n++) {
            const struct ir_inst *i = &f->insts.items[n];
            if (i->op == OP_phi && !is[i->first_result] && always(f, i, &is[i->first_result])) any = true;
        }
        for (size_t n = 0; n < f->operands.count && any; n++) {
            ir_ref *r = &f->operands.items[n];
            if (ir_is(*r, IR_VALUE) && is[ir_index(*r)]) *r = is[ir_index(*r)];
        }
    }
    free(is);
}

void compiler_blocks(struct compiler *c) {
    struct blocks k = {.c = c, .f = c->f};
    if (c->f->blocks.count == 1) return;
    lower(&k);
    if (!c->status && !c->m->failed) shape_loops(&k);
    if (!c->status && !c->m->failed) order_blocks(&k);
    if (!c->status && !c->m->failed) fold_phis(&k);
    array_free(&k.edges);
    array_free(&k.returns);
    array_free(&k.return_blocks);
    free(k.number);
}
