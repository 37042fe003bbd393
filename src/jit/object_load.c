// SPDX-License-Identifier: MIT
// Relocatable objects of x86-64 to memory. What cannot be believed is refused: they may come from a file.
#include "jit/object_load.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

struct object {
    const uint8_t *data;
    size_t size;
    const Elf64_Shdr *sections;
    unsigned count;
    const Elf64_Sym *symbols;
    size_t symbol_count;
    const char *names;
    size_t names_size;
};

static bool inside(const struct object *o, uint64_t offset, uint64_t size) {
    return offset <= o->size && size <= o->size - offset && !(offset & 7);
}

static bool open_object(struct object *o, const uint8_t *data, size_t size) {
    *o = (struct object){.data = data, .size = size};
    if (size < sizeof(Elf64_Ehdr)) return false;
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)data;
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_machine != EM_X86_64 || h->e_type != ET_REL ||
        h->e_shentsize != sizeof(Elf64_Shdr))
        return false;
    o->count = h->e_shnum;
    if (!inside(o, h->e_shoff, o->count * sizeof(Elf64_Shdr))) return false;
    o->sections = (const Elf64_Shdr *)(data + h->e_shoff);
    for (unsigned i = 0; i < o->count; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type == SHT_NOBITS || s->sh_type == SHT_NULL) continue;
        if (s->sh_offset > size || s->sh_size > size - s->sh_offset) return false;
        if (s->sh_type != SHT_SYMTAB) continue;
        if (s->sh_link >= o->count || !inside(o, s->sh_offset, s->sh_size)) return false;
        o->symbols = (const Elf64_Sym *)(data + s->sh_offset);
        o->symbol_count = s->sh_size / sizeof(Elf64_Sym);
        const Elf64_Shdr *names = &o->sections[s->sh_link];
        if (names->sh_offset > size || names->sh_size > size - names->sh_offset || !names->sh_size)
            return false;
        o->names = (const char *)data + names->sh_offset;
        o->names_size = names->sh_size;
        if (o->names[o->names_size - 1]) return false;
    }
    return o->symbols != NULL;
}

static bool is_loaded(const Elf64_Shdr *s) {
    return s->sh_flags & SHF_ALLOC && s->sh_type == SHT_PROGBITS && s->sh_size;
}
enum { ALIGN = 64 };

static size_t place_of(const struct object *o, unsigned section) {
    size_t at = 0;
    for (unsigned i = 0; i < section; i++)
        if (is_loaded(&o->sections[i])) at += (o->sections[i].sh_size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    return at;
}

size_t compiled_size(const uint8_t *object, size_t size) {
    struct object o;
    if (!open_object(&o, object, size)) return 0;
    for (unsigned i = 0; i < o.count; i++)
        if (is_loaded(&o.sections[i]) && o.sections[i].sh_addralign > ALIGN) return 0;
    return place_of(&o, o.count);
}

static bool is_named(const struct object *o, const Elf64_Sym *s, const char *name) {
    return s->st_name < o->names_size && !strcmp(o->names + s->st_name, name);
}

// Where everything goes to; `places` of all sections, as relocations may be as many as sections, or more.
struct target {
    uint8_t *to;
    uint64_t base;
    const char *table_name;
    uint64_t table;
    size_t *places;
};

static bool relocate(const struct object *o, const Elf64_Shdr *of, const Elf64_Rela *r,
                     const struct target *t) {
    const size_t number = ELF64_R_SYM(r->r_info);
    const unsigned type = ELF64_R_TYPE(r->r_info), bytes = type == R_X86_64_64 ? 8 : 4;
    if (number >= o->symbol_count || r->r_offset > of->sh_size || bytes > of->sh_size - r->r_offset)
        return false;
    const Elf64_Sym *s = &o->symbols[number];
    uint64_t v;
    if (s->st_shndx == SHN_UNDEF) {
        if (!is_named(o, s, t->table_name)) return false;
        v = t->table;
    } else {
        if (s->st_shndx >= o->count || !is_loaded(&o->sections[s->st_shndx])) return false;
        v = t->base + t->places[s->st_shndx] + s->st_value;
    }
    const size_t at = t->places[of - o->sections] + r->r_offset;
    v += (uint64_t)r->r_addend;
    if (type == R_X86_64_64) {
        memcpy(t->to + at, &v, 8);
        return true;
    }
    if (type != R_X86_64_PC32 && type != R_X86_64_PLT32) return false;
    const int64_t distance = (int64_t)(v - (t->base + at));
    const int32_t narrow = (int32_t)distance;
    memcpy(t->to + at, &narrow, 4);
    return distance == narrow;
}

static bool find_function(const struct object *o, const char *function, size_t *start) {
    for (size_t i = 0; i < o->symbol_count; i++) {
        const Elf64_Sym *s = &o->symbols[i];
        if (s->st_shndx == SHN_UNDEF || s->st_shndx >= o->count || !is_named(o, s, function)) continue;
        if (!is_loaded(&o->sections[s->st_shndx]) || s->st_value >= o->sections[s->st_shndx].sh_size)
            return false;
        *start = place_of(o, s->st_shndx) + s->st_value;
        return true;
    }
    return false;
}

// The sections' bytes, and where they are.
static void put_sections(const struct object *o, const struct target *t) {
    size_t at = 0;
    for (unsigned i = 0; i < o->count; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        t->places[i] = at;
        if (!is_loaded(s)) continue;
        memcpy(t->to + at, o->data + s->sh_offset, s->sh_size);
        at += (s->sh_size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    }
}

static bool relocate_all(const struct object *o, const struct target *t) {
    for (unsigned i = 0; i < o->count; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_RELA || s->sh_info >= o->count || !is_loaded(&o->sections[s->sh_info]))
            continue;
        if (!inside(o, s->sh_offset, s->sh_size)) return false;
        const Elf64_Rela *r = (const Elf64_Rela *)(o->data + s->sh_offset);
        for (size_t k = 0; k < s->sh_size / sizeof *r; k++)
            if (!relocate(o, &o->sections[s->sh_info], &r[k], t)) return false;
    }
    return true;
}

bool compiled_place(const uint8_t *object, size_t size, uint8_t *to, uint64_t base, const char *function,
                    const char *table_name, uint64_t table, size_t *start) {
    struct object o;
    if (!open_object(&o, object, size)) return false;
    struct target t = {to, base, table_name, table, malloc(o.count * sizeof(size_t))};
    if (!t.places) return false;
    put_sections(&o, &t);
    const bool placed = relocate_all(&o, &t);
    free(t.places);
    return placed && find_function(&o, function, start);
}

bool compiled_find(const uint8_t *object, size_t size, const char *function, size_t *start) {
    struct object o;
    return open_object(&o, object, size) && find_function(&o, function, start);
}
