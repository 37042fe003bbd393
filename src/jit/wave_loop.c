// SPDX-License-Identifier: MIT
// Builds the wave loop of a plan (wave_loop.h): a loop over waves around the code of the plan, and one over
// groups around that. Each iteration sets the copy to what its wave begins with.
#include "jit/wave_loop.h"

#include <stdlib.h>
#include <string.h>

#include "jit/joining.h"
#include "jit/lanes.h"
#include "jit/verify.h"

enum { PART = 64, SCALAR_PART = 8, MOST_STEPS = 400 };

// ---- Whether ----

static bool overlaps(struct slot s, size_t offset, size_t size) {
    return s.offset < offset + size && s.offset + s.size > offset;
}
// True if the slot differs from wave to wave. Work-item ids are handled elsewhere.
static bool is_own(struct slot s) {
    return overlaps(s, offsetof(struct wave, wave_in_group), sizeof(uint32_t)) ||
           overlaps(s, offsetof(struct wave, scratch_base), sizeof(uint64_t)) ||
           overlaps(s, offsetof(struct wave, s) + 4 * (108 + 8), sizeof(uint32_t)); // TTMP8
}

// True if waves of the plan begin alike, except for their ids, and the plan is no longer than MOST_STEPS:
// each loop over waves is compiled besides the code for one.
bool waves_begin_alike(const struct fuse *f) {
    if (f->plan->steps.count > MOST_STEPS) return false;
    for (size_t i = 0; i < f->slots.count; i++)
        if (is_own(f->slots.items[i])) return false;
    return true;
}
// A wave loop pays only if most waves finish in it. Refuses barriers, and calls that no branch goes around.
bool wave_loop_possible(const struct fuse *f) {
    const struct plan *plan = f->plan;
    if (!waves_begin_alike(f)) return false;
    bool may_call = false; // behind a branch, which may be seldom taken
    for (size_t i = 0; i < plan->steps.count; i++) {
        const struct step *s = &plan->steps.items[i];
        if (s->kind == STEP_LEAVE || (s->kind == STEP_CALL && !may_call)) return false;
        may_call |= s->kind == STEP_GO_TO || s->target >= 0;
    }
    return true;
}

// ---- What waves begin with ----

static llvm_ref type_of(const struct fuse *f, uint32_t size) {
    if (size == 4) return f->i32;
    if (size == 8) return f->i64;
    return size % 4 ? f->l->VectorType(f->i8, size) : f->l->VectorType(f->i32, size / 4);
}
static unsigned alignment(uint32_t offset) {
    unsigned align = 64;
    while (offset % align) align /= 2;
    return align;
}
llvm_ref load_part(const struct fuse *f, llvm_ref from, uint32_t offset, uint32_t size) {
    llvm_ref v = f->l->BuildLoad2(f->builder, type_of(f, size), fuse_at(f, from, offset), "");
    f->l->SetAlignment(v, alignment(offset));
    return v;
}
void store_part(const struct fuse *f, llvm_ref v, llvm_ref to, uint32_t offset) {
    f->l->SetAlignment(f->l->BuildStore(f->builder, v, fuse_at(f, to, offset)), alignment(offset));
}

static uint32_t stride(const struct fuse *f) { return f->plan->wave32 ? 128 : 256; }
static bool is_id(const struct fuse *f, uint32_t offset) {
    return offset >= offsetof(struct wave, v) && offset - offsetof(struct wave, v) < 3 * stride(f);
}

// All that the group's waves have in common is loaded once; registers that nobody sets may have any value.
static llvm_ref common_value(const struct fuse *f, uint32_t offset, uint32_t size) {
    const struct llvm *l = f->l;
    llvm_ref known = constant_of(f, (struct slot){offset, size});
    if (known) return known;
    if (is_id(f, offset)) return NULL;
    if (offset >= offsetof(struct wave, temp)) return l->ConstNull(type_of(f, size));
    if (offset == offsetof(struct wave, exec) && size == 8)
        return l->ConstInt(f->i64, f->plan->wave32 ? 0xffffffff : ~0ull, 0);
    if (offset == offsetof(struct wave, ranges) && size == 8 && f->ranges) return f->ranges;
    if (offset == offsetof(struct wave, status) && size == 4) return l->ConstInt(f->i32, WAVE_RUNNING, 0);
    if (offset == offsetof(struct wave, scc) && size == 4) return l->ConstNull(f->i32);
    return load_part(f, f->wave, offset, size);
}

// They do not cross from one vector register to the next.
struct initial *find_parts(const struct fuse *f, size_t *count) {
    size_t room = 0;
    for (size_t i = 0; i < f->slots.count; i++) room += 2 + f->slots.items[i].size / SCALAR_PART;
    struct initial *initial = calloc(room, sizeof *initial);
    *count = 0;
    for (size_t i = 0; initial && i < f->slots.count; i++) {
        const struct slot s = f->slots.items[i];
        const uint32_t part = is_vector_slot(s) ? PART : SCALAR_PART;
        for (uint32_t o = s.offset; o < s.offset + s.size;) {
            uint32_t end = (o & ~(part - 1)) + part;
            if (end > s.offset + s.size) end = s.offset + s.size;
            initial[(*count)++] = (struct initial){o, end - o, common_value(f, o, end - o)};
            o = end;
        }
    }
    return initial;
}

// In rows, the first register counts up, and the others say which row: in the whole wave, or in each chunk.
static llvm_ref ids_value(const struct fuse *f, llvm_ref ids, uint32_t offset, uint32_t size) {
    const struct llvm *l = f->l;
    const uint32_t from = offset - (uint32_t)offsetof(struct wave, v), reg = from / stride(f),
                   at = reg * (uint32_t)sizeof(uint32_t[MAX_LANES]), within = from % stride(f);
    if (!f->rows) return load_part(f, ids, at + within, size);
    const uint32_t row = rows_in_chunks(f->plan->rows) ? f->vector_bytes : stride(f);
    llvm_ref first = load_part(f, ids, at + within / row * row, 4);
    if (reg) return lanes_repeat(f, f->builder, first, size / 4);
    // Of packed ids, those of the other dimensions remain.
    const uint64_t zeros = f->plan->rows == ROWS_OF_CHUNKS ? 1 << 10 : row / 4;
    first = l->BuildBinOp(f->builder, LLVM_AND, first, l->ConstInt(f->i32, -zeros, 0), "");
    return lanes_affine(f, first, within % row / 4, size / 4);
}

// The ids of a launch in rows are what ids_value makes of the first ones.
static void claim_ids(const struct fuse *f, llvm_ref ids, uint32_t offset, uint32_t size) {
    const uint32_t from = offset - (uint32_t)offsetof(struct wave, v), reg = from / stride(f),
                   at = reg * (uint32_t)sizeof(uint32_t[MAX_LANES]);
    if (VERIFIES && f->rows && size >= 32)
        claim_equal(f, f->builder, load_part(f, ids, at + from % stride(f), size),
                    ids_value(f, ids, offset, size));
}

// In chunks that have first lanes of their own, each by itself.
static uint32_t ids_at_once(const struct fuse *f, uint32_t offset, uint32_t left) {
    const uint32_t room = f->vector_bytes - (offset - (uint32_t)offsetof(struct wave, v)) % f->vector_bytes;
    return f->rows && rows_in_chunks(f->plan->rows) && room < left ? room : left;
}
void fill_part(const struct fuse *f, llvm_ref ids, const struct initial *p) {
    if (p->value) store_part(f, p->value, f->copy, p->offset);
    for (uint32_t done = 0, size; !p->value && done < p->size; done += size) {
        size = ids_at_once(f, p->offset + done, p->size - done);
        store_part(f, ids_value(f, ids, p->offset + done, size), f->copy, p->offset + done);
    }
}
void claim_part(const struct fuse *f, llvm_ref ids, const struct initial *p) {
    for (uint32_t done = 0, size; VERIFIES && !p->value && done < p->size; done += size) {
        size = ids_at_once(f, p->offset + done, p->size - done);
        claim_ids(f, ids, p->offset + done, size);
    }
}
static void fill(const struct fuse *f, const struct initial *initial, size_t count) {
    llvm_ref ids = f->l->BuildLoad2(f->builder, f->pointer, f->ids, "");
    for (size_t i = 0; i < count; i++) fill_part(f, ids, &initial[i]);
    for (size_t i = 0; i < count; i++) claim_part(f, ids, &initial[i]);
}

static void copy_range(const struct fuse *f, llvm_ref from, uint64_t slot) {
    for (unsigned k = 0; k < sizeof(struct range); k += 8)
        f->l->BuildStore(f->builder, f->l->BuildLoad2(f->builder, f->i64, fuse_at(f, from, slot + k), ""),
                         fuse_at(f, f->ranges, slot + k));
}
// Ranges that the instructions have found in memory: handlers alone change them, so that the function has its
// own.
void copy_ranges(struct fuse *f) {
    const struct llvm *l = f->l;
    uint64_t end = 0;
    for (size_t i = 0; i < f->plan->steps.count; i++) {
        const struct step *s = &f->plan->steps.items[i];
        if (s->is_memory && s->arguments[PIECE_SLOT] + sizeof(struct range) > end)
            end = s->arguments[PIECE_SLOT] + sizeof(struct range);
    }
    if (!end) return;
    llvm_ref from =
        f->l->BuildLoad2(f->builder, f->pointer, fuse_at(f, f->wave, offsetof(struct wave, ranges)), "");
    f->ranges = l->BuildAlloca(f->builder, l->ArrayType2(f->i8, end), "");
    l->SetAlignment(f->ranges, 16);
    for (size_t i = 0; i < f->plan->steps.count; i++) {
        const struct step *s = &f->plan->steps.items[i];
        const uint64_t slot = s->arguments[PIECE_SLOT];
        if (s->is_memory) copy_range(f, from, slot);
        if (s->is_memory && slot / sizeof(struct range) % 4 == (RIGHT_READ | RIGHT_WRITE))
            copy_range(f, from, sizeof(struct range) * alone_slot(slot / sizeof(struct range)));
    }
}

// ---- Ends ----

llvm_ref wave_loop_member(const struct fuse *f, size_t offset) { return fuse_at(f, f->entry, offset); }
static llvm_ref member_value(const struct fuse *f, size_t offset) {
    return f->l->BuildLoad2(f->builder, f->pointer, wave_loop_member(f, offset), "");
}
static void tell_next(const struct fuse *f) {
    llvm_ref ids = f->l->BuildLoad2(f->builder, f->pointer, f->ids, "");
    f->l->BuildStore(f->builder, ids, wave_loop_member(f, offsetof(struct wave_loop, next)));
}

// The wave begins, and has what is newer in the copy.
static llvm_ref let_begin(const struct fuse *f) {
    const struct llvm *l = f->l;
    tell_next(f);
    llvm_ref parameters[] = {f->pointer}, arguments[] = {f->entry};
    llvm_ref wave = l->BuildCall2(f->builder, l->FunctionType(f->pointer, parameters, 1, 0),
                                  member_value(f, offsetof(struct wave_loop, begin)), arguments, 1, "");
    mark_cold(f, wave);
    struct fuse to = *f;
    to.wave = wave;
    write_back(&to, f->changed);
    return wave;
}

void leave_wave_loop(struct fuse *f, uint32_t step, bool anew) {
    const struct llvm *l = f->l;
    if (f->is_group) {
        leave_group_loop(f, step);
        return;
    }
    if (anew) {
        tell_next(f);
        l->BuildRet(f->builder, l->ConstNull(f->pointer));
        return;
    }
    llvm_ref wave = let_begin(f);
    l->BuildStore(f->builder, from_table(f, 2 * (size_t)step),
                  fuse_at(f, wave, offsetof(struct wave, resume)));
    l->BuildRet(f->builder, wave);
}

void end_in_wave_loop(const struct fuse *f) {
    const struct llvm *l = f->l;
    if (f->is_group) {
        end_in_group_loop(f);
        return;
    }
    llvm_ref otherwise = new_block(f);
    llvm_ref status =
        l->BuildLoad2(f->builder, f->i32, fuse_at(f, f->copy, offsetof(struct wave, status)), "");
    llvm_ref has_ended = l->BuildICmp(f->builder, LLVM_EQ, status, l->ConstInt(f->i32, WAVE_ENDED, 0), "");
    l->BuildCondBr(f->builder, has_ended, f->ended, otherwise);
    fuse_begin(f, otherwise);
    l->BuildRet(f->builder, let_begin(f));
}

// ---- Where memory may be missing ----

// Only what this wave has not kept yet.
void keep_in_wave_loop(struct fuse *f, uint32_t step) {
    const size_t bytes = f->words * sizeof *f->changed;
    struct kept kept = {step, malloc(bytes)};
    if (!kept.changed || !array_push(&f->kept, kept)) {
        free(kept.changed);
        f->failed = true;
        return;
    }
    for (size_t w = 0; w < f->words; w++) kept.changed[w] = f->changed[w] & f->dirty[w];
    struct fuse to = *f;
    to.wave = member_value(f, offsetof(struct wave_loop, kept));
    write_back(&to, kept.changed);
    memcpy(kept.changed, f->changed, bytes);
    f->l->BuildStore(f->builder, f->l->ConstInt(f->i32, f->kept.count, 0),
                     wave_loop_member(f, offsetof(struct wave_loop, kept_at)));
}

static void restore(const struct fuse *f, const struct kept *kept, llvm_ref from) {
    const struct llvm *l = f->l;
    for (size_t i = 0; i < f->slots.count; i++) {
        const struct slot s = f->slots.items[i];
        if (!(kept->changed[i / 64] >> i % 64 & 1)) continue;
        for (uint32_t o = s.offset, end; o < s.offset + s.size; o = end) {
            end = (o & ~(uint32_t)(PART - 1)) + PART;
            if (end > s.offset + s.size) end = s.offset + s.size;
            store_part(f, load_part(f, from, o, end - o), f->wave, o);
        }
    }
    l->BuildStore(f->builder, from_table(f, 2 * (size_t)kept->step),
                  fuse_at(f, f->wave, offsetof(struct wave, resume)));
    l->BuildRet(f->builder, l->ConstNull(f->pointer));
}

// ---- What they have in common ----

static llvm_ref range_end(const struct fuse *f, uint32_t step, size_t end) {
    const uint64_t slot = f->plan->steps.items[step].arguments[PIECE_SLOT];
    return f->l->BuildLoad2(f->builder, f->i64, fuse_at(f, f->ranges, slot + end), "");
}
// Whether the waves could store where the step loads: each does so in the range that its instruction has
// found, else it leaves.
static llvm_ref may_change(const struct fuse *f, uint32_t load, llvm_ref or) {
    const struct llvm *l = f->l;
    for (uint32_t i = 0; i < f->plan->steps.count; i++) {
        const struct step *s = &f->plan->steps.items[i];
        if (!f->facts[i].stores || !s->is_memory) continue;
        const size_t first = offsetof(struct range, lo), last = offsetof(struct range, last);
        llvm_ref below =
            l->BuildICmp(f->builder, LLVM_ULE, range_end(f, load, first), range_end(f, i, last), "");
        llvm_ref above =
            l->BuildICmp(f->builder, LLVM_ULE, range_end(f, i, first), range_end(f, load, last), "");
        or = l->BuildBinOp(f->builder, LLVM_OR, or, l->BuildBinOp(f->builder, LLVM_AND, below, above, ""),
                           "");
    }
    return or ;
}

// Does the steps that all waves begin with, unless what they load may change: then there is no wave loop. The
// initial values are those behind them.
void put_common(struct fuse *f, struct initial *initial, size_t count) {
    const struct llvm *l = f->l;
    llvm_ref change = l->ConstInt(l->Int1TypeInContext(f->context), 0, 0), run = new_block(f),
             none = new_block(f);
    for (size_t i = 0; i < count; i++)
        if (initial[i].value) store_part(f, initial[i].value, f->copy, initial[i].offset);
    l->BuildStore(f->builder, fuse_number(f, 1), fuse_at(f, f->copy, KNOWN_FULL));
    for (uint32_t i = 0; i < f->common; i++)
        if (f->plan->steps.items[i].is_memory) change = may_change(f, i, change);
    l->BuildCondBr(f->builder, change, none, run);
    fuse_begin(f, none);
    leave_wave_loop(f, 0, true);
    fuse_begin(f, run);
    for (uint32_t i = 0; i < f->common; i++) {
        llvm_ref result = call_piece(f, i);
        if (f->facts[i].only_next) continue;
        llvm_ref other = next_or(f, result), here = l->GetInsertBlock(f->builder);
        fuse_begin(f, other);
        leave_wave_loop(f, 0, true);
        fuse_begin(f, here);
    }
    for (size_t i = 0; i < count; i++)
        if (initial[i].value) initial[i].value = load_part(f, f->copy, initial[i].offset, initial[i].size);
}

// ---- The function ----

void make_function(struct fuse *f, const char *name) {
    const struct llvm *l = f->l;
    const unsigned index = (unsigned)LLVM_FUNCTION_INDEX,
                   count = l->GetAttributeCountAtIndex(f->function, index);
    llvm_ref parameters[] = {f->pointer, f->pointer}, *all = calloc(count + 1, sizeof *all);
    llvm_ref wave_loop = l->AddFunction(f->module, name, l->FunctionType(f->pointer, parameters, 2, 0));
    if (all) l->GetAttributesAtIndex(f->function, index, all);
    for (unsigned i = 0; all && i < count; i++) l->AddAttributeAtIndex(wave_loop, index, all[i]);
    free(all);
    f->function = wave_loop;
    f->wave = l->GetParam(wave_loop, 0);
    f->entry = l->GetParam(wave_loop, 1);
}

// Whether somebody wants something: the dispatch to stop, or the worker to look around.
llvm_ref is_wanted(const struct fuse *f, llvm_ref stop, llvm_ref interrupt, llvm_ref on) {
    const struct llvm *l = f->l;
    llvm_ref wanted = new_block(f), look = new_block(f);
    llvm_ref v = l->BuildLoad2(f->builder, f->i8, stop, "");
    l->BuildCondBr(f->builder, l->BuildICmp(f->builder, LLVM_EQ, v, l->ConstNull(f->i8), ""), look, wanted);
    fuse_begin(f, look);
    v = l->BuildLoad2(f->builder, f->i32, interrupt, "");
    l->BuildCondBr(f->builder, l->BuildICmp(f->builder, LLVM_EQ, v, l->ConstNull(f->i32), ""), on, wanted);
    return wanted;
}

void forget_kept(struct fuse *f) {
    for (size_t i = 0; i < f->kept.count; i++) free(f->kept.items[i].changed);
    array_free(&f->kept);
}
static void put_restore(struct fuse *f) {
    const struct llvm *l = f->l;
    make_function(f, FUSED_RESTORE);
    llvm_ref first = new_block(f), nowhere = new_block(f);
    fuse_begin(f, first);
    llvm_ref from = member_value(f, offsetof(struct wave_loop, kept));
    llvm_ref number =
        l->BuildLoad2(f->builder, f->i32, wave_loop_member(f, offsetof(struct wave_loop, kept_at)), "");
    llvm_ref choice = l->BuildSwitch(f->builder, number, nowhere, (unsigned)f->kept.count);
    for (size_t i = 0; i < f->kept.count; i++) {
        llvm_ref block = new_block(f);
        l->AddCase(choice, l->ConstInt(f->i32, i + 1, 0), block);
        fuse_begin(f, block);
        restore(f, &f->kept.items[i], from);
    }
    fuse_begin(f, nowhere);
    l->BuildUnreachable(f->builder);
}

// The group's waves have ended: another group may follow at once, unless somebody wants something.
static void put_follow(const struct fuse *f, llvm_ref stop, llvm_ref interrupt, llvm_ref group,
                       llvm_ref end) {
    const struct llvm *l = f->l;
    llvm_ref may = new_block(f), follows = new_block(f),
             place = wave_loop_member(f, offsetof(struct wave_loop, follow)), one = l->ConstInt(f->i32, 1, 0);
    llvm_ref left = l->BuildLoad2(f->builder, f->i32, place, "");
    l->BuildCondBr(f->builder, l->BuildICmp(f->builder, LLVM_EQ, left, l->ConstNull(f->i32), ""), end, may);
    fuse_begin(f, may);
    llvm_ref wanted = is_wanted(f, stop, interrupt, follows);
    fuse_begin(f, wanted);
    l->BuildBr(f->builder, end);
    fuse_begin(f, follows);
    l->BuildStore(f->builder, l->BuildBinOp(f->builder, LLVM_SUB, left, one, ""), place);
    llvm_ref at = member_value(f, offsetof(struct wave_loop, id)),
             id = l->BuildLoad2(f->builder, f->i32, at, "");
    l->BuildStore(f->builder, l->BuildBinOp(f->builder, LLVM_ADD, id, one, ""), at);
    l->BuildStore(f->builder, member_value(f, offsetof(struct wave_loop, first)), f->ids);
    l->BuildBr(f->builder, group);
}

void put_wave_loop(struct fuse *f, bool rows) {
    const struct llvm *l = f->l;
    f->is_wave_loop = true;
    f->rows = rows;
    f->guarded = f->plan->guarded && !rows;
    f->ranges = NULL;
    forget_kept(f);
    f->shares_fill = false;
    f->common = common_steps(f);
    find_segments(f);
    if (f->failed) return;
    f->builder = l->CreateBuilderInContext(f->context);
    make_function(f, f->rows ? FUSED_ROWS : FUSED_WAVE_LOOP);
    llvm_ref first = new_block(f), group = new_block(f), next = new_block(f), look = new_block(f),
             on = new_block(f);
    fuse_begin(f, first);
    make_copy(f);
    f->ids = l->BuildAlloca(f->builder, f->pointer, "");
    l->BuildStore(f->builder, member_value(f, offsetof(struct wave_loop, next)), f->ids);
    llvm_ref end = member_value(f, offsetof(struct wave_loop, end)),
             stop = member_value(f, offsetof(struct wave_loop, stop)),
             interrupt = member_value(f, offsetof(struct wave_loop, interrupt));
    copy_ranges(f);
    l->BuildBr(f->builder, group);

    fuse_begin(f, group);
    if (f->plan->guarded) { // an access may end the wave loop
        tell_next(f);
        put_barrier(f);
    }
    size_t count;
    struct initial *initial = find_parts(f, &count);
    f->failed |= !initial;
    if (f->common && initial) put_common(f, initial, count);
    l->BuildBr(f->builder, next);

    fuse_begin(f, next);
    if (f->plan->guarded) tell_next(f);
    if (f->guarded)
        l->BuildStore(f->builder, l->ConstInt(f->i32, 0, 0),
                      wave_loop_member(f, offsetof(struct wave_loop, kept_at)));
    put_barrier(f);
    llvm_ref wanted = new_block(f), ended = new_block(f);
    llvm_ref ids = l->BuildLoad2(f->builder, f->pointer, f->ids, "");
    l->BuildCondBr(f->builder, l->BuildICmp(f->builder, LLVM_EQ, ids, end, ""), ended, look);
    fuse_begin(f, ended);
    put_follow(f, stop, interrupt, group, wanted);
    fuse_begin(f, look);
    llvm_ref stopped = is_wanted(f, stop, interrupt, on);
    fuse_begin(f, stopped);
    l->BuildBr(f->builder, wanted);
    fuse_begin(f, wanted);
    tell_next(f);
    l->BuildRet(f->builder, l->ConstNull(f->pointer));

    f->ended = new_block(f);
    fuse_begin(f, f->ended);
    ids = l->BuildLoad2(f->builder, f->pointer, f->ids, "");
    l->BuildStore(f->builder, fuse_at(f, ids, sizeof(struct wave_ids)), f->ids);
    l->BuildBr(f->builder, next);

    make_segments(f);
    fuse_begin(f, on);
    if (initial) fill(f, initial, count);
    f->l->BuildBr(f->builder, f->segments.items[f->segment_of[VERSION_ALL][f->common]].block);
    put_segments(f);
    if (f->guarded) put_restore(f);
    free(initial);
    l->DisposeBuilder(f->builder);
}
