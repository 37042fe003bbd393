// SPDX-License-Identifier: MIT
// The event thread: the only one of the runtime's that calls client code, so the only one that such code may
// stop, wait in or leave by exit(). It runs handlers of signals, functions, and callbacks of queues in error.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/progress.h"
#include "hsa/service/service.h"
#include "hsa/signal/slab.h"

enum work_kind { WORK_HANDLER, WORK_FUNCTION, WORK_QUEUE, WORK_FAULT };
struct work {
    struct work *next;
    enum work_kind kind;
    bool queued; // under the lock
};
struct handler {
    struct work work;
    struct subscriber subscriber;
    struct handler *next; // of all
    struct signal *signal;
    uint32_t condition;
    int64_t value;
    bool (*call)(int64_t, void *);
    void *argument;
    bool dropped; // under the lock
};
struct function {
    struct work work;
    void (*call)(void *);
    void *argument;
};
struct failure {
    struct work work;
    struct queue_error error; // its queue is NULL once it was destroyed
};
struct fault {
    struct work work;
    struct memory_event event;
};
struct listener {
    status (*call)(const struct memory_event *, void *);
    void *data;
};

static uint64_t step(struct service *s);
static struct service service = SERVICE("event", .step = step);
static struct { // under the service's lock
    struct work *first, **last;
    struct handler *handlers;
    ARRAY(struct listener) listeners;
    struct failure *current; // whose callback runs
} events = {.last = &events.first};

// ---- The list of work ----

static void enqueue(struct work *w) { // with the lock held
    if (w->queued) return;
    w->queued = true;
    w->next = NULL;
    *events.last = w;
    events.last = &w->next;
    service_wake(&service);
}
static void add(struct work *w) {
    pthread_mutex_lock(&service.lock);
    service_start(&service);
    enqueue(w);
    pthread_mutex_unlock(&service.lock);
}
static void forget_work(void) {
    events.first = NULL;
    events.last = &events.first;
    events.handlers = NULL;
}

// ---- Running it ----

static void free_handler(struct handler *h) { // with the lock held
    struct handler **at = &events.handlers;
    while (*at && *at != h) at = &(*at)->next;
    if (*at) *at = h->next;
    free(h);
}

// Called with the lock held, which it gives up while client code runs.
static void run_handler(struct handler *h) {
    bool keep = true;
    while (keep && !h->dropped) {
        pthread_mutex_unlock(&service.lock);
        const int64_t value = signal_value(h->signal);
        const bool holds = condition_holds(h->condition, value, h->value);
        keep = holds && h->call(value, h->argument);
        pthread_mutex_lock(&service.lock);
        if (!holds) return;
    }
    if (h->work.queued) { // told once more meanwhile: it goes when its turn comes
        h->dropped = true;
        return;
    }
    h->dropped = true;
    pthread_mutex_unlock(&service.lock);
    signal_unsubscribe(&h->subscriber);
    pthread_mutex_lock(&service.lock);
    if (h->work.queued) return; // a change was told of before that
    free_handler(h);
}

// With the lock held. The callback may destroy its queue, as may others while it runs.
static void run_failure(struct failure *f) {
    const struct queue_error e = f->error;
    if (e.queue && e.call) {
        events.current = f;
        pthread_mutex_unlock(&service.lock);
        e.call(e.error, e.handle, e.data);
        pthread_mutex_lock(&service.lock);
        events.current = NULL;
    }
    struct signal *inactive = f->error.queue ? e.inactive : NULL;
    free(f);
    if (!inactive) return;
    slot_store(signal_index(inactive), -1); // with the lock: the queue may go without it
    pthread_mutex_unlock(&service.lock);
    signal_changed(inactive);
    pthread_mutex_lock(&service.lock);
}

void event_queue_gone(const void *queue) {
    pthread_mutex_lock(&service.lock);
    for (struct work *w = events.first; w; w = w->next) {
        struct failure *f = w->kind == WORK_QUEUE ? (struct failure *)w : NULL;
        if (f && f->error.queue == queue) f->error.queue = NULL;
    }
    if (events.current && events.current->error.queue == queue) events.current->error.queue = NULL;
    pthread_mutex_unlock(&service.lock);
}

static void run_fault(struct fault *f) {
    pthread_mutex_lock(&service.lock);
    bool handled = false;
    for (size_t i = 0; i < events.listeners.count; i++) {
        const struct listener l = events.listeners.items[i];
        pthread_mutex_unlock(&service.lock);
        if (l.call(&f->event, l.data) == ST_SUCCESS) handled = true;
        pthread_mutex_lock(&service.lock);
    }
    pthread_mutex_unlock(&service.lock);
    if (handled) return;
    const struct agent *a = agent_of(f->event.agent);
    progress_clear();
    if (running() && running()->fault_message)
        fprintf(stderr,
                "Memory access fault by GPU node-%u (Agent handle: 0x%llx) on address 0x%llx. Reason: %s.\n",
                a ? a->index : 1, (unsigned long long)f->event.agent, (unsigned long long)f->event.address,
                f->event.reasons & FAULT_READ_ONLY    ? "Write access to a read-only page"
                : f->event.reasons & FAULT_NO_EXECUTE ? "Execute access to a page that is not executable"
                                                      : "Page not present or supervisor privilege");
    abort();
}

static void run(struct work *w) { // with the lock held
    if (w->kind == WORK_HANDLER) {
        run_handler((struct handler *)w);
        return;
    }
    if (w->kind == WORK_QUEUE) {
        run_failure((struct failure *)w);
        return;
    }
    pthread_mutex_unlock(&service.lock);
    if (w->kind == WORK_FUNCTION)
        ((struct function *)w)->call(((struct function *)w)->argument);
    else
        run_fault((struct fault *)w);
    free(w);
    pthread_mutex_lock(&service.lock);
}

static uint64_t step(struct service *s) {
    (void)s;
    struct work *w = events.first;
    if (!w) return SERVICE_WHEN_WOKEN;
    events.first = w->next;
    if (!events.first) events.last = &events.first;
    w->queued = false;
    run(w);
    return SERVICE_AT_ONCE;
}

void events_close(void) {
    service_stop(&service);
    pthread_mutex_lock(&service.lock);
    struct handler *h = events.handlers;
    forget_work();
    array_free(&events.listeners);
    pthread_mutex_unlock(&service.lock);
    while (h) {
        struct handler *next = h->next;
        signal_unsubscribe(&h->subscriber);
        free(h);
        h = next;
    }
}

void events_forget(void) {
    service_forget(&service);
    forget_work();
    events.listeners.count = 0;
}

// ---- What others ask of it ----

// With the lock of a shard held.
static void condition_changed(struct subscriber *s) {
    struct handler *h = s->owner;
    pthread_mutex_lock(&service.lock);
    enqueue(&h->work);
    pthread_mutex_unlock(&service.lock);
}

// Handlers of a signal that goes away are not called any more.
void handlers_drop(const struct signal *signal) {
    pthread_mutex_lock(&service.lock);
    for (struct handler *h = events.handlers; h; h = h->next)
        if (h->subscriber.signal == signal && !h->dropped) {
            h->dropped = true;
            enqueue(&h->work); // to be freed
        }
    pthread_mutex_unlock(&service.lock);
}

void event_queue_error(const struct queue_error *e) {
    struct failure *f = calloc(1, sizeof *f);
    if (!f) return;
    *f = (struct failure){.work.kind = WORK_QUEUE, .error = *e};
    add(&f->work);
}

void event_memory_fault(struct agent *a, uint64_t address, uint32_t reasons) {
    struct fault *f = calloc(1, sizeof *f);
    if (!f) abort(); // the program must not go on as if nothing had happened
    *f = (struct fault){.work.kind = WORK_FAULT,
                        .event = {.agent = handle_of(a), .address = address, .reasons = reasons}};
    add(&f->work);
}

HSA(status, hsa_amd_signal_async_handler, handle_t handle, uint32_t condition, int64_t value,
    bool (*call)(int64_t, void *), void *argument) {
    NEED_RUNTIME;
    NEED(call && condition <= COND_GTE, ST_INVALID_ARGUMENT);
    struct signal *signal = signal_of(handle);
    NEED(signal && !signal->gpu_only && !signal->ipc && !signal_is_doorbell(signal), ST_INVALID_SIGNAL);
    struct handler *h = calloc(1, sizeof *h);
    NEED(h, ST_OUT_OF_RESOURCES);
    *h = (struct handler){.work.kind = WORK_HANDLER,
                          .signal = signal,
                          .condition = condition,
                          .value = value,
                          .call = call,
                          .argument = argument};
    h->subscriber = (struct subscriber){.changed = condition_changed, .owner = h, .signal = signal};
    pthread_mutex_lock(&service.lock);
    const bool ready = service_start(&service);
    if (ready) {
        h->next = events.handlers;
        events.handlers = h;
        h->work.queued = true; // nobody runs it before it is subscribed
    }
    pthread_mutex_unlock(&service.lock);
    if (!ready) {
        free(h);
        return ST_OUT_OF_RESOURCES;
    }
    signal_subscribe(&h->subscriber, signal);
    pthread_mutex_lock(&service.lock);
    h->work.queued = false;
    enqueue(&h->work); // the condition may hold already
    pthread_mutex_unlock(&service.lock);
    return ST_SUCCESS;
}

HSA(status, hsa_amd_async_function, void (*call)(void *), void *argument) {
    NEED_RUNTIME;
    NEED(call, ST_INVALID_ARGUMENT);
    struct function *f = calloc(1, sizeof *f);
    NEED(f, ST_OUT_OF_RESOURCES);
    *f = (struct function){.work.kind = WORK_FUNCTION, .call = call, .argument = argument};
    add(&f->work);
    return ST_SUCCESS;
}

HSA(status, hsa_amd_register_system_event_handler, status (*call)(const struct memory_event *, void *),
    void *data) {
    NEED_RUNTIME;
    NEED(call, ST_INVALID_ARGUMENT);
    pthread_mutex_lock(&service.lock);
    const bool added = array_push(&events.listeners, (struct listener){call, data});
    pthread_mutex_unlock(&service.lock);
    return added ? ST_SUCCESS : ST_OUT_OF_RESOURCES;
}
