// SPDX-License-Identifier: MIT
// The answers that bodies ask for: jumps, barriers, hardware registers, clocks; and the ops that programs
// add themselves.
#include "device/wave/state.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "device/translate/control.h"
#include "device/device.h"
#include "device/native/join.h"
#include "device/wave/control.h"

// ---- Jumps ----

const struct op *state_jump(struct wave *w, uint64_t address) {
    bool own;
    const struct program *p = w->group->dispatch->launch->program;
    const uint64_t offset = address - p->base;
    if (offset < p->size && !__atomic_load_n(&p->reached[offset / 4], __ATOMIC_RELAXED))
        __atomic_store_n(&p->reached[offset / 4], 1, __ATOMIC_RELAXED);
    return device_block(w, address, &own);
}

const struct op *state_link(struct wave *w, const struct op *op) {
    bool own;
    const struct op *target = device_block(w, w->code_base + op->e, &own);
    // Every worker that gets here stores the same pointer. Another executable may go before this one does.
    if (target && own) __atomic_store_n((const struct op **)&op->target, target, __ATOMIC_RELEASE);
    return target;
}

struct program *native_program_of(const struct wave *w) {
    return w->group->dispatch->launch->program;
}

const struct op *control_fault(struct wave *w, const struct op *op) {
    return wave_fault_because(w, op, (enum fault_kind)op->e, -1, w->code_base + op->pc, op->extra);
}

const struct op *control_nop(struct wave *w, const struct op *op) { NEXT; }

// ---- Barriers ----

void state_barrier_signal(struct wave *w) {
    struct group *g = w->group;
    w->barrier_signalled = 1;
    w->barrier_phase = g->phase;
    if (++g->arrived >= g->alive) {
        g->arrived = 0;
        g->phase++;
    }
}

bool state_barrier_done(struct wave *w) {
    if (w->barrier_signalled && w->group->phase == w->barrier_phase) return false;
    w->barrier_signalled = 0;
    return true;
}

uint32_t state_barrier_arrived(const struct wave *w) { return w->group->arrived; }
uint32_t state_barrier_status(const struct wave *w) {
    return w->group->arrived << 16 | w->group->alive << 4 | 1;
}

// ---- MODE ----

static uint32_t control_of(unsigned round, unsigned denorm) {
    static const uint8_t host_round[] = {0, 2, 1, 3}; // even, +inf, -inf, zero
    uint32_t v = CONTROL_MASKED | (uint32_t)host_round[round & 3] << 13;
    if (!(denorm & 1)) v |= CONTROL_DAZ;
    if (!(denorm & 2)) v |= CONTROL_FTZ;
    return v;
}

void wave_set_mode(struct wave *w, uint32_t mode) {
    w->mode = mode;
    w->mxcsr = control_of(mode, mode >> 4);
    w->mxcsr64 = control_of(mode >> 2, mode >> 6);
    w->mixed = w->mxcsr != w->mxcsr64;
}

void wave_load_control(const struct wave *w) { host_control_set(w->mxcsr); }

void wave_mode_changed(struct wave *w) {
    wave_set_mode(w, w->mode);
    wave_load_control(w);
}

// ---- Clocks ----

uint64_t state_clock(struct wave *w, int realtime) {
    (void)w;
    const uint64_t ns = monotonic_ns();
    return realtime ? ns / 10 : ns; // 100 MHz (TRAP-096), and a shader clock of 1 GHz
}

// The clock of the hardware register counts from the launch: where it has 20 bits only, it shall not wrap
// within a kernel of less than a millisecond.
static uint64_t shader_cycles(const struct wave *w) {
    return monotonic_ns() - __atomic_load_n(&w->group->dispatch->clock_zero, __ATOMIC_RELAXED);
}

// ---- Hardware registers ----
// What a number means differs by generation (TRAP-385): w->hwregs maps it.

uint64_t state_read_hwreg(struct wave *w, unsigned id) {
    switch (w->hwregs[id & 63]) {
    case HWREG_MODE: return w->mode;
    case HWREG_STATUS:
        return (uint64_t)w->scc | (uint64_t)!exec_of(w) << 9 | (uint64_t) !(w->vcc & w->all_lanes) << 10 |
               1u << 16;
    case HWREG_STATE_PRIV: return (uint64_t)w->scc << 9;
    case HWREG_TRAPSTS: return w->trap_status;
    case HWREG_HW_ID: return place_hw_id(w);
    case HWREG_HW_ID1: return place_hw_id1(w);
    case HWREG_XCC_ID: return place_xcc_id(w);
    case HWREG_GPR_ALLOC: return w->group->dispatch->launch->vgprs;
    case HWREG_LDS_ALLOC: return (uint64_t)((w->lds_size + 127) / 128) << 12;
    case HWREG_SH_MEM_BASES: return (w->private_base >> 48) | (w->shared_base >> 48) << 16;
    case HWREG_FLAT_SCR_LO:
    case HWREG_SCRATCH_BASE_LO: return (uint32_t)w->scratch_base;
    case HWREG_FLAT_SCR_HI:
    case HWREG_SCRATCH_BASE_HI: return w->scratch_base >> 32;
    case HWREG_SHADER_CYCLES: return shader_cycles(w) & 0xfffff;
    case HWREG_SHADER_CYCLES_LO: return (uint32_t)shader_cycles(w);
    case HWREG_SHADER_CYCLES_HI: return shader_cycles(w) >> 32;
    default: return 0;
    }
}

void state_write_hwreg(struct wave *w, unsigned id, uint32_t value, uint32_t mask) {
    switch (w->hwregs[id & 63]) {
    case HWREG_MODE:
        w->mode = (w->mode & ~mask) | (value & mask);
        wave_mode_changed(w);
        break;
    case HWREG_TRAPSTS: w->trap_status = (w->trap_status & ~mask) | (value & mask); break;
    case HWREG_FLAT_SCR_LO: w->scratch_base = (w->scratch_base & ~(uint64_t)mask) | (value & mask); break;
    case HWREG_FLAT_SCR_HI:
        w->scratch_base = (w->scratch_base & ~((uint64_t)mask << 32)) | (uint64_t)(value & mask) << 32;
        break;
    default: break; // the rest ignores writes without privilege
    }
}

bool state_message(struct wave *w, unsigned id, uint64_t *value) {
    if (id == 0x83)
        *value = state_clock(w, 1); // realtime (TRAP-380)
    else if (id == 0x84 || id == 0xff)
        return false;
    else
        *value = 0;
    return true;
}

// Breakpoints, for which nobody waits (TRAP-03, TRAP-06).
bool state_passes_trap(const struct wave *w, unsigned number) {
    return (number == 1 || number == 3) && w->worker->device->options.pass_breakpoints;
}

void state_send(struct wave *w, uint32_t id, uint32_t m0) {
    const sw_device_options *o = &w->worker->device->options;
    w->at = NULL; // what the program does with it is not the wave's doing
    if (w->worker->touched_count) worker_tell(w->worker); // what the wave wrote comes before what it says
    if (!o->message) return;
    sw_message m = {.size = sizeof m,
                    .id = id,
                    .m0 = m0,
                    .dispatch_id = w->group->dispatch->launch->dispatch->dispatch_id,
                    .wave = w->wave_in_group};
    memcpy(m.group, w->group->id, sizeof m.group);
    o->message(o->message_context, &m);
}
