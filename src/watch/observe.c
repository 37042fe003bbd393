// SPDX-License-Identifier: MIT
// The observer of a dispatch: counts instructions, and shows each to the program before it is executed.
#include "watch/watch.h"

#include "exec/body/steps.h"
#include "sched/pool.h"

static __attribute__((noinline)) void tell(struct wave *w, const struct op *op) {
    struct pool *pool = w->worker->pool;
    const struct dispatch *q = w->group->dispatch;
    pool->steps->leave();
    w->at = NULL; // what happens in there is not the wave's doing
    sw_step s = {.size = sizeof s,
                 .pc = w->code_base + op->pc,
                 .bytes = (const uint8_t *)(uintptr_t)(w->code_base + op->pc),
                 .wave = w->wave_in_group,
                 .lanes = w->lanes,
                 .exec = w->exec,
                 .scc = w->scc,
                 .vcc = w->vcc,
                 .state = w,
                 .insn_class = (sw_insn_class)op->class,
                 .kernel = q->launch->code_begin,
                 .descriptor = q->launch->dispatch->descriptor,
                 .vgpr_msb = (uint8_t)state_vgpr_msb(w, w->code_base + op->pc)};
    for (int i = 0; i < 3; i++) s.group[i] = w->group->id[i];
    pthread_mutex_lock(&pool->observer_lock);
    q->observe(q->observe_context, &s);
    pthread_mutex_unlock(&pool->observer_lock);
}

void watch_step(struct wave *w, const struct op *op) {
    w->worker->counts[op->class]++;
    if (w->group->dispatch->observe) tell(w, op);
}

uint32_t *sw_step_register(const sw_step *step, unsigned code) {
    struct wave *w = step->state;
    if (code < 128) return &w->s[code];
    const struct launch *l = w->group->dispatch->launch;
    const bool acc = code >= SRC_AGPR0 && !w->worker->pool->isa->vgpr_msb;
    const unsigned index = code - (acc ? SRC_AGPR0 : SRC_VGPR0);
    if (code < SRC_VGPR0 || index >= (acc ? l->agprs : l->vgprs)) return NULL;
    return (uint32_t *)((char *)w->v + (size_t)(index + (acc ? l->agpr_base : 0)) * w->stride);
}

uint32_t *sw_step_scc(const sw_step *step) { return &((struct wave *)step->state)->scc; }

const char *sw_insn_class_name(sw_insn_class c) {
    static const char *const names[SW_CLASSES] = {"salu",   "smem",    "valu",   "matrix", "lds",
                                                  "global", "scratch", "branch", "wait",   "other"};
    return c < SW_CLASSES ? names[c] : NULL;
}
