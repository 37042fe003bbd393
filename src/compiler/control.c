// SPDX-License-Identifier: MIT
// From the ways of lanes to those of the wave, as plan.c has them: EXEC is set where lanes part and meet, and
// blocks end in jumps and branches of the wave. A p_logical says where the lanes of a block go, if not there:
// vector registers live along these ways. Behind it EXEC changes, so that what phis take is moved before it.
// Requires: select. Leaves: EXEC is not 0 in a block with instructions of the program; scalar phis follow the
// wave's ways, vector phis those of lanes; no edge from a block with several ways out to one with several in,
// except of lanes.
#include "compiler/control.h"

struct control {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    struct plan plan;
    struct linear linear;
    uint32_t *home;         // by old instruction: its block
    uint32_t *def;          // by value: the old instruction; IR_NO_DEF
    uint32_t *entry, *body; // by old block: the first new block, and that with its instructions
    uint32_t *waiting;      // by old block: the variable of the lanes that wait for it, plus one
    ir_ref *saved;          // by old block: EXEC at its end
    uint32_t *missed;       // by value whose definition the wave may miss: a variable plus one
    uint32_t *phi;          // by value of a scalar phi: its variable plus one
    uint32_t values;        // old ones
    ARRAY(uint32_t) phis;   // new instructions: vector phis, whose blocks are old ones
    uint16_t mask;          // the type of a lane mask
    bool lanes_end;         // some before the others
};

// Blocks are old ones until all are numbered. Behind these marks: where a block begins, where its
// instructions are, and where it is a new block already.
enum { TO_ENTRY = 0, TO_BODY = 1 << 27, TO_NEW = 1 << 28 };

static ir_ref block_ref(uint32_t block, uint32_t mark) { return ir_make(IR_BLOCK, block | mark); }
static uint32_t here(const struct control *k) { return (uint32_t)k->f->blocks.count - 1; }
static const struct plan_block *plan_of(const struct control *k, uint32_t block) {
    return &k->plan.blocks[block];
}

// ---- Lane masks ----

static const char *sized(const struct control *k, const char *wide, const char *narrow) {
    return k->f->facts.wave == 64 ? wide : narrow;
}

static ir_ref exec(const struct control *k) {
    return ir_make(IR_REGISTER, ir_register(IR_EXEC, 0, k->f->facts.wave / 32));
}

// A row of lane masks whose result is a new value, or EXEC.
static ir_ref row(struct control *k, const char *id, enum ir_bank bank, const ir_ref *o, unsigned count) {
    const struct row *row = compiler_named_row(k->c, id);
    if (!row) {
        compiler_refuse(k->c, NULL, "control flow on this processor");
        return IR_NOTHING;
    }
    const ir_ref r = ir_emit(k->f, ir_op_of_row(row), k->mask, o, count);
    if (ir_is(r, IR_VALUE)) k->f->values.items[ir_index(r)].bank = (uint8_t)bank;
    return r;
}

// Active lanes for which a condition holds, or does not.
static ir_ref part_of_exec(struct control *k, enum ir_bank bank, ir_ref condition, bool holds) {
    const struct ir_constant *known = ir_constant_of(k->f, condition);
    if (known) condition = ir_constant_bits(k->f, k->mask, (known->low != 0) == holds ? ~0ull : 0, 0);
    return holds || known
               ? row(k, sized(k, "s_and_b64", "s_and_b32"), bank, (ir_ref[]){condition, exec(k)}, 2)
               : row(k, sized(k, "s_and_not1_b64", "s_and_not1_b32"), bank, (ir_ref[]){exec(k), condition},
                     2);
}

// Lanes wait from here on for a block where the wave comes later.
static void wait_for(struct control *k, uint32_t from, uint32_t block, ir_ref lanes) {
    const uint32_t variable = k->waiting[block] - 1, loop = k->plan.loops.loop[from];
    const struct ir_graph *g = &k->plan.lanes;
    unsigned ways = 0;
    for (uint32_t e = g->in_first[block]; e < g->in_first[block + 1]; e++) ways += g->in[e] < block;
    // Nobody waits there before the only ones that come, unless they come in rounds of a loop.
    const bool first = ways == 1 && (loop == IR_NOWHERE || ir_in_loop(&k->plan.loops, block, loop));
    const ir_ref before = first ? IR_NOTHING : linear_read(&k->linear, variable, here(k));
    const ir_ref all =
        first && ir_is(lanes, IR_VALUE) ? lanes
        : first                         ? row(k, sized(k, "s_mov_b64", "s_mov_b32"), IR_BANK_S, &lanes, 1)
                : row(k, sized(k, "s_or_b64", "s_or_b32"), IR_BANK_S, (ir_ref[]){before, lanes}, 2);
    linear_define(&k->linear, variable, here(k), all);
}

// ---- Values that the wave may have missed ----

// True if the wave has been through the instructions of `from` whenever it comes to `block`.
static bool passes(const struct control *k, uint32_t from, uint32_t block) {
    const struct plan_block *p = &k->plan.blocks[from];
    if (from == block) return true;
    if (p->entry != ENTRY_SAME && p->skip != IR_NOWHERE && p->skip <= block) return false;
    return ir_graph_dominates(&k->plan.wave, from, block);
}

static ir_ref use(struct control *k, ir_ref r, uint32_t old_block, uint32_t new_block) {
    if (!ir_is(r, IR_VALUE) || ir_index(r) >= k->values || !k->missed[ir_index(r)]) return r;
    const uint32_t from = k->home[k->def[ir_index(r)]];
    if (passes(k, from, old_block)) return r;
    return linear_read(&k->linear, k->missed[ir_index(r)] - 1, new_block);
}

// ---- Blocks ----

// EXEC becomes that of the block's lanes.
static void set_exec(struct control *k, uint32_t block) {
    const struct plan_block *p = plan_of(k, block);
    if (p->entry == ENTRY_RESTORE) {
        row(k, sized(k, "s_mov_b64", "s_mov_b32"), IR_BANK_X, &k->saved[p->restored], 1);
    } else if (p->entry == ENTRY_PENDING) {
        const uint32_t variable = k->waiting[block] - 1;
        const ir_ref lanes = linear_read(&k->linear, variable, here(k));
        row(k, sized(k, "s_mov_b64", "s_mov_b32"), IR_BANK_X, &lanes, 1);
        linear_define(&k->linear, variable, here(k), ir_constant_bits(k->f, k->mask, 0, 0));
        // Where lanes end, none may be left.
        if (k->lanes_end && p->skip == IR_NOWHERE) ir_append(k->f, OP_p_exit, NULL, 0);
    }
}

// Blocks to which the wave does not come with the right EXEC are entered through one in front of them, if
// lanes go back there, or there may be none.
static bool has_front(const struct plan_block *p) {
    return p->entry != ENTRY_SAME && (p->is_header || p->skip != IR_NOWHERE);
}

static void begin(struct control *k, uint32_t block) {
    const struct plan_block *p = plan_of(k, block);
    k->entry[block] = ir_block_add(k->f);
    if (has_front(p)) {
        const uint32_t next = here(k) + 1;
        set_exec(k, block);
        ir_append(k->f, OP_p_logical, NULL, 0);
        if (p->skip != IR_NOWHERE) {
            ir_append(k->f, OP_p_skip, (ir_ref[]){block_ref(next, TO_NEW), block_ref(next + 1, TO_NEW)}, 2);
            ir_block_add(k->f);
            ir_append(k->f, OP_p_logical, NULL, 0);
            ir_append(k->f, OP_jump, (ir_ref[]){block_ref(p->skip, TO_ENTRY)}, 1);
            if (p->is_header) { // to which the wave comes from elsewhere, too
                ir_block_add(k->f);
                ir_append(k->f, OP_p_logical, NULL, 0);
                ir_append(k->f, OP_jump, (ir_ref[]){block_ref(next + 2, TO_NEW)}, 1);
            }
        } else
            ir_append(k->f, OP_jump, (ir_ref[]){block_ref(next, TO_NEW)}, 1);
        ir_block_add(k->f);
    }
    k->body[block] = here(k);
}

// What scalar phis of a block take from here.
static void define_phis(struct control *k, uint32_t from, uint32_t to) {
    const struct ir_block *b = &k->old.blocks.items[to];
    for (uint32_t n = b->first; n < b->first + b->count && k->old.insts.items[n].op == OP_phi; n++) {
        const struct ir_inst *phi = &k->old.insts.items[n];
        if (!k->phi[phi->first_result]) continue;
        for (uint32_t o = phi->first_operand; o + 1 < phi->first_operand + phi->operands; o += 2)
            if (k->old.operands.items[o] == ir_make(IR_BLOCK, from))
                linear_define(&k->linear, k->phi[phi->first_result] - 1, here(k),
                              use(k, k->old.operands.items[o + 1], from, k->body[from]));
    }
}

// All lanes go the same way, at once or when the wave comes there.
static void jump(struct control *k, uint32_t block, const struct way *w, uint32_t location) {
    const bool back = w->to <= block;
    const enum plan_entry entry = plan_of(k, w->to)->entry;
    if (w->next != w->to || (!back && entry != ENTRY_SAME))
        ir_append(k->f, OP_p_logical, (ir_ref[]){block_ref(w->to, TO_BODY)}, 1);
    if (!back && entry == ENTRY_PENDING) wait_for(k, block, w->to, exec(k));
    ir_append(k->f, OP_jump, (ir_ref[]){block_ref(w->next, back ? TO_BODY : TO_ENTRY)}, 1)->location =
        location;
}

// One way of a branch that all lanes take: a block of its own, which costs nothing where it is empty.
static void add_way(struct control *k, uint32_t block, const struct way *w) {
    ir_block_add(k->f);
    define_phis(k, block, w->to);
    jump(k, block, w, 0);
}

static void end_branch(struct control *k, uint32_t block, const struct ir_inst *i) {
    const struct plan_block *p = plan_of(k, block);
    ir_ref condition = use(k, k->old.operands.items[i->first_operand], block, k->body[block]);
    const struct ir_value *v = ir_value_of(k->f, condition);
    if (p->in_turn && v && v->bank == IR_BANK_SCC) { // the same in all lanes, but the wave visits both sides
        const ir_ref o[] = {ir_constant_bits(k->f, k->mask, ~0ull, 0), ir_constant_bits(k->f, k->mask, 0, 0),
                            condition};
        condition = row(k, sized(k, "s_cselect_b64", "s_cselect_b32"), IR_BANK_S, o, 3);
    }
    if (!p->in_turn) {
        const uint32_t next = here(k) + 1;
        ir_append(k->f, OP_branch,
                  (ir_ref[]){condition, block_ref(next, TO_NEW), block_ref(next + 1, TO_NEW)}, 3)
            ->location = i->location;
        for (unsigned n = 0; n < 2; n++) add_way(k, block, &p->way[n]);
        return;
    }
    for (unsigned n = 0; n < 2; n++) define_phis(k, block, p->way[n].to);
    ir_append(k->f, OP_p_logical,
              (ir_ref[]){block_ref(p->way[0].to, TO_BODY), block_ref(p->way[1].to, TO_BODY)}, 2);
    for (unsigned n = 0; n < 2; n++)
        if (plan_of(k, p->way[n].to)->entry == ENTRY_PENDING)
            wait_for(k, block, p->way[n].to, part_of_exec(k, IR_BANK_S, condition, n == 0));
    for (unsigned n = 0; n < 2; n++)
        if (p->next == p->way[n].to && plan_of(k, p->next)->entry == ENTRY_NARROW)
            part_of_exec(k, IR_BANK_X, condition, n == 0);
    ir_append(k->f, OP_jump, (ir_ref[]){block_ref(p->next, TO_ENTRY)}, 1)->location = i->location;
}

static void copy(struct control *k, uint32_t block, const struct ir_inst *i) {
    const struct ir_inst *now = ir_copy(k->f, &k->old, i);
    for (unsigned o = 0; o < i->operands && !k->c->m->failed; o++) {
        ir_ref *r = &k->f->operands.items[now->first_operand + o];
        *r = use(k, *r, block, k->body[block]);
    }
}

static void end(struct control *k, uint32_t block, const struct ir_inst *i) {
    const struct plan_block *p = plan_of(k, block);
    if (p->saves) { // SCC stays as it is
        const ir_ref now = exec(k);
        k->saved[block] = row(k, sized(k, "s_mov_b64", "s_mov_b32"), IR_BANK_S, &now, 1);
    }
    if (p->ways == 2) {
        end_branch(k, block, i);
    } else if (p->ways == 1) {
        define_phis(k, block, p->way[0].to);
        jump(k, block, &p->way[0], i->location);
    } else if (p->next != IR_NOWHERE) {
        if (i->op != OP_unreachable && i->op != OP_p_end_lanes)
            compiler_refuse(k->c, NULL, "a program that ends for some lanes alone");
        ir_append(k->f, OP_p_logical, NULL, 0);
        ir_append(k->f, OP_jump, (ir_ref[]){block_ref(p->next, TO_ENTRY)}, 1);
    } else if (i->op == OP_unreachable && compiler_named_row(k->c, "s_endpgm")) {
        ir_append(k->f, ir_op_of_row(compiler_named_row(k->c, "s_endpgm")), NULL, 0);
    } else
        copy(k, block, i);
}

static bool is_of_lanes(const struct control *k, uint32_t value) {
    return ir_is_of_lanes((enum ir_bank)k->f->values.items[value].bank);
}

static void phi(struct control *k, uint32_t block, const struct ir_inst *i) {
    if (is_of_lanes(k, i->first_result)) {
        if (!array_push(&k->phis, (uint32_t)k->f->insts.count)) compiler_no_memory(k->c);
        ir_copy(k->f, &k->old, i);
    } else
        linear_read_as(&k->linear, k->phi[i->first_result] - 1, k->body[block], i->first_result);
}

static void write_block(struct control *k, uint32_t block) {
    const struct ir_block *b = &k->old.blocks.items[block];
    bool entered = false;
    begin(k, block);
    for (uint32_t n = b->first; n < b->first + b->count && !k->c->status && !k->c->m->failed; n++) {
        const struct ir_inst *i = &k->old.insts.items[n];
        if (i->op != OP_phi && !entered && !has_front(plan_of(k, block))) set_exec(k, block);
        entered |= i->op != OP_phi;
        if (i->op == OP_phi) {
            phi(k, block, i);
        } else if (ir_is_terminator(i)) {
            end(k, block, i);
        } else
            copy(k, block, i);
    }
    // Values that the wave may miss elsewhere are known at the end of the block that makes them.
    for (uint32_t n = b->first; n < b->first + b->count && !k->c->status; n++)
        for (unsigned r = 0; r < k->old.insts.items[n].results; r++) {
            const uint32_t value = k->old.insts.items[n].first_result + r;
            if (k->missed[value])
                linear_define(&k->linear, k->missed[value] - 1, k->body[block], ir_make(IR_VALUE, value));
        }
}

// ---- The pass ----

static void renumber(struct control *k, ir_ref *r) {
    if (!ir_is(*r, IR_BLOCK)) return;
    const uint32_t n = ir_index(*r), old = n & ~(uint32_t)(TO_BODY | TO_NEW);
    *r = ir_make(IR_BLOCK, n & TO_NEW ? old : n & TO_BODY ? k->body[old] : k->entry[old]);
}

// The new blocks from which lanes come to a phi: those whose ways name its block.
static void renumber_phi(struct control *k, const struct ir_inst *phi) {
    const uint32_t to = k->home[k->def[phi->first_result]];
    for (unsigned n = 0; n + 1 < phi->operands; n += 2) {
        ir_ref *r = &k->f->operands.items[phi->first_operand + n];
        const uint32_t from = ir_index(r[0]);
        const struct plan_block *p = plan_of(k, from);
        const bool has_edge = p->ways == 2 && !p->in_turn;
        r[1] = use(k, r[1], from, k->body[from]);
        r[0] = ir_make(IR_BLOCK, k->body[from] + (!has_edge ? 0 : p->way[0].to == to ? 1 : 2));
    }
}

static bool prepare(struct control *k) {
    const size_t blocks = k->f->blocks.count + 1, values = k->f->values.count + 1;
    k->home = calloc(k->f->insts.count + 1, sizeof *k->home);
    k->def = calloc(values, sizeof *k->def);
    k->entry = calloc(blocks, sizeof *k->entry);
    k->body = calloc(blocks, sizeof *k->body);
    k->waiting = calloc(blocks, sizeof *k->waiting);
    k->saved = calloc(blocks, sizeof *k->saved);
    k->missed = calloc(values, sizeof *k->missed);
    k->phi = calloc(values, sizeof *k->phi);
    k->values = (uint32_t)k->f->values.count;
    if (!k->home || !k->def || !k->entry || !k->body || !k->waiting || !k->saved || !k->missed || !k->phi)
        return false;
    for (uint32_t b = 0; b + 1 < blocks; b++)
        for (uint32_t n = 0; n < k->f->blocks.items[b].count; n++)
            k->home[k->f->blocks.items[b].first + n] = b;
    for (uint32_t v = 0; v + 1 < values; v++)
        k->def[v] = k->f->values.items[v].def < k->f->insts.count ? k->f->values.items[v].def : IR_NO_DEF;
    return true;
}

static uint32_t variable_of(struct control *k, uint32_t value) {
    const struct ir_value v = k->f->values.items[value];
    return linear_variable(&k->linear, v.type, (enum ir_bank)v.bank, ir_poison(k->f, v.type)) + 1;
}

// What is known before any block is written.
static void make_variables(struct control *k) {
    const ir_ref none = ir_constant_bits(k->f, k->mask, 0, 0);
    for (uint32_t b = 0; b < k->plan.lanes.nodes; b++)
        if (plan_of(k, b)->entry == ENTRY_PENDING)
            k->waiting[b] = linear_variable(&k->linear, k->mask, IR_BANK_S, none) + 1;
    for (uint32_t n = 0; n < k->f->insts.count && !k->c->status; n++) {
        const struct ir_inst *i = &k->f->insts.items[n];
        k->lanes_end |= i->op == OP_p_end_lanes;
        if (i->op == OP_phi && !is_of_lanes(k, i->first_result))
            k->phi[i->first_result] = variable_of(k, i->first_result);
        for (unsigned o = 0; o < i->operands; o++) {
            const ir_ref r = ir_operand(k->f, i, o);
            if (!ir_is(r, IR_VALUE) || is_of_lanes(k, ir_index(r)) || k->def[ir_index(r)] == IR_NO_DEF)
                continue;
            const uint32_t at = i->op == OP_phi ? ir_index(ir_operand(k->f, i, o - 1)) : k->home[n];
            const uint32_t from = k->home[k->def[ir_index(r)]];
            if (!passes(k, from, at) && !k->missed[ir_index(r)])
                k->missed[ir_index(r)] = variable_of(k, ir_index(r));
        }
    }
}

// All blocks are written and have their numbers.
static void renumber_all(struct control *k) {
    for (size_t n = 0; n < k->phis.count; n++) renumber_phi(k, &k->f->insts.items[k->phis.items[n]]);
    for (size_t n = 0; n < k->f->insts.count; n++) {
        const struct ir_inst *i = &k->f->insts.items[n];
        for (unsigned o = 0; o < i->operands && i->op != OP_phi; o++)
            renumber(k, &k->f->operands.items[i->first_operand + o]);
    }
    if (!ir_cfg(k->f)) compiler_no_memory(k->c);
}

void compiler_control(struct compiler *c) {
    struct control k = {.c = c, .f = c->f, .plan = {.c = c, .f = c->f}, .linear = {.c = c, .f = c->f}};
    k.mask = ir_type_of(c->m, IR_BITS, c->f->facts.wave, 1);
    control_plan(&k.plan);
    if (!c->status && !prepare(&k)) compiler_no_memory(c);
    if (!c->status) make_variables(&k);
    ir_take(c->f, &k.old);
    for (uint32_t b = 0; b < k.old.blocks.count && !c->status && !c->m->failed; b++) write_block(&k, b);
    if (!c->status && !c->m->failed) {
        renumber_all(&k);
        linear_finish(&k.linear);
    }
    linear_free(&k.linear);
    control_plan_free(&k.plan);
    ir_old_free(&k.old);
    array_free(&k.phis);
    free(k.home);
    free(k.def);
    free(k.entry);
    free(k.body);
    free(k.waiting);
    free(k.saved);
    free(k.missed);
    free(k.phi);
}
