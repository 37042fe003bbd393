// SPDX-License-Identifier: MIT
// Parts of `softwave isa`: what is printed of one operation, and the pages made of it.
#ifndef CLI_ISA_H
#define CLI_ISA_H

#include "cli/cli.h"
#include "softwave/isa.h"

// One operation as text or JSON (j not NULL). `only`: as it is on that processor; NULL: on all.
void isa_show_text(struct text *t, const sw_insn_info *info, const sw_processor *only);
void isa_show_json(struct json *j, const sw_insn_info *info, const sw_processor *only);
// "F32 v_dst ..." of the list: formats and one word for each flag.
void isa_show_line(struct text *t, const sw_insn_info *info, const sw_processor *p);
// Writes index.html, a page for each processor and one for each group of operations into `folder`.
sw_status isa_write_html(const char *folder, const sw_sink *sink);

#endif
