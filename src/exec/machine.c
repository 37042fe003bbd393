// SPDX-License-Identifier: MIT
// What bodies call for more than the wave itself: the wave's own part of it is here, the rest is passed on to
// its machine.
#include "exec/machine.h"

#include "base/clock.h"
#include "exec/host_control.h"
#include "isa/constants.h"
#include "exec/map.h"

bool wave_find_range(struct wave *w, uint64_t address, uint32_t rights, struct range *out) {
    return w->machine->find_range(w, address, rights, out);
}
const struct op *wave_fault(struct wave *w, const struct op *op, enum fault_kind kind, int lane,
                            uint64_t address) {
    return w->machine->fault(w, op, kind, lane, address, NULL);
}
const struct op *wave_fault_because(struct wave *w, const struct op *op, enum fault_kind kind, int lane,
                                    uint64_t address, const char *reason) {
    return w->machine->fault(w, op, kind, lane, address, reason);
}
bool state_passes_trap(const struct wave *w, unsigned number) { return w->machine->passes_trap(w, number); }
void state_send(struct wave *w, uint32_t id, uint32_t m0) { w->machine->send(w, id, m0); }
bool state_gws(struct wave *w, enum gws_kind kind, unsigned number, uint32_t count) {
    return w->machine->gws(w, kind, number, count);
}
bool state_gws_allowed(struct wave *w, const struct op *op) {
    return !w->machine->gws_allowed || w->machine->gws_allowed(w, op);
}
void state_atomic(struct wave *w, unsigned operation, bool returns, const uint64_t *at, const uint64_t *src,
                  uint64_t m) {
    if (w->machine->atomic) w->machine->atomic(w, operation, returns, at, src, m);
}

// ---- Jumps ----

const struct op *state_jump(struct wave *w, uint64_t address) {
    bool own;
    w->machine->jumps(w, address);
    return w->machine->block(w, address, &own);
}

const struct op *state_link(struct wave *w, const struct op *op) {
    bool own;
    const struct op *target = w->machine->block(w, w->code_base + op->e, &own);
    // Every worker that gets here stores the same pointer. Another executable may go before this one does.
    if (target && own) __atomic_store_n((const struct op **)&op->target, target, __ATOMIC_RELEASE);
    return target;
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

// ---- Constants ----

void wave_fill_constants(struct wave *w) {
    for (unsigned code = 128; code <= 208; code++) {
        const int v = inline_integer(code);
        w->constant32[code - 128] = w->constant16[code - 128] = w->constant_bf16[code - 128] = (uint32_t)v;
        w->constant64[code - 128] = (uint64_t)(int64_t)v;
    }
    for (int i = 0; i < INLINE_FLOATS; i++) {
        w->constant32[112 + i] = inline_floats[i].f32;
        w->constant16[112 + i] = inline_floats[i].f16;
        w->constant_bf16[112 + i] = inline_floats[i].bf16;
        w->constant64[112 + i] = inline_floats[i].f64;
    }
    w->shared_base = SW_SHARED_APERTURE;
    w->private_base = SW_PRIVATE_APERTURE;
    uint64_t apertures[4] = {SW_SHARED_APERTURE, SW_SHARED_APERTURE + 0xffffffff, SW_PRIVATE_APERTURE,
                             SW_PRIVATE_APERTURE + 0xffffffff}; // 235-238
    for (int i = 0; i < 4; i++)
        w->constant64[107 + i] = apertures[i], w->constant32[107 + i] = (uint32_t)apertures[i];
}

// ---- Clocks ----

uint64_t state_clock(struct wave *w, int realtime) {
    (void)w;
    const uint64_t ns = monotonic_ns();
    return realtime ? ns / 10 : ns; // 100 MHz (TRAP-096), and a shader clock of 1 GHz
}

uint64_t state_message(struct wave *w, unsigned id) {
    switch (id) {
    case MESSAGE_REALTIME: return state_clock(w, 1); // TRAP-380
    case MESSAGE_ENGINE: return w->machine->read_hwreg(w, HWREG_HW_ID1) >> 18 & 7;
    default: return 0; // the first doorbell and dispatch; no trap handler
    }
}

// ---- Hardware registers ----
// What a number means differs by generation (TRAP-385): w->hwregs maps it.

uint64_t state_read_hwreg(struct wave *w, unsigned id) {
    const enum hwreg what = w->hwregs[id & 63];
    switch (what) {
    case HWREG_NONE: return 0;
    case HWREG_MODE: return w->mode;
    case HWREG_STATUS:
        return (uint64_t)w->scc | (uint64_t)!exec_of(w) << 9 | (uint64_t) !(w->vcc & w->all_lanes) << 10 |
               1u << 16;
    case HWREG_STATE_PRIV: return (uint64_t)w->scc << 9 | barrier_bits(w);
    case HWREG_TRAPSTS: return w->trap_status;
    case HWREG_LDS_ALLOC: return (uint64_t)((w->lds_size + 127) / 128) << 12;
    case HWREG_SH_MEM_BASES: return (w->private_base >> 48) | (w->shared_base >> 48) << 16;
    case HWREG_FLAT_SCR_LO:
    case HWREG_SCRATCH_BASE_LO: return (uint32_t)w->scratch_base;
    case HWREG_FLAT_SCR_HI:
    case HWREG_SCRATCH_BASE_HI: return w->scratch_base >> 32;
    case HWREG_HW_ID:
    case HWREG_HW_ID1:
    case HWREG_XCC_ID:
    case HWREG_GPR_ALLOC:
    case HWREG_SHADER_CYCLES:
    case HWREG_SHADER_CYCLES_LO:
    case HWREG_SHADER_CYCLES_HI: return w->machine->read_hwreg(w, what);
    }
    return 0;
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
