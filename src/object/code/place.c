// SPDX-License-Identifier: MIT
// What stands at an offset of the image: the function, and the address that a disassembly of the file shows.
#include "object/code/object.h"

#include <elf.h>

#include "base/sized.h"

// Whether b says more than a: functions before labels, then the nearest, then what others see too.
static bool better(const sw_place *a, const sw_symbol *b, uint64_t distance) {
    if (!a->symbol) return true;
    bool function = a->symbol->type == STT_FUNC;
    if (function != (b->type == STT_FUNC)) return !function;
    if (distance != a->distance) return distance < a->distance;
    return a->symbol->binding == STB_LOCAL && b->binding != STB_LOCAL;
}

static void consider(const struct sw_object *o, const sw_symbol *s, uint64_t offset, sw_place *p) {
    uint64_t start;
    if (s->type != STT_FUNC && s->type != STT_NOTYPE) return;
    if (!*s->name || s->section >= o->section_count || !(o->sections[s->section].flags & SHF_EXECINSTR))
        return;
    if (!sw_object_symbol_offset(o, s, &start) || start > offset) return;
    if (s->size && offset - start >= s->size) return;
    if (!better(p, s, offset - start)) return;
    p->symbol = s;
    p->distance = offset - start;
}

static sw_place place_of(const struct sw_object *o, uint64_t offset) {
    sw_place place = {.address = o->base + offset};
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; i < o->symbols[t].count; i++) consider(o, &o->symbols[t].items[i], offset, &place);
    if (!o->header.relocatable) return place;
    for (size_t i = 0; i < o->section_count; i++) {
        uint64_t start;
        if (!sw_object_section_offset(o, i, &start) || offset < start ||
            offset - start >= o->sections[i].size)
            continue;
        place.section = o->sections[i].name;
        place.address = offset - start;
    }
    return place;
}

void sw_object_place(const sw_object *o, uint64_t offset, sw_place *out) {
    const sw_place place = place_of(o, offset);
    sized_fill(SIZED(sw_place, section), out, &place);
}
