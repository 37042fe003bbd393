// SPDX-License-Identifier: MIT
// Text of one instruction to its word.
#ifndef TERASCALE_PARSE_H
#define TERASCALE_PARSE_H

#include "base/diag.h"
#include "terascale/text/print.h"
#include "terascale/object/program.h"

// A line being read. The first failure is kept: what was wrong, and where.
struct ts_cursor {
    const char *p, *end;
    enum ts_family family;
    const struct ts_chip *chip;
    const char *at; // of the failure
    char why[160];  // empty: none
};

bool ts_fail(struct ts_cursor *c, const char *format, ...) PRINTF_LIKE(2, 3); // returns false
void ts_skip(struct ts_cursor *c);                                            // blanks
bool ts_at_end(struct ts_cursor *c);                                          // skips blanks
bool ts_accept(struct ts_cursor *c, const char *text);                        // skips blanks before it
bool ts_expect(struct ts_cursor *c, const char *text);
size_t ts_word(struct ts_cursor *c, const char **begin); // letters, digits, '_' and '.'; 0: none
bool ts_number(struct ts_cursor *c, uint32_t *out);      // decimal or 0x; with a sign in two's complement
bool ts_put(struct ts_cursor *c, struct ts_insn *in, enum ts_field f,
            uint32_t value); // refuses what does not fit

// The row that a mnemonic names in one of the spaces, a bit set; NULL: none in this family (then *other is a
// row of that name elsewhere, or NULL).
const struct ts_row *ts_find_row(enum ts_family family, unsigned spaces, const char *name, size_t length,
                                 const struct ts_row **other);
// "CF_0x44" with the prefix of one of the spaces, for operations without a row.
bool ts_numbered(const char *name, size_t length, unsigned spaces, enum ts_space *space, uint32_t *op);
bool ts_known_name(const struct ts_cursor *c, unsigned spaces);

// A value in parentheses, as a number or by its name in the enumeration.
bool ts_parse_value(struct ts_cursor *c, enum ts_field f, uint32_t *out);
// "NAME" or "NAME(value)" of a field that the format has; "RESERVEDn(bits)". False with no failure: something
// else.
bool ts_parse_field(struct ts_cursor *c, struct ts_insn *in);
// ".xyz_" to `count` selectors; absent: x y z w.
bool ts_parse_swizzle(struct ts_cursor *c, unsigned count, uint8_t sel[4]);
// "R5" or "R[AL+5]".
bool ts_parse_register(struct ts_cursor *c, uint32_t *gpr, bool *relative);

// A control-flow word without what needs its neighbours: a label or the size of a clause.
struct ts_cf_line {
    struct ts_insn insn;
    const char *label; // of ADDR
    size_t label_length;
    bool has_addr, has_count, unchecked;
    uint32_t count; // CNT, where given
};
bool ts_parse_cf(struct ts_cursor *c, struct ts_cf_line *out);
bool ts_parse_fetch(struct ts_cursor *c, struct ts_insn *out);

// A slot, whose literals get their place when the group is complete.
struct ts_slot_line {
    struct ts_insn insn;
    char unit; // 'x' to 't'
    struct {
        bool used;
        int chan; // -1: any
        uint32_t value;
    } literal[3];
    bool swizzled;
};
bool ts_parse_slot(struct ts_cursor *c, struct ts_slot_line *out);

// A directive for program state, to registers. The stage is the function's.
struct ts_settings {
    struct ts_setting item[8];
    unsigned count;
};
bool ts_parse_state(struct ts_cursor *c, enum ts_stage stage, struct ts_settings *out);

#endif
