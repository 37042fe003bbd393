// SPDX-License-Identifier: MIT
// Instructions that become several blocks, while a function is written anew: new blocks are known by their
// final numbers at once, old ones, which old terminators and phis name, when all are written.
#ifndef COMPILER_SPLIT_H
#define COMPILER_SPLIT_H

#include "compiler/passes.h"

struct split {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    const struct ir_inst *i; // the old one at hand
    uint32_t *first, *last;  // by old block: its first and last new ones
    void *own;               // of the pass
};

// Writes the function anew if any instruction is wanted: those are expanded, all others copied.
void compiler_split(struct compiler *c, void *own, bool (*wanted)(struct split *s),
                    void (*expand)(struct split *s));

// Part of the pass space: flat atomic operations that do not reach the stack. True if there are any.
bool compiler_stack_apart(struct compiler *c);
// Parts of the pass atomic.
void compiler_reduce(struct compiler *c);
void compiler_remainder(struct compiler *c);

static inline ir_ref split_operand(const struct split *s, unsigned n) {
    return s->old.operands.items[s->i->first_operand + n];
}
ir_ref split_emit(struct split *s, unsigned op, uint16_t type, const ir_ref *operands, unsigned count);
#define SPLIT_EMIT(s, op, type, ...)                                                                         \
    split_emit(s, op, type, (const ir_ref[]){__VA_ARGS__},                                                   \
               sizeof((const ir_ref[]){__VA_ARGS__}) / sizeof(ir_ref))
// Gives the last instruction its memory.
void split_set_memory(struct split *s, const struct ir_memory *m);
// A new block as an operand; the number of the one at hand; jumps.
ir_ref split_block(uint32_t number);
static inline uint32_t split_here(const struct split *s) { return (uint32_t)s->f->blocks.count - 1; }
void split_jump(struct split *s, uint32_t to);
void split_branch(struct split *s, ir_ref condition, uint32_t yes, uint32_t no);
// A phi of two values, the second of which split_fill gives later. Returns the phi's instruction in *at.
ir_ref split_phi(struct split *s, uint16_t type, uint32_t from, ir_ref value, uint32_t other, uint32_t *at);
void split_fill(struct split *s, uint32_t phi, ir_ref value);

#endif
