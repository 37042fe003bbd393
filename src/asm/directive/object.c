// SPDX-License-Identifier: MIT
// Directives that speak to the linker and write nothing where they stand: .ident, .addrsig, .weakref,
// .symver, .reloc, .cg_profile.
#include <elf.h>
#include <string.h>

#include "asm/directive/directive.h"

bool dir_ident(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    struct text t = {0};
    struct section *here = u->program->section;
    bool ok = unit_string(u, &p, end, &t) && unit_end(u, p, end);
    struct section *s = ok ? program_section(u->program, (struct slice){".comment", 8}, SHT_PROGBITS,
                                             SHF_MERGE | SHF_STRINGS, 1)
                           : NULL;
    if (s) {
        u->program->section = s;
        text_add(&t, "", 1);
        ok = !t.failed && (s->size || program_emit(u->program, "", 1)) &&
             program_emit(u->program, t.data, t.length);
        u->program->section = here;
    }
    text_free(&t);
    return s && ok;
}

// .weakref alias, target
bool dir_weakref(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    struct slice alias, target;
    const char *where = skip_space(p, end);
    if (!unit_name(u, &p, end, &alias)) return false;
    if (!unit_comma(u, &p, end)) return unit_error(u, p, "expected a comma");
    if (!unit_name(u, &p, end, &target) || !unit_end(u, p, end)) return false;
    struct symbol *s = program_symbol(u->program, alias), *t = program_symbol(u->program, target);
    if (!s || !t) return false;
    if (s == t || s->state != SYMBOL_UNDEFINED)
        return unit_error(u, where, "redefinition of '%.*s'", (int)alias.length, alias.text);
    s->state = SYMBOL_VARIABLE;
    s->value = &t->reference;
    s->weakref = true;
    return true;
}

// The section that lists symbols whose addresses matter; arg: name one.
bool dir_addrsig(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name;
    struct slice symbol;
    u->program->has_addrsig = true;
    if (!arg) return unit_end(u, p, end);
    if (!unit_name(u, &p, end, &symbol) || !unit_end(u, p, end)) return false;
    struct symbol *s = program_symbol(u->program, symbol);
    return s && (array_push(&u->program->addrsig, s) || program_no_memory(u->program));
}

// ---- Versions ----

// .symver name, other@version[, remove]: `other@version` is a name for it, with @@@ instead of it.
bool dir_symver(struct unit *u, struct slice directive, const char *p, const char *end, unsigned arg) {
    (void)directive, (void)arg;
    struct slice name, version;
    struct symver v = {0};
    if (!unit_name(u, &p, end, &name)) return false;
    if (!unit_comma(u, &p, end)) return unit_error(u, p, "expected a comma");
    const char *where = p;
    if (p < end && *p == '"') {
        if (!unit_name(u, &p, end, &version)) return false;
    } else {
        while (p < end && (char_is(*p, CHAR_NAME) || *p == '@')) p++;
        version = (struct slice){where, (size_t)(p - where)};
    }
    const char *at = memchr(version.text, '@', version.length);
    if (!at) return unit_error(u, where, "expected a '@' in the name");
    size_t rest = version.length - (size_t)(at - version.text);
    v.keep = rest < 3 || memcmp(at, "@@@", 3);
    if (unit_comma(u, &p, end)) {
        struct slice action;
        const char *word = p;
        if (!unit_name(u, &p, end, &action)) return false;
        if (!slice_is(action, "remove")) return unit_error(u, word, "expected 'remove'");
        v.keep = false;
    }
    if (!unit_end(u, p, end)) return false;
    v.symbol = program_symbol(u->program, name);
    v.prefix = (size_t)(at - version.text);
    v.name = (struct slice){arena_copy(&u->program->arena, version.text, version.length), version.length};
    v.at = unit_late(u);
    if (!v.symbol || !v.name.text) return program_no_memory(u->program);
    return array_push(&u->program->symvers, v) || program_no_memory(u->program);
}

static bool add_version(struct program *program, const struct symver *v) {
    struct symbol *s = v->symbol;
    bool undefined = s->state == SYMBOL_UNDEFINED;
    struct slice tail = {v->name.text + v->prefix, v->name.length - v->prefix};
    unsigned ats = 0;
    while (ats < tail.length && tail.text[ats] == '@') ats++;
    if (ats >= 3) { // it stands for @ of what is elsewhere and @@ of what is here
        unsigned drop = undefined ? 2 : 1;
        tail = (struct slice){tail.text + drop, tail.length - drop};
    }
    struct text t = {0};
    text_add(&t, v->name.text, v->prefix);
    text_add(&t, tail.text, tail.length);
    struct symbol *alias = t.failed ? NULL : program_symbol(program, (struct slice){t.data, t.length});
    text_free(&t);
    if (!alias) return program_no_memory(program);
    if (alias->state != SYMBOL_UNDEFINED && alias->value != &s->reference)
        return program_late_error(program, v->at, "symbol '%.*s' is already defined", (int)alias->length,
                                  alias->name);
    program_register(program, alias);
    alias->state = SYMBOL_VARIABLE;
    alias->value = &s->reference;
    alias->binding = s->has_binding ? s->binding : undefined ? STB_GLOBAL : STB_LOCAL;
    alias->has_binding = true;
    alias->visibility = s->visibility;
    if (!undefined && v->keep) return true;
    if (undefined && ats == 2)
        return program_late_error(program, v->at, "default version symbol %.*s must be defined",
                                  (int)v->name.length, v->name.text);
    if (s->rename && s->rename != alias)
        return program_late_error(program, v->at, "multiple versions for %.*s", (int)s->length, s->name);
    s->rename = alias;
    return true;
}

bool finish_versions(struct program *program) {
    bool ok = true;
    for (size_t i = 0; i < program->symvers.count; i++)
        ok &= add_version(program, &program->symvers.items[i]);
    return ok;
}

// ---- Relocations by name ----

static bool relocation_named(struct slice name, uint8_t *type) {
    static const char *const names[] = {"NONE",     "ABS32_LO", "ABS32_HI", "ABS64",         "REL32",
                                        "REL64",    "ABS32",    "GOTPCREL", "GOTPCREL32_LO", "GOTPCREL32_HI",
                                        "REL32_LO", "REL32_HI", NULL,       "RELATIVE64",    "REL16"};
    static const char prefix[] = "R_AMDGPU_";
    if (slice_is(name, "BFD_RELOC_NONE")) return *type = 0, true;
    if (slice_is(name, "BFD_RELOC_32")) return *type = 6, true;
    if (slice_is(name, "BFD_RELOC_64")) return *type = 3, true;
    size_t n = sizeof prefix - 1;
    if (name.length <= n || memcmp(name.text, prefix, n)) return false;
    struct slice rest = {name.text + n, name.length - n};
    for (uint8_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && slice_is(rest, names[i])) return *type = i, true;
    return false;
}

// .reloc offset, R_AMDGPU_...[, expression]
bool dir_reloc(struct unit *u, struct slice directive, const char *p, const char *end, unsigned arg) {
    (void)directive, (void)arg;
    struct slice name;
    struct mc_value target = {0};
    struct mc_value place;
    struct relocatable r;
    uint8_t type;
    const char *where = skip_space(p, end);
    if (!unit_expression(u, &p, end, &place)) return false;
    int64_t offset = place.number;
    if (place.expr) { // a label of this section, or an offset from it
        if (expr_evaluate(place.expr, &u->program->layout, &r) || r.sub || r.variant ||
            (r.add && (r.add->state != SYMBOL_LABEL || r.add->section != u->program->section)))
            return unit_error(u, where, "the offset must be a number or a place in this section");
        offset = r.number + (r.add ? (int64_t)r.add->offset : 0);
    }
    if (offset < 0) return unit_error(u, where, "expected non-negative number or a label");
    if (!unit_comma(u, &p, end)) return unit_error(u, p, "expected comma");
    where = p;
    if (!unit_name(u, &p, end, &name)) return false;
    if (!relocation_named(name, &type))
        return unit_error(u, where, "unknown relocation name '%.*s'", (int)name.length, name.text);
    if (unit_comma(u, &p, end) && !unit_expression(u, &p, end, &target)) return false;
    if (!unit_end(u, p, end)) return false;
    const struct expr *e = target.expr ? target.expr : expr_number(&u->program->arena, target.number);
    if (!e) return program_no_memory(u->program);
    if (!program_fixup(u->program, (uint64_t)offset, FIX_RELOC, e)) return false;
    u->program->section->fixups.items[u->program->section->fixups.count - 1].type = type;
    return true;
}

// .cg_profile from, to, count: how often one calls the other
bool dir_cg_profile(struct unit *u, struct slice directive, const char *p, const char *end, unsigned arg) {
    (void)directive, (void)arg;
    struct slice name;
    struct profile entry = {0};
    int64_t count;
    for (unsigned i = 0; i < 2; i++) {
        if (!unit_name(u, &p, end, &name)) return false;
        if (!(entry.symbol[i] = program_symbol(u->program, name))) return false;
        if (!unit_comma(u, &p, end)) return unit_error(u, p, "expected a comma");
    }
    if (!unit_absolute(u, &p, end, &count) || !unit_end(u, p, end)) return false;
    entry.count = (uint64_t)count;
    return array_push(&u->program->profile, entry) || program_no_memory(u->program);
}

bool finish_profile(struct program *program) {
    if (!program->profile.count) return true;
    struct section *here = program->section;
    struct section *s = program->section =
        program_section(program, (struct slice){".llvm.call-graph-profile", 24}, 0x6fff4c09, SHF_EXCLUDE, 8);
    bool ok = s;
    for (size_t i = 0; ok && i < program->profile.count; i++) {
        const struct profile *entry = &program->profile.items[i];
        for (unsigned k = 0; ok && k < 2; k++) // a fixup's type is R_AMDGPU_NONE unless it is given one
            ok = program_fixup(program, s->size, FIX_RELOC, &entry->symbol[k]->reference);
        ok = ok && program_emit(program, &entry->count, 8);
    }
    program->section = here;
    return ok;
}
