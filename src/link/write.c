// SPDX-License-Identifier: MIT
// The output file: headers, contents of sections with relocations applied, the linker's own sections, build
// id.
#include <stdlib.h>
#include <string.h>

#include "link/link.h"

static void write_header(struct link *l) {
    const sw_header *first = &l->objects.items[0]->object->header;
    const struct link_symbol *entry = global_find(l, l->options->entry, strlen(l->options->entry));
    uint32_t names = l->own[OWN_SHSTRTAB].out->index;
    size_t count = l->sections.count + 1;
    Elf64_Ehdr h = {.e_type = ET_DYN,
                    .e_machine = EM_AMDGPU,
                    .e_version = EV_CURRENT,
                    .e_entry = entry ? symbol_address(entry, 0) : 0,
                    .e_phoff = sizeof h,
                    .e_shoff = l->section_headers,
                    .e_flags = l->flags,
                    .e_ehsize = sizeof h,
                    .e_phentsize = sizeof(Elf64_Phdr),
                    .e_phnum = (uint16_t)l->segments.count,
                    .e_shentsize = sizeof(Elf64_Shdr),
                    .e_shnum = (uint16_t)(count < SHN_LORESERVE ? count : 0),
                    .e_shstrndx = (uint16_t)(names < SHN_LORESERVE ? names : SHN_XINDEX)};
    memcpy(h.e_ident, ELFMAG, SELFMAG);
    h.e_ident[EI_CLASS] = ELFCLASS64;
    h.e_ident[EI_DATA] = ELFDATA2LSB;
    h.e_ident[EI_VERSION] = EV_CURRENT;
    h.e_ident[EI_OSABI] = first->os_abi;
    h.e_ident[EI_ABIVERSION] = first->abi_version;
    memcpy(l->image, &h, sizeof h);
    Elf64_Shdr zeroth = {.sh_size = count < SHN_LORESERVE ? 0 : count,
                         .sh_link = names < SHN_LORESERVE ? 0 : names};
    memcpy(l->image + l->section_headers, &zeroth, sizeof zeroth);
}

static void write_tables(struct link *l) {
    for (size_t i = 0; i < l->segments.count; i++) {
        const struct link_segment *g = &l->segments.items[i];
        Elf64_Phdr h = {.p_type = g->type,
                        .p_flags = g->flags,
                        .p_offset = g->offset,
                        .p_vaddr = g->address,
                        .p_paddr = g->address,
                        .p_filesz = g->file_size,
                        .p_memsz = g->memory_size,
                        .p_align = g->alignment};
        memcpy(l->image + sizeof(Elf64_Ehdr) + i * sizeof h, &h, sizeof h);
    }
    for (size_t i = 0; i < l->sections.count; i++) {
        const struct output_section *o = l->sections.items[i];
        Elf64_Shdr h = {.sh_name = o->name_offset,
                        .sh_type = o->type,
                        .sh_flags = o->flags,
                        .sh_addr = o->address,
                        .sh_offset = o->offset,
                        .sh_size = o->size,
                        .sh_link = o->link,
                        .sh_info = o->info,
                        .sh_addralign = o->alignment,
                        .sh_entsize = o->entry_size};
        memcpy(l->image + l->section_headers + (i + 1) * sizeof h, &h, sizeof h);
    }
}

static void write_contents(struct link *l) {
    for (size_t i = 0; i < l->sections.count; i++) {
        const struct output_section *o = l->sections.items[i];
        for (size_t n = 0; o->type != SHT_NOBITS && n < o->inputs.count; n++) {
            const struct input_section *s = o->inputs.items[n];
            if (s->data && s->size) memcpy(l->image + o->offset + s->place, s->data, s->size);
        }
    }
}

// A hash over the file with zeros in its place; longer ids are hashes of ever longer beginnings of the id.
static void write_build_id(struct link *l) {
    const struct input_section *s = &l->own[OWN_BUILD_ID];
    if (!l->options->build_id || !s->out) return;
    uint8_t *note = l->image + s->out->offset + s->place, *id = note + 16;
    size_t size = s->size - 16;
    wr32(note, 4);
    wr32(note + 4, (uint32_t)size);
    wr32(note + 8, NT_GNU_BUILD_ID);
    memcpy(note + 12, "GNU", 4);
    if (l->options->build_id == SW_BUILD_ID_GIVEN) {
        memcpy(id, l->options->build_id_bytes, size);
        return;
    }
    enum { PART = 1 << 20 }; // parts hashed on their own, then their hashes
    size_t parts = (l->file_size + PART - 1) / PART;
    uint8_t *hashes = malloc(parts * 8);
    if (!hashes) {
        link_no_memory(l);
        return;
    }
    for (size_t i = 0; i < parts; i++) {
        uint64_t rest = l->file_size - i * PART;
        wr64(hashes + 8 * i, hash64(l->image + i * PART, rest < PART ? rest : PART));
    }
    uint8_t all[24];
    wr64(all, hash64(hashes, parts * 8));
    wr64(all + 8, hash64(all, 8));
    wr64(all + 16, hash64(all, 16));
    memcpy(id, all, size);
    free(hashes);
}

void image_write(struct link *l) {
    if (!(l->image = calloc(1, l->file_size))) {
        link_no_memory(l);
        return;
    }
    write_header(l);
    write_contents(l);
    relocations_apply(l);
    dynamic_write(l);
    lds_raise_descriptors(l);
    write_tables(l);
    if (!link_failed(l)) write_build_id(l);
}
