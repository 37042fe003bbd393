// SPDX-License-Identifier: MIT
// The pool: workers, the dispatches that they run, and what they know of memory. A device has one.
#ifndef SCHED_POOL_H
#define SCHED_POOL_H

#include <sched.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/sized.h"
#include "exec/gds.h"
#include "exec/machine.h"
#include "sched/launch.h"
#include "sched/sched.h"

// A resource of global wave sync (gws.c).
struct gws {
    int32_t counter;
    uint32_t phase;            // of the barrier
    uint32_t queued, released; // waves that wait for the semaphore, and those of them that may go on
};

// Threads of workers (start.c). The host's processors are those that the device was made on.
struct crew {
    pthread_mutex_t lock; // held while some are started; taken before the device's
    unsigned started;     // under it
    unsigned promised;    // that are started or about to be; under the device's lock
    unsigned arrived;     // that have looked for work; under the device's lock
#if defined(__linux__)
    bool has_processors;
    cpu_set_t processors;
#endif
};

struct pool {
    sw_device_options options;
    sw_device_hooks hooks;
    const struct isa *isa;
    const struct steps *steps;
    const struct machine *machine; // that waves get
    const char *level;
    struct weak *weak;      // accesses happen late and out of order (src/weak); NULL: they do not
    bool native;            // hot code becomes native (native.h)
    struct tier_up tier_up; // hot kernels are compiled
    uint8_t hwregs[64];     // enum hwreg by number
    // Memory that kernels may touch, for scratch: who owns the pool provides it.
    void *(*reserve)(struct pool *pool, uint64_t size);
    void (*release)(struct pool *pool, void *memory);
    // The program of the code that the wave is in, where that is not its kernel's; NULL: there is none any
    // more. Lock: pool.
    struct program *(*other_program)(const struct wave *w);

    pthread_mutex_t lock; // guards everything below, and what the pool's owner says
    pthread_cond_t work, done;
    struct map map;                   // changed with all workers' map locks held, too
    uint64_t map_version;             // counts the times that rights or code were taken away; atomic
    uint64_t join_marks;              // given so far (worker.c)
    struct dispatch *dispatches;      // that are not finished, in order
    ARRAY(struct residency *) queues; // that jobs are of
    uint64_t work_version;            // counts submissions; atomic
    unsigned sleepers;                // workers that wait for work
    unsigned lookouts;                // workers that look for work before they sleep
    unsigned guests;                  // workers that callers' threads have taken
    unsigned wanted;                  // so many of these are to come; atomic
    struct group *retired;            // contexts to be freed by a caller
    struct worker *workers;
    unsigned thread_count; // of workers that there are or may be; less where no more can be started
    struct crew crew;      // those that there are
    bool quit;
    bool guarded; // atomic
    pthread_mutex_t observer_lock;
    pthread_mutex_t gws_lock;
    struct gws gws[64]; // under gws_lock
    pthread_mutex_t gds_lock;
    _Alignas(64) uint8_t gds[GDS_BYTES + 64]; // under gds_lock, as what follows; the last bytes are nobody's
    uint64_t gds_registers[GDS_REGISTERS];
};

// Of a pool that is all zeros: everything but its threads. False: out of memory.
bool pool_create(struct pool *pool, const sw_device_options *options, const sw_device_hooks *hooks,
                 unsigned threads);
// Frees the contexts of workers that have been joined.
void contexts_free(struct pool *pool);
// The rest, when its workers have been joined.
void pool_destroy(struct pool *pool);
// Appends it to the list of those to be run, and wakes workers. Returns the worker that the calling thread is
// a guest of, which calls guest_work at once then; NULL: of none. `by_guest`: it may be.
struct worker *dispatch_enqueue(struct dispatch *q, bool by_guest);
// Notes when it ended.
void dispatch_take_end(struct dispatch *q);
// It ends without a worker. Called with the lock held.
void dispatch_complete(struct dispatch *q);
// The worker left the dispatch, which ends with the last one.
void dispatch_leave(struct worker *k, struct dispatch *q);
// As its options say, or as the processor has them.
unsigned pool_compute_units(const struct pool *pool);
// Those of them that the dispatch may use.
unsigned place_units(const struct pool *pool, const struct launch *l);
// Where a wave runs, as hardware registers say it (place.c).
uint32_t place_hw_id(const struct wave *w);
uint32_t place_hw_id1(const struct wave *w);
uint32_t place_xcc_id(const struct wave *w);
// A job is of a queue, or no more.
bool residency_enter(struct dispatch *q, const sw_dispatch *request);
void residency_leave(struct dispatch *q);
// There is something that workers have not seen, for so many of them at the most. Called with the lock held.
void pool_has_news(struct pool *pool, uint64_t groups);
// Work-groups of the launch that are in flight at once at the most.
uint64_t resident_groups(const struct pool *pool, const struct launch *l);

// ---- Memory, as workers see it (ranges.c) ----

// Changes rights. Called with the lock held. What is taken away holds only once rights_settle returned, which
// waits for every worker's next safe point.
sw_status pool_set_rights(struct pool *pool, uint64_t lo, uint64_t hi, unsigned rights);
// Takes a right from all ranges that touch [lo, hi), likewise. False: none had it.
bool pool_take_right(struct pool *pool, uint64_t lo, uint64_t hi, uint32_t right);
void rights_settle(struct pool *pool);
// The worker looks ranges up anew: if rights were taken away, with the lock held; in any case.
void worker_forget_ranges(struct worker *k);
void worker_drop_ranges(struct worker *k);
// While it calls the program outside of waves, a worker has nothing that others would wait for: calls may
// then take memory and code away. Called with the lock held.
void worker_rest(struct worker *k);
void worker_resume(struct worker *k);

// ---- Memory that is unmapped under a wave (guard.c) ----

// Its workers are guarded from now on. *is_new: they were not. False: out of memory, nothing changed.
bool guard_join(struct pool *pool, bool *is_new);
// Runs a wave where memory may be unmapped under it: that is a fault of the wave (guard.c).
void guard_enter(struct worker *k, struct wave *w, const struct op *op);
// Runs waves in a row where memory may be unmapped under them: the wave to which that happens leaves.
struct wave *guard_wave_loop(struct worker *k, struct wave *image, struct wave_loop *s,
                             const struct wave_loop_code *code);
// Puts what the process's memory has to do with it into a fault.
void guard_explain(const struct worker *k, sw_fault *fault);
// The worker works in the calling thread from now on.
void guard_begin(struct worker *k);
// Looks whether the program took the signals meanwhile. Called for each dispatch of a guarded device.
void guard_look(const struct pool *pool);
void guard_leave(struct pool *pool);
// Reads memory that may be unmapped; false if it is.
bool guard_read(const struct pool *pool, void *into, uint64_t address, uint64_t bytes);

// ---- Threads (start.c, thread.c) ----

// Whether the calling thread can be a guest: it is no worker's, its stack has room, which threads of small
// stacks and coroutines have not, and it takes the signals of a kernel's faults (guard.c).
bool guest_is_possible(void);
// Takes the place of the thread of an idle worker, which joins what is submitted. Called with the lock held.
// NULL: none is idle.
struct worker *guest_begin(struct pool *pool);
// Works until nothing is left, or anything else is submitted; then the worker goes back to its own thread.
void guest_work(struct worker *k);

// Whether something was submitted, or there is room again, since the worker last looked.
static inline bool worker_has_submissions(const struct worker *k) {
    return __atomic_load_n(&k->pool->work_version, __ATOMIC_RELAXED) != k->work_version;
}
// Or it claimed what it has not begun: the groups that it runs are to give way.
static inline bool worker_has_news(const struct worker *k) {
    return k->unstarted || worker_has_submissions(k);
}
static inline unsigned worker_count(const struct pool *pool) {
    return __atomic_load_n(&pool->thread_count, __ATOMIC_RELAXED);
}
// A device that is made may have so many workers, none of which runs yet.
void workers_prepare(struct pool *pool, unsigned count);
// Before anything is submitted: there is one at least.
sw_status workers_begin(struct pool *pool, const sw_sink *sink);
// How many there shall be for so many groups besides those that are submitted, as far as that is more than
// there are: else 0. Called with the lock held; who asks then calls workers_start without it. False: there
// are none.
unsigned workers_wanted(struct pool *pool, uint64_t coming);
bool workers_start(struct pool *pool, unsigned count);
void workers_join(struct pool *pool);

// ---- What waves ask (exec/machine.h) ----

bool worker_find_range(struct wave *w, uint64_t address, uint32_t rights, struct range *out);
const struct op *dispatch_fault(struct wave *w, const struct op *op, enum fault_kind kind, int lane,
                                uint64_t address, const char *reason);
bool gds_run(struct wave *w, const struct op *op);
bool gws_ask(struct wave *w, enum gws_kind kind, unsigned number, uint32_t count);
bool state_breakpoint(const struct wave *w, unsigned immediate);
unsigned state_trap_number(const struct wave *w, unsigned immediate); // of s_trap with it
void state_tell(struct wave *w, uint32_t id, uint32_t m0);
bool state_export(struct wave *w, const struct op *op);
void state_jumps(struct wave *w, uint64_t address);
struct program *state_program(const struct wave *w);
// The upper bits of VGPR numbers of the instruction at this address in the code that the wave is in.
unsigned state_vgpr_msb(const struct wave *w, uint64_t pc);
uint64_t state_hwreg(const struct wave *w, enum hwreg what);

// What callers may state of their structs (base/sized.h).
static const struct sized wave_state_kind = SIZED(sw_wave_state, expected);

#endif
