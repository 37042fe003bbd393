// SPDX-License-Identifier: MIT
#include "compiler/split.h"

enum { NEW_BLOCK = 1 << 28 };

ir_ref split_emit(struct split *s, unsigned op, uint16_t type, const ir_ref *operands, unsigned count) {
    ir_append(s->f, op, operands, count)->location = s->i->location;
    return ir_result(s->f, type);
}

void split_set_memory(struct split *s, const struct ir_memory *m) {
    if (!s->f->module->failed) s->f->insts.items[s->f->insts.count - 1].memory = ir_memory_add(s->f, m);
}

ir_ref split_block(uint32_t number) { return ir_make(IR_BLOCK, number | NEW_BLOCK); }

void split_jump(struct split *s, uint32_t to) {
    ir_append(s->f, OP_jump, (ir_ref[]){split_block(to)}, 1)->location = s->i->location;
}

void split_branch(struct split *s, ir_ref condition, uint32_t yes, uint32_t no) {
    ir_append(s->f, OP_branch, (ir_ref[]){condition, split_block(yes), split_block(no)}, 3)->location =
        s->i->location;
}

ir_ref split_phi(struct split *s, uint16_t type, uint32_t from, ir_ref value, uint32_t other, uint32_t *at) {
    *at = (uint32_t)s->f->insts.count;
    return SPLIT_EMIT(s, OP_phi, type, split_block(from), value, split_block(other), IR_NOTHING);
}

void split_fill(struct split *s, uint32_t phi, ir_ref value) {
    if (!s->f->module->failed) s->f->operands.items[s->f->insts.items[phi].first_operand + 3] = value;
}

// A phi comes from the last block that an old one became, jumps go to the first.
static void number_targets(struct split *s) {
    for (size_t n = 0; n < s->f->insts.count; n++) {
        const struct ir_inst *i = &s->f->insts.items[n];
        for (unsigned k = 0; k < i->operands; k++) {
            ir_ref *r = &s->f->operands.items[i->first_operand + k];
            if (!ir_is(*r, IR_BLOCK)) continue;
            const uint32_t at = ir_index(*r);
            *r = ir_make(IR_BLOCK, at & NEW_BLOCK    ? at & ~(uint32_t)NEW_BLOCK
                                   : i->op == OP_phi ? s->last[at]
                                                     : s->first[at]);
        }
    }
}

static bool any_wanted(struct split *s, bool (*wanted)(struct split *)) {
    bool any = false;
    for (size_t n = 0; n < s->f->insts.count && !any; n++) {
        s->i = &s->f->insts.items[n];
        any = wanted(s);
    }
    return any;
}

static void rewrite(struct split *s, bool (*wanted)(struct split *), void (*expand)(struct split *)) {
    ir_take(s->f, &s->old);
    for (size_t b = 0; b < s->old.blocks.count && !s->c->status && !s->c->m->failed; b++) {
        const struct ir_block *block = &s->old.blocks.items[b];
        s->first[b] = ir_block_add(s->f);
        for (uint32_t n = 0; n < block->count && !s->c->status && !s->c->m->failed; n++) {
            s->i = &s->old.insts.items[block->first + n];
            if (wanted(s))
                expand(s);
            else
                ir_copy(s->f, &s->old, s->i);
        }
        s->last[b] = split_here(s);
    }
    if (!s->c->status && !s->c->m->failed) number_targets(s);
    ir_old_free(&s->old);
}

void compiler_split(struct compiler *c, void *own, bool (*wanted)(struct split *s),
                    void (*expand)(struct split *s)) {
    struct split s = {.c = c, .f = c->f, .own = own};
    if (!any_wanted(&s, wanted)) return;
    s.first = calloc(c->f->blocks.count + 1, sizeof *s.first);
    s.last = calloc(c->f->blocks.count + 1, sizeof *s.last);
    if (s.first && s.last)
        rewrite(&s, wanted, expand);
    else
        compiler_no_memory(c);
    free(s.first);
    free(s.last);
}
