// SPDX-License-Identifier: MIT
// Lookups in the tables that the build makes of is.def.
#include "isa/select.h"

#include "isa/api.h"

// By row: the first way, and where its text is; ways of a row follow each other. select_tables.c has both.
extern const uint16_t select_row_ways[];
extern const uint16_t select_row_texts[];
extern const char select_texts[];

unsigned select_ways_of(unsigned row, const struct select_way **first) {
    *first = &select_ways[select_row_ways[row]];
    return (unsigned)(select_row_ways[row + 1] - select_row_ways[row]);
}

const char *select_text(unsigned row) {
    return select_row_texts[row] ? select_texts + select_row_texts[row] : NULL;
}

bool select_exists(const struct isa *isa, unsigned row) {
    const unsigned first = isa->row_codings[row], end = isa->row_codings[row + 1];
    return first < end && isa->codings[first].format != FMT_VOPDX && isa->codings[first].format != FMT_VOPDY;
}

static bool answers(const struct isa *isa, const struct select_query *q, const struct select_entry *e) {
    return e->bank == q->bank && e->bits == q->bits && e->elements == q->elements &&
           (!q->operand_bits || e->operand_bits == q->operand_bits) &&
           select_holds(select_way_of(e), q->modes) && select_exists(isa, select_way_of(e)->row);
}

const struct select_entry *select_next(const struct isa *isa, const struct select_query *q,
                                       const struct select_entry *last) {
    const struct select_entry *e = last ? last + 1 : &select_entries[select_first[q->op]];
    const struct select_entry *const end = &select_entries[select_first[q->op + 1]];
    while (e < end && !answers(isa, q, e)) e++;
    return e < end ? e : NULL;
}

unsigned select_cost(const struct isa *isa, const struct select_entry *e) {
    static const uint8_t cycles[] = {[RATE_FULL] = 4,   [RATE_HALF] = 8,    [RATE_QUARTER] = 16,
                                     [RATE_TRANS] = 16, [RATE_DOUBLE] = 16, [RATE_SALU] = 4};
    const unsigned format = isa->codings[isa->row_codings[select_way_of(e)->row]].format;
    const bool is_short = format <= FMT_VOPC && format != FMT_SMEM;
    return cycles[e->rate] + !is_short;
}

const char *sw_insn_pattern(const sw_insn_info *info) {
    return select_text((unsigned)(api_row(info) - isa_rows));
}
