// SPDX-License-Identifier: MIT
// Which values are the same in all lanes, and in which bank each lives: s (scalar registers), v, or m for i1
// (a lane mask). A uniform value whose operation no scalar row computes lives in v; that costs nothing but
// space. Values that lanes keep from the round in which they left a loop are copied to v. Requires: blocks.
// Leaves: no value of bank any; branches that lanes take differently have the flag divergent.
#include "compiler/divergence.h"

#include <stdio.h>

const struct row *compiler_scalar_buffer_row(const struct compiler *c, unsigned bytes) {
    char id[32];
    if (bytes == 12) bytes = 16;
    snprintf(id, sizeof id, "s_buffer_load_%c%u", bytes < 4 ? 'u' : 'b', bytes * 8);
    return compiler_named_row(c, id);
}

bool compiler_loads_scalar(const struct compiler *c, const struct ir_inst *i) {
    const struct ir_memory *m = ir_memory_of(c->f, i);
    const bool quiet =
        m->space == IR_CONSTANT_SPACE || (m->space == IR_GLOBAL && m->flags & (IR_INVARIANT | IR_NOCLOBBER));
    if (m->space == IR_RESOURCE) return i->op == OP_load && compiler_scalar_buffer_row(c, m->bytes);
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
    if (i->op == OP_copy || i->op == OP_load || i->op == OP_freeze || i->op == OP_buffer_place) return true;
    for (unsigned n = 0; n < i->operands; n++) {
        const struct ir_type *o = ir_type_at(c->m, ir_ref_type(c->f, ir_operand(c->f, i, n)));
        if (float_kinds >> o->kind & 1 && i->op != OP_bitcast) return false;
    }
    if (i->op == OP_vector && t->bits == 32) return true; // as of arguments: descriptors
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
    case OP_hardware_field:
    case OP_readfirstlane: return true;
    case OP_mul: return t->bits <= 32 || compiler_row(c, OP_mulhu, SELECT_S, 32, 0) != NULL;
    default: return t->bits == 32 && compiler_row(c, i->op, SELECT_S, 32, 0) != NULL;
    }
}

// ---- Ways that lanes take differently ----
// What the pass knows only ever grows less: values fall from uniform to divergent and from s to v, branches
// become divergent, and with them the blocks in which their lanes meet again.

static void come(struct lanes *l, uint32_t to, uint32_t side) {
    if (l->side[to] == IR_NOWHERE)
        l->side[to] = side;
    else if (l->side[to] != side)
        l->meets[to] = true, l->side[to] = to;
}

// Lanes that go on with a loop which others leave come out of it later, by any way.
static void leave(struct lanes *l, uint32_t loop, uint32_t side, uint32_t end) {
    const struct ir_graph *g = &l->forwards;
    for (uint32_t b = loop; b < g->nodes; b++)
        for (uint32_t e = g->out_first[b]; e < g->out_first[b + 1] && ir_in_loop(&l->loops, b, loop); e++)
            if (!ir_in_loop(&l->loops, g->out[e], loop) && g->out[e] > b && g->out[e] <= end)
                come(l, g->out[e], side);
}

// The side of a branch from which lanes come to each block behind it; a block to which they come from two is
// a side of its own. Blocks are numbered in the wave's order, and behind `end` all lanes are together again.
static void find_meetings(struct lanes *l, uint32_t branch, uint32_t end) {
    const struct ir_graph *g = &l->forwards;
    for (uint32_t b = branch; b < g->nodes && b <= end; b++) l->side[b] = IR_NOWHERE;
    for (uint32_t e = g->out_first[branch]; e < g->out_first[branch + 1]; e++)
        if (g->out[e] > branch) l->side[g->out[e]] = g->out[e];
    for (uint32_t b = branch + 1; b < g->nodes && b < end; b++)
        for (uint32_t e = g->out_first[b]; e < g->out_first[b + 1] && l->side[b] != IR_NOWHERE; e++) {
            const uint32_t to = g->out[e];
            if (to <= b && l->loops.loop[to] == to && ir_in_loop(&l->loops, branch, to))
                leave(l, to, l->side[b], end);
            if (to > b && to <= end) come(l, to, l->side[b]);
        }
}

static void make_divergent(struct lanes *l, struct ir_inst *i, uint32_t block) {
    const uint32_t end =
        l->backwards.dominator[block]; // where all lanes come; the node behind all blocks: nowhere
    i->flags |= IR_DIVERGENT;
    find_meetings(l, block, end == IR_NOWHERE ? l->forwards.nodes : end);
    for (uint32_t loop = l->loops.loop[block]; loop != IR_NOWHERE; loop = l->loops.outer[loop])
        if (end >= l->forwards.nodes || !ir_in_loop(&l->loops, end, loop)) l->leaks[loop] = true;
}

// True if a value is used outside of a loop that lanes left in different rounds: each has its own.
bool compiler_is_of_round(const struct lanes *l, ir_ref r, uint32_t block) {
    const struct ir_inst *def = ir_def(l->f, r);
    if (!def) return false;
    for (uint32_t loop = l->loops.loop[l->home[def - l->f->insts.items]]; loop != IR_NOWHERE;
         loop = l->loops.outer[loop]) {
        if (ir_in_loop(&l->loops, block, loop)) return false;
        if (l->leaks[loop]) return true;
    }
    return false;
}

// The block in which an operand is read: of a phi, that from which lanes come.
uint32_t compiler_place_of_use(const struct lanes *l, const struct ir_inst *i, unsigned n) {
    return i->op == OP_phi && n ? ir_index(ir_operand(l->f, i, n - 1)) : l->home[i - l->f->insts.items];
}

bool compiler_is_uniform(const struct lanes *l, const struct ir_inst *i, unsigned n) {
    const ir_ref r = ir_operand(l->f, i, n);
    if (ir_is(r, IR_VALUE))
        return l->uniform[ir_index(r)] && !compiler_is_of_round(l, r, compiler_place_of_use(l, i, n));
    return !ir_is(r, IR_REGISTER) || bank_of(l->c, r) == IR_BANK_S;
}

// Of inline assembly the constraint says it.
static bool is_scalar_result(const struct compiler *c, const struct ir_inst *i, uint32_t value) {
    struct constraints k;
    compiler_asm_constraints(c, ir_operand(c->f, i, 1), &k);
    return k.of[value - i->first_result].kind == 's';
}

static enum ir_bank decide(const struct lanes *l, const struct ir_inst *i, const struct ir_type *t,
                           uint32_t value, bool uniform) {
    const struct compiler *c = l->c;
    if (t->kind == IR_INT && t->bits == 1) return IR_BANK_M;
    if (i->op == OP_inline_asm) return is_scalar_result(c, i, value) ? IR_BANK_S : IR_BANK_V;
    if (i->op == OP_readfirstlane || i->op == OP_readlane || i->op == OP_ballot) return IR_BANK_S;
    for (unsigned n = 0; n < i->operands; n++) uniform &= bank_of(c, ir_operand(c->f, i, n)) == IR_BANK_S;
    if (i->op == OP_load) uniform &= compiler_loads_scalar(c, i);
    return uniform && (i->op == OP_phi || has_scalar(c, i, t)) ? IR_BANK_S : IR_BANK_V;
}

// Each lane has a stack of its own: what one address holds there is another matter in each. A flat address
// may be one of the stack.
bool compiler_loads_of_lane(const struct ir_function *f, const struct ir_inst *i) {
    const struct ir_memory *m = ir_memory_of(f, i);
    return (i->op == OP_load || i->op == OP_atomic_load) &&
           (m->space == IR_PRIVATE || m->space == IR_GENERIC);
}

static bool visit(struct lanes *l, struct ir_inst *i) {
    const uint32_t block = l->home[i - l->f->insts.items];
    bool changed = false,
         uniform = !(ir_op_properties(i->op) & OPERATION_VARIES) && !compiler_loads_of_lane(l->f, i);
    for (unsigned n = 0; n < i->operands; n++) uniform &= compiler_is_uniform(l, i, n);
    if (i->op == OP_phi && l->meets[block]) uniform = false;
    if (i->op == OP_branch && !uniform && !(i->flags & IR_DIVERGENT)) {
        make_divergent(l, i, block);
        return true;
    }
    uniform |= (ir_op_properties(i->op) & OPERATION_UNIFORM) != 0;
    for (unsigned r = 0; r < i->results; r++) {
        const uint32_t number = i->first_result + r;
        struct ir_value *v = &l->f->values.items[number];
        const bool now = i->op == OP_inline_asm ? is_scalar_result(l->c, i, number) : uniform;
        const enum ir_bank bank = decide(l, i, ir_type_at(l->c->m, v->type), number, now);
        changed |= l->uniform[number] != now || v->bank != bank;
        l->uniform[number] = now;
        v->bank = (uint8_t)bank;
    }
    return changed;
}

// ---- The pass ----

static bool prepare(struct lanes *l) {
    struct ir_function *f = l->f;
    const uint32_t blocks = (uint32_t)f->blocks.count;
    bool done = ir_lane_graphs(f, &l->forwards, &l->backwards, &l->loops);
    l->home = calloc(f->insts.count + 1, sizeof *l->home);
    l->uniform = malloc(f->values.count + 1);
    l->meets = calloc(blocks + 1, 1);
    l->leaks = calloc(blocks + 1, 1);
    l->side = calloc(blocks + 1, sizeof *l->side);
    done = done && l->home && l->uniform && l->meets && l->leaks && l->side;
    if (done) memset(l->uniform, 1, f->values.count + 1);
    for (uint32_t b = 0; b < blocks && done; b++)
        for (uint32_t n = 0; n < f->blocks.items[b].count; n++) l->home[f->blocks.items[b].first + n] = b;
    return done;
}

void compiler_find_lanes(struct lanes *l) {
    struct ir_function *f = l->f;
    struct compiler *c = l->c;
    if (!prepare(l)) compiler_no_memory(c);
    for (size_t n = 0; n < f->values.count; n++) f->values.items[n].bank = IR_BANK_S;
    for (bool changed = true; changed && !c->status;) {
        changed = false;
        for (size_t n = 0; n < f->insts.count; n++) changed |= visit(l, &f->insts.items[n]);
    }
}

static void free_lanes(struct lanes *l) {
    ir_graph_free(&l->forwards);
    ir_graph_free(&l->backwards);
    ir_loops_free(&l->loops);
    free(l->home);
    free(l->uniform);
    free(l->meets);
    free(l->leaks);
    free(l->side);
}

void compiler_forget_lanes(struct lanes *l) {
    for (size_t n = 0; n < l->f->values.count; n++) l->f->values.items[n].bank = IR_BANK_ANY;
    for (size_t n = 0; n < l->f->insts.count; n++) l->f->insts.items[n].flags &= (uint16_t)~IR_DIVERGENT;
    free_lanes(l);
}

void compiler_divergence(struct compiler *c) {
    struct lanes l = {.c = c, .f = c->f};
    compiler_find_lanes(&l);
    if (!c->status) compiler_keep_rounds(&l);
    free_lanes(&l);
}
