// SPDX-License-Identifier: MIT
// Directives about symbols: values, binding, visibility, type, size, common ones and those in LDS.
#include <elf.h>
#include <string.h>

#include "asm/directive/directive.h"

void dir_show_assignment(struct unit *u, struct slice name, const struct mc_value *v) {
    if (!unit_shows(u)) return;
    text_puts(&u->line, ".set ");
    unit_show_name(u, name.text, name.length);
    text_puts(&u->line, ", ");
    unit_show_value(u, v);
    unit_show(u, "\n");
}

// arg: the symbol may be given another value later (.set), or not (.equiv).
bool dir_set(struct unit *u, struct slice name, const char *p, const char *end, unsigned again) {
    struct slice symbol;
    struct mc_value v;
    const char *where = skip_space(p, end);
    if (!unit_name(u, &p, end, &symbol)) return false;
    if (!unit_comma(u, &p, end))
        return unit_error(u, p, "expected comma behind the name of '%.*s'", (int)name.length, name.text);
    if (!unit_expression(u, &p, end, &v) || !unit_end(u, p, end)) return false;
    if (slice_is(symbol, ".")) return unit_error(u, where, "use .org to move the current place");
    if (!program_assign(u->program, symbol, &v, again, where)) return false;
    dir_show_assignment(u, symbol, &v);
    unit_show_symbol(u, "\t.no_dead_strip\t", symbol, "\n");
    return true;
}

// What was said of a symbol's type is not made less by what is said later.
static uint8_t telling_type(unsigned a, unsigned b) {
    static const uint8_t order[] = {STT_NOTYPE, STT_OBJECT, STT_FUNC, STT_GNU_IFUNC, STT_TLS};
    for (unsigned i = 0; i < sizeof order; i++) {
        if (a == order[i]) return (uint8_t)b;
        if (b == order[i]) return (uint8_t)a;
    }
    return (uint8_t)b;
}

static bool bind(struct unit *u, struct symbol *s, unsigned binding, const char *where) {
    if (s->has_binding && s->binding != binding && !(s->binding == STB_GLOBAL && binding == STB_WEAK) &&
        !(s->binding == STB_WEAK && binding == STB_GLOBAL))
        return unit_error(u, where, "'%.*s' changed binding", (int)s->length, s->name);
    s->has_binding = true;
    s->binding = (uint8_t)binding;
    return true;
}

// arg: enum symbol_attribute
bool dir_attribute(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    static const char *const heads[] = {
        [SAY_GLOBAL] = "\t.globl\t", [SAY_HIDDEN] = "\t.hidden\t",       [SAY_INTERNAL] = "\t.internal\t",
        [SAY_LOCAL] = "\t.local\t",  [SAY_PROTECTED] = "\t.protected\t", [SAY_WEAK] = "\t.weak\t"};
    (void)name;
    do {
        struct slice symbol;
        const char *where = p;
        if (!unit_name(u, &p, end, &symbol)) return false;
        struct symbol *s = program_symbol(u->program, symbol);
        if (!s) return false;
        program_register(u->program, s);
        switch ((enum symbol_attribute)arg) {
        case SAY_GLOBAL:
            if (!bind(u, s, STB_GLOBAL, where)) return false;
            break;
        case SAY_LOCAL:
            if (!bind(u, s, STB_LOCAL, where)) return false;
            break;
        case SAY_WEAK:
            if (!bind(u, s, STB_WEAK, where)) return false;
            break;
        case SAY_HIDDEN: s->visibility = STV_HIDDEN; break;
        case SAY_INTERNAL: s->visibility = STV_INTERNAL; break;
        case SAY_PROTECTED: s->visibility = STV_PROTECTED; break;
        }
        unit_show_symbol(u, heads[arg], symbol, "\n");
    } while (unit_comma(u, &p, end));
    return unit_end(u, p, end);
}

bool dir_type(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    static const struct {
        const char *name, *other;
        uint8_t type;
    } types[] = {{"function", "STT_FUNC", STT_FUNC},
                 {"object", "STT_OBJECT", STT_OBJECT},
                 {"tls_object", "STT_TLS", STT_TLS},
                 {"common", "STT_COMMON", STT_OBJECT},
                 {"notype", "STT_NOTYPE", STT_NOTYPE},
                 {"gnu_unique_object", "", STT_OBJECT},
                 {"gnu_indirect_function", "STT_GNU_IFUNC", STT_GNU_IFUNC}};
    struct slice symbol, type = {0};
    if (!unit_name(u, &p, end, &symbol)) return false;
    unit_comma(u, &p, end);
    const char *where = p = skip_space(p, end);
    if (p < end && (*p == '@' || *p == '%' || *p == '#')) p++;
    if (!unit_name(u, &p, end, &type) || !unit_end(u, p, end)) return false;
    struct symbol *s = program_symbol(u->program, symbol);
    if (!s) return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (slice_is(type, types[i].name) || slice_is(type, types[i].other)) {
            program_register(u->program, s);
            if (unit_shows(u)) {
                text_puts(&u->line, "\t.type\t");
                unit_show_name(u, symbol.text, symbol.length);
                text_printf(&u->line, ",@%s", types[i].name);
                unit_show(u, "\n");
            }
            s->type = telling_type(s->type, types[i].type);
            if (types[i].type == STT_GNU_IFUNC) u->program->gnu_abi = true;
            if (slice_is(type, "gnu_unique_object")) {
                s->binding = STB_GNU_UNIQUE;
                s->has_binding = u->program->gnu_abi = true;
            }
            return true;
        }
    return unit_error(u, where, "unsupported symbol type '%.*s'", (int)type.length, type.text);
}

bool dir_size(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    struct slice symbol;
    struct mc_value v;
    if (!unit_name(u, &p, end, &symbol)) return false;
    if (!unit_comma(u, &p, end)) return unit_error(u, p, "expected comma");
    if (!unit_expression(u, &p, end, &v) || !unit_end(u, p, end)) return false;
    struct symbol *s = program_symbol(u->program, symbol);
    if (!s) return false;
    if (unit_shows(u)) {
        text_puts(&u->line, "\t.size\t");
        unit_show_name(u, symbol.text, symbol.length);
        text_puts(&u->line, ", ");
        unit_show_value(u, &v);
        unit_show(u, "\n");
    }
    // "." is a symbol of the moment: what can be said now is said now.
    int64_t n;
    if (!expr_absolute(&v, &u->program->layout, &n))
        s->size = expr_number(&u->program->arena, n);
    else
        s->size = v.expr;
    return s->size || program_no_memory(u->program);
}

// .comm name, size[, alignment]; arg: .lcomm, which takes room in .bss
bool dir_common(struct unit *u, struct slice name, const char *p, const char *end, unsigned local) {
    (void)name;
    struct slice symbol;
    int64_t size, alignment = 1;
    const char *where = skip_space(p, end);
    if (!unit_name(u, &p, end, &symbol)) return false;
    if (!unit_comma(u, &p, end)) return unit_error(u, p, "expected comma");
    if (!unit_absolute(u, &p, end, &size)) return false;
    bool given = unit_comma(u, &p, end);
    if (given && local) return unit_error(u, p, "alignment not supported on this target");
    if (given && !unit_absolute(u, &p, end, &alignment)) return false;
    if (!unit_end(u, p, end)) return false;
    if (!local && alignment >= 0 && alignment < 32 && given)
        alignment = 1ll << alignment; // LLVM counts it so here
    if (size < 0 || alignment < 0 || alignment & (alignment - 1))
        return unit_error(u, where, "the size must not be negative, the alignment a power of 2");
    struct symbol *s = program_symbol(u->program, symbol);
    if (!s) return false;
    bool same = s->state == SYMBOL_COMMON && s->offset == (uint64_t)(alignment ? alignment : 1) && s->size &&
                s->size->kind == EXPR_NUMBER && s->size->number == size;
    if (same && !local) return true;
    if (s->state != SYMBOL_UNDEFINED)
        return unit_error(u, where, "invalid symbol redefinition of '%.*s'", (int)symbol.length, symbol.text);
    program_register(u->program, s);
    s->type = STT_OBJECT;
    if (!(s->size = expr_number(&u->program->arena, size))) return program_no_memory(u->program);
    bool was_local = s->has_binding && s->binding == STB_LOCAL;
    if (local || was_local) {
        struct section *here = u->program->section;
        struct section *bss =
            program_section(u->program, (struct slice){".bss", 4}, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0);
        if (!bss) return false;
        u->program->section = bss;
        bool ok = program_align(u->program, (uint64_t)alignment, NULL, 1, 0) &&
                  program_define_label(u->program, s, where);
        bss->size += (uint64_t)size;
        u->program->section = here;
        s->binding = STB_LOCAL;
        s->has_binding = true;
        return ok;
    }
    s->state = SYMBOL_COMMON;
    s->offset = alignment ? (uint64_t)alignment : 1;
    if (!s->has_binding) s->binding = STB_GLOBAL, s->has_binding = true;
    return true;
}

// .amdgpu_lds name, size[, alignment]: a variable in LDS, whose place the linker chooses (OBJ-33).
bool dir_lds(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    struct slice symbol;
    int64_t size, alignment = 4,
                  most = has(u->program->mode.processor, CAP_cumode) && !u->program->cumode
                             ? (int64_t)processor_lds(u->program->mode.processor) * 2
                             : (int64_t)processor_lds(u->program->mode.processor);
    const char *where = skip_space(p, end);
    if (!unit_name(u, &p, end, &symbol)) return false;
    if (!unit_comma(u, &p, end)) return unit_error(u, p, "expected comma");
    const char *at = p;
    if (!unit_absolute(u, &p, end, &size)) return false;
    if (size < 0) return unit_error(u, at, "size must be non-negative, found %lld", (long long)size);
    if (size > most)
        return unit_error(u, at, "size is too large: %lld of %lld bytes on %s", (long long)size,
                          (long long)most, u->program->mode.processor->name);
    if (unit_comma(u, &p, end)) {
        at = p;
        if (!unit_absolute(u, &p, end, &alignment)) return false;
        if (alignment <= 0 || alignment & (alignment - 1))
            return unit_error(u, at, "alignment must be a power of two, found %lld", (long long)alignment);
        if (alignment >= 1ll << 31)
            return unit_error(u, at, "alignment is too large: %lld", (long long)alignment);
    }
    if (!unit_end(u, p, end)) return false;
    struct symbol *s = program_symbol(u->program, symbol);
    if (!s) return false;
    bool same = s->state == SYMBOL_LDS && s->offset == (uint64_t)alignment && s->size &&
                s->size->kind == EXPR_NUMBER && s->size->number == size;
    if (s->state != SYMBOL_UNDEFINED && !same)
        return unit_error(u, where, "invalid symbol redefinition of '%.*s'", (int)symbol.length, symbol.text);
    if (unit_shows(u)) {
        text_puts(&u->line, "\t.amdgpu_lds ");
        unit_show_name(u, symbol.text, symbol.length);
        text_printf(&u->line, ", %lld, %lld", (long long)size, (long long)alignment);
        unit_show(u, "\n");
    }
    s->state = SYMBOL_LDS;
    s->type = STT_OBJECT;
    s->offset = (uint64_t)alignment;
    if (!s->has_binding) s->binding = STB_GLOBAL, s->has_binding = true;
    return (s->size = expr_number(&u->program->arena, size)) || program_no_memory(u->program);
}
