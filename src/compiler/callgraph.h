// SPDX-License-Identifier: MIT
// Which functions of a module call which. What is not in the module, or known by its address alone, may be
// anything.
#ifndef COMPILER_CALLGRAPH_H
#define COMPILER_CALLGRAPH_H

#include "compiler/passes.h"

struct callgraph {
    struct ir_function **functions;
    uint32_t count;
    uint32_t *first;           // by function: where its callees begin; one more at the end
    ARRAY(uint32_t) callees;   // each once a call
    bool *calls_unknown;       // by function
    uint32_t *of_symbol;       // by symbol: its function plus one; 0: its body is not here
    uint32_t *component;       // by function: functions that call each other in a circle have one number
    uint32_t *order;           // functions by component: callees before those that call them
    uint32_t *component_first; // by component: where it begins in the order; one more at the end
};
// That of the module, made when it is first wanted: passes do not change who calls whom. Where memory is
// missing, it has no functions.
// barriers.c, a part of the pass lds.
void compiler_barriers(struct compiler *c);
const struct callgraph *callgraph_of(struct compiler *c);
void callgraph_free(struct callgraph *g);
// True if a function calls itself, by whatever way that the module shows.
bool callgraph_is_recursive(const struct callgraph *g, uint32_t function);
// Sets marks for a function and all that it calls.
void callgraph_reach(const struct callgraph *g, uint32_t function, bool *marks);

#endif
