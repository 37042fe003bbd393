// SPDX-License-Identifier: MIT
// Queues, the dispatches that run, and copies.
#ifndef HSA_QUEUE_QUEUE_H
#define HSA_QUEUE_QUEUE_H

#include "base/array.h"
#include "hsa/code/code.h"
#include "hsa/memory/memory.h"
#include "hsa/service/later.h"
#include "hsa/service/turns.h"
#include "hsa/signal/signal.h"

struct record {                  // a dispatch
    struct record *next, **link; // of the queue's running ones
    struct record *next_done;
    struct queue *queue;
    union packet packet; // what the runtime acts on
    union packet *shown; // a copy, which kernels may read
    sw_job *job;
    struct loaded *loaded;
    uint64_t number; // of the packet in its queue
    bool over;       // atomic
    uint64_t begin;  // when it was submitted, if that is to be shown
};

// A queue never goes back: it fails or is ended once.
enum queue_state {
    QUEUE_RUNS,
    QUEUE_FAILS, // the first error is being noted
    QUEUE_STOPS, // takes no packets, and its dispatches are stopped
};

struct queue {
    struct amd_queue *block; // what clients and kernels see; NULL: not in use
    struct ring *ring;
    // What the block says, as the runtime believes it.
    uint32_t size, properties;
    uint64_t read_index, id;
    struct signal *bell, *inactive;
    struct ringer ringer;
    // The packet at read_index, once it was taken out of the ring.
    bool has_packet;
    union packet packet;
    struct queue *next_free;
    struct agent *agent; // NULL: of a soft queue, whose packets the program takes
    bool soft;
    void (*callback)(status, struct aql_queue *, void *);
    void *data;
    struct turns turns; // packets and records are touched by one thread at a time
    struct later later;
    uint32_t in_flight; // atomic
    uint64_t max_waves;
    struct record *running, *free;
    struct record *done;    // atomic stack
    uint32_t done_count;    // atomic
    enum queue_state state; // atomic
    status error;
    struct subscriber deps[5];
    bool deps_linked;
    unsigned priority;
    bool is_masked; // by cu_mask; under `turns`
    uint32_t cu_mask[CU_MASK_WORDS];
    uint64_t looked;     // the last delay before looking at an invalid slot again, ns; 0: none
    ARRAY(void *) pages; // of packet copies
};
static inline enum queue_state queue_state(const struct queue *q) {
    return __atomic_load_n(&q->state, __ATOMIC_ACQUIRE);
}
struct queue *queue_of(const struct aql_queue *q);
struct aql_queue *queue_handle(const struct queue *q);

// ---- Running (turn.c) ----
// Runs the queue here if this thread may, else in the packet thread. Where this thread runs queues already,
// it runs this one after them: queues that wake each other need no stack.
void queue_kick(struct queue *q);
void queue_note(struct queue *q); // the first half of it, under any lock; later_run is the other
void queue_kick_later(struct queue *q, uint64_t delay_ns); // in the packet thread
void queue_set_up_turns(struct queue *q);
// Nobody else runs it until queue_let_go.
void queue_hold(struct queue *q);
bool queue_try_hold(struct queue *q);
void queue_let_go(struct queue *q);
void packet_thread_close(void);
void packet_thread_forget(void);

// ---- Packets, by whoever holds the queue ----
void queue_run_packets(struct queue *q);                   // packet.c
const char *pm4_refusal(const union packet *p);            // pm4.c; NULL: it only maintains caches
bool queue_launch(struct queue *q, const union packet *p); // launch.c; false: not now
// The packet leaves the ring: before it completes, so that whoever sees the completion sees that, too.
void packet_leave(struct queue *q);
void launches_reap(struct queue *q);

// ---- Ends ----
bool queue_claim_failure(struct queue *q); // true for the first, who then calls queue_stop
void queue_stop(struct queue *q);
void queue_fail(struct queue *q, status error);
status fault_status(const sw_fault *f);
void fault_deliver(struct queue *q, const sw_fault *f, const struct record *r);
void queues_forget(void);
void queues_close(void);
void queues_reap(struct agent *a); // all that has ended
// Tells of dispatches that were submitted and are not reaped. False: queues that somebody runs just now were
// left out.
bool queues_show_running(void (*tell)(void *argument, struct record *r), void *argument);

// ---- Copies (copy.c) ----
struct copy {
    struct copy *next, *next_waiting, **waiting_at;
    bool queued; // in the list of those that are to be looked at; under the lock
    char *to;
    const char *from;
    size_t bytes; // of a row
    struct dim3 range;
    size_t to_pitch, to_slice, from_pitch, from_slice;
    bool rect;
    handle_t to_agent, from_agent;
    struct signal *completion; // NULL: none
    uint32_t dep_count;
    struct subscriber *deps; // each knows its signal
    // Of those that workers make.
    sw_job *job;
    struct copy *next_running;
    bool ended; // atomic
    uint64_t start;
};
uint64_t copy_total_bytes(const struct copy *c);
const void *copy_missing_range(const struct copy *c); // NULL: both ranges are there. Else the one that is not
// Makes the copy, or has it made once all of `deps` are 0 or gone.
status copy_submit(const struct copy *like, const struct signal_list *deps);
void copies_close(void);
void copies_forget(void);

// ---- What watches dispatches ----
void steps_open(void); // steps.c: has dispatches of kernels that are wanted tell of their instructions
void steps_observe(struct agent *a, const struct symbol *kernel, sw_dispatch *d);
void steps_before_fork(void);
void steps_after_fork(bool is_child);
extern bool progress_on; // progress.c
void progress_open(void);
void progress_begins(struct record *r); // by who holds its queue
void progress_close(void);
void progress_forget(void);

#endif
