// SPDX-License-Identifier: MIT
// Relocations (OBJ-36 to OBJ-52): scanned once to learn what the output needs for them (slots of the global
// offset table, relocations left to the loader), and applied once everything has its address.
//
// S, A, P and G are the terms of the relocation table. Against a symbol that may be replaced, or whose
// address moves with the object, only what a loader can do is possible: 64 bits of an address, in writable
// memory.
#include <string.h>

#include "link/link.h"

enum form { FORM_NONE, FORM_ABSOLUTE, FORM_RELATIVE, FORM_GOT };
enum fit { FIT_ANY, FIT_SIGNED, FIT_EITHER }; // EITHER: signed or unsigned

struct rule {
    uint8_t form, width, shift, fit;
};

static const struct rule *rule_of(uint32_t type) {
    static const struct rule rules[] = {
        [R_AMDGPU_ABS32_LO] = {FORM_ABSOLUTE, 4, 0, FIT_ANY},
        [R_AMDGPU_ABS32_HI] = {FORM_ABSOLUTE, 4, 32, FIT_ANY},
        [R_AMDGPU_ABS64] = {FORM_ABSOLUTE, 8, 0, FIT_ANY},
        [R_AMDGPU_REL32] = {FORM_RELATIVE, 4, 0, FIT_SIGNED},
        [R_AMDGPU_REL64] = {FORM_RELATIVE, 8, 0, FIT_ANY},
        [R_AMDGPU_ABS32] = {FORM_ABSOLUTE, 4, 0, FIT_EITHER},
        [R_AMDGPU_GOTPCREL] = {FORM_GOT, 4, 0, FIT_SIGNED},
        [R_AMDGPU_GOTPCREL32_LO] = {FORM_GOT, 4, 0, FIT_ANY},
        [R_AMDGPU_GOTPCREL32_HI] = {FORM_GOT, 4, 32, FIT_ANY},
        [R_AMDGPU_REL32_LO] = {FORM_RELATIVE, 4, 0, FIT_ANY},
        [R_AMDGPU_REL32_HI] = {FORM_RELATIVE, 4, 32, FIT_ANY},
        [R_AMDGPU_REL16] = {FORM_RELATIVE, 2, 0, FIT_SIGNED},
    };
    return type < sizeof rules / sizeof *rules && rules[type].form ? &rules[type] : NULL;
}

static const char *spell(uint32_t type) {
    const char *name = name_of_relocation(type);
    return name ? name : "relocation of unknown type";
}

static const char *spell_symbol(const struct link_symbol *s) {
    if (s->name_length) return s->name;
    return s->type == STT_SECTION && s->section ? s->section->name : "a local symbol";
}

// Whether the symbol is of a merged section and names no piece of it.
static bool names_no_piece(const struct link_symbol *y, const sw_relocation *r) {
    if (y->kind != SYMBOL_DEFINED || !y->section || y->section->kind != SECTION_MERGED) return false;
    return y->value + (y->type == STT_SECTION ? (uint64_t)r->addend : 0) >= y->section->size;
}

// The type's rule when the relocation lies inside its section and names something; errors are reported.
static const struct rule *check(struct link *l, const struct input_section *s, const sw_relocation *r) {
    const struct rule *rule = rule_of(r->type);
    if (!rule)
        link_error(l, s->file, s->name, "unknown relocation (%u) against symbol %s at 0x%llx", r->type,
                   spell_symbol(s->file->symbols[r->symbol]), (unsigned long long)r->offset);
    else if (!s->data || !in_range(r->offset, rule->width, s->size)) {
        link_error(l, s->file, s->name, "%s at 0x%llx lies outside the section", spell(r->type),
                   (unsigned long long)r->offset);
        rule = NULL;
    } else if (names_no_piece(s->file->symbols[r->symbol], r)) {
        link_error(l, s->file, s->name, "%s at 0x%llx refers to something outside section %s", spell(r->type),
                   (unsigned long long)r->offset, s->file->symbols[r->symbol]->section->name);
        rule = NULL;
    }
    return rule;
}

// Whether the address is a number that no load address changes.
static bool is_number(const struct link_symbol *s, const sw_relocation *r) {
    if (!r->symbol || s->kind == SYMBOL_UNDEFINED) return true; // 0, when no loader is asked
    return s->kind == SYMBOL_DEFINED && !s->section && !s->out;
}

// ---- Undefined symbols ----

// Reports a reference to an undefined symbol unless a loader may resolve it.
static bool is_missing(struct link *l, const struct input_section *s, const sw_relocation *r,
                       struct link_symbol *y) {
    if (!r->symbol || y->kind != SYMBOL_UNDEFINED || y->binding == STB_WEAK) return false;
    bool external = y->binding != STB_LOCAL && visibility_of(y) == STV_DEFAULT;
    bool required = l->options->no_undefined || (l->options->pie && !l->options->allow_undefined);
    if (external && !required) return false;
    if (y->reported) return true;
    y->reported = true;
    static const char *const kinds[] = {"", "internal ", "hidden ", "protected "};
    if (y->discarded)
        link_error(l, s->file, s->name, "%s at 0x%llx refers to %s in a discarded section", spell(r->type),
                   (unsigned long long)r->offset, spell_symbol(y));
    else
        link_error(l, s->file, s->name, "undefined %ssymbol: %s, referenced at 0x%llx",
                   kinds[visibility_of(y)], spell_symbol(y), (unsigned long long)r->offset);
    return true;
}

// ---- Scanning ----

static bool writable(const struct link *l, const struct input_section *s) {
    return (s->flags & SHF_WRITE) || l->options->text_relocations;
}

static bool left_to_loader(const struct link_symbol *y, const sw_relocation *r, const struct rule *rule) {
    return rule->form == FORM_ABSOLUTE && (y->preemptible || !is_number(y, r));
}

static int64_t addend_of(const struct input_section *s, const sw_relocation *r, const struct rule *rule) {
    if (!r->implicit_addend) return r->addend;
    const uint8_t *at = s->data + r->offset; // OBJ-38: zero-extended
    return rule->width == 8 ? (int64_t)rd64(at) : rule->width == 4 ? (int64_t)rd32(at) : (int64_t)rd16(at);
}

static void refuse(struct link *l, const struct input_section *s, const sw_relocation *r,
                   const struct link_symbol *y, const char *why) {
    link_error(l, s->file, s->name, "relocation %s at 0x%llx cannot be used against symbol '%s': %s",
               spell(r->type), (unsigned long long)r->offset, spell_symbol(y), why);
}

static void scan_one(struct link *l, struct input_section *s, const sw_relocation *r) {
    if (r->type == R_AMDGPU_NONE) return;
    const struct rule *rule = check(l, s, r);
    struct link_symbol *y = s->file->symbols[r->symbol];
    if (!rule || is_missing(l, s, r, y)) return;
    if (rule->form == FORM_GOT) {
        if (!r->symbol) refuse(l, s, r, y, "it needs one");
        y->wants_got = true;
        return;
    }
    if (rule->form == FORM_RELATIVE) {
        if (y->preemptible)
            refuse(l, s, r, y,
                   "another definition may take its place when the object is loaded; use @gotpcrel32, "
                   "or make it hidden or protected");
        else if (r->symbol && y->kind == SYMBOL_DEFINED && is_number(y, r))
            refuse(l, s, r, y, "it is a number, not a place");
        return;
    }
    if (!left_to_loader(y, r, rule)) return;
    if (r->type != R_AMDGPU_ABS64)
        refuse(l, s, r, y, "its address is known only when the object is loaded");
    else if (!writable(l, s))
        refuse(l, s, r, y, "the section is read-only; make the data writable (.data.rel.ro)");
    else
        link_push(l, &l->relocations,
                  (struct dynamic_relocation){.section = s,
                                              .offset = r->offset,
                                              .addend = addend_of(s, r, rule),
                                              .symbol = y,
                                              .type = y->preemptible ? R_AMDGPU_ABS64 : R_AMDGPU_RELATIVE64});
}

static void add_slot(struct link *l, struct link_symbol *s) {
    if (!s->wants_got || !link_push(l, &l->got, s)) return;
    s->got = (uint32_t)l->got.count;
    sw_relocation any = {.symbol = 1};
    if (!s->preemptible && is_number(s, &any)) return;
    link_push(l, &l->relocations,
              (struct dynamic_relocation){.section = &l->own[OWN_GOT],
                                          .offset = 8ull * (s->got - 1),
                                          .symbol = s,
                                          .type = s->preemptible ? R_AMDGPU_ABS64 : R_AMDGPU_RELATIVE64});
}

void relocations_scan(struct link *l) {
    for (size_t n = 0; n < l->objects.count; n++) {
        struct object_file *f = l->objects.items[n];
        for (size_t i = 1; i < f->section_count; i++) {
            struct input_section *s = &f->sections[i];
            if (s->kind != SECTION_PLAIN || !s->live || !(s->flags & SHF_ALLOC)) continue;
            for (size_t r = 0; r < s->relocation_count; r++) scan_one(l, s, &s->relocations[r]);
        }
    }
    for (size_t i = 0; i < l->symbols.count; i++) add_slot(l, l->symbols.items[i]);
    for (size_t n = 0; n < l->objects.count; n++)
        for (uint32_t i = 1; i < l->objects.items[n]->first_global; i++)
            add_slot(l, l->objects.items[n]->symbols[i]);
}

// ---- Application ----

static bool fits(uint64_t v, const struct rule *rule) {
    unsigned width = rule->width * 8u;
    if (rule->fit == FIT_ANY || rule->width == 8) return true;
    return (uint64_t)sign_extend(v, width) == v || (rule->fit == FIT_EITHER && v >> width == 0);
}

static void store(struct link *l, const struct input_section *s, const sw_relocation *r,
                  const struct rule *rule, uint64_t v, uint8_t *at) {
    if (r->type == R_AMDGPU_REL16) { // OBJ-51
        if (v & 3)
            link_error(l, s->file, s->name, "the branch at 0x%llx to '%s' is not a number of dwords",
                       (unsigned long long)r->offset, spell_symbol(s->file->symbols[r->symbol]));
        v = (uint64_t)(((int64_t)v - 4) / 4);
    }
    v = rule->shift ? v >> rule->shift : v;
    if (!fits(v, rule))
        link_error(l, s->file, s->name, "%s at 0x%llx to '%s' is out of range: 0x%llx does not fit %u bits",
                   spell(r->type), (unsigned long long)r->offset, spell_symbol(s->file->symbols[r->symbol]),
                   (unsigned long long)v, rule->width * 8u);
    if (rule->width == 8)
        wr64(at, v);
    else if (rule->width == 4)
        wr32(at, (uint32_t)v);
    else
        wr16(at, (uint16_t)v);
}

static void apply_loaded(struct link *l, const struct input_section *s, const sw_relocation *r,
                         uint8_t *bytes) {
    const struct rule *rule = rule_of(r->type);
    const struct link_symbol *y = s->file->symbols[r->symbol];
    if (!rule || left_to_loader(y, r, rule)) return;
    int64_t a = addend_of(s, r, rule);
    uint64_t place = s->out->address + s->place + r->offset, v;
    if (rule->form == FORM_GOT)
        v = l->own[OWN_GOT].out->address + l->own[OWN_GOT].place + 8ull * (y->got - 1) + (uint64_t)a;
    else
        v = symbol_address(y, a);
    if (rule->form != FORM_ABSOLUTE) v -= place;
    store(l, s, r, rule, v, bytes + r->offset);
}

// Debug information of code that was dropped points to an address that no code has.
static uint64_t tombstone(const char *name) {
    if (!strcmp(name, ".debug_loc") || !strcmp(name, ".debug_ranges")) return 1; // 0, 0 ends their lists
    return !strcmp(name, ".debug_names") ? UINT64_MAX : 0;
}

static void apply_unloaded(struct link *l, const struct input_section *s, const sw_relocation *r,
                           uint8_t *bytes) {
    if (r->type == R_AMDGPU_NONE) return;
    const struct rule *rule = check(l, s, r);
    if (!rule) return;
    const struct link_symbol *y = s->file->symbols[r->symbol];
    if (rule->form == FORM_GOT) {
        refuse(l, s, r, y, "the section is not loaded");
        return;
    }
    int64_t a = addend_of(s, r, rule);
    uint64_t v;
    if (rule->form == FORM_ABSOLUTE && is_debug(s) && y->kind != SYMBOL_DEFINED) {
        v = tombstone(s->name);
        if (rule->width == 4) v = (uint32_t)v;
    } else if (rule->form == FORM_ABSOLUTE)
        v = symbol_address(y, a);
    else { // as if the section lay at 0
        link_warn(l, s->file, s->name, "%s at 0x%llx in a section that is not loaded", spell(r->type),
                  (unsigned long long)r->offset);
        v = symbol_address(y, a) - (r->offset + s->place);
    }
    store(l, s, r, rule, v, bytes + r->offset);
}

static void apply_section(struct link *l, const struct input_section *s) {
    uint8_t *bytes = l->image + s->out->offset + s->place;
    for (size_t i = 0; i < s->relocation_count; i++)
        if (s->flags & SHF_ALLOC)
            apply_loaded(l, s, &s->relocations[i], bytes);
        else
            apply_unloaded(l, s, &s->relocations[i], bytes);
}

void relocations_apply(struct link *l) {
    for (size_t i = 0; i < l->sections.count; i++) {
        const struct output_section *o = l->sections.items[i];
        for (size_t n = 0; n < o->inputs.count; n++) {
            const struct input_section *s = o->inputs.items[n];
            if (s->file && s->relocation_count && s->out->type != SHT_NOBITS) apply_section(l, s);
        }
    }
    const struct input_section *got = &l->own[OWN_GOT];
    for (size_t i = 0; i < l->got.count; i++) {
        const struct link_symbol *s = l->got.items[i];
        sw_relocation any = {.symbol = 1};
        uint8_t *at = l->image + got->out->offset + got->place + 8 * i;
        if (!s->preemptible && is_number(s, &any)) wr64(at, symbol_address(s, 0));
    }
}
