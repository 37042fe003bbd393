// SPDX-License-Identifier: MIT
// Writes .debug_line, and .debug_line_str in version 5: the header with its directories and files, then one
// program for every section that has rows. Choices that the format leaves open (which opcode advances, what
// is said in which order) are LLVM's, so that tables are equal byte for byte (DW-37 to DW-40).
#include "mc/dwarf/dwarf.h"

#include <elf.h>
#include <string.h>

#include "base/bytes.h"

enum { LINE_BASE = -5, LINE_RANGE = 14, OPCODE_BASE = 13, MOST_SPECIAL = (255 - OPCODE_BASE) / LINE_RANGE };
enum {
    LNS_extended_op,
    LNS_copy,
    LNS_advance_pc,
    LNS_advance_line,
    LNS_set_file,
    LNS_set_column,
    LNS_negate_stmt,
    LNS_set_basic_block,
    LNS_const_add_pc,
    LNS_fixed_advance_pc,
    LNS_set_prologue_end,
    LNS_set_epilogue_begin,
    LNS_set_isa,
};
enum { LNE_end_sequence = 1, LNE_set_address, LNE_define_file, LNE_set_discriminator };
enum { LNCT_path = 1, LNCT_directory_index, LNCT_md5 = 5, LNCT_llvm_source = 0x2001 };
enum { FORM_udata = 0x0f, FORM_data16 = 0x1e, FORM_line_strp = 0x1f };

struct line_writer {
    struct program *program;
    struct dwarf *d;
    struct section *strings; // .debug_line_str in version 5
    struct symbol_table known;
    struct text text; // of the strings
};

// ---- The header ----

// A reference to a string, which is kept once.
static bool put_line_string(struct line_writer *w, struct slice s) {
    struct symbol *y = symbol_get(&w->known, s.text ? s.text : "", s.length);
    if (!y) return program_no_memory(w->program);
    if (y->state == SYMBOL_UNDEFINED) {
        y->state = SYMBOL_NUMBER;
        y->offset = w->text.length;
        text_add(&w->text, s.text, s.length);
        text_add(&w->text, "", 1);
    }
    return dwarf_put_offset(w->program, w->strings, y->offset);
}

static struct slice slice_of(const char *text) { return (struct slice){text, strlen(text)}; }

static bool tables_before_5(struct line_writer *w) {
    struct program *program = w->program;
    struct dwarf *d = w->d;
    for (size_t i = 0; i < d->directory_names.count; i++)
        if (!dwarf_put_string(program, slice_of(d->directory_names.items[i]))) return false;
    if (!dwarf_put(program, 0, 1)) return false;
    for (size_t i = 1; i < d->files.count; i++) {
        const struct dwarf_file *f = d->files.items[i];
        // Neither time nor size is known.
        if (!dwarf_put_string(program, f->name) || !dwarf_put_uleb(program, f->directory) ||
            !dwarf_put(program, 0, 2))
            return false;
    }
    return dwarf_put(program, 0, 1);
}

static bool put_file(struct line_writer *w, const struct dwarf_file *f) {
    struct dwarf *d = w->d;
    // Empty text is not the same as no text.
    struct slice source = f->source.text && !f->source.length ? (struct slice){"\n", 1} : f->source;
    return put_line_string(w, f->name) && dwarf_put_uleb(w->program, f->directory) &&
           (!d->all_md5 || program_emit(w->program, f->md5, 16)) &&
           (!d->any_source || put_line_string(w, source));
}

static bool tables_of_5(struct line_writer *w) {
    struct program *program = w->program;
    struct dwarf *d = w->d;
    if (!dwarf_put(program, 1, 1) || !dwarf_put_uleb(program, LNCT_path) ||
        !dwarf_put_uleb(program, FORM_line_strp) || !dwarf_put_uleb(program, d->directory_names.count + 1))
        return false;
    struct slice directory = d->directory;
    if (!directory.length && program->options->directory) directory = slice_of(program->options->directory);
    if (!put_line_string(w, directory)) return false;
    for (size_t i = 0; i < d->directory_names.count; i++)
        if (!put_line_string(w, slice_of(d->directory_names.items[i]))) return false;
    if (!dwarf_put(program, 2u + d->all_md5 + d->any_source, 1) || !dwarf_put_uleb(program, LNCT_path) ||
        !dwarf_put_uleb(program, FORM_line_strp) || !dwarf_put_uleb(program, LNCT_directory_index) ||
        !dwarf_put_uleb(program, FORM_udata))
        return false;
    if (d->all_md5 && (!dwarf_put_uleb(program, LNCT_md5) || !dwarf_put_uleb(program, FORM_data16)))
        return false;
    if (d->any_source &&
        (!dwarf_put_uleb(program, LNCT_llvm_source) || !dwarf_put_uleb(program, FORM_line_strp)))
        return false;
    // File 0 is the root; where the text names none, file 1 stands for it, too.
    if (!dwarf_put_uleb(program, d->files.count ? d->files.count : 1)) return false;
    if (!put_file(w, d->root.name.length || d->files.count < 2 ? &d->root : d->files.items[1])) return false;
    for (size_t i = 1; i < d->files.count; i++)
        if (!put_file(w, d->files.items[i])) return false;
    return true;
}

static bool put_header(struct line_writer *w) {
    static const uint8_t operands[OPCODE_BASE - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    struct program *program = w->program;
    unsigned version = w->d->version;
    if (!dwarf_put(program, version, 2) ||
        (version >= 5 && !(dwarf_put(program, DWARF_ADDRESS, 1) && dwarf_put(program, 0, 1))))
        return false;
    uint64_t length = program->section->size;
    bool ok = dwarf_put(program, 0, 4) && dwarf_put(program, DWARF_CODE_ALIGNMENT, 1) &&
              (version < 4 || dwarf_put(program, 1, 1)) && dwarf_put(program, 1, 1) &&
              dwarf_put(program, (uint8_t)LINE_BASE, 1) && dwarf_put(program, LINE_RANGE, 1) &&
              dwarf_put(program, OPCODE_BASE, 1) && program_emit(program, operands, sizeof operands) &&
              (version >= 5 ? tables_of_5(w) : tables_before_5(w));
    if (ok) dwarf_put_length(program, length);
    return ok;
}

// ---- Programs ----

// Advances the address by `words` instruction words and ends the sequence.
static bool end_sequence(struct program *program, uint64_t words) {
    if (words == MOST_SPECIAL) {
        if (!dwarf_put(program, LNS_const_add_pc, 1)) return false;
    } else if (words && (!dwarf_put(program, LNS_advance_pc, 1) || !dwarf_put_uleb(program, words)))
        return false;
    return dwarf_put(program, LNS_extended_op, 1) && dwarf_put(program, 1, 1) &&
           dwarf_put(program, LNE_end_sequence, 1);
}

// Advances line and address and makes the row, in the fewest bytes that one opcode behind another gives.
static bool advance(struct program *program, int64_t lines, uint64_t words) {
    bool said = lines < LINE_BASE || lines >= LINE_BASE + LINE_RANGE;
    if (said) {
        if (!dwarf_put(program, LNS_advance_line, 1) || !dwarf_put_sleb(program, lines)) return false;
        lines = 0;
    }
    if (!lines && !words) return dwarf_put(program, LNS_copy, 1);
    uint64_t special = (uint64_t)(lines - LINE_BASE) + OPCODE_BASE;
    if (words < 256 + MOST_SPECIAL) {
        if (special + words * LINE_RANGE <= 255) return dwarf_put(program, special + words * LINE_RANGE, 1);
        uint64_t rest = special + (words - MOST_SPECIAL) * LINE_RANGE;
        if (rest <= 255) return dwarf_put(program, LNS_const_add_pc, 1) && dwarf_put(program, rest, 1);
    }
    return dwarf_put(program, LNS_advance_pc, 1) && dwarf_put_uleb(program, words) &&
           dwarf_put(program, said ? LNS_copy : special, 1);
}

struct state {
    uint32_t file, line, column, discriminator;
    uint8_t isa, flags;
    bool started;
    uint64_t at; // of the last row
};
static const struct state initial = {.file = 1, .line = 1, .flags = LINE_IS_STMT};

static bool put_registers(struct line_writer *w, struct state *t, const struct line_row *r) {
    struct program *program = w->program;
    uint8_t leb[10];
    if (t->file != r->file &&
        !(dwarf_put(program, LNS_set_file, 1) && dwarf_put_uleb(program, t->file = r->file)))
        return false;
    if (t->column != r->column &&
        !(dwarf_put(program, LNS_set_column, 1) && dwarf_put_uleb(program, t->column = r->column)))
        return false;
    if (r->discriminator && w->d->version >= 4 &&
        !(dwarf_put(program, LNS_extended_op, 1) &&
          dwarf_put_uleb(program, leb_bytes(leb, r->discriminator, false, 0) + 1) &&
          dwarf_put(program, LNE_set_discriminator, 1) && dwarf_put_uleb(program, r->discriminator)))
        return false;
    if (t->isa != r->isa && !(dwarf_put(program, LNS_set_isa, 1) && dwarf_put_uleb(program, t->isa = r->isa)))
        return false;
    if ((t->flags ^ r->flags) & LINE_IS_STMT) {
        t->flags = r->flags;
        if (!dwarf_put(program, LNS_negate_stmt, 1)) return false;
    }
    return (!(r->flags & LINE_BASIC_BLOCK) || dwarf_put(program, LNS_set_basic_block, 1)) &&
           (!(r->flags & LINE_PROLOGUE_END) || dwarf_put(program, LNS_set_prologue_end, 1)) &&
           (!(r->flags & LINE_EPILOGUE_BEGIN) || dwarf_put(program, LNS_set_epilogue_begin, 1));
}

static bool put_program(struct line_writer *w, const struct line_program *p) {
    struct program *program = w->program;
    struct state t = initial;
    for (size_t i = 0; i < p->rows.count; i++) {
        const struct line_row *r = &p->rows.items[i];
        uint64_t at = place_offset(r->place);
        if (r->label) {
            if (t.started && !end_sequence(program, (at - t.at) / DWARF_CODE_ALIGNMENT)) return false;
            t = initial;
            if (!program_define_label(program, r->label, NULL)) return false;
            continue;
        }
        if (!put_registers(w, &t, r)) return false;
        int64_t lines = (int64_t)r->line - t.line;
        if (!t.started &&
            !(dwarf_put(program, LNS_extended_op, 1) && dwarf_put_uleb(program, DWARF_ADDRESS + 1) &&
              dwarf_put(program, LNE_set_address, 1) &&
              dwarf_put_place(program, r->place, DWARF_ADDRESS, false)))
            return false;
        if (!advance(program, lines, t.started ? (at - t.at) / DWARF_CODE_ALIGNMENT : 0)) return false;
        t.line = r->line;
        t.at = at;
        t.started = true;
    }
    return !t.started || end_sequence(program, (p->section->size - t.at) / DWARF_CODE_ALIGNMENT);
}

static bool write_table(struct line_writer *w) {
    struct program *program = w->program;
    if (!dwarf_enter(program, ".debug_line", 0, 0)) return false;
    struct section *lines = program->section;
    if (w->d->version >= 5) {
        if (!dwarf_enter(program, ".debug_line_str", SHF_MERGE | SHF_STRINGS, 1)) return false;
        w->strings = program->section;
        program->section = lines;
    }
    uint64_t length = lines->size;
    if (w->d->table && !program_define_label(program, w->d->table, NULL)) return false;
    if (!dwarf_put(program, 0, 4) || !put_header(w)) return false;
    for (const struct line_program *p = w->d->programs; p; p = p->next)
        if (!put_program(w, p)) return false;
    dwarf_put_length(program, length);
    if (!w->strings) return true;
    program->section = w->strings;
    return w->text.failed ? program_no_memory(program)
                          : !w->text.length || program_emit(program, w->text.data, w->text.length);
}

bool dwarf_write_lines(struct program *program) {
    struct dwarf *d = program->dwarf;
    for (size_t i = 1; i < d->files.count; i++)
        if (!d->files.items[i])
            return program_late_error(program, NOWHERE, "unassigned file number: %zu for .file directives",
                                      i);
    if (!d->has_table) return true;
    struct line_writer w = {.program = program, .d = d, .known = {.arena = &program->arena}};
    bool ok = write_table(&w);
    free(w.known.slots);
    text_free(&w.text);
    return ok;
}
