// SPDX-License-Identifier: MIT
// The constraints of inline assembly, as LLVM writes them: "=v,s,0,~{memory}". Results come first, then
// inputs; a result may be tied to an input, which has its number.
#ifndef IR_CONSTRAINTS_H
#define IR_CONSTRAINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_CONSTRAINTS = 64, NOT_TIED = 255 };
// Of kind 's', the numbers of registers that are in no file.
enum { CONSTRAINT_VCC = 106, CONSTRAINT_M0 = 124 };
struct constraint {
    char kind;      // 's', 'v' or 'a': a register; 'i': a number; 'c': something that is changed besides
    bool early;     // a result that is written while inputs are still read
    uint8_t tied;   // of an input: the result in whose register it is; NOT_TIED: none
    char range[3];  // of numbers: which ones, by LLVM's letters; "" any
    uint8_t dwords; // of a fixed register, of the kind; 0: any register
    uint16_t first; // its number
};
struct constraints {
    unsigned results, inputs;
    struct constraint of[MOST_CONSTRAINTS]; // results, then inputs
    bool vcc;                               // VCC is changed
    uint64_t sgprs[2], vgprs[4], agprs[4];  // fixed registers that are named, a bit each
};

// Reads them. NULL: done; else what is not known.
const char *constraints_read(const char *text, struct constraints *out);
// Whether a number of so many bits is one that the constraint allows.
bool constraint_allows(const struct constraint *c, uint64_t bits, unsigned width);

#endif
