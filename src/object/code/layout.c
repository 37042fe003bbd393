// SPDX-License-Identifier: MIT
// Where each part of an object lies in memory once loaded.
//
// A linked object brings its PT_LOAD segments; the image is their span. A relocatable one is laid out as a
// linker would: allocated sections by rights, read-only first, then code, then data, each group on its own
// page, and behind the data one slot for each symbol that a GOT-relative relocation asks for. LDS variables
// (SHN_AMDGPU_LDS) get offsets one after another instead. Leaves o->layout complete.
#include "object/code/object.h"

#include <stdlib.h>

enum { PAGE = 4096 };
static const uint64_t MAX_IMAGE = 1ull << 36; // a module's globals may be large, its span not absurd

static bool is_loaded(const sw_segment *s) { return s->type == PT_LOAD && s->memory_size; }

static int by_address(const void *a, const void *b) {
    const sw_segment *x = *(const sw_segment *const *)a, *y = *(const sw_segment *const *)b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static sw_status place_segments(struct sw_object *o, const sw_sink *sink) {
    const sw_segment **sorted = arena_alloc(&o->arena, o->segment_count * sizeof *sorted);
    sw_image_range *ranges = arena_alloc(&o->arena, o->segment_count * sizeof *ranges);
    if (!sorted || !ranges) return object_no_memory(o, sink);
    size_t count = 0;
    for (size_t i = 0; i < o->segment_count; i++)
        if (is_loaded(&o->segments[i])) sorted[count++] = &o->segments[i];
    qsort(sorted, count, sizeof *sorted, by_address);
    uint64_t end = 0, alignment = PAGE;
    for (size_t i = 0; i < count; i++) {
        const sw_segment *s = sorted[i];
        if (!i) o->base = s->address & ~(uint64_t)(PAGE - 1);
        if (i && s->address < end)
            return object_bad(o, sink, s->offset, "program headers",
                              "two loaded segments overlap at address 0x%llx",
                              (unsigned long long)s->address);
        end = s->address + s->memory_size;
        if (end - o->base > MAX_IMAGE)
            return object_bad(o, sink, s->offset, "program headers", "the loaded segments span 0x%llx bytes",
                              (unsigned long long)(end - o->base));
        if (s->alignment & (s->alignment - 1) || s->alignment > 1u << 30)
            return object_bad(o, sink, s->offset, "program headers", "0x%llx is no segment alignment",
                              (unsigned long long)s->alignment);
        if (s->alignment > alignment) alignment = s->alignment;
        ranges[i] = (sw_image_range){.offset = s->address - o->base,
                                     .size = s->memory_size,
                                     .readable = s->flags & PF_R,
                                     .writable = s->flags & PF_W,
                                     .executable = s->flags & PF_X};
    }
    o->layout = (sw_layout){.size = count ? align_up(end - o->base, PAGE) : 0,
                            .alignment = alignment,
                            .ranges = ranges,
                            .range_count = count};
    return SW_OK;
}

// ---- Relocatable objects -------------------------------------------------------------------------------

// The group of an allocated section, or -1.
static int group_of(const sw_section *s) {
    if (!(s->flags & SHF_ALLOC) || s->type == SHT_NOTE || s->type == SHT_NULL) return -1;
    return s->flags & SHF_WRITE ? 2 : s->flags & SHF_EXECINSTR ? 1 : 0;
}

static bool needs_slot(unsigned type) {
    return type == R_AMDGPU_GOTPCREL || type == R_AMDGPU_GOTPCREL32_LO || type == R_AMDGPU_GOTPCREL32_HI;
}

static sw_status count_slots(struct sw_object *o, uint32_t *slots, const sw_sink *sink) {
    size_t count = o->symbols[SW_SYMTAB].count;
    if (!(o->got_slot = arena_alloc(&o->arena, count * sizeof *o->got_slot)))
        return object_no_memory(o, sink);
    for (size_t i = 0; i < o->relocation_count; i++) {
        const sw_relocation *r = &o->relocations[i];
        if (needs_slot(r->type) && r->table == SW_SYMTAB && r->symbol && !o->got_slot[r->symbol])
            o->got_slot[r->symbol] = ++*slots;
    }
    return SW_OK;
}

static sw_status place_lds(struct sw_object *o, const sw_sink *sink) {
    const struct symbols *t = &o->symbols[SW_SYMTAB];
    if (!(o->lds_place = arena_alloc(&o->arena, t->count * sizeof *o->lds_place)))
        return object_no_memory(o, sink);
    uint64_t at = 0;
    for (size_t i = 0; i < t->count; i++) {
        const sw_symbol *s = &t->items[i];
        if (s->section != SW_SHN_AMDGPU_LDS) continue;
        uint64_t alignment = s->value ? s->value : 1;
        if (alignment & (alignment - 1) || alignment > 1 << 16 || s->size > 1 << 20 || at > 1 << 20)
            return object_bad(o, sink, 0, s->name, "LDS variable of 0x%llx bytes aligned to 0x%llx",
                              (unsigned long long)s->size, (unsigned long long)s->value);
        at = align_up(at, alignment);
        o->lds_place[i] = (uint32_t)at;
        at += s->size;
    }
    o->layout.lds_size = (uint32_t)at;
    return SW_OK;
}

static sw_status place_sections(struct sw_object *o, const sw_sink *sink) {
    o->section_place = arena_alloc(&o->arena, o->section_count * sizeof *o->section_place);
    sw_image_range *ranges = arena_alloc(&o->arena, 3 * sizeof *ranges);
    if (!o->section_place || !ranges) return object_no_memory(o, sink);
    uint32_t slots = 0;
    sw_status status = count_slots(o, &slots, sink);
    if (!status) status = place_lds(o, sink);
    if (status) return status;
    for (size_t i = 0; i < o->section_count; i++) o->section_place[i] = PLACE_NONE;
    uint64_t at = 0, alignment = PAGE;
    size_t range_count = 0;
    for (int group = 0; group < 3; group++) {
        uint64_t start = at = align_up(at, PAGE);
        for (size_t i = 1; i < o->section_count; i++) {
            const sw_section *s = &o->sections[i];
            if (group_of(s) != group) continue;
            if (s->alignment > 1 << 20 || s->size > MAX_IMAGE)
                return object_bad(o, sink, s->offset, s->name, "size 0x%llx or alignment 0x%llx is absurd",
                                  (unsigned long long)s->size, (unsigned long long)s->alignment);
            if (s->alignment > alignment) alignment = s->alignment;
            at = align_up(at, s->alignment ? s->alignment : 1);
            o->section_place[i] = at;
            if ((at += s->size) > MAX_IMAGE)
                return object_bad(o, sink, s->offset, s->name, "the sections take more than 0x%llx bytes",
                                  (unsigned long long)MAX_IMAGE);
        }
        if (group == 2 && slots) {
            o->got = align_up(at, 8);
            at = o->got + 8ull * slots;
        }
        if (at > start)
            ranges[range_count++] = (sw_image_range){.offset = start,
                                                     .size = at - start,
                                                     .readable = true,
                                                     .writable = group == 2,
                                                     .executable = group == 1};
    }
    o->layout.size = align_up(at, PAGE);
    o->layout.alignment = alignment;
    o->layout.ranges = ranges;
    o->layout.range_count = range_count;
    return SW_OK;
}

sw_status object_place(struct sw_object *o, const sw_sink *sink) {
    if (o->header.type == ET_CORE) { // an image of memory, not to be loaded
        o->layout.alignment = PAGE;
        return SW_OK;
    }
    return o->header.relocatable ? place_sections(o, sink) : place_segments(o, sink);
}

bool sw_object_symbol_offset(const sw_object *o, const sw_symbol *s, uint64_t *offset) {
    if (s->section == SHN_UNDEF || s->section >= SHN_LORESERVE) {
        // above SHN_LORESERVE only an index that came through SHN_XINDEX is a section
        if (s->section == SHN_UNDEF || s->section <= SHN_HIRESERVE || s->section >= o->section_count)
            return false;
    }
    if (o->header.relocatable) {
        if (s->section >= o->section_count || o->section_place[s->section] == PLACE_NONE) return false;
        *offset = o->section_place[s->section] + s->value;
        return s->value <= o->sections[s->section].size;
    }
    *offset = s->value - o->base;
    return s->value >= o->base && *offset <= o->layout.size;
}

bool sw_object_section_offset(const sw_object *o, size_t section, uint64_t *offset) {
    if (section >= o->section_count || !(o->sections[section].flags & SHF_ALLOC)) return false;
    *offset = o->header.relocatable ? o->section_place[section] : o->sections[section].address - o->base;
    return *offset != PLACE_NONE;
}
