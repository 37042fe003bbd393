// SPDX-License-Identifier: MIT
// Where the variables of the local data share are: each kernel has those that it uses, the most aligned and
// the largest first; arrays whose size the launch decides all begin behind them. Requires: read. Leaves: no
// operand that is a symbol of the local address space; facts.lds, the bytes that the descriptor asks for.
#include "compiler/callgraph.h"

struct variable {
    uint32_t symbol;
    uint64_t size, align, offset;
};
struct lds {
    struct compiler *c;
    struct ir_function *f;
    ARRAY(struct variable) variables;
    uint64_t end; // bytes that have been given away
};

static const struct ir_symbol *local_symbol(const struct compiler *c, ir_ref r) {
    const struct ir_symbol *s = ir_is(r, IR_SYMBOL) ? &c->m->symbols.items[ir_index(r)] : NULL;
    return s && s->kind == IR_VARIABLE_SYMBOL && s->space == IR_LOCAL ? s : NULL;
}

// A variable that wide accesses may reach is as aligned as these want it.
static uint64_t alignment(const struct ir_symbol *s) {
    uint64_t align = s->align ? s->align : 1;
    for (uint64_t wide = 16; wide > 1; wide /= 2)
        if (s->size > wide / 2 && align < wide && s->defined) return wide;
    return align;
}

static void find(struct lds *l) {
    for (size_t n = 0; n < l->f->operands.count; n++) {
        const ir_ref r = l->f->operands.items[n];
        const struct ir_symbol *s = local_symbol(l->c, r);
        bool known = !s;
        for (size_t v = 0; v < l->variables.count; v++) known |= l->variables.items[v].symbol == ir_index(r);
        if (known) continue;
        if (s->bytes || (!s->defined && s->size)) {
            compiler_refuse(l->c, NULL,
                            s->bytes ? "a variable in the local data share with an initial value"
                                     : "a variable in the local data share of another module");
            return;
        }
        if (!array_push(&l->variables, (struct variable){ir_index(r), s->size, alignment(s), 0}))
            compiler_no_memory(l->c);
    }
}

static int by_alignment(const void *x, const void *y) {
    const struct variable *a = x, *b = y;
    if (!a->size != !b->size) return a->size ? -1 : 1;
    if (a->align != b->align) return a->align > b->align ? -1 : 1;
    if (a->size != b->size) return a->size > b->size ? -1 : 1;
    return a->symbol < b->symbol ? -1 : a->symbol > b->symbol;
}

// Places for variables that have a size, from the `placed`th on, behind what has been given away.
static void lay_out(struct lds *l, size_t placed) {
    if (l->variables.count > placed)
        qsort(l->variables.items + placed, l->variables.count - placed, sizeof *l->variables.items,
              by_alignment);
    for (size_t n = placed; n < l->variables.count; n++) {
        struct variable *v = &l->variables.items[n];
        if (!v->size) continue;
        l->end = (l->end + v->align - 1) / v->align * v->align;
        v->offset = l->end;
        if (v->size > UINT32_MAX || (l->end += v->size) > processor_lds(l->c->processor)) {
            compiler_refuse(l->c, NULL, "so much of the local data share as this processor does not have");
            return;
        }
    }
}

static void replace(struct lds *l) {
    const uint16_t address = ir_int(l->c->m, 32);
    for (size_t n = 0; n < l->f->operands.count; n++) {
        if (!local_symbol(l->c, l->f->operands.items[n])) continue;
        for (size_t v = 0; v < l->variables.count; v++)
            if (l->variables.items[v].symbol == ir_index(l->f->operands.items[n])) {
                l->f->operands.items[n] = ir_constant_bits(l->f, address, l->variables.items[v].offset, 0);
                break;
            }
    }
}

// A copy of a constant is the constant: then it can become part of an access's offset.
static void forward(struct lds *l) {
    for (size_t n = 0; n < l->f->operands.count; n++) {
        const struct ir_inst *copy = ir_def(l->f, l->f->operands.items[n]);
        if (copy && copy->op == OP_copy && ir_constant_of(l->f, ir_operand(l->f, copy, 0)))
            l->f->operands.items[n] = ir_operand(l->f, copy, 0);
    }
}

// ---- The whole module ----
// Variables of functions have the same places in all kernels that may come to them: in front of the kernels'
// own. Arrays without a size begin behind everything; if functions have such, at the same place in all these
// kernels.

struct module {
    struct compiler *c;
    struct callgraph g;
    struct lds *of;    // by function
    bool *users;       // by function: it comes to functions with variables
    struct lds shared; // of functions
    uint64_t most;     // the greatest alignment of an array without a size
    bool open;         // functions have such
    uint64_t end;      // where they begin then
};

static void add(struct lds *to, const struct lds *from) {
    for (size_t n = 0; n < from->variables.count; n++) {
        bool known = false;
        for (size_t k = 0; k < to->variables.count; k++)
            known |= to->variables.items[k].symbol == from->variables.items[n].symbol;
        if (!known && !array_push(&to->variables, from->variables.items[n])) compiler_no_memory(to->c);
    }
}

static bool has_open(const struct lds *l) {
    bool any = false;
    for (size_t n = 0; n < l->variables.count; n++) any |= !l->variables.items[n].size;
    return any;
}

static void find_all(struct module *m) {
    const struct callgraph *g = &m->g;
    for (uint32_t n = 0; n < g->count && !m->c->status; n++) {
        struct lds *l = &m->of[n];
        m->c->f = g->functions[n];
        *l = (struct lds){.c = m->c, .f = m->c->f};
        find(l);
        for (size_t v = 0; v < l->variables.count; v++)
            if (!l->variables.items[v].size && l->variables.items[v].align > m->most)
                m->most = l->variables.items[v].align;
        m->users[n] = (!ir_is_entry(l->f) && l->variables.count) || g->calls_unknown[n];
        if (ir_is_entry(l->f)) continue;
        m->open |= has_open(l);
        add(&m->shared, l);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < g->count; n++)
            for (uint32_t e = g->first[n]; e < g->first[n + 1] && !m->users[n]; e++)
                changed |= m->users[n] = m->users[g->callees.items[e]];
    }
}

// The kernel's own variables behind those of functions. Leaves all of them in its list.
static void place_kernel(struct module *m, struct lds *l, bool user) {
    struct lds all = {.c = m->c, .f = l->f, .end = user ? m->shared.end : 0};
    if (user) add(&all, &m->shared);
    const size_t placed = all.variables.count;
    const bool open = has_open(l) || (user && m->open);
    add(&all, l);
    lay_out(&all, placed);
    if (open) all.end = (all.end + m->most - 1) / m->most * m->most;
    if (user && all.end > m->end) m->end = all.end;
    array_free(&l->variables);
    *l = all;
}

static uint64_t offset_of(const struct module *m, const struct lds *l, const struct variable *v) {
    if (!v->size) return ir_is_entry(l->f) ? l->end : m->end;
    for (size_t n = 0; n < m->shared.variables.count; n++)
        if (m->shared.variables.items[n].symbol == v->symbol && !ir_is_entry(l->f))
            return m->shared.variables.items[n].offset;
    return v->offset;
}

static void place_all(struct module *m) {
    const struct callgraph *g = &m->g;
    bool reached = !m->shared.variables.count;
    lay_out(&m->shared, 0);
    for (uint32_t n = 0; n < g->count && !m->c->status; n++) {
        m->c->f = g->functions[n];
        if (!ir_is_entry(m->c->f)) continue;
        reached |= m->users[n];
        place_kernel(m, &m->of[n], m->users[n]);
    }
    if (!reached)
        compiler_refuse(m->c, NULL,
                        "a variable in the local data share of a function that no kernel here calls");
    for (uint32_t n = 0; n < g->count && !m->c->status; n++) {
        struct lds *l = &m->of[n];
        m->c->f = l->f;
        if (m->users[n] && m->open) l->end = m->end, l->f->facts.dynamic_lds = 1;
        for (size_t v = 0; v < l->variables.count; v++)
            if (!l->variables.items[v].size) l->f->facts.dynamic_lds = 1;
        if (ir_is_entry(l->f)) l->f->facts.lds = (uint32_t)l->end;
        for (size_t v = 0; v < l->variables.count; v++)
            l->variables.items[v].offset = offset_of(m, l, &l->variables.items[v]);
        if (!l->variables.count) continue;
        replace(l);
        forward(l);
    }
}

void compiler_lds(struct compiler *c) {
    struct module m = {.c = c, .g = *callgraph_of(c), .most = 1, .shared = {.c = c}};
    m.of = calloc(m.g.count + 1, sizeof *m.of);
    m.users = calloc(m.g.count + 1, 1);
    m.shared.f = c->m->functions;
    c->f = c->m->functions;
    if (!m.of || !m.users) compiler_no_memory(c);
    if (!c->status) find_all(&m);
    if (!c->status) place_all(&m);
    c->f = NULL;
    for (uint32_t n = 0; n < m.g.count && m.of; n++) array_free(&m.of[n].variables);
    array_free(&m.shared.variables);
    free(m.of);
    free(m.users);
}
