// SPDX-License-Identifier: MIT
// The files of the pass control among themselves: plan.c decides how the wave goes from block to block,
// control.c writes that down, linear.c gives values to what changes along the wave's way.
#ifndef COMPILER_CONTROL_H
#define COMPILER_CONTROL_H

#include "compiler/passes.h"

// ---- plan.c ----

// How the lanes of a block are found when the wave comes to it.
enum plan_entry {
    ENTRY_SAME,    // EXEC is right already
    ENTRY_NARROW,  // the branch in front of it has set EXEC
    ENTRY_RESTORE, // all lanes that were active at the end of an earlier block: EXEC as it was there
    ENTRY_PENDING, // those that wait for it
};
struct way {
    uint32_t to;   // where lanes go
    uint32_t next; // where the wave goes; if that is another block, the lanes wait
};
struct plan_block {
    enum plan_entry entry;
    uint32_t restored; // ENTRY_RESTORE: as it was at the end of this block
    uint32_t skip;     // where the wave goes if no lane is active; IR_NOWHERE: there is always one
    unsigned ways;     // of lanes out: 0 to 2
    struct way way[2];
    uint32_t next; // where the wave goes if no lane goes on, or all ways are visited in turn; IR_NOWHERE
    bool in_turn;  // a branch whose sides are visited one after the other
    bool saves;    // EXEC at its end is restored somewhere
    bool is_header;
};
struct plan {
    struct compiler *c;
    struct ir_function *f;
    struct ir_graph lanes, ends,
        wave; // ways of lanes, the same backwards from one node more; ways of the wave
    struct ir_loops loops;
    struct plan_block *blocks;
    uint64_t *waiting; // sets of blocks, by block: for which lanes may wait when the wave is there
    size_t words;
    struct ir_edges edges;
};
void control_plan(struct plan *p);
void control_plan_free(struct plan *p);

// ---- linear.c ----

// Things that have one value at each place of the wave's way, but several definitions: which lanes wait for a
// block, scalar phis, scalar values whose definition the wave may pass by. While blocks are written, a
// reading is a value without a definition; when all edges are known, phis are made for them.
struct linear_definition {
    uint32_t variable, block;
    ir_ref value;
};
struct linear_reading {
    uint32_t variable, block, value; // at the beginning of the block
};
struct linear {
    struct compiler *c;
    struct ir_function *f;
    uint32_t variables;
    ARRAY(uint16_t) types; // by variable
    ARRAY(uint8_t) banks;
    ARRAY(ir_ref) standard; // by variable: its value before any definition
    ARRAY(struct linear_definition) definitions;
    ARRAY(struct linear_reading) readings;
};

uint32_t linear_variable(struct linear *l, uint16_t type, enum ir_bank bank, ir_ref standard);
// The variable has this value at the end of a (new) block.
void linear_define(struct linear *l, uint32_t variable, uint32_t block, ir_ref value);
// Its value at the beginning of a block.
ir_ref linear_read(struct linear *l, uint32_t variable, uint32_t block);
// The same, but the value has this number.
void linear_read_as(struct linear *l, uint32_t variable, uint32_t block, uint32_t value);
// Inserts phis and replaces all readings. Requires the edges of ir_cfg.
void linear_finish(struct linear *l);
void linear_free(struct linear *l);

#endif
