// SPDX-License-Identifier: MIT
#include "jit/cut.h"

#include <string.h>

enum { OTHER_WORK = 64 };

// The size of the code that tier 1 has for the step tells how much LLVM will have to do.
static uint32_t work_of(const struct plan *p, size_t step) {
    const struct step *s = &p->steps.items[step];
    return s->kind == STEP_PIECE ? p->image->stencils[s->piece].size : OTHER_WORK;
}

// True if a loop that begins in the part, behind its first step, goes on behind the step.
static bool is_in_loop(const struct plan *whole, uint32_t begin, uint32_t step) {
    for (size_t i = step; i < whole->steps.count; i++) {
        const int32_t target = whole->steps.items[i].target;
        if (target > (int64_t)begin && target < (int64_t)step) return true;
    }
    return false;
}

// Where the part that begins there ends: at the last place that is in no loop of this part, if that is in its
// second half; else at the last one between two instructions.
static uint32_t end_of(const struct plan *whole, uint32_t begin, uint32_t most) {
    const uint32_t count = (uint32_t)whole->steps.count;
    uint32_t end = 0, work = 0, i = begin;
    for (; i < count && !(end && work + work_of(whole, i) > most); i++) {
        work += work_of(whole, i);
        if (i + 1 < count && whole->steps.items[i + 1].is_first) end = i + 1;
    }
    if (i == count) return count;
    for (uint32_t k = end; k > begin + (end - begin) / 2; k--)
        if (whole->steps.items[k].is_first && !is_in_loop(whole, begin, k)) return k;
    return end;
}

static bool is_in(const struct cut *c, int64_t step) { return step >= c->begin && step < c->end; }

static uint32_t depth_of(const struct plan *whole, const struct cut *c) {
    uint32_t depth = 0;
    for (uint32_t i = c->begin; i < whole->steps.count; i++) {
        const int32_t to = whole->steps.items[i].target;
        depth += to >= 0 && to <= (int64_t)i && to < (int64_t)c->end;
    }
    return depth;
}
static void deepest_first(struct cuts *cuts) {
    struct cut *c = cuts->parts.items;
    for (size_t i = 1; i < cuts->parts.count; i++)
        for (size_t k = i; k && c[k].depth > c[k - 1].depth; k--) {
            const struct cut former = c[k - 1];
            c[k - 1] = c[k];
            c[k] = former;
        }
}

bool cut_plan(const struct plan *whole, uint32_t most, struct cuts *cuts) {
    const uint32_t count = (uint32_t)whole->steps.count;
    uint64_t work = 0;
    *cuts = (struct cuts){0};
    for (size_t i = 0; i < count; i++) work += work_of(whole, i);
    const uint64_t parts = work / most + 1, even = work / parts;
    if (parts > 1 && even + even / 8 < most) most = (uint32_t)(even + even / 8); // no small rest
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        end = end_of(whole, begin, most);
        if (!array_push(&cuts->parts, ((struct cut){.begin = begin, .end = end}))) return false;
    }
    for (size_t n = 0; n < cuts->parts.count; n++)
        cuts->parts.items[n].depth = depth_of(whole, &cuts->parts.items[n]);
    deepest_first(cuts);
    return true;
}

// Compilers put branches that ask EXEC around code that few lanes run, and behind loops that lanes leave one
// by one. What ends the kernel behind such code had a condition around all of it: that concerns waves at the
// edge of the launch alone.
static bool ends(const struct plan *whole, size_t step) {
    const struct step *s = &whole->steps.items[step];
    return s->kind == STEP_PIECE && s->otherwise == STEP_LEAVE && s->target < 0;
}
static void add_some(const struct plan *whole, uint32_t from, uint32_t to, bool *some) {
    for (size_t i = 0; i < whole->steps.count; i++)
        if (whole->ops.items[i]->pc >= from && whole->ops.items[i]->pc < to) some[i] = true;
}
bool *cut_find_some(const struct plan *whole) {
    bool *some = calloc(whole->steps.count + 1, sizeof *some);
    for (size_t i = 0; some && i < whole->steps.count; i++) {
        const struct step *s = &whole->steps.items[i];
        if (!s->asks_exec || s->target < 0) continue;
        const uint32_t here = whole->ops.items[i]->pc, there = whole->ops.items[s->target]->pc;
        if (there <= here)
            add_some(whole, there, here + 1, some);
        else if (!ends(whole, (size_t)s->target))
            add_some(whole, here + 1, there, some);
    }
    return some;
}

// Waves come from other parts to where these lead.
static void find_entries(const struct plan *whole, const struct cut *cut, const bool *some,
                         struct plan *part) {
    part->steps.items[0].is_entry = true;
    part->steps.items[0].takes_some = some[cut->begin];
    for (uint32_t i = 0; i < whole->steps.count; i++) {
        const int32_t to = whole->steps.items[i].target;
        if (!is_in(cut, to) || is_in(cut, i)) continue;
        part->steps.items[to - (int32_t)cut->begin].is_entry = true;
        part->steps.items[to - (int32_t)cut->begin].takes_some = some[to];
    }
}

// Adds the step that leaves the part for the step of the whole. Returns its number.
static int32_t add_way_out(const struct plan *whole, struct plan *part, uint32_t to) {
    struct step s;
    memset(&s, 0, sizeof s); // with what is between its members (plan_put)
    s.kind = STEP_GO_TO;
    s.is_first = true;
    s.target = -1;
    s.goes_on = true;
    if (!array_push(&part->steps, s) || !array_push(&part->ops, whole->ops.items[to])) part->failed = true;
    return (int32_t)part->steps.count - 1;
}
static int32_t way_out(const struct plan *whole, struct plan *part, uint32_t first, uint32_t to) {
    for (uint32_t i = first; i < part->steps.count; i++)
        if (part->ops.items[i] == whole->ops.items[to]) return (int32_t)i;
    return add_way_out(whole, part, to);
}

bool cut_part(const struct plan *whole, const struct cut *cut, const bool *some, struct plan *part) {
    const uint32_t count = cut->end - cut->begin;
    *part = *whole;
    part->loops_end = whole->loops_end <= cut->begin ? 0
                      : whole->loops_end < cut->end  ? whole->loops_end - cut->begin
                                                     : count;
    memset(&part->steps, 0, sizeof part->steps);
    memset(&part->ops, 0, sizeof part->ops);
    for (uint32_t i = cut->begin; i < cut->end && !part->failed; i++)
        if (!array_push(&part->steps, whole->steps.items[i]) || !array_push(&part->ops, whole->ops.items[i]))
            part->failed = true;
    if (!part->failed) find_entries(whole, cut, some, part);
    if (cut->end < whole->steps.count) add_way_out(whole, part, cut->end); // right behind the last step
    for (uint32_t i = 0; i < count && !part->failed; i++) {
        const int32_t to = part->steps.items[i].target;
        if (is_in(cut, to))
            part->steps.items[i].target = to - (int32_t)cut->begin;
        else if (to >= 0) {
            const int32_t out = way_out(whole, part, count, (uint32_t)to);
            part->steps.items[i].target = out; // the array may have moved
        }
    }
    return !part->failed;
}

void cuts_free(struct cuts *cuts) { array_free(&cuts->parts); }
