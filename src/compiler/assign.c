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

static void find_uses(struct assignment *a) {
    for (uint32_t v = 0; v < a->f->values.count; v++) a->whole[v] = v;
    for (uint32_t n = 0; n < a->f->insts.count; n++) {
        const struct ir_inst *i = &a->f->insts.items[n];
        const uint32_t from = renamed(a, i);
        if (from != NEVER) a->whole[i->first_result] = a->whole[from];
        for (unsigned r = 0; r < i->results; r++) a->last[a->whole[i->first_result + r]] = n + 1;
        for (unsigned k = 0; k < i->operands; k++)
            if (ir_is(ir_operand(a->f, i, k), IR_VALUE))
                a->last[a->whole[ir_index(ir_operand(a->f, i, k))]] = n + 1;
    }
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
    return i->op == OP_p_tuple || (ir_is_row(i->op) && ir_row(i->op)->flags & ROW_LOAD);
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

static void assign(struct assignment *a) {
    for (uint32_t n = 0; n < a->f->insts.count && !a->c->status; n++) {
        const struct ir_inst *i = &a->f->insts.items[n];
        const uint32_t from = renamed(a, i);
        if (from != NEVER)
            name_anew(a, i, from);
        else if (i->op == OP_p_copy && ir_is(ir_operand(a->f, i, 0), IR_REGISTER))
            a->f->registers[i->first_result] = ir_index(ir_operand(a->f, i, 0));
        else
            for (unsigned r = 0; r < i->results && !a->c->status; r++)
                place(a, n + 1, i, i->first_result + r);
    }
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
        reserve_inputs(&a);
        assign(&a);
    }
    c->f->facts.sgprs = a.used[0];
    c->f->facts.vgprs = a.used[1];
    free(a.last);
    free(a.whole);
}
