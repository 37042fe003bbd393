// SPDX-License-Identifier: MIT
// A group of ALU slots while it executes.
#ifndef TERASCALE_STEP_H
#define TERASCALE_STEP_H

#include "terascale/machine/machine.h"

struct ts_step {
    struct ts_machine *m;
    struct ts_wave *w;
    const struct ts_insn *cf, *ext;
    const struct ts_code_group *g;
    uint64_t lanes;   // of the clause
    uint64_t reading; // in which the slot executes whose sources are read
    unsigned number;  // of the group in its clause
    uint32_t src[TS_GROUP_MOST][3][TS_LANES];
    uint32_t result[TS_GROUP_MOST][TS_LANES];
    uint64_t lane_set[TS_GROUP_MOST]; // where each slot executes
};

// The slot at a unit, or -1.
int ts_slot_at(const struct ts_group *g, unsigned unit);

// Operations over several slots. Whether slot i belonged to one; it is done with one of its slots, and *good
// says whether it succeeded.
bool ts_run_spread(struct ts_step *x, unsigned i, bool *good);
// Operations on doubles: pairs of slots, all four, or slots that name both halves.
bool ts_run_double(struct ts_step *x, unsigned i);
// Operations that take the result of a slot behind them in the group; these execute from the last to the
// first.
bool ts_run_chain(struct ts_step *x, unsigned i);
// INTERP_*: parameters of primitives.
bool ts_run_interp(struct ts_step *x, unsigned i);
// What PRED_SET* does with the lanes that pass.
void ts_set_predicate(struct ts_step *x, unsigned i, uint64_t passes);

#endif
