// SPDX-License-Identifier: MIT
// Relocatable output (-r): input sections joined by their full names, relocations carried over to them,
// nothing resolved. What ld.lld -r makes, but for the order of some tables, section groups, whose members
// become sections like others, and empty notes about the stack.
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "link/link.h"

struct partial {
    struct link *l;
    ARRAY(struct link_symbol *) locals, globals; // of the output, without section symbols
    size_t section_symbols;
    uint64_t end; // of the file so far
    Elf64_Shdr *headers;
    size_t header_count;
};

static uint64_t align_to(uint64_t v, uint64_t alignment) { return (v + alignment - 1) & ~(alignment - 1); }

static void place_inputs(struct link *l) {
    for (size_t i = 0; i < l->sections.count; i++) {
        struct output_section *o = l->sections.items[i];
        o->size = 0;
        for (size_t n = 0; n < o->inputs.count; n++) {
            struct input_section *s = o->inputs.items[n];
            s->place = align_to(o->size, s->alignment);
            if (s->size > l->options->max_output || s->place > l->options->max_output) {
                link_error(l, s->file, s->name, "the output would take more than %llu bytes",
                           (unsigned long long)l->options->max_output);
                return;
            }
            o->size = s->place + s->size;
        }
        // Records of several sizes cannot be merged any more.
        if (!o->entry_size) o->flags &= ~(uint64_t)(SHF_MERGE | SHF_STRINGS);
    }
}

// ---- Symbols ----

static bool is_section_symbol(const struct link_symbol *s) { return s->type == STT_SECTION; }

static void collect_symbols(struct partial *p) {
    struct link *l = p->l;
    for (size_t n = 0; n < l->objects.count; n++) {
        struct object_file *f = l->objects.items[n];
        for (uint32_t i = 1; i < f->first_global; i++) {
            struct link_symbol *s = f->symbols[i];
            if (is_section_symbol(s) || s->kind != SYMBOL_DEFINED || (s->section && !s->section->out))
                continue;
            link_push(l, &p->locals, s);
        }
    }
    for (size_t i = 0; i < l->symbols.count; i++)
        if (l->symbols.items[i]->in_regular || l->symbols.items[i]->kind == SYMBOL_DEFINED)
            link_push(l, &p->globals, l->symbols.items[i]);
}

// Section symbols come first, then the other local ones, then the global ones.
static void number_symbols(struct partial *p) {
    uint32_t next = 1;
    for (size_t i = 0; i < p->l->sections.count; i++) p->l->sections.items[i]->rank = next++;
    p->section_symbols = next - 1;
    for (size_t i = 0; i < p->locals.count; i++) p->locals.items[i]->dynsym = next++;
    for (size_t i = 0; i < p->globals.count; i++) p->globals.items[i]->dynsym = next++;
}

static Elf64_Sym symbol_entry(struct link *l, const struct link_symbol *s) {
    Elf64_Sym e = {.st_name = string_add(l, &l->strtab, s->name, s->name_length),
                   .st_info = ELF64_ST_INFO(s->binding, s->type),
                   .st_other = s->other,
                   .st_size = s->size};
    if (s->kind == SYMBOL_COMMON)
        e.st_shndx = SHN_COMMON, e.st_value = s->value;
    else if (s->kind == SYMBOL_DEFINED && s->lds)
        e.st_shndx = SW_SHN_AMDGPU_LDS, e.st_value = s->value;
    else if (s->kind == SYMBOL_DEFINED && (!s->section || s->section->out)) {
        e.st_shndx = (uint16_t)(s->section ? s->section->out->index : SHN_ABS);
        e.st_value = symbol_address(s, 0);
    } else
        e.st_size = 0;
    return e;
}

// ---- Parts of the file ----

// Room for bytes at an alignment, and their section header.
static uint64_t add_part(struct partial *p, const char *name, Elf64_Shdr h) {
    struct link *l = p->l;
    h.sh_name = string_add(l, &l->shstrtab, name, strlen(name));
    h.sh_offset = p->end = align_to(p->end, h.sh_addralign ? h.sh_addralign : 1);
    if (h.sh_type != SHT_NOBITS) p->end += h.sh_size;
    p->headers[p->header_count++] = h;
    return h.sh_offset;
}

// Debug information of what another file's section group stands for refers to nothing: zeros stay there.
static bool refers_to_nothing(const struct input_section *s, const sw_relocation *r) {
    const struct link_symbol *y =
        r->symbol && r->symbol < s->file->symbol_count ? s->file->symbols[r->symbol] : NULL;
    if (!y || y->binding != STB_LOCAL) return false;
    if (y->kind != SYMBOL_DEFINED) return true;
    return y->section ? !y->section->out : is_section_symbol(y);
}

static size_t relocation_count(const struct output_section *o) {
    size_t count = 0;
    for (size_t n = 0; n < o->inputs.count; n++) {
        const struct input_section *s = o->inputs.items[n];
        for (size_t k = 0; k < s->relocation_count; k++) count += !refers_to_nothing(s, &s->relocations[k]);
    }
    return count;
}

static uint32_t described_by(const struct output_section *o) {
    const struct input_section *s = o->inputs.count ? o->inputs.items[0] : NULL;
    if (!s || !(s->flags & SHF_LINK_ORDER) || !s->file || s->link >= s->file->section_count) return 0;
    const struct output_section *of = s->file->sections[s->link].out;
    return of ? of->index : 0;
}

// Section indices follow the order of the parts: each section, then its relocations.
static void number_sections(struct partial *p, uint32_t *symtab) {
    uint32_t next = 1;
    for (size_t i = 0; i < p->l->sections.count; i++) {
        struct output_section *o = p->l->sections.items[i];
        o->index = next++;
        next += relocation_count(o) != 0;
    }
    *symtab = next;
}

static void add_sections(struct partial *p, uint32_t symtab) {
    struct text name = {0};
    for (size_t i = 0; i < p->l->sections.count; i++) {
        struct output_section *o = p->l->sections.items[i];
        const size_t count = relocation_count(o);
        o->offset = add_part(p, o->name,
                             (Elf64_Shdr){.sh_type = o->type,
                                          .sh_flags = o->flags,
                                          .sh_size = o->size,
                                          .sh_link = described_by(o),
                                          .sh_addralign = o->alignment,
                                          .sh_entsize = o->entry_size});
        if (!count) continue;
        name.length = 0;
        text_printf(&name, ".rela%s", o->name);
        if (name.failed) link_no_memory(p->l);
        add_part(p, name.data ? name.data : "",
                 (Elf64_Shdr){.sh_type = SHT_RELA,
                              .sh_flags = SHF_INFO_LINK,
                              .sh_size = count * sizeof(Elf64_Rela),
                              .sh_link = symtab,
                              .sh_info = o->index,
                              .sh_addralign = 8,
                              .sh_entsize = sizeof(Elf64_Rela)});
    }
    text_free(&name);
}

// ---- Contents ----

static Elf64_Rela relocation_entry(struct link *l, const struct input_section *s, const sw_relocation *r) {
    Elf64_Rela e = {.r_offset = s->place + r->offset};
    if (r->symbol >= s->file->symbol_count && r->symbol)
        link_error(l, s->file, s->name, "relocation with symbol %u of %u", r->symbol, s->file->symbol_count);
    else if (r->implicit_addend)
        link_unsupported(l, s->file->name, "relocations without addends, with -r");
    else {
        const struct link_symbol *y = r->symbol ? s->file->symbols[r->symbol] : NULL;
        const bool whole = y && is_section_symbol(y) && y->section && y->section->out;
        e.r_info = ELF64_R_INFO((uint64_t)(!y ? 0 : whole ? y->section->out->rank : y->dynsym), r->type);
        e.r_addend = whole ? (int64_t)symbol_address(y, r->addend) : r->addend;
    }
    return e;
}

static void write_sections(struct partial *p, uint8_t *image) {
    struct link *l = p->l;
    for (size_t i = 0; i < l->sections.count; i++) {
        const struct output_section *o = l->sections.items[i];
        uint8_t *at = image + (relocation_count(o) ? p->headers[o->index + 1].sh_offset : 0);
        for (size_t n = 0; n < o->inputs.count; n++) {
            const struct input_section *s = o->inputs.items[n];
            if (s->data && s->size && o->type != SHT_NOBITS)
                memcpy(image + o->offset + s->place, s->data, s->size);
            for (size_t k = 0; k < s->relocation_count; k++) {
                if (refers_to_nothing(s, &s->relocations[k])) continue;
                const Elf64_Rela e = relocation_entry(l, s, &s->relocations[k]);
                memcpy(at, &e, sizeof e);
                at += sizeof e;
            }
        }
    }
}

static void write_symbols(struct partial *p, Elf64_Sym *out) {
    struct link *l = p->l;
    memset(out++, 0, sizeof *out);
    for (size_t i = 0; i < l->sections.count; i++)
        *out++ = (Elf64_Sym){.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION),
                             .st_shndx = (uint16_t)l->sections.items[i]->index};
    for (size_t i = 0; i < p->locals.count; i++) *out++ = symbol_entry(l, p->locals.items[i]);
    for (size_t i = 0; i < p->globals.count; i++) *out++ = symbol_entry(l, p->globals.items[i]);
}

static void write_file(struct partial *p, const Elf64_Sym *symbols, size_t count, uint32_t symtab) {
    struct link *l = p->l;
    const sw_header *first = &l->objects.items[0]->object->header;
    const uint64_t symbols_at =
        add_part(p, ".symtab",
                 (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                              .sh_size = count * sizeof *symbols,
                              .sh_link = symtab + 2,
                              .sh_info = (uint32_t)(1 + p->section_symbols + p->locals.count),
                              .sh_addralign = 8,
                              .sh_entsize = sizeof *symbols});
    const size_t names = l->shstrtab.text.length + sizeof ".shstrtab" + sizeof ".strtab";
    const uint64_t names_at =
        add_part(p, ".shstrtab", (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_size = names, .sh_addralign = 1});
    const uint64_t strings_at =
        add_part(p, ".strtab",
                 (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_size = l->strtab.text.length, .sh_addralign = 1});
    l->section_headers = align_to(p->end, 8);
    l->file_size = l->section_headers + p->header_count * sizeof *p->headers;
    if (l->file_size > l->options->max_output)
        link_error(l, NULL, NULL, "the output would take %llu bytes, at most %llu are allowed",
                   (unsigned long long)l->file_size, (unsigned long long)l->options->max_output);
    if (link_failed(l) || !(l->image = calloc(1, l->file_size))) {
        if (!link_failed(l)) link_no_memory(l);
        return;
    }
    Elf64_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT, first->os_abi,
                                first->abi_version},
                    .e_type = ET_REL,
                    .e_machine = EM_AMDGPU,
                    .e_version = EV_CURRENT,
                    .e_shoff = l->section_headers,
                    .e_flags = l->flags,
                    .e_ehsize = sizeof h,
                    .e_shentsize = sizeof(Elf64_Shdr),
                    .e_shnum = (uint16_t)p->header_count,
                    .e_shstrndx = (uint16_t)(symtab + 1)};
    memcpy(l->image, &h, sizeof h);
    write_sections(p, l->image);
    memcpy(l->image + symbols_at, symbols, count * sizeof *symbols);
    memcpy(l->image + names_at, l->shstrtab.text.data, l->shstrtab.text.length);
    memcpy(l->image + strings_at, l->strtab.text.data, l->strtab.text.length);
    memcpy(l->image + l->section_headers, p->headers, p->header_count * sizeof *p->headers);
}

void partial_write(struct link *l) {
    struct partial p = {.l = l, .end = sizeof(Elf64_Ehdr), .header_count = 1};
    uint32_t symtab = 0;
    string_add(l, &l->strtab, "", 0); // there may be no symbol
    place_inputs(l);
    if (link_failed(l)) return;
    number_sections(&p, &symtab);
    if (symtab + 3 >= SHN_LORESERVE) {
        link_unsupported(l, NULL, "that many sections, with -r");
        return;
    }
    p.headers = calloc(symtab + 4, sizeof *p.headers);
    collect_symbols(&p);
    number_symbols(&p);
    const size_t count = 1 + p.section_symbols + p.locals.count + p.globals.count;
    Elf64_Sym *symbols = calloc(count, sizeof *symbols);
    if (!symbols || !p.headers) link_no_memory(l);
    if (!link_failed(l)) write_symbols(&p, symbols);
    if (!link_failed(l)) add_sections(&p, symtab);
    if (!link_failed(l)) write_file(&p, symbols, count, symtab);
    free(symbols);
    free(p.headers);
    array_free(&p.locals);
    array_free(&p.globals);
}
