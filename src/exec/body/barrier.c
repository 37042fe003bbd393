// SPDX-License-Identifier: MIT
// Barriers by number: -1 is the work-group's, 1 to 16 are named ones. op->a has the number; where that is M0
// (op->e), a count of members stands beside it.
#include "exec/body/hop.h"

static __attribute__((noinline)) const struct op *unknown(struct wave *w, const struct op *op) {
    return wave_fault_because(w, op, FAULT_UNSUPPORTED, -1, 0, "named barriers");
}

INLINE int32_t number_of(struct wave *w, const struct op *op) {
    const uint32_t v = get32(w, op, op->a);
    return (int32_t)(op->a == op->e ? v & 31 : v);
}
INLINE unsigned members_of(struct wave *w, const struct op *op) {
    return op->a == op->e ? get32(w, op, op->a) >> 16 & 127 : 0;
}

SPECIAL(s_barrier_signal) {
    const int32_t number = number_of(w, op);
    const unsigned members = members_of(w, op);
    if (OUT(state_barrier_signal(w, number, members)) == BARRIER_UNKNOWN) return unknown(w, op);
    NEXT;
}
// What is ignored leaves SCC as it is where there are named barriers, elsewhere it becomes 0.
SPECIAL(s_barrier_signal_isfirst) {
    const int32_t number = number_of(w, op);
    const unsigned members = members_of(w, op);
    const enum barrier_answer answer = OUT(state_barrier_signal(w, number, members));
    if (answer == BARRIER_UNKNOWN) return unknown(w, op);
    if (answer != BARRIER_IGNORED || w->barrier->named_count == NO_NAMED_BARRIERS)
        w->scc = answer == BARRIER_FIRST;
    NEXT;
}
SPECIAL(s_barrier_init) {
    const int32_t number = number_of(w, op);
    const unsigned members = members_of(w, op);
    if (OUT(state_barrier_init(w, number, members)) == BARRIER_UNKNOWN) return unknown(w, op);
    NEXT;
}
SPECIAL(s_barrier_join) {
    if (OUT(state_barrier_join(w, number_of(w, op))) == BARRIER_UNKNOWN) return unknown(w, op);
    NEXT;
}
SPECIAL(s_barrier_leave) {
    const enum barrier_answer answer = OUT(state_barrier_leave(w));
    if (answer == BARRIER_UNKNOWN) return unknown(w, op);
    w->scc = answer == BARRIER_FIRST;
    NEXT;
}
SPECIAL(s_barrier_wait) {
    const enum barrier_wait answer = OUT(state_barrier_wait(w, (int16_t)op->imm));
    if (answer == BARRIER_REFUSED) return unknown(w, op);
    if (answer == BARRIER_PASSED) NEXT;
    return wait_at_barrier(w, op);
}
// A local whose address is taken would keep the handler's frame: no tail call.
static __attribute__((noinline)) bool put_status(struct wave *w, const struct op *op) {
    uint32_t v;
    if (!OUT(state_barrier_status(w, number_of(w, op), &v))) return false;
    put32(w, op->d, v);
    return true;
}
SPECIAL(s_get_barrier_state) {
    if (!put_status(w, op)) return unknown(w, op);
    NEXT;
}
