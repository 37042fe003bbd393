// SPDX-License-Identifier: MIT
// What stops a dispatch: faults of its waves, its deadline, its caller. The first one counts.
#include <string.h>

#include "sched/pool.h"

// A kind of fault has the same number inside as in the interface; bodies do not include the latter.
#define SAME(kind) _Static_assert((int)FAULT_##kind == (int)SW_FAULT_##kind, #kind)
SAME(NONE);
SAME(READ);
SAME(WRITE);
SAME(ATOMIC);
SAME(ALIGNMENT);
SAME(JUMP);
SAME(ILLEGAL);
SAME(UNSUPPORTED);
SAME(TRAP);
SAME(TIMEOUT);
SAME(DEADLOCK);
SAME(STOPPED);
#undef SAME

const struct op *dispatch_fault(struct wave *w, const struct op *op, enum fault_kind kind, int lane,
                                uint64_t address, const char *reason) {
    struct dispatch *q = w->group->dispatch;
    const uint64_t pc = op ? w->code_base + op->pc : w->pc;
    sw_fault fault = {.kind = (sw_fault_kind)kind,
                      .pc = pc,
                      .wave = w->wave_in_group,
                      .lane = lane,
                      .address = kind == FAULT_TRAP ? state_trap_number(w, (unsigned)address) : address,
                      .code_offset = pc - q->launch->code_object,
                      .reason = reason,
                      .vgpr_msb = (uint8_t)state_vgpr_msb(w, pc)};
    memcpy(fault.group, w->group->id, sizeof w->group->id);
    w->pc = pc;
    guard_explain(w->worker, &fault);
    fault_explain_scratch(&fault, w);
    w->worker->fault_first = dispatch_stop(q, &fault);
    w->worker->fault = fault;
    if (kind != FAULT_DEADLOCK) w->status = WAVE_FAULTED; // it goes on waiting
    return NULL;
}

bool dispatch_stop(struct dispatch *q, const sw_fault *fault) {
    pthread_mutex_lock(&q->fault_lock);
    const bool first = !q->fault.kind;
    if (first) q->fault = *fault;
    __atomic_store_n(&q->stop, true, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&q->fault_lock);
    return first;
}

// The program may take its time, and call the device.
static void tell(struct worker *k, const sw_fault_event *event) {
    struct pool *pool = k->pool;
    pthread_mutex_lock(&pool->lock);
    worker_rest(k);
    pthread_mutex_unlock(&pool->lock);
    pool->hooks.faulted(pool->hooks.context, event);
    pthread_mutex_lock(&pool->lock);
    worker_resume(k);
    pthread_mutex_unlock(&pool->lock);
}

void worker_tell_fault(struct worker *k, struct dispatch *q) {
    if (!k->fault.kind) return;
    sw_fault fault = k->fault;
    k->fault.kind = SW_FAULT_NONE;
    if (k->fault_first) workers_interrupt(k->pool);
    if (!k->pool->hooks.faulted) return;
    fault.size = sizeof fault;
    tell(k, &(sw_fault_event){.size = sizeof(sw_fault_event),
                              .job = (sw_job *)q,
                              .dispatch_id = q->launch->dispatch->dispatch_id,
                              .queue = q->launch->dispatch->queue,
                              .fault = &fault,
                              .first = k->fault_first});
}

void worker_stop(struct worker *k, struct dispatch *q, const sw_fault *fault) {
    k->fault_first = dispatch_stop(q, fault);
    k->fault = *fault;
    if (k->fault_first)
        worker_tell_fault(k, q);
    else
        k->fault.kind = SW_FAULT_NONE;
}

void worker_check_deadline(struct worker *k, struct dispatch *q) {
    if (!q->deadline || monotonic_ns() < q->deadline) return;
    worker_stop(k, q, &(sw_fault){.kind = SW_FAULT_TIMEOUT, .lane = -1});
}
