// SPDX-License-Identifier: MIT
// Directives that choose the section to fill.
#include <elf.h>
#include <string.h>

#include "asm/unit.h"

bool dir_named_section(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    static const struct {
        uint32_t type;
        uint64_t flags;
    } kinds[] = {{SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
                 {SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
                 {SHT_NOBITS, SHF_ALLOC | SHF_WRITE}};
    int64_t sub = 0;
    if (skip_space(p, end) < end && (!unit_absolute(u, &p, end, &sub) || !unit_end(u, p, end))) return false;
    if (sub) return unit_error(u, name.text, "subsections other than 0 are not supported");
    struct section *s = unit_section(u, name, kinds[arg].type, kinds[arg].flags, 0);
    if (s) unit_enter(u, s);
    return s;
}

static bool begins(struct slice s, const char *prefix) {
    size_t n = strlen(prefix);
    return s.length >= n && !memcmp(s.text, prefix, n) && (s.length == n || s.text[n] == '.');
}

// What a section of this name is when nothing is said (OBJ-15, OBJ-16).
static void defaults(struct slice name, uint32_t *type, uint64_t *flags) {
    *type = SHT_PROGBITS;
    *flags = 0;
    if (begins(name, ".rodata") || slice_is(name, ".rodata1"))
        *flags = SHF_ALLOC;
    else if (begins(name, ".text") || slice_is(name, ".init") || slice_is(name, ".fini"))
        *flags = SHF_ALLOC | SHF_EXECINSTR;
    else if (begins(name, ".data") || slice_is(name, ".data1") || begins(name, ".bss") ||
             begins(name, ".init_array") || begins(name, ".fini_array") || begins(name, ".preinit_array"))
        *flags = SHF_ALLOC | SHF_WRITE;
    else if (begins(name, ".tdata") || begins(name, ".tbss"))
        *flags = SHF_ALLOC | SHF_WRITE | SHF_TLS;
    if (begins(name, ".bss") || begins(name, ".tbss")) *type = SHT_NOBITS;
    if (begins(name, ".note")) *type = SHT_NOTE;
    if (begins(name, ".init_array")) *type = SHT_INIT_ARRAY;
    if (begins(name, ".fini_array")) *type = SHT_FINI_ARRAY;
    if (begins(name, ".preinit_array")) *type = SHT_PREINIT_ARRAY;
}

static bool read_flags(struct unit *u, const char *where, const struct text *t, uint64_t *flags) {
    static const struct {
        char letter;
        uint64_t flag;
    } known[] = {{'a', SHF_ALLOC},      {'w', SHF_WRITE}, {'x', SHF_EXECINSTR}, {'M', SHF_MERGE},
                 {'S', SHF_STRINGS},    {'T', SHF_TLS},   {'e', SHF_EXCLUDE},   {'R', 0x200000},
                 {'o', SHF_LINK_ORDER}, {'G', SHF_GROUP}};
    *flags = 0;
    for (size_t i = 0; i < t->length; i++) {
        size_t k = 0;
        while (k < sizeof known / sizeof *known && known[k].letter != t->data[i]) k++;
        if (k == sizeof known / sizeof *known) return unit_error(u, where, "unknown flag '%c'", t->data[i]);
        if (known[k].flag & (SHF_GROUP | SHF_LINK_ORDER))
            return unit_error(u, where, "section groups and link order are not supported");
        *flags |= known[k].flag;
    }
    return true;
}

static bool read_type(struct unit *u, const char **at, const char *end, uint32_t *type) {
    static const struct {
        const char *name;
        uint32_t type;
    } known[] = {{"progbits", SHT_PROGBITS},
                 {"nobits", SHT_NOBITS},
                 {"note", SHT_NOTE},
                 {"init_array", SHT_INIT_ARRAY},
                 {"fini_array", SHT_FINI_ARRAY},
                 {"preinit_array", SHT_PREINIT_ARRAY},
                 {"llvm_odrtab", 0x6fff4c00},
                 {"llvm_linker_options", 0x6fff4c01}};
    const char *where = *at = skip_space(*at, end);
    if (*at < end && **at == '"') {
        struct text t = {0};
        bool ok = unit_string(u, at, end, &t);
        struct slice s = {t.data, t.length};
        for (size_t i = 0; ok && i < sizeof known / sizeof *known; i++)
            if (slice_is(s, known[i].name)) *type = known[i].type;
        text_free(&t);
        return ok;
    }
    if (*at == end || (**at != '@' && **at != '%'))
        return unit_error(u, where, "expected '@<type>', '%%<type>' or \"<type>\"");
    ++*at;
    struct slice name;
    int64_t number;
    if (*at < end && char_is(**at, CHAR_DIGIT)) {
        if (!unit_absolute(u, at, end, &number)) return false;
        *type = (uint32_t)number;
        return true;
    }
    if (!lex_name(at, end, &name)) return unit_error(u, where, "expected a section type");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (slice_is(name, known[i].name)) {
            *type = known[i].type;
            return true;
        }
    return unit_error(u, where, "unknown section type '%.*s'", (int)name.length, name.text);
}

// A section's name may hold any characters up to a comma or blank.
static bool section_name(struct unit *u, const char **at, const char *end, struct slice *out) {
    const char *p = *at = skip_space(*at, end);
    if (p < end && *p == '"') return unit_name(u, at, end, out);
    while (p < end && *p != ',' && !char_is(*p, CHAR_SPACE)) p++;
    *out = (struct slice){*at, (size_t)(p - *at)};
    *at = p;
    return out->length || unit_error(u, p, "expected identifier");
}

bool dir_section(struct unit *u, struct slice directive, const char *p, const char *end, unsigned arg) {
    (void)arg;
    struct slice name;
    const char *where = skip_space(p, end);
    if (!section_name(u, &p, end, &name)) return false;
    uint32_t type;
    uint64_t flags;
    int64_t entsize = 0;
    bool said = false;
    defaults(name, &type, &flags);
    if (unit_comma(u, &p, end)) {
        if (p < end && *p != '"') {
            if (!slice_is(directive, ".pushsection")) return unit_error(u, p, "expected string");
            if (!unit_absolute(u, &p, end, &entsize)) return false;
            if (entsize) return unit_error(u, where, "subsections other than 0 are not supported");
        } else {
            struct text t = {0};
            const char *at = p;
            bool ok = unit_string(u, &p, end, &t) && read_flags(u, at, &t, &flags);
            text_free(&t);
            if (!ok) return false;
            said = true;
            if (unit_comma(u, &p, end)) {
                if (!read_type(u, &p, end, &type)) return false;
                if (flags & SHF_MERGE) {
                    if (!unit_comma(u, &p, end)) return unit_error(u, p, "expected the entry size");
                    if (!unit_absolute(u, &p, end, &entsize)) return false;
                    if (entsize <= 0) return unit_error(u, p, "entry size must be positive");
                }
            } else if (flags & SHF_MERGE)
                return unit_error(u, p, "Mergeable section must specify the type");
        }
    }
    if (!unit_end(u, p, end)) return false;
    struct section *s = unit_section(u, name, type, flags, (uint64_t)entsize);
    if (!s) return false;
    if (said && (s->flags != flags || s->type != type || s->entsize != (uint64_t)entsize))
        return unit_error(u, where, "changed section type, flags or entsize for %s", s->name);
    unit_enter(u, s);
    return true;
}

bool dir_push(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    struct section_place place = {u->section, u->previous};
    if (u->section_stack.count > 10000) return unit_error(u, name.text, "sections are pushed too deeply");
    if (!array_push(&u->section_stack, place)) return unit_no_memory(u);
    if (dir_section(u, name, p, end, arg)) return true;
    u->section_stack.count--;
    return false;
}

bool dir_pop(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    if (!u->section_stack.count)
        return unit_error(u, name.text, ".popsection without corresponding .pushsection");
    struct section_place place = u->section_stack.items[--u->section_stack.count];
    u->section = place.section;
    u->previous = place.previous;
    return unit_end(u, p, end);
}

bool dir_previous(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    if (!u->previous) return unit_error(u, name.text, ".previous without corresponding .section");
    unit_enter(u, u->previous);
    return unit_end(u, p, end);
}
