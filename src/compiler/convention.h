// SPDX-License-Identifier: MIT
// How functions call each other, as LLVM has it for AMD GPUs: which register or place on the stack each dword
// of an argument is in, which registers a function keeps, where it finds what the wave began with.
#ifndef COMPILER_CONVENTION_H
#define COMPILER_CONVENTION_H

#include "compiler/passes.h"

enum {
    CONVENTION_RETURN = 30,       // s[30:31]: where the function returns to
    CONVENTION_STACK_TOP = 32,    // SGPR: where the frame of a function that is called now begins
    CONVENTION_FRAME = 33,        // SGPR: where its own frame begins, in functions that call others
    CONVENTION_ITEM_IDS = 31,     // VGPR: ids of the work-item, ten bits each
    CONVENTION_MOST_RESULTS = 32, // dwords, in v0 and so on
    CONVENTION_ALIGN = 16         // of the stack, in bytes of a lane
};

// Where arguments go, one after the other.
struct convention_places {
    unsigned vgpr;  // the next one
    uint32_t sgprs; // free ones among s0 to s29
    uint32_t stack; // bytes
};
void convention_begin(struct convention_places *p, const struct compiler *c, uint32_t without);
// The register of the next dword; 0: it is on the stack, at *offset.
uint32_t convention_next(struct convention_places *p, bool scalar, uint32_t *offset);
// Memory for an argument that is passed by value.
uint32_t convention_memory(struct convention_places *p, uint32_t passed);

// The register by which functions are given an input; 0: none of them.
uint32_t convention_input(const struct compiler *c, enum ir_input input);
// True if a function keeps what the register holds: an SGPR or VGPR by number.
bool convention_keeps(bool vector, unsigned number);

// How an argument or result is made of dwords: operations on values of the function at hand, which are
// appended. `passed` as in ir_passed. Returns the count; 0: it was refused.
unsigned convention_take_apart(struct compiler *c, ir_ref value, uint32_t passed, ir_ref *dwords,
                               unsigned room);
unsigned convention_dwords(const struct compiler *c, uint16_t type);
ir_ref convention_put_together(struct compiler *c, uint16_t type, const ir_ref *dwords);

#endif
