// SPDX-License-Identifier: MIT
// Directives: what they read from a statement, and what they make the program of it.
#ifndef ASM_DIRECTIVE_H
#define ASM_DIRECTIVE_H

#include "asm/text/unit.h"

bool unit_directive(struct unit *u, struct slice name, const char *p, const char *end);

directive_fn dir_data, dir_ascii, dir_fill, dir_zero, dir_float, dir_leb, dir_octa, dir_align, dir_org,
    dir_incbin, dir_dcb, dir_ds;
directive_fn dir_section, dir_named_section, dir_push, dir_pop, dir_previous, dir_subsection;
// What dir_attribute says of symbols.
enum symbol_attribute { SAY_GLOBAL, SAY_HIDDEN, SAY_INTERNAL, SAY_LOCAL, SAY_PROTECTED, SAY_WEAK };
directive_fn dir_set, dir_attribute, dir_type, dir_size, dir_common, dir_ident, dir_addrsig, dir_lds,
    dir_symver, dir_weakref, dir_reloc, dir_cg_profile;
directive_fn dir_include, dir_message, dir_end, dir_extern;
directive_fn dir_file, dir_loc, dir_loc_label, dir_line;
directive_fn dir_cfi, dir_cfi_start, dir_cfi_end, dir_cfi_sections, dir_cfi_handler;

// What is done when the text has ended.
bool finish_versions(struct program *program);
bool finish_profile(struct program *program);

// `.set name, value` of the listing.
void dir_show_assignment(struct unit *u, struct slice name, const struct mc_value *v);

#endif
