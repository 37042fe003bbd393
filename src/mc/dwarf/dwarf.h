// SPDX-License-Identifier: MIT
// Debug information that the assembler makes itself: the line table from .file and .loc, call frame
// information from .cfi_*, and for text without either, with -g, a description of the text. Directives record
// it while the text is read; dwarf_write turns it into sections once all places are final.
#ifndef MC_DWARF_H
#define MC_DWARF_H

#include "mc/program/program.h"

enum { DWARF_CODE_ALIGNMENT = 4, DWARF_DATA_ALIGNMENT = 4, DWARF_ADDRESS = 8 }; // DW-32, DW-38

struct dwarf_file {
    struct slice name;
    struct slice source; // text NULL: none
    uint32_t directory;  // 0: that of the compilation
    bool has_md5;
    uint8_t md5[16];
};

enum line_flag { LINE_IS_STMT = 1, LINE_BASIC_BLOCK = 2, LINE_PROLOGUE_END = 4, LINE_EPILOGUE_BEGIN = 8 };
// Fields are as wide as LLVM's, which cut off what does not fit.
struct line_row {
    struct place place;
    struct symbol *label; // .loc_label: no row, but a name for this place in the table
    uint32_t file, line, discriminator;
    uint16_t column;
    uint8_t flags, isa;
};

// The rows of one section, in the order in which sections got their first one.
struct line_program {
    struct section *section;
    ARRAY(struct line_row) rows;
    struct line_program *next;
};

enum cfi_op {
    CFI_DEF_CFA,
    CFI_DEF_CFA_OFFSET,
    CFI_ADJUST_CFA_OFFSET,
    CFI_DEF_CFA_REGISTER,
    CFI_DEF_ASPACE_CFA,
    CFI_OFFSET,
    CFI_REL_OFFSET,
    CFI_VAL_OFFSET,
    CFI_REGISTER,
    CFI_RESTORE,
    CFI_SAME_VALUE,
    CFI_UNDEFINED,
    CFI_REMEMBER_STATE,
    CFI_RESTORE_STATE,
    CFI_WINDOW_SAVE,
    CFI_ESCAPE,
    CFI_LABEL,
    CFI_RETURN_COLUMN, // these describe the frame and are no instructions
    CFI_SIGNAL_FRAME,
};
struct cfi {
    struct place place;
    uint8_t op; // enum cfi_op
    uint32_t reg;
    struct late at;
    int64_t a, b; // offset, second register, address space
    struct slice bytes;
    struct symbol *label;
};
struct frame {
    struct place begin, end;
    ARRAY(struct cfi) cfi;
    struct symbol *personality, *lsda;
    uint8_t personality_encoding, lsda_encoding;
    bool simple, signal, ended;
    uint32_t return_column; // UINT32_MAX: the program counter
    struct late at;         // of .cfi_startproc
};

struct dwarf {
    unsigned version;
    bool has_table; // .file was seen
    struct slice directory;
    struct symbol_table directories; // by name; `index` counts them from 1
    ARRAY(const char *) directory_names;
    ARRAY(struct dwarf_file *) files; // [0] is unused
    struct dwarf_file root;           // .file 0; no name: none
    bool all_md5, any_md5, any_source, warned_md5;
    struct line_row loc; // what .loc said last
    struct section *loc_section;
    struct line_program *programs, **last_program;

    ARRAY(struct frame *) frames;
    ARRAY(struct frame *) open_frames;
    bool no_eh_frame, debug_frame;
    struct source_debug *source; // -g
    struct symbol *table;        // to stand at the beginning of the line table
};

// Made on first use. NULL: out of memory, which has been reported.
struct dwarf *dwarf_of(struct program *program);
void dwarf_free(struct program *program);
// A row of the line table here, for the .loc that is pending.
bool dwarf_row(struct program *program);
// All sections of debug information, behind those of the text.
bool dwarf_write(struct program *program);

// -g: the text itself is described from here on, until dwarf_end_source.
bool dwarf_begin_source(struct program *program, const char *text, size_t length);
void dwarf_end_source(struct program *program);
bool dwarf_add_section(struct program *program, struct section *s); // each that is entered
bool dwarf_add_label(struct program *program, const struct symbol *s, uint32_t line);
bool dwarf_add_instruction(struct program *program, uint32_t line); // that comes next
// A marker on this line: the next one is line `says` of the file.
void dwarf_marker(struct program *program, struct slice file, uint32_t says, uint32_t line);

// ---- Pieces of the above ----
void dwarf_free_source(struct source_debug *s);
bool dwarf_write_source(struct program *program);
// The file of number 0 and its directory.
bool dwarf_set_root(struct dwarf *d, struct slice directory, const struct dwarf_file *f);
bool dwarf_add_file(struct program *program, uint64_t number, struct slice directory, struct dwarf_file *f,
                    const char *where);
bool dwarf_write_lines(struct program *program);
bool dwarf_write_frames(struct program *program);

// ---- Bytes of debug sections, into the current one ----
bool dwarf_put(struct program *program, uint64_t v, unsigned size);
bool dwarf_put_uleb(struct program *program, uint64_t v);
bool dwarf_put_sleb(struct program *program, int64_t v);
bool dwarf_put_string(struct program *program, struct slice s); // with a NUL
// The address of a place, `size` bytes; relative: its distance from here.
bool dwarf_put_place(struct program *program, struct place p, unsigned size, bool relative);
bool dwarf_put_symbol(struct program *program, struct symbol *s, unsigned size, bool relative);
// An offset into a section.
bool dwarf_put_offset(struct program *program, struct section *s, uint64_t offset);
bool dwarf_enter(struct program *program, const char *name, uint64_t flags, uint64_t entsize);
// The length of all that follows is put at `at`, four bytes.
void dwarf_put_length(struct program *program, uint64_t at);

#endif
