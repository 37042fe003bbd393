// SPDX-License-Identifier: MIT
// What the public API says of an operation, as one line of tests/isa/facts.txt:
//   id | names and who has them | operands written = operands read | implicit reads > implicit writes | flags
// A processor is named where it differs from the first of its generation, and that one where it differs from
// the first of the parent generation; so a generation that is like its parent moves no line.
#ifndef TESTS_FACTS_H
#define TESTS_FACTS_H

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "isa/isa.h"
#include "target/target.h"
#include "softwave/isa.h"

// The processor whose instructions another one's are compared with: the first of its generation, of that one
// the first of the parent generation. NULL: none, nor instructions.
static inline const sw_processor *facts_base(const sw_processor *p) {
    enum generation g = p->generation;
    for (int step = 0; step < 2; step++) {
        for (size_t i = 0; i < sw_processor_count(); i++) {
            const sw_processor *first = sw_processor_at(i);
            if (first->generation != g) continue;
            if (first != p) return first;
            break;
        }
        if (generation_rows[g].parent == g) return NULL;
        g = (enum generation)generation_rows[g].parent;
    }
    return NULL;
}

// Names with the processor from which on down the tree of generations they hold; "-" ends them.
static inline void facts_names(struct text *t, const sw_insn_info *info) {
    for (size_t i = 0; i < sw_processor_count(); i++) {
        const sw_processor *p = sw_processor_at(i), *base = facts_base(p);
        const char *name = sw_insn_mnemonic(info, p), *other = base ? sw_insn_mnemonic(info, base) : NULL;
        if (name == other || (name && other && !strcmp(name, other))) continue;
        text_printf(t, " %s %s", name ? name : "-", p->name);
    }
}

static inline void facts_operands(struct text *t, const sw_insn_info *info) {
    const sw_processor *p = NULL;
    for (size_t i = 0; i < sw_processor_count() && !p; i++)
        if (sw_insn_mnemonic(info, sw_processor_at(i))) p = sw_processor_at(i);
    sw_operand_spec o[16];
    size_t n = sw_insn_operand_specs(info, p, o, 16, sizeof *o);
    bool read = false;
    for (size_t i = 0; i < n && i < 16; i++) {
        if (!read && !o[i].written) text_puts(t, " ="), read = true;
        text_printf(t, " %s:%s:%u", o[i].field, o[i].type, o[i].allowed);
    }
}

static inline void facts_implicit(struct text *t, uint32_t set) {
    static const char *const names[] = {"scc", "vcc", "exec", "m0", "mode"};
    for (unsigned i = 0; i < 5; i++)
        if (set >> i & 1) text_printf(t, " %s", names[i]);
}

static inline void facts_line(struct text *t, const sw_insn_info *info) {
    static const char *const flags[] = {
        "load",  "store",    "atomic",   "branch", "call",   "terminator", "no_fall",     "vm",
        "lgkm",  "exp",      "trans",    "matrix", "scalar", "lds",        "flat",        "buffer",
        "image", "export",   "dual",     "d16",    "clamp",  "omod",       "neg_abs",     "dpp",
        "sdwa",  "vop3_dpp", "newbcast", "sext",   "op_sel", "packed",     "high_result", "sparse"};
    sw_insn_facts f = {.size = sizeof f};
    sw_insn_get_facts(info, &f);
    text_printf(t, "%s |", f.id);
    facts_names(t, info);
    text_puts(t, " |");
    facts_operands(t, info);
    text_puts(t, " |");
    facts_implicit(t, f.reads);
    text_puts(t, " >");
    facts_implicit(t, f.writes);
    text_puts(t, " |");
    for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
        if (f.flags >> i & 1) text_printf(t, " %s", flags[i]);
    const struct row *row = (const struct row *)info;
    if (row->flags & ROW_ASYNC_CNT) text_puts(t, " async");
    if (row->flags & ROW_TENSOR_CNT) text_puts(t, " tensor");
    // What an image instruction does beside its address, which golden lines cannot show.
    static const char *const image[] = {"raw", "signed", "level_zero", "limit", "row"};
    for (unsigned i = 0; i < sizeof image / sizeof *image; i++)
        if (row->image & (uint32_t)IMAGE_RAW << i) text_printf(t, " %s", image[i]);
    if (row->image & IMAGE_MSAA) text_puts(t, " msaa");
    if (f.access_bits) text_printf(t, " %u bits", f.access_bits);
    if (f.gap) text_puts(t, " (gap)");
}

#endif
