// SPDX-License-Identifier: MIT
// The observer: in programs built for observation every op runs through here first. It counts the
// instruction and tells the observer of the dispatch, then runs the body. Of the ops of one instruction only
// the first counts.
#include "device/body/body.h"
#include "device/translate/control.h"
#include "device/device.h"
#include "device/body/steps.h"

unsigned observed_class(const struct insn *in) {
    uint64_t flags = in->row->flags;
    switch (in->format->id) {
    case FMT_SMEM: return SW_CLASS_SMEM;
    case FMT_DS: return SW_CLASS_LDS;
    case FMT_SCRATCH: return SW_CLASS_SCRATCH;
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_MUBUF:
    case FMT_MTBUF:
    case FMT_MIMG:
    case FMT_VIMAGE:
    case FMT_VSAMPLE: return SW_CLASS_GLOBAL;
    case FMT_MAI: return SW_CLASS_MATRIX;
    case FMT_SOPP:
        return flags & ROW_BRANCH ? SW_CLASS_BRANCH : flags & ROW_TERMINATOR ? SW_CLASS_OTHER : SW_CLASS_WAIT;
    case FMT_SOP1:
    case FMT_SOP2:
    case FMT_SOPC:
    case FMT_SOPK: return flags & (ROW_BRANCH | ROW_CALL) ? SW_CLASS_BRANCH : SW_CLASS_SALU;
    default: return SW_CLASS_VALU;
    }
}

static __attribute__((noinline)) void tell(struct wave *w, const struct op *op) {
    sw_device *d = w->worker->device;
    const struct dispatch *q = w->group->dispatch;
    d->steps->leave();
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
                 .descriptor = ((const struct sw_job *)q)->request.descriptor};
    for (int i = 0; i < 3; i++) s.group[i] = w->group->id[i];
    pthread_mutex_lock(&d->observer_lock);
    q->observe(q->observe_context, &s);
    pthread_mutex_unlock(&d->observer_lock);
}

const struct op *control_observe(struct wave *w, const struct op *op) {
    if (op->first) {
        w->worker->counts[op->class]++;
        if (w->group->dispatch->observe) tell(w, op);
    }
    return op->body(w, op);
}

uint32_t *sw_step_register(const sw_step *step, unsigned code) {
    struct wave *w = step->state;
    if (code < 128) return &w->s[code];
    const struct launch *l = w->group->dispatch->launch;
    unsigned index = code - SRC_VGPR0, count = l->vgprs;
    if (code >= SRC_AGPR0) index = code - SRC_AGPR0, count = l->agprs;
    if (code < SRC_VGPR0 || index >= count) return NULL;
    if (code >= SRC_AGPR0) index += l->agpr_base;
    return (uint32_t *)((char *)w->v + (size_t)index * w->stride);
}

uint32_t *sw_step_scc(const sw_step *step) { return &((struct wave *)step->state)->scc; }

const char *sw_class_name(sw_insn_class c) {
    static const char *const names[SW_CLASSES] = {"salu",   "smem",    "valu",   "matrix", "lds",
                                                  "global", "scratch", "branch", "wait",   "other"};
    return c < SW_CLASSES ? names[c] : NULL;
}

size_t sw_executable_operations(sw_device *d, const sw_executable *e, sw_operation *out, size_t capacity) {
    const struct sized kind = SIZED(sw_operation, approximate);
    size_t count = 0;
    if (capacity && sized_check(kind, out, NULL)) return 0;
    pthread_mutex_lock(&d->lock);
    for (unsigned r = 0; r < isa_row_count; r++) {
        bool seen = false;
        for (const struct program *p = e->programs; p && !seen; p = p->next) seen = p->seen[r];
        if (!seen) continue;
        const sw_operation seen_one = {.mnemonic = isa_row_name(d->isa, &isa_rows[r]),
                                       .unsupported = row_gap(&isa_rows[r]),
                                       .approximate = d->bodies[r]->approximate};
        if (count < capacity) sized_put(kind, out, count, &seen_one);
        count++;
    }
    pthread_mutex_unlock(&d->lock);
    return count;
}
