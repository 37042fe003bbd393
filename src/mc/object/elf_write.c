// SPDX-License-Identifier: MIT
// The relocatable object: sections in the order of their first use, each followed by its relocations in the
// section table; symbols in the order in which they were met, local ones first; one string table for all
// names, in which a name that ends another shares its bytes. Equal to what LLVM writes, byte for byte.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "mc/object/object.h"
#include "base/bytes.h"

enum { SHT_ADDRSIG = 0x6fff4c03, SHT_CALL_GRAPH = 0x6fff4c09, SHN_LDS = 0xff00 };

// A section group: one for each signature, of the sections that name it.
struct group {
    const struct symbol *signature;
    bool comdat;
    uint32_t index, name_at;
    ARRAY(uint32_t) members;
};

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

// Whether the section's relocations have addends of their own (OBJ-36).
static bool is_rela(const struct program *program, const struct section *s) {
    return program->options->os == SW_OS_AMDHSA && s->type != SHT_CALL_GRAPH;
}

// ---- Symbols ----

struct writer {
    struct program *program;
    struct text out, names;
    name_list list;
    ARRAY(Elf64_Sym) symbols;
    ARRAY(uint32_t) far; // the section of each symbol, where st_shndx is too small
    ARRAY(struct group) groups;
    uint32_t section_count, symtab, locals, symtab_name, strtab_name, far_name;
    bool is_far; // there is a symbol in a section whose number does not fit st_shndx
};

static bool wanted(const struct symbol *s) {
    if (s->type == STT_SECTION) return s->relocated;
    if (s->relocated || s->signature || s->weakly) return true;
    if (s->weakref || s->rename) return false;
    return !s->temporary && s->name;
}

// Binding as the object says it: what no one declared is global when it is undefined, else local.
static unsigned binding_of(const struct symbol *s, bool defined) {
    if (s->type == STT_SECTION) return STB_LOCAL;
    if (s->has_binding || defined) return s->has_binding ? s->binding : STB_LOCAL;
    if (s->relocated) return STB_GLOBAL;
    return s->weakly ? STB_WEAK : s->signature ? STB_LOCAL : STB_GLOBAL;
}

static const struct symbol *base_of(const struct program *program, const struct symbol *s) {
    for (unsigned i = 0; s->state == SYMBOL_VARIABLE && i < 64; i++) {
        struct relocatable r;
        struct symbol *y = (struct symbol *)s;
        y->evaluating = true;
        enum expr_status status = expr_evaluate(s->value, &program->layout, &r);
        y->evaluating = false;
        if (status || !r.add || r.sub) return NULL;
        s = r.add;
    }
    return s;
}

// A name for something takes its type from that, unless its own tells more.
static unsigned merged_type(unsigned own, unsigned base) {
    bool plain = base == STT_NOTYPE || base == STT_OBJECT;
    switch (own) {
    case STT_GNU_IFUNC:
    case STT_TLS: return plain || base == STT_FUNC || base == STT_TLS || base == STT_GNU_IFUNC ? own : base;
    case STT_FUNC: return plain || base == STT_TLS ? own : base;
    case STT_OBJECT: return base == STT_NOTYPE ? own : base;
    default: return base;
    }
}

// Of a name for a name for ...: the first that has a size of its own.
static const struct expr *size_through(const struct symbol *s, const struct symbol *base) {
    for (unsigned i = 0; s->state == SYMBOL_VARIABLE && s->value->kind == EXPR_SYMBOL && i < 64; i++) {
        s = s->value->symbol;
        if (s->size) return s->size;
    }
    return base->size;
}

static struct group *group_of(struct writer *w, const struct symbol *signature) {
    return signature->group ? &w->groups.items[signature->group - 1] : NULL;
}

static bool add_symbol(struct writer *w, struct symbol *s, bool locals) {
    struct program *program = w->program;
    struct section *home = NULL;
    uint64_t offset = 0;
    Elf64_Sym e = {.st_shndx = SHN_UNDEF};
    uint32_t section = 0;
    bool absolute = s->state == SYMBOL_NUMBER;
    int64_t number = (int64_t)s->offset;
    const struct symbol *base = s;
    if (s->state == SYMBOL_VARIABLE) {
        struct mc_value v = {.expr = s->value};
        absolute = !expr_absolute(&v, &program->layout, &number);
        base = absolute ? NULL : base_of(program, s);
        if (!absolute && !symbol_place(program, s, &home, &offset)) {
            bool elsewhere = base && base->state == SYMBOL_UNDEFINED;
            if (elsewhere && !s->relocated) return true; // a name for something elsewhere
            if (!elsewhere)
                return program_late_error(program, NOWHERE,
                                          "the value of '%s' cannot be written to an object", s->name);
        }
    }
    bool common = s->state == SYMBOL_COMMON || s->state == SYMBOL_LDS;
    bool defined = absolute || common || symbol_place(program, s, &home, &offset);
    if (s->temporary && !defined)
        return program_late_error(program, NOWHERE, "Undefined temporary symbol %s", s->name ? s->name : "");
    unsigned binding = binding_of(s, defined);
    if ((binding == STB_LOCAL) != locals) return true;
    unsigned type = s->type;
    const struct expr *size = s->size;
    if (base && base != s) {
        type = merged_type(type, base->type);
        if (!size) size = size_through(s, base);
    }
    if (absolute)
        e.st_shndx = SHN_ABS, e.st_value = (uint64_t)number;
    else if (common)
        e.st_shndx = s->state == SYMBOL_LDS ? SHN_LDS : SHN_COMMON, e.st_value = s->offset;
    else if (!home && s->signature && !s->relocated)
        section = group_of(w, s)->index;
    else if (home)
        section = home->index, e.st_value = offset;
    if (section >= SHN_LORESERVE)
        e.st_shndx = SHN_XINDEX, w->is_far = true;
    else if (section)
        e.st_shndx = (uint16_t)section, section = 0;
    e.st_info = ELF64_ST_INFO(binding, type);
    e.st_other = s->visibility;
    if (size) {
        int64_t n;
        struct mc_value v = {.expr = size};
        if (expr_absolute(&v, &program->layout, &n))
            return program_late_error(program, NOWHERE, "Size expression must be absolute: %s", s->name);
        e.st_size = (uint64_t)n;
    }
    s->index = (uint32_t)w->symbols.count;
    if (s->type != STT_SECTION &&
        !array_push(&w->list, (struct named){s->name ? s->name : "", s->length, &s->name_at}))
        return program_no_memory(program);
    return (array_push(&w->symbols, e) && array_push(&w->far, section)) || program_no_memory(program);
}

static int by_order(const void *a, const void *b) {
    const struct symbol *x = *(struct symbol *const *)a, *y = *(struct symbol *const *)b;
    return (x->order > y->order) - (x->order < y->order);
}

// A symbol that was given another value stands where that was done.
static bool reorder(struct program *program) {
    size_t count = 0, n = 0;
    for (struct symbol *s = program->first_symbol; s; s = s->next) count++;
    struct symbol **list = malloc((count + 1) * sizeof *list), **at = &program->first_symbol;
    if (!list) return program_no_memory(program);
    for (struct symbol *s = program->first_symbol; s; s = s->next) list[n++] = s;
    qsort(list, n, sizeof *list, by_order);
    for (size_t i = 0; i < n; i++) {
        *at = list[i];
        at = &list[i]->next;
    }
    *at = NULL;
    program->last_symbol = at;
    free(list);
    return true;
}

static bool collect_symbols(struct writer *w) {
    struct program *program = w->program;
    if (program->reordered && !reorder(program)) return false;
    if (!array_push(&w->symbols, (Elf64_Sym){0}) || !array_push(&w->far, 0))
        return program_no_memory(program);
    for (int locals = 1; locals >= 0; locals--) {
        for (struct symbol *s = program->first_symbol; s; s = s->next)
            if (wanted(s) && !add_symbol(w, s, locals)) return false;
        if (locals) w->locals = (uint32_t)w->symbols.count;
    }
    return true;
}

static bool collect_names(struct writer *w) {
    struct program *program = w->program;
    bool ok = array_push(&w->list, (struct named){".symtab", 7, &w->symtab_name}) &&
              array_push(&w->list, (struct named){".strtab", 7, &w->strtab_name}) &&
              (!w->is_far || array_push(&w->list, (struct named){".symtab_shndx", 13, &w->far_name}));
    for (size_t i = 0; ok && i < w->groups.count; i++)
        ok = array_push(&w->list, (struct named){".group", 6, &w->groups.items[i].name_at});
    for (struct section *s = program->sections; ok && s; s = s->next) {
        size_t n = strlen(s->name);
        ok = array_push(&w->list, (struct named){s->name, n, &s->name_at});
        if (!ok || !s->relocations.count) continue;
        char *rela = arena_alloc(&program->arena, n + 6);
        if (!rela) return program_no_memory(program);
        size_t prefix = is_rela(program, s) ? 5 : 4;
        memcpy(rela, ".rela", prefix);
        memcpy(rela + prefix, s->name, n);
        ok = array_push(&w->list, (struct named){rela, n + prefix, &s->rela_name_at});
    }
    return (ok && lay_out_names(&w->list, &w->names)) || program_no_memory(program);
}

// ---- The file ----

static void pad_to(struct text *t, uint64_t alignment) {
    static const char zeros[64] = {0};
    uint64_t gap = align_up(t->length, alignment) - t->length;
    for (; gap && !t->failed; gap -= gap < 64 ? gap : 64) text_add(t, zeros, gap < 64 ? gap : 64);
}

static uint32_t symbol_index(const struct relocation *r) { return r->symbol ? r->symbol->index : 0; }

// sh_link of what is neither a table of symbols nor of relocations.
static uint32_t link_of(const struct writer *w, const struct section *s) {
    struct section *home;
    uint64_t offset;
    if (s->flags & SHF_LINK_ORDER)
        return s->link && symbol_place(w->program, s->link, &home, &offset) ? home->index : 0;
    return s->type == SHT_ADDRSIG || s->type == SHT_CALL_GRAPH ? w->symtab : 0;
}

static void write_section(struct writer *w, Elf64_Shdr *headers, struct section *s) {
    pad_to(&w->out, s->alignment);
    headers[s->index] = (Elf64_Shdr){.sh_name = s->name_at,
                                     .sh_type = s->type,
                                     .sh_flags = s->flags,
                                     .sh_offset = w->out.length,
                                     .sh_size = s->size,
                                     .sh_link = link_of(w, s),
                                     .sh_addralign = s->alignment,
                                     .sh_entsize = s->entsize};
    if (s->type != SHT_NOBITS && s->size) text_add(&w->out, (const char *)s->data, s->size);
    free(s->data); // there is one copy from here on
    s->data = NULL;
}

static void write_groups(struct writer *w, Elf64_Shdr *headers) {
    for (size_t i = 0; i < w->groups.count; i++) {
        const struct group *g = &w->groups.items[i];
        uint32_t flags = g->comdat ? GRP_COMDAT : 0;
        pad_to(&w->out, 4);
        headers[g->index] = (Elf64_Shdr){.sh_name = g->name_at,
                                         .sh_type = SHT_GROUP,
                                         .sh_offset = w->out.length,
                                         .sh_size = 4 + g->members.count * 4,
                                         .sh_link = w->symtab,
                                         .sh_info = g->signature->index,
                                         .sh_addralign = 4,
                                         .sh_entsize = 4};
        text_add(&w->out, (const char *)&flags, 4);
        text_add(&w->out, (const char *)g->members.items, g->members.count * 4);
    }
}

static void write_relocations(struct writer *w, Elf64_Shdr *header, const struct section *s) {
    uint64_t entsize = is_rela(w->program, s) ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    *header = (Elf64_Shdr){.sh_name = s->rela_name_at,
                           .sh_type = is_rela(w->program, s) ? SHT_RELA : SHT_REL,
                           .sh_flags = s->flags & SHF_GROUP ? SHF_GROUP : SHF_INFO_LINK,
                           .sh_offset = w->out.length,
                           .sh_size = s->relocations.count * entsize,
                           .sh_link = w->symtab,
                           .sh_info = s->index,
                           .sh_addralign = 8,
                           .sh_entsize = entsize};
    for (size_t i = 0; i < s->relocations.count; i++) {
        const struct relocation *r = &s->relocations.items[i];
        Elf64_Rela e = {r->offset, ELF64_R_INFO((uint64_t)symbol_index(r), r->type), r->addend};
        text_add(&w->out, (const char *)&e, entsize); // Elf64_Rel is the same without the addend
    }
}

static void write_body(struct writer *w, Elf64_Shdr *headers) {
    struct program *program = w->program;
    struct section *addrsig = NULL; // stands behind the tables
    for (struct section *s = program->sections; s; s = s->next)
        if (s->type == SHT_ADDRSIG)
            addrsig = s;
        else
            write_section(w, headers, s);
    write_groups(w, headers);
    pad_to(&w->out, 8);
    headers[w->symtab] = (Elf64_Shdr){.sh_name = w->symtab_name,
                                      .sh_type = SHT_SYMTAB,
                                      .sh_offset = w->out.length,
                                      .sh_size = w->symbols.count * sizeof(Elf64_Sym),
                                      .sh_link = 1,
                                      .sh_info = w->locals,
                                      .sh_addralign = 8,
                                      .sh_entsize = sizeof(Elf64_Sym)};
    for (struct symbol *s = program->first_symbol; s; s = s->next)
        if (s->index && s->type != STT_SECTION) w->symbols.items[s->index].st_name = s->name_at;
    text_add(&w->out, (const char *)w->symbols.items, w->symbols.count * sizeof(Elf64_Sym));
    if (w->is_far) {
        headers[w->symtab + 1] = (Elf64_Shdr){.sh_name = w->far_name,
                                              .sh_type = SHT_SYMTAB_SHNDX,
                                              .sh_offset = w->out.length,
                                              .sh_size = w->far.count * 4,
                                              .sh_link = w->symtab,
                                              .sh_addralign = 4,
                                              .sh_entsize = 4};
        text_add(&w->out, (const char *)w->far.items, w->far.count * 4);
    }
    for (struct section *s = program->sections; s; s = s->next) {
        if (s->relocations.count) write_relocations(w, &headers[s->index + 1], s);
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
        [SW_OS_NONE] = ELFOSABI_NONE, [SW_OS_AMDHSA] = 64, [SW_OS_AMDPAL] = 65, [SW_OS_MESA3D] = 66};
    const struct program *program = w->program;
    bool hsa = program->options->os == SW_OS_AMDHSA;
    unsigned abi = hsa ? program->version - 2 : 0;
    // e_flags of V2 as LLVM wrote them are those of V3, and so are those of the other systems (OBJ-07,
    // OBJ-08).
    unsigned flags_abi = hsa && abi > 1 ? abi : 1;
    Elf64_Ehdr h = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                    .e_type = ET_REL,
                    .e_machine = 224,
                    .e_version = EV_CURRENT,
                    .e_flags = sw_target_to_eflags(&program->target, flags_abi),
                    .e_ehsize = sizeof(Elf64_Ehdr),
                    .e_shentsize = sizeof(Elf64_Shdr),
                    .e_shnum = (uint16_t)(w->section_count < SHN_LORESERVE ? w->section_count : 0),
                    .e_shstrndx = 1};
    h.e_ident[EI_OSABI] = osabi[program->options->os];
    if (program->gnu_abi && !h.e_ident[EI_OSABI]) h.e_ident[EI_OSABI] = ELFOSABI_GNU;
    h.e_ident[EI_ABIVERSION] = (uint8_t)abi;
    return h;
}

// What .addrsig_sym names stays in the table; of a label of the assembler's own its section does.
static void keep_addrsig(struct program *program) {
    for (size_t i = 0; i < program->addrsig.count; i++) {
        struct symbol **s = &program->addrsig.items[i];
        struct section *home;
        uint64_t offset;
        if ((*s)->rename) *s = (*s)->rename;
        if ((*s)->temporary && symbol_place(program, *s, &home, &offset)) *s = home->symbol;
        if ((*s)->registered) (*s)->relocated = true;
    }
}

// The numbers of the symbols in .addrsig, behind everything else.
static bool fill_addrsig(struct program *program) {
    struct section *here = program->section;
    if (!program->has_addrsig) return true;
    struct section *s = program->section =
        program_section(program, (struct slice){".llvm_addrsig", 13}, SHT_ADDRSIG, SHF_EXCLUDE, 0);
    for (size_t i = 0; s && i < program->addrsig.count; i++) {
        uint8_t bytes[5];
        unsigned n = 0;
        for (uint32_t v = program->addrsig.items[i]->index; v; v >>= 7)
            bytes[n++] = (uint8_t)(v & 0x7f) | (v > 0x7f ? 0x80 : 0);
        if (n && !program_emit(program, bytes, n)) return false;
    }
    program->section = here;
    return s;
}

static bool join_group(struct writer *w, const struct section *s) {
    struct group *g = group_of(w, s->group);
    if (!g) {
        struct group made = {.signature = s->group, .comdat = s->comdat, .index = w->section_count++};
        if (!array_push(&w->groups, made)) return false;
        ((struct symbol *)s->group)->group = (uint32_t)w->groups.count;
        g = &w->groups.items[w->groups.count - 1];
    }
    return array_push(&g->members, w->section_count) &&
           (!s->relocations.count || array_push(&g->members, w->section_count + 1));
}

// A group stands before the first of its sections, relocations behind the section that they are of.
static bool number_sections(struct writer *w) {
    w->section_count = 2;
    for (struct section *s = w->program->sections; s; s = s->next) {
        if (s->group && !join_group(w, s)) return program_no_memory(w->program);
        s->index = w->section_count++;
        if (s->relocations.count) w->section_count++;
    }
    w->symtab = w->section_count++;
    return true;
}

bool object_write(struct program *program, uint8_t **object, size_t *size) {
    struct writer w = {.program = program};
    if (program->has_addrsig &&
        !program_section(program, (struct slice){".llvm_addrsig", 13}, SHT_ADDRSIG, SHF_EXCLUDE, 0))
        return false;
    bool ok = number_sections(&w);
    keep_addrsig(program);
    ok = ok && collect_symbols(&w);
    w.section_count += w.is_far;
    ok = ok && fill_addrsig(program) && collect_names(&w);
    Elf64_Shdr *headers = calloc(w.section_count, sizeof *headers);
    if (ok && !headers) ok = program_no_memory(program);
    if (ok) {
        // Where e_shnum is too small, the first header has the count.
        if (w.section_count >= SHN_LORESERVE) headers[0].sh_size = w.section_count;
        Elf64_Ehdr h = file_header(&w);
        text_add(&w.out, (const char *)&h, sizeof h);
        write_body(&w, headers);
        h.e_shoff = w.out.length;
        text_add(&w.out, (const char *)headers, w.section_count * sizeof *headers);
        ok = !w.out.failed || program_no_memory(program);
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
    array_free(&w.far);
    for (size_t i = 0; i < w.groups.count; i++) array_free(&w.groups.items[i].members);
    array_free(&w.groups);
    free(headers);
    return ok;
}
