// SPDX-License-Identifier: MIT
// The event thread: the only one of the runtime's that calls client code, so the only one that such code may
// stop, wait in or leave by exit(). It runs handlers of signals, functions, and callbacks of queues in error.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "hsa/hsa.h"

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
struct queue_error {
    struct work work;
    struct queue *queue; // NULL: destroyed meanwhile
    struct aql_queue *hsa;
    void (*call)(status, struct aql_queue *, void *);
    void *data;
    status error;
    struct signal *inactive;
};
struct fault {
    struct work work;
    struct memory_event event;
};
struct listener {
    status (*call)(const struct memory_event *, void *);
    void *data;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct work *first, **last = &first;
static struct handler *handlers;
static ARRAY(struct listener) listeners;
static pthread_t thread;
static bool started, quit;
static struct queue_error *current; // whose callback runs

// ---- The list of work ----

static void *event_main(void *argument);

static void enqueue(struct work *w) { // with the lock held
    if (w->queued) return;
    w->queued = true;
    w->next = NULL;
    *last = w;
    last = &w->next;
    pthread_cond_signal(&more);
}
static bool start(void) { // with the lock held
    if (!started) started = thread_start(&thread, "event", event_main, NULL), quit = false;
    return started;
}
static void add(struct work *w) {
    pthread_mutex_lock(&lock);
    start();
    enqueue(w);
    pthread_mutex_unlock(&lock);
}

// ---- Running it ----

static void free_handler(struct handler *h) { // with the lock held
    struct handler **at = &handlers;
    while (*at && *at != h) at = &(*at)->next;
    if (*at) *at = h->next;
    free(h);
}

// Called with the lock held, which it gives up while client code runs.
static void run_handler(struct handler *h) {
    bool keep = true;
    while (keep && !h->dropped) {
        pthread_mutex_unlock(&lock);
        const int64_t value = signal_value(h->signal);
        const bool holds = condition_holds(h->condition, value, h->value);
        keep = holds && h->call(value, h->argument);
        pthread_mutex_lock(&lock);
        if (!holds) return;
    }
    if (h->work.queued) { // told once more meanwhile: it goes when its turn comes
        h->dropped = true;
        return;
    }
    h->dropped = true;
    pthread_mutex_unlock(&lock);
    unsubscribe(&h->subscriber);
    pthread_mutex_lock(&lock);
    if (h->work.queued) return; // a change was told of before that
    free_handler(h);
}

// With the lock held. The callback may destroy its queue, as may others while it runs.
static void run_queue_error(struct queue_error *e) {
    if (e->queue && e->call) {
        current = e;
        pthread_mutex_unlock(&lock);
        e->call(e->error, e->hsa, e->data);
        pthread_mutex_lock(&lock);
        current = NULL;
    }
    struct signal *inactive = e->queue ? e->inactive : NULL;
    free(e);
    if (!inactive) return;
    slot_store(signal_index(inactive), -1); // with the lock: the queue may go without it
    pthread_mutex_unlock(&lock);
    signal_changed(inactive);
    pthread_mutex_lock(&lock);
}

void event_queue_gone(const struct queue *q) {
    pthread_mutex_lock(&lock);
    for (struct work *w = first; w; w = w->next)
        if (w->kind == WORK_QUEUE && ((struct queue_error *)w)->queue == q)
            ((struct queue_error *)w)->queue = NULL;
    if (current && current->queue == q) current->queue = NULL;
    pthread_mutex_unlock(&lock);
}

static void run_fault(struct fault *f) {
    pthread_mutex_lock(&lock);
    bool handled = false;
    for (size_t i = 0; i < listeners.count; i++) {
        const struct listener l = listeners.items[i];
        pthread_mutex_unlock(&lock);
        if (l.call(&f->event, l.data) == ST_SUCCESS) handled = true;
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
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
        run_queue_error((struct queue_error *)w);
        return;
    }
    pthread_mutex_unlock(&lock);
    if (w->kind == WORK_FUNCTION)
        ((struct function *)w)->call(((struct function *)w)->argument);
    else
        run_fault((struct fault *)w);
    free(w);
    pthread_mutex_lock(&lock);
}

static void *event_main(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    while (!quit) {
        struct work *w = first;
        if (!w) {
            pthread_cond_wait(&more, &lock);
            continue;
        }
        first = w->next;
        if (!first) last = &first;
        w->queued = false;
        run(w);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

void events_close(void) {
    pthread_mutex_lock(&lock);
    const bool join = started && !pthread_equal(thread, pthread_self());
    const pthread_t which = thread;
    quit = true;
    pthread_cond_signal(&more);
    started = false;
    pthread_mutex_unlock(&lock);
    if (join) pthread_join(which, NULL);
    pthread_mutex_lock(&lock);
    first = NULL;
    last = &first;
    struct handler *h = handlers;
    handlers = NULL;
    array_free(&listeners);
    pthread_mutex_unlock(&lock);
    while (h) {
        struct handler *next = h->next;
        unsubscribe(&h->subscriber);
        free(h);
        h = next;
    }
}

void events_forget(void) {
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&more, NULL);
    first = NULL;
    last = &first;
    handlers = NULL;
    listeners.count = 0;
    started = quit = false;
}

// ---- What others ask of it ----

// With the lock of a shard held.
void event_poke(struct subscriber *s) {
    struct handler *h = s->owner;
    pthread_mutex_lock(&lock);
    enqueue(&h->work);
    pthread_mutex_unlock(&lock);
}

// Handlers of a signal that goes away are not called any more.
void handlers_drop(const struct signal *signal) {
    pthread_mutex_lock(&lock);
    for (struct handler *h = handlers; h; h = h->next)
        if (h->subscriber.signal == signal && !h->dropped) {
            h->dropped = true;
            enqueue(&h->work); // to be freed
        }
    pthread_mutex_unlock(&lock);
}

void event_queue_error(struct queue *q) {
    struct queue_error *e = calloc(1, sizeof *e);
    if (!e) return;
    *e = (struct queue_error){.work.kind = WORK_QUEUE,
                              .queue = q,
                              .hsa = queue_handle(q),
                              .call = q->callback,
                              .data = q->data,
                              .error = q->error,
                              .inactive = q->inactive};
    add(&e->work);
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
    NEED(signal && !signal->gpu_only && !signal->ipc && !signal->queue, ST_INVALID_SIGNAL);
    struct handler *h = calloc(1, sizeof *h);
    NEED(h, ST_OUT_OF_RESOURCES);
    *h = (struct handler){.work.kind = WORK_HANDLER,
                          .signal = signal,
                          .condition = condition,
                          .value = value,
                          .call = call,
                          .argument = argument};
    h->subscriber = (struct subscriber){.kind = SUB_HANDLER, .owner = h, .signal = signal};
    pthread_mutex_lock(&lock);
    const bool ready = start();
    if (ready) {
        h->next = handlers;
        handlers = h;
        h->work.queued = true; // nobody runs it before it is subscribed
    }
    pthread_mutex_unlock(&lock);
    if (!ready) {
        free(h);
        return ST_OUT_OF_RESOURCES;
    }
    subscribe(&h->subscriber, signal);
    pthread_mutex_lock(&lock);
    h->work.queued = false;
    enqueue(&h->work); // the condition may hold already
    pthread_mutex_unlock(&lock);
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
    pthread_mutex_lock(&lock);
    const bool added = array_push(&listeners, (struct listener){call, data});
    pthread_mutex_unlock(&lock);
    return added ? ST_SUCCESS : ST_OUT_OF_RESOURCES;
}
