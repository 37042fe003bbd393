// SPDX-License-Identifier: MIT
// What a wave needs of more than itself: jumps, barriers, hardware registers, clocks, messages. Bodies call
// the functions below. What depends on who runs the wave, they ask its `struct machine`, which whoever makes
// waves gives them (src/sched, tests).
#ifndef EXEC_MACHINE_H
#define EXEC_MACHINE_H

#include "exec/wave.h"

// The barriers of a work-group: its own, and named ones. A wave joins one of those at a time and waits for
// that one alone.
enum { NAMED_BARRIERS = 16, NO_NAMED_BARRIERS = 255, BARRIER_WAVES = 32, GROUP_BARRIER = -1 };
struct barrier {
    uint32_t alive;   // waves of the group that have not ended
    uint32_t arrived; // of them, those that signalled since the barrier last completed
    uint32_t phase;   // how often it has completed
    uint32_t waves;   // of the group when it began
    // The group's waves, and where its kernel's code begins; NULL: each wave stops at the barrier
    // (barrier_hop).
    struct wave *const *wave;
    uint64_t code_base;
    struct wave *running;   // the one that runs, or ran last
    uint32_t running_phase; // that it began to run in
    int64_t quantum;        // back-edges that each may take at once
    int64_t left;           // of those that waves take before the scheduler is asked again
    uint8_t named_count;    // allocated to the group; NO_NAMED_BARRIERS: the processor has none
    struct named_barrier {
        uint8_t members, signals; // 7 bits each
        uint32_t phase;           // how often it has completed
    } named[NAMED_BARRIERS + 1];  // number 0 is none
    struct barrier_member {       // of each wave of the group
        uint8_t joined;           // number; 0: none
        bool complete;            // the barrier completed before the wave joined another one
        bool waits;               // for the one it joined
        uint32_t phase;           // of that one when the wave joined it or was past it last
    } member[BARRIER_WAVES];
};

// What a wave asks of a resource of global wave sync.
enum gws_kind { GWS_NONE, GWS_INIT, GWS_BARRIER, GWS_RELEASE, GWS_RELEASE_ALL, GWS_TAKE };

struct machine {
    // See wave_find_range, wave_fault_because, state_gws, state_passes_trap, state_send.
    bool (*find_range)(struct wave *w, uint64_t address, uint32_t rights, struct range *out);
    const struct op *(*fault)(struct wave *w, const struct op *op, enum fault_kind kind, int lane,
                              uint64_t address, const char *reason);
    bool (*gws)(struct wave *w, enum gws_kind kind, unsigned number, uint32_t count);
    bool (*passes_trap)(const struct wave *w, unsigned number);
    void (*send)(struct wave *w, uint32_t id, uint32_t m0);
    // The decoded code at a GPU address, or NULL; `own`: in the same program as the code that runs. A `jump`
    // is one whose target the code did not name.
    const struct op *(*block)(struct wave *w, uint64_t address, bool *own);
    void (*jumps)(struct wave *w, uint64_t address);
    // The program of the wave's kernel, or NULL.
    struct program *(*program)(const struct wave *w);
    // A hardware register that is not the wave's own.
    uint64_t (*read_hwreg)(const struct wave *w, enum hwreg what);
    // Before an instruction of an observed program.
    void (*observe)(struct wave *w, const struct op *op);
    // Before an op of a weak program: where to go on, the op itself or another one; NULL: the wave stops
    // there.
    const struct op *(*weak)(struct wave *w, const struct op *op);
    // An instruction on the global data share, op->extra (exec/gds.h). False: the wave is to ask again.
    bool (*gds)(struct wave *w, const struct op *op);
    // An export, op->extra (exec/export.h). False: the device's program takes none.
    bool (*exports)(struct wave *w, const struct op *op);
    // The waves of a group run no more: what they began is forgotten. NULL: nobody asks.
    void (*forget)(struct group *g);
    // See state_gws_allowed, state_atomic. NULL: it is; nobody listens.
    bool (*gws_allowed)(struct wave *w, const struct op *op);
    void (*atomic)(struct wave *w, unsigned operation, bool returns, const uint64_t *at, const uint64_t *src,
                   uint64_t m);
};

// Whether an access at `address` with these rights may be made, and the range of addresses around it for
// which the same holds. The slow path behind a miss in wave->ranges.
bool wave_find_range(struct wave *w, uint64_t address, uint32_t rights, struct range *out);

// Whether s_trap with this number does nothing: a breakpoint that nobody waits for.
bool state_passes_trap(const struct wave *w, unsigned number);
// A message to the device's listener.
void state_send(struct wave *w, uint32_t id, uint32_t m0);
// The block at op->e in the code that runs, kept in op->target. NULL: not code.
const struct op *state_link(struct wave *w, const struct op *op);
// The block at a GPU address, entering another executable if need be. NULL: not code.
const struct op *state_jump(struct wave *w, uint64_t address);

// The barriers of a group of so many waves that begins.
void barrier_begin(struct barrier *b, uint32_t waves, unsigned named);

// Arrives at the barrier of the work-group.
static inline void state_barrier_arrive(struct wave *w) {
    struct barrier *b = w->barrier;
    w->barrier_signalled = 1;
    w->barrier_phase = b->phase;
    if (++b->arrived < b->alive) return;
    b->arrived = 0;
    b->phase++;
    if (w->wave_in_group + 1 < b->alive) w->barrier_signalled = 2;
}
// Whether the barrier that the wave signalled has completed; if so the wave is past it. A wave that completed
// it gives way to those behind it in the group, unless it is the last anyway: false once, and true when it is
// asked again.
static inline bool state_barrier_done(struct wave *w) {
    const bool gives_way = w->barrier_signalled == 2;
    if (gives_way) w->barrier_signalled = 1;
    if (gives_way || (w->barrier_signalled && w->barrier->phase == w->barrier_phase)) return false;
    w->barrier_signalled = 0;
    return true;
}

// Lets a wave that waits at the group's barrier hand over to the one whose turn is next, instead of stopping
// first: that waits for nobody any more, and goes on behind its `resume` with as many back-edges as any that
// begins to run. NULL: the scheduler is to choose, for whatever reason. Only in the order that it would
// choose (sched/group.c): behind a barrier the waves run from the last to the first.
enum { HOP_COST = 8 }; // back-edges that it counts for
static inline struct wave *barrier_hop(struct wave *w) {
    struct barrier *b = w->barrier;
    uint32_t n = b->phase != w->barrier_phase ? b->waves : w->wave_in_group;
    if (!b->wave || !b->phase || b->alive != b->waves || !n--) return NULL;
    const int64_t left = b->left - (b->quantum - w->budget) - HOP_COST;
    if (left <= 0 || __atomic_load_n(w->interrupt, __ATOMIC_RELAXED)) return NULL;
    struct wave *next = b->wave[n];
    if (next->status != WAVE_AT_BARRIER || !next->resume || next->code_base != b->code_base ||
        next->mxcsr != w->mxcsr || next->barrier_phase == b->phase || !next->barrier_signalled)
        return NULL;
    if (b->named_count && b->named_count != NO_NAMED_BARRIERS) return NULL;
    next->barrier_signalled = 0;
    next->status = WAVE_RUNNING;
    next->budget = b->quantum;
    next->at = NULL;
    b->left = left;
    b->running = next;
    b->running_phase = b->phase;
    return next;
}
// Signals the barrier with this number; `members` that are not 0 become those that it waits for.
enum barrier_answer { BARRIER_IGNORED, BARRIER_FIRST, BARRIER_LATER, BARRIER_UNKNOWN };
enum barrier_answer state_barrier_signal(struct wave *w, int32_t number, unsigned members);
// The other instructions of named barriers. BARRIER_UNKNOWN: this processor documents none.
enum barrier_answer state_barrier_init(struct wave *w, int32_t number, unsigned members);
enum barrier_answer state_barrier_join(struct wave *w, int32_t number);
enum barrier_answer state_barrier_leave(struct wave *w); // FIRST: SCC becomes 1, LATER: 0
enum barrier_wait { BARRIER_PASSED, BARRIER_WAITS, BARRIER_REFUSED };
enum barrier_wait state_barrier_wait(struct wave *w, int32_t number);
// Whether the wave stopped at a named barrier, and whether that has not completed since.
static inline bool barrier_is_named(const struct wave *w) {
    const struct barrier *b = w->barrier;
    return b->named_count && b->named_count != NO_NAMED_BARRIERS &&
           b->member[w->wave_in_group % BARRIER_WAVES].waits;
}
bool barrier_named_waits(const struct wave *w);
// The wave's part of STATE_PRIV: bits 2, 3 and 8:4.
uint32_t barrier_bits(const struct wave *w);
// As s_get_barrier_state gives it: signals in 22:16, members in 10:4, bit 0 valid; where there are named
// barriers, how many fours of them in 26:24. False: this processor documents no such barrier.
bool state_barrier_status(const struct wave *w, int32_t number, uint32_t *out);
// A wave of the group has ended: the others wait for it no more (TRAP-383).
void barrier_lose(struct barrier *b);

// False: it is a fault, as waves that it would reach run elsewhere.
bool state_gws_allowed(struct wave *w, const struct op *op);
// False: the wave is to ask again.
bool state_gws(struct wave *w, enum gws_kind kind, unsigned number, uint32_t count);

// The lanes m are about to do an atomic operation (enum atomic) on memory at these host addresses, with these
// operands.
void state_atomic(struct wave *w, unsigned operation, bool returns, const uint64_t *at, const uint64_t *src,
                  uint64_t m);

uint64_t state_read_hwreg(struct wave *w, unsigned id);
void state_write_hwreg(struct wave *w, unsigned id, uint32_t value, uint32_t mask);
// 0: shader clock, 1: constant 100 MHz clock.
uint64_t state_clock(struct wave *w, int realtime);
// Messages with an answer. Of others nobody says what they answer, or only trap handlers may send them.
enum { MESSAGE_DOORBELL = 0x80, MESSAGE_REALTIME = 0x83, MESSAGE_TBA = 0x85, MESSAGE_ENGINE = 0x87 };
static inline bool message_has_answer(unsigned id) {
    return (id >= MESSAGE_DOORBELL && id <= MESSAGE_REALTIME) || id == MESSAGE_TBA || id == MESSAGE_ENGINE;
}
uint64_t state_message(struct wave *w, unsigned id);

#endif
