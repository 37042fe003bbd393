// SPDX-License-Identifier: MIT
// What this thread does for a device just now, which limits what it may do for others: a worker in the middle
// of a wave must not submit work, and a worker of one device must not wait for another device.
#ifndef HSA_SERVICE_CONTEXT_H
#define HSA_SERVICE_CONTEXT_H

struct agent;
struct context {
    enum {
        IN_HOST,
        IN_DONE,
        IN_WAVE
    } place;             // a thread of the host, or a worker: behind a job, within a wave
    struct agent *agent; // of the worker
};
extern _Thread_local struct context context;

// What the context was before; to be given back at the end.
static inline struct context context_enter(int place, struct agent *agent) {
    const struct context before = context;
    context.place = place;
    context.agent = agent;
    return before;
}
static inline void context_leave(struct context before) { context = before; }

#endif
