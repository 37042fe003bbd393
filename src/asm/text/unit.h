// SPDX-License-Identifier: MIT
// One assembly under way: where the text comes from, the symbols, the sections being filled. unit.c reads
// statements and drives; directive*.c obey them; fixup.c and elf_write.c finish.
#ifndef ASM_UNIT_H
#define ASM_UNIT_H

#include "asm/insn/asm.h"
#include "asm/object/section.h"
#include "asm/object/symbol.h"
#include "base/array.h"
#include "base/file.h"
#include "softwave/asm.h"

// Text being read: a file, a macro's expansion, or a repeated body.
struct source {
    struct source *parent;
    const char *name;
    const char *text, *p, *end;
    uint32_t line;        // of p
    uint64_t repeats;     // how often to read the text again
    size_t conditions;    // open .if blocks when it began
    uint32_t called_line; // of the statement that it was read for, in the parent
    bool is_macro;        // .exitm ends it
    struct file file;     // when it has one of its own
    char *owned;          // text to free
};

enum condition { COND_IF, COND_ELSE };
struct conditional {
    uint8_t kind;  // enum condition: what came last
    bool met;      // some branch has been taken
    bool ignoring; // the current branch is not
    bool outer;    // nor is what surrounds it
};

enum { MACRO_BUCKETS = 1024 };
struct macro_param {
    struct slice name, value; // value: the default
    bool required, vararg;
};
struct macro {
    struct slice name, body;
    struct macro_param *params;
    size_t param_count;
    uint32_t line;
    struct macro *next;
};

struct section_place {
    struct section *section, *previous;
};

// What makes a section that of a directive, beside its name.
struct section_key {
    struct slice name;
    const struct symbol *group, *link;
    uint64_t unique;
    bool comdat;
};

// .symver and .cg_profile, obeyed when the text has ended.
struct symver {
    struct symbol *symbol;
    struct slice name;
    size_t prefix; // of the name, before the @
    struct late at;
    bool keep; // the symbol itself stays
};
struct profile {
    struct symbol *symbol[2];
    uint64_t count;
};

struct kernel;
struct dwarf;
struct kernel_code;
struct node;
struct pal_pair {
    uint32_t key, value;
};
struct unit {
    const sw_asm_options *options;
    const sw_sink *sink;
    struct arena arena;
    struct asm_mode mode;
    struct asm_host host;
    struct expr_reader reader;
    struct expr_layout layout;
    bool xnack, sramecc, cumode, tgsplit; // features that descriptors ask for
    sw_target target;
    unsigned version; // of the code object

    const char *text, *text_end; // of the main file
    struct source *source;
    unsigned source_depth;
    uint64_t expansion; // bytes of text made so far
    uint64_t macro_count;
    struct text scratch; // a statement without its comments
    const char *statement, *statement_end;
    uint32_t statement_line;
    // Where a place inside the scratch statement is in the source: same offset from here.
    const char *statement_origin;
    const char *expression; // read last in this statement; NULL: none
    ARRAY(struct conditional) conditions;
    struct macro *macros[MACRO_BUCKETS]; // by hash of the name
    bool has_macros;

    struct symbol_table symbols;
    struct symbol *first_symbol, **last_symbol; // registered ones
    struct section *sections, **last_section;
    uint32_t order; // of symbols
    bool reordered;
    struct section **section_hash; // chains by hash, `section_slots` of them, a power of two
    size_t section_slots, section_count;
    struct section *section, *previous;
    ARRAY(struct section_place) section_stack;
    uint64_t output;
    bool laid_out;       // sizes and places of all text are final
    bool describes;      // -g: instructions and labels get debug information of their own
    bool loc_pending;    // the last .loc has no row in the line table yet
    struct dwarf *dwarf; // NULL: no debug information was asked for
    bool has_addrsig;
    ARRAY(struct symbol *) addrsig;

    struct symbol *next_vgpr, *next_sgpr; // .amdgcn.next_free_*
    struct symbol *vgprs, *sgprs, *agprs; // .kernel.*_count, on other systems and in V2
    uint32_t vgprs_seen, agprs_seen;      // by the current kernel
    struct kernel *kernels, **last_kernel;
    struct kernel_code *codes, **last_code;
    struct node *pal;
    ARRAY(struct symver) symvers;
    ARRAY(struct profile) profile;
    ARRAY(struct pal_pair) pal_pairs;
    bool pal_pairs_last; // and not `pal`: the last directive decides which of the two is written
    bool gnu_abi;        // something asks for ELFOSABI_GNU
    struct text line;    // of the listing
    unsigned errors, warnings;
    bool ended;  // .end, or too many errors
    bool failed; // out of memory
};

// ---- Messages: return false ----
bool unit_error(struct unit *u, const char *where, const char *format, ...) PRINTF_LIKE(3, 4);
void unit_warn(struct unit *u, const char *where, const char *format, ...) PRINTF_LIKE(3, 4);
// An error found after the text was read.
bool unit_late_error(struct unit *u, struct late at, const char *format, ...) PRINTF_LIKE(3, 4);
#define NOWHERE ((struct late){0})
// Where it points to for this statement: to the expression in it that was read last, or to its begin.
struct late unit_late(const struct unit *u);
bool unit_error_at(struct unit *u, const sw_location *at, const char *format, ...) PRINTF_LIKE(3, 4);
sw_location unit_place_of(const struct unit *u, const char *where); // good while its text is
sw_location *unit_keep_place(struct unit *u, const char *where);    // good to the end
bool unit_no_memory(struct unit *u);

// ---- Text (unit.c) ----
// Finds the statement at the source's position, without comments; false at the end of all text.
bool unit_next_statement(struct unit *u, const char **start, const char **end);
bool unit_push(struct unit *u, struct source s);
void unit_pop(struct unit *u);
// The rest of the current line of the source, and step behind it.
struct slice unit_raw_line(struct unit *u);
bool unit_charge(struct unit *u, uint64_t bytes); // for expanded text
uint64_t unit_expansion_left(const struct unit *u);

// ---- Expressions ----
bool unit_expression(struct unit *u, const char **at, const char *end, struct asm_value *out);
bool unit_absolute(struct unit *u, const char **at, const char *end, int64_t *out);
// Whether nothing but blanks is left; else an error.
bool unit_end(struct unit *u, const char *p, const char *end);
bool unit_comma(struct unit *u, const char **at, const char *end); // takes one; false: there is none
bool unit_name(struct unit *u, const char **at, const char *end, struct slice *out); // plain or quoted
bool unit_string(struct unit *u, const char **at, const char *end, struct text *out);

// ---- Symbols and sections (section.c, section_table.c) ----
void unit_register(struct unit *u, struct symbol *s);
void unit_register_used(struct unit *u, const struct expr *e); // all that it names
struct symbol *unit_symbol(struct unit *u, struct slice name);
bool unit_define_label(struct unit *u, struct symbol *s, const char *where);
bool unit_assign(struct unit *u, struct slice name, const struct asm_value *v, bool again, const char *where);
struct section *unit_section(struct unit *u, struct slice name, uint32_t type, uint64_t flags,
                             uint64_t entsize);
struct section *unit_section_of(struct unit *u, const struct section_key *k, uint32_t type, uint64_t flags,
                                uint64_t entsize);
void unit_enter(struct unit *u, struct section *s);
struct section *unit_subsection(struct unit *u, struct section *s, uint32_t number);
bool unit_join_subsections(struct unit *u);
uint8_t *unit_bytes_at(struct place p);            // when everything has its place
uint8_t *unit_room(struct unit *u, uint64_t size); // that many bytes more; NULL after an error
bool unit_emit(struct unit *u, const void *bytes, size_t size);
bool unit_emit_value(struct unit *u, const struct asm_value *v, unsigned size, const char *where);
bool unit_align(struct unit *u, uint64_t alignment, const uint8_t *fill, unsigned fill_size, uint64_t most);
bool unit_fixup(struct unit *u, uint64_t offset, unsigned kind, const struct expr *e);
// Where the next byte goes.
struct place unit_here(const struct unit *u);
bool unit_piece(struct unit *u, struct piece piece); // takes its place here
// Fills the gap of an alignment of code or data: `unit` bytes of *fill over and over; NULL: as the section
// has it.
bool fill_gap(struct unit *u, const struct section *s, uint8_t *p, uint64_t gap, const uint8_t *fill,
              unsigned unit);
unsigned leb_bytes(uint8_t out[10], int64_t v, bool is_signed, unsigned least); // padded to `least`
// The words from behind a branch at `offset` to its target; false: only the linker knows.
bool unit_branch(struct unit *u, const struct section *s, uint64_t offset, const struct expr *target,
                 int64_t *words);
// Gives every piece its size and moves what stands behind (layout.c).
bool unit_lay_out(struct unit *u);
// Section and offset of a symbol, through names for it; false: it is nowhere.
bool symbol_where(const struct unit *u, const struct symbol *s, struct place *out);
bool symbol_place(const struct unit *u, const struct symbol *s, struct section **section, uint64_t *offset);

// ---- Statements ----
bool unit_directive(struct unit *u, struct slice name, const char *p, const char *end);
// A conditional directive or not; *handled tells. Obeyed even in what is skipped.
bool unit_condition(struct unit *u, struct slice name, const char *p, const char *end, bool *handled);
struct macro *unit_find_macro(struct unit *u, struct slice name);
bool unit_expand(struct unit *u, struct macro *m, const char *p, const char *end, const char *where);
bool unit_instruction(struct unit *u, const char *p, const char *end);

// Handlers of directives, in several files. `name` is the directive as written.
typedef bool directive_fn(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg);
directive_fn dir_data, dir_ascii, dir_fill, dir_zero, dir_float, dir_leb, dir_octa, dir_align, dir_org,
    dir_incbin, dir_dcb, dir_ds;
directive_fn dir_section, dir_named_section, dir_push, dir_pop, dir_previous, dir_subsection;
directive_fn dir_set, dir_attribute, dir_type, dir_size, dir_common, dir_ident, dir_addrsig, dir_lds,
    dir_symver, dir_weakref, dir_reloc, dir_cg_profile;
directive_fn dir_macro, dir_end_macro, dir_purgem, dir_exit_macro, dir_rept, dir_irp, dir_end_repeat;
directive_fn dir_include, dir_message, dir_end, dir_extern;
directive_fn dir_target, dir_version, dir_kernel, dir_metadata, dir_metadata_v2, dir_pal_metadata,
    dir_pal_pairs;
directive_fn dir_isa_name, dir_hsa_version, dir_hsa_isa, dir_hsa_kernel, dir_kernel_code, dir_version_note;
directive_fn dir_file, dir_loc, dir_loc_label, dir_line;
directive_fn dir_cfi, dir_cfi_start, dir_cfi_end, dir_cfi_sections, dir_cfi_handler;

// ---- What code objects say beside their code ----
bool unit_is_v2(const struct unit *u); // amdhsa code object V2
enum { UNIT_TARGET_TEXT = 160 };
void unit_target_text(const struct unit *u, char out[UNIT_TARGET_TEXT]); // triple and target id
bool unit_note(struct unit *u, const char *vendor, uint32_t type, const void *desc, size_t length);
void unit_reset_scope(struct unit *u); // .kernel.*_count count from 0 again
bool unit_finish_codes(struct unit *u);
bool unit_finish_pal(struct unit *u);
bool unit_finish_versions(struct unit *u);
bool unit_finish_profile(struct unit *u);
bool unit_finish_kernels(struct unit *u);
// Calls in expressions that depend on the processor: extrasgprs and kin.
bool unit_call(void *context, enum call call, const int64_t *args, unsigned count, int64_t *out);
// Resolves what expressions were kept; leaves relocations in the sections.
bool unit_resolve(struct unit *u);
bool unit_write_elf(struct unit *u, uint8_t **object, size_t *size);

#endif
