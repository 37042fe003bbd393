// SPDX-License-Identifier: MIT
// What waves ask of the scheduler (exec/machine.h): which code their kernel has, where they run, messages.
#include <string.h>

#include "base/clock.h"
#include "exec/export.h"
#include "isa/names.h"
#include "sched/pool.h"

void state_jumps(struct wave *w, uint64_t address) {
    const struct program *p = w->group->dispatch->launch->program;
    const uint64_t offset = address - p->base;
    if (offset < p->size && !__atomic_load_n(&p->reached[offset / 4], __ATOMIC_RELAXED))
        __atomic_store_n(&p->reached[offset / 4], 1, __ATOMIC_RELAXED);
}

struct program *state_program(const struct wave *w) {
    return w->group->dispatch->launch->program;
}

unsigned state_vgpr_msb(const struct wave *w, uint64_t pc) {
    const struct pool *pool = w->worker->pool;
    const struct program *p = state_program(w);
    if (!pool->isa->vgpr_msb) return 0;
    if (w->code_base != p->base) p = pool->other_program(w);
    return p ? program_vgpr_msb(p, pc - p->base) : 0;
}

// The clock of the hardware register counts from the launch: where it has 20 bits only, it shall not wrap
// within a kernel of less than a millisecond.
static uint64_t shader_cycles(const struct wave *w) {
    return monotonic_ns() - __atomic_load_n(&w->group->dispatch->clock_zero, __ATOMIC_RELAXED);
}

uint64_t state_hwreg(const struct wave *w, enum hwreg what) {
    switch (what) {
    case HWREG_HW_ID: return place_hw_id(w);
    case HWREG_HW_ID1: return place_hw_id1(w);
    case HWREG_XCC_ID: return place_xcc_id(w);
    case HWREG_GPR_ALLOC: return w->group->dispatch->launch->vgprs;
    case HWREG_SHADER_CYCLES: return shader_cycles(w) & 0xfffff;
    case HWREG_SHADER_CYCLES_LO: return (uint32_t)shader_cycles(w);
    case HWREG_SHADER_CYCLES_HI: return shader_cycles(w) >> 32;
    default: return 0;
    }
}

unsigned state_trap_number(const struct wave *w, unsigned immediate) {
    return isa_trap_number(isa_of(w->worker->pool->options.target.processor), immediate);
}

// Breakpoints, for which nobody waits (TRAP-03, TRAP-06).
bool state_breakpoint(const struct wave *w, unsigned immediate) {
    const unsigned number = state_trap_number(w, immediate);
    return (number == 1 || number == 3) && w->worker->pool->options.pass_breakpoints;
}

// What the program does with what it is told is not the wave's doing, and what the wave wrote comes before.
static void before_telling(struct wave *w) {
    w->at = NULL;
    if (w->worker->touched_count) worker_tell(w->worker);
}

void state_tell(struct wave *w, uint32_t id, uint32_t m0) {
    const sw_device_hooks *h = &w->worker->pool->hooks;
    before_telling(w);
    if (!h->message) return;
    sw_message m = {.size = sizeof m,
                    .id = id,
                    .m0 = m0,
                    .dispatch_id = w->group->dispatch->launch->dispatch->dispatch_id,
                    .wave = w->wave_in_group};
    memcpy(m.group, w->group->id, sizeof m.group);
    h->message(h->context, &m);
}

// Each lane's values are those of its registers when the instruction is executed.
bool state_export(struct wave *w, const struct op *op) {
    const struct export_op *e = op->extra;
    const sw_device_hooks *h = &w->worker->pool->hooks;
    if (!h->exported) return e->target == EXPORT_NULL;
    sw_export out = {.size = sizeof out,
                     .dispatch_id = w->group->dispatch->launch->dispatch->dispatch_id,
                     .wave = w->wave_in_group,
                     .lanes = w->exec & w->all_lanes,
                     .target = e->target,
                     .target_name = e->name,
                     .row = e->by_row ? (int)(*(const uint32_t *)((const char *)w->s + e->m0) & 0xff) : -1,
                     .compressed = e->compressed,
                     .done = e->done,
                     .valid_mask = e->valid_mask};
    memcpy(out.group, w->group->id, sizeof out.group);
    for (unsigned i = 0; i < EXPORT_VALUES; i++)
        if (e->enabled >> i & 1) out.values[i] = (const uint32_t *)((const char *)w->s + e->data[i]);
    before_telling(w);
    h->exported(h->context, &out);
    return true;
}
