// SPDX-License-Identifier: MIT
#include "object/debug/section.h"

#include <string.h>

#include "object/code/compressed.h"

// Where a symbol lies for debugging: its image offset, or its offset in a section that is not loaded.
static uint64_t symbol_place(const struct sw_object *o, const sw_symbol *s) {
    const uint64_t place =
        s->section && s->section < o->section_count ? o->section_place[s->section] : PLACE_NONE;
    return s->value + (place == PLACE_NONE ? 0 : place);
}

static sw_status decompress(const struct sw_object *o, const sw_section *section, struct arena *arena,
                            uint8_t **out, uint64_t *size, const sw_sink *sink) {
    struct elf_compressed c;
    const char *problem = elf_compressed_read(section->data, section->size, &c);
    if (!problem && c.size > 65536 + 64 * c.payload_size)
        problem = "so few compressed bytes of debug information do not become so many";
    if (!problem) {
        if (!(*out = arena_alloc(arena, c.size + 1))) return object_no_memory(o, sink);
        *size = c.size;
        problem = elf_compressed_expand(&c, *out);
    }
    return problem ? object_bad(o, sink, section->offset, section->name, "%s", problem) : SW_OK;
}

sw_status debug_section_read(const struct sw_object *o, const char *name, struct arena *arena,
                             struct debug_section *out, const sw_sink *sink) {
    size_t index = 0;
    for (size_t i = 1; i < o->section_count && !index; i++)
        if (o->sections[i].data && !strcmp(o->sections[i].name, name)) index = i;
    *out = (struct debug_section){.data = (const uint8_t *)""};
    if (!index) return SW_OK;
    const sw_section *c = &o->sections[index];
    *out = (struct debug_section){c->data, c->size, c->offset, c->flags & SHF_COMPRESSED};
    uint8_t *copy = NULL;
    if (out->compressed) {
        const sw_status s = decompress(o, c, arena, &copy, &out->size, sink);
        if (s) return s;
        out->data = copy;
    }
    for (size_t i = 0; o->header.relocatable && i < o->relocation_count; i++) {
        const sw_relocation *l = &o->relocations[i];
        const unsigned width = l->type == R_AMDGPU_ABS64 ? 8 : l->type == R_AMDGPU_ABS32 ? 4 : 0;
        if (l->section != index || !in_range(l->offset, width ? width : 8, out->size) || !width) continue;
        if (!copy) {
            if (!(copy = arena_alloc(arena, c->size))) return object_no_memory(o, sink);
            memcpy(copy, c->data, c->size);
            out->data = copy;
        }
        const uint64_t addend = !l->implicit_addend ? (uint64_t)l->addend
                                : width == 8        ? rd64(copy + l->offset)
                                                    : rd32(copy + l->offset);
        const uint64_t v = (l->symbol ? symbol_place(o, &o->symbols[l->table].items[l->symbol]) : 0) + addend;
        memcpy(copy + l->offset, &v, width);
    }
    return SW_OK;
}
