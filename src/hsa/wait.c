// SPDX-License-Identifier: MIT
// Waiting for signals: a short look, then sleep until somebody tells of a change. Only signals whose value
// the program can write unseen (hsa_amd_signal_value_pointer) are looked at again and again.
#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "hsa/signal.h"

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
    const handle_t *signals;
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

static struct side *side_of(handle_t s) { return &sides[(s - handle_of(signals)) / sizeof *signals]; }

// One signal that processes share: waits for it are, too.
static struct shared_wait *shared_by(const struct wait *w) {
    return w->count == 1 && side_of(w->signals[0])->ipc ? shared_wait_of(w->signals[0]) : NULL;
}

static bool any_exposed(const struct wait *w) {
    for (uint32_t i = 0; i < w->count; i++)
        if (w->signals[i] && is_exposed(w->signals[i])) return true;
    return false;
}

// Several, some of which processes share. False: changes of those will not be heard of.
static bool listen(const struct wait *w) {
    bool heard = true;
    for (uint32_t i = 0; i < w->count && w->count > 1; i++)
        if (w->signals[i] && side_of(w->signals[i])->ipc) heard &= shared_watch(signal_index(w->signals[i]));
    return heard;
}
static void listen_no_more(const struct wait *w) {
    for (uint32_t i = 0; i < w->count && w->count > 1; i++)
        if (w->signals[i] && side_of(w->signals[i])->ipc) shared_unwatch(signal_index(w->signals[i]));
}

static void count_waiters(const struct wait *w, int by) {
    for (uint32_t i = 0; i < w->count; i++)
        if (w->signals[i])
            __atomic_add_fetch(&side_of(w->signals[i])->waiters, (uint32_t)by, __ATOMIC_SEQ_CST);
    if (w->count > 1) __atomic_add_fetch(&any_waiters, (uint32_t)by, __ATOMIC_SEQ_CST);
}

static uint32_t spin(struct wait *w, uint64_t until) {
    for (;;) {
        const uint32_t at = look(w);
        if (at != UINT32_MAX || clock_now() >= until) return at;
#if defined(__SSE2__)
        for (int i = 0; i < 32; i++) _mm_pause();
#endif
    }
}

static uint32_t sleep_until(struct wait *w, uint64_t until) {
    struct shared_wait *shared = shared_by(w);
    uint32_t *epoch = shared ? &shared->epoch : w->count > 1 ? &any_epoch : &side_of(w->signals[0])->epoch;
    uint64_t nap = EXPOSED_MIN_NS;
    count_waiters(w, 1);
    const bool heard = listen(w);
    if (shared) __atomic_add_fetch(&shared->waiters, 1, __ATOMIC_SEQ_CST);
    uint32_t at;
    for (;;) {
        const uint32_t seen = __atomic_load_n(epoch, __ATOMIC_SEQ_CST);
        at = look(w);
        const uint64_t now = clock_now();
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
    if (shared) __atomic_sub_fetch(&shared->waiters, 1, __ATOMIC_SEQ_CST);
    listen_no_more(w);
    count_waiters(w, -1);
    return at;
}

// The one that holds; UINT32_MAX after the timeout.
static uint32_t wait_for(struct wait *w, uint64_t timeout, uint32_t state) {
    uint32_t at = look(w);
    if (at != UINT32_MAX || !timeout) return at;
    const uint64_t start = clock_now();
    const uint64_t until = timeout > UINT64_MAX - start ? UINT64_MAX : start + timeout;
    const uint64_t spin_end = start + (state == WAIT_ACTIVE ? SPIN_ACTIVE_NS : SPIN_BLOCKED_NS);
    at = spin(w, spin_end < until ? spin_end : until);
    return at != UINT32_MAX || clock_now() >= until ? at : sleep_until(w, until);
}

#define WAIT(order)                                                                                          \
    HSA(int64_t, hsa_signal_wait_##order, handle_t s, uint32_t condition, int64_t compare, uint64_t timeout, \
        uint32_t state) {                                                                                    \
        if (!signal_side(s)) return 0;                                                                       \
        struct wait w = {&s, &condition, &compare, 1, 0};                                                    \
        wait_for(&w, timeout, state);                                                                        \
        return w.found;                                                                                      \
    }
WAIT(relaxed)
WAIT(acquire)
WAIT(scacquire)

HSA(uint32_t, hsa_amd_signal_wait_any, uint32_t count, handle_t *list, uint32_t *conditions, int64_t *values,
    uint64_t timeout, uint32_t state, int64_t *found) {
    if (!running() || !count || !list || !conditions || !values) return UINT32_MAX;
    uint32_t valid = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] && !signal_side(list[i])) return UINT32_MAX;
        valid += list[i] != 0;
    }
    if (!valid) return UINT32_MAX;
    struct wait w = {list, conditions, values, count, 0};
    if (count == 1 && !list[0]) return UINT32_MAX;
    const uint32_t at = wait_for(&w, timeout, state);
    if (at != UINT32_MAX && found) *found = w.found;
    return at;
}

// All of several; 0, or UINT32_MAX after the timeout.
HSA(uint32_t, hsa_amd_signal_wait_all, uint32_t count, handle_t *list, uint32_t *conditions, int64_t *values,
    uint64_t timeout, uint32_t state, int64_t *found) {
    const uint64_t start = clock_now();
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t gone = clock_now() - start;
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
    handle_t signals[];
};
static pthread_mutex_t group_lock = PTHREAD_MUTEX_INITIALIZER;
static struct signal_group *groups;

HSA(status, hsa_signal_group_create, uint32_t count, const handle_t *list, uint32_t consumers,
    const handle_t *agents, handle_t *out) {
    NEED_RUNTIME;
    NEED(count && list && out && (!consumers || agents), ST_INVALID_ARGUMENT);
    for (uint32_t i = 0; i < consumers; i++) NEED(agent_of(agents[i]), ST_INVALID_AGENT);
    for (uint32_t i = 0; i < count; i++) NEED(signal_side(list[i]), ST_INVALID_SIGNAL);
    struct signal_group *g = malloc(sizeof *g + count * sizeof *list);
    NEED(g, ST_OUT_OF_RESOURCES);
    g->count = count;
    for (uint32_t i = 0; i < count; i++) g->signals[i] = list[i];
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

static status wait_group(handle_t handle, const uint32_t *conditions, const int64_t *values, uint32_t state,
                         handle_t *signal, int64_t *value) {
    NEED_RUNTIME;
    pthread_mutex_lock(&group_lock);
    struct signal_group *g = *find_group(handle);
    pthread_mutex_unlock(&group_lock);
    NEED(g, ST_INVALID_SIGNAL_GROUP);
    NEED(conditions && values && signal && value, ST_INVALID_ARGUMENT);
    struct wait w = {g->signals, conditions, values, g->count, 0};
    const uint32_t at = wait_for(&w, UINT64_MAX, state);
    *signal = g->signals[at];
    *value = w.found;
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
