// SPDX-License-Identifier: MIT
// Which values are needed at the beginnings and ends of blocks. Takes a function behind control; changes
// nothing.
#include "compiler/registers.h"

uint32_t live_renamed(const struct ir_function *f, const struct ir_inst *i) {
    const ir_ref from = ir_operand(f, i, 0);
    if ((i->op != OP_p_part && i->op != OP_p_copy) || !ir_is(from, IR_VALUE)) return NO_VALUE;
    return live_file(&f->values.items[ir_index(from)]) == live_file(&f->values.items[i->first_result])
               ? ir_index(from)
               : NO_VALUE;
}

ir_ref live_dword_of_constant(struct compiler *c, ir_ref constant, unsigned dwords, unsigned n) {
    const struct ir_constant *k = ir_constant_of(c->f, constant);
    if (!k || dwords == 1) return constant;
    return ir_constant_bits(c->f, ir_int(c->m, 32), (uint32_t)(k->low >> 32 * (n & 1)), 0);
}

uint32_t live_way(const struct ir_function *f, const struct ir_block *b, bool lanes, uint32_t n) {
    if (n >= (lanes ? b->logical_count : b->successor_count)) return NO_VALUE;
    return f->edges.items[(lanes ? b->logical : b->successors) + n];
}

const struct ir_inst *live_next_phi(const struct ir_function *f, const struct ir_inst *insts,
                                    const struct ir_block *b, bool lanes, uint32_t *n) {
    for (; *n < b->count && insts[b->first + *n].op == OP_phi; ++*n) {
        const struct ir_inst *phi = &insts[b->first + *n];
        if (is_of_lanes(&f->values.items[phi->first_result]) != lanes) continue;
        ++*n;
        return phi;
    }
    return NULL;
}

static void set(uint64_t *set, uint32_t v) { set[v / 64] |= 1ull << v % 64; }
static void clear(uint64_t *set, uint32_t v) { set[v / 64] &= ~(1ull << v % 64); }

// What comes over ways of one kind: what the blocks behind need, and what their phis take from here.
static void live_over(const struct live *l, uint32_t block, bool lanes, uint64_t *out) {
    const struct ir_function *f = l->f;
    const struct ir_block *b = &f->blocks.items[block];
    for (uint32_t e = 0, to; (to = live_way(f, b, lanes, e)) != NO_VALUE; e++)
        for (size_t w = 0; w < l->words; w++)
            out[w] |= l->in[to * l->words + w] & (lanes ? l->lanes[w] : ~l->lanes[w]);
    for (uint32_t e = 0, to; (to = live_way(f, b, lanes, e)) != NO_VALUE; e++) {
        uint32_t n = 0;
        for (const struct ir_inst *phi;
             (phi = live_next_phi(f, f->insts.items, &f->blocks.items[to], lanes, &n));)
            for (unsigned o = 0; o + 1 < phi->operands; o += 2) {
                const ir_ref value = ir_operand(f, phi, o + 1);
                if (ir_operand(f, phi, o) == ir_make(IR_BLOCK, block) && ir_is(value, IR_VALUE))
                    set(out, l->whole[ir_index(value)]);
            }
    }
}

// Several copies of an input are names of the first.
static uint32_t first_copy(const struct live *l, const struct ir_inst *i) {
    for (const struct ir_inst *o = l->f->insts.items; o < i; o++)
        if (live_is_input(l->f, o) && ir_operand(l->f, o, 0) == ir_operand(l->f, i, 0))
            return o->first_result;
    return i->first_result;
}

static bool update(const struct live *l, uint32_t block, uint64_t *now) {
    const struct ir_function *f = l->f;
    const struct ir_block *b = &f->blocks.items[block];
    uint64_t *in = l->in + block * l->words, *out = l->out + block * l->words;
    memset(out, 0, l->words * sizeof *out);
    live_over(l, block, true, out);
    live_over(l, block, false, out);
    memcpy(now, out, l->words * sizeof *now);
    for (uint32_t n = b->count; n-- > 0;) {
        const struct ir_inst *i = &f->insts.items[b->first + n];
        for (unsigned r = 0; r < i->results; r++)
            if (l->whole[i->first_result + r] == i->first_result + r) clear(now, i->first_result + r);
        for (unsigned k = 0; k < i->operands && i->op != OP_phi; k++)
            if (ir_is(ir_operand(f, i, k), IR_VALUE)) set(now, l->whole[ir_index(ir_operand(f, i, k))]);
    }
    const bool changed = memcmp(in, now, l->words * sizeof *in) != 0;
    memcpy(in, now, l->words * sizeof *in);
    return changed;
}

void live_find(struct live *l, struct compiler *c) {
    struct ir_function *f = c->f;
    const size_t blocks = f->blocks.count;
    *l = (struct live){.c = c, .f = f, .words = f->values.count / 64 + 1};
    l->in = calloc(blocks * l->words, sizeof *l->in);
    l->out = calloc(blocks * l->words, sizeof *l->out);
    l->lanes = calloc(l->words, sizeof *l->lanes);
    l->whole = calloc(f->values.count + 1, sizeof *l->whole);
    uint64_t *now = calloc(l->words, sizeof *now);
    if (!l->in || !l->out || !l->lanes || !l->whole || !now || !ir_cfg(f)) compiler_no_memory(c);
    for (uint32_t v = 0; v < f->values.count && !c->status; v++) {
        l->whole[v] = v;
        if (is_of_lanes(&f->values.items[v])) set(l->lanes, v);
    }
    for (size_t n = 0; n < f->insts.count && !c->status; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        const uint32_t from = live_renamed(f, i);
        if (from != NO_VALUE) l->whole[i->first_result] = l->whole[from];
        if (live_is_input(f, i)) l->whole[i->first_result] = first_copy(l, i);
    }
    for (bool changed = true; changed && !c->status;) {
        changed = false;
        for (uint32_t b = (uint32_t)blocks; b-- > 0;) changed |= update(l, b, now);
    }
    free(now);
}

void live_find_crossings(const struct live *l, bool *crosses) {
    const struct ir_function *f = l->f;
    uint64_t *now = malloc(l->words * sizeof *now);
    if (!now) compiler_no_memory(l->c);
    for (uint32_t b = 0; b < f->blocks.count && now; b++) {
        const struct ir_block *block = &f->blocks.items[b];
        memcpy(now, l->out + b * l->words, l->words * sizeof *now);
        for (uint32_t n = block->first + block->count; n-- > block->first;) {
            const struct ir_inst *i = &f->insts.items[n];
            for (unsigned r = 0; r < i->results; r++) clear(now, i->first_result + r);
            for (uint32_t v = 0; v < f->values.count && i->op == OP_p_call; v++)
                crosses[v] |= live_has(now, v);
            for (unsigned o = 0; o < i->operands && i->op != OP_phi; o++)
                if (ir_is(ir_operand(f, i, o), IR_VALUE)) set(now, l->whole[ir_index(ir_operand(f, i, o))]);
        }
    }
    free(now);
}

void live_free(struct live *l) {
    free(l->in);
    free(l->out);
    free(l->lanes);
    free(l->whole);
    *l = (struct live){0};
}
