// SPDX-License-Identifier: MIT
// Registers for values, block by block in the order of the text: what is needed at a block's beginning has
// its registers already, each new value gets free ones, preferably those in which it is wanted later (of a
// phi, of the tuple whose part it is). Parts and copies of registers are names of the same registers.
// Requires: control. Leaves: a register for each value; p_tuple, p_copy and p_moves alone move anything.
#include "compiler/assignment.h"
#include "compiler/frame.h"

static unsigned step_of(const struct assignment *a, bool vector, unsigned dwords) {
    if (vector) return dwords > 1 && a->c->isa->even_tuples ? 2 : 1;
    return dwords >= 4 ? 4 : dwords;
}

// ---- Taking and giving back ----

static bool in_file(uint32_t r) {
    return r && (unsigned)ir_register_class_of(r) < FILES && ir_register_first(r) < MOST_REGISTERS;
}

static void occupy(struct assignment *a, uint32_t value) {
    const uint32_t r = a->f->registers[value];
    if (!in_file(r) || a->spills.chosen[value]) return;
    const unsigned file = ir_register_class_of(r), end = ir_register_first(r) + ir_register_dwords(r);
    for (unsigned n = ir_register_first(r); n < end && n < MOST_REGISTERS; n++) {
        a->owner[file][n] = value + 1;
        if (file == IR_VGPR && convention_keeps(IR_OWN, true, n)) a->kept[n] = true;
        if (file == IR_AGPR && !ir_is_entry(a->f) && n >= CONVENTION_KEPT_ACCS) a->kept_accs[n] = true;
        if (file == IR_VGPR && (a->f->facts.whole == 2 || a->f->values.items[value].bank == IR_BANK_W))
            a->whole[n] = true;
    }
    if (end > a->used[file]) a->used[file] = end;
}

static void release(struct assignment *a, uint32_t value) {
    const uint32_t r = a->f->registers[value];
    if (!in_file(r)) return;
    const unsigned file = ir_register_class_of(r), end = ir_register_first(r) + ir_register_dwords(r);
    for (unsigned n = ir_register_first(r); n < end && n < MOST_REGISTERS; n++)
        if (a->owner[file][n] == value + 1) a->owner[file][n] = FREE;
}

// Values that are needed behind a call are in registers that functions keep, and what functions have to keep
// is used for such values, and where nothing else is left. Functions keep no scalar registers for others:
// those values stand in lanes. What lanes of a chain that are not active hold from v8 on belongs to those
// that come later.
static bool is_allowed(const struct assignment *a, unsigned file, unsigned n, bool crossing) {
    const struct ir_facts *facts = &a->f->facts;
    if (a->wide_one && ir_is_chain(a->f) && !facts->whole && n >= CONVENTION_CHAIN_VGPR) return false;
    if (file == IR_AGPR) return !crossing || n >= CONVENTION_KEPT_ACCS;
    if (!ir_is_entry(a->f)) return convention_keeps(facts->convention, file, n) == crossing || a->any_one;
    const bool own = !(facts->callees & 1u << IR_OWN) || convention_keeps(IR_OWN, file, n),
               gfx = !(facts->callees & 1u << IR_GFX) || convention_keeps(IR_GFX, file, n);
    return !crossing || (own && gfx && (file || n > CONVENTION_STACK_TOP)); // arguments are in those below
}

// True of what inline assembly names: for all values, or for the one at hand.
static bool is_named(const struct assignment *a, unsigned file, unsigned n) {
    if (a->room == ROOM_WISHED) return a->named[file][n];
    return a->taken[file][n] == a->stamp && a->taken_by[file][n] == NO_VALUE;
}

static bool is_free(const struct assignment *a, unsigned file, unsigned at, unsigned dwords) {
    if (at + dwords > a->limit[file]) return false;
    for (unsigned n = at; n < at + dwords; n++)
        if (a->owner[file][n] || a->taken[file][n] == a->stamp || is_named(a, file, n) ||
            !is_allowed(a, file, n, a->crossing))
            return false;
    return true;
}

// ---- Where a value should be ----

// The tuple that a value will be a part of has its own place, or gets one now.
static unsigned in_tuple(struct assignment *a, uint32_t value, unsigned file) {
    const uint32_t tuple = a->tuple[value] - 1;
    const unsigned dwords = live_dwords(a->f, tuple), step = step_of(a, file, dwords), at = a->place[value];
    if (a->base[tuple] && is_free(a, file, a->base[tuple] - 1 + at, 1)) return a->base[tuple] - 1 + at;
    if (a->base[tuple]) return MOST_REGISTERS;
    for (unsigned base = 0; base + dwords <= a->limit[file]; base += step)
        if (is_free(a, file, base, dwords)) {
            a->base[tuple] = base + 1;
            return base + at;
        }
    return MOST_REGISTERS;
}

// The register of the phi that takes the value, or of what the phi takes from elsewhere.
static unsigned with_phi(const struct assignment *a, uint32_t phi, unsigned file, unsigned dwords) {
    const uint32_t of_phi = a->f->registers[phi];
    if (of_phi && ir_register_class_of(of_phi) == file && is_free(a, file, ir_register_first(of_phi), dwords))
        return ir_register_first(of_phi);
    const struct ir_inst *i = ir_def(a->f, ir_make(IR_VALUE, phi));
    for (unsigned n = 1; i && !of_phi && i->op == OP_phi && n < i->operands; n += 2) {
        const ir_ref r = ir_operand(a->f, i, n);
        const uint32_t other = ir_is(r, IR_VALUE) ? a->f->registers[ir_index(r)] : 0;
        if (other && ir_register_class_of(other) == file && ir_register_dwords(other) == dwords &&
            is_free(a, file, ir_register_first(other), dwords))
            return ir_register_first(other);
    }
    return MOST_REGISTERS;
}

static unsigned wanted(struct assignment *a, uint32_t value, unsigned file, unsigned dwords) {
    const struct ir_inst *def = ir_def(a->f, ir_make(IR_VALUE, value));
    unsigned at = MOST_REGISTERS;
    if (a->base[value] && is_free(a, file, a->base[value] - 1, dwords)) return a->base[value] - 1;
    if (def && def->op == OP_phi) at = with_phi(a, value, file, dwords);
    if (at == MOST_REGISTERS && a->joined[value]) at = with_phi(a, a->joined[value] - 1, file, dwords);
    if (at == MOST_REGISTERS && a->tuple[value] && dwords == 1) at = in_tuple(a, value, file);
    return at;
}

static unsigned first_free(const struct assignment *a, unsigned file, unsigned dwords, unsigned step) {
    unsigned at = 0;
    while (at + dwords <= a->limit[file] && !is_free(a, file, at, dwords)) at += step;
    return at;
}

static void choose(struct assignment *a, uint32_t value) {
    if (!array_push(&a->spills.ever, value)) compiler_no_memory(a->c);
    a->failed = a->spills.chosen[value] = true;
}

// Chooses a value to be spilled: of those that are in registers here, the one that is used least, and not by
// this instruction. False: there is none.
static bool spill_one(struct assignment *a, unsigned file, const struct ir_inst *i) {
    uint32_t best = NO_VALUE;
    for (unsigned n = 0; n < a->limit[file]; n++) {
        if (is_named(a, file, n)) continue;
        const bool taken = a->taken[file][n] == a->stamp;
        const uint32_t value = a->owner[file][n] ? a->owner[file][n] - 1 : a->taken_by[file][n];
        if ((!a->owner[file][n] && !taken) || a->owner[file][n] == NO_VALUE || a->temporary[value]) continue;
        if (!is_allowed(a, file, n, a->crossing)) continue;
        bool used = false;
        for (unsigned o = 0; o < i->operands && i->op != OP_phi; o++) {
            const ir_ref r = ir_operand(a->f, i, o);
            used |= ir_is(r, IR_VALUE) && a->live.whole[ir_index(r)] == value;
        }
        for (unsigned r = 0; r < i->results; r++) used |= i->first_result + r == value;
        if (!used && (best == NO_VALUE || a->weight[value] < a->weight[best])) best = value;
    }
    if (best == NO_VALUE) return false;
    release(a, best);
    for (unsigned n = 0; n < a->limit[file]; n++)
        if (a->taken[file][n] == a->stamp && a->taken_by[file][n] == best) a->taken[file][n] = 0;
    choose(a, best);
    return true;
}

static void forbid(struct assignment *a, uint32_t value) {
    const uint32_t r = a->f->registers[value];
    const unsigned file = r ? (unsigned)ir_register_class_of(r) : 0;
    for (unsigned d = 0; in_file(r) && !a->spills.chosen[value] && d < ir_register_dwords(r); d++) {
        a->taken[file][ir_register_first(r) + d] = a->stamp;
        a->taken_by[file][ir_register_first(r) + d] = value;
    }
}

// Where others may not be: what lanes that wait have, for a result that is written for all lanes; such
// results, for what waits beside them.
static void keep_apart(struct assignment *a, uint32_t value) {
    const size_t words = a->live.words;
    const uint32_t block = a->waiting ? a->writes_all[value] : 0;
    for (uint32_t v = 0; v < a->f->values.count && block; v++)
        if (live_has(a->waiting + (block - 1) * words, v)) forbid(a, a->live.whole[v]);
    for (size_t n = 0; n < a->wide.count; n++) {
        const uint32_t wide = a->wide.items[n];
        if (live_has(a->waiting + (a->writes_all[wide] - 1) * words, value)) forbid(a, wide);
    }
}

// It has its registers now; what was forbidden for it is not for the next.
static void note_wide(struct assignment *a, uint32_t value) {
    if (!a->waiting && !a->beside.count) return;
    a->stamp++;
    if (a->waiting && a->writes_all[value] && !array_push(&a->wide, value)) compiler_no_memory(a->c);
}

static void place(struct assignment *a, uint32_t value, const struct ir_inst *i) {
    const struct ir_value *v = &a->f->values.items[value];
    const unsigned file = live_file(v), dwords = live_dwords(a->f, value), step = step_of(a, file, dwords);
    if (a->spills.chosen[value]) { // the next try goes without it
        a->f->registers[value] = ir_register((enum ir_register_class)file, 0, dwords);
        return;
    }
    if (v->bank == IR_BANK_SCC || v->bank == IR_BANK_X) {
        a->f->registers[value] = v->bank == IR_BANK_SCC ? ir_register(IR_SCC, 0, 1)
                                                        : ir_register(IR_EXEC, 0, a->f->facts.wave / 32);
        return;
    }
    a->crossing = a->crosses[value];
    a->wide_one = v->bank == IR_BANK_W;
    if (a->waiting) keep_apart(a, value);
    assignment_forbid_named(a, value);
    unsigned at = wanted(a, value, file, dwords);
    if (at == MOST_REGISTERS) at = first_free(a, file, dwords, step);
    const bool in_row = dwords <= 8; // so many are kept, and so many are not, before the next ones
    const bool fits = !a->crossing || (in_row && (file || ir_is_entry(a->f)));
    a->any_one = !in_row && !a->crossing && file == IR_VGPR;
    if (at + dwords > a->limit[file] && a->any_one) at = first_free(a, file, dwords, step);
    while (at + dwords > a->limit[file] && fits && spill_one(a, file, i))
        at = first_free(a, file, dwords, step);
    if (at + dwords > a->limit[file] && !a->crossing && file == IR_VGPR) {
        a->any_one = true;
        at = first_free(a, file, dwords, step);
    }
    a->any_one = false;
    const bool may_go = a->crossing || assignment_is_beside(a, value);
    if (at + dwords > a->limit[file] && may_go && !a->temporary[value]) {
        choose(a, value);
        a->f->registers[value] = ir_register((enum ir_register_class)file, 0, dwords);
        return;
    }
    if (at + dwords > a->limit[file]) {
        a->stuck = i;
        a->stuck_file = file;
        return;
    }
    a->f->registers[value] = ir_register((enum ir_register_class)file, at, dwords);
    occupy(a, value);
    note_wide(a, value);
}

// ---- Blocks ----

static void find_last_uses(struct assignment *a, uint32_t block) {
    const struct ir_block *b = &a->f->blocks.items[block];
    const uint64_t *out = a->live.out + block * a->live.words;
    for (uint32_t n = b->first; n < b->first + b->count; n++) {
        const struct ir_inst *i = &a->f->insts.items[n];
        for (unsigned r = 0; r < i->results; r++) a->last[i->first_result + r] = 0;
        for (unsigned o = 0; o < i->operands && i->op != OP_phi; o++) {
            const ir_ref r = ir_operand(a->f, i, o);
            if (!ir_is(r, IR_VALUE)) continue;
            const uint32_t whole = a->live.whole[ir_index(r)];
            a->last[whole] = live_has(out, whole) ? 0 : n + 1;
        }
    }
}

static void release_operands(struct assignment *a, const struct ir_inst *i) {
    const uint32_t now = (uint32_t)(i - a->f->insts.items) + 1;
    for (unsigned o = 0; o < i->operands; o++) {
        const ir_ref r = ir_operand(a->f, i, o);
        if (ir_is(r, IR_VALUE) && a->last[a->live.whole[ir_index(r)]] == now)
            release(a, a->live.whole[ir_index(r)]);
    }
}

static void name_anew(struct assignment *a, const struct ir_inst *i, uint32_t from) {
    const uint32_t r = a->f->registers[from];
    const unsigned offset = i->op == OP_p_part ? (unsigned)ir_number(ir_operand(a->f, i, 1)) : 0;
    a->f->registers[i->first_result] = ir_register(ir_register_class_of(r), ir_register_first(r) + offset,
                                                   live_dwords(a->f, i->first_result));
}

// Bases of scalar loads are read again where a page was missing.
static bool reads_late(const struct assignment *a, const struct ir_inst *i) {
    if (a->room != ROOM_WISHED && i->op == OP_inline_asm && compiler_asm_moves_results(a->c, i)) return false;
    if (i->modifiers & IR_EARLY) return true;
    if (i->modifiers & IR_TIED) return true; // the result is written with the first operand before
    return ir_is_row(i->op) && ir_row(i->op)->flags & ROW_LOAD && i->results &&
           !is_vector(&a->f->values.items[i->first_result]);
}

// True if nothing that waits, or is written for all lanes, is in the way.
static bool may_have(struct assignment *a, uint32_t value, uint32_t r) {
    bool free = true;
    a->stamp++;
    keep_apart(a, value);
    assignment_forbid_named(a, value);
    for (unsigned d = 0; in_file(r) && d < ir_register_dwords(r); d++)
        free &= a->taken[ir_register_class_of(r)][ir_register_first(r) + d] != a->stamp;
    a->stamp++;
    return free;
}

// The result of a row that changes an operand gets that one's register, if nobody needs it any more.
static bool take_over(struct assignment *a, const struct ir_inst *i, unsigned operand) {
    const ir_ref r = ir_operand(a->f, i, operand);
    if (!ir_is(r, IR_VALUE) || i->results != 1) return false;
    const uint32_t value = ir_index(r);
    if (a->live.whole[value] != value || a->last[value] != (uint32_t)(i - a->f->insts.items) + 1 ||
        live_dwords(a->f, value) != live_dwords(a->f, i->first_result) ||
        live_file(&a->f->values.items[value]) != live_file(&a->f->values.items[i->first_result]))
        return false;
    for (unsigned o = 0; o < i->operands; o++)
        if (o != operand && ir_operand(a->f, i, o) == r) return false;
    if (a->crosses[i->first_result] || a->crosses[value]) return false;
    a->wide_one = a->f->values.items[i->first_result].bank == IR_BANK_W;
    if (a->wide_one && !is_allowed(a, IR_VGPR, ir_register_first(a->f->registers[value]), false))
        return false;
    if ((a->waiting || a->beside.count) && !may_have(a, i->first_result, a->f->registers[value]))
        return false;
    a->f->registers[i->first_result] = a->f->registers[value];
    release(a, value);
    occupy(a, i->first_result);
    note_wide(a, i->first_result);
    return true;
}

// Where there are few registers: matrix operations may add to what their third operand's hold, and inline
// assembly may have a result in those of an operand.
static bool share(struct assignment *a, const struct ir_inst *i) {
    if (i->op == OP_inline_asm && compiler_asm_may_share(a->c, i))
        for (unsigned o = 2; o < i->operands; o++)
            if (take_over(a, i, o)) return true;
    return !(i->modifiers & IR_TIED) && i->operands > 2 && live_ignores_exec(a->c, i) && take_over(a, i, 2);
}

// What a call gives is in fixed registers, and what is passed goes into such.
static void give_results(struct assignment *a, const struct ir_inst *i) {
    for (unsigned o = 0; o < i->operands; o++) {
        const ir_ref r = ir_operand(a->f, i, o);
        if (!ir_is(r, IR_REGISTER) || !in_file(ir_index(r))) continue;
        unsigned *used = &a->used[ir_register_class_of(ir_index(r))];
        const unsigned end = ir_register_first(ir_index(r)) + ir_register_dwords(ir_index(r));
        if (end > *used) *used = end;
    }
    for (unsigned r = 0; r < i->results; r++) {
        a->f->registers[i->first_result + r] = ir_register(IR_VGPR, r, 1);
        occupy(a, i->first_result + r);
    }
}

static void instruction(struct assignment *a, uint32_t block, const struct ir_inst *i) {
    const uint64_t *out = a->live.out + block * a->live.words;
    const uint32_t from = live_renamed(a->f, i);
    if (i->op == OP_phi) return;
    if (from != NO_VALUE) {
        name_anew(a, i, from);
        release_operands(a, i);
        return;
    }
    if (live_is_input(a->f, i)) return;
    const bool late = reads_late(a, i);
    if (!late) release_operands(a, i);
    if (ir_has_called(i->op))
        give_results(a, i);
    else if (!(i->modifiers & IR_TIED && take_over(a, i, 0)) && !(a->room != ROOM_WISHED && share(a, i)))
        for (unsigned r = 0; r < i->results && !a->c->status && !a->stuck; r++)
            place(a, i->first_result + r, i);
    if (late) release_operands(a, i);
    for (unsigned r = 0; r < i->results; r++)
        if (!a->last[i->first_result + r] && !live_has(out, i->first_result + r))
            release(a, i->first_result + r);
}

// A phi of lanes is written at the ends of blocks from which lanes also go elsewhere: what is needed there
// may not be overwritten.
static void forbid_registers(struct assignment *a, const struct ir_inst *phi) {
    a->stamp++;
    for (unsigned n = 0; n + 1 < phi->operands; n += 2) {
        const uint32_t from = ir_index(ir_operand(a->f, phi, n));
        const struct ir_block *b = &a->f->blocks.items[from];
        if (b->logical_count < 2) continue;
        for (uint32_t v = 0; v < a->f->values.count; v++) {
            if (!live_has(a->live.out + from * a->live.words, v) || !live_has(a->live.lanes, v)) continue;
            bool elsewhere = false;
            for (uint32_t e = 0, to; (to = live_way(a->f, b, true, e)) != NO_VALUE; e++)
                elsewhere |= live_has(a->live.in + to * a->live.words, v);
            if (elsewhere) forbid(a, v);
        }
        for (uint32_t e = 0, to; (to = live_way(a->f, b, true, e)) != NO_VALUE; e++) {
            uint32_t k = 0;
            for (const struct ir_inst *other;
                 (other = live_next_phi(a->f, a->f->insts.items, &a->f->blocks.items[to], true, &k));) {
                forbid(a, other->first_result);
            }
        }
    }
}

static void reserve(struct assignment *a, unsigned number) {
    a->owner[0][number] = NO_VALUE;
    if (a->used[0] <= number) a->used[0] = number + 1;
}

// Where EXEC is kept while other lanes execute, and the lanes of a pixel shader that are live.
static void reserve_lanes(struct assignment *a) {
    const uint32_t r[] = {lanes_saved(a->f), lanes_live(a->f)};
    const bool wanted[] = {a->changes_lanes, a->f->facts.live};
    for (unsigned k = 0; k < 2; k++)
        for (unsigned n = 0; n < ir_register_dwords(r[k]) && wanted[k]; n++)
            reserve(a, ir_register_first(r[k]) + n);
}

// The registers by which memory of the stack is reached, and by which functions return, keep what they hold.
static void reserve_registers(struct assignment *a) {
    const struct ir_facts *facts = &a->f->facts;
    for (unsigned n = 0; n < 4 && facts->stack_buffer; n++) reserve(a, n);
    if (a->used[0] < facts->stack_offset) a->used[0] = facts->stack_offset;
    if (a->used[0] < compiler_shader_registers(a->f)) a->used[0] = compiler_shader_registers(a->f);
    if (facts->calls || !ir_is_entry(a->f)) reserve(a, CONVENTION_STACK_TOP);
    for (unsigned n = 0; n < 2 && !ir_is_entry(a->f); n++) reserve(a, CONVENTION_RETURN + n);
    if (!ir_is_entry(a->f)) reserve(a, CONVENTION_FRAME);
    for (unsigned n = 0; n < 4 && convention_passes_stack(a->c); n++) reserve(a, CONVENTION_CHAIN_STACK + n);
    for (unsigned n = 0; n < MOST_REGISTERS; n++)
        if (a->lanes[n]) a->owner[1][n] = NO_VALUE;
    reserve_lanes(a);
}

static void begin_block(struct assignment *a, uint32_t block) {
    const struct ir_block *b = &a->f->blocks.items[block];
    const uint64_t *in = a->live.in + block * a->live.words;
    memset(a->owner, 0, sizeof a->owner);
    reserve_registers(a);
    for (uint32_t v = 0; v < a->f->values.count; v++)
        if (live_has(in, v)) occupy(a, v);
    for (uint32_t n = b->first; n < b->first + b->count && !block; n++) {
        const struct ir_inst *i = &a->f->insts.items[n];
        if (!live_is_input(a->f, i)) continue;
        a->f->registers[i->first_result] = ir_index(ir_operand(a->f, i, 0));
        if (a->live.whole[i->first_result] == i->first_result) occupy(a, i->first_result);
    }
    find_last_uses(a, block);
    for (uint32_t n = b->first; n < b->first + b->count && a->f->insts.items[n].op == OP_phi; n++) {
        const struct ir_inst *i = &a->f->insts.items[n];
        if (is_of_lanes(&a->f->values.items[i->first_result])) forbid_registers(a, i);
        if (!a->c->status && !a->stuck) place(a, i->first_result, i);
        a->stamp++;
    }
    for (uint32_t n = b->first; n < b->first + b->count && a->f->insts.items[n].op == OP_phi; n++) {
        const uint32_t v = a->f->insts.items[n].first_result;
        if (!a->last[v] && !live_has(a->live.out + block * a->live.words, v)) release(a, v);
    }
}

// What values are wanted for, from the instructions that take them.
static void find_wishes(struct assignment *a) {
    for (size_t n = 0; n < a->f->insts.count; n++) {
        const struct ir_inst *i = &a->f->insts.items[n];
        unsigned place = 0;
        for (unsigned o = 0; o < i->operands; o++) {
            const ir_ref r = ir_operand(a->f, i, o);
            if (i->op == OP_p_tuple && ir_is(r, IR_VALUE)) {
                a->tuple[ir_index(r)] = i->first_result + 1;
                a->place[ir_index(r)] = (uint8_t)place;
            }
            if (i->op == OP_phi && ir_is(r, IR_VALUE)) a->joined[ir_index(r)] = i->first_result + 1;
            place++;
        }
    }
}

// ---- The pass ----

// Scalar values of functions that are needed behind a call: in lanes from the beginning.
static void choose_scalars(struct assignment *a) {
    for (uint32_t v = 0; v < a->f->values.count && !ir_is_entry(a->f); v++) {
        const struct ir_value *value = &a->f->values.items[v];
        if (!a->crosses[v] || is_vector(value) || a->temporary[v] || a->live.whole[v] != v) continue;
        if (value->bank == IR_BANK_S || value->bank == IR_BANK_M) choose(a, v);
    }
}

// How often values are used; what stands in a loop counts ten times.
static void weigh(struct assignment *a) {
    const uint32_t blocks = (uint32_t)a->f->blocks.count;
    uint32_t *depth = calloc(blocks + 1, sizeof *depth);
    if (!depth) compiler_no_memory(a->c);
    for (uint32_t b = 0; b < blocks && depth; b++)
        for (uint32_t e = 0, to; (to = live_way(a->f, &a->f->blocks.items[b], false, e)) != NO_VALUE; e++)
            for (uint32_t k = to; k <= b; k++) depth[k]++;
    for (uint32_t b = 0; b < blocks && depth; b++) {
        const struct ir_block *block = &a->f->blocks.items[b];
        uint32_t weight = 1;
        for (uint32_t d = 0; d < depth[b] && d < 6; d++) weight *= 10;
        for (uint32_t n = block->first; n < block->first + block->count; n++)
            for (unsigned o = 0; o < a->f->insts.items[n].operands; o++) {
                const ir_ref r = ir_operand(a->f, &a->f->insts.items[n], o);
                if (!ir_is(r, IR_VALUE)) continue;
                uint32_t *w = &a->weight[a->live.whole[ir_index(r)]];
                *w = *w + weight < *w ? UINT32_MAX : *w + weight;
            }
    }
    free(depth);
}

static bool make_room(struct assignment *a, uint32_t temporaries) {
    const size_t count = a->f->values.count + 1;
    a->last = calloc(count, sizeof *a->last);
    a->tuple = calloc(count, sizeof *a->tuple);
    a->place = calloc(count, sizeof *a->place);
    a->base = calloc(count, sizeof *a->base);
    a->joined = calloc(count, sizeof *a->joined);
    a->temporary = calloc(count, 1);
    a->weight = calloc(count, sizeof *a->weight);
    a->spills.chosen = calloc(count, 1);
    a->crosses = calloc(count, 1);
    free(a->f->registers);
    a->f->registers = calloc(count, sizeof *a->f->registers);
    if (!a->last || !a->tuple || !a->place || !a->base || !a->joined || !a->temporary || !a->weight ||
        !a->spills.chosen || !a->crosses || !a->f->registers)
        return false;
    for (size_t v = temporaries; v + 1 < count; v++) a->temporary[v] = true;
    for (size_t n = 0; n < a->spills.ever.count; n++) a->temporary[a->spills.ever.items[n]] = true;
    return true;
}

static void free_room(struct assignment *a) {
    live_free(&a->live);
    free(a->last);
    free(a->tuple);
    free(a->place);
    free(a->base);
    free(a->joined);
    free(a->temporary);
    free(a->weight);
    free(a->spills.chosen);
    free(a->crosses);
    free(a->waiting);
    free(a->writes_all);
    array_free(&a->wide);
    for (size_t n = 0; n < a->beside.count; n++) free(a->beside.items[n].values);
    array_free(&a->beside);
}

// Vector registers that a chain function's arguments are in.
static unsigned chain_vgprs(const struct compiler *c) {
    unsigned count = 0;
    for (size_t n = 0; n < c->f->arguments.count; n++) {
        const struct ir_argument *a = &c->f->arguments.items[n];
        if (!(a->passed & IR_IN_SGPR)) count += convention_dwords(c, c->f->values.items[a->value].type);
    }
    return count;
}

// Where a value has no registers: those that inline assembly names are used, then what goes out of registers
// is, then wishes are not granted.
static void make_more_room(struct assignment *a, enum assignment_room *room, size_t ever) {
    if (*room != ROOM_WISHED && a->failed) return;
    a->failed = false;
    a->spills.ever.count = ever;
    if (*room == ROOM_UNWISHED)
        compiler_refuse(a->c, a->stuck,
                        a->stuck_file ? "a function that needs more vector registers than it may have"
                                      : "a function that needs more scalar registers than there are");
    else if (++*room == ROOM_UNWISHED)
        a->f->facts.most_vgprs = a->f->facts.most_sgprs = a->f->facts.waves_min = 0;
}

// Gives all values registers, or spills some of them: then it has to be tried again. Values from a number on
// are there because of such ones.
static bool try(struct compiler *c, struct spills *spills, uint32_t temporaries, enum assignment_room *room) {
    struct assignment a = {.c = c, .f = c->f, .stamp = 1, .spills = *spills, .room = *room};
    const size_t ever = spills->ever.count;
    live_find(&a.live, c);
    if (!make_room(&a, temporaries)) compiler_no_memory(c);
    // Where every wave has 96, six of them are VCC and its kin.
    const unsigned sgprs = has(c->processor, CAP_sgpr_init_bug) ? 90 : 96;
    a.limit[0] = c->f->facts.most_sgprs && c->f->facts.most_sgprs < sgprs ? c->f->facts.most_sgprs : sgprs;
    const unsigned least = c->f->facts.convention == IR_GFX ? 64 : 40;
    a.changes_lanes = lanes_change(c->f);
    const unsigned end = ir_register_first(lanes_saved(c->f)) + 2;
    if (a.changes_lanes && a.limit[0] < end) a.limit[0] = end;
    if (a.limit[0] < least && (c->f->facts.calls || !ir_is_entry(c->f))) a.limit[0] = least;
    assignment_find_named(&a);
    assignment_share_files(&a);
    if (c->f->facts.convention == IR_CHAIN_KEEP) a.limit[IR_VGPR] = CONVENTION_CHAIN_VGPR + chain_vgprs(c);
    assignment_place_lanes(&a);
    if (!c->status) {
        find_wishes(&a);
        weigh(&a);
        live_find_crossings(&a.live, a.crosses);
        choose_scalars(&a);
        assignment_find_waiting(&a);
        assignment_find_beside(&a);
    }
    for (uint32_t b = 0; b < c->f->blocks.count && !c->status && !a.stuck; b++) {
        const struct ir_block *block = &c->f->blocks.items[b];
        begin_block(&a, b);
        for (uint32_t n = block->first; n < block->first + block->count && !c->status && !a.stuck; n++)
            instruction(&a, b, &c->f->insts.items[n]);
    }
    if (!c->status && a.stuck) make_more_room(&a, room, ever);
    if (!c->status && a.failed)
        spill_values(c, &a.spills, &a.live);
    else if (!c->status && !a.stuck && c->f->blocks.count > 1)
        assignment_fill_phis(&a);
    const bool done = !a.failed && !a.stuck;
    if (!c->status && done) assignment_give_up(&a);
    if (!c->status && done) {
        for (unsigned n = 0; n < MOST_REGISTERS; n++)
            if (a.kept_accs[n] && a.used[IR_VGPR] <= FRAME_ACC_BY) a.used[IR_VGPR] = FRAME_ACC_BY + 1;
        compiler_frame(c, &a.spills, &(struct frame_kept){a.kept, a.kept_accs, a.whole});
    }
    const struct ir_memory dword = {.space = IR_PRIVATE, .bytes = 4, .align_log2 = 2};
    const bool far = !ir_is_entry(c->f) && c->f->facts.stack > compiler_greatest_offset(c, &dword);
    if (far && a.used[0] <= FRAME_FAR) a.used[0] = FRAME_FAR + 1;
    c->f->facts.sgprs = a.used[0];
    c->f->facts.vgprs = a.used[IR_VGPR];
    c->f->facts.agprs = a.used[IR_AGPR];
    free_room(&a);
    *spills = a.spills;
    spills->chosen = NULL;
    return done;
}

void compiler_assign(struct compiler *c) {
    enum { MOST_TRIES = 40 };
    struct spills spills = {0};
    enum assignment_room room = ROOM_WISHED;
    bool done = false;
    compiler_detach(c);
    if (c->f->facts.calls && !ir_is_entry(c->f)) {
        const struct convention_set changed = convention_changes(c);
        spills.lane_dwords = FRAME_LANES + convention_count(&changed);
    }
    const uint32_t values = (uint32_t)c->f->values.count;
    for (unsigned n = 0; n < MOST_TRIES && !done && !c->status && !c->m->failed; n++)
        done = try(c, &spills, n ? values : NO_VALUE, &room);
    array_free(&spills.ever);
    if (done && !c->status) compiler_lanes(c);
    if (!done && !c->status) compiler_refuse(c, NULL, "a function that needs more registers than there are");
}
