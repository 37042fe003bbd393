// SPDX-License-Identifier: MIT
// What the parts of fuse.c share while they make the function of a plan.
#ifndef DEVICE_NATIVE_JOINING_H
#define DEVICE_NATIVE_JOINING_H

#include "device/native/fuse.h"

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
    uint64_t *dirty; // slots that the copy may have newer than the wave, where the segment begins
};

struct fuse {
    const struct llvm *l;
    struct plan *plan;
    llvm_ref context, module, builder, layout, machine;
    llvm_ref function, wave, entry, copy, table;
    llvm_ref void_type, i1, i8, i32, i64, pointer, piece_type, handler_type;
    llvm_ref barrier, barrier_type, cold;
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
    ARRAY(struct segment) segments;
    int32_t *segment_of[VERSIONS]; // by step, -1: none begins there
    bool *head;                    // by step: a segment begins there
    size_t words;                  // of a set of slots
    uint64_t *dirty;               // where code is made now
    bool failed;
};

// ---- flow.c ----

// Where code keeps for itself whether all lanes execute (wave.h).
#define KNOWN_FULL offsetof(struct wave, not_lanes)

static inline bool is_branch(const struct step *s) { return s->kind == STEP_PIECE && s->target >= 0; }
// Whether the host's memory may be missing there (guard.c): not of LDS.
static inline bool may_trap(const struct fuse *f, uint32_t step) {
    return f->plan->guarded && f->plan->steps.items[step].is_memory && !f->plan->steps.items[step].is_lds;
}
static inline bool changes_exec(const struct fuse *f, uint32_t step) {
    const struct step *s = &f->plan->steps.items[step];
    return s->kind == STEP_CALL ? s->sets_exec : f->writes_exec[step];
}

bool find_slots(struct fuse *f);
void find_segments(struct fuse *f);
// Slots that the step writes are newer in the copy.
void add_written(const struct fuse *f, size_t step, uint64_t *dirty);

// ---- code.c ----

void put_code(struct fuse *f);

#endif
