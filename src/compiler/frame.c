// SPDX-License-Identifier: MIT
// See frame.h. A part of the pass assign.
#include "compiler/frame.h"
#include "ir/constraints.h"

// ---- Values in fixed registers ----

struct detaching {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    const bool *crosses;
    uint32_t *now; // by old value: its copy plus one
    uint32_t values;
};

static ir_ref give(struct detaching *d, uint16_t type, unsigned bank) {
    const ir_ref r = ir_result(d->f, type);
    if (ir_is(r, IR_VALUE)) d->f->values.items[ir_index(r)].bank = (uint8_t)bank;
    return r;
}

static void copy_value(struct detaching *d, uint32_t value) {
    enum { MOST = 32 };
    const struct ir_value v = d->f->values.items[value];
    const unsigned dwords = live_dwords(d->f, value);
    ir_ref parts[MOST] = {ir_make(IR_VALUE, value)};
    for (unsigned n = 0; n < dwords && dwords > 1 && n < MOST; n++) {
        ir_append(d->f, OP_p_part, (ir_ref[]){ir_make(IR_VALUE, value), ir_immediate((int32_t)n)}, 2);
        parts[n] = give(d, ir_int(d->c->m, 32), v.bank);
    }
    ir_append(d->f, OP_p_tuple, parts, dwords);
    const ir_ref copy = give(d, v.type, v.bank);
    if (ir_is(copy, IR_VALUE)) d->now[value] = ir_index(copy) + 1;
}

static void rename_uses(const struct detaching *d) {
    for (size_t n = 0; n < d->f->insts.count; n++) {
        const struct ir_inst *i = &d->f->insts.items[n];
        if (i->results && i->first_result >= d->values) continue; // the copies themselves
        for (unsigned o = 0; o < i->operands; o++) {
            ir_ref *r = &d->f->operands.items[i->first_operand + o];
            if (ir_is(*r, IR_VALUE) && ir_index(*r) < d->values && d->now[ir_index(*r)])
                *r = ir_make(IR_VALUE, d->now[ir_index(*r)] - 1);
        }
    }
}

static void detach(struct detaching *d) {
    ir_take(d->f, &d->old);
    for (size_t b = 0; b < d->old.blocks.count && !d->c->m->failed; b++) {
        const struct ir_block *block = &d->old.blocks.items[b];
        ir_block_add(d->f);
        for (uint32_t n = 0; n < block->count && !d->c->m->failed; n++) {
            const struct ir_inst *i = &d->old.insts.items[block->first + n];
            const bool is_input =
                i->op == OP_p_copy && ir_is(d->old.operands.items[i->first_operand], IR_REGISTER);
            ir_copy(d->f, &d->old, i);
            for (unsigned r = 0; r < i->results && (is_input || i->op == OP_p_call); r++)
                if (d->crosses[i->first_result + r]) copy_value(d, i->first_result + r);
        }
    }
    if (!d->c->m->failed) rename_uses(d);
    ir_old_free(&d->old);
}

// Values in registers that inline assembly names.
static bool find_named(struct compiler *c, bool *crosses) {
    struct constraints all = {0};
    bool any = false;
    for (size_t n = 0; n < c->f->insts.count; n++) {
        const struct ir_inst *i = &c->f->insts.items[n];
        struct constraints k;
        if (i->op != OP_inline_asm) continue;
        compiler_asm_constraints(c, ir_operand(c->f, i, 1), &k);
        for (unsigned w = 0; w < 2; w++) all.sgprs[w] |= k.sgprs[w], any |= k.sgprs[w] != 0;
        for (unsigned w = 0; w < 4; w++) all.vgprs[w] |= k.vgprs[w], any |= k.vgprs[w] != 0;
    }
    for (size_t n = 0; n < c->f->insts.count && any && crosses; n++) {
        const struct ir_inst *i = &c->f->insts.items[n];
        for (unsigned k = 0; k < i->results && (i->op == OP_p_call || live_is_input(c->f, i)); k++) {
            const uint32_t r =
                i->op == OP_p_call ? ir_register(IR_VGPR, k, 1) : ir_index(ir_operand(c->f, i, 0));
            const uint64_t *bits = ir_register_class_of(r) == IR_VGPR   ? all.vgprs
                                   : ir_register_class_of(r) == IR_SGPR ? all.sgprs
                                                                        : NULL;
            for (unsigned d = 0; bits && d < ir_register_dwords(r); d++)
                crosses[i->first_result + k] |=
                    bits[(ir_register_first(r) + d) / 64] >> (ir_register_first(r) + d) % 64 & 1;
        }
    }
    return any;
}

void compiler_detach(struct compiler *c) {
    if (!c->f->facts.calls && !find_named(c, NULL)) return;
    struct live live;
    struct detaching d = {.c = c, .f = c->f, .values = (uint32_t)c->f->values.count};
    bool *crosses = calloc(d.values + 1, 1);
    d.now = calloc(d.values + 1, sizeof *d.now);
    live_find(&live, c);
    if (!crosses || !d.now) compiler_no_memory(c);
    if (!c->status) {
        live_find_crossings(&live, crosses);
        // A value crosses a call under each of its names.
        for (uint32_t v = 0; v < d.values; v++) crosses[v] |= crosses[live.whole[v]];
        find_named(c, crosses);
        d.crosses = crosses;
        detach(&d);
    }
    live_free(&live);
    free(crosses);
    free(d.now);
}

// ---- Frames ----

struct frame {
    struct compiler *c;
    struct ir_function *f;
    ARRAY(ir_ref) operands;
};

static void add(struct frame *k, ir_ref r) {
    if (!array_push(&k->operands, r)) compiler_no_memory(k->c);
}

// `own`, `others`: what lanes of the function hold, and other lanes.
static void save(struct frame *k, enum ir_register_class file, unsigned number, bool own, bool others) {
    const int32_t at = (int32_t)k->f->facts.stack;
    if (k->f->facts.stack >= FRAME_OTHERS) compiler_refuse(k->c, NULL, "so much memory on the stack");
    add(k, ir_make(IR_REGISTER, ir_register(file, number, 1)));
    add(k, ir_immediate(!others ? at : own ? -1 - at : -1 - (at | FRAME_OTHERS)));
    k->f->facts.stack += 4;
}

static void find_saves(struct frame *k, const struct spills *spills, const struct frame_kept *kept) {
    enum { VGPRS = 256, ACCS = 256 };
    const unsigned lanes = spill_lane_registers(spills, k->f->facts.wave);
    k->f->facts.stack = (k->f->facts.stack + 3) / 4 * 4;
    add(k, k->f->facts.calls ? ir_make(IR_REGISTER, ir_register(IR_VGPR, spills->lanes[0], 1)) : IR_NOTHING);
    for (unsigned n = 0; n < lanes; n++) save(k, IR_VGPR, spills->lanes[n], true, true);
    for (unsigned n = 0; n < VGPRS; n++)
        if (kept->vectors[n] || kept->whole[n]) save(k, IR_VGPR, n, kept->vectors[n], kept->whole[n]);
    for (unsigned n = 0; n < ACCS; n++)
        if (kept->accs[n]) save(k, IR_AGPR, n, true, false);
}

static void insert(struct frame *k) {
    struct ir_old old = {0};
    const bool framed = !ir_is_entry(k->f) && (k->operands.count > 1 || k->f->facts.calls);
    ir_take(k->f, &old);
    for (size_t b = 0; b < old.blocks.count && !k->c->m->failed; b++) {
        const struct ir_block *block = &old.blocks.items[b];
        ir_block_add(k->f);
        if (!b && framed) ir_append(k->f, OP_p_enter, k->operands.items, (unsigned)k->operands.count);
        for (uint32_t n = 0; n < block->count && !k->c->m->failed; n++) {
            const struct ir_inst *i = &old.insts.items[block->first + n];
            // What is given back is in its registers before others get back what they held.
            if (i->op == OP_p_return || i->op == OP_p_tail_call) {
                const ir_ref *o = old.operands.items + i->first_operand;
                const unsigned jumps = i->op == OP_p_tail_call; // to the function that is the first operand
                if (i->operands > jumps) ir_append(k->f, OP_p_moves, o + jumps, i->operands - jumps);
                if (framed) ir_append(k->f, OP_p_leave, k->operands.items, (unsigned)k->operands.count);
                ir_append(k->f, i->op, o, jumps)->location = i->location;
            } else
                ir_copy(k->f, &old, i);
        }
    }
    ir_old_free(&old);
}

void compiler_frame(struct compiler *c, const struct spills *spills, const struct frame_kept *kept) {
    struct frame k = {.c = c, .f = c->f};
    if (!ir_is_entry(c->f)) find_saves(&k, spills, kept);
    if (!c->status && !c->f->is_kernel) insert(&k);
    c->f->facts.frame = (c->f->facts.stack + CONVENTION_ALIGN - 1) / CONVENTION_ALIGN * CONVENTION_ALIGN;
    array_free(&k.operands);
}
