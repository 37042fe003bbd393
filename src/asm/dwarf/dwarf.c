// SPDX-License-Identifier: MIT
// What all writers of debug sections use: entering them, putting numbers and addresses; and the order in
// which the sections come: frames, the description of the text, the line table.
#include "asm/dwarf/dwarf.h"

#include <elf.h>
#include <string.h>

#include "base/bytes.h"

struct dwarf *dwarf_of(struct unit *u) {
    if (u->dwarf) return u->dwarf;
    struct dwarf *d = u->dwarf = arena_alloc(&u->arena, sizeof *d);
    if (!d) return unit_no_memory(u), NULL;
    d->version = u->options->dwarf_version ? u->options->dwarf_version : 4;
    const char *directory = u->options->directory ? u->options->directory : "";
    d->directory = (struct slice){directory, strlen(directory)};
    d->directories.arena = &u->arena;
    d->all_md5 = true;
    d->loc.flags = LINE_IS_STMT;
    d->last_program = &d->programs;
    return d;
}

void dwarf_free(struct unit *u) {
    struct dwarf *d = u->dwarf;
    if (!d) return;
    for (struct line_program *p = d->programs; p; p = p->next) array_free(&p->rows);
    for (size_t i = 0; i < d->frames.count; i++) array_free(&d->frames.items[i]->cfi);
    if (d->source) dwarf_free_source(d->source);
    array_free(&d->frames);
    array_free(&d->open_frames);
    array_free(&d->files);
    array_free(&d->directory_names);
    free(d->directories.slots);
}

bool dwarf_write(struct unit *u) {
    if (!u->dwarf) return true;
    u->loc_pending = false; // nothing came behind the last .loc
    struct section *here = u->section;
    bool ok = dwarf_write_frames(u) && dwarf_write_source(u) && dwarf_write_lines(u);
    u->section = here;
    return ok;
}

bool dwarf_put(struct unit *u, uint64_t v, unsigned size) {
    uint8_t bytes[8];
    wr64(bytes, v);
    return unit_emit(u, bytes, size);
}

bool dwarf_put_uleb(struct unit *u, uint64_t v) {
    uint8_t bytes[10];
    return unit_emit(u, bytes, leb_bytes(bytes, (int64_t)v, false, 0));
}

bool dwarf_put_sleb(struct unit *u, int64_t v) {
    uint8_t bytes[10];
    return unit_emit(u, bytes, leb_bytes(bytes, v, true, 0));
}

bool dwarf_put_string(struct unit *u, struct slice s) {
    return (!s.length || unit_emit(u, s.text, s.length)) && unit_emit(u, "", 1);
}

static struct symbol *symbol_at(struct unit *u, struct place p) {
    struct symbol *s = symbol_make(&u->symbols);
    if (!s) return unit_no_memory(u), NULL;
    s->state = SYMBOL_LABEL;
    s->temporary = true;
    s->section = p.section;
    s->offset = p.offset;
    s->piece = p.piece;
    return s;
}

bool dwarf_put_symbol(struct unit *u, struct symbol *s, unsigned size, bool relative) {
    if (!s) return false;
    const struct expr *e = &s->reference;
    if (relative) {
        struct symbol *here = symbol_at(u, unit_here(u));
        e = here ? expr_binary(&u->arena, OP_SUB, e, &here->reference) : NULL;
        if (!e) return unit_no_memory(u);
    }
    unsigned kind = size == 2 ? FIX_DATA2 : size == 4 ? FIX_DATA4 : FIX_DATA8;
    return unit_fixup(u, u->section->size, kind, e) && dwarf_put(u, 0, size);
}

bool dwarf_put_place(struct unit *u, struct place p, unsigned size, bool relative) {
    return dwarf_put_symbol(u, symbol_at(u, p), size, relative);
}

bool dwarf_put_offset(struct unit *u, struct section *s, uint64_t offset) {
    return dwarf_put_place(u, (struct place){s, offset, 0}, 4, false);
}

bool dwarf_enter(struct unit *u, const char *name, uint64_t flags, uint64_t entsize) {
    struct section *s = unit_section(u, (struct slice){name, strlen(name)}, SHT_PROGBITS, flags, entsize);
    if (s && s->type == SHT_NOBITS)
        return unit_late_error(u, NOWHERE, "section %s is to hold debug information but has no contents",
                               name);
    if (s) u->section = s;
    return s;
}

void dwarf_put_length(struct unit *u, uint64_t at) {
    struct section *s = u->section;
    wr32(s->data + at, (uint32_t)(s->size - at - 4));
}
