// SPDX-License-Identifier: MIT
// Copying an object into memory and relocating it for the address at which the GPU will see it (OBJ-36 to
// OBJ-52). The object itself is not changed: it may be loaded again elsewhere (OBJ-54).
//
// S, A, P, B, G and GOT below are the terms of the relocation table. Places are image offsets until the load
// address is added. Nothing is written outside the caller's memory, whatever the relocations say.
#include "object/code/object.h"

#include <stdlib.h>
#include <string.h>

#include "base/sized.h"

struct load {
    const struct sw_object *o;
    const sw_load_options *options;
    const sw_sink *sink;
    uint8_t *memory;
    uint64_t address; // B: of image offset 0
    // By symbol of the table in use: its address once known.
    uint64_t *value[2];
    uint8_t *state[2]; // UNKNOWN, KNOWN, FAILED
    size_t failures;
};

enum { UNKNOWN, KNOWN, FAILED };

static const char *where_of(const struct load *l, const sw_relocation *r) {
    return r->section ? l->o->sections[r->section].name : "dynamic relocations";
}

// ---- Symbols -------------------------------------------------------------------------------------------

static bool find_value(struct load *l, sw_symbol_table table, uint32_t index, uint64_t *value) {
    const struct sw_object *o = l->o;
    const sw_symbol *s = &o->symbols[table].items[index];
    uint64_t offset;
    if (s->section == SHN_ABS) return *value = s->value, true;
    if (s->section == SW_SHN_AMDGPU_LDS && o->lds_place && table == SW_SYMTAB)
        return *value = o->lds_place[index], true;
    if (s->section != SHN_UNDEF) {
        if (!sw_object_symbol_offset(o, s, &offset)) return false;
        *value = l->address + offset;
        return true;
    }
    if (l->options->resolve && l->options->resolve(l->options->context, s->name, value)) return true;
    if (s->binding == STB_WEAK) return *value = 0, true;
    return false;
}

// S of a relocation; false when it has been reported.
static bool symbol_value(struct load *l, const sw_relocation *r, uint64_t *value) {
    *value = 0;
    if (!r->symbol) return true;
    uint8_t *state = &l->state[r->table][r->symbol];
    if (*state == UNKNOWN) {
        const sw_symbol *s = &l->o->symbols[r->table].items[r->symbol];
        *state = find_value(l, r->table, r->symbol, &l->value[r->table][r->symbol]) ? KNOWN : FAILED;
        if (*state == FAILED && l->failures++ < 20)
            object_bad(l->o, l->sink, 0, where_of(l, r),
                       s->section == SHN_UNDEF ? "undefined symbol '%.200s'"
                                               : "symbol '%.200s' is not loaded",
                       s->name);
    }
    *value = l->value[r->table][r->symbol];
    return *state == KNOWN;
}

// ---- Relocations ---------------------------------------------------------------------------------------

enum field { WORD16 = 2, WORD32 = 4, WORD64 = 8 };
enum fit { ANY, SIGNED, UNSIGNED };

// How a type is computed: which sum, which half, what must fit.
struct rule {
    uint8_t width;
    uint8_t shift; // HI: 32
    uint8_t fit;
    bool pc_relative, got, base;
    bool dynamic; // a loader may meet it
};

static const struct rule *rule_of(unsigned type) {
    static const struct rule rules[] = {
        [R_AMDGPU_ABS32_LO] = {.width = WORD32, .dynamic = true},
        [R_AMDGPU_ABS32_HI] = {.width = WORD32, .shift = 32, .dynamic = true},
        [R_AMDGPU_ABS64] = {.width = WORD64, .dynamic = true},
        [R_AMDGPU_REL32] = {.width = WORD32, .fit = SIGNED, .pc_relative = true},
        [R_AMDGPU_REL64] = {.width = WORD64, .pc_relative = true},
        [R_AMDGPU_ABS32] = {.width = WORD32, .fit = UNSIGNED, .dynamic = true},
        [R_AMDGPU_GOTPCREL] = {.width = WORD32, .fit = SIGNED, .pc_relative = true, .got = true},
        [R_AMDGPU_GOTPCREL32_LO] = {.width = WORD32, .pc_relative = true, .got = true},
        [R_AMDGPU_GOTPCREL32_HI] = {.width = WORD32, .shift = 32, .pc_relative = true, .got = true},
        [R_AMDGPU_REL32_LO] = {.width = WORD32, .pc_relative = true},
        [R_AMDGPU_REL32_HI] = {.width = WORD32, .shift = 32, .pc_relative = true},
        [R_AMDGPU_RELATIVE64] = {.width = WORD64, .base = true, .dynamic = true},
        [R_AMDGPU_REL16] = {.width = WORD16, .fit = SIGNED, .pc_relative = true},
    };
    return type < sizeof rules / sizeof *rules && rules[type].width ? &rules[type] : NULL;
}

static bool fits(uint64_t v, const struct rule *r) {
    if (r->fit == SIGNED) return (uint64_t)sign_extend(v, r->width * 8) == v;
    if (r->fit == UNSIGNED) return v >> (r->width * 8) == 0;
    return true;
}

static sw_status apply(struct load *l, const sw_relocation *r, const struct rule *rule, uint64_t place) {
    const char *within = where_of(l, r), *name = name_of_relocation(r->type);
    uint8_t *at = l->memory + place;
    uint64_t s = 0, a = (uint64_t)r->addend, v;
    if (r->implicit_addend)
        a = rule->width == WORD64 ? rd64(at) : rule->width == WORD32 ? rd32(at) : rd16(at); // OBJ-38
    if (!rule->base && !symbol_value(l, r, &s)) return SW_OK; // counted in failures
    if (rule->got) {
        uint32_t slot = l->o->got_slot && r->symbol ? l->o->got_slot[r->symbol] : 0;
        if (!slot) return object_bad(l->o, l->sink, r->offset, within, "%s without a symbol", name);
        uint64_t entry = l->o->got + 8ull * (slot - 1);
        wr64(l->memory + entry, s);
        s = l->address + entry;
    }
    v = s + a + (rule->base ? l->address - l->o->base : 0);
    if (rule->pc_relative) v -= l->address + place;
    if (r->type == R_AMDGPU_REL16) {
        if (v & 3)
            return object_bad(l->o, l->sink, r->offset, within, "branch distance 0x%llx is not in dwords",
                              (unsigned long long)v);
        v = (uint64_t)(((int64_t)v - 4) / 4);
    }
    v >>= rule->shift;
    if (!fits(v, rule))
        return object_bad(l->o, l->sink, r->offset, within, "%s: value 0x%llx does not fit %u bits", name,
                          (unsigned long long)v, rule->width * 8u);
    if (rule->width == WORD64)
        wr64(at, v);
    else if (rule->width == WORD32)
        wr32(at, (uint32_t)v);
    else
        wr16(at, (uint16_t)v);
    return SW_OK;
}

static sw_status relocate(struct load *l, const sw_relocation *r) {
    const struct sw_object *o = l->o;
    uint64_t place, room;
    if (o->header.relocatable) {
        if (o->section_place[r->section] == PLACE_NONE) return SW_OK; // debug information and the like
        place = o->section_place[r->section] + r->offset;
        room = o->sections[r->section].size;
        if (r->offset > room)
            room = 0;
        else
            room -= r->offset;
    } else {
        if (r->section) return SW_OK; // kept by the linker for other tools
        place = r->offset - o->base;
        room = place <= o->layout.size ? o->layout.size - place : 0;
    }
    if (r->type == R_AMDGPU_NONE) return SW_OK;
    const struct rule *rule = rule_of(r->type);
    if (!rule || (!o->header.relocatable && !rule->dynamic))
        return object_bad(o, l->sink, r->offset, where_of(l, r), "relocation type %u has no meaning here",
                          r->type);
    if (room < rule->width)
        return object_bad(o, l->sink, r->offset, where_of(l, r), "%s lies outside the loaded image",
                          name_of_relocation(r->type));
    return apply(l, r, rule, place);
}

// ---- Contents ------------------------------------------------------------------------------------------

static void copy_contents(struct load *l) {
    const struct sw_object *o = l->o;
    if (!l->options->zeroed) memset(l->memory, 0, o->layout.size);
    for (size_t i = 0; o->header.relocatable && i < o->section_count; i++) {
        const sw_section *s = &o->sections[i];
        if (o->section_place[i] != PLACE_NONE && s->data && s->size)
            memcpy(l->memory + o->section_place[i], s->data, s->size);
    }
    for (size_t i = 0; !o->header.relocatable && i < o->segment_count; i++) {
        const sw_segment *s = &o->segments[i];
        if (s->type == PT_LOAD && s->file_size)
            memcpy(l->memory + (s->address - o->base), o->bytes + s->offset, s->file_size);
    }
}

static sw_status check_options(const struct sw_object *o, const sw_load_options *options,
                               const sw_sink *sink) {
    sw_location at = {.file = o->name};
    if (o->header.os != SW_OS_AMDHSA)
        return diag_fail(sink, SW_UNSUPPORTED, &at, "only code objects for amdhsa can be loaded");
    if (options->length < o->layout.size || (!options->memory && o->layout.size))
        return diag_fail(sink, SW_USAGE, &at, "%llu bytes of memory given, the code object needs %llu",
                         (unsigned long long)options->length, (unsigned long long)o->layout.size);
    if (options->address & (o->layout.alignment - 1))
        return diag_fail(sink, SW_USAGE, &at, "load address 0x%llx is not aligned to %llu",
                         (unsigned long long)options->address, (unsigned long long)o->layout.alignment);
    return SW_OK;
}

sw_status sw_object_load(const sw_object *o, const sw_load_options *given, const sw_sink *sink) {
    sw_load_options own, *options = &own;
    sw_status s = sized_take(SIZED(sw_load_options, context), options, given, sink);
    if (!s) s = check_options(o, options, sink);
    if (s || !o->layout.size) return s;
    struct load l = {
        .o = o, .options = options, .sink = sink, .memory = options->memory, .address = options->address};
    for (int t = 0; t < 2 && o->relocation_count; t++) {
        l.value[t] = calloc(o->symbols[t].count + 1, sizeof *l.value[t]);
        l.state[t] = calloc(o->symbols[t].count + 1, 1);
        if (!l.value[t] || !l.state[t]) s = object_no_memory(o, sink);
    }
    if (!s) copy_contents(&l);
    for (size_t i = 0; !s && i < o->relocation_count; i++) s = relocate(&l, &o->relocations[i]);
    if (!s && l.failures) s = SW_BAD_INPUT;
    for (int t = 0; t < 2; t++) free(l.value[t]), free(l.state[t]);
    return s;
}
