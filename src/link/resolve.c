// SPDX-License-Identifier: MIT
// Names to symbols. Files are taken in the order given; an archive's member is taken when it defines what is
// undefined by then, and again later files may ask for members of earlier archives. A member that is taken is
// resolved at once, before the rest of the file that asked for it: definitions first, then what it asks for.
// That order decides which of several definitions wins and how the output's symbols are sorted.
#include <string.h>

#include "link/link.h"

// ---- Which of two wins ----

static void merge_visibility(struct link_symbol *s, unsigned other) {
    unsigned mine = visibility_of(s);
    if (other == STV_DEFAULT) return;
    if (mine == STV_DEFAULT || other < mine) s->other = (uint8_t)((s->other & ~3) | other);
}

static void overwrite(struct link_symbol *s, enum symbol_kind kind, struct object_file *f,
                      const sw_symbol *e) {
    s->kind = kind;
    s->file = f;
    s->type = e ? e->type : STT_NOTYPE;
    s->binding = e ? e->binding : STB_GLOBAL;
}

static void set_definition(struct link_symbol *s, enum symbol_kind kind, struct object_file *f,
                           const sw_symbol *e) {
    overwrite(s, kind, f, e);
    s->value = e->value;
    s->size = e->size;
    s->section = NULL; // found once the file's sections are known
    s->lds = e->section == HOME_LDS;
}

static void resolve_defined(struct link *l, struct link_symbol *s, struct object_file *f,
                            const sw_symbol *e) {
    s->exported |= l->shared || l->options->export_dynamic;
    merge_visibility(s, e->visibility);
    // One LDS variable may be declared with its size in many files, like a common symbol.
    if (s->kind == SYMBOL_DEFINED && s->lds && e->section == HOME_LDS) {
        if (e->size > s->size) s->size = e->size;
        if (e->value > s->value) s->value = e->value;
        return;
    }
    bool wins = s->kind == SYMBOL_COMMON    ? e->binding != STB_WEAK
                : s->kind != SYMBOL_DEFINED ? true
                                            : s->binding != STB_GLOBAL && e->binding == STB_GLOBAL;
    if (wins) set_definition(s, SYMBOL_DEFINED, f, e);
}

static void resolve_common(struct link *l, struct link_symbol *s, struct object_file *f, const sw_symbol *e) {
    s->exported |= l->shared || l->options->export_dynamic;
    merge_visibility(s, e->visibility);
    if (s->kind == SYMBOL_DEFINED && s->binding != STB_WEAK) return;
    if (s->kind != SYMBOL_COMMON) {
        set_definition(s, SYMBOL_COMMON, f, e);
        return;
    }
    if (e->value > s->value) s->value = e->value;
    if (e->size > s->size) s->size = e->size, s->file = f;
}

// The archive member to take, or NULL.
static struct object_file *resolve_undefined(struct link_symbol *s, struct object_file *f,
                                             const sw_symbol *e) {
    merge_visibility(s, e->visibility);
    if (s->kind == SYMBOL_NEW)
        overwrite(s, SYMBOL_UNDEFINED, f, e);
    else if (s->kind == SYMBOL_LAZY) {
        if (e->binding != STB_WEAK) return s->file;
        s->binding = STB_WEAK; // does not ask for the member, but does not mind it either
        s->type = e->type;
    } else if (s->kind == SYMBOL_UNDEFINED && (e->binding != STB_WEAK || !s->referenced))
        s->binding = e->binding; // weak only when every reference is
    return NULL;
}

static struct object_file *resolve_lazy(struct link_symbol *s, struct object_file *f, const sw_symbol *e) {
    if (s->kind == SYMBOL_NEW) {
        overwrite(s, SYMBOL_LAZY, f, NULL);
        return NULL;
    }
    if (s->kind == SYMBOL_COMMON && e->section != HOME_COMMON && e->type != STT_FUNC) {
        overwrite(s, SYMBOL_LAZY, f, NULL);
        return f;
    }
    if (s->kind != SYMBOL_UNDEFINED) return NULL;
    if (s->binding != STB_WEAK) return f;
    uint8_t type = s->type;
    overwrite(s, SYMBOL_LAZY, f, NULL);
    s->type = type;
    s->binding = STB_WEAK;
    return NULL;
}

// ---- Files ----

struct frame {
    struct object_file *file;
    uint32_t next; // undefined symbol to look at
};
typedef ARRAY(struct frame) frames;

static struct link_symbol *symbol_of(struct link *l, struct object_file *f, uint32_t i) {
    if (!f->symbols[i]) f->symbols[i] = global_insert(l, f->table[i].name, strlen(f->table[i].name));
    return f->symbols[i];
}

static bool is_undefined(const sw_symbol *e) { return e->section == SHN_UNDEF; }

static void define(struct link *l, struct object_file *f, uint32_t i) {
    const sw_symbol *e = &f->table[i];
    struct link_symbol *s = f->symbols[i];
    s->in_regular = true;
    if (e->section != HOME_COMMON) {
        resolve_defined(l, s, f, e);
        return;
    }
    if (!e->value || e->value & (e->value - 1) || e->value > UINT32_MAX)
        link_error(l, f, s->name, "%llu is no alignment of a common symbol", (unsigned long long)e->value);
    else
        resolve_common(l, s, f, e);
}

// Takes a file: its groups and definitions now, what it asks for as the frames are worked off.
static void take(struct link *l, struct object_file *f, frames *stack) {
    if (!object_file_take(l, f) || !link_push(l, &l->objects, f)) return;
    for (uint32_t i = f->first_global; i < f->symbol_count; i++)
        if (!symbol_of(l, f, i)) return;
    for (uint32_t i = f->first_global; i < f->symbol_count; i++)
        if (!is_undefined(&f->table[i])) define(l, f, i);
    link_push(l, stack, (struct frame){f, f->first_global});
}

static void work_off(struct link *l, frames *stack) {
    while (stack->count && !l->no_memory) {
        struct frame *top = &stack->items[stack->count - 1];
        struct object_file *f = top->file, *wanted = NULL;
        while (top->next < f->symbol_count && !wanted) {
            uint32_t i = top->next++;
            if (!is_undefined(&f->table[i])) continue;
            struct link_symbol *s = f->symbols[i];
            wanted = resolve_undefined(s, f, &f->table[i]);
            s->in_regular = s->referenced = true;
        }
        if (wanted && wanted->lazy)
            take(l, wanted, stack);
        else if (!wanted)
            stack->count--;
    }
}

static void take_now(struct link *l, struct object_file *f) {
    frames stack = {0};
    take(l, f, &stack);
    work_off(l, &stack);
    array_free(&stack);
}

static void offer(struct link *l, struct object_file *f) {
    f->lazy = true;
    for (uint32_t i = f->first_global; i < f->symbol_count && f->lazy && !l->no_memory; i++) {
        if (f->table[i].section == SHN_UNDEF) continue;
        struct link_symbol *s = symbol_of(l, f, i);
        struct object_file *wanted = s ? resolve_lazy(s, f, &f->table[i]) : NULL;
        if (wanted) take_now(l, wanted);
    }
}

static void add_file(struct link *l, const char *name, const uint8_t *bytes, size_t length, void *context) {
    const bool *lazy = context;
    struct object_file *f = object_file_open(l, name, bytes, length);
    if (!f) return;
    if (*lazy)
        offer(l, f);
    else
        take_now(l, f);
}

void resolve_inputs(struct link *l, const sw_link_input *inputs, size_t count) {
    for (size_t i = 0; i < l->options->undefined_count; i++) {
        const char *name = l->options->undefined[i];
        struct link_symbol *s = global_insert(l, name, strlen(name));
        if (!s) return;
        if (s->kind == SYMBOL_NEW) overwrite(s, SYMBOL_UNDEFINED, NULL, NULL);
        s->referenced = true;
    }
    for (size_t i = 0; i < count && !l->no_memory; i++) {
        const sw_link_input *in = &inputs[i];
        bool lazy = is_archive(in->bytes, in->length) ? !in->whole_archive : in->lazy;
        if (is_archive(in->bytes, in->length))
            archive_members(l, in, add_file, &lazy);
        else
            add_file(l, in->name, in->bytes, in->length, &lazy);
    }
    definitions_read(l);
    for (size_t i = 0; i < l->definitions.count; i++)
        for (size_t t = 0; t < l->definitions.items[i].term_count; t++) {
            struct link_symbol *s = l->definitions.items[i].terms[t].symbol;
            if (s->kind == SYMBOL_NEW) overwrite(s, SYMBOL_UNDEFINED, NULL, NULL);
            s->referenced = s->in_regular = true;
            if (s->kind == SYMBOL_LAZY) take_now(l, s->file);
        }
    struct link_symbol *entry = global_find(l, l->options->entry, strlen(l->options->entry));
    if (!entry) return;
    entry->in_regular = true;
    if (entry->kind == SYMBOL_LAZY) take_now(l, entry->file);
}

// ---- Where definitions are ----

static void report_duplicate(struct link *l, const struct link_symbol *s, const struct object_file *f,
                             const struct input_section *section, uint64_t value) {
    if (l->options->allow_duplicates) return;
    if (!s->section && !section && s->value == value && value) return; // the same number twice
    link_error(l, f, NULL, "duplicate symbol: %s, first defined in %s", s->name, s->file->name);
}

// One definition of a file: gives the symbol its section, or finds that another file defines it too.
static bool settle(struct link *l, struct object_file *f, uint32_t i, bool *lost) {
    const sw_symbol *e = &f->table[i];
    struct link_symbol *s = f->symbols[i];
    if (e->binding != STB_GLOBAL && e->binding != STB_WEAK && e->binding != STB_GNU_UNIQUE)
        link_error(l, f, e->name, "symbol %u has binding %u", i, e->binding);
    if (e->type == STT_GNU_IFUNC || e->type == STT_TLS)
        link_error(l, f, e->name, "GPU code has neither indirect functions nor thread-local data");
    if (s->kind != SYMBOL_DEFINED || e->section == SHN_UNDEF || e->section == HOME_COMMON) return false;
    uint32_t index = e->section;
    struct input_section *section = index < f->section_count ? &f->sections[index] : NULL;
    if (section && section->kind == SECTION_DISCARDED) {
        *lost = s->file == f;
        s->discarded = index;
        return *lost;
    }
    if (section && section->kind == SECTION_NONE) section = NULL;
    if (s->file == f) {
        s->section = section;
        return false;
    }
    if (s->lds && e->section == HOME_LDS) return false;
    if (s->binding != STB_WEAK && e->binding != STB_WEAK) report_duplicate(l, s, f, section, e->value);
    return false;
}

void resolve_duplicates(struct link *l) {
    ARRAY(struct link_symbol *) lost = {0};
    for (size_t n = 0; n < l->objects.count; n++) {
        struct object_file *f = l->objects.items[n];
        for (uint32_t i = f->first_global; i < f->symbol_count && !l->no_memory; i++) {
            bool is_lost = false;
            if (settle(l, f, i, &is_lost)) link_push(l, &lost, f->symbols[i]);
        }
    }
    for (size_t i = 0; i < lost.count; i++) lost.items[i]->kind = SYMBOL_UNDEFINED;
    array_free(&lost);
}
