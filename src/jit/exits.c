// SPDX-License-Identifier: MIT
// How code of one wave leaves to the handler of a step. Each exit stores the dirty slots; those of one
// segment store much the same. So their stores form a chain: an exit enters it at its own place, and goes
// through what was written before it, from the newest to the oldest. What a step behind an exit writes again
// is not in the chain, but stored by the exit itself: LLVM would have to keep both values at one place.
//
//     exit 2 (its own stores) ──► written between exits 1 and 2 ─┐
//     exit 1 (its own stores) ───────────────────────────────────┴► written before exit 1 ──► return
//
// Each block stores what the copy has then, which is right on every way there.
#include "jit/joining.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EXITS = 24 }; // of a chain: in longer ones most is written again

static bool in_set(const uint64_t *set, size_t slot) { return set[slot / 64] >> slot % 64 & 1; }

void exit_at(struct fuse *f, uint32_t step) {
    const size_t bytes = f->words * sizeof *f->dirty;
    struct exit e = {.block = f->l->GetInsertBlock(f->builder), .step = step, .dirty = malloc(2 * bytes)};
    if (!e.dirty || !array_push(&f->exits, e)) {
        free(e.dirty);
        f->failed = true;
        f->l->BuildUnreachable(f->builder);
        return;
    }
    e.written = e.dirty + f->words;
    f->exits.items[f->exits.count - 1] = e;
    memcpy(e.dirty, f->dirty, bytes);
    memcpy(e.written, f->since_exit, bytes);
    memset(f->since_exit, 0, bytes);
    if (f->exits.count == MOST_EXITS) put_exits(f);
}

// Whether a later exit finds another value there.
static bool is_replaced(const struct fuse *f, size_t exit, size_t slot) {
    for (size_t k = exit + 1; k < f->exits.count; k++)
        if (in_set(f->exits.items[k].written, slot)) return true;
    return false;
}
// Whether the value that the exit finds is the newest for those behind it and the oldest for none before it.
static bool is_in_chain(const struct fuse *f, size_t exit, size_t slot) {
    if ((exit && !in_set(f->exits.items[exit].written, slot)) || is_replaced(f, exit, slot)) return false;
    for (size_t k = exit; k < f->exits.count; k++)
        if (in_set(f->exits.items[k].dirty, slot)) return true;
    return false;
}

static void put_own(const struct fuse *f, size_t exit, llvm_ref on) {
    const struct exit *e = &f->exits.items[exit];
    fuse_begin(f, e->block);
    if (f->guarded) put_barrier(f);
    for (size_t i = 0; i < f->slots.count; i++)
        if (in_set(e->dirty, i) && is_replaced(f, exit, i)) slot_to_wave(f, i);
    f->l->BuildStore(f->builder, from_table(f, 2 * (size_t)e->step), f->leaves_to);
    f->l->BuildBr(f->builder, on);
}

void put_exits(struct fuse *f) {
    if (!f->exits.count) return;
    llvm_ref here = f->l->GetInsertBlock(f->builder), next = new_block(f);
    fuse_begin(f, next);
    llvm_ref op = f->l->BuildLoad2(f->builder, f->pointer, f->leaves_to, "");
    if (f->is_group)
        exit_group_loop(f, op);
    else {
        put_mark_at(f, op);
        f->l->BuildRet(f->builder, op);
    }
    for (size_t exit = 0; exit < f->exits.count; exit++) {
        llvm_ref block = new_block(f);
        fuse_begin(f, block);
        for (size_t i = 0; i < f->slots.count; i++)
            if (is_in_chain(f, exit, i)) slot_to_wave(f, i);
        f->l->BuildBr(f->builder, next);
        put_own(f, exit, block);
        next = block;
    }
    for (size_t exit = 0; exit < f->exits.count; exit++) free(f->exits.items[exit].dirty);
    f->exits.count = 0;
    memset(f->since_exit, 0, f->words * sizeof *f->since_exit);
    fuse_begin(f, here);
}
