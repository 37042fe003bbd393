// SPDX-License-Identifier: MIT
// With -g, text that brings no debug information is described itself: a row of the line table for every
// instruction, and a compilation unit with its labels (.debug_info, .debug_abbrev, .debug_aranges, and
// .debug_ranges or .debug_rnglists when code is in several sections). The first numbered .file ends this.
#include "asm/dwarf/dwarf.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "base/md5.h"

struct text_label {
    struct slice name;
    struct place place;
    uint32_t line, file;
};
struct source_debug {
    ARRAY(struct section *) sections; // executable ones, in the order in which they were entered
    ARRAY(struct text_label) labels;
    uint32_t file; // the number of the text itself, or of what a line marker said last
    // Preprocessed text: # 12 "file.S" says where the next line is from.
    struct symbol_table marked; // file numbers by name: `index`, with `used` once they have one
    struct slice first_marker, marker;
    uint32_t marker_says, marker_line;
    bool numbered;
};

enum { TAG_label = 0x0a, TAG_compile_unit = 0x11, UT_compile = 1, LANG_assembler = 0x8001 };
enum {
    AT_name = 0x03,
    AT_stmt_list = 0x10,
    AT_low_pc = 0x11,
    AT_high_pc = 0x12,
    AT_language = 0x13,
    AT_comp_dir = 0x1b,
    AT_producer = 0x25,
    AT_decl_file = 0x3a,
    AT_decl_line = 0x3b,
    AT_ranges = 0x55,
};
enum { FORM_addr = 0x01, FORM_data2 = 0x05, FORM_data4 = 0x06, FORM_string = 0x08, FORM_sec_offset = 0x17 };
enum { RLE_end_of_list = 0, RLE_start_length = 7 };

// ---- While the text is read ----

bool dwarf_begin_source(struct unit *u, const char *text, size_t length) {
    struct dwarf *d = dwarf_of(u);
    struct source_debug *s = d ? d->source = arena_alloc(&u->arena, sizeof *s) : NULL;
    if (!s) return unit_no_memory(u);
    struct dwarf_file *f = &d->root;
    const char *name = u->options->name ? u->options->name : "<stdin>";
    size_t n = d->directory.length;
    if (n && !strncmp(name, d->directory.text, n) && name[n]) name += n + (name[n] == '/');
    f->name = (struct slice){name, strlen(name)};
    if (d->version >= 5) {
        md5(text, length, f->md5);
        f->has_md5 = true;
    }
    d->all_md5 = d->any_md5 = f->has_md5;
    s->marked.arena = &u->arena;
    d->has_table = true;
    u->describes = true;
    return dwarf_add_section(u, u->section);
}

// The number of a file that a line marker names, or of the text; 0 is the root of version 5.
static bool number_file(struct unit *u, struct slice name, uint32_t *number) {
    struct dwarf *d = u->dwarf;
    struct symbol *y = symbol_get(&d->source->marked, name.text, name.length);
    struct dwarf_file *f = y ? arena_alloc(&u->arena, sizeof *f) : NULL;
    if (!f) return unit_no_memory(u);
    if (!y->used) {
        y->used = true;
        *f = d->root;
        bool is_root = name.length == f->name.length && !memcmp(name.text, f->name.text, name.length);
        if (!is_root) *f = (struct dwarf_file){.name = name};
        if (!(is_root && d->version >= 5 && !f->has_md5)) {
            y->index = d->files.count ? (uint32_t)d->files.count : 1;
            if (!dwarf_add_file(u, y->index, (struct slice){0}, f, u->statement)) return false;
        }
    }
    *number = y->index;
    return true;
}

// The root is the text, or the first file that a marker names; before version 5 it is file 1 from the first
// label or instruction on.
static bool number_text(struct unit *u) {
    struct dwarf *d = u->dwarf;
    struct source_debug *s = d->source;
    if (s->numbered || (d->version >= 5 && (s->file || !s->first_marker.length))) return true;
    s->numbered = true;
    if (s->first_marker.length) {
        d->root = (struct dwarf_file){.name = s->first_marker};
        d->all_md5 = false;
    }
    return d->version >= 5 || number_file(u, d->root.name, &s->file);
}

void dwarf_marker(struct unit *u, const char *p, const char *end) {
    struct source_debug *s = u->dwarf->source;
    p = skip_space(p + 1, end);
    if (p == end || !char_is(*p, CHAR_DIGIT)) return;
    struct number n = lex_number(&p, end);
    p = skip_space(p, end);
    const char *close = p < end && *p == '"' ? memchr(p + 1, '"', (size_t)(end - p - 1)) : NULL;
    if (n.error || n.kind != NUMBER_INTEGER || !close || close == p + 1) return;
    s->marker.length = (size_t)(close - p - 1);
    s->marker.text = arena_copy(&u->arena, p + 1, s->marker.length);
    if (!s->marker.text) s->marker.length = 0;
    s->marker_says = (uint32_t)n.low;
    s->marker_line = u->statement_line;
    if (!s->first_marker.length) s->first_marker = s->marker;
}

void dwarf_end_source(struct unit *u) {
    struct dwarf *d = u->dwarf;
    u->describes = false;
    free(d->directories.slots);
    d->directories = (struct symbol_table){.arena = &u->arena};
    d->directory_names.count = d->files.count = 0;
    d->root = (struct dwarf_file){0};
    d->any_source = false;
}

bool dwarf_add_section(struct unit *u, struct section *s) {
    struct source_debug *d = u->dwarf->source;
    s = section_whole(s);
    uint64_t both = SHF_ALLOC | SHF_EXECINSTR;
    if (s->described || (s->flags & both) != both) return true;
    s->described = true;
    if (d->sections.count && u->dwarf->version <= 2)
        unit_warn(u, u->statement, "DWARF 2 describes only one section of code");
    return array_push(&d->sections, s) || unit_no_memory(u);
}

bool dwarf_add_label(struct unit *u, const struct symbol *s) {
    if (!number_text(u)) return false;
    if (s->temporary || !section_whole(u->section)->described) return true;
    struct slice name = {s->name, s->length};
    if (*name.text == '_') name.text++, name.length--;
    struct text_label label = {name, unit_here(u), u->statement_line, u->dwarf->source->file};
    return array_push(&u->dwarf->source->labels, label) || unit_no_memory(u);
}

// The line of an instruction is that which the outermost macro or repetition was expanded from.
bool dwarf_add_instruction(struct unit *u) {
    struct dwarf *d = u->dwarf;
    if (!number_text(u)) return false;
    struct section *whole = section_whole(u->section);
    whole->has_code = true;
    if (!whole->described) return true;
    uint32_t line = u->statement_line;
    for (const struct source *from = u->source; from; from = from->parent)
        if (from->parent && !from->file.data) line = from->called_line;
    const struct source_debug *s = d->source;
    if (s->marker.length) {
        if (!number_file(u, s->marker, &d->source->file)) return false;
        line = s->marker_says - 1 + (line - s->marker_line);
    }
    if (u->loc_pending && !dwarf_row(u)) return false;
    d->loc = (struct line_row){.file = s->file, .line = line, .flags = LINE_IS_STMT};
    d->loc_section = u->section;
    u->loc_pending = true;
    return true;
}

void dwarf_free_source(struct source_debug *s) {
    array_free(&s->sections);
    array_free(&s->labels);
    free(s->marked.slots);
}

// ---- Sections ----

static struct place begin_of(struct section *s) { return (struct place){s, 0, 0}; }
static struct place end_of(struct section *s) { return (struct place){s, s->size, 0}; }

static bool put_pair(struct unit *u, uint64_t a, uint64_t b) {
    return dwarf_put_uleb(u, a) && dwarf_put_uleb(u, b);
}

static bool write_aranges(struct unit *u, struct source_debug *s, struct section *info) {
    if (!dwarf_enter(u, ".debug_aranges", 0, 0)) return false;
    uint64_t length = u->section->size;
    if (!dwarf_put(u, 0, 4) || !dwarf_put(u, 2, 2) || !dwarf_put_offset(u, info, 0) ||
        !dwarf_put(u, DWARF_ADDRESS, 1) || !dwarf_put(u, 0, 1) || !dwarf_put(u, 0, 4))
        return false; // four bytes align the pairs
    for (size_t i = 0; i < s->sections.count; i++) {
        struct section *code = s->sections.items[i];
        if (!dwarf_put_place(u, begin_of(code), 8, false) || !dwarf_put(u, code->size, 8)) return false;
    }
    if (!dwarf_put(u, 0, 8) || !dwarf_put(u, 0, 8)) return false;
    dwarf_put_length(u, length);
    return true;
}

static bool write_rnglists(struct unit *u, struct source_debug *s, struct place *list) {
    if (!dwarf_enter(u, ".debug_rnglists", 0, 0)) return false;
    uint64_t length = u->section->size;
    if (!dwarf_put(u, 0, 4) || !dwarf_put(u, 5, 2) || !dwarf_put(u, DWARF_ADDRESS, 1) ||
        !dwarf_put(u, 0, 1) || !dwarf_put(u, 0, 4))
        return false;
    *list = unit_here(u);
    for (size_t i = 0; i < s->sections.count; i++) {
        struct section *code = s->sections.items[i];
        if (!dwarf_put(u, RLE_start_length, 1) || !dwarf_put_place(u, begin_of(code), 8, false) ||
            !dwarf_put_uleb(u, code->size))
            return false;
    }
    if (!dwarf_put(u, RLE_end_of_list, 1)) return false;
    dwarf_put_length(u, length);
    return true;
}

// Each section chooses itself as the base of the one range that follows.
static bool write_ranges(struct unit *u, struct source_debug *s, struct place *list) {
    if (u->dwarf->version >= 5) return write_rnglists(u, s, list);
    if (!dwarf_enter(u, ".debug_ranges", 0, 0)) return false;
    *list = unit_here(u);
    for (size_t i = 0; i < s->sections.count; i++) {
        struct section *code = s->sections.items[i];
        if (!dwarf_put(u, UINT64_MAX, 8) || !dwarf_put_place(u, begin_of(code), 8, false) ||
            !dwarf_put(u, 0, 8) || !dwarf_put(u, code->size, 8))
            return false;
    }
    return dwarf_put(u, 0, 8) && dwarf_put(u, 0, 8);
}

static bool write_abbreviations(struct unit *u, bool ranges) {
    unsigned offset = u->dwarf->version >= 4 ? FORM_sec_offset : FORM_data4;
    if (!put_pair(u, 1, TAG_compile_unit) || !dwarf_put(u, 1, 1) || !put_pair(u, AT_stmt_list, offset))
        return false;
    if (!(ranges ? put_pair(u, AT_ranges, offset)
                 : put_pair(u, AT_low_pc, FORM_addr) && put_pair(u, AT_high_pc, FORM_addr)))
        return false;
    if (!put_pair(u, AT_name, FORM_string)) return false;
    if (u->dwarf->directory.length && !put_pair(u, AT_comp_dir, FORM_string)) return false;
    return put_pair(u, AT_producer, FORM_string) && put_pair(u, AT_language, FORM_data2) &&
           put_pair(u, 0, 0) && put_pair(u, 2, TAG_label) && dwarf_put(u, 0, 1) &&
           put_pair(u, AT_name, FORM_string) && put_pair(u, AT_decl_file, FORM_data4) &&
           put_pair(u, AT_decl_line, FORM_data4) && put_pair(u, AT_low_pc, FORM_addr) && put_pair(u, 0, 0) &&
           dwarf_put(u, 0, 1);
}

static bool put_unit_name(struct unit *u) {
    struct dwarf *d = u->dwarf;
    if (d->directory_names.count) {
        const char *directory = d->directory_names.items[0];
        if (!unit_emit(u, directory, strlen(directory)) || !unit_emit(u, "/", 1)) return false;
    }
    return dwarf_put_string(u, d->files.count > 1 ? d->files.items[1]->name : d->root.name);
}

static bool put_producer(struct unit *u) {
    const char *given = u->options->producer;
    char own[64];
    if (!given) snprintf(own, sizeof own, "softwave %s", sw_version());
    const char *producer = given ? given : own;
    return dwarf_put_string(u, (struct slice){producer, strlen(producer)});
}

static bool write_info(struct unit *u, struct source_debug *s, struct section *abbreviations,
                       struct symbol *lines, const struct place *ranges) {
    struct dwarf *d = u->dwarf;
    uint64_t length = u->section->size;
    if (!dwarf_put(u, 0, 4) || !dwarf_put(u, d->version, 2)) return false;
    if (d->version >= 5 && !(dwarf_put(u, UT_compile, 1) && dwarf_put(u, DWARF_ADDRESS, 1))) return false;
    if (!dwarf_put_offset(u, abbreviations, 0)) return false;
    if (d->version < 5 && !dwarf_put(u, DWARF_ADDRESS, 1)) return false;
    if (!dwarf_put_uleb(u, 1) || !dwarf_put_symbol(u, lines, 4, false)) return false;
    if (!(ranges ? dwarf_put_place(u, *ranges, 4, false)
                 : dwarf_put_place(u, begin_of(s->sections.items[0]), 8, false) &&
                       dwarf_put_place(u, end_of(s->sections.items[0]), 8, false)))
        return false;
    if (!put_unit_name(u) || (d->directory.length && !dwarf_put_string(u, d->directory)) ||
        !put_producer(u) || !dwarf_put(u, LANG_assembler, 2))
        return false;
    for (size_t i = 0; i < s->labels.count; i++) {
        const struct text_label *l = &s->labels.items[i];
        if (!dwarf_put_uleb(u, 2) || !dwarf_put_string(u, l->name) || !dwarf_put(u, l->file, 4) ||
            !dwarf_put(u, l->line, 4) || !dwarf_put_place(u, l->place, 8, false))
            return false;
    }
    if (!dwarf_put(u, 0, 1)) return false;
    dwarf_put_length(u, length);
    return true;
}

bool dwarf_write_source(struct unit *u) {
    struct source_debug *s = u->dwarf->source;
    if (!u->describes) return true;
    size_t kept = 0;
    for (size_t i = 0; i < s->sections.count; i++)
        if (s->sections.items[i]->has_code) s->sections.items[kept++] = s->sections.items[i];
    s->sections.count = kept;
    if (!kept) return true;
    // The line table comes last; its beginning is known by this name.
    struct symbol *lines = unit_symbol(u, (struct slice){".Lline_table_start0", 19});
    if (!lines) return false;
    u->dwarf->table = lines;
    if (!dwarf_enter(u, ".debug_info", 0, 0)) return false;
    struct section *info = u->section;
    if (!dwarf_enter(u, ".debug_abbrev", 0, 0)) return false;
    struct section *abbreviations = u->section;
    bool several = kept > 1 && u->dwarf->version >= 3;
    struct place ranges;
    if (!write_aranges(u, s, info) || (several && !write_ranges(u, s, &ranges))) return false;
    u->section = abbreviations;
    if (!write_abbreviations(u, several)) return false;
    u->section = info;
    return write_info(u, s, abbreviations, lines, several ? &ranges : NULL);
}
