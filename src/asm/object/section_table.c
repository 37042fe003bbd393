// SPDX-License-Identifier: MIT
// The sections of an assembly, found by name, group, linked symbol and unique number; and their subsections,
// which are filled apart and joined in the order of their numbers when the text has ended.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "asm/dwarf/dwarf.h"
#include "base/bytes.h"

enum { MAX_SUBSECTIONS = 8192 };

static uint32_t hash(const struct section_key *k) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < k->name.length; i++) h = (h ^ (uint8_t)k->name.text[i]) * 16777619u;
    const uint64_t parts[] = {k->group ? k->group->hash : 0, k->link ? k->link->hash : 0, k->unique};
    for (size_t i = 0; i < 3; i++) h = (h ^ (uint32_t)(parts[i] ^ parts[i] >> 32)) * 16777619u;
    return h ^ h >> 15;
}

static bool grow(struct unit *u) {
    size_t size = u->section_slots ? u->section_slots * 2 : 256;
    struct section **table = calloc(size, sizeof *table);
    if (!table) return unit_no_memory(u);
    for (struct section *s = u->sections; s; s = s->next) {
        s->same_hash = table[s->hash & (size - 1)];
        table[s->hash & (size - 1)] = s;
    }
    free(u->section_hash);
    u->section_hash = table;
    u->section_slots = size;
    return true;
}

static struct section *make(struct unit *u, const char *name) {
    struct section *s = arena_alloc(&u->arena, sizeof *s);
    if (!s) return unit_no_memory(u), NULL;
    s->name = name;
    s->unique = NOT_UNIQUE;
    s->alignment = 1;
    return s;
}

// Its name is a name for its beginning, unless something else has taken it.
static bool name_beginning(struct unit *u, struct section *s, struct slice name) {
    s->symbol = unit_symbol(u, name);
    if (s->symbol && s->symbol->state != SYMBOL_UNDEFINED && s->symbol->type != STT_SECTION)
        return unit_error(u, name.text, "invalid symbol redefinition of '%.*s' by a section of that name",
                          (int)name.length, name.text);
    if (s->symbol && s->symbol->state != SYMBOL_UNDEFINED) s->symbol = symbol_make(&u->symbols);
    if (!s->symbol) return unit_no_memory(u);
    s->symbol->section = s;
    s->symbol->state = SYMBOL_LABEL;
    s->symbol->type = STT_SECTION;
    unit_register(u, s->symbol);
    return true;
}

struct section *unit_section_of(struct unit *u, const struct section_key *k, uint32_t type, uint64_t flags,
                                uint64_t entsize) {
    uint32_t h = hash(k);
    if (u->section_count >= u->section_slots && !grow(u)) return NULL;
    struct section **slot = &u->section_hash[h & (u->section_slots - 1)];
    for (struct section *s = *slot; s; s = s->same_hash)
        if (s->hash == h && slice_is(k->name, s->name) && s->group == k->group && s->unique == k->unique &&
            s->link == k->link)
            return s;
    const char *name = arena_copy(&u->arena, k->name.text, k->name.length);
    struct section *s = name ? make(u, name) : NULL;
    if (!s) return unit_no_memory(u), NULL;
    s->type = type;
    s->flags = flags;
    s->entsize = entsize;
    s->group = k->group;
    s->comdat = k->comdat;
    s->link = k->link;
    s->unique = k->unique;
    if (!u->sections) s->alignment = 4; // the first is .text
    if (k->group) {
        ((struct symbol *)k->group)->signature = true;
        unit_register(u, (struct symbol *)k->group);
    }
    if (!name_beginning(u, s, k->name)) return NULL;
    *u->last_section = s;
    u->last_section = &s->next;
    s->hash = h;
    s->same_hash = *slot;
    *slot = s;
    u->section_count++;
    return s;
}

struct section *unit_section(struct unit *u, struct slice name, uint32_t type, uint64_t flags,
                             uint64_t entsize) {
    return unit_section_of(u, &(struct section_key){.name = name, .unique = NOT_UNIQUE}, type, flags,
                           entsize);
}

void unit_enter(struct unit *u, struct section *s) {
    if (u->section != s) u->loc_pending = false; // a .loc holds in its own section
    u->previous = u->section;
    u->section = s;
    if (u->describes) dwarf_add_section(u, s);
}

struct section *unit_subsection(struct unit *u, struct section *s, uint32_t number) {
    if (s->whole) s = s->whole;
    if (!number) return s;
    struct section **at = &s->subsections;
    while (*at && (*at)->number < number) at = &(*at)->next;
    if (*at && (*at)->number == number) return *at;
    if (++s->subsection_count > MAX_SUBSECTIONS) {
        unit_error(u, u->statement, "section %s has more than %d subsections", s->name, MAX_SUBSECTIONS);
        return NULL;
    }
    struct section *sub = make(u, s->name);
    if (!sub) return NULL;
    sub->type = s->type;
    sub->flags = s->flags;
    sub->entsize = s->entsize;
    sub->whole = s;
    sub->number = number;
    sub->next = *at;
    return *at = sub;
}

static bool join_one(struct unit *u, struct section *whole, struct section *sub) {
    sub->base = whole->size;
    sub->base_piece = (uint32_t)whole->pieces.count;
    sub->joined = true;
    struct section *here = u->section;
    u->section = whole;
    bool ok = true;
    if (whole->type == SHT_NOBITS)
        whole->size += sub->size;
    else if (sub->size) {
        u->output -= sub->size; // it was counted when it was written
        uint8_t *p = unit_room(u, sub->size);
        ok = p;
        if (p) memcpy(p, sub->data, sub->size);
    }
    u->section = here;
    if (whole->alignment < sub->alignment) whole->alignment = sub->alignment;
    for (size_t i = 0; ok && i < sub->fixups.count; i++) {
        struct fixup f = sub->fixups.items[i];
        f.offset += sub->base;
        ok = array_push(&whole->fixups, f) || unit_no_memory(u);
    }
    for (size_t i = 0; ok && i < sub->pieces.count; i++) {
        struct piece p = sub->pieces.items[i];
        p.offset += sub->base;
        ok = array_push(&whole->pieces, p) || unit_no_memory(u);
    }
    return ok;
}

bool unit_join_subsections(struct unit *u) {
    for (struct section *s = u->sections; s; s = s->next)
        for (struct section *sub = s->subsections; sub; sub = sub->next)
            if (!join_one(u, s, sub)) return false;
    return true;
}

uint8_t *unit_bytes_at(struct place p) { return section_whole(p.section)->data + place_offset(p); }
