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

// ---- Circles: Tarjan's strongly connected components, without recursion of our own ----

struct search {
    struct callgraph *g;
    uint32_t *number; // when it was met, from 1 on; 0: not yet
    uint32_t *low;    // the least number that it leads to
    uint32_t *next;   // the edge to look at
    uint32_t *path;   // functions that are looked at, each called by the one before
    uint32_t *open;   // those met whose component is not known yet
    bool *is_open;
    uint32_t depth, met, opened, ordered, components;
};

static void enter(struct search *s, uint32_t n) {
    s->number[n] = s->low[n] = ++s->met;
    s->next[n] = s->g->first[n];
    s->path[s->depth++] = n;
    s->open[s->opened++] = n;
    s->is_open[n] = true;
}

// All that was met since `n`, and leads back to it, is a component.
static void close_component(struct search *s, uint32_t n) {
    struct callgraph *g = s->g;
    g->component_first[s->components] = s->ordered;
    uint32_t member;
    do {
        member = s->open[--s->opened];
        s->is_open[member] = false;
        g->component[member] = s->components;
        g->order[s->ordered++] = member;
    } while (member != n);
    g->component_first[++s->components] = s->ordered;
}

static void leave(struct search *s, uint32_t n) {
    if (s->low[n] == s->number[n]) close_component(s, n);
    if (--s->depth) {
        const uint32_t caller = s->path[s->depth - 1];
        if (s->low[n] < s->low[caller]) s->low[caller] = s->low[n];
    }
}

static void search_from(struct search *s, uint32_t function) {
    const struct callgraph *g = s->g;
    for (enter(s, function); s->depth;) {
        const uint32_t n = s->path[s->depth - 1];
        if (s->next[n] == g->first[n + 1]) {
            leave(s, n);
            continue;
        }
        const uint32_t callee = g->callees.items[s->next[n]++];
        if (!s->number[callee])
            enter(s, callee);
        else if (s->is_open[callee] && s->number[callee] < s->low[n])
            s->low[n] = s->number[callee];
    }
}

static bool find_components(struct callgraph *g) {
    uint32_t *room = calloc(5 * ((size_t)g->count + 1), sizeof *room);
    bool *is_open = calloc(g->count + 1, 1);
    struct search s = {.g = g, .is_open = is_open};
    uint32_t **const parts[] = {&s.number, &s.low, &s.next, &s.path, &s.open};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && room; i++)
        *parts[i] = room + i * ((size_t)g->count + 1);
    for (uint32_t n = 0; n < g->count && room && is_open; n++)
        if (!s.number[n]) search_from(&s, n);
    free(room);
    free(is_open);
    return room && is_open;
}

static bool make(struct callgraph *g, const struct ir_module *m) {
    *g = (struct callgraph){0};
    for (const struct ir_function *f = m->functions; f; f = f->next) g->count++;
    g->functions = calloc(g->count + 1, sizeof *g->functions);
    g->first = calloc(g->count + 2, sizeof *g->first);
    g->calls_unknown = calloc(g->count + 1, 1);
    g->of_symbol = calloc(m->symbols.count + 1, sizeof *g->of_symbol);
    g->component = calloc(g->count + 1, sizeof *g->component);
    g->component_first = calloc(g->count + 2, sizeof *g->component_first);
    g->order = calloc(g->count + 1, sizeof *g->order);
    if (!g->functions || !g->first || !g->calls_unknown || !g->of_symbol || !g->component ||
        !g->component_first || !g->order)
        return false;
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
    return find_components(g);
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
    free(g->component);
    free(g->component_first);
    free(g->order);
    array_free(&g->callees);
    *g = (struct callgraph){0};
}

static void mark(const struct callgraph *g, uint32_t component, bool *marks) {
    for (uint32_t at = g->component_first[component]; at < g->component_first[component + 1]; at++)
        marks[g->order[at]] = true;
}

// Callees stand before those that call them, so one way back through the order meets all.
void callgraph_reach(const struct callgraph *g, uint32_t function, bool *marks) {
    const uint32_t own = g->component[function];
    mark(g, own, marks);
    for (uint32_t at = g->component_first[own + 1]; at-- > 0;) {
        const uint32_t n = g->order[at];
        for (uint32_t e = g->first[n]; e < g->first[n + 1] && marks[n]; e++)
            if (!marks[g->callees.items[e]]) mark(g, g->component[g->callees.items[e]], marks);
    }
}

bool callgraph_is_recursive(const struct callgraph *g, uint32_t function) {
    const uint32_t own = g->component[function];
    bool itself = g->component_first[own + 1] - g->component_first[own] > 1;
    for (uint32_t e = g->first[function]; e < g->first[function + 1]; e++)
        itself |= g->callees.items[e] == function;
    return itself;
}
