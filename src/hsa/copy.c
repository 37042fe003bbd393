// SPDX-License-Identifier: MIT
// Copies that run while their caller does something else. One without open dependencies is made in the call
// when that takes no longer than to have somebody else do it; large ones by the workers of a GPU, in pieces.
// Those that wait for signals begin in a thread of their own, in the order in which these allow it.
#include <stdlib.h>
#include <string.h>

#include "hsa/map.h"
#include "hsa/trace.h"

enum { INLINE_BYTES = 1 << 20 };

struct copy {
    struct copy *next;
    bool queued; // in the list of those that are to be looked at; under the lock
    char *to;
    const char *from;
    size_t bytes; // of a row
    struct dim3 range;
    size_t to_pitch, to_slice, from_pitch, from_slice;
    bool rect;
    handle_t completion;
    uint32_t dep_count;
    struct subscriber *deps;
    handle_t *dep_signals;
    // Of those that workers make.
    sw_job *job;
    struct copy *next_running;
    bool ended; // atomic
    uint64_t start;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct copy *first, **last = &first;
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
static uint64_t extent(const struct copy *c) { // of what is written
    return c->rect ? (c->range.z - 1) * c->to_slice + (c->range.y - 1) * c->to_pitch + c->bytes : c->bytes;
}
static void run(const struct copy *c) {
    for (uint32_t z = 0; z < (c->rect ? c->range.z : 1); z++)
        for (uint32_t y = 0; y < (c->rect ? c->range.y : 1); y++)
            copy_bytes(c->to + z * c->to_slice + y * c->to_pitch,
                       c->from + z * c->from_slice + y * c->from_pitch, c->bytes);
    if (c->bytes) memory_changed_code(handle_of(c->to), extent(c));
}
static uint64_t total_bytes(const struct copy *c) {
    return c->rect ? (uint64_t)c->bytes * c->range.y * c->range.z : c->bytes;
}
static void complete(const struct copy *c, uint64_t start) {
    const uint64_t end = clock_now();
    if (trace_on) trace_copy(total_bytes(c), start, end);
    queue_complete(c->completion, start, end);
}
static void perform(const struct copy *c) {
    const uint64_t start = clock_now();
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
        memory_holds_code(handle_of(c->to), extent(c)))
        return false;
    const sw_submit_options listen = {.size = sizeof listen, .done = ended, .context = c};
    sw_transfer t = {.size = sizeof t, .to = c->to, .from = c->from, .bytes = c->bytes};
    if (c->rect) {
        t.rows = c->range.y, t.slices = c->range.z;
        t.to_pitch = c->to_pitch, t.from_pitch = c->from_pitch;
        t.to_slice = c->to_slice, t.from_slice = c->from_slice;
    }
    reap(false);
    c->start = clock_now();
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

static bool is_open(handle_t s) { return s && signal_side(s) && signal_value(s) != 0; }
static bool is_ready(const struct copy *c) {
    for (uint32_t i = 0; i < c->dep_count; i++)
        if (is_open(c->dep_signals[i])) return false;
    return true;
}

// ---- The thread ----

// Nobody is to look at it any more.
static void take_out(struct copy *c) {
    for (uint32_t i = 0; i < c->dep_count; i++) unsubscribe(&c->deps[i]);
    pthread_mutex_lock(&lock); // told of a change once more before that: it is in the list
    struct copy **at = &first;
    while (*at && *at != c) at = &(*at)->next;
    if (*at) {
        *at = c->next;
        if (last == &c->next) last = at;
    }
    pthread_mutex_unlock(&lock);
}

static void begin(struct copy *c) {
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

static void enqueue(struct copy *c) {
    pthread_mutex_lock(&lock);
    if (!c->queued) {
        c->queued = true;
        c->next = NULL;
        *last = c;
        last = &c->next;
        pthread_cond_signal(&more);
    }
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
    first = NULL; // what still waits for signals never becomes ready
    last = &first;
}
void copies_forget(void) {
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_init(&running_lock, NULL);
    pthread_cond_init(&more, NULL);
    running_copies = NULL;
    first = NULL;
    last = &first;
    started = quit = false;
}

static status submit(const struct copy *like, uint32_t count, const handle_t *deps) {
    bool open = false;
    for (uint32_t i = 0; i < count; i++) open |= is_open(deps[i]);
    if (!open && total_bytes(like) <= INLINE_BYTES) {
        perform(like);
        return ST_SUCCESS;
    }
    struct copy *c = malloc(sizeof *c + count * (sizeof *c->deps + sizeof *c->dep_signals));
    NEED(c, ST_OUT_OF_RESOURCES);
    *c = *like;
    if (!open && give_to_workers(c)) return ST_SUCCESS;
    NEED(start(), (free(c), ST_OUT_OF_RESOURCES));
    *c = *like;
    c->deps = (struct subscriber *)(c + 1);
    c->dep_signals = (handle_t *)(c->deps + count);
    c->dep_count = 0;
    c->queued = true; // nobody runs it before all is set
    for (uint32_t i = 0; i < count; i++)
        if (is_open(deps[i])) c->dep_signals[c->dep_count++] = deps[i];
    for (uint32_t i = 0; i < c->dep_count; i++) {
        c->deps[i] = (struct subscriber){.kind = SUB_COPY, .owner = c};
        subscribe(&c->deps[i], c->dep_signals[i]);
    }
    pthread_mutex_lock(&lock);
    c->queued = false;
    pthread_mutex_unlock(&lock);
    enqueue(c); // it may be ready by now
    return ST_SUCCESS;
}

static status check(uint32_t count, const handle_t *deps, handle_t completion) {
    NEED(deps || !count, ST_INVALID_ARGUMENT);
    for (uint32_t i = 0; i < count; i++) NEED(signal_side(deps[i]), ST_INVALID_SIGNAL);
    NEED(signal_side(completion), ST_INVALID_SIGNAL);
    return ST_SUCCESS;
}

// ---- The interface ----

HSA(status, hsa_amd_memory_async_copy, void *to, handle_t to_agent, const void *from, handle_t from_agent,
    size_t size, uint32_t count, const handle_t *deps, handle_t completion) {
    NEED_RUNTIME;
    NEED(to && from, ST_INVALID_ARGUMENT);
    NEED(agent_of(to_agent) && agent_of(from_agent), ST_INVALID_AGENT);
    const status st = check(count, deps, completion);
    NEED(st == ST_SUCCESS, st);
    if (!size) return ST_SUCCESS; // the signal is left alone
    const struct copy c = {
        .to = host_pointer(to), .from = host_pointer(from), .bytes = size, .completion = completion};
    return submit(&c, count, deps);
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

HSA(status, hsa_amd_memory_async_copy_rect, const struct pitched *to, const struct dim3 *to_offset,
    const struct pitched *from, const struct dim3 *from_offset, const struct dim3 *range, handle_t agent,
    int direction, uint32_t count, const handle_t *deps, handle_t completion) {
    NEED_RUNTIME;
    (void)direction;
    NEED(to && from && to_offset && from_offset && range && to->base && from->base, ST_INVALID_ARGUMENT);
    NEED(agent_gpu(agent), ST_INVALID_AGENT);
    const status st = check(count, deps, completion);
    NEED(st == ST_SUCCESS, st);
    if (!range->x || !range->y || !range->z) return ST_SUCCESS;
    NEED(range->y == 1 || (to->pitch && from->pitch), ST_INVALID_ARGUMENT);
    NEED(range->z == 1 || (to->slice && from->slice), ST_INVALID_ARGUMENT);
    const struct copy c = {.rect = true,
                           .bytes = range->x,
                           .range = *range,
                           .to = (char *)host_pointer(to->base) + to_offset->x + to_offset->y * to->pitch +
                                 to_offset->z * to->slice,
                           .from = (char *)host_pointer(from->base) + from_offset->x +
                                   from_offset->y * from->pitch + from_offset->z * from->slice,
                           .to_pitch = to->pitch,
                           .to_slice = to->slice,
                           .from_pitch = from->pitch,
                           .from_slice = from->slice,
                           .completion = completion};
    return submit(&c, count, deps);
}

// Memory has one place: what is left of a prefetch is its order, its signal and the attribute.
HSA(status, hsa_amd_svm_prefetch_async, void *p, size_t size, handle_t agent, uint32_t count,
    const handle_t *deps, handle_t completion) {
    NEED_RUNTIME;
    NEED(p && size, ST_INVALID_ARGUMENT);
    NEED(agent_of(agent), ST_INVALID_AGENT);
    NEED(deps || !count, ST_INVALID_ARGUMENT);
    for (uint32_t i = 0; i < count; i++) NEED(signal_side(deps[i]), ST_INVALID_SIGNAL);
    NEED(!completion || signal_side(completion), ST_INVALID_SIGNAL);
    pthread_rwlock_wrlock(&map_lock);
    for (size_t i = 0; i < memory_map.svm.count; i++) {
        struct svm_range *r = &memory_map.svm.items[i];
        if (r->lo < handle_of(p) + size && handle_of(p) < r->hi) r->attribute[5] = agent;
    }
    pthread_rwlock_unlock(&map_lock);
    const struct copy c = {.completion = completion};
    return submit(&c, count, deps);
}

// ---- Times ----

HSA(status, hsa_amd_profiling_async_copy_enable, bool enable) {
    NEED_RUNTIME;
    (void)enable; // times are kept always
    return ST_SUCCESS;
}
static status times_of(handle_t signal, struct times *out) {
    NEED(out, ST_INVALID_ARGUMENT);
    const struct side *side = signal_side(signal);
    NEED(side && !side->queue, ST_INVALID_SIGNAL);
    *out = (struct times){signal_of(signal)->start_ts, signal_of(signal)->end_ts};
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
