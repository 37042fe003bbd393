// SPDX-License-Identifier: MIT
// Packets, taken in order by the thread that runs the queue (DISP-01, DISP-05 to DISP-08). Each is copied out
// of the ring once; all that follows acts on the copy, as kernels may write the ring at any time.
#include <string.h>

#include "hsa/queue/queue.h"
#include "hsa/service/context.h"

enum { LOOK_AGAIN_NS = 50000, LOOK_AGAIN_MOST_NS = 1000000 };

enum step { TAKEN, LATER };

void packet_leave(struct queue *q) {
    q->has_packet = false;
    ring_release(q->ring, q->size, q->read_index++);
    block_put_read_index(q->block, q->read_index);
    q->looked = 0;
}

static void complete_now(struct queue *q, handle_t completion) {
    struct signal *s = signal_of(completion);
    const uint64_t now = monotonic_ns();
    packet_leave(q);
    if (s) signal_complete(s, now, now);
}

// ---- Barriers ----

// A handle that names no signal holds nothing up.
static bool satisfied(handle_t handle) {
    const struct signal *s = signal_of(handle);
    return !s || signal_value(s) == 0;
}

static bool barrier_done(const union packet *p, uint16_t type) {
    bool all = true, any = false, some = false;
    for (int i = 0; i < 5; i++) {
        if (!p->barrier.dep[i]) continue;
        some = true;
        if (satisfied(p->barrier.dep[i]))
            any = true;
        else
            all = false;
    }
    return type == PACKET_BARRIER_AND ? all : any || !some;
}

static bool value_done(const union packet *p) {
    const struct signal *s = signal_of(p->value.signal);
    return !s || condition_holds(p->value.cond, signal_value(s) & p->value.mask, p->value.value);
}

// Subscribes to these signals until the barrier is done.
static void listen(struct queue *q, const handle_t *list, int count) {
    for (int i = 0; i < count; i++) {
        struct signal *s = signal_of(list[i]);
        if (s) signal_subscribe(&q->deps[i], s);
    }
    q->deps_linked = true;
}
static void listen_no_more(struct queue *q) {
    if (!q->deps_linked) return;
    for (int i = 0; i < 5; i++) signal_unsubscribe(&q->deps[i]);
    q->deps_linked = false;
}

static enum step barrier(struct queue *q, const union packet *p, uint16_t type) {
    if (!barrier_done(p, type)) {
        if (!q->deps_linked) listen(q, p->barrier.dep, 5);
        if (!barrier_done(p, type)) return LATER; // it may have been done before we subscribed
    }
    listen_no_more(q);
    complete_now(q, p->barrier.completion);
    return TAKEN;
}

static enum step barrier_value(struct queue *q, const union packet *p) {
    if (!value_done(p)) {
        if (!q->deps_linked) listen(q, &p->value.signal, 1);
        if (!value_done(p)) return LATER;
    }
    listen_no_more(q);
    complete_now(q, p->value.completion);
    return TAKEN;
}

static enum step vendor(struct queue *q, const union packet *p) {
    if (p->value.format == FORMAT_BARRIER_VALUE) return barrier_value(q, p);
    // Before the ninth generation these packets are PM4 themselves, in several slots.
    const bool is_buffer = p->value.format == FORMAT_PM4 && q->agent->info.isa_major >= 9;
    const char *refusal = is_buffer ? pm4_refusal(p) : "there is no such format";
    if (!refusal) {
        complete_now(q, p->pm4.completion);
        return TAKEN;
    }
    runtime_complain("a vendor packet of format %u%s cannot be executed: %s", p->value.format,
                     p->value.format == FORMAT_PM4 ? " (PM4)" : "", refusal);
    queue_fail(q, ST_INVALID_PACKET_FORMAT);
    return LATER;
}

// ---- Taking ----

static bool step(struct queue *q) {
    if (!q->has_packet) q->has_packet = ring_take(q->ring, q->size, q->read_index, &q->packet);
    if (!q->has_packet) return false;
    const union packet *p = &q->packet;
    const uint16_t type = p->header & 0xff;
    if (p->header & HEADER_BARRIER && __atomic_load_n(&q->in_flight, __ATOMIC_SEQ_CST)) return false;
    switch (type) {
    case PACKET_DISPATCH:
        if (!queue_launch(q, p)) return false;
        break;
    case PACKET_BARRIER_AND:
    case PACKET_BARRIER_OR:
        if (barrier(q, p, type) == LATER) return false;
        break;
    case PACKET_VENDOR:
        if (vendor(q, p) == LATER) return false;
        break;
    default: queue_fail(q, ST_INVALID_PACKET_FORMAT); return false;
    }
    return true;
}

// The doorbell can ring for packet n+1 while packet n is still invalid. The producer of n may never ring, so
// the packet thread looks for n again, with growing delays.
static void look_again_later(struct queue *q) {
    const uint64_t rung = doorbell_hint(q->ringer.doorbell), at = q->read_index;
    if (rung == UINT64_MAX || (int64_t)(rung - at) < 0 || q->size <= rung - at) return; // not an index
    if (q->has_packet || !ring_is_empty(q->ring, q->size, at)) return;
    q->looked = q->looked ? 2 * q->looked : LOOK_AGAIN_NS;
    if (q->looked > LOOK_AGAIN_MOST_NS) q->looked = LOOK_AGAIN_MOST_NS;
    queue_kick_later(q, q->looked);
}

void queue_run_packets(struct queue *q) {
    if (q->soft) return;
    if (context.place == IN_HOST) launches_reap(q);
    while (queue_state(q) == QUEUE_RUNS && step(q)) {}
    if (queue_state(q) == QUEUE_STOPS)
        for (struct record *r = q->running; r; r = r->next) sw_job_stop(r->job);
    else
        look_again_later(q);
}
