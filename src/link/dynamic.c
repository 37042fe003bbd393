// SPDX-License-Identifier: MIT
// The linker's own sections: symbol and string tables, hash tables, .dynamic, .rela.dyn, .got.
#include <stdlib.h>
#include <string.h>

#include "link/link.h"

enum { TAG_GNU_HASH = 0x6ffffef5, GNU_HASH_SHIFT = 26 };

// ---- Which, and in which order ----

static void create(struct link *l, enum own_section own, const char *name, uint32_t type, uint64_t flags,
                   uint64_t alignment, uint64_t entry_size) {
    l->own[own] = (struct input_section){.kind = SECTION_PLAIN,
                                         .own = own,
                                         .name = name,
                                         .type = type,
                                         .flags = flags,
                                         .alignment = alignment,
                                         .entry_size = entry_size,
                                         .live = true};
    link_push(l, &l->inputs, &l->own[own]);
}

void dynamic_create(struct link *l) {
    const sw_link_options *o = l->options;
    if (o->build_id) create(l, OWN_BUILD_ID, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 4, 0);
    create(l, OWN_DYNSYM, ".dynsym", SHT_DYNSYM, SHF_ALLOC, 8, sizeof(Elf64_Sym));
    if (o->hash != SW_HASH_SYSV) create(l, OWN_GNU_HASH, ".gnu.hash", SHT_GNU_HASH, SHF_ALLOC, 8, 0);
    if (o->hash != SW_HASH_GNU) create(l, OWN_HASH, ".hash", SHT_HASH, SHF_ALLOC, 4, 4);
    create(l, OWN_DYNAMIC, ".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, 8, sizeof(Elf64_Dyn));
    create(l, OWN_DYNSTR, ".dynstr", SHT_STRTAB, SHF_ALLOC, 1, 0);
    create(l, OWN_RELA_DYN, ".rela.dyn", SHT_RELA, SHF_ALLOC, 8, sizeof(Elf64_Rela));
    create(l, OWN_GOT, ".got", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 8, 0);
    if (!o->no_relro) create(l, OWN_RELRO_PADDING, ".relro_padding", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 1, 0);
    if (o->strip != SW_STRIP_ALL) {
        create(l, OWN_SYMTAB, ".symtab", SHT_SYMTAB, 0, 8, sizeof(Elf64_Sym));
        create(l, OWN_SYMTAB_SHNDX, ".symtab_shndx", SHT_SYMTAB_SHNDX, 0, 4, 4);
    }
    create(l, OWN_SHSTRTAB, ".shstrtab", SHT_STRTAB, 0, 1, 0);
    if (o->strip != SW_STRIP_ALL) create(l, OWN_STRTAB, ".strtab", SHT_STRTAB, 0, 1, 0);
    string_add(l, &l->strtab, "", 0);
    string_add(l, &l->dynstr, "", 0);
    string_add(l, &l->shstrtab, "", 0);
}

// ---- Symbols ----

static bool keep_local(const struct link *l, const struct link_symbol *s) {
    if (s->kind != SYMBOL_DEFINED || s->type == STT_SECTION) return false;
    if (s->section && s->section->kind == SECTION_MERGED) {
        const struct piece *p = piece_at(s->section, s->value);
        if (!p || !p->live) return false;
    }
    if (l->options->discard == SW_DISCARD_NONE) return true;
    if (l->options->discard == SW_DISCARD_ALL) return false;
    bool temporary = s->name[0] == '.' && s->name[1] == 'L';
    return !temporary ||
           !(l->options->discard == SW_DISCARD_LOCALS || (s->section && (s->section->flags & SHF_MERGE)));
}

static bool keep_global(const struct link *l, const struct link_symbol *s) {
    if (!s->in_regular) return false;
    if (s->kind != SYMBOL_DEFINED) return s->used || !l->options->gc_sections;
    if (!s->section || s->section->kind != SECTION_MERGED) return true;
    const struct piece *p = piece_at(s->section, s->value);
    return p && p->live;
}

// Local symbols stand by file, in the order in which the files first have one.
static void group_locals(struct link *l, struct table_entry *entries, size_t count) {
    size_t files = l->objects.count, *start = calloc(files + 2, sizeof *start);
    struct table_entry *sorted = malloc((count + 1) * sizeof *sorted);
    if (start && sorted) {
        // Files in order of their first local symbol; the linker's own come last, as they are met last.
        size_t *rank = calloc(files + 1, sizeof *rank), ranks = 0;
        for (size_t i = 0; rank && i < count; i++) {
            size_t f = entries[i].symbol->file ? entries[i].symbol->file->order : files;
            if (!rank[f]) rank[f] = ++ranks;
            start[rank[f]]++;
        }
        if (!rank) link_no_memory(l);
        for (size_t i = 1; i <= files + 1; i++) start[i] += start[i - 1];
        for (size_t i = 0; rank && i < count; i++) {
            size_t f = entries[i].symbol->file ? entries[i].symbol->file->order : files;
            sorted[start[rank[f] - 1]++] = entries[i];
        }
        if (rank) memcpy(entries, sorted, count * sizeof *sorted);
        free(rank);
    } else
        link_no_memory(l);
    free(start);
    free(sorted);
}

static void add_entry(struct link *l, struct link_symbol *s) {
    if (l->options->strip == SW_STRIP_ALL) return;
    uint32_t name = string_add(l, &l->strtab, s->name, s->name_length);
    link_push(l, &l->symtab, (struct table_entry){.symbol = s, .name = name});
}

void dynamic_fill_symbols(struct link *l) {
    for (size_t n = 0; n < l->objects.count; n++) {
        struct object_file *f = l->objects.items[n];
        f->order = n;
        for (uint32_t i = 1; i < f->first_global; i++)
            if (keep_local(l, f->symbols[i])) add_entry(l, f->symbols[i]);
    }
    for (size_t i = 0; i < l->symbols.count; i++) {
        struct link_symbol *s = l->symbols.items[i];
        if (!keep_global(l, s)) continue;
        bool exported = symbol_exported(l, s);
        s->binding = (uint8_t)symbol_binding(s);
        add_entry(l, s);
        if (exported)
            link_push(l, &l->dynsym,
                      (struct table_entry){.symbol = s,
                                           .name = string_add(l, &l->dynstr, s->name, s->name_length)});
    }
    struct table_entry *sorted = malloc((l->symtab.count + 1) * sizeof *sorted);
    if (!sorted) {
        link_no_memory(l);
        return;
    }
    for (size_t pass = 0, at = 0; pass < 2; pass++) {
        for (size_t i = 0; i < l->symtab.count; i++)
            if ((l->symtab.items[i].symbol->binding == STB_LOCAL) == !pass) sorted[at++] = l->symtab.items[i];
        if (!pass) l->symtab_locals = at;
    }
    if (l->symtab.count) memcpy(l->symtab.items, sorted, l->symtab.count * sizeof *sorted);
    free(sorted);
    if (l->symtab_locals) group_locals(l, l->symtab.items, l->symtab_locals);
}

// ---- Hash tables ----

static uint32_t gnu_hash(const char *name) {
    uint32_t h = 5381;
    for (; *name; name++) h = h * 33 + (uint8_t)*name;
    return h;
}

static uint32_t sysv_hash(const char *name) {
    uint32_t h = 0;
    for (; *name; name++) {
        h = (h << 4) + (uint8_t)*name;
        uint32_t g = h & 0xf0000000;
        h ^= g >> 24;
        h &= ~g;
    }
    return h;
}

static int by_bucket(const void *a, const void *b) {
    const struct table_entry *x = a, *y = b;
    if (x->bucket != y->bucket) return x->bucket < y->bucket ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

// .gnu.hash wants undefined symbols first and the others by bucket.
static void sort_dynsym(struct link *l) {
    size_t undefined = 0, count = l->dynsym.count;
    struct table_entry *all = l->dynsym.items, *sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted) {
        link_no_memory(l);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (all[i].symbol->kind != SYMBOL_DEFINED) sorted[undefined++] = all[i];
    size_t at = undefined;
    for (size_t i = 0; i < count; i++)
        if (all[i].symbol->kind == SYMBOL_DEFINED) sorted[at++] = all[i];
    if (count) memcpy(all, sorted, count * sizeof *sorted);
    free(sorted);
    size_t hashed = count - undefined;
    l->first_hashed = undefined;
    l->gnu_buckets = hashed / 4 ? (uint32_t)(hashed / 4) : 1;
    uint64_t words = hashed * 12 / 64; // 12 bits a symbol, in a power of two of words
    for (l->gnu_mask_words = 1; hashed && l->gnu_mask_words <= words;) l->gnu_mask_words *= 2;
    for (size_t i = undefined; i < count; i++) {
        all[i].hash = gnu_hash(all[i].symbol->name);
        all[i].bucket = all[i].hash % l->gnu_buckets;
    }
    if (hashed) qsort(all + undefined, hashed, sizeof *all, by_bucket);
}

// ---- Sizes ----

static void relocations_sort(struct link *l) {
    size_t relative = 0;
    for (size_t i = 0; i < l->relocations.count; i++)
        relative += l->relocations.items[i].type == R_AMDGPU_RELATIVE64;
    l->relative_count = relative;
}

static size_t dynamic_tags(const struct link *l, Elf64_Dyn *tags);

void dynamic_finish(struct link *l) {
    static const enum own_section links[][2] = {{OWN_DYNSYM, OWN_DYNSTR},      {OWN_GNU_HASH, OWN_DYNSYM},
                                                {OWN_HASH, OWN_DYNSYM},        {OWN_DYNAMIC, OWN_DYNSTR},
                                                {OWN_RELA_DYN, OWN_DYNSYM},    {OWN_SYMTAB, OWN_STRTAB},
                                                {OWN_SYMTAB_SHNDX, OWN_SYMTAB}};
    if (l->options->hash != SW_HASH_SYSV) sort_dynsym(l);
    for (size_t i = 0; i < l->dynsym.count; i++) l->dynsym.items[i].symbol->dynsym = (uint32_t)i + 1;
    relocations_sort(l);
    if (l->options->soname && *l->options->soname)
        l->soname = string_add(l, &l->dynstr, l->options->soname, strlen(l->options->soname));
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (l->own[links[i][0]].out && l->own[links[i][1]].out)
            l->own[links[i][0]].out->link = l->own[links[i][1]].out->index;
    l->own[OWN_DYNSYM].out->info = 1;
    if (l->own[OWN_SYMTAB].out) l->own[OWN_SYMTAB].out->info = (uint32_t)l->symtab_locals + 1;
    size_t hashed = l->dynsym.count - l->first_hashed, id = 0;
    switch (l->options->build_id) {
    case SW_BUILD_ID_8: id = 8; break;
    case SW_BUILD_ID_16: id = 16; break;
    case SW_BUILD_ID_20: id = 20; break;
    case SW_BUILD_ID_GIVEN: id = l->options->build_id_size; break;
    default: break;
    }
    l->own[OWN_BUILD_ID].size = 16 + id;
    l->own[OWN_DYNSYM].size = (l->dynsym.count + 1) * sizeof(Elf64_Sym);
    l->own[OWN_GNU_HASH].size = 16 + 8ull * l->gnu_mask_words + 4ull * l->gnu_buckets + 4 * hashed;
    l->own[OWN_HASH].size = 8 + 8 * (l->dynsym.count + 1);
    l->own[OWN_DYNAMIC].size = dynamic_tags(l, NULL) * sizeof(Elf64_Dyn);
    l->own[OWN_DYNSTR].size = l->dynstr.text.length;
    l->own[OWN_RELA_DYN].size = l->relocations.count * sizeof(Elf64_Rela);
    l->own[OWN_GOT].size = 8 * l->got.count;
    l->own[OWN_SYMTAB].size = (l->symtab.count + 1) * sizeof(Elf64_Sym);
    l->own[OWN_SYMTAB_SHNDX].size = (l->symtab.count + 1) * 4;
    l->own[OWN_SHSTRTAB].size = l->shstrtab.text.length;
    l->own[OWN_STRTAB].size = l->strtab.text.length;
}

// ---- Contents ----

struct tag_list {
    Elf64_Dyn *tags; // NULL: count only
    size_t count;
};

static void add_tag(struct tag_list *t, int64_t tag, uint64_t value) {
    if (t->tags) t->tags[t->count] = (Elf64_Dyn){.d_tag = tag, .d_un.d_val = value};
    t->count++;
}

static void add_array(const struct link *l, struct tag_list *t, const char *name, int64_t tag,
                      int64_t size_tag) {
    const struct output_section *o = output_find(l, name);
    if (!o) return;
    add_tag(t, tag, o->address);
    add_tag(t, size_tag, o->size);
}

static void add_function(const struct link *l, struct tag_list *t, const char *name, int64_t tag) {
    const struct link_symbol *s = global_find(l, name, strlen(name));
    if (s && s->kind == SYMBOL_DEFINED) add_tag(t, tag, symbol_address(s, 0));
}

static uint64_t own_address(const struct link *l, enum own_section own) {
    const struct input_section *s = &l->own[own];
    return s->out ? s->out->address + s->place : 0;
}

static size_t dynamic_tags(const struct link *l, Elf64_Dyn *tags) {
    struct tag_list t = {tags, 0};
    const sw_link_options *o = l->options;
    if (l->soname) add_tag(&t, DT_SONAME, l->soname);
    uint64_t flags = (o->symbolic == SW_SYMBOLIC_ALL ? DF_SYMBOLIC : 0) |
                     (o->text_relocations ? DF_TEXTREL : 0) | (o->bind_now ? DF_BIND_NOW : 0);
    uint64_t flags_1 = (o->pie ? DF_1_PIE : 0) | (o->bind_now ? DF_1_NOW : 0);
    if (flags) add_tag(&t, DT_FLAGS, flags);
    if (flags_1) add_tag(&t, DT_FLAGS_1, flags_1);
    if (o->pie) add_tag(&t, DT_DEBUG, 0);
    if (l->relocations.count) {
        add_tag(&t, DT_RELA, own_address(l, OWN_RELA_DYN));
        add_tag(&t, DT_RELASZ, l->own[OWN_RELA_DYN].size);
        add_tag(&t, DT_RELAENT, sizeof(Elf64_Rela));
        if (l->relative_count) add_tag(&t, DT_RELACOUNT, l->relative_count);
    }
    add_tag(&t, DT_SYMTAB, own_address(l, OWN_DYNSYM));
    add_tag(&t, DT_SYMENT, sizeof(Elf64_Sym));
    add_tag(&t, DT_STRTAB, own_address(l, OWN_DYNSTR));
    add_tag(&t, DT_STRSZ, l->own[OWN_DYNSTR].size);
    if (o->text_relocations) add_tag(&t, DT_TEXTREL, 0);
    if (o->hash != SW_HASH_SYSV) add_tag(&t, TAG_GNU_HASH, own_address(l, OWN_GNU_HASH));
    if (o->hash != SW_HASH_GNU) add_tag(&t, DT_HASH, own_address(l, OWN_HASH));
    add_array(l, &t, ".preinit_array", DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ);
    add_array(l, &t, ".init_array", DT_INIT_ARRAY, DT_INIT_ARRAYSZ);
    add_array(l, &t, ".fini_array", DT_FINI_ARRAY, DT_FINI_ARRAYSZ);
    add_function(l, &t, o->init, DT_INIT);
    add_function(l, &t, o->fini, DT_FINI);
    add_tag(&t, DT_NULL, 0);
    return t.count;
}

static uint8_t *own_bytes(const struct link *l, enum own_section own) {
    const struct input_section *s = &l->own[own];
    return s->out && s->live && s->size ? l->image + s->out->offset + s->place : NULL;
}

static const struct output_section *home_of(const struct link_symbol *s) {
    return s->nowhere ? NULL : s->section ? s->section->out : s->out;
}

static void write_symbols(const struct link *l, enum own_section own, const struct table_entry *entries,
                          size_t count) {
    uint8_t *at = own_bytes(l, own), *extended = NULL;
    if (!at) return;
    if (own == OWN_SYMTAB) extended = own_bytes(l, OWN_SYMTAB_SHNDX);
    for (size_t i = 0; i < count; i++) {
        const struct link_symbol *s = entries[i].symbol;
        const struct output_section *o = s->kind == SYMBOL_DEFINED ? home_of(s) : NULL;
        uint32_t index = s->kind != SYMBOL_DEFINED ? SHN_UNDEF : o ? o->index : SHN_ABS;
        bool large = o && index >= SHN_LORESERVE;
        Elf64_Sym e = {.st_name = entries[i].name,
                       .st_info = ELF64_ST_INFO(s->binding, s->type),
                       .st_other = s->other,
                       .st_shndx = (uint16_t)(large ? SHN_XINDEX : index),
                       .st_value = s->kind == SYMBOL_DEFINED ? symbol_address(s, 0) : 0,
                       .st_size = s->kind == SYMBOL_DEFINED ? s->size : 0};
        memcpy(at + (i + 1) * sizeof e, &e, sizeof e);
        if (extended && large) wr32(extended + 4 * (i + 1), index);
    }
}

static void write_gnu_hash(const struct link *l) {
    uint8_t *at = own_bytes(l, OWN_GNU_HASH);
    if (!at) return;
    size_t count = l->dynsym.count, hashed = count - l->first_hashed;
    wr32(at, l->gnu_buckets);
    wr32(at + 4, (uint32_t)l->first_hashed + 1);
    wr32(at + 8, l->gnu_mask_words);
    wr32(at + 12, GNU_HASH_SHIFT);
    uint8_t *filter = at + 16, *buckets = filter + 8ull * l->gnu_mask_words,
            *values = buckets + 4ull * l->gnu_buckets;
    for (size_t i = 0; i < hashed; i++) {
        const struct table_entry *e = &l->dynsym.items[l->first_hashed + i];
        uint8_t *word = filter + 8ull * ((e->hash / 64) & (l->gnu_mask_words - 1));
        wr64(word, rd64(word) | 1ull << (e->hash % 64) | 1ull << ((e->hash >> GNU_HASH_SHIFT) % 64));
        bool last = i + 1 == hashed || e[1].bucket != e->bucket;
        wr32(values + 4 * i, last ? e->hash | 1 : e->hash & ~1u);
        if (!i || e[-1].bucket != e->bucket)
            wr32(buckets + 4ull * e->bucket, (uint32_t)(l->first_hashed + i) + 1);
    }
}

static void write_hash(const struct link *l) {
    uint8_t *at = own_bytes(l, OWN_HASH);
    if (!at) return;
    uint32_t count = (uint32_t)l->dynsym.count + 1;
    wr32(at, count);
    wr32(at + 4, count);
    uint8_t *buckets = at + 8, *chains = buckets + 4ull * count;
    for (uint32_t i = 1; i < count; i++) {
        uint8_t *bucket = buckets + 4ull * (sysv_hash(l->dynsym.items[i - 1].symbol->name) % count);
        wr32(chains + 4ull * i, rd32(bucket));
        wr32(bucket, i);
    }
}

// Relative ones first, by address; then by symbol.
static int by_place(const void *a, const void *b) {
    const struct dynamic_relocation *x = a, *y = b;
    bool rx = x->type == R_AMDGPU_RELATIVE64, ry = y->type == R_AMDGPU_RELATIVE64;
    if (rx != ry) return ry - rx;
    if (x->index != y->index) return x->index < y->index ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

static void write_relocations(struct link *l) {
    uint8_t *at = own_bytes(l, OWN_RELA_DYN);
    if (!at) return;
    for (size_t i = 0; i < l->relocations.count; i++) {
        struct dynamic_relocation *r = &l->relocations.items[i];
        bool relative = r->type == R_AMDGPU_RELATIVE64;
        r->address = r->section->out->address + r->section->place + r->offset;
        r->index = relative ? 0 : r->symbol->dynsym;
        r->value = relative ? symbol_address(r->symbol, r->addend) : (uint64_t)r->addend;
    }
    qsort(l->relocations.items, l->relocations.count, sizeof *l->relocations.items, by_place);
    for (size_t i = 0; i < l->relocations.count; i++, at += sizeof(Elf64_Rela)) {
        const struct dynamic_relocation *r = &l->relocations.items[i];
        wr64(at, r->address);
        wr64(at + 8, ELF64_R_INFO((uint64_t)r->index, r->type));
        wr64(at + 16, r->value);
    }
}

static void write_strings(const struct link *l, enum own_section own, const struct string_table *t) {
    uint8_t *at = own_bytes(l, own);
    if (at) memcpy(at, t->text.data, t->text.length);
}

void dynamic_write(struct link *l) {
    write_symbols(l, OWN_DYNSYM, l->dynsym.items, l->dynsym.count);
    write_symbols(l, OWN_SYMTAB, l->symtab.items, l->symtab.count);
    write_gnu_hash(l);
    write_hash(l);
    write_relocations(l);
    uint8_t *tags = own_bytes(l, OWN_DYNAMIC);
    Elf64_Dyn list[32];
    if (tags) memcpy(tags, list, dynamic_tags(l, list) * sizeof *list);
    write_strings(l, OWN_DYNSTR, &l->dynstr);
    write_strings(l, OWN_SHSTRTAB, &l->shstrtab);
    write_strings(l, OWN_STRTAB, &l->strtab);
}
