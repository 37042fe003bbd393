// SPDX-License-Identifier: MIT
// .file, .loc and kin: files and directories by number, and rows of the line table, each of which belongs to
// the first bytes emitted after its .loc. What these directives accept and how they number is LLVM's.
#include "asm/directive/directive.h"
#include "mc/dwarf/dwarf.h"

#include <elf.h>
#include <string.h>

#include "base/bytes.h"

// ---- Files ----

static bool keep_string(struct unit *u, const char **at, const char *end, struct slice *out) {
    struct text t = {0};
    bool ok = unit_string(u, at, end, &t);
    out->text = ok ? arena_copy(&u->program->arena, t.data ? t.data : "", t.length) : NULL;
    out->length = t.length;
    text_free(&t);
    return ok && (out->text || program_no_memory(u->program));
}

// A plain integer token at *at; *out is left alone when there is none.
static bool integer(const char **at, const char *end, int64_t *out) {
    const char *p = *at = skip_space(*at, end);
    if (p == end || !char_is(*p, CHAR_DIGIT)) return false;
    uint64_t plain = 0; // nearly all are decimal and small
    while (p < end && char_is(*p, CHAR_DIGIT) && p - *at < 18) plain = plain * 10 + (unsigned)(*p++ - '0');
    if (**at != '0' && (p == end || !char_is(*p, CHAR_NAME))) {
        *out = (int64_t)plain;
        *at = p;
        return true;
    }
    p = *at;
    struct number n = lex_number(&p, end);
    if (n.error || n.kind != NUMBER_INTEGER) return false;
    *out = (int64_t)n.low;
    *at = p;
    return true;
}

static bool read_md5(struct unit *u, const char **at, const char *end, struct dwarf_file *f) {
    const char *p = *at = skip_space(*at, end);
    struct number n = {0};
    if (p < end && char_is(*p, CHAR_DIGIT)) n = lex_number(&p, end);
    if (n.error || (n.kind != NUMBER_INTEGER && n.kind != NUMBER_BIG))
        return unit_error(u, *at, "expected a checksum of 128 bits");
    wr64(f->md5, __builtin_bswap64(n.high));
    wr64(f->md5 + 8, __builtin_bswap64(n.low));
    f->has_md5 = true;
    *at = p;
    return true;
}

// .file NUMBER ["directory"] "name" [md5 0x...] [source "text"]; without a number it says nothing that an
// object of this target holds.
bool dir_file(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    int64_t number = -1;
    bool numbered = integer(&p, end, &number);
    if (numbered && number < 0) return unit_error(u, skip_space(p, end), "negative file number");
    struct slice directory = {0};
    struct dwarf_file *f = arena_alloc(&u->program->arena, sizeof *f);
    if (!f) return program_no_memory(u->program);
    if (!keep_string(u, &p, end, &f->name)) return false;
    p = skip_space(p, end);
    if (p < end && *p == '"') {
        if (!numbered) return unit_error(u, p, "explicit path specified, but no file number");
        directory = f->name;
        if (!keep_string(u, &p, end, &f->name)) return false;
    }
    while ((p = skip_space(p, end)) < end) {
        const char *where = p;
        struct slice word;
        if (!lex_name(&p, end, &word)) return unit_error(u, where, "unexpected token in '.file' directive");
        bool md5 = slice_is(word, "md5");
        if (!md5 && !slice_is(word, "source"))
            return unit_error(u, where, "unexpected '%.*s' in '.file' directive: md5 and source are known",
                              (int)word.length, word.text);
        if (!numbered)
            return unit_error(u, where, "%s specified, but no file number", md5 ? "MD5 checksum" : "source");
        if (!(md5 ? read_md5(u, &p, end, f) : keep_string(u, &p, end, &f->source))) return false;
    }
    if (!numbered || u->program->options->listing) return true;
    struct dwarf *d = dwarf_of(u->program);
    if (!d) return false;
    d->has_table = true;
    if (u->program->describes) dwarf_end_source(u->program);
    if (!number && d->version < 5) d->version = 5;
    if (!(number ? dwarf_add_file(u->program, (uint64_t)number, directory, f, name.text)
                 : dwarf_set_root(d, directory, f)))
        return false;
    if (d->files.count && d->all_md5 != d->any_md5 && !d->warned_md5) {
        d->warned_md5 = true;
        unit_warn(u, name.text, "inconsistent use of MD5 checksums");
    }
    return true;
}

// ---- Rows ----

static bool valid_file(const struct dwarf *d, int64_t number) {
    if (!number) return d->version >= 5;
    return number > 0 && (uint64_t)number < d->files.count && d->files.items[number];
}

// An expression that is a number at once.
static bool constant(struct unit *u, const char **at, const char *end, int64_t *out, const char *what) {
    const char *where = *at = skip_space(*at, end);
    struct mc_value v;
    if (!unit_expression(u, at, end, &v)) return false;
    *out = v.number;
    return !v.expr || unit_error(u, where, "%s not a constant value", what);
}

static bool loc_option(struct unit *u, const char **at, const char *end, struct line_row *row) {
    const char *where = *at;
    struct slice word;
    int64_t v;
    if (!lex_name(at, end, &word)) return unit_error(u, where, "unexpected token in '.loc' directive");
    const char *value = skip_space(*at, end);
    if (slice_is(word, "basic_block"))
        row->flags |= LINE_BASIC_BLOCK;
    else if (slice_is(word, "prologue_end"))
        row->flags |= LINE_PROLOGUE_END;
    else if (slice_is(word, "epilogue_begin"))
        row->flags |= LINE_EPILOGUE_BEGIN;
    else if (slice_is(word, "is_stmt")) {
        if (!constant(u, at, end, &v, "is_stmt value")) return false;
        if (v != 0 && v != 1) return unit_error(u, value, "is_stmt value not 0 or 1");
        row->flags = (uint8_t)((row->flags & ~LINE_IS_STMT) | (v ? LINE_IS_STMT : 0));
    } else if (slice_is(word, "isa")) {
        if (!constant(u, at, end, &v, "isa number")) return false;
        if ((int32_t)v < 0) return unit_error(u, value, "isa number less than zero");
        row->isa = (uint8_t)v;
    } else if (slice_is(word, "discriminator")) {
        if (!unit_absolute(u, at, end, &v)) return false;
        row->discriminator = (uint32_t)v;
    } else
        return unit_error(u, where,
                          "unknown sub-directive in '.loc' directive: basic_block, prologue_end, "
                          "epilogue_begin, is_stmt, isa, discriminator are known");
    return true;
}

// .loc FILE [LINE [COLUMN]] [option...]
bool dir_loc(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    struct dwarf *d = dwarf_of(u->program);
    if (!d) return false;
    const char *where = p = skip_space(p, end);
    int64_t file, line = 0, column = 0;
    if (!integer(&p, end, &file)) return unit_error(u, p, "expected integer");
    if (!u->program->options->listing && !valid_file(d, file))
        return unit_error(u, where,
                          file < 1 && d->version < 5 ? "file number less than one in '.loc' directive"
                                                     : "unassigned file number in '.loc' directive");
    const char *at = skip_space(p, end);
    if (integer(&p, end, &line) && line < 0) return unit_error(u, at, "line number less than zero");
    at = skip_space(p, end);
    if (integer(&p, end, &column) && column < 0) return unit_error(u, at, "column position less than zero");
    struct line_row row = {.file = (uint32_t)file,
                           .line = (uint32_t)line,
                           .column = (uint16_t)column,
                           .flags = d->loc.flags & LINE_IS_STMT};
    while ((p = skip_space(p, end)) < end)
        if (!loc_option(u, &p, end, &row)) return false;
    if (u->program->options->listing) return true;
    // Of two without an instruction between them the first has a row, too.
    if (u->program->loc_pending && !dwarf_row(u->program)) return false;
    d->loc = row;
    d->loc_section = u->program->section;
    u->program->loc_pending = true;
    return true;
}

// .loc_label NAME: the place in the line table that comes next, where a new sequence begins.
bool dir_loc_label(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    struct slice label;
    struct dwarf *d = dwarf_of(u->program);
    if (!d || !unit_name(u, &p, end, &label) || !unit_end(u, p, end)) return false;
    struct symbol *s = program_symbol(u->program, label);
    if (!s || u->program->options->listing) return s;
    // A pending .loc stays so: its row comes behind the label.
    bool pending = u->program->loc_pending;
    struct line_row last = d->loc;
    struct section *section = d->loc_section;
    d->loc.label = s;
    d->loc_section = u->program->section;
    bool ok = dwarf_row(u->program);
    d->loc = last;
    d->loc_section = section;
    u->program->loc_pending = pending;
    return ok;
}

// .line N says nothing to an object.
bool dir_line(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    int64_t line;
    integer(&p, end, &line);
    return unit_end(u, p, end);
}
