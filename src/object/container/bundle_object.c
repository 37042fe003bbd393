// SPDX-License-Identifier: MIT
// Host objects that carry their device code in sections __CLANG_OFFLOAD_BUNDLE__ID, one for each part of the
// bundle; that of the host itself is empty. The sections are excluded from links. Adding them leaves the
// object as it is and writes contents, names and a new section header table behind it, so that no index
// changes; taking them out again leaves empty section headers in their places.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "object/container/bundle.h"

static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";

static sw_status bad(const sw_sink *sink, uint64_t offset, const char *message) {
    sw_location at = {.offset = offset, .has_offset = true, .within = "host object"};
    return diag_fail(sink, SW_BAD_INPUT, &at, "%s", message);
}

// Checks the header, the section headers and the table of their names.
static sw_status read_host(const uint8_t *data, size_t size, Elf64_Ehdr *h, Elf64_Shdr *names,
                           const sw_sink *sink) {
    if (size < sizeof *h || memcmp(data, ELFMAG, SELFMAG) || data[EI_CLASS] != ELFCLASS64 ||
        data[EI_DATA] != ELFDATA2LSB)
        return bad(sink, 0, "not a 64-bit little-endian ELF object");
    memcpy(h, data, sizeof *h);
    if (h->e_shentsize != sizeof *names || !h->e_shnum || h->e_shstrndx >= h->e_shnum ||
        !in_range(h->e_shoff, (uint64_t)h->e_shnum * sizeof *names, size))
        return bad(sink, 40, "the section headers lie outside the file");
    memcpy(names, data + h->e_shoff + h->e_shstrndx * sizeof *names, sizeof *names);
    if (!in_range(names->sh_offset, names->sh_size, size) || !names->sh_size ||
        data[names->sh_offset + names->sh_size - 1])
        return bad(sink, h->e_shoff, "the section names lie outside the file");
    return SW_OK;
}

sw_status bundle_write_object(const sw_bundle_part *parts, size_t count, struct text *t,
                              const sw_sink *sink) {
    size_t host = 0;
    while (host < count && strncmp(parts[host].id, "host-", 5)) host++;
    if (host == count) return diag_fail(sink, SW_BAD_INPUT, NULL, "no host object to hold the parts");
    const uint8_t *data = parts[host].data;
    Elf64_Ehdr h;
    Elf64_Shdr names;
    sw_status s = read_host(data, parts[host].length, &h, &names, sink);
    if (s) return s;
    if (count > SHN_LORESERVE - 1u - h.e_shnum) return bad(sink, 60, "too many sections");
    Elf64_Shdr *added = calloc(count, sizeof *added);
    if (!added) return bundle_no_memory(sink);
    text_add(t, (const char *)data, parts[host].length);
    for (size_t i = 0; i < count; i++) {
        added[i] =
            (Elf64_Shdr){.sh_type = SHT_PROGBITS,
                         .sh_flags = SHF_EXCLUDE,
                         .sh_offset = t->length,
                         .sh_size = i == host ? 1 : parts[i].length, // a NUL stands for the host's part
                         .sh_addralign = 1};
        text_add(t, i == host ? "" : (const char *)parts[i].data, added[i].sh_size);
    }
    const uint64_t names_at = t->length;
    text_add(t, (const char *)data + names.sh_offset, names.sh_size);
    for (size_t i = 0; i < count; i++) {
        added[i].sh_name = (uint32_t)(t->length - names_at);
        text_puts(t, magic);
        text_add(t, parts[i].id, strlen(parts[i].id) + 1);
    }
    names.sh_offset = names_at;
    names.sh_size = t->length - names_at;
    while (t->length % 8 && !t->failed) text_add(t, "", 1);
    const uint64_t headers = t->length;
    text_add(t, (const char *)data + h.e_shoff, (size_t)h.e_shnum * sizeof names);
    text_add(t, (const char *)added, count * sizeof *added);
    free(added);
    if (t->failed) return bundle_no_memory(sink);
    memcpy(t->data + headers + h.e_shstrndx * sizeof names, &names, sizeof names);
    h.e_shoff = headers;
    h.e_shnum = (uint16_t)(h.e_shnum + count);
    memcpy(t->data, &h, sizeof h);
    return SW_OK;
}

sw_status sw_bundle_host_object(const uint8_t *data, size_t size, uint8_t **out, size_t *length,
                                const sw_sink *sink) {
    Elf64_Ehdr h;
    Elf64_Shdr names;
    *out = NULL;
    sw_status s = read_host(data, size, &h, &names, sink);
    if (s) return s;
    struct text t = {0};
    text_add(&t, (const char *)data, size);
    unsigned last = 0;
    for (unsigned i = 1; !t.failed && i < h.e_shnum; i++) {
        Elf64_Shdr c;
        const uint64_t at = h.e_shoff + i * sizeof c;
        memcpy(&c, data + at, sizeof c);
        const char *name = c.sh_name < names.sh_size ? (const char *)data + names.sh_offset + c.sh_name : "";
        if (strncmp(name, magic, strlen(magic))) {
            last = i;
            continue;
        }
        if (in_range(c.sh_offset, c.sh_size, size)) memset(t.data + c.sh_offset, 0, c.sh_size);
        memset(t.data + at, 0, sizeof c);
    }
    if (!t.failed) {
        h.e_shnum = (uint16_t)(last + 1); // those at the end go altogether
        memcpy(t.data, &h, sizeof h);
    }
    return bundle_finish(&t, out, length, sink);
}
