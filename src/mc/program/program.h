// SPDX-License-Identifier: MIT
// The program that an assembly makes: its symbols, its sections being filled, and what its kernels and its
// debug information will say. It knows no text: whoever reads that fills the program through the calls below,
// and tells it through struct program_reader where messages point to. object/ makes an object of it.
#ifndef MC_PROGRAM_H
#define MC_PROGRAM_H

#include <stdarg.h>

#include "base/array.h"
#include "mc/mc.h"
#include "mc/program/section.h"
#include "mc/program/symbol.h"
#include "softwave/asm.h"

// What a message is about: a place in the statement that is being read (NULL: all of it), or one that was
// noted before.
struct message_place {
    const char *where;
    const struct late *late;
    const sw_location *at;
};

// The reader of the text: what the program asks of it, and what it is told.
struct program_reader {
    void *context;
    void (*message)(void *context, sw_severity severity, struct message_place place, const char *format,
                    va_list args);
    struct late (*late)(const void *context); // the place of the statement being read
    bool (*labelled)(void *context, const struct symbol *label);
    bool (*entered)(void *context, struct section *section);
    bool (*row)(void *context); // the .loc that is pending gets its row of the line table
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

struct program {
    const sw_asm_options *options;
    const sw_sink *sink;
    const struct program_reader *reader;
    struct arena arena;
    struct mc_mode mode;
    struct expr_layout layout;
    bool xnack, sramecc, cumode, tgsplit; // features that descriptors ask for
    sw_target target;
    unsigned version; // of the code object

    struct symbol_table symbols;
    struct symbol *first_symbol, **last_symbol; // registered ones
    uint32_t order;                             // of symbols
    bool reordered;
    struct section *sections, **last_section;
    struct section **section_hash; // chains by hash, `section_slots` of them, a power of two
    size_t section_slots, section_count;
    struct section *section, *previous;
    ARRAY(struct section_place) section_stack;
    uint64_t output;     // bytes emitted
    bool laid_out;       // sizes and places of all text are final
    struct dwarf *dwarf; // NULL: no debug information was asked for
    bool describes;      // -g: the reader wants to know of labels and sections
    bool loc_pending;    // the last .loc has no row in the line table yet
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
    unsigned errors;
    bool ended;   // .end, or too many errors
    bool failed;  // out of memory
    bool stopped; // by the receiver of the listing
};

void program_free(struct program *program);

// ---- Messages: return false (program.c) ----
bool program_error(struct program *program, const char *where, const char *format, ...) PRINTF_LIKE(3, 4);
bool program_error_at(struct program *program, const sw_location *at, const char *format, ...)
    PRINTF_LIKE(3, 4);
// An error found after the text was read.
bool program_late_error(struct program *program, struct late at, const char *format, ...) PRINTF_LIKE(3, 4);
#define NOWHERE ((struct late){0})
void program_warn(struct program *program, const char *where, const char *format, ...) PRINTF_LIKE(3, 4);
bool program_no_memory(struct program *program);

// ---- Symbols (program.c) ----
void program_register(struct program *program, struct symbol *s);
void program_register_used(struct program *program, const struct expr *e); // all that it names
struct symbol *program_symbol(struct program *program, struct slice name);
bool program_define_label(struct program *program, struct symbol *s, const char *where);
bool program_assign(struct program *program, struct slice name, const struct mc_value *v, bool again,
                    const char *where);
// Section and offset of a symbol, through names for it; false: it is nowhere.
bool symbol_where(const struct program *program, const struct symbol *s, struct place *out);
bool symbol_place(const struct program *program, const struct symbol *s, struct section **section,
                  uint64_t *offset);
// The distance a - b of two labels, where it is known (struct expr_layout).
bool program_distance(void *program, const struct symbol *a, const struct symbol *b, int64_t *out);

// ---- Sections (section_table.c) ----
struct section *program_section(struct program *program, struct slice name, uint32_t type, uint64_t flags,
                                uint64_t entsize);
struct section *program_section_of(struct program *program, const struct section_key *k, uint32_t type,
                                   uint64_t flags, uint64_t entsize);
void program_enter(struct program *program, struct section *s);
struct section *program_subsection(struct program *program, struct section *s, uint32_t number);
bool program_join_subsections(struct program *program);
// Behind the layout: variables get the numbers that they are for good.
bool program_settle(struct program *program);
uint8_t *program_bytes_at(struct place p); // when everything has its place

// ---- What fills them (section.c) ----
uint8_t *program_room(struct program *program, uint64_t size); // that many bytes more; NULL after an error
bool program_emit(struct program *program, const void *bytes, size_t size);
bool program_emit_value(struct program *program, const struct mc_value *v, unsigned size, const char *where);
bool program_align(struct program *program, uint64_t alignment, const uint8_t *fill, unsigned fill_size,
                   uint64_t most);
bool program_fixup(struct program *program, uint64_t offset, unsigned kind, const struct expr *e);
bool program_piece(struct program *program, struct piece piece); // takes its place here
struct place program_here(const struct program *program);        // where the next byte goes
// Fills the gap of an alignment of code or data: `unit` bytes of *fill over and over; NULL: as the section
// has it.
bool fill_gap(struct program *program, const struct section *s, uint8_t *p, uint64_t gap, const uint8_t *fill,
              unsigned unit);
unsigned leb_bytes(uint8_t out[10], int64_t v, bool is_signed, unsigned least); // padded to `least`

// ---- Registers that instructions name (registers.c) ----
// .amdgcn.next_free_* and .kernel.*_count follow them (ASM-18, ASM-28, ASM-29).
void program_count_registers(struct program *program, const uint8_t *bytes, size_t size);
void program_reset_scope(struct program *program); // .kernel.*_count count from 0 again

#endif
