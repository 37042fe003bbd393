// SPDX-License-Identifier: MIT
// Symbol tables and relocations: from the section headers, or through PT_DYNAMIC when an object was
// stripped of those. Leaves every symbol with a NUL-terminated name inside the file and a section index that
// exists, every relocation with a symbol that exists, and the linking table's defined symbols sorted by name.
#include "object/code/object.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"

sw_symbol_table object_linking_table(const struct sw_object *o) {
    return o->symbols[SW_SYMTAB].count ? SW_SYMTAB : SW_DYNSYM;
}

// ---- Symbols -------------------------------------------------------------------------------------------

// The extended section indices that belong to symbol table `section`, or NULL.
static const sw_section *extended_indices(const struct sw_object *o, uint32_t section) {
    for (size_t i = 1; section && i < o->section_count; i++)
        if (o->sections[i].type == SHT_SYMTAB_SHNDX && o->sections[i].link == section) return &o->sections[i];
    return NULL;
}

sw_status object_symbols_in(struct sw_object *o, const sw_sink *sink, uint64_t offset, uint64_t count,
                            uint64_t strings, uint64_t strings_size, uint32_t section, const char *within,
                            struct symbols *out) {
    const sw_section *extended = extended_indices(o, section);
    out->section = section;
    if (!count) return SW_OK;
    if (!(out->items = arena_alloc(&o->arena, count * sizeof *out->items))) return object_no_memory(o, sink);
    uint64_t budget = 16 * strings_size + 65536; // names may share tails, within reason
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = offset + i * sizeof(Elf64_Sym);
        Elf64_Sym s;
        memcpy(&s, o->bytes + at, sizeof s);
        const char *name = "";
        if (s.st_name) {
            if (s.st_name >= strings_size)
                return object_bad(o, sink, at, within, "name of symbol %llu lies outside its string table",
                                  (unsigned long long)i);
            name = (const char *)o->bytes + strings + s.st_name;
            const char *end = memchr(name, 0, strings_size - s.st_name);
            if (!end)
                return object_bad(o, sink, at, within, "name of symbol %llu runs past its string table",
                                  (unsigned long long)i);
            if ((uint64_t)(end - name) > budget)
                return object_bad(o, sink, at, within, "the symbol names share text to an absurd degree");
            budget -= (uint64_t)(end - name);
        }
        uint32_t index = s.st_shndx;
        if (index == SHN_XINDEX) {
            if (!extended || !in_range(i * 4, 4, extended->size))
                return object_bad(o, sink, at, within, "symbol '%s' has no extended section index", name);
            index = rd32(extended->data + i * 4);
        }
        bool special = s.st_shndx != SHN_XINDEX && index >= SHN_LORESERVE;
        if (!special && o->section_count && index >= o->section_count)
            return object_bad(o, sink, at, within, "symbol '%s' is in section %u of %zu", name, index,
                              o->section_count);
        out->items[i] = (sw_symbol){.name = name,
                                    .value = s.st_value,
                                    .size = s.st_size,
                                    .section = index,
                                    .type = ELF64_ST_TYPE(s.st_info),
                                    .binding = ELF64_ST_BIND(s.st_info),
                                    .visibility = ELF64_ST_VISIBILITY(s.st_other)};
    }
    out->count = count;
    return SW_OK;
}

sw_status object_read_symbols(struct sw_object *o, const sw_sink *sink) {
    bool found[2] = {false, false};
    for (uint32_t i = 1; i < o->section_count; i++) {
        const sw_section *s = &o->sections[i];
        if (s->type != SHT_SYMTAB && s->type != SHT_DYNSYM) continue;
        sw_symbol_table table = s->type == SHT_SYMTAB ? SW_SYMTAB : SW_DYNSYM;
        if (found[table])
            return object_bad(o, sink, s->offset, s->name, "a second symbol table of this kind");
        found[table] = true;
        if (s->entry_size != sizeof(Elf64_Sym))
            return object_bad(o, sink, s->offset, s->name, "entry size is %llu, expected 24",
                              (unsigned long long)s->entry_size);
        if (s->link >= o->section_count || o->sections[s->link].type != SHT_STRTAB)
            return object_bad(o, sink, s->offset, s->name, "section %u is not its string table", s->link);
        const sw_section *t = &o->sections[s->link];
        sw_status status = object_symbols_in(o, sink, s->offset, s->size / sizeof(Elf64_Sym), t->offset,
                                             t->size, i, s->name, &o->symbols[table]);
        if (status) return status;
    }
    return SW_OK;
}

// ---- Relocations ---------------------------------------------------------------------------------------

typedef ARRAY(sw_relocation) relocations;

sw_status object_relocations_in(struct sw_object *o, const sw_sink *sink, uint64_t offset, uint64_t size,
                                bool rela, sw_symbol_table table, uint32_t section, const char *within) {
    uint64_t each = rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel), count = size / each;
    sw_relocation *r = o->relocations + o->relocation_count;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = offset + i * each, info = rd64(o->bytes + at + 8);
        r[i] = (sw_relocation){.offset = rd64(o->bytes + at),
                               .type = ELF64_R_TYPE(info),
                               .symbol = ELF64_R_SYM(info),
                               .table = table,
                               .section = section,
                               .addend = rela ? (int64_t)rd64(o->bytes + at + 16) : 0,
                               .implicit_addend = !rela};
        if (r[i].symbol && r[i].symbol >= o->symbols[table].count)
            return object_bad(o, sink, at, within, "relocation %llu uses symbol %u of %zu",
                              (unsigned long long)i, r[i].symbol, o->symbols[table].count);
    }
    o->relocation_count += count;
    return SW_OK;
}

static bool is_relocation_section(const sw_section *s) { return s->type == SHT_RELA || s->type == SHT_REL; }

sw_status object_read_relocations(struct sw_object *o, const sw_sink *sink) {
    uint64_t total = 0, count = 0;
    for (size_t i = 1; i < o->section_count; i++) {
        const sw_section *s = &o->sections[i];
        if (!is_relocation_section(s)) continue;
        uint64_t each = s->type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
        if (s->entry_size != each)
            return object_bad(o, sink, s->offset, s->name, "entry size is %llu, expected %llu",
                              (unsigned long long)s->entry_size, (unsigned long long)each);
        if ((total += s->size) > o->size)
            return object_bad(o, sink, s->offset, s->name, "the relocation sections overlap");
        count += s->size / each;
    }
    if (!count) return SW_OK;
    if (!(o->relocations = arena_alloc(&o->arena, count * sizeof *o->relocations)))
        return object_no_memory(o, sink);
    for (size_t i = 1; i < o->section_count; i++) {
        const sw_section *s = &o->sections[i];
        if (!is_relocation_section(s)) continue;
        // Dynamic relocations hold addresses; all others offsets in, or addresses of, section sh_info.
        uint32_t section = !o->header.relocatable && (s->flags & SHF_ALLOC) ? 0 : s->info;
        sw_symbol_table table = s->link && s->link == o->symbols[SW_DYNSYM].section ? SW_DYNSYM : SW_SYMTAB;
        if (s->link && s->link != o->symbols[table].section)
            return object_bad(o, sink, s->offset, s->name, "section %u is not its symbol table", s->link);
        if (section >= o->section_count || (o->header.relocatable && !section))
            return object_bad(o, sink, s->offset, s->name, "it applies to section %u of %zu", section,
                              o->section_count);
        sw_status status =
            object_relocations_in(o, sink, s->offset, s->size, s->type == SHT_RELA, table, section, s->name);
        if (status) return status;
    }
    return SW_OK;
}

// ---- Names ---------------------------------------------------------------------------------------------

static bool is_defined(const sw_symbol *s) {
    return s->section != SHN_UNDEF && s->name[0] && s->type != STT_SECTION && s->type != STT_FILE;
}

static int by_name(const void *a, const void *b, void *context) {
    const sw_symbol *items = context, *x = &items[*(const uint32_t *)a], *y = &items[*(const uint32_t *)b];
    int order = strcmp(x->name, y->name);
    if (order) return order;
    bool local_x = x->binding == STB_LOCAL, local_y = y->binding == STB_LOCAL;
    if (local_x != local_y) return local_x - local_y;
    return x < y ? -1 : x > y;
}

static sw_status sort_names(struct sw_object *o, const sw_sink *sink) {
    struct symbols *t = &o->symbols[object_linking_table(o)];
    if (t->count > UINT32_MAX) return object_bad(o, sink, 0, "symbols", "too many symbols");
    if (!t->count) return SW_OK;
    if (!(o->by_name = arena_alloc(&o->arena, t->count * sizeof *o->by_name)))
        return object_no_memory(o, sink);
    for (uint32_t i = 0; i < t->count; i++)
        if (is_defined(&t->items[i])) o->by_name[o->by_name_count++] = i;
    qsort_r(o->by_name, o->by_name_count, sizeof *o->by_name, by_name, t->items);
    return SW_OK;
}

const sw_symbol *sw_object_find_symbol(const sw_object *o, const char *name) {
    const sw_symbol *items = o->symbols[object_linking_table(o)].items;
    const size_t at = SORTED_PREFIX(o->by_name_count, i, strcmp(items[o->by_name[i]].name, name) < 0);
    if (at == o->by_name_count || strcmp(items[o->by_name[at]].name, name)) return NULL;
    return &items[o->by_name[at]];
}

// ---- Without section headers ---------------------------------------------------------------------------

// PT_DYNAMIC's own addresses; the symbol count is that of the hash table (DT_HASH), which the linker writes
// for these objects.
sw_status object_read_dynamic(struct sw_object *o, const sw_sink *sink) {
    const sw_segment *dynamic = NULL;
    for (size_t i = 0; i < o->segment_count && !dynamic; i++)
        if (o->segments[i].type == PT_DYNAMIC) dynamic = &o->segments[i];
    if (!dynamic) return SW_OK;
    enum { HASH, SYMTAB, STRTAB, STRSZ, RELA, RELASZ, REL, RELSZ, TAGS };
    static const int64_t tags[TAGS] = {DT_HASH, DT_SYMTAB, DT_STRTAB, DT_STRSZ,
                                       DT_RELA, DT_RELASZ, DT_REL,    DT_RELSZ};
    uint64_t value[TAGS] = {0};
    for (uint64_t i = 0; i + 16 <= dynamic->file_size; i += 16) {
        int64_t tag = (int64_t)rd64(o->bytes + dynamic->offset + i);
        if (tag == DT_NULL) break;
        for (int t = 0; t < TAGS; t++)
            if (tags[t] == tag) value[t] = rd64(o->bytes + dynamic->offset + i + 8);
    }
    const char *within = "dynamic segment";
    uint64_t hash, symbols, strings, count = 0;
    if (value[SYMTAB] && value[HASH]) {
        if (!object_file_offset(o, value[HASH], 8, &hash))
            return object_bad(o, sink, dynamic->offset, within, "DT_HASH lies outside the loaded segments");
        count = rd32(o->bytes + hash + 4);
        if (!object_file_offset(o, value[SYMTAB], count * sizeof(Elf64_Sym), &symbols) ||
            !object_file_offset(o, value[STRTAB], value[STRSZ], &strings))
            return object_bad(o, sink, dynamic->offset, within,
                              "DT_SYMTAB or DT_STRTAB lies outside the loaded segments");
        sw_status s = object_symbols_in(o, sink, symbols, count, strings, value[STRSZ], 0, within,
                                        &o->symbols[SW_DYNSYM]);
        if (s) return s;
    }
    uint64_t room = value[RELASZ] / sizeof(Elf64_Rela) + value[RELSZ] / sizeof(Elf64_Rel), at;
    if (!room) return SW_OK;
    if (room > o->size / 8) return object_bad(o, sink, dynamic->offset, within, "too many relocations");
    if (!(o->relocations = arena_alloc(&o->arena, room * sizeof *o->relocations)))
        return object_no_memory(o, sink);
    for (int rela = 0; rela < 2; rela++) {
        uint64_t size = value[rela ? RELASZ : RELSZ];
        if (!size) continue;
        if (!object_file_offset(o, value[rela ? RELA : REL], size, &at))
            return object_bad(o, sink, dynamic->offset, within,
                              "the relocations lie outside the loaded segments");
        sw_status s = object_relocations_in(o, sink, at, size, rela, SW_DYNSYM, 0, within);
        if (s) return s;
    }
    return SW_OK;
}

sw_status object_read_tables(struct sw_object *o, const sw_sink *sink) {
    sw_status s = object_read_symbols(o, sink);
    if (!s) s = object_read_relocations(o, sink);
    if (!s && !o->section_count) s = object_read_dynamic(o, sink);
    if (!s) s = sort_names(o, sink);
    return s;
}
