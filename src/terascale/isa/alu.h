// SPDX-License-Identifier: MIT
// Groups of ALU slots: which unit executes each, and the rules that a group has to keep.
#ifndef TERASCALE_ALU_H
#define TERASCALE_ALU_H

#include "terascale/isa/table.h"

enum {
    TS_SEL_KC0 = 128,
    TS_SEL_KC1 = 160,
    TS_SEL_LDS_OQ_A = 219,
    TS_SEL_LDS_OQ_B_POP = 222,
    TS_SEL_LDS_DIRECT_A = 223,
    TS_SEL_LDS_DIRECT_B = 224,
    TS_SEL_INLINE = 244, // from here on constants of the instruction
    TS_SEL_ZERO = 248,
    TS_SEL_ONE_INT = 250,
    TS_SEL_LITERAL = 253,
    TS_SEL_PV = 254,
    TS_SEL_PS = 255,
    TS_SEL_KC2 = 256, // the constant file on R600 and R700
    TS_SEL_KC3 = 288,
    TS_SEL_PARAM = 448,
};

struct ts_source {
    uint16_t sel;
    uint8_t chan;
    bool rel, neg, abs;
};

enum { TS_UNIT_T = 4, TS_UNITS = 5, TS_NO_UNIT = 9, TS_GROUP_MOST = 5 };

// A slot taken apart. Operands that the operation does not have are there as well: literals and ports count
// them.
struct ts_slot {
    struct ts_insn insn;
    struct ts_source src[3];
    uint8_t sources; // fields for sources in the word: 2 or 3
    uint8_t used;    // sources that the operation has
    uint8_t unit, swizzle, dst_gpr, dst_chan, index_mode;
    bool op3, lds, dst_rel, write, last;
};

void ts_take_slot(const struct ts_insn *in, struct ts_slot *out);

// The slots of a group from `words` (2 dwords each) on: up to the one with LAST, or `most`. `literals`
// becomes the number of dwords of literals that the group wants behind them.
struct ts_group {
    struct ts_slot slot[TS_GROUP_MOST + 3]; // room for groups that are too long
    unsigned count, literals;
    bool ended; // the last slot has LAST
};
void ts_take_group(enum ts_family family, const uint32_t *words, unsigned most, struct ts_group *g);
// Gives each slot its unit. False: some slots find none.
bool ts_place_units(struct ts_group *g);

// What the processor lacks for a row, or NULL.
const char *ts_check_facts(const struct ts_chip *chip, const struct ts_row *row);
// What a group breaks, or NULL. Swizzles are those in the words.
const char *ts_check_group(const struct ts_chip *chip, const struct ts_group *g);
// The first legal choice of swizzles, all zero if that is one; false: there is none.
bool ts_find_swizzles(const struct ts_chip *chip, struct ts_group *g);
// Only the ports: what the group's swizzles break, or NULL.
const char *ts_check_ports(const struct ts_chip *chip, const struct ts_group *g);

extern const char ts_unit_letter[TS_UNITS];
// "VEC_120" or "SCL_212"; NULL where the number has no name.
const char *ts_swizzle_name(unsigned unit, unsigned swizzle);

#endif
