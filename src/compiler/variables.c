// SPDX-License-Identifier: MIT
// Variables in memory as directives: those that a function names, and those that other objects may name.
#include "compiler/passes.h"

static bool *find_named(struct compiler *c) {
    bool *named = calloc(c->m->symbols.count + 1, 1);
    if (!named) compiler_no_memory(c);
    for (const struct ir_function *f = c->m->functions; f && named; f = f->next)
        for (size_t n = 0; n < f->insts.count; n++)
            for (unsigned o = 0; o < f->insts.items[n].operands; o++) {
                const ir_ref r = ir_operand(f, &f->insts.items[n], o);
                if (ir_is(r, IR_SYMBOL)) named[ir_index(r)] = true;
            }
    for (size_t n = 0; n < c->m->aliases.count && named; n++) named[c->m->aliases.items[n].symbol] = true;
    // And those whose addresses stand in variables.
    for (bool changed = named != NULL; changed;) {
        changed = false;
        for (size_t n = 0; n < c->m->symbols.count; n++) {
            const struct ir_symbol *s = &c->m->symbols.items[n];
            for (size_t k = 0; k < s->address_count && (named[n] || !s->local); k++) {
                changed |= !named[s->addresses[k].symbol];
                named[s->addresses[k].symbol] = true;
            }
        }
    }
    return named;
}

static void put_plain(struct text *t, const struct ir_symbol *s, uint64_t from, uint64_t end) {
    for (uint64_t n = from; n < end;) {
        uint64_t zeros = 0;
        while (n + zeros < end && !s->bytes[n + zeros]) zeros++;
        if (zeros >= 8 || n + zeros == end) {
            text_printf(t, "\t.zero %llu\n", (unsigned long long)zeros);
            n += zeros;
            continue;
        }
        text_puts(t, "\t.byte ");
        for (unsigned k = 0; k < 16 && n < end; k++) text_printf(t, k ? ",%u" : "%u", s->bytes[n++]);
        text_puts(t, "\n");
    }
}

static void put_bytes(struct compiler *c, const struct ir_symbol *s) {
    struct text *t = c->assembly;
    uint64_t at = 0;
    for (size_t n = 0; n < s->address_count && s->bytes; n++) {
        const struct ir_address *a = &s->addresses[n];
        put_plain(t, s, at, a->offset);
        compiler_put_line(t, "\t.quad ", c->m->symbols.items[a->symbol].name, "");
        text_printf(t, a->addend ? "%+lld\n" : "\n", (long long)a->addend);
        at = a->offset + 8;
    }
    if (s->bytes)
        put_plain(t, s, at, s->size);
    else if (s->size)
        text_printf(t, "\t.zero %llu\n", (unsigned long long)s->size);
}

static void put_alias(struct compiler *c, const struct ir_alias *a) {
    const struct ir_symbol *s = &c->m->symbols.items[a->symbol];
    struct text *t = c->assembly;
    compiler_put_linkage(t, a->name, a->weak, a->visibility);
    compiler_put_line(t, "\t.type ", a->name, s->kind == IR_FUNCTION_SYMBOL ? ",@function\n" : ",@object\n");
    compiler_put_line(t, "\t.set ", a->name, ", ");
    compiler_put_line(t, "", s->name, "");
    text_printf(t, a->addend ? "%+lld\n" : "\n", (long long)a->addend);
}

void compiler_variables(struct compiler *c) {
    bool *named = find_named(c);
    struct text *t = c->assembly;
    for (size_t n = 0; n < c->m->symbols.count && named; n++) {
        const struct ir_symbol *s = &c->m->symbols.items[n];
        unsigned log2 = 0;
        if (!s->defined && named[n] && s->weak) compiler_put_line(t, "\t.weak ", s->name, "\n");
        if (!s->defined && named[n] && s->visibility == IR_HIDDEN)
            compiler_put_line(t, "\t.hidden ", s->name, "\n");
        if (s->kind != IR_VARIABLE_SYMBOL || !s->defined || (s->local && !named[n])) continue;
        if (s->space != IR_GLOBAL && s->space != IR_CONSTANT_SPACE && s->space != IR_GENERIC) continue;
        while (log2 < 32 && 1ull << log2 < s->align) log2++;
        text_printf(t, "\t.section %s\n\t.p2align %u, 0x0\n",
                    s->constant && s->address_count ? ".data.rel.ro,\"aw\",@progbits"
                    : s->constant                   ? ".rodata,\"a\",@progbits"
                    : s->bytes                      ? ".data,\"aw\",@progbits"
                                                    : ".bss,\"aw\",@nobits",
                    log2);
        compiler_put_line(t, "\t.type ", s->name, ",@object\n");
        if (!s->local) compiler_put_linkage(t, s->name, s->weak, s->visibility);
        compiler_put_line(t, "", s->name, ":\n");
        put_bytes(c, s);
        compiler_put_line(t, "\t.size ", s->name, ", ");
        text_printf(t, "%llu\n", (unsigned long long)s->size);
    }
    for (size_t n = 0; n < c->m->aliases.count && named; n++) put_alias(c, &c->m->aliases.items[n]);
    free(named);
}
