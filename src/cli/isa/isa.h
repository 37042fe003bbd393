// SPDX-License-Identifier: MIT
// Parts of `softwave isa`: finding operations, what is shown of one, groups, and the pages made of it all.
#ifndef CLI_ISA_H
#define CLI_ISA_H

#include "cli/cli.h"
#include "softwave/isa.h"
#include "softwave/terascale.h"

enum { ISA_PROCESSORS = 128, ISA_MOST = 4096 };
struct isa_processors {
    const sw_processor *list[ISA_PROCESSORS];
    size_t count;
};
// Processors that have the operation; `only`, if not NULL, alone.
struct isa_processors isa_having(const sw_insn_info *info, const sw_processor *only);
// Appends "GFX6, GFX7, GFX10 to GFX12": whole generations where all their processors are in the set.
void isa_ranges(struct text *t, const struct isa_processors *set);
// The number of an ISA generation's processors, generic ones left out, ends the list with 0 names.
bool isa_has_instructions(const sw_processor *p);

// ---- Finding ----
struct isa_found {
    const sw_insn_info *list[ISA_MOST];
    size_t count;
};
// An operation under any of its names, also with the suffix of an encoding.
void isa_find_name(struct isa_found *f, const char *name, const sw_processor *only);
// Names that begin so, or, with * or ?, that match.
void isa_find_pattern(struct isa_found *f, const char *pattern, const sw_processor *only);
// Names and sentences that contain all words of the text.
void isa_find_text(struct isa_found *f, const char *text, const sw_processor *only);
// The message for a name that nothing matches, with the names nearest to it.
int isa_unknown(const char *wanted, const sw_processor *only);

// ---- Encodings ----
struct isa_encoding {
    sw_encoding e;
    sw_format_part parts[64];
    size_t part_count;
    struct isa_processors processors;
};
// The different encodings of an operation; *list is to be freed. False: out of memory.
bool isa_encodings(const sw_insn_info *info, const struct isa_processors *having, struct isa_encoding **list,
                   size_t *count);
// What stands in a part: the bits of the opcode and of fixed fields, else the field's name.
void isa_cell(const struct isa_encoding *e, const sw_format_part *p, char out[40]);
bool isa_is_half(const struct isa_encoding *e); // of a VOPD

// ---- Operands, by the processors that agree on them ----
enum { ISA_OPERANDS = 8 };
struct isa_operands {
    sw_operand_spec specs[ISA_OPERANDS];
    size_t count;
    struct isa_processors processors;
};
bool isa_operands(const sw_insn_info *info, const struct isa_processors *having, struct isa_operands **list,
                  size_t *count);

// ---- Names of bits ----
extern const char *const isa_flag_names[32], *const isa_implicit_names[5], *const isa_allowed_names[7];
void isa_bit_list(struct text *t, uint32_t set, const char *const *names, size_t count);
// "yes", "yes: it faults, as it must", "approximately, within 0.5 ulp: reason", or "no: reason".
void isa_executed(struct text *t, const sw_insn_info *info);

// ---- Groups ----
struct isa_group {
    const char *id, *title, *text;
};
extern const struct isa_group isa_groups[];
extern const size_t isa_group_count;
const struct isa_group *isa_group_of(const sw_insn_info *info);

// ---- Showing ----
void isa_show_text(struct text *t, const sw_insn_info *info, const sw_processor *only);
void isa_show_json(struct json *j, const sw_insn_info *info, const sw_processor *only);
// One line: a mnemonic and what it does.
void isa_show_line(struct text *t, const sw_insn_info *info, const sw_processor *p);
// All names by group, each group with a short text.
void isa_show_groups(struct text *t, const sw_processor *only);
// How many operations of each group are exact, approximate and unsupported, and all that are not exact, with
// their reasons. With a processor of the R600 family: those of that processor.
void isa_show_fidelity(struct text *t, const struct isa_found *found, const sw_processor *only, bool as_json);
// Puts words into lines of up to 100 columns, each line behind `indent` spaces.
void isa_wrap(struct text *t, const char *words, size_t indent);
// Code with a statement a line.
void isa_code_lines(struct text *t, const char *code, size_t indent);

// ---- The R600 family ----
// Shows its operations: those with `words` in their names or sentences, else those of a name or pattern, else
// all; of one processor or of any (NULL). False: there are none, and nothing was printed.
bool isa_show_r600(struct text *t, const char *name, const char *words, const sw_processor *only,
                   bool as_json);
// Calls `take` for every operation, or every name, until it says true.
void isa_r600_each(const sw_processor *only, bool (*take)(void *context, const sw_terascale_opcode *o),
                   void *context);
void isa_r600_names(const sw_processor *only, bool (*take)(void *context, const char *name), void *context);
// The body of r600.html, and its lines of search.js.
void isa_r600_page(struct text *t);
void isa_r600_search(struct text *t);

// ---- Pages ----
void isa_escape(struct text *t, const char *s); // for HTML

// Writes the reference as pages into `folder`: all of it, or nothing.
sw_status isa_write_html(const char *folder, const sw_sink *sink);

#endif
