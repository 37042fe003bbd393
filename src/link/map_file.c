// SPDX-License-Identifier: MIT
// The map of a finished link as ld.lld writes it: output sections, the input sections in them, the symbols in
// these.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "link/link.h"

struct placed {
    uint64_t address;
    size_t order;
    const struct link_symbol *symbol;
};
typedef ARRAY(struct placed) placed_list;

static int by_address(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    if (x->symbol->section != y->symbol->section) return x->symbol->section < y->symbol->section ? -1 : 1;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

// Symbols of every file that lie in sections of it, by section.
static void collect(struct link *l, placed_list *list) {
    for (size_t n = 0; n < l->objects.count; n++) {
        const struct object_file *f = l->objects.items[n];
        for (uint32_t i = 1; i < f->symbol_count; i++) {
            const struct link_symbol *s = f->symbols[i];
            if (!s || s->kind != SYMBOL_DEFINED || s->file != f || !s->section || !s->section->live) continue;
            if (s->type == STT_SECTION) continue;
            if (!link_push(l, list, (struct placed){symbol_address(s, 0), list->count, s})) return;
        }
    }
    if (list->count) qsort(list->items, list->count, sizeof *list->items, by_address);
}

static void row(struct text *t, uint64_t address, uint64_t size, uint64_t alignment, const char *indent) {
    text_printf(t, "%16" PRIx64 " %16" PRIx64 " %8" PRIx64 " %5" PRIu64 " %s", address, address, size,
                alignment, indent);
}

static void add_symbols(struct text *t, const placed_list *list, const struct input_section *s) {
    size_t lo = SORTED_PREFIX(list->count, i, list->items[i].symbol->section < s);
    for (; lo < list->count && list->items[lo].symbol->section == s; lo++) {
        row(t, list->items[lo].address, list->items[lo].symbol->size, 1, "                ");
        char plain[4096];
        const char *name = list->items[lo].symbol->name;
        text_printf(t, "%s\n", sw_demangle(name, plain, sizeof plain) ? plain : name);
    }
}

static void add_section(struct text *t, const placed_list *list, const struct output_section *o) {
    row(t, o->address, o->size, o->alignment, "");
    text_printf(t, "%s\n", o->name);
    for (size_t i = 0; i < o->inputs.count; i++) {
        const struct input_section *s = o->inputs.items[i];
        row(t, o->address + s->place, s->size, s->alignment, "        ");
        text_printf(t, "%s:(%s)\n", s->file ? s->file->name : "<internal>",
                    s->own == OWN_COMMON ? "COMMON" : s->name);
        add_symbols(t, list, s);
    }
}

void map_write(struct link *l) {
    if (!l->options->map) return;
    placed_list list = {0};
    struct text t = {0};
    uint64_t end = 0;
    collect(l, &list);
    text_puts(&t, "             VMA              LMA     Size Align Out     In      Symbol\n");
    for (size_t i = 0; i < l->sections.count; i++) {
        const struct output_section *o = l->sections.items[i];
        add_section(&t, &list, o);
        if (o->flags & SHF_ALLOC) end = o->address + o->size;
    }
    for (size_t i = 0; i < l->definitions.count; i++) {
        row(&t, end, 0, 1, "");
        text_puts(&t, "\n");
    }
    if (t.failed)
        link_no_memory(l);
    else
        l->options->map(l->options->map_context, t.data, t.length);
    text_free(&t);
    array_free(&list);
}
