// SPDX-License-Identifier: MIT
// Changes that other processes make to shared signals. A process that changes a shared signal increments the
// count in the signal's page and wakes the sleepers on that count (a futex). A thread that waits for one
// signal sleeps on its count. For barriers, copies and waits on several signals, the thread of this file
// sleeps on all their counts, and reports a change as if it had been made here. It polls only where the
// system cannot wait for several futexes (before Linux 5.16), or not for as many.
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "hsa/service/service.h"
#include "hsa/signal/slab.h"

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
enum { MOST_AT_ONCE = 128, NAP_MIN_NS = 20000, NAP_MAX_NS = 1000000 };
struct place { // struct futex_waitv, which headers have since Linux 5.16
    uint64_t value, address;
    uint32_t flags, zero;
};
enum { IS_U32 = 2, IS_PRIVATE = 128 };

struct watch {
    struct signal *signal;
    uint32_t users;
    uint32_t seen; // of the count
};
static ARRAY(struct watch) watches; // under the service's lock
static uint32_t news;               // futex: the list is another, or the thread shall end
static uint64_t nap = NAP_MIN_NS;   // the next one, where naps are needed
static bool cannot_wait;            // for several

static uint32_t *count_of(const struct signal *s) { return slot_shared_epoch(signal_index(s)); }

static void bring_news(void) { // with the lock held
    __atomic_add_fetch(&news, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &news, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// ---- The thread ----

// Sleeps until one of these counts is no longer what was seen of it, for so many ns at the most if that is
// not 0.
static void sleep_on(const struct place *places, unsigned count, uint64_t most_ns) {
    const uint64_t due = monotonic_ns() + most_ns;
    const struct timespec until = {(time_t)(due / 1000000000), (long)(due % 1000000000)};
    if (!cannot_wait &&
        syscall(SYS_futex_waitv, places, count, 0, most_ns ? &until : NULL, CLOCK_MONOTONIC) < 0 &&
        errno == ENOSYS)
        cannot_wait = true;
    if (!cannot_wait) return;
    const struct timespec most = {0, (long)(most_ns ? most_ns : NAP_MIN_NS)};
    syscall(SYS_futex, &news, FUTEX_WAIT_PRIVATE, (uint32_t)places[0].value, &most, NULL, 0);
}

// A signal whose count changed; NULL: none. Lock: the service's.
static struct signal *next_changed(void) {
    for (size_t i = 0; i < watches.count; i++) {
        struct watch *w = &watches.items[i];
        const uint32_t now = __atomic_load_n(count_of(w->signal), __ATOMIC_SEQ_CST);
        if (now == w->seen) continue;
        w->seen = now;
        return w->signal;
    }
    return NULL;
}

static unsigned list_places(struct place places[MOST_AT_ONCE]) { // with the lock held
    unsigned count = 0;
    places[count++] = (struct place){news, handle_of(&news), IS_U32 | IS_PRIVATE, 0};
    for (size_t i = 0; i < watches.count && count < MOST_AT_ONCE; i++) {
        const struct watch *w = &watches.items[i];
        places[count++] = (struct place){w->seen, handle_of(count_of(w->signal)), IS_U32, 0};
    }
    return count;
}

static uint64_t step(struct service *service) {
    struct place places[MOST_AT_ONCE];
    struct signal *changed = next_changed();
    const unsigned count = changed ? 0 : list_places(places);
    const bool naps = watches.count && (cannot_wait || watches.count >= MOST_AT_ONCE);
    pthread_mutex_unlock(&service->lock);
    if (changed) {
        signal_changed_elsewhere(changed);
        nap = NAP_MIN_NS;
    } else {
        sleep_on(places, count, naps ? nap : 0);
        if (nap < NAP_MAX_NS) nap *= 2;
    }
    pthread_mutex_lock(&service->lock);
    return SERVICE_AT_ONCE;
}
static struct service service = SERVICE("shared", .step = step, .interrupt = bring_news);

// ---- What others ask of it ----

static struct watch *find(const struct signal *signal) {
    for (size_t i = 0; i < watches.count; i++)
        if (watches.items[i].signal == signal) return &watches.items[i];
    return NULL;
}
static void drop(struct watch *w) {
    slot_count_waiter(signal_index(w->signal), -1);
    *w = watches.items[--watches.count];
    service_wake(&service);
}

// From the return on no change is missed.
bool shared_watch(struct signal *signal) {
    pthread_mutex_lock(&service.lock);
    const bool started = service_start(&service);
    struct watch *w = find(signal);
    bool watched = started && (w || array_reserve(&watches, 1));
    if (w)
        w->users++;
    else if (watched) {
        slot_count_waiter(signal_index(signal), 1);
        const uint32_t seen = __atomic_load_n(count_of(signal), __ATOMIC_SEQ_CST);
        array_push(&watches, (struct watch){signal, 1, seen});
        service_wake(&service);
    }
    pthread_mutex_unlock(&service.lock);
    return watched;
}
void shared_unwatch(struct signal *signal) {
    pthread_mutex_lock(&service.lock);
    struct watch *w = find(signal);
    if (w && !--w->users) drop(w);
    pthread_mutex_unlock(&service.lock);
}
// Its page goes.
void shared_drop(struct signal *signal) {
    pthread_mutex_lock(&service.lock);
    struct watch *w = find(signal);
    if (w) drop(w);
    pthread_mutex_unlock(&service.lock);
}

void shared_close(void) {
    service_stop(&service);
    pthread_mutex_lock(&service.lock);
    while (watches.count) drop(&watches.items[0]);
    array_free(&watches);
    pthread_mutex_unlock(&service.lock);
}

void shared_forget(void) { // counts of waiters in the pages are the parent's
    service_forget(&service);
    watches.count = 0;
}
