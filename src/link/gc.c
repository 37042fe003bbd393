// SPDX-License-Identifier: MIT
// --gc-sections: what can be reached from exported symbols, the entry point, -u names and sections that
// loaders call on their own stays alive; the rest leaves the output. Kernel descriptors are exported, and
// through them their kernels live.
#include <stdlib.h>
#include <string.h>

#include "link/link.h"

enum { SHF_GNU_RETAIN_FLAG = 1 << 21 }; // newer than some <elf.h>

struct named {
    struct input_section *section;
    struct named *next;
};

struct marker {
    struct link *l;
    ARRAY(struct input_section *) queue;
    struct name_table named; // struct named: sections whose names are C identifiers
};

static void reach(struct marker *m, struct input_section *s, uint64_t offset) {
    if (!s || !section_in_output(s)) return;
    if (s->kind == SECTION_MERGED) {
        struct piece *p = piece_at(s, offset);
        if (p) p->live = 1;
    }
    if (s->live) return;
    s->live = true;
    if (s->kind == SECTION_PLAIN) link_push(m->l, &m->queue, s);
}

static void reach_symbol(struct marker *m, const struct link_symbol *s) {
    if (s && s->kind == SYMBOL_DEFINED) reach(m, s->section, s->value);
}

static void reach_by_relocation(struct marker *m, const struct input_section *from, const sw_relocation *r) {
    struct link_symbol *s = from->file->symbols[r->symbol];
    s->used = true;
    if (s->kind == SYMBOL_DEFINED) {
        reach(m, s->section, s->value + (s->type == STT_SECTION ? (uint64_t)r->addend : 0));
        return;
    }
    size_t prefix = !strncmp(s->name, "__start_", 8) ? 8 : !strncmp(s->name, "__stop_", 7) ? 7 : 0;
    if (!prefix || !m->named.size) return;
    void **list = name_table_at(&m->named, s->name + prefix, s->name_length - prefix);
    if (!list) return;
    for (struct named *n = *list; n; n = n->next) reach(m, n->section, 0);
    *list = NULL;
}

static void run(struct marker *m) {
    while (m->queue.count && !m->l->no_memory) {
        struct input_section *s = m->queue.items[--m->queue.count];
        for (size_t i = 0; i < s->relocation_count; i++)
            if (s->relocations[i].symbol) reach_by_relocation(m, s, &s->relocations[i]);
        for (struct input_section *d = s->dependents; d; d = d->next_dependent) reach(m, d, 0);
        if (s->next_in_group) reach(m, s->next_in_group, 0);
    }
}

static bool starts(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

// Sections that run or are read without anyone naming them.
static bool is_root(const struct input_section *s) {
    if (s->type == SHT_INIT_ARRAY || s->type == SHT_FINI_ARRAY || s->type == SHT_PREINIT_ARRAY) return true;
    if (s->type == SHT_NOTE) return !s->next_in_group;
    return !strcmp(s->name, ".init") || !strcmp(s->name, ".fini") || starts(s->name, ".init_array") ||
           starts(s->name, ".ctors") || starts(s->name, ".dtors");
}

static void remember_name(struct marker *m, struct input_section *s) {
    void **list = name_table_at(&m->named, s->name, strlen(s->name));
    struct named *n = link_alloc(m->l, sizeof *n);
    if (!list || !n) {
        link_no_memory(m->l);
        return;
    }
    *n = (struct named){s, *list};
    *list = n;
}

static void reach_roots(struct marker *m) {
    struct link *l = m->l;
    for (size_t i = 0; i < l->symbols.count; i++)
        if (symbol_exported(l, l->symbols.items[i])) reach_symbol(m, l->symbols.items[i]);
    const char *const names[] = {l->options->entry, l->options->init, l->options->fini};
    for (size_t i = 0; i < 3; i++) reach_symbol(m, global_find(l, names[i], strlen(names[i])));
    for (size_t i = 0; i < l->options->undefined_count; i++)
        reach_symbol(m, global_find(l, l->options->undefined[i], strlen(l->options->undefined[i])));
    for (size_t i = 0; i < l->inputs.count; i++) {
        struct input_section *s = l->inputs.items[i];
        if (!s->file) continue;
        if (s->flags & SHF_GNU_RETAIN_FLAG) {
            reach(m, s, 0);
            continue;
        }
        if (s->flags & SHF_LINK_ORDER) continue;
        if (!(s->flags & SHF_ALLOC) && !s->next_in_group) {
            s->live = true; // nothing refers to debug information, and it is wanted all the same
            for (struct input_section *d = s->dependents; d; d = d->next_dependent) d->live = true;
        }
        if (is_root(s))
            reach(m, s, 0);
        else if ((l->options->keep_named_sections || starts(s->name, "__libc_")) && is_c_name(s->name))
            remember_name(m, s);
    }
}

void sections_collect(struct link *l) {
    if (!l->options->gc_sections) return;
    for (size_t i = 0; i < l->inputs.count; i++) l->inputs.items[i]->live = !l->inputs.items[i]->file;
    struct marker m = {.l = l};
    reach_roots(&m);
    run(&m);
    array_free(&m.queue);
    free(m.named.entries);
    for (size_t i = 0; l->options->print_gc_sections && i < l->inputs.count; i++) {
        const struct input_section *s = l->inputs.items[i];
        sw_location at = {.file = s->file ? s->file->name : NULL, .within = s->name};
        if (!s->live) diag_note(l->sink, &at, "unused section removed");
    }
}
