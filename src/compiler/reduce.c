// SPDX-License-Identifier: MIT
// Reductions over a wave: llvm.amdgcn.wave.reduce.*, a loop over the active lanes, from the lowest on. Part
// of the pass atomic. Requires: SSA of LLVM's types. Leaves: no reduction.
#include "compiler/split.h"

#include <string.h>

struct reduction {
    char name[8];
    uint16_t op;
    bool is_float;
    uint64_t begin32, begin64; // what the loop begins with
};
static const struct reduction reductions[] = {
    {"add", OP_add, false, 0, 0},
    {"sub", OP_sub, false, 0, 0},
    {"and", OP_and, false, UINT32_MAX, UINT64_MAX},
    {"or", OP_or, false, 0, 0},
    {"xor", OP_xor, false, 0, 0},
    {"umin", OP_umin, false, UINT32_MAX, UINT64_MAX},
    {"umax", OP_umax, false, 0, 0},
    {"min", OP_smin, false, INT32_MAX, INT64_MAX},
    {"max", OP_smax, false, (uint32_t)INT32_MIN, (uint64_t)INT64_MIN},
    {"fadd", OP_fadd, true, 0x80000000, 0x8000000000000000},
    {"fsub", OP_fsub, true, 0, 0},
    {"fmin", OP_minnum, true, 0x7f800000, 0x7ff0000000000000},
    {"fmax", OP_maxnum, true, 0xff800000, 0xfff0000000000000},
};

static const struct reduction *reduction_of(const struct split *l, ir_ref symbol) {
    static const char before[] = "llvm.amdgcn.wave.reduce.";
    if (l->i->op != OP_intrinsic || !ir_is(symbol, IR_SYMBOL)) return NULL;
    const char *name = l->c->m->symbols.items[ir_index(symbol)].name;
    if (strncmp(name, before, sizeof before - 1)) return NULL;
    name += sizeof before - 1;
    const size_t length = strcspn(name, ".");
    for (size_t n = 0; n < sizeof reductions / sizeof *reductions; n++)
        if (strlen(reductions[n].name) == length && !memcmp(reductions[n].name, name, length))
            return &reductions[n];
    return NULL;
}

// While looking whether there are any, the instruction is still the function's own.
static bool is_reduction(struct split *l) {
    const ir_ref *operands = l->old.operands.items ? l->old.operands.items : l->f->operands.items;
    return l->i->operands == 3 && l->i->results == 1 && reduction_of(l, operands[l->i->first_operand]);
}

static void reduce(struct split *l) {
    const struct reduction *r = reduction_of(l, split_operand(l, 0));
    const ir_ref value = split_operand(l, 1);
    const uint16_t type = l->f->values.items[l->i->first_result].type, i64 = ir_int(l->c->m, 64),
                   i32 = ir_int(l->c->m, 32), i1 = ir_int(l->c->m, 1);
    const struct ir_type t = *ir_type_at(l->c->m, type);
    const bool is_float = t.kind == IR_F32 || t.kind == IR_F64;
    if (t.count != 1 || (t.bits != 32 && t.bits != 64) || is_float != r->is_float) {
        struct ir_inst copy = *l->i;
        copy.operands = 0; // they are the old function's
        compiler_refuse(l->c, &copy, "a reduction of values of this type");
        return;
    }
    const ir_ref active = SPLIT_EMIT(l, OP_ballot, i64, ir_constant_bits(l->f, i1, 1, 0));
    const ir_ref begin = ir_constant_bits(l->f, type, t.bits == 64 ? r->begin64 : r->begin32, 0);
    const uint32_t before = split_here(l), body = before + 1, done = before + 2;
    uint32_t left_phi, sum_phi;
    split_jump(l, body);
    ir_block_add(l->f);
    const ir_ref left = split_phi(l, i64, before, active, body, &left_phi);
    const ir_ref sum = split_phi(l, type, before, begin, body, &sum_phi);
    const ir_ref lane = SPLIT_EMIT(l, OP_trunc, i32, SPLIT_EMIT(l, OP_ffs, i64, left));
    const ir_ref one = SPLIT_EMIT(l, OP_readlane, type, value, lane);
    l->f->insts.items[l->f->insts.count - 1].flags |= IR_CONVERGENT;
    const ir_ref next = SPLIT_EMIT(l, r->op, type, sum, one);
    const ir_ref less = SPLIT_EMIT(l, OP_sub, i64, left, ir_constant_bits(l->f, i64, 1, 0));
    const ir_ref rest = SPLIT_EMIT(l, OP_and, i64, left, less);
    const ir_ref over = SPLIT_EMIT(l, OP_eq, i1, rest, ir_constant_bits(l->f, i64, 0, 0));
    split_branch(l, over, done, body);
    split_fill(l, left_phi, rest);
    split_fill(l, sum_phi, next);
    ir_block_add(l->f);
    ir_append(l->f, OP_copy, &next, 1)->location = l->i->location;
    ir_define(l->f, l->i->first_result);
}

void compiler_reduce(struct compiler *c) { compiler_split(c, NULL, is_reduction, reduce); }
