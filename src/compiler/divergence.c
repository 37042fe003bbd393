// SPDX-License-Identifier: MIT
// Which values are the same in all lanes, and in which bank each lives: s (scalar registers), v, or m for i1
// (a lane mask). A uniform value whose operation no scalar row computes lives in v; that costs nothing but
// space. Requires: address. Leaves: no value of bank any.
#include "compiler/passes.h"

bool compiler_loads_scalar(const struct compiler *c, const struct ir_inst *i) {
    const struct ir_memory *m = ir_memory_of(c->f, i);
    const bool quiet =
        m->space == IR_CONSTANT_SPACE || (m->space == IR_GLOBAL && m->flags & (IR_INVARIANT | IR_NOCLOBBER));
    const bool size = m->bytes == 4 || m->bytes == 8 || m->bytes == 16 || m->bytes == 32 || m->bytes == 64;
    return i->op == OP_load && quiet && size && m->align_log2 >= 2 && !(m->flags & IR_VOLATILE);
}

static enum ir_bank bank_of(const struct compiler *c, ir_ref r) {
    const struct ir_value *v = ir_value_of(c->f, r);
    if (v) return (enum ir_bank)v->bank;
    if (!ir_is(r, IR_REGISTER)) return IR_BANK_S;
    const enum ir_register_class class = ir_register_class_of(ir_index(r));
    return class == IR_VGPR || class == IR_AGPR ? IR_BANK_V : IR_BANK_S;
}

// True if a scalar row computes an operation of this width, or legal.c makes it of such rows.
static bool has_scalar(const struct compiler *c, const struct ir_inst *i, const struct ir_type *t) {
    const unsigned float_kinds = 1u << IR_F16 | 1u << IR_BF16 | 1u << IR_F32 | 1u << IR_F64;
    if (i->op == OP_copy || i->op == OP_load || i->op == OP_freeze) return true;
    for (unsigned n = 0; n < i->operands; n++) {
        const struct ir_type *o = ir_type_at(c->m, ir_ref_type(c->f, ir_operand(c->f, i, n)));
        if (float_kinds >> o->kind & 1 && i->op != OP_bitcast) return false;
    }
    if (t->count != 1 || float_kinds >> t->kind & 1) return i->op == OP_bitcast;
    switch (i->op) {
    case OP_zext:
    case OP_sext:
    case OP_trunc: return ir_type_at(c->m, ir_ref_type(c->f, ir_operand(c->f, i, 0)))->bits != 1;
    case OP_add:
    case OP_sub:
    case OP_and:
    case OP_or:
    case OP_xor:
    case OP_shl:
    case OP_lshr:
    case OP_ashr:
    case OP_bitcast:
    case OP_readfirstlane: return true;
    case OP_mul: return t->bits <= 32 || compiler_row(c, OP_mulhu, SELECT_S, 32, 0) != NULL;
    default: return t->bits == 32 && compiler_row(c, i->op, SELECT_S, 32, 0) != NULL;
    }
}

// What the pass knows of values: both only ever fall, from uniform to divergent and from s to v.
struct lanes {
    struct compiler *c;
    bool *uniform; // by value
};

static bool is_uniform(const struct lanes *l, ir_ref r) {
    if (ir_is(r, IR_VALUE)) return l->uniform[ir_index(r)];
    return !ir_is(r, IR_REGISTER) || bank_of(l->c, r) == IR_BANK_S;
}

static enum ir_bank decide(const struct lanes *l, const struct ir_inst *i, const struct ir_type *t,
                           bool uniform) {
    const struct compiler *c = l->c;
    if (t->kind == IR_INT && t->bits == 1) return IR_BANK_M;
    if (i->op == OP_readfirstlane) return IR_BANK_S;
    for (unsigned n = 0; n < i->operands; n++) uniform &= bank_of(c, ir_operand(c->f, i, n)) == IR_BANK_S;
    if (i->op == OP_load) uniform &= compiler_loads_scalar(c, i);
    return uniform && (i->op == OP_phi || has_scalar(c, i, t)) ? IR_BANK_S : IR_BANK_V;
}

static bool visit(struct lanes *l, const struct ir_inst *i) {
    bool changed = false, uniform = !(ir_op_properties(i->op) & OPERATION_VARIES);
    for (unsigned n = 0; n < i->operands; n++) uniform &= is_uniform(l, ir_operand(l->c->f, i, n));
    uniform |= (ir_op_properties(i->op) & OPERATION_UNIFORM) != 0;
    for (unsigned r = 0; r < i->results; r++) {
        const uint32_t number = i->first_result + r;
        struct ir_value *v = &l->c->f->values.items[number];
        const enum ir_bank bank = decide(l, i, ir_type_at(l->c->m, v->type), uniform);
        changed |= l->uniform[number] != uniform || v->bank != bank;
        l->uniform[number] = uniform;
        v->bank = (uint8_t)bank;
    }
    return changed;
}

void compiler_divergence(struct compiler *c) {
    struct ir_function *f = c->f;
    struct lanes l = {c, malloc(f->values.count + 1)};
    if (!l.uniform) {
        compiler_no_memory(c);
        return;
    }
    memset(l.uniform, 1, f->values.count + 1);
    for (size_t n = 0; n < f->values.count; n++) f->values.items[n].bank = IR_BANK_S;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t n = 0; n < f->insts.count; n++) changed |= visit(&l, &f->insts.items[n]);
    }
    for (size_t n = 0; n < f->insts.count && !c->status; n++) {
        struct ir_inst *i = &f->insts.items[n];
        if (i->op != OP_branch || is_uniform(&l, ir_operand(f, i, 0))) continue;
        i->flags |= IR_DIVERGENT;
        compiler_refuse(c, i, "a branch that lanes take differently");
    }
    free(l.uniform);
}
