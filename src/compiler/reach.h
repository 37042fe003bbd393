// SPDX-License-Identifier: MIT
// Jumps to far labels: an instruction holds 16 bits of a distance in dwords. Where a function is longer than
// that, jumps go by way of others, which stand in its text here and there.
#ifndef COMPILER_REACH_H
#define COMPILER_REACH_H

#include "compiler/compiler.h"

// A point of the text, and how many dwords of instructions are in front of it at most.
struct reach_point {
    size_t at;
    uint32_t dwords;
    uint32_t block; // of a jump: where it leads
};
struct reach {
    const struct text *text;
    size_t begin, seen; // what the function's text begins with; up to where it was counted
    uint32_t dwords;
    uint32_t blocks;
    ARRAY(struct reach_point) jumps;   // where the label of a jump begins: it is the rest of the line
    ARRAY(struct reach_point) islands; // where there is room for others: between two instructions
    struct reach_point *labels;        // by block, then that of the function's end
};
enum { REACH_END = 0xffffffff }; // stands for a block: the label at the function's end

bool reach_begin(struct reach *r, const struct text *text, uint32_t blocks); // false: no memory
void reach_free(struct reach *r);
// The text goes on with a label, with the name of a label in a jump, with an instruction.
void reach_label(struct reach *r, uint32_t block);
void reach_jump(struct compiler *c, struct reach *r, uint32_t block);
void reach_place(struct compiler *c, struct reach *r);
// The label of a block of a function.
void reach_put_label(struct text *t, const char *name, uint32_t block);
// Changes the function's text, if it is long. `name`: the function's.
void reach_end(struct compiler *c, struct reach *r, const char *name);

#endif
