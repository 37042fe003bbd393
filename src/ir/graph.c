// SPDX-License-Identifier: MIT
// Order and dominators of a directed graph whose nodes are numbers. Dominators by the method of Cooper,
// Harvey and Kennedy: intersect the predecessors' chains in reverse postorder until nothing changes.
#include "ir/graph.h"

#include <string.h>

// Sorts the edges by one of their ends; edges of one node keep their order.
static bool index_edges(struct ir_graph *g, const struct ir_edge *edges, size_t count, bool out,
                        uint32_t **first, uint32_t **to) {
    uint32_t *f = *first = calloc(g->nodes + 2, sizeof *f);
    uint32_t *t = *to = calloc(count + 1, sizeof *t);
    if (!f || !t) return false;
    for (size_t e = 0; e < count; e++) f[(out ? edges[e].from : edges[e].to) + 2]++;
    for (uint32_t n = 1; n < g->nodes; n++) f[n + 1] += f[n];
    for (size_t e = 0; e < count; e++)
        t[f[(out ? edges[e].from : edges[e].to) + 1]++] = out ? edges[e].to : edges[e].from;
    return true;
}

// Reverse postorder by a walk with a stack of its own: a path may be as long as the graph.
static bool find_order(struct ir_graph *g, uint32_t root) {
    struct step {
        uint32_t node, next;
    };
    ARRAY(struct step) stack = {0};
    bool *seen = calloc(g->nodes + 1, 1);
    bool done = seen && array_push(&stack, (struct step){root, g->out_first[root]});
    if (done) seen[root] = true;
    g->reached = g->nodes; // filled from behind, then moved to the front
    while (done && stack.count) {
        struct step *top = &stack.items[stack.count - 1];
        if (top->next == g->out_first[top->node + 1]) {
            g->order[--g->reached] = top->node;
            stack.count--;
            continue;
        }
        const uint32_t to = g->out[top->next++];
        if (!seen[to]) done = seen[to] = array_push(&stack, (struct step){to, g->out_first[to]});
    }
    const uint32_t missing = g->reached;
    g->reached = g->nodes - missing;
    memmove(g->order, g->order + missing, g->reached * sizeof *g->order);
    for (uint32_t n = 0; n < g->nodes; n++) g->place[n] = IR_NOWHERE;
    for (uint32_t n = 0; n < g->reached; n++) g->place[g->order[n]] = n;
    array_free(&stack);
    free(seen);
    return done;
}

static uint32_t meet(const struct ir_graph *g, uint32_t a, uint32_t b) {
    while (a != b) {
        while (g->place[a] > g->place[b]) a = g->dominator[a];
        while (g->place[b] > g->place[a]) b = g->dominator[b];
    }
    return a;
}

static void find_dominators(struct ir_graph *g, uint32_t root) {
    for (uint32_t n = 0; n < g->nodes; n++) g->dominator[n] = IR_NOWHERE;
    g->dominator[root] = root;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 1; k < g->reached; k++) {
            const uint32_t node = g->order[k];
            uint32_t best = IR_NOWHERE;
            for (uint32_t e = g->in_first[node]; e < g->in_first[node + 1]; e++) {
                const uint32_t from = g->in[e];
                if (g->dominator[from] == IR_NOWHERE) continue;
                best = best == IR_NOWHERE ? from : meet(g, best, from);
            }
            changed |= best != g->dominator[node];
            g->dominator[node] = best;
        }
    }
}

bool ir_graph_make(struct ir_graph *g, uint32_t nodes, const struct ir_edge *edges, size_t count,
                   uint32_t root) {
    *g = (struct ir_graph){.nodes = nodes};
    g->order = calloc(nodes + 1, sizeof *g->order);
    g->place = calloc(nodes + 1, sizeof *g->place);
    g->dominator = calloc(nodes + 1, sizeof *g->dominator);
    const bool done = g->order && g->place && g->dominator &&
                      index_edges(g, edges, count, true, &g->out_first, &g->out) &&
                      index_edges(g, edges, count, false, &g->in_first, &g->in) && find_order(g, root);
    if (done) find_dominators(g, root);
    return done;
}

void ir_graph_free(struct ir_graph *g) {
    free(g->out_first);
    free(g->out);
    free(g->in_first);
    free(g->in);
    free(g->order);
    free(g->place);
    free(g->dominator);
    *g = (struct ir_graph){0};
}

bool ir_graph_dominates(const struct ir_graph *g, uint32_t above, uint32_t below) {
    if (g->dominator[below] == IR_NOWHERE) return true; // it is never reached
    // Who dominates stands in front.
    while (g->place[below] > g->place[above]) below = g->dominator[below];
    return below == above;
}

// ---- Loops ----

static uint32_t outermost(const struct ir_loops *l, uint32_t node) {
    uint32_t loop = l->loop[node];
    while (loop != IR_NOWHERE && l->outer[loop] != IR_NOWHERE) loop = l->outer[loop];
    return loop;
}

// Everything that reaches `latch` without passing the header belongs to its loop. Loops within it are known
// already and are taken as a whole.
static bool add_loop(const struct ir_graph *g, struct ir_loops *l, uint32_t header, uint32_t latch) {
    ARRAY(uint32_t) list = {0};
    bool done = array_push(&list, latch);
    while (done && list.count) {
        const uint32_t node = list.items[--list.count], top = outermost(l, node);
        uint32_t from = node;
        if (top == header || g->place[node] == IR_NOWHERE) continue;
        if (top == IR_NOWHERE)
            l->loop[node] = header;
        else
            l->outer[top] = header, from = top;
        if (from == header) continue;
        for (uint32_t e = g->in_first[from]; e < g->in_first[from + 1] && done; e++)
            done = array_push(&list, g->in[e]);
    }
    array_free(&list);
    return done;
}

bool ir_loops_find(const struct ir_graph *g, struct ir_loops *l) {
    *l = (struct ir_loops){.irreducible = IR_NOWHERE};
    l->loop = malloc((g->nodes + 1) * sizeof *l->loop);
    l->outer = malloc((g->nodes + 1) * sizeof *l->outer);
    if (!l->loop || !l->outer) return false;
    for (uint32_t n = 0; n <= g->nodes; n++) l->loop[n] = l->outer[n] = IR_NOWHERE;
    // Inner headers stand behind outer ones.
    for (uint32_t k = g->reached; k-- > 0;) {
        const uint32_t header = g->order[k];
        for (uint32_t e = g->in_first[header]; e < g->in_first[header + 1]; e++) {
            const uint32_t latch = g->in[e];
            if (g->place[latch] == IR_NOWHERE || g->place[latch] < k) continue;
            if (!ir_graph_dominates(g, header, latch)) {
                l->irreducible = header;
                return true;
            }
            if (l->loop[header] != header) l->loop[header] = header;
            if (latch != header && !add_loop(g, l, header, latch)) return false;
        }
    }
    return true;
}

void ir_loops_free(struct ir_loops *l) {
    free(l->loop);
    free(l->outer);
    *l = (struct ir_loops){0};
}

bool ir_in_loop(const struct ir_loops *l, uint32_t node, uint32_t header) {
    uint32_t loop = l->loop[node];
    while (loop != IR_NOWHERE && loop != header) loop = l->outer[loop];
    return loop == header;
}
