// SPDX-License-Identifier: MIT
// From a packet to a job of the device, and what follows when it ends.
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "hsa/queue/queue.h"
#include "hsa/service/context.h"
#include "hsa/tell/trace.h"

enum { PACKETS_A_PAGE = PAGE / sizeof(union packet), MOST_AT_ONCE = 64 }; // dispatches of a queue

// ---- Records ----

static bool more_records(struct queue *q) {
    union packet *page = own_memory(PAGE);
    if (!page) return false;
    const uint64_t at = handle_of(page);
    if (rights_set(at, at + PAGE, gpu_bit(q->agent), SW_RIGHT_READ) != ST_SUCCESS ||
        !array_push(&q->pages, page)) {
        own_memory_free(page, PAGE);
        return false;
    }
    for (size_t i = 0; i < PACKETS_A_PAGE; i++) {
        struct record *r = calloc(1, sizeof *r);
        if (!r) break;
        r->queue = q;
        r->shown = &page[i];
        r->next = q->free;
        q->free = r;
    }
    return q->free != NULL;
}

static struct record *take_record(struct queue *q) {
    if (!q->free && !more_records(q)) return NULL;
    struct record *r = q->free;
    q->free = r->next;
    r->job = NULL;
    __atomic_store_n(&r->over, false, __ATOMIC_RELAXED);
    return r;
}

static void link_running(struct queue *q, struct record *r) {
    r->next = q->running;
    r->link = &q->running;
    if (r->next) r->next->link = &r->next;
    q->running = r;
}
static void unlink_running(struct record *r) {
    *r->link = r->next;
    if (r->next) r->next->link = r->link;
}

// Ends what has ended. Only where this thread is no worker: it waits for the last steps of each job's end.
void launches_reap(struct queue *q) {
    struct record *r = __atomic_exchange_n(&q->done, NULL, __ATOMIC_ACQ_REL);
    while (r) {
        struct record *next = r->next_done;
        __atomic_sub_fetch(&q->done_count, 1, __ATOMIC_RELAXED);
        sw_job_finish(r->job, NULL, NULL, NULL);
        unlink_running(r);
        loaded_unuse(r->loaded);
        r->next = q->free;
        q->free = r;
        r = next;
    }
}

// ---- The end of a job ----

static void push_done(struct queue *q, struct record *r) {
    struct record *first = __atomic_load_n(&q->done, __ATOMIC_RELAXED);
    do r->next_done = first;
    while (!__atomic_compare_exchange_n(&q->done, &first, r, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static void ended(void *argument, sw_job *job) {
    struct record *r = argument;
    struct queue *q = r->queue;
    sw_fault fault = {.size = sizeof fault};
    sw_counts counts = {.size = sizeof counts};
    const struct context before = context_enter(IN_DONE, q->agent);
    sw_job_look(job, &fault, &counts);
    if (progress_on) {
        __atomic_store_n(&r->over, true, __ATOMIC_SEQ_CST);
        progress_clear(); // before the program hears of it and writes
    }
    if (trace_on) {
        const struct symbol *k = loaded_kernel(r->loaded, r->packet.dispatch.kernel_object);
        trace_dispatch(q->agent->name, q->agent->index, q->id, k ? k->name : "(unknown)", &counts);
    }
    struct signal *completion = signal_of(r->packet.dispatch.completion);
    if (fault.kind == SW_FAULT_NONE) {
        if (completion) signal_complete(completion, counts.begin_ns, counts.end_ns);
    } else if (!(fault.kind == SW_FAULT_STOPPED && queue_state(q) == QUEUE_STOPS))
        fault_deliver(q, &fault, r);
    __atomic_sub_fetch(&q->in_flight, 1, __ATOMIC_SEQ_CST);
    const uint32_t waiting = __atomic_add_fetch(&q->done_count, 1, __ATOMIC_RELAXED);
    push_done(q, r);
    queue_kick(q);
    if (waiting % 64 == 0) queue_kick_later(q, 0); // nobody rings, so nobody else ends what has ended
    context_leave(before);
}

// ---- The begin ----

static status check(const struct queue *q, const union packet *p, uint32_t grid[3], uint32_t block[3]) {
    const unsigned dimensions = p->dispatch.setup & 3;
    NEED(dimensions, ST_INCOMPATIBLE_ARGUMENTS);
    uint64_t items = 1;
    for (unsigned i = 0; i < 3; i++) {
        grid[i] = i < dimensions ? p->dispatch.grid[i] : 1;
        block[i] = i < dimensions ? p->dispatch.workgroup[i] : 1;
        NEED(grid[i] && block[i], ST_INCOMPATIBLE_ARGUMENTS);
        NEED(block[i] <= 1024, ST_INVALID_ARGUMENT);
        items *= block[i];
    }
    NEED(items <= 1024, ST_INVALID_ARGUMENT);
    NEED(p->dispatch.group_size <= q->agent->info.lds_bytes, ST_INVALID_ALLOCATION);
    NEED(p->dispatch.private_size <= SCRATCH_BYTES, ST_OUT_OF_RESOURCES);
    return ST_SUCCESS;
}

static void report(void *argument, const sw_diagnostic *d) {
    if (d->severity == SW_SEVERITY_ERROR)
        runtime_complain("kernel %s: %s", (const char *)argument, d->message);
}

// NULL: all units.
static const uint32_t *unit_mask(const struct queue *q) {
    if (!q->is_masked) return NULL;
    for (unsigned i = 0; i < CU_MASK_WORDS; i++)
        if (q->cu_mask[i]) return q->cu_mask;
    return q->agent->is_masked ? q->agent->cu_mask : NULL; // the program's mask is empty
}

static status submit(struct queue *q, const union packet *p, struct record *r, const struct symbol *k,
                     const uint32_t grid[3], const uint32_t block[3]) {
    sw_dispatch d = {.size = sizeof d,
                     .executable = r->loaded->code,
                     .descriptor = p->dispatch.kernel_object,
                     .kernarg = p->dispatch.kernarg,
                     .group_segment_size = p->dispatch.group_size,
                     .private_segment_size = p->dispatch.private_size,
                     .dispatch_id = r->number,
                     .timeout = running()->timeout,
                     .packet = handle_of(r->shown),
                     .queue = handle_of(q->block),
                     .priority = (int)q->priority,
                     // Clients count on it: no more waves of a queue than the agent says it holds.
                     .wave_limit = q->max_waves,
                     .unit_mask = unit_mask(q),
                     .unit_mask_words = CU_MASK_WORDS};
    memcpy(d.grid, grid, sizeof d.grid);
    memcpy(d.block, block, sizeof d.block);
    steps_observe(q->agent, k, &d);
    const sw_submit_options listen = {.size = sizeof listen, .done = ended, .context = r};
    const sw_sink sink = {report, k ? k->name : (void *)"(unknown)"};
    sw_job *job;
    const sw_status st = sw_device_submit(q->agent->device, &d, &listen, &job, &sink);
    r->job = job; // read only by who holds the queue, as this thread does
    return st == SW_OK            ? ST_SUCCESS
           : st == SW_NO_MEMORY   ? ST_OUT_OF_RESOURCES
           : st == SW_UNSUPPORTED ? ST_ILLEGAL_INSTRUCTION
                                  : ST_INVALID_ISA;
}

// Memory that was unmapped takes rights with it, for which a worker must not wait.
static bool settle(struct queue *q) {
    if (context.place != IN_HOST) {
        queue_kick_later(q, 0);
        return false;
    }
    memory_settle();
    return true;
}

bool queue_launch(struct queue *q, const union packet *p) {
    uint32_t grid[3], block[3];
    if (__builtin_expect(unmapped_any(), 0) && !settle(q)) return false;
    status st = check(q, p, grid, block);
    struct loaded *l = st == ST_SUCCESS ? loaded_use(q->agent, p->dispatch.kernel_object) : NULL;
    if (st == ST_SUCCESS && !l) st = ST_INVALID_CODE_OBJECT;
    if (st != ST_SUCCESS) {
        queue_fail(q, st);
        return false;
    }
    if (__atomic_load_n(&q->in_flight, __ATOMIC_SEQ_CST) >= MOST_AT_ONCE) {
        loaded_unuse(l);
        return false; // the end of one looks again
    }
    const struct symbol *k = loaded_kernel(l, p->dispatch.kernel_object);
    struct record *r = take_record(q);
    if (!r) {
        loaded_unuse(l);
        queue_fail(q, ST_OUT_OF_RESOURCES);
        return false;
    }
    r->packet = *r->shown = *p;
    r->loaded = l;
    if (progress_on) progress_begins(r);
    __atomic_add_fetch(&q->in_flight, 1, __ATOMIC_SEQ_CST);
    link_running(q, r);
    r->number = q->read_index;
    packet_leave(q);
    st = submit(q, p, r, k, grid, block);
    if (st == ST_SUCCESS) return true;
    __atomic_sub_fetch(&q->in_flight, 1, __ATOMIC_SEQ_CST);
    unlink_running(r);
    r->next = q->free;
    q->free = r;
    loaded_unuse(l);
    queue_fail(q, st);
    return false;
}
