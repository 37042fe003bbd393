// SPDX-License-Identifier: MIT
// What is known of sections and symbols once the steps that decide it are done.
#include <string.h>

#include "link/link.h"

// ---- Sections ----

bool section_in_output(const struct input_section *s) {
    return s->kind == SECTION_PLAIN || s->kind == SECTION_MERGED;
}

bool is_debug(const struct input_section *s) {
    return !(s->flags & SHF_ALLOC) && !strncmp(s->name, ".debug", 6);
}

bool is_c_name(const char *name) {
    if (!*name || (*name >= '0' && *name <= '9')) return false;
    for (; *name; name++)
        if (!(*name == '_' || (*name >= '0' && *name <= '9') || ((*name | 32) >= 'a' && (*name | 32) <= 'z')))
            return false;
    return true;
}

struct output_section *output_find(const struct link *l, const char *name) {
    struct output_section *o = name_table_get(&l->section_names, name, strlen(name));
    return o && o->inputs.count ? o : NULL;
}

bool dynamic_needed(const struct link *l, enum own_section own) {
    switch (own) {
    case OWN_RELA_DYN: return l->relocations.count;
    case OWN_GOT: return l->got.count;
    case OWN_SYMTAB_SHNDX: return l->sections.count >= SHN_LORESERVE;
    default: return true;
    }
}

struct piece *piece_at(const struct input_section *s, uint64_t offset) {
    if (!s->piece_count) return NULL;
    size_t low = 0, high = s->piece_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->pieces[middle].offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return &s->pieces[low];
}

uint64_t input_address(const struct input_section *s, uint64_t offset) {
    if (s->kind == SECTION_MERGED) {
        const struct piece *p = piece_at(s, offset);
        if (!p || !s->group) return 0;
        const struct input_section *g = &s->group->section;
        return g->out->address + g->place + p->place + (offset - p->offset);
    }
    return s->out ? s->out->address + s->place + offset : offset; // stripped: as if at 0
}

// ---- Symbols ----

// As the output has it: what is hidden is local there.
unsigned symbol_binding(const struct link_symbol *s) {
    unsigned v = visibility_of(s);
    return (v != STV_DEFAULT && v != STV_PROTECTED) || s->version_local ? STB_LOCAL : s->binding;
}

// Whether the symbol is in .dynsym.
bool symbol_exported(const struct link *l, const struct link_symbol *s) {
    if (symbol_binding(s) == STB_LOCAL) return false;
    // What is undefined and protected has to be found in this very object, and what a program does not define
    // is 0, so no loader is asked for either.
    if (s->kind != SYMBOL_DEFINED && s->kind != SYMBOL_COMMON)
        return l->shared && visibility_of(s) == STV_DEFAULT;
    return s->exported || s->in_dynamic_list;
}

uint64_t symbol_address(const struct link_symbol *s, int64_t addend) {
    uint64_t a = (uint64_t)addend;
    if (s->kind != SYMBOL_DEFINED) return a;
    if (s->section) {
        // Through its section's symbol a reference names a piece of a merged section by the addend.
        if (s->type == STT_SECTION) return input_address(s->section, s->value + a);
        return input_address(s->section, s->value) + a;
    }
    if (!s->out) return s->value + a;
    return s->out->address + (s->at_end ? s->out->size : s->value) + a;
}
