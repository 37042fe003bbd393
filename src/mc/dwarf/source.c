// SPDX-License-Identifier: MIT
// With -g, text that brings no debug information is described itself: a row of the line table for every
// instruction, and a compilation unit with its labels (.debug_info, .debug_abbrev, .debug_aranges, and
// .debug_ranges or .debug_rnglists when code is in several sections). The first numbered .file ends this.
#include "mc/dwarf/dwarf.h"

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

bool dwarf_begin_source(struct program *program, const char *text, size_t length) {
    struct dwarf *d = dwarf_of(program);
    struct source_debug *s = d ? d->source = arena_alloc(&program->arena, sizeof *s) : NULL;
    if (!s) return program_no_memory(program);
    struct dwarf_file *f = &d->root;
    const char *name = program->options->name ? program->options->name : "<stdin>";
    size_t n = d->directory.length;
    if (n && !strncmp(name, d->directory.text, n) && name[n]) name += n + (name[n] == '/');
    f->name = (struct slice){name, strlen(name)};
    if (d->version >= 5) {
        md5(text, length, f->md5);
        f->has_md5 = true;
    }
    d->all_md5 = d->any_md5 = f->has_md5;
    s->marked.arena = &program->arena;
    d->has_table = true;
    program->describes = true;
    return dwarf_add_section(program, program->section);
}

// The number of a file that a line marker names, or of the text; 0 is the root of version 5.
static bool number_file(struct program *program, struct slice name, uint32_t *number) {
    struct dwarf *d = program->dwarf;
    struct symbol *y = symbol_get(&d->source->marked, name.text, name.length);
    struct dwarf_file *f = y ? arena_alloc(&program->arena, sizeof *f) : NULL;
    if (!f) return program_no_memory(program);
    if (!y->used) {
        y->used = true;
        *f = d->root;
        bool is_root = name.length == f->name.length && !memcmp(name.text, f->name.text, name.length);
        if (!is_root) *f = (struct dwarf_file){.name = name};
        if (!(is_root && d->version >= 5 && !f->has_md5)) {
            y->index = d->files.count ? (uint32_t)d->files.count : 1;
            if (!dwarf_add_file(program, y->index, (struct slice){0}, f, NULL)) return false;
        }
    }
    *number = y->index;
    return true;
}

// The root is the text, or the first file that a marker names; before version 5 it is file 1 from the first
// label or instruction on.
static bool number_text(struct program *program) {
    struct dwarf *d = program->dwarf;
    struct source_debug *s = d->source;
    if (s->numbered || (d->version >= 5 && (s->file || !s->first_marker.length))) return true;
    s->numbered = true;
    if (s->first_marker.length) {
        d->root = (struct dwarf_file){.name = s->first_marker};
        d->all_md5 = false;
    }
    return d->version >= 5 || number_file(program, d->root.name, &s->file);
}

void dwarf_marker(struct program *program, struct slice file, uint32_t says, uint32_t line) {
    struct source_debug *s = program->dwarf->source;
    s->marker.length = file.length;
    s->marker.text = arena_copy(&program->arena, file.text, file.length);
    if (!s->marker.text) s->marker.length = 0;
    s->marker_says = says;
    s->marker_line = line;
    if (!s->first_marker.length) s->first_marker = s->marker;
}

void dwarf_end_source(struct program *program) {
    struct dwarf *d = program->dwarf;
    program->describes = false;
    free(d->directories.slots);
    d->directories = (struct symbol_table){.arena = &program->arena};
    d->directory_names.count = d->files.count = 0;
    d->root = (struct dwarf_file){0};
    d->any_source = false;
}

bool dwarf_add_section(struct program *program, struct section *s) {
    struct source_debug *d = program->dwarf->source;
    s = section_whole(s);
    uint64_t both = SHF_ALLOC | SHF_EXECINSTR;
    if (s->described || (s->flags & both) != both) return true;
    s->described = true;
    if (d->sections.count && program->dwarf->version <= 2)
        program_warn(program, NULL, "DWARF 2 describes only one section of code");
    return array_push(&d->sections, s) || program_no_memory(program);
}

bool dwarf_add_label(struct program *program, const struct symbol *s, uint32_t line) {
    if (!number_text(program)) return false;
    if (s->temporary || !section_whole(program->section)->described) return true;
    struct slice name = {s->name, s->length};
    if (*name.text == '_') name.text++, name.length--;
    struct text_label label = {name, program_here(program), line, program->dwarf->source->file};
    return array_push(&program->dwarf->source->labels, label) || program_no_memory(program);
}

bool dwarf_add_instruction(struct program *program, uint32_t line) {
    struct dwarf *d = program->dwarf;
    if (!number_text(program)) return false;
    struct section *whole = section_whole(program->section);
    whole->has_code = true;
    if (!whole->described) return true;
    const struct source_debug *s = d->source;
    if (s->marker.length) {
        if (!number_file(program, s->marker, &d->source->file)) return false;
        line = s->marker_says - 1 + (line - s->marker_line);
    }
    if (program->loc_pending && !dwarf_row(program)) return false;
    d->loc = (struct line_row){.file = s->file, .line = line, .flags = LINE_IS_STMT};
    d->loc_section = program->section;
    program->loc_pending = true;
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

static bool put_pair(struct program *program, uint64_t a, uint64_t b) {
    return dwarf_put_uleb(program, a) && dwarf_put_uleb(program, b);
}

static bool write_aranges(struct program *program, struct source_debug *s, struct section *info) {
    if (!dwarf_enter(program, ".debug_aranges", 0, 0)) return false;
    uint64_t length = program->section->size;
    if (!dwarf_put(program, 0, 4) || !dwarf_put(program, 2, 2) || !dwarf_put_offset(program, info, 0) ||
        !dwarf_put(program, DWARF_ADDRESS, 1) || !dwarf_put(program, 0, 1) || !dwarf_put(program, 0, 4))
        return false; // four bytes align the pairs
    for (size_t i = 0; i < s->sections.count; i++) {
        struct section *code = s->sections.items[i];
        if (!dwarf_put_place(program, begin_of(code), 8, false) || !dwarf_put(program, code->size, 8))
            return false;
    }
    if (!dwarf_put(program, 0, 8) || !dwarf_put(program, 0, 8)) return false;
    dwarf_put_length(program, length);
    return true;
}

static bool write_rnglists(struct program *program, struct source_debug *s, struct place *list) {
    if (!dwarf_enter(program, ".debug_rnglists", 0, 0)) return false;
    uint64_t length = program->section->size;
    if (!dwarf_put(program, 0, 4) || !dwarf_put(program, 5, 2) || !dwarf_put(program, DWARF_ADDRESS, 1) ||
        !dwarf_put(program, 0, 1) || !dwarf_put(program, 0, 4))
        return false;
    *list = program_here(program);
    for (size_t i = 0; i < s->sections.count; i++) {
        struct section *code = s->sections.items[i];
        if (!dwarf_put(program, RLE_start_length, 1) || !dwarf_put_place(program, begin_of(code), 8, false) ||
            !dwarf_put_uleb(program, code->size))
            return false;
    }
    if (!dwarf_put(program, RLE_end_of_list, 1)) return false;
    dwarf_put_length(program, length);
    return true;
}

// Each section chooses itself as the base of the one range that follows.
static bool write_ranges(struct program *program, struct source_debug *s, struct place *list) {
    if (program->dwarf->version >= 5) return write_rnglists(program, s, list);
    if (!dwarf_enter(program, ".debug_ranges", 0, 0)) return false;
    *list = program_here(program);
    for (size_t i = 0; i < s->sections.count; i++) {
        struct section *code = s->sections.items[i];
        if (!dwarf_put(program, UINT64_MAX, 8) || !dwarf_put_place(program, begin_of(code), 8, false) ||
            !dwarf_put(program, 0, 8) || !dwarf_put(program, code->size, 8))
            return false;
    }
    return dwarf_put(program, 0, 8) && dwarf_put(program, 0, 8);
}

static bool write_abbreviations(struct program *program, bool ranges) {
    unsigned offset = program->dwarf->version >= 4 ? FORM_sec_offset : FORM_data4;
    if (!put_pair(program, 1, TAG_compile_unit) || !dwarf_put(program, 1, 1) ||
        !put_pair(program, AT_stmt_list, offset))
        return false;
    if (!(ranges ? put_pair(program, AT_ranges, offset)
                 : put_pair(program, AT_low_pc, FORM_addr) && put_pair(program, AT_high_pc, FORM_addr)))
        return false;
    if (!put_pair(program, AT_name, FORM_string)) return false;
    if (program->dwarf->directory.length && !put_pair(program, AT_comp_dir, FORM_string)) return false;
    return put_pair(program, AT_producer, FORM_string) && put_pair(program, AT_language, FORM_data2) &&
           put_pair(program, 0, 0) && put_pair(program, 2, TAG_label) && dwarf_put(program, 0, 1) &&
           put_pair(program, AT_name, FORM_string) && put_pair(program, AT_decl_file, FORM_data4) &&
           put_pair(program, AT_decl_line, FORM_data4) && put_pair(program, AT_low_pc, FORM_addr) &&
           put_pair(program, 0, 0) && dwarf_put(program, 0, 1);
}

static bool put_unit_name(struct program *program) {
    struct dwarf *d = program->dwarf;
    if (d->directory_names.count) {
        const char *directory = d->directory_names.items[0];
        if (!program_emit(program, directory, strlen(directory)) || !program_emit(program, "/", 1))
            return false;
    }
    return dwarf_put_string(program, d->files.count > 1 ? d->files.items[1]->name : d->root.name);
}

static bool put_producer(struct program *program) {
    const char *given = program->options->producer;
    char own[64];
    if (!given) snprintf(own, sizeof own, "softwave %s", sw_version());
    const char *producer = given ? given : own;
    return dwarf_put_string(program, (struct slice){producer, strlen(producer)});
}

static bool write_info(struct program *program, struct source_debug *s, struct section *abbreviations,
                       struct symbol *lines, const struct place *ranges) {
    struct dwarf *d = program->dwarf;
    uint64_t length = program->section->size;
    if (!dwarf_put(program, 0, 4) || !dwarf_put(program, d->version, 2)) return false;
    if (d->version >= 5 && !(dwarf_put(program, UT_compile, 1) && dwarf_put(program, DWARF_ADDRESS, 1)))
        return false;
    if (!dwarf_put_offset(program, abbreviations, 0)) return false;
    if (d->version < 5 && !dwarf_put(program, DWARF_ADDRESS, 1)) return false;
    if (!dwarf_put_uleb(program, 1) || !dwarf_put_symbol(program, lines, 4, false)) return false;
    if (!(ranges ? dwarf_put_place(program, *ranges, 4, false)
                 : dwarf_put_place(program, begin_of(s->sections.items[0]), 8, false) &&
                       dwarf_put_place(program, end_of(s->sections.items[0]), 8, false)))
        return false;
    if (!put_unit_name(program) || (d->directory.length && !dwarf_put_string(program, d->directory)) ||
        !put_producer(program) || !dwarf_put(program, LANG_assembler, 2))
        return false;
    for (size_t i = 0; i < s->labels.count; i++) {
        const struct text_label *l = &s->labels.items[i];
        if (!dwarf_put_uleb(program, 2) || !dwarf_put_string(program, l->name) ||
            !dwarf_put(program, l->file, 4) || !dwarf_put(program, l->line, 4) ||
            !dwarf_put_place(program, l->place, 8, false))
            return false;
    }
    if (!dwarf_put(program, 0, 1)) return false;
    dwarf_put_length(program, length);
    return true;
}

bool dwarf_write_source(struct program *program) {
    struct source_debug *s = program->dwarf->source;
    if (!program->describes) return true;
    size_t kept = 0;
    for (size_t i = 0; i < s->sections.count; i++)
        if (s->sections.items[i]->has_code) s->sections.items[kept++] = s->sections.items[i];
    s->sections.count = kept;
    if (!kept) return true;
    // The line table comes last; its beginning is known by this name.
    struct symbol *lines = program_symbol(program, (struct slice){".Lline_table_start0", 19});
    if (!lines) return false;
    program->dwarf->table = lines;
    if (!dwarf_enter(program, ".debug_info", 0, 0)) return false;
    struct section *info = program->section;
    if (!dwarf_enter(program, ".debug_abbrev", 0, 0)) return false;
    struct section *abbreviations = program->section;
    bool several = kept > 1 && program->dwarf->version >= 3;
    struct place ranges;
    if (!write_aranges(program, s, info) || (several && !write_ranges(program, s, &ranges))) return false;
    program->section = abbreviations;
    if (!write_abbreviations(program, several)) return false;
    program->section = info;
    return write_info(program, s, abbreviations, lines, several ? &ranges : NULL);
}
