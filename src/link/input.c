// SPDX-License-Identifier: MIT
// One relocatable object as the linker takes it: which of its sections go to the output and how, its section
// groups, its local symbols. Reading and checking of the ELF tables is src/object's.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "link/link.h"
#include "object/code/compressed.h"

static bool groups_select(struct link *l, struct object_file *f);

// ---- Opening ----

static bool is_bitcode(const uint8_t *p, size_t n) {
    return n >= 4 && (!memcmp(p, "BC\xc0\xde", 4) || !memcmp(p, "\xde\xc0\x17\x0b", 4));
}

static bool may_be_linked(struct link *l, const char *name, const uint8_t *bytes, size_t length) {
    struct object_file self = {.name = name};
    if (is_bitcode(bytes, length)) {
        link_unsupported(l, name, "LLVM bitcode; compile it to an object first");
        return false;
    }
    if (length < 20 || memcmp(bytes, ELFMAG, SELFMAG)) {
        link_error(l, &self, NULL, "neither an ELF object nor an archive");
        return false;
    }
    if (rd16(bytes + 18) == EM_AMDGPU && rd16(bytes + 16) == ET_DYN) {
        link_unsupported(l, name, "a shared object as input; code objects cannot need others");
        return false;
    }
    if (rd16(bytes + 18) == EM_AMDGPU && rd16(bytes + 16) != ET_REL) {
        link_error(l, &self, NULL, "not a relocatable object");
        return false;
    }
    return true;
}

// Tells special section indices from those of real sections, of which there can be more than 65280.
static bool find_table(struct link *l, struct object_file *f) {
    struct symbols *t = &f->object->symbols[SW_SYMTAB];
    f->symbol_count = (uint32_t)t->count;
    f->table = t->items;
    if (!t->count) return true;
    const sw_section *s = &f->object->sections[t->section];
    for (size_t i = 0; i < t->count; i++) {
        uint16_t home = rd16(s->data + i * sizeof(Elf64_Sym) + offsetof(Elf64_Sym, st_shndx));
        if (home >= SHN_LORESERVE && home != SHN_XINDEX) t->items[i].section = HOME_SPECIAL | home;
    }
    f->first_global = s->info;
    if (f->first_global && f->first_global <= t->count) return true;
    link_error(l, f, ".symtab", "%u local symbols of %zu", f->first_global, t->count);
    return false;
}

// Counts what reading has reported.
static bool check_read(struct link *l, sw_status status) {
    if (!status) return true;
    l->errors++;
    if (status == SW_UNSUPPORTED) l->unsupported = true;
    if (status == SW_NO_MEMORY) l->no_memory = true;
    return false;
}

// The object with its sections and symbols, or NULL when an error was reported.
struct object_file *object_file_open(struct link *l, const char *name, const uint8_t *bytes, size_t length) {
    if (!may_be_linked(l, name, bytes, length)) return NULL;
    struct object_file *f = link_alloc(l, sizeof *f);
    if (!f || !link_push(l, &l->all, f)) return NULL;
    f->name = name ? name : "input";
    sw_object_options options = {.size = sizeof options, .name = f->name};
    if (!check_read(l, object_open_names(bytes, length, &options, &f->object, l->sink))) return NULL;
    f->section_count = f->object->section_count;
    if (!find_table(l, f)) return NULL;
    f->symbols = link_alloc(l, (f->symbol_count + 1ull) * sizeof *f->symbols);
    return f->symbols ? f : NULL;
}

bool object_file_take(struct link *l, struct object_file *f) {
    f->lazy = false;
    f->sections = link_alloc(l, (f->section_count + 1) * sizeof *f->sections);
    return f->sections && check_read(l, object_read_for_link(f->object, l->sink)) && groups_select(l, f);
}

// ---- Section groups ----

// The words of a group: its flag, then section indices. NULL when malformed.
static const uint8_t *group_words(struct link *l, const struct object_file *f, const sw_section *s,
                                  size_t *count) {
    *count = s->size / 4;
    if (!s->data || !*count || s->size % 4 || s->info >= f->symbol_count || rd32(s->data) > GRP_COMDAT) {
        link_error(l, f, s->name, "a malformed section group");
        return NULL;
    }
    for (size_t i = 1; i < *count; i++)
        if (rd32(s->data + 4 * i) >= f->section_count || !rd32(s->data + 4 * i)) {
            link_error(l, f, s->name, "the group names section %u of %zu", rd32(s->data + 4 * i),
                       f->section_count);
            return NULL;
        }
    return s->data;
}

// The first file with a COMDAT group of a name keeps it; the sections of all others' are discarded.
static bool groups_select(struct link *l, struct object_file *f) {
    for (size_t i = 1; i < f->section_count; i++) {
        const sw_section *s = &f->object->sections[i];
        if (s->type != SHT_GROUP) continue;
        size_t count;
        const uint8_t *words = group_words(l, f, s, &count);
        if (!words) return false;
        if (!(rd32(words) & GRP_COMDAT)) continue;
        const char *signature = f->table[s->info].name;
        void **owner = name_table_at(&l->groups, signature, strlen(signature));
        if (!owner) {
            link_no_memory(l);
            return false;
        }
        if (!*owner) {
            *owner = f;
            f->sections[i].live = true; // this very group is kept
            continue;
        }
        for (size_t n = 1; n < count; n++) f->sections[rd32(words + 4 * n)].kind = SECTION_DISCARDED;
    }
    return true;
}

// Members of a kept group that holds memory live and die together.
static void group_connect(struct object_file *f, const uint8_t *words, size_t count) {
    bool any = false;
    for (size_t i = 1; i < count; i++) {
        const struct input_section *s = &f->sections[rd32(words + 4 * i)];
        any |= section_in_output(s) && (s->flags & SHF_ALLOC);
    }
    struct input_section *head = NULL, *previous = NULL;
    for (size_t i = 1; any && i < count; i++) {
        struct input_section *s = &f->sections[rd32(words + 4 * i)];
        if (!section_in_output(s) || s->next_in_group) continue;
        if (previous) previous->next_in_group = s;
        if (!head) head = s;
        previous = s;
        s->next_in_group = head;
    }
}

// ---- Sections ----

static bool known_type(const sw_section *s) {
    if (s->type >= SHT_LOPROC && s->type <= SHT_HIPROC) return true;
    if (s->type >= SHT_LOUSER && s->type <= SHT_HIUSER) return !(s->flags & SHF_ALLOC);
    if (s->type >= SHT_LOOS && s->type <= SHT_HIOS) return !(s->flags & SHF_OS_NONCONFORMING);
    return s->type == SHT_PROGBITS || s->type == SHT_NOTE || s->type == SHT_NOBITS ||
           s->type == SHT_INIT_ARRAY || s->type == SHT_FINI_ARRAY || s->type == SHT_PREINIT_ARRAY;
}

static bool is_table(uint32_t type) {
    return type == SHT_NULL || type == SHT_SYMTAB || type == SHT_STRTAB || type == SHT_REL ||
           type == SHT_RELA || type == SHT_SYMTAB_SHNDX;
}

static bool is_dropped(const sw_section *s) {
    static const char *const names[] = {".note.GNU-stack", ".note.gnu.property", ".note.GNU-split-stack",
                                        ".note.GNU-no-split-stack", ".note.gnu.build-id"};
    if (s->flags & SHF_EXCLUDE) return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(s->name, names[i])) return true;
    return false;
}

// Replaces the bytes of a compressed section by what they were.
static void expand(struct link *l, struct input_section *s) {
    struct elf_compressed c;
    const char *problem = elf_compressed_read(s->data, s->size, &c);
    if (!problem && c.size > l->budget) problem = "so much compressed data exceeds what linking may take";
    if (!problem) {
        l->budget -= c.size;
        uint8_t *plain = link_alloc(l, c.size);
        if (!plain) return;
        problem = elf_compressed_expand(&c, plain);
        s->data = plain;
        s->size = c.size;
        s->alignment = c.alignment;
    }
    if (problem) link_error(l, s->file, s->name, "%s", problem);
}

static void create_section(struct link *l, struct object_file *f, size_t i) {
    const sw_section *from = &f->object->sections[i];
    struct input_section *s = &f->sections[i];
    if (s->kind == SECTION_DISCARDED || is_table(from->type)) return;
    if (is_dropped(from) || from->type == SHT_GROUP) {
        s->kind = SECTION_DISCARDED;
        return;
    }
    if (!known_type(from)) link_error(l, f, from->name, "section type 0x%x is not known", from->type);
    *s =
        (struct input_section){.kind = SECTION_PLAIN,
                               .file = f,
                               .name = from->name,
                               .type = from->type,
                               .link = from->link,
                               .flags = from->flags & ~(uint64_t)(SHF_GROUP | SHF_INFO_LINK | SHF_COMPRESSED),
                               .alignment = from->alignment ? from->alignment : 1,
                               .entry_size = from->entry_size,
                               .size = from->size,
                               .data = from->data,
                               .live = true};
    if (from->flags & SHF_COMPRESSED) expand(l, s);
    if (section_mergeable(l, s)) s->kind = SECTION_MERGED;
}

// Relocations of the whole object stand in the order of the sections that hold them.
static void attach_relocations(struct link *l, struct object_file *f) {
    size_t at = 0;
    for (size_t i = 1; i < f->section_count; i++) {
        const sw_section *from = &f->object->sections[i];
        if (from->type != SHT_RELA && from->type != SHT_REL) continue;
        size_t count = from->size / (from->type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel));
        struct input_section *s = &f->sections[from->info];
        if (section_in_output(s)) {
            if (s->has_relocation_section)
                link_error(l, f, s->name, "more than one section with relocations");
            s->has_relocation_section = true;
            s->kind = SECTION_PLAIN; // its contents are not known yet, so they are not compared
            s->relocations = count ? f->object->relocations + at : NULL;
            s->relocation_count = count;
        } else if (s->kind == SECTION_NONE)
            link_error(l, f, from->name, "relocations of section %u, which holds no contents", from->info);
        at += count;
    }
}

static void attach_dependents(struct link *l, struct object_file *f) {
    for (size_t i = 1; i < f->section_count; i++) {
        struct input_section *s = &f->sections[i];
        if (!section_in_output(s) || !s->link || !(s->flags & SHF_LINK_ORDER)) continue;
        struct input_section *of = s->link < f->section_count ? &f->sections[s->link] : NULL;
        if (!of || of->kind == SECTION_NONE || s->kind != SECTION_PLAIN || of == s)
            link_error(l, f, s->name, "section %u, which it describes, does not exist", s->link);
        else if (of->kind == SECTION_DISCARDED)
            s->kind = SECTION_DISCARDED;
        else {
            s->next_dependent = of->dependents;
            of->dependents = s;
        }
    }
}

void object_file_sections(struct link *l, struct object_file *f) {
    bool *kept = calloc(f->section_count + 1, sizeof *kept);
    if (!kept) {
        link_no_memory(l);
        return;
    }
    for (size_t i = 1; i < f->section_count; i++) {
        const sw_section *from = &f->object->sections[i];
        kept[i] = from->type == SHT_GROUP && from->data && from->size >= 4 &&
                  (f->sections[i].live || !(rd32(from->data) & GRP_COMDAT));
        f->sections[i].live = false;
        create_section(l, f, i);
    }
    attach_relocations(l, f);
    attach_dependents(l, f);
    for (size_t i = 1; i < f->section_count; i++)
        if (kept[i]) group_connect(f, f->object->sections[i].data, f->object->sections[i].size / 4);
    free(kept);
    for (size_t i = 1; i < f->section_count; i++)
        if (f->sections[i].kind == SECTION_MERGED) pieces_split(l, &f->sections[i]);
}

// ---- Local symbols ----

void object_file_locals(struct link *l, struct object_file *f) {
    if (!f->symbol_count) return;
    struct link_symbol *locals = link_alloc(l, f->first_global * sizeof *locals);
    for (uint32_t i = 0; locals && i < f->first_global; i++) {
        const sw_symbol *e = &f->table[i];
        struct link_symbol *s = f->symbols[i] = &locals[i];
        if (e->binding != STB_LOCAL) link_error(l, f, ".symtab", "symbol %u is not local", i);
        if (e->type == STT_GNU_IFUNC || e->type == STT_TLS)
            link_error(l, f, e->name, "GPU code has neither indirect functions nor thread-local data");
        struct input_section *section = NULL;
        if (e->section && e->section < f->section_count) section = &f->sections[e->section];
        *s = (struct link_symbol){.name = e->name,
                                  .name_length = (uint32_t)strlen(e->name),
                                  .file = f,
                                  .section = section,
                                  .value = e->value,
                                  .size = e->size,
                                  .kind = SYMBOL_DEFINED,
                                  .type = e->type,
                                  .binding = STB_LOCAL,
                                  .other = e->visibility,
                                  .in_regular = true,
                                  .lds = e->section == HOME_LDS};
        if (e->section == SHN_UNDEF || (section && section->kind == SECTION_DISCARDED)) {
            s->kind = SYMBOL_UNDEFINED;
            s->section = NULL;
            s->discarded = e->section;
        } else if (section && section->kind == SECTION_NONE)
            s->section = NULL;
    }
}
