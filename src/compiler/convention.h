// SPDX-License-Identifier: MIT
// How functions call each other, as LLVM has it for AMD GPUs: which register or place on the stack each dword
// of an argument is in, which registers a function keeps, where it finds what the wave began with.
#ifndef COMPILER_CONVENTION_H
#define COMPILER_CONVENTION_H

#include "compiler/passes.h"

enum {
    CONVENTION_SGPRS = 106,       // VCC is behind them
    CONVENTION_RETURN = 30,       // s[30:31]: where the function returns to
    CONVENTION_STACK_TOP = 32,    // SGPR: where the frame of a function that is called now begins
    CONVENTION_FRAME = 33,        // SGPR: where its own frame begins, in functions that call others
    CONVENTION_KEPT_ACCS = 32,    // AGPR: from this one on, functions keep them
    CONVENTION_ITEM_IDS = 31,     // VGPR: ids of the work-item, ten bits each
    CONVENTION_MOST_RESULTS = 32, // dwords, in v0 and so on
    CONVENTION_CHAIN_VGPR = 8,    // the first of a chain function's arguments
    CONVENTION_CHAIN_STACK = 48,  // s[48:51]: the stack's descriptor between chain functions
    CONVENTION_CHAIN_LANES = 88,  // SGPRs: the lanes with which the next of them goes on
    CONVENTION_ALIGN = 16         // of the stack, in bytes of a lane
};

// Where arguments go, one after the other.
struct convention_places {
    unsigned vgpr, vgprs; // the next one, and the end of them
    uint64_t sgprs;       // free ones among the first
    bool on_stack;        // what no register is left for may be there
    bool scalars_go_on;   // those for which no scalar register is left are passed as others
    uint32_t stack;       // bytes
};
// `without`: inputs that are not passed.
void convention_begin(struct convention_places *p, const struct compiler *c, enum ir_convention convention,
                      uint32_t without);
// The register of the next dword; 0: it is on the stack, at *offset, if anything may be there.
uint32_t convention_next(struct convention_places *p, bool scalar, uint32_t *offset);
// Memory for an argument that is passed by value.
uint32_t convention_memory(struct convention_places *p, uint32_t passed);

// The register by which functions are given an input; 0: none of them.
uint32_t convention_input(const struct compiler *c, enum ir_input input);
// True if a function keeps what the register holds: an SGPR or VGPR by number.
bool convention_keeps(enum ir_convention convention, bool vector, unsigned number);
// Scalar registers that the function changes, but has to keep, a bit each: for arguments of others, or
// because inline assembly names them. convention_take_first takes the lowest one out; 0: there are no more.
struct convention_set {
    uint64_t bits[2];
};
struct convention_set convention_changes(const struct compiler *c);
unsigned convention_count(const struct convention_set *set);
unsigned convention_take_first(struct convention_set *set);
// True if inline assembly names scalar registers that the function has to keep, or returns by.
bool convention_names_kept(const struct compiler *c);
// True if the function has to leave the stack's descriptor to the next one of a chain.
bool convention_passes_stack(const struct compiler *c);

// How an argument or result is made of dwords: operations on values of the function at hand, which are
// appended. `passed` as in ir_passed. Returns the count; 0: it was refused.
unsigned convention_take_apart(struct compiler *c, ir_ref value, uint32_t passed, ir_ref *dwords,
                               unsigned room);
unsigned convention_dwords(const struct compiler *c, uint16_t type);
ir_ref convention_put_together(struct compiler *c, uint16_t type, const ir_ref *dwords);

#endif
