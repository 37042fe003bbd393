// SPDX-License-Identifier: MIT
// Edges, order and dominators of a function's blocks, from their terminators. Dominators by the method of
// Cooper, Harvey and Kennedy: intersect the predecessors' chains in reverse postorder until nothing changes.
#include "ir/ir.h"

// The blocks to which a block's terminators go, each once.
static bool add_successors(struct ir_function *f, struct ir_block *b) {
    b->successors = (uint32_t)f->edges.count;
    b->successor_count = 0;
    for (uint32_t n = b->count; n-- > 0;) {
        const struct ir_inst *i = &f->insts.items[b->first + n];
        if (!ir_is_terminator(i)) break;
        for (unsigned k = 0; k < i->operands; k++) {
            const ir_ref r = ir_operand(f, i, k);
            if (!ir_is(r, IR_BLOCK)) continue;
            bool known = false;
            for (uint32_t e = b->successors; e < f->edges.count; e++)
                known |= f->edges.items[e] == ir_index(r);
            if (known) continue;
            if (!array_push(&f->edges, ir_index(r))) return false;
            b->successor_count++;
        }
    }
    return true;
}

static bool add_predecessors(struct ir_function *f) {
    const size_t edges = f->edges.count;
    if (!array_reserve(&f->edges, edges)) return false;
    for (size_t e = 0; e < edges; e++) f->blocks.items[f->edges.items[e]].predecessor_count++;
    for (size_t b = 0; b < f->blocks.count; b++) {
        f->blocks.items[b].predecessors = (uint32_t)f->edges.count;
        f->edges.count += f->blocks.items[b].predecessor_count;
        f->blocks.items[b].predecessor_count = 0;
    }
    for (uint32_t b = 0; b < f->blocks.count; b++)
        for (uint32_t e = 0; e < f->blocks.items[b].successor_count; e++) {
            struct ir_block *to = &f->blocks.items[f->edges.items[f->blocks.items[b].successors + e]];
            f->edges.items[to->predecessors + to->predecessor_count++] = b;
        }
    return true;
}

// Reverse postorder by a walk with a stack of its own: a path may be as long as the function.
static bool find_order(struct ir_function *f, uint32_t *place) {
    struct step {
        uint32_t block, next;
    };
    ARRAY(struct step) stack = {0};
    bool *seen = calloc(f->blocks.count, 1);
    bool done = seen && array_reserve(&f->order, f->blocks.count) && array_push(&stack, (struct step){0, 0});
    if (done) seen[0] = true;
    while (done && stack.count) {
        struct step *top = &stack.items[stack.count - 1];
        const struct ir_block *b = &f->blocks.items[top->block];
        if (top->next == b->successor_count) {
            f->order.items[f->order.count++] = top->block;
            stack.count--;
            continue;
        }
        const uint32_t to = f->edges.items[b->successors + top->next++];
        if (!seen[to]) done = seen[to] = array_push(&stack, (struct step){to, 0});
    }
    for (size_t i = 0; i < f->order.count / 2; i++) {
        const uint32_t other = f->order.items[f->order.count - 1 - i];
        f->order.items[f->order.count - 1 - i] = f->order.items[i];
        f->order.items[i] = other;
    }
    for (size_t i = 0; i < f->order.count; i++) place[f->order.items[i]] = (uint32_t)i;
    array_free(&stack);
    free(seen);
    return done;
}

static uint32_t meet(const struct ir_function *f, const uint32_t *place, uint32_t a, uint32_t b) {
    while (a != b) {
        while (place[a] > place[b]) a = f->blocks.items[a].dominator;
        while (place[b] > place[a]) b = f->blocks.items[b].dominator;
    }
    return a;
}

static void find_dominators(struct ir_function *f, const uint32_t *place) {
    for (size_t b = 0; b < f->blocks.count; b++) f->blocks.items[b].dominator = IR_NO_DEF;
    f->blocks.items[0].dominator = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 1; i < f->order.count; i++) {
            struct ir_block *b = &f->blocks.items[f->order.items[i]];
            uint32_t best = IR_NO_DEF;
            for (uint32_t e = 0; e < b->predecessor_count; e++) {
                const uint32_t from = f->edges.items[b->predecessors + e];
                if (f->blocks.items[from].dominator == IR_NO_DEF) continue;
                best = best == IR_NO_DEF ? from : meet(f, place, best, from);
            }
            changed |= best != b->dominator;
            b->dominator = best;
        }
    }
}

bool ir_cfg(struct ir_function *f) {
    f->edges.count = f->order.count = 0;
    if (!f->blocks.count) return true;
    bool done = true;
    for (size_t b = 0; b < f->blocks.count && done; b++) {
        f->blocks.items[b].predecessor_count = 0;
        done = add_successors(f, &f->blocks.items[b]);
    }
    uint32_t *place = calloc(f->blocks.count, sizeof *place);
    done = done && place && add_predecessors(f) && find_order(f, place);
    if (done) find_dominators(f, place);
    free(place);
    if (!done) f->module->failed = true;
    return done;
}

bool ir_dominates(const struct ir_function *f, uint32_t above, uint32_t below) {
    if (f->blocks.items[below].dominator == IR_NO_DEF) return true; // nothing is executed there
    while (below != above && below != f->blocks.items[below].dominator)
        below = f->blocks.items[below].dominator;
    return below == above;
}
