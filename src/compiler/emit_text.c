// SPDX-License-Identifier: MIT
// A function as assembly text: rows by their mnemonics, pseudo operations as the moves and waits that they
// stand for. Requires: waits.
#include "compiler/passes.h"
#include "compiler/reach.h"
#include "isa/counters.h"

#include <stdio.h>

struct emitter {
    struct compiler *c;
    struct ir_function *f;
    struct text *t;
    uint32_t *goes_on; // by block: itself, or the block to which one leads that does nothing
    uint32_t next;     // the block whose text comes behind the one at hand
    struct reach reach;
};

// ---- Operands ----

static uint32_t register_of(const struct emitter *e, ir_ref r) {
    return ir_is(r, IR_VALUE) ? e->f->registers[ir_index(r)] : ir_is(r, IR_REGISTER) ? ir_index(r) : 0;
}

static void put_constant(struct emitter *e, const struct ir_constant *k) {
    const struct ir_type *t = ir_type_at(e->c->m, k->type);
    const int32_t n = (int32_t)k->low;
    if ((t->kind == IR_INT || t->kind == IR_BITS) && n >= -16 && n <= 64)
        text_printf(e->t, "%d", n);
    else
        text_printf(e->t, "0x%x", (uint32_t)n);
}

static void put_operand(struct emitter *e, ir_ref r) {
    const struct ir_constant *k = ir_constant_of(e->f, r);
    if (k)
        put_constant(e, k);
    else if (ir_is(r, IR_NONE))
        text_puts(e->t, "off");
    else if (ir_is(r, IR_IMMEDIATE))
        text_printf(e->t, "0x%x", (unsigned)ir_number(r));
    else
        ir_put_register(e->t, register_of(e, r));
}

static void begin_line(struct emitter *e, const char *mnemonic) { text_printf(e->t, "\t%s", mnemonic); }

// ---- Instructions ----

static const char *mnemonic(const struct emitter *e, const char *id) {
    const struct row *row = compiler_named_row(e->c, id);
    return row ? isa_row_name(e->c->isa, row) : id;
}

static void move(struct emitter *e, uint32_t to, ir_ref from) {
    const uint32_t source = register_of(e, from);
    const bool vector = ir_register_class_of(to) == IR_VGPR;
    if (!ir_constant_of(e->f, from) && source == to) return;
    begin_line(e, mnemonic(e, vector ? "v_mov_b32" : "s_mov_b32"));
    text_puts(e->t, " ");
    ir_put_register(e->t, to);
    text_puts(e->t, ", ");
    put_operand(e, from);
    text_puts(e->t, "\n");
}

// A copy into another bank, dword by dword.
static void put_copy(struct emitter *e, const struct ir_inst *i) {
    const uint32_t to = e->f->registers[i->first_result], from = register_of(e, ir_operand(e->f, i, 0));
    if (ir_constant_of(e->f, ir_operand(e->f, i, 0))) {
        move(e, to, ir_operand(e->f, i, 0));
        return;
    }
    for (unsigned n = 0; to != from && n < ir_register_dwords(to); n++)
        move(e, ir_register_dword(to, n), ir_make(IR_REGISTER, ir_register_dword(from, n)));
}

// The address of a symbol as the distance from the instruction behind s_getpc, or that of its entry in the
// linker's table. The literal of the first sum is the fifth byte behind it, that of the second the
// thirteenth.
static void put_address(struct emitter *e, const struct ir_inst *i) {
    const uint32_t to = e->f->registers[i->first_result], low = ir_register_dword(to, 0),
                   high = ir_register_dword(to, 1);
    const struct ir_symbol *s = &e->c->m->symbols.items[ir_index(ir_operand(e->f, i, 0))];
    const bool near = compiler_is_near(s);
    char pair[24];
    if (!compiler_is_plain_name(s->name)) compiler_refuse(e->c, i, "the address of a symbol of this name");
    begin_line(e, mnemonic(e, "s_getpc_b64"));
    text_puts(e->t, " ");
    ir_put_register(e->t, to);
    text_puts(e->t, "\n");
    const unsigned more = compiler_put_settled(e->c, i);
    for (unsigned n = 0; n < 2; n++) {
        if (n) text_puts(e->t, "\n");
        begin_line(e, mnemonic(e, n ? "s_add_co_ci_u32" : "s_add_co_u32"));
        text_puts(e->t, " ");
        ir_put_register(e->t, n ? high : low);
        text_puts(e->t, ", ");
        ir_put_register(e->t, n ? high : low);
        text_printf(e->t, ", %s@%s@%s+%u", s->name, near ? "rel32" : "gotpcrel32", n ? "hi" : "lo",
                    (n ? 12 : 4) + more);
    }
    text_puts(e->t, "\n");
    if (near) return;
    snprintf(pair, sizeof pair, "s[%u:%u]", ir_register_first(to), ir_register_first(to) + 1);
    compiler_put_table_load(e->c, pair);
}

// ---- Moves at once ----

struct move {
    uint32_t to;
    ir_ref from;
    bool done;
};

static bool is_read(const struct emitter *e, const struct move *moves, unsigned count, uint32_t r) {
    for (unsigned n = 0; n < count; n++)
        if (!moves[n].done && moves[n].to != r && !ir_constant_of(e->f, moves[n].from) &&
            register_of(e, moves[n].from) == r)
            return true;
    return false;
}

// Exchanges two registers without a third one. SCC is free where blocks end.
static void put_exchange(struct emitter *e, const struct ir_inst *i, uint32_t x, uint32_t y) {
    const char *name = mnemonic(e, ir_register_class_of(x) == IR_VGPR ? "v_xor_b32" : "s_xor_b32");
    const uint32_t to[] = {x, y, x};
    for (unsigned n = 0; n < 3; n++) {
        begin_line(e, name);
        text_puts(e->t, " ");
        ir_put_register(e->t, to[n]);
        text_puts(e->t, ", ");
        ir_put_register(e->t, x);
        text_puts(e->t, ", ");
        ir_put_register(e->t, y);
        text_puts(e->t, "\n");
        if (ir_register_class_of(x) != IR_VGPR && n < 2) compiler_put_settled(e->c, i);
    }
}

// Moves as if all happened at once: first those whose targets nobody reads any more, then what is left, which
// are cycles, by exchanges.
static void put_moves(struct emitter *e, const struct ir_inst *i, struct move *moves, unsigned count) {
    for (unsigned n = 0; n < count; n++)
        moves[n].done = !ir_constant_of(e->f, moves[n].from) && register_of(e, moves[n].from) == moves[n].to;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned n = 0; n < count; n++) {
            if (moves[n].done || is_read(e, moves, count, moves[n].to)) continue;
            move(e, moves[n].to, moves[n].from);
            changed = moves[n].done = true;
        }
        for (unsigned n = 0; n < count && !changed; n++) {
            if (moves[n].done) continue;
            const uint32_t x = moves[n].to, y = register_of(e, moves[n].from);
            put_exchange(e, i, x, y);
            changed = moves[n].done = true;
            // What was in x is in y now.
            for (unsigned k = 0; k < count; k++) {
                if (moves[k].done || ir_constant_of(e->f, moves[k].from)) continue;
                const uint32_t from = register_of(e, moves[k].from);
                if (from == x || from == y) moves[k].from = ir_make(IR_REGISTER, from == x ? y : x);
                moves[k].done = ir_index(moves[k].from) == moves[k].to && ir_is(moves[k].from, IR_REGISTER);
            }
        }
    }
}

static void put_write_lane(struct emitter *e, const struct ir_inst *i) {
    begin_line(e, mnemonic(e, "v_writelane_b32"));
    for (unsigned n = 0; n < 3; n++) {
        text_puts(e->t, n ? ", " : " ");
        put_operand(e, ir_operand(e->f, i, n));
    }
    text_puts(e->t, "\n");
}

// The moves of a p_moves or p_call, or those that put a p_tuple together.
static void put_all_moves(struct emitter *e, const struct ir_inst *i) {
    const bool tuple = i->op == OP_p_tuple;
    const unsigned count = tuple ? i->operands : i->operands / 2, first = ir_has_called(i->op);
    struct move *moves = calloc(count + 1, sizeof *moves);
    if (!moves) {
        compiler_no_memory(e->c);
        return;
    }
    for (unsigned n = 0; n < count; n++) {
        moves[n].to = tuple ? ir_register_dword(e->f->registers[i->first_result], n)
                            : ir_index(ir_operand(e->f, i, first + 2 * n));
        moves[n].from = ir_operand(e->f, i, tuple ? n : first + 2 * n + 1);
    }
    put_moves(e, i, moves, count);
    free(moves);
}

// ---- Jumps ----

static bool moves_nothing(const struct emitter *e, const struct ir_inst *i) {
    for (unsigned n = 0; n + 1 < i->operands; n += 2)
        if (ir_operand(e->f, i, n) != ir_operand(e->f, i, n + 1)) return false;
    return true;
}

// The block to which one goes that does nothing else; IR_NOWHERE: it does something.
static uint32_t leads_to(const struct emitter *e, uint32_t block) {
    const struct ir_block *b = &e->f->blocks.items[block];
    for (uint32_t n = b->first; n < b->first + b->count; n++) {
        const struct ir_inst *i = &e->f->insts.items[n];
        if (i->op == OP_jump) return ir_index(ir_operand(e->f, i, 0));
        if (i->op != OP_phi && i->op != OP_p_logical && i->op != OP_p_part &&
            (i->op != OP_p_moves || !moves_nothing(e, i)))
            return IR_NOWHERE;
    }
    return IR_NOWHERE;
}

// Blocks that do nothing have no text: whoever goes there goes on at once. A circle of them keeps its text.
static void find_targets(struct emitter *e) {
    const uint32_t blocks = (uint32_t)e->f->blocks.count;
    for (uint32_t b = blocks; b-- > 0;) e->goes_on[b] = b;
    for (uint32_t b = blocks; b-- > 1;) {
        const uint32_t to = leads_to(e, b);
        if (to == IR_NOWHERE) continue;
        uint32_t end = to, steps = 0;
        while (e->goes_on[end] != end && end != b && steps++ < blocks) end = e->goes_on[end];
        if (end != b) e->goes_on[b] = end;
    }
}

static uint32_t target(const struct emitter *e, const struct ir_inst *i, unsigned n) {
    uint32_t block = ir_index(ir_operand(e->f, i, n));
    while (e->goes_on[block] != block) block = e->goes_on[block];
    return block;
}

static void put_label(struct emitter *e, uint32_t block) {
    reach_label(&e->reach, block);
    reach_put_label(e->t, e->f->name, block);
    text_puts(e->t, ":\n");
}

static void put_jump(struct emitter *e, const char *id, uint32_t block) {
    begin_line(e, mnemonic(e, id));
    text_puts(e->t, " ");
    reach_jump(e->c, &e->reach, block);
    reach_put_label(e->t, e->f->name, block);
    text_puts(e->t, "\n");
}

// To one block or the other, by an instruction for the first way and one for the other.
static void put_ways(struct emitter *e, uint32_t yes, uint32_t no, const char *if_yes, const char *if_no) {
    if (yes == e->next && no != yes) {
        put_jump(e, if_no, no);
        return;
    }
    if (yes != no) put_jump(e, if_yes, yes);
    if (no != e->next) put_jump(e, "s_branch", no);
}

// All lanes go the same way: to the first block if the condition holds in active ones.
static void put_branch(struct emitter *e, const struct ir_inst *i) {
    const bool wave64 = e->f->facts.wave == 64;
    const struct ir_constant *known = ir_constant_of(e->f, ir_operand(e->f, i, 0));
    const struct ir_value *condition = ir_value_of(e->f, ir_operand(e->f, i, 0));
    const bool in_scc = condition && condition->bank == IR_BANK_SCC;
    uint32_t yes = target(e, i, 1), no = target(e, i, 2);
    if (known) {
        yes = no = known->low ? yes : no;
    } else if (yes != no && !in_scc) {
        begin_line(e, mnemonic(e, wave64 ? "s_and_b64" : "s_and_b32"));
        text_puts(e->t, wave64 ? " vcc, " : " vcc_lo, ");
        put_operand(e, ir_operand(e->f, i, 0));
        text_puts(e->t, wave64 ? ", exec\n" : ", exec_lo\n");
        e->f->facts.uses_vcc = 1;
    }
    put_ways(e, yes, no, "s_cbranch_scc1", "s_cbranch_scc0");
}

// The destination first gets what it is to hold.
static void put_held(struct emitter *e, const struct ir_inst *i) {
    const uint32_t to = e->f->registers[i->first_result];
    const ir_ref held = ir_operand(e->f, i, 0);
    const struct ir_constant *k = ir_constant_of(e->f, held);
    if (k && k->poison) return;
    for (unsigned n = 0; n < ir_register_dwords(to); n++)
        move(e, ir_register_dword(to, n),
             k ? held : ir_make(IR_REGISTER, ir_register_dword(register_of(e, held), n)));
}

static unsigned format_of(const struct emitter *e, const struct row *row) {
    return e->c->isa->codings[e->c->isa->row_codings[row - isa_rows]].format;
}

// The only result of a row that writes two registers, of which the second is the last dword.
static void put_split(struct emitter *e, const struct ir_inst *i) {
    const uint32_t all = e->f->registers[i->first_result];
    const unsigned first = ir_register_dwords(all) - 1;
    text_puts(e->t, " ");
    ir_put_register(e->t, ir_register(ir_register_class_of(all), ir_register_first(all), first));
    text_puts(e->t, ", ");
    ir_put_register(e->t, ir_register_dword(all, first));
}

static void put_row(struct emitter *e, const struct ir_inst *i) {
    const struct row *row = ir_row(i->op);
    unsigned written = 0;
    int32_t offset = 0;
    if (!select_exists(e->c->isa, i->op - IR_ROWS)) {
        compiler_refuse(e->c, i, "an instruction that this processor does not have");
        return;
    }
    if (i->modifiers & IR_TIED) put_held(e, i);
    const bool has_number = compiler_has_number(e->c, row);
    const bool scaled = format_of(e, row) == FMT_MAI && compiler_row_number(e->c, i) & IR_SCALED;
    begin_line(e, scaled ? row_dual(row) : isa_row_name(e->c->isa, row));
    if (format_of(e, row) == FMT_EXP) {
        compiler_put_export(e->c, i);
        text_puts(e->t, "\n");
        return;
    }
    if (compiler_is_image(e->c, row)) {
        compiler_put_image(e->c, i);
        text_puts(e->t, "\n");
        return;
    }
    if (i->modifiers & IR_DPP) text_puts(e->t, "_dpp");
    const bool swaps = row->flags & ROW_SWAPS || row->dst[1].field == F_addr;
    if (swaps && i->results) put_split(e, i);
    if (swaps) written += 2;
    for (unsigned r = 0; r < i->results && !swaps; r++) {
        if (e->f->values.items[i->first_result + r].bank == IR_BANK_SCC) continue;
        text_puts(e->t, written++ ? ", " : " ");
        ir_put_register(e->t, e->f->registers[i->first_result + r]);
    }
    const unsigned tied = i->modifiers & IR_TIED ? 1 : 0;
    const unsigned end = i->modifiers & IR_DPP ? tied + 1 : i->operands;
    for (unsigned k = tied; k < end; k++) {
        const ir_ref r = ir_operand(e->f, i, k);
        const struct ir_value *v = ir_value_of(e->f, r);
        if (v && v->bank == IR_BANK_SCC) continue;
        if (ir_is(r, IR_IMMEDIATE) && has_number) continue;
        if (ir_is(r, IR_IMMEDIATE) && compiler_has_offset(e->c, row)) {
            offset = ir_number(r); // behind everything else
            continue;
        }
        text_puts(e->t, written++ ? ", " : " ");
        if (!compiler_put_attribute(e->c, row, k - tied, r)) put_operand(e, r);
    }
    if (i->operands) compiler_put_buffer(e->c, i);
    if (compiler_has_offset(e->c, row)) compiler_put_offset(e->c, row, offset);
    compiler_put_cache(e->c, i);
    compiler_put_lds(e->c, i);
    compiler_put_modifiers(e->c, i);
    text_puts(e->t, "\n");
}

static void put_instruction(struct emitter *e, const struct ir_inst *i) {
    if (ir_is_row(i->op)) {
        put_row(e, i);
        return;
    }
    switch (i->op) {
    case OP_p_copy: put_copy(e, i); return;
    case OP_p_write_lane: put_write_lane(e, i); return;
    case OP_p_address: put_address(e, i); return;
    case OP_p_tuple:
    case OP_p_moves: put_all_moves(e, i); return;
    case OP_p_wait: compiler_put_wait(e->c, i); return;
    case OP_inline_asm: compiler_put_asm(e->c, e->t, i); return;
    case OP_p_call:
        put_all_moves(e, i);
        compiler_put_call(e->c, i);
        return;
    case OP_p_tail_call:
    case OP_p_chain:
        put_all_moves(e, i);
        compiler_put_jump(e->c, i);
        return;
    case OP_p_return:
        compiler_put_return(e->c);
        if (ir_is_entry(e->f) && e->next < e->f->blocks.count) put_jump(e, "s_branch", REACH_END);
        return;
    case OP_p_end_lanes: compiler_put_end(e->c); return;
    case OP_p_exit: compiler_put_exit(e->c, (unsigned)(i - e->f->insts.items)); return;
    case OP_p_enter: compiler_put_enter(e->c, i); return;
    case OP_p_leave: compiler_put_leave(e->c, i); return;
    case OP_branch: put_branch(e, i); return;
    case OP_p_skip:
        put_ways(e, target(e, i, 0), target(e, i, 1), "s_cbranch_execz", "s_cbranch_execnz");
        return;
    case OP_jump:
        if (target(e, i, 0) != e->next) put_jump(e, "s_branch", target(e, i, 0));
        return;
    case OP_p_logical:
    case OP_phi:
    case OP_p_part: return;
    default: compiler_refuse(e->c, i, "this operation");
    }
}

static void put_location(struct emitter *e, const struct ir_inst *i, uint32_t *last) {
    if (!i->location || i->location == *last) return;
    const struct ir_location *l = &e->f->locations.items[i->location - 1];
    *last = i->location;
    if (l->line) text_printf(e->t, "\t.loc %u %u %u\n", l->file + 1, l->line, l->column);
}

// FLAT_SCRATCH becomes the address of the wave's part of the stacks.
static void begin_flat_stack(struct emitter *e) {
    const struct ir_facts *facts = &e->f->facts;
    const unsigned low = facts->flat_stack - 1, wave = facts->stack_offset - 1;
    const char *add = mnemonic(e, "s_add_co_u32"), *carry = mnemonic(e, "s_add_co_ci_u32");
    if (isa_counters(e->c->isa)->most[COUNTER_VS]) {
        text_printf(e->t, "\t%s s%u, s%u, s%u\n\t%s s%u, s%u, 0\n", add, low, low, wave, carry, low + 1,
                    low + 1);
        text_printf(e->t, "\ts_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s%u\n", low);
        text_printf(e->t, "\ts_setreg_b32 hwreg(HW_REG_FLAT_SCR_HI), s%u\n", low + 1);
    } else if (!has(e->c->processor, CAP_absolute_flat_scratch)) {
        // There it is an offset in units of 256 bytes, and the size of a lane's stack.
        text_printf(e->t, "\t%s s%u, s%u, s%u\n\ts_lshr_b32 flat_scratch_hi, s%u, 8\n", add, low, low, wave,
                    low);
        text_printf(e->t, "\ts_mov_b32 flat_scratch_lo, s%u\n", low + 1);
    } else {
        text_printf(e->t, "\t%s flat_scratch_lo, s%u, s%u\n", add, low, wave);
        text_printf(e->t, "\t%s flat_scratch_hi, s%u, 0\n", carry, low + 1);
    }
}

// Lines that are neither labels nor directives.
static uint32_t count_instructions(const struct text *t, size_t from) {
    uint32_t count = 0;
    for (size_t n = from; t->data && n + 1 < t->length; n++)
        count += t->data[n] == '\t' && (!n || t->data[n - 1] == '\n') && t->data[n + 1] != '.';
    return count;
}

void compiler_emit(struct compiler *c) {
    struct emitter e = {.c = c, .f = c->f, .t = c->assembly};
    const char *name = c->f->name;
    const uint32_t blocks = (uint32_t)c->f->blocks.count;
    uint32_t last = 0;
    e.goes_on = calloc(blocks + 1, sizeof *e.goes_on);
    if (!e.goes_on || !reach_begin(&e.reach, c->assembly, blocks)) {
        free(e.goes_on);
        compiler_no_memory(c);
        return;
    }
    find_targets(&e);
    const size_t begin = c->assembly->length;
    text_puts(e.t, "\t.text\n");
    if (c->f->is_kernel || !c->m->symbols.items[c->f->symbol].local) {
        const struct ir_symbol *s = c->f->symbol == IR_NO_DEF ? NULL : &c->m->symbols.items[c->f->symbol];
        const bool hidden = s && s->visibility == IR_HIDDEN && !c->f->is_kernel; // the host looks for kernels
        compiler_put_linkage(e.t, name, s && s->weak, hidden ? IR_HIDDEN : IR_PROTECTED);
    }
    text_printf(e.t, "\t.p2align %u\n", ir_is_entry(c->f) ? 8 : 2);
    compiler_put_line(e.t, "\t.type ", name, ",@function\n");
    compiler_put_line(e.t, "", name, ":\n");
    if (c->f->facts.flat_stack) begin_flat_stack(&e);
    if (ir_is_entry(c->f)) compiler_put_kernel_stack(c);
    for (uint32_t b = 0; b < blocks; b++) {
        const struct ir_block *block = &c->f->blocks.items[b];
        if (e.goes_on[b] != b) continue;
        for (e.next = b + 1; e.next < blocks && e.goes_on[e.next] != e.next;) e.next++;
        if (b) put_label(&e, b);
        for (uint32_t n = block->first; n < block->first + block->count && !c->status; n++) {
            reach_place(c, &e.reach);
            put_location(&e, &c->f->insts.items[n], &last);
            put_instruction(&e, &c->f->insts.items[n]);
        }
    }
    if (ir_is_entry(c->f) && !c->f->is_kernel) put_label(&e, REACH_END);
    reach_end(c, &e.reach, name);
    reach_free(&e.reach);
    free(e.goes_on);
    c->f->facts.instructions = count_instructions(e.t, begin);
    compiler_put_line(e.t, "\t.size ", name, ", .-");
    compiler_put_line(e.t, "", name, "\n");
    compiler_put_resources(c);
    if (c->f->is_kernel) compiler_descriptor(c);
    if (e.t->failed) compiler_no_memory(c);
}

void compiler_begin_text(struct compiler *c) {
    char id[SW_TARGET_TEXT];
    sw_target_format(&c->m->target, id);
    if (compiler_system(c->m) == SW_OS_AMDHSA)
        text_printf(c->assembly,
                    "\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n\t.amdhsa_code_object_version %u\n", id,
                    c->m->code_object_version);
    for (size_t i = 0; i < c->m->files.count; i++) {
        const struct ir_file *f = &c->m->files.items[i];
        text_printf(c->assembly, "\t.file %zu \"", i + 1);
        if (*f->directory && *f->name != '/') text_printf(c->assembly, "%s/", f->directory);
        text_printf(c->assembly, "%s\"\n", f->name);
    }
    compiler_put_module_asm(c);
}

void compiler_end_text(struct compiler *c) {
    compiler_put_maxima(c);
    compiler_variables(c);
    if (compiler_system(c->m) == SW_OS_AMDHSA) compiler_metadata(c);
    if (c->assembly->failed) compiler_no_memory(c);
}
