// SPDX-License-Identifier: MIT
// How a wave visits blocks between which its lanes choose (partial linearisation, after Moll and Hack).
// Blocks are visited in their order. Where lanes part, the wave goes on with the first of their blocks, and
// the others' lanes wait; whatever it does next, it comes to the blocks for which lanes wait before it goes
// past them. A branch that all lanes take alike stays one unless that forbids it.
#include "compiler/control.h"

enum { MOST_BLOCKS = 20000 };

// ---- Sets of blocks ----

static uint64_t *waiting_at(const struct plan *p, uint32_t block) { return p->waiting + block * p->words; }
static void add(uint64_t *set, uint32_t block) { set[block / 64] |= 1ull << block % 64; }
static void drop(uint64_t *set, uint32_t block) { set[block / 64] &= ~(1ull << block % 64); }
static bool is_in(const uint64_t *set, uint32_t block) { return set[block / 64] >> block % 64 & 1; }

static uint32_t first_of(const struct plan *p, const uint64_t *set) {
    for (size_t w = 0; w < p->words; w++)
        if (set[w]) return (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(set[w]);
    return IR_NOWHERE;
}

// ---- Ways of the wave ----

// The wave may go from one block to the other while lanes wait for `set`. `whole`: it takes all lanes along.
static void go(struct plan *p, uint32_t from, uint32_t to, const uint64_t *set, bool whole) {
    uint64_t *at = waiting_at(p, to);
    for (size_t w = 0; w < p->words; w++) at[w] |= set[w];
    drop(at, to);
    if (!whole) p->blocks[to].entry = ENTRY_PENDING;
    if (!array_push(&p->edges, (struct ir_edge){from, to})) compiler_no_memory(p->c);
}

static const struct ir_inst *end_of(const struct plan *p, uint32_t block) {
    const struct ir_block *b = &p->f->blocks.items[block];
    return &p->f->insts.items[b->first + b->count - 1];
}

static void plan_branch(struct plan *p, uint32_t block, uint64_t *set) {
    struct plan_block *b = &p->blocks[block];
    const uint32_t waiting = first_of(p, set);
    for (unsigned n = 0; n < 2; n++) b->way[n].next = b->way[n].to < waiting ? b->way[n].to : waiting;
    b->in_turn = end_of(p, block)->flags & IR_DIVERGENT || b->way[0].next == b->way[1].next;
    if (!b->in_turn) {
        for (unsigned n = 0; n < 2; n++) {
            const bool waited = is_in(set, b->way[n].to);
            add(set, b->way[n].to);
            go(p, block, b->way[n].next, set, !waited && b->way[n].next == b->way[n].to);
            if (!waited) drop(set, b->way[n].to);
        }
        return;
    }
    for (unsigned n = 0; n < 2; n++) add(set, b->way[n].to);
    b->next = first_of(p, set);
    go(p, block, b->next, set, false);
}

static void plan_end(struct plan *p, uint32_t block, uint64_t *set) {
    struct plan_block *b = &p->blocks[block];
    const struct ir_inst *end = end_of(p, block);
    b->next = first_of(p, set);
    for (unsigned n = 0; n < end->operands; n++)
        if (ir_is(ir_operand(p->f, end, n), IR_BLOCK))
            b->way[b->ways++].to = ir_index(ir_operand(p->f, end, n));
    if (b->ways == 2) {
        plan_branch(p, block, set);
    } else if (b->ways == 1) {
        // Lanes that go back are waited for by nobody: who left the loop waits behind it.
        const bool back = b->way[0].to <= block;
        const bool waited = is_in(set, b->way[0].to);
        b->way[0].next = !back && b->next < b->way[0].to ? b->next : b->way[0].to;
        if (!back) add(set, b->way[0].to);
        for (size_t w = 0; w < p->words && back; w++)
            if (set[w] & ~waiting_at(p, b->way[0].to)[w]) compiler_refuse(p->c, end, "this loop");
        go(p, block, b->way[0].next, set, !waited && b->way[0].next == b->way[0].to);
    } else if (b->next != IR_NOWHERE) {
        go(p, block, b->next, set, false);
    }
}

// In a loop that lanes leave in different rounds, lanes may wait behind it from the second round on.
static void wait_behind_loops(struct plan *p) {
    const struct ir_graph *g = &p->lanes;
    bool *leaks = calloc(g->nodes + 1, 1);
    if (!leaks) compiler_no_memory(p->c);
    for (uint32_t b = 0; b < g->nodes && leaks; b++) {
        if (!(end_of(p, b)->flags & IR_DIVERGENT)) continue;
        const uint32_t end = p->ends.dominator[b];
        for (uint32_t l = p->loops.loop[b]; l != IR_NOWHERE; l = p->loops.outer[l])
            if (end >= g->nodes || !ir_in_loop(&p->loops, end, l)) leaks[l] = true;
    }
    for (uint32_t b = 0; b < g->nodes && leaks; b++)
        for (uint32_t e = g->out_first[b]; e < g->out_first[b + 1]; e++)
            for (uint32_t l = p->loops.loop[b]; l != IR_NOWHERE; l = p->loops.outer[l])
                if (leaks[l] && !ir_in_loop(&p->loops, g->out[e], l)) add(waiting_at(p, l), g->out[e]);
    free(leaks);
}

static void plan_ways(struct plan *p) {
    uint64_t *set = calloc(p->words + 1, sizeof *set);
    if (!set) compiler_no_memory(p->c);
    for (uint32_t b = 0; b < p->lanes.nodes && !p->c->status; b++) {
        struct plan_block *block = &p->blocks[b];
        memcpy(set, waiting_at(p, b), p->words * sizeof *set);
        block->skip = IR_NOWHERE;
        if (block->entry != ENTRY_SAME && (block->skip = first_of(p, set)) != IR_NOWHERE)
            go(p, b, block->skip, set, false);
        plan_end(p, b, set);
        memcpy(set, waiting_at(p, b), p->words * sizeof *set);
    }
    free(set);
}

// ---- Entries ----

static uint32_t level(const struct plan *p, uint32_t block) {
    const uint32_t loop = p->loops.loop[block];
    return loop == block ? p->loops.outer[loop] : loop;
}

// The nearest block from which all lanes come to this one, and to no other place; IR_NOWHERE: there is none.
// The wave must have been there as well.
static uint32_t whole_from(const struct plan *p, uint32_t block) {
    const uint32_t wanted = level(p, block);
    uint32_t from = p->lanes.dominator[block];
    while (from != IR_NOWHERE && p->loops.loop[from] != wanted && from != p->lanes.dominator[from])
        from = p->lanes.dominator[from];
    if (from == IR_NOWHERE || from == block || p->loops.loop[from] != wanted) return IR_NOWHERE;
    if (p->ends.dominator[from] == IR_NOWHERE || !ir_graph_dominates(&p->ends, block, from))
        return IR_NOWHERE;
    // Where that block has no lanes, the wave goes round its instructions, and may come here.
    const uint32_t skip = p->blocks[from].skip;
    if (p->blocks[from].entry != ENTRY_SAME && skip != IR_NOWHERE && skip <= block) return IR_NOWHERE;
    return ir_graph_dominates(&p->wave, from, block) ? from : IR_NOWHERE;
}

static void choose_entry(struct plan *p, uint32_t block) {
    struct plan_block *b = &p->blocks[block];
    if (b->entry == ENTRY_SAME) return;
    // Ways back to a header do not count: EXEC is right there.
    uint32_t ways = 0, before = 0;
    for (uint32_t e = p->wave.in_first[block]; e < p->wave.in_first[block + 1]; e++)
        if (p->wave.in[e] < block) before = p->wave.in[e], ways++;
    const struct plan_block *one = &p->blocks[before];
    if (ways == 1 && one->in_turn && one->next == block &&
        (one->way[0].to == block || one->way[1].to == block)) {
        b->entry = ENTRY_NARROW;
        return;
    }
    const uint32_t from = whole_from(p, block);
    if (from == IR_NOWHERE) return;
    b->entry = ENTRY_RESTORE;
    b->restored = from;
    b->skip = IR_NOWHERE;
    p->blocks[from].saves = true;
}

static bool prepare(struct plan *p) {
    struct ir_function *f = p->f;
    const uint32_t blocks = (uint32_t)f->blocks.count;
    p->words = (blocks + 63) / 64;
    p->blocks = calloc(blocks + 1, sizeof *p->blocks);
    p->waiting = calloc(blocks * p->words + 1, sizeof *p->waiting);
    bool done = p->blocks && p->waiting && ir_lane_graphs(f, &p->lanes, &p->ends, &p->loops);
    for (uint32_t b = 0; b < blocks && done; b++) p->blocks[b].is_header = p->loops.loop[b] == b;
    return done;
}

void control_plan(struct plan *p) {
    if (p->f->blocks.count > MOST_BLOCKS) {
        compiler_refuse(p->c, NULL, "a function of more than 20000 blocks");
        return;
    }
    if (!prepare(p)) compiler_no_memory(p->c);
    if (!p->c->status) wait_behind_loops(p);
    if (!p->c->status) plan_ways(p);
    if (!p->c->status && !ir_graph_make(&p->wave, p->lanes.nodes, p->edges.items, p->edges.count, 0))
        compiler_no_memory(p->c);
    for (uint32_t b = 1; b < p->lanes.nodes && !p->c->status; b++) choose_entry(p, b);
}

void control_plan_free(struct plan *p) {
    ir_graph_free(&p->lanes);
    ir_graph_free(&p->ends);
    ir_graph_free(&p->wave);
    ir_loops_free(&p->loops);
    array_free(&p->edges);
    free(p->blocks);
    free(p->waiting);
}
