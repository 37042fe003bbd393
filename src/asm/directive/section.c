// SPDX-License-Identifier: MIT
// Directives that choose the section to fill: the named ones, .section and .pushsection with flags, type,
// entry size, linked symbol, group and unique number, and subsections of all of them.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "asm/directive/directive.h"

// Reads the number of a subsection and enters it.
static bool enter_numbered(struct unit *u, struct section *s, const char *p, const char *end) {
    int64_t number = 0;
    const char *where = skip_space(p, end);
    if (where < end && (!unit_absolute(u, &p, end, &number) || !unit_end(u, p, end))) return false;
    if (number < 0 || number > INT32_MAX)
        return unit_error(u, where, "subsection number must be from 0 to 2147483647, found %lld",
                          (long long)number);
    s = program_subsection(u->program, s, (uint32_t)number);
    if (s) program_enter(u->program, s);
    if (s) unit_show_section(u);
    return s;
}

bool dir_named_section(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    static const struct {
        uint32_t type;
        uint64_t flags;
    } kinds[] = {{SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
                 {SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
                 {SHT_NOBITS, SHF_ALLOC | SHF_WRITE},
                 {SHT_PROGBITS, SHF_ALLOC},
                 {SHT_PROGBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS},
                 {SHT_NOBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS}};
    struct section *s = program_section(u->program, name, kinds[arg].type, kinds[arg].flags, 0);
    return s && enter_numbered(u, s, p, end);
}

bool dir_subsection(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    return enter_numbered(u, u->program->section, p, end);
}

static bool begins(struct slice s, const char *prefix) {
    size_t n = strlen(prefix);
    return s.length >= n && !memcmp(s.text, prefix, n) && (s.length == n || s.text[n] == '.');
}

// What a section of this name is when nothing is said (OBJ-15, OBJ-16).
static uint64_t default_flags(struct slice name) {
    if (begins(name, ".rodata") || slice_is(name, ".rodata1")) return SHF_ALLOC;
    if (begins(name, ".text") || slice_is(name, ".init") || slice_is(name, ".fini"))
        return SHF_ALLOC | SHF_EXECINSTR;
    if (begins(name, ".data") || slice_is(name, ".data1") || begins(name, ".bss") ||
        begins(name, ".init_array") || begins(name, ".fini_array") || begins(name, ".preinit_array"))
        return SHF_ALLOC | SHF_WRITE;
    if (begins(name, ".tdata") || begins(name, ".tbss")) return SHF_ALLOC | SHF_WRITE | SHF_TLS;
    return 0;
}

static uint32_t default_type(struct slice name) {
    if (name.length >= 5 && !memcmp(name.text, ".note", 5)) return SHT_NOTE;
    if (begins(name, ".bss") || begins(name, ".tbss")) return SHT_NOBITS;
    if (begins(name, ".init_array")) return SHT_INIT_ARRAY;
    if (begins(name, ".fini_array")) return SHT_FINI_ARRAY;
    if (begins(name, ".preinit_array")) return SHT_PREINIT_ARRAY;
    return SHT_PROGBITS;
}

// ---- The arguments of .section ----

struct arguments {
    struct section_key key;
    uint64_t flags, said; // said: those that the text gives
    uint32_t type;
    bool has_type, last_group;
    int64_t entsize, subsection;
};

static bool read_flags(struct unit *u, const char *where, const struct text *t, struct arguments *a) {
    static const struct {
        char letter;
        uint64_t flag;
    } known[] = {{'a', SHF_ALLOC},      {'w', SHF_WRITE}, {'x', SHF_EXECINSTR}, {'M', SHF_MERGE},
                 {'S', SHF_STRINGS},    {'T', SHF_TLS},   {'e', SHF_EXCLUDE},   {'R', 0x200000},
                 {'o', SHF_LINK_ORDER}, {'G', SHF_GROUP}};
    const char *p = t->data;
    struct number n = lex_number(&p, t->data + t->length);
    if (t->length && n.kind == NUMBER_INTEGER && !n.error && p == t->data + t->length) {
        if (n.low > UINT32_MAX) return unit_error(u, where, "section flags must fit 32 bits");
        a->said = n.low;
        return true;
    }
    for (size_t i = 0; i < t->length; i++) {
        size_t k = 0;
        if (t->data[i] == '?') {
            a->last_group = true;
            continue;
        }
        while (k < sizeof known / sizeof *known && known[k].letter != t->data[i]) k++;
        if (k == sizeof known / sizeof *known)
            return unit_error(u, where, "unknown flag '%c': a, e, G, M, o, R, S, T, w, x and ? are known",
                              t->data[i]);
        a->said |= known[k].flag;
    }
    if (a->said & 0x200000) u->program->gnu_abi = true;
    return true;
}

// #alloc, #write, ...
static bool read_words(struct unit *u, const char **at, const char *end, struct arguments *a) {
    static const struct {
        const char *name;
        uint64_t flag;
    } known[] = {{"alloc", SHF_ALLOC}, {"execinstr", SHF_EXECINSTR}, {"write", SHF_WRITE}, {"tls", SHF_TLS}};
    while (*at < end && **at == '#') {
        struct slice name;
        size_t k = 0;
        const char *where = ++*at;
        if (!lex_name(at, end, &name)) return unit_error(u, where, "expected the name of a flag");
        while (k < 4 && !slice_is(name, known[k].name)) k++;
        if (k == 4)
            return unit_error(u, where, "unknown flag '#%.*s': #alloc, #execinstr, #write and #tls are known",
                              (int)name.length, name.text);
        a->said |= known[k].flag;
        if (!unit_comma(u, at, end)) break;
    }
    return true;
}

static bool read_type(struct unit *u, const char **at, const char *end, struct arguments *a) {
    static const struct {
        const char *name;
        uint32_t type;
    } known[] = {{"progbits", SHT_PROGBITS},
                 {"nobits", SHT_NOBITS},
                 {"note", SHT_NOTE},
                 {"init_array", SHT_INIT_ARRAY},
                 {"fini_array", SHT_FINI_ARRAY},
                 {"preinit_array", SHT_PREINIT_ARRAY},
                 {"unwind", 0x70000001},
                 {"llvm_odrtab", 0x6fff4c00},
                 {"llvm_linker_options", 0x6fff4c01},
                 {"llvm_dependent_libraries", 0x6fff4c04},
                 {"llvm_sympart", 0x6fff4c05},
                 {"llvm_call_graph_profile", 0x6fff4c09},
                 {"llvm_bb_addr_map", 0x6fff4c0a},
                 {"llvm_offloading", 0x6fff4c0b},
                 {"llvm_lto", 0x6fff4c0c}};
    const char *where = *at = skip_space(*at, end);
    struct slice name;
    a->has_type = true;
    if (*at < end && **at == '"') {
        if (!unit_name(u, at, end, &name)) return false;
    } else {
        if (*at == end || (**at != '@' && **at != '%'))
            return unit_error(u, where, "expected '@<type>', '%%<type>' or \"<type>\"");
        where = ++*at;
        if (*at < end && char_is(**at, CHAR_DIGIT)) {
            struct number n = lex_number(at, end);
            if (n.error || n.kind != NUMBER_INTEGER || n.low > UINT32_MAX)
                return unit_error(u, where, "a section type must be a number of 32 bits");
            a->type = (uint32_t)n.low;
            return true;
        }
        if (!lex_name(at, end, &name)) return unit_error(u, where, "expected a section type");
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (slice_is(name, known[i].name)) {
            a->type = known[i].type;
            return true;
        }
    return unit_error(u, where, "unknown section type '%.*s'", (int)name.length, name.text);
}

static bool read_entsize(struct unit *u, const char **at, const char *end, struct arguments *a) {
    if (!unit_comma(u, at, end)) return unit_error(u, *at, "expected the entry size");
    const char *where = *at;
    if (!unit_absolute(u, at, end, &a->entsize)) return false;
    return a->entsize > 0 || unit_error(u, where, "entry size must be positive");
}

static bool read_link(struct unit *u, const char **at, const char *end, struct arguments *a) {
    if (!unit_comma(u, at, end)) return unit_error(u, *at, "expected linked-to symbol");
    const char *where = *at;
    struct slice name;
    if (where < end && *where == '0' && (where + 1 == end || !char_is(where[1], CHAR_NAME))) {
        ++*at;
        return true;
    }
    if (!unit_name(u, at, end, &name)) return false;
    struct symbol *s = symbol_find(&u->program->symbols, name.text, name.length);
    if (!s || s->state != SYMBOL_LABEL)
        return unit_error(u, where, "linked-to symbol is not in a section: %.*s", (int)name.length,
                          name.text);
    a->key.link = s;
    return true;
}

static bool read_group(struct unit *u, const char **at, const char *end, struct arguments *a) {
    if (!unit_comma(u, at, end)) return unit_error(u, *at, "expected group name");
    struct slice name;
    const char *where = *at;
    if (where < end && char_is(*where, CHAR_DIGIT)) {
        lex_number(at, end);
        name = (struct slice){where, (size_t)(*at - where)};
    } else if (!unit_name(u, at, end, &name))
        return false;
    if (!(a->key.group = program_symbol(u->program, name))) return false;
    const char *behind = *at;
    if (!unit_comma(u, at, end)) return true;
    where = *at;
    if (!unit_name(u, at, end, &name)) return false;
    if (slice_is(name, "unique")) { // belongs to what follows
        *at = behind;
        return true;
    }
    if (!slice_is(name, "comdat")) return unit_error(u, where, "Linkage must be 'comdat'");
    return a->key.comdat = true;
}

static bool read_unique(struct unit *u, const char **at, const char *end, struct arguments *a) {
    if (!unit_comma(u, at, end)) return true;
    struct slice name;
    const char *where = *at;
    int64_t number;
    if (!unit_name(u, at, end, &name)) return false;
    if (!slice_is(name, "unique")) return unit_error(u, where, "expected 'unique'");
    if (!unit_comma(u, at, end)) return unit_error(u, *at, "expected comma");
    where = *at;
    if (!unit_absolute(u, at, end, &number)) return false;
    if (number < 0) return unit_error(u, where, "unique id must not be negative");
    if (number >= UINT32_MAX) return unit_error(u, where, "unique id is too large");
    a->key.unique = (uint64_t)number;
    return true;
}

static bool read_arguments(struct unit *u, bool push, const char **at, const char *end, struct arguments *a) {
    if (!unit_comma(u, at, end)) return true;
    if (push && *at < end && **at != '"') {
        const char *where = *at;
        if (!unit_absolute(u, at, end, &a->subsection)) return false;
        if (a->subsection < 0 || a->subsection > INT32_MAX)
            return unit_error(u, where, "subsection number must be from 0 to 2147483647, found %lld",
                              (long long)a->subsection);
        if (!unit_comma(u, at, end)) return true;
    }
    const char *where = *at;
    if (where < end && *where == '#') {
        if (!read_words(u, at, end, a)) return false;
    } else {
        struct text t = {0};
        bool ok = unit_string(u, at, end, &t) && read_flags(u, where, &t, a);
        text_free(&t);
        if (!ok) return false;
    }
    a->flags |= a->said;
    bool group = a->flags & SHF_GROUP, merge = a->flags & SHF_MERGE;
    if (group && a->last_group)
        return unit_error(u, where, "a section cannot name a group and be in the last one");
    if (unit_comma(u, at, end)) {
        if (!read_type(u, at, end, a)) return false;
    } else if (merge || group)
        return unit_error(u, *at, "%s section must specify the type", merge ? "Mergeable" : "Group");
    else
        return true;
    return (!merge || read_entsize(u, at, end, a)) &&
           (!(a->flags & SHF_LINK_ORDER) || read_link(u, at, end, a)) &&
           (!group || read_group(u, at, end, a)) && read_unique(u, at, end, a);
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
    struct arguments a = {.key.unique = NOT_UNIQUE};
    const char *where = skip_space(p, end);
    if (!section_name(u, &p, end, &a.key.name)) return false;
    a.flags = default_flags(a.key.name);
    a.type = default_type(a.key.name);
    if (!read_arguments(u, slice_is(directive, ".pushsection"), &p, end, &a) || !unit_end(u, p, end))
        return false;
    const struct section *last =
        u->program->section->whole ? u->program->section->whole : u->program->section;
    if (a.last_group && last->group) {
        a.key.group = last->group;
        a.key.comdat = last->comdat;
        a.flags |= SHF_GROUP;
    }
    struct section *s = program_section_of(u->program, &a.key, a.type, a.flags, (uint64_t)a.entsize);
    if (!s) return false;
    // Later uses may leave out what the first one said, not change it.
    if (a.has_type && s->type != a.type)
        return unit_error(u, where, "changed section type for %s, expected: 0x%x", s->name, s->type);
    bool said = a.said || a.entsize || a.has_type;
    if (said && s->flags != a.flags)
        return unit_error(u, where, "changed section flags for %s, expected: 0x%llx", s->name,
                          (unsigned long long)s->flags);
    if (said && s->entsize != (uint64_t)a.entsize)
        return unit_error(u, where, "changed section entsize for %s, expected: %llu", s->name,
                          (unsigned long long)s->entsize);
    s = program_subsection(u->program, s, (uint32_t)a.subsection);
    if (s) program_enter(u->program, s);
    if (s) unit_show_section(u);
    return s;
}

bool dir_push(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    struct section_place place = {u->program->section, u->program->previous};
    if (u->program->section_stack.count > 10000)
        return unit_error(u, name.text, "sections are pushed too deeply");
    if (!array_push(&u->program->section_stack, place)) return program_no_memory(u->program);
    if (dir_section(u, name, p, end, arg)) return true;
    u->program->section_stack.count--;
    return false;
}

bool dir_pop(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    if (!u->program->section_stack.count)
        return unit_error(u, name.text, ".popsection without corresponding .pushsection");
    struct section_place place = u->program->section_stack.items[--u->program->section_stack.count];
    u->program->section = place.section;
    u->program->previous = place.previous;
    unit_show_section(u);
    if (unit_shows(u)) unit_show(u, "\n");
    return unit_end(u, p, end);
}

bool dir_previous(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    if (!u->program->previous) return unit_error(u, name.text, ".previous without corresponding .section");
    program_enter(u->program, u->program->previous);
    unit_show_section(u);
    if (unit_shows(u)) unit_show(u, "\n");
    return unit_end(u, p, end);
}
