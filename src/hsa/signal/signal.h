// SPDX-License-Identifier: MIT
// Signals as other rooms see them: words that programs and kernels change, those who wait for a change, and
// doorbells, which ring for a queue.
#ifndef HSA_SIGNAL_SIGNAL_H
#define HSA_SIGNAL_SIGNAL_H

#include "hsa/agent/agent.h"
#include "hsa/signal/reach.h"

// ---- Who hears of a change ----
struct subscriber {
    struct subscriber *next;
    void (*changed)(struct subscriber *s); // called under the lock of the signal's shard
    struct signal *signal;
    bool linked; // in the signal's list; under its shard's lock
    void *owner; // for `changed`
};
// Who is told when a doorbell rings. A part of the queue.
struct ringer {
    void (*rung)(struct ringer *r);
    uint32_t doorbell;
};

// The runtime's state of a signal, out of reach of kernels. Its index in the slab is that of the slot which
// kernels see (reach.h).
struct signal {
    uint32_t epoch;   // futex: counts changes that a thread waited for
    uint32_t waiters; // atomic
    bool live, exposed, gpu_only, ipc;
    bool is_here;          // ipc: its page lies in this process's file, at `offset`
    bool is_exported;      // ipc: another process may have it
    struct ringer *ringer; // of a doorbell; atomic
    uint64_t offset;
    struct subscriber *subscribers;
};
status signals_open(void);
status signals_map(struct agent *a);
void signals_forget(void);
void signal_groups_forget(void);
void signals_close(void); // its services

struct signal *signal_make(int64_t value, uint64_t attributes); // NULL: none left
// The doorbell itself, and the signal of it. `block`: of the queue, for processors with a lock in it.
bool doorbell_make(struct ringer *r); // false: none left
void doorbell_drop(struct ringer *r);
struct signal *signal_make_doorbell(struct ringer *r, bool is_legacy, const struct amd_queue *block);
void signal_drop(struct signal *s);

// The only ways from a number to a signal; any number may be asked for. NULL: no signal that lives.
struct signal *signal_of(handle_t handle);
struct signal *signal_ever(handle_t handle); // also one that was destroyed; NULL: no address of a slot
uint32_t signal_index(const struct signal *s);
static inline handle_t signal_handle(const struct signal *s) { return slot_handle(signal_index(s)); }
static inline int64_t signal_value(const struct signal *s) { return slot_value(signal_index(s)); }
static inline bool signal_is_doorbell(const struct signal *s) {
    return __atomic_load_n(&s->ringer, __ATOMIC_RELAXED) != NULL;
}
// The signals that an array of handles names. The array may change meanwhile; it is read once.
struct signal_list {
    struct signal *few[8], **items; // NULL: no signal (handle 0)
    uint32_t count;
};
status signals_take(struct signal_list *list, uint32_t count, const handle_t *handles);
void signals_let_go(struct signal_list *list);

// The value was changed: waiting threads wake, subscribers are told.
void signal_changed(struct signal *s);
void signal_add(struct signal *s, int64_t by);
// Decrements the value; its readers find the times.
void signal_complete(struct signal *s, uint64_t start, uint64_t end);
bool condition_holds(uint32_t condition, int64_t value, int64_t compare);
// Subscribes unless linked already. The owner is told of every change from now on.
void signal_subscribe(struct subscriber *s, struct signal *signal);
void signal_unsubscribe(struct subscriber *s);
// Kernels of this agent may have written the signals or doorbells in [address, last].
void signals_written(void *agent, uint64_t address, uint64_t last);

// ---- The event thread, which alone calls client code (events.c) ----
struct queue_error {   // what a client hears of a queue that failed
    const void *queue; // whose it is, for event_queue_gone
    struct aql_queue *handle;
    void (*call)(status, struct aql_queue *, void *); // or NULL
    void *data;
    status error;
    struct signal *inactive; // becomes -1 behind the call
};
void event_queue_error(const struct queue_error *e);
void event_queue_gone(const void *queue); // its callback is not called any more
void event_memory_fault(struct agent *a, uint64_t address, uint32_t reasons);
void events_close(void);

#endif
