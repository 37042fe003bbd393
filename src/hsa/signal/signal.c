// SPDX-License-Identifier: MIT
// Signals: words that programs and kernels change; a change wakes the threads that wait (DISP-08, DISP-13).
// The words lie in slots that devices watch (reach.c), so the runtime hears of a kernel's store as of a call.
// What the runtime knows of a signal is in struct signal, out of reach of kernels. Both have the same index.
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hsa/service/context.h"
#include "hsa/service/later.h"
#include "hsa/signal/slab.h"

enum { SHARDS = 64 };
static pthread_mutex_t shards[SHARDS]; // of the lists of subscribers
uint32_t any_epoch, any_waiters;

static pthread_mutex_t *shard_of(const struct signal *s) { return &shards[signal_index(s) % SHARDS]; }

status signals_open(void) {
    for (int i = 0; i < SHARDS; i++) pthread_mutex_init(&shards[i], NULL);
    return slab_open() ? ST_SUCCESS : ST_OUT_OF_RESOURCES;
}
void signals_close(void) {
    watched_close();
    shared_close();
}
void signals_forget(void) {
    slab_forget();
    any_waiters = 0;
    signals_ipc_forget();
    shared_forget();
    watched_forget();
    events_forget();
    signal_groups_forget();
}

// ---- Making and dropping ----

struct signal *signal_make(int64_t value, uint64_t attributes) {
    if (attributes & ATTRIBUTE_IPC) return signal_make_shared(value);
    const uint32_t i = place_take();
    if (i == SIGNALS) return NULL;
    slot_set_up(i, value, !(attributes & ATTRIBUTE_GPU_ONLY));
    return signal_set_up(i, attributes, NULL);
}

// Doorbells have 64 bits since the ninth generation of processors; before, a lock in the queue goes with
// them.
struct signal *signal_make_doorbell(struct ringer *r, bool is_legacy, const struct amd_queue *block) {
    const uint32_t i = place_take();
    if (i == SIGNALS) return NULL;
    slot_set_doorbell(i, r->doorbell, is_legacy, block);
    return signal_set_up(i, ATTRIBUTE_GPU_ONLY, r);
}

void signal_drop(struct signal *s) {
    const uint32_t i = signal_index(s);
    if (!__atomic_exchange_n(&s->live, false, __ATOMIC_ACQ_REL)) return;
    __atomic_store_n(&s->ringer, NULL, __ATOMIC_RELAXED);
    handlers_drop(s);
    pthread_mutex_lock(shard_of(s)); // subscribers hear no more
    for (struct subscriber *x = s->subscribers; x; x = x->next) x->linked = false;
    __atomic_store_n(&s->subscribers, NULL, __ATOMIC_RELAXED);
    pthread_mutex_unlock(shard_of(s));
    if (s->ipc)
        signal_drop_shared(s); // other processes may use it still
    else
        place_give_back(i);
}

HSA(status, hsa_amd_signal_create, int64_t value, uint32_t count, const handle_t *consumers,
    uint64_t attributes, handle_t *out) {
    NEED_RUNTIME;
    NEED(out && (!count || consumers) && !(attributes & ~3ull), ST_INVALID_ARGUMENT);
    for (uint32_t i = 0; i < count; i++) {
        NEED(agent_of(consumers[i]), ST_INVALID_AGENT);
        for (uint32_t n = 0; n < i; n++) NEED(consumers[n] != consumers[i], ST_INVALID_ARGUMENT);
    }
    const struct signal *s = signal_make(value, attributes);
    NEED(s, (*out = 0, ST_OUT_OF_RESOURCES));
    *out = signal_handle(s);
    return ST_SUCCESS;
}
HSA(status, hsa_signal_create, int64_t value, uint32_t count, const handle_t *consumers, handle_t *out) {
    return hsa_amd_signal_create(value, count, consumers, 0, out);
}
HSA(status, hsa_signal_destroy, handle_t handle) {
    NEED_RUNTIME;
    NEED(handle, ST_INVALID_ARGUMENT);
    struct signal *s = signal_of(handle);
    NEED(s && !signal_is_doorbell(s), ST_INVALID_SIGNAL);
    signal_drop(s);
    return ST_SUCCESS;
}

void wake_all(uint32_t *epoch, int how) {
    __atomic_add_fetch(epoch, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, epoch, how, INT_MAX, NULL, NULL, 0);
}

// From now on the program may change the value without a call: waits look for themselves.
HSA(status, hsa_amd_signal_value_pointer, handle_t handle, volatile int64_t **out) {
    NEED_RUNTIME;
    NEED(out, ST_INVALID_ARGUMENT);
    struct signal *s = signal_of(handle);
    NEED(s && !signal_is_doorbell(s), ST_INVALID_SIGNAL);
    __atomic_store_n(&s->exposed, true, __ATOMIC_RELEASE);
    wake_all(&s->epoch, FUTEX_WAKE_PRIVATE); // threads that wait already shall know
    if (s->ipc) {
        slot_expose(signal_index(s));
        wake_all(slot_shared_epoch(signal_index(s)), FUTEX_WAKE);
    }
    if (__atomic_load_n(&s->subscribers, __ATOMIC_ACQUIRE)) watched_add(s);
    *out = slot_pointer(signal_index(s));
    return ST_SUCCESS;
}

// ---- Changes ----

static void tell_here(struct signal *s) {
    if (__atomic_load_n(&s->waiters, __ATOMIC_RELAXED)) {
        wake_all(&s->epoch, FUTEX_WAKE_PRIVATE);
        if (__atomic_load_n(&any_waiters, __ATOMIC_RELAXED)) wake_all(&any_epoch, FUTEX_WAKE_PRIVATE);
    }
    if (!__atomic_load_n(&s->subscribers, __ATOMIC_RELAXED)) return;
    pthread_mutex_lock(shard_of(s));
    for (struct subscriber *x = s->subscribers; x; x = x->next) x->changed(x);
    pthread_mutex_unlock(shard_of(s));
    later_run();
}

void signal_changed(struct signal *s) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST); // the change is there before we look for waiting threads
    if (UNLIKELY(__atomic_load_n(&s->ipc, __ATOMIC_RELAXED)) && slot_has_waiters(signal_index(s)))
        wake_all(slot_shared_epoch(signal_index(s)), FUTEX_WAKE);
    tell_here(s);
}
// Also called when another process takes the address of the value.
void signal_changed_elsewhere(struct signal *s) {
    if (is_exposed(s) && __atomic_load_n(&s->subscribers, __ATOMIC_ACQUIRE)) watched_add(s);
    tell_here(s);
}

void signal_subscribe(struct subscriber *s, struct signal *signal) {
    bool is_shared = false;
    pthread_mutex_lock(shard_of(signal));
    if (!s->linked) {
        is_shared = __atomic_load_n(&signal->ipc, __ATOMIC_RELAXED);
        if (s->signal != signal) s->signal = signal;
        s->next = signal->subscribers;
        s->linked = true;
        __atomic_store_n(&signal->subscribers, s, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(shard_of(signal));
    __atomic_thread_fence(__ATOMIC_SEQ_CST); // before the value is read
    if ((is_shared && !shared_watch(signal)) || is_exposed(signal)) watched_add(signal);
}

void signal_unsubscribe(struct subscriber *s) {
    struct signal *signal = s->signal;
    if (!signal) return; // it never was
    pthread_mutex_lock(shard_of(signal));
    const bool watched = s->linked && __atomic_load_n(&signal->ipc, __ATOMIC_RELAXED);
    if (s->linked) {
        struct subscriber **at = &signal->subscribers;
        while (*at != s) at = &(*at)->next;
        __atomic_store_n(at, s->next, __ATOMIC_RELAXED);
        s->linked = false;
    }
    pthread_mutex_unlock(shard_of(signal));
    if (watched) shared_unwatch(signal);
}

void signal_add(struct signal *s, int64_t by) {
    if (signal_is_doorbell(s)) return;
    slot_change(signal_index(s), CHANGE_ADD, by);
    signal_changed(s);
}

// Times first: a thread that sees the new value may read them.
void signal_complete(struct signal *s, uint64_t start, uint64_t end) {
    slot_put_times(signal_index(s), start, end);
    signal_add(s, -1);
}

// ---- What kernels write ----

static void tell_slots(uint64_t address, uint64_t last) {
    const struct reached r = reached_slots(address, last);
    const uint32_t used = signals_used();
    for (uint32_t i = r.first; i < r.first + r.count && i < used; i++)
        if (__atomic_load_n(&signal_at(i)->live, __ATOMIC_RELAXED)) signal_changed(signal_at(i));
}
static void tell_doorbells(uint64_t address, uint64_t last) {
    const struct reached r = reached_doorbells(address, last);
    for (uint32_t i = r.first; i < r.first + r.count; i++) {
        struct ringer *ringer = ringer_of(i);
        if (ringer) ringer->rung(ringer);
    }
}

void signals_written(void *agent, uint64_t address, uint64_t last) {
    const struct context before = context_enter(IN_WAVE, agent);
    tell_slots(address, last);
    tell_doorbells(address, last);
    context_leave(before);
}
