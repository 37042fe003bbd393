// SPDX-License-Identifier: MIT
// What kernels need for themselves and all that they call: registers, memory on the stack. And the symbols by
// which assembly says it of each function. A function whose body is not here may need what any may have;
// where functions call themselves nobody knows how deep, there is room for some calls.
#include "compiler/callgraph.h"
#include "compiler/convention.h"

#include <stdio.h>

enum { UNKNOWN_STACK = 16384, UNKNOWN_SGPRS = 100 };

struct resources {
    struct compiler *c;
    struct callgraph g;
    bool *reached;
};

static uint32_t frame_of(const struct ir_function *f) {
    return f->facts.calls ? f->facts.frame : f->facts.stack;
}
static uint32_t greater(uint32_t a, uint32_t b) { return a > b ? a : b; }

// The deepest stack below a function, if no function calls itself; else all frames at once.
static uint32_t stack_of(struct resources *k, uint32_t function, bool recursive) {
    const struct callgraph *g = &k->g;
    uint32_t *depth = calloc(g->count + 1, sizeof *depth), all = 0;
    if (!depth) compiler_no_memory(k->c);
    for (uint32_t n = 0; n < g->count && depth; n++)
        if (k->reached[n]) all += depth[n] = frame_of(g->functions[n]);
    for (bool changed = !recursive && depth; changed;) {
        changed = false;
        for (uint32_t n = 0; n < g->count; n++)
            for (uint32_t e = g->first[n]; e < g->first[n + 1] && k->reached[n]; e++) {
                const uint32_t deep = frame_of(g->functions[n]) + depth[g->callees.items[e]];
                if (deep > depth[n]) depth[n] = deep, changed = true;
            }
    }
    const uint32_t deepest = depth ? depth[function] : 0;
    free(depth);
    return recursive ? all : deepest;
}

static void sum_up(struct resources *k, uint32_t function) {
    const struct callgraph *g = &k->g;
    struct ir_facts *facts = &g->functions[function]->facts;
    bool recursive = false, unknown = false;
    facts->all_vgprs = facts->vgprs;
    facts->all_agprs = facts->agprs;
    facts->all_sgprs = facts->sgprs;
    facts->all_stack = facts->stack;
    if (!facts->calls) return;
    memset(k->reached, 0, g->count);
    callgraph_reach(g, function, k->reached);
    for (uint32_t n = 0; n < g->count; n++) {
        if (!k->reached[n]) continue;
        const struct ir_facts *own = &g->functions[n]->facts;
        facts->all_vgprs = greater(facts->all_vgprs, own->vgprs);
        facts->all_agprs = greater(facts->all_agprs, own->agprs);
        facts->all_sgprs = greater(facts->all_sgprs, own->sgprs);
        facts->dynamic_stack |= own->dynamic_stack;
        recursive |= callgraph_is_recursive(g, n);
        unknown |= g->calls_unknown[n];
    }
    facts->all_stack = stack_of(k, function, recursive);
    facts->recursive |= recursive || unknown;
    if (unknown) {
        k->c->f = g->functions[function];
        facts->all_vgprs = greater(facts->all_vgprs, compiler_vgpr_limit(k->c));
        // Where every wave has 96, six of them are VCC and its kin.
        facts->all_sgprs =
            greater(facts->all_sgprs, has(k->c->processor, CAP_sgpr_init_bug) ? 90 : UNKNOWN_SGPRS);
    }
    facts->dynamic_stack |= recursive || unknown;
    if (facts->dynamic_stack && k->c->m->code_object_version < 5) facts->all_stack += UNKNOWN_STACK;
}

void compiler_resources(struct compiler *c) {
    struct resources k = {.c = c, .g = *callgraph_of(c)};
    k.reached = calloc(k.g.count + 1, 1);
    if (!k.reached) compiler_no_memory(c);
    for (uint32_t n = 0; n < k.g.count && !c->status; n++) sum_up(&k, n);
    c->f = NULL;
    free(k.reached);
}

// ---- Symbols ----

static void put_name(const struct compiler *c, struct text *t, const struct ir_function *f,
                     const char *what) {
    const bool local = !f->is_kernel && c->m->symbols.items[f->symbol].local;
    char behind[32];
    snprintf(behind, sizeof behind, ".%s", what);
    compiler_put_name(t, local ? ".L" : "", f->name, behind);
}

// Functions that the one at hand calls, each once. NULL in front of the end: one whose body is not here.
static bool next_callee(const struct compiler *c, size_t *at, const struct ir_function **callee) {
    for (; *at < c->f->insts.count; ++*at) {
        const struct ir_inst *i = &c->f->insts.items[*at];
        if (i->op != OP_p_call) continue;
        const ir_ref r = ir_operand(c->f, i, 0);
        bool again = false;
        for (size_t n = 0; n < *at; n++)
            again |= c->f->insts.items[n].op == OP_p_call && ir_operand(c->f, &c->f->insts.items[n], 0) == r;
        if (again) continue;
        *callee = ir_is(r, IR_SYMBOL) ? c->m->symbols.items[ir_index(r)].function : NULL;
        if (*callee && (*callee)->is_kernel) *callee = NULL;
        ++*at;
        return true;
    }
    return false;
}

enum how { GREATEST, SUM, ANY };

// `own`, combined with the same of the functions that this one calls; of functions in a circle, `all` that
// the circle needs. `maximum`: of all functions of the module, for those that nobody knows.
static void put(const struct compiler *c, const char *what, enum how how, uint32_t own, uint32_t all,
                const char *maximum) {
    struct text *t = c->assembly, list = {0};
    const struct ir_function *callee;
    bool unknown = false, circles = false;
    for (size_t at = 0; next_callee(c, &at, &callee);) {
        const bool circle = callee && callee->facts.recursive && c->f->facts.recursive && !c->f->is_kernel;
        unknown |= !callee;
        circles |= circle;
        if (!callee || circle) continue;
        if (list.length) text_puts(&list, ", ");
        put_name(c, &list, callee, what);
    }
    if (circles && how == GREATEST) own = all;
    if (unknown && maximum) text_printf(&list, "%s%s", list.length ? ", " : "", maximum);
    if (unknown && how == ANY) own = 1, text_free(&list), list = (struct text){0};
    text_puts(t, "\t.set ");
    put_name(c, t, c->f, what);
    text_puts(t, ", ");
    if (!list.length)
        text_printf(t, "%u\n", own);
    else
        text_printf(t,
                    how == SUM   ? "%u+max(%.*s)\n"
                    : how == ANY ? "or(%u, %.*s)\n"
                                 : "max(%u, %.*s)\n",
                    own, (int)list.length, list.data);
    text_free(&list);
}

void compiler_put_resources(struct compiler *c) {
    const struct ir_facts *facts = &c->f->facts;
    put(c, "num_vgpr", GREATEST, facts->vgprs, facts->all_vgprs, "amdgpu.max_num_vgpr");
    put(c, "num_agpr", GREATEST, facts->agprs, facts->all_agprs, "amdgpu.max_num_agpr");
    put(c, "numbered_sgpr", GREATEST, facts->sgprs, facts->all_sgprs, "amdgpu.max_num_sgpr");
    put(c, "num_named_barrier", GREATEST, 0, 0, "amdgpu.max_num_named_barrier");
    put(c, "private_seg_size", SUM, frame_of(c->f), 0, NULL);
    put(c, "uses_vcc", ANY, facts->uses_vcc, 0, NULL);
    put(c, "uses_flat_scratch", ANY, facts->flat_stack != 0, 0, NULL);
    put(c, "has_dyn_sized_stack", ANY, facts->dynamic_stack && !facts->recursive, 0, NULL);
    put(c, "has_recursion", ANY, facts->recursive, 0, NULL);
    put(c, "has_indirect_call", ANY, 0, 0, NULL);
}

void compiler_put_maxima(struct compiler *c) {
    uint32_t vgprs = 0, agprs = 0, sgprs = 0;
    for (const struct ir_function *f = c->m->functions; f; f = f->next) {
        if (f->is_kernel) continue;
        vgprs = greater(vgprs, f->facts.vgprs);
        agprs = greater(agprs, f->facts.agprs);
        sgprs = greater(sgprs, f->facts.sgprs);
    }
    text_printf(c->assembly,
                "\t.set amdgpu.max_num_vgpr, %u\n\t.set amdgpu.max_num_agpr, %u\n\t.set amdgpu.max_num_sgpr, "
                "%u\n\t.set amdgpu.max_num_named_barrier, 0\n",
                vgprs, agprs, sgprs);
}
