// SPDX-License-Identifier: MIT
// The barriers of a work-group. Its own barrier completes when all its waves have signalled it or ended. A
// named barrier completes when it has as many signals as members, whoever they come from, and tells the
// waves that joined it.
#include <string.h>

#include "exec/machine.h"

void barrier_begin(struct barrier *b, uint32_t waves, unsigned named) {
    b->alive = b->waves = waves;
    b->arrived = b->phase = b->running_phase = 0;
    b->wave = NULL;
    b->running = NULL;
    b->named_count = (uint8_t)named;
    if (!named || named == NO_NAMED_BARRIERS) return;
    if (waves <= 1) b->named_count = 0; // one wave is no work-group and gets none
    memset(b->named, 0, sizeof b->named);
    memset(b->member, 0, sizeof b->member);
}

// ---- The work-group's ----

void barrier_lose(struct barrier *b) {
    b->alive--;
    if (b->alive && b->arrived >= b->alive) b->arrived = 0, b->phase++;
}

// ---- Named ones ----

static bool is_allocated(const struct barrier *b, int32_t number) {
    return b->named_count != NO_NAMED_BARRIERS && number >= 1 && number <= b->named_count;
}
// Numbers below -1 are those of trap handlers and of clusters, which do nothing here: user code may not use
// the former, and no group is in a cluster.
static enum barrier_answer not_allocated(const struct barrier *b, int32_t number) {
    return number > 0 && b->named_count == NO_NAMED_BARRIERS ? BARRIER_UNKNOWN : BARRIER_IGNORED;
}
static struct barrier_member *member_of(const struct wave *w) {
    return &w->barrier->member[w->wave_in_group % BARRIER_WAVES];
}

static void complete_if_due(struct named_barrier *n) {
    if (!n->signals || n->signals != n->members) return;
    n->signals = 0;
    n->phase++;
}

enum barrier_answer state_barrier_signal(struct wave *w, int32_t number, unsigned members) {
    struct barrier *b = w->barrier;
    if (number == GROUP_BARRIER) {
        if (b->waves <= 1) return BARRIER_IGNORED;
        const bool first = b->arrived == 0;
        state_barrier_arrive(w);
        return first ? BARRIER_FIRST : BARRIER_LATER;
    }
    if (!is_allocated(b, number)) return not_allocated(b, number);
    struct named_barrier *n = &b->named[number];
    if (members) n->members = (uint8_t)members;
    const bool first = n->signals == 0;
    n->signals = (n->signals + 1) & 127;
    complete_if_due(n);
    return first ? BARRIER_FIRST : BARRIER_LATER;
}

enum barrier_answer state_barrier_init(struct wave *w, int32_t number, unsigned members) {
    struct barrier *b = w->barrier;
    if (b->named_count == NO_NAMED_BARRIERS) return BARRIER_UNKNOWN;
    if (!is_allocated(b, number)) return BARRIER_IGNORED;
    if (members) b->named[number].members = (uint8_t)members;
    b->named[number].signals = 0;
    return BARRIER_LATER;
}

static bool is_complete(const struct barrier *b, const struct barrier_member *m) {
    return m->joined ? b->named[m->joined].phase != m->phase : m->complete;
}

// What completed before stays so until the wave waits, whichever barrier it joins.
enum barrier_answer state_barrier_join(struct wave *w, int32_t number) {
    struct barrier *b = w->barrier;
    if (b->named_count == NO_NAMED_BARRIERS) return BARRIER_UNKNOWN;
    if (number && !is_allocated(b, number)) return BARRIER_IGNORED;
    if (!b->named_count) return BARRIER_IGNORED;
    struct barrier_member *m = member_of(w);
    m->complete = is_complete(b, m);
    m->joined = (uint8_t)number;
    m->phase = b->named[number].phase - m->complete;
    return BARRIER_LATER;
}

enum barrier_answer state_barrier_leave(struct wave *w) {
    struct barrier *b = w->barrier;
    if (b->named_count == NO_NAMED_BARRIERS) return BARRIER_UNKNOWN;
    if (b->waves <= 1) return BARRIER_LATER;
    const unsigned number = b->named_count ? member_of(w)->joined : 0;
    if (!number) return BARRIER_FIRST;
    struct named_barrier *n = &b->named[number];
    state_barrier_join(w, 0);
    n->members = (n->members - 1) & 127;
    complete_if_due(n);
    return n->members ? BARRIER_LATER : BARRIER_FIRST;
}

enum barrier_wait state_barrier_wait(struct wave *w, int32_t number) {
    struct barrier *b = w->barrier;
    if (number == GROUP_BARRIER) return state_barrier_done(w) ? BARRIER_PASSED : BARRIER_WAITS;
    if (number < 0) return BARRIER_PASSED;
    if (b->named_count == NO_NAMED_BARRIERS) return BARRIER_REFUSED;
    if (!b->named_count) return BARRIER_PASSED;
    struct barrier_member *m = member_of(w);
    m->waits = m->joined && !is_complete(b, m);
    if (m->waits) return BARRIER_WAITS;
    if (m->joined) m->phase = b->named[m->joined].phase;
    return BARRIER_PASSED;
}

bool barrier_named_waits(const struct wave *w) {
    return barrier_is_named(w) && !is_complete(w->barrier, member_of(w));
}

// ---- State ----

bool state_barrier_status(const struct wave *w, int32_t number, uint32_t *out) {
    const struct barrier *b = w->barrier;
    const bool has_named = b->named_count != NO_NAMED_BARRIERS;
    *out = has_named ? b->named_count / 4u << 24 : 0;
    if (number == GROUP_BARRIER)
        *out |= b->arrived << 16 | b->alive << 4 | 1;
    else if (is_allocated(b, number))
        *out |= b->named[number].signals << 16 | b->named[number].members << 4 | 1;
    else
        return not_allocated(b, number) != BARRIER_UNKNOWN;
    return true;
}

uint32_t barrier_bits(const struct wave *w) {
    const struct barrier *b = w->barrier;
    const uint32_t own = w->barrier_signalled && b->phase != w->barrier_phase ? 1u << 2 : 0;
    if (!b->named_count || b->named_count == NO_NAMED_BARRIERS) return own;
    const struct barrier_member *m = member_of(w);
    return own | (m->joined && is_complete(b, m) ? 1u << 3 : 0) | (uint32_t)m->joined << 4;
}
