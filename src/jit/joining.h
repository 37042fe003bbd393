// SPDX-License-Identifier: MIT
// What files behind fuse.c share while they build the function of a plan: slots, segments, exits, the
// builder.
#ifndef JIT_JOINING_H
#define JIT_JOINING_H

#include "jit/fuse.h"
#include "jit/wave_loop.h"

enum { VERSION_SOME, VERSION_ALL, VERSIONS };

// Bytes of the wave that code reads or writes as one.
struct slot {
    uint32_t offset, size;
};
// Slots of a step: first, count in a list.
struct slot_list {
    uint32_t first, count;
};

// Steps that follow each other in one version, up to a branch.
struct segment {
    uint32_t step, end; // [step, end)
    uint8_t version;
    llvm_ref block;
    // Sets of slots where the segment begins: those that may be dirty, and those that may have been changed
    // since the function began.
    uint64_t *dirty, *changed;
    // In a group loop, those that may be read before they are written. Of what is no register, all.
    uint64_t *live;
    // Memory may have been written since the function began, of others (stores_for_others); since the last
    // mark.
    bool stored, unmarked;
};

// A place where a wave of a wave loop is kept: before the step, with the slots changed so far.
struct kept {
    uint32_t step;
    uint64_t *changed;
};

// Where code leaves to the handler of a step: the dirty slots, and the slots written since the exit before.
struct exit {
    llvm_ref block;
    uint32_t step;
    uint64_t *dirty, *written;
};

// A part of a slot, of at most 64 bytes, and its value where the waves of a wave loop begin; NULL: its own.
struct initial {
    uint32_t offset, size;
    llvm_ref value;
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
    // shares_fill: code of a large plan fills the copy in one place and goes on from there as from an entry.
    // Otherwise each call of a handler is followed by a load of every slot. entries_fill: each entry fills
    // the copy by itself; only where there are few entries.
    bool shares_fill, entries_fill;
    llvm_ref next, again, choice; // of the shared fill: the entry to go on at, its block, its switch
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
    // By step: slots that are stored to the wave at once, as every way from there writes them back before
    // they are written again.
    uint64_t *soon;
    bool stored, unmarked; // as in struct segment, where code is made now
    // Of a wave loop (wave_loop.h): the block that ends a wave, where its ids are.
    bool is_wave_loop, rows;
    // The one that runs them across barriers (group_loop.c), where a wave is another one behind each.
    bool is_group;
    struct hopping *hopping;
    bool guarded; // accesses may fail in the host: waves can be put back to where they were marked or kept
    llvm_ref ended, ids, ranges;
    uint32_t common; // steps at the beginning that run once for all waves, before the loop
    ARRAY(struct kept) kept;
    struct wave *constants;              // what every wave has there
    struct text *flow, *affine, *wholes; // of all functions, if they are to be shown; else NULL
    uint8_t *object;                     // the result
    size_t size;                         // in bytes
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

// Where another wave of the group loop goes on.
static inline bool is_hop(const struct fuse *f, const struct step *s) { return f->is_group && s->waits; }
// Where a wave of it only says that it has come, and goes on.
static inline bool is_signal(const struct fuse *f, const struct step *s) {
    return f->is_group && s->arrives && !s->waits;
}
// Scalar registers that no instruction reads unless it names them.
static inline bool is_scalar_register(struct slot s) {
    enum { NAMED = 100 }; // those behind may be the address of scratch memory
    const size_t vcc = offsetof(struct wave, vcc);
    return (s.offset >= offsetof(struct wave, s) &&
            s.offset + s.size <= offsetof(struct wave, s) + 4 * NAMED) ||
           (s.offset >= vcc && s.offset + s.size <= vcc + 8);
}
static inline bool is_vector_slot(struct slot s) { return s.offset >= offsetof(struct wave, temp); }
static inline bool is_branch(const struct step *s) { return s->kind == STEP_PIECE && s->target >= 0; }
// True if compiled code may go on behind the step's handler. The copy is filled anew then.
static inline bool may_come_back(const struct fuse *f, size_t step) {
    const struct step *s = &f->plan->steps.items[step];
    return s->kind == STEP_CALL || (s->may_leave && f->facts[step].comes_back);
}
// True if the step's access may fail in the host (guard.c). LDS is always there.
static inline bool may_trap(const struct fuse *f, uint32_t step) {
    return f->guarded && f->plan->steps.items[step].is_memory;
}
static inline bool changes_exec(const struct fuse *f, uint32_t step) {
    const struct step *s = &f->plan->steps.items[step];
    return s->kind == STEP_CALL ? s->writes_exec : f->writes_exec[step];
}

// The slot that an access of the step's piece names.
static inline struct slot access_place(const struct fuse *f, size_t step, const struct piece_access *a) {
    const uint64_t base = a->parameter ? f->plan->steps.items[step].arguments[a->parameter] : 0;
    return (struct slot){(uint32_t)(base + (uint64_t)a->offset), a->size};
}

// True if the wave is marked at the step. After a store it cannot restart from the mark before.
static inline bool is_marked(const struct fuse *f, uint32_t step, bool unmarked) {
    return may_trap(f, step) && (unmarked || f->facts[step].stores || f->cheap[step]);
}

// True if the step is the only way into a loop that begins behind it, and that writes back in any case. Dirty
// slots are written back there, so that inside the loop only slots that the loop writes are dirty.
bool enters_loop(const struct fuse *f, uint32_t step);

bool find_slots(struct fuse *f);
void find_heads(struct fuse *f);
void find_far(struct fuse *f);
// Counts the steps at the beginning that give all waves of a group the same, if memory stays the same.
uint32_t common_steps(const struct fuse *f);
void find_segments(struct fuse *f);
bool is_lds(const struct step *s);
// True if a wave of a wave loop cannot begin anew behind the step: it has written memory that is not its own.
// What it finds in LDS when it begins is undefined.
static inline bool stores_for_others(const struct fuse *f, uint32_t step) {
    const bool is_own = f->rows && f->plan->rows == ROWS_WAVE && is_lds(&f->plan->steps.items[step]);
    return f->facts[step].stores && !is_own;
}
// True if the slot that the step writes is stored to the wave at once, not at the next write-back.
static inline bool is_soon(const struct fuse *f, size_t step, uint32_t slot) {
    return f->soon[step * f->words + slot / 64] >> slot % 64 & 1;
}
// Adds the slots that the step writes to `dirty`, except those stored at once (is_soon).
void add_written(const struct fuse *f, size_t step, uint64_t *dirty);
// The same without that exception.
void add_all_written(const struct fuse *f, size_t step, uint64_t *set);
// Clears `dirty` after a write-back. In a wave loop only slots unchanged since the template are cleared.
void written_back(const struct fuse *f, uint64_t *dirty, const uint64_t *changed);

// ---- code.c ----

llvm_ref fuse_number(const struct fuse *f, uint64_t n);
llvm_ref fuse_at(const struct fuse *f, llvm_ref base, uint64_t offset);
llvm_ref new_block(const struct fuse *f);
void fuse_begin(const struct fuse *f, llvm_ref block);
void put_barrier(const struct fuse *f);
llvm_ref call_piece(const struct fuse *f, uint32_t step);
// Branches on a piece's result: code goes on in a new block if the piece did its work. Returns the other
// block.
llvm_ref next_or(const struct fuse *f, llvm_ref result);
void mark_cold(const struct fuse *f, llvm_ref call);
llvm_ref from_table(const struct fuse *f, size_t index);
void write_back(const struct fuse *f, const uint64_t *dirty);
// The value of a constant slot of four or eight bytes. NULL: the slot has another size.
llvm_ref constant_of(const struct fuse *f, struct slot s);
void go_to(struct fuse *f, unsigned version, uint32_t step);
void make_copy(struct fuse *f);
void make_segments(struct fuse *f);
void put_segments(struct fuse *f);
void put_code(struct fuse *f);

void slot_to_wave(const struct fuse *f, size_t slot);
// Marks the wave: if a later access fails in the host, the wave restarts at the op (wave.h). Requires: all
// registers are in the wave.
void put_mark_at(const struct fuse *f, llvm_ref op);

// ---- exits.c ----

// Leaves to the handler of the step, from where the builder stands.
void exit_at(struct fuse *f, uint32_t step);
// Builds the code of the exits so far. Called at the end of a segment, and before the copy is filled anew.
void put_exits(struct fuse *f);

// ---- wave_loop.c ----

// True if most waves of the plan can be expected to finish in a wave loop.
bool wave_loop_possible(const struct fuse *f);
// `rows`: for linear launches (wave_loop.h).
void put_wave_loop(struct fuse *f, bool rows);
// Forgets the kept places of the wave loop that was built before.
void forget_kept(struct fuse *f);
// The wave leaves the wave loop: it goes on alone from this step, or from its beginning if `anew`.
void leave_wave_loop(struct fuse *f, uint32_t step, bool anew);
// Saves the wave's changed registers before the step. If the access fails in the host, the wave goes on alone
// from there.
void keep_in_wave_loop(struct fuse *f, uint32_t step);
// The wave has ended.
void end_in_wave_loop(const struct fuse *f);
// What group_loop.c needs of it.
bool waves_begin_alike(const struct fuse *f);
struct initial *find_parts(const struct fuse *f, size_t *count);
void fill_part(const struct fuse *f, llvm_ref ids, const struct initial *p);
// Behind all of them, so that their loads stay beside each other.
void claim_part(const struct fuse *f, llvm_ref ids, const struct initial *p);
llvm_ref load_part(const struct fuse *f, llvm_ref from, uint32_t offset, uint32_t size);
void store_part(const struct fuse *f, llvm_ref v, llvm_ref to, uint32_t offset);
llvm_ref wave_loop_member(const struct fuse *f, size_t offset);
void copy_ranges(struct fuse *f);
void put_common(struct fuse *f, struct initial *initial, size_t count);
void make_function(struct fuse *f, const char *name);
llvm_ref is_wanted(const struct fuse *f, llvm_ref stop, llvm_ref interrupt, llvm_ref on);

// ---- group_loop.c ----

// Whether waves of the plan can be expected to run in a row up to each barrier.
bool group_loop_possible(const struct fuse *f);
void put_group_loop(struct fuse *f);
// The wave comes to a barrier at which it waits a few steps later.
void arrive_in_group_loop(struct fuse *f, uint32_t step);
// The wave waits at a barrier, and another one goes on.
void hop_in_group_loop(struct fuse *f, uint32_t step, unsigned version);
// From this step on, it runs as any other, and so do all others.
void leave_group_loop(struct fuse *f, uint32_t step);
// Behind that, what is dirty is in the wave.
void exit_group_loop(const struct fuse *f, llvm_ref op);
void end_in_group_loop(const struct fuse *f);
// The wave that runs where the builder stands.
llvm_ref group_loop_wave(const struct fuse *f);

#endif
