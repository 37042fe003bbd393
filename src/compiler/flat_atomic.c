// SPDX-License-Identifier: MIT
// Flat atomic operations of 64 bits do not reach the stack. Where an address may be one of it, lanes for
// which it is go a way of their own, on which the operation is one on the stack. Part of the pass space.
#include "compiler/split.h"

// The operand that is the address; 0: it is no such operation.
static unsigned address_of(const struct ir_inst *i) {
    if (i->op < OP_atomic_xchg || i->op > OP_atomic_cmpxchg) return 0;
    return i->op == OP_atomic_cmpxchg ? 2 : 1;
}

// Functions may be given addresses of their callers' stacks, if anything says where flat ones lie.
static bool may_be_callers(const struct split *l) {
    return !ir_is_entry(l->f) &&
           (has(l->c->processor, CAP_aperture_registers) || l->f->facts.convention == IR_OWN);
}

static bool may_be_stack(struct split *l) {
    const struct ir_memory *m = ir_memory_of(l->f, l->i);
    if (!address_of(l->i) || !m || m->space != IR_GENERIC || m->bytes != 8) return false;
    return !(m->flags & IR_NOT_STACK) && (l->f->facts.stack || may_be_callers(l));
}

// The operation at an address in a space, in a block of its own.
static ir_ref operation(struct split *l, ir_ref address, unsigned space) {
    struct ir_memory m = *ir_memory_of(l->f, l->i);
    ir_ref o[4];
    for (unsigned n = 0; n < l->i->operands && n < 4; n++) o[n] = split_operand(l, n);
    o[address_of(l->i)] = address;
    m.space = (uint8_t)space;
    const ir_ref old =
        split_emit(l, l->i->op, l->f->values.items[l->i->first_result].type, o, l->i->operands);
    split_set_memory(l, &m);
    return old;
}

static void set_apart(struct split *l) {
    const ir_ref address = split_operand(l, address_of(l->i));
    const uint16_t type = l->f->values.items[l->i->first_result].type;
    const struct ir_memory cast = {.space = IR_PRIVATE, .cache = IR_GENERIC};
    const ir_ref is = SPLIT_EMIT(l, OP_is_private, ir_int(l->c->m, 1), address);
    const uint32_t stack = split_here(l) + 1, other = stack + 1, done = stack + 2;
    uint32_t phi;
    split_branch(l, is, stack, other);
    ir_block_add(l->f);
    const ir_ref near = SPLIT_EMIT(l, OP_space_cast, ir_int(l->c->m, 32), address);
    split_set_memory(l, &cast);
    const ir_ref own = operation(l, near, IR_PRIVATE);
    split_jump(l, done);
    ir_block_add(l->f);
    const ir_ref others = operation(l, address, IR_GENERIC);
    split_jump(l, done);
    ir_block_add(l->f);
    const ir_ref old = split_phi(l, type, stack, own, other, &phi);
    split_fill(l, phi, others);
    ir_append(l->f, OP_copy, &old, 1);
    ir_define(l->f, l->i->first_result);
}

bool compiler_stack_apart(struct compiler *c) {
    const size_t before = c->f->blocks.count;
    compiler_split(c, NULL, may_be_stack, set_apart);
    return c->f->blocks.count != before;
}
