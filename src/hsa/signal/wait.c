// SPDX-License-Identifier: MIT
// Waiting for signals: a thread spins for a short time, then sleeps until a change wakes it. It polls only
// signals whose value the program may change without a call (hsa_amd_signal_value_pointer).
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "hsa/signal/slab.h"

// Workers are the GPU: a host thread that spins takes their core.
enum { SPIN_BLOCKED_NS = 3000, SPIN_ACTIVE_NS = 20000, EXPOSED_MIN_NS = 20000, EXPOSED_MAX_NS = 1000000 };

bool condition_holds(uint32_t condition, int64_t value, int64_t compare) {
    switch (condition) {
    case COND_EQ: return value == compare;
    case COND_NE: return value != compare;
    case COND_LT: return value < compare;
    default: return value >= compare;
    }
}

struct wait {
    struct signal *const *signals; // NULL: none at this place
    const uint32_t *conditions;
    const int64_t *values;
    uint32_t count;
    int64_t found;
};

static uint32_t look(struct wait *w) {
    for (uint32_t i = 0; i < w->count; i++) {
        if (!w->signals[i]) continue;
        w->found = signal_value(w->signals[i]);
        if (condition_holds(w->conditions[i], w->found, w->values[i])) return i;
    }
    return UINT32_MAX;
}

static bool is_shared(const struct wait *w, uint32_t i) {
    return w->signals[i] && __atomic_load_n(&w->signals[i]->ipc, __ATOMIC_RELAXED);
}

static bool any_exposed(const struct wait *w) {
    for (uint32_t i = 0; i < w->count; i++)
        if (w->signals[i] && is_exposed(w->signals[i])) return true;
    return false;
}

// For waits on several signals. False: changes of those that processes share will not be heard of.
static bool watch(const struct wait *w) {
    bool heard = true;
    for (uint32_t i = 0; i < w->count && w->count > 1; i++)
        if (is_shared(w, i)) heard &= shared_watch(w->signals[i]);
    return heard;
}
static void unwatch(const struct wait *w) {
    for (uint32_t i = 0; i < w->count && w->count > 1; i++)
        if (is_shared(w, i)) shared_unwatch(w->signals[i]);
}

static void count_waiters(const struct wait *w, int by) {
    for (uint32_t i = 0; i < w->count; i++)
        if (w->signals[i]) __atomic_add_fetch(&w->signals[i]->waiters, (uint32_t)by, __ATOMIC_SEQ_CST);
    if (w->count > 1) __atomic_add_fetch(&any_waiters, (uint32_t)by, __ATOMIC_SEQ_CST);
}

static uint32_t spin(struct wait *w, uint64_t until) {
    for (;;) {
        const uint32_t at = look(w);
        if (at != UINT32_MAX || monotonic_ns() >= until) return at;
#if defined(__SSE2__)
        for (int i = 0; i < 32; i++) _mm_pause();
#endif
    }
}

// The word to sleep on: of one signal its own, of several the common one.
static uint32_t *epoch_of(const struct wait *w, bool shared) {
    if (w->count > 1) return &any_epoch;
    return shared ? slot_shared_epoch(signal_index(w->signals[0])) : &w->signals[0]->epoch;
}

static uint32_t sleep_until(struct wait *w, uint64_t until) {
    const bool shared = w->count == 1 && is_shared(w, 0);
    uint32_t *epoch = epoch_of(w, shared);
    uint64_t nap = EXPOSED_MIN_NS;
    count_waiters(w, 1);
    const bool heard = watch(w);
    if (shared) slot_count_waiter(signal_index(w->signals[0]), 1);
    uint32_t at;
    for (;;) {
        const uint32_t seen = __atomic_load_n(epoch, __ATOMIC_SEQ_CST);
        at = look(w);
        const uint64_t now = monotonic_ns();
        if (at != UINT32_MAX || now >= until) break;
        uint64_t most = until - now;
        if (!heard || any_exposed(w)) {
            if (most > nap) most = nap;
            if (nap < EXPOSED_MAX_NS) nap *= 2;
        }
        const struct timespec t = {(time_t)(most / 1000000000), (long)(most % 1000000000)};
        syscall(SYS_futex, epoch, shared ? FUTEX_WAIT : FUTEX_WAIT_PRIVATE, seen,
                until == UINT64_MAX && most > 1ull << 60 ? NULL : &t, NULL, 0);
    }
    if (shared) slot_count_waiter(signal_index(w->signals[0]), -1);
    unwatch(w);
    count_waiters(w, -1);
    return at;
}

// The index of a condition that holds; UINT32_MAX after the timeout.
static uint32_t wait_for(struct wait *w, uint64_t timeout, uint32_t state) {
    uint32_t at = look(w);
    if (at != UINT32_MAX || !timeout) return at;
    const uint64_t start = monotonic_ns();
    const uint64_t until = timeout > UINT64_MAX - start ? UINT64_MAX : start + timeout;
    const uint64_t spin_end = start + (state == WAIT_ACTIVE ? SPIN_ACTIVE_NS : SPIN_BLOCKED_NS);
    at = spin(w, spin_end < until ? spin_end : until);
    return at != UINT32_MAX || monotonic_ns() >= until ? at : sleep_until(w, until);
}

static int64_t wait_one(handle_t handle, uint32_t condition, int64_t compare, uint64_t timeout,
                        uint32_t state) {
    struct signal *s = signal_of(handle);
    if (!s) return 0;
    struct wait w = {&s, &condition, &compare, 1, 0};
    wait_for(&w, timeout, state);
    return w.found;
}

#define WAIT(order)                                                                                          \
    HSA(int64_t, hsa_signal_wait_##order, handle_t s, uint32_t condition, int64_t compare, uint64_t timeout, \
        uint32_t state) {                                                                                    \
        return wait_one(s, condition, compare, timeout, state);                                              \
    }
WAIT(relaxed)
WAIT(acquire)
WAIT(scacquire)

static bool has_any(const struct signal_list *list) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i]) return true;
    return false;
}

HSA(uint32_t, hsa_amd_signal_wait_any, uint32_t count, handle_t *handles, uint32_t *conditions,
    int64_t *values, uint64_t timeout, uint32_t state, int64_t *found) {
    struct signal_list list;
    if (!running() || !count || !handles || !conditions || !values) return UINT32_MAX;
    if (signals_take(&list, count, handles) != ST_SUCCESS) return UINT32_MAX;
    struct wait w = {list.items, conditions, values, count, 0};
    const uint32_t at = has_any(&list) ? wait_for(&w, timeout, state) : UINT32_MAX;
    signals_let_go(&list);
    if (at != UINT32_MAX && found) *found = w.found;
    return at;
}

// All of several; 0, or UINT32_MAX after the timeout.
HSA(uint32_t, hsa_amd_signal_wait_all, uint32_t count, handle_t *list, uint32_t *conditions, int64_t *values,
    uint64_t timeout, uint32_t state, int64_t *found) {
    const uint64_t start = monotonic_ns();
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t gone = monotonic_ns() - start;
        int64_t value = 0;
        if (list[i] && hsa_amd_signal_wait_any(1, &list[i], &conditions[i], &values[i],
                                               gone < timeout ? timeout - gone : 0, state, &value))
            return UINT32_MAX;
        if (found) found[i] = value;
    }
    return 0;
}

// ---- Groups of signals ----

struct signal_group {
    struct signal_group *next;
    uint32_t count;
    struct signal *signals[];
};
static pthread_mutex_t group_lock = PTHREAD_MUTEX_INITIALIZER;
static struct signal_group *groups;

HSA(status, hsa_signal_group_create, uint32_t count, const handle_t *list, uint32_t consumers,
    const handle_t *agents, handle_t *out) {
    NEED_RUNTIME;
    NEED(count && list && out && (!consumers || agents), ST_INVALID_ARGUMENT);
    for (uint32_t i = 0; i < consumers; i++) NEED(agent_of(agents[i]), ST_INVALID_AGENT);
    struct signal_group *g = malloc(sizeof *g + count * sizeof *g->signals);
    NEED(g, ST_OUT_OF_RESOURCES);
    g->count = count;
    for (uint32_t i = 0; i < count; i++)
        if (!(g->signals[i] = signal_of(list[i]))) {
            free(g);
            return ST_INVALID_SIGNAL;
        }
    pthread_mutex_lock(&group_lock);
    g->next = groups;
    groups = g;
    pthread_mutex_unlock(&group_lock);
    *out = handle_of(g);
    return ST_SUCCESS;
}

static struct signal_group **find_group(handle_t handle) {
    struct signal_group **at = &groups;
    while (*at && handle_of(*at) != handle) at = &(*at)->next;
    return at;
}
HSA(status, hsa_signal_group_destroy, handle_t handle) {
    NEED_RUNTIME;
    pthread_mutex_lock(&group_lock);
    struct signal_group **at = find_group(handle), *g = *at;
    if (g) *at = g->next;
    pthread_mutex_unlock(&group_lock);
    free(g);
    return g ? ST_SUCCESS : ST_INVALID_SIGNAL_GROUP;
}

// Another thread may destroy the group meanwhile, so the wait has a copy of its signals.
static struct signal_group *copy_group(handle_t handle) {
    pthread_mutex_lock(&group_lock);
    const struct signal_group *g = *find_group(handle);
    const size_t size = g ? sizeof *g + g->count * sizeof *g->signals : 0;
    struct signal_group *copy = g ? malloc(size) : NULL;
    if (copy) memcpy(copy, g, size);
    pthread_mutex_unlock(&group_lock);
    return copy;
}

static status wait_group(handle_t handle, const uint32_t *conditions, const int64_t *values, uint32_t state,
                         handle_t *signal, int64_t *value) {
    NEED_RUNTIME;
    struct signal_group *g = copy_group(handle);
    NEED(g, ST_INVALID_SIGNAL_GROUP);
    NEED(conditions && values && signal && value, (free(g), ST_INVALID_ARGUMENT));
    struct wait w = {g->signals, conditions, values, g->count, 0};
    const uint32_t at = wait_for(&w, UINT64_MAX, state);
    *signal = signal_handle(g->signals[at]);
    *value = w.found;
    free(g);
    return ST_SUCCESS;
}
HSA(status, hsa_signal_group_wait_any_scacquire, handle_t group, const uint32_t *conditions,
    const int64_t *values, uint32_t state, handle_t *signal, int64_t *value) {
    return wait_group(group, conditions, values, state, signal, value);
}
HSA(status, hsa_signal_group_wait_any_relaxed, handle_t group, const uint32_t *conditions,
    const int64_t *values, uint32_t state, handle_t *signal, int64_t *value) {
    return wait_group(group, conditions, values, state, signal, value);
}

void signal_groups_forget(void) {
    pthread_mutex_init(&group_lock, NULL);
    groups = NULL;
}
