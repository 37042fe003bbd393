// SPDX-License-Identifier: MIT
// Where the variables of the local data share are: each kernel has those that it uses, the most aligned and
// the largest first; arrays whose size the launch decides all begin behind them. Requires: read. Leaves: no
// operand that is a symbol of the local address space; facts.lds, the bytes that the descriptor asks for.
#include "compiler/passes.h"

struct variable {
    uint32_t symbol;
    uint64_t size, align, offset;
};
struct lds {
    struct compiler *c;
    struct ir_function *f;
    ARRAY(struct variable) variables;
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

static void lay_out(struct lds *l) {
    uint64_t at = 0, most = 1;
    if (l->variables.count)
        qsort(l->variables.items, l->variables.count, sizeof *l->variables.items, by_alignment);
    for (size_t n = 0; n < l->variables.count; n++) {
        struct variable *v = &l->variables.items[n];
        if (!v->size && v->align > most) most = v->align;
    }
    for (size_t n = 0; n < l->variables.count; n++) {
        struct variable *v = &l->variables.items[n];
        const uint64_t align = v->size ? v->align : most;
        at = (at + align - 1) / align * align;
        v->offset = at;
        if (v->size > UINT32_MAX || (at += v->size) > processor_lds(l->c->processor)) {
            compiler_refuse(l->c, NULL, "so much of the local data share as this processor does not have");
            return;
        }
    }
    l->f->facts.lds = (uint32_t)at;
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

void compiler_lds(struct compiler *c) {
    struct lds l = {.c = c, .f = c->f};
    find(&l);
    if (!c->status && l.variables.count) {
        lay_out(&l);
        if (!c->status) replace(&l);
        if (!c->status) forward(&l);
    }
    array_free(&l.variables);
}
