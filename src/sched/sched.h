// SPDX-License-Identifier: MIT
// Work-groups, workers and dispatches: what the waves of a running dispatch share. context.c keeps memory for
// groups, group.c runs them, worker.c takes them, thread.c is where workers run, queue.c submits dispatches
// and waits for them, fault.c stops them.
#ifndef SCHED_SCHED_H
#define SCHED_SCHED_H

#include <pthread.h>

#include "base/array.h"
#include "exec/machine.h"
#include "exec/map.h"
#include "exec/decode/program.h"
#include "sched/launch.h"
#include "softwave/device.h"

// Watched blocks that a worker remembers one by one.
enum { TOUCHED_BLOCKS = 16 };

// A work-group in flight, and the memory that its waves live in, which serves one group after the other. All
// waves of a group run on one worker.
struct group {
    struct dispatch *dispatch;
    uint32_t id[3];
    uint32_t size[3], items; // work-items in each dimension, and all of them
    bool partial;            // fewer than other groups have
    uint64_t placed, number; // of the launch that `id` is of; the group's in its grid
    uint32_t wave_count;
    uint32_t turn; // of which wave it is first
    struct barrier barrier;
    bool unborn;          // its waves have not begun yet: they run in a row first (wave_loop.c)
    uint32_t phase;       // of its kernel's trial when it began (jit/trial.h); 0: none
    uint64_t spent;       // CPU time that it ran for in a trial, in ns
    struct standstill {   // of a group of a share (grid_share.c)
        uint64_t looked;  // when it was looked at last; 0: not yet
        uint64_t state;   // what it was like then
        uint64_t changes; // struct grid_share.changes then
        unsigned same;    // so often it was like that before
        bool counted;     // nothing changed in it when it was looked at last
    } standstill;
    // The context: its shape never changes.
    struct group *next; // of the worker's idle contexts
    struct wave **waves;
    uint8_t *lds;
    uint8_t *scratch; // device memory, or NULL
    uint32_t wave_capacity, lds_capacity;
    uint32_t lanes, registers;
    uint64_t scratch_bytes; // a wave
    uint64_t prepared;      // number of the launch that its waves are prepared for
    uint64_t image_of;      // of that of which the last wave is as it begins, in some group; 0: of none
    void *memory;           // that all of the above but scratch lives in
    size_t memory_bytes;
};

// A dispatch of which a worker holds groups, or may take some.
struct membership {
    struct dispatch *dispatch;
    unsigned held, resident; // groups; as many as it may hold at once
    uint64_t next, end;      // numbers of claimed groups that are to be started
    bool refused;            // its queue had no room for more
    bool tried;              // in vain, when a group was last to be started
    uint64_t ended;          // groups that are not counted yet
    uint64_t left;           // those whose room was not given back yet
};

// What the dispatches of one queue have in flight together (residency.c).
struct residency {
    uint64_t queue;              // its address
    unsigned users;              // jobs; under the device's lock
    _Alignas(64) uint64_t waves; // atomic
    bool refused;                // somebody found no room; atomic
};

enum worker_rests { WORKER_AWAKE, WORKER_LOOKS, WORKER_SLEEPS };

struct worker {
    _Alignas(128) struct pool *pool; // no two workers share a line, or the pair that hosts fetch together
    unsigned index;
    const struct map *map;    // the device's
    pthread_mutex_t map_lock; // held to look something up in it, or by whoever changes it
    uint64_t map_version;     // of the last safe point
    bool busy;                // between two safe points; under the device's lock
    struct range ranges[RANGE_SLOTS];
    // Some of them may be unmapped while kernels have rights to them.
    bool careful;
    struct range gone; // a page of the host that an access just found unmapped; {0}: none
    uint64_t gone_address;
    struct guarded *volatile guarded;     // while a wave runs where memory may vanish (guard.c)
    bool gone_is_mapped;                  // but may not be written
    struct range touched[TOUCHED_BLOCKS]; // watched blocks that may have been written since worker_tell
    unsigned touched_count;               // one more than there is room for: too many
    uint32_t control;                     // word of the host that waves left, see state.c; 0: not known
    uint64_t counts[SW_CLASSES];          // observed instructions of the group that runs
    sw_fault fault;                       // of the wave that ran last; its kind is NONE again once it is told
    bool fault_first;                     // it stopped the dispatch
    unsigned waves_run;                   // since it looked whether their program is hot
    uint64_t weight;                      // of what ran (jit/hot.h) of this launch, and is not told yet:
    const struct launch *weighed;         // a dispatch's that the worker is in, or NULL
    uint64_t wave_loop_of;                // number of the launch that this is about:
    unsigned wave_loop_cost;              // what waves cost that left a wave loop, less those that did not
    uint64_t followed;                    // groups that followed another one in a wave loop, so far
    struct wave *kept;                    // memory for wave loop.kept, or NULL
    size_t kept_bytes;

    bool unstarted;             // it claimed groups of a dispatch of which it runs none yet
    uint32_t interrupt;         // waves are to give way, as there is something new; atomic
    ARRAY(struct group *) held; // oldest first
    ARRAY(struct membership) joined;
    size_t first;            // which of the held groups is to run first
    size_t current;          // where in `joined` the dispatch of the group that ran last may be
    unsigned starts;         // of groups, for those that have to give precedence
    unsigned turn, slice;    // whose group is next, and how many it had in a row
    uint64_t work_version;   // submissions seen
    unsigned since_clock;    // groups started since the clock was read
    uint64_t clock;          // what it said
    uint64_t each;           // how long a group takes, in ns; 0: not known
    unsigned batch;          // groups to claim at once
    bool hurries;            // work came soon after it had none
    enum worker_rests rests; // its thread; under the device's lock
    bool lent;               // to a guest (thread.c); changed under the device's lock, atomic
    struct group *idle;      // contexts to use again, the last used first
    size_t idle_bytes;
    pthread_t thread; // for who joins it
    pthread_t self;   // that it works in, for guard.c, under its lock
};

// Of a dispatch that runs some groups of its grid only. All atomic.
struct grid_share {
    bool is_one;
    uint64_t live;    // groups that have begun and not ended
    uint64_t changes; // of that, and in groups in which nothing had changed for a time
    uint64_t agreed;  // low half: groups that have found nothing new since; high half: low half of `changes`
};

// A launch in progress.
struct dispatch {
    struct pool *pool;
    struct dispatch *next;             // in order of submission
    const struct launch *launch;       // facts common to the grid
    const struct transfer *transfer;   // or what else it is, with pieces for groups
    uint64_t first_group, group_total; // numbers of the first, and behind the last
    int priority;
    struct residency *residency; // of its queue; NULL: no queue
    uint64_t wave_limit;         // of the queue
    uint64_t deadline;           // on the monotonic clock in ns; 0: none
    uint64_t started;            // on the same clock
    uint64_t clock_zero;         // where the shader clock begins: when the first group starts; atomic
    unsigned workers_in;         // workers that joined it; under the device's lock
    uint64_t join_mark;          // of the worker that joined it and looked last (worker.c); likewise
    uint64_t ended;              // on the same clock; 0: not yet
    bool completing;             // nobody will join any more; under the device's lock
    pthread_mutex_t fault_lock;
    struct sw_fault fault;
    size_t waves_in_flight; // when it was stopped; under fault_lock
    struct sw_counts counts;
    uint64_t ordered_turn; // number of the wave whose ordered count is next; under the pool's gds_lock
    struct grid_share share;
    bool observed; // its instructions are counted, and the observer is called unless it is NULL
    void (*observe)(void *context, const sw_step *step);
    void *observe_context;
    _Alignas(64) uint64_t group_next; // to start; workers compete for it
    uint64_t groups_ended;            // atomic
    _Alignas(64) bool stop;           // a wave faulted, or time is up; atomic; all look at it after each wave
    bool finished;                    // atomic; nothing of it runs any more
    bool waited_for;                  // a caller sleeps until then; atomic
    bool ends_soon;                   // told to whoever does; under the device's lock
    void (*done)(struct dispatch *q); // tells its owner that it has ended; NULL: nobody asks
};

// The group's number in its dispatch: in that order groups are made.
static inline uint64_t group_number(const struct group *g) {
    const uint32_t *groups = g->dispatch->launch->groups;
    return g->id[0] + (uint64_t)groups[0] * (g->id[1] + (uint64_t)groups[1] * g->id[2]);
}
static inline bool dispatch_stopped(const struct dispatch *q) {
    return __atomic_load_n(&q->stop, __ATOMIC_RELAXED);
}
// Work-groups handed out so far.
static inline uint64_t dispatch_next(const struct dispatch *q) {
    return __atomic_load_n(&q->group_next, __ATOMIC_RELAXED);
}
static inline bool dispatch_exhausted(const struct dispatch *q) {
    return dispatch_stopped(q) || dispatch_next(q) >= q->group_total;
}
// Stops it for this reason. False: it stops for another already.
bool dispatch_stop(struct dispatch *q, const sw_fault *fault);
// The same by a worker that is not in a wave, which tells of it.
void worker_stop(struct worker *k, struct dispatch *q, const sw_fault *fault);
// Tells of the fault of the wave that ran last, if it had one.
void worker_tell_fault(struct worker *k, struct dispatch *q);
// Takes note of the waves of a group that is given up (snapshot.c).
void snapshot_group(struct dispatch *q, const struct group *g);
// Whether the fault says that the stack is too small.
void fault_explain_scratch(sw_fault *fault, const struct wave *w);
// Stops it if its time is up.
void worker_check_deadline(struct worker *k, struct dispatch *q);

// A context for this launch: an idle one of its shape, or a new one. NULL: out of memory.
struct group *context_take(struct worker *worker, const struct launch *l);
void context_give_back(struct worker *worker, struct group *g);
void context_free(struct pool *pool, struct group *g);
// Frees contexts that workers gave up, which they cannot do themselves. Called without the device's lock.
void contexts_collect(struct pool *pool);

// The waves of a group that is given up wait for no resource any more (gws.c).
void gws_abandon(struct group *g);
// For the machine of waves: telling sw_dispatch.atomic, and whether they may use global wave sync.
void share_tell_atomic(struct wave *w, unsigned operation, bool returns, const uint64_t *at,
                       const uint64_t *src, uint64_t m);
bool share_allows_gws(struct wave *w, const struct op *op);
// Takes note that a group of a share begins, and that it is no more (grid_share.c).
void share_begin(struct group *g);
void share_end(struct group *g);
// Whether its waves, which cannot do more than burn their quanta, wait for groups of other shares: when this
// and all others in flight have not changed for some time.
bool share_waits_for_others(struct group *g);
void share_fault(struct group *g); // says so
void group_start(struct worker *k, struct group *g, struct dispatch *q, uint64_t number);
enum progress { GROUP_ENDED, GROUP_WAITS, GROUP_DEADLOCKED, GROUP_STANDS_STILL };
// Runs every wave of the group until all have ended or none can do more than burn its quantum.
enum progress group_run(struct worker *k, struct group *g);
// Back-edges after which a wave gives way: fewer the more groups its worker holds, so that a turn of all
// stays as short. Groups that wait for each other in a chain take as many turns as there are of them.
enum { QUANTUM = 20000, LEAST_QUANTUM = 200 };
static inline int group_quantum(const struct worker *k) {
    const size_t held = k->held.count;
    if (held <= 1) return QUANTUM;
    return held < QUANTUM / LEAST_QUANTUM ? (int)(QUANTUM / held) : LEAST_QUANTUM;
}
// One wave, until it stops for whatever reason, and those that it hands over to at barriers. The last of
// them.
const struct wave *group_run_wave(struct worker *k, struct group *g, struct wave *w);
// Tells what the worker ran, with where a wave goes on that used up its quantum, or NULL.
void worker_tell_weight(struct worker *k, const struct op *loop);
// What is new since the worker last looked. True: it is to leave the group for that.
bool worker_looks_around(struct worker *k);

// Whether the group's waves are to be run in a row; doing so, before anything else of it runs.
bool wave_loop_begins(struct worker *k, const struct group *g);
void wave_loop_run(struct worker *k, struct group *g);
// Its next wave begins.
struct wave *wave_loop_begin_next(struct wave_loop *s);
// How many groups may follow this one in a wave loop, as its worker would run them and nothing else; takes
// note that so many did, of which the last one is in the group's place now.
uint32_t worker_may_follow(const struct worker *k, const struct group *g);
void worker_followed(struct worker *k, struct group *g, uint32_t count);

// Tells sw_device_hooks.written what waves may have written.
void worker_tell(struct worker *k);
void *worker_main(void *worker);
// Joins every dispatch that still has a group for this worker. Called with the lock held.
void worker_join(struct worker *k);
// Works until nothing is left of all dispatches that this worker has joined, or its guest is to go.
void worker_serve(struct worker *k);
// How many of the groups that are left of a dispatch a worker claims at once, `most` or fewer: towards the
// end less and less, so that all workers end within the time of a few groups.
unsigned claim_size(uint64_t left, unsigned threads, unsigned most);
// A point at which the worker relies on no range that it found before: it takes note of rights taken away.
void worker_safe_point(struct worker *k);
// Lets waves that run give way soon, for what has just been published.
void workers_interrupt(struct pool *pool);
// Takes note of being interrupted, before it looks what for.
static inline void worker_heard(struct worker *k) {
    if (__atomic_load_n(&k->interrupt, __ATOMIC_RELAXED))
        __atomic_exchange_n(&k->interrupt, 0, __ATOMIC_ACQ_REL);
}

// Room in its queue for so many groups of the dispatch, or for one. 0: there is none now, and news will come.
uint64_t room_take(struct dispatch *q, uint64_t groups);
// `locked`: whether the device's lock is held.
void room_give(struct dispatch *q, uint64_t groups, bool locked);
bool room_is_wanted(const struct dispatch *q);

#endif
