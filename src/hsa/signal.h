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

// Changes whenever a signal does that somebody waits for, while any_waiters is not 0: for waits on several.
extern uint32_t any_epoch, any_waiters;

#endif
