// SPDX-License-Identifier: MIT
// Control flow: which lanes execute, the stack of their states, and what each control-flow word does.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terascale/machine/machine.h"
#include "terascale/text/print.h"

static bool spend_step(struct ts_machine *m) {
    m->steps++;
    if (m->steps_most && m->steps > m->steps_most)
        return ts_fault(m, -1, "stopped after %" PRIu64 " control-flow instructions", m->steps_most);
    if (m->seconds <= 0 || m->steps & 255) return true;
    const double spent = 1e-9 * (double)(monotonic_ns() - m->start);
    return spent < m->seconds || ts_fault(m, -1, "stopped after %g seconds", m->seconds);
}

// ---- The stack ----

// Loops and whole quads take an entry, other frames a part of one.
static void count_frame(struct ts_wave *w, const struct ts_frame *f, int by) {
    *(f->kind == TS_FRAME_LOOP || f->whole ? &w->loops : &w->pushes) += (unsigned)by;
}

static bool push(struct ts_machine *m, struct ts_wave *w, struct ts_frame f) {
    f.active = w->active;
    f.breaks = w->breaks;
    f.continues = w->continues;
    if (w->frames.count >= TS_FRAMES_MOST)
        return ts_fault(m, -1, "the stack has more than %d frames", TS_FRAMES_MOST);
    if (!array_push(&w->frames, f)) return ts_stop(m, SW_NO_MEMORY, -1, "out of memory");
    count_frame(w, &f, 1);
    // What the hardware reserves besides is not counted: no program can need less than this.
    const unsigned need = w->loops + (w->pushes + 3) / 4;
    if (need > m->stack && !m->stack_reported) {
        const sw_location place = {.file = m->name};
        diag_warn(m->sink, &place, "the program declares %u stack entries and needs %u, at word %u", m->stack,
                  need, w->pc);
        m->stack_reported = true;
    }
    return true;
}

static struct ts_frame *top(struct ts_wave *w) {
    return w->frames.count ? &w->frames.items[w->frames.count - 1] : NULL;
}

// Lanes come back as they were, but for those that left the loop meanwhile.
static void drop(struct ts_wave *w) {
    const struct ts_frame *f = top(w);
    w->active = f->active & ~w->breaks & ~w->continues;
    count_frame(w, f, -1);
    w->frames.count--;
}

static bool pop(struct ts_machine *m, struct ts_wave *w, unsigned n) {
    while (n--) {
        if (!top(w) || top(w)->kind != TS_FRAME_PUSH)
            return ts_fault(m, -1, "a pop finds nothing that was pushed");
        drop(w);
    }
    return true;
}

// ---- Conditions ----

static uint64_t passing(const struct ts_machine *m, const struct ts_wave *w, const struct ts_insn *in) {
    const bool set = m->booleans >> (ts_get(in, TS_CF_CONST) & 31) & 1;
    uint64_t lanes = w->active;
    if (ts_get(in, TS_VALID_PIXEL_MODE)) lanes &= w->valid;
    switch (ts_get(in, TS_COND)) {
    case 1: return 0;
    case 2: return set ? lanes : 0;
    case 3: return set ? 0 : lanes;
    default: return lanes;
    }
}

static uint64_t executing(const struct ts_wave *w, const struct ts_insn *in) {
    uint64_t lanes = w->active;
    if (ts_get(in, TS_VALID_PIXEL_MODE) || ts_is(in, TS_CFA_ALU_VALID_PIXEL_MODE)) lanes &= w->valid;
    return ts_get(in, TS_WHOLE_QUAD_MODE) ? ts_whole_quads(w, lanes) : lanes;
}

// What is said of whole quads: by a bit, on Cayman by the instruction.
static bool of_quads(const struct ts_insn *in) {
    return ts_get(in, TS_WHOLE_QUAD_MODE) || ts_is(in, TS_CF_PUSH_WQM) || ts_is(in, TS_CF_POP_WQM) ||
           ts_is(in, TS_CF_ELSE_WQM);
}

// Lanes that left the loop stay out of their quad.
static void fill_quads(struct ts_wave *w, const struct ts_insn *in) {
    if (of_quads(in)) w->active = ts_whole_quads(w, w->active) & ~w->breaks & ~w->continues;
}

// Behind a pop VALID_PIXEL_MODE takes out the lanes that were killed.
static void take_out(struct ts_wave *w, const struct ts_insn *in) {
    if (ts_get(in, TS_VALID_PIXEL_MODE)) w->active &= w->valid;
}

// ---- Branches ----

static bool go(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, unsigned pops) {
    if (!pop(m, w, pops)) return false;
    if (pops) take_out(w, in);
    const uint32_t to = ts_get(in, TS_ADDR);
    if (to >= m->words) return ts_fault(m, -1, "a jump to word %u of %u", to, m->words);
    w->pc = to;
    return true;
}

// The manual has a PUSH of no lanes jump without pushing. Compilers name the next word and rely on a frame
// being there (ERR-35), so that such a PUSH always pushes.
static bool run_push(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in) {
    const uint64_t pass = passing(m, w, in);
    if (!pass && ts_get(in, TS_ADDR) != w->pc + 1) return go(m, w, in, ts_get(in, TS_POP_COUNT));
    if (!push(m, w, (struct ts_frame){.kind = TS_FRAME_PUSH, .whole = of_quads(in)})) return false;
    w->active = pass;
    fill_quads(w, in);
    w->pc++;
    return true;
}

static bool invert(struct ts_machine *m, struct ts_wave *w) {
    const struct ts_frame *f = top(w);
    if (!f || f->kind != TS_FRAME_PUSH) return ts_fault(m, -1, "an ELSE without a push");
    w->active = f->active & ~w->active & ~w->breaks & ~w->continues;
    return true;
}

static bool run_else(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in) {
    if (!invert(m, w)) return false;
    take_out(w, in);
    fill_quads(w, in);
    if (!w->active) return go(m, w, in, ts_get(in, TS_POP_COUNT));
    w->pc++;
    return true;
}

static bool run_pop(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in) {
    if (!pop(m, w, ts_get(in, TS_POP_COUNT))) return false;
    take_out(w, in);
    fill_quads(w, in);
    if (!w->active && ts_get(in, TS_ADDR)) return go(m, w, in, 0);
    w->pc++;
    return true;
}

// Sequences that R600 and R700 have in one word.
static bool run_pop_push(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, bool pops,
                         bool pushes, bool inverts) {
    if (pops && !pop(m, w, ts_get(in, TS_POP_COUNT))) return false;
    if (pops) take_out(w, in);
    if (!pushes) { // POP_JUMP
        if (passing(m, w, in)) return w->pc++, true;
        return go(m, w, in, 0);
    }
    const uint64_t pass = passing(m, w, in);
    if (!push(m, w, (struct ts_frame){.kind = TS_FRAME_PUSH})) return false;
    w->active = pass;
    if (inverts && !invert(m, w)) return false;
    fill_quads(w, in);
    if (!w->active) return go(m, w, in, pops ? 1 : ts_get(in, TS_POP_COUNT));
    w->pc++;
    return true;
}

// ---- Loops ----

static struct ts_frame *innermost_loop(struct ts_wave *w) {
    for (size_t i = w->frames.count; i-- > 0;) {
        if (w->frames.items[i].kind == TS_FRAME_LOOP) return &w->frames.items[i];
        if (w->frames.items[i].kind == TS_FRAME_CALL) return NULL;
    }
    return NULL;
}

// A loop constant: how often in bits 11:0, where aL begins in 23:12, its step, signed, in 31:24.
static bool run_loop_start(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in) {
    const bool counted = !ts_is(in, TS_CF_LOOP_START_DX10);
    const uint32_t constant = m->loops[ts_get(in, TS_CF_CONST) & 31];
    struct ts_frame f = {.kind = TS_FRAME_LOOP,
                         .limit = counted ? constant & 0xfff : 0,
                         .index = w->index,
                         .step = (int8_t)(constant >> 24),
                         .sets_index = ts_is(in, TS_CF_LOOP_START)};
    const uint64_t pass = passing(m, w, in);
    if (!pass || (counted && !f.limit)) return go(m, w, in, ts_get(in, TS_POP_COUNT));
    if (!push(m, w, f)) return false;
    w->active = pass;
    w->breaks = w->continues = 0;
    if (f.sets_index) w->index = (int32_t)(constant >> 12 & 0xfff);
    w->pc++;
    return true;
}

// Frames that were pushed in the loop go first: a break may have jumped out of them.
static bool run_loop_end(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in) {
    while (top(w) && top(w)->kind == TS_FRAME_PUSH) drop(w);
    struct ts_frame *f = top(w);
    if (!f || f->kind != TS_FRAME_LOOP) return ts_fault(m, -1, "the end of a loop that was not started");
    w->active |= w->continues;
    w->continues = 0;
    if (f->sets_index) w->index += f->step;
    f->count++;
    if (w->active && !(f->limit && f->count >= f->limit)) return go(m, w, in, 0);
    if (f->sets_index) w->index = f->index;
    w->breaks = f->breaks;
    w->continues = f->continues;
    drop(w);
    w->pc++;
    return true;
}

// Lanes leave for the loop's end; the jump there waits until none of the loop's lanes is left behind.
static bool run_leave(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, bool breaks) {
    const struct ts_frame *f = innermost_loop(w);
    if (!f) return ts_fault(m, -1, "a break or continue outside of a loop");
    const uint64_t pass = passing(m, w, in);
    *(breaks ? &w->breaks : &w->continues) |= pass;
    w->active &= ~pass;
    if (!(f->active & ~w->breaks & ~w->continues)) return go(m, w, in, ts_get(in, TS_POP_COUNT));
    w->pc++;
    return true;
}

// ---- Calls ----

static bool run_call(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in) {
    const uint64_t pass = passing(m, w, in);
    if (!pass) return w->pc++, true;
    if (!push(m, w, (struct ts_frame){.kind = TS_FRAME_CALL, .back = w->pc + 1})) return false;
    w->active = pass;
    return go(m, w, in, 0);
}

// The fetch shader: words and clauses of its own, until it returns.
static void switch_code(struct ts_machine *m) {
    const struct ts_code other = {m->code, m->words, m->clauses};
    m->code = m->other.words;
    m->words = m->other.count;
    m->clauses = m->other.clauses;
    m->other = other;
    m->in_fetch_shader = !m->in_fetch_shader;
}

// Where there is no fetch shader its results are in registers already.
static bool run_call_fetch(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in) {
    const uint64_t pass = passing(m, w, in);
    if (!pass || !m->has_fetch_shader) return w->pc++, true;
    if (w->in_fetch_shader) return ts_fault(m, -1, "a fetch shader calls a fetch shader");
    if (!push(m, w, (struct ts_frame){.kind = TS_FRAME_CALL, .back = w->pc + 1, .fetches = true}))
        return false;
    w->active = pass;
    w->pc = 0;
    w->in_fetch_shader = true;
    switch_code(m);
    return true;
}

static bool run_return(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in) {
    if (passing(m, w, in) != w->active) return w->pc++, true;
    const struct ts_frame *f = top(w);
    if (!f || f->kind != TS_FRAME_CALL) return ts_fault(m, -1, "a return without a call");
    w->pc = f->back;
    if (f->fetches) {
        w->in_fetch_shader = false;
        switch_code(m);
    }
    drop(w);
    return true;
}

// ---- ALU clauses ----

// What the last PRED_SET* said happens when the clause ends.
static bool apply_predicate(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in,
                            uint64_t lanes) {
    const uint64_t fails = w->has_passes ? w->active & lanes & ~w->passes : 0;
    const bool breaks = ts_is(in, TS_CFA_ALU_BREAK) || (w->has_passes && w->mask_op == 1);
    const bool continues = ts_is(in, TS_CFA_ALU_CONTINUE) || (w->has_passes && w->mask_op == 2);
    if ((breaks || continues) && !innermost_loop(w))
        return ts_fault(m, -1, "a break or continue outside of a loop");
    if (breaks) w->breaks |= fails;
    if (continues) w->continues |= fails;
    if (w->has_passes && w->mask_op == 3)
        w->valid &= ~fails;
    else
        w->active &= ~fails;
    return true;
}

static bool run_alu(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in,
                    const struct ts_insn *ext) {
    if (ts_is(in, TS_CFA_ALU_PUSH_BEFORE) && !w->resume &&
        !push(m, w, (struct ts_frame){.kind = TS_FRAME_PUSH}))
        return false;
    if (!w->resume) w->has_passes = false;
    const uint64_t lanes = executing(w, in);
    if (!ts_run_alu(m, w, in, ext, lanes)) return false;
    if (w->waiting) return true; // at a barrier, within the clause
    if (!apply_predicate(m, w, in, lanes)) return false;
    if (ts_is(in, TS_CFA_ALU_POP_AFTER) && !pop(m, w, 1)) return false;
    if (ts_is(in, TS_CFA_ALU_POP2_AFTER) && !pop(m, w, 2)) return false;
    if (ts_is(in, TS_CFA_ALU_ELSE_AFTER) && !invert(m, w)) return false;
    w->pc++;
    return true;
}

// ---- Words ----

static bool run_kill(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in) {
    w->valid &= ~passing(m, w, in);
    w->pc++;
    return true;
}

// Signals of a geometry shader; COUNT is the stream from Evergreen on.
static bool run_emit(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in) {
    if (!m->emitted) return ts_refuse(m, "%s: nobody takes vertices", ts_row_name(in->row));
    const sw_terascale_emission e = {.size = sizeof e,
                                     .emits = !ts_is(in, TS_CF_CUT_VERTEX),
                                     .cuts = !ts_is(in, TS_CF_EMIT_VERTEX),
                                     .stream = m->chip->family >= TS_EVERGREEN ? ts_get(in, TS_COUNT) : 0,
                                     .lanes = passing(m, w, in)};
    if (e.lanes) m->emitted(m->context, &e);
    w->pc++;
    return true;
}

// Semaphores of the whole GPU: V counts up, P waits until it can count down. The word is for the wave.
static bool run_semaphore(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in) {
    const unsigned by[2] = {ts_get(in, TS_RSRC_INDEX_MODE), ts_get(in, TS_VAL_INDEX_MODE)};
    const uint32_t number = ts_get(in, TS_RESOURCE) + (by[0] ? w->cf_index[(by[0] - 1) & 1] : 0),
                   value = ts_get(in, TS_VALUE) + (by[1] ? w->cf_index[(by[1] - 1) & 1] : 0);
    if (ts_get(in, TS_SIGN)) return ts_refuse(m, "WAVE_SYNC: what its sign is for is not known");
    if (number > 31) return ts_fault(m, -1, "semaphore %u of 32", number);
    switch (ts_get(in, TS_GWS_OPCODE)) {
    case 0: m->gws[number]++; break;
    case 1:
        w->blocked = !m->gws[number];
        if (w->blocked) return true;
        m->gws[number]--;
        break;
    case 3: m->gws[number] = value; break;
    default: return ts_refuse(m, "WAVE_SYNC: how many waves a barrier waits for is not known");
    }
    w->pc++;
    return true;
}

static bool run_fetch_clause(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in) {
    const uint64_t lanes = executing(w, in);
    const char *lacks = ts_check_facts(m->chip, in->row);
    if (lacks) return ts_refuse(m, "%s: %s", ts_row_name(in->row), lacks);
    if (lanes && !ts_run_fetches(m, w, in, lanes)) return false;
    w->pc++;
    return true;
}

static bool run_write(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in) {
    const uint64_t lanes = executing(w, in);
    if (lanes && !ts_run_memory_write(m, w, in, lanes)) return false;
    w->pc++;
    return true;
}

static bool run_word(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in,
                     const struct ts_insn *ext) {
    if (!in->row) return ts_refuse(m, "no instruction has this number");
    if (in->row->gap) return ts_refuse(m, "%s: %s", ts_row_name(in->row), in->row->gap);
    if (ts_get(in, TS_VALID_PIXEL_MODE) && ts_get(in, TS_WHOLE_QUAD_MODE))
        return ts_fault(m, -1, "VALID_PIX and WHOLE_QUAD exclude each other");
    switch ((enum ts_op)ts_row_number(in->row)) {
    case TS_CF_NOP:
    case TS_CF_CF_END:
    case TS_CF_WAIT_ACK: // writes are done when they return
    case TS_CFA_ALU_EXT:
    case TS_CF_LDS_DEALLOC:
    case TS_CF_SET_PRIORITY: return w->pc++, true;
    case TS_CF_CALL_FS: return run_call_fetch(m, w, in);
    case TS_CF_HALT: w->done = true; return true;
    case TS_CF_TEX:
    case TS_CF_VTX:
    case TS_CF_VTX_TC:
    case TS_CF_TEX_ACK:
    case TS_CF_VTX_ACK:
    case TS_CF_VTX_TC_ACK:
    case TS_CF_GDS: return run_fetch_clause(m, w, in);
    case TS_CFA_ALU:
    case TS_CFA_ALU_PUSH_BEFORE:
    case TS_CFA_ALU_POP_AFTER:
    case TS_CFA_ALU_POP2_AFTER:
    case TS_CFA_ALU_CONTINUE:
    case TS_CFA_ALU_BREAK:
    case TS_CFA_ALU_ELSE_AFTER:
    case TS_CFA_ALU_VALID_PIXEL_MODE: return run_alu(m, w, in, ext);
    case TS_CF_JUMP:
        if (passing(m, w, in)) return w->pc++, true;
        return go(m, w, in, ts_get(in, TS_POP_COUNT));
    case TS_CF_JUMP_ANY:
        if (passing(m, w, in) == w->active && w->active) return w->pc++, true;
        return go(m, w, in, ts_get(in, TS_POP_COUNT));
    case TS_CF_PUSH:
    case TS_CF_PUSH_WQM: return run_push(m, w, in);
    case TS_CF_ELSE:
    case TS_CF_ELSE_WQM: return run_else(m, w, in);
    case TS_CF_POP:
    case TS_CF_POP_WQM: return run_pop(m, w, in);
    case TS_CF_POP_JUMP: return run_pop_push(m, w, in, true, false, false);
    case TS_CF_POP_PUSH: return run_pop_push(m, w, in, true, true, false);
    case TS_CF_POP_PUSH_ELSE: return run_pop_push(m, w, in, true, true, true);
    case TS_CF_PUSH_ELSE: return run_pop_push(m, w, in, false, true, true);
    case TS_CF_LOOP_START:
    case TS_CF_LOOP_START_DX10:
    case TS_CF_LOOP_START_NO_AL: return run_loop_start(m, w, in);
    case TS_CF_LOOP_END: return run_loop_end(m, w, in);
    case TS_CF_LOOP_BREAK: return run_leave(m, w, in, true);
    case TS_CF_LOOP_CONTINUE: return run_leave(m, w, in, false);
    case TS_CF_CALL: return run_call(m, w, in);
    case TS_CF_RET: return run_return(m, w, in);
    case TS_CF_KILL: return run_kill(m, w, in);
    case TS_CF_EMIT_VERTEX:
    case TS_CF_CUT_VERTEX:
    case TS_CF_EMIT_CUT_VERTEX: return run_emit(m, w, in);
    case TS_CF_WAVE_SYNC: return run_semaphore(m, w, in);
    default:
        if (in->row->space == TS_CF_SPACE && in->format->id != TSF_CF) return run_write(m, w, in);
        return ts_refuse(m, "%s is not executed", ts_row_name(in->row));
    }
}

bool ts_run_wave(struct ts_machine *m, struct ts_wave *w) {
    m->wave = w;
    w->waiting = w->blocked = false;
    if (m->in_fetch_shader != w->in_fetch_shader) switch_code(m);
    while (!w->done && !w->waiting && !w->blocked) {
        struct ts_insn in, ext;
        if (w->pc >= m->words) return ts_fault(m, -1, "the program has no end");
        const uint32_t at = w->pc;
        ts_decode_cf(m->chip->family, m->code + 2 * (size_t)at, &in);
        if (at) ts_decode_cf(m->chip->family, m->code + 2 * (size_t)(at - 1), &ext);
        if (!spend_step(m) || !run_word(m, w, &in, at && ts_is(&ext, TS_CFA_ALU_EXT) ? &ext : NULL))
            return false;
        if (!w->waiting && !w->blocked && ts_ends_program(&in)) w->done = true;
    }
    return true;
}
