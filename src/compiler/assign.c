// SPDX-License-Identifier: MIT
// Registers for a function of one block: each value gets the first free ones when it is defined, and gives
// them back behind its last use. Parts and copies of registers are names of the same registers. Nothing is
// spilled: what does not fit is refused. Requires: select. Leaves: a register for each value; p_tuple alone
// moves anything.
#include "compiler/passes.h"

enum { MOST_REGISTERS = 512, NEVER = 0xffffffff };

struct assignment {
    struct compiler *c;
    struct ir_function *f;
    uint32_t *last;                   // use of each value or its parts: the instruction's number plus one
    uint32_t *whole;                  // the value whose registers a part or copy shares; else itself
    uint32_t busy[2][MOST_REGISTERS]; // SGPRs and VGPRs: until this instruction has read
    unsigned limit[2], used[2];
};

static bool is_vector(const struct ir_value *v) { return v->bank == IR_BANK_V; }

static unsigned dwords_of(const struct assignment *a, uint32_t value) {
    const struct ir_value *v = &a->f->values.items[value];
    if (v->bank == IR_BANK_M) return a->f->facts.wave / 32;
    return (ir_type_bits(a->c->m, v->type) + 31) / 32;
}

// The value that an instruction only names anew; NEVER: it makes a value.
static uint32_t renamed(const struct assignment *a, const struct ir_inst *i) {
    const ir_ref from = ir_operand(a->f, i, 0);
    if ((i->op != OP_p_part && i->op != OP_p_copy) || !ir_is(from, IR_VALUE)) return NEVER;
    return is_vector(&a->f->values.items[ir_index(from)]) == is_vector(&a->f->values.items[i->first_result])
               ? ir_index(from)
               : NEVER;
}

static void keep_until(struct assignment *a, ir_ref r, uint32_t place) {
    if (!ir_is(r, IR_VALUE)) return;
    uint32_t *last = &a->last[a->whole[ir_index(r)]];
    if (*last < place) *last = place;
}

static void find_uses(struct assignment *a) {
    for (uint32_t v = 0; v < a->f->values.count; v++) a->whole[v] = v;
    for (uint32_t n = 0; n < a->f->insts.count; n++) {
        const struct ir_inst *i = &a->f->insts.items[n];
        const uint32_t from = renamed(a, i);
        if (from != NEVER) a->whole[i->first_result] = a->whole[from];
        for (unsigned r = 0; r < i->results; r++)
            keep_until(a, ir_make(IR_VALUE, i->first_result + r), n + 1);
        for (unsigned k = 0; k < i->operands && i->op != OP_phi; k++)
            keep_until(a, ir_operand(a->f, i, k), n + 1);
    }
}

// ---- Values that live through blocks ----
// A phi is written at the ends of the blocks before it and read from then on.

struct live {
    uint64_t *in; // words for each block: values needed at its beginning
    size_t words;
};

static void set(uint64_t *set, uint32_t v) { set[v / 64] |= 1ull << v % 64; }
static void clear(uint64_t *set, uint32_t v) { set[v / 64] &= ~(1ull << v % 64); }

// The value that a phi of block `to` takes from block `from`.
static ir_ref incoming(const struct assignment *a, const struct ir_inst *phi, uint32_t from) {
    for (unsigned n = 0; n + 1 < phi->operands; n += 2)
        if (ir_operand(a->f, phi, n) == ir_make(IR_BLOCK, from)) return ir_operand(a->f, phi, n + 1);
    return IR_NOTHING;
}

// What is needed at the end of a block, then in front of the moves that fill phis.
static void live_at_end(const struct assignment *a, const struct live *l, uint32_t block, uint64_t *out,
                        bool before_moves) {
    const struct ir_block *b = &a->f->blocks.items[block];
    memset(out, 0, l->words * sizeof *out);
    for (uint32_t e = 0; e < b->successor_count; e++) {
        const uint32_t to = a->f->edges.items[b->successors + e];
        for (size_t w = 0; w < l->words; w++) out[w] |= l->in[to * l->words + w];
    }
    for (unsigned pass = 0; pass < (before_moves ? 2 : 1); pass++)
        for (uint32_t e = 0; e < b->successor_count; e++) {
            const uint32_t to = a->f->edges.items[b->successors + e];
            const struct ir_block *t = &a->f->blocks.items[to];
            for (uint32_t n = 0; n < t->count && a->f->insts.items[t->first + n].op == OP_phi; n++) {
                const struct ir_inst *phi = &a->f->insts.items[t->first + n];
                const ir_ref value = incoming(a, phi, block);
                if (!before_moves)
                    set(out, phi->first_result);
                else if (!pass)
                    clear(out, phi->first_result);
                else if (ir_is(value, IR_VALUE))
                    set(out, a->whole[ir_index(value)]);
            }
        }
}

static bool update_block(const struct assignment *a, const struct live *l, uint32_t block, uint64_t *now) {
    const struct ir_block *b = &a->f->blocks.items[block];
    uint64_t *in = l->in + block * l->words;
    live_at_end(a, l, block, now, true);
    for (uint32_t n = b->count; n-- > 0;) {
        const struct ir_inst *i = &a->f->insts.items[b->first + n];
        if (i->op == OP_phi) continue;
        for (unsigned r = 0; r < i->results; r++)
            if (a->whole[i->first_result + r] == i->first_result + r) clear(now, i->first_result + r);
        for (unsigned k = 0; k < i->operands; k++)
            if (ir_is(ir_operand(a->f, i, k), IR_VALUE)) set(now, a->whole[ir_index(ir_operand(a->f, i, k))]);
    }
    const bool changed = memcmp(in, now, l->words * sizeof *in) != 0;
    memcpy(in, now, l->words * sizeof *in);
    return changed;
}

static void find_live(struct assignment *a) {
    const size_t blocks = a->f->blocks.count;
    struct live l = {.words = (a->f->values.count + 63) / 64};
    l.in = calloc(blocks * l.words + 1, sizeof *l.in);
    uint64_t *now = calloc(l.words + 1, sizeof *now);
    if (!l.in || !now || !ir_cfg(a->f)) compiler_no_memory(a->c);
    for (bool changed = true; changed && !a->c->status;) {
        changed = false;
        for (uint32_t b = (uint32_t)blocks; b-- > 0;) changed |= update_block(a, &l, b, now);
    }
    for (uint32_t b = 0; b < blocks && !a->c->status; b++) {
        const struct ir_block *block = &a->f->blocks.items[b];
        live_at_end(a, &l, b, now, false);
        for (uint32_t v = 0; v < a->f->values.count; v++) {
            if (now[v / 64] >> v % 64 & 1)
                keep_until(a, ir_make(IR_VALUE, v), block->first + block->count + 1);
            if (l.in[b * l.words + v / 64] >> v % 64 & 1)
                keep_until(a, ir_make(IR_VALUE, v), block->first + 1);
        }
    }
    free(l.in);
    free(now);
}

// Inputs are there from the beginning: their registers are busy until the last use of a copy of them.
static void reserve_inputs(struct assignment *a) {
    for (uint32_t n = 0; n < a->f->insts.count; n++) {
        const struct ir_inst *i = &a->f->insts.items[n];
        const ir_ref from = ir_operand(a->f, i, 0);
        if (i->op != OP_p_copy || !ir_is(from, IR_REGISTER)) continue;
        const uint32_t r = ir_index(from);
        const enum ir_register_class class = ir_register_class_of(r);
        if (class > IR_VGPR) continue;
        for (unsigned d = 0; d < ir_register_dwords(r); d++) {
            const unsigned at = ir_register_first(r) + d;
            const uint32_t until = a->last[i->first_result];
            if (at < MOST_REGISTERS && a->busy[class][at] < until) a->busy[class][at] = until;
            if (at + 1 > a->used[class]) a->used[class] = at + 1;
        }
    }
}

// Bases of scalar loads and parts of tuples are read while the result is being written.
static bool reads_late(const struct ir_inst *i) {
    return i->op == OP_p_tuple || i->op == OP_phi || (ir_is_row(i->op) && ir_row(i->op)->flags & ROW_LOAD);
}

static unsigned alignment(const struct assignment *a, bool vector, unsigned dwords) {
    if (vector) return dwords > 1 && a->c->isa->even_tuples ? 2 : 1;
    return dwords >= 4 ? 4 : dwords;
}

static void place(struct assignment *a, uint32_t now, const struct ir_inst *i, uint32_t value) {
    const struct ir_value *v = &a->f->values.items[value];
    const bool vector = is_vector(v);
    const unsigned dwords = dwords_of(a, value), step = alignment(a, vector, dwords);
    uint32_t *busy = a->busy[vector];
    if (v->bank == IR_BANK_SCC) {
        a->f->registers[value] = ir_register(IR_SCC, 0, 1);
        return;
    }
    for (unsigned at = 0; at + dwords <= a->limit[vector]; at += step) {
        unsigned free_ones = 0;
        while (free_ones < dwords &&
               (busy[at + free_ones] < now || (busy[at + free_ones] == now && !reads_late(i))))
            free_ones++;
        if (free_ones < dwords) continue;
        for (unsigned d = 0; d < dwords; d++) busy[at + d] = a->last[value] > now ? a->last[value] : now + 1;
        if (at + dwords > a->used[vector]) a->used[vector] = at + dwords;
        a->f->registers[value] = ir_register(vector ? IR_VGPR : IR_SGPR, at, dwords);
        return;
    }
    compiler_refuse(a->c, i,
                    vector ? "a function that needs more vector registers than it may have"
                           : "a function that needs more scalar registers than there are");
}

static void name_anew(struct assignment *a, const struct ir_inst *i, uint32_t from) {
    const uint32_t r = a->f->registers[from];
    const unsigned offset = i->op == OP_p_part ? (unsigned)ir_number(ir_operand(a->f, i, 1)) : 0;
    a->f->registers[i->first_result] =
        ir_register(ir_register_class_of(r), ir_register_first(r) + offset, dwords_of(a, i->first_result));
}

// Registers of the phis behind a block, where it is the first that ends before them.
static void place_phis(struct assignment *a, uint32_t block, uint32_t now) {
    const struct ir_block *b = &a->f->blocks.items[block];
    for (uint32_t e = 0; e < b->successor_count; e++) {
        const struct ir_block *t = &a->f->blocks.items[a->f->edges.items[b->successors + e]];
        for (uint32_t n = 0; n < t->count && a->f->insts.items[t->first + n].op == OP_phi; n++) {
            const struct ir_inst *phi = &a->f->insts.items[t->first + n];
            if (!a->f->registers[phi->first_result] && !a->c->status) place(a, now, phi, phi->first_result);
        }
    }
}

static void assign(struct assignment *a) {
    for (uint32_t b = 0; b < a->f->blocks.count; b++) {
        const struct ir_block *block = &a->f->blocks.items[b];
        for (uint32_t n = block->first; n < block->first + block->count && !a->c->status; n++) {
            const struct ir_inst *i = &a->f->insts.items[n];
            const uint32_t from = renamed(a, i);
            if (ir_is_terminator(i)) place_phis(a, b, n + 1);
            if (i->op == OP_phi) continue;
            if (from != NEVER)
                name_anew(a, i, from);
            else if (i->op == OP_p_copy && ir_is(ir_operand(a->f, i, 0), IR_REGISTER))
                a->f->registers[i->first_result] = ir_index(ir_operand(a->f, i, 0));
            else
                for (unsigned r = 0; r < i->results && !a->c->status; r++)
                    place(a, n + 1, i, i->first_result + r);
        }
    }
}

// The moves that fill the phis behind a block, in front of its terminator.
static void add_moves(struct assignment *a, const struct ir_old *old, uint32_t block) {
    const struct ir_block *b = &old->blocks.items[block];
    ARRAY(ir_ref) pairs = {0};
    for (uint32_t e = 0; e < b->successor_count; e++) {
        const struct ir_block *t = &old->blocks.items[a->f->edges.items[b->successors + e]];
        for (uint32_t n = 0; n < t->count && old->insts.items[t->first + n].op == OP_phi; n++) {
            const struct ir_inst *phi = &old->insts.items[t->first + n];
            for (unsigned k = 0; k + 1 < phi->operands; k += 2) {
                if (old->operands.items[phi->first_operand + k] != ir_make(IR_BLOCK, block)) continue;
                if (!array_push(&pairs, ir_make(IR_REGISTER, a->f->registers[phi->first_result])) ||
                    !array_push(&pairs, old->operands.items[phi->first_operand + k + 1]))
                    compiler_no_memory(a->c);
            }
        }
    }
    if (pairs.count) ir_append(a->f, OP_p_moves, pairs.items, (unsigned)pairs.count);
    array_free(&pairs);
}

static void insert_moves(struct assignment *a) {
    struct ir_old old = {0};
    ir_take(a->f, &old);
    for (uint32_t b = 0; b < old.blocks.count && !a->c->status && !a->c->m->failed; b++) {
        const struct ir_block *block = &old.blocks.items[b];
        bool moved = false;
        ir_block_add(a->f);
        for (uint32_t n = 0; n < block->count && !a->c->m->failed; n++) {
            const struct ir_inst *i = &old.insts.items[block->first + n];
            if (ir_is_terminator(i) && !moved) {
                add_moves(a, &old, b);
                moved = true;
            }
            ir_copy(a->f, &old, i);
        }
    }
    ir_old_free(&old);
}

// So many VGPRs that the largest work-group fits a compute unit, and that fit the encoding.
static unsigned vgpr_limit(const struct assignment *a) {
    sw_processor_info info = SW_INIT(sw_processor_info);
    const struct ir_facts *facts = &a->f->facts;
    sw_processor_get_info(a->c->processor, &info);
    const unsigned waves = (facts->block_max + facts->wave - 1) / facts->wave;
    const unsigned each = info.simds_per_cu ? (waves + info.simds_per_cu - 1) / info.simds_per_cu : 1;
    unsigned limit = facts->most_vgprs && facts->most_vgprs < 256 ? facts->most_vgprs : 256;
    while (limit > 8 && processor_occupancy(a->c->processor, facts->wave, limit, 0) < each) limit -= 8;
    return limit;
}

void compiler_assign(struct compiler *c) {
    struct assignment a = {.c = c, .f = c->f};
    const size_t count = c->f->values.count + 1;
    a.last = calloc(count, sizeof *a.last);
    a.whole = calloc(count, sizeof *a.whole);
    free(c->f->registers);
    c->f->registers = calloc(count, sizeof *c->f->registers);
    if (!a.last || !a.whole || !c->f->registers) compiler_no_memory(c);
    a.limit[0] = c->f->facts.most_sgprs && c->f->facts.most_sgprs < 96 ? c->f->facts.most_sgprs : 96;
    a.limit[1] = vgpr_limit(&a);
    if (!c->status) {
        find_uses(&a);
        find_live(&a);
        reserve_inputs(&a);
        assign(&a);
        if (!c->status && c->f->blocks.count > 1) insert_moves(&a);
    }
    c->f->facts.sgprs = a.used[0];
    c->f->facts.vgprs = a.used[1];
    free(a.last);
    free(a.whole);
}
