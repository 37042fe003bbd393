// SPDX-License-Identifier: MIT
// What stops a dispatch: faults of its waves, its deadline, its caller. The first one counts.
#include <string.h>
#include <time.h>

#include "device/device.h"

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

const struct op *wave_fault(struct wave *w, const struct op *op, enum fault_kind kind, int lane,
                            uint64_t address) {
    return wave_fault_because(w, op, kind, lane, address, NULL);
}

const struct op *wave_fault_because(struct wave *w, const struct op *op, enum fault_kind kind, int lane,
                                    uint64_t address, const char *reason) {
    struct dispatch *q = w->group->dispatch;
    const uint64_t pc = op ? w->code_base + op->pc : w->pc;
    sw_fault fault = {.kind = (sw_fault_kind)kind,
                      .pc = pc,
                      .wave = w->wave_in_group,
                      .lane = lane,
                      .address = address,
                      .code_offset = pc - q->launch->dispatch->executable->base,
                      .reason = reason};
    memcpy(fault.group, w->group->id, sizeof w->group->id);
    w->pc = pc;
    fault_explain_scratch(&fault, w);
    dispatch_stop(q, &fault);
    if (kind != FAULT_DEADLOCK) w->status = WAVE_FAULTED; // it goes on waiting
    return NULL;
}

void dispatch_stop(struct dispatch *q, const sw_fault *fault) {
    pthread_mutex_lock(&q->fault_lock);
    if (!q->fault.kind) q->fault = *fault;
    __atomic_store_n(&q->stop, true, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&q->fault_lock);
}

uint64_t monotonic_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void dispatch_check_deadline(struct dispatch *q) {
    if (!q->deadline || monotonic_ns() < q->deadline) return;
    dispatch_stop(q, &(sw_fault){.kind = SW_FAULT_TIMEOUT, .lane = -1});
}
