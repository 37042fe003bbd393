// SPDX-License-Identifier: MIT
// EXEC around instructions that other lanes execute than those of the block: all, those of whole quads, the
// live ones of a pixel shader. The block's own lanes are in a register of the function's meanwhile, and are
// back before anything else asks EXEC. The last part of the pass assign.
#include "compiler/registers.h"

#include "isa/isa.h"

struct switcher {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    enum ir_lanes now;
};

bool lanes_change(const struct ir_function *f) {
    bool any = f->facts.live != 0;
    for (size_t n = 0; n < f->insts.count && !any; n++) any = f->insts.items[n].lanes != IR_LANES_OWN;
    for (size_t v = 0; v < f->values.count && !any; v++) any = f->values.items[v].bank == IR_BANK_W;
    return any;
}

static ir_ref operand(const struct switcher *s, const struct ir_inst *i, unsigned n) {
    return n < i->operands ? s->old.operands.items[i->first_operand + n] : IR_NOTHING;
}

static bool asks_exec(const struct switcher *s, const struct ir_inst *i) {
    bool asks = false;
    for (unsigned r = 0; r < i->results; r++)
        asks |= s->f->values.items[i->first_result + r].bank == IR_BANK_X;
    for (unsigned o = 0; o < i->operands; o++) {
        const ir_ref r = operand(s, i, o);
        asks |= ir_is(r, IR_REGISTER) && ir_register_class_of(ir_index(r)) == IR_EXEC;
        asks |= ir_is(r, IR_VALUE) && s->f->values.items[ir_index(r)].bank == IR_BANK_X;
    }
    return asks;
}

// True if it is nothing but another name, which has no text.
static bool is_name(const struct switcher *s, const struct ir_inst *i) {
    const ir_ref from = operand(s, i, 0);
    if (i->op != OP_p_part && i->op != OP_p_copy) return false;
    if (ir_is(from, IR_REGISTER)) return s->f->registers[i->first_result] == ir_index(from);
    return ir_is(from, IR_VALUE) &&
           live_file(ir_value_of(s->f, from)) == live_file(&s->f->values.items[i->first_result]);
}

// True if it does the same whatever lanes execute.
static bool is_indifferent(const struct switcher *s, const struct ir_inst *i) {
    if (i->op == OP_phi || i->op == OP_p_wait || i->op == OP_p_logical || i->op == OP_p_write_lane ||
        i->op == OP_p_address || is_name(s, i))
        return true;
    if (i->op == OP_p_copy || i->op == OP_p_tuple)
        return live_file(&s->f->values.items[i->first_result]) == IR_SGPR;
    if (!ir_is_row(i->op) || asks_exec(s, i) || ir_is_terminator(i)) return false;
    const struct row *row = ir_row(i->op);
    const unsigned format = s->c->isa->codings[s->c->isa->row_codings[row - isa_rows]].format;
    return format <= FMT_SOPP || format == FMT_SMEM;
}

static enum ir_lanes lanes_of(const struct switcher *s, const struct ir_inst *i) {
    bool whole = false;
    for (unsigned r = 0; r < i->results; r++)
        whole |= s->f->values.items[i->first_result + r].bank == IR_BANK_W;
    return i->lanes == IR_LANES_OWN && whole ? IR_LANES_ALL : (enum ir_lanes)i->lanes;
}

// True if what stands in SCC behind an instruction is asked before it is written again.
static bool needs_scc(const struct switcher *s, const struct ir_block *b, uint32_t n) {
    for (; n < b->first + b->count; n++) {
        const struct ir_inst *i = &s->old.insts.items[n];
        for (unsigned o = 0; o < i->operands; o++) {
            const struct ir_value *v = ir_value_of(s->f, operand(s, i, o));
            if (v && v->bank == IR_BANK_SCC) return true;
        }
        for (unsigned r = 0; r < i->results; r++)
            if (s->f->values.items[i->first_result + r].bank == IR_BANK_SCC) return false;
    }
    return false;
}

static void set(struct switcher *s, const char *wide, const char *narrow, ir_ref a, ir_ref b, ir_ref c) {
    const struct row *row = compiler_named_row(s->c, s->f->facts.wave == 64 ? wide : narrow);
    if (!row)
        compiler_refuse(s->c, NULL, "code of whole waves on this processor");
    else
        ir_append(s->f, ir_op_of_row(row), (ir_ref[]){a, b, c}, ir_is(c, IR_NONE) ? 2 : 3);
}

static void go_to(struct switcher *s, enum ir_lanes lanes, const struct ir_block *b, uint32_t n) {
    const ir_ref exec = ir_make(IR_REGISTER, ir_register(IR_EXEC, 0, s->f->facts.wave / 32)),
                 own = ir_make(IR_REGISTER, lanes_saved(s->f)), live = ir_make(IR_REGISTER, lanes_live(s->f)),
                 all = ir_constant_bits(s->f, ir_int(s->c->m, s->f->facts.wave), ~0ull, 0);
    if (lanes == s->now) return;
    if (s->now == IR_LANES_OWN)
        set(s, "s_mov_b64", "s_mov_b32", own, exec, IR_NOTHING);
    else if (lanes != IR_LANES_ALL)
        set(s, "s_mov_b64", "s_mov_b32", exec, own, IR_NOTHING);
    if ((lanes == IR_LANES_QUADS || lanes == IR_LANES_LIVE) && needs_scc(s, b, n))
        compiler_refuse(s->c, &s->old.insts.items[n], "a change of lanes beside a scalar condition");
    if (lanes == IR_LANES_ALL) set(s, "s_mov_b64", "s_mov_b32", exec, all, IR_NOTHING);
    if (lanes == IR_LANES_QUADS) set(s, "s_wqm_b64", "s_wqm_b32", exec, exec, IR_NOTHING);
    if (lanes == IR_LANES_LIVE) set(s, "s_and_b64", "s_and_b32", exec, exec, live);
    s->now = lanes;
}

void compiler_lanes(struct compiler *c) {
    struct switcher s = {.c = c, .f = c->f};
    if (!lanes_change(c->f)) return;
    ir_take(c->f, &s.old);
    for (size_t b = 0; b < s.old.blocks.count && !c->status && !c->m->failed; b++) {
        const struct ir_block *block = &s.old.blocks.items[b];
        ir_block_add(c->f);
        for (uint32_t n = block->first; n < block->first + block->count && !c->m->failed; n++) {
            const struct ir_inst *i = &s.old.insts.items[n];
            if (!is_indifferent(&s, i)) go_to(&s, lanes_of(&s, i), block, n);
            ir_copy(c->f, &s.old, i);
        }
    }
    ir_old_free(&s.old);
}
