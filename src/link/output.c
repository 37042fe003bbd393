// SPDX-License-Identifier: MIT
// Input sections to output sections: by name, with the well-known families (.text.f, .data.rel.ro.x) in one;
// and the order of output sections: read-only, code, data that is constant once relocated, data, what has no
// bytes.
#include <stdlib.h>
#include <string.h>

#include "link/link.h"

// ---- Gathering ----

static void common_place(struct link *l, struct link_symbol *s) {
    struct input_section *room = link_alloc(l, sizeof *room);
    if (!room || !link_push(l, &l->inputs, room)) return;
    *room = (struct input_section){.kind = SECTION_PLAIN,
                                   .own = OWN_COMMON,
                                   .file = s->file,
                                   .name = "COMMON",
                                   .type = SHT_NOBITS,
                                   .flags = SHF_ALLOC | SHF_WRITE,
                                   .alignment = s->value,
                                   .size = s->size,
                                   .live = true};
    s->kind = SYMBOL_DEFINED;
    s->section = room;
    s->value = 0;
}

void commons_place(struct link *l) {
    for (size_t n = 0; n < l->objects.count; n++) {
        struct object_file *f = l->objects.items[n];
        bool any = false;
        for (uint32_t i = f->first_global; i < f->symbol_count; i++)
            any |= f->table[i].section == HOME_COMMON;
        for (uint32_t i = f->first_global; any && i < f->symbol_count; i++)
            if (f->symbols[i]->kind == SYMBOL_COMMON) common_place(l, f->symbols[i]);
    }
}

static void add_comment(struct link *l) {
    struct text text = {0};
    if (l->options->comment)
        text_puts(&text, l->options->comment);
    else
        text_printf(&text, "Linker: softwave %s", sw_version());
    struct input_section *s = link_alloc(l, sizeof *s);
    char *copy = text.failed ? NULL : arena_copy(&l->arena, text.data ? text.data : "", text.length);
    if (s && copy && link_push(l, &l->inputs, s)) {
        *s = (struct input_section){.kind = SECTION_MERGED,
                                    .name = ".comment",
                                    .type = SHT_PROGBITS,
                                    .flags = SHF_MERGE | SHF_STRINGS,
                                    .alignment = 1,
                                    .entry_size = 1,
                                    .size = text.length + 1,
                                    .data = (const uint8_t *)copy,
                                    .live = true};
        pieces_split(l, s);
    } else
        link_no_memory(l);
    text_free(&text);
}

void sections_gather(struct link *l) {
    for (size_t n = 0; n < l->objects.count; n++) {
        struct object_file *f = l->objects.items[n];
        for (size_t i = 1; i < f->section_count; i++) {
            struct input_section *s = &f->sections[i];
            if (!section_in_output(s)) continue;
            if (l->options->strip && is_debug(s)) continue;
            // LLVM's tables of symbols by index and the like mean nothing in another object.
            if (l->options->relocatable && s->type >= SHT_LLVM_FIRST && s->type <= SHT_LLVM_LAST) continue;
            if (!link_push(l, &l->inputs, s)) return;
        }
    }
    if (!l->options->relocatable) add_comment(l);
}

// ---- Names ----

static bool is_family(const char *name, const char *of, size_t length) {
    return !strncmp(name, of, length) && (!name[length] || name[length] == '.');
}

static const char *output_name(const struct link *l, const struct input_section *s) {
    static const char *const families[] = {
        ".text",       ".data.rel.ro", ".data",    ".rodata", ".bss.rel.ro",
        ".bss",        ".ldata",       ".lrodata", ".lbss",   ".gcc_except_table",
        ".init_array", ".fini_array",  ".tbss",    ".tdata",  ".ctors",
        ".dtors"};
    if (s->own == OWN_COMMON) return ".bss";
    if (l->options->relocatable) return s->name;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (is_family(s->name, families[i], strlen(families[i]))) return families[i];
    return s->name;
}

// ---- Output sections ----

static struct output_section *output_for(struct link *l, const struct input_section *s) {
    const char *name = output_name(l, s);
    void *none = NULL;
    // What describes a section stays on its own as long as that may still go elsewhere.
    bool alone = l->options->relocatable && s->flags & SHF_LINK_ORDER;
    void **value = alone ? &none : name_table_at(&l->section_names, name, strlen(name));
    if (!value) {
        link_no_memory(l);
        return NULL;
    }
    if (*value) return *value;
    struct output_section *o = link_alloc(l, sizeof *o);
    if (!o || !link_push(l, &l->sections, o) || !link_push(l, &l->every_section, o)) return NULL;
    o->name = name;
    o->type = SHT_PROGBITS;
    o->alignment = 1;
    return *value = o;
}

static bool becomes_progbits(uint32_t type) {
    return type == SHT_NOBITS || type == SHT_PROGBITS || type == SHT_INIT_ARRAY ||
           type == SHT_PREINIT_ARRAY || type == SHT_FINI_ARRAY || type == SHT_NOTE;
}

static void commit(struct link *l, struct output_section *o, struct input_section *s) {
    if (o->type != s->type) {
        if (!o->has_inputs)
            o->type = s->type;
        else {
            if (!becomes_progbits(o->type) || !becomes_progbits(s->type))
                link_error(l, s->file, s->name,
                           "section type 0x%x does not go with type 0x%x of output section %s", s->type,
                           o->type, o->name);
            o->type = SHT_PROGBITS;
        }
    }
    if (!o->has_inputs) {
        o->entry_size = s->entry_size;
        o->flags = s->flags;
    } else if ((o->flags ^ s->flags) & SHF_TLS)
        link_error(l, s->file, s->name, "thread-local data does not go with output section %s", o->name);
    o->has_inputs = true;
    o->flags |= s->flags;
    if (s->alignment > o->alignment) o->alignment = s->alignment;
    if (o->entry_size != s->entry_size) o->entry_size = 0;
    s->out = o;
}

void output_create(struct link *l) {
    for (size_t i = 0; i < l->inputs.count && !l->no_memory; i++) {
        struct input_section *s = l->inputs.items[i];
        if (!s->live) continue;
        struct output_section *o = output_for(l, s);
        if (!o) return;
        if (s->flags & SHF_TLS && s->file)
            link_error(l, s->file, s->name, "GPU code has no thread-local storage");
        s->out = o;
        if (s->kind == SECTION_MERGED)
            merge_into(l, o, s);
        else
            link_push(l, &o->inputs, s);
    }
    for (size_t i = 0; i < l->sections.count; i++) {
        struct output_section *o = l->sections.items[i];
        for (size_t n = 0; n < o->inputs.count; n++) commit(l, o, o->inputs.items[n]);
    }
    merge_finish(l);
}

// ---- Order ----

struct keyed {
    void *item;
    uint64_t major, minor;
    size_t at;
};

static int by_key(const void *a, const void *b) {
    const struct keyed *x = a, *y = b;
    if (x->major != y->major) return x->major < y->major ? -1 : 1;
    if (x->minor != y->minor) return x->minor < y->minor ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

// Sorts pointers by the keys that key() gives, equal ones as they stood.
static void sort_stable(struct link *l, void **items, size_t count, void (*key)(struct keyed *k)) {
    struct keyed *all = calloc(count + 1, sizeof *all);
    if (!all) {
        link_no_memory(l);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        all[i] = (struct keyed){.item = items[i], .at = i};
        key(&all[i]);
    }
    qsort(all, count, sizeof *all, by_key);
    for (size_t i = 0; i < count; i++) items[i] = all[i].item;
    free(all);
}

// The number behind the last dot of ".init_array.100"; sections without one come last.
static uint64_t priority(const char *name) {
    enum { NONE = 65536 };
    const char *dot = strrchr(name, '.');
    uint64_t v = 0;
    if (!dot || !dot[1]) return NONE;
    for (const char *p = dot + 1; *p; p++) {
        if (*p < '0' || *p > '9' || v > NONE) return NONE;
        v = v * 10 + (uint64_t)(*p - '0');
    }
    return v;
}

static void key_init(struct keyed *k) { k->major = priority(((const struct input_section *)k->item)->name); }

// .ctors run from the end, and count down.
static void key_ctors(struct keyed *k) {
    uint64_t p = priority(((const struct input_section *)k->item)->name);
    k->major = p == 65536 ? 0 : 1 + (p > 65535 ? 65535 : p);
}

static bool is_relro(const struct link *l, const struct output_section *o) {
    static const char *const names[] = {
        ".got",      ".relro_padding", ".dynamic",    ".data.rel.ro", ".bss.rel.ro",    ".ctors", ".dtors",
        ".eh_frame", ".fini_array",    ".init_array", ".jcr",         ".preinit_array", ".toc"};
    if (l->options->no_relro || !(o->flags & SHF_ALLOC) || !(o->flags & SHF_WRITE)) return false;
    if (o->type == SHT_INIT_ARRAY || o->type == SHT_FINI_ARRAY || o->type == SHT_PREINIT_ARRAY) return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(o->name, names[i])) return true;
    return false;
}

enum {
    RANK_NOT_LOADED = 1 << 12,
    RANK_WRITE = 1 << 11,
    RANK_CODE_WRITE = 1 << 10,
    RANK_CODE = 1 << 9,
    RANK_CONSTANT = 1 << 8,
    RANK_NOT_RELRO = 1 << 7,
    RANK_NO_BYTES = 1 << 6,
    RANK_TABLE = 4,
    RANK_NOTE = 3,
    RANK_INTERPRETER = 2
};

static uint32_t rank_of(const struct output_section *o) {
    uint32_t rank = o->type == SHT_NOBITS ? RANK_NO_BYTES : 0;
    if (!(o->flags & SHF_ALLOC)) return RANK_NOT_LOADED;
    if (o->flags & SHF_EXECINSTR) return rank | (o->flags & SHF_WRITE ? RANK_CODE_WRITE : RANK_CODE);
    if (o->flags & SHF_WRITE) return rank | RANK_WRITE | (o->relro ? 0 : RANK_NOT_RELRO);
    if (!strcmp(o->name, ".interp")) return rank | RANK_INTERPRETER;
    return rank | (o->type == SHT_NOTE ? RANK_NOTE : o->type != SHT_PROGBITS ? RANK_TABLE : RANK_CONSTANT);
}

static void key_rank(struct keyed *k) { k->major = ((const struct output_section *)k->item)->rank; }

static void drop_unneeded(struct link *l) {
    for (size_t i = 0; i < l->sections.count; i++) {
        struct output_section *o = l->sections.items[i];
        size_t kept = 0;
        for (size_t n = 0; n < o->inputs.count; n++) {
            struct input_section *s = o->inputs.items[n];
            s->live = s->own == OWN_NOTHING || dynamic_needed(l, s->own);
            if (s->live) o->inputs.items[kept++] = s;
        }
        o->inputs.count = kept;
    }
}

// Leaves l->sections as the file has them, each with its index and name.
void output_sort(struct link *l) {
    drop_unneeded(l);
    for (size_t i = 0; i < l->sections.count; i++) {
        struct output_section *o = l->sections.items[i];
        void **inputs = (void **)o->inputs.items;
        if (!strcmp(o->name, ".init_array") || !strcmp(o->name, ".fini_array"))
            sort_stable(l, inputs, o->inputs.count, key_init);
        else if (!strcmp(o->name, ".ctors") || !strcmp(o->name, ".dtors"))
            sort_stable(l, inputs, o->inputs.count, key_ctors);
        o->relro = is_relro(l, o);
        o->rank = rank_of(o);
    }
    sort_stable(l, (void **)l->sections.items, l->sections.count, key_rank);
    size_t kept = 0;
    for (size_t i = 0; i < l->sections.count; i++) {
        struct output_section *o = l->sections.items[i];
        if (!o->inputs.count) continue;
        l->sections.items[kept++] = o;
        o->index = (uint32_t)kept;
        o->name_offset = string_add(l, &l->shstrtab, o->name, strlen(o->name));
    }
    l->sections.count = kept;
}

// Sections with SHF_LINK_ORDER stand in the order of those that they describe.
static void key_link(struct keyed *k) {
    const struct input_section *s = k->item;
    const struct input_section *of =
        s->flags & SHF_LINK_ORDER && s->link ? &s->file->sections[s->link] : NULL;
    k->major = of && of->out ? of->out->index : UINT64_MAX;
    k->minor = of ? of->place : 0;
}

void output_link_order(struct link *l) {
    for (size_t i = 0; i < l->sections.count; i++) {
        struct output_section *o = l->sections.items[i];
        if (!(o->flags & SHF_LINK_ORDER)) continue;
        for (size_t n = 0; n < o->inputs.count; n++) {
            const struct input_section *s = o->inputs.items[n];
            if (s->flags & SHF_LINK_ORDER && s->link && !s->file->sections[s->link].live)
                link_error(l, s->file, s->name, "the section %s, which it describes, is discarded",
                           s->file->sections[s->link].name);
        }
        sort_stable(l, (void **)o->inputs.items, o->inputs.count, key_link);
        const struct input_section *first = o->inputs.items[0];
        if (first->flags & SHF_LINK_ORDER && first->link && first->file->sections[first->link].out)
            o->link = first->file->sections[first->link].out->index;
    }
}
