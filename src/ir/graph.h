// SPDX-License-Identifier: MIT
// Directed graphs of numbered nodes: order, dominators, loops. Functions are graphs of their blocks, over the
// ways of lanes or over those of the wave, forwards or backwards.
#ifndef IR_GRAPH_H
#define IR_GRAPH_H

#include "base/array.h"

#define IR_NOWHERE 0xffffffffu

struct ir_edge {
    uint32_t from, to;
};
struct ir_graph {
    uint32_t nodes;
    uint32_t *out_first, *out; // by node, and one more: where its targets begin in `out`
    uint32_t *in_first, *in;   // the same for those from which edges come
    uint32_t *order, reached;  // the nodes that the root reaches, in reverse postorder
    uint32_t *place;           // of each node in it; IR_NOWHERE: not reached
    uint32_t *dominator;       // the immediate one; of the root, itself; IR_NOWHERE: not reached
};
// False: memory is missing. The graph is freed in either case by ir_graph_free.
bool ir_graph_make(struct ir_graph *g, uint32_t nodes, const struct ir_edge *edges, size_t count,
                   uint32_t root);
void ir_graph_free(struct ir_graph *g);
bool ir_graph_dominates(const struct ir_graph *g, uint32_t above, uint32_t below);

// The natural loops of a graph. A loop is named by its header.
struct ir_loops {
    uint32_t *loop;       // by node: the innermost loop that it is in; IR_NOWHERE: none
    uint32_t *outer;      // by header: the next loop around; IR_NOWHERE: none
    uint32_t irreducible; // a node at which a loop with several entries was seen; IR_NOWHERE: there is none
};
bool ir_loops_find(const struct ir_graph *g, struct ir_loops *l);
void ir_loops_free(struct ir_loops *l);
bool ir_in_loop(const struct ir_loops *l, uint32_t node, uint32_t header);

#endif
