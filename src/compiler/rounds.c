// SPDX-License-Identifier: MIT
// Lanes may leave a loop in different rounds. What is the same in all lanes of a round, but used behind the
// loop, is copied to a vector register within it, where lanes that leave keep it; a mask is kept as 0 or 1.
// Part of the pass divergence.
#include "compiler/divergence.h"

// What a value is at the end of a block, and where phis wait for it.
struct kept_at {
    uint32_t block, value;
    ir_ref now;
};
struct waiting {
    uint32_t inst, operand; // new
    uint32_t block, value;
};
struct rounds {
    struct lanes *l;
    struct ir_function *f;
    struct ir_old old;
    bool *late;       // by operand of the old function: it is used behind its loop
    bool *wanted;     // by value
    ir_ref *copies;   // by value: its copy
    ir_ref *masks;    // by value: the mask that its copy was made into again, and
    uint32_t *within; // the block in which that is
    uint32_t values, block;
    ARRAY(struct kept_at) kept;
    ARRAY(struct waiting) waiting;
};

static ir_ref emit(struct rounds *k, unsigned op, uint16_t type, enum ir_bank bank, const ir_ref *o,
                   unsigned count) {
    const ir_ref r = ir_emit(k->f, op, type, o, count);
    if (ir_is(r, IR_VALUE)) k->f->values.items[ir_index(r)].bank = (uint8_t)bank;
    return r;
}

// True if there is anything to do.
static bool find_late(struct rounds *k) {
    bool any = false;
    for (size_t n = 0; n < k->f->insts.count; n++) {
        const struct ir_inst *i = &k->f->insts.items[n];
        for (unsigned o = 0; o < i->operands; o++) {
            const ir_ref r = ir_operand(k->f, i, o);
            const struct ir_value *v = ir_value_of(k->f, r);
            if (!v || (v->bank != IR_BANK_S && v->bank != IR_BANK_M)) continue;
            if (!compiler_is_of_round(k->l, r, compiler_place_of_use(k->l, i, o))) continue;
            if (v->bank == IR_BANK_M && ir_type_at(k->l->c->m, v->type)->count > 1)
                compiler_refuse(k->l->c, i, "a vector of bits that lanes take out of a loop");
            any = k->late[i->first_operand + o] = k->wanted[ir_index(r)] = true;
        }
    }
    return any;
}

static void copy_results(struct rounds *k, const struct ir_inst *i) {
    for (unsigned r = 0; r < i->results; r++) {
        const ir_ref value = ir_make(IR_VALUE, i->first_result + r);
        const struct ir_value v = *ir_value_of(k->f, value);
        if (!k->wanted[ir_index(value)]) continue;
        k->copies[ir_index(value)] = v.bank == IR_BANK_M
                                         ? emit(k, OP_zext, ir_int(k->l->c->m, 32), IR_BANK_V, &value, 1)
                                         : emit(k, OP_copy, v.type, IR_BANK_V, &value, 1);
    }
}

static ir_ref kept(struct rounds *k, ir_ref r) {
    const uint32_t n = ir_index(r);
    if (ir_value_of(k->f, r)->bank != IR_BANK_M) return k->copies[n];
    if (k->within[n] != k->block) {
        const ir_ref zero = ir_constant_bits(k->f, ir_int(k->l->c->m, 32), 0, 0);
        k->masks[n] = emit(k, OP_ne, ir_int(k->l->c->m, 1), IR_BANK_M, (ir_ref[]){k->copies[n], zero}, 2);
        k->within[n] = k->block;
    }
    return k->masks[n];
}

// In front of a block's end: what phis take from here.
static void keep_for_phis(struct rounds *k) {
    const struct ir_graph *g = &k->l->forwards;
    for (uint32_t e = g->out_first[k->block]; e < g->out_first[k->block + 1]; e++) {
        const struct ir_block *b = &k->old.blocks.items[g->out[e]];
        for (uint32_t n = b->first; n < b->first + b->count && k->old.insts.items[n].op == OP_phi; n++) {
            const struct ir_inst *phi = &k->old.insts.items[n];
            for (uint32_t o = phi->first_operand; o + 1 < phi->first_operand + phi->operands; o += 2) {
                const ir_ref value = k->old.operands.items[o + 1];
                if (k->old.operands.items[o] != ir_make(IR_BLOCK, k->block) || !k->late[o + 1]) continue;
                const struct kept_at at = {k->block, ir_index(value), kept(k, value)};
                if (!array_push(&k->kept, at)) compiler_no_memory(k->l->c);
            }
        }
    }
}

static void copy(struct rounds *k, const struct ir_inst *i) {
    ARRAY(ir_ref) operands = {0};
    if (ir_is_terminator(i)) keep_for_phis(k);
    for (uint32_t o = i->first_operand; o < i->first_operand + i->operands; o++) {
        const ir_ref r = k->old.operands.items[o];
        const bool late = k->late[o] && i->op != OP_phi;
        if (!array_push(&operands, late ? kept(k, r) : r)) compiler_no_memory(k->l->c);
        if (k->late[o] && i->op == OP_phi &&
            !array_push(&k->waiting, (struct waiting){(uint32_t)k->f->insts.count, o - i->first_operand,
                                                      ir_index(k->old.operands.items[o - 1]), ir_index(r)}))
            compiler_no_memory(k->l->c);
    }
    struct ir_inst *now = ir_copy(k->f, &k->old, i);
    for (unsigned o = 0; o < operands.count && !k->f->module->failed; o++)
        k->f->operands.items[now->first_operand + o] = operands.items[o];
    array_free(&operands);
}

static void fill_phis(struct rounds *k) {
    for (size_t w = 0; w < k->waiting.count; w++) {
        const struct waiting *phi = &k->waiting.items[w];
        const struct ir_inst *i = &k->f->insts.items[phi->inst];
        for (size_t n = 0; n < k->kept.count; n++)
            if (k->kept.items[n].block == phi->block && k->kept.items[n].value == phi->value)
                k->f->operands.items[i->first_operand + phi->operand] = k->kept.items[n].now;
    }
}

// Copies of phis stand behind all phis of their block.
static void copy_block(struct rounds *k, const struct ir_block *b) {
    uint32_t phis = 0;
    ir_block_add(k->f);
    while (phis < b->count && k->old.insts.items[b->first + phis].op == OP_phi)
        copy(k, &k->old.insts.items[b->first + phis++]);
    for (uint32_t n = 0; n < phis; n++) copy_results(k, &k->old.insts.items[b->first + n]);
    for (uint32_t n = phis; n < b->count && !k->f->module->failed; n++) {
        copy(k, &k->old.insts.items[b->first + n]);
        copy_results(k, &k->old.insts.items[b->first + n]);
    }
}

void compiler_keep_rounds(struct lanes *l) {
    struct rounds k = {.l = l, .f = l->f, .values = (uint32_t)l->f->values.count};
    k.late = calloc(l->f->operands.count + 1, 1);
    k.wanted = calloc(k.values + 1, 1);
    k.copies = calloc(k.values + 1, sizeof *k.copies);
    k.masks = calloc(k.values + 1, sizeof *k.masks);
    k.within = malloc((k.values + 1) * sizeof *k.within);
    if (!k.late || !k.wanted || !k.copies || !k.masks || !k.within) {
        compiler_no_memory(l->c);
    } else if (find_late(&k)) {
        for (uint32_t v = 0; v < k.values; v++) k.within[v] = IR_NOWHERE;
        ir_take(l->f, &k.old);
        for (; k.block < k.old.blocks.count && !l->c->status && !l->f->module->failed; k.block++)
            copy_block(&k, &k.old.blocks.items[k.block]);
        if (!l->c->status && !l->f->module->failed) fill_phis(&k);
        ir_old_free(&k.old);
    }
    free(k.late);
    free(k.wanted);
    free(k.copies);
    free(k.masks);
    free(k.within);
    array_free(&k.kept);
    array_free(&k.waiting);
}
