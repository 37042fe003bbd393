// SPDX-License-Identifier: MIT
// Copies that run while their caller does something else. One without open dependencies is made in the call
// when that takes no longer than to have somebody else do it; large ones by the workers of a GPU, in pieces.
// Those that wait for signals begin in a thread of their own, in the order in which these allow it.
#include <stdlib.h>
#include <string.h>

#include "hsa/log.h"
#include "hsa/map.h"
#include "hsa/trace.h"

enum { INLINE_BYTES = 1 << 20 };

struct copy {
    struct copy *next, *next_waiting, **waiting_at;
    bool queued; // in the list of those that are to be looked at; under the lock
    char *to;
    const char *from;
    size_t bytes; // of a row
    struct dim3 range;
    size_t to_pitch, to_slice, from_pitch, from_slice;
    bool rect;
    handle_t to_agent, from_agent;
    struct signal *completion; // NULL: none
    uint32_t dep_count;
    struct subscriber *deps; // each knows its signal
    // Of those that workers make.
    sw_job *job;
    struct copy *next_running;
    bool ended; // atomic
    uint64_t start;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct copy *first, **last = &first;
static struct copy *waiting; // all that wait for signals
static pthread_t thread;
static bool started, quit;

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
// NULL: both ranges are there. Else the one that is not.
static const void *missing_range(const struct copy *c) {
    if (!c->bytes) return NULL;
    if (!host_may_access(c->to, extent(c, true), true)) return c->to;
    return host_may_access(c->from, extent(c, false), false) ? NULL : c->from;
}
static void run(const struct copy *c) {
    for (uint32_t z = 0; z < (c->rect ? c->range.z : 1); z++)
        for (uint32_t y = 0; y < (c->rect ? c->range.y : 1); y++)
            copy_bytes(c->to + z * c->to_slice + y * c->to_pitch,
                       c->from + z * c->from_slice + y * c->from_pitch, c->bytes);
    if (c->bytes) memory_changed_code(handle_of(c->to), extent(c, true));
}
static uint64_t total_bytes(const struct copy *c) {
    return c->rect ? (uint64_t)c->bytes * c->range.y * c->range.z : c->bytes;
}
static void complete(const struct copy *c, uint64_t start) {
    const uint64_t end = monotonic_ns();
    if (trace_on) trace_copy(total_bytes(c), start, end);
    if (c->completion) signal_complete(c->completion, start, end);
}
static void perform(const struct copy *c) {
    const uint64_t start = monotonic_ns();
    run(c);
    complete(c, start);
}

// ---- On workers ----

static pthread_mutex_t running_lock = PTHREAD_MUTEX_INITIALIZER;
static struct copy *running_copies;

static void ended(void *argument, sw_job *job) {
    struct copy *c = argument;
    (void)job;
    const enum context before = context;
    struct agent *const agent_before = context_agent;
    context = IN_DONE;
    context_agent = agent_at(1);
    complete(c, c->start);
    context = before;
    context_agent = agent_before;
    __atomic_store_n(&c->ended, true, __ATOMIC_RELEASE);
}

// Frees what has ended; `all`: waits for the rest.
static void reap(bool all) {
    pthread_mutex_lock(&running_lock);
    struct copy *list = NULL;
    for (struct copy **at = &running_copies, *c; (c = *at);) {
        if (!all && !__atomic_load_n(&c->ended, __ATOMIC_ACQUIRE)) {
            at = &c->next_running;
            continue;
        }
        *at = c->next_running;
        c->next_running = list;
        list = c;
    }
    pthread_mutex_unlock(&running_lock);
    while (list) {
        struct copy *c = list;
        list = c->next_running;
        sw_job_finish(c->job, NULL, NULL, NULL);
        free(c);
    }
}

// Takes the copy, which nobody else knows of any more, unless it gives false.
static bool give_to_workers(struct copy *c) {
    if (!running()->gpu_count || total_bytes(c) <= INLINE_BYTES ||
        memory_holds_code(handle_of(c->to), extent(c, true)))
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
    pthread_mutex_lock(&running_lock);
    const bool begun = sw_device_transfer(running()->gpus[0].device, &t, &listen, &c->job, NULL) == SW_OK;
    if (begun) {
        c->next_running = running_copies;
        running_copies = c;
    }
    pthread_mutex_unlock(&running_lock);
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
    c->waiting_at = &waiting;
    if ((c->next_waiting = waiting)) waiting->waiting_at = &c->next_waiting;
    waiting = c;
}
// Nobody is to look at it any more.
static void take_out(struct copy *c) {
    for (uint32_t i = 0; i < c->dep_count; i++) unsubscribe(&c->deps[i]);
    pthread_mutex_lock(&lock);
    if (c->next_waiting) c->next_waiting->waiting_at = c->waiting_at;
    *c->waiting_at = c->next_waiting;
    // A signal may have changed once more before that: then it is in the list.
    struct copy **at = &first;
    while (*at && *at != c) at = &(*at)->next;
    if (*at) {
        *at = c->next;
        if (last == &c->next) last = at;
    }
    pthread_mutex_unlock(&lock);
}

// The program may have freed the memory since it asked for the copy: a memory fault, as a card's engine has
// it.
static bool is_gone(const struct copy *c) {
    const void *missing = missing_range(c);
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

static void *copy_main(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    while (!quit) {
        struct copy *c = first;
        if (!c) {
            pthread_cond_wait(&more, &lock);
            continue;
        }
        first = c->next;
        if (!first) last = &first;
        c->queued = false;
        pthread_mutex_unlock(&lock);
        if (is_ready(c)) {
            take_out(c);
            begin(c);
        }
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void enqueue_locked(struct copy *c) {
    if (c->queued) return;
    c->queued = true;
    c->next = NULL;
    *last = c;
    last = &c->next;
    pthread_cond_signal(&more);
}
static void enqueue(struct copy *c) {
    pthread_mutex_lock(&lock);
    enqueue_locked(c);
    pthread_mutex_unlock(&lock);
}
void copy_poke(struct subscriber *s) { enqueue(s->owner); }

static bool start(void) {
    pthread_mutex_lock(&lock);
    if (!started) quit = false, started = thread_start(&thread, "copy", copy_main, NULL);
    const bool ready = started;
    pthread_mutex_unlock(&lock);
    return ready;
}

void copies_close(void) {
    pthread_mutex_lock(&lock);
    const bool join = started;
    const pthread_t which = thread;
    started = false;
    quit = true;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    if (join) pthread_join(which, NULL);
    reap(true);
    while (waiting) { // for signals that nobody sets any more
        struct copy *c = waiting;
        take_out(c);
        free(c);
    }
}
void copies_forget(void) {
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_init(&running_lock, NULL);
    pthread_cond_init(&more, NULL);
    running_copies = waiting = NULL;
    first = NULL;
    last = &first;
    started = quit = false;
}

// Subscribes to the dependencies that are open and hands the copy to the thread.
static status wait_in_thread(struct copy *c, const struct signal_list *deps) {
    NEED(start(), (free(c), ST_OUT_OF_RESOURCES));
    c->deps = (struct subscriber *)(c + 1);
    c->dep_count = 0;
    pthread_mutex_lock(&lock);
    c->queued = true; // the thread leaves it alone until all is set
    add_waiting(c);
    pthread_mutex_unlock(&lock);
    for (uint32_t i = 0; i < deps->count; i++)
        if (is_open(deps->items[i]))
            c->deps[c->dep_count++] =
                (struct subscriber){.kind = SUB_COPY, .owner = c, .signal = deps->items[i]};
    for (uint32_t i = 0; i < c->dep_count; i++) subscribe(&c->deps[i], c->deps[i].signal);
    // It may be ready by now. Once others can put it into the list, the thread may take and free it.
    pthread_mutex_lock(&lock);
    c->queued = false;
    enqueue_locked(c);
    pthread_mutex_unlock(&lock);
    return ST_SUCCESS;
}

static status submit(const struct copy *like, const struct signal_list *deps) {
    bool open = false;
    for (uint32_t i = 0; i < deps->count; i++) open |= is_open(deps->items[i]);
    if (!open && total_bytes(like) <= INLINE_BYTES) {
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

static void log_copy(const struct copy *c, uint32_t count, handle_t completion) {
    const unsigned kind = c->rect || c->to_agent == c->from_agent ? LOG_BLIT : LOG_ENGINE;
    if (!c->bytes || !logs(kind)) return;
    log_print("%s of %llu bytes from %p to %p, %u dependencies, completion signal 0x%llx",
              kind == LOG_BLIT ? "copy" : "copy between agents", (unsigned long long)total_bytes(c),
              (const void *)c->from, (void *)c->to, count, (unsigned long long)completion);
}
// Looks up the signals that a call names, then submits. `needs_signal`: the completion may not be 0.
static status begin_call(struct copy *c, uint32_t count, const handle_t *handles, handle_t completion,
                         bool needs_signal) {
    struct signal_list deps;
    NEED(handles || !count, ST_INVALID_ARGUMENT);
    NEED(!missing_range(c), ST_INVALID_ALLOCATION);
    c->completion = signal_of(completion);
    NEED(c->completion || (!completion && !needs_signal), ST_INVALID_SIGNAL);
    status st = signals_take(&deps, count, handles);
    NEED(st == ST_SUCCESS, st);
    for (uint32_t i = 0; i < count && st == ST_SUCCESS; i++)
        if (!deps.items[i]) st = ST_INVALID_SIGNAL;
    if (st == ST_SUCCESS) log_copy(c, count, completion);
    if (st == ST_SUCCESS && (c->bytes || !needs_signal))
        st = submit(c, &deps); // of no bytes: the signal is left alone
    signals_let_go(&deps);
    return st;
}

// ---- The interface ----

HSA(status, hsa_amd_memory_async_copy, void *to, handle_t to_agent, const void *from, handle_t from_agent,
    size_t size, uint32_t count, const handle_t *deps, handle_t completion) {
    NEED_RUNTIME;
    NEED(to && from, ST_INVALID_ARGUMENT);
    NEED(agent_of(to_agent) && agent_of(from_agent), ST_INVALID_AGENT);
    struct copy c = {.to = host_pointer(to),
                     .from = host_pointer(from),
                     .bytes = size,
                     .to_agent = to_agent,
                     .from_agent = from_agent};
    return begin_call(&c, count, deps, completion, true);
}

HSA(status, hsa_amd_memory_async_copy_on_engine, void *to, handle_t to_agent, const void *from,
    handle_t from_agent, size_t size, uint32_t count, const handle_t *deps, handle_t completion,
    uint32_t engine, bool force) {
    (void)force;
    NEED_RUNTIME;
    NEED(engine && !(engine & (engine - 1)), ST_INVALID_ARGUMENT);
    NEED(engine <= 2, ST_OUT_OF_RESOURCES); // as many engines as the agent says
    return hsa_amd_memory_async_copy(to, to_agent, from, from_agent, size, count, deps, completion);
}
HSA(status, hsa_amd_memory_copy_engine_status, handle_t to, handle_t from, uint32_t *mask) {
    NEED_RUNTIME;
    NEED(agent_of(to) && agent_of(from), ST_INVALID_AGENT);
    NEED(mask, ST_INVALID_ARGUMENT);
    *mask = 3;
    return ST_SUCCESS;
}
// No engine is better than another: 0, and clients take one of those that the status call names.
HSA(status, hsa_amd_memory_get_preferred_copy_engine, handle_t to, handle_t from, uint32_t *mask) {
    NEED_RUNTIME;
    NEED(agent_of(to) && agent_of(from), ST_INVALID_AGENT);
    NEED(mask, ST_INVALID_ARGUMENT);
    *mask = 0;
    return ST_SUCCESS;
}

// a + b * c; false: more than 64 bits.
static bool add_product(uint64_t *a, uint64_t b, uint64_t c) {
    return !__builtin_mul_overflow(b, c, &c) && !__builtin_add_overflow(*a, c, a);
}
// NULL: the box does not lie in 64 bits of address.
static void *begin_of_box(const struct pitched *p, const struct dim3 *offset, const struct dim3 *range) {
    uint64_t at = handle_of(host_pointer(p->base));
    if (!add_product(&at, offset->x, 1) || !add_product(&at, offset->y, p->pitch) ||
        !add_product(&at, offset->z, p->slice))
        return NULL;
    uint64_t end = at;
    const bool fits = add_product(&end, range->x, 1) && add_product(&end, range->y - 1, p->pitch) &&
                      add_product(&end, range->z - 1, p->slice);
    return fits ? (void *)(uintptr_t)at : NULL;
}

HSA(status, hsa_amd_memory_async_copy_rect, const struct pitched *to, const struct dim3 *to_offset,
    const struct pitched *from, const struct dim3 *from_offset, const struct dim3 *range, handle_t agent,
    int direction, uint32_t count, const handle_t *deps, handle_t completion) {
    NEED_RUNTIME;
    (void)direction;
    NEED(to && from && to_offset && from_offset && range && to->base && from->base, ST_INVALID_ARGUMENT);
    NEED(agent_gpu(agent), ST_INVALID_AGENT);
    struct copy c = {.rect = true, .bytes = range->x, .range = *range};
    if (!range->y || !range->z) c.bytes = 0;
    if (c.bytes) {
        NEED(range->y == 1 || (to->pitch && from->pitch), ST_INVALID_ARGUMENT);
        NEED(range->z == 1 || (to->slice && from->slice), ST_INVALID_ARGUMENT);
        c.to = begin_of_box(to, to_offset, range);
        c.from = begin_of_box(from, from_offset, range);
        NEED(c.to && c.from, ST_INVALID_ALLOCATION);
    }
    c.to_pitch = to->pitch, c.to_slice = to->slice;
    c.from_pitch = from->pitch, c.from_slice = from->slice;
    return begin_call(&c, count, deps, completion, true);
}

// Memory has one place: what is left of a prefetch is its order, its signal and the attribute.
HSA(status, hsa_amd_svm_prefetch_async, void *p, size_t size, handle_t agent, uint32_t count,
    const handle_t *deps, handle_t completion) {
    NEED_RUNTIME;
    NEED(p && size, ST_INVALID_ARGUMENT);
    NEED(agent_of(agent), ST_INVALID_AGENT);
    struct copy c = {0};
    const status st = begin_call(&c, count, deps, completion, false);
    NEED(st == ST_SUCCESS, st);
    pthread_rwlock_wrlock(&map_lock);
    for (size_t i = 0; i < memory_map.svm.count; i++) {
        struct svm_range *r = &memory_map.svm.items[i];
        if (r->lo < handle_of(p) + size && handle_of(p) < r->hi) r->attribute[5] = agent;
    }
    pthread_rwlock_unlock(&map_lock);
    return ST_SUCCESS;
}

// ---- Times ----

HSA(status, hsa_amd_profiling_async_copy_enable, bool enable) {
    NEED_RUNTIME;
    (void)enable; // times are kept always
    return ST_SUCCESS;
}
static status times_of(handle_t handle, struct times *out) {
    NEED(out, ST_INVALID_ARGUMENT);
    const struct signal *s = signal_of(handle);
    NEED(s && !s->queue, ST_INVALID_SIGNAL);
    *out = slot_times(signal_index(s));
    return ST_SUCCESS;
}
HSA(status, hsa_amd_profiling_get_dispatch_time, handle_t agent, handle_t signal, struct times *out) {
    NEED_RUNTIME;
    NEED(agent_gpu(agent), ST_INVALID_AGENT);
    return times_of(signal, out);
}
HSA(status, hsa_amd_profiling_get_async_copy_time, handle_t signal, struct times *out) {
    NEED_RUNTIME;
    return times_of(signal, out);
}
HSA(status, hsa_amd_profiling_convert_tick_to_system_domain, handle_t agent, uint64_t tick, uint64_t *out) {
    NEED_RUNTIME;
    NEED(agent_gpu(agent), ST_INVALID_AGENT);
    NEED(out, ST_INVALID_ARGUMENT);
    *out = tick; // one clock for all
    return ST_SUCCESS;
}
