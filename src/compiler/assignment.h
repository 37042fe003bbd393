// SPDX-License-Identifier: MIT
// What the parts of the pass assign share: assign.c gives values registers, assign_phis.c fills
// those of phis, register_files.c says which registers there are.
#ifndef COMPILER_ASSIGNMENT_H
#define COMPILER_ASSIGNMENT_H

#include "compiler/registers.h"

enum { MOST_REGISTERS = 512, FREE = 0, FIRST_KEPT = 40 };

// What a function may use, from one try to the next that has too few registers.
enum assignment_room {
    ROOM_WISHED,  // as few registers as it asks for, none that inline assembly names
    ROOM_NAMED,   // those as well, but beside that assembly
    ROOM_UNWISHED // as many as there are
};
// What is needed beside an inline assembly: its operands and results, and what is needed behind it.
struct named_beside {
    uint64_t *values;
    uint64_t registers[FILES][4]; // what it names
};

struct assignment {
    struct compiler *c;
    struct ir_function *f;
    struct live live;
    uint32_t owner[FILES][MOST_REGISTERS];    // the value in it, plus one
    uint32_t taken[FILES][MOST_REGISTERS];    // the stamp of a phi that must not be placed there, and
    uint32_t taken_by[FILES][MOST_REGISTERS]; // because of which value
    uint32_t stamp;
    uint32_t
        *last; // by value: its last use in the block at hand, plus one; 0: none, or it is needed behind it
    uint32_t *tuple;  // by value: the tuple that it is a part of, plus one, and
    uint8_t *place;   // which dword of it
    uint32_t *base;   // by value that is a tuple: the register planned for it, plus one
    uint32_t *joined; // by value: a phi that takes it, plus one
    unsigned limit[FILES], used[FILES];
    enum assignment_room room;
    const struct ir_inst *stuck;       // whose result has no registers, and
    unsigned stuck_file;               // of which file
    bool named[FILES][MOST_REGISTERS]; // by inline assembly: nothing else is in them, in all of the function,
    ARRAY(struct named_beside) beside; // or where there is too little room, beside it
    bool lanes[MOST_REGISTERS];        // vector registers in whose lanes scalar values are
    bool kept[MOST_REGISTERS];         // vector registers in use that a function has to keep
    bool kept_accs[MOST_REGISTERS];    // accumulation registers
    bool whole[MOST_REGISTERS];        // those that are written for lanes that do not execute
    bool changes_lanes;                // EXEC is set around instructions
    bool wide_one;                     // the value at hand is written for all lanes
    bool *crosses;                     // by value: it is needed behind a call, whose function may keep it
    bool crossing;                     // the value at hand
    bool any_one; // the value at hand may be in registers that the function has to keep, too
    struct spills spills;
    bool *temporary;  // by value: it is there because of one that was spilled
    uint32_t *weight; // by value: how often it is used, more in loops
    bool failed;      // some values are to be spilled
    // Where some results are written for all lanes (waiting.c); else NULL.
    uint64_t *waiting;    // by block: values of lanes that wait
    uint32_t *writes_all; // by value: it is such a result, of this block, plus one
    ARRAY(uint32_t) wide; // those that have registers
};

// ---- assign_phis.c ----

// Moves at the ends of blocks that fill the phis of those that come next.
void assignment_fill_phis(struct assignment *a);

// ---- register_files.c ----

// Registers that inline assembly names: nothing else is in them.
void assignment_find_named(struct assignment *a);
// Where these are free beside the assembly: what is needed there.
void assignment_find_beside(struct assignment *a);
bool assignment_is_beside(const struct assignment *a, uint32_t value);
// Such registers are not for a value that is needed there.
void assignment_forbid_named(struct assignment *a, uint32_t value);
// How many vector and accumulation registers there are.
void assignment_share_files(struct assignment *a);
// Where scalar values are kept in lanes: in the last vector registers, or in the first that functions keep.
void assignment_place_lanes(struct assignment *a);
// The results that are written for all lanes, and what lanes need that wait beside them.
void assignment_find_waiting(struct assignment *a);
// Registers that a function of a whole wave has to keep for other lanes, because of what it calls.
void assignment_give_up(struct assignment *a);

#endif
