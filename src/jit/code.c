// SPDX-License-Identifier: MIT
// The function of a plan in LLVM's language.
#include <string.h>

#include "jit/loops.h"
#include "jit/verify.h"

#include "softwave/device.h"

enum { AFTER_CALLS = 1 << 20 };
// What pieces return (exec/holes.h).
enum { RESULT_STOP, RESULT_NEXT, RESULT_PLAIN, RESULT_TARGET, RESULT_YIELD, RESULT_LEAVE };

llvm_ref fuse_number(const struct fuse *f, uint64_t n) { return f->l->ConstInt(f->i64, n, 0); }
llvm_ref fuse_at(const struct fuse *f, llvm_ref base, uint64_t offset) {
    llvm_ref index = fuse_number(f, offset);
    return f->l->BuildGEP2(f->builder, f->i8, base, &index, 1, "");
}
llvm_ref new_block(const struct fuse *f) {
    return f->l->AppendBasicBlockInContext(f->context, f->function, "");
}
void fuse_begin(const struct fuse *f, llvm_ref block) { f->l->PositionBuilderAtEnd(f->builder, block); }

llvm_ref constant_of(const struct fuse *f, struct slot s) {
    uint64_t v = 0;
    if (!is_constant(s) || (s.size != 4 && s.size != 8)) return NULL;
    memcpy(&v, (const char *)f->constants + s.offset, s.size);
    return f->l->ConstInt(s.size == 4 ? f->i32 : f->i64, v, 0);
}

// One slot from one place to another. Scalar registers in a row stay registers of their own.
static void move_slot(const struct fuse *f, struct slot s, llvm_ref from, llvm_ref to) {
    const struct llvm *l = f->l;
    llvm_ref type = s.size == 4 ? f->i32 : s.size == 8 ? f->i64 : NULL;
    unsigned align = 64;
    while (s.offset % align) align /= 2;
    if (is_vector_slot(s) && (s.size == 32 || s.size == 64)) type = l->VectorType(f->i32, s.size / 4);
    if (!type) {
        l->BuildMemCpy(f->builder, fuse_at(f, to, s.offset), align, fuse_at(f, from, s.offset), align,
                       fuse_number(f, s.size));
        return;
    }
    llvm_ref v = l->BuildLoad2(f->builder, type, fuse_at(f, from, s.offset), "");
    l->SetAlignment(v, align);
    l->SetAlignment(l->BuildStore(f->builder, v, fuse_at(f, to, s.offset)), align);
}
static void fill_all(const struct fuse *f) {
    for (size_t i = 0; i < f->slots.count; i++) {
        const struct slot s = f->slots.items[i];
        llvm_ref known = constant_of(f, s);
        if (known)
            f->l->BuildStore(f->builder, known, fuse_at(f, f->copy, s.offset));
        else
            move_slot(f, s, f->wave, f->copy);
    }
}
// Of a wave that has ended, only what is the host's: nobody sees its registers.
static void write_back_own(const struct fuse *f, const uint64_t *dirty) {
    for (size_t i = 0; i < f->slots.count; i++)
        if (dirty[i / 64] >> i % 64 & 1 && f->slots.items[i].offset < offsetof(struct wave, s))
            move_slot(f, f->slots.items[i], f->copy, f->wave);
}
void slot_to_wave(const struct fuse *f, size_t slot) { move_slot(f, f->slots.items[slot], f->copy, f->wave); }
// Stores dirty slots of the copy to the wave. Must stay behind earlier accesses to memory: one may fault and
// restart from the old registers.
void write_back(const struct fuse *f, const uint64_t *dirty) {
    if (f->guarded) put_barrier(f);
    for (size_t i = 0; i < f->slots.count; i++)
        if (dirty[i / 64] >> i % 64 & 1) slot_to_wave(f, i);
}
// ---- Code ----

llvm_ref from_table(const struct fuse *f, size_t index) {
    return f->l->BuildLoad2(f->builder, f->pointer, fuse_at(f, f->table, 8 * index), "");
}
static void return_null(const struct fuse *f) { f->l->BuildRet(f->builder, f->l->ConstNull(f->pointer)); }

void mark_cold(const struct fuse *f, llvm_ref call) {
    f->l->AddCallSiteAttribute(call, (unsigned)LLVM_FUNCTION_INDEX, f->cold);
}
void put_barrier(const struct fuse *f) {
    f->l->BuildCall2(f->builder, f->barrier_type, f->barrier, NULL, 0, "");
}

static bool begins_loop(const struct fuse *f, uint32_t step) {
    for (uint32_t i = step; i < f->plan->steps.count; i++)
        if (f->plan->steps.items[i].target == (int32_t)step) return true;
    return false;
}
// Where control gets to the step. Into a loop of all lanes by way of a question (loops.h), behind which the
// wave leaves: it has its vectors there, of which the loop keeps scalars alone.
static llvm_ref way_to(struct fuse *f, unsigned version, uint32_t step) {
    const struct llvm *l = f->l;
    llvm_ref block = f->segments.items[f->segment_of[version][step]].block;
    if (!f->is_wave_loop || !f->rows || version != VERSION_ALL || !begins_loop(f, step)) return block;
    llvm_ref here = l->GetInsertBlock(f->builder), gate = new_block(f), lost = new_block(f);
    fuse_begin(f, gate);
    l->BuildCondBr(f->builder, loops_ask(f), lost, block);
    fuse_begin(f, lost);
    leave_wave_loop(f, step, !f->stored);
    fuse_begin(f, here);
    return gate;
}
void go_to(struct fuse *f, unsigned version, uint32_t step) {
    f->l->BuildBr(f->builder, way_to(f, version, step));
}
static llvm_ref load_exec(const struct fuse *f, llvm_ref base) {
    llvm_ref type = f->plan->wave32 ? f->i32 : f->i64;
    return f->l->BuildLoad2(f->builder, type, fuse_at(f, base, offsetof(struct wave, exec)), "");
}
static llvm_ref all_lanes(const struct fuse *f, llvm_ref base) {
    llvm_ref exec = load_exec(f, base);
    return f->l->BuildICmp(f->builder, LLVM_EQ, exec, f->l->ConstInt(f->l->TypeOf(exec), ~0ull, 1), "");
}
// What the wave is to have at once.
static void write_soon(const struct fuse *f, uint32_t step) {
    const struct slot_list w = f->writes[step];
    for (uint32_t i = 0; i < w.count; i++) {
        const uint32_t slot = f->written.items[w.first + i];
        bool again = false;
        for (uint32_t k = 0; k < i; k++) again |= f->written.items[w.first + k] == slot;
        if (!again && is_soon(f, step, slot)) move_slot(f, f->slots.items[slot], f->copy, f->wave);
    }
}

// Where a long loop ends that goes on as long as a lane executes: the step behind its branch. 0: the step is
// no such branch. Short ones compute little for lanes that do not go on, and ask one more question each time
// that lanes leave. Builds with SW_GUARD do so of all, to have more of them.
static uint32_t behind_last_lane(const struct fuse *f, uint32_t step) {
    enum { LONG_STEPS = VERIFIES ? 0 : 128 };
    static const char any_lane[] = "s_cbranch_execnz_";
    const struct step *s = &f->plan->steps.items[step];
    const uint32_t behind = step + 1;
    if (!is_branch(s) || s->target + LONG_STEPS > (int32_t)step ||
        strncmp(plan_piece(f->plan, step), any_lane, sizeof any_lane - 1) != 0)
        return 0;
    return behind < f->plan->steps.count && f->segment_of[VERSION_SOME][behind] >= 0 ? behind : 0;
}
// On with some lanes. A long loop that all lanes leave at once ends here, not at its branch: there registers
// come together with those of the loop for some lanes, and what has them all would be computed for those.
static llvm_ref way_to_some(struct fuse *f, llvm_ref base, uint32_t step, bool were_all) {
    const uint32_t behind = were_all ? behind_last_lane(f, step) : 0;
    llvm_ref some = way_to(f, VERSION_SOME, step);
    if (!behind) return some;
    llvm_ref here = f->l->GetInsertBlock(f->builder), block = new_block(f);
    fuse_begin(f, block);
    llvm_ref exec = load_exec(f, base);
    llvm_ref none = f->l->BuildICmp(f->builder, LLVM_EQ, exec, f->l->ConstNull(f->l->TypeOf(exec)), "");
    llvm_ref ends = new_block(f);
    f->l->BuildCondBr(f->builder, none, ends, some);
    fuse_begin(f, ends);
    write_soon(f, step); // as the branch does
    go_to(f, VERSION_SOME, behind);
    fuse_begin(f, here);
    return block;
}
// On with the version that EXEC asks for. `before`, unless NULL: what it was where not all lanes executed.
// All do only if some were added, which LLVM knows of what takes lanes away alone: so nothing leads from the
// code for some lanes of such a loop to that for all, in which what follows from all lanes then holds.
static void choose_version(struct fuse *f, llvm_ref base, uint32_t step, llvm_ref before) {
    const struct llvm *l = f->l;
    llvm_ref all = all_lanes(f, base);
    if (before) {
        llvm_ref none = l->ConstNull(l->TypeOf(before)), ones = l->ConstInt(l->TypeOf(before), ~0ull, 1);
        llvm_ref out = l->BuildBinOp(f->builder, LLVM_XOR, before, ones, "");
        llvm_ref added = l->BuildBinOp(f->builder, LLVM_AND, load_exec(f, base), out, "");
        added = l->BuildICmp(f->builder, LLVM_NE, added, none, "");
        all = l->BuildBinOp(f->builder, LLVM_AND, all, added, "");
    }
    llvm_ref all_there = way_to(f, VERSION_ALL, step), some_there = way_to_some(f, base, step, !before);
    f->l->BuildCondBr(f->builder, all, all_there, some_there);
}

// A wave that waits at the copy of an op waits at the op.
static void wait_at(const struct fuse *f, uint32_t step, llvm_ref copy) {
    const struct llvm *l = f->l;
    llvm_ref resume = fuse_at(f, f->wave, offsetof(struct wave, resume)), there = new_block(f),
             done = new_block(f);
    llvm_ref waits = l->BuildLoad2(f->builder, f->pointer, resume, "");
    l->BuildCondBr(f->builder, l->BuildICmp(f->builder, LLVM_EQ, waits, copy, ""), there, done);
    fuse_begin(f, there);
    l->BuildStore(f->builder, from_table(f, 2 * (size_t)step), resume);
    l->BuildBr(f->builder, done);
    fuse_begin(f, done);
}

void put_mark_at(const struct fuse *f, llvm_ref op) {
    if (f->guarded)
        f->l->BuildStore(f->builder, fuse_at(f, op, AT_ANEW), fuse_at(f, f->wave, offsetof(struct wave, at)));
}
static void put_mark(const struct fuse *f, uint32_t step) {
    if (f->guarded) put_mark_at(f, from_table(f, 2 * (size_t)step));
}

// Runs the step's handler, which finds everything in the wave; ends where the wave stops, else the copy is
// filled anew.
static void call_handler(struct fuse *f, uint32_t step, unsigned version, bool rare) {
    const struct llvm *l = f->l;
    llvm_ref op = from_table(f, 2 * (size_t)step + 1);
    put_mark(f, step);
    llvm_ref handler = l->BuildLoad2(f->builder, f->pointer, fuse_at(f, op, offsetof(struct op, body)), "");
    llvm_ref arguments[] = {f->wave, op};
    llvm_ref result = l->BuildCall2(f->builder, f->handler_type, handler, arguments, 2, "");
    if (rare) mark_cold(f, result);
    llvm_ref back = l->BuildICmp(f->builder, LLVM_EQ, result, fuse_at(f, op, sizeof(struct op)), "");
    llvm_ref on = new_block(f), stopped = new_block(f);
    l->BuildCondBr(f->builder, back, on, stopped);
    fuse_begin(f, stopped);
    wait_at(f, step, op);
    return_null(f);
    fuse_begin(f, on);
    put_mark(f, step + 1);
    if (!f->shares_fill) {
        fill_all(f);
        return;
    }
    const uint64_t where = 2 * ((uint64_t)step + 1) + version + AFTER_CALLS;
    l->BuildStore(f->builder, l->ConstInt(f->i32, where, 0), f->next);
    l->BuildBr(f->builder, f->again);
    llvm_ref after = new_block(f);
    l->AddCase(f->choice, l->ConstInt(f->i32, where, 0), after);
    fuse_begin(f, after);
    if (changes_exec(f, step))
        choose_version(f, f->copy, step + 1, NULL);
    else
        go_to(f, version, step + 1);
}

// The op's handler goes on.
static void leave(struct fuse *f, uint32_t step) {
    if (f->is_wave_loop)
        leave_wave_loop(f, step, !f->stored);
    else
        exit_at(f, step);
}
static void give_way(struct fuse *f, uint32_t step) {
    if (f->is_wave_loop) { // what it did would take up to a quantum again
        leave_wave_loop(f, step, false);
        return;
    }
    llvm_ref arguments[] = {f->wave, from_table(f, 2 * (size_t)step)};
    write_back(f, f->dirty);
    mark_cold(f, f->l->BuildCall2(f->builder, f->handler_type, from_table(f, 2 * f->plan->steps.count),
                                  arguments, 2, ""));
    return_null(f);
}

llvm_ref call_piece(const struct fuse *f, uint32_t step) {
    const struct step *s = &f->plan->steps.items[step];
    llvm_ref arguments[PIECE_PARAMETER_COUNT];
    arguments[0] = f->copy;
    for (unsigned i = 1; i < PIECE_PARAMETER_COUNT; i++) {
        const bool narrow = i == PIECE_PC || i == PIECE_E || i == PIECE_LDS_MASK;
        arguments[i] = f->l->ConstInt(narrow ? f->i32 : f->i64, s->arguments[i], 0);
    }
    if (s->has_literal)
        f->l->BuildStore(f->builder, fuse_number(f, s->literal),
                         fuse_at(f, f->copy, offsetof(struct wave, literal)));
    return f->l->BuildCall2(f->builder, f->piece_type, f->pieces[step], arguments, PIECE_PARAMETER_COUNT, "");
}

llvm_ref next_or(const struct fuse *f, llvm_ref result) {
    const struct llvm *l = f->l;
    llvm_ref next = new_block(f), other = new_block(f);
    llvm_ref value = l->BuildPtrToInt(f->builder, result, f->i64, "");
    l->BuildCondBr(f->builder, l->BuildICmp(f->builder, LLVM_EQ, value, fuse_number(f, RESULT_NEXT), ""),
                   next, other);
    fuse_begin(f, next);
    return other;
}

static void mark_at(const struct fuse *f, uint32_t step) {
    write_back(f, f->dirty);
    put_mark(f, step);
}

// Before an access to memory that may not be there. What has only loaded since the wave was marked can be
// done again from there, as all that it changed is the copy. A store that came half-way can only be done
// again by itself, and what follows a store without it.
static void before_access(struct fuse *f, uint32_t step) {
    if (!is_marked(f, step, f->unmarked)) return;
    if (f->is_wave_loop)
        keep_in_wave_loop(f, step);
    else
        mark_at(f, step);
    written_back(f, f->dirty, f->changed);
    f->unmarked = false;
}
// What it loaded counts, even if nobody uses it: it may not be there. The use is by an empty instruction that
// reads a register, so each part has the size of one.
static void use_loaded(const struct fuse *f, uint32_t step) {
    const struct llvm *l = f->l;
    const struct slot_list w = f->writes[step];
    for (uint32_t i = 0; i < w.count; i++) {
        const struct slot s = f->slots.items[f->written.items[w.first + i]];
        const bool wide = s.size % f->vector_bytes == 0;
        const uint32_t part = wide ? f->vector_bytes : s.size % 8 ? 4 : 8;
        llvm_ref type = part == 4 ? f->i32 : part == 8 ? f->i64 : l->VectorType(f->i32, part / 4);
        llvm_ref parameters[] = {type}, function = l->FunctionType(f->void_type, parameters, 1, 0);
        llvm_ref use = l->GetInlineAsm(function, "", 0, wide ? "v" : "r", 1, 1, 0, 0, 0);
        for (uint32_t o = s.offset; o < s.offset + s.size; o += part) {
            llvm_ref v = l->BuildLoad2(f->builder, type, fuse_at(f, f->copy, o), "");
            l->SetAlignment(v, wide ? part : 4);
            l->BuildCall2(f->builder, function, use, &v, 1, "");
        }
    }
}

// What follows a piece's result. Leaves the builder where the next step goes.
static void follow(struct fuse *f, uint32_t step, llvm_ref result, unsigned version) {
    const struct llvm *l = f->l;
    const struct step *s = &f->plan->steps.items[step];
    llvm_ref next = new_block(f), nowhere = new_block(f), other = new_block(f);
    llvm_ref choice =
        l->BuildSwitch(f->builder, l->BuildPtrToInt(f->builder, result, f->i64, ""), nowhere, 4);
    l->AddCase(choice, fuse_number(f, RESULT_NEXT), next);
    fuse_begin(f, nowhere);
    l->BuildUnreachable(f->builder);
    fuse_begin(f, other);
    if (s->may_leave) {
        l->AddCase(choice, fuse_number(f, RESULT_PLAIN), other);
        l->AddCase(choice, fuse_number(f, RESULT_LEAVE), other);
        if (f->is_wave_loop || !f->facts[step].comes_back) {
            leave(f, step);
            fuse_begin(f, next);
            return;
        }
        put_exits(f);
        write_back(f, f->dirty);
        call_handler(f, step, version, true);
        if (!f->shares_fill) l->BuildBr(f->builder, next);
    } else if (is_branch(s)) {
        l->AddCase(choice, fuse_number(f, RESULT_TARGET), other);
        put_barrier(f);
        go_to(f, version, (uint32_t)s->target);
        llvm_ref yields = new_block(f);
        l->AddCase(choice, fuse_number(f, RESULT_YIELD), yields);
        fuse_begin(f, yields);
        give_way(f, step);
    } else if (s->class == SW_CLASS_BRANCH) { // a branch to what is not decoded: its handler finds it
        l->AddCase(choice, fuse_number(f, RESULT_TARGET), other);
        l->AddCase(choice, fuse_number(f, RESULT_YIELD), other);
        leave(f, step);
    } else {
        f->failed |= f->facts[step].comes_back; // nothing here would
        l->AddCase(choice, fuse_number(f, RESULT_STOP), other);
        if (f->is_wave_loop)
            end_in_wave_loop(f);
        else {
            write_back_own(f, f->dirty);
            return_null(f);
        }
    }
    fuse_begin(f, next);
}

static void add_newer(struct fuse *f, uint32_t step) {
    const struct slot_list w = f->writes[step];
    add_written(f, step, f->dirty);
    add_all_written(f, step, f->changed);
    for (uint32_t i = 0; i < w.count; i++) {
        const uint32_t slot = f->written.items[w.first + i];
        f->since_exit[slot / 64] |= 1ull << slot % 64;
    }
}

// False: nothing can follow it in the segment.
static bool put_step(struct fuse *f, const struct segment *g, uint32_t i) {
    const struct step *s = &f->plan->steps.items[i];
    llvm_ref before = NULL;
    switch (s->kind) {
    case STEP_LEAVE:
        if (is_signal(f, s)) {
            arrive_in_group_loop(f, i);
            return true;
        }
        if (is_hop(f, s))
            hop_in_group_loop(f, i, g->version);
        else
            leave(f, i);
        return false;
    case STEP_GO_TO:
        if (s->target < 0)
            leave(f, i);
        else {
            if (enters_loop(f, i)) mark_at(f, (uint32_t)s->target);
            go_to(f, g->version, (uint32_t)s->target);
        }
        return false;
    case STEP_CALL:
        if (f->is_wave_loop) {
            leave(f, i);
            return false;
        }
        put_exits(f);
        write_back(f, f->dirty);
        written_back(f, f->dirty, f->changed);
        f->unmarked = false;
        call_handler(f, i, g->version, false);
        if (f->shares_fill) return false;
        break;
    default:
        if (may_trap(f, i)) before_access(f, i);
        if (s->is_memory) put_barrier(f);
        if (changes_exec(f, i) && g->version == VERSION_SOME) before = load_exec(f, f->copy);
        llvm_ref result = call_piece(f, i);
        if (!s->may_leave) { // one that leaves all to its handler has done nothing
            add_newer(f, i);
            write_soon(f, i); // wherever a branch leads
        }
        if (!f->facts[i].only_next) follow(f, i, result, g->version);
        if (f->facts[i].only_ends) {
            f->l->BuildUnreachable(f->builder);
            return false;
        }
        if (s->may_leave) add_newer(f, i);
        if (may_trap(f, i)) use_loaded(f, i);
        if (s->may_leave) write_soon(f, i);
        f->stored |= stores_for_others(f, i);
        f->unmarked |= f->facts[i].stores;
    }
    if (i + 1 == f->plan->steps.count) { // cannot be: blocks end in what does not go on
        f->l->BuildUnreachable(f->builder);
        return false;
    }
    if (changes_exec(f, i)) {
        choose_version(f, f->copy, i + 1, before);
        return false;
    }
    return true;
}

static void put_segment(struct fuse *f, size_t n) {
    const struct segment g = f->segments.items[n];
    fuse_begin(f, g.block);
    if (f->is_group) f->wave = group_loop_wave(f);
    memcpy(f->dirty, g.dirty, f->words * sizeof *f->dirty);
    memcpy(f->changed, g.changed, f->words * sizeof *f->changed);
    f->stored = g.stored;
    f->unmarked = g.unmarked;
    f->l->BuildStore(f->builder, fuse_number(f, g.version == VERSION_ALL), fuse_at(f, f->copy, KNOWN_FULL));
    if (VERIFIES && g.version == VERSION_ALL) verify_claim(f, f->builder, all_lanes(f, f->copy));
    uint32_t i = g.step;
    while (i < g.end && put_step(f, &g, i)) i++;
    if (i == g.end) {
        if (enters_loop(f, i - 1)) mark_at(f, g.end);
        go_to(f, g.version, g.end);
    }
    put_exits(f);
}

// Their blocks, for what leads to them before they are put.
void make_segments(struct fuse *f) {
    for (size_t i = 0; i < f->segments.count; i++) f->segments.items[i].block = new_block(f);
}
void put_segments(struct fuse *f) {
    for (size_t i = 0; i < f->segments.count; i++) put_segment(f, i);
}

// An entry that fills the copy by itself, in each version, loads only what is needed from there.
static void enter_segment(struct fuse *f, unsigned version, uint32_t step) {
    if (f->segment_of[version][step] < 0) { // not compiled: nothing leads there but this
        f->l->BuildRet(f->builder, from_table(f, 2 * (size_t)step));
        return;
    }
    if (f->entries_fill) fill_all(f);
    go_to(f, version, step);
}
static void put_entry(struct fuse *f, llvm_ref entries, uint32_t step) {
    llvm_ref block = new_block(f), all = new_block(f), some = new_block(f);
    f->l->AddCase(entries, f->l->ConstInt(f->i32, step, 0), block);
    fuse_begin(f, block);
    put_mark(f, step);
    f->l->BuildCondBr(f->builder, all_lanes(f, f->entries_fill ? f->wave : f->copy), all, some);
    fuse_begin(f, all);
    enter_segment(f, VERSION_ALL, step);
    fuse_begin(f, some);
    enter_segment(f, VERSION_SOME, step);
}
// In the function's first block.
void make_copy(struct fuse *f) {
    const struct llvm *l = f->l;
    uint32_t end = 0;
    for (size_t i = 0; i < f->slots.count; i++) end = f->slots.items[i].offset + f->slots.items[i].size;
    const uint32_t least = offsetof(struct wave, temp);
    f->copy = l->BuildAlloca(f->builder, l->ArrayType2(f->i8, end > least ? end : least), "");
    l->SetAlignment(f->copy, 64);
}
static void put_entries(struct fuse *f) {
    const struct llvm *l = f->l;
    llvm_ref first = new_block(f), nowhere = new_block(f);
    fuse_begin(f, first);
    make_copy(f);
    f->next = l->BuildAlloca(f->builder, f->i32, "");
    f->leaves_to = l->BuildAlloca(f->builder, f->pointer, "");
    make_segments(f);
    llvm_ref entries = NULL;
    if (f->entries_fill) entries = l->BuildSwitch(f->builder, f->entry, nowhere, 8);
    if (f->shares_fill) {
        f->again = new_block(f);
        if (!f->entries_fill) {
            l->BuildStore(f->builder, f->entry, f->next);
            l->BuildBr(f->builder, f->again);
        }
        fuse_begin(f, f->again);
        fill_all(f);
        f->choice = l->BuildSwitch(f->builder, l->BuildLoad2(f->builder, f->i32, f->next, ""), nowhere, 8);
    }
    fuse_begin(f, nowhere);
    l->BuildUnreachable(f->builder);
    for (uint32_t i = 0; i < f->plan->steps.count; i++)
        if (f->plan->steps.items[i].is_entry) put_entry(f, entries ? entries : f->choice, i);
}

enum { MANY_FILLS = 1500 };

void put_code(struct fuse *f) {
    f->guarded = f->plan->guarded;
    size_t fills = 0, entries = 0;
    for (size_t i = 0; i < f->plan->steps.count; i++) {
        fills += may_come_back(f, i);
        entries += f->plan->steps.items[i].is_entry;
    }
    f->shares_fill = fills * f->slots.count > MANY_FILLS;
    f->entries_fill = !f->shares_fill || entries * f->slots.count <= MANY_FILLS;
    find_segments(f);
    if (f->failed) return;
    f->builder = f->l->CreateBuilderInContext(f->context);
    put_entries(f);
    put_segments(f);
    f->l->DisposeBuilder(f->builder);
}
