// SPDX-License-Identifier: MIT
// What rows compute, as patterns of operations, and which rows have an operation as the root of theirs.
// is.def has the texts; the build makes these tables of them (select_expand.c, build/select_tables.c). Part
// of libsoftwave, not of libswisa.
//
//   struct select_query q = {.op = OP_add, .bank = SELECT_V, .bits = 32, .elements = 1};
//   for (const struct select_entry *e = NULL; (e = select_next(isa, &q, e));)
//       match(select_pattern(e)) ...
#ifndef ISA_SELECT_H
#define ISA_SELECT_H

#include "isa/isa.h"
#include "isa/operations.h"

// ---- Patterns ----

struct select_type {
    uint8_t kind, bits; // struct value_type, of one element
    uint8_t elements;   // 1; 2 of packed halves and pairs
};

enum select_kind {
    SELECT_OPERATION, // `what` is the enum operation
    SELECT_SOURCE,    // source `what` of the row
    SELECT_PART,      // bits high to low of source `what`: a constant, as a number of 32 bits
    SELECT_NUMBER,    // select_numbers[number]
    SELECT_INPUT,     // `what` is an enum select_place, as it was before the instruction; OLD, K
};
enum select_place {
    SELECT_DST0,
    SELECT_DST1,
    SELECT_SCC,
    SELECT_VCC,
    SELECT_EXEC,
    SELECT_M0,
    SELECT_OLD, // only read: what the first destination held
    SELECT_K,   // only read: a number that modifiers hold
};
struct select_node {
    uint8_t kind, what;
    struct select_type type;
    uint8_t high, low;
    uint8_t count;     // operands of an operation
    uint16_t operands; // place of the first in select_operands
    uint16_t number;
};
extern const struct select_node select_nodes[];
extern const uint16_t select_operands[]; // places in select_nodes
extern const uint64_t select_numbers[];

static inline const struct select_node *select_operand(const struct select_node *n, unsigned i) {
    return &select_nodes[select_operands[n->operands + i]];
}

// ---- Ways: what a row computes in the modes that an alternative is for ----

enum select_mode { SELECT_FLUSH32 = 1, SELECT_FLUSH16_64 = 2, SELECT_IEEE = 4 };

struct select_result {
    uint8_t place; // enum select_place
    uint16_t node;
};
struct select_way {
    uint16_t row;
    uint8_t set, clear; // enum select_mode: modes that must be on, and off
    bool rough;         // an approximation: never folded
    uint8_t ulp;        // so many units in the last place away; a zero may have either sign
    uint8_t results;
    uint16_t first; // place in select_results
};
extern const struct select_way select_ways[];
extern const struct select_result select_results[];
extern const unsigned select_way_count;

// The modes of a function as a set of enum select_mode. Processors without MODE.IEEE (CAP_ieee_mode) never
// have `ieee`.
static inline unsigned select_modes(const struct operation_mode *m) {
    return (m->flush32 ? SELECT_FLUSH32 : 0) | (m->flush16_64 ? SELECT_FLUSH16_64 : 0) |
           (m->ieee ? SELECT_IEEE : 0);
}
static inline bool select_holds(const struct select_way *w, unsigned modes) {
    return (modes & w->set) == w->set && !(modes & w->clear);
}
// The ways of a row: the first one and how many. 0: the row has no text.
unsigned select_ways_of(unsigned row, const struct select_way **first);
// The text of a row in is.def, or NULL.
const char *select_text(unsigned row);

// ---- Which rows have an operation as their root ----

// Where a result goes.
enum select_bank {
    SELECT_S,    // scalar registers
    SELECT_V,    // vector registers
    SELECT_M,    // a lane mask
    SELECT_FLAG, // SCC
    SELECT_X,    // EXEC
};
enum select_rate { RATE_FULL, RATE_HALF, RATE_QUARTER, RATE_TRANS, RATE_DOUBLE, RATE_SALU };

// A result of a way, by its root. Sorted by op (of a source or an input alone: copy), bank, bits, elements,
// operand_bits, rate, result, row: of rows that cost the same, the first one is made for it.
struct select_entry {
    uint8_t op, bank;
    uint8_t bits, elements; // of the result
    uint8_t operand_bits;   // of the root's first operand: tells comparisons and conversions apart
    uint8_t rate;           // enum select_rate
    uint8_t result;         // which of the way's
    uint16_t way;
};
extern const struct select_entry select_entries[];
extern const uint16_t select_first[]; // by operation: its first entry; the next operation's ends them

struct select_query {
    enum operation op;
    enum select_bank bank;
    uint8_t bits, elements; // of the result, one element
    uint8_t operand_bits;   // 0: whatever
    uint8_t modes;          // enum select_mode: those of the function
};
// The next way of a row that this processor has and that holds in these modes. NULL before the first, and at
// the end.
const struct select_entry *select_next(const struct isa *isa, const struct select_query *q,
                                       const struct select_entry *last);
static inline const struct select_way *select_way_of(const struct select_entry *e) {
    return &select_ways[e->way];
}
static inline const struct select_node *select_pattern(const struct select_entry *e) {
    return &select_nodes[select_results[select_way_of(e)->first + e->result].node];
}
// True if this processor has the row as an instruction of its own, not only as half of another.
bool select_exists(const struct isa *isa, unsigned row);
// Issue cycles of a wave with 4 SIMD passes, plus one if no encoding of the row has 4 bytes.
unsigned select_cost(const struct isa *isa, const struct select_entry *e);

#endif
