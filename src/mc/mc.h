// SPDX-License-Identifier: MIT
// What the reader of instructions and the program that they become share: values of expressions, the mode in
// which instructions are understood, and places in an instruction that are filled in later. The program knows
// no text, so that a compiler can fill one without writing any.
#ifndef MC_MC_H
#define MC_MC_H

#include "isa/isa.h"

struct expr; // a tree that is not (yet) a number

// The value of an expression: `number`, unless it depends on something that is not known yet.
struct mc_value {
    int64_t number;
    const struct expr *expr; // NULL: the value is `number`
    bool label;              // the expression is a symbol by itself
};

// How instructions are understood: the processor with its features switched as asked.
struct mc_mode {
    const sw_processor *processor;
    struct isa isa; // a copy of the processor's, with the features that options turned on or off
    bool wave32;
    bool any_wave; // both wave sizes are enabled: instructions of either are accepted
};

// A place in an instruction whose value is not known yet.
enum mc_fixup_kind {
    MC_FIXUP_BRANCH, // simm16: (value - address of the next instruction) / 4
    MC_FIXUP_DWORD,  // 32-bit literal
    MC_FIXUP_QWORD,  // 64-bit literal
};
struct mc_fixup {
    uint8_t kind;   // enum mc_fixup_kind
    uint8_t offset; // bytes into the instruction
    const struct expr *expr;
};

#endif
