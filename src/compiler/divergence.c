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

static enum ir_bank decide(const struct compiler *c, const struct ir_inst *i, const struct ir_type *t) {
    bool uniform = !(ir_op_properties(i->op) & OPERATION_VARIES);
    if (t->kind == IR_INT && t->bits == 1) return IR_BANK_M;
    for (unsigned n = 0; n < i->operands; n++) uniform &= bank_of(c, ir_operand(c->f, i, n)) == IR_BANK_S;
    if (i->op == OP_readfirstlane) return IR_BANK_S;
    if (i->op == OP_load) uniform &= compiler_loads_scalar(c, i);
    return uniform && has_scalar(c, i, t) ? IR_BANK_S : IR_BANK_V;
}

void compiler_divergence(struct compiler *c) {
    struct ir_function *f = c->f;
    if (f->blocks.count != 1) {
        compiler_refuse(c, &f->insts.items[f->blocks.items[0].first + f->blocks.items[0].count - 1],
                        "control flow");
        return;
    }
    for (size_t n = 0; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        for (unsigned r = 0; r < i->results; r++) {
            struct ir_value *v = &f->values.items[i->first_result + r];
            v->bank = (uint8_t)decide(c, i, ir_type_at(c->m, v->type));
        }
    }
}
