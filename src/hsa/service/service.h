// SPDX-License-Identifier: MIT
// Services: threads of the runtime's own. All begin, sleep, wake and end in the same way.
//
// A service starts with the first work for it and ends with the runtime. Its lock guards what its step reads.
// Work is noted under the lock and then the service is woken, so no work is missed. Signals of the program
// are never delivered to these threads.
#ifndef HSA_SERVICE_SERVICE_H
#define HSA_SERVICE_SERVICE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define SERVICE_AT_ONCE    0ull
#define SERVICE_WHEN_WOKEN UINT64_MAX

struct service {
    const char *name; // of the thread: softwave/NAME
    // Does some of the work, with the lock held, which it may give up meanwhile. Returns when to call it
    // again: the two above, or a time of monotonic_ns. It must not have given the lock up since it found that
    // there is nothing to do.
    uint64_t (*step)(struct service *s);
    void (*interrupt)(void); // called under the lock: ends the sleep of a step that sleeps by itself; or NULL
    pthread_mutex_t lock;
    pthread_cond_t more;
    pthread_t thread;
    bool runs;             // atomic
    unsigned stops, begun; // a thread ends when `stops` is no longer what it was as it began
};
#define SERVICE(name_, ...)                                                                                  \
    { .name = name_, .lock = PTHREAD_MUTEX_INITIALIZER, __VA_ARGS__ }

// Both with the lock held. False: there is no thread, and none can be had.
bool service_start(struct service *s);
void service_wake(struct service *s);
static inline bool service_runs(const struct service *s) {
    return __atomic_load_n(&s->runs, __ATOMIC_ACQUIRE);
}
// Without the lock. Waits until the thread has ended, unless this is that thread; the next start makes
// another.
void service_stop(struct service *s);
// In a child of fork, which does not have the thread.
void service_forget(struct service *s);

#endif
