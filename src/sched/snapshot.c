// SPDX-License-Identifier: MIT
// What can be told about a dispatch that stopped: the waves that were in flight, and whether a fault was a
// stack that was too small.
#include <string.h>

#include "exec/body/body.h"
#include "sched/pool.h"

static sw_wave_doing doing_of(const struct wave *w) {
    switch (w->status) {
    case WAVE_YIELDED: return SW_WAVE_LOOPS;
    case WAVE_SLEEPING: return SW_WAVE_SLEEPS;
    case WAVE_AT_BARRIER: return SW_WAVE_AT_BARRIER;
    case WAVE_FAULTED: return SW_WAVE_FAULTED;
    default: return SW_WAVE_RUNS;
    }
}

// A wave that sleeps in a loop has its way back before it: the first jump to or behind where it stands.
static void find_loop(const struct wave *w, sw_wave_state *s) {
    enum { LOOK_AHEAD = 256 };
    const struct program *p = w->group->dispatch->launch->program;
    uint64_t pc = w->pc;
    for (unsigned n = 0; n < LOOK_AHEAD && pc - p->base < p->size; n++) {
        struct insn in;
        const uint8_t *bytes = (const uint8_t *)(uintptr_t)pc;
        if (insn_decode(w->worker->pool->isa, bytes, p->base + p->size - pc, &in) != DECODE_OK) return;
        if (in.row->flags & ROW_BRANCH && in.format->id == FMT_SOPP) {
            const uint64_t target = pc + 4 + (uint64_t)((int64_t)(int16_t)in.f[F_simm16] * 4);
            if (target <= w->pc) {
                s->loop_begin = target;
                s->loop_end = pc;
                return;
            }
        }
        pc += in.size;
    }
}

static sw_wave_state state_of(const struct wave *w) {
    const struct group *g = w->group;
    sw_wave_state s = {.wave = w->wave_in_group,
                       .pc = w->pc,
                       .exec = w->exec & w->all_lanes,
                       .lanes = w->lanes,
                       .doing = doing_of(w),
                       .vgpr_msb = (uint8_t)state_vgpr_msb(w, w->pc)};
    memcpy(s.group, g->id, sizeof s.group);
    if (s.doing == SW_WAVE_LOOPS) s.loop_begin = w->pc, s.loop_end = w->loop_end;
    if (s.doing == SW_WAVE_SLEEPS) find_loop(w, &s);
    if (s.doing == SW_WAVE_AT_BARRIER) s.arrived = g->barrier.arrived, s.expected = g->barrier.alive;
    if (s.doing == SW_WAVE_AT_BARRIER && barrier_is_named(w)) {
        const struct named_barrier *n = &g->barrier.named[g->barrier.member[w->wave_in_group].joined];
        s.arrived = n->signals, s.expected = n->members;
    }
    return s;
}

void snapshot_group(struct dispatch *q, const struct group *g) {
    const sw_dispatch *request = q->launch->dispatch;
    sw_wave_state states[BARRIER_WAVES];
    size_t count = 0;
    for (uint32_t i = 0; i < g->wave_count; i++)
        if (g->waves[i]->status != WAVE_ENDED) states[count++] = state_of(g->waves[i]);
    pthread_mutex_lock(&q->fault_lock);
    for (size_t i = 0; i < count; i++, q->waves_in_flight++)
        if (request->waves && q->waves_in_flight < request->wave_capacity)
            sized_put(wave_state_kind, request->waves, q->waves_in_flight, &states[i]);
    q->fault.waves = q->waves_in_flight;
    pthread_mutex_unlock(&q->fault_lock);
}

// Through a buffer descriptor scratch is memory like any other: what lies behind it is behind the last lane's
// dword.
static bool is_buffer_instruction(const struct wave *w, uint64_t pc) {
    struct insn in;
    const struct program *p = w->group->dispatch->launch->program;
    if (!p || pc - p->base >= p->size) return false;
    const uint8_t *bytes = (const uint8_t *)(uintptr_t)pc;
    return insn_decode(w->worker->pool->isa, bytes, p->base + p->size - pc, &in) == DECODE_OK &&
           in.format->id == FMT_MUBUF;
}

void fault_explain_scratch(sw_fault *f, const struct wave *w) {
    enum { FAR = 1 << 24 }; // beyond that it is a wild pointer rather than a stack
    if (f->kind != SW_FAULT_READ && f->kind != SW_FAULT_WRITE && f->kind != SW_FAULT_ATOMIC) return;
    const uint64_t declared = w->scratch_size, base = w->scratch_base;
    uint64_t offset;
    if (f->address >> 32 == SW_PRIVATE_APERTURE >> 32)
        offset = (uint32_t)f->address;
    else if (base && f->address >= base && is_buffer_instruction(w, f->pc))
        offset = (f->address - base) / (4 * w->lanes) * 4;
    else
        return;
    if (offset + 4 <= declared || offset > FAR) return;
    f->is_scratch = true;
    f->scratch_declared = (uint32_t)declared;
    f->scratch_needed = (uint32_t)offset + 4;
}
