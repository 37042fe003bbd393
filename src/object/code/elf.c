// SPDX-License-Identifier: MIT
// The ELF header, section headers, program headers and notes of a code object.
//
// The tables are read here from <elf.h> types rather than through libelf: a container may be a mapped
// gigabyte with hundreds of code objects, of which libelf would copy and convert what it touches; and every
// offset comes from untrusted bytes, so each has to be checked and reported with its place anyway. What
// leaves this file lies inside the object: section and segment contents, names with their NUL.
//
// Overlap is what makes small files expensive (thousands of headers that name the same megabytes), so the
// sizes of all tables of one kind together may not exceed the file.
#include "object/code/object.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SEGMENTS = 256 }; // linkers write a dozen; addresses are searched linearly

static void report(const struct sw_object *o, const sw_sink *sink, sw_severity severity, uint64_t offset,
                   const char *within, const char *format, va_list args) PRINTF_LIKE(6, 0);
static void report(const struct sw_object *o, const sw_sink *sink, sw_severity severity, uint64_t offset,
                   const char *within, const char *format, va_list args) {
    sw_location at = {
        .file = o->name, .offset = o->file_offset + offset, .has_offset = true, .within = within};
    diag_reportv(sink, severity, &at, format, args);
}

sw_status object_bad(const struct sw_object *o, const sw_sink *sink, uint64_t offset, const char *within,
                     const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(o, sink, SW_SEVERITY_ERROR, offset, within, format, args);
    va_end(args);
    return SW_BAD_INPUT;
}

void object_warn(const struct sw_object *o, const sw_sink *sink, uint64_t offset, const char *within,
                 const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(o, sink, SW_SEVERITY_WARNING, offset, within, format, args);
    va_end(args);
}

sw_status object_no_memory(const struct sw_object *o, const sw_sink *sink) {
    sw_location at = {.file = o->name};
    return diag_fail(sink, SW_NO_MEMORY, &at, "out of memory");
}

static void pass_on(void *context, const sw_diagnostic *d) {
    const struct located_sink *l = context;
    sw_diagnostic copy = *d;
    const char *within = copy.at.within;
    copy.at = l->at;
    if (within) copy.at.within = within;
    l->out->report(l->out->context, &copy);
}

const sw_sink *object_located(struct located_sink *l, const struct sw_object *o, const sw_sink *sink,
                              uint64_t offset, const char *within) {
    if (!sink || !sink->report) return NULL;
    l->sink = (sw_sink){pass_on, l};
    l->out = sink;
    l->at = (sw_location){
        .file = o->name, .offset = o->file_offset + offset, .has_offset = true, .within = within};
    return &l->sink;
}

// ---- Header --------------------------------------------------------------------------------------------

static sw_status read_header(struct sw_object *o, Elf64_Ehdr *e, const sw_sink *sink) {
    if (o->size < EI_NIDENT || memcmp(o->bytes, ELFMAG, SELFMAG))
        return object_bad(o, sink, 0, "ELF header", "not an ELF file");
    const uint8_t *id = o->bytes;
    unsigned machine = o->size >= 20 ? rd16(id + 18) : 0;
    if (id[EI_CLASS] == ELFCLASS32 && machine == EM_AMDGPU) {
        sw_location at = {.file = o->name, .within = "ELF header"};
        return diag_fail(sink, SW_UNSUPPORTED, &at, "a 32-bit code object (R600 family)");
    }
    if (id[EI_CLASS] != ELFCLASS64)
        return object_bad(o, sink, EI_CLASS, "ELF header", "class is %u, expected ELFCLASS64", id[EI_CLASS]);
    if (id[EI_DATA] != ELFDATA2LSB)
        return object_bad(o, sink, EI_DATA, "ELF header", "data encoding is %u, expected little-endian",
                          id[EI_DATA]);
    if (o->size < sizeof *e)
        return object_bad(o, sink, o->size, "ELF header", "file ends after %zu of 64 bytes", o->size);
    memcpy(e, o->bytes, sizeof *e);
    if (e->e_machine != EM_AMDGPU && e->e_type != ET_CORE) // a unified core file is the host's (CORE-04)
        return object_bad(o, sink, 18, "ELF header", "machine is %u, expected EM_AMDGPU (224)", e->e_machine);
    if (e->e_type < ET_REL || e->e_type > ET_CORE)
        return object_bad(o, sink, 16, "ELF header", "type is %u, expected ET_REL, ET_DYN or ET_CORE",
                          e->e_type);
    o->header = (sw_header){.elf_class = id[EI_CLASS],
                            .data = id[EI_DATA],
                            .os_abi = id[EI_OSABI],
                            .abi_version = id[EI_ABIVERSION],
                            .type = e->e_type,
                            .machine = e->e_machine,
                            .version = e->e_version,
                            .flags = e->e_flags,
                            .entry = e->e_entry,
                            .relocatable = e->e_type == ET_REL};
    if (e->e_machine != EM_AMDGPU) return SW_OK;
    switch (id[EI_OSABI]) {
    case OSABI_HSA: o->header.os = SW_OS_AMDHSA; break;
    case OSABI_PAL: o->header.os = SW_OS_AMDPAL; break;
    case OSABI_MESA: o->header.os = SW_OS_MESA3D; break;
    case ELFOSABI_NONE: o->header.os = SW_OS_NONE; break;
    default:
        return object_bad(o, sink, EI_OSABI, "ELF header", "OS ABI is %u, expected 0, 64, 65 or 66",
                          id[EI_OSABI]);
    }
    if (o->header.os == SW_OS_AMDHSA) {
        if (id[EI_ABIVERSION] > 4)
            return object_bad(o, sink, EI_ABIVERSION, "ELF header",
                              "ABI version is %u, expected 0 to 4 (V2 to V6)", id[EI_ABIVERSION]);
        o->header.code_object_version = id[EI_ABIVERSION] + 2u;
        o->header.generic_version = sw_eflags_generic_version(e->e_flags, id[EI_ABIVERSION]);
    }
    return SW_OK;
}

// ---- Sections and segments -----------------------------------------------------------------------------

static sw_status name_section(struct sw_object *o, size_t i, uint32_t name, uint32_t strings,
                              uint64_t *budget, const sw_sink *sink) {
    sw_section *s = &o->sections[i];
    s->name = "";
    if (!strings) return SW_OK;
    const sw_section *t = &o->sections[strings];
    const uint8_t *end = name < t->size ? memchr(t->data + name, 0, t->size - name) : NULL;
    if (!end)
        return object_bad(o, sink, t->offset, "section names", "name of section %zu runs past the table", i);
    s->name = (const char *)t->data + name;
    uint64_t length = (uint64_t)((const char *)end - s->name);
    if (length > *budget)
        return object_bad(o, sink, t->offset, "section names", "the names share text to an absurd degree");
    *budget -= length;
    return SW_OK;
}

static sw_status read_sections(struct sw_object *o, const Elf64_Ehdr *e, const sw_sink *sink) {
    if (!e->e_shoff) return SW_OK;
    if (e->e_shentsize != sizeof(Elf64_Shdr))
        return object_bad(o, sink, 58, "ELF header", "section header size is %u, expected 64",
                          e->e_shentsize);
    uint64_t count = e->e_shnum, strings = e->e_shstrndx;
    if ((!count || strings == SHN_XINDEX) && in_range(e->e_shoff, 64, o->size)) {
        Elf64_Shdr first; // holds what does not fit 16 bits
        memcpy(&first, o->bytes + e->e_shoff, sizeof first);
        if (!count) count = first.sh_size;
        if (strings == SHN_XINDEX) strings = first.sh_link;
    }
    if (count > o->size / 64 || !in_range(e->e_shoff, count * 64, o->size))
        return object_bad(o, sink, e->e_shoff, "section headers",
                          "%llu headers lie outside the file of %zu bytes", (unsigned long long)count,
                          o->size);
    if (!(o->sections = arena_alloc(&o->arena, count * sizeof *o->sections)))
        return object_no_memory(o, sink);
    o->section_count = count;
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) {
        Elf64_Shdr h;
        memcpy(&h, o->bytes + e->e_shoff + i * 64, sizeof h);
        bool stored = h.sh_type != SHT_NOBITS && h.sh_type != SHT_NULL;
        if (stored && !in_range(h.sh_offset, h.sh_size, o->size))
            return object_bad(o, sink, e->e_shoff + i * 64, "section headers",
                              "section %zu (offset 0x%llx, size 0x%llx) lies outside the file of 0x%zx bytes",
                              i, (unsigned long long)h.sh_offset, (unsigned long long)h.sh_size, o->size);
        if (h.sh_addralign & (h.sh_addralign - 1))
            return object_bad(o, sink, e->e_shoff + i * 64, "section headers",
                              "alignment 0x%llx of section %zu is not a power of two",
                              (unsigned long long)h.sh_addralign, i);
        if (stored) all += h.sh_size;
        if (all > 4 * (uint64_t)o->size + 4096)
            return object_bad(o, sink, e->e_shoff, "section headers",
                              "the sections overlap to an absurd degree");
        o->sections[i] = (sw_section){.type = h.sh_type,
                                      .link = h.sh_link,
                                      .info = h.sh_info,
                                      .flags = h.sh_flags,
                                      .address = h.sh_addr,
                                      .offset = h.sh_offset,
                                      .size = h.sh_size,
                                      .alignment = h.sh_addralign,
                                      .entry_size = h.sh_entsize,
                                      .data = stored ? o->bytes + h.sh_offset : NULL};
    }
    if (strings >= count || (strings && !o->sections[strings].data))
        return object_bad(o, sink, 62, "ELF header", "section name table %llu does not exist",
                          (unsigned long long)strings);
    uint64_t budget = strings ? 16 * o->sections[strings].size + 65536 : 0;
    for (size_t i = 0; i < count; i++) {
        sw_status s =
            name_section(o, i, rd32(o->bytes + e->e_shoff + i * 64), (uint32_t)strings, &budget, sink);
        if (s) return s;
    }
    return SW_OK;
}

static sw_status read_segments(struct sw_object *o, const Elf64_Ehdr *e, const sw_sink *sink) {
    if (!e->e_phoff || !e->e_phnum) return SW_OK;
    if (e->e_phentsize != sizeof(Elf64_Phdr))
        return object_bad(o, sink, 54, "ELF header", "program header size is %u, expected 56",
                          e->e_phentsize);
    uint64_t count = e->e_phnum;
    if (count > MAX_SEGMENTS && o->header.type != ET_CORE)
        return object_bad(o, sink, 56, "ELF header", "%u program headers, at most %u are read", e->e_phnum,
                          MAX_SEGMENTS);
    if (!in_range(e->e_phoff, count * sizeof(Elf64_Phdr), o->size))
        return object_bad(o, sink, e->e_phoff, "program headers",
                          "%llu headers lie outside the file of %zu bytes", (unsigned long long)count,
                          o->size);
    if (!(o->segments = arena_alloc(&o->arena, count * sizeof *o->segments)))
        return object_no_memory(o, sink);
    o->segment_count = count;
    for (size_t i = 0; i < count; i++) {
        Elf64_Phdr h;
        uint64_t at = e->e_phoff + i * sizeof h;
        memcpy(&h, o->bytes + at, sizeof h);
        if (h.p_type != PT_NULL && h.p_filesz && !in_range(h.p_offset, h.p_filesz, o->size))
            return object_bad(o, sink, at, "program headers",
                              "segment %zu (offset 0x%llx, size 0x%llx) lies outside the file of 0x%zx bytes",
                              i, (unsigned long long)h.p_offset, (unsigned long long)h.p_filesz, o->size);
        if (h.p_type == PT_LOAD && h.p_memsz < h.p_filesz)
            return object_bad(o, sink, at, "program headers",
                              "segment %zu is larger in the file than in memory", i);
        if (h.p_type == PT_LOAD && h.p_vaddr + h.p_memsz < h.p_vaddr)
            return object_bad(o, sink, at, "program headers", "segment %zu wraps around the address space",
                              i);
        o->segments[i] = (sw_segment){.type = h.p_type,
                                      .flags = h.p_flags,
                                      .offset = h.p_offset,
                                      .address = h.p_vaddr,
                                      .file_size = h.p_filesz,
                                      .memory_size = h.p_memsz,
                                      .alignment = h.p_align};
    }
    return SW_OK;
}

bool object_file_offset(const struct sw_object *o, uint64_t address, uint64_t length, uint64_t *offset) {
    for (size_t i = 0; i < o->segment_count; i++) {
        const sw_segment *s = &o->segments[i];
        if (s->type != PT_LOAD || address < s->address) continue;
        if (!in_range(address - s->address, length, s->file_size)) continue;
        *offset = s->offset + (address - s->address);
        return true;
    }
    return false;
}

sw_status object_read_elf(struct sw_object *o, const sw_sink *sink) {
    Elf64_Ehdr e = {0};
    sw_status s = read_header(o, &e, sink);
    if (!s) s = read_sections(o, &e, sink);
    if (!s) s = read_segments(o, &e, sink);
    return s;
}

// ---- Notes ---------------------------------------------------------------------------------------------

typedef ARRAY(sw_note) notes;

// Records of 4-byte aligned name and descriptor (OBJ-21).
static sw_status notes_in(struct sw_object *o, uint64_t offset, uint64_t size, notes *out,
                          const sw_sink *sink) {
    uint64_t at = offset, end = offset + size;
    while (end - at >= 12) {
        uint32_t name_size = rd32(o->bytes + at), size_of_desc = rd32(o->bytes + at + 4);
        uint64_t name = at + 12, desc = name + align_up(name_size, 4);
        if (name_size > end - name || desc > end || size_of_desc > end - desc)
            return object_bad(o, sink, at, "notes", "a note of %u + %u bytes runs past the end of the notes",
                              name_size, size_of_desc);
        const char *vendor = (const char *)o->bytes + name;
        bool proper = name_size && memchr(vendor, 0, name_size) == vendor + name_size - 1;
        sw_note n = {.vendor = proper ? vendor : "",
                     .type = rd32(o->bytes + at + 8),
                     .offset = at,
                     .data = o->bytes + desc,
                     .size = size_of_desc};
        // V2 producers count the padding or leave the NUL out of "AMD"
        if (!proper && name_size == 3 && !memcmp(vendor, "AMD", 3))
            n.vendor = "AMD";
        else if (!proper && name_size == 8 && !memcmp(vendor, "AMD\0\0\0\0", 8))
            n.vendor = "AMD";
        if (!array_push(out, n)) return object_no_memory(o, sink);
        uint64_t next = desc + align_up(size_of_desc, 4);
        if (next >= end) break;
        at = next;
    }
    return SW_OK;
}

sw_status object_read_notes(struct sw_object *o, const sw_sink *sink) {
    notes all = {0};
    sw_status s = SW_OK;
    uint64_t total = 0;
    bool segments = false;
    for (size_t i = 0; !s && i < o->segment_count; i++) {
        const sw_segment *g = &o->segments[i];
        if (g->type != PT_NOTE || !g->file_size) continue;
        segments = true;
        if ((total += g->file_size) > o->size)
            s = object_bad(o, sink, g->offset, "notes", "note segments overlap");
        else
            s = notes_in(o, g->offset, g->file_size, &all, sink);
    }
    for (size_t i = 0; !s && !segments && i < o->section_count; i++) {
        const sw_section *c = &o->sections[i];
        if (c->type != SHT_NOTE) continue;
        if ((total += c->size) > o->size)
            s = object_bad(o, sink, c->offset, c->name, "note sections overlap");
        else
            s = notes_in(o, c->offset, c->size, &all, sink);
    }
    if (!s && all.count) {
        o->notes = arena_alloc(&o->arena, all.count * sizeof *o->notes);
        if (!o->notes)
            s = object_no_memory(o, sink);
        else
            memcpy(o->notes, all.items, all.count * sizeof *o->notes), o->note_count = all.count;
    }
    array_free(&all);
    return s;
}
