// SPDX-License-Identifier: MIT
// Whether the runtime has what a program's libraries import from it. A missing function ends the program in
// the loader, with a line that names neither the runtime nor a way out; newer versions of HIP import more
// functions.
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/exec.h"

#define RUNTIME "libhsa-runtime64.so.1"

// A part of the file; NULL: it does not lie in the file, or not aligned.
static const void *part(const struct file *f, uint64_t at, uint64_t size) {
    return at <= f->size && size <= f->size - at && !(at & 7) ? f->data + at : NULL;
}
static const Elf64_Shdr *section(const struct file *f, uint32_t type) {
    const Elf64_Ehdr *h = part(f, 0, sizeof *h);
    if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64 ||
        h->e_shentsize != sizeof(Elf64_Shdr))
        return NULL;
    const Elf64_Shdr *all = part(f, h->e_shoff, (uint64_t)h->e_shnum * sizeof *all);
    for (unsigned i = 0; all && i < h->e_shnum; i++)
        if (all[i].sh_type == type) return &all[i];
    return NULL;
}

struct dynamic { // the symbols that a file shares with others
    const Elf64_Sym *symbols;
    uint64_t count;
    const char *names;
    uint64_t names_size; // the last byte is 0
};
static const char *name_at(const struct dynamic *d, uint64_t at) {
    return at < d->names_size ? d->names + at : "";
}
static bool read_dynamic(const struct file *f, struct dynamic *d) {
    const Elf64_Shdr *s = section(f, SHT_DYNSYM);
    const Elf64_Ehdr *h = s ? (const Elf64_Ehdr *)(const void *)f->data : NULL;
    if (!s || s->sh_link >= h->e_shnum) return false;
    const Elf64_Shdr *all = part(f, h->e_shoff, (uint64_t)h->e_shnum * sizeof *all), *t = &all[s->sh_link];
    d->count = s->sh_size / sizeof *d->symbols;
    d->symbols = part(f, s->sh_offset, s->sh_size);
    d->names_size = t->sh_size;
    if (t->sh_offset > f->size || t->sh_size > f->size - t->sh_offset) return false;
    d->names = (const char *)f->data + t->sh_offset;
    return d->symbols && d->names_size && !d->names[d->names_size - 1];
}

// The versions that a file wants of the runtime, as a set of their numbers below 64.
static uint64_t versions_wanted(const struct file *f, const struct dynamic *d) {
    const Elf64_Shdr *s = section(f, SHT_GNU_verneed);
    uint64_t set = 0;
    for (uint64_t at = 0, files = s ? s->sh_info : 0; files--;) {
        if (at > s->sh_size || s->sh_size - at < sizeof(Elf64_Verneed)) break;
        Elf64_Verneed need;
        if (s->sh_offset + at > f->size || f->size - s->sh_offset - at < sizeof need) break;
        memcpy(&need, f->data + s->sh_offset + at, sizeof need);
        uint64_t next = at + need.vn_aux;
        for (unsigned i = 0; i < need.vn_cnt && !strcmp(name_at(d, need.vn_file), RUNTIME); i++) {
            Elf64_Vernaux aux;
            if (s->sh_offset + next > f->size || f->size - s->sh_offset - next < sizeof aux) break;
            memcpy(&aux, f->data + s->sh_offset + next, sizeof aux);
            if (aux.vna_other < 64) set |= 1ull << aux.vna_other;
            next += aux.vna_next;
        }
        if (!need.vn_next) break;
        at += need.vn_next;
    }
    return set;
}

static bool defines(const struct dynamic *d, const char *name) {
    for (uint64_t i = 0; i < d->count; i++)
        if (d->symbols[i].st_shndx != SHN_UNDEF && !strcmp(name_at(d, d->symbols[i].st_name), name))
            return true;
    return false;
}

static void compare(const char *path, const struct file *f, const struct file *runtime, const char *folder) {
    struct dynamic wants, has;
    const Elf64_Shdr *s = section(f, SHT_GNU_versym);
    if (!s || !read_dynamic(f, &wants) || !read_dynamic(runtime, &has)) return;
    const uint64_t versions = versions_wanted(f, &wants);
    struct text missing = {0};
    for (uint64_t i = 0; versions && i < wants.count && (i + 1) * 2 <= s->sh_size; i++) {
        uint16_t version;
        if (s->sh_offset > f->size || f->size - s->sh_offset < (i + 1) * 2) break;
        memcpy(&version, f->data + s->sh_offset + 2 * i, sizeof version);
        version &= 0x7fff;
        if (wants.symbols[i].st_shndx != SHN_UNDEF || version >= 64 || !(versions >> version & 1)) continue;
        const char *name = name_at(&wants, wants.symbols[i].st_name);
        if (!defines(&has, name)) text_printf(&missing, "%s%s", missing.length ? ", " : "", name);
    }
    const char *slash = strrchr(path, '/');
    if (missing.data)
        fprintf(
            stderr,
            "softwave exec: %s imports what the runtime in %s does not have, and cannot be loaded: %s; it "
            "needs a newer Softwave, or the program an older ROCm\n",
            slash ? slash + 1 : path, folder, missing.data);
    text_free(&missing);
}

void exec_check_symbols(const char *path, const char *folder) {
    char own[EXEC_PATH];
    struct file f, runtime;
    if (snprintf(own, sizeof own, "%s/" RUNTIME, folder) >= (int)sizeof own) return;
    if (file_open(&f, path, NULL) != SW_OK) return;
    if (file_open(&runtime, own, NULL) == SW_OK) {
        compare(path, &f, &runtime, folder);
        file_close(&runtime);
    }
    file_close(&f);
}
