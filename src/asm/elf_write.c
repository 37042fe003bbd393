// SPDX-License-Identifier: MIT
// The relocatable object: sections in the order of their first use, each followed by its relocations in the
// section table; symbols in the order in which they were met, local ones first; one string table for all
// names, in which a name that ends another shares its bytes. Equal to what LLVM writes, byte for byte.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "asm/unit.h"
#include "base/bytes.h"

enum { SHT_ADDRSIG = 0x6fff4c03 };

// ---- The string table ----

struct named {
    const char *text;
    size_t length;
    uint32_t *at; // where to put its offset
};
typedef ARRAY(struct named) name_list;

// By the reversed text, descending, so that a name stands before those that end it.
static int by_tail(const void *a, const void *b) {
    const struct named *x = a, *y = b;
    size_t n = x->length < y->length ? x->length : y->length;
    for (size_t i = 1; i <= n; i++) {
        int c = (uint8_t)y->text[y->length - i] - (uint8_t)x->text[x->length - i];
        if (c) return c;
    }
    return x->length < y->length ? 1 : x->length > y->length ? -1 : 0;
}

static bool lay_out_names(name_list *names, struct text *out) {
    qsort(names->items, names->count, sizeof *names->items, by_tail);
    const struct named *last = NULL;
    text_add(out, "", 1);
    for (size_t i = 0; i < names->count; i++) {
        struct named *n = &names->items[i];
        if (last && last->length >= n->length &&
            !memcmp(last->text + last->length - n->length, n->text, n->length)) {
            *n->at = (uint32_t)(out->length - 1 - n->length);
            continue;
        }
        *n->at = (uint32_t)out->length;
        text_add(out, n->text, n->length);
        text_add(out, "", 1);
        last = n;
    }
    return !out->failed;
}

// ---- Symbols ----

struct writer {
    struct unit *u;
    struct text out, names;
    name_list list;
    ARRAY(Elf64_Sym) symbols;
    uint32_t section_count, locals, symtab_name, strtab_name;
};

static bool wanted(const struct symbol *s) {
    if (s->type == STT_SECTION) return s->relocated;
    if (s->relocated) return true;
    return !s->temporary && s->name;
}

// Binding as the object says it: what no one declared is global when it is undefined, else local.
static unsigned binding_of(const struct symbol *s, bool defined) {
    if (s->type == STT_SECTION) return STB_LOCAL;
    return s->has_binding ? s->binding : defined ? STB_LOCAL : STB_GLOBAL;
}

static const struct symbol *base_of(const struct unit *u, const struct symbol *s) {
    for (unsigned i = 0; s->state == SYMBOL_VARIABLE && i < 64; i++) {
        struct relocatable r;
        struct symbol *y = (struct symbol *)s;
        y->evaluating = true;
        enum expr_status status = expr_evaluate(s->value, &u->layout, &r);
        y->evaluating = false;
        if (status || !r.add || r.sub) return NULL;
        s = r.add;
    }
    return s;
}

// The more telling of an alias's own type and that of what it names.
static unsigned merged_type(unsigned own, unsigned base) {
    static const uint8_t order[] = {STT_FUNC, STT_GNU_IFUNC, STT_OBJECT, STT_TLS};
    for (unsigned i = 0; i < 4; i++)
        if (own == order[i] || base == order[i])
            return order[i] == STT_FUNC && (own == STT_GNU_IFUNC || base == STT_GNU_IFUNC) ? STT_GNU_IFUNC
                                                                                           : order[i];
    return own;
}

static bool add_symbol(struct writer *w, struct symbol *s, bool locals) {
    struct unit *u = w->u;
    struct section *home = NULL;
    uint64_t offset = 0;
    Elf64_Sym e = {.st_shndx = SHN_UNDEF};
    bool absolute = s->state == SYMBOL_NUMBER;
    int64_t number = (int64_t)s->offset;
    const struct symbol *base = s;
    if (s->state == SYMBOL_VARIABLE) {
        struct asm_value v = {.expr = s->value};
        absolute = !expr_absolute(&v, &u->layout, &number);
        base = absolute ? NULL : base_of(u, s);
        if (!absolute && !symbol_place(u, s, &home, &offset)) {
            if (base && base->state == SYMBOL_UNDEFINED) return true; // a name for something elsewhere
            return unit_late_error(u, 0, "the value of '%s' cannot be written to an object", s->name);
        }
    }
    bool defined = absolute || s->state == SYMBOL_COMMON || symbol_place(u, s, &home, &offset);
    if (s->temporary && !defined)
        return unit_late_error(u, 0, "Undefined temporary symbol %s", s->name ? s->name : "");
    unsigned binding = binding_of(s, defined);
    if ((binding == STB_LOCAL) != locals) return true;
    unsigned type = s->type;
    const struct expr *size = s->size;
    if (base && base != s) {
        type = merged_type(type, base->type);
        if (!size) size = base->size;
    }
    if (absolute)
        e.st_shndx = SHN_ABS, e.st_value = (uint64_t)number;
    else if (s->state == SYMBOL_COMMON)
        e.st_shndx = SHN_COMMON, e.st_value = s->offset;
    else if (home)
        e.st_shndx = (uint16_t)home->index, e.st_value = offset;
    e.st_info = ELF64_ST_INFO(binding, type);
    e.st_other = s->visibility;
    if (size) {
        int64_t n;
        struct asm_value v = {.expr = size};
        if (expr_absolute(&v, &u->layout, &n))
            return unit_late_error(u, 0, "Size expression must be absolute: %s", s->name);
        e.st_size = (uint64_t)n;
    }
    s->index = (uint32_t)w->symbols.count;
    if (s->type != STT_SECTION &&
        !array_push(&w->list, (struct named){s->name ? s->name : "", s->length, &s->name_at}))
        return unit_no_memory(u);
    return array_push(&w->symbols, e) || unit_no_memory(u);
}

static bool collect_symbols(struct writer *w) {
    struct unit *u = w->u;
    if (!array_push(&w->symbols, (Elf64_Sym){0})) return unit_no_memory(u);
    for (int locals = 1; locals >= 0; locals--) {
        for (struct symbol *s = u->first_symbol; s; s = s->next)
            if (wanted(s) && !add_symbol(w, s, locals)) return false;
        if (locals) w->locals = (uint32_t)w->symbols.count;
    }
    return true;
}

static bool collect_names(struct writer *w) {
    struct unit *u = w->u;
    bool ok = array_push(&w->list, (struct named){".symtab", 7, &w->symtab_name}) &&
              array_push(&w->list, (struct named){".strtab", 7, &w->strtab_name});
    for (struct section *s = u->sections; ok && s; s = s->next) {
        size_t n = strlen(s->name);
        ok = array_push(&w->list, (struct named){s->name, n, &s->name_at});
        if (!ok || !s->relocations.count) continue;
        char *rela = arena_alloc(&u->arena, n + 6);
        if (!rela) return unit_no_memory(u);
        memcpy(rela, ".rela", 5);
        memcpy(rela + 5, s->name, n);
        ok = array_push(&w->list, (struct named){rela, n + 5, &s->rela_name_at});
    }
    return (ok && lay_out_names(&w->list, &w->names)) || unit_no_memory(u);
}

// ---- The file ----

static void pad_to(struct text *t, uint64_t alignment) {
    static const char zeros[64] = {0};
    uint64_t gap = align_up(t->length, alignment) - t->length;
    for (; gap && !t->failed; gap -= gap < 64 ? gap : 64) text_add(t, zeros, gap < 64 ? gap : 64);
}

static uint32_t symbol_index(const struct relocation *r) { return r->symbol ? r->symbol->index : 0; }

static void write_section(struct writer *w, Elf64_Shdr *headers, struct section *s) {
    pad_to(&w->out, s->alignment);
    headers[s->index] = (Elf64_Shdr){.sh_name = s->name_at,
                                     .sh_type = s->type,
                                     .sh_flags = s->flags,
                                     .sh_offset = w->out.length,
                                     .sh_size = s->size,
                                     .sh_link = s->type == SHT_ADDRSIG ? w->section_count - 1 : 0,
                                     .sh_addralign = s->alignment,
                                     .sh_entsize = s->entsize};
    if (s->type != SHT_NOBITS && s->size) text_add(&w->out, (const char *)s->data, s->size);
    free(s->data); // there is one copy from here on
    s->data = NULL;
}

static void write_body(struct writer *w, Elf64_Shdr *headers) {
    struct unit *u = w->u;
    struct section *addrsig = NULL; // stands behind the tables
    for (struct section *s = u->sections; s; s = s->next)
        if (s->type == SHT_ADDRSIG)
            addrsig = s;
        else
            write_section(w, headers, s);
    pad_to(&w->out, 8);
    uint32_t symtab = w->section_count - 1;
    headers[symtab] = (Elf64_Shdr){.sh_name = w->symtab_name,
                                   .sh_type = SHT_SYMTAB,
                                   .sh_offset = w->out.length,
                                   .sh_size = w->symbols.count * sizeof(Elf64_Sym),
                                   .sh_link = 1,
                                   .sh_info = w->locals,
                                   .sh_addralign = 8,
                                   .sh_entsize = sizeof(Elf64_Sym)};
    for (struct symbol *s = u->first_symbol; s; s = s->next)
        if (s->index && s->type != STT_SECTION) w->symbols.items[s->index].st_name = s->name_at;
    text_add(&w->out, (const char *)w->symbols.items, w->symbols.count * sizeof(Elf64_Sym));
    for (struct section *s = u->sections; s; s = s->next) {
        if (!s->relocations.count) continue;
        headers[s->index + 1] = (Elf64_Shdr){.sh_name = s->rela_name_at,
                                             .sh_type = SHT_RELA,
                                             .sh_flags = SHF_INFO_LINK,
                                             .sh_offset = w->out.length,
                                             .sh_size = s->relocations.count * sizeof(Elf64_Rela),
                                             .sh_link = symtab,
                                             .sh_info = s->index,
                                             .sh_addralign = 8,
                                             .sh_entsize = sizeof(Elf64_Rela)};
        for (size_t i = 0; i < s->relocations.count; i++) {
            const struct relocation *r = &s->relocations.items[i];
            Elf64_Rela e = {r->offset, ELF64_R_INFO((uint64_t)symbol_index(r), r->type), r->addend};
            text_add(&w->out, (const char *)&e, sizeof e);
        }
    }
    if (addrsig) write_section(w, headers, addrsig);
    headers[1] = (Elf64_Shdr){.sh_name = w->strtab_name,
                              .sh_type = SHT_STRTAB,
                              .sh_offset = w->out.length,
                              .sh_size = w->names.length,
                              .sh_addralign = 1};
    text_add(&w->out, w->names.data, w->names.length);
    pad_to(&w->out, 8);
}

static Elf64_Ehdr file_header(const struct writer *w) {
    static const uint8_t osabi[] = {
        [SW_OS_NONE] = 0, [SW_OS_AMDHSA] = 64, [SW_OS_AMDPAL] = 65, [SW_OS_MESA3D] = 66};
    const struct unit *u = w->u;
    bool hsa = u->options->os == SW_OS_AMDHSA;
    unsigned abi = hsa ? u->version - 2 : 0;
    Elf64_Ehdr h = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                    .e_type = ET_REL,
                    .e_machine = 224,
                    .e_version = EV_CURRENT,
                    .e_flags = sw_target_to_eflags(&u->target, hsa ? abi : 1),
                    .e_ehsize = sizeof(Elf64_Ehdr),
                    .e_shentsize = sizeof(Elf64_Shdr),
                    .e_shnum = (uint16_t)w->section_count,
                    .e_shstrndx = 1};
    h.e_ident[EI_OSABI] = osabi[u->options->os];
    h.e_ident[EI_ABIVERSION] = (uint8_t)abi;
    return h;
}

// The numbers of the symbols in .addrsig, behind everything else.
static bool fill_addrsig(struct unit *u) {
    struct section *here = u->section;
    if (!u->has_addrsig) return true;
    struct section *s = u->section =
        unit_section(u, (struct slice){".llvm_addrsig", 13}, SHT_ADDRSIG, SHF_EXCLUDE, 0);
    for (size_t i = 0; s && i < u->addrsig.count; i++) {
        uint8_t bytes[5];
        unsigned n = 0;
        for (uint32_t v = u->addrsig.items[i]->index; n == 0 || v; v >>= 7)
            bytes[n++] = (uint8_t)(v & 0x7f) | (v > 0x7f ? 0x80 : 0);
        if (!unit_emit(u, bytes, n)) return false;
    }
    u->section = here;
    return s;
}

static void number_sections(struct writer *w) {
    w->section_count = 2;
    for (struct section *s = w->u->sections; s; s = s->next) {
        s->index = w->section_count++;
        if (s->relocations.count) w->section_count++;
    }
    w->section_count++; // .symtab
}

bool unit_write_elf(struct unit *u, uint8_t **object, size_t *size) {
    struct writer w = {.u = u};
    if (u->has_addrsig && !unit_section(u, (struct slice){".llvm_addrsig", 13}, SHT_ADDRSIG, SHF_EXCLUDE, 0))
        return false;
    number_sections(&w);
    Elf64_Shdr *headers = calloc(w.section_count, sizeof *headers);
    bool ok = headers;
    if (!ok) unit_no_memory(u);
    if (ok && w.section_count >= SHN_LORESERVE) ok = unit_late_error(u, 0, "too many sections");
    ok = ok && collect_symbols(&w) && fill_addrsig(u) && collect_names(&w);
    if (ok) {
        Elf64_Ehdr h = file_header(&w);
        text_add(&w.out, (const char *)&h, sizeof h);
        write_body(&w, headers);
        h.e_shoff = w.out.length;
        text_add(&w.out, (const char *)headers, w.section_count * sizeof *headers);
        ok = !w.out.failed || unit_no_memory(u);
        if (ok) memcpy(w.out.data, &h, sizeof h);
    }
    if (ok) {
        *object = (uint8_t *)w.out.data;
        *size = w.out.length;
    } else
        text_free(&w.out);
    text_free(&w.names);
    array_free(&w.list);
    array_free(&w.symbols);
    free(headers);
    return ok;
}
