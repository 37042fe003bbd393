// SPDX-License-Identifier: MIT
// The .cfi_* directives: what stands between .cfi_startproc and .cfi_endproc is kept as one frame, each
// instruction with the place at which it begins to hold. Registers are DWARF's numbers or names, which mean
// those of wave64 whatever the mode, as for LLVM (DW-01 to DW-11).
#include "asm/directive/directive.h"
#include "mc/dwarf/dwarf.h"

#include <string.h>

#include "isa/names.h"

enum cfi_shape {
    SHAPE_NONE,
    SHAPE_REG,
    SHAPE_VALUE,
    SHAPE_REG_VALUE,
    SHAPE_REG_VALUE_VALUE,
    SHAPE_REG_REG,
    SHAPE_BYTES,
    SHAPE_NAME
};

static const struct {
    const char *name;
    uint8_t op, shape;
} directives[] = {
    {".cfi_def_cfa", CFI_DEF_CFA, SHAPE_REG_VALUE},
    {".cfi_def_cfa_offset", CFI_DEF_CFA_OFFSET, SHAPE_VALUE},
    {".cfi_adjust_cfa_offset", CFI_ADJUST_CFA_OFFSET, SHAPE_VALUE},
    {".cfi_def_cfa_register", CFI_DEF_CFA_REGISTER, SHAPE_REG},
    {".cfi_llvm_def_aspace_cfa", CFI_DEF_ASPACE_CFA, SHAPE_REG_VALUE_VALUE},
    {".cfi_offset", CFI_OFFSET, SHAPE_REG_VALUE},
    {".cfi_rel_offset", CFI_REL_OFFSET, SHAPE_REG_VALUE},
    {".cfi_val_offset", CFI_VAL_OFFSET, SHAPE_REG_VALUE},
    {".cfi_register", CFI_REGISTER, SHAPE_REG_REG},
    {".cfi_restore", CFI_RESTORE, SHAPE_REG},
    {".cfi_same_value", CFI_SAME_VALUE, SHAPE_REG},
    {".cfi_undefined", CFI_UNDEFINED, SHAPE_REG},
    {".cfi_remember_state", CFI_REMEMBER_STATE, SHAPE_NONE},
    {".cfi_restore_state", CFI_RESTORE_STATE, SHAPE_NONE},
    {".cfi_window_save", CFI_WINDOW_SAVE, SHAPE_NONE},
    {".cfi_escape", CFI_ESCAPE, SHAPE_BYTES},
    {".cfi_label", CFI_LABEL, SHAPE_NAME},
    {".cfi_return_column", CFI_RETURN_COLUMN, SHAPE_REG},
    {".cfi_signal_frame", CFI_SIGNAL_FRAME, SHAPE_NONE},
};

// ---- Operands ----

// s5, v[7], a0: a letter and a number.
static bool numbered_register(const struct unit *u, struct slice name, uint32_t *out) {
    uint32_t n = 0;
    if (name.length < 2 || name.length > 4) return false;
    for (size_t i = 1; i < name.length; i++) {
        if (!char_is(name.text[i], CHAR_DIGIT)) return false;
        n = n * 10 + (uint32_t)(name.text[i] - '0');
    }
    switch (*name.text) {
    case 's': *out = n < 64 ? 32 + n : 1088 + n - 64; return n < u->program->mode.isa.sgprs;
    case 'v': *out = 2560 + n; return n < 256;
    case 'a': *out = 3072 + n; return n < 256;
    default: return false;
    }
}

static bool read_register(struct unit *u, const char **at, const char *end, uint32_t *out) {
    static const struct {
        const char *name;
        uint16_t number;
    } known[] = {{"pc", 16}, {"exec", 17}, {"exec_lo", 1}, {"vcc", 768}, {"vcc_lo", 512}, {"status", 128}};
    const char *where = *at = skip_space(*at, end);
    struct slice name;
    int64_t number;
    if (*at == end || !char_is(**at, CHAR_NAME_START)) {
        if (!unit_absolute(u, at, end, &number)) return false;
        *out = (uint32_t)number;
        return true;
    }
    if (!lex_name(at, end, &name)) return unit_error(u, where, "expected a register");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (slice_is(name, known[i].name)) {
            *out = known[i].number;
            return true;
        }
    return numbered_register(u, name, out) ||
           unit_error(
               u, where,
               "'%.*s' is no register with a DWARF number on %s: s, v, a with a number, pc, exec, exec_lo, "
               "vcc, vcc_lo, or the number itself",
               (int)name.length, name.text, u->program->mode.processor->name);
}

static bool comma(struct unit *u, const char **at, const char *end) {
    return unit_comma(u, at, end) || unit_error(u, skip_space(*at, end), "expected comma");
}

static bool read_bytes(struct unit *u, const char **at, const char *end, struct slice *out) {
    struct text t = {0};
    bool ok = true;
    do {
        int64_t v;
        ok = unit_absolute(u, at, end, &v);
        char byte = (char)v;
        if (ok) text_add(&t, &byte, 1);
    } while (ok && unit_comma(u, at, end));
    if (ok) {
        out->text = t.failed ? NULL : arena_copy(&u->program->arena, t.data, t.length);
        out->length = t.length;
        ok = out->text || program_no_memory(u->program);
    }
    text_free(&t);
    return ok;
}

static bool read_operands(struct unit *u, const char **at, const char *end, unsigned shape, struct cfi *c) {
    uint32_t second = 0;
    struct slice name;
    switch ((enum cfi_shape)shape) {
    case SHAPE_NONE: return true;
    case SHAPE_REG: return read_register(u, at, end, &c->reg);
    case SHAPE_VALUE: return unit_absolute(u, at, end, &c->a);
    case SHAPE_REG_VALUE:
        return read_register(u, at, end, &c->reg) && comma(u, at, end) && unit_absolute(u, at, end, &c->a);
    case SHAPE_REG_VALUE_VALUE:
        return read_register(u, at, end, &c->reg) && comma(u, at, end) && unit_absolute(u, at, end, &c->a) &&
               comma(u, at, end) && unit_absolute(u, at, end, &c->b);
    case SHAPE_REG_REG:
        if (!read_register(u, at, end, &c->reg) || !comma(u, at, end) || !read_register(u, at, end, &second))
            return false;
        c->a = second;
        return true;
    case SHAPE_BYTES: return read_bytes(u, at, end, &c->bytes);
    case SHAPE_NAME: return unit_name(u, at, end, &name) && (c->label = program_symbol(u->program, name));
    }
    return false;
}

// ---- Frames ----

static struct frame *open_frame(struct unit *u, const char *where) {
    struct dwarf *d = dwarf_of(u->program);
    if (!d) return NULL;
    if (d->open_frames.count) return d->open_frames.items[d->open_frames.count - 1];
    unit_error(u, where, "this directive must appear between .cfi_startproc and .cfi_endproc directives");
    return NULL;
}

bool dir_cfi_start(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    struct dwarf *d = dwarf_of(u->program);
    const char *where = p = skip_space(p, end);
    struct slice word = {0};
    if (!d) return false;
    if (p < end && (!lex_name(&p, end, &word) || !slice_is(word, "simple")))
        return unit_error(u, where, "unexpected token: only 'simple' may stand here");
    if (!unit_end(u, p, end)) return false;
    size_t depth = d->open_frames.count;
    if (depth &&
        section_whole(d->open_frames.items[depth - 1]->begin.section) == section_whole(u->program->section))
        return unit_error(u, name.text, "starting new .cfi frame before finishing the previous one");
    struct frame *f = arena_alloc(&u->program->arena, sizeof *f);
    if (!f) return program_no_memory(u->program);
    f->begin = program_here(u->program);
    f->simple = word.length;
    f->at = unit_late(u);
    f->return_column = UINT32_MAX;
    return (array_push(&d->frames, f) && array_push(&d->open_frames, f)) || program_no_memory(u->program);
}

bool dir_cfi_end(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    if (!unit_end(u, p, end)) return false;
    struct frame *f = open_frame(u, name.text);
    if (!f) return false;
    if (section_whole(f->begin.section) != section_whole(u->program->section))
        return unit_error(u, name.text, "the frame began in another section, %s", f->begin.section->name);
    f->end = program_here(u->program);
    f->ended = true;
    u->program->dwarf->open_frames.count--;
    return true;
}

// .cfi_sections [.eh_frame] [, .debug_frame]
bool dir_cfi_sections(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    struct dwarf *d = dwarf_of(u->program);
    bool eh = false, debug = false;
    if (!d) return false;
    if ((p = skip_space(p, end)) < end) do {
            const char *where = p;
            struct slice word;
            if (!lex_name(&p, end, &word)) return unit_error(u, where, "expected .eh_frame or .debug_frame");
            bool is_eh = slice_is(word, ".eh_frame"), is_debug = slice_is(word, ".debug_frame");
            if (!is_eh && !is_debug)
                return unit_error(u, where, "no frames are kept in %.*s: expected .eh_frame or .debug_frame",
                                  (int)word.length, word.text);
            eh |= is_eh;
            debug |= is_debug;
        } while (unit_comma(u, &p, end));
    d->no_eh_frame = !eh;
    d->debug_frame = debug;
    return unit_end(u, p, end);
}

// How pointers of exception handling are encoded: a size and perhaps a distance from the pointer.
static bool valid_encoding(int64_t e) {
    unsigned format = e & 0xf;
    bool known = !format || format == 2 || format == 3 || format == 4 || format == 8 || format >= 10;
    return e >= 0 && e <= 0xff && known && format <= 12 && ((e & 0x70) == 0 || (e & 0x70) == 0x10);
}

// .cfi_personality and .cfi_lsda (arg 1): encoding, symbol
bool dir_cfi_handler(struct unit *u, struct slice name, const char *p, const char *end, unsigned is_lsda) {
    enum { OMITTED = 0xff };
    const char *where = skip_space(p, end);
    int64_t encoding;
    struct slice word;
    if (!unit_absolute(u, &p, end, &encoding)) return false;
    if (encoding == OMITTED) return true;
    if (!valid_encoding(encoding)) return unit_error(u, where, "unsupported encoding.");
    if (!comma(u, &p, end) || !unit_name(u, &p, end, &word) || !unit_end(u, p, end)) return false;
    struct symbol *s = program_symbol(u->program, word);
    struct frame *f = s ? open_frame(u, name.text) : NULL;
    if (!f) return false;
    *(is_lsda ? &f->lsda : &f->personality) = s;
    *(is_lsda ? &f->lsda_encoding : &f->personality_encoding) = (uint8_t)encoding;
    return true;
}

bool dir_cfi(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    size_t i = 0;
    while (i < sizeof directives / sizeof *directives && !slice_is(name, directives[i].name)) i++;
    if (i == sizeof directives / sizeof *directives)
        return unit_error(u, name.text, "unknown directive '%.*s'", (int)name.length, name.text);
    struct cfi c = {.op = directives[i].op, .at = unit_late(u)};
    if (!read_operands(u, &p, end, directives[i].shape, &c) || !unit_end(u, p, end)) return false;
    struct frame *f = open_frame(u, name.text);
    if (!f) return false;
    if (c.op == CFI_SIGNAL_FRAME) {
        f->signal = true;
        return true;
    }
    if (c.op == CFI_RETURN_COLUMN) {
        f->return_column = c.reg;
        return true;
    }
    if (section_whole(f->begin.section) != section_whole(u->program->section))
        return unit_error(u, name.text, "the frame began in another section, %s", f->begin.section->name);
    c.place = program_here(u->program);
    return array_push(&f->cfi, c) || program_no_memory(u->program);
}
