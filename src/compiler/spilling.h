// SPDX-License-Identifier: MIT
// What the files that take values out of registers share: spill_slots.c gives them places, spill.c stores and
// loads them, spill_phis.c fills the places of phis. Values and operands are those of the old function.
#ifndef COMPILER_SPILLING_H
#define COMPILER_SPILLING_H

#include "compiler/registers.h"

// Places of vector registers: dwords of the stack, accumulation registers. Those of scalar ones, dwords of
// lanes, are numbered by themselves.
enum { IN_ACCS = 1u << 30 };

struct spilling {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    struct spills *spills;
    const uint32_t *whole; // by value
    uint32_t *offset;      // by value: dwords from the beginning of the whole
    uint32_t *slot;        // by value that is chosen: the first dword's place; of IN_ACCS on, an AGPR
    ir_ref *of_phis;       // by operand of a phi in registers: what stands for a value that is not
    uint32_t values;
    enum ir_bank bank;             // of the value at hand, if it is in vector registers, and
    enum ir_lanes lanes;           // those for which it is kept
    uint32_t stack, accs, scalars; // places that are new
    struct slot_use *uses;         // spill_phis.c
};

// True of a value that is not in registers any more, or a name of a part of one.
static inline bool is_spilled(const struct spilling *s, ir_ref r) {
    return ir_is(r, IR_VALUE) && ir_index(r) < s->values && s->spills->chosen[s->whole[ir_index(r)]];
}

// ---- spill_slots.c ----

// Gives each chosen value its place.
void spill_place(struct spilling *s, const struct live *live);

// ---- spill.c ----

// A dword of a value in registers.
ir_ref spill_dword(struct spilling *s, uint32_t value, unsigned n);
// A copy of a dword, in a register of the kind that values like that one are in.
ir_ref spill_as(struct spilling *s, ir_ref dword, const struct ir_value *like);
// Brings a dword to a place for values like that one, or back.
void spill_store(struct spilling *s, const struct ir_value *like, ir_ref dword, uint32_t slot);
ir_ref spill_load(struct spilling *s, const struct ir_value *like, uint32_t slot);
// Asks for the registers by which the stack is reached, if nothing did before.
void spill_ask_for_stack(struct spilling *s);

// ---- spill_phis.c ----

// False: no memory. To be called when there are places.
bool spill_prepare_phis(struct spilling *s);
// At the end of a block: fills the places of the phis, of lanes or of the wave, of those behind it.
void spill_move_phis(struct spilling *s, uint32_t block, bool lanes);

#endif
