// SPDX-License-Identifier: MIT
// Takes values out of registers where there are too few. A vector register's value is kept in accumulation
// registers that nothing else needs, or stored on the stack, behind its definition, and what is used of it is
// brought back for each use; lanes that are not active keep theirs. A scalar one is kept in lanes of a vector
// register of the function's own, which are read and written whatever lanes are active. A phi that is chosen
// goes: its place is filled at the ends of the blocks before it (spill_phis.c). Part of the pass assign,
// which names the values. Leaves: what control leaves.
#include "compiler/spilling.h"

#include <stdio.h>

static ir_ref give(struct spilling *s, uint16_t type, enum ir_bank bank) {
    const ir_ref r = ir_result(s->f, type);
    if (ir_is(r, IR_VALUE)) s->f->values.items[ir_index(r)].bank = (uint8_t)bank;
    return r;
}

static const struct row *need(struct spilling *s, const char *id) {
    const struct row *row = compiler_named_row(s->c, id);
    if (!row) compiler_refuse(s->c, NULL, "a function that needs more registers than there are");
    return row;
}

// ---- One dword ----

// What is added to the place: where the function's frame begins. Kernels' begin at 0.
static ir_ref frame_register(const struct spilling *s, bool scratch) {
    const unsigned number = s->f->facts.calls ? CONVENTION_FRAME : CONVENTION_STACK_TOP;
    if (!ir_is_entry(s->f)) return ir_make(IR_REGISTER, ir_register(IR_SGPR, number, 1));
    return scratch ? IR_NOTHING : ir_constant_bits(s->f, ir_int(s->c->m, 32), 0, 0);
}

// A place that instructions have no room for. Kernels' stacks begin at 0; functions add it to their frame's
// beginning, by lanes: a scalar sum would change SCC, which may be needed.
static ir_ref far_place(struct spilling *s, uint32_t at, bool by_lanes) {
    const uint16_t i32 = ir_int(s->c->m, 32);
    const struct row *row = need(s, by_lanes ? "v_mov_b32" : "s_mov_b32");
    const ir_ref place = ir_constant_bits(s->f, i32, at, 0);
    if (!row) return IR_NOTHING;
    ir_append(s->f, ir_op_of_row(row), &place, 1)->lanes = (uint8_t)(by_lanes ? s->lanes : IR_LANES_OWN);
    return give(s, i32, by_lanes ? s->bank : IR_BANK_S);
}

// At a place of the stack that all lanes share.
static ir_ref access_stack(struct spilling *s, ir_ref data, uint32_t dword, uint16_t type) {
    const bool scratch = has(s->c->processor, CAP_architected_flat_scratch), store = !ir_is(data, IR_NONE);
    const struct ir_memory m = {.space = IR_PRIVATE, .bytes = 4, .align_log2 = 2};
    const uint32_t at = s->spills->stack + 4 * dword;
    char id[40];
    ir_ref o[6];
    unsigned count = 0;
    snprintf(id, sizeof id, "%s_%s_b32", scratch ? "scratch" : "buffer", store ? "store" : "load");
    const struct row *row = need(s, id);
    if (!row) return IR_NOTHING;
    const bool far = at > compiler_greatest_offset(s->c, &m), by_lanes = far && !ir_is_entry(s->f);
    const ir_ref lanes_place = by_lanes ? far_place(s, at, true) : IR_NOTHING;
    const ir_ref base = far && !by_lanes ? far_place(s, scratch ? at : at * s->f->facts.wave, false)
                                         : frame_register(s, scratch);
    if (store && !scratch) o[count++] = data;
    o[count++] = lanes_place;
    if (store && scratch) o[count++] = data;
    if (!scratch) o[count++] = ir_make(IR_REGISTER, ir_register(IR_SGPR, 0, 4));
    o[count++] = base;
    o[count++] = ir_immediate(far ? 0 : (int32_t)at);
    struct ir_inst *i = ir_append(s->f, ir_op_of_row(row), o, count);
    i->memory = ir_memory_add(s->f, &m);
    i->lanes = (uint8_t)s->lanes;
    return store ? IR_NOTHING : give(s, type, s->bank);
}

static ir_ref access_lane(struct spilling *s, ir_ref data, uint32_t dword, uint16_t type, enum ir_bank bank) {
    const unsigned wave = s->f->facts.wave;
    const uint32_t lanes = ir_register(IR_VGPR, s->spills->lanes[dword / wave], 1);
    const ir_ref o[] = {ir_make(IR_REGISTER, lanes),
                        ir_constant_bits(s->f, ir_int(s->c->m, 32), dword % wave, 0)};
    if (!ir_is(data, IR_NONE)) {
        ir_append(s->f, OP_p_write_lane, (ir_ref[]){o[0], data, ir_immediate((int32_t)(dword % wave))}, 3);
        return IR_NOTHING;
    }
    const struct row *row = need(s, "v_readlane_b32");
    if (!row) return IR_NOTHING;
    ir_append(s->f, ir_op_of_row(row), o, 2);
    return give(s, type, bank);
}

// An accumulation register gets a dword of a vector register, or gives it back.
static ir_ref write_acc(struct spilling *s, ir_ref data, uint16_t type) {
    const struct row *row = need(s, "v_accvgpr_write_b32");
    if (row) ir_append(s->f, ir_op_of_row(row), &data, 1);
    return row ? give(s, type, IR_BANK_A) : IR_NOTHING;
}
static ir_ref read_acc(struct spilling *s, ir_ref from, uint16_t type) {
    const struct row *row = need(s, "v_accvgpr_read_b32");
    if (row) ir_append(s->f, ir_op_of_row(row), &from, 1)->lanes = (uint8_t)s->lanes;
    return row ? give(s, type, s->bank) : IR_NOTHING;
}

// Where a dword of a vector register is kept: brought there, or (no data) back.
static ir_ref access_slot(struct spilling *s, ir_ref data, uint32_t slot, uint16_t type) {
    if (slot < IN_ACCS) return access_stack(s, data, slot, type);
    const ir_ref acc = ir_make(IR_REGISTER, ir_register(IR_AGPR, slot - IN_ACCS, 1));
    if (ir_is(data, IR_NONE)) return read_acc(s, acc, type);
    const struct row *row = need(s, "v_accvgpr_write_b32");
    if (row) ir_append(s->f, ir_op_of_row(row), (ir_ref[]){acc, data}, 2)->lanes = (uint8_t)s->lanes;
    return IR_NOTHING;
}

// ---- Values ----

static void set_lanes(struct spilling *s, const struct ir_value *v) {
    s->bank = v->bank == IR_BANK_W ? IR_BANK_W : IR_BANK_V;
    s->lanes = v->bank == IR_BANK_W ? IR_LANES_ALL : IR_LANES_OWN;
}

ir_ref spill_dword(struct spilling *s, uint32_t value, unsigned n) {
    const struct ir_value v = s->f->values.items[value];
    ir_ref dword = ir_make(IR_VALUE, value);
    if (live_dwords(s->f, value) > 1) {
        ir_append(s->f, OP_p_part, (ir_ref[]){dword, ir_immediate((int32_t)n)}, 2);
        dword = give(s, ir_int(s->c->m, 32), is_vector(&v) ? (enum ir_bank)v.bank : IR_BANK_S);
    }
    set_lanes(s, &v);
    return v.bank == IR_BANK_A ? read_acc(s, dword, ir_int(s->c->m, 32)) : dword;
}

ir_ref spill_as(struct spilling *s, ir_ref dword, const struct ir_value *like) {
    ir_append(s->f, OP_p_copy, &dword, 1);
    set_lanes(s, like);
    return give(s, ir_int(s->c->m, 32), is_vector(like) ? s->bank : IR_BANK_S);
}

void spill_store(struct spilling *s, const struct ir_value *like, ir_ref dword, uint32_t slot) {
    set_lanes(s, like);
    if (is_vector(like))
        access_slot(s, dword, slot, 0);
    else
        access_lane(s, dword, slot, 0, IR_BANK_S);
}

ir_ref spill_load(struct spilling *s, const struct ir_value *like, uint32_t slot) {
    const uint16_t i32 = ir_int(s->c->m, 32);
    set_lanes(s, like);
    return is_vector(like) ? access_slot(s, IR_NOTHING, slot, i32)
                           : access_lane(s, IR_NOTHING, slot, i32, IR_BANK_S);
}

static void keep(struct spilling *s, uint32_t value) {
    const struct ir_value v = s->f->values.items[value];
    const unsigned dwords = live_dwords(s->f, value);
    for (unsigned n = 0; n < dwords && !s->c->status && !s->c->m->failed; n++)
        spill_store(s, &v, spill_dword(s, value, n), s->slot[value] + n);
}

// What stands for a value, or a part of one, that is not in registers.
static ir_ref restore(struct spilling *s, ir_ref r) {
    const uint32_t value = ir_index(r), whole = s->whole[value];
    const struct ir_value v = s->f->values.items[value];
    const unsigned dwords = live_dwords(s->f, value);
    ARRAY(ir_ref) parts = {0};
    set_lanes(s, &v);
    ir_ref out = IR_NOTHING;
    for (unsigned n = 0; n < dwords && !s->c->status && !s->c->m->failed; n++) {
        const uint32_t at = s->slot[whole] + s->offset[value] + n;
        const uint16_t type = dwords > 1 ? ir_int(s->c->m, 32) : v.type;
        out = is_vector(&v)
                  ? access_slot(s, IR_NOTHING, at, type)
                  : access_lane(s, IR_NOTHING, at, type, dwords > 1 ? IR_BANK_S : (enum ir_bank)v.bank);
        if (v.bank == IR_BANK_A) out = write_acc(s, out, type);
        if (!array_push(&parts, out)) compiler_no_memory(s->c);
    }
    if (dwords > 1 && !s->c->status) {
        ir_append(s->f, OP_p_tuple, parts.items, dwords);
        out = give(s, v.type, (enum ir_bank)v.bank);
    }
    array_free(&parts);
    return out;
}

// ---- Blocks ----

// Gives phis in registers what is not. Those of lanes take values before EXEC changes, scalar ones at the
// very end.
static void restore_for_phis(struct spilling *s, uint32_t block, bool lanes) {
    const struct ir_block *b = &s->old.blocks.items[block];
    for (uint32_t e = 0, to; (to = live_way(s->f, b, lanes, e)) != NO_VALUE; e++) {
        uint32_t n = 0;
        for (const struct ir_inst *phi;
             (phi = live_next_phi(s->f, s->old.insts.items, &s->old.blocks.items[to], lanes, &n));)
            for (uint32_t o = phi->first_operand; o + 1 < phi->first_operand + phi->operands; o += 2) {
                const ir_ref r = s->old.operands.items[o + 1];
                const bool from_here = s->old.operands.items[o] == ir_make(IR_BLOCK, block);
                if (from_here && is_spilled(s, r) && !s->spills->chosen[phi->first_result])
                    s->of_phis[o + 1] = restore(s, r);
            }
    }
}

static void copy(struct spilling *s, const struct ir_inst *i) {
    ARRAY(ir_ref) now = {0};
    for (uint32_t o = i->first_operand; o < i->first_operand + i->operands; o++) {
        ir_ref r = s->old.operands.items[o];
        for (uint32_t k = i->first_operand; k < o && i->op != OP_phi; k++)
            if (s->old.operands.items[k] == r && is_spilled(s, r)) r = now.items[k - i->first_operand];
        if (i->op != OP_phi && is_spilled(s, r)) r = restore(s, r);
        if (!array_push(&now, r)) compiler_no_memory(s->c);
    }
    if (!s->c->status) {
        const struct ir_inst *copy = ir_copy(s->f, &s->old, i);
        for (unsigned o = 0; o < now.count && !s->c->m->failed; o++)
            s->f->operands.items[copy->first_operand + o] = now.items[o];
    }
    array_free(&now);
}

static void keep_results(struct spilling *s, const struct ir_inst *i) {
    for (unsigned r = 0; r < i->results; r++)
        if (s->whole[i->first_result + r] == i->first_result + r && s->spills->chosen[i->first_result + r])
            keep(s, i->first_result + r);
}

// True if an instruction goes: a phi, or another name, of a value that is not in registers.
static bool goes(const struct spilling *s, const struct ir_inst *i) {
    if (i->results != 1 || !s->spills->chosen[s->whole[i->first_result]]) return false;
    return i->op == OP_phi || s->whole[i->first_result] != i->first_result;
}

static void fill_phis_behind(struct spilling *s, uint32_t block, bool lanes) {
    restore_for_phis(s, block, lanes);
    if (!s->c->status && !s->c->m->failed) spill_move_phis(s, block, lanes);
}

static void write_block(struct spilling *s, uint32_t block) {
    const struct ir_block *b = &s->old.blocks.items[block];
    const struct ir_inst *first = &s->old.insts.items[b->first], *end = first + b->count;
    bool vectors = false, scalars = false;
    ir_block_add(s->f);
    for (const struct ir_inst *i = first; i < end && !s->c->status && !s->c->m->failed; i++) {
        const bool ends = ir_is_terminator(i);
        if (!vectors && (ends || i->op == OP_p_logical)) fill_phis_behind(s, block, vectors = true);
        if (!scalars && ends) scalars = true, fill_phis_behind(s, block, false);
        if (goes(s, i)) continue;
        copy(s, i);
        keep_results(s, i);
    }
}

// What phis take is known when all blocks are written: they stand in the order of the old ones.
static void fill_phis(struct spilling *s) {
    const struct ir_inst *old = s->old.insts.items, *end = old + s->old.insts.count;
    for (size_t n = 0; n < s->f->insts.count; n++) {
        const struct ir_inst *i = &s->f->insts.items[n];
        if (i->op != OP_phi) continue;
        while (old < end && (old->op != OP_phi || old->first_result != i->first_result)) old++;
        for (unsigned o = 1; o < i->operands && old < end; o += 2) {
            const ir_ref now = s->of_phis[old->first_operand + o];
            if (!ir_is(now, IR_NONE)) s->f->operands.items[i->first_operand + o] = now;
        }
    }
}

// ---- The pass ----

// Asks for the registers by which the stack is reached, if nothing did before: they come first.
void spill_ask_for_stack(struct spilling *s) {
    struct ir_facts *facts = &s->f->facts;
    if (facts->stack_buffer || !ir_is_entry(s->f) || has(s->c->processor, CAP_architected_flat_scratch))
        return;
    if (!s->f->is_kernel) {
        if (!compiler_take_shader_stack(s->c))
            compiler_refuse(s->c, NULL, "a shader with memory on the stack on this processor");
        return;
    }
    const bool ids = has(s->c->processor, CAP_architected_workgroup_ids);
    const unsigned groups = ids ? 0 : (unsigned)__builtin_popcount(facts->inputs >> INPUT_GROUP_X & 7);
    facts->user_sgprs += 4;
    facts->stack_offset = facts->user_sgprs + groups + 1;
    for (size_t n = 0; n < s->f->insts.count; n++) {
        const struct ir_inst *i = &s->f->insts.items[n];
        ir_ref *r = &s->f->operands.items[i->first_operand];
        if (!live_is_input(s->f, i) || ir_register_class_of(ir_index(*r)) != IR_SGPR) continue;
        *r = ir_make(IR_REGISTER, ir_register(IR_SGPR, ir_register_first(ir_index(*r)) + 4,
                                              ir_register_dwords(ir_index(*r))));
    }
    facts->stack_buffer = 1; // s[0:3] were inputs before
}

static void find_offsets(struct spilling *s) {
    for (size_t n = 0; n < s->f->insts.count; n++) {
        const struct ir_inst *i = &s->f->insts.items[n];
        const uint32_t from = live_renamed(s->f, i);
        if (from == NO_VALUE) continue;
        const uint32_t more = i->op == OP_p_part ? (uint32_t)ir_number(ir_operand(s->f, i, 1)) : 0;
        s->offset[i->first_result] = s->offset[from] + more;
    }
}

void spill_values(struct compiler *c, struct spills *spills, const struct live *live) {
    struct spilling s = {.c = c, .f = c->f, .spills = spills, .whole = live->whole};
    s.values = (uint32_t)c->f->values.count;
    s.offset = calloc(s.values + 1, sizeof *s.offset);
    s.slot = calloc(s.values + 1, sizeof *s.slot);
    s.of_phis = malloc((c->f->operands.count + 1) * sizeof *s.of_phis);
    if (!s.offset || !s.slot || !s.of_phis) {
        compiler_no_memory(c);
    } else {
        for (size_t n = 0; n <= c->f->operands.count; n++) s.of_phis[n] = IR_NOTHING;
        find_offsets(&s);
        spill_place(&s, live);
        if (!spill_prepare_phis(&s)) compiler_no_memory(c);
        ir_take(c->f, &s.old);
        for (uint32_t b = 0; b < s.old.blocks.count && !c->status && !c->m->failed; b++) write_block(&s, b);
        if (!c->status && !c->m->failed) fill_phis(&s);
        ir_old_free(&s.old);
    }
    free(s.uses);
    free(s.offset);
    free(s.slot);
    free(s.of_phis);
}
