// SPDX-License-Identifier: MIT
// What kernels need for themselves and all that they call: registers, memory on the stack. And the symbols by
// which assembly says it of each function. A function whose body is not here may need what any may have;
// where functions call themselves nobody knows how deep, there is room for some calls.
#include "compiler/callgraph.h"
#include "compiler/convention.h"

#include <stdio.h>

enum { UNKNOWN_STACK = 16384, UNKNOWN_SGPRS = 100 };

// What functions of a circle, or a function alone, need with all that they call.
struct needs {
    uint32_t vgprs, agprs, sgprs;
    uint32_t depth; // of the stack, where nothing is recursive
    bool dynamic, recursive, unknown;
};

struct resources {
    struct compiler *c;
    struct callgraph g;
    struct needs *needs; // by component
    bool *reached;
};

static uint32_t frame_of(const struct ir_function *f) {
    return f->facts.calls ? f->facts.frame : f->facts.stack;
}
static uint32_t greater(uint32_t a, uint32_t b) { return a > b ? a : b; }

static void add_function(const struct resources *k, uint32_t function, struct needs *needs) {
    const struct callgraph *g = &k->g;
    const struct ir_facts *own = &g->functions[function]->facts;
    uint32_t below = 0;
    needs->vgprs = greater(needs->vgprs, own->vgprs);
    needs->agprs = greater(needs->agprs, own->agprs);
    needs->sgprs = greater(needs->sgprs, own->sgprs);
    needs->dynamic |= own->dynamic_stack;
    needs->recursive |= callgraph_is_recursive(g, function);
    needs->unknown |= g->calls_unknown[function];
    for (uint32_t e = g->first[function]; e < g->first[function + 1]; e++) {
        const struct needs *callee = &k->needs[g->component[g->callees.items[e]]];
        needs->vgprs = greater(needs->vgprs, callee->vgprs);
        needs->agprs = greater(needs->agprs, callee->agprs);
        needs->sgprs = greater(needs->sgprs, callee->sgprs);
        needs->dynamic |= callee->dynamic;
        needs->recursive |= callee->recursive;
        needs->unknown |= callee->unknown;
        below = greater(below, callee->depth);
    }
    needs->depth = frame_of(g->functions[function]) + below;
}

// Where functions call themselves: all frames at once.
static uint32_t all_frames(struct resources *k, uint32_t function) {
    uint32_t all = 0;
    memset(k->reached, 0, k->g.count);
    callgraph_reach(&k->g, function, k->reached);
    for (uint32_t n = 0; n < k->g.count; n++)
        if (k->reached[n]) all += frame_of(k->g.functions[n]);
    return all;
}

static void sum_up(struct resources *k, uint32_t function) {
    struct ir_facts *facts = &k->g.functions[function]->facts;
    const struct needs *needs = &k->needs[k->g.component[function]];
    facts->all_vgprs = facts->vgprs;
    facts->all_agprs = facts->agprs;
    facts->all_sgprs = facts->sgprs;
    facts->all_stack = facts->stack;
    if (!facts->calls) return;
    facts->all_vgprs = needs->vgprs;
    facts->all_agprs = needs->agprs;
    facts->all_sgprs = needs->sgprs;
    facts->all_stack = needs->recursive ? all_frames(k, function) : needs->depth;
    facts->recursive |= needs->recursive || needs->unknown;
    if (needs->unknown) {
        k->c->f = k->g.functions[function];
        facts->all_vgprs = greater(facts->all_vgprs, compiler_vgpr_limit(k->c));
        // Where every wave has 96, six of them are VCC and its kin.
        facts->all_sgprs =
            greater(facts->all_sgprs, has(k->c->processor, CAP_sgpr_init_bug) ? 90 : UNKNOWN_SGPRS);
    }
    facts->dynamic_stack |= needs->dynamic || needs->recursive || needs->unknown;
    if (facts->dynamic_stack && k->c->m->code_object_version < 5) facts->all_stack += UNKNOWN_STACK;
}

void compiler_resources(struct compiler *c) {
    struct resources k = {.c = c, .g = *callgraph_of(c)};
    k.reached = calloc(k.g.count + 1, 1);
    k.needs = calloc(k.g.count + 1, sizeof *k.needs);
    if (!k.reached || !k.needs) compiler_no_memory(c);
    for (uint32_t at = 0; at < k.g.count && !c->status; at++) // callees first
        add_function(&k, k.g.order[at], &k.needs[k.g.component[k.g.order[at]]]);
    for (uint32_t n = 0; n < k.g.count && !c->status; n++) sum_up(&k, n);
    c->f = NULL;
    free(k.reached);
    free(k.needs);
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
    put(c, "num_named_barrier", GREATEST, facts->barriers, facts->all_barriers,
        "amdgpu.max_num_named_barrier");
    put(c, "private_seg_size", SUM, frame_of(c->f), 0, NULL);
    put(c, "uses_vcc", ANY, facts->uses_vcc, 0, NULL);
    put(c, "uses_flat_scratch", ANY, facts->flat_stack != 0, 0, NULL);
    put(c, "has_dyn_sized_stack", ANY, facts->dynamic_stack && !facts->recursive, 0, NULL);
    put(c, "has_recursion", ANY, facts->recursive, 0, NULL);
    put(c, "has_indirect_call", ANY, 0, 0, NULL);
}

void compiler_put_maxima(struct compiler *c) {
    uint32_t vgprs = 0, agprs = 0, sgprs = 0, barriers = 0;
    for (const struct ir_function *f = c->m->functions; f; f = f->next) {
        if (f->is_kernel) continue;
        vgprs = greater(vgprs, f->facts.vgprs);
        agprs = greater(agprs, f->facts.agprs);
        sgprs = greater(sgprs, f->facts.sgprs);
        barriers = greater(barriers, f->facts.barriers);
    }
    text_printf(c->assembly,
                "\t.set amdgpu.max_num_vgpr, %u\n\t.set amdgpu.max_num_agpr, %u\n\t.set amdgpu.max_num_sgpr, "
                "%u\n\t.set amdgpu.max_num_named_barrier, %u\n",
                vgprs, agprs, sgprs, barriers);
}
