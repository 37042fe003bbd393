// SPDX-License-Identifier: MIT
// What all writers of debug sections use: entering them, putting numbers and addresses.
#include "mc/dwarf/dwarf.h"

#include <elf.h>
#include <string.h>

#include "base/bytes.h"

struct dwarf *dwarf_of(struct program *program) {
    if (program->dwarf) return program->dwarf;
    struct dwarf *d = program->dwarf = arena_alloc(&program->arena, sizeof *d);
    if (!d) return program_no_memory(program), NULL;
    d->version = program->options->dwarf_version ? program->options->dwarf_version : 4;
    const char *directory = program->options->directory ? program->options->directory : "";
    d->directory = (struct slice){directory, strlen(directory)};
    d->directories.arena = &program->arena;
    d->all_md5 = true;
    d->loc.flags = LINE_IS_STMT;
    d->last_program = &d->programs;
    return d;
}

bool dwarf_put(struct program *program, uint64_t v, unsigned size) {
    uint8_t bytes[8];
    wr64(bytes, v);
    return program_emit(program, bytes, size);
}

bool dwarf_put_uleb(struct program *program, uint64_t v) {
    uint8_t bytes[10];
    return program_emit(program, bytes, leb_bytes(bytes, (int64_t)v, false, 0));
}

bool dwarf_put_sleb(struct program *program, int64_t v) {
    uint8_t bytes[10];
    return program_emit(program, bytes, leb_bytes(bytes, v, true, 0));
}

bool dwarf_put_string(struct program *program, struct slice s) {
    return (!s.length || program_emit(program, s.text, s.length)) && program_emit(program, "", 1);
}

static struct symbol *symbol_at(struct program *program, struct place p) {
    struct symbol *s = symbol_make(&program->symbols);
    if (!s) return program_no_memory(program), NULL;
    s->state = SYMBOL_LABEL;
    s->temporary = true;
    s->section = p.section;
    s->offset = p.offset;
    s->piece = p.piece;
    return s;
}

bool dwarf_put_symbol(struct program *program, struct symbol *s, unsigned size, bool relative) {
    if (!s) return false;
    const struct expr *e = &s->reference;
    if (relative) {
        struct symbol *here = symbol_at(program, program_here(program));
        e = here ? expr_binary(&program->arena, OP_SUB, e, &here->reference) : NULL;
        if (!e) return program_no_memory(program);
    }
    unsigned kind = size == 2 ? FIX_DATA2 : size == 4 ? FIX_DATA4 : FIX_DATA8;
    return program_fixup(program, program->section->size, kind, e) && dwarf_put(program, 0, size);
}

bool dwarf_put_place(struct program *program, struct place p, unsigned size, bool relative) {
    return dwarf_put_symbol(program, symbol_at(program, p), size, relative);
}

bool dwarf_put_offset(struct program *program, struct section *s, uint64_t offset) {
    return dwarf_put_place(program, (struct place){s, offset, 0}, 4, false);
}

bool dwarf_enter(struct program *program, const char *name, uint64_t flags, uint64_t entsize) {
    struct section *s =
        program_section(program, (struct slice){name, strlen(name)}, SHT_PROGBITS, flags, entsize);
    if (s && s->type == SHT_NOBITS)
        return program_late_error(program, NOWHERE,
                                  "section %s is to hold debug information but has no contents", name);
    if (s) program->section = s;
    return s;
}

void dwarf_put_length(struct program *program, uint64_t at) {
    struct section *s = program->section;
    wr32(s->data + at, (uint32_t)(s->size - at - 4));
}
