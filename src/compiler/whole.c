// SPDX-License-Identifier: MIT
// Code of whole waves and quads: what strict.wwm and strict.wqm take is computed with all lanes, or with all
// of quads, back to where set.inactive says what other lanes hold, to memory that is written, and to calls.
// Such instructions say which lanes execute them, and their results are in bank w. A phi where lanes meet
// that came different ways stays one of lanes. In a pixel shader that keeps its live lanes (legal_quads.c),
// what others can see is done by these alone. Requires: select. Leaves: no p_whole, p_quads, p_set_inactive.
#include "compiler/registers.h"

#include "isa/isa.h"

struct whole {
    struct compiler *c;
    struct ir_function *f;
    uint8_t *wanted;      // by instruction: enum ir_lanes
    uint32_t *home;       // by instruction: its block
    ARRAY(uint32_t) todo; // instructions whose operands are looked at
    struct ir_graph lanes, ends;
};

static unsigned format_of(const struct compiler *c, const struct row *row) {
    return c->isa->codings[c->isa->row_codings[row - isa_rows]].format;
}

// True if others can see that it was executed.
static bool is_seen(const struct compiler *c, const struct ir_function *f, const struct ir_inst *i) {
    const struct ir_memory *m = ir_memory_of(f, i);
    if (ir_has_called(i->op)) return true;
    if (!ir_is_row(i->op)) return false;
    const struct row *row = ir_row(i->op);
    // Some rows of loads are those of loads to LDS as well.
    const bool writes = row->atomic || row->flags & ROW_ATOMIC || (row->flags & ROW_STORE && !i->results);
    return format_of(c, row) == FMT_EXP || (writes && !(m && m->space == IR_PRIVATE));
}

// True if lanes do not matter to it.
static bool is_scalar(const struct whole *w, const struct ir_inst *i) {
    const unsigned format = ir_is_row(i->op) ? format_of(w->c, ir_row(i->op)) : FMT_SOPP + 1u;
    for (unsigned o = 0; o < i->operands; o++) {
        const ir_ref r = ir_operand(w->f, i, o);
        if (ir_is(r, IR_REGISTER) && ir_register_class_of(ir_index(r)) == IR_EXEC) return false;
    }
    return i->op == OP_phi || i->op == OP_p_address || format <= FMT_SOPP || format == FMT_SMEM;
}

static void want(struct whole *w, ir_ref r, enum ir_lanes lanes) {
    const struct ir_inst *i = ir_def(w->f, r);
    if (!i || is_seen(w->c, w->f, i) || ir_is_terminator(i)) return;
    uint8_t *now = &w->wanted[i - w->f->insts.items];
    if (*now == IR_LANES_ALL || *now == lanes) return;
    *now = (uint8_t)lanes;
    if (!array_push(&w->todo, (uint32_t)(i - w->f->insts.items))) compiler_no_memory(w->c);
}

static void find(struct whole *w) {
    for (size_t n = 0; n < w->f->insts.count; n++) {
        const struct ir_inst *i = &w->f->insts.items[n];
        const ir_ref r = ir_make(IR_VALUE, i->first_result);
        if (i->op == OP_p_whole || i->op == OP_p_quads)
            want(w, ir_operand(w->f, i, 0), i->op == OP_p_whole ? IR_LANES_ALL : IR_LANES_QUADS);
        if (i->op == OP_p_set_inactive) want(w, r, IR_LANES_ALL);
    }
    while (w->todo.count && !w->c->status) {
        const uint32_t n = w->todo.items[--w->todo.count];
        const struct ir_inst *i = &w->f->insts.items[n];
        for (unsigned o = i->op == OP_p_set_inactive; o < i->operands; o++)
            want(w, ir_operand(w->f, i, o), (enum ir_lanes)w->wanted[n]);
    }
}

// True if lanes that the wave does not bring along may come to the phi: those of a branch that they take
// differently, between the block that stands before all ways to the phi and the phi.
static bool meets(const struct whole *w, uint32_t block) {
    const uint32_t above = w->lanes.dominator[block];
    for (uint32_t b = above == IR_NOWHERE ? 0 : above; b < block; b++) {
        const struct ir_block *k = &w->f->blocks.items[b];
        const uint32_t end = w->ends.dominator[b];
        if (k->count && w->f->insts.items[k->first + k->count - 1].flags & IR_DIVERGENT &&
            (end == IR_NOWHERE || end >= block || end <= b))
            return true;
    }
    return false;
}

// A phi at the head of a loop takes what the wave brings, whichever of its lanes go round.
static bool follows_wave(const struct whole *w, const struct ir_inst *phi, uint32_t block) {
    unsigned before = 0;
    for (unsigned n = 0; n < phi->operands; n += 2) before += ir_index(ir_operand(w->f, phi, n)) < block;
    return before == 1 || !meets(w, block);
}

static void set_banks(struct whole *w) {
    for (uint32_t n = 0; n < w->f->insts.count; n++) {
        struct ir_inst *i = &w->f->insts.items[n];
        const struct ir_value *from = ir_value_of(w->f, ir_operand(w->f, i, 0));
        const bool names = live_renamed(w->f, i) != NO_VALUE && from->bank == IR_BANK_W;
        const bool stays = i->op == OP_phi && !follows_wave(w, i, w->home[n]);
        if (w->wanted[n] && !is_scalar(w, i)) i->lanes = w->wanted[n];
        for (unsigned r = 0; r < i->results && ((w->wanted[n] && !stays) || names); r++) {
            struct ir_value *v = &w->f->values.items[i->first_result + r];
            if (v->bank == IR_BANK_V) v->bank = IR_BANK_W;
        }
    }
    // The first lane of what is not there in all of them is the first that executes.
    for (size_t n = 0; n < w->f->insts.count; n++) {
        struct ir_inst *i = &w->f->insts.items[n];
        const struct ir_value *from = ir_value_of(w->f, ir_operand(w->f, i, 0));
        if (ir_is_row(i->op) && !strcmp(isa_row_name(w->c->isa, ir_row(i->op)), "v_readfirstlane_b32") &&
            from && from->bank != IR_BANK_W)
            i->lanes = IR_LANES_OWN;
    }
}

// Several copies of an input are one: all of them are in w, or none.
static void join_inputs(struct whole *w) {
    for (size_t n = 0; n < w->f->insts.count; n++) {
        const struct ir_inst *i = &w->f->insts.items[n];
        if (!live_is_input(w->f, i) || w->f->values.items[i->first_result].bank != IR_BANK_W) continue;
        for (size_t k = 0; k < w->f->insts.count; k++) {
            const struct ir_inst *o = &w->f->insts.items[k];
            if (live_is_input(w->f, o) && ir_operand(w->f, o, 0) == ir_operand(w->f, i, 0))
                w->f->values.items[o->first_result].bank = IR_BANK_W;
        }
    }
}

static void replace(struct whole *w, struct ir_inst *i) {
    const bool select = i->op == OP_p_set_inactive;
    const struct row *row = compiler_named_row(w->c, select ? "v_cndmask_b32" : "v_mov_b32");
    const ir_ref o[] = {ir_operand(w->f, i, select), ir_operand(w->f, i, 0),
                        ir_make(IR_REGISTER, lanes_saved(w->f))};
    if (i->op != OP_p_whole && i->op != OP_p_quads && !select) return;
    if (!row)
        compiler_refuse(w->c, i, "code of whole waves on this processor");
    else if (!ir_set_operands(w->f, i, o, select ? 3 : 1))
        compiler_no_memory(w->c);
    else
        i->op = ir_op_of_row(row);
}

static bool prepare(struct whole *w) {
    const size_t count = w->f->insts.count + 1;
    w->wanted = calloc(count, 1);
    w->home = calloc(count, sizeof *w->home);
    if (!w->wanted || !w->home || !ir_lane_graphs(w->f, &w->lanes, &w->ends, NULL)) return false;
    for (uint32_t b = 0; b < w->f->blocks.count; b++)
        for (uint32_t n = 0; n < w->f->blocks.items[b].count; n++)
            w->home[w->f->blocks.items[b].first + n] = b;
    return true;
}

void compiler_whole(struct compiler *c) {
    struct whole w = {.c = c, .f = c->f};
    bool any = false;
    for (size_t n = 0; n < c->f->insts.count; n++) {
        struct ir_inst *i = &c->f->insts.items[n];
        any |= i->op >= OP_p_whole && i->op <= OP_p_set_inactive;
        if (c->f->facts.live && is_seen(c, c->f, i)) i->lanes = IR_LANES_LIVE;
    }
    if (!any) return;
    if (!prepare(&w)) compiler_no_memory(c);
    if (!c->status) find(&w);
    if (!c->status) set_banks(&w);
    if (!c->status) join_inputs(&w);
    for (size_t n = 0; n < c->f->insts.count && !c->status; n++) replace(&w, &c->f->insts.items[n]);
    ir_graph_free(&w.lanes);
    ir_graph_free(&w.ends);
    array_free(&w.todo);
    free(w.wanted);
    free(w.home);
}
