// SPDX-License-Identifier: MIT
// Directives that put bytes into the section: integers, floats, strings, runs, alignment, files.
#include <elf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/directive/directive.h"
#include "base/bytes.h"
#include "mc/dwarf/dwarf.h"

// Values separated by commas; none at all is allowed.
bool dir_data(struct unit *u, struct slice name, const char *p, const char *end, unsigned size) {
    (void)name;
    p = skip_space(p, end);
    if (p == end) return true;
    do {
        const char *where = p;
        struct mc_value v;
        if (!unit_expression(u, &p, end, &v) || !program_emit_value(u->program, &v, size, where))
            return false;
        unit_show_data(u, size, &v);
    } while (unit_comma(u, &p, end));
    return unit_end(u, p, end);
}

bool dir_octa(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    p = skip_space(p, end);
    do {
        const char *where = p;
        struct number n = lex_number(&p, end);
        if (n.error || (n.kind != NUMBER_INTEGER && n.kind != NUMBER_BIG))
            return unit_error(u, where, "%s", n.error ? n.error : "expected an integer");
        uint8_t bytes[16];
        wr64(bytes, n.low);
        wr64(bytes + 8, n.high);
        if (!program_emit(u->program, bytes, 16)) return false;
        unit_show_data(u, 8, &(struct mc_value){.number = (int64_t)n.low});
        unit_show_data(u, 8, &(struct mc_value){.number = (int64_t)n.high});
    } while (unit_comma(u, &p, end));
    return unit_end(u, p, end);
}

// arg: a NUL behind each string. Strings side by side without a comma are one.
bool dir_ascii(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name;
    p = skip_space(p, end);
    if (p == end) return true;
    bool ok;
    do {
        struct text t = {0};
        do ok = unit_string(u, &p, end, &t);
        while (ok && !arg && (p = skip_space(p, end)) < end && *p == '"');
        if (arg) text_add(&t, "", 1);
        ok = ok && (!t.failed || program_no_memory(u->program)) &&
             (!t.length || program_emit(u->program, t.data, t.length));
        if (ok) unit_show_bytes(u, t.data, t.length - (arg != 0));
        if (ok && arg) unit_show_bytes(u, "", 1);
        text_free(&t);
    } while (ok && unit_comma(u, &p, end));
    return ok && unit_end(u, p, end);
}

static bool read_float(struct unit *u, const char **at, const char *end, double *out, float *single) {
    const char *p = skip_space(*at, end), *where = p;
    bool minus = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    struct slice word;
    const char *q = p;
    *out = 0;
    *single = 0;
    if (lex_name(&q, end, &word) && (word.length < 2 || !char_is(word.text[1], CHAR_DIGIT))) {
        if (!strncasecmp(word.text, "infinity", word.length) && (word.length == 8 || word.length == 3))
            *out = INFINITY;
        else if (word.length == 3 && !strncasecmp(word.text, "nan", 3))
            *out = NAN;
        else
            return unit_error(u, where, "invalid floating point literal");
        *single = (float)*out;
    } else {
        q = p;
        struct number n = lex_number(&q, end);
        char text[128];
        size_t length = (size_t)(q - p);
        if (n.error || n.kind == NUMBER_NONE || n.kind > NUMBER_FLOAT || length >= sizeof text ||
            (n.kind != NUMBER_FLOAT && length > 1 && (p[1] | 0x20) == 'x'))
            return unit_error(u, where, "invalid floating point literal");
        memcpy(text, p, length);
        text[length] = 0;
        *out = strtod(text, NULL);
        *single = strtof(text, NULL);
    }
    if (minus) *out = -*out, *single = -*single;
    *at = q;
    return true;
}

bool dir_float(struct unit *u, struct slice name, const char *p, const char *end, unsigned size) {
    (void)name;
    if (skip_space(p, end) == end) return true;
    do {
        double d;
        float f;
        if (!read_float(u, &p, end, &d, &f)) return false;
        if (!program_emit(u->program, size == 8 ? (void *)&d : (void *)&f, size)) return false;
        int64_t bits = 0;
        memcpy(&bits, size == 8 ? (void *)&d : (void *)&f, size);
        unit_show_data(u, size, &(struct mc_value){.number = bits});
    } while (unit_comma(u, &p, end));
    return unit_end(u, p, end);
}

static bool has_contents(struct unit *u, const char *where) {
    return u->program->section->type != SHT_NOBITS ||
           unit_error(u, where, "a section without contents, %s, takes only zeros",
                      u->program->section->name);
}

// arg: signed. A value that depends on later text decides only later where everything behind it is.
bool dir_leb(struct unit *u, struct slice name, const char *p, const char *end, unsigned is_signed) {
    (void)name;
    do {
        const char *where = skip_space(p, end);
        struct mc_value v;
        int64_t number;
        if (!unit_expression(u, &p, end, &v)) return false;
        enum expr_status status = expr_absolute(&v, &u->program->layout, &number);
        if (status == EXPR_UNKNOWN && v.expr) {
            struct piece piece = {.kind = is_signed ? PIECE_SLEB : PIECE_ULEB, .size = 1, .expr = v.expr};
            if (!has_contents(u, where) || !program_piece(u->program, piece)) return false;
            if (unit_shows(u)) {
                text_puts(&u->line, is_signed ? "\t.sleb128 " : "\t.uleb128 ");
                unit_show_value(u, &v);
                unit_show(u, "\n");
            }
            continue;
        }
        if (status) return unit_error(u, where, "%s", expr_status_text(status));
        uint8_t bytes[10];
        const unsigned count = leb_bytes(bytes, number, is_signed, 0);
        if (!program_emit(u->program, bytes, count)) return false;
        unit_show_bytes(u, (const char *)bytes, count);
    } while (unit_comma(u, &p, end));
    return unit_end(u, p, end);
}

// A count that may depend on later text: then *late is what it is made of.
static bool read_count(struct unit *u, const char **at, const char *end, int64_t *count,
                       const struct expr **late) {
    const char *where = skip_space(*at, end);
    struct mc_value v;
    *late = NULL;
    *count = 0;
    if (!unit_expression(u, at, end, &v)) return false;
    enum expr_status status = expr_absolute(&v, &u->program->layout, count);
    if (status == EXPR_UNKNOWN && v.expr) {
        *late = v.expr;
        return true;
    }
    return !status || unit_error(u, where, "%s", expr_status_text(status));
}

static bool emit_run(struct unit *u, uint64_t count, uint64_t value, unsigned size) {
    struct section *s = u->program->section;
    if (size && count > UINT64_MAX / size) count = UINT64_MAX / size;
    if (u->program->options->listing || s->type == SHT_NOBITS) {
        if (value && s->type == SHT_NOBITS)
            return unit_error(u, u->statement, "a section without contents, %s, takes only zeros", s->name);
        if (count * size > 1ull << 40) return unit_error(u, u->statement, "the run is too long");
        s->size += count * size;
        return true;
    }
    uint8_t *p = program_room(u->program, count * size);
    if (!p) return false;
    if (size == 1)
        memset(p, (int)(value & 0xff), count);
    else
        for (uint64_t i = 0; i < count; i++) memcpy(p + i * size, &value, size);
    return true;
}

static bool late_run(struct unit *u, const struct expr *count, uint64_t value, unsigned unit) {
    if (value && u->program->section->type == SHT_NOBITS)
        return unit_error(u, u->statement, "a section without contents, %s, takes only zeros",
                          u->program->section->name);
    return program_piece(
        u->program,
        (struct piece){.kind = PIECE_FILL, .expr = count, .value = (int64_t)value, .unit = (uint8_t)unit});
}

static void show_count(struct unit *u, const char *head, int64_t count, const struct expr *late) {
    text_puts(&u->line, head);
    unit_show_value(u, &(struct mc_value){.number = count, .expr = late});
}

// .zero count[, value], .skip, .space
bool dir_zero(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    int64_t count, value = 0;
    const struct expr *late;
    const char *where = skip_space(p, end);
    if (!read_count(u, &p, end, &count, &late)) return false;
    if (unit_comma(u, &p, end) && !unit_absolute(u, &p, end, &value)) return false;
    if (!unit_end(u, p, end)) return false;
    if (unit_shows(u)) {
        show_count(u, "\t.zero\t", count, late);
        if (value) text_printf(&u->line, ",%lld", (long long)value);
        unit_show(u, "\n");
    }
    if (late) return late_run(u, late, (uint64_t)value, 1);
    if (count < 0)
        return unit_error(u, where, "'%.*s': invalid number of bytes: %lld", (int)name.length, name.text,
                          (long long)count);
    return emit_run(u, (uint64_t)count, (uint64_t)value, 1);
}

// .fill count[, size[, value]]: at most four bytes of the value count, the rest are zero.
bool dir_fill(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    int64_t count, size = 1, value = 0;
    const struct expr *late;
    if (!read_count(u, &p, end, &count, &late)) return false;
    if (unit_comma(u, &p, end) && !unit_absolute(u, &p, end, &size)) return false;
    if (unit_comma(u, &p, end) && !unit_absolute(u, &p, end, &value)) return false;
    if (!unit_end(u, p, end)) return false;
    if (count < 0 || size < 0) {
        unit_warn(u, name.text, "'.fill' directive with negative %s has no effect",
                  count < 0 ? "repeat count" : "size");
        return true;
    }
    if (size > 8) {
        unit_warn(u, name.text, "'.fill' directive with size greater than 8 has been truncated to 8");
        size = 8;
    }
    uint64_t v = size > 4 ? (uint64_t)value & 0xffffffff : (uint64_t)value;
    if (unit_shows(u)) {
        show_count(u, "\t.fill\t", count, late);
        text_printf(&u->line, ", %lld, 0x%llx", (long long)size, (unsigned long long)value);
        unit_show(u, "\n");
    }
    if (late) return size ? late_run(u, late, v, (unsigned)size) : true;
    if (u->program->loc_pending && count && size && !dwarf_row(u->program)) return false;
    return emit_run(u, size ? (uint64_t)count : 0, v, (unsigned)size);
}

// arg bit 0: the exponent is given; bits 1, 2: the fill value has 2 or 4 bytes.
bool dir_align(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name;
    const char *where = skip_space(p, end);
    int64_t alignment, value = 0, most = 0;
    bool filled = false;
    if (!unit_absolute(u, &p, end, &alignment)) return false;
    if (unit_comma(u, &p, end)) {
        p = skip_space(p, end);
        filled = p < end && *p != ',';
        if (filled && !unit_absolute(u, &p, end, &value)) return false;
        if (unit_comma(u, &p, end) && !unit_absolute(u, &p, end, &most)) return false;
    }
    if (!unit_end(u, p, end)) return false;
    if (arg & 1) {
        if (alignment < 0 || alignment >= 32) return unit_error(u, where, "invalid alignment value");
        alignment = 1ll << alignment;
    } else if (!alignment)
        alignment = 1;
    if (alignment < 0 || alignment & (alignment - 1) || alignment > 1ll << 32)
        return unit_error(u, where, "alignment must be a power of 2");
    unsigned size = arg & 4 ? 4 : arg & 2 ? 2 : 1;
    if (unit_shows(u)) {
        const bool code = u->program->section->flags & SHF_EXECINSTR;
        text_printf(&u->line,
                    size == 4   ? ".p2alignl %d"
                    : size == 2 ? ".p2alignw %d"
                                : "\t.p2align\t%d",
                    __builtin_ctzll((uint64_t)alignment));
        if (filled || !code) text_printf(&u->line, ", 0x%llx", (unsigned long long)value);
        if (most > 0) text_printf(&u->line, "%s, %lld", filled || !code ? "" : ", ", (long long)most);
        unit_show(u, "\n");
    }
    return program_align(u->program, (uint64_t)alignment, filled ? (const uint8_t *)&value : NULL, size,
                         most > 0 ? (uint64_t)most : 0);
}

bool dir_org(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    const char *where = skip_space(p, end);
    struct mc_value v;
    int64_t value = 0;
    struct relocatable r = {0};
    if (!unit_expression(u, &p, end, &v)) return false;
    if (unit_comma(u, &p, end) && !unit_absolute(u, &p, end, &value)) return false;
    if (!unit_end(u, p, end)) return false;
    if (u->program->section->type == SHT_NOBITS && value)
        return unit_error(u, where, "a section without contents, %s, takes only zeros",
                          u->program->section->name);
    if (unit_shows(u)) {
        text_puts(&u->line, ".org ");
        unit_show_value(u, &v);
        text_printf(&u->line, ", %lld", (long long)value);
        unit_show(u, "\n");
    }
    bool late = u->program->section->pieces.count;
    if (v.expr && !late) {
        enum expr_status s = expr_evaluate(v.expr, &u->program->layout, &r);
        struct section *home;
        uint64_t offset = 0;
        late = s == EXPR_UNKNOWN || r.sub || (r.add && !symbol_place(u->program, r.add, &home, &offset));
        if (!late && (s || (r.add && home != u->program->section)))
            return unit_error(u, where, "expected a place in this section");
        v.number = r.number + (int64_t)offset;
    }
    if (late) {
        const struct expr *e = v.expr ? v.expr : expr_number(&u->program->arena, v.number);
        return e ? program_piece(u->program, (struct piece){.kind = PIECE_ORG, .expr = e, .value = value})
                 : program_no_memory(u->program);
    }
    if (v.number < 0 || (uint64_t)v.number < u->program->section->size)
        return unit_error(u, where, "invalid .org offset '%lld' (at offset '%llu')", (long long)v.number,
                          (unsigned long long)u->program->section->size);
    return emit_run(u, (uint64_t)v.number - u->program->section->size, (uint64_t)value, 1);
}

// ---- Files ----

static bool open_file(struct unit *u, const char *where, struct text *name, struct file *out) {
    if (u->program->options->no_files) return unit_error(u, where, "files cannot be read here");
    // Where the text itself is, then each folder given.
    static const sw_sink silent = {0};
    const char *base = u->program->options->name ? u->program->options->name : "",
               *slash = strrchr(base, '/');
    for (size_t i = 0; i <= u->program->options->include_count; i++) {
        struct text path = {0};
        if (i == 0 && slash && *name->data != '/') text_add(&path, base, (size_t)(slash - base) + 1);
        if (i > 0) text_printf(&path, "%s/", u->program->options->include[i - 1]);
        text_puts(&path, name->data);
        sw_status s =
            path.failed ? SW_NO_MEMORY : file_open_most(out, path.data, FILE_TEXT_MOST, false, &silent);
        if (s && i == 0 && slash) s = file_open_most(out, name->data, FILE_TEXT_MOST, false, &silent);
        text_free(&path);
        if (!s) {
            // What it takes to open a file again and again, and to read a stream, counts as well.
            if (unit_charge(u, 256 + (out->mapped ? 0 : out->size))) return true;
            file_close(out);
            return false;
        }
        if (out->too_long)
            return unit_error(u, where, "'%s' has more than %d bytes, the limit of what is no regular file",
                              name->data, FILE_TEXT_MOST);
    }
    return unit_error(u, where, "could not find the file '%s'", name->data);
}

bool dir_include(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    const char *where = skip_space(p, end);
    struct text path = {0};
    struct source s = {0};
    bool ok = unit_string(u, &p, end, &path) && unit_end(u, p, end);
    if (ok && (!path.length || strlen(path.data) != path.length ||
               slice_is((struct slice){path.data, path.length}, "-")))
        ok = unit_error(u, where, "a file name is needed");
    ok = ok && open_file(u, where, &path, &s.file);
    if (ok) {
        s.name = arena_copy(&u->program->arena, path.data, path.length);
        s.text = (const char *)s.file.data;
        s.end = s.text + s.file.size;
        ok = unit_charge(u, s.file.size + 1) && unit_push(u, s);
    }
    text_free(&path);
    return ok;
}

bool dir_incbin(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    const char *where = skip_space(p, end);
    struct text path = {0};
    struct file f;
    int64_t skip = 0, count = -1;
    bool ok = unit_string(u, &p, end, &path);
    if (ok && unit_comma(u, &p, end)) {
        if (p < end && *p != ',') ok = unit_absolute(u, &p, end, &skip);
        if (ok && unit_comma(u, &p, end)) ok = unit_absolute(u, &p, end, &count);
    }
    ok = ok && unit_end(u, p, end);
    if (ok && skip < 0) ok = unit_error(u, where, "skip is negative");
    if (ok && (!path.length || strlen(path.data) != path.length))
        ok = unit_error(u, where, "a file name is needed");
    if (ok && (ok = open_file(u, where, &path, &f))) {
        uint64_t from = (uint64_t)skip < f.size ? (uint64_t)skip : f.size, size = f.size - from;
        if (count >= 0 && (uint64_t)count < size) size = (uint64_t)count;
        ok = !size || program_emit(u->program, f.data + from, size);
        file_close(&f);
    }
    text_free(&path);
    return ok;
}

// How often, of .dcb and .ds; false after an error. Negative: a warning, and nothing.
static bool read_times(struct unit *u, struct slice name, const char **at, const char *end, int64_t *out) {
    const char *where = skip_space(*at, end);
    if (!unit_absolute(u, at, end, out)) return false;
    if (*out > 1ll << 40) return unit_error(u, where, "the run is too long");
    if (*out >= 0) return true;
    unit_warn(u, where, "'%.*s' directive with negative repeat count has no effect", (int)name.length,
              name.text);
    *out = 0;
    return true;
}

// .dcb.b count, value: the value that often; arg: its size, of floats with 16 more
bool dir_dcb(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    enum { MAX_KEPT = 1 << 20 };
    int64_t count;
    if (!read_times(u, name, &p, end, &count)) return false;
    if (!unit_comma(u, &p, end)) return unit_error(u, p, "expected comma");
    const char *where = p;
    unsigned size = arg & 15;
    uint64_t bits = 0;
    if (arg & 16) {
        double d;
        float f;
        if (!read_float(u, &p, end, &d, &f) || !unit_end(u, p, end)) return false;
        memcpy(&bits, size == 8 ? (void *)&d : (void *)&f, size);
        return emit_run(u, (uint64_t)count, bits, size);
    }
    struct mc_value v;
    if (!unit_expression(u, &p, end, &v) || !unit_end(u, p, end)) return false;
    if (!count) return true;
    if (v.expr && count > MAX_KEPT)
        return unit_error(u, where, "the run is too long for a value that comes later");
    // The first says whether the value fits.
    if (!program_emit_value(u->program, &v, size, where)) return false;
    if (!v.expr) return emit_run(u, (uint64_t)count - 1, (uint64_t)v.number, size);
    while (--count)
        if (!program_emit_value(u->program, &v, size, where)) return false;
    return true;
}

// .ds.b count: zeros; arg: the size of each
bool dir_ds(struct unit *u, struct slice name, const char *p, const char *end, unsigned size) {
    int64_t count;
    return read_times(u, name, &p, end, &count) && unit_end(u, p, end) &&
           emit_run(u, (uint64_t)count * size, 0, 1);
}
