// SPDX-License-Identifier: MIT
// The function that runs the waves of a group across barriers: around the code of a plan a loop over waves,
// as in wave_loop.c, in which a wave that comes to a barrier is stored and the one whose turn is next goes
// on.
//
//     begin ──► code ──► arrive ──► begin (the next wave), until all have come to the first barrier
//                 ▲         └─────► resume (from the last wave to the first, as sched/group.c runs them) ──┐
//                 └────────────────────────────────────────────────────────────────────────────────────────┘
//
// All waves have begun and have memory of their own, which has everything but what is dirty where the wave
// is. So a wave that cannot go on here stores what is dirty, and it and all others go on as any other group
// does: sched/wave_loop.c makes them wait where they are. What the code never changes is not loaded again
// behind a barrier, but is what it was when the wave began.
//
// A barrier may have two halves. A wave that arrives goes on to where it waits, and only steps that no other
// wave sees stand between: so it is all the same whether others go on behind the first half or the second,
// and they do behind the second. Whether it can go on here is asked before the first, as then nothing is done
// yet.
//
// Waves may come to different barriers. That one ends while others wait, or waits where others have ended, is
// left to the scheduler.
#include <stdlib.h>
#include <string.h>

#include "jit/loops.h"
#include "jit/verify.h"
#include "jit/wave_loop.h"

// What changes from wave to wave, in places of the host's stack that LLVM takes apart; where control goes.
struct hopping {
    llvm_ref wave, at, phase, arrived, ended;
    llvm_ref waves, ids, last; // the group's, and the number of the last one
    llvm_ref arrive, end, begin, resume, finish;
    llvm_ref choice; // by where a wave waits
    struct initial *initial;
    size_t count;
    bool begun; // there is a wave
};

// Whether no wave leaves between the halves of a barrier, as the pieces there are now.
static bool halves_hold(const struct fuse *f) {
    const struct step *s = f->plan->steps.items;
    bool between = false;
    for (uint32_t i = 0; i < f->plan->steps.count; i++) {
        const struct piece_facts *facts = &f->facts[i];
        if (s[i].arrives || s[i].waits)
            between = !s[i].waits;
        else if (between && (!f->pieces[i] || !facts->only_next || s[i].may_leave || facts->stores ||
                             changes_exec(f, i)))
            return false;
    }
    return !between;
}

bool group_loop_possible(const struct fuse *f) {
    return plan_has_group_loop(f->plan) && halves_hold(f) && waves_begin_alike(f);
}

// ---- Numbers of the loop ----

static llvm_ref number(const struct fuse *f, uint64_t n) { return f->l->ConstInt(f->i32, n, 0); }
static llvm_ref get(const struct fuse *f, llvm_ref place) {
    return f->l->BuildLoad2(f->builder, f->i32, place, "");
}
static void put(const struct fuse *f, llvm_ref v, llvm_ref place) { f->l->BuildStore(f->builder, v, place); }
static llvm_ref plus(const struct fuse *f, llvm_ref v, uint64_t n) {
    return f->l->BuildBinOp(f->builder, LLVM_ADD, v, number(f, n), "");
}
static llvm_ref make_number(const struct fuse *f) {
    llvm_ref place = f->l->BuildAlloca(f->builder, f->i32, "");
    put(f, number(f, 0), place);
    return place;
}
static void branch_if_equal(const struct fuse *f, llvm_ref a, llvm_ref b, llvm_ref equal, llvm_ref other) {
    f->l->BuildCondBr(f->builder, f->l->BuildICmp(f->builder, LLVM_EQ, a, b, ""), equal, other);
}
// The element of that number, of so many bytes each.
static llvm_ref element_at(const struct fuse *f, llvm_ref base, llvm_ref index, uint64_t bytes) {
    const struct llvm *l = f->l;
    llvm_ref at = l->BuildCast(f->builder, LLVM_ZEXT, index, f->i64, "");
    at = l->BuildBinOp(f->builder, LLVM_MUL, at, fuse_number(f, bytes), "");
    return l->BuildGEP2(f->builder, f->i8, base, &at, 1, "");
}

llvm_ref group_loop_wave(const struct fuse *f) {
    return f->l->BuildLoad2(f->builder, f->pointer, f->hopping->wave, "");
}

// ---- Ends ----

// Tells the scheduler where all waves are.
static void tell(const struct fuse *f) {
    const struct hopping *h = f->hopping;
    put(f, get(f, h->at), wave_loop_member(f, offsetof(struct wave_loop, at)));
    put(f, get(f, h->phase), wave_loop_member(f, offsetof(struct wave_loop, phase)));
    put(f, get(f, h->arrived), wave_loop_member(f, offsetof(struct wave_loop, arrived)));
    put(f, get(f, h->ended), wave_loop_member(f, offsetof(struct wave_loop, ended)));
}
void leave_group_loop(struct fuse *f, uint32_t step) {
    if (f->hopping->begun) {
        exit_at(f, step);
        return;
    }
    tell(f);
    f->l->BuildRet(f->builder, f->l->ConstNull(f->pointer));
}
void exit_group_loop(const struct fuse *f, llvm_ref op) {
    tell(f);
    f->l->BuildStore(f->builder, op, fuse_at(f, f->wave, offsetof(struct wave, resume)));
    f->l->BuildRet(f->builder, f->wave);
}
void end_in_group_loop(const struct fuse *f) {
    const struct llvm *l = f->l;
    const size_t status = offsetof(struct wave, status);
    llvm_ref ends = new_block(f), otherwise = new_block(f);
    llvm_ref has = l->BuildLoad2(f->builder, f->i32, fuse_at(f, f->copy, status), "");
    branch_if_equal(f, has, number(f, WAVE_ENDED), ends, otherwise);
    fuse_begin(f, otherwise);
    tell(f);
    write_back(f, f->dirty);
    l->BuildRet(f->builder, f->wave);
    fuse_begin(f, ends);
    put(f, number(f, WAVE_ENDED), fuse_at(f, f->wave, status));
    l->BuildBr(f->builder, f->hopping->end);
}

// ---- Barriers ----

static bool in_set(const uint64_t *set, size_t slot) { return set[slot / 64] >> slot % 64 & 1; }

// Which parts are vectors of the host, and how many of them.
static unsigned vectors_of(const struct fuse *f, const struct initial *p) {
    const bool is_vector = p->offset >= offsetof(struct wave, temp) && p->offset % f->vector_bytes == 0;
    return is_vector && p->size % f->vector_bytes == 0 ? p->size / f->vector_bytes : 0;
}
static uint64_t number_of(uint64_t place, size_t part, unsigned vector) {
    enum { PARTS_BITS = 16 };
    return place << PARTS_BITS | (2 * part + vector);
}
// What nobody reads behind the barrier. Builds with SW_GUARD let the wave have something else there, which
// must change nothing either.
static void drop(const struct fuse *f, llvm_ref to, const struct initial *p) {
    llvm_ref elements[MAX_LANES];
    for (uint32_t i = 0; i < p->size / 4; i++)
        elements[i] = f->l->ConstInt(f->i32, VERIFIES ? 0xdead0000 + i : 0, 0);
    store_part(f, f->l->ConstVector(elements, p->size / 4), to, p->offset);
}
static bool is_dropped(const struct fuse *f, const struct initial *p, const uint64_t *live, size_t slot) {
    const struct slot s = f->slots.items[slot];
    return (is_vector_slot(s) || is_scalar_register(s)) && !in_set(live, slot) && p->size % 4 == 0;
}
// The copy of a wave that goes on: what may have been changed is loaded, if it is read. It may go back as
// often as any wave that begins to run.
static void refill(const struct fuse *f, const uint64_t *changed, const uint64_t *live, uint64_t place) {
    const struct hopping *h = f->hopping;
    llvm_ref ids = f->l->BuildLoad2(f->builder, f->pointer, f->ids, "");
    size_t slot = 0;
    for (size_t i = 0; i < h->count; i++) {
        const struct initial *p = &h->initial[i];
        while (f->slots.items[slot].offset + f->slots.items[slot].size <= p->offset) slot++;
        if (in_set(changed, slot) && is_dropped(f, p, live, slot)) {
            drop(f, f->copy, p);
            continue;
        }
        const unsigned vectors = vectors_of(f, p);
        for (unsigned k = 0; k < vectors && in_set(changed, slot); k++) {
            const uint32_t offset = p->offset + k * f->vector_bytes;
            store_part(f, loops_restore(f, fuse_at(f, f->wave, offset), number_of(place, i, k)), f->copy,
                       offset);
        }
        if (in_set(changed, slot) && vectors) continue;
        if (in_set(changed, slot) && p->offset != offsetof(struct wave, budget))
            store_part(f, load_part(f, f->wave, p->offset, p->size), f->copy, p->offset);
        else
            fill_part(f, ids, p);
    }
}

// What may have been changed, for loops.c to look at.
static void keep(const struct fuse *f, const uint64_t *changed, const uint64_t *live, uint64_t place) {
    const struct hopping *h = f->hopping;
    size_t slot = 0;
    for (size_t i = 0; i < h->count; i++) {
        const struct initial *p = &h->initial[i];
        while (f->slots.items[slot].offset + f->slots.items[slot].size <= p->offset) slot++;
        if (in_set(changed, slot) && is_dropped(f, p, live, slot)) {
            if (VERIFIES) drop(f, f->wave, p);
            continue;
        }
        for (unsigned k = 0; k < vectors_of(f, p) && in_set(changed, slot); k++) {
            llvm_ref v = load_part(f, f->copy, p->offset + k * f->vector_bytes, f->vector_bytes);
            loops_keep(f, v, number_of(place, i, k));
        }
    }
}

// Where waves have ended, the scheduler knows whom the others wait for.
void arrive_in_group_loop(struct fuse *f, uint32_t step) {
    llvm_ref stays = new_block(f), goes_on = new_block(f);
    branch_if_equal(f, get(f, f->hopping->ended), number(f, 0), goes_on, stays);
    fuse_begin(f, stays);
    leave_group_loop(f, step);
    fuse_begin(f, goes_on);
}
void hop_in_group_loop(struct fuse *f, uint32_t step, unsigned version) {
    const struct hopping *h = f->hopping;
    const uint64_t place_number = 2 * (uint64_t)step + version;
    const struct segment *behind = &f->segments.items[f->segment_of[version][step + 1]];
    const uint64_t *changed = behind->changed, *live = behind->live;
    llvm_ref goes_on = new_block(f), place = number(f, place_number);
    put_exits(f); // which store more
    for (size_t w = 0; w < f->words; w++) f->dirty[w] &= live[w];
    if (f->plan->steps.items[step].arrives) arrive_in_group_loop(f, step);
    keep(f, changed, live, place_number);
    write_back(f, f->dirty);
    f->l->BuildStore(f->builder, from_table(f, 2 * (size_t)step),
                     fuse_at(f, f->wave, offsetof(struct wave, resume)));
    llvm_ref places = wave_loop_member(f, offsetof(struct wave_loop, places));
    put(f, place, element_at(f, places, get(f, h->at), sizeof(uint32_t)));
    f->l->BuildBr(f->builder, h->arrive);

    put_exits(f); // of this wave
    f->l->AddCase(h->choice, place, goes_on);
    fuse_begin(f, goes_on);
    f->wave = group_loop_wave(f);
    refill(f, changed, live, place_number);
    if (version == VERSION_ALL) {
        llvm_ref exec = f->plan->wave32 ? f->i32 : f->i64;
        put(f, f->l->ConstInt(exec, ~0ull, 1), fuse_at(f, f->copy, offsetof(struct wave, exec)));
    }
    memset(f->dirty, 0, f->words * sizeof *f->dirty);
    go_to(f, version, step + 1);
}

// ---- The loop ----

// The wave whose number stands there is the one that runs.
static void take_wave(const struct fuse *f) {
    const struct hopping *h = f->hopping;
    const struct llvm *l = f->l;
    llvm_ref at = get(f, h->at), wave = element_at(f, h->waves, at, sizeof(struct wave *)),
             ids = element_at(f, h->ids, at, sizeof(struct wave_ids));
    l->BuildStore(f->builder, l->BuildLoad2(f->builder, f->pointer, wave, ""), h->wave);
    l->BuildStore(f->builder, ids, f->ids);
    if (f->plan->guarded) // which an access may end
        l->BuildStore(f->builder, ids, wave_loop_member(f, offsetof(struct wave_loop, next)));
}
static void put_begin(struct fuse *f) {
    const struct hopping *h = f->hopping;
    fuse_begin(f, h->begin);
    take_wave(f);
    llvm_ref ids = f->l->BuildLoad2(f->builder, f->pointer, f->ids, "");
    for (size_t i = 0; i < h->count; i++) fill_part(f, ids, &h->initial[i]);
    for (size_t i = 0; i < h->count; i++) claim_part(f, ids, &h->initial[i]);
    f->l->BuildBr(f->builder, f->segments.items[f->segment_of[VERSION_ALL][f->common]].block);
}
// The first time from the first wave to the last, then back from the last one, each time.
static void put_next(const struct fuse *f, llvm_ref none) {
    const struct hopping *h = f->hopping;
    llvm_ref up = new_block(f), down = new_block(f), more_up = new_block(f), more_down = new_block(f);
    llvm_ref at = get(f, h->at);
    branch_if_equal(f, get(f, h->phase), number(f, 0), up, down);
    fuse_begin(f, up);
    branch_if_equal(f, at, h->last, none, more_up);
    fuse_begin(f, more_up);
    put(f, plus(f, at, 1), h->at);
    f->l->BuildBr(f->builder, h->begin);
    fuse_begin(f, down);
    branch_if_equal(f, at, number(f, 0), none, more_down);
    fuse_begin(f, more_down);
    put(f, plus(f, at, ~0ull), h->at);
    f->l->BuildBr(f->builder, h->resume);
}
static void put_arrive(const struct fuse *f, llvm_ref stop, llvm_ref interrupt) {
    const struct hopping *h = f->hopping;
    llvm_ref all = new_block(f);
    fuse_begin(f, h->arrive);
    put_barrier(f);
    put(f, plus(f, get(f, h->arrived), 1), h->arrived);
    put_next(f, all);
    fuse_begin(f, all);
    put(f, number(f, 0), h->arrived);
    llvm_ref phase = plus(f, get(f, h->phase), 1), looks = new_block(f);
    put(f, phase, h->phase);
    put(f, h->last, h->at);
    branch_if_equal(f, phase, get(f, wave_loop_member(f, offsetof(struct wave_loop, most_phases))), h->finish,
                    looks);
    fuse_begin(f, looks);
    llvm_ref wanted = is_wanted(f, stop, interrupt, h->resume);
    fuse_begin(f, wanted);
    f->l->BuildBr(f->builder, h->finish);
}
static void put_end(const struct fuse *f) {
    const struct hopping *h = f->hopping;
    llvm_ref alone = new_block(f);
    fuse_begin(f, h->end);
    put(f, plus(f, get(f, h->ended), 1), h->ended);
    branch_if_equal(f, get(f, h->arrived), number(f, 0), alone, h->finish);
    fuse_begin(f, alone);
    put_next(f, h->finish);
    fuse_begin(f, h->finish);
    tell(f);
    f->l->BuildRet(f->builder, f->l->ConstNull(f->pointer));
}
static void put_resume(struct fuse *f) {
    struct hopping *h = f->hopping;
    llvm_ref nowhere = new_block(f);
    fuse_begin(f, h->resume);
    take_wave(f);
    llvm_ref places = wave_loop_member(f, offsetof(struct wave_loop, places));
    llvm_ref place = get(f, element_at(f, places, get(f, h->at), sizeof(uint32_t)));
    h->choice = f->l->BuildSwitch(f->builder, place, nowhere, 8);
    fuse_begin(f, nowhere);
    f->l->BuildUnreachable(f->builder);
}

static llvm_ref member_value(const struct fuse *f, size_t offset) {
    return f->l->BuildLoad2(f->builder, f->pointer, wave_loop_member(f, offset), "");
}

void put_group_loop(struct fuse *f) {
    const struct llvm *l = f->l;
    struct hopping h = {0};
    f->is_wave_loop = f->is_group = f->rows = true;
    f->guarded = f->shares_fill = false;
    f->ranges = NULL;
    f->hopping = &h;
    forget_kept(f);
    f->common = common_steps(f);
    find_segments(f);
    if (!f->failed) {
        f->builder = l->CreateBuilderInContext(f->context);
        make_function(f, FUSED_GROUP);
        fuse_begin(f, new_block(f));
        make_copy(f);
        f->ids = l->BuildAlloca(f->builder, f->pointer, "");
        f->leaves_to = l->BuildAlloca(f->builder, f->pointer, "");
        h.wave = l->BuildAlloca(f->builder, f->pointer, "");
        h.at = make_number(f), h.phase = make_number(f), h.arrived = make_number(f), h.ended = make_number(f);
        h.waves = member_value(f, offsetof(struct wave_loop, waves));
        h.ids = member_value(f, offsetof(struct wave_loop, next));
        h.last = plus(f, get(f, wave_loop_member(f, offsetof(struct wave_loop, count))), ~0ull);
        llvm_ref stop = member_value(f, offsetof(struct wave_loop, stop)),
                 interrupt = member_value(f, offsetof(struct wave_loop, interrupt));
        h.arrive = new_block(f), h.end = new_block(f), h.begin = new_block(f), h.resume = new_block(f),
        h.finish = new_block(f);
        copy_ranges(f);
        h.initial = find_parts(f, &h.count);
        f->failed |= !h.initial;
        if (f->common && h.initial) put_common(f, h.initial, h.count);
        l->BuildBr(f->builder, h.begin);
        h.begun = true;
        make_segments(f);
        put_begin(f);
        put_arrive(f, stop, interrupt);
        put_end(f);
        put_resume(f);
        put_segments(f);
        free(h.initial);
        l->DisposeBuilder(f->builder);
    }
    f->is_group = false;
    f->hopping = NULL;
}
