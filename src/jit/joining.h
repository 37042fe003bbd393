// SPDX-License-Identifier: MIT
// What the parts of fuse.c share while they make the function of a plan.
#ifndef JIT_JOINING_H
#define JIT_JOINING_H

#include "jit/fuse.h"

enum { VERSION_SOME, VERSION_ALL, VERSIONS };

// Bytes of the wave that code reads or writes as one.
struct slot {
    uint32_t offset, size;
};
// Slots of a step: first, count in a list.
struct slot_list {
    uint32_t first, count;
};

// Steps that follow each other in one version, up to where control has a choice.
struct segment {
    uint32_t step, end; // [step, end)
    uint8_t version;
    llvm_ref block;
    // Where it begins: slots that the copy may have newer than the wave, and those that it may have changed
    // since the function began.
    uint64_t *dirty, *changed;
    bool stored, unmarked; // memory may have been written: since then; since the wave was marked last
};

// Where a wave of a wave loop is kept as it is: before the step, with what it has changed.
struct kept {
    uint32_t step;
    uint64_t *changed;
};

// Where code goes on in the handler of a step, and what is dirty there. Slots that were written since the
// exit before it.
struct exit {
    llvm_ref block;
    uint32_t step;
    uint64_t *dirty, *written;
};

struct fuse {
    const struct fuse_job *job;
    const struct llvm *l;
    struct plan *plan;
    llvm_ref context, module, builder, layout, machine;
    llvm_ref function, wave, entry, copy, table;
    llvm_ref void_type, i1, i8, i32, i64, pointer, piece_type, handler_type;
    llvm_ref barrier, barrier_type, cold;
    unsigned vector_bytes; // of the widest registers that the code may use
    // Code of large plans fills the copy in one place, from where it goes on as from an entry: else each call
    // of a handler would be followed by as many loads as there are slots. Entries fill it by themselves where
    // they are not too many.
    bool shares_fill, entries_fill;
    llvm_ref next, again, choice; // where it goes on, the place, its switch
    llvm_ref *pieces;             // by step
    struct piece_facts *facts;
    ARRAY(struct slot) slots;
    ARRAY(uint32_t) written; // slots by step
    struct slot_list *writes;
    bool *writes_exec; // by step
    bool *cheap;       // by step: a load where marking the wave costs nothing
    ARRAY(struct segment) segments;
    int32_t *segment_of[VERSIONS]; // by step, -1: none begins there
    bool *head;                    // by step: a segment begins there
    size_t words;                  // of a set of slots
    uint64_t *dirty, *changed;     // where code is made now
    ARRAY(struct exit) exits;      // of the segment that is made (exits.c)
    uint64_t *since_exit;          // slots written behind the last of them
    llvm_ref leaves_to;            // the place of the op at which the wave goes on
    uint64_t
        *soon; // by step: slots that are written back on every way from there before they are written again
    bool stored, unmarked; // likewise
    // The function that runs waves in a row (wave_loop.h): the block that ends a wave, and where its ids are.
    bool is_wave_loop, rows;
    bool guarded; // accesses may fail in the host: waves can be put back to where they were marked or kept
    llvm_ref ended, ids, ranges;
    uint32_t common; // steps that its waves have in common, done once before them
    ARRAY(struct kept) kept;
    struct wave *constants;     // what every wave has there
    struct text *flow, *affine; // of all functions, if they are to be shown; else NULL
    uint8_t *object;            // what has become of it, and its bytes
    size_t size;
    bool failed;
};

// ---- flow.c ----

// Places of every wave that have what wave_fill_constants puts there, or zeros.
static inline bool is_constant(struct slot s) {
    const size_t end = s.offset + s.size;
    return (s.offset >= offsetof(struct wave, shared_base) && end <= offsetof(struct wave, scratch_base)) ||
           (s.offset >= offsetof(struct wave, zeros) && end <= offsetof(struct wave, null_sink)) ||
           (s.offset >= offsetof(struct wave, constant32) && end <= offsetof(struct wave, temp));
}
// Where code keeps for itself whether all lanes execute (wave.h).
#define KNOWN_FULL offsetof(struct wave, not_lanes)

static inline bool is_branch(const struct step *s) { return s->kind == STEP_PIECE && s->target >= 0; }
// Whether compiled code may go on behind the step's handler, with a copy that is filled anew.
static inline bool may_come_back(const struct fuse *f, size_t step) {
    const struct step *s = &f->plan->steps.items[step];
    return s->kind == STEP_CALL || (s->is_memory && f->facts[step].comes_back);
}
// Whether the host's memory may be missing there (guard.c): not of LDS.
static inline bool may_trap(const struct fuse *f, uint32_t step) {
    return f->guarded && f->plan->steps.items[step].is_memory && !f->plan->steps.items[step].is_lds;
}
static inline bool changes_exec(const struct fuse *f, uint32_t step) {
    const struct step *s = &f->plan->steps.items[step];
    return s->kind == STEP_CALL ? s->writes_exec : f->writes_exec[step];
}

// What the access of the step's piece names.
static inline struct slot access_place(const struct fuse *f, size_t step, const struct piece_access *a) {
    const uint64_t base = a->parameter ? f->plan->steps.items[step].arguments[a->parameter] : 0;
    return (struct slot){(uint32_t)(base + (uint64_t)a->offset), a->size};
}

// Whether a wave is marked there, as it could not begin the step again from where it was marked before: that
// is so once memory has been written.
static inline bool is_marked(const struct fuse *f, uint32_t step, bool unmarked) {
    return may_trap(f, step) && (unmarked || f->facts[step].stores || f->cheap[step]);
}

// Whether a loop begins behind the step, into which control comes there from outside only: what is newer is
// written back before it, so that in the loop only what it writes itself is.
bool enters_loop(const struct fuse *f, uint32_t step);

bool find_slots(struct fuse *f);
// How many steps at the beginning are the same for all waves of a group as long as memory is.
uint32_t common_steps(const struct fuse *f);
void find_segments(struct fuse *f);
// Whether what the step writes there goes to the wave at once, instead of waiting in registers of the host
// for a place where all is written back.
static inline bool is_soon(const struct fuse *f, size_t step, uint32_t slot) {
    return f->soon[step * f->words + slot / 64] >> slot % 64 & 1;
}
// Slots that the step writes are newer in the copy, but for those.
void add_written(const struct fuse *f, size_t step, uint64_t *dirty);
// What is newer in the copy, once that is written back: of waves in a row, what was not changed.
void written_back(const struct fuse *f, uint64_t *dirty, const uint64_t *changed);

// ---- code.c ----

llvm_ref fuse_number(const struct fuse *f, uint64_t n);
llvm_ref fuse_at(const struct fuse *f, llvm_ref base, uint64_t offset);
llvm_ref new_block(const struct fuse *f);
void fuse_begin(const struct fuse *f, llvm_ref block);
void put_barrier(const struct fuse *f);
llvm_ref call_piece(const struct fuse *f, uint32_t step);
// Goes on in a new block if the piece has done its work; the other is returned.
llvm_ref next_or(const struct fuse *f, llvm_ref result);
void mark_cold(const struct fuse *f, llvm_ref call);
llvm_ref from_table(const struct fuse *f, size_t index);
void write_back(const struct fuse *f, const uint64_t *dirty);
// What a constant slot has, in parts of four bytes or eight. NULL: it has another size.
llvm_ref constant_of(const struct fuse *f, struct slot s);
void go_to(const struct fuse *f, unsigned version, uint32_t step);
void make_copy(struct fuse *f);
void make_segments(struct fuse *f);
void put_segments(struct fuse *f);
void put_code(struct fuse *f);

void slot_to_wave(const struct fuse *f, size_t slot);
// The wave begins anew at the op, which it has all registers for, if an access to memory fails in the host
// from there on (wave.h).
void put_mark_at(const struct fuse *f, llvm_ref op);

// ---- exits.c ----

// The code leaves to the handler of the step, from where the builder stands.
void exit_at(struct fuse *f, uint32_t step);
// Makes the code of the exits so far. Behind it, and before the copy is filled anew, others begin.
void put_exits(struct fuse *f);

// ---- wave_loop.c ----

// Whether waves of the plan can be expected to run in a row.
bool wave_loop_possible(const struct fuse *f);
// `rows`: of waves whose work-item ids follow each other (wave_loop.h).
void put_wave_loop(struct fuse *f, bool rows);
// What was found of kept waves for the wave loop before.
void forget_kept(struct fuse *f);
// The wave cannot go on in the wave loop: from this step on it runs by itself, or from its beginning if it
// changed nothing.
void leave_wave_loop(const struct fuse *f, uint32_t step, bool anew);
// Keeps the wave as it is before the step: from there it goes on by itself if the access fails in the host.
void keep_in_wave_loop(struct fuse *f, uint32_t step);
// It has stopped.
void end_in_wave_loop(const struct fuse *f);

#endif
