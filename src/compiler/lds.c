// SPDX-License-Identifier: MIT
// Where the variables of the local data share are: each kernel has those that it uses, the most aligned and
// the largest first; arrays whose size the launch decides all begin behind them. Whether another module
// declares a variable as well makes no difference, as with llc. Requires: read. Leaves: no operand that is a
// symbol of the local address space, and no variable with such an address; facts.lds, the bytes that the
// descriptor asks for.
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
        if (s->bytes) {
            compiler_refuse(l->c, NULL, "a variable in the local data share with an initial value");
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
// own. Those whose addresses stand in other variables have the same places in all kernels. Arrays without a
// size begin behind everything; if functions have such, at the same place in all these kernels.

struct module {
    struct compiler *c;
    struct callgraph g;
    struct lds *of;    // by function
    bool *users;       // by function: it comes to functions with variables
    bool *reached;     // by function: a kernel here may come to it
    struct lds shared; // of functions
    uint64_t most;     // the greatest alignment of an array without a size
    bool open;         // functions have such
    bool everywhere;   // variables have addresses of such ones: all kernels have them
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

// No kernel has room for the variables of a function to which none comes: it ends with a trap where it would
// use them, as llc has it.
static void cut_off(struct lds *l) {
    struct ir_function *f = l->f;
    struct ir_old old = {0};
    ir_take(f, &old);
    for (size_t b = 0; b < old.blocks.count && !f->module->failed; b++) {
        const struct ir_inst *i = old.insts.items + old.blocks.items[b].first,
                             *end = i + old.blocks.items[b].count;
        ir_block_add(f);
        for (; i < end && !f->module->failed; i++) {
            bool uses = false;
            for (uint32_t n = i->first_operand; n < i->first_operand + i->operands; n++)
                uses |= local_symbol(l->c, old.operands.items[n]) != NULL;
            if (uses) ir_append(f, OP_trap, NULL, 0)->location = i->location;
            ir_copy(f, &old, i);
        }
    }
    ir_old_free(&old);
    for (size_t v = 0; v < l->variables.count; v++) l->variables.items[v].offset = 0;
    diag_warn(l->c->sink, &(sw_location){.file = l->c->options->name},
              "function @%s ends with a trap where it uses the local data share: no kernel here calls it",
              f->name);
}

// Functions of graphics have theirs from the beginning on, as shaders that come to them leave it to them.
static void leave_alone(struct lds *l) {
    if (l->f->facts.convention == IR_GFX)
        lay_out(l, 0);
    else if (compiler_system(l->c->m) == SW_OS_AMDHSA)
        cut_off(l);
    else // a trap would be the end of the program, and of the block
        compiler_refuse(l->c, NULL,
                        "a variable in the local data share of a function that no kernel here calls");
}

static void mark_reached(struct module *m) {
    const struct callgraph *g = &m->g;
    for (uint32_t n = 0; n < g->count; n++)
        if (ir_is_entry(g->functions[n])) callgraph_reach(g, n, m->reached);
    for (uint32_t n = 0; n < g->count; n++)
        for (uint32_t k = 0; k < g->count && m->reached[n] && g->calls_unknown[n]; k++) m->reached[k] = true;
}

// What stands at an address of LDS in another variable: nothing where that is no variable.
static const struct ir_symbol *addressed(const struct compiler *c, const struct ir_symbol *in, size_t n) {
    return in->kind == IR_VARIABLE_SYMBOL && in->space != IR_LOCAL
               ? local_symbol(c, ir_make(IR_SYMBOL, in->addresses[n].symbol))
               : NULL;
}

static void find_addressed(struct module *m) {
    for (size_t v = 0; v < m->c->m->symbols.count && !m->c->status; v++) {
        const struct ir_symbol *in = &m->c->m->symbols.items[v];
        for (size_t n = 0; n < in->address_count; n++) {
            const struct ir_symbol *s = addressed(m->c, in, n);
            if (!s) continue;
            if (!s->size || s->bytes)
                compiler_refuse(m->c, NULL,
                                "an address of such a variable in the local data share in another");
            struct lds one = {0};
            if (!array_push(&one.variables,
                            (struct variable){in->addresses[n].symbol, s->size, alignment(s), 0}))
                compiler_no_memory(m->c);
            add(&m->shared, &one);
            array_free(&one.variables);
            m->everywhere = true;
        }
    }
}

// Numbers in the place of addresses.
static void fill_addressed(struct module *m) {
    for (size_t v = 0; v < m->c->m->symbols.count && m->everywhere; v++) {
        struct ir_symbol *in = &m->c->m->symbols.items[v];
        uint8_t *bytes = NULL;
        size_t left = 0;
        for (size_t n = 0; n < in->address_count; n++) {
            const struct ir_address a = in->addresses[n];
            if (!addressed(m->c, in, n)) {
                in->addresses[left++] = a;
                continue;
            }
            if (!bytes && !(bytes = arena_alloc(&m->c->m->arena, in->size))) {
                compiler_no_memory(m->c);
                return;
            }
            if (in->bytes != bytes) memcpy(bytes, in->bytes, in->size);
            in->bytes = bytes;
            uint64_t place = (uint64_t)a.addend;
            for (size_t k = 0; k < m->shared.variables.count; k++)
                if (m->shared.variables.items[k].symbol == a.symbol)
                    place += m->shared.variables.items[k].offset;
            for (unsigned k = 0; k < 4; k++) bytes[a.offset + k] = (uint8_t)(place >> 8 * k);
        }
        in->address_count = left;
    }
}

static void find_all(struct module *m) {
    const struct callgraph *g = &m->g;
    mark_reached(m);
    for (uint32_t n = 0; n < g->count && !m->c->status; n++) {
        struct lds *l = &m->of[n];
        m->c->f = g->functions[n];
        *l = (struct lds){.c = m->c, .f = m->c->f};
        find(l);
        if (!m->reached[n]) continue;
        for (size_t v = 0; v < l->variables.count; v++)
            if (!l->variables.items[v].size && l->variables.items[v].align > m->most)
                m->most = l->variables.items[v].align;
        m->users[n] = (!ir_is_entry(l->f) && l->variables.count) || g->calls_unknown[n];
        if (ir_is_entry(l->f)) continue;
        m->open |= has_open(l);
        add(&m->shared, l);
    }
    find_addressed(m);
    for (uint32_t n = 0; n < g->count && m->everywhere; n++) m->users[n] |= ir_is_entry(g->functions[n]);
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
    lay_out(&m->shared, 0);
    for (uint32_t n = 0; n < g->count && !m->c->status; n++) {
        m->c->f = g->functions[n];
        if (!ir_is_entry(m->c->f)) continue;
        place_kernel(m, &m->of[n], m->users[n]);
    }
    if (!m->c->status) fill_addressed(m);
    for (uint32_t n = 0; n < g->count && !m->c->status; n++) {
        struct lds *l = &m->of[n];
        m->c->f = l->f;
        if (!m->reached[n] && l->variables.count) {
            leave_alone(l);
            replace(l);
        }
        if (!m->reached[n]) continue;
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
    m.reached = calloc(m.g.count + 1, 1);
    m.shared.f = c->m->functions;
    c->f = c->m->functions;
    if (!m.of || !m.users || !m.reached) compiler_no_memory(c);
    if (!c->status) compiler_barriers(c);
    if (!c->status) find_all(&m);
    if (!c->status) place_all(&m);
    c->f = NULL;
    for (uint32_t n = 0; n < m.g.count && m.of; n++) array_free(&m.of[n].variables);
    array_free(&m.shared.variables);
    free(m.of);
    free(m.users);
    free(m.reached);
}
