// SPDX-License-Identifier: MIT
// Asynchronous copies. A small copy without open dependencies is made in the call, where handing it over
// would take as long. Workers of a GPU make large copies, in pieces. The copy thread starts copies that wait
// for signals, in the order in which their signals allow it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "hsa/queue/queue.h"
#include "hsa/service/context.h"
#include "hsa/service/service.h"
#include "hsa/tell/trace.h"

enum { INLINE_BYTES = 1 << 20 };

static uint64_t step(struct service *s);
static struct service service = SERVICE("copy", .step = step);
static struct {                 // under the service's lock
    struct copy *first, **last; // to be looked at
    struct copy *waiting;       // all that wait for signals
} copies = {.last = &copies.first};
static struct {
    pthread_mutex_t lock;
    struct copy *first; // of those that workers make
} running_copies = {.lock = PTHREAD_MUTEX_INITIALIZER};

// ---- Copying ----

static void copy_bytes(char *to, const char *from, size_t n) {
    if (!n) return;
    if (to < from + n && from < to + n)
        memmove(to, from, n);
    else
        memcpy(to, from, n);
}
// Bytes from the first to the last of what is written, or read.
static uint64_t extent(const struct copy *c, bool to) {
    const uint64_t slice = to ? c->to_slice : c->from_slice, pitch = to ? c->to_pitch : c->from_pitch;
    return c->rect ? (c->range.z - 1) * slice + (c->range.y - 1) * pitch + c->bytes : c->bytes;
}
const void *copy_missing_range(const struct copy *c) {
    if (!c->bytes) return NULL;
    if (!host_may_access(c->to, extent(c, true), true)) return c->to;
    return host_may_access(c->from, extent(c, false), false) ? NULL : c->from;
}
static void run(const struct copy *c) {
    for (uint32_t z = 0; z < (c->rect ? c->range.z : 1); z++)
        for (uint32_t y = 0; y < (c->rect ? c->range.y : 1); y++)
            copy_bytes(c->to + z * c->to_slice + y * c->to_pitch,
                       c->from + z * c->from_slice + y * c->from_pitch, c->bytes);
    if (c->bytes) code_changed(handle_of(c->to), extent(c, true));
}
uint64_t copy_total_bytes(const struct copy *c) {
    return c->rect ? (uint64_t)c->bytes * c->range.y * c->range.z : c->bytes;
}
static void complete(const struct copy *c, uint64_t start) {
    const uint64_t end = monotonic_ns();
    if (trace_on) trace_copy(copy_total_bytes(c), start, end);
    if (c->completion) signal_complete(c->completion, start, end);
}
static void perform(const struct copy *c) {
    const uint64_t start = monotonic_ns();
    run(c);
    complete(c, start);
}

// ---- On workers ----

static void ended(void *argument, sw_job *job) {
    struct copy *c = argument;
    (void)job;
    const struct context before = context_enter(IN_DONE, agent_at(1));
    complete(c, c->start);
    context_leave(before);
    __atomic_store_n(&c->ended, true, __ATOMIC_RELEASE);
}

// Frees what has ended; `all`: waits for the rest.
static void reap(bool all) {
    pthread_mutex_lock(&running_copies.lock);
    struct copy *list = NULL;
    for (struct copy **at = &running_copies.first, *c; (c = *at);) {
        if (!all && !__atomic_load_n(&c->ended, __ATOMIC_ACQUIRE)) {
            at = &c->next_running;
            continue;
        }
        *at = c->next_running;
        c->next_running = list;
        list = c;
    }
    pthread_mutex_unlock(&running_copies.lock);
    while (list) {
        struct copy *c = list;
        list = c->next_running;
        sw_job_finish(c->job, NULL, NULL, NULL);
        free(c);
    }
}

// Takes the copy, which nobody else knows of any more, unless it gives false.
static bool give_to_workers(struct copy *c) {
    if (!running()->gpu_count || copy_total_bytes(c) <= INLINE_BYTES ||
        code_lies_in(handle_of(c->to), extent(c, true)))
        return false;
    const sw_submit_options listen = {.size = sizeof listen, .done = ended, .context = c};
    sw_transfer t = {.size = sizeof t, .to = c->to, .from = c->from, .bytes = c->bytes};
    if (c->rect) {
        t.rows = c->range.y, t.slices = c->range.z;
        t.to_pitch = c->to_pitch, t.from_pitch = c->from_pitch;
        t.to_slice = c->to_slice, t.from_slice = c->from_slice;
    }
    reap(false);
    c->start = monotonic_ns();
    c->ended = false;
    c->job = NULL;
    pthread_mutex_lock(&running_copies.lock);
    const bool begun = sw_device_transfer(running()->gpus[0].device, &t, &listen, &c->job, NULL) == SW_OK;
    if (begun) {
        c->next_running = running_copies.first;
        running_copies.first = c;
    }
    pthread_mutex_unlock(&running_copies.lock);
    return begun;
}

// A signal that was destroyed holds nothing up.
static bool is_open(const struct signal *s) {
    return s && __atomic_load_n(&s->live, __ATOMIC_ACQUIRE) && signal_value(s) != 0;
}
static bool is_ready(const struct copy *c) {
    for (uint32_t i = 0; i < c->dep_count; i++)
        if (is_open(c->deps[i].signal)) return false;
    return true;
}

// ---- The thread ----

static void add_waiting(struct copy *c) { // under the lock
    c->waiting_at = &copies.waiting;
    if ((c->next_waiting = copies.waiting)) copies.waiting->waiting_at = &c->next_waiting;
    copies.waiting = c;
}
// Nobody is to look at it any more.
static void take_out(struct copy *c) {
    for (uint32_t i = 0; i < c->dep_count; i++) signal_unsubscribe(&c->deps[i]);
    pthread_mutex_lock(&service.lock);
    if (c->next_waiting) c->next_waiting->waiting_at = c->waiting_at;
    *c->waiting_at = c->next_waiting;
    // A signal may have changed once more before that: then it is in the list.
    struct copy **at = &copies.first;
    while (*at && *at != c) at = &(*at)->next;
    if (*at) {
        *at = c->next;
        if (copies.last == &c->next) copies.last = at;
    }
    pthread_mutex_unlock(&service.lock);
}

// The program may have freed the memory since it asked for the copy: a memory fault, as a card's engine has
// it.
static bool is_gone(const struct copy *c) {
    const void *missing = copy_missing_range(c);
    if (missing)
        event_memory_fault(agent_at(running()->gpu_count ? 1 : 0), handle_of(missing) & ~(uint64_t)(PAGE - 1),
                           FAULT_NOT_PRESENT);
    return missing;
}
static void begin(struct copy *c) {
    if (is_gone(c)) {
        free(c);
        return;
    }
    if (give_to_workers(c)) return;
    perform(c);
    free(c);
}

static uint64_t step(struct service *s) {
    struct copy *c = copies.first;
    if (!c) return SERVICE_WHEN_WOKEN;
    copies.first = c->next;
    if (!copies.first) copies.last = &copies.first;
    c->queued = false;
    pthread_mutex_unlock(&s->lock);
    if (is_ready(c)) {
        take_out(c);
        begin(c);
    }
    pthread_mutex_lock(&s->lock);
    return SERVICE_AT_ONCE;
}

static void enqueue_locked(struct copy *c) {
    if (c->queued) return;
    c->queued = true;
    c->next = NULL;
    *copies.last = c;
    copies.last = &c->next;
    service_wake(&service);
}
static void dependency_changed(struct subscriber *s) {
    pthread_mutex_lock(&service.lock);
    enqueue_locked(s->owner);
    pthread_mutex_unlock(&service.lock);
}

void copies_close(void) {
    service_stop(&service);
    reap(true);
    while (copies.waiting) { // for signals that nobody sets any more
        struct copy *c = copies.waiting;
        take_out(c);
        free(c);
    }
}
void copies_forget(void) {
    service_forget(&service);
    pthread_mutex_init(&running_copies.lock, NULL);
    running_copies.first = copies.waiting = copies.first = NULL;
    copies.last = &copies.first;
}

// Subscribes to the dependencies that are open and hands the copy to the thread.
static status wait_in_thread(struct copy *c, const struct signal_list *deps) {
    c->deps = (struct subscriber *)(c + 1);
    c->dep_count = 0;
    c->queued = true; // the thread leaves it alone until all is set
    pthread_mutex_lock(&service.lock);
    const bool started = service_start(&service);
    if (started) add_waiting(c);
    pthread_mutex_unlock(&service.lock);
    NEED(started, (free(c), ST_OUT_OF_RESOURCES));
    for (uint32_t i = 0; i < deps->count; i++)
        if (is_open(deps->items[i]))
            c->deps[c->dep_count++] =
                (struct subscriber){.changed = dependency_changed, .owner = c, .signal = deps->items[i]};
    for (uint32_t i = 0; i < c->dep_count; i++) signal_subscribe(&c->deps[i], c->deps[i].signal);
    // It may be ready by now. Once others can put it into the list, the thread may take and free it.
    pthread_mutex_lock(&service.lock);
    c->queued = false;
    enqueue_locked(c);
    pthread_mutex_unlock(&service.lock);
    return ST_SUCCESS;
}

status copy_submit(const struct copy *like, const struct signal_list *deps) {
    bool open = false;
    for (uint32_t i = 0; i < deps->count; i++) open |= is_open(deps->items[i]);
    if (!open && copy_total_bytes(like) <= INLINE_BYTES) {
        perform(like);
        return ST_SUCCESS;
    }
    struct copy *c = malloc(sizeof *c + deps->count * sizeof *c->deps);
    NEED(c, ST_OUT_OF_RESOURCES);
    *c = *like;
    if (!open && give_to_workers(c)) return ST_SUCCESS;
    *c = *like;
    return wait_in_thread(c, deps);
}
