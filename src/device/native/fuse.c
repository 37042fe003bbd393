// SPDX-License-Identifier: MIT
// Plans to LLVM's language, and what LLVM makes of that.
#include "device/native/fuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softwave/device.h"

enum { VERSION_SOME, VERSION_ALL, VERSIONS };
enum { AFTER_CALLS = 1 << 20 };
enum { RESULT_STOP, RESULT_NEXT, RESULT_PLAIN, RESULT_TARGET, RESULT_YIELD };

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

static llvm_ref number(const struct fuse *f, uint64_t n) { return f->l->ConstInt(f->i64, n, 0); }
static llvm_ref at(const struct fuse *f, llvm_ref base, uint64_t offset) {
    llvm_ref index = number(f, offset);
    return f->l->BuildGEP2(f->builder, f->i8, base, &index, 1, "");
}
static llvm_ref new_block(const struct fuse *f) {
    return f->l->AppendBasicBlockInContext(f->context, f->function, "");
}
static void begin(const struct fuse *f, llvm_ref block) { f->l->PositionBuilderAtEnd(f->builder, block); }

// ---- Places of the wave ----

// Where code keeps for itself whether all lanes execute (wave.h).
#define KNOWN_FULL offsetof(struct wave, not_lanes)

static struct slot place_of(const struct fuse *f, size_t step, const struct piece_access *a) {
    const uint64_t base = a->parameter ? f->plan->steps.items[step].arguments[a->parameter] : 0;
    return (struct slot){(uint32_t)(base + (uint64_t)a->offset), a->size};
}
static bool is_private(struct slot s) {
    const size_t literal = offsetof(struct wave, literal);
    return (s.offset >= KNOWN_FULL && s.offset + s.size <= KNOWN_FULL + 8) ||
           (s.offset >= literal && s.offset + s.size <= literal + 8);
}
static int by_offset(const void *a, const void *b) {
    const struct slot *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}
static uint32_t slot_at(const struct fuse *f, uint32_t offset) {
    uint32_t low = 0, high = (uint32_t)f->slots.count;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (f->slots.items[middle].offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Accesses that overlap are one slot.
static void merge_slots(struct fuse *f) {
    qsort(f->slots.items, f->slots.count, sizeof *f->slots.items, by_offset);
    size_t n = 0;
    for (size_t i = 0; i < f->slots.count; i++) {
        const struct slot s = f->slots.items[i];
        struct slot *last = n ? &f->slots.items[n - 1] : NULL;
        if (last && s.offset < last->offset + last->size) {
            const uint32_t end = s.offset + s.size;
            if (end > last->offset + last->size) last->size = end - last->offset;
        } else
            f->slots.items[n++] = s;
    }
    f->slots.count = n;
}

static bool find_slots(struct fuse *f) {
    const size_t exec = offsetof(struct wave, exec);
    bool ok = array_push(&f->slots, ((struct slot){(uint32_t)exec, 8}));
    for (size_t i = 0; i < f->plan->steps.count; i++)
        for (size_t k = 0; f->pieces[i] && k < f->facts[i].accesses.count; k++) {
            const struct slot s = place_of(f, i, &f->facts[i].accesses.items[k]);
            if (!is_private(s)) ok = ok && array_push(&f->slots, s);
        }
    merge_slots(f);
    f->words = (f->slots.count + 63) / 64;
    for (size_t i = 0; i < f->plan->steps.count && ok; i++) {
        f->writes[i].first = (uint32_t)f->written.count;
        for (size_t k = 0; f->pieces[i] && k < f->facts[i].accesses.count; k++) {
            const struct piece_access *a = &f->facts[i].accesses.items[k];
            const struct slot s = place_of(f, i, a);
            if (is_private(s) || !a->writes) continue;
            ok = ok && array_push(&f->written, slot_at(f, s.offset));
            f->writes_exec[i] |= s.offset < exec + 8 && s.offset + s.size > exec;
        }
        f->writes[i].count = (uint32_t)f->written.count - f->writes[i].first;
    }
    return ok;
}

// One slot from one place to another.
static void move_slot(const struct fuse *f, struct slot s, llvm_ref from, llvm_ref to) {
    const struct llvm *l = f->l;
    llvm_ref type = s.size == 4 ? f->i32 : s.size == 8 ? f->i64 : NULL;
    unsigned align = 64;
    while (s.offset % align) align /= 2;
    if (s.size == 32 || s.size == 64) type = l->VectorType(f->i32, s.size / 4);
    if (!type) {
        l->BuildMemCpy(f->builder, at(f, to, s.offset), align, at(f, from, s.offset), align,
                       number(f, s.size));
        return;
    }
    llvm_ref v = l->BuildLoad2(f->builder, type, at(f, from, s.offset), "");
    l->SetAlignment(v, align);
    l->SetAlignment(l->BuildStore(f->builder, v, at(f, to, s.offset)), align);
}
static void fill_all(const struct fuse *f) {
    for (size_t i = 0; i < f->slots.count; i++) move_slot(f, f->slots.items[i], f->wave, f->copy);
}
// What the wave does not have yet.
static void write_back(const struct fuse *f, const uint64_t *dirty) {
    for (size_t i = 0; i < f->slots.count; i++)
        if (dirty[i / 64] >> i % 64 & 1) move_slot(f, f->slots.items[i], f->copy, f->wave);
}
static void add_written(const struct fuse *f, size_t step, uint64_t *dirty) {
    const struct slot_list w = f->writes[step];
    for (uint32_t i = 0; i < w.count; i++) {
        const uint32_t slot = f->written.items[w.first + i];
        dirty[slot / 64] |= 1ull << slot % 64;
    }
}

// ---- Segments ----

static int32_t segment_at(struct fuse *f, unsigned version, uint32_t step) {
    int32_t *s = &f->segment_of[version][step];
    if (*s >= 0) return *s;
    *s = (int32_t)f->segments.count;
    uint64_t *dirty = calloc(f->words, sizeof *dirty);
    if (!dirty ||
        !array_push(&f->segments,
                    ((struct segment){.step = step, .version = (uint8_t)version, .dirty = dirty}))) {
        free(dirty);
        f->failed = true;
        return *s = 0;
    }
    return *s;
}
static bool is_branch(const struct step *s) { return s->kind == STEP_PIECE && s->target >= 0; }

// Whether the host's memory may be missing there (guard.c): not of LDS.
static bool may_trap(const struct fuse *f, uint32_t step) {
    return f->plan->steps.items[step].is_memory && !f->plan->steps.items[step].is_lds;
}
static bool changes_exec(const struct fuse *f, uint32_t step) {
    const struct step *s = &f->plan->steps.items[step];
    return s->kind == STEP_CALL ? s->sets_exec : f->writes_exec[step];
}

// Where a segment ends: behind a step after which control has a choice, or before one where others come in.
static uint32_t segment_end(const struct fuse *f, uint32_t i) {
    const struct step *steps = f->plan->steps.items;
    for (const uint32_t first = i; i < f->plan->steps.count; i++) {
        if (i > first && f->head[i]) return i;
        if (f->shares_fill && (steps[i].kind == STEP_CALL || steps[i].is_memory)) return i + 1;
        if (steps[i].kind >= STEP_LEAVE || is_branch(&steps[i]) || changes_exec(f, i)) return i + 1;
        if (steps[i].kind == STEP_CALL) continue;
        if (!f->facts[i].only_next && !steps[i].is_memory) return i + 1;
    }
    return i;
}

// Finds those that can follow, and returns whether the last step of the segment is one after which both
// versions can.
static unsigned successors(struct fuse *f, size_t n, int32_t next[3]) {
    const struct segment s = f->segments.items[n];
    const struct step *last = &f->plan->steps.items[s.end - 1];
    unsigned count = 0;
    if (last->kind == STEP_LEAVE) return 0;
    if (last->target >= 0) next[count++] = segment_at(f, s.version, (uint32_t)last->target);
    if (last->kind == STEP_GO_TO || s.end == f->plan->steps.count) return count;
    const bool both = changes_exec(f, s.end - 1);
    next[count++] = segment_at(f, s.version, s.end);
    if (both) next[count++] = segment_at(f, !s.version, s.end);
    return count;
}

// What the copy has newer where a segment ends.
static void flow_through(const struct fuse *f, const struct segment *s, uint64_t *dirty) {
    const struct step *steps = f->plan->steps.items;
    for (uint32_t i = s->step; i < s->end; i++) {
        if (may_trap(f, i) || steps[i].kind == STEP_CALL) memset(dirty, 0, f->words * sizeof *dirty);
        add_written(f, i, dirty);
    }
}

static void find_segments(struct fuse *f) {
    for (uint32_t i = 0; i < f->plan->steps.count; i++) {
        const struct step *s = &f->plan->steps.items[i];
        if (s->is_entry) f->head[i] = true;
        if (s->target >= 0) f->head[s->target] = true;
    }
    for (uint32_t i = 0; i < f->plan->steps.count; i++)
        if (f->plan->steps.items[i].is_entry) segment_at(f, VERSION_ALL, i);
    for (size_t n = 0; n < f->segments.count && !f->failed; n++) {
        int32_t next[3];
        f->segments.items[n].end = segment_end(f, f->segments.items[n].step);
        successors(f, n, next);
    }
    bool changed = true;
    uint64_t *out = calloc(f->words, sizeof *out);
    if (!out) f->failed = true;
    while (changed && !f->failed) {
        changed = false;
        for (size_t n = 0; n < f->segments.count; n++) {
            int32_t next[3];
            memcpy(out, f->segments.items[n].dirty, f->words * sizeof *out);
            flow_through(f, &f->segments.items[n], out);
            const unsigned count = successors(f, n, next);
            for (unsigned k = 0; k < count; k++)
                for (size_t w = 0; w < f->words; w++) {
                    uint64_t *to = &f->segments.items[next[k]].dirty[w];
                    changed |= (*to | out[w]) != *to;
                    *to |= out[w];
                }
        }
    }
    free(out);
}

// ---- Code ----

static llvm_ref from_table(const struct fuse *f, size_t index) {
    return f->l->BuildLoad2(f->builder, f->pointer, at(f, f->table, 8 * index), "");
}
static void return_null(const struct fuse *f) { f->l->BuildRet(f->builder, f->l->ConstNull(f->pointer)); }

static void mark_cold(const struct fuse *f, llvm_ref call) {
    f->l->AddCallSiteAttribute(call, (unsigned)LLVM_FUNCTION_INDEX, f->cold);
}
static void put_barrier(const struct fuse *f) {
    f->l->BuildCall2(f->builder, f->barrier_type, f->barrier, NULL, 0, "");
}

static void go_to(const struct fuse *f, unsigned version, uint32_t step) {
    f->l->BuildBr(f->builder, f->segments.items[f->segment_of[version][step]].block);
}
static llvm_ref all_lanes(const struct fuse *f, llvm_ref base) {
    llvm_ref type = f->plan->wave32 ? f->i32 : f->i64;
    llvm_ref exec = f->l->BuildLoad2(f->builder, type, at(f, base, offsetof(struct wave, exec)), "");
    return f->l->BuildICmp(f->builder, LLVM_EQ, exec, f->l->ConstInt(type, ~0ull, 1), "");
}
// On with the version that EXEC asks for.
static void choose_version(const struct fuse *f, llvm_ref base, uint32_t step) {
    f->l->BuildCondBr(f->builder, all_lanes(f, base),
                      f->segments.items[f->segment_of[VERSION_ALL][step]].block,
                      f->segments.items[f->segment_of[VERSION_SOME][step]].block);
}

// A wave that waits at the copy of an op waits at the op.
static void wait_at(const struct fuse *f, uint32_t step, llvm_ref copy) {
    const struct llvm *l = f->l;
    llvm_ref resume = at(f, f->wave, offsetof(struct wave, resume)), there = new_block(f),
             done = new_block(f);
    llvm_ref waits = l->BuildLoad2(f->builder, f->pointer, resume, "");
    l->BuildCondBr(f->builder, l->BuildICmp(f->builder, LLVM_EQ, waits, copy, ""), there, done);
    begin(f, there);
    l->BuildStore(f->builder, from_table(f, 2 * (size_t)step), resume);
    l->BuildBr(f->builder, done);
    begin(f, done);
}

// Runs the step's handler, which finds everything in the wave; ends where the wave stops, else the copy is
// filled anew.
static void call_handler(const struct fuse *f, uint32_t step, unsigned version, bool rare) {
    const struct llvm *l = f->l;
    llvm_ref op = from_table(f, 2 * (size_t)step + 1);
    llvm_ref handler = l->BuildLoad2(f->builder, f->pointer, at(f, op, offsetof(struct op, body)), "");
    llvm_ref arguments[] = {f->wave, op};
    llvm_ref result = l->BuildCall2(f->builder, f->handler_type, handler, arguments, 2, "");
    if (rare) mark_cold(f, result);
    llvm_ref back = l->BuildICmp(f->builder, LLVM_EQ, result, at(f, op, sizeof(struct op)), "");
    llvm_ref on = new_block(f), stopped = new_block(f);
    l->BuildCondBr(f->builder, back, on, stopped);
    begin(f, stopped);
    wait_at(f, step, op);
    return_null(f);
    begin(f, on);
    if (!f->shares_fill) {
        fill_all(f);
        return;
    }
    const uint64_t where = 2 * ((uint64_t)step + 1) + version + AFTER_CALLS;
    l->BuildStore(f->builder, l->ConstInt(f->i32, where, 0), f->next);
    l->BuildBr(f->builder, f->again);
    llvm_ref after = new_block(f);
    l->AddCase(f->choice, l->ConstInt(f->i32, where, 0), after);
    begin(f, after);
    if (changes_exec(f, step))
        choose_version(f, f->copy, step + 1);
    else
        go_to(f, version, step + 1);
}

// The op's handler goes on.
static void leave(const struct fuse *f, uint32_t step) {
    write_back(f, f->dirty);
    f->l->BuildRet(f->builder, from_table(f, 2 * (size_t)step));
}
static void give_way(const struct fuse *f, uint32_t step) {
    llvm_ref arguments[] = {f->wave, from_table(f, 2 * (size_t)step)};
    write_back(f, f->dirty);
    mark_cold(f, f->l->BuildCall2(f->builder, f->handler_type, from_table(f, 2 * f->plan->steps.count),
                                  arguments, 2, ""));
    return_null(f);
}

static llvm_ref call_piece(const struct fuse *f, uint32_t step) {
    const struct step *s = &f->plan->steps.items[step];
    llvm_ref arguments[PIECE_PARAMETER_COUNT];
    arguments[0] = f->copy;
    for (unsigned i = 1; i < PIECE_PARAMETER_COUNT; i++) {
        const bool narrow = i == PIECE_PC || i == PIECE_E || i == PIECE_LDS_MASK;
        arguments[i] = f->l->ConstInt(narrow ? f->i32 : f->i64, s->arguments[i], 0);
    }
    if (s->has_literal)
        f->l->BuildStore(f->builder, number(f, s->literal), at(f, f->copy, offsetof(struct wave, literal)));
    return f->l->BuildCall2(f->builder, f->piece_type, f->pieces[step], arguments, PIECE_PARAMETER_COUNT, "");
}

// Before an access to memory: the wave has all, and knows which op it is at.
static void before_access(struct fuse *f, uint32_t step) {
    write_back(f, f->dirty);
    memset(f->dirty, 0, f->words * sizeof *f->dirty);
    f->l->BuildStore(f->builder, from_table(f, 2 * (size_t)step), at(f, f->wave, offsetof(struct wave, at)));
    put_barrier(f);
}

// What follows a piece's result. Leaves the builder where the next step goes.
static void follow(struct fuse *f, uint32_t step, llvm_ref result, unsigned version) {
    const struct llvm *l = f->l;
    const struct step *s = &f->plan->steps.items[step];
    llvm_ref next = new_block(f), nowhere = new_block(f), other = new_block(f);
    llvm_ref choice =
        l->BuildSwitch(f->builder, l->BuildPtrToInt(f->builder, result, f->i64, ""), nowhere, 4);
    l->AddCase(choice, number(f, RESULT_NEXT), next);
    begin(f, nowhere);
    l->BuildUnreachable(f->builder);
    begin(f, other);
    if (s->is_memory) {
        l->AddCase(choice, number(f, RESULT_PLAIN), other);
        if (!may_trap(f, step)) write_back(f, f->dirty);
        call_handler(f, step, version, true);
        if (!f->shares_fill) l->BuildBr(f->builder, next);
    } else if (is_branch(s)) {
        l->AddCase(choice, number(f, RESULT_TARGET), other);
        put_barrier(f);
        go_to(f, version, (uint32_t)s->target);
        llvm_ref yields = new_block(f);
        l->AddCase(choice, number(f, RESULT_YIELD), yields);
        begin(f, yields);
        give_way(f, step);
    } else if (f->plan->ops.items[step]->class ==
               SW_CLASS_BRANCH) { // a branch to what is not decoded: its handler finds it
        l->AddCase(choice, number(f, RESULT_TARGET), other);
        l->AddCase(choice, number(f, RESULT_YIELD), other);
        leave(f, step);
    } else {
        l->AddCase(choice, number(f, RESULT_STOP), other);
        write_back(f, f->dirty);
        return_null(f);
    }
    begin(f, next);
}

// False: nothing can follow it in the segment.
static bool put_step(struct fuse *f, const struct segment *g, uint32_t i) {
    const struct step *s = &f->plan->steps.items[i];
    switch (s->kind) {
    case STEP_LEAVE: leave(f, i); return false;
    case STEP_GO_TO:
        if (s->target < 0)
            leave(f, i);
        else
            go_to(f, g->version, (uint32_t)s->target);
        return false;
    case STEP_CALL:
        write_back(f, f->dirty);
        memset(f->dirty, 0, f->words * sizeof *f->dirty);
        call_handler(f, i, g->version, false);
        if (f->shares_fill) return false;
        break;
    default:
        if (may_trap(f, i)) before_access(f, i);
        llvm_ref result = call_piece(f, i);
        add_written(f, i, f->dirty);
        if (!f->facts[i].only_next) follow(f, i, result, g->version);
    }
    if (i + 1 == f->plan->steps.count) { // cannot be: blocks end in what does not go on
        f->l->BuildUnreachable(f->builder);
        return false;
    }
    if (changes_exec(f, i)) {
        choose_version(f, f->copy, i + 1);
        return false;
    }
    return true;
}

static void put_segment(struct fuse *f, size_t n) {
    const struct segment g = f->segments.items[n];
    begin(f, g.block);
    memcpy(f->dirty, g.dirty, f->words * sizeof *f->dirty);
    f->l->BuildStore(f->builder, number(f, g.version == VERSION_ALL), at(f, f->copy, KNOWN_FULL));
    uint32_t i = g.step;
    while (i < g.end && put_step(f, &g, i)) i++;
    if (i == g.end) go_to(f, g.version, g.end);
}

// An entry that fills the copy by itself, in each version, loads only what is needed from there.
static void enter_segment(const struct fuse *f, unsigned version, uint32_t step) {
    if (f->segment_of[version][step] < 0) { // not compiled: nothing leads there but this
        f->l->BuildRet(f->builder, from_table(f, 2 * (size_t)step));
        return;
    }
    if (f->entries_fill) fill_all(f);
    go_to(f, version, step);
}
static void put_entry(const struct fuse *f, llvm_ref entries, uint32_t step) {
    llvm_ref block = new_block(f), all = new_block(f), some = new_block(f);
    f->l->AddCase(entries, f->l->ConstInt(f->i32, step, 0), block);
    begin(f, block);
    f->l->BuildCondBr(f->builder, all_lanes(f, f->entries_fill ? f->wave : f->copy), all, some);
    begin(f, all);
    enter_segment(f, VERSION_ALL, step);
    begin(f, some);
    enter_segment(f, VERSION_SOME, step);
}
static void put_entries(struct fuse *f) {
    const struct llvm *l = f->l;
    uint32_t end = 0;
    for (size_t i = 0; i < f->slots.count; i++) end = f->slots.items[i].offset + f->slots.items[i].size;
    const uint32_t least = offsetof(struct wave, temp);
    llvm_ref first = new_block(f), nowhere = new_block(f);
    begin(f, first);
    f->copy = l->BuildAlloca(f->builder, l->ArrayType2(f->i8, end > least ? end : least), "");
    l->SetAlignment(f->copy, 64);
    f->next = l->BuildAlloca(f->builder, f->i32, "");
    for (size_t i = 0; i < f->segments.count; i++) f->segments.items[i].block = new_block(f);
    llvm_ref entries = NULL;
    if (f->entries_fill) entries = l->BuildSwitch(f->builder, f->entry, nowhere, 8);
    if (f->shares_fill) {
        f->again = new_block(f);
        if (!f->entries_fill) {
            l->BuildStore(f->builder, f->entry, f->next);
            l->BuildBr(f->builder, f->again);
        }
        begin(f, f->again);
        fill_all(f);
        f->choice = l->BuildSwitch(f->builder, l->BuildLoad2(f->builder, f->i32, f->next, ""), nowhere, 8);
    }
    begin(f, nowhere);
    l->BuildUnreachable(f->builder);
    for (uint32_t i = 0; i < f->plan->steps.count; i++)
        if (f->plan->steps.items[i].is_entry) put_entry(f, entries ? entries : f->choice, i);
}

// ---- The module ----

static void declare(struct fuse *f) {
    const struct llvm *l = f->l;
    llvm_ref parameters[PIECE_PARAMETER_COUNT];
    f->void_type = l->VoidTypeInContext(f->context);
    f->i8 = l->Int8TypeInContext(f->context);
    f->i32 = l->Int32TypeInContext(f->context);
    f->i64 = l->Int64TypeInContext(f->context);
    f->pointer = l->PointerTypeInContext(f->context, 0);
    for (unsigned i = 0; i < PIECE_PARAMETER_COUNT; i++)
        parameters[i] = i == PIECE_PC || i == PIECE_E || i == PIECE_LDS_MASK ? f->i32
                        : i                                                  ? f->i64
                                                                             : f->pointer;
    f->piece_type = l->FunctionType(f->pointer, parameters, PIECE_PARAMETER_COUNT, 0);
    llvm_ref two[] = {f->pointer, f->pointer}, own[] = {f->pointer, f->i32};
    f->handler_type = l->FunctionType(f->pointer, two, 2, 0);
    f->function = l->AddFunction(f->module, FUSED_FUNCTION, l->FunctionType(f->pointer, own, 2, 0));
    f->wave = l->GetParam(f->function, 0);
    f->entry = l->GetParam(f->function, 1);
    f->table = l->AddGlobal(f->module, l->ArrayType2(f->i8, 1 << 20), FUSED_TABLE);
    l->SetVisibility(f->table, LLVM_HIDDEN);
    f->barrier_type = l->FunctionType(f->void_type, NULL, 0, 0);
    f->barrier = l->GetInlineAsm(f->barrier_type, "", 0, "~{memory}", 9, 1, 0, 0, 0);
    f->cold = l->CreateEnumAttribute(f->context, l->GetEnumAttributeKindForName("cold", 4), 0);
}

// Pieces of the plan, from the level's bitcode.
static bool take_pieces(struct fuse *f, const uint8_t *bitcode, size_t bytes) {
    const struct llvm *l = f->l;
    llvm_ref all, buffer = l->CreateMemoryBufferWithMemoryRange((const char *)bitcode, bytes, "pieces", 0);
    char name[16];
    for (size_t i = 0; i < f->plan->steps.count; i++) {
        if (f->plan->steps.items[i].kind != STEP_PIECE) continue;
        snprintf(name, sizeof name, "p%u", f->plan->steps.items[i].piece);
        if (!l->GetNamedFunction(f->module, name)) l->AddFunction(f->module, name, f->piece_type);
    }
    if (l->GetBitcodeModuleInContext2(f->context, buffer, &all)) return false;
    l->SetTarget(f->module, l->GetTarget(all));
    char *message = NULL;
    llvm_ref target;
    if (l->GetTargetFromTriple(l->GetTarget(all), &target, &message)) {
        l->DisposeMessage(message);
        return false;
    }
    f->machine = l->CreateTargetMachine(target, l->GetTarget(all), "", "", 2, 2, 3);
    f->layout = l->CreateTargetDataLayout(f->machine);
    l->SetModuleDataLayout(f->module, f->layout);
    return !l->LinkModules2(f->module, all);
}

// Of the function what the pieces have that says for which processor they are, so that they fit in.
static void copy_attributes(const struct fuse *f, llvm_ref piece) {
    const struct llvm *l = f->l;
    const unsigned index = (unsigned)LLVM_FUNCTION_INDEX, count = l->GetAttributeCountAtIndex(piece, index);
    llvm_ref *all = calloc(count + 1, sizeof *all);
    if (!all) return;
    l->GetAttributesAtIndex(piece, index, all);
    for (unsigned i = 0; i < count; i++)
        if (l->IsStringAttribute(all[i])) l->AddAttributeAtIndex(f->function, index, all[i]);
    free(all);
}

static bool look_at_pieces(struct fuse *f) {
    const struct llvm *l = f->l;
    const unsigned index = (unsigned)LLVM_FUNCTION_INDEX;
    llvm_ref inlined =
        l->CreateEnumAttribute(f->context, l->GetEnumAttributeKindForName("alwaysinline", 12), 0);
    bool any = false;
    for (size_t i = 0; i < f->plan->steps.count; i++) {
        struct step *s = &f->plan->steps.items[i];
        char name[16];
        if (s->kind != STEP_PIECE) continue;
        snprintf(name, sizeof name, "p%u", s->piece);
        llvm_ref piece = l->GetNamedFunction(f->module, name);
        if (!piece || l->IsDeclaration(piece)) { // gather.c left it out
            if (s->otherwise != STEP_CALL) return false;
            s->kind = STEP_CALL;
            s->is_memory = false;
            continue;
        }
        if (!piece_look(l, f->layout, piece, &f->facts[i])) return false;
        l->AddAttributeAtIndex(piece, index, inlined);
        if (!any) copy_attributes(f, piece);
        f->pieces[i] = piece;
        any = true;
    }
    static const char *const own[] = {"nounwind", "strictfp"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        l->AddAttributeAtIndex(
            f->function, index,
            l->CreateEnumAttribute(f->context, l->GetEnumAttributeKindForName(own[i], strlen(own[i])), 0));
    return any;
}

enum { MANY_FILLS = 1500 };

static void put_code(struct fuse *f) {
    size_t fills = 0, entries = 0;
    for (size_t i = 0; i < f->plan->steps.count; i++) {
        fills += f->plan->steps.items[i].is_memory || f->plan->steps.items[i].kind == STEP_CALL;
        entries += f->plan->steps.items[i].is_entry;
    }
    f->shares_fill = fills * f->slots.count > MANY_FILLS;
    f->entries_fill = !f->shares_fill || entries * f->slots.count <= MANY_FILLS;
    find_segments(f);
    if (f->failed) return;
    f->builder = f->l->CreateBuilderInContext(f->context);
    put_entries(f);
    for (size_t i = 0; i < f->segments.count; i++) put_segment(f, i);
    f->l->DisposeBuilder(f->builder);
}

#define PASSES                                                                                               \
    "always-inline,function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg," \
    "sroa<modify-cfg>,"                                                                                      \
    "jump-threading,gvn,instcombine<no-verify-fixpoint>,simplifycfg,jump-threading,loop-mssa(licm),early-"   \
    "cse<memssa>,dse,adce,simplifycfg)"

static uint8_t *compile(struct fuse *f, size_t *size) {
    const struct llvm *l = f->l;
    char *message = NULL;
    llvm_ref buffer;
    llvm_ref options = l->CreatePassBuilderOptions();
    llvm_ref error = l->RunPasses(f->module, PASSES, f->machine, options);
    l->DisposePassBuilderOptions(options);
    if (error) {
        l->DisposeErrorMessage(l->GetErrorMessage(error));
        return NULL;
    }
    if (l->TargetMachineEmitToMemoryBuffer(f->machine, f->module, 1, &message, &buffer)) {
        l->DisposeMessage(message);
        return NULL;
    }
    *size = l->GetBufferSize(buffer);
    uint8_t *object = malloc(*size);
    if (object) memcpy(object, l->GetBufferStart(buffer), *size);
    l->DisposeMemoryBuffer(buffer);
    return object;
}

static bool make_room(struct fuse *f) {
    const size_t n = f->plan->steps.count;
    f->pieces = calloc(n, sizeof *f->pieces);
    f->facts = calloc(n, sizeof *f->facts);
    f->writes = calloc(n, sizeof *f->writes);
    f->writes_exec = calloc(n, sizeof *f->writes_exec);
    f->head = calloc(n, sizeof *f->head);
    for (unsigned v = 0; v < VERSIONS; v++) {
        f->segment_of[v] = malloc(n * sizeof *f->segment_of[v]);
        if (f->segment_of[v]) memset(f->segment_of[v], 0xff, n * sizeof *f->segment_of[v]);
    }
    return f->pieces && f->facts && f->writes && f->writes_exec && f->head && f->segment_of[0] &&
           f->segment_of[1];
}

static void give_back(struct fuse *f) {
    for (size_t i = 0; f->facts && i < f->plan->steps.count; i++) array_free(&f->facts[i].accesses);
    for (size_t i = 0; i < f->segments.count; i++) free(f->segments.items[i].dirty);
    array_free(&f->segments);
    array_free(&f->slots);
    array_free(&f->written);
    free(f->pieces);
    free(f->facts);
    free(f->writes);
    free(f->writes_exec);
    free(f->head);
    free(f->segment_of[0]);
    free(f->segment_of[1]);
    free(f->dirty);
    if (f->layout) f->l->DisposeTargetData(f->layout);
    if (f->machine) f->l->DisposeTargetMachine(f->machine);
    if (f->module) f->l->DisposeModule(f->module);
    if (f->context) f->l->ContextDispose(f->context);
}

uint8_t *fuse(const struct llvm *l, struct plan *plan, const uint8_t *bitcode, size_t bitcode_bytes,
              size_t *size) {
    struct fuse f = {.l = l, .plan = plan, .context = l->ContextCreate()};
    uint8_t *object = NULL;
    f.module = l->ModuleCreateWithNameInContext("fused", f.context);
    declare(&f);
    if (make_room(&f) && take_pieces(&f, bitcode, bitcode_bytes) && look_at_pieces(&f) && find_slots(&f) &&
        (f.dirty = calloc(f.words, sizeof *f.dirty))) {
        put_code(&f);
        if (!f.failed) object = compile(&f, size);
    }
    give_back(&f);
    return object;
}
