// SPDX-License-Identifier: MIT
// The sections of an assembly, found by name, group, linked symbol and unique number; and their subsections,
// which are filled apart and joined in the order of their numbers when the text has ended.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "mc/program/program.h"
#include "base/bytes.h"

enum { MAX_SUBSECTIONS = 8192 };

static uint32_t hash(const struct section_key *k) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < k->name.length; i++) h = (h ^ (uint8_t)k->name.text[i]) * 16777619u;
    const uint64_t parts[] = {k->group ? k->group->hash : 0, k->link ? k->link->hash : 0, k->unique};
    for (size_t i = 0; i < 3; i++) h = (h ^ (uint32_t)(parts[i] ^ parts[i] >> 32)) * 16777619u;
    return h ^ h >> 15;
}

static bool grow(struct program *program) {
    size_t size = program->section_slots ? program->section_slots * 2 : 256;
    struct section **table = calloc(size, sizeof *table);
    if (!table) return program_no_memory(program);
    for (struct section *s = program->sections; s; s = s->next) {
        s->same_hash = table[s->hash & (size - 1)];
        table[s->hash & (size - 1)] = s;
    }
    free(program->section_hash);
    program->section_hash = table;
    program->section_slots = size;
    return true;
}

static struct section *make(struct program *program, const char *name) {
    struct section *s = arena_alloc(&program->arena, sizeof *s);
    if (!s) return program_no_memory(program), NULL;
    s->name = name;
    s->unique = NOT_UNIQUE;
    s->alignment = 1;
    return s;
}

// Its name is a name for its beginning, unless something else has taken it.
static bool name_beginning(struct program *program, struct section *s, struct slice name) {
    s->symbol = program_symbol(program, name);
    if (s->symbol && s->symbol->state != SYMBOL_UNDEFINED && s->symbol->type != STT_SECTION)
        return program_error(program, name.text,
                             "invalid symbol redefinition of '%.*s' by a section of that name",
                             (int)name.length, name.text);
    if (s->symbol && s->symbol->state != SYMBOL_UNDEFINED) s->symbol = symbol_make(&program->symbols);
    if (!s->symbol) return program_no_memory(program);
    s->symbol->section = s;
    s->symbol->state = SYMBOL_LABEL;
    s->symbol->type = STT_SECTION;
    program_register(program, s->symbol);
    return true;
}

struct section *program_section_of(struct program *program, const struct section_key *k, uint32_t type,
                                   uint64_t flags, uint64_t entsize) {
    uint32_t h = hash(k);
    if (program->section_count >= program->section_slots && !grow(program)) return NULL;
    struct section **slot = &program->section_hash[h & (program->section_slots - 1)];
    for (struct section *s = *slot; s; s = s->same_hash)
        if (s->hash == h && slice_is(k->name, s->name) && s->group == k->group && s->unique == k->unique &&
            s->link == k->link)
            return s;
    const char *name = arena_copy(&program->arena, k->name.text, k->name.length);
    struct section *s = name ? make(program, name) : NULL;
    if (!s) return program_no_memory(program), NULL;
    s->type = type;
    s->flags = flags;
    s->entsize = entsize;
    s->group = k->group;
    s->comdat = k->comdat;
    s->link = k->link;
    s->unique = k->unique;
    if (!program->sections) s->alignment = 4; // the first is .text
    if (k->group) {
        ((struct symbol *)k->group)->signature = true;
        program_register(program, (struct symbol *)k->group);
    }
    if (!name_beginning(program, s, k->name)) return NULL;
    *program->last_section = s;
    program->last_section = &s->next;
    s->hash = h;
    s->same_hash = *slot;
    *slot = s;
    program->section_count++;
    return s;
}

struct section *program_section(struct program *program, struct slice name, uint32_t type, uint64_t flags,
                                uint64_t entsize) {
    return program_section_of(program, &(struct section_key){.name = name, .unique = NOT_UNIQUE}, type, flags,
                              entsize);
}

void program_enter(struct program *program, struct section *s) {
    if (program->section != s) program->loc_pending = false; // a .loc holds in its own section
    program->previous = program->section;
    program->section = s;
    if (program->describes) program->reader->entered(program->reader->context, s);
}

struct section *program_subsection(struct program *program, struct section *s, uint32_t number) {
    if (s->whole) s = s->whole;
    if (!number) return s;
    struct section **at = &s->subsections;
    while (*at && (*at)->number < number) at = &(*at)->next;
    if (*at && (*at)->number == number) return *at;
    if (++s->subsection_count > MAX_SUBSECTIONS) {
        program_error(program, NULL, "section %s has more than %d subsections", s->name, MAX_SUBSECTIONS);
        return NULL;
    }
    struct section *sub = make(program, s->name);
    if (!sub) return NULL;
    sub->type = s->type;
    sub->flags = s->flags;
    sub->entsize = s->entsize;
    sub->whole = s;
    sub->number = number;
    sub->next = *at;
    return *at = sub;
}

static bool join_one(struct program *program, struct section *whole, struct section *sub) {
    sub->base = whole->size;
    sub->base_piece = (uint32_t)whole->pieces.count;
    sub->joined = true;
    struct section *here = program->section;
    program->section = whole;
    bool ok = true;
    if (whole->type == SHT_NOBITS)
        whole->size += sub->size;
    else if (sub->size) {
        program->output -= sub->size; // it was counted when it was written
        uint8_t *p = program_room(program, sub->size);
        ok = p;
        if (p) memcpy(p, sub->data, sub->size);
    }
    program->section = here;
    if (whole->alignment < sub->alignment) whole->alignment = sub->alignment;
    for (size_t i = 0; ok && i < sub->fixups.count; i++) {
        struct fixup f = sub->fixups.items[i];
        f.offset += sub->base;
        ok = array_push(&whole->fixups, f) || program_no_memory(program);
    }
    for (size_t i = 0; ok && i < sub->pieces.count; i++) {
        struct piece p = sub->pieces.items[i];
        p.offset += sub->base;
        ok = array_push(&whole->pieces, p) || program_no_memory(program);
    }
    return ok;
}

bool program_join_subsections(struct program *program) {
    for (struct section *s = program->sections; s; s = s->next)
        for (struct section *sub = s->subsections; sub; sub = sub->next)
            if (!join_one(program, s, sub)) return false;
    return true;
}

uint8_t *program_bytes_at(struct place p) { return section_whole(p.section)->data + place_offset(p); }
