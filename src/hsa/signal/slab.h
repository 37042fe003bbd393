// SPDX-License-Identifier: MIT
// Signals as the files of this room see them.
#ifndef HSA_SIGNAL_SLAB_H
#define HSA_SIGNAL_SLAB_H

#include "hsa/signal/signal.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

// ---- Places in the slab (slab.c) ----
bool slab_open(void);
void slab_forget(void);
struct signal *signal_at(uint32_t index);
uint32_t signals_used(void); // places that ever were a signal's come before this one
uint32_t place_take(void);   // SIGNALS: none left
void place_give_back(uint32_t index);
uint32_t page_take(void); // the first place of a page that is nobody else's; SIGNALS: none left
void page_give_back(uint32_t index);
// The signal at this place begins to live.
struct signal *signal_set_up(uint32_t index, uint64_t attributes, struct ringer *r);
struct ringer *ringer_of(uint32_t doorbell); // NULL: of nobody now

// ---- Signals of several processes (ipc.c, shared.c) ----
struct signal *signal_make_shared(int64_t value);
void signal_drop_shared(struct signal *s); // its place and, if nobody else has it, its page
void signals_ipc_forget(void);
// Tells the threads and subscribers of this process about a change that another process made.
void signal_changed_elsewhere(struct signal *s);
// shared.c watches a signal that processes share, until shared_unwatch was called as often. False: it cannot.
bool shared_watch(struct signal *s);
void shared_unwatch(struct signal *s);
void shared_drop(struct signal *s);
void shared_close(void);
void shared_forget(void);

// ---- Values that change without a call ----
// True if the value may change without a call: a program or process has its address.
static inline bool is_exposed(const struct signal *s) {
    if (__atomic_load_n(&s->exposed, __ATOMIC_ACQUIRE)) return true;
    return __atomic_load_n(&s->ipc, __ATOMIC_RELAXED) && slot_is_exposed(signal_index(s));
}
// A thread looks at the value for the signal's subscribers, as long as there are any (watched.c).
void watched_add(struct signal *s);
void watched_close(void);
void watched_forget(void);

// Handlers of a signal that goes are not called any more.
void handlers_drop(const struct signal *s);
void events_forget(void);

// Counts one up in a word that threads sleep on, and wakes them. `how`: FUTEX_WAKE or FUTEX_WAKE_PRIVATE.
void wake_all(uint32_t *epoch, int how);
// Changes whenever a signal with waiting threads does, while any_waiters is not 0: for waits on several.
extern uint32_t any_epoch, any_waiters;

#endif
