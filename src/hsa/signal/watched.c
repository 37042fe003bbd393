// SPDX-License-Identifier: MIT
// A thread that polls signals. It polls a signal if the program may change its value without a call
// (is_exposed), and a barrier, a copy or a handler waits for it. A change is reported as if a call had made
// it.
#include <pthread.h>

#include "base/array.h"
#include "hsa/service/service.h"
#include "hsa/signal/slab.h"

enum { LOOK_EVERY_NS = 200000 };

struct watched {
    struct signal *signal;
    int64_t value;
};
static ARRAY(struct watched) list; // under the service's lock

static bool is_wanted(const struct signal *s) {
    return __atomic_load_n(&s->live, __ATOMIC_ACQUIRE) && __atomic_load_n(&s->subscribers, __ATOMIC_ACQUIRE);
}

static uint64_t step(struct service *service) {
    for (size_t i = 0; i < list.count; i++) {
        struct watched *w = &list.items[i];
        struct signal *s = w->signal;
        if (!is_wanted(s)) {
            *w = list.items[--list.count];
            i--;
            continue;
        }
        const int64_t value = signal_value(s);
        if (value == w->value) continue;
        w->value = value;
        pthread_mutex_unlock(&service->lock);
        signal_changed(s);
        pthread_mutex_lock(&service->lock);
    }
    return list.count ? monotonic_ns() + LOOK_EVERY_NS : SERVICE_WHEN_WOKEN;
}
static struct service service = SERVICE("watch", .step = step);

void watched_add(struct signal *s) {
    pthread_mutex_lock(&service.lock);
    service_start(&service);
    size_t i = 0;
    while (i < list.count && list.items[i].signal != s) i++;
    // Not its value: the first look reports a change, as it may have changed before.
    const struct watched w = {s, ~signal_value(s)};
    if (i < list.count)
        list.items[i] = w;
    else
        (void)!array_push(&list, w); // without memory, a change by a call is heard of all the same
    service_wake(&service);
    pthread_mutex_unlock(&service.lock);
}

void watched_close(void) {
    service_stop(&service);
    array_free(&list);
}
void watched_forget(void) {
    service_forget(&service);
    list.count = 0;
}
