// SPDX-License-Identifier: MIT
// Variables that are barriers have no place in the local data share: their addresses have numbers in them,
// from which instructions take them. Those that functions use have the same numbers in all kernels, in front
// of the kernels' own. Part of the pass lds. Leaves: no operand that is such a variable; facts.barriers, the
// greatest number of a function.
#include "compiler/callgraph.h"

enum { MOST_BARRIERS = 16, BARRIER_BASE = 0x802000 };

struct barriers {
    struct compiler *c;
    uint32_t *number; // by symbol: of its first barrier; 0: none yet
    uint32_t next;
};

static const struct ir_symbol *barrier_symbol(const struct ir_function *f, ir_ref r) {
    const struct ir_symbol *s = ir_is(r, IR_SYMBOL) ? &f->module->symbols.items[ir_index(r)] : NULL;
    return s && s->barrier ? s : NULL;
}

static void give_numbers(struct barriers *b, const struct ir_function *f) {
    for (size_t n = 0; n < f->operands.count && !b->c->status; n++) {
        const struct ir_symbol *s = barrier_symbol(f, f->operands.items[n]);
        uint32_t *number = s ? &b->number[ir_index(f->operands.items[n])] : NULL;
        if (!s || *number) continue;
        if (!compiler_named_row(b->c, "s_barrier_init"))
            compiler_refuse(b->c, NULL, "a variable that is a barrier, on this processor,");
        if (s->size / IR_BARRIER_BYTES > MOST_BARRIERS - (b->next - 1)) {
            compiler_refuse(b->c, NULL, "more than 16 barriers of a work-group");
            return;
        }
        *number = b->next;
        b->next += (uint32_t)(s->size / IR_BARRIER_BYTES);
    }
}

static void replace(const struct barriers *b, struct ir_function *f) {
    for (size_t n = 0; n < f->operands.count; n++) {
        const ir_ref r = f->operands.items[n];
        const struct ir_symbol *s = barrier_symbol(f, r);
        if (!s) continue;
        const uint32_t first = b->number[ir_index(r)], end = first + (uint32_t)(s->size / IR_BARRIER_BYTES);
        f->operands.items[n] =
            ir_constant_bits(f, ir_int(f->module, 32), BARRIER_BASE + first * IR_BARRIER_BYTES, 0);
        if (end > f->facts.barriers + 1) f->facts.barriers = end - 1;
    }
}

// The greatest number that comes to a function with all that it calls. Callees come first: only circles take
// rounds.
static void sum_up(struct compiler *c, const struct callgraph *g) {
    uint32_t most = 0;
    for (uint32_t n = 0; n < g->count; n++) {
        g->functions[n]->facts.all_barriers = g->functions[n]->facts.barriers;
        if (!ir_is_entry(g->functions[n]) && g->functions[n]->facts.barriers > most)
            most = g->functions[n]->facts.barriers;
    }
    for (bool changed = most && !c->status; changed;) {
        changed = false;
        for (uint32_t at = 0; at < g->count; at++) {
            const uint32_t n = g->order[at];
            uint32_t *own = &g->functions[n]->facts.all_barriers;
            uint32_t all = g->calls_unknown[n] && most > *own ? most : *own;
            for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++) {
                const uint32_t theirs = g->functions[g->callees.items[e]]->facts.all_barriers;
                if (theirs > all) all = theirs;
            }
            changed |= all != *own;
            *own = all;
        }
    }
}

void compiler_barriers(struct compiler *c) {
    const struct callgraph g = *callgraph_of(c);
    struct barriers b = {.c = c, .next = 1};
    bool any = false;
    for (size_t n = 0; n < c->m->symbols.count; n++) {
        const struct ir_symbol *s = &c->m->symbols.items[n];
        any |= s->barrier;
        for (size_t k = 0; k < s->address_count; k++)
            if (c->m->symbols.items[s->addresses[k].symbol].barrier)
                compiler_refuse(c, NULL, "the address of a barrier in a variable");
    }
    if (!any || c->status) return;
    b.number = calloc(c->m->symbols.count + 1, sizeof *b.number);
    uint32_t *shared = calloc(c->m->symbols.count + 1, sizeof *shared);
    if (!b.number || !shared) compiler_no_memory(c);
    for (uint32_t n = 0; n < g.count && !c->status; n++)
        if (!ir_is_entry(g.functions[n])) c->f = g.functions[n], give_numbers(&b, c->f);
    const uint32_t own = b.next;
    if (shared && b.number) memcpy(shared, b.number, c->m->symbols.count * sizeof *shared);
    for (uint32_t n = 0; n < g.count && !c->status; n++) {
        c->f = g.functions[n];
        if (ir_is_entry(c->f)) {
            memcpy(b.number, shared, c->m->symbols.count * sizeof *shared);
            b.next = own;
            give_numbers(&b, c->f);
        }
        if (!c->status) replace(&b, c->f);
    }
    if (!c->status) sum_up(c, &g);
    free(b.number);
    free(shared);
}
