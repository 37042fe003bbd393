// SPDX-License-Identifier: MIT
// Waits by counting. The state at a place says for each counter how many operations may be outstanding, and
// for each register behind how many of them its own one is; an instruction that reads or writes a register of
// an outstanding operation waits until only the later ones are left, where they come back in order, else for
// all. States flow along the edges until nothing changes. A p_wait that is there before is what the memory
// model asks for: it is dropped where nothing is outstanding. Requires: assign. Leaves: no register is used
// before what was asked for it has come.
#include "compiler/waits.h"
#include "compiler/cache.h"
#include "ir/constraints.h"

enum { NO_PLACE = 0xffff, NEVER = -1000000, OLDEST = -300 };
// Counters behind it are those that only some processors have.
enum { FEW = COUNTER_EXP + 1 };
// Where accesses may be issued once more: special registers that they read.
enum { SPECIAL_VCC, SPECIAL_EXEC = 2, SPECIAL_M0 = 4, SPECIALS };

// Numbers of operations, the last one being `last`. Those up to `done` are over; a register's is that of the
// operation which will write it (COUNTER_EXP: has yet to read it; COUNTER_X: may read it once more).
struct state {
    int32_t last[COUNTERS_OF_MODELS], done[COUNTERS_OF_MODELS];
    uint8_t kinds[COUNTERS_OF_MODELS]; // of what is outstanding
    int32_t *registers;                // by counter and place
};
struct waits {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    const struct counters *counters;
    struct state *at;        // by block: at its beginning
    bool *reached, *changed; // changed: since the block was looked at
    struct state now;
    int32_t *memory;                          // of all states
    unsigned tracked;                         // counters that registers have numbers of
    unsigned scalars, vectors, agprs, places; // registers that the function has: places of states
    unsigned lds, special;                    // places behind them
    bool writing;                             // the last round, in which instructions are appended
    int32_t wanted[COUNTERS_OF_MODELS];       // so few may be outstanding from here on; -1: whatever
};

// ---- States ----

static void clear(const struct waits *w, struct state *s, int32_t *registers) {
    *s = (struct state){.registers = registers};
    for (size_t r = 0; r < (size_t)w->places * w->tracked; r++) registers[r] = NEVER;
}

static void copy_state(const struct waits *w, struct state *to, const struct state *from) {
    int32_t *registers = to->registers;
    *to = *from;
    to->registers = registers;
    memcpy(registers, from->registers, (size_t)w->places * w->tracked * sizeof *registers);
}

// The same state with 0 for the last operation, so that states of several blocks can be compared.
static void settle(const struct waits *w, struct state *s) {
    for (unsigned c = 0; c < COUNTERS_OF_MODELS; c++) {
        const int32_t last = s->last[c];
        s->done[c] = s->done[c] - last < OLDEST ? OLDEST : s->done[c] - last;
        s->last[c] = 0;
        if (!s->done[c]) s->kinds[c] = 0;
        for (unsigned r = 0; r < w->places && c < w->tracked; r++) {
            int32_t *n = &s->registers[c * w->places + r];
            if (*n == NEVER) continue;
            *n = *n - last < OLDEST + 1 ? OLDEST + 1 : *n - last;
            if (*n <= s->done[c]) *n = NEVER;
        }
    }
}

// What may be so on either way. True if that is more than before.
static bool merge(const struct waits *w, struct state *to, const struct state *from) {
    bool more = false;
    for (unsigned c = 0; c < COUNTERS_OF_MODELS; c++) {
        if (from->done[c] < to->done[c]) to->done[c] = from->done[c], more = true;
        if (from->kinds[c] & ~to->kinds[c]) to->kinds[c] |= from->kinds[c], more = true;
    }
    for (size_t r = 0; r < (size_t)w->places * w->tracked; r++)
        if (from->registers[r] > to->registers[r]) to->registers[r] = from->registers[r], more = true;
    return more;
}

// ---- One instruction ----

static uint32_t register_of(const struct waits *w, ir_ref r) {
    return ir_is(r, IR_VALUE) ? w->f->registers[ir_index(r)] : ir_is(r, IR_REGISTER) ? ir_index(r) : 0;
}

static void want(struct waits *w, unsigned counter, int32_t count) {
    if (w->wanted[counter] < 0 || count < w->wanted[counter]) w->wanted[counter] = count;
}

static unsigned special(const struct waits *w, unsigned which) {
    return w->special == NO_PLACE ? NO_PLACE : w->special + which;
}

// Dword `n` of a register among the places; NO_PLACE: nothing is loaded into such ones.
static unsigned place_of(const struct waits *w, uint32_t r, unsigned n) {
    const unsigned at = ir_register_first(r) + n;
    if (n >= ir_register_dwords(r)) return NO_PLACE;
    switch (ir_register_class_of(r)) {
    case IR_SGPR: return at < w->scalars ? at : NO_PLACE;
    case IR_VGPR: return at < w->vectors ? w->scalars + at : NO_PLACE;
    case IR_AGPR: return at < w->agprs ? w->scalars + w->vectors + at : NO_PLACE;
    case IR_VCC: return special(w, SPECIAL_VCC + (at & 1));
    case IR_EXEC: return special(w, SPECIAL_EXEC + (at & 1));
    case IR_M0: return special(w, SPECIAL_M0);
    default: return NO_PLACE;
    }
}

// Counters that say when operands were read.
static bool is_of_sources(unsigned counter) { return counter == COUNTER_EXP || counter == COUNTER_X; }

static void want_place(struct waits *w, unsigned at, bool written) {
    for (unsigned c = 0; c < w->tracked; c++) {
        const int32_t n = w->now.registers[c * w->places + at];
        if (n == NEVER || n <= w->now.done[c] || (is_of_sources(c) && !written)) continue;
        const uint8_t kinds = w->now.kinds[c];
        const bool in_order = !(kinds & ~COUNT_IN_ORDER) && !(kinds & (kinds - 1));
        want(w, c, in_order ? w->now.last[c] - n : 0);
    }
}

static void want_register(struct waits *w, uint32_t r, bool written) {
    for (unsigned d = 0, at; (at = place_of(w, r, d)) != NO_PLACE; d++) want_place(w, at, written);
}

// LDS, which loads from memory may be writing.
static void want_lds(struct waits *w, const struct ir_inst *i) {
    const struct row *row = ir_is_row(i->op) ? ir_row(i->op) : NULL;
    const unsigned format = row ? w->c->isa->codings[w->c->isa->row_codings[i->op - IR_ROWS]].format : 0;
    if (row && row->flags & ROW_LGKM_CNT && format != FMT_SMEM) want_place(w, w->lds, true);
}

// Until so few operations are outstanding in a counter, no more addresses are untranslated (LLVM's manual).
static void translate(struct waits *w) {
    static const uint8_t counters[] = {COUNTER_VM, COUNTER_VS, COUNTER_KM};
    for (unsigned k = 0; k < sizeof counters && w->counters->most[COUNTER_X]; k++) {
        const int32_t n = w->wanted[counters[k]];
        if (n < 0 || w->now.kinds[COUNTER_X] & COUNT_DATA) continue;
        if (n <= w->wanted[COUNTER_X]) w->wanted[COUNTER_X] = -1;
        if (w->now.last[COUNTER_X] - n > w->now.done[COUNTER_X])
            w->now.done[COUNTER_X] = w->now.last[COUNTER_X] - n;
        if (!n) w->now.kinds[COUNTER_X] = 0;
    }
}

static void put_wait(struct waits *w, uint32_t location) {
    ir_ref operands[COUNTERS_OF_MODELS];
    unsigned count = 0;
    translate(w);
    for (unsigned c = 0; c < COUNTERS_OF_MODELS; c++) {
        const int32_t most = w->counters->most[c], n = w->wanted[c] >= most ? most - 1 : w->wanted[c];
        w->wanted[c] = -1;
        if (n < 0 || !most) continue;
        operands[count++] = ir_immediate((int32_t)compiler_wait(c, (unsigned)n, false));
        if (w->now.last[c] - n > w->now.done[c]) w->now.done[c] = w->now.last[c] - n;
        if (!n) w->now.kinds[c] = 0;
    }
    if (count && w->writing) ir_append(w->f, OP_p_wait, operands, count)->location = location;
}

// Names of registers use nothing.
static bool is_name(const struct waits *w, const struct ir_inst *i) {
    if (i->op == OP_p_copy)
        return register_of(w, w->old.operands.items[i->first_operand]) == w->f->registers[i->first_result];
    return i->op == OP_p_part || i->op == OP_phi;
}

// What the memory model wants.
static void want_counters(struct waits *w, const struct ir_inst *i) {
    for (unsigned k = 0; k < i->operands; k++) {
        const uint32_t n = (uint32_t)ir_number(w->old.operands.items[i->first_operand + k]);
        const unsigned c = compiler_wait_counter(n);
        if (c < COUNTERS_OF_MODELS && (w->now.last[c] > w->now.done[c] || compiler_wait_is_hard(n)))
            want(w, c, (int32_t)compiler_wait_count(n));
    }
}

// Buffers return what an atomic operation found in the registers of its data.
static bool returns_in_data(const struct waits *w, const struct ir_inst *i, const struct row *row) {
    const struct ir_memory *m = ir_memory_of(w->f, i);
    return row->atomic && !i->results && m && m->cache & CACHE_RETURN && i->operands;
}

static void track(struct waits *w, unsigned counter, uint32_t r, int32_t number) {
    for (unsigned d = 0, at; counter < w->tracked && (at = place_of(w, r, d)) != NO_PLACE; d++)
        w->now.registers[counter * w->places + at] = number;
}

static void begin_operation(struct waits *w, const struct ir_inst *i, const struct row *row) {
    uint8_t kinds[COUNTERS];
    const ir_ref *operands = w->old.operands.items + i->first_operand;
    const bool in_data = returns_in_data(w, i, row);
    isa_counts(w->c->isa, row, i->results || in_data, kinds);
    kinds[COUNTER_X] = isa_counts_translation(w->c->isa, row);
    const struct ir_memory *m = ir_memory_of(w->f, i);
    if (m && m->space == IR_REGION) // data is read late, and what comes is out of order to LDS
        kinds[COUNTER_EXP] = COUNT_DATA, kinds[w->counters->lds] = COUNT_DATA;
    for (unsigned c = 0; c < COUNTERS_OF_MODELS; c++) {
        if (!kinds[c]) continue;
        const int32_t n = ++w->now.last[c];
        w->now.kinds[c] |= kinds[c];
        for (unsigned k = 0; k < i->operands && is_of_sources(c); k++)
            track(w, c, register_of(w, operands[k]), n);
        for (unsigned k = 0; k < i->results && !is_of_sources(c); k++)
            track(w, c, w->f->registers[i->first_result + k], n);
        if (c == COUNTER_X && kinds[c] & (COUNT_VECTOR | COUNT_DATA))
            track(w, c, ir_register(IR_EXEC, 0, 2), n);
        if (in_data && !is_of_sources(c)) track(w, c, register_of(w, operands[0]), n);
        if (c < w->tracked && !is_of_sources(c) && compiler_goes_to_lds(w->c, i, operands))
            w->now.registers[c * w->places + w->lds] = n;
    }
}

// True if operand `k` is a register that an instruction writes.
static bool is_target(const struct ir_inst *i, unsigned k) {
    return (i->op == OP_p_moves && !(k & 1)) || (ir_has_called(i->op) && k & 1);
}

// A function returns when what it loaded has come; it may have stored what nobody has waited for.
static void want_all(struct waits *w) {
    for (unsigned c = 0; c < COUNTERS_OF_MODELS; c++)
        if (c != COUNTER_VS && w->now.last[c] > w->now.done[c]) want(w, c, 0);
}
static void forget(struct waits *w) {
    for (unsigned c = 0; c < COUNTERS_OF_MODELS; c++) {
        w->now.done[c] = w->now.last[c];
        w->now.kinds[c] = 0;
    }
    w->now.last[COUNTER_VS]++;
    w->now.kinds[COUNTER_VS] = COUNT_VECTOR;
}

// Of what the function has to keep, what was stored or is loaded.
static void frame(struct waits *w, const struct ir_inst *i, bool load) {
    const unsigned counter = load ? w->counters->loads : w->counters->stores;
    for (unsigned k = 1; k + 1 < i->operands; k += 2) {
        w->now.last[counter]++;
        w->now.kinds[counter] |= COUNT_VECTOR;
    }
}

// Registers that an instruction changes without naming them, or only its text does.
static void want_unnamed(struct waits *w, const struct ir_inst *i) {
    const uint8_t writes = ir_is_row(i->op) ? ir_row(i->op)->writes : 0;
    const bool text = i->op == OP_p_enter || i->op == OP_p_leave || i->op == OP_inline_asm;
    if (!w->counters->most[COUNTER_X]) return;
    if (text && w->now.last[COUNTER_X] > w->now.done[COUNTER_X]) want(w, COUNTER_X, 0);
    if (writes & R_VCC) want_register(w, ir_register(IR_VCC, 0, 2), true);
    if (writes & R_EXEC) want_register(w, ir_register(IR_EXEC, 0, 2), true);
    if (writes & R_M0) want_register(w, ir_register(IR_M0, 0, 1), true);
}

// Registers that inline assembly names may have been others' before.
static void want_named(struct waits *w, const struct ir_inst *i) {
    struct constraints k;
    if (i->op != OP_inline_asm) return;
    compiler_asm_constraints(w->c, w->old.operands.items[i->first_operand + 1], &k);
    for (unsigned r = 0; r < 256; r++) {
        if (r < 128 && k.sgprs[r / 64] >> r % 64 & 1) want_register(w, ir_register(IR_SGPR, r, 1), true);
        if (k.vgprs[r / 64] >> r % 64 & 1) want_register(w, ir_register(IR_VGPR, r, 1), true);
        if (k.agprs[r / 64] >> r % 64 & 1) want_register(w, ir_register(IR_AGPR, r, 1), true);
    }
}

static void instruction(struct waits *w, const struct ir_inst *i) {
    if (i->op == OP_p_wait) {
        want_counters(w, i);
        put_wait(w, i->location);
        return;
    }
    for (unsigned k = 0; k < i->operands && !is_name(w, i); k++)
        want_register(w, register_of(w, w->old.operands.items[i->first_operand + k]), is_target(i, k));
    want_lds(w, i);
    if (i->op == OP_p_return || i->op == OP_p_tail_call || i->op == OP_p_chain) want_all(w);
    for (unsigned r = 0; r < i->results && !is_name(w, i); r++)
        want_register(w, w->f->registers[i->first_result + r], true);
    want_unnamed(w, i);
    want_named(w, i);
    put_wait(w, i->location);
    if (w->writing) ir_copy(w->f, &w->old, i);
    if (ir_is_row(i->op)) begin_operation(w, i, ir_row(i->op));
    // Parameters come from LDS under the counter of exports: they are waited for at once.
    if (ir_is_row(i->op) && ir_row(i->op)->flags & ROW_EXP_CNT && i->results) {
        w->now.last[COUNTER_EXP]++, want(w, COUNTER_EXP, 0);
        put_wait(w, i->location);
    }
    if (i->op == OP_inline_asm && compiler_asm_counts(w->c, i, w->old.operands.items + i->first_operand)) {
        for (unsigned c = 0; c < COUNTERS_OF_MODELS; c++) w->now.last[c]++, want(w, c, 0);
        put_wait(w, i->location);
    }
    if (i->op == OP_p_call) forget(w);
    if (i->op == OP_p_enter || i->op == OP_p_leave) frame(w, i, i->op == OP_p_leave);
}

// Where a function begins, anything may be outstanding.
static void enter(struct waits *w) {
    for (unsigned c = 0; c < COUNTERS_OF_MODELS; c++)
        if (c != COUNTER_VS) want(w, c, 0);
    put_wait(w, 0);
    forget(w);
}

static void block(struct waits *w, uint32_t number) {
    const struct ir_block *b = &w->old.blocks.items[number];
    copy_state(w, &w->now, &w->at[number]);
    if (!number && (!ir_is_entry(w->f) || ir_is_chain(w->f))) enter(w);
    for (uint32_t n = 0; n < b->count && !w->c->m->failed; n++)
        instruction(w, &w->old.insts.items[b->first + n]);
}

// ---- The pass ----

static void flow(struct waits *w, uint32_t number) {
    const struct ir_block b = w->old.blocks.items[number];
    w->changed[number] = false;
    block(w, number);
    settle(w, &w->now);
    for (uint32_t e = 0; e < b.successor_count; e++) {
        const uint32_t to = w->f->edges.items[b.successors + e];
        if (!w->reached[to])
            copy_state(w, &w->at[to], &w->now), w->reached[to] = w->changed[to] = true;
        else
            w->changed[to] |= merge(w, &w->at[to], &w->now);
    }
}

static void add_place(struct waits *w, uint32_t r) {
    enum { MOST = 512 };
    const enum ir_register_class class = ir_register_class_of(r);
    const unsigned end = ir_register_first(r) + ir_register_dwords(r);
    unsigned *count = class == IR_SGPR ? &w->scalars : class == IR_VGPR ? &w->vectors : &w->agprs;
    if (class <= IR_AGPR && end > *count && end <= MOST) *count = end;
}

// States have a place for each register that the function has.
static void find_places(struct waits *w) {
    for (size_t v = 0; v < w->f->values.count; v++) add_place(w, w->f->registers[v]);
    for (size_t n = 0; n < w->f->operands.count; n++)
        if (ir_is(w->f->operands.items[n], IR_REGISTER)) add_place(w, ir_index(w->f->operands.items[n]));
    w->lds = w->scalars + w->vectors + w->agprs;
    w->special = w->counters->most[COUNTER_X] ? w->lds + 1 : NO_PLACE;
    w->places = w->lds + 1 + (w->special == NO_PLACE ? 0 : SPECIALS);
}

void compiler_waits(struct compiler *c) {
    struct waits w = {.c = c, .f = c->f, .counters = isa_counters(c->isa)};
    const size_t blocks = c->f->blocks.count;
    if (!ir_cfg(c->f)) compiler_no_memory(c);
    find_places(&w);
    w.tracked = w.counters->split ? COUNTERS_OF_MODELS : FEW;
    const size_t each = (size_t)w.places * w.tracked;
    w.at = malloc((blocks + 1) * sizeof *w.at);
    w.reached = calloc(blocks + 1, 1);
    w.changed = calloc(blocks + 1, 1);
    w.memory = malloc(((blocks + 1) * each + 1) * sizeof *w.memory);
    if (!w.at || !w.reached || !w.changed || !w.memory) compiler_no_memory(c);
    if (!c->status) clear(&w, &w.now, w.memory + blocks * each);
    for (unsigned k = 0; k < COUNTERS_OF_MODELS; k++) w.wanted[k] = -1;
    ir_take(c->f, &w.old);
    for (size_t b = 0; b < blocks && !c->status; b++) clear(&w, &w.at[b], w.memory + b * each);
    if (!c->status) w.reached[0] = w.changed[0] = true;
    for (bool changed = blocks > 1; changed && !c->status;) {
        changed = false;
        for (size_t n = 0; n < c->f->order.count; n++)
            if (w.changed[c->f->order.items[n]]) flow(&w, c->f->order.items[n]), changed = true;
    }
    w.writing = true;
    for (uint32_t b = 0; b < blocks && !c->status && !c->m->failed; b++) {
        ir_block_add(c->f);
        block(&w, b);
    }
    free(w.at);
    free(w.memory);
    free(w.reached);
    free(w.changed);
    ir_old_free(&w.old);
}
