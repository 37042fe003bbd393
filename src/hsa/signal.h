// SPDX-License-Identifier: MIT
// Signals as signal.c and wait.c see them.
#ifndef HSA_SIGNAL_H
#define HSA_SIGNAL_H

#include "hsa/hsa.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

// Queues to be run once the lock of a shard is given back.
typedef struct {
    struct queue *items[16];
    unsigned count;
} ARRAY_OF_QUEUES;

// What processes share of a signal, behind it in its page.
struct shared_wait {
    uint32_t epoch, waiters; // as in struct side
    uint32_t is_exposed;     // some process may write the value unseen
};
static inline struct shared_wait *shared_wait_of(handle_t s) {
    return (struct shared_wait *)(signal_of(s) + 2);
}

// Tells those of this process who want to hear of a change that another process made.
void signal_changed_elsewhere(handle_t s);
// Has shared.c listen to a signal that processes share, until as many calls say that it need not any more.
// False: it cannot.
bool shared_watch(uint32_t signal);
void shared_unwatch(uint32_t signal);
void shared_drop(uint32_t signal);
// Whether the value may be written unseen.
static inline bool is_exposed(handle_t s) {
    const struct side *side = &sides[signal_index(s)];
    if (__atomic_load_n(&side->exposed, __ATOMIC_ACQUIRE)) return true;
    return __atomic_load_n(&side->ipc, __ATOMIC_RELAXED) &&
           __atomic_load_n(&shared_wait_of(s)->is_exposed, __ATOMIC_ACQUIRE);
}

// Changes whenever a signal does that somebody waits for, while any_waiters is not 0: for waits on several.
extern uint32_t any_epoch, any_waiters;

#endif
