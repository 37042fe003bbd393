// SPDX-License-Identifier: MIT
// Who runs a queue. The thread that rings a doorbell takes packets itself, unless another thread takes
// packets of that queue just now (turns.h). The thread that ends what a queue waits for runs that queue. The
// packet thread runs queues that a thread may not run where it is, and looks for packets that are not written
// yet.
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

#include "hsa/queue/queue.h"
#include "hsa/service/context.h"
#include "hsa/service/service.h"

enum { REAP_ABOVE = 64 };

static void look(void *queue) {
    struct queue *q = queue;
    if (q->block) queue_run_packets(q);
}
static void run_later(struct later *l) {
    struct queue *q = (struct queue *)((char *)l - offsetof(struct queue, later));
    turns_ask(&q->turns, look, q);
}
static void rung(struct ringer *r) {
    queue_kick((struct queue *)((char *)r - offsetof(struct queue, ringer)));
}

void queue_set_up_turns(struct queue *q) {
    q->later.run = run_later;
    q->ringer = (struct ringer){.rung = rung, .doorbell = NO_DOORBELL};
}

static bool may_run_here(const struct queue *q) {
    return context.place == IN_HOST || (context.place == IN_DONE && context.agent == q->agent);
}
void queue_note(struct queue *q) {
    if (may_run_here(q))
        later_note(&q->later);
    else
        queue_kick_later(q, 0);
}
void queue_kick(struct queue *q) {
    queue_note(q);
    later_run();
}

bool queue_try_hold(struct queue *q) { return turns_try_hold(&q->turns); }
void queue_hold(struct queue *q) {
    while (!turns_try_hold(&q->turns)) sched_yield();
}
void queue_let_go(struct queue *q) {
    if (turns_let_go(&q->turns)) queue_kick(q);
}

// ---- The packet thread ----

struct kicked {
    struct queue *queue;
    uint64_t due;
};
static ARRAY(struct kicked) kicked; // under the service's lock

static void reap_if_many(struct queue *q) {
    if (__atomic_load_n(&q->done_count, __ATOMIC_RELAXED) < REAP_ABOVE || !queue_try_hold(q)) return;
    launches_reap(q);
    queue_let_go(q);
}

static struct kicked *soonest(void) {
    struct kicked *first = NULL;
    for (size_t i = 0; i < kicked.count; i++)
        if (!first || kicked.items[i].due < first->due) first = &kicked.items[i];
    return first;
}

static uint64_t step(struct service *service) {
    struct kicked *next = soonest();
    if (!next) return SERVICE_WHEN_WOKEN;
    if (next->due > monotonic_ns()) return next->due;
    struct queue *q = next->queue;
    *next = kicked.items[--kicked.count];
    pthread_mutex_unlock(&service->lock);
    queue_kick(q);
    reap_if_many(q);
    pthread_mutex_lock(&service->lock);
    return SERVICE_AT_ONCE;
}
static struct service service = SERVICE("packet", .step = step);

void queue_kick_later(struct queue *q, uint64_t delay) {
    const uint64_t due = delay ? monotonic_ns() + delay : 0;
    pthread_mutex_lock(&service.lock);
    service_start(&service);
    size_t i = 0;
    while (i < kicked.count && kicked.items[i].queue != q) i++;
    if (i == kicked.count)
        (void)!array_push(&kicked,
                          (struct kicked){q, due}); // without memory, the next doorbell finds the packets
    else if (due < kicked.items[i].due)
        kicked.items[i].due = due;
    service_wake(&service);
    pthread_mutex_unlock(&service.lock);
}

void packet_thread_close(void) {
    service_stop(&service);
    array_free(&kicked);
}
void packet_thread_forget(void) {
    service_forget(&service);
    kicked.count = 0;
}
