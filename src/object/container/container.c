// SPDX-License-Identifier: MIT
// Finding code objects in a file without reading more than headers.
//
// A file is a code object; or a row of bundles (clang offload bundles, compressed ones, offload binaries),
// each at once behind the last or at the next page; or a host ELF file, where the sections .hip_fatbin,
// .llvm.offloading hold such rows and __CLANG_OFFLOAD_BUNDLE__ID one image each; or a bundle of texts; or an
// archive of all these (archive.c). A host file without device code in named sections is searched for whole
// code objects in its data, which is how GCC embeds them.
#include "object/container/container.h"
#include "target/target.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"

static const char bundle_magic[] = "__CLANG_OFFLOAD_BUNDLE__";
enum { BUNDLE_MAGIC = sizeof bundle_magic - 1 };
static const uint8_t binary_magic[4] = {0x10, 0xff, 0x10, 0xad};
enum { MAX_ID = 1024, MAX_ENTRIES = 1 << 20, PAGE = 4096 };

sw_status container_bad(const struct sw_container *c, const sw_sink *sink, uint64_t offset,
                        const char *within, const char *format, ...) {
    sw_location at = {.file = c->name, .offset = offset, .has_offset = true, .within = within};
    va_list args;
    va_start(args, format);
    diag_reportv(sink, SW_SEVERITY_ERROR, &at, format, args);
    va_end(args);
    return SW_BAD_INPUT;
}

sw_status container_no_memory(const struct sw_container *c, const sw_sink *sink) {
    sw_location at = {.file = c->name};
    return diag_fail(sink, SW_NO_MEMORY, &at, "out of memory");
}

// ---- Entries -------------------------------------------------------------------------------------------

static bool is_gpu_elf(const uint8_t *data, uint64_t size) {
    return data && size >= sizeof(Elf64_Ehdr) && !memcmp(data, ELFMAG, SELFMAG) &&
           rd16(data + 18) == EM_AMDGPU && data[EI_CLASS] == ELFCLASS64 && data[EI_DATA] == ELFDATA2LSB;
}

void container_identify(sw_entry *e) {
    sw_bundle_entry id = {.size = sizeof id};
    bool named = !sw_bundle_entry_parse(e->id, strlen(e->id), &id, NULL) && id.kind != SW_BUNDLE_HOST;
    e->is_device = e->data ? is_gpu_elf(e->data, e->size) : named;
    e->has_target = false;
    if (!e->is_device) return;
    if (named) e->target = id.target, e->has_target = true;
    // "hip" says V3, whose code without features has them off. But compressed bundles came later, with V4.
    const sw_processor *p = id.target.processor;
    if (!e->data && named && id.v3 && !strchr(e->id, '+') && p)
        sw_target_parse(p->name, strlen(p->name), &e->target, NULL);
    if (!e->data) return;
    bool hsa = e->data[EI_OSABI] == 64;
    unsigned version = hsa ? e->data[EI_ABIVERSION] : 1; // other OSs: flags as in V3
    uint32_t flags = rd32(e->data + 48);
    sw_target t;
    if (hsa && version == 0) return; // V2: the target is in a note
    if (sw_target_from_eflags(flags, version, &t, NULL)) return;
    e->target = t;
    e->has_target = true;
    e->generic_version = sw_eflags_generic_version(flags, version);
}

sw_status container_add_entry(struct sw_container *c, sw_entry e, const char *id, size_t id_length,
                              const sw_sink *sink) {
    if (c->entries.count >= MAX_ENTRIES) return container_bad(c, sink, e.offset, NULL, "too many entries");
    e.bundle = c->bundles.count - 1;
    e.member = c->member;
    e.id = arena_copy(&c->arena, id, id_length);
    if (!e.id) return container_no_memory(c, sink);
    container_identify(&e);
    return array_push(&c->entries, e) ? SW_OK : container_no_memory(c, sink);
}

// ---- Clang offload bundles -----------------------------------------------------------------------------

// The entry table at `table`, of which `have` bytes are at hand, of a bundle of `size` bytes whose byte 0 is
// `data` (NULL while compressed). *extent becomes how far its entries reach. SW_CHECK: more bytes are needed.
static sw_status read_bundle(struct sw_container *c, const uint8_t *table, uint64_t have, const uint8_t *data,
                             uint64_t size, uint64_t offset, uint64_t *extent, const sw_sink *sink) {
    const char *within = "offload bundle";
    if (have < 32) return container_bad(c, sink, offset, within, "the header is cut off");
    uint64_t count = rd64(table + 24), at = 32;
    if (count > (size - 32) / 24)
        return container_bad(c, sink, offset + 24, within, "%llu entries do not fit %llu bytes",
                             (unsigned long long)count, (unsigned long long)size);
    *extent = at;
    for (uint64_t i = 0; i < count; i++) {
        if (have - at < 24 && have < size) return SW_CHECK;
        if (have - at < 24)
            return container_bad(c, sink, offset + at, within, "entry %llu is cut off",
                                 (unsigned long long)i);
        uint64_t start = rd64(table + at), length = rd64(table + at + 8), id_length = rd64(table + at + 16);
        at += 24;
        if (id_length > MAX_ID)
            return container_bad(c, sink, offset + at - 8, within, "the id of entry %llu has %llu characters",
                                 (unsigned long long)i, (unsigned long long)id_length);
        if (have - at < id_length && have < size) return SW_CHECK;
        if (have - at < id_length)
            return container_bad(c, sink, offset + at, within, "the id of entry %llu is cut off",
                                 (unsigned long long)i);
        const char *id = (const char *)table + at;
        if (memchr(id, 0, id_length))
            return container_bad(c, sink, offset + at, within, "the id of entry %llu contains a NUL",
                                 (unsigned long long)i);
        at += id_length;
        if (!in_range(start, length, size))
            return container_bad(
                c, sink, offset + at, within,
                "entry '%.*s' (offset 0x%llx, size 0x%llx) lies outside the bundle of 0x%llx bytes",
                (int)id_length, id, (unsigned long long)start, (unsigned long long)length,
                (unsigned long long)size);
        sw_entry e = {
            .offset = data ? offset + start : start, .size = length, .data = data ? data + start : NULL};
        sw_status s = container_add_entry(c, e, id, id_length, sink);
        if (s) return s;
        if (start + length > *extent) *extent = start + length;
    }
    if (at > *extent) *extent = at;
    return SW_OK;
}

static sw_status add_plain(struct sw_container *c, uint64_t offset, uint64_t limit, uint64_t *end,
                           const sw_sink *sink) {
    uint64_t extent = 0, size = limit - offset;
    sw_status s = read_bundle(c, c->bytes + offset, size, c->bytes + offset, size, offset, &extent, sink);
    *end = offset + extent;
    return s;
}

static sw_status add_compressed(struct sw_container *c, uint64_t offset, uint64_t limit, uint64_t *end,
                                const sw_sink *sink) {
    struct bundle *b = &c->bundles.items[c->bundles.count - 1];
    sw_status s = compressed_header(c, offset, limit, b, end, sink);
    if (s) return s;
    uint8_t peek[16384];
    size_t have = sizeof peek, before = c->entries.count;
    uint64_t extent;
    if ((s = compressed_peek(c, b, peek, &have, sink))) return s;
    if (have < BUNDLE_MAGIC || memcmp(peek, bundle_magic, BUNDLE_MAGIC))
        return container_bad(c, sink, offset, "compressed bundle",
                             "what was compressed is not an offload bundle");
    s = read_bundle(c, peek, have, NULL, b->plain_size, offset, &extent, sink);
    if (s != SW_CHECK) return s;
    c->entries.count = before; // a table longer than the peek
    if ((s = compressed_expand(c, b, sink))) return s;
    return read_bundle(c, b->plain, b->plain_size, NULL, b->plain_size, offset, &extent, sink);
}

// ---- Offload binaries ----------------------------------------------------------------------------------

static const char *string_at(const uint8_t *data, uint64_t size, uint64_t offset) {
    if (offset >= size) return NULL;
    const char *s = (const char *)data + offset;
    return memchr(s, 0, size - offset < MAX_ID ? size - offset : MAX_ID) ? s : NULL;
}

static sw_status add_binary(struct sw_container *c, uint64_t offset, uint64_t limit, uint64_t *end,
                            const sw_sink *sink) {
    const char *within = "offload binary";
    const uint8_t *p = c->bytes + offset;
    if (limit - offset < 32) return container_bad(c, sink, offset, within, "the header is cut off");
    uint32_t version = rd32(p + 4);
    uint64_t size = rd64(p + 8), entry = rd64(p + 16), entry_size = rd64(p + 24);
    if (version != 1) {
        sw_location at = {.file = c->name, .offset = offset + 4, .has_offset = true, .within = within};
        return diag_fail(sink, SW_UNSUPPORTED, &at, "version is %u, only 1 is known", version);
    }
    if (size < 32 || size > limit - offset || !in_range(entry, 40, size) || entry_size < 40)
        return container_bad(c, sink, offset + 8, within,
                             "size 0x%llx or entry offset 0x%llx lies outside the file",
                             (unsigned long long)size, (unsigned long long)entry);
    uint64_t strings = rd64(p + entry + 8), count = rd64(p + entry + 16);
    uint64_t image = rd64(p + entry + 24), image_size = rd64(p + entry + 32);
    if (count > 1024 || !in_range(strings, count * 16, size) || !in_range(image, image_size, size))
        return container_bad(c, sink, offset + entry, within,
                             "the strings or the image lie outside the binary");
    const char *triple = "", *arch = "";
    for (uint64_t i = 0; i < count; i++) {
        const char *key = string_at(p, size, rd64(p + strings + i * 16));
        const char *value = string_at(p, size, rd64(p + strings + i * 16 + 8));
        if (!key || !value)
            return container_bad(c, sink, offset + strings + i * 16, within,
                                 "string %llu lies outside the binary", (unsigned long long)i);
        if (!strcmp(key, "triple")) triple = value;
        if (!strcmp(key, "arch")) arch = value;
    }
    // The id that an offload bundle would give it. HIP is 3 up to LLVM 19 and a bit set since.
    static const char *const kinds[] = {"none", "openmp", "cuda", "hipv4", "hipv4"};
    unsigned kind = rd16(p + entry + 2);
    char id[2 * MAX_ID + 32];
    int n = snprintf(id, sizeof id, "%s-%s--%s", kind < 5 ? kinds[kind] : "unknown", triple, arch);
    *end = offset + size;
    sw_entry e = {.offset = offset + image, .size = image_size, .data = p + image};
    return container_add_entry(c, e, id, (size_t)n, sink);
}

// ---- Rows of bundles -----------------------------------------------------------------------------------

static uint64_t skip_zeros(const uint8_t *bytes, uint64_t at, uint64_t end) {
    while (at < end && (at & 7) && !bytes[at]) at++;
    while (end - at >= 8 && !(at & 7) && !rd64(bytes + at)) at += 8;
    while (at < end && !bytes[at]) at++;
    return at;
}

static bool starts(const struct sw_container *c, uint64_t at, uint64_t end, const void *magic,
                   size_t length) {
    return end - at >= length && !memcmp(c->bytes + at, magic, length);
}

// Every bundle in [start, end). *found counts them.
static sw_status add_row(struct sw_container *c, uint64_t start, uint64_t end, size_t *found,
                         const sw_sink *sink) {
    for (uint64_t at = skip_zeros(c->bytes, start, end); at < end; at = skip_zeros(c->bytes, at, end)) {
        bool plain = starts(c, at, end, bundle_magic, BUNDLE_MAGIC),
             binary = starts(c, at, end, binary_magic, 4);
        bool compressed = starts(c, at, end, "CCOB", 4);
        if (!plain && !binary && !compressed) { // padding that is not zero: look again at the next page
            uint64_t next = start + align_up(at - start + 1, PAGE);
            at = next < end ? next : end;
            continue;
        }
        struct bundle b = {.offset = at, .method = COMPRESS_NONE};
        if (!array_push(&c->bundles, b)) return container_no_memory(c, sink);
        uint64_t next = end;
        sw_status s = plain    ? add_plain(c, at, end, &next, sink)
                      : binary ? add_binary(c, at, end, &next, sink)
                               : add_compressed(c, at, end, &next, sink);
        if (s) return s;
        ++*found;
        at = next;
    }
    return SW_OK;
}

// ---- Host files ----------------------------------------------------------------------------------------

static bool holds_bundles(const char *name) {
    static const char *const prefixes[] = {".hip_fatbin", ".llvm.offloading"};
    if (!strcmp(name, ".hip_fatbin_segment") || !strcmp(name, ".hipFatBinSegment")) return false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) return true;
    return false;
}

// The size of the ELF file at `at`: up to its section headers, which linkers write last, else its segments.
static uint64_t elf_extent(const uint8_t *p, uint64_t limit) {
    Elf64_Ehdr h;
    memcpy(&h, p, sizeof h);
    uint64_t size = sizeof h;
    if (h.e_shoff && in_range(h.e_shoff, (uint64_t)h.e_shnum * 64, limit))
        return h.e_shoff + (uint64_t)h.e_shnum * 64;
    for (unsigned i = 0; i < h.e_phnum && i < 64 && in_range(h.e_phoff, (i + 1) * sizeof(Elf64_Phdr), limit);
         i++) {
        Elf64_Phdr g;
        memcpy(&g, p + h.e_phoff + i * sizeof g, sizeof g);
        if (in_range(g.p_offset, g.p_filesz, limit) && g.p_offset + g.p_filesz > size)
            size = g.p_offset + g.p_filesz;
    }
    return size;
}

static sw_status search_data(struct sw_container *c, uint64_t start, uint64_t end, const sw_sink *sink) {
    static const uint8_t ident[8] = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT, 64};
    while (end - start >= sizeof(Elf64_Ehdr)) {
        const uint8_t *p = memmem(c->bytes + start, end - start, ident, sizeof ident);
        if (!p) break;
        start = (uint64_t)(p - c->bytes);
        if (!is_gpu_elf(p, end - start)) {
            start += sizeof ident;
            continue;
        }
        struct bundle b = {.offset = start, .method = COMPRESS_NONE};
        if (!array_push(&c->bundles, b)) return container_no_memory(c, sink);
        sw_entry e = {.offset = start, .size = elf_extent(p, end - start), .data = p};
        sw_status s = container_add_entry(c, e, "", 0, sink);
        if (s) return s;
        start += e.size;
    }
    return SW_OK;
}

// A section of a host object made by clang-offload-bundler: its name is the magic and the entry id.
static sw_status add_named_section(struct sw_container *c, const char *id, uint64_t offset, uint64_t size,
                                   const sw_sink *sink) {
    struct bundle b = {.offset = offset, .method = COMPRESS_NONE};
    if (!array_push(&c->bundles, b)) return container_no_memory(c, sink);
    sw_entry e = {.offset = offset, .size = size, .data = c->bytes + offset};
    return container_add_entry(c, e, id, strlen(id), sink);
}

static sw_status add_host(struct sw_container *c, uint64_t base, uint64_t size, const sw_sink *sink) {
    const char *within = "host ELF file";
    const uint8_t *file = c->bytes + base;
    const size_t before = c->entries.count;
    Elf64_Ehdr h;
    if (size < sizeof h || file[EI_CLASS] != ELFCLASS64 || file[EI_DATA] != ELFDATA2LSB)
        return container_bad(c, sink, base + 4, within, "only 64-bit little-endian host files are read");
    memcpy(&h, file, sizeof h);
    if (h.e_shentsize != 64 || !in_range(h.e_shoff, (uint64_t)h.e_shnum * 64, size) ||
        h.e_shstrndx >= h.e_shnum)
        return container_bad(c, sink, base + 40, within, "the section headers lie outside the file");
    Elf64_Shdr names;
    memcpy(&names, file + h.e_shoff + h.e_shstrndx * 64u, sizeof names);
    if (!in_range(names.sh_offset, names.sh_size, size))
        return container_bad(c, sink, base + h.e_shoff, within, "the section names lie outside the file");
    size_t found = 0;
    uint64_t budget = size; // sections may not name the same bytes again and again
    for (int pass = 0; pass < 2 && !found; pass++)
        for (unsigned i = 1; i < h.e_shnum; i++) {
            Elf64_Shdr s;
            memcpy(&s, file + h.e_shoff + i * 64u, sizeof s);
            const char *name = string_at(file + names.sh_offset, names.sh_size, s.sh_name);
            bool data = pass && s.sh_type == SHT_PROGBITS && (s.sh_flags & SHF_ALLOC) &&
                        !(s.sh_flags & SHF_EXECINSTR);
            bool row = !pass && name && s.sh_type != SHT_NOBITS && holds_bundles(name);
            const char *id =
                !pass && name && !strncmp(name, bundle_magic, BUNDLE_MAGIC) ? name + BUNDLE_MAGIC : NULL;
            if (!data && !row && !id) continue;
            if (!in_range(s.sh_offset, s.sh_size, size) || s.sh_size > budget)
                return container_bad(c, sink, base + h.e_shoff + i * 64u, within,
                                     "section %u lies outside the file or overlaps", i);
            budget -= s.sh_size;
            const uint64_t start = base + s.sh_offset;
            sw_status status = id    ? add_named_section(c, id, start, s.sh_size, sink)
                               : row ? add_row(c, start, start + s.sh_size, &found, sink)
                                     : search_data(c, start, start + s.sh_size, sink);
            if (status) return status;
            found += id != NULL;
        }
    if (c->entries.count == before && !c->member)
        return container_bad(
            c, sink, base, within,
            "no device code: no section .hip_fatbin or .llvm.offloading and no embedded code object");
    return SW_OK;
}

// ---- Opening -------------------------------------------------------------------------------------------

// What stands in [base, base + size): the file, or a member of an archive. *kind becomes its form.
sw_status container_read_part(struct sw_container *c, uint64_t base, uint64_t size, sw_container_kind *kind,
                              const sw_sink *sink) {
    const uint8_t *p = c->bytes + base;
    if (size >= 20 && !memcmp(p, ELFMAG, SELFMAG)) {
        const bool core = rd16(p + 16) == ET_CORE; // of the host with the GPUs' state in a note (CORE-04)
        if (rd16(p + 18) != EM_AMDGPU && !core) {
            *kind = SW_CONTAINER_HOST;
            return add_host(c, base, size, sink);
        }
        *kind = SW_CONTAINER_CODE_OBJECT;
        struct bundle b = {.offset = base, .method = COMPRESS_NONE};
        if (!array_push(&c->bundles, b)) return container_no_memory(c, sink);
        sw_entry e = {.offset = base, .size = size, .data = p};
        sw_status s = container_add_entry(c, e, "", 0, sink);
        if (!s && core) c->entries.items[c->entries.count - 1].is_device = true;
        return s;
    }
    size_t found = 0;
    const uint64_t end = base + size;
    bool plain = starts(c, base, end, bundle_magic, BUNDLE_MAGIC),
         compressed = starts(c, base, end, "CCOB", 4);
    if (plain || compressed || starts(c, base, end, binary_magic, 4)) {
        *kind = plain        ? SW_CONTAINER_BUNDLE
                : compressed ? SW_CONTAINER_COMPRESSED
                             : SW_CONTAINER_OFFLOAD_BINARY;
        return add_row(c, base, end, &found, sink);
    }
    *kind = SW_CONTAINER_TEXT;
    sw_status s = container_read_text(c, base, size, &found, sink);
    if (s || found || c->member) return s;
    return container_bad(c, sink, base, NULL, "%s",
                         size ? "neither an ELF file nor an offload bundle" : "the file is empty");
}

static sw_status read_file(struct sw_container *c, const sw_sink *sink) {
    if (!starts(c, 0, c->size, "!<arch>\n", 8) && !starts(c, 0, c->size, "!<thin>\n", 8))
        return container_read_part(c, 0, c->size, &c->kind, sink);
    c->kind = SW_CONTAINER_ARCHIVE;
    return container_read_archive(c, sink);
}

sw_status sw_container_open(const uint8_t *bytes, size_t length, const sw_container_options *options,
                            sw_container **out, const sw_sink *sink) {
    *out = NULL;
    sw_container_options o;
    sw_status s = sized_take(SIZED(sw_container_options, max_decompressed), &o, options, sink);
    if (s) return s;
    struct sw_container *c = calloc(1, sizeof *c);
    if (!c) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    c->bytes = bytes;
    c->size = length;
    if (o.name) c->name = arena_copy(&c->arena, o.name, strlen(o.name));
    c->max_decompressed = o.max_decompressed      ? o.max_decompressed
                          : length < (4ull << 20) ? 256ull << 20
                                                  : 64ull * length;
    s = read_file(c, sink);
    if (s)
        sw_container_close(c);
    else
        *out = c;
    return s;
}

void sw_container_close(sw_container *c) {
    if (!c) return;
    for (size_t i = 0; i < c->bundles.count; i++) free(c->bundles.items[i].plain);
    array_free(&c->bundles);
    array_free(&c->entries);
    arena_free(&c->arena);
    free(c);
}

sw_container_kind sw_container_get_kind(const sw_container *c) { return c->kind; }

size_t sw_container_entry_count(const sw_container *c) { return c->entries.count; }
const sw_entry *sw_container_entry(const sw_container *c, size_t i) {
    return i < c->entries.count ? &c->entries.items[i] : NULL;
}

sw_status sw_container_data(sw_container *c, size_t index, const uint8_t **data, size_t *length,
                            const sw_sink *sink) {
    if (index >= c->entries.count) return diag_fail(sink, SW_USAGE, NULL, "entry %zu does not exist", index);
    sw_entry *e = &c->entries.items[index];
    if (!e->data) {
        struct bundle *b = &c->bundles.items[e->bundle];
        sw_status s = compressed_expand(c, b, sink);
        if (s) return s;
        for (size_t i = 0; i < c->entries.count; i++) {
            sw_entry *other = &c->entries.items[i];
            if (other->bundle != e->bundle) continue;
            other->data = b->plain + other->offset;
            container_identify(other);
        }
    }
    *data = e->data;
    *length = e->size;
    return SW_OK;
}
