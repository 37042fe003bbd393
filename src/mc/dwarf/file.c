// SPDX-License-Identifier: MIT
// Files and directories by number, as LLVM numbers them, and rows of the line table, each of which belongs to
// the first bytes emitted after its .loc.
#include <string.h>

#include "mc/dwarf/dwarf.h"

enum { MAX_FILE = 1 << 20 };

// The number of a directory, from 1; 0: out of memory.
static uint32_t directory_number(struct program *program, struct dwarf *d, struct slice name) {
    struct symbol *s = symbol_get(&d->directories, name.text, name.length);
    if (s && !s->index && array_push(&d->directory_names, s->name))
        s->index = (uint32_t)d->directory_names.count;
    if (!s || !s->index) program_no_memory(program);
    return s ? s->index : 0;
}

// The folder in which a path says that its file is: "/" for one at the root.
static bool split_path(struct slice path, struct slice *directory, struct slice *name) {
    size_t slash = path.length;
    while (slash && path.text[slash - 1] != '/') slash--;
    if (!slash) return false;
    *name = (struct slice){path.text + slash, path.length - slash};
    if (!name->length) *name = (struct slice){".", 1};
    while (slash > 1 && path.text[slash - 1] == '/') slash--;
    *directory = (struct slice){path.text, slash};
    return true;
}

static bool same(struct slice a, struct slice b) {
    return a.length == b.length && (!a.length || !memcmp(a.text, b.text, a.length));
}

static void track_md5(struct dwarf *d, const struct dwarf_file *f) {
    d->all_md5 &= f->has_md5;
    d->any_md5 |= f->has_md5;
}

bool dwarf_set_root(struct dwarf *d, struct slice directory, const struct dwarf_file *f) {
    d->directory = directory;
    d->root = *f;
    d->root.directory = 0;
    d->any_source |= f->source.text != NULL;
    track_md5(d, f);
    return true;
}

bool dwarf_add_file(struct program *program, uint64_t number, struct slice directory, struct dwarf_file *f,
                    const char *where) {
    struct dwarf *d = program->dwarf;
    if (d->root.name.length && same(directory, d->directory)) directory.length = 0;
    if (!f->name.length) f->name = (struct slice){"<stdin>", 7}, directory.length = 0;
    if (!d->files.count) track_md5(d, f), d->any_source |= f->source.text != NULL;
    if (d->version >= 5 && d->root.name.length && same(d->root.name, f->name) &&
        d->root.has_md5 == f->has_md5 && !memcmp(d->root.md5, f->md5, 16))
        return true;
    if (number > MAX_FILE) return program_error(program, where, "file numbers go up to %d", MAX_FILE);
    if (!array_reserve(&d->files, number + 1 > d->files.count ? number + 1 - d->files.count : 0))
        return program_no_memory(program);
    while (d->files.count <= number) d->files.items[d->files.count++] = NULL;
    if (d->files.items[number]) return program_error(program, where, "file number already allocated");
    struct slice name;
    if (!directory.length && split_path(f->name, &directory, &name)) f->name = name;
    f->directory = directory.length ? directory_number(program, d, directory) : 0;
    if (directory.length && !f->directory) return false;
    d->files.items[number] = f;
    d->any_source |= f->source.text != NULL;
    track_md5(d, f);
    return true;
}

bool dwarf_row(struct program *program) {
    struct dwarf *d = program->dwarf;
    struct section *s = section_whole(program->section);
    program->loc_pending = false;
    if (program->section != d->loc_section) return true; // a .loc holds in its own section
    if (!s->lines) {
        struct line_program *p = arena_alloc(&program->arena, sizeof *p);
        if (!p) return program_no_memory(program);
        p->section = s;
        *d->last_program = s->lines = p;
        d->last_program = &p->next;
    }
    d->loc.place = program_here(program);
    return array_push(&s->lines->rows, d->loc) || program_no_memory(program);
}
