// SPDX-License-Identifier: MIT
// The text of an assembly under way: files, expansions and repetitions being read, macros, conditions, the
// statement at hand; and the program that it fills.
#ifndef ASM_UNIT_H
#define ASM_UNIT_H

#include "asm/insn/asm.h"
#include "asm/text/lex.h"
#include "asm/text/read_expr.h"
#include "base/array.h"
#include "base/file.h"
#include "mc/program/program.h"

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

struct unit {
    struct program *program;
    struct asm_host host;
    struct expr_reader reader;

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
    // Told of each line that begins with #; NULL: nobody cares.
    void (*marker)(struct unit *u, const char *p, const char *end);
    ARRAY(struct conditional) conditions;
    struct macro *macros[MACRO_BUCKETS]; // by hash of the name
    bool has_macros;
    struct text line;            // of the listing
    unsigned temporaries;        // names of places that the listing has made
    const struct section *shown; // last
    unsigned warnings;
};

// ---- Messages: return false (source.c) ----
bool unit_error(struct unit *u, const char *where, const char *format, ...) PRINTF_LIKE(3, 4);
void unit_warn(struct unit *u, const char *where, const char *format, ...) PRINTF_LIKE(3, 4);
// What a program asks of its reader (struct program_reader). Where late messages point to: to the expression
// in the statement that was read last, or to its begin.
void unit_message(void *unit, sw_severity severity, struct message_place place, const char *format,
                  va_list args);
struct late unit_late(const void *unit);
sw_location unit_place_of(const struct unit *u, const char *where); // good while its text is
sw_location *unit_keep_place(struct unit *u, const char *where);    // good to the end

// ---- Text (source.c) ----
// Finds the statement at the source's position, without comments; false at the end of all text.
bool unit_next_statement(struct unit *u, const char **start, const char **end);
bool unit_push(struct unit *u, struct source s);
void unit_pop(struct unit *u);
// The rest of the current line of the source, and step behind it.
struct slice unit_raw_line(struct unit *u);
bool unit_charge(struct unit *u, uint64_t bytes); // for expanded text
uint64_t unit_expansion_left(const struct unit *u);

// ---- Pieces of statements (unit.c) ----
bool unit_expression(struct unit *u, const char **at, const char *end, struct mc_value *out);
bool unit_absolute(struct unit *u, const char **at, const char *end, int64_t *out);
// Whether nothing but blanks is left; else an error.
bool unit_end(struct unit *u, const char *p, const char *end);
bool unit_comma(struct unit *u, const char **at, const char *end); // takes one; false: there is none
bool unit_name(struct unit *u, const char **at, const char *end, struct slice *out); // plain or quoted
bool unit_string(struct unit *u, const char **at, const char *end, struct text *out);
// The label 1: of numbered statements.
bool unit_define_local(struct unit *u, uint64_t number, const char *where);
// Makes the readers of expressions ready; unit->program is set.
void unit_init(struct unit *u);

// ---- The listing (show.c): all but unit_shows add to the line; unit_show ends it with this text ----
bool unit_shows(const struct unit *u);
void unit_show(struct unit *u, const char *text);
void unit_show_quoted(struct unit *u, const char *p, size_t length);
void unit_show_name(struct unit *u, const char *p, size_t length);
void unit_show_expr(struct unit *u, const struct expr *e);
void unit_show_value(struct unit *u, const struct mc_value *v);
bool unit_show_temporary(struct unit *u, struct symbol *s); // gives it a name
// Whole lines; nothing without a listing.
void unit_show_bytes(struct unit *u, const char *p, size_t length);
void unit_show_data(struct unit *u, unsigned size, const struct mc_value *v);
void unit_show_symbol(struct unit *u, const char *head, struct slice name, const char *tail);
void unit_show_section(struct unit *u);

// ---- Conditions and macros ----
// A conditional directive or not; *handled tells. Obeyed even in what is skipped.
bool unit_condition(struct unit *u, struct slice name, const char *p, const char *end, bool *handled);
static inline bool unit_skips(const struct unit *u) {
    return u->conditions.count && u->conditions.items[u->conditions.count - 1].ignoring;
}
struct macro *unit_find_macro(struct unit *u, struct slice name);
bool unit_expand(struct unit *u, struct macro *m, const char *p, const char *end, const char *where);

// The handler of a directive. `name` is the directive as written.
typedef bool directive_fn(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg);
directive_fn dir_macro, dir_end_macro, dir_purgem, dir_exit_macro, dir_rept, dir_irp, dir_end_repeat;

#endif
