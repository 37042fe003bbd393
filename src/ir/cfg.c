// SPDX-License-Identifier: MIT
// Edges, order and dominators of a function's blocks. The terminators say where the wave goes (linear edges).
// Lanes go the same ways (logical edges) unless a p_logical in the block says others: behind
// compiler/control.c the wave visits blocks one after the other that its lanes choose between.
#include "ir/ir.h"

static bool add_edge(struct ir_function *f, uint32_t first, uint32_t to, uint32_t *count) {
    for (uint32_t e = first; e < f->edges.count; e++)
        if (f->edges.items[e] == to) return true;
    ++*count;
    return array_push(&f->edges, to);
}

// The blocks to which the wave goes from a block, and those to which its lanes go, each once.
static bool add_successors(struct ir_function *f, struct ir_block *b) {
    const struct ir_inst *lanes = NULL;
    bool done = true;
    b->successors = (uint32_t)f->edges.count;
    b->successor_count = b->logical_count = 0;
    for (uint32_t n = b->count; n-- > 0 && done;) {
        const struct ir_inst *i = &f->insts.items[b->first + n];
        if (i->op == OP_p_logical) lanes = i;
        for (unsigned k = 0; k < i->operands && done && ir_is_terminator(i); k++)
            if (ir_is(ir_operand(f, i, k), IR_BLOCK))
                done = add_edge(f, b->successors, ir_index(ir_operand(f, i, k)), &b->successor_count);
    }
    b->logical = lanes ? (uint32_t)f->edges.count : b->successors;
    if (!lanes) b->logical_count = b->successor_count;
    for (unsigned k = 0; lanes && k < lanes->operands && done; k++)
        done = add_edge(f, b->logical, ir_index(ir_operand(f, lanes, k)), &b->logical_count);
    return done;
}

bool ir_block_edges(const struct ir_function *f, bool lanes, struct ir_edges *edges) {
    edges->count = 0;
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        const struct ir_block *block = &f->blocks.items[b];
        const uint32_t first = lanes ? block->logical : block->successors;
        const uint32_t count = lanes ? block->logical_count : block->successor_count;
        for (uint32_t e = 0; e < count; e++)
            if (!array_push(edges, (struct ir_edge){b, f->edges.items[first + e]})) return false;
    }
    return true;
}

// Takes order, predecessors and dominators over from the graph.
static bool take_graph(struct ir_function *f, const struct ir_graph *g) {
    for (uint32_t n = 0; n < g->reached; n++)
        if (!array_push(&f->order, g->order[n])) return false;
    for (uint32_t b = 0; b < g->nodes; b++) {
        struct ir_block *block = &f->blocks.items[b];
        block->dominator = g->dominator[b];
        block->predecessors = (uint32_t)f->edges.count;
        block->predecessor_count = g->in_first[b + 1] - g->in_first[b];
        for (uint32_t e = 0; e < block->predecessor_count; e++)
            if (!array_push(&f->edges, g->in[g->in_first[b] + e])) return false;
    }
    return true;
}

bool ir_cfg(struct ir_function *f) {
    struct ir_edges edges = {0};
    struct ir_graph g = {0};
    bool done = true;
    f->edges.count = f->order.count = 0;
    if (!f->blocks.count) return true;
    for (size_t b = 0; b < f->blocks.count && done; b++) done = add_successors(f, &f->blocks.items[b]);
    done = done && ir_block_edges(f, false, &edges) &&
           ir_graph_make(&g, (uint32_t)f->blocks.count, edges.items, edges.count, 0) && take_graph(f, &g);
    ir_graph_free(&g);
    array_free(&edges);
    if (!done) f->module->failed = true;
    return done;
}

static bool make_backwards(const struct ir_function *f, const struct ir_edges *edges, struct ir_graph *g) {
    const uint32_t blocks = (uint32_t)f->blocks.count;
    struct ir_edges back = {0};
    bool done = true;
    for (size_t e = 0; e < edges->count && done; e++)
        done = array_push(&back, (struct ir_edge){edges->items[e].to, edges->items[e].from});
    for (uint32_t b = 0; b < blocks && done; b++)
        if (!f->blocks.items[b].logical_count) done = array_push(&back, (struct ir_edge){blocks, b});
    done = done && ir_graph_make(g, blocks + 1, back.items, back.count, blocks);
    array_free(&back);
    return done;
}

bool ir_lane_graphs(struct ir_function *f, struct ir_graph *forwards, struct ir_graph *backwards,
                    struct ir_loops *loops) {
    struct ir_edges edges = {0};
    const bool done = ir_cfg(f) && ir_block_edges(f, true, &edges) &&
                      ir_graph_make(forwards, (uint32_t)f->blocks.count, edges.items, edges.count, 0) &&
                      (!backwards || make_backwards(f, &edges, backwards)) &&
                      (!loops || ir_loops_find(forwards, loops));
    array_free(&edges);
    return done;
}

bool ir_dominates(const struct ir_function *f, uint32_t above, uint32_t below) {
    if (f->blocks.items[below].dominator == IR_NO_DEF) return true; // nothing is executed there
    while (below != above && below != f->blocks.items[below].dominator)
        below = f->blocks.items[below].dominator;
    return below == above;
}
