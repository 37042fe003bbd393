// SPDX-License-Identifier: MIT
// Lanes that end before the others: those that are killed behind a branch, and those of a pixel shader that
// are there for their quads alone, where nothing wants quads any more. They take a way of their own, which
// leads nowhere, and the wave goes on with the rest. Requires: address. Leaves: kill in the first block
// alone; facts.live where a pixel shader has whole quads in more than its first block.
#include "compiler/image.h"
#include "compiler/legal.h"
#include "compiler/split.h"

struct ends {
    bool *has, *after; // by block: something in it wants quads, or behind it
    bool *leaves;      // by instruction: lanes leave behind it, or in front of it if it is the first but phis
    bool live;
};

static const char *name_of(const struct compiler *c, const ir_ref *operands, const struct ir_inst *i) {
    static const char before[] = "llvm.amdgcn.";
    if (i->op != OP_intrinsic || !i->operands) return "";
    const char *name = c->m->symbols.items[ir_index(operands[i->first_operand])].name;
    return strncmp(name, before, sizeof before - 1) ? "" : name + sizeof before - 1;
}
static const char *own_name(const struct ir_function *f, const struct compiler *c, uint32_t n) {
    return name_of(c, f->operands.items, &f->insts.items[n]);
}

static bool is_last(const struct ends *k, const struct ir_function *f, const struct compiler *c,
                    uint32_t block, uint32_t n) {
    const struct ir_block *b = &f->blocks.items[block];
    if (k->after[block] || !legal_wants_quads(own_name(f, c, n))) return false;
    for (uint32_t m = n + 1; m < b->first + b->count; m++)
        if (legal_wants_quads(own_name(f, c, m))) return false;
    return true;
}

// True if it is easily seen that all lanes have the same: what comes from scalar registers and constants.
static bool is_same(const struct compiler *c, ir_ref r, unsigned depth) {
    enum { DEEPEST = 12 };
    const struct ir_inst *i = ir_def(c->f, r);
    if (ir_is(r, IR_REGISTER)) return ir_register_class_of(ir_index(r)) == IR_SGPR;
    if (!ir_is(r, IR_VALUE)) return true;
    if (!i || depth > DEEPEST || i->op == OP_phi) return false;
    bool same = !(ir_op_properties(i->op) & OPERATION_VARIES) && !compiler_loads_of_lane(c->f, i);
    for (unsigned n = 0; n < i->operands && same; n++) same = is_same(c, ir_operand(c->f, i, n), depth + 1);
    return same || ir_op_properties(i->op) & OPERATION_UNIFORM;
}

// True if it becomes a loop, perhaps, over descriptors that differ.
static bool may_loop(const struct compiler *c, uint32_t n) {
    const struct ir_inst *i = &c->f->insts.items[n];
    const char *name = own_name(c->f, c, n);
    unsigned o[2] = {0};
    if (!*name || (!compiler_image_operands(name, i->operands, &o[0], &o[1]) &&
                   !compiler_buffer_operands(name, &o[0], &o[1])))
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (o[k] && !is_same(c, ir_operand(c->f, i, o[k]), 0)) return true;
    return false;
}

// True if whole quads are wanted in the first block alone, and nothing in front of that tells lanes apart.
static bool is_simple(const struct compiler *c, const struct ends *k) {
    const struct ir_function *f = c->f;
    const struct ir_block *first = &f->blocks.items[0];
    for (uint32_t b = 0; b < f->blocks.count; b++)
        if (k->has[b] && b) return false;
    uint32_t n = first->first;
    while (n < first->first + first->count && !is_last(k, f, c, 0, n)) {
        if (!legal_is_quiet(f->insts.items[n].op, own_name(f, c, n)) || may_loop(c, n)) return false;
        n++;
    }
    return n >= first->first + first->count || !may_loop(c, n);
}

static void find_blocks(struct compiler *c, struct ends *k) {
    const struct ir_function *f = c->f;
    for (uint32_t b = 0; b < f->blocks.count; b++)
        for (uint32_t n = 0; n < f->blocks.items[b].count; n++)
            k->has[b] |= legal_wants_quads(own_name(f, c, f->blocks.items[b].first + n));
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = (uint32_t)f->blocks.count; b-- > 0;)
            for (uint32_t e = 0; e < f->blocks.items[b].successor_count && !k->after[b]; e++) {
                const uint32_t to = f->edges.items[f->blocks.items[b].successors + e];
                if (k->has[to] || k->after[to]) changed = k->after[b] = true;
            }
    }
}

// Where lanes leave: behind the last instruction that wants quads, or where a way that has more begins.
static void find_leaves(struct compiler *c, struct ends *k) {
    const struct ir_function *f = c->f;
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        const struct ir_block *block = &f->blocks.items[b];
        bool comes = false;
        for (uint32_t e = 0; e < block->predecessor_count; e++)
            comes |= k->after[f->edges.items[block->predecessors + e]];
        uint32_t n = block->first;
        for (uint32_t m = n; m < n + block->count && k->has[b]; m++) k->leaves[m] = is_last(k, f, c, b, m);
        if (k->has[b] || k->after[b] || !comes) continue;
        while (f->insts.items[n].op == OP_phi) n++;
        k->leaves[n] = true;
    }
}

// ---- Ways of their own ----

// Kills in the first block need no way of their own, unless what stands before them becomes several blocks.
static bool is_first(const struct split *s) {
    const struct ir_block *first = &s->old.blocks.items[0];
    const uint32_t n = (uint32_t)(s->i - s->old.insts.items);
    const struct ends *k = s->own;
    if (k->live || n >= first->first + first->count) return false;
    for (uint32_t m = first->first; m < n; m++) {
        const char *name = name_of(s->c, s->old.operands.items, &s->old.insts.items[m]);
        if (!strncmp(name, "image.", 6) || strstr(name, "buffer")) return false;
    }
    return true;
}

static bool wanted(struct split *s) {
    // Before the function is taken its own arrays have everything.
    const bool taken = s->old.insts.count != 0;
    const struct ir_inst *insts = taken ? s->old.insts.items : s->f->insts.items;
    const ir_ref *operands = taken ? s->old.operands.items : s->f->operands.items;
    const struct ends *k = s->own;
    const char *name = name_of(s->c, operands, s->i);
    return (k->live && k->leaves[s->i - insts]) || !strcmp(name, "kill") ||
           (!strcmp(name, "wqm.demote") && !k->live);
}

// Lanes for which it does not hold end.
static void end_others(struct split *s, ir_ref holds) {
    const uint16_t i1 = ir_int(s->c->m, 1);
    const uint32_t here = split_here(s);
    const ir_ref ends = SPLIT_EMIT(s, OP_xor, i1, holds, ir_constant_bits(s->f, i1, 1, 0));
    split_branch(s, ends, here + 1, here + 2);
    ir_block_add(s->f);
    ir_append(s->f, OP_p_end_lanes, NULL, 0)->location = s->i->location;
    ir_block_add(s->f);
}

static void expand(struct split *s) {
    const struct ends *k = s->own;
    const char *name = name_of(s->c, s->old.operands.items, s->i);
    const bool kills = !strcmp(name, "kill") || (!strcmp(name, "wqm.demote") && !k->live);
    const bool leaves = k->live && k->leaves[s->i - s->old.insts.items], behind = legal_wants_quads(name);
    if (leaves && !behind) end_others(s, split_emit(s, OP_p_live, ir_int(s->c->m, 1), NULL, 0));
    if (!kills) {
        ir_copy(s->f, &s->old, s->i);
    } else if (!ir_is_entry(s->f)) {
        compiler_refuse(s->c, NULL, "the intrinsic llvm.amdgcn.kill in a function");
    } else if (is_first(s) && !strcmp(name, "kill")) {
        ir_copy(s->f, &s->old, s->i);
    } else {
        const ir_ref holds = split_operand(s, 1);
        const struct ir_constant *known = ir_constant_of(s->f, holds);
        if (!known)
            end_others(s, holds);
        else if (!known->low || known->poison)
            end_others(s, ir_constant_bits(s->f, ir_int(s->c->m, 1), 0, 0));
    }
    if (leaves && behind) end_others(s, split_emit(s, OP_p_live, ir_int(s->c->m, 1), NULL, 0));
}

static bool is_pixel(const struct compiler *c) { return c->f->facts.convention == IR_PIXEL_SHADER; }

static bool kills(const struct compiler *c) {
    bool any = false;
    for (uint32_t n = 0; n < c->f->insts.count && !any; n++) {
        const char *name = own_name(c->f, c, n);
        any = !strcmp(name, "kill") || !strcmp(name, "wqm.demote");
    }
    return any;
}

static bool prepare(struct compiler *c, struct ends *k) {
    k->has = calloc(c->f->blocks.count + 1, 1);
    k->after = calloc(c->f->blocks.count + 1, 1);
    k->leaves = calloc(c->f->insts.count + 1, 1);
    if (!k->has || !k->after || !k->leaves || !ir_cfg(c->f)) compiler_no_memory(c);
    if (!c->status && is_pixel(c)) find_blocks(c, k);
    return !c->status;
}

static void free_ends(struct ends *k) {
    free(k->has);
    free(k->after);
    free(k->leaves);
}

// ---- Atomic operations ----
// Some become loops until they succeed, which lanes would not leave that are there for their quads alone.

static bool is_atomic(struct split *s) {
    return s->i->op >= OP_atomic_xchg && s->i->op <= OP_atomic_cmpxchg && s->i->results == 1;
}

static void guard(struct split *s) {
    const uint32_t here = split_here(s);
    const uint16_t type = s->f->values.items[s->i->first_result].type;
    split_branch(s, split_emit(s, OP_p_live, ir_int(s->c->m, 1), NULL, 0), here + 1, here + 2);
    ir_block_add(s->f);
    struct ir_inst *i =
        ir_append(s->f, s->i->op, s->old.operands.items + s->i->first_operand, s->i->operands);
    i->location = s->i->location;
    i->memory = s->i->memory;
    i->flags = s->i->flags;
    const ir_ref v = ir_result(s->f, type);
    split_jump(s, here + 2);
    ir_block_add(s->f);
    ir_append(s->f, OP_phi, (ir_ref[]){split_block(here), ir_poison(s->f, type), split_block(here + 1), v},
              4);
    ir_define(s->f, s->i->first_result);
}

void compiler_quads(struct compiler *c) {
    struct ends k = {0};
    if (!is_pixel(c)) return;
    if (prepare(c, &k)) {
        c->f->facts.live = (k.has[0] || k.after[0]) && !is_simple(c, &k);
        if (c->f->facts.live) compiler_split(c, NULL, is_atomic, guard);
    }
    free_ends(&k);
}

// ---- The pass ----

void compiler_ends(struct compiler *c) {
    struct ends k = {0};
    if (!is_pixel(c) && !kills(c)) return;
    if (prepare(c, &k)) {
        // What stood in the first block alone may have become several.
        c->f->facts.live |= (k.has[0] || k.after[0]) && !is_simple(c, &k);
        k.live = c->f->facts.live;
        if (k.live) find_leaves(c, &k);
        compiler_split(c, &k, wanted, expand);
    }
    free_ends(&k);
}
