// SPDX-License-Identifier: MIT
// Packets, taken in order by whoever holds the queue (DISP-01, DISP-05 to DISP-08).
#include <string.h>

#include "hsa/hsa.h"

enum { LOOK_AGAIN_NS = 50000, LOOK_AGAIN_MOST_NS = 1000000 };

enum step { TAKEN, LATER };

// Times first: whoever sees the new value may read them.
void queue_complete(handle_t completion, uint64_t start, uint64_t end) {
    if (!completion || !signal_side(completion)) return;
    struct amd_signal *s = signal_of(completion);
    __atomic_store_n(&s->start_ts, start, __ATOMIC_RELAXED); // of several packets, the last that ends
    __atomic_store_n(&s->end_ts, end, __ATOMIC_RELAXED);
    signal_add(completion, -1);
}

// ---- Barriers ----

static bool satisfied(handle_t s) { return !s || !signal_side(s) || signal_value(s) == 0; }

static bool barrier_done(const union packet *p, uint16_t type) {
    bool all = true, any = false, some = false;
    for (int i = 0; i < 5; i++) {
        const handle_t s = p->barrier.dep[i];
        if (!s) continue;
        some = true;
        if (satisfied(s))
            any = true;
        else
            all = false;
    }
    return type == PACKET_BARRIER_AND ? all : any || !some;
}

static bool value_done(const union packet *p) {
    const handle_t s = p->value.signal;
    if (!s || !signal_side(s)) return true;
    return condition_holds(p->value.cond, signal_value(s) & p->value.mask, p->value.value);
}

// Hears of changes of these signals until the barrier is done.
static void listen(struct queue *q, const handle_t *list, int count) {
    for (int i = 0; i < count; i++)
        if (list[i] && signal_side(list[i])) subscribe(&q->deps[i], list[i]);
    q->deps_linked = true;
}
static void listen_no_more(struct queue *q) {
    if (!q->deps_linked) return;
    for (int i = 0; i < 5; i++) unsubscribe(&q->deps[i]);
    q->deps_linked = false;
}

static enum step barrier(struct queue *q, const union packet *p, uint16_t type) {
    if (!barrier_done(p, type)) {
        if (!q->deps_linked) listen(q, p->barrier.dep, 5);
        if (!barrier_done(p, type)) return LATER; // it may have been done while we began to listen
    }
    listen_no_more(q);
    const uint64_t now = clock_now();
    queue_complete(p->barrier.completion, now, now);
    return TAKEN;
}

static enum step barrier_value(struct queue *q, const union packet *p) {
    if (!value_done(p)) {
        if (!q->deps_linked) listen(q, &p->value.signal, 1);
        if (!value_done(p)) return LATER;
    }
    listen_no_more(q);
    const uint64_t now = clock_now();
    queue_complete(p->value.completion, now, now);
    return TAKEN;
}

static enum step vendor(struct queue *q, const union packet *p) {
    if (p->value.format == FORMAT_BARRIER_VALUE) return barrier_value(q, p);
    // Before the ninth generation these packets are PM4 themselves, in several slots.
    const bool is_buffer = p->value.format == FORMAT_PM4 && q->agent->info.isa_major >= 9;
    const char *refusal = is_buffer ? pm4_refusal(p) : "there is no such format";
    if (!refusal) {
        const uint64_t now = clock_now();
        queue_complete(p->pm4.completion, now, now);
        return TAKEN;
    }
    complain("a vendor packet of format %u%s cannot be executed: %s", p->value.format,
             p->value.format == FORMAT_PM4 ? " (PM4)" : "", refusal);
    queue_fail(q, ST_INVALID_PACKET_FORMAT);
    return LATER;
}

// ---- Taking ----

static void advance(struct queue *q, union packet *slot) {
    __atomic_store_n(&slot->header, PACKET_INVALID, __ATOMIC_RELEASE);
    __atomic_store_n(&q->abi->read_index, q->abi->read_index + 1, __ATOMIC_RELEASE);
    q->looked = 0;
}

static bool step(struct queue *q) {
    union packet *slot = &q->ring[q->abi->read_index & (q->abi->hsa.size - 1)];
    const uint16_t header = __atomic_load_n(&slot->header, __ATOMIC_ACQUIRE);
    const uint16_t type = header & 0xff;
    if (type == PACKET_INVALID) return false;
    if (header & HEADER_BARRIER && __atomic_load_n(&q->in_flight, __ATOMIC_SEQ_CST)) return false;
    union packet p = *slot;
    switch (type) {
    case PACKET_DISPATCH:
        if (!launch(q, &p)) return false;
        break;
    case PACKET_BARRIER_AND:
    case PACKET_BARRIER_OR:
        if (barrier(q, &p, type) == LATER) return false;
        break;
    case PACKET_VENDOR:
        if (vendor(q, &p) == LATER) return false;
        break;
    default: queue_fail(q, ST_INVALID_PACKET_FORMAT); return false;
    }
    advance(q, slot);
    return true;
}

// A producer that rang may stand behind one that has not written its header yet, and rings later; should that
// one never ring, its packet is found by looking again.
static void look_again_later(struct queue *q) {
    const uint64_t rung = __atomic_load_n(q->doorbell, __ATOMIC_ACQUIRE), at = q->abi->read_index;
    const union packet *slot = &q->ring[at & (q->abi->hsa.size - 1)];
    if (rung == UINT64_MAX || (int64_t)(rung - at) < 0 ||
        (__atomic_load_n(&slot->header, __ATOMIC_ACQUIRE) & 0xff) != PACKET_INVALID)
        return;
    if (q->abi->hsa.size <= rung - at) return; // not an index
    q->looked = q->looked ? 2 * q->looked : LOOK_AGAIN_NS;
    if (q->looked > LOOK_AGAIN_MOST_NS) q->looked = LOOK_AGAIN_MOST_NS;
    packet_thread_kick(q, q->looked);
}

void queue_run_packets(struct queue *q) {
    if (q->soft) return;
    if (context == IN_HOST) launches_reap(q);
    while (!__atomic_load_n(&q->suspended, __ATOMIC_ACQUIRE) && step(q)) {}
    if (__atomic_load_n(&q->stopping, __ATOMIC_ACQUIRE))
        for (struct record *r = q->running; r; r = r->next) sw_job_stop(r->job);
    else
        look_again_later(q);
}
