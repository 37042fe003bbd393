// SPDX-License-Identifier: MIT
// Which places of the wave the steps of a plan name, where control goes between them, and what a copy of the
// wave has newer than the wave where.
#include "jit/joining.h"
#include "jit/dump.h"

#include <stdlib.h>
#include <string.h>

// ---- Places of the wave ----

static bool is_private(struct slot s) {
    const size_t literal = offsetof(struct wave, literal), sink = offsetof(struct wave, null_sink);
    if (s.offset >= sink && s.offset + s.size <= offsetof(struct wave, constant32))
        return true; // nobody reads it
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

bool find_slots(struct fuse *f) {
    const size_t exec = offsetof(struct wave, exec);
    bool ok = array_push(&f->slots, ((struct slot){(uint32_t)exec, 8}));
    for (size_t i = 0; i < f->plan->steps.count; i++)
        for (size_t k = 0; f->pieces[i] && k < f->facts[i].accesses.count; k++) {
            const struct slot s = access_place(f, i, &f->facts[i].accesses.items[k]);
            if (!is_private(s)) ok = ok && array_push(&f->slots, s);
        }
    merge_slots(f);
    f->words = (f->slots.count + 63) / 64;
    for (size_t i = 0; i < f->plan->steps.count && ok; i++) {
        f->writes[i].first = (uint32_t)f->written.count;
        for (size_t k = 0; f->pieces[i] && k < f->facts[i].accesses.count; k++) {
            const struct piece_access *a = &f->facts[i].accesses.items[k];
            const struct slot s = access_place(f, i, a);
            if (is_private(s) || !a->writes) continue;
            ok = ok && array_push(&f->written, slot_at(f, s.offset));
            f->writes_exec[i] |= s.offset < exec + 8 && s.offset + s.size > exec;
        }
        f->writes[i].count = (uint32_t)f->written.count - f->writes[i].first;
    }
    return ok;
}

bool is_lds(const struct step *s) {
    return s->kind == STEP_PIECE && s->class == SW_CLASS_LDS && s->may_leave && !s->is_memory;
}
static bool writes_vector(const struct fuse *f, uint32_t step, uint64_t offset) {
    const struct slot_list w = f->writes[step];
    const uint64_t end = offset + (f->plan->wave32 ? sizeof(uint32_t[32]) : sizeof(uint32_t[64]));
    for (uint32_t i = 0; i < w.count; i++) {
        const struct slot s = f->slots.items[f->written.items[w.first + i]];
        if (s.offset < end && s.offset + s.size > offset) return true;
    }
    return false;
}
void find_heads(struct fuse *f) {
    for (uint32_t i = 0; i < f->plan->steps.count; i++) {
        const struct step *s = &f->plan->steps.items[i];
        if (s->is_entry) f->head[i] = true;
        if (s->target >= 0) f->head[s->target] = true;
    }
}
// Accesses to LDS by one address register that follow each other ask for the same, the farthest of their
// offsets: so all but the first know the answer. That one may leave where it need not, if only another one is
// outside, which would have left.
void find_far(struct fuse *f) {
    struct step *steps = f->plan->steps.items;
    const uint32_t count = (uint32_t)f->plan->steps.count;
    for (uint32_t i = 0; i < count; i++)
        if (is_lds(&steps[i])) steps[i].arguments[PIECE_FAR] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t vaddr = steps[i].arguments[PIECE_VADDR];
        uint64_t far = 0;
        uint32_t end = i;
        if (!is_lds(&steps[i]) || steps[i].arguments[PIECE_FAR]) continue;
        for (bool on = true; on && end < count; end++) {
            const struct step *s = &steps[end];
            if (s->kind != STEP_PIECE || s->target >= 0 || (end > i && f->head[end])) break;
            if (is_lds(s) && s->arguments[PIECE_VADDR] == vaddr) {
                if (s->arguments[PIECE_OFFSET] > far) far = s->arguments[PIECE_OFFSET];
                if (s->arguments[PIECE_OFFSET1] > far) far = s->arguments[PIECE_OFFSET1];
            }
            on = (f->facts[end].only_next || s->may_leave) && !changes_exec(f, end) &&
                 !writes_vector(f, end, vaddr);
        }
        for (uint32_t k = i; k < end; k++)
            if (is_lds(&steps[k]) && steps[k].arguments[PIECE_VADDR] == vaddr)
                steps[k].arguments[PIECE_FAR] = far;
    }
}

void add_written(const struct fuse *f, size_t step, uint64_t *dirty) {
    const struct slot_list w = f->writes[step];
    for (uint32_t i = 0; i < w.count; i++) {
        const uint32_t slot = f->written.items[w.first + i];
        if (is_soon(f, step, slot))
            dirty[slot / 64] &= ~(1ull << slot % 64);
        else
            dirty[slot / 64] |= 1ull << slot % 64;
    }
}

// Those, too.
void add_all_written(const struct fuse *f, size_t step, uint64_t *set) {
    const struct slot_list w = f->writes[step];
    for (uint32_t i = 0; i < w.count; i++) {
        const uint32_t slot = f->written.items[w.first + i];
        set[slot / 64] |= 1ull << slot % 64;
    }
}

void written_back(const struct fuse *f, uint64_t *dirty, const uint64_t *changed) {
    for (size_t w = 0; w < f->words; w++) dirty[w] &= f->is_wave_loop && !f->is_group ? ~changed[w] : 0;
}

// ---- Segments ----

static int32_t segment_at(struct fuse *f, unsigned version, uint32_t step) {
    int32_t *s = &f->segment_of[version][step];
    if (*s >= 0) return *s;
    *s = (int32_t)f->segments.count;
    uint64_t *dirty = calloc(3 * f->words, sizeof *dirty);
    if (!dirty || !array_push(&f->segments, ((struct segment){.step = step,
                                                              .version = (uint8_t)version,
                                                              .dirty = dirty,
                                                              .changed = dirty + f->words,
                                                              .live = dirty + 2 * f->words}))) {
        free(dirty);
        f->failed = true;
        return *s = 0;
    }
    return *s;
}

// Where a wave that runs in a row with others leaves them.
static bool is_last(const struct fuse *f, const struct step *s) {
    if (is_hop(f, s) || is_signal(f, s)) return false;
    return s->kind == STEP_LEAVE || (f->is_wave_loop && s->kind == STEP_CALL);
}

// Where a segment ends: behind a step after which control has a choice, or before one where others come in.
static uint32_t segment_end(const struct fuse *f, uint32_t i) {
    const struct step *steps = f->plan->steps.items;
    for (const uint32_t first = i; i < f->plan->steps.count; i++) {
        if (i > first && f->head[i]) return i;
        if (f->shares_fill && may_come_back(f, i)) return i + 1;
        if (is_last(f, &steps[i]) || is_hop(f, &steps[i])) return i + 1;
        if (steps[i].kind == STEP_GO_TO || is_branch(&steps[i]) || changes_exec(f, i)) return i + 1;
        if (steps[i].kind == STEP_CALL || is_signal(f, &steps[i])) continue;
        if (!f->facts[i].only_next && !steps[i].may_leave) return i + 1;
    }
    return i;
}

// Whether a way back leads to the step from behind a barrier.
static bool is_loop_with_barrier(const struct fuse *f, uint32_t head) {
    const struct step *steps = f->plan->steps.items;
    bool any = false;
    for (uint32_t i = head; i < f->plan->steps.count; i++) {
        any |= is_hop(f, &steps[i]);
        if (any && steps[i].target == (int32_t)head) return true;
    }
    return false;
}
bool enters_loop(const struct fuse *f, uint32_t i) {
    const struct step *steps = f->plan->steps.items, *s = &steps[i];
    if (f->is_wave_loop ? !f->is_group : !f->guarded) return false;
    const bool goes = s->kind == STEP_GO_TO && s->target > (int32_t)i,
               falls = s->kind == STEP_PIECE && (s->may_leave || f->facts[i].only_next) &&
                       !changes_exec(f, i) && i + 1 < f->plan->steps.count;
    if (!goes && !falls) return false;
    const uint32_t head = goes ? (uint32_t)s->target : i + 1;
    return steps[head].is_entry && (!f->is_group || is_loop_with_barrier(f, head));
}

// Finds those that can follow, and returns whether the last step of the segment is one after which both
// versions can.
static unsigned successors(struct fuse *f, size_t n, int32_t next[3]) {
    const struct segment s = f->segments.items[n];
    const struct step *last = &f->plan->steps.items[s.end - 1];
    unsigned count = 0;
    if (is_last(f, last) || f->facts[s.end - 1].only_ends) return 0;
    if (last->target >= 0) next[count++] = segment_at(f, s.version, (uint32_t)last->target);
    if (last->kind == STEP_GO_TO || s.end == f->plan->steps.count) return count;
    const bool both = changes_exec(f, s.end - 1);
    next[count++] = segment_at(f, s.version, s.end);
    if (both) next[count++] = segment_at(f, !s.version, s.end);
    return count;
}

// ---- What a group's waves need behind a barrier ----

static void add_slots(const struct fuse *f, struct slot s, uint64_t *set) {
    for (size_t i = slot_at(f, s.offset); i < f->slots.count && f->slots.items[i].offset < s.offset + s.size;
         i++)
        if (f->slots.items[i].offset + f->slots.items[i].size > s.offset) set[i / 64] |= 1ull << i % 64;
}
// A piece that always leaves its access to the handler may read nothing of an operand; the handler does.
static bool reads_operand(const struct fuse *f, uint32_t step, uint32_t parameter) {
    const struct piece_facts *facts = &f->facts[step];
    for (size_t k = 0; k < facts->accesses.count; k++)
        if (facts->accesses.items[k].parameter == parameter && !facts->accesses.items[k].writes) return true;
    return false;
}
static void add_operands(const struct fuse *f, uint32_t step, uint64_t *live) {
    enum { MOST = 4 }; // registers of an address, or of data
    static const uint8_t read[] = {PIECE_VADDR, PIECE_DATA, PIECE_DATA1};
    const uint32_t bytes = MOST * (f->plan->wave32 ? 128 : 256);
    for (size_t i = 0; i < sizeof read && f->plan->steps.items[step].may_leave; i++) {
        const uint64_t at = offsetof(struct wave, s) + f->plan->steps.items[step].arguments[read[i]];
        if (at >= offsetof(struct wave, v) && !reads_operand(f, step, read[i]))
            add_slots(f, (struct slot){(uint32_t)at, bytes}, live);
    }
    // Of scalar registers, LDS alone has none.
    const bool reads_any = f->plan->steps.items[step].may_leave && !is_lds(&f->plan->steps.items[step]);
    for (size_t i = 0; i < f->slots.count && reads_any; i++)
        if (is_scalar_register(f->slots.items[i])) live[i / 64] |= 1ull << i % 64;
}
// Scalar registers that are written as a whole.
static void remove_scalars(const struct fuse *f, uint32_t step, uint64_t *live) {
    const struct piece_facts *facts = &f->facts[step];
    for (size_t k = 0; k < facts->accesses.count && facts->only_next; k++) {
        const struct slot s = access_place(f, step, &facts->accesses.items[k]);
        if (!facts->accesses.items[k].always || !is_scalar_register(s)) continue;
        const uint32_t slot = slot_at(f, s.offset);
        if (f->slots.items[slot].size == s.size) live[slot / 64] &= ~(1ull << slot % 64);
    }
}
// From what is live behind the step to what is before it.
static void live_before(const struct fuse *f, uint32_t step, unsigned version, uint64_t *live) {
    const bool replaces = version == VERSION_ALL && f->plan->steps.items[step].replaces;
    const struct piece_access *a = f->facts[step].accesses.items;
    remove_scalars(f, step, live);
    for (size_t k = 0; replaces && k < f->facts[step].accesses.count; k++) {
        const struct slot s = access_place(f, step, &a[k]);
        if (!a[k].writes || s.offset < offsetof(struct wave, v)) continue;
        const uint32_t slot = slot_at(f, s.offset);
        if (f->slots.items[slot].size == s.size) live[slot / 64] &= ~(1ull << slot % 64);
    }
    for (size_t k = 0; k < f->facts[step].accesses.count; k++) {
        const struct slot s = access_place(f, step, &a[k]);
        bool is_replaced = false;
        for (size_t n = 0; replaces && n < f->facts[step].accesses.count && !is_replaced; n++) {
            const struct slot to = access_place(f, step, &a[n]);
            is_replaced = a[n].writes && to.offset >= offsetof(struct wave, v) && to.offset == s.offset &&
                          to.size == s.size && f->slots.items[slot_at(f, s.offset)].size == s.size;
        }
        if (!a[k].writes && !is_replaced) add_slots(f, s, live);
    }
    add_operands(f, step, live);
}
// Whether the code that follows is that of the plan.
static bool is_known_behind(const struct fuse *f, uint32_t step) {
    const struct step *s = &f->plan->steps.items[step];
    if (s->kind == STEP_GO_TO) return s->target >= 0;
    if (s->kind != STEP_PIECE) return is_hop(f, s) || is_signal(f, s);
    return s->may_leave || s->target >= 0 || f->facts[step].only_next || f->facts[step].only_ends;
}
// Where waves are stored: whoever goes on with one behind the barrier, in the loop or out of it, runs what
// the plan has, up to a step from which on anything may follow. Temporaries are between the ops of an
// instruction.
static void find_live(struct fuse *f) {
    uint64_t *live = calloc(f->words, sizeof *live);
    f->failed |= !live;
    for (bool changed = f->is_group; changed && !f->failed;) {
        changed = false;
        for (size_t n = f->segments.count; n--;) {
            struct segment *s = &f->segments.items[n];
            int32_t next[3];
            memset(live, 0, f->words * sizeof *live);
            const unsigned count = successors(f, n, next);
            for (unsigned k = 0; k < count; k++)
                for (size_t w = 0; w < f->words; w++) live[w] |= f->segments.items[next[k]].live[w];
            for (uint32_t i = s->end; i-- > s->step;) {
                if (!is_known_behind(f, i)) memset(live, 0xff, f->words * sizeof *live);
                live_before(f, i, s->version, live);
            }
            for (size_t w = 0; w < f->words; w++) {
                changed |= (live[w] | s->live[w]) != s->live[w];
                s->live[w] |= live[w];
            }
        }
    }
    for (size_t n = 0; f->is_group && n < f->segments.count && !f->failed; n++)
        for (size_t i = 0; i < f->slots.count; i++)
            if (!is_vector_slot(f->slots.items[i]) && !is_scalar_register(f->slots.items[i]))
                f->segments.items[n].live[i / 64] |= 1ull << i % 64;
    free(live);
}

// Whether all that is newer is written back before the step, however it goes on.
static bool writes_all_back(const struct fuse *f, uint32_t i) {
    const struct step *s = &f->plan->steps.items[i];
    if (is_signal(f, s)) return false;
    return s->kind == STEP_LEAVE || s->kind == STEP_CALL || (s->kind == STEP_GO_TO && s->target < 0) ||
           is_marked(f, i, false);
}
static bool ends_wave(const struct fuse *f, uint32_t i) {
    const struct step *s = &f->plan->steps.items[i];
    return s->kind == STEP_PIECE && !f->facts[i].only_next && !s->may_leave && s->target < 0;
}
// `stays`: as if memory stayed where it is.
static uint64_t soon_before(const struct fuse *f, uint32_t i, size_t word, bool stays) {
    if (is_hop(f, &f->plan->steps.items[i])) { // of what is live, whichever lanes execute
        uint64_t live = ~0ull;
        for (unsigned v = 0; v < VERSIONS; v++)
            if (f->segment_of[v][i + 1] >= 0) live &= f->segments.items[f->segment_of[v][i + 1]].live[word];
        return live;
    }
    if (writes_all_back(f, i)) return ~0ull;
    if (may_trap(f, i) && !stays) return 0; // the wave is to be as it was marked
    uint64_t soon = f->soon[i * f->words + word];
    const struct slot_list w = f->writes[i];
    for (uint32_t k = 0; k < w.count; k++) {
        const uint32_t slot = f->written.items[w.first + k];
        if (slot / 64 == word) soon &= ~(1ull << slot % 64);
    }
    return soon;
}
// Whether something is newer where the step begins that will be written again before it is written back.
static bool is_newer_for_long(const struct fuse *f, uint32_t i, const uint64_t *dirty) {
    uint64_t any = 0;
    for (size_t w = 0; w < f->words; w++) any |= dirty[w] & ~soon_before(f, i, w, true);
    return any;
}
// From what holds where a segment begins to what holds where it ends. `costs`, unless NULL: notes the steps
// where marking costs something.
static void flow_through(const struct fuse *f, struct segment *s, bool *costs) {
    const struct step *steps = f->plan->steps.items;
    for (uint32_t i = s->step; i < s->end; i++) {
        if (costs) costs[i] |= is_newer_for_long(f, i, s->dirty);
        const bool marked =
            is_marked(f, i, s->unmarked) || steps[i].kind == STEP_CALL || is_hop(f, &steps[i]);
        if (marked) written_back(f, s->dirty, s->changed);
        add_written(f, i, s->dirty);
        add_all_written(f, i, s->changed);
        s->unmarked = (s->unmarked && !marked) || f->facts[i].stores;
        s->stored |= stores_for_others(f, i);
    }
    if (!enters_loop(f, s->end - 1)) return;
    memset(s->dirty, 0, f->words * sizeof *s->dirty);
    s->unmarked = false;
}
// More may hold where a segment begins. Whether that is new.
static bool flow_into(const struct fuse *f, struct segment *to, const struct segment *from) {
    bool changed = (from->stored && !to->stored) || (from->unmarked && !to->unmarked);
    to->stored |= from->stored;
    to->unmarked |= from->unmarked;
    for (size_t w = 0; w < 2 * f->words; w++) { // both sets
        changed |= (to->dirty[w] | from->dirty[w]) != to->dirty[w];
        to->dirty[w] |= from->dirty[w];
    }
    return changed;
}

// Of waves in a row nothing is written back but where they leave, or at barriers.
static void find_soon(struct fuse *f, bool stays) {
    const uint32_t count = (uint32_t)f->plan->steps.count;
    const bool none = f->is_wave_loop && !f->is_group;
    memset(f->soon, none ? 0 : 0xff, count * f->words * sizeof *f->soon);
    for (bool changed = !none; changed;) {
        changed = false;
        for (uint32_t i = count; i--;) {
            const struct step *s = &f->plan->steps.items[i];
            for (size_t w = 0; w < f->words; w++) {
                uint64_t soon = ends_wave(f, i) ? 0 : ~0ull;
                if (s->target >= 0 && !enters_loop(f, i))
                    soon &= soon_before(f, (uint32_t)s->target, w, stays);
                const bool goes_on = is_signal(f, s) || (s->kind != STEP_GO_TO && s->kind != STEP_LEAVE);
                if (goes_on && i + 1 < count && !enters_loop(f, i)) soon &= soon_before(f, i + 1, w, stays);
                changed |= soon != f->soon[i * f->words + w];
                f->soon[i * f->words + w] = soon;
            }
        }
    }
}

// What the function before had.
static void forget_segments(struct fuse *f) {
    for (size_t i = 0; i < f->segments.count; i++) free(f->segments.items[i].dirty);
    f->segments.count = 0;
    for (unsigned v = 0; v < VERSIONS; v++)
        memset(f->segment_of[v], 0xff, f->plan->steps.count * sizeof *f->segment_of[v]);
}

// What holds where segments begin.
static void find_flow(struct fuse *f) {
    for (size_t n = 0; n < f->segments.count; n++) {
        struct segment *s = &f->segments.items[n];
        memset(s->dirty, 0, 2 * f->words * sizeof *s->dirty);
        s->stored = s->unmarked = false;
    }
    // Of waves in a row nothing is kept anywhere when they begin. Those of a group loop have all but what the
    // steps changed that they have in common.
    const bool none = f->is_wave_loop && !f->is_group;
    if (none && !f->failed) memset(f->segments.items[0].dirty, 0xff, f->words * sizeof(uint64_t));
    for (uint32_t i = 0; i < f->common && f->is_wave_loop && !f->failed; i++)
        add_all_written(f, i, none ? f->segments.items[0].changed : f->segments.items[0].dirty);
    bool changed = true;
    uint64_t *out = calloc(2 * f->words, sizeof *out);
    if (!out) f->failed = true;
    while (changed && !f->failed) {
        changed = false;
        for (size_t n = 0; n < f->segments.count; n++) {
            int32_t next[3];
            struct segment s = f->segments.items[n];
            memcpy(out, s.dirty, 2 * f->words * sizeof *out);
            s.dirty = out;
            s.changed = out + f->words;
            flow_through(f, &s, NULL);
            const unsigned count = successors(f, n, next);
            for (unsigned k = 0; k < count; k++) changed |= flow_into(f, &f->segments.items[next[k]], &s);
        }
    }
    free(out);
}

// Loads where all that is newer would be written back later in any case, and so can be there: else it has to
// be kept in registers of the host until then.
static void find_cheap(struct fuse *f) {
    const uint32_t count = (uint32_t)f->plan->steps.count;
    memset(f->cheap, 0, count * sizeof *f->cheap);
    if (f->is_wave_loop || !f->guarded) return;
    bool *costs = calloc(count, sizeof *costs);
    f->failed |= !costs;
    find_soon(f, true);
    find_flow(f);
    for (size_t n = 0; n < f->segments.count && !f->failed; n++)
        flow_through(f, &f->segments.items[n], costs);
    for (uint32_t i = 0; i < count && !f->failed; i++) f->cheap[i] = may_trap(f, i) && !costs[i];
    free(costs);
}

static bool names_lanes(const struct fuse *f, uint32_t step) {
    for (size_t k = 0; k < f->facts[step].accesses.count; k++) {
        const struct slot s = access_place(f, step, &f->facts[step].accesses.items[k]);
        if (s.offset + s.size > offsetof(struct wave, v)) return true;
    }
    return false;
}
// Whether the step reads what one before it has written.
static bool reads_any(const struct fuse *f, uint32_t step, const uint64_t *written) {
    for (size_t k = 0; k < f->facts[step].accesses.count; k++) {
        const struct piece_access *a = &f->facts[step].accesses.items[k];
        const struct slot s = access_place(f, step, a);
        if (is_private(s) || a->writes) continue;
        const uint32_t slot = slot_at(f, s.offset);
        if (written[slot / 64] >> slot % 64 & 1) return true;
    }
    return false;
}
// Arguments are the same, and what is computed from them; what they point to often changes.
uint32_t common_steps(const struct fuse *f) {
    const struct step *steps = f->plan->steps.items;
    const uint32_t count = (uint32_t)f->plan->steps.count;
    uint64_t *written = calloc(f->words, sizeof *written);
    uint32_t n = 0;
    if (!written || f->guarded) n = count;
    for (uint32_t i = 0; i < count; i++) // stores to what wave_loop.c cannot see
        if (f->facts[i].stores && !steps[i].may_leave) n = count;
    for (; n + 1 < count && steps[n].kind == STEP_PIECE && !is_branch(&steps[n]); n++) {
        if (!(f->facts[n].only_next || steps[n].may_leave) || f->facts[n].stores || changes_exec(f, n) ||
            names_lanes(f, n) || (steps[n].may_leave && reads_any(f, n, written)))
            break;
        add_written(f, n, written);
    }
    free(written);
    return n < count ? n : 0;
}

void find_segments(struct fuse *f) {
    forget_segments(f);
    if (f->is_wave_loop) f->head[f->common] = true;
    for (uint32_t i = 0; i < f->plan->steps.count && !f->is_wave_loop; i++)
        if (f->plan->steps.items[i].is_entry) {
            segment_at(f, VERSION_ALL, i);
            if (f->plan->steps.items[i].takes_some) segment_at(f, VERSION_SOME, i);
        }
    if (f->is_wave_loop) segment_at(f, VERSION_ALL, f->common);
    for (size_t n = 0; n < f->segments.count && !f->failed; n++) {
        int32_t next[3];
        f->segments.items[n].end = segment_end(f, f->segments.items[n].step);
        successors(f, n, next);
    }
    find_live(f);
    find_cheap(f);
    find_soon(f, false);
    find_flow(f);
    if (f->flow && !f->failed) dump_segments(f, f->flow);
}
