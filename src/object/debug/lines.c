// SPDX-License-Identifier: MIT
// The line tables of .debug_line as rows by image offset (DW-37 to DW-40).
//
// Read here and not through libdw: its line interface gives neither embedded sources nor the header's facts,
// it has no AMDGPU backend (the debug sections of relocatable objects would have to be relocated by us all
// the same), and it ends the process when memory runs out. A line program is a byte code of a dozen
// operations; each byte makes at most one row, so rows take a fixed multiple of the section, and names have a
// budget.
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "object/debug/section.h"

struct raw_file {
    const char *name;
    uint32_t directory;
    const char *source;
    size_t source_length;
    uint32_t known; // index + 1 among the files of all units, once a row names it
};

// A run of rows at rising addresses.
struct run {
    uint64_t low, high;
    size_t first, count;
};

struct sw_lines {
    struct arena arena;
    ARRAY(sw_line) rows; // by run
    ARRAY(struct run) runs;
    sw_line_file *files;
    size_t file_count;
};

struct reader {
    const struct sw_object *o;
    const sw_sink *sink;
    sw_lines *lines;
    struct debug_section line, line_str, str;
    uint64_t budget;
    ARRAY(sw_line_file) files;

    // The unit
    const uint8_t *p, *end;
    unsigned version, address_size, minimum_length, line_range, opcode_base;
    bool wide, default_is_statement;
    int line_base;
    uint8_t operands[256]; // of standard opcodes
    ARRAY(const char *) directories;
    ARRAY(struct raw_file) raw;
    struct raw_file unknown; // that a row names, but no table
};

// Of a section that is decompressed, all is said of its start.
#define BAD(r, ...)                                                                                          \
    object_bad((r)->o, (r)->sink,                                                                            \
               (r)->line.where + ((r)->line.compressed ? 0 : (uint64_t)((r)->p - (r)->line.data)),           \
               ".debug_line", __VA_ARGS__)

// ---- Numbers -------------------------------------------------------------------------------------------

// Each leaves the reader at the end when the bytes run out; callers look once, at the end of what they read.
static uint64_t fixed(struct reader *r, unsigned width) {
    uint64_t v = 0;
    if ((uint64_t)(r->end - r->p) < width) {
        r->p = r->end;
        return 0;
    }
    memcpy(&v, r->p, width);
    r->p += width;
    return v;
}

static uint64_t uleb(struct reader *r) {
    uint64_t v = 0;
    for (unsigned shift = 0; r->p < r->end; shift += 7) {
        const uint8_t b = *r->p++;
        if (shift < 64) v |= (uint64_t)(b & 127) << shift;
        if (b < 128) break;
    }
    return v;
}

static int64_t sleb(struct reader *r) {
    uint64_t v = 0;
    unsigned shift = 0;
    while (r->p < r->end) {
        const uint8_t b = *r->p++;
        if (shift < 64) v |= (uint64_t)(b & 127) << shift;
        shift += 7;
        if (b >= 128) continue;
        if (b & 64 && shift < 64) v |= ~0ull << shift;
        break;
    }
    return (int64_t)v;
}

static const char *string_in(struct debug_section part, uint64_t offset) {
    if (offset >= part.size) return NULL;
    const char *s = (const char *)part.data + offset;
    return memchr(s, 0, part.size - offset) ? s : NULL;
}

static const char *inline_string(struct reader *r) {
    const uint8_t *nul = memchr(r->p, 0, (size_t)(r->end - r->p));
    if (!nul) return NULL;
    const char *s = (const char *)r->p;
    r->p = nul + 1;
    return s;
}

// ---- Headers -------------------------------------------------------------------------------------------

enum {
    FORM_DATA2 = 5,
    FORM_DATA4 = 6,
    FORM_DATA8 = 7,
    FORM_STRING = 8,
    FORM_BLOCK = 9,
    FORM_DATA1 = 11,
    FORM_STRP = 14,
    FORM_UDATA = 15,
    FORM_DATA16 = 30,
    FORM_LINE_STRP = 31
};
enum { CONTENT_PATH = 1, CONTENT_DIRECTORY = 2, CONTENT_SOURCE = 0x2001 };

struct format {
    uint64_t content, form;
};

static bool value(struct reader *r, uint64_t form, uint64_t *number, const char **text) {
    switch (form) {
    case FORM_DATA1: *number = fixed(r, 1); return true;
    case FORM_DATA2: *number = fixed(r, 2); return true;
    case FORM_DATA4: *number = fixed(r, 4); return true;
    case FORM_DATA8: *number = fixed(r, 8); return true;
    case FORM_DATA16: fixed(r, 8), fixed(r, 8); return true;
    case FORM_UDATA: *number = uleb(r); return true;
    case FORM_STRING: return (*text = inline_string(r)) != NULL;
    case FORM_STRP: return (*text = string_in(r->str, fixed(r, r->wide ? 8 : 4))) != NULL;
    case FORM_LINE_STRP: return (*text = string_in(r->line_str, fixed(r, r->wide ? 8 : 4))) != NULL;
    case FORM_BLOCK: {
        const uint64_t n = uleb(r);
        if (n > (uint64_t)(r->end - r->p)) return false;
        r->p += n;
        return true;
    }
    default: return false;
    }
}

// A table of version 5: formats, then entries. Directories or files.
static sw_status read_table(struct reader *r, bool files) {
    struct format formats[16];
    const unsigned count = (unsigned)fixed(r, 1);
    if (count > 16) return BAD(r, "%u columns in a table of files, at most 16 are read", count);
    for (unsigned i = 0; i < count; i++) formats[i].content = uleb(r), formats[i].form = uleb(r);
    const uint64_t entries = uleb(r);
    if (entries > (uint64_t)(r->end - r->p) || (entries && !count))
        return BAD(r, "%llu entries in a table of files do not fit", (unsigned long long)entries);
    for (uint64_t i = 0; i < entries; i++) {
        struct raw_file f = {.name = ""};
        for (unsigned c = 0; c < count; c++) {
            uint64_t number = 0;
            const char *text = NULL;
            if (!value(r, formats[c].form, &number, &text))
                return BAD(r,
                           "entry %llu in a table of files is malformed, or form 0x%llx is not one of these",
                           (unsigned long long)i, (unsigned long long)formats[c].form);
            if (formats[c].content == CONTENT_PATH && text) f.name = text;
            if (formats[c].content == CONTENT_DIRECTORY)
                f.directory = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
            if (formats[c].content == CONTENT_SOURCE && text && *text)
                f.source = text, f.source_length = strlen(text);
        }
        if (!(files ? array_push(&r->raw, f) : array_push(&r->directories, f.name)))
            return object_no_memory(r->o, r->sink);
    }
    return SW_OK;
}

// The tables of versions 2 to 4: strings up to an empty one. Their first entry has the number 1.
static sw_status read_old_tables(struct reader *r) {
    const char *name;
    bool ok = array_push(&r->directories, "") && array_push(&r->raw, (struct raw_file){.name = ""});
    while (ok && (name = inline_string(r)) && *name) ok = array_push(&r->directories, name);
    while (ok && (name = inline_string(r)) && *name) {
        const uint64_t directory = uleb(r);
        uleb(r), uleb(r); // time and length
        ok = array_push(&r->raw, (struct raw_file){
                                     .name = name,
                                     .directory = directory > UINT32_MAX ? UINT32_MAX : (uint32_t)directory});
    }
    return ok ? SW_OK : object_no_memory(r->o, r->sink);
}

// The unit's header; the reader is left at its program. *end becomes the end of the unit.
static sw_status read_header(struct reader *r, const uint8_t **end) {
    const uint8_t *section_end = r->line.data + r->line.size;
    r->end = section_end;
    uint64_t length = fixed(r, 4);
    r->wide = length == 0xffffffff;
    if (r->wide) length = fixed(r, 8);
    if (length > (uint64_t)(section_end - r->p) || length < 10)
        return BAD(r, "a unit of 0x%llx bytes does not fit the section", (unsigned long long)length);
    r->end = *end = r->p + length;
    r->version = (unsigned)fixed(r, 2);
    if (r->version < 2 || r->version > 5) return BAD(r, "version is %u, expected 2 to 5", r->version);
    r->address_size = 8;
    if (r->version >= 5) {
        r->address_size = (unsigned)fixed(r, 1);
        if (fixed(r, 1)) return BAD(r, "segment selectors are not expected");
    }
    if (r->address_size != 4 && r->address_size != 8) return BAD(r, "addresses of %u bytes", r->address_size);
    const uint64_t header = fixed(r, r->wide ? 8 : 4);
    if (header > (uint64_t)(r->end - r->p)) return BAD(r, "the header is longer than its unit");
    const uint8_t *program = r->p + header;
    r->end = program;
    r->minimum_length = (unsigned)fixed(r, 1);
    if (r->version >= 4 && fixed(r, 1) != 1) return BAD(r, "more than one operation an instruction");
    r->default_is_statement = fixed(r, 1);
    r->line_base = (int8_t)fixed(r, 1);
    r->line_range = (unsigned)fixed(r, 1);
    r->opcode_base = (unsigned)fixed(r, 1);
    if (!r->line_range || !r->opcode_base) return BAD(r, "line range or opcode base is 0");
    for (unsigned i = 1; i < r->opcode_base; i++) r->operands[i] = (uint8_t)fixed(r, 1);
    r->directories.count = r->raw.count = 0;
    r->unknown = (struct raw_file){.name = "?"};
    sw_status s = r->version < 5 ? read_old_tables(r) : read_table(r, false);
    if (!s && r->version >= 5) s = read_table(r, true);
    r->p = program;
    r->end = *end;
    return s;
}

// ---- Files ---------------------------------------------------------------------------------------------

// The file's name with its directory, and that with the unit's.
static const char *full_name(struct reader *r, const struct raw_file *f) {
    const char *parts[3] = {"", "", f->name};
    if (*f->name != '/' && f->directory < r->directories.count) {
        parts[1] = r->directories.items[f->directory];
        if (*parts[1] != '/' && f->directory && r->directories.count) parts[0] = r->directories.items[0];
    }
    size_t length = 3;
    for (int i = 0; i < 3; i++) length += strlen(parts[i]);
    if (length > r->budget) return NULL;
    r->budget -= length;
    char *name = arena_alloc(&r->lines->arena, length), *to = name;
    for (int i = 0; name && i < 3; i++) {
        if (!*parts[i]) continue;
        if (to > name && to[-1] != '/') *to++ = '/';
        to = stpcpy(to, parts[i]);
    }
    return name;
}

// The number among all units' files, + 1; 0: the reader has reported why not.
static uint32_t file_number(struct reader *r, uint64_t file, sw_status *status) {
    struct raw_file *f = file < r->raw.count ? &r->raw.items[file] : &r->unknown;
    if (f->known) return f->known;
    const char *name = full_name(r, f);
    if (!name) {
        *status = BAD(r, "the names of files share text to an absurd degree");
        return 0;
    }
    sw_line_file out = {.name = name, .source = f->source, .source_length = f->source_length};
    if (!array_push(&r->files, out)) {
        *status = object_no_memory(r->o, r->sink);
        return 0;
    }
    return f->known = (uint32_t)r->files.count;
}

// ---- Programs ------------------------------------------------------------------------------------------

struct state {
    uint64_t address, file;
    sw_line row;
    size_t first; // row of the run
};

static void reset(const struct reader *r, struct state *s) {
    *s = (struct state){.file = 1, .first = r->lines->rows.count};
    s->row.line = 1;
    s->row.is_statement = r->default_is_statement;
}

// Whether the run is code of this object: not what a linker left at 0 or at -1 when it discarded a function.
static bool is_loaded(const struct sw_object *o, uint64_t low, uint64_t high) {
    for (size_t i = 0; i < o->layout.range_count; i++) {
        const sw_image_range *range = &o->layout.ranges[i];
        if (range->executable && low >= range->offset && low - range->offset < range->size && high >= low &&
            high - range->offset <= range->size)
            return true;
    }
    return false;
}

// Appends the row. The file is a number until all files are known.
static sw_status emit(struct reader *r, struct state *s) {
    sw_lines *l = r->lines;
    sw_status status = SW_OK;
    const uint32_t file = file_number(r, s->file, &status);
    if (status) return status;
    sw_line row = s->row;
    row.offset = r->o->header.relocatable ? s->address : s->address - r->o->base;
    row.file = (const sw_line_file *)(uintptr_t)file;
    if (!array_push(&l->rows, row)) return object_no_memory(r->o, r->sink);
    s->row.discriminator = 0;
    s->row.basic_block = s->row.prologue_end = s->row.epilogue_begin = false;
    if (!s->row.end_sequence) return SW_OK;
    struct run run = {l->rows.items[s->first].offset, row.offset, s->first, l->rows.count - s->first};
    if (!is_loaded(r->o, run.low, run.high))
        l->rows.count = s->first;
    else if (!array_push(&l->runs, run))
        return object_no_memory(r->o, r->sink);
    reset(r, s);
    return SW_OK;
}

static sw_status extended(struct reader *r, struct state *s) {
    const uint64_t length = uleb(r);
    if (!length) return SW_OK;
    if (length > (uint64_t)(r->end - r->p)) return BAD(r, "an extended operation runs past its unit");
    const uint8_t *next = r->p + length;
    switch (*r->p++) {
    case 1: { // end of the sequence
        s->row.end_sequence = true;
        const sw_status status = emit(r, s);
        r->p = next;
        return status;
    }
    case 2: // address
        if (length != 5 && length != 9)
            return BAD(r, "an address of %llu bytes", (unsigned long long)length - 1);
        s->address = fixed(r, (unsigned)length - 1);
        break;
    case 4: s->row.discriminator = (uint32_t)uleb(r); break;
    default: break; // define_file, vendors'
    }
    r->p = next;
    return SW_OK;
}

static sw_status standard(struct reader *r, struct state *s, unsigned opcode) {
    switch (opcode) {
    case 1: return emit(r, s);
    case 2: s->address += uleb(r) * r->minimum_length; break;
    case 3: s->row.line += (uint32_t)sleb(r); break;
    case 4: s->file = uleb(r); break;
    case 5: s->row.column = (uint32_t)uleb(r); break;
    case 6: s->row.is_statement = !s->row.is_statement; break;
    case 7: s->row.basic_block = true; break;
    case 8: s->address += (uint64_t)((255 - r->opcode_base) / r->line_range) * r->minimum_length; break;
    case 9: s->address += fixed(r, 2); break;
    case 10: s->row.prologue_end = true; break;
    case 11: s->row.epilogue_begin = true; break;
    case 12: s->row.isa = (uint32_t)uleb(r); break;
    default:
        for (unsigned i = 0; i < r->operands[opcode]; i++) uleb(r);
        break;
    }
    return SW_OK;
}

static sw_status run_program(struct reader *r) {
    struct state s;
    reset(r, &s);
    sw_status status = SW_OK;
    while (!status && r->p < r->end) {
        const unsigned opcode = *r->p++;
        if (opcode >= r->opcode_base) {
            const unsigned special = opcode - r->opcode_base;
            s.address += (uint64_t)(special / r->line_range) * r->minimum_length;
            s.row.line += (uint32_t)(r->line_base + (int)(special % r->line_range));
            status = emit(r, &s);
        } else
            status = opcode ? standard(r, &s, opcode) : extended(r, &s);
    }
    r->lines->rows.count = status ? 0 : s.first; // rows without an end are of no run
    return status;
}

// ---- Putting together ----------------------------------------------------------------------------------

static int by_offset(const void *a, const void *b) {
    const struct run *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static int by_name(const void *a, const void *b, void *files) {
    const sw_line_file *f = files;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const int order = strcmp(f[x].name, f[y].name);
    return order ? order : (x > y) - (x < y);
}

// Files of one name become one; rows point at them.
static bool join_files(struct reader *r) {
    sw_lines *l = r->lines;
    const size_t count = r->files.count;
    uint32_t *order = arena_alloc(&l->arena, (count + 1) * sizeof *order);
    uint32_t *final = arena_alloc(&l->arena, (count + 1) * sizeof *final);
    l->files = arena_alloc(&l->arena, (count + 1) * sizeof *l->files);
    if (!order || !final || !l->files) return false;
    // `final` first marks the files that rows name, then holds their places.
    for (size_t i = 0; i < l->rows.count; i++) final[(uintptr_t)l->rows.items[i].file - 1] = 1;
    size_t used = 0;
    for (uint32_t i = 0; i < count; i++)
        if (final[i]) order[used++] = i;
    if (used) qsort_r(order, used, sizeof *order, by_name, r->files.items);
    for (size_t i = 0; i < used; i++) {
        const sw_line_file *f = &r->files.items[order[i]];
        if (!l->file_count || strcmp(l->files[l->file_count - 1].name, f->name))
            l->files[l->file_count++] = *f;
        if (f->source && !l->files[l->file_count - 1].source)
            l->files[l->file_count - 1].source = f->source,
                                     l->files[l->file_count - 1].source_length = f->source_length;
        final[order[i]] = (uint32_t)l->file_count - 1;
    }
    for (size_t i = 0; i < l->rows.count; i++) {
        sw_line *row = &l->rows.items[i];
        sw_line_file *f = &l->files[final[(uintptr_t)row->file - 1]];
        row->file = f;
        if (row->end_sequence) continue;
        const uint64_t high = i + 1 < l->rows.count ? l->rows.items[i + 1].offset : row->offset;
        if (!f->rows || row->offset < f->low) f->low = row->offset;
        if (high > f->high) f->high = high;
        f->rows++;
    }
    return true;
}

static bool sort_runs(sw_lines *l) {
    sw_line *sorted = malloc((l->rows.count + 1) * sizeof *sorted);
    if (!sorted) return false;
    if (l->runs.count) qsort(l->runs.items, l->runs.count, sizeof *l->runs.items, by_offset);
    size_t used = 0;
    for (size_t i = 0; i < l->runs.count; i++) {
        struct run *run = &l->runs.items[i];
        memcpy(sorted + used, l->rows.items + run->first, run->count * sizeof *sorted);
        run->first = used;
        used += run->count;
    }
    array_free(&l->rows);
    l->rows.items = sorted;
    l->rows.count = used;
    return true;
}

static sw_status read_section(struct reader *r, const char *name, struct debug_section *out) {
    return debug_section_read(r->o, name, &r->lines->arena, out, r->sink);
}

static sw_status read_units(struct reader *r) {
    sw_status s = read_section(r, ".debug_line", &r->line);
    if (!s) s = read_section(r, ".debug_line_str", &r->line_str);
    if (!s) s = read_section(r, ".debug_str", &r->str);
    if (s || !r->line.size) return s;
    r->budget = 16 * (r->line.size + r->line_str.size + r->str.size) + 65536;
    r->p = r->line.data;
    while (!s && r->p < r->line.data + r->line.size) {
        const uint8_t *end = r->p;
        s = read_header(r, &end);
        if (!s) s = run_program(r);
        r->p = end;
    }
    return s;
}

sw_status sw_lines_open(const sw_object *o, sw_lines **out, const sw_sink *sink) {
    *out = NULL;
    sw_lines *l = calloc(1, sizeof *l);
    if (!l) return object_no_memory(o, sink);
    struct reader *r = calloc(1, sizeof *r);
    sw_status s = SW_NO_MEMORY;
    if (r) {
        *r = (struct reader){.o = o, .sink = sink, .lines = l};
        s = read_units(r);
        if (!s && (!sort_runs(l) || !join_files(r))) s = object_no_memory(o, sink);
        array_free(&r->directories);
        array_free(&r->raw);
        array_free(&r->files);
        free(r);
    }
    if (s)
        sw_lines_close(l);
    else
        *out = l;
    return s;
}

void sw_lines_close(sw_lines *l) {
    if (!l) return;
    array_free(&l->rows);
    array_free(&l->runs);
    arena_free(&l->arena);
    free(l);
}

size_t sw_lines_row_count(const sw_lines *l) { return l->rows.count; }
const sw_line *sw_lines_row(const sw_lines *l, size_t i) {
    return i < l->rows.count ? &l->rows.items[i] : NULL;
}
size_t sw_lines_file_count(const sw_lines *l) { return l->file_count; }
const sw_line_file *sw_lines_file(const sw_lines *l, size_t i) {
    return i < l->file_count ? &l->files[i] : NULL;
}

const sw_line *sw_lines_find(const sw_lines *l, uint64_t offset) {
    const size_t runs = SORTED_PREFIX(l->runs.count, i, l->runs.items[i].low <= offset);
    if (!runs || offset >= l->runs.items[runs - 1].high) return NULL;
    const struct run *run = &l->runs.items[runs - 1]; // the last that begins at or before the offset
    const sw_line *rows = &l->rows.items[run->first];
    const size_t before = SORTED_PREFIX(run->count, i, rows[i].offset <= offset);
    return before ? &rows[before - 1] : NULL;
}
