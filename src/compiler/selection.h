// SPDX-License-Identifier: MIT
// What the parts of the pass select share. select.c has the pass, the search for rows and operands;
// select_memory.c accesses to memory.
#ifndef COMPILER_SELECTION_H
#define COMPILER_SELECTION_H

#include "compiler/passes.h"

struct selection {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    const struct ir_inst *i; // the old one
    ir_ref *map;             // what an old value is now; IR_NOTHING: the same
    uint32_t old_values;
    const uint32_t *uses; // of old values
    // Constants that stand in vector registers since a little while, in the block at hand.
    struct selection_constant {
        ir_ref constant, value;
    } kept[16];
    unsigned keep;     // which of them the next one replaces
    ir_ref all_memory; // a buffer's descriptor that this block has made
    size_t all_memory_block;
    ARRAY(uint32_t) phis; // new instructions, whose operands are still old ones
};

// Refuses the instruction at hand.
void selection_refuse(struct selection *s, const char *what);
// What an operand of the instruction at hand is now.
ir_ref selection_operand(const struct selection *s, unsigned n);
// Appends a row or pseudo operation; gives the last one a result of a type and bank.
struct ir_inst *selection_append(struct selection *s, unsigned op, const ir_ref *operands, unsigned count);
ir_ref selection_result(struct selection *s, uint16_t type, enum ir_bank bank);
// Gives the last one a result that stands for an old value from now on.
void selection_map(struct selection *s, uint32_t old, enum ir_bank bank);
// A dword of another bank or a constant in a register.
ir_ref selection_move(struct selection *s, enum ir_bank bank, ir_ref from);

// select_acc.c: accumulation registers
// True if the row is a matrix operation whose result, and what is added, are in such registers alone.
bool selection_is_matrix(const struct selection *s, const struct row *row);
// A value in such registers; in vector registers.
ir_ref selection_to_acc(struct selection *s, ir_ref r);
ir_ref selection_from_acc(struct selection *s, ir_ref r);
// Reads the part of a value in such registers. False: the instruction at hand does not take one.
bool selection_part_of_acc(struct selection *s);
// For the instruction at hand, operands in such registers are read into others: which they were. Returns the
// count.
struct selection_read {
    uint32_t old;
    ir_ref was;
};
unsigned selection_read_accs(struct selection *s, struct selection_read *reads, unsigned room);

// select_memory.c
void selection_load(struct selection *s);
void selection_store(struct selection *s);
void selection_atomic(struct selection *s, bool returns);
void selection_barrier(struct selection *s);
void selection_aperture(struct selection *s);

#endif
