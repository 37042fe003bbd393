// SPDX-License-Identifier: MIT
#include "compiler/callgraph.h"

static bool add_calls(struct callgraph *g, uint32_t n) {
    const struct ir_function *f = g->functions[n];
    for (size_t k = 0; k < f->insts.count; k++) {
        const struct ir_inst *i = &f->insts.items[k];
        if (!ir_calls(i->op) && !ir_has_called(i->op)) continue;
        const ir_ref callee = ir_operand(f, i, 0);
        const uint32_t to = ir_is(callee, IR_SYMBOL) ? g->of_symbol[ir_index(callee)] : 0;
        if (!to || g->functions[to - 1]->module->symbols.items[ir_index(callee)].replaceable)
            g->calls_unknown[n] = true;
        if (to && !array_push(&g->callees, to - 1)) return false;
    }
    return true;
}

static bool make(struct callgraph *g, const struct ir_module *m) {
    *g = (struct callgraph){0};
    for (const struct ir_function *f = m->functions; f; f = f->next) g->count++;
    g->functions = calloc(g->count + 1, sizeof *g->functions);
    g->first = calloc(g->count + 2, sizeof *g->first);
    g->calls_unknown = calloc(g->count + 1, 1);
    g->of_symbol = calloc(m->symbols.count + 1, sizeof *g->of_symbol);
    if (!g->functions || !g->first || !g->calls_unknown || !g->of_symbol) return false;
    uint32_t n = 0;
    for (struct ir_function *f = m->functions; f; f = f->next) {
        if (!f->is_kernel && f->symbol < m->symbols.count) g->of_symbol[f->symbol] = n + 1;
        g->functions[n++] = f;
    }
    for (n = 0; n < g->count; n++) {
        g->first[n] = (uint32_t)g->callees.count;
        if (!add_calls(g, n)) return false;
    }
    g->first[n] = (uint32_t)g->callees.count;
    return true;
}

const struct callgraph *callgraph_of(struct compiler *c) {
    static const struct callgraph none;
    if (!c->calls && !(c->calls = calloc(1, sizeof *c->calls)))
        compiler_no_memory(c);
    else if (!c->calls->functions && !make(c->calls, c->m)) {
        callgraph_free(c->calls);
        compiler_no_memory(c);
    }
    return c->calls && c->calls->functions ? c->calls : &none;
}

void callgraph_free(struct callgraph *g) {
    free(g->functions);
    free(g->first);
    free(g->calls_unknown);
    free(g->of_symbol);
    array_free(&g->callees);
    *g = (struct callgraph){0};
}

// Rounds until nothing changes: no stack of calls, however deep the graph is.
void callgraph_reach(const struct callgraph *g, uint32_t function, bool *marks) {
    marks[function] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < g->count; n++)
            for (uint32_t e = g->first[n]; e < g->first[n + 1] && marks[n]; e++) {
                changed |= !marks[g->callees.items[e]];
                marks[g->callees.items[e]] = true;
            }
    }
}

bool callgraph_is_recursive(const struct callgraph *g, uint32_t function) {
    bool *marks = calloc(g->count + 1, 1), found = false;
    for (uint32_t e = g->first[function]; e < g->first[function + 1] && marks; e++)
        callgraph_reach(g, g->callees.items[e], marks);
    found = !marks || marks[function];
    free(marks);
    return found;
}
