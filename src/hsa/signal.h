// SPDX-License-Identifier: MIT
// Signals as signal.c, wait.c and shared.c see them.
#ifndef HSA_SIGNAL_H
#define HSA_SIGNAL_H

#include "hsa/hsa.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

struct signal *signal_at(uint32_t index);
// Tells the threads and subscribers of this process about a change that another process made.
void signal_changed_elsewhere(struct signal *s);
// shared.c watches a signal that processes share, until shared_unwatch was called as often. False: it cannot.
bool shared_watch(struct signal *s);
void shared_unwatch(struct signal *s);
void shared_drop(struct signal *s);

// True if the value may change without a call: a program or process has its address.
static inline bool is_exposed(const struct signal *s) {
    if (__atomic_load_n(&s->exposed, __ATOMIC_ACQUIRE)) return true;
    return __atomic_load_n(&s->ipc, __ATOMIC_RELAXED) && slot_is_exposed(signal_index(s));
}

// Changes whenever a signal with waiting threads does, while any_waiters is not 0: for waits on several.
extern uint32_t any_epoch, any_waiters;

#endif
